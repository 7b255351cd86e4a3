#!/bin/bash
# judge_test.sh - test judge.sh with a fake meson that fails as planned
#
# The file "plan" has a line for each run of tests in a build folder: the folder, then NAME=RESULT[:OUTPUT]...
set -u
. "${BASH_SOURCE[0]%/*}/lib.sh"
command -v jq >/dev/null && command -v git >/dev/null || {
	echo 'skipped: jq or git is not here'
	exit 77
}
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
cd "$W" || exit 1
mkdir bin
cat >bin/meson <<'MESON'
#!/bin/bash
case $1 in setup) mkdir -p "$2"; exit ;; esac
build=$3
line=$(grep -m 1 "^$build " plan)
names=$(sed -E 's/^[^ ]+//; s/=[^ ]*//g' <<<"$line")
case " $* " in *' --list '*) printf 'itemfs:unit / %s\n' ${names:-a b c}; exit ;; esac
[ -n "$line" ] || exit 9
awk -v line="$line" '!done && $0 == line {done = 1; next} {print}' plan >plan.next && mv plan.next plan
mkdir -p "$build/meson-logs"
status=0
for word in ${line#* }; do
	name=${word%%=*} result=${word#*=} output=
	case $result in *:*) output=${result#*:} result=${result%%:*} ;; esac
	[ "$result" = DIES ] || jq -nc --arg n "itemfs:unit / $name" --arg r "$result" --arg o "$output" \
		'{name: $n, result: $r, stdout: $o, duration: 1.5, command: ["run", $n]}' >>"$build/meson-logs/testlog.json"
	case $result in OK | SKIP) ;; DIES) exit 137 ;; *) status=1 ;; esac
done
exit $status
MESON
printf '#!/bin/sh\n' >bin/ninja
chmod +x bin/meson bin/ninja
PATH=$W/bin:$PATH
git -c init.defaultBranch=main init -q . && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m base
printf '/build/\n/bin/\n/plan*\n/said\n' >.git/info/exclude

# judged BASE RESUME LINE... - print the status and the last line of a run with the plan LINE...; its whole output is in "said"
judged()
{
	mkdir -p build
	printf '%s\n' "${@:3}" >plan
	title=${title-suite} patience=2 base=$1 resume=$2 sh -c '. "$0/judge.sh"; tree=t; begin_judging; tests "${title-suite}" build; finish_judging' "$TESTS" >said 2>&1
	echo "$?: $(tail -n 1 said)"
}
head=$(git rev-parse HEAD)

eq 'all pass' "$(judged "$head" '' 'build a=OK b=SKIP:skipped')" '0: 1 passed, 0 failed, 1 skipped'
eq 'a step that passed is not run again' "$(judged "$head" 1)" '0: 1 passed, 0 failed, 1 skipped'
eq 'a step whose title is a part of that title is run' "$(title=uit judged "$head" 1 'build a=OK c=OK'; title=suit judged "$head" 1 'build a=OK c=OK')" \
	$'0: 2 passed, 0 failed, 0 skipped\n0: 2 passed, 0 failed, 0 skipped'
rm -r build
eq 'a test that passes alone does not count' "$(judged "$head" '' 'build a=OK b=FAIL:words' 'build b=OK')" '0: 1 passed, 0 failed, 0 skipped'
eq 'it is printed with its log' "$(grep -cE '^words|^  unit b: failed beside others, passed alone' said)" 2
eq 'it is recorded in flaky.txt' "$(cut -d ' ' -f 3- build/flaky.txt)" 'build unit b: failed beside others, passed alone'
base_build=build/base/itemfs/build
eq 'a test that fails on the base, too, does not count' "$(judged "$head" '' 'build a=OK b=FAIL' 'build b=FAIL' "$base_build b=FAIL")" '0: 1 passed, 0 failed, 0 skipped'
eq 'it is printed' "$(grep -c "^  unit b: fails on the base too, $head" said)" 1
eq 'a test that passes on the base counts' "$(judged "$head" '' 'build a=OK b=TIMEOUT' 'build b=FAIL' "$base_build b=OK")" '1: 1 passed, 1 failed, 0 skipped'
eq 'it is printed' "$(grep -c '^  unit b (build)' said)" 1
eq 'a test that the base does not have counts' "$(judged "$head" '' 'build a=OK new=FAIL' 'build new=FAIL')" '1: 1 passed, 1 failed, 0 skipped'
eq 'without a base a failure counts' "$(judged '' '' 'build a=OK b=FAIL' 'build b=FAIL')" '1: 1 passed, 1 failed, 0 skipped'
eq 'a sanitizer report counts at once' "$(judged "$head" '' 'build a=OK b=FAIL:AddressSanitizer')" '1: 1 passed, 1 failed, 0 skipped'
eq 'more than five count at once' "$(judged "$head" '' 'build a=OK b=FAIL c=FAIL d=FAIL e=FAIL f=FAIL g=FAIL')" '1: 1 passed, 6 failed, 0 skipped'
eq 'tests that cannot be run count' "$(judged "$head" '' "other a=OK")" '1: 0 passed, 1 failed, 0 skipped'
eq 'a skip when run alone is not a pass' "$(judged "$head" '' 'build a=OK b=FAIL' 'build b=SKIP:skipped')" '1: 1 passed, 1 failed, 0 skipped'
eq 'a sanitizer report of the second run counts' "$(judged "$head" '' 'build a=OK b=FAIL' 'build b=FAIL:AddressSanitizer' "$base_build b=FAIL")" \
	'1: 1 passed, 1 failed, 0 skipped'
eq 'a base that cannot run it is no excuse' "$(judged "$head" '' 'build a=OK b=FAIL' 'build b=FAIL' "$base_build b=DIES")" '1: 1 passed, 1 failed, 0 skipped'
eq 'tests that have not ended count' "$(judged "$head" '' 'build a=OK b=DIES c=OK')" '1: 1 passed, 1 failed, 0 skipped'
eq 'they count in addition to failed tests' "$(judged "$head" '' 'build a=OK b=FAIL c=DIES')" '1: 1 passed, 2 failed, 0 skipped'
eq 'a message of the shell about a signal counts' "$(judged "$head" '' 'build a=OK b=FAIL:3:_Aborted')" '1: 1 passed, 1 failed, 0 skipped'
eq 'a failed step is run again' "$(judged "$head" 1 'build a=OK')" '0: 1 passed, 0 failed, 0 skipped'
done_testing
