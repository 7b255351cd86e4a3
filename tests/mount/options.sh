#!/bin/bash
# The command line: what is refused, and with which messages (NAMESPACE 1).
. "$(dirname "$0")/lib.sh"

mkdir m
refused 'itemctl' "$ITEMFS" "$S" m
refused 'create-table' "$ITEMFS" "$S" m
store --key PK,SK --gsi gsi=G
ctl put tab '{"PK":"p","SK":"a"}' >/dev/null

refused 'usage' "$ITEMFS"
refused "MOUNTPOINT is missing: itemfs $S MOUNTPOINT" "$ITEMFS" "$S"
refused "only itemctl reads ITEMFS_STORE: itemfs $S m" env ITEMFS_STORE="$S" "$ITEMFS" m
refused 'usage' "$ITEMFS" "$S" m more
refused 'unknown option: -x' "$ITEMFS" "$S" m -x
refused 'unknown option: -o nonsense' "$ITEMFS" "$S" m -o nonsense
refused 'unknown option: -o tabel: did you mean -o table?' "$ITEMFS" "$S" m -o tabel=tab
refused 'unknown option: -o read-only: did you mean -o ro?' "$ITEMFS" "$S" m -o read-only
refused 'unknown option: --nonsense' "$ITEMFS" "$S" m --nonsense
refused '--table needs a value' "$ITEMFS" "$S" m --table
refused '-o ro takes no value' "$ITEMFS" "$S" m --read-only=1
refused 'to unmount: fusermount3 -u MOUNTPOINT' "$ITEMFS" -u m
refused "protocol: -o listen=PORT" "$ITEMFS" "$S" m -p 8000
refused 'to print every request: -d; to print the version: -V' "$ITEMFS" "$S" m -v
refused 'to unmount m: fusermount3 -u m' "$ITEMFS" umount m
refused "to create a store, mount it: itemfs $W/none MOUNTPOINT --create" "$ITEMFS" create "$W/none"
refused "this is a command of itemctl: itemctl serve $S" "$ITEMFS" serve "$S"
refused "this is a command of itemctl: itemctl create-table Orders --key PK,SK" "$ITEMFS" create-table Orders --key PK,SK
refused "this is a command of itemctl: itemctl put tab '{}'" "$ITEMFS" put tab '{}'
refused 'to list the mounts: findmnt -t fuse.itemfs' "$ITEMFS" list
refused "a store is a directory, without a colon: itemfs $S m" "$ITEMFS" "$S:/" m
refused "a store is a directory, without a colon: itemfs $W/none m --create" "$ITEMFS" "$W/none:" m
refused "store $W/no/ne: No such file or directory: mkdir -p $W/no && itemfs $W/no/ne m --create" "$ITEMFS" "$W/no/ne" m --create
refused "the store comes first: itemfs $W/none m --create" "$ITEMFS" m "$W/none"
refused "the store comes first: itemfs -o ro $S m" "$ITEMFS" -o ro m "$S"
refused 'unexpected argument: tab; to mount one table: -o table=tab' "$ITEMFS" "$S" m tab
refused "an option follows -o: itemfs $S m -o table=tab" "$ITEMFS" "$S" m table=tab
refused "an option follows -o: itemfs $S m -o ro" "$ITEMFS" "$S" m ro
refused "to create a store, mount it: itemfs $S m --create" "$ITEMFS" create "$S" m
refused "to create an empty one: itemfs $W/absent m --create" "$ITEMFS" mount "$W/absent" m
refused 'unknown option: -o noauto_cache: leave it out' "$ITEMFS" "$S" m -o noauto_cache,allow_other
refused "there is no store at $W/sto: did you mean: itemfs $S m -o ro" "$ITEMFS" "$W/sto" m -o ro
refused 'there is no store at stroe: did you mean: itemfs store m' "$ITEMFS" stroe m
ok "$ITEMFS" "$S" m -o nonempty,reconnect,big_writes,kernel_cache,auto_cache --background -ro
refused 'Read-only file system' mkdir m/tab/x
unmnt m
eq 'version without dashes' "$("$ITEMFS" version)" "$("$ITEMFS" --version)"
refused 'unknown option: --allow-other: -o allow_other' "$ITEMFS" "$S" m --allow-other
refused 'unknown option: -o allow_root: -o allow_other gives all other users access, root included' "$ITEMFS" "$S" m -o allow_root
refused '-o allow_other gives' "$ITEMFS" "$S" m --allow-root
refused 'unknown option: -o gsi: -o table=TABLE,index=NAME' "$ITEMFS" "$S" m -o gsi=gsi
refused 'give the URL of a server: itemfs http://localhost:8000 m -o ro' "$ITEMFS" localhost:8000 m -o ro
refused 'give the URL of a server: itemfs http://localhost:8000 m' "$ITEMFS" :8000 m
refused "$S is a store; to mount one of its tables: itemfs $S m -o table=tab" "$ITEMFS" "$S/tab" m
for more in '' --create; do
	refused "$S is a store; to mount one of its tables: itemfs $S m ${more:+--create }-o table=tab" "$ITEMFS" "$S:tab" m $more
	gone "$S:tab" "$S/tab"
