# lib.sh - fixture of the scripts in tests/tools: a private folder, the program, assertions
#
#   . "$(dirname "$0")/lib.sh"
#   begin                               create the store $S; with SERVED=1 a server owns it from here on
#   eq "what it shows" ACTUAL EXPECTED
#   ok COMMAND...                       check for exit status 0; its output is in $out, its messages in $err
#   gives STATUS TEXT COMMAND...        check for that exit status, and TEXT in its messages
#   fresh [KEY [OPTION...]]             create an empty table tab
#   if can_trace                        strace exists and works: traced OPTION... COMMAND...
#   hold PATH CALL COMMAND...           run it in the background, as $held, with its messages in held.err; strace stops it at
#                                       its first call of CALL on PATH ('' is any), until let_go
#   interruptible COMMAND... &          in the background, but Ctrl-C ends it
#   done_testing
#
# Scripts run in their folder $W; ctl is itemctl on $S, itemctl_of STORE on another store.
set -u
. "${BASH_SOURCE[0]%/*}/../lib.sh"
# own_network=yes set before this file: run with ports that no other process can use; skipped without the permission
if [ -n "${own_network-}" ] && [ -z "${ITEMFS_OWN_NETWORK-}" ]; then
	for how in --net '--map-root-user --net'; do
		! unshare $how true 2>/dev/null || ITEMFS_OWN_NETWORK=yes exec unshare $how bash "$0" "$@"
	done
	echo 'skipped: needs a network of its own, for ports that nobody else has'
	exit 77
fi
shopt -s lastpipe # so that "... | ok COMMAND" counts here

ITEMCTL=$(readlink -f "${ITEMCTL:-$(dirname "$0")/../../build/tools/itemctl}")
ITEMFS=$(dirname "$ITEMCTL")/../fs/itemfs
programs=("$ITEMFS" "${ITEMCTL%/*}/itemfs" "$ITEMCTL") # that are ended with the script
SOURCE=$(readlink -f "$(dirname "$0")/../..")
W=$(mktemp -d "${TMPDIR:-/tmp}/itemctl-test-XXXXXX") || exit 1
S=$W/store
export XDG_CONFIG_HOME=$W/config
# Owners may be slow to start and end, and servers to answer, on a busy machine.
export ITEMFS_TIMING=open=120000,health=60000
server=
cd "$W" || exit 1

