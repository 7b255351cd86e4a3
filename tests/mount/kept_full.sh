#!/bin/bash
# The disk of the scratch area is full: an item whose only remaining copy would be in memory is not deleted before its
# user got an error. The scratch area is on a small disk in memory, which needs root.
private=yes
. "$(dirname "$0")/lib.sh"

store --key PK,SK
export ITEMFS_TIMING=hidden=600000,unsaved=600000 # longer than this test
mkdir -m 700 "$S/scratch"
if ! mount -t tmpfs -o size=64k,mode=700 itemfs-test "$S/scratch" 2>/dev/null; then
	echo "skipped: no file system can be mounted here"
	exit 77
fi

# fill - use up the disk to the last byte
fill()
{
	cat /dev/zero >"$S/scratch/ballast" 2>/dev/null
}

# why PATH - test if the log has the reason
why()
{
	reasons "$W/$1" | grep -F "cannot be made durable in $(realpath "$S")/scratch: No space left on device" | grep -q "$2" ||
		fail "$1: $(reasons "$W/$1")"
}

mnt m -o table=tab
mkdir m/p
for n in a b c d; do echo '{"n":"'$n'"}' >m/p/$n.json; done

# ---- gzip

fill
refused 'No space left' gzip m/p/a.json
eq 'the item stays' "$(item tab p a)" '{"PK":"p","SK":"a","n":"a"}'
why m/p/a.json "$W/m/p/a.json.gz.*or remove the item a second time"
why m/p/a.json.gz 'make room there, then sync it again'
ok rm m/p/a.json
eq 'it can be removed after the error' "$(item tab p a)" ''

refused 'No space left' gzip m/p/b.json
eq 'another text gives its own error' "$(item tab p b)" '{"PK":"p","SK":"b","n":"b"}'
rm "$S/scratch/ballast"
rm m/p/b.json.gz
ok gzip m/p/b.json
eq 'the item is deleted when there is space' "$(item tab p b)" ''
kill_daemons
umount -l m
mnt m -o table=tab
eq 'and its text is on the disk' "$(zcat "$S"/rejected/*-b.json.gz)" '{"PK":"p","SK":"b","n":"b"}'

# ---- a renamed item, compressed before and after its text is durable

fill
ok mv m/p/c.json m/p/c
refused 'No space left' gzip m/p/c
eq 'the item behind a scratch file stays' "$(item tab p c)" '{"PK":"p","SK":"c","n":"c"}'
rm "$S/scratch/ballast"
rm -f m/p/c.gz
ok mv m/p/d.json m/p/d
ok sync m/p/d
fill
refused 'No space left' gzip m/p/d
eq 'a durable copy stays' "$(grep -l '"SK":"d"' "$S"/scratch/*/* | wc -l) $(cat m/p/d)" '1 {"PK":"p","SK":"d","n":"d"}'
rm "$S/scratch/ballast"

# ---- a removal of many

mkdir m/q
seq 200 | jq -c '{PK:"q",SK:(.|tostring)}' | ctl import tab /dev/stdin >/dev/null
echo text >m/q/one
echo text >m/q/two
fill
refused 'No space left' rm -r m/q
eq 'one refused delete reports all texts' "$(ctl query tab q --count)" 1
ok rm -r m/q
gone m/q
rm "$S/scratch/ballast"

unmnt m
wait_until 10 nobody_left || fail 'the daemon stays'
umount "$S/scratch"
done_testing
