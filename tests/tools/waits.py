"""waits.py - an endpoint that creates and deletes tables slowly, and denies access to the table "denied" and to the time to live of "mute"

A table is CREATING in its first two descriptions, its index also in the third one, and DELETING in two.
When its input ends, it writes the requested changes to standard error.
"""
import sys

from endpoint import Failure, serve

tables = {"mute": {"looks": 9}, "denied": {"looks": 9}}
changes = []


def note(what):
    changes.append(what)


def create(asked):
    note("CreateTable")
    indexes = [{**i, "IndexStatus": "CREATING"} for i in asked.get("GlobalSecondaryIndexes", [])]
    tables[asked["TableName"]] = {"looks": 0, "asked": asked, "indexes": indexes}
    return {"TableDescription": describe(asked)["Table"]}


def delete(asked):
    note("DeleteTable")
    tables[asked["TableName"]]["ends"] = 2
    return {"TableDescription": describe(asked)["Table"]}


def describe(asked):
    name = asked["TableName"]
    if name == "denied":
        raise Failure("AccessDeniedException")
    table = tables.get(name)
    if table is None or table.get("ends") == 0:
        raise Failure("ResourceNotFoundException")
    table["looks"] += 1
    if "ends" in table:
        table["ends"] -= 1
    made = {"TableName": name,
            "TableStatus": "DELETING" if "ends" in table else "ACTIVE" if table["looks"] > 3 else "CREATING"}
    from_asked = table.get("asked", {})
    made["KeySchema"] = from_asked.get("KeySchema", [{"AttributeName": "PK", "KeyType": "HASH"}])
    made["AttributeDefinitions"] = from_asked.get("AttributeDefinitions", [{"AttributeName": "PK", "AttributeType": "S"}])
    if table.get("indexes"):
        status = "ACTIVE" if table["looks"] > 4 else "CREATING"
        made["GlobalSecondaryIndexes"] = [{**i, "IndexStatus": status} for i in table["indexes"]]
    return {"Table": made}


def expire(asked):
    if tables[asked["TableName"]]["looks"] < 4:
        raise Failure("ResourceInUseException")
    note("UpdateTimeToLive")
    return {"TimeToLiveSpecification": asked["TimeToLiveSpecification"]}


def expires(asked):
    if asked["TableName"] == "mute":
        raise Failure("AccessDeniedException")
    return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}


def recovery(asked):
    if asked["TableName"] == "mute":
        raise Failure("AccessDeniedException")
    return {"ContinuousBackupsDescription": {"ContinuousBackupsStatus": "ENABLED"}}


serve({
    "ListTables": lambda _: {"TableNames": sorted(tables)},
    "CreateTable": create,
    "DeleteTable": delete,
    "DescribeTable": describe,
    "UpdateTimeToLive": expire,
    "DescribeTimeToLive": expires,
    "DescribeContinuousBackups": recovery,
    "Scan": lambda _: {"Items": [{"PK": {"S": "a"}}], "Count": 1, "ScannedCount": 1},
})
print(" ".join(changes), file=sys.stderr, flush=True)
