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

# Its arrangement: CUSTOMER sorts before ORDER and TICKET behind it, so that one range has the customer and his orders.
itemctl run patterns customer-and-orders customer=2b5a41c0

# Two conditions in one key: status, exactly, and then a time. The parts are attributes of their own.
ls -U mnt/.index/ByStatus/CUSTOMER#2b5a41c0
itemctl run patterns orders-with-status status=CANCELLED from=2019-07-01 to=2019-10-01

# They change together with it: a new status alone would leave the order where it was in the index.
itemctl run patterns set-status order=2020-01-14T12:30 status=REFUNDED date=2020-01-14
ls -U mnt/.index/ByStatus/CUSTOMER#2b5a41c0/REFUNDED*

# A sparse index holds what has its keys. Administrators do; promoting somebody is an update, and so is the way
# back: REMOVE takes the item out of the index and leaves it in the table.
itemctl run patterns admins
itemctl update filtering ORG#BERKSHIRE USER#CHARLIEMUNGER 'SET Role = "Admin", GSI1PK = PK, GSI1SK = "Admin"'
ls -U mnt/.index/GSI1/ORG#BERKSHIRE
itemctl update filtering ORG#BERKSHIRE USER#WARRENBUFFETT 'SET Role = "Member" REMOVE GSI1PK, GSI1SK' --if 'attribute_exists(PK)'
ls -U mnt/.index/GSI1/ORG#BERKSHIRE

# Or all items of one type: the only scan that reads nothing in vain.
itemctl --stats run patterns all-customers

# A filter expression comes after reading: four orders are paid for, two returned. Fine for a few strays.
itemctl --stats run patterns expensive-orders least=50

# Its trap: the request's limit counts what is read, before the filter. A page may be empty and yet not the last:
# only an answer without a cursor is the end. itemctl's own --limit goes on until it has found that many.
itemctl --stats query filtering CUSTOMER#2b5a41c0 --begins-with ORDER#2019 --filter 'Amount >= 20' --page-size 1 --one-page
itemctl --stats query filtering CUSTOMER#2b5a41c0 --begins-with ORDER#2019 --filter 'Amount >= 20' --page-size 1 --one-page --start '{"PK":"CUSTOMER#2b5a41c0","SK":"ORDER#2019-01-19T08:12"}'
itemctl --stats query filtering CUSTOMER#2b5a41c0 --begins-with ORDER#2019 --filter 'Amount >= 20' --page-size 1 --limit 1

# And the client: small collections are read whole, and whatever the shell has looks through them.
grep -l CANCELLED mnt/CUSTOMER#2b5a41c0/ORDER#*
END
