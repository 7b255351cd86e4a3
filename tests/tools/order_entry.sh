#!/bin/bash
# The order-entry example: sample data, converter, generator, and the fourteen access patterns from the command line.
example=$(readlink -f "$(dirname "$0")/../../tools/examples/order-entry")
expected=$(readlink -f "$(dirname "$0")/order-entry.expected.jsonl")
GENERATE=$(readlink -f "${GENERATE:-$(dirname "$0")/../../build/tools/examples/generate}")
relational=${ITEMFS_RELATIONAL:-$(dirname "$0")/../../../shared/data/order-entry-relational.json}
relational=$(readlink -m "$relational")
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table --from "$example/table.json"
ok ctl import hroe "$example/items.jsonl"
eq 'all sample data is there' "$(ctl scan hroe --count)" 108

keys()
{
	ctl query hroe "$@" | jq -r '"\(.PK)/\(.SK)"' | tr '\n' ' '
}

# ---- the fourteen patterns
eq '1 an employee' "$(keys HR-EMPLOYEE1 | wc -w)" 9
eq '2 by name' "$(keys 'John Smith' --index GSI1)" 'HR-EMPLOYEE1/John Smith HR-EMPLOYEE7/John Smith '
eq '3 current job' "$(keys HR-EMPLOYEE1 --begins-with J-)" 'HR-EMPLOYEE1/J-AM3 '
eq '4 orders of a customer' "$(for status in OPEN PENDING SHIPPED; do
	keys CUSTOMER1 --index GSI1 --between "$status#2018-08-01" "$status#2018-08-31"
done)" 'OE-ORDER1/CUSTOMER1 OE-ORDER2/CUSTOMER1 OE-ORDER3/CUSTOMER1 '
open='OE-ORDER1/CUSTOMER1 OE-ORDER1/PRODUCT1 OE-ORDER1/PRODUCT2 OE-ORDER5/CUSTOMER2 OE-ORDER5/PRODUCT1 OE-ORDER5/PRODUCT3 OE-ORDER2/CUSTOMER1 OE-ORDER2/PRODUCT3 '
august=(--index GSI2 --shards 0..14 --between 'OPEN#2018-08-01' 'OPEN#2018-08-31')
eq '5 open orders over the shards' "$(keys "${august[@]}")" "$open"
eq '5 the number of them' "$(ctl query hroe "${august[@]}" --count)" 8
eq '5 the latest of them' "$(keys "${august[@]}" --reverse --limit 1)" 'OE-ORDER2/PRODUCT3 '
eq '6 hired recently' "$(keys HR-CONFIDENTIAL --index GSI1 --gt 2018-07-01)" 'HR-EMPLOYEE3/HR-CONFIDENTIAL HR-EMPLOYEE5/HR-CONFIDENTIAL '
eq '7 employees of a warehouse' "$(keys WAREHOUSE1 --index GSI1)" 'HR-EMPLOYEE4/WAREHOUSE1 HR-EMPLOYEE5/WAREHOUSE1 '
eq '8 order items of a product' "$(keys PRODUCT1 --index GSI1)" \
	'OE-ORDER9/PRODUCT1 OE-ORDER1/PRODUCT1 OE-ORDER5/PRODUCT1 OE-PRODUCT1/PRODUCT1 OE-ORDER10/PRODUCT1 OE-ORDER4/PRODUCT1 OE-ORDER7/PRODUCT1 '
eq '9 customers of a rep' "$(keys EMPLOYEE1 --index GSI1 --filter 'begins_with(PK, "OE-CUSTOMER")')" 'OE-CUSTOMER1/EMPLOYEE1 OE-CUSTOMER2/EMPLOYEE1 '
eq '10 orders of a rep' "$(keys EMPLOYEE1 --index GSI1 --between 'OPEN#2018-08-01' 'OPEN#2018-08-31')" \
	'OE-ORDER1/EMPLOYEE1 OE-ORDER5/EMPLOYEE1 OE-ORDER2/EMPLOYEE1 '
