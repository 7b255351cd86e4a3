#!/bin/bash
# backup and restore: everything is restored, from one moment, and incomplete backups do not exist.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByKind=kind,SK:N/KEYS_ONLY --lsi ByOdd=odd --ttl at --stream NEW_IMAGE
ctl -q create-table other --key PK:B
seq 1 30000 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d,\"kind\":\"%s\",\"odd\":\"%d\",\"text\":\"%0100d\"}\n", $1 % 70, $1, substr("xyz", $1 % 3 + 1, 1), $1 % 2, $1 }' >all.jsonl
ctl -q import tab all.jsonl
ctl put other '{"PK":{"B":"AAECAw=="},"n":1}'
all()
{
	local t
	for t in tab other; do
		itemctl_of "$1" describe $t | jq -cS 'del(.TableStatus)'
		itemctl_of "$1" scan $t
	done
	itemctl_of "$1" scan tab --index ByKind
	itemctl_of "$1" query tab k7 --index ByOdd
}

ok ctl backup copy
eq 'backup reports what it wrote' "$(printf %s "$err" | sed 's/[0-9][0-9.]*/N/g')" 'N records, N MB, in N s'
eq 'its files' "$(ls copy | tr '\n' ' ')$(head -1 copy/BACKUP)" 'BACKUP itemfs backup 1'
eq 'only its owner can read it' "$(stat -c %a copy copy/BACKUP | tr '\n' ' ')" '700 600 '
ok itemctl_of new restore copy
eq 'everything is restored' "$(all new | sha256sum)" "$(all "$S" | sha256sum)"
ok itemctl_of new check
for line in 'check copy' 'verify ./copy/' '-s copy check'; do
	ok "$ITEMCTL" $line
	eq "$line" "$err" "$(itemctl_of new check 2>&1)"
done
gives 2 '--repair is for a store, and copy is a backup' "$ITEMCTL" check copy --repair
gives 2 'none does not exist; the word names a backup. To check the store: itemctl verify' "$ITEMCTL" verify none
gives 2 'did you mean: itemctl verify copy' "$ITEMCTL" verify coppy
mkdir empty && gives 2 'empty is not a backup: it has no file BACKUP' "$ITEMCTL" verify empty
gives 2 'itemctl run pats.txt --all' "$ITEMCTL" check pats.txt
eq 'no temporary folder is left' "$(find . -maxdepth 1 -name 'itemfs-temporary-*')" ''
eq 'its stream is restored, too' "$(itemctl_of new call ListStreams '{}' | jq -c .Streams[0].TableName)" '"tab"'
ok itemctl_of new put other '{"PK":{"B":"AA=="}}'
mkdir empty
ok itemctl_of empty restore copy/
eq 'restored into an empty directory' "$(all empty | sha256sum)" "$(all "$S" | sha256sum)"
cd empty || exit 1
ok ctl backup ../second
ok ctl backup "$W/third"
cd "$W" || exit 1
eq 'relative and absolute paths' "$(cmp second/BACKUP copy/BACKUP && cmp third/BACKUP copy/BACKUP && echo same)" same

# ---- refused
gives 2 $'copy: File exists\ngive each backup a new directory: itemctl backup copy-2' ctl backup copy/
gives 2 'empty: File exists' ctl backup empty
touch file
gives 2 'file/copy: Not a directory' ctl backup file/copy
ok ctl backup "$W/a/b/copy"
eq 'missing folders are created' "${err%%$'\n'*} $(stat -c %a a/b) $(ctl check a/b/copy >&2 && echo checked)" "created the folder $W/a/b 700 checked"
gives 2 'File exists' ctl backup .
gives 2 'backup needs DIR, for example: itemctl backup monday' ctl backup
gives 2 'backup needs the name of a new directory' ctl backup ''
for place in "$S/x" "$S/db/x" store/db/x; do
	gives 2 'a backup cannot be in the store' ctl backup "$place"
done
gives 2 'restore needs the directory of a backup' itemctl_of new restore ''
gives 2 $'new: Directory not empty: it is a store\nto restore it into a new store: itemctl -s ./restored restore copy' itemctl_of new restore copy
mkdir restored
gives 2 'itemctl -s ./restored-2 restore copy' itemctl_of new restore copy
rmdir restored
gives 2 'copy: Directory not empty' itemctl_of copy restore copy
eq 'the message has no more' "$(head -1 <<<"$err" | sed 's/.*: //')" 'Directory not empty'
eq 'and how to restore it' "$(tail -1 <<<"$err" | cut -d' ' -f1-10)" 'to restore it into a new store: itemctl -s ./restored'
mkdir -p killed/db
gives 2 'Directory not empty: it has db but no FORMAT, as an interrupted restore leaves it' itemctl_of killed restore copy
gives 2 'No such file' itemctl_of deep/er restore copy
gives 2 'is not a backup: no BACKUP in it' itemctl_of fresh restore none
gives 2 'is not a backup' itemctl_of fresh restore all.jsonl
for packed in x.tar.gz x.tgz x.tar x.tar.xz x.tar.bz2; do
	gives 2 "a backup is a directory; to pack it: itemctl backup x && tar -c" ctl backup $packed
	gone $packed
