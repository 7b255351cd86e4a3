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

# And is the load even? What each shard was written since the store was made, in units. One of them would be
# hot at 1,000 in a second: then this says so, and what to type.
itemctl -q shards heat orders --index OpenByDate --since 1h --format jsonl | jq -c '{Key,WriteUnits}' | sort

# The answer is one, in order: whoever reads sees no shards.
itemctl run patterns open-orders from=2018-08-01 to=2018-08-10
ls -U mnt/.index/OpenByDate/.shards/0..3/.ge/2018-08-20

# Backwards with a limit: three of each shard are read at most, and three are printed.
itemctl --stats run patterns newest-open

# An order's shard is CRC-32 of its id modulo four. Who knows the id reads one shard.
itemctl run patterns open-order order=O-007

# Every language has that function; in the shell it is in the last eight bytes of gzip. In a shard 9 nobody would ever
# find an order, so that place-order refuses it.
crc32() { printf %s "$1" | gzip -c | tail -c 8 | od -An -N4 -tu4; }
itemctl --quiet run patterns place-order order=O-100 shard=$(($(crc32 O-100) % 4))
itemctl run patterns open-order order=O-100
itemctl --quiet run patterns place-order order=O-101 shard=9

# Orders that were there before the index have no shard. A job gives it to them, and may be repeated; who is shipped
# meanwhile stays out. It moves orders to more shards, too: readers first, all of the shards; then writers; then the
# job. Only then --hash finds all again.
printf '{"OrderId":"O-%s","OrderDate":"2018-07-0%s","Total":%s,"Status":"OPEN"}\n' 901 1 10 902 2 20 903 3 30 | itemctl --quiet import orders
itemctl shards assign orders --attr OpenShard --shards 4 --hash OrderId --filter 'Status = "OPEN"'
itemctl shards assign orders --attr OpenShard --shards 4 --hash OrderId --filter 'Status = "OPEN"'
itemctl run patterns open-orders from=2018-07-01 to=2018-07-31

# A shipped order loses the attribute and leaves the index; there is nothing to filter later.
itemctl run patterns ship order=O-007
itemctl run patterns open-order order=O-007

# Where nobody looks for one order, shards may be drawn by lot: even, whatever the ids are. Who has one keeps it.
itemctl shards assign orders --attr Lot --shards 4 --random --filter 'Status = "OPEN"'
itemctl shards assign orders --attr Lot --shards 4 --random --filter 'Status = "OPEN"'
END
