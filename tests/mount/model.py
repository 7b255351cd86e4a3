"""model - expected state of the tree in the stress test, shared by all its processes.

A slot is one possible item.  Its state is one word of shared memory: the number of its
contents, whether it exists, and whether a process is just changing it.  The contents follow
from the number alone, so any process knows at any time what each slot must show.  Numbers
are never used twice.

    word = number << 2 | THERE | BUSY
"""
import hashlib
import json
import mmap
import random

BUSY, THERE = 1, 2
OWN, NAMES = 3, 5  # partitions that one worker owns, and names in each
SHARED, SHARED_NAMES = 2, 3
PER_WORKER = OWN * NAMES + SHARED * SHARED_NAMES
ENDS = 1000000000  # expiry time of an expiring item, in seconds


class Slot:
    def __init__(self, at, owner, pk, sk):
        self.at, self.owner, self.pk, self.sk = at, owner, pk, sk
        self.name = sk + ".json"


class Model:
    def __init__(self, seed, workers):
        self.seed = seed
        self.workers = workers
        self.slots = []
        for w in range(workers):
            own = [(f"w{w}p{p}", f"k{n}") for p in range(OWN) for n in range(NAMES)]
            own += [(f"all{p}", f"w{w}k{n}") for p in range(SHARED) for n in range(SHARED_NAMES)]
            self.slots += [Slot(len(self.slots) + i, w, pk, sk) for i, (pk, sk) in enumerate(own)]
        memory = mmap.mmap(-1, 8 * (len(self.slots) + 2))
        self.words = memoryview(memory).cast("Q")

    # ---- states

    def own(self, worker):
        return self.slots[worker * PER_WORKER:(worker + 1) * PER_WORKER]

    def word(self, slot):
        return self.words[slot.at]

    def is_there(self, slot):
        return self.word(slot) & THERE != 0

    def begin(self, slots):
        for s in slots:
            self.words[s.at] |= BUSY

    def end(self, slot, number, there):
        self.words[slot.at] = number << 2 | (THERE if there else 0)

    # ---- contents

    def attributes(self, number):
        """Non-key attributes of the contents with this number; the same in every process."""
        rng = random.Random(f"{self.seed}/{number}")
        owner = number % self.workers
        out = {"v": number}
        if rng.random() < 0.75:
            out["G"] = "g" if rng.random() < 0.3 else f"w{owner}g{rng.randrange(2)}"
        if rng.random() < 0.85:
            out["H"] = f"h{rng.randrange(4)}"
        if rng.random() < 0.1:
            out["end"] = ENDS
        out["text"] = "x" * (rng.choice((10, 10, 300, 5000, 40000)) + rng.randrange(9))
        return out

    def item(self, slot, word):
        return {"PK": slot.pk, "SK": slot.sk, **self.attributes(word >> 2)}

    def entry(self, slot, word):
        """Place of the item in the index: partition and name; None when it is not in the index."""
        if word & THERE == 0:
            return None
        it = self.attributes(word >> 2)
        if "G" not in it or "H" not in it:
            return None
        return it["G"], f"{it['H']}::{slot.pk}::{slot.sk}.json"


def text_of(item):
    return json.dumps(item, separators=(",", ":"))


def digest(item):
    """Digest of an item, independent of the order of its attributes."""
    return hashlib.md5(json.dumps(item, sort_keys=True).encode()).hexdigest()
