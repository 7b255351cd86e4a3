#!/bin/sh
# Big Time Deals: deals in time buckets, singleton pages, likes and watches, a sparse index of unread messages.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# One partition with all deals would be hot and endless: GSI1 has one for each day, and a page reads the
# newest days first, each backwards.
ls -U mnt/.index/GSI1
ls -U mnt/.index/GSI1/DEALS#2020-01-30T00:00:00/.reverse
itemctl run patterns front-page day=2020-01-30

# The same deal is in a bucket of its brand and in one of its category: the key has both.
ls -U mnt/.index/GSI2
itemctl run patterns brand-page brand=APPLE day=2020-01-30

# "All brands" is one item with a set. A new brand is two writes in one transaction.
itemctl run patterns create-brand brand=LEGO name=Lego
cat mnt/BRANDS/BRANDS.json

# A like is an item, so that it counts once; the count stands in the brand. Both or none:
itemctl run patterns like-brand user=alexdebrie brand=APPLE
itemctl run patterns like-brand user=alexdebrie brand=APPLE
itemctl get BigTimeDeals BRAND#APPLE BRAND#APPLE --project LikesCount

# Who watches a brand is asked as a list, so that these items share a collection.
ls -U mnt/BRANDWATCH#APPLE

# Unread messages have the keys of GSI1, read ones have lost them: a sparse index is a filter that costs nothing.
ls -U mnt/MESSAGE#alexdebrie
ls -U mnt/.index/GSI1/MESSAGE#alexdebrie
itemctl run patterns mark-read user=alexdebrie at='2020-03-01 05:24:50'
itemctl run patterns unread user=alexdebrie

# A message to everybody needs all users and nothing else: UserIndex holds only them.
itemctl run patterns users

# Front page and hot lists are read by all. Ten copies in ten partitions share that load; whoever reads
# draws one of ten.
ls -dU mnt/DEALSCACHE#*
itemctl get BigTimeDeals DEALSCACHE#7 DEALSCACHE#7
END
