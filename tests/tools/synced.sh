#!/bin/bash
# Directory entries are synced, too: those of a new store and its parts, and of a file that export writes.
. "$(dirname "$0")/lib.sh"

can_trace || exit 77

# synced PATH [AFTER] - test if this file or directory was synced, after the first line of the trace that contains
# AFTER
synced()
{
	awk -v path="<$1>" -v after="${2-}" '
		after == "" || index($0, after) { seen = 1 }
		seen && /fsync|fdatasync/ && index($0, path) { found = 1 }
		END { exit !found }' trace
}

watch=(-y -e trace=mkdir,mkdirat,openat,rename,renameat,renameat2,fsync,fdatasync)
W=$(readlink -f "$W")
ok traced "${watch[@]}" "$ITEMCTL" -s "$W/new" create-table tab --key PK
for name in "$W/new/FORMAT" "$W/new" "$W/new/db"; do
	ok synced "$name"
done
ok synced "$W" '/new", 0700'
ok synced "$W/new" '"db", 0700'
ok "$ITEMCTL" -s "$W/new" put tab '{"PK":"a"}'
mkdir folder
ok traced "${watch[@]}" "$ITEMCTL" -s "$W/new" export tab "$W/folder/file.jsonl"
ok grep -q 'rename.*folder/file.jsonl"' trace
ok synced "$W/folder" '/folder/file.jsonl")'
ok traced "${watch[@]}" sh -c 'cd "$1" && exec "$2" -s "$3" export tab file.csv' sh "$W/folder" "$ITEMCTL" "$W/new"
ok synced "$W/folder" '"file.csv")'
done_testing
