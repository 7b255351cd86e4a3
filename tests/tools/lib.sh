# lib.sh - read by every tests/tools/*.sh: a private folder, the program, assertions
#
#   . "$(dirname "$0")/lib.sh"
#   begin                               SERVED=1: a server owns the store $S from here on
#   eq "what it shows" ACTUAL EXPECTED
#   ok COMMAND...                       exit status 0; its output stays in $out, messages in $err
#   gives STATUS TEXT COMMAND...        that exit status, and TEXT is in its messages
#   fresh [KEY [OPTION...]]             an empty table tab
#   if can_trace                        strace is there and may: traced OPTION... COMMAND...
#   hold PATH CALL COMMAND...           in the background, as $held, with its messages in held.err: it stands still where it first makes
#                                       that system call on PATH ('' is any), until let_go
#   interruptible COMMAND... &          which Ctrl-C ends
#   done_testing
#
# Scripts run in their folder $W; ctl is itemctl on $S, itemctl_of STORE on another one.
set -u
. "${BASH_SOURCE[0]%/*}/../lib.sh"
# own_network=yes before this file: with ports that nobody else can have; skipped without the right to it
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
SOURCE=$(readlink -f "$(dirname "$0")/../..")
W=$(mktemp -d "${TMPDIR:-/tmp}/itemctl-test-XXXXXX")
S=$W/store
export XDG_CONFIG_HOME=$W/config
# Owners that start and end take their time on a busy machine.
export ITEMFS_TIMING=open=120000
server=
cd "$W" || exit 1

clean_up()
{
	trap - EXIT
	end_server
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

# itemctl_of STORE WORD... - on another one
itemctl_of()
{
	"$ITEMCTL" -s "$@"
}

# left - how many files and folders there are that a backup or an export has not completed
left()
{
	ls -d ./*part* 2>/dev/null | wc -l
}

# begin_server WORD... - itemctl serve on $S, in place of a server that this test has, until end_server; waits until it listens.
# Without an address it is the store's socket alone: other tests look for free ports at the same time.
begin_server()
{
	end_server
	listened=$(listening)
	case "${1-} $* " in 0' '* | *:0' '* | *' --listen '* | *' --port '* | *' -p '* | *' -port '*) ;; *) set -- --listen none "$@" ;; esac
	"$ITEMCTL" -s "$S" serve "$@" >>log 2>&1 &
	server=$!
	if ! wait_until 10 has_begun || ! kill -0 "$server" 2>/dev/null; then
		echo "FAILED: the server does not start: $(cat log)"
		exit 1
	fi
}

# How often a server has said that it listens: a socket may be left of one that was killed.
listening()
{
	cat log 2>/dev/null | grep -c '^listening on '
}

# Or has ended.
has_begun()
{
	[ "$(listening)" -gt "$listened" ] || ! kill -0 "$server" 2>/dev/null
}

end_server()
{
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null
		wait "$server"
		server=
	fi
}

# begin - a store without tables; served when the test is run so
begin()
{
	ctl -q create-table first --key PK && ctl -q drop first --yes || exit 1
	if [ -n "${SERVED-}" ]; then
		begin_server
	fi
}

# fresh [KEY [OPTION...]] - an empty table tab, in place of the one that is there
fresh()
{
	ctl -q drop tab --yes 2>/dev/null
	ctl -q create-table tab --key "${1:-PK,SK:N}" "${@:2}"
}

# interruptible COMMAND... - in the background, where a shell has SIGINT ignored and so would programs: with Ctrl-C as at a prompt.  A write
# that is on its way is waited for, however long the server takes.
interruptible()
{
	exec env --default-signal=INT,QUIT "ITEMFS_TIMING=${ITEMFS_TIMING:+$ITEMFS_TIMING,}write=600000" "$@"
}

# interrupted FILE WORD... - itemctl WORD... with a pipe that FILE has gone through and that does not end: Ctrl-C ends it.  stopped.err has
# what it says.
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
	wait_until 60 test -e fed # so it reads
	kill -INT $reader
	wait $reader
	eq 'it ends by the signal' $? 130
	touch over
	wait $feeder
}

# asks FILE - does the process whose number is in FILE wait for an answer? A signal is only noted by then (stop.h)
asks()
{
	local pid caught
	pid=$(cat "$1")
	pid=${pid% }
	[ -n "$pid" ] || return 1
	caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status")
	((0x${caught:-0} & 1 << 14)) && is_asleep "$pid"
}

# collect - out and err are what the last command printed; lines to paste in it are without the -s that each test's store has
collect()
{
	out=$(cat "$W/ok.out")
	err=$(cat "$W/ok.err")
	err=${err//itemctl -s $S /itemctl }
}

# ok COMMAND... - succeeds; standard input passes through
ok()
{
	checks=$((checks + 1))
	"$@" >"$W/ok.out" 2>"$W/ok.err" || fail "$* gives $?: $(cat "$W/ok.err")"
	collect
}

# gives STATUS TEXT COMMAND... - ends with that status and says TEXT
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

# traced OPTION... COMMAND... - under strace, and without a search for leaks, which would trace it, too
traced()
{
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -qqq -f -o trace "$@"
}

# hold PATH CALL[,CALL...] [-e OPTION...] COMMAND... - held at the first of the calls; strace may say what it likes
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

# A tracer that ends in order would still hold what it delays.
let_go()
{
	kill -KILL "$tracer"
}
