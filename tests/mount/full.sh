#!/bin/bash
# A disk that becomes full: writes that add data are refused with the reason while existing items can still be read
# and deleted, and writes go on when there is space, without a restart (store/DESIGN.md, "Space on the disk"). LevelDB
# is on a small disk in memory, which needs root.
private=yes
. "$(dirname "$0")/lib.sh"

store --key PK,SK
if ! mount -t tmpfs -o size=16m,mode=700 itemfs-test "$S/db" 2>/dev/null; then
	echo "skipped: no file system can be mounted here"
	exit 77
fi
no_room='No space left on device: [0-9.]+ MB must be free on the disk of .*/store/db for this, and [0-9.]+ MB are: make room there, or delete items and run itemctl compact'
printf '{"v":"%s"}' "$(head -c 75000 /dev/urandom | base64 -w 0)" >text

# begin - a new table
begin()
{
	wait_until 10 nobody_left || fail 'the daemon is still there'
	rm -f "$S"/db/*
	find "$S" -mindepth 1 -maxdepth 1 ! -name db ! -name FORMAT -exec rm -r {} +
	store --key PK,SK
	mnt m -o table=tab
	mkdir m/p
	owner=$(our_pids)
}

is_filled()
{
	ctl describe tab | jq -e '.GlobalSecondaryIndexes[0].IndexStatus == "ACTIVE"' >/dev/null
}

# fill_inside - save items until one is refused; its number is $n
fill_inside()
{
	for n in $(seq 1000); do
		cp text "m/p/$n.json" 2>said || return
	done
}

# fill_outside - fill the disk with another file, to the last byte
fill_outside()
{
	cat /dev/zero >"$S/db/ballast" 2>/dev/null
}

# says_why COMMAND... - check that it fails and prints the whole sentence
says_why()
{
	checks=$((checks + 1))
	"$@" >said 2>&1 && fail "$* succeeds"
	grep -qE "${no_room/itemctl/itemctl -s $S}" said || fail "$* says: $(cat said)"
}

# put SK FILE - PutItem on the store's socket; prints the status, the response goes to "answer"
put()
{
	jq -c --arg sk "$1" '{TableName:"tab",Item:{PK:{S:"q"},SK:{S:$sk},v:{S:.v}}}' "$2" >request
	call PutItem
}

call()
{
	curl -s -o answer -w '%{http_code}' --unix-socket "$S/socket" -H "X-Amz-Target: DynamoDB_20120810.$1" \
		-H 'Content-Type: application/x-amz-json-1.0' --data-binary @request http://localhost/
}

# ---- filled by saves in the mount

begin
fill_inside
eq 'the writer gets the error' "$(grep -o 'No space left on device' said)" 'No space left on device'
eq 'after some space was used' "$((n > 20 && n < 150))" 1
settle m
gone "m/p/$n.json"
eq 'the rejected text is kept' "$(cmp text "$S"/rejected/*-"$n.json" 2>&1)" ''
eq 'the reason is in the log' "$(grep -cE "ENOSPC.*InternalServerError.*$no_room" m/.itemfs/errors)" 1
refused 'No space left on device' cp text m/p/more.json
refused 'No space left on device' mv m/p/1.json m/p/more.json
says_why ctl put tab '{"PK":"p","SK":"x"}'
says_why ctl update tab p 1 'SET x = 1'
echo '{"PK":"p","SK":"x"}' | says_why ctl import tab
eq 'existing items can be read' "$(ls m/p | wc -l) $(jq -r .SK m/p/1.json)" "$((n - 1)) 1"
eq 'and exported' "$(ctl -q export tab | wc -l)" $((n - 1))
ctl alter tab --add-gsi 'later=SK/KEYS_ONLY' 2>/dev/null &
filler=$!
wait_until 10 grep -q 'filling an index waits for room' "$S/log" || fail 'the log does not say that an index waits'
kill "$filler"

for k in $(seq 1 $((n / 2))); do
	ok rm "m/p/$k.json"
done
ok ctl -q delete tab p $((n / 2 + 1))
refused 'No space left on device' cp text m/p/more.json # a delete frees no space before a compaction
ok ctl compact
ok cp text m/p/more.json
eq 'the same process serves' "$(our_pids)" "$owner"
wait_until 10 is_filled || fail 'the index is not filled'
eq 'the log says once that it waited' "$(grep -c 'filling an index waits' "$S/log")" 1
left=$(ls m/p | wc -l)
for n in $(seq 1001 2000); do
	cp text "m/p/$n.json" 2>said || break
done
kill -KILL "$owner"
wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
umount m
eq 'after kill -9 on a full disk all items are there' "$(ctl query tab p --count)" $((left + n - 1001))
ok ctl check

# ---- filled over HTTP

if here curl; then
	begin
	for n in $(seq 1000); do
		status=$(put "$n" text)
		[ "$status" = 200 ] || break
	done
	eq 'the fault is the server'\''s' "$status $(jq -r .__type answer)" '500 com.amazonaws.dynamodb.v20120810#InternalServerError'
	eq 'the response has the reason' "$(jq -r .message answer | grep -cE "$no_room")" 1
	echo '{"TableName":"tab","Key":{"PK":{"S":"q"},"SK":{"S":"1"}}}' >request
	eq 'a delete works' "$(call DeleteItem)" 200
	kill -KILL "$owner"
	wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
	umount m
	eq 'all acknowledged puts are there' "$(ctl query tab q --count)" "$((n - 2))"
	ok ctl check
fi

# ---- filled by another program

begin
for n in 1 2 3; do
	ok cp text "m/p/$n.json"
done
fill_outside
ok sync m/p/1.json # space was reserved when it was written
refused 'No space left on device' cp text m/p/4.json
refused 'No space left on device' rm m/p/1.json # a delete is written, too
says_why ctl put tab '{"PK":"p","SK":"x"}'
says_why ctl compact
eq 'it does not claim to have compacted' "$(grep -c compacted said)" 0
eq 'reading goes on' "$(ls m/p | wc -l) $(jq -r .SK m/p/1.json)" '3 1'
rm "$S/db/ballast"
ok cp text m/p/5.json
ok rm m/p/1.json
ok ctl compact
eq 'writes go on without a restart' "$(our_pids)" "$owner"
unmnt m
wait_until 10 nobody_left || fail 'the daemon is still there'
ok ctl check
eq 'no item is lost' "$(ctl query tab p --count)" 3

done_testing
