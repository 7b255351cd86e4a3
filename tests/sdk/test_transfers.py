"""Exports to and imports from a directory that serves as a bucket, as programs use those of the service."""

import base64
import gzip
import hashlib
import json
import os
import time
import uuid

import served


class Transfers(served.Case):
    def setUp(self):
        self.bucket = "acme-" + uuid.uuid4().hex[:8]
        self.folder = os.path.join(self.server.folder.name, "store", "buckets", self.bucket)
        os.makedirs(self.folder)

    def recoverable(self, name):
        table = self.table(name)
        self.client.update_continuous_backups(
            TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
        )
        return table

    def exported(self, arn):
        while True:
            told = self.client.describe_export(ExportArn=arn)["ExportDescription"]
            if told["ExportStatus"] != "IN_PROGRESS":
                return told
            time.sleep(0.01)

    def imported(self, table, prefix="", **more):
        begun = self.client.import_table(
            S3BucketSource={"S3Bucket": self.bucket, "S3KeyPrefix": prefix} if prefix else {"S3Bucket": self.bucket},
            TableCreationParameters={
                "TableName": table,
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [
                    {"AttributeName": "pk", "AttributeType": "S"},
                    {"AttributeName": "sk", "AttributeType": "S"},
                ],
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "sk", "KeyType": "RANGE"},
                ],
            },
            **{"InputFormat": "DYNAMODB_JSON", **more},
        )["ImportTableDescription"]
        while True:
            told = self.client.describe_import(ImportArn=begun["ImportArn"])["ImportTableDescription"]
            if told["ImportStatus"] != "IN_PROGRESS":
                return told
            time.sleep(0.01)

    def write(self, key, text):
        with open(os.path.join(self.folder, key), "w") as file:
            file.write(text)

    def read(self, key):
        with open(os.path.join(self.folder, key), "rb") as file:
            return file.read()

    def test_an_export_is_read_back_by_its_manifests(self):
        table = self.recoverable("exported")
        items = [{"pk": "p", "sk": str(i), "n": i, "b": b"\x00\x01", "set": {"a", "b"}} for i in range(300)]
        with table.batch_writer() as batch:
            for item in items:
                batch.put_item(Item=item)
        begun = self.client.export_table_to_point_in_time(
            TableArn=table.table_arn, S3Bucket=self.bucket, S3Prefix="2026/nov"
        )["ExportDescription"]
        self.assertEqual(begun["ExportStatus"], "IN_PROGRESS")
        told = self.exported(begun["ExportArn"])
        self.assertEqual((told["ExportStatus"], told["ItemCount"]), ("COMPLETED", 300))
        self.assertGreaterEqual(told["EndTime"], told["StartTime"])

        summary = json.loads(self.read(told["ExportManifest"]))
        self.assertEqual(summary["exportArn"], told["ExportArn"])
        self.assertEqual(summary["itemCount"], 300)
        files = self.read(summary["manifestFilesS3Key"]).splitlines()
        found = []
        for file in map(json.loads, files):
            data = self.read(file["dataFileS3Key"])
            self.assertEqual(base64.b64encode(hashlib.md5(data).digest()).decode(), file["md5Checksum"])
            found += [json.loads(line)["Item"]["sk"]["S"] for line in gzip.decompress(data).splitlines()]
        self.assertEqual(sorted(found), sorted(item["sk"] for item in items))

    def test_the_sdks_own_token_makes_each_request_another(self):
        table = self.recoverable("twice")
        arns = {
            self.client.export_table_to_point_in_time(TableArn=table.table_arn, S3Bucket=self.bucket)[
                "ExportDescription"
            ]["ExportArn"]
            for _ in range(12)
        }
        self.assertEqual(len(arns), 12)
        for arn in arns:
            self.assertEqual(self.exported(arn)["ExportStatus"], "COMPLETED")
        # The SDK has no paginator for ListExports.
        listed, more = [], {}
        while more is not None:
            page = self.client.list_exports(TableArn=table.table_arn, MaxResults=5, **more)
            listed += [summary["ExportArn"] for summary in page["ExportSummaries"]]
            more = {"NextToken": page["NextToken"]} if "NextToken" in page else None
        self.assertEqual(listed, sorted(arns, reverse=True))

    def test_what_was_exported_is_imported_again(self):
        table = self.recoverable("original")
        items = [{"pk": "p", "sk": str(i), "n": i, "set": {"a", "b"}, "map": {"é": None}} for i in range(300)]
        with table.batch_writer() as batch:
            for item in items:
                batch.put_item(Item=item)
        told = self.exported(
            self.client.export_table_to_point_in_time(TableArn=table.table_arn, S3Bucket=self.bucket)[
                "ExportDescription"
            ]["ExportArn"]
        )
        data = os.path.dirname(told["ExportManifest"]) + "/data/"
        told = self.imported("copy", data, InputCompressionType="GZIP")
        self.assertEqual(
            (told["ImportStatus"], told["ImportedItemCount"], told["ErrorCount"]), ("COMPLETED", 300, 0)
        )
        found = self.resource.Table("copy").scan()["Items"]
        self.assertEqual(found, table.scan()["Items"])
        # The manifests beside the data are not items; the service does not skip them either.
        told = self.imported("whole", InputCompressionType="GZIP")
        self.assertEqual((told["ImportStatus"], told["FailureCode"]), ("FAILED", "ItemValidationError"))
        self.assertEqual((told["ImportedItemCount"], told["ErrorCount"]), (300, 4))

    def test_imports_are_listed_in_pages(self):
        self.write("1", '{"Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}')
        arns = [self.imported(f"listed-{i}")["ImportArn"] for i in range(7)]
        listed, more = [], {}
        while more is not None:
            page = self.client.list_imports(PageSize=3, **more)
            listed += [summary["ImportArn"] for summary in page["ImportSummaryList"]]
            more = {"NextToken": page["NextToken"]} if "NextToken" in page else None
        self.assertEqual([arn for arn in listed if arn in arns], arns[::-1])

    def test_errors_have_the_services_names(self):
        table = self.table("plain")
        errors = self.client.exceptions
        with self.assertRaises(errors.ResourceInUseException):
            self.imported("plain")
        with self.assertRaises(errors.ImportNotFoundException):
            self.client.describe_import(ImportArn=table.table_arn + "/import/01604474914028-a1b2c3d4")
        with self.assertRaises(errors.PointInTimeRecoveryUnavailableException):
            self.client.export_table_to_point_in_time(TableArn=table.table_arn, S3Bucket=self.bucket)
        with self.assertRaises(errors.TableNotFoundException):
            self.client.export_table_to_point_in_time(TableArn=table.table_arn + "-not", S3Bucket=self.bucket)
        with self.assertRaises(errors.ExportNotFoundException):
            self.client.describe_export(ExportArn=table.table_arn + "/export/01604474914028-a1b2c3d4")
        table = self.recoverable("recoverable")
        with self.assertRaises(errors.InvalidExportTimeException):
            self.client.export_table_to_point_in_time(
                TableArn=table.table_arn, S3Bucket=self.bucket, ExportTime=time.time() - 3600
            )
        told = self.exported(
            self.client.export_table_to_point_in_time(TableArn=table.table_arn, S3Bucket="nowhere")[
                "ExportDescription"
            ]["ExportArn"]
        )
        self.assertEqual((told["ExportStatus"], told["FailureCode"]), ("FAILED", "S3NoSuchBucket"))


served.main()
