#!/bin/bash
# Files that are generated while they are read: .jsonl .json .csv .count (NAMESPACE 5)
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=100 # requests are not retried for long

store --key PK,SK --gsi 'gsi=G,H' --gsi 'keys=G/KEYS_ONLY'
"$ITEMCTL" -s "$S" --quiet create-table one --key Id:N >/dev/null
ctl import tab >/dev/null 2>&1 <<-'END'
	{"PK":"p","SK":"a","G":"x","H":"2","v":1,"text":"a \"quoted\"\nline","none":null,"yes":true}
	{"PK":"p","SK":"b","G":"x","H":"1","set":{"SS":["a","b"]},"raw":{"B":"aGk="},"deep":{"l":[1,{"k":0.10}],"m":{"S":"x"}}}
	{"z":"Ünï","SK":"c","PK":"p","v":"text","G":"y","H":"1"}
	{"PK":"q/r","SK":"a","v":-12345678901234567890}
END
ctl import one >/dev/null 2>&1 <<-'END'
	{"Id":10,"v":"ten"}
	{"Id":9,"v":"nine"}
END
mnt all
mnt m -o table=tab
mnt t -o table=tab,typed
mnt r -o table=tab,ro,pretty
mnt g -o table=tab,index=gsi

# ---- contents

cat m/p/* >lines
eq '.jsonl of a partition is the text of its files' "$(cat m/p/.jsonl)" "$(cat lines)"
eq 'key attributes first' "$(sed -n 3p m/p/.jsonl)" '{"PK":"p","SK":"c","z":"Ünï","v":"text","G":"y","H":"1"}'
eq '.jsonl of a table is the text of its partitions' "$(cat m/.jsonl)" "$(cat m/*/*)"
eq 'the items of itemctl scan' "$(jq -cS . m/.jsonl)" "$(ctl scan tab | jq -cS .)"
eq 'a table without a sort key' "$(cat all/one/.jsonl)" $'{"Id":9,"v":"nine"}\n{"Id":10,"v":"ten"}'
eq 'a typed mount' "$(cat t/p/.jsonl)" "$(cat t/p/*)"
eq 'one line per item, also in a pretty mount' "$(cat r/p/.jsonl)" "$(cat lines)"
for view in gsi keys; do
	eq "$view: a partition" "$(cat m/.index/$view/x/.jsonl)" "$(cat m/.index/$view/x/*)"
	eq "$view: the whole index" "$(cat m/.index/$view/.jsonl)" "$(cat m/.index/$view/*/*)"
	eq "$view: count" "$(cat m/.index/$view/.count m/.index/$view/x/.count)" $'3\n2'
done
eq 'a mounted index' "$(cat g/x/.jsonl; cat g/.count)" "$(cat g/x/*; echo 3)"
eq '.json is an array' "$(cat m/p/.json)" "$("$ITEMCTL" -s "$S" --format json query tab p | jq -c '.[]' |
	jq -s -c '.[] | {PK, SK} + .' | sed '1s/^/[\n/; $!s/$/,/; $s/$/\n]/')"
eq 'jq reads it as one array' "$(jq length m/p/.json)" 3
eq 'CSV' "$(cat m/p/.csv)" "$(cat lines | (ctl create-table copy --key PK,SK >/dev/null && ctl import copy - >/dev/null 2>&1
	"$ITEMCTL" -s "$S" --format csv query copy p))"
eq '.count of a table, partitions and a table without a sort key' "$(cat m/.count m/p/.count m/q%2Fr/.count all/one/.count)" $'4\n3\n1\n2'
echo '{}' >m/p/d.json
eq 'each open shows the latest state' "$(cat m/p/.count; tail -n 1 m/p/.jsonl)" $'4\n{"PK":"p","SK":"d"}'
rm m/p/d.json

# ---- no items

