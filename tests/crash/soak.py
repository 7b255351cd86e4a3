"""soak - 200 connections at once: no refusal, no error, no growth without bound"""
import json
import os
import signal
import threading
import time

from store import Failure, Owner, Store, Unix
from writers import typed

CONNECTIONS = 200
ANONYMOUS_MB = 400  # limit of the owner; not checked with sanitizers, which need several times as much


def anonymous_mb(pid):
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) // 1024


class Client(threading.Thread):
    def __init__(self, store, me, until):
        super().__init__(daemon=True)
        self.connection = Unix(store.path + "/socket")
        self.me, self.until, self.done, self.error = me, until, 0, None

    def call(self, operation, **body):
        self.connection.request("POST", "/", json.dumps({"TableName": "tab", **body}), {
            "X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise ValueError(f"{operation}: {answer.status} {text[:200]!r}")
        self.done += 1
        return json.loads(text)

    def step(self, n):
        key = typed({"PK": f"c{self.me}", "SK": n % 50})
        self.call("PutItem", Item={**key, **typed({"n": n, "G": f"g{n % 5}"})})
        if self.call("GetItem", Key=key, ConsistentRead=True)["Item"]["n"] != {"N": str(n)}:
            raise ValueError("an old item")
        self.call("Query", KeyConditionExpression="PK = :p", ExpressionAttributeValues=typed({":p": f"c{self.me}"}), Limit=10)

    def run(self):
        try:
            n = 1
            self.step(n)
            while time.monotonic() < self.until:
                n += 1
                self.step(n)
        except Exception as error:  # pylint: disable=broad-except
            self.error = error


def run(programs, folder, rng, chosen):
    del rng
    store = Store(programs, os.path.join(folder, "store"))
    store.create()
    owner = Owner(store)
    clients = [Client(store, i, time.monotonic() + chosen.seconds) for i in range(CONNECTIONS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(chosen.seconds + 60)
    anonymous = anonymous_mb(owner.process.pid)
    owner.end(signal.SIGTERM)
    errors = [c.error for c in clients if c.error is not None] + [Failure("hangs") for c in clients if c.is_alive()]
    if errors:
        raise Failure(f"{len(errors)} of {CONNECTIONS} clients failed: {errors[0]!r}")
    if anonymous > ANONYMOUS_MB and "asan" not in programs.itemfs:
        raise Failure(f"the owner has {anonymous} MB of anonymous memory")
    store.check()
    return f"{CONNECTIONS} connections, {sum(c.done for c in clients)} requests, {anonymous} MB, no error"
