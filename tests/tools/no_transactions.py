"""no_transactions.py - an endpoint without transactions, with a table "tab" of one item; lists the requested writes in the file written"""
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
