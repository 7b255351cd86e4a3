#!/bin/bash
# diff: two tables in one store, in two stores, at a server; added, removed, changed items; ordered and unordered; in
# little memory.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N
ctl -q create-table new --key PK,SK:N
seq 1 3000 | awk '{ printf "{\"PK\":\"p%d\",\"SK\":%d,\"text\":\"%0200d\",\"at\":%d}\n", $1 % 70, $1, $1, $1 }' >all.jsonl
ctl -q import tab all.jsonl

# ---- equal tables
gives 1 '0 equal, 3000 removed, 0 added, 0 changed' ctl diff tab new --limit 3000
ok ctl copy tab --to "$S/new"
ok ctl diff tab new
eq 'nothing is printed' "$out" ''
eq 'the summary' "$err" '3000 equal, 0 removed, 0 added, 0 changed'
ok ctl diff tab new --summary
eq 'the summary as an item' "$out$err" '{"Equal":3000,"Removed":0,"Added":0,"Changed":0}'
ok ctl copy tab --to ./other
ok ctl diff tab other
ok ctl diff tab other/tab
ok "$ITEMCTL" diff "$S/tab" other
ok "$ITEMCTL" diff other/tab "$S/new"

# ---- different tables
itemctl_of other -q delete tab p3 3
itemctl_of other -q put tab '{"PK":"p3","SK":3.5,"x":1}'
itemctl_of other -q put tab '{"PK":"p9","SK":9,"at":7,"more":{"x":7}}'
itemctl_of other -q put tab '{"PK":"p10","SK":10,"text":"'"$(printf '%0200d' 10)"'","at":"10"}'
gives 1 '2997 equal, 1 removed, 1 added, 2 changed' ctl diff tab other
want='{"Change":"added","Key":{"PK":"p3","SK":3.5},"New":{"PK":"p3","SK":3.5,"x":1}}
{"Change":"changed","Key":{"PK":"p10","SK":10},"Attribute":"at","Old":10,"New":"10"}
{"Change":"changed","Key":{"PK":"p9","SK":9},"Attribute":"at","Old":9,"New":7}
{"Change":"changed","Key":{"PK":"p9","SK":9},"Attribute":"more","New":{"x":7}}
{"Change":"changed","Key":{"PK":"p9","SK":9},"Attribute":"text","Old":"'$(printf '%0200d' 9)'"}
{"Change":"removed","Key":{"PK":"p3","SK":3},"Old":{"PK":"p3","SK":3,"text":"'$(printf '%0200d' 3)'","at":3}}'
eq 'each changed attribute is a row' "$(printf '%s\n' "$out" | sort)" "$want"
gives 1 '2997 equal, 1 removed, 1 added, 2 changed' itemctl_of other diff tab "$S"
eq 'the other way round' "$(printf '%s\n' "$out" | sed 's/removed/ADDED/; s/added/removed/; s/ADDED/added/; s/"Old"/"NEW"/; s/"New"/"Old"/; s/"NEW"/"New"/' |
	sed -E 's/("Old":[^,{]*),("New":[^,{]*)\}$/\1,\2}/; s/("New":("[^"]*"|[0-9]+)),("Old":("[^"]*"|[0-9]+))\}$/\3,\1}/' | sort)" "$want"
gives 1 '' ctl diff tab other --summary
eq 'the summary of the differences' "$out" '{"Equal":2997,"Removed":1,"Added":1,"Changed":2}'
gives 1 '2997 equal, 1 removed, 1 added, 2 changed' ctl diff tab other --ignore text --ignore more --ignore x --limit 9
gives 1 '2999 equal, 1 removed, 1 added, 0 changed' ctl diff tab other --ignore text --ignore more --ignore at
gives 1 'stopped at --limit' ctl diff tab other --limit 1
eq 'a limit of one item' "$(printf '%s\n' "$out" | jq -c .Key | sort -u | wc -l)" 1
gives 1 '' ctl --format table diff tab other
eq 'differences as a table' "$(printf '%s\n' "$out" | head -1 | tr -s ' ' | sed 's/ $//')" 'Change Key Attribute Old New'

# ---- in the order of keys, if both list in it
itemctl_of other -q create-table less --key PK,SK:N
itemctl_of other -q create-table more --key PK,SK:N
awk 'NR % 3' all.jsonl | itemctl_of other -q import less -
awk 'NR % 5' all.jsonl | itemctl_of other -q import more -
gives 1 '' itemctl_of other -q diff less more
eq 'the number of differences' "$(printf '%s\n' "$out" | jq -r .Change | sort | uniq -c | tr -s ' \n' ' ')" ' 800 added 400 removed '
order()
{
	jq -c 'select(.Change == "'"$1"'") | [.Key.PK, .Key.SK]' | sed 's/^/'"$1"' /'
}
itemctl_of other scan less >less.listed
printf '%s\n' "$out" | jq -c 'select(.Change == "removed") | .Old' >is
grep -Fxf is less.listed >should
eq 'in the order of a scan' "$(sha256sum <is)" "$(sha256sum <should)"

# ---- in little memory: a temporary store, which is removed at the end
mkdir tmp
ITEMFS_DIFF_MEMORY=20k TMPDIR=$W/tmp gives 1 '' itemctl_of other -q diff less more
eq 'the same differences' "$(printf '%s\n' "$out" | jq -r .Change | sort | uniq -c | tr -s ' \n' ' ')" ' 800 added 400 removed '
eq 'no temporary file is left' "$(ls tmp | wc -l)" 0
ITEMFS_DIFF_MEMORY=20k TMPDIR=$W/none gives 70 'cannot create a temporary store' itemctl_of other -q diff less more

