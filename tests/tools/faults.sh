#!/bin/bash
# Bulk operations at an endpoint that throttles, fails and loses responses: they go on while there is progress, lose
# nothing, and report where to continue.
. "$(dirname "$0")/lib.sh"

export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
seq 600 | jq -c '{PK:("k"+tostring),v:.}' >items
jq -c '{PK}' items >keys

# faulty WORD... - begin a made-up endpoint, as $url
faulty()
{
	begin_made_up faults "$@" 2>faults.seen
	url=http://$made_up
}
remote()
{
	"$ITEMCTL" -s "$url" "$@"
}

# ---- status 500, lost responses and unprocessed items do not end a command

for fault in fail=3 lose=3 'units=300' 'fail=4 lose=5 units=500'; do
	faulty $fault
	ok remote import tab items
	eq "$fault: all items are there" "$(remote scan tab | jq -s 'map(.v) | sort == [range(1; 601)]')" true
	ok remote delete tab - <keys
	eq "$fault: all items are deleted" "$err $(remote scan tab --count)" '600 keys deleted 0'
	end_made_up
done

# ---- update: repeated only where a second execution does no harm

faulty fail=7
ok remote update tab - 'SET Address = :x' --values '{":x":1}' <keys
eq 'each item is updated' "$(remote scan tab | jq -s 'map(.updates) == [range(600) | 1]')" true
gives 70 'continue from line ' remote update tab - 'ADD n :x' --values '{":x":1}' <keys
end_made_up
faulty units=500
ok remote update tab - 'ADD n :x' --values '{":x":1}' <keys
eq 'throttled updates were not carried out' "$(remote scan tab | jq -s 'map(.updates) == [range(600) | 1]')" true
ok remote delete tab - --if 'attribute_exists(PK)' <keys
eq 'all items are deleted' "$(remote scan tab --count)" 0
end_made_up

# ---- a copy from an endpoint that throttles its reader, and to one that fails

faulty items=500 page=50 throttle=2 fail=3
ok remote copy full --to "$S"
eq 'the copy has all items' "$(ctl scan full --count)" 500
ok remote export full full.jsonl
eq 'so has the export' "$(wc -l <full.jsonl)" 500
ok ctl copy full --to "$url/tab"
eq 'and the copy back' "$(remote scan tab --count)" 500
end_made_up

# ---- concurrent requests

faulty gather=5
ok remote import tab items
end_made_up
most=$(sed 's/.*requests, \([0-9]*\) at.*/\1/' faults.seen)
eq 'several requests at a time' "$((most > 4 && most <= 64))" 1
for jobs in 1 2; do
	faulty gather=$jobs
	ok remote import tab items --jobs $jobs
	end_made_up
	eq "--jobs $jobs" "$(sed 's/.*requests, \([0-9]*\) at.*/\1/' faults.seen)" $jobs
done

# ---- the last line with a key wins

faulty latency=1
seq 2000 | jq -c '{PK:("k"+(. % 40 | tostring)),v:.}' >twice
ok remote import tab twice
eq 'the last lines win' "$(remote scan tab | jq -s 'map(.v) | sort == [range(1961; 2001)]')" true
end_made_up

# ---- no progress any more: the command ends, and names the line to continue from

faulty broken=9
ITEMFS_PATIENCE=1 gives 70 'continue from items:' remote import tab items
line=$(sed -n 's/.*continue from items:\([0-9]*\): no progress for [0-9]* s: .*/\1/p' <<<"$err")
there=$(remote scan tab | jq -s 'map(.v) | sort | [range(1; 601)] - . | first')
eq 'the first line that is not imported' "$line" "$there"
ITEMFS_PATIENCE=0 gives 70 'continue from line 1: no progress for 0 s: ' remote delete tab - <keys
ITEMFS_PATIENCE=0 gives 70 'no progress for 0 s: ' ctl copy full --to "$url/tab"
end_made_up
done_testing
