#!/bin/bash
# Renaming items and partitions: one transaction each (NAMESPACE 4).
# BEHAVIOUR 23.4
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=100 # requests are not retried for long

store --key PK,SK --gsi 'gsi=G'
ctl create-table other --key PK,SK >/dev/null
ctl create-table sim --key PK >/dev/null
mnt all
mnt m -o table=tab
mnt g -o table=tab,index=gsi

one()
{
	ctl put tab '{"PK":"p","SK":"a","G":"x","v":1}' '{"PK":"p","SK":"b","v":2}' >/dev/null
	ctl delete tab p c >/dev/null
	ctl delete tab q a >/dev/null
}

# ---- items

one
ok mv m/p/a.json m/p/c.json
eq 'the key is rewritten' "$(item tab p c)" '{"G":"x","PK":"p","SK":"c","v":1}'
eq 'the old one is gone' "$(item tab p a)" ''
gone m/p/a.json
eq 'the index view shows the new key' "$(ls g/x)" p::c.json
eq 'the content has the new key' "$(cat m/p/c.json)" '{"PK":"p","SK":"c","G":"x","v":1}'
one
mkdir m/q
ok mv m/p/a.json m/q/
eq 'moved to another partition' "$(item tab q a)" '{"G":"x","PK":"q","SK":"a","v":1}'
eq 'and removed from the first' "$(ls m/p)" b.json
one
ok mv m/p/a.json m/p/b.json
eq 'moved over another item' "$(item tab p b)" '{"G":"x","PK":"p","SK":"b","v":1}'
one
mv -n m/p/a.json m/p/b.json 2>/dev/null
eq 'mv -n leaves both' "$(item tab p a | jq .v) $(item tab p b | jq .v)" '1 2'
refused 'File exists' renameat2 m/p/a.json m/p/b.json 1
ok renameat2 m/p/a.json m/p/c.json 1
eq 'RENAME_NOREPLACE' "$(ls m/p)" 'b.json
c.json'
one
ok renameat2 m/p/a.json m/p/b.json 2
eq 'RENAME_EXCHANGE' "$(item tab p a | jq .v) $(item tab p b | jq .v)" '2 1'
eq 'and is shown' "$(jq .v m/p/a.json) $(jq .v m/p/b.json)" '2 1'
refused 'Invalid argument' renameat2 m/p/a.json m/p/z.json 4
refused 'Invalid argument' renameat2 m/p/a.json m/p/b.json 3
refused 'No such file' renameat2 m/p/a.json m/p/z.json 2
mkdir m/q
echo '{"v":3}' >m/q/z.json
ok renameat2 m/p/a.json m/q/z.json 2
eq 'RENAME_EXCHANGE across partitions' "$(item tab p a) $(item tab q z)" '{"PK":"p","SK":"a","v":3} {"PK":"q","SK":"z","v":2}'
rm m/q/z.json

# ---- scratch names

echo one >m/p/s1
echo two >m/p/s2
exec 5>>m/p/s1
ok renameat2 m/p/s1 m/q/s2 1
refused 'File exists' renameat2 m/q/s2 m/p/s2 1
ok renameat2 m/q/s2 m/p/s2 2
echo more >&5
exec 5>&-
eq 'scratch files are exchanged' "$(cat m/q/s2) $(cat m/p/s2)" "two one
more"
refused 'No such file' renameat2 m/p/s2 m/p/s9 2
refused 'Invalid argument' renameat2 m/p/s2 m/p/b.json 2
refused 'Invalid argument' renameat2 m/p/b.json m/p/s2 2
ok grep -q 'an item and a scratch file cannot be exchanged' m/.itemfs/errors
refused 'File exists' renameat2 m/p/b.json m/p/s2 1
eq 'all files are still there' "$(ls m/p m/q | tr '\n' ' ')" 'm/p: a.json b.json s2  m/q: s2 '
echo '{"v":8}' >m/p/s2
refused 'File exists' renameat2 m/p/s2 m/p/b.json 1
ok renameat2 m/p/s2 m/p/c.json 1
eq 'RENAME_NOREPLACE of a scratch file creates an item' "$(item tab p c | jq .v)" 8
rm m/q/s2 m/p/c.json
rmdir m/q

