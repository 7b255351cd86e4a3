#!/bin/bash
# create-table in all forms, tables, describe, drop.
# BEHAVIOUR 1.7, 17.14c, 17.15
. "$(dirname "$0")/lib.sh"
begin

ok ctl create-table orders --key PK,SK:N --gsi 'GSI1=Status,SK/INCLUDE:a,b' --gsi 'GSI2=PK/KEYS_ONLY' --lsi 'LSI1=Total:N'
eq 'the table is listed' "$(ctl tables)" \
	'{"TableName":"orders","Key":"PK:S,SK:N","Status":"ACTIVE","Items":0,"Bytes":0,"Indexes":["LSI1=Total:N","GSI1=Status:S,SK:N/INCLUDE:a,b","GSI2=PK:S/KEYS_ONLY"]}'
eq 'in a table the indexes are words' "$(ctl tables --format table | grep -c 'LSI1=Total:N GSI1=Status:S,SK:N/INCLUDE:a,b GSI2=PK:S/KEYS_ONLY')" 1
ok ctl describe orders
eq 'a description is that of DynamoDB' "$(printf %s "$out" | jq -c '[.TableName, .TableStatus, .KeySchema[1].KeyType, (.GlobalSecondaryIndexes|length), (.LocalSecondaryIndexes|length)]')" \
	'["orders","ACTIVE","RANGE",2,1]'
eq 'indented' "$(ctl describe orders --format json | jq -cS .)" "$(printf %s "$out" | jq -cS .)"
eq 'a description as a table' "$(ctl describe orders --format table | head -2 | tr -s ' ')" $'table orders\nkey PK:S,SK:N'
for form in typed csv; do
	gives 2 'describe prints JSON or text' ctl describe orders --format $form
done

ok ctl create-table matches --key Id --gsi 'ByCup=Cup+Region,Round:N+Id/KEYS_ONLY'
eq 'an index on several attributes is listed as it was written' "$(ctl tables | jq -r 'select(.TableName == "matches").Indexes[0]')" \
	'ByCup=Cup:S+Region:S,Round:N+Id:S/KEYS_ONLY'
eq 'and described in order' "$(ctl describe matches | jq -c '.GlobalSecondaryIndexes[0].KeySchema | map([.AttributeName, .KeyType]) | add')" \
	'["Cup","HASH","Region","HASH","Round","RANGE","Id","RANGE"]'
ctl describe matches >matches.json
ctl drop matches --yes -q
ok ctl create-table --from matches.json
eq 'and created again from the description' "$(ctl describe matches | jq -c .GlobalSecondaryIndexes[0].KeySchema)" "$(jq -c .GlobalSecondaryIndexes[0].KeySchema matches.json)"
ctl drop matches --yes -q
gives 2 'only a partition key or sort key of a --gsi may have several attributes' ctl create-table matches --key Id+Cup
gives 2 'a local index has the table'\''s partition key, Id, and one sort key' ctl create-table matches --key Id,SK --lsi Lsi=Cup,Round
ok ctl create-table matches --key Id,SK --lsi Lsi=Id,Round:N
eq 'a local index may be written with the partition key' "$(ctl tables | jq -c 'select(.TableName == "matches").Indexes')" '["Lsi=Round:N"]'
ctl drop matches --yes -q
gives 2 'at most 4 attributes' ctl create-table matches --key Id --gsi 'G=a+b+c+d+e'

gives 2 'ResourceInUseException' ctl create-table orders --key PK
ok ctl create-table orders --key PK,SK:N --if-not-exists
# an ambiguous word is only suggested
while IFS=$'\t' read -r key meant; do
	gives 2 "did you mean: itemctl -s $S create-table odd --key $meant" ctl create-table odd --key "$key"
done <<'ROWS'
customer;date	customer,date
pk sk	pk,sk
customer/date	customer,date
customer:when	customer,when
ROWS
gives 2 "\"pk sk\": give a name that contains ' ' in JSON, to create-table --from FILE; did you mean: itemctl " ctl create-table odd --key 'pk sk'
gives 2 "--gsi G=a,b" ctl create-table odd --key PK --gsi 'G=a;b'
# an unambiguous key is accepted
while IFS=$'\t' read -r key meant; do
	ok ctl create-table odd --key "$key"
	eq "$key" "$(ctl tables | jq -r 'select(.TableName == "odd").Key')" "$meant"
	ctl drop odd --yes -q
