#!/bin/sh
# terminals.sh - a collection of a million items read as one text, compared with LevelDB alone and with its files
. "$(dirname "$0")/lib.sh"
need_fuse
big=${ITEMFS_BENCH_BIG:-1000000}
small=${ITEMFS_BENCH_SMALL:-100000}

# collection PK N - print N small items of one partition
collection()
{
	awk -v pk="$1" -v n="$2" 'BEGIN { for (i = 1; i <= n; i++)
		printf "{\"PK\":\"%s\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d}\n", pk, i, i }'
}
# rate N COMMAND... - print the items/s of a command that reads N items
rate()
{
	items=$1
	shift
	echo "$items $(median "$@")" | awk '{ printf "%.0f\n", $1 / $2 }'
}
raw_walk()
{
	raw walk "$store" big BIG | number
}
cat_files()
{
	(cd "$work/mnt/SMALL" && bash -c "printf '%s\\0' *" | xargs -0 cat)
}

row what ours peer ratio goal
itemctl -s "$store" create-table big --key PK,SK >/dev/null
collection BIG "$big" | itemctl -s "$store" import big
collection SMALL "$small" | itemctl -s "$store" import big
peer=$(middle raw_walk)
mkdir -p "$work/mnt"
itemfs "$store" "$work/mnt" -f -o table=big >/dev/null &
owner=$!
mounted="$work/mnt $mounted"
wait_for mountpoint -q "$work/mnt"
[ "$(wc -l <"$work/mnt/BIG/.jsonl")" = "$big" ]
ours=$(rate "$big" cat "$work/mnt/BIG/.jsonl")
row "cat .jsonl of $big items (peer: a raw iterator), items/s" "$ours" "$peer" "$(ratio "$ours" "$peer")" '>= 0.5'
files=$(rate "$small" cat_files)
row "the same (peer: cat * of $small), items/s" "$ours" "$files" "$(ratio "$ours" "$files")" '>= 20'
row '.json, items/s' "$(rate "$big" cat "$work/mnt/BIG/.json")" - - none
row '.csv, items/s' "$(rate "$big" cat "$work/mnt/BIG/.csv")" - - none
row '.filter/Total < 0/.jsonl, items/s' "$(rate "$big" cat "$work/mnt/BIG/.filter/Total < 0/.jsonl")" - - none
row '.count, s' "$(median cat "$work/mnt/BIG/.count")" - - none
row 'anonymous memory of the daemon, MB' "$(awk '/^RssAnon/ { printf "%d\n", $2 / 1024 }' "/proc/$owner/status")" - - none
unmount_at "$work/mnt"
wait "$owner"
