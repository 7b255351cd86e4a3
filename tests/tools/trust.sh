#!/bin/bash
# Which stores are opened depending on their owner, what is never opened, and that a store is private to its owner.
. "$(dirname "$0")/lib.sh"

nobody=65534
chmod 755 .
mkdir bin home
cp "$ITEMCTL" bin
cp "$ITEMFS" bin/itemfs
as_nobody()
{
	setpriv --reuid $nobody --regid $nobody --clear-groups -- "$@"
}

# widest FOLDER - print the modes of its files and folders that give access to others
widest()
{
	find "$1" -perm /077 -printf '%P %m\n' | sort
}

# ---- a store is private, whatever the umask, also if its directory existed before

mkdir open
chmod 755 open
for mask in 0 022 077 0777; do
	rm -rf open/* fresh
	(umask $mask; "$ITEMCTL" -q -s open create-table tab --key K; "$ITEMCTL" -q -s fresh create-table tab --key K
		"$ITEMCTL" -q -s open put tab '{"K":"secret"}')
	eq "umask $mask: db/" "$(stat -c %a open/db fresh fresh/db | tr '\n' ' ')" '700 700 700 '
	eq "umask $mask: files" "$(widest open/db; widest fresh)" ''
done
(umask 0; "$ITEMCTL" -q -s open call CreateBackup '{"TableName":"tab","BackupName":"daily"}' >/dev/null)
eq 'backups' "$(stat -c %a open/backups; widest open/backups)" 700

# files that the user names have the modes that the umask leaves
(umask 027; "$ITEMCTL" -q -s open export tab out.jsonl; "$ITEMCTL" -q -s open export tab out --to dynamodb-export)
eq 'exports' "$(stat -c %a out.jsonl out out/data out/manifest-summary.json | tr '\n' ' ')" '640 750 750 640 '
if here setfacl && mkdir acl && setfacl -d -m u::rwx,g::-,o::- acl 2>/dev/null; then
	(umask 0; "$ITEMCTL" -q -s open export tab acl/out.jsonl)
	eq 'a default ACL decides' "$(stat -c %a acl/out.jsonl)" 600
fi

# ---- an older store becomes private when its owner opens it, which is reported once

chmod 755 open/db open/backups
chmod 644 open/db/* open/backups/*
mkdir -m 755 open/rejected open/damaged
echo text >open/rejected/text
"$ITEMCTL" -q -s open tables >/dev/null 2>said
"$ITEMCTL" -q -s open tables >/dev/null 2>>said
eq 'reported once' "$(sed 's/^[^ ]* //' said)" 'itemfs: open: other users had access to db, backups, rejected, damaged: now only the owner has'
eq 'no access for others is left' "$(widest open)" ' 755'

# ---- a store that others can write to may contain anything

for dir in open open/db; do
	chmod 707 $dir
	gives 2 "other users can write to $dir (mode 07" "$ITEMCTL" -s open tables
	ok env ITEMFS_TRUST_STORE="/nowhere:$W/open" "$ITEMCTL" -q -s open tables
	mkdir -p config/itemfs
	chmod 707 $dir
	printf '[other]\ntrust = *\n' >config/itemfs/config
	gives 2 "\"trust = $W/open\" in $W/config/itemfs/config" "$ITEMCTL" -s open tables
	printf 'trust = %s\n' "$W/open" >config/itemfs/config
	ok "$ITEMCTL" -q -s open tables
	chmod 707 $dir
	chmod o+w config/itemfs/config
	gives 2 "other users can write to $W/config/itemfs/config" "$ITEMCTL" -s open tables
	rm config/itemfs/config
	chmod 700 $dir
done
ln -s open link
ok "$ITEMCTL" -q -s link tables
mv open/db elsewhere
ln -s ../elsewhere open/db
gives 2 'not behind a symbolic link' "$ITEMCTL" -s open tables
rm open/db
mv elsewhere open/db

# ---- files that do not belong to a database are not opened

mkfifo open/db/000001.log
gives 70 'open/db/000001.log is a pipe' timeout 250 "$ITEMCTL" -s open tables
rm open/db/000001.log
mkfifo FIFO
mv open/db/CURRENT kept
mv FIFO open/db/CURRENT
gives 70 'open/db/CURRENT is a pipe' timeout 250 "$ITEMCTL" -s open tables
mv kept open/db/CURRENT

# ---- a parent directory that is replaced after the check has no effect

mkdir -m 700 above other
"$ITEMCTL" -q -s above/store create-table mine --key K
"$ITEMCTL" -q -s other/store create-table theirs --key K
if can_trace; then
	export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	hold "$W/above/store" faccessat2 "$ITEMCTL" -q -s above/store tables >names
	mv above away
	mv other above
	let_go
	wait "$held"
	eq 'the checked store is opened' "$(grep -o "mine\|theirs" names)" mine
	mv above other
	mv away above
fi

[ "$(id -u)" = 0 ] || done_testing

# ---- a store of another user: a link in it would be written through

chown $nobody home
as_nobody bin/itemctl -q -s home/store create-table tab --key K
echo precious >victim
as_nobody ln -s "$W/victim" home/store/db/999999.log
theirs="home/store belongs to the user nobody, who could make you overwrite your own files. If you trust its contents: set ITEMFS_TRUST_STORE=$W/home/store"
for command in tables 'scan tab' check 'put tab {"K":"x"}' 'backup copy' compact; do
	gives 2 "$theirs" "$ITEMCTL" -s home/store $command
done
gives 2 "$theirs" "$ITEMCTL" -s open copy tab --to home/store
gives 2 "$theirs" "$ITEMFS" home/store --no-mount -f
gives 2 "$theirs" "$ITEMFS" home/store --no-mount -f --create
mkdir -m 755 theirs
chown $nobody theirs
gives 2 'theirs belongs to the user nobody' "$ITEMCTL" -s theirs create-table tab --key K
ok "$ITEMCTL" -q -s open backup copy
gives 2 'theirs belongs to the user nobody' "$ITEMCTL" -s theirs restore copy
eq 'the target of the link is unchanged' "$(cat victim)" precious
eq 'root has written no files there' "$(find home theirs -user root)" ''
export ITEMFS_TRUST_STORE=$W/home/store
gives 70 "home/store/db/999999.log is a symbolic link" "$ITEMCTL" -s home/store tables
eq 'also if the store is allowed' "$(cat victim)" precious
rm home/store/db/999999.log
ln victim home/store/db/999999.log
gives 70 "home/store/db/999999.log is a hard link to a file with another owner" "$ITEMCTL" -s home/store tables
eq 'the target of a hard link is unchanged' "$(cat victim)" precious
rm home/store/db/999999.log
ok "$ITEMCTL" -q -s home/store tables
chown -R $nobody home/store
unset ITEMFS_TRUST_STORE

# ---- completion opens no stores of others

as_nobody ln -s "$W/victim" home/store/db/999999.log
offered()
{
	ITEMFS_TRUST_STORE='*' PATH=$PWD/bin:$PATH bash -c '. "$0"; words=(itemctl); store=$1; "${@:2}"' "$@"
}
eq 'itemctl' "$(offered "$SOURCE/tools/itemctl.bash" home/store _itemctl_tables)" ''
eq 'itemfs' "$(offered "$SOURCE/fs/itemfs.bash" '' _itemfs_ask home/store '')" ''
rm home/store/db/999999.log
eq 'not even a harmless one' "$(offered "$SOURCE/tools/itemctl.bash" home/store _itemctl_tables)$(offered "$SOURCE/fs/itemfs.bash" '' _itemfs_ask home/store '')" ''
eq 'root has written no files there' "$(find home -user root)" ''
eq 'stores of the user are completed' "$(offered "$SOURCE/tools/itemctl.bash" open _itemctl_tables) $(offered "$SOURCE/fs/itemfs.bash" '' _itemfs_ask open '')" 'tab tab'
eq 'the target of the link is unchanged' "$(cat victim)" precious

# ---- a bucket that is another user's link is not followed

as_nobody bin/itemctl -q -s home/store call UpdateContinuousBackups \
	'{"TableName":"tab","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}' >/dev/null
mkdir -m 700 mine
as_nobody mkdir home/store/buckets home/real
as_nobody ln -s "$W/mine" home/store/buckets/acme
as_nobody ln -s "$W/home/real" home/store/buckets/real
arn=$("$ITEMCTL" -s open --format jsonl describe tab | sed 's/.*"TableArn":"\([^"]*\)".*/\1/')
export ITEMFS_TRUST_STORE=$W/home/store
begin_export()
{
	"$@" -q -s home/store call ExportTableToPointInTime "{\"TableArn\":\"$arn\",\"S3Bucket\":\"$bucket\"}"
}
bucket=acme
gives 70 'home/store/buckets/acme is a link of another user: it is not followed' begin_export "$ITEMCTL"
eq 'nothing is written to its target' "$(ls mine)" ''
rm home/store/buckets/acme
ln -s "$W/mine" home/store/buckets/acme
ok begin_export "$ITEMCTL"
eq 'a link of the user is followed' "$(ls mine)" AWSDynamoDB
chown -R $nobody home/store
chown -h $nobody home/store/buckets/acme
bucket=real
ok as_nobody bin/itemctl -q -s home/store tables
ok begin_export as_nobody bin/itemctl
eq 'and so is the link of its owner' "$(ls home/real)" AWSDynamoDB

# ---- backups/ and damaged/ must not be links

as_nobody ln -s "$W/mine" home/store/backups
gives 70 'home/store/backups is not a directory: a store'"'"'s backups must be in the store itself, not behind a symbolic link' \
	"$ITEMCTL" -s home/store call CreateBackup '{"TableName":"tab","BackupName":"daily"}'
eq 'nothing is written to the target' "$(ls mine)" AWSDynamoDB
rm home/store/backups
unset ITEMFS_TRUST_STORE

# ---- no user opens a store of root, even if it is allowed; the message names the reason

chmod 755 open
gives 70 'Permission denied' as_nobody bin/itemctl -s open tables
done_testing