"$ITEMCTL" -s "$S" --quiet create-table empty --key PK,SK >/dev/null
eq 'an empty table' "$(cat all/empty/.jsonl all/empty/.json all/empty/.csv all/empty/.count)" $'[]\n0'
mkdir m/new
eq 'an empty partition' "$(cat m/new/.jsonl m/new/.json m/new/.csv m/new/.count)" $'[]\n0'
rmdir m/new
gone m/nothing/.jsonl m/.index/none/.jsonl all/.jsonl all/tab/.index/.jsonl m/p/a.json/.jsonl all/.count

# ---- files that are not listed and cannot be changed

eq 'neither ls nor find shows them' "$(ls -A m/p; find m -name '.*' | grep -v '^m$')" $'a.json\nb.json\nc.json'
eq 'size, kind, mode' "$(stat -c '%s %F %a' m/p/.jsonl)" '0 regular empty file 644'
for name in .jsonl .json .csv .count; do
	refused 'Read-only file system' bash -c "echo '{}' >m/p/$name"
	refused 'Read-only file system' bash -c "echo '{}' >>m/$name"
	refused 'Read-only file system' rm m/p/$name
	refused 'Read-only file system' touch m/p/$name
	refused 'Read-only file system' mv m/p/a.json m/p/$name
	refused 'Read-only file system' mv m/p/$name m/p/e.json
	refused 'Not a directory' ls m/p/$name/
done
eq 'the items are unchanged' "$(cat m/p/*)" "$(cat lines)"

# ---- of any length

n=30000
awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) printf "{\"PK\":\"big\",\"SK\":\"%06d\",\"G\":\"g%d\",\"H\":\"%06d\",\"v\":%d}\n", i, i % 3, n - i, i }' >big
ctl import tab big >/dev/null 2>&1
cmp big m/big/.jsonl || fail '.jsonl of a large partition differs'
cmp <(sort big) <(grep big m/.index/gsi/.jsonl | sort) || fail '.jsonl of a large index differs'
eq 'a large array' "$(jq -s '.[0] == [.[1:][]]' m/big/.json m/big/.jsonl)" true
eq 'a large CSV file' "$(wc -l <m/big/.csv; md5sum <m/big/.csv)" "$(echo $((n + 1)); "$ITEMCTL" -s "$S" --format csv query tab big | md5sum)"
eq 'a large count' "$(cat m/big/.count; grep -c . m/big/.jsonl)" "$n"$'\n'"$n"
checks=$((checks + 2))

# ---- below clauses: the answers of the command line, with key attributes first where they are requested

asks big/.between/000500/000510 big --between 000500 000510
asks big/.begins_with/0299/.reverse/.limit/7 big --begins-with 0299 --reverse --limit 7
asks big/.ge/029000 big --ge 029000
asks 'big/.filter/v > 29990 AND G = "g1"' big --filter 'v > 29990 AND G = "g1"'
asks 'big/.filter/v > 29000/.limit/3/.reverse' big --filter 'v > 29000' --limit 3 --reverse
asks big/.le/000003/.project/v,PK big --le 000003 --project PK,v
asks big/.filter/v\ =\ -1 big --filter 'v = -1'
asks .index/gsi/g1/.lt/000100 g1 --index gsi --lt 000100
asks '.index/gsi/.shards/g{0..2}/.between/015000/015020' --index gsi --shards 0..2 --prefix g --between 015000 015020
asks '.index/gsi/.shards/g{0..2}/.reverse/.filter/v < 2000/.limit/9' --index gsi --shards 0..2 --prefix g --reverse --filter 'v < 2000' --limit 9
asks '.index/gsi/.shards/g{0..9}/.limit/500' --index gsi --shards 0..9 --prefix g --limit 500
asks '.index/gsi/.shards/g{0..100}/.begins_with/0299' --index gsi --shards 0..100 --prefix g --begins-with 0299
eq 'all shards' "$(md5sum <'m/.index/gsi/.shards/g{0..2}/.jsonl')" "$(ctl query tab --index gsi --shards 0..2 --prefix g | md5sum)"
eq 'CSV below clauses' "$(cat 'm/big/.le/000002/.csv')" $'PK,SK,G,H,v:N\nbig,000001,g1,029999,1\nbig,000002,g2,029998,2'
eq 'a scan, filtered' "$(cat 'all/one/.filter/v = "ten"/.jsonl')" '{"Id":10,"v":"ten"}'
eq 'typed below clauses' "$(cat t/big/.eq/000001/.jsonl)" "$(cat t/big/000001.json)"
gone m/big/.filter/v/.jsonl m/big/.eq/a/.eq/b/.count m/big/.nothing/.jsonl m/.shards/.jsonl

