#!/bin/sh
# E-commerce: customers, addresses, orders, order items; unique in two ways, newest first.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# A customer and his orders are one collection. "#" sorts before "C", so that a Query backwards begins with
# the customer and goes on with the newest order: KSUIDs sort by time.
ls -U mnt/CUSTOMER#alexdebrie
ls -U mnt/CUSTOMER#alexdebrie/.reverse/.limit/2
itemctl run patterns customer-and-orders user=the_don

# Addresses are few and never looked up by themselves: a map in the customer. Twenty at most: the condition lets
# pass whose label is there already, or who has fewer. A customer that does not exist is not made by it.
itemctl run patterns set-address label=Parents street='9 Elm Street' city=Windsor state=CO
itemctl get EcommerceTable CUSTOMER#alexdebrie CUSTOMER#alexdebrie --project Addresses.Parents
for n in $(seq 4 21); do
	itemctl --quiet run patterns set-address label=Number$n
	done
itemctl --quiet run patterns set-address label=Number20 city=Lincoln
itemctl --quiet run patterns delete-address label=Number20
itemctl --quiet run patterns delete-address label=Number20

# Username and email are unique each: two items in one transaction. The second customer's email is taken,
# so neither item is written.
itemctl run patterns create-customer user=sonny email=sonny@corleone.com name='Sonny Corleone'
itemctl run patterns create-customer user=godfather email=vito@corleone.com name=Vito
ls -U mnt/CUSTOMER#godfather

# The items of an order lie each in a collection of their own; GSI1 brings them together with the order.
ls -U mnt/.index/GSI1/ORDER#1VrgXBQ0VCshuQUnh1HrDIHQNWY
itemctl run patterns order-and-items order=1VrgXBQ0VCshuQUnh1HrDIHQNWY

# A new order is its item and the order in one transaction, and stands first at once.
itemctl run patterns place-order user=alexdebrie what='Green Eggs and Ham' price=8.99
ls -U mnt/CUSTOMER#alexdebrie/.reverse/.limit/2

# A status is changed only of an order that is there: UpdateItem would make one.
itemctl run patterns update-order order=1VrgXBQ0VCshuQUnh1HrDIHQNWY status=DELIVERED
itemctl run patterns update-order order=nosuch status=DELIVERED
END
