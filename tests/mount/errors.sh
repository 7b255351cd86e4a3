#!/bin/bash
# Every row of the table of errors: what the tools print, and the sentence in .itemfs/errors and of "itemctl why"
# (NAMESPACE 6).
# BEHAVIOUR 1.6, 17.16
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=100 # nothing is asked for long

store --key PK,SK --gsi 'gsi=G:N'
ctl create-table two --key PK,SK >/dev/null
ctl create-table slow --key PK,SK >/dev/null
mnt m
mkdir m/tab/p m/two/p
t=m/tab/p
echo '{"v":1,"G":7}' >$t/a.json
a='{"G":7,"PK":"p","SK":"a","v":1}'

# row PATH ERRNO SENTENCE SAYS COMMAND - check that COMMAND fails and prints SAYS, and that why PATH has ERRNO and
# SENTENCE
row()
{
	refused "$4" bash -c "$5"
	eq "why $1, after: $5" "$(reasons "$1" | tail -n 1 | cut -f 1,2,5 --complement)" "$W/$1	$2	$3"
}

# ---- EBADMSG: content

printf '{"v":' >half
printf '{"v":1]' >wrong
early='not JSON: line 1, column 6: the text ends too early'
row $t/b.json EBADMSG "$early" "cp: failed to close '$t/b.json': Bad message" "cp half $t/b.json"
row $t/b.json EBADMSG "$early" "install: failed to close '$t/b.json': Bad message" "install half $t/b.json || { rm half; printf '{\"v\":' >half; false; }"
row $t/b.json EBADMSG "$early" "dd: closing output file '$t/b.json': Bad message" "dd if=half of=$t/b.json"
row $t/b.json EBADMSG "$early" 'tee:' "tee $t/b.json <half >/dev/null"
row $t/b.json EBADMSG "$early" 'tar: b.json: Cannot close: Bad message' "tar cf - --transform s/half/b.json/ half | tar xf - -C $t"
row $t/b.json EBADMSG "$early" "mv: failed to close '$t/b.json': Bad message" "cp half other; mv other $t/b.json"
row $t/b.json EBADMSG "$early" "mv: cannot move '$t/.x' to '$t/b.json': Bad message" "cp half $t/.x; mv $t/.x $t/b.json || { rm $t/.x; false; }"
row $t/a.json EBADMSG "$early" "truncate: failed to close '$t/a.json': Bad message" "truncate -s 5 $t/a.json"
many='; a file has one item, {"NAME":VALUE}; for many items or CSV: itemctl import TABLE FILE'
row $t/b.json EBADMSG "not JSON: line 1, column 1: expected {, found \"[\"$many" 'write error: Bad message' "echo '[1,2]' >$t/b.json"
row $t/b.json EBADMSG "not JSON: line 1, column 1: expected {, found \"a\"$many" 'write error: Bad message' "printf 'a,b\n1,2\n' >$t/b.json"
row $t/b.json EBADMSG "not JSON: line 2, column 1: text after the end$many" 'write error: Bad message' "printf '{}\n{}\n' >$t/b.json"
bracket=$(cp wrong $t/b.json 2>/dev/null; reasons $t/b.json | tail -n 1 | cut -f 6)
eq 'a sentence with line and column' "${bracket%%:*} ${bracket#*: }" "not JSON line 1, column 7: ${bracket##*: }"
row $t/a.json EBADMSG "$bracket" 'write error: Bad message' "printf '{\"v\":1]' >$t/a.json"
row $t/a.json EBADMSG "$bracket" 'Bad message' "cat wrong >$t/a.json"
row $t/a.json EBADMSG 'not JSON: line 1, column 24: expected a value, found "}"' 'Bad message' "sed -i s/1/}/ $t/a.json"
row $t/a.json EBADMSG 'not JSON: line 1, column 24: expected a value, found "}"' 'Bad message' "perl -i -pe s/1/}/ $t/a.json"
if here rsync; then
	row $t/b.json EBADMSG "$early" 'Bad message' "rsync half $t/b.json"
fi
if here vim; then
	# Without a terminal it reports only its status.
	row $t/a.json EBADMSG 'not JSON: line 1, column 24: expected a value, found "}"' '' "vim -es -u NONE -c s/1/}/ -c wq $t/a.json"
