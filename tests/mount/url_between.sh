#!/bin/bash
# The mount of an endpoint where others write between two of its requests (NAMESPACE 4, 7).
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=100 # nothing is asked for long

between_endpoint
proxy=$S S=$real
store --key PK,SK
put()
{
	ctl put tab "$@" >/dev/null
}

# before OP COMMAND - once, when the mount asks for that next
before()
{
	printf 'rm %q && %s' "$W/before/$1" "$2" >before/new
	mv before/new "before/$1"
}
# theirs ITEM - a command that puts it
theirs()
{
	printf '%q ' "$ITEMCTL" -s "$real" --quiet put tab "$1"
}
happened()
{
	checks=$((checks + 1))
	[ -z "$(ls before)" ] || fail "was not asked: $(ls before)"
}
S=$proxy
mnt m -o table=tab,timeout=0
S=$real

# ---- a partition that moves replaces nothing

put '{"PK":"src","SK":"1","v":1}' '{"PK":"src","SK":"2"}'
before TransactWriteItems "$(theirs '{"PK":"dst","SK":"1","his":true}')"
refused 'Directory not empty' renameat2 m/src m/dst 0
happened
eq 'what came meanwhile stays' "$(item tab dst 1) $(ls m/src m/dst | tr '\n' ' ')" \
	'{"PK":"dst","SK":"1","his":true} m/dst: 1.json  m/src: 1.json 2.json '
put '{"PK":"one","SK":"1"}' '{"PK":"two","SK":"2"}'
before TransactWriteItems "$(theirs '{"PK":"two","SK":"1","his":true}')"
ok renameat2 m/one m/two 2
happened
eq 'it is exchanged with the others' "$(jq -c '[.PK,.SK,.his]' m/one/* m/two/* | tr '\n' ' ')" \
	'["one","1",true] ["one","2",null] ["two","1",null] '

# ---- what replaces an item in a busy table is kept: sed removes its file then

put '{"PK":"p","SK":"a","v":1}'
echo false >before/PutItem
refused 'Device or resource busy' sed -i s/1/2/ m/p/a.json
rm before/PutItem
eq 'kept' "$(item tab p a) $(cat m/.itemfs/rejected/*)" '{"PK":"p","SK":"a","v":1} {"PK":"p","SK":"a","v":2}'

# ---- what the endpoint is slow about holds up no file that is no item

before DeleteItem "touch held; until [ -e go ]; do sleep 0.1; done"
rm m/p/a.json &
wait_until 10 test -e held || fail 'nothing is deleted'
ok timeout 120 cat m/.itemfs/version
ok timeout 120 cat m/.table.json
ok timeout 120 cat m/.count
touch go
wait $!
happened
gone m/p/a.json

unmnt m

done_testing
