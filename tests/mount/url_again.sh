#!/bin/bash
# Retries of requests that an endpoint refuses temporarily: side effects of the operation happen once, and a request
# that may have been carried out is not repeated.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=600000 # requests are retried longer than this test
here python3 || done_testing

between_endpoint
proxy=$S S=$real
store --key PK,SK
# on_mount OPTIONS - mount the endpoint anew
on_mount()
{
	S=$proxy
	mnt m -o table=tab,timeout=0,rw"$1"
	S=$real
}
# refuse OPERATION N [WORDS] - refuse it N times, then carry it out
refuse()
{
	: >"count.$1"
	printf 'echo >>%q; echo %q; [ "$(wc -l <%q)" -gt %d ]' "$W/count.$1" "${3-}" "$W/count.$1" "$2" >before/new
	mv before/new "before/$1"
}
# asked OPERATION - print the number of requests
asked()
{
	wc -l <"count.$1"
}
fill()
{
	ctl delete tab p 1 >/dev/null
	ctl put tab '{"PK":"p","SK":"a","v":1}' '{"PK":"p","SK":"b","v":2}' '{"PK":"p","SK":"c","v":3}' '{"PK":"p","SK":"d","v":4}' >/dev/null
}

# ---- max_delete= counts deleted items, not requests

fill
on_mount ,max_delete=2
refuse DeleteItem 5
ok rm m/p/a.json
eq 'after five refusals' "$(asked DeleteItem)" 6
rm before/DeleteItem
refuse TransactWriteItems 3
ok rm m/p/b.json
refused 'Operation not permitted' rm m/p/c.json
unmnt m

# ---- a text that is checked when it is complete is written once

on_mount ,conflict=fail
cat >append.py <<'END'
import os
import sys
path, refuse = sys.argv[1:]
fd = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_APPEND)
os.write(fd, b'{"v":5')
os.rename(refuse, "before/GetItem")
os.write(fd, b'}')
os.write(fd, b'\n')
os.close(fd)
END
refuse GetItem 4
mv before/GetItem held
ok python3 append.py m/p/d.json held
eq 'the request of the check was refused' "$(($(asked GetItem) >= 4))" 1
rm before/GetItem
eq 'the item is stored' "$(item tab p d)" '{"PK":"p","SK":"d","v":5}'
refuse PutItem 4
ok python3 -c 'import os
fd = os.open("m/p/put.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
os.write(fd, b"{\"v\":6}")
os.close(fd)'
eq 'so is an item whose PutItem was refused' "$(asked PutItem) $(item tab p put)" '5 {"PK":"p","SK":"put","v":6}'

# ---- a text that was stored in the end is not among the rejected texts

rm before/PutItem
refuse PutItem 4
ok sed -i s/5/7/ m/p/d.json
eq 'the item is replaced' "$(asked PutItem) $(item tab p d)" '5 {"PK":"p","SK":"d","v":7}'
eq 'nothing was rejected' "$(ls m/.itemfs/rejected)" ''
rm before/PutItem

# ---- ftruncate() applies to the open file, in each try

put_a()
{
	ctl put tab "{\"PK\":\"p\",\"SK\":\"a\",\"v\":$1}" >/dev/null
}
unmnt m
on_mount ,conflict=fail
put_a 1
refuse GetItem 3
mv before/GetItem held
cat >truncate.py <<'END'
import os
import subprocess
fd = os.open("m/p/a.json", os.O_RDWR)
subprocess.run(os.environ["OTHER"], shell=True, check=True)
os.rename("held", "before/GetItem")
try:
    os.ftruncate(fd, 5)
    os.pwrite(fd, b'{"v":3}', 0)
    os.close(fd)
    print("stored")
except OSError as e:
    print(e.strerror)
END
eq 'what another process stored stays' "$(OTHER="$(printf '%q ' "$ITEMCTL" -s "$real" -q put tab '{"PK":"p","SK":"a","v":2}')" python3 truncate.py) $(item tab p a)" \
	'Stale file handle {"PK":"p","SK":"a","v":2}'
eq 'the request of ftruncate() was refused' "$(($(asked GetItem) > 3))" 1
rm before/GetItem

# ---- an exchange of two names whose response was lost must not be done again

fill
for fate in 502 504 TransactionInProgressException; do
	ctl put tab '{"PK":"p","SK":"c","v":3}' '{"PK":"p","SK":"d","v":4}' >/dev/null
	refuse TransactWriteItems 100 "lost $fate"
	errno='Input/output error'
	[ $fate != TransactionInProgressException ] || errno='Device or resource busy'
	refused "$errno" renameat2 m/p/c.json m/p/d.json 2
	eq "$fate: each item exists once" "$(item tab p c) $(item tab p d)" '{"PK":"p","SK":"c","v":4} {"PK":"p","SK":"d","v":3}'
	rm before/TransactWriteItems
done
refuse DeleteItem 100 'lost 504'
refused 'Input/output error' rm m/p/c.json
eq 'a removal whose response was lost is not requested again' "$(asked DeleteItem) $(ctl get tab p c 2>/dev/null)" '1 '
rm before/DeleteItem

# ---- other requests go on meanwhile, and a busy server is asked at intervals

refuse PutItem 100000
echo '{"v":8}' >m/p/late.json &
late=$!
tries()
{
	[ "$(asked PutItem)" -ge "$1" ]
}
ok wait_until 20 tries 3
eq 'reads and changes go on' "$(jq .v m/p/d.json; rm m/p/d.json && ls m/p/d.json 2>&1)" "3
ls: cannot access 'm/p/d.json': No such file or directory"
ok wait_until 20 tries 5
rm before/PutItem
wait $late
eq 'the delayed write is stored' "$? $(item tab p late)" '0 {"PK":"p","SK":"late","v":8}'

# ---- a page that is refused is requested once per try, for each caller: the mount repeats it, the client does not

unmnt m
fill
ctl alter tab --stream NEW_IMAGE >/dev/null
ctl put tab '{"PK":"p","SK":"e","v":5}' >/dev/null
ITEMFS_TIMING=backoff=0 # one try
on_mount ""
# once OPERATION COMMAND... - check that reads by the command are not repeated by the client; a page may be requested
# ahead of the reader, too, but none as often as the client would
once()
{
	local operation=$1
	shift
	refuse "$operation" 100000
	refused 'Device or resource busy' "$@"
	eq "$operation is not repeated by $*" "$(($(asked "$operation") <= 2))" 1
	rm "before/$operation"
}
once Scan cat m/.jsonl
once Scan cat m/.count
once Query cat m/p/.jsonl
once Query cat m/p/.csv
once Query ls m/p/.ge/b
once GetRecords cat m/.stream.jsonl
eq 'then all items are read' "$(cat m/.count) $(wc -l <m/p/.jsonl) $(jq -r .NewImage.SK m/.stream.jsonl)" "$(ctl count tab) $(ctl query tab p --count) e"
done_testing
