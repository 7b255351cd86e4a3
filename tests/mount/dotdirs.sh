#!/bin/bash
# dotdirs: .index and .itemfs are listed, with the inode numbers that stat shows. Programs that walk the tree see
# them; nothing else changes.
. "$(dirname "$0")/lib.sh"
store --key PK,SK --gsi 'ByYear=Year:N'
ctl create-table plain --key PK >/dev/null
for n in $(seq 1 5); do echo "{\"PK\":\"p\",\"SK\":\"$n\",\"Year\":1999}"; done | ctl put tab - >/dev/null
echo '{"PK":"x"}' | ctl put plain - >/dev/null
mnt hidden
mnt m -o dotdirs
mkdir t i
mnt t -o table=tab,dotdirs
mnt i -o table=tab,index=ByYear,dotdirs

eq 'without dotdirs they are not listed' "$(ls -A hidden hidden/tab | tr '\n' ' ')" 'hidden: plain tab  hidden/tab: p '
eq 'the root directory' "$(ls -A m | tr '\n' ' ')" '.itemfs plain tab '
eq 'a table with an index' "$(ls -A m/tab | tr '\n' ' ')" '.index p '
eq 'a table without an index' "$(ls -A m/plain)" x.json
eq 'a partition' "$(ls -A m/tab/p | wc -l)" 5
eq 'the mount of a table' "$(ls -A t | tr '\n' ' ')" '.index .itemfs p '
eq 'the mount of an index' "$(ls -A i | tr '\n' ' ')" '.itemfs 1999 '
eq 'ls without -A does not show them' "$(ls m m/tab t i | grep -c '^\.')" 0
for dir in m m/tab t i; do
	eq "$dir: the inode numbers of readdir are those of stat" "$(cd $dir && ls -Ai | awk '{ print $1 }' | sort)" "$(cd $dir && stat -c %i $(ls -A) | sort)"
done
eq 'find enters .index only if it is listed' "$(find m/tab -name '*.json' -path '*/.index/*' | wc -l) $(find hidden/tab -name '*.json' | wc -l)" '5 5'
eq 'find knows them as directories' "$(find m -maxdepth 2 -type d -name '.*' | sort | tr '\n' ' ')" 'm/.itemfs m/tab/.index '
rsync -a --exclude .itemfs --exclude .index m/tab/ copy
eq 'rsync --exclude leaves them out' "$(ls -A copy)" p
eq 'grep -r enters .index' "$(grep -rl 1999 m/tab | grep -c /.index/)" 5
eq 'a position stays valid' "$(python3 - <<'END'
import os
entries = [e.name for e in os.scandir("m/tab")]
print(sorted(entries), os.listdir("m/tab").count(".index"))
END
)" "['.index', 'p'] 1"
eq 'the configuration says so' "$(jq .dotdirs m/.itemfs/config.json) $(jq .dotdirs hidden/.itemfs/config.json)" 'true false'
refused 'Read-only' touch m/tab/.index/ByYear/1999/x.json
rm -r m/tab/p
eq 'a partition is removed' "$(ls -A m/tab)" .index
refused 'not permitted' rmdir m/tab/.index

# ---- on a terminal, a mount reports what no listing shows
unmnt m
said()
{
	script -qec "$*" /dev/null </dev/null | tr -d '\r'
}
eq 'two lines for a mount without dotdirs' "$(said "exec '$ITEMFS' '$S' '$W/m'")" "$W/m: not listed: .index (a table's indexes) and .itemfs/README
a query is a path: ls PARTITION/.begins_with/X, .filter/EXPR; see itemctl help paths"
unmnt m
eq 'one with dotdirs' "$(said "exec '$ITEMFS' '$S' '$W/m' -o dotdirs" | head -n 1)" "$W/m: also listed: .index (a table's indexes) and .itemfs/README"
echo x >m/tab/p.txt 2>/dev/null; mkdir m/tab/q; echo x >m/tab/q/left
unmnt m
eq 'texts that were not stored' "$(said "exec '$ITEMFS' '$S' '$W/m'" | tail -n 1)" "not stored, but kept: 1 text in $S/rejected"
unmnt m
eq 'an empty store: how to create a table' "$("$ITEMFS" "$W/new" "$W/m" --create)" "$W/m is empty; to create a table: itemctl -s $W/m create-table NAME --key PK,SK; for help: $W/m/.itemfs/README"
eq 'without a table it is listed' "$(ls -A m)" .itemfs
ok "$ITEMCTL" -q -s m create-table one --key id
eq 'with a table it is not' "$(ls -A m)" one
unmnt m
eq 'a store with a table gives no message' "$("$ITEMFS" "$W/new" "$W/m" --create)" ''
unmnt m
rm "$S"/rejected/*
eq 'a read-only mount: how to write' "$(said "exec '$ITEMFS' '$S' '$W/m' -o ro" | head -n 1)" "$W/m: this mount is read-only because of -o ro (other mounts and itemctl can still write); to write here: fusermount3 -u $W/m && itemfs $S $W/m"
refused 'Read-only' mkdir m/tab/q
eq 'errors has the same line' "$(tail -n 1 m/.itemfs/errors | cut -f 4,6)" "EROFS	this mount is read-only because of -o ro (other mounts and itemctl can still write); to write here: fusermount3 -u $W/m && itemfs $S $W/m"
line=$(ctl why m/tab/q | jq -r .Message)
(export PATH=$(dirname "$ITEMFS"):$PATH; bash -c "${line#*to write here: }")
ok mkdir m/tab/q
unmnt m
"$ITEMFS" -r "$S" m -o table=tab,ro,pretty
eq 'the command has the other options' "$(jq -r .ro_why m/.itemfs/config.json | grep -o 'itemfs .*')" "itemfs $S $W/m -o table=tab,pretty"
unmnt m
eq 'no message without a terminal' "$("$ITEMFS" "$S" m -o ro 2>&1)" ''
unmnt m
ln -s "$ITEMFS" mount.itemfs
eq 'nor from mount(8)' "$(said "exec '$W/mount.itemfs' '$S' '$W/m' -o ro")" ''
unmnt m
done_testing
