#!/bin/bash
# shards heat: the consumption of partition keys, which are hot, and what to do. BEHAVIOUR 5.6, 5.8, 5.9
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByG=G --gsi ByTwo=Kind+N:N --lsi Local=L || exit 1 # table 2 of the store

hex()
{
	printf %s "$1" | od -An -v -tx1 | tr -d ' \n'
}

# line TABLE INDEX KEY-IN-HEX READS BUSIEST WRITES BUSIEST - a line of the file for the minute in which the test
# began, as an earlier process would have left it
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
eq 'no key usage yet' "$out" ''
case $err in
'nothing was read or written in the last '*' seconds') ;;
*) fail "it says: $err" ;;
esac

# ---- operations of all processes are counted
ctl -q put tab '{"PK":"a","SK":1,"G":"g","L":"x"}' '{"PK":"b","SK":2,"Kind":"k","N":7}'
ctl get tab a 1 >got || fail 'no item'
ctl -q query tab a >got || fail 'no query'
ctl get tab a 9 --consistent >got 2>&1
ctl -q scan tab >got || fail 'no scan'
ok ctl shards heat tab
eq 'sums of reads and writes' "$(printf '%s\n' "$out" | sums)" '["a",2,2]
["b",0,1]'
eq 'the scan, which has no key, is counted separately' "$(printf '%s\n' "$err" | sed 's/in [0-9]* seconds/in N seconds/')" \
	'2 of 2 keys; all, with Scans: 2.5 read and 3 write units in N seconds'
eq 'key usage of an index' "$(ctl -q shards heat tab --index ByG | sums)" '["g",0,1]'
eq 'key usage of an index with two key attributes' "$(ctl -q shards heat tab --index ByTwo | sums)" '[{"Kind":"k","N":7},0,1]'
eq 'the columns of CSV' "$(ctl -q shards heat tab --format csv | head -1)" 'Key,Percent:N,ReadPeak:N,WritePeak:N,ReadMean:N,WriteMean:N,ReadUnits:N,WriteUnits:N'
eq 'an array' "$(ctl -q shards heat tab --format json | jq length)" 2
eq 'typed' "$(ctl -q shards heat tab --format typed | jq -c .Key | sort | head -1)" '{"S":"a"}'
eq 'a limit' "$(ctl -q shards heat tab --limit 1 | wc -l)" 1
eq 'a longer period' "$(ctl -q shards heat tab --since 1h | wc -l)" 2

# ---- hot keys
ctl -q create-table hot --key PK,SK --gsi ByG=G --gsi ByN=N:N || exit 1 # table 3
line 3 0 "$(hex 'ORDER#1')0001" 0 0 9000 5000
line 3 0 "$(hex "it's")0001" 200 100 4000 1668
line 3 0 "$(hex cool)0001" 200 100 1700 1666
line 3 1 "$(hex OPEN)0001" 90000 7000 2000 2
line 3 2 03832b0001 0 0 90000 4000
line 3 2 03832d0001 0 0 90000 3000
ok ctl shards heat hot
eq 'the hottest key comes first' "$(printf '%s\n' "$out" | jq -c '[.Key, .Percent, .WritePeak, .Shards, .Remedy]')" \
	'["ORDER#1",250,2500,3,"write sharding"]
["it'\''s",83.4,834,2,"write sharding"]
["cool",83.3,833,null,null]'
eq 'and advice what to do' "$(printf '%s\n' "$err" | tail -n +2)" \
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

# The suggested commands work.
ctl -q put hot "{\"PK\":\"it's\",\"SK\":\"x\",\"G\":\"OPEN\",\"N\":42}" '{"PK":"else","SK":"y","G":"OPEN2"}'
eval "ctl $(printf '%s\n' "$err" | sed -n "s/^  itemctl \(shards assign.*it.*\)/\1/p")" 2>done.err
eq 'the suggested command changes one item of that key' "$(cat done.err)" '1 item: 1 given a shard, 0 have theirs already'
eq 'which gets a shard number' "$(ctl get hot "it's" x | jq '.Shard < 2')" true

ok ctl shards heat hot --index ByG
eq 'a read-hot key of an index' "$(printf '%s\n' "$err" | tail -n +2)" \
	"OPEN of index ByG is read-hot: 3500 read units in its busiest second, a partition gives 3,000.
