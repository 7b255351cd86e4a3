#!/bin/bash
# Input of import is used to its last byte, or refused: pages of responses, requests, items that look like them, and
# text after them.
. "$(dirname "$0")/lib.sh"
begin
rows()
{
	ctl scan tab | sort
}
item()
{
	echo '{"PK":{"S":"'"$1"'"},"SK":{"S":"1"}}'
}
a=$(item a) b=$(item b)
both=$'{"PK":"a","SK":"1"}\n{"PK":"b","SK":"1"}'

# ---- every form of it, alone and followed by another, on one line and on several, with a file name and without

while IFS= read -r first && IFS= read -r second; do
	for text in "$first"$'\n'"$second" "$(jq . <<<"$first")"$'\n'"$(jq . <<<"$second")" "$first $second" "[$first,$second]"; do
		for name in pages.json pages.jsonl pages; do
			case "$name $text" in pages.json' '* | pages' ['* | *$'\n'*) ;; *) continue ;; esac # these are not JSON Lines
			echo "$text" >$name
			fresh PK,SK
			ok ctl import tab $name
			eq "$name: $text" "$(rows)" "$both"
		done
	done
done <<END
{"Items":[$a],"Count":1}
{"Items":[$b],"Count":1}
{"Count":1,"ScannedCount":7,"Items":[$a],"LastEvaluatedKey":{"PK":{"S":"a"}}}
{"Count":1,"ConsumedCapacity":null,"Items":[$b]}
{"\$metadata":{"attempts":1},"Items":[{"PK":"a","SK":"1"}],"Count":1}
{"ResponseMetadata":{"RetryAttempts":0},"Items":[{"PK":"b","SK":"1"}]}
{"tab":[{"PutRequest":{"Item":$a}}]}
{"tab":[{"PutRequest":{"Item":$b}}]}
{"RequestItems":{"tab":[{"PutRequest":{"Item":$a}}]}}
{"UnprocessedItems":{"tab":[{"PutRequest":{"Item":$b}}]},"ConsumedCapacity":[]}
{"Responses":{"tab":[$a]},"UnprocessedKeys":{}}
{"Responses":[{"Item":$b},{}]}
{"Item":$a}
{"TableName":"tab","Item":$b,"ReturnConsumedCapacity":"NONE"}
{"PutRequest":{"Item":$a}}
{"PK":"b","SK":"1"}
END
fresh PK,SK
echo "{\"Items\":[$a],\"LastEvaluatedKey\":{\"PK\":{\"S\":\"a\"}}}{\"Items\":[$b],\"NextToken\":null}" | ok ctl import tab
case $err in *'is incomplete'*) fail "the last page is reported as incomplete: $err" ;; esac
echo "{\"Items\":[$a]}{\"Items\":[$b],\"NextToken\":\"x\"}" | ok ctl import tab
case $err in *'is incomplete'*) ;; *) fail "further pages are not reported: $err" ;; esac

printf '%s\n' "{\"Responses\":{\"tab\":[$a]},\"UnprocessedKeys\":{\"tab\":{\"Keys\":[$b]}}}" "{\"Responses\":{\"tab\":[$a]}}" | ok ctl import tab
case $err in *'is incomplete: it has UnprocessedKeys'*) ;; *) fail "unread keys are not reported: $err" ;; esac

# ---- items that look like such input

fresh PK,SK
cat >items.jsonl <<'END'
{"Items":[],"PK":"a","SK":"1"}
{"PK":"b","SK":"1"}
{"Count":1,"Items":[{"PK":{"M":{"S":"c"}},"SK":{"M":{"S":"1"}}}],"PK":"c","SK":"1"}
{"Responses":{"tab":[{"PK":"d"}]},"PK":"d","SK":"1"}
{"tab":[{"PutRequest":{"Item":{}}}],"PK":"e","SK":"1"}
{"Item":{"PK":"f"},"PK":"f","SK":"1"}
END
for name in items.jsonl items.json; do
	[ -e $name ] || cp items.jsonl $name
	fresh PK,SK
	ok ctl import tab $name
	eq "$name: items" "$(ctl scan tab | wc -l)" 6
	ok ctl import tab $name
	ctl -q export tab again.jsonl
	fresh PK,SK
	ok ctl import tab again.jsonl
	ctl -q export tab twice.jsonl
	ok cmp again.jsonl twice.jsonl