fi
row $t/a.json EBADMSG 'One or more parameter values were invalid: Type mismatch for Index Key G Expected: N Actual: S IndexName: gsi' \
	'write error: Bad message' "echo '{\"G\":\"x\"}' >$t/a.json"
row $t/a.json EBADMSG 'One or more parameter values were invalid: Type mismatch for key SK expected: S actual: N' \
	'write error: Bad message' "echo '{\"SK\":1}' >$t/a.json"
row $t/1%2f.json EBADMSG '"1%2f.json" is not the canonical spelling, which is "1%2F.json"' \
	"touch: cannot touch '$t/1%2f.json': Bad message" "touch $t/1%2f.json"
settle m # a new file whose close was refused disappears at RELEASE
eq 'the old item is intact, and there is no other' "$(item tab p a) $(ls $t)" "$a a.json"

# ---- EFBIG, ENOSPC, ENAMETOOLONG

{ printf '{"v":"'; head -c 420000 /dev/zero | tr '\0' x; printf '"}'; } >huge
big='Item size has exceeded the maximum allowed size'
row $t/b.json EFBIG "$big" "cp: error writing '$t/b.json': File too large" "cp huge $t/b.json"
row $t/b.json EFBIG "$big" "tee: $t/b.json: File too large" "tee $t/b.json <huge >/dev/null"
row $t/b.json EFBIG "$big" "dd: error writing '$t/b.json': File too large" "dd if=huge of=$t/b.json bs=64k"
row $t/b.json EFBIG "$big" "mv: cannot move '$t/.x' to '$t/b.json': File too large" "cp huge $t/.x; mv $t/.x $t/b.json || { rm $t/.x; false; }"
row $t/.y ENOSPC 'the scratch files of one user may have at most 64 MB in total: remove some' 'No space left on device' "truncate -s 70M $t/.y || { rm $t/.y; false; }"
row $t/.y ENOSPC 'the scratch files of one user may have at most 64 MB in total: remove some' "dd: error writing '$t/.y': No space left on device" \
	"dd if=/dev/zero of=$t/.y bs=1M count=70 || { rm $t/.y; false; }"
long=$(printf 'k%.0s' $(seq 300))
row $t/$long.json ENAMETOOLONG 'the name has 305 bytes, more than 255' 'File name too long' "touch $t/$long.json"
row m/tab/$long ENAMETOOLONG 'the name has 300 bytes, more than 255' 'File name too long' "mkdir m/tab/$long"

# ---- EROFS, EPERM

row m/tab/.index/gsi/7/p::a.json EROFS 'this is read-only' 'Read-only file system' "rm m/tab/.index/gsi/7/p::a.json"
row m/tab/.index/gsi/7/x.json EROFS 'this is read-only' "touch: cannot touch 'm/tab/.index/gsi/7/x.json': Read-only file system" \
	"touch m/tab/.index/gsi/7/x.json"
row m/tab/.index/gsi/8 EROFS 'this is read-only' 'Read-only file system' "mkdir m/tab/.index/gsi/8"
row $t/.jsonl EROFS 'this is read-only' 'Read-only file system' "cp half $t/.jsonl"
row m/.itemfs/errors EROFS 'this is read-only' 'Read-only file system' "rm m/.itemfs/errors"
row m/x.bin EPERM "this directory can only have tables; to load the items of a file into one: itemctl -s $S import TABLE x.bin" "touch: cannot touch 'm/x.bin': Operation not permitted" 'touch m/x.bin'
row m/tab/x.json EPERM 'this directory can only have directories: make a partition with mkdir, and write the file in it' 'Operation not permitted' 'touch m/tab/x.json'
row m/new EPERM "a table needs the names of its key attributes, here PK and SK (only PK: no sort key); to copy another table: itemctl -s $S copy TABLE --to new; to create one: itemctl -s $S create-table new --key PK,SK" 'Operation not permitted' 'mkdir m/new'
PATH=$(dirname "$ITEMCTL"):$PATH
ok bash -c "$(reasons m/new | grep -o 'itemctl -s [^ ]* create-table.*')"
row m/new EPERM "the table stays; the items that rm -r has removed are deleted, but a backup or the table's stream may have them; to remove the table and all its items: itemctl -s $S drop new --yes" 'Operation not permitted' 'rmdir m/new'
row m/new2 EPERM "a table cannot be renamed; to copy and remove it: itemctl -s $S copy new --to new2 && itemctl -s $S drop new --yes" 'Operation not permitted' 'mv m/new m/new2'
ok bash -c "$(reasons m/new2 | grep -o 'itemctl.*')"
eq 'the command of the message renames the table' "$(ls m | tr '\n' ' ')" 'new2 slow tab two '
ctl drop new2 --yes
row $t/q EPERM 'only partitions of a table with a sort key are directories; a / in a key is written %2F' 'Operation not permitted' "mkdir $t/q"
row $t/b.json EPERM 'a mount can only have items and directories; to copy an item: cp' 'Operation not permitted' "ln $t/a.json $t/b.json"

