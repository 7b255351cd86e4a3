# Queries as paths: clauses below partitions, tables and indexes; what they list, contain and refuse.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G,H' --lsi 'lsi=L:N' --gsi 'solo=T'
ctl create-table num --key 'P:N,S:N' >/dev/null
ctl create-table bin --key 'P,S:B' >/dev/null
ctl create-table sim --key P >/dev/null
seq 20 | jq -c '{PK:"p\(. % 3)",SK:"s\(100 + .)",G:"g\(. % 2)",H:"h\(. % 7)",L:(. % 5),T:"t\(. % 4)",n:.,m:{a:1,b:[2,3]}}' |
	ctl put tab - >/dev/null
for n in -5 -0.5 0 1 2.5 10 100; do echo "{\"P\":7,\"S\":$n,\"v\":\"$n\"}"; done | ctl put num - >/dev/null
for b in AA== /w== q80= q83v; do echo "{\"P\":\"p\",\"S\":{\"B\":\"$b\"}}"; done | ctl put bin - >/dev/null
seq 9 | jq -c '{P:"k\(.)",v:.}' | ctl put sim - >/dev/null
mnt m

# shown PATH NAME... - check that readdir gives these names, without .json, in this order
shown()
{
	local path=$1
	shift
	eq "$path" "$(ls -U "$path" 2>&1 | sed 's/\.json$//' | tr '\n' ' ')" "$*${*:+ }"
}

# why PATH SENTENCE - check that there is no such query, and that the log has the reason
why()
{
	checks=$((checks + 1))
	! stat "$1" >/dev/null 2>&1 || fail "$1 is there"
	eq "$1" "$(tail -n 1 m/.itemfs/errors | cut -f 3,4,6)" "$W/$1"$'\t'ENOENT$'\t'"$2"
}

# ---- conditions on the sort key

t=m/tab/p0
shown $t s103 s106 s109 s112 s115 s118
shown $t/.eq/s109 s109
shown $t/.lt/s109 s103 s106
shown $t/.le/s109 s103 s106 s109
shown $t/.gt/s112 s115 s118
shown $t/.ge/s112 s112 s115 s118
shown $t/.between/s104/s112 s106 s109 s112
shown $t/.begins_with/s11 s112 s115 s118
shown $t/.begins_with/x
shown $t/.reverse s118 s115 s112 s109 s106 s103
shown $t/.limit/2 s103 s106
shown $t/.limit/100 s103 s106 s109 s112 s115 s118
shown $t/.reverse/.limit/2 s118 s115
shown $t/.limit/2/.reverse s118 s115
shown $t/.limit/2/.reverse/.begins_with/s10 s109 s106

# ---- filters, projections

shown "$t/.filter/n > 10" s112 s115 s118
shown "$t/.filter/n > 10 AND n < 18/.reverse/.limit/1" s115
shown "$t/.filter/T = \"t0\" OR contains(T, 't3')" s103 s112 s115
shown "$t/.filter/m.b[1] = 3 and size(T) = 2/.limit/1" s103
shown "$t/.filter/n = -1"
eq 'items have only the projected attributes' "$(cat $t/.project/n,m.a/.limit/2/*)" '{"n":3,"m":{"a":1}}
{"n":6,"m":{"a":1}}'
eq 'and so have entries of an index' "$(cat m/tab/.index/gsi/g0/.project/n/.limit/1/*)" '{"n":14}'
eq 'the size is that of the projected text' "$(stat -c %s $t/.project/n/s103.json)" 8
eq 'without .project the whole item' "$(cat $t/.eq/s109/s109.json)" "$(cat $t/s109.json)"
eq 'a glob' "$(cat $t/.begins_with/s11/* | jq -c .n | tr '\n' ' ')" '12 15 18 '
eq 'find' "$(find $t/.ge/s112 -name 's*.json' | sort | xargs -n 1 basename | tr '\n' ' ')" 's112.json s115.json s118.json '
eq 'grep' "$(grep -l '"n":15' -r $t/.ge/s112)" $t/.ge/s112/s115.json
ok cp $t/.eq/s109/s109.json copy.json
eq 'cp' "$(cat copy.json)" "$(cat $t/s109.json)"
ok cp -r $t/.limit/2 two
eq 'cp -r' "$(ls two | tr '\n' ' ')" 's103.json s106.json '
eq 'tar' "$(tar cf - -C $t/.reverse/.limit .  2>/dev/null | tar tf - | wc -l)" 1

