#!/bin/bash
# SQL of other programs: a SELECT that PartiQL can express is run in this form; for anything else the message has the
# line that does it.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table music --key Artist,Song --gsi ByYear=Year:N,Song
ctl -q create-table my-table --key id
ctl -q create-table app.users --key id:N
ctl -q create-table orders --key PK,SK --gsi GSI1=Status
full()
{
	ctl -q put music '{"Artist":"Acme","Song":"Blue","Year":1999,"Plays":5,"Label":"EMI"}' \
		'{"Artist":"Acme","Song":"Red","Year":2001,"Plays":3}' '{"Artist":"Bolt","Song":"Gold","Year":1999,"Plays":9,"Gone":null}'
	ctl -q put orders '{"PK":"a","SK":"1","Status":"OPEN"}' '{"PK":"a","SK":"2"}'
}
full
ctl -q put my-table '{"id":"a","n":1}'
ctl -q put app.users '{"id":1,"name":"Al"}'

# itemctl WORD... - a suggested line
itemctl()
{
	ctl "$@"
}

# ---- statements that are run; the note has the line, which gives the same result
while IFS=$'\t' read -r statement line; do
	ok ctl sql "$statement"
	eq "$statement" "$(sed -n 's/^read as: //p' <<<"${err//-s $S /}")" "itemctl sql $line"
	eq "the result: $statement" "$out" "$(eval "ctl -q sql $line")"
	[ -n "$out" ] || fail "no result: $statement"
done <<'ROWS'
SELECT * FROM music LIMIT 2	'SELECT * FROM music' --limit 2
SELECT * FROM music LIMIT 2;	'SELECT * FROM music' --limit 2
SELECT TOP 1 Song FROM music	'SELECT Song FROM music' --limit 1
SELECT Song FROM music FETCH FIRST 2 ROWS ONLY	'SELECT Song FROM music' --limit 2
SELECT Song FROM music WHERE Artist = 'Acme' ORDER BY Song DESC LIMIT 1	"SELECT Song FROM music WHERE Artist = 'Acme' ORDER BY Song DESC" --limit 1
SELECT Song FROM music WHERE Artist = 'Acme' LIMIT 1 ORDER BY Song	"SELECT Song FROM music WHERE Artist = 'Acme' ORDER BY Song" --limit 1
SELECT COUNT(*) FROM music LIMIT 5	'SELECT COUNT(*) FROM music' --limit 5
SELECT Artist, COUNT(*) FROM music GROUP BY Artist ORDER BY COUNT(*) DESC LIMIT 1	'SELECT Artist, COUNT(*) FROM music GROUP BY Artist ORDER BY COUNT(*) DESC' --limit 1
SELECT DISTINCT Artist FROM music	'SELECT Artist FROM music GROUP BY Artist'
SELECT DISTINCT Artist, Year FROM music WHERE Song > 'B' ORDER BY Year;	"SELECT Artist, Year FROM music WHERE Song > 'B' GROUP BY Artist, Year ORDER BY Year"
SELECT DISTINCT * FROM music	'SELECT * FROM music'
SELECT * FROM music WHERE Song LIKE 'B%'	"SELECT * FROM music WHERE begins_with(Song, 'B')"
SELECT * FROM music WHERE Song LIKE '%l%' AND Year < 2000	"SELECT * FROM music WHERE contains(Song, 'l') AND Year < 2000"
SELECT * FROM music WHERE Song NOT LIKE '%l%'	"SELECT * FROM music WHERE NOT contains(Song, 'l')"
SELECT * FROM music WHERE Artist LIKE 'Acme'	"SELECT * FROM music WHERE Artist = 'Acme'"
SELECT * FROM music WHERE Artist == 'Acme' && Song <> 'Red'	"SELECT * FROM music WHERE Artist = 'Acme' AND Song <> 'Red'"
SELECT m.Song FROM music m WHERE m.Artist = 'Acme'	"SELECT Song FROM music WHERE Artist = 'Acme'"
SELECT m.* FROM music AS m	'SELECT * FROM music'
SELECT music.* FROM music	'SELECT * FROM music'
SELECT music.Song, COUNT(*) FROM music GROUP BY music.Song	'SELECT Song, COUNT(*) FROM music GROUP BY Song'
SELECT m.Artist, COUNT(1) AS n FROM music m GROUP BY 1 ORDER BY 2 DESC	'SELECT Artist, COUNT(*) AS n FROM music GROUP BY Artist ORDER BY n DESC'
SELECT Artist, SUM(Plays) FROM music GROUP BY ALL ORDER BY 2 LIMIT 1	'SELECT Artist, SUM(Plays) FROM music GROUP BY Artist ORDER BY SUM(Plays)' --limit 1
FROM music WHERE Year > 2000	'SELECT * FROM music WHERE Year > 2000'
FROM music SELECT Song WHERE Artist = 'Bolt'	"SELECT Song FROM music WHERE Artist = 'Bolt'"
SELECT * FROM my-table	'SELECT * FROM "my-table"'
SELECT * FROM app.users WHERE id = 1	'SELECT * FROM "app.users" WHERE id = 1'
SELECT * FROM `music` WHERE `Artist` = 'Acme'	'SELECT * FROM "music" WHERE "Artist" = '\''Acme'\'''
SELECT * FROM 'music'	'SELECT * FROM "music"'
SELECT * FROM public.music	'SELECT * FROM "music"'
SELECT * FROM GSI1	'SELECT * FROM "orders"."GSI1"'
SELECT * FROM ByYear WHERE Year = 1999	'SELECT * FROM "music"."ByYear" WHERE Year = 1999'
SELECT * FROM music-ByYear WHERE Year = 1999	'SELECT * FROM "music"."ByYear" WHERE Year = 1999'
SELECT * FROM music.ByYear WHERE Year = '1999'	'SELECT * FROM "music"."ByYear" WHERE Year = 1999'
SELECT * FROM my-table WHERE id LIKE 'a%' LIMIT 3	'SELECT * FROM "my-table" WHERE begins_with(id, '\''a'\'')' --limit 3
ROWS
ok ctl sql 'SELECT * FROM music WHERE Artist = :a AND Song = $2' Acme Blue
eq 'named parameters' "${err//-s $S /} $(jq -r .Song <<<"$out")" "read as: itemctl sql 'SELECT * FROM music WHERE Artist = ? AND Song = ?' Acme Blue Blue"
ok ctl sql 'SELECT * FROM music LIMIT 3' --limit 1
eq 'the smaller of two limits applies' "$(wc -l <<<"$out")" 1
while IFS=$'\t' read -r statement says songs; do
	ok ctl sql "$statement"
	eq "$statement" "${err//-s $S /}" "$says"
	eq "rows of $statement" "$(jq -rs 'map(.Song) | join(",")' <<<"$out")" "$songs"
