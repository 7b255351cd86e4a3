"""record - the recorded changes of files below a folder (recorder.c), and what a power cut may leave of them

After a power cut each file has its synced bytes, and anything of the rest; each directory has its names of some moment
after its last sync.  Changes of names in one directory keep their order, as in file systems.  Directories and bytes
are independent: a name may exist without the bytes, and the other way round.
"""
import os
import shutil

DURABLE = "user.itemfs.durable"  # extended attribute of a log, see store/kv/ldb_durable.h


class Thing:
    """A file or a directory.  @size, @synced, @noted: bytes of a file, and what its attribute DURABLE says;
    @names, @kept: changes of a directory's names, and how many of them are synced; each change is a list of
    (name, Thing or None)"""

    def __init__(self, inode, folder, size=0, noted=0):
        self.inode, self.folder = inode, folder
        self.size = self.synced = size
        self.noted = noted
        self.names, self.kept = [], 0

    def sync(self, size, names):
        self.synced = max(self.synced, size)
        self.size = max(self.size, size)
        self.kept = max(self.kept, names)


class Moment:
    """The state after some of the lines.  @counts: ledger -> numbers of its begun and acknowledged changes"""

    def __init__(self, base):
        self.things = {}
        self.counts = {}
        self.pending = {}  # thread -> what its running sync makes durable
        for inode, folder, size, noted in base.things:
            self.things[inode] = Thing(inode, folder, size, noted)
        for folder, name, inode in base.names:
            self.change(folder, [(name, self.things[inode])])
        for thing in self.things.values():
            thing.kept = len(thing.names)

    def change(self, folder, names):
        if folder in self.things:
            self.things[folder].names.append(names)

    def follow(self, words):
        getattr(self, FOLLOW[words[0]])(*words[1:])

    def made(self, folder, name, inode, is_folder=False):
        self.things[inode] = Thing(inode, is_folder)
        self.change(folder, [(name, self.things[inode])])

    def made_folder(self, folder, name, inode):
        self.made(folder, name, inode, True)

    def removed(self, folder, name):
        self.change(folder, [(name, None)])

    def renamed(self, folder, name, to_folder, to_name, inode):
        thing = self.things.get(inode)
        if folder == to_folder:
            self.change(folder, [(name, None), (to_name, thing)])
        else:
            self.change(to_folder, [(to_name, thing)])
            self.change(folder, [(name, None)])

    def appended(self, inode, size):
        if inode in self.things:
            self.things[inode].size += int(size)

    def truncated(self, inode, size):
        if inode in self.things:
            thing = self.things[inode]
            thing.size = int(size)
            thing.synced = min(thing.synced, thing.size)

    def syncs(self, thread, inode, size):
        things = self.things.values() if inode == "0" else [self.things[inode]] if inode in self.things else []
        self.pending[thread] = [(t, t.size if inode == "0" else int(size), len(t.names)) for t in things]

    def synced(self, thread):
        for thing, size, names in self.pending.pop(thread, []):
            thing.sync(0 if thing.folder else size, names)

    def note(self, inode, size):
        if inode in self.things:
            self.things[inode].noted = int(size)

    def begun(self, ledger, count):
        self.counts[ledger] = (int(count), self.counts.get(ledger, (0, 0))[1])

    def acknowledged(self, ledger, count):
        self.counts[ledger] = (self.counts[ledger][0] if ledger in self.counts else 0, int(count))


FOLLOW = {"+": "made", "d": "made_folder", "-": "removed", ">": "renamed", "w": "appended", "t": "truncated",
          "s": "syncs", "S": "synced", "n": "note", "b": "begun", "a": "acknowledged"}


def read_note(path):
    """Return the bytes of a log that the store has recorded as synced; 0: not known."""
    return int(os.getxattr(path, DURABLE)) if DURABLE in os.listxattr(path) else 0


class Base:
    """The files below a folder before the recording: they are durable."""

    def __init__(self, root):
        self.things, self.names = [], []
        self.add(root)

    def add(self, path):
        self.things.append((str(os.stat(path).st_ino), True, 0, 0))
        for entry in os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                self.add(entry.path)
            elif entry.is_file(follow_symlinks=False):
                self.things.append((str(entry.inode()), False, entry.stat().st_size, read_note(entry.path)))
            else:
                continue
            self.names.append((str(os.stat(path).st_ino), entry.name.encode().hex(), str(entry.inode())))


