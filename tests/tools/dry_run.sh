#!/bin/bash
# --dry-run: each command that writes reports what it would do, refuses what the store would refuse, and changes
# nothing.
. "$(dirname "$0")/lib.sh"

begin
ctl -q create-table many --key PK,SK --gsi 'ByG=G' --ttl E
printf '{"PK":"p","SK":"%s","n":1}\n' a b c | ctl -q import many
ctl -q create-table plain --key PK:N
ctl backup before >/dev/null 2>&1
printf '{"PK":"p","SK":"%s"}\n' a x >keys
printf 'put many {"PK":"p","SK":"new"}\nupdate many p a "SET n = n + 1" if n = 1\ncheck many p b if n = 1\n' >script
printf 'PK,SK\np,csv\n' >new.csv
printf '{"TableName":"fresh","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}' >fresh.json
printf '#!/bin/sh\nsed -i s/1/2/ "$1"\n' >editor
chmod +x editor
export EDITOR=$W/editor

# would TEXT WORDS... - check that it succeeds and prints TEXT
would()
{
	eval "dry() { ctl --dry-run ${*:2}; }"
	gives 0 "dry run: nothing was changed${1:+$'\n'}$1" dry <keys
}
# refuses STATUS TEXT WORDS... - check its status and message
refuses()
{
	eval "dry() { ctl ${*:3} --dry-run; }"
	gives "$1" "$2" dry <keys
}

would 'would put 1 item into many' put many "'"'{"PK":"p","SK":"x"}'"'"
would 'would put 2 items into many' put many -
would 'would put 1 item into many' put many "'"'{"PK":"p","SK":"x"}'"'" --if "'attribute_not_exists(PK)'"
would 'would update 1 item of many' update many p a "'SET n = n + 1'"
would 'would update 2 items of many' update many - "'SET n = 2'"
would 'would delete 1 item of many' delete many p a
would 'would delete 2 items of many' delete many -
would 'would put 1 item into many' edit many p a
would $'would put 1 item into many\nwould update 1 item of many' transact script
would 'would put 2 items into many' import many
would 'would put 1 item into many' import many new.csv
would $'would create table fresh\nwould put 2 items into fresh' import fresh --key PK,SK
would $'would create table other\n' copy many --to "$S/other"
eq 'the number of all items' "$(grep -o 'would put 3 items into other' <<<"$err")" 'would put 3 items into other'
would 'would create table fresh' create-table fresh --key PK --gsi 'Byg=G'
would 'would create table fresh' create-table --from fresh.json
would 'would change the settings or indexes of table many' alter many --ttl off --stream NEW_IMAGE --drop-gsi ByG --add-gsi Byh=H
would $'would delete the 3 items of table many\nwould drop table many' drop many
would 'would update 3 items of many' shards assign many --attr G --shards 4 --random
would 'would put 1 item into many' call PutItem "'"'{"TableName":"many","Item":{"PK":{"S":"p"},"SK":{"S":"x"}}}'"'"
would 'would delete 1 item of many' call BatchWriteItem "'"'{"RequestItems":{"many":[{"DeleteRequest":{"Key":{"PK":{"S":"p"},"SK":{"S":"a"}}}}]}}'"'"
would 'would carry out CreateBackup' call CreateBackup "'"'{"TableName":"many","BackupName":"abc"}'"'"
eq 'no result is invented' "$out" ''
untried='conditions and updates were not tried: transactions do not support Expected and AttributeUpdates'
would $'would put 1 item into many\n'"$untried" call PutItem "'"'{"TableName":"many","Item":{"PK":{"S":"p"},"SK":{"S":"x"}},"Expected":{"PK":{"Exists":false}}}'"'"
would $'would update 1 item of many\n'"$untried" call UpdateItem "'"'{"TableName":"many","Key":{"PK":{"S":"p"},"SK":{"S":"a"}},"AttributeUpdates":{"n":{"Value":{"N":"2"}}}}'"'"
refuses 4 ConditionalCheckFailed call UpdateItem "'"'{"TableName":"many","Key":{"PK":{"S":"p"},"SK":{"S":"a"}},"ConditionExpression":"attribute_not_exists(PK)"}'"'"

