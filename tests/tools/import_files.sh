#!/bin/bash
# Input of import other than plain files: compressed files, exports of DynamoDB, CSV without types; and hostile files.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N
seq 1 3000 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d,\"v\":\"%d\"}\n", $1 % 7, $1, $1 }' >all.jsonl
sorted()
{
	ctl scan tab | sort | sha256sum
}
ok ctl import tab all.jsonl
want=$(sorted)

# ---- YAML
cat >list.yaml <<'YAML'
# two items
- PK: a
  SK: 1
  tags: [x, 'y', 5, "5", true, ~]
  date: 2024-01-01
  yes: no
  bytes: !!binary aGk=
  map: {k: [1.50, -2e3]}

- {PK: b, SK: 2}
YAML
read -r -d '' listed <<'ROWS'
{"PK":"a","SK":1,"tags":["x","y",5,"5",true,null],"date":"2024-01-01","yes":"no","bytes":{"B":"aGk="},"map":{"k":[1.5,-2000]}}
{"PK":"b","SK":2}
ROWS
for how in 'list.yaml' '--from yaml' ''; do
	fresh
	ok ctl import tab $how <list.yaml
	eq "YAML: $how" "$(ctl scan tab | sort)" "$listed"
done
gzip -k list.yaml
fresh
ok ctl import tab list.yaml.gz
eq 'YAML, compressed' "$(ctl scan tab | sort)" "$listed"
fresh
ok ctl import tab - <<<$'---\nPK: {S: a}\nSK: {N: "1"}\n---\nPK: b\nSK: 2'
eq 'one document per item, also typed' "$(ctl scan tab | sort)" $'{"PK":"a","SK":1}\n{"PK":"b","SK":2}'
fresh
printf 'Count: 1\nItems:\n- PK: {S: a}\n  SK: {N: "1"}\nScannedCount: 1\n' >answer.yml
ok ctl import tab answer.yml
eq 'YAML that the AWS command line prints' "$(ctl scan tab)" '{"PK":"a","SK":1}'
ok ctl export tab out.yaml
eq 'YAML is also an export format' "$(cat out.yaml)" $'- PK: a\n  SK: 1'
ok ctl import tab out.yaml
ctl --format yaml scan tab | ok ctl import tab -
printf -- '- PK: a\n  SK: [\n' >bad.yaml
gives 2 'bad.yaml: not YAML: line 3, column 1' ctl import tab bad.yaml
printf -- '- PK: a\n  SK: 1\n\n- PK: a\n' >bad.yaml
gives 2 'bad.yaml:4: ' ctl import tab bad.yaml
printf -- '- PK: a\n  SK: 1\n- 5\n' >bad.yaml
gives 2 'bad.yaml:3: ' ctl import tab bad.yaml
for tagged in '!Foo x' '!Ref x' '!Sub [x]' '{b: !GetAtt a.b}'; do
	printf -- '- PK: a\n  SK: 1\n- PK: b\n  SK: 2\n  v: %s\n' "$tagged" >bad.yaml
	gives 2 'not YAML of items: line 5: !' ctl import tab bad.yaml
done
printf -- 'PK: nul\nSK: 1\nv: "a\\0b"\n"k\\0l": "!Foo x"\n' >nul.yaml
ok ctl import tab nul.yaml
eq 'a text does not end at NUL' "$(ctl get tab nul 1)" '{"PK":"nul","SK":1,"v":"a\u0000b","k\u0000l":"!Foo x"}'
ok ctl delete tab nul 1
printf -- 'a: &a [*a]' >bad.yaml
gives 2 'nested too deeply, or too large' ctl import tab bad.yaml
{ echo '# much'; head -c 17000000 /dev/zero | tr '\0' '#'; } >big.yaml
gives 2 'a YAML file may have at most 16 MiB; JSON Lines have no limit' ctl import tab big.yaml
rm -f big.yaml
: >empty.yaml
ok ctl import tab empty.yaml
eq 'empty YAML has no items' "${err%% in*}" 'imported 0 items'

# ---- compressed files
fresh
ok ctl import tab all.jsonl
gzip -k all.jsonl
jq -s . all.jsonl | gzip >all.json.gz
{ echo PK,SK,v; jq -r '[.PK, .SK, .v] | @csv' all.jsonl; } | gzip >all.csv.gz
for file in all.jsonl.gz all.json.gz all.csv.gz; do
	fresh
	ok ctl import tab $file
	eq "$file" "$(sorted)" "$want"
done
fresh
ok ctl import tab <all.jsonl.gz
eq 'compressed standard input' "$(sorted)" "$want"
head -1000 all.jsonl | gzip >parts.gz
tail -n +1001 all.jsonl | gzip >>parts.gz
fresh
ok ctl import tab --from jsonl parts.gz
eq 'a file of several compressed parts' "$(sorted)" "$want"
head -c 3000 all.jsonl.gz >short.jsonl.gz
gives 2 'the compressed data is damaged or cut short' ctl import tab short.jsonl.gz
{ head -c 2000 all.jsonl.gz; echo garbage; tail -c +2010 all.jsonl.gz; } >bad.jsonl.gz
gives 2 'bad.jsonl.gz:' ctl import tab bad.jsonl.gz
for cut in 1 500; do
	{ head -1000 all.jsonl | gzip; tail -n +1001 all.jsonl | gzip | head -c $cut; } >short.jsonl.gz
	gives 2 'the compressed data is damaged or cut short' ctl import tab short.jsonl.gz
