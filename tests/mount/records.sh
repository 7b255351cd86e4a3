#!/bin/bash
# .stream.jsonl: the records of a table's stream, as lines (NAMESPACE 5); .table.json.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --ttl exp
ctl create-table plain --key PK >/dev/null
mnt m -o table=tab
mnt all

# ---- .table.json

eq '.table.json is the output of itemctl describe' "$(jq -cS . m/.table.json)" "$(ctl describe tab | jq -cS .)"
eq 'each table has one' "$(jq -r .TableName all/plain/.table.json all/tab/.table.json | tr '\n' ' ')" 'plain tab '
eq 'its size is exact' "$(stat -c %s m/.table.json)" "$(wc -c <m/.table.json)"
ctl put tab '{"PK":"p","SK":"0"}' >/dev/null
eq 'it is up to date' "$(jq .ItemCount m/.table.json)" 1
refused 'Read-only file system' bash -c 'echo x >m/.table.json'
refused 'Read-only file system' truncate -s 0 m/.table.json
refused 'Read-only file system' mv m/p/0.json m/.table.json
ctl call CreateTable --quiet "$(ctl describe tab | jq -c '{TableName:"copy",KeySchema,AttributeDefinitions,BillingMode:"PAY_PER_REQUEST"}')" >/dev/null
eq 'create-table --from accepts it' "$("$ITEMCTL" -s "$S" --quiet create-table --from m/.table.json --if-not-exists 2>&1; jq -c .KeySchema all/copy/.table.json)" "$(jq -c .KeySchema m/.table.json)"

# ---- a table without a stream

refused 'No such file or directory' cat m/.stream.jsonl
eq 'the reason is in the log' "$(tail -n 1 m/.itemfs/errors | cut -f 3-)" "$W/m/.stream.jsonl	ENOENT	ValidationException	table tab has no stream; to enable one: itemctl alter tab --stream NEW_AND_OLD_IMAGES"
eq 'why has the reason' "$(ctl why m/.stream.jsonl | grep -c 'has no stream')" 1
gone all/plain/.stream.jsonl m/.index/.stream.jsonl

# ---- a table with a stream

ctl alter tab --stream NEW_AND_OLD_IMAGES >/dev/null
eq 'an empty stream is an empty file' "$(wc -c <m/.stream.jsonl) $(stat -c %s m/.stream.jsonl)" '0 0'
exec 5<m/.stream
echo '{"v":1}' >m/p/a.json
echo '{"v":2,"exp":1000000000}' >m/p/a.json
touch m/p/a.json
mv m/p/a.json m/p/b.json
ctl put tab "{\"PK\":\"p\",\"SK\":\"old\",\"exp\":$(($(date +%s) - 100))}" >/dev/null
ctl sweep tab >/dev/null
eq 'the lines of .stream' "$(cat m/.stream.jsonl)" "$(perl -e 'sysread(STDIN, $a, 1 << 20, length $a) until ($a =~ tr/\n//) >= 6; print $a' <&5)"
exec 5<&-
eq 'the records of GetRecords' "$(jq -r .eventName m/.stream.jsonl | tr '\n' ' ')" 'INSERT MODIFY REMOVE INSERT INSERT REMOVE '
eq 'a deletion by the store is marked' "$(tail -n 1 m/.stream.jsonl | jq -r .userIdentity.Type)" Service
eq 'a shell reads it line by line' "$(while read -r line; do jq -r .Keys.SK <<<"$line"; done <m/.stream.jsonl | tr '\n' ' ')" 'a a a b old old '
eq 'head and tail' "$(head -n 1 m/.stream.jsonl | jq -c .NewImage) $(tail -n 1 m/.stream.jsonl | jq -c .Keys)" \
	'{"PK":"p","SK":"a","v":1} {"PK":"p","SK":"old"}'
mnt typed -o table=tab,typed,pretty
eq 'typed' "$(sed -n 1p typed/.stream.jsonl | jq -c .NewImage.v)" '{"N":"1"}'
refused 'Read-only file system' rm m/.stream.jsonl
eq 'not listed' "$(ls -A m)" p

# ---- long streams, read in pieces

seq 3000 | jq -c --arg v "$(head -c 1000 /dev/zero | tr '\0' x)" '{PK:"q",SK:"\(.)",v:$v}' | ctl put tab - >/dev/null
cp m/.stream.jsonl whole
eq 'all records are there' "$(tail -n +7 whole | jq -r .Keys.SK | cmp - <(seq 3000))" ''
eq 'reading in pieces gives the same' "$(dd if=m/.stream.jsonl bs=777 status=none | cmp - whole)" ''
eq 'seeking to the beginning is allowed' "$(perl -e 'open F, "<", "m/.stream.jsonl" or die; sysread F, $a, 300000; sysread F, $b, 300000; sysseek F, 0, 0;
	sysread F, $c, 300000; print $a eq $c ? "same" : "other"')" same
eq 'seeking back by 256 KiB is allowed' "$(perl -e 'open F, "<", "m/.stream.jsonl" or die; sysread F, $b, 100000 for 1 .. 20; sysseek F, -262144, 1; sysread F, $a, 100000;
	sysseek F, 1, 1; print length $a, " ", defined sysread(F, $b, 100) ? "read" : "$!"')" '100000 read'
eq 'other seeks are refused' "$(perl -e 'open F, "<", "m/.stream.jsonl" or die; sysread F, $b, 100000 for 1 .. 20; for (1, 1 << 30) { sysseek F, $_, 0;
	print defined sysread(F, $b, 100) ? "read" : "$!", " " }')" 'Invalid argument Invalid argument '

# ---- the stream ends

ctl alter tab --stream off >/dev/null
refused 'No such file or directory' cat m/.stream.jsonl

done_testing