# 100 actions, of which the last one fails: with the condition of a dry run they need two transactions
actions=$(printf '{"Put":{"TableName":"many","Item":{"PK":{"S":"p"},"SK":{"S":"x%s"}}}},' {1..100})
actions=${actions/x100\"\}\}\}/x100\"\}\},\"ConditionExpression\":\"attribute_exists(PK)\"\}}
refuses 4 '[None, ' call TransactWriteItems "'"'{"TransactItems":['"${actions%,}]}'"
eq 'the reason of each action' "$(grep -o 'None\|ConditionalCheckFailed' <<<"$err" | grep -n Cond | head -1)" 100:ConditionalCheckFailed

refuses 4 ConditionalCheckFailed put many "'"'{"PK":"p","SK":"a"}'"'" --if "'attribute_not_exists(PK)'"
refuses 4 '1 key deleted, 1 refused' delete many - --if "'attribute_exists(PK)'"
refuses 2 'ValidationException' update many p a "'SET n = PK + 1'"
refuses 4 'ConditionalCheckFailed' update many p a "'SET n = 3'" --if "'n = 2'"
refuses 2 'Type mismatch for Index Key G' put many "'"'{"PK":"p","SK":"x","G":1}'"'"
refuses 2 'empty string value. Key: SK' put many "'"'{"PK":"p","SK":""}'"'"
refuses 2 'empty string value. IndexName: ByG, IndexKey: G' put many "'"'{"PK":"p","SK":"x","G":""}'"'"
refuses 2 'Missing the key attribute SK' put many "'"'{"PK":"p"}'"'"
refuses 2 'Missing the key attribute PK' import many fresh.json
refuses 3 ResourceNotFoundException put nobody "'"'{"PK":"p"}'"'"
refuses 3 ResourceNotFoundException drop nobody
refuses 2 'ResourceInUseException' create-table many --key PK
refuses 2 'at least 3 characters' create-table xx --key PK
refuses 2 'use --return old, or no --return' update many p a "'SET n = 2'" --return new
ok ctl delete many p a --return old --dry-run
eq 'the item that would be deleted' "$out" '{"PK":"p","SK":"a","n":1}'
would '' delete many p none
eq 'an item that does not exist' "$(grep -c 'there was no such item' <<<"$err")" 1
refuses 2 'to see what one would do: itemctl sql --explain' sql "\"DELETE FROM many WHERE PK = 'p' AND SK = 'a'\""
refuses 2 '--dry-run does not go with sweep' sweep
refuses 2 'compact changes no item' compact
refuses 2 'nothing to add' check --repair
refuses 2 'backup changes nothing in the store' backup other
refuses 2 'restore only creates a new store' restore before
refuses 2 'export changes nothing in the store' export many out.jsonl
refuses 2 'serve changes nothing by itself' serve
refuses 2 'an option of each command in the shell' shell
gives 2 'without --dry-run this command creates one' itemctl_of "$W/none" create-table many --key PK --dry-run
gone none other out.jsonl
eq 'reads are carried out' "$(ctl --dry-run query many p --count 2>/dev/null)" "$(ctl query many p --count)"
eq 'reads of sql, too' "$(ctl --dry-run sql 'SELECT SK FROM many' 2>/dev/null | wc -l)" 3
eq '-q prints nothing' "$(ctl --dry-run -q delete many p a 2>&1)" ''

ctl backup after >/dev/null 2>&1
ok cmp before/BACKUP after/BACKUP

# ---- a server without transactions

begin_made_up no_transactions
export AWS_ENDPOINT_URL_DYNAMODB=http://$made_up AWS_ACCESS_KEY_ID=A AWS_SECRET_ACCESS_KEY=B
for S in "http://$made_up" dynamodb:eu-west-1; do
	would $'would update 1 item of tab\nconditions and updates were not tried: the server has no transactions' update tab a "'SET v = 1'" --if "'v = 2'"
	would 'would put 2 items into tab' import tab
	would 'would delete 2 items of tab' delete tab -
	would $'would delete the 1 item of table tab\nwould drop table tab' drop tab
	refuses 2 'Missing the key attribute PK' put tab "'"'{"SK":"x"}'"'"
done
gone written
end_made_up

# ---- a server whose response to a transaction lacks information, or that carries the transaction out

begin_made_up cancels
S=http://$made_up
for mode in '-2 None None' '-1 None ConditionalCheckFailed' '-1 ConditionalCheckFailed ConditionalCheckFailed' '0 None ThrottlingError' '0 None None' '1 None ConditionalCheckFailed'; do
	echo "$mode" >mode
	would $'would update 1 item of tab\nconditions and updates were not tried: the server does not report why it canceled a transaction' update tab a "'SET v = 1'" --if "'v = 2'"
done
echo 0 None ConditionalCheckFailed >mode
would 'would update 1 item of tab' update tab a "'SET v = 1'" --if "'v = 2'"
eq 'no note that conditions were not tried' "$(grep -c 'not tried' <<<"$err")" 0
for last in ConditionalCheckFailed None; do
	echo "0 ConditionalCheckFailed $last" >mode
	refuses 4 ConditionalCheckFailed update tab a "'SET v = 1'" --if "'v = 2'"
done
echo did >mode
refuses 70 'InternalServerError: the server ignored a condition that is always false: the dry run changed its data' update tab a "'SET v = 1'" --if "'v = 2'"
eq 'there is no claim that nothing was changed' "$(grep -c 'nothing was changed' <<<"$err")" 0
end_made_up

done_testing