done
{ head -1000 all.jsonl | gzip; printf x; tail -n +1001 all.jsonl | gzip | tail -c +2; } >bad.jsonl.gz
gives 2 'the compressed data is damaged or cut short' ctl import tab bad.jsonl.gz
head -c 40000000 /dev/zero | tr '\0' x | gzip >bomb.jsonl.gz
gives 2 'bomb.jsonl.gz:1: an item of over 16 MiB' ctl import tab bomb.jsonl.gz
printf '{"PK":"n","SK":1,"a\0b":1}\n' | gives 2 'line 1: ' ctl import tab
gives 2 'Is a directory' ctl import tab - <.

# ---- an export in DynamoDB's layout
X=export/AWSDynamoDB/01693685827463-2d8752fd
make_export()
{
	rm -rf export
	mkdir -p $X/data
	: >$X/manifest-files.json
	local n=0 part
	split -l 1100 all.jsonl part.
	for part in part.*; do
		n=$((n + 1))
		jq -c '{Item: {PK: {S: .PK}, SK: {N: (.SK | tostring)}, v: {S: .v}}}' $part | gzip >$X/data/x$n.json.gz
		printf '{"itemCount":%d,"md5Checksum":"%s","etag":"e-1","dataFileS3Key":"my/prefix/AWSDynamoDB/0/data/x%d.json.gz"}\n' \
			"$(wc -l <$part)" "$(openssl md5 -binary $X/data/x$n.json.gz | base64)" $n >>$X/manifest-files.json
	done
	rm part.*
	printf '{"version":"2020-06-30","outputFormat":"DYNAMODB_JSON","exportType":"FULL_EXPORT","itemCount":3000}' >$X/manifest-summary.json
	seal
}
seal()
{
	local name
	for name in files summary; do
		openssl md5 -binary $X/manifest-$name.json | base64 >$X/manifest-$name.md5
	done
}
# edited FILE SED... - the export with a changed manifest and matching checksums
edited()
{
	make_export
	sed -i "$2" "$X/$1"
	seal
}
make_export
fresh
ok ctl import tab $X
eq 'the folder of an export' "$(sorted)" "$want"
eq 'all items are imported' "${err%% in *}" 'imported 3,000 items'
gives 2 'all.jsonl.gz:1: there is no "Item"' ctl import tab $X all.jsonl.gz
gives 2 'needs files, not folders' ctl import tab $X --from jsonl
gives 2 'name the folder of an export' ctl import tab export
rm $X/*.md5
ok ctl import tab $X
fresh
make_export
gunzip $X/data/*.gz
ok ctl import tab $X
eq 'an unpacked export' "$(sorted)" "$want"
unpacked="of its files are unpacked; only their items are counted, because the manifest has no checksum of unpacked files"
eq 'which is reported' "$(grep -c "^$X: [0-9]* $unpacked" <<<"$err")" 1
ok ctl -q import tab $X
eq 'but not with -q' "$err" ''
sed -i '$d' $X/data/x2.json
gives 2 'x2.json: it has ' ctl import tab $X
fresh
make_export
echo >>$X/manifest-files.json
gives 2 'manifest-files.json: its checksum is not that of the .md5 file' ctl import tab $X
make_export
echo >>$X/manifest-summary.json
gives 2 'manifest-summary.json: its checksum is not' ctl import tab $X
make_export
printf x >>$X/data/x3.json.gz
gives 2 'x3.json.gz: its checksum is not that of the manifest' ctl import tab $X
make_export
rm $X/data/x2.json.gz
gives 2 'x2.json.gz: No such file' ctl import tab $X
mkfifo $X/data/x2.json.gz
gives 2 'x2.json.gz: not a file' ctl import tab $X
edited manifest-summary.json s/DYNAMODB_JSON/ION/
gives 2 'outputFormat is ION (Amazon Ion), which is not supported: export the table as DYNAMODB_JSON' ctl import tab $X
edited manifest-summary.json s/FULL_EXPORT/INCREMENTAL_EXPORT/
gives 2 'this is an incremental export, not a whole table: import --apply' ctl import tab $X
edited manifest-files.json 's/"my.*gz"/"..\/..\/.."/'
gives 2 'dataFileS3Key has no file name' ctl import tab $X
edited manifest-files.json 's/md5Checksum/md5/'
gives 2 'manifest-files.json: a line without' ctl import tab $X
edited manifest-files.json '2s/.*/]/'
gives 2 'manifest-files.json: not JSON' ctl import tab $X
edited manifest-files.json 2d
gives 2 'manifest-files.json: its files have 1900 items, but manifest-summary.json counts 3000: lines are missing' ctl import tab $X
edited manifest-files.json 's/"itemCount":1100/"itemCount":1099/'
gives 2 'x1.json.gz: it has 1100 items, but the manifest counts 1099' ctl import tab $X
make_export
head -c 65M /dev/zero | tr '\0' '\n' >$X/manifest-files.json
gives 2 'over 64 MiB' ctl import tab $X
eq 'none of these was imported' "$(ctl scan tab --count)" 0
make_export
: >$X/manifest-files.json
sed -i s/3000/0/ $X/manifest-summary.json
seal
ok ctl import tab $X </dev/null
eq 'an export of nothing' "${err%% in *}" 'imported 0 items'

