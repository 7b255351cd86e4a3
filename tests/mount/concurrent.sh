#!/bin/bash
# Many at once: writers, readers, renames, listings, other front ends. All of them end, and no reader sees a torn
# text.
# BEHAVIOUR 1.5, 6.1
. "$(dirname "$0")/lib.sh"

seed 1
store --key PK,SK --gsi gsi=G
mnt m -o table=tab
mnt n -o table=tab
mnt g -o table=tab,index=gsi
mkdir m/p m/q

# ---- writers of different items

for w in 1 2 3 4; do
	( for k in $(seq 50); do echo '{"w":'$w',"G":"x"}' >m/p/$w-$k.json; done ) &
done
( for k in $(seq 20); do ls -l g/x n/p >/dev/null 2>&1; done ) &
( for k in $(seq 50); do ctl put tab '{"PK":"p","SK":"ctl-'$k'","G":"x"}' >/dev/null; done ) &
wait
eq 'all items are there' "$(ctl query tab p --count) $(ls n/p | wc -l) $(ls g/x | wc -l)" '250 250 250'

# ---- writers and readers of one item: a reader sees one of the texts

echo '{"v":"start"}' >m/q/one.json
for d in m n; do
	for w in a b; do
		n=$((RANDOM % 5000 + 1)) # a subshell has its own seed
		( v=$(printf "$w%.0s" $(seq $n)); for k in $(seq 25); do echo '{"v":"'$v'"}' >$d/q/one.json; done ) &
	done
done
( for k in $(seq 25); do ctl put tab '{"PK":"q","SK":"one","v":"'$k'"}' >/dev/null; done ) &
wait
settle m
settle n
eq 'both mounts show the same text' "$(cat m/q/one.json)" "$(cat n/q/one.json)"
eq 'which is the stored item' "$(jq -cS . m/q/one.json)" "$(item tab q one)"

# ---- renames back and forth, and listings

seq 20 | jq -c '{PK:"q",SK:"r\(.)",G:"y"}' | ctl put tab - >/dev/null
for k in $(seq $(rounds 2)); do
	( for i in $(seq 20); do mv m/q/r$i.json n/../m/p/ 2>/dev/null; done ) &
	( for i in $(seq 20); do mv m/p/r$i.json m/q/ 2>/dev/null; done ) &
	( for i in $(seq 5); do find m n g -type f >/dev/null 2>&1; done ) &
	wait
done
eq 'no item is lost or duplicated' "$(cd m && find . -name 'r*.json' | sed 's|.*/||' | sort | uniq -c | awk '$1 == 1' | wc -l)" 20
eq 'the other mount agrees' "$(cd n && find . -type f | sort | md5sum)" "$(cd m && find . -type f | sort | md5sum)"

# ---- concurrent removals

( rm -r m/p ) 2>/dev/null &
( rm -r n/p ) 2>/dev/null &
wait
rm -rf m/p
eq 'two rm -r leave no item' "$(ctl query tab p --count)" 0

# ---- the same name in two mounts

for k in $(seq $(rounds 10)); do
	echo '{"v":1}' >m/q/same.json
	rm n/q/same.json
	gone m/q/same.json
	echo '{"v":2}' >n/q/same.json
	eq "round $k" "$(jq .v m/q/same.json)" 2
	rm m/q/same.json
	gone n/q/same.json
done

# ---- updates over HTTP beside the mount

if here curl; then
	update()
	{
		curl -s --unix-socket "$S/socket" -H 'X-Amz-Target: DynamoDB_20120810.UpdateItem' -H 'Content-Type: application/x-amz-json-1.0' \
			-d '{"TableName":"tab","Key":{"PK":{"S":"q"},"SK":{"S":"n"}},"UpdateExpression":"'"$1"'"'"${2-}"'}' http://localhost/
	}
	one=',"ExpressionAttributeValues":{":v":{"N":"1"}}'
	update 'ADD n :v' "$one" >/dev/null
	eq 'an update creates a file' "$(jq .n m/q/n.json)" 1
	for k in $(seq 30); do
		update 'ADD n :v' "$one" >/dev/null
		eq "update $k is visible at once" "$(jq .n m/q/n.json)" $((k + 1))
	done
	update 'SET G = PK' >/dev/null
	eq 'and in an index view' "$(jq .n g/q/*)" 31
	was=$(stat -c %y m/q/n.json)
	update 'SET G = G' >/dev/null
	eq 'an update that changes nothing leaves the time' "$(stat -c %y m/q/n.json)" "$was"
	update 'REMOVE G' >/dev/null
	gone g/q
fi
ok ctl check

done_testing
