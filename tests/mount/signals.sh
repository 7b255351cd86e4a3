#!/bin/bash
# Signals, a busy mount point, a killed daemon (NAMESPACE 1).
. "$(dirname "$0")/lib.sh"

store --key PK,SK

# open_writer TEXT NAME - begin a process that has written TEXT to a file and keeps it open; its process id is $writer
open_writer()
{
	rm -f wrote
	perl -e 'open F, ">", $ARGV[1] or die; syswrite F, $ARGV[0]; open G, ">wrote"; close G; sleep 300' "$1" "$2" &
	writer=$!
	wait_until 5 test -e wrote || fail 'no writer'
}

for signal in TERM INT; do
	mnt m -o table=tab
	mnt n -o table=tab,ro
	mkdir -p m/p
	open_writer '{"v":"'$signal'"}' m/p/$signal.json
	kill -$signal "$(our_pids)"
	wait_until 10 nobody_left || fail 'the daemon stays'
	eq "$signal: everything is unmounted" "$(our_mounts)" ''
	kill $writer 2>/dev/null
	wait $writer 2>/dev/null
	eq "$signal: a valid text is committed" "$(item tab p $signal | jq -r .v)" $signal
	gone "$S/mount" "$S/socket"
done

# ---- an invalid text is kept

mnt m -o table=tab
mkdir -p m/p
open_writer '{"v":"half' m/p/half.json
kill "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon stays'
kill $writer 2>/dev/null
wait $writer 2>/dev/null
eq 'half a text is not an item' "$(item tab p half)" ''
eq 'it is kept' "$(cat "$S"/rejected/*half.json)" '{"v":"half'

# ---- a process is in the mount

mnt m -o table=tab
(cd m/p && exec sleep 300) &
sleeper=$!
wait_until 5 eval '[ "$(readlink /proc/$sleeper/cwd)" = "$W/m/p" ]' || fail 'no sleeper'
refused 'busy' umount m
eq 'a busy mount is not unmounted' "$(ls m)" p
kill "$(our_pids)"
wait_until 10 nobody_left || fail 'a busy mount keeps the daemon'
eq 'SIGTERM ends a busy mount' "$(our_mounts)" ''
kill $sleeper
wait $sleeper 2>/dev/null
ok ctl scan tab --count

# ---- work goes on in all mounts when the signal comes

for round in $(seq $(rounds 1)); do
	mnt m -o table=tab
	mnt n -o table=tab
	rm -f stop
	for d in m n; do
		( cd $d 2>/dev/null; while [ ! -e "$W/stop" ]; do echo "{}" >p/w$d.json; mv p/w$d.json p/x$d.json; rm p/x$d.json; ls -l p; done ) >/dev/null 2>&1 &
	done
	( while [ ! -e stop ]; do ctl put tab '{"PK":"p","SK":"xm"}' '{"PK":"p","SK":"wn"}'; done ) >/dev/null 2>&1 &
	wait_until 5 test -e m/p/wn.json
	kill "$(our_pids)"
	wait_until 10 nobody_left || fail "round $round: the daemon stays"
	touch stop
	wait
	eq "round $round: unmounted" "$(our_mounts)" ""
	ok ctl check
done

# ---- a lazy unmount: the daemon serves its last user

mnt m -o table=tab
exec 4>m/p/lazy.json
umount -l m
printf '{"v":1}' >&4
eq 'the daemon is still there' "$(our_pids | wc -l)" 1
exec 4>&-
wait_until 10 nobody_left || fail 'the daemon stays'
eq 'what the last process wrote is stored' "$(item tab p lazy | jq .v)" 1

# ---- SIGHUP: a new log

mnt m -o table=tab
mv "$S/log" "$S/log.old"
kill -HUP "$(our_pids)"
wait_until 5 test -e "$S/log" || fail 'no new log'
mnt n -o table=tab
wait_until 5 grep -q "$W/n joins" "$S/log" || fail 'the new log is not written'
unmnt m n

# ---- killed: the next start cleans up the mount point

mnt m -o table=tab
echo '{"v":"durable"}' >m/p/killed.json
sync m/p/killed.json
kill_daemons
wait_until 5 not_connected ls m || fail 'm is not stale'
mnt m -o table=tab
eq 'a dead mount point is replaced' "$(jq -r .v m/p/killed.json) $(our_mounts | wc -l)" 'durable 1'
mkdir f
"$ITEMFS" "$S" "$W/f" -f -o table=tab 2>f.err &
joiner=$!
wait_until 5 hears_signals $joiner || fail 'it does not join'
kill -9 $(our_pids | grep -vx $joiner)
wait $joiner
eq 'a joined program cleans up after its owner is killed' "$? $(our_mounts)" "70 $W/m"
eq 'and prints why it ends' "$(cat f.err)" "itemfs: the process that served $W/f has ended"
umount -l m

