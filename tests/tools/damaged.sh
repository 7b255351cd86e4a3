#!/bin/bash
# One bit of the database is changed: each command either returns everything, or fails with status 70 and the command
# that names the file; no result is incomplete with status 0. Also the messages when the database is opened with a log
# that is missing or cut.
. "$(dirname "$0")/lib.sh"

ok ctl create-table tab --key PK,SK:N --gsi GSI=g
ok ctl alter tab --stream NEW_AND_OLD_IMAGES
python3 - >items.jsonl <<'EOF'
import json, random
random.seed(1)
for i in range(6000):
    print(json.dumps({"PK": "p%02d" % (i % 20), "SK": i, "g": "g%d" % (i % 3), "v": "%x" % random.getrandbits(400)}))
EOF
head -n 3000 items.jsonl | ok ctl put tab - # with put, so that there are stream records
ok ctl compact
tail -n 3000 items.jsonl | ok ctl put tab -
ok ctl compact
eq 'there are several files' "$([ "$(ls "$S"/db/*.ldb | wc -l)" -gt 1 ] && echo yes)" yes

# flip FILE BYTE - change one bit
flip()
{
	python3 -c 'import sys
with open(sys.argv[1], "r+b") as f:
    f.seek(int(sys.argv[2]))
    b = f.read(1)
    f.seek(-1, 1)
    f.write(bytes([b[0] ^ 16]))' "$1" "$2"
}

# Each command prints all that it reads. Most read in pages, which end before or after the damage.
reads=(
	'ctl_on scan tab'
	'ctl_on scan tab --count'
	'ctl_on scan tab --index GSI'
	'ctl_on scan tab --limit 5900'
	'ctl_on query tab p07'
	'ctl_on query tab p07 --reverse'
	'ctl_on query tab g1 --index GSI'
	'ctl_on query tab --prefix p --shards 00..19'
	'ctl_on export tab'
	'ctl_on export tab --to csv'
	'ctl_on export tab --to json --index GSI'
	'ctl_on tail tab --from start --once'
	'segments'
	'copied'
	'get_records'
)
ctl_on() { "$ITEMCTL" -s hurt "$@"; }

segments()
{
	local i
	for i in 0 1 2; do
		ctl_on call Scan "{\"TableName\":\"tab\",\"Segment\":$i,\"TotalSegments\":3}" || return
	done
}

copied()
{
	rm -rf other
	"$ITEMCTL" -s hurt copy tab --to ./other >/dev/null &&
		"$ITEMCTL" -s other scan tab
}

get_records()
(
	set -o pipefail
	arn=$(ctl_on call ListStreams '{"TableName":"tab"}' | jq -r '.Streams[0].StreamArn') || return
	shard=$(ctl_on call DescribeStream "{\"StreamArn\":\"$arn\"}" | jq -r '.StreamDescription.Shards[0].ShardId') || return
	at=$(ctl_on call GetShardIterator "{\"StreamArn\":\"$arn\",\"ShardId\":\"$shard\",\"ShardIteratorType\":\"TRIM_HORIZON\"}" | jq -r .ShardIterator) || return
	ctl_on call GetRecords "{\"ShardIterator\":\"$at\",\"Limit\":900}" | jq -c '.Records[].dynamodb.Keys'
)

ln -s "$S" hurt
i=0
for read in "${reads[@]}"; do
	$read >"whole.$((i++))" 2>read.err
	eq "$read of an undamaged store" "$?" 0
	eq "$read prints something" "$([ -s "whole.$((i - 1))" ] && echo yes)" yes
done
rm hurt

met=0
for file in "$S"/db/*.ldb; do
	size=$(stat -c %s "$file")
	for part in 1 3 5 7; do
		rm -rf hurt
		cp -a "$S" hurt
		flip "hurt/db/${file##*/}" $((size * part / 9))
		i=0
		for read in "${reads[@]}"; do
			$read >is 2>read.err
			status=$?
			checks=$((checks + 1))
			if [ $status = 0 ]; then
				cmp -s is "whole.$i" || fail "$read, ${file##*/} at $part/9: status 0, but not all"
			else
				met=$((met + 1))
				eq "$read, ${file##*/} at $part/9: $(cat read.err)" \
					"$status $(grep -c 'a table file in hurt/db is damaged, and "itemctl -s hurt check" names it: restore a backup' read.err)" '70 1'
			fi
			i=$((i + 1))
		done
		gives 70 '' ctl_on check
		eq "check names the file, at $part/9" "$(grep -c "store: hurt/db/${file##*/} is damaged at byte [0-9]*: restore a backup" <<<"$out")" 1
		gives 70 'hurt/db is damaged, and' ctl_on backup all
	done
done
eq 'many of the commands read the damaged block' "$([ $met -gt 20 ] && echo yes)" yes

# A copy in which each file is damaged in many places
hurt_all()
{
	rm -rf hurt
	cp -a "$S" hurt
	for file in hurt/db/*.ldb; do
		for part in 1 2 3 4 5 6 7 8; do
			flip "$file" $(($(stat -c %s "$file") * part / 9))
		done
	done
}

# ---- check names each file, goes on, and prints what can be read; nothing is repaired
hurt_all
for option in '' --repair; do
	timeout 250 "$ITEMCTL" -s hurt check $option >found 2>read.err
	eq "check $option" "$?" 70
	eq 'each file is named' "$(grep -c 'store: hurt/db/[0-9]*.ldb is damaged at byte [0-9]* and in [0-9]* other blocks*: restore a backup"}$' found)" "$(ls hurt/db/*.ldb | wc -l)"
	eq 'the number of readable items is printed' "$(grep -c '"table tab: [0-9]* of 6000 items can be read: .* is damaged, and ' found)" 1
	readable=$(sed -n 's/.*"table tab: \([0-9]*\) of 6000 items.*/\1/p' found)
	eq 'some of the items can be read' "$([ "${readable:-0}" -gt 3000 ] && [ "$readable" -lt 6000 ] && echo yes)" yes
	eq 'the number of readable stream records is printed' "$(grep -c '"store: of the stream records with sequence numbers from [0-9]* to [0-9]*, [0-9]* can be read and others cannot: ' found)" 1
	eq 'no consequences of the damage are reported as problems' "$(grep -vc ' is damaged' found)" 0
	eq 'everything readable is checked' "$(grep -c "^$readable items and [0-9]* index entries checked" read.err)" 1
done

# ---- an index that is added, and one that is dropped; the walks of both reach the damage
ctl_on_gsi() { timeout 250 "$ITEMCTL" -s hurt alter tab "$@"; }
for option in '--add-gsi=NEW=v' '--drop-gsi=GSI'; do
	hurt_all
	gives 70 'hurt/db is damaged, and' ctl_on_gsi "${option%%=*}" "${option#*=}"
done

# ---- through a server
hurt_all
whole=$S
S=$W/hurt
begin_server --listen 127.0.0.1:0
for store in "$S" "http://$(address log)"; do
	gives 70 "InternalServerError: Corruption: block checksum mismatch: a table file in $S/db is damaged, and" "$ITEMCTL" -s "$store" scan tab
	gives 70 'db is damaged, and' "$ITEMCTL" -s "$store" call Scan '{"TableName":"tab","Limit":5900}'
done
eq 'the response is a server error' "$(curl -s -o body -w '%{http_code}' -H 'Content-Type: application/x-amz-json-1.0' -H 'X-Amz-Target: DynamoDB_20120810.Scan' -d '{"TableName":"tab"}' "http://$(address log)/") $(jq -r .__type body)" \
	'500 com.amazonaws.dynamodb.v20120810#InternalServerError'
end_server
S=$whole

# ---- a missing log
rm -rf hurt
cp -a "$S" hurt
ok ctl_on put tab '{"PK":"new","SK":1}'
log=$(ls hurt/db/*.log)
mv "$log" kept
gives 70 "${log#hurt/} is missing" ctl_on check
gives 70 "touch " ctl_on scan tab
mv kept "$log"
ok ctl_on get tab new 1
eq 'a restored log is read' "$(jq -r .PK <<<"$out")" new

# ---- a log that lost what was on disk: its end, or all of it
rm -rf attribute hurt
: >attribute
if here python3 && { python3 -c 'import os; os.setxattr("attribute", "user.a", b"b")' 2>/dev/null || without 'there are no extended attributes here'; }; then
	for size in -1 0; do
		rm -rf hurt
		cp -a "$S" hurt
		ok ctl_on put tab '{"PK":"new","SK":1}'
		log=$(ls hurt/db/*.log)
		cp -a "$log" kept
		bytes=$(stat -c %s "$log")
		truncate -s "$size" "$log"
		for command in check 'scan tab' 'put tab {"PK":"more","SK":1}'; do
			gives 70 "$log is $([ "$size" = 0 ] && echo 'cut short, or an older copy' || echo damaged): $bytes bytes of it were on disk, and 0 are valid" ctl_on $command
		done
		cp -a kept "$log"
		ok ctl_on get tab new 1
		eq 'a restored log is read' "$(jq -r .PK <<<"$out")" new
		cp -a kept "$log"
	done

	# an owner that goes on and is killed: the first write of its log is known
	rm -rf hurt
	cp -a "$S" hurt
	S=$W/hurt begin_server
	ok ctl_on put tab '{"PK":"new","SK":1}'
	kill -KILL "$server"
	wait "$server" 2>/dev/null
	server=
	log=$(ls hurt/db/*.log)
	cp -a "$log" kept
	: >"$log"
	gives 70 "$log is cut short, or an older copy: $(stat -c %s kept) bytes of it were on disk, and 0 are valid" ctl_on scan tab
	cp -a kept "$log"
	ok ctl_on get tab new 1

	# an older copy that is written over the store: the suggested command is pasted, and opens it in its older state,
	# with its mode
	rm -rf hurt copy
	cp -a "$S" hurt
	S=$W/hurt begin_server
	ok ctl_on put tab '{"PK":"old","SK":1}'
	cp -r hurt/db copy
	ok ctl_on put tab '{"PK":"new","SK":1}'
	end_server
	log=$(ls hurt/db/*.log)
	cp -r copy/. hurt/db/
	gives 70 'which keeps all writes in the file' ctl_on scan tab
	ok bash -c "$(sed 's/[^"]*"\([^"]*\)".*/\1/' <<<"$err")"
	eq 'only its owner has access' "$(stat -c %a "$log")" 600
	ok ctl_on get tab old 1
	gives 1 '' ctl_on get tab new 1
fi

# ---- a log whose end was cut, where it is unknown what was on disk: reported once, with the number of bytes
rm -rf hurt
cp -a "$S" hurt
ok ctl_on put tab '{"PK":"new","SK":1}'
log=$(ls hurt/db/*.log)
rm -f kept
cp "$log" kept # without attributes
truncate -s -1 kept
mv kept "$log"
left=$(stat -c %s "$log")
ok ctl_on scan tab --count
eq 'it is reported' "$(grep -c "its last $left bytes are an incomplete write" <<<"$err")" 1
ok ctl_on scan tab --count
eq 'only once' "$err" ''

done_testing
