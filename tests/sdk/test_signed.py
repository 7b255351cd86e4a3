"""A server with credentials: it accepts boto3's signatures, and says why it refuses others."""

import json
import tempfile
import urllib.error
import urllib.request

import boto3
from botocore import UNSIGNED
from botocore.config import Config

import served


class Signed(served.Case):
    @classmethod
    def setUpClass(cls):
        cls.known = tempfile.NamedTemporaryFile("w", prefix="itemfs-keys-")
        cls.known.write(
            "[default]\naws_access_key_id = AKIDONE\naws_secret_access_key = se/cr+et\n"
            "[guest]\naws_access_key_id = ASIATWO\naws_secret_access_key = other\naws_session_token = to/ken==\n"
        )
        cls.known.flush()
        cls.server = served.Server("--credentials", cls.known.name)
        cls.client = cls.signing(aws_access_key_id="AKIDONE", aws_secret_access_key="se/cr+et")

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.known.close()

    @classmethod
    def signing(cls, **keys):
        return boto3.client("dynamodb", endpoint_url=cls.server.url, **keys)

    def test_who_is_known_is_answered(self):
        self.assertEqual(self.client.list_tables()["TableNames"], [])

    def test_any_region_will_do(self):
        far = self.signing(
            aws_access_key_id="AKIDONE", aws_secret_access_key="se/cr+et", region_name="ap-southeast-2"
        )
        self.assertEqual(far.list_tables()["TableNames"], [])

    def test_a_session_has_its_token(self):
        keys = {"aws_access_key_id": "ASIATWO", "aws_secret_access_key": "other"}
        guest = self.signing(**keys, aws_session_token="to/ken==")
        self.assertEqual(guest.list_tables()["TableNames"], [])
        self.refused("UnrecognizedClientException", self.signing(**keys).list_tables)
        self.refused("UnrecognizedClientException", self.signing(**keys, aws_session_token="no").list_tables)

    def test_a_key_that_is_not_known(self):
        stranger = self.signing(aws_access_key_id="AKIDTHREE", aws_secret_access_key="se/cr+et")
        answer = self.refused("UnrecognizedClientException", stranger.list_tables)
        self.assertEqual(answer["Error"]["Message"], "The security token included in the request is invalid.")

    def test_a_wrong_secret(self):
        liar = self.signing(aws_access_key_id="AKIDONE", aws_secret_access_key="guess")
        answer = self.refused("InvalidSignatureException", liar.list_tables)
        self.assertIn("does not match the signature you provided", answer["Error"]["Message"])

    def unsigned(self, target, body):
        """Return the name of the error of a request without a signature."""
        headers = {"X-Amz-Target": "DynamoDB_20120810." + target, "Content-Type": "application/x-amz-json-1.0"}
        with self.assertRaises(urllib.error.HTTPError) as told:
            urllib.request.urlopen(urllib.request.Request(self.server.url, body.encode(), headers))
        return json.load(told.exception)["__type"].split("#")[1]

    def test_the_body_and_the_operation_come_before_the_signature(self):
        self.assertEqual(self.unsigned("ListTables", "{"), "SerializationException")
        self.assertEqual(self.unsigned("NoSuchThing", "{}"), "UnknownOperationException")
        self.assertEqual(self.unsigned("ListTables", "{}"), "MissingAuthenticationTokenException")

    def test_no_signature_at_all(self):
        nobody = self.signing(config=Config(signature_version=UNSIGNED))
        self.refused("MissingAuthenticationTokenException", nobody.list_tables)


served.main()
