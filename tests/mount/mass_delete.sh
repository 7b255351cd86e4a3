#!/bin/bash
# rm -r of more items than max_delete= allows is stopped; DynamoDB and endpoints that are not on this machine have
# such a limit by default.
. "$(dirname "$0")/lib.sh"

export ITEMFS_TIMING=max_delete=600000 # the minute of the limit lasts longer than this test
endpoint
near=$S
store --key PK,SK
ctl create-table flat --key PK >/dev/null
fill()
{
	jq -nc 'range(250) | {PK: "p\(. / 50 | floor)", SK: "\(.)"}' | ctl -q import tab
}
count()
{
	ctl scan "${1-tab}" --count | tr -dc 0-9
}
why()
{
	echo "this would delete more than max_delete=$1 items of table $2 within a minute: mount with a larger -o max_delete=N, or -o allow_mass_delete for no limit"
}

# ---- an explicit limit, for an endpoint on loopback and for a store

for S in "$near" "$W/store"; do
	[ "$S" = "$near" ] || store --key PK,SK
	fill
	mnt m -o table=tab,max_delete=100
	eq "$S: config.json has the limit" "$(jq .max_delete m/.itemfs/config.json)" 100
	rm -r m/p0 m/p1 m/p2 m/p3 m/p4 2>rm.err
	eq 'as many items as the limit are deleted' "$(count)" 150
	eq 'the deletes of all others are refused' "$(grep -c 'Operation not permitted' rm.err)" 150
	eq 'and these items are there' "$(cat m/p2/.jsonl m/p3/.jsonl m/p4/.jsonl | wc -l)" 150
	path=$(cut -f 3 m/.itemfs/errors | tail -n 1)
	eq 'errors has a line for each' "$(cut -f 4- m/.itemfs/errors | sort | uniq -c | sed 's/^ *//')" $'150 EPERM\t-\t'"$(why 100 tab)"
	eq 'why has the reason' "$(ctl why "$path" | jq -r .Message)" "$(why 100 tab)"
	refused 'Operation not permitted' rm m/p4/249.json
	refused 'Operation not permitted' mv m/p4/249.json m/p4/.trash
	ok write m/p4/249.json '{"v":1}'
	ok mv m/p4/249.json m/p4/moved.json
	unmnt m
	mnt m -o table=tab,allow_mass_delete
	eq 'no limit' "$(jq .max_delete m/.itemfs/config.json)" null
	ok rm -r m/p2 m/p3 m/p4
	eq 'without a limit all are deleted' "$(count)" 0
	unmnt m
	mnt m -o table=tab,max_delete=0
	ctl put tab '{"PK":"p","SK":"a"}' >/dev/null
	refused 'Operation not permitted' rm -r m/p
	eq 'max_delete=0 means no limit' "$(count)" 1
	unmnt m
	ctl delete tab p a >/dev/null 2>&1
done

# ---- by default: no limit on this machine, 100 elsewhere

S=$near
fill
mnt m -o table=tab
ok rm -r m/p0 m/p1 m/p2
unmnt m
eq 'a loopback endpoint has no limit' "$(count)" 100
fill
export AWS_ENDPOINT_URL_DYNAMODB=$near AWS_ACCESS_KEY_ID=A AWS_SECRET_ACCESS_KEY=B
S=dynamodb:eu-west-1
mnt m -o rw
eq 'DynamoDB has a limit' "$(jq .max_delete m/.itemfs/config.json)" 100
rm -r m/tab 2>/dev/null
eq 'rm -r of a table stops at the limit' "$(count)" 150
ctl put flat '{"PK":"a"}' >/dev/null
ok rm m/flat/a.json
unmnt m
mnt m -o table=tab,rw,allow_mass_delete
ok rm -r m/p*
eq 'without the limit if asked for' "$(count)" 0
unmnt m

# ---- words

refused 'max_delete=x is not a number in the allowed range' "$ITEMFS" "$S" m -o max_delete=x
refused 'max_delete=-1 is not a number in the allowed range' "$ITEMFS" "$S" m -o max_delete=-1
refused '-o max_delete needs a value' "$ITEMFS" "$S" m -o max_delete
refused 'give only one of -o max_delete= and -o allow_mass_delete' "$ITEMFS" "$S" m -o max_delete=5,allow_mass_delete

# ---- a mount that joins has its own limit

S=$W/store
fill
mnt m -o table=tab
mnt n -o table=tab,max_delete=10
rm -r n/p0 2>/dev/null
eq 'the joined mount stops at its own limit' "$(count)" 240
ok rm -r m/p0 m/p1
eq 'the first mount has no limit' "$(count)" 150
unmnt n
unmnt m

done_testing
