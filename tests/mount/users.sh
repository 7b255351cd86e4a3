#!/bin/bash
# Owner and modes of a mount, allow_other, default_permissions, and which users may join which mounts (NAMESPACE 1 and
# 2).
private=yes
. "$(dirname "$0")/lib.sh"

users
: >fuse.conf
mount --bind fuse.conf /etc/fuse.conf
nobody=65534
other=7
store --key PK,SK
ctl put tab '{"PK":"p","SK":"a"}' >/dev/null
mkdir home strange
chown $nobody home
as $nobody mkdir home/m home/n
line='{"PK":"p","SK":"a"}'

# ---- root's mount is for root only

mnt m -o table=tab
eq 'root reads' "$(cat m/p/a.json)" "$line"
refused 'Permission denied' as $nobody ls m
refused 'Permission denied' as $nobody cat m/p/a.json
chmod -R a+rX "$S"
refused 'store/socket: Permission denied' as $nobody "$ITEMCTL" -s "$S" tables
chmod 700 "$S"
unmnt m

# ---- allow_other: owner and mode decide, checked by the kernel

mnt m -o table=tab,allow_other
eq 'modes and owners' "$(stat -c '%a %u %g' m m/p m/p/a.json | tr '\n' ' ')" '755 0 0 755 0 0 644 0 0 '
eq 'others read' "$(as $nobody cat m/p/a.json)" "$line"
for command in 'touch m/p/b.json' 'rm m/p/a.json' 'mv m/p/a.json m/p/b.json' 'mkdir m/q' 'truncate -s 0 m/p/a.json'; do
	refused 'Permission denied' as $nobody $command
done
refused 'Permission denied' as $nobody bash -c 'echo {} >m/p/a.json'
refused 'Operation not permitted' as $nobody chmod 666 m/p/a.json
refused 'Permission denied' as $nobody touch -d 2001-01-01 m/p/a.json
eq 'the items are unchanged' "$(ls m/p) $(cat m/p/a.json)" "a.json $line"
unmnt m

mnt m -o table=tab,allow_other,uid=$nobody,gid=$other,umask=027
eq 'modes and owners with uid, gid, umask' "$(stat -c '%a %u %g' m m/p m/p/a.json | tr '\n' ' ')" \
	"750 $nobody $other 750 $nobody $other 640 $nobody $other "
as $nobody bash -c 'echo "{\"v\":1}" >m/p/b.json && mkdir m/q && rm m/p/a.json' || fail 'the owner cannot write'
eq 'the owner writes' "$(item tab p b | jq .v) $(ls m)" '1 p
q'
eq 'the group reads' "$(as $other cat m/p/b.json | jq .v)" 1
refused 'Permission denied' as $other touch m/p/c.json
refused 'Permission denied' as 8 ls m
refused 'Permission denied' as 8 cat m/p/b.json
eq 'root may do anything' "$(rm m/p/b.json && rmdir m/q && ls m)" p
unmnt m
for mask in 0 077 222 777; do
	mnt m -o table=tab,umask=$mask
	eq "umask=$mask" "$(stat -c %a m)" "$(printf '%o' $((0777 & ~0$mask)))"
	unmnt m
done
ctl put tab '{"PK":"p","SK":"a"}' >/dev/null

# ---- the files of a store are for its owner only, whatever the umask

as $nobody "$ITEMCTL" -s home/own --quiet create-table tab --key PK,SK
(umask 0; as $nobody "$ITEMFS" home/own home/m -o table=tab)
as $nobody mkdir home/m/q
refused 'Bad message' as $nobody bash -c 'printf nonsense >home/m/q/b.json && sync home/m/q/b.json'
eq 'no file of the store is open to others' "$(find home/own -perm /077 ! -type l -printf '%P %m\n')" ''
eq 'the mode that the mount shows' "$(as $nobody stat -c %a home/m/q)" 777
ok as $nobody fusermount3 -u home/m
wait_until 10 nobody_left || fail 'the daemon stays'
eq 'no file of the store is open to others after the unmount' "$(find home/own -perm /077 ! -type l -printf '%P %m\n') $(ls home/own/rejected | wc -l)" ' 1'

# ---- a user's own store and mount

as $nobody "$ITEMCTL" -s home/store --quiet create-table tab --key PK,SK
refused "option allow_other only allowed if 'user_allow_other' is set in /etc/fuse.conf" \
	as $nobody "$ITEMFS" home/store home/m -o allow_other