# ---- an item that does not match does not exist in the directory

gone $t/.eq/s109/s106.json $t/.lt/s109/s109.json "$t/.filter/n > 10/s109.json" $t/.limit/1/s999.json $t/.reverse/x
ok stat $t/.lt/s109/s106.json $t/.limit/1/s106.json "$t/.filter/n > 10/s112.json"

# ---- incomplete chains, and values that look like something else

shown $t/.eq
shown $t/.between
shown $t/.between/a
shown $t/.filter
shown $t/.eq/.jsonl
shown $t/.eq/.eq
shown $t/.between/.limit/5
ctl put tab '{"PK":"odd","SK":"a/b"}' '{"PK":"odd","SK":".."}' '{"PK":"odd","SK":"50%"}' '{"PK":"odd","SK":".eq"}' '{"PK":"odd","SK":"a:b"}' >/dev/null
o=m/tab/odd
shown $o/.eq/a%2Fb a%2Fb
shown $o/.eq/a%2fb a%2Fb
shown $o/.eq/%2E%2E %2E.
shown $o/.eq/50%25 50%25
shown $o/.eq/.eq %2Eeq
shown $o/.begins_with/%2E %2E. %2Eeq
eq 'and can be read at its escaped name' "$(cat $o/.eq/.eq/%2Eeq.json)" '{"PK":"odd","SK":".eq"}'

# ---- numbers and binary values, in any spelling

n=m/num/7
shown $n/.gt/0 1 2.5 10 100
shown $n/.ge/0.00 0 1 2.5 10 100
shown $n/.eq/1.0 1
shown $n/.eq/1e2 100
shown $n/.eq/+10 10
shown $n/.between/-1/2.50 -0.5 0 1 2.5
shown $n/.reverse/.limit/2 100 10
b=m/bin/p
shown $b 00 abcd abcdef ff
shown $b/.begins_with/ABcd abcd abcdef
shown $b/.gt/abcd abcdef ff
shown $b/.eq/FF ff

# ---- indexes

g=m/tab/.index/gsi/g1
shown $g/.between/h1/h2 h1::p0::s115 h1::p1::s101 h2::p0::s109
shown $g/.begins_with/h/.reverse/.limit/1 h6::p1::s113
shown "$g/.filter/n < 4" h1::p1::s101 h3::p0::s103
shown "$g/.filter/PK = 'p1' and n < 14" h0::p1::s107 h1::p1::s101 h6::p1::s113
eq 'an entry of an index' "$(jq .n "$g/.eq/h2/h2::p0::s109.json")" 9
gone "$g/.eq/h2/h1::p1::s101.json"
shown m/tab/.index/lsi/p0/.ge/3 3::p0::s103 3::p0::s118 4::p0::s109
shown m/tab/.index/solo/t1/.limit/2 p0::s109 p1::s101
shown m/tab/.index/solo/t1/.reverse/.limit/2 p2::s117 p2::s105

ctl create-table part --key P,S --lsi 'loc=L:N/KEYS_ONLY' --gsi 'glo=S/KEYS_ONLY' >/dev/null
ctl put part '{"P":"p","S":"s","L":1,"v":{"w":2}}' >/dev/null
eq 'a local index fetches attributes that it does not contain' "$(cat m/part/.index/loc/p/.project/v.w,L/1::p::s.json)" '{"L":1,"v":{"w":2}}'
eq 'and so does the answer as a file' "$(cat m/part/.index/loc/p/.project/v.w,L/.jsonl)" '{"L":1,"v":{"w":2}}'
eq 'its size, too' "$(stat -c %s m/part/.index/loc/p/.project/v/1::p::s.json)" 14
eq 'without .project the entry is as in the index' "$(jq -c . m/part/.index/loc/p/.limit/1/1::p::s.json)" '{"P":"p","S":"s","L":1}'
gone m/part/.index/glo/s/.project/v

# ---- a table without a sort key is scanned

shown m/sim/.limit/3 k1 k2 k3
shown "m/sim/.filter/v > 6" k7 k8 k9
shown "m/sim/.filter/v > 6/.limit/1" k7
eq 'a projection of a table without a sort key' "$(cat m/sim/.project/v/.limit/2/*)" '{"v":1}
{"v":2}'
ok stat "m/sim/.filter/v > 6/k9.json"
gone "m/sim/.filter/v > 6/k1.json"

