#!/bin/sh
# protocol.sh - DynamoDB's protocol over HTTP with keep-alive: against DynamoDB Local on the same disk, a libmicrohttpd program that
# answers a constant, and raw LevelDB
#
#   ITEMFS_BENCH_DYNAMODB_LOCAL   DynamoDBLocal.jar with its DynamoDBLocal_lib beside it; without it those rows say "not measured"
#   ITEMFS_BENCH_ITEMS            items of the large store (12,000,000)
#   ITEMFS_BENCH_FEW              items of the small one, and of DynamoDB Local's (120,000)
#   ITEMFS_BENCH_SECONDS          of each of three runs of a figure (3)
. "$(dirname "$0")/lib.sh"
many=${ITEMFS_BENCH_ITEMS:-12000000}
few=${ITEMFS_BENCH_FEW:-120000}
seconds=${ITEMFS_BENCH_SECONDS:-3}
jar=${ITEMFS_BENCH_DYNAMODB_LOCAL:+$(readlink -f "$ITEMFS_BENCH_DYNAMODB_LOCAL")}

# rate ADDRESS OPERATION CONNECTIONS [ITEMS] - the middle of three runs, after a short one that warms up
rate()
{
	clients "$1" items "$2" "$3" 1 "${4:-$few}" >/dev/null
	for _ in 1 2 3; do clients "$1" items "$2" "$3" "$seconds" "${4:-$few}" | number; done | sort -n | sed -n 2p
}

# against WHAT OURS PEER GOAL - a row; PEER may be "not measured"
against()
{
	if [ "$3" = 'not measured' ]; then
		row "$1" "$2" "$3" - "$4"
	else
		row "$1" "$2" "$3" "$(ratio "$2" "$3")" "$4"
	fi
}

# local_rate OPERATION CONNECTIONS - of DynamoDB Local
local_rate()
{
	if [ -n "$jar" ]; then rate "$dynamodb_local" "$@"; else echo 'not measured'; fi
}

# fill STORE ITEMS - and the partition "page" of more than 1 MB
fill()
{
	itemctl -s "$1" create-table items --key PK,SK >/dev/null
	{
		bench_items "$2"
		awk 'BEGIN { for (i = 0; i < 3000; i++) printf "{\"PK\":\"page\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d,\"Text\":\"%s\"}\n",
			i, i, "a text of some length, as an item of an application may have it, with a few more words to come to four hundred " \
			"bytes or so: who ordered what, when it was sent and where it went, what it weighed, what it cost and who signed for it " \
			"at the door, which was green, in the rain, on a day in November that nobody else remembers but this item" }'
	} | itemctl -s "$1" import items
}

start_dynamodb_local()
{
	mkdir "$work/dynamodb-local"
	port=$((20000 + $$ % 20000))
	dynamodb_local=127.0.0.1:$port
	# It leaves a file where it works.
	(cd "$work" && exec java -Djava.library.path="${jar%/*}/DynamoDBLocal_lib" -jar "$jar" -dbPath "$work/dynamodb-local" -sharedDb -port $port) \
		>"$work/java.log" 2>&1 &
	started="$! $started"
	tries=0
	until clients $dynamodb_local items create 1 0 1 >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { cat "$work/java.log"; exit 1; }
		sleep 0.1
	done
	clients $dynamodb_local items fill 8 0 "$few" >/dev/null
}

row what ours peer ratio goal

taken=$(starts 51 itemctl serve --temp --listen 127.0.0.1:0 | number)
row 'serve --temp: start to first answer, ms' "$taken" - - '< 20'

# --- against DynamoDB Local
[ -z "$jar" ] || start_dynamodb_local
fill "$store" "$few"
serve_store "$store"
ours=$address
for n in 1 8; do
	get=$(rate "$ours" get $n)
	against "GetItem, $n connections, requests/s" "$get" "$(local_rate get $n)" '>= 10'
	size=$(itemctl -s "$store" --format typed get items 'PART#00000000' 'ITEM#00000000' | awk '{ print length + 9 }')
	mkfifo "$work/end$n"
	constant "$size" <"$work/end$n" >"$work/constant$n" &
	exec 3>"$work/end$n"
	wait_line "$work/constant$n"
	against "the same against a constant, $n connections" "$get" "$(rate "$address" get $n)" '>= 0.5'
	exec 3>&-
	against "Query of 100 items, $n connections, requests/s" "$(rate "$ours" query $n)" "$(local_rate query $n)" '>= 5 (10 wanted)'
	put=$(rate "$ours" put $n)
	against "PutItem, durable, $n connections, requests/s" "$put" "$(local_rate put $n)" '>= 10, or the next'
	raw=$(for i in 1 2 3; do raw sync "$work/raw-$n-$i" $n "$seconds" | number; done | sort -n | sed -n 2p)
	against "the same against LevelDB with sync, $n threads" "$put" "$raw" '>= 0.7'
	against "BatchWriteItem of 25, $n connections, requests/s" "$(rate "$ours" batch $n)" "$(local_rate batch $n)" '>= 20'
	against "TransactWriteItems of 3, $n connections, requests/s" "$(rate "$ours" transact $n)" "$(local_rate transact $n)" '>= 20'
done

# --- memory
memory()
{
	awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$server/status"
}
for _ in 1 2; do
	first=${second-}
	for operation in page batch get; do clients "$ours" items $operation 64 "$seconds" "$few" >/dev/null; done
	second=$(memory)
done
row 'anonymous memory, 64 connections, MB (peer: run before)' "$second" "$first" "$(ratio "$second" "$first")" '< 300, <= 1.1'
end_server

# --- a page of 1 MB
# shellcheck disable=SC2046
set -- $(pages "$store" items page 300 2>/dev/null)
row 'a Query page of 1 MB, us (peer: its JSON alone)' "$1" "$2" "$(ratio "$1" "$2")" '< 2'

# --- many items against few
rm -rf "$store" "$work/few"
fill "$work/few" "$few"
fill "$store" "$many"
for operation in get query; do
	serve_store "$work/few"
	peer=$(rate "$address" $operation 8)
	end_server
	serve_store "$store"
	ours=$(rate "$address" $operation 8 "$many")
	end_server
	against "$operation, 8 connections, $many items against $few" "$ours" "$peer" '>= 0.7'
done
