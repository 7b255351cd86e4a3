"""forgets.py - an endpoint with a table "tab" whose stream has a shard and its child; the first shard expires once both are listed"""
from endpoint import Failure, serve

ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2030-01-01T00:00:00.000"
PARENT = {"ShardId": "shardId-parent", "SequenceNumberRange": {"StartingSequenceNumber": "1", "EndingSequenceNumber": "9"}}
CHILD = {"ShardId": "shardId-child", "ParentShardId": "shardId-parent", "SequenceNumberRange": {"StartingSequenceNumber": "10"}}
TABLE = {
    "TableName": "tab",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "TableArn": ARN.split("/stream/")[0],
    "LatestStreamLabel": ARN.split("/stream/")[1],
    "LatestStreamArn": ARN,
}
forgotten = False


def describe(_):
    global forgotten
    shards = [CHILD] if forgotten else [PARENT, CHILD]
    forgotten = True
    return {"StreamDescription": {"StreamArn": ARN, "StreamStatus": "ENABLED", "StreamViewType": "KEYS_ONLY",
                                  "TableName": "tab", "KeySchema": TABLE["KeySchema"], "Shards": shards}}


def iterator(asked):
    if asked["ShardId"] == PARENT["ShardId"]:
        raise Failure("ResourceNotFoundException")
    return {"ShardIterator": asked["ShardId"]}


def records(asked):
    record = {"eventID": "11", "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
              "dynamodb": {"SequenceNumber": "11", "Keys": {"PK": {"S": "child"}}, "SizeBytes": 1, "StreamViewType": "KEYS_ONLY",
                           "ApproximateCreationDateTime": 1893456000}}
    first = asked["ShardIterator"] == CHILD["ShardId"]
    return {"Records": [record] if first else [], "NextShardIterator": "its end"}


serve({
    "DescribeTable": lambda _: {"Table": TABLE},
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
    "DescribeStream": describe,
    "GetShardIterator": iterator,
    "GetRecords": records,
})
