"""kill - the owner of a store is killed while all front ends write; no acknowledged change is lost"""
import os
import signal
import threading
import time

from store import PATIENCE, Failure, Owner, Store
from writers import complain, crew


def join(threads):
    until = time.monotonic() + PATIENCE
    for thread in threads:
        thread.join(max(0, until - time.monotonic()))
        if thread.is_alive():
            raise Failure("a writer hangs after the end of the owner")


def write_until_ended(store, writers, mountpoint, seconds, end=signal.SIGKILL, may_fail=False, before=lambda: None):
    """Let the writers work until @before returns and for @seconds more, then send the signal @end to the owner."""
    owner = Owner(store, mountpoint)
    stop = threading.Event()
    present = [w for w in writers if mountpoint is not None or not w.needs_mount]
    threads = [w.start(store, mountpoint, stop) for w in present]
    before()
    time.sleep(seconds)  # this waits for nothing: the duration is random
    stop.set()  # otherwise an import that finds no owner would open the store itself and begin the next import
    if end != signal.SIGKILL:
        join(threads)
    owner.end(end)
    join(threads)
    complain(present, alive=not may_fail)
    if end != signal.SIGKILL:
        for writer in present:
            writer.ended()


class Found:
    """The content of a store, whose stream is read after @seq."""

    def __init__(self, store, seq):
        store.check()
        self.store = store
        self.items = store.items()
        self.records = store.changes(seq)
        self.seq = self.records[-1][0] if self.records else seq
        self.texts = store.texts()


def verify(store, writers, seq):
    """Compare the store with the ledgers and restart these.  Return: the newest seq of the stream, number of changes."""
    found = Found(store, seq)
    seen = 0
    for writer in writers:
        seen += writer.verify(found)
        writer.settle(found)
    return found.seq, seen


def run(programs, folder, rng, chosen):
    store = Store(programs, os.path.join(folder, "store"))
    mountpoint = os.path.join(folder, "m")
    os.mkdir(mountpoint)
    store.create()
    writers = crew(rng)
    seq, seen = None, 0
    for _ in range(chosen.rounds):
        at = mountpoint if rng.random() < 0.6 and os.path.exists("/dev/fuse") else None
        write_until_ended(store, writers, at, rng.uniform(0.02, 0.6) if rng.random() < 0.9 else rng.uniform(2, 3))
        seq, more = verify(store, writers, seq)
        seen += more
    if seen < chosen.rounds:
        raise Failure(f"only {seen} changes in {chosen.rounds} rounds")
    return f"{chosen.rounds} kills, {seen} changes with their stream records, no acknowledged change is lost"
