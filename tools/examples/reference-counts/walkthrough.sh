#!/bin/sh
# Reference counts: how many children there are, kept in the parent.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# Counting the stars means reading all of them; the repo has the count.
ls -U mnt/REPO#alexdebrie#dynamodb-book
itemctl run patterns recount
itemctl run patterns count

# A star and the count are one transaction. A second star by the same user, or a star of a missing repo, changes
# nothing.
itemctl run patterns star user=danny-developer
itemctl run patterns star user=danny-developer
itemctl run patterns star repo=no#such user=danny-developer
itemctl run patterns count

# Removing it never counts below zero, and never twice.
itemctl run patterns unstar user=sally-scala
itemctl run patterns unstar user=sally-scala
itemctl run patterns count

# A star that is written without the pattern does not change the count. A mount with -o ro prevents that.
echo '{}' >mnt/REPO#alexdebrie#dynamodb-book/STAR#hasty-harry.json
itemctl --quiet run patterns recount
itemctl --quiet run patterns count
END