# ---- shards

s='m/tab/.index/gsi/.shards/g{0..1}'
shown "$s/.eq/h1" h1::p0::s115 h1::p1::s101 h1::p2::s108
shown "$s/.ge/h6" h6::p0::s106 h6::p1::s113 h6::p2::s120
shown "$s/.reverse/.limit/4" h6::p2::s120 h6::p1::s113 h6::p0::s106 h5::p2::s105
shown "$s/.filter/n < 3" h1::p1::s101 h2::p2::s102
shown "m/tab/.index/gsi/.shards/g{1..1}/.eq/h1" h1::p0::s115 h1::p1::s101
shown "m/tab/.index/gsi/.shards/g{5..9}"
eq 'the items of all shards' "$(ls -U "$s" | wc -l)" 20
eq 'merged in order of the sort key' "$(ls -U "$s")" "$(ls -U "$s" | sort)"
eq 'entries of two shards can be read' "$(jq .n "$s/h1::p2::s108.json") $(jq .n "$s/.eq/h1/h1::p1::s101.json")" '8 1'
gone "m/tab/.index/gsi/.shards/g{1..1}/h1::p2::s108.json" "$s/.eq/h1/h6::p2::s120.json"
shown 'm/tab/.shards/p{0..2}/.between/s110/s113' s110::p1 s111::p2 s112::p0 s113::p1
shown 'm/tab/.shards/p{1..2}/.reverse/.limit/2' s120::p2 s119::p1
eq 'an item in the shards of a table' "$(cat 'm/tab/.shards/p{0..2}/s112::p0.json')" "$(cat m/tab/p0/s112.json)"
gone 'm/tab/.shards/p{1..2}/s112::p0.json' 'm/tab/.shards/p{0..2}/s112::p1.json'
shown m/num/.shards/0..9/.gt/2 2.5::7 10::7 100::7
seq 3000 | jq -c '{P:(. % 40),S:.}' | ctl put num - >/dev/null
eq 'forty shards in order' "$(ls -U m/num/.shards/0..39/.gt/2000 | sed 's/::.*//' | md5sum)" "$(seq 2001 3000 | md5sum)"
eq 'forty shards in reverse order' "$(ls -U m/num/.shards/0..39/.gt/2000/.reverse | sed 's/::.*//' | md5sum)" "$(seq 2001 3000 | tac | md5sum)"
eq 'ten thousand shards, in several pages' "$(ls -U m/num/.shards/0..9999/.ge/1 | sed 's/::.*//' | sort -n | uniq | wc -l)" 3001

# ---- what is refused, and why

one='there is already a condition on the sort key, and only one is allowed'
why $t/.limit/0 "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
why $t/.limit/x '.limit: expected a number of items, found "x"'
why $t/.eq/s1/.eq "$one"
why $t/.begins_with/s1/.limit/3/.lt "$one"
why $t/.reverse/.reverse 'there is already a .reverse'
why $t/.limit/1/.limit 'there is already a .limit'
why "$t/.filter/n = 1/.filter" 'there is already a .filter'
why "$t/.filter/n = " 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "= "'
why "$t/.filter/ " 'Invalid FilterExpression: The expression can not be empty;'
why "$t/.filter/SK = 'a'" 'Filter Expression can only contain non-primary key attributes: Primary key attribute: SK'
why "$t/.filter/n = :x" 'Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :x'
why "$t/.project/n,,m" 'Invalid ProjectionExpression: Syntax error; token: ",", near: ",,m"'
why "$t/.project/m,m.a" 'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: [m, a]'
why $t/.between/z/a 'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, upper bound operand: AttributeValue: {S:a}'
why $t/.eq/50% '"50%": a % must be followed by two hex digits (% itself is %25)'
why $n/.eq/one 'The parameter cannot be converted to a numeric value: one'
why $b/.eq/xy 'S is binary: expected hex digits, found "xy"'
why $t/.shards '.shards reads many partitions: it must be at the root of an index, or of a table that has a sort key'
why m/sim/.shards '.shards reads many partitions: it must be at the root of an index, or of a table that has a sort key'
why m/sim/.eq 'there is no sort key for a condition'
why m/tab/.index/solo/t1/.eq 'there is no sort key for a condition'
why m/sim/.reverse 'a table without a sort key is read by Scan, which cannot reverse the order'
for clause in .reverse .eq .limit/2/.between '.filter/n > 1/.reverse' .project/n/.begins_with; do
	for root in m/tab m/tab/.index/gsi; do
		why "$root/$clause" "${clause##*/} must follow a partition key, or .shards/LO..HI; the root only has .filter, .project and .limit of a Scan"
	done
