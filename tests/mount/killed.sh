#!/bin/bash
# kill -9 of the daemon while it notifies the kernel of changes: the process ends, so do all requests, and the store
# is free at once.
. "$(dirname "$0")/lib.sh"

seed 1

# cure - remove what would stay, so that it fails this round only
cure()
{
	umount -f m 2>/dev/null || fusermount3 -uz m 2>/dev/null
	wait_until 5 is_gone "$1"
}

store --key PK,SK
for n in $(seq $(rounds 10)); do
	mnt m -o table=tab,listen=127.0.0.1:0 >listens
	daemon=$(our_pids)
	python3 "$HERE/killed.py" m "$(address listens)" "$daemon" $((seed + n)) 2>why || fail "round $n: $(cat why)"
	checks=$((checks + 1))
	if ! wait_until 10 is_gone "$daemon"; then
		fail "round $n: the daemon is still there: $(grep -h State: /proc/"$daemon"/task/*/status | sort | uniq -c)"
		cure "$daemon"
		continue
	fi
	ctl put tab '{"PK":"q","SK":"a"}' >/dev/null 2>why || fail "round $n: $(cat why)"
done
wait_until 5 not_connected stat -f m || fail 'the mount still answers'
ok ctl check
mnt m -o table=tab
eq 'the store is mounted again' "$(cat m/q/a.json)" '{"PK":"q","SK":"a"}'
unmnt m

done_testing
