"""front_ends - the front ends through which the stress test changes items; each call waits until the change is acknowledged."""
import ctypes
import http.client
import json
import os
import socket
import subprocess
import time

from model import text_of

try:
    import boto3
    from botocore import xform_name
except ImportError:
    boto3 = None

NOREPLACE, EXCHANGE = 1, 2
AT_FDCWD = -100
libc = ctypes.CDLL(None, use_errno=True)


def rename(old, new, flags):
    if libc.renameat2(AT_FDCWD, old.encode(), AT_FDCWD, new.encode(), flags) != 0:
        e = ctypes.get_errno()
        raise OSError(e, os.strerror(e), old, None, new)


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def typed(value):
    return {"N": str(value)} if isinstance(value, int) else {"S": value}


def typed_item(item):
    return {name: typed(value) for name, value in item.items()}


class Protocol:
    """DynamoDB's protocol over the store's socket."""

    def __init__(self, store):
        self.path = store + "/socket"
        self.connection = None

    def call(self, operation, **body):
        if self.connection is None:
            self.connection = Unix(self.path)
        self.connection.request("POST", "/", json.dumps(body), {
            "X-Amz-Target": "DynamoDB_20120810." + operation,
            "Content-Type": "application/x-amz-json-1.0"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{operation}: {answer.status} {text[:500]!r}")
        return json.loads(text)

    def put(self, item):
        self.call("PutItem", TableName="tab", Item=typed_item(item))

    def update(self, item, all_names):
        """Set the attributes that the item has, remove those that it does not have."""
        rest = {n: v for n, v in item.items() if n not in ("PK", "SK")}
        names = {f"#{n}": n for n in all_names}
        removed = [f"#{n}" for n in all_names if n not in rest]
        expression = "SET " + ", ".join(f"#{n} = :{n}" for n in rest)
        if removed:
            expression += " REMOVE " + ", ".join(removed)
        self.call("UpdateItem", TableName="tab", Key=self.key(item), UpdateExpression=expression,
                  ExpressionAttributeNames=names,
                  ExpressionAttributeValues={f":{n}": typed(v) for n, v in rest.items()})

    @staticmethod
    def key(item):
        return typed_item({"PK": item["PK"], "SK": item["SK"]})

    def delete(self, item):
        self.call("DeleteItem", TableName="tab", Key=self.key(item))

    def transact(self, puts, deletes):
        actions = [{"Put": {"TableName": "tab", "Item": typed_item(i)}} for i in puts]
        actions += [{"Delete": {"TableName": "tab", "Key": self.key(i)}} for i in deletes]
        self.call("TransactWriteItems", TransactItems=actions)

    def batch(self, puts, deletes):
        requests = [{"PutRequest": {"Item": typed_item(i)}} for i in puts]
        requests += [{"DeleteRequest": {"Key": self.key(i)}} for i in deletes]
        answer = self.call("BatchWriteItem", RequestItems={"tab": requests})
        if answer.get("UnprocessedItems"):
            raise RuntimeError("BatchWriteItem left something over")


class Sdk(Protocol):
    """The same through boto3 over TCP."""

    def __init__(self, url):
        super().__init__("")
        self.url = url

    def call(self, operation, **body):
        if self.connection is None:
            self.connection = boto3.client(
                "dynamodb", endpoint_url=self.url, region_name="us-east-1",
                aws_access_key_id="any", aws_secret_access_key="any")
        return getattr(self.connection, xform_name(operation))(**body)


class Itemctl:
    def __init__(self, program, store):
        self.words = [program, "-s", store, "--quiet"]

    def run(self, *words):
        done = subprocess.run(self.words + list(words), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"itemctl {words[0]}: {done.stderr}")

    def put(self, item):
        self.run("put", "tab", text_of(item))

    def delete(self, item):
        self.run("delete", "tab", item["PK"], item["SK"])


def await_size(path, size):
    """Wait for RELEASE: until then the file shows the bytes that were written in this mount."""
    until = time.monotonic() + 120
    while os.stat(path).st_size != size and time.monotonic() < until:
        time.sleep(0.001)


def write_file(path, item, keys, sync):
    """Write as a program does: open, write, perhaps fsync, close.  @keys: the text has the key attributes."""
    text = text_of(item if keys else {n: v for n, v in item.items() if n not in ("PK", "SK")})
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        data = (text + "\n" if keys else text).encode()
        while data:
            data = data[os.write(fd, data):]
        if sync:
            os.fsync(fd)
    finally:
        os.close(fd)
    await_size(path, len(text_of(item)) + 1)