done <<'ROWS'
SELECT * FROM music ORDER BY Plays	itemctl sorts the items that this reads: itemctl sql 'SELECT * FROM music'	Red,Blue,Gold
SELECT * FROM music WHERE Year < 2005 ORDER BY Plays DESC LIMIT 1	itemctl sorts the items that this reads: itemctl sql 'SELECT * FROM music WHERE Year < 2005'	Gold
SELECT * FROM music WHERE Artist = 'Acme' LIMIT 1 OFFSET 1	itemctl skips the first items that this reads: itemctl sql "SELECT * FROM music WHERE Artist = 'Acme'"	Red
SELECT * FROM music WHERE Artist = 'Acme' LIMIT 1, 1	itemctl skips the first items that this reads: itemctl sql "SELECT * FROM music WHERE Artist = 'Acme'"	Red
SELECT Song, Plays FROM music ORDER BY 2 DESC LIMIT 1, 2	itemctl sorts the items that this reads: itemctl sql 'SELECT Song, Plays FROM music'	Blue,Red
SELECT Song FROM music ORDER BY Artist DESC, Plays	itemctl sorts the items that this reads: itemctl sql 'SELECT Song , "Artist" , "Plays" FROM music'	Gold,Red,Blue
SELECT Artist, Song FROM music ORDER BY Label DESC, Plays LIMIT 2	itemctl sorts the items that this reads: itemctl sql 'SELECT Artist, Song , "Label" , "Plays" FROM music'	Blue,Red
ROWS
gives 2 'itemctl sorts the items itself: itemctl sql' \
	ctl execute-statement --statement "SELECT Song FROM music WHERE Artist IN ('Acme', 'Boo') ORDER BY Song DESC"