# ---- output and input of the AWS command line are not items
fresh
ctl call PutItem '{"TableName":"tab","Item":{"PK":{"S":"q"},"SK":{"N":"1"},"Items":{"L":[]}}}' >/dev/null
ctl call Scan '{"TableName":"tab"}' | jq . >answer.json
jq -c '{Item: .Items[0]}' answer.json >answer.jsonl
for text in "$(cat answer.json)" "$(jq -c . answer.json)" "$(jq -c '{Item: .Items[0]}' answer.json)" \
	"$(jq '{Item: .Items[0]}' answer.json)" "$(jq '{tab: [.Items[] | {PutRequest: {Item: .}}]}' answer.json)" "$(jq -c '.Items[] | {PutRequest: {Item: .}}' answer.json)" "$(jq '.Items' answer.json)" "$(jq -c '.Items' answer.json)"; do
	for name in given.json given.txt -; do
		[ "$name" = - ] || printf '%s\n' "$text" >$name
		printf '%s\n' "$text" | ok ctl import tab $name
		eq "read as it comes: ${text:0:20} in $name" "${err%% in *}" 'imported 1 item'
	done
done
jq -c '{Items: [.Items[]], LastEvaluatedKey: {PK: {S: "x"}}}' answer.json | ok ctl import tab
case $err in *'is incomplete: it has a LastEvaluatedKey or NextToken'*) ;; *) fail "an incomplete response is not reported: $err" ;; esac
jq '{tab: [.Items[] | {PutRequest: {Item: .}}], other: [.Items[] | {PutRequest: {Item: .}}]}' answer.json >requests.json
gives 2 'requests.json:1: this is for the table other, not for tab' ctl import tab requests.json
echo '{"tab":[{"DeleteRequest":{"Key":{"PK":{"S":"q"},"SK":{"N":"1"}}}}]}' | gives 2 'a DeleteRequest is not an item' ctl import tab
ok ctl import tab --from dynamodb-export answer.jsonl
eq 'an item may have Items' "$(ctl scan tab)" '{"PK":"q","SK":1,"Items":[]}'
for item in '{"Items":[]}x' '{"Items":1}' '{"Item":[]}' '{"tab":[1]}' '{"tab":{"PutRequest":{}}}' '{"tab":[]}' '{}'; do
	echo "$item" >none.jsonl
	gives 2 none.jsonl:1 ctl import tab none.jsonl
	case $err in *jq* | *export*) fail "$item is taken for something else: $err" ;; esac
done

# ---- types that columns cannot have
printf 'PK,SK,ok:BOOL\nq,1,true\n' >typed.csv
gives 2 "the header's ok:BOOL: there is no type :BOOL; use :JSON" ctl import tab typed.csv

# ---- Amazon Ion, as text and binary
printf '$ion_1_0 {Item:{PK:"q",SK:1.}}\n' | gzip >x.ion.gz
printf '\xe0\x01\x00\xea\xee' >x.10n
for name in x.ion.gz x.10n; do
	gives 2 "$name:1: this is Amazon Ion, which is not supported: export the table as DYNAMODB_JSON" ctl import tab $name
done

# ---- CSV without types
printf 'PK,SK,n,b,s\nq,1,1.50,true,007\nq,2,"1.50","true",+1\n' >plain.csv
fresh
ok ctl import tab plain.csv
eq 'a number imported as text is reported' "$(tail -1 <<<"$err")" 'n is imported as text; to import numbers: --infer, or n:N in the header'
eq 'cells are strings' "$(ctl query tab q | head -1)" '{"PK":"q","SK":1,"n":"1.50","b":"true","s":"007"}'
ok ctl import tab plain.csv --infer
eq 'with --infer there is no note' "$(grep -c infer <<<"$err")" 0
eq 'with --infer cells get types' "$(ctl query tab q)" \
	$'{"PK":"q","SK":1,"n":1.5,"b":true,"s":"007"}\n{"PK":"q","SK":2,"n":"1.50","b":"true","s":"+1"}'
