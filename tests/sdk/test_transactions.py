"""TransactWriteItems and TransactGetItems, and why a transaction was cancelled."""

import served


def put(pk, **more):
    return {"Put": {"TableName": "bank", "Item": {"pk": {"S": pk}, "sum": {"N": "1"}}, **more}}


class Transactions(served.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bank = cls.table(cls(), "bank", key="pk:S")

    def sum(self, pk):
        return self.bank.get_item(Key={"pk": pk}).get("Item", {}).get("sum")

    def test_all_actions_are_done_or_none(self):
        write = self.client.transact_write_items
        new = {"ConditionExpression": "attribute_not_exists(pk)"}
        write(TransactItems=[put("a", **new), put("b", **new)])
        self.assertEqual((self.sum("a"), self.sum("b")), (1, 1))
        with self.assertRaises(self.client.exceptions.TransactionCanceledException) as caught:
            write(
                TransactItems=[
                    put("c", **new),
                    put("a", **new, ReturnValuesOnConditionCheckFailure="ALL_OLD"),
                    {"Delete": {"TableName": "bank", "Key": {"pk": {"S": "b"}}}},
                ]
            )
        answer = caught.exception.response
        self.assertEqual(
            answer["Error"]["Message"],
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, ConditionalCheckFailed, None]",
        )
        reasons = answer["CancellationReasons"]
        self.assertEqual([reason["Code"] for reason in reasons], ["None", "ConditionalCheckFailed", "None"])
        self.assertEqual(reasons[1]["Item"], {"pk": {"S": "a"}, "sum": {"N": "1"}})
        self.assertEqual((self.sum("b"), self.sum("c")), (1, None))

    def test_a_check_alone_cancels(self):
        check = {
            "ConditionCheck": {
                "TableName": "bank",
                "Key": {"pk": {"S": "nobody"}},
                "ConditionExpression": "#s > :zero",
                "ExpressionAttributeNames": {"#s": "sum"},
                "ExpressionAttributeValues": {":zero": {"N": "0"}},
            }
        }
        self.refused("TransactionCanceledException", self.client.transact_write_items, TransactItems=[check, put("d")])
        self.assertIsNone(self.sum("d"))

    def test_a_token_makes_a_second_request_harmless(self):
        once = put("token", ConditionExpression="attribute_not_exists(pk)")
        for _ in range(2):
            self.client.transact_write_items(TransactItems=[once], ClientRequestToken="t1")
        with self.assertRaises(self.client.exceptions.IdempotentParameterMismatchException):
            self.client.transact_write_items(TransactItems=[put("other")], ClientRequestToken="t1")
        self.assertIsNone(self.sum("other"))

    def test_one_item_is_named_once(self):
        for call, action in (
            (self.client.transact_write_items, put("x")),
            (self.client.transact_get_items, {"Get": {"TableName": "bank", "Key": {"pk": {"S": "x"}}}}),
        ):
            answer = self.refused("ValidationException", call, TransactItems=[action, action])
            self.assertIn("multiple operations on one item", answer["Error"]["Message"])

    def test_items_are_read_together(self):
        self.bank.put_item(Item={"pk": "read", "sum": 7})
        gets = [{"Get": {"TableName": "bank", "Key": {"pk": {"S": pk}}}} for pk in ("no such", "read")]
        answer = self.client.transact_get_items(TransactItems=gets)
        self.assertEqual(answer["Responses"], [{}, {"Item": {"pk": {"S": "read"}, "sum": {"N": "7"}}}])


served.main()