done

# ---- refusals: with the line, and nothing of the input is in the table

# refuses ROWS - lines "MESSAGE|TEXT" on standard input: check that TEXT is refused with MESSAGE, and that ROWS are in
# the table
refuses()
{
	local message text
	while IFS='|' read -r message text; do
		fresh PK,SK
		printf '%b\n' "$text" >refused.json
		gives 2 "refused.json:$message" ctl import tab refused.json
		eq "after $text" "$(rows)" "$1"
	done
}
refuses '' <<END
1: Count is 2, but there are 1 items|{"Items":[$a],"Count":2}
1: Count is 0, but there are 1 items|{"Count":0,"Items":[$a]}
1: "Items" is given twice|{"Items":[$a],"Items":[$b]}
1: "Count" is given twice|{"Items":[$a],"Count":1,"Count":1}
1: this is for the table other, not for tab|{"other":[{"PutRequest":{"Item":$a}}]}
1: this is for the table other, not for tab|{"RequestItems":{"tab":[{"PutRequest":{"Item":$a}}],"other":[{"PutRequest":{"Item":$a}}]}}
1: this is for the table other, not for tab|{"Responses":{"other":[$a]}}
1: this is for the table other, not for tab|{"TableName":"other","Item":$a}
1: import does not support "ConditionExpression" beside "Item"|{"TableName":"tab","Item":$a,"ConditionExpression":"attribute_not_exists(PK)"}
1: a DeleteRequest is not an item|{"DeleteRequest":{"Key":$a}}
2: a DeleteRequest is not an item|{"tab":[\n{"DeleteRequest":{"Key":$a}}]}
1: unexpected 'x' between items|x{"Items":[$a]}
1: |{"Items":[$a],"Count":1,"other":2}
1: |{"Items":[$a],"Count":"1"}
1: |{"Items":[$a] "Count":1}
1: |{"Items":[$a],"ConsumedCapacity":{1}}
1: |{"Items":[$a
1: |{"Count":5,"ScannedCount":5}
1: not JSON: line 3, column 1: expected a comma or ]|{"Items":[\n$a\n$b]}
1: not JSON: line 2, column 2: expected a value|{"Items":[$a\n,,$b]}
END

# The lines above a bad one are imported, as usual.
refuses '{"PK":"a","SK":"1"}' <<END
1: unexpected 'x' between items|{"Items":[$a]}x
1: unexpected ']' between items|{"Items":[$a]}]
2: |{"Items":[$a]}\n{"Items":[$b],"Count":3}
3: unexpected '{' between items|[\n{"Items":[$a]}\n{"Items":[$b]}]
2: the array's ] is missing|[{"Items":[$a]}
END

# ---- put reads only items, and names the command that reads the rest

for text in "{\"Items\":[$a],\"Count\":1}" "{\"RequestItems\":{\"tab\":[{\"PutRequest\":{\"Item\":$a}}]}}" 'PK,SK'; do
	fresh PK,SK
	echo "$text" | gives 2 'CSV, YAML or compressed files: itemctl import tab' ctl put tab -
	eq "none of $text" "$(rows)" ''
done
printf '%s\n{"x":1}\n' "$a" | gives 2 'line 2: ' ctl put tab -
case $err in *import*) fail "a bad line is taken for another form: $err" ;; esac
# An item that lacks a key attribute is reported as such, with the attribute that may have been meant.
ctl -q create-table odd --key PK,When:N
while IFS='|' read -r text says; do
	gives 2 $'in the item\n'"the key of odd is PK (S) and When (N): itemctl -s $S put odd '$says'" ctl put odd "$text"
	ok ctl put odd "$says"
	echo "$text" | gives 2 "line 1: One or more parameter values were invalid: Missing the key" ctl put odd -
	eq "in a stream: $text" "$(tail -1 <<<"$err")" 'the key of odd is PK (S) and When (N)'
