#!/bin/sh
# files.sh - open, stat and create small files, compared with passthrough_ll, a trivial FUSE daemon and tmpfs
. "$(dirname "$0")/lib.sh"
need_fuse
ulimit -n "$(ulimit -Hn)" # passthrough_ll keeps a descriptor per file
files=${ITEMFS_BENCH_FILES:-15000}
partitions=200
row what ours peer ratio goal

itemctl -s "$store" create-table big --key PK,SK >/dev/null
awk -v n="$files" -v p="$partitions" 'BEGIN { for (i = 0; i < n; i++)
	printf "{\"PK\":\"PART#%03d\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d,\"Note\":\"a line of text\"}\n", i % p, i, i }' |
	itemctl -s "$store" import big
awk -v n="$files" -v p="$partitions" 'BEGIN { srand(7); for (i = 0; i < n; i++)
	printf "%f PART#%03d/ITEM#%08d.json\n", rand(), i % p, i }' | sort | cut -d' ' -f2 >"$work/names"

# an example of libfuse, from its package
example=/usr/share/doc/libfuse3-dev/examples/passthrough_ll.c
[ -e "$example" ] || example=$example.gz
zcat -f "$example" >"$work/passthrough_ll.c"
zcat -f "${example%/*}"/passthrough_helpers.h* >"$work/passthrough_helpers.h"
# shellcheck disable=SC2046
gcc -O2 -w -o "$work/passthrough_ll" "$work/passthrough_ll.c" $(pkg-config --cflags --libs fuse3)

tmpfs=$(mktemp -d /dev/shm/itemfs-bench.XXXXXX)
trap 'rm -rf "$tmpfs"; cleanup' EXIT
mount_at "$work/mnt" -o table=big
(cd "$work/mnt" && tar cf - PART#*) | tar xf - -C "$tmpfs"
unmount_at "$work/mnt"
wait_free
mkdir -p "$work/peer"

# run MODE THREADS DIR - print files/s; "$pin" is put before each command
run()
{
	case $1 in
	create)
		for i in 0 1; do mkdir "$3/NEW#$i"; done
		$pin files create "$3" "$2" "$files" | number
		rm -rf "$3"/NEW#*
		;;
	*) $pin files "$1" "$3" "$2" <"$work/names" | number ;;
	esac
}
# on_itemfs, on_passthrough SOURCE, on_trivial: MODE THREADS - the same with a new mount
on_itemfs()
{
	mkdir -p "$work/mnt"
	$pin itemfs "$store" "$work/mnt" -o table=big
	mounted="$work/mnt $mounted"
	run "$1" "$2" "$work/mnt"
	unmount_at "$work/mnt"
	wait_free
}
on_passthrough()
{
	$pin "$work/passthrough_ll" -o source="$1" "$work/peer"
	mounted="$work/peer $mounted"
	run "$2" "$3" "$work/peer"
	unmount_at "$work/peer"
}
on_trivial()
{
	$pin trivial "$partitions" "$files" "$work/peer" &
	wait_for mountpoint -q "$work/peer"
	mounted="$work/peer $mounted"
	run "$1" "$2" "$work/peer"
	unmount_at "$work/peer"
	wait $!
}
# compare WHAT GOAL OURS PEER
compare()
{
	row "$1" "$3" "$4" "$(ratio "$3" "$4")" "$2"
}

pin=
for n in 1 2; do
	compare "open+read+close, $n threads (peer: passthrough_ll, tmpfs), files/s" '>= 2' \
		"$(middle on_itemfs open $n)" "$(middle on_passthrough "$tmpfs" open $n)"
done
pin='taskset -c 0'
compare 'open+read+close, one CPU (peer: a trivial daemon), files/s' '>= 0.7' \
	"$(middle on_itemfs open 1)" "$(middle on_trivial open 1)"
compare 'create+write+close, one CPU (peer: a trivial daemon), files/s' '>= 0.6' \
	"$(middle on_itemfs create 1)" "$(middle on_trivial create 1)"
pin=
compare 'stat of names in the cache (peer: tmpfs), files/s' '>= 0.75' \
	"$(middle on_itemfs stat 1)" "$(middle run stat 1 "$tmpfs")"
mkdir "$work/ext4"
for n in 1 2; do
	compare "create+write+close, $n threads (peer: passthrough_ll, ext4), files/s" '>= 1' \
		"$(middle on_itemfs create $n)" "$(middle on_passthrough "$work/ext4" create $n)"
done
