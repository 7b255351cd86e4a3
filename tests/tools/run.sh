#!/bin/bash
# run: named access patterns, parameters as values, consumption.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table shop --key PK,SK --gsi ByStatus=Status,Total:N
ctl put shop '{"PK":"C1","SK":"profile","Name":"O'\''Hara"}' '{"PK":"C1","SK":"OPEN#1","Status":"OPEN","Total":20}' \
	'{"PK":"C1","SK":"OPEN#2","Status":"OPEN","Total":5}' '{"PK":"C1","SK":"OLD#1","Status":"OLD","Total":7}'

cat >patterns <<'END'
# a shop
pattern open-orders  Open orders of a customer, newest first
    param customer=C1  who ordered
    param least:N=0
    query shop ${customer} --begins-with OPEN# --reverse --project 'SK, Total'
        --filter 'Total >= ${least}'

pattern customer  The customer and the orders
    param id
    get shop ${id} profile
    query shop ${id} --count

pattern named
    param name
    scan shop --filter 'Name = ${name}'

pattern rename
    param id=C1
    param name
    param n:N=1
    update shop ${id} profile 'SET Name = ${name}, Renamed = if_not_exists(Renamed, 0) + ${n}'
    put shop {"PK":"${id}","SK":"log#${n}","What":${name},"n":${n}}

pattern ship
    param id=C1
    param order
    transact
        put shop {"PK":"${id}",
                  "SK":"SHIPPED#${order}"}
            if attribute_not_exists(PK)
        # it is no longer open
        delete shop ${id} OPEN#${order} if Status = ${status}
        update shop ${id} profile 'ADD Shipped ${one}' if Name <> ${order}
    param status=OPEN
    param one:N=1

pattern raw
    call GetItem '{"TableName":"shop","Key":{"PK":{"S":"C1"},"SK":{"S":"profile"}}}'
pattern key
    param k
    get shop C1 ${k}
pattern limited
    param n
    query shop C1 --limit ${n} --project SK
pattern bad-filter
    query shop C1 --filter 'Total == 1'
pattern bad-command
    drop shop --yes
pattern bad-option
    query shop C1 --frob
pattern bad-parameter
    get shop C1 ${nothing}
pattern bad-name
    param k=Total
    query shop C1 --filter '#${k} = 1'
pattern twice
    get shop C1 nowhere
    get shop C1 profile --project Name
pattern stops
    get none C1
    get shop C1 profile
pattern blank
    param x
    put shop ' {"PK":"blank","SK":"${x}"}'
END
cat >calls <<'END'
pattern batch
    call BatchGetItem '{"RequestItems":{"shop":{"Keys":[{"PK":{"S":"C1"},"SK":{"S":"profile"}},
                       {"PK":{"S":"C1"},"SK":{"S":"OLD#1"}},{"PK":{"S":"C1"},"SK":{"S":"none"}}]}}}'
pattern both
    call TransactGetItems '{"TransactItems":[{"Get":{"TableName":"shop","Key":{"PK":{"S":"C1"},"SK":{"S":"OLD#1"}}}},
                           {"Get":{"TableName":"shop","Key":{"PK":{"S":"C1"},"SK":{"S":"none"}}}}]}'
pattern put-batch
    call BatchWriteItem '{"RequestItems":{"shop":[{"PutRequest":{"Item":{"PK":{"S":"B"},"SK":{"S":"1"}}}}]}}'
pattern select
    call ExecuteStatement '{"Statement":"SELECT SK FROM shop WHERE PK = ?","Parameters":[{"S":"C1"}]}'
pattern page
    call Query '{"TableName":"shop","Select":"COUNT","KeyConditionExpression":"PK = :p",
                 "ExpressionAttributeValues":{":p":{"S":"C1"}}}'
pattern nowhere
    call GetItem '{"TableName":"shop","Key":{"PK":{"S":"C1"},"SK":{"S":"none"}}}'
END

# ---- the list
ok "$ITEMCTL" run patterns
eq 'names, parameters, descriptions' "$(printf '%s\n' "$out" | head -2)" \
	'{"Pattern":"open-orders","Parameters":"customer=C1 least=0","Description":"Open orders of a customer, newest first"}
{"Pattern":"customer","Parameters":"id","Description":"The customer and the orders"}'

