#!/bin/sh
# Write sharding: one hot partition of an index becomes several, read together.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# All open orders by date: one partition key OPEN would get every write, and a partition takes 1,000 writes
# and 3,000 reads a second. OpenShard is a number instead, 0 to 3, and only open orders have one.
ls mnt/.index/OpenByDate
ls -U mnt/.index/OpenByDate/0
ls -U mnt/.index/OpenByDate/1

# How many shards? So that all of them together can be read in one second: 3 million orders, a fifth of them
# open, 250 bytes each.
itemctl shards plan --items 3M --fraction 0.2 --item-size 250

# The answer is one, in order: whoever reads sees no shards.
itemctl run patterns open-orders from=2018-08-01 to=2018-08-10
ls -U mnt/.index/OpenByDate/.shards/0..3/.ge/2018-08-20

# Backwards with a limit: three of each shard are read at most, and three are printed.
itemctl --stats run patterns newest-open

# An order's shard is CRC-32 of its id modulo four. Who knows the id reads one shard.
itemctl run patterns open-order order=O-007

# A shipped order loses the attribute and leaves the index; there is nothing to filter later.
itemctl run patterns ship order=O-007
itemctl run patterns open-order order=O-007
END
