"""Many SDK clients at once: each keeps its connection, as clients of a test runner do, and none is refused.

ITEMFS_SDK_CLIENTS is the number of kept connections; 2,000 of them need a limit of 5,000 open files.
"""

import os
import resource
import socket
import threading

import boto3
import botocore.config

import served

KEPT = int(os.environ.get("ITEMFS_SDK_CLIENTS", "300"))
WORKING = 100
HALF_OPEN = 330


class Clients(served.Case):
    @classmethod
    def setUpClass(cls):
        # Both ends of each connection are open on this machine; the server inherits the limit.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * KEPT + 2000)), hard))
        # No connection is closed because it is slow.
        os.environ["ITEMFS_TIMING"] = "head=600000,idle=600000"
        super().setUpClass()
        cls.things = cls.table(cls(), "clients")
        cls.session = boto3.session.Session()
        # Without retries, each client sees what the server does.
        cls.config = botocore.config.Config(retries={"max_attempts": 0, "mode": "standard"}, max_pool_connections=1, read_timeout=240)

    def another(self):
        return self.session.client("dynamodb", endpoint_url=self.server.url, config=self.config)

    def test_who_keeps_a_connection_turns_nobody_away(self):
        kept = []
        for i in range(KEPT):
            kept.append(self.another())
            kept[-1].put_item(TableName="clients", Item={"pk": {"S": "kept"}, "sk": {"S": "%06d" % i}})
        failures = []

        def work(number):
            try:
                client = self.another()
                for i in range(20):
                    key = {"pk": {"S": "work"}, "sk": {"S": "%d-%d" % (number, i)}}
                    client.put_item(TableName="clients", Item=key)
                    assert "Item" in client.get_item(TableName="clients", Key=key)
            except Exception as error:  # reported below, by the main thread of the test
                failures.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(WORKING)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        for client in kept[:: max(1, KEPT // 50)]:
            client.list_tables()

    def test_half_open_connections_delay_nobody(self):
        host, port = self.server.url.removeprefix("http://").split(":")
        half = []
        for _ in range(HALF_OPEN):
            half.append(socket.create_connection((host, int(port))))
            half[-1].sendall(b"POST / HTTP/1.1\r\nHost: ")
        self.another().list_tables()
        for connection in half:
            connection.close()

    def test_arns_name_the_region_of_the_client(self):
        for region in ("eu-west-2", "us-east-1"):
            client = self.session.client("dynamodb", endpoint_url=self.server.url, region_name=region)
            arn = client.describe_table(TableName="clients")["Table"]["TableArn"]
            self.assertEqual(arn, "arn:aws:dynamodb:%s:000000000000:table/clients" % region)


if __name__ == "__main__":
    served.main()