class Recording:
    """@root: the folder; files removed below it are kept beside it.  @failing: see CRASH_FAIL_SYNC in recorder.c"""

    def __init__(self, programs, root, failing=None):
        self.root = root
        self.base = Base(root)
        self.graves = root + ".graves"
        os.mkdir(self.graves)
        self.path = root + ".record"
        self.notes = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.environment = {**os.environ, "LD_PRELOAD": programs.recorder, "CRASH_RECORD": self.path, "CRASH_GRAVES": self.graves,
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
        if failing is not None:
            self.environment["CRASH_FAIL_SYNC"] = failing

    def close(self):
        """End the recording: all recorded processes have ended."""
        os.close(self.notes)
        with open(self.path) as lines:
            self.lines = [line.split() for line in lines]
        self.first = self.find_first()
        self.places = {str(e.inode()): e.path for e in os.scandir(self.graves)}
        for folder, _, names in os.walk(self.root):
            self.places.update((str(os.lstat(os.path.join(folder, n)).st_ino), os.path.join(folder, n)) for n in names)

    def find_first(self):
        """Return the first usable line: bytes lost by a truncation are unknown, so no state before it can be built."""
        sizes, first = {}, 0
        for at, words in enumerate(self.lines):
            if words[0] == "w":
                sizes[words[1]] = sizes.get(words[1], 0) + int(words[2])
            elif words[0] == "t":
                if int(words[2]) < sizes.get(words[1], 1):
                    first = at + 1
                sizes[words[1]] = int(words[2])
        return first

    def moment(self, rng):
        """Draw the moment of the power cut: any, the end, an acknowledgement while a name was not synced, or an edit."""
        at = rng.choice([rng.randint(self.first, len(self.lines)), len(self.lines), self.draw_risky(rng), self.draw_edit(rng)])
        moment = Moment(self.base)
        for words in self.lines[:at]:
            moment.follow(words)
        return moment

    def find_risky(self):
        """Return: directory -> [(line that creates a name, first line that syncs it)]."""
        risky, since = {}, {}
        for at, words in enumerate(self.lines):
            if words[0] in "+d>":
                since.setdefault(words[1], []).append(at)
            elif words[0] == "s":
                for folder in list(since) if words[2] == "0" else [words[2]]:
                    risky.setdefault(folder, []).extend((made, at) for made in since.pop(folder, []))
        for folder, made in since.items():
            risky.setdefault(folder, []).extend((at, len(self.lines)) for at in made)
        return {folder: spans for folder, spans in risky.items() if spans}

    def draw_risky(self, rng):
        """Draw a risky moment; each directory has the same probability, regardless of its number of names."""
        risky = self.find_risky()
        made, synced = rng.choice(risky[rng.choice(sorted(risky))]) if risky else (0, len(self.lines))
        acknowledged = [at + 1 for at in range(max(made, self.first), synced) if self.lines[at][0] == "a"]
        return rng.choice(acknowledged or [max(synced, self.first)])

    def draw_edit(self, rng):
        """Draw a moment after an edit of a manifest, when the names of the files that it adds are not synced."""
        manifests, synced, unnamed, edits = {}, set(), set(), []
        for at, words in enumerate(self.lines):
            if words[0] == "+":
                unnamed.add(words[1])
                if bytes.fromhex(words[2]).startswith(b"MANIFEST-"):
                    manifests[words[3]] = words[1]
            elif words[0] == "s":
                synced.add(words[2])
                unnamed.discard(words[2])
            elif words[0] == "w" and words[1] in synced and manifests.get(words[1]) in unnamed and at >= self.first:
                edits.append(at + 1)
        return rng.choice(edits or [len(self.lines)])

    def leave(self, moment, rng, target):
        """Make the folder @target with a state that the power cut may leave."""
        self.leave_folder(moment.things[str(os.stat(self.root).st_ino)], rng, target)

    def leave_folder(self, thing, rng, target):
        os.mkdir(target, 0o700)
        kept = rng.choice([thing.kept, len(thing.names), rng.randint(thing.kept, len(thing.names))])
        entries = {}
        for names in thing.names[:kept]:
            entries.update(names)
        for name, entry in sorted(entries.items()):
            if entry is None:
                continue
            path = os.path.join(target, os.fsdecode(bytes.fromhex(name)))
            if entry.folder:
                self.leave_folder(entry, rng, path)
            else:
                self.leave_file(entry, rng, path)

    def leave_file(self, thing, rng, path):
        kept = rng.choice([thing.synced, thing.size, rng.randint(thing.synced, thing.size)])
        with open(self.places[thing.inode], "rb") as source, open(path, "wb") as file:
            file.write(source.read(kept))
            file.truncate(kept)
            if rng.random() < 0.4:
                file.truncate(thing.size)  # the length was written, the blocks were not
            elif rng.random() < 0.3:
                file.write(rng.randbytes(thing.size - kept))
        shutil.copystat(self.places[thing.inode], path)
        if DURABLE in os.listxattr(path):
            os.removexattr(path, DURABLE)  # the final note
        if thing.noted > 0 and rng.random() < 0.8:
            os.setxattr(path, DURABLE, str(thing.noted).encode())
