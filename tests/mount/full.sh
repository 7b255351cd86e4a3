#!/bin/bash
# A full disk: who meets it is told so, the rest can be read, and nothing is lost
# (store/DESIGN.md, "Durability").  LevelDB is on a small disk in memory, which needs root.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
if ! mount -t tmpfs -o size=8m,mode=700 itemfs-test "$S/db" 2>/dev/null; then
	echo "skipped: no file system can be mounted here"
	exit 77
fi

# A new table on a disk that is half full of something else.
begin()
{
	rm -f "$S"/db/*
	find "$S" -mindepth 1 -maxdepth 1 ! -name db ! -name FORMAT -exec rm -r {} +
	store --key PK,SK
	head -c 4m /dev/zero >"$S/db/ballast"
}

# The daemon ends, and there is room again.
make_room()
{
	unmnt m
	wait_until 10 nobody_left || fail 'the daemon is still there'
	rm "$S/db/ballast"
}

begin

# ---- by the mount

mnt m -o table=tab
mkdir m/p
printf '{"v":"%s"}' "$(head -c 75000 /dev/urandom | base64 -w 0)" >text
for n in $(seq 100); do
	cp text "m/p/$n.json" 2>said || break
done
eq 'the writer is told' "$(grep -o 'No space left on device' said)" 'No space left on device'
eq 'and after some room was used' "$((n > 5 && n < 100))" 1
settle m
gone "m/p/$n.json"
eq 'the text is kept' "$(cmp text "$S"/rejected/*-"$n.json" 2>&1)" ''
refused 'Read-only file system' cp text m/p/more.json
refused 'Read-only file system' rm m/p/1.json
refused 'Read-only file system' mv m/p/1.json m/p/more.json
refused 'Read-only file system' sync m/p
eq 'everything before it is there' "$(ls m/p | wc -l) $(jq -r .SK m/p/1.json)" "$((n - 1)) 1"
eq 'the reason is in the log' "$(grep -c 'ENOSPC.*InternalServerError.*No space left on device' m/.itemfs/errors)" 1
refused 'InternalServerError: The store is read-only: IO error' ctl put tab '{"PK":"p","SK":"x"}'
make_room
ok ctl check
mnt m -o table=tab
eq 'after a new start all is there' "$(ls m/p | wc -l)" "$((n - 1))"
ok cp text m/p/more.json
unmnt m
wait_until 10 nobody_left

# ---- over HTTP

# put SK FILE - by PutItem on the store's socket; prints the status, the answer goes to "answer"
put()
{
	jq -c --arg sk "$1" '{TableName:"tab",Item:{PK:{S:"q"},SK:{S:$sk},v:{S:.v}}}' "$2" >request
	curl -s -o answer -w '%{http_code}' --unix-socket "$S/socket" -H 'X-Amz-Target: DynamoDB_20120810.PutItem' \
		-H 'Content-Type: application/x-amz-json-1.0' --data-binary @request http://localhost/
}

if command -v curl >/dev/null; then
	begin
	mnt m -o table=tab
	for n in $(seq 100); do
		status=$(put "$n" text)
		[ "$status" = 200 ] || break
	done
	eq 'the fault is the server'\''s' "$status $(jq -r .__type answer)" '500 com.amazonaws.dynamodb.v20120810#InternalServerError'
	eq 'which tells it' "$(jq -r .message answer | grep -o 'No space left on device')" 'No space left on device'
	status=$(put again text)
	eq 'and stays so' "$status $(jq -r .__type answer)" '500 com.amazonaws.dynamodb.v20120810#InternalServerError'
	eq 'read-only' "$(jq -r .message answer | cut -d: -f1)" 'The store is read-only'
	make_room
	ok ctl check
	eq 'what was acknowledged is there' "$(ctl query tab q --count)" "$((n - 1))"
fi

done_testing
