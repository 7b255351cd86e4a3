"""damage - a database with a changed byte, or a truncated or missing file: an answer is complete, or a refusal with a message"""
import json
import os
import shutil

from store import Failure, Store

ITEMS = 6000
PADDING = 300  # random bytes per item, so that a scan has several pages, and blocks do not compress away

READS = [["scan", "tab"], ["query", "tab", "p1"], ["get", "tab", "p1", "1"],
         ["scan", "tab", "--index", "byG"], ["tail", "tab", "--from", "start", "--once"],
         ["describe", "tab"], ["tables"]]


def make(store, rng):
    """Create items, index entries and stream records in several table files and in the log."""
    store.create()
    for part in range(3):
        lines = "".join(json.dumps({"PK": f"p{i % 7}", "SK": i, "n": i, "G": f"g{i % 5}", "pad": rng.randbytes(PADDING).hex()}) + "\n"
                        for i in range(part, ITEMS, 3))
        status, _, messages = store.ctl("-q", "import", "tab", "-", text=lines)
        if status != 0:
            raise Failure(f"import: {messages}")
        if part < 2:
            store.ask("-q", "compact")


def harm(rng, db):
    """Change something in one file.  Return: a description for the report."""
    name = rng.choice(sorted(n for n in os.listdir(db) if n not in ("LOCK", "LOG", "LOG.old") and os.path.getsize(os.path.join(db, n)) > 0))
    path = os.path.join(db, name)
    size = os.path.getsize(path)
    how = rng.choice(["byte"] * 8 + ["cut", "gone"])
    if how == "gone":
        os.unlink(path)
        return f"{name} is removed"
    at = rng.choice([rng.randrange(size), max(0, size - 1 - rng.randrange(60))])
    with open(path, "r+b") as file:
        if how == "cut":
            file.truncate(at)
            return f"{name} is truncated at {at}"
        file.seek(at)
        old = file.read(1)[0]
        file.seek(at)
        file.write(bytes([old ^ (1 << rng.randrange(8))]))
    return f"byte {at} of {name} is changed"


def judge(what, words, status, out, messages, whole):
    """Accept the answer of the undamaged store; any other needs a status or a message that says why."""
    if status == 0 and out != whole and not messages:
        raise Failure(f"{what}: itemctl {' '.join(words)} gives another answer, with status 0 and without a message")
    if status != 0 and not (messages or out):
        raise Failure(f"{what}: itemctl {' '.join(words)} fails without a message")


def round_of_damage(store, copy, rng, whole):
    shutil.copytree(store.path, copy.path, ignore=shutil.ignore_patterns("socket", "mount"))
    what = harm(rng, os.path.join(copy.path, "db"))
    first = rng.randrange(len(READS))
    refused = False
    for words in READS[first:] + READS[:first]:
        status, out, messages = copy.ctl(*words)
        judge(what, words, status, out, messages, whole[tuple(words)])
        refused = refused or status != 0
        if messages and status == 0:
            break  # it reported a loss; later commands may be silent about it
    if copy.ctl("check")[0] == 0 and refused:
        raise Failure(f"{what}: a read is refused, but check finds nothing")
    copy.ctl("check", "--repair")
    copy.ctl("scan", "tab")
    shutil.rmtree(copy.path)


def run(programs, folder, rng, chosen):
    store = Store(programs, os.path.join(folder, "store"))
    make(store, rng)
    whole = {tuple(words): store.ask(*words) for words in READS}
    for _ in range(chosen.rounds):
        round_of_damage(store, Store(programs, os.path.join(folder, "copy")), rng, whole)
    return f"{chosen.rounds} damaged stores: no answer was silently incomplete, nothing aborted or hung"
