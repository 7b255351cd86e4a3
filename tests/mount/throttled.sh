#!/bin/bash
# A table whose throughput is used up: reads and writes wait, and fail when that takes too long; a text is never
# truncated silently.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=600000 # longer than this test

store --key PK,SK
jq -nc '{v: ("x" * 1000)} as $v | range(4000) | {PK: "p", SK: "\(1000 + .)"} + $v' | ctl import tab - 2>/dev/null
for p in moved removed; do
	ctl put tab "{\"PK\":\"$p\",\"SK\":\"1\"}" # each in its own directory, which the kernel locks meanwhile
done
ctl -q create-table other --key PK,SK
ctl put other '{"PK":"p","SK":"1"}'
ctl call UpdateTable '{"TableName":"tab","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}' >/dev/null
mnt m
cat m/tab/p/.jsonl >whole
eq 'all items are read before the limit' "$(wc -l <whole)" 4000

# Python takes EAGAIN for the end of the file.
reads=(python3 -c 'import sys; sys.stdout.buffer.write(open(sys.argv[1], "rb").read())')
item='{"PK":{"S":"q"},"SK":{"S":"1"},"v":{"S":"'$(head -c 300000 /dev/zero | tr '\0' x)'"}}'
echo '{"TableName":"tab","Item":'"$item"'}' >put.json
# The capacity that is used up does not come back for minutes.
writes_up()
{
	! ctl call PutItem put.json >/dev/null 2>&1
}
reads_up()
{
	! ctl call Query '{"TableName":"tab","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"p"}},"ConsistentRead":true}' \
		>/dev/null 2>&1
}
# waiting N - test if N requests wait
waiting()
{
	stat_is m requests_waiting "$1"
}

# ---- requests wait

mkdir m/tab/q
ctl alter tab --throttle on >/dev/null
ok wait_until 20 writes_up
"${reads[@]}" m/tab/p/.jsonl >read 2>read.err &
reader=$!
ok wait_until 20 reads_up
python3 -c '
import os
fd = os.open("m/tab/q/new.json", os.O_WRONLY | os.O_CREAT)
os.write(fd, b"{\"v\":1}")
os.close(fd)' 2>write.err &
writer=$!
cat m/tab/p/1000.json >item 2>item.err &
one=$!
rm m/tab/removed/1.json 2>rm.err &
remover=$!
mv m/tab/moved/1.json m/tab/moved/2.json 2>mv.err &
mover=$!
ls m/tab/p/.ge/4990 >names 2>names.err &
lister=$!
ok wait_until 20 waiting 5
eq 'another table is served meanwhile' "$(jq -c . m/other/p/1.json; echo '{"v":3}' >m/other/p/2.json; mv m/other/p/2.json m/other/p/3.json; ls m/other/p)" \
	'{"PK":"p","SK":"1"}
1.json
3.json'
ok waiting 5
ctl alter tab --throttle off >/dev/null
wait $reader
eq 'a waiting read gets the whole text' "$? $(cat read.err)" '0 '
eq 'which has each item once' "$(jq -r .SK read | sort -u | wc -l) $(wc -l <read)" '4000 4000'
wait $writer
eq 'a waiting write is stored' "$? $(jq .v m/tab/q/new.json) $(cat write.err)" '0 1 '
wait $one
eq 'a waiting read of an item succeeds' "$? $(jq -r .SK item) $(cat item.err)" '0 1000 '
wait $remover
eq 'a waiting removal succeeds' "$? $(cat rm.err) $(ctl query tab removed --count)" '0  0'
wait $mover
eq 'a waiting rename succeeds' "$? $(cat mv.err) $(ls m/tab/moved)" '0  2.json'
wait $lister
eq 'a waiting listing succeeds' "$? $(cat names.err) $(head -n 1 names)" '0  4990.json'
ok wait_until 20 waiting 0

# ---- new capacity is used: a rate low enough for a slow machine to use it up

ctl call UpdateTable '{"TableName":"tab","ProvisionedThroughput":{"ReadCapacityUnits":1000,"WriteCapacityUnits":20}}' >/dev/null
ctl alter tab --throttle on >/dev/null
ok wait_until 20 writes_up
ok bash -c 'echo "{\"v\":2}" >m/tab/q/again.json'
eq 'a write succeeds a second later' "$(jq .v m/tab/q/again.json)" 2
ctl alter tab --throttle off >/dev/null
ctl call UpdateTable '{"TableName":"tab","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}' >/dev/null

# ---- waiting processes can be killed

ctl alter tab --throttle on >/dev/null
ok wait_until 20 writes_up
"${reads[@]}" m/tab/p/.jsonl >read 2>read.err &
reader=$!
ok wait_until 20 reads_up
mv m/tab/moved/2.json m/tab/moved/3.json &
mover=$!
ok wait_until 20 waiting 1
kill $reader $mover
wait $reader 2>/dev/null
eq 'a waiting reader is killed' $? 143
wait $mover 2>/dev/null
eq 'a waiting writer is killed' $? 143
# waits_in_read PID NAME - test if it has a file of that name open and sleeps; cat writes nothing here, so it sleeps in a READ
waits_in_read()
{
	holds "$1" "$2" && is_asleep "$1"
}
for signal in INT KILL; do
	env --default-signal=INT cat m/tab/p/.jsonl >/dev/null & # a shell ignores SIGINT in the background
	reader=$!
	wait_until 20 waits_in_read $reader .jsonl || fail 'the reader does not wait'
	kill -$signal $reader
	wait $reader 2>/dev/null
	eq "SIG$signal ends a waiting reader" $? $((128 + $(kill -l $signal)))
done

# ---- the end of the mount does not wait, either; what could not be written is kept

python3 -c '
import os
fd = os.open("m/tab/q/late.json", os.O_WRONLY | os.O_CREAT)
os.write(fd, b"{\"v\":2}")
open("written", "w").close()
os.close(fd)' 2>write.err &
writer=$!
ok wait_until 20 test -e written
ok wait_until 20 waiting 1
kill -TERM $(our_pids)
wait $writer
eq 'the writer gets an error' $? 1
ok wait_until 20 nobody_left
eq 'its text is kept' "$(cat store/rejected/*late.json)" '{"v":2}'

# ---- when the wait ends there is an error

export ITEMFS_TIMING=backoff=50
mnt m
"${reads[@]}" m/tab/p/.jsonl >read 2>read.err
eq 'the reader gets an error, not the end of the file' "$? $(tail -n 1 read.err)" "1 OSError: [Errno 16] Device or resource busy"
refused 'Device or resource busy' cat m/tab/p/.jsonl
ok grep -q 'm/tab/p/.jsonl.*EBUSY.*ProvisionedThroughputExceededException' m/.itemfs/errors
refused 'Device or resource busy' mv m/tab/moved/2.json m/tab/moved/3.json
ctl alter tab --throttle off >/dev/null
eq 'a read succeeds when there is capacity again' "$(cat m/tab/p/.jsonl | wc -l)" "$(ctl query tab p --count)"
done_testing