gives 2 '--infer goes with CSV' ctl import tab all.jsonl --infer
gives 2 '--infer goes with CSV' ctl import tab --infer <plain.csv
gives 2 '--infer goes with CSV' ctl import tab --infer --from json plain.csv
ok ctl import tab --infer --from csv <plain.csv
printf 'PK,SK,id\nq,3,123456789012345678901234567890123456789\nq,4,7\n' >ids.csv
ok ctl import tab ids.csv --infer
eq 'what is not a valid number stays text' "$(ctl query tab q --ge 3 | jq -c .id | tr '\n' ' ')" \
	'"123456789012345678901234567890123456789" 7 '

printf 'PK,SK\rq,1\rq,2\r' >returns.csv
gives 2 'returns.csv:1: the header has a carriage return (CR) in it: lines must not end in CR alone' ctl import tab returns.csv
gives 2 'lines must not end in CR alone' ctl import tab returns.csv --on-error skip
eq 'the suggestion of the message works' "$(tr '\r' '\n' <returns.csv | ctl import tab --from csv 2>&1 | sed 's/ in .*//')" 'imported 2 items'

# ---- Ctrl-C: what has been read is durable, and the place is reported
fresh
seq 1 20000 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d,\"v\":\"%050d\"}\n", $1 % 7, $1, $1 }' >many.jsonl
interrupted many.jsonl import tab
n=$(ctl scan tab --count)
eq 'it reports where to continue' "$(tail -1 stopped.err)" "itemctl: pipe:$((n + 1)): interrupted"
eq 'the reported number of items is imported' "imported $n items" "$(sed -n 's/,//g; s/ in .*//p' stopped.err)"
[ "$n" -gt 0 ] || fail 'nothing was put'
ok ctl check
# ---- cells separated by tabs or semicolons, also where only the first line shows it
rm -rf "$S"
ok "$ITEMCTL" -q -s cells create-table tab --key PK,SK:N
printf 'PK;SK;Name;n:N\na;1;"x;y";1\nb;2;"z, w";2\n' >semi.csv
printf 'PK\tSK\tName\nc\t3\tx, y; z\n' >tabs.tsv
printf 'SK,PK\n4,d\n' >plain.txt
"$ITEMCTL" -q -s cells import tab semi.csv tabs.tsv plain.txt
printf 'PK\tSK\ne\t5\n' | "$ITEMCTL" -q -s cells import tab
printf '\xef\xbb\xbfSK;PK\r\n6;f\r\n' | "$ITEMCTL" -q -s cells import tab -
eq 'cells' "$("$ITEMCTL" -s cells scan tab | jq -cS . | sort)" '{"Name":"x, y; z","PK":"c","SK":3}
{"Name":"x;y","PK":"a","SK":1,"n":1}
{"Name":"z, w","PK":"b","SK":2,"n":2}
{"PK":"d","SK":4}
{"PK":"e","SK":5}
{"PK":"f","SK":6}'
seq 70000 | sed 's/.*/{"PK":"w&","SK":&,"u":"ä😀"}/' >wide.jsonl
for to in UTF-16 UTF-16LE UTF-16BE; do
	iconv -f UTF-8 -t $to wide.jsonl >wide.$to
	"$ITEMCTL" -q -s $to create-table tab --key PK,SK:N
	ok "$ITEMCTL" -s $to import tab wide.$to
	eq "$to" "$("$ITEMCTL" -s $to scan tab --count) $("$ITEMCTL" -s $to get tab w70000 70000)" '70000 {"PK":"w70000","SK":70000,"u":"ä😀"}'
	printf 'SK;PK\n1;ä\n' | iconv -t $to | "$ITEMCTL" -q -s $to import tab -
	eq "$to: cells" "$("$ITEMCTL" -s $to get tab ä 1)" '{"SK":1,"PK":"ä"}'
done
printf '{\0"\0\0\xd8\0\xd8' >half.jsonl
gives 2 'half.jsonl:1: ' "$ITEMCTL" -s cells import tab half.jsonl
printf 'garbage;more\n1;2\n' >bad.txt
gives 2 'bad.txt:1: ' "$ITEMCTL" -s cells import tab bad.txt
printf 'PK;SK\na;1;2\n' >bad.csv
gives 2 'bad.csv:2: ' "$ITEMCTL" -s cells import tab bad.csv
# ---- cells with other separators, and without a header
"$ITEMCTL" -q -s given create-table tab --key PK,SK:N
given()
{
	"$ITEMCTL" -s given "$@"
}
printf 'PK|SK|Name\na|1|"x|y"\n' >pipes.txt
ok given import tab pipes.txt
printf 'b:2:x,y;\t|z:7\r\nc:3\r\n' >colons.json
ok given import tab colons.json --delimiter : --no-header --columns 'PK,SK,"Name",n:N'
printf 'd\t4\t5\n' | ok given import tab --delimiter '\t' --no-header --columns PK,SK,n
eq 'a column of numbers imported as text is reported' "$(tail -1 <<<"$err")" 'n is imported as text; to import numbers: --infer, or n:N in --columns'
printf '\xef\xbb\xbf"e";5;true' | ok given import tab --no-header --columns PK,SK,n --infer
printf 'g,7\n' | iconv -t UTF-16 | gzip | ok given import tab - --no-header --columns PK,SK
printf 'PK\tS;K,\tSK\nh,,\t\t8\n' | ok given import tab --delimiter tab
eq 'cells have the types of --columns' "$(given scan tab | jq -cS . | sort)" '{"Name":"x,y;\t|z","PK":"b","SK":2,"n":7}
{"Name":"x|y","PK":"a","SK":1}
{"PK":"c","SK":3}
{"PK":"d","SK":4,"n":"5"}
{"PK":"e","SK":5,"n":true}
{"PK":"g","SK":7}
{"PK":"h,,","SK":8}'
while IFS='|' read -r message options; do
	printf 'PK;SK\nz;1\n' | gives 2 "$message" given import tab $options
