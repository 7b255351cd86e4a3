#!/bin/bash
# The mount of an endpoint without transactions and streams, such as dynalite: mv copies, and the reason for what is
# missing is reported.
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
begin_made_up lacks "${S#http://}" TransactWriteItems TransactGetItems DescribeStream GetShardIterator GetRecords ListStreams
behind=$S
S=http://$made_up
mnt m -o table=tab

ok mv m/p/a.json m/p/b.json
eq 'mv has copied' "$(ls m/p):$(cat m/p/b.json)" 'b.json:{"PK":"p","SK":"b","v":1}'
ok mv m/p m/q
eq 'mv has copied a partition, too' "$(ls m):$(cat m/q/b.json)" 'q:{"PK":"q","SK":"b","v":1}'
refused 'Invalid cross-device link' perl -e 'rename("m/q/b.json", "m/q/c.json") or die "$!\n"'
eq 'nothing is lost' "$(ls m/q)" b.json
case $("$ITEMCTL" why m/q/b.json 2>&1; "$ITEMCTL" why m/q/c.json 2>&1; cat m/.itemfs/errors) in
*'this server has no transactions: mv copies and deletes'*) ;;
*) fail 'errors does not have the reason' ;;
esac
printf '{"v":2}' >m/q/.new
ok mv m/q/.new m/q/b.json
eq 'a scratch file becomes an item in one write' "$(cat m/q/b.json)" '{"PK":"q","SK":"b","v":2}'

# ---- a stream that is described but cannot be read
S=$behind
ctl alter tab --stream NEW_IMAGE >/dev/null
S=http://$made_up
unmnt m
mnt m -o table=tab
for file in .stream .stream.jsonl; do
	refused "Operation not supported" timeout 300 cat m/$file
	tail -n 1 m/.itemfs/errors | grep -q "/$file	.*DescribeStream" || fail "$file: $(tail -n 1 m/.itemfs/errors)"
	checks=$((checks + 1))
done
unmnt m
end_made_up
done_testing
