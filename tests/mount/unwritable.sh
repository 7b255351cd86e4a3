#!/bin/bash
# A store on a disk that is full or read-only can still be read (store/DESIGN.md, "Space on the disk").
private=yes # with its own /dev/shm: other processes also have shadows, and remove unused ones
. "$(dirname "$0")/lib.sh"

small=$W/small
mkdir small
if ! mount -t tmpfs -o size=8m,mode=700 itemfs-test small 2>/dev/null || ! mount -t tmpfs -o mode=1777 itemfs-test /dev/shm; then
	echo "skipped: no file system can be mounted here"
	exit 77
fi
export TMPDIR=$W
S=$small/store
printf '{"v":"%s"}' "$(head -c 75000 /dev/urandom | base64 -w 0)" >text
"$ITEMCTL" -s "$S" create-table tab --key PK,SK >/dev/null

# A killed process leaves a log.
mnt m -o table=tab
mkdir m/p
for n in 1 2 3; do
	ok cp text "m/p/$n.json"
done
owner=$(our_pids)
kill -KILL "$owner"
wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
umount m

# shadows - number of directories that were made to read a store
shadows()
{
	find /dev/shm "$W" -maxdepth 1 -name 'itemfs-shadow-*' | wc -l
}

# state - print all of the database, byte by byte
state()
{
	(cd "$S/db" && sha256sum CURRENT MANIFEST-* ./*.log ./*.ldb 2>/dev/null)
}

# mount_reads WHY - check that a mount shows the items and refuses changes
mount_reads()
{
	mnt m -o table=tab,ro
	eq 'the mount shows the items' "$(ls m/p | wc -l) $(jq -r .SK m/p/2.json)" '3 2'
	refused 'Read-only file system' cp text m/p/4.json
	unmnt m
	wait_until 10 nobody_left || fail 'the daemon is still there'
}

# reads NAME WHY - check that each command that reads works, and that one that writes prints WHY
reads()
{
	local before
	before=$(state)
	eq 'get' "$(ctl get tab p 2 | jq -r .SK)" 2
	eq 'query' "$(ctl query tab p --count)" 3
	eq 'scan' "$(ctl scan tab --count)" 3
	eq 'tables' "$(ctl tables | jq -r .TableName)" tab
	eq 'export' "$(ctl -q export tab | wc -l)" 3
	ok ctl describe tab
	ok ctl stats
	ok ctl check
	ok ctl backup "$W/backup-$1"
	refused 'The store is read-only: ' ctl put tab '{"PK":"p","SK":"x"}'
	refused "$2" ctl put tab '{"PK":"p","SK":"x"}'
	refused 'start them again' ctl put tab '{"PK":"p","SK":"x"}'
	refused 'The store is read-only: ' ctl -q delete tab p 1
	refused 'The store is read-only: ' ctl compact
	mount_reads "$2"
	eq 'the database is unchanged' "$(state)" "$before"
	eq 'no shadow is left in memory' "$(shadows)" 0
}

# ---- full

cat /dev/zero >small/zero 2>/dev/null
reads full 'MB must be free on the disk of'
rm small/zero
ok ctl put tab '{"PK":"q","SK":"1"}'
ok ctl delete tab q 1

# ---- read-only

mnt m -o table=tab
ok cp text m/p/2.json
owner=$(our_pids)
kill -KILL "$owner"
wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
umount m
mount -o remount,ro small
reads ro 'the disk of its database is read-only'
mnt m -o table=tab,ro
eq 'the log is in memory' "$(shadows)" 1
owner=$(our_pids)
kill -KILL "$owner"
wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
umount m
eq 'a killed process leaves it there' "$(shadows)" 1
eq 'the next process can read' "$(ctl scan tab --count)" 3
eq 'and removes what the killed one left' "$(shadows)" 0
mount -o remount,rw small
ok ctl put tab '{"PK":"q","SK":"1"}'
eq 'writes work when the disk is writable again' "$(ctl scan tab --count)" 4
ok ctl check
umount small
done_testing
