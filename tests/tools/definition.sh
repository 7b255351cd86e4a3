#!/bin/bash
# A table's definition goes along as a whole, whoever takes it: of a table that has each member set.
. "$(dirname "$0")/lib.sh"
begin
cat >full.json <<'END'
{"TableName":"full","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
 "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
  {"AttributeName":"g","AttributeType":"B"},{"AttributeName":"l","AttributeType":"S"}],
 "BillingMode":"PAY_PER_REQUEST","TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,
 "SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/abc"},
 "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
 "OnDemandThroughput":{"MaxReadRequestUnits":77,"MaxWriteRequestUnits":88},
 "WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000},
 "Tags":[{"Key":"team","Value":"shop"},{"Key":"empty","Value":""}],
 "GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],
  "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y"]},
  "OnDemandThroughput":{"MaxReadRequestUnits":7,"MaxWriteRequestUnits":8},"WarmThroughput":{"ReadUnitsPerSecond":14000,"WriteUnitsPerSecond":6000}}],
 "LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
  "Projection":{"ProjectionType":"KEYS_ONLY"}}]}
END
jq '.TableName = "provisioned" | .BillingMode = "PROVISIONED" | .ProvisionedThroughput = {ReadCapacityUnits: 5, WriteCapacityUnits: 6}
	| .GlobalSecondaryIndexes[0].ProvisionedThroughput = {ReadCapacityUnits: 7, WriteCapacityUnits: 8}
	| del(.OnDemandThroughput, .WarmThroughput, .SSESpecification.KMSMasterKeyId, .GlobalSecondaryIndexes[0].OnDemandThroughput,
	.GlobalSecondaryIndexes[0].WarmThroughput)' full.json >provisioned.json

# definition STORE TABLE - what belongs to no single store, and its tags
definition()
{
	itemctl_of "$1" --format json describe "$2" | jq -S 'del(.TableName, .TableArn, .TableId, .CreationDateTime, .LatestStreamArn, .LatestStreamLabel,
		.ItemCount, .TableSizeBytes, .BillingModeSummary.LastUpdateToPayPerRequestDateTime, .TableClassSummary.LastUpdateDateTime)
		| if .SSEDescription.KMSMasterKeyArn | endswith("/abc") then . else del(.SSEDescription.KMSMasterKeyArn) end # else of that store alone
		| (.GlobalSecondaryIndexes[], .LocalSecondaryIndexes[]) |= del(.IndexArn, .ItemCount, .IndexSizeBytes)'
	itemctl_of "$1" call ListTagsOfResource "{\"ResourceArn\":\"$(itemctl_of "$1" --format json describe "$2" | jq -r .TableArn)\"}" | jq -c '.Tags | sort'
}
for table in full provisioned; do
	ok ctl call CreateTable $table.json
	ok ctl alter $table --ttl till
	ctl put $table '{"pk":"a","sk":1}'
	definition "$S" $table >want.$table
	eq "$table: it has all members" "$(grep -cE '"(SSEDescription|TableClassSummary|TimeToLiveDescription|StreamSpecification)"' want.$table) $(tail -n 1 want.$table)" \
		'4 [{"Key":"empty","Value":""},{"Key":"team","Value":"shop"}]'
	itemctl_of other -q create-table first --key PK
	ok ctl copy $table --to "$W/other/copied"
	eq "$table: copied" "$(definition other copied | diff want.$table -)" ''
	ok ctl copy $table --to "$S/here"
	eq "$table: copied here" "$(definition "$S" here | diff want.$table -)" ''
	itemctl_of other call UpdateTable '{"TableName":"copied","DeletionProtectionEnabled":false}' >/dev/null
	itemctl_of other -q drop copied --yes
	ctl call UpdateTable '{"TableName":"here","DeletionProtectionEnabled":false}' >/dev/null
	ctl -q drop here --yes
	ctl --format json describe $table >described.json
	itemctl_of from$table -q create-table --from described.json
	# A description has no tags.
	eq "$table: made from a description" "$(definition from$table $table | diff want.$table - | grep '^[<>]')" '< [{"Key":"empty","Value":""},{"Key":"team","Value":"shop"}]
> []'
	jq '{Table: .}' described.json | itemctl_of answer$table -q create-table --from -
	eq "$table: from an answer" "$(definition answer$table $table | head -n -1 | diff <(head -n -1 want.$table) -)" ''
	itemctl_of request$table -q create-table --from $table.json
	itemctl_of request$table -q alter $table --ttl till
	eq "$table: from a request" "$(definition request$table $table | diff want.$table -)" ''
done
if [ -z "${SERVED-}" ]; then
	ok ctl backup saved
	ok itemctl_of again restore saved
	for table in full provisioned; do
		eq "$table: restored" "$(definition again $table | diff want.$table -)" ''
	done
	begin_server --listen 127.0.0.1:0
	itemctl_of far -q create-table first --key PK
	for table in full provisioned; do
		ok itemctl_of "http://$(address log)" copy $table --to "$W/far"
		eq "$table: copied from a server" "$(definition far $table | diff want.$table -)" ''
	done
fi
done_testing
