#!/bin/bash
# Incremental exports are applied: puts and deletions, the latest line of each key, in any order of files.
. "$(dirname "$0")/lib.sh"
begin
rows()
{
	ctl scan tab | jq -cS . | sort
}
# change MICROS PK SK OLD NEW - print a line; - means no image
change()
{
	local key='"PK":{"S":"'"$2"'"},"SK":{"N":"'"$3"'"}' old='' new=''
	[ "$4" = - ] || old=',"OldImage":{'"$key"',"v":{"S":"'"$4"'"}}'
	[ "$5" = - ] || new=',"NewImage":{'"$key"',"v":{"S":"'"$5"'"}}'
	echo '{"Metadata":{"WriteTimestampMicros":{"N":"'"$1"'"}},"Keys":{'"$key}$old$new}"
}
# incremental DIR ID FILE... - make an export of the lines in DynamoDB's layout: the data is beside the folder
incremental()
{
	local root=$1 id=$2 dir=$1/AWSDynamoDB/$2 n=0 all=0 file
	shift 2
	mkdir -p "$dir" "$root/AWSDynamoDB/data"
	: >"$dir/manifest-files.json"
	for file in "$@"; do
		n=$((n + 1))
		gzip -c "$file" >"$root/AWSDynamoDB/data/$id-$n.json.gz"
		all=$((all + $(wc -l <"$file")))
		printf '{"itemCount":%d,"md5Checksum":"%s","etag":"x-1","dataFileS3Key":"p/AWSDynamoDB/data/%s.json.gz"}\n' \
			"$(wc -l <"$file")" "$(openssl md5 -binary "$root/AWSDynamoDB/data/$id-$n.json.gz" | base64)" "$id-$n" >>"$dir/manifest-files.json"
	done
	printf '{"version":"2023-08-01","exportArn":"arn","exportFromTime":"2026-01-01T00:00:00Z","exportToTime":"2026-01-01T01:00:00Z","itemCount":%d,"outputFormat":"DYNAMODB_JSON","outputView":"NEW_AND_OLD_IMAGES","exportType":"INCREMENTAL_EXPORT"}' \
		$all >"$dir/manifest-summary.json"
	for file in files summary; do
		openssl md5 -binary "$dir/manifest-$file.json" | base64 >"$dir/manifest-$file.md5"
	done
}

{
	change 1700000000000100 a 1 - one
	change 1700000000000100 b 1 - one
	change 1700000000000100 c 1 old -
	change 1700000000000100 d 1 - one
} >first.jsonl
{
	change 1700000000000200 b 1 one two
	change 1700000000000200 d 1 one -
	change 1700000000000200 c 1 - back
	change 1700000000000200 e 1 - -
} >second.jsonl
incremental s3 01 first.jsonl
incremental s3 02 second.jsonl
want='{"PK":"a","SK":1,"v":"one"}
{"PK":"b","SK":1,"v":"two"}
{"PK":"c","SK":1,"v":"back"}
{"PK":"kept","SK":1}'
X=s3/AWSDynamoDB
gzip -c first.jsonl >first.gz
zstd -qc second.jsonl >second.zst
for how in "$X/01 $X/02" "$X/02 $X/01" 'second.jsonl first.jsonl' 'second.zst first.gz' "$X/02 first.jsonl $X/01"; do
	fresh
	ctl -q put tab '{"PK":"c","SK":1,"v":"old"}' '{"PK":"e","SK":1,"v":"old"}' '{"PK":"kept","SK":1}'
	for times in once twice; do
		ok ctl import tab --apply $how
		eq "$how, $times" "$(rows)" "$want"
	done
