#!/bin/bash
# Words of a user who has read no documentation: add, exists, show kinds, --newest.
. "$(dirname "$0")/lib.sh"
begin
export ITEMFS_STORE=$S
itemctl()
{
	"$ITEMCTL" "$@"
}
# same WORDS -- WORDS - check that both work, and print the same
same()
{
	local a=()
	while [ "$1" != -- ]; do
		a+=("$1")
		shift
	done
	shift
	ok itemctl "${a[@]}"
	eq "${a[*]}" "$out" "$(itemctl "$@" 2>err)"
}
# pasted - check that the suggested line works
pasted()
{
	ok eval "itemctl $(sed -n 's/.*: itemctl //p' <<<"$err" | head -1)"
}
ok itemctl create table Shop --key PK --sort SK --index GSI1=Status,SK
same list tables -- tables
eq 'one key from two options' "$(itemctl tables | jq -r .Key)" PK:S,SK:S
ok itemctl create table users --key id:N

# ---- items as words
ok itemctl put Shop PK=7 SK=1 name=Ann n:=5 ok=true l='["x"]' note="it's = so"
eq 'the note has the item as JSON' "$err" 'read as: {"PK":"7","SK":"1","name":"Ann","n":5,"ok":true,"l":["x"],"note":"it'"'"'s = so"}'
eq 'the values have their types' "$(itemctl get Shop 7 1)" '{"PK":"7","SK":"1","name":"Ann","n":5,"ok":true,"l":["x"],"note":"it'"'"'s = so"}'
ok itemctl add Shop C#1 PROFILE city=Rome Status=NEW
same get Shop C#1 PROFILE -- get Shop C#1 PROFILE
eq 'attributes after the key' "$out" '{"PK":"C#1","SK":"PROFILE","city":"Rome","Status":"NEW"}'
ok itemctl add users id=1 name=Bob
gives 4 'ConditionalCheckFailedException' itemctl add users id=1 name=Eve --if-not-exists
gives 2 'not JSON' itemctl put Shop C#1 city=Rome
gives 2 'put the key into the item' itemctl put Shop C#1 PROFILE '{"n":1}'
gives 2 'Type mismatch for key id expected: N actual: S' itemctl put users id=x
ok itemctl put Shop '{"PK":"C#1","SK":"b=c"}'
ok itemctl delete Shop C#1 b=c
printf '{"PK":"C#2","SK":"%s","Status":"OLD"}\n' a b c >items.jsonl
ok itemctl add items.jsonl Shop
eq 'items from a file' "$(itemctl query Shop C#2 --count)" 3
ok itemctl delete Shop C#2 --all
ok itemctl add Shop items.jsonl
ok itemctl add Shop <items.jsonl
ok itemctl add Shop - <items.jsonl
eq 'items from a pipe' "$(itemctl query Shop C#2 --count)" 3
ok itemctl edit Shop C#1 PROFILE city=Milan
eq 'edit with words' "$(itemctl get Shop C#1 PROFILE | jq -r .city)" Milan
ok itemctl edit users 1 name=Zoe
eq 'edit with words, and a key of one word' "$(itemctl get users 1)" '{"id":1,"name":"Zoe"}'
ok itemctl edit Shop --where "Status = 'OLD'" --set Status=DONE
eq 'edit of all matching items' "$err" $'read as: SET Status = "DONE"\n3 items updated'

# ---- verbs
same exists Shop C#1 PROFILE -- get Shop C#1 PROFILE
gives 1 'not found' itemctl exists Shop C#1 NONE
same view Shop -- scan Shop
same list Shop --first 1 -- scan Shop --limit 1
same view Shop C#2 -- query Shop C#2
same lookup Shop C#2 b -- get Shop C#2 b
same collection Shop C#2 -- query Shop C#2
same show kinds Shop -- shapes Shop
same show Shop kinds -- shapes Shop
same count attributes Shop -- shapes Shop
for noun in keys indexes; do
	same show $noun Shop -- describe Shop
	same show Shop $noun -- describe Shop
done
same show -- tables
same query Shop --all --filter "Status = 'DONE'" --count -- scan Shop --filter "Status = 'DONE'" --count
same query Shop C#2 --all -- query Shop C#2
gives 2 'there is no command "largest": itemctl scan Shop | awk' itemctl find largest Shop
gives 0 'the first 2: itemctl scan Shop --limit 2' itemctl show Shop 2
pasted
gives 2 'name the table first: itemctl show TABLE C#1 PROFILE' itemctl show C#1 PROFILE
ok itemctl drop users --yes
gives 2 'name the table first: itemctl show Shop C#1 PROFILE' itemctl show C#1 PROFILE Shop
pasted