done
why 'm/tab/.limit/2/.shards' '.shards comes before all other clauses'
why 'm/tab/.filter/n >' 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: ">"'
why m/tab/.shards/0-4 '.shards: expected LO..HI, for example 0..14, or PREFIX{LO..HI}, found "0-4"'
why 'm/num/.shards/p{0..4}' '.shards: the partition key is a number, which cannot have a prefix'
why m/tab/.shards/0..10000 '.shards: at most 10000 partitions are allowed'
gone m/tab/nobody/.limit m/tab/nobody/.jsonl

# ---- a Scan, at the root of a table or index: names contain the whole key

sorted()
{
	local path=$1
	shift
	eq "$path" "$(ls "$path" 2>&1 | sed 's/\.json$//' | tr '\n' ' ')" "$*${*:+ }"
}
sorted 'm/tab/.filter/n > 18' s119::p1 s120::p2
eq 'an item of a scan' "$(jq -c '[.PK, .SK]' 'm/tab/.filter/n > 18/s120::p2.json')" '["p2","s120"]'
gone 'm/tab/.filter/n > 18/s103::p0.json' 'm/tab/.filter/n > 18/s120::p1.json' 'm/tab/.filter/n > 18/s120.json' 'm/tab/.filter/n > 18/p0'
eq 'a projection of a scan' "$(cat 'm/tab/.filter/n > 19/.project/n'/*)" '{"n":20}'
eq 'a scan as a file' "$(cat 'm/tab/.filter/n > 18/.count')$(jq -c .n 'm/tab/.filter/n > 19/.jsonl')" 220
eq 'a limit of a scan' "$(ls m/tab/.limit/7 | wc -l)" 7
sorted 'm/tab/.index/gsi/.filter/n > 18' h5::p1::s119 h6::p2::s120
eq 'an entry in the scan of an index' "$(jq -c .n 'm/tab/.index/gsi/.filter/n > 18/h6::p2::s120.json')" 20
sorted 'm/tab/.index/solo/.filter/n = 7' p1::s107
sorted 'm/num/.filter/v = "2.5"' 2.5::7
sorted 'm/tab/.filter/n > 99'
eq 'an empty answer has no items' "$(cat 'm/tab/.filter/n > 99/.jsonl')" ''
refused 'Read-only' touch 'm/tab/.filter/n > 18/new::p0.json'
refused 'Read-only' rm 'm/tab/.filter/n > 18/s120::p2.json'
ctl create-table large --key 'P,S:N' >/dev/null
seq 5000 | jq -c "{P:\"p\(. % 7)\",S:.,n:(. % 2),long:\"$(printf '%0300d' 0)\"}" | ctl -q import large
eq 'each item once, over many pages' "$(ls -U 'm/large/.filter/n = 1' | sort -u | wc -l) $(ls -U 'm/large/.filter/n = 1' | wc -l)" '2500 2500'
long=$(printf 'x%0399d' 0)
echo "{\"P\":\"$long\",\"S\":1,\"n\":7}" | ctl put large - >/dev/null
eq 'a shortened name' "$(jq -c .n "m/large/.filter/n = 7/$(ls 'm/large/.filter/n = 7')")" 7

# ---- read-only, and never listed

refused 'Read-only' touch $t/.reverse/new.json
refused 'Read-only' mkdir $t/.reverse/new
refused 'not permitted' mkdir m/tab/.eq
refused 'not permitted' rmdir m/tab/.index
refused 'Read-only' mv $t/.reverse m/tab/other
refused 'Read-only' rm $t/.reverse/s103.json
refused 'Read-only' mv $t/.reverse/s103.json $t/x.json
refused 'Read-only' mv $t/s103.json $t/.reverse/x.json
refused 'Read-only' cp copy.json $t/.reverse/s103.json
refused 'Read-only' truncate -s 0 $t/.reverse/s103.json
refused 'Read-only' touch $t/.reverse/s103.json
eq 'the item is unchanged' "$(item tab p0 s103 | jq .n)" 3
eq 'no virtual name is listed' "$(find m -name '.*')" ''

done_testing