gives 2 $'Expected data manipulation\nto see how it is read: itemctl sql' ctl execute-statement --statement "EXPLAIN SELECT * FROM music WHERE Plays = 5"
ok ctl sql 'SELECT Song FROM music ORDER BY Plays LIMIT 1'
eq 'an attribute that is only read for the order is not printed' "$out" '{"Song":"Red"}'
ok ctl sql 'SELECT * FROM music WHERE Artist = "Acme" LIMIT 2'
eq 'quotes are replaced, and LIMIT stays' "${err##*read as: }" "itemctl sql \"SELECT * FROM music WHERE Artist = 'Acme' LIMIT 2\""
# Names that no item has, in the place of values: all of them are texts
while IFS=$'\t' read -r statement line; do
	ok ctl sql "$statement"
	eq "$statement" "$(tail -n 1 <<<"${err//-s $S /}")" "strings need single quotes; read as: itemctl sql $line"
	eq "the result: $statement" "$out" "$(eval "ctl -q sql $line")"
	[ -n "$out" ] || fail "no result: $statement"
done <<'ROWS'
SELECT * FROM music WHERE Artist = "Acme" AND "Song" = "Blue"	'SELECT * FROM music WHERE Artist = '\''Acme'\'' AND "Song" = '\''Blue'\'''
SELECT * FROM music WHERE Artist = Acme AND Label = EMI	"SELECT * FROM music WHERE Artist = 'Acme' AND Label = 'EMI'"
SELECT * FROM music WHERE Artist IN ("Acme", "It's") AND begins_with(Song, "B")	"SELECT * FROM music WHERE Artist IN ('Acme', 'It''s') AND begins_with(Song, 'B')"
SELECT * FROM music WHERE Song BETWEEN "A" AND "C"	"SELECT * FROM music WHERE Song BETWEEN 'A' AND 'C'"
EXPLAIN SELECT * FROM music WHERE Artist = "Acme"	"EXPLAIN SELECT * FROM music WHERE Artist = 'Acme'"
ROWS
ok ctl sql 'SELECT Artist, COUNT(*) FROM music WHERE Artist = "Acme" GROUP BY Artist'
eq 'groups with a text in double quotes' "$out" '{"Artist":"Acme","COUNT(*)":2}'
ok ctl sql 'SELECT * FROM music WHERE Artist = "Song" AND Artist = "Label"'
eq 'attributes that exist stay names' "$out$err" ''
ok ctl sql --explain --capacity "SELECT * FROM music WHERE Artist = 'Acme'"
eq 'no items are read because of texts in single quotes' "$err" "$(ctl query music Acme --capacity 2>&1 >/dev/null)"
ok ctl sql 'SELECT * FROM music LIMIT 0'
eq 'LIMIT 0 gives no result' "$out" ''
ok ctl sql "SELECT * FROM music WHERE Artist = 'LIMIT 5' LIMIT 5"
eq 'a text is not taken for a clause' "$(head -n 1 <<<"${err//-s $S /}")" "read as: itemctl sql \"SELECT * FROM music WHERE Artist = 'LIMIT 5'\" --limit 5"
gives 3 "did you mean: itemctl sql 'SELECT * FROM music LIMIT 2'" ctl sql 'SELECT * FROM musci LIMIT 2'
# ---- misspelt keywords, a misspelt index, and a table whose name is a reserved word
while IFS=$'\t' read -r status statement line; do
	gives "$status" "did you mean: itemctl sql $line" ctl sql "$statement"
	ok eval "ctl sql $line"
done <<'ROWS'
2	selct * from music	'SELECT * from music'
2	select * form music	'select * FROM music'
2	select * from music limt 3	'select * from music' --limit 3
2	select * from music wher Artist = 'Acme'	"select * from music WHERE Artist = 'Acme'"
2	select * from music where Artist = 'Acme' odrer by Song	"select * from music where Artist = 'Acme' ORDER by Song"
2	select * from music order bye Song	'select * from music order BY Song'
3	SELECT * FROM music.byyear	'SELECT * FROM "music"."ByYear"'
2	SELECT * FROM Order	'SELECT * FROM "orders"'
ROWS
ok ctl sql 'SELECT * FROM music weather'
eq 'an alias is not taken for a misspelt word' "${err//-s $S /}" "read as: itemctl sql 'SELECT * FROM music'"
for explain in 'EXPLAIN' 'EXPLAIN ANALYZE' 'EXPLAIN QUERY PLAN' 'explain verbose'; do
	ok ctl sql "$explain SELECT * FROM music WHERE Artist = 'Acme'"
	eq "$explain" "${out/ (SEARCH)/}" "$(ctl sql --explain "SELECT * FROM music WHERE Artist = 'Acme'")"
done
ok ctl sql "EXPLAIN DELETE FROM music WHERE Artist = 'Acme' AND Song = 'Blue'"
eq 'nothing was deleted' "$(ctl count music)" 3

# ---- INSERT with column names is run
while IFS=$'\t' read -r statement line items; do
	ok ctl sql "$statement"
	eq "$statement" "$(head -n 1 <<<"${err//-s $S /}")" "read as: itemctl sql $line"
	eq "what it writes: $statement" "$(ctl query music Z)" "$items"
	ok ctl -q delete music Z --all
	ok eval "ctl -q sql $line"
	eq "what $line writes" "$(ctl query music Z)" "$items"
	ok ctl -q delete music Z --all
done <<'ROWS'
INSERT INTO music (Artist, Song) VALUES ('Z', "It's")	"INSERT INTO music VALUE {'Artist': 'Z', 'Song': 'It''s'}"	{"Artist":"Z","Song":"It's"}
INSERT INTO music (Artist, Song, Year) VALUES ('Z', 'Q', 5);	"INSERT INTO music VALUE {'Artist': 'Z', 'Song': 'Q', 'Year': 5}"	{"Artist":"Z","Song":"Q","Year":5}
ROWS
ok ctl sql "INSERT INTO music (Artist, Song) VALUES ('Z', 'Q'), ('Z', 'R')"
eq 'two rows' "$(tail -n 1 <<<"$err") $(ctl count music --filter 'Artist = "Z"')" '2 items inserted 2'
gives 4 DuplicateItemException ctl sql "INSERT INTO music (Artist, Song) VALUES ('Z', 'Q')"
ok ctl -q delete music Z --all
ok ctl sql 'INSERT INTO music (Artist, Song) VALUES (?, ?)' Z Q
eq 'parameters' "$(ctl query music Z)" '{"Artist":"Z","Song":"Q"}'
ok ctl -q delete music Z --all
gives 2 "name each value, and use single quotes around strings: INSERT INTO music (Artist, Song, ...) VALUES ('Z', 'Q', 5)" \
	ctl sql "INSERT INTO music VALUES ('Z', 'Q', 5)"
gives 2 'give as many names as values' ctl sql "INSERT INTO music (Artist, Song) VALUES ('Z')"
eq 'nothing was written' "$(ctl -q query music Z)" ''
gives 2 "to run all or none: itemctl -s $S execute-transaction" "$ITEMCTL" -s "$S" \
	"BEGIN; INSERT INTO music (Artist, Song) VALUES ('Z', 'Q'); DELETE FROM music WHERE Artist = \"Z\" AND Song = \"R\"; COMMIT"
ok eval "$(grep -o 'itemctl [a-z-].*' <<<"${err//-s $S /}" | head -n 1)"
eq 'the transaction' "$(ctl query music Z)" '{"Artist":"Z","Song":"Q"}'
ok ctl -q delete music Z --all

# ---- statements that are not run, since they write or are ambiguous; the message has the line that does it
while IFS=$'\t' read -r statement line after; do
	full
	gives 2 '' ctl sql "$statement"
	suggested=$(grep -o 'itemctl [a-z].*' <<<"${err//-s $S /}" | head -n 1)
	eq "$statement" "$suggested" "itemctl $line"
	answer=$(eval "$suggested" 2>"$W/suggested.err" </dev/null) || fail "cannot be pasted: $line: $answer"
	[ -z "$after" ] || eq "what it does: $line" "$(eval "$after")" yes
done <<'ROWS'
SELECT * FORM music	sql 'SELECT * FROM music'
SELCT * FROM music	sql 'SELECT * FROM music'
SELECT * music	sql 'SELECT * FROM music'
SELECT FROM music	sql 'SELECT * FROM music'
SELECT Song, FROM music	sql 'SELECT Song FROM music'
SELECT Song AS s FROM music	sql 'SELECT Song FROM music'
SELECT * FROM music WHERE	sql 'SELECT * FROM music'
SELECT * FROM music WHERE Artist = 'Acme	sql "SELECT * FROM music WHERE Artist = 'Acme'"
SELCT * FROM music ORDER BY Plays DESC LIMIT 1 OFFSET 1	sql 'SELECT * FROM music ORDER BY Plays DESC LIMIT 1 OFFSET 1'	[ "$(jq .Plays <<<"$answer")" = 5 ] && echo yes
SELECT * FROM music WHERE Artist = 'O'Brien'	sql "SELECT * FROM music WHERE Artist = 'O''Brien'"
SELECT COUNT(DISTINCT Artist) FROM music	sql 'SELECT Artist FROM music GROUP BY Artist' | wc -l	[ "$answer" = 2 ] && echo yes
SELECT * FROM music WHERE Song LIKE '%d'	sql 'SELECT * FROM music' | jq -c 'select(.Song | strings | test("d$"))'	[ "$(wc -l <<<"$answer")" = 2 ] && echo yes
SELECT * FROM music WHERE Song ILIKE 'b_U%'	sql 'SELECT * FROM music' | jq -c 'select(.Song | strings | test("^b.U"; "i"))'	[ "$(jq -r .Song <<<"$answer")" = Blue ] && echo yes
SELECT * FROM music UNION ALL SELECT * FROM orders	sql 'SELECT * FROM music; SELECT * FROM orders'
SELECT * FROM music JOIN orders ON music.Artist = orders.PK	sql 'SELECT * FROM music; SELECT * FROM orders'
SELECT * FROM music m, orders o WHERE m.Artist = o.PK	sql 'SELECT * FROM music; SELECT * FROM orders'
SELECT m.Song, o.Status FROM music m JOIN orders AS o ON m.Artist = o.PK WHERE m.Plays BETWEEN 4 AND 6 AND o.SK = '1' AND m.Song <> o.SK	sql "SELECT Song, Artist FROM music WHERE Plays BETWEEN 4 AND 6; SELECT Status, PK FROM orders WHERE SK = '1'"	[ "$(head -n 1 <<<"$answer")" = '{"Song":"Blue","Artist":"Acme"}' ] && echo yes
SELECT m.Song, o.* FROM music m, orders o WHERE m.Plays > 4 OR o.SK = '1'	sql 'SELECT Song FROM music; SELECT * FROM orders'
UPDATE music SET Tags = list_append(["b"], ["a"]) WHERE Artist = "Acme" AND Song = "Blue"	sql "UPDATE music SET Tags = list_append(['b'], ['a']) WHERE Artist = 'Acme' AND Song = 'Blue'"
UPDATE music SET "Plays" = "Plays" + 1 WHERE Artist = "Acme" AND Song = "Blue"	sql 'UPDATE music SET "Plays" = "Plays" + 1 WHERE Artist = '\''Acme'\'' AND Song = '\''Blue'\'''	[ "$(ctl get music Acme Blue | jq .Plays)" = 6 ] && echo yes
SELECT * FROM music WHERE Artist = C-1 AND Song > 2024-01-01	sql "SELECT * FROM music WHERE Artist = 'C-1' AND Song > '2024-01-01'"
SELECT * FROM music WHERE Artist = C#1 AND Song = PROFILE	sql "SELECT * FROM music WHERE Artist = 'C#1' AND Song = 'PROFILE'"
SELECT Song, Plays AS p FROM music ORDER BY p DESC LIMIT 1	sql 'SELECT Song, Plays FROM music ORDER BY Plays DESC LIMIT 1'	[ "$(jq .Plays <<<"$answer")" = 9 ] && echo yes
INSERT INTO music VALUES ('Z', 'Q')	sql "INSERT INTO music VALUE {'Artist': 'Z', 'Song': 'Q'}"	ctl -q delete music Z --all && echo yes
INSERT INTO music VALUES {"Artist": "Z", "Song": "Q"}	sql "INSERT INTO music VALUE {'Artist': 'Z', 'Song': 'Q'}"	ctl -q delete music Z --all && echo yes
INSERT INTO music {'Artist': 'Z', 'Song': 'Q'}	sql "INSERT INTO music VALUE {'Artist': 'Z', 'Song': 'Q'}"	ctl -q delete music Z --all && echo yes
INSERT INTO music (Artist, Song) VALUES ('Z', 'Q') ON CONFLICT DO NOTHING	sql "INSERT INTO music VALUE {'Artist': 'Z', 'Song': 'Q'}"	ctl -q delete music Z --all && echo yes
REPLACE INTO music (Artist, Song) VALUES ('Acme', 'Red')	put music '{"Artist":"Acme","Song":"Red"}'	[ "$(ctl get music Acme Red)" = '{"Artist":"Acme","Song":"Red"}' ] && echo yes
UPSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Red'}	put music '{"Artist":"Acme","Song":"Red"}'
UPDATE music SET Plays = 1 WHERE Year < 2000	update music --filter 'Year < 2000' 'SET Plays = 1'	[ "$(ctl count music --filter 'Plays = 1')" = 2 ] && echo yes
UPDATE music SET Plays += 1 WHERE Song LIKE 'B%'	update music --filter 'begins_with(Song, "B")' 'SET Plays = Plays + 1'	[ "$(ctl get music Acme Blue | jq .Plays)" = 6 ] && echo yes
UPDATE music SET Plays = 1 WHERE Artist = 'Acme'	update music Acme --all 'SET Plays = 1'	[ "$(ctl count music --filter 'Plays = 1')" = 2 ] && echo yes
UPDATE music SET Tags = ['a'] REMOVE Plays WHERE Label IS MISSING AND Year IN [1999, 2001]	update music --filter 'attribute_not_exists(Label) AND Year IN (1999, 2001)' 'SET Tags = ["a"] REMOVE Plays'	[ "$(ctl count music --filter 'Tags[0] = "a"')" = 2 ] && ctl -q update music --all 'REMOVE Tags' && echo yes
UPDATE music SET Plays = 1	update music --all 'SET Plays = 1'
UPDATE music SET Plays = Plays * 2 WHERE Artist = 'Acme'	update music Acme --all 'SET Plays = Plays + Plays'	[ "$(ctl get music Acme Blue | jq .Plays)" = 10 ] && echo yes
UPDATE music SET Plays = Plays * 2 WHERE Artist = 'Acme' AND Song = 'Blue'	sql "UPDATE music SET Plays = Plays + Plays WHERE Artist = 'Acme' AND Song = 'Blue'"	[ "$(ctl get music Acme Blue | jq .Plays)" = 10 ] && echo yes
UPDATE music SET Plays = 7 WHERE Artist = "Acme" AND Song = "Red"	sql "UPDATE music SET Plays = 7 WHERE Artist = 'Acme' AND Song = 'Red'"	[ "$(ctl get music Acme Red | jq .Plays)" = 7 ] && echo yes
UPDATE music WHERE Artist = 'Acme' AND Song = 'Red' SET Plays = 7	sql "UPDATE music SET Plays = 7 WHERE Artist = 'Acme' AND Song = 'Red'"
DELETE FROM music WHERE Year < 2000	delete music --filter 'Year < 2000'	[ "$(ctl count music)" = 1 ] && echo yes
DELETE FROM music WHERE Artist = 'Acme'	delete music Acme --all	[ "$(ctl count music)" = 1 ] && echo yes
DELETE FROM orders	delete orders --all	[ "$(ctl count orders)" = 0 ] && echo yes
DELETE orders;	delete orders --all
TRUNCATE TABLE orders	delete orders --all
DELETE * FROM music WHERE Artist = 'Acme' AND Song = 'Red'	sql "DELETE FROM music WHERE Artist = 'Acme' AND Song = 'Red'"	[ "$(ctl count music)" = 2 ] && echo yes
DELETE FROM `my-table` WHERE n < 0	delete my-table --filter 'n < 0'
BEGIN; UPDATE music SET Plays = 8 WHERE Artist = 'Acme' AND Song = 'Red'; DELETE FROM orders WHERE PK = 'a' AND SK = '1'; COMMIT;	execute-transaction --transact-statements '[{"Statement":"UPDATE music SET Plays = 8 WHERE Artist = '\''Acme'\'' AND Song = '\''Red'\''"},{"Statement":"DELETE FROM orders WHERE PK = '\''a'\'' AND SK = '\''1'\''"}]'	[ "$(ctl count orders) $(ctl get music Acme Red | jq .Plays)" = '1 8' ] && echo yes
CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, name TEXT)	create-table users --key id:N --if-not-exists
CREATE INDEX ByLabel ON music (Label, Song)	alter music --add-gsi ByLabel=Label,Song
DROP INDEX ByLabel	alter music --drop-gsi ByLabel
CREATE INDEX ByLabel ON music (Label DESC);	alter music --add-gsi ByLabel=Label
DROP INDEX ByLabel	alter music --drop-gsi ByLabel
ALTER TABLE my-table RENAME TO ours	copy my-table --to ours && itemctl drop my-table --yes	[ "$(ctl count ours)" = 1 ] && ctl -q copy ours --to my-table && echo yes
DROP TABLE ours	drop ours --yes
ALTER TABLE music DROP COLUMN Plays	update music --all 'REMOVE Plays'	[ "$(ctl count music --filter 'attribute_exists(Plays)')" = 0 ] && echo yes
ALTER TABLE music RENAME COLUMN Plays TO Heard	update music --filter 'attribute_exists(Plays)' 'SET Heard = Plays REMOVE Plays'	[ "$(ctl count music --filter 'attribute_exists(Heard)')" = 3 ] && echo yes
CREATE TABLE tab2 (a text, b int, primary key (a)); CREATE INDEX ByB ON tab2 (b, a); CREATE UNIQUE INDEX ByA ON tab2 (a);	create-table tab2 --key a --gsi ByB=b:N,a --gsi ByA=a	[ "$(ctl -q drop tab2 --yes && echo dropped)" ] && echo yes
DROP TABLE IF EXISTS my-table; CREATE TABLE tab2 (id int)	drop my-table --yes && itemctl create-table tab2 --key id:N	[ "$(ctl -q drop tab2 --yes && ctl -q create-table my-table --key id && echo dropped)" ] && echo yes
CREATE TABLE tab2 (id text); PRAGMA a=1; INSERT INTO tab2 (id) VALUES ('x')	create-table tab2 --key id && itemctl sql "INSERT INTO tab2 (id) VALUES ('x')" # without: PRAGMA a=1	[ "$(ctl count tab2; ctl -q drop tab2 --yes)" = 1 ] && echo yes
DESCRIBE music	describe music
SHOW CREATE TABLE music	describe music
ROWS

# ---- statements for which there is no line: the message says what exists
while IFS=$'\t' read -r statement hint; do
	gives 2 "$hint" ctl sql "$statement"
	case $err in *'did you mean'*) fail "a guess is suggested: $statement: $err" ;; esac
done <<'ROWS'
SELECT UPPER(Song) FROM music	a SELECT lists attributes unchanged: use jq to compute
SELECT * FROM (SELECT * FROM music)	PartiQL has no nested SELECT: run the inner SELECT first
WITH x AS (SELECT * FROM music) SELECT * FROM x	PartiQL has no WITH: run the inner SELECT first
SELECT * WHERE Artist = 'Acme'	a SELECT names its table: SELECT * FROM TABLE WHERE
COMMIT	each statement takes effect at once; itemctl transact FILE runs several actions, all or none
CREATE INDEX i ON music (a, b, c)	itemctl alter TABLE --add-gsi NAME=PK,SK adds an index
UPDATE music SET Plays = Plays * 3 WHERE Artist = 'Acme' AND Song = 'Blue'	SET can only add and subtract (SET a = b + 1)
UPDATE music SET Plays = 1 + Plays * 2 WHERE Artist = 'Acme' AND Song = 'Blue'	SET can only add and subtract (SET a = b + 1)
ALTER TABLE music ADD COLUMN x INT	attributes of items are not declared
UPDATE music SET Tags = <<'a'>> WHERE Year < 3	WHERE must give the whole key; for several items: itemctl update TABLE --filter EXPR
ROWS
gives 3 'to list the tables: itemctl tables' ctl sql 'DELETE FROM nowhere'

# ---- an UPDATE of an item that does not exist
gives 4 "there is no such item, and UPDATE changes only an existing item; to write it: itemctl sql \"INSERT INTO music VALUE {'Plays': 1, 'Artist': 'No', 'Song': 'One'}\"" \
	ctl sql "UPDATE music SET Plays = 1 WHERE Artist = 'No' AND Song = 'One'"
gives 4 'there is no such item' ctl sql "UPDATE music SET Plays = Plays + 1 WHERE Artist = 'No' AND Song = 'One'"
gives 4 'The conditional request failed' ctl sql "UPDATE music SET Plays = 1 WHERE Artist = 'Acme' AND Song = 'Red' AND Plays = 99"
case $err in *'no such item'*) fail "an existing item is reported as missing: $err" ;; esac
gives 4 'The conditional request failed' ctl sql "UPDATE music SET Plays = 1 WHERE Artist = 'Acme' AND Song = 'Red' AND Plays IS MISSING"
case $err in *'no such item'*) fail "an existing item is reported as missing: $err" ;; esac

