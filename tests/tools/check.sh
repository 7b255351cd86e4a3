#!/bin/bash
# check --repair: each problem is reported with its repair, the next check finds none, nothing is lost.
. "$(dirname "$0")/lib.sh"

HARM=$(readlink -f "${HARM:-$SOURCE/build/tests/tools/harm}")
ok ctl create-table tab --key PK,SK:N --gsi GSI=g --lsi LSI=l --gsi KeysOnly=g/KEYS_ONLY
printf '{"PK":"%s","SK":%d,"g":"x","l":"m","v":[1,"é"]}\n' a 1 a 2 b 1 c 7 | ok ctl import tab
ok ctl check --repair
eq 'a valid store has no problem' "$out" ''
eq 'and prints only the summary' "$err" '4 items and 12 index entries checked'
ok "$ITEMCTL" -s one create-table tab --key PK --gsi GSI=g
ok "$ITEMCTL" -s one put tab '{"PK":"a","g":"x"}'
ok "$ITEMCTL" -s one check
eq 'the summary of one item' "$err" '1 item and 1 index entry checked'
ctl scan tab >before
ok "$HARM" "$S" list 69000000
table=$(printf '%s\n' "$out" | sed -n '1s/^69\(........\).*/\1/p')
item=69${table}0000
lsi=69${table}0001
counts=70$table
totals=63$table

# ---- index entries that can be rebuilt from the items
ok "$HARM" "$S" del "$lsi"
ok "$HARM" "$S" spoil "$counts"
ok "$HARM" "$S" del "$totals"
ok "$HARM" "$S" put "${counts}0001aabb0001" x
gives 70 'the store has ' ctl check
eq 'missing entries are found' "$(printf '%s\n' "$out" | grep -c 'index LSI has no entry for it"}$')" 4
ok ctl check --repair
eq 'each problem is reported with its repair' "$(printf '%s\n' "$out" | grep -vc ': \(it was written\|it was deleted\|they were written\)"}$')" 0
eq 'missing entries are written' "$(printf '%s\n' "$out" | grep -c 'index LSI has no entry for it: it was written"}$')" 4
ok test "$(expr "$err" : '\([0-9]*\) problems repaired')" -gt 8
ok ctl check
eq 'the next check finds no problem' "$out" ''
ctl scan tab >after
ok cmp before after
eq 'the index is complete' "$(ctl query tab a --index LSI --count)" 2
ok test ! -e "$S/damaged"

# ---- records that cannot be rebuilt
ok "$HARM" "$S" put 6900000063000061620001 lost
ok "$HARM" "$S" spoil "${item}62" # b
gives 70 'the store has ' ctl check
ok ctl check --repair
eq 'the unreadable item is moved' "$(printf '%s\n' "$out" | grep -c '{\\"PK\\":\\"b\\",\\"SK\\":1}: its record cannot be read: it was moved to damaged/.*jsonl"}$')" 1
eq 'so are its index entries' "$(printf '%s\n' "$out" | grep -c 'the table has no item for this entry: it was moved to damaged/')" 3
eq 'and keys of no table' "$(printf '%s\n' "$out" | grep -c 'that does not exist, number 99: 1 key was moved to damaged/')" 1
ok ctl check
eq 'only the owner can read the moved records' "$(stat -c %a "$S"/damaged "$S"/damaged/* | sort -u | tr '\n' ' ')" '600 700 '
eq 'each moved record is a line' "$(cat "$S"/damaged/* | wc -l)" 5
eq 'with its bytes' "$(cat "$S"/damaged/* | jq -r 'select(.Table == "tab" and .Index == null) | .Record.B' | base64 -d)" nonsense
cat "$S"/damaged/* | jq -c 'select(.Table == "tab" and .Item != null).Item' | sort -u >found
eq 'the moved index entry has the whole item' "$(wc -l <found)" 1
ok ctl import tab found
ctl scan tab >after
ok cmp before after
ok ctl check

# ---- through the process that owns the store, and elsewhere
ok "$HARM" "$S" del "$lsi"
begin_server --listen 127.0.0.1:0
gives 70 'the store has ' ctl check
ok ctl check --repair
eq 'repaired while its owner has it open' "$(printf '%s\n' "$out" | grep -c ': it was written"}$')" 4
ok ctl check
gives 2 '' "$ITEMCTL" -s "http://$(address log)" check --repair
halt "$server"
interruptible "$ITEMCTL" -s "$S" check 2>stopped.err &
check=$!
echo $check >pid
wait_until 10 asks pid || fail 'it makes no request'
kill -INT $check
wait $check
eq 'Ctrl-C ends the wait' "$? $(cat stopped.err)" '130 itemctl: interrupted'
kill -CONT "$server"
end_server
gives 2 'takes no value' ctl check --repair=yes

# ---- a stream record that cannot be decoded
ok "$ITEMCTL" -s streamed create-table tab --key PK --stream NEW_AND_OLD_IMAGES
printf '{"PK":"%s"}\n' a b c | ok "$ITEMCTL" -s streamed put tab -
ok "$ITEMCTL" -s streamed check
ok "$HARM" streamed list
ok "$HARM" streamed spoil "$(printf '%s\n' "$out" | grep '^72' | sed -n 2p)"
gives 70 'the store has 1 problem' "$ITEMCTL" -s streamed check
eq 'the stream record is named' "$(printf '%s\n' "$out" | grep -c 'store: the stream record with sequence number [0-9]* cannot be decoded"}$')" 1
ok "$ITEMCTL" -s streamed check --repair
eq 'and moved by a repair' "$(printf '%s\n' "$out" | grep -c 'cannot be decoded: it was moved to damaged/')" 1
ok "$ITEMCTL" -s streamed check
ok "$ITEMCTL" -s streamed tail tab --from start --once
eq 'the other records are there' "$(printf '%s\n' "$out" | wc -l)" 2

# ---- files of LevelDB
ok ctl compact
table_file=$(ls -S "$S"/db/*.ldb | head -n 1)
cp -a "$S" harmed
printf 'XXXXXXXX' | dd of="harmed/db/${table_file##*/}" bs=1 seek=20 conv=notrunc status=none
for option in '' --repair; do
	gives 70 'restore a backup' "$ITEMCTL" -s harmed check $option
done
rm harmed/db/MANIFEST-*
gives 70 'restore a backup' "$ITEMCTL" -s harmed check --repair
done_testing
