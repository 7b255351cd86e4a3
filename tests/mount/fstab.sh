#!/bin/bash
# mount(8) with mount.itemfs: command line, lines of fstab, umount, mounts of an ordinary user (NAMESPACE 1).
private=yes
. "$(dirname "$0")/lib.sh"

users
store --key PK,SK --gsi gsi=G
ctl put tab '{"PK":"p","SK":"a","G":"x"}' >/dev/null
mkdir m g "with space"
ln -s itemfs bin/mount.itemfs
only "$W/bin/mount.itemfs" /sbin

words()
{
	grep " $W/$1 fuse.itemfs " /proc/self/mounts | cut -d' ' -f4 | tr , '\n'
}

# ---- the command line

ok mount -t itemfs "$S" m -o table=tab
eq 'mounted' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","G":"x"}'
echo '{"v":1}' >m/p/b.json
ok umount m
wait_until 10 nobody_left || fail 'the daemon stays'
eq 'umount stores what was written' "$(item tab p b | jq .v)" 1
ok mount -v -n -t itemfs "$S" m -r
eq '-r mounts read-only' "$(words m | head -1) $(ls m)" 'ro tab'
refused 'Read-only file system' touch m/tab/p/c.json
ok mount -t itemfs "$S" g -o table=tab,index=gsi
eq 'a second mount joins the daemon' "$(our_pids | wc -l) $(ls g)" '1 x'
ok umount m g
wait_until 10 nobody_left || fail 'the daemon stays'
ok mount -f -v -t itemfs "$S" m
eq '--fake mounts nothing' "$(our_mounts fuse.itemfs)" ''

# ---- refused

refused 'Table: none not found' mount -t itemfs "$S" m -o table=none
mount -t itemfs "$S" m -o table=none 2>/dev/null
eq 'exit status of a failure' $? 32
refused 'unknown option: -o nonsense' mount -t itemfs "$S" m -o nonsense
mount -t itemfs "$S" m -o nonsense 2>/dev/null
eq 'exit status of wrong options' $? 1
refused "there is no store at none" mount -t itemfs none m
refused 'is not a directory' mount -t itemfs "$S" "$S/FORMAT"
eq 'nothing is mounted' "$(our_mounts fuse.itemfs)" ''

# ---- fstab

cat >fstab <<END
$S  $W/m  itemfs  table=tab,uid=7,nosuid,noatime,nolazytime,_netdev,x-systemd.automount,comment=x  0  0
$S  $W/g  itemfs  table=tab,index=gsi,nofail                                                        0  0
$S  $W/with\\040space  itemfs  table=tab,noauto,ro                                                  0  0
END
ok mount -T fstab m
eq 'mounted by its mount point' "$(stat -c %u m/p/a.json)" 7
eq 'options for the kernel' "$(words m | grep -cE '^(nosuid|noatime|rw)$')" 3
ok mount -T fstab -a
eq 'mount -a mounts all lines' "$(our_mounts fuse.itemfs | sort)" "$W/g"$'\n'"$W/m"
ok mount -T fstab -a
eq 'a second mount -a mounts nothing more' "$(our_mounts fuse.itemfs | wc -l)" 2
ok mount -T fstab 'with space'
eq 'a noauto line with a space in the mount point' "$(cat 'with space/p/a.json')" '{"PK":"p","SK":"a","G":"x"}'
refused 'unmount it, and mount it again' mount -T fstab -o remount,ro m
eq 'remounting changes nothing' "$(words m | grep -c '^rw$')" 1
ok umount 'with space'
ok umount -a -t fuse.itemfs
wait_until 10 nobody_left || fail 'the daemon stays'

# ---- mount -a replaces what a killed daemon left

ok mount -T fstab -a
kill_daemons
wait_until 5 not_connected ls m || fail 'm is not stale'
ok mount -T fstab m
ok mount -T fstab g
eq 'both are mounted again' "$(cat m/p/a.json g/x/*) $(our_mounts fuse.itemfs | wc -l)" '{"PK":"p","SK":"a","G":"x"}
{"PK":"p","SK":"a","G":"x"} 2'
umount m g
wait_until 10 nobody_left || fail 'the daemon stays'

# ---- a line for a user

nobody=65534
mkdir home
chown $nobody home
as $nobody mkdir home/m
echo "$W/home/store $W/home/m itemfs noauto,user,table=tab 0 0" >fstab
mount --bind fstab /etc/fstab
ok as $nobody "$ITEMCTL" -s home/store --quiet create-table tab --key PK,SK
ok as $nobody mount home/m
ok as $nobody mkdir home/m/p
as $nobody bash -c 'echo "{\"v\":1}" >home/m/p/a.json' || fail 'cannot write'
eq 'the daemon and the files belong to the user' "$(stat -c %u "/proc/$(our_pids)") $(as $nobody stat -c %u home/m/p/a.json)" "$nobody $nobody"
refused 'must be superuser' as 7 umount home/m
ok as $nobody umount home/m
wait_until 10 nobody_left || fail 'the daemon stays'
eq 'the item is stored' "$(as $nobody "$ITEMCTL" -s home/store --format jsonl scan tab)" '{"PK":"p","SK":"a","v":1}'

done_testing
