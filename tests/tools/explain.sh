#!/bin/bash
# --explain of get, query and scan: the request, its keys, what is read and returned, its cost; at an endpoint nothing
# is read.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table films --key PK,SK --gsi ByGenre=Genre,Year:N
ctl -q put films '{"PK":"a","SK":"1","Genre":"Crime","Year":1999,"n":1}' '{"PK":"a","SK":"2","Genre":"Crime","Year":2001,"n":2}' \
	'{"PK":"a","SK":"3","n":3}' '{"PK":"b","SK":"1","Genre":"Drama","Year":1999,"n":4}'
dropped='applied after reading; items that it drops cost units, too'

# ---- in a store directory the request is made, and its items are not printed
ok ctl query films a --explain
eq 'a partition' "$out$err" 'reads   a Query of films
keys    PK = "a"
items   3 read (ScannedCount), 3 returned (Count), 1 page
cost    0.5 read units'
ok ctl query films Crime --index ByGenre --gt 2000 --filter 'n   >  1 AND begins_with(SK, "2")' --explain
eq 'an index, a range and a filter' "$out" "reads   a Query of films.ByGenre
keys    Genre = \"Crime\" AND Year > 2000
filter  n > 1 AND begins_with(SK, \"2\"): $dropped
items   1 read (ScannedCount), 1 returned (Count), 1 page
cost    0.5 read units"
ok ctl query films a --filter 'n = 3' --page-size 1 --explain
eq 'pages, and a filter that drops most' "$(tail -n 3 <<<"$out")" 'items   3 read (ScannedCount), 1 returned (Count), 4 pages
cost    2 read units
hint    the filter drops 2 of the 3 items that are read and cost units; a key or index with n would not read them'
ok ctl query films --shards 1..12 --explain
eq 'shards' "$(head -n 2 <<<"$out"; tail -n 3 <<<"$out")" 'reads   a Query of films
keys    PK = "1"
        ... and 2 more
items   0 read (ScannedCount), 0 returned (Count), 12 pages
cost    6 read units'
ok ctl get films a 1 --explain --consistent
eq 'an item' "$out" 'reads   a GetItem of films
keys    PK = "a" AND SK = "1"
items   1 read (ScannedCount), 1 returned (Count), 1 request
cost    1 read unit'
ok ctl get films a 9 --explain
eq 'an item that is not there' "$(sed -n 3,4p <<<"$out")" 'items   0 read (ScannedCount), 0 returned (Count), 1 request
cost    0.5 read units'
ok ctl scan films --explain
eq 'a Scan' "$out" 'reads   a Scan, all of films
items   4 read (ScannedCount), 4 returned (Count), 1 page
cost    0.5 read units
hint    a Scan reads everything, a Query only one PK: itemctl -s '"$S"' query films VALUE'
ok ctl scan films --filter "Genre = 'Dra ma' AND n > 1" --explain
eq 'a Scan that could be a Query' "$(tail -n 2 <<<"$out")" "hint    the filter drops 4 of the 4 items that are read and cost units
hint    Genre is a partition key; use it as the key, not in a filter: itemctl -s $S query films 'Dra ma' --index ByGenre --filter ..."
ok ctl scan films --filter "Genre = 'Drama' OR n > 1" --explain
eq 'a Scan that could not' "$(tail -n 1 <<<"$out")" 'hint    a Scan reads everything, a Query only one PK: itemctl -s '"$S"' query films VALUE'
ok ctl scan films --index ByGenre --explain --segments 3 --count
eq 'segments of an index' "$(sed '2s/[0-9]* pages/N pages/; 3d' <<<"$out")" 'reads   a Scan, all of films.ByGenre
items   3 read (ScannedCount), 3 returned (Count), N pages
hint    a Scan reads everything, a Query only one Genre: itemctl -s '"$S"' query films VALUE --index ByGenre'
ok ctl scan films --limit 1 --explain --format csv
eq 'a limit: only what is read' "$(sed -n 2p <<<"$out")" 'items   1 read (ScannedCount), 1 returned (Count), 1 page'
for line in 'get films a 1' 'query films a' 'scan films' "sql 'SELECT * FROM films'"; do
	eq "explain $line" "$(eval "ctl explain $line")" "$(eval "ctl $line --explain")"
done
ctl query films --explain a >/dev/full 2>full.err
eq 'a full disk' $? 70

# ---- mistakes give the same messages as without --explain
gives 2 '--run needs --explain' ctl query films a --run
gives 2 '--run needs --explain' ctl get films a 1 --run
gives 2 'give only one of cost and --explain' ctl cost scan films --explain
gives 3 'scan films --explain' ctl scan flims --explain
gives 3 'there are ByGenre' ctl query films a --index Genre --explain
gives 2 'Invalid FilterExpression' ctl scan films --filter 'n ==' --explain
eq 'the message has a caret' "$(tail -n 1 <<<"$err")" '     ^'
gives 2 'the key needs a value for SK' ctl get films a --explain

# ---- at an endpoint nothing is read unless requested

if [ -z "${SERVED-}" ]; then
	begin_server --listen 127.0.0.1:0
	url=http://$(address log | tail -n 1)
	ok itemctl_of "$url" --capacity query films a --explain
	eq 'a Query' "$(sed 's/about [0-9]*/about N/' <<<"$out")/$err" 'reads   a Query of films
keys    PK = "a"
cost    0.5 read units for every 4 KB; an item has about N bytes; --explain --run runs the Query and measures it/'
	ok itemctl_of "$url" --capacity scan films --filter 'n = 1' --explain
	eq 'a Scan at an endpoint' "$out/$err" "reads   a Scan, all of films
filter  n = 1: $dropped
items   not read; --explain --run reads and counts
cost    about 0.5 read units
hint    a Scan reads everything, a Query only one PK: itemctl -s $url query films VALUE/"
	ok itemctl_of "$url" --capacity get films a 1 --explain
	eq 'an item at an endpoint' "$out/$err" 'reads   a GetItem of films
keys    PK = "a" AND SK = "1"
items   not read; --explain --run reads and counts
cost    about 0.5 read units/'
	ok itemctl_of "$url" query films a --explain --run
	eq '--run reads at an endpoint' "$(tail -n 2 <<<"$out")" 'items   3 read (ScannedCount), 3 returned (Count), 1 page
cost    0.5 read units'
	cat >patterns <<'END'
pattern each
    transact
        get films a 1
    call BatchGetItem '{"RequestItems":{"films":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"1"}}]}}}'
    call TransactGetItems '{"TransactItems":[{"Get":{"TableName":"films","Key":{"PK":{"S":"a"},"SK":{"S":"1"}}}}]}'
    call ExecuteStatement '{"Statement":"SELECT SK FROM films"}'
    call BatchExecuteStatement '{"Statements":[{"Statement":"SELECT * FROM films WHERE PK = 1 AND SK = 1"}]}'
    call ExecuteTransaction '{"TransactStatements":[{"Statement":"SELECT * FROM films WHERE PK = 1 AND SK = 1"}]}'
    call Scan '{"TableName":"films"}'
END
	ok itemctl_of "$url" --capacity run patterns each --explain
	eq 'every kind of read at an endpoint' "$(grep -c '^reads' <<<"$out") $(grep -c 'not known; --explain --run measures it' <<<"$out")$err" '7 6'
	end_server
fi
# ---- options of aws, together with our own
aws='--table-name films --key-condition-expression PK=:p --expression-attribute-values {":p":{"S":"a"}}'
for line in "explain query $aws" "query $aws --explain" "query --explain $aws"; do
	eq "$line" "$(ctl $line | head -n 2)" $'reads   a Query of films\nkeys    PK="a"'
done
eq '--count with options of aws' "$(ctl query $aws --count | jq -r .Count)" "$(ctl query films a --count)"
eq '--reverse with options of aws' "$(ctl query $aws --reverse --project SK | jq -c '[.Items[].SK.S]')" "$(ctl query films a -r --project SK | jq -sc '[.[].SK]')"
eq 'the cost of a request' "$(ctl cost query $aws)" "$(ctl cost query films a)"
put='--table-name films --item {"PK":{"S":"new"},"SK":{"S":"1"}}'
eq 'a write is not carried out' "$(ctl explain put-item $put | head -n 1) $(ctl query films new --count 2>/dev/null)" 'writes  a PutItem of films 0'
eq 'and its cost is not counted twice' "$(ctl cost put-item $put | jq -r .ReadUnits)" 0
eq 'a PartiQL statement' "$(ctl explain execute-statement --statement "SELECT * FROM films WHERE PK = 'a'")" "$(ctl explain "SELECT * FROM films WHERE PK = 'a'")"
ok ctl explain list-tables
eq 'a command that does not read' "$out$err" 'no item was read or written: there is nothing to explain'

# ---- limits
scan='SELECT * FROM films WHERE n = 3'
gives 1 'FAILED: it is a Scan' ctl explain --fail-on-scan --max-rcu 500 "$scan"
gives 1 'FAILED: it is a Scan' ctl scan films --explain --no-scan
gives 1 'FAILED: it costs 0.5 read units, more than 0.4' ctl explain --no-scan --max-units 0.4 "SELECT * FROM films WHERE PK = 'a'"
gives 1 'FAILED: it costs 0.5 read units, more than 0' ctl explain query $aws --max-rcu 0
gives 1 'FAILED: it costs what is not known' ctl explain --max-units 5 "DELETE FROM films WHERE PK = 'a' AND SK = '1'"
gives 1 'FAILED: it is a Scan' ctl explain --no-scan "$scan; SELECT * FROM films WHERE PK = 'a'"
ok ctl explain --no-scan --max-units 0.5 "SELECT * FROM films WHERE PK = 'a'; SELECT * FROM films WHERE PK = 'b'"
ok ctl query films a --explain --no-scan --max-units 0.5
gives 2 "--no-scan needs --explain: itemctl query films a --no-scan --explain" ctl query films a --no-scan
gives 2 "--no-scan needs --explain: itemctl sql '$scan' --fail-on-scan --explain" ctl sql "$scan" --fail-on-scan
gives 2 '--max-units needs a number, such as 5 or 0.5, not x' ctl explain query films a --max-units x
done_testing
