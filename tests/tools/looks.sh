#!/bin/bash
# size, stats, compact: the space that items, tables and the store need.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi Gsi=G
ctl -q create-table one --key id:N

# ---- size
ctl put tab '{"PK":"a","SK":1,"G":"g","text":"äx","list":[1,true],"set":{"SS":["p","qq"]}}'
ok ctl size tab a 1
eq 'the size of each attribute' "$out" \
	'{"Bytes":34,"ReadUnits":0.5,"ConsistentReadUnits":1,"TransactionalReadUnits":2,"WriteUnits":1,"TransactionalWriteUnits":2,"Attributes":{"PK":3,"SK":4,"G":2,"text":7,"list":12,"set":6}}'
ctl put one "{\"id\":1,\"text\":\"$(head -c 9000 /dev/zero | tr '\0' x)\"}"
eq 'an item of several units' "$(ctl size one 1 | jq -c '[.Bytes, .ReadUnits, .WriteUnits, .TransactionalWriteUnits]')" '[9008,1.5,9,18]'
ok ctl --format table size one 1
eq 'as a table' "$(printf '%s\n' "$out" | tr -s ' ' | sed 's/ $//')" 'Attribute Type Name Value Bytes
id N 2 2 4
text S 4 9000 9004'
eq 'with the units in words' "$(printf '%s\n' "$err" | head -1)" '9008 bytes: 3 read units, half of it eventually consistent, twice in a transaction;'
gives 1 'not found' ctl size one 2
eq 'a missing item gives no output' "$out" ''
gives 2 'needs a value for SK' ctl size tab a
gives 3 'ResourceNotFoundException' ctl size none a

# ---- stats
ok ctl stats
eq 'tables and indexes' "$out" '{"Table":"one","Index":"","Items":1,"Bytes":9008,"Average":9008}
{"Table":"tab","Index":"","Items":1,"Bytes":34,"Average":34}
{"Table":"tab","Index":"Gsi","Items":1,"Bytes":34,"Average":34}'
eq 'bytes on disk' "$(printf '%s\n' "$err" | sed 's/[0-9.]* MB/N MB/')" 'N MB on disk'
eq 'stats of one table' "$(ctl -q stats one)" '{"Table":"one","Index":"","Items":1,"Bytes":9008,"Average":9008}'
gives 3 'ResourceNotFoundException' ctl stats none

# ---- compact
seq 1 20000 | awk '{printf "{\"PK\":\"k%d\",\"SK\":%d,\"G\":\"g%d\",\"text\":\"%d%d%d\"}\n", $1 % 7, $1, $1, $1 * 7, $1 * 31, $1 * 131}' >items
ctl -q import tab items
ctl -q delete tab - <items
ok ctl compact
eq 'compact of the store' "$err" 'compacted the store'
ok ctl compact tab
eq 'compact of a table' "$err" 'compacted tab'
eq 'no item is lost' "$(ctl -q check >/dev/null && ctl scan tab --count)" 1
gives 3 'ResourceNotFoundException' ctl compact none
gives 2 'ValidationException' ctl compact a
done_testing
