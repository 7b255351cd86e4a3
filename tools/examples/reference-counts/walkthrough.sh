#!/bin/sh
# Reference counts: how many children there are, kept in the parent.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# Counting the stars means reading all of them; the repo knows.
ls -U mnt/REPO#alexdebrie#dynamodb-book
itemctl run patterns recount
itemctl run patterns count

# A star and the count are one transaction. Twice by the same user, or of a repo that is not there: nothing.
itemctl run patterns star user=danny-developer
itemctl run patterns star user=danny-developer
itemctl run patterns star repo=no#such user=danny-developer
itemctl run patterns count

# Taking it back never counts below zero, and never twice.
itemctl run patterns unstar user=sally-scala
itemctl run patterns unstar user=sally-scala
itemctl run patterns count

# Who writes a star past the pattern leaves the count behind. A mount with -o ro keeps people from it.
echo '{}' >mnt/REPO#alexdebrie#dynamodb-book/STAR#hasty-harry.json
itemctl --quiet run patterns recount
itemctl --quiet run patterns count
END
