#!/bin/bash
# tail: the changes of a stream as lines, from now, from the beginning, after a given one; also from a server.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --stream NEW_AND_OLD_IMAGES
ctl -q create-table keys --key id:N --stream KEYS_ONLY
ctl -q create-table none --key id:N

ctl put tab '{"PK":"a","SK":1,"n":1}' '{"PK":"a","SK":1,"n":2}'
ctl delete tab a 1
ok ctl tail tab --from start --once
eq 'each change is a line' "$(printf '%s\n' "$out" | sed 's/"seq":"[0-9]*",//')" \
	'{"eventName":"INSERT","Keys":{"PK":"a","SK":1},"NewImage":{"PK":"a","SK":1,"n":1}}
{"eventName":"MODIFY","Keys":{"PK":"a","SK":1},"NewImage":{"PK":"a","SK":1,"n":2},"OldImage":{"PK":"a","SK":1,"n":1}}
{"eventName":"REMOVE","Keys":{"PK":"a","SK":1},"OldImage":{"PK":"a","SK":1,"n":2}}'
second=$(printf '%s\n' "$out" | jq -r .seq | sed -n 2p)
ok ctl tail tab --from "$second" --once
eq 'the changes after a given one' "$(printf '%s\n' "$out" | jq -r .eventName)" REMOVE
ok ctl --format typed tail tab --from "$second" --once
eq 'typed' "$(printf %s "$out" | jq -c .Keys)" '{"PK":{"S":"a"},"SK":{"N":"1"}}'
ok ctl tail tab --once
eq '--once: the available changes' "$(printf '%s\n' "$out" | wc -l)" 3
ok ctl tail tab --from now --once
eq 'no changes from now on is reported' "$out$err" 'the stream has no changes from now on; for the changes of the last day: --from start'
ok ctl tail keys --once
eq 'and so is an empty stream' "$out$err" 'the stream has no changes: it keeps changes for a day'
ok ctl tail tab --from "$(ctl tail tab -n 1 | jq -r .seq)" --once
eq 'and no changes after the last one' "$out$err" 'the stream has no changes after this one'
ctl put keys '{"id":1,"x":1}'
eq 'only the members that the stream has' "$(ctl tail keys --from start --once | sed 's/"seq":"[0-9]*",//')" '{"eventName":"INSERT","Keys":{"id":1}}'
seq 1 2500 | sed 's/.*/{"id":&}/' | ctl -q import keys
eq 'many pages' "$(ctl tail keys --from start --once | jq -r .Keys.id | sort -n | uniq | wc -l)" 2500
ctl -q alter keys --stream off
eq 'also when the stream is disabled' "$(ctl tail keys --from start --once | wc -l)" 2501

ctl -q alter keys --stream KEYS_ONLY
eq 'only the latest of two streams' "$(ctl tail keys --from start --once | wc -l)" 0
gives 3 'may no longer be kept; use --from start' ctl tail keys --from 1 --once
eq 'changes of the next stream are not shown as the following ones' "$out" ''
gives 2 'Invalid SequenceNumber' ctl tail tab --from 999999999999999999999 --once

gives 2 'has no stream; to enable one: itemctl alter none --stream NEW_AND_OLD_IMAGES' ctl tail none
gives 2 '--from must be now, start or a sequence number, not "then"' ctl tail tab --from then
gives 2 '--from must be' ctl tail tab --from ''
for form in csv table; do
	gives 2 'tail prints lines' ctl --format $form tail tab --once
done
gives 3 'ResourceNotFoundException' ctl tail nowhere --once
events()
{
	ctl tail "$@" | jq -r .eventName | tr '\n' ' '
}
for from in '--from start' '--from TRIM_HORIZON' '--from oldest' --from-beginning '--shard-iterator-type TRIM_HORIZON'; do
	eq "$from" "$(events tab $from --once)" 'INSERT MODIFY REMOVE '
done
eq 'from now, with other words' "$(events tab --from LATEST --no-follow)" ''
eq 'with --json there are lines, too' "$(events --json tab --from start --once)" 'INSERT MODIFY REMOVE '
for lines in '-n 2' -n2 '--lines 2' '--lines=2 --from start'; do
	eq "the last changes: $lines" "$(events tab $lines)" 'MODIFY REMOVE '
