#!/bin/sh
# Migrations: which changes need a job, and how it is done. github-migrations does five on a larger model.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# Only data for keys and indexes needs a migration. A new attribute does not: it is written when it is known.
itemctl update migrations ORG#MCDONALDS USER#HAMBURGLAR 'SET Birthdate = "1971-03-01"' --if 'attribute_exists(PK)'
grep -L Birthdate mnt/ORG#MCDONALDS/USER#*

# Nor does a new entity with its own partitions: the first write creates the directory.
mkdir mnt/ORGPROJECTS#MCDONALDS
echo '{"ProjectTasks":43}' >mnt/ORGPROJECTS#MCDONALDS/PROJECT#DUCKBURGER.json
itemctl run patterns projects

# Nor one that joins a collection that had only one kind of item: LIKE sorts before POST.
echo '{}' >mnt/POST#1/LIKE#elsie.json
itemctl run patterns post-and-likes

# New tickets are with their organization only in a new collection, in GSI1. New items are written with its keys. A
# job adds them to the old ones: it scans for them, and updates each if it still exists; without that condition an
# item deleted meanwhile would reappear.
itemctl scan migrations --filter 'Type = "Organization"' --project PK,SK | itemctl update migrations - 'SET GSI1PK = PK, GSI1SK = SK' --if 'attribute_exists(PK)'
for ticket in 8 9; do
	itemctl update migrations TICKET#$ticket TICKET#$ticket 'SET GSI1PK = "ORG#MCDONALDS", GSI1SK = SK' --if 'attribute_exists(PK)'
	done
ls -U mnt/.index/GSI1/ORG#MCDONALDS

# Running it again does no harm: the job may be interrupted and repeated.
itemctl run patterns index-organization

# A new index on attributes that the items already have fills itself, while the table is in use.
itemctl --quiet alter migrations --add-gsi ByType=Type,PK
ls -U mnt/.index/ByType
itemctl query migrations Ticket --index ByType --project PK,Subject

# A large table is scanned in segments, by several workers at once.
itemctl scan migrations --segments 4 --count
END