# ---- names of hidden items

one
mv m/p/b.json m/p/b~
ok renameat2 m/p/a.json m/p/b.json 1
eq 'a hidden name is free' "$(item tab p a)$(item tab p b)" '{"G":"x","PK":"p","SK":"b","v":1}'
rm m/p/b~
eq 'removing the backup leaves the item that took the name' "$(item tab p b | jq .v)" 1
one
mv m/p/b.json m/p/b~
refused 'No such file' renameat2 m/p/a.json m/p/b.json 2
refused 'No such file' mv m/p/b.json m/p/c.json
ok mv m/p/b~ m/p/b.json
eq 'the hidden item is unchanged' "$(item tab p a | jq .v) $(item tab p b | jq .v)" '1 2'
one
ok mv m/p/a.json m/p/a.json.json
eq 'a suffix in a name' "$(item tab p a.json | jq .v)" 1
rm m/p/a.json.json
refused 'No such file' mv m/p/none.json m/p/x.json
one
ok mv m/p/a.json all/tab/p/c.json
eq 'mv between two mounts copies and deletes' "$(item tab p c | jq .v)" 1
echo '{"v":7}' >all/sim/one.json
ok mv all/sim/one.json all/sim/two.json
eq 'an item of a simple key is renamed' "$(item sim two)" '{"PK":"two","v":7}'

# ---- files that are open

one
exec 4>m/p/a.json
printf '{"v":5}' >&4
ok mv m/p/a.json m/p/c.json
exec 4>&-
eq 'a rename commits what was written' "$(item tab p c)" '{"PK":"p","SK":"c","v":5}'
one
exec 4>m/p/a.json
printf '{"v":' >&4
refused 'Bad message' mv m/p/a.json m/p/c.json
exec 4>&-
settle m # at RELEASE the half text is dropped
eq 'a rename of half a text is refused' "$(item tab p a | jq .v) $(item tab p c)" '1 '
ok mv m/p/a.json m/p/c.json
one

exec 4<m/p/a.json 5<m/p/b.json
ok mv m/p/a.json m/p/b.json
eq 'readers of both files continue with their item' "$(jq -c .v <&5) $(jq -c .v <&4)" '2 1'
exec 4<&- 5<&-
one
exec 4<m/p/a.json
ok mv m/p/a.json m/p/a-much-longer-name.json
eq 'a reader gets the new key when the text becomes longer' "$(cat <&4)" '{"PK":"p","SK":"a-much-longer-name","G":"x","v":1}'
exec 4<&-
rm m/p/a-much-longer-name.json
one
exec 4<>m/p/a.json 5<>m/p/b.json
ok renameat2 m/p/a.json m/p/b.json 2
printf '{"v":"was a"}%40s' >&4
printf '{"v":"was b"}%40s' >&5
exec 4>&- 5>&-
eq 'writers of both files continue with the item that they opened' "$(item tab p a | jq .v) $(item tab p b | jq .v)" '"was b" "was a"'
one

# ---- many at once

one
for k in $(seq 8); do
	( renameat2 m/p/a.json m/p/won$k.json 1 2>/dev/null && echo $k >>winners ) &
done
wait
eq 'one of eight renames of one item' "$(wc -l <winners) $(ls m/p | grep -c won)" '1 1'
eq 'whose new name is stored' "$(item tab p won"$(cat winners)" | jq .v)" 1
rm m/p/won*
seq 8 | while read -r k; do echo '{"v":'$k'}' >m/p/r$k.json; done
for k in $(seq 8); do
	( renameat2 m/p/r$k.json m/p/target.json 1 2>/dev/null && echo $k >>first ) &