# ---- NULL
says_null()
{
	ok ctl sql "SELECT * FROM music WHERE $1"
	eq "$1" "${err//-s $S /}" "$2"
}
full
says_null 'Label IS NULL' "IS NULL finds only the value NULL; to find a missing attribute: itemctl sql 'SELECT * FROM music WHERE Label IS MISSING'"
says_null 'Label = NULL AND Year > 3' "IS NULL finds only the value NULL; to find a missing attribute: itemctl sql 'SELECT * FROM music WHERE Label IS MISSING AND Year > 3'"
says_null 'Label IS NOT NULL' "IS NOT NULL is also true for a missing attribute; to find one that exists: itemctl sql 'SELECT * FROM music WHERE Label IS NOT MISSING'"
says_null 'Gone IS NULL' ''
says_null "Label IS NOT MISSING AND Song <> 'NULL'" ''
says_null 'Label = TRUE' ''

# ---- a path is neither a key nor an alias; parameters keep their order
ctl -q put music '{"Artist":"Deep","Song":"1","info":{"Artist":5,"m":{"b":1},"b":2}}'
ok ctl sql 'SELECT Song FROM music WHERE info.Artist = 5 LIMIT 3'
eq 'a member with the name of the key' "$out" '{"Song":"1"}'
ok ctl sql 'SELECT Song FROM music m WHERE info.m.b = 1'
eq 'a member with the name of the alias' "$out" '{"Song":"1"}'
ok ctl sql "SELECT M.Song FROM music m WHERE M.Artist = 'Deep'"
eq 'an alias in upper or lower case' "$out" '{"Song":"1"}'
ok ctl sql 'SELECT Song FROM music WHERE Artist = $1 AND Song = $2 LIMIT 5' Deep '"1"'
eq 'numbered parameters' "$out" '{"Song":"1"}'
gives 2 '' ctl sql 'SELECT Song FROM music WHERE Song = $2 AND Artist = $1 LIMIT 5' Deep 1
ctl -q delete music Deep 1

