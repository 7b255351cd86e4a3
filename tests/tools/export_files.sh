#!/bin/bash
# Formats of export other than one file: DynamoDB's format, one file per value. An export is complete or leaves no
# files.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByKind=kind
ctl -q create-table copy --key PK,SK:N
seq 1 3000 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d,\"kind\":\"%s\",\"b\":{\"B\":\"aGk=\"}}\n", $1 % 7, $1, substr("xyz", $1 % 3 + 1, 1) }' >all.jsonl
ctl -q import tab all.jsonl
sorted()
{
	ctl scan "$1" | sort | sha256sum
}

# ---- DynamoDB's format
ok ctl export tab out --to dynamodb-export
eq 'export reports the number of items' "$err" 'exported 3,000 items'
eq 'the files of the export' "$(ls out | tr '\n' ' ')$(ls out/data | sed 's/^[0-9]*-[0-9a-f]*/ID/')" \
	'data manifest-files.json manifest-files.md5 manifest-summary.json manifest-summary.md5 ID.json.gz'
eq 'a line of data' "$(zcat out/data/* | jq -c 'select(.Item.SK.N == "5")')" \
	'{"Item":{"PK":{"S":"k5"},"SK":{"N":"5"},"kind":{"S":"z"},"b":{"B":"aGk="}}}'
eq 'the summary' "$(jq -c '[.itemCount, .outputFormat, .exportType, .tableArn, .manifestFilesS3Key]' out/manifest-summary.json)" \
	'[3000,"DYNAMODB_JSON","FULL_EXPORT","arn:aws:dynamodb:us-east-1:000000000000:table/tab","manifest-files.json"]'
eq 'the list of data files' "$(jq -c '[.itemCount, .md5Checksum, .dataFileS3Key]' out/manifest-files.json)" \
	"[3000,\"$(openssl md5 -binary out/data/* | base64)\",\"data/$(ls out/data)\"]"
eq 'checksums' "$(cat out/manifest-files.md5 out/manifest-summary.md5)" \
	"$(for f in files summary; do openssl md5 -binary out/manifest-$f.json | base64 | tr -d '\n'; done)"
ok ctl import copy out
eq 'import restores everything' "$(sorted copy)" "$(sorted tab)"
gives 2 'out: File exists' ctl export tab out --to dynamodb-export
mkdir empty
gives 2 'empty: File exists' ctl export tab empty --to dynamodb-export
gives 2 'needs the name of a new directory' ctl export tab --to dynamodb-export
gives 2 'writes a whole table' ctl export tab x --to dynamodb-export --index ByKind
gives 2 'writes a whole table' ctl export tab x --to dynamodb-export --split-by kind
gives 2 'No such file' ctl export tab none/x --to dynamodb-export
gives 3 'ResourceNotFoundException' ctl export none x --to dynamodb-export
ctl -q create-table void --key PK
ok ctl export void nothing/ --to dynamodb-export
ok ctl import copy nothing
eq 'an empty table' "${err%% in *}" 'imported 0 items'

# ---- links stay links; standard output, by its name, is written in place
echo old >real
ln -s real link
ok ctl export tab link
eq 'a link stays' "$(readlink link)/$(wc -l <real)" real/3000
chmod 600 real
ok ctl export tab link
eq 'a replaced file keeps its mode' "$(stat -c %a real)/$(readlink link)" 600/real
chmod 751 real
ok ctl export tab real
eq 'whatever its mode' "$(stat -c %a real)" 751
if [ "$(id -u)" -eq 0 ]; then
	chown 12:34 real
	ok ctl export tab real
	eq 'and keeps its owner' "$(stat -c %u:%g:%a real)" 12:34:751
fi
ok ctl export tab fresh
eq 'the mode of a new file depends on the umask' "$(stat -c %a fresh)" 644
ln -s nowhere dangling
gives 2 'dangling: No such file' ctl export tab dangling
gives 2 'needs the name of a file' ctl export tab ''
ln -s /proc/self/fd/1 mine
{ echo first; ctl export tab mine --format json; } >text 2>/dev/null
eq 'standard output' "$(readlink mine)/$(head -1 text)/$(tail -n +2 text | jq length)" /proc/self/fd/1/first/3000
mkfifo fifo
cat fifo >text &
ok ctl export tab fifo
wait $!
eq 'a pipe' "$(stat -c %F fifo)/$(wc -l <text)" fifo/3000
eq 'no partial file is left' "$(left)" 0

