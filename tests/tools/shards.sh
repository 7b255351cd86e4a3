#!/bin/bash
# Sharded queries: merged by sort key in both directions, limit, count, prefix, hash.
# BEHAVIOUR 5.8
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK --gsi GSI2=Shard:N,At --gsi GSI3=Bucket,N:N
# 300 items over 7 shards, shard 4 empty; several with the same sort key.
awk 'BEGIN { srand(7); for (i = 0; i < 300; i++) { s = int(rand() * 7); if (s == 4) s = 5;
	printf "{\"PK\":\"k%03d\",\"Shard\":%d,\"At\":\"OPEN#%03d\",\"Bucket\":\"OPEN#%d\",\"N\":%d,\"x\":%d}\n",
	i, s, int(rand() * 100), s, int(rand() * 2000) - 1000, i } }' >items
ctl -q import tab items

jq -r '[.At, .PK] | @tsv' items | sort >expected
shards()
{
	ctl query tab --shards 0..6 --index GSI2 "$@"
}
order()
{
	jq -r '[.At, .PK] | @tsv'
}
for jobs in 1 2 8; do
	eq "merged by sort key, ties by table key, $jobs jobs" "$(shards --jobs $jobs | order)" "$(cat expected)"
	eq "in reverse order, $jobs jobs" "$(shards --reverse --jobs $jobs | order)" "$(tac expected)"
	eq "in small pages, $jobs jobs" "$(shards --page-size 3 --jobs $jobs | order)" "$(cat expected)"
	eq "with a limit, $jobs jobs" "$(shards --limit 17 --jobs $jobs | order)" "$(head -17 expected)"
	eq "with a limit in reverse order, $jobs jobs" "$(shards --limit 17 --reverse --jobs $jobs | order)" "$(tac expected | head -17)"
done
eq 'some of the shards' "$(ctl query tab --shards 2..3 --index GSI2 --count)" "$(jq -s 'map(select(.Shard == 2 or .Shard == 3)) | length' items)"
eq 'count' "$(shards --count)" 300
eq 'a condition' "$(shards --between 'OPEN#010' 'OPEN#019' --count)" "$(grep -c '"OPEN#01' items)"
eq 'filter and limit' "$(shards --filter 'x < 100' --limit 5 | order)" "$(jq -r 'select(.x < 100) | [.At, .PK] | @tsv' items | sort | head -5)"
eq 'projected without the keys used for merging' "$(shards --project x --limit 9 | jq -c .)" \
	"$(head -9 expected | while read -r _ pk; do jq -c "select(.PK == \"$pk\") | {x}" items; done)"
eq 'projected with one of them' "$(shards --project 'x, At' --limit 1 | jq -cS 'keys')" '["At","x"]'
eq 'CSV of shards' "$(shards --limit 3 --project PK --format csv)" "PK
$(head -3 expected | cut -f2)"
eq 'JSON of shards' "$(shards --format json | jq length)" 300
eq 'a table of shards' "$(shards --limit 2 --project 'PK' --format table | tail -n +2 | tr -d ' ')" "$(head -2 expected | cut -f2)"
eq 'numbers are merged as numbers' "$(ctl query tab --shards 0..6 --prefix OPEN# --index GSI3 | jq .N)" "$(jq .N items | sort -n)"
eq 'also in reverse order' "$(ctl query tab --shards 0..6 --prefix OPEN# --index GSI3 --reverse | jq .N)" "$(jq .N items | sort -nr)"
eq 'a shorter key comes first, whatever its table key' "$(
	for item in '{"PK":"z","Shard":20,"At":"m"}' '{"PK":"y","Shard":21,"At":"m\u0000"}' '{"PK":"x","Shard":22,"At":"ma"}'; do
		ctl put tab "$item" >put.out || echo refused
	done
	ctl query tab --shards 20..22 --index GSI2 | jq -r .PK | tr '\n' ' '
)" 'z y x '
eq 'a table without a sort key' "$(ctl query tab --shards 000..200 --prefix k | jq -c .PK | head -1)" '"k100"'
eq 'one shard by hash: crc32("abc") is 891568578, modulo 7 is 5' "$(shards --hash Id=abc --count)" \
	"$(jq -s 'map(select(.Shard == 5)) | length' items)"

# With several attributes, the last one of the partition key is the shard, and all of the sort key are used for
# merging.
ctl -q create-table wide --key PK --gsi 'GSI=Kind+Shard:N,N:N+At'
jq -c '. + {Kind: (if .x % 2 == 0 then "even" else "odd" end), N: (.N % 10)}' items | ctl -q import wide
eq 'merged by both sort attributes' "$(ctl query wide odd --shards 0..6 --index GSI | jq -c '[.N, .At, .PK]')" \
	"$(jq -s -c 'map(select(.x % 2 == 1) | [.N % 10, .At, .PK]) | sort | .[]' items)"
eq 'projected without the sort attributes' "$(ctl query wide odd --shards 0..6 --index GSI --project x --limit 5 | jq -c .)" \
	"$(jq -s -c 'map(select(.x % 2 == 1) | [.N % 10, .At, .PK, .x]) | sort | .[0:5][] | {x: .[3]}' items)"
