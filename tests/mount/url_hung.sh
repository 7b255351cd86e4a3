#!/bin/bash
# The mount of an endpoint that becomes silent: each request ends after timeout_request=, it can be unmounted at once,
# and it recovers by itself.
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
mkdir m
real=$S
behind()
{
	echo "$1" >target.new
	mv target.new target
}
behind "${real##*:}"
python3 "$HERE/relay.py" port target &
helpers="$helpers $!"
disown
wait_until 10 test -s port || fail 'no relay'
S=http://127.0.0.1:$(cat port)

fails 2 'timeout_request=x is not a number in the allowed range' "$ITEMFS" "$S" m -o timeout_request=x
mnt m -o table=tab,timeout=0,timeout_request=1
eq 'the item can be read' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","v":1}'

behind silent
for hung in 'cat m/p/a.json' 'ls m/p' 'touch m/p/b.json'; do
	refused 'Input/output error' $hung
done
eq 'errors has the time-out' "$(cut -f 4-6 m/.itemfs/errors | sort -u)" "EIO	ServiceUnavailable	$S: no answer within the time limit"
behind "${real##*:}"
eq 'the mount recovers' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","v":1}'
behind silent
ok umount m
done_testing
