#!/bin/bash
# Names: each key has one name, and each name gives its key (NAMESPACE 2).
# BEHAVIOUR 3.10, 23.1, 23.2, 23.3
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'byname=G,H'
ctl create-table num --key PK:N,SK:N >/dev/null
ctl create-table bin --key PK:B,SK:B >/dev/null
ctl create-table sim --key PK >/dev/null
mnt m

# ---- strings, from the store to the tree

for sk in '50%' '.hidden' '..' 'tab\there' 'del\u007f' 'nul\u0000x' 'blank and dot.' 'ä€😀' 'a::b:' 'back\\slash' '*?[]'; do
	ctl put tab '{"PK":"a/b","SK":"'"$sk"'"}' >/dev/null
done
eq 'escapes what a name cannot hold, and nothing else' "$(ls m/tab/a%2Fb | LC_ALL=C sort)" "$(
	LC_ALL=C sort <<'END'
%2E..json
%2Ehidden.json
*?[].json
50%25.json
a::b:.json
back\slash.json
blank and dot..json
del%7F.json
nul%00x.json
tab%09here.json
ä€😀.json
END
)"
for name in m/tab/a%2Fb/*; do
	ok cat "$name"
done
eq 'finds the item of an escaped name' "$(jq -c .SK 'm/tab/a%2Fb/nul%00x.json')" '"nul\u0000x"'

# ---- strings, from the tree to the store

mkdir 'm/tab/x%2Fy' 'm/tab/%2Edot'
ok write 'm/tab/x%2Fy/1%250%0A.json' '{"v":1}'
eq 'reads the key out of the name' "$(item tab x/y $'1%0\n')" '{"PK":"x/y","SK":"1%0\n","v":1}'
ok touch 'm/tab/%2Edot/ß.json'
eq 'a partition with a leading dot' "$(item tab .dot ß)" '{"PK":".dot","SK":"ß"}'

# ---- only the canonical spelling is the name

for name in 'a%2fb' 'a%2Fb/50%.json' 'a%2Fb/%35%30%25.json' 'a%2Fb/50%2.json' 'a%2Fb/del%7f.json'; do
	gone "m/tab/$name"
done
refused 'Bad message' mkdir 'm/tab/a%2fb'
refused 'Bad message' mkdir 'm/tab/%41'
refused 'Bad message' mkdir 'm/tab/%zz'
refused 'Bad message' touch 'm/tab/a%2Fb/50%.json'
refused 'Bad message' touch 'm/tab/a%2Fb/%61.json'
ok grep -q 'which is "a.json"' m/.itemfs/errors
eq 'why gives the canonical spelling' "$(ctl why "$W/m/tab/a%2Fb/%61.json" | grep -c 'which is')" 1
refused 'Bad message' mkdir $'m/tab/not\xffutf8'
refused 'Bad message' touch $'m/tab/a%2Fb/\xc0\xaf.json'

# ---- numbers

for n in -5 0 0.25 10 9 1e30 1E+100 -1.5E-100 100; do
	ctl put num '{"PK":1,"SK":'"$n"'}' >/dev/null
done
eq 'lists numbers numerically, in plain decimal up to 40 digits' "$(ls -U m/num/1)" '-5.json
-1.5E-100.json
0.json
0.25.json
9.json
10.json
100.json
1000000000000000000000000000000.json
1E+100.json'
gone m/num/1.0 m/num/01 m/num/+1 m/num/1e0 m/num/1/1e30.json m/num/1/0.250.json m/num/1/-0.json m/num/1/.25.json
refused 'Bad message' mkdir m/num/1.0
refused 'Bad message' mkdir m/num/abc
refused 'Bad message' touch m/num/1/1e3.json
refused 'Bad message' touch m/num/1/00.json
refused 'Bad message' touch m/num/1/x.json
refused 'Bad message' touch m/num/1/1E+200.json
mkdir m/num/-2.5
ok write m/num/-2.5/12345678901234567890123456789012345678.json '{"a":1}'
eq 'a number of 38 digits keeps all of them' "$(item num -2.5 12345678901234567890123456789012345678 | grep -c '"a":1')" 1
refused 'Bad message' touch m/num/-2.5/123456789012345678901234567890123456789.json

# ---- binary

ctl put bin '{"PK":{"B":"aGk="},"SK":{"B":"AP8v"}}' '{"PK":{"B":"aGk="},"SK":{"B":"AP8="}}' >/dev/null
eq 'binary keys are lower-case hex, ordered by bytes' "$(ls -U m/bin m/bin/6869)" 'm/bin:
6869

m/bin/6869:
00ff.json
00ff2f.json'
gone m/bin/6869/00FF.json
refused 'Bad message' touch m/bin/6869/00FF.json
refused 'Bad message' touch m/bin/6869/0.json
refused 'Bad message' mkdir m/bin/xyz
ok write m/bin/6869/0a.json '{"v":2}'
eq 'a binary key from its name' "$(item bin aGk= Cg== | jq -c .v)" 2

# ---- simple keys

ok write m/sim/one.json '{"v":1}'
eq 'an item of a simple key is a file in the directory of the table' "$(item sim one)" '{"PK":"one","v":1}'
eq 'and is listed there' "$(ls m/sim)" one.json

# ---- tables

ctl create-table .dots --key PK >/dev/null
eq 'tables follow the same rule' "$(ls m)" '%2Edots
bin
num
sim
tab'

# ---- index entries: colons that could be taken for the separator

for sk in 'a:b' 'a::b' ':a' 'a:' ':'; do
	ctl put tab '{"PK":"ix","SK":"'"$sk"'","G":"g:","H":"h::"}' >/dev/null
done
mnt ix -o table=tab,index=byname
eq 'colons in an index view' "$(ls ix; ls ix/* | LC_ALL=C sort)" 'g%3A
h%3A%3A::ix::%3A.json
h%3A%3A::ix::%3Aa.json
h%3A%3A::ix::a%3A%3Ab.json
h%3A%3A::ix::a%3A.json
h%3A%3A::ix::a:b.json'
for name in ix/*/*; do
	ok cat "$name"