# ---- lines that a shell would split are not suggested
gives 2 '' ctl sql "ALTER TABLE music DROP COLUMN \"x'; touch pwned; '\""
eq 'no line with the quote is suggested' "$(grep -c 'REMOVE x' <<<"$err")" 0
gives 2 '' ctl sql "SELECT * FROM music WHERE Song LIKE 'O''B_n'"
eq 'no jq program with the quote is suggested' "$(grep -c "O'B" <<<"$err" | head -1)" 0
gives 2 '' ctl sql "SELECT Artist FROM music WHERE Song LIKE 'B_u%'"
eq 'no jq program for an attribute that is not selected' "$(grep -c 'select(.Song' <<<"$err")" 0
gives 2 '' ctl put music '{"Artist":"x,}","Song":"b",}'
eq 'a comma in a text stays' "$(grep -c '"x,}"' <<<"$err")" 1

# ---- statements as words, from files and from pipes
gives 2 "give the statement as one word, in quotes: itemctl sql \"select Song from music where Artist = 'Acme'\"" ctl sql select Song from music where Artist = Acme
touch one two
gives 2 "give the statement as one word, in quotes: itemctl sql 'SELECT * FROM music'" ctl sql SELECT one two FROM music
gives 2 "give a value for each ? after the statement: itemctl sql 'SELECT * FROM music WHERE Artist = ? AND Song = ?' Acme VALUE" \
	ctl sql 'SELECT * FROM music WHERE Artist = ? AND Song = ?' Acme
