#!/bin/bash
# PartiQL from the command line.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table music --key Artist,Song --gsi ByYear=Year:N
ok ctl sql "INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Blue', 'Year': 1999}; INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Red'};"
eq 'the number of written items' "$out$err" '2 items inserted'
eq 'GO ends a statement' "$(ctl -q sql - <<<$'SELECT Song FROM music WHERE Artist = \'Acme\'\nGO\nselect Year from music\ngo \n' | wc -l)" 4
ok ctl sql "DELETE FROM music WHERE Artist = 'Acme' AND Song = 'Nothing'"
eq 'a missing item is reported' "$out$err" '0 items deleted: there is no item with that key'
eq 'a query' "$(ctl sql "SELECT * FROM music WHERE Artist = 'Acme' AND begins_with(Song, 'B')")" '{"Artist":"Acme","Song":"Blue","Year":1999}'
eq 'a statement without the command' "$(ctl "select Song from music where Artist = 'Acme'")" $'{"Song":"Blue"}\n{"Song":"Red"}'
eq 'a query of an index' "$(ctl sql 'SELECT Song FROM music.ByYear WHERE Year = 1999')" '{"Song":"Blue"}'

# ---- parameters: JSON or text
eq 'text parameters' "$(ctl sql 'SELECT Song FROM music WHERE Artist = ? AND Song = ?' Acme Red)" '{"Song":"Red"}'
eq 'a number parameter' "$(ctl sql 'SELECT Song FROM music.ByYear WHERE Year = ?' 1999)" '{"Song":"Blue"}'
ok ctl sql 'INSERT INTO music VALUE {'"'Artist'"': ?, '"'Song'"': ?, '"'Parts'"': ?}' B '{"S":"5"}' '{"a":[1,true,null]}'
eq 'lists, maps, typed values' "$(ctl get music B 5)" '{"Artist":"B","Song":"5","Parts":{"a":[1,true,null]}}'
eq 'parameters of several statements' "$(ctl sql 'SELECT Song FROM music WHERE Artist = ?; SELECT Song FROM music WHERE Artist = ? AND Song = ?' B Acme Red)" $'{"Song":"5"}\n{"Song":"Red"}'
gives 2 'itemctl: sql: there are more ? than parameters, which are 1' ctl sql 'SELECT Song FROM music WHERE Artist = ? AND Song = ?' Acme
gives 2 'itemctl: sql: 2 parameters are given, 1 are needed' ctl sql 'SELECT Song FROM music WHERE Artist = ?' Acme Red

# ---- formats, limits, files
eq 'csv' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Acme'" --format csv)" $'Song\nBlue\nRed'
eq 'typed' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Acme'" -o typed --limit 1)" '{"Song":{"S":"Blue"}}'
eq 'an empty result as JSON' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'C'" --format json)" '[]'
printf '%s\n' "-- a comment; with a semicolon" "SELECT Song FROM music WHERE Artist = 'Acme' AND Song = 'Blue'; /* ; */" \
	"SELECT Song AS x FROM \"music\" WHERE Artist = 'a;b'" >q.sql
gives 2 'Aliasing is not supported' ctl sql -f q.sql
sed -i 's/ AS x//' q.sql
for way in '-f q.sql' '--file q.sql' '@q.sql'; do
	eq "a file: $way" "$(ctl sql $way)" '{"Song":"Blue"}'
done
eq 'statements from standard input' "$(ctl sql <q.sql)$(ctl sql - <q.sql)" '{"Song":"Blue"}{"Song":"Blue"}'
gives 2 'itemctl: none.sql: No such file or directory' ctl sql @none.sql
printf ' ; -- nothing\n;' | gives 2 'itemctl: sql: there is no statement' ctl sql
seq 3000 | sed 's/.*/{"Artist":"Many","Song":"&","Text":"'"$(head -c 900 /dev/zero | tr '\0' x)"'"}/' | ok ctl -q import music
eq 'all pages' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Many'" | wc -l)" 3000
eq 'a limit over several pages' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Many'" -n 2000 | wc -l)" 2000

