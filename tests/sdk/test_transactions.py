"""TransactWriteItems and TransactGetItems, and reasons of cancelled transactions."""

import threading

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

    def test_the_first_fault_of_the_first_faulty_action_is_told(self):
        deep = {"S": "x"}
        for _ in range(33):
            deep = {"M": {"a": deep}}
        key = {"TableName": "bank", "Key": {"pk": {"S": "a"}}}
        nested = {"Put": {"TableName": "bank", "Item": {"pk": {"S": "a"}, "d": deep}}}
        broken = {"ConditionExpression": "!!!"}
        syntax = "Invalid ConditionExpression: Syntax error; "
        nesting = "Nesting Levels have exceeded supported limits: "
        number = {"UpdateExpression": "SET c = c + :v", "ExpressionAttributeValues": {":v": {"N": "abc"}}}
        for actions, words in (
            ([{"Delete": {**key, **broken}}, nested], syntax),
            ([nested, {"Delete": {**key, **broken}}], nesting),
            ([{"Put": {**nested["Put"], **broken}}], syntax),
            ([{"Delete": {**key, **broken}}, {"Put": {"TableName": "bank", "Item": {"pk": {"S": ""}, "": {"S": "x"}}}}], syntax),
            ([{"Update": {**key, **number}}, nested], "The parameter cannot be converted to a numeric value: abc"),
            ([{"Delete": key}] * 101, "1 validation error detected: Value '[TransactWriteItem("),
        ):
            answer = self.refused("ValidationException", self.client.transact_write_items, TransactItems=actions)
            self.assertIn(words, answer["Error"]["Message"])
        gets = [{"Get": {**key, "ProjectionExpression": "!!!"}}, {"Get": {"TableName": "bank", "Key": {"pk": deep}}}]
        answer = self.refused("ValidationException", self.client.transact_get_items, TransactItems=gets)
        self.assertIn("Invalid ProjectionExpression: Syntax error; ", answer["Error"]["Message"])

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

    def test_nobody_sees_half_a_transaction(self):
        """BEHAVIOUR 11.8: serializable against other transactions and reads of single items."""
        keys = [{"pk": {"S": "from"}}, {"pk": {"S": "to"}}]
        moves = [
            {
                "Update": {
                    "TableName": "bank",
                    "Key": key,
                    "UpdateExpression": "ADD #sum :by",
                    "ExpressionAttributeNames": {"#sum": "sum"},
                    "ExpressionAttributeValues": {":by": {"N": by}},
                }
            }
            for key, by in zip(keys, ("-1", "1"))
        ]
        self.client.transact_write_items(TransactItems=moves)
        writers = [threading.Thread(target=self.move, args=(moves, 50)) for _ in range(3)]
        for writer in writers:
            writer.start()
        seen = set()
        while any(writer.is_alive() for writer in writers) or not seen:
            answer = self.client.transact_get_items(
                TransactItems=[{"Get": {"TableName": "bank", "Key": key}} for key in keys]
            )
            sums = [int(item["Item"]["sum"]["N"]) for item in answer["Responses"]]
            self.assertEqual(sum(sums), 0)
            seen.add(sums[1])
        for writer in writers:
            writer.join()
        self.assertEqual((self.sum("from"), self.sum("to")), (-151, 151))

    def move(self, moves, times):
        for _ in range(times):
            self.client.transact_write_items(TransactItems=moves)


served.main()
