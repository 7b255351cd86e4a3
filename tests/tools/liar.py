"""liar.py SEED - an endpoint with one table "tab", in whose responses some values are ones that no server would send"""
import copy
import random
import sys

from endpoint import serve

CHANCE = random.Random(int(sys.argv[1]))
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab"
STREAM_ARN = ARN + "/stream/2026-01-01T00:00:00.000"


def keys(*names):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]


TABLE = {
    "TableName": "tab",
    "TableStatus": "ACTIVE",
    "TableArn": ARN,
    "TableId": "a-b",
    "CreationDateTime": 1.7e9,
    "ItemCount": 3,
    "TableSizeBytes": 100,
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0, "NumberOfDecreasesToday": 0},
    "KeySchema": keys("PK", "SK"),
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in (("PK", "S"), ("SK", "S"), ("G", "N"))],
    "GlobalSecondaryIndexes": [{
        "IndexName": "gsi",
        "KeySchema": keys("G"),
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]},
        "IndexStatus": "ACTIVE",
        "Backfilling": False,
        "ItemCount": 1,
        "IndexSizeBytes": 4,
    }],
    "LocalSecondaryIndexes": [{"IndexName": "lsi", "KeySchema": keys("PK", "G"), "Projection": {"ProjectionType": "ALL"}}],
    "LatestStreamArn": STREAM_ARN,
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
ITEM = {"PK": {"S": "a"}, "SK": {"S": "b"}, "G": {"N": "1"}, "L": {"L": [{"M": {"x": {"BOOL": True}}}]}, "B": {"B": "AAE="}}
RECORD = {
    "eventID": "1",
    "eventName": "MODIFY",
    "eventVersion": "1.1",
    "eventSource": "aws:dynamodb",
    "awsRegion": "us-east-1",
    "dynamodb": {
        "ApproximateCreationDateTime": 1,
        "Keys": {"PK": {"S": "a"}, "SK": {"S": "b"}},
        "NewImage": ITEM,
        "OldImage": ITEM,
        "SequenceNumber": "1",
        "SizeBytes": 3,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    },
}
STREAM = {
    "StreamArn": STREAM_ARN,
    "TableName": "tab",
    "StreamLabel": "2026-01-01T00:00:00.000",
    "StreamStatus": "ENABLED",
    "StreamViewType": "NEW_AND_OLD_IMAGES",
    "KeySchema": TABLE["KeySchema"],
    "Shards": [
        {"ShardId": "one", "SequenceNumberRange": {"StartingSequenceNumber": "1", "EndingSequenceNumber": "9"}},
        {"ShardId": "two", "ParentShardId": "one", "SequenceNumberRange": {"StartingSequenceNumber": "10"}},
    ],
}
ANSWERS = {
    "ListTables": {"TableNames": ["tab", "other"]},
    "DescribeTable": {"Table": TABLE},
    "DescribeTimeToLive": {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}},
    "Scan": {"Items": [ITEM] * 3, "Count": 3, "ScannedCount": 3},
    "Query": {"Items": [ITEM] * 3, "Count": 3, "ScannedCount": 3},
    "GetItem": {"Item": ITEM},
    "DescribeStream": {"StreamDescription": STREAM},
    "GetShardIterator": {"ShardIterator": "0"},
    "GetRecords": {"Records": [RECORD]},
}


def deep(value, levels, wrap):
    for _ in range(levels):
        value = wrap(value)
    return value


LIES = [
    None, True, -1, 0.5, 1e308, 1e-308, 2**63, 2**64, -2**63, "", "x\x1b[2J\r\n\x9b\x7f", "\ud800", "a" * 300, "é" * 70000, [], {},
    [None], [1] * 1000, {"": None}, "-1", "9" * 41, "1e400", "../../etc", "UNKNOWN", {"N": "abc"}, {"N": "1e999"}, {"B": "!!!"},
    {"SS": []}, {"SS": ["a", "a"]}, {"X": "y"}, deep(1, 200, lambda x: [x]), deep({"S": "a"}, 300, lambda x: {"M": {"a": x}}),
]


def places(value, path=()):
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], path + (key,))


def falsify(answer):
    path = CHANCE.choice(list(places(answer)))
    holder = answer
    for key in path[:-1]:
        holder = holder[key]
    how = CHANCE.randrange(8)
    if how == 0:
        del holder[path[-1]]
    elif how == 1 and isinstance(holder, list):
        holder.extend([holder[path[-1]]] * CHANCE.choice((1, 2000)))
    elif how == 2 and isinstance(holder, dict):
        holder["New"] = CHANCE.choice(LIES)
    else:
        holder[path[-1]] = CHANCE.choice(LIES)


ANSWERS = copy.deepcopy(ANSWERS)
for name in ["DescribeTable", CHANCE.choice(list(ANSWERS))]:
    if CHANCE.random() < 0.7:
        falsify(ANSWERS[name])
serve({name: lambda _, name=name: ANSWERS[name] for name in ANSWERS})
