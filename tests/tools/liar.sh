#!/bin/bash
# A server with some wrong values in its responses: each command ends in time, with a result or a message, and sends
# no control sequences to the terminal. LIAR_SEEDS=N tries more of them.
. "$(dirname "$0")/lib.sh"

# survives COMMAND... - check for status 0, or a status of itemctl with a message
survives()
{
	local status
	checks=$((checks + 1))
	timeout 250 "$ITEMCTL" -s "http://$made_up" "$@" >out 2>err
	status=$?
	[ $status -lt 124 ] || fail "seed $seed: $* gives $status: $(tail -n 3 err)"
	[ $status = 0 ] || grep -q '[a-z] [a-z]' err || fail "seed $seed: $* gives $status without a message: $(cat err)"
	! grep -q $'\e' out err || fail "seed $seed: $* prints an escape"
}

for seed in $(seq "${LIAR_SEEDS:-12}"); do
	begin_made_up liar "$seed"
	survives tables
	survives describe tab
	survives draw tab
	survives stats
	survives size tab a b
	survives tail tab --once --from start
	survives --format table scan tab
	survives --format csv query tab a
	survives get tab a b
	end_made_up
done
done_testing
