#!/bin/bash
# shapes: the kinds of items in the examples, in large tables and in unusual ones.
. "$(dirname "$0")/lib.sh"
begin

# kinds TABLE [OPTION...] - print a line for each kind, sorted: items, name, keys
kinds()
{
	ctl -q shapes "$@" --format jsonl | jq -r '"\(.Items) \(.Kind // "")\t\(.PartitionKey)\t\(.SortKey // "")"' | sed 's/ \t/ /; s/\t$//; s/\t/ | /g' | LC_ALL=C sort -k2
}

# example NAME EXPECTED - check the kinds of an example's table
example()
{
	local table
	table=$(jq -r .TableName "$SOURCE/tools/examples/$1/table.json")
	ok ctl -q create-table --from "$SOURCE/tools/examples/$1/table.json" --if-not-exists
	ok ctl -q import "$table" "$SOURCE/tools/examples/$1/items.jsonl"
	eq "the kinds of $1" "$(kinds "$table")" "$2"
	ok ctl -q --yes drop "$table"
}

# ---- the examples
example e-commerce '3 CUSTOMER#<id> | #ORDER#<id>
2 CUSTOMER#<id> | CUSTOMER#<id>
2 CUSTOMEREMAIL#<email> | CUSTOMEREMAIL#<email>
2 ORDER#<ksuid>#ITEM#<id> | ORDER#<ksuid>#ITEM#<id>'
example big-time-deals '3 BRAND#<id> | BRAND#<id>
1 BRANDLIKE#<id>#<id> | BRANDLIKE#<id>#<id>
1 BRANDS | BRANDS
2 BRANDWATCH#<id> | USER#<id>
3 CATEGORY#<text> | CATEGORY#<text>
1 CATEGORYLIKE#<id>#<id> | CATEGORYLIKE#<id>#<id>
2 CATEGORYWATCH#<id> | USER#<id>
3 DEAL#<ksuid> | DEAL#<ksuid>
10 DEALSCACHE#<n> | DEALSCACHE#<n>
1 EDITORSCHOICE | EDITORSCHOICE
1 FRONTPAGE | FRONTPAGE
4 MESSAGE#<id> | MESSAGE#<date>
3 USER#<id> | USER#<id>'
example github '1 ACCOUNT MEMBERSHIP | ACCOUNT#<id> | MEMBERSHIP#<id>
2 ISSUECOMMENT | ISSUECOMMENT#<id>#<id>#<n> | ISSUECOMMENT#<ksuid>
1 ISSUEREACTION | ISSUEREACTION#<id>#<id>#<n>#<id> | ISSUEREACTION#<id>#<id>#<n>#<id>
1 Organization | ACCOUNT#<id> | ACCOUNT#<id>
2 PR | PR#<id>#<id>#<n> | PR#<id>#<id>#<n>
1 PRCOMMENT | PRCOMMENT#<id>#<id>#<n> | PRCOMMENT#<ksuid>
3 REPO ISSUE | REPO#<id>#<id> | ISSUE#<n>
2 REPO STAR | REPO#<id>#<id> | STAR#<id>
6 REPO | REPO#<id>#<id> | REPO#<id>#<id>
2 User | ACCOUNT#<id> | ACCOUNT#<id>'
example migrations '1 Organization | ORG#<id> | ORG#<id>
1 Post | POST#<n> | POST#<n>
2 Ticket | TICKET#<n> | TICKET#<n>
2 User | ORG#<id> | USER#<id>'
example one-to-many '3 AUTHOR#<text> | BOOK#<text>
1 CUSTOMER#<id> | CUSTOMER#<id>
1 ORG#<id> | METADATA#<id>
2 ORG#<id> | USER#<id>
3 STORES#<id> | <id>#<id>#<n>
2 TICKET#<id> | TICKET#<id>'
example many-to-many '1 ACTOR#<id> | ACTOR#<id>
2 CLASS#<id> | SEMESTER#<id>
3 MOVIE#<id> | ACTOR#<id>
2 MOVIE#<id> | MOVIE#<id>
2 NODE#<n> | DATE|<date>|MARRIED
2 NODE#<n> | JOB|<id>|<text>
2 NODE#<n> | PERSON|<n>
1 STUDENT#<id> | STUDENT#<id>
2 USER#<id> | FOLLOWING#<id>
3 USER#<id> | USER#<id>'
example order-entry '2 HR-COUNTRY<n> | <text>
2 HR-DEPARTMENT<n> | <text>
6 HR-EMPLOYEE<n> | <date>
4 HR-EMPLOYEE<n> | <id>|<id>
7 HR-EMPLOYEE<n> | <text>
7 HR-EMPLOYEE<n> | HR-CONFIDENTIAL
7 HR-EMPLOYEE<n> | J-<id>
4 HR-EMPLOYEE<n> | JH-<id>
3 HR-EMPLOYEE<n> | WAREHOUSE<n>
6 HR-JOB<n> | <text>
3 HR-LOCATION<n> | <text>
2 HR-REGION<n> | <id>
4 OE-CUSTOMER<n> | EMPLOYEE<n>
11 OE-ORDER<n> | CUSTOMER<n>
11 OE-ORDER<n> | EMPLOYEE<n>
13 OE-ORDER<n> | PRODUCT<n>
3 OE-PRODUCT<n> | <text>
1 OE-PRODUCT<n> | PNW
3 OE-PRODUCT<n> | PRODUCT<n>
6 OE-PRODUCT<n> | WAREHOUSE<n>
3 OE-WAREHOUSE<n> | <id>'
example session-store '4 <uuid>'
example sharding '24 O-<n>'
example singletons '3 JOB#<id> | JOB#<id>
1 JOBS | JOBS'
example uniqueness '2 USER#<id> | USER#<id>
2 USEREMAIL#<email> | USEREMAIL#<email>'
example sequential-ids '2 PROJECT#<id> | ISSUE#<n>
2 PROJECT#<id> | PROJECT#<id>'