gives 2 "there is no command \"group\": itemctl sql 'SELECT Status, COUNT(*) FROM Shop GROUP BY Status'" itemctl group Shop by Status
pasted
gives 2 "itemctl sql 'SELECT Status, COUNT(*) FROM Shop WHERE begins_with(PK, '\\''C#2'\\'') GROUP BY Status'" itemctl group Shop Status --filter "begins_with(PK, 'C#2')"
pasted
eq 'groups of matching items' "$out" '{"Status":"DONE","COUNT(*)":3}'

# ---- options
same query Shop C#2 --newest -- query Shop C#2 --reverse
same query Shop C#2 --oldest -- query Shop C#2
same show Shop C#2 --table -- query Shop C#2 --format table
same get --table Shop 7 1 -- get Shop 7 1
ok itemctl query Shop C#2 --cost
eq 'the consumed capacity' "$err" '0.5 read units of Shop: table 0.5'
gives 2 'a query returns items in sort key order' itemctl scan Shop --newest
gives 2 'items of one partition are adjacent; to sort the lines: itemctl export Shop | sort' itemctl export Shop --sort
pasted
for line in 'Shop --sort SK' 'Shop x.jsonl --sort-by SK'; do
	gives 2 "; to sort by an attribute: itemctl export Shop | jq -sc 'sort_by(.\"SK\")[]'" itemctl export $line
	pasted
done
eq 'no file was written' "$(ls x.jsonl SK 2>/dev/null)" ''

# ---- words that are not a key: the suggestion has all that was typed
gives 2 "put a condition on other attributes into a filter: itemctl scan Shop --filter \"city = 'Milan'\" --csv" itemctl find Shop city=Milan --csv
pasted
gives 2 "put a condition on other attributes into a filter: itemctl count Shop --filter \"city = 'Milan'\"" itemctl count Shop city=Milan
pasted
gives 2 'Status is the partition key of GSI1: itemctl find Shop NEW --index GSI1 --cost' itemctl find Shop Status=NEW --cost
pasted
same explain Shop 'PK = C#2' -- query Shop C#2 --explain
same explain find Shop C#2 -- query Shop C#2 --explain
same explain Shop -- scan Shop --explain
same explain 'SELECT * FROM Shop' -- sql --explain 'SELECT * FROM Shop'
same query Shop --index GSI1 'Status = DONE' --explain -- query Shop --index GSI1 DONE --explain
gives 2 "itemctl explain scan Shop --filter \"city = 'Milan'\"" itemctl explain find Shop city=Milan
pasted

# ---- a store among the words
unset ITEMFS_STORE
mkdir here && cd here || exit 1
gives 2 'create-table needs NAME and --key, or --from FILE [--data], for example: itemctl create-table shop --key PK,SK; to create a store of that name with its first table: itemctl -s ./shop create-table TABLE --key PK,SK' itemctl create shop
ok itemctl -s ./shop create table Shop --key PK --sort SK
ok itemctl -s ./shop put Shop a 1 kind=x
ok itemctl -s ./shop put Shop a 2 kind=y
same list tables shop -- -s shop tables
same show keys shop Shop -- -s shop describe Shop
same count Shop shop -- -s shop count Shop
same list Shop shop -- -s shop scan Shop
same show shop -- -s shop tables
same info . -- tables
gives 2 '; for all tables, into a new store: itemctl -s shop copy --all --to ./more' itemctl -s shop clone more
pasted
eq 'all tables' "$(itemctl -s more count Shop)" 2
ok itemctl copy Shop shop some --where "kind = 'x'"
eq 'one table in a new store' "$(itemctl -s some scan Shop)" '{"PK":"a","SK":"1","kind":"x"}'
gives 2 "x was taken for an attribute name. Quote text: itemctl copy -s shop Shop none --where \"kind='x'\"" itemctl copy shop Shop none --where kind=x
mkdir ../empty && cd ../empty || exit 1
cat >t.yaml <<'YAML'
Resources:
  T: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: made, KeySchema: [{AttributeName: id, KeyType: HASH}], AttributeDefinitions: [{AttributeName: id, AttributeType: S}]}}
YAML
gives 2 'to create a new one: itemctl -s ./db create t.yaml' itemctl create t.yaml
pasted
eq 'tables from a file' "$(itemctl tables | jq -r .TableName)" made
cd .. || exit 1
done_testing
