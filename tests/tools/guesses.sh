#!/bin/bash
# First commands of users of a Unix shell, psql, redis-cli and mongosh: PROGRAM VERB STORE TABLE, options before the
# store.
. "$(dirname "$0")/lib.sh"
begin
unset ITEMFS_STORE
guess()
{
	"$ITEMCTL" "$@" </dev/null
}

# as LINE -- WORD... - check that the words print what LINE prints, and that it is not empty
as()
{
	local line=$1
	shift 2
	ok guess "$@"
	eq "$*" "$out" "$(eval "${line/#itemctl/guess}" 2>/dev/null)"
	[ -n "$out" ] || fail "$* prints nothing"
}

# pastes LINE -- WORD... - check that they are refused with LINE at the end of the first message, and that LINE works
pastes()
{
	local line=$1
	shift 2
	guess "$@" >/dev/null 2>err
	eq "$*" "$(sed -n 's/.*: itemctl /itemctl /p' err | head -n 1)" "$line"
	itemctl() { "$ITEMCTL" "$@"; }
	ok eval "$line"
}

# ---- a new store among the words
mkdir new && cd new || exit 1
ok guess create shop Shop PK SK
ok guess -s shop put Shop '{"PK":"c1","SK":"PROFILE","city":"Rome","status":"OPEN"}' '{"PK":"c1","SK":"2024-01-05","n":1}' '{"PK":"c1","SK":"2024-02-05","n":2}'
cd .. && mkdir none && cd none || exit 1
pastes 'itemctl -s data create-table NAME --key PK,SK' -- init data
rm -r data
gives 2 $'to create a new one: itemctl -s ./db create data User id\nif data is the store: itemctl create -s data User id' guess create data User id
eval "guess ${err##*: itemctl }" && eq 'the suggested line works' "$(guess -s data tables | jq -r .Key)" id:S
rm -r data
echo 'Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: App, KeySchema: [{AttributeName: id, KeyType: HASH}], AttributeDefinitions: [{AttributeName: id, AttributeType: S}]}}}' >t.yaml
gives 2 'if data is the store: itemctl create -s data -f t.yaml' guess create data -f t.yaml
eval "guess ${err##*: itemctl }" && eq 'the suggested line creates the table' "$(guess -s data tables | jq -r .TableName)" App
rm -r data
for words in 'Shop pk S sk N' 'Shop pk sk'; do
	gives 2 "to create a new one: itemctl -s ./db create $words" guess create $words
	eq "no store is created by $words" "$(find . -name FORMAT)" ''
done
ok guess create data User id,at:N
eq 'a key of two attributes in one word' "$(guess -s data tables | jq -r .Key)" id:S,at:N
cd ../new || exit 1

# ---- a store after options
as 'itemctl -s shop query Shop c1 --reverse' -- query -r shop Shop c1
as 'itemctl -s shop scan Shop --limit 1' -- scan --limit 1 shop Shop
as 'itemctl -s shop get Shop c1 PROFILE' -- get -q shop Shop c1 PROFILE
as 'itemctl -s shop tables' -- ls -l shop
gives 4 ConditionalCheckFailed guess put -n shop Shop '{"PK":"c1","SK":"PROFILE"}'
as 'itemctl -s shop scan Shop' -- scan -d shop Shop
as 'itemctl -s shop scan Shop' -- scan -s shop Shop
ok guess -s shop create-table shop --key PK
ok guess -s shop put shop '{"PK":"a"}'
as 'itemctl -s shop query shop a' -- query --consistent -s shop shop a
ok guess -s shop drop shop --yes
gives 3 'Table: Shp not found' guess query -r shop Shp c1

# ---- verbs
as 'itemctl -s shop scan Shop' -- cat shop Shop
as 'itemctl -s shop scan Shop' -- cat shop/Shop
as 'itemctl -s shop scan Shop --count' -- cat shop Shop --count
as 'itemctl -s shop get Shop c1 PROFILE' -- cat shop Shop c1 PROFILE
gives 3 'Table: Shp not found' guess cat shop Shp
unset_variable=
ok guess cat shop Shop $unset_variable
eq 'a table as a whole, because its key is an unset variable' "$err" 'cat without a key prints all items; for one item: itemctl -s shop get Shop c1 2024-01-05'

# ---- a store in the place of a key or at the end
ok guess -s spare.db create-table Shop --key PK,SK
export ITEMFS_STORE=$PWD/spare.db XDG_CONFIG_HOME=$PWD/settings
mkdir -p settings/itemfs
printf '[live]\nstore = %s/shop\n' "$PWD" >settings/itemfs/config
chmod 600 settings/itemfs/config
for store in shop live; do
	gives 0 "$store is a store: itemctl count Shop -s $store" guess count Shop $store
	eq 'no item has this key' "$out" 0
	eq 'but the store has items' "$(eval "guess ${err##*: itemctl }")" 3
	gives 0 "$store is a store: itemctl query Shop -s $store" guess query Shop $store
	gives 2 "scan: too many words, from \"$store\" on: $store is a store: itemctl scan Shop -s $store" guess scan Shop $store
	gives 2 "describe: too many words, from \"$store\" on: $store is a store: itemctl describe Shop -s $store" guess describe Shop $store
done
gives 0 "no item has PK = 'else'" guess query Shop else
eq 'another word is only a key' "$(grep -c store <<<"$err")" 0
unset ITEMFS_STORE XDG_CONFIG_HOME
rm -r spare.db settings
as 'itemctl -s shop scan Shop --limit 1' -- head -n 1 shop Shop
as 'itemctl -s shop scan Shop --limit 5' -- head shop Shop
as 'itemctl -s shop query Shop c1 --explain' -- explain shop Shop c1
as 'itemctl -s shop scan Shop --filter "n = 1" --explain' -- explain shop Shop --filter 'n = 1'
as 'itemctl -s shop scan Shop --explain' -- explain shop Shop
as 'itemctl -s shop sql --explain "SELECT * FROM Shop"' -- explain shop 'SELECT * FROM Shop'
as 'itemctl -s shop tables' -- show databases
as 'itemctl -s shop get Shop c1 PROFILE' -- findOne shop Shop "{PK: 'c1', SK: 'PROFILE'}"
as 'itemctl -s shop get Shop c1 PROFILE' -- get shop Shop '{PK: "c1", SK: "PROFILE"}'
gives 2 'not JSON' guess get shop Shop '{PK: "c1", SK: }'
pastes 'itemctl -s shop get Shop c1 PROFILE --project city' -- hget shop Shop c1 PROFILE city
pastes 'itemctl -s shop stats Shop' -- du shop Shop
gives 2 "itemctl -s shop scan Shop --filter status=OPEN" guess grep shop Shop status=OPEN
ok guess insert shop Shop '{"PK":"i","SK":"1","v":1}'
gives 4 ConditionalCheckFailed guess insert shop Shop '{"PK":"i","SK":"1","v":2}'
eq 'insert does not replace an item' "$(guess get shop Shop i 1 --project v)" '{"v":1}'
printf '{"PK":"i","SK":"1","v":3}\n{"PK":"i","SK":"2"}\n' >two.jsonl
"$ITEMCTL" insert shop Shop - <two.jsonl >/dev/null 2>&1
eq 'insert from a pipe does not replace an item' "$(guess get shop Shop i 1 --project v)" '{"v":1}'
ok guess rm shop Shop --filter 'PK = "i"'

# ---- the largest items
pastes "itemctl -s shop scan Shop | awk '{ print length, \$0 }' | sort -rn | head -5 | cut -d' ' -f2-" -- stats shop Shop --largest
eq 'the largest item comes first' "$(head -n 1 <<<"$out" | jq -r .SK)" PROFILE

# ---- options of other clients
as "itemctl -s shop describe Shop" -- -d shop -c '\d Shop'
as "itemctl -s shop tables" -- shop -c '\dt'
as "itemctl -s shop tables" -- shop -c .tables
as 'itemctl -s shop query Shop c1 --between 2024-01 2024-01-31' -- query shop Shop c1 2024-01..2024-01-31
eq 'the note has the line that was run' "$err" 'read as: itemctl query -s shop Shop c1 --between 2024-01 2024-01-31'
pastes 'itemctl query -s shop Shop c1 --format json >out.json' -- query shop Shop c1 -o out.json
eq 'the file has all items' "$(jq length out.json)" 3
pastes 'itemctl -d shop --csv -c '\''select n, count(*) from Shop group by n'\'' >n.csv' -- -d shop --csv -c 'select n, count(*) from Shop group by n' -o n.csv
pastes 'itemctl -s shop backup saved/shop' -- dump -d shop -f saved/shop
gives 2 'for the whole store: itemctl -s shop backup DIR' guess dump shop
gives 2 'there is no command' guess -c '\nonsense'
jq -s . >items.json < <(guess scan shop Shop)
ok guess import --db shop --collection Copy --file items.json --jsonArray --type json --key PK,SK
ok guess export --db shop --table Copy --jsonArray --out copy.json
eq 'an array' "$(jq length copy.json)" 3
ok guess delete shop Copy -a --yes
gives 4 ConditionalCheckFailed guess put shop Shop '{"PK":"c1","SK":"PROFILE"}' -c 'attribute_not_exists(PK)'
ok guess create-table shop Copy2 -k PK,SK -g GSI1:A,B
for address in '--addr localhost:0' '--address=127.0.0.1:0' '--bind-addr :0' '-addr :0'; do
	ok guess serve -m $address -- "$ITEMCTL" create-table things --key id
done
ok guess serve -m --ui --bind_ip 127.0.0.1:0 -- sh -c '"$0" -h 127.0.0.1 -p ${ITEMFS_STORE##*:} tables && "$0" --port ${ITEMFS_STORE##*:} --host 127.0.0.1 tables' "$ITEMCTL"
gives 2 'itemctl serve --temp -- sh -c true' guess run --memory --exec true

# ---- diff with three words
ok guess diff shop Shop items.json
eq 'the tables are equal' "$err" '3 equal, 0 removed, 0 added, 0 changed'
ok guess update shop Shop c1 PROFILE 'SET city = "Oslo"'
gives 1 '2 equal, 0 removed, 0 added, 1 changed' guess diff shop Shop items.json --limit 9
gives 2 'shop names no table' guess diff shop Shop

# ---- calls of mongosh; a note has the line that was run
reads() # LINE -- WORD...
{
	as "$@"
	eq 'the note has the line that was run' "$(head -n 1 <<<"$err")" "read as: $1"
}
reads "itemctl -s shop sql \"SELECT * FROM Shop WHERE PK = 'c1' AND SK = 'PROFILE'\" --limit 1" -- shop --eval 'db.Shop.findOne({PK:"c1",SK:"PROFILE"})'
reads "itemctl -s shop sql \"SELECT * FROM Shop WHERE PK = 'c1'\"" -- shop 'db.Shop.find({PK: "c1"})'
reads "itemctl -s shop sql \"SELECT * FROM Shop WHERE status = 'OPEN'\" --limit 5" -- -s shop "db.Shop.find({status: 'OPEN'}).limit(5).toArray();"
reads "itemctl -s shop sql \"SELECT * FROM Shop WHERE PK = 'c1' AND n >= 2\"" -- shop -e 'db.Shop.find({PK: "c1", n: {$gte: 2}}).pretty()'
reads "itemctl -s shop sql 'SELECT * FROM Shop'" -- shop 'db.Shop.find()'
reads "itemctl -s shop sql 'SELECT count(*) FROM Shop'" -- shop 'db.Shop.countDocuments({})'
reads 'itemctl -s shop tables' -- shop 'db.getCollectionNames()'
reads 'itemctl -s shop describe Shop' -- shop 'db.Shop.getIndexes()'
reads 'itemctl -s shop stats Shop' -- shop 'db.Shop.stats()'
ok guess shop 'db.Shop.insertOne({PK: "m", SK: "1", v: 1})'
eq 'insertOne is put --if-not-exists' "$err" "read as: itemctl -s shop put Shop --if-not-exists '{\"PK\": \"m\", \"SK\": \"1\", \"v\": 1}'"
gives 4 ConditionalCheckFailed guess shop 'db.Shop.insertOne({PK: "m", SK: "1", v: 2})'
pastes "itemctl -s shop delete Shop '{\"PK\": \"m\", \"SK\": \"1\"}'" -- shop 'db.Shop.deleteOne({PK: "m", SK: "1"})'
ok guess -s shop create-table Gone --key PK
pastes 'itemctl -s shop drop Gone --yes' -- shop 'db.Gone.drop()'
gives 3 'Requested resource not found' guess shop 'db.None.find()'
for call in 'db.Shop.find({a: {b: 1}})' "db.Shop.find({a: \"it's\"})" 'db.Shop.find({PK: "c1"}).limit(x)' 'db.Shop.find(' 'db.Shop.find([1])' \
	'db.Shop.drop({})' 'db.Shop.deleteOne()' 'db.find()' 'db.Shop.aggregate([])' 'db.Shop.find().skip(1)'; do
	gives 2 "there is no command \"$call\"; see itemctl help" guess shop "$call"
done
gives 2 'duplicate name "a"' guess shop 'db.Shop.find({a: 1, a: 2})'

# ---- Redis: verbs in upper case; the largest items of all tables
as 'itemctl -s shop get Shop c1 PROFILE' -- shop EXISTS Shop c1 PROFILE
gives 1 'not found' guess shop EXISTS Shop c1 none
as 'itemctl -s shop get Shop c1 PROFILE' -- shop GET Shop c1 PROFILE
as 'itemctl -s shop tables' -- shop INFO
ok guess shop SET Shop r 1 v=1
eq 'SET is an update' "$err" $'read as: SET v = 1\nthere was no such item: it was created'
ok guess shop DEL Shop r 1
gives 1 'not found' guess shop GET Shop r 1
gives 2 'get needs TABLE and PK' guess shop GET
by_length=" | awk '{ print length, \$0 }' | sort -rn | head -5 | cut -d' ' -f2-"
of_all="itemctl -s shop tables | jq -r .TableName | xargs -n1 itemctl -s shop scan$by_length"
PATH=$(dirname "$ITEMCTL"):$PATH
for words in 'shop --bigkeys' '-s shop --bigkeys' 'shop bigkeys' 'shop largest'; do
	pastes "$of_all" -- $words
	eq 'the largest item comes first' "$(head -n 1 <<<"$out" | jq -r .SK)" PROFILE
done
pastes "itemctl -s shop scan Shop$by_length" -- shop bigkeys Shop
gives 2 'unknown option --bigkeys' guess -s shop tables --bigkeys

# ---- duckdb: the files of a pattern into an existing table
mkdir rows
echo '[{"PK":"d","SK":"1"}]' >rows/1.json
echo '[{"PK":"d","SK":"2"}]' >rows/2.json
loads() # WORDS STATEMENT
{
	ok guess shop "$2"
	eq "$2" "$(head -n 1 <<<"$err")" "read as: itemctl -s shop import $1"
	eq 'its items' "$(guess query shop Shop d | jq -r .SK | tr '\n' ' ')" "$3"
	ok guess rm shop Shop --filter 'PK = "d"'
}
loads 'Shop rows/1.json rows/2.json' "INSERT INTO Shop SELECT * FROM read_json_auto('rows/*.json')" '1 2 '
loads 'Shop rows/2.json' "INSERT INTO Shop SELECT * FROM read_json('rows/2.json')" '2 '
printf 'PK,SK\nd,3\n' >rows/3.csv
loads 'Shop rows/3.csv' "insert into Shop select * from 'rows/3.csv';" '3 '
ok guess shop "CREATE TABLE Rows AS SELECT * FROM read_json('rows/*.json')"
eq 'a new table of two files' "$(guess count shop Rows)" 2
ok guess drop shop Rows --yes
gives 2 'rows/none*.json: No such file' guess shop "INSERT INTO Shop SELECT * FROM read_json('rows/none*.json')"
gives 3 'Table: Shp not found' guess shop "INSERT INTO Shp SELECT * FROM 'rows/1.json'"
gives 2 'Unexpected token after expression' guess shop 'INSERT INTO Shop SELECT * FROM Other'
rm -r rows
# ---- words of kubectl and terraform
hcl="to convert Terraform's own language to JSON: terraform init && terraform plan -out plan && terraform show -json plan >plan.json"
echo 'resource "aws_dynamodb_table" "app" {' >main.tf
for verb in 'apply -f' deploy seed; do
	gives 2 "there is no command \"${verb%% *}\": $hcl && itemctl -s ./shop create-table --from plan.json --if-not-exists --update" guess $verb main.tf --store ./shop
done
cat >plan.json <<'JSON'
{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"type":"aws_dynamodb_table","name":"app","values":{"name":"app","hash_key":"PK","range_key":"SK",
"attribute":[{"name":"PK","type":"S"},{"name":"SK","type":"S"},{"name":"g","type":"S"}],
"global_secondary_index":[{"name":"GSI1","hash_key":"g","projection_type":"ALL"}]}}]}}}
JSON
itemctl() { "$ITEMCTL" "$@"; }
ok eval "${err##*plan.json && }"
ok guess put app -s shop '{"PK":"HOT#0","SK":"A","g":"p","status":"OPEN","kind":"order"}' '{"PK":"HOT#1","SK":"A","n":5}' '{"PK":"HOT#2","SK":"A"}'
as 'itemctl -s shop explain query app HOT#0' -- plan query app HOT#0 -s shop
as 'itemctl -s shop explain "SELECT * FROM app WHERE n > 1"' -- plan 'SELECT * FROM app WHERE n > 1' -s shop
pastes 'itemctl -s ./shop query app HOT#0 --explain' -- plan app HOT#0 --store ./shop
pastes "itemctl sql \"SELECT * FROM app WHERE PK IN ('HOT#0','HOT#1','HOT#2')\" -o json -s shop" -- get app HOT#0 HOT#1 HOT#2 -o json -s shop
eq 'several partitions' "$(jq -r '.[].PK' <<<"$out" | tr '\n' ' ')" 'HOT#0 HOT#1 HOT#2 '
gives 2 'itemctl: get: too many words, from "HOT#1" on
usage:' guess get app HOT#0 A HOT#1 A -s shop
pastes 'itemctl get app HOT#0 A --project g,status -s shop' -- get app HOT#0 A g status -s shop
for form in 'jsonpath={.items[*].PK}' go-template={{.PK}} custom-columns=PK:.PK name; do
	gives 2 'unknown option -o: to select parts, use --query of the AWS command line, or jq: itemctl' guess get app -o "$form" -s shop
	pastes 'itemctl scan app -s shop -o json | jq .' -- get app -o "$form" -s shop
	pastes 'itemctl get app HOT#1 A -s shop -o json | jq .' -- get app HOT#1 A -o="$form" -s shop
