#!/bin/bash
# import and export: each format, all items, bad lines, order.
# BEHAVIOUR 1.19
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi GSI1=g
ctl -q create-table copy --key PK,SK:N

# Values of all types, names and texts that need quotes.
cat >all.jsonl <<'END'
{"PK":"a","SK":1,"s":"x","n":-1.5,"t":true,"z":null,"l":[1,"b",[]],"m":{"k":{"M":{"S":{"S":"q"}}}},"b":{"B":"aGk="},"ss":{"SS":["x","y"]},"ns":{"NS":[1,2]}}
{"PK":"a","SK":2,"s":"","n":"not a number here","odd,\"name\":N":"a,\"b\"\r\nc"}
{"PK":"a","SK":10,"u":"ä😀","b":{"B":""},"g":"index"}
END
same()
{
	eq "$1" "$(ctl scan copy | jq -cS . | sort)" "$(ctl scan tab | jq -cS . | sort)"
	ctl -q drop copy --yes
	ctl -q create-table copy --key PK,SK:N
}
ok ctl import tab all.jsonl
eq 'import reports what it did' "${err%% in *}/${err##*; }" 'imported 3 items/durable'
eq 'a rate is printed only after half a second' "$(printf '%s\n' "$err" | sed -E -n 's/.* in 0\.[0-4][0-9] s(.*)?; durable/\1/p')" ''
eq 'all items are imported' "$(ctl scan tab | jq -cS .)" "$(jq -cS . all.jsonl)"
for form in jsonl json csv typed; do
	ok ctl export tab "out.$form" --to $form
	eq "export reports what it did ($form)" "$err" $'exported 3 items\na file of items does not contain the table\'s index; to save the definition: itemctl describe tab >tab.table.json; for the whole store: itemctl backup DIR'
	eq "the same on standard output ($form)" "$(ctl -q export tab --to $form | sha256sum)" "$(sha256sum <"out.$form")"
	case $form in
	typed) ok ctl import copy out.typed ;;
	jsonl) ok ctl import copy --from jsonl <out.jsonl ;;
	*) ok ctl import copy "out.$form" ;;
	esac
	same "$form restores everything"
done
for name in n.csv n.json n.jsonl n.csv.gz n.json.gz n.jsonl.gz n.gz n.typed n.typed.gz n.CSV n.Json.GZ n.ndjson; do
	ok ctl export tab $name
	form=${name#n.} form=${form,,} form=${form%.gz}
	[ "$form" != gz ] && [ "$form" != ndjson ] || form=jsonl
	case ${name,,} in
	*.gz) gzip -dc $name | cmp - "out.$form" || fail "$name is not compressed $form" ;;
	*) cmp $name "out.$form" || fail "$name is not $form" ;;
	esac
	ok ctl import copy $name
	same "$name restores everything"
done
ok ctl export tab n.csv --to json
eq '--to takes precedence over the name' "$(cmp n.csv out.json && echo same)" same
ok ctl export tab n.json --format csv
eq '--format takes precedence over the name' "$(cmp n.json out.csv && echo same)" same
eq 'an index' "$(ctl -q export tab --index GSI1)" '{"PK":"a","SK":10,"u":"ä😀","b":{"B":""},"g":"index"}'
jq -c '{Item: .}' out.typed >export.json
ok ctl import copy --from dynamodb-export export.json
same 'the lines of an export of DynamoDB'
ok ctl import copy all.jsonl all.jsonl out.csv
eq 'import of several files' "${err%% in *}" 'imported 9 items'
same 'several files have the same items'
jq -s . all.jsonl >pretty.json
ok ctl import copy pretty.json
same 'an indented array'
jq . all.jsonl | ok ctl import copy --from json
same 'a sequence of indented objects'
eq 'an empty file' "$(ctl import copy /dev/null 2>&1 | sed 's/ in .*//')" 'imported 0 items'
echo '[]' | ok ctl import copy --from json

# ---- order: the last line of a key wins, over many chunks and jobs
seq 1 20000 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":1,\"v\":%d}\n", $1 % 1000, $1 }' >dup.jsonl
for jobs in 1 4; do
	ok ctl import copy dup.jsonl --jobs $jobs
	eq "the last one wins, $jobs jobs" "$(ctl scan copy | jq -s 'map(.v) | [length, min, max]' -c)" '[1000,19001,20000]'
	ctl -q drop copy --yes
	ctl -q create-table copy --key PK,SK:N
done

