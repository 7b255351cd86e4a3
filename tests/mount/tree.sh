#!/bin/bash
# The tree: what is listed where, in which order, and with which attributes (NAMESPACE 2).
# BEHAVIOUR 5.1, 12.11
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G,H' --gsi 'solo=G' --lsi 'lsi=L'
ctl create-table sim --key PK --gsi 'gsi=G,H' --gsi 'solo=G' >/dev/null
ctl put tab '{"PK":"p1","SK":"b","G":"x","H":"2","L":"9"}' '{"PK":"p1","SK":"a","G":"x","H":"1","L":"8"}' \
	'{"PK":"p2","SK":"Z","G":"y","H":"1"}' '{"PK":"p2","SK":"ä"}' '{"PK":"p2","SK":"a"}' >/dev/null
ctl put sim '{"PK":"s2","G":"x","H":"2"}' '{"PK":"s1","G":"x","H":"1"}' '{"PK":"s3"}' >/dev/null

mnt all
mnt t -o table=tab
mnt s -o table=sim
mnt g -o table=tab,index=gsi
mnt l -o table=tab,index=lsi
mnt solo -o table=tab,index=solo
mnt sg -o table=sim,index=gsi
mnt ssolo -o table=sim,index=solo

# ---- structure

eq 'all tables at the root' "$(ls all)" 'sim
tab'
eq 'composite keys: partitions, then items' "$(cd all && find tab -type f | LC_ALL=C sort)" 'tab/p1/a.json
tab/p1/b.json
tab/p2/Z.json
tab/p2/a.json
tab/p2/ä.json'
eq 'simple keys: items' "$(ls all/sim)" 's1.json
s2.json
s3.json'
eq 'one table as the root' "$(ls t) $(ls t/p1)" 'p1
p2 a.json
b.json'
eq 'a simple table as the root' "$(ls s | head -1)" s1.json
eq 'an index view: index key, then the base key' "$(cd g && find . -type f | LC_ALL=C sort)" './x/1::p1::a.json
./x/2::p1::b.json
./y/1::p2::Z.json'
eq 'an index without a sort key' "$(cd solo && find . -type f | LC_ALL=C sort)" './x/p1::a.json
./x/p1::b.json
./y/p2::Z.json'
eq 'an LSI' "$(cd l && find . -type f | LC_ALL=C sort)" './p1/8::p1::a.json
./p1/9::p1::b.json'
eq 'an index of a simple table' "$(cd sg && find . -type f | LC_ALL=C sort)" './x/1::s1.json
./x/2::s2.json'
eq 'one without a sort key of a simple table' "$(ls ssolo/x)" 's1.json
s2.json'
eq 'an item has the same text in both views' "$(cat g/x/1::p1::a.json)" "$(cat t/p1/a.json)"
eq 'the indexes in .index' "$(ls all/tab/.index/gsi/x t/.index/lsi/p1)" 'all/tab/.index/gsi/x:
1::p1::a.json
2::p1::b.json

t/.index/lsi/p1:
8::p1::a.json
9::p1::b.json'
eq 'virtual names exist and are never listed' "$(ls -A all t)" 'all:
sim
tab

t:
p1
p2'
ok ls all/.itemfs
ok cat all/.itemfs/version
gone all/none t/p3 t/p1/c.json t/p1/a g/x/1::p1::b.json t/.index/none

# ---- order: sort keys as DynamoDB orders them

eq 'strings by UTF-8 bytes' "$(ls -U t/p2)" 'Z.json
a.json
ä.json'
eq 'find lists in key order' "$(find t/p1 -type f)" 't/p1/a.json
t/p1/b.json'
eq 'partitions in key order' "$(ls -U t)" 'p1
p2'

# ---- attributes

eq 'modes, link counts, kinds' "$(stat -c '%A %h %F' all all/tab t/p1 t/p1/a.json | uniq)" 'drwxr-xr-x 1 directory
-rw-r--r-- 1 regular file'
eq 'the same modes in a read-only view' "$(stat -c '%a' g/x g/x/1::p1::a.json)" '755
644'
eq 'the owner is the user who mounted' "$(stat -c '%u:%g' t t/p1 t/p1/a.json | uniq)" "$(id -u):$(id -g)"
for f in t/p1/a.json g/x/1::p1::a.json s/s1.json; do
	eq "the size of $f" "$(stat -c %s "$f")" "$(wc -c <<<"$(cat "$f")")"
done
eq 'the size of a partition' "$(stat -c %s t/p1)" "$(cat t/p1/* | wc -c)"
eq 'du --apparent-size counts items' "$(du -b --apparent-size -s t/p1/a.json | cut -f1)" "$(wc -c <t/p1/a.json)"
eq 'inode numbers are never 0 and differ' "$(stat -c %i all all/tab t/p1 t/p1/a.json t/p1/b.json g/x/1::p1::a.json | sort -u | grep -vc '^0$')" 6
eq 'df counts items as files' "$(($(df --output=iused t | tail -1) >= 5))" 1
eq 'names may have 255 bytes' "$(stat -f -c %l t)" 255
eq 'blocks are those of the disk below' "$(stat -f -c '%S %b' t)" "$(stat -f -c '%S %b' "$S")"

before=$(stat -c '%i %s %n' t t/p1; stat -c '%i %s %Y %n' t/p1/a.json all/sim/s1.json g/x/1::p1::a.json)
unmnt all t s g l solo sg ssolo
mnt all
mnt t -o table=tab
mnt g -o table=tab,index=gsi
eq 'inode numbers, sizes and times outlive a mount' "$(stat -c '%i %s %n' t t/p1; stat -c '%i %s %Y %n' t/p1/a.json all/sim/s1.json g/x/1::p1::a.json)" "$before"

# ---- times

now=$(date +%s)
ok touch -d 2001-02-03 t/p1/a.json
ok touch t/p1/a.json
eq 'a file has the time of its last write' "$((now - $(stat -c %Y t/p1/a.json) < 5))" 1
ok touch -d '2001-02-03 04:05:06.789' t/p1/b.json
eq 'a time that was set is shown' "$(stat -c %y t/p1/b.json)" '2001-02-03 04:05:06.789000000 +0000'
unmnt t
mnt t -o table=tab
eq 'and is shown in the next mount' "$(stat -c %y t/p1/b.json)" '2001-02-03 04:05:06.789000000 +0000'
eq 'setting a time does not change the item' "$(item tab p1 b)" '{"G":"x","H":"2","L":"9","PK":"p1","SK":"b"}'
echo '{"G":"x"}' >t/p1/b.json
eq 'a write sets a new time' "$((now - $(stat -c %Y t/p1/b.json) < 5))" 1

# ---- owner and umask as options

mnt o -o table=tab,uid=12,gid=34,umask=077
eq 'uid, gid and umask' "$(stat -c '%u:%g %a' o/p1 o/p1/a.json)" '12:34 700
12:34 600'

# ---- a partition exists while it has items

ctl put tab '{"PK":"new","SK":"1"}' >/dev/null
eq 'a partition appears with its first item' "$(ls t)" 'new
p1
p2'
ctl delete tab new 1 >/dev/null
eq 'and disappears with its last one' "$(ls t)" 'p1
p2'
gone t/new
ctl create-table later --key PK >/dev/null
eq 'a new table appears' "$(ls all)" 'later
sim
tab'
ctl drop later --yes >/dev/null
eq 'a dropped table disappears' "$(ls all)" 'sim
tab'
gone all/later

done_testing
