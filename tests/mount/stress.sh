#!/bin/bash
# No reader sees an old state, and no writer waits for a time-out: writers through each front end look at once through
# each mount (stress.py; NAMESPACE 7).
# Longer, with another seed: ITEMFS_SEED=7 ITEMFS_ROUNDS=300 bash tests/mount/stress.sh
. "$(dirname "$0")/lib.sh"

here python3 || exit 77

seed 1
export ITEMFS_TIMING=settle=120000 # otherwise the kernels' caches would expire 100 ms after a write
store --key PK,SK --gsi 'gsi=G,H' --ttl end
mkdir a
address=$("$ITEMFS" "$S" "$W/a" -o table=tab,ttl_sweep=0,listen=127.0.0.1:0 | sed -n 's/^listening on //p')
url=http://$address
# Use none of the machine's own settings: no accounts, no proxies.
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true NO_PROXY=127.0.0.1
python3 -c 'import boto3' 2>/dev/null || { url=; echo 'without an SDK: boto3 is not installed (Debian: python3-boto3)'; }
mnt b
mnt i -o table=tab,index=gsi
checks=$((checks + 1))
python3 -u "$HERE/stress.py" "$S" "$ITEMCTL" "$ITEMFS" "$url" "$seed" "$(rounds 16)" || fail 'a reader saw an old state'
eq 'writes are acknowledged when all mounts are invalidated, not after a time-out' "$(jq .waits_given_up a/.itemfs/stats.json)" 0
ok ctl check
done_testing
