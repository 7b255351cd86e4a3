"""cancels.py - an endpoint with a table "tab" that counts no items, and responds to transactions as the file "mode" says

did       carries them out
COUNT CODE LAST
          cancels them, with COUNT more reasons than actions: CODE for each, LAST for the last one
Scan finds an item unless the file "empty" exists.
"""
import os

from endpoint import Failure, serve

TABLE = {
    "TableName": "tab",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "ItemCount": 0,
}


def transact(asked):
    with open("mode", encoding="utf-8") as file:
        mode = file.read().split()
    if mode == ["did"]:
        return {}
    count = len(asked["TransactItems"]) + int(mode[0])
    codes = [mode[1]] * (count - 1) + [mode[2]] if count > 0 else []
    raise Failure("TransactionCanceledException", CancellationReasons=[{"Code": code} for code in codes])


def scan(_):
    items = [] if os.path.exists("empty") else [{"PK": {"S": "a"}}]
    return {"Items": items, "Count": len(items), "ScannedCount": len(items)}


serve({
    "DescribeTable": lambda _: {"Table": TABLE},
    "TransactWriteItems": transact,
    "Scan": scan,
    "PutItem": lambda _: {},
    "BatchWriteItem": lambda _: {},
})
