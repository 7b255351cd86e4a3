#!/bin/bash
# The next command removes what a killed command left in memory-backed storage.
. "$(dirname "$0")/lib.sh"
can_trace || exit 77

# place PID - print the temporary store that a process has open
place()
{
	readlink "/proc/$1/fd/"* | grep -m 1 -oE '.*/itemfs-temporary-[^/]*'
}

create=("$ITEMCTL" -q -s "$S" create-table tab --key PK --ttl at)
hold '' fdatasync "${create[@]}"
dir=$(place "$held")
ok test -d "$dir/db"
"$ITEMCTL" -q -s other create-table tab --key PK --ttl at
ok test -d "$dir/db" # it is in use
kill -KILL "$held"
let_go
wait "$held" 2>/dev/null
ok test -d "$dir/db"
ok "${create[@]}"
ok test ! -e "$dir"

# ---- serve --temp: killed together with the process that would have removed the store
"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >temp.log 2>&1 &
temp=$!
ok "$ITEMCTL" -s "http://$(address temp.log)" create-table tab --key PK
dir=$(tr '\0' '\n' <"/proc/$temp/cmdline" | sed -n 2p)
kill -KILL $(cat "/proc/$temp/task/$temp/children")
"$ITEMCTL" -q -s third create-table tab --key PK --ttl at
ok test -d "$dir/db" # the server has it
ok "$ITEMCTL" -s "http://$(address temp.log)" put tab '{"PK":"a"}'
kill -KILL "$temp"
wait "$temp" 2>/dev/null
ok test -d "$dir/db"
"$ITEMCTL" -q -s fourth create-table tab --key PK --ttl at
ok test ! -e "$dir"
done_testing
