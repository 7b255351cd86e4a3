#!/bin/bash
# Nobody sees an old state, and nobody waits for a time-out: writers through every door look at once through every mount
# (stress.py; filesystem.md section 7).  By hand: ITEMFS_STRESS_SEED=7 ITEMFS_STRESS_STEPS=5000 sh tests/mount/stress.sh
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo 'skipped: there is no python3'; exit 77; }

store --key PK,SK --gsi 'gsi=G,H' --ttl end
mnt a -o table=tab,ttl_sweep=0
mnt b
mnt i -o table=tab,index=gsi
checks=$((checks + 1))
python3 -u "$HERE/stress.py" "$S" "$ITEMCTL" "$ITEMFS" "${ITEMFS_STRESS_SEED-1}" "${ITEMFS_STRESS_STEPS-100}" || fail 'somebody saw an old state'
ok ctl check
done_testing
