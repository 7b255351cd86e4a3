#!/bin/bash
# Copies by programs that trust sizes: generated files, and sources in another form than the mount writes.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G,H'
ctl create-table sim --key ID >/dev/null
seq 1234 | jq -c '{PK:"p",SK:tostring,G:"x",H:tostring}' | ctl import tab /dev/stdin 2>/dev/null
mnt all
mnt m -o table=tab
mkdir m/empty

# ---- sizes of generated files

for f in m/p/.count m/.count m/empty/.count m/.index/gsi/x/.count m/.index/gsi/.count all/sim/.count m/.table.json m/.itemfs/README \
	m/.itemfs/version m/.itemfs/config.json m/.itemfs/stats.json; do
	eq "the size of $f" "$(stat -c %s "$f")" "$(cat "$f" | wc -c)"
	mkdir -p tarred
	tar cf - "$f" 2>/dev/null | tar xf - -C tarred
	eq "tar of $f" "$(cat "tarred/$f" | wc -c)" "$(cat "$f" | wc -c)"
	for tool in 'wc -c' 'tail -n 1' 'tail -c 3' 'head -n 1' 'md5sum'; do
		eq "$tool $f" "$($tool "$f" | cut -d ' ' -f 1)" "$(cat "$f" | $tool | cut -d ' ' -f 1)"
	done
done
ctl put tab '{"PK":"empty","SK":"1"}' >/dev/null
eq 'a count is computed at each read' "$(cat m/empty/.count)$(stat -c %s m/empty/.count)" 12
for f in m/p/.jsonl m/p/.json m/p/.csv m/p/.reverse/.count m/.stream; do
	eq "$f has no size" "$(stat -c %s "$f")" 0
done
cp m/p/.jsonl copy
eq 'cp copies a file whose size is shown as 0' "$(wc -l <copy)" 1234
eq 'cat reads it whole' "$(cat m/p/.csv | wc -l)" 1235

# ---- rclone, with the flag that the manual gives

if here rclone; then
	export RCLONE_CONFIG=/dev/null
	mkdir -p src/d1 src/d2
	rclone=(rclone --ignore-size --retries 1 -v)
	transfers() { "${rclone[@]}" "$@" 2>&1 | sed -n 's/.*INFO *: \(.*\.json\): \(Copied\|Deleted\).*/\2 \1/p' | sort; }
	printf '{ "v": 1 }\n' >src/d1/a.json
	printf '{\n "v": 2\n}\n' >src/d1/b.json
	printf '{"PK":"d2","SK":"c","v":3}\n' >src/d2/c.json
	touch -d 2010-01-01 src/*/*
	mkdir one
	mnt r -o table=tab
	rm -r r/p r/empty
	eq 'rclone sync copies' "$(transfers sync src r)" 'Copied d1/a.json
Copied d1/b.json
Copied d2/c.json'
	eq 'the copies stay' "$(cat r/d1/*)" '{"PK":"d1","SK":"a","v":1}
{"PK":"d1","SK":"b","v":2}'
	eq 'a second run has nothing to do' "$(transfers sync src r)" ''
	printf '{ "v": 11 }\n' >src/d1/a.json
	rm src/d2/c.json
	eq 'a third run copies what has changed' "$(transfers sync src r)" 'Copied d1/a.json
Deleted d2/c.json'
	eq 'which is in the table' "$(item tab d1 a)$(item tab d2 c)" '{"PK":"d1","SK":"a","v":11}'
fi

done_testing