# ---- results and consumption
ok ctl run patterns open-orders
eq 'a pattern with its default values' "$out" $'{"SK":"OPEN#2","Total":5}\n{"SK":"OPEN#1","Total":20}'
eq 'its consumption' "$err" 'open-orders: 1 request, 2 items, 0.5 read units'
ok ctl run patterns open-orders least=6 customer=C1
eq 'a pattern with given values' "$out" '{"SK":"OPEN#1","Total":20}'
ok ctl -q run patterns open-orders customer=C2
eq 'no output for no result' "$out$err" ''
ok ctl run patterns customer id=C1
eq 'two commands' "$out" $'{"PK":"C1","SK":"profile","Name":"O\'Hara"}\n4'
eq 'the consumption of both together' "$err" 'customer: 2 requests, 5 items, 1.0 read units'
ok ctl --capacity run patterns open-orders
eq 'with --capacity there are both reports' "$err" $'open-orders: 1 request, 2 items, 0.5 read units\n0.5 read units of shop: table 0.5'
ok ctl --format json run patterns open-orders least=6
eq 'another output format' "$(printf %s "$out" | jq -c .)" '[{"SK":"OPEN#1","Total":20}]'
ok ctl run patterns raw
eq 'any operation' "$(printf %s "$out" | jq -r .Item.Name.S)/$err" "O'Hara/raw: 1 request, 1 item, 0.5 read units"
request='{"TableName":"shop","Key":{"PK":{"S":"C1"},"SK":{"S":"profile"}}}'
eq 'the response has only what was requested' "$out" "$(ctl call GetItem "$request")"
eq 'also with --capacity' "$(ctl --capacity call GetItem "$request" 2>/dev/null)" "$out"
eq 'and has what was requested' "$(ctl --capacity call GetItem "${request%\}},\"ReturnConsumedCapacity\":\"TOTAL\"}" 2>/dev/null | jq -c .ConsumedCapacity)" \
	'{"TableName":"shop","CapacityUnits":0.5}'
ok ctl run calls batch
eq 'a batch counts the items that it found' "$err" 'batch: 1 request, 2 items, 1.5 read units'
ok ctl run calls both
eq 'so does a transaction' "$err" 'both: 1 request, 1 item, 4.0 read units'
ok ctl run calls put-batch
eq 'written items are not counted as results' "$err" 'put-batch: 1 request, 0 items, 1.0 write units'
ok ctl run calls select
eq 'a statement' "$err" 'select: 1 request, 4 items, 0.5 read units'
ok ctl run calls page
eq 'a number' "$err" 'page: 1 request, 4 items, 0.5 read units'
ok ctl run calls nowhere
eq 'an empty response is printed' "$out $err" '{} nowhere: 1 request, 0 items, 0.5 read units'
ok ctl run patterns limited n=1
eq 'a parameter as the number of an option' "$out" '{"SK":"OLD#1"}'

# ---- writes
ok ctl run patterns rename name='"x" OR 1 = 1' n=-2
eq 'the consumption of writes' "$err" 'rename: 2 requests, 0 items, 2.0 write units'
eq 'a value may have any contents' "$(ctl get shop C1 profile)" '{"PK":"C1","SK":"profile","Name":"\"x\" OR 1 = 1","Renamed":-2}'
eq 'also a value in JSON' "$(ctl get shop C1 log#-2)" '{"PK":"C1","SK":"log#-2","What":"\"x\" OR 1 = 1","n":-2}'
ok ctl run patterns named name='"x" OR 1 = 1'
eq 'the item is found by this value' "$(printf %s "$out" | jq -r .SK)" profile
ok ctl run patterns ship order=1
eq 'a transaction' "$(ctl query shop C1 --project SK | jq -r .SK | tr '\n' ' ')" 'OLD#1 OPEN#2 SHIPPED#1 log#-2 profile '
eq 'all actions of the transaction' "$(ctl get shop C1 profile --project Shipped)" '{"Shipped":1}'
gives 4 'patterns:28: ConditionalCheckFailed' ctl run patterns ship order=1
gives 4 'patterns:32: ConditionalCheckFailed' ctl run patterns ship order=2 status=OLD

