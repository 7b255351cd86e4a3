#!/bin/sh
# campaign.sh TARGET - thirty seconds of new inputs for a fuzz target, from the committed corpus
#
# The same inputs in every run, that what is told is of the change. Others: ITEMFS_FUZZ_SEED=0 (by the clock).
set -u
name=${1##*/fuzz-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$scratch.log"' EXIT
if "$1" -seed="${ITEMFS_FUZZ_SEED:-1}" -max_total_time=30 -rss_limit_mb=4096 -timeout=20 -verbosity=0 -print_final_stats=0 \
	-artifact_prefix="$scratch/" "$scratch" "tests/fuzz/corpus/$name" >"$scratch.log" 2>&1; then
	echo "fuzz-$name: 30 s, nothing found"
	exit 0
fi
tail -n 40 "$scratch.log"
find "$scratch" -type f \( -name 'crash-*' -o -name 'timeout-*' -o -name 'oom-*' \) -exec base64 {} \;
exit 1
