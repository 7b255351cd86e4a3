#!/bin/bash
# update --filter, delete --filter, --all: which items are changed, how many, and that each still matches at that
# time.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByN=G,n:N --gsi 'Sparse=x:N/KEYS_ONLY'
ctl -q create-table one --key id
items()
{
	seq 1 "${1-9000}" | sed 's/.*/{"PK":"k","SK":&,"n":&,"G":"g","Status":"NEW"}/' | ctl -q import tab
	ctl -q put tab '{"PK":"other","SK":1,"s":"text"}'
}
count()
{
	ctl scan tab --count --filter "$1"
}
items
ctl -q put one '{"id":"a","n":1}'

# ---- update
ok ctl update tab --filter 'Status = "NEW" AND n <= 5000' 'SET Status = "OLD"'
eq 'the number of items is reported' "$out$err" '5000 items updated'
eq 'only matching items are updated' "$(count 'Status = "OLD"') $(count 'Status = "OLD" AND n <= 5000')" '5000 5000'
ok ctl update tab 'SET Status = "NEW"' --where 'Status = "OLD"'
eq 'options after the expression, and --where' "$err $(count 'Status = "OLD"')" '5000 items updated 0'
ok ctl update tab --filter 'n < 3' 'SET a = n + 1' --return updated-new
eq 'an update prints the requested attributes' "$(sort <<<"$out")" $'{"a":2}\n{"a":3}'
ok ctl -q update tab --filter 'n < 3' 'REMOVE a'
eq '-q prints nothing' "$out$err" ''
ok ctl update tab --filter '(n = 1 OR n = 2)' 'SET a = 1'
eq 'a filter in parentheses' "$err" '2 items updated'
ok ctl update tab --filter '(n = 1) OR (n = 2)' 'REMOVE a'
eq 'a filter that begins and ends with parentheses' "$err" '2 items updated'
ok ctl update tab --filter 'NOT n > 1' 'SET seen = true'
eq 'an item without the attribute' "$err $(count 'seen = true')" '2 items updated 2'
ok ctl update tab --filter '#s = :old AND n = :n' 'SET #s = :new' --names '{"#s":"Status"}' --values '{":old":"NEW",":new":"X",":n":5}'
eq 'placeholders of both expressions' "$err $(ctl get tab k 5 --project Status)" '1 item updated {"Status":"X"}'
ok ctl update one --all 'ADD n 1'
eq 'all items of a table' "$err $(ctl get one a)" '1 item updated {"id":"a","n":2}'
ok ctl update tab other --all 'SET s = "changed"'
eq 'all items of a partition' "$err $(count 's = "changed"')" '1 item updated 1'
ok ctl update tab k --filter 'n > 8999' 'SET last = true'
eq 'some items of a partition' "$err $(count 'last = true')" '1 item updated 1'

# ---- a change that moves items ahead in the index that is read: no item is changed twice
ok ctl update tab --index ByN --filter 'n >= 1' 'SET n = n + 1000000'
eq 'each item is updated once' "$err $(count 'n BETWEEN 1000001 AND 1009000')" '9000 items updated 9000'
ok ctl update tab g --index ByN --filter 'attribute_exists(SK)' 'SET n = n - 1000000' </dev/null
eq 'also in a partition of the index' "$err $(count 'n BETWEEN 1 AND 9000')" '9000 items updated 9000'
ok ctl update tab --index Sparse --all 'SET n = n + 1'
eq 'an index that has none of the items' "$err" '0 items updated'

# ---- an index whose entries do not have all attributes
ctl -q update tab k 1 'SET x = 1'
ctl -q update tab k 2 'SET x = 2 REMOVE Status'
ok ctl update tab --index Sparse --filter 'attribute_not_exists(Status)' 'SET found = true'
eq 'the filter applies to the item, not the index entry' "$err $(count 'found = true')" '1 item updated, 1 left unchanged: they no longer match 1'
ok ctl delete tab --index Sparse --all --dry-run
eq 'an index without a filter' "$err" $'(dry run) 2 items deleted\ndry run: nothing was changed\nwould delete 2 items of tab'

