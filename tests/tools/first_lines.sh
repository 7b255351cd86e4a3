#!/bin/bash
# First commands of users who know sqlite3, duckdb, kubectl or aws: they work, or the message has the line that does.
. "$(dirname "$0")/lib.sh"
mkdir "$W/here" && cd "$W/here" || exit 1
unset ITEMFS_STORE
itemctl()
{
	"$ITEMCTL" "$@"
}
# read_as LINE WORD... - check that the words are read as LINE, and carried out
read_as()
{
	ok itemctl "${@:2}"
	eq "${*:2}" "$(head -1 <<<"$err")" "read as: itemctl -s $1"
}
# same ANSWER WORD... - check the output
same()
{
	eq "${*:2}" "$(itemctl "${@:2}" 2>&1)" "$1"
}

# ---- a store that is created by its first statement
read_as 'shop create-table Shop --key PK,SK' shop 'create table Shop (PK text, SK text, primary key (PK, SK))'
read_as 'shop create-table Shop --key PK,SK --if-not-exists' shop 'CREATE TABLE IF NOT EXISTS Shop (PK text, SK text, primary key (PK, SK))'
read_as 'shop alter Shop --add-gsi GSI1=GSI1PK,GSI1SK' shop 'create index GSI1 on Shop (GSI1PK, GSI1SK)'
eq 'the keys and the index of the new table' "$(itemctl -s shop tables | jq -c '[.Key, .Indexes]')" '["PK:S,SK:S",["GSI1=GSI1PK:S,GSI1SK:S"]]'
gives 2 'there is no command "sqll"' itemctl sqll 'create table Shop (PK text)'
gives 2 'to create a store' itemctl none 'select * from Shop'
eq 'only a statement that creates a table creates a store' "$(ls)" shop
printf '%s\n' '{"PK":"C#1","SK":"PROFILE","type":"customer"}' '{"PK":"C#1","SK":"ORDER#1","type":"order","total":5}' \
	'{"PK":"C#2","SK":"ORDER#1","type":"order","total":7}' >items.jsonl
ok itemctl shop '.import /dev/stdin Shop' <items.jsonl
ok itemctl lite '.import items.jsonl Shop'
eq 'a table created by .import' "$(itemctl -s lite scan Shop)" "$(itemctl -s shop scan Shop)"
read_as 'duck import users items.jsonl --key auto' duck "create table users as select * from read_json('items.jsonl')"
gives 2 'itemctl -s duck copy users --to others' itemctl duck 'create table others as select * from users'
ok itemctl -s duck copy users --to others
read_as 'duck import users items.jsonl --key auto' duck "copy users from 'items.jsonl'"
read_as 'duck export users users.csv' duck "copy users to 'users.csv' (header)"
read_as 'duck export users users.dat --to tsv' duck "copy users to 'users.dat' with (format TSV, header true)"
read_as 'duck export users plain --to csv' duck "copy users to 'plain'"
read_as 'duck export users plain --to json' duck "copy users to 'plain' (format json)"
gives 2 '' itemctl duck "copy (select * from users) to 'lost.csv.gz' (format csv)"
ok test ! -e lost.csv.gz
read_as 'duck export users lines.jsonl' duck "copy users to 'lines.jsonl' (format json)"
for options in "delimiter '|'" 'header false' 'format parquet' 'format csv, null NA' header; do
	gives 2 '' itemctl duck "copy users to 'lost.csv' ($options" # an option that would be ignored, or no end
	gives 2 '' itemctl duck "copy users to 'lost.csv' ($options, force_quote *)"
done
ok test ! -e lost.csv
eq 'all items are copied' "$(itemctl -s duck count others; wc -l <users.csv)" $'3\n4'
gives 2 'itemctl -s duck drop users --yes' itemctl duck 'drop table users'
gives 2 'itemctl -s duck copy users --to more && itemctl -s duck drop users --yes' itemctl duck 'alter table users rename to more'
eq 'a deletion is only suggested' "$(itemctl -s duck tables | jq -r .TableName)" $'others\nusers'
line="itemctl -s shop sql \"select PK, sum(total) from Shop where type='order' group by PK\" --format csv >totals.csv"
gives 2 "$line" itemctl shop "copy (select PK, sum(total) from Shop where type='order' group by PK) to 'totals.csv' (header)"
eval "$line" 2>/dev/null
eq 'a report as a CSV file' "$(sort totals.csv)" $'C#1,5\nC#2,7\nPK,sum(total)'

