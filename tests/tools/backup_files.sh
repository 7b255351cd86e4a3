#!/bin/bash
# backup and restore of stores with backups of tables: broken ones are reported and omitted, no other file is read,
# and an end in the middle, by a full disk or a signal, leaves nothing.
. "$(dirname "$0")/../lib.sh"
own_mounts "$@"
. "$(dirname "$0")/lib.sh"
unmount()
{
	umount -q "$W/tiny" "$W/mnt"
}
at_end 'unmount; clean_up'
begin
ctl -q create-table tab --key PK,SK:N
ctl -q create-table other --key PK:B
seq 1 300 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d}\n", $1 % 7, $1 }' | ctl -q import tab -
ctl put other '{"PK":{"B":"AAECAw=="},"n":1}'

# ---- a valid backup of a table
ok ctl call CreateBackup '{"TableName":"other","BackupName":"mine"}'
whole()
{
	ctl call ListBackups '{}' | jq -e 'all(.BackupSummaries[]; .BackupStatus == "AVAILABLE")' >/dev/null
}
wait_until 60 whole || fail 'the backup of the table does not end'
arn=$(ctl call ListBackups '{}' | jq -r .BackupSummaries[0].BackupArn)
ok ctl backup with
gives 2 'a backup cannot be in the store' ctl backup store/backups/x
eq 'its file is in the backup of the store' "$(ls with/backups)" "$(ls "$S/backups")"
ok itemctl_of withnew restore with
ok itemctl_of withnew call RestoreTableFromBackup "{\"BackupArn\":\"$arn\",\"TargetTableName\":\"again\"}"
eq 'it can be restored in the new store' "$(itemctl_of withnew scan again | wc -l)" 1

# ---- one that is broken in the store: reported and omitted, everything else is included
name=$(ls with/backups)
file=$S/backups/$name
mine="mine of the table other ($arn): its file is"
without()
{
	rm -rf "${1:?}" "$1new"
	gives 70 "$W/$1 is complete except for these broken backups of tables:" ctl -q backup "$1"
	eq 'the broken one is named with the reason' "$(tail -n +2 ok.err)" "  $mine $2"
	eq 'it is not in the backup' "$(ls -A "$1/backups")" ''
	ok itemctl_of "$1new" restore "$1"
	eq 'everything else is' "$(itemctl_of "$1new" scan tab --count) $(itemctl_of "$1new" call ListBackups '{}')" '300 {"BackupSummaries":[]}'
}
mv "$file" kept
without part1 'missing'
head -c 30 kept >"$file"
without part1 'damaged or cut short'
{ cat kept; echo more; } >"$file"
without part1 'damaged or cut short'
rm "$file"
mkfifo "$file"
without part1 'not a regular file'
rm "$file"
ln -s /dev/zero "$file"
without part1 'not a regular file'
rm -r "$file" part1 part1new
mv kept "$file"

# ---- one that is broken in the backup: refused, unless it is to be omitted; nothing waits, and no link is followed
refused()
{
	gives 70 'no store was created, because these backups of tables are broken (--without-broken restores everything else):' itemctl_of fresh restore with
	eq 'the broken one is named with the reason' "$(tail -n +2 ok.err)" "  $mine $1"
	gone fresh
	rm -rf less
	ok itemctl_of less restore with --without-broken
	eq 'the omitted one is reported' "$(head -n 1 ok.err)" "left out: $mine $1"
	eq 'and nothing else' "$(sed 1d ok.err | sed 's/[0-9][0-9.]*/N/g')" 'N records in N s'
	eq 'everything else is restored' "$(itemctl_of less scan tab --count) $(itemctl_of less call ListBackups '{}')" '300 {"BackupSummaries":[]}'
	ok itemctl_of less check
	rm -rf "with/backups/${name:?}"
}
mv "with/backups/$name" kept
refused 'missing'
head -c 30 kept >"with/backups/$name"
refused 'damaged or cut short'
: >"with/backups/$name"
refused 'not compressed'
echo '{"Item":{"PK":{"B":"AAECAw=="}}}' | gzip >"with/backups/$name"
gives 70 'its file does not have the bytes that were written' itemctl_of fresh restore with # complete, with the right number of items
{ zcat kept; zcat kept; } | gzip >"with/backups/$name"
gives 70 'its file does not have the items that were written' itemctl_of fresh restore with
rm "with/backups/$name"
mkfifo "with/backups/$name"
refused 'not a regular file'
mkdir "with/backups/$name"
refused 'not a regular file'
ln -s /dev/zero "with/backups/$name"
refused 'not a regular file'
mv with/backups away
refused 'missing'
ln -s away with/backups
gives 2 'with/backups is not a directory' itemctl_of fresh restore with
gone fresh
rm with/backups
mkfifo with/backups
gives 2 'with/backups is not a directory' itemctl_of fresh restore with
rm with/backups
mv away with/backups
ln -s "$PWD/kept" "with/backups/1-1.json.gz" # no record names it
cp kept "with/backups/$name"
ok itemctl_of whole restore with
eq 'only backups are restored' "$(ls whole/backups)" "$name"

