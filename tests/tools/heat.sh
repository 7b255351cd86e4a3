#!/bin/bash
# shards heat: the usage of partition keys, which are hot, and advice. BEHAVIOUR 5.6, 5.8, 5.9
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByG=G --gsi ByTwo=Kind+N:N --lsi Local=L || exit 1

sums()
{
	jq -c '[.Key, .ReadUnits, .WriteUnits]' | sort
}

# write KEY FROM TO [ATTRIBUTES] - put items of 400 write units each under that key, all in one second
write()
{
	jq -nc --arg key "$1" --argjson from "$2" --argjson to "$3" --argjson more "${4-null}" '{RequestItems: {hot:
		[range($from; $to) | {PutRequest: {Item: ({PK: {S: $key}, SK: {S: "\(.)"}, v: {S: ("x" * 409000)}} + $more)}}]}}' |
		ctl call BatchWriteItem - >got || fail "$(head -c 1000 got)"
}

# read_items KEY TO - read these items in one second, for 100 read units each
read_items()
{
	jq -nc --arg key "$1" --argjson to "$2" '{RequestItems: {hot: {ConsistentRead: true, ProjectionExpression: "SK",
		Keys: [range($to) | {PK: {S: $key}, SK: {S: "\(.)"}}]}}}' |
		ctl call BatchGetItem - >got || fail "$(head -c 1000 got)"
}

# ---- only the process that has the store open has key usage
if [ -z "${SERVED-}" ]; then
	ok ctl shards heat tab
	eq 'no usage of a store that no process has open' "$out" ''
	eq 'and a note says why' "$err" 'key usage is recorded only while a mount or a server has the store open'
	begin_server
fi
ok ctl shards heat tab
eq 'no usage yet' "$out" ''
case $err in
'no key was read or written in the last '*' seconds') ;;
*) fail "it says: $err" ;;
esac

# ---- requests of all processes are counted
ctl -q put tab '{"PK":"a","SK":1,"G":"g","L":"x"}' '{"PK":"b","SK":2,"Kind":"k","N":7}'
ctl get tab a 1 >got || fail 'no item'
ctl -q query tab a >got || fail 'no query'
ctl get tab a 9 --consistent >got 2>&1
ctl -q scan tab >got || fail 'no scan'
ok ctl shards heat tab
eq 'sums of reads and writes; a scan has no key' "$(printf '%s\n' "$out" | sums)" '["a",2,2]
["b",0,1]'
eq 'the number of keys and the period' "$(printf '%s\n' "$err" | sed 's/in [0-9]* seconds/in N seconds/')" \
	'2 of 2 keys; usage in N seconds'
eq 'key usage of an index' "$(ctl -q shards heat tab --index ByG | sums)" '["g",0,1]'
eq 'key usage of an index with two key attributes' "$(ctl -q shards heat tab --index ByTwo | sums)" '[{"Kind":"k","N":7},0,1]'
eq 'the columns of CSV' "$(ctl -q shards heat tab --format csv | head -1)" 'Key,Percent:N,ReadPeak:N,WritePeak:N,ReadMean:N,WriteMean:N,ReadUnits:N,WriteUnits:N'
eq 'an array' "$(ctl -q shards heat tab --format json | jq length)" 2
eq 'typed' "$(ctl -q shards heat tab --format typed | jq -c .Key | sort | head -1)" '{"S":"a"}'
eq 'a limit' "$(ctl shards heat tab --limit 1 2>&1 >got | sed -n 's/ keys; .*//p')" '1 of 2'
eq 'and its rows' "$(wc -l <got)" 1
eq 'a longer period' "$(ctl -q shards heat tab --since 1h | wc -l)" 2

# ---- hot keys
ctl -q create-table hot --key PK,SK --gsi ByG=G || exit 1
write cool 0 2
write 'ORDER#1' 0 5 '{"G":{"S":"OPEN"}}'
ok ctl shards heat hot
eq 'the hottest key comes first, with advice' "$(printf '%s\n' "$out" | jq -c '[.Key, .Percent, .WritePeak, .Shards, .Remedy]')" \
	'["ORDER#1",200,2000,3,"write sharding"]
["cool",80,800,null,null]'
eq 'a key of an index' "$(ctl -q shards heat hot --index ByG | jq -c '[.Key, .Percent, .Shards, .Remedy]')" \
	'["OPEN",200,3,"write sharding"]'
eq 'as a table' "$(ctl -q shards heat hot --format table | awk '{ print $2, $8, $9, $10 }')" 'Heat Shards Remedy 
####################> 3 write sharding
################   '
write cool 2 15
write cool 15 30
read_items cool 30
eq 'reads and writes' "$(ctl -q shards heat hot | jq -c 'select(.Key == "cool") | [.ReadPeak, .Shards > 5, .Remedy]')" \
	'[3000,true,"write sharding; caching or sharded reads"]'

# ---- keys that need care on a terminal
ctl -q create-table odd --key PK --gsi ByB=B:B || exit 1
ctl -q put odd '{"PK":"a\u001b[2J\nb"}' || fail 'not stored'
ctl call PutItem '{"TableName":"odd","Item":{"PK":{"S":"c"},"B":{"B":"AAD/"}}}' >got
ok ctl shards heat odd
eq 'the key in JSON' "$(printf '%s\n' "$out" | jq -c .Key | head -1)" '"a\u001b[2J\nb"'
ctl shards heat odd --format table >shown 2>&1
eq 'no control characters in a table' "$(tr -d '[:print:]\n' <shown | wc -c)" 0
ok ctl shards heat odd --index ByB
eq 'a binary key' "$(printf '%s\n' "$out" | jq -c .Key)" '{"B":"AAD/"}'

# ---- requests that are refused
gives 2 '--since 2h: key usage is kept for 1h' ctl shards heat tab --since 2h
gives 2 '--since 61m' ctl shards heat tab --since 61m
for since in 10 0s '' m -5m 1d 1.5h 99999999999m '10m '; do
	gives 2 '--since must be a duration such as 90s, 10m or 1h' ctl shards heat tab "--since=$since"
done
gives 2 '--limit must be 1 or more' ctl shards heat tab --limit 0
gives 2 'syntax: shards heat TABLE' ctl shards heat
gives 2 'syntax: shards heat TABLE' ctl shards heat tab a
gives 3 'ResourceNotFoundException' ctl shards heat none
gives 3 'The table does not have the specified index: None' ctl shards heat tab --index None
gives 2 'Local is a local index: it has the partitions of the table' ctl shards heat tab --index Local

# ---- an endpoint does not have key usage
"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >served 2>&1 &
server_too=$!
endpoint=http://$(address served)
"$ITEMCTL" -q -s "$endpoint" create-table tab --key PK || fail 'no table'
gives 2 'CloudWatch Contributor Insights: aws dynamodb update-contributor-insights' "$ITEMCTL" -s "$endpoint" shards heat tab
kill "$server_too"
wait "$server_too"

# ---- the next process begins without usage
begin_server
ok ctl shards heat tab --since 1h
eq 'usage ends with the process' "$out" ''
eq 'the store is valid' "$(ctl -q check)" ''
done_testing
