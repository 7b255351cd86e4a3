#!/bin/bash
# Throttling errors name the exhausted budget and its owner: on one line, whatever responds and whatever the response
# contains.
. "$(dirname "$0")/lib.sh"

ARN=arn:aws:dynamodb:us-east-1:000000000000:table
refused='The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.'

# post NAME BODY - print the response of the server to a foreign client
post()
{
	curl -s -H "X-Amz-Target: DynamoDB_20120810.$1" -H 'Content-Type: application/x-amz-json-1.0' -d "$2" "http://$address/"
}

# ---- a store: its socket, a foreign client, and another table without the setting

begin_server --listen 127.0.0.1:0
address=$(address log)
ok ctl call CreateTable '{"TableName":"slow","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
	"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}'
ok ctl alter slow --throttle on
ok ctl create-table free --key pk
for bytes in 290000 399000; do # 674 units, 300 are available, and one a second is added
	{ printf '{"pk":"a","v":"'; head -c $bytes /dev/zero | tr '\0' x; printf '"}'; } >large
	ok ctl put slow - <large
done
why="(TableWriteProvisionedThroughputExceeded: $ARN/slow)"
gives 5 "ProvisionedThroughputExceededException: $refused $why" ctl put slow '{"pk":"b"}'
eq 'the message is one line' "$(wc -l <<<"$err")" 1
gives 5 "$refused $why" ctl call BatchWriteItem '{"RequestItems":{"slow":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}'
gives 4 "ProvisionedThroughputExceeded: $refused $why" ctl call TransactWriteItems '{"TransactItems":[{"Put":{"TableName":"free","Item":{"pk":{"S":"a"}}}},{"Delete":{"TableName":"slow","Key":{"pk":{"S":"a"}}}}]}'
eq 'each action has a line' "$(sed -n '2,$p' <<<"$err")" "1: None
2: ProvisionedThroughputExceeded: $refused $why"
printf 'put free {"pk":"a"}\ndelete slow a\n' >script
gives 4 '' ctl transact script
eq 'and so has each line of a script' "$(sed -n '2,$p' <<<"$err")" "line 1: None
line 2: ProvisionedThroughputExceeded: $refused $why"
gives 5 "$why" ctl sql "DELETE FROM slow WHERE pk='a'"

eq 'a foreign client gets the reasons' "$(post DeleteItem '{"TableName":"slow","Key":{"pk":{"S":"a"}}}' | jq -c '[.__type, .ThrottlingReasons]')" \
	"[\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\",[{\"reason\":\"TableWriteProvisionedThroughputExceeded\",\"resource\":\"$ARN/slow\"}]]"
eq 'in a transaction, too, as from the service' "$(post TransactWriteItems '{"TransactItems":[{"Delete":{"TableName":"slow","Key":{"pk":{"S":"a"}}}}]}' | jq -cS '.CancellationReasons, keys')" \
	"[{\"Code\":\"ProvisionedThroughputExceeded\",\"Message\":\"$refused\"}]
[\"CancellationReasons\",\"Message\",\"__type\"]"
end_server

# ---- endpoints

export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
begin_made_up throttles said
remote()
{
	"$ITEMCTL" -s "http://$made_up" "$@"
}

# says JSON EXPECTED - check the message for an endpoint's response with these members
says()
{
	echo "$1" >said
	gives 5 '' remote call GetItem '{"TableName":"t","Key":{"pk":{"S":"a"}}}'
	eq "$1" "$err" "$2"
}

says '{"name":"ProvisionedThroughputExceededException","ThrottlingReasons":[{"reason":"TableReadProvisionedThroughputExceeded","resource":"arn:t"}]}' \
	'ProvisionedThroughputExceededException: it is gone (TableReadProvisionedThroughputExceeded: arn:t)'
says '{"name":"ThrottlingException","throttlingReasons":[{"reason":"IndexReadKeyRangeThroughputExceeded","resource":"arn:t/index/i"},{"reason":"TableReadAccountLimitExceeded"}]}' \
	'ThrottlingException: it is gone (IndexReadKeyRangeThroughputExceeded: arn:t/index/i, TableReadAccountLimitExceeded)'
says '{"name":"RequestLimitExceeded","ThrottlingReasons":[{"reason":"A"},{"reason":"B"},{"reason":"C"},{"reason":"D"},{"reason":"A"}]}' \
	'ThrottlingException: it is gone (A, B, C and 1 more)'
says '{"name":"ThrottlingException","throttlingReasons":[3,null,{"reason":[]}]}' 'ThrottlingException: it is gone'
says '{"name":"ThrottlingException","throttlingReasons":"A"}' 'ThrottlingException: it is gone'
says '{"name":"ThrottlingException","throttlingReasons":[{"reason":"a\nb\u001b[31m","resource":"\r\u202e"}]}' \
	'ThrottlingException: it is gone (a\nb\u001b[31m: \r\u202e)'
jq -n '{name:"ThrottlingException",throttlingReasons:[range(1000)|{reason:("R"+tostring+("x"*1000)),resource:("r"*5000)}]}' >said
gives 5 ' and 97 more)' remote call GetItem '{"TableName":"t","Key":{"pk":{"S":"a"}}}'
eq 'the message is one line of limited length' "$(wc -l <<<"$err") $((${#err} < 3000))" '1 1'
end_made_up

done_testing
