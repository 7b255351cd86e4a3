#!/bin/bash
# Scratch files (NAMESPACE 4): files of any bytes beside the items, until they are renamed to an item.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mkdir m/p
echo '{"n":1}' >m/p/a.json

# ---- bytes of any kind

for name in .a.json.swp '.#a.json' 4913 sedA1b2C3 a.json~ a noext.txt; do
	ok cp /bin/true "m/p/$name"
	eq "$name has the written bytes" "$(cmp "m/p/$name" /bin/true && echo same)" same
done
eq 'they are listed after the items' "$(ls -U m/p | head -n 1)" a.json
eq 'all of them are listed' "$(ls -A m/p | wc -l)" 8
eq 'none is an item' "$(ctl scan tab --count)" 1
eq 'a scratch file is not the item of that stem' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","n":1}'
eq 'inode numbers of readdir and stat agree' "$(ls -i m/p/a | cut -d ' ' -f 1)" "$(stat -c %i m/p/a)"
echo -n 0123456789 >m/p/x
ok dd if=/dev/zero of=m/p/x bs=1 count=2 seek=3 conv=notrunc status=none
eq 'written in place' "$(tr '\0' _ <m/p/x)" 012__56789
echo more >>m/p/x
truncate -s 4 m/p/x
eq 'truncated' "$(tr '\0' _ <m/p/x)" 012_
truncate -s 6 m/p/x
eq 'extended' "$(tr '\0' _ <m/p/x)" 012___
chmod 640 m/p/x
chown 12:34 m/p/x
touch -d '2001-02-03 04:05:06' m/p/x
eq 'mode, owner and time are its own' "$(stat -c '%a %u %g %Y' m/p/x)" "640 12 34 $(date -d '2001-02-03 04:05:06' +%s)"
(umask 077; echo y >m/p/y)
eq 'mode from the umask' "$(stat -c %a m/p/y)" 600
refused 'File exists' dd if=/dev/null of=m/p/y conv=excl status=none
exec 5<>m/p/y
rm m/p/y
gone m/p/y
echo after >&5
eq 'an unlinked file that is open can be read' "$(cat /proc/self/fd/5)" after
exec 5<&-
refused 'not empty' rmdir m/p
refused 'Operation not permitted' cp /bin/true m/.x
refused 'Read-only' cp /bin/true m/p/.jsonl
refused 'Read-only' mv m/p/x m/p/.json
rm m/p/.[a#]* m/p/4913 m/p/sed* m/p/a m/p/*~ m/p/*.txt m/p/x
eq 'only the item is left' "$(ls -A m/p)" a.json

# ---- names

echo one >m/p/s1
echo two >m/p/s2
ok mv m/p/s1 m/p/s3
eq 'renamed to another scratch name' "$(cat m/p/s3)" one
ok mv -f m/p/s3 m/p/s2
eq 'renamed over another scratch file' "$(cat m/p/s2) $(ls m/p | wc -l)" 'one 2'
mkdir m/q
ok mv m/p/s2 m/q/s2
eq 'renamed to another partition' "$(cat m/q/s2)" one
rm m/q/s2

# ---- scratch files that become items

echo '{"n":2}' >m/p/tmp
touch -d '2001-02-03 04:05:06' m/p/tmp
ok mv m/p/tmp m/p/b.json
eq 'renamed to a new item' "$(item tab p b)" '{"PK":"p","SK":"b","n":2}'
eq 'its text' "$(cat m/p/b.json)" '{"PK":"p","SK":"b","n":2}'
eq 'the time stays' "$(stat -c '%Y %a' m/p/b.json)" "$(date -d '2001-02-03 04:05:06' +%s) 644"
gone m/p/tmp
echo '{"n":3}' >m/p/tmp
ok mv m/p/tmp m/p/b.json
eq 'renamed over an item' "$(item tab p b) $(cat m/p/b.json)" '{"PK":"p","SK":"b","n":3} {"PK":"p","SK":"b","n":3}'
echo '{"n":4}' >m/p/tmp
mv -n m/p/tmp m/p/b.json
eq 'mv -n leaves both' "$(jq .n m/p/b.json) $(cat m/p/tmp)" '3 {"n":4}'
exec 5>>m/p/tmp
ok mv m/p/tmp m/p/c.json
refused 'Bad message' bash -c 'echo more >&5; sync m/p/c.json'
exec 5>&-
eq 'a writer that has it open continues in the item' "$(item tab p c)" '{"PK":"p","SK":"c","n":4}'

echo '{"n":' >m/p/tmp
refused 'Bad message' mv m/p/tmp m/p/b.json
eq 'bad content: the item is intact' "$(item tab p b)" '{"PK":"p","SK":"b","n":3}'
eq 'the scratch file is intact' "$(cat m/p/tmp)" '{"n":'
eq 'and its text is kept among the rejected ones' "$(grep -l '^{"n":$' m/.itemfs/rejected/* | wc -l)" 1
rm m/p/tmp
printf '{"t":"%0500000d"}' 1 >m/p/tmp
refused 'File too large' mv m/p/tmp m/p/b.json
head -c 5000000 /dev/zero >m/p/tmp
refused 'File too large' mv m/p/tmp m/p/b.json
rm m/p/tmp

# ---- room

head -c 40000000 /dev/zero >m/p/big
refused 'No space left' dd if=/dev/zero of=m/p/big2 bs=1M count=30 status=none
rm m/p/big2
settle m 1 # there is room again after RELEASE
refused 'No space left' truncate -s 1T m/p/big
rm m/p/big
settle m
ok dd if=/dev/zero of=m/p/big2 bs=1M count=60 status=none
rm m/p/big2
settle m
head -c $((64 * 1024 * 1024 - 9 * 1024)) /dev/zero >m/p/big
ok touch m/p/e1 m/p/e2 m/p/e3 m/p/e4 m/p/e5 m/p/e6 m/p/e7 m/p/e8
refused 'No space left' touch m/p/e9
refused 'No space left' mv m/p/b.json m/p/b~
eq 'empty scratch files need room, too' "$(ls m/p | grep -c '^e') $(ls m/p/e9 m/p/b~ m/p/b.json 2>/dev/null)" '8 m/p/b.json'
rm m/p/e? m/p/big
settle m
ok touch m/p/e9
rm m/p/e9

# ---- programs

ok sed -i 's/"n":3/"n":33/' m/p/b.json
eq 'sed -i' "$(item tab p b)" '{"PK":"p","SK":"b","n":33}'
refused 'Bad message' sed -i 's/^{//' m/p/b.json
eq 'sed -i with a result that is not an item' "$(item tab p b)" '{"PK":"p","SK":"b","n":33}'
ok perl -i -pe 's/33/34/' m/p/b.json
eq 'perl -i' "$(item tab p b | jq .n)" 34
if here rsync; then
	mkdir -p src/r
	for n in 1 2 3; do
		echo '{"PK":"r","SK":"'$n'","n":'$n'}' >src/r/$n.json
	done
	ok rsync -a src/ m/
	eq 'rsync' "$(cat m/r/*)" "$(cat src/r/*)"
	eq 'a second run transfers nothing' "$(rsync -ai src/r/ m/r/ | grep '^>')" ''
	echo '{"PK":"r","SK":"2","n":22}' >src/r/2.json
	eq 'a run after a change transfers one file' "$(rsync -ai src/r/ m/r/ | awk '$1 ~ /^>f/ {print $2}')" 2.json
fi
if here sponge; then
	ok bash -c "jq -c '.n = 35' m/p/b.json | sponge m/p/b.json"
	eq 'sponge' "$(item tab p b | jq .n)" 35
fi
ok cp --backup=none src/r/1.json m/p/d.json
ok rm -r m/r
gone m/r

# ---- other mounts, and the end

mnt m2 -o table=tab
echo mine >m/p/left
eq 'a scratch file exists only in its own mount' "$(ls m2/p | grep -c left)" 0
eq 'an index and a read-only mount have none' "$(mnt m3 -o table=tab,ro; cp /bin/true m3/p/x 2>&1 | grep -c 'Read-only')" 1
unmnt m
is_said()
{
	ctl why "$W/m/p/left" | grep -q 'left at unmount'
}
wait_until 10 is_said || fail 'the log does not name the scratch file that is left'
eq 'a scratch file that is left is kept' "$(cat "$S"/rejected/*-left)" mine
eq 'other mounts do not have it' "$(ls m2/.itemfs/rejected)$(cat m2/.itemfs/errors)" ''
mnt m -o table=tab
eq 'the next mount at that place has it' "$(cat m/.itemfs/rejected/*-left)" mine
unmnt m m2 m3

# ---- items that became scratch files: none is lost, however many there are, in two mounts that end together

seq 320 | jq -c '{PK:"many",SK:(.|tostring)}' | ctl import tab /dev/stdin >/dev/null
mnt m -o table=tab
mnt m2 -o table=tab
for n in $(seq 160); do
	mv m/many/$n.json m/many/$n.bak
	mv m2/many/$((n + 160)).json m2/many/$((n + 160)).bak
done
kill "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon stays'
eq 'none is an item' "$(ctl query tab many --count)" 0
eq 'each is a kept text' "$(cat "$S"/rejected/*.bak | jq -r .SK | sort -n | tr '\n' ' ')" "$(seq 320 | tr '\n' ' ')"
done_testing
