#!/bin/bash
# A store that was copied in part: LevelDB makes a new database where CURRENT is missing, and removes the old one's files.
. "$(dirname "$0")/lib.sh"

ctl -q create-table tab --key PK || exit 1
ctl -q put tab '{"PK":"1"}' || exit 1
ctl -q compact 2>/dev/null || exit 1
"$ITEMCTL" -q -s from create-table other --key PK || exit 1
mv "$S/db/CURRENT" kept
# sums - of the store's files
sums()
{
	(cd "$S" && find . -type f ! -name LOCK -exec md5sum {} + | sort -k 2)
}
before=$(sums)

# refused_whole COMMAND... - it ends with 70, says why, and touches nothing
refused_whole()
{
	gives 70 "$S: a store without its database: db/CURRENT is missing" "$@"
	eq "nothing is changed by $1 ${*: -3}" "$(sums)" "$before"
}

refused_whole ctl tables
refused_whole ctl create-table tab --key PK
refused_whole ctl create-table tab --key PK --if-not-exists
refused_whole ctl serve
refused_whole "$ITEMCTL" -s from copy other --to "$S"
if [ -x "$ITEMFS" ]; then
	mkdir m
	refused_whole "$ITEMFS" "$S" m --create
fi
mv kept "$S/db/CURRENT"
eq 'whole again, it has what it had' "$(ctl --format jsonl scan tab)" '{"PK":"1"}'

# ---- all of db is missing: of a store that has anything else it is lost

mkdir "$S/buckets"
mv "$S/db" db
gives 70 'db/CURRENT is missing' ctl create-table tab --key PK
eq 'no new one is made' "$(ls "$S/db" 2>&1 | grep -c 'No such file')" 1
mv db "$S/db"
ok ctl get tab 1

# ---- what ends while a store is made leaves FORMAT, or a database that has not begun

for begun in '' MANIFEST-000001; do
	mkdir -p "made$begun"
	cp "$S/FORMAT" "made$begun"
	[ -z "$begun" ] || { mkdir "made$begun/db"; : >"made$begun/db/$begun"; : >"made$begun/db/LOCK"; }
	gives 70 'db/CURRENT is missing' "$ITEMCTL" -s "made$begun" tables
	ok "$ITEMCTL" -q -s "made$begun" create-table tab --key PK
done

# ---- a FORMAT that is none

mkdir foreign
echo garbage >foreign/FORMAT
gives 2 'foreign: not a store: its file FORMAT is none of itemfs' "$ITEMCTL" -s foreign tables
gives 2 'FORMAT is none of itemfs' "$ITEMCTL" -s foreign create-table tab --key PK
rm foreign/FORMAT
mkfifo foreign/FORMAT
gives 2 'FORMAT is none of itemfs' timeout 250 "$ITEMCTL" -s foreign tables
done_testing