# ---- EEXIST, ENOTEMPTY

refused 'cannot overwrite existing file' bash -c "set -C; echo '{}' >$t/a.json"
refused 'File exists' dd if=half of=$t/a.json conv=excl
refused 'File exists' mkdir $t
row $t ENOTEMPTY 'the partition has items' "rmdir: failed to remove '$t': Directory not empty" "rmdir $t"

# ---- ESTALE: lost update

mnt strict -o table=tab,conflict=fail
row strict/p/a.json ESTALE 'another client has changed it since it was opened' 'write error: Stale file handle' \
	"exec 4>strict/p/a.json; echo '{\"v\":5,\"G\":7}' >$t/a.json; echo '{\"v\":6}' >&4"
echo '{"v":1,"G":7}' >$t/a.json

# ---- EXDEV: mv then copies and deletes

seq 101 | jq -c '{PK:"many",SK:"\(.)"}' | ctl put tab - >/dev/null
rename='rename($ARGV[0], $ARGV[1]) or die "rename: $!\n"'
row m/tab/other EXDEV 'one transaction cannot move more than 100 items or 4 MB' 'rename: Invalid cross-device link' \
	"perl -e '$rename' m/tab/many m/tab/other"
row m/two/p/a.json EXDEV 'items cannot be moved between tables' 'rename: Invalid cross-device link' "perl -e '$rename' $t/a.json m/two/p/a.json"
row m/tab/.index/gsi/7/x EXDEV 'items cannot be moved into or out of a view of an index' 'rename: Invalid cross-device link' \
	"perl -e '$rename' $t/a.json m/tab/.index/gsi/7/x"
ok mv m/tab/many m/tab/other
eq 'mv of a large partition' "$(ctl query tab many --count) $(ctl query tab other --count)" '0 101'
ok mv $t/a.json m/two/p/a.json
eq 'mv to another table' "$(item tab p a) $(item two p a)" " $a"
ok mv m/two/p/a.json $t/a.json

# ---- ENOENT: bad clauses

row $t/.limit/x ENOENT '.limit: expected a number of items, found "x"' 'No such file or directory' "ls $t/.limit/x"
row $t/.eq/a/.eq ENOENT 'there is already a condition on the sort key, and only one is allowed' 'No such file or directory' \
	"cat $t/.eq/a/.eq/b/.jsonl"
refused 'No such file or directory' cat $t/none.json
eq 'a missing item is not a refusal' "$(ctl why $t/none.json | jq -r .Message)" 'there is no item none.json'

# ---- EBUSY: throttled

ctl call UpdateTable '{"TableName":"slow","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}' >/dev/null
ctl alter slow --throttle on >/dev/null
mkdir m/slow/p
{ printf '{"v":"'; head -c 200000 /dev/zero | tr '\0' x; printf '"}'; } >large
throttled='The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API. (TableWriteProvisionedThroughputExceeded: arn:aws:dynamodb:us-east-1:000000000000:table/slow)'
ok cp large m/slow/p/1.json
{ printf '{"v":"'; head -c 390000 /dev/zero | tr '\0' y; printf '"}'; } >larger # several minutes of capacity
ok cp larger m/slow/p/2.json
row m/slow/p/3.json EBUSY "$throttled" "cp: failed to close 'm/slow/p/3.json': Device or resource busy" 'cp large m/slow/p/3.json'
row m/slow/p/1.json EBUSY "$throttled" "rm: cannot remove 'm/slow/p/1.json': Device or resource busy" 'rm m/slow/p/1.json'
refused "mv: cannot move 'm/slow/p/1.json' to 'm/slow/p/4.json': Device or resource busy" mv m/slow/p/1.json m/slow/p/4.json
settle m
eq 'the rejected text is kept' "$(cmp large m/.itemfs/rejected/*-3.json)" ''
eq 'nothing else has changed' "$(ls m/slow/p)" '1.json
2.json'
for i in 1 2 3; do # 148 of 300 units each, so the last may be refused
	ctl call Query '{"TableName":"slow","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"p"}},"ConsistentRead":true}' >/dev/null 2>&1