# ---- what others have mounted on the same path meanwhile is not unmounted

if [ "$(id -u)" -eq 0 ]; then
	mnt m -o table=tab
	mnt n -o table=tab
	exec 4>m/p/held.json
	umount -l m
	mount -t tmpfs itemfs-test m
	kill "$(our_pids)"
	wait_until 10 nobody_left || fail 'the daemon stays'
	exec 4>&-
	eq 'another file system at the same place stays mounted' "$(our_mounts) $(stat -f -c %T m)" "$W/m tmpfs"
	umount m
fi

# ---- a second signal during a backup: the process ends, and nothing that was written is lost

"$ITEMFS" "$S" "$W/m" -f -o table=tab 2>m.err &
daemon=$!
wait_until 5 test -d m/p || fail 'no mount'
seq 20000 | jq -c '{PK:"big",SK:(.|tostring),v:("x"*500)}' | ctl import tab /dev/stdin >/dev/null
echo '{"v":1}' >m/p/second.json
ctl call CreateBackup '{"TableName":"tab","BackupName":"end"}' >/dev/null || fail 'no backup'
kill $daemon
wait_until 10 eval '[ -z "$(our_mounts)" ]' || fail 'it is not unmounted'
kill $daemon 2>/dev/null
wait $daemon
eq 'it ends with status 0 or by the signal' "$(($? % 143))" 0
eq 'all items are stored' "$(item tab p second | jq .v) $(ctl scan tab --count)" "1 $(($(ctl query tab p --count) + 20000))"
ok ctl check

# ---- a slow end: other mounts join, leave and answer meanwhile

if can_trace; then
	: >"$S/log"
	mnt m -o table=tab
	mnt n -o table=tab,ro
	daemon=$(our_pids)
	traces trace -e trace=recvmsg,fsync,fdatasync -e inject=fsync,fdatasync:delay_enter=600s
	echo '{"v":1}' >m/p/late.json
	leave m
	wait_until 10 grep -q sync trace || fail 'the end does not sync'
	mkdir o
	ok "$ITEMFS" "$S" "$W/o" -o table=tab,ro
	eq 'a mount that joined meanwhile answers' "$(jq .v o/p/late.json)" 1
	leave n
	wait_until 10 grep -q "$W/n is unmounted" "$S/log" || fail 'a mount that leaves meanwhile waits'
	eq 'the slow end goes on' "$(grep -c "$W/m is unmounted" "$S/log") $(our_pids)" "0 $daemon"
	("$ITEMFS" "$S" "$W/m" -o table=tab,ro; ls m/p >seen) &
	again=$!
	wait_until 10 eval '[ "$(grep -c "recvmsg.*SCM_RIGHTS" trace)" -eq 2 ]' || fail 'the new mount does not ask'
	untrace
	wait $again
	eq 'a new mount at its place has waited for the end' "$(grep -oE "$W/m (is unmounted|joins)" "$S/log")" "$W/m is unmounted"$'\n'"$W/m joins"
	eq 'and shows what was written' "$(grep -c late.json seen)" 1
	unmnt o m
	eq 'the item is stored' "$(item tab p late | jq .v)" 1
	ctl delete tab p late >/dev/null
fi

# ---- the last mount has ended, and a backup takes long: the first signal ends the process

if can_trace; then
	"$ITEMFS" "$S" "$W/m" -f -o table=tab 2>m.err &
	daemon=$!
	wait_until 5 test -d m/p || fail 'no mount'
	# A durable commit syncs the database's directory when names in it have changed. So no compaction may run later,
	# and the last change must be older than a tick of the clock.
	ctl compact >/dev/null || fail 'no compaction'
	wait_until 5 eval '[ $(($(date +%s%N) - $(date -r "$S/db" +%s%N))) -gt 50000000 ]' || fail 'names still change'
	echo '{"v":1}' >m/p/second-last.json
	sync m/p/second-last.json
	traces trace -e trace=fsync -e inject=fsync:delay_enter=600s
	echo '{"v":1}' >m/p/third.json
	ctl call CreateBackup '{"TableName":"tab","BackupName":"slow"}' >/dev/null 2>&1 &
	asker=$!
	wait_until 10 grep -q fsync trace || fail 'the backup does not sync'
	leave m
	wait_until 10 eval '! grep -q "^SigBlk:.*[4567cdef]...$" /proc/$daemon/status' || fail 'signals are still blocked'
	kill $daemon
	wait_until 10 nobody_left || fail 'the daemon stays'
	untrace
	wait $asker
	wait $daemon
	eq 'it ends by the signal' $? 143
	eq 'what was written is stored' "$(item tab p third | jq .v)" 1
	ok ctl check
fi

done_testing
