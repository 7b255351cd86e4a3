#!/bin/bash
# Read-only mounts: EROFS for every change (NAMESPACE 1 and 6).
# BEHAVIOUR 1.6
. "$(dirname "$0")/lib.sh"

store --key PK,SK
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
mnt r -o table=tab,ro
mnt w -o table=tab

for change in 'echo x >r/p/a.json' 'echo x >r/p/new.json' 'echo x >>r/p/a.json' 'touch r/p/a.json' 'touch r/p/new.json' \
	'rm r/p/a.json' 'mv r/p/a.json r/p/b.json' 'mkdir r/q' 'rmdir r/p' 'truncate -s 0 r/p/a.json' 'chmod 600 r/p/a.json' \
	'ln r/p/a.json r/p/b.json' 'ln -s a r/p/b.json' 'mknod r/p/b.json p'; do
	refused 'Read-only file system' bash -c "$change"
done
eq 'the item is unchanged' "$(item tab p a)" '{"PK":"p","SK":"a","v":1}'
eq 'ro is passed to the kernel' "$(grep -c " $W/r fuse.itemfs ro," /proc/self/mounts)" 1
eq 'reading works' "$(cat r/p/a.json)" '{"PK":"p","SK":"a","v":1}'
eq 'the modes are those of a writable mount' "$(stat -c %a r/p r/p/a.json | tr '\n' ' ')" '755 644 '
echo '{"v":2}' >w/p/a.json
eq 'changes through other front ends are visible' "$(cat r/p/a.json)" '{"PK":"p","SK":"a","v":2}'

# The daemon itself refuses writes, whatever the kernel permits.
if mount -o remount,rw r 2>/dev/null && ! grep -q " $W/r fuse.itemfs ro," /proc/self/mounts; then
	refused 'Read-only file system' bash -c 'echo "{}" >r/p/a.json'
	refused 'Read-only file system' rm r/p/a.json
	refused 'Read-only file system' mkdir r/q
	eq 'the item is still unchanged' "$(item tab p a)" '{"PK":"p","SK":"a","v":2}'
fi

done_testing
