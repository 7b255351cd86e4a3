"""ledger - the changes of a writer, and the states of its items that are valid after a crash

A writer makes one change after the other, each with its own number.  A crash must leave the state after some change:
at least the last one that was acknowledged, at most the last one that was begun.
"""
import os

from store import Failure


class Change:
    """@after: key -> its new n, or None if the item is deleted; @atomic: all or nothing"""

    def __init__(self, after, atomic=True):
        self.after = after
        self.whole = after  # if not atomic, @after is reduced to the part that happened
        self.atomic = atomic


class Ledger:
    """@record: descriptor of a recording (record.py) that gets each beginning and acknowledgement, or None"""

    record = None

    def __init__(self, name):
        self.name = name  # prefix of the partition keys of its items
        self.base = {}
        self.forget()

    def forget(self):
        self.changes = []
        self.durable = 0  # number of acknowledged changes

    def now(self):
        """Return the state after all changes."""
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
        """Return the ledger as of a moment of a recording; None: now."""
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
        """Return the number of changes after which this is the state."""
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
        """Likewise, but the last change may have happened in part, which then becomes the change."""
        last = self.changes[-1] if self.changes else None
        if last is None or last.atomic or self.durable == len(self.changes):
            return self.find(state)
        before = self.after(len(self.changes) - 1)
        last.after = {k: n for k, n in last.whole.items() if state.get(k) == n and before.get(k) != n}
        return self.find(state)

    def verify(self, items):
        """@items: those of the whole table.  Return: the number of changes that they show."""
        return self.find_parts({key: n for key, n in items.items() if self.own(key)})

    def verify_stream(self, count, records):
        """Check that each change has exactly one record for each of its keys, in order."""
        told = [(key, n) for _, key, n in records if self.own(key)]
        for change in self.changes[:count]:
            wanted = sorted(change.after.items(), key=str)
            if sorted(told[:len(wanted)], key=str) != wanted:
                raise Failure(f"{self.name}: the stream has {told[:len(wanted)]} instead of {wanted}")
            told = told[len(wanted):]
        if told:
            raise Failure(f"{self.name}: the stream has records of changes that the store does not have: {told[:3]}")

    def settle(self, items):
        """Begin the next round with the present state."""
        self.base = {key: n for key, n in items.items() if self.own(key)}
        self.forget()
