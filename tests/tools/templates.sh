#!/bin/bash
# create-table --from with templates: CloudFormation, SAM, CDK, Terraform, in JSON and YAML; one of many tables,
# another name.
. "$(dirname "$0")/lib.sh"
begin

# shape TABLE - print its definition
shape()
{
	ctl describe "$1" | jq -c '[[.KeySchema[].AttributeName], [.GlobalSecondaryIndexes[]? | [.IndexName, [.KeySchema[].AttributeName],
		.Projection.ProjectionType, .ProvisionedThroughput.ReadCapacityUnits]], .ProvisionedThroughput.ReadCapacityUnits,
		.StreamSpecification.StreamViewType, .TimeToLiveDescription.AttributeName]'
}

cat >stack.yaml <<'YAML'
AWSTemplateFormatVersion: '2010-09-09'
Transform: AWS::Serverless-2016-10-31
Parameters:
  Stage: {Type: String, Default: dev}
  Reads: {Type: Number, Default: 7}
  Team: {Type: String}
Resources:
  Orders: # with a comment
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    Properties:
      TableName: !Sub "orders-${Stage}-${AWS::Region}"
      BillingMode: !If [IsLive, PAY_PER_REQUEST, PROVISIONED]
      AttributeDefinitions: &definitions
        - AttributeName: PK
          AttributeType: S
        - AttributeName: SK
          AttributeType: S
        - {AttributeName: GSI1PK, AttributeType: N}
      KeySchema:
        - AttributeName: PK
          KeyType: HASH
        - AttributeName: SK
          KeyType: RANGE
      GlobalSecondaryIndexes:
        - IndexName: GSI1
          KeySchema:
            - {AttributeName: GSI1PK, KeyType: HASH}
            - {AttributeName: SK, KeyType: RANGE}
          Projection: {ProjectionType: KEYS_ONLY}
      TimeToLiveSpecification: {AttributeName: expires, Enabled: true}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
      StreamSpecification: {StreamViewType: NEW_IMAGE}
      Tags: [{Key: team, Value: !Ref Team}]
  Units:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Join ['-', [units, !Ref Stage, !Ref Team]]
      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]
      KeySchema: [{AttributeName: PK, KeyType: HASH}]
      ProvisionedThroughput: {ReadCapacityUnits: !Ref Reads, WriteCapacityUnits: "3"}
      DeletionProtectionEnabled: "false"
      TimeToLiveSpecification: !Ref AWS::NoValue
  Simple:
    Type: AWS::Serverless::SimpleTable
  Numbered:
    Type: AWS::Serverless::SimpleTable
    Properties: {TableName: numbered, PrimaryKey: {Name: number, Type: Number}}
  Fn:
    Type: AWS::Serverless::Function
    Properties: {InlineCode: "exports.handler = () => 1", Environment: {Variables: {TABLE: !GetAtt Orders.Arn}}}
YAML
ok ctl create-table --from stack.yaml
eq 'all tables are created' "$err" $'table orders-dev-us-east-1 created\ntable units-dev-Team created\ntable Simple created\ntable numbered created'
eq 'with keys, indexes, stream and time to live' "$(shape orders-dev-us-east-1)" \
	'[["PK","SK"],[["GSI1",["GSI1PK","SK"],"KEYS_ONLY",0]],0,"NEW_IMAGE","expires"]'
eq 'with units from parameters' "$(shape units-dev-Team)" '[["PK"],[],7,null,null]'
eq 'a simple table has its id' "$(shape Simple)" '[["id"],[],0,null,null]'
eq 'or the given key' "$(ctl tables | jq -r 'select(.TableName == "numbered").Key')" number:N
gives 2 'Table already exists: orders-dev-us-east-1' ctl create-table --from stack.yaml
ok ctl create-table --from - --if-not-exists <stack.yaml

# ---- one of many tables, another name
gives 2 'the file defines orders-dev-us-east-1, units-dev-Team, Simple, numbered; NAME is one of them, TABLE=NAME renames it, not "shop"' \
	ctl create-table shop --from stack.yaml
