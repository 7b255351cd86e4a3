"""kill - the owner of a store is killed while all front ends write; nothing that was acknowledged is lost"""
import os
import signal
import threading
import time

from store import PATIENCE, Failure, Owner, Store
from writers import Files, complain, crew


def join(threads):
    until = time.monotonic() + PATIENCE
    for thread in threads:
        thread.join(max(0, until - time.monotonic()))
        if thread.is_alive():
            raise Failure("a writer hangs after the end of the owner")


def write_until_killed(store, writers, mountpoint, seconds, wrapper=(), may_fail=False):
    """The writers work for a while, then the owner is killed."""
    owner = Owner(store, mountpoint, wrapper)
    stop = threading.Event()
    present = [w for w in writers if mountpoint is not None or not isinstance(w, Files)]
    threads = [w.start(store, mountpoint, stop) for w in present]
    time.sleep(seconds)  # not a wait for anything: how long they write is drawn
    stop.set()  # else an import that finds the owner gone would own the store itself and begin the next one
    owner.end(signal.SIGKILL)
    join(threads)
    complain(present, alive=not may_fail)


def verify(store, writers, seq):
    """Compare the store with the ledgers, which begin anew.  Return: the stream's newest seq, changes that are there."""
    store.check()
    items = store.items()
    records = store.changes(seq)
    seen = 0
    for writer in writers:
        count = writer.ledger.verify(items)
        writer.ledger.verify_stream(count, records)
        writer.ledger.settle(items)
        seen += count
    return (records[-1][0] if records else seq), seen


def run(programs, folder, dice, chosen):
    store = Store(programs, os.path.join(folder, "store"))
    mountpoint = os.path.join(folder, "m")
    os.mkdir(mountpoint)
    store.create()
    writers = crew(dice)
    seq, seen = None, 0
    for _ in range(chosen.rounds):
        at = mountpoint if dice.random() < 0.6 and os.path.exists("/dev/fuse") else None
        write_until_killed(store, writers, at, dice.uniform(0.02, 0.6))
        seq, more = verify(store, writers, seq)
        seen += more
    if seen < chosen.rounds:
        raise Failure(f"only {seen} changes in {chosen.rounds} rounds")
    return f"{chosen.rounds} kills, {seen} changes with their stream records, none that was acknowledged is lost"
