"""CreateTable, DescribeTable, ListTables, DeleteTable, times to live, and the errors that programs catch."""

from boto3.dynamodb.conditions import Key

import served

BY_YEAR = {
    "IndexName": "by-year",
    "KeySchema": [{"AttributeName": "year", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]},
}


class Tables(served.Case):
    def test_a_table_is_created_described_and_deleted(self):
        year = [{"AttributeName": "year", "AttributeType": "N"}]
        table = self.table("music", AttributeDefinitions=year, GlobalSecondaryIndexes=[BY_YEAR])
        self.assertEqual(table.table_status, "ACTIVE")
        self.assertEqual(table.item_count, 0)
        self.assertEqual(table.billing_mode_summary["BillingMode"], "PAY_PER_REQUEST")
        self.assertIn(":table/music", table.table_arn)
        index = table.global_secondary_indexes[0]
        self.assertEqual(index["IndexStatus"], "ACTIVE")
        self.assertEqual({name: index[name] for name in BY_YEAR}, BY_YEAR)

        table.delete()
        table.wait_until_not_exists()
        self.refused("ResourceNotFoundException", self.client.describe_table, TableName="music")

    def test_a_table_that_exists_is_in_use(self):
        self.table("twice")
        with self.assertRaises(self.client.exceptions.ResourceInUseException):
            self.table("twice")

    def test_tables_are_listed_in_pages(self):
        names = [f"list-{i}" for i in range(7)]
        for name in names:
            self.table(name)
        pages = list(self.client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 3}))
        self.assertGreaterEqual(len(pages), 3)
        found = [name for page in pages for name in page["TableNames"]]
        self.assertEqual([name for name in found if name in names], names)

    def test_a_definition_that_is_wrong_is_refused(self):
        answer = self.refused(
            "ValidationException",
            self.client.create_table,
            TableName="wrong",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "other", "AttributeType": "S"}],
        )
        self.assertEqual(answer["ResponseMetadata"]["HTTPStatusCode"], 400)
        self.assertTrue(answer["ResponseMetadata"]["RequestId"])

    def until_active(self, name):
        while True:
            told = self.client.describe_table(TableName=name)["Table"]
            if told["TableStatus"] == "ACTIVE":
                return told
            self.assertEqual(told["TableStatus"], "UPDATING")

    def test_an_index_is_added_and_dropped(self):
        table = self.table("later")
        with table.batch_writer() as batch:
            for i in range(100):
                batch.put_item(Item={"pk": "p", "sk": str(i), "year": 1990 + i % 3})
        told = self.client.update_table(
            TableName="later",
            AttributeDefinitions=[{"AttributeName": "year", "AttributeType": "N"}, {"AttributeName": "sk", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": BY_YEAR}],
        )["TableDescription"]
        self.assertEqual(told["TableStatus"], "UPDATING")
        self.assertEqual(told["GlobalSecondaryIndexes"][0]["IndexStatus"], "CREATING")
        self.assertFalse(told["GlobalSecondaryIndexes"][0]["Backfilling"])
        index = self.until_active("later")["GlobalSecondaryIndexes"][0]
        self.assertEqual(index["IndexStatus"], "ACTIVE")
        self.assertNotIn("Backfilling", index)
        self.assertEqual(table.query(IndexName="by-year", KeyConditionExpression=Key("year").eq(1991))["Count"], 33)

        told = table.meta.client.update_table(
            TableName="later", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-year"}}]
        )["TableDescription"]
        self.assertEqual(told["GlobalSecondaryIndexes"][0]["IndexStatus"], "DELETING")
        self.assertNotIn("GlobalSecondaryIndexes", self.until_active("later"))

    def test_items_can_be_given_a_time_to_live(self):
        self.table("sessions")
        specification = {"Enabled": True, "AttributeName": "expires"}
        told = self.client.update_time_to_live(TableName="sessions", TimeToLiveSpecification=specification)
        self.assertEqual(told["TimeToLiveSpecification"], specification)
        told = self.client.describe_time_to_live(TableName="sessions")["TimeToLiveDescription"]
        self.assertEqual(told, {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})
        answer = self.refused(
            "ValidationException",
            self.client.update_time_to_live,
            TableName="sessions",
            TimeToLiveSpecification=specification,
        )
        self.assertEqual(answer["Error"]["Message"], "TimeToLive is already enabled")

    def test_tables_are_tagged(self):
        table = self.table("tagged", Tags=[{"Key": "owner", "Value": "ada"}])
        self.client.tag_resource(ResourceArn=table.table_arn, Tags=[{"Key": "stage", "Value": "test"}])
        self.client.untag_resource(ResourceArn=table.table_arn, TagKeys=["owner"])
        told = self.client.list_tags_of_resource(ResourceArn=table.table_arn)
        self.assertEqual(told["Tags"], [{"Key": "stage", "Value": "test"}])
        self.assertEqual(self.client.describe_table(TableName=table.table_arn)["Table"]["TableName"], "tagged")

    def test_the_account_is_described(self):
        self.assertEqual(self.client.describe_limits()["TableMaxReadCapacityUnits"], 40000)
        address = self.client.describe_endpoints()["Endpoints"][0]["Address"]
        self.assertEqual("http://" + address, self.client.meta.endpoint_url)

    def test_recovery_is_switched_on(self):
        self.table("recovered")
        on = {"PointInTimeRecoveryEnabled": True}
        told = self.client.update_continuous_backups(TableName="recovered", PointInTimeRecoverySpecification=on)
        recovery = told["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.assertEqual(recovery["PointInTimeRecoveryStatus"], "ENABLED")
        self.assertEqual(recovery["EarliestRestorableDateTime"], recovery["LatestRestorableDateTime"])
        self.refused("TableNotFoundException", self.client.describe_continuous_backups, TableName="nothing")

    def test_an_operation_that_is_not_there_is_unknown(self):
        self.refused(
            "UnknownOperationException", self.client.describe_kinesis_streaming_destination, TableName="any"
        )


served.main()