# ---- a file that cannot be read is not damage, and is never omitted
if can_trace; then
	gives 70 "backups/$name: Input/output error" traced -P "$W/with/backups/$name" -e trace=read -e inject=read:error=EIO \
		"$ITEMCTL" -s fresh restore with --without-broken
	gone fresh
	gives 70 'reading the backup: Input/output error' traced -P "$W/with/BACKUP" -e trace=read -e inject=read:error=EIO:when=3 \
		"$ITEMCTL" -s fresh restore with --without-broken
	gone fresh
	gives 70 'Input/output error' traced -P "$W/fresh/FORMAT" -e trace=fsync -e inject=fsync:error=EIO \
		"$ITEMCTL" -s fresh restore with
	gone fresh
	if [ -z "${SERVED-}" ]; then # otherwise the owner reads
		gives 70 "backups/$name: Input/output error" traced -P "$file" -e trace=read -e inject=read:error=EIO \
			"$ITEMCTL" -s "$S" backup unread
		gone unread
		eq 'nothing is left' "$(left)" 0
	fi
fi
unprivileged()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --bounding-set=-dac_override,-dac_read_search "$@"
	else
		"$@"
	fi
}
chmod 0 "with/backups/$name"
gives 70 "backups/$name: Permission denied" unprivileged "$ITEMCTL" -s fresh restore with --without-broken
gone fresh

# ---- a disk that is really full
if mkdir tiny && mount -t tmpfs -o size=1m itemfs-test tiny 2>/dev/null; then
	for n in 1 2 3 4 5 6; do
		head -c 200000 /dev/urandom | base64 -w 0 | sed "s/.*/{\"PK\":{\"B\":\"AAA$n\"},\"text\":\"&\"}/" | ok ctl put other -
	done
	ok ctl backup large
	gives 70 'writing the backup: No space left on device' ctl backup tiny/x
	gives 70 'No space left on device' itemctl_of tiny/y restore large
	eq 'nothing is left' "$(ls -A tiny)" ''
	ok ctl call CreateBackup '{"TableName":"other","BackupName":"large"}'
	wait_until 60 whole || fail 'the backup of the table does not end'
	ok ctl backup larger
	gives 70 '.json.gz: No space left on device' ctl backup tiny/x
	gives 70 '.json.gz: No space left on device' itemctl_of tiny/y restore larger
	eq 'nothing is left' "$(ls -A tiny)" ''
	umount tiny
fi
ok ctl check

# ---- besides a mount, and not into it
mkdir mnt
if [ -z "${SERVED-}" ] && "$ITEMFS" "$S" mnt -o table=tab 2>/dev/null; then
	ok ctl backup beside
	for place in mnt/x mnt/k1/x; do
		gives 70 'Operation not permitted' ctl backup $place
	done
	eq 'nothing is left' "$(find mnt -maxdepth 2 -name '*x*')" ''
	umount mnt || fusermount3 -u mnt
	wait_until 20 test ! -e "$S/socket" || fail 'the mount stays'
	ok itemctl_of besidenew restore beside
	eq 'all items are restored' "$(itemctl_of besidenew scan tab | sha256sum)" "$(ctl scan tab | sha256sum)"
fi

# ---- Ctrl-C
if can_trace; then
	# Signals come while it reads, so nothing depends on timing.
	interrupted()
	{
		gives 130 '' traced -P "$W/$1" -e trace=read -e "inject=read:signal=INT:when=$2" \
			"$ITEMCTL" -s slowly restore "${1%%/*}"
		eq 'it reports its progress' "$(sed 's/[0-9.]* MB/N MB/' ok.err)" 'itemctl: interrupted after N MB; no store was created'
		gone slowly
	}
	interrupted with/BACKUP 3
	interrupted "with/backups/$name" 1
fi
if can_trace && [ -z "${SERVED-}" ]; then
	# While it copies the backup of a table: the first read is delayed.
	hold "$file" read "$ITEMCTL" -s "$S" backup held
	kill -INT $held
	none_left()
	{
		[ "$(left)" = 0 ]
	}
	wait_until 60 none_left || fail "there is still $(ls -d ./*part*)"
	let_go
	wait $held
	eq 'it ends by the signal' "$? $(cat held.err)" '130 itemctl: interrupted after 0.0 MB; nothing was kept'
	gone held
	eq 'nothing is left' "$(left)" 0

	# When it is about to be renamed and its folder cannot be removed: the final name never belongs to an incomplete
	# backup.
	hold '' renameat2,rmdir -e inject=rmdir:error=EBUSY "$ITEMCTL" -s "$S" backup held
	kill -INT $held
	half()
	{
		! ls held.part-*/BACKUP >/dev/null 2>&1
	}
	wait_until 60 half || fail 'it is not removed'
	let_go
	wait $held
	eq 'it ends by the signal' $? 130
	eq 'and reports it' "$(sed 's/[0-9.]* MB/N MB/' held.err)" 'itemctl: interrupted after N MB; nothing was kept'
	gone held
	eq 'nothing is left' "$(left)" 0
fi
done_testing
