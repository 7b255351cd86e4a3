#!/bin/bash
# Two views of the same items, and changes through other front ends: the kernel's caches are invalidated exactly
# (NAMESPACE 2 and 7). Nothing here waits: an acknowledged change is visible at once.
# BEHAVIOUR 1.18c, 4.11, 4.12, 6.4, 11.10, 23.9, 23.10
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G,H' --gsi 'keys=G/KEYS_ONLY' --gsi 'some=G/INCLUDE:v'
ctl put tab '{"PK":"p","SK":"a","G":"x","H":"1","v":1,"w":2}' >/dev/null
mnt m -o table=tab
mnt g -o table=tab,index=gsi
mnt k -o table=tab,index=keys
mnt s -o table=tab,index=some

# ---- projections

eq 'a projection of all attributes' "$(cat g/x/1::p::a.json)" '{"PK":"p","SK":"a","G":"x","H":"1","v":1,"w":2}'
eq 'a projection of the keys' "$(jq -cS . k/x/p::a.json)" '{"G":"x","PK":"p","SK":"a"}'
eq 'a projection of some attributes' "$(jq -cS . s/x/p::a.json)" '{"G":"x","PK":"p","SK":"a","v":1}'
for f in g/x/1::p::a.json k/x/p::a.json s/x/p::a.json; do
	eq "the size of $f" "$(stat -c %s $f)" "$(wc -c <$f)"
done

# ---- read-only

refused 'Read-only file system' bash -c 'echo "{}" >g/x/1::p::a.json'
refused 'Read-only file system' touch g/x/new.json
refused 'Read-only file system' rm g/x/1::p::a.json
refused 'Read-only file system' mkdir g/y
refused 'Read-only file system' rmdir g/x
refused 'Read-only file system' mv g/x/1::p::a.json g/x/2::p::a.json
refused 'Read-only file system' touch m/.index/gsi/x/1::p::a.json
refused 'Read-only file system' rm m/.index/gsi/x/1::p::a.json
eq 'the item is unchanged' "$(item tab p a)" '{"G":"x","H":"1","PK":"p","SK":"a","v":1,"w":2}'

# ---- a write in one mount, seen in the other

gone g/y g/x/2::p::a.json g/x/1::p::b.json
echo '{"G":"x","H":"2","v":1}' >m/p/a.json
eq 'the entry moves' "$(ls g/x)" 2::p::a.json
gone g/x/1::p::a.json
echo '{"G":"y","H":"2","v":2}' >m/p/a.json
eq 'to another partition of the view' "$(ls g; ls g/y)" 'y
2::p::a.json'
gone g/x g/x/2::p::a.json
eq 'with its new contents' "$(jq .v g/y/2::p::a.json)" 2
eq 'in .index of the table, too' "$(ls m/.index/gsi/y)" 2::p::a.json
echo '{"v":3}' >m/p/a.json
eq 'an item without the index key is not in the view' "$(ls g)" ''
gone g/y
echo '{"G":"y"}' >m/p/a.json
eq 'an item with a part of the key is in the indexes that need only this part' "$(ls g) $(ls k)" ' y'
echo '{"G":"x","H":"1"}' >m/p/b.json
eq 'a new item' "$(cat g/x/1::p::b.json)" '{"PK":"p","SK":"b","G":"x","H":"1"}'
echo '{"G":"x","H":"1","long":"xxxxxxxxxxxxxxxxxxxxxxx"}' >m/p/b.json
settle m
eq 'longer contents: size and text' "$(stat -c %s g/x/1::p::b.json) $(cat g/x/1::p::b.json)" \
	"$(stat -c %s m/p/b.json) "'{"PK":"p","SK":"b","G":"x","H":"1","long":"xxxxxxxxxxxxxxxxxxxxxxx"}'
echo '{"G":"x","H":"1"}' >m/p/b.json
settle m
eq 'shorter contents' "$(stat -c %s g/x/1::p::b.json) $(cat g/x/1::p::b.json)" "$(stat -c %s m/p/b.json) "'{"PK":"p","SK":"b","G":"x","H":"1"}'
mv m/p/b.json m/p/c.json
eq 'a rename' "$(ls g/x)" 1::p::c.json
rm m/p/c.json
eq 'a removal' "$(ls g)" ''

