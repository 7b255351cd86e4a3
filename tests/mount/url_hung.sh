#!/bin/bash
# The mount of an endpoint that becomes silent: each request ends after timeout_request=, it can be unmounted at once,
# and it recovers by itself. itemctl that is killed meanwhile leaves no process, long before the request ends.
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
# A busy machine may need more than this second for a request, so what should succeed is tried again.
wait_until 10 "$ITEMFS" "$S" m -o table=tab,timeout=0,timeout_request=1 || fail 'no mount'
reads()
{
	[ "$(cat m/p/a.json)" = '{"PK":"p","SK":"a","v":1}' ]
}
ok wait_until 10 reads

behind silent
for hung in 'cat m/p/a.json' 'ls m/p' 'touch m/p/b.json'; do
	refused 'Input/output error' $hung
done
eq 'errors has the time-out' "$(cut -f 4-6 m/.itemfs/errors | sort -u)" "EIO	ServiceUnavailable	$S: no answer within the time limit"
behind "${real##*:}"
ok wait_until 10 reads
behind silent
ok umount m
wait_until 10 nobody_left || fail 'the daemon is still there'

# ---- itemctl cat is killed while it waits; its requests would not end during the test
export ITEMFS_TIMING=request=3600000,silence=3600000
is_free()
{
	local dir
	for dir in /proc/[0-9]*; do
		! [[ $dir/exe -ef $ITEMFS && $(tr '\0' ' ' 2>/dev/null <"$dir/cmdline") = *"$S /dev/fd/"* ]] || return 1
	done
}
# killed READER WHEN [PORT_FILE] - kill it once the endpoint has its request
killed()
{
	wait_until 10 test -e "${3-port}.asked" || fail "$2: no request"
	! is_free || fail "$2: the reader has no process of its own"
	kill -9 "$1"
	wait "$1" 2>/dev/null
	wait_until 10 is_free || fail "$2: a process is left"
}
rm -f port.asked
"$ITEMCTL" -s "$S" cat tab/p/a.json >killed.out 2>&1 &
killed $! 'at the start'

behind "${real##*:}"
jq -nc '{PK: "p", SK: "long", text: ("a" * 300000)}' | ctl import tab - >/dev/null || fail 'no import'
mkfifo long
"$ITEMCTL" -s "$S" cat tab/p/long.json tab/p/a.json >long 2>killed.out &
reader=$!
exec 3<long
read -r -N 1 <&3 # now the pipe has no room for the rest
rm -f port.asked
behind silent
cat <&3 >/dev/null &
killed $reader 'at the second file'
exec 3<&-

# The answer to Scan waits.
mkdir before
python3 "$HERE/between.py" door "${real##*:}" before 2>/dev/null &
helpers="$helpers $!"
disown
wait_until 10 test -s door || fail 'no proxy'
S=http://127.0.0.1:$(cat door)
mkfifo hold
exec 4<>hold
echo ': >door.asked; read -r <hold' >before/Scan
"$ITEMCTL" -s "$S" cat tab/.jsonl >killed.out 2>&1 &
killed $! 'in the first read' door
echo >&4
done_testing
