#!/bin/bash
# Open files: unlinked ones, O_APPEND, truncation, shared mappings, and refused operations (NAMESPACE 4).
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mnt n -o table=tab
mkdir m/p

# v SK - the attribute v of the stored item, or "no item"
v()
{
	local got
	got=$(item tab p "$1")
	if [ -n "$got" ]; then jq -c .v <<<"$got"; else echo 'no item'; fi
}

# ---- unlinked while open

echo '{"v":1}' >m/p/a.json
settle m # until RELEASE the file shows the bytes that were written
exec 4<m/p/a.json
rm m/p/a.json
eq 'a reader continues to read' "$(cat <&4)" '{"PK":"p","SK":"a","v":1}'
eq 'and the item is deleted' "$(v a) $(ls m/p n/p 2>/dev/null | grep -c json)" 'no item 0'
exec 4<&-
echo '{"v":1}' >m/p/a.json
exec 4<>m/p/a.json
rm m/p/a.json
printf '{"v":2}%30s' >&4
ok sync /proc/self/fd/4
eq 'a writer keeps its text' "$(head -c 7 /proc/self/fd/4)" '{"v":2}'
echo 'and may write what is no item' >&4
truncate -s 3 /proc/self/fd/4
exec 4>&-
eq 'which is not committed any more' "$(v a) $(ls m/p | wc -l) $(ls m/.itemfs/rejected | wc -l)" 'no item 0 0'
exec 4>m/p/new.json
printf '{"v":3}' >&4
rm m/p/new.json
exec 4>&-
eq 'a new file that was never committed' "$(v new)" 'no item'
exec 4>m/p/a.json
printf '{"v":' >&4
rm m/p/a.json
echo '{"v":"second"}' >m/p/a.json
echo '"first"}' >&4
exec 4>&-
eq 'a new file of that name is independent' "$(v a) $(cat m/p/a.json)" '"second" {"PK":"p","SK":"a","v":"second"}'
exec 4<>m/p/a.json
rm n/p/a.json
printf '{"v":4}%40s' >&4
ok sync m/p/a.json
exec 4>&-
eq 'unlinked by another mount: the writer creates it again' "$(v a) $(jq .v n/p/a.json)" '4 4'
exec 4<m/p/a.json
ctl delete tab p a >/dev/null
refused '' cat m/p/a.json
exec 4<&-
gone m/p/a.json

# ---- O_APPEND

mkdir m/p
for w in 1 2 3 4; do
	( for k in $(seq 25); do echo "writer $w line $k" >>m/p/log; done ) &
done
wait
eq 'lines of four writers that append to a scratch file' "$(sort -u m/p/log | wc -l) $(wc -l <m/p/log)" '100 100'
rm m/p/log
printf '{' >m/p/half.json 2>/dev/null
( printf '{'; cat ) >>m/p/join.json < <(printf '"v":'; printf '5}')
eq 'an item appended in pieces' "$(v join)" 5
refused 'Bad message' bash -c 'echo "{}" >>m/p/join.json'
perl -e 'open F, ">>", "m/p/join.json"; truncate F, 0; syswrite F, "{\"v\":"; sysseek F, 0, 0; syswrite F, "6}"; close F or die'
eq 'O_APPEND writes at the end, wherever the position is' "$(v join)" 6

# ---- sizes

echo '{"v":1}' >m/p/s.json
refused 'Bad message' truncate -s +10 m/p/s.json
refused 'File too large' truncate -s 5M m/p/s.json
refused '' truncate -s -1000 m/p/none/s.json
eq 'the item is unchanged' "$(v s) $(cat m/p/s.json)" '1 {"PK":"p","SK":"s","v":1}'
refused 'not supported' fallocate -l 100 m/p/s.json
refused 'not supported' fallocate -l 100 m/p/scratch
refused 'unsupported' fallocate -p -o 0 -l 5 m/p/s.json
refused 'not supported' fallocate -c -o 0 -l 5 m/p/s.json
eq 'and unchanged after fallocate' "$(v s) $(stat -c %s m/p/s.json)" "1 $(wc -c <m/p/s.json)"
rm -f m/p/scratch
perl -e 'open F, "+<", "m/p/s.json"; sysseek F, 5 << 20, 0; my $n = syswrite(F, "x"); close F; exit($n ? 1 : 0)' || fail 'a write far beyond the end succeeds'
perl -e 'open F, "+<", "m/p/s.json"; sysseek F, 1 << 62, 0; my $n = syswrite(F, "x"); close F; exit($n ? 1 : 0)' || fail 'a write near the maximum offset succeeds'
eq 'a write far beyond the end changes nothing' "$(v s)" 1
eq 'and fails in a scratch file' "$(perl -e 'open F, ">", "m/p/far"; sysseek F, 1 << 62, 0; print defined syswrite(F, "x") ? "written" : "$!"')" 'No space left on device'
rm m/p/far

# ---- shared mappings

if here python3; then
	echo '{"v":"mapped"}' >m/p/map.json
	settle m
	offset=$(($(grep -bo mapped m/p/map.json | cut -d: -f1)))
	python3 - "$offset" <<'PY'
import mmap, os, sys
at = int(sys.argv[1])
fd = os.open("m/p/map.json", os.O_RDWR)
m = mmap.mmap(fd, 0)
m[at:at + 6] = b"MAPPED"
m.flush()
os.fsync(fd)
PY
	eq 'msync and fsync commit' "$(v map) $(jq .v n/p/map.json)" '"MAPPED" "MAPPED"'
	python3 - "$offset" <<'PY'
import mmap, os, sys
at = int(sys.argv[1])
fd = os.open("m/p/map.json", os.O_RDWR)
m = mmap.mmap(fd, 0)
os.close(fd)
m[at:at + 6] = b"closed"
m.close()
PY
	is_closed()
	{
		[ "$(v map)" = '"closed"' ]
	}
	wait_until 10 is_closed
	eq 'closed, changed through the mapping, unmapped: the release commits' "$(v map)" '"closed"'
	eq 'msync of a text that is not an item' "$(python3 - "$offset" <<'PY'
import mmap, os, sys
at = int(sys.argv[1])
m = mmap.mmap(os.open("m/p/map.json", os.O_RDWR), 0)
m[at - 1:at] = b"!"
try:
    m.flush()
except OSError as e:
    print(e.strerror)
PY
)" 'Bad message'
	settle m
	eq 'the item is unchanged' "$(v map) $(cat m/p/map.json)" '"closed" {"PK":"p","SK":"map","v":"closed"}'
	eq 'the rejected text is kept' "$(cat m/.itemfs/rejected/*map.json)" '{"PK":"p","SK":"map","v":!closed"}'
	eq 'a mapping of a scratch file' "$(python3 - <<'PY'
import mmap, os
fd = os.open("m/p/mapped", os.O_RDWR | os.O_CREAT)
os.ftruncate(fd, 8192)
m = mmap.mmap(fd, 8192)
m[4094:4098] = b"page"
m.flush()
print(os.pread(os.open("m/p/mapped", os.O_RDONLY), 4, 4094))
PY
)" "b'page'"
	eq 'a mapping shows what a writer of the same mount writes' "$(python3 - <<'PY'
import mmap, os
m = mmap.mmap(os.open("m/p/map.json", os.O_RDWR), 0, prot=mmap.PROT_READ)
before = m[:]
with open("m/p/map.json", "r+b") as f:
    f.seek(before.index(b"closed"))
    f.write(b"rewrit")
print(b"rewrit" in m[:])
PY
)" True
fi

ok ctl check
done_testing