done <<'END'
{"pk":"a","When":1}|{"PK":"a","When":1}
{"PK":"a","when":1}|{"PK":"a","When":1}
{"PK":"a","Whne":1}|{"PK":"a","When":1}
{"x":"a","Count":1}|{"PK":"VALUE","When":0,"x":"a","Count":1}
{}|{"PK":"VALUE","When":0}
END

# ---- input in pieces

# slowly - copy standard input, one byte per write
slowly()
{
	perl -e '$| = 1; while (sysread(STDIN, $b, 1)) { syswrite STDOUT, $b }'
}
while IFS= read -r text; do
	fresh PK,SK
	printf '%b' "$text" | slowly | ok ctl import tab
	eq "a byte at a time: $text" "$(rows)" "$both"
done <<END
{   \n "Items": [$a,\n$b],\n "Count":2}\n
\n\n\n\n[$a,$b]
{"Items":[$a,$b],"Count":2}
PK,SK\na,1\nb,1\n
\xef\xbb\xbfPK;SK\na;1\nb;1\n
---\n- PK: a\n  SK: "1"\n- PK: b\n  SK: "1"\n
$a\n$b
\xff\xfe[\0{\0"\0P\0K\0"\0:\0"\0a\0"\0,\0"\0S\0K\0"\0:\0"\0\x31\0"\0}\0,\0{\0"\0P\0K\0"\0:\0"\0b\0"\0,\0"\0S\0K\0"\0:\0"\0\x31\0"\0}\0]\0
END
ctl -q create-table named --key größe
ok ctl import named <<<'{"Responses":{"x":[1]},"gr\u00f6\u00dfe":"a"}'
eq 'a name with escapes is the key' "$(ctl scan named)" '{"Responses":{"x":[1]},"größe":"a"}'
fresh PK,SK
echo "{\"Items\":[$a],\"Count\":1}" | gzip >members.json.gz
echo "{\"Items\":[$b],\"Count\":1}" | gzip >>members.json.gz
ok ctl import tab members.json.gz
eq 'several members of gzip' "$(rows)" "$both"
printf 'x' >>members.json.gz
gives 2 'members.json.gz:' ctl import tab members.json.gz

# ---- a response of any length: longer than an item can be, of one line or many

long()
{
	jq -nc --argjson n 10000 --argjson count "$1" '{Items: [range($n) | {PK: {S: "k\(. % 100)"}, SK: {S: "\(.)"}, v: {S: ("x" * 2100)}}], Count: $count, ScannedCount: $n}'
}
long 10000 >long.json
eq 'the response is long' "$(($(wc -c <long.json) > 20 * 1024 * 1024))" 1
fresh PK,SK
ok ctl import tab long.json
eq 'all items are imported' "${err%% in *}" 'imported 10,000 items'
cat long.json <(echo "{\"Items\":[$a],\"Count\":1}") | ok ctl import tab
eq 'and those of the following page' "${err%% in *}" 'imported 10,001 items'
jq -c '{RequestItems: {tab: [.Items[] | {PutRequest: {Item: .}}]}, ReturnConsumedCapacity: "NONE"}' long.json | ok ctl import tab
eq 'the same as requests' "${err%% in *}" 'imported 10,000 items'
long 10001 | gives 2 'Count is 10001, but there are 10000 items' ctl import tab
jq -c '.x = 1' long.json | gives 2 'line 1: the end of the answer is wrong' ctl import tab
head -c 20000000 long.json | gives 2 'line 1: ' ctl import tab
{ jq -c '{Items}' long.json | head -c -3 && printf '],"Items":[]}'; } | gives 2 '"Items" is given twice' ctl import tab
jq -nc '{PK: "a", SK: "1", v: ("x" * 20000000)}' | gives 2 'an item of over 16 MiB' ctl import tab

# ---- a line that is too long ends the import, but not like the end of the input

