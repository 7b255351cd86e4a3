#!/bin/bash
# Times of directories and files: a directory has the time of the latest change in its partition, times that are set
# stay.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G,H'
ctl create-table sim --key ID >/dev/null
ctl put tab '{"PK":"p","SK":"a","G":"x","H":"1"}' >/dev/null
ctl put tab '{"PK":"q","SK":"a","G":"y","H":"1"}' >/dev/null
ctl put sim '{"ID":"s"}' >/dev/null
mnt all
mnt m -o table=tab

mtime() { stat -c %.Y "$1"; }
# moves PATH... -- COMMAND... - check that the command makes the mtime and ctime of each path newer
moves()
{
	local paths=() before path
	while [ "$1" != -- ]; do paths+=("$1"); shift; done
	shift
	before=$(stat -c '%.Y %.Z' "${paths[@]}")
	"$@" || fail "$* gives $?"
	for path in "${paths[@]}"; do
		checks=$((checks + 1))
		perl -e 'my ($m, $c, $y, $z) = @ARGV; exit !($y > $m && $z > $c)' \
			$(head -n 1 <<<"$before") $(stat -c '%.Y %.Z' "$path") ||
			fail "$*: $path had $(head -n 1 <<<"$before"), has $(stat -c '%.Y %.Z' "$path")"
		before=$(tail -n +2 <<<"$before")
	done
}
# keeps PATH... -- COMMAND... - check that the command leaves the times of each path unchanged
keeps()
{
	local paths=() before
	while [ "$1" != -- ]; do paths+=("$1"); shift; done
	shift
	before=$(stat -c '%.Y %.Z' "${paths[@]}")
	"$@" || fail "$* gives $?"
	eq "$*: ${paths[*]}" "$(stat -c '%.Y %.Z' "${paths[@]}")" "$before"
}
put() { ctl put tab "$1" >/dev/null; }
create() { echo "$2" >"$1"; }

# ---- changes through this mount

moves m/p -- create m/p/b.json '{"n":1}'
moves m/p -- create m/p/b.json '{"n":2}'
moves m/p -- create m/p/empty.json ''
keeps m/p m -- touch -d 2001-02-03 m/p/b.json
keeps m/q -- create m/p/b.json '{"n":3}'
keeps m -- create m/p/b.json '{"n":4}'
moves m/p -- truncate -s 0 m/p/b.json
moves m/p -- mv m/p/b.json m/p/c.json
moves m/p m/q -- mv m/p/c.json m/q/c.json
moves m/q -- rm m/q/c.json
moves m/p -- create m/p/scratch x
moves m/p m/q -- mv m/p/scratch m/q/scratch2
moves m/q -- rm m/q/scratch2
moves m -- mkdir m/new
moves m -- rmdir m/new
moves m -- mv m/q m/r
moves m -- mv m/r m/q
settle m
moves all/sim -- create all/sim/t.json '{}'
keeps all/tab/p -- create all/sim/t.json '{"n":1}'

# ---- changes through other front ends and other mounts

moves m/p all/tab/p -- put '{"PK":"p","SK":"b","n":1}'
keeps m all/tab m/q -- put '{"PK":"p","SK":"b","n":2}'
moves m/p -- ctl delete tab p b
moves m all/tab -- put '{"PK":"other","SK":"b"}'
moves m all/tab -- ctl delete tab other b
moves all/tab/p -- create m/p/b.json '{"n":5}'
moves all -- ctl create-table more --key ID >/dev/null
ls m/p >/dev/null
eq 'a listing with attributes has the same times' "$(find m -mindepth 1 -maxdepth 1 -name p -printf '%T@')" \
	"$(find m/p -maxdepth 0 -printf '%T@')"
touch stamp
put '{"PK":"q","SK":"new"}'
eq 'find -newer' "$(find m -mindepth 1 -maxdepth 1 -type d -newer stamp)" m/q

# ---- index views

