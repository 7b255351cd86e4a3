#!/bin/bash
# An open file shows one version of its item until it is read from the start again, whatever replaces the item
# meanwhile (NAMESPACE 3).
. "$(dirname "$0")/lib.sh"
here python3 || done_testing

store --key PK,SK --gsi by_v=GPK,GSK
mnt m
put()
{
	ctl -q put tab "$@"
}
# item VERSION LENGTH
item_of()
{
	printf '{"PK":"p","SK":"a","GPK":"g","GSK":"a","v":%d,"text":"%s"}' "$1" "$(head -c "$2" /dev/zero | tr '\0' "$1")"
}
cat >parts.py <<'END'
"""parts PATH SIZE COMMAND - read SIZE bytes, run the command, read the rest, then all from the start; print the versions and characters of both"""
import json
import os
import subprocess
import sys

path, size, command = sys.argv[1], int(sys.argv[2]), sys.argv[3]
fd = os.open(path, os.O_RDONLY)


def rest():
    parts = []
    while part := os.read(fd, size):
        parts.append(part)
    return b"".join(parts)


def of(text):
    try:
        item = json.loads(text)
    except ValueError:
        return "torn"
    item = {k: next(iter(v.values())) if isinstance(v, dict) else v for k, v in item.items()}
    return "%s:%s" % (item["v"], "".join(sorted(set(item["text"]))))


first = os.read(fd, size)
subprocess.run(["bash", "-c", command], check=True)
print(of(first + rest()), end=" ")
os.lseek(fd, 0, os.SEEK_SET)
try:
    print(of(rest()))
except OSError as e:
    print(e.strerror)
END
# replaced PATH SIZE LENGTH LENGTH - check a read during which a shorter or longer item replaces the item
replaced()
{
	item_of 1 "$3" | put -
	item_of 2 "$4" >new
	eq "$1 by $2, $3 and $4 bytes" "$(python3 parts.py "$1" "$2" "$ctl put tab - <new")" '1:1 2:2'
}
ctl="$(printf '%q ' "$ITEMCTL" -s "$S" -q)"

for lengths in '100 100' '100 5000' '5000 100' '300000 1000' '1000 300000' '300000 300000'; do
	# shellcheck disable=SC2086 # two lengths
	for size in 10 4096; do
		replaced m/tab/p/a.json $size $lengths
	done
done
for path in m/tab/.index/by_v/g/*.json m/tab/p/.ge/a/a.json m/tab/p/./a.json; do
	replaced $path 10 100 5000
done
unmnt m
mnt m -o typed,pretty
replaced m/tab/p/a.json 10 100 5000
mnt n -o table=tab
item_of 1 100 | put -
eq 'replaced through another mount' "$(python3 parts.py m/tab/p/a.json 10 "jq -c '.v = 2 | .text = \"2222\"' n/p/a.json >n/p/a.new && mv n/p/a.new n/p/a.json")" '1:1 2:2'
unmnt n
item_of 1 300000 | put -
eq 'removed through itemctl' "$(python3 parts.py m/tab/p/a.json 4096 "$ctl delete tab p a >/dev/null")" '1:1 1:1'
unmnt m

# ---- a writer of the same mount that still has the file open

mnt m
cat >writer.py <<'END'
"""Read with the first READ before or after the writer's text: each time the rest is of the same version"""
import os

path = "m/tab/p/a.json"
old, new = (b'{"PK":"p","SK":"a","text":"%s"}\n' % (c * n) for c, n in ((b"1", 100), (b"2", 5000)))
with open(path, "wb") as f:
    f.write(old)


def rest(fd):
    text = b""
    while part := os.read(fd, 50):
        text += part
    return text


reader = os.open(path, os.O_RDONLY)
first = os.read(reader, 10)
writer = os.open(path, os.O_WRONLY | os.O_TRUNC)
os.write(writer, new)
print(first + rest(reader) == old, end=" ")
os.lseek(reader, 0, os.SEEK_SET)
first = os.read(reader, 10)
os.ftruncate(writer, 0)
os.pwrite(writer, old, 0)
print(first + rest(reader) == new, end=" ")
os.lseek(reader, 0, os.SEEK_SET)
print(rest(reader) == old, end=" ")
os.close(writer)
os.lseek(reader, 0, os.SEEK_SET)
print(rest(reader) == old, end=" ")
both = os.open(path, os.O_RDWR)
os.pread(both, 10, 0)
os.pwrite(both, old.replace(b"1", b"3"), 0)
print(os.pread(both, 10000, 0) == old.replace(b"1", b"3"), os.pread(both, 10000, 30) == old.replace(b"1", b"3")[30:])
END
mkdir m/tab/p
eq 'a reader continues with the version that it began' "$(python3 writer.py)" 'True True True True True True'
ctl -q delete tab p a >/dev/null
unmnt m

# ---- many readers, and a writer that does not wait for them

mnt m
cat >many.py <<'END'
"""many PATH FLAG - read it in parts, as fast as possible, until FLAG exists; each time it must be one version

Each time in a thread of its own: one that opens file after file may be handed the bytes, see scanners.h.
"""
import json
import os
import sys
import threading

path, flag = sys.argv[1:]
reads = torn = 0
seen = set()


def once(size):
    global reads, torn
    fd = os.open(path, os.O_RDONLY)
    text = b""
    while part := os.read(fd, size):
        text += part
    os.close(fd)
    reads += 1
    try:
        item = json.loads(text)
        seen.add(item["v"])
        torn += set(item["text"]) != {str(item["v"])}
    except ValueError:
        torn += 1


while not os.path.exists(flag):
    for size in (64, 1000, 1 << 17):
        thread = threading.Thread(target=once, args=(size,))
        thread.start()
        thread.join()
print("torn %d of %d" % (torn, reads) if torn or len(seen) < 2 else "whole")
END
item_of 1 100 | put -
for reader in 1 2; do
	python3 many.py m/tab/p/a.json end >"many.$reader" 2>&1 &
done
for round in $(seq 40); do
	item_of $((round % 9 + 1)) $((round * 977 % 9000 + 1))
	echo
done >versions
for round in 1 2 3; do
	while read -r version; do
		put - <<<"$version"
	done <versions
done
: >end
wait
eq 'each reader gets whole versions only' "$(cat many.1 many.2)" 'whole
whole'
done_testing
