"""disk - a full disk: writes are refused, nothing is lost, and when there is room again, writes work without a restart

In each round another file leaves little room, and the writers continue until all are refused.  Then the file is
removed, and they write again through the same owner.  Then the file is back, and the owner is killed while the disk
is full.
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
    """Mount a small disk of our own, if that is allowed."""
    return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=700", "tmpfs", folder],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def fill(path, left_mb):
    """Make another file that leaves only @left_mb of the disk."""
    room = shutil.disk_usage(os.path.dirname(path)).free - (left_mb << 20)
    if room > 0:
        with open(path, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, room)


def write(store, writers, seconds):
    """Write until all writers are refused, or the time is over.  Return: the number of refused writers."""
    stop = threading.Event()
    threads = [w.start(store, None, stop) for w in writers]
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(t.is_alive() for t in threads):
        time.sleep(0.01)
    stop.set()
    join(threads)
    complain(writers)
    return sum(w.failed is not None for w in writers)


def one_round(store, writers, rng, filler, seq):
    owner = Owner(store)
    fill(filler, rng.randint(1, 100))
    if write(store, writers, PATIENCE) != len(writers):
        raise Failure(f"the disk has {SIZE_MB} MB, and writes were still accepted after {PATIENCE} s")
    seq, _ = verify(store, writers, seq)
    os.unlink(filler)
    if write(store, writers, 0.3) != 0:
        raise Failure(f"there is room again, but a write is refused: {[w.failed for w in writers if w.failed]}")
    seq, _ = verify(store, writers, seq)
    fill(filler, rng.randint(0, 100))
    write(store, writers, 1)
    owner.end(signal.SIGKILL)
    seq, _ = verify(store, writers, seq)
    os.unlink(filler)
    return seq


def run(programs, folder, rng, chosen):
    if not mounted(folder):
        raise Skipped("no file system may be mounted here")
    try:
        store = Store(programs, os.path.join(folder, "store"))
        store.create()
        writers = ([Protocol(f"http{i}-", rng.random(), PADDING) for i in range(3)] +
                   [Pairs("pair-", rng.random(), PADDING)])
        seq = None
        for _ in range(max(1, chosen.rounds // 10)):
            seq = one_round(store, writers, rng, os.path.join(folder, "filler"), seq)
    finally:
        subprocess.run(["umount", "-l", folder], check=False)
    return "full disks: writes were refused, worked again when there was room, and no acknowledged change is lost"