done <<'ROWS'
(customer, date)	customer:S,date:S
customer=S	customer:S
pk=string,sk=N	pk:S,sk:N
PK HASH, SK RANGE	PK:S,SK:S
PK,HASH	PK:S
PK,HASH,N	PK:N
PK HASH,S RANGE	PK:S,S:S
PK,HASH:S	PK:S,HASH:S
(PK int primary key, name text)	PK:N
AttributeName=PK,KeyType=HASH AttributeName=SK,KeyType=RANGE	PK:S,SK:S
{"PK":"S","SK":"N"}	PK:S,SK:N
ROWS
while IFS=$'\t' read -r words meant; do
	# shellcheck disable=SC2086 # words
	ok ctl create-table odd $words
	eq "create-table odd $words" "$(ctl tables | jq -r 'select(.TableName == "odd").Key')" "$meant"
	ctl drop odd --yes -q
done <<'ROWS'
PK	PK:S
PK SK:N	PK:S,SK:N
PK,S SK,N	PK:S,SK:N
pk=PK sk=SK	PK:S,SK:S
PK HASH SK RANGE	PK:S,SK:S
PK HASH	PK:S
PK HASH N	PK:N
PK N	PK:N
PK string SK number	PK:S,SK:N
ROWS
ok ctl create table odd '(PK text primary key)'
eq "columns of SQL" "$(ctl tables | jq -r 'select(.TableName == "odd").Key')" PK:S
ctl drop odd --yes -q
gives 2 "for this SQL: itemctl -s $S create-table odd --key PK,SK:N" \
	ctl create-table 'CREATE TABLE odd (PK text, SK int, primary key (PK, SK))'
gives 2 "give a file of definitions as an option: itemctl -s $S create-table --from odd.json" ctl create-table odd odd.json
gives 2 "give a file of definitions as an option: itemctl -s $S create-table --from odd.json" ctl create-table odd.json
gives 2 "to convert Terraform's own language to JSON: terraform init && terraform plan -out plan && terraform show -json plan >plan.json && itemctl -s $S create-table --from plan.json" ctl create-tables main.tf
while IFS=$'\t' read -r gsi meant; do
	ok ctl create-table odd --key PK,SK --gsi "$gsi"
	eq "$gsi" "$(ctl tables | jq -r 'select(.TableName == "odd").Indexes[0]')" "$meant"
	ctl drop odd --yes -q
done <<'ROWS'
Gsi:Aa,Bb	Gsi=Aa:S,Bb:S
Gsi(Aa, Bb)	Gsi=Aa:S,Bb:S
Gsi:Aa:Bb	Gsi=Aa:S,Bb:S
Gsi=Aa,Bb,KEYS_ONLY	Gsi=Aa:S,Bb:S/KEYS_ONLY
Gsi=Aa,Bb/keys_only	Gsi=Aa:S,Bb:S/KEYS_ONLY
IndexName=Gsi,KeySchema=[{AttributeName=Aa,KeyType=HASH}],Projection={ProjectionType=ALL}	Gsi=Aa:S
ROWS
while IFS=$'\t' read -r gsi meant; do
	gives 2 "\"$gsi\": write an index as NAME=KEY; did you mean: itemctl -s $S create-table odd --key PK,SK --gsi $meant" \
		ctl create-table odd --key PK,SK --gsi "$gsi"
	ok ctl create-table odd --key PK,SK --gsi "$meant"
	ctl drop odd --yes -q
done <<'ROWS'
GSI1PK:GSI1SK	GSI1=GSI1PK,GSI1SK
GSI1:Aa/Bb	GSI1=Aa,Bb
GSI1:Aa	GSI1=Aa
=Aa	by-Aa=Aa
Aa,Bb	by-Aa=Aa,Bb
Aa	by-Aa=Aa
ROWS
gives 2 "give an index as an option of one word: itemctl -s $S create-table odd --key PK,SK --gsi GSI1=Aa,Bb" \
	ctl create-table odd --key PK,SK --gsi GSI1 Aa Bb
gives 2 "did you mean: itemctl -s $S create-table odd --key PK,SK --lsi L=Cc --gsi GSI1=GSI1PK,GSI1SK --gsi GSI2=Aa,Bb --ttl x" \
	ctl create-table odd --key PK,SK --lsi L:Cc --gsi GSI1PK:GSI1SK --gsi GSI2:Aa/Bb --ttl x
