#!/bin/bash
# An owner that was killed and cannot end, because it waits for an answer in its own mount: the next itemfs on the
# store aborts its connections and goes on. Connections of others are left alone.
private=yes
. "$(dirname "$0")/lib.sh"
at_end 'umount -fl old stranger same_path 2>/dev/null; clean_up' # these mounts do not answer

export ITEMFS_TIMING=dead_grace=20,dead_end=240000,look=20 # it cannot end by itself
users
umount /sys/fs/fuse/connections 2>/dev/null
if [ ! -d /sys/fs/fuse/connections ]; then # not mounted yet
	mount -t tmpfs itemfs-test /sys
	mkdir -p /sys/fs/fuse/connections
fi
mkfifo held
exec 4<>held
line='{"PK":"p","SK":"a"}'
user=$(id -u daemon) # fusermount3 needs a user with a name

# made_up NAME WORD... - begin dead_owner.py WORD..., with its output in NAME.out; its process id is $NAME
made_up()
{
	local name=$1
	shift
	: >"$name.out"
	python3 "$HERE/dead_owner.py" "$@" <held >"$name.out" 2>"$name.err" 4>&- &
	declare -g "$name=$!"
	disown
	helpers="$helpers $!"
	wait_until 10 grep -q stuck "$name.out" || fail "$name is not ready: $(cat "$name.err")"
}

# owner WORD... - a store with an item, whose made-up owner has the mount "old"; end it with kill_owner
owner()
{
	rm -rf "$S"
	store --key PK,SK
	ctl put tab "$line" >/dev/null
	mkdir -p old
	[ -z "${as_user-}" ] || chown -R "$user" "$S"
	made_up dead owner "$S" "$W/old" "$@" ${as_user:+--uid "$user"}
}

