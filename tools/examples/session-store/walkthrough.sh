#!/bin/sh
# A session store: a simple primary key, a TTL, and an index that holds nothing but keys.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# A session is one item, and its token is the partition key. There is no sort key, so the mount is one flat directory:
# a file is an item.
ls mnt
cat mnt/0bc6bdf8-6dac-4212-b11a-81f784297c78.json

# Create Session: two sessions must never share a token. Exclusive creation in the mount is PutItem with
# attribute_not_exists; a second one of that name is refused, and so is the pattern's.
echo '{"Username":"bountyhunter1","TTL":1581667200}' | dd of=mnt/d3b07384.json conv=excl status=none
echo '{"Username":"mallory","TTL":1581667200}' | dd of=mnt/d3b07384.json conv=excl status=none
itemctl run patterns create-session token=d3b07384 user=mallory ttl=1581667200

# Get Session: the database deletes expired items late, so a read has to check the time as well. GetItem has no
# filter; a Query of one item does. At 1581000000 the session is valid, at 1581200000 it has expired.
itemctl run patterns get-session token=0bc6bdf8-6dac-4212-b11a-81f784297c78 now=1581000000
itemctl run patterns get-session token=0bc6bdf8-6dac-4212-b11a-81f784297c78 now=1581200000

# Delete Session (time): the table's TTL attribute is TTL. The store sweeps by itself; here we choose the time. AWS
# does not delete items that expired more than five years ago, because the time is probably a mistake; --any-age does.
itemctl sweep SessionStore --now 1581400000 --any-age
ls mnt

# Delete Sessions of a user: UserIndex finds the tokens. Its entries have no sort key and are named after the table's
# key; they contain only keys.
ls mnt/.index/UserIndex
cat mnt/.index/UserIndex/alexdebrie/.jsonl
itemctl run patterns sessions-of-user user=alexdebrie | itemctl delete SessionStore -
ls mnt/.index/UserIndex

# With keys only, the index cannot show which sessions are valid:
itemctl query SessionStore lucyricardo --index UserIndex --filter 'TTL > 1581400000'
END