done
eq 'the numbers of changes are reported' "${err%% in *}" 'imported 4 items, applied 2 deletions, skipped 6 older lines'
fresh
cat second.jsonl first.jsonl | ok ctl import tab --apply -
eq 'a pipe' "$(rows)" "$(head -3 <<<"$want")"
mkdir $X/01/data
mv $X/data/01-1.json.gz $X/01/data
gunzip $X/data/02-1.json.gz
fresh
ok ctl import tab --apply $X/01 $X/02
eq 'data in the folder, and unpacked' "$(rows)" "$(head -3 <<<"$want")"
mkdir $X/data.gone
mv $X/01/data/* $X/data.gone
gives 2 "$X/01/data/01-1.json.gz: No such file" ctl import tab --apply $X/01

# ---- many keys, many lines each, over several chunks: the result is that of the sorted lines
python3 - >many.jsonl <<'PY'
import json, random
random.seed(7)
lines = []
for t in range(20000):
    key = {"PK": {"S": "k%d" % random.randrange(50)}, "SK": {"N": str(random.randrange(100))}}
    line = {"Metadata": {"WriteTimestampMicros": {"N": str(1700000000000000 + t)}}, "Keys": key}
    if random.random() < 0.6:
        line["NewImage"] = dict(key, t={"N": str(t)})
    lines.append(line)
last = {}
for line in lines:
    last[json.dumps(line["Keys"])] = line
with open('expected', 'w') as f:
    for line in last.values():
        if "NewImage" in line:
            i = line["NewImage"]
            f.write('{"PK":"%s","SK":%s,"t":%s}\n' % (i["PK"]["S"], i["SK"]["N"], i["t"]["N"]))
random.shuffle(lines)
for line in lines:
    print(json.dumps(line))
PY
fresh
seq 0 4999 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d,\"t\":-1}\n", $1 % 50, $1 / 50 }' | ctl -q import tab
ctl scan tab >before.jsonl
ok ctl import tab --apply --jobs 4 many.jsonl
python3 - >touched <<'PY'
import json
print(len({json.dumps(json.loads(l)["Keys"]) for l in open('many.jsonl')}))
PY
eq 'the latest line of each key wins' "$(rows | grep -v '"t":-1' | sha256sum)" "$(sort expected | sha256sum)"
eq 'other items are unchanged' "$(rows | grep -c '"t":-1')" $((5000 - $(cat touched)))
ok ctl check

# ---- at an endpoint that throttles and fails
export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
begin_made_up faults fail=4 units=2000 2>faults.seen
python3 - >far.jsonl <<'PY'
import json
for t in (2, 1, 3):
    for n in range(400):
        key = {"PK": {"S": "k%d" % n}}
        line = {"Metadata": {"WriteTimestampMicros": {"N": str(t)}}, "Keys": key}
        if (n + t) % 3 != 0:
            line["NewImage"] = dict(key, t={"N": str(t)})
        print(json.dumps(line))
PY
ok "$ITEMCTL" -s "http://$made_up" import tab --apply far.jsonl
eq 'the latest line of each key wins at an endpoint' "$("$ITEMCTL" -s "http://$made_up" scan tab | jq -r '[.PK[1:], .t] | @tsv' | sort -n | sha256sum)" \
	"$(seq 0 399 | awk '$1 % 3 != 0 { print $1 "\t3" }' | sha256sum)"
end_made_up

# ---- refused lines are named; the lines before them are applied
ctl -q create-table bytes --key PK,SK:N
line=$(change 5 a 1 - one)
while IFS='|' read -r message text; do
	printf '%s\n%s\n%s\n' "$(change 1 z 1 - first)" "$text" "$(change 1 y 1 - behind)" >bad.jsonl
	fresh
	gives 2 "bad.jsonl:2: $message" ctl import tab --apply bad.jsonl
	eq "before $text" "$(rows)" '{"PK":"z","SK":1,"v":"first"}'
	gives 2 '1 line rejected' ctl import tab --apply bad.jsonl --on-error skip
	eq "around $text" "$(ctl scan tab --count)" 2
done <<END
not JSON|x
this is not a line of an incremental export|{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}
this is not a line of an incremental export|{"Keys":{"PK":{"S":"a"},"SK":{"N":"1"}}}
this is not a line of an incremental export|${line/'{"N":"5"}'/'{"N":"-5"}'}
this is not a line of an incremental export|${line/'{"N":"5"}'/'{"S":"5"}'}
this is not a line of an incremental export|${line/'{"N":"5"}'/'{"N":"5","S":"x"}'}
this is not a line of an incremental export|[]
unexpected member "Other" in a line of an incremental export|${line/NewImage/Other}
this is not a line of an incremental export|${line/'{"N":"5"}'/'{"N":"5"},"By":{"S":"x"}'}
this is not a line of an incremental export|${line/'{"WriteTimestampMicros":{"N":"5"}}'/[]}
"Keys" is not the key of the table|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"}}}
"OldImage" has another key than "Keys"|$(change 5 a 1 x y | sed 's/"OldImage":{"PK":{"S":"a"}/"OldImage":{"PK":{"S":"b"}/')
"OldImage" has another key than "Keys"|${line/'"NewImage"'/'"OldImage":{},"NewImage"'}
"OldImage": |${line/'"NewImage"'/'"OldImage":null,"NewImage"'}
"OldImage": |$(change 5 a 1 x y | sed 's/"v":{"S":"x"}/"v":{"Q":"x"}/')
"OldImage": |$(change 5 a 1 x - | sed 's/"v":{"S":"x"}/"v":"x"/')
"Keys" is not the key of the table|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"},"SK":{"S":"1"}}}
"Keys" is not the key of the table|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"},"SK":{"N":"1"},"x":{"N":"1"}}}
"NewImage" has another key than "Keys"|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"},"SK":{"N":"1"}},"NewImage":{"PK":{"S":"b"},"SK":{"N":"1"}}}
"NewImage" has another key than "Keys"|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"},"SK":{"N":"1"}},"NewImage":{}}
|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"},"SK":{"N":"1"}},"NewImage":null}
|{"Metadata":{"WriteTimestampMicros":{"N":"5"}},"Keys":{"PK":{"S":"a"},"SK":{"N":"1"}},"NewImage":{"PK":{"S":"a"},"SK":{"N":"1"},"x":{"Q":"1"}}}
END

# ---- items that the store refuses: with skip the others are applied, with stop the item is named and the applied
# ones are counted
key_of_2049=$(printf '%02049d' 0)
item_of_410000=$(printf '%0410000d' 0)
begin_items()
{
	fresh
	for n in 1 2 3 4; do echo '{"PK":"d'$n'","SK":1}'; done | ctl -q import tab
}
{
	change 5 d1 1 - -
	change 5 "$key_of_2049" 1 - -
	change 5 d2 1 - -
	change 5 p 1 - new
	change 5 "$key_of_2049" 2 - -
	change 5 d3 1 - -
} >keys.jsonl
begin_items
gives 2 'imported 1 item, applied 3 deletions, skipped 0 older lines' ctl import tab --apply keys.jsonl --on-error skip
for said in 'keys.jsonl:2: ValidationException: ' 'keys.jsonl:5: ValidationException: ' '2 lines rejected'; do
	eq "it prints $said" "$(grep -c "^$said" <<<"$err")" 1
done
eq 'all others are applied' "$(rows)" '{"PK":"d4","SK":1}
{"PK":"p","SK":1,"v":"new"}'
begin_items
gives 2 'keys.jsonl:2: ' ctl import tab --apply keys.jsonl
eq 'applied changes are counted' "${err%% in *}" 'imported 1 item, applied 1 deletion, skipped 0 older lines'
eq 'the counted changes are applied' "$(rows | tr -d '\n')" '{"PK":"d2","SK":1}{"PK":"d3","SK":1}{"PK":"d4","SK":1}{"PK":"p","SK":1,"v":"new"}'
# With skip the latest accepted line wins, in one part of the file and over several parts.
{
	change 1 a 1 - old
	change 2 a 1 - mid
	change 3 a 1 - "$item_of_410000"
	change 1 b 1 - kept
	change 4 b 1 - "$item_of_410000"
	change 3 c 1 - old
	change 4 c 1 - -
	change 5 c 1 - "$item_of_410000"
} >newest.jsonl
begin_items
ok ctl -q put tab '{"PK":"c","SK":1}'
gives 2 'imported 2 items, applied 1 deletion, skipped 2 older lines' ctl import tab --apply newest.jsonl --on-error skip
eq 'the latest accepted line wins' "$(rows | grep -v '"d')" '{"PK":"a","SK":1,"v":"mid"}
{"PK":"b","SK":1,"v":"kept"}'
{
	cat newest.jsonl
	seq 1 2500 | while read -r n; do change 1 e "$n" - x; done
	change 2 a 1 - later
	change 1 a 1 - older
	change 3 b 1 - later
	change 3 c 1 - older
} >parts.jsonl
begin_items
gives 2 'imported 2,504 items, applied 1 deletion, skipped 4 older lines' ctl import tab --apply parts.jsonl --on-error skip
eq 'the latest accepted line wins over several parts' "$(rows | grep -v '"[de]')" '{"PK":"a","SK":1,"v":"later"}
{"PK":"b","SK":1,"v":"later"}'
# Many lines of few keys, a third of them refused because of the type of an index key: the result is as without the
# refused lines.
python3 - >refused.jsonl <<'PY'
import json, random
random.seed(11)
newest = {}
for n in range(6000):
    key = {"PK": {"S": "k%d" % random.randrange(40)}, "SK": {"N": "1"}}
    time, kind = random.randrange(3000), random.choice(("put", "delete", "refused"))
    line = {"Metadata": {"WriteTimestampMicros": {"N": str(time)}}, "Keys": key}
    if kind != "delete":
        line["NewImage"] = dict(key, n={"N": str(n)}, g={"S": "x"} if kind == "put" else {"N": "1"})
    if n != 3000 and kind != "refused" and (time, n) > newest.get(key["PK"]["S"], ((-1, 0), 0))[0]:
        newest[key["PK"]["S"]] = ((time, n), kind)
    print(json.dumps(line) if n != 3000 else "no line")
with open("accepted", "w", encoding="utf-8") as f:
    f.writelines('{"PK":"%s","n":%d}\n' % (pk, id[1]) for pk, (id, kind) in newest.items() if kind == "put")
PY
fresh PK,SK:N --gsi ByG=g
gives 2 ' lines rejected' ctl import tab --apply refused.jsonl --on-error skip
eq 'the latest accepted line of each key wins' "$(rows | jq -c '{PK, n}' | sha256sum)" "$(sort accepted | sha256sum)"
told=$(sed -n 's/\([0-9]\),\([0-9]\)/\1\2/g; s/^imported \([0-9]*\) items, applied \([0-9]*\) deletions, skipped \([0-9]*\) older lines.*/\1+\2+\3/p; s/ lines rejected/+/p' <<<"$err" | tac | tr -d '\n')
eq "each line is counted: $told" $((told)) 6000
# The same at an endpoint, where deletions are BatchWriteItem requests.
begin_items
end_server
rm -f log
begin_server 0
far=$(address log)
gives 2 'imported 1 item, applied 3 deletions, skipped 0 older lines' itemctl_of "http://$far" import tab --apply keys.jsonl --on-error skip
eq 'all others are applied there' "$(rows | tr -d '\n')" '{"PK":"d4","SK":1}{"PK":"p","SK":1,"v":"new"}'
end_server
[ -z "${SERVED-}" ] || begin_server

