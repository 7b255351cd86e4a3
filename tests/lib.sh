# lib.sh - sourced by lib.sh of tests/tools and of tests/mount: clean start, assertions, waiting, made-up endpoints
#
# The script restarts itself with default signals, umask 022 and only these variables: the search path of programs, options of
# the sanitizers and the allocator, and the options of single tests in tests/README.md.  So no result depends on the caller.
if [ -z "${ITEMFS_CLEAN-}" ]; then
	kept=(ITEMFS_CLEAN=yes LC_ALL=C.UTF-8 TZ=UTC HOME=/dev/null/home)
	for name in PATH TMPDIR {A,L,T,UB}SAN_OPTIONS MALLOC_PERTURB_ KEEP ITEMCTL GENERATE HARM ORACLE SERVED CHANGE NAMED \
		ITEMFS_{ALTERED,BUILD,FULL,ROUNDS,SEED,WRITE,RELATIONAL,COMPLETION_SECONDS} "${!ITEMFS_TYPED_@}" "${!ITEMFS_DIRS_@}" \
		"${!ITEMFS_FSX_@}"; do
		[ ! -v "$name" ] || kept+=("$name=${!name}")
	done
	umask 022
	exec env -i --default-signal "${kept[@]}" bash "$0" "$@"
fi
TESTS=$(readlink -f "${BASH_SOURCE[0]%/*}")
export PYTHONDONTWRITEBYTECODE=1 # leave no files in the tree
# No test uses the AWS account of the caller, or a network other than loopback.
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true
checks=0
failures=0
skipped= # reasons why parts of the script were skipped

# within SECONDS COMMAND... - repeat the command until it succeeds; false after that time.  For events that should not occur
within()
{
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.01
	done
}

# is_gone PID - test if all that it held is released. A killed process loses its name first, its files and locks last.
is_gone()
{
	[ ! -e "/proc/$1" ] ||
		{ grep -q '^State:[[:space:]]*Z' "/proc/$1/status" && [ "$(ls "/proc/$1/task")" = "$1" ]; } 2>/dev/null
}

# wait_until SECONDS COMMAND... - like within, but with twelve times as long for a busy machine.  For events that should occur
wait_until()
{
	within $((12 * $1)) "${@:2}"
}

# at_end COMMAND - run it when this shell exits, also after a signal, with the exit status in $status.  A further signal does
# not interrupt it.  It does not run in a subshell: one that is killed at its very start still has the traps of this shell.
at_end()
{
	trap "status=\$?; [ \$BASHPID != \$\$ ] || { trap '' INT TERM HUP; $1; }" EXIT
	trap 'exit 1' INT TERM HUP
}

# our_programs PROGRAM... - the processes of these programs whose command line or environment names our folder
our_programs()
{
	local dir program
	for dir in /proc/[0-9]*; do
		for program; do
			[ "$dir/exe" -ef "$program" ] || continue
			{ cat "$dir/cmdline" "$dir/environ" | tr '\0' '\n' | grep -qF "$W/"; } 2>/dev/null && echo "${dir#/proc/}"
			break
		done
	done
}

# status_of PID NAME - a field of the status of a process; nothing after its end
status_of()
{
	sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status" 2>/dev/null
}

# command_of PID - the words of its command line, each with a space after it; nothing after its end
command_of()
{
	tr '\0' ' ' <"/proc/$1/cmdline"
} 2>/dev/null

# release PID - continue the program if it is stopped.  If strace traces it, kill strace, which may delay a call for long, and
# return false: a signal that strace has not yet delivered would be lost.  A program that is not stopped gets no SIGCONT, which
# would discard the SIGSTOP that LeakSanitizer waits for.
release()
{
	[[ $(status_of "$1" State) != T* ]] || kill -CONT "$1"
	set -- "$(status_of "$1" TracerPid)"
	[ "$(cat "/proc/$1/comm")" != strace ] || ! kill -KILL "$1"
} 2>/dev/null

# ends_itself PID PIDS - does the program end without a signal of ours? Its parent, one of PIDS, passes the signal on. A mount
# ends when it is unmounted.
ends_itself()
{
	[[ " $2 " != *" $(status_of "$1" PPid) "* ]] || return 0
	[[ $(readlink "/proc/$1/exe") = */itemfs && " $(command_of "$1")" != *' --no-mount '* ]]
}

