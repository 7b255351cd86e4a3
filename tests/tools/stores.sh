#!/bin/bash
# The store in a command line: misspelt, missing or new, the only one of a directory, one among the words.
. "$(dirname "$0")/lib.sh"
unset ITEMFS_STORE
itemctl()
{
	"$ITEMCTL" "$@"
}

# ---- a store that is created
gives 2 'there is no store at shop.db' "$ITEMCTL" shop.db .tables
printf 'id,name\n1,Ann\n' >people.csv
for line in '.import --csv people.csv people' '.import people.csv people'; do
	for n in 1 2; do
		ok "$ITEMCTL" lite.db "$line"
	done
	# shellcheck disable=SC2086
	ok "$ITEMCTL" lite.db $line
	eq "$line" "$("$ITEMCTL" -s lite.db scan people)" '{"id":"1","name":"Ann"}'
	ok "$ITEMCTL" -q -s lite.db drop people --yes
done
ok "$ITEMCTL" lite.db .import people.csv people --csv
gives 2 'none.csv: No such file or directory' "$ITEMCTL" lite.db '.import none.csv people'
eq 'a line of the prompt in one word' "$("$ITEMCTL" lite.db '.schema people')" "$("$ITEMCTL" -s lite.db describe people)"
gives 2 'itemctl -s lite.db scan TABLE --format csv' "$ITEMCTL" lite.db '.mode csv'
gives 2 'there is no command "shop.db"' "$ITEMCTL" shop.db nonsense
ok "$ITEMCTL" -s shop.db create-table shop --key PK,SK
ok "$ITEMCTL" shop.db .tables

