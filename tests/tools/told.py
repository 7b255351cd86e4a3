"""told.py - an endpoint that knows an operation and members that itemctl does not know, and returns no ARNs

FrobItem responds with the bytes of the request; the table "bare" has only required members, "full" has more.
"""
from endpoint import serve, unknown

KEY = {
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
}
INDEX = {
    "IndexName": "gsi",
    "KeySchema": KEY["KeySchema"],
    "Projection": {"ProjectionType": "ALL"},
    "IndexStatus": "ACTIVE",
}
STREAM = {
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "LatestStreamLabel": "2026-01-01T00:00:00.000",
}
TABLES = {
    "bare": KEY | STREAM | {"GlobalSecondaryIndexes": [INDEX], "SSEDescription": {"Status": "ENABLED", "SSEType": "KMS"}},
    "full": KEY
    | {
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST", "NewMember": [1, None, True]},
        "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
        "TableClassSummary": {"TableClass": "STANDARD_INFREQUENT_ACCESS"},
        "DeletionProtectionEnabled": True,
        "Later": {"Made": "up"},
    },
    "paid": KEY | {"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}},
}


serve({
    "ListTables": lambda _: {"TableNames": list(TABLES)},
    "DescribeTable": lambda asked: {"Table": {"TableName": asked["TableName"]} | TABLES[asked["TableName"]]},
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
    "FrobItem": lambda asked: {"asked": asked, "more": {"a b": 'c " d'}},
    "GetItem": lambda asked: {"Item": asked["Key"], "Later": asked.get("NewParameter")},
    "FrobTable": unknown,
    "DescribTable": unknown,
})