# The invalidation thread skips changes of this mount until an index view is known. The times of the views are still right.
create m/p/early.json '{"G":"x","H":"1"}'
own=$(mtime m/p)
first=$(mtime m/.index/gsi/x)
ok perl -e 'exit !($ARGV[1] >= $ARGV[0])' "$own" "$first"
rm m/p/early.json
stat m/.index/gsi/x m/.index/gsi/y >/dev/null
moves m/.index/gsi/x -- put '{"PK":"p","SK":"a","G":"x","H":"2"}'
keeps m/.index/gsi/y m/.index/gsi -- put '{"PK":"p","SK":"a","G":"x","H":"3"}'
put '{"PK":"p","SK":"x","G":"x","H":"1"}'
moves m/.index/gsi/x m/.index/gsi/y -- put '{"PK":"p","SK":"a","G":"y","H":"3"}'
moves m/.index/gsi -- put '{"PK":"p","SK":"a","G":"z","H":"3"}'
view_moved() { [ "$(mtime m/.index/gsi/z)" != "$before" ]; }
before=$(mtime m/.index/gsi/z)
echo '{"G":"z","H":"4"}' >m/p/a.json
checks=$((checks + 1))
wait_until 5 view_moved || fail "a write through the mount does not move the index's partition"

# ---- generated files are as new as their items

moves m/p/.jsonl -- put '{"PK":"p","SK":"b","n":7}'
moves m/.count m/p/.reverse -- put '{"PK":"p","SK":"b","n":8}'

# ---- times that are set

ok touch -d '2001-02-03 04:05:06.789' m/p
eq 'a time that was set is shown' "$(stat -c '%y|%x' m/p)" '2001-02-03 04:05:06.789000000 +0000|2001-02-03 04:05:06.789000000 +0000'
keeps m/p -- create m/q/a.json '{"n":1}'
moves m/p -- create m/p/a.json '{"n":1}'
ok touch -d '2001-02-03' m/p m
put '{"PK":"q","SK":"a","n":2}'
eq 'it stays while nothing changes' "$(stat -c %Y m/p m)" "$(date -d 2001-02-03 +%s)
$(date -d 2001-02-03 +%s)"
moves m/p -- put '{"PK":"p","SK":"a","n":2}'
refused 'Read-only' touch m/.index/gsi/z
ok touch -a -d '2002-03-04' m/p
eq 'only the time of last access was set' "$(stat -c %X m/p) $(($(stat -c %Y m/p) > 1700000000))" "$(date -d 2002-03-04 +%s) 1"
echo '{}' >m/p/t.json
echo x >m/p/t
for f in m/p/t.json m/p/t; do
	ok touch -d '2001-02-03' $f
	ok touch -a -d '2002-03-04' $f
	eq "$f: only the time of last access was set" "$(stat -c '%X %Y' $f)" "$(date -d 2002-03-04 +%s) $(date -d 2001-02-03 +%s)"
	ok touch -d '2600-01-01' $f
	eq "$f: a time that is too large becomes the maximum" "$(stat -c '%Y' $f)" 18446744073
	ok touch -d '1969-01-01' $f
	eq "$f: a time that is too small becomes the minimum" "$(stat -c '%Y' $f)" 0