# ---- a server, whose order is not known
"$ITEMCTL" -s other serve --listen 127.0.0.1:0 >served 2>&1 &
other=$!
url=http://$(address served)
gives 1 '2997 equal, 1 removed, 1 added, 2 changed' ctl diff tab "$url"
eq 'the differences to a table at a server' "$(printf '%s\n' "$out" | sort)" "$want"
ITEMFS_DIFF_MEMORY=1k TMPDIR=$W/tmp gives 1 '' itemctl_of "$url" -q diff more less
eq 'the differences of two tables at a server' "$(printf '%s\n' "$out" | jq -r .Change | sort | uniq -c | tr -s ' \n' ' ')" ' 400 added 800 removed '
ok ctl diff tab "$S/new" --consistent
gives 2 'both are the same table' "$ITEMCTL" diff "$url/less" "$url/less"
kill $other
wait $other

# ---- all tables of two stores
for i in left right; do
	itemctl_of "$i" -q create-table same --key A
	itemctl_of "$i" -q put same '{"A":"a","n":1}'
	itemctl_of "$i" -q create-table also --key A
done
ok "$ITEMCTL" diff left right
eq 'nothing is printed' "$out" ''
eq 'the summary of each table' "$err" 'also: 0 equal, 0 removed, 0 added, 0 changed
same: 1 equal, 0 removed, 0 added, 0 changed'
itemctl_of right -q create-table zzz --key A
gives 1 'zzz: only in the second store' "$ITEMCTL" diff left right
eq 'an additional table' "$out" '{"Table":"zzz","Change":"added"}'
gives 1 'zzz: only in the first store' "$ITEMCTL" compare ./right ./left
eq 'a missing table' "$out" '{"Table":"zzz","Change":"removed"}'
itemctl_of right -q put also '{"A":"x"}'
itemctl_of left -q create-table keys --key A
itemctl_of right -q create-table keys --key A,B
gives 1 'keys: the tables have different keys: A:S and A:S,B:S' "$ITEMCTL" diff ./left ./right
want='{"Table":"also","Change":"added","Key":{"A":"x"},"New":{"A":"x"}}
{"Table":"keys","Change":"changed"}
{"Table":"zzz","Change":"added"}'
eq 'the last table is equal, another one is not' "$out" "$want"
gives 1 '' "$ITEMCTL" diff left right --summary
eq 'the summary of each table as an item' "$out" '{"Table":"also","Equal":0,"Removed":0,"Added":1,"Changed":0}
{"Table":"keys","Change":"changed"}
{"Table":"same","Equal":1,"Removed":0,"Added":0,"Changed":0}
{"Table":"zzz","Change":"added"}'
gives 1 'stopped at --limit' "$ITEMCTL" diff left right --limit 2
eq 'a limit for all tables together' "$out" "$(printf '%s\n' "$want" | head -2)"
"$ITEMCTL" -s right serve --listen 127.0.0.1:0 >right.log 2>&1 &
other=$!
for ITEMFS_STORE in '' right "http://$(address right.log)"; do
	export ITEMFS_STORE
	gives 1 '' "$ITEMCTL" -q diff left "http://$(address right.log)"
	eq "all tables of a server, with ITEMFS_STORE=$ITEMFS_STORE" "$out" "$want"
done
unset ITEMFS_STORE
kill $other
wait $other
gives 2 'both are the same store' "$ITEMCTL" diff left ./left
gives 2 'there is no store at ./none' "$ITEMCTL" diff ./none left
gives 2 'there is no store at ./none' "$ITEMCTL" diff left ./none

# ---- refused
gives 2 'both are the same table' ctl diff tab tab
gives 2 'both are the same table' ctl diff tab "$S"
gives 3 'ResourceNotFoundException' ctl diff tab none
gives 3 'ResourceNotFoundException' ctl diff none tab
ctl -q create-table odd --key PK
gives 2 'different keys' ctl diff tab odd
eq 'the message has both keys' "$err" 'itemctl: the tables have different keys: PK:S,SK:N and PK:S'
gives 2 '' "$ITEMCTL" diff ./other "$S/tab"
eq 'a store compared with a table is refused' "$err" "itemctl: ./other names no table: STORE/TABLE
did you mean: itemctl diff ./other/tab $S/tab"
gives 1 '' "$ITEMCTL" ${err##*did you mean: itemctl }
gives 2 '--limit must be 1 or more' ctl diff tab new --limit 0
gives 2 '' ctl diff tab
gives 2 'there is no store' ctl diff tab ./tmp/x
gives 2 '' "$ITEMCTL" diff tab new
gives 70 '' ctl diff tab http://127.0.0.1:1
# ---- files and tables
mkdir folder
itemctl()
{
	"$ITEMCTL" -s "$S" "$@"
}
ctl scan tab --limit 2 >folder/some.jsonl
for a in tab "$S/tab"; do
	gives 1 '2 equal, 2998 removed, 0 added, 0 changed' ctl diff "$a" folder/some.jsonl
	gives 1 '2 equal, 0 removed, 2998 added, 0 changed' ctl diff folder/some.jsonl "$a"
	gives 1 '2 equal, 2998 removed, 0 added, 0 changed' ctl diff "$a" - <folder/some.jsonl
done
ctl scan tab >folder/all.jsonl
ok ctl diff tab folder/all.jsonl
eq 'no temporary table is left' "$(ctl tables | jq -r .TableName | grep -c items)" 0
echo '{"no":"key"}' >folder/other.jsonl
gives 2 'item 1 has no attribute PK' ctl diff tab folder/other.jsonl
gives 3 'Table: none.jsonl not found' ctl diff tab none.jsonl
done_testing
