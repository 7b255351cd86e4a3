#!/bin/bash
# What prevents a mount: a status other than 0 and the reason on standard error before the program goes to the
# background, and nothing left behind (NAMESPACE 1). Wrong options are in options.sh.
private=yes
. "$(dirname "$0")/lib.sh"

users
nobody=65534
store --key PK,SK --gsi gsi=G
mkdir m n home
chown $nobody home
as $nobody mkdir home/m
as $nobody "$ITEMCTL" -s home/store --quiet create-table tab --key PK,SK

# ---- the same in the foreground, in the background, and under the helper's name

ln -s "$ITEMFS" mount.itemfs
for word in '' -f; do
	fails 3 'Table: none not found' "$ITEMFS" "$S" m -o table=none $word
	fails 3 'table tab has no index none' "$ITEMFS" "$S" m -o table=tab,index=none $word
	fails 2 "mount point none: No such file or directory" "$ITEMFS" "$S" none $word
	fails 2 'unknown option: -o nonsense' "$ITEMFS" "$S" m -o nonsense $word
done
fails 32 'Table: none not found' ./mount.itemfs "$S" m -o table=none
fails 1 'No such file or directory' ./mount.itemfs "$S" none

# ---- the store

cp -r "$S" newer
sed -i 's/[0-9][0-9]*/999/' newer/FORMAT
fails 70 'newer' "$ITEMFS" newer m
cp -r "$S" damaged
rm damaged/db/CURRENT
: >damaged/db/MANIFEST-000099
fails 70 'damaged' "$ITEMFS" damaged m
mkdir other
echo x >other/file
fails 2 'other is not a store' "$ITEMFS" other m
fails 2 'other: not a store' "$ITEMFS" other m --create
fails 70 'Permission denied' as $nobody "$ITEMFS" store home/m
fails 70 'Permission denied' as $nobody "$ITEMFS" mine home/m --create
mkdir -m 755 readable
cp -r "$S"/. readable
chmod -R go+rX readable
fails 70 'Permission denied' as $nobody "$ITEMFS" readable home/m

# ---- the mount point

mkdir "$S/inside"
fails 2 'inside the store' "$ITEMFS" "$S" "$S/inside"
ln -s "$S/inside" link
fails 2 'inside the store' "$ITEMFS" "$S" link
rmdir "$S/inside"
fails 2 'is inside the mount point' "$ITEMFS" "$S" .
fails 2 'is inside the mount point' "$ITEMFS" "$S" /
fails 2 'is not a directory' "$ITEMFS" "$S" /dev/null
fails 70 'no write access' as $nobody "$ITEMFS" home/store m
mkdir -m 700 closed closed/m
fails 70 'mount point closed/m: Permission denied' as $nobody "$ITEMFS" home/store closed/m

# ---- an address that cannot be served

perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); bind(S, pack_sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 1);
	print +(unpack_sockaddr_in(getsockname(S)))[0], "\n"; close STDOUT; sleep 300' >port &
listener=$!
wait_until 5 test -s port
fails 70 "127.0.0.1:$(cat port)" "$ITEMFS" "$S" m -o listen="127.0.0.1:$(cat port)"
kill $listener
fails 2 'none' "$ITEMFS" "$S" m -o listen=127.0.0.1:0,credentials=none

# ---- the machine: no fusermount3 for a user, no space, no device

mount --bind /bin/false "$(readlink -f "$(command -v fusermount3)")"
fails 70 'cannot mount on' as $nobody "$ITEMFS" home/store home/m
umount "$(readlink -f "$(command -v fusermount3)")"
mkdir small
mount -t tmpfs -o size=64k itemfs-test small
cp -r "$S" small/store
cat /dev/zero >small/zero 2>/dev/null
ok "$ITEMFS" small/store "$W/m" # reading works: unwritable.sh
unmnt m
wait_until 10 nobody_left || fail 'the daemon is still there'
rm small/zero
ok "$ITEMFS" small/store "$W/m"
unmnt m
umount small
mount -t tmpfs itemfs-test small
cp -r "$S" small/store
mount -o remount,ro small
ok "$ITEMFS" small/store "$W/m" # reading works: unwritable.sh
unmnt m
wait_until 10 nobody_left || fail 'the daemon is still there'
umount small
mkdir bare
mount -t tmpfs -o dev itemfs-test bare
mknod -m 666 bare/null c 1 3
ln -s /proc/self/fd bare/fd
mount --bind bare /dev
fails 70 'this system has no /dev/fuse' "$ITEMFS" "$S" m
umount /dev
umount bare

# ---- allowed: a mount point that contains files, which the mount hides

touch m/below
ok "$ITEMFS" "$S" "$W/m"
eq 'files below the mount are hidden' "$(ls m)" tab
unmnt m
eq 'and visible again after the unmount' "$(ls m)" below

# ---- inherited descriptors are closed

exec 9>lock
flock 9
ok "$ITEMFS" "$S" "$W/n"
exec 9>&-
ok flock -n lock true
eq 'the daemon has only its own files open' "$(ls -l "/proc/$(our_pids)/fd" | grep -cE -- '-> .*/(lock|why|said)$')" 0
unmnt n

done_testing
