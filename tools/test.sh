#!/bin/sh
# test.sh - install what is needed, build, run the tests; the last line counts
#
#   sh tools/test.sh            format, build and all tests with gcc (five minutes on two cores)
#   sh tools/test.sh --full     then in every configuration, and every other check (half an hour more)
#
# A test that fails beside the others is run once more, alone, and the end names those that passed only then (suite, below).
# ITEMFS_RELATIONAL names the relational data for the converter's test (see tests/README.md).
set -u
cd "$(dirname "$0")/.." || exit 2
. tools/packages.sh
full=
case ${1-} in
'') ;;
--full) full=1 ;;
*)
	echo "usage: sh tools/test.sh [--full]" >&2
	exit 2
	;;
esac
passed=0
failed=0
skipped=0
alone= # tests that passed only when nothing ran beside them
started=$(date +%s)
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

title()
{
	printf '\n== %s (%s s)\n' "$*" "$(($(date +%s) - started))"
}

# check NAME COMMAND... - one check, passed, skipped (77) or failed by its exit status
check()
{
	name=$1
	shift
	title "$name"
	"$@"
	case $? in
	0) passed=$((passed + 1)) ;;
	77) skipped=$((skipped + 1)) ;;
	*)
		failed=$((failed + 1))
		echo "FAILED: $name"
		;;
	esac
}

# figure LABEL FILE - a number of meson's summary; 0 where it says none, as when nothing could be built
figure()
{
	number=$(sed -n "s/^$1: *\([0-9]*\).*/\1/p" "$2" | tail -n 1)
	echo "${number:-0}"
}

# may_try_again BUILD - the names of the failed tests of its last run; nothing where load cannot be why: a sanitizer or an
# assertion has spoken, or more than three have failed
may_try_again()
{
	jq -rs 'map(select(.result | IN("OK", "SKIP") | not)) |
		select(length <= 3 and all("\(.stdout) \(.stderr)" | test("Sanitizer|runtime error|Assertion|a program complained|core dumped") | not)) |
		.[].name | sub(".* / "; "")' "$1/meson-logs/testlog.json"
}

# run_tests BUILD ARGUMENT... - "meson test": what passed and what was skipped is added to our counts; $bad failed
run_tests()
{
	build=$1
	shift
	summary=$(mktemp)
	meson test -C "$build" --print-errorlogs "$@" >"$summary" 2>&1
	status=$?
	cat "$summary"
	ok=$(figure Ok "$summary")
	bad=$(($(figure Fail "$summary") + $(figure Timeout "$summary") + $(figure 'Unexpected Pass' "$summary")))
	passed=$((passed + ok))
	skipped=$((skipped + $(figure Skipped "$summary")))
	[ "$status" -eq 0 ] && [ "$ok" -gt 0 ] || [ "$bad" -gt 0 ] || bad=1
	rm -f "$summary"
}

# suite BUILD ARGUMENT... - its tests, added to our counts
suite()
{
	run_tests "$@"
	again=
	[ "$bad" -eq 0 ] || again=$(may_try_again "$1" | tr '\n' ' ')
	if [ -n "$again" ]; then
		title "once more, alone: $again"
		# shellcheck disable=SC2086
		run_tests "$@" --num-processes 1 $again
		[ "$bad" -gt 0 ] || alone="$alone$1: $again"
	fi
	failed=$((failed + bad))
}

# configured DIR SETUP-ARGUMENT... - quickstart.sh may have set it up, without tests
configured()
{
	dir=$1
	shift
	if [ -e "$dir/build.ninja" ]; then
		meson configure "$dir" -Dtests=true -Dwerror=true
	else
		meson setup "$dir" -Dwerror=true "$@"
	fi
}

# built DIR SETUP-ARGUMENT... - configure once, then compile; here, other than for who only wants the programs, a warning is an error
built()
{
	configured "$@" >"/tmp/itemfs-setup.$$" 2>&1 || {
		cat "/tmp/itemfs-setup.$$"
		return 1
	}
	rm -f "/tmp/itemfs-setup.$$"
	ninja -C "$dir" --quiet
}

sources()
{
	git ls-files 'store/*.[ch]' 'fs/*.[ch]' 'tools/*.[ch]' "$@"
}

format()
{
	sources 'tests/*.[ch]' | xargs clang-format --dry-run -Werror
}

tidy()
{
	sources | grep '\.c$' | xargs -P "$(nproc)" -n 4 clang-tidy -p build --quiet 2>&1 | grep -E 'warning:|error:' && return 1
	return 0
}

# Thirty seconds of new inputs for each target, as many targets at a time as there are processors.
fuzz()
{
	find build-fuzz/tests -maxdepth 1 -type f -name 'fuzz-*' | sort | xargs -P "$(nproc)" -n 1 sh tests/fuzz/campaign.sh
}

# Nothing that the build or the tests made may be left beside the sources.
clean_tree()
{
	left=$(git status --porcelain)
	[ -z "$left" ] || {
		echo "$left"
		return 1
	}
}

finish()
{
	[ -z "$alone" ] || printf '\nfailed beside others, passed alone: %s\n' "$alone"
	printf '\n%s s\n%d passed, %d failed, %d skipped\n' "$(($(date +%s) - started))" "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}

# shellcheck disable=SC2086
need $PACKAGES_BUILD $PACKAGES_TEST && need_clang || exit 2
need_browser
before=$(git status --porcelain)

check 'format' format
check 'build with gcc' built build
title 'tests'
suite build
[ -n "$full" ] || finish
check 'build as for a release' built build-release --buildtype=release
check 'build with clang, ASan and UBSan' built build-asan --native-file tests/setup/asan.ini
title 'tests under ASan and UBSan'
suite build-asan --timeout-multiplier 4
check 'build with TSan' built build-tsan --native-file tests/setup/tsan.ini
title 'unit tests under TSan'
suite build-tsan --suite unit --timeout-multiplier 4
check 'clang-tidy' tidy
check 'build the fuzz targets' built build-fuzz --native-file tests/setup/fuzz.ini -Dfuzz=true
check 'fuzz, 30 s a target' fuzz
check 'Debian package' sh tests/suites/package.sh
check 'Debian 13' sh tests/suites/trixie.sh
[ -n "$before" ] || check 'nothing left in the tree' clean_tree
finish
