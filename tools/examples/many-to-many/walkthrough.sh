#!/bin/sh
# Many-to-many, four ways, in one table.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# 1. A short list on one side: a class with the names of its students. It takes one read, works in one direction, and
# may contain only facts that never change. A student's grades are in the student's own item.
cat mnt/CLASS#Physics101/SEMESTER#Spring2020.json
itemctl run patterns enrol student='Draco Malfoy'
itemctl run patterns enrol student='Draco Malfoy'

# 2. An adjacency list: the relationship is an item beside the movie. An index with the two keys exchanged shows it
# beside the actor.
ls -U mnt/MOVIE#ToyStory
ls -U mnt/.index/Inverted/ACTOR#TomHanks
cat mnt/MOVIE#ToyStory/ACTOR#TomHanks.json

# Data that changes is in one place only, and both views show it.
itemctl update many-to-many ACTOR#TomHanks ACTOR#TomHanks 'ADD Upvotes 1' --return updated-new
cat mnt/.index/Inverted/ACTOR#TomHanks/ACTOR#TomHanks*.json

# 3. A graph: a node is a collection of edges, and GSI1 collects nodes by an edge. Two items have the same index key
# here; names in the mount end with the table's key, so both are listed.
ls -U mnt/NODE#156
ls -U mnt/.index/GSI1/'DATE|2011-05-28'

# 4. Two requests: the users that someone follows change, and so do profiles. The relationship has only keys; a second
# request, BatchGetItem, reads up to a hundred profiles. A deleted profile is missing in the answer, without an error.
ls -U mnt/USER#alexdebrie/FOLLOWING#*
itemctl run patterns profiles one=paulchinjr two=virtualgill
itemctl run patterns profiles one=paulchinjr two=gone

# A changed profile is one write, and no follower's item contains it. In the mount each profile is a separate request.
itemctl update many-to-many USER#paulchinjr USER#paulchinjr 'SET DisplayName = "PCJ"' --if 'attribute_exists(PK)'
ls mnt/USER#alexdebrie | sed -n 's/^FOLLOWING#\(.*\).json/\1/p' | while read -r user; do
	cat "mnt/USER#$user/USER#$user.json"
	done
END