# ---- interrupts

# No item matches, and each item takes some time: long enough to be interrupted.
in="v IN ($(seq -s, -99 -1))"
slow="$in OR $in OR $in OR $in OR $in OR $in"
eq 'a signal ends a READ; the next READ goes on' "$(perl -e '
	use Time::HiRes "ualarm"; $SIG{ALRM} = sub {};
	open(my $f, "<", shift) or die;
	ualarm(20000, 20000);
	$n = sysread($f, $x, 1000);
	ualarm(0);
	print defined $n ? "read\n" : "$!\n";
	print sysread($f, $x, 1000), "\n"' "m/big/.filter/$slow/.jsonl")" $'Interrupted system call\n0'
eq 'also with many signals' "$(perl -e '
	use Time::HiRes "ualarm"; $SIG{ALRM} = sub {};
	open(my $f, "<", shift) or die;
	ualarm(10000, 10000);
	$n = sysread($f, $x, 1000) until defined $n;
	print "$n\n"' "m/big/.filter/$slow/.count")" 2

# ---- programs

eq 'head' "$(head -n 1 m/big/.jsonl)" "$(head -n 1 big)"
eq 'tail' "$(tail -n 1 m/big/.jsonl)" "$(tail -n 1 big)"
eq 'tail -c' "$(tail -c 20 m/big/.jsonl)" "$(tail -c 20 big)"
eq 'wc' "$(wc -l <m/big/.jsonl)" "$(wc -l <big)"
eq 'wc -c' "$(wc -c <m/big/.jsonl)" "$(wc -c <big)"
for size in 17 4096 100000 3M; do
	eq "dd bs=$size" "$(dd if=m/p/.jsonl bs=$size status=none)" "$(cat lines)"
