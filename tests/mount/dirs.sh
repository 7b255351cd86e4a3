#!/bin/bash
# Directories at scale: lists of many names in little memory, positions that stay valid while others insert and
# delete, a partition that is deleted while it is listed, a daemon that is killed during rm -r (NAMESPACE 2).
# By hand: ITEMFS_DIRS_ITEMS=10000000 ITEMFS_DIRS_PARTITIONS=3000000 bash tests/mount/dirs.sh
. "$(dirname "$0")/lib.sh"

items=${ITEMFS_DIRS_ITEMS-$([ -n "${ITEMFS_FULL-}" ] && echo 100000 || echo 30000)}
partitions=${ITEMFS_DIRS_PARTITIONS-5000}
removed=$((items < 100000 ? 10000 : items / 10))

store --key PK,SK
seq -f '{"PK":"big","SK":"k%08.0f"}' "$items" | ctl import tab - >/dev/null || fail 'import'
seq -f '{"PK":"p%07.0f","SK":"a"}' "$partitions" | ctl import tab - >/dev/null || fail 'import'
mnt m -o table=tab
mnt n -o table=tab

# ---- many names, of which the daemon keeps few

known()
{
	jq .known_names m/.itemfs/stats.json
}

# took SENTENCE COMMAND... - run it; print its time and the memory of the daemon where they are wanted
took()
{
	local what=$1 start=$EPOCHREALTIME
	shift
	"$@"
	[ "$items" -lt 1000000 ] || echo "$what: $((${EPOCHREALTIME/./} / 1000 - ${start/./} / 1000)) ms, $(awk '/RssAnon/ {print $2}' "/proc/$(our_pids | head -1)/status") kB, $(known) names" >&2
}

eq 'ls of a partition' "$(took 'ls -U' ls -U m/big | md5sum)" "$(seq -f 'k%08.0f.json' "$items" | md5sum)"
eq 'ls of all partitions' "$(took 'ls -U of partitions' ls -U m | wc -l)" $((partitions + 1))
eq 'find' "$(took 'find' find m/big -type f | wc -l)" "$items"
eq 'a glob of items' "$(cd m/big && took 'glob' eval 'set -- k*9.json; echo $#')" $((items / 10))
eq 'a glob of partitions' "$(cd m && took 'glob of partitions' eval 'set -- p*9; echo $#')" $((partitions / 10))
eq 'the daemon keeps few of the names' "$(known | awk '{print ($1 < 5000)}')" 1
eq 'find of everything' "$(took 'find of everything' find m | wc -l)" $((items + 2 * partitions + 2))
eq 'the number of known names has a bound' "$(known | awk '{print ($1 < 1400000)}')" 1

# ---- positions in directory streams

if here perl && [ "$(uname -m)" = x86_64 ]; then
	seq -f '{"PK":"d","SK":"k%05.0f"}' 3000 >some
	for t in positions two rewind changes renames removed; do
		ctl import tab some >/dev/null
		eq "streams: $t" "$(perl "$HERE/streams.pl" $t m/d n/d 2>&1)" ''
		rm -rf n/d
	done
fi

# ---- a partition that is deleted while it is listed

ctl import tab some >/dev/null
exec 8<m/d
(while [ -d m/d ]; do ls -U m/d m >/dev/null 2>>listing.err; done) &
rm -r n/d
wait $!
eq 'listings of it succeed, or report that it is gone' "$(grep -v 'No such file or directory' listing.err)" ''
gone m/d n/d
eq 'a directory stream opened before shows nothing more' "$(ls -U /proc/self/fd/8/ 2>/dev/null | wc -l)" 0
exec 8<&-

# ---- rm -r, and a daemon that is killed during one

unmnt n
seq -f '{"PK":"r","SK":"k%08.0f"}' "$removed" >many
ctl import tab many >/dev/null
took "rm -r of $removed" rm -r m/r
eq 'rm -r leaves no item' "$(ctl query tab r --count)" 0
gone m/r
head -10000 many | ctl import tab - >/dev/null
mkfifo answers
rm -ri m/r <answers 2>rm.err & # it removes as many as there are answers
rm=$!
exec 9>answers
yes | head -n 600 >&9
few()
{
	[ "$(ctl query tab r --count)" -lt 9500 ]
}
wait_until 20 few || fail 'rm -r does not remove'
kill_daemons
yes 2>/dev/null | head -n 20000 >&9 2>/dev/null
exec 9>&-
wait $rm
checks=$((checks + 1))
grep -q 'Transport endpoint is not connected' rm.err || fail "rm -r says: $(head -3 rm.err)"
unmount_all
mnt m -o table=tab
eq 'the listing shows all items that are left' "$(ls -U m/r | wc -l)" "$(ctl query tab r --count)"
ok rm -r m/r
gone m/r

# ---- unmounted in the middle of a listing

ctl import tab some >/dev/null
perl -e 'opendir my $d, "m/d" or die; readdir $d; system "fusermount3 -u -z m"; my $n = 1; $n++ while readdir $d; exit 0' || fail 'a lazy unmount breaks a listing'
wait_until 10 nobody_left || fail 'the daemon stays'
ok ctl check
done_testing
