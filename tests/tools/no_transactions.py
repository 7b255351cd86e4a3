"""no_transactions.py - an endpoint with a table "tab" of one item that has no transactions, and notes in "written" what it was asked to write"""
from endpoint import serve, unknown

TABLE = {
    "TableName": "tab",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "ItemCount": 1,
}


def write(asked):
    with open("written", "a", encoding="utf-8") as file:
        print(asked, file=file)
    return {}


serve({
    "DescribeTable": lambda _: {"Table": TABLE},
    "GetItem": lambda _: {"Item": {"PK": {"S": "a"}}},
    "TransactWriteItems": unknown,
    "PutItem": write,
    "UpdateItem": write,
    "DeleteItem": write,
    "BatchWriteItem": write,
    "DeleteTable": write,
})