done <<'END'
--no-header needs the columns: --columns id,n:N|--no-header
a file without a header: add --no-header|--columns PK,SK
--columns: the header names PK twice|--no-header --columns PK,PK
--columns: the header has a column without a name|--no-header --columns PK,
--columns: no column has the key attribute SK|--no-header --columns PK,x
no column has the key attribute PK (see --delimiter and --no-header)|--delimiter ,
no column has the key attribute PK|--from csv --delimiter :
line 1: the first line is a header|--no-header --columns PK,SK
--delimiter must be one character|--delimiter ;;
--delimiter must be one character|--delimiter x
--delimiter must be one character|--delimiter "
--delimiter must be one character|--delimiter §
--delimiter goes with CSV, not with json|--from json --delimiter ;
--no-header goes with CSV, not with yaml|--from yaml --no-header --columns PK,SK
END
gives 2 '--delimiter must be one character' given import tab --delimiter ''
gives 2 '--delimiter must be one character' given import tab --delimiter $'\n'
mkdir folder
gives 2 'folder: no manifest-summary.json' given import tab folder --delimiter ,
# The separator is not guessed if there are two possibilities; blank lines do not hide a header.
printf '1,5;x\n' >decimal.txt
gives 2 'select one with --delimiter' given import tab decimal.txt --no-header --columns PK,SK
printf '\n\nPK,SK\nz,1\n' >blank.txt
gives 2 'the first line is a header' given import tab blank.txt --no-header --columns PK,SK
# In CSV blanks are a cell; only an empty line is not a row. An incomplete character at the end is reported.
ctl -q create-table blanks --key id
printf 'id\na\n   \n\n"\t"\nb\n' >blanks.csv
ok ctl import blanks blanks.csv
eq 'cells of blanks are imported' "$(ctl scan blanks | jq -c .id | sort | tr '\n' ' ')" '"   " "\t" "a" "b" '
ctl export blanks --to csv >again.csv
ctl -q create-table blanks2 --key id
ok ctl import blanks2 again.csv
eq 'and exported' "$(ctl scan blanks2 | jq -c .id | sort | tr '\n' ' ')" '"   " "\t" "a" "b" '
for end in '{' '\0\330' '{\0\n'; do
	{ printf '{"id":"u"}\n' | iconv -f UTF-8 -t UTF-16LE; printf "$end"; } >half.json
	gives 2 'the text ends in the middle of a UTF-16 character' ctl import blanks half.json
done
# A file that ends inside a line has lost the rest of the line: reported where cells are missing. A last line as
# spreadsheets write it may be short.
printf 'PK,SK,n,m\r\na,1,2,3\r\nb,2\r\nc,3,4' >cut.csv
fresh
gives 2 'cut.csv:4: the file ends here, with 3 of 4 cells and without a newline' ctl import tab cut.csv
eq 'the lines before it are imported' "$(ctl scan tab | sort)" '{"PK":"a","SK":1,"n":"2","m":"3"}
{"PK":"b","SK":2}'
gives 2 '1 line rejected' ctl import tab cut.csv --on-error skip
gzip -c cut.csv | gives 2 'line 4: the file ends here' ctl import tab
tail -n 1 cut.csv | gives 2 'line 1: the file ends here, with 3 of 5 cells' ctl import tab --no-header --columns PK,SK:N,n,m,x
iconv -t UTF-16 cut.csv | gives 2 'line 4: the file ends here' ctl import tab
printf 'PK,SK,n\nc,3,"4\n5",6' | gives 2 'line' ctl import tab
printf 'PK,SK,n,m\nc,3,"4\n5"' | gives 2 'lines 2-3: the file ends here, with 3 of 4 cells' ctl import tab
eq 'none of these is imported' "$(ctl scan tab --count)" 2
for end in ',' ',5' ',""' $'\n' $'\r\n' $',5\n'; do
	printf 'PK,SK,n,m\nc,3,4%s' "$end" | ok ctl import tab