fresh PK,SK
{
	echo '{"PK":"a","SK":"1"}'
	head -c 17000000 /dev/zero | tr '\0' x
	printf '\n{"PK":"b","SK":"1"}\n'
} >lines
gives 2 'line 2: over 16 MiB' ctl put tab - <lines
eq 'the lines above it are imported' "$(rows)" '{"PK":"a","SK":"1"}'
gives 2 'line 2: over 16 MiB' ctl update tab - 'SET v = :v' --values '{":v":1}' <lines
gives 2 'line 2: over 16 MiB' ctl delete tab - --yes <lines
{ echo '{' && head -c 17000000 /dev/zero | tr '\0' '\n'; } | gives 2 'over 16 MiB' ctl put tab -
{ echo tables; cat lines; } | gives 2 'line 3: over 16 MiB' ctl shell

# ---- random tables, whose attributes have the names of members of these forms

tables=$((4 * ${ITEMFS_ROUNDS:-1}))
python3 - $tables <<'END' || fail 'no tables'
import json, random, sys
random.seed(29)
names = ["Items", "Item", "Count", "ScannedCount", "LastEvaluatedKey", "Responses", "RequestItems", "UnprocessedItems", "PutRequest",
         "Key", "TableName", "S", "N", "B", "NULL", "M", "L", "SS", "BOOL", "t0", "a b", "x,y", "#", "-", "[", "{", ""]


def value(depth=0):
    kind = random.choice("SNBTULMXY" if depth < 3 else "SNBTU")
    word = random.choice(names[:-1] + ["", "1", "true", "null", "\n", "\"", "x" * 50])
    if kind == "S":
        return {"S": word}
    if kind == "N":
        return {"N": str(random.choice([0, 1, -5, 3.25, 10 ** 20]))}
    if kind == "B":
        return {"B": random.choice(["", "aGk=", "AAEC/w=="])}
    if kind == "T":
        return {"BOOL": random.choice([True, False])}
    if kind == "U":
        return {"NULL": True}
    if kind == "L":
        return {"L": [value(depth + 1) for _ in range(random.randrange(4))]}
    if kind == "M":
        return {"M": {name: value(depth + 1) for name in random.sample(names[:-1], random.randrange(4))}}
    if kind == "X":
        return {"SS": sorted(random.sample(["a", "b", "Items"], random.randrange(1, 4)))}
    return {"NS": random.choice([["1"], ["1", "2"]])}


for t in range(int(sys.argv[1])):
    pk, sk = random.sample(names[:-1], 2)
    if any(c in pk + sk for c in ",: #-[{"):
        pk, sk = "Items", "S"
    with open(f"table{t}", "w") as out:
        print(f"{pk},{sk}", file=out)
        for i in range(20):
            item = {name: value() for name in random.sample([n for n in names[:-1] if n not in (pk, sk)], random.randrange(6))}
            item[pk] = {"S": random.choice(["a", "Items", "1"])}
            item[sk] = {"S": str(i)}
            members = list(item.items())
            random.shuffle(members)
            print(json.dumps(dict(members)), file=out)
END
same()
{
	"$ITEMCTL" -s "$S" diff tab0 tab1 --summary >/dev/null
}
for ((t = 0; t < tables; t++)); do
	key=$(head -n 1 table$t)
	ctl -q drop tab0 --yes 2>/dev/null
	ctl -q create-table tab0 --key "$key"
	tail -n +2 table$t >typed.jsonl
	ok ctl import tab0 typed.jsonl
	eq "table $t: items" "$(ctl scan tab0 | wc -l)" 20
	for form in jsonl json csv typed yaml export; do
		ctl -q drop tab1 --yes 2>/dev/null
		ctl -q create-table tab1 --key "$key"
		rm -rf out
		case $form in
		export) ok ctl export tab0 out --to dynamodb-export && ok ctl import tab1 out ;;
		yaml) ctl --format yaml scan tab0 >out && ok ctl import tab1 --from yaml out ;;
		*) ok ctl export tab0 out --to $form && ok ctl import tab1 --from "${form/typed/jsonl}" out ;;
		esac
		ok same
		[ "$failures" -lt 5 ] || break 2
	done
done
done_testing
