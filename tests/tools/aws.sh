#!/bin/bash
# Command lines as they stand behind "aws dynamodb", forms of output that other tools have.
. "$(dirname "$0")/lib.sh"
begin

# ---- options that only the AWS command line has
ok ctl dynamodb create-table --table-name music --attribute-definitions AttributeName=Artist,AttributeType=S AttributeName=Song,AttributeType=S \
	AttributeName=Year,AttributeType=N --key-schema AttributeName=Artist,KeyType=HASH AttributeName=Song,KeyType=RANGE \
	--global-secondary-indexes 'IndexName=ByYear,KeySchema=[{AttributeName=Year,KeyType=HASH}],Projection={ProjectionType=INCLUDE,NonKeyAttributes=[Plays]},ProvisionedThroughput={ReadCapacityUnits=2,WriteCapacityUnits=3}' \
	--provisioned-throughput ReadCapacityUnits=5,WriteCapacityUnits=6 --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE
eq 'a table from shorthand' "$(ctl describe music | jq -c '[.KeySchema[].AttributeName, .GlobalSecondaryIndexes[0].Projection.NonKeyAttributes,
	.GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits, .ProvisionedThroughput.WriteCapacityUnits, .StreamSpecification.StreamViewType]')" \
	'["Artist","Song",["Plays"],2,6,"NEW_IMAGE"]'
item='{"Artist":{"S":"Acme"},"Song":{"S":"Blue"},"Year":{"N":"1999"}}'
ok ctl put-item --table-name music --item "$item"
printf '{"Artist":{"S":"Acme"},"Song":{"S":"Blue"}}' >key.json
eq 'an item by its key' "$(ctl get-item --table-name music --key file://key.json | jq -cS .Item)" "$(jq -cS . <<<"$item")"
eq 'the command has its word, too' "$(ctl get music --key "$(cat key.json)" --consistent-read)" "$(ctl get-item --table-name music --key file://key.json)"
eq 'an update' "$(ctl update-item --table-name music --key file://key.json --update-expression 'SET #p = :p' --expression-attribute-names '{"#p":"Plays"}' \
	--expression-attribute-values '{":p":{"N":"7"}}' --return-values UPDATED_NEW)" '{"Attributes":{"Plays":{"N":"7"}}}'
eq 'names in shorthand' "$(ctl query music --key-condition-expression '#a = :a' --expression-attribute-names '#a=Artist' \
	--expression-attribute-values ':a={S=Acme}' --select COUNT --no-scan-index-forward --max-items 5)" '{"Count":1,"ScannedCount":1}'
eq 'a flag' "$(ctl query music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":{"S":"Acme"}}' --consistent-read |
	jq .Count)" 1
ok ctl execute-statement --statement "SELECT * FROM music WHERE Artist = ?" --parameters '[{"S":"Acme"}]'
eq 'a statement and its parameters' "$(jq '.Items | length' <<<"$out")" 1
ok ctl batch-write-item --request-items '{"music":[{"PutRequest":{"Item":{"Artist":{"S":"B"},"Song":{"S":"1"}}}}]}'
eq 'requests' "$out" '{"UnprocessedItems":{}}'
ok ctl update-time-to-live --table-name music --time-to-live-specification Enabled=true,AttributeName=Until
ok ctl delete-item --table-name music --key '{"Artist":{"S":"B"},"Song":{"S":"1"}}' --output yaml
ok ctl get-item --cli-input-json '{"TableName":"music","Key":'"$(cat key.json)"'}'
eq 'a whole request' "$(jq -r .Item.Song.S <<<"$out")" Blue
eq 'a description as YAML' "$(ctl describe-time-to-live --table-name music --output yaml)" $'TimeToLiveDescription:\n  TimeToLiveStatus: ENABLED\n  AttributeName: Until'
eq 'counted' "$(ctl scan --table-name music --select COUNT | jq .Count)" 1
eq 'counted by words' "$(ctl scan music --select COUNT)" 1
eq 'the tables as the API lists them' "$(ctl list-tables)" '{"TableNames":["music"]}'
eq 'in another form' "$(ctl list-tables --output text)" "$(ctl tables --format text)"
eq 'a table' "$(ctl describe-table --table-name music | jq -r .Table.TableStatus)" ACTIVE
eq 'all items' "$(ctl scan --table-name music --return-consumed-capacity TOTAL | jq -c '[.Count, .ConsumedCapacity.TableName]')" '[1,"music"]'
ok ctl query --table-name music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":{"S":"A"}}' --output table
eq 'a table is another command' "$err" 'an answer of the API is JSON; a table: itemctl query music PK --format table'

