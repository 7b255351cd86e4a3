#!/bin/bash
# cli.sh - test the AWS command line with a store of its own; skipped where it is not installed.
if ! aws --version >/dev/null 2>&1; then
	echo 'skipped: the AWS command line is not installed'
	exit 77
fi
. "$(dirname "$0")/../tools/lib.sh"

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_PAGER='' NO_PROXY=127.0.0.1
begin_server --listen 127.0.0.1:0
url=http://$(address log)

db()
{
	aws dynamodb --endpoint-url "$url" --output json "$@"
}

streams()
{
	aws dynamodbstreams --endpoint-url "$url" --output json "$@"
}

# refused TEXT WORD... - the command fails with that text; version 1 exits with 255, version 2 with 254
refused()
{
	local text=$1
	shift
	if db "$@" >refused.out 2>refused.err; then
		fail "$1 is not refused"
	fi
	eq "$1 is refused" "$(grep -o "$text" refused.err | head -n 1)" "$text"
}

ok db create-table --table-name music --billing-mode PAY_PER_REQUEST \
	--attribute-definitions AttributeName=artist,AttributeType=S AttributeName=song,AttributeType=S \
	--key-schema AttributeName=artist,KeyType=HASH AttributeName=song,KeyType=RANGE
ok db wait table-exists --table-name music
ok db list-tables
eq 'the table is listed' "$(jq -c .TableNames <<<"$out")" '["music"]'
ok db put-item --table-name music --item '{"artist":{"S":"Acme"},"song":{"S":"Blue"},"year":{"N":"1999"}}'
refused ConditionalCheckFailedException put-item --table-name music \
	--item '{"artist":{"S":"Acme"},"song":{"S":"Blue"}}' --condition-expression 'attribute_not_exists(artist)'
ok db batch-write-item --request-items '{"music":[{"PutRequest":{"Item":{"artist":{"S":"Acme"},"song":{"S":"Red"}}}},
	{"PutRequest":{"Item":{"artist":{"S":"Acme"},"song":{"S":"White"}}}}]}'
ok db get-item --table-name music --key '{"artist":{"S":"Acme"},"song":{"S":"Blue"}}'
eq 'the item is read as it was put' "$(jq -c .Item.year <<<"$out")" '{"N":"1999"}'
ok db query --table-name music --key-condition-expression 'artist = :a' --page-size 1 \
	--expression-attribute-values '{":a":{"S":"Acme"}}'
eq 'all pages of a query are joined' "$(jq -c '[.Items[].song.S]' <<<"$out")" '["Blue","Red","White"]'
refused TransactionCanceledException transact-write-items --transact-items \
	'[{"Delete":{"TableName":"music","Key":{"artist":{"S":"Acme"},"song":{"S":"Red"}}}},
	{"ConditionCheck":{"TableName":"music","Key":{"artist":{"S":"Acme"},"song":{"S":"Gone"}},"ConditionExpression":"attribute_exists(song)"}}]'
ok db delete-item --table-name music --key '{"artist":{"S":"Acme"},"song":{"S":"Red"}}'
ok db scan --table-name music --select COUNT
eq 'two are left' "$(jq .Count <<<"$out")" 2
eq 'itemctl sees the same' "$(ctl scan music --count)" 2
ok db update-table --table-name music --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE
stream=$(jq -r .TableDescription.LatestStreamArn <<<"$out")
ok db put-item --table-name music --item '{"artist":{"S":"Acme"},"song":{"S":"Green"}}'
ok streams describe-stream --stream-arn "$stream"
shard=$(jq -r '.StreamDescription.Shards[0].ShardId' <<<"$out")
ok streams get-shard-iterator --stream-arn "$stream" --shard-id "$shard" --shard-iterator-type TRIM_HORIZON
ok streams get-records --shard-iterator "$(jq -r .ShardIterator <<<"$out")"
eq 'the stream has a record of the change' "$(jq -c '[.Records[] | .eventName, .dynamodb.NewImage.song.S]' <<<"$out")" '["INSERT","Green"]'
ok db delete-table --table-name music
ok db wait table-not-exists --table-name music
refused ResourceNotFoundException describe-table --table-name music
done_testing
