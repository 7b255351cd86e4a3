#!/bin/sh
# Migrations: which changes need a job, and how it is done. github-migrations does five on a larger model.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# Only what keys and indexes need asks for a migration. A new attribute does not: it is written when known.
itemctl update migrations ORG#MCDONALDS USER#HAMBURGLAR 'SET Birthdate = "1971-03-01"' --if 'attribute_exists(PK)'
grep -L Birthdate mnt/ORG#MCDONALDS/USER#*

# Nor does a new entity with partitions of its own: the first write makes the directory.
mkdir mnt/ORGPROJECTS#MCDONALDS
echo '{"ProjectTasks":43}' >mnt/ORGPROJECTS#MCDONALDS/PROJECT#DUCKBURGER.json
itemctl run patterns projects

# Nor one that joins a collection which nobody shared so far: LIKE sorts before POST.
echo '{}' >mnt/POST#1/LIKE#elsie.json
itemctl run patterns post-and-likes

# New tickets come with their organization only in a new collection, in GSI1. New items are written with its
# keys. Old ones get them by a job: scan for them, and update each if it is still there; without that
# condition an item deleted meanwhile would come back.
itemctl scan migrations --filter 'Type = "Organization"' --project PK,SK | itemctl update migrations - 'SET GSI1PK = PK, GSI1SK = SK' --if 'attribute_exists(PK)'
for ticket in 8 9; do
	itemctl update migrations TICKET#$ticket TICKET#$ticket 'SET GSI1PK = "ORG#MCDONALDS", GSI1SK = SK' --if 'attribute_exists(PK)'
	done
ls -U mnt/.index/GSI1/ORG#MCDONALDS

# Again does no harm: the job may be interrupted and repeated.
itemctl run patterns index-organization

# A new index on what the items have already fills itself, while the table is used.
itemctl --quiet alter migrations --add-gsi ByType=Type,PK
ls -U mnt/.index/ByType
itemctl query migrations Ticket --index ByType --project PK,Subject

# A large table is scanned in segments, by several at once.
itemctl scan migrations --segments 4 --count
END