eq '11 by job' "$(keys J-AM1 --index GSI1)" 'HR-EMPLOYEE3/J-AM1 '
eq '12 inventory of a warehouse' "$(ctl get hroe OE-PRODUCT1 WAREHOUSE1 | jq .QuantityOnHand)" 500
eq '13 total inventory' "$(ctl get hroe OE-PRODUCT1 PRODUCT1 | jq .TotalOnHand)" 800
eq '14 reps by total' "$(keys 2018-Q3 --index GSI1 --reverse)" 'HR-EMPLOYEE3/2018-Q3 HR-EMPLOYEE1/2018-Q3 HR-EMPLOYEE6/2018-Q3 '

# ---- the converter with the project's own relational data
jq -c -f "$example/convert.jq" "$example/relational-sample.json" >converted.jsonl
eq 'the output of the converter is unchanged' "$(cat converted.jsonl)" "$(cat "$expected")"
eq 'each item has a unique key' "$(jq -r '[.PK, .SK] | @json' converted.jsonl | sort | uniq -d)" ''
ctl -q drop hroe --yes
ctl -q create-table --from "$example/table.json"
ok ctl import hroe converted.jsonl
eq 'a person is one employee, with both jobs' "$(keys HR-EMPLOYEE1 --begins-with J)" 'HR-EMPLOYEE1/J-1 HR-EMPLOYEE1/JH-0 '
eq 'two lines for one product are one item' "$(ctl get hroe OE-ORDER0 PRODUCT1 | jq -c '[.OrderQuantity, (.Lines | length)]')" '[100,2]'
eq 'the employees of a warehouse' "$(keys WAREHOUSE0 --index GSI1)" 'HR-EMPLOYEE2/WAREHOUSE0 '
ok ctl check

# ---- and with real relational data, if available
if [ -f "$relational" ]; then
	jq -c -f "$example/convert.jq" "$relational" >real.jsonl
	ctl -q drop hroe --yes
	ctl -q create-table --from "$example/table.json"
	ok ctl import hroe real.jsonl
	eq 'all items are imported' "$(ctl scan hroe --count)" "$(wc -l <real.jsonl)"
	eq 'ten entity types' "$(jq -r '.PK | gsub("[0-9]+$"; "")' real.jsonl | sort -u | wc -l)" 10
	eq 'as many order items as distinct lines' "$(jq -r 'select(.PK[0:8] == "OE-ORDER" and .SK[0:7] == "PRODUCT") | .PK' real.jsonl | wc -l)" \
		"$(jq -r '.Order_Items[] | "\(.Order_ID) \(.Product_ID)"' "$relational" | sort -u | wc -l)"
	eq 'the open orders are in the shards' \
		"$(ctl query hroe --index GSI2 --shards 0..14 --begins-with 'OPEN#' --filter 'begins_with(SK, "CUSTOMER")' --count)" \
		"$(jq '[.Order[] | select(.Order_Status == "OPEN")] | length' "$relational")"
	eq 'the totals of a quarter' "$(ctl query hroe 2019-Q4 --index GSI1 --count)" \
		"$(jq -r 'select(.SK == "2019-Q4") | .PK' real.jsonl | wc -l)"
	eq 'export gives the imported items' "$(ctl export hroe | jq -cS . | sort)" "$(jq -cS . real.jsonl | sort)"
	ok ctl check
else
	echo "skipped: no relational data at $relational (ITEMFS_RELATIONAL names it)"
fi

# ---- the generator
"$GENERATE" 2000 >a.jsonl
"$GENERATE" 2000 >b.jsonl
"$GENERATE" 2000 2 >c.jsonl
eq 'four items an order' "$(wc -l <a.jsonl)" 8000
eq 'the output is reproducible' "$(cmp a.jsonl b.jsonl && echo same)" same
eq 'another seed gives other orders' "$(cmp -s a.jsonl c.jsonl || echo other)" other
share=$(($(grep -c 'OPEN#.*OrderTotal' a.jsonl) * 100 / 2000))
eq 'about one in five is open' "$((share >= 17 && share <= 23))" 1
eq 'buckets are 0 to 14' "$(jq .GSI2_PK a.jsonl | sort -nu | tr '\n' ' ')" '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 '
gives 2 usage "$GENERATE" 3000001
gives 2 usage "$GENERATE" x
ctl -q drop hroe --yes
ctl -q create-table --from "$example/table.json"
ok ctl import hroe a.jsonl
eq 'each key is unique' "$(ctl scan hroe --count)" 8000
done_testing