# ---- output
ok ctl -q create-table shop --key PK,SK --gsi 'ByStatus=Status,SK' --gsi 'Names=Name/KEYS_ONLY'
printf '%s\n' '{"PK":"C#1","SK":"C#1","Name":"Ann","Age":7}' '{"PK":"C#2","SK":"C#2","Name":"Bob","Age":"old"}' \
	'{"PK":"C#1","SK":"O#2024-01-02","Status":"OPEN"}' '{"PK":"C#1","SK":"O#2024-01-03","Status":"PAID","Note":null}' '{"PK":"C#2","SK":"O#2024-05-03"}' | ok ctl -q import shop
ok ctl shapes shop --format json
eq 'all members of a kind' "$(jq -c '.[]' <<<"$out")" '{"PartitionKey":"C#<n>","SortKey":"O#<date>","Items":3,"Attributes":[{"Name":"Status","Type":"S","Items":2},{"Name":"Note","Type":"NULL","Items":1}],"Indexes":[{"Name":"ByStatus","Items":2}],"Example":{"PK":"C#1","SK":"O#2024-01-02","Status":"OPEN"}}
{"PartitionKey":"C#<n>","SortKey":"C#<n>","Items":2,"Attributes":[{"Name":"Age","Type":"S","Items":1},{"Name":"Age","Type":"N","Items":1},{"Name":"Name","Type":"S","Items":2}],"Indexes":[{"Name":"Names","Items":2}],"Example":{"PK":"C#1","SK":"C#1","Name":"Ann","Age":7}}'
eq 'and a note with the number of items' "$err" '2 kinds of 5 items'
ok ctl -q shapes shop --format csv
eq 'kinds as CSV' "$out" 'PartitionKey,SortKey,Items,Attributes,Indexes,Example
C#<n>,O#<date>,3,Status S 66%; Note NULL 33%,ByStatus 66%,C#1 O#2024-01-02
C#<n>,C#<n>,2,"Age S 50%, N 50%; Name S",Names,C#1 C#1'
eq 'kinds by the keys of an index' "$(kinds shop --index ByStatus)" '1 OPEN | O#<date>
1 PAID | O#<date>'
eq 'an index without other attributes' "$(ctl -q shapes shop --index Names --format jsonl | jq -c '[.PartitionKey, .Items, .Indexes, .Example.Age]')" '["<id>",2,null,7]'
ok ctl -q create-table empty --key Id
ok ctl shapes empty --format json
eq 'an empty table has no kinds' "$out|$err" '[]|0 kinds of 0 items'

ok ctl -q create-table both --key id --gsi 'Both=a+b,c'
ok ctl -q put both '{"id":"1","a":"X#7","b":"y","c":"2024-01-02"}'
eq 'a key of several attributes' "$(kinds both --index Both)" '1 X#<n> + <id> | <date>'

