#!/bin/bash
# Texts of scratch files survive the death of the daemon where the manual says so: before an item goes, and by fsync.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
export ITEMFS_TIMING=hidden=1 # an item that was renamed goes at once

die()
{
	kill_daemons
	umount -l m
}

not_stored()
{
	[ -z "$(item tab p "$1")" ]
}

# copies - texts in the scratch area of the store
copies()
{
	find "$S/scratch" -type f ! -name '*.part' 2>/dev/null | wc -l
}

copies_are()
{
	[ "$(copies)" = "$1" ]
}

# kept NAME - the text of the scratch file of that name, which the newest start has found
kept()
{
	cat "$S"/rejected/*-"$1"
}

# named PATH NAME - does the log say where its text is?
named()
{
	grep -F "$W/$1: " "$S/log" | grep -q "$S/rejected/.*-$2\$"
}

# ---- an item that was renamed, and the daemon killed

mnt m -o table=tab
mkdir m/p
for n in a b c d e f; do echo '{"n":"'$n'"}' >m/p/$n.json; done
mv m/p/a.json m/p/a.json.bak
wait_until 10 not_stored a || fail 'the renamed item is not deleted'
eq 'its text is saved' "$(copies)" 1
eq 'for its owner alone' "$(stat -c %a "$S/scratch") $(find "$S/scratch" -type f -exec stat -c %a {} +)" '700 600'
die
mnt m -o table=tab
eq 'after kill -9 the text is kept' "$(kept a.json.bak)" '{"PK":"p","SK":"a","n":"a"}'
eq 'and shown' "$(cat m/.itemfs/rejected/*-a.json.bak)" '{"PK":"p","SK":"a","n":"a"}'
wait_until 5 named m/p/a.json.bak a.json.bak || fail 'the log names it'
eq 'nothing is left in the scratch area' "$(copies)" 0

# ---- gzip: the item is removed, its text is in a scratch file

ok gzip m/p/b.json
gone m/p/b.json
die
mnt m -o table=tab
eq 'gzip' "$(kept b.json.gz | zcat)" '{"PK":"p","SK":"b","n":"b"}'

# ---- fsync, and a machine that crashes: what is on the disk then

printf 'one' >m/p/tmp
ok sync m/p/tmp
printf 'two' >m/p/tmp
ok sync m/p/tmp
printf 'three' >m/p/tmp
cp -a "$S" store2
eq 'the newest text that was synced' "$(tail -c 3 store2/scratch/*/*)" two
: >store2/log
rm -rf store2/rejected
was=$S
S=$W/store2
mnt m2 -o table=tab
eq 'is kept' "$(kept tmp)" two
unmnt m2
S=$was
ok mv m/p/tmp m/p/tmp2
eq 'a copy stays with its file' "$(copies)" 1
rm m/p/tmp2
eq 'and goes with it' "$(copies)" 0

# ---- a scratch file becomes an item: the copy goes when that is durable

echo '{"n":7}' >m/p/tmp
ok sync m/p/tmp
ok mv m/p/tmp m/p/g.json
eq 'no copy' "$(copies)" 0
mv m/p/c.json m/p/c.old
wait_until 10 not_stored c || fail 'the renamed item is not deleted'
ok mv m/p/c.old m/p/c.json
eq 'nor when an item gets its name back' "$(copies) $(item tab p c)" '0 {"PK":"p","SK":"c","n":"c"}'

# ---- a backup whose item was written anew, and not deleted before

unmnt m
ITEMFS_TIMING=hidden=600000,unsaved=1 mnt m -o table=tab
exec 7<m/.stream
cat <&7 >changes 2>/dev/null &

# tells SK NAME - are there changes of that item and of that name?
tells()
{
	grep -F '"SK":"'"$1"'"' changes | grep -q "\"eventName\":\"$2\""
}

# tells_new SK - is the new text stored?
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
eq 'the backup' "$(kept d.json~)" '{"PK":"p","SK":"d","n":"old"}'
eq 'and the item' "$(item tab p d)" '{"PK":"p","SK":"d","n":"new"}'

# ---- no room for a copy: fsync says so, and the item stays

rmdir "$S"/scratch/* "$S/scratch" 2>/dev/null
: >"$S/scratch"
mv m/p/e.json m/p/e.old
is_shown()
{
	[ -e m/p/e.json ]
}
wait_until 10 is_shown || fail 'an item whose text cannot be saved is not shown again'
eq 'it is stored' "$(item tab p e)" '{"PK":"p","SK":"e","n":"e"}'
refused 'Input/output error' sync m/p/e.old
reasons "$W/m/p/e.old" | grep -q 'cannot be made durable' || fail 'the reason is not told'
grep -q 'cannot be made durable' "$S/log" || fail 'the log does not tell'
rm m/p/e.old "$S/scratch"
eq 'the copy is removed, the item is not' "$(item tab p e)" '{"PK":"p","SK":"e","n":"e"}'

# ---- the end of a mount: the log names each text and where it is

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
eq 'a text in place of an item' "$(kept f.json | head -c 6) $(item tab p f)" '["PK": {"PK":"p","SK":"f","n":"f"}'

# ---- the mount of an endpoint: in the state directory, for each process its own

endpoint
ctl create-table tab --key PK,SK >/dev/null
mnt m -o table=tab
mkdir m/p
state=$(echo "$XDG_STATE_HOME"/itemfs/*)
echo mine >m/p/mine
ok sync m/p/mine
mnt n -o table=tab
eq 'what a living process has saved stays' "$(find "$state/scratch" -type f | wc -l) $(ls "$state/rejected" 2>/dev/null | wc -l)" '1 0'
leave n
kill_daemons
umount -l m
mnt m -o table=tab
eq 'what a killed one has is kept' "$(cat "$state"/rejected/*-mine)" mine
unmnt m

done_testing