done
gives 2 "to pack it: itemctl backup x && zip -qr x.zip x" ctl backup x.zip
gives 2 "itemctl backup monday && tar -c monday" ctl backup -
gives 2 'restore creates a store directory' itemctl_of http://127.0.0.1:1 restore copy
gives 2 'no store' "$ITEMCTL" restore copy
gone fresh
eq 'nothing was written' "$(left)" 0

# ---- damage: no store is created from it
size=$(stat -c %s copy/BACKUP)
bad()
{
	gives "$1" "$2" itemctl_of fresh restore broken
	gone fresh
	gives "$1" "$2" "$ITEMCTL" verify broken
	cp copy/BACKUP broken/BACKUP
}
mkdir broken
cp copy/BACKUP broken/BACKUP
for at in 16 17 20 24 100 $((size / 2)) $((size - 1)) $((size - 12)) $((size - 20)); do
	byte=$(od -An -tu1 -j "$at" -N 1 broken/BACKUP)
	printf "\\$(printf %03o $((byte ^ 255)))" | dd of=broken/BACKUP bs=1 seek="$at" conv=notrunc status=none
	bad 70 'itemctl: the backup is damaged at byte'
done
for cut in 17 30 $((size / 2)) $((size - 1)) $((size - 16)); do
	truncate -s "$cut" broken/BACKUP
	bad 70 'it is cut short'
done
mkdir cut
head -c 30 copy/BACKUP >cut/BACKUP
printf x >>broken/BACKUP
bad 70 'something follows its end'
{ head -c $((size - 16)) copy/BACKUP; tail -c +17 copy/BACKUP; } >broken/BACKUP
bad 70 'records are missing'
printf 'itemfs backup 2\n' | dd of=broken/BACKUP conv=notrunc status=none
bad 2 'not a backup of this version'
: >broken/BACKUP
bad 2 'not a backup of this version'
for what in mkdir mkfifo 'ln -s /dev/zero' 'ln -s ../copy/BACKUP'; do
	rm -r broken/BACKUP
	$what broken/BACKUP
	gives 2 'broken is not a backup: its BACKUP is not a regular file' itemctl_of fresh restore broken
done

mkdir there
gives 2 'is not a regular file' itemctl_of there restore broken
gives 70 'it is cut short' itemctl_of there restore cut
eq 'an existing directory stays, empty' "$(ls -A there && echo there)" there

# ---- one moment, while others write: each transaction keeps the sum of two items
ctl put other '{"PK":{"B":"AQ=="},"n":0}' '{"PK":{"B":"Ag=="},"n":0}'
if [ -n "${SERVED-}" ]; then
	(
		n=0
		until [ -e enough ]; do
			n=$((n + 1))
			printf 'put other \047{"PK":{"B":"AQ=="},"n":%d}\047\nput other \047{"PK":{"B":"Ag=="},"n":-%d}\047\n' $n $n | ctl -q transact
			touch writes
		done
	) &
	writer=$!
	wait_until 60 test -e writes
	for n in 1 2 3; do
		ok ctl backup moment$n
		ok itemctl_of at$n restore moment$n
		eq 'the sum is the same' "$(itemctl_of at$n scan other | jq -s 'map(select(.PK.B == "AQ==" or .PK.B == "Ag==") | .n) | add')" 0
		ok itemctl_of at$n check
	done
	touch enough
	wait $writer
fi

# ---- a full disk: files that cannot grow
small()
(
	trap '' XFSZ
	ulimit -f 32
	"$ITEMCTL" -s "$@"
)
if [ -z "${SERVED-}" ]; then # otherwise the owner writes
	gives 70 'File too large' small "$S" backup x
	gone x
	eq 'nothing is left' "$(left)" 0
fi
gives 70 'File too large' small fresh restore copy
gone fresh

# ---- Ctrl-C leaves no files
seq 1 200000 | awk '{ printf "{\"PK\":\"l%d\",\"SK\":%d,\"text\":\"%0200d\"}\n", $1 % 70, $1, $1 }' | ctl -q import tab
interruptible "$ITEMCTL" -s "$S" backup long 2>stopped.err &
backup=$!
begun()
{
	[ -s "long.part-$backup/BACKUP" ] || [ -e long ]
}
wait_until 60 begun
kill -INT $backup 2>/dev/null
wait $backup
status=$?
if [ -e long ]; then # the backup was faster
	ok itemctl_of long.store restore long
	ok rm -r long.store
else
	eq 'it ends by the signal' $status 130
	eq 'and reports its progress' "$(sed 's/[0-9.]* MB/N MB/' stopped.err)" 'itemctl: interrupted after N MB; nothing was kept'
fi
eq 'nothing is left' "$(left)" 0
ok ctl backup after
ok itemctl_of last restore after
eq 'the next backup is complete' "$(itemctl_of last scan tab --count)" 230000
done_testing
