#!/bin/bash
# shards heat: what partition keys have consumed, which are hot, and what helps.  BEHAVIOUR 5.6, 5.8, 5.9
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByG=G --gsi ByTwo=Kind+N:N --lsi Local=L || exit 1 # table 2 of the store

hex()
{
	printf %s "$1" | od -An -v -tx1 | tr -d ' \n'
}

# line TABLE INDEX KEY-IN-HEX READS BUSIEST WRITES BUSIEST - of the minute in which the test began, as an earlier process left it
minute=$((EPOCHSECONDS / 60))
line()
{
	printf '%d %d %d %s %d %d 1 0 %d %d 1 0 .\n' $minute "$@" >>"$S/heat"
}

sums()
{
	jq -c '[.Key, .ReadUnits, .WriteUnits]' | sort
}

ok ctl shards heat tab
eq 'nothing yet' "$out" ''
case $err in
'nothing was read or written in the last '*' seconds') ;;
*) fail "it says: $err" ;;
esac

# ---- what was done is there, whoever did it
ctl -q put tab '{"PK":"a","SK":1,"G":"g","L":"x"}' '{"PK":"b","SK":2,"Kind":"k","N":7}'
ctl get tab a 1 >got || fail 'no item'
ctl -q query tab a >got || fail 'no query'
ctl get tab a 9 --consistent >got 2>&1
ctl -q scan tab >got || fail 'no scan'
ok ctl shards heat tab
eq 'sums of reads and writes' "$(printf '%s\n' "$out" | sums)" '["a",2,2]
["b",0,1]'
eq 'with the scan, which is of no key' "$(printf '%s\n' "$err" | sed 's/in [0-9]* seconds/in N seconds/')" \
	'2 of 2 keys; all, with Scans: 2.5 read and 3 write units in N seconds'
eq 'of an index' "$(ctl -q shards heat tab --index ByG | sums)" '["g",0,1]'
eq 'of one with two attributes' "$(ctl -q shards heat tab --index ByTwo | sums)" '[{"Kind":"k","N":7},0,1]'
eq 'columns' "$(ctl -q shards heat tab --format csv | head -1)" 'Key,Percent:N,ReadPeak:N,WritePeak:N,ReadMean:N,WriteMean:N,ReadUnits:N,WriteUnits:N'
eq 'an array' "$(ctl -q shards heat tab --format json | jq length)" 2
eq 'typed' "$(ctl -q shards heat tab --format typed | jq -c .Key | sort | head -1)" '{"S":"a"}'
eq 'so many' "$(ctl -q shards heat tab --limit 1 | wc -l)" 1
eq 'longer ago' "$(ctl -q shards heat tab --since 1h | wc -l)" 2

# ---- hot keys
ctl -q create-table hot --key PK,SK --gsi ByG=G --gsi ByN=N:N || exit 1 # table 3
line 3 0 "$(hex 'ORDER#1')0001" 0 0 9000 5000
line 3 0 "$(hex "it's")0001" 200 100 4000 1668
line 3 0 "$(hex cool)0001" 200 100 1700 1666
line 3 1 "$(hex OPEN)0001" 90000 7000 2000 2
line 3 2 03832b0001 0 0 90000 4000
line 3 2 03832d0001 0 0 90000 3000
ok ctl shards heat hot
eq 'the hottest first' "$(printf '%s\n' "$out" | jq -c '[.Key, .Percent, .WritePeak, .Shards, .Remedy]')" \
	'["ORDER#1",250,2500,3,"write sharding"]
["it'\''s",83.4,834,2,"write sharding"]
["cool",83.3,833,null,null]'
eq 'and what helps' "$(printf '%s\n' "$err" | tail -n +2)" \
	"ORDER#1 is write-hot: 2500 write units in its busiest second, a partition gives 1,000.
Write sharding: 3 shards, as shards plan counts, a fifth more than is needed.
  itemctl shards assign hot --attr Shard --shards 3 --filter 'PK = \"ORDER#1\"'
