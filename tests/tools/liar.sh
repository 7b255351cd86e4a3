#!/bin/bash
# A server whose answers are wrong in some place: every command ends in time, with what can be shown or with a sentence, and
# sends the terminal nothing that it would obey.  LIAR_SEEDS=N tries more of them.
. "$(dirname "$0")/lib.sh"

# survives COMMAND... - 0, or a status of itemctl with a sentence
survives()
{
	local status
	checks=$((checks + 1))
	timeout 250 "$ITEMCTL" -s "http://$made_up" "$@" >out 2>err
	status=$?
	[ $status -lt 124 ] || fail "seed $seed: $* gives $status: $(tail -n 3 err)"
	[ $status = 0 ] || grep -q '[a-z] [a-z]' err || fail "seed $seed: $* gives $status without a sentence: $(cat err)"
	! grep -q $'\e' out err || fail "seed $seed: $* shows an escape"
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
