#!/bin/bash
# Commands that change many items of a store on another machine ask first, or need --yes; commands on local stores do
# not ask.
. "$(dirname "$0")/lib.sh"

ctl -q create-table many --key PK --gsi 'ByG=G'
items()
{
	printf '{"PK":"%s"}\n' a b c
}
items | ctl -q import many
begin_server --listen 127.0.0.1:0
server_at=$(address log)
export AWS_ENDPOINT_URL_DYNAMODB=http://$server_at AWS_ACCESS_KEY_ID=A AWS_SECRET_ACCESS_KEY=B
far=dynamodb:eu-west-1
items >items.jsonl

# typed ANSWER COMMAND - run a line of bash on a terminal, where ANSWER is typed; sets $status and $out
typed()
{
	out=$(python3 "$SOURCE/tests/tools/typed.py" "$1" bash -c "$2" | tr -d '\r'; exit "${PIPESTATUS[0]}")
	status=$?
}
said()
{
	printf %s "$out" | grep -cF -- "$1"
}
count()
{
	ctl scan many --count | tr -dc 0-9
}
place="table many with about 3 items, account 000000000000, region eu-west-1, at $far (localhost:${server_at##*:})? [y/N] "

# asks QUESTION COMMAND - check that nothing is changed without a yes or without a terminal, except with --yes
asks()
{
	local answer before
	before=$(ctl scan many; ctl describe many | jq -cS 'del(.TableSizeBytes)')
	for answer in '' n no $'\004'; do
		typed "$answer"$'\n' "$2"
		eq "$2: ${answer@Q} means no" "$status $(said "$1$place") $(said 'not confirmed: nothing is changed')" '2 1 1'
	done
	typed '' "$2 2>errors"
	eq "$2: without a terminal" "$status $(sed 's/itemctl -s.* --yes$/LINE --yes/' errors)" '2 itemctl: this changes many items in a remote store. To confirm: LINE --yes'
	eq "$2: nothing is changed" "$(ctl scan many; ctl describe many | jq -cS 'del(.TableSizeBytes)')" "$before"
	typed $'y\n' "$2"
	eq "$2: yes" "$status $(said "$1$place")" '0 1'
}
I="'$ITEMCTL' -s $far"
asks 'Change 3 items of ' "cat items.jsonl | $I update many - 'SET v=1'"
eq 'the items are changed' "$(ctl scan many --filter 'v = 1' --count | tr -dc 0-9)" 3
asks 'Put items, in place of those with the same key, into ' "cat items.jsonl | $I import many"
eq 'the items are replaced' "$(ctl scan many --filter 'v = 1' --count | tr -dc 0-9)" 0
asks 'Put items, in place of those with the same key, into ' "'$ITEMCTL' -s '$S' copy many --to $far"
printf '{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"PK":{"S":"%s"}},"NewImage":{"PK":{"S":"%s"}}}\n' a a b b >changes.jsonl
asks 'Put items, in place of those with the same key, and delete others, in ' "$I import many --apply changes.jsonl"
printf '{"TableName":"many","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}' >wanted.json
typed $'n\n' "$I create-table --from wanted.json --if-not-exists --update"
eq 'a change of a definition asks, too' "$status $(said "Drop index ByG of $place")" '2 1'
asks 'Drop index ByG of ' "$I alter many --drop-gsi ByG"
asks 'Assign a shard to each item of ' "$I shards assign many --attr G --shards 4 --random"
asks 'Delete 3 items of ' "cat items.jsonl | $I delete many -"
eq 'the items are deleted' "$(count)" 0

# ---- --yes, at any place
items | ok "$ITEMCTL" -s $far import many
eq 'an import into an empty table does not ask' "$(count)" 3
items | ok "$ITEMCTL" -s $far import many --yes
items | ok "$ITEMCTL" -y -s $far update many - 'SET v = 1'
ok "$ITEMCTL" -s "$S" copy many --to $far/many -y
items | ok "$ITEMCTL" -s $far delete many - --yes
eq 'delete with --yes' "$(count)" 0
true | ok "$ITEMCTL" -s $far delete many - --yes
typed $'n\n' "seq 5000 | sed 's/.*/{\"PK\":\"&\"}/' | $I delete many -"
eq 'more keys than are read ahead' "$status $(said 'Delete more than 4000 items of table many')" '2 1'
gives 3 ResourceNotFoundException "$ITEMCTL" -s $far drop nobody
gives 2 "drop is permanent. To confirm: itemctl -s $far drop many --yes" "$ITEMCTL" -s $far drop many
gives 2 ' --yes' "$ITEMCTL" -s $far call DeleteTable '{"TableName":"many"}'
gives 2 ' --yes' "$ITEMCTL" -s $far delete-table --table-name many

# ---- commands that write nothing do not ask

items | ok "$ITEMCTL" -s $far import many
items | ok "$ITEMCTL" -s $far cost import many
items | ok "$ITEMCTL" -s $far cost delete many -
items | ok "$ITEMCTL" -s $far cost update many - 'SET v = 1'
items | ok "$ITEMCTL" -s $far import many --dry-run
ok "$ITEMCTL" -s $far drop many --yes

# ---- stores on this machine
ctl -q create-table near --key PK
for store in "$S" "http://$server_at"; do
	items | ok itemctl_of "$store" import near
	items | ok itemctl_of "$store" import near
	items | ok itemctl_of "$store" update near - 'SET v = 1'
	typed '' "cat items.jsonl | '$ITEMCTL' -s '$store' delete near -"
	eq 'local stores: no question, not even on a terminal' "$status $(said '?')" '0 0'
done
gives 2 ' --yes' ctl drop near
typed $'y\n' "echo n | '$ITEMCTL' -s '$S' drop near"
eq 'the question uses the terminal, not standard input' "$status $(said 'Drop table near with 0 items? [y/N] ')" '0 1'
end_server

# ---- a table with items that are not counted yet

begin_made_up cancels
export AWS_ENDPOINT_URL_DYNAMODB=http://$made_up
gives 2 'this changes many items in a remote store. To confirm: itemctl ' "$ITEMCTL" -s $far import tab items.jsonl
itemctl_of "$S" -q create-table tab --key PK
ok itemctl_of "$S" import tab items.jsonl
gives 2 'this changes many items in a remote store. To confirm: itemctl ' "$ITEMCTL" -s "$S" copy tab --to $far
touch empty
ok "$ITEMCTL" -s $far import tab items.jsonl
ok "$ITEMCTL" -s "$S" copy tab --to $far
end_made_up

done_testing