# programs_end - test if our programs ($programs) have ended; signal those that have not been signalled.  Each gets one
# SIGTERM: at the end of itemfs, a second one would kill it before the report of LeakSanitizer.
programs_end()
{
	local pid pids
	pids=$(our_programs "${programs[@]}" | tr '\n' ' ')
	for pid in $pids; do
		if release "$pid" && [[ " $signalled " != *" $pid "* ]] && ! ends_itself "$pid" "$pids"; then
			signalled+=" $pid"
			kill "$pid" 2>/dev/null
		fi
	done
	[ -z "$pids" ]
}
signalled=

# end_programs - end the programs that are left, such as servers, also stopped ones, and wait until they have ended; false if
# one does not end by itself
end_programs()
{
	wait_until 10 programs_end || {
		echo 'FAILED: a program did not end by itself'
		our_programs "${programs[@]}" | xargs -r kill -9
		wait_until 1 programs_end
		return 1
	}
}

# leave_others - in a new mount namespace, unmount the copies of other tests' mounts, which would keep their daemons alive
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

# private COMMAND... - run it in its own mount namespace, without the mounts of other tests; 77 where that is not allowed
private()
{
	local how=private into=exec functions
	functions=$(declare -f leave_others)
	if ! unshare --mount --propagation private true 2>/dev/null; then
		# After chroot into a folder that is not a mount point: bind it to /mnt. The propagation cannot be changed, so first check
		# that our mounts are not visible to others.
		how=unchanged into='mount --rbind / /mnt && exec chroot /mnt env -C "$PWD"'
		unshare --mount --propagation unchanged sh -c 'mount -t tmpfs "$1" /mnt && ! { grep "^$1 " "/proc/$2/mounts" && umount /mnt; }' \
			sh "itemfs-seen-$BASHPID" $$ >/dev/null 2>&1 || {
			echo 'skipped: needs root, for mounts that nobody else sees'
			return 77
		}
	fi
	W=${W-none} ${become-} unshare --mount --propagation $how bash -c "$functions; leave_others; $into \"\$@\"" bash "$@"
}

# own_mounts ARGUMENT... - run this script in its own mount namespace from here on where that is allowed; with private=yes,
# skip it elsewhere. If another process copied our mounts into a namespace of its own, our daemons would not end with them.
own_mounts()
{
	[ -z "${ITEMFS_IN_PRIVATE-}" ] || return 0
	[ -n "${private-}" ] || unshare --mount --propagation private true 2>/dev/null || return 0
	local become=exec # not exported: for private, not for the script's own calls of it
	ITEMFS_IN_PRIVATE=yes private bash "$0" "$@"
	exit
}

# is_asleep PID - is the process sleeping?
is_asleep()
{
	grep -q '^State:[[:space:]]*S' "/proc/$1/status"
}

all_halted()
{
	! cat "/proc/$1/task"/*/status | grep '^State:' | grep -qv stopped
}

# halt PID - stop the process and wait until all its threads have stopped, which on a busy machine takes some time
halt()
{
	kill -STOP "$1"
	wait_until 10 all_halted "$1" || fail "$1 does not stop"
}

# here PROGRAM - is the program installed? If not, note that a part of the test is skipped; the test then counts as skipped.
here()
{
	command -v "$1" >/dev/null || without "there is no $1"
}

# can_trace - can strace trace other processes?
can_trace()
{
	here strace && { strace -f -e trace=none true 2>/dev/null || without 'nothing can be traced'; }
}

# without REASON - note that a part is skipped
without()
{
	[[ $skipped = *"$1;"* ]] || echo "skipped in part: $1"
	skipped+="$1;"
	false
}

# address LOG - print the address that a server reports in its log
# Each server needs a log of its own: a line of an earlier server would be taken for the current one's.
address()
{
	wait_until 10 grep -qs '^listening on ' "$1"
	sed -n 's/^listening on //p' "$1"
}

# begin_made_up NAME WORD... - start tests/tools/NAME.py, an endpoint that runs until end_made_up; sets $made_up to its address
begin_made_up()
{
	rm -f "$1.log" # of an earlier endpoint, with another address
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

# gone PATH... - fail if one of the paths exists
gone()
{
	local path
	for path; do
		checks=$((checks + 1))
		! stat "$path" >/dev/null 2>&1 || fail "$path is there"
	done
}

# complained FILE... - is there a message in one of the files that fails a test?  The files go through cat because grep returns 2 if one
# is missing, even after a match.
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
