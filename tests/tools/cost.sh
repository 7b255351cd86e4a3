#!/bin/bash
# cost: what a command would consume, printed before it runs and without changes.
. "$(dirname "$0")/lib.sh"
begin_server --port 0
S=http://$(sed -n 's/^listening on //p' log | tail -1)
export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=eu-west-1

# 200 items of almost 4 KB: 98 units to read, 4 write units each
jq -nc 'range(200) | {PK: "p\(. % 4)", SK: "\(.)", G: "g", v: ("x" * 3990)}' >items
ctl -q create-table tab --key PK,SK --gsi 'ByG=G/KEYS_ONLY'
ctl -q import tab items
before=$(ctl scan tab | sha256sum)

# costs READ WRITE COMMAND... - check the estimated units
costs()
{
	local want="$1 $2"
	shift 2
	ok ctl cost "$@"
	eq "cost $*" "$(printf '%s\n' "$out" | jq -r '"\(.ReadUnits) \(.WriteUnits)"')" "$want"
}
costs 98 0 scan tab
eq 'the price in dollars' "$(printf '%s\n' "$out" | jq '.Dollars == 0.00001225')" true
eq 'and how it is computed' "$(printf '%s\n' "$err" | head -1)" "estimated from the table's size, at \$0.125 a million read units and \$0.625 a million write units"
costs 196 0 scan tab --consistent
costs 98 0 scan tab --filter 'SK = none'
costs 5 0 scan tab --limit 10
costs 98 0 scan tab --segments 4
costs 20 0 scan tab --limit 10 --segments 4
costs 98 0 count tab
costs 98 0 export tab -o exported
gone exported
costs 0.5 0 get tab p1 1
costs 1 0 get tab p1 1 --consistent
costs 24.5 0 query tab p1
case $err in *'this estimate consumed 24.5 read units'*) ;; *) fail "the consumed page is not reported: $err" ;; esac
costs 98 0 query tab --shards 0..3 --prefix p
costs 98 0 query tab --shards 0..3 --prefix p --jobs 1
costs 5 0 query tab p1 --limit 10
costs 0.5 0 query tab none
eq 'nothing is printed about an empty result' "$(printf '%s\n' "$err" | grep -c 'none')" 0
costs 98 1600 copy tab --to "$S/other"
costs 98 0 copy tab --to ./dir
costs 196 0 copy tab --to "$W/dir" --consistent
gone dir
gives 2 'copy needs --to NEW or --to STORE' ctl cost copy tab
gives 3 'not found' ctl describe other
costs 0 1600 import tab items
eq 'no import is reported, since none was done' "$(printf '%s\n' "$err" | grep -c import)" 0
costs 0 2 put tab '{"PK":"new","SK":"1"}'
jq -c '{PK, SK}' items >keys
costs 0 1600 update tab - 'SET w = 1' <keys
costs 0 1600 delete tab - <keys
eq 'nothing is changed' "$(ctl scan tab | sha256sum)" "$before"

gives 2 'cost can estimate get, query, scan' ctl cost drop tab
gives 2 'cost can estimate get, query, scan' ctl cost sql 'DELETE FROM tab'
gives 2 'unknown option --none' ctl cost scan tab --none
gives 2 'itemctl cost' ctl cost
gives 3 'ResourceNotFoundException' ctl cost scan none
gives 3 'does not have the specified index' ctl cost scan tab --index none

# ---- a custom price list
mkdir -p "$XDG_CONFIG_HOME/itemfs"
printf '[prices]\nread = 1000000\nwrite = 2\n' >"$XDG_CONFIG_HOME/itemfs/config"
ok ctl cost scan tab
eq 'a price list in the settings' "$(printf '%s\n' "$out" | jq .Dollars)" 98
printf '[prices]\nread = much\n' >"$XDG_CONFIG_HOME/itemfs/config"
gives 2 '[prices] in the settings: read = much is not a number of dollars per million units' ctl cost scan tab
done_testing
