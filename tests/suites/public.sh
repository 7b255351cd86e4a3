#!/bin/bash
# public.sh - run public test programs on a mount: stress-ng's file stressors, bonnie++, fs_mark, fio.  Not in the default run:
#
#   apt-get install stress-ng bonnie++ fsmark fio
#   bash tests/suites/public.sh              every case; prints differences from public.expected, and exits with 1 then
#   bash tests/suites/public.sh fio xattr    only the cases with one of these words in their names
#
# The mount m has the table as its root: a directory that a program creates is a partition, and its files, which have no
# suffix, are scratch files.  On the mount e (suffix=) every file name is an item.  The script runs as root in its own mount
# namespace, because some of the programs access every mount that they see.
private=yes
wanted=("$@")
. "$(dirname "$0")/../mount/lib.sh"

PATH=$PATH:/usr/sbin
store --key PK,SK
mnt m -o table=tab
mnt e -o table=tab,suffix=
mkdir m/p e/fio

is_wanted()
{
	local word
	[ ${#wanted[@]} -gt 0 ] || return 0
	for word in "${wanted[@]}"; do
		case $1 in *"$word"*) return 0 ;; esac
	done
	return 1
}

# run NAME PROGRAM ARGUMENT... - run one case, and compare its status and the change of the number of items
run()
{
	local name=$1 before status expected
	shift
	is_wanted "$name" || return 0
	expected=$(grep "^$name:" "$HERE/public.expected")
	if ! command -v "$1" >/dev/null; then
		echo "skipped, $1 is not installed: $name"
		return 0
	fi
	before=$(items)
	timeout 90 "$@" >out 2>&1 </dev/null
	status=$?
	result="$name: status $status, items $(($(items) - before))"
	eq "$name" "$result" "${expected%% #*}"
	[ "$result" = "${expected%% #*}" ] || tail -n 5 out
}

items()
{
	ctl scan tab --count
}

# ---- contents and names of scratch files: each stressor creates a directory, works in it, and removes it

for stressor in access chdir chmod chown copy-file dentry dir dirdeep dirmany dnotify fallocate fcntl fiemap \
	file-ioctl filename flock fpunch fsize fstat getdent handle hdd inode-flags inotify io lease link locka \
	lockf lockofd mknod open rename symlink sync-file touch utime xattr; do
	run "stress-ng $stressor" stress-ng --temp-path "$W/m" --$stressor 2 --$stressor-ops 40 --timeout 10 --quiet
done
run 'stress-ng iomix' stress-ng --temp-path "$W/m" --iomix 1 --iomix-bytes 4m --iomix-ops 40 --timeout 10 --quiet
run 'fio verify' fio --name=v --filename=m/p/scratch --size=8m --rw=randrw --bs=4k --verify=crc32c --ioengine=psync \
	--fallocate=none --unlink=1
run 'fio verify mmap' fio --name=v --filename=m/p/mapped --size=4m --rw=randwrite --bs=4k --verify=crc32c \
	--ioengine=mmap --fallocate=none --unlink=1
run 'fio append' fio --name=v --filename=m/p/append --size=2m --rw=write --bs=1000 --file_append=1 --ioengine=psync \
	--fallocate=none --unlink=1
run 'fio four writers' fio --name=v --directory=m/p --numjobs=4 --size=2m --rw=randrw --bs=512-8k --verify=sha256 \
	--ioengine=psync --fallocate=none --unlink=1
run 'fs_mark bytes' fs_mark -d m/p -n 200 -s 2048 -S 1
run 'bonnie++ bytes' bonnie++ -q -f -d m/p -s 16 -r 8 -n 0 -u root

# ---- names of items

run 'bonnie++ names' bonnie++ -q -d e -s 0 -n 1:0:0 -u root
run 'fs_mark names' fs_mark -d e/marks -n 500 -s 0 -k
run 'fs_mark four threads' fs_mark -d e/threads -n 200 -s 0 -t 4 -S 0
run 'fs_mark bytes that are no items' fs_mark -d e/bytes -n 10 -s 100
run 'fio create' fio --name=c --directory=e/fio --ioengine=filecreate --nrfiles=500 --filesize=4k --openfiles=1 \
	--fallocate=none

unmnt m e
ok ctl check
done_testing
