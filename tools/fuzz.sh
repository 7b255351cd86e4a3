#!/bin/sh
# fuzz.sh - starting from the committed corpus, look for new inputs that break a fuzz target; one target per processor at a time
#
#   sh tools/fuzz.sh [--seconds N] [--seed S] [TARGET...]      30 seconds a target, another seed each time
#   sh tools/fuzz.sh --fixed                                   the inputs of tests/fuzz/runs.txt, the same in every run
#
# Needs: meson setup build-fuzz --native-file tests/setup/fuzz.ini -Dfuzz=true && ninja -C build-fuzz
# What it finds is printed as base64: add it to tests/fuzz/corpus/TARGET when the bug is fixed.
set -u
cd "$(dirname "$0")/.." || exit 2
usage()
{
	echo "usage: sh tools/fuzz.sh [--fixed | --seconds N] [--seed S] [TARGET...]" >&2
	exit 2
}
seconds=30 seed=$(date +%s) fixed= one=
while [ $# -gt 0 ]; do
	case $1 in
	--fixed) fixed=1 seed=1 ;;
	--seconds) seconds=${2:?a number of seconds} && shift ;;
	--seed) seed=${2:?a seed} && shift ;;
	--one) one=1 ;; # how this script calls itself
	-*) usage ;;
	*) break ;;
	esac
	shift
done
names=$*
[ -n "$names" ] || names=$(cut -d ' ' -f 1 tests/fuzz/runs.txt)
for name in $names; do
	grep -q "^$name " tests/fuzz/runs.txt || {
		echo "fuzz.sh: $name is not a target; the targets are: $(cut -d ' ' -f 1 tests/fuzz/runs.txt | tr '\n' ' ')" >&2
		exit 2
	}
	[ -x "build-fuzz/tests/fuzz-$name" ] || {
		echo "fuzz.sh: build-fuzz/tests/fuzz-$name is not built: see the head of this script" >&2
		exit 2
	}
done

if [ -z "$one" ]; then
	echo "seed $seed"
	echo "$names" | tr ' ' '\n' | xargs -P "$(nproc)" -n 1 sh tools/fuzz.sh ${fixed:+--fixed} --seconds "$seconds" --seed "$seed" --one
	exit
fi

runs=$(sed -n "s/^$names //p" tests/fuzz/runs.txt)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/new"
find "tests/fuzz/corpus/$names" -type f | LC_ALL=C sort | paste -sd, >"$scratch/seeds" # sorted, because the order of find depends on the file system
# -timeout: an input that takes longer is a hang, even on the slowest machine.
if "build-fuzz/tests/fuzz-$names" -seed="$seed" "$([ -n "$fixed" ] && echo "-runs=$runs" || echo "-max_total_time=$seconds")" \
	-reload=0 -rss_limit_mb=4096 -timeout=600 -print_final_stats=1 -artifact_prefix="$scratch/" \
	-seed_inputs="@$scratch/seeds" "$scratch/new" >"$scratch/log" 2>&1; then
	echo "fuzz-$names: $(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log") inputs, nothing found"
else
	tail -n 40 "$scratch/log"
	echo "fuzz-$names FAILED with seed $seed; the input as base64:"
	find "$scratch" -maxdepth 1 -type f \( -name 'crash-*' -o -name 'timeout-*' -o -name 'oom-*' -o -name 'leak-*' \) -exec base64 {} \;
	exit 1
fi
