#!/bin/bash
# The memory for unread responses and for requests is bounded; where memory runs out, requests fail and the server
# continues.
. "$(dirname "$0")/lib.sh"

answered=$'small 200\nother set()\nrefused True\nbeside idle clients True'

# hostile STATUS... - clients of the server that do not read; they may get 200, 400, 503 and STATUS
hostile()
{
	python3 "$SOURCE/tests/tools/memory.py" "${url##*:}" 120 200 400 503 "$@"
}

# peak - maximum memory of the server in kB
peak()
{
	sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status"
}

begin_server --listen 127.0.0.1:0
url=http://$(address log)
eq 'clients that do not read their responses' "$(hostile)" "$answered"
if grep -q 'lib[a-z]*asan' "/proc/$server/maps" || nm "$ITEMFS" 2>/dev/null | grep -q '__asan_init'; then
	# A sanitizer needs additional memory, and does not run with a limit.
	end_server
	done_testing
	exit
fi
# Responses 256 MB, requests 64 MB as trees, 16 batches of 48 MB that are read at once: 2.8 GB without a bound.
eq 'the server stays below 1.5 GB' "$(($(peak) < 1500000))" 1
end_server

# A sanitizer would write to memory that is only reserved, whether it exists or not.
unset MALLOC_PERTURB_
for limit in 800000 300000; do
	rm -rf log "$S"
	(ulimit -v $limit && exec "$ITEMCTL" -s "$S" serve --listen 127.0.0.1:0) >>log 2>&1 &
	server=$!
	url=http://$(address log)
	# A client may find memory neither for its connection nor for an answer.
	eq "with $limit kB" "$(hostile closed)" "$answered"
	eq 'and it still serves' "$("$ITEMCTL" -s "$url" scan large --count)" 40
	end_server
done
done_testing
