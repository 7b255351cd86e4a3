#!/bin/bash
# Renaming items and partitions: one transaction each (filesystem.md section 4).
# Behaviour list 23.4
. "$(dirname "$0")/lib.sh"

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

# renameat2 FROM TO FLAGS: 1 do not replace, 2 exchange, 4 whiteout
renameat2()
{
	perl -e 'my ($f, $t, $n) = @ARGV; $n += 0; die "$!\n" if syscall(316, -100, $f, -100, $t, $n)' "$@"
}

# ---- items

one
ok mv m/p/a.json m/p/c.json
eq 'the key is rewritten' "$(item tab p c)" '{"G":"x","PK":"p","SK":"c","v":1}'
eq 'the old one is gone' "$(item tab p a)" ''
gone m/p/a.json
eq 'as the index view shows' "$(ls g/x)" p::c.json
eq 'the content has the new key' "$(cat m/p/c.json)" '{"PK":"p","SK":"c","G":"x","v":1}'
one
mkdir m/q
ok mv m/p/a.json m/q/
eq 'into another partition' "$(item tab q a)" '{"G":"x","PK":"q","SK":"a","v":1}'
eq 'and out of the first' "$(ls m/p)" b.json
one
ok mv m/p/a.json m/p/b.json
eq 'over another item' "$(item tab p b)" '{"G":"x","PK":"p","SK":"b","v":1}'
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
eq 'and what is shown' "$(jq .v m/p/a.json) $(jq .v m/p/b.json)" '2 1'
refused 'Invalid argument' renameat2 m/p/a.json m/p/z.json 4
one
ok mv m/p/a.json m/p/a.json.json
eq 'a suffix in a name' "$(item tab p a.json | jq .v)" 1
rm m/p/a.json.json
refused 'No such file' mv m/p/none.json m/p/x.json
one
ok mv m/p/a.json all/tab/p/c.json
eq 'between two mounts it is a copy and a removal' "$(item tab p c | jq .v)" 1
echo '{"v":7}' >all/sim/one.json
ok mv all/sim/one.json all/sim/two.json
eq 'a simple key' "$(item sim two)" '{"PK":"two","v":7}'

# ---- while it is open

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
eq 'a rename of half a text is refused' "$(item tab p a | jq .v) $(item tab p c)" '1 '
ok mv m/p/a.json m/p/c.json
one

# ---- names

refused 'Read-only' mv m/p/a.json m/p/.jsonl
refused 'Bad message' mv m/p/a.json m/p/%41.json
eq 'nothing happened' "$(item tab p a | jq .v)" 1

# ---- partitions

seq 100 | jq -c '{PK:"hundred",SK:"\(.)",v:.}' | ctl put tab - >/dev/null
ok mv m/hundred m/moved
eq 'a partition of 100 items is moved' "$(ls m/moved | wc -l) $(ctl query tab hundred --count)" '100 0'
gone m/hundred
seq 101 | jq -c '{PK:"more",SK:"\(.)"}' | ctl put tab - >/dev/null
refused 'Invalid cross-device link' perl -e 'rename "m/more", "m/much" or die "$!"'
ok mv m/more m/much
eq 'of 101 by copies' "$(ls m/much | wc -l) $(ctl query tab more --count)" '101 0'
mkdir m/empty
ok mv m/empty m/void
eq 'an empty one' "$(ls -d m/void; ls -d m/empty 2>/dev/null)" m/void
ok perl -e 'rename "m/moved", "m/void" or die "$!"'
eq 'onto an empty one' "$(ls m/void | wc -l)" 100
gone m/moved
ok mkdir m/full
ok touch m/full/x.json
refused 'Directory not empty' perl -e 'rename "m/void", "m/full" or die "$!"'

# ---- other tables, index views

mkdir all/other/p
refused 'Invalid cross-device link' perl -e 'rename "all/tab/p/a.json", "all/other/p/a.json" or die "$!"'
ok mv all/tab/p/a.json all/other/p/
eq 'mv copies to another table' "$(item other p a | jq .v) $(item tab p a)" '1 '
one
refused 'Read-only file system' mv g/x/p::a.json g/x/p::c.json
refused 'cross-device' perl -e 'rename "m/.index/gsi/x/p::a.json", "m/p/c.json" or die lc "$!"'
eq 'an index view is no source' "$(item tab p a | jq .v)" 1

done_testing
