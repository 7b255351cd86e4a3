#!/bin/bash
# The owner of a store is stopped: a command reports this, gives up after a while, and continues when the owner does.
. "$(dirname "$0")/lib.sh"
ctl -q create-table tab --key PK
ctl put tab '{"PK":"a"}'
begin_server
halt "$server"
export ITEMFS_TIMING=open=120000,stopped=600
says="waiting for the process $server, which has the store open and is stopped; to continue it: kill -CONT $server"
gives 5 "the process $server, which has the store open, is stopped" ctl scan tab
eq 'a note during the wait' "$(head -n 1 <<<"$err")" "$says"
gives 5 'is stopped: when it continues, the change may still be made' ctl put tab '{"PK":"b"}'
gives 5 'is stopped' ctl call ListTables
eq 'no note with --quiet' "$(ctl --quiet scan tab 2>&1 | grep -c waiting)" 0
export ITEMFS_TIMING=open=120000,stopped=600000
ctl scan tab >rows 2>told &
waits=$!
ok wait_until 10 grep -q "^$says" told
kill -CONT "$server"
wait $waits
eq 'the command continues' "$? $(head -n 1 rows)" '0 {"PK":"a"}'
end_server
done_testing
