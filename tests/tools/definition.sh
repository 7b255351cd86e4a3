#!/bin/bash
# The whole definition of a table is preserved by each command: tested with a table that has each member set.
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

# definition STORE TABLE - print the members that do not belong to a single store, and its tags
definition()
{
	itemctl_of "$1" --format json describe "$2" | jq -S 'del(.TableName, .TableArn, .TableId, .CreationDateTime, .LatestStreamArn, .LatestStreamLabel,
		.ItemCount, .TableSizeBytes, .BillingModeSummary.LastUpdateToPayPerRequestDateTime, .TableClassSummary.LastUpdateDateTime)
		| if .SSEDescription.KMSMasterKeyArn // "" | endswith("/abc") then . else del(.SSEDescription.KMSMasterKeyArn) end # otherwise it belongs to that store
		| (.GlobalSecondaryIndexes[]?, .LocalSecondaryIndexes[]) |= del(.IndexArn, .ItemCount, .IndexSizeBytes)'
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
	eq "$table: copied in the same store" "$(definition "$S" here | diff want.$table -)" ''
	itemctl_of other call UpdateTable '{"TableName":"copied","DeletionProtectionEnabled":false}' >/dev/null
	itemctl_of other -q drop copied --yes
	ctl call UpdateTable '{"TableName":"here","DeletionProtectionEnabled":false}' >/dev/null
	ctl -q drop here --yes
	ctl --format json describe $table >described.json
	itemctl_of from$table -q create-table --from described.json
	# A description has no tags.
	eq "$table: created from a description" "$(definition from$table $table | diff want.$table - | grep '^[<>]')" '< [{"Key":"empty","Value":""},{"Key":"team","Value":"shop"}]
> []'
	jq '{Table: .}' described.json | itemctl_of answer$table -q create-table --from -
	eq "$table: created from a response" "$(definition answer$table $table | head -n -1 | diff <(head -n -1 want.$table) -)" ''
	itemctl_of request$table -q create-table --from $table.json
	itemctl_of request$table -q alter $table --ttl till
	eq "$table: created from a request" "$(definition request$table $table | diff want.$table -)" ''
done
# ---- --update: a bare table is changed to match the file, member by member
jq '. + {TimeToLiveSpecification: {Enabled: true, AttributeName: "till"}}' full.json >wanted.json
jq '{TableName, KeySchema, BillingMode, LocalSecondaryIndexes, AttributeDefinitions: [.AttributeDefinitions[] | select(.AttributeName != "g")]}' full.json >bare.json
update() { itemctl_of "$S" create-table --if-not-exists --update "$@"; }
ok ctl call UpdateTable '{"TableName":"full","DeletionProtectionEnabled":false}'
ctl -q drop full --yes
ok ctl create-table --from bare.json
definition "$S" full >bare
members='TableClass: STANDARD_INFREQUENT_ACCESS
SSESpecification: KMS
OnDemandThroughput
WarmThroughput
DeletionProtectionEnabled: true
Tags'
ok ctl --dry-run create-table --if-not-exists --update --from wanted.json
for member in TableClass SSESpecification OnDemandThroughput WarmThroughput DeletionProtectionEnabled Tags; do
	eq "a dry run reports $member" "$(grep -c "^(dry run) $member" <<<"$err")" 1
done
eq 'and changes nothing' "$(definition "$S" full | diff bare -)" ''
ok update --from wanted.json
eq 'each member is reported' "$err" $'table full exists\n'"$members"$'\nindex gsi added'
eq 'the table has all members' "$(definition "$S" full | diff want.full -)" ''
ctl --format json describe full >full.described
for file in wanted.json full.described; do
	ok update --from "$file"
	eq "$file: no change is left" "$err $(definition "$S" full | diff want.full -)" 'table full exists '
done
ok update full --key pk,sk:N --gsi gsi=g:B/INCLUDE:x,y --lsi lsi=l/KEYS_ONLY --ttl till --stream NEW_AND_OLD_IMAGES
eq 'members without an option stay' "$err $(definition "$S" full | diff want.full -)" 'table full exists '
jq '{TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, LocalSecondaryIndexes, StreamSpecification, TimeToLiveSpecification}
	| del(.GlobalSecondaryIndexes[0].OnDemandThroughput, .GlobalSecondaryIndexes[0].WarmThroughput)' wanted.json >silent.json
ok update --from silent.json
eq 'members that are not in the file stay' "$err $(definition "$S" full | diff want.full -)" 'table full exists '
# One member at a time, and back.
while IFS='|' read -r change said; do
	jq "$change" wanted.json >changed.json
	ok update --from changed.json
	eq "$change" "$(tail -n +2 <<<"$err")" "$said"
	ok update --from wanted.json
	eq "$change: and back" "$(definition "$S" full | diff want.full -)" ''
