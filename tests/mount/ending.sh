#!/bin/bash
# A daemon that ends while requests come in: each new process finds it, or becomes the owner itself, and does not
# notice the difference.
. "$(dirname "$0")/lib.sh"

ROUNDS=$(rounds 4)
store --key PK,SK

# now DIR - unmount; the daemon ends by itself
now()
{
	fusermount3 -u "$W/$1" || fail "cannot unmount $1"
}

# ---- one request after another

for ((i = 1; i <= ROUNDS; i++)); do
	mnt m -o table=tab
	[ "$i" -gt 1 ] || mkdir m/p
	echo "{\"n\":$i}" >"m/p/$i.json"
	now m
	ok ctl tables
	eq "what was written in round $i is there" "$(ctl get tab p "$i")" "{\"PK\":\"p\",\"SK\":\"$i\",\"n\":$i}"
done

# ---- commands that began before the end

for ((i = 1; i <= ROUNDS; i++)); do
	mnt m -o table=tab
	seq -f "{\"PK\":\"round $i\",\"SK\":\"%g\"}" 2000 | ctl import tab 2>import.err &
	import=$!
	ok ctl put tab "{\"PK\":\"put\",\"SK\":\"$i\"}"
	now m
	wait "$import" || fail "import in round $i: $(cat import.err)"
done
eq 'no item is missing' "$(ctl scan tab | wc -l)" $((ROUNDS + 2000 * ROUNDS + ROUNDS))

# ---- a mount made right after the end

for ((i = 1; i <= ROUNDS; i++)); do
	mnt m -o table=tab
	now m
	mnt n -o table=tab
	eq 'the next mount shows what was written' "$(ls n/put | wc -l)" $ROUNDS
	now n
done

done_testing
