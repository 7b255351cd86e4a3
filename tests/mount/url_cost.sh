#!/bin/bash
# Requests of the mount of an endpoint: reads are eventually consistent, except after a write of its own and with -o
# consistent.
. "$(dirname "$0")/lib.sh"

export ITEMFS_TIMING=own_write=600000 # reads after a write are consistent for longer than this test
endpoint
store --key PK,SK --gsi 'ByG=G'
ctl put tab '{"PK":"p","SK":"a","G":"g","v":1}' '{"PK":"p","SK":"b","G":"g"}' >/dev/null
real=${S#http://}
begin_made_up counted "$real"
S=http://$made_up

# asks NAME... - count the lines with such requests since asked_nothing
asked_nothing()
{
	before=$(wc -l <counted.log)
}
asks()
{
	tail -n +$((before + 1)) counted.log | grep -Ecx "$1"
}

# is TEXT COMMAND... - test if it prints TEXT
is()
{
	[ "$("${@:2}" 2>/dev/null)" = "$1" ]
}

look()
{
	asked_nothing
	cat m/p/a.json m/.index/ByG/g/g::p::b.json >/dev/null 2>&1
	ls -l m m/p m/.index/ByG/g >/dev/null
	cat m/p/.jsonl 'm/p/.filter/v = 1/a.json' >/dev/null
}

mnt m -o table=tab
look
eq 'reads are eventually consistent' "$(asks '.* consistent') $(($(asks '.* eventual') > 5))" '0 1'
ok write m/p/c.json '{"v":1}'
eq 'what the mount wrote is visible' "$(cat m/p/c.json)" '{"PK":"p","SK":"c","v":1}'
look
eq 'after a write of its own, reads of the table are consistent' "$(asks '(GetItem|Scan) eventual') $(($(asks '.* consistent') > 3))" '0 1'
eq 'reads of a global index cannot be' "$(($(asks 'Query eventual') > 0))" 1
eq 'config.json says so' "$(jq .consistent m/.itemfs/config.json)" false
unmnt m

ITEMFS_TIMING=own_write=0 mnt m -o table=tab
ok write m/p/c.json '{"v":1}'
look
eq 'later they are eventually consistent again' "$(asks '.* consistent') $(($(asks '.* eventual') > 5))" '0 1'
unmnt m

mnt m -o table=tab
asked_nothing
printf ' ' >>m/p/a.json
eq 'reads that a write depends on are consistent' "$(($(asks 'GetItem consistent') > 0))" 1
unmnt m

mnt m -o table=tab,consistent
look
eq '-o consistent: all reads but those of a global index' "$(asks '(GetItem|Scan) eventual') $(($(asks '.* consistent') > 5))" '0 1'
eq 'config.json says so, too' "$(jq .consistent m/.itemfs/config.json)" true
unmnt m

# ---- at most one GetItem per file, none for listed files; timeout= is long enough for a busy machine

N=3000
ctl_at_server()
{
	S=http://$real ctl "$@"
}
seq $N | jq -c '{PK: "many", SK: "\(. + 100000)", G: "many", v: "\(.)"}' >items
ctl_at_server import tab items >/dev/null 2>&1
mnt m -o table=tab,timeout=5
asked_nothing
cat m/p/a.json >/dev/null
cp m/p/b.json copy
eq 'lookup, stat and read of a file are one GetItem' "$(asks 'GetItem .*')" 2
eq 'a file that is read again is requested again' "$(cat m/p/a.json; asks 'GetItem .*')" '{"PK":"p","SK":"a","G":"g","v":1}
3'
eq 'also below a query' "$(cat 'm/p/.filter/v = 1/a.json' >/dev/null; asks 'GetItem .*')" 4
asked_nothing
eq 'du and ls -l request no listed item' "$(du -b m/many/* | wc -l) $(ls -l m/many | wc -l) $(asks 'GetItem .*')" "$N $((N + 1)) 0"
asked_nothing
eq 'nor does grep -r' "$(grep -rlF PK m/many | wc -l) $(asks 'GetItem .*')" "$N 0"
asked_nothing
eq 'nor does grep -r in an index view' "$(grep -rlF PK m/.index/ByG/many | wc -l) $(asks 'GetItem .*')" "$N 0"
asked_nothing
ls -l m >/dev/null
eq 'listed partitions are not requested' "$(asks 'Query .*')" 0
ls m/many >/dev/null
ctl_at_server put tab '{"PK":"many","SK":"100001","v":"others"}' >/dev/null
wait_until 20 is '{"PK":"many","SK":"100001","v":"others"}' cat m/many/100001.json || fail 'a listed item is cached forever'
unmnt m

mnt m -o table=tab
ls -l m/many m/p >/dev/null
ok write m/p/c.json '{"v":3}'
eq 'a write drops the cached listing' "$(cat m/p/c.json m/p/a.json)" '{"PK":"p","SK":"c","v":3}
{"PK":"p","SK":"a","G":"g","v":1}'
ok rm m/p/c.json
gone m/p/c.json
ok mv m/p/a.json m/p/d.json
gone m/p/a.json
eq 'and so does a rename' "$(cat m/p/d.json)" '{"PK":"p","SK":"d","G":"g","v":1}'
unmnt m

for words in pretty typed; do
	ok ctl_at_server put tab '{"PK":"p","SK":"t","N":12.50,"B":{"B":"aGk="},"S":{"SS":["b","a"]},"L":[null,true,{"B":"aGk="}],"E":{},"Z":{"M":{"S":{"S":"x"}}}}' >/dev/null
	mnt m -o table=tab,$words,timeout=5
	ls m/p >/dev/null
	eq "$words: size and text" "$(stat -c %s m/p/t.json)" "$(wc -c <m/p/t.json)"
	cat m/p/t.json >first
	cat m/p/t.json >second
	eq "$words: text from a listing and text from a read" "$(cmp first second)" ''
	unmnt m
done

mnt m -o table=tab,timeout=0
asked_nothing
stat m/p/b.json m/p/b.json >/dev/null
eq 'timeout=0: nothing is cached' "$(($(asks 'GetItem .*') >= 2))" 1
unmnt m
end_made_up

done_testing
