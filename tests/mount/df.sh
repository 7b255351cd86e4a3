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

# used DIR - inodes in use
used()
{
	df --output=iused "$1" | tail -1 | tr -d ' '
}

# ---- items are files

eq 'items of all tables, of one; entries of an index' "$(used all) $(used t) $(used g)" '23 21 20'
for n in 1 2 3; do echo '{}' >t/p/new$n.json; done
ctl put other '{"PK":"z"}' >/dev/null
eq 'at once, by whatever door' "$(used all) $(used t)" '27 24'
rm t/p/new?.json
ctl delete other z >/dev/null
eq 'also fewer' "$(used all) $(used t)" '23 21'
"$ITEMCTL" -s "$S" --quiet create-table third --key PK
eq 'an empty table is no item' "$(used all)" 23
eq 'there is room for more' "$(($(df --output=iavail t | tail -1) > 1000))" 1
eq 'below a mount it is the same' "$(stat -f -c '%c %d' t/p t/p/1.json | uniq | wc -l)" 1

# ---- blocks are those of the disk

disk()
{
	stat -f -c '%S %s %b %f %a' "$1"
}
# same - while nobody writes, that is: the store does so on its own now and then
same()
{
	[ "$(disk all) $(disk g) $(disk t)" = "$(disk disk) $(disk disk) $(disk disk)" ]
}
wait_until 5 same || fail 'size and room of the disk'
head -c 8m /dev/zero >disk/ballast
wait_until 5 same || fail 'also when something else fills it'
checks=$((checks + 2))
rm disk/ballast
eq 'as df shows it' "$(df --output=source,size,used,avail,target "$W/t" | tail -1 | xargs)" \
	"$S $(df --output=size,used,avail disk | tail -1 | xargs) $W/t"
eq 'longest name, kind' "$(stat -f -c '%l %t' t)" '255 65735546'
long=$(printf 'n%.0s' $(seq 250))
ok touch "t/p/$long.json"
refused 'File name too long' touch "t/p/x$long.json"
eq 'an ordinary user sees it too' "$(as 65534 df --output=size all | tail -1)" "$(df --output=size disk | tail -1)"

unmnt all t g
umount disk
done_testing
