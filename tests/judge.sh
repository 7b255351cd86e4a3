# judge.sh - sourced by tools/test.sh: runs steps and tests, decides which failures count against the change
#
#   begin_judging                      sets the counts; needs $tree, $base, $resume, $patience
#   step TITLE COMMAND...              one check: passed, skipped (77) or failed by its exit status; "skip REASON" in it skips
#   tests TITLE BUILD ARGUMENT...      "meson test" with these arguments, each test counted
#   finish_judging                     prints what failed with logs, and the counts; its status is the script's
#
# A test that fails is run once more, alone.  If it fails again, it is run in a gcc build of the base: if it fails there too, the
# cause is older than the change, or outside it.  Tests that pass alone or fail on the base are printed at the end and appended to
# build/flaky.txt, and do not count as failed.  Reports of a sanitizer or an assertion always count, and so do more than
# RETRIES_MAX failures of one step.
#
# build/passed.txt has a line for each step that passed: tree, passed, skipped, title.  --resume reads it.
RETRIES_MAX=5

begin_judging()
{
	passed=0
	failed=0
	skipped=0
	judged=$(mktemp -d) # logs of failed tests, and lists
	trap 'rm -rf "$judged"' EXIT
	began=$(date +%s)
	unbuilt= # folders in which the last build failed
	: >"$judged/failed"
	: >"$judged/excused"
	: >"$judged/skipped"
}

seconds()
{
	echo "$(($(date +%s) - began)) s"
}

skip()
{
	echo "skipped: $*"
	exit 77
}

# resumed TITLE - has the step passed on this tree? If so, add its counts.
resumed()
{
	counts=
	[ -z "$resume" ] || counts=$(awk -v tree="$tree" -v title="$1" '$1 == tree {
		counts = $2 " " $3
		sub(/^[^ ]+ [^ ]+ [^ ]+ /, "")
		if ($0 == title) found = counts
	} END { print found }' build/passed.txt 2>/dev/null)
	[ -n "$counts" ] || return 1
	passed=$((passed + ${counts% *}))
	skipped=$((skipped + ${counts#* }))
	printf '\n== %s: passed before\n' "$1"
}

# ended TITLE PASSED FAILED SKIPPED - print and record the result of a step
ended()
{
	passed=$((passed + $2))
	failed=$((failed + $3))
	skipped=$((skipped + $4))
	echo "-- $1: $2 passed, $3 failed, $4 skipped ($(seconds))"
	[ "$3" -ne 0 ] || [ "$2" -eq 0 ] || [ ! -d build ] || echo "$tree $2 $4 $1" >>build/passed.txt
}

step()
{
	title=$1
	shift
	! resumed "$title" || return 0
	printf '\n== %s (%s)\n' "$title" "$(seconds)"
	("$@")
	verdict=$?
	case $verdict in
	0) ended "$title" 1 0 0 ;;
	77)
		echo "$title" >>"$judged/skipped"
		ended "$title" 0 0 1
		;;
	*)
		echo "$title" >>"$judged/failed"
		ended "$title" 0 1 0
		;;
	esac
}

# build TITLE DIR ARGUMENT... - the step "built DIR ARGUMENT...", which --resume does not skip: DIR may have been built for another tree since
build()
{
	resumes=$resume
	resume=
	verdict=
	dir=$2
	title=$1
	shift
	step "$title" built "$@"
	resume=$resumes
	[ "$verdict" = 0 ] || unbuilt="$unbuilt $dir "
}

# results BUILD RESULT... - "SUITE NAME" of the tests of the last run that ended with one of these results
results()
{
	log=$1/meson-logs/testlog.json
	shift
	jq -r --args 'select(.result | IN($ARGS.positional[])) | .name | capture("^[^:]*:(?<s>[^+ ]*).* / (?<n>.*)") | .s + " " + .n' \
		"$@" 2>/dev/null <"$log"
}

# test_log BUILD NAME - what the test printed in the last run
test_log()
{
	jq -r --arg name "$2" 'select(.name | endswith(" / " + $name)) | "\(.command | join(" "))\n\(.result), \(.duration | floor) s\n\(.stdout)\n\(.stderr // "")"' \
		"$1/meson-logs/testlog.json"
}

# run BUILD ARGUMENT... - "meson test"; a test times out after $patience times the timeout in its meson.build
run()
{
	run_build=$1
	shift
	rm -f "$run_build/meson-logs/testlog.json"
	meson test -C "$run_build" --no-rebuild --quiet --timeout-multiplier "$patience" "$@" >"$judged/meson" 2>&1
}

# base_built - build the base with gcc, once a run; false if it cannot be built
base_built()
{
	[ -n "$base" ] || return 1
	case $(cat build/base/built 2>/dev/null) in
	"$base") return 0 ;;
	"$base cannot be built") return 1 ;;
	esac
	rm -rf build/base
	mkdir -p build/base && echo "$base cannot be built" >build/base/built
	git clone -q --shared --no-checkout . build/base/itemfs && git -C build/base/itemfs checkout -q --detach "$base" &&
		meson setup build/base/itemfs/build build/base/itemfs >build/base/log 2>&1 && ninja -C build/base/itemfs/build --quiet >>build/base/log 2>&1 &&
		echo "$base" >build/base/built
}