done
wait
eq 'one of eight RENAME_NOREPLACE to one name succeeds' "$(wc -l <first) $(jq .v m/p/target.json) $(ls m/p | grep -c '^r')" "1 $(cat first) 7"
rm m/p/r* m/p/target.json
seq 4 | while read -r k; do echo '{"v":'$k'}' >m/p/x$k.json; done
# swap A B - exchange them; retry while it fails with EBUSY, which it does if others are faster ten times in a row
swap()
{
	local said
	until said=$(renameat2 "$@" 2 2>&1); do
		[ "$said" = 'Device or resource busy' ] || break
	done
	printf %s "$said"
}
for d in m all/tab m all/tab; do
	( for k in 1 2 3 4 1 3 2 4 1; do swap $d/p/x$k.json $d/p/x$((k % 4 + 1)).json; done ) >>swaps &
done
for k in $(seq 5); do ctl put tab '{"PK":"p","SK":"beside","v":'$k'}' >/dev/null; done
wait
eq 'exchanges through two mounts lose and duplicate nothing' "$(jq .v m/p/x?.json | sort | tr '\n' ' ')$(cat swaps)" '1 2 3 4 '
rm m/p/x?.json m/p/beside.json
one

# ---- names

refused 'File name too long' mv m/p/a.json "m/p/$(printf 'n%.0s' $(seq 1030)).json"
refused 'Operation not permitted' mv m/p/a.json m/x.json
mkdir m/q
refused 'Operation not permitted' mv -T m/p m/q/y
refused 'Operation not permitted' mv -T m/p m/q/y.json
rmdir m/q
refused 'Read-only' mv m/p/a.json m/p/.jsonl
refused 'Bad message' mv m/p/a.json m/p/%41.json
eq 'the item is unchanged' "$(item tab p a | jq .v)" 1

# ---- partitions

seq 100 | jq -c '{PK:"hundred",SK:"\(.)",v:.}' | ctl put tab - >/dev/null
ok mv m/hundred m/moved
eq 'a partition of 100 items is moved' "$(ls m/moved | wc -l) $(ctl query tab hundred --count)" '100 0'
gone m/hundred
seq 101 | jq -c '{PK:"more",SK:"\(.)"}' | ctl put tab - >/dev/null
refused 'Invalid cross-device link' perl -e 'rename "m/more", "m/much" or die "$!"'
ok mv m/more m/much
eq 'one of 101 items is copied and deleted by mv' "$(ls m/much | wc -l) $(ctl query tab more --count)" '101 0'
mkdir m/empty
ok mv m/empty m/void
eq 'an empty partition is renamed' "$(ls -d m/void; ls -d m/empty 2>/dev/null)" m/void
ok perl -e 'rename "m/moved", "m/void" or die "$!"'
eq 'a partition replaces an empty one' "$(ls m/void | wc -l)" 100
gone m/moved
ok mkdir m/full
ok touch m/full/x.json
refused 'Directory not empty' perl -e 'rename "m/void", "m/full" or die "$!"'
touch -d '2001-02-03 04:05:06' m/full/x.json
ok mv m/full m/kept
eq 'times stay with the items' "$(stat -c %Y m/kept/x.json)" "$(date -d '2001-02-03 04:05:06' +%s)"
ok mv m/kept m/full

# ---- partitions that must not be replaced

refused 'File exists' renameat2 m/full m/void 1
mkdir m/none
refused 'File exists' renameat2 m/full m/none 1
rmdir m/none
ok renameat2 m/full m/none 1
eq 'RENAME_NOREPLACE of a partition' "$(ls m/none; ls -d m/full 2>/dev/null)" x.json
mkdir m/full
echo scratch >m/full/s
refused 'Directory not empty' perl -e 'rename "m/none", "m/full" or die "$!"'
eq 'a partition with a scratch file is not replaced' "$(cat m/full/s) $(ls m/none)" 'scratch x.json'
rm m/full/s
exec 5>m/full/new.json
refused 'Directory not empty' perl -e 'rename "m/none", "m/full" or die "$!"'
exec 5>&-
settle m
eq 'nor is one with a file that is being created' "$(item tab full new)" '{"PK":"full","SK":"new"}'
rm -r m/full
echo scratch >m/none/s
exec 5>>m/none/s
ok mv m/none m/full
eq 'scratch files move with their partition' "$(ls -U m/full | tr '\n' ' ')$(cat m/full/s)" 'x.json s scratch'
echo more >&5
exec 5>&-
eq 'and can still be written' "$(cat m/full/s)" 'scratch
more'
rm -r m/full

