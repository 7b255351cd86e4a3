#!/bin/bash
# Texts of scratch files survive the death of the daemon where the manual says so: before an item is deleted, and
# after fsync.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
export ITEMFS_TIMING=hidden=1 # a renamed item is deleted at once

die()
{
	kill_daemons
	umount -l m
}

not_stored()
{
	[ -z "$(item tab p "$1")" ]
}

# copies - number of texts in the scratch area of the store
copies()
{
	find "$S/scratch" -type f ! -name '*.part' 2>/dev/null | wc -l
}

copies_are()
{
	[ "$(copies)" = "$1" ]
}

# kept NAME - the text of the scratch file of that name that the latest start has found
kept()
{
	cat "$S"/rejected/*-"$1"
}

# named PATH NAME - test if the log says where its text is
named()
{
	grep -F "$W/$1: " "$S/log" | grep -q "$S/rejected/.*-$2\$"
}

# ---- an item is renamed, then the daemon is killed

mnt m -o table=tab
mkdir m/p
for n in a b c d e f; do echo '{"n":"'$n'"}' >m/p/$n.json; done
mv m/p/a.json m/p/a.json.bak
wait_until 10 not_stored a || fail 'the renamed item is not deleted'
eq 'its text is saved' "$(copies)" 1
eq 'only its owner may read it' "$(stat -c %a "$S/scratch") $(find "$S/scratch" -type f -exec stat -c %a {} +)" '700 600'
die
mnt m -o table=tab
eq 'after kill -9 the text is kept' "$(kept a.json.bak)" '{"PK":"p","SK":"a","n":"a"}'
eq 'and shown' "$(cat m/.itemfs/rejected/*-a.json.bak)" '{"PK":"p","SK":"a","n":"a"}'
wait_until 5 named m/p/a.json.bak a.json.bak || fail 'the log does not name it'
eq 'nothing is left in the scratch area' "$(copies)" 0

# ---- gzip: the item is removed, its text is in a scratch file

ok gzip m/p/b.json
gone m/p/b.json
die
mnt m -o table=tab
eq 'gzip' "$(kept b.json.gz | zcat)" '{"PK":"p","SK":"b","n":"b"}'

# ---- fsync, and a crash of the machine: what is on the disk then

printf 'one' >m/p/tmp
ok sync m/p/tmp
printf 'two' >m/p/tmp
ok sync m/p/tmp
printf 'three' >m/p/tmp
cp -a "$S" store2
eq 'the scratch area has the latest synced text' "$(tail -c 3 store2/scratch/*/*)" two
: >store2/log
rm -rf store2/rejected
was=$S
S=$W/store2
mnt m2 -o table=tab
eq 'which is kept' "$(kept tmp)" two
unmnt m2
S=$was
ok mv m/p/tmp m/p/tmp2
eq 'a copy stays with its file' "$(copies)" 1
rm m/p/tmp2
eq 'and is removed with it' "$(copies)" 0

# ---- a scratch file becomes an item: the copy is removed once the item is durable

echo '{"n":7}' >m/p/tmp
ok sync m/p/tmp
ok mv m/p/tmp m/p/g.json
eq 'no copy is left' "$(copies)" 0
mv m/p/c.json m/p/c.old
wait_until 10 not_stored c || fail 'the renamed item is not deleted'
ok mv m/p/c.old m/p/c.json
eq 'none is left when an item gets its name back' "$(copies) $(item tab p c)" '0 {"PK":"p","SK":"c","n":"c"}'

# ---- a backup whose item was written again instead of deleted

unmnt m
ITEMFS_TIMING=hidden=600000,unsaved=1 mnt m -o table=tab
exec 7<m/.stream
cat <&7 >changes 2>/dev/null &

# tells SK NAME - test if the log has changes of that item and that name
tells()
{
	grep -F '"SK":"'"$1"'"' changes | grep -q "\"eventName\":\"$2\""
}

# tells_new SK - test if the new text is stored
tells_new()
{
	grep -F '"SK":"'"$1"'"' changes | grep -q '"new"'
}

echo '{"n":"old"}' >m/p/d.json
mv m/p/d.json m/p/d.json~
echo '{"n":"new"}' >m/p/d.json
wait_until 10 tells_new d || fail 'the new text is not stored'
ok tells d MODIFY
wait_until 10 copies_are 1 || fail 'the older text is not saved'
exec 7<&-
die
mnt m -o table=tab
eq 'the backup has the old text' "$(kept d.json~)" '{"PK":"p","SK":"d","n":"old"}'
eq 'and the item the new one' "$(item tab p d)" '{"PK":"p","SK":"d","n":"new"}'

# ---- no space for a copy: fsync fails, and the item stays

rmdir "$S"/scratch/* "$S/scratch" 2>/dev/null
: >"$S/scratch"
mv m/p/e.json m/p/e.old
is_shown()
{
	[ -e m/p/e.json ]
}
wait_until 10 is_shown || fail 'an item whose text cannot be saved is not shown again'
eq 'the item is stored' "$(item tab p e)" '{"PK":"p","SK":"e","n":"e"}'
refused 'Input/output error' sync m/p/e.old
reasons "$W/m/p/e.old" | grep -q 'cannot be made durable' || fail 'why does not give the reason'
grep -q 'cannot be made durable' "$S/log" || fail 'the log does not give the reason'
rm m/p/e.old "$S/scratch"
eq 'removing the scratch file keeps the item' "$(item tab p e)" '{"PK":"p","SK":"e","n":"e"}'

# ---- the end of a mount: the log names each text and its place

echo 'left' >m/p/left
exec 5>m/p/h.json
echo '{"open":' >&5
exec 6<>m/p/f.json
printf '[' >&6
kill "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon stays'
exec 5>&- 6>&-
for n in left h.json f.json; do
	named m/p/$n $n || fail "the log does not name $n: $(cat "$S/log")"
done
eq 'a scratch file' "$(kept left)" left
eq 'a new text' "$(kept h.json)" '{"open":'
eq 'a rejected text of an existing item' "$(kept f.json | head -c 6) $(item tab p f)" '["PK": {"PK":"p","SK":"f","n":"f"}'

# ---- the mount of an endpoint: each process has its own scratch area in the state directory

endpoint
ctl create-table tab --key PK,SK >/dev/null
mnt m -o table=tab
mkdir m/p
state=$(echo "$XDG_STATE_HOME"/itemfs/*)
echo mine >m/p/mine
ok sync m/p/mine
mnt n -o table=tab
eq 'texts of a running process stay where they are' "$(find "$state/scratch" -type f | wc -l) $(ls "$state/rejected" 2>/dev/null | wc -l)" '1 0'
leave n
kill_daemons
umount -l m
mnt m -o table=tab
eq 'texts of a killed process are kept' "$(cat "$state"/rejected/*-mine)" mine
unmnt m

done_testing