# ---- a refusal ends the script, and has a caret
gives 2 'Unexpected term' ctl sql "SELECT * FROM music WHERE Artist =< 'Acme'"
eq 'the caret is at the mistake' "$(tail -n 2 <<<"$err")" $'  SELECT * FROM music WHERE Artist =< \'Acme\'\n                                    ^'
gives 2 'Unexpected term' ctl sql "DELETE FROM music WHERE Artist='B' AND Song='5'; SELECT * FROM music WHERE Artist ==; DELETE FROM music WHERE Artist='Acme' AND Song='Red'"
eq 'the statements before it were carried out, the rest were not' "$(ctl sql "SELECT Song FROM music WHERE Artist IN ['Acme', 'B']")" $'{"Song":"Blue"}\n{"Song":"Red"}'
gives 2 'SELECT * FROM music WHERE a = '"'x" ctl sql "SELECT * FROM music WHERE a = 'x; DELETE"
gives 4 'DuplicateItemException' ctl sql "INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Blue'}"
gives 3 "did you mean: itemctl sql 'SELECT * FROM music'" ctl sql 'SELECT * FROM musci'
gives 3 "did you mean: itemctl sql --explain 'SELECT * FROM music'" ctl sql --explain 'SELECT * FROM musci'

# ---- explanations
eq 'a Query is explained' "$(ctl sql --explain "SELECT * FROM music WHERE Artist IN ['Acme','B'] AND Song >= 'A' AND Song < 'C' AND x = 1")" \
	"reads   a Query of music
keys    Artist = \"Acme\" AND Song >= \"A\" AND Song < \"C\"
        Artist = \"B\" AND Song >= \"A\" AND Song < \"C\"
filter  the rest of WHERE: items that it drops are read and cost units, too
cost    0.5 read units"
eq 'a Scan is explained' "$(ctl sql --explain "SELECT * FROM music.ByYear WHERE Song = 'Blue'" | head -n 3)" \
	"reads   a Scan, all of music.ByYear
filter  the rest of WHERE: items that it drops are read and cost units, too
hint    a WHERE with = or IN on Year would be a Query"
eq 'a write is explained' "$(ctl sql --explain "DELETE FROM music WHERE Artist = 'Acme' AND Song = 'Blue'" | head -n 1)" 'writes  a DeleteItem of music'
eq 'but not carried out' "$(ctl query music Acme --count)" 2
# At an endpoint an explanation reads nothing.
begin_server --listen 127.0.0.1:0
url=http://$(address log | tail -n 1)
by_key="SELECT * FROM music WHERE Artist = 'Acme' AND Song IN ['Blue','x']"
eq 'the estimate for a whole key' "$("$ITEMCTL" -s "$url" sql --explain "$by_key" | tail -n 1)" 'cost    about 1 read unit'
eq 'the estimate for a partition' "$("$ITEMCTL" -s "$url" sql --explain "SELECT * FROM music WHERE Artist = 'Acme'" | tail -n 1 | sed 's/about [0-9]*/about N/')" \
	'cost    0.5 read units for every 4 KB; an item has about N bytes; --explain --run runs the Query and measures it'
eq 'the estimate for consistent reads' "$("$ITEMCTL" -s "$url" sql --consistent --explain "SELECT * FROM music WHERE Artist = 'Acme'" | tail -n 1 | cut -c1-34)" \
	'cost    1 read unit for every 4 KB'
eq 'the measured cost' "$("$ITEMCTL" -s "$url" sql --explain --run "SELECT * FROM music WHERE Artist = 'Acme'" | tail -n 1)" 'cost    0.5 read units'
ctl -q create-table bare --key PK
eq 'the estimate for an empty table' "$("$ITEMCTL" -s "$url" sql --explain "SELECT * FROM bare WHERE PK = 'a'" | tail -n 1)" \
	"cost    0.5 read units for every 4 KB; the table's description has no item count yet; --explain --run runs the Query and measures it"