is_dying()
{
	! grep -sL '^State:[[:space:]]*[ZX]' /proc/$dead/task/*/status | xargs -r grep -sL '^SigPnd:.*1..$' | grep -q .
}

kill_owner()
{
	kill -9 "$dead"
	wait_until 10 is_dying || fail 'it lives'
	[ -e "/proc/$dead/task" ] && ! is_gone "$dead" || fail 'it has ended by itself'
}

# helped - check that the new mount m serves, and that nothing is left of the owner but a mount without a connection
helped()
{
	eq "$1: the new mount serves" "$(cat m/p/a.json)" "$line"
	write m/p/b.json '{}'
	eq "$1: and writes" "$(item tab p b)" '{"PK":"p","SK":"b"}'
	eq "$1: one line reports it" "$(grep -c . said):$(grep -o 'process.*' said)" \
		"1:process $dead, which had $S, was killed and could not end: the connections of its mounts were aborted: '$W/old'"
	wait_until 10 is_gone "$dead" || fail "$1: process $dead is still there"
	eq "$1: processes of others stay" "$(cat stranger.out same_path.out)" $'stuck\nstuck'
	eq "$1: a mount of another store stays" "$(cat other/p/a.json)" "$line"
}

other_alone()
{
	[ "$(our_pids | wc -l)" = 1 ]
}

# ends DIR... - unmount all of our store, and wait until its daemon has ended
ends()
{
	leave "$@"
	wait_until 10 other_alone || fail 'the daemon is still there'
}

# starts COMMAND... - fail if the command waits forever for the answer of a dead owner
starts()
{
	checks=$((checks + 1))
	timeout 300 "$@" >said 2>&1 || fail "$* gives $?: $(cat said)"
}

# ---- others, who must be left alone: another store, alive; a mount of no store; a mount of another user that names
# our store

S=$W/store2
store --key PK,SK
ctl put tab "$line" >/dev/null
mnt other -o table=tab
mkdir stranger same_path m
S=$W/'a store, #1\x'
made_up stranger bystander "$W/nowhere" "$W/stranger"
made_up same_path bystander "$S" "$W/same_path" --uid 7

# ---- an owner that is silent, or does not even run, is left alone

owner serves
for signal in CONT STOP; do
	kill -$signal "$dead"
	ITEMFS_TIMING=dead_grace=0,join=1000 "$ITEMFS" "$S" m -o table=tab >said 2>&1
	eq "SIG$signal: itemfs waits for it" "$? $(grep -o 'has not answered within 1 s' said)" '5 has not answered within 1 s'
done
kill -CONT "$dead"
eq 'nothing was aborted' "$(cat dead.out)" stuck

# ---- killed: itemctl prints what to do, itemfs does it

kill_owner
eq 'itemctl prints what to do' "$("$ITEMCTL" -s "$S" --quiet tables 2>&1 >tables.out; echo $?)" \
	"itemctl: $S/db: in use by process $dead (python3), which was killed and has not ended: itemfs on the store ends it, or \"umount -fl MOUNTPOINT\" of each of its mounts
5"
starts "$ITEMFS" "$S" m -o table=tab
helped 'leader serves'
ok not_connected stat -f old
umount old
ends m

# ---- the first thread waits; the new mount is on the old mount point; fusectl is mounted where systemd mounts it

mount -t fusectl itemfs-test /sys/fs/fuse/connections
owner waits
kill_owner
starts "$ITEMFS" "$S" old -o table=tab
mv said told
eq 'on the same mount point' "$(cat old/p/a.json)" "$line"
eq 'and one line reports it' "$(grep -c aborted told)" 1
ends old
umount /sys/fs/fuse/connections

# ---- many at once

owner serves
kill_owner
starters=
for n in 1 2 3 4; do
	mkdir -p m$n
	timeout 300 "$ITEMFS" "$S" m$n -o table=tab 2>said$n &
	starters="$starters $!"
done
for pid in $starters; do
	wait "$pid" || fail "one of many: $? $(cat said?)"
done
eq 'all mounts serve' "$(cat m[1-4]/p/a.json | sort -u)" "$line"
umount old
ends m1 m2 m3 m4

# ---- it is killed while another process waits for its answer

owner serves
timeout 300 "$ITEMFS" "$S" m -o table=tab >said 2>&1 &
joining=$!
has_mounted() { our_mounts fuse.itemfs | grep -q '/m$'; }
wait_until 10 has_mounted || fail 'no process joins'
kill -9 "$dead" # the joining process may end it at once
wait $joining
eq 'the waiting process has ended it and is the owner now' "$? $(grep -c aborted said) $(cat m/p/a.json)" "0 1 $line"
eq 'there is one mount' "$(our_mounts fuse.itemfs | grep -c '/m$')" 1
umount old
ends m

# ---- it is killed while it serves a process that waits for the end of its mount

owner serves --answer
timeout 300 "$ITEMFS" "$S" --no-mount -f >said 2>&1 &
guest=$!
wait_until 10 grep -q listening said || fail 'no guest'
kill -9 "$dead"
wait $guest
eq 'the served process ends' "$? $(grep -c aborted said)" '0 1'
wait_until 10 is_gone "$dead" || fail 'it is still there'
umount old

# ---- a user who may not abort gets the command that root has to type

as_user=yes
owner serves
chown $user m
kill_owner
timeout 300 setpriv --reuid $user --regid $user --clear-groups "$ITEMFS" "$S" "$W/m" -o table=tab >said 2>&1
eq 'the command for root' "$? $(cat said)" \
	"5 itemfs: $S: process $dead, which has it, was killed and cannot end before its mounts do. As root, type: umount -fl '$W/old'"
mount -t fusectl itemfs-test /sys/fs/fuse/connections
starts setpriv --reuid $user --regid $user --clear-groups "$ITEMFS" "$S" "$W/m" -o table=tab
eq 'where the kernel permits it, the user aborts the connection' "$(as $user cat m/p/a.json)" "$line"
umount old
ends m
umount /sys/fs/fuse/connections
as_user=

# ---- no fusectl, as in a container: itemfs unmounts what it may

if can_trace; then
	owner serves
	kill_owner
	starts strace -qqq -o trace -e trace=fsopen -e inject=fsopen:error=EPERM "$ITEMFS" "$S" m -o table=tab
	helped 'no fusectl'
	[ -z "$(our_mounts | grep '/old$')" ] || fail 'it is still mounted'
	ends m
fi

leave other
exec 4>&-
umount -fl stranger same_path
done_testing
