#!/bin/bash
# Command lines copied from "aws dynamodb", and output formats of other tools.
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
eq 'an item with its key from a file' "$(ctl get-item --table-name music --key file://key.json | jq -cS .Item)" "$(jq -cS . <<<"$item")"
eq 'get accepts --key, too' "$(ctl get music --key "$(cat key.json)" --consistent-read)" "$(ctl get-item --table-name music --key file://key.json)"
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
eq 'a whole request as JSON' "$(jq -r .Item.Song.S <<<"$out")" Blue
eq 'a description as YAML' "$(ctl describe-time-to-live --table-name music --output yaml)" $'TimeToLiveDescription:\n  TimeToLiveStatus: ENABLED\n  AttributeName: Until'
eq '--select COUNT' "$(ctl scan --table-name music --select COUNT | jq .Count)" 1
eq '--select COUNT with our own words' "$(ctl scan music --select COUNT)" 1
eq 'the tables as the API lists them' "$(ctl list-tables)" '{"TableNames":["music"]}'
eq 'the tables in another format' "$(ctl list-tables --output text)" "$(ctl tables --format text)"
eq 'describe-table' "$(ctl describe-table --table-name music | jq -r .Table.TableStatus)" ACTIVE
eq 'scan with the consumed capacity' "$(ctl scan --table-name music --return-consumed-capacity TOTAL | jq -c '[.Count, .ConsumedCapacity.TableName]')" '[1,"music"]'