# ---- values are never options, names or standard input
gives 1 'not found' ctl run patterns key k=--project
gives 1 'not found' ctl run patterns key 'k=${k}'
gives 2 'would mean standard input' ctl run patterns key k=-
gives 2 'patterns:55: ${k} is a value, which cannot be used here' ctl run patterns bad-name
gives 2 '--limit needs a whole number, not "--count"' ctl run patterns limited n=--count

ok ctl run patterns blank x='a","Admin":true,"z":"b'
eq 'also JSON after a blank' "$(ctl query shop blank)" '{"PK":"blank","SK":"a\",\"Admin\":true,\"z\":\"b"}'

# ---- mistakes are reported with their line
gives 2 'patterns:46: Invalid FilterExpression' ctl run patterns bad-filter
eq 'the message has a caret' "$(printf '%s\n' "$err" | tail -2)" $'  Total == 1\n         ^'
gives 2 'patterns:48: a pattern may use get, query' ctl run patterns bad-command
gives 2 'patterns:50: unknown option --frob' ctl run patterns bad-option
gives 2 'patterns:52: there is no parameter "nothing"' ctl run patterns bad-parameter
gives 1 'not found' ctl run patterns twice
eq 'a missing item does not end a pattern' "$out" '{"Name":"\"x\" OR 1 = 1"}'
gives 3 'patterns:60: Requested resource not found' ctl run patterns stops
eq 'a failure does' "$out" ''
gives 2 'customer needs id=' ctl run patterns customer
gives 2 'no pattern "\u001b[2J"' ctl run patterns $'\e[2J'
gives 2 'least is a number, not "x"' ctl run patterns open-orders least=x
gives 2 'open-orders has no parameter "frob=1"; there are customer=, least=' ctl run patterns open-orders frob=1
gives 2 'patterns has no pattern "frob"; itemctl run patterns lists them' ctl run patterns frob
gives 2 'No such file' ctl run nowhere
printf '\n# none yet\n' >blank
gives 2 'blank has no patterns: each one begins with a line "pattern NAME"' ctl run blank
gives 2 'blank has no patterns' ctl run blank frob
: | gives 2 'standard input has no patterns' ctl run -
gives 2 '.: Is a directory' ctl run .
printf '\xef\xbb\xbf' | cat - patterns >marked
eq 'a byte order mark is ignored' "$(ctl run marked | head -n 1)" "$(ctl run patterns | head -n 1)"
gives 2 'no store' env -C / "$ITEMCTL" run "$W/patterns" customer id=C1
printf 'query shop C1\n' >margin
gives 2 'itemctl: margin:1: a line that is not indented begins a pattern: pattern NAME' ctl run margin
printf 'pattern w\n\n transact\n  put shop {"PK":"1","SK":"1"}\n  get shop 1 2\n' >mixed
gives 2 'itemctl: mixed:5: a transaction has only get lines or none' ctl run mixed w
printf 'pattern w\n transact\n  put shop {"PK":"1","SK":"1"}\n  delete shop 1 2 if a == 1\n' >caret
gives 2 'ValidationException: caret:4: Invalid ConditionExpression' ctl run caret w
eq 'one message, with a caret' "$(grep -c 'caret:' <<<"$err")$(tail -1 <<<"$err")" '1     ^'
printf 'pattern w\n transact\n  get shop C1 profile\n  get shop C1 nowhere\n' >missing
gives 1 'missing:4: not found' ctl run missing w
case $err in *'w: 1 request, 1 item, '*) ;; *) fail "a missing item is counted: $err" ;; esac
printf 'query shop C1\n' | gives 2 'itemctl: line 1: a line that is not indented begins a pattern: pattern NAME' ctl run -
# ---- all patterns as checks
cat >checks <<'END'
pattern open  Orders that are open
    param customer
    param least:N=0
    expect with customer=C2, 2 items, at most 0.5 read units, no Scan
    expect first SK=OPEN#2
    query checked ${customer} --begins-with OPEN# --reverse --filter 'Total >= ${least}'
pattern all
    scan checked
    expect 4 items, no Scan
pattern few
    expect at least 3 items, at most 0 units, first {"SK":"OPEN#2"}
    query checked C2 --begins-with OPEN#
pattern needs
    param customer
    param other=C1
    query checked ${customer}
pattern counted
    query checked C2 --count
    expect 3 items
pattern gone
    get checked C2 nowhere
pattern nothing
    get checked C2 nowhere
    expect 0 items
