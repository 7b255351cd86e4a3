#!/bin/bash
# Indexes that are created and deleted below mounts: a view appears when its index is complete, and disappears at
# once.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G'
for n in $(seq 1 300); do
	printf '{"PK":"p","SK":"%03d","G":"g%d","H":"h%d"}\n' "$n" $((n % 3)) $((n % 5))
done >items
ctl import tab items >/dev/null
mnt m -o table=tab
mnt g -o table=tab,index=gsi

# ---- one more

eq 'the index that exists before' "$(ls m/.index)" gsi
gone m/.index/new m/.index/new/h1
ctl alter tab --add-gsi 'new=H,SK'
eq 'a new index has a name at once' "$(ls m/.index | tr '\n' ' ')" 'gsi new '
eq 'and its view is complete' "$(ls m/.index/new/h1 | wc -l) $(ls m/.index/new | tr '\n' ' ')" '60 h0 h1 h2 h3 h4 '
echo '{"G":"g1","H":"h9"}' >m/p/new.json
eq 'writes go there too' "$(ls m/.index/new/h9) $(ls g/g1/p::new.json)" 'new::p::new.json g/g1/p::new.json'
refused 'Bad message' bash -c 'echo "{\"H\":5}" >m/p/bad.json; sync -f m/p/bad.json'

# ---- a view that is seen is complete

(for n in $(seq 1 20000); do printf '{"PK":"q%d","SK":"%d","B":"b"}\n' $((n % 50)) "$n"; done) >many
ctl import tab many >/dev/null
ctl alter tab --add-gsi 'big=B' &
until [ -d m/.index/big ]; do
	ls m/.index >/dev/null
done
eq 'the new view shows every item' "$(ls -U m/.index/big/b | wc -l)" 20000
wait $!

# ---- an index deleted while it is in use

exec 8<g/g1/p::001.json
cd g/g1 || exit 1
ctl alter tab --drop-gsi gsi
refused 'No such file or directory' ls "$W/g/g1"
refused 'No such file or directory' cat p::004.json
cat <&8 >/dev/null 2>&1 # reading what was open may succeed or fail
exec 8<&-
cd "$W" || exit 1
gone m/.index/gsi m/.index/gsi/g1 m/.index/gsi/g1/p::001.json g/g1
eq 'the view of a deleted index is an empty directory' "$(ls g)" ''
eq 'the other views stay' "$(ls m/.index | tr '\n' ' ')$(ls m/.index/new/h1 | wc -l)" 'big new 60'
eq 'the key type of a deleted index is not enforced any more' "$(write m/p/free.json '{"G":5}' && sync m/p/free.json && item tab p free)" '{"G":5,"PK":"p","SK":"free"}'

# ---- the same name again, with another key

ctl alter tab --add-gsi 'gsi=H'
eq 'the old view shows the new index of that name' "$(ls g | tr '\n' ' ')$(ls g/h1 | wc -l)" 'h0 h1 h2 h3 h4 h9 60'
mkdir x
refused 'table tab has no index none' "$ITEMFS" "$S" x -o table=tab,index=none
unmnt m g
ok ctl check
done_testing
