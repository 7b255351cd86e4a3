#!/bin/bash
# A store on a disk that is full or read-only is read all the same (store/DESIGN.md, "Room on the disk").
private=yes # with a /dev/shm of its own: other processes have shadows, too, and remove those that nobody uses
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

# A process that is killed leaves a log.
mnt m -o table=tab
mkdir m/p
for n in 1 2 3; do
	ok cp text "m/p/$n.json"
done
owner=$(our_pids)
kill -KILL "$owner"
wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
umount m

# shadows - directories that were made to read a store
shadows()
{
	find /dev/shm "$W" -maxdepth 1 -name 'itemfs-shadow-*' | wc -l
}

# state - all of the database, byte by byte
state()
{
	(cd "$S/db" && sha256sum CURRENT MANIFEST-* ./*.log ./*.ldb 2>/dev/null)
}

# mount_reads WHY - a mount shows the items and takes no change
mount_reads()
{
	mnt m -o table=tab,ro
	eq 'mounted' "$(ls m/p | wc -l) $(jq -r .SK m/p/2.json)" '3 2'
	refused 'Read-only file system' cp text m/p/4.json
	unmnt m
	wait_until 10 nobody_left || fail 'the daemon is still there'
}

# reads NAME WHY - every command that reads works, one that writes says WHY
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
	eq 'the database is as it was' "$(state)" "$before"
	eq 'nothing is left in memory' "$(shadows)" 0
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
eq 'its logs are in memory' "$(shadows)" 1
owner=$(our_pids)
kill -KILL "$owner"
wait_until 10 is_gone "$owner" || fail 'the daemon is still there'
umount m
eq 'a process that is killed leaves them there' "$(shadows)" 1
eq 'and the next one reads' "$(ctl scan tab --count)" 3
eq 'and removes them' "$(shadows)" 0
mount -o remount,rw small
ok ctl put tab '{"PK":"q","SK":"1"}'
eq 'written again' "$(ctl scan tab --count)" 4
ok ctl check
umount small
done_testing