pattern wrong
    query checked C2 --filter 'Total == 1'
pattern writes
    put checked '{"PK":"C3","SK":"1"}'
    get checked C3 1
    expect 1 item, 2 requests, 1 write unit
END
ctl -q create-table checked --key PK,SK
ctl -q put checked '{"PK":"C1","SK":"1"}' '{"PK":"C2","SK":"OPEN#1","Total":20}' '{"PK":"C2","SK":"OPEN#2","Total":5}' '{"PK":"C2","SK":"profile"}'
gives 1 '9 patterns: 4 ok, 5 FAILED' ctl run checks --all
eq 'a line for each pattern' "$out" 'ok      open     1 request, 2 items, 0.5 read units
FAILED  all      expected no Scan, found 1 Scan
FAILED  few      expected at least 3 items, found 2 items; expected at most 0 units, found 0.5 units; expected first {"SK":"OPEN#2"}, found {"PK":"C2","SK":"OPEN#1","Total":20}
FAILED  needs    not run: customer has no value: expect with customer=VALUE
ok      counted  1 request, 3 items, 0.5 read units
FAILED  gone     not found; if that is right: expect 0 items
ok      nothing  1 request, 0 items, 0.5 read units
FAILED  wrong    ValidationException: checks:26: Invalid FilterExpression: Syntax error; token: "=", near: "== 1"
ok      writes   2 requests, 1 item, 0.5 read units, 1.0 write units'
eq 'and no other message' "$err" '9 patterns: 4 ok, 5 FAILED'
gives 1 '' ctl -q run checks --all --format json
eq 'the results as JSON' "$(jq -c '.[1, 2, 8]' <<<"$out")" \
	'{"Pattern":"all","Line":7,"Status":"FAILED","Requests":1,"Items":5,"ReadUnits":0.5,"WriteUnits":0,"Failures":["expected 4 items, found 5 items","expected no Scan, found 1 Scan"]}
{"Pattern":"few","Line":10,"Status":"FAILED","Requests":1,"Items":2,"ReadUnits":0.5,"WriteUnits":0,"Failures":["expected at least 3 items, found 2 items","expected at most 0 units, found 0.5 units","expected first {\"SK\":\"OPEN#2\"}, found {\"PK\":\"C2\",\"SK\":\"OPEN#1\",\"Total\":20}"]}
{"Pattern":"writes","Line":27,"Status":"ok","Requests":2,"Items":1,"ReadUnits":0.5,"WriteUnits":1,"Failures":[]}'
eq 'the results as JSON Lines' "$(ctl -q --format jsonl run checks --all | jq -r .Status | sort | uniq -c | xargs)" '5 FAILED 4 ok'
head -n 6 checks >good
ok ctl run good --all
eq 'all of them are as expected' "$out/$err" 'ok      open  1 request, 2 items, 0.5 read units/1 pattern: 1 ok, 0 FAILED'
ok ctl -q run good --all
eq 'no summary with -q' "$err" ''
printf 'pattern w\n put checked {"PK":"C4","SK":"1"}\n' >writes
ok ctl --dry-run run writes --all
gives 1 'not found' ctl get checked C4 1
gives 2 'writes:2: w may change items on another machine: --dry-run changes nothing, --yes runs it' itemctl_of http://192.0.2.1:1 run writes --all
printf 'pattern w\n call DeleteTable {"TableName":"checked"}\n' >drops
gives 2 'drops:2: w may change items' itemctl_of http://192.0.2.1:1 run drops --all
printf 'pattern w\n param k:N\n expect with k=x\n get checked ${k}\n' >unfit
gives 1 '' ctl run unfit --all
eq 'an invalid value' "$out" 'FAILED  w  unfit:1: k is a number, not "x"'
printf 'pattern w\n get checked C1 1\n expect with k=x\n' >unfit
gives 1 '' ctl run unfit --all
eq 'an unknown parameter' "$out" 'FAILED  w  unfit:1: w has no parameter "k=x"'
printf 'pattern w\n get checked C1 1\n expect 2 frobs\n' >unfit
gives 2 'itemctl: unfit:3: unexpected "frobs": write an expectation as: 2 items' ctl run unfit
gives 2 '--all runs every pattern, with the values that the file has: itemctl run good --all, or itemctl run good open' ctl run good open --all
gives 2 'give parameters as NAME=VALUE: itemctl run good open customer=C2' ctl run good open C2
gives 2 "itemctl run good open 'customer=C 2' least=5" ctl run good open 'C 2' 5
gives 2 "itemctl run good open least=5 customer=C2" ctl run good open least=5 C2
gives 2 'open has 2 parameters, not 3' ctl run good open a b c
gives 2 'blank has no patterns' ctl run blank --all
gives 2 'no store' env -C / "$ITEMCTL" run "$W/good" --all
printf 'pattern w\n expect with k="\x1b[2J"\n param k\n get checked ${k} 1\n' >hostile
gives 1 '' ctl run hostile --all
eq 'no control characters are printed' "$out" 'FAILED  w  not found; if that is right: expect 0 items'
# ---- how patterns are explained
ok ctl run good open customer=C2 least=6 --explain
eq 'a pattern is explained' "$out" 'reads   a Query of checked
keys    PK = "C2" AND begins_with(SK, "OPEN#")
filter  Total >= 6: applied after reading; items that it drops cost units, too
items   2 read (ScannedCount), 1 returned (Count), 1 page
cost    0.5 read units'
cat >each <<'END'
pattern each
    put checked '{"PK":"C9","SK":"1"}'
    update checked C9 1 'SET a = 1' --if 'b = 2'
    delete checked C2 profile
    transact
        put checked {"PK":"C9","SK":"1"}
    transact
        get checked C2 profile
    call BatchWriteItem '{"RequestItems":{"checked":[{"PutRequest":{"Item":{"PK":{"S":"C9"},"SK":{"S":"1"}}}}]}}'
    call BatchGetItem '{"RequestItems":{"checked":{"Keys":[{"PK":{"S":"C1"},"SK":{"S":"1"}}]}}}'
    call ExecuteStatement '{"Statement":"SELECT SK FROM checked"}'
    call Query '{"TableName":"checked","KeyConditions":{"PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"C2"}]}}}'
