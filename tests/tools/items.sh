#!/bin/bash
# put, get, delete: values typed by the schema, output formats, conditions.
# BEHAVIOUR 2.9, EX-25
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N
ctl -q create-table bin --key id:B

ok ctl put tab '{"PK":"a","SK":1,"s":"x","n":1.50,"l":[1,{"m":null}],"ss":{"SS":["p","q"]}}'
eq 'nothing is printed' "$out$err" ''
eq 'plain' "$(ctl get tab a 1)" '{"PK":"a","SK":1,"s":"x","n":1.5,"l":[1,{"m":null}],"ss":{"SS":["p","q"]}}'
eq 'typed' "$(ctl get tab a 01.0 --format typed)" \
	'{"PK":{"S":"a"},"SK":{"N":"1"},"s":{"S":"x"},"n":{"N":"1.5"},"l":{"L":[{"N":"1"},{"M":{"m":{"NULL":true}}}]},"ss":{"SS":["p","q"]}}'
eq 'indented' "$(ctl get tab a 1 --format json | head -2 | tail -1)" '  "PK": "a",'
eq 'csv' "$(ctl get tab a 1 --format csv | head -1)" 'PK,SK:N,s,n:N,l:JSON,ss:JSON'
eq 'as a table' "$(ctl get tab a 1 --format table | tr -s ' ' | head -2)" $'PK a\nSK 1'
eq 'projected, with reserved words and paths' "$(ctl put tab '{"PK":"r","SK":1,"Status":"s","data":{"name":"x","y":1}}'; ctl get tab r 1 --project 'Status, data.name')" \
	'{"Status":"s","data":{"name":"x"}}'
eq 'with --names' "$(ctl get tab r 1 --project '#s' --names '{"#s":"Status"}')" '{"Status":"s"}'
gives 1 'not found' ctl get tab a 2
eq 'nothing on standard output' "$out" ''
gives 1 'not found' ctl get tab a 2 --format json
eq 'not even an array' "$out" ''
ok ctl get tab a -- 1
gives 1 '' ctl get tab a -5
gives 2 'needs a value for SK' ctl get tab a
gives 2 'one value too many' ctl get bin aGk= 1
gives 2 'not base64' ctl get bin 'h i'
gives 2 'itemctl: SK is a number' ctl get tab a one
gives 3 'ResourceNotFoundException' ctl get none a

# ---- several items, standard input
gives 2 $'1 item put\nValidationException: item 2: One or more parameter values were invalid: Missing the key SK' ctl put tab '{"PK":"m","SK":1}' '{"PK":"m"}' '{"PK":"m","SK":3}'
eq 'the items before a bad one are put' "$(ctl query tab m | jq -c .SK)" 1
gives 2 $'0 items put\nSerializationException: item 1: not JSON' ctl put tab '{"PK":"m","SK":' '{"PK":"m","SK":3}'
gives 4 $'0 items put\nConditionalCheckFailedException: item 1: ' ctl put tab '{"PK":"m","SK":1}' '{"PK":"m","SK":3}' --if 'attribute_not_exists(PK)'
gives 2 '' ctl put tab '{"PK":"m"}'
eq 'a single item is reported without a number' "$err" $'ValidationException: One or more parameter values were invalid: Missing the key SK in the item\nthe key of tab is PK (S) and SK (N): itemctl put tab \'{"PK":"m","SK":0}\''
ok ctl put tab '{"PK":"b","SK":1}' '{"PK":"b","SK":2}'
ok ctl put bin '{"id":{"B":"aGk="},"x":1}'
eq 'a binary key' "$(ctl get bin aGk=)" '{"id":{"B":"aGk="},"x":1}'
printf '{"PK":"c","SK":1}\n\n{\n "PK": "c",\n "SK": 2\n}\n{"PK":{"S":"c"},"SK":{"N":"3"}}' | ok ctl put tab -
eq 'lines, indented objects and DynamoDB JSON' "$(ctl query tab c --count)" 3
printf '{"PK":"c","SK":4}\n{"PK":"c"\n' >bad
gives 2 'line 2: ' ctl put tab - <bad
printf '\n{"PK":"w",}\n' | gives 2 'SerializationException: line 2: not JSON: column 11: ' ctl delete tab -
printf '\n{"PK":"w",\n"SK":1,\n,}\n' | gives 2 'SerializationException: line 4: not JSON: column 1: ' ctl put tab -
ok ctl put tab '{"PK":"w","SK":1}' - </dev/null
eq 'items as words take precedence over standard input' "$err" '1 item put'
printf '{"PK":"w","SK":2}\n{"PK":"w","SK":3}\n' | ok ctl put tab '{"PK":"w","SK":1}' - '{"PK":"w","SK":4}'
eq 'items as words and from standard input' "$err" '4 items put'
printf '{"PK":"w","SK":2}\n' | gives 2 $'2 items put\nValidationException: item 3: One or more' ctl put tab '{"PK":"w","SK":1}' - '{"PK":"w"}'
gives 2 '- is given 2 times' ctl put tab - '{"PK":"v","SK":1}' - </dev/null
eq 'no item is put' "$(ctl query tab v --count)" 0
printf '{"PK":"c","SK":4}\n\n{"PK":"c"}\n' | gives 2 $'1 item put\nValidationException: line 3: One or more' ctl put tab -
printf '{"PK":"e","SK":1}\n{"PK":"c","SK":4}\n' | gives 4 $'1 item put\nConditionalCheckFailedException: line 2: ' ctl put tab - --if 'attribute_not_exists(PK)'
eq 'the items before a bad one are put' "$(ctl query tab c --count)" 4
gives 2 'SerializationException' ctl put tab '{"PK":"a",}'
gives 2 'ValidationException' ctl put tab '{"PK":"a"}'
gives 2 'ValidationException' ctl put tab '[1]'
gives 2 'ValidationException' ctl put tab '{"PK":1,"SK":1}'

