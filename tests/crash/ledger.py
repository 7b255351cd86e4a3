"""ledger - what one writer did, and which states of its items are right after a crash

A writer makes one change after the other, each with a number of its own.  What a crash leaves must be the state after
some change c: at least the last one that was acknowledged, at most the last one that was begun.
"""
import os

from store import Failure


class Change:
    """@after: key -> its new n, or None where the item is deleted; @atomic: all of it or nothing"""

    def __init__(self, after, atomic=True):
        self.after = after
        self.whole = after  # of one that is not atomic @after is what came to pass
        self.atomic = atomic


class Ledger:
    """@record: descriptor of a recording (record.py) that is told of each beginning and acknowledgement, or None"""

    record = None

    def __init__(self, name):
        self.name = name  # what the partition keys of its items begin with
        self.base = {}
        self.forget()

    def forget(self):
        self.changes = []
        self.durable = 0  # so many of them were acknowledged

    def now(self):
        """The state after all of them."""
        return self.after(len(self.changes))

    def after(self, count):
        state = dict(self.base)
        for change in self.changes[:count]:
            state.update(change.after)
        return {key: n for key, n in state.items() if n is not None}

    def begin(self, change):
        self.changes.append(change)
        self.note("b")

    def acknowledge(self):
        self.durable = len(self.changes)
        self.note("a")

    def note(self, what):
        if self.record is not None:
            os.write(self.record, f"{what} {self.name} {len(self.changes)}\n".encode())

    def at(self, moment):
        """As it was at that moment of a recording; None: as it is."""
        if moment is None:
            return self
        then = Ledger(self.name)
        begun, then.durable = moment.counts.get(self.name, (0, 0))
        then.base = self.base
        then.changes = [Change(change.whole, change.atomic) for change in self.changes[:begun]]
        return then

    def own(self, key):
        return key[0].startswith(self.name)

    def find(self, state):
        """How many of the changes does the state show?"""
        for count in range(len(self.changes), self.durable - 1, -1):
            if state == self.after(count):
                return count
        raise Failure(f"{self.name}: {self.describe(state)}")

    def describe(self, state):
        wanted = self.after(self.durable)
        differing = [f"{key}: {state.get(key)} instead of {wanted.get(key)}"
                     for key in sorted(set(wanted) | set(state)) if state.get(key) != wanted.get(key)]
        return f"not the state after any of the changes {self.durable} to {len(self.changes)}: {'; '.join(differing[:5])}"

    def find_parts(self, state):
        """The same where the last change may be there in part, which then becomes the change that was made."""
        last = self.changes[-1] if self.changes else None
        if last is None or last.atomic or self.durable == len(self.changes):
            return self.find(state)
        before = self.after(len(self.changes) - 1)
        last.after = {k: n for k, n in last.whole.items() if state.get(k) == n and before.get(k) != n}
        return self.find(state)

    def verify(self, items):
        """@items: of the whole table.  Return: how many changes are there."""
        return self.find_parts({key: n for key, n in items.items() if self.own(key)})

    def verify_stream(self, count, records):
        """Each of the changes has exactly one record for each of its keys, in order."""
        told = [(key, n) for _, key, n in records if self.own(key)]
        for change in self.changes[:count]:
            wanted = sorted(change.after.items(), key=str)
            if sorted(told[:len(wanted)], key=str) != wanted:
                raise Failure(f"{self.name}: the stream has {told[:len(wanted)]} instead of {wanted}")
            told = told[len(wanted):]
        if told:
            raise Failure(f"{self.name}: the stream has records of changes that are not there: {told[:3]}")

    def settle(self, items):
        """What is there is where the next round begins."""
        self.base = {key: n for key, n in items.items() if self.own(key)}
        self.forget()
