"""repeats.py PAGES full|empty circle|end [KEY] - an endpoint with one table "tab" that has a stream

Its lists have that many pages, with one entry each or empty; after the last one comes the second one again,
or the end. A page that one reader requests twice is named in the file "twice".
"""
import sys
import threading

from endpoint import serve

PAGES, FULL, CIRCLE = int(sys.argv[1]), int(sys.argv[2] == "full"), sys.argv[3] == "circle"
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2026-01-01T00:00:00.000"
KEY = sys.argv[4].split(",") if len(sys.argv) > 4 else ["PK"]
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
    "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in zip(KEY, ("HASH", "RANGE"))],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in KEY],
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
read = {}
lock = threading.Lock()


def note(reader, page):
    """Readers begin with page 0"""
    with lock:
        if page == 0:
            read[reader] = set()
        if page in read.setdefault(reader, set()):
            with open("twice", "a", encoding="utf-8") as twice:
                print(reader, page, file=twice)
        read[reader].add(page)


def after(reader, page):
    """The page after this one, or None; the first page is 0"""
    note(reader, page)
    return page + 1 if page < PAGES else 1 if CIRCLE else None


def key_of(page):
    return {name: {"S": str(page)} for name in KEY}


def items(asked):
    page = int(asked.get("ExclusiveStartKey", {"PK": {"S": "0"}})["PK"]["S"])
    answer = {"Items": [key_of(page)] * FULL, "Count": FULL, "ScannedCount": 1}
    page = after(("items", asked.get("Segment")), page)
    if page is not None:
        answer["LastEvaluatedKey"] = key_of(page)
    return answer


def tables(asked):
    page = after("tables", int(asked.get("ExclusiveStartTableName", "tab0")[3:]))
    return {"TableNames": ["tab"] * FULL} | ({} if page is None else {"LastEvaluatedTableName": f"tab{page}"})


def records(asked):
    page = after("records", int(asked["ShardIterator"]))
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
