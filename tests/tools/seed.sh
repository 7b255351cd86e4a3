#!/bin/bash
# serve --seed and --from: the initial contents of a store in memory, and what is refused before the server listens.
. "$(dirname "$0")/lib.sh"

# seeded WORD... - run a command with a server that has these options; the messages of the server are in beside.err
seeded()
{
	"$ITEMCTL" serve "$@" 2>beside.err
}

# refused TEXT WORD... - check that the server prints TEXT, does not listen, and leaves no store
refused()
{
	local text=$1
	shift
	gives 2 "$text" "$ITEMCTL" serve --port 0 "$@"
	eq "serve $*: no lines to paste are printed" "$out" ''
	gives 2 "$text" "$ITEMCTL" serve --background --port 0 "$@"
	eq "serve --background $*: nor in the background" "$out" ''
}

ok ctl create-table music --key Artist,Song --gsi 'ByYear=Year:N,Song' --ttl Expires --stream NEW_IMAGE --throttle
ok ctl put music '{"Artist":"Acme","Song":"Blue","Year":1999}'
ctl describe music --format json >music.json
printf '%s\n' '{"Artist":"Acme","Song":"Red","Year":2001}' '{"Artist":"Bell","Song":"Bass","Year":1949}' >music.jsonl
scan=("$ITEMCTL" scan music)
table()
{
	seeded "$@" -- "$ITEMCTL" describe music --format json | jq -c '[.ItemCount, .StreamSpecification.StreamViewType, .GlobalSecondaryIndexes[0].ItemCount]'
}

# ---- definitions and items
eq 'a definition and its items' "$(seeded --seed music.json --seed music.jsonl -- "${scan[@]}")" "$(cat music.jsonl)"
eq 'the created table and the items are reported' "$(sed 's/ in [0-9.]* s//' beside.err)" $'table music created\nmusic.jsonl: items of the table music\nimported 2 items; durable'
eq 'no report with -q' "$("$ITEMCTL" -q serve --seed music.json --seed music.jsonl -- true 2>&1)" ''
eq 'items before their definition' "$(table --seed music.jsonl --seed music.json)" '[2,"NEW_IMAGE",2]'
eq 'a table with another name' "$(seeded --seed music.json=songs -- "$ITEMCTL" tables | jq -r .TableName)" songs
eq 'items from a file with any name' "$(printf '%s\n' Artist,Song,Year:N Cole,Gold,3 >x=1.csv; seeded --seed music.json --seed x=1.csv=music -- "${scan[@]}")" '{"Artist":"Cole","Song":"Gold","Year":3}'
printf '%s\n' Artist,Song,Plays Cole,Gold,3 >music.csv
eq 'numbers in CSV are text' "$(seeded --seed music.json --seed music.csv -- "${scan[@]}")" '{"Artist":"Cole","Song":"Gold","Plays":"3"}'
ok grep -q 'Plays is imported as text; to import numbers: --infer' beside.err
eq 'unless --infer is given' "$(seeded --seed music.json --seed music.csv --seed music.jsonl --infer -- "${scan[@]}" | grep Cole)" '{"Artist":"Cole","Song":"Gold","Plays":3}'
eq 'items from standard input, in the background' "$(eval "$("$ITEMCTL" -q serve --port 0 --background --seed music.json --seed /dev/stdin=music <music.jsonl)"; "${scan[@]}" --count; kill "$ITEMFS_SERVER_PID")" 2
gzip -k music.jsonl
eq 'compressed items' "$(seeded --seed music.json --seed music.jsonl.gz -- "${scan[@]}" --count)" 2
eq 'definition and items from pipes' "$(seeded --seed <(cat music.json) --seed <(cat music.jsonl)=music -- "${scan[@]}" --count)" 2
eq 'items from standard input' "$(seeded --seed music.json --seed /dev/stdin=music -- "${scan[@]}" --count <music.jsonl)" 2
ok "$ITEMCTL" -s "$S" export music exported --to dynamodb-export
eq 'an export has the name of its table' "$(seeded --seed music.json --seed exported -- "${scan[@]}")" '{"Artist":"Acme","Song":"Blue","Year":1999}'
eq 'or another name' "$(seeded --seed music.json=songs --seed exported/=songs -- "$ITEMCTL" scan songs --count)" 1
cat >model.json <<'END'
{"ModelName":"m","ModelMetadata":{"Version":"3.0"},"DataModel":[
 {"TableName":"people","KeyAttributes":{"PartitionKey":{"AttributeName":"id","AttributeType":"N"}},"TableData":[{"id":{"N":"1"},"name":{"S":"Ada"}}]},
 {"TableName":"empty","KeyAttributes":{"PartitionKey":{"AttributeName":"a","AttributeType":"S"}}}]}
