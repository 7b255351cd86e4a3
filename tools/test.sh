#!/bin/sh
# test.sh - the gate: install what is needed, build, run every test, judge the change; the last line counts
#
#   sh tools/test.sh            every test once, in the configuration most likely to find a bug
#   sh tools/test.sh --full     every test in every configuration, and every other check
#   sh tools/test.sh --quick    format, build and all tests with gcc
#   --resume                    skip the steps that have passed on the same tree
#   --base COMMIT               what the change is compared with (by default: base_commit, below)
#
# A test that fails is judged by tests/judge.sh: it is repeated alone, then on the base. tests/README.md lists which suite runs where.
# ITEMFS_RELATIONAL names the relational data for the converter's test (see tests/README.md).
set -u

# Nothing depends on who runs it: no ignored signals, umask 022, no variables of programs or tests.
if [ -z "${ITEMFS_GATE-}" ]; then
	ignored=$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status 2>/dev/null)
	caller="ignored signals ${ignored:-unknown}, umask $(umask), $(env | grep -cE '^(ITEMFS|AWS)_') variables ITEMFS_* and AWS_*"
	for name in $(env | sed -n 's/^\(\(ITEMFS\|AWS\)_[A-Za-z0-9_]*\)=.*/\1/p'); do
		case $name in ITEMFS_RELATIONAL) ;; *) unset "$name" ;; esac
	done
	unset $(git rev-parse --local-env-vars 2>/dev/null) CC CFLAGS CXX CXXFLAGS CPPFLAGS LDFLAGS PKG_CONFIG_PATH CDPATH
	umask 022
	ulimit -c 0
	ITEMFS_GATE=$caller exec env --default-signal sh "$0" "$@"
fi
caller=$ITEMFS_GATE
cd "$(dirname "$0")/.." || exit 2
. tools/packages.sh
. tests/judge.sh
mode=gate
resume=
base=
while [ $# -gt 0 ]; do
	case $1 in
	--full | --quick) mode=${1#--} ;;
	--resume) resume=1 ;;
	--base)
		base=${2-}
		git rev-parse -q --verify "$base^{commit}" >/dev/null || {
			echo "test.sh: --base $base is not a commit" >&2
			exit 2
		}
		shift
		;;
	*)
		echo "usage: sh tools/test.sh [--full | --quick] [--resume] [--base COMMIT]" >&2
		exit 2
		;;
	esac
	shift
done
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export MALLOC_PERTURB_=165 # meson sets another one for each run
patience=2
if [ "$mode" = full ]; then
	export ITEMFS_FULL=1 ITEMFS_ROUNDS=10
	patience=8
fi

# surroundings - print what may have caused a failure
surroundings()
{
	echo "caller: $caller"
	echo "open files: $(ulimit -n); free: $(df -h --output=avail,target /tmp /dev/shm 2>/dev/null | tail -n +2 | tr -s ' \n' ' ')"
	echo "processors: $(nproc); load: $(cut -d ' ' -f 1-3 /proc/loadavg); running itemfs: $(pgrep -c -x 'itemfs|itemctl')"
	echo "port 8000: $( (ss -Hltnp 'sport = :8000' 2>/dev/null || true) | sed 's/.*users:/in use by /' | grep . || echo free)"
	echo "tree: $tree; base: ${base:-none}"
}

# base_commit - print the merge base of HEAD with origin/main or main; if it is HEAD itself or there is none, print
# the newest commit that is at least four hours older than HEAD
base_commit()
{
	head=$(git rev-parse HEAD) || return 0
	merge_base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null)
	if [ "${merge_base:-$head}" = "$head" ]; then
		merge_base=$(git rev-list -1 --before="$(($(git log -1 --format=%ct HEAD) - 4 * 3600))" HEAD)
	fi
	echo "$merge_base"
}

# tree_name - a name for all that git would commit now
tree_name()
{
	(
		index=$(git rev-parse --git-path index)
		GIT_INDEX_FILE=$(mktemp) && export GIT_INDEX_FILE
		cp "$index" "$GIT_INDEX_FILE" && git add -A && git write-tree
		rm -f "$GIT_INDEX_FILE"
	)
}

# pinned PROGRAM - print the name of its version 14, whose format and findings this tree follows; status 77 if that
# version is not installed
pinned()
{
	for candidate in "$1-14" "$1"; do
		case $("$candidate" --version 2>/dev/null) in
		*'version 14.'*)
			echo "$candidate"
			return 0
			;;
		esac
	done
	return 77
}

sources()
{
	git ls-files 'store/*.[ch]' 'fs/*.[ch]' 'tools/*.[ch]' "$@"
}