ctl -q drop bare --yes
end_server
gives 2 '--run needs --explain' ctl sql --run "$by_key"
gives 2 'Where clause does not contain a mandatory equality' ctl sql --explain "DELETE FROM music WHERE Artist = 'Acme'"

# ---- groups, which itemctl computes itself
ok ctl create-table orders --key PK,SK --gsi ByStatus=Status,SK
ok ctl import orders - <<'ITEMS'
{"PK":"a","SK":"1","Status":"OPEN","Total":10.5}
{"PK":"a","SK":"2","Status":"OPEN","Total":0.1,"Address":{"City":"X"}}
{"PK":"b","SK":"1","Status":"DONE","Total":99999999999999999999999999999999999999}
{"PK":"b","SK":"2","Total":null}
{"PK":"c","SK":"2","Status":"BAD","Mixed":"12"}
{"PK":"c","SK":"3","Status":"BAD","Mixed":12}
ITEMS
scans='itemctl groups the items itself: a Scan reads all of orders'
ok ctl sql 'SELECT Status, COUNT(*), COUNT(Total), SUM(Total), MIN(SK), MAX(SK), AVG(Total) FROM orders GROUP BY Status'
eq 'groups in order, the one without the attribute first' "$out" '{"Status":null,"COUNT(*)":1,"COUNT(Total)":0,"SUM(Total)":null,"MIN(SK)":"2","MAX(SK)":"2","AVG(Total)":null}
{"Status":"BAD","COUNT(*)":2,"COUNT(Total)":0,"SUM(Total)":null,"MIN(SK)":"2","MAX(SK)":"3","AVG(Total)":null}
{"Status":"DONE","COUNT(*)":1,"COUNT(Total)":1,"SUM(Total)":99999999999999999999999999999999999999,"MIN(SK)":"1","MAX(SK)":"1","AVG(Total)":99999999999999999999999999999999999999}
{"Status":"OPEN","COUNT(*)":2,"COUNT(Total)":2,"SUM(Total)":10.6,"MIN(SK)":"1","MAX(SK)":"2","AVG(Total)":5.3}'
eq 'a note says that it scans' "$err" "$scans"
ok ctl sql 'SELECT COUNT(*) FROM orders WHERE Total > 1'
eq 'and how a WHERE avoids this' "$err" "$scans; a WHERE with = or IN on PK would be a Query"
ok ctl sql "SELECT Status, COUNT(*) AS count, AVG(Total) a FROM orders WHERE PK = ? GROUP BY Status HAVING COUNT(*) > ?" a 1
eq 'groups with parameters and names' "$out" '{"Status":"OPEN","count":2,"a":5.3}'
eq 'groups of a Query' "$err" 'itemctl groups the items itself: a Query of orders'
eq 'no note with -q' "$(ctl -q sql 'SELECT COUNT(*) AS n, SUM(Total) FROM orders.ByStatus WHERE Status = '"'OPEN'" 2>&1)" '{"n":2,"SUM(Total)":10.6}'
eq 'ordered groups with a limit' "$(ctl -q sql 'SELECT Status, COUNT(*) AS n FROM orders GROUP BY Status ORDER BY n DESC, MAX(SK) DESC' --limit 2)" '{"Status":"BAD","n":2}
{"Status":"OPEN","n":2}'
eq 'groups without functions, as CSV' "$(ctl -q sql 'SELECT Address.City, Status FROM orders GROUP BY Status, Address.City' -o csv)" 'City,Status
,
,BAD
,DONE
,OPEN
X,OPEN'
ok ctl sql "SELECT COUNT(*), MAX(Total) FROM orders WHERE PK = 'zz'"
eq 'functions of no item' "$out" '{"COUNT(*)":0,"MAX(Total)":null}'
eq 'no groups without items' "$(ctl -q sql "SELECT SK FROM orders WHERE PK = 'zz' GROUP BY SK")" ''
ok ctl sql 'SELECT SUM(Totla) FROM orders'
eq 'an attribute that no item has' "$(tail -n 1 <<<"$err")" "none of the 6 items has an attribute Totla: did you mean: itemctl sql 'SELECT SUM(Total) FROM orders'"
eq 'groups are explained' "$(ctl sql --explain 'SELECT COUNT(*) FROM orders' 2>&1 | head -n 2)" "$scans
reads   a Scan, all of orders"
eq 'COUNT is a name, too' "$(ctl -q sql "SELECT \"COUNT\" FROM orders WHERE PK = 'a' AND SK = '1'" -o json)" '[
{}
]'
while IFS=$'\t' read -r statement place message; do
	gives 2 "$message" ctl sql "$statement"
	[ "$place" = - ] || eq "where: $statement" "$(tail -n 1 <<<"$err" | tr -d ' ' | wc -c)-$(tail -n 1 <<<"$err" | wc -c)" "2-$((place + 3))"
