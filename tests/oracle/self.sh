#!/bin/bash
# self.sh - run the oracle on two stores, which must not differ, and on one store as both ends, where the second CreateTable fails.
. "$(dirname "$0")/../tools/lib.sh"

servers=()
urls=()
for i in 1 2; do
	"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >"log$i" 2>&1 &
	servers+=($!)
	urls+=("http://$(address "log$i")")
done

ok "$ORACLE" --seeds 1..40 --broken 20 --updates --legacy --statements --tables --known "$SOURCE/tests/oracle/known.txt" "${urls[@]}"
eq 'two stores answer alike' "${out##*, }" '0 differences'
gives 1 '' "$ORACLE" --seeds 7 "${urls[0]}" "${urls[0]}"
eq 'a difference is reduced to one request' "$(grep -c '^CreateTable' <<<"$out") $(grep -c '^[A-Z]' <<<"$out")" '1 1'
eq 'both answers are shown' "$(grep -o -E '^(left  200|right 400)' <<<"$out")" $'left  200\nright 400'
gives 2 'usage' "$ORACLE" "${urls[0]}"

kill "${servers[@]}"
wait "${servers[@]}"
done_testing
