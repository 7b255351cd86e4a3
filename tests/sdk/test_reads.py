"""Query and Scan, with boto3's conditions and paginators."""

from boto3.dynamodb.conditions import Attr, Key

import served

INDEXES = [
    {
        "IndexName": "by-kind",
        "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
]
ATTRIBUTES = [{"AttributeName": "kind", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}]


class Reads(served.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.reads = cls.table(cls(), "reads", AttributeDefinitions=ATTRIBUTES, GlobalSecondaryIndexes=INDEXES)
        with cls.reads.batch_writer() as batch:
            for i in range(60):
                item = {"pk": "ab"[i % 2], "sk": f"{i:02}", "n": 100 - i, "text": "x" * 10}
                batch.put_item(Item={**item, "kind": "odd" if i % 2 else "even"} if i < 40 else item)

    def keys(self, **query):
        return [item["sk"] for item in self.reads.query(**query)["Items"]]

    def test_a_partition_is_read_in_order_and_backward(self):
        even = [f"{i:02}" for i in range(0, 60, 2)]
        self.assertEqual(self.keys(KeyConditionExpression=Key("pk").eq("a")), even)
        self.assertEqual(self.keys(KeyConditionExpression=Key("pk").eq("a"), ScanIndexForward=False), even[::-1])
        between = Key("pk").eq("a") & Key("sk").between("10", "16")
        self.assertEqual(self.keys(KeyConditionExpression=between), ["10", "12", "14", "16"])
        begins = Key("pk").eq("b") & Key("sk").begins_with("5")
        self.assertEqual(self.keys(KeyConditionExpression=begins), ["51", "53", "55", "57", "59"])

    def test_a_filter_leaves_out_what_was_read(self):
        answer = self.reads.query(KeyConditionExpression=Key("pk").eq("a"), FilterExpression=Attr("n").gt(90))
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (5, 30))
        self.assertNotIn("LastEvaluatedKey", answer)
        answer = self.reads.query(KeyConditionExpression=Key("pk").eq("a"), Select="COUNT")
        self.assertEqual(answer["Count"], 30)
        self.assertNotIn("Items", answer)

    def test_the_paginator_of_a_query_gives_all_pages(self):
        query = self.client.get_paginator("query")
        pages = list(
            query.paginate(
                TableName="reads",
                KeyConditionExpression="pk = :p",
                ExpressionAttributeValues={":p": {"S": "b"}},
                PaginationConfig={"PageSize": 7},
            )
        )
        self.assertEqual([page["Count"] for page in pages], [7, 7, 7, 7, 2])
        self.assertEqual([i["sk"]["S"] for p in pages for i in p["Items"]], [f"{i:02}" for i in range(1, 60, 2)])

    def test_an_index_shows_the_items_that_have_its_keys(self):
        answer = self.reads.query(IndexName="by-kind", KeyConditionExpression=Key("kind").eq("even") & Key("n").lt(70))
        self.assertEqual([item["n"] for item in answer["Items"]], [62, 64, 66, 68])
        self.assertEqual(set(answer["Items"][0]), {"pk", "sk", "kind", "n"})
        found = self.client.get_paginator("scan").paginate(
            TableName="reads", IndexName="by-kind", PaginationConfig={"PageSize": 9}
        )
        self.assertEqual(sum(page["Count"] for page in found), 40)
        self.refused(
            "ValidationException",
            self.reads.query,
            IndexName="by-kind",
            KeyConditionExpression=Key("kind").eq("even"),
            ConsistentRead=True,
        )

    def test_the_segments_of_a_scan_are_the_table(self):
        found = []
        for segment in range(4):
            for page in self.client.get_paginator("scan").paginate(
                TableName="reads", Segment=segment, TotalSegments=4, PaginationConfig={"PageSize": 11}
            ):
                found += [item["sk"]["S"] for item in page["Items"]]
        self.assertEqual(sorted(found), [f"{i:02}" for i in range(60)])

    def test_a_scan_filters_and_projects(self):
        answer = self.reads.scan(FilterExpression=Attr("kind").eq("odd") & Attr("n").is_in([99, 98, 97]), ProjectionExpression="sk")
        self.assertEqual(sorted(item["sk"] for item in answer["Items"]), ["01", "03"])
        self.assertEqual({name for item in answer["Items"] for name in item}, {"sk"})
        self.assertEqual(answer["ScannedCount"], 60)


served.main()
