#!/bin/bash
# SIGTERM while an endpoint throttles or is silent: each command ends, reports its progress, and leaves no partial
# file.
. "$(dirname "$0")/lib.sh"

seq 60 | jq -c '{PK:tostring}' >items
seq 60 | jq -c '{PK:tostring}' >keys
ok itemctl_of "$S" create-table tab --key PK
ok itemctl_of "$S" import tab items
export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
# Without the signal, no command would end before the time limit of the test.
export ITEMFS_TIMING=silence=600000 ITEMFS_PATIENCE=3600

withheld()
{
	[ "$(grep -c '^withholds' slow.log)" -gt "$1" ]
}

# stops TEXT INPUT WORD... - run itemctl WORD... on $from, with the endpoint, which withholds a response; then send
# SIGTERM
stops()
{
	local text=$1 input=$2 before pid
	shift 2
	before=$(grep -c '^withholds' slow.log)
	"$ITEMCTL" -s "$from" "$@" <"$input" >out 2>err &
	pid=$!
	checks=$((checks + 1))
	wait_until 10 withheld "$before" || fail "$*: no response was withheld: $(cat err)"
	kill "$pid"
	wait_until 10 eval "! kill -0 $pid 2>/dev/null" || kill -9 "$pid"
	wait "$pid"
	eq "$mode: $*: its status" $? 143
	[ -z "$text" ] || grep -qE -e "$text" err || fail "$mode: $* says: $(cat err)"
}

for mode in throttled silent; do
	lost='it is not known whether the change was made'
	[ $mode = silent ] || lost="interrupted|$lost" # the signal comes between two requests, or during one
	begin_made_up slow $mode 2>slow.err
	from=http://$made_up
	stops "$lost" items import tab items
	stops "0 items" items import tab items --jobs 4
	stops "$lost" keys delete tab -
	stops 'nothing is changed: interrupted' /dev/null delete tab --all
	stops "$lost" keys update tab - 'SET v = 1'
	stops "$lost" items put tab -
	stops 'interrupted' /dev/null export tab exported.jsonl
	eq 'no partial file' "$(ls exported* 2>/dev/null)" ''
	stops 'interrupted' /dev/null copy tab --to "$S/$mode"
	eq 'the first page was copied' "$(itemctl_of "$S" scan "$mode" --count)" 100
	stops '' /dev/null scan tab
	stops '' /dev/null put tab '{"PK":"a"}'
	from=$S
	stops "$lost" /dev/null copy tab --to "http://$made_up/tab"
	end_made_up
done
done_testing
