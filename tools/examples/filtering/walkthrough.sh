#!/bin/sh
# Filtering, from the key to the client.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# The partition key filters first and best: it is the choice of a directory. No query works without it.
ls -U mnt/CUSTOMER#2b5a41c0
itemctl call Query '{"TableName":"filtering","KeyConditionExpression":"SK = :s","ExpressionAttributeValues":{":s":{"S":"TICKET#7"}}}'

# The sort key is next: a range, open at one end if needed. A glob is a prefix.
ls -U mnt/CUSTOMER#2b5a41c0/.between/ORDER#2019-01/ORDER#2020
ls -U mnt/CUSTOMER#2b5a41c0/ORDER#2019*

# Its order matters: CUSTOMER sorts before ORDER, and TICKET after it, so one range has the customer and the orders.
itemctl run patterns customer-and-orders customer=2b5a41c0

# Two conditions in one key: an exact status, then a time. The parts are also separate attributes.
ls -U mnt/.index/ByStatus/CUSTOMER#2b5a41c0
itemctl run patterns orders-with-status status=CANCELLED from=2019-07-01 to=2019-10-01

# They change together with the key: a new status alone would leave the order at its old place in the index.
itemctl run patterns set-status order=2020-01-14T12:30 status=REFUNDED date=2020-01-14
ls -U mnt/.index/ByStatus/CUSTOMER#2b5a41c0/REFUNDED*

# A sparse index contains the items that have its keys. Administrators have them; an update promotes a user, and
# another one reverses that: REMOVE takes the item out of the index and leaves it in the table.
itemctl run patterns admins
itemctl update filtering ORG#BERKSHIRE USER#CHARLIEMUNGER 'SET Role = "Admin", GSI1PK = PK, GSI1SK = "Admin"'
ls -U mnt/.index/GSI1/ORG#BERKSHIRE
itemctl update filtering ORG#BERKSHIRE USER#WARRENBUFFETT 'SET Role = "Member" REMOVE GSI1PK, GSI1SK' --if 'attribute_exists(PK)'
ls -U mnt/.index/GSI1/ORG#BERKSHIRE

# Or all items of one type: the only scan that reads nothing unnecessarily.
itemctl --stats run patterns all-customers

# A filter expression is applied after the read: four orders are paid for, two returned. This is fine if few items are
# dropped.
itemctl --stats run patterns expensive-orders least=50

# The trap: the request's limit counts the items read, before the filter. A page may be empty without being the last:
# only an answer without a cursor is the end. itemctl's own --limit continues until it has found that many.
itemctl --stats query filtering CUSTOMER#2b5a41c0 --begins-with ORDER#2019 --filter 'Amount >= 20' --page-size 1 --one-page
itemctl --stats query filtering CUSTOMER#2b5a41c0 --begins-with ORDER#2019 --filter 'Amount >= 20' --page-size 1 --one-page --start '{"PK":"CUSTOMER#2b5a41c0","SK":"ORDER#2019-01-19T08:12"}'
itemctl --stats query filtering CUSTOMER#2b5a41c0 --begins-with ORDER#2019 --filter 'Amount >= 20' --page-size 1 --limit 1

# The client filters last: small collections are read whole, and any tool of the shell searches them.
grep -l CANCELLED mnt/CUSTOMER#2b5a41c0/ORDER#*
END