ok ctl create-table Orders=shop --from stack.yaml
eq 'a table by its name in the template' "$(shape shop)" "$(shape orders-dev-us-east-1)"
ok ctl create-table numbered=again --from stack.yaml
eq 'or by its table name' "$(ctl tables | jq -r 'select(.TableName == "again").Key')" number:N
gives 2 'the file defines' ctl create-table nothing=again --from stack.yaml
ctl describe shop >shop.json
ok ctl create-table copy --from shop.json
eq 'a description with another name' "$(shape copy)" "$(shape shop)"
gives 2 'failed to satisfy constraint' ctl create-table 'a b' --from shop.json
gives 2 '--from FILE defines everything: leave out --key' ctl create-table other --key Id --from shop.json

# ---- CDK
cat >cdk.template.json <<'JSON'
{"Resources":{
 "TableCD117FA1":{"Type":"AWS::DynamoDB::GlobalTable","Properties":{
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PROVISIONED",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"kind","AttributeType":"S"}],
  "WriteProvisionedThroughputSettings":{"WriteCapacityAutoScalingSettings":{"MinCapacity":1}},
  "GlobalSecondaryIndexes":[{"IndexName":"ByKind","KeySchema":[{"AttributeName":"kind","KeyType":"HASH"}],
   "Projection":{"ProjectionType":"ALL"},"ContributorInsightsSpecification":{"Enabled":true}}],
  "StreamSpecification":{"StreamViewType":"NEW_AND_OLD_IMAGES"},"Replicas":[{"Region":{"Ref":"AWS::Region"}}]}},
 "CDKMetadata":{"Type":"AWS::CDK::Metadata","Properties":{"Analytics":"v2"}}}}
JSON
ok ctl create-table --from cdk.template.json
eq 'a global table' "$(shape TableCD117FA1)" '[["pk"],[["ByKind",["kind"],"ALL",0]],0,"NEW_AND_OLD_IMAGES",null]'

# ---- a mapping
ok ctl create-table --from - <<'YAML'
Parameters: {Stage: {Type: String, Default: prod}}
Mappings:
  Sizes: {dev: {Reads: 1}, prod: {Reads: 9}}
Resources:
  Mapped:
    Type: AWS::DynamoDB::Table
    Properties:
      KeySchema: [{AttributeName: a, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: a, AttributeType: S}]
      ProvisionedThroughput: {ReadCapacityUnits: !FindInMap [Sizes, !Ref Stage, Reads], WriteCapacityUnits: 2}
YAML
eq 'a value from a mapping' "$(shape Mapped)" '[["a"],[],9,null,null]'

# ---- serverless.yml
cat >serverless.yml <<'YAML'
service: shop
frameworkVersion: '3'
plugins: [serverless-offline]
custom:
  tables:
    dev: {orders: small}
    prod: {orders: big}
  units: 5
  tableName: ${self:service}-${self:provider.stage}-users
  list: [zero, one]
  keys:
    - {AttributeName: id, KeyType: HASH}
    - {AttributeName: at, KeyType: RANGE}
  index:
    IndexName: ByAt
    KeySchema: [{AttributeName: at, KeyType: HASH}]
    Projection: {ProjectionType: ALL}
provider:
  name: aws
  stage: ${opt:stage, self:custom.none, "test", 'other'}
  region: ${opt:region, 'eu-west-1'}
  environment: {ORDERS: !Ref Orders, ARN: !GetAtt Orders.Arn}
functions:
  hello:
    handler: handler.hello
    events:
      - stream: {type: dynamodb, arn: !GetAtt [Orders, StreamArn]}
resources:
  Parameters: {}
  Resources:
    Orders:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: ${self:service}-${sls:stage}-${self:custom.tables.${opt:stage, 'prod'}.orders}-${self:custom.list.1}
        AttributeDefinitions: [{AttributeName: id, AttributeType: S}, {AttributeName: at, AttributeType: N}]
        KeySchema: ${self:custom.keys}
        GlobalSecondaryIndexes:
          - ${self:custom.index}
        BillingMode: ${self:custom.mode, 'PAY_PER_REQUEST'}
        TimeToLiveSpecification: {AttributeName: "${self:custom.ttl, 'until'}", Enabled: true}
    Users:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: ${self:custom.tableName}
        AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
        KeySchema: [{AttributeName: id, KeyType: HASH}]
        ProvisionedThroughput:
          ReadCapacityUnits: ${self:custom.units}
          WriteCapacityUnits: ${env:WRITE_UNITS, 3}
    Subbed:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: !Sub "${AWS::StackName}-${sls:stage}-${param:team}-${ssm:team}"
        AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
        KeySchema: [{AttributeName: id, KeyType: HASH}]
  Outputs: {Name: {Value: !Ref Orders}}
