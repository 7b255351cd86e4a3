#!/bin/sh
# Big Time Deals: deals in time buckets, singleton pages, likes and watches, a sparse index of unread messages.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# A single partition with all deals would be hot and unbounded: GSI1 has one partition per day, and each is read in
# reverse order.
ls -U mnt/.index/GSI1
ls -U mnt/.index/GSI1/DEALS#2020-01-30T00:00:00/.reverse

# A page reads back over the days until it has enough deals, over at most five days: a day may be empty, and nobody
# wants deals of January 13. The next page continues with the last day read, before the last deal seen.
itemctl --quiet run patterns create-deal day=2020-01-31
latest()
	(
	left=$2
	for back in 0 1 2 3 4; do
		[ "$left" -gt 0 ] || break
		day=$(date -d "$1 $back days ago" +%F)
		itemctl --quiet run patterns latest-deals day="$day" left="$left" >page
		jq -r --arg day "$day" '"\($day) \(.Title)"' page
		left=$((left - $(wc -l <page)))
	done
	)
latest 2020-02-01 25
latest 2020-02-01 2

# The front page is two parallel requests: the editors' choice, and such a series of days, of which this is one.
itemctl run patterns front-page day=2020-01-30

# The same deal is in a partition of its brand and in one of its category: each of these keys contains the day as
# well.
ls -U mnt/.index/GSI2
itemctl run patterns brand-page brand=APPLE day=2020-01-30

# "All brands" is one item with a set. A new brand is two writes in one transaction.
itemctl run patterns create-brand brand=LEGO name=Lego
cat mnt/BRANDS/BRANDS.json

# A like is an item, so that it counts once; the brand holds the count. Both change, or neither:
itemctl run patterns like-brand user=alexdebrie brand=APPLE
itemctl run patterns like-brand user=alexdebrie brand=APPLE
itemctl get BigTimeDeals BRAND#APPLE BRAND#APPLE --project LikesCount

# The watchers of a brand are read as a list, so their items share a collection.
ls -U mnt/BRANDWATCH#APPLE

# Unread messages have the keys of GSI1, which read ones have lost: a sparse index is a filter without cost.
ls -U mnt/MESSAGE#alexdebrie
ls -U mnt/.index/GSI1/MESSAGE#alexdebrie
itemctl run patterns mark-read user=alexdebrie at='2020-03-01 05:24:50'
itemctl run patterns unread user=alexdebrie

# A message to all users needs all users and nothing else: UserIndex contains only users. Each user gets an item with
# the keys of GSI1, where it stays until it is read.
itemctl run patterns users
itemctl --quiet run patterns users | jq -r .Username | while read -r user; do
	itemctl --quiet run patterns send-message user="$user" at='2020-03-15 09:00:00' subject='Hot deal' body='A deal for everyone.'
	done
itemctl run patterns unread user=alexdebrie

# A new deal of a brand is sent to the brand's watchers. A stream triggers this, possibly twice: the condition keeps a
# message that was read from becoming unread again.
itemctl --quiet run patterns mark-read user=alexdebrie at='2020-03-15 09:00:00'
itemctl --quiet run patterns send-message user=alexdebrie at='2020-03-15 09:00:00'
itemctl --quiet run patterns brand-watchers brand=APPLE | jq -r .Username | while read -r user; do
	itemctl --quiet run patterns send-message user="$user" at='2020-03-15 09:00:01' subject='New Apple deal' body='A brand you watch has a new deal.'
	done
ls -U mnt/.index/GSI1/MESSAGE#*

# All users read the front page and hot lists. Ten copies in ten partitions share that load; each reader picks one of
# the ten at random.
ls -dU mnt/DEALSCACHE#*
itemctl get BigTimeDeals DEALSCACHE#7 DEALSCACHE#7
END
