#!/bin/bash
# transact: all or nothing, reasons by line, dry runs, tokens, reads.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table orders --key PK,SK --gsi GSI1=Status,Total:N
ctl -q create-table stock --key id:N
ctl put stock '{"id":1,"left":5}' '{"id":2,"left":0}'
ctl put orders '{"PK":"C#1","SK":"profile","Credit":1000}'

cat >order.txt <<'END'
# customer 1 buys product 1
check orders C#1 profile if Credit >= 500
put orders '{"PK":"C#1", "SK":"O#1", "Status":"OPEN", "Total":20}'
    if attribute_not_exists(PK)
put stock {"id": 1,
           "left": 4}
    # one less
    if left = 5
END
ok ctl transact order.txt --dry-run
eq 'a dry run writes nothing' "$(ctl query orders C#1 --count) $(ctl get stock 1 --project left)" '1 {"left":5}'
eq 'and reports it' "$(sed 1q <<<"$err")" '(dry run) transaction of 3 actions: would be done'
ok ctl transact order.txt
eq 'the transaction is done' "$err" 'transaction of 3 actions: done'
eq 'all actions are done' "$(ctl query orders C#1 --count) $(ctl get stock 1 --project left)" '2 {"left":4}'

gives 4 'TransactionCanceledException: ' ctl transact order.txt
eq 'a line for each action' "$(printf '%s\n' "$err" | tail -3)" 'line 2: None
line 3: ConditionalCheckFailed: The conditional request failed
line 5: ConditionalCheckFailed: The conditional request failed'
gives 4 '' ctl transact order.txt --return old
eq 'with the existing item' "$(printf '%s\n' "$err" | tail -1)" \
	'line 5: ConditionalCheckFailed: The conditional request failed {"id":1,"left":4}'
gives 4 'line 3: ConditionalCheckFailed' ctl transact order.txt --dry-run

printf 'delete orders C#1 O#1\ndelete stock 2 if left > 0\n' | gives 4 'line 2: ConditionalCheckFailed' ctl transact
eq 'no action is done' "$(ctl query orders C#1 --count)" 2
printf 'delete orders C#1 O#1 if Total = :t\nput stock {"id":2,"left":1}\n' |
	ok ctl transact --values '{":t":20}' --token once
eq 'placeholders' "$(ctl query orders C#1 --count)" 1
ctl put orders '{"PK":"C#1","SK":"O#1","Total":20}'
printf 'delete orders C#1 O#1 if Total = :t\nput stock {"id":2,"left":1}\n' |
	ok ctl transact --values '{":t":20}' --token once
eq 'the same token: not done again' "$(ctl query orders C#1 --count)" 2
printf 'delete orders C#1 O#1\n' | gives 2 'IdempotentParameterMismatchException' ctl transact --token once

printf 'delete stock 7\nput orders {"PK":"C#1","SK":"7"}\n\ndelete stock 7.0\n' |
	gives 2 'line 4: Transaction request cannot include multiple operations on one item: it is that of line 1' ctl transact
printf 'get stock 1\nget stock 1\n' | gives 2 'line 2: Transaction request cannot' ctl transact
printf 'put stock {"id":7} # seven\n' | gives 2 'line 1: unexpected "#": put a comment on its own line' ctl transact

printf 'put stock {"id":77}\n' | gives 2 "Value '' at 'clientRequestToken'" ctl transact --token ''
gives 1 'not found' ctl get stock 77

# ---- updates
cat >sell.txt <<'END'
update stock 1 'SET left = left - 1, Status = "SOLD"'
    if left >= 1
update orders C#1 O#1 'ADD Total :more' if attribute_exists(PK)
update orders C#1 O#9 'SET Total = 1'
END
ok ctl transact sell.txt --dry-run --values '{":more":5}'
eq 'a dry run with updates' "$(sed 1q <<<"$err")$(ctl get stock 1)" '(dry run) transaction of 3 actions: would be done{"id":1,"left":4}'
ok ctl transact sell.txt --values '{":more":5}'
eq 'updates are done' "$(ctl get stock 1)$(ctl get orders C#1 O#1 --project Total)$(ctl get orders C#1 O#9)" \
	'{"id":1,"left":3,"Status":"SOLD"}{"Total":25}{"PK":"C#1","SK":"O#9","Total":1}'