YAML
ok ctl create-table --from serverless.yml
eq 'its tables, and variables without a value' "$err" $'${param:team} has no value in this file: "team" is used instead
${ssm:team} has no value in this file: "team" is used instead
AWS::StackName has no value in this file: "stack" is used instead
table shop-test-big-one created\ntable shop-test-users created\ntable stack-test-team-team created'
eq 'keys and an index by reference' "$(shape shop-test-big-one)" '[["id","at"],[["ByAt",["at"],"ALL",0]],0,null,"until"]'
eq 'numbers by reference' "$(shape shop-test-users)" '[["id"],[],5,null,null]'
one='{Type: "AWS::DynamoDB::Table", Properties: {TableName: "NAME", KeySchema: [{AttributeName: a, KeyType: HASH}], AttributeDefinitions: [{AttributeName: a, AttributeType: S}]}}'
ok ctl create-table --from - <<YAML
service: {name: lists}
resources:
  - \${file(resources/tables.yml)}
  - Resources: {One: ${one/NAME/'${self:service.name}-one'}, Other: '\${file(other.yml):Other}'}
  - Resources: {Two: ${one/NAME/'${self:service.name}-${opt:stage}-two'}}
YAML
eq 'a list of resources, some in other files' "$err" $'${file(resources/tables.yml)} is not read: give that file, too
${file(other.yml):Other} is not read: give that file, too\ntable lists-one created\ntable lists-dev-two created'
for resources in '${file(tables.yml)}' '{Resources: "${file(tables.yml)}"}' '["${file(tables.yml)}"]'; do
	gives 2 'the template has no DynamoDB tables' ctl create-table --from - <<<"service: x"$'\n'"resources: $resources"
	eq "in another file: $resources" "$(head -1 <<<"$err")" '${file(tables.yml)} is not read: give that file, too'
done
ok ctl create-table --from - <<<"Resources: {Part: ${one/NAME/'${self:service}-${sls:stage}-part'}}" # the other file
eq 'a file without its variables' "$err" $'${self:service} has no value in this file: "service" is used instead\ntable service-dev-part created'
# named NAME WANT [SAID] - check that a table with that name, in a file with a provider, is called WANT
named()
{
	ok ctl create-table --from - <<<"service: x
custom: {map: {a: 1}}
provider: {name: aws, stage: ${stage-prod}, region: eu-west-1}
resources: {Resources: {One: ${one/NAME/"$1"}}}"
	eq "$1, stage ${stage-prod}" "$err" "${3+$3$'\n'}table $2 created"
}
lacks='has no value in this file: '
named '${opt:stage}-1' prod-1
named '${opt:stage, self:custom.none}-2' prod-2
named "\${opt:stage, 'test'}-3" test-3 # the default is used
named '${opt:region}-${sls:stage}-4' eu-west-1-prod-4
gives 0 'custom.dynamodb.seed is not read' ctl create-table --from - <<<"service: x
custom: {dynamodb: {seed: {domain: {sources: [{table: seeded, sources: [./seeded.json]}]}}}}
resources: {Resources: {One: ${one/NAME/seeded}}}"
stage='"${opt:stage}"' named '${opt:stage}-5' dev-5
stage="\"\${opt:stage, 'test'}\"" named '${opt:stage}-6' test-6
named '${self:custom.none}-${env:NAME}-${self:custom.none}-7' none-NAME-none-7 "\${self:custom.none} $lacks\"none\" is used instead
\${env:NAME} $lacks\"NAME\" is used instead"
named '${env:NONE, self:custom.none}-8' NONE-8 "\${env:NONE, self:custom.none} $lacks\"NONE\" is used instead"
named '${file(names.yml):name}-9' name-9 "\${file(names.yml):name} $lacks\"name\" is used instead"
named 'a${self:custom.map}-10' a-10 "\${self:custom.map} $lacks\"\" is used instead"
gives 2 'table Bad: ' ctl create-table --from - <<<'{"service":"x","resources":{"Resources":{"Bad":{"Type":"AWS::DynamoDB::Table","Properties":"${file(bad.yml)}"}}}}'
eq 'properties in another file' "$(head -n 1 <<<"$err")" '${file(bad.yml)} is not read: give that file, too'
{
	echo 'service: x'
	echo 'resources:'
	seq -f '  - ${file(part%.0f.yml)}' 150
	echo "  - Resources: {Last: ${one/NAME/last}}"
} >many.yml
ok ctl create-table --from many.yml
eq 'at most a hundred are reported' "$(grep -c 'is not read' <<<"$err") $(grep 'more of' <<<"$err")" '100 more of them are not reported here'
for name in '${self:a}' '${self:custom.a}' '${self:custom.b}' '${self:}' '${self:custom' '${' '${,}' '${opt:x,}' '${self:custom.${self:custom.a}}' '${self:resources}' '${self:custom.wide}'; do
	gives 2 'table Bad: ' ctl create-table --from - <<YAML