# ---- partitions that are exchanged

# both PARTITION PARTITION - print their items as words "sort key:v"
both()
{
	echo $(for p; do ctl query tab "$p" | jq -r '"\(.SK):\(.v)"' && echo -; done)
}

ctl put tab '{"PK":"x1","SK":"a","v":1,"G":"ex"}' '{"PK":"x1","SK":"b","v":2}' '{"PK":"x2","SK":"b","v":3}' '{"PK":"x2","SK":"c","v":4,"G":"ex"}' >/dev/null
touch -d '2001-02-03 04:05:06' m/x1/b.json
ls -lR m/x1 m/x2 g all/tab >/dev/null
ok renameat2 m/x1 m/x2 2
eq 'RENAME_EXCHANGE of partitions' "$(both x1 x2)" 'b:3 c:4 - a:1 b:2 -'
eq 'is shown' "$(ls m/x1 m/x2; cat m/x1/* m/x2/*)" "m/x1:
b.json
c.json

m/x2:
a.json
b.json
$(ctl query tab x1; ctl query tab x2)"
eq 'in other mounts, too' "$(cd all/tab && ls x1 x2)" "$(cd m && ls x1 x2)"
eq 'and in index views' "$(ls g/ex | tr '\n' ' ')" 'x1::c.json x2::a.json '
eq 'an exchanged item keeps its time' "$(stat -c %Y m/x2/b.json)" "$(date -d '2001-02-03 04:05:06' +%s)"
exec 5<>m/x1/c.json
echo 'a text that is no item' >m/x2/s
ok renameat2 m/x2 m/x1 2
eq 'exchanged back, with the scratch file' "$(both x1 x2) $(cat m/x1/s)" 'a:1 b:2 - b:3 c:4 - a text that is no item'
rm m/x1/s
truncate -s 0 m/x2/c.json
echo '{"v":5}' >&5
exec 5>&-
eq 'an open file becomes the item with its new name' "$(both x1 x2)" 'a:1 b:2 - b:3 c:5 -'
mkdir m/x3
ok renameat2 m/x1 m/x3 2
eq 'exchanged with an empty partition' "$(both x1 x3) $(ls -d m/x1) $(ls m/x1)" '- a:1 b:2 - m/x1 '
ok rmdir m/x1
refused 'No such file' renameat2 m/x3 m/x1 2
refused 'Operation not permitted' renameat2 m/x3 m/p/b.json 2
exec 5>m/x3/a.json
printf '{"v":' >&5
refused 'Bad message' renameat2 m/x3 m/x2 2
exec 5>&-
settle m
eq 'no exchange while half a text is written' "$(both x3 x2)" 'a:1 b:2 - b:3 c:5 -'
seq 99 | jq -c '{PK:"x4",SK:"\(.)",v:.}' | ctl put tab - >/dev/null
refused 'Invalid cross-device link' renameat2 m/x3 m/x4 2
ok rm m/x3/b.json
ok renameat2 m/x3 m/x4 2
eq 'exchanged with 100 items in both together' "$(both x4) $(ls m/x3 | wc -l)" 'a:1 - 99'

# ---- other tables, index views

mkdir all/other/p
refused 'Invalid cross-device link' perl -e 'rename "all/tab/p/a.json", "all/other/p/a.json" or die "$!"'
ok mv all/tab/p/a.json all/other/p/
eq 'mv copies to another table' "$(item other p a | jq .v) $(item tab p a)" '1 '
one
refused 'Read-only file system' mv g/x/p::a.json g/x/p::c.json
refused 'cross-device' perl -e 'rename "m/.index/gsi/x/p::a.json", "m/p/c.json" or die lc "$!"'
eq 'a rename from an index view is refused' "$(item tab p a | jq .v)" 1

done_testing