done
printf 'PK;SK' | ok ctl import tab
eq 'complete lines are imported' "$(ctl get tab c 3)" '{"PK":"c","SK":3,"n":"4","m":"5"}'
# A line with more cells than columns is refused, with fewer it lacks attributes. Lines swallowed by an open quote are
# reported.
printf 'i,9\nj,10,x,y\nk,11\n"l,12\nm,13\n' >rows.csv
gives 2 'rows.csv:2: more cells than the 3 columns' given import tab rows.csv --no-header --columns PK,SK,n
gives 2 'rows.csv:4-5: ValidationException: a quoted cell is not closed' given import tab rows.csv --no-header --columns PK,SK,n --on-error skip
eq 'the other lines are imported' "$(given scan tab | jq -r 'select(.SK > 8) | .PK' | sort | tr '\n' ' ')" 'i k '
printf 'no\0,14,\0\n' | ok given import tab --no-header --columns PK,SK,n
eq 'NUL is a character' "$(given scan tab | jq -c 'select(.SK == 14)')" '{"PK":"no\u0000","SK":14,"n":"\u0000"}'
# ---- a table that does not exist
echo '{"A":"x","B":1}' >one.jsonl
gives 3 $'not found\nits items may have this key: itemctl -s cells import fresh one.jsonl --key A' "$ITEMCTL" -s cells import fresh one.jsonl
gives 3 $'not found\nits items may have this key: itemctl -s cells import fresh - --key A' "$ITEMCTL" -s cells import fresh - <one.jsonl
gives 2 $'there is no store at nowhere; to create one: itemctl create-table, or itemfs --create\nits items may have this key: itemctl -s nowhere import fresh --key A' \
	"$ITEMCTL" -s nowhere import fresh < <(cat one.jsonl)
gives 2 'there is no store at nowhere' "$ITEMCTL" -s nowhere import fresh < <(:)
eq 'an empty input has no key' "${err#*$'\n'}" 'standard input is empty; to create a table from items: itemctl -s nowhere import fresh --key auto'
# standard input determines the key, and is imported from its first byte
seq 1 9000 | sed 's/.*/{"id":"&","text":"more than the 64 KiB that tell the key"}/' >many.jsonl
{ echo id,text; seq 1 9000 | sed 's/$/,more than the 64 KiB that tell the key/'; } >many.csv
jq -sc . many.jsonl >many.json
jq . many.jsonl >apart.json
for form in many.jsonl many.csv many.json apart.json; do
	for pack in cat gzip; do
		$pack <$form | ok "$ITEMCTL" -s cells import fresh --key auto
		eq "the key of $form, $pack" "$err" $'the new table gets a key that suits its items: --key id\ntable fresh created\n'"$(tail -n 1 <<<"$err")"
		eq "all items of $form, $pack" "$("$ITEMCTL" -s cells scan fresh | jq -c '.id | tonumber' | sort -n | cksum)" "$(seq 1 9000 | cksum)"
		ok "$ITEMCTL" -s cells drop fresh --yes
	done
done
ok "$ITEMCTL" -s cells import fresh - --key auto <many.jsonl
eq 'a file in another folder' "$("$ITEMCTL" -s cells scan fresh --count)" 9000
{ cat one.jsonl; cat many.jsonl; } | gives 2 '--key auto: cannot derive a key from these items' "$ITEMCTL" -s cells import other --key auto
gives 2 '--key auto: standard input is empty' "$ITEMCTL" -s cells import other --key auto < <(:)
gives 2 'no file is named, and standard input is /dev/null: itemctl -s cells import fresh FILE' "$ITEMCTL" -s cells load fresh </dev/null
gives 2 'no file is named, and standard input is /dev/null' "$ITEMCTL" -s cells import other - --key id </dev/null
case $("$ITEMCTL" -s cells tables) in *other*) fail 'a table is created from empty input' ;; esac
: | ok "$ITEMCTL" -s cells import fresh
ok "$ITEMCTL" -s cells drop fresh --yes
# a key for each file: a typical name, a text, two attributes, none
while IFS=$'\t' read -r key items; do
	tr ' ' '\n' <<<"$items" >keyed.jsonl
	gives 3 "itemctl -s cells import fresh keyed.jsonl --key $key" "$ITEMCTL" -s cells import fresh keyed.jsonl
	ok "$ITEMCTL" -s cells import fresh keyed.jsonl --key "$key"
	eq "$key imports all of $items" "$("$ITEMCTL" -s cells scan fresh --count)" "$(wc -l <keyed.jsonl)"
	ok "$ITEMCTL" -s cells drop fresh --yes
