"""DynamoDB Streams with boto3's dynamodbstreams client (BEHAVIOUR 7.1 to 7.5)."""

import datetime
import time

import boto3
from boto3.dynamodb.types import TypeDeserializer

import served

KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}
plain = TypeDeserializer().deserialize


class Streams(served.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.streams = boto3.client("dynamodbstreams", endpoint_url=cls.server.url)

    @classmethod
    def tearDownClass(cls):
        cls.streams.close()
        super().tearDownClass()

    def streamed(self, name, view="NEW_AND_OLD_IMAGES"):
        """Create a table with a stream."""
        return self.table(
            name, "pk:S sk:N", StreamSpecification={"StreamEnabled": True, "StreamViewType": view}
        )

    def iterator(self, arn, kind="TRIM_HORIZON", **more):
        shards = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
        self.assertEqual(len(shards), 1)
        return self.streams.get_shard_iterator(
            StreamArn=arn, ShardId=shards[0]["ShardId"], ShardIteratorType=kind, **more
        )["ShardIterator"]

    def records(self, arn, **more):
        return self.streams.get_records(ShardIterator=self.iterator(arn), **more)["Records"]

    def test_each_consumer_keeps_its_own_place(self):
        """BEHAVIOUR 7.6: reading does not affect other readers."""
        table = self.streamed("consumed", "KEYS_ONLY")
        for n in range(7):
            table.put_item(Item={"pk": "a", "sk": n})
        arn = table.latest_stream_arn
        slow, fast = self.iterator(arn), self.iterator(arn)
        read = {"slow": [], "fast": []}
        for _ in range(4):
            answer = self.streams.get_records(ShardIterator=slow, Limit=2)
            read["slow"] += [record["dynamodb"]["Keys"]["sk"]["N"] for record in answer["Records"]]
            slow = answer["NextShardIterator"]
            answer = self.streams.get_records(ShardIterator=fast, Limit=5)
            read["fast"] += [record["dynamodb"]["Keys"]["sk"]["N"] for record in answer["Records"]]
            fast = answer["NextShardIterator"]
        self.assertEqual(read["slow"], list("0123456"))
        self.assertEqual(read["fast"], list("0123456"))

    def test_a_stream_is_described_with_its_table(self):
        table = self.streamed("described", "KEYS_ONLY")
        self.assertEqual(table.stream_specification, {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        self.assertEqual(table.latest_stream_arn, table.table_arn + "/stream/" + table.latest_stream_label)
        listed = self.streams.list_streams(TableName="described")["Streams"]
        self.assertEqual(
            listed,
            [
                {
                    "StreamArn": table.latest_stream_arn,
                    "StreamLabel": table.latest_stream_label,
                    "TableName": "described",
                }
            ],
        )
        stream = self.streams.describe_stream(StreamArn=table.latest_stream_arn)["StreamDescription"]
        self.assertEqual(stream["StreamStatus"], "ENABLED")
        self.assertEqual(stream["StreamViewType"], "KEYS_ONLY")
        self.assertEqual(stream["KeySchema"], table.key_schema)
        self.assertLess(
            abs(stream["CreationRequestDateTime"].timestamp() - datetime.datetime.now().timestamp()), 60
        )
        shard = stream["Shards"][0]
        self.assertRegex(shard["SequenceNumberRange"]["StartingSequenceNumber"], r"^[0-9]{21,40}$")
        self.assertNotIn("EndingSequenceNumber", shard["SequenceNumberRange"])

    def test_each_change_is_one_record_in_order(self):
        """7.1, 7.3, 7.4"""
        table = self.streamed("changes")
        begun = int(time.time())
        table.put_item(Item={"pk": "a", "sk": 1, "n": 1})
        table.put_item(Item={"pk": "a", "sk": 1, "n": 1})
        table.update_item(
            Key={"pk": "a", "sk": 1}, UpdateExpression="ADD n :one", ExpressionAttributeValues={":one": 1}
        )
        table.delete_item(Key={"pk": "a", "sk": 2})
        table.delete_item(Key={"pk": "a", "sk": 1})
        records = self.records(table.latest_stream_arn)
        self.assertEqual([r["eventName"] for r in records], ["INSERT", "MODIFY", "REMOVE"])
        for record in records:
            self.assertEqual(record["eventVersion"], "1.1")
            self.assertEqual(record["eventSource"], "aws:dynamodb")
            self.assertNotIn("userIdentity", record)
            change = record["dynamodb"]
            self.assertEqual(change["Keys"], KEY)
            self.assertEqual(change["StreamViewType"], "NEW_AND_OLD_IMAGES")
            self.assertTrue(begun <= change["ApproximateCreationDateTime"].timestamp() <= time.time())
        inserted, modified, removed = (r["dynamodb"] for r in records)
        self.assertNotIn("OldImage", inserted)
        self.assertEqual({k: plain(v) for k, v in inserted["NewImage"].items()}, {"pk": "a", "sk": 1, "n": 1})
        self.assertEqual(modified["OldImage"], inserted["NewImage"])
        self.assertEqual(plain(modified["NewImage"]["n"]), 2)
        self.assertEqual(removed["OldImage"], modified["NewImage"])
        self.assertNotIn("NewImage", removed)
        numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in records]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(len({r["eventID"] for r in records}), 3)

    def test_the_four_views(self):
        """7.2"""
        for view, images in {
            "KEYS_ONLY": set(),
            "NEW_IMAGE": {"NewImage"},
            "OLD_IMAGE": {"OldImage"},
            "NEW_AND_OLD_IMAGES": {"NewImage", "OldImage"},
        }.items():
            table = self.streamed("view." + view, view)
            for n in (1, 2):
                table.put_item(Item={"pk": "a", "sk": 1, "n": n})
            modified = self.records(table.latest_stream_arn)[1]["dynamodb"]
            self.assertEqual({k for k in modified if k.endswith("Image")}, images, view)

    def test_a_stream_is_followed_page_by_page(self):
        table = self.streamed("followed")
        latest = self.iterator(table.latest_stream_arn, "LATEST")
        with table.batch_writer() as batch:
            for n in range(60):
                batch.put_item(Item={"pk": "p", "sk": n})
        seen = []
        while len(seen) < 60:
            page = self.streams.get_records(ShardIterator=latest, Limit=25)
            self.assertLessEqual(len(page["Records"]), 25)
            seen += page["Records"]
            latest = page["NextShardIterator"]
        self.assertEqual([int(r["dynamodb"]["Keys"]["sk"]["N"]) for r in seen], list(range(60)))
        self.assertEqual(self.streams.get_records(ShardIterator=latest)["Records"], [])
        for kind, first in (("AT_SEQUENCE_NUMBER", 30), ("AFTER_SEQUENCE_NUMBER", 31)):
            place = self.iterator(
                table.latest_stream_arn, kind, SequenceNumber=seen[30]["dynamodb"]["SequenceNumber"]
            )
            self.assertEqual(self.streams.get_records(ShardIterator=place)["Records"], seen[first:])

    def test_a_transaction_is_one_record_for_each_item(self):
        """7.4, 11.10"""
        table = self.streamed("transacted", "KEYS_ONLY")
        self.client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "transacted", "Item": {"pk": {"S": "t"}, "sk": {"N": str(n)}}}}
                for n in range(5)
            ]
        )
        keys = [r["dynamodb"]["Keys"]["sk"]["N"] for r in self.records(table.latest_stream_arn)]
        self.assertEqual(keys, ["0", "1", "2", "3", "4"])

    def test_off_and_on_again_is_another_stream(self):
        """7.2"""
        table = self.streamed("switched")
        first = table.latest_stream_arn
        table.put_item(Item={"pk": "a", "sk": 1})
        on = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
        self.refused("ValidationException", table.update, StreamSpecification=on)
        table.update(StreamSpecification={"StreamEnabled": False})
        self.refused("ValidationException", table.update, StreamSpecification={"StreamEnabled": False})
        table.reload()
        self.assertIsNone(table.stream_specification)
        self.assertEqual(table.latest_stream_arn, first)
        table.put_item(Item={"pk": "a", "sk": 2})
        table.update(StreamSpecification=on)
        table.put_item(Item={"pk": "a", "sk": 3})
        table.reload()
        self.assertNotEqual(table.latest_stream_arn, first)

        page = self.streams.get_records(ShardIterator=self.iterator(first))
        self.assertEqual([r["dynamodb"]["Keys"]["sk"]["N"] for r in page["Records"]], ["1"])
        self.assertNotIn("NextShardIterator", page)
        old = self.streams.describe_stream(StreamArn=first)["StreamDescription"]
        self.assertEqual(old["StreamStatus"], "DISABLED")
        self.assertIn("EndingSequenceNumber", old["Shards"][0]["SequenceNumberRange"])
        now = [r["dynamodb"]["Keys"]["sk"]["N"] for r in self.records(table.latest_stream_arn)]
        self.assertEqual(now, ["3"])

    def test_a_dropped_table_leaves_its_stream(self):
        table = self.streamed("dropped")
        arn = table.latest_stream_arn
        table.put_item(Item={"pk": "a", "sk": 1})
        table.delete()
        self.assertEqual(len(self.records(arn)), 1)

    def test_what_is_no_stream_is_refused(self):
        table = self.streamed("refusing")
        nothing = table.latest_stream_arn[:-3] + "000"
        if nothing != table.latest_stream_arn:
            self.refused("ResourceNotFoundException", self.streams.describe_stream, StreamArn=nothing)
        self.refused("ValidationException", self.streams.get_records, ShardIterator="nonsense")
        forged = self.iterator(table.latest_stream_arn).replace("|1|A", "|1|B")
        self.refused("ValidationException", self.streams.get_records, ShardIterator=forged)


served.main()