eq 'with a condition on both sort attributes' "$(ctl query wide even --shards 0..6 --index GSI --eq 3 --begins-with OPEN#0 --count)" \
	"$(jq -s 'map(select(.x % 2 == 0 and .N % 10 == 3 and (.At | startswith("OPEN#0")))) | length' items)"
gives 2 'the partition key has 2 attributes, and 1 have values' ctl query wide --shards 0..6 --index GSI
gives 2 'and 3 have values: give one PK per attribute; with --shards leave out the last one' ctl query wide odd 1 --shards 0..6 --index GSI

ok shards --limit 5 --stats
scanned=${err##* }
[ "$scanned" -lt 120 ] || fail "reads $scanned items for 5"
gives 2 '--shards must be LO..HI' ctl query tab --shards 3..1 --index GSI2
gives 2 '--shards must be LO..HI' ctl query tab --shards x --index GSI2
gives 2 '100000 partitions are too many; the limit is 10000' ctl query tab --shards 0..99999 --index GSI2
gives 2 '--hash must be ATTR=VALUE' shards --hash abc
gives 2 'do not go with --shards' shards --one-page
gives 2 'ValidationException' ctl query tab --shards 0..3 --prefix x --index GSI2
gives 2 'Invalid FilterExpression' shards --filter 'x <'
eq 'the message has a caret' "$(printf '%s\n' "$err" | sed -n 2p)" '  x <'

# ---- a limit is passed on: each shard is asked for about as many entries as are wanted in all
ctl -q create-table big --key PK --gsi ByShard=Shard:N,At
awk 'BEGIN { for (i = 0; i < 6000; i++) printf "{\"PK\":\"k%d\",\"Shard\":%d,\"At\":\"%05d\"}\n", i, i % 15, (i * 7919) % 6000 }' | ctl -q import big
ok ctl --stats query big --shards 0..14 --index ByShard --limit 10
eq 'the first ten of all shards' "$(printf '%s\n' "$out" | jq -r .At | tr '\n' ' ')" '00000 00001 00002 00003 00004 00005 00006 00007 00008 00009 '
scanned=$(printf '%s\n' "$err" | sed 's/.*ScannedCount: //')
[ "$scanned" -le 150 ] || fail "$scanned entries are read for ten of 15 shards"

# ---- shards assign
ctl -q create-table given --key PK,SK:N --gsi ByShard=Shard:N,SK --gsi ByBucket=Bucket,SK
seq 1 3000 | sed 's/.*/{"PK":"p&","SK":&,"Name":"n&"}/' | ctl -q import given
ok ctl shards assign given --attr Shard --shards 7
eq 'each item gets a shard' "$err" '3,000 items: 3,000 got a shard, 0 had one already'
eq 'which the sharded query reads' "$(ctl query given --shards 0..6 --index ByShard | jq -s 'map(.SK) == [range(1; 3001)]')" true
eq 'items are distributed over all shards' "$(ctl scan given | jq .Shard | sort -n | uniq -c | awk '$1 > 250 { print $2 }' | tr '\n' ' ')" '0 1 2 3 4 5 6 '
ok ctl shards assign given --attr Shard --shards 7 --random
eq 'a second run has nothing to do' "$err" '3,000 items: 0 got a shard, 3,000 had one already'
ctl -q put given '{"PK":"new","SK":0}'
ok ctl shards assign given --attr Shard --shards 7
eq 'except for new items' "$err" '3,001 items: 1 got a shard, 3,000 had one already'
gives 2 '--hash needs the name of an attribute' ctl shards assign given --attr Bucket --shards 5 --hash ''
ok ctl shards assign given --attr Bucket --shards 5 --hash Name --prefix OPEN# --filter 'SK > 1000'
eq 'shards by the hash of a value' "$err" '2,000 items: 2,000 got a shard, 0 had one already'
eq 'an item is found by this hash' "$(ctl query given --shards 0..4 --prefix OPEN# --index ByBucket --hash Name=n2345 --eq 2345 --project Name)" '{"Name":"n2345"}'
eq 'all items are found' "$(ctl query given --shards 0..4 --prefix OPEN# --index ByBucket --count)" 2000
ok ctl shards assign given --attr Bucket --shards 9 --hash Name --prefix OPEN# --filter 'SK > 1000'
eq 'another number of shards' "$(ctl query given --shards 0..8 --prefix OPEN# --index ByBucket --hash Name=n2345 --eq 2345 --count)" 1
ok ctl shards assign given --attr Bucket --shards 9 --hash Name --prefix OPEN#
eq 'items without the value are reported' "$(printf '%s\n' "$err" | tail -1)" '1 item without Name left unchanged'

# An item that no longer matches the filter gets no shard: shipped orders stay out of a sparse index.
if [ -n "${SERVED-}" ]; then
	ctl -q create-table orders --key PK --gsi ByShard=Shard:N,PK
	seq 1 20000 | sed 's/.*/{"PK":"&","Status":"OPEN"}/' | ctl -q import orders
	ctl scan orders --project PK >keys.jsonl
	ctl -q update orders - 'SET Status = :s REMOVE Shard' --values '{":s":"SHIPPED"}' <keys.jsonl &
	ok ctl shards assign orders --attr Shard --shards 4 --filter '#s = :s' --names '{"#s":"Status"}' --values '{":s":"OPEN"}'
	wait $!
	eq 'all orders were shipped meanwhile' "$(ctl scan orders --filter 'Status = "SHIPPED"' --count)" 20000
	eq 'and none has a shard' "$(ctl scan orders --index ByShard --count)" 0
fi

# A value that another process writes meanwhile stays, too: the update has a condition on the value that was read.
if [ -n "${SERVED-}" ]; then
	ctl -q create-table race --key PK
	seq 1 20000 | sed 's/.*/{"PK":"&"}/' | ctl -q import race
	ctl scan race --project PK >keys.jsonl
	for how in --random '--hash PK'; do
		ctl -q update race - 'REMOVE Lot' <keys.jsonl || fail 'the attribute is not removed'
		ctl -q update race - 'SET Lot = "mine"' <keys.jsonl &
		ctl shards assign race --attr Lot --shards 4 $how >raced 2>&1 # some or no items are skipped
		ctl -q shards assign race --attr Lot --shards 7 --hash PK >raced 2>&1
		wait $!
		eq "values of another writer stay, $how" "$(ctl scan race --filter 'Lot = "mine"' --count)" 20000
	done
fi

# ---- a value that is not a shard number belongs to someone else, and stays
ctl -q create-table other --key PK
printf '%s\n' '{"PK":"a","cust":"c7"}' '{"PK":"b","cust":-1}' '{"PK":"c","cust":1.5}' '{"PK":"d","cust":10000}' \
	'{"PK":"e","cust":true}' '{"PK":"f","cust":9999}' '{"PK":"g","cust":2}' '{"PK":"h"}' | ctl -q import other
gives 2 'itemctl: 6 items left unchanged: the value of cust is none of the 3 shards; to change these, too: --overwrite' \
	ctl shards assign other --attr cust --shards 3
eq 'all other items have a shard' "$(printf '%s\n' "$err" | head -1)" '8 items: 1 got a shard, 1 had one already'
others() { ctl scan other | jq -c 'select(.PK < "g") | .cust' | sort | tr '\n' ' '; }
eq 'and these keep their values' "$(others)" '"c7" -1 1.5 10000 9999 true '
gives 2 '6 items left unchanged' ctl shards assign other --attr cust --shards 3 --hash PK
eq 'also with a hash' "$(others)" '"c7" -1 1.5 10000 9999 true '
gives 2 '8 items left unchanged' ctl shards assign other --attr cust --shards 3 --prefix P
ok ctl shards assign other --attr cust --shards 3 --prefix P --overwrite
eq 'unless --overwrite is given' "$err" '8 items: 8 got a shard, 0 had one already'
eq 'all values are shards' "$(ctl scan other | jq -r .cust | grep -cx 'P[012]')" 8
ctl -q create-table music --key Artist,Song --gsi ByYear=Year:N
printf '%s\n' '{"Artist":"a","Song":"1","Year":1999}' '{"Artist":"a","Song":"2","Year":2001}' '{"Artist":"b","Song":"3"}' | ctl -q import music
gives 2 '2 items left unchanged' ctl shards assign music --attr Year --shards 6 --hash Song
eq 'a year is not taken for a shard' "$(ctl scan music | jq -c 'select(.Year > 1000) | .Year' | sort | tr '\n' ' ')" '1999 2001 '
gives 2 '2 items left unchanged' ctl shards assign music --attr Year --shards 1999
ok ctl shards assign music --attr Year --shards 2 --overwrite
eq 'it can be replaced by one' "$(ctl scan music | jq 'select(.Year < 2) | 1' | wc -l)" 3
ok ctl shards assign music --attr Year --shards 2 --hash Song
ok ctl shards assign music --attr Year --shards 5 --hash Song
eq 'more shards need no --overwrite' "$(ctl query music --index ByYear --shards 0..4 --count)" 3
gives 2 'SK is part of the key, which cannot be changed' ctl shards assign given --attr SK --shards 5
gives 2 'needs --attr and --shards' ctl shards assign given --attr Shard
gives 2 '--shards must be 1 to' ctl shards assign given --attr Shard --shards 0
gives 2 'either --random or --hash' ctl shards assign given --attr Shard --shards 5 --random --hash Name
gives 2 'it takes no --prefix' ctl shards assign given --attr Shard --shards 5 --prefix P
gives 2 'syntax: shards assign TABLE' ctl shards assign
gives 2 'Invalid FilterExpression' ctl shards assign given --attr Shard --shards 5 --filter 'a ='
gives 3 'ResourceNotFoundException' ctl shards assign none --attr Shard --shards 5
eq 'the store is valid' "$(ctl -q check)" ''
done_testing
