"""power - what a power cut may leave: all synced data, and anything of the rest

The programs run with a recorder (recorder.c), which records all changes of files.  After the owner was killed or has
ended, folders are built as a power cut at some moment may leave them (record.py), and compared with the changes that
were acknowledged until that moment.
"""
import os
import shutil
import signal
import time

from copies import Copies
from kill import Found, write_until_ended
from record import Recording
from store import Failure, Store
from writers import crew, some_of

CUTS = 8  # states that are checked in each round
FILLING = 10  # seconds at most
PADDING = 50000  # bytes in each item of every fourth round: they fill LevelDB's log, and it begins a new one


def verify_cut(programs, recording, rng, root, writers):
    moment = recording.moment(rng)
    recording.leave(moment, rng, root)
    store = Store(programs, os.path.join(root, "store"))
    if not os.path.exists(os.path.join(store.path, "db", "CURRENT")):
        raise Failure("the store is missing")
    found = Found(store, None)
    for writer in writers:
        writer.verify(found, moment)
    shutil.rmtree(root)


def wait_for_log(store):
    """Wait until the writers have filled LevelDB's log, or for FILLING seconds."""
    def newest():
        return max(name for name in os.listdir(os.path.join(store.path, "db")) if name.endswith(".log"))

    first = newest()
    until = time.monotonic() + FILLING
    while newest() == first and time.monotonic() < until:
        time.sleep(0.005)


def one_round(programs, folder, rng, failing, is_large):
    root = os.path.join(folder, "root")
    os.mkdir(root)
    os.mkdir(os.path.join(root, "copies"))
    Store(programs, os.path.join(root, "store")).create()
    os.makedirs(os.path.join(root, "store", "buckets", "bkt"))
    recording = Recording(programs, root, failing)
    store = Store(programs, os.path.join(root, "store"), recording.environment)
    writers = crew(rng, PADDING) if is_large else some_of(rng, crew(rng) + [Copies("copy-", rng.random())])
    for writer in writers:
        for ledger in writer.ledgers():
            ledger.record = recording.notes
    end = signal.SIGTERM if failing is None and rng.random() < 0.2 else signal.SIGKILL
    seconds = rng.uniform(0.1, 0.5) if is_large else rng.uniform(0.3, 1.5) if rng.random() < 0.7 else rng.uniform(2.2, 4)
    write_until_ended(store, writers, os.path.join(folder, "m") if os.path.exists("/dev/fuse") else None, seconds, end,
                      failing is not None, lambda: wait_for_log(store) if is_large else None)
    recording.close()
    for _ in range(CUTS):
        verify_cut(programs, recording, rng, os.path.join(folder, "cut"), writers)
    for path in (root, recording.graves):
        shutil.rmtree(path)
    os.unlink(recording.path)


def rounds(programs, folder, rng, chosen, failing):
    os.mkdir(os.path.join(folder, "m"))
    number = max(1, chosen.rounds // CUTS)
    for at in range(number):
        one_round(programs, folder, rng, failing(rng), at % 4 == 1)
    return f"{number * CUTS} states after a power cut, no acknowledged change is lost"


def run(programs, folder, rng, chosen):
    return rounds(programs, folder, rng, chosen, lambda rng: None)


# The first 20 syncs work, because they belong to the start of the owner, which would fail.
def run_with_failing_sync(programs, folder, rng, chosen):
    return rounds(programs, folder, rng, chosen, lambda rng: rng.choice(["", "+"]) + str(rng.randint(20, 200)))