# ---- no store, or an invalid one, is named: the suggested line has one
mkdir beside none
(cd beside && "$ITEMCTL" -q -s ./st create-table tab --key Id) || exit 1
echo '{"Id":"a"}' >beside/tab.jsonl
# meant FOLDER LINE COMMAND... - check that it is refused in FOLDER; LINE is the last line of the message, and works
# there
meant()
{
	local line

	cd "$1" || exit 1
	gives 2 '' "${@:3}"
	line=${err##*$'\n'}
	eq "the line for ${*:4}" "$line" "$2"
	eval "ok \"\$ITEMCTL\" ${line#*: itemctl }"
	cd "$W" || exit 1
}
AWS='--table-name shop --attribute-definitions AttributeName=Id,AttributeType=S --key-schema AttributeName=Id,KeyType=HASH --billing-mode PAY_PER_REQUEST'
meant beside 'did you mean: itemctl -s ./st scan tab' "$ITEMCTL" -s . scan tab
meant none 'did you mean: itemctl -s ../beside/st scan tab' "$ITEMCTL" -s ../beside scan tab
meant beside 'to import a file into a store: itemctl -s ./db import tab tab.jsonl --key auto' "$ITEMCTL" -s tab.jsonl scan tab
# shellcheck disable=SC2086
meant none "to create a new one: itemctl -s ./db create-table $AWS" "$ITEMCTL" create-table $AWS
rm -r none/db
meant none 'to create a new one: itemctl -s ./db create-table shop --key Id,At:N --gsi by-a=a' "$ITEMCTL" create-table shop --key Id,At:N --gsi by-a=a
rm -r none/db
meant none 'to create a new one: itemctl -s ./db import tab ../beside/tab.jsonl --key auto' "$ITEMCTL" import tab ../beside/tab.jsonl
rm -r none/db
cd beside || exit 1
gives 2 '' "$ITEMCTL" tables # ./st and ./db
eq 'both of two stores are suggested' "${err#*$'\n'}" $'stores here: itemctl -s db tables\n             itemctl -s st tables'
gives 2 $'stores here: itemctl -s db ls\n' "$ITEMCTL" ls .
cd "$W" || exit 1

# ---- STORE/TABLE, with a key after it, and only a store
ok itemctl_of beside/st tables -l
ok "$ITEMCTL" scan beside/st/tab
gives 2 'itemctl get tab a --store beside/st' "$ITEMCTL" get beside/st/tab/a
eq 'the suggested line works' "$("$ITEMCTL" get tab a --store beside/st 2>&1)" "$("$ITEMCTL" get beside/st/tab a 2>&1)"
eq 'info of a store' "$("$ITEMCTL" info beside/st)" "$(itemctl_of beside/st tables)"
gives 2 'itemctl -s beside/st scan tab' "$ITEMCTL" scan beside/st

# ---- the only store of a directory, a new one as the first word, one in the place of a table
mkdir one && cd one || exit 1
itemctl -q -s st create-table orders --key PK,SK
itemctl -q -s st put orders '{"PK":"C#1","SK":"P"}'
while IFS='|' read -r status said words; do
	gives "$status" "$(printf %b "$said")" eval "itemctl $words"
done <<'ROWS'
0|store: ./st|scan orders
0|store: ./st|list-tables
3|store: ./st\nResourceNotFoundException: Requested resource not found: Table: ordrs not found\ndid you mean: itemctl -s ./st scan orders|scan ordrs
2|store: ./st\nitemctl: drop is permanent. To confirm: itemctl -s ./st drop orders --yes|drop orders
2|for example: itemctl -s ./st get orders C#1 P|get orders
2|there is no command "orders", but a table: itemctl -s ./st scan orders|orders
2|itemctl: -s has an empty value: is its variable set?|-s "" tables
2|to restore it into a new store: itemctl -s ./restored restore bk|restore bk
2|there is no command "shop"; to create a store: itemctl -s shop create-table things --key PK|shop create-table things --key PK
2|there is no command "newstore"; to create a store: itemctl -s newstore load things t.json --key PK|newstore load things t.json --key PK
2|there is no command "shop"; to create a store: itemctl -s shop create-table NAME --key PK,SK|shop scan orders
2|there is no command "stt", and no store of that name: did you mean: itemctl ./st scan orders|stt scan orders
2|there is no command "hlep": did you mean: itemctl help scan|hlep scan
2|there is no command "tabel": did you mean: itemctl table create things --key PK|tabel create things --key PK
2|name the table first: itemctl get -s st orders C#1 P|get st 'C#1' P
2|name the table first: itemctl set -s st orders C#1 P a=1|set st 'C#1' P a=1
2|name the table first: itemctl -s ./st get orders C#1 P|get 'C#1' P
ROWS
eq 'no note with -q' "$(itemctl -q scan orders 2>&1; ITEMFS_STORE='' "$ITEMCTL" -q scan orders)" $'{"PK":"C#1","SK":"P"}\n{"PK":"C#1","SK":"P"}'
eq 'the current directory is a store' "$(cd st && itemctl scan orders 2>&1)" $'store: .\n{"PK":"C#1","SK":"P"}'
gives 70 'http://127.0.0.1:1: Failed to connect' env -u ITEMFS_STORE AWS_ENDPOINT_URL=http://127.0.0.1:1 "$ITEMCTL" tables
gives 2 'there is no store at none' env ITEMFS_STORE=none "$ITEMCTL" tables
chmod 777 st
gives 2 'did you mean: itemctl -s ./st tables' itemctl tables
chmod 700 st
ok itemctl import new.db things - --key PK <<<'{"PK":"a"}'
gives 2 $'stores here: itemctl -s new.db tables\n             itemctl -s st tables' itemctl tables
cd .. || exit 1

# ---- a store among the words
mkdir among && cd among || exit 1
typed='create-table shop --table-name App --attribute-definitions AttributeName=PK,AttributeType=S AttributeName=SK,AttributeType=S'
typed+=' --key-schema AttributeName=PK,KeyType=HASH AttributeName=SK,KeyType=RANGE --billing-mode PAY_PER_REQUEST'
gives 2 $'to create a new one: itemctl -s ./db create-table shop App PK\nif shop is the store: itemctl create-table -s shop App PK' itemctl create-table shop App PK
ok itemctl create table Shop --key PK -s other
rm -r other
ok itemctl import third App - --key PK <<<'{"PK":"a"}'
eq 'a new store named in the words of import' "$(itemctl -s third count App)" 1
rm -r third
ok itemctl create-table shop App --key PK
eq 'a new store named before the table' "$(itemctl -s shop tables | jq -r .TableName)" App
rm -r shop
ok itemctl $typed
ok itemctl put shop App '{"PK":"a","SK":"1","Type":"Order"}' '{"PK":"a","SK":"2","Type":"Bill"}' '{"PK":"b","SK":"1","Type":"Order"}'
mkdir plain && cd plain || exit 1
echo '[{"Id":"1"}]' >things.json
ok itemctl create-table data Shop PK SK:N
eq 'a store, a table, its key' "$(itemctl -q -s data tables | jq -r '.TableName + " " + .Key')" 'Shop PK:S,SK:N'
ok itemctl create-table things Id:S --db-path made
ok itemctl batch-write things things.json --db-path made
eq 'a table named like its file' "$(itemctl -q scan things --db made)" '{"Id":"1"}'
aws=(--db-path made --table-name things)
eq 'the output of aws' "$(itemctl scan "${aws[@]}")" "$(itemctl -s made scan --table-name things)"
eq 'the output of aws for an item' "$(itemctl get-item "${aws[@]}" --key '{"Id":{"S":"1"}}')" '{"Item":{"Id":{"S":"1"}}}'
ok itemctl copy --from made --to ./other
ok itemctl copy --from made --to ./third --table things --filter "Id = '1'"
gives 2 "one was taken for an attribute name. Quote text: itemctl copy --from made --to ./fourth --table things --filter \"Id='one'\"" itemctl copy --from made --to ./fourth --table things --filter Id=one
eq 'a copy of a whole store, and of one table' "$(itemctl -q -s other scan things) $(itemctl -q -s third scan things)" '{"Id":"1"} {"Id":"1"}'
gives 2 "to create a store with its first table: itemctl -s new create-table NAME --key PK,SK" itemctl init new
ok env ITEMCTL_STORE=made "$ITEMCTL" put things '{"Id":"2","Kind":"a"}'
mkdir monday && ok itemctl backup made monday --checksum
ok itemctl check monday
eq 'a backup needs an empty directory' "$(mkdir full && touch full/a && itemctl backup made full 2>&1 | tail -n 1; ls full)" $'give each backup a new directory: itemctl -s made backup full-2\na'
gives 1 '1 equal, 1 removed, 0 added, 0 changed' itemctl diff --store made --table things --expected things.json
cd .. && rm -r plain
for line in 'items list -s shop --table App' 'items ls -s shop App'; do
	eq "$line" "$(itemctl $line --format jsonl)" "$(itemctl -s shop scan App)"
done
eq 'tables list' "$(itemctl tables list -s shop)" "$(itemctl -s shop tables)"
eq 'items get' "$(itemctl items get -s shop App a 1)" "$(itemctl -s shop get App a 1)"
eq 'explain with a key' "$(itemctl explain -s shop --table App --key PK=a)" "$(itemctl -s shop query App a --explain)"
eq 'explain without a key' "$(itemctl explain -s shop --table App --filter 'Type = "Order"')" "$(itemctl -s shop scan App --explain --filter 'Type = "Order"')"
gives 2 "to group items: itemctl -s shop sql \"SELECT Type, SUM(n), MAX(n) FROM App WHERE PK = 'a' GROUP BY Type\" --format csv" \
	itemctl scan -s shop --table App --filter PK=a --group-by Type --sum n --max n --format csv
eq 'the statement works' "$(itemctl -q -s shop sql "SELECT Type, COUNT(*) FROM App WHERE PK = 'a' GROUP BY Type" --format csv)" $'Type,COUNT(*)\nBill,1\nOrder,1'
gives 2 'or by the whole line: itemctl scan -s shop App | sort' itemctl scan -s shop App --sort
gives 2 'stats has no such option: itemctl -s shop shapes App' itemctl stats -s shop App --attributes
eq 'undo with a number' "$(itemctl undo -s shop --last 1 2>&1 | grep -o 'get TABLE.*')" 'get TABLE PK [SK] | itemctl -s shop put TABLE -'
eq 'show prints a partition' "$(itemctl show shop App a)" "$(itemctl -s shop query App a)"
eq 'show describes a table' "$(itemctl show shop App)" "$(itemctl -s shop describe App)"
gives 2 "to query several partitions: itemctl -s shop sql 'SELECT * FROM \"App\" WHERE PK IN ('\\''a'\\'','\\''b'\\'')'" itemctl query shop App 'PK IN ("a","b")'
eq 'the suggested line works' "$(eval "${err##*: }" | wc -l)" 3
ok itemctl update shop App --where "Type = 'Order'" --set "Status = 'open'"
eq 'all matching items are updated' "$err $(itemctl scan shop App --filter 'Status = "open"' --count)" '2 items updated 2'
gives 2 "update needs a key, --filter EXPR or --all: itemctl -s ./shop update App --filter EXPR 'SET x = 1'" itemctl update App --set x=1
ok itemctl sql shop 'SELECT * FROM App ORDER BY size'
eq 'an order by an attribute that no item has' "${err##*$'\n'}" 'not sorted: none of the items has an attribute size'
ok itemctl sql shop 'SELECT * FROM App ORDER BY Status'
eq 'an order by an attribute that some items have' "$(grep -c 'not sorted' <<<"$err")" 0
ok itemctl backup shop monday
ok itemctl check monday
cd .. || exit 1
done_testing