printf '%s\n' 'SELECT Song FROM music -- names' "WHERE Artist = 'Bolt';" '' '/* and */' 'SELECT Song FROM music LIMIT 1;;' 'UPDATE music' 'SET a = 1;' 'SELECT * FROM music;' >habits.sql
for how in @habits.sql '--file habits.sql' '-f habits.sql'; do
	# shellcheck disable=SC2086 # words
	gives 2 'habits.sql:6: Where clause does not contain' ctl sql $how
	eq "the statements before it: $how" "$out" $'{"Song":"Gold"}\n{"Song":"Blue"}'
	eq "the suggested line: $how" "$(tail -n 1 <<<"${err//-s $S /}")" "UPDATE changes one item by its whole key; for several items: itemctl update music --all 'SET a = 1'"
done
gives 2 'standard input:6: Where clause does not contain' ctl sql <habits.sql

# ---- several statements, one of which has a LIMIT: no option may apply to all of them
gives 2 '' ctl sql 'SELECT * FROM music LIMIT 1 UNION ALL SELECT * FROM orders'
case $err in *--limit*) fail "a limit for both: $err" ;; esac
gives 2 'ORDER BY and GROUP BY name attributes, which SELECT lists' ctl sql 'SELECT * FROM music ORDER BY 2'

# ---- a Scan that would be a Query of an index
ok ctl sql "EXPLAIN SELECT * FROM music WHERE Year = 1999 AND Plays = 5"
eq 'the hint names the index' "$(sed -n 's/^hint *//p' <<<"$out")" 'FROM "music"."ByYear" would be a Query'
ok ctl sql 'EXPLAIN SELECT * FROM music WHERE Plays = 5'
eq 'a hint without such an index' "$(sed -n 's/^hint *//p' <<<"$out")" 'a WHERE with = or IN on Artist would be a Query'

