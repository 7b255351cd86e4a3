"""writers - threads that change items, each through one front end, and record the acknowledgements"""
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
    """@seed: for its random changes.  run() is the body of the thread; it ends at stop, or at the first failed change."""

    needs_mount = False

    def __init__(self, name, seed, padding=0):
        self.ledger = Ledger(name)
        self.rng = random.Random(seed)
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

    def ledgers(self):
        return [self.ledger]

    def ended(self):
        """Called when the owner has ended normally."""

    def verify(self, found, moment=None):
        """@moment: that of a recording.  Return: the number of changes that the store has."""
        ledger = self.ledger.at(moment)
        count = ledger.verify(found.items)
        ledger.verify_stream(count, found.records)
        return count

    def settle(self, found):
        """Begin the next round with the present state."""
        self.ledger.settle(found.items)

    def item(self, key, n):
        item = {"PK": key[0], "SK": key[1], "n": n, "G": f"g{n % 5}"}
        return {**item, "pad": self.padding} if self.padding else item

    def key(self):
        return self.ledger.name, self.rng.randrange(SLOTS)

    def next(self):
        self.n += 1
        return self.n

    def is_there(self, key):
        return self.ledger.now().get(key) is not None


class Refused(Exception):
    """The server answered with an error."""


class Protocol(Writer):
    """DynamoDB's protocol over the socket of the store: a change is durable when it is answered."""

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
        return json.loads(text)

    def change(self, after, operation, **body):
        self.ledger.begin(Change(after))
        self.call(operation, **body)
        self.ledger.acknowledge()

    def step(self):
        key = self.key()
        n = self.next()
        name = {"TableName": "tab"}
        if self.is_there(key) and self.rng.random() < 0.2:
            self.change({key: None}, "DeleteItem", **name, Key=typed({"PK": key[0], "SK": key[1]}))
        elif self.rng.random() < 0.5:
            self.change({key: n}, "PutItem", **name, Item=typed(self.item(key, n)))
        else:
            self.change({key: n}, "UpdateItem", **name, Key=typed({"PK": key[0], "SK": key[1]}),
                        UpdateExpression="SET n = :n, G = :g",
                        ExpressionAttributeValues=typed({":n": n, ":g": f"g{n % 5}"}))


class Pairs(Protocol):
    """Transactions over two partitions."""

    def step(self):
        slot = self.rng.randrange(SLOTS)
        n = self.next()
        keys = [(self.ledger.name + end, slot) for end in "ab"]
        self.change({key: n for key in keys}, "TransactWriteItems",
                    TransactItems=[{"Put": {"TableName": "tab", "Item": typed(self.item(key, n))}} for key in keys])


class Import(Writer):
    """itemctl import of many items: durable when it has ended."""

    def step(self):
        n = self.next()
        after = {(self.ledger.name, slot): n for slot in range(self.rng.randrange(1, 300))}
        self.ledger.begin(Change(after, atomic=False))
        lines = "".join(json.dumps(self.item(key, n)) + "\n" for key in after)
        status, _, messages = self.store.ctl("-q", "import", "tab", "-", text=lines)
        if status != 0:
            raise Refused(messages)
        self.ledger.acknowledge()


class Files(Writer):
    """Files of the mount.  @lazy: without fsync; such changes survive a kill, but not always a power cut"""

    needs_mount = True

    def __init__(self, name, seed, lazy, padding=0):
        super().__init__(name, seed, padding)
        self.lazy = lazy

    def open(self):
        self.folder = os.path.join(self.mountpoint, self.ledger.name)
        os.makedirs(self.folder, exist_ok=True)

    def step(self):
        key = self.key()
        what = self.rng.random()
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
            sync(self.folder)
        if not self.lazy or self.ledger.record is None:
            self.ledger.acknowledge()

    def ended(self):
        if self.failed is None:
            self.ledger.acknowledge()

    def path(self, key):
        return os.path.join(self.folder, f"{key[1]}.json")

    def move(self, key, to):
        if key != to:
            self.begin({key: None, to: self.ledger.now()[key]}, os.rename, self.path(key), self.path(to))

    def save(self, path, text):
        save(path, text, not self.lazy)


def save(path, text, durable):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(fd, text)
        if durable:
            os.fsync(fd)
    finally:
        os.close(fd)


