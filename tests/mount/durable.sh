#!/bin/bash
# What survives: fsync, -o sync, a clean end; with the daemon killed, and with the unsynced tail of its log cut off as
# by a crash of the machine (NAMESPACE 1; store/DESIGN.md, "Durability").
# BEHAVIOUR 1.11
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi gsi=G

die()
{
	kill_daemons
	umount -l m
}

# ---- fsync

mnt m -o table=tab
mkdir m/p
echo '{"v":1,"G":"x"}' >m/p/a.json
ok sync m/p/a.json
echo '{"v":2}' | dd of=m/p/b.json conv=fsync 2>/dev/null
(perl -MIO::Handle -e 'open F, ">", "m/p/c.json"; print F "{\"v\":3}"; F->flush; F->sync or die; kill 9, $$'; :) 2>/dev/null
eq 'fsync commits before the close' "$(item tab p c | jq .v)" 3
die
eq 'after fsync and kill -9' "$(item tab p a | jq .v) $(item tab p b | jq .v) $(item tab p c | jq .v)" '1 2 3'
ok ctl check

# ---- fsync through a reader's descriptor, with several writers

mnt m -o table=tab
exec 4>m/p/w.json
printf '{"v":' >&4
exec 5>m/p/w.json
printf '{"v":2}' >&5
refused 'Bad message' sync m/p/w.json
eq 'the text that is an item is saved' "$(item tab p w | jq .v)" 2
printf '1}' >&4
ok sync m/p/w.json
eq 'and the other one, once it is an item' "$(item tab p w | jq .v)" 1
exec 4>&- 5>&-

# ---- fsync of a directory

ok sync m/p
echo '{"v":4}' >m/p/d.json
mv m/p/d.json m/p/e.json
ok sync m/p m/p/e.json
die
eq 'a rename survives after fsync of the directory' "$(item tab p e | jq .v) $(item tab p d)" '4 '

# ---- without fsync: a killed process loses nothing that was acknowledged to the kernel

mnt m -o table=tab
for n in 1 2 3 4 5; do echo '{"v":1}' >m/p/n$n.json; done
rm m/p/n5.json
die
eq 'all closed files are stored' "$(ctl query tab p --begins-with n --count)" 4
ok ctl check

# ---- a clean end

mnt m -o table=tab
echo '{"v":9}' >m/p/end.json
unmnt m
eq 'after unmount' "$(item tab p end | jq .v)" 9

# ---- what is synced to disk: fsync, of a directory too; with -o sync each close

one_close()
{
	echo '{"v":1}' >m/p/s.json
}

new_name()
{
	mv m/p/s.json m/p/t.json
}

new_name_and_fsync()
{
	mv m/p/t.json m/p/s.json
	sync m/p
}

one_of_several()
{
	mnt n -o table=tab
	echo '{"v":1}' >n/p/u.json
	umount n
	wait_until 10 grep -qE 'f(data)?sync' trace
}

# syncs WORDS COMMAND - does the daemon sync while the command runs?
syncs()
{
	mnt m -o "$1"
	traces trace -e trace=fsync,fdatasync
	$2
	grep -qE 'f(data)?sync' trace && echo yes || echo no
	untrace
	unmnt m
}

if can_trace; then
	eq 'a close' "$(syncs table=tab one_close)" no
	eq 'a close with -o sync' "$(syncs table=tab,sync one_close)" yes
	eq 'a rename' "$(syncs table=tab new_name)" no
	eq 'fsync of the directory after it' "$(syncs table=tab new_name_and_fsync)" yes
	eq 'the end of one of several mounts' "$(syncs table=tab one_of_several)" yes
fi

done_testing