# ---- an update of an attribute with a name similar to another one: it is carried out, and reported
full
ok ctl sql "UPDATE music SET label = 'x' WHERE Artist = 'Acme' AND Song = 'Blue'"
eq 'a new attribute in SQL' "${err//-s $S /}" "no item had an attribute label before: did you mean: itemctl sql \"UPDATE music SET Label = 'x' WHERE Artist = 'Acme' AND Song = 'Blue'\"
1 item updated"
ok ctl update music Acme Red "SET plays = 'x', Tags = ['y']"
eq 'a new attribute in update' "${err//-s $S /}" "no item had an attribute plays before: did you mean: itemctl update music Acme Red \"SET Plays = 'x', Tags = ['y']\""
ok ctl update music Acme Red 'REMOVE year' --capacity
eq 'no additional items are read' "${err##*had an attribute*}" "$(ctl update music Acme Red 'REMOVE gone' --capacity 2>&1)"
ok ctl -q update music Acme Red 'REMOVE lable'
eq 'no note with -q' "$err" ''
ok ctl update music Acme Red 'SET Yeat = 1, Plays2 = 1, Year = 1'
eq 'no note without a similar name' "$err" ''

# ---- a statement in the place of a key
full
for line in 'query music' 'scan music' 'get music' 'count music' 'sql music' music 'query music --format csv' '--format csv music' 'query'; do
	for text in "SELECT Song FROM music WHERE Artist = 'Acme'" "select Song, COUNT(*) from \"music\" group by Song"; do
		# shellcheck disable=SC2086
		ok ctl $line "$text"
		form=
		case $line in *csv*) form='--format csv' ;; esac
		# shellcheck disable=SC2086
		eq "$line $text" "$out" "$(ctl $form sql "$text" 2>/dev/null)"
	done
