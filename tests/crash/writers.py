"""writers - threads that change items through one front end each, and note what was acknowledged"""
import json
import os
import random
import threading

from ledger import Change, Ledger
from store import Failure, Unix

SLOTS = 12


def typed(item):
    return {name: {"N": str(v)} if isinstance(v, int) else {"S": v} for name, v in item.items()}


class Writer:
    """@seed: draws its changes.  run() is a thread's body: it ends at stop, or with the first change that fails."""

    def __init__(self, name, seed, padding=0):
        self.ledger = Ledger(name)
        self.dice = random.Random(seed)
        self.n = 0
        self.padding = "x" * padding
        self.failed = None

    def start(self, store, mountpoint, stop):
        self.store, self.mountpoint = store, mountpoint
        self.failed = None
        self.failed_early = False
        thread = threading.Thread(target=self.run, args=(stop,), daemon=True)
        thread.start()
        return thread

    def run(self, stop):
        try:
            self.open()
            while not stop.is_set():
                self.step()
        except (OSError, ValueError, Refused) as failure:
            self.failed = failure
            self.failed_early = not stop.is_set()
        except Exception as failure:  # pylint: disable=broad-except
            self.failed = Failure(f"{self.ledger.name}: {failure!r}")
        self.close()

    def open(self):
        pass

    def close(self):
        pass

    def item(self, key, n):
        item = {"PK": key[0], "SK": key[1], "n": n, "G": f"g{n % 5}"}
        return {**item, "pad": self.padding} if self.padding else item

    def key(self):
        return self.ledger.name, self.dice.randrange(SLOTS)

    def next(self):
        self.n += 1
        return self.n

    def is_there(self, key):
        return self.ledger.now().get(key) is not None


class Refused(Exception):
    """An answer of the server that is an error."""


class Protocol(Writer):
    """DynamoDB's protocol over the store's socket: durable when it is answered."""

    def open(self):
        self.connection = Unix(self.store.path + "/socket")

    def close(self):
        self.connection.close()

    def call(self, operation, **body):
        self.connection.request("POST", "/", json.dumps(body), {
            "X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise Refused(f"{answer.status} {text[:300]!r}")

    def change(self, after, operation, **body):
        self.ledger.begin(Change(after))
        self.call(operation, **body)
        self.ledger.acknowledge()

    def step(self):
        key = self.key()
        n = self.next()
        name = {"TableName": "tab"}
        if self.is_there(key) and self.dice.random() < 0.2:
            self.change({key: None}, "DeleteItem", **name, Key=typed({"PK": key[0], "SK": key[1]}))
        elif self.dice.random() < 0.5:
            self.change({key: n}, "PutItem", **name, Item=typed(self.item(key, n)))
        else:
            self.change({key: n}, "UpdateItem", **name, Key=typed({"PK": key[0], "SK": key[1]}),
                        UpdateExpression="SET n = :n, G = :g",
                        ExpressionAttributeValues=typed({":n": n, ":g": f"g{n % 5}"}))


class Pairs(Protocol):
    """Transactions over two partitions."""

    def step(self):
        slot = self.dice.randrange(SLOTS)
        n = self.next()
        keys = [(self.ledger.name + end, slot) for end in "ab"]
        self.change({key: n for key in keys}, "TransactWriteItems",
                    TransactItems=[{"Put": {"TableName": "tab", "Item": typed(self.item(key, n))}} for key in keys])


class Import(Writer):
    """itemctl import of many items; durable when it has ended."""

    def step(self):
        n = self.next()
        after = {(self.ledger.name, slot): n for slot in range(self.dice.randrange(1, 300))}
        self.ledger.begin(Change(after, atomic=False))
        lines = "".join(json.dumps(self.item(key, n)) + "\n" for key in after)
        status, _, messages = self.store.ctl("-q", "import", "tab", "-", text=lines)
        if status != 0:
            raise Refused(messages)
        self.ledger.acknowledge()


class Files(Writer):
    """Files of the mount.  @lazy: without fsync, which a kill leaves and a power cut may take"""

    def __init__(self, name, seed, lazy, padding=0):
        super().__init__(name, seed, padding)
        self.lazy = lazy

    def open(self):
        self.folder = os.path.join(self.mountpoint, self.ledger.name)
        os.makedirs(self.folder, exist_ok=True)

    def step(self):
        key = self.key()
        what = self.dice.random()
        if what < 0.2 and self.is_there(key):
            self.begin({key: None}, os.unlink, self.path(key))
        elif what < 0.4 and self.is_there(key):
            self.move(key, self.key())
        else:
            n = self.next()
            self.begin({key: n}, self.save, self.path(key), json.dumps(self.item(key, n)).encode())

    def begin(self, after, do, *words):
        self.ledger.begin(Change(after))
        do(*words)
        if not self.lazy:
            self.sync(self.folder)
        self.ledger.acknowledge()

    def path(self, key):
        return os.path.join(self.folder, f"{key[1]}.json")

    def move(self, key, to):
        if key != to:
            self.begin({key: None, to: self.ledger.now()[key]}, os.rename, self.path(key), self.path(to))

    def save(self, path, text):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            os.write(fd, text)
            if not self.lazy:
                os.fsync(fd)
        finally:
            os.close(fd)

    @staticmethod
    def sync(folder):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def crew(dice, padding=0):
    """Writers of every front end."""
    seeds = iter(dice.random, None)
    return ([Protocol(f"http{i}-", next(seeds), padding) for i in range(3)] +
            [Pairs(f"pair{i}-", next(seeds), padding) for i in range(2)] +
            [Import("import-", next(seeds), padding)] +
            [Files("fsync-", next(seeds), False, padding), Files("lazy-", next(seeds), True, padding)])


def some_of(dice, writers):
    """Few of them, so that one whose changes are not synced is alone now and then"""
    return dice.sample(writers, dice.randint(1, len(writers)))


def complain(writers, alive=False):
    """A failure of the campaign itself, or a hang, that a thread has met; @alive: or any failure before its end"""
    for writer in writers:
        if isinstance(writer.failed, Failure):
            raise writer.failed
        if alive and writer.failed_early:
            raise Failure(f"{writer.ledger.name}: failed before the end of the owner: {writer.failed}")
        if isinstance(writer.failed, TimeoutError):
            raise Failure(f"{writer.ledger.name}: no answer: a hang")