done
eq 'more changes than there are' "$(events tab -n 9)" 'INSERT MODIFY REMOVE '
eq 'the last changes after a given one' "$(events tab -n 9 --from "$second")" 'REMOVE '
gives 2 '--lines must be 1 to 1000' ctl tail tab -n 0
gives 2 'give only one of --follow and --once' ctl tail tab -f --once
gives 2 'for the last ones: itemctl tail tab --lines 5' ctl tail tab --limit 5
gives 2 "to select changes with jq: itemctl tail tab | jq -c 'select(.eventName == \"INSERT\")'" ctl tail tab --filter x
if [ -z "${SERVED-}" ]; then
	ok ctl --capacity tail tab --once

	# ---- it also waits without a server: other commands can use the store meanwhile
	followed()
	{
		[ "$(jq -r .Keys.PK "$1" | tr '\n' ' ')" = "$2" ]
	}
	ctl -q create-table alone --key PK --stream NEW_IMAGE
	ctl put alone '{"PK":"old"}'
	"$ITEMCTL" -s "$S" tail alone -f -n 5 >alone.out 2>alone.err &
	alone=$!
	wait_until 10 followed alone.out 'old ' || fail 'earlier changes are not printed'
	"$ITEMCTL" -s "$S" tail alone >now.out 2>now.err &
	now=$!
	put_first()
	{
		ctl put alone '{"PK":"'"$(date +%N)"'"}'
		[ -s now.out ]
	}
	wait_until 10 put_first || fail 'no change is printed'
	ctl put alone '{"PK":"last"}'
	ctl -q drop alone --yes
	wait "$now" "$alone" || fail "it ends with $?: $(cat alone.err now.err)"
	eq 'all changes, in order' "$(jq -r .Keys.PK alone.out)" "$(
		echo old
		jq -r .seq alone.out | sort -c && jq -r .Keys.PK alone.out | sed '1d'
	)"
	eq 'the changes from now on are the last of them' "$(jq -c . now.out)" "$(tail -n "$(wc -l <now.out)" alone.out | jq -c .)"
	eq 'including the last one' "$(jq -r .Keys.PK now.out | tail -n 1)" last
	eq 'and a note' "$(cat now.err)" 'the stream has ended: it was disabled, or table alone was dropped'

	# ---- while nothing is written, it sleeps: two of them do not wake each other
	ctl -q create-table idle --key PK --stream KEYS_ONLY
	ctl put idle '{"PK":"old"}'
	idle=
	for i in one two; do
		"$ITEMCTL" -s "$S" tail idle -f -n 5 >$i.out 2>$i.err &
		idle+=" $!"
		wait_until 10 followed $i.out 'old ' || fail 'earlier changes are not printed'
	done
	switches()
	{
		for i in $idle; do cat /proc/"$i"/task/*/status; done | awk '/^voluntary/ { n += $2 } END { print n }'
	}
	sleeps()
	{
		local before
		before=$(switches)
		sleep 2
		[ "$(switches)" = "$before" ]
	}
	wait_until 20 sleeps || fail 'it does not sleep'
	ctl put idle '{"PK":"later"}'
	for i in one two; do
		wait_until 10 followed $i.out 'old later ' || fail 'the change after the sleep is not printed'
	done
	mv "$S" moved
	for i in one two; do
		wait_until 10 test -s $i.err || fail 'it does not see that the store was moved'
	done
	mv moved "$S"
	kill $idle 2>/dev/null
	wait $idle 2>/dev/null
	begin_server --listen 127.0.0.1:0
fi

# ---- waiting on the store's socket and over HTTP
lines()
{
	[ "$(wc -l <"$1")" -eq "$2" ]
}
"$ITEMCTL" -s "$S" tail tab >local.out 2>local.err &
local_tail=$!
"$ITEMCTL" -s "$S" tail -f -n 3 tab >all.out 2>all.err &
all_tail=$!
wait_until 10 lines all.out 3 || fail 'earlier changes are not printed'
# Whether the first tail has begun can only be seen from its output.
told()
{
	ctl put tab '{"PK":"b","SK":1,"t":"'"$(date +%N)"'"}'
	[ -s local.out ]
}
wait_until 10 told || fail 'no change is printed'
ctl put tab '{"PK":"c","SK":9}'
last()
{
	tail -1 "$1" | grep -q '"PK":"c","SK":9'
}
wait_until 10 last local.out || fail 'the last change is missing'
wait_until 10 last all.out || fail 'the last change is missing from all'
eq 'all changes from the beginning' "$(wc -l <all.out)" "$(ctl tail tab --from start --once | wc -l)"
kill "$local_tail" "$all_tail"
wait "$local_tail" "$all_tail" 2>/dev/null
# When the reader closes the pipe, tail ends without a message.
(
	trap '' PIPE
	"$ITEMCTL" -s "$S" tail tab --from start 2>pipe.err
	echo $? >pipe.status
) | head -1 >pipe.out
wait_until 10 test -s pipe.status || fail 'it does not end'
eq 'a broken pipe ends quietly' "$(cat pipe.err)$(wc -l <pipe.out)" 1
# A stream that is disabled is printed to its end, and tail ends.
"$ITEMCTL" -s "$S" tail keys --from start >off.out 2>off.err &
off_tail=$!
ctl put keys '{"id":9999}'
wait_until 10 lines off.out 1 || fail 'the change is not printed'
ctl put keys '{"id":10000}'
ctl -q alter keys --stream off
wait "$off_tail" || fail "it ends with $?: $(cat off.err)"
eq 'with all changes' "$(jq -c .Keys.id off.out)" '9999
10000'
eq 'and a note' "$(cat off.err)" 'the stream has ended: it was disabled, or table keys was dropped'
# The same for the stream of a table that is dropped.
ctl -q create-table gone --key PK --stream NEW_IMAGE
"$ITEMCTL" -s "$S" tail gone --from start >gone.out 2>gone.err &
gone_tail=$!
ctl put gone '{"PK":"first"}'
wait_until 10 lines gone.out 1 || fail 'the change is not printed'
ctl put gone '{"PK":"last"}'
ctl -q drop gone --yes
wait "$gone_tail" || fail "it ends with $?: $(cat gone.err)"
eq 'all changes of a dropped table' "$(jq -r .Keys.PK gone.out | tr '\n' ' ')" 'first last '
eq 'and a note, too' "$(cat gone.err)" 'the stream has ended: it was disabled, or table gone was dropped'
if [ -z "${SERVED-}" ]; then
	http=$(address log)
	export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
	eq 'over HTTP' "$("$ITEMCTL" -s "http://$http" tail tab --from start --once | wc -l)" "$(wc -l <all.out)"

	# ---- a shard that expires before it is read
	begin_made_up forgets
	forgets=http://$made_up
	gives 3 'may no longer be kept' "$ITEMCTL" -s "$forgets" tail tab --from start
	ok "$ITEMCTL" -s "$forgets" tail tab --from start --once
	eq 'tail continues with its child' "$(jq -r .Keys.PK <<<"$out")" child
	eq 'the ARNs are those of the endpoint' "$("$ITEMCTL" -s "$forgets" describe tab | jq -r '.TableArn, .LatestStreamArn')" \
		$'arn:aws:dynamodb:us-east-1:000000000000:table/tab\narn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2030-01-01T00:00:00.000'
	end_made_up
fi
# When its server ends, tail continues in the store itself, and does not keep it from others.
if [ -n "${SERVED-}" ]; then
	"$ITEMCTL" -s "$S" tail tab --from start >over.out 2>over.err &
	over_tail=$!
	wait_until 10 test -s over.out || fail 'no change is printed'
	end_server
	ok ctl put tab '{"PK":"later","SK":1}'
	later()
	{
		grep -q '"PK":"later"' over.out
	}
	wait_until 20 later || fail 'the change after the end of the server is missing'
	kill "$over_tail"
	wait "$over_tail" 2>/dev/null
	eq 'without a message' "$(cat over.err)" ''
fi
done_testing
