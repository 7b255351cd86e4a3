# lib.sh - read by the lib.sh of tests/tools and tests/mount: assertions, and waiting
checks=0
failures=0

# wait_until SECONDS COMMAND... - poll; false when the time is over, on a machine that is busy four times as long
wait_until()
{
	local end=$((SECONDS + 4 * $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.01
	done
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

done_testing()
{
	echo "$checks checks, $failures failed"
	[ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
	exit
}
