"""disk - the disk fills up: writes are refused, nothing is lost, and with room again they go on without a restart

In each round somebody else's file leaves little room; the writers go on until all are refused.  Then the file goes, and
they write again at the same owner.  Then the file is back, and the owner is killed while the disk is full.
"""
import os
import shutil
import signal
import subprocess
import threading
import time

from kill import join, verify
from store import PATIENCE, Failure, Owner, Skipped, Store
from writers import Pairs, Protocol, complain

SIZE_MB = 400
PADDING = 20000


def mounted(folder):
    """A small disk of our own, if that is allowed."""
    return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=700", "tmpfs", folder],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def fill(path, left_mb):
    """Somebody else's file: all but so much of the disk"""
    room = shutil.disk_usage(os.path.dirname(path)).free - (left_mb << 20)
    if room > 0:
        with open(path, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, room)


def write(store, writers, seconds):
    """Until all are refused, or the time is over.  Return: how many were refused."""
    stop = threading.Event()
    threads = [w.start(store, None, stop) for w in writers]
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(t.is_alive() for t in threads):
        time.sleep(0.01)
    stop.set()
    join(threads)
    complain(writers)
    return sum(w.failed is not None for w in writers)


def one_round(store, writers, dice, filler, seq):
    owner = Owner(store)
    fill(filler, dice.randint(1, 100))
    if write(store, writers, PATIENCE) != len(writers):
        raise Failure(f"the disk has {SIZE_MB} MB, and writes were still accepted after {PATIENCE} s")
    seq, _ = verify(store, writers, seq)
    os.unlink(filler)
    if write(store, writers, 0.3) != 0:
        raise Failure(f"there is room again, and a write is refused: {[w.failed for w in writers if w.failed]}")
    seq, _ = verify(store, writers, seq)
    fill(filler, dice.randint(0, 100))
    write(store, writers, 1)
    owner.end(signal.SIGKILL)
    seq, _ = verify(store, writers, seq)
    os.unlink(filler)
    return seq


def run(programs, folder, dice, chosen):
    if not mounted(folder):
        raise Skipped("no file system may be mounted here")
    try:
        store = Store(programs, os.path.join(folder, "store"))
        store.create()
        writers = ([Protocol(f"http{i}-", dice.random(), PADDING) for i in range(3)] +
                   [Pairs("pair-", dice.random(), PADDING)])
        seq = None
        for _ in range(max(1, chosen.rounds // 10)):
            seq = one_round(store, writers, dice, os.path.join(folder, "filler"), seq)
    finally:
        subprocess.run(["umount", "-l", folder], check=False)
    return "full disks: writes were refused, went on when there was room, and nothing that was acknowledged is lost"
