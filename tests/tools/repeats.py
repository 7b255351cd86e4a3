"""repeats.py - an endpoint whose pages lead to themselves, with one table "tab" that has a stream"""
from endpoint import serve

KEY = {"PK": {"S": "a"}}
PAGE = {"Items": [KEY], "Count": 1, "ScannedCount": 1, "LastEvaluatedKey": KEY}
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2026-01-01T00:00:00.000"
RECORD = {
    "eventID": "1",
    "eventName": "INSERT",
    "eventVersion": "1.1",
    "eventSource": "aws:dynamodb",
    "awsRegion": "us-east-1",
    "dynamodb": {
        "ApproximateCreationDateTime": 1,
        "Keys": KEY,
        "SequenceNumber": "1",
        "SizeBytes": 3,
        "StreamViewType": "KEYS_ONLY",
    },
}
TABLE = {
    "TableName": "tab",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "LatestStreamArn": ARN,
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
}
STREAM = {
    "StreamArn": ARN,
    "TableName": "tab",
    "StreamLabel": "2026-01-01T00:00:00.000",
    "StreamStatus": "ENABLED",
    "StreamViewType": "KEYS_ONLY",
    "KeySchema": TABLE["KeySchema"],
    "Shards": [{"ShardId": "shardId-00000001", "SequenceNumberRange": {"StartingSequenceNumber": "1"}}],
}

serve({
    "ListTables": lambda _: {"TableNames": ["tab"], "LastEvaluatedTableName": "tab"},
    "DescribeTable": lambda _: {"Table": TABLE},
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
    "Scan": lambda _: PAGE,
    "Query": lambda _: PAGE,
    "DescribeStream": lambda _: {"StreamDescription": STREAM},
    "GetShardIterator": lambda _: {"ShardIterator": "here"},
    "GetRecords": lambda _: {"Records": [RECORD], "NextShardIterator": "here"},
})
