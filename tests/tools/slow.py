"""slow.py MODE - an endpoint with a table "tab" of endless items, for programs that will be stopped

MODE throttled: writes are left unprocessed, and the second and further pages of a Scan are throttled;
silent: these get no response; deaf: no request does.  Prints a line for each such request.
"""
import sys
import time

from endpoint import Failure, serve, unknown

mode = sys.argv[1]
TABLE = {
    "TableName": "tab",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "TableArn": "arn:aws:dynamodb:us-east-1:000000000000:table/tab",
    "ItemCount": 1000,
}


def withhold(what):
    print(f"withholds {what}", flush=True)
    if mode != "throttled":
        time.sleep(600)
    raise Failure("ProvisionedThroughputExceededException")


def batch(asked):
    print("withholds BatchWriteItem", flush=True)
    if mode != "throttled":
        time.sleep(600)
    return {"UnprocessedItems": asked["RequestItems"]}


def scan(asked):
    if "ExclusiveStartKey" in asked:
        withhold("Scan")
    items = [{"PK": {"S": str(n)}} for n in range(100)]
    return {"Items": items, "Count": 100, "ScannedCount": 100, "LastEvaluatedKey": items[-1]}


def describe(_):
    if mode == "deaf":
        withhold("DescribeTable")
    return {"Table": TABLE}


serve({
    "DescribeTable": describe,
    "ListTagsOfResource": lambda _: {"Tags": []},
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
    "ListTables": lambda _: {"TableNames": ["tab"]},
    "BatchWriteItem": batch,
    "Scan": scan,
    "Query": lambda _: {"Items": [], "Count": 0, "ScannedCount": 0},
    "GetItem": lambda _: {},
    "PutItem": lambda _: withhold("PutItem"),
    "UpdateItem": lambda _: withhold("UpdateItem"),
    "DeleteItem": lambda _: withhold("DeleteItem"),
    "LoadItems": unknown,
    "ChangeItems": unknown,
    "Sync": unknown,
})
