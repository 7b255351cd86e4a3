"""A server with a store of its own, for the tests of this folder.

Each test_*.py is a program of unittest cases: class X(served.Case), then served.main().
"""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

try:
    import boto3
    import botocore.exceptions
except ImportError:
    print("skipped: boto3 is not installed (Debian: python3-boto3)")
    sys.exit(77)

# Independent of the caller: no accounts, no proxies, no ignored signals, no umask (tests/lib.sh does the same).
KEPT = ("PATH", "TMPDIR", "ITEMCTL", "ITEMFS_SDK_CLIENTS", "ASAN_OPTIONS", "UBSAN_OPTIONS", "MALLOC_PERTURB_")
for name in set(os.environ) - set(KEPT):
    del os.environ[name]
os.environ.update(
    HOME="/dev/null/home",
    LC_ALL="C.UTF-8",
    TZ="UTC",
    AWS_ACCESS_KEY_ID="test",
    AWS_SECRET_ACCESS_KEY="test",
    AWS_DEFAULT_REGION="us-east-1",
    AWS_CONFIG_FILE="/dev/null",
    AWS_SHARED_CREDENTIALS_FILE="/dev/null",
    AWS_EC2_METADATA_DISABLED="true",
    NO_PROXY="127.0.0.1",
)
os.umask(0o022)
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


class Server:
    """itemctl serve with these arguments on a temporary store, on a port that the system chooses."""

    def __init__(self, *words):
        self.folder = tempfile.TemporaryDirectory(prefix="itemfs-sdk-")
        store = self.folder.name + "/store"
        self.process = subprocess.Popen(
            [os.environ["ITEMCTL"], "-s", store, "serve", "--listen", "127.0.0.1:0", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said = []
        for line in self.process.stdout:
            said.append(line)
            if line.startswith("listening on "):
                self.url = "http://" + line.split()[2]
                return
        raise RuntimeError("the server does not start: " + "".join(said))

    def stop(self):
        """Return its exit status and its output, without hints about refused requests."""
        self.process.terminate()
        said, _ = self.process.communicate(timeout=300)
        self.folder.cleanup()
        lines = said.splitlines(keepends=True)
        return self.process.returncode, "".join(line for line in lines if " itemfs: hint: " not in line)


class Case(unittest.TestCase):
    """Provides self.client and self.resource; each class has its own server."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.client = boto3.client("dynamodb", endpoint_url=cls.server.url)
        cls.resource = boto3.resource("dynamodb", endpoint_url=cls.server.url)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        status, said = cls.server.stop()
        assert status == 0 and said == "", f"the server ended with {status}: {said}"

    def table(self, name, key="pk:S sk:S", **more):
        """Create a table; the key has the form "pk:S sk:N"."""
        attributes = [word.split(":") for word in key.split()]
        more["AttributeDefinitions"] = more.get("AttributeDefinitions", []) + [
            {"AttributeName": n, "AttributeType": t} for n, t in attributes
        ]
        table = self.resource.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[
                {"AttributeName": n, "KeyType": kind} for (n, _), kind in zip(attributes, ["HASH", "RANGE"])
            ],
            **more,
        )
        table.wait_until_exists()
        return table

    def refused(self, code, call, **arguments):
        """Run a call that must fail with this error, and return the whole answer."""
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            call(**arguments)
        self.assertEqual(caught.exception.response["Error"]["Code"], code)
        return caught.exception.response


def main():
    unittest.main(verbosity=2)