# ---- responses as tables, and empty responses
of_acme=(query --table-name music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":{"S":"Acme"}}')
rows()
{
	eq "$1" "$(ctl "${@:3}" --output table 2>&1 | sed 's/ *$//')" "$2"
}
rows 'items' $'Artist Song Year Plays\nAcme   Blue 1999     7' "${of_acme[@]}"
rows 'and what else the answer has' $'LastEvaluatedKey: {"Artist":{"S":"Acme"},"Song":{"S":"Blue"}}\nArtist Song Year Plays\nAcme   Blue 1999     7' "${of_acme[@]}" --limit 1
rows 'how many' $'Count        1\nScannedCount 1' "${of_acme[@]}" --select COUNT
rows 'none' 'no items' query --table-name music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":{"S":"A"}}'
rows 'a part: texts' $'value\nBlue' "${of_acme[@]}" --query 'Items[*].Song.S'
rows 'a part: lists' $'1    2\nAcme Blue' "${of_acme[@]}" --query 'Items[*].[Artist.S,Song.S]'
rows 'a part: objects' $'song year\nBlue 1999' "${of_acme[@]}" --query 'Items[*].{song:Song.S,year:Year.N}'
rows 'a part: one' 'Count 1' "${of_acme[@]}" --query Count
rows 'a part: nothing' 'value null' "${of_acme[@]}" --query None
rows 'one item' $'Artist Acme\nSong   Blue\nYear   1999\nPlays  7' get-item --table-name music --key file://key.json
rows 'no item' 'not found' get-item --table-name music --key '{"Artist":{"S":"Acme"},"Song":{"S":"Red"}}'
rows 'items of tables' $'Artist Song Year Plays\nAcme   Blue 1999     7' batch-get-item --request-items '{"music":{"Keys":['"$(cat key.json)"']}}'
rows 'items of transactions' $'Artist Song Year Plays\nAcme   Blue 1999     7' \
	transact-get-items --transact-items '[{"Get":{"TableName":"music","Key":'"$(cat key.json)"'}}]'
rows 'members' $'TimeToLiveStatus ENABLED\nAttributeName    Until' describe-time-to-live --table-name music
rows 'an empty member' 'UnprocessedItems {}' batch-write-item --request-items '{"music":[{"DeleteRequest":{"Key":{"Artist":{"S":"B"},"Song":{"S":"1"}}}}]}'
# Versions of libsmartcols print one or two blanks after a name of three letters.
eq 'a nested response as a table' "$(ctl describe-table --table-name music --query 'Table.{key:KeySchema}' --output table | tr -s ' ')" \
	'key [{"AttributeName":"Artist","KeyType":"HASH"},{"AttributeName":"Song","KeyType":"RANGE"}]'
rows 'nothing' '' delete-item --table-name music --key '{"Artist":{"S":"B"},"Song":{"S":"1"}}'
eq 'an empty response as JSON' "$(ctl aws dynamodb delete-item --table-name music --key '{"Artist":{"S":"B"},"Song":{"S":"1"}}' 2>&1)" ''
ok ctl get-item --table-name music --key '{"Artist":{"S":"Acme"},"Song":{"S":"Red"}}'
eq 'a missing item is reported' "$out$err" 'not found'
jq -nc --arg t "$(head -c 40000 /dev/zero | tr '\0' x)" 'range(40) | {id: "\(.)", t: $t}' | ok ctl import large --key id
gives 0 "this is one page; the next one starts after LastEvaluatedKey; for all pages: itemctl -s $S scan --cli-input-json '{\"TableName\":\"large\"}'" \
	ctl scan --table-name large --no-paginate
eq 'all items of a large table' "$(ctl scan --cli-input-json '{"TableName":"large"}' --query Count)" 40
ok ctl drop large --yes
eq '--query of a missing item' "$(ctl get-item --table-name music --key '{"Artist":{"S":"Acme"},"Song":{"S":"Red"}}' --query Item)" null

# ---- mistakes in such command lines
gives 2 'beside options of the AWS command line' ctl get-item music again --key file://key.json
gives 2 '--cli-input-json needs a JSON object' ctl get-item --cli-input-json '[]' --key file://key.json
gives 2 '--table-name needs a value' ctl get-item --key file://key.json --table-name
key_of_music='the key of music is Artist (S) and Song (S)'
wrong='{"Artist":{"S":"Acme"},"Song":{"N":"5"}}'
gives 2 "$key_of_music: itemctl -s $S get-item --table-name music --key '${wrong/N/S}'" ctl get-item --table-name music --key "$wrong"
gives 2 "$key_of_music: itemctl -s $S aws dynamodb delete-item --key '${wrong/N/S}' --table-name music" ctl aws dynamodb delete-item --key "$wrong" --table-name music
for wrong in '{"Artist":{"S":"Acme"}}' '{"Artist":{"S":"Acme"},"Title":{"S":"5"}}'; do
	gives 2 "$key_of_music: itemctl -s $S get-item --table-name music --key '{\"Artist\":{\"S\":\"Acme\"},\"Song\":{\"S\":\"VALUE\"}}'" \
		ctl get-item --table-name music --key "$wrong"
done
gives 2 "$key_of_music: itemctl -s $S get-item --table-name music --key '{\"Artist\":{\"S\":\"Acme\"},\"Song\":{\"S\":\"5\"}}'" \
	ctl get-item --table-name music --key '{"Artist":{"S":"Acme"},"Song":{"S":"5"},"Year":{"N":"1"}}'
gives 2 'none.json' ctl get-item --table-name music --key file://none.json
gives 2 'Key: not JSON' ctl get-item --table-name music --key '{"Artist"'
gives 2 'is neither JSON nor shorthand (A=b,C=[d,e]): invalid at byte' ctl get-item --table-name music --key 'Artist={S'
gives 2 ': invalid at byte' ctl create-table --table-name other --key-schema 'AttributeName=[a'
gives 2 ': invalid at byte' ctl create-table --table-name other --key-schema "$(printf 'A=[%.0s' {1..100})"
gives 2 'each value needs its type, such as {"S":"text"} or {"N":"5"}: itemctl' ctl query --table-name music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":"Acme"}'
gives 2 'ValidationException' ctl put-item --table-name music --item '{}'

# ---- a table that exists, words without an option
make='create-table --table-name music --attribute-definitions AttributeName=Artist,AttributeType=S AttributeName=Song,AttributeType=S --key-schema AttributeName=Artist,KeyType=HASH AttributeName=Song,KeyType=RANGE --billing-mode PAY_PER_REQUEST'
gives 2 "it has that key; to accept an existing table: itemctl -s $S $make --if-not-exists" ctl $make
ok ctl $make --if-not-exists
eq 'an existing table is not an error with --if-not-exists' "$out$err" 'table music exists'
gives 2 'it has the key Artist:S,Song:S' ctl ${make//AttributeName=Song,AttributeType=S/AttributeName=Song,AttributeType=N}
gives 2 'the table music exists with a different key: Artist:S,Song:S' ctl ${make//AttributeName=Song,AttributeType=S/AttributeName=Song,AttributeType=N} --if-not-exists
gives 2 "unexpected word \"again\" beside options of the AWS command line: itemctl -s $S get-item --table-name music --key file://key.json" \
	ctl get-item --table-name music again --key file://key.json
gives 2 "it takes only options: itemctl -s $S scan --table-name music --limit 1" ctl scan --table-name music stray --limit 1
gives 2 "it takes only options: itemctl -s $S list-tables" ctl list-tables stray
eq 'a word may be a key' "$(ctl query --table-name music Acme | jq -r .Song)" Blue

# ---- values in files, and quoted for other shells
printf '{"music":[{"PutRequest":{"Item":{"Artist":{"S":"B"},"Song":{"S":"2"}}}}]}' >requests.json
for file in file://requests.json requests.json file:requests.json file:/requests.json file//requests.json "file:$PWD/requests.json"; do
	eq "as $file" "$(ctl batch-write-item --request-items "$file")" '{"UnprocessedItems":{}}'
done
ok ctl delete music B 2
printf '{"Artist":' >cut.json
gives 2 'file://cut.json: not JSON: line 1' ctl put-item --table-name music --item file://cut.json
for item in '{\"Artist\":{\"S\":\"C\"},\"Song\":{\"S\":\"1\"}}' '{""Artist"":{""S"":""C""},""Song"":{""S"":""1""}}'; do
	gives 2 "itemctl -s $S put-item --table-name music --item '{\"Artist\":{\"S\":\"C\"},\"Song\":{\"S\":\"1\"}}'" ctl put-item --table-name music --item "$item"
done
gives 2 "\"N\":\"5\"}: itemctl -s $S get-item --table-name music --key '{\"Artist\":{\"S\":\"a\"},\"Song\":{\"S\":\"b\"}}'" \
	ctl get-item --table-name music --key '{"Artist":{"s":"a"},"Song":{"S":"b"}}'

# meant LINE COMMAND... - check that the command is refused, and that it suggests LINE
meant()
{
	local line=$1
	shift
	gives "$status_of" "did you mean: $line" "$@"
}

# ---- words before the operation
key=$(cat key.json)
eq 'after aws' "$(ctl aws dynamodb get-item --table-name music --key "$key" | jq -r .Item.Song.S)" Blue
eq 'after dynamodb' "$("$ITEMCTL" dynamodb --endpoint-url "$S" get-item --table-name music --key "$key" | jq -r .Item.Song.S)" Blue
eq 'options between them' "$("$ITEMCTL" aws --output json dynamodb -s "$S" list-tables --no-cli-pager | jq -c .TableNames)" '["music"]'
eq 'options that have no effect here' "$(ctl aws dynamodb list-tables --cli-read-timeout 5 --color off --no-cli-auto-prompt)" '{"TableNames":["music"]}'
eq 'help' "$(ctl aws dynamodb query help | head -n 1)" "$(ctl help query | head -n 1)"
ok ctl aws dynamodbstreams list-streams
ok ctl put-item --cli-input-json '{"TableName":"none","Item":{"Artist":{"S":"P"},"Song":{"S":"0"},"n":{"N":"0"}}}' --table-name music
eq 'options before the input' "$(ctl scan music --filter 'Artist = "P"' --count)" 1

# ---- pages, joined as "aws" does
for i in 1 2 3 4; do
	ok ctl put-item --table-name music --item '{"Artist":{"S":"P"},"Song":{"S":"'$i'"},"n":{"N":"'$i'"}}'
done
pages=(query --table-name music --key-condition-expression 'Artist = :a' --expression-attribute-values '{":a":{"S":"P"}}')
all=$(ctl "${pages[@]}")
eq 'all pages together' "$(jq -c '[[.Items[].Song.S], .Count, .ScannedCount, .LastEvaluatedKey]' <<<"$all")" '[["0","1","2","3","4"],5,5,null]'
eq 'in small requests' "$(ctl "${pages[@]}" --page-size 2)" "$all"
eq 'indented' "$(ctl "${pages[@]}" --page-size 2 --output json)" "$(jq . <<<"$all" | jq --indent 2 .)"
eq 'yaml' "$(ctl "${pages[@]}" --page-size 2 --output yaml | tail -n 1)" 'ScannedCount: 5'
eq 'counted' "$(ctl "${pages[@]}" --page-size 2 --select COUNT)" '{"Count":5,"ScannedCount":5}'
eq 'one page' "$(ctl "${pages[@]}" --no-paginate --limit 2 | jq -c '[.Count, .LastEvaluatedKey.Song.S]')" '[2,"1"]'
for size in 1 2 3 100; do
	token=
	got=
	while :; do
		page=$(ctl "${pages[@]}" --max-items 2 --page-size $size ${token:+--starting-token "$token"})
		got+=$(jq -r '.Items[].Song.S' <<<"$page")
		token=$(jq -r '.NextToken // empty' <<<"$page")
		[ -n "$token" ] || break
	done
	eq "tokens, in pages of $size" "$got" $'0\n12\n34'
done
eq 'a token of "aws"' "$(ctl "${pages[@]}" --starting-token eyJFeGNsdXNpdmVTdGFydEtleSI6IG51bGwsICJib3RvX3RydW5jYXRlX2Ftb3VudCI6IDN9 | jq -c '[.Items[].Song.S]')" '["3","4"]'
gives 2 '--starting-token "abc" is not a NextToken of an answer' ctl "${pages[@]}" --starting-token abc
eq 'tables in pages' "$(ctl list-tables --max-items 1 --page-size 1)" '{"TableNames":["music"]}'
eq 'tables after one' "$(ctl list-tables --starting-token music)" '{"TableNames":[]}'
gives 2 'GetItem has no option --max-items' ctl get-item --table-name music --key "$key" --max-items 5

# ---- --query
eq 'a number' "$(ctl "${pages[@]}" --query Count)" 5
eq 'texts' "$(ctl "${pages[@]}" --query 'Items[*].Song.S')" '["0","1","2","3","4"]'
eq 'the line with jq' "$(ctl "${pages[@]}" | jq -c '[.Items[].Song.S]')" '["0","1","2","3","4"]'
eq 'a condition' "$(ctl "${pages[@]}" --query 'Items[?to_number(n.N) >= `3`].{song: Song.S}')" '[{"song":"3"},{"song":"4"}]'
eq 'text' "$(ctl "${pages[@]}" --query 'Items[].[Song.S,n.N]' --output text | head -n 2)" $'0\t0\n1\t1'
eq 'a list as text' "$(ctl "${pages[@]}" --query 'Items[1:3].Song.S' --output text)" $'1\t2'
eq 'structures as text' "$(ctl get-item --table-name music --key "$key" --query Item --output text)" $'ARTIST\tAcme\nPLAYS\t7\nSONG\tBlue\nYEAR\t1999'
eq 'none' "$(ctl "${pages[@]}" --query 'Nope[0].x' --output text)" None
eq '--query of a table' "$(ctl describe-table --table-name music --query 'Table.TableStatus' --output text)" ACTIVE
eq '--query of a list' "$(ctl list-tables --query 'TableNames[?starts_with(@, `mu`)] | [0]')" '"music"'
while IFS='|' read -r expression result; do
	eq "$expression" "$(ctl "${pages[@]}" --query "${expression//;/|}")" "$result"
done <<'END'
length(Items)|5
Items[-1].Song.S|"4"
Items[::-2].Song.S|["4","2","0"]
Items[0].keys(@)|["Artist","Song","n"]
sort_by(Items, &to_number(n.N))[-1].Song.S|"4"
max_by(Items, &to_number(n.N)).n.N|"4"
min(Items[].to_number(n.N))|0
sum(Items[].to_number(n.N))|10
join(',', Items[].Song.S)|"0,1,2,3,4"
reverse(Items)[0].Song.S|"4"
contains(Items[].Song.S, '3')|true
Items[?Song.S == '1' ;; Song.S == '2'].n.N|["1","2"]
Items[?n.N > '2' && !(Song.S == '4')].Song.S|["3"]
Items[*].[Song.S, n.N][] ; [0:2]|["0","0"]
[Count, ScannedCount]|[5,5]
{c: Count, x: nope}|{"c":5,"x":null}
not_null(Nope, Count)|5
type(Items)|"array"
to_string(Items[0].Song)|"{\"S\":\"0\"}"
Items[0].*.S|["P","0"]
Count > `4`|true
END
gives 2 '--query "Items[": expected an index, [*], [] or [?...] at byte 6' ctl "${pages[@]}" --query 'Items['
gives 2 'unknown function' ctl "${pages[@]}" --query 'nofn(Items)'
gives 2 'sum() needs numbers' ctl "${pages[@]}" --query 'sum(Items[].n.N)'
gives 2 'sum() needs a list' ctl "${pages[@]}" --query 'sum(Nope)'
doubled='[@,@]'
flat='[@,@][]'
for n in {1..40}; do
	doubled+='|[@,@]'
	flat+='|[@,@][]'
done
for expression in "$doubled" "$flat"; do
	gives 2 'the answer would be many times as large as its input' ctl "${pages[@]}" --query "$expression"
done
while IFS=$'\t' read -r expression result; do
	eq "$expression" "$(ctl "${pages[@]}" --query "$expression")" "$result"
done <<-'ROWS'
	Count || sum('a')	5
	Nope && sum('a')	null
	Nope || sum(`[1,2]`)	3
	to_number('nan')	null
	to_number('0x10')	null
	to_number('-1.5')	-1.5
	reverse('aéb')	"béa"
	max_by(`[{"a":1,"n":1},{"a":1,"n":2},{"a":0,"n":3}]`, &a).n	1
	min_by(`[{"a":"x","n":1},{"a":"x","n":2}]`, &a).n	1
	not_null(a, b, c, d, e, f, Count)	5
	not_null(Count, b, c, d, e, f)	5
ROWS

# ---- misspelt options
status_of=2
meant "itemctl -s $S put-item --table-name music" ctl put-itme --table-name music
meant "itemctl -s $S scan --table-name music --filter-expression x" ctl scan --table-name music --filter-expresion x
meant "itemctl -s $S scan --table-name music" ctl scan --table-nam music
meant "itemctl -s $S put-item --table-name music --item '{}' --condition-expression 'attribute_not_exists(Artist)'" \
	ctl put-item --table-name music --item '{}' --condition-expresion 'attribute_not_exists(Artist)'
meant "itemctl -s $S create-table --table-name abc --key-schema AttributeName=a,KeyType=HASH" ctl create-table --table-name abc --key-schema AttributeNam=a,KeyType=HASH
status_of=3
meant "itemctl -s $S scan --table-name music" ctl scan --table-name musik
meant "itemctl -s $S batch-get-item --request-items '{\"music\":{\"Keys\":[{\"Artist\":{\"S\":\"a\"}}]}}'" \
	ctl batch-get-item --request-items '{"musik":{"Keys":[{"Artist":{"S":"a"}}]}}'

# ---- waiting for a table, and deleting one
ok ctl wait table-exists --table-name music
ok ctl aws dynamodb wait table-not-exists --table-name none
eq 'nothing is printed' "$out" ''
gives 3 'ResourceNotFoundException' ctl wait table-exists --table-name none
gives 2 "table music exists until it is deleted: itemctl -s $S drop music" ctl wait table-not-exists --table-name music
ok ctl create-table gone --key PK
gives 2 "delete-table is permanent. To confirm: itemctl -s $S delete-table --table-name gone --yes" ctl delete-table --table-name gone
ok ctl delete-table --table-name gone --yes
eq 'the table is deleted' "$(ctl list-tables --query 'length(TableNames)')" 1
ok ctl delete music P --filter 'n >= 0'

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
eq 'several items as YAML are a list' "$(ctl scan music --project Artist,Year --output yaml)" $'- Artist: Acme\n  Year: 1999\n- Artist: C'
eq 'no items as YAML are an empty list' "$(ctl query music nobody --format yaml)" '[]'
eq 'no item as YAML' "$(ctl query music C --filter 'a = 1' -o yaml 2>/dev/null)" '[]'
eq 'text: values between tabs, a column for each attribute' "$(ctl query music C --project Artist,Song,l,m.z -o text; ctl scan music --project Song,Year,l --output text)" \
	$'C\tyes\ttwo\\nlines\t{"z":1}\nBlue\t1999\nyes\t\ttwo\\nlines'
eq 'text of a statement' "$(ctl sql "SELECT Song FROM music WHERE Artist = 'C'" -o text)" yes
eq 'tables as YAML' "$(ctl tables -o yaml | head -2)" $'- TableName: music\n  Key: "Artist:S,Song:S"'
eq 'a description as YAML' "$(ctl describe music -o yaml | sed -n 1,3p)" $'AttributeDefinitions:\n  - AttributeName: Artist\n    AttributeType: S'
eq 'wide is a table' "$(ctl get music Acme Blue -o wide | head -1 | tr -s ' ')" 'Artist Acme'
gives 2 'describe prints JSON or text' ctl describe music -o text
gives 2 'tail prints lines' ctl tail music -o yaml
eq 'a response of the API as text' "$(ctl call list-tables -o text)" music
gives 2 '--format must be jsonl, json, typed, csv, tsv, yaml, md, text or table, not "xml"' ctl scan music -o xml
ok ctl export music --output songs.jsonl
eq 'a file named by an option' "$(jq -r .Song songs.jsonl | sort | tr '\n' ' ')" 'Blue yes '
gives 2 'give only one of FILE and --output' ctl export music a.jsonl -o b.jsonl
done_testing
