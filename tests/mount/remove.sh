#!/bin/bash
# Removal of items and partitions; partitions without items (NAMESPACE 2 and 4).
# BEHAVIOUR 5.2, 9.5, 23.5
. "$(dirname "$0")/lib.sh"

store --key PK,SK
ctl create-table sim --key PK >/dev/null
mnt m -o table=tab
mnt n -o table=tab
mnt all

# ---- items

ctl put tab '{"PK":"p","SK":"a"}' '{"PK":"p","SK":"b"}' '{"PK":"p","SK":"c"}' >/dev/null
ok rm m/p/a.json
eq 'rm is DeleteItem' "$(item tab p a)" ''
eq 'the other mount does not show it any more' "$(ls n/p)" 'b.json
c.json'
gone m/p/a.json n/p/a.json all/tab/p/a.json
refused 'No such file' rm m/p/a.json
refused 'Directory not empty' rmdir m/p
refused 'Is a directory' rm m/p
refused 'Not a directory' rmdir m/p/b.json

# ---- the last item of a partition

ok rm m/p/b.json m/p/c.json
eq 'a partition emptied through this mount stays until rmdir' "$(ls -d m/p) $(ls m/p)" 'm/p '
ok rmdir m/p
gone m/p n/p

seq 30 | jq -c '{PK:"p",SK:"\(.)"}' | ctl put tab - >/dev/null
ok rm -r m/p
gone m/p n/p
eq 'rm -r deletes all items' "$(ctl query tab p --count)" 0
seq 30 | jq -c '{PK:"p\(. % 3)",SK:"\(.)"}' | ctl put tab - >/dev/null
ok rm -r m/p0 m/p1 m/p2
eq 'rm -r of several' "$(ls m)" ''
seq 30 | jq -c '{PK:"p",SK:"\(.)"}' | ctl put tab - >/dev/null
ok find m/p -name '1*' -delete
eq 'find -delete deletes what matches' "$(ls m/p | wc -l)" 19
ok bash -c 'rm m/p/*; rmdir m/p'
gone m/p

# ---- a partition emptied through another front end disappears at once

ctl put tab '{"PK":"q","SK":"a"}' >/dev/null
eq 'the partition is listed before' "$(ls m/q)" a.json
ctl delete tab q a >/dev/null
gone m/q n/q
eq 'it is not listed afterwards' "$(ls m)" ''

# ---- partitions that have no items yet

ok mkdir m/new
eq 'a new partition is listed' "$(ls m) $(ls m/new)" 'new '
eq 'but not stored' "$(ctl scan tab --count)" 0
echo '{}' >half.json
ok cp half.json m/new/x.json
eq 'cp into it creates an item' "$(item tab new x)" '{"PK":"new","SK":"x"}'
refused 'File exists' mkdir m/new
ok mkdir -p m/new
ok rm m/new/x.json
ok rmdir m/new
gone m/new
refused 'No such file' touch m/never/x.json
ok mkdir m/forgotten
unmnt m
mnt m -o table=tab
gone m/forgotten
refused 'No such file' rmdir m/forgotten

# ---- what cannot be removed

refused 'Operation not permitted' rmdir all/sim
ok touch all/sim/x.json
refused '' rmdir all/sim
ok rm all/sim/x.json
eq 'the table is still there' "$(ls all)" 'sim
tab'
refused '' rm -r m/.itemfs
ok ls m/.itemfs

# ---- removed while open

ctl put tab '{"PK":"p","SK":"open","v":1}' >/dev/null
exec 4<>m/p/open.json
rm m/p/open.json
eq 'an open file can still be read' "$(cat <&4)" '{"PK":"p","SK":"open","v":1}'
exec 4>&-
gone m/p/open.json
exec 4>m/p/late.json
printf '{"v":1}' >&4
rm m/p/late.json
exec 4>&-
eq 'a writer of a removed file does not create it again' "$(item tab p late)" ''

done_testing
