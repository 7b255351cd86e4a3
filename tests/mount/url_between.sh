#!/bin/bash
# The mount of an endpoint where others write between two of its requests (NAMESPACE 4, 7).
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=100 # requests are not retried for long

between_endpoint
proxy=$S S=$real
store --key PK,SK
put()
{
	ctl put tab "$@" >/dev/null
}

# before OP COMMAND - run it once, when the mount next requests OP
before()
{
	printf 'rm %q && %s' "$W/before/$1" "$2" >before/new
	mv before/new "before/$1"
}
# theirs ITEM - print a command that puts the item
theirs()
{
	printf '%q ' "$ITEMCTL" -s "$real" --quiet put tab "$1"
}
happened()
{
	checks=$((checks + 1))
	[ -z "$(ls before)" ] || fail "not requested: $(ls before)"
}
S=$proxy
mnt m -o table=tab,timeout=0
S=$real

# ---- moving a partition replaces no item

put '{"PK":"src","SK":"1","v":1}' '{"PK":"src","SK":"2"}'
before TransactWriteItems "$(theirs '{"PK":"dst","SK":"1","his":true}')"
refused 'Directory not empty' renameat2 m/src m/dst 0
happened
eq 'an item written meanwhile stays' "$(item tab dst 1) $(ls m/src m/dst | tr '\n' ' ')" \
	'{"PK":"dst","SK":"1","his":true} m/dst: 1.json  m/src: 1.json 2.json '
put '{"PK":"one","SK":"1"}' '{"PK":"two","SK":"2"}'
before TransactWriteItems "$(theirs '{"PK":"two","SK":"1","his":true}')"
ok renameat2 m/one m/two 2
happened
eq 'an item written meanwhile is exchanged with the others' "$(jq -c '[.PK,.SK,.his]' m/one/* m/two/* | tr '\n' ' ')" \
	'["one","1",true] ["one","2",null] ["two","1",null] '

# ---- the text that should replace an item of a throttled table is kept: sed removes its file then

put '{"PK":"p","SK":"a","v":1}'
echo false >before/PutItem
refused 'Device or resource busy' sed -i s/1/2/ m/p/a.json
rm before/PutItem
eq 'the text is kept' "$(item tab p a) $(cat m/.itemfs/rejected/*)" '{"PK":"p","SK":"a","v":1} {"PK":"p","SK":"a","v":2}'

# ---- a slow endpoint does not delay scratch files

before DeleteItem "touch held; until [ -e go ]; do sleep 0.1; done"
rm m/p/a.json &
wait_until 10 test -e held || fail 'no DeleteItem is sent'
ok timeout 120 cat m/.itemfs/version
ok timeout 120 cat m/.table.json
ok timeout 120 cat m/.count
touch go
wait $!
happened
gone m/p/a.json

unmnt m

done_testing