clean_up()
{
	trap - EXIT
	end_programs || status=1
	if complained "$W"/*.err "$W"/log; then
		status=1
	fi
	cd /
	rm -rf "$W"
	exit "$status"
}
at_end clean_up

ctl()
{
	"$ITEMCTL" -s "$S" "$@"
}

# itemctl_of STORE WORD... - itemctl on another store
itemctl_of()
{
	"$ITEMCTL" -s "$@"
}

# left - number of files and folders of incomplete backups and exports
left()
{
	ls -d ./*part* 2>/dev/null | wc -l
}

# begin_server WORD... - end the server that this test has, begin itemctl serve on $S, and wait until it listens;
# until end_server. Without an address it listens only on the store's socket: other tests look for free ports at the
# same time.
begin_server()
{
	end_server
	listened=$(listening)
	case "${1-} $* " in 0' '* | *:0' '* | *' --listen '* | *' --port '* | *' -p '* | *' -port '*) ;; *) set -- --listen none "$@" ;; esac
	"$ITEMCTL" -s "$S" serve "$@" >>log 2>&1 &
	server=$!
	if ! wait_until 10 has_begun || server_has_ended; then
		echo "FAILED: the server does not start: $(cat log)"
		exit 1
	fi
}

# listening - number of times that a server has reported that it listens; the socket of a killed one may still exist
listening()
{
	cat log 2>/dev/null | grep -c '^listening on '
}

# has_begun - test if the new server listens or has ended
has_begun()
{
	[ "$(listening)" -gt "$listened" ] || server_has_ended
}

server_has_ended()
{
	! kill -0 "$server" 2>/dev/null
}

end_server()
{
	if [ -n "$server" ]; then
		kill -CONT "$server" 2>/dev/null # before the other signal: it would disturb LeakSanitizer at the end
		kill "$server" 2>/dev/null
		wait_until 10 server_has_ended || { fail 'the server does not end' && kill -9 "$server"; }
		wait "$server"
		server=
	fi
}

# begin - create a store without tables; with SERVED set, it is served
begin()
{
	ctl -q create-table first --key PK && ctl -q drop first --yes || exit 1
	if [ -n "${SERVED-}" ]; then
		begin_server
	fi
}

# fresh [KEY [OPTION...]] - replace the table tab by an empty one
fresh()
{
	ctl -q drop tab --yes 2>/dev/null
	ctl -q create-table tab --key "${1:-PK,SK:N}" "${@:2}"
}

# interruptible COMMAND... - run it so that Ctrl-C ends it, as at a prompt: in the background, a shell ignores SIGINT,
# and programs inherit that. A write that has begun is waited for, however slow the server is.
interruptible()
{
	exec env --default-signal=INT,QUIT "ITEMFS_TIMING=${ITEMFS_TIMING:+$ITEMFS_TIMING,}write=600000" "$@"
}

# interrupted FILE WORD... - run itemctl WORD... with a pipe that has the contents of FILE and then stays open; end it
# with Ctrl-C. Its messages are in stopped.err.
interrupted()
{
	local file=$1 feeder reader
	mkfifo pipe
	(
		exec 3>pipe
		cat "$file" >&3
		touch fed
		wait_until 60 test -e over
	) &
	feeder=$!
	interruptible "$ITEMCTL" -s "$S" "${@:2}" pipe 2>stopped.err &
	reader=$!
	wait_until 60 test -e fed # now it reads
	kill -INT $reader
	wait $reader
	eq 'it ends by the signal' $? 130
	touch over
	wait $feeder
}

# asks FILE - test if the process whose id is in FILE waits for a response. From then on it only notes signals
# (stop.h).
asks()
{
	local pid caught
	pid=$(cat "$1")
	pid=${pid% }
	[ -n "$pid" ] || return 1
	caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status")
	((0x${caught:-0} & 1 << 14)) && is_asleep "$pid"
}

# collect - set out and err to the output of the last command; suggested lines lose the -s that the store of each test
# needs
collect()
{
	out=$(cat "$W/ok.out")
	err=$(cat "$W/ok.err")
	err=${err//itemctl -s $S /itemctl }
}

# ok COMMAND... - check that it succeeds; standard input is passed on
ok()
{
	checks=$((checks + 1))
	"$@" >"$W/ok.out" 2>"$W/ok.err" || fail "$* gives $?: $(cat "$W/ok.err")"
	collect
}

# gives STATUS TEXT COMMAND... - check that it ends with that status and prints TEXT
gives()
{
	local want=$1 text=$2 status
	shift 2
	checks=$((checks + 1))
	"$@" >"$W/ok.out" 2>"$W/ok.err"
	status=$?
	collect
	text=${text//itemctl -s $S /itemctl }
	[ "$status" -eq "$want" ] || fail "$* gives $status, not $want: $err"
	case $err in
	*"$text"*) ;;
	*) fail "$* says: $err"$'\n'"  expected: $text" ;;
	esac
}

# traced OPTION... COMMAND... - run it in strace, without the search for leaks, which would use ptrace, too
traced()
{
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -qqq -f -o trace "$@"
}

# hold PATH CALL[,CALL...] [-e OPTION...] COMMAND... - run it, stopped at the first of the calls; messages of strace
# are dropped
hold()
{
	local how=(${1:+-P "$1"} -e "trace=$2" -e "inject=${2%%,*}:delay_enter=600s") call=${2%%,*}
	shift 2
	while [ "$1" = -e ]; do
		how+=("$1" "$2")
		shift 2
	done
	rm -f trace
	interruptible strace -qqq -D -f -o trace "${how[@]}" sh -c 'exec "$@" 2>held.err' sh "$@" 2>/dev/null &
	held=$!
	wait_until 60 grep -qs "$call(" trace || fail "no $call"
	tracer=$(awk '/^TracerPid/ { print $2 }' "/proc/$held/status")
}

# let_go - kill strace: at a regular end it would still hold the calls that it delays
let_go()
{
	kill -KILL "$tracer"
}
