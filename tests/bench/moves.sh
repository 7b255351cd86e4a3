#!/bin/sh
# moves.sh - import, export, copy, backup, restore and check of a store, compared with LevelDB alone
. "$(dirname "$0")/lib.sh"
orders=${ITEMFS_BENCH_ORDERS:-300000}

# rate N COMMAND... - set $ours to the items/s of one run, and $most to its maximum anonymous memory in MB
rate()
{
	items=$1
	shift
	begin=$(date +%s.%N)
	"$@" >/dev/null 2>"$work/said" &
	process=$!
	most=0
	while kill -0 "$process" 2>/dev/null; do
		now=$(awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$process/status" 2>/dev/null || true)
		[ "${now:-0}" -le "$most" ] || most=$now
		sleep 0.02
	done
	wait "$process" || { cat "$work/said"; exit 1; }
	end=$(date +%s.%N)
	ours=$(echo "$items $begin $end" | awk '{ printf "%.0f\n", $1 / ($3 - $2) }')
}
# update_by KEYS, delete_by KEYS - update or delete all items, in the order of a file of keys
update_by()
{
	exec itemctl -s "$store" update orders - 'SET Seen = 1' <"$1"
}
delete_by()
{
	exec itemctl -s "$store" delete orders - <"$1"
}
# against PEER WHAT GOAL - print the rows of the last rate
against()
{
	row "$2" "$ours" "$1" "$(ratio "$ours" "$1")" "$3"
	row '  anonymous memory, MB' "$most" - - '< 500'
}

generate "$orders" >"$work/orders.jsonl"
items=$(wc -l <"$work/orders.jsonl")
row what ours peer ratio goal

orders_table
rate "$items" itemctl -s "$store" import orders "$work/orders.jsonl"
loaded=$(raw load "$store" orders "$work/orders.jsonl" "$work/raw" | number)
against "$loaded" "import of $items items with GSI2, items/s" '>= 0.5 (0.75 wanted)'
imported=$ours

walk=$(for _ in 1 2 3; do raw table "$store" orders | number; done | sort -n | sed -n 2p)
for form in jsonl typed csv; do
	rate "$items" itemctl -s "$store" export orders "$work/out.$form" --to $form
	against "$walk" "export --to $form (peer: a raw iterator over the table), items/s" '>= 0.5'
	rm "$work/out.$form"
done
rate "$items" itemctl -s "$store" export orders "$work/exported" --to dynamodb-export
against "$walk" 'export --to dynamodb-export, items/s' none

all=$(for _ in 1 2 3; do raw all "$store" | number; done | sort -n | sed -n 2p)
records=$(raw all "$store" | sed 's/.*: \([0-9]*\) items.*/\1/')
rate "$records" itemctl -s "$store" backup "$work/backup"
against "$all" "backup of $records records (peer: a raw iterator over all), records/s" '>= 0.5'
rate "$records" itemctl -s "$work/restored" restore "$work/backup"
# The peer of a command that reads and writes everything reads and writes the same records without decoding them.
copied=$(raw copy "$store" "$work/copied" | number)
against "$copied" 'restore (peer: a raw iterator over all, and raw puts), records/s' none
rate "$records" itemctl -s "$store" check
against "$all" 'check, records/s' '>= 0.5'
rate "$items" itemctl -s "$store" copy orders --to "$work/copy"
plain=$ours
# Index entries are made item by item, so they are put in random key order, as those of an import.
peer=$(echo "$walk $loaded" | awk '{ printf "%.0f\n", 1 / (1 / $1 + 1 / $2) }')
against "$peer" 'copy with GSI2 (peer: a raw iterator, and puts item by item)' '>= 0.5'
peer=$(echo "$items $records $copied" | awk '{ printf "%.0f\n", $1 * $3 / $2 }')
row '  the same (peer: all records put in the order of keys)' "$ours" "$peer" "$(ratio "$ours" "$peer")" none
row '  the same (peer: a raw iterator over the table, no puts)' "$ours" "$walk" "$(ratio "$ours" "$walk")" none
cat >"$work/rules" <<'EOF'
PK          hash after OE-
SK          hash
GSI1_SK     shift-days 400 after #
SalesRepID  hash
OrderTotal  shift 1000
EOF
# Masked keys are in random order, as those of an import: LevelDB merges more than for a copy in key order.
export ITEMFS_MASK_KEY='the key of a benchmark'
rate "$items" itemctl -s "$store" copy orders --to "$work/masked" --mask "$work/rules"
against "$plain" 'copy --mask (peer: copy), items/s' '>= 0.7'

itemctl -s "$store" --format jsonl scan orders --project PK,SK >"$work/keys"
itemctl -s "$store" --format jsonl query orders --index GSI2 --shards 0..14 --project PK,SK >"$work/keys.GSI2"
rate "$items" update_by "$work/keys"
against "$imported" "update - 'SET Seen = 1' (peer: import), items/s" '>= 0.5'
rate "$items" update_by "$work/keys.GSI2"
against "$imported" "the same of all, keys as GSI2 has them, items/s" none
rate "$items" delete_by "$work/keys"
against "$imported" 'delete - (peer: import), items/s' '>= 0.5'
