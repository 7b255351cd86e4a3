#!/bin/bash
# Limits for the consumption of an endpoint's mount: max_read= units a minute, rate= units a second.
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK
jq -nc 'range(200) | {PK: "p\(. % 4)", SK: "\(.)", v: ("x" * 4000)}' >items
ctl import tab items >/dev/null 2>&1
ctl put tab '{"PK":"small","SK":"a"}' >/dev/null

fails 2 'max_read=x is not a number in the allowed range' "$ITEMFS" "$S" m -o max_read=x
fails 2 'rate=0: expected units per second, such as rate=100, or 1% to 100% of the provisioned units of a table, such as rate=25%' "$ITEMFS" "$S" m -o rate=0
fails 2 'rate=5 is only for endpoints: a store in a directory costs nothing' "$ITEMFS" "$W/none" m -o rate=5
"$ITEMFS" "$S" m -o rate=5% >/dev/null 2>&1 && unmnt m

# ---- reads beyond max_read= wait; everything else goes on

export ITEMFS_TIMING=max_read=600000 # the minute of the limit lasts longer than this test
mnt m -o table=tab,timeout=0,max_read=90
eq 'config.json has the limit' "$(jq .max_read m/.itemfs/config.json)" 90
exec 5>m/small/b.json
ls m/p0 m/p1 m/p2 m/p3 m/p0 m/p1 >/dev/null 2>&1 & # more units than the limit
lister=$!
waits()
{
	grep -q 'max_read=90: reads wait' m/.itemfs/errors
}
wait_until 20 waits || fail "no line: $(cat m/.itemfs/errors)"
cat m/small/a.json >first 2>/dev/null &
reader=$!
ok cat m/.itemfs/version
for i in $(seq 20); do # more than the session has threads
	cat "m/other$i/a.json" >/dev/null 2>&1 &
	others[i]=$!
done
ok cat m/.itemfs/stats.json
ok bash -c 'echo "{}" >&5'
exec 5>&-
eq 'a write does not wait' "$(item tab small b)" '{"PK":"small","SK":"b"}'
kill $lister "${others[@]}" $reader
wait $lister "${others[@]}" $reader
eq 'a waiting reader can be killed, and has read nothing' "$? $(cat first)" '143 '
unmnt m
ITEMFS_TIMING=max_read=2000 # 45 units a second
mnt m -o table=tab,timeout=0,max_read=90
ls m/p0 m/p1 m/p2 m/p3 >/dev/null
eq 'a waiting reader gets the item' "$(cat m/small/a.json)" '{"PK":"small","SK":"a"}'
unmnt m

# ---- rate=

mnt m -o table=tab,rate=100
begun=${EPOCHREALTIME/./}
eq 'all items are read' "$(cat m/.jsonl | wc -l)" 202
took=$((${EPOCHREALTIME/./} - begun))
eq "98 units, of which one page may be on its way, take $took microseconds" "$((took >= 380000))" 1
unmnt m

# ---- endpoints on loopback have no default limit

mnt m -o table=tab
eq 'no limit' "$(jq .max_read m/.itemfs/config.json)" 0
unmnt m

# ---- .table.json shows the server's description unchanged

begin_made_up told
S=http://$made_up
mnt m -o table=full,max_read=90
eq 'also with a limit' "$(jq -c .Later m/.table.json)" '{"Made":"up"}'
unmnt m
end_made_up
done_testing