done
pastes 'itemctl tables -s shop | jq -r .TableName' -- tables -o name -s shop
pastes 'itemctl query app --index GSI1 p -s shop' -- get app --index GSI1 p -s shop
pastes 'itemctl scan app --index=GSI1 -s shop' -- get app --index=GSI1 -s shop
gives 2 "use a filter for labels: itemctl patch app -p '{\"status\":\"X\"}' -s shop --filter \"kind = 'order' AND status = 'OPEN'\"" guess patch app -l kind=order,status=OPEN -p '{"status":"X"}' -s shop
ok eval "$(sed -n 's/.*for labels: itemctl/guess/p' <<<"$err")"
eq 'items that match a filter are updated' "$(guess get app HOT#0 A -s shop | jq -r .status)" X
pastes "itemctl scan app -s shop --filter \"status <> 'a-b' AND n <> 4 AND n=5\"" -- get app --selector 'status!=a-b,n!=4,n=5' -s shop
ok guess -s shop alter app --stream NEW_AND_OLD_IMAGES
gives 2 'get has no such option: itemctl -s shop tail app' guess get app --watch -s shop
gives 2 'get has no such option: itemctl -s shop tail app' guess get app -w -o json -s shop
ok guess -s shop tail app --once
ok guess create item app --from-literal=PK=a --from-literal=SK=b --store ./shop
eq 'an item given as words' "$err" 'read as: {"PK":"a","SK":"b"}'
as 'itemctl -s shop get app a b' -- get app a b -s shop
gives 2 'unknown option --from-literal' guess create-table item --from-literal=PK=a -s shop
pastes "itemctl scan app -s shop --filter \"PK = 'a'\"" -- get app -lPK=a -s shop
pastes 'itemctl scan app -s shop -o json | jq .' -- get app -ojsonpath={.PK} -s shop
gives 2 'unknown option -l: use a filter for labels: ' guess get app -s shop -l
ok guess -s shop drop app --yes

