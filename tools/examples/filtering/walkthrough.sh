#!/bin/sh
# Filtering, from the key to the client.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# The partition key filters first and best: choosing a directory. Without it nothing can be asked.
ls -U mnt/CUSTOMER#2b5a41c0
itemctl call Query '{"TableName":"filtering","KeyConditionExpression":"SK = :s","ExpressionAttributeValues":{":s":{"S":"TICKET#7"}}}'

# The sort key next: a range, with an open end if wanted. A glob is a prefix.
ls -U mnt/CUSTOMER#2b5a41c0/.between/ORDER#2019-01/ORDER#2020
ls -U mnt/CUSTOMER#2b5a41c0/ORDER#2019*

# Two conditions in one key: status, exactly, and then a time. The parts are attributes of their own and
# change together with it.
ls -U mnt/.index/ByStatus/CUSTOMER#2b5a41c0
itemctl run patterns orders-with-status status=CANCELLED from=2019-07-01 to=2019-10-01

# A sparse index holds what has its keys. Administrators do; promoting somebody is an update.
itemctl run patterns admins
itemctl update filtering ORG#BERKSHIRE USER#CHARLIEMUNGER 'SET Role = "Admin", GSI1PK = PK, GSI1SK = "Admin"'
ls -U mnt/.index/GSI1/ORG#BERKSHIRE

# Or all items of one type: the only scan that reads nothing in vain.
itemctl --stats run patterns all-customers

# A filter expression comes after reading: four orders are paid for, two returned. Fine for a few strays.
itemctl --stats run patterns expensive-orders least=50

# And the client: small collections are read whole, and whatever the shell has looks through them.
grep -l CANCELLED mnt/CUSTOMER#2b5a41c0/ORDER#*
END