# ---- no item matches
ok ctl update tab --filter 'Staus = "NEW"' 'SET a = 1'
eq 'an attribute that no item has' "$err" "none of the first 200 items has an attribute Staus: did you mean: itemctl update tab --filter 'Status = \"NEW\"' 'SET a = 1'"$'\n0 items updated'
ok ctl delete tab nobody --all
eq 'a partition that does not exist' "$err" '0 items deleted'
gives 2 'Invalid UpdateExpression: Syntax error' ctl update tab --filter 'Staus = "NEW"' 'SET a == 1'
eq 'the update is checked nevertheless' "$(printf '%s\n' "$err" | tail -1)" '         ^'
gives 2 'part of the key' ctl update tab --filter 'n < 0' 'SET SK = 1'
gives 2 'Invalid FilterExpression' ctl update tab --filter 'n = = 1' 'SET a = 1'
eq 'and so is the filter' "$(printf '%s\n' "$err" | tail -2)" $'  n = = 1\n      ^'
gives 2 'Invalid FilterExpression' ctl delete tab --filter 'n ='
gives 2 'can not be empty' ctl delete tab --filter ''
gives 2 'can not be empty' ctl delete tab --filter ' '
gives 3 'ResourceNotFoundException' ctl delete nobody --all
gives 3 'ByX' ctl delete tab --all --index ByX

# ---- contradictory options
gives 2 "--filter selects many items, a key selects one: itemctl update tab k 1 'SET a = 1' --if 'n = 1'" ctl update tab k 1 'SET a = 1' --filter 'n = 1'
gives 2 "--filter selects many items, a key selects one: itemctl delete one a --if 'n = 1'" ctl delete one a --filter 'n = 1'
gives 2 "'SET a = 1' --if 'n = :n' --values '{\":n\":1}' --return 'old'" ctl update tab k 1 'SET a = 1' --filter 'n = :n' --values '{":n":1}' --return old
gives 2 '--all selects many items, a key selects one: itemctl delete tab k 1' ctl delete tab k 1 --all
gives 2 "itemctl update tab - 'SET a = 1' --if 'n = 1'" ctl update tab - 'SET a = 1' --filter 'n = 1' </dev/null
gives 2 'give only one of' ctl delete tab --all --filter 'n = 1'
gives 2 '--if is for named items' ctl delete tab --filter 'n = 1' --if 'n = 1'
gives 2 '--index goes with --filter EXPR or --all' ctl delete tab k 1 --index ByN
gives 2 "itemctl update tab --filter EXPR 'SET a = 1'" ctl update tab 'SET a = 1'
gives 2 'delete needs a key, --filter EXPR or --all: itemctl delete tab --filter EXPR; for the table itself: itemctl drop tab' ctl delete tab
echo '{}' >some
gives 2 'delete needs a key, --filter EXPR or --all; to read standard input: itemctl delete tab -' ctl delete tab <some
gives 2 "update needs a key, --filter EXPR or --all; to read standard input: itemctl update tab - 'SET a = 1'" ctl update tab 'SET a = 1' <some
gives 2 "put needs TABLE and ITEM; to read standard input: itemctl put tab --if 'n = 1' -" ctl put tab --if 'n = 1' <some
gives 2 'itemctl query tab PK --begins-with V | itemctl delete tab -' ctl delete tab k --filter 'SK > 5'
eq 'none of these changes anything' "$(ctl scan tab --count)" 9001

# ---- an item for which the update fails
gives 2 '{"PK":"other","SK":1}: ' ctl update tab --all 'ADD s 1'
eq 'the number of updated items is reported' "$(printf '%s\n' "$err" | head -1)" "$(count 's = 1') of 9001 items updated"
gives 2 'of 9001 items updated' ctl -q update tab --all 'ADD s 1'

