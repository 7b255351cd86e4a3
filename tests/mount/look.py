"""look - compare what the mounts of the stress test show with the model."""
import errno
import json
import os

from model import BUSY, THERE, digest, text_of


class Stale(Exception):
    pass


class View:
    """One mount: the paths of items and of index entries in it; either may be None."""

    def __init__(self, name, items, entries, outages, at):
        self.name, self.items, self.entries = name, items, entries
        self.outages, self.at = outages, at  # a count, odd while the view is unmounted

    def outage(self):
        return self.outages[self.at]


ABSENT = (errno.ENOENT, errno.ESTALE, errno.ENOTDIR)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def listing(path, plus):
    """Names in a directory; none when it does not exist.  @plus: also stat each, like ls -l."""
    try:
        if not plus:
            return os.listdir(path)
        names = []
        with os.scandir(path) as entries:
            for e in entries:
                names.append(e.name)
                try:
                    e.stat(follow_symlinks=False)
                except FileNotFoundError:
                    pass
        return names
    except OSError as e:
        if e.errno in ABSENT:
            return []
        raise


HOWS = ("stat", "read", "stat read", "read stat", "list", "plus", "plus stat read")


class Looker:
    def __init__(self, model, views, rng):
        self.model, self.views, self.rng = model, views, rng
        self.checks = 0

    def fail(self, view, path, what, word):
        raise Stale(f"{view.name}: {path}: {what}; it is number {word >> 2}, "
                    f"{'there' if word & THERE else 'absent'}")

    # ---- one name

    def observe(self, path, how):
        """Result of each step: ("stat", size), ("read", bytes), ("list", found); None for absent."""
        seen = []
        for step in how.split():
            try:
                if step == "stat":
                    seen.append((step, os.stat(path).st_size))
                elif step == "read":
                    seen.append((step, read(path)))
                else:
                    directory, name = os.path.split(path)
                    names = listing(directory, step == "plus")
                    if names.count(name) > 1:
                        raise Stale(f"{path}: listed twice")
                    seen.append((step, name in names))
            except OSError as e:
                if e.errno not in ABSENT:
                    raise
                seen.append((step, None))
        return seen

    def compare(self, view, path, seen, item, word):
        """@item: the item that the path must show; None: no file"""
        for step, found in seen:
            self.checks += 1
            if step in ("list", "plus"):
                if found != (item is not None):
                    self.fail(view, path, f"{step} finds it: {found}", word)
            elif item is None or found is None:
                if item is not None or found is not None:
                    self.fail(view, path, f"{step} says {str(found)[:150]}", word)
            elif step == "stat":
                if found != len(text_of(item)) + 1:
                    self.fail(view, path, f"size {found}, not {len(text_of(item)) + 1}", word)
            elif not same(found, item):
                self.fail(view, path, f"content {found[:150]} ... {len(found)} bytes", word)

    def look(self, view, path, slot, expect, how):
        """Look once; report nothing when a writer changes the slot or the view meanwhile."""
        model = self.model
        outage, before = view.outage(), model.word(slot)
        if outage % 2 or before & BUSY:
            return
        try:
            seen = self.observe(path, how)
        except OSError as e:
            if view.outage() != outage or model.word(slot) != before:
                return
            raise Stale(f"{view.name}: {path}: {e}") from e
        if view.outage() == outage and model.word(slot) == before:
            self.compare(view, path, seen, expect(before), before)

    def slot(self, view, slot, how=None):
        """Check the item in the table."""
        self.look(view, f"{view.items}/{slot.pk}/{slot.name}", slot,
                  lambda word: self.model.item(slot, word) if word & THERE else None,
                  how or self.rng.choice(HOWS))

    def entry(self, view, slot, word, how=None):
        """Check the index entry that the slot has, or had, in the state @word."""
        place = self.model.entry(slot, word)
        if place is None:
            return
        self.look(view, f"{view.entries}/{place[0]}/{place[1]}", slot,
                  lambda now: self.model.item(slot, now) if self.model.entry(slot, now) == place else None,
                  how or self.rng.choice(HOWS))

    # ---- whole directories, of slots that no writer changes now

    def names(self, view, path, expected):
        outage = view.outage()
        if outage % 2:
            return
        names = listing(path, self.rng.random() < 0.5)
        if view.outage() == outage and sorted(names) != sorted(expected):
            raise Stale(f"{view.name}: {path} lists {sorted(names)}, not {sorted(expected)}")
        self.checks += 1

    def tree(self, root):
        """Path below the root -> digest of the contents."""
        out = {}
        for directory, _, files in os.walk(root):
            for name in files:
                path = f"{directory}/{name}"
                size, text = os.stat(path).st_size, read(path)
                if size != len(text):
                    raise Stale(f"{path}: size {size}, {len(text)} bytes")
                out[os.path.relpath(path, root)] = digest(json.loads(text))
        return out

    def everything(self, view):
        """Check each directory and all contents while there is no writer."""
        items, entries = {}, {}
        for s in self.model.slots:
            word = self.model.word(s)
            if word & THERE:
                items[f"{s.pk}/{s.name}"] = digest(self.model.item(s, word))
                place = self.model.entry(s, word)
                if place is not None:
                    entries["/".join(place)] = items[f"{s.pk}/{s.name}"]
        for root, expected in ((view.items, items), (view.entries, entries)):
            if root is None:
                continue
            shown = self.tree(root)
            if shown != expected:
                wrong = {p for p in shown.keys() | expected.keys() if shown.get(p) != expected.get(p)}
                raise Stale(f"{view.name}: {root}: wrong are {sorted(wrong)[:20]}")
            self.checks += len(expected)


def same(text, item):
    try:
        return text.endswith(b"\n") and digest(json.loads(text)) == digest(item)
    except ValueError:
        return False