# ---- unusual keys
ok ctl -q create-table odd --key K
printf '{"K":"%s"}\n' ULID#01ARZ3NDEKTSV4RRFFQ69G5FAV KSUID#1VrgXBQ0VCshuQUnh1HrDIHQNWY HASH#d41d8cd98f00b204e9800998ecf8427e \
	TIME#1700000000 TIMES#1700000000123 MAIL#a@b.org URL#https://x.org/a/b?c UUID#0bc6bdf8-6dac-4212-b11a-81f784297c78 \
	DAY#2024-01-02 WHEN#2024-01-02T10:11:12.5+01:00 WEEK#2024-W05 NODATE#2024-13 NODATE#2024-00-12 tenant#acme#user#42 '##' X# '#' 'A||B' |
	ok ctl -q import odd
eq 'recognized types of values in keys' "$(kinds odd | cut -d' ' -f2- | tr '\n' ' ')" '# ## A||<id> DAY#<date> HASH#<hash> KSUID#<ksuid> MAIL#<email> NODATE#<id> TIME#<timestamp> TIMES#<timestamp> ULID#<ulid> URL#<url> UUID#<uuid> WEEK#<date> WHEN#<date> X# tenant#<id>#<id>#<n> '
ok ctl -q create-table ids --key K:N,T:N
seq 20 | jq -c '{K: ., T: (1700000000 + .)}' | ok ctl -q import ids
eq 'numbers and times' "$(kinds ids)" '20 <n> | <timestamp>'
ok ctl -q create-table bytes --key K:B
ok ctl -q put bytes '{"K":{"B":"AP8="}}'
eq 'binary keys' "$(kinds bytes)" '1 <binary>'
ok ctl -q shapes bytes --format csv
eq 'an example of a binary key is base64' "$(tail -n 1 <<<"$out")" '<binary>,1,"",AP8='
ok ctl -q create-table lower --key PK,SK
for i in 1 2 3 4 5 6 7 8 9; do
	printf '{"PK":"user#u%s","SK":"profile","Name":"n"}\n{"PK":"user#u%s","SK":"order#%s","Total":1}\n{"PK":"user#u%s","SK":"cart#item%s","N":1}\n' $i $i $i $i $i
done | ok ctl -q import lower
eq 'a word that each partition has is fixed, in lower case, too' "$(kinds lower)" '9 user#<id> | cart#<id>
9 user#<id> | order#<n>
9 user#<id> | profile'
ok ctl -q create-table tickers --key Symbol
printf '{"Symbol":"%s","Price":1,"Name":"x"}\n' AAPL MSFT IBM GOOG | ok ctl -q import tickers
eq 'upper-case values are not kinds' "$(kinds tickers)" '4 <id>'

# ---- hostile names, wide and large items, mistakes
ok ctl -q create-table wild --key PK
jq -cn '{PK: "<b>\u001b[31m#\u202e", "\u001b[2Jname": 1}' | ok ctl -q import wild
ok ctl -q shapes wild --format table
eq 'no control characters are printed' "$(grep -c $'\e' <<<"$out$err")" 0
jq -cn '{PK: "wide"} + ([range(10000) | {key: "a\(.)", value: 1}] | from_entries)' | ok ctl -q import wild
ok ctl -q shapes wild --format jsonl
eq 'the number of many attributes is limited and counted' "$(jq -c 'select(.Attributes | length > 9) | [(.Attributes | length), .AttributesLeftOut]' <<<"$out")" '[200,9800]'
ok ctl -q --yes delete wild wide
jq -cn '{PK: "large", Text: ("x" * 390000)}' | ok ctl -q import wild
eq 'a large example is reduced to its key' "$(ctl -q shapes wild --format jsonl | jq -c 'select(.Attributes[].Name == "Text") | .Example')" '{"PK":"large"}'
gives 3 'absent' ctl shapes absent
gives 3 'shapes shop --index ByStatus' ctl shapes shop --index ByStatu
gives 2 '--sample needs 1 to 200000 items' ctl shapes shop --sample 0
gives 2 '--sample needs 1 to 200000 items' ctl shapes shop --sample 200001
gives 2 'the name of the table is empty' ctl shapes ''
gives 2 '--index needs TABLE: itemctl shapes TABLE --index ByStatus' ctl shapes --index ByStatus

