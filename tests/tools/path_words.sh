#!/bin/bash
# ls, cat and find were names of scan, get and query before they read paths: the lines that worked then mean the same.
# Other lines are about paths.
. "$(dirname "$0")/lib.sh"
export XDG_STATE_HOME=$W/state
items()
{
	printf '{"PK":"cus","SK":"%s","n":%s,"x":"%s"}\n' 2023/9 1 /b 2024/1 2 /a 2024/2 3 ./a -name 4 -l . 5 .
}
ctl -q create-table orders --key PK,SK --gsi ByX=x
items | ctl -q import orders -
ctl -q create-table .dots --key PK,SK
ctl -q put .dots '{"PK":"cus","SK":"ddd"}'
# A store in the working directory that has a table of its own name.
itemctl_of music -q create-table music --key PK,SK
items | itemctl_of music -q import music -
itemctl_of music -q create-table cus --key PK,SK
itemctl_of music -q put cus '{"PK":"another","SK":"table"}'

# ---- lines that worked before there were paths, each with the line that it stands for
# stands_for LINE SAME - run both in a shell
stands_for()
{
	local was
	ok eval '"$ITEMCTL"' "$1"
	was=$out
	ok eval '"$ITEMCTL"' "$2"
	eq "$1 is $2" "$was" "$out"
	[ -n "$was" ] || fail "$1 prints nothing"
	n=$((n + 1))
}
n=0
export ITEMFS_STORE=$S
while IFS='|' read -r line same; do
	stands_for "$line" "$same"
done <<'LINES'
ls|tables
ls .|tables
ls -l|tables
ls -q -l|tables
ls -ql|tables
ls --format csv|tables --format csv
ls --stats -s "$S"|tables
ls orders|scan orders
ls orders --all|scan orders
ls orders --limit 2|scan orders --limit 2
ls orders --filter "x = './a'"|scan orders --filter "x = './a'"
ls orders --csv|scan orders --csv
ls orders cus|query orders cus
ls orders cus 2024/1|query orders cus 2024/1
ls orders cus .|query orders cus .
ls .dots|scan .dots
ls orders --help|help scan
ls music/music|-s music scan music
ls ./music/music|-s music scan music
ls music/cus|-s music scan cus
-s music ls music/cus|-s music scan cus
-s music ls music|-s music scan music
ls "$W/music/music" --limit 1|-s music scan music --limit 1
ls music/music cus|-s music query music cus
cat orders|scan orders
cat -- orders|scan orders
cat orders --format csv|scan orders --format csv
cat --format csv orders|scan orders --format csv
cat orders cus 2024/1|get orders cus 2024/1
cat orders cus -- -name|get orders cus -- -name
cat orders cus .|get orders cus .
cat --project x orders cus 2024/1|get orders cus 2024/1 --project x
cat --project SK,x orders cus 2024/1|get orders cus 2024/1 --project SK,x
cat --table-name orders --key '{"PK":"cus","SK":"2024/1"}'|get orders cus 2024/1
cat --store "$S" orders cus 2024/1|get orders cus 2024/1
cat .dots cus ddd|get .dots cus ddd
cat music/music cus 2024/1|-s music get music cus 2024/1
cat ./music/music cus 2024/1|-s music get music cus 2024/1
cat ../"${W##*/}"/music/music cus 2024/1 --project SK|-s music get music cus 2024/1 --project SK
cat orders cus 2024/1 --help|help get
find orders cus|query orders cus
find orders cus 2024/1|query orders cus 2024/1
find orders --pk cus|query orders cus
find --pk cus orders|query orders cus
find orders --all|scan orders
find orders cus --begins-with 2024/|query orders cus --begins-with 2024/
find --begins-with 2024/ orders cus|query orders cus --begins-with 2024/
find --filter "x = '/a'" orders cus|query orders cus --filter "x = '/a'"
find --filter="x = './a'" orders cus|query orders cus --filter "x = './a'"
find --eq -name orders cus|query orders cus --eq -name
find orders cus --filter "x = '-l'"|query orders cus --filter "x = '-l'"
find --between 2024/ 2025/ orders cus|query orders cus --between 2024/ 2025/
find --index ByX orders /a|query orders /a --index ByX
find orders ./a --index ByX|query orders ./a --index ByX
find orders . --index ByX|query orders . --index ByX
find orders -- cus|query orders cus
find -n 2 orders cus|query orders cus --limit 2
find music/music cus --reverse -n 1|-s music query music cus --reverse -n 1
find ./music/music cus|-s music query music cus
find "$W/music/music" cus 2024/1|-s music query music cus 2024/1
cost ls orders|cost scan orders
explain find orders cus|query orders cus --explain
LINES
unset ITEMFS_STORE
while IFS='|' read -r line same; do
	stands_for "$line" "-s music $same"
