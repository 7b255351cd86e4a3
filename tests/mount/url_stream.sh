#!/bin/bash
# The mount of an endpoint: .stream polls for new records, .stream.jsonl has all records that the stream still has
# (NAMESPACE 5).
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK --ttl exp
mnt m -o table=tab
mnt typed -o table=tab,typed

# ---- a table without a stream

for file in .stream .stream.jsonl; do
	refused 'No such file or directory' cat m/$file
	eq "$file: the reason is in the log" "$(tail -n 1 m/.itemfs/errors | cut -f 3-)" \
		"$W/m/$file	ENOENT	ValidationException	table tab has no stream; to enable one: itemctl alter tab --stream NEW_AND_OLD_IMAGES"
done

# ---- a table with its second stream; the first one has records, too

ctl alter tab --stream KEYS_ONLY >/dev/null
ctl put tab '{"PK":"first","SK":"stream"}' >/dev/null
ctl alter tab --stream off >/dev/null
ctl alter tab --stream NEW_AND_OLD_IMAGES >/dev/null
# has_stream MOUNT - test if the mount knows the stream; its information may be a second old
has_stream()
{
	cat "$1/.stream.jsonl" 2>/dev/null
}
wait_until 10 has_stream m || fail 'the stream is not seen'
wait_until 10 has_stream typed || fail 'the stream is not seen'
eq 'an empty stream' "$(wc -c <m/.stream.jsonl) $(stat -c %s m/.stream.jsonl m/.stream | tr '\n' ' ')" '0 0 0 '
ctl put tab '{"PK":"p","SK":"early"}' >/dev/null
exec 5<m/.stream
exec 6<typed/.stream
echo '{"v":1}' >m/p/a.json
ctl put tab '{"PK":"p","SK":"a","v":{"B":"aGk="}}' >/dev/null
mv m/p/a.json m/p/b.json
ctl put tab "{\"PK\":\"p\",\"SK\":\"old\",\"exp\":$(($(date +%s) - 100))}" >/dev/null
ctl sweep tab >/dev/null 2>&1
a='"Keys":{"PK":"p","SK":"a"}' b='"Keys":{"PK":"p","SK":"b"}'
for i in 1 2 3 4; do
	next 5
done >lines
eq 'the changes since it was opened, in their order' "$(jq -c 'del(.seq)' lines)" \
	"{\"eventName\":\"INSERT\",$a,\"NewImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":1}}
{\"eventName\":\"MODIFY\",$a,\"NewImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":{\"B\":\"aGk=\"}},\"OldImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":1}}
{\"eventName\":\"REMOVE\",$a,\"OldImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":{\"B\":\"aGk=\"}}}
{\"eventName\":\"INSERT\",$b,\"NewImage\":{\"PK\":\"p\",\"SK\":\"b\",\"v\":{\"B\":\"aGk=\"}}}"
eq 'typed' "$(next 6 | jq -c '.NewImage.v')" '{"N":"1"}'
eq '.stream.jsonl has the same lines' "$(head -n 5 m/.stream.jsonl | tail -n 4)" "$(cat lines)"
eq 'and begins with the oldest record' "$(head -n 1 m/.stream.jsonl | jq -r .Keys.SK)" early
eq 'neither file is listed' "$(ls -A m)" $'first\np'

# ---- more than a page

seq 2500 | jq -c --arg v "$(head -c 1000 /dev/zero | tr '\0' x)" '{PK:"q",SK:"\(.)",v:$v}' | ctl put tab - >/dev/null
eq 'all records are there' "$(jq -r 'select(.Keys.PK == "q").Keys.SK' m/.stream.jsonl | cmp - <(seq 2500))" ''
eq 'reading in pieces gives the same' "$(dd if=m/.stream.jsonl bs=777 status=none | cmp - m/.stream.jsonl)" ''
eq '.stream has all new records' "$(perl -e '
	while ($all !~ /"SK":"2500"/) { sysread(STDIN, $all, 1 << 20, length $all) or die "ended\n" }
	print join " ", (map { /"PK":"q","SK":"(\d+)"/ ? $1 : () } split /\n/, $all)[0, 1, -1]' <&5)" '1 2 2500'

# ---- waiting: O_NONBLOCK, with a signal, in poll(2)

eq 'EAGAIN while there is no record' "$(perl -e 'use Fcntl; sysopen(F, "m/.stream", O_RDONLY | O_NONBLOCK) or die; print defined sysread(F, $x, 10) ? "read" : "$!"')" \
	'Resource temporarily unavailable'
eq 'a signal interrupts a waiting reader' "$(perl -e 'use Time::HiRes "ualarm"; $SIG{ALRM} = sub {}; open(F, "<", "m/.stream") or die; ualarm(50000, 50000);
	print defined sysread(F, $x, 10) ? "read" : "$!"')" 'Interrupted system call'
exec 7<m/.stream
ctl put tab '{"PK":"late","SK":"1"}' >/dev/null
eq 'poll reports when there is a line' "$(perl -e 'vec($r, 0, 1) = 1; print scalar(select($r, undef, undef, 240)), " "; sysread(STDIN, $x, 1000); print $x =~ /"late"/ ? "line" : $x' <&7)" '1 line'

# ---- the stream ends, the mount ends

ctl alter tab --stream off >/dev/null
eq 'disabling the stream ends the file' "$(cat <&7 | wc -l)" 0
exec 5<&- 6<&- 7<&-
ctl alter tab --stream NEW_IMAGE >/dev/null
wait_until 10 has_stream m || fail 'the third stream is not seen'
exec 5<m/.stream
ctl put tab '{"PK":"again","SK":"1"}' >/dev/null
eq 'another stream, another file' "$(next 5 | jq -c .Keys)" '{"PK":"again","SK":"1"}'
perl -e 'open(F, "<", "m/.stream") or die; print "open\n"; close STDOUT; print STDERR defined sysread(F, $x, 10) ? "read" : "$!"' >opened 2>ended &
wait_until 10 grep -qs open opened || fail 'not opened'
exec 5<&-
umount -l m || fusermount3 -uz m
kill $!
wait $! 2>/dev/null
unmnt typed

done_testing
