#!/bin/bash
# create-table --if-not-exists --update: an existing table is changed to match the command line or a file.
. "$(dirname "$0")/lib.sh"
begin
# says WORD... - what describe prints of the table after create-table WORD... has created or changed it
says()
{
	ctl describe tab | jq -cS '{i: [.GlobalSecondaryIndexes[]? | {IndexName, KeySchema, Projection}] | sort_by(.IndexName),
		l: [.LocalSecondaryIndexes[]? | {IndexName, KeySchema, Projection}], s: .StreamSpecification, t: .TimeToLiveDescription, k: .KeySchema}'
}
first=(tab --key PK,SK:N --gsi One=a --gsi Two=b,SK:N/KEYS_ONLY --lsi Odd=odd)
second=(tab --key PK,SK:N --gsi Two=b,SK:N/INCLUDE:x,y --gsi Three=c --lsi Odd=odd --ttl at --stream NEW_IMAGE)
ok ctl create-table "${first[@]}"
seq 1 200 | awk '{ printf "{\"PK\":\"k\",\"SK\":%d,\"a\":\"a\",\"b\":\"b\",\"c\":\"c\",\"x\":1}\n", $1 }' | ctl -q import tab
before=$(says)
ok ctl create-table "${first[@]}" --if-not-exists --update
eq 'nothing to do' "$err $(says)" "table tab exists $before"
ok ctl create-table "${second[@]}" --if-not-exists
eq 'without --update nothing changes' "$(says)" "$before"
ok ctl create-table "${second[@]}" --update --dry-run
eq 'a dry run prints the difference' "$(grep index <<<"$err" | head -4)" $'(dry run) index One dropped\n(dry run) index Two dropped\n(dry run) index Two added\n(dry run) index Three added'
eq 'and changes nothing' "$(says)" "$before"
ok ctl create-table "${second[@]}" --update
eq 'each change is reported' "$err" $'table tab exists\nindex One dropped\nindex Two dropped\nindex Two added\nindex Three added'
after=$(says)
eq 'new indexes are filled' "$(ctl query tab c --index Three --count) $(ctl query tab b --index Two --limit 1)" \
	'200 {"PK":"k","SK":1,"b":"b","x":1}'
ok ctl check
ctl -q drop tab --yes
ok ctl create-table "${second[@]}"
eq 'the table is as if created that way' "$(says)" "$after"
ctl describe tab >second.json
sed 's/NEW_IMAGE/OLD_IMAGE/; s/"at"/"then"/' second.json >third.json
ok ctl create-table --from third.json --if-not-exists --update
eq 'a file changes the stream view and the attribute of the time to live' "$(ctl describe tab | jq -r '.StreamSpecification.StreamViewType + " " + .TimeToLiveDescription.AttributeName')" 'OLD_IMAGE then'
ok ctl create-table "${first[@]}" --if-not-exists --update
eq 'another file changes them back' "$(says)" "$before"
ok ctl create-table "${first[@]}" --throttle --collection-limit 5000 --if-not-exists --update
gives 2 'has another key or other local indexes' ctl create-table tab --key PK,SK:S --lsi Odd=odd --if-not-exists --update
gives 2 'has another key or other local indexes' ctl create-table tab --key PK --if-not-exists --update
gives 2 'has another key or other local indexes' ctl create-table tab --key PK,SK:N --if-not-exists --update
gives 2 'has another key or other local indexes' ctl create-table tab --key PK,SK:N --lsi Odd=odd/KEYS_ONLY --if-not-exists --update
gives 2 'has another key or other local indexes' ctl create-table tab --key PK,SK:N --lsi Odd=odd --lsi Even=even --if-not-exists --update
eq 'after a refusal nothing is changed' "$(says)" "$before"
ctl -q drop tab --yes
ok ctl create-table "${first[@]}" --if-not-exists --update
eq 'a missing table is created' "$err $(says)" "table tab created $before"
done_testing
