#!/bin/bash
# The mount of an endpoint whose pages form a cycle: each read ends with EIO.
. "$(dirname "$0")/lib.sh"

# ends FILE... - check that reading them fails, in time
ends()
{
	refused 'Input/output error' timeout 300 bash -c '"$@" 2>&1 >/dev/null | head -n 3; exit "${PIPESTATUS[0]}"' sh "$@"
	# The kernel repeats a failed request once.
	[ "$(cat twice 2>/dev/null | wc -l)" -le 3 ] || fail "$* goes on: $(head -n 5 twice)"
	rm -f twice
}

for pages in 1 3 200; do
for key in PK PK,SK; do
	begin_made_up repeats $pages full circle $key
	S=http://$made_up
	mnt m -o table=tab
	ends ls -U m
	ends cat m/.jsonl
	ends cat m/.count
	[ $key = PK ] || ends ls -U m/0
	grep -q 'a next page that was already read' m/.itemfs/errors || fail 'errors does not have the reason'
	unmnt m
	end_made_up
done
done
done_testing
