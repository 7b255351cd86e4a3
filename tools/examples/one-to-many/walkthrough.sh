#!/bin/sh
# One-to-many, five ways, in one table.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# 1. A map in the parent, for few children that are never read by themselves: addresses.
itemctl run patterns addresses
itemctl run patterns add-address label=Parents zip=80550
itemctl get one-to-many CUSTOMER#alexdebrie CUSTOMER#alexdebrie --project MailingAddresses.Parents.PostalCode

# An item has at most 400 KB, so the map has a limit of its own: the condition counts, and the 21st is refused. The
# same label again would replace the existing one; it is refused, too.
for n in $(seq 4 21); do
	itemctl --quiet run patterns add-address label=Number$n
	done
itemctl --quiet run patterns add-address label=Parents zip=10001

# 2. The parent's data on each child, for data that never changes: an author's date of birth.
cat mnt/AUTHOR#Stephen*/BOOK#It.json

# Or for data that changes rarely and has few copies: then each copy is updated, one after the other, and a reader may
# see both versions meanwhile.
itemctl query one-to-many 'AUTHOR#Stephen King' --project PK,SK | itemctl update one-to-many - 'SET AuthorBirthdate = "1947-09-21"' --if 'attribute_exists(PK)'
itemctl query one-to-many 'AUTHOR#Stephen King' --project SK,AuthorBirthdate

# 3. A shared partition key, the default: the directory is the join.
ls -U mnt/ORG#MICROSOFT
cat mnt/ORG#MICROSOFT/USER#*.json

# 4. An index with a shared key. Tickets have keys of their own and would crowd the organization; in GSI1 they are
# beside their user. TICKET sorts before USER, so in reverse order the user comes first, then the newest tickets.
ls -U mnt/.index/GSI1/ORG#MICROSOFT#USER#BILLGATES
itemctl run patterns user-and-newest-tickets org=MICROSOFT user=BILLGATES

# 5. A hierarchy in the sort key: STATE#CITY#ZIP. Each level is a prefix; without the closing "#" NEWYORK would also
# find NEWYORKCITY.
ls -U mnt/STORES#USA
ls -U mnt/STORES#USA/NY#*
ls -U mnt/STORES#USA/.begins_with/NY#NEWYORKCITY#
itemctl query one-to-many STORES#USA --begins-with NY#NEWYORK --count
itemctl query one-to-many STORES#USA --begins-with NY#NEWYORK# --count
END
