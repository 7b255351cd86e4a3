"""Exports to a directory that stands for a bucket, read back as programs read the service's."""

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
        # The SDK's paginators know no ListExports.
        listed, more = [], {}
        while more is not None:
            page = self.client.list_exports(TableArn=table.table_arn, MaxResults=5, **more)
            listed += [summary["ExportArn"] for summary in page["ExportSummaries"]]
            more = {"NextToken": page["NextToken"]} if "NextToken" in page else None
        self.assertEqual(listed, sorted(arns, reverse=True))

    def test_errors_have_the_services_names(self):
        table = self.table("plain")
        errors = self.client.exceptions
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
