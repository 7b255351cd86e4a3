#!/bin/bash
# conflict=fail: a commit over what others have changed since the open is refused (NAMESPACE 1, 4, 6).
. "$(dirname "$0")/lib.sh"

store --key PK,SK
export ITEMFS_TIMING=hidden=600000 # the item behind a backup is not deleted before its name is reused
mnt m -o table=tab,conflict=fail
mnt n -o table=tab
mkdir m/p
stale='Stale file handle'

# v SK - the attribute v of the stored item, or "no item"
v()
{
	local got
	got=$(item tab p "$1")
	if [ -n "$got" ]; then jq -c .v <<<"$got"; else echo 'no item'; fi
}

# put SK V - through another front end
put()
{
	ctl put tab '{"PK":"p","SK":"'"$1"'","v":'"$2"'}' >/dev/null
}

eq 'config.json has the option' "$(jq .conflict_fail m/.itemfs/config.json n/.itemfs/config.json | tr '\n' ' ')" 'true false '

# ---- a single writer is not hindered

echo '{"v":1}' >m/p/a.json
echo '{"v":2}' >m/p/a.json
: >m/p/a.json
ok bash -c 'echo "{\"v\":3}" | tee m/p/a.json'
ok touch m/p/a.json m/p/b.json
ok cp m/p/a.json m/p/b.json
ok sed -i 's/3/4/' m/p/b.json
ok truncate -s 0 m/p/a.json
ok dd if=<(echo '{"v":5}') of=m/p/c.json conv=excl,fsync status=none
eq 'all saves are stored' "$(v a) $(v b) $(v c)" 'null 4 5'
exec 4>m/p/a.json
echo '{"v":1.50,"s":{"NS":["2","1"]}}' >&4
ok sync m/p/a.json
truncate -s 0 m/p/a.json
exec 4>&-
exec 4>>m/p/a.json
truncate -s 0 m/p/a.json
echo '{"v":7}' >&4
ok sync m/p/a.json
exec 4>&-
eq 'one save after another' "$(v a)" 7
exec 4>m/p/a.json 5>m/p/a.json
echo '{"v":8}' >&4
ok sync m/p/a.json
refused "$stale" bash -c 'echo "{\"v\":9}" >&5'
exec 4>&- 5>&-
eq 'a writer that truncates has its own text: a save by another writer is a change' "$(v a)" 8
exec 4>>m/p/a.json 5>>m/p/a.json
truncate -s 0 m/p/a.json
echo '{"v":8}' >&4
ok sync m/p/a.json
truncate -s 0 m/p/a.json
echo '{"v":9}' >&5
ok sync m/p/a.json
exec 4>&- 5>&-
eq 'writers that do not truncate share a text' "$(v a)" 9
rm -f "$S"/rejected/*

# ---- others commit first

exec 4>m/p/a.json
put a '"theirs"'
refused "$stale" bash -c 'echo "{\"v\":\"mine\"}" >&4'
refused 'Bad message' sync m/p/a.json
exec 4>&-
eq 'another front end changed the item' "$(v a) $(jq .v m/p/a.json n/p/a.json | tr '\n' ' ')" '"theirs" "theirs" "theirs" '
eq 'errors has the reason' "$(grep -c 'ESTALE.*ConditionalCheckFailedException.*another client has changed it since it was opened' m/.itemfs/errors)" 1
eq 'and so has why' "$(ctl why "$W/m/p/a.json" | grep -c 'since it was opened')" 1
eq 'the rejected text is kept' "$(cat m/.itemfs/rejected/*a.json)" '{"v":"mine"}'
exec 4>>m/p/a.json
put a '"theirs again"'
truncate -s 0 m/p/a.json 2>/dev/null
echo '{"v":"mine"}' >&4 2>/dev/null
put a '"theirs"'
truncate -s 0 m/p/a.json 2>/dev/null
ok bash -c 'echo "{\"v\":\"as it was\"}" >&4'
exec 4>&-
eq 'a refused text may be saved again, and is accepted when the item is as it was' "$(v a)" '"as it was"'
ok cp <(echo '{"v":10}') m/p/a.json
eq 'a writer that opens it now succeeds' "$(v a)" 10

exec 4<>m/p/a.json
echo '{"v":"theirs"}' >n/p/a.json
printf '{"v":"mine"}%30s' >&4
refused "$stale" sync m/p/a.json
exec 4>&-
eq 'another mount changed the item' "$(v a)" '"theirs"'
exec 4>m/p/a.json
rm n/p/a.json
refused "$stale" bash -c 'echo "{\"v\":\"mine\"}" >&4'
exec 4>&-
eq 'another mount removed the item' "$(v a)" 'no item'
gone m/p/a.json
exec 4>m/p/new.json
put new '"theirs"'
refused "$stale" bash -c 'echo "{\"v\":\"mine\"}" >&4'
exec 4>&-
eq 'another front end created the item' "$(v new) $(jq .v m/p/new.json)" '"theirs" "theirs"'
exec 4>m/p/new.json
put new '"theirs again"'
eq 'cat reports it, too' "$(echo '{}' | cat 2>&1 >&4 | grep -c "$stale")" 1
exec 4>&-

# ---- two writers of one mount, one of which opened the file before the change

echo '{"v":1}' >m/p/two.json
exec 4<>m/p/two.json
put two '"theirs"'
echo '{"v":2}' >m/p/two.json
eq 'a writer that opened it after the change succeeds' "$(v two)" 2
refused "$stale" bash -c 'printf "{\"v\":\"mine\"}%30s" >&4 && sync m/p/two.json'
eq 'a writer that opened it before fails' "$(v two)" 2
exec 5>>m/p/two.json
truncate -s 0 m/p/two.json
refused "$stale" bash -c 'echo "{\"v\":\"mine\"}" >&4'
echo '{"v":3}' >&5
ok sync m/p/two.json
eq 'and does not spoil what the other has not saved yet' "$(v two)" 3
eq 'both refused texts are kept' "$(grep -l '{"v":"mine"}' m/.itemfs/rejected/*two.json | wc -l)" 2
exec 4>&- 5>&-
exec 4>m/p/made.json
put made '"theirs"'
echo '{"v":4}' >m/p/made.json
eq 'the creator fails, a writer that opened the item of another front end succeeds' "$(v made)" 4
refused "$stale" bash -c 'echo "{\"v\":\"mine\"}" >&4'
exec 4>&-
exec 4>>m/p/made.json
put made '"theirs"'
perl -e 'truncate "m/p/made.json", 0 or die "$!"'
refused "$stale" bash -c 'echo "{\"v\":\"mine\"}" >&4'
exec 4>&-
eq 'truncate() applies to the current item' "$(item tab p made)" '{"PK":"p","SK":"made"}'
exec 4>>m/p/two.json
mv m/p/two.json m/p/two.json~
: >m/p/two.json~
echo '{"v":5}' >&4
mv m/p/two.json~ m/p/three.json
truncate -s 0 m/p/three.json
echo '{"v":6}' >&4
ok sync m/p/three.json
exec 4>&-
eq 'a save through a scratch file is no change by others' "$(v two) $(v three)" 'no item 6'

# ---- what does not count as a change

exec 4>m/p/b.json
touch -d '2001-02-03 04:05:06' n/p/b.json
put b 12
put b 4
echo '{"v":11}' >&4
ok sync m/p/b.json
exec 4>&-
eq 'changed times and a restored text are no change' "$(v b)" 11
exec 4>n/p/b.json
put b 12
echo '{"v":13}' >&4
ok sync n/p/b.json
exec 4>&-
eq 'without the option the last writer wins' "$(v b)" 13

# ---- other names

exec 4>>m/p/b.json
mv m/p/b.json m/p/moved.json
truncate -s 0 m/p/moved.json
echo '{"v":14}' >&4
ok sync m/p/moved.json
eq 'a rename by this mount is no change' "$(v moved)" 14
put moved '"theirs"'
perl -e 'open F, ">>&=4" or die; truncate F, 0 or die' 2>/dev/null
refused "$stale" bash -c 'echo "{\"v\":15}" >&4'
refused 'Bad message' sync m/p/moved.json
refused 'Bad message' mv m/p/moved.json m/p/again.json
exec 4>&-
eq 'a change after the rename is one' "$(v moved) $(v again)" '"theirs" no item'

# ---- an editor's backup

mv m/p/c.json m/p/c.json~
ok cp <(echo '{"v":16}') m/p/c.json
rm m/p/c.json~
eq 'a save with a backup' "$(v c)" 16
mv m/p/c.json m/p/c.json~
put c '"theirs"'
refused "$stale" cp <(echo '{"v":17}') m/p/c.json
rm m/p/c.json~
eq 'a save with a backup over a change by others' "$(v c)" '"theirs"'

# ---- a scratch file with a long text becomes the item that it was: what is stored is remembered after the text is released

ok python3 -c '
import os
text = b"{\"s\":\"" + b"b" * 390000 + b"\"}\n"
item = os.open("m/p/long.json", os.O_CREAT | os.O_RDWR)
os.write(item, text)
os.fsync(item)
os.rename("m/p/long.json", "m/p/.scratch")
os.close(item)
reader = os.open("m/p/.scratch", os.O_RDONLY)
os.rename("m/p/.scratch", "m/p/long.json")
os.close(reader)'
eq 'it is stored' "$(item tab p long | jq -r '.s | length')" 390000

# ---- many at once: each acknowledged writer has seen what it replaced

put count 0 # through another front end: while a writer has the file open, readers get the text that was written
# count MOUNT - increment the number; retry as often as another writer commits first
count()
{
	perl -MFcntl -e '
		for my $n (1 .. 20) {
			for (;;) {
				sysopen F, "$ARGV[0]/p/count.json", O_RDWR or die "open: $!";
				sysread F, my $text, 1000;
				my ($v) = $text =~ /"v":(\d+)/ or die "read: $text";
				sysseek F, 0, 0;
				my $saved = syswrite F, sprintf("{\"v\":%d}%40s\n", $v + 1, "");
				my $why = "$!";
				last if close F and $saved;
				$why = "$!" if $saved;
				die "not saved: $why" if $why ne "Stale file handle";
			}
		}' "$1"
}
mnt o -o table=tab,conflict=fail
for d in m o; do
	count $d 2>>failures &
done
wait
eq 'two mounts together count to forty' "$(v count) $(cat failures)" '40 '

done_testing