# ---- bad lines
seq 1 5000 | awk '{ if ($1 == 1234) print "{\"PK\":"; else if ($1 == 2345) print "{\"PK\":\"x\"}";
	else if ($1 == 2346) print "{}"; else printf "{\"PK\":\"k\",\"SK\":%d}\n", $1 }' >bad.jsonl
gives 2 'SerializationException: bad.jsonl:1234: ' ctl import copy bad.jsonl
eq 'stop: all lines before it are imported, none after it' "$(ctl scan copy --count)" 1233
eq 'and their number is reported' "$(printf '%s\n' "$err" | sed -n 's/^\(imported [0-9,]* items\).*/\1/p')" 'imported 1,233 items'
gives 2 'bad.jsonl:1234: SerializationException: ' ctl import copy bad.jsonl --on-error skip
eq 'skip: all other lines are imported' "$(ctl scan copy --count)" 4997
eq 'each is reported' "$(printf '%s\n' "$err" | grep -o '^bad.jsonl:[0-9]*: [A-Za-z]*Exception')" \
	$'bad.jsonl:1234: SerializationException\nbad.jsonl:2345: ValidationException\nbad.jsonl:2346: ValidationException'
eq 'and their number is printed' "$(printf '%s\n' "$err" | tail -2 | sed 's/ in .*//')" $'imported 4,997 items\n3 lines rejected'
sed -i 1234d bad.jsonl
ctl -q drop copy --yes
ctl -q create-table copy --key PK,SK:N
gives 2 'ValidationException: bad.jsonl:2344: ' ctl import copy bad.jsonl
eq 'stop at an item that the store refuses' "$(ctl scan copy --count)" 2343
printf '{"PK":"a","SK":1}\n{"PK":"a","SK":1}x\n' | gives 2 'line 2: ' ctl import copy
printf 'PK,SK\na,1\nb,"2\n",3\n' | gives 2 'lines 3-4: ' ctl import copy --from csv
printf 'PK,SK\n"a\nb",1\nb,x\n' | gives 2 'line 4: ' ctl import copy --from csv
printf '[{"PK":"z","SK":1},\n{"PK":"z","SK":2}\n{"PK":"z","SK":3}]' | gives 2 'SerializationException: line 3: ' ctl import copy --from json
eq 'the items before the mistake are imported' "$(ctl query copy z --count)" 2

# ---- quotes that swallow lines
ctl -q drop copy --yes
ctl -q create-table copy --key PK,SK:N
rows()
{
	seq "$1" "$2" | sed "s/.*/r,&,${3-}/"
}
{ echo PK,SK,v; rows 1 2; echo 'r,3,"no end'; rows 4 1002; echo 'r,1003,"x"'; rows 1004 1005; } >quote.csv
gives 2 "quote.csv:4-1004: ValidationException: unexpected 'x' after a quoted cell" ctl import copy quote.csv --on-error skip
eq 'all lines that an open quote swallows are counted' "$(printf '%s\n' "$err" | tail -2 | sed 's/ in .*//')" $'imported 4 items\n1,001 lines rejected'
eq 'the other lines are imported' "$(ctl query copy r --project SK | jq -c .SK | tr '\n' ' ')" '1 2 1004 1005 '
gives 2 'ValidationException: quote.csv:4-1004: ' ctl import copy quote.csv
{ echo PK,SK,v; echo 's,1,5" pipe'; echo 's,2,"6"" pipe"'; } | ok ctl import copy --from csv
eq 'a quote inside a cell is text' "$(ctl query copy s --project v | jq -r .v)" $'5" pipe\n6" pipe'
{ echo PK,SK,v; echo 't,1,"no end'; rows 1 30000 "$(printf %0600d 0)"; } >far.csv
gives 2 'far.csv:2: ValidationException: an item of over 16 MiB' ctl import copy far.csv --on-error skip
eq 'after 16 MiB no line is swallowed' "$(printf '%s\n' "$err" | tail -2 | sed 's/ in .*//')" $'imported 30,000 items\n1 line rejected'
{ echo '{"PK":"u","SK":1}'; head -c 17000000 /dev/zero | tr '\0' x; echo; echo '{"PK":"u","SK":3}'; head -c 17000000 /dev/zero | tr '\0' ' '; } >far.jsonl
gives 2 'far.jsonl:4: ValidationException: an item of over 16 MiB' ctl import copy far.jsonl --on-error skip
eq 'nor in JSON Lines' "$(printf '%s\n' "$err" | sed 's/ in .*//')" 'far.jsonl:2: ValidationException: an item of over 16 MiB
far.jsonl:4: ValidationException: an item of over 16 MiB
imported 2 items
2 lines rejected'
gives 2 'itemctl: far.jsonl:2: an item of over 16 MiB' ctl import copy far.jsonl
{ echo '['; head -c 17000000 /dev/zero | tr '\0' '{'; echo ']'; } | gives 2 'line 2: an item of over 16 MiB' ctl import copy --from json --on-error skip

