# lib.sh - read first by the lib.sh of tests/tools and tests/mount: a clean start, assertions, waiting, made-up endpoints
#
# The script starts again with default signals, umask 022 and no other variables than these: where programs are found, what the
# sanitizers and the allocator do, and what tests/README.md says of single tests.  So nothing depends on who runs it.
if [ -z "${ITEMFS_CLEAN-}" ]; then
	kept=(ITEMFS_CLEAN=yes LC_ALL=C.UTF-8 TZ=UTC HOME=/nonexistent)
	for name in PATH TMPDIR {A,L,T,UB}SAN_OPTIONS MALLOC_PERTURB_ KEEP ITEMCTL GENERATE HARM ORACLE SERVED CHANGE NAMED \
		ITEMFS_{ALTERED,BUILD,FULL,ROUNDS,SEED,WRITE,RELATIONAL,COMPLETION_SECONDS} "${!ITEMFS_TYPED_@}" "${!ITEMFS_DIRS_@}" \
		"${!ITEMFS_FSX_@}"; do
		[ ! -v "$name" ] || kept+=("$name=${!name}")
	done
	umask 022
	exec env -i --default-signal "${kept[@]}" bash "$0" "$@"
fi
TESTS=$(readlink -f "${BASH_SOURCE[0]%/*}")
export PYTHONDONTWRITEBYTECODE=1 # nothing is left in the tree
# No test sees the account of who runs it, or a network beyond loopback.
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true
checks=0
failures=0
skipped= # why parts of it were

# within SECONDS COMMAND... - poll; false when the time is over: for what should not come
within()
{
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.01
	done
}

# wait_until SECONDS COMMAND... - for what should come: on a machine that is busy twelve times as long
wait_until()
{
	within $((12 * $1)) "${@:2}"
}

# at_end COMMAND - run it when this shell ends, by a signal, too; it finds the exit status in $status.  In a subshell it does not run:
# one that is killed at its very start still has our traps.
at_end()
{
	trap "status=\$?; [ \$BASHPID != \$\$ ] || { $1; }" EXIT
	trap 'exit 1' INT TERM HUP
}

# leave_others - in a mount namespace of our own: our copies of other tests' mounts would keep their daemons alive
leave_others()
{
	local point type
	while read -r _ point type _; do
		case $type:$point in
		fuse.itemfs:"${W-none}"/*) ;;
		fuse.itemfs:*) umount --lazy --no-canonicalize --internal-only "$(printf '%b' "$point")" ;;
		esac
	done < <(cat /proc/self/mounts)
}

# private COMMAND... - in a mount namespace of its own, without other tests' mounts; 77 where that is not allowed
private()
{
	local how=private into=exec functions
	functions=$(declare -f leave_others)
	if ! unshare --mount --propagation private true 2>/dev/null; then
		# After chroot to a folder that is no mount: a copy of it is one. Its propagation cannot be changed, so first see that nobody sees our mounts.
		how=unchanged into='mount --rbind / /mnt && exec chroot /mnt env -C "$PWD"'
		unshare --mount --propagation unchanged sh -c 'mount -t tmpfs "$1" /mnt && ! { grep "^$1 " "/proc/$2/mounts" && umount /mnt; }' \
			sh "itemfs-seen-$BASHPID" $$ >/dev/null 2>&1 || {
			echo 'skipped: needs root, for mounts that nobody else sees'
			return 77
		}
	fi
	W=${W-none} unshare --mount --propagation $how bash -c "$functions; leave_others; $into \"\$@\"" bash "$@"
}

# is_asleep PID - does it wait for something?
is_asleep()
{
	grep -q '^State:[[:space:]]*S' "/proc/$1/status"
}

all_halted()
{
	! cat "/proc/$1/task"/*/status | grep '^State:' | grep -qv stopped
}

# halt PID - stop it, and wait until it stands still: on a busy machine its threads go on until one of them has had its turn
halt()
{
	kill -STOP "$1"
	wait_until 10 all_halted "$1" || fail "$1 does not stop"
}

# here PROGRAM - is it? Without it a part of the test is skipped, which is said; the test then counts as skipped.
here()
{
	command -v "$1" >/dev/null || without "there is no $1"
}

# can_trace - may we have a look at the system calls of others?
can_trace()
{
	here strace && { strace -f -e trace=none true 2>/dev/null || without 'nothing can be traced'; }
}

# without REASON - a part is skipped
without()
{
	[[ $skipped = *"$1;"* ]] || echo "skipped in part: $1"
	skipped+="$1;"
	false
}

# address LOG - the one that a server says it listens on
# A file has one server: the line of an earlier one would be taken for the next one's.
address()
{
	wait_until 10 grep -qs '^listening on ' "$1"
	sed -n 's/^listening on //p' "$1"
}

# begin_made_up NAME WORD... - tests/tools/NAME.py, an endpoint that answers until end_made_up: its address is $made_up
begin_made_up()
{
	rm -f "$1.log" # of one before, with another address
	mkfifo held
	python3 "$TESTS/tools/$1.py" "${@:2}" <held >"$1.log" &
	made_up_pid=$!
	exec {made_up_input}>held
	rm held
	made_up=$(address "$1.log")
}

end_made_up()
{
	exec {made_up_input}>&-
	wait "$made_up_pid"
}

fail()
{
	failures=$((failures + 1))
	printf 'FAILED, line %s: %s\n' "${BASH_LINENO[1]}" "$*"
}

# eq SENTENCE ACTUAL EXPECTED
eq()
{
	checks=$((checks + 1))
	[ "$2" = "$3" ] || fail "$1"$'\n'"  is:       ${2:0:2000}"$'\n'"  expected: ${3:0:2000}"
}

# gone PATH... - no such name
gone()
{
	local path
	for path; do
		checks=$((checks + 1))
		! stat "$path" >/dev/null 2>&1 || fail "$path is there"
	done
}

# complained FILE... - has a program said in one of them what fails a test?  Through cat: grep's status is "trouble" when one is missing,
# whatever it has found.
complained()
{
	cat "$@" 2>/dev/null | grep -n -E 'Sanitizer|runtime error|[Aa]ssert|core dumped' && echo 'FAILED: a program complained'
}

done_testing()
{
	echo "$checks checks, $failures failed"
	[ "$checks" -gt 0 ] && [ "$failures" -eq 0 ] || exit 1
	[ -z "$skipped" ] || exit 77
	exit 0
}
