#!/bin/bash
# Items that expire: they are shown until they are swept, and then disappear at once (NAMESPACE 1).
# BEHAVIOUR 8.6
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi gsi=G --ttl end
now=$(date +%s)
ctl put tab "{\"PK\":\"p\",\"SK\":\"over\",\"G\":\"g\",\"end\":$((now - 100))}" '{"PK":"p","SK":"stays","G":"g"}' >/dev/null
mnt m -o table=tab,ttl_sweep=0
mnt i -o table=tab,index=gsi
eq 'expired items are shown, as in DynamoDB' "$(ls m/p) $(cat m/p/over.json)" "over.json
stays.json {\"PK\":\"p\",\"SK\":\"over\",\"G\":\"g\",\"end\":$((now - 100))}"
eq 'in index views, too' "$(ls i/g | wc -l)" 2

ok ctl sweep
gone m/p/over.json
eq 'swept items are not listed' "$(ls m/p)" stays.json
eq 'nor are they in the index view' "$(ls i/g | wc -l)" 1

# A later expiry time, written through the mount, saves an item.
echo "{\"end\":$((now - 100))}" >m/p/rescued.json
echo "{\"end\":$((now + 1000))}" >m/p/rescued.json
ok ctl sweep
eq 'an item with a later expiry time stays' "$(item tab p rescued)" "{\"PK\":\"p\",\"SK\":\"rescued\",\"end\":$((now + 1000))}"

# A mount that joins may ask for another interval; the latest one applies.
mkdir -p m/z
echo "{\"end\":$((now - 100))}" >m/z/over.json
mnt n -o table=tab,ttl_sweep=1
is_gone()
{
	! stat m/z/over.json >/dev/null 2>&1
}
checks=$((checks + 1))
wait_until 20 is_gone || fail 'the sweeper does not sweep'
eq 'all expired items are deleted' "$(ctl scan tab | jq -r .SK | sort | tr '\n' ' ')" 'rescued stays '
ok ctl check
unmnt n m i
done_testing
