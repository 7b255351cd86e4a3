"""Requests of old programs: the legacy parameters, from before expressions."""

from boto3.dynamodb.conditions import Attr

import served


def is_(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


class Legacy(served.Case):
    def setUp(self):
        self.name = self.id().split(".")[-1][:60]
        self.items = self.table(self.name, "pk:S sk:N")
        for i in range(4):
            self.items.put_item(Item={"pk": "p", "sk": i, "name": f"n{i}", "tags": {"all", f"t{i}"}})

    def test_a_collection_is_queried_and_filtered(self):
        answer = self.items.query(
            KeyConditions={"pk": is_("EQ", "p"), "sk": is_("BETWEEN", 1, 3)},
            QueryFilter={"name": is_("NE", "n2"), "tags": is_("CONTAINS", "t1")},
            ConditionalOperator="OR",
            AttributesToGet=["sk", "name"],
        )
        self.assertEqual(answer["Items"], [{"sk": 1, "name": "n1"}, {"sk": 3, "name": "n3"}])
        self.assertEqual(answer["ScannedCount"], 3)

    def test_keys_may_be_named_so_beside_a_filter_expression(self):
        answer = self.items.query(KeyConditions={"pk": is_("EQ", "p")}, FilterExpression=Attr("tags").contains("t2"))
        self.assertEqual([item["sk"] for item in answer["Items"]], [2])

    def test_a_scan_is_filtered(self):
        answer = self.items.scan(ScanFilter={"name": is_("IN", "n0", "n3"), "gone": is_("NULL")}, Select="COUNT")
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (2, 4))

    def test_reserved_words_are_names_like_others(self):
        answer = self.items.get_item(Key={"pk": "p", "sk": 1}, AttributesToGet=["name", "size"])
        self.assertEqual(answer["Item"], {"name": "n1"})
        answer = self.resource.batch_get_item(
            RequestItems={self.name: {"Keys": [{"pk": "p", "sk": 2}], "AttributesToGet": ["name"]}}
        )
        self.assertEqual(answer["Responses"][self.name], [{"name": "n2"}])

    def test_an_item_is_updated_when_it_is_as_expected(self):
        change = {
            "Key": {"pk": "p", "sk": 1},
            "AttributeUpdates": {
                "name": {"Value": "new"},
                "count": {"Action": "ADD", "Value": 1},
                "tags": {"Action": "DELETE", "Value": {"all"}},
                "log": {"Action": "ADD", "Value": ["changed"]},
            },
            "Expected": {"name": {"Value": "n1"}, "count": {"Exists": False}},
            "ReturnValues": "ALL_NEW",
        }
        self.assertEqual(
            self.items.update_item(**change)["Attributes"],
            {"pk": "p", "sk": 1, "name": "new", "count": 1, "tags": {"t1"}, "log": ["changed"]},
        )
        self.refused("ConditionalCheckFailedException", self.items.update_item, **change)

    def test_an_item_is_put_and_deleted_when_it_is_as_expected(self):
        item = {"pk": "p", "sk": 9}
        self.items.put_item(Item=item, Expected={"pk": {"Exists": False}})
        self.refused(
            "ConditionalCheckFailedException", self.items.put_item, Item=item, Expected={"pk": {"Exists": False}}
        )
        self.items.delete_item(Key=item, Expected={"sk": is_("GE", 9), "name": is_("NULL")})
        self.assertNotIn("Item", self.items.get_item(Key=item))

    def test_both_ways_at_once_are_refused(self):
        answer = self.refused(
            "ValidationException",
            self.items.scan,
            ScanFilter={"name": is_("NULL")},
            ProjectionExpression="pk",
        )
        self.assertEqual(
            answer["Error"]["Message"],
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {ScanFilter} Expression parameters: {ProjectionExpression}",
        )


served.main()
