#!/bin/sh
# Sorting: the sort key does it, within one collection, and nothing else does.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# Text sorts by its bytes: capitals before small letters, and letters with accents after both. "ls -U" shows the
# store's order. Use one case in keys, and keep the original spelling of the name in an attribute.
ls -U mnt/NAMES#mixed
ls -U mnt/NAMES#upper

# Numbers sort by value. Here they are the key of an index.
ls -U mnt/.index/ByScore/SCORES

# Times: ISO 8601 sorts, formats for people do not. Unix times sort as numbers; as text only while they have the same
# number of digits: 580608000 is in 1988.
ls -U mnt/DATES#iso
ls -U mnt/DATES#display
ls -U mnt/DATES#epoch

# Unique and sorted by time: KSUIDs.
ls -U mnt/EVENTS/.reverse/.limit/2

# A value that changes cannot be in the table's key, but can be in an index's: the store moves the entry.
ls -U mnt/.index/ByUpdate/TICKETS#Trek10/.reverse
itemctl update sorting TICKETS#Trek10 841 'SET UpdatedAt = "2020-01-25 00:00:00"' --if 'attribute_exists(PK)'
ls -U mnt/.index/ByUpdate/TICKETS#Trek10/.reverse

# Numbers in text need leading zeros: otherwise 10 sorts before 2.
ls -U mnt/DEVICE#1
ls -U mnt/DEVICE#2

# And enough of them: with one digit more than planned, a number is in the wrong place again.
ls -U mnt/DEVICE#4

# The parent is where reading begins. "#" sorts before letters: in reverse order the device comes first, then the
# newest reading. Or in forward order, if readings count down from 99999.
itemctl run patterns device-and-newest device=2
itemctl run patterns device-and-newest-forward device=3

# With the parent in the middle, a collection serves two relations.
ls -U mnt/ORG#MCDONALDS
ls -U mnt/ORG#MCDONALDS/.le/ORG#MCDONALDS/.reverse
ls -U mnt/ORG#MCDONALDS/.ge/ORG#MCDONALDS
END
