#!/bin/bash
# call: a background task that a response announces is completed before the command ends, if no other process has the
# store open.
. "$(dirname "$0")/lib.sh"
A=arn:aws:dynamodb:us-east-1:000000000000:table

ctl -q create-table tab --key PK || exit 1
seq 3000 | awk '{printf "{\"PK\":\"p%d\",\"G\":\"g%d\"}\n", $1, $1 % 13}' | ctl -q import tab - || exit 1
ctl call UpdateContinuousBackups '{"TableName":"tab","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}' >/dev/null
mkdir -p "$S/buckets/acme"

# ---- each kind of background task
ok ctl call ExportTableToPointInTime "{\"TableArn\":\"$A/tab\",\"S3Bucket\":\"acme\",\"S3Prefix\":\"out\"}"
eq 'the response is that of the start' "$(jq -r .ExportDescription.ExportStatus <<<"$out")" IN_PROGRESS
eq 'an export is complete' "$(ctl call DescribeExport "{\"ExportArn\":$(jq .ExportDescription.ExportArn <<<"$out")}" |
	jq -c '.ExportDescription | [.ExportStatus, .ItemCount]')" '["COMPLETED",3000]'
ok ctl call ImportTable '{"ClientToken":"1","S3BucketSource":{"S3Bucket":"acme","S3KeyPrefix":"'"$(cd "$S/buckets/acme" && ls -d out/AWSDynamoDB/*/data)"'"},
	"InputFormat":"DYNAMODB_JSON","InputCompressionType":"GZIP","TableCreationParameters":{"TableName":"copy","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}}'
eq 'an import, too' "$(ctl scan copy --count)" 3000
ok ctl call CreateBackup '{"TableName":"tab","BackupName":"daily"}'
backup=$(jq .BackupDetails.BackupArn <<<"$out")
eq 'a backup, too' "$(ctl call DescribeBackup "{\"BackupArn\":$backup}" | jq -r .BackupDescription.BackupDetails.BackupStatus)" AVAILABLE
ok ctl call RestoreTableFromBackup "{\"TargetTableName\":\"again\",\"BackupArn\":$backup}"
eq 'a restore, too' "$(ctl scan again --count)" 3000
ok ctl --capacity call UpdateTable '{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"G","AttributeType":"S"}],
	"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byG","KeySchema":[{"AttributeName":"G","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}'
eq 'a new index, too' "$(ctl scan tab --index byG --count)" 3000
ok ctl call UpdateTable '{"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byG"}}]}'
eq 'and a deleted index' "$(ctl describe tab | jq .GlobalSecondaryIndexes)" null

# ---- a failure is reported by the command that requested the task
gives 70 'the export has failed: S3NoSuchBucket: ' ctl call ExportTableToPointInTime "{\"TableArn\":\"$A/tab\",\"S3Bucket\":\"none\"}"
eq 'the response does not have the failure' "$(jq -r .ExportDescription.ExportStatus <<<"$out")" IN_PROGRESS
gives 70 'the import has failed: S3NoSuchBucket: ' ctl call ImportTable '{"ClientToken":"2","S3BucketSource":{"S3Bucket":"none"},
	"InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":"lost","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}}'

# null is not a token: a token is generated
lost='"S3BucketSource":{"S3Bucket":"none"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":"lost","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}'
for request in "{\"ClientToken\":null,$lost}" "{$lost,\"ClientToken\" : null }" "{$lost}"; do
	gives 70 'the import has failed: S3NoSuchBucket: ' ctl call ImportTable "$request"
done
gives 2 SerializationException ctl call ImportTable "{\"ClientToken\":7,$lost}"

# ---- a slow task: reading its file is delayed
can_trace || done_testing
file=$(echo "$S"/backups/*.json.gz)
begin_slow()
{
	hold "$file" read "$ITEMCTL" -s "$S" "$@" call RestoreTableFromBackup "{\"TargetTableName\":\"slow\",\"BackupArn\":$backup}" >slow.out
}
begin_slow
wait_until 20 grep -q 'waiting for the restore' held.err || fail "no wait is reported: $(cat held.err)"
eq 'the response is printed before the wait' "$(jq -r .TableDescription.TableStatus slow.out)" CREATING
let_go
wait "$held" || fail "$(cat held.err)"
eq 'the command has waited' "$(ctl scan slow --count)" 3000
eq 'the wait is reported once' "$(wc -l <held.err)" 1

# ---- a file that cannot be read is not treated as damage
ok ctl drop slow --yes
gives 3 "${file##*/}: Input/output error" traced -P "$file" -e trace=read -e inject=read:error=EIO \
	"$ITEMCTL" -s "$S" call RestoreTableFromBackup "{\"TargetTableName\":\"slow\",\"BackupArn\":$backup}"

# ---- an interruption leaves a valid store; the next process that opens it continues the restore
begin_slow -q
wait_until 20 test -s slow.out || fail 'no answer'
kill "$held"
# A signal that strace has not yet delivered would be lost with it.
heard()
{
	grep -q -e '--- SIGTERM' trace && ! grep -q '^State:[[:space:]]*t' "/proc/$held/status" 2>/dev/null
}
wait_until 20 heard || fail "the signal is not delivered: $(cat trace)"
let_go
wait "$held"
eq 'the signal ended it' $? 143
eq 'nothing is printed with -q' "$(cat held.err)" ''
ok ctl check
begin_server
is_active() { [ "$(ctl describe slow | jq -r .TableStatus)" = ACTIVE ]; }
wait_until 20 is_active || fail 'the restore does not continue'
eq 'the restore is complete' "$(ctl scan slow --count)" 3000
done_testing
