#!/bin/bash
# A store whose disk has lost some bytes: each reader of them gets the reason, the store becomes read-only, and the
# rest can still be read (NAMESPACE 6; store/DESIGN.md, "Durability").
. "$(dirname "$0")/lib.sh"

store --key PK,SK
seq 3000 | jq -c --arg v "$(head -c 400 /dev/zero | tr '\0' x)" '{PK:"p\(. % 3)",SK:"\(.)",v:($v + "\(. * 7919)")}' | ctl put tab - >/dev/null
ctl tables >/dev/null # a second open moves LevelDB's log into a table
table=$(ls -S "$S"/db/*.ldb | head -n 1)

# Read everything, in every form.
answers=(.jsonl .json .csv p0/.jsonl p1/.json p2/.csv 'p1/.filter/attribute_exists(v)/.jsonl' 'p2/.filter/attribute_exists(v)/.count')
lists=(p0 p1 p2 p1/.reverse 'p2/.filter/attribute_exists(v)' p0/.limit/990)
mnt m -o table=tab
for i in "${!answers[@]}"; do cat "m/${answers[i]}" >"answer.$i"; done
for i in "${!lists[@]}"; do ls -U "m/${lists[i]}" >"list.$i"; done
eq 'all is there before the damage' "$(wc -l <answer.0) $(wc -l <list.1) $(wc -l <list.5)" '3000 1000 990'
unmnt m

# Change some bytes in the middle.
printf 'nonsense' | dd of="$table" bs=1 seek=$(($(stat -c %s "$table") / 2)) conv=notrunc status=none

mnt m -o table=tab
eq 'a write before the damage is found' "$(echo '{}' >m/p0/new.json && sync m/p0/new.json && item tab p0 new)" '{"PK":"p0","SK":"new"}'
refused 'Input/output error' ls m/p0 m/p1 m/p2
met=0
# whole_or_refused STATUS REFERENCE WHAT
whole_or_refused()
{
	checks=$((checks + 1))
	if [ "$1" != 0 ]; then
		met=$((met + 1))
		grep -q 'Input/output error' read.err || fail "$3: $(cat read.err)"
	elif ! grep -v '"\?new\b' is | cmp -s - "$2"; then # without the item above
		fail "$3 is short: $(wc -l <is) lines, not $(wc -l <"$2")"
	fi
}
reason="Corruption: block checksum mismatch: a table file in $S/db is damaged, and \"itemctl -s $S check\" names it: restore a backup"
told=$(tail -n 1 m/.itemfs/errors | cut -f 4-)
eq 'the reason is in the log' "$told" "EIO	InternalServerError	$reason"
eq 'why of the path has the reason' "$(reasons "$(tail -n 1 m/.itemfs/errors | cut -f 3)" | tail -n 1 | cut -f 4-)" "$told"
for i in "${!answers[@]}"; do
	cat "m/${answers[i]}" >is 2>read.err
	whole_or_refused $? "answer.$i" "${answers[i]}"
done
for i in "${!lists[@]}"; do
	ls -U "m/${lists[i]}" >is 2>read.err
	whole_or_refused $? "list.$i" "${lists[i]}"
done
eq 'most reads find the damage' "$([ $met -gt 5 ] && echo yes)" yes
echo '{}' >one
refused 'Read-only file system' cp one m/p0/more.json
eq 'why says that the store is read-only' "$(reasons m/p0/more.json | cut -f 4-)" "EROFS	InternalServerError	The store is read-only: $reason"
refused 'Read-only file system' rm m/p0/new.json
refused 'Read-only file system' mv m/p0/new.json m/p0/other.json
refused 'The store is read-only: Corruption' ctl put tab '{"PK":"p0","SK":"more"}'
eq 'the rest can be read' "$(item tab p0 new)" '{"PK":"p0","SK":"new"}'
command=${reason#*\"}
itemctl() { "$ITEMCTL" "$@"; }
refused "$table is damaged at byte" eval "${command%\"*}"
unmnt m

done_testing
