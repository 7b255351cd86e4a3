#!/bin/bash
# Names that do not exist: which ones .itemfs/errors reports, and what to type instead.
# NAMESPACE 5
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'ByYear=Year:N,SK'
ctl create-table Orders --key Customer,Order:N >/dev/null
ctl create-table plain --key PK >/dev/null
ctl put tab '{"PK":"p","SK":"a","Year":1999}' >/dev/null
ctl put Orders '{"Customer":"c","Order":2}' >/dev/null
ctl put plain '{"PK":"x"}' >/dev/null
mnt m
mnt one -o table=tab
mnt ro -o table=tab,ro

# lines PATH - the lines of the mounts about it
lines()
{
	cat ./*/.itemfs/errors | cut -f 3-6 | grep -F "$W/$1	" | cut -f 2-
}
# missed PATH SENTENCE [BELOW] - check that it does not exist, and that this is reported
missed()
{
	refused 'No such file or directory' cat "$1${3-}"
	eq "$1" "$(lines "$1")" "ENOENT	-	$2"
}
# quiet PATH - check that it does not exist, and that nothing is reported
quiet()
{
	refused 'No such file or directory' cat "$1"
	eq "$1 is not reported" "$(lines "$1")" ''
}

# ---- the mount's own files
missed m/.itemfs/changes "there is no .itemfs/changes; it is at the root of a table: $W/m/TABLE/.stream"
missed one/.itemfs/changes "there is no .itemfs/changes; it is at the root of a table: $W/one/.stream"
missed one/.itemfs/tab.csv "there is no .itemfs/tab.csv; it is at the root of a table: $W/one/.csv"
ok cat one/.csv
missed m/.itemfs/log 'there is no .itemfs/log; README lists the files there and at the root of a table'
missed m/tab/.itemfs "the mount's own files are in $W/m/.itemfs" /errors
missed m/tab/p/.itemfs "the mount's own files are in $W/m/.itemfs"
missed m/.stream "it is at the root of a table: $W/m/TABLE/.stream"
missed m/tab/p/.index "it is at the root of a table: $W/m/tab/.index"
quiet m/.itemfs/.hidden

# ---- tables
missed m/orders "there is no table orders: did you mean $W/m/Orders?" /c
missed m/Orders.csv "there is no table Orders.csv: did you mean $W/m/Orders/.csv?"
eq 'the suggested file can be read' "$(cat m/Orders/.csv)" $'Customer,Order:N\nc,2'
quiet m/customers
quiet m/.git
quiet m/.Trash-0

# ---- indexes
missed m/tab/.index/byyear "there is no index byyear: did you mean $W/m/tab/.index/ByYear?" /1999
missed m/tab/.index/other 'there is no index other; there is ByYear'
missed m/Orders/.index/other "there is no index other; to create it: itemctl -s $S alter Orders --add-gsi other=PK,SK"
missed m/tab/ByYear "ByYear is an index: $W/m/tab/.index/ByYear" /1999
ok ls m/tab/.index/ByYear/1999

# ---- partitions
missed m/tab/new "no item has the partition key new; to create it: mkdir $W/m/tab/new" /a.json
ok mkdir m/tab/new
eq 'the line is gone once mkdir has made the partition' "$(lines m/tab/new)" ''
missed "m/tab/it's" "no item has the partition key it's; to create it: mkdir \"$W/m/tab/it's\""
quiet ro/new
missed ro/count 'a clause begins with a dot: .count'
missed m/tab/.index/ByYear/2000 'no item has the partition key 2000'
missed m/tab/.index/ByYear/x 'The parameter cannot be converted to a numeric value: x'
missed m/tab/a.json 'this directory has partitions, which have the items: PARTITION/a.json'
missed m/tab/PK=p "the name of a partition is only the value of its key: $W/m/tab/p"
missed m/tab/tab.csv "all items as one text: $W/m/tab/.csv"
missed m/tab/count 'a clause begins with a dot: .count'
cp -r m/tab/p m/tab/copy
eq 'no line when cp makes it' "$(lines m/tab/copy)" ''
mv m/tab/copy m/tab/moved
eq 'no line when mv makes it' "$(lines m/tab/moved)" ''

# ---- items
missed m/tab/p/a "the item's file is $W/m/tab/p/a.json"
missed m/plain/x "the item's file is $W/m/plain/x.json"
missed m/Orders/c/02.json '"02.json" is not the canonical spelling, which is "2.json"'
quiet m/tab/p/b
quiet m/tab/p/b.json
quiet m/tab/p/4913
echo '{}' >m/tab/p/02.json
echo 1 >m/tab/p/02.json.tmp
eq 'no line for an item that is written afterwards' "$(lines m/tab/p/02.json)" ''

# ---- clauses
missed m/tab/p/.prefix 'there is no clause .prefix; here it is .begins_with/TEXT' /a
missed m/tab/.fliter 'there is no clause .fliter: did you mean .filter?' '/Year > 1'
missed m/tab/p/.limit=5 'there is no clause .limit=5: the value is the next component: .limit/5'
missed m/tab/p/.reverse/.git 'there is no clause .git: did you mean .gt?'
missed m/tab/p/.reverse/.what 'there is no clause .what; itemctl help paths lists them'
for name in .git .hidden .a.json.swp .gitignore .editorconfig .svn .env; do
	quiet m/tab/$name
	quiet m/tab/p/$name
done

# ---- a text without quotes, in a query that is valid
ok ls 'm/tab/.filter/Song = Blue'
eq 'it is reported' "$(lines 'm/tab/.filter/Song = Blue')" "-	-	Blue is the name of an attribute here; a text needs quotes: '$W/m/tab/.filter/Song = \"Blue\"'"
for expression in 'Song = "Blue"' "Song = 'a = b'" 'Year > 1990' 'Old = true' 'size(Song) > 3' 'attribute_exists(Song)' 'Song = null AND Year < 3'; do
	ok ls "m/tab/p/.filter/$expression"
	eq "$expression is not reported" "$(lines "m/tab/p/.filter/$expression")" ''
done

# ---- a refusal replaces the report of the missing name
missed m/Orderss "there is no table Orderss: did you mean $W/m/Orders?"
refused 'Operation not permitted' mkdir m/Orderss
refused 'Operation not permitted' touch m/tab/x.csv
eq 'a file of items copied into the directory of a table' "$(lines m/tab/x.csv)" "EPERM	-	this directory can only have directories; to load the items of a file into the table: itemctl -s $S import tab x.csv"
eq 'only the refusal is reported' "$(lines m/Orderss | cut -f 1)" EPERM

# ---- itemctl why
ls m/Order 2>/dev/null
eq 'why without a path has the line' "$(ctl why | jq -r 'select(.Path == "'"$W/m/Order"'") | [.Errno, .Message] | join(" ")')" "ENOENT there is no table Order: did you mean $W/m/Orders?"
eq 'why of the path suggests the name' "$(ctl why m/Order | jq -c '[.Errno, .Message, .Instead]')" "[null,\"there is no table Order: did you mean Orders?\",\"$W/m/Orders\"]"
before=$(cat m/.itemfs/errors)
ctl why m/tab/p/a.json >/dev/null
(cd m/tab/p && "$ITEMCTL" tables >/dev/null)
eq 'itemctl adds no line' "$(cat m/.itemfs/errors)" "$before"

# ---- many missing names
(cd m/tab && for i in $(seq 150); do [ -e "k$i" ]; done)
eq 'the newest line stays' "$(lines m/tab/k150)" "ENOENT	-	no item has the partition key k150; to create it: mkdir $W/m/tab/k150"
eq 'an old line is dropped' "$(lines m/tab/k1)" ''
ok test "$(cat ./*/.itemfs/errors | grep -c '	ENOENT	-	')" -le 100
done_testing
