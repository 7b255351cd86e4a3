"""repeats.py PAGES full|empty circle|end - an endpoint with one table "tab" that has a stream

Its lists have that many pages, with something on them or empty; after the last one comes the second one
again, or the end.
"""
import sys

from endpoint import serve

PAGES, FULL, CIRCLE = int(sys.argv[1]), int(sys.argv[2] == "full"), sys.argv[3] == "circle"
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2026-01-01T00:00:00.000"
RECORD = {
    "eventID": "1",
    "eventName": "INSERT",
    "eventVersion": "1.1",
    "eventSource": "aws:dynamodb",
    "awsRegion": "us-east-1",
    "dynamodb": {
        "ApproximateCreationDateTime": 1,
        "Keys": {"PK": {"S": "a"}},
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



def after(page):
    """The page after this one, or None; the first one is 0"""
    return page + 1 if page < PAGES else 1 if CIRCLE else None


def items(asked):
    page = int(asked.get("ExclusiveStartKey", {"PK": {"S": "0"}})["PK"]["S"])
    answer = {"Items": [{"PK": {"S": str(page)}}] * FULL, "Count": FULL, "ScannedCount": 1}
    if after(page) is not None:
        answer["LastEvaluatedKey"] = {"PK": {"S": str(after(page))}}
    return answer


def tables(asked):
    page = after(int(asked.get("ExclusiveStartTableName", "tab0")[3:]))
    return {"TableNames": ["tab"] * FULL} | ({} if page is None else {"LastEvaluatedTableName": f"tab{page}"})


def records(asked):
    page = after(int(asked["ShardIterator"]))
    return {"Records": [RECORD] * FULL} | ({} if page is None else {"NextShardIterator": str(page)})


serve({
    "ListTables": tables,
    "DescribeTable": lambda _: {"Table": TABLE},
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
    "Scan": items,
    "Query": items,
    "DescribeStream": lambda _: {"StreamDescription": STREAM},
    "GetShardIterator": lambda _: {"ShardIterator": "0"},
    "GetRecords": records,
})