refused 'user has no write access to mountpoint' as $nobody "$ITEMFS" home/store strange
refused 'Permission denied' as $nobody "$ITEMFS" store home/m
eq 'nothing is mounted' "$(our_mounts fuse.itemfs) $(our_pids)" ' '
umask 077
ok as $nobody "$ITEMFS" home/store home/m -o table=tab
umask 022
eq 'the daemon belongs to the user' "$(stat -c %u "/proc/$(our_pids)")" $nobody
as $nobody bash -c 'mkdir home/m/p && echo {} >home/m/p/a.json' || fail 'the user cannot write'
eq 'mode and owner are those of the user' "$(as $nobody stat -c '%a %u %g' home/m/p/a.json)" "600 $nobody $nobody"
refused 'Permission denied' ls home/m
refused 'Permission denied' as $other ls home/m
chmod o+x "$W/home"
refused 'Permission denied' as $other "$ITEMCTL" -s home/store scan tab
ok as $nobody "$ITEMFS" home/store home/n
eq 'the user joins their own daemon' "$(our_pids | wc -l)" 1
ok as $nobody fusermount3 -u home/m
ok as $nobody fusermount3 -u home/n
wait_until 10 nobody_left || fail 'the daemon stays'
echo user_allow_other >fuse.conf
ok as $nobody "$ITEMFS" home/store home/m -o table=tab,allow_other
eq 'allow_other, when it is allowed' "$(as $other cat home/m/p/a.json; cat home/m/p/a.json)" "$line"$'\n'"$line"
ok as $nobody fusermount3 -u home/m
wait_until 10 nobody_left || fail 'the daemon stays'

# ---- a user cleans up what their own killed daemon left

ok as $nobody "$ITEMFS" home/store home/m -o table=tab
kill_daemons
wait_until 5 not_connected as $nobody ls home/m || fail 'home/m is not stale'
ok as $nobody "$ITEMFS" home/store home/m -o table=tab
eq 'it is mounted again' "$(as $nobody cat home/m/p/a.json) $(our_mounts fuse.itemfs | wc -l)" "$line 1"

# ---- root joins a user's mount, and cleans up after it

mkdir -p r
ok as $nobody "$ITEMFS" home/store home/n
theirs="belongs to the user nobody, who could make you overwrite your own files. If you trust its contents: set ITEMFS_TRUST_STORE=$W/home/store"
refused "$theirs" "$ITEMFS" home/store r
refused "$theirs" "$ITEMCTL" -s home/store scan tab
eq 'refused commands of root mount nothing' "$(our_mounts fuse.itemfs | wc -l) $(our_pids | wc -l)" '2 1'
ok as $nobody fusermount3 -u home/n
export ITEMFS_TRUST_STORE=$W/home/store
ok "$ITEMFS" "$W/home/store" "$W/r" -o table=tab
eq 'the daemon of the user serves root' "$(cat r/p/a.json) $(stat -c %u r)" "$line 0"
eq 'a process of root waits for the end' "$(our_pids | xargs -I{} stat -c %u /proc/{} | sort -n | tr '\n' ' ')" "0 $nobody "
kill "$(our_pids | xargs -I{} stat -c '%u %n' /proc/{} | sed -n "s/^$nobody .proc.//p")"
wait_until 10 nobody_left || fail 'a process stays'
eq 'both mounts end with the daemon of the user' "$(our_mounts fuse.itemfs)" ''
ok as $nobody "$ITEMFS" home/store home/m
ok "$ITEMFS" "$W/home/store" "$W/r" -o table=tab
ok umount r
one_left()
{
	[ "$(our_pids | wc -l)" -eq 1 ]
}
wait_until 10 one_left || fail 'root stays'
eq 'the mount of root ends, the one of the user stays' "$(as $nobody ls home/m) $(our_pids | wc -l)" 'tab 1'
ok as $nobody fusermount3 -u home/m
wait_until 10 nobody_left || fail 'the daemon stays'

# ---- no user joins root, or another user

ok "$ITEMFS" "$W/home/store" "$W/r"
refused 'is open in a process of another user' as $nobody "$ITEMFS" home/store home/m
eq 'the user gets no mount' "$(our_mounts fuse.itemfs)" "$W/r"
unmnt r
ok as $nobody "$ITEMFS" home/store home/m
eq 'after root has left the user can mount, and has a log' "$(as $nobody ls home/m; stat -c %u home/store/log)" "tab
$nobody"
ok as $nobody fusermount3 -u home/m
wait_until 10 nobody_left || fail 'the daemon stays'

# ---- the log is not written through a link

as $nobody bash -c 'rm home/store/log; ln -s ../target home/store/log'
ok "$ITEMFS" "$W/home/store" "$W/r"
gone home/target
echo precious >victim
unmnt r
rm home/store/log
ln victim home/store/log
ok "$ITEMFS" "$W/home/store" "$W/r"
unmnt r
eq 'nor through a hard link to a file of root' "$(cat victim)" precious
rm home/store/log
as $nobody mkfifo home/store/log
ok "$ITEMFS" "$W/home/store" "$W/r"

# ---- texts are not written through a link, either

mkdir -m 700 private
as $nobody rm -rf home/store/rejected
as $nobody ln -s "$W/private" home/store/rejected
mkdir r/tab/q
refused 'Bad message' write r/tab/q/b.json nonsense
eq 'errors has the sentence' "$(grep -c q/b.json r/.itemfs/errors)" 1
unmnt r
eq 'nothing is written where the link leads' "$(ls private)" ''

done_testing