done
row m/slow/p/.jsonl EBUSY "${throttled/Write/Read}" 'cat: m/slow/p/.jsonl: Device or resource busy' 'cat m/slow/p/.jsonl'

# ---- the log

eq 'why without a path is the log without settled lines, newest first' "$(reasons | grep -vP '\t\t-\t' | cut -f 3,6 | grep -vF "$W/strict/" | tac)" "$(grep -vP '\tsettled$|\t-\t-\t' m/.itemfs/errors | cut -f 3,6)"
eq 'and without errors that programs expect' "$(reasons | grep -cP '\tEEXIST\t|\tENOTEMPTY\t|\tEXDEV\t')" 0
eq 'each line has six fields and an optional count' "$(awk -F '\t' 'NF != 6 && $7 !~ /^(x [1-9][0-9]*|settled)$/ && $8 != "settled"' m/.itemfs/errors)" ''
eq 'with times and users' "$(tail -n 1 m/.itemfs/errors | grep -cE "^[0-9]{4}-[0-9-]*T[0-9:.]*Z	$(id -u)	")" 1
eq 'errors that programs expect are not in the log' "$(cut -f 4 m/.itemfs/errors | grep -cE 'ENOTEMPTY|EEXIST|EXDEV')" 0
eq 'attempts to create files where that is impossible are in the log' "$(cut -f 3,4 m/.itemfs/errors | grep -cF "$W/m/new	EPERM")" 2
for n in $(seq 17); do echo '{"v":again}' >$t/again.json; done 2>/dev/null
eq 'repeated errors are one line' "$(cut -f 3,7 m/.itemfs/errors | grep -F again)" "$W/$t/again.json	x 17"
eq 'and why counts it' "$(ctl why $t/again.json | jq -c '[.Path, .Times]')" "[\"$W/$t/again.json\",17]"
for n in $(seq 1100); do echo x >"$t/$n.json"; done 2>/dev/null
for n in $(seq 200); do mkdir "$t/$n"; done 2>/dev/null
eq 'the newest thousand lines are kept' "$(ctl why | jq -r '.Errno // "EPERM"' | grep -vcE 'EPERM|EROFS') $(ctl why | jq -r .Errno | grep -c EPERM) $(grep EBADMSG m/.itemfs/errors | tail -n 1 | cut -f 3)" "1000 100 $W/$t/1100.json"
eq 'another mount keeps its line' "$(grep -cvP '\tE(PERM|ROFS)\t|\t-\t-\t' m/.itemfs/errors) $(cut -f 3 strict/.itemfs/errors)" "999 $W/strict/p/a.json"
eq 'why finds the newest hundred expected errors' "$(reasons "$t/200" | cut -f 4) $(reasons "$t/100" | cut -f 2,6)" $'EPERM \tthere is no item 100'
eq 'the newest hundred texts are kept' "$(ls m/.itemfs/rejected | wc -l) $(ls m/.itemfs/rejected | tail -n 1 | grep -c -- '-1100.json$')" '100 1'
mnt n -o table=tab
eq 'another mount has its own log' "$(cat n/.itemfs/errors)" ''
refused 'Bad message' bash -c 'echo x >n/p/a.json'
eq 'with the path of that mount' "$(ctl why n/p/a.json | wc -l) $(cut -f 3 n/.itemfs/errors)" "1 $W/n/p/a.json"
eq 'which the first mount does not show' "$(grep -c "$W/n/" m/.itemfs/errors)" 0
echo '{"v":1}' >$t/fine.json
eq 'itemctl why of an item that was never refused' "$(ctl why $t/fine.json | jq -r '.Message | split("; ")[:2] | join("; ")')" 'nothing was refused; the item is stored: 3 attributes, 29 bytes'

done_testing