# ---- conditions
gives 4 'ConditionalCheckFailedException: The conditional request failed' ctl put tab '{"PK":"a","SK":1}' --if 'attribute_not_exists(PK)'
eq 'the item is shown only on request' "$(printf '%s\n' "$err" | wc -l)" 1
gives 4 '"s":"x"' ctl put tab '{"PK":"a","SK":1}' --if 'attribute_not_exists(PK)' --return old
ok ctl put tab '{"PK":"a","SK":1,"s":"y"}' --if 's = "x" AND n >= 1.5' --return old
eq 'the old item' "$(printf %s "$out" | jq -c .s)" '"x"'
gives 4 '' ctl put tab '{"PK":"a","SK":1}' --if 's = :v' --values '{":v":"x"}'
ok ctl put tab '{"PK":"a","SK":1,"s":"z"}' --if '#s = :v' --values '{":v":{"S":"y"}}' --names '{"#s":"s"}'
gives 2 'unused in expressions: keys: {:unused}' ctl put tab '{"PK":"a","SK":1}' --if 's = :v' --values '{":v":"x",":unused":1}'
gives 2 'unused in expressions: keys: {#unused}' ctl put tab '{"PK":"a","SK":1}' --if 's = "x"' --names '{"#unused":"a-b"}'
gives 2 'SerializationException: --values: not JSON' ctl put tab '{"PK":"a","SK":1}' --if 's = :v' --values ''
gives 2 'SerializationException: --names: not JSON' ctl get tab a 1 --project '#s' --names '{'
gives 2 'SerializationException: --start: not JSON' ctl query tab a --start ''
gives 2 '--start: ' ctl scan tab --start '[]'
gives 2 '--return must be old' ctl put tab '{"PK":"a","SK":1}' --return new
gives 2 'ValidationException: 1 validation error detected: Invalid ConditionExpression' ctl put tab '{"PK":"a","SK":1}' --if 's = "x" AN n > 1'
eq 'with a caret under the place' "$(printf '%s\n' "$err" | tail -2)" $'  s = "x" AN n > 1\n          ^'
gives 2 'ValidationException' ctl put tab '{"PK":"a","SK":1}' --if 's = "x'
eq 'also at an unclosed quote' "$(printf '%s\n' "$err" | tail -2)" $'  s = "x\n      ^'
gives 2 '' ctl put tab '{"PK":"a","SK":1}' --if $'s = "ä" AND\n  n ==  1'
eq 'in the right line' "$(printf '%s\n' "$err" | tail -2)" $'    n ==  1\n       ^'

# ---- several items are printed as an array, a single one without, none as nothing
ok ctl put tab '{"PK":"j","SK":1}' --format json --return old
eq 'no item' "$out" ''
ok ctl put tab '{"PK":"j","SK":1}' --format json --return old
eq 'one item' "$(printf '%s' "$out" | jq -c .)" '{"PK":"j","SK":1}'
ok ctl put tab '{"PK":"j","SK":1}' '{"PK":"j","SK":1}' --format json --return old
eq 'two items' "$(printf '%s' "$out" | jq -c .)" '[{"PK":"j","SK":1},{"PK":"j","SK":1}]'
ok ctl delete tab j 1 --format json
eq 'a write prints nothing' "$out" ''
ok ctl query tab j --format json
eq 'a list without items' "$out" '[]'
gives 2 'update TABLE PK [SK] EXPR: the key needs a value for SK too' ctl update tab a 1

# ---- delete
gives 4 '' ctl delete tab a 1 --if 's = "q"'
ok ctl delete tab a 1 --if 's = "z"' --return old
eq 'delete prints the old item' "$(printf %s "$out" | jq -c .s)" '"z"'
gives 1 '' ctl get tab a 1
ok ctl delete tab a 1
eq 'deleting a missing item is not an error' "$out" ''
ctl query tab c --project PK,SK >keys
ok ctl delete tab - <keys
eq 'delete reports the number of keys' "$err" '4 keys deleted'
eq 'the items are deleted' "$(ctl query tab c --count)" 0
ok ctl delete tab - <keys
# ---- no records: the number 0 is reported
for command in "put tab -" "delete tab -" "update tab - SET\ x=1"; do
	eval "printf '\n  \n' | ok ctl $command"
	eq "$command of blank lines" "${err%% *} $out" '0 '
done
(seq 1 60 | sed 's/.*/{"PK":"d","SK":&,"x":"y"}/'; echo '{"PK":"d","SK":60}') >many
ctl put -q tab - <many
ok ctl delete tab - <many
eq 'delete accepts whole items, duplicates and several batches' "$(ctl query tab d --count)/$err" '0/61 keys deleted'
printf '{"PK":"b","SK":1}\n{"PK":"b"}\n' | gives 2 'Missing' ctl delete tab -
eq 'the keys before a bad line are deleted' "$(ctl query tab b)" '{"PK":"b","SK":2}'
done_testing
