#!/bin/sh
# mount.sh - listings, opens and durable puts on one mounted store; at the end the daemon's memory
. "$(dirname "$0")/lib.sh"
need_fuse
ulimit -n "$(ulimit -Hn)" # passthrough_ll keeps a descriptor for each file
big=${ITEMFS_BENCH_BIG:-1000000}
small=${ITEMFS_BENCH_SMALL:-100000}
files=${ITEMFS_BENCH_FILES:-15000}
partitions=200

# collection TABLE PK N - N small items of one partition
collection()
{
	awk -v pk="$2" -v n="$3" 'BEGIN { for (i = 1; i <= n; i++)
		printf "{\"PK\":\"%s\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d}\n", pk, i, i }'
}

row what ours peer ratio goal
itemctl -s "$store" create-table big --key PK,SK >/dev/null
collection big BIG "$big" | itemctl -s "$store" import big
collection big SMALL "$small" | itemctl -s "$store" import big
awk -v n="$files" -v p="$partitions" 'BEGIN { for (i = 0; i < n; i++)
	printf "{\"PK\":\"PART#%03d\",\"SK\":\"ITEM#%05d\",\"Status\":\"OPEN\",\"Total\":%d,\"Note\":\"a line of text\"}\n", i % p, i, i }' |
	itemctl -s "$store" import big

# --- listings against ext4 (or whatever is under the scratch folder), warm
mkdir "$work/BIG" "$work/SMALL"
(cd "$work/BIG" && awk -v n="$big" 'BEGIN { for (i = 1; i <= n; i++) printf "ITEM#%08d.json\n", i }' | xargs touch)
(cd "$work/SMALL" && awk -v n="$small" 'BEGIN { for (i = 1; i <= n; i++) printf "ITEM#%08d.json\n", i }' | xargs touch)
mount_at "$work/mnt" -o table=big
for dir in BIG SMALL; do
	[ "$(ls -U "$work/mnt/$dir" | wc -l)" = "$(ls -U "$work/$dir" | wc -l)" ]
done

ours=$(median ls -U "$work/mnt/BIG")
peer=$(median ls -U "$work/BIG")
row "ls -U of $big items, s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 1.5'
ours=$(median find "$work/mnt/BIG")
peer=$(median find "$work/BIG")
row "find of $big items, s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 1'
ls -lU "$work/mnt/SMALL" >/dev/null
ls -lU "$work/SMALL" >/dev/null
ours=$(median ls -lU "$work/mnt/SMALL")
peer=$(median ls -lU "$work/SMALL")
row "ls -lU of $small items, second run, s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 1.5'
unmount_at "$work/mnt"
wait_free

# --- open, read and close of random items against passthrough_ll over tmpfs, both with a cold kernel cache
example=/usr/share/doc/libfuse3-dev/examples/passthrough_ll.c
[ -e "$example" ] || example=$example.gz
peer_dir=$(mktemp -d /dev/shm/itemfs-bench.XXXXXX)
trap 'rm -rf "$peer_dir"; cleanup' EXIT
zcat -f "$example" >"$work/passthrough_ll.c"
zcat -f "${example%/*}"/passthrough_helpers.h* >"$work/passthrough_helpers.h"
# shellcheck disable=SC2046
gcc -O2 -w -o "$work/passthrough_ll" "$work/passthrough_ll.c" $(pkg-config --cflags --libs fuse3)
mount_at "$work/mnt" -o table=big
awk -v n="$files" -v p="$partitions" 'BEGIN { for (i = 0; i < n; i++) printf "PART#%03d/ITEM#%05d.json\n", i % p, i }' |
	shuf --random-source="$examples/items.jsonl" >"$work/names" 2>/dev/null ||
	awk -v n="$files" -v p="$partitions" 'BEGIN { srand(7); for (i = 0; i < n; i++) printf "%f PART#%03d/ITEM#%05d.json\n", rand(), i % p, i }' |
	sort | cut -d' ' -f2 >"$work/names"
(cd "$work/mnt" && tar cf - PART#*) | tar xf - -C "$peer_dir"
unmount_at "$work/mnt"
wait_free

# opened PREFIX... - files/s of itemfs and of passthrough_ll, each freshly mounted, started with PREFIX
ours_opened()
{
	mkdir -p "$work/mnt"
	"$@" itemfs "$store" "$work/mnt" -o table=big
	mounted="$work/mnt $mounted"
	"$@" opens "$work/mnt" <"$work/names" | number
	unmount_at "$work/mnt"
	wait_free
}
peer_opened()
{
	mkdir -p "$work/peer"
	"$@" "$work/passthrough_ll" -o source="$peer_dir" "$work/peer"
	mounted="$work/peer $mounted"
	"$@" opens "$work/peer" <"$work/names" | number
	unmount_at "$work/peer"
}
clients_put()
{
	clients "$store" big put "$1" 3 0 | number
}
raw_put()
{
	raw sync "$work/raw-sync" "$1" 3 | number
}
middle()
{
	for _ in 1 2 3 4 5; do "$@"; done | sort -n | sed -n 3p
}
ours=$(middle ours_opened taskset -c 0)
peer=$(middle peer_opened taskset -c 0)
row "open+read+close, $files items, one CPU, files/s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 1'
ours=$(middle ours_opened env)
peer=$(middle peer_opened env)
row 'the same unpinned' "$ours" "$peer" "$(ratio "$ours" "$peer")" 'none'

# --- one daemon does all of it: a mount that lists and opens, then durable puts over the socket; then its memory
itemfs "$store" --no-mount -f >/dev/null &
owner=$!
trap 'kill $owner 2>/dev/null; rm -rf "$peer_dir"; cleanup' EXIT
until [ -S "$store/socket" ]; do sleep 0.05; done
mount_at "$work/mnt" -o table=big
ls -U "$work/mnt/BIG" >/dev/null
find "$work/mnt/BIG" >/dev/null
ls -lU "$work/mnt/SMALL" >/dev/null
opens "$work/mnt" <"$work/names" >/dev/null
unmount_at "$work/mnt"
for threads in 8 32; do
	ours=$(middle clients_put $threads)
	peer=$(middle raw_put $threads)
	row "durable puts over the socket, $threads clients, puts/s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 0.7'
done
memory=$(awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$owner/status")
row 'anonymous memory of the daemon, MB' "$memory" - - '< 300'
