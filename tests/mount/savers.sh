#!/bin/bash
# Several writers save one item at once: each has its own text, and the last valid close wins, as between mounts.
# Longer, with another seed: ITEMFS_SEED=7 ITEMFS_ROUNDS=50 bash tests/mount/savers.sh
. "$(dirname "$0")/lib.sh"

seed 1
store --key PK,SK
mnt m -o table=tab
mkdir m/p

v()
{
	item tab p "$1" | jq -c .v
}

# bash closes a duplicate of the descriptor after each command with >&4: the text is saved then if it is complete.

# ---- two writers that truncate

echo '{"v":"old"}' >m/p/a.json
exec 4>m/p/a.json 5>m/p/a.json
echo '{"v":"four"}' >&4
refused 'Bad message' bash -c 'echo "{]" >&5'
exec 5>&-
exec 4>&-
settle m
eq 'a refused writer does not harm the other' "$(v a) $(jq -c .v m/p/a.json)" '"four" "four"'
eq 'the refused text is kept' "$(cat "$S"/rejected/*-a.json)" '{]'

exec 4>m/p/a.json 5>m/p/a.json
refused 'Bad message' bash -c 'echo "{]" >&5'
echo '{"v":"four again"}' >&4
exec 4>&-
exec 5>&-
settle m
eq 'nor when it closes last' "$(v a) $(jq -c .v m/p/a.json)" '"four again" "four again"'

exec 4>m/p/a.json 5>m/p/a.json
printf '{"v":"four",' >&4
echo '{"v":"five"}' >&5
eq 'readers get the latest text' "$(cat m/p/a.json)" '{"v":"five"}'
exec 5>&-
eq 'a save is stored at once' "$(v a)" '"five"'
echo '"w":1}' >&4
exec 4>&-
settle m
eq 'the last close wins' "$(item tab p a) $(jq -c .v m/p/a.json)" '{"PK":"p","SK":"a","v":"four","w":1} "four"'

# ---- a new item

exec 4>m/p/new.json 5>m/p/new.json
refused 'Bad message' bash -c 'echo "[" >&4'
exec 4>&-
ok test -e m/p/new.json
echo '{"v":"five"}' >&5
exec 5>&-
settle m
eq 'one of its creators is refused' "$(v new) $(jq -c .v m/p/new.json)" '"five" "five"'
exec 4>m/p/none.json 5>m/p/none.json
refused 'Bad message' bash -c 'echo "[" >&4'
refused 'Bad message' bash -c 'echo "[" >&5'
exec 4>&- 5>&-
settle m
gone m/p/none.json
exec 4>m/p/empty.json 5>m/p/empty.json
exec 4>&-
echo '{"v":1}' >&5
exec 5>&-
settle m
eq 'a creator that writes nothing and closes first' "$(v empty)" 1

exec 4>m/p/led.json 5>m/p/led.json
printf '{"v":' >&4
refused 'Bad message' bash -c 'echo "{]" >&5'
eq 'a refused text is not shown as the file' "$(cat m/p/led.json)" '{"v":'
echo '4}' >&4
exec 4>&- 5>&-
settle m
eq 'the text of the other creator is the item' "$(v led)" 4

# A process that opens the file while another creator is refused, and the file disappears, still gets a file.
if here python3; then
	eq 'a new file that disappears and is created again' "$(python3 "$HERE/makers.py" m/p/made.json 8 "$(rounds 200)")" "$((8 * $(rounds 200))) made"
	gone m/p/made.json
fi

# ---- more than a page: no pages of both texts are mixed

four=$(printf '4%.0s' $(seq 30000))
five=$(printf '5%.0s' $(seq 20000))
exec 4>m/p/long.json 5>m/p/long.json
printf '{"v":"%s' "$four" >&4
printf '{"v":"%s' "$five" >&5
printf '%s"}' "$five" >&5
printf '%s' "$four" >&4
eq 'a reader sees one text' "$(cat m/p/long.json | md5sum)" "$(printf '{"v":"%s%s"}' "$five" "$five" | md5sum)"
exec 5>&-
settle m 1
eq 'the item while the other writer continues' "$(v long | md5sum)" "$(echo "\"$five$five\"" | md5sum)"
printf '"}' >&4
exec 4>&-
settle m
eq 'the item after its close' "$(jq -r .v m/p/long.json | md5sum) $(stat -c %s m/p/long.json)" "$(echo "$four$four" | md5sum) $(wc -c <m/p/long.json)"
eq 'which is stored' "$(v long | md5sum)" "$(echo "\"$four$four\"" | md5sum)"

# ---- a writer that does not truncate shares the latest text

exec 4>m/p/b.json 5>>m/p/b.json
printf '{"v":' >&4
printf '"both"}' >&5
exec 4>&- 5>&-
settle m
eq 'an append shares the text' "$(v b)" '"both"'
ok bash -c '{ printf "{\"v\":"; printf "1}"; } >m/p/b.json'
eq 'one descriptor in several processes' "$(v b)" 1
exec 4>>m/p/b.json
echo '{"v":2}' >m/p/b.json
settle m 1
ok bash -c 'echo " " >&4'
exec 4>&-
settle m
eq 'an append after a save by another writer' "$(v b)" 2

# ---- removed and renamed

exec 4>m/p/c.json 5>m/p/c.json
echo '{"v":4}' >&4
echo '{"v":5}' >&5
rm m/p/c.json
exec 4>&- 5>&-
settle m
gone m/p/c.json
eq 'removed while two writers have it open' "$(item tab p c)" ''
echo '{"v":0}' >m/p/c.json
exec 4>m/p/c.json 5>m/p/c.json
printf '{"v":' >&4
echo '{"v":5}' >&5
mv m/p/c.json m/p/d.json
eq 'the latest text gets the new name' "$(v d)" 5
exec 5>&-
echo '4}' >&4
exec 4>&-
settle m
eq 'renamed while two writers have it open' "$(item tab p c) $(v d)" ' 4'
exec 4>m/p/d.json 5>m/p/d.json
printf '{"v":' >&4
echo '{"v":50}' >&5
mv m/p/d.json m/p/d.old
eq 'renamed to a scratch name: it has the latest text' "$(jq .v m/p/d.old)" 50
exec 5>&-
refused 'Stale file handle' bash -c 'echo "40}" >&4'
exec 4>&-
settle m 1
eq 'the other text is kept' "$(cat "$S"/rejected/*-d.old)" '{"v":40}'
rm m/p/d.old

# ---- many at once

if here python3; then
	mkdir m/many
	eq 'many at once' "$(python3 "$HERE/savers.py" m many "$(rounds 20)" 8 "$seed" 2>&1)" ''
fi
ok ctl check
unmnt m

# ---- in the mount of an endpoint

endpoint
ctl create-table tab --key PK,SK >/dev/null
mnt m -o table=tab
mkdir m/p
echo '{"v":"old"}' >m/p/a.json
exec 4>m/p/a.json 5>m/p/a.json
printf '{"v":"four",' >&4
refused 'Bad message' bash -c 'echo "{]" >&5'
exec 5>&-
echo '"w":1}' >&4
exec 4>&-
settle m
eq 'a refused writer does not harm the other' "$(item tab p a) $(jq -c .v m/p/a.json)" '{"PK":"p","SK":"a","v":"four","w":1} "four"'
exec 4>>m/p/a.json 5>m/p/a.json
echo '{"v":"five"}' >&5
ok bash -c 'echo " " >&4'
exec 4>&- 5>&-
settle m
eq 'an append after a save by another writer' "$(v a)" '"five"'

done_testing
