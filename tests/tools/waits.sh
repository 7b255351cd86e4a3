#!/bin/bash
# A slow endpoint: create-table and drop wait for it. An endpoint that denies access to a table: the command goes on
# with the rest.
. "$(dirname "$0")/lib.sh"

export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
begin_made_up waits 2>waits.seen
remote()
{
	"$ITEMCTL" -s "http://$made_up" "$@"
}

ok remote tables --format jsonl
eq 'a table without access has a line' "$(printf '%s\n' "$out" | jq -c '[.TableName, .Status]')" \
	$'["denied","AccessDenied"]\n["mute","ACTIVE"]'
gives 2 'AccessDeniedException' remote describe denied
ok remote describe mute
eq 'denied access is reported' "${err%%: it is*}" 'time to live of mute: AccessDenied'
eq 'and the rest is printed' "$(jq -r .TableName <<<"$out")" mute
ok remote copy mute --to "$S"
eq 'and so is its point-in-time recovery' "$(grep -c 'the point-in-time recovery of mute is not copied: AccessDenied: it is gone' <<<"$err")" 1
eq 'the table is copied without it' "$(ctl scan mute)" '{"PK":"a"}'

ok remote create-table new --key PK --gsi 'gsi=G' --ttl Ends
eq 'table and index are active' "$(remote describe new 2>/dev/null | jq -c '[.TableStatus, .GlobalSecondaryIndexes[0].IndexStatus]')" '["ACTIVE","ACTIVE"]'
ok remote drop new --yes
gives 3 'ResourceNotFoundException' remote describe new
gives 2 'the table was created, but its time to live was not set: ' remote create-table again --key PK --ttl Ends --no-wait
ok remote drop again --yes --no-wait
ok remote describe again
eq 'drop does not wait' "$(jq -r .TableStatus <<<"$out")" DELETING
end_made_up
eq 'each change is requested once' "$(cat waits.seen)" 'CreateTable UpdateTimeToLive DeleteTable CreateTable DeleteTable'
done_testing
