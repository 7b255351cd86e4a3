#!/bin/bash
# The mount of an endpoint during writes by others (NAMESPACE 1, 4, 7).
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK --gsi 'ByG=G'
put()
{
	ctl put tab "$@" >/dev/null
}
put '{"PK":"p","SK":"a","v":1}' '{"PK":"p","SK":"b","v":1}'

# is TEXT COMMAND... - test if it prints TEXT
is()
{
	local text=$1
	shift
	[ "$("$@" 2>/dev/null)" = "$text" ]
}

# ---- changes by others are visible after timeout=; at once if that is 0

mnt m -o table=tab
mnt now -o table=tab,timeout=0
cat m/p/a.json m/p/none.json now/p/a.json now/p/none.json >/dev/null 2>&1
put '{"PK":"p","SK":"none"}' '{"PK":"q","SK":"1"}'
eq 'a new item, a new partition' "$(cat now/p/none.json) $(ls now | tr '\n' ' ')" '{"PK":"p","SK":"none"} p q '
wait_until 10 test -e m/p/none.json || fail 'a missing name stays missing'
put '{"PK":"p","SK":"a","v":2}'
eq 'same size, other bytes: a new open reads them' "$(cat m/p/a.json) $(cat now/p/a.json)" \
	'{"PK":"p","SK":"a","v":2} {"PK":"p","SK":"a","v":2}'
put '{"PK":"p","SK":"a","v":"longer than before"}'
eq 'a longer text is not truncated' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","v":"longer than before"}'
put '{"PK":"p","SK":"a"}'
eq 'a shorter text is not padded' "$(cat m/p/a.json)" '{"PK":"p","SK":"a"}'
wait_until 10 is 20 stat -c %s m/p/a.json || fail 'the old size stays'
ctl delete tab q 1 >/dev/null
gone now/q
wait_until 10 is p ls m || fail 'an empty partition stays'
ctl alter tab --add-gsi 'Later=H' >/dev/null 2>&1
wait_until 10 is $'ByG\nLater' ls m/.index || fail 'a new index does not appear'
unmnt m now

mnt m -o table=tab,timeout=3600
stat m/p/b.json >/dev/null
put '{"PK":"p","SK":"b","v":"longer than before"}'
wait_until 10 is '{"PK":"p","SK":"b","v":"longer than before"}' cat m/p/b.json ||
	fail 'a later open reads old bytes while names are cached'
put '{"PK":"p","SK":"b","v":1}'
printf '\n\n' >>m/p/b.json
eq 'an append goes to the latest text' "$(item tab p b)" '{"PK":"p","SK":"b","v":1}'
exec 3>>m/p/b.json
put '{"PK":"p","SK":"b","v":"longer than before"}'
printf ' ' >&3
exec 3>&-
eq 'also if the file was opened before' "$(item tab p b)" '{"PK":"p","SK":"b","v":"longer than before"}'
echo '{"v":2}' >m/p/c.json
mkdir m/r
mv m/p/c.json m/r/d.json
eq 'the mount sees its own changes' "$(cat m/r/d.json; ls m/p m | tr '\n' ' ')" '{"PK":"r","SK":"d","v":2}
m: p r  m/p: a.json b.json none.json '
long()
{
	jq -nc --arg c "$1" '{PK: "p", SK: "long", v: ($c * 120000)}'
}
# begun COMMAND... - print what a reader that has begun before the command reads on, and what one that begins after it
# reads
begun()
{
	long a >m/p/long.json
	settle m
	exec 3<m/p/long.json
	head -c 4096 <&3 >old
	exec 4<m/p/long.json
	"$@"
	cat <&3 >>old
	cat <&4 | jq -c '.v |= .[:1] + .[-1:]'
	jq -c '.v |= .[:1] + .[-1:]' old
	exec 3<&- 4<&-
}
save()
{
	long b | jq -c 'del(.PK, .SK)' >m/p/long.json
	# The daemon has processed RELEASE when the size is that of the item, not of what was written.
	wait_until 10 is "$(long b | wc -c)" stat -c %s m/p/long.json
}
others()
{
	put "$(long c)"
	wait_until 10 is "$(long c)" cat m/p/long.json || fail 'a change by others does not appear'
}
for who in save others; do
	eq "texts are never mixed: $who" "$(begun $who | jq -r .v | tr '\n' ' ')" "$([ $who = save ] && echo bb || echo cc) aa "
done
unmnt m

# ---- conflicts

mnt m -o table=tab,timeout=0,conflict=fail
put '{"PK":"p","SK":"a","v":1}'
exec 3<>m/p/a.json
put '{"PK":"p","SK":"a","v":2}'
refused 'Stale file handle' perl -e 'open F, ">&=3"; truncate F, 0; syswrite F, "{\"v\":3}" or die "$!"'
exec 3>&-
eq 'an item that others wrote stays' "$(item tab p a)" '{"PK":"p","SK":"a","v":2}'
exec 3<>m/p/a.json
ctl delete tab p a >/dev/null
refused 'Stale file handle' bash -c 'echo "{\"v\":3}" >&3'
exec 3>&-
eq 'an item that others removed stays removed' "$(item tab p a)" ''
ok write m/p/a.json '{"v":1}'
ok write m/p/a.json '{"v":2}'
eq 'a save without a change by others succeeds' "$(item tab p a)" '{"PK":"p","SK":"a","v":2}'
cat >race.pl <<'END'
open F, ">", "m/p/a.json" or die;
syswrite F, '{"v":3';
system @ARGV and die;
syswrite F, '}' and die "written\n";
print "$!\n";
exec "true"; # without a close
END
eq 'a change by others between two writes' "$(perl race.pl "$ITEMCTL" -s "$S" --quiet put tab '{"PK":"p","SK":"a","v":4}' 2>&1) $(item tab p a)" \
	'Stale file handle {"PK":"p","SK":"a","v":4}'
