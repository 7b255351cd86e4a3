# lib.sh - read by every tests/tools/*.sh: a private folder, the program, assertions
#
#   . "$(dirname "$0")/lib.sh"
#   begin                               SERVED=1: a server owns the store $S from here on
#   eq "what it shows" ACTUAL EXPECTED
#   ok COMMAND...                       exit status 0; its output stays in $out, messages in $err
#   gives STATUS TEXT COMMAND...        that exit status, and TEXT is in its messages
#   done_testing
#
# Scripts run in their folder $W; ctl is itemctl on $S.
set -u
shopt -s lastpipe # so that "... | ok COMMAND" counts here
export LC_ALL=C.UTF-8
unset ITEMFS_STORE AWS_ACCESS_KEY_ID AWS_PROFILE AWS_DEFAULT_PROFILE AWS_REGION AWS_DEFAULT_REGION
unset AWS_ENDPOINT_URL AWS_ENDPOINT_URL_DYNAMODB AWS_ENDPOINT_URL_DYNAMODB_STREAMS
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null

ITEMCTL=$(readlink -f "${ITEMCTL:-$(dirname "$0")/../../build/tools/itemctl}")
SOURCE=$(readlink -f "$(dirname "$0")/../..")
W=$(mktemp -d "${TMPDIR:-/tmp}/itemctl-test-XXXXXX")
S=$W/store
. "$SOURCE/tests/lib.sh"
server=
cd "$W" || exit 1
umask 022

clean_up()
{
	local status=$?
	trap - EXIT
	end_server
	if grep -n -E 'Sanitizer|runtime error|[Aa]ssert|core dumped' "$W"/*.err "$W"/log 2>/dev/null; then
		echo "FAILED: a program complained"
		status=1
	fi
	cd /
	rm -rf "$W"
	exit "$status"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

ctl()
{
	"$ITEMCTL" -s "$S" "$@"
}

# begin_server WORD... - itemctl serve on $S, until end_server; waits for its socket
begin_server()
{
	"$ITEMCTL" -s "$S" serve "$@" >>log 2>&1 &
	server=$!
	if ! wait_until 10 has_begun || ! kill -0 "$server" 2>/dev/null; then
		echo "FAILED: the server does not start: $(cat log)"
		exit 1
	fi
}

# Or has ended.
has_begun()
{
	[ -S "$S/socket" ] || ! kill -0 "$server" 2>/dev/null
}

# address LOG - the one that a server says it listens on
address()
{
	wait_until 10 grep -qs '^listening on ' "$1"
	sed -n 's/^listening on //p' "$1"
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

# ok COMMAND... - succeeds; standard input passes through
ok()
{
	checks=$((checks + 1))
	"$@" >"$W/ok.out" 2>"$W/ok.err" || fail "$* gives $?: $(cat "$W/ok.err")"
	out=$(cat "$W/ok.out")
	err=$(cat "$W/ok.err")
}

# gives STATUS TEXT COMMAND... - ends with that status and says TEXT
gives()
{
	local want=$1 text=$2 status
	shift 2
	checks=$((checks + 1))
	"$@" >"$W/ok.out" 2>"$W/ok.err"
	status=$?
	out=$(cat "$W/ok.out")
	err=$(cat "$W/ok.err")
	[ "$status" -eq "$want" ] || fail "$* gives $status, not $want: $err"
	case $err in
	*"$text"*) ;;
	*) fail "$* says: $err"$'\n'"  expected: $text" ;;
	esac
}