# ---- delete
ok ctl delete tab --filter 'n > 4500' --dry-run
eq 'a dry run of delete' "$err" $'(dry run) 4500 items deleted\ndry run: nothing was changed\nwould delete 4500 items of tab'
ok ctl update tab --filter 'n > 8998' 'SET q = 1' --dry-run
eq 'a dry run of update' "$err" $'(dry run) 2 items updated\ndry run: nothing was changed\nwould update 2 items of tab'
eq 'dry runs change nothing' "$(ctl scan tab --count) $(count 'q = 1')" '9001 0'
ok ctl delete tab --filter 'n > 4500'
eq 'the number of deleted items is reported' "$err $(ctl scan tab --count)" '4500 items deleted 4501'
ok ctl delete tab --filter 'n = 1' --return old
eq 'a delete prints the items on request' "$(jq -c .SK <<<"$out")" 1
ok ctl delete tab k --all
eq 'a partition is deleted' "$err $(ctl scan tab --count)" '4499 items deleted 1'
ok ctl delete tab --all
eq 'all items are deleted' "$err $(ctl scan tab --count)" '1 item deleted 0'
ok ctl delete tab --all
eq 'deleting again deletes none' "$err" '0 items deleted'
ok ctl cost delete tab --all
eq 'the estimated cost is that of the reads, as the note says' "$(grep -c '^only the reads: each changed item also consumes write units' <<<"$err")" 1

# ---- an endpoint, which has no operation for many items; another process changes them meanwhile
if [ -z "${SERVED-}" ]; then
	items 130
	begin_server --listen 127.0.0.1:0
	export AWS_ENDPOINT_URL_DYNAMODB=http://$(address log) AWS_ACCESS_KEY_ID=A AWS_SECRET_ACCESS_KEY=B
	far=dynamodb:eu-west-1
	meanwhile="'$ITEMCTL' -s '$S' -q update tab k 7 'SET Status = \"HELD\"' && '$ITEMCTL' -s '$S' -q delete tab k 8"
	out=$(python3 "$SOURCE/tests/tools/asked.py" "$meanwhile" "$ITEMCTL" -s $far update tab --filter 'attribute_not_exists(s) AND NOT Status = "HELD"' 'SET Status = "OLD"' | tr -d '\r' | grep -v ^consumed)
	eq 'the command asks first' "$(grep -c '^Change 130 items of table tab with about 131 items' <<<"$out")" 1
	eq 'and leaves items that no longer match' "$(tail -1 <<<"$out")" '128 items updated, 2 left unchanged: they no longer match'
	eq 'these items are unchanged' "$(ctl get tab k 7 --project Status) $(ctl get tab k 8 2>&1)" '{"Status":"HELD"} not found'
	out=$(python3 "$SOURCE/tests/tools/asked.py" 'kill -INT $ASKING' "$ITEMCTL" -s $far delete tab --all | tr -d '\r' | grep -v ^consumed | sed -e 's|.*\[y/N\] ||' -e '/^y*$/d'; exit "${PIPESTATUS[0]}")
	eq 'an interruption reports the progress' "$? $(tail -2 <<<"$out")" $'130 0 of 130 items deleted\nitemctl: interrupted'
	gives 2 'delete tab --all --yes' "$ITEMCTL" -s $far delete tab --all
	ok "$ITEMCTL" -s $far delete tab --filter 'Status = "HELD"' --yes
	eq 'a delete with a condition, item by item' "$err" '1 item deleted'
	ok "$ITEMCTL" -s $far delete tab --all --yes
	eq 'a delete in batches of 25' "$err $(ctl scan tab --count)" '129 items deleted 0'
	gives 2 'Invalid UpdateExpression' "$ITEMCTL" -s $far update tab --all 'SET a' --yes
fi
done_testing
