#!/bin/sh
# mount.sh - durable puts over the socket of a mounted store, and the memory of the daemon after mixed use
. "$(dirname "$0")/lib.sh"
need_fuse
small=${ITEMFS_BENCH_SMALL:-100000}

row what ours peer ratio goal
itemctl -s "$store" create-table big --key PK,SK >/dev/null
awk -v n="$small" 'BEGIN { for (i = 1; i <= n; i++)
	printf "{\"PK\":\"SMALL\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d}\n", i, i }' |
	itemctl -s "$store" import big
clients_put()
{
	clients "$store" big put "$1" 3 0 | number
}
raw_put()
{
	raw sync "$work/raw-sync" "$1" 3 | number
}
itemfs "$store" --no-mount -f >/dev/null &
owner=$!
started="$owner $started"
wait_for test -S "$store/socket"
mount_at "$work/mnt" -o table=big
find "$work/mnt/SMALL" >/dev/null
ls -lU "$work/mnt/SMALL" >/dev/null
(cd "$work/mnt/SMALL" && cat ITEM#0000*.json) >/dev/null
unmount_at "$work/mnt"
for threads in 8 32; do
	ours=$(middle clients_put $threads)
	peer=$(middle raw_put $threads)
	row "durable puts over the socket, $threads clients, puts/s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 0.7'
done
memory=$(awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$owner/status")
row 'anonymous memory of the daemon, MB' "$memory" - - '< 300'