Reads that may be a moment old: from a cache (DAX, or the program's own).
Else sharded reads: its items, or copies of a single one, under 2 keys."
line 3 1 "$(hex OPEN)0001" 0 0 90000 8000
ok ctl shards heat hot --index ByG
eq 'a key of an index with many writes' "$(printf '%s\n' "$out" | jq -c '[.Key, .Percent, .Shards, .Remedy]' | head -1)" \
	'["OPEN",400,5,"write sharding; caching or sharded reads"]'
assign=$(printf '%s\n' "$err" | sed -n 's/^  itemctl \(shards assign\)/\1/p')
eq 'the suggested command' "$assign" "shards assign hot --attr G --shards 5 --prefix OPEN# --filter 'G = \"OPEN\"' --overwrite"
eval "ctl $assign" 2>done.err
eq 'assigns shards to these items' "$(cat done.err)" '1 item: 1 given a shard, 0 have theirs already'
eq 'which the sharded query reads' "$(ctl query hot --index ByG --shards 0..4 --prefix 'OPEN#' --count)" 1

# A number may have a meaning that a shard would destroy: advice without commands.
ok ctl shards heat hot --index ByN
eq 'no command for a number' "$(printf '%s\n' "$err" | sed -n '2,5p')" \
	'42 of index ByN is write-hot: 2000 write units in its busiest second, a partition gives 1,000.
Writes of the table wait for its index. Write sharding: 3 shards, as shards plan counts, a fifth more than is needed.
N is a number. If it means something, write the shard to another attribute, and make an
index by that; if it is a shard itself, these are too few: shards assign with --hash.'
eq 'no command for any of them' "$(printf '%s\n' "$err" | grep -c '^  itemctl')" 0

# An attribute of the table's key cannot be changed, not even where it is the key of an index.
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
eq 'the suggested command works' "$(cat done.err)" '1 item: 1 given a shard, 0 have theirs already'
ctl -q put inv '{"PK":"o1","SK":"OPEN#2"}'
eq 'and so does the suggested query' "$(eval "ctl $(printf '%s\n' "$err" | sed -n 's/^  itemctl \(query\)/\1/p')" | jq -c .)" '{"PK":"o1","SK":"OPEN#2"}'
ok ctl shards heat inv --index Two
eq 'an inverted index of several attributes' "$(printf '%s\n' "$err" | tail -n +4)" 'It is of the table'\''s key: its items are to be stored again, under other keys.'

# A single item gets no shard number: it must become several items.
ctl -q create-table count --key id || exit 1 # table 5
line 5 0 "$(hex counter)0001" 0 0 9000 5000
ctl -q put count '{"id":"counter#0","n":1}' '{"id":"counter#2","n":4}'
ok ctl shards heat count
eq 'advice for a counter' "$(printf '%s\n' "$err" | tail -n +4)" \
	'It is one item: keep 3, under its key with #0 to #2, write to one of them by chance,
and read all; a counter is their sum
  itemctl query count --shards 0..2 --prefix counter#'
eq 'the suggested query of the counter works' "$(eval "ctl $(printf '%s\n' "$err" | sed -n 's/^  itemctl \(query\)/\1/p')" | jq -s 'map(.n) | add')" 5

# ---- keys that cannot be typed
ctl -q create-table odd --key PK --gsi ByB=B:B --gsi ByS=S || exit 1 # table 6
line 6 0 "$(printf 'a\033[2J\nb' | od -An -v -tx1 | tr -d ' \n')0001" 0 0 9000 5000
line 6 1 00ff00ffff0001 0 0 9000 5000
line 6 2 "$(hex "$(printf '%02000d' 1)")0001" 0 0 9000 5000
ok ctl shards heat odd
eq 'no control characters are printed' "$(printf %s "$err" | tr -d '[:print:]\n' | wc -c)" 0
eq 'and no command is suggested' "$(printf '%s\n' "$err" | sed -n '2p;4p')" \
	'a\u001b[2J\nb is write-hot: 2500 write units in its busiest second, a partition gives 1,000.'
eq 'the key in JSON' "$(printf '%s\n' "$out" | jq -c .Key)" '"a\u001b[2J\nb"'
ctl shards heat odd --format table >shown 2>&1
eq 'no control characters in a table' "$(tr -d '[:print:]\n' <shown | wc -c)" 0
ok ctl shards heat odd --index ByB
eq 'a binary key' "$(printf '%s\n' "$out" | jq -c .Key)" '{"B":"AAD/"}'
ok ctl shards heat odd --index ByS
eq 'a long key is truncated' "$(printf '%s\n' "$err" | sed -n 2p | cut -c1-60)" '0000000000000000000000000000000000000000... of index ByS is '

# ---- a file that a crash or another program has damaged
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
eq 'invalid lines are ignored' "$(printf '%s\n' "$out" | jq -r .Key | sort | tr '\n' ' ')" 'a b max '
eq 'their keys are not counted' "$(printf '%s\n' "$err" | sed -n 's/ keys; .*//p')" '3 of 3'
eq 'at most the maximum number of shards' "$(printf '%s\n' "$out" | jq -c 'select(.Key == "max").Shards')" 10000
eq 'a limit is reported' "$(ctl shards heat tab --limit 2 2>&1 >got | sed -n 's/ keys; .*//p')" '2 of 3'
cp kept "$S/heat"

# ---- requests that are refused
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

# ---- an endpoint does not have key usage
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
eq 'key usage outlives the processes' "$(printf '%s\n' "$out" | sums | head -1)" '["a",2.5,2]'
eq 'the store is valid' "$(ctl -q check)" ''
head -c 3000000 /dev/zero | tr '\0' 'x' >>"$S/heat"
ctl get tab a 1 >got || fail 'no item'
eq 'a file that is too large is shortened' "$(($(stat -c %s "$S/heat") <= 1 << 20))" 1
eq 'with the same totals' "$(ctl -q shards heat tab --since 1h | sums | head -1)" '["a",3,2]'
for other in 'mkfifo' 'mkdir' 'ln -s ../first'; do
	rm -rf "$S/heat"
	$other "$S/heat"
	ctl get tab a 1 >got || fail "no item with $other in place of the file"
	ok ctl shards heat tab
	eq "no key usage with $other in place of the file" "$out" ''
done
eq 'nothing was written where a link leads' "$(ls first 2>/dev/null)" ''
rm "$S/heat"
ctl get tab a 1 >got || fail 'no item'
eq 'only its owner can read it' "$(stat -c %a "$S/heat")" 600
ok ctl backup copy
ok "$ITEMCTL" -s again restore copy
eq 'it is not in a backup' "$(ls again | grep -c heat)" 0
done_testing
