"""hostile.py NAME - an endpoint whose two tables are "sound" and NAME; each has the indexes "Sound" and NAME, and one item"""
import sys

from endpoint import serve

NAME = sys.argv[1]


def index(name):
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
        "IndexStatus": "ACTIVE",
    }


def table(name):
    return {
        "TableName": name,
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        "GlobalSecondaryIndexes": [index("Sound"), index(NAME)],
    }


serve({
    "ListTables": lambda _: {"TableNames": ["sound", NAME]},
    "DescribeTable": lambda asked: {"Table": table(asked["TableName"])},
    "Scan": lambda _: {"Items": [{"PK": {"S": "a"}}], "Count": 1, "ScannedCount": 1},
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
})
