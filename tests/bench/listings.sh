#!/bin/sh
# listings.sh - a directory of a million items: ls, find, glob against ext4, ls -l against a trivial daemon; memory
. "$(dirname "$0")/lib.sh"
need_fuse
big=${ITEMFS_BENCH_BIG:-1000000}

itemctl -s "$store" create-table big --key PK,SK >/dev/null
awk -v n="$big" 'BEGIN { for (i = 0; i < n; i++)
	printf "{\"PK\":\"BIG\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d}\n", i, i }' |
	itemctl -s "$store" import big
plain=$work/BIG
mkdir "$plain"
(cd "$plain" && awk -v n="$big" 'BEGIN { for (i = 0; i < n; i++) printf "ITEM#%08d.json\n", i }' | xargs touch)

# first COMMAND... - print the seconds of a command in the directory of a new mount
first()
{
	mount_at "$work/mnt" -o table=big
	(cd "$work/mnt/BIG" && seconds "$@")
	unmount_at "$work/mnt"
	wait_free
}
trivial_first()
{
	mkdir -p "$work/trivial"
	trivial 1 "$big" "$work/trivial" &
	wait_for mountpoint -q "$work/trivial"
	mounted="$work/trivial $mounted"
	(cd "$work/trivial/PART#000" && seconds "$@")
	unmount_at "$work/trivial"
	wait $!
}
# of_three COMMAND... - print the median of three runs
of_three()
{
	for _ in 1 2 3; do "$@"; done | sort -n | sed -n 2p
}
glob()
{
	bash -c 'set -- *; [ $# -gt 1 ]'
}
# compare WHAT GOAL COMMAND... - run the command in the mounted directory and in the plain one
compare()
{
	what=$1 goal=$2
	shift 2
	ours=$(cd "$work/mnt/BIG" && median "$@")
	peer=$(cd "$plain" && median "$@")
	row "$what of $big items, s" "$ours" "$peer" "$(ratio "$ours" "$peer")" "$goal"
}

row what ours peer ratio goal
ls -U "$plain" >/dev/null
ours=$(of_three first ls -U)
peer=$(cd "$plain" && median ls -U)
row "ls -U of $big items, first time, s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 1'
mount_at "$work/mnt" -o table=big
[ "$(ls -U "$work/mnt/BIG" | wc -l)" = "$big" ]
compare 'ls -U again' '<= 1' ls -U
compare find '<= 1.25' find .
compare 'glob in bash' '<= 1.25' glob
unmount_at "$work/mnt"
wait_free
ours=$(of_three first ls -lU)
peer=$(of_three trivial_first ls -lU)
row "ls -lU of $big items (peer: a trivial FUSE daemon), s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 1.3'

# --- memory of the daemon while the kernel caches a million names, and after it has dropped them
itemfs "$store" "$work/mnt" -f -o table=big >/dev/null &
owner=$!
mounted="$work/mnt $mounted"
memory()
{
	awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$owner/status"
}
wait_for mountpoint -q "$work/mnt"
ls -lU "$work/mnt/BIG" >/dev/null
row 'anonymous memory after ls -lU, MB' "$(memory)" - - none
if [ -w /proc/sys/vm/drop_caches ]; then
	echo 2 >/proc/sys/vm/drop_caches
	tries=0
	while [ "$(memory)" -ge 300 ] && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	row 'the same after the kernel has dropped all names, MB' "$(memory)" - - '< 300'
fi