# ---- statements and prompt commands that a command carries out
read_as 'shop tables' shop 'show tables;'
read_as 'shop shapes Shop' shop 'summarize Shop'
read_as 'shop check' shop 'pragma integrity_check'
read_as 'shop describe Shop' shop 'pragma table_info(Shop)'
read_as 'shop describe Shop' shop 'describe Shop'
read_as 'shop stats Shop' shop 'analyze Shop'
same "$(itemctl -s shop tables)" shop .schema
same "$(itemctl -s shop describe Shop)" shop .schema Shop
same "$(itemctl -s shop stats Shop 2>&1)" shop '.stats Shop'
echo 'select SK from Shop limit 1;' >lines.sql
same "$(itemctl -s shop sql @lines.sql 2>&1)" shop .read lines.sql
ok itemctl shop '.backup bak'
ok itemctl shop .backup bak2
same 'read as: itemctl -s bak check
3 items and 0 index entries checked' bak 'pragma integrity_check'
gives 2 'to restore it into a new store: itemctl -s ./restored restore bak' itemctl shop '.restore bak'
ok itemctl -s ./restored restore --from bak
gives 2 'a store is a directory; to list its tables: itemctl -s shop tables' itemctl shop .databases
gives 2 'there is no command ".quit"' itemctl shop .quit