def sync(folder):
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Texts(Writer):
    """Scratch files of the mount that become items, and items that become scratch files.

    Each slot has its own ledger: a synced text must be found, as an item or as a text, until it is removed.
    """

    needs_mount = True

    def __init__(self, name, seed):
        super().__init__(name, seed)
        self.slots = [Ledger(f"{name}{slot}") for slot in range(SLOTS)]

    def ledgers(self):
        return self.slots

    def item(self, key, n):
        noise = random.Random(f"{key} {n}")
        return {**super().item(key, n), "pad": noise.randbytes(noise.choice([1, 100, 5000, 60000])).hex()}

    def open(self):
        self.folder = os.path.join(self.mountpoint, self.ledger.name)
        os.makedirs(self.folder, exist_ok=True)
        self.at = {slot: None for slot in range(SLOTS)}  # the suffix of its file's name

    def path(self, slot, ending):
        return os.path.join(self.folder, str(slot) + ending)

    def step(self):
        slot = self.rng.randrange(SLOTS)
        steps = {None: [self.save], ".tmp": [self.save, self.sync, self.become, self.remove], ".json": [self.save, self.hide, self.pack],
                 ".json.bak": [self.save, self.sync, self.show, self.remove], ".json.gz": [self.sync, self.remove]}
        self.rng.choice(steps[self.at[slot]])(slot)

    def acknowledge(self, slot):
        """Record that the newest text of the slot is durable."""
        if self.slots[slot].now().get(slot) is not None:
            self.slots[slot].acknowledge()

    def save(self, slot):
        durable = self.rng.random() < 0.6
        n = self.next()
        self.slots[slot].begin(Change({slot: n}))
        save(self.path(slot, ".tmp"), json.dumps(self.item((self.ledger.name, slot), n)).encode(), durable)
        self.at[slot] = ".tmp"
        if durable:
            self.acknowledge(slot)

    def sync(self, slot):
        sync(self.path(slot, self.at[slot]))
        self.acknowledge(slot)

    def rename(self, slot, ending):
        os.rename(self.path(slot, self.at[slot]), self.path(slot, ending))
        self.at[slot] = ending

    def become(self, slot):
        self.rename(slot, ".json")
        if self.rng.random() < 0.5:
            sync(self.folder)
            self.acknowledge(slot)

    def hide(self, slot):
        self.rename(slot, ".json.bak")

    def show(self, slot):
        self.rename(slot, ".json")

    def pack(self, slot):
        """Act like gzip: write a new file beside the item and remove the item."""
        with open(self.path(slot, ".json"), "rb") as item:
            save(self.path(slot, ".json.gz"), item.read(), False)
        os.unlink(self.path(slot, ".json"))
        self.at[slot] = ".json.gz"

    def remove(self, slot):
        self.slots[slot].begin(Change({slot: None}))
        os.unlink(self.path(slot, self.at[slot]))
        self.at[slot] = None

    def ended(self):
        if self.failed is None:
            for slot in range(SLOTS):
                self.acknowledge(slot)

    def verify(self, found, moment=None):
        there = self.read(found)
        for slot, ledger in enumerate(self.slots):
            self.verify_slot(slot, ledger.at(moment), there[slot])
        return sum(len(ns) for ns in there)

    def read(self, found):
        """Return what is found for each slot, as items and as texts."""
        there = [set() for _ in range(SLOTS)]
        for (name, slot), n in found.items.items():
            if name == self.ledger.name:
                there[int(slot)].add(n)
        for name, text, promised in found.texts:
            item = self.read_text(name, text, promised)
            if item is not None:
                there[item["SK"]].add(item["n"])
        return there

    def read_text(self, name, text, promised):
        try:
            item = json.loads(text)
            if item["PK"] != self.ledger.name:
                return None
            if item == self.item((item["PK"], item["SK"]), item["n"]):
                return item
        except (ValueError, KeyError, TypeError):
            pass
        if not promised:
            return None
        raise Failure(f"rejected/{name}: not one of the written texts: {text[:200]!r}")

    @staticmethod
    def verify_slot(slot, ledger, there):
        right = [ledger.after(count).get(slot) for count in range(ledger.durable, len(ledger.changes) + 1)]
        if None not in right and not there.intersection(right):
            raise Failure(f"{ledger.name}: {sorted(there)} is found instead of one of {right}")
        begun = set(ledger.base.values()).union(*(change.after.values() for change in ledger.changes))
        if not there <= begun:
            raise Failure(f"{ledger.name}: {sorted(there - begun)} is found, but was never written")

    def settle(self, found):
        for slot, ledger in enumerate(self.slots):
            n = found.items.get((self.ledger.name, slot))
            ledger.base = {} if n is None else {slot: n}
            ledger.forget()


def crew(rng, padding=0):
    """Return writers for every front end."""
    seeds = iter(rng.random, None)
    return ([Protocol(f"http{i}-", next(seeds), padding) for i in range(3)] +
            [Pairs(f"pair{i}-", next(seeds), padding) for i in range(2)] +
            [Import("import-", next(seeds), padding)] +
            [Files("fsync-", next(seeds), False, padding), Files("lazy-", next(seeds), True, padding)] +
            [Texts("text-", next(seeds))])


def some_of(rng, writers):
    """Draw some of the writers, so that one with unsynced changes is sometimes alone."""
    return rng.sample(writers, rng.randint(1, len(writers)))


def complain(writers, alive=False):
    """Raise a failure of the campaign itself, or a hang, of a thread; @alive: also any failure before the owner's end."""
    for writer in writers:
        if isinstance(writer.failed, Failure):
            raise writer.failed
        if alive and writer.failed_early:
            raise Failure(f"{writer.ledger.name}: failed before the end of the owner: {writer.failed}")
        if isinstance(writer.failed, TimeoutError):
            raise Failure(f"{writer.ledger.name}: no answer, it hangs")
