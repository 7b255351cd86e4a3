#!/bin/bash
# What README.md shows: its transcript is what the programs print, its commands do as they say.
#   bash tests/mount/readme.sh --write      writes the transcript anew
. "$(dirname "$0")/lib.sh"
readme=$HERE/../../README.md
example=$HERE/../../tools/examples/order-entry
mkdir bin mnt
ln -s "$ITEMFS" "$ITEMCTL" bin
PATH=$W/bin:$PATH

# block N KIND - the N-th block of commands or code of that kind
block()
{
	awk -v n="$1" -v kind="$2" '/^```/ { if (inside) { inside = 0 } else { inside = 1; mine = $0 == "```" kind && ++seen == n }; next }
		inside && mine' "$readme"
}

# as_typed LINE - what a user would type here; what stands behind two spaces is explanation
as_typed()
{
	local typed=${1%%  *}
	typed=${typed//STORE/store}
	printf '%s\n' "${typed//\/mnt/$W/mnt}"
}
play()
{
	eval "$(as_typed "$1")" </dev/null
}

# ---- the transcript

transcript()
{
	block 1 '' | while IFS= read -r line; do
		if [[ $line == '$ '* ]]; then
			printf '%s\n' "$line"
			play "${line#??}"
		fi
	done
}

ok itemctl -q -s store create-table --from "$example/table.json"
ok itemctl -q -s store import hroe "$example/items.jsonl"
transcript >transcript 2>&1
if [ "${1-}" = --write ]; then
	awk 'NR == FNR { text = text $0 "\n"; next } /^```$/ && ++fences == 1 { printf "%s\n%s", $0, text; old = 1; next }
		/^```$/ && old { old = 0 } !old' transcript "$readme" >new
	cp new "$readme"
fi
eq 'the transcript' "$(cat transcript)" "$(block 1 '')"
unmnt mnt
gone
rm -rf store

# ---- "In use": each command succeeds; the stream shows what is written

year=2000
follow()
{
	eval "exec $(as_typed "$1")" >seen &
	wait_until 5 heard || fail "$1"
	kill $!
	wait $! 2>/dev/null
}
heard()
{
	echo "{\"Year\":$((++year))}" >mnt/Acme/White.json
	[ -s seen ]
}

commands=0
while IFS= read -r line; do
	case $line in
	*.stream' '*) follow "$line" ;;
	*'  refused: '*)
		play "$line" 2>/dev/null
		eq "$line" "$(ls mnt/Acme)" $'Blue.json\nRust.json'
		;;
	*) play "$line" >out 2>&1 || fail "$line: $(cat out)" ;;
	esac
	commands=$((commands + 1))
	case $line in
	*' a Query of one '*) eq "$line" "$(cat out)" Blue.json ;;
	*' query music Acme '*) eq "$line" "$(cat out)" '{"Artist":"Acme","Song":"Blue","Year":1999}' ;;
	*' the whole sentence '*) eq "$line" "$(grep -c 'ByYear' out)" 1 ;;
	esac
done < <(block 3 '')
eq 'commands in use' "$((commands > 12))" 1
gone

# ---- "As DynamoDB"

itemctl serve --temp --listen 127.0.0.1:0 >address 2>serve.err &
server=$!
wait_until 5 grep -q listening address || fail 'no server'
address=$(sed -n 's/^listening on //p' address)
if python3 -c 'import boto3' 2>/dev/null; then
	eq 'the program in Python' "$(block 1 python | sed "s/127.0.0.1:8000/$address/" | python3 - 2>&1)" \
		"{'Artist': 'Acme', 'Song': 'Blue', 'Year': Decimal('1999')}
[{'Song': 'Blue'}]"
fi
kill $server
wait $server

done_testing
