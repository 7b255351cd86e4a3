#!/bin/bash
# The owner of a store is killed while an index is filled: the next process that opens the store completes it, and no
# entry is missing or duplicated. (unit-local tests that a crash at any commit is survived; this tests LevelDB with
# kill -9.)
# BEHAVIOUR 1.11, 4.3
. "$(dirname "$0")/lib.sh"
ITEMS=20000

ctl -q create-table tab --key PK,SK:N || exit 1
seq $ITEMS | awk '{printf "{\"PK\":\"p%d\",\"SK\":%d,\"G\":\"g%d\"}\n", $1 % 97, $1, $1 % 13}' | ctl -q import tab - || exit 1

index() { ctl describe tab | jq -c ".GlobalSecondaryIndexes[0] | [.IndexStatus, .ItemCount]"; }
reaches() { seen=$(index) && [ "$(jq '.[1]' <<<"$seen")" -ge "$1" ]; }
is_active() { seen=$(index) && [ "$(jq -r '.[0]' <<<"$seen")" = ACTIVE ]; }

# Minimum progress of the index when the owner is killed: with 0, kill right after the response, without checking.
for far in 0 1 2000 9000 $ITEMS; do
	begin_server
	ok ctl call UpdateTable '{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"G","AttributeType":"S"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byG","KeySchema":[{"AttributeName":"G","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}'
	if [ "$far" -gt 0 ]; then
		ok ctl put tab "{\"PK\":\"late\",\"SK\":$far,\"G\":\"late\"}"
		wait_until 60 reaches "$far" || fail "the index stays at $seen"
	fi
	kill -KILL "$server"
	wait "$server" 2>/dev/null
	server=

	ok ctl check
	begin_server
	wait_until 60 is_active || fail "the index stays at $seen"
	all=$(ctl scan tab --count)
	eq "after $far of them: all entries are there" "$(index) $(ctl scan tab --index byG --count)" "[\"ACTIVE\",$all] $all"
	eq 'and so are items written meanwhile' "$(ctl query tab late --index byG | jq -c .SK | tail -1)" "$(ctl query tab late | jq -c .SK | tail -1)"
	end_server
	ok ctl check
	ok ctl -q alter tab --drop-gsi byG
done
done_testing
