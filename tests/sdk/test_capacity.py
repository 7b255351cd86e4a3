"""Consumed capacity and item collections, as boto3 reads them."""

import os
import subprocess
from decimal import Decimal

import boto3
import botocore.config
from boto3.dynamodb.conditions import Key

import served

ATTRIBUTES = [{"AttributeName": "kind", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}]
GLOBAL = [
    {
        "IndexName": "by-kind",
        "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
]
LOCAL = [
    {
        "IndexName": "by-n",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
]


class Capacity(served.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        indexes = {"GlobalSecondaryIndexes": GLOBAL, "LocalSecondaryIndexes": LOCAL}
        cls.things = cls.table(cls(), "things", AttributeDefinitions=ATTRIBUTES, **indexes)

    def test_a_put_costs_its_kilobytes_in_the_table_and_its_indexes(self):
        item = {"pk": "put", "sk": "1", "kind": "k", "n": 1, "text": "x" * 2000}
        answer = self.things.put_item(Item=item, ReturnConsumedCapacity="INDEXES", ReturnItemCollectionMetrics="SIZE")
        self.assertEqual(
            answer["ConsumedCapacity"],
            {
                "TableName": "things",
                "CapacityUnits": 5.0,
                "Table": {"CapacityUnits": 2.0},
                "GlobalSecondaryIndexes": {"by-kind": {"CapacityUnits": 2.0}},
                "LocalSecondaryIndexes": {"by-n": {"CapacityUnits": 1.0}},
            },
        )
        metrics = {"ItemCollectionKey": {"pk": "put"}, "SizeEstimateRangeGB": [0.0, 1.0]}
        self.assertEqual(answer["ItemCollectionMetrics"], metrics)

    def test_the_pages_of_a_query_add_up(self):
        with self.things.batch_writer() as batch:
            for i in range(40):
                batch.put_item(Item={"pk": "pages", "sk": f"{i:02}", "n": i, "text": "x" * 1000})
        query = self.client.get_paginator("query")
        pages = query.paginate(
            TableName="things",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "pages"}},
            ReturnConsumedCapacity="TOTAL",
            PaginationConfig={"PageSize": 10},
        )
        units = [page["ConsumedCapacity"]["CapacityUnits"] for page in pages]
        self.assertEqual(units, [1.5, 1.5, 1.5, 1.5, 0.5])

    def test_a_consistent_read_costs_twice(self):
        for consistent, units in (False, 0.5), (True, 1.0):
            answer = self.things.get_item(
                Key={"pk": "nobody", "sk": "1"}, ConsistentRead=consistent, ReturnConsumedCapacity="TOTAL"
            )
            self.assertEqual(answer["ConsumedCapacity"], {"TableName": "things", "CapacityUnits": units})

    def test_a_local_index_that_must_fetch_costs_the_table_too(self):
        self.things.put_item(Item={"pk": "fetch", "sk": "1", "n": Decimal(1), "text": "x" * 5000})
        answer = self.things.query(
            IndexName="by-n",
            KeyConditionExpression=Key("pk").eq("fetch"),
            Select="ALL_ATTRIBUTES",
            ReturnConsumedCapacity="INDEXES",
        )
        self.assertEqual(answer["ConsumedCapacity"]["Table"], {"CapacityUnits": 1.0})
        self.assertEqual(answer["ConsumedCapacity"]["LocalSecondaryIndexes"], {"by-n": {"CapacityUnits": 0.5}})

    def test_a_transaction_costs_twice_and_its_repetition_reads(self):
        put = [{"Put": {"TableName": "things", "Item": {"pk": {"S": "tx"}, "sk": {"S": "1"}}}}]
        for kind in "Write", "Read":
            answer = self.client.transact_write_items(
                TransactItems=put, ClientRequestToken="once", ReturnConsumedCapacity="TOTAL"
            )
            units = {"TableName": "things", "CapacityUnits": 2.0, kind + "CapacityUnits": 2.0}
            self.assertEqual(answer["ConsumedCapacity"], [units])

    def test_a_throttled_table_refuses_what_is_beyond_its_throughput(self):
        store = self.server.folder.name + "/store"
        itemctl = [os.environ["ITEMCTL"], "-q", "-s", store]
        subprocess.run(itemctl + ["create-table", "slow", "--key", "pk,sk", "--throttle"], check=True)
        units = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
        self.client.update_table(TableName="slow", BillingMode="PROVISIONED", ProvisionedThroughput=units)
        patient = botocore.config.Config(retries={"total_max_attempts": 1})
        client = boto3.client("dynamodb", endpoint_url=self.server.url, config=patient)
        item = {"pk": {"S": "a"}, "sk": {"S": "1"}}
        # 300 units are saved up; this write spends them and those of the next minute.
        client.put_item(TableName="slow", Item={**item, "text": {"S": "x" * 380 * 1024}})
        answer = self.refused("ProvisionedThroughputExceededException", client.put_item, TableName="slow", Item=item)
        self.assertIn("The level of configured provisioned throughput for the table", answer["Error"]["Message"])
        # SDKs from before August 2025 ignore this member, which is not in their model.
        if "ThrottlingReasons" in client.meta.service_model.shape_for("ProvisionedThroughputExceededException").members:
            arn = "arn:aws:dynamodb:us-east-1:000000000000:table/slow"
            why = {"reason": "TableWriteProvisionedThroughputExceeded", "resource": arn}
            self.assertEqual(answer["ThrottlingReasons"], [why])
        requests = {"slow": [{"PutRequest": {"Item": item}}], "things": [{"PutRequest": {"Item": item}}]}
        answer = client.batch_write_item(RequestItems=requests)
        self.assertEqual(answer["UnprocessedItems"], {"slow": requests["slow"]})
        answer = self.refused(
            "TransactionCanceledException",
            client.transact_write_items,
            TransactItems=[{"Put": {"TableName": "slow", "Item": item}}],
        )
        self.assertEqual([r["Code"] for r in answer["CancellationReasons"]], ["ProvisionedThroughputExceeded"])
        client.close()


served.main()