printf 'delete stock 2\nupdate stock 1 "SET Status = Status + 1"\n' | gives 4 'line 2: ValidationError: An operand' ctl transact --dry-run
printf 'put stock {"id":9}\nupdate stock 1 "SET a = 1" if left > 5\n' | gives 4 'line 2: ConditionalCheckFailed' ctl transact --dry-run --return old
eq 'the item whose condition failed' "$(printf '%s\n' "$err" | head -1 | sed 's/.*\[/[/')$(printf '%s\n' "$err" | tail -1 | sed 's/.* {/{/')" \
	'[None, ConditionalCheckFailed]{"id":1,"left":3,"Status":"SOLD"}'
for i in $(seq 1 100); do echo "put stock {\"id\":$((100 + i))} if attribute_not_exists(id)"; done >hundred.txt
ok ctl transact hundred.txt --dry-run
eq 'the maximum number of actions' "$(sed 1q <<<"$err")" '(dry run) transaction of 100 actions: would be done'
ctl put stock '{"id":200}'
gives 4 'line 100: ConditionalCheckFailed' ctl transact hundred.txt --dry-run
gives 4 'line 100: ConditionalCheckFailed' ctl transact hundred.txt
ctl delete stock 200
ok ctl transact hundred.txt
seq 101 200 | sed 's/.*/{"id":&}/' | ctl -q delete stock -
ctl delete orders C#1 O#9

# ---- reads
printf 'get orders C#1 profile project Credit\nget stock 1 project left\n' | ok ctl transact
eq 'items in the order of the actions' "$out" $'{"Credit":1000}\n{"left":3}'
printf 'get stock 9\nget stock 1 project left\n' | gives 1 'line 1: not found' ctl transact
eq 'null for a missing item' "$out" $'null\n{"left":3}'
printf 'get stock 9\nget stock 1 project left\n' | gives 1 '' ctl transact --format json
eq 'also as an array' "$(printf %s "$out" | jq -c .)" '[null,{"left":3}]'

# ---- --capacity
printf 'get stock 9\nget stock 1\n' | gives 1 '4.0 read units of stock: table 4.0' ctl --capacity transact
printf "delete stock 9\ncheck orders C#1 profile if Credit > 0\n" | ok ctl -q --capacity transact
eq 'the units of each table' "$err" $'2.0 write units of stock: table 2.0\n2.0 write units of orders: table 2.0'

# ---- mistakes are reported with their line
printf 'delete stock 1\nupdate stock 3 "SET a == 1"\n' | gives 2 'line 2: Invalid UpdateExpression' ctl transact
eq 'an update, with a caret' "$(printf '%s\n' "$err" | tail -2)" $'  SET a == 1\n         ^'
printf 'delete stock 2\nupdate stock 1 "SET a = 1" if a == 1\n' | gives 2 'line 2: Invalid ConditionExpression' ctl transact --dry-run
eq 'a condition, with a caret' "$(printf '%s\n' "$err" | tail -2)" $'  a == 1\n     ^'
printf 'update stock 1 x "SET a = 1"\n' | gives 2 'line 1: the key is only id' ctl transact
printf 'update stock "SET a = 1"\n' | gives 2 'line 1: syntax: update TABLE PK [SK] EXPR [if EXPR]' ctl transact
printf 'delete stock 1\nget stock 1\n' | gives 2 'line 2: a transaction has only get lines or none' ctl transact
printf '\n\nput stock {"id":"x"}\n' | gives 4 'line 3: ValidationError' ctl transact
printf 'delete stock one\n' | gives 2 'line 1: ' ctl transact
printf 'delete orders C#1\n' | gives 2 'line 1: the key needs a value for SK' ctl transact
printf 'delete none 1\n' | gives 3 'line 1: Requested resource not found' ctl transact
printf 'put stock {"id":1\n' | gives 2 'line 1: ' ctl transact
printf 'delete stock 2\ndelete stock 1 if left = 1 AN left = 2\n' | gives 2 'line 2: Invalid ConditionExpression' ctl transact
eq 'the condition of an update, with a caret' "$(printf '%s\n' "$err" | tail -2)" $'  left = 1 AN left = 2\n           ^'
printf 'put orders {"PK":"a","SK":"b","Status":"OPEN","Total":"x"}\n' | gives 4 'line 1: ValidationError: One or more parameter values were invalid: Type mismatch for Index Key' ctl transact --dry-run
printf 'put stock {"id":7}\nput stock {"id":7}\n' | gives 2 'itemctl: line 2: Transaction request cannot include multiple operations on one item' ctl transact
printf '' | gives 2 'at least one action' ctl transact
for i in $(seq 1 101); do echo "delete stock $i"; done | gives 2 'ValidationException' ctl transact
gives 2 'No such file' ctl transact nowhere.txt
gives 2 'for writes' ctl transact --dry-run <<<'get stock 1'
eq 'none of these was done' "$(ctl scan stock --count)" 2

