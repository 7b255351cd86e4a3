#!/bin/bash
# query and scan with all their options.
# BEHAVIOUR 14.9, 23.11
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK --gsi GSI1=Status,Total:N --lsi LSI1=Total:N/KEYS_ONLY
for i in 01 02 03 04 05 06 07 08 09 10; do
	echo "{\"PK\":\"p\",\"SK\":\"o#$i\",\"Total\":$((10#$i * 10)),\"Status\":\"$([ $((10#$i % 2)) = 0 ] && echo OPEN || echo DONE)\"}"
done | ctl -q import tab
ctl put tab '{"PK":"q","SK":"x"}'

keys()
{
	ctl query "$@" | jq -r '.SK // .x' | sed 's/o#//' | tr '\n' ' '
}

eq 'items in the order of the sort key' "$(keys tab p)" '01 02 03 04 05 06 07 08 09 10 '
eq 'reverse' "$(keys tab p --reverse)" '10 09 08 07 06 05 04 03 02 01 '
eq '--eq' "$(keys tab p --eq 'o#03')" '03 '
eq '--lt' "$(keys tab p --lt 'o#03')" '01 02 '
eq '--le' "$(keys tab p --le 'o#03')" '01 02 03 '
eq '--gt' "$(keys tab p --gt 'o#08')" '09 10 '
eq '--ge' "$(keys tab p --ge 'o#08')" '08 09 10 '
eq '--between' "$(keys tab p --between 'o#03' 'o#05')" '03 04 05 '
eq '--begins-with' "$(keys tab p --begins-with 'o#0' --reverse --limit 2)" '09 08 '
eq '--limit' "$(keys tab p --limit 4)" '01 02 03 04 '
eq '--limit over pages' "$(keys tab p --limit 4 --page-size 3)" '01 02 03 04 '
eq '--filter with literals and reserved words' "$(keys tab p --filter 'Status = "OPEN" AND Total > 50')" '06 08 10 '
eq '--filter with --limit: returned items are counted, not examined ones' "$(keys tab p --filter 'Status = "OPEN"' --limit 3)" '02 04 06 '
eq '--filter over pages' "$(keys tab p --filter 'Status = "OPEN"' --limit 3 --page-size 1)" '02 04 06 '
eq '--project' "$(ctl query tab p --eq 'o#01' --project 'Total, Status')" '{"Total":10,"Status":"DONE"}'
eq '--count' "$(ctl query tab p --count --page-size 3)" 10
eq '--count with a filter' "$(ctl query tab p --count --filter 'Total < 35')" 3
eq 'no result is not a failure' "$(ctl query tab none; echo $?)" 0
eq 'no result as an array' "$(ctl query tab none --format json)" '[]'
eq '--consistent' "$(keys tab p --consistent --limit 1)" '01 '
eq '--jobs' "$(keys tab p --page-size 2 --jobs 4)" '01 02 03 04 05 06 07 08 09 10 '

# ---- indexes
eq 'a GSI in number order' "$(keys tab OPEN --index GSI1 --ge 35)" '04 06 08 10 '
eq 'an LSI' "$(ctl query tab p --index LSI1 --between 20 30)" $'{"PK":"p","SK":"o#02","Total":20}\n{"PK":"p","SK":"o#03","Total":30}'
gives 3 'there are LSI1, GSI1' ctl query tab p --index NONE
gives 2 'itemctl: Total is a number, not x' ctl query tab OPEN --index GSI1 --gt x
gives 2 'ValidationException' ctl query tab OPEN --index GSI1 --begins-with 1

# ---- an index with several key attributes: one word for each attribute of the partition key, then --eq from the left
ctl -q create-table cups --key Id --gsi 'ByCup=Cup+Region:S,Round:N+Bracket'
while read -r id cup region round bracket; do
	echo "{\"Id\":\"$id\",\"Cup\":\"$cup\",\"Region\":\"$region\",\"Round\":$round,\"Bracket\":\"$bracket\"}"
