#!/bin/bash
# An owner that was killed and cannot end, because it waits for an answer in its own mount: itemfs and itemctl print the
# command that ends it, and the command works. Mounts of others are not in the command.
private=yes
. "$(dirname "$0")/lib.sh"
at_end 'umount -fl "$OLD" same_path m 2>/dev/null; clean_up' # these mounts do not answer

OLD="$W/the old" # a name that has to be quoted
export ITEMFS_TIMING=start=20,open=20,look=20 # it cannot end by itself
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

# owner WORD... - a store with an item, whose made-up owner has the mount $OLD; end it with kill_owner
owner()
{
	rm -rf "$S"
	store --key PK,SK
	ctl put tab "$line" >/dev/null
	mkdir -p "$OLD"
	[ -z "${of_user-}" ] || chown -R "$user" "$S"
	made_up dead owner "$S" "$OLD" "$@" ${of_user:+--uid "$user"}
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

# starts COMMAND... - fail if the command waits forever for the answer of a dead owner
starts()
{
	checks=$((checks + 1))
	timeout 300 "$@" >said 2>&1 || fail "$* gives $?: $(cat said)"
}

# told WHAT STATUS - check the status and the message of itemfs in "said"; the command is in $command then
told()
{
	eq "$1: itemfs prints the command" "$2 $(tail -n 1 said)" \
		"5 itemfs: $S: process $dead (python3), which has the store open, was killed and has not ended. $how"
	is_dying || fail "$1: the owner has ended by itself"
	command=${how#*type: }
	command=${command#Type: }
}

# helped WHAT - check that the owner has ended, and that a new mount serves
helped()
{
	wait_until 10 is_gone "$dead" || fail "$1: process $dead is still there"
	starts "$ITEMFS" "$S" "$OLD" -o table=tab
	eq "$1: the new mount serves" "$(cat "$OLD/p/a.json")" "$line"
	write "$OLD/p/b.json" '{}'
	eq "$1: and writes" "$(item tab p b)" '{"PK":"p","SK":"b"}'
	eq "$1: a mount of another user stays" "$(cat same_path.out)" stuck
	eq "$1: a mount of another store stays" "$(cat other/p/a.json)" "$line"
	leave 'the old'
	wait_until 10 other_alone || fail 'the daemon is still there'
}

other_alone()
{
	[ "$(our_pids | wc -l)" = 1 ]
}

starts_as_user()
{
	timeout 300 setpriv --reuid $user --regid $user --clear-groups "$ITEMFS" "$S" "$W/m" -o table=tab >said 2>&1
}

# ---- mounts that are not in the command: of another store, alive; of another user that names our store

S=$W/store2
store --key PK,SK
ctl put tab "$line" >/dev/null
mnt other -o table=tab
mkdir same_path m
S=$W/'a store, #1\x'
made_up same_path bystander "$S" "$W/same_path" --uid 7
how="As root, type: umount -fl '$OLD'"

# ---- an owner that is silent, or does not even run, is not dead

owner serves
for signal in CONT STOP; do
	kill -$signal "$dead"
	ITEMFS_TIMING=start=0,join=1000 "$ITEMFS" "$S" m -o table=tab >said 2>&1
	eq "SIG$signal: itemfs waits for it" "$? $(grep -o 'has not answered within 1 s' said)" '5 has not answered within 1 s'
done
kill -CONT "$dead"

# ---- killed: itemctl and itemfs print the command

kill_owner
eq 'itemctl prints the command' "$("$ITEMCTL" -s "$S" --quiet tables 2>&1 >tables.out; echo $?)" \
	"itemctl: $S: process $dead (python3), which has the store open, was killed and has not ended. $how
5"
timeout 300 "$ITEMFS" "$S" m -o table=tab >said 2>&1
told 'leader serves' $?
eval "$command"
helped 'leader serves'

# ---- the first thread waits; the new mount is on the old mount point

owner waits
kill_owner
timeout 300 "$ITEMFS" "$S" "$OLD" -o table=tab >said 2>&1
told 'on the same mount point' $?
eval "$command"
helped 'on the same mount point'

# ---- it is killed while another process waits for its answer

owner serves
timeout 300 "$ITEMFS" "$S" m -o table=tab >said 2>&1 &
joining=$!
has_mounted() { our_mounts fuse.itemfs | grep -q '/m$'; }
wait_until 10 has_mounted || fail 'no process joins'
kill_owner
wait $joining
told 'a process that waits for its answer' $?
eq 'its mount has gone' "$(our_mounts fuse.itemfs | grep -c '/m$')" 0
eval "$command"
helped 'a process that waits for its answer'

# ---- it is killed while it serves a process that waits for the end of its mount

owner serves --answer
timeout 300 "$ITEMFS" "$S" --no-mount -f >said 2>&1 &
guest=$!
wait_until 10 grep -q listening said || fail 'no guest'
kill_owner
wait $guest
told 'the served process' $?
eval "$command"
helped 'the served process'

# ---- another mount namespace, without the mount of the owner

owner serves
kill_owner
how='As root, type "umount -fl MOUNTPOINT" for each of its mounts; none is visible here'
timeout 300 unshare --mount sh -c 'umount -l "$1" && exec "$2" "$3" --no-mount' sh "$OLD" "$ITEMFS" "$S" >said 2>&1
told 'no mount is visible' $?
umount -fl "$OLD"
helped 'no mount is visible'

# ---- a user gets a command for users, if the kernel's files for it are visible

of_user=yes
owner serves
chown $user m
kill_owner
how="As root, type: umount -fl '$OLD'"
starts_as_user
told 'a user' $?
mount -t fusectl itemfs-test /sys/fs/fuse/connections
how="Type: echo 1 | tee /sys/fs/fuse/connections/$(awk '$5 ~ /\/the\\040old$/ { sub(/.*:/, "", $3); print $3 }' /proc/self/mountinfo)/abort"
starts_as_user
told 'a user with fusectl' $?
as $user sh -c "$command" >/dev/null
wait_until 10 is_gone "$dead" || fail "a user with fusectl: process $dead is still there"
ok umount "$OLD"
ok starts_as_user
eq 'the new mount of the user serves' "$(as $user cat m/p/a.json)" "$line"
leave m
wait_until 10 other_alone || fail 'the daemon is still there'
umount /sys/fs/fuse/connections

leave other
exec 4>&-
umount -fl same_path
done_testing
