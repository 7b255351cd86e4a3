#!/bin/bash
# A user's open files take a bounded part of the daemon's memory, and reduce no other user's part.
private=yes
. "$(dirname "$0")/lib.sh"

users
chmod 755 "$HERE/hold.pl" 2>/dev/null
cp "$HERE/hold.pl" "$W/hold.pl"
greedy=65534
other=1007
ulimit -n 20000
export ITEMFS_TIMING=hidden=600000,backoff=100 # hidden items stay hidden
store --key PK,SK
seq 2000 | jq -c '{PK:"q",SK:"item-\(.)",v:"some text that is not so long"}' | ctl import tab /dev/stdin >/dev/null
jq -nc '{PK:"long",SK:"a",v:("x"*390000)}' | ctl put tab - >/dev/null
mnt m -o table=tab,allow_other,umask=0
mkdir m/p
daemon=$(our_pids)

# memory - the daemon's private memory, in MB
memory()
{
	awk '$1 == "RssAnon:" {print int($2 / 1024)}' "/proc/$daemon/status"
}

# open_by USER HOW N PATTERN [BYTES] - begin hold.pl; sets said and grown
open_by()
{
	local before
	before=$(memory)
	coproc HOLD { as "$1" perl hold.pl "${@:2}"; }
	read -r said <&"${HOLD[0]}"
	grown=$(($(memory) - before))
}

# some TEXT - print the text with N for each number but 0
some()
{
	sed -E 's/[1-9][0-9]*/N/g' <<<"$1"
}

# closed [N] - end hold.pl; N files may still be being written
closed()
{
	local pid=$HOLD_PID
	eval "exec ${HOLD[1]}>&-"
	wait "$pid"
	settle m "${1-0}"
}

# below SENTENCE MB - check that the daemon has grown by less than MB. The figure depends on the machine; a
# sanitizer's build has other figures.
below()
{
	if [ -n "${ITEMFS_FULL-}" ] && [ -z "$(nm -D "$ITEMFS" 2>/dev/null | grep -m 1 '__[at]san_init')" ]; then
		eq "$1: $grown MB" "$((grown < $2))" 1
	fi
}

# ---- items that are written, but not closed; first, since later the memory that was freed is used again

open_by $greedy item 4000 m/p/i%d.json 100
eq 'four thousand items that are written, but not closed' "$said" '4000 ok'
below 'few of them stay parsed' 30
closed
eq 'all are stored' "$(ls -U m/p | wc -l)" 4000
rm -rf m/p/i*

# ---- long texts of zeros

open_by $greedy truncate 150 m/p/t%d.json 4194304
eq 'texts of 4 MiB' "$said" '31 ok, 119 no: No space left on device'
below '150 of them' 220
open_by_other()
{
	as $other bash -c 'echo "{\"v\":1}" >m/p/other.json && cat m/p/other.json && ls m/p >/dev/null'
}
eq 'another user does not notice' "$(open_by_other)" '{"PK":"p","SK":"other","v":1}'
eq 'nor does root' "$(cat m/q/item-1.json | jq -r .SK)" item-1
full='the open files of one user in this mount may use at most 128 MB of the daemon'\''s memory: close files, or remove scratch files'
eq 'errors has the reason' "$(as $greedy tail -n 1 m/.itemfs/errors | cut -f 4,6)" "ENOSPC	$full"
eq 'and so has why' "$(ctl why | jq -r 'select(.Errno == "ENOSPC") | .Message' | sort -u)" "$full"
closed
eq 'after the close there is room again' "$(as $greedy cat m/q/item-1.json | jq -r .SK) $(jq .bytes_kept_open m/.itemfs/stats.json)" 'item-1 1024'
rm -f m/p/*.json

# ---- a directory that could not be made changes nothing

open_by $greedy fill 500 m/p/t%d.json 4194304
eq 'files until there is no room' "$(some "$said")" 'N ok, N no: No space left on device'
# Names of maximum length: when one is refused, there may be room for a short one.
eq 'a refused mkdir leaves the table as it was' "$(as $greedy bash -c '
	changed() { stat --cached=never -c %.Y m; }
	name=$(printf "d%.0s" {1..240})
	for ((i = 0; i < 100; i++)); do
		before=$(changed)
		said=$(mkdir m/$name$i 2>&1) && continue
		echo "${said##*: }"
		[ "$(changed)" = "$before" ] && echo unchanged
		break
	done')" "No space left on device
unchanged"
closed
rm -f m/p/*.json
rmdir m/ddd* 2>/dev/null

# ---- a rejected text, opened many times

{ head -c 4000000 /dev/zero | tr '\0' ' '; echo ']'; } >text
as $greedy cp text m/p/refused.json 2>/dev/null
settle m
kept=$(ls -d m/.itemfs/rejected/*refused.json | head -n 1)
open_by $greedy read 100 "$kept" 4000000
eq 'a rejected text 100 times' "$said" '100 ok'
below 'it is read from the disk' 30
closed
eq 'as it was written' "$(cmp "$kept" text)" ''

# ---- many open files of other kinds: each takes its part, and all together at most 128 MB

open_by $greedy read 10000 m/q/item-1.json 10
eq 'ten thousand open files' "$said" '10000 ok'
closed
open_by $greedy list 500 m/q
eq 'five hundred listings' "$said" '500 ok'
closed
for pattern in 'list 5000 m/q' 'list 5000 m/q/.ge/a' 'read 5000 m/.jsonl 100000' 'write 500 m/p/w%d.json 1000000'; do
	# shellcheck disable=SC2086
	open_by $greedy $pattern
	eq "$pattern" "$(some "$said")" 'N ok, N no: No space left on device'
	below "$pattern" 220
	closed
done
rm -f m/p/*.json
seq 100 | jq -c '{PK:"many",SK:"\(.)",l:[range(130000)|0]}' | ctl import tab /dev/stdin >/dev/null
open_by $greedy hide 100 m/many/%d.json
eq 'hidden items with many values' "$(some "$said")" 'N ok, N no: No space left on device'
below 'they' 220
closed "${said%% *}"
rm -f m/many/*
settle m
rmdir m/many
open_by $greedy write 70 m/p/.s%d 1000000
eq 'scratch files of one user: 64 MB' "$said" '67 ok, 3 no: No space left on device'
open_by_other >/dev/null || fail 'another user has no room for an open file'
eq 'another user has room for scratch files' "$(as $other bash -c 'head -c 40000000 /dev/zero >m/p/.mine && stat -c %s m/p/.mine')" 40000000
closed 71
rm -f m/p/.s* m/p/.mine m/p/*.json
settle m
rmdir m/p
eq 'all memory is given back' "$(jq .bytes_kept_open m/.itemfs/stats.json)" 1024

# ---- followers are counted per user

mkdir m/p
for n in $(seq 64); do
	setpriv --reuid $greedy --clear-groups cat m/.stream >/dev/null 2>&1 &
	helpers="$helpers $!"
done
wait_until 20 stat_is m open_streams 64 || fail 'no 64 streams'
refused 'No space left on device' as $greedy cat m/.stream
setpriv --reuid $other --clear-groups cat m/.stream >stream.out 2>&1 &
helpers="$helpers $!"
wait_until 20 stat_is m open_streams 65 || fail 'another user cannot open a stream'
echo '{}' >m/p/told.json
wait_until 20 grep -q told stream.out || fail 'the stream of the other user has no record'
# shellcheck disable=SC2086
kill $helpers
wait_until 20 stat_is m open_streams 0 || fail 'the streams stay open'
helpers=

done_testing