# The output of ExportTableToPointInTime is read, and ImportTable reads the output of this command.
mkdir -p "$S/buckets/bkt"
ok ctl call UpdateContinuousBackups '{"TableName":"tab","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}'
ok ctl call ExportTableToPointInTime '{"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tab","S3Bucket":"bkt"}'
exported()
{
	ls "$S"/buckets/bkt/AWSDynamoDB/*/manifest-summary.json >/dev/null 2>&1
}
wait_until 60 exported || fail 'the export does not end'
ctl -q drop copy --yes
ctl -q create-table copy --key PK,SK:N
ok ctl import copy "$S"/buckets/bkt/AWSDynamoDB/*
eq "import of the store's own export" "$(sorted copy)" "$(sorted tab)"
cp -r out "$S/buckets/bkt/mine"
ok ctl call ImportTable '{"S3BucketSource":{"S3Bucket":"bkt","S3KeyPrefix":"mine/data/"},"InputFormat":"DYNAMODB_JSON","InputCompressionType":"GZIP",
	"TableCreationParameters":{"TableName":"made","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},
	{"AttributeName":"SK","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"}]}}'
made()
{
	[ "$(ctl call DescribeTable '{"TableName":"made"}' 2>/dev/null | jq -r .Table.TableStatus)" = ACTIVE ]
}
wait_until 60 made || fail 'the import does not end'
eq 'ImportTable reads the export' "$(sorted made)" "$(sorted tab)"

# ---- one file per value
for form in jsonl json csv typed; do
	ok ctl export tab "by-$form" --split-by kind --to $form
	eq "files ($form)" "$(ls "by-$form" | sed 's/\..*//' | tr '\n' ' ')" 'x y z '
	ctl -q drop copy --yes
	ctl -q create-table copy --key PK,SK:N
	ok ctl import copy by-$form/*
	eq "all of them together ($form)" "$(sorted copy)" "$(sorted tab)"
done
eq 'the items of one file' "$(jq -r .kind by-jsonl/y.jsonl | sort -u) $(wc -l <by-jsonl/y.jsonl)" 'y 1000'
ok ctl export tab by-index --split-by PK --index ByKind
eq 'files of an index' "$(ls by-index | wc -l) $(cat by-index/* | wc -l)" '7 3000'
ctl -q create-table odd --key PK
ctl put odd '{"PK":"1","a":"../x"}' '{"PK":"2","a":"."}' '{"PK":"3","a":""}' '{"PK":"4"}' '{"PK":"5","a":[1,"/"]}' '{"PK":"6","a":"-rf"}' \
	'{"PK":"7","a":7}' '{"PK":"8","a":"7"}' '{"PK":"9","a":"ä %\n"}' "{\"PK\":\"10\",\"a\":\"$(printf 'ä%.0s' {1..200})\"}" "{\"PK\":\"11\",\"a\":\"$(printf 'ä%.0s' {1..201})\"}"
ok ctl export odd names --split-by a
# The order of two that read alike is the order in the table.
second=$(ctl scan odd --filter 'a IN (7, "7")' | tail -n 1 | jq -r 'if .PK == "8" then "S" else "N" end')
eq 'names that each file system accepts' "$(ls -A names | grep -v '^ä*~' | tr '\n' ' ')" \
	'%.jsonl %2D''rf.jsonl %2E.%2Fx.jsonl %2E.jsonl %none.jsonl 7%'"$second"'.jsonl 7.jsonl [1,"%2F"].jsonl ä %25%0A.jsonl '
eq 'long names are shortened, and differ' "$(ls -A names | grep -c '^ä\{90\}~[0-9a-f]\{16\}\.jsonl$')" 2
eq 'a number and the same text have two files' "$(jq -c .a names/7.jsonl names/7%*.jsonl | sort)" $'"7"\n7'
ctl put odd '{"PK":"12","a":true}' '{"PK":"13","a":"true"}' '{"PK":"14","a":"true"}' '{"PK":"15","a":true}' '{"PK":"16","a":"%none"}' '{"PK":"17","a":"7%S"}' '{"PK":"18","a":"7%N"}'
ok ctl export odd types --split-by a --to typed
eq 'each file has values of one type' "$(for f in types/*; do jq -r '.a | keys? // ["none"] | .[0]' "$f" | sort -u; done | sort | uniq -c | awk '{ printf "%s:%s ", $2, $1 }')" \
	'BOOL:1 L:1 N:1 S:12 none:1 '
gives 2 'names: File exists' ctl export odd names --split-by a
gives 2 'needs the name of a new directory' ctl export odd --split-by a
gives 2 'needs the name of an attribute' ctl export odd x --split-by ''
gives 2 'SK has more than 1000 different values' ctl export tab x --split-by SK
gone x
eq 'and no partial file is left' "$(left)" 0

# ---- failures leave no files
seq 1 16000 | awk '{ printf "{\"PK\":\"r%d\",\"r\":\"", $1; for (i = 0; i < 20; i++) printf "%d", rand() * 1e9; print "\"}" }' | ctl -q import odd
# A limit on the size of files stands for a full disk.
small()
(
	trap '' XFSZ
	ulimit -f 16
	ctl "$@"
)
if [ -n "${SERVED-}" ]; then # the store's own files may grow
	gives 70 'File too large' small export odd x.jsonl
	gives 70 'File too large' small export odd x --to dynamodb-export
	gives 70 'File too large' small export odd x --split-by none
fi
eq 'nothing is left' "$(ls -d x* 2>&1 | grep -c 'No such')$(left)" 10
mkfifo pipe
"$ITEMCTL" -s "$S" export tab pipe --split-by kind 2>/dev/null
eq 'a pipe is not a directory' $? 2
ctl export tab 2>/dev/null | head -1 >/dev/null
eq 'a broken pipe is quiet' "${PIPESTATUS[0]}" 141
# Ctrl-C, and a terminal that is closed, while a reader of the output sleeps: there are several pages to write
# stopped_by SIGNAL STATUS [COMMAND...] - check how an export, begun with COMMAND, ends on the signal
stopped_by()
{
	"${@:3}" "$ITEMCTL" -s "$S" export odd pipe 2>stopped.err &
	export=$!
	exec 3<pipe
	head -c 1 <&3 >/dev/null # wait until it writes
	kill -"$1" $export
	cat <&3 >/dev/null
	wait $export
	eq "it ends by $1" $? "$2"
	exec 3<&-
}
stopped_by INT 130 interruptible
eq 'and reports it' "$(sed -n 's/^itemctl: //p' stopped.err)" interrupted
stopped_by HUP 129
eq 'and reports it, too' "$(sed -n 's/^itemctl: //p' stopped.err)" interrupted
for signal in HUP INT TERM; do
	stopped_by $signal 0 env --ignore-signal=$signal
	eq "SIG$signal that is ignored, as under nohup" "$(sed -n 's/^itemctl: //p' stopped.err)" ''
done
# An export that does not end by itself, since its output is not read, is ended by a second, later signal.
interruptible "$ITEMCTL" -s "$S" export odd pipe 2>stopped.err &
export=$!
exec 3<pipe
head -c 1 <&3 >/dev/null
ended()
{
	kill -INT $export 2>/dev/null
	! kill -0 $export 2>/dev/null
}
wait_until 10 ended || fail 'it does not end'
wait $export
eq 'it ends by the signal' $? 130
eq 'and prints nothing' "$(cat stopped.err)" ''
exec 3<&-
# ---- a name that contradicts the format
while read -r name meant; do
	mkdir -p d.d
	gives 2 "$name: a file of items ends in .jsonl, .ndjson, .json, .csv, .tsv, .yaml, .md or .typed, optionally followed by .gz; any other name needs --to FORM; did you mean: itemctl export tab $meant" ctl export tab $name
	gone $name
	[ -z "${meant%%*&&*}" ] || ok ctl export tab $meant
done <<'NAMES'
x.xlsx x.csv
x.txt x.jsonl
x.csv.zip x.csv.gz
x.md.xz x.md.gz
x.parquet x.jsonl && duckdb -c "COPY (FROM 'x.jsonl') TO 'x.parquet'"
x.jsonl.bz2 x.jsonl.gz
d.d/x.sql d.d/x.jsonl
NAMES
gives 2 'did you mean: itemctl export tab --to jsonl' ctl export tab --to parquet
gives 2 'did you mean: itemctl export tab --format csv' ctl export tab --format xlsx
# ---- an existing file, and what item files do not contain
printf 'mine\n' >had.jsonl
ok ctl export tab had.jsonl
eq 'it is replaced, and this is reported' "$(grep -o 'they replace.*' <<<"$err")" 'they replace the content of had.jsonl'
ok ctl export tab had.jsonl --overwrite
ok ctl create-table indexed PK --gsi ByA=A --stream NEW_IMAGE
ok ctl export indexed i.jsonl
eq 'the command for the definition is on its own line' "$(tail -n 1 <<<"$err")" "a file of items does not contain the table's index and stream; to save the definition: itemctl describe indexed >indexed.table.json; for the whole store: itemctl backup DIR"
ctl describe indexed >indexed.table.json
ok "$ITEMCTL" -s indexed.new create-table --from indexed.table.json
eq 'which restores both' "$("$ITEMCTL" -s indexed.new describe indexed | jq -r '.GlobalSecondaryIndexes[0].IndexName, .StreamSpecification.StreamViewType')" $'ByA\nNEW_IMAGE'
ok ctl drop indexed --yes
ok ctl export tab x.txt --to csv
ok ctl --format json export tab x.dat
eq 'no note if the format is given' "$(grep -c 'JSON Lines' <<<"$err")" 0
ok ctl export tab d.d/plain
eq 'a note if the name does not determine the format' "$(head -n 1 <<<"$err")" 'd.d/plain: writing JSON Lines; for another form, use --to or a name in .csv, .tsv, .json, .yaml or .md'
ok ctl -q export tab d.d/quiet
eq '-q prints nothing' "$err" ''
ctl export tab 2>redirected.err >out.parquet
eq 'a note for a redirection' "$(head -n 1 redirected.err)" "$W/out.parquet: writing JSON Lines; for another form, use --to or a name in .csv, .tsv, .json, .yaml or .md"
ctl export tab 2>redirected.err >plain
eq 'no note for a redirection without a suffix' "$(grep -c 'JSON Lines' redirected.err)" 0
ctl export tab 2>redirected.err | cat >piped.parquet
eq 'no note for a pipe' "$(grep -c 'JSON Lines' redirected.err)" 0

# ---- TSV and Markdown
ctl -q create-table mixed --key pk
printf '%s\n' '{"pk":"a","n":1}' '{"pk":"b\tc","text":"x | y\nz","n":2,"flag":true}' '{"pk":" d","text":"","a,b":["p|q"],"text2":"*_<`\\&"}' | ok ctl -q import mixed -
for form in tsv yaml jsonl csv typed; do
	ok ctl export mixed mixed.$form
	ok ctl create-table back-$form --key pk
	ok ctl import back-$form mixed.$form
	eq "$form has the same items" "$(ctl scan back-$form | jq -cS . | sort)" "$(ctl scan mixed | jq -cS . | sort)"
done
eq 'scan and export give the same TSV' "$(ctl scan mixed -o tsv | sort)" "$(ctl export mixed --to tsv | sort)"
eq 'header and cells of TSV' "$(ctl scan mixed --project pk,n,text --filter 'n < 5' -o tsv | sort)" $'"b\tc"\t2\t"x | y\na\t1\t\npk\tn:N\ttext\nz"'
ok ctl export mixed mixed.md
eq 'scan and export give the same Markdown' "$(sort mixed.md)" "$(ctl scan mixed --format markdown | sort)"
ok ctl export mixed again.txt --to md
eq 'columns and escapes of Markdown' "$(ctl scan mixed --project pk,n,text,text2,flag -o md | sed '3,$!d' | sort)" '|  d | |  | \*\_\<\`\\\& | |
| a | 1 | | | |
| b	c | 2 | x \| y<br>z | | true |'
eq 'the header of Markdown' "$(ctl scan mixed --project pk,n,text -o md | head -n 2)" $'| pk | n | text |\n| --- | ---: | --- |'
eq 'one item as Markdown' "$(ctl get mixed a -o md)" $'| pk | n |\n| --- | ---: |\n| a | 1 |'
eq 'no item as Markdown' "$(ctl query mixed none -o md 2>/dev/null)" ''
gives 2 '--split-by needs' ctl export mixed split-md --split-by pk --to md
ok ctl export mixed split-tsv --split-by pk --to tsv
eq 'one TSV file per value' "$(cat split-tsv/a.tsv)" $'pk\tn:N\na\t1'
gives 2 'describe prints JSON' ctl describe mixed -o md
eq 'a response without items as TSV' "$(ctl call DescribeTimeToLive '{"TableName":"mixed"}' -o tsv)" $'TimeToLiveStatus\nDISABLED'
eq 'tables as Markdown' "$(ctl tables -o md | head -n 1 | cut -c1-13)" '| TableName |'
done_testing
