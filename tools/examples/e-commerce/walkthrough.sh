#!/bin/sh
# E-commerce: customers, addresses, orders, order items; unique in two ways, newest first.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# A customer and the customer's orders are one collection. "#" sorts before "C", so a Query in reverse order begins
# with the customer and continues with the newest order: KSUIDs sort by time.
ls -U mnt/CUSTOMER#alexdebrie
ls -U mnt/CUSTOMER#alexdebrie/.reverse/.limit/2
itemctl run patterns customer-and-orders user=the_don

# Addresses are few and never read by themselves: they are a map in the customer. At most twenty: the condition is
# true if the label already exists or the customer has fewer. It does not create a missing customer.
itemctl run patterns set-address label=Parents street='9 Elm Street' city=Windsor state=CO
itemctl get EcommerceTable CUSTOMER#alexdebrie CUSTOMER#alexdebrie --project Addresses.Parents
for n in $(seq 4 21); do
	itemctl --quiet run patterns set-address label=Number$n
	done
itemctl --quiet run patterns set-address label=Number20 city=Lincoln
itemctl --quiet run patterns delete-address label=Number20
itemctl --quiet run patterns delete-address label=Number20

# Username and email are each unique: two items in one transaction. The second customer's email is taken, so neither
# item is written.
itemctl run patterns create-customer user=sonny email=sonny@corleone.com name='Sonny Corleone'
itemctl run patterns create-customer user=godfather email=vito@corleone.com name=Vito
ls -U mnt/CUSTOMER#godfather

# Each item of an order has a collection of its own; GSI1 brings them together with the order.
ls -U mnt/.index/GSI1/ORDER#1VrgXBQ0VCshuQUnh1HrDIHQNWY
itemctl run patterns order-and-items order=1VrgXBQ0VCshuQUnh1HrDIHQNWY

# A new order is the order and its item in one transaction, and comes first at once.
itemctl run patterns place-order user=alexdebrie what='Green Eggs and Ham' price=8.99
ls -U mnt/CUSTOMER#alexdebrie/.reverse/.limit/2

# Only the status of an existing order is changed: without the condition UpdateItem would create an order.
itemctl run patterns update-order order=1VrgXBQ0VCshuQUnh1HrDIHQNWY status=DELIVERED
itemctl run patterns update-order order=nosuch status=DELIVERED
END