ok ctl create-table odd --key PK,SK
gives 2 "to accept an existing table: itemctl -s $S create-table odd --key PK,SK --if-not-exists" ctl create-table odd --key PK,SK
gives 2 'it has the key PK:S,SK:S' ctl create-table odd --key PK
ok ctl put odd '{"PK":"a","SK":"1","Total":5,"Mixed":1,"Name":"x"}' '{"PK":"a","SK":"2","Total":6,"Mixed":"b"}'
ok ctl alter odd --add-gsi ByTotal=Total,SK
eq 'the type that items have' "$err" $'Total is of type N, as in the items\nindex ByTotal added'
ok ctl alter odd --add-gsi ByMixed=Mixed
eq 'an attribute with two types' "${err//-s $S /}" $'index ByMixed added\n1 of the 2 items is not in index ByMixed: Mixed is of type N there, not S; to fix it: itemctl alter odd --drop-gsi ByMixed --add-gsi ByMixed=Mixed:N'
ok ctl alter odd --add-gsi ByName=Name:N
ok eval "ctl ${err##*to fix it: itemctl }"
eq 'the suggested line corrects it' "$(ctl query odd x --index ByName --count)" 1
ctl drop odd --yes -q
AWS='--table-name plain --attribute-definitions AttributeName=PK,AttributeType=S --key-schema AttributeName=PK,KeyType=HASH --billing-mode PAY_PER_REQUEST'
for words in 'shop.db plain --pk PK --sk SK' 'shop.db plain PK SK' './shop plain PK:S SK:N' 'shop.db --table-name plain --key PK,SK' "shop.db $AWS" "$AWS shop.db"; do
	# shellcheck disable=SC2086
	ok env -u ITEMFS_STORE "$ITEMCTL" create-table $words
	eq "a store that is created: $words" "$(cd shop* && "$ITEMCTL" -q tables | jq -r .TableName)" plain
	rm -r shop*
done
for words in "blah $AWS" "$AWS blah" "new.db $AWS"; do
	# shellcheck disable=SC2086
	gives 2 " beside options of the AWS command line: itemctl -s $S create-table $AWS" ctl create-table $words
done
gives 2 'must have type S, N or B, not "date"' ctl create-table odd --key PK:date
ok ctl create-table odd --key ' customer, date : number '
eq 'names have no blanks' "$(ctl describe odd | jq -c '.AttributeDefinitions | map(.AttributeName, .AttributeType)')" '["customer","S","date","N"]'
ctl drop odd --yes -q
ok "$ITEMCTL" create-table odd --key PK
eq 'the only store in the current directory' "$err" $'store: ./store\ntable odd created'
ok "$ITEMCTL" -q drop odd --yes
eq 'no note with -q' "$err" ''
gives 2 'the table orders exists with a different key: PK:S,SK:N' ctl create-table orders --key PK --if-not-exists
eq 'and an existing table is unchanged' "$(ctl describe orders | jq -c '.KeySchema|length')" 2

# ---- from files
ctl describe orders >described.json
ctl drop orders --yes -q
ok ctl create-table --from described.json
eq 'the output of describe creates the same table' "$(ctl describe orders | jq -cS '[.KeySchema,(.AttributeDefinitions|sort),.GlobalSecondaryIndexes[0].Projection]')" \
	"$(jq -cS '[.KeySchema,(.AttributeDefinitions|sort),.GlobalSecondaryIndexes[0].Projection]' described.json)"
