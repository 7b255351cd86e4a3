#!/bin/bash
# PartiQL from the command line.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table music --key Artist,Song --gsi ByYear=Year:N
ok ctl sql "INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Blue', 'Year': 1999}; INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Red'};"
eq 'nothing is said of writes' "$out$err" ''
eq 'a query' "$(ctl sql "SELECT * FROM music WHERE Artist = 'Acme' AND begins_with(Song, 'B')")" '{"Artist":"Acme","Song":"Blue","Year":1999}'
eq 'the statement alone' "$(ctl "select Song from music where Artist = 'Acme'")" $'{"Song":"Blue"}\n{"Song":"Red"}'
eq 'of an index' "$(ctl sql 'SELECT Song FROM music.ByYear WHERE Year = 1999')" '{"Song":"Blue"}'

# ---- parameters: JSON, or a text
eq 'a text' "$(ctl sql 'SELECT Song FROM music WHERE Artist = ? AND Song = ?' Acme Red)" '{"Song":"Red"}'
eq 'a number' "$(ctl sql 'SELECT Song FROM music.ByYear WHERE Year = ?' 1999)" '{"Song":"Blue"}'
ok ctl sql 'INSERT INTO music VALUE {'"'Artist'"': ?, '"'Song'"': ?, '"'Parts'"': ?}' B '{"S":"5"}' '{"a":[1,true,null]}'
eq 'lists, maps, typed values' "$(ctl get music B 5)" '{"Artist":"B","Song":"5","Parts":{"a":[1,true,null]}}'
eq 'over several statements' "$(ctl sql 'SELECT Song FROM music WHERE Artist = ?; SELECT Song FROM music WHERE Artist = ? AND Song = ?' B Acme Red)" $'{"Song":"5"}\n{"Song":"Red"}'
gives 2 'itemctl: sql: there are more ? than parameters, which are 1' ctl sql 'SELECT Song FROM music WHERE Artist = ? AND Song = ?' Acme
gives 2 'itemctl: sql: 2 parameters are given, 1 are asked for' ctl sql 'SELECT Song FROM music WHERE Artist = ?' Acme Red

# ---- forms, limits, files
eq 'csv' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Acme'" --format csv)" $'Song\nBlue\nRed'
eq 'typed' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Acme'" -o typed --limit 1)" '{"Song":{"S":"Blue"}}'
eq 'an empty list' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'C'" --format json)" '[]'
printf '%s\n' "-- a comment; with a semicolon" "SELECT Song FROM music WHERE Artist = 'Acme' AND Song = 'Blue'; /* ; */" \
	"SELECT Song AS x FROM \"music\" WHERE Artist = 'a;b'" >q.sql
gives 2 'Aliasing is not supported' ctl sql -f q.sql
sed -i 's/ AS x//' q.sql
for way in '-f q.sql' '--file q.sql' '@q.sql'; do
	eq "a file: $way" "$(ctl sql $way)" '{"Song":"Blue"}'
done
eq 'standard input' "$(ctl sql <q.sql)$(ctl sql - <q.sql)" '{"Song":"Blue"}{"Song":"Blue"}'
gives 2 'itemctl: none.sql: No such file or directory' ctl sql @none.sql
printf ' ; -- nothing\n;' | gives 2 'itemctl: sql: there is no statement' ctl sql
seq 3000 | sed 's/.*/{"Artist":"Many","Song":"&","Text":"'"$(head -c 900 /dev/zero | tr '\0' x)"'"}/' | ok ctl -q import music
eq 'all pages' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Many'" | wc -l)" 3000
eq 'some of them' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'Many'" -n 2000 | wc -l)" 2000

# ---- refusals: the first one ends it, with a caret
gives 2 'Unexpected term' ctl sql "SELECT * FROM music WHERE Artist == 'Acme'"
eq 'where it is' "$(tail -n 2 <<<"$err")" $'  SELECT * FROM music WHERE Artist == \'Acme\'\n                                    ^'
gives 2 'Unexpected term' ctl sql "DELETE FROM music WHERE Artist='B' AND Song='5'; SELECT * FROM music WHERE Artist ==; DELETE FROM music WHERE Artist='Acme' AND Song='Red'"
eq 'what stands before was done, the rest not' "$(ctl sql "SELECT Song FROM music WHERE Artist IN ['Acme', 'B']")" $'{"Song":"Blue"}\n{"Song":"Red"}'
gives 2 'SELECT * FROM music WHERE a = '"'x" ctl sql "SELECT * FROM music WHERE a = 'x; DELETE"
gives 4 'DuplicateItemException' ctl sql "INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Blue'}"
gives 3 'did you mean music?' ctl sql 'SELECT * FROM musci'
gives 3 'did you mean music?' ctl sql --explain 'SELECT * FROM musci'

# ---- how it is read
eq 'a Query' "$(ctl sql --explain "SELECT * FROM music WHERE Artist IN ['Acme','B'] AND Song >= 'A' AND Song < 'C' AND x = 1")" \
	"reads   a Query of music
keys    Artist = \"Acme\" AND Song >= \"A\" AND Song < \"C\"
        Artist = \"B\" AND Song >= \"A\" AND Song < \"C\"
filter  the rest of WHERE: what it drops is read, and costs, too
cost    0.5 read units"
eq 'a Scan' "$(ctl sql --explain "SELECT * FROM music.ByYear WHERE Song = 'Blue'" | head -n 3)" \
	"reads   a Scan, all of music.ByYear
filter  the rest of WHERE: what it drops is read, and costs, too
hint    a WHERE with = or IN on Year would be a Query"
eq 'a write' "$(ctl sql --explain "DELETE FROM music WHERE Artist = 'Acme' AND Song = 'Blue'" | head -n 1)" 'writes  a DeleteItem of music'
eq 'which is not done' "$(ctl query music Acme --count)" 2
# At an endpoint nothing is read to tell it.
begin_server --listen 127.0.0.1:0
url=http://$(address log | tail -n 1)
by_key="SELECT * FROM music WHERE Artist = 'Acme' AND Song IN ['Blue','x']"
eq 'by keys' "$("$ITEMCTL" -s "$url" sql --explain "$by_key" | tail -n 1)" 'cost    about 1 read units'
eq 'of a partition' "$("$ITEMCTL" -s "$url" sql --explain "SELECT * FROM music WHERE Artist = 'Acme'" | tail -n 1 | sed 's/about [0-9]*/about N/')" \
	'cost    0.5 read units for every 4 KB; an item has about N bytes; --explain --run runs the Query and measures it'
eq 'strongly consistent' "$("$ITEMCTL" -s "$url" sql --consistent --explain "SELECT * FROM music WHERE Artist = 'Acme'" | tail -n 1 | cut -c1-34)" \
	'cost    1 read unit for every 4 KB'
eq 'measured' "$("$ITEMCTL" -s "$url" sql --explain --run "SELECT * FROM music WHERE Artist = 'Acme'" | tail -n 1)" 'cost    0.5 read units'
ctl -q create-table bare --key PK
eq 'of an empty table' "$("$ITEMCTL" -s "$url" sql --explain "SELECT * FROM bare WHERE PK = 'a'" | tail -n 1)" \
	"cost    0.5 read units for every 4 KB; the table's description counts no items yet; --explain --run runs the Query and measures it"
ctl -q drop bare --yes
end_server
gives 2 '--run needs --explain' ctl sql --run "$by_key"
gives 2 'Where clause does not contain a mandatory equality' ctl sql --explain "DELETE FROM music WHERE Artist = 'Acme'"
done_testing
