#!/bin/bash
# .stream: a table's changes as lines, from OPEN on (NAMESPACE 5).
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=100 # requests are not retried for long

store --key PK,SK --ttl exp
ctl create-table sim --key PK:N >/dev/null
mnt m -o table=tab
mnt all

# more FD - print whether there is a line to read now
more()
{
	if read -t 0 -u "$1"; then echo yes; else echo no; fi
}

# ---- the file

eq 'a regular file of size 0' "$(stat -c '%s %F %a' m/.stream)" '0 regular empty file 644'
eq 'ls -A does not list it' "$(ls -A m)" ''
eq 'find does not find it' "$(find m | wc -l)" 1
refused 'Read-only file system' bash -c 'echo x >m/.stream'
refused 'Read-only file system' rm m/.stream
refused 'Read-only file system' mv m/.stream m/x
refused 'Read-only file system' touch m/.stream
gone m/.index/.stream
refused '' mkdir m/.stream

# ---- all changes after OPEN, in order, and none before

ctl put tab '{"PK":"early","SK":"1"}' >/dev/null
exec 5<m/.stream
exec 6<all/tab/.stream
exec 7<all/sim/.stream
mkdir m/p
echo '{"v":1}' >m/p/a.json
echo '{"v":{"B":"aGk="}}' >m/p/a.json
touch m/p/a.json
echo '{"v":{"B":"aGk="}}' >m/p/a.json
mv m/p/a.json m/p/b.json
rm m/p/b.json
ctl put sim '{"PK":7}' >/dev/null
a='"Keys":{"PK":"p","SK":"a"}' b='"Keys":{"PK":"p","SK":"b"}'
for fd in 5 6; do
	eq "$fd: an item is created" "$(next $fd | sed 's/"seq":"[0-9]*"/S/')" \
		"{\"eventName\":\"INSERT\",S,$a,\"NewImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":1}}"
	eq "$fd: its contents change" "$(next $fd | jq -c 'del(.seq)')" \
		"{\"eventName\":\"MODIFY\",$a,\"NewImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":{\"B\":\"aGk=\"}},\"OldImage\":{\"PK\":\"p\",\"SK\":\"a\",\"v\":1}}"
	# Times, and the same contents again, are no change; a move is two changes.
	eq "$fd: a move removes the old key" "$(next $fd | jq -c 'del(.seq,.OldImage)')" "{\"eventName\":\"REMOVE\",$a}"
	eq "$fd: and inserts the new one" "$(next $fd | jq -c 'del(.seq,.NewImage)')" "{\"eventName\":\"INSERT\",$b}"
	eq "$fd: the item is removed" "$(next $fd | jq -c 'del(.seq)')" \
		"{\"eventName\":\"REMOVE\",$b,\"OldImage\":{\"PK\":\"p\",\"SK\":\"b\",\"v\":{\"B\":\"aGk=\"}}}"
done
eq 'only changes of its own table' "$(next 7 | jq -c .Keys) $(more 5) $(more 6) $(more 7)" '{"PK":7} no no no'

# ---- transactions; expired items, marked as in streams

ctl call TransactWriteItems '{"TransactItems":[
	{"Put":{"TableName":"tab","Item":{"PK":{"S":"t"},"SK":{"S":"1"}}}},
	{"Put":{"TableName":"sim","Item":{"PK":{"N":"8"}}}},
	{"Delete":{"TableName":"tab","Key":{"PK":{"S":"early"},"SK":{"S":"1"}}}}]}' >/dev/null
first=$(next 5) second=$(next 5)
eq 'both changes of a transaction' "$(jq -c '[.eventName,.Keys]' <<<"$first$second")" '["INSERT",{"PK":"t","SK":"1"}]
["REMOVE",{"PK":"early","SK":"1"}]'
eq 'sequence numbers rise' "$(jq -s '.[0].seq < .[1].seq' <<<"$first$second")" true
ctl put tab "{\"PK\":\"t\",\"SK\":\"old\",\"exp\":$(($(date +%s) - 100))}" >/dev/null
ctl sweep tab >/dev/null
eq 'a deletion by the store is marked' "$(next 5 | jq -c '[.eventName,.userIdentity]'; next 5 | jq -c '[.eventName,.userIdentity]')" \
	'["INSERT",null]