done
for f in m/p/t.json m/p/t; do
	ok touch -a -d '2002-03-04' $f
	echo '{"n":1}' >$f
	eq "$f: a write keeps the time of last access" "$(stat -c '%X' $f)" "$(date -d 2002-03-04 +%s)"
	mv $f m/q
	eq "$f: so does mv" "$(stat -c '%X' m/q/${f##*/})" "$(date -d 2002-03-04 +%s)"
	mv m/q/${f##*/} $f
	rm $f
	echo '{"n":1}' >$f
	eq "$f: a new file has its own" "$(($(stat -c '%X' $f) > 1700000000))" 1
done
# read_at PATH DATE, was_read PATH... - set the day of last access, print it
read_at() { ok touch -a -d "$2" "$1"; }
was_read() { stat -c %x "$@" | cut -d ' ' -f 1 | tr '\n' ' '; }
mkdir m/p1 m/p2
for d in p1 p2; do
	for f in both.json both "$d.json" "$d" plain.json plain; do
		echo '{"n":1}' >m/$d/$f
	done
	settle m $((1 + 3 * ${d#p}))
	for f in both.json both "$d.json" "$d"; do
		read_at m/$d/$f 2002-03-0${d#p}
	done
done
ok renameat2 m/p1/both.json m/p2/plain.json 2
eq 'exchanged items' "$(was_read m/p2/plain.json)$(was_read m/p1/both.json | cut -c 1-2)" '2002-03-01 20'
ok [ "$(was_read m/p1/both.json)" != '2002-03-01 ' ]
ok renameat2 m/p1/both.json m/p2/plain.json 2
eq 'items exchanged back' "$(was_read m/p1/both.json)" '2002-03-01 '
ok renameat2 m/p1/both m/p2/both 2
eq 'exchanged scratch files' "$(was_read m/p1/both m/p2/both)" '2002-03-02 2002-03-01 '
ok renameat2 m/p1/both m/p2/both 2
ok renameat2 m/p1 m/p2 2
eq 'exchanged partitions' "$(was_read m/p2/{both,p1}{,.json} m/p1/{both,p2}{,.json})" \
	"$(printf '2002-03-01 %.0s' 1 2 3 4; printf '2002-03-02 %.0s' 1 2 3 4)"
ok mv m/p2 m/p3
eq 'a partition that is moved' "$(was_read m/p3/{both,p1}{,.json})" "$(printf '2002-03-01 %.0s' 1 2 3 4)"
ok [ "$(was_read m/p3/plain.json m/p3/plain m/p1/plain.json m/p1/plain | tr ' ' '\n' | grep -c '^2002')" = 0 ]
rm -r m/p1 m/p3
settle m 1

mkdir -p src/d1 src/d2
echo '{"PK":"d1","SK":"a"}' >src/d1/a.json
echo '{"PK":"d2","SK":"a"}' >src/d2/a.json
touch -d '2003-04-05' src/d1 src/d2 src/*/a.json
ok cp -a src/d1 src/d2 m
eq 'cp -a' "$(stat -c %Y m/d1 m/d2/a.json | uniq)" "$(date -d 2003-04-05 +%s)"
rm -r m/d1 m/d2
tar cf src.tar -C src d1 d2
ok tar xf src.tar -C m
eq 'tar x' "$(stat -c %Y m/d1 m/d2/a.json | uniq)" "$(date -d 2003-04-05 +%s)"
if here rsync; then
	touch -d '2003-04-06' src/d1
	ok rsync -a src/ m/
	eq 'rsync -a has nothing left to do' "$(rsync -ai src/ m/)" ''
	echo '{"PK":"d1","SK":"b"}' >m/d1/b.json
	eq 'and then only the changed directory' "$(rsync -ai src/d1 m/)" '.d..t...... d1/'
fi

# ---- link counts and inode numbers

eq 'directories do not count their subdirectories' "$(stat -c %h all all/tab m m/p m/.index m/.itemfs | uniq)" 1
perl -e 'open F, "<", "m/p/t.json" or die; unlink "m/p/t.json" or die; print((stat F)[3], "\n");
	open F, "+>", "m/p/t2" or die; unlink "m/p/t2" or die; print((stat F)[3], "\n");
	open F, "<", "m/p/a.json" or die; rename "m/d2/a.json", "m/p/a.json" or die; print((stat F)[3], "\n");
	opendir D, "m/d2" or die; rmdir "m/d2" or die; print((stat D)[3], "\n");
	mkdir "m/over" or die; opendir D, "m/over" or die; rename "m/d1", "m/over" or die; print((stat D)[3], " ", (stat "m/over")[3], "\n");
	' >links 2>&1
eq 'a removed file that is open has no links' "$(cat links)" '0
0
0
0
0 1'
echo '{' >m/p/bad.json 2>/dev/null
settle m 1
mkdir -p m/d3
for d in all all/tab m m/p m/.index m/.index/gsi m/.itemfs m/.itemfs/rejected; do
	eq "inode numbers in a listing of $d" "$(find "$d" -mindepth 1 -maxdepth 1 -printf '%i %f\n' | sort -k 2)" \
		"$(perl -e 'opendir D, $ARGV[0]; for (readdir D) { printf "%s %s\n", (lstat "$ARGV[0]/$_")[1], $_ unless /^\.\.?$/ }' "$d" | sort -k 2)"
	eq "and of . and .. in it" "$(ls -aUi "$d" | awk '$2 == "." || $2 == ".." {print $1}')" "$(stat -c %i "$d" "$d/..")"
done

# ---- a new mount does not know earlier times

before=$(mtime m/q)
unmnt m all
mnt m -o table=tab
checks=$((checks + 1))
perl -e 'exit !($ARGV[0] > $ARGV[1])' "$(mtime m/q)" "$before" || fail "the time before the mount is shown"
keeps m/q m -- put '{"PK":"p","SK":"a","n":9}'

done_testing