done
eq 'explain of a statement after a table' "$(ctl explain music 'SELECT Song FROM music')" "$(ctl explain 'SELECT Song FROM music')"
ok ctl update music "UPDATE music SET Plays = 4 WHERE Artist = 'Acme' AND Song = 'Red'"
ok ctl delete music "DELETE FROM music WHERE Artist = 'Acme' AND Song = 'Red'"
ok ctl put music "INSERT INTO music VALUE {'Artist':'Acme','Song':'Red'}"
eq 'the writes are carried out' "$(ctl query music Acme Red)" '{"Artist":"Acme","Song":"Red"}'
gives 2 "itemctl -s $S sql 'SELECT * FROM orders' --format csv" ctl query music 'SELECT * FROM orders' --format csv
gives 2 "there is no command \"music\", but a table: itemctl -s $S sql 'SELECT * FROM orders'" ctl music 'SELECT * FROM orders'
ok ctl query music 'Select all'
eq 'a key is not taken for a statement' "${err%% *}" no
gives 2 'Invalid UpdateExpression' ctl update music Acme Red 'DELETE Tags :t'
ok ctl sql 'SELECT Label, COUNT(*) FROM music WHERE Artist = "Acme" GROUP BY Label'
eq 'there is one note' "$(grep -c 'groups the items itself' <<<"$err")" 1

# ---- without a statement: the prompt on a terminal
if here script; then
	full
	printed=$(printf '%s\n' .tables 'SELECT Song FROM music' "WHERE Artist = 'Bolt';" .quit "SELECT * FROM orders;" |
		XDG_STATE_HOME=$W/state script -qec "'$ITEMCTL' -s '$S' sql" /dev/null | tr -d '\r')
	eq 'sql on a terminal' "$(grep -c 'Ctrl-D to leave' <<<"$printed") $(grep -c '^Gold$' <<<"$printed") $(grep -c '^a ' <<<"$printed")" '1 1 0'
fi
done_testing
