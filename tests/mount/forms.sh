#!/bin/bash
# Forms: pretty, typed, suffix=; each mount reads all of them (NAMESPACE 1 and 3).
# BEHAVIOUR 17.8
. "$(dirname "$0")/lib.sh"

store --key PK,SK:N
ctl put tab '{"PK":"p","SK":1,"a":[1,{"b":null}],"s":{"SS":["x"]}}' >/dev/null
mnt plain -o table=tab
mnt pretty -o table=tab,pretty
mnt typed -o table=tab,typed
mnt both -o table=tab,typed,pretty

eq 'plain' "$(cat plain/p/1.json)" '{"PK":"p","SK":1,"a":[1,{"b":null}],"s":{"SS":["x"]}}'
eq 'typed' "$(cat typed/p/1.json)" '{"PK":{"S":"p"},"SK":{"N":"1"},"a":{"L":[{"N":"1"},{"M":{"b":{"NULL":true}}}]},"s":{"SS":["x"]}}'
eq 'pretty has more lines' "$(wc -l <pretty/p/1.json)" "$(jq . plain/p/1.json | wc -l)"
eq 'pretty is the same JSON' "$(jq -c . pretty/p/1.json)" "$(cat plain/p/1.json)"
eq 'both together' "$(jq -c . both/p/1.json)" "$(cat typed/p/1.json)"
for d in plain pretty typed both; do
	eq "the size in $d" "$(stat -c %s $d/p/1.json)" "$(wc -c <$d/p/1.json)"
	eq "the size in the listing of $d" "$(find $d/p -name 1.json -printf %s)" "$(wc -c <$d/p/1.json)"
	eq "ends in a newline in $d" "$(tail -c 1 $d/p/1.json | od -An -c | tr -d ' ')" '\n'
done
eq 'the size of a partition is that of its files' "$(stat -c %s plain/p)" "$(cat plain/p/* | wc -c)"

# ---- each form, written in each mount

for d in plain pretty typed both; do
	for from in plain pretty typed both; do
		ok cp $from/p/1.json $d/p/2.json
		eq "$from in $d" "$(item tab p 2 | jq -c 'del(.SK)')" "$(item tab p 1 | jq -c 'del(.SK)')"
		rm $d/p/2.json
	done
done
ok write plain/p/3.json '{"n":{"N":"1.50"},"x":7,"PK":{"S":"other"}}'
settle plain
eq 'mixed forms; the key is that of the path' "$(cat plain/p/3.json)" '{"PK":"p","SK":3,"n":1.5,"x":7}'
eq 'a text written in one form is shown in another' "$(cat typed/p/3.json)" '{"PK":{"S":"p"},"SK":{"N":"3"},"n":{"N":"1.5"},"x":{"N":"7"}}'
echo '{"x":8}' >typed/p/3.json
eq 'a change in one mount is visible in the others' "$(cat plain/p/3.json; jq -c . pretty/p/3.json)" '{"PK":"p","SK":3,"x":8}
{"PK":"p","SK":3,"x":8}'
settle typed
eq 'with its new size' "$(stat -c %s plain/p/3.json typed/p/3.json)" "$(wc -c <plain/p/3.json)
$(wc -c <typed/p/3.json)"

# ---- suffix

mnt txt -o table=tab,suffix=.txt
mnt bare -o table=tab,suffix=
eq 'another suffix' "$(ls -U txt/p)" '1.txt
3.txt'
eq 'no suffix' "$(ls -U bare/p)" '1
3'
ok write txt/p/4.txt '{}'
ok write bare/p/5 '{}'
eq 'files written with these suffixes are items' "$(ls -U plain/p)" '1.json
3.json
4.json
5.json'
gone txt/p/1.json bare/p/1.json
ok touch txt/p/6.json bare/p/6~ bare/p/.6
eq 'other names are scratch files' "$(ls plain/p | wc -l)" 4
mkdir none
refused 'suffix' "$ITEMFS" "$S" none -o suffix=a/b

done_testing
