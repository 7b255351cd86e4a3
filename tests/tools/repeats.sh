#!/bin/bash
# A server whose pages lead to themselves: every command that follows pages ends, and says why.
. "$(dirname "$0")/lib.sh"

ok ctl create-table other --key PK
begin_made_up repeats
repeats='the next page is this one again'

# ends COMMAND... - in time, with that message
ends()
{
	gives 70 "$repeats" timeout 60 "$ITEMCTL" -s "http://$made_up" "$@"
}

ends tables
ends scan tab
ends scan tab --count
ends query tab a
ends query tab a --count
ends scan tab --segments 2
ends export tab items.jsonl
ends copy tab --to "$S/tab"
ends stats
ends tail tab --once --from start
end_made_up
done_testing
