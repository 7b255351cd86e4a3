#!/bin/bash
# Nobody sees an old state, and nobody waits for a time-out: writers through every door look at once through every mount
# (stress.py; NAMESPACE 7).  By hand: ITEMFS_STRESS_SEED=7 ITEMFS_STRESS_STEPS=5000 bash tests/mount/stress.sh
. "$(dirname "$0")/lib.sh"

here python3 || exit 77

store --key PK,SK --gsi 'gsi=G,H' --ttl end
mkdir a
address=$("$ITEMFS" "$S" "$W/a" -o table=tab,ttl_sweep=0,listen=127.0.0.1:0 | sed -n 's/^listening on //p')
url=http://$address
# Nothing of the machine's own settings: no accounts, no proxies.
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true NO_PROXY=127.0.0.1
python3 -c 'import boto3' 2>/dev/null || { url=; echo 'without an SDK: boto3 is not installed (Debian: python3-boto3)'; }
mnt b
mnt i -o table=tab,index=gsi
checks=$((checks + 1))
python3 -u "$HERE/stress.py" "$S" "$ITEMCTL" "$ITEMFS" "$url" "${ITEMFS_STRESS_SEED-1}" "${ITEMFS_STRESS_STEPS-40}" || fail 'somebody saw an old state'
# Each of these is a write that waited 100 ms for a mount, and then had its kernel ask anew; few mounts stand still for so long.
eq 'acknowledged when all mounts know, not when a time is over' "$(jq '.waits_given_up * 5 <= .newest_change' a/.itemfs/stats.json)" true
ok ctl check
done_testing
