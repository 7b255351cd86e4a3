"""PutItem, GetItem, DeleteItem and the two batch operations, with boto3's types for those of DynamoDB."""

from decimal import Decimal

from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary

import served

EVERYTHING = {
    "pk": "all",
    "sk": "types",
    "text": "é😀",
    "empty": "",
    "number": Decimal("-12345678901234567890.123456789012345678"),
    "bytes": Binary(b"\x00\xff"),
    "yes": True,
    "nothing": None,
    "list": [1, "two", [Decimal("3.5")], {}],
    "map": {"a": {"b": {"c": []}}},
    "texts": {"a", "b"},
    "numbers": {Decimal(1), Decimal("2.5")},
    "blobs": {Binary(b"a"), Binary(b"")},
}


class Items(served.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.items = cls.table(cls(), "items")

    def test_every_type_comes_back_as_it_was_put(self):
        self.items.put_item(Item=EVERYTHING)
        for consistent in (False, True):
            answer = self.items.get_item(Key={"pk": "all", "sk": "types"}, ConsistentRead=consistent)
            self.assertEqual(answer["Item"], EVERYTHING)

    def test_sets_come_in_order(self):
        """Strings in byte order, numbers in numeric order, in whatever way they were written: put, added, deleted."""
        key = {"pk": {"S": "sets"}, "sk": {"S": "1"}}
        put = {**key, "s": {"SS": ["b", "", "ä", "B"]}, "n": {"NS": ["10", "9", "-1", "0.5"]}, "b": {"BS": [b"\x80", b"a", b""]}}
        self.client.put_item(TableName="items", Item=put)
        update = {"TableName": "items", "Key": key, "ReturnValues": "ALL_NEW"}
        added = self.client.update_item(
            **update, UpdateExpression="ADD s :s, n :n DELETE b :b",
            ExpressionAttributeValues={":s": {"SS": ["c", "A"]}, ":n": {"NS": ["100", "1e1", "2"]}, ":b": {"BS": [b"a"]}})["Attributes"]
        for item in (added, self.client.get_item(TableName="items", Key=key)["Item"]):
            self.assertEqual(item["s"]["SS"], ["", "A", "B", "b", "c", "ä"])
            self.assertEqual(item["n"]["NS"], ["-1", "0.5", "2", "9", "10", "100"])
            self.assertEqual(item["b"]["BS"], [b"", b"\x80"])
        statement = """INSERT INTO items VALUE {'pk':'sets','sk':'2','s':<<'b','a'>>,'n':<<10,9>>}"""
        self.client.execute_statement(Statement=statement)
        item = self.client.get_item(TableName="items", Key={**key, "sk": {"S": "2"}})["Item"]
        self.assertEqual((item["s"]["SS"], item["n"]["NS"]), (["a", "b"], ["9", "10"]))

    def test_a_projection_leaves_the_rest_out(self):
        self.items.put_item(Item={"pk": "p", "sk": "1", "name": "n", "list": [1, 2, 3], "map": {"a": 1, "b": 2}})
        answer = self.items.get_item(
            Key={"pk": "p", "sk": "1"},
            ProjectionExpression="#n, #l[1], #m.b",
            ExpressionAttributeNames={"#n": "name", "#l": "list", "#m": "map"},
        )
        self.assertEqual(answer["Item"], {"name": "n", "list": [2], "map": {"b": 2}})

    def test_a_missing_item_has_no_item(self):
        self.assertNotIn("Item", self.items.get_item(Key={"pk": "none", "sk": "none"}))

    def test_the_old_item_is_returned(self):
        old = {"pk": "old", "sk": "1", "n": 1}
        self.assertNotIn("Attributes", self.items.put_item(Item=old, ReturnValues="ALL_OLD"))
        new = {"pk": "old", "sk": "1", "m": 2}
        self.assertEqual(self.items.put_item(Item=new, ReturnValues="ALL_OLD")["Attributes"], old)
        answer = self.items.delete_item(Key={"pk": "old", "sk": "1"}, ReturnValues="ALL_OLD")
        self.assertEqual(answer["Attributes"], new)
        self.items.delete_item(Key={"pk": "old", "sk": "1"})

    def test_a_condition_that_is_false_is_an_exception_of_its_own(self):
        key = {"pk": "once", "sk": "1"}
        self.items.put_item(Item={**key, "n": 1}, ConditionExpression=Attr("pk").not_exists())
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException):
            self.items.put_item(Item={**key, "n": 2}, ConditionExpression=Attr("pk").not_exists())
        self.assertEqual(self.items.get_item(Key=key)["Item"]["n"], 1)
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException):
            self.items.delete_item(Key=key, ConditionExpression=Attr("n").gt(1) | Attr("m").exists())
        self.items.delete_item(Key=key, ConditionExpression=Attr("n").between(1, 3) & ~Attr("m").exists())
        self.assertNotIn("Item", self.items.get_item(Key=key))

    def test_what_is_wrong_is_told(self):
        answer = self.refused("ValidationException", self.items.get_item, Key={"pk": "a"})
        self.assertEqual(answer["Error"]["Message"], "The provided key element does not match the schema")
        self.refused("ValidationException", self.items.put_item, Item={"pk": "a", "sk": ""})
        self.refused("ValidationException", self.items.put_item, Item={"pk": "a", "sk": "b", "x": "x" * 409600})
        self.refused("ResourceNotFoundException", self.client.get_item, TableName="none", Key={"pk": {"S": "a"}})

    def test_many_items_are_written_and_read_in_batches(self):
        with self.items.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
            for i in range(80):
                batch.put_item(Item={"pk": "batch", "sk": f"{i:03}", "n": i})
            batch.delete_item(Key={"pk": "batch", "sk": "000"})
        keys = [{"pk": "batch", "sk": f"{i:03}"} for i in range(100)]
        answer = self.resource.batch_get_item(RequestItems={"items": {"Keys": keys}})
        self.assertEqual(sorted(item["n"] for item in answer["Responses"]["items"]), list(range(1, 80)))
        self.assertEqual(answer["UnprocessedKeys"], {})
        self.refused(
            "ValidationException",
            self.resource.batch_get_item,
            RequestItems={"items": {"Keys": [keys[0], keys[0]]}},
        )


served.main()
