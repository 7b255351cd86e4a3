#!/bin/bash
# Programs that must work unchanged (NAMESPACE 4); those that create scratch files are in scratch.sh.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mkdir -p src/p1 src/p2
for n in 1 2 3; do
	echo '{"n":'$n'}' >src/p1/$n.json
	echo '{"text":"item '$n'"}' >src/p2/$n.json
done
touch -d '2005-06-07 08:09:10' src/p1/1.json

count()
{
	ctl scan tab --count
}

# ---- cp

ok cp -r src/p1 src/p2 m/
eq 'cp -r' "$(count) $(item tab p1 2)" '6 {"PK":"p1","SK":"2","n":2}'
ok cp -p src/p1/1.json m/p1/1.json
settle m
eq 'cp -p keeps the time' "$(stat -c %Y m/p1/1.json)" "$(stat -c %Y src/p1/1.json)"
ok cp -a src/p1/. m/p1/
ok cp m/p1/1.json m/p1/4.json
ok cp -r m/p1 m/p3
eq 'cp -r within the mount' "$(ls m/p3 | tr '\n' ' ') $(item tab p3 4)" '1.json 2.json 3.json 4.json  {"PK":"p3","SK":"4","n":1}'
ok cp -r m/p3 out
eq 'cp -r out of the mount' "$(cat out/*.json)" "$(cat m/p3/*.json)"
ok cp -n src/p2/1.json m/p1/1.json
eq 'cp -n replaces nothing' "$(jq .n m/p1/1.json)" 1
ok cp --no-clobber --preserve=all src/p2/1.json m/p1/5.json
rm -r m/p3 out

# ---- mv, install

cp src/p1/1.json moving.json
ok mv moving.json m/p1/6.json
settle m
eq 'mv into the mount' "$(item tab p1 6 | jq .n)" 1
gone moving.json
ok mv m/p1/6.json .
eq 'mv out of the mount' "$(cat 6.json) $(item tab p1 6)" '{"PK":"p1","SK":"6","n":1} '
ok mv src/p2/3.json m/p2/
ok install -m 600 6.json m/p1/7.json
eq 'install' "$(item tab p1 7 | jq .n) $(stat -c %a m/p1/7.json)" '1 644'
ok install -d m/made
ok chmod 600 m/p1/7.json
ok chown 1:1 m/p1/7.json
ok chmod -R u+w m/p1
eq 'chmod and chown change nothing' "$(stat -c '%a %u' m/p1/7.json)" "644 $(id -u)"

# ---- tar

ok tar cf all.tar -C m p1 p2
rm -r m/p1 m/p2
eq 'rm -r leaves no item' "$(count)" 0
ok tar xf all.tar -C m
settle m
eq 'tar x' "$(count) $(stat -c %Y m/p1/1.json)" "9 $(date -d '2005-06-07 08:09:10' +%s)"
ok tar df all.tar -C m
eq 'a second archive is the same' "$(tar cf - -C m p1 p2 | md5sum)" "$(md5sum <all.tar)"

# ---- rsync

if here rsync; then
	ok rsync -a m/ copy/
	eq 'rsync out of the mount' "$(diff -r m copy && echo same)" same
	eq 'a second run transfers nothing' "$(rsync -ai m/ copy/)" ''
	echo '{"n":22}' >m/p1/2.json
	settle m
	eq 'a run after a change transfers one file' "$(rsync -ai m/ copy/ | awk '$1 ~ /^>f/ {print $2}')" p1/2.json
	ok rsync -a --inplace copy/p1/ m/q1/
	eq 'rsync --inplace into the mount' "$(cat m/q1/* | jq -c .n | tr '\n' ' ')" "$(cat m/p1/* | jq -c .n | tr '\n' ' ')"
	rm -r m/q1
fi

# ---- programs that read

eq 'find -name' "$(find m -name '1.json' | sort | tr '\n' ' ')" 'm/p1/1.json m/p2/1.json '
eq 'find -newer' "$(find m/p1 -type f ! -newermt 2006-01-01)" m/p1/1.json
eq 'find -size' "$(find m -type f -size +100c | wc -l)" 0
eq 'grep -r' "$(grep -rl 'item 2' m)" m/p2/2.json
eq 'grep -c' "$(cat m/p2/*.json | grep -c item)" 3
ok ls -laR m
ok stat m/p1/1.json
eq 'du -b' "$(du -b m/p1/1.json | cut -f1)" "$(wc -c <m/p1/1.json)"
ok du -s m
ok df m
ok df -i m
eq 'wc -c' "$(wc -c <m/p1/1.json)" "$(stat -c %s m/p1/1.json)"
eq 'a glob' "$(echo m/p1/[12].json)" 'm/p1/1.json m/p1/2.json'
eq 'sort' "$(sort m/p2/*.json | head -1)" "$(cat m/p2/1.json)"
eq 'md5sum' "$(cd m && md5sum p1/1.json)" "$(cat m/p1/1.json | md5sum | sed 's|-|p1/1.json|')"
eq 'xargs' "$(find m/p1 -name '*.json' | xargs cat | wc -l)" "$(ls m/p1 | wc -l)"
if here tree; then
	eq 'tree' "$(tree m | tail -1 | sed "s|.*, ||")" "$(find m -type f | wc -l) files"
fi
ok flock m/p1/1.json true
ok test -w m/p1/1.json
ok test -r m/p1/1.json

# ---- tee, dd, split content

echo '{"n":1}' | tee m/p1/8.json m/p1/9.json >/dev/null
eq 'tee to two files' "$(jq .n m/p1/8.json m/p1/9.json | tr '\n' ' ')" '1 1 '
ok dd if=m/p1/8.json of=m/p1/10.json bs=4k
ok dd if=m/p1/8.json of=m/p1/11.json oflag=direct bs=4k conv=fsync
eq 'dd' "$(item tab p1 10 | jq .n)" 1

# ---- editors that write in place

if here vim; then
	ok vim -es -u NONE -c 'set noswapfile backupcopy=yes nowritebackup' -c '%s/"n":1/"n":5/' -c wq m/p1/8.json
	eq 'vim in place' "$(item tab p1 8 | jq .n)" 5
fi
if here ed; then
	printf '%s\n' 's/"n":5/"n":6/' w q | ed -s m/p1/8.json >/dev/null
	eq 'ed' "$(item tab p1 8 | jq .n)" 6
fi

done_testing