service: x
custom: {a: '\${self:custom.a}!', b: '\${self:custom.b}\${self:custom.b}!', wide: '$(printf '${self:custom.w1}%.0s' {1..500})', w1: '$(printf 'wide%.0s' {1..500})'}
resources: {Resources: {Bad: ${one/NAME/"$name!"}}}
YAML
done

gives 2 'table Bad: ' ctl create-table --from - <<'YAML'
service: x
custom:
  k: ['${self:custom.k}', '${self:custom.k}', '${self:custom.o}']
  o: {a: '${self:custom.o}', b: '${self:custom.k}', c: '${self:custom.o}'}
resources: {Resources: {Bad: {Type: 'AWS::DynamoDB::Table', Properties: {KeySchema: '${self:custom.k}', AttributeDefinitions: '${self:custom.o}'}}}}
YAML

# ---- Terraform
cat >main.tf.json <<'JSON'
{"variable":{"stage":{"default":"test"}},
 "resource":{"aws_dynamodb_table":{"scores":{"name":"scores-${var.stage}","billing_mode":"PROVISIONED","read_capacity":20,"write_capacity":10,
  "hash_key":"User","range_key":"Game","attribute":[{"name":"User","type":"S"},{"name":"Game","type":"S"},{"name":"Top","type":"N"}],
  "ttl":{"attribute_name":"Until"},"stream_enabled":true,"stream_view_type":"KEYS_ONLY",
  "global_secondary_index":{"name":"ByGame","hash_key":"Game","range_key":"Top","projection_type":"INCLUDE","non_key_attributes":["Name"],"read_capacity":4,"write_capacity":4},
  "local_secondary_index":[{"name":"ByTop","range_key":"Top","projection_type":"ALL"}],"tags":{"a":"b"}}}}}
JSON
ok ctl create-table --from main.tf.json
eq 'a table of a configuration' "$(shape scores-test)" '[["User","Game"],[["ByGame",["Game","Top"],"INCLUDE",4]],20,"KEYS_ONLY","Until"]'
eq 'with local indexes' "$(ctl describe scores-test | jq -c '.LocalSecondaryIndexes[0] | [.IndexName, .KeySchema[].AttributeName]')" '["ByTop","User","Top"]'
values='{"name":"NAME","billing_mode":"PAY_PER_REQUEST","read_capacity":0,"hash_key":"a","range_key":null,"attribute":[{"name":"a","type":"S"}],
	"global_secondary_index":[],"local_secondary_index":[],"ttl":[{"attribute_name":"","enabled":false}],"tags":null,"stream_enabled":null}'
resource='{"mode":"managed","type":"aws_dynamodb_table","name":"t","values":'${values/NAME/planned}'}'
ok ctl create-table --from - <<<'{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"type":"aws_s3_bucket","name":"b","values":{}}],
	"child_modules":[{"resources":['"$resource"']}]}}}'
eq 'tables of a plan and its modules' "$(shape planned)" '[["a"],[],0,null,null]'
ok ctl create-table --from - <<<'{"version":4,"terraform_version":"1.9.0","resources":[{"type":"aws_dynamodb_table","name":"t","instances":[{"attributes":'"${values/NAME/kept}"'}]}]}'
eq 'a table of a state' "$(shape kept)" '[["a"],[],0,null,null]'