done <<'LINES'
ls music|tables
ls music/|tables
ls ./music|tables
ls -l music|tables
ls music -l|tables
ls music music|scan music
ls ./music music cus|query music cus
cat music music|scan music
cat ./music music cus 2024/1|get music cus 2024/1
find music/ music cus|query music cus
find music music/music cus|query music cus
LINES
eq 'a clause after a table with the name of the store' "$("$ITEMCTL" -s music cat music/.jsonl)" "$("$ITEMCTL" -s music scan music --format jsonl)"
begin_server 127.0.0.1:0
url=http://$(sed -n "s/^listening on //p" log | tail -n 1)
while IFS='|' read -r line same; do
	stands_for "$line" "-s $url $same"
done <<'LINES'
ls $url|tables
ls -l $url|tables
ls $url orders|scan orders
ls $url/orders|scan orders
cat $url/orders cus 2024/1|get orders cus 2024/1
find $url/orders cus|query orders cus
find $url/orders cus --begins-with 2024/|query orders cus --begins-with 2024/
LINES
export AWS_ENDPOINT_URL_DYNAMODB=$url AWS_ACCESS_KEY_ID=k AWS_SECRET_ACCESS_KEY=s
while IFS='|' read -r line same; do
	stands_for "$line" "-s $url $same"
done <<'LINES'
ls dynamodb:eu-north-1|tables
ls -l dynamodb:eu-north-1|tables
ls dynamodb:eu-north-1 orders|scan orders
ls dynamodb:eu-north-1/orders|scan orders
cat dynamodb:eu-north-1/orders cus 2024/1|get orders cus 2024/1
find dynamodb:eu-north-1/orders cus|query orders cus
LINES
unset AWS_ENDPOINT_URL_DYNAMODB AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
stands_for "find orders cus -p${url##*:}" "-s $url query orders cus"
eq 'the lines were read' "$n" 87
end_server

# ---- lines about paths
export ITEMFS_STORE=$S
while IFS='|' read -r line want; do
	ok eval '"$ITEMCTL"' "$line"
	eq "$line" "$(tr '\n' ' ' <<<"$out" | sed -E 's/[-d]r[-rwx]{8} [^:]*:[0-9]{2} /L /g')" "$want "
done <<'LINES'
ls /|%2Edots orders
ls ./|%2Edots orders
ls ..|%2Edots orders
ls -U|%2Edots orders
ls -U .|%2Edots orders
ls -a|. .. %2Edots orders
ls --all .|. .. %2Edots orders
ls -l .|L %2Edots L orders
ls --long|L %2Edots L orders
ls -l orders|L cus
ls orders -l|L cus
ls -Ul %2Edots|L cus
ls -s "$S" orders/|cus
ls --store="$S" orders/cus -q|-name.json %2E.json 2023%2F9.json 2024%2F1.json 2024%2F2.json
find|. ./%2Edots ./%2Edots/cus ./%2Edots/cus/ddd.json ./orders ./orders/cus ./orders/cus/-name.json ./orders/cus/%2E.json ./orders/cus/2023%2F9.json ./orders/cus/2024%2F1.json ./orders/cus/2024%2F2.json
find %2Edots|%2Edots %2Edots/cus %2Edots/cus/ddd.json
find . -name '*d*'|./%2Edots ./%2Edots/cus/ddd.json ./orders
find -type d orders %2Edots|orders orders/cus %2Edots %2Edots/cus
find orders -maxdepth 1|orders orders/cus
find orders -print -maxdepth 1|orders orders/cus
find orders %2Edots -maxdepth 0 -print|orders %2Edots
cat orders/cus/.count -q|5
cat -- orders/cus/.count|5
LINES

# ---- a store as the first part of a path, unless a store is named: a table may have the same name
unset ITEMFS_STORE
eq 'ls . is ls, also with -s' "$(ctl ls .)" "$(ctl ls)"
for s in music ./music "$W/music" "$W/../${W##*/}/music"; do
	ok "$ITEMCTL" cat "$s/music/cus/.count" "$s/cus/another/.count" "$s/music/cus/%2E.json"
	eq "paths in $s" "$out" "$(printf '5\n1\n'; itemctl_of music get music cus .)"
