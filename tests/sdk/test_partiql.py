"""PartiQL: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction."""

import boto3
import botocore.config

import served

S = lambda text: {"S": text}
N = lambda number: {"N": str(number)}


class Partiql(served.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table(cls(), "music", key="artist:S yr:N")
        cls.table(cls(), "bank", key="pk:S")
        unchecked = botocore.config.Config(parameter_validation=False)
        cls.raw = boto3.client("dynamodb", endpoint_url=cls.server.url, config=unchecked)
        for year in range(1990, 2000):
            cls.run_(cls(), "INSERT INTO music VALUE {'artist': 'acme', 'yr': ?, 'title': 'x'}", N(year))

    def run_(self, statement, *parameters, **more):
        if parameters:
            more["Parameters"] = list(parameters)
        return self.client.execute_statement(Statement=statement, **more)

    def test_the_resource_sees_what_statements_wrote(self):
        self.run_("INSERT INTO music VALUE {'artist': 'new', 'yr': 1, 'tags': <<'a', 'b'>>, 'cover': ?}", {"B": b"\x00"})
        self.run_("UPDATE music SET sold = 1, tags = set_add(tags, <<'c'>>) WHERE artist = 'new' AND yr = 1")
        item = self.resource.Table("music").get_item(Key={"artist": "new", "yr": 1})["Item"]
        self.assertEqual((item["sold"], item["tags"], item["cover"].value), (1, {"a", "b", "c"}, b"\x00"))
        answer = self.run_("DELETE FROM music WHERE artist = 'new' AND yr = 1 RETURNING ALL OLD *")
        self.assertEqual(answer["Items"][0]["sold"], N(1))

    def test_pages_go_on_with_their_token(self):
        years, token = [], {}
        while True:
            page = self.run_("SELECT yr FROM music WHERE artist = ? ORDER BY yr DESC", S("acme"), Limit=3, **token)
            years += [int(item["yr"]["N"]) for item in page["Items"]]
            if "NextToken" not in page:
                break
            token = {"NextToken": page["NextToken"]}
        self.assertEqual(years, list(range(1999, 1989, -1)))

    def test_errors_have_their_classes(self):
        insert = "INSERT INTO music VALUE {'artist': 'acme', 'yr': 1990}"
        with self.assertRaises(self.client.exceptions.DuplicateItemException):
            self.run_(insert)
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException):
            self.run_("UPDATE music SET a = 1 WHERE artist = 'nobody' AND yr = 1")
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            self.run_("SELECT * FROM nowhere")
        answer = self.refused("ValidationException", self.run_, statement="SELECT * FROM music WHERE yr = 1 AND")
        self.assertTrue(answer["Error"]["Message"].startswith("Statement wasn't well formed, can't be processed: "))

    def test_a_bad_parameter_fails_its_statement_of_a_batch_alone(self):
        statements = [
            {"Statement": "SELECT * FROM music WHERE artist = ? AND yr = 1", "Parameters": [N("abc")]},
            {"Statement": "SELECT title FROM music WHERE artist = 'acme' AND yr = 1990"},
        ]
        first, second = self.client.batch_execute_statement(Statements=statements)["Responses"]
        words = "The parameter cannot be converted to a numeric value: abc"
        self.assertEqual(first["Error"], {"Code": "ValidationError", "Message": words})
        self.assertEqual(second["Item"], {"title": S("x")})
        statements[0]["Parameters"] = [N("abc"), {"S": 5}]
        self.refused("SerializationException", self.raw.batch_execute_statement, Statements=statements)

    def test_a_batch_answers_each_statement(self):
        statements = [
            {"Statement": "INSERT INTO bank VALUE {'pk': 'batch'}"},
            {"Statement": "UPDATE bank SET v = 1 WHERE pk = ?", "Parameters": [S("nobody")]},
        ]
        first, second = self.client.batch_execute_statement(Statements=statements)["Responses"]
        self.assertEqual(first, {"TableName": "bank"})
        self.assertEqual(second["Error"], {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"})
        read = [{"Statement": "SELECT * FROM bank WHERE pk = 'batch'", "ConsistentRead": True}]
        self.assertEqual(
            self.client.batch_execute_statement(Statements=read)["Responses"],
            [{"TableName": "bank", "Item": {"pk": S("batch")}}],
        )

    def test_a_transaction_is_done_or_cancelled(self):
        run = self.client.execute_transaction
        write = [
            {"Statement": "INSERT INTO bank VALUE {'pk': ?, 'v': 1}", "Parameters": [S("tx")]},
            {"Statement": "EXISTS(SELECT * FROM music WHERE artist = 'acme' AND yr = 1990 AND title = 'x')"},
        ]
        for _ in range(2):
            self.assertEqual(run(TransactStatements=write, ClientRequestToken="t")["Responses"], [])
        with self.assertRaises(self.client.exceptions.TransactionCanceledException) as caught:
            run(TransactStatements=write)
        reasons = caught.exception.response["CancellationReasons"]
        self.assertEqual([reason["Code"] for reason in reasons], ["DuplicateItem", "None"])
        reads = [{"Statement": f"SELECT v FROM bank WHERE pk = '{pk}'"} for pk in ("tx", "no such")]
        self.assertEqual(run(TransactStatements=reads)["Responses"], [{"Item": {"v": N(1)}}, {}])


served.main()