# ---- a request of the API
ok ctl create-table api --key PK
cat >writes.json <<'JSON'
{"TransactItems": [
  {"Put": {"TableName": "api", "Item": {"PK": {"S": "a"}, "n": {"N": "1"}},
           "ConditionExpression": "attribute_not_exists(PK)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
  {"Update": {"TableName": "api", "Key": {"PK": {"S": "b"}}, "UpdateExpression": "SET n = :n",
              "ExpressionAttributeValues": {":n": {"N": "2"}}}}
]}
JSON
ok ctl transact writes.json --dry-run
eq 'a dry run of a request' "$(ctl scan api --count)" 0
ok ctl transact writes.json
eq 'a request with writes' "$err $(ctl scan api | sort)" $'transaction of 2 actions: done {"PK":"a","n":1}\n{"PK":"b","n":2}'
gives 4 'action 1: ConditionalCheckFailed' ctl transact writes.json
eq 'the existing item, and the action without a failure' "$(tail -2 <<<"$err")" $'action 1: ConditionalCheckFailed: The conditional request failed {"PK":"a","n":1}\naction 2: None'
ok ctl transact --token same <<<'[{"Delete":{"TableName":"api","Key":{"PK":{"S":"b"}}}}]'
eq 'only the list of actions, from standard input' "$err $(ctl scan api --count)" 'transaction of 1 action: done 1'
ok ctl transact --token same <<<'[{"Delete":{"TableName":"api","Key":{"PK":{"S":"b"}}}}]'
gives 1 'action 2: not found' ctl transact <<<'{"TransactItems":[{"Get":{"TableName":"api","Key":{"PK":{"S":"a"}},"ProjectionExpression":"n"}},{"Get":{"TableName":"api","Key":{"PK":{"S":"b"}}}}]}'
eq 'a request with reads' "$(head -1 <<<"$out")" '{"n":1}'
gives 2 'TransactWriteItems has no member TransactItems[0].Putt: did you mean Put?' ctl transact <<<'{"TransactItems":[{"Putt":{}}]}'
gives 2 'TransactGetItems has no member TransactItems[1].Put' ctl transact <<<'[{"Get":{"TableName":"api","Key":{"PK":{"S":"a"}}}},{"Put":{}}]'
gives 2 'TransactWriteItems has no member ' ctl transact <<<'{"PK":"a"}'
gives 2 'not JSON: line 2' ctl transact <<<$'{"TransactItems":\n[}'
gives 2 'ValidationException' ctl transact <<<'{"TransactItems":[]}'
gives 2 'ValidationException' ctl transact <<<'{}'
gives 2 'ValidationException' ctl transact <<<'[]'
gives 2 'duplicate name "TransactItems"' ctl transact <<<'{"TransactItems":[],"TransactItems":[]}'
gives 2 'a request of the API has its own' ctl transact writes.json --return old
gives 2 'the request has a ClientRequestToken' ctl transact --token t <<<'{"ClientRequestToken":"u","TransactItems":[{"Delete":{"TableName":"api","Key":{"PK":{"S":"b"}}}}]}'
gives 2 '--token and --dry-run are for writes' ctl transact --token t <<<'[{"Get":{"TableName":"api","Key":{"PK":{"S":"a"}}}}]'
# ---- actions as separate words
ok ctl transact put api '{"PK":"c", "n":1}' update api a 'SET n = 7' if 'n = 1' check api nope if 'attribute_not_exists(PK)'
eq 'three actions' "$err $(ctl get api a) $(ctl get api c)" 'transaction of 3 actions: done {"PK":"a","n":7} {"PK":"c","n":1}'
gives 4 'line 2: ConditionalCheckFailed' ctl transact put api '{"PK":"d"}' delete api a if 'n = 1'
gives 1 'not found' ctl get api d
gives 2 '"frob" is not an action' ctl transact frob api c
ok ctl transact delete api c
done_testing
