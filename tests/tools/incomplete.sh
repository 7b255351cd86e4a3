#!/bin/bash
# A store that was copied in part: where CURRENT is missing, LevelDB creates a new database and removes the files of
# the old one.
. "$(dirname "$0")/lib.sh"

ctl -q create-table tab --key PK || exit 1
ctl -q put tab '{"PK":"1"}' || exit 1
ctl -q compact 2>/dev/null || exit 1
"$ITEMCTL" -q -s from create-table other --key PK || exit 1
mv "$S/db/CURRENT" kept
# sums - checksums of the store's files
sums()
{
	(cd "$S" && find . -type f ! -name LOCK -exec md5sum {} + | sort -k 2)
}
before=$(sums)

# refused_whole COMMAND... - check that it ends with status 70, prints the reason, and changes nothing
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
eq 'complete again, the store has its items' "$(ctl --format jsonl scan tab)" '{"PK":"1"}'

# ---- all of db is missing: in a store with any other content it is lost

mkdir "$S/buckets"
mv "$S/db" db
gives 70 'db/CURRENT is missing' ctl create-table tab --key PK
eq 'no new database is created' "$(ls "$S/db" 2>&1 | grep -c 'No such file')" 1
mv db "$S/db"
ok ctl get tab 1

# ---- an interrupted creation of a store leaves only FORMAT, or an empty database

for begun in '' MANIFEST-000001; do
	mkdir -p "made$begun"
	cp "$S/FORMAT" "made$begun"
	[ -z "$begun" ] || { mkdir "made$begun/db"; : >"made$begun/db/$begun"; : >"made$begun/db/LOCK"; }
	gives 70 'db/CURRENT is missing' "$ITEMCTL" -s "made$begun" tables
	ok "$ITEMCTL" -q -s "made$begun" create-table tab --key PK
done

# ---- an invalid FORMAT

mkdir foreign
echo garbage >foreign/FORMAT
gives 2 'foreign: not a store: its file FORMAT is not one of itemfs' "$ITEMCTL" -s foreign tables
gives 2 'FORMAT is not one of itemfs' "$ITEMCTL" -s foreign create-table tab --key PK
rm foreign/FORMAT
mkfifo foreign/FORMAT
gives 2 'FORMAT is not one of itemfs' timeout 250 "$ITEMCTL" -s foreign tables
done_testing
