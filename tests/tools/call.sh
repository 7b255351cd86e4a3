#!/bin/bash
# call: each operation with its JSON request; PartiQL; unknown operations.
. "$(dirname "$0")/lib.sh"
begin

ok "$ITEMCTL" call
eq 'the operations are listed without a store' "$(printf '%s\n' "$out" | grep -cxE 'PutItem|ExecuteStatement|GetRecords')" 3
eq 'without internal ones' "$(printf '%s\n' "$out" | grep -cxE 'LoadItems|Check|Sync')" 0
ok ctl call CreateTable '{"TableName":"music","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"Artist","KeyType":"HASH"},{"AttributeName":"Year","KeyType":"RANGE"}],
	"AttributeDefinitions":[{"AttributeName":"Artist","AttributeType":"S"},{"AttributeName":"Year","AttributeType":"N"}],
	"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}'
case $out in '{"TableDescription":{'*'"TableStatus":'*'}}') ;; *) fail "$out" ;; esac
eq 'a response without members' "$(ctl call PutItem '{"TableName":"music","Item":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}}')" '{}'
eq 'the request from standard input' \
	"$(echo '{"TableName":"music","Key":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}}' | ctl call GetItem -)" \
	'{"Item":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}}'
eq 'indented' "$(ctl --format json call ListTables)" $'{\n  "TableNames": [\n    "music"\n  ]\n}'
eq 'rows of items' "$(ctl --format csv call Scan '{"TableName":"music","Select":"ALL_ATTRIBUTES"}')" $'Artist,Year:N\nAcme,1999'
eq 'no items give no rows' "$(ctl --format table call PutItem '{"TableName":"music","Item":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}}' 2>&1)" ''
gives 2 'PutItem has no pages: leave out --all-pages' \
	ctl call PutItem '{"TableName":"music","Item":{"Artist":{"S":"Nobody"},"Year":{"N":"1"}}}' --all-pages
eq 'a refused request writes nothing' "$(ctl call GetItem '{"TableName":"music","Key":{"Artist":{"S":"Nobody"},"Year":{"N":"1"}}}')" '{}'
eq 'a request may be left out' "$(ctl call ListTables)" '{"TableNames":["music"]}'

# ---- PartiQL
sql()
{
	ctl call ExecuteStatement "{\"Statement\":\"$1\"${2:+,\"Parameters\":$2}}"
}
eq 'INSERT' "$(sql "INSERT INTO music VALUE {'Artist':'Acme','Year':2001,'Song':'Red'}")" '{"Items":[]}'
eq 'SELECT' "$(sql 'SELECT Song FROM music WHERE Artist = ? AND \"Year\" > 2000' '[{"S":"Acme"}]')" '{"Items":[{"Song":{"S":"Red"}}]}'
eq 'UPDATE' "$(sql "UPDATE music SET Song = 'Blue' WHERE Artist = 'Acme' AND \\\"Year\\\" = 2001 RETURNING MODIFIED NEW *")" \
	'{"Items":[{"Song":{"S":"Blue"}}]}'
gives 4 'DuplicateItemException: ' sql "INSERT INTO music VALUE {'Artist':'Acme','Year':2001}"
gives 2 'ValidationException: ' sql 'SELEKT'
eq 'a batch' "$(ctl call BatchExecuteStatement '{"Statements":[{"Statement":"SELECT Song FROM music WHERE Artist = '"'Acme'"' AND \"Year\" = 2001"}]}')" \
	'{"Responses":[{"TableName":"music","Item":{"Song":{"S":"Blue"}}}]}'

# ---- failures
gives 4 'TransactionCanceledException: ' ctl call TransactWriteItems '{"TransactItems":[
	{"Delete":{"TableName":"music","Key":{"Artist":{"S":"none"},"Year":{"N":"1"}}}},
	{"Delete":{"TableName":"music","Key":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}},
	"ConditionExpression":"attribute_exists(Song)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]}'
eq 'the reasons of each action' "$(printf '%s\n' "$err" | tail -2)" \
	$'1: None\n2: ConditionalCheckFailed: The conditional request failed {"Artist":{"S":"Acme"},"Year":{"N":"1999"}}'
gives 4 'ConditionalCheckFailedException: The conditional request failed' ctl call DeleteItem '{"TableName":"music",
	"Key":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}},
	"ConditionExpression":"attribute_exists(Song)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}'