done

# ---- names that cannot be an item or a partition

refused 'Operation not permitted' touch m/new.json
refused 'Operation not permitted' mkdir m/new
refused 'Operation not permitted' touch m/tab/new.json
refused 'Operation not permitted' mkdir m/tab/x%2Fy/new
refused 'Operation not permitted' mkdir m/sim/new
refused 'Operation not permitted' ln 'm/sim/one.json' m/sim/two.json
refused 'Operation not permitted' ln -s one.json m/sim/two.json
refused 'Operation not permitted' mkfifo m/sim/two.json

# ---- names reserved for queries

for name in .eq .begins_with .json .jsonl .count; do
	ok stat "m/tab/x%2Fy/$name"
	refused 'Read-only' touch "m/tab/x%2Fy/$name"
done
for name in .stream .table.json; do
	refused 'Operation not permitted' touch "m/tab/x%2Fy/$name"
done
eq 'and are not listed' "$(ls -A m/tab/x%2Fy | grep '^\.')" ''

# ---- names too long to show in full

long=$(printf 'k%.0s' $(seq 1000))
euros=$(printf '€%.0s' $(seq 300))
ctl put tab '{"PK":"'"$long"'","SK":"'"$long"'","v":1}' '{"PK":"L","SK":"'"$euros"'","v":2}' '{"PK":"L","SK":"'"${long}x"'","v":3}' \
	'{"PK":"L","SK":"'"$long"'","v":4}' >/dev/null
dir=$(ls m/tab | grep '^k')
name=$(ls "m/tab/$dir")
eq 'a long name has 255 bytes' "$(printf %s "$dir" | wc -c) $(printf %s "$name" | wc -c)" '255 255'
eq 'its format' "$(printf %s "$name" | sed -E 's/^k+%~[0-9a-f]{32}\.json$/good/') $(printf %s "$dir" | sed -E 's/^k+%~[0-9a-f]{32}$/good/')" 'good good'
eq 'it depends only on its own key value' "$(ls m/tab/L | grep -cF "$name")" 1
eq 'it is cut between characters' "$(ls m/tab/L | grep '€' | iconv -f utf8 -t utf8 | sed -E 's/€+%~[0-9a-f]{32}\.json$/good/')" good
eq 'its file can be read' "$(jq -c .v "m/tab/$dir/$name")" 1
ok write "m/tab/L/$name" '{"v":5}'
eq 'its file can be written: the path gives the key' "$(item tab L "$long" | jq -c .v)" 5
ok rm "m/tab/L/$name"
gone "m/tab/L/$name"
ok cp "m/tab/$dir/$name" "m/tab/L/$name"
eq 'cp creates a new item: the text gives the key' "$(item tab L "$long" | jq -c .v)" 1
rm "m/tab/L/$name"
refused 'Bad message' cp "$(ls -d m/tab/L/k*)" "m/tab/L/$name"
gone "m/tab/L/$name"
ok mv "m/tab/$dir/$name" "m/tab/L/"
eq 'mv keeps the name' "$(item tab L "$long" | jq -c .v)" 1
ok tar cf long.tar -C m/tab L
rm -r m/tab/L
ok tar xf long.tar -C m/tab
eq 'a round trip by tar' "$(item tab L "$long" | jq -c .v) $(item tab L "$euros" | jq -c .v) $(ls m/tab/L | wc -l)" '1 2 3'
cp "m/tab/L/$name" long.json
sed -i "s/\"PK\":\"L\"/\"PK\":\"$long\"/" long.json
rm -rf "m/tab/$dir"
mkdir "m/tab/$dir"
ok cp long.json "m/tab/$dir/$name"
eq 'the first item gives the key of a partition' "$(item tab "$long" "$long" | jq -c .v)" 1
refused 'File name too long' touch "m/tab/L/$(printf 'y%.0s' $(seq 251)).json"
refused 'File name too long' mkdir "m/tab/$(printf 'y%.0s' $(seq 256))"
ok touch "m/tab/L/$(printf 'y%.0s' $(seq 250)).json"

done_testing