# ---- refused
gives 3 'ResourceNotFoundException' ctl import none all.jsonl
gives 3 'ResourceNotFoundException' ctl export none
gives 2 'No such file' ctl import copy none.jsonl
gives 2 '--from must be' ctl import copy --from xml all.jsonl
gives 2 '--on-error must be' ctl import copy --on-error retry all.jsonl
mkdir folder
gives 2 'folder: Is a directory' ctl export tab folder
gives 2 'folder: no manifest-summary.json in it' ctl import tab folder
gives 2 '--to must be' ctl export tab --to xml
gives 70 'No space left' ctl export tab /dev/full
gives 2 '' ctl export tab folder/none/file
ok ctl export tab kept.jsonl
cp kept.jsonl before
gives 3 '' ctl export tab kept.jsonl --index NONE
eq 'a failed export keeps the file' "$(cat kept.jsonl)$(ls kept.jsonl*)" "$(cat before)kept.jsonl"

# ---- a CSV result that is too large for memory; rows before the last new column, or type of values, are written
# again
seq 1 9000 | awk '{ printf "{\"PK\":\"w\",\"SK\":%d,\"t\":%s%s}\n", $1, $1 == 8000 ? 5 : sprintf("\"%d \\\"%0100d\\\",\\n\"", $1, $1),
	$1 == 8500 ? ",\"late\":true" : ($1 > 8600) ? ",\"late\":\"text\",\"e\":\"\"" : "" }' >large.jsonl
ctl -q drop copy --yes
ctl -q create-table copy --key PK,SK:N
ctl -q import copy large.jsonl
ctl query copy w --format csv >large.csv
eq 'the header has all columns' "$(head -1 large.csv)" 'PK,SK:N,t:JSON,late:JSON,e'
eq 'the first row' "$(sed -n 2p large.csv)" "w,1,\"\"\"1 \\\"\"$(printf %0100d 1)\\\"\",\\n\"\"\",,"
eq 'late columns are there' "$(sed -n '8501p;$p' large.csv | rev | cut -d, -f1-2 | rev)" $'true,\n"""text""",""'
eq 'all rows are there' "$(wc -l <large.csv)" 9001
ctl -q drop copy --yes
ctl -q create-table copy --key PK,SK:N
ctl -q import copy large.csv
eq 'everything is restored' "$(ctl query copy w | sha256sum)" "$(sha256sum <large.jsonl)"
# ---- CSV for a spreadsheet
ctl -q create-table sheet --key PK,SK:N
ctl put sheet '{"PK":"=1+1","SK":-5,"@h":"@x","m":"-1"}' '{"PK":"b","SK":2,"@h":"\tt","m":-1}' '{"PK":"'"'"'c","SK":1,"m":[1]}'
safe=$(ctl -q export sheet --to csv --safe | sort)
eq 'formulas get an apostrophe, numbers do not' "$safe" "$(printf '%s\n' "'c,1,[1]," "'=1+1,-5,\"\"\"-1\"\"\",'@x" $'b,2,-1,\'\tt' "PK,SK:N,m:JSON,'@h" | sort)"
ctl -q create-table signs --key PK:N,SK:N
n=0
for first in = + - @ '\t' '\r' '\n' ＝ ＋ － ＠ ，; do
	n=$((n + 1))
	ctl put signs "{\"PK\":0,\"SK\":$n,\"t\":\"${first}SUM(1)\"}"
done
eq 'each character that begins a formula, also full-width ones and line ends, and no others' "$(ctl -q export signs --to csv --safe | tr '\n' '~')" \
	$'PK:N,SK:N,t~0,1,\'=SUM(1)~0,2,\'+SUM(1)~0,3,\'-SUM(1)~0,4,\'@SUM(1)~0,5,\'\tSUM(1)~0,6,"\'\rSUM(1)"~0,7,"\'~SUM(1)"~0,8,\'＝SUM(1)~0,9,\'＋SUM(1)~0,10,\'－SUM(1)~0,11,\'＠SUM(1)~0,12,，SUM(1)~'
eq 'without --safe there are no apostrophes' "$(ctl export sheet --to csv | grep -c "'[=@]")" 0
gives 2 '--safe is for one file of CSV' ctl export sheet --safe
gives 2 '--safe is for one file of CSV' ctl export sheet folder --split-by PK --to csv --safe

done_testing