eq 'the existing item is printed' "$(printf '%s\n' "$err" | tail -1)" '{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}'
gives 3 'ResourceNotFoundException' ctl call Scan '{"TableName":"none"}'
gives 2 'SerializationException' ctl call Scan '{"TableName":'
gives 2 'SerializationException' ctl call Scan '{"TableName":1}'
gives 2 'itemctl: there is no operation "Frob"; itemctl call lists them' ctl call Frob
gives 2 'there is no operation "LoadItems"' ctl call LoadItems
gives 2 "there is no operation \"DescribTable\": did you mean: itemctl -s $S call DescribeTable '{}'" ctl call DescribTable '{}'
for name in ListTables list-tables list_tables listtables; do
	eq "$name" "$(ctl call $name)" "$(ctl call ListTables '{}')"
done
echo '{"Limit":1}' >request.json
for word in request.json @request.json "file://$PWD/request.json" "$PWD/request.json"; do
	eq "a request in a file: $word" "$(ctl call ListTables "$word")" "$(ctl call ListTables '{"Limit":1}')"
done
gives 2 'itemctl: none.json: No such file or directory' ctl call ListTables none.json
gives 2 'too many words' ctl call Scan '{}' '{}'
gives 2 'no store' env -C / "$ITEMCTL" call ListTables
gives 2 'there is no store' "$ITEMCTL" -s "$W/none" call ListTables

# ---- a request redirected by the shell
printf '{"TableName":"music","Key":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}}' >get.json
same=$(ctl call GetItem get.json)
eq 'a request from a file' "$(ctl call get-item <get.json)" "$same"
eq 'a request from a pipe' "$(cat get.json | ctl call get-item)" "$same"
eq 'a request of an operation that needs none' "$(ctl call ListTables <request.json)" "$(ctl call ListTables '{"Limit":1}')"
gives 2 "'tableName'" ctl call GetItem </dev/null
gives 2 'SerializationException' ctl call GetItem <<<'{"TableName":'
eq 'an empty request' "$(ctl call ListTables </dev/null)" "$(ctl call ListTables '{}')"
mkfifo never
exec 7<>never
eq 'a pipe that stays open is not read' "$(ctl call ListTables <&7)" "$(ctl call ListTables '{}')"
exec 7<&-
eq 'the input of a loop is not read' "$(printf '1\n2\n' >two; while read -r _; do ctl call ListTables; done <two | wc -l)" 2
gives 2 "there is no file music; the request is JSON: itemctl call DescribeTable '{\"TableName\":\"music\"}'" ctl call describe-table music
gives 2 'itemctl: music: No such file or directory' ctl call batch-get-item music

# ---- streams, and consumed capacity
ok ctl call ListStreams
arn=$(printf '%s\n' "$out" | grep -o '"StreamArn":"[^"]*"')
shard=$(ctl call DescribeStream "{$arn}" | grep -o '"ShardId":"[^"]*"')
iterator=$(ctl call GetShardIterator "{$arn,$shard,\"ShardIteratorType\":\"TRIM_HORIZON\"}" | sed 's/"NextShardIterator"/"ShardIterator"/')
eq 'records of a stream' "$(ctl call GetRecords "$iterator" | grep -o '"eventName":"[A-Z]*"' | tr '\n' ' ')" \
	'"eventName":"INSERT" "eventName":"INSERT" "eventName":"MODIFY" '
ok ctl --capacity call GetItem '{"TableName":"music","Key":{"Artist":{"S":"Acme"},"Year":{"N":"1999"}}}'
case $err in *music*) ;; *) fail "capacity: $err" ;; esac
# ---- members that would be lost: of two with one name the service takes one, and it ignores unknown ones
gives 2 'duplicate name "Limit"' ctl call ListTables '{"Limit":1,"Limit":2}'
gives 2 'duplicate name "PK"' ctl call PutItem '{"TableName":"tab","Item":{"PK":{"S":"a"},"PK":{"S":"b"},"SK":{"S":"1"}}}'
gives 0 'itemctl knows no member of ListTables called Limitt: did you mean Limit?' ctl call ListTables '{"Limitt":1}'
gives 2 'knows no member of TransactWriteItems called TransactItems[1].Putt: did you mean Put?' \
	ctl call TransactWriteItems '{"TransactItems":[{"Put":{"TableName":"tab","Item":{}}},{"Putt":{}}]}'
gives 3 'knows no member of BatchWriteItem called RequestItems.tab[0].PutRequest.more' \
	ctl call BatchWriteItem '{"RequestItems":{"tab":[{"PutRequest":{"Item":{},"more":1}}]}}'
n=0
for request in "$SOURCE"/tests/vectors/wire/*.request.json; do
	name=${request##*/}
	ctl call "${name%.request.json}" "$request" >said 2>&1
	eq "$name: its members are known" "$(grep 'knows no member' said)" ''
	n=$((n + 1))
done
eq 'enough requests were tried' "$((n > 40))" 1
done_testing
