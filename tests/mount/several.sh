#!/bin/bash
# Views of an index whose keys have several attributes: they are joined with "::" in the names of partitions and
# entries, and changes through other front ends are visible at once.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'idx=A+B:N,C:N+D'
ctl put tab '{"PK":"p","SK":"s","A":"x","B":7,"C":10,"D":"d"}' >/dev/null
ctl put tab '{"PK":"p","SK":"t","A":"x","B":7,"C":9,"D":"e"}' >/dev/null
ctl put tab '{"PK":"p","SK":"u","A":"x","B":7,"C":9}' >/dev/null
mnt m -o table=tab
mnt i -o table=tab,index=idx

# ---- names

eq 'the name of a partition' "$(ls i)" x::7
eq 'its entries, in the order of all sort attributes' "$(ls -U i/x::7)" '9::e::p::t.json
10::d::p::s.json'
eq 'the same below .index' "$(ls -U m/.index/idx/x::7)" "$(ls -U i/x::7)"
eq 'an entry can be read' "$(cat i/x::7/10::d::p::s.json)" '{"PK":"p","SK":"s","A":"x","B":7,"C":10,"D":"d"}'
eq 'its size is exact' "$(stat -c %s i/x::7/10::d::p::s.json)" "$(wc -c <i/x::7/10::d::p::s.json)"
gone i/x i/x::8 i/x::7::1 i/7::x i/x::07 i/x::7/9::d::p::t.json i/x::7/9::p::t.json i/x::7/e::9::p::t.json i/x::7/9::e::p.json

# ---- values that need escapes

put()
{
	ctl put tab "$1" >/dev/null
}
put '{"PK":"a:","SK":":","A":":x::y:","B":-1,"C":0.5,"D":"a/b%"}'
eq 'colons at the ends and in pairs are escaped' "$(cd i && find . -name '*A::*' | sort)" './%3Ax%3A%3Ay%3A::-1
./%3Ax%3A%3Ay%3A::-1/0.5::a%2Fb%25::a%3A::%3A.json'
eq 'and the escaped names can be read' "$(jq -c .B 'i/%3Ax%3A%3Ay%3A::-1/0.5::a%2Fb%25::a%3A::%3A.json')" -1
long=$(printf 'l%.0s' $(seq 300))
put '{"PK":"q","SK":"1","A":"'$long'","B":1,"C":1,"D":"'$long'"}'
put '{"PK":"q","SK":"2","A":"'$long'","B":2,"C":1,"D":"'$long'"}'
put '{"PK":"q","SK":"3","A":"'$long'","B":1,"C":1,"D":"'$long'"}'
eq 'long names are shortened, each to its own name' "$(ls i | grep -c '^llll.*%~')" 2
eq 'and can be read' "$(cat i/llll*/*.json m/.index/idx/llll*/*.json | jq -r .SK | sort | tr '\n' ' ')" '1 1 2 2 3 3 '
unmnt i
mnt i -o table=tab,index=idx
eq 'also in a mount that has not listed them' "$(for f in $(cd m/.index/idx && echo llll*/*.json); do jq -r .SK "i/$f"; done | sort | tr '\n' ' ')" '1 2 3 '
long=$(printf 'k%.0s' $(seq 400))
put '{"PK":"r","SK":"1","A":"short","B":3,"C":7,"D":"'$long'"}'
eq 'a number before the shortened part' "$(jq -r .SK i/short::3/7::kkk*.json)" 1

# ---- read-only, and changes

refused 'Read-only file system' rm i/x::7/10::d::p::s.json
refused 'Read-only file system' mkdir i/y::1
gone i/y::7 i/x::7/11::d::p::s.json
echo '{"A":"x","B":7,"C":11,"D":"d"}' >m/p/s.json
eq 'an entry moves by its first sort attribute' "$(ls -U i/x::7)" '9::e::p::t.json
11::d::p::s.json'
gone i/x::7/10::d::p::s.json
echo '{"A":"x","B":7,"C":11,"D":"c"}' >m/p/s.json
eq 'an entry moves by its second sort attribute' "$(ls -U i/x::7)" '9::e::p::t.json
11::c::p::s.json'
echo '{"A":"x","B":8,"C":11,"D":"c"}' >m/p/s.json
eq 'to another partition by its second attribute' "$(ls i/x::7 i/x::8)" 'i/x::7:
9::e::p::t.json

i/x::8:
11::c::p::s.json'
echo '{"A":"x","B":8,"C":11}' >m/p/s.json
gone i/x::8 i/x::8/11::c::p::s.json
echo '{"A":"x","B":8,"C":11,"D":"c","v":1}' >m/p/s.json
eq 'the entry appears again' "$(jq .v i/x::8/11::c::p::s.json)" 1
put '{"PK":"p","SK":"s","A":"x","B":8,"C":11,"D":"c","v":2}'
eq 'it shows a change by itemctl' "$(jq .v i/x::8/11::c::p::s.json)" 2
mv m/p/s.json m/p/z.json
eq 'a rename of the item' "$(ls i/x::8)" 11::c::p::z.json
rm m/p/z.json
gone i/x::8
refused 'Bad message' bash -c 'echo "{\"A\":\"x\",\"B\":\"x\"}" >m/p/bad.json && sync m/p/bad.json'
eq 'why has the reason for a refused key' "$(ctl why "$PWD/m/p/bad.json" | grep -c 'Type mismatch for Index Key B Expected: N Actual: S IndexName: idx')" 1
eq 'check finds no error in the store' "$(ctl check 2>&1)" "$(ctl check 2>&1 | grep checked)"
done_testing