jq '{Table: .}' described.json >answer.json
ctl drop orders --yes -q
ok ctl create-table --from answer.json
cat >model.json <<'END'
{"ModelName":"m","ModelMetadata":{"Version":"3.0"},"DataModel":[
 {"TableName":"people","KeyAttributes":{"PartitionKey":{"AttributeName":"id","AttributeType":"N"}},
  "NonKeyAttributes":[{"AttributeName":"name","AttributeType":"S"}],
  "GlobalSecondaryIndexes":[{"IndexName":"ByName","KeyAttributes":{"PartitionKey":{"AttributeName":"name","AttributeType":"S"},
    "SortKey":{"AttributeName":"id","AttributeType":"N"}},"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["age"]}}],
  "TableData":[{"id":{"N":"1"},"name":{"S":"Ada"},"age":{"N":"36"}},{"id":{"N":"2"},"name":{"S":"Bob"}}]},
 {"TableName":"empty","KeyAttributes":{"PartitionKey":{"AttributeName":"a","AttributeType":"S"},"SortKey":{"AttributeName":"b","AttributeType":"B"}}}]}
END
ok ctl create-table --from model.json --data
eq 'a Workbench model creates its tables' "$(ctl tables | jq -r .TableName | tr '\n' ' ')" 'empty orders people '
eq 'with its data' "$(ctl query people Ada --index ByName)" '{"id":1,"name":"Ada","age":36}'
eq 'each table has its number of items and bytes' "$(ctl tables | jq -c '[.TableName, .Items, .Bytes]' | tr '\n' ' ')" '["empty",0,0] ["orders",0,0] ["people",2,27] '
ok ctl create-table --from - --if-not-exists <model.json
eq 'without --data no items are put' "$(ctl scan people --count)" 2
ctl put people '{"id":1,"name":"Grace"}'
ok ctl create-table --from model.json --data --if-not-exists --update
eq 'no items are put into an existing table' "$(ctl get people 1 --project name)" '{"name":"Grace"}'
jq '.DataModel[0] |= . + {TableName: "units", BillingMode: "PROVISIONED", ProvisionedCapacitySettings: {ProvisionedThroughput:
	{ReadCapacityUnits: 5, WriteCapacityUnits: 7}}}' model.json >units.json
gives 2 'Is a directory' ctl create-table --from .
ok ctl create-table --from units.json --data --if-not-exists
eq 'items are put only into the new table' "$(ctl get people 1 --project name) $(ctl scan units --count)" '{"name":"Grace"} 2'
eq 'which has its throughput, and so has its index' "$(ctl describe units |
	jq -c '[.BillingModeSummary.BillingMode, (., .GlobalSecondaryIndexes[0] | .ProvisionedThroughput | .ReadCapacityUnits, .WriteCapacityUnits)]')" '[null,5,7,5,7]'
ctl -q drop units --yes
ctl -q create-table units --key id:N
ok ctl create-table --from units.json --if-not-exists --update
eq 'an existing table gets the billing mode' "$(ctl describe units |
	jq -c '[.BillingModeSummary.BillingMode, .ProvisionedThroughput.ReadCapacityUnits, .GlobalSecondaryIndexes[0].IndexStatus]')" '["PROVISIONED",5,"ACTIVE"]'
jq 'del(.DataModel[0].ProvisionedCapacitySettings)' units.json >unitless.json
ok ctl create-table --from unitless.json --if-not-exists --update
eq 'and keeps it if the file has no units' "$(ctl describe units | jq -r .BillingModeSummary.BillingMode)" PROVISIONED
ctl -q drop units --yes
jq 'del(.DataModel[0].ProvisionedCapacitySettings.ProvisionedThroughput.WriteCapacityUnits)' units.json |
	gives 2 'a PROVISIONED table of the model has no ProvisionedThroughput with WriteCapacityUnits' ctl create-table --from -
# A member with a wrong type is not ignored.
while IFS='|' read -r change words; do
	jq "$change" model.json >wrong.json
	gives 2 "table people: $words" ctl create-table --from wrong.json
done <<'END'
.DataModel[0].TableData = {}|TableData is not a list
.DataModel[0].GlobalSecondaryIndexes = {}|GlobalSecondaryIndexes is not a list
.DataModel[0].LocalSecondaryIndexes = 5|LocalSecondaryIndexes is not a list
.DataModel[0].KeyAttributes.SortKey = "name"|SortKey is not an object
.DataModel[0].GlobalSecondaryIndexes[0].Projection.NonKeyAttributes += [5]|the index ByName has a member of NonKeyAttributes that is not a name
.DataModel[0].BillingMode = {}|BillingMode is not a text
.DataModel[0] += {BillingMode: "PROVISIONED", ProvisionedCapacitySettings: []}|ProvisionedCapacitySettings is not an object
END
jq '.DataModel |= {a: .}' model.json | gives 2 '' ctl create-table --from -