END
cat >stack.yaml <<'END'
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders
      KeySchema: [{AttributeName: id, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
END
for option in --seed --init --import --schema --tables --create-tables; do
	eq "$option: a Workbench model with its data" "$(seeded $option model.json -- "$ITEMCTL" scan people)" '{"id":1,"name":"Ada"}'
done
eq 'CloudFormation' "$(seeded --seed stack.yaml -- "$ITEMCTL" tables | jq -r .TableName)" orders

# ---- items of an undefined table create it, with a matching key
printf '%s\n' '{"pk":"a","sk":1,"x":1}' '{"pk":"a","sk":2,"x":1}' >app.jsonl
printf '%s\n' id,name 2,b 1,a >people.csv
echo '{"staff":[{"PutRequest":{"Item":{"id":{"N":"1"},"dept":{"S":"x"}}}},{"PutRequest":{"Item":{"id":{"N":"2"},"dept":{"S":"x"}}}}]}' >staff.json
printf '%s\n' '{"w":1,"at":1}' '{"w":1,"at":2}' '{"w":2,"at":1}' >words.jsonl
(seq 1 399 && echo 7) | sed 's/.*/{"id":&}/' >twice.jsonl
cat >alone <<'END'
app pk:S,sk:N 2|--seed app.jsonl
apps pk:S,sk:N 2|--seed app.jsonl=apps
people id:S 2|--seed people.csv
people id:N 2|--seed people.csv --infer
staff id:N 2|--seed staff.json
apps pk:S,sk:N 2|--seed saved-apps
END
ok "$ITEMCTL" -s auto import apps app.jsonl --key pk,sk:N
ok "$ITEMCTL" -s auto export apps saved-apps --to dynamodb-export
while IFS='|' read -r made words; do
	eq "items alone: $words" "$(seeded $words -- "$ITEMCTL" describe "${made%% *}" --format json |
		jq -r '(.AttributeDefinitions | map({(.AttributeName): .AttributeType}) | add) as $t |
			"\(.TableName) \([.KeySchema[].AttributeName | . + ":" + $t[.]] | join(",")) \(.ItemCount)"')" "$made"
done <alone
eq 'the created table is reported' "$(seeded --seed staff.json -- true; sed 's/ in [0-9.]* s//' beside.err)" $'staff.json: items of the table staff
the new table gets a key that suits its items: --key id:N\ntable staff created\nimported 2 items; durable'
eq 'several tables from items' "$(seeded --seed app.jsonl --seed people.csv --seed app.jsonl=more -- "$ITEMCTL" tables | jq -r .TableName | tr '\n' ' ')" 'app more people '
eq 'import --key auto creates a table, too' "$("$ITEMCTL" -s auto import app app.jsonl --key auto 2>&1 | head -n 2; "$ITEMCTL" -s auto scan app --count)" \
	$'the new table gets a key that suits its items: --key pk,sk:N\ntable app created\n2'
eq 'a key with which items replace others is reported' "$("$ITEMCTL" -s auto import given twice.jsonl --key id:N 2>&1 | tail -n 1)" \
	'1 of 400 items replaced another one: --key id:N is not unique'
gives 2 '--key auto: 1 of 400 items replaced another one: --key id:N is not unique' "$ITEMCTL" -s auto import twice twice.jsonl --key auto
gives 2 'stores of this machine, where it is checked; these items may have this key: --key id:N' "$ITEMCTL" -s dynamodb:eu-west-1 import twice twice.jsonl --key auto
gives 3 'not found' "$ITEMCTL" -s auto describe twice
eq 'a pipe is read once' "$("$ITEMCTL" -s auto import piped <(cat app.jsonl) --key pk,sk:N 2>/dev/null && "$ITEMCTL" -s auto scan piped --count)" 2

# ---- a directory
mkdir -p all/notes
cp music.json model.json music.jsonl stack.yaml all
echo '- {id: a}' >all/orders.yml
touch all/.hidden all/README.md
mkfifo all/fifo
cp -r exported all/export
eq 'all files of a directory' "$(seeded --seed all -- sh -c '"$0" scan music --count; "$0" scan orders; "$0" scan people --count' "$ITEMCTL")" $'3\n{"id":"a"}\n1'
eq 'ignored files are reported' "$(head -n 1 beside.err)" 'all: not read: README.md, fifo, notes'
mkdir one
cp music.json one/table.json
cp music.jsonl one/items.jsonl
eq 'items of the only table' "$(seeded --seed one -- "${scan[@]}" --count)" 2
eq 'the directory of an example' "$(seeded --seed "$SOURCE/tools/examples/e-commerce" -- "$ITEMCTL" scan EcommerceTable --count)" 9

# ---- requests name their table; folders made by other tools
key='{"Artist":{"S":"Acme"},"Song":{"S":"Red"}}'
printf '{"music":[{"PutRequest":{"Item":%s}}]}' "$key" >batch.json
printf '{"RequestItems":{"music":[{"PutRequest":{"Item":%s}}]}}' "$key" >request.json
printf '{"TableName":"music","Item":%s}' "$key" >put.json
for file in batch request put; do
	eq "$file.json" "$(seeded --seed music.json --seed $file.json -- "${scan[@]}")" '{"Artist":"Acme","Song":"Red"}'
done
mkdir -p bucket/AWSDynamoDB cdk.out
cp -r exported bucket/AWSDynamoDB/01-a
eq 'a bucket of exports' "$(seeded --seed music.json --seed bucket -- "${scan[@]}" --count)" 1
touch cdk.out/cdk.out
cp music.json cdk.out/manifest.json
cp stack.yaml cdk.out/Stack.template.json
eq 'the output of cdk synth' "$(seeded --seed cdk.out -- "$ITEMCTL" tables | jq -r .TableName; cat beside.err)" $'orders\ntable orders created'

# ---- refusals
refused 'absent: No such file or directory' --seed absent
refused '"": No such file or directory' --seed ''
refused '--seed needs files; for standard input: --seed /dev/stdin=TABLE' --seed -
refused "--seed music.json=: give the name of a table after \"=\"" --seed music.json=
refused '--seed all=music: only a file, or the folder of an export, has one table' --seed all=music
mkdir empty
refused 'empty: it has no files of definitions or items' --seed empty
refused 'model.json: Table already exists: people' --seed model.json --seed model.json
refused '--infer goes with --seed FILE.csv' --infer
refused '--infer goes with CSV: --seed FILE.csv' --infer --seed music.json --seed music.jsonl
refused 'words.jsonl: --key auto: cannot derive a key from these items. To define the table by a file: itemctl serve' --seed words.jsonl
eq 'the suggested line keeps all options' "${err#*by a file: }" "itemctl serve --background --port 0 --seed words.jsonl --seed DEFINITION. \
Or replace KEY by its key: itemctl -s ./db import words words.jsonl --key KEY && itemctl serve --background --port 0 --seed words.jsonl --from ./db"
line=${err##*KEY by its key: }
first=${line%% &&*}
eval "gives 2 'item 1 has no attribute KEY' \"\$ITEMCTL\" ${first#itemctl}"
ok test ! -e db # no table with a wrong key is left
eq 'the suggested line with a key works' "$(line=${line/KEY/w:N,at:N} && eval "${line//itemctl/\"\$ITEMCTL\"} -- \"\$ITEMCTL\" scan words --count" 2>/dev/null)" 3
refused 'exported: --key auto: cannot derive a key from these items. To define' --seed exported # from a single item
refused 'twice.jsonl: --key auto: 1 of 400 items replaced another one: --key id:N is not unique. To define' --seed twice.jsonl
cp people.csv x.csv
refused 'x.csv: TableName must be at least 3 characters long' --seed x.csv
eq 'a name that is too short for a table' "${err##*: }" 'itemctl serve --background --port 0 --seed x.csv=TABLE'
refused 'cannot derive a key from a pipe or an empty file' --seed <(cat music.jsonl)=music
cp music.jsonl 'my musik.jsonl'
refused 'my musik.jsonl: there is no table my musik; there are music: itemctl serve' \
	--seed music.json --seed 'my musik.jsonl' --seed music.csv=music
eq 'the suggested line has each file and all options' "${err##*music: }" "itemctl serve --background --port 0 --seed music.json --seed 'my musik.jsonl=music' --seed music.csv=music"
eval "seeded ${err##*itemctl serve} -- true" || : # the suggested line then fails because of the other file
eq 'the suggested line names a table' "$(grep -c 'my musik.jsonl: items of the table music' beside.err)" 1
cp one/items.jsonl all/items.jsonl
refused 'all/items.jsonl: there is no table items; there are empty, music, orders, people: itemctl serve' --seed all
eq 'a file of a folder is named separately' "${err##*people: }" 'itemctl serve --background --port 0 --seed all --seed all/items.jsonl=TABLE'
eq 'and read once' "$(seeded --seed all --seed all/items.jsonl=music -- "${scan[@]}" --count; grep -c 'items.jsonl: items' beside.err)" $'3\n1'
rm all/items.jsonl
printf '{"TableName":"music",\n"KeySchema":[}' >all/music.json
refused 'all/music.json defines no tables: not JSON: line 2, column 14: expected a value, found "}". To read it as items of a table: --seed all/music.json=TABLE' --seed all
echo '{"TableName":"music","KeySchema":[]}' >broken.json
refused "broken.json: 2 validation errors detected: Value null at 'attributeDefinitions'" --seed broken.json
printf '%s\n' '{"Artist":"Acme","Song":"Red"}' '{"Artist":"Acme"}' >music.jsonl
refused 'music.jsonl:2: ' --seed music.json --seed music.jsonl
gives 2 "--seed and --from fill a store in memory: leave out $S. To fill a store on disk: itemctl -s $S create-table --from FILE" ctl serve --seed music.json
gives 2 'fill a store in memory' "$ITEMCTL" serve "$S" --from "$S"
eq 'the store of the environment is not used' "$(ITEMFS_STORE=$S seeded --seed music.json -- "${scan[@]}" --count)" 0

# ---- a copy
settings()
{
	"$ITEMCTL" describe music --format json | jq -c '[.TableName, .KeySchema, .GlobalSecondaryIndexes[0].IndexName, .StreamSpecification, .ItemCount]'
}
export -f settings
export ITEMCTL
before=$(ITEMFS_STORE=$S settings)
eq 'a copy of a store' "$(seeded --from "$S" -- bash -c settings)" "$before"
eq 'the store itself is unchanged' "$(seeded --from "$S" -- "$ITEMCTL" drop music --yes; ITEMFS_STORE=$S settings)" "$before"
ok ctl backup saved
eq 'a copy of a backup' "$(seeded --from saved -- bash -c settings)" "$before"
eq 'a copy with additional tables' "$(seeded --from "$S" --seed exported --seed model.json -- "$ITEMCTL" tables | jq -r .TableName | tr '\n' ' ')" 'empty music people '
begin_server --port 0
eq 'a copy of a served store' "$(seeded --from "$S" -- bash -c settings)" "$before"
eq 'a copy of a server' "$(seeded --from "http://$(address log)" -- bash -c settings)" "$before"
end_server
refused '--from nowhere: No such file or directory' --from nowhere
refused "--from music.json: neither a store nor a backup; for files: itemctl serve --seed music.json" --from music.json
refused "--from all: neither a store nor a backup; for files: itemctl serve --seed all" --from all
gives 70 '--from http://127.0.0.1:1: ' "$ITEMCTL" serve --from http://127.0.0.1:1
cp -r saved spoilt
printf x | dd of=spoilt/BACKUP bs=1 seek=60 conv=notrunc status=none
gives 70 '--from spoilt: ' "$ITEMCTL" serve --port 0 --from spoilt

# ---- interrupted: the server does not listen, and nothing is left
mkfifo items
"$ITEMCTL" serve --seed music.json --seed items=music >stopped 2>&1 &
pid=$!
echo "$pid" >pid
exec 5>items
ok wait_until 10 grep -q 'items of the table music' stopped
dir=$(readlink "/proc/$pid/fd/"* | sed -n 's,^\(/dev/shm/itemfs-temporary-[^/]*\|/tmp/itemfs-temporary-[^/]*\).*,\1,p' | head -n 1)
ok test -d "$dir/store"
ok wait_until 10 asks pid
kill -TERM "$pid"
wait "$pid"
eq 'the server ends by the signal' "$?" 143
exec 5>&-
eq 'without listening' "$(grep -c '^listening' stopped)" 0
ok wait_until 10 test ! -e "$dir"
done_testing