# ---- a store with the name of a command
mkdir names
ok guess copy shop names/copy
cd names
ok guess -s scan create-table Other --key PK
as 'itemctl -s ./copy tables' -- copy .tables
as 'itemctl -s ./copy describe Shop' -- copy '.schema Shop'
as 'itemctl -s ./copy sql "SELECT * FROM Shop"' -- copy 'SELECT * FROM Shop'
eq 'not the one of ITEMFS_STORE' "$(ITEMFS_STORE=copy guess scan 'SELECT SK FROM Shop' 2>/dev/null)" "$(guess -s ./copy sql 'SELECT SK FROM Shop')"
gives 2 'no store' guess copy Shop
gives 2 'get needs TABLE and PK' guess get .tables
cd .. && rm -r names

# ---- a store that should be created, although another one is here
ok guess cp shop:Shop other.db:Shop --where 'city = "Oslo"'
ok guess cp shop:Shop other:Shop
eq 'STORE:TABLE, as with docker cp' "$(guess -s other.db count Shop) $(guess -s other count Shop)" '1 3'
rm -r other other.db
gives 2 $'there is no command "undo": writes cannot be undone; to put back an item from a backup: itemctl -s ./restored restore BACKUP && itemctl -s ./restored get Shop c1 PROFILE | itemctl -s ./shop put Shop -' guess undo Shop c1 PROFILE
ok guess backup shop monday
ok guess update shop Shop c1 PROFILE 'SET city = "Bern"'
line=$(guess undo Shop c1 PROFILE 2>&1 | sed 's/.*from a backup: //; s/BACKUP/monday/')
itemctl() { "$ITEMCTL" "$@"; }
ok eval "$line"
eq 'an item is restored' "$(guess get shop Shop c1 PROFILE | jq -r .city)" Oslo
rm -r restored monday
mkdir fixtures
echo '[{"id":"a"}]' | tee fixtures/One.json >fixtures/Two.json
guess import new.db fixtures/*.json 2>err
ok eval "$(sed -n 's/^to create a table from each file: //p' err)"
eq 'a table for each file' "$(guess new.db tables | jq -r .TableName | tr '\n' ' ')" 'One Two '
"$ITEMCTL" scan Shop -s shop | "$ITEMCTL" import third Shop 2>err
eq 'the suggested line for a pipe' "$(sed -n 2p err)" 'its items may have this key: itemctl import -s third Shop --key PK,SK'
rm -r new.db
cp ../none/t.yaml .
pastes 'itemctl -s new.db create-table --from t.yaml --if-not-exists --update' -- deploy --template-file t.yaml new.db
rm -r new.db
ok guess new -c 'CREATE TABLE User (id text, at text, PRIMARY KEY (id, at))'
eq 'a statement of -c creates the table' "$(guess -s new tables | jq -r .Key)" id:S,at:S
cd ..
done_testing