# ---- options of sqlite3 and duckdb
select="select SK, type from Shop where PK = 'C#1'"
for option in -column:table -box:table -table:table -markdown:md -list:tsv -line:yaml -ndjson:jsonl -bail:jsonl; do
	same "$(itemctl -s shop --format "${option#*:}" sql "$select")" "${option%:*}" shop "$select"
	same "$(itemctl -s shop --format "${option#*:}" sql "$select")" shop "${option%:*}" "$select"
done
line="itemctl -list -s shop \"$select\" | tr '\\t' '|'"
gives 2 "columns are separated by tabs; for another separator: $line" itemctl -list -separator '|' shop "$select"
eq 'a separator' "$(eval "$line")" $'SK|type\nORDER#1|order\nPROFILE|customer'
same "$(itemctl -s shop sql "$select" --limit 1)" shop --limit 1 "$select"
ok itemctl shop --explain --no-scan --max-units 5 "$select"
gives 2 '--port needs a whole number, not "x"' itemctl -ui shop --port x

# ---- kubectl, gh, aws
same "$(itemctl -s shop scan Shop)" get items -t Shop -s shop
same "$(itemctl -s shop scan --table-name Shop)" list items --table Shop -s shop
same "$(itemctl -s shop scan Shop --limit 1)" get items Shop -s shop --limit 1
same "$(itemctl -s shop get Shop C#1 PROFILE)" get item C#1 PROFILE -s shop --table Shop
gives 3 'all items of a table: itemctl -s shop scan Shop' itemctl get items Shop -s shop
ok itemctl -s shop create-table items --key id
ok itemctl -s shop put items '{"id":"Shop"}'
same '{"id":"Shop"}' get items Shop -s shop
gives 2 'get has no such option: itemctl -s shop query Shop C#1 --limit 1' itemctl get Shop C#1 --limit 1 -s shop
same "$(itemctl -s shop describe Shop)" describe table/Shop -s shop
ok itemctl delete items --all -s restored --table Shop --yes
eq 'the word items is not taken for a partition key' "$(itemctl -s restored count Shop)" 0
ok itemctl apply -f items.jsonl -t Shop -s restored
eq 'diff -f' "$(itemctl diff -f items.jsonl --table-name Shop -s restored 2>&1)" '3 equal, 0 removed, 0 added, 0 changed'
mkdir -p fixtures dir && cp items.jsonl fixtures/Shop.jsonl
gives 2 'for f in fixtures/*.jsonl; do' itemctl apply -f fixtures/ -s made
ok itemctl backup create -s shop --output dir/one
same "$(itemctl check dir/one 2>&1)" backup verify dir/one
gives 2 'a backup is a directory: ls dir; for backups of tables: itemctl list-backups' itemctl backup list dir
ok itemctl cp shop/Shop some/Shop --filter-expression 'begins_with(PK, :p) AND #t = :t' --expression-attribute-values '{":p":{"S":"C#1"},":t":{"S":"order"}}' \
	--expression-attribute-names '{"#t":"type"}'
eq 'a part of the items' "$(itemctl -s some scan Shop)" "$(sed -n 2p items.jsonl)"
gives 2 ':q' itemctl cp shop/Shop some/Shop --filter 'PK = :q' --values '{":p":"a"}'
aws=(--table-name Shop --expression-attribute-values '{":p":{"S":"C#1"}}')
ok itemctl explain --store shop "${aws[@]}" --filter-expression 'PK = :p'
eq 'a scan is explained' "$(head -1 <<<"$out")" 'reads   a Scan, all of Shop'
ok itemctl shop explain "${aws[@]}" --key-condition-expression 'PK = :p'
eq 'a query is explained' "$(head -1 <<<"$out")" 'reads   a Query of Shop'
gives 2 "itemctl scan --store shop --table-name Shop --expression-attribute-values '{\":p\":{\"S\":\"C#1\"}}' --filter-expression '#status = :p' --explain --expression-attribute-names '{\"#status\":\"status\"}'" \
	itemctl explain --store shop "${aws[@]}" --filter-expression 'status = :p'

# ---- words that scripts of other programs look for, and stores that should be created
eq 'SCAN, as sqlite3 prints' "$(itemctl shop "explain query plan select * from Shop where type = 'order'" | grep -c SCAN)" 1
eq 'SEARCH, as sqlite3 prints' "$(itemctl shop "explain query plan select * from Shop where PK = 'C#1'" | grep -c SEARCH)" 1
eq 'EXPLAIN alone does not' "$(itemctl shop "explain select * from Shop" | grep -cE 'SCAN|SEARCH')" 0
eq 'a prompt without a line' "$(itemctl shop </dev/null 2>&1)" 'standard input has no command; to list the tables: itemctl -s shop tables'
ok itemctl shop stats Shop
eq 'stats names the commands for what it does not show' "$(head -1 <<<"$err")" "for attributes: itemctl -s shop shapes Shop; for large items: itemctl -s shop scan Shop | awk '{ print length, \$0 }' | sort -rn | head -5 | cut -d' ' -f2-"
eq 'the suggested line works' "$(eval "${err##*items: }" | wc -l)" "$(itemctl shop count Shop | sed 's/^[6-9]$/5/')"
gives 2 'it already is a store: itemctl -s shop tables' itemctl -s new restore shop
true | itemctl new.db import Shop - 2>err
eq 'an empty pipe gives a suggestion' "$(tail -n 1 err)" 'standard input is empty; to create a table from items: itemctl -s new.db import Shop - --key auto'
echo '{"PK":"a"}' | ok eval "$(sed -n 's/.*create a table from items: //p' err)"
eq 'the suggested line creates the table' "$(itemctl new.db count Shop)" 1
rm -r new.db
gives 2 'there is no command "deploy": itemctl -s new.db create-table --from t.yaml --if-not-exists --update' itemctl new.db deploy --template-file t.yaml --stack-name shop
gives 2 'itemctl -s new.store create-table --from t.yaml --if-not-exists --update' itemctl apply new.store -f t.yaml

# ---- commands that were probably not intended do nothing
mkdir "$W/guard" && cd "$W/guard" || exit 1
itemctl -q -s shop create-table shop --key id
itemctl -q -s shop create-table logs --key id
itemctl -q -s shop put shop '{"id":"logs"}' '{"id":"u1","n":1}'
itemctl -q -s shop put logs '{"id":"a"}'
none=
gives 3 'Table: --yes not found' itemctl reset --table $none --yes
gives 2 '' itemctl delete --yes --all shop logs
itemctl reset --yes shop >/dev/null 2>&1
eq 'another table' "$(itemctl -s shop count logs)" 1
itemctl -q -s shop put shop '{"id":"u1","n":1}'
for line in "serve mytests -s shop" "create-table orders2 -p pk --key id"; do
	itemctl $line --port 0 >/dev/null 2>&1 </dev/null
done
gives 2 '' env ITEMFS_STORE=./shop "$ITEMCTL" create-table users2 --table-name orders3 --key-schema AttributeName=id,KeyType=HASH
gives 2 '' env ITEMFS_STORE=./shop "$ITEMCTL" sho2 'create table abc (a int primary key)'
gives 2 '' itemctl sho 'create table abc (a int primary key)'
gives 2 '' itemctl import orders part1 part2 --key pk,sk
gives 2 '' itemctl delete shop '{"id":"u1"' -s shop
gives 2 '' itemctl delete shop '{id: u1' -s shop
eq 'no store, table or item is created' "$(ls | tr '\n' ' ')$(itemctl tables | jq -r .TableName | tr '\n' ' ')$(itemctl -s shop count shop)" 'shop logs shop 1'
gives 4 '' itemctl -s shop add shop id=u1 z=1
eq 'add replaces nothing' "$(itemctl -s shop get shop u1)" '{"id":"u1","n":1}'
for line in 'COPY (' ".a'" '.import"x'; do
	gives 2 '' itemctl "$line"
done
done_testing