done <<'END'
.TableClass = "STANDARD"|TableClass: STANDARD
.SSESpecification = {Enabled: false}|SSESpecification: off
.SSESpecification.KMSMasterKeyId = "arn:aws:kms:us-east-1:000000000000:key/other"|SSESpecification: KMS
.SSESpecification.KMSMasterKeyId = "alias/shop"|SSESpecification: alias/shop is taken to be the table's key arn:aws:kms:us-east-1:000000000000:key/abc
.SSESpecification.KMSMasterKeyId = "arn:aws:kms:us-east-1:000000000000:alias/shop"|SSESpecification: arn:aws:kms:us-east-1:000000000000:alias/shop is taken to be the table's key arn:aws:kms:us-east-1:000000000000:key/abc
.OnDemandThroughput.MaxReadRequestUnits = -1|OnDemandThroughput
.GlobalSecondaryIndexes[0].OnDemandThroughput.MaxWriteRequestUnits = 9|OnDemandThroughput
.DeletionProtectionEnabled = false|DeletionProtectionEnabled: false
.Tags = []|Tags
.Tags = [{Key: "team", Value: "other"}, {Key: "new", Value: "1"}]|Tags
END
# Of two limits the one that is not given stays.
limits() { ctl --format json describe full | jq -c '[., .GlobalSecondaryIndexes[] | .OnDemandThroughput | .MaxReadRequestUnits, .MaxWriteRequestUnits]'; }
while IFS='|' read -r change said want; do
	jq "$change" wanted.json >changed.json
	ok update --from changed.json
	eq "$change" "$(tail -n +2 <<<"$err") $(limits)" "$said $want"
done <<'END'
.OnDemandThroughput = {MaxReadRequestUnits: 70}|OnDemandThroughput|[70,88,7,8]
.OnDemandThroughput = {MaxWriteRequestUnits: 80}|OnDemandThroughput|[70,80,7,8]
.OnDemandThroughput = {MaxReadRequestUnits: 70}||[70,80,7,8]
.OnDemandThroughput = {MaxReadRequestUnits: 70, MaxWriteRequestUnits: null}||[70,80,7,8]
.OnDemandThroughput = {MaxReadRequestUnits: -1}|OnDemandThroughput|[-1,80,7,8]
. * {OnDemandThroughput: null} * {GlobalSecondaryIndexes: [.GlobalSecondaryIndexes[0] * {OnDemandThroughput: {MaxReadRequestUnits: null, MaxWriteRequestUnits: 9}}]}|OnDemandThroughput|[-1,80,7,9]
.|OnDemandThroughput|[77,88,7,8]
END
# An alias becomes the key of a table that has none.
jq '.SSESpecification = {Enabled: false}' wanted.json >changed.json
ok update --from changed.json
jq '.SSESpecification.KMSMasterKeyId = "alias/shop"' wanted.json >changed.json
ok update --from changed.json
eq 'an alias is set' "$err" $'table full exists\nSSESpecification: KMS'
ok update --from changed.json
eq 'and stays' "$err" 'table full exists'
jq '.SSESpecification.KMSMasterKeyId = "alias/other"' wanted.json >changed.json
ok update --from changed.json
eq 'another alias is another key' "$err" $'table full exists\nSSESpecification: KMS'
ok update --from wanted.json
# Members that cannot be changed are named, and nothing else is changed.
while IFS='|' read -r change said; do
	jq "$change | .TableClass = \"STANDARD\"" wanted.json >changed.json
	gives 2 "$said" update --from changed.json
	eq "$change: nothing is changed" "$(definition "$S" full | diff want.full -)" ''
done <<'END'
.WarmThroughput.ReadUnitsPerSecond = 12500|WarmThroughput of the table full is 13000 reads and 5000 writes, and cannot be lowered to 12500 and 5000
.GlobalSecondaryIndexes[0].WarmThroughput.WriteUnitsPerSecond = 5999|WarmThroughput of index gsi is 14000 reads and 6000 writes, and cannot be lowered to 14000 and 5999
.LocalSecondaryIndexes[0].Projection.ProjectionType = "ALL"|another key or other local indexes, which cannot be changed
END
jq '.WarmThroughput.ReadUnitsPerSecond = 13500 | .GlobalSecondaryIndexes[0].WarmThroughput.WriteUnitsPerSecond = 6500' wanted.json >more.json
ok update --from more.json
eq 'a larger warm throughput is set' "$(ctl --format json describe full | jq -c '[.WarmThroughput.ReadUnitsPerSecond, .GlobalSecondaryIndexes[0].WarmThroughput.WriteUnitsPerSecond]')" '[13500,6500]'
# The billing mode, with units for each index; then only units; and back.
units()
{
	ctl --format json describe full | jq -c '[.BillingModeSummary.BillingMode] + [., .GlobalSecondaryIndexes[] | .ProvisionedThroughput | .ReadCapacityUnits, .WriteCapacityUnits]'
}
jq '.TableName = "full" | .TimeToLiveSpecification = {Enabled: true, AttributeName: "till"}' provisioned.json >changed.json
ok update --from changed.json
eq 'the billing mode' "$err $(units)" $'table full exists\nBillingMode: PROVISIONED ["PROVISIONED",5,6,7,8]'
for change in '.OnDemandThroughput = {MaxReadRequestUnits: 5}' 'del(.BillingMode, .ProvisionedThroughput, .GlobalSecondaryIndexes[].ProvisionedThroughput) | .OnDemandThroughput = {MaxReadRequestUnits: 5}' \
	'.GlobalSecondaryIndexes[0].OnDemandThroughput = {MaxReadRequestUnits: 5}'; do
	jq "$change" changed.json >again.json
	ok update --from again.json
	eq "$change: reported, and not set" "$err $(units)" $'table full exists\nOnDemandThroughput is not set: the table is PROVISIONED ["PROVISIONED",5,6,7,8]'