done
refused 'none: No such file or directory; mkdir -p none' "$ITEMFS" "$S" none
refused 'Table: tba not found: did you mean tab?' "$ITEMFS" "$S" m -o table=tba
refused 'table tab has no index gis: did you mean gsi?' "$ITEMFS" "$S" m -o table=tab,index=gis
eq 'help without dashes' "$("$ITEMFS" help)" "$("$ITEMFS" --help)"
# settings WORD... - print the settings of a mount with these options
settings()
{
	ok "$ITEMFS" "$@"
	jq -c '[.table, .ro, .dotdirs, .pretty]' m/.itemfs/config.json
	unmnt m
}
plain=$(settings "$S" m -o table=tab,ro,dotdirs,pretty)
eq 'long options are the same as -o' "$(settings "$S" m --table tab --read-only --dotdirs --pretty)" "$plain"
eq 'long options with their values' "$(settings mount "$S" m --table=tab -r --dotdirs --indent)" "$plain"
refused 'index=gsi needs table=' "$ITEMFS" "$S" m -o index=gsi
refused 'none' "$ITEMFS" "$S" m -o table=none
refused 'none' "$ITEMFS" "$S" m -o table=tab,index=none
refused 'not yet supported' "$ITEMFS" "$S" m -o hide_expired
refused 'conflict=last is not supported' "$ITEMFS" "$S" m -o conflict=last
refused 'No such file' "$ITEMFS" "$S" none
touch file
refused 'not a directory' "$ITEMFS" "$S" file
refused 'not a directory' "$ITEMFS" file m
mkdir plain
touch plain/something
refused 'plain' "$ITEMFS" plain m
mkdir "$S/inside"
refused 'inside the store' "$ITEMFS" "$S" "$S/inside"
refused 'inside the store' "$ITEMFS" "$S" "$S"
refused 'inside the mount point' "$ITEMFS" "$S" "$W"
rmdir "$S/inside"
eq 'none of these is mounted' "$(our_mounts)" ''
eq 'and no daemon runs' "$(our_pids)" ''
"$ITEMFS" "$S" m -o table=none 2>/dev/null
eq 'exit status: no such table' $? 3
"$ITEMFS" "$S" m -x 2>/dev/null
eq 'exit status: usage' $? 2
"$ITEMFS" "$W/nowhere" m 2>/dev/null
eq 'exit status: no store' $? 2
refused "there is no store at $W/nowhere; to create one with a table: itemctl create-table; to create an empty one: itemfs $W/nowhere m --create" "$ITEMFS" "$W/nowhere" m
refused 'No such file' "$ITEMFS" "$W/fresh" "$W/no/where" --create
ok test ! -e "$W/fresh"
eq 'and no store is created' "$(ls "$W/nowhere" 2>&1 | grep -c 'No such file')" 1
mkdir "$W/blank"
refused "$W/blank is not a store: it has no file named FORMAT; to create a store in an empty directory: itemctl create-table, or itemfs --create" "$ITEMFS" "$W/blank" m
rmdir "$W/blank"
"$ITEMFS" "$W/made" m --create
eq 'an empty store can be mounted' "$? $(ls m)" '0 '
"$ITEMCTL" -q -s "$W/made" create-table first --key PK
eq 'and shows a table created meanwhile' "$(ls m)" first
unmnt m
rm -r "$W/made"
"$ITEMFS" "$S" nowhere 2>/dev/null
eq 'exit status: no mount point' $? 2

mnt m -o table=tab
refused 'm is already mounted; to unmount it: fusermount3 -u m' "$ITEMFS" "$S" m -o table=tab,index=gsi
eq 'one mount, not two' "$(our_mounts)" "$W/m"
unmnt m

# A closed standard output must not become a file of the store.
ok "$ITEMFS" "$S" m -o table=tab <&- >&-
eq 'mounted without descriptors' "$(cat m/p/a.json)" '{"PK":"p","SK":"a"}'
unmnt m

cp -r "$S" newer
sed -i 's/[0-9][0-9]*/999/' newer/FORMAT
refused 'newer' "$ITEMFS" newer m

eq 'help' "$("$ITEMFS" --help | head -1)" 'usage: itemfs STORE MOUNTPOINT [--create] [-o OPTION,...]'
eq 'version' "$("$ITEMFS" --version | sed -E 's/[0-9]+\.[0-9]+\.[0-9]+/V/')" 'itemfs V'
# ---- the table of options, the summary and the manual page have the same names

