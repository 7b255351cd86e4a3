#!/bin/bash
# Sharded queries: merged by sort key in both directions, limit, count, prefix, hash.
# Behaviour list 5.8
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
	eq "backwards, $jobs jobs" "$(shards --reverse --jobs $jobs | order)" "$(tac expected)"
	eq "in small pages, $jobs jobs" "$(shards --page-size 3 --jobs $jobs | order)" "$(cat expected)"
	eq "with a limit, $jobs jobs" "$(shards --limit 17 --jobs $jobs | order)" "$(head -17 expected)"
	eq "with a limit backwards, $jobs jobs" "$(shards --limit 17 --reverse --jobs $jobs | order)" "$(tac expected | head -17)"
done
eq 'a part of the shards' "$(ctl query tab --shards 2..3 --index GSI2 --count)" "$(jq -s 'map(select(.Shard == 2 or .Shard == 3)) | length' items)"
eq 'count' "$(shards --count)" 300
eq 'a condition' "$(shards --between 'OPEN#010' 'OPEN#019' --count)" "$(grep -c '"OPEN#01' items)"
eq 'filter and limit' "$(shards --filter 'x < 100' --limit 5 | order)" "$(jq -r 'select(.x < 100) | [.At, .PK] | @tsv' items | sort | head -5)"
eq 'projected without the keys it is merged by' "$(shards --project x --limit 9 | jq -c .)" \
	"$(head -9 expected | while read -r _ pk; do jq -c "select(.PK == \"$pk\") | {x}" items; done)"
eq 'projected with one of them' "$(shards --project 'x, At' --limit 1 | jq -cS 'keys')" '["At","x"]'
eq 'other forms' "$(shards --limit 3 --project PK --format csv)" "PK
$(head -3 expected | cut -f2)"
eq 'an array' "$(shards --format json | jq length)" 300
eq 'a table' "$(shards --limit 2 --project 'PK' --format table | tail -n +2 | tr -d ' ')" "$(head -2 expected | cut -f2)"
eq 'numbers are merged as numbers' "$(ctl query tab --shards 0..6 --prefix OPEN# --index GSI3 | jq .N)" "$(jq .N items | sort -n)"
eq 'backwards too' "$(ctl query tab --shards 0..6 --prefix OPEN# --index GSI3 --reverse | jq .N)" "$(jq .N items | sort -nr)"
eq 'a shorter key comes first, whatever follows it' "$(
	for item in '{"PK":"z","Shard":20,"At":"m"}' '{"PK":"y","Shard":21,"At":"m\u0000"}' '{"PK":"x","Shard":22,"At":"ma"}'; do
		ctl put tab "$item" >put.out || echo refused
	done
	ctl query tab --shards 20..22 --index GSI2 | jq -r .PK | tr '\n' ' '
)" 'z y x '
eq 'a table without a sort key' "$(ctl query tab --shards 000..200 --prefix k | jq -c .PK | head -1)" '"k100"'
eq 'one shard by hash: crc32("abc") is 891568578, modulo 7 is 5' "$(shards --hash Id=abc --count)" \
	"$(jq -s 'map(select(.Shard == 5)) | length' items)"

# Of several attributes the last one of the partition key is the shard, and all of the sort key are merged by.
ctl -q create-table wide --key PK --gsi 'GSI=Kind+Shard:N,N:N+At'
jq -c '. + {Kind: (if .x % 2 == 0 then "even" else "odd" end), N: (.N % 10)}' items | ctl -q import wide
eq 'merged by both sort attributes' "$(ctl query wide odd --shards 0..6 --index GSI | jq -c '[.N, .At, .PK]')" \
	"$(jq -s -c 'map(select(.x % 2 == 1) | [.N % 10, .At, .PK]) | sort | .[]' items)"
eq 'projected without them' "$(ctl query wide odd --shards 0..6 --index GSI --project x --limit 5 | jq -c .)" \
	"$(jq -s -c 'map(select(.x % 2 == 1) | [.N % 10, .At, .PK, .x]) | sort | .[0:5][] | {x: .[3]}' items)"
eq 'with a condition' "$(ctl query wide even --shards 0..6 --index GSI --eq 3 --begins-with OPEN#0 --count)" \
	"$(jq -s 'map(select(.x % 2 == 0 and .N % 10 == 3 and (.At | startswith("OPEN#0")))) | length' items)"
gives 2 'the partition key has 2 attributes, and 1 have values' ctl query wide --shards 0..6 --index GSI
gives 2 'the partition key has 2 attributes, and 3 have values' ctl query wide odd 1 --shards 0..6 --index GSI

ok shards --limit 5 --stats
scanned=${err##* }
[ "$scanned" -lt 120 ] || fail "reads $scanned items for 5"
gives 2 '--shards is LO..HI' ctl query tab --shards 3..1 --index GSI2
gives 2 '--shards is LO..HI' ctl query tab --shards x --index GSI2
gives 2 'too many' ctl query tab --shards 0..99999 --index GSI2
gives 2 '--hash is ATTR=VALUE' shards --hash abc
gives 2 'read one partition' shards --one-page
gives 2 'ValidationException' ctl query tab --shards 0..3 --prefix x --index GSI2
gives 2 'Invalid FilterExpression' shards --filter 'x <'
eq 'the caret' "$(printf '%s\n' "$err" | sed -n 2p)" '  x <'
done_testing