done <<'ROWS'
SELECT SUM(Mixed) FROM orders	-	SUM(Mixed): an item has a text, "12": only numbers can be added; WHERE attribute_type("Mixed", 'N') leaves it out
SELECT MIN(Mixed) FROM orders	-	MIN(Mixed): an item has a number, 12: items before it have values of another type; WHERE attribute_type("Mixed", 'S') leaves it out
SELECT MAX(Address) FROM orders	-	MAX(Address): an item has a map, {"City":"X"}: only numbers, texts and binary values have an order
SELECT COUNT(*) FROM orders GROUP BY Address	-	Address: an item has a map, {"City":"X"}: GROUP BY takes no lists, maps or sets
SELECT SUM(Total) FROM orders WHERE PK IN ['a', 'b']	-	SUM(Total): the sum has more than the 38 digits of a number
SELECT Status, PK, COUNT(*) FROM orders GROUP BY Status	16	PK is neither in GROUP BY nor in COUNT, SUM, MIN, MAX or AVG
SELECT Status, COUNT(DISTINCT PK) FROM orders GROUP BY Status	22	COUNT(DISTINCT ...) is not supported
SELECT * FROM orders GROUP BY Status	8	* has no value for a group
SELECT ROUND(Total), COUNT(*) FROM orders	8	there is no function ROUND
SELECT SUM(Total * 2) FROM orders	18	SUM takes one attribute, and ) after it
SELECT COUNT(*), COUNT(*) FROM orders	18	two columns are called COUNT(*): name one with AS
SELECT COUNT(*) + 1 FROM orders	17	a column is an attribute or one of COUNT
SELECT COUNT(*) FROM orders WHERE PK =< 'a' GROUP BY SK	39	Unexpected term
SELECT COUNT(*) FROM orders GROUP BY Status HAVING COUNT(*) BETWEEN 1 AND 2	61	HAVING compares a column
SELECT COUNT(*) FROM orders GROUP BY Status HAVING COUNT(*) = 1 OR COUNT(*) = 2	65	HAVING joins its conditions only with AND
SELECT COUNT(*) FROM orders GROUP BY Status HAVING Total > 1	52	Total is neither a column of SELECT nor in GROUP BY
SELECT COUNT(*) FROM orders ORDER BY COUNT(*) GROUP BY Status	47	the order is WHERE, GROUP BY, HAVING, ORDER BY
SELECT COUNT(*), FROM orders	18	Unexpected keyword
ROWS
gives 3 "did you mean: itemctl sql 'SELECT COUNT(*) FROM orders'" ctl sql 'SELECT COUNT(*) FROM ordres'
gives 2 'there are more ? than parameters' ctl sql 'SELECT COUNT(*) FROM orders GROUP BY SK HAVING COUNT(*) > ?'
gives 2 'Unsupported clause: GROUP BY' ctl call ExecuteStatement '{"Statement":"SELECT SK FROM orders GROUP BY SK"}'
done_testing
