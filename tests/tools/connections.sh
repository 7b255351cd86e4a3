#!/bin/bash
# serve keeps many idle clients; neither they nor half-open connections keep anybody out, also where it can keep few.
. "$(dirname "$0")/lib.sh"

# clients IDLE WORKING HALF-OPEN - what they see
clients()
{
	python3 "$SOURCE/tests/tools/connections.py" "${url##*:}" "$@"
}

if [ "$(ulimit -H -n)" != unlimited ] && [ "$(ulimit -H -n)" -lt 16000 ] || ! ulimit -S -n 16000; then
	echo 'skipped: the limit of open files is too low here'
	exit 77
fi
begin_server --listen 127.0.0.1:0
url=http://$(address log)
eq '2,000 idle clients, and 100 that work' "$(clients 2000 100 330)" $'idle 2000\nworking 2000\nnew 1 soon'
end_server

rm log
(ulimit -S -n 256 && ulimit -H -n 256 && exec "$ITEMCTL" -s "$S" serve --listen 127.0.0.1:0) >>log 2>&1 &
server=$!
url=http://$(address log)
eq 'more than it can keep' "$(clients 500 4 0)" $'idle 500\nworking 80\nnew 1 soon'
end_server
eq 'nothing else was said' "$(grep -v '^listening on ' log)" ''
done_testing
