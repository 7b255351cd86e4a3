"""CreateTable, DescribeTable, ListTables, DeleteTable, times to live, and the errors that programs catch."""

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

    def test_an_operation_that_is_not_there_is_unknown(self):
        self.refused(
            "UnknownOperationException", self.client.describe_kinesis_streaming_destination, TableName="any"
        )


served.main()
