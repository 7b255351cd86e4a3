"""copies - a writer of backups and exports"""
import json
import os
import time

from ledger import Change
from store import TABLE, Failure, Store
from writers import Protocol, Refused

TABLE_ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab"


class Copies(Protocol):
    """Backups of the store and of the table, and exports to a file and to a bucket: complete when acknowledged.

    Each copy has a number.  It is complete when its name exists, or when the answer says so.
    """

    def start(self, store, mountpoint, stop):
        self.folder = os.path.join(os.path.dirname(store.path), "copies")
        self.sums = {}  # number of an exported file -> its content
        self.arns = {}
        return super().start(store, mountpoint, stop)

    def open(self):
        super().open()
        self.call("UpdateContinuousBackups", TableName="tab", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def step(self):
        n = self.next()
        self.ledger.begin(Change({n: self.rng.choice(list(COPIES))}))
        COPIES[self.ledger.changes[-1].after[n]][0](self, n)
        self.ledger.acknowledge()

    def itemctl(self, *words):
        status, _, messages = self.store.ctl("-q", *words)
        if status != 0:
            raise Refused(messages)

    def path(self, n):
        return os.path.join(self.folder, str(n))

    def back_up(self, n):
        self.itemctl("backup", self.path(n))

    def export(self, n):
        self.itemctl("export", "tab", self.path(n))
        with open(self.path(n), "rb") as file:
            self.sums[n] = file.read()

    def wait(self, operation, name, arn, look):
        while look(self.call(operation, **{name: arn})) in ("CREATING", "IN_PROGRESS"):
            time.sleep(0.01)

    def back_up_table(self, n):
        arn = self.call("CreateBackup", TableName="tab", BackupName=f"backup{n}")["BackupDetails"]["BackupArn"]
        self.arns[n] = arn
        self.wait("DescribeBackup", "BackupArn", arn, lambda a: a["BackupDescription"]["BackupDetails"]["BackupStatus"])

    def export_table(self, n):
        arn = self.call("ExportTableToPointInTime", TableArn=TABLE_ARN, S3Bucket="bkt", S3Prefix=str(n))["ExportDescription"]["ExportArn"]
        self.arns[n] = arn
        self.wait("DescribeExport", "ExportArn", arn, lambda a: a["ExportDescription"]["ExportStatus"])

    def verify(self, found, moment=None):
        """Check the newest copy of each kind, and those that were not acknowledged."""
        ledger = self.ledger.at(moment)
        kinds = [next(iter(change.after.values())) for change in ledger.changes]
        for at, change in enumerate(ledger.changes):
            n, kind = next(iter(change.after.items()))
            if kind not in kinds[at + 1:ledger.durable]:
                COPIES[kind][1](self, found.store, n, at < ledger.durable)
        return ledger.durable

    def copy_of(self, store, n, durable):
        """Return the path of the copy, or None if it does not exist and need not."""
        path = os.path.join(os.path.dirname(store.path), "copies", str(n))
        if durable and not os.path.exists(path):
            raise Failure(f"{self.ledger.name}: {path} is missing")
        return path if os.path.exists(path) else None

    def verify_back_up(self, store, n, durable):
        path = self.copy_of(store, n, durable)
        if path is not None:
            restored = Store(store.programs, path + ".store")
            restored.ask("-q", "restore", path)
            restored.check()

    def verify_export(self, store, n, durable):
        path = self.copy_of(store, n, durable)
        if path is None or n not in self.sums:
            return
        with open(path, "rb") as file:
            if file.read() != self.sums[n]:
                raise Failure(f"{self.ledger.name}: {path} differs from the export")

    def verify_back_up_table(self, store, n, durable):
        if durable:
            words = json.dumps({"BackupArn": self.arns[n], "TargetTableName": f"again{n}"})
            store.ask("-q", "call", "RestoreTableFromBackup", words)
            store.check()

    def verify_export_table(self, store, n, durable):
        if durable:
            name = self.arns[n].rpartition("/")[2]
            store.ask("-q", TABLE[0], f"imported{n}", *TABLE[2:])
            store.ask("-q", "import", f"imported{n}", os.path.join(store.path, "buckets/bkt", str(n), "AWSDynamoDB", name))


COPIES = {"backup": (Copies.back_up, Copies.verify_back_up), "export": (Copies.export, Copies.verify_export),
          "table backup": (Copies.back_up_table, Copies.verify_back_up_table),
          "table export": (Copies.export_table, Copies.verify_export_table)}