done
for how in '-s music' "--store=$W/music" ITEMFS_STORE; do
	case $how in ITEMFS_STORE) export ITEMFS_STORE=music && set -- ;; *) set -- $how ;; esac
	ok "$ITEMCTL" "$@" cat music/cus/.count
	eq "$how: a table that is named like the store" "$out" 5
	ok "$ITEMCTL" "$@" ls music/cus/.begins_with/2024%2F music/
	eq "$how: directories" "$out" $'music/cus/.begins_with/2024%2F:\n2024%2F1.json\n2024%2F2.json\n\nmusic/:\ncus'
	ok "$ITEMCTL" "$@" find music/ music/cus -name '%*'
	eq "$how: find" "$out" $'music/cus/%2E.json\nmusic/cus/%2E.json'
	ok "$ITEMCTL" "$@" tree music/cus -n 1
	eq "$how: tree" "$(head -n 2 <<<"$out")" $'music/cus\n├── -name.json'
	gives 1 'itemctl: music/music/.count: No such file or directory' "$ITEMCTL" "$@" cat music/music/.count
done
unset ITEMFS_STORE

# ---- a server as the first part
begin_server 127.0.0.1:0
url=http://$(sed -n "s/^listening on //p" log | tail -n 1)
ok "$ITEMCTL" cat "$url/orders/cus/.count" "$url//orders/cus/2024%2F1.json"
eq 'files of a server' "$out" "$(printf '5\n'; ctl get orders cus 2024/1)"
for line in "ls $url/" "ls -l $url/" "find $url -maxdepth 1" "find $url/ -maxdepth 1 -name 'o*'" "tree -L 1 $url" "tree -L 1 $url/"; do
	ok eval '"$ITEMCTL"' "$line"
	eq "$line" "$(grep -o '[^ /]*o[a-z]*$\|[^ /]*o[a-z]*/$' <<<"$out" | tail -n 1 | tr -d /)" orders
done
ok "$ITEMCTL" ls "$url/orders/cus/" "$url/orders/"
eq 'several directories' "$(tr '\n' ' ' <<<"$out")" 'orders/cus/: -name.json %2E.json 2023%2F9.json 2024%2F1.json 2024%2F2.json  orders/: cus '
ok "$ITEMCTL" find "$url/orders" -type d
eq 'a table of a server' "$out" $'orders\norders/cus'

# ---- DynamoDB as the first part: here a server on loopback
export AWS_ENDPOINT_URL_DYNAMODB=$url AWS_ACCESS_KEY_ID=k AWS_SECRET_ACCESS_KEY=s
region=dynamodb:eu-north-1
ok "$ITEMCTL" cat $region/orders/cus/.count "$region//orders/cus/2024%2F1.json"
eq 'files of a region' "$out" "$(printf '5\n'; ctl get orders cus 2024/1)"
eq 'the configured region' "$(AWS_REGION=eu-north-1 "$ITEMCTL" cat dynamodb:/orders/cus/.count)" 5
eq 'a query in a region' "$("$ITEMCTL" ls $region/orders/cus/.begins_with/2024%2F $region/orders/)" $'orders/cus/.begins_with/2024%2F:\n2024%2F1.json\n2024%2F2.json\n\norders/:\ncus'
eq 'the root of a region' "$("$ITEMCTL" ls $region/ | tail -n 1) $("$ITEMCTL" find $region -maxdepth 1 -name 'o*')" 'orders ./orders'
eq 'a tree of a region' "$("$ITEMCTL" tree -L 1 $region/orders)" $'orders\n└── cus/'
eq 'a pasted line' "$("$ITEMCTL" tree -L 1 -n 1 $region | tail -n 1)" "└── ... and more: itemctl -s $region ls /"
eq 'a table of a region' "$("$ITEMCTL" find $region/orders -type d)" $'orders\norders/cus'
gives 1 'itemctl: orders/none/x.json: No such file or directory' "$ITEMCTL" cat $region/orders/none/x.json
gives 2 'the endpoint is not on this machine' "$ITEMCTL" tree --near $region/orders
gives 2 'itemfs: You must specify a region' "$ITEMCTL" cat dynamodb:/orders/cus/.count
gives 1 "itemctl: $region/orders/cus: No such file or directory" ctl ls $region/orders/cus
unset AWS_ENDPOINT_URL_DYNAMODB AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
gives 1 'itemctl: http:/x/y: No such file or directory' ctl cat http:/x/y
gives 1 "itemctl: $url/orders/cus: No such file or directory" ctl ls "$url/orders/cus"
done_testing
