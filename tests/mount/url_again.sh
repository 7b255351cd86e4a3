#!/bin/bash
# A request that an endpoint refuses for now is carried out again: what it does beside the operation happens once, and what may have been
# carried out is not repeated.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=600000 # it asks however long it takes
here python3 || done_testing

between_endpoint
proxy=$S S=$real
store --key PK,SK
# on_mount OPTIONS - a new one of the endpoint
on_mount()
{
	S=$proxy
	mnt m -o table=tab,timeout=0,rw"$1"
	S=$real
}
# refuse OPERATION N [WORDS] - N times, then it is carried out
refuse()
{
	: >"count.$1"
	printf 'echo >>%q; echo %q; [ "$(wc -l <%q)" -gt %d ]' "$W/count.$1" "${3-}" "$W/count.$1" "$2" >before/new
	mv before/new "before/$1"
}
# asked OPERATION - how often
asked()
{
	wc -l <"count.$1"
}
fill()
{
	ctl delete tab p 1 >/dev/null
	ctl put tab '{"PK":"p","SK":"a","v":1}' '{"PK":"p","SK":"b","v":2}' '{"PK":"p","SK":"c","v":3}' '{"PK":"p","SK":"d","v":4}' >/dev/null
}

# ---- max_delete= counts what is deleted, not how often that is asked for

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

# ---- a text that is judged when it is complete is written once

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
eq 'its check was refused' "$(($(asked GetItem) >= 4))" 1
rm before/GetItem
eq 'it is there' "$(item tab p d)" '{"PK":"p","SK":"d","v":5}'
refuse PutItem 4
ok python3 -c 'import os
fd = os.open("m/p/put.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
os.write(fd, b"{\"v\":6}")
os.close(fd)'
eq 'so is one whose PutItem was refused' "$(asked PutItem) $(item tab p put)" '5 {"PK":"p","SK":"put","v":6}'

# ---- what came through in the end is not among the rejected texts

rm before/PutItem
refuse PutItem 4
ok sed -i s/5/7/ m/p/d.json
eq 'replaced' "$(asked PutItem) $(item tab p d)" '5 {"PK":"p","SK":"d","v":7}'
eq 'nothing was rejected' "$(ls m/.itemfs/rejected)" ''
rm before/PutItem

# ---- ftruncate() is of the file that is open, at each try

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
eq 'what others stored stays' "$(OTHER="$(printf '%q ' "$ITEMCTL" -s "$real" -q put tab '{"PK":"p","SK":"a","v":2}')" python3 truncate.py) $(item tab p a)" \
	'Stale file handle {"PK":"p","SK":"a","v":2}'
eq 'its request was refused' "$(($(asked GetItem) > 3))" 1
rm before/GetItem

# ---- who exchanged two names and lost the answer must not exchange them back

fill
for fate in 502 504 TransactionInProgressException; do
	ctl put tab '{"PK":"p","SK":"c","v":3}' '{"PK":"p","SK":"d","v":4}' >/dev/null
	refuse TransactWriteItems 100 "lost $fate"
	errno='Input/output error'
	[ $fate != TransactionInProgressException ] || errno='Device or resource busy'
	refused "$errno" renameat2 m/p/c.json m/p/d.json 2
	eq "$fate: each is there once" "$(item tab p c) $(item tab p d)" '{"PK":"p","SK":"c","v":4} {"PK":"p","SK":"d","v":3}'
	rm before/TransactWriteItems
done
refuse DeleteItem 100 'lost 504'
refused 'Input/output error' rm m/p/c.json
eq 'a lost answer to a removal is not asked for again' "$(asked DeleteItem) $(ctl get tab p c 2>/dev/null)" '1 '
rm before/DeleteItem

# ---- other requests go on meanwhile, and a busy server is asked with pauses

refuse PutItem 100000
echo '{"v":8}' >m/p/late.json &
late=$!
tries()
{
	[ "$(asked PutItem)" -ge "$1" ]
}
ok wait_until 20 tries 3
eq 'reads and changes' "$(jq .v m/p/d.json; rm m/p/d.json && ls m/p/d.json 2>&1)" "3
ls: cannot access 'm/p/d.json': No such file or directory"
ok wait_until 20 tries 5
rm before/PutItem
wait $late
eq 'it is written' "$? $(item tab p late)" '0 {"PK":"p","SK":"late","v":8}'

# ---- a page that is refused is asked for once a try, whoever wants it: the mount repeats it, the client does not

unmnt m
fill
ctl alter tab --stream NEW_IMAGE >/dev/null
ctl put tab '{"PK":"p","SK":"e","v":5}' >/dev/null
ITEMFS_TIMING=backoff=0 # one try
on_mount ""
# once OPERATION COMMAND... - what reads by it; a page ahead of the reader may be asked for, too, but none as often as a client does
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
eq 'then all of it comes' "$(cat m/.count) $(wc -l <m/p/.jsonl) $(jq -r .NewImage.SK m/.stream.jsonl)" "$(ctl count tab) $(ctl query tab p --count) e"
done_testing
