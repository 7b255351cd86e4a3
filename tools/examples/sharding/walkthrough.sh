#!/bin/sh
# Write sharding: one hot partition of an index becomes several, read together.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# All open orders by date: a single partition key OPEN would get every write, and a partition takes 1,000 writes and
# 3,000 reads per second. Instead, OpenShard is a number, 0 to 3, and only open orders have one.
ls mnt/.index/OpenByDate
ls -U mnt/.index/OpenByDate/0
ls -U mnt/.index/OpenByDate/1

# How many shards are needed to read all of them together in one second? There are 3 million orders, a fifth of them
# open, 250 bytes each.
itemctl shards plan --items 3M --fraction 0.2 --item-size 250

# Is the load even? These are the units written to each shard since the mount began. A shard that gets 1,000 in a
# second is hot: then there is advice, too.
itemctl -q shards heat orders --index OpenByDate --since 1h --format jsonl | jq -c '{Key,WriteUnits}' | sort

# There is one answer, in order: readers see no shards.
itemctl run patterns open-orders from=2018-08-01 to=2018-08-10
ls -U mnt/.index/OpenByDate/.shards/0..3/.ge/2018-08-20

# In reverse order with a limit: at most three of each shard are read, and three are printed.
itemctl --stats run patterns newest-open

# An order's shard is CRC-32 of its id modulo four. With the id, only one shard is read.
itemctl run patterns open-order order=O-007

# Every language has that function; in the shell it is in the last eight bytes of gzip. An order in a shard 9 would
# never be found, so place-order refuses it.
crc32() { printf %s "$1" | gzip -c | tail -c 8 | od -An -N4 -tu4; }
itemctl --quiet run patterns place-order order=O-100 shard=$(($(crc32 O-100) % 4))
itemctl run patterns open-order order=O-100
itemctl --quiet run patterns place-order order=O-101 shard=9

# Orders that are older than the index have no shard. A job assigns one, and can be repeated; an order that is shipped
# meanwhile stays out. The job also moves orders to more shards: change readers first, to all shards; then writers;
# then run the job. Only then does --hash find all orders again.
printf '{"OrderId":"O-%s","OrderDate":"2018-07-0%s","Total":%s,"Status":"OPEN"}\n' 901 1 10 902 2 20 903 3 30 | itemctl --quiet import orders
itemctl shards assign orders --attr OpenShard --shards 4 --hash OrderId --filter 'Status = "OPEN"'
itemctl shards assign orders --attr OpenShard --shards 4 --hash OrderId --filter 'Status = "OPEN"'
itemctl run patterns open-orders from=2018-07-01 to=2018-07-31

# A shipped order loses the attribute and leaves the index, so nothing has to be filtered later.
itemctl run patterns ship order=O-007
itemctl run patterns open-order order=O-007

# If nobody looks for single orders, shards may be random: they are even, whatever the ids are. An order that has a
# shard keeps it.
itemctl shards assign orders --attr Lot --shards 4 --random --filter 'Status = "OPEN"'
itemctl shards assign orders --attr Lot --shards 4 --random --filter 'Status = "OPEN"'
END