done <<'END' | ctl -q import cups
1 W EU 10 a
2 W EU 2 b
3 W EU 2 ab
4 W US 2 a
END
cups()
{
	ctl query cups --index ByCup "$@" | jq -r .Id | tr '\n' ' '
}
eq 'items in the order of all sort attributes' "$(cups W EU)" '3 2 1 '
eq 'reverse order of all sort attributes' "$(cups W EU --reverse)" '1 2 3 '
eq 'one --eq' "$(cups W EU --eq 2)" '3 2 '
eq 'two --eq' "$(cups W EU --eq 2 --eq b)" '2 '
eq '--eq and another condition' "$(cups W EU --eq 2 --begins-with a)" '3 '
eq '--eq and --between' "$(cups W EU --eq 2 --between aa ac)" '3 '
eq 'another condition without --eq' "$(cups W EU --gt 2)" '1 '
eq 'conditions and a filter' "$(cups W EU --filter 'Id > "1"' --reverse)" '2 3 '
eq 'one page' "$(ctl query cups W EU --index ByCup --one-page --page-size 1 2>&1 >/dev/null)" \
	'LastEvaluatedKey: {"Id":"3","Cup":"W","Region":"EU","Round":2,"Bracket":"ab"}'
gives 2 'the partition key has 2 attributes, and 1 have values: give one PK per attribute' ctl query cups W --index ByCup
gives 2 'the sort key has 2 attributes' ctl query cups W EU 1 b c d --index ByCup
gives 2 'too many words' ctl query cups a b c d e f g h i
gives 2 'the sort key has 2 attributes' ctl query cups W EU --index ByCup --eq 1 --eq a --lt b
gives 2 'the sort key has 2 attributes' ctl query cups W EU --index ByCup --gt 1 --lt 3
gives 2 'itemctl: Round is a number, not x' ctl query cups W EU --index ByCup --eq x
gives 2 'give one condition on the sort key, not 2' ctl query tab p --eq a --eq b
gives 2 'there is no sort key' ctl query cups 1 --eq a

# ---- pages
ok ctl query tab p --one-page --page-size 4
eq '--one-page' "$(printf '%s\n' "$out" | wc -l)" 4
eq 'the last key of the page is reported' "$err" 'LastEvaluatedKey: {"PK":"p","SK":"o#04"}'
eq '--start continues from there' "$(keys tab p --start "${err#*: }" --limit 2)" '05 06 '
ok ctl query tab p --one-page
eq 'the last page has no key' "$err" ''
ok ctl query tab p --stats --page-size 4 --filter 'Status = "OPEN"'
eq '--stats' "$err" 'Pages: 3  Count: 5  ScannedCount: 10'
ok ctl query tab p --stats --limit 3
eq 'no more items are read than needed' "$err" 'Pages: 1  Count: 3  ScannedCount: 3'
ok ctl query tab p --capacity --page-size 4
eq '--capacity adds up the pages' "$err" '1.5 read units of tab: table 1.5'
ok ctl query tab OPEN --index GSI1 --capacity
eq 'an index is named' "$err" '0.5 read units of tab: table 0.0, GSI1 0.5'
ok ctl get tab p 'o#01' --consistent --capacity
eq 'a consistent read' "$err" '1.0 read units of tab: table 1.0'
ok ctl put tab '{"PK":"p","SK":"o#11","Total":110,"Status":"NEW"}' '{"PK":"q","SK":"y"}' --capacity
eq 'writes' "$err" '4.0 write units of tab: table 2.0, LSI1 1.0, GSI1 1.0'
ok ctl delete tab p 'o#11' --capacity
ok ctl delete tab q y
ok ctl tables --capacity
eq 'a command without capacity prints none' "$err" ''
ok ctl --capacity query tab --index GSI1 --shards 0..3 --prefix x --jobs 4
eq 'capacity of shards' "$(tail -n 1 <<<"$err")" '2.0 read units of tab: table 0.0, GSI1 2.0'

# ---- forms
eq 'json' "$(ctl query tab p --format json | jq -c 'length')" 10
eq 'csv' "$(ctl query tab p --limit 1 --format csv)" $'PK,SK,Total:N,Status\np,o#01,10,DONE'
eq 'table' "$(ctl query tab p --limit 1 --format table | tr -s ' ')" $'PK SK Total Status\np o#01 10 DONE'

# ---- refused
gives 2 'one condition' ctl query tab p --eq a --lt b
gives 2 'needs PK or --shards' ctl query tab
gives 2 'needs PK or --shards' ctl query tab p --shards 0..1
gives 2 '--hash goes with --shards' ctl query tab p --hash a=x
gives 2 '--limit must be 1 or more' ctl query tab p --limit 0
gives 2 'leave out --project' ctl query tab p --count --project a
gives 2 'Invalid FilterExpression' ctl query tab p --filter 'Total >'
gives 2 'ValidationException' ctl query tab p --filter 'SK = "x"'
gives 2 'Invalid ProjectionExpression' ctl query tab p --filter 'Total > 1' --project 'a..b'
eq 'the caret is in the projection' "$(printf '%s\n' "$err" | sed -n 2p)" '  a..b'
gives 3 'ResourceNotFoundException' ctl query none p
gives 2 'SerializationException' ctl query tab p --start '{'

# ---- a key that names its attribute: the intended line, with all its options
ctl -q create-table named --key PK,SK --gsi ByStatus=Status,n:N --gsi ByYear=Year:N
ctl -q put named '{"PK":"a","SK":"1","Status":"BOOKED","n":1,"Year":1999}'
for line in 'query named --index ByStatus Status=BOOKED|read as: itemctl query named --index ByStatus BOOKED' \
	"query named --index ByStatus BOOKED n=2 --count|read as: itemctl query named --index ByStatus BOOKED 2 --count" \
	"query named --limit 3 PK=a|read as: itemctl query named --limit 3 a" \
	'query named PK=a SK=1|read as: itemctl query named a 1' \
	'query named Status=BOOKED|Status is the partition key of ByStatus: itemctl query named BOOKED --index ByStatus' \
	'query named --index ByStatus PK=a|PK is the partition key of the table: itemctl query named a'; do
	# shellcheck disable=SC2086
	case ${line#*|} in
	read*)
		ok ctl ${line%%|*}
		eq 'the intended line is reported' "$err" "${line#*|}"
		eq 'and run' "$out" "$(ctl ${line%%|*} 2>/dev/null)"
		[ -n "$out" ] || fail "$line finds nothing"
		;;
	*) gives 2 "$(eval "echo \"${line#*|}\"")" ctl ${line%%|*} ;;
	esac
