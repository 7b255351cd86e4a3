#!/bin/bash
# call: what an answer says is on its way comes about before the command ends, where the store is nobody else's.
. "$(dirname "$0")/lib.sh"
A=arn:aws:dynamodb:us-east-1:000000000000:table

ctl -q create-table tab --key PK || exit 1
seq 3000 | awk '{printf "{\"PK\":\"p%d\",\"G\":\"g%d\"}\n", $1, $1 % 13}' | ctl -q import tab - || exit 1
ctl call UpdateContinuousBackups '{"TableName":"tab","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}' >/dev/null
mkdir -p "$S/buckets/acme"

# ---- each kind of job
ok ctl call ExportTableToPointInTime "{\"TableArn\":\"$A/tab\",\"S3Bucket\":\"acme\",\"S3Prefix\":\"out\"}"
eq 'the answer is that of the beginning' "$(jq -r .ExportDescription.ExportStatus <<<"$out")" IN_PROGRESS
eq 'an export is complete' "$(ctl call DescribeExport "{\"ExportArn\":$(jq .ExportDescription.ExportArn <<<"$out")}" |
	jq -c '.ExportDescription | [.ExportStatus, .ItemCount]')" '["COMPLETED",3000]'
ok ctl call ImportTable '{"ClientToken":"1","S3BucketSource":{"S3Bucket":"acme","S3KeyPrefix":"'"$(cd "$S/buckets/acme" && ls -d out/AWSDynamoDB/*/data)"'"},
	"InputFormat":"DYNAMODB_JSON","InputCompressionType":"GZIP","TableCreationParameters":{"TableName":"copy","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}}'
eq 'an import, too' "$(ctl scan copy --count)" 3000
ok ctl call CreateBackup '{"TableName":"tab","BackupName":"daily"}'
backup=$(jq .BackupDetails.BackupArn <<<"$out")
eq 'a backup' "$(ctl call DescribeBackup "{\"BackupArn\":$backup}" | jq -r .BackupDescription.BackupDetails.BackupStatus)" AVAILABLE
ok ctl call RestoreTableFromBackup "{\"TargetTableName\":\"again\",\"BackupArn\":$backup}"
eq 'a restore' "$(ctl scan again --count)" 3000
ok ctl --capacity call UpdateTable '{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"G","AttributeType":"S"}],
	"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byG","KeySchema":[{"AttributeName":"G","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}'
eq 'an index' "$(ctl scan tab --index byG --count)" 3000
ok ctl call UpdateTable '{"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byG"}}]}'
eq 'one that goes' "$(ctl describe tab | jq .GlobalSecondaryIndexes)" null

# ---- one that fails is told with the command that asked for it
gives 70 'the export has failed: S3NoSuchBucket: ' ctl call ExportTableToPointInTime "{\"TableArn\":\"$A/tab\",\"S3Bucket\":\"none\"}"
eq 'after the answer' "$(jq -r .ExportDescription.ExportStatus <<<"$out")" IN_PROGRESS
gives 70 'the import has failed: S3NoSuchBucket: ' ctl call ImportTable '{"ClientToken":"2","S3BucketSource":{"S3Bucket":"none"},
	"InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":"lost","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}}'

# null is no token: one is filled in
lost='"S3BucketSource":{"S3Bucket":"none"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":"lost","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}'
for request in "{\"ClientToken\":null,$lost}" "{$lost,\"ClientToken\" : null }" "{$lost}"; do
	gives 70 'the import has failed: S3NoSuchBucket: ' ctl call ImportTable "$request"
done
gives 2 SerializationException ctl call ImportTable "{\"ClientToken\":7,$lost}"

# ---- one that takes its time: the reading of its file is held
can_trace || done_testing
file=$(echo "$S"/backups/*.json.gz)
begin_slow()
{
	hold "$file" read "$ITEMCTL" -s "$S" "$@" call RestoreTableFromBackup "{\"TargetTableName\":\"slow\",\"BackupArn\":$backup}" >slow.out
}
begin_slow
wait_until 20 grep -q 'the restore is waited for' held.err || fail "nothing is said: $(cat held.err)"
eq 'the answer is there already' "$(jq -r .TableDescription.TableStatus slow.out)" CREATING
let_go
wait "$held" || fail "$(cat held.err)"
eq 'it has waited' "$(ctl scan slow --count)" 3000
eq 'said once' "$(wc -l <held.err)" 1

# ---- a file that cannot be read: no damage is made of that
ok ctl drop slow --yes
gives 3 "${file##*/}: Input/output error" traced -P "$file" -e trace=read -e inject=read:error=EIO \
	"$ITEMCTL" -s "$S" call RestoreTableFromBackup "{\"TargetTableName\":\"slow\",\"BackupArn\":$backup}"

# ---- an interruption leaves a whole store, and the restore to who opens it next
begin_slow -q
wait_until 20 test -s slow.out || fail 'no answer'
kill "$held"
# A signal that the tracer has not yet handed on would end with it.
heard()
{
	grep -q -e '--- SIGTERM' trace && ! grep -q '^State:[[:space:]]*t' "/proc/$held/status" 2>/dev/null
}
wait_until 20 heard || fail "the signal is not heard: $(cat trace)"
let_go
wait "$held"
eq 'the signal ended it' $? 143
eq 'nothing is said with -q' "$(cat held.err)" ''
ok ctl check
begin_server
is_active() { [ "$(ctl describe slow | jq -r .TableStatus)" = ACTIVE ]; }
wait_until 20 is_active || fail 'the restore does not go on'
eq 'the restore has gone on' "$(ctl scan slow --count)" 3000
done_testing
