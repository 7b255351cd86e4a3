#!/bin/sh
# import.sh - bulk import and the sharded query on a free store, compared with LevelDB alone
. "$(dirname "$0")/lib.sh"
orders=${ITEMFS_BENCH_ORDERS:-300000}

generate "$orders" >"$work/orders.jsonl"
items=$(wc -l <"$work/orders.jsonl")
row what ours peer ratio goal

orders_table
taken=$(seconds itemctl -s "$store" import orders "$work/orders.jsonl")
ours=$(echo "$items $taken" | awk '{printf "%.0f\n", $1 / $2}')
peer=$(raw load "$store" orders "$work/orders.jsonl" "$work/raw" | number)
row "import of $items items with GSI2, items/s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 0.5 (0.75 wanted)'

query()
{
	itemctl -s "$store" --format jsonl query orders --index GSI2 --shards 0..14 --jobs "$1" --begins-with 'OPEN#'
}
open=$(query 1 | wc -l)
taken=$(median query 1)
ours=$(echo "$open $taken" | awk '{printf "%.0f\n", $1 / $2}')
peer=$(for _ in 1 2 3 4 5; do raw scan "$store" orders GSI2 0 14 'OPEN#' | number; done | sort -n | sed -n 3p)
row "$open OPEN items over 15 shards, one thread, items/s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 0.3'
row 'the same against DynamoDB Local (27,000 items/s)' "$ours" 27000 "$(ratio "$ours" 27000)" '> 20'

need_fuse
mount_at "$work/mnt" -o table=orders
taken=$(median query 1)
ours=$(echo "$open $taken" | awk '{printf "%.0f\n", $1 / $2}')
row 'the same over the socket of a mounted store' "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 0.1'
