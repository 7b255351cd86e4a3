#!/bin/bash
# serve keeps many idle clients; neither they nor half-open connections keep new clients out, even where it can keep
# few.
. "$(dirname "$0")/lib.sh"

# clients IDLE WORKING HALF-OPEN - print the responses that they get
clients()
{
	python3 "$SOURCE/tests/tools/connections.py" "${url##*:}" "$@"
}

if [ "$(ulimit -H -n)" != unlimited ] && [ "$(ulimit -H -n)" -lt 16000 ] || ! ulimit -S -n 16000; then
	echo 'skipped: the limit of open files is too low here'
	exit 77
fi
# No client is disconnected because it is slow: a new client does not wait for that.
export ITEMFS_TIMING=head=600000,idle=600000
begin_server --listen 127.0.0.1:0
url=http://$(address log)
clients 1 100 0 >before # threads and buffers of working clients
idle_kb=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status")
eq '2,000 idle and 100 working clients' "$(clients 2000 100 330 kept)" $'idle 2000\nworking 2000\nnew 1\nstill 2000'
eq 'more clients than are kept' "$(clients 3500 100 330)" $'idle 3500\nworking 2000\nnew 1'
# The memory that stays after the working clients are gone: 3,000 pools. A sanitizer needs additional memory.
if ! grep -q 'lib[a-z]*asan' "/proc/$server/maps" && ! nm "$ITEMFS" 2>/dev/null | grep -q '__asan_init'; then
	eq 'idle clients take less than 64 MB' "$(($(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status") - idle_kb < 65536))" 1
fi
end_server

rm log
(ulimit -S -n 256 && ulimit -H -n 256 && exec "$ITEMCTL" -s "$S" serve --listen 127.0.0.1:0) >>log 2>&1 &
server=$!
url=http://$(address log)
eq 'more clients than it can keep' "$(clients 500 4 0)" $'idle 500\nworking 80\nnew 1'
end_server
eq 'the log has the number of kept clients and nothing else' "$(grep -vE '^(listening on |export |#|$)' log | cut -d' ' -f5-)" \
	'at most 26 connections instead of 3000, because the limit of open files is 256; raise it (ulimit -n, LimitNOFILE=)'
done_testing