cat >added.pl <<'END'
use IPC::Open2;
open2(my $done, my $go, "sh", "-c", 'read x; "$@"; echo', "sh", @ARGV); # before the file is open: a child's close would save it
open F, ">", "m/p/a.json" or die;
syswrite F, '{"v":5}' or die;
close $go;
<$done>;
close F and die "saved\n";
print "$!\n";
END
eq 'others only added an attribute' "$(perl added.pl "$ITEMCTL" -s "$S" --quiet put tab '{"PK":"p","SK":"a","v":4,"added":1}' 2>&1) $(item tab p a)" \
	'Stale file handle {"PK":"p","SK":"a","added":1,"v":4}'
unmnt m

# ---- the item behind an editor's backup is deleted later, unless another client has changed it

mnt m -o table=tab,timeout=0
put '{"PK":"p","SK":"x","v":1}' '{"PK":"p","SK":"y","v":1}'
mv m/p/x.json m/p/x.json~
mv m/p/y.json m/p/y.json~
gone m/p/x.json m/p/y.json
put '{"PK":"p","SK":"y","v":2}'
rm m/p/x.json~ m/p/y.json~
eq 'an unchanged item is deleted, a changed one kept' "$(item tab p x)$(item tab p y)" '{"PK":"p","SK":"y","v":2}'
put '{"PK":"p","SK":"x","v":1}'
mv m/p/x.json m/p/x.json~
mv m/p/y.json m/p/y.json~
put '{"PK":"p","SK":"x","v":1,"added":1}' '{"PK":"p","SK":"y","v":2,"added":1}'
rm m/p/x.json~
mv m/p/y.json~ m/p/z.json
eq 'kept also if others only added an attribute' "$(item tab p x)$(item tab p y)$(item tab p z)" \
	'{"PK":"p","SK":"x","added":1,"v":1}{"PK":"p","SK":"y","added":1,"v":2}{"PK":"p","SK":"z","v":2}'
jq -nc '[range(200) | {key: "a\(.)", value: .}] | from_entries | . + {PK: "p", SK: "wide"}' >wide
put "$(cat wide)"
mv m/p/wide.json m/p/wide.json~
put "$(jq -c '.a199 = "theirs"' wide)"
rm m/p/wide.json~
eq 'or changed one of very many attributes' "$(item tab p wide | jq -r .a199)" theirs
for sk in x y z wide; do
	ctl delete tab p $sk >/dev/null
done
ctl delete tab p a >/dev/null
ctl delete tab p none >/dev/null
put '{"PK":"alone","SK":"x"}'
mv m/alone/x.json m/alone/x.json~
ctl delete tab alone x >/dev/null
eq 'a partition with a scratch file stays' "$(cat m/alone/x.json~)" '{"PK":"alone","SK":"x"}'
ok mv m/alone/x.json~ m/alone/x.json
eq 'and the backup can become the item again' "$(item tab alone x)" '{"PK":"alone","SK":"x"}'
jq -nc '{v: ("x" * 410000)}' >large
refused 'File too large' cp large m/p/large.json
cp large m/p/large
refused 'File too large' mv m/p/large m/p/large.json
unmnt m

# ---- many: a large partition is listed once, and does not delay the others

seq 3000 | jq -c '{PK:"large",SK:"\(.)"}' >items
seq 300 | jq -c '{PK:"p\(.)",SK:"1",G:"g\(. % 7)"}' >>items
long=$(printf 'x%.0s' $(seq 300))
jq -nc --arg l "$long" '{PK: $l, SK: $l, G: $l}' >>items
ctl import tab items >/dev/null 2>&1
mnt m -o table=tab
eq 'each partition is listed once' "$(ls m | sort | uniq -d | wc -l) $(ls m | grep -c '^p[0-9]') $(ls m | grep -cx large)" '0 300 1'
eq 'all items of the large one are listed' "$(ls -U m/large | wc -l)" 3000
eq 'partitions of an index that returns them unordered' "$(ls m/.index/ByG | wc -l) $(find m/.index/ByG -type f | wc -l)" '8 301'
short=$(ls m | grep %~)
eq 'a shortened name can be read' "$(cat "m/$short"/* | jq -r '.PK == .SK') $(ls "m/.index/ByG/$short" | wc -l)" 'true 1'
eq 'and so can an entry with a shortened name' "$(cat "m/.index/ByG/$short"/* | jq -r '.G == .SK')" true
gone "m/${short%?}0"
unmnt m

# ---- mount(8) and fstab

if private true; then
	mkdir bin
	ln -s "$ITEMFS" bin/mount.itemfs
	echo "$S $W/m itemfs table=tab,noauto,_netdev,timeout=3 0 0" >fstab
	cat >run.sh <<'END'
mount -t tmpfs none /sbin && ln -s "$W/bin/mount.itemfs" /sbin && mount -T fstab m && ls m | grep -cx large && jq .timeout m/.itemfs/config.json
umount m
mount -t itemfs "$S" m && ls m && umount m
mount -t itemfs "$S" m -o table=none; echo $?
END
	export W S
	eq 'fstab and mount -t' "$(private bash run.sh 2>&1)" '1
3
tab
itemfs: Requested resource not found: Table: none not found
32'
	wait_until 10 nobody_left || fail 'the daemon stays'
fi

done_testing