format()
{
	program=$(pinned clang-format) || skip 'clang-format 14 is not here; others format differently'
	sources 'tests/*.[ch]' | xargs "$program" --dry-run -Werror
}

# tidy_all, tidy_changed - the second one checks the files that differ from the base; and, without the analyzer, which takes
# most of the time, the files that include a header that differs
tidy_all()
{
	sources >build/all.txt
	tidy build/all.txt
}

tidy_changed()
{
	[ -n "$base" ] || skip 'there is no base to compare with'
	git diff --name-only --diff-filter=d "$base" -- store fs tools >build/changed.txt
	git ls-files --others --exclude-standard -- store fs tools >>build/changed.txt
	grep -E '\.(h|def)$' build/changed.txt | sed 's/.*/#include "&"/' >build/headers.txt
	sources | xargs grep -lFf build/headers.txt | grep -vxFf build/changed.txt >build/including.txt
	tidy build/changed.txt && tidy build/including.txt '--checks=-clang-analyzer-*'
}

# tidy LIST [OPTION] - of the C files in the list
tidy()
{
	program=$(pinned clang-tidy) || skip 'clang-tidy 14 is not here; others find other things'
	grep '\.c$' "$1" | sort -u >build/tidy.txt
	echo "clang-tidy ${2-}: $(wc -l <build/tidy.txt) files"
	xargs -r -P "$(nproc)" -n 4 "$program" -p build --quiet ${2+"$2"} >build/tidy.out 2>&1 <build/tidy.txt || {
		grep -E 'warning:|error:' build/tidy.out || tail -n 100 build/tidy.out
		return 1
	}
	! grep -E 'warning:|error:' build/tidy.out
}

# built DIR SETUP-ARGUMENT... - configure once, then compile; a warning is an error here, unlike in a build by a user of the programs.
# quickstart.sh may have configured DIR without tests.
built()
{
	dir=$1
	shift
	if [ ! -e "$dir/build.ninja" ]; then
		meson setup "$dir" -Dwerror=true "$@"
	elif ! meson introspect --buildoptions "$dir" | jq -e 'map(select(.name | IN("tests", "werror")).value) | all'; then
		meson configure "$dir" -Dtests=true -Dwerror=true
	fi >"/tmp/itemfs-setup.$$" 2>&1 || {
		cat "/tmp/itemfs-setup.$$"
		return 1
	}
	rm -f "/tmp/itemfs-setup.$$"
	ninja -C "$dir" --quiet
}

# Nothing that the build or the tests made may be left beside the sources.
clean_tree()
{
	[ "$tree" = "$(tree_name)" ] || {
		git status --porcelain
		return 1
	}
}

# shellcheck disable=SC2086
need $PACKAGES_BUILD $PACKAGES_TEST && need_clang && need_pinned || exit 2
need_browser
tree=$(tree_name)
[ -n "$tree" ] || {
	echo 'test.sh: git does not read this checkout: nothing would be compared' >&2
	exit 2
}
[ -n "$base" ] || base=$(base_commit)
surroundings
begin_judging

step 'format' format
build 'build with gcc' build
case $mode in
quick)
	tests 'tests with gcc' build
	;;
gate)
	tests 'style, tools, SDK, crash and memory tests with gcc' build --suite style --suite tools --suite sdk --suite crash --suite memory
	build 'build with clang, ASan and UBSan' build-asan --native-file tests/setup/asan.ini
	tests 'unit, corpus and mount tests with ASan and UBSan' build-asan --suite unit --suite corpus --suite mount
	step 'clang-tidy of the change' tidy_changed
	;;
full)
	tests 'tests with gcc, more rounds' build
	build 'build as for a release' build-release --buildtype=release
	build 'build with clang, ASan and UBSan' build-asan --native-file tests/setup/asan.ini
	tests 'tests with ASan and UBSan, more rounds' build-asan --no-suite style
	build 'build with TSan' build-tsan --native-file tests/setup/tsan.ini
	tests 'unit tests with TSan' build-tsan --suite unit
	step 'clang-tidy' tidy_all
	build 'build the fuzz targets' build-fuzz --native-file tests/setup/fuzz.ini -Dfuzz=true
	step 'fuzz, a fixed number of inputs' sh tools/fuzz.sh --fixed
	step 'Debian package' sh tests/suites/package.sh
	step 'archive' bash tests/suites/archive.sh
	step 'recipes of other systems' bash tests/suites/source.sh
	step 'Debian 13' sh tests/suites/trixie.sh
	;;
esac
step 'nothing left in the tree' clean_tree
finish_judging
