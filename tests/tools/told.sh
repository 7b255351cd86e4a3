#!/bin/bash
# What an endpoint knows and itemctl does not: operations and members are passed on, and members that are absent are
# not invented.
. "$(dirname "$0")/lib.sh"
begin_made_up told
url=http://$made_up

at()
{
	"$ITEMCTL" -s "$url" "$@"
}

# ---- call
asked='{"A":{"S":"x"},"Odd": [1, 2.50,null]}'
for name in FrobItem frob-item frob_item; do
	eq "$name" "$(at call $name "$asked")" '{"asked": {"A": {"S": "x"}, "Odd": [1, 2.5, null]}, "more": {"a b": "c \" d"}}'
done
eq 'an unknown operation with indentation' "$(at --format json call FrobItem '{}')" $'{\n  "asked": {},\n  "more": {\n    "a b": "c \\" d"\n  }\n}'
eq 'unknown members of a known operation' "$(at call get-item '{"TableName":"t","Key":{"PK":{"S":"a"}},"NewParameter":7}')" \
	'{"Item": {"PK": {"S": "a"}}, "Later": 7}'
gives 2 "http://$made_up has no operation FrobTable: it is gone" at call frob-table
gives 2 "http://$made_up has no operation DescribTable: it is gone: did you mean: itemctl -s http://$made_up call DescribeTable" at call DescribTable
gives 2 'there is no operation "Frob Item"' at call 'Frob Item'
gives 2 'there is no operation' at call $'Frob\r\nX-Evil: 1'
gives 2 'there is no operation' at call "$(printf 'F%.0s' {1..65})"
gives 2 'there is no operation "LoadItems"' at call LoadItems
for option in --capacity --rate=100 --dry-run; do
	gives 2 "itemctl does not know the operation \"FrobItem\": it cannot be used with ${option%=*}" at $option call FrobItem
done
gives 2 'there is no operation "LoadItems"' at --rate 100 call LoadItems

# signed requests
export AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=secret AWS_ENDPOINT_URL_DYNAMODB=$url
eq 'an unknown operation, signed' "$("$ITEMCTL" -s dynamodb:eu-west-1 call FrobItem '{}')" '{"asked": {}, "more": {"a b": "c \" d"}}'
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_ENDPOINT_URL_DYNAMODB

# a local store has no such operation
ok ctl create-table tab --key PK
gives 2 'there is no operation "FrobItem"' ctl call FrobItem

# ---- describe
full=$(at describe full --format jsonl)
eq 'also with --rate' "$(at describe full --format jsonl --rate 100)" "$full"
case $full in *'"NewMember":[1,null,true]'*'"Later":{"Made":"up"}'*) ;; *) fail "full: $full" ;; esac
bare=$(at describe bare --format jsonl)
case $bare in *'"StreamViewType":"NEW_IMAGE"'*) ;; *) fail "bare: $bare" ;; esac
for text in "$full" "$bare" "$(at describe bare --format table)"; do
	case $text in *arn:* | *000000000000* | *WarmThroughput*) fail "invented: $text" ;; esac
	checks=$((checks + 1))
done
table=$(at describe full --format table)
case $table in *billing*'on demand'*class*'infrequent access'*protected*) ;; *) fail "full: $table" ;; esac
table=$(at describe paid --format table)
case $table in *billing*'provisioned, 5 read units, 6 write units'*) ;; *) fail "paid: $table" ;; esac
case $(at describe bare --format table) in *billing*) fail 'a billing mode is invented' ;; esac
at describe full --format json >full.json
ok ctl create-table --from full.json
eq 'the output of describe is accepted' "$(ctl tables --format jsonl | grep -c '"full"')" 1
end_made_up
done_testing