done
cmp big <(dd if=m/big/.jsonl bs=3M status=none) || fail 'dd bs=3M differs'
refused 'Invalid argument' dd if=m/big/.jsonl of=out bs=1000 skip=10 count=1
cp m/big/.jsonl copy && cmp big copy || fail cp
split -l 12500 m/big/.jsonl part. && cmp big <(cat part.*) || fail split
eq 'split' "$(wc -l <part.ac)" 5000
eq 'jq' "$(jq -n '[inputs.v] | add' m/big/.jsonl)" $((n * (n + 1) / 2))
eq 'grep' "$(grep -c '"v":1234' m/big/.jsonl)" "$(grep -c '"v":1234' big)"
sum=0 count=0
while IFS= read -r line; do
	[ $((++count)) -lt 3000 ] || break
	sum=$((sum + ${#line}))
done <m/big/.jsonl
eq "bash's read seeks back" "$sum" "$(head -n 2999 big | tr -d '\n' | wc -c)"
checks=$((checks + 3))

# ---- seeking back

# seek OFFSET... - read 300000 bytes, seek, read again; print for each offset if it gives the same as a regular file
seek()
{
	perl -e '
		open(my $f, "<", "m/big/.jsonl") or die; open(my $g, "<", "big") or die;
		my ($got, $x, $y) = (0);
		while ($got < 300000) { my $n = sysread($f, $x, 300000 - $got) or die "short"; $got += $n }
		for my $at (@ARGV) {
			sysseek($f, $at, 0); sysseek($g, $at, 0);
			my $n = sysread($f, $x, 5000);
			if (!defined $n) { print "$!\n"; next }
			sysread($g, $y, $n);
			print $n == 5000 && $x eq $y ? "same\n" : "other\n";
		}' "$@"
}
eq 'seeking to the current position, and back by 256 KiB' "$(seek 300000 299999 37856 42856)" $'same\nsame\nInvalid argument\nsame'
eq 'seeking farther back, or forward' "$(seek 37855 1 400000 999999999)" $'Invalid argument\nInvalid argument\nInvalid argument\nInvalid argument'
eq 'seeking to the beginning' "$(seek 0 5000)" $'same\nsame'

# ---- one state of the store, until it is read from the beginning again

exec 3<m/big/.jsonl
IFS= read -r first <&3
rm m/big/030000.json
echo '{"v":0}' >m/big/040000.json
echo '{"v":"new"}' >m/big/020000.json
cmp <(tail -n +2 big) - <&3 || fail 'the text is not that of the time of the open'
exec 3<&-
eq 'a new open shows the new state' "$(tail -n 2 m/big/.jsonl; grep -c new m/big/.jsonl)" "$(sed -n 29999p big)"$'\n{"PK":"big","SK":"040000","v":0}\n1'
checks=$((checks + 1))
mv m/big/040000.json m/big/030000.json
tail -n 1 big >m/big/030000.json
sed -n 20000p big >m/big/020000.json

# ---- many readers at once, and some that stop reading

for i in {1..12}; do
	cmp big m/big/.jsonl >"out.$i" 2>&1 &
	head -c 70000 m/big/.csv >/dev/null &
	cat m/big/.count >"count.$i" &
done
wait
eq 'many readers at once get all of it' "$(cat out.* count.* | sort -u)" "$n"
eq 'an item can be read meanwhile' "$(perl -e 'open($f[$_], "<", "m/big/.csv") or die for 1..40; sysread($f[$_], $x, 1) for 1..40; print `cat m/p/a.json`')" "$(head -n 1 lines)"

# ---- a table that becomes throttled: the text so far is right, and the reason is reported

"$ITEMCTL" -s "$S" --quiet call CreateTable '{"TableName":"slow","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":40000},
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
	"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}]}' >/dev/null
ctl import slow big >/dev/null 2>&1
"$ITEMCTL" -s "$S" --quiet alter slow --throttle on >/dev/null
refused 'Device or resource busy' bash -c 'for i in {1..9}; do cat all/slow/big/.jsonl >out || exit; done'
cmp -n "$(wc -c <out)" out big || fail 'the text before the error differs'
eq 'the text is incomplete' "$(($(wc -l <out) < n))" 1
ok grep -q 'all/slow/big/.jsonl.*EBUSY.*The level of configured provisioned throughput' all/.itemfs/errors
checks=$((checks + 1))

# ---- dropped tables

exec 3<all/copy/.jsonl
read -r first <&3
exec 4<all/copy/.jsonl
"$ITEMCTL" -s "$S" --quiet drop copy --yes >/dev/null
eq 'a dropped table whose text was begun before' "$(wc -l <&3)" 2
refused 'No such file' bash -c 'cat <&4'
exec 3<&- 4<&-

# ---- the mount ends during a read

exec 3<m/big/.jsonl
read -r first <&3
refused 'busy' fusermount3 -u m
fusermount3 -u -z m
eq 'the rest can be read after umount -l' "$(wc -l <&3)" $((n - 1))
exec 3<&-
exec 3<t/big/.csv
read -r first <&3
cat "t/big/.filter/$slow/.csv" >out 2>&1 &
wait_until 10 holds $! filter || fail 'the reader does not start'
cat "all/tab/.index/gsi/.shards/g{0..999}/.filter/$slow/.jsonl" >out.2 2>&1 &
wait_until 10 holds $! filter || fail 'the reader does not start'
kill -TERM "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon waits for a reader'
wait
refused 'not connected' bash -c 'cat <&3'
exec 3<&-
eq 'no item is lost' "$(ctl query tab big --count)" $n
done_testing