# ---- mistakes in them
gives 2 'is a word too many' ctl get-item music again --key file://key.json
gives 2 '--cli-input-json is the whole request' ctl get-item --cli-input-json '{}' --key file://key.json
gives 2 '--table-name needs a value' ctl get-item --key file://key.json --table-name
gives 2 'none.json' ctl get-item --table-name music --key file://none.json
gives 2 'Key: not JSON' ctl get-item --table-name music --key '{"Artist"'
gives 2 'is neither JSON nor written as A=b,C=[d,e]: something is wrong at byte' ctl get-item --table-name music --key 'Artist={S'
gives 2 'something is wrong at byte' ctl create-table --table-name other --key-schema 'AttributeName=[a'
gives 2 'something is wrong at byte' ctl create-table --table-name other --key-schema "$(printf 'A=[%.0s' {1..100})"
gives 2 'values say their type: {":a":{"S":"text"}' ctl query --table-name music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":"Acme"}'
gives 2 'ValidationException' ctl put-item --table-name music --item '{}'

# ---- yaml and text
ok ctl put music '{"Artist":"C","Song":"yes","n":"1","m":{"z":1,"a":[1,[2,{"b":true}],{},[]]},"e":"","q":"a: b","l":"two\nlines","nil":null}'
eq 'an item as YAML, in the order of its attributes' "$(ctl get music C yes -o yaml)" 'Artist: C
Song: "yes"
"n": "1"
m:
  z: 1
  a:
    - 1
    - - 2
      - b: true
    - {}
    - []
e: ""
q: "a: b"
l: "two\nlines"
nil: null'
eq 'several are a list' "$(ctl scan music --project Artist,Year --output yaml)" $'- Artist: Acme\n  Year: 1999\n- Artist: C'
eq 'none are an empty one' "$(ctl query music nobody --format yaml)" '[]'
eq 'no item as YAML' "$(ctl query music C --filter 'a = 1' -o yaml 2>/dev/null)" '[]'
eq 'text: values between tabs, a column for each attribute' "$(ctl query music C --project Artist,Song,l,m.z -o text; ctl scan music --project Song,Year,l --output text)" \
	$'C\tyes\ttwo\\nlines\t{"z":1}\nBlue\t1999\nyes\t\ttwo\\nlines'
eq 'of statements, too' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'C'" -o text)" yes
eq 'tables' "$(ctl tables -o yaml | head -2)" $'- TableName: music\n  Key: "Artist:S,Song:S"'
eq 'a description' "$(ctl describe music -o yaml | sed -n 1,3p)" $'AttributeDefinitions:\n  - AttributeName: Artist\n    AttributeType: S'
eq 'wide is a table' "$(ctl get music Acme Blue -o wide | head -1 | tr -s ' ')" 'Artist Acme'
gives 2 'describe prints JSON, or words' ctl describe music -o text
gives 2 'tail prints lines' ctl tail music -o yaml
gives 2 'call prints JSON' ctl call list-tables -o text
gives 2 '--format is jsonl, json, typed, csv, tsv, yaml, md, text or table, not "xml"' ctl scan music -o xml
ok ctl export music --output songs.jsonl
eq 'a file by an option' "$(jq -r .Song songs.jsonl | sort | tr '\n' ' ')" 'Blue yes '
gives 2 'FILE and --output: one of them' ctl export music a.jsonl -o b.jsonl
done_testing
