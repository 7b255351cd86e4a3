"""campaign - kills, cuts off, damages and overloads stores, and compares the result with the acknowledged changes

    campaign.py --build DIR [--seed N] [--kind KIND]... [--rounds N] [--seconds N]

Kinds:
    kill     kill -9 of the owner of a store while several front ends write to it
    power    the same, then states that a power cut may leave: unsynced ends of files are cut, zeroed or garbage
    sync     as power, with an fdatasync that fails in between
    damage   a random byte of the database is changed, a file is truncated or removed: each answer is complete, or a refusal
    disk     the disk becomes full, gets room again, and the owner is killed while it is full (needs root)
    soak     200 connections write and read at the same time for --seconds

The same seed gives the same decisions, but the scheduler decides how the threads interleave.  Without --kind all kinds
run.  --rounds applies to each kind and is multiplied by ITEMFS_ROUNDS.  Exit status 0: no acknowledged change was
lost, nothing hung or aborted; 1: there was a failure; 77: none of the kinds can run here.
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
SKIPPED = 77  # exit status of a skipped test


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("ITEMFS_BUILD", "build"), help="the build folder")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ITEMFS_SEED", "1")))
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3, help="duration of a soak")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failed kind")
    chosen = parser.parse_args()
    chosen.rounds *= int(os.environ.get("ITEMFS_ROUNDS", "1"))
    return chosen


def run_kind(kind, chosen):
    """Run one kind in its own folder.  Return: its exit status."""
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
