#!/bin/sh
# The GitHub backend: one parent in the middle of many relations, counters, forks, reactions.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# A repo is in the middle of its collection: issues sort before REPO, stars after it. In reverse order from the repo
# come the newest issues, in forward order the stargazers: two relations without an index.
ls -U mnt/REPO#alexdebrie#dynamodb-book
ls -U mnt/REPO#alexdebrie#dynamodb-book/.le/REPO#alexdebrie#dynamodb-book/.reverse
ls -U mnt/REPO#alexdebrie#dynamodb-book/.ge/REPO#alexdebrie#dynamodb-book

# The whole model as a picture for the browser, with a table for each index.
itemctl draw GitHubTable -o github.html

# Pull requests are a third relation and need an index; forks are a fourth; an account's repos by their last update a
# fifth. "#" puts the original before its forks.
ls -U mnt/.index/GSI1/REPO#alexdebrie#dynamodb-book/.reverse
ls -U mnt/.index/GSI2/REPO#alexdebrie#dynamodb-book
ls -U mnt/.index/GSI3/ACCOUNT#alexdebrie/.reverse

# A fork is a complete repo: in GSI2 it is beside its original, in GSI1 and GSI3 it is a repo like any other.
itemctl run patterns fork
ls -U mnt/.index/GSI2/REPO#alexdebrie#graphql-demo
ls -U mnt/.index/GSI3/ACCOUNT#danny-developer/.reverse

# Issues and pull requests are numbered together. The repo counts and returns the new number; seven digits sort.
itemctl run patterns next-number
itemctl run patterns create-issue number=13 padded=0000013

# A filter finds open issues: it reads all issues, which shows in the capacity if there are many. github-migrations
# has the better way.
itemctl --quiet --stats run patterns open-issues | cut -c1-80

# A star is an item and a count; both are written, or neither. A second one of the same user is refused, and not
# counted.
itemctl run patterns star by=happy-harry
itemctl run patterns star by=happy-harry
itemctl get GitHubTable REPO#alexdebrie#dynamodb-book REPO#alexdebrie#dynamodb-book --project StarCount

# A user has at most one reaction of each kind, in a set; the issue counts them in a map. SET ReactionCounts.Heart
# needs that map, so a new issue has all eight counts from the beginning, and can get a reaction at once.
itemctl run patterns react-to-issue issue=13 padded=0000013
itemctl run patterns react-to-issue by=happy-harry
itemctl run patterns react-to-issue by=happy-harry
itemctl get GitHubTable REPO#alexdebrie#dynamodb-book ISSUE#0000012 --project ReactionCounts.Heart

# Users and organizations share one namespace, and therefore one key.
itemctl run patterns create-user name=megacorp
itemctl run patterns join-organization organization=megacorp user=danny-developer
itemctl run patterns memberships user=danny-developer
ls -U mnt/ACCOUNT#megacorp
END