# ---- time to live
ok ctl create-table sessions --key PK --ttl expires
ok ctl describe sessions
eq 'a description has it' "$(printf %s "$out" | jq -c .TimeToLiveDescription)" '{"TimeToLiveStatus":"ENABLED","AttributeName":"expires"}'
printf %s "$out" >described.json
eq 'also as a table' "$(ctl describe sessions --format table | tr -s ' ' | grep ttl)" 'ttl expires'
eq 'only if there is one' "$(ctl describe orders | jq -c .TimeToLiveDescription) $(ctl describe orders --format table | grep -c ttl)" 'null 0'
ok ctl create-table sessions --key PK --ttl other --if-not-exists
eq 'and it is unchanged' "$(ctl describe sessions | jq -r .TimeToLiveDescription.AttributeName)" expires
ok ctl drop sessions --yes
ok ctl create-table --from described.json
eq 'the output of describe creates the same' "$(ctl describe sessions | jq -r .TimeToLiveDescription.AttributeName)" expires
ok ctl drop sessions --yes
jq 'del(.TimeToLiveDescription) + {TimeToLiveSpecification: {Enabled: true, AttributeName: "till"}}' described.json | ok ctl create-table --from -
eq 'a request sets it' "$(ctl describe sessions | jq -r .TimeToLiveDescription.AttributeName)" till
ok ctl drop sessions --yes
jq 'del(.TimeToLiveDescription) + {TimeToLiveSpecification: {Enabled: false, AttributeName: "till"}}' described.json | ok ctl create-table --from -
eq 'or does not set it' "$(ctl describe sessions | jq -r .TimeToLiveDescription)" null
ok ctl drop sessions --yes
gives 2 'needs the name of an attribute' ctl create-table sessions --key PK --ttl ''
gives 3 'ResourceNotFoundException' ctl describe sessions
gives 2 'defines everything' ctl create-table --from described.json --ttl other

# ---- settings that DynamoDB does not have
ok ctl create-table bounded --key PK,SK --lsi LSI1=Total:N --throttle --collection-limit 300
eq 'the settings as a table' "$(ctl describe bounded --format table | tr -s ' ' | grep -E 'throttle|limit')" $'throttle on\ncollection limit 300'
ok ctl put bounded "{\"PK\":\"a\",\"SK\":\"1\",\"Total\":1,\"text\":\"$(printf %0100d 0)\"}"
gives 2 'ItemCollectionSizeLimitExceededException: Collection size exceeded.' ctl put bounded \
	"{\"PK\":\"a\",\"SK\":\"2\",\"Total\":1,\"text\":\"$(printf %0100d 0)\"}"
gives 2 'defines everything' ctl create-table --from described.json --throttle
gives 2 'needs a whole number' ctl create-table x --key PK --collection-limit much
gives 2 '--collection-limit goes with --lsi: only a table with local indexes' ctl create-table alone --key PK --gsi Gsi=a --collection-limit 300
ok ctl drop bounded --yes

gives 2 'the file defines people, empty; NAME is one of them' ctl create-table x --from model.json
gives 2 'needs NAME and --key' ctl create-table x
gives 2 'SerializationException' ctl create-table --from /dev/null
gives 2 'No such file' ctl create-table --from none.json
gives 2 'NEW_AND_OLD_IMAGES, not "new"' ctl create-table tab --key PK --stream new
gives 2 'must have type S, N or B' ctl create-table tab --key PK:X
gives 2 'two types' ctl create-table tab --key PK --gsi GSI1=PK:S,x:S --gsi GSI2=x:N
gives 2 'ValidationException' ctl create-table x --key PK

# ---- streams
ok ctl create-table streamed --key PK --stream NEW_IMAGE
eq 'the stream is described' "$(ctl describe streamed | jq -c '[.StreamSpecification, (.LatestStreamArn | sub("/stream/.*"; "")), (.LatestStreamLabel | length)]')" \
	'[{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"arn:aws:dynamodb:us-east-1:000000000000:table/streamed",23]'
eq 'the stream as a table' "$(ctl --format table describe streamed | grep -c '^stream *NEW_IMAGE *arn:aws:dynamodb:us-east-1:000000000000:table/streamed/stream/')" 1
ctl describe streamed >described.json
ok ctl drop streamed --yes
ok ctl create-table --from described.json
eq 'the stream is part of the definition' "$(ctl describe streamed | jq -r .StreamSpecification.StreamViewType)" NEW_IMAGE
ok ctl drop streamed --yes