done
gives 0 "read as: itemctl -s $S query named --index ByYear 1999 --reverse" ctl query named --index ByYear Year=1999 --reverse
gives 2 'itemctl: Status is the partition key of ByStatus: itemctl query named BOOKED --index ByStatus' ctl query named --index ByYear Status=BOOKED
gives 2 "itemctl: the partition key is Year, not Title: itemctl scan named --index ByYear --filter 'Title = \"x y\"'" ctl query named --index ByYear 'Title=x y'
gives 2 "itemctl: the partition key is Year, not n: itemctl scan named --index ByYear --filter 'n = 1'" ctl query named --index ByYear n=1
gives 2 'itemctl: Year is a number, not 1=2' ctl query named --index ByYear '1=2'
same_out='{"PK":"a","SK":"1","Status":"BOOKED","n":1,"Year":1999}'
ok ctl -q query named PK=a
eq 'no note with -q' "$out$err" "$same_out"
ok ctl query named x=1
eq 'an attribute that is not a key' "$err" "no item has PK = 'x=1'"

# ---- scan
eq 'scan' "$(ctl scan tab --count)" 11
eq 'scan of an index' "$(ctl scan tab --index GSI1 --count)" 10
eq 'segments' "$(ctl scan tab --segments 4 | sort | sha256sum)" "$(ctl scan tab | sort | sha256sum)"
eq 'segments with a limit' "$(ctl scan tab --segments 4 --limit 5 | wc -l)" 5
eq 'scan with a filter' "$(ctl scan tab --filter 'Total = 70' --project SK)" '{"SK":"o#07"}'
ok ctl scan tab --one-page --page-size 2
eq 'scan continues from a key' "$(ctl scan tab --start "${err#*: }" | wc -l)" 9
gives 2 'go with one segment' ctl scan tab --segments 2 --one-page
gives 3 '' ctl scan tab --index NONE

# ---- the reader closes the pipe, the disk is full
ctl scan tab >/dev/full 2>full.err
eq 'a full disk' "$?" 70
eq 'is reported' "$(cut -d: -f1 <full.err)" InternalServerError
for i in $(seq 1 200); do
	printf '{"PK":"big%s","SK":"x","t":"%02000d"}\n' "$i" 1
done | ctl -q import tab
# shellcheck disable=SC2069
(ctl scan tab 2>pipe.err; echo $? >pipe.status) | head -1 >/dev/null
eq 'SIGPIPE ends it, as other programs' "$(cat pipe.status pipe.err)" 141
done_testing