["REMOVE",{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}]'
exec 5<&- 6<&-

# ---- the form of the mount

mnt typed -o table=tab,typed,pretty
exec 5<typed/.stream
ctl put tab '{"PK":"t","SK":"2","n":1}' >/dev/null
eq 'typed, and always one line' "$(next 5 | jq -c '.Keys,.NewImage')" '{"PK":{"S":"t"},"SK":{"S":"2"}}
{"PK":{"S":"t"},"SK":{"S":"2"},"n":{"N":"1"}}'
exec 5<&-

# ---- O_NONBLOCK; poll and select; no seeking

cat >reader.py <<'END'
import errno, os, select, sys
fd = os.open("m/.stream", os.O_RDONLY | os.O_NONBLOCK)
def error(f):
    try: return f()
    except OSError as e: return errno.errorcode[e.errno]
print(error(lambda: os.read(fd, 100)), error(lambda: os.lseek(fd, 0, 0)), error(lambda: os.pread(fd, 1, 0)))
p = select.poll()
p.register(fd, select.POLLIN)
print(p.poll(0), select.select([fd], [], [], 0)[0])
child = os.fork()
if child == 0:
    os.close(fd)
    with open("m/t/poll.json", "w") as f: f.write("{}")
    os._exit(0)
print(p.poll(240000) == [(fd, select.POLLIN)], select.select([fd], [], [], 240)[0] == [fd])
os.waitpid(child, 0)
print(b"poll" in os.read(fd, 10), b"poll" in os.read(fd, 4096), error(lambda: os.read(fd, 100)), p.poll(0))
item = os.open("m/t/poll.json", os.O_RDWR)
p.register(item, select.POLLIN | select.POLLOUT)
print(p.poll(0) == [(item, select.POLLIN | select.POLLOUT)])
END
if here python3; then
	eq 'poll' "$(python3 reader.py 2>&1)" "EAGAIN ESPIPE ESPIPE
[] []
True True
False True EAGAIN []
True"
fi

# ---- tail -f, which first seeks the end and then reads what is appended

has_line()
{
	grep -q "\"SK\":\"$2\"" "$1"
}
tail -f m/.stream >tail.out 2>tail.err &
tailing=$!
tail -F m/.stream >tail2.out 2>tail.err &
tailing="$tailing $!"
wait_until 20 stat_is m open_streams 2 || fail 'tail does not open it'
for sk in tail1 tail2; do
	ctl put tab "{\"PK\":\"tailed\",\"SK\":\"$sk\"}" >/dev/null
	for file in tail.out tail2.out; do
		wait_until 20 has_line $file $sk || fail "$file has no $sk: $(cat tail.err)"
	done
done
tail -f m/.stream >tail3.out 2>tail.err &
tailing="$tailing $!"
wait_until 20 stat_is m open_streams 3 || fail 'tail does not open it again'
ctl put tab '{"PK":"tailed","SK":"tail3"}' >/dev/null
for file in tail.out tail2.out tail3.out; do
	wait_until 20 has_line $file tail3 || fail "$file has no tail3: $(cat tail.err)"
done
eq 'tail prints each change once' "$(cut -d, -f1 tail.out | sort | uniq -c | tr -s ' ')" ' 3 {"eventName":"INSERT"'
eq 'a later tail prints only later changes' "$(wc -l <tail3.out)" 1
kill $tailing
wait $tailing 2>/dev/null
wait_until 20 stat_is m open_streams 0 || fail "m: $(cat m/.itemfs/stats.json)"
eq 'tail without -f ends' "$(timeout 300 tail m/.stream; echo $?)" 0

# ---- waiting readers need no thread, and end on a signal

# streams MOUNT N - wait until the daemon has N open streams; descriptors that other processes inherited do not count
streams()
{
	wait_until 20 stat_is "$1" open_streams "$2" || fail "$1: $(cat "$1/.itemfs/stats.json")"
}
streams m 0
readers=''
for n in $(seq 40); do
	head -n 1 m/.stream >"line$n" 2>/dev/null &
	readers="$readers $!"