done <<'ROWS'
PK,SK	{"x":"1","PK":"a","SK":"b"} {"x":"2","PK":"a","SK":"c"}
orderId:N	{"x":"1","orderId":1} {"x":"2","orderId":2}
x	{"n":1,"x":"1"} {"n":2,"x":"2"}
Artist,Song	{"Artist":"a","Song":"b","Year":1} {"Artist":"a","Song":"c","Year":2} {"Artist":"d","Song":"b","Year":3}
at,n:N	{"at":"a","n":1} {"at":"a","n":2} {"at":"b","n":1}
ROWS
printf '{"n":1.5}\n{"n":1.5}\n' >keyed.jsonl
gives 3 'import creates it with --key PK[:T][,SK[:T]]' "$ITEMCTL" -s cells import fresh keyed.jsonl
printf 'Acme,1999\nBell,2000\n' >bare.csv
gives 3 'import creates it with --key PK[:T][,SK[:T]]' "$ITEMCTL" -s cells import fresh bare.csv
printf 'id,year\na,\nb,2000\n' >keyed.csv
gives 3 "itemctl -s cells import fresh keyed.csv --key id" "$ITEMCTL" -s cells import fresh keyed.csv
gives 2 $'there is no store at nowhere' "$ITEMCTL" -s nowhere import fresh keyed.csv
eq 'also the line for a store' "${err##*$'\n'}" 'its items may have this key: itemctl -s nowhere import fresh keyed.csv --key id'
# customer_id in orders: both possible keys are reported
printf '{"customer":"c%d","order_id":"o%d"}\n' 1 1 2 2 >orders.jsonl
gives 2 $'its items may have this key: itemctl -s nowhere import orders orders.jsonl --key order_id\nor this one: itemctl -s nowhere import orders orders.jsonl --key customer,order_id' "$ITEMCTL" -s nowhere import orders orders.jsonl
printf '{"customer":"c1","order_id":"o3"}\n' >>orders.jsonl
gives 2 $'--key customer,order_id\nor this one: itemctl -s nowhere import orders orders.jsonl --key order_id' "$ITEMCTL" -s nowhere import orders orders.jsonl
gives 0 'suits its items: --key customer,order_id; if it is order_id: itemctl -s nowhere drop orders --yes && itemctl -s nowhere import orders orders.jsonl --key order_id' "$ITEMCTL" -s nowhere import orders orders.jsonl --key auto
ok "$ITEMCTL" -s nowhere drop orders --yes
ok "$ITEMCTL" -s nowhere import orders orders.jsonl --key order_id
# an existing table keeps its key: no key is reported as new, and another one is refused
gives 0 'imported 3 items' "$ITEMCTL" -s nowhere import orders orders.jsonl --key auto
eq 'no note about the key of an existing table' "$(grep -c 'suits its items' <<<"$err")" 0
for key in order_id order_id:S; do
	gives 0 'imported 3 items' "$ITEMCTL" -s nowhere import orders orders.jsonl --key "$key"
done
for key in customer customer,order_id order_id:N; do
	gives 2 '' "$ITEMCTL" -s nowhere import orders orders.jsonl --key "$key"
	eq 'the suggested line has no key' "$err" 'itemctl: table orders has the key order_id:S, which import does not change; with it: itemctl -s nowhere import orders orders.jsonl'
done
gives 2 'with it: itemctl -s nowhere import orders orders.jsonl' "$ITEMCTL" -s nowhere import orders orders.jsonl --key=orders
gives 2 'with it: itemctl -s nowhere import orders orders.jsonl' "$ITEMCTL" -s nowhere import --key customer orders orders.jsonl
ok "$ITEMCTL" -s nowhere import orders orders.jsonl
eq 'the suggested line imports all items' "$("$ITEMCTL" -s nowhere scan orders --count)" 3
printf '{"n":1.5,"b":"x"}\n' >numbered.jsonl
ok "$ITEMCTL" -s nowhere import numbered numbered.jsonl --key n:N,b
gives 0 'imported 1 item' "$ITEMCTL" -s nowhere import numbered numbered.jsonl --key n,b
gives 2 'numbered has the key n:N,b:S, which' "$ITEMCTL" -s nowhere import numbered numbered.jsonl --key b,n:N
rm -r nowhere
# no table is created with a key that the items do not have
gives 2 'item 1 has no attribute Id; did you mean: itemctl -s cells import fresh keyed.csv --key id' "$ITEMCTL" -s cells import fresh keyed.csv --key Id
printf 'Artist,Year:N\nAcme,1999\n' >songs.csv
gives 2 'item 1 has no attribute Artst; did you mean: itemctl -s cells import fresh songs.csv --key Artist,Year:N' "$ITEMCTL" -s cells import fresh songs.csv --key Artst,Year:N
gives 2 'B of item 1 is of type N, not S; did you mean: itemctl -s cells import fresh one.jsonl --key A,B:N' "$ITEMCTL" -s cells import fresh one.jsonl --key A,B
gives 3 '' "$ITEMCTL" -s cells describe fresh
gives 2 'Missing the key' "$ITEMCTL" -s cells import fresh --key C <one.jsonl
eq 'nor from standard input' "$(grep table <<<"$err")" $'table fresh created\ntable fresh dropped again'
gives 3 '' "$ITEMCTL" -s cells describe fresh
# cells get the types of the key
ok "$ITEMCTL" -s cells import fresh keyed.csv --key id
eq 'the type of a key depends on more than the first record' "${err##*$'\n'}" \
	'year is imported as text; to import numbers: --infer, or year:N in the header'