# ---- a write by itemctl, seen in both

for n in 1 2 3 4 5 6 7 8 9 10; do
	gone m/p/new.json g/z g/z/$n::p::new.json
	ctl put tab '{"PK":"p","SK":"new","G":"z","H":"'$n'","v":"'"$(printf 'x%.0s' $(seq $n))"'"}' >/dev/null
	eq "put $n: contents" "$(jq -r '.v|length' m/p/new.json g/z/$n::p::new.json | tr '\n' ' ')" "$n $n "
	eq "put $n: sizes" "$(stat -c %s m/p/new.json g/z/$n::p::new.json | sort -u)" "$(wc -c <m/p/new.json)"
	eq "put $n: listings" "$(ls m/p g/z | tr '\n' ' ')" "g/z: $n::p::new.json  m/p: a.json new.json "
	ctl put tab '{"PK":"p","SK":"new","v":"moved"}' >/dev/null
	eq "put $n: the change" "$(jq -r .v m/p/new.json)" moved
	gone g/z/$n::p::new.json g/z
	ctl delete tab p new >/dev/null
done
cat >t.txt <<'END'
put tab '{"PK":"p","SK":"t1","G":"z","H":"1"}'
put tab '{"PK":"p","SK":"t2","G":"z","H":"2"}'
delete tab p a
END
gone m/p/t1.json
ok ctl transact t.txt
eq 'a transaction: all its changes are visible' "$(ls m/p g/z | tr '\n' ' ')" 'g/z: 1::p::t1.json 2::p::t2.json  m/p: t1.json t2.json '
gone m/p/a.json
cat >t.txt <<'END'
delete tab p t1
check tab p t2 if attribute_not_exists(PK)
END
refused '' ctl transact t.txt
eq 'a cancelled one: none of its changes is visible' "$(ls m/p | tr '\n' ' ')" 't1.json t2.json '
printf '{"PK":"imp","SK":"%s","G":"z","H":"i"}\n' 1 2 3 >in.jsonl
gone m/imp
ok ctl import tab in.jsonl
eq 'all items of an import are visible' "$(ls m/imp | tr '\n' ' ') $(ls g/z | grep -c '^i::imp')" '1.json 2.json 3.json  3'

# ---- a file that is open when another front end changes it

exec 4<m/p/t1.json
eq 'the open file before the change' "$(jq -r .H <&4)" 1
ctl put tab '{"PK":"p","SK":"t1","G":"z","H":"1","v":"new"}' >/dev/null
exec 4<&-
eq 'the file after the change' "$(jq -r .v m/p/t1.json)" new
# The texts have the same length: a reader of a file that changes may see the old size with the new bytes.
( n=0; while ctl put tab '{"PK":"p","SK":"t2","v":"'$((10000 + n++ % 10000))'"}' >/dev/null && [ ! -e stop ]; do :; done ) &
for n in 1 2 3 4 5 6 7 8 9 10; do
	ok jq . m/p/t2.json
done
touch stop
wait
eq 'the last text is shown' "$(jq -r .v m/p/t2.json)" "$(item tab p t2 | jq -r .v)"

# ---- times

ctl put tab '{"PK":"p","SK":"t1","v":1}' >/dev/null
touch -d '2001-01-01' m/p/t1.json
mnt m2 -o table=tab
eq 'a time set in one mount is visible in the other' "$(stat -c %Y m2/p/t1.json)" "$(stat -c %Y m/p/t1.json)"
touch -d '2002-01-01' m/p/t1.json
eq 'and so is a later one' "$(stat -c %Y m2/p/t1.json)" "$(stat -c %Y m/p/t1.json)"
for n in $(seq 100); do
	touch -d "@$((1000000000 + n))" m/p/t1.json
	eq "time $n" "$(stat -c %Y m2/p/t1.json)" $((1000000000 + n))
done

done_testing
