"""campaign - kill, cut, damage and strain stores, and compare what is left with what was acknowledged

    campaign.py --build DIR [--seed N] [--kind KIND]... [--rounds N] [--seconds N]

Kinds:
    kill     kill -9 of the owner of a store while several front ends write to it
    power    the same, then the state that a power cut may leave: unsynced ends of files are cut, zeroed or garbage
    sync     as power, with an fdatasync that fails on the way
    damage   a random byte of the database is changed, a file is cut or removed: each answer is whole, or a refusal
    disk     the disk fills up, gets room again, and the owner is killed while it is full (needs root)
    soak     200 connections write and read at once; --seconds says how long

The same seed draws the same decisions; what the threads make of them is up to the scheduler.  Without --kind all kinds run.
--rounds is for each kind; ITEMFS_ROUNDS: so many times as many.  Exit status 0: nothing acknowledged was lost, nothing hung, nothing aborted; 1: something
was; 77: none of the kinds can be run here.
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time

import damage
import disk
import kill
import power
import soak
from store import Failure, Owner, Programs, Skipped

KINDS = {"kill": kill.run, "power": power.run, "sync": power.run_with_failing_sync, "damage": damage.run,
         "disk": disk.run, "soak": soak.run}
SKIPPED = 77  # exit status of a test that cannot be run here


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("ITEMFS_BUILD", "build"), help="the build folder")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ITEMFS_SEED", "1")))
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3, help="of a soak")
    parser.add_argument("--keep", action="store_true", help="leave the folder of a failed kind")
    chosen = parser.parse_args()
    chosen.rounds *= int(os.environ.get("ITEMFS_ROUNDS", "1"))
    return chosen


def run_kind(kind, chosen):
    """One kind in a folder of its own.  Return: the exit status that it asks for."""
    folder = tempfile.mkdtemp(prefix=f"itemfs-crash-{kind}-")
    started = time.monotonic()
    status = 0
    try:
        report = KINDS[kind](Programs(chosen.build), folder, random.Random(f"{chosen.seed}/{kind}"), chosen)
    except Skipped as reason:
        report, status = f"skipped: {reason}", SKIPPED
    except Failure as failure:
        report, status = f"FAILED with --seed {chosen.seed} --kind {kind}: {failure}", 1
    finally:
        Owner.abandon()
        if status != 1 or not chosen.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{kind}: {report} ({time.monotonic() - started:.0f} s)", flush=True)
    return status


def main():
    chosen = options()
    ends = [run_kind(kind, chosen) for kind in chosen.kind or KINDS]
    return 1 if 1 in ends else min(ends)


if __name__ == "__main__":
    sys.exit(main())