# ---- Ctrl-C: only all lines together determine the latest ones, so an import cannot be continued from the middle
fresh
interrupted many.jsonl import tab --apply
grep -q 'repeat the whole command; it ended at pipe:[0-9]*: interrupted$' stopped.err || fail "it does not say so: $(cat stopped.err)"
ok ctl import tab --apply many.jsonl
eq 'the repeated command gives the same table' "$(rows | sha256sum)" "$(sort expected | sha256sum)"

# A number may be bare, and in another spelling than the key.
fresh
echo '{"Metadata":{"WriteTimestampMicros":5},"Keys":{"PK":{"S":"a"},"SK":{"N":"1"}},"NewImage":{"SK":{"N":"1.0"},"PK":{"S":"a"}}}' | ok ctl import tab --apply
eq 'a bare number' "$(rows)" '{"PK":"a","SK":1}'
gives 2 '--apply needs lines of incremental exports, not csv' ctl import tab --apply --from csv first.jsonl
gives 2 'an incremental export: import --apply' ctl import tab first.jsonl
gives 2 'an incremental export: import --apply' ctl import tab first.gz
mv $X/data.gone/* $X/data
gives 2 'this is an incremental export, not a whole table: import --apply puts and deletes its items' ctl import tab $X/01
sed -i s/INCREMENTAL/FULL/ $X/01/manifest-summary.json
rm $X/01/manifest-summary.md5
gives 2 'this export is a whole table: import it without --apply' ctl import tab --apply $X/01
sed -i 's/DYNAMODB_JSON/ION/' $X/01/manifest-summary.json
gives 2 'outputFormat is ION (Amazon Ion), which is not supported: export the table as DYNAMODB_JSON' ctl import tab $X/01
eq 'none of these was put' "$(rows)" '{"PK":"a","SK":1}'
done_testing
