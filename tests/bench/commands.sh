#!/bin/sh
# commands.sh - the cost of one command: with a free and a served store, and the first 100 items of a sharded query
. "$(dirname "$0")/lib.sh"
orders=${ITEMFS_BENCH_ORDERS:-3000000}
runs=100

# each COMMAND... - print the milliseconds per run: the median of five series of $runs
each()
{
	median repeat "$@" | awk -v n=$runs '{ printf "%.2f\n", $1 * 1000 / n }'
}
repeat()
{
	i=0
	while [ $i -lt $runs ]; do
		"$@"
		i=$((i + 1))
	done
}
# difference WHAT OURS PEER GOAL
difference()
{
	row "$1" "$2" "$3" "$(echo "$2 $3" | awk '{ printf "%+.1f\n", $1 - $2 }')" "$4"
}

row what ours peer ratio goal
few=$work/few
itemctl -q -s "$few" create-table tab --key PK,SK
itemctl -q -s "$few" put tab '{"PK":"a","SK":"b"}'
difference 'itemctl get, free store (peer: LevelDB opened and closed), ms' "$(each itemctl -s "$few" get tab a b)" \
	"$(each raw open "$few/db")" '<= +10'
itemctl -s "$few" serve >/dev/null &
server=$!
started=$server
wait_for test -S "$few/socket"
ask()
{
	curl -sf --unix-socket "$few/socket" -H 'X-Amz-Target: DynamoDB_20120810.GetItem' -H 'Content-Type: application/x-amz-json-1.0' \
		-d '{"TableName":"tab","Key":{"PK":{"S":"a"},"SK":{"S":"b"}}}' http://localhost/
}
ours=$(each itemctl -s "$few" get tab a b)
peer=$(each ask)
row 'itemctl get, served store (peer: curl), ms' "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 2'
end_server

orders_table
generate "$orders" | itemctl -q -s "$store" import orders
itemctl -q -s "$store" compact orders # the daemon would do this in the background
itemctl -s "$store" serve >/dev/null &
server=$!
started=$server
wait_for test -S "$store/socket"
hundred()
{
	itemctl -s "$store" --format jsonl query orders --index GSI2 --shards 0..14 --begins-with 'OPEN#' --limit 100
}
# ticks - print the processor time that the server has used, in clock ticks
ticks()
{
	awk '{ print $14 + $15 }' "/proc/$server/stat"
}
[ "$(hundred | wc -l)" -eq 100 ]
before=$(ticks)
difference "100 of the OPEN of $orders orders over 15 shards (peer: get), ms" "$(each hundred)" "$ours" '<= +5'
row '  the same: processor time of the daemon, ms' \
	"$(echo "$before $(ticks)" | awk -v n=$((5 * runs)) -v hz="$(getconf CLK_TCK)" '{ printf "%.2f\n", ($2 - $1) * 1000 / hz / n }')" - - '< 5'
end_server
