#!/bin/bash
# More connections than the process may have descriptors: the store can still be written.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=head=600000,idle=600000 # connections stay open longer than this test

CONNECTIONS=330

# begin_small SOFT HARD - begin a server with these limits
begin_small()
{
	rm -f log
	ulimit -S -n 4096
	(ulimit -S -n "$1" && ulimit -H -n "$2" && exec "$ITEMCTL" -s "$S" serve --listen 127.0.0.1:0) >>log 2>&1 &
	server=$!
	url=http://$(address log)
}

limit_of_server()
{
	sed -n 's/^Max open files *\([0-9]*\) .*/\1/p' "/proc/$server/limits"
}

# hold_connections - open connections, until let_connections_go
hold_connections()
{
	rm -f connected
	mkfifo held
	python3 "$SOURCE/tests/tools/descriptors.py" "${url#http://}" $CONNECTIONS <held >connected &
	holder=$!
	exec {input}>held
	rm held
	ok wait_until 10 grep -q "^connected $CONNECTIONS" connected
}

let_connections_go()
{
	exec {input}>&-
	wait "$holder"
}

has_crowd()
{
	[ "$(ls "/proc/$server/fd" | wc -l)" -gt 25 ]
}

if ! (ulimit -n 4096) 2>/dev/null; then
	echo 'skipped: the limit of open files is too low here'
	exit 77
fi
ok ctl create-table tab --key PK
begin_small 128 256
eq 'the limit is raised' "$(limit_of_server)" 256
hold_connections
ok wait_until 10 has_crowd
for n in 1 2 3; do
	ok ctl put tab "{\"PK\":\"$n\"}" # through the store's own socket
done
eq 'free descriptors are left' "$(($(ls "/proc/$server/fd" | wc -l) < $(limit_of_server) - 20))" 1
let_connections_go
ok "$ITEMCTL" -s "$url" put tab '{"PK":"after"}'
eq 'no item is lost' "$(ctl scan tab --count)" 4
end_server
eq 'the log has only the number of kept connections' "$(grep -vE '^(listening on |export |#|$)' log | cut -d' ' -f5-)" \
	'at most 26 connections instead of 3000, because the limit of open files is 256; raise it (ulimit -n, LimitNOFILE=)'
ok ctl check
done_testing