# ended_so BUILD SUITE NAME RESULT... - did the test end with one of these results in the last run?
ended_so()
{
	ended_name="$2 $3"
	ended_build=$1
	shift 3
	results "$ended_build" "$@" | grep -qxF "$ended_name"
}

# fails_on_base SUITE NAME - does the test fail on the base? Also false if the base has no such test, or does not build.
fails_on_base()
{
	base_built && meson test -C build/base/itemfs/build --list --suite "$1" 2>/dev/null | grep -q " / $2\$" &&
		! run build/base/itemfs/build --num-processes 1 --suite "$1" "$2" && ended_so build/base/itemfs/build "$1" "$2" FAIL TIMEOUT ERROR
}

# reports LOG - does it contain a message that is never a flaky failure?
reports()
{
	grep -qE 'Sanitizer|runtime error:|Assertion|a program complained|core dumped|Segmentation fault|Aborted|Bus error|Illegal instruction' "$1"
}

# excuse VERDICT SUITE NAME - record a failure that does not count
excuse()
{
	echo "$2 $3: $1"
	echo "$2 $3: $1" >>"$judged/excused"
	echo "$(date +%F) $(git rev-parse --short HEAD) $build $2 $3: $1" >>build/flaky.txt
}

# judge_failure SUITE NAME - status 0 if the failure does not count
judge_failure()
{
	! reports "$judged/$1.$2.log" || return 1
	run "$build" --num-processes 1 --suite "$1" "$2"
	test_log "$build" "$2" >"$judged/alone"
	if reports "$judged/alone"; then
		mv "$judged/alone" "$judged/$1.$2.log"
		return 1
	elif ended_so "$build" "$1" "$2" OK; then
		excuse 'failed beside others, passed alone' "$1" "$2"
	elif fails_on_base "$1" "$2"; then
		excuse "fails on the base too, $base" "$1" "$2"
	else
		return 1
	fi
}

# judge_failures - judge the tests in $judged/bad; set bad to the number of failures that count
judge_failures()
{
	while read -r suite name; do
		echo "FAILED: $suite $name"
		test_log "$build" "$name" >"$judged/$suite.$name.log"
	done <"$judged/bad"
	most=$bad
	while read -r suite name <&3; do
		if [ "$most" -le $RETRIES_MAX ] && judge_failure "$suite" "$name"; then
			bad=$((bad - 1))
		else
			echo "$suite $name ($build)" >>"$judged/failed"
		fi
	done 3<"$judged/bad"
}

tests()
{
	title=$1
	build=$2
	shift 2
	! resumed "$title" || return 0
	printf '\n== %s (%s)\n' "$title" "$(seconds)"
	case $unbuilt in *" $build "*)
		echo "$build is not built: its tests are not run"
		echo "$title" >>"$judged/failed"
		ended "$title" 0 1 0
		return
		;;
	esac
	all=$(meson test -C "$build" --no-rebuild --list "$@" 2>/dev/null | grep -c ' / ')
	run "$build" --num-processes "$((2 * $(nproc)))" "$@" # tests wait for about half of their time
	good=$(results "$build" OK EXPECTEDFAIL | wc -l)
	left_out=$(results "$build" SKIP | wc -l)
	results "$build" SKIP | while read -r suite name; do
		echo "$suite $name: $(test_log "$build" "$name" | grep -m 1 -i '^skipped')"
	done | tee -a "$judged/skipped"
	results "$build" FAIL TIMEOUT ERROR INTERRUPT UNEXPECTEDPASS >"$judged/bad"
	bad=$(wc -l <"$judged/bad")
	if [ "$good" -eq 0 ] || [ $((good + bad + left_out)) -ne "$all" ]; then
		cat "$judged/meson"
		echo "$((good + bad + left_out)) of $all tests have ended"
		echo "$title" >>"$judged/failed"
		bad=$((bad + 1))
	elif [ "$bad" -gt 0 ]; then
		judge_failures
	fi
	ended "$title" "$good" "$bad" "$left_out"
}

# finish_judging - print the logs of failed tests, whether they count or not, and then the counts
finish_judging()
{
	for log in "$judged"/*.log; do
		[ ! -e "$log" ] || printf '\n== log of %s\n%s\n' "$(basename "$log" .log)" "$(tail -n 100 "$log")"
	done
	print_list 'skipped' "$judged/skipped"
	print_list 'failed, and does not count against the change' "$judged/excused"
	print_list 'FAILED' "$judged/failed"
	printf '\n%s\n%d passed, %d failed, %d skipped\n' "$(seconds)" "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}

print_list()
{
	[ ! -s "$2" ] || printf '\n%s:\n%s\n' "$1" "$(sed 's/^/  /' "$2")"
}