# ---- all tables, and short output in a pipe
ok ctl shapes
eq 'each table is named' "$(sed 1d <<<"$out" | cut -f1 | sort -u | paste -sd' ')" "$(ctl tables | jq -r 'select(.Items > 0) | .TableName' | sort | paste -sd' ')"
eq 'notes name the table, too' "$(grep -c '^shop: 2 kinds of 5 items$' <<<"$err")" 1
ok ctl -q shapes shop
eq 'one line per kind, with a header' "$out" $'PartitionKey\tSortKey\tItems\tAttributes\tIndexes\tExample
C#<n>\tO#<date>\t3\tStatus S 66%; Note NULL 33%\tByStatus 66%\tC#1 O#2024-01-02
C#<n>\tC#<n>\t2\tAge S 50%, N 50%; Name S\tNames\tC#1 C#1'

# ---- a large table
ok ctl -q create-table large --key PK,SK --gsi ByDay=Day,SK
{
	seq -f 'C%05.0f' 6000 | jq -Rc '{PK: "CUSTOMER#\(.)", SK: "CUSTOMER#\(.)", Name: .}, {PK: "CUSTOMER#\(.)", SK: "ORDER#2024-01-02", Day: "2024-01-02"}'
	seq 12000 | jq -c '{PK: "LOG", SK: "ENTRY#\(. + 100000)", Line: .}'
	printf '%s\n' '{"PK":"LOG","SK":"SUMMARY","Lines":12000}' '{"PK":"ZONE#1","SK":"ZONE#1","Last":true}'
} | ok ctl -q import large
ok ctl shapes large --sample 2000
eq 'the note has the size of the sample' "$err" '5 kinds, from a sample of 2,000 of about 24,002 items'
eq 'the sample has all kinds, including those at the ends of a long partition' "$(kinds large --sample 2000 | cut -d' ' -f2-)" 'CUSTOMER#<id> | CUSTOMER#<id>
CUSTOMER#<id> | ORDER#<date>
LOG | ENTRY#<n>
LOG | SUMMARY
ZONE#<n> | ZONE#<n>'
ok ctl shapes large --sample 100k
eq 'a whole table without a sample' "$err" '5 kinds of 24,002 items'
ok ctl -q shapes large --sample 1000 --index ByDay --format jsonl
eq 'a sample of an index with one partition' "$(jq -c '[.PartitionKey, .SortKey, .Items]' <<<"$out")" '["<date>","ORDER#<date>",1000]'

# ---- a server: like a store where its keys are sorted, otherwise pages of segments
if [ -z "${SERVED-}" ]; then
	begin_server --listen 127.0.0.1:0
	ok "$ITEMCTL" -s "http://$(address log)" shapes large --sample 2000
	eq 'sorted keys' "$err" '5 kinds, from a sample of 2,000 of about 24,002 items'
	ok "$ITEMCTL" -s "http://$(address log)" shapes large --sample 1000 --index ByDay
	eq 'segments: one of them has the only collection' "$err" '1 kind, from a sample of 100 of about 6,000 items'
	end_server
fi

# ---- kinds in a picture
ok ctl draw large --format text
eq 'a picture of a large table has partitions of each kind' "$(sed -n '/^Table/,/^$/p' <<<"$out" | sed 's/  .*=.*//' | grep '^  [^ ]' | tr -d ' ' | tr '\n' ' ')" 'CUSTOMER#C00001 CUSTOMER#C00002 LOG ZONE#1 '
eq 'and the end of a long partition' "$(grep -c SUMMARY <<<"$out")" 1
eq 'and reports that it is an excerpt' "$(head -n 1 <<<"$err")" 'Table large: 16 items in 4 collections: an excerpt of about 24,002 items, one or two collections of each of 5 kinds; --partition draws others'

# ---- a kind gets a name even if some items have none, from the other items or the key
ok ctl -q create-table names --key PK,SK
jq -cn 'range(6) | {PK: "CUSTOMER#\(.)", SK: "PROFILE", Name: "x"} + if . > 0 then {Type: "Customer"} else {} end' | ok ctl -q import names
eq 'five of six items have the type Customer' "$(kinds names)" '6 Customer | CUSTOMER#<n> | PROFILE'
jq -cn '(range(6) | {PK: "CUSTOMER#\(.)", SK: "PROFILE", Name: "x"} + if . > 3 then {Type: "Customer"} else {Type: null} end), {PK: "P#1", SK: "P#1", Type: "Part"}' | ok ctl -q import names
eq 'two of six items have no type, but the key has words' "$(kinds names)" '6 CUSTOMER PROFILE | CUSTOMER#<n> | PROFILE
1 Part | P#<n> | P#<n>'
done_testing
