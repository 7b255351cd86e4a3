#!/bin/bash
# A server whose pages form a cycle: each command that reads pages ends with the reason.
. "$(dirname "$0")/lib.sh"

ok ctl create-table other --key PK

# ends COMMAND... - check that it ends before it reads any page twice, with that message
ends()
{
	gives 70 'a next page that was already read' timeout 250 "$ITEMCTL" -s "http://$made_up" "$@"
	[ ! -e twice ] || fail "$* reads again: $(head -n 1 twice)"
	rm -f twice
}

for pages in 1 2 3; do
	begin_made_up repeats $pages full circle
	ends tables
	ends scan tab
	ends scan tab --count
	ends scan tab --limit 100000
	ends query tab a
	ends query tab a --count
	ends scan tab --segments 2
	ends export tab items.jsonl
	ends copy tab --to "$S/tab"
	ends stats
	ends tail tab --once --from start
	end_made_up
done
for pages in 2 3 1000; do
	begin_made_up repeats $pages empty circle
	ends tables
	ends scan tab
	ends scan tab --count
	ends query tab a --count
	end_made_up
done
begin_made_up repeats 1000 full circle
ends scan tab
ends tail tab --once --from start
end_made_up

# ---- many pages that do end
begin_made_up repeats 1500 full end
eq 'all items are read' "$("$ITEMCTL" -s "http://$made_up" scan tab --count)" 1501
eq 'all records are read' "$("$ITEMCTL" -s "http://$made_up" tail tab --once --from start | grep -c INSERT)" 1501
end_made_up
begin_made_up repeats 1500 empty end
eq 'empty pages have no items' "$("$ITEMCTL" -s "http://$made_up" scan tab --count)" 0
end_made_up
done_testing
