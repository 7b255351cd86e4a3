"""stress - test that no reader sees an old state; run by stress.sh on a store with two mounts and an index view

    stress.py STORE ITEMCTL ITEMFS URL SEED STEPS

The mounts are a (table=tab), b (all tables) and i (the index gsi), in the current
folder; URL is where the store listens, or empty, in which case no SDK is used.  Writers change
their own slots through all front ends and look at once; readers look at anything; now and then
an event affects all of them.  STEPS is the number of steps of each of the four writers in each phase.
"""
import multiprocessing
import multiprocessing.connection
import os
import random
import subprocess
import sys
import traceback

from look import Looker, View
from model import ENDS, THERE, Model
from front_ends import Itemctl, Protocol
from worker import Worker, expiring

WRITERS, READERS = 4, 2
fork = multiprocessing.get_context("fork")

TABLE = {
    "TableName": "tab", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("PK", "SK", "G", "H")],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "gsi", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "G", "KeyType": "HASH"}, {"AttributeName": "H", "KeyType": "RANGE"}]}],
}


class Setup:
    def __init__(self, store, itemctl, itemfs, url, seed):
        self.store, self.itemctl, self.itemfs, self.url, self.seed = store, itemctl, itemfs, url, seed
        self.model = Model(seed, WRITERS)
        outages = fork.Array("L", 4, lock=False)
        self.index_outages = outages
        self.views = [View("a", "a", None, outages, 0), View("b", "b/tab", None, outages, 0),
                      View("a/.index", None, "a/.index/gsi", outages, 1),
                      View("b/.index", None, "b/tab/.index/gsi", outages, 1),
                      View("i", None, "i", outages, 2)]
        self.stop = fork.Event()

    def taken_away(self, *views):
        for at in views:
            self.index_outages[at] += 1


def guarded(what, *args):
    try:
        what(*args)
    except BaseException:
        sys.stdout.write(f"{what.__name__}{args[1:]}: {traceback.format_exc()}")
        sys.stdout.flush()
        os._exit(1)
    os._exit(0)


def write(setup, me, phase, steps):
    rng = random.Random(f"{setup.seed}/{phase}/{me}")
    print(f"writer {me}: {Worker(setup, me, phase, rng).run(steps)} looks")
    sys.stdout.flush()


def read(setup, me, phase):
    """Fill the kernels' caches, and look at what others have written."""
    rng = random.Random(f"{setup.seed}/{phase}/reader {me}")
    looker = Looker(setup.model, setup.views, rng)
    tables = [v for v in setup.views if v.items is not None]
    indexes = [v for v in setup.views if v.entries is not None]
    while not setup.stop.is_set():
        slot = rng.choice(setup.model.slots)
        looker.slot(rng.choice(tables), slot)
        looker.entry(rng.choice(indexes), slot, setup.model.word(slot))
    print(f"reader {me}: {looker.checks} looks")
    sys.stdout.flush()


def start(what, *args):
    process = fork.Process(target=guarded, args=(what, *args), daemon=True)
    process.start()
    return process


def finish(processes):
    """True when all of them succeed; the first failure ends the others."""
    waiting = dict((p.sentinel, p) for p in processes)
    while waiting:
        for s in multiprocessing.connection.wait(waiting):
            p = waiting.pop(s)
            p.join()
            if p.exitcode != 0:
                for other in waiting.values():
                    other.kill()
                return False
    return True


# ---- events that affect all, while the writers write (True) or between two phases

def remount(setup):
    setup.taken_away(2)
    subprocess.run(["fusermount3", "-u", "-z", "i"], check=True)
    subprocess.run([setup.itemfs, setup.store, "i", "-o", "table=tab,index=gsi"], check=True)
    setup.taken_away(2)


def new_index(setup):
    ctl = Itemctl(setup.itemctl, setup.store)
    setup.taken_away(1, 2)
    ctl.run("alter", "tab", "--drop-gsi", "gsi")
    ctl.run("alter", "tab", "--add-gsi", "gsi=G,H")
    setup.taken_away(1, 2)


def sweep(setup):
    model = setup.model
    over = [s for s in model.slots if model.is_there(s) and expiring(model, model.word(s))]
    model.begin(over)
    Itemctl(setup.itemctl, setup.store).run("sweep", "--any-age", "--now", str(ENDS + 1000), "tab")
    for s in over:
        model.end(s, (model.word(s) >> 2) + (1 << 40), False)


def new_table(setup):
    model, protocol = setup.model, Protocol(setup.store)
    model.begin(model.slots)
    setup.taken_away(0, 1, 2)
    protocol.call("DeleteTable", TableName="tab")
    for path in ("a", "b/tab", "b/tab/.index/gsi", "i"):
        if os.path.isdir(path) and os.listdir(path):
            raise RuntimeError(f"{path} has something in it still")
    for s in model.slots:
        for v in setup.views[:2]:
            if os.path.exists(f"{v.items}/{s.pk}") or os.path.exists(f"{v.items}/{s.pk}/{s.name}"):
                raise RuntimeError(f"{v.name}: {s.pk}/{s.name} is there still")
    protocol.call("CreateTable", **TABLE)
    protocol.call("UpdateTimeToLive", TableName="tab",
                  TimeToLiveSpecification={"Enabled": True, "AttributeName": "end"})
    setup.taken_away(0, 1, 2)
    for s in model.slots:
        model.end(s, (model.word(s) >> 2) + (1 << 41), False)


def check_all(setup, why):
    looker = Looker(setup.model, setup.views, random.Random(0))
    for v in setup.views:
        looker.everything(v)
    there = sum(1 for s in setup.model.slots if setup.model.word(s) & THERE)
    print(f"{why}: {there} items, all right in {len(setup.views)} views")


PHASES = ((remount, sweep), (new_index, None), (remount, new_table), (remount, sweep))


def main(store, itemctl, itemfs, url, seed, steps):
    setup = Setup(store, itemctl, itemfs, url, seed)
    for phase, (during, after) in enumerate(PHASES):
        setup.stop.clear()
        readers = [start(read, setup, r, phase) for r in range(READERS)]
        writers = [start(write, setup, w, phase, int(steps)) for w in range(WRITERS)]
        during(setup)
        well = finish(writers)
        if well:
            check_all(setup, f"phase {phase}")
        if after is not None and well:
            after(setup)
            check_all(setup, after.__name__)
        setup.stop.set()
        if not finish(readers) or not well:
            print(f"seed {seed}, phase {phase}")
            sys.exit(1)


main(*sys.argv[1:])
