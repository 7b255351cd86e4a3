#!/bin/bash
# A store whose disk has lost something: who meets it is told so, nothing more is written, the rest can be
# read (filesystem.md section 6; store/DESIGN.md, "Durability").
. "$(dirname "$0")/lib.sh"

store --key PK,SK
seq 3000 | jq -c --arg v "$(head -c 400 /dev/zero | tr '\0' x)" '{PK:"p\(. % 3)",SK:"\(.)",v:($v + "\(. * 7919)")}' | ctl put tab - >/dev/null
ctl tables >/dev/null # opened again: what was in LevelDB's log is in a table now
table=$(ls -S "$S"/db/*.ldb | head -n 1)

# Some bytes in the middle.
printf 'nonsense' | dd of="$table" bs=1 seek=$(($(stat -c %s "$table") / 2)) conv=notrunc status=none

mnt m -o table=tab
eq 'a write before it is met' "$(echo '{}' >m/p0/new.json && sync m/p0/new.json && item tab p0 new)" '{"PK":"p0","SK":"new"}'
refused 'Input/output error' ls m/p0 m/p1 m/p2
told=$(tail -n 1 m/.itemfs/errors | cut -f 4-)
eq 'the reason is in the log' "$told" 'EIO	InternalServerError	Corruption: block checksum mismatch: a file of the database is damaged or missing: restore a backup'
eq 'why of the place' "$(reasons "$(tail -n 1 m/.itemfs/errors | cut -f 3)" | tail -n 1 | cut -f 4-)" "$told"
echo '{}' >one
refused 'Read-only file system' cp one m/p0/more.json
eq 'and why' "$(reasons m/p0/more.json | cut -f 4-)" 'EROFS	InternalServerError	The store is read-only: Corruption: block checksum mismatch: a file of the database is damaged or missing: restore a backup'
refused 'Read-only file system' rm m/p0/new.json
refused 'Read-only file system' mv m/p0/new.json m/p0/other.json
refused 'The store is read-only: Corruption' ctl put tab '{"PK":"p0","SK":"more"}'
eq 'the rest can be read' "$(item tab p0 new)" '{"PK":"p0","SK":"new"}'
refused 'Corruption' ctl check
unmnt m

done_testing