done
streams m 40
eq 'the mount answers meanwhile' "$(ls m/t | wc -l)" 3
ctl put tab '{"PK":"t","SK":"all"}' >/dev/null
for pid in $readers; do wait "$pid"; done
eq 'all readers get the line' "$(cat line? line?? | jq -r .Keys.SK | sort | uniq -c | tr -s ' ')" ' 40 all'
mnt single -s -o table=tab
readers=''
for n in 1 2 3; do
	head -n 1 single/.stream >"line$n" 2>/dev/null &
	readers="$readers $!"
done
streams single 3
eq 'a mount with one thread answers' "$(cat single/t/all.json)" '{"PK":"t","SK":"all"}'
rm single/t/all.json
for pid in $readers; do wait "$pid"; done
eq 'and all its readers get the line' "$(cat line1 line2 line3 | jq -r .eventName | tr '\n' ' ')" 'REMOVE REMOVE REMOVE '
streams m 0
cat m/.stream >/dev/null 2>&1 &
reader=$!
streams m 1
kill $reader
wait $reader
eq 'a waiting reader can be killed' $? 143
eq 'a signal interrupts a waiting reader' "$(perl -MTime::HiRes=ualarm -e '$SIG{ALRM} = sub {}; open F, "<", "m/.stream" or die; ualarm 50000, 50000;
	print defined sysread(F, $b, 10) ? "read" : $!')" 'Interrupted system call'

# ---- a reader that does not read delays no one, and gets a line about what it missed

exec 5<m/.stream
seq 600 | jq -c --arg v "$(head -c 20000 /dev/zero | tr '\0' x)" '{PK:"many",SK:"\(.)",v:$v}' | ctl put tab - >/dev/null
ctl delete tab many 1 >/dev/null
# Read up to the line that reports the loss, which is the last one for now.
perl -e 'until ($all =~ /LOST.*\n/) { sysread(STDIN, $all, 1 << 20, length $all) or last } print $all' <&5 >read
lines=$(grep -c INSERT read)
lost=$(tail -n 1 read)
eq 'a line reports the loss' "$(jq -r '.eventName,(.seq|length)' <<<"$lost" | tr '\n' ' ')" 'LOST 21 '
eq 'and the number of lost changes' "$((lines + $(jq .lost <<<"$lost")))" 601
eq 'lines are in order, up to the loss' "$(grep INSERT read | jq -r .Keys.SK | cmp - <(seq "$lines"))" ''
eq 'the number of buffered lines is bounded' "$((lines > 150 && lines < 300))" 1
ctl delete tab many 2 >/dev/null
eq 'the stream goes on after the loss' "$(next 5 | jq -c '[.eventName,.Keys.SK]')" '["REMOVE","2"]'
eq 'errors has the loss' "$(grep -c "m/.stream	EOVERFLOW	-	the reader is too slow: it has lost $(jq .lost <<<"$lost") changes" m/.itemfs/errors)" 1
exec 5<&-
streams m 0
for n in $(seq 64); do cat m/.stream >/dev/null 2>&1 & done
streams m 64
refused 'No space left on device' head -n 1 m/.stream
ok grep -q '64 .stream files are open already' m/.itemfs/errors
kill $(jobs -p) 2>/dev/null
wait

# ---- the end of the table is the end of the file; the end of the mount interrupts readers

ctl put sim '{"PK":9}' >/dev/null
ctl drop sim --yes >/dev/null
eq 'changes before the drop can be read' "$(cat <&7 | jq -c .Keys.PK | tr '\n' ' ')" '8 9 '
exec 7<&-
perl -e 'open F, "<", "m/.stream" or die; print "open\n"; $| = 1; print defined sysread(F, $b, 10) ? "read" : $!' >said &
reader=$!
wait_until 20 grep -q open said && wait_until 20 is_asleep $reader || fail 'the reader does not wait'
kill -TERM $(our_pids)
wait $reader
eq 'a reader at the unmount' "$(tail -n 1 said)" 'Interrupted system call'

done_testing
