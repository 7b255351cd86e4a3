#!/bin/sh
# Sequential ids: a counter in the parent, counted up and returned in one step.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
ls -U mnt/PROJECT#my-project

# Step one: the parent counts. Concurrent callers get different numbers.
itemctl run patterns next-issue project=my-project

# Step two: the child with that number, padded so that it sorts.
itemctl run patterns create-issue project=my-project number=00003 title='Build a data model'
ls -U mnt/PROJECT#my-project

# If step two fails, its number is lost: there are gaps, but never two issues with one number.
itemctl --quiet run patterns next-issue project=my-project
itemctl --quiet run patterns next-issue project=my-project

# Four at the same time: four different numbers.
for i in 1 2 3 4; do itemctl --quiet run patterns next-issue project=my-project & done | sort

# A project that has never counted begins with 1: if_not_exists. Without it the addition fails.
itemctl --quiet run patterns next-issue project=bare
itemctl update jira PROJECT#bare PROJECT#bare 'SET Missing = Missing + 1'
END
