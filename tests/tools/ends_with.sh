#!/bin/bash
# serve --ends-with: the server ends when another process does, however that ends; processes that cannot be watched; a signal at the start.
. "$(dirname "$0")/lib.sh"

# begin_other - start a process to be watched, as $other
begin_other()
{
	sleep infinity &
	other=$!
}

# end_other - as no handler of it could prevent; its ID is $ended then
end_other()
{
	kill -KILL "$other"
	other_has_ended
}

other_has_ended()
{
	wait "$other" 2>/dev/null
	ended=$other other= # at the end of the script, another process may have the ID
}

at_end 'kill -KILL ${other-} ${holder-} ${held-} 2>/dev/null; clean_up'

# store_of PORT - the directory of the server on the port
store_of()
{
	"$ITEMCTL" status --format json "$1" | jq -r .Store
}

# ---- a server in memory, in the background
begin_other
port=$("$ITEMCTL" serve --port 0 --print-port --ends-with $other)
url=http://127.0.0.1:$port
ok "$ITEMCTL" -s "$url" create-table tab --key PK
dir=$(store_of "$port")
ok test -d "$dir"
end_other
ok wait_until 10 test ! -e "$dir"
gives 70 '' "$ITEMCTL" -s "$url" tables

begin_other
port=$("$ITEMCTL" serve --port 0 --print-port --ends-with $other)
dir=$(store_of "$port")
ok "$ITEMCTL" stop "$port"
ok wait_until 10 test ! -e "$dir"
ok kill -0 $other # the server may end first
end_other

# ---- a server of a store, in the foreground
begin_other
begin_server --ends-with $other
ok ctl create-table tab --key PK
ok ctl put tab '{"PK":"a"}'
end_other
wait "$server"
eq 'it ends as if it got SIGTERM' "$?" 0
server=
eq 'the store stays' "$(ctl get tab a)" '{"PK":"a"}'

# ---- the process ends while the server reads its seed
begin_other
ctl describe tab >tab.json
mkfifo items.jsonl
"$ITEMCTL" serve --port 0 --ends-with $other --seed tab.json --seed items.jsonl=tab >seed.log 2>&1 &
held=$!
exec 3>items.jsonl # returns when the seed is being read
end_other
wait "$held"
status=$? held=
eq 'it does not start' "$status $(tail -n 1 seed.log)" '143 itemctl: items.jsonl:1: interrupted'
exec 3>&-

# ---- a signal after the seed, just before the server starts
if can_trace; then
	case $(uname -m) in aarch64) call=faccessat ;; *) call=access ;; esac
	echo '{"PK":"a"}' >tab.jsonl
	hold "${ITEMCTL%/*}/../fs/itemfs" $call "$ITEMCTL" serve --port 0 --seed tab.json --seed tab.jsonl >held.out
	kill -TERM "$held"
	let_go
	wait "$held"
	status=$? held=
	eq 'it is not lost' "$status $(cat held.out) $(tail -n 1 held.err)" '143  itemctl: interrupted'
fi

# ---- with a program, both end it
begin_other
eq 'the program runs without its server then' "$("$ITEMCTL" serve --ends-with $other -- sh -c \
	'kill -KILL $1; while "$0" tables >/dev/null 2>&1; do :; done; echo alone' "$ITEMCTL" $other)" alone
other_has_ended

# ---- processes that cannot be watched
gives 2 'itemctl: --ends-with needs a whole number, not "-1"' "$ITEMCTL" serve --ends-with -1
gives 2 'itemctl: --ends-with needs a whole number, not "x"' "$ITEMCTL" serve --ends-with x
for pid in 0 2147483648; do
	gives 2 'itemctl: --ends-with must be the ID of a process, 1 to 2147483647' "$ITEMCTL" -s new serve --ends-with $pid
done
for pid in 2147483647 $ended; do
	gives 2 "itemctl: --ends-with $pid: there is no such process" "$ITEMCTL" -s new serve --ends-with $pid
done
python3 -c 'import os, signal
child = os.fork()
if child == 0:
    os._exit(0)
print(child, flush=True)
signal.pause()' >zombie &
holder=$!
ok wait_until 10 test -s zombie
zombie=$(cat zombie)
ok wait_until 10 grep -q '^State:[[:space:]]*Z' "/proc/$zombie/status"
gives 2 "itemctl: --ends-with $zombie: there is no such process" "$ITEMCTL" -s new serve --ends-with "$zombie"
begin_server
thread=$(ls "/proc/$server/task" | grep -vx "$server" | head -n 1)
gives 2 "itemctl: --ends-with $thread is a thread, not a process" "$ITEMCTL" -s new serve --ends-with "$thread"
end_server
ok test ! -e new
ok "$ITEMCTL" serve --ends-with 1 -- true # in a container it may be the caller

done_testing
