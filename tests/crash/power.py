"""power - what a power cut may leave: all that was synced, and of the rest anything

The owner runs under strace, which tells how far each file of the database was synced.  After the owner was killed,
copies of the store are made whose files end somewhere between there and their end.
"""
import os
import re
import shutil
import subprocess

from kill import write_until_killed
from store import Failure, Skipped, Store
from writers import Files, crew, some_of

CUTS = 8  # states of each round

CALL = re.compile(r"^(\d+) +(?:(\w+)\(\d+<([^>]*)>|<\.\.\. (\w+) resumed>)(.*)$")


class Trace:
    """Bytes written and bytes synced of each file."""

    def __init__(self, path):
        self.written, self.synced = {}, {}
        self.pending = {}  # thread -> (call, file, bytes written when it began)
        with open(path, errors="replace") as lines:
            for line in lines:
                self.read(line)

    def read(self, line):
        found = CALL.match(line)
        if found is None:
            return
        thread, call, file, resumed, rest = found.groups()
        if resumed is None:
            self.pending[thread] = (call, file, self.written.get(file, 0))
        if "unfinished" in rest or thread not in self.pending:
            return
        call, file, before = self.pending.pop(thread)
        result = re.search(r"= (-?\d+)", rest)
        if result is None or int(result.group(1)) < 0:
            return
        if call == "write":
            self.written[file] = self.written.get(file, 0) + int(result.group(1))
        else:
            self.synced[file] = max(self.synced.get(file, 0), before)


def leave(dice, path, synced):
    """Something that a power cut may leave of the file's end."""
    size = os.path.getsize(path)
    kept = dice.choice([synced, size, dice.randint(synced, size)])
    with open(path, "r+b") as file:
        file.truncate(kept)
        if dice.random() < 0.4:
            file.truncate(size)  # its length is there, its blocks are not
        elif dice.random() < 0.3:
            file.seek(kept)
            file.write(dice.randbytes(size - kept))


def is_of_database(file, store):
    """LOG is LevelDB's diary, which nobody reads back."""
    return os.path.dirname(file) == os.path.realpath(store.path) + "/db" and os.path.basename(file) != "LOG"


def cut(store, trace, dice, name):
    """A copy of the store as a power cut may leave it"""
    copy = os.path.join(os.path.dirname(store.path), name)
    shutil.copytree(store.path, copy, ignore=shutil.ignore_patterns("socket", "mount"))
    files = [file for file in sorted(trace.written) if is_of_database(file, store)]
    if not files:
        raise Failure("strace has seen no file of the database")
    for file in files:
        at = os.path.join(copy, "db", os.path.basename(file))
        if os.path.exists(at):
            leave(dice, at, min(trace.synced.get(file, 0), os.path.getsize(at)))
    return Store(store.programs, copy)


def verify_cut(store, writers):
    store.check()
    items = store.items()
    records = store.changes(None)
    for writer in writers:
        writer.ledger.verify_stream(writer.ledger.verify(items), records)
    shutil.rmtree(store.path)


def rounds(programs, folder, dice, chosen, inject, may_fail):
    mountpoint = os.path.join(folder, "m")
    os.mkdir(mountpoint)
    states = 0
    for number in range(max(1, chosen.rounds // CUTS)):
        store = Store(programs, os.path.join(folder, f"store{number}"))
        store.create()
        writers = some_of(dice, crew(dice))
        for writer in writers:
            if isinstance(writer, Files) and writer.lazy:
                writer.ledger.acknowledge = lambda: None
        trace = store.path + ".trace"
        wrapper = ["strace", "-f", "-y", "-s", "0", "-e", "trace=write,fdatasync,fsync", *inject(dice), "-o", trace]
        write_until_killed(store, writers, mountpoint if os.path.exists("/dev/fuse") else None,
                           dice.uniform(0.3, 1.5), wrapper, may_fail)
        seen = Trace(trace)
        for state in range(CUTS):
            verify_cut(cut(store, seen, dice, f"cut{state}"), writers)
            states += 1
        shutil.rmtree(store.path)
    return f"{states} states after a power cut, none that was acknowledged is lost"


def needs_strace():
    if not shutil.which("strace") or subprocess.run(["strace", "-f", "-e", "trace=none", "true"],
                                                    stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skipped("strace is not there, or may not trace")


def run(programs, folder, dice, chosen):
    needs_strace()
    return rounds(programs, folder, dice, chosen, lambda dice: [], False)


# The first syncs are those of the start, which then fails as a whole.
def run_with_failing_sync(programs, folder, dice, chosen):
    needs_strace()
    return rounds(programs, folder, dice, chosen,
                  lambda dice: ["-e", f"inject=fdatasync:error=EIO:when={dice.randint(20, 200)}+"], True)