ok "$ITEMCTL" -s cells import fresh "file://keyed.csv" --csv
cp keyed.csv keyed.txt
ok "$ITEMCTL" -s cells import fresh keyed.txt --format csv
ok "$ITEMCTL" -s cells import fresh --file keyed.csv --header
gives 2 'aws s3 cp s3://b/x.json - | itemctl -s cells import fresh' "$ITEMCTL" -s cells import fresh s3://b/x.json
ok "$ITEMCTL" -s cells drop fresh --yes
gives 2 'No such file' "$ITEMCTL" -s cells import fresh nowhere --key A
gives 2 'has no name' "$ITEMCTL" -s cells import fresh one.jsonl --key ,
gives 3 '' "$ITEMCTL" -s cells describe fresh
for times in once again; do
	ok "$ITEMCTL" -s cells import fresh one.jsonl --key A,B:N
	eq "$times" "$("$ITEMCTL" -s cells scan fresh)" '{"A":"x","B":1}'
done
# ---- a record that the table refuses: the suggested line imports or skips it
ctl -q create-table customers --key CustomerId
ctl -q create-table employees --key EmpId:N
ctl -q create-table pairs --key PK,SK:N
printf 'id,Name\nC7,Bob\n' >noid.csv
printf '{"EmpId":"50","Name":"x"}\n{"EmpId":51}\n' >emptext.jsonl
printf '{"pk":"a","Sk":"5"}\n' >caps.jsonl
printf '{"CustomerId":5}\n{"CustomerId":"x"}\n' >mix.jsonl
printf '{"CustomerId":"C3"}\n{"CustomerId"\n{"CustomerId":"C4"}\n' >'a broken.jsonl'
# mended TEXT WORDS... - check that it is refused, and that the last line, which has TEXT, works
mended()
{
	local line

	gives 2 "$1" ctl import "${@:2}"
	line=${err##*$'\n'}
	eq "the line for ${*:2}" "${line%%: *}" 'did you mean'
	eval "ITEMFS_STORE=$S ok \"\$ITEMCTL\" ${line#*: itemctl }"
}
mended "did you mean: itemctl import employees emptext.jsonl --set 'EmpId:N=\${EmpId}'" employees emptext.jsonl
eq 'numbers' "$(ctl scan employees --project EmpId | sort | tr '\n' ' ')" '{"EmpId":50} {"EmpId":51} '
mended "no column has the key attribute CustomerId; the header has id, Name
did you mean: itemctl import customers noid.csv --set 'CustomerId=\${id}'" customers noid.csv
mended "--set 'PK=\${pk}' --set 'SK:N=\${Sk}'" pairs caps.jsonl
mended "--set 'CustomerId=\${CustomerId}'" customers mix.jsonl
printf '{"CustomerId":"C1"}\n' | tee customers.jsonl | gzip >customers.jsonl.gz
mended "did you mean: itemctl import customers customers.jsonl" pairs customers.jsonl
mended "did you mean: itemctl import customers customers.jsonl.gz" employees customers.jsonl.gz
gives 3 "did you mean: itemctl import customers customers.jsonl
or for a new table: itemctl import custmers customers.jsonl --key CustomerId" ctl import custmers customers.jsonl
gives 2 'not JSON' ctl import customers 'a broken.jsonl'
eq 'the line that skips it' "${err##*$'\n'}" "to report such lines and continue: itemctl import customers 'a broken.jsonl' --on-error skip"
gives 2 '1 line rejected' ctl import customers 'a broken.jsonl' --on-error skip
eq 'the other records are imported' "$(ctl get customers C4)" '{"CustomerId":"C4"}'
# mistakes without a suggestion
printf 'CustomerId;Name\nC7;Bob\n' >semi.csv
printf '{"EmpId":"x"}\n' >words.jsonl
printf '{"CustomerId":null}\n' >null.jsonl
while IFS='|' read -r table file; do
	gives 2 '' ctl import "$table" "$file" --jobs 1
	eq "nothing is suggested for $file" "${err//did you mean/}" "$err"
done <<'END'
employees|noid.csv
employees|words.jsonl
customers|null.jsonl
END
gives 2 '' ctl import customers semi.csv --delimiter ,
eq 'a header with the wrong separator' "${err##*$'\n'}" "ValidationException: semi.csv:1: no column has the key attribute CustomerId (see --delimiter and --no-header)"

# ---- only a file: the table gets the name of the file
mkdir alone && cd alone
printf '{"PK":"a","SK":"b"}\n' >songs.jsonl
gives 2 'name the table first: itemctl -s ./new import songs songs.jsonl --key auto; for a Workbench model: itemctl -s ./new create-table' "$ITEMCTL" -s ./new import songs.jsonl
ok "$ITEMCTL" -s ./new import songs.jsonl --key auto
eq 'the line that was run' "${err%%$'\n'*}" 'read as: itemctl -s ./new import songs songs.jsonl --key auto'
eq 'the table of the file' "$("$ITEMCTL" -s ./new tables | jq -c '[.TableName, .Key, .Items]')" '["songs","PK:S,SK:S",1]'
gives 2 'NAME and --key, or --from FILE [--data], for example: itemctl -s ./new create-table '"'a b'"' --key PK,SK' "$ITEMCTL" -s ./new create-table 'a b'
cd ..
done_testing
