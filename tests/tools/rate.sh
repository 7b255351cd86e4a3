#!/bin/bash
# --rate: at most N units a second of an endpoint, in each command; the consumption is reported at the end.
. "$(dirname "$0")/lib.sh"
begin_server --port 0
store=$S
S=http://$(sed -n 's/^listening on //p' log | tail -1)
export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=eu-west-1

# 200 items of almost 4 KB: 98 units to read, 4 write units each
jq -nc 'range(200) | {PK: "p\(. % 4)", SK: "\(.)", v: ("x" * 4000)}' >items
ctl -q create-table tab --key PK,SK
ctl -q import tab items

# units TEXT KIND - the number of units of that kind in TEXT
units()
{
	printf '%s\n' "$1" | awk -v kind="$2" '$2 == kind && / units of / { sum += $1 } END { print sum + 0 }'
}
# now - microseconds of a monotonic clock
now()
{
	local up
	read -r up _ </proc/uptime
	echo "${up/./}0000"
}
# paced N KIND LAST COMMAND... - check that the command keeps to N units a second; LAST units may be of requests in
# progress at the end, or unused at the beginning
paced()
{
	local n=$1 kind=$2 last=$3 begun took used
	shift 3
	begun=$(now)
	ok "$@" --rate "$n" --capacity
	took=$(($(now) - begun))
	used=$(units "$err" "$kind")
	eq "$*: $used units in $took microseconds" "$(jq -n "$used > 1.9 * $last and $took >= ($used - $last) * 1000000 / $n")" true
}

# ---- each command; a page that is read takes the units of about a second
paced 40 read 49 ctl scan tab
eq 'scan returns all items' "$(printf '%s\n' "$out" | grep -c .)" 200
paced 40 read 49 ctl export tab -o exported
eq 'export writes all items' "$(jq -s length exported)" 200
paced 400 write 400 ctl import tab items
paced 400 write 400 ctl copy tab --to "$S/copied"
eq 'copy copies all items' "$(ctl scan copied --count)" 200
jq -c '{PK, SK}' items >keys
paced 400 write 400 ctl update tab - 'SET w = 1' <keys
paced 400 write 400 ctl delete tab - <keys
eq 'delete deletes all items' "$(ctl scan tab --count)" 0

# ---- a fraction of a table's provisioned throughput
ok ctl call CreateTable '{"TableName":"prov","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
	"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":160,"WriteCapacityUnits":1000}}'
ok ctl import prov items
begun=$(now)
ok ctl scan prov --rate 25%
eq 'a quarter of 160 a second' "$(($(now) - begun >= 900000))" 1
gives 2 'itemctl: --rate 25%: table tab is billed on demand and has no provisioned throughput; give units per second, such as --rate 100' ctl scan tab --rate 25%
for bad in 0 -1 x 1.5% 101% '' 1e99 nan; do
	gives 2 '--rate needs units per second, such as 100, or 1% to 100% of a table'"'"'s provisioned units' ctl scan tab --rate="$bad"
done
ok itemctl_of "$store" scan tab --rate 10
eq 'a local store has no rate' "$err" '--rate had no effect: it is for endpoints, and this store is on this machine'
ok ctl put prov '{"PK":"a","SK":"b"}' --rate 10
eq 'no such note for an endpoint' "$err" ''

# ---- a waiting command can be stopped, and its report is right
ok ctl import tab items
"$ITEMCTL" -s "$S" scan tab --rate 0.01 >scanned 2>stop.err &
pid=$!
wait_until 20 test -s scanned || fail 'scan prints nothing'
kill -TERM $pid # the pause would last hours
wait $pid
eq 'a signal ends a pause' $? 143
head -50 items >some
ctl -q create-table slowly --key PK,SK
"$ITEMCTL" -s "$S" import slowly some --rate 0.01 >/dev/null 2>stop.err &
pid=$!
begun()
{
	[ "$(ctl scan slowly --count)" -gt 0 ]
}
wait_until 10 begun || fail 'nothing is written'
kill -TERM $pid
wait $pid
eq 'a signal ends the pause of a write' $? 143

# ---- the consumption of a command, on a terminal and with --capacity
ok ctl --capacity get tab p1 1
eq '--capacity' "$err" '0.5 read units of tab: table 0.5'
ok ctl get tab p1 1
eq 'no report without a terminal' "$err" ''
if here script; then
	said()
	{
		script -qec "$*" /dev/null </dev/null | tr -d '\r' | grep ^consumed
	}
	eq 'a report on a terminal' "$(said "$ITEMCTL" -s "$S" get tab p1 1)" 'consumed 0.5 read units'
	eq 'reads and writes' "$(said "$ITEMCTL" -s "$S" copy tab --to "$S/again")" 'consumed 98 read units, 800 write units'
	eq 'no report with --quiet, for a store, for free requests' \
		"$(said "$ITEMCTL" -q -s "$S" get tab p1 1; said "$ITEMCTL" -s "$store" get tab p1 1; said "$ITEMCTL" -s "$S" tables)" ''
fi
ok itemctl_of "$S" copy tab --to "$W/home" --capacity
eq 'a copy from an endpoint' "$(printf '%s\n' "$err" | grep units)" '98.0 read units of tab: table 98.0'
ok itemctl_of "$W/home" copy tab --to "$S/back" --capacity
eq 'a copy to an endpoint' "$(printf '%s\n' "$err" | grep write)" '800.0 write units of back: table 800.0'
ok ctl diff tab "$S/copied" --summary --capacity
eq 'diff reports both sides' "$(printf '%s\n' "$err" | grep -c 'read units of')" 2
ok ctl size tab p1 1 --capacity
eq 'size reads eventually consistently' "$err" '0.5 read units of tab: table 0.5'
ok ctl export tab -o consistent.jsonl --consistent --capacity
eq 'export --consistent' "$(printf '%s\n' "$err" | grep units)" '196.0 read units of tab: table 196.0'
ok ctl copy tab --to "$W/consistent" --consistent --capacity
eq 'copy --consistent' "$(printf '%s\n' "$err" | grep units)" '196.0 read units of tab: table 196.0'
done_testing