then store them, and new ones, under its key with # and that number, and read
  itemctl query hot --shards 0..2 --prefix ORDER#1#
it's is write-hot: 834 write units in its busiest second, a partition gives 1,000.
Write sharding: 2 shards, as shards plan counts, a fifth more than is needed.
  itemctl shards assign hot --attr Shard --shards 2 --filter 'PK = \"it'\\''s\"'
then store them, and new ones, under its key with # and that number, and read
  itemctl query hot --shards 0..1 --prefix 'it'\\''s#'"
eq 'as a table' "$(ctl -q shards heat hot --format table | awk '{ print $2 }')" 'Heat
####################>
#################
#################'

# The commands do what they say.
ctl -q put hot "{\"PK\":\"it's\",\"SK\":\"x\",\"G\":\"OPEN\",\"N\":42}" '{"PK":"else","SK":"y","G":"OPEN2"}'
eval "ctl $(printf '%s\n' "$err" | sed -n "s/^  itemctl \(shards assign.*it.*\)/\1/p")" 2>done.err
eq 'one item of that key' "$(cat done.err)" '1 item: 1 given a shard, 0 have theirs already'
eq 'which has a number' "$(ctl get hot "it's" x | jq '.Shard < 2')" true

ok ctl shards heat hot --index ByG
eq 'a read-hot key of an index' "$(printf '%s\n' "$err" | tail -n +2)" \
	"OPEN of index ByG is read-hot: 3500 read units in its busiest second, a partition gives 3,000.