# ---- bad input
gives 2 'the template has no DynamoDB tables' ctl create-table --from - <<<'{"Resources":{"a":{"Type":"AWS::S3::Bucket"}}}'
echo 'resource "aws_dynamodb_table" "basic" {' >main.tf
hcl="to convert Terraform's own language to JSON: terraform init && terraform plan -out plan && terraform show -json plan >plan.json"
gives 2 "$hcl" ctl create-table --from - <main.tf
gives 2 "$hcl && itemctl -s $S create-table --from plan.json" ctl create-table --from main.tf
gives 2 "main.tf: $hcl && itemctl serve --port 0 --seed plan.json -- true" "$ITEMCTL" serve --port 0 --seed main.tf -- true
eq 'the suggested file is read' "$(jq . >plan.json <<<'{"format_version":"1.2","planned_values":{"root_module":{"resources":['"$resource"']}}}' &&
	"$ITEMCTL" serve --port 0 --seed plan.json -- "$ITEMCTL" tables 2>/dev/null | jq -r .TableName)" planned
gives 2 'neither JSON nor a template in YAML: not YAML: line 2, column 4' ctl create-table --from - <<<$'a: [1\n  b: 2'
gives 2 'neither JSON nor a template in YAML' ctl create-table --from - <<<'just words'
gives 2 'a name is not a word' ctl create-table --from - <<<$'Resources:\n  ? [a]\n  : b'
gives 2 'nested too deeply, or too large' ctl create-table --from - <<<$'Resources: &a\n  b: *a'
bombs='a: &a0 [x,x,x,x,x,x,x,x,x,x]'
for i in 1 2 3 4 5 6 7 8; do
	bombs+=$'\n'"b$i: &a$i [*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1))]"
done
gives 2 'nested too deeply, or too large' ctl create-table --from - <<<"$bombs"
gives 2 'table Bad: ' ctl create-table --from - <<<'{"Resources":{"Bad":{"Type":"AWS::DynamoDB::Table"}}}'
gives 2 'table Bad: ' ctl create-table --from - <<<'{"Resources":{"Bad":{"Type":"AWS::DynamoDB::Table","Properties":[{"Ref":5},{"Fn::Sub":[]},{"Fn::Join":{}}]}}}'
gives 2 'table t: ' ctl create-table --from - <<<'{"resource":{"aws_dynamodb_table":{"t":[{"name":"t","global_secondary_index":[5,{}],"attribute":"x"}]}}}'

# ---- several tables by their names
cat >several.yaml <<'YAML'
Resources:
  One: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: one, KeySchema: [{AttributeName: PK, KeyType: HASH}], AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]}}
  Two: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: two, KeySchema: [{AttributeName: PK, KeyType: HASH}], AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]}}
  Six: {Type: 'AWS::DynamoDB::Table', Properties: {TableName: six, KeySchema: [{AttributeName: PK, KeyType: HASH}], AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]}}
YAML
ok ctl create-table --from several.yaml two one=uno one
eq 'tables in the given order, also by an old name' "$err" $'table two created\ntable uno created\ntable one created'
gives 3 'ResourceNotFoundException' ctl describe six
gives 2 'the file defines one, two, six; NAME is one of them, TABLE=NAME renames it, not "ten"' ctl create-table --from several.yaml six ten
gives 3 'ResourceNotFoundException' ctl describe six
gives 2 'create one table at a time: itemctl create-table table --key PK && itemctl create-table other --key PK && itemctl create-table another --key PK' ctl create-table table other another --key PK
gives 2 'give its key as one word: itemctl create-table table --key PK,SK' ctl create-table table --key PK SK
gives 2 'give its key as one word: itemctl create-table table --key PK:N,SK:S' ctl create-table table --key PK,N SK,S

# ---- Workbench
cat >model.json <<'JSON'
{"ModelName":"m","DataModel":[{"TableName":"Employee","BillingMode":"PROVISIONED",
 "KeyAttributes":{"PartitionKey":{"AttributeName":"Login","AttributeType":"S"}},"TableData":[{"Login":{"S":"joe"}}]}]}
JSON
ok ctl create-table Staff --from model.json
eq 'omitted sample data is reported' "$err" $'table Staff created\nits 1 sample items were not put; to put them, add --data'
ok ctl create-table --from model.json --data
eq 'with --data it is put' "$(ctl scan Employee)" '{"Login":"joe"}'
done_testing