"$ITEMFS" --help | sed -nE 's/^(  -[^ ]*( [^ ]+)*)  .*/\1/p' >help # without descriptions
sed 's/\\-/-/g' "$HERE/../../fs/itemfs.1" >manual
# Lines "NAME KIND" of the table. The own options exclude those for others: the kernel, readers of fstab, the process
# that has the store.
sed -nE 's/^\t\{?(TEXT|FLAG)\("?([a-z_]+).*/\2 WORD_\1/p; s/^\tNUMBER\((WORD_[A-Z]+), "([a-z_]+).*/\2 \1/p; s/^\t\{"([a-z_]+)", (WORD_[A-Z]+).*/\1 \2/p' "$HERE/../../fs/daemon/options_words.c" >words
grep -vE '^ro_why|WORD_(KERNEL|NOTHING|FSTAB|LATER|NEVER)$' words | cut -d' ' -f1 | sort >own
eq 'the table was read' "$(head -1 words) $(($(wc -l <own) >= 30))" 'table WORD_TEXT 1'
grep -oE -- '(-o |,|, )[a-z_]+=?' help | grep -oE '[a-z_]+' | grep -vxE 'o|allow_other' | sort >shown
eq 'the summary has all options' "$(diff own shown)" ''
# Entries of "Options after -o", and options named with a flag, such as "-s, -o single_thread".
{
	sed -n '/^\.SS Options after -o/,/^\.SH/p' manual | grep -A1 '^\.TP' | grep '^\.B' | grep -v allow_other | sed -E 's/^\.BI? //; s/=[^"]*/ /g' | grep -oE '[a-z_]+'
	grep -oE -- '-o [a-z_]+"' manual | grep -oE '[a-z_]{2,}'
} | sort >told
eq 'the manual page has all options' "$(diff own told)" ''
for word in $(grep -E 'WORD_(LATER|NEVER)$' words | cut -d' ' -f1) $(sed -n '/^.BR allow_other/{s/[^a-z_]/ /g; p}' manual); do
	eq "$word is a word" "$(grep -c "^$word " words) $(grep -c "\b$word\b" manual | sed 's/[1-9][0-9]*/some/')" '1 some'
done
grep -oE -- '(^  |, )--?[a-zA-Z-]+' help | grep -oE -- '-.*' | grep -vx -- -o | sort >flags
eq 'the manual page has all flags' "$(sed -n '/^\.SH OPTIONS/,/^\.SS/p' manual | grep -A1 '^\.TP' | grep '^\.B' | grep -oE -- '(^|[ "])--?[a-zA-Z-]+' | grep -oE -- '-.*' | grep -vx -- -o | sort | diff flags -)" ''

# ---- as mount.itemfs

ln -s "$ITEMFS" mount.itemfs
ok ./mount.itemfs "$S" "$W/m" -f
eq '-f mounts nothing' "$(our_mounts)" ''
ok ./mount.itemfs "$S" "$W/m" -n -v -s -o rw,noauto,nofail,_netdev,user,x-systemd.automount,table=tab
eq 'mounted' "$(ls m)" p
unmnt m
./mount.itemfs "$S" "$W/m" -o table=none 2>/dev/null
eq 'exit status as mount(8) has it: failure' $? 32
./mount.itemfs "$S" "$W/m" -o nonsense 2>/dev/null
eq 'exit status as mount(8) has it: usage' $? 1

# ---- options for the kernel

mnt m -o noexec,noatime,fsname=my\\,shop,allow_other
eq 'they are passed to the kernel' "$(grep " $W/m fuse.itemfs " /proc/self/mounts | cut -d" " -f4 | tr , '\n' | grep -cE '^(noexec|noatime|allow_other|default_permissions)$')" 4
eq 'the table of mounts has the name of the source' "$(grep -c "^my,shop $W/m " /proc/self/mounts)" 1
unmnt m

# ---- a relative path, and the working directory of the daemon

(cd "$W" && "$ITEMFS" store m) || fail 'relative paths'
eq 'relative paths' "$(ls m)" tab
unmnt m
mnt m
eq 'the working directory of the daemon is /' "$(readlink "/proc/$(our_pids)/cwd")" /
eq 'the daemon has no terminal' "$(readlink "/proc/$(our_pids)/fd/0") $(readlink "/proc/$(our_pids)/fd/1") $(readlink "/proc/$(our_pids)/fd/2")" "/dev/null /dev/null $S/log"
unmnt m

# ---- one thread, and a log of requests

mnt m -s -o table=tab
eq 'a mount with -s answers' "$(cat m/p/a.json)" '{"PK":"p","SK":"a"}'
unmnt m
"$ITEMFS" "$S" "$W/m" -d -o table=tab 2>debug.txt &
wait_until 5 test -d m/p || fail 'no mount'
# The daemon itself looks at the mount once: until then it is busy.
wait_until 5 fusermount3 -u m 2>/dev/null || fail 'cannot unmount'
wait
eq '-d prints requests' "$(grep -c 'opcode: INIT' debug.txt)" 1

done_testing