Reads that may be a moment old: from a cache (DAX, or the program's own).
Else sharded reads: its items, or copies of a single one, under 2 keys."
line 3 1 "$(hex OPEN)0001" 0 0 90000 8000
ok ctl shards heat hot --index ByG
eq 'which is written, too' "$(printf '%s\n' "$out" | jq -c '[.Key, .Percent, .Shards, .Remedy]' | head -1)" \
	'["OPEN",400,5,"write sharding; caching or sharded reads"]'
assign=$(printf '%s\n' "$err" | sed -n 's/^  itemctl \(shards assign\)/\1/p')
eq 'its command' "$assign" "shards assign hot --attr G --shards 5 --prefix OPEN# --filter 'G = \"OPEN\"' --overwrite"
eval "ctl $assign" 2>done.err
eq 'gives shards to those items' "$(cat done.err)" '1 item: 1 given a shard, 0 have theirs already'
eq 'which the query reads' "$(ctl query hot --index ByG --shards 0..4 --prefix 'OPEN#' --count)" 1

# A number may mean something that a shard would replace: words only.
ok ctl shards heat hot --index ByN
eq 'no command for a number' "$(printf '%s\n' "$err" | sed -n '2,5p')" \
	'42 of index ByN is write-hot: 2000 write units in its busiest second, a partition gives 1,000.
Writes of the table wait for its index. Write sharding: 3 shards, as shards plan counts, a fifth more than is needed.
N is a number. If it means something, write the shard to another attribute, and make an
index by that; if it is a shard itself, these are too few: shards assign with --hash.'
eq 'of none of them' "$(printf '%s\n' "$err" | grep -c '^  itemctl')" 0

# A part of the table's key cannot be changed, in an index neither.
ctl -q create-table inv --key PK,SK --gsi Inv=SK,PK --gsi Two=SK+PK || exit 1 # table 4
line 4 1 "$(hex OPEN)0001" 0 0 9000 5000
line 4 2 "$(hex OPEN)0001$(hex o1)0001" 0 0 9000 5000
ctl -q put inv '{"PK":"o1","SK":"OPEN"}' '{"PK":"o2","SK":"DONE"}'
ok ctl shards heat inv --index Inv
eq 'an inverted index' "$(printf '%s\n' "$err" | tail -n +4)" \
	"  itemctl shards assign inv --attr Shard --shards 3 --filter 'SK = \"OPEN\"'
then store them, and new ones, under its key with # and that number, and read
  itemctl query inv --index Inv --shards 0..2 --prefix OPEN#"
eval "ctl $(printf '%s\n' "$err" | sed -n 's/^  itemctl \(shards assign\)/\1/p')" 2>done.err
eq 'its command works' "$(cat done.err)" '1 item: 1 given a shard, 0 have theirs already'
ctl -q put inv '{"PK":"o1","SK":"OPEN#2"}'
eq 'and so does the query' "$(eval "ctl $(printf '%s\n' "$err" | sed -n 's/^  itemctl \(query\)/\1/p')" | jq -c .)" '{"PK":"o1","SK":"OPEN#2"}'
ok ctl shards heat inv --index Two
eq 'of several attributes' "$(printf '%s\n' "$err" | tail -n +4)" 'It is of the table'\''s key: its items are to be stored again, under other keys.'

# A single item is not numbered: there are to be several.
ctl -q create-table count --key id || exit 1 # table 5
line 5 0 "$(hex counter)0001" 0 0 9000 5000
ctl -q put count '{"id":"counter#0","n":1}' '{"id":"counter#2","n":4}'
ok ctl shards heat count
eq 'a counter' "$(printf '%s\n' "$err" | tail -n +4)" \
	'It is one item: keep 3, under its key with #0 to #2, write to one of them by chance,
and read all; a counter is their sum
  itemctl query count --shards 0..2 --prefix counter#'
eq 'which is read so' "$(eval "ctl $(printf '%s\n' "$err" | sed -n 's/^  itemctl \(query\)/\1/p')" | jq -s 'map(.n) | add')" 5

# ---- keys that nobody types
ctl -q create-table odd --key PK --gsi ByB=B:B --gsi ByS=S || exit 1 # table 6
line 6 0 "$(printf 'a\033[2J\nb' | od -An -v -tx1 | tr -d ' \n')0001" 0 0 9000 5000
line 6 1 00ff00ffff0001 0 0 9000 5000
line 6 2 "$(hex "$(printf '%02000d' 1)")0001" 0 0 9000 5000
ok ctl shards heat odd
eq 'nothing acts on a terminal' "$(printf %s "$err" | tr -d '[:print:]\n' | wc -c)" 0
eq 'and nothing is to be typed' "$(printf '%s\n' "$err" | sed -n '2p;4p')" \
	'a\u001b[2J\nb is write-hot: 2500 write units in its busiest second, a partition gives 1,000.'
eq 'the key itself' "$(printf '%s\n' "$out" | jq -c .Key)" '"a\u001b[2J\nb"'
ctl shards heat odd --format table >shown 2>&1
eq 'nor in a table' "$(tr -d '[:print:]\n' <shown | wc -c)" 0
ok ctl shards heat odd --index ByB
eq 'bytes' "$(printf '%s\n' "$out" | jq -c .Key)" '{"B":"AAD/"}'
ok ctl shards heat odd --index ByS
eq 'a long one is cut' "$(printf '%s\n' "$err" | sed -n 2p | cut -c1-60)" '0000000000000000000000000000000000000000... of index ByS is '

# ---- what a crash or somebody else left of the file
cp "$S/heat" kept
{
	printf 'x\n%s' "$(head -c 50 kept)"
	head -c 3000 /dev/urandom
	printf '\n%d 2 0 6 0 0 0 0 1 1 1 1 .\n%d 2 0 zz 0 0 0 0 1 1 1 1 .\n' $minute $minute
	printf '%d 2 0 6161 1 1 1 1 1 1 1 1 .\n' $minute
	printf '%d 2 0 ff00010001 1 1 1 1 1 1 1 1 .\n%d 2 0 ff0001 1 1 1 1 1 1 1 1 .\n' $minute $minute
	printf '%d 2 0 62620001 99999999999999999999 1 1 1 1 1 1 1 .\n' $minute
	printf '%d 2 0 %s 18446744073709551615 1 1 1 18446744073709551615 18446744073709551615 1 1 .\n' $minute "$(hex max)0001"
	printf '%d 2 0 %s 18446744073709551615 1 1 1 18446744073709551615 18446744073709551615 1 1 .\n' $minute "$(hex max)0001"
	printf '99999999999 2 0 %s 2 2 1 2 2 2 1 2 .\n1 2 0 %s 2 2 1 2 2 2 1 2 .\n' "$(hex future)0001" "$(hex past)0001"
	head -c 20 kept
} >>"$S/heat"
ok ctl shards heat tab
eq 'lines that are none are passed over' "$(printf '%s\n' "$out" | jq -r .Key | sort | tr '\n' ' ')" 'a b max '
eq 'nor are their keys counted' "$(printf '%s\n' "$err" | sed -n 's/ keys; .*//p')" '3 of 3'
eq 'no more shards than there may be' "$(printf '%s\n' "$out" | jq -c 'select(.Key == "max").Shards')" 10000
eq 'so many of them' "$(ctl shards heat tab --limit 2 2>&1 >got | sed -n 's/ keys; .*//p')" '2 of 3'
cp kept "$S/heat"

# ---- what cannot be asked
gives 2 '--since 2h: what keys consume is kept for 1h' ctl shards heat tab --since 2h
gives 2 '--since 61m' ctl shards heat tab --since 61m
for since in 10 0s '' m -5m 1d 1.5h 99999999999m '10m '; do
	gives 2 '--since is as 90s, 10m or 1h' ctl shards heat tab "--since=$since"
done
gives 2 '--limit is 1 or more' ctl shards heat tab --limit 0
gives 2 'it is written: shards heat TABLE' ctl shards heat
gives 2 'it is written: shards heat TABLE' ctl shards heat tab a
gives 3 'ResourceNotFoundException' ctl shards heat none
gives 3 'The table does not have the specified index: None' ctl shards heat tab --index None
gives 2 'Local is a local index: it has the partitions of the table' ctl shards heat tab --index Local

# ---- an endpoint has no such thing
"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >served 2>&1 &
server_too=$!
endpoint=http://$(address served)
"$ITEMCTL" -q -s "$endpoint" create-table tab --key PK || fail 'no table'
gives 2 'CloudWatch Contributor Insights: aws dynamodb update-contributor-insights' "$ITEMCTL" -s "$endpoint" shards heat tab
kill "$server_too"
wait "$server_too"

# ---- the file
end_server
ctl get tab a 1 >got || fail 'no item'
ok ctl shards heat tab --since 1h
eq 'it outlasts its processes' "$(printf '%s\n' "$out" | sums | head -1)" '["a",2.5,2]'
eq 'the store is sound' "$(ctl -q check)" ''
head -c 3000000 /dev/zero | tr '\0' 'x' >>"$S/heat"
ctl get tab a 1 >got || fail 'no item'
eq 'a large one is made shorter' "$(($(stat -c %s "$S/heat") <= 1 << 20))" 1
eq 'and says what it said' "$(ctl -q shards heat tab --since 1h | sums | head -1)" '["a",3,2]'
for other in 'mkfifo' 'mkdir' 'ln -s ../first'; do
	rm -rf "$S/heat"
	$other "$S/heat"
	ctl get tab a 1 >got || fail "no item beside $other"
	ok ctl shards heat tab
	eq "nothing beside $other" "$out" ''
done
eq 'nothing was made elsewhere' "$(ls first 2>/dev/null)" ''
rm "$S/heat"
ctl get tab a 1 >got || fail 'no item'
eq 'it is nobody else'\''s' "$(stat -c %a "$S/heat")" 600
ok ctl backup copy
ok "$ITEMCTL" -s again restore copy
eq 'no part of a backup' "$(ls again | grep -c heat)" 0
done_testing
