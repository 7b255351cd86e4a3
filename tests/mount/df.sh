#!/bin/bash
# df, df -i, stat -f: the disk below the store, and items as files (NAMESPACE 2).
private=yes
. "$(dirname "$0")/lib.sh"

users
mkdir disk
mount -t tmpfs -o size=32m,mode=755 itemfs-test disk
S=$W/disk/store
store --key PK,SK --gsi gsi=G
"$ITEMCTL" -s "$S" --quiet create-table other --key PK
seq 20 | jq -c '{PK:"p",SK:(.|tostring),G:"g"}' | ctl import tab /dev/stdin >/dev/null
ctl put tab '{"PK":"p","SK":"sparse"}' >/dev/null
ctl put other '{"PK":"x"}' '{"PK":"y"}' >/dev/null
mnt all -o allow_other
mnt t -o table=tab
mnt g -o table=tab,index=gsi

# used DIR - number of inodes in use
used()
{
	df --output=iused "$1" | tail -1 | tr -d ' '
}

# ---- items are files

eq 'items of all tables, items of one, entries of an index' "$(used all) $(used t) $(used g)" '23 21 20'
for n in 1 2 3; do echo '{}' >t/p/new$n.json; done
ctl put other '{"PK":"z"}' >/dev/null
eq 'puts through all front ends count at once' "$(used all) $(used t)" '27 24'
rm t/p/new?.json
ctl delete other z >/dev/null
eq 'deletes count at once' "$(used all) $(used t)" '23 21'
"$ITEMCTL" -s "$S" --quiet create-table third --key PK
eq 'an empty table does not count' "$(used all)" 23
eq 'free inodes are reported' "$(($(df --output=iavail t | tail -1) > 1000))" 1
eq 'it is the same for each path of a mount' "$(stat -f -c '%c %d' t/p t/p/1.json | uniq | wc -l)" 1

# ---- blocks are those of the disk

disk()
{
	stat -f -c '%S %s %b %f %a' "$1"
}
# same - only while nothing writes: the store sometimes writes on its own
same()
{
	[ "$(disk all) $(disk g) $(disk t)" = "$(disk disk) $(disk disk) $(disk disk)" ]
}
wait_until 5 same || fail 'size and free space are not those of the disk'
head -c 8m /dev/zero >disk/ballast
wait_until 5 same || fail 'they are not, after something else filled the disk'
checks=$((checks + 2))
rm disk/ballast
eq 'the line of df' "$(df --output=source,size,used,avail,target "$W/t" | tail -1 | xargs)" \
	"$S $(df --output=size,used,avail disk | tail -1 | xargs) $W/t"
eq 'maximum length of a name, file system type' "$(stat -f -c '%l %t' t)" '255 65735546'
long=$(printf 'n%.0s' $(seq 250))
ok touch "t/p/$long.json"
refused 'File name too long' touch "t/p/x$long.json"
eq 'an ordinary user sees the same' "$(as 65534 df --output=size all | tail -1)" "$(df --output=size disk | tail -1)"

unmnt all t g
umount disk
done_testing
