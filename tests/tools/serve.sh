#!/bin/bash
# serve, and that commands are the same while another process owns the store; check and why.
. "$(dirname "$0")/lib.sh"

# address LOG - the one that a server says it listens on
address()
{
	local said=
	for _ in $(seq 1 500); do
		said=$(sed -n 's/^listening on //p' "$1")
		[ -z "$said" ] || break
		sleep 0.01
	done
	echo "$said"
}

begin_server --listen 127.0.0.1:0
url=http://$(address log)
ok ctl create-table tab --key PK
ok ctl put tab '{"PK":"a","x":1}'
eq 'over TCP' "$("$ITEMCTL" -s "$url" get tab a)" '{"PK":"a","x":1}'
ok "$ITEMCTL" -s "$url" put tab '{"PK":"b"}'
eq 'the same store' "$(ctl scan tab --count)" 2
seq 1 60 | sed 's/.*/{"PK":"k&"}/' >items
cat items items | ok "$ITEMCTL" -s "$url" import tab
eq 'import to an endpoint has no LoadItems and works' "$(ctl scan tab --count)" 62
gives 2 '' "$ITEMCTL" -s "$url" check
ok ctl check
eq 'check' "$err" '62 items and 0 index entries looked at'
ok ctl why
eq 'nothing refused' "$err" 'nothing was refused'
gives 1 'nothing was refused' ctl why "$W/some/path"
end_server
ok ctl scan tab --count
eq 'everything is still there when the server has gone' "$out" 62
ok ctl why

gives 2 'needs listen=' ctl serve --credentials log
gives 2 'No such file' ctl serve --listen 127.0.0.1:0 --credentials absent
gives 2 'only with credentials' ctl serve --listen 0.0.0.0:0
gives 2 'serve wants a store directory' "$ITEMCTL" -s http://127.0.0.1:1 serve
gives 70 '' "$ITEMCTL" -s "$url" tables

# ---- a store that is gone at the end
"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >temp.log 2>&1 &
temp=$!
url=$(address temp.log)
dir=$(tr '\0' '\n' <"/proc/$(cat "/proc/$temp/task/$temp/children" | tr -d ' ')/cmdline" | sed -n 2p)
ok "$ITEMCTL" -s "http://$url" create-table tab --key PK
ok "$ITEMCTL" -s "http://$url" put tab '{"PK":"a"}'
eq 'it is in memory-backed storage' "$(stat -f -c %T "$dir" 2>&1)" "$(stat -f -c %T /dev/shm)"
kill -TERM "$temp"
wait "$temp"
eq 'it ends as its server does' "$?" 0
eq 'and is gone' "$(ls "$dir" 2>&1 | grep -c 'No such file')" 1

# ---- only who signs is answered
printf '[default]\naws_access_key_id = AKID\naws_secret_access_key = secret\n' >'my, keys'
rm log
begin_server --listen 127.0.0.1:0 --credentials 'my, keys'
url=http://$(address log)
gives 2 'MissingAuthenticationTokenException' "$ITEMCTL" -s "$url" tables
ok ctl tables
end_server
done_testing