END
ok ctl run each each --explain --format json
eq 'each request is explained' "$(grep '^reads\|^writes' <<<"$out" | cut -c9- | paste -sd,)" 'a PutItem of checked,an UpdateItem of checked,a DeleteItem of checked,a TransactWriteItems,a TransactGetItems,a BatchWriteItem of checked,a BatchGetItem of checked,an ExecuteStatement,a Query of checked'
eq 'writes have their keys' "$(grep -A2 UpdateItem <<<"$out" | tail -n 2)" 'keys    PK = "C9" AND SK = "1"
cost    1 write unit for each KB of the item, before or after; the same for each index that changes'
eq 'a transaction costs twice' "$(grep -A1 WriteItems <<<"$out" | tail -n 1 | cut -c1-21)" 'cost    2 write units'
gives 1 'not found' ctl get checked C9 1
ok ctl get checked C2 profile
gives 2 'drops:2: --explain is not for DeleteTable' ctl run drops w --explain
gives 2 "--explain needs a pattern's name: itemctl run good NAME --explain" ctl run good --explain
gives 2 '--run needs --explain' ctl run good open customer=C2 --run
gives 2 'checks:26: Invalid FilterExpression' ctl run checks wrong --explain
# ---- results of patterns in YAML or JSON are printed as lines
ok ctl create-table written customer,order_id
ctl put written '{"customer":"c1","order_id":"o1"}'
printf '%s\n' '- name: of_customer' '  table: written' '  key: {customer: c1}' '  expect: 1' >written.yaml
gives 2 "written.yaml:1: patterns are plain lines, not YAML or JSON: printf '%s\n' 'pattern of_customer' '  query written c1' '  expect 1 items' >written.yaml.txt; itemctl run written.yaml.txt --all" ctl run written.yaml --all
line=$(ctl run written.yaml --all 2>&1 | sed -n 's/.*or JSON: //p')
eval "${line%%;*}"
gives 0 '' ctl run written.yaml.txt --all
printf '%s' '{"patterns":[{"name":"a","query":"written c2","expect":"no items"}]}' >written.json
gives 2 "'pattern a' '  query written c2' '  expect no items' >written.json.txt; itemctl run written.json.txt --all" ctl run written.json --all
gives 2 'begins a pattern: pattern NAME' ctl run - <<<'- name: a'
ok ctl drop written --yes

done_testing