done
jq '.OnDemandThroughput.MaxReadRequestUnits = 76' more.json >again.json
ok ctl --dry-run create-table --if-not-exists --update --from again.json
eq 'a dry run reports what another mode changes' "$(grep -cE '^\(dry run\) (BillingMode|OnDemandThroughput)' <<<"$err")" 2
jq 'del(.GlobalSecondaryIndexes[0].ProvisionedThroughput)' changed.json >again.json
ok update --from again.json
eq 'an index gets the units of the table' "$err $(units)" $'table full exists\nProvisionedThroughput ["PROVISIONED",5,6,5,6]'
jq '.ProvisionedThroughput.ReadCapacityUnits = 9 | .GlobalSecondaryIndexes += [.GlobalSecondaryIndexes[0] | .IndexName = "more"]' changed.json >again.json
ok update --from again.json
eq 'units of the table, and a new index' "$err $(units)" $'table full exists\nProvisionedThroughput\nindex more added ["PROVISIONED",9,6,7,8,7,8]'
ok update --from more.json
eq 'back to on demand' "$err $(units)" $'table full exists\nindex more dropped\nBillingMode: PAY_PER_REQUEST\nOnDemandThroughput ["PAY_PER_REQUEST",0,0,0,0]'
ok ctl check

# ---- point-in-time recovery is copied, too
ok ctl call UpdateContinuousBackups '{"TableName":"provisioned","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}}'
recovery()
{
	itemctl_of other call DescribeContinuousBackups "{\"TableName\":\"$1\"}" |
		jq -c '.ContinuousBackupsDescription.PointInTimeRecoveryDescription | [.PointInTimeRecoveryStatus, .RecoveryPeriodInDays]'
}
ok ctl copy provisioned --to "$W/other/recovered"
eq 'with its number of days' "$(recovery recovered)" '["ENABLED",7]'
ok ctl copy full --to "$W/other/unrecovered"
eq 'a table without it stays without' "$(recovery unrecovered)" '["DISABLED",null]'
definition "$S" full >want.full

# ---- an endpoint that refuses a part of the changes

if [ -z "${SERVED-}" ]; then
	begin_server --listen 127.0.0.1:0
	there=$(address log)
	# partly OPERATION=N:NAME... - run --update at an endpoint that fails that way
	partly()
	{
		begin_made_up fails "$there" "$@"
		itemctl_of "http://$made_up" create-table --if-not-exists --update --from changed.json
		local status=$?
		end_made_up
		return $status
	}
	jq '.TimeToLiveSpecification.AttributeName = "other" | .TableClass = "STANDARD"' more.json >changed.json
	gives 2 'ValidationException: table full: time to live is off: it used till and does not use other yet. DynamoDB may refuse a second change for an hour; then repeat the command: it is gone' \
		partly UpdateTimeToLive=1:ValidationException
	eq 'all other changes are made' "$(ctl --format json describe full | jq -c '[.TimeToLiveDescription, .TableClassSummary.TableClass]')" '[null,"STANDARD"]'
	gives 2 'table full: time to live does not use other: it is gone' partly UpdateTimeToLive=0:ValidationException
	ok partly
	cp more.json changed.json
	gives 2 'table full: time to live still uses other: it is gone' partly UpdateTimeToLive=0:ValidationException
	jq '.Tags = [{Key: "one", Value: "1"}]' more.json >changed.json
	ok partly ListTagsOfResource=0:AccessDeniedException
	eq 'tags that cannot be listed are not removed' "$(grep '^the tags' <<<"$err")" 'the tags of full cannot be read, so none is removed: AccessDenied: it is gone'
	eq 'but added' "$(definition "$S" full | tail -n 1)" '[{"Key":"empty","Value":""},{"Key":"one","Value":"1"},{"Key":"team","Value":"shop"}]'
	end_server
	rm log
	ok update --from more.json
fi

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
