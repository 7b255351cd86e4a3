#!/bin/sh
# protocol.sh - DynamoDB's protocol over HTTP with keep-alive, compared with DynamoDB Local on the same disk, with a
# libmicrohttpd program that gives constant answers, and with raw LevelDB
#
#   ITEMFS_BENCH_DYNAMODB_LOCAL   DynamoDBLocal.jar, with DynamoDBLocal_lib beside it; unset: "not measured"
#   ITEMFS_BENCH_ITEMS            number of items of the large store (12,000,000)
#   ITEMFS_BENCH_FEW              number of items of the small store and of DynamoDB Local (120,000)
#   ITEMFS_BENCH_SECONDS          duration of each of the three runs per figure (3)
. "$(dirname "$0")/lib.sh"
many=${ITEMFS_BENCH_ITEMS:-12000000}
few=${ITEMFS_BENCH_FEW:-120000}
seconds=${ITEMFS_BENCH_SECONDS:-3}
jar=${ITEMFS_BENCH_DYNAMODB_LOCAL:+$(readlink -f "$ITEMFS_BENCH_DYNAMODB_LOCAL")}

# The servers: each function gets OPERATION CONNECTIONS SECONDS and prints a rate.
ours()
{
	clients "$ours" items "$1" "$2" "$3" "$few" | number
}
dynamodb_local()
{
	[ -z "$jar" ] || clients "$dynamodb_local" items "$1" "$2" "$3" "$few" | number
}
constant_answer()
{
	clients "$constant" items "$1" "$2" "$3" "$few" | number
}
leveldb()
{
	raw sync "$(mktemp -d "$work/raw.XXXXXX")" "$2" "$3" | number
}
of_few()
{
	clients "$of_few" items "$1" "$2" "$3" "$few" | number
}
of_many()
{
	clients "$of_many" items "$1" "$2" "$3" "$many" | number
}

# compare WHAT GOAL OPERATION CONNECTIONS PEER [OURS] - print a row: medians of three runs in turn, after a warm-up
compare()
{
	mine=
	theirs=
	"${6:-ours}" "$3" "$4" 1 >/dev/null
	"$5" "$3" "$4" 1 >/dev/null
	for _ in 1 2 3; do
		mine="$mine $("${6:-ours}" "$3" "$4" "$seconds")"
		theirs="$theirs $("$5" "$3" "$4" "$seconds")"
	done
	mine=$(middle_of $mine)
	theirs=$(middle_of $theirs)
	row "$1" "$mine" "${theirs:-not measured}" "${theirs:+$(ratio "$mine" "$theirs")}" "$2"
}

middle_of()
{
	[ $# -eq 0 ] || printf '%s\n' "$@" | sort -n | sed -n 2p
}

# fill STORE ITEMS - make the table with ITEMS items and a partition "page" of more than 1 MB
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
	# It writes a file into its working directory.
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
size=$(itemctl -s "$store" --format typed get items 'PART#00000000' 'ITEM#00000000' | awk '{ print length + 9 }')
mkfifo "$work/end"
constant "$size" <"$work/end" >"$work/constant" &
exec 3>"$work/end"
wait_line "$work/constant"
constant=$address
for n in 1 8; do
	of="$n connections, requests/s"
	compare "GetItem, $of" '>= 10' get $n dynamodb_local
	compare "the same against a constant answer" '>= 0.5' get $n constant_answer
	compare "Query of 100 items, $of" '>= 5 (10 wanted)' query $n dynamodb_local
	compare "PutItem, durable, $of" '>= 10, or the next' put $n dynamodb_local
	compare "the same against LevelDB with sync, $n threads" '>= 0.7' put $n leveldb
	compare "BatchWriteItem of 25, $of" '>= 20' batch $n dynamodb_local
	compare "TransactWriteItems of 3, $of" '>= 20' transact $n dynamodb_local
	compare "the same against LevelDB with sync, $n threads" '(its limit)' transact $n leveldb
done
exec 3>&-

# --- memory
memory()
{
	awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$server/status"
}
for operation in page batch get; do
	ours $operation 64 "$seconds" >/dev/null
done
row 'anonymous memory after 64 connections, MB' "$(memory)" - - '< 300'
end_server

# --- a page of 1 MB
# shellcheck disable=SC2046
set -- $(pages "$store" items page 300 2>/dev/null)
row 'a Query page of 1 MB, us (peer: its JSON alone)' "$1" "$2" "$(ratio "$1" "$2")" '< 2'

# --- idle connections: "clients" fails if the server closes one of them meanwhile
fill "$work/few" "$few"
serve_store "$work/few"
of_few=$address
serve_store "$store"
ours=$address
mkfifo "$work/idle_end"
(ulimit -Sn "$(ulimit -Hn)" && exec clients "$ours" items idle 2000 0 "$few") <"$work/idle_end" >"$work/idle" &
idle=$!
exec 4>"$work/idle_end"
wait_for grep -q idle "$work/idle"
compare "GetItem beside 2,000 idle connections, 8 connections" '>= 0.9' get 8 of_few
exec 4>&-
wait $idle
end_server

# --- many items compared with few
rm -rf "$store"
fill "$store" "$many"
serve_store "$store"
of_many=$address
compare "GetItem of $many items against $few, 8 connections" '>= 0.7' get 8 of_few of_many
compare "Query of 100, likewise" '>= 0.7' query 8 of_few of_many