# ---- refusals create no new store
refused()
{
	local want=$1 text=$2
	shift 2
	gives "$want" "$text" "$ITEMCTL" -s new create-table "$@"
	eq "no store is created for: $*" "$(ls -d new 2>&1 | grep -c 'No such')" 1
}
echo '{"TableName":' >half.json
jq '.AttributeDefinitions += [{AttributeName: "more", AttributeType: "S"}]' described.json >unused.json
jq '.DataModel[0].TableData += [{id: {S: "no number"}}]' model.json >baddata.json
refused 2 'No such file' --from none.json
refused 2 'SerializationException' --from half.json
refused 2 'AttributeDefinitions' --from unused.json
refused 2 'ValidationException' --from baddata.json --data
refused 2 'at least 3 characters' x --key PK
refused 2 'IndexName must be' tab --key PK --gsi 'X=a'
refused 2 'must have type S, N or B' tab --key PK:X
refused 2 'does not have a range key' tab --key PK --lsi Lsi=a
refused 2 'timeToLiveSpecification.attributeName' tab --key PK --ttl "$(printf %0300d 0)"
# ---- refusals create no part of the tables in an existing store
before=$(ctl tables)
refused_here()
{
	local text=$1
	shift
	gives 2 "$text" ctl create-table "$@"
	eq "no table is created for: $*" "$(ctl tables)" "$before"
}
# others FILTER - make a model of two new tables, changed by jq
others()
{
	jq '.DataModel[0].TableName = "folk" | .DataModel[1].TableName = "later" | '"$1" model.json >others.json
}
bad_key='.KeyAttributes.SortKey.AttributeType = "X"'
refused_here 'timeToLiveSpecification.attributeName' tab --key PK --ttl "$(printf %0300d 0)"
others '.DataModel[0].TableData += [{id: {S: "no number"}}, {id: {N: "3"}}]'
refused_here 'table folk: item 3: ' --from others.json --data
refused_here 'table folk: item 3: ' --from others.json --data --if-not-exists
others '.DataModel[1].TableData = [{a: {S: "x"}, b: {B: "AA=="}}, {a: {Q: "x"}}]'
refused_here 'table later: item 2: ' --from others.json --data
others ".DataModel[1] |= ($bad_key)"
refused_here 'table later: the key attribute b is of type X' --from others.json
others 'del(.DataModel[1].TableName)'
refused_here 'table 2: it has no TableName' --from others.json
others '.DataModel[1].TableName = "x"'
refused_here 'table x: ' --from others.json
others '.DataModel[1].TableName = "people"'
refused_here 'Table already exists: people' --from others.json
others '.DataModel[1].TableName = "folk"'
refused_here 'table folk: Table already exists: folk' --from others.json
jq '.DataModel[0].TableData[0] = {id: {S: "no number"}}' model.json >others.json
ok ctl create-table --from others.json --data --if-not-exists
eq 'the data of existing tables is not read' "$(ctl tables)" "$before"
others '.'
ok ctl create-table --from others.json --data
eq 'the corrected model creates its tables' "$(ctl scan folk --count) $(ctl tables | jq -r .TableName | tr '\n' ' ')" '2 empty folk later orders people '
ok ctl drop folk --yes
ok ctl drop later --yes

mkdir empty
gives 2 'at least 3 characters' "$ITEMCTL" -s empty create-table x --key PK
eq 'nothing is written to an empty directory' "$(ls -A empty)" ''
ok "$ITEMCTL" -s empty create-table --from model.json --data
eq 'a valid command creates the tables there' "$err $("$ITEMCTL" -s empty scan people --count)" $'table people created\n2 items put into people\ntable empty created 2'

# ---- drop
gives 2 ' --yes' ctl drop people </dev/null
gives 3 'ResourceNotFoundException' ctl drop nobody --yes
ok ctl drop people --yes
gives 3 'ResourceNotFoundException' ctl describe people
eq 'the tables are dropped' "$(ctl tables | jq -r .TableName | tr '\n' ' ')" 'empty orders '
gives 3 'ResourceNotFoundException' ctl get people 1

# ---- the statuses of another server's tables
begin_made_up statuses ACTIVE CREATING UPDATING DELETING
eq 'each status is shown' "$("$ITEMCTL" -s "http://$made_up" tables | jq -r '.TableName + "=" + .Status' | sort | tr '\n' ' ')" \
	'ACTIVE=ACTIVE CREATING=CREATING DELETING=DELETING UPDATING=UPDATING '
end_made_up
done_testing
