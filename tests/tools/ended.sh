#!/bin/bash
# A child that is killed at its very start, while it is still a shell, does not run the cleanup of the test.
. "$(dirname "$0")/lib.sh"

for round in {1..20}; do
	eval 'exec sleep 60' &
	kill $!
	wait $! 2>/dev/null
	ok test -d "$W"
done 2>/dev/null # bash reports each
eq 'rounds' "$round" 20
done_testing
