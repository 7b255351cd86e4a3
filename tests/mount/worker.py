"""worker - a writer of the stress test: no other changes its slots, so it knows what all mounts must show."""
import os

from front_ends import EXCHANGE, NOREPLACE, Itemctl, Protocol, Sdk, rename, write_file
from look import ABSENT, Looker, Stale, same
from model import ENDS, NAMES, OWN, text_of


class Worker:
    def __init__(self, setup, me, phase, rng):
        self.model, self.me, self.rng = setup.model, me, rng
        self.slots = self.model.own(me)
        self.mounts = [v for v in setup.views if v.items is not None]
        self.indexes = [v for v in setup.views if v.entries is not None]
        self.looker = Looker(self.model, setup.views, rng)
        # The first worker uses an SDK, where there is one.
        self.protocol = Sdk(setup.url) if me == 0 and setup.url else Protocol(setup.store)
        self.itemctl = Itemctl(setup.itemctl, setup.store)
        self.turn = phase * 1000000
        # Partitions that a mount may show although they are empty: created or emptied through it.
        self.pending = {v.name: {f"w{me}p{p}" for p in range(OWN)} for v in self.mounts}

    # ---- helpers

    def number(self):
        self.turn += 1
        return self.turn * self.model.workers + self.me

    def pick(self, n, there=None):
        """Up to @n slots; @there: only those that exist, or do not."""
        slots = [s for s in self.slots if there is None or self.model.is_there(s) == there]
        return self.rng.sample(slots, min(n, len(slots)))

    def item(self, slot, number):
        return self.model.item(slot, number << 2)

    def path(self, view, slot):
        return f"{view.items}/{slot.pk}/{slot.name}"

    def room(self, view, slot):
        """The directory; created if necessary."""
        try:
            os.mkdir(f"{view.items}/{slot.pk}")
            self.pending[view.name].add(slot.pk)
        except FileExistsError:
            pass

    def in_room(self, view, slot, run):
        """Call @run, which needs the directory.  A shared one disappears when another worker removes its last item."""
        for again in range(100, -1, -1):
            self.room(view, slot)
            try:
                run()
                return
            except OSError as e:
                if e.errno not in ABSENT or self.own_partitions([slot]) or again == 0:
                    raise

    def own_partitions(self, slots):
        return {s.pk for s in slots if s.pk.startswith("w")}

    def filled(self, pk):
        return any(s.pk == pk and self.model.is_there(s) for s in self.slots)

    # ---- an operation: let the kernels cache the old state, change it, look at once

    def change(self, slots, new, run, view=None):
        """@new: number of each slot's new contents, None for none; @view: the mount that is used"""
        model = self.model
        old = {s: model.word(s) for s in slots}
        filled = {pk for pk in self.own_partitions(slots) if self.filled(pk)}
        self.warm(slots)
        model.begin(slots)
        run()
        for s, number in zip(slots, new):
            model.end(s, self.number() if number is None else number, number is not None)
        for pk in self.own_partitions(slots):
            self.note_pending(pk, view, pk in filled)
        self.verify(slots, old)

    def note_pending(self, pk, view, was_filled):
        """Update what the mounts may show of our partition, which is empty now, or not any more."""
        for v in self.mounts:
            if v is view and not self.filled(pk):
                self.pending[v.name].add(pk)
            elif self.filled(pk) or was_filled:
                self.pending[v.name].discard(pk)

    def warm(self, slots):
        for s in slots:
            self.looker.slot(self.rng.choice(self.mounts), s)
            self.looker.entry(self.rng.choice(self.indexes), s, self.model.word(s))

    def verify(self, slots, old):
        looker = self.looker
        for s in slots:
            for v in self.rng.sample(self.mounts, len(self.mounts)):
                looker.slot(v, s)
            for v in self.rng.sample(self.indexes, len(self.indexes)):
                looker.entry(v, s, old[s])
                looker.entry(v, s, self.model.word(s))
        for pk in self.own_partitions(slots):
            names = [s.name for s in self.slots if s.pk == pk and self.model.is_there(s)]
            v = self.rng.choice(self.mounts)
            looker.names(v, f"{v.items}/{pk}", names)
            for v in self.mounts:
                if pk not in self.pending[v.name] and os.path.isdir(f"{v.items}/{pk}") != bool(names):
                    raise Stale(f"{v.name}: {pk} is {'not ' if names else ''}there")
        self.verify_index(slots, old)

    def verify_index(self, slots, old):
        """Check listings of the index partitions in which only we have entries."""
        def place_of(s):
            return self.model.entry(s, self.model.word(s))
        groups = {p[0] for s in slots for p in (place_of(s), self.model.entry(s, old[s])) if p}
        for g in groups - {"g"}:
            v = self.rng.choice(self.indexes)
            places = [place_of(s) for s in self.slots]
            self.looker.names(v, f"{v.entries}/{g}", [p[1] for p in places if p and p[0] == g])

    # ---- through a mount

    def write(self):
        s, = self.pick(1)
        v, number = self.rng.choice(self.mounts), self.number()
        sync, keys = self.rng.random() < 0.2, self.rng.random() < 0.7
        self.change([s], [number], lambda: self.in_room(
            v, s, lambda: write_file(self.path(v, s), self.item(s, number), keys, sync)), v)

    def unlink(self):
        for s in self.pick(1, True):
            v = self.rng.choice(self.mounts)
            self.change([s], [None], lambda s=s: os.unlink(self.path(v, s)), v)

    def rename(self):
        a, b = self.pick(2)
        if not self.model.is_there(a):
            return
        v = self.rng.choice(self.mounts)
        number = self.model.word(a) >> 2
        self.change([a, b], [None, number], lambda: self.in_room(
            v, b, lambda: os.rename(self.path(v, a), self.path(v, b))), v)

    def rename_same_size_and_time(self):
        """Change only the contents: neither size nor time tells a kernel that its pages are old."""
        a, b = self.pick(2)
        number = self.number()
        size = len(text_of(self.item(a, number)))
        others = (self.number() for _ in range(200))
        other = next((n for n in others if len(text_of(self.item(b, n))) == size), None)
        if other is None:
            return
        self.change([a, b], [number, other], lambda: self.protocol.batch(
            [self.item(a, number), self.item(b, other)], []))
        v = self.rng.choice(self.mounts)
        for s in (a, b):
            os.utime(self.path(v, s), (12345, 12345))
        for w in self.mounts:
            self.looker.slot(w, a, "read stat")
            self.looker.slot(w, b, "read stat")
        self.change([a, b], [None, number], lambda: os.rename(self.path(v, a), self.path(v, b)), v)

    def exchange(self):
        slots = self.pick(2, True)
        if len(slots) == 2:
            a, b = slots
            v = self.rng.choice(self.mounts)
            numbers = [self.model.word(b) >> 2, self.model.word(a) >> 2]
            self.change(slots, numbers, lambda: rename(self.path(v, a), self.path(v, b), EXCHANGE), v)

    def refused_rename(self):
        slots = self.pick(2, True)
        if len(slots) == 2:
            v = self.rng.choice(self.mounts)
            try:
                rename(self.path(v, slots[0]), self.path(v, slots[1]), NOREPLACE)
            except FileExistsError:
                self.verify(slots, {s: self.model.word(s) for s in slots})
                return
            raise Stale("RENAME_NOREPLACE replaced something")

    def move_partition(self):
        p, q = self.rng.sample(range(OWN), 2)
        a, b = self.slots[p * NAMES:(p + 1) * NAMES], self.slots[q * NAMES:(q + 1) * NAMES]
        if not self.filled(a[0].pk) or self.filled(b[0].pk):
            return
        v = self.rng.choice(self.mounts)
        numbers = [self.model.word(s) >> 2 if self.model.is_there(s) else None for s in a]
        self.change(a + b, [None] * NAMES + numbers,
                    lambda: os.rename(f"{v.items}/{a[0].pk}", f"{v.items}/{b[0].pk}"), v)

    def remove_directory(self):
        v, pk = self.rng.choice(self.mounts), f"w{self.me}p{self.rng.randrange(OWN)}"
        slots = [s for s in self.slots if s.pk == pk]
        try:
            os.rmdir(f"{v.items}/{pk}")
            if self.filled(pk):
                raise Stale(f"{v.name}: rmdir of {pk} with items")
            self.pending[v.name].discard(pk)
        except OSError as e:
            if isinstance(e, FileNotFoundError) == self.filled(pk) and \
                    (self.filled(pk) or pk not in self.pending[v.name]):
                raise
        self.verify(slots, {s: self.model.word(s) for s in slots})

    # ---- through other front ends

    def put(self):
        s, = self.pick(1)
        number = self.number()
        self.change([s], [number], lambda: self.protocol.put(self.item(s, number)))

    def put_below_open_file(self):
        """Check that an open file shows the new contents, too."""
        for s in self.pick(1, True):
            v, number = self.rng.choice(self.mounts), self.number()
            with open(self.path(v, s), "rb") as f:
                f.read()
                self.change([s], [number], lambda: self.protocol.put(self.item(s, number)))
                f.seek(0)
                size, text = os.fstat(f.fileno()).st_size, f.read()
                if size != len(text) or not same(text, self.item(s, number)):
                    raise Stale(f"{v.name}: open {self.path(v, s)}: {size}, {text[:150]}")

    def update(self):
        s, = self.pick(1)
        number = self.number()
        self.change([s], [number], lambda: self.protocol.update(
            self.item(s, number), ("v", "G", "H", "end", "text")))

    def delete(self):
        s, = self.pick(1)
        self.change([s], [None], lambda: self.protocol.delete(self.item(s, 0)))

    def many(self, run):
        slots = self.pick(self.rng.randrange(2, 6))
        numbers = [None if self.rng.random() < 0.4 else self.number() for _ in slots]
        puts = [self.item(s, n) for s, n in zip(slots, numbers) if n is not None]
        deletes = [self.item(s, 0) for s, n in zip(slots, numbers) if n is None]
        self.change(slots, numbers, lambda: run(puts, deletes))

    def transact(self):
        self.many(self.protocol.transact)

    def batch(self):
        self.many(self.protocol.batch)

    def itemctl_put(self):
        s, = self.pick(1)
        number = self.number()
        self.change([s], [number], lambda: self.itemctl.put(self.item(s, number)))

    def itemctl_delete(self):
        for s in self.pick(1, True):
            self.change([s], [None], lambda s=s: self.itemctl.delete(self.item(s, 0)))

    WEIGHTS = {
        write: 20, unlink: 10, rename: 10, rename_same_size_and_time: 4, exchange: 4, refused_rename: 2,
        move_partition: 4, remove_directory: 4, put: 14, put_below_open_file: 6, update: 10, delete: 8,
        transact: 8, batch: 4, itemctl_put: 1, itemctl_delete: 1,
    }

    def run(self, steps):
        for _ in range(steps):
            what, = self.rng.choices(list(self.WEIGHTS), self.WEIGHTS.values())
            try:
                what(self)
            except Exception as e:
                e.add_note(f"in {what.__name__}, turn {self.turn}")
                raise
        return self.looker.checks


def expiring(model, word):
    return model.attributes(word >> 2).get("end") == ENDS
