#!/bin/bash
# copy: a table between stores and servers, with its definition; how to continue an incomplete copy.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi ByKind=kind,SK:N/KEYS_ONLY --lsi 'ByOdd=odd/INCLUDE:text' --ttl at --stream NEW_IMAGE
seq 1 60000 | awk '{ printf "{\"PK\":\"it\047s %d\",\"SK\":%d,\"kind\":\"%s\",\"odd\":\"%d\",\"text\":\"%0100d\"}\n", $1 % 70, $1, substr("xyz", $1 % 3 + 1, 1), $1 % 2, $1 }' >all.jsonl
ctl -q import tab all.jsonl
# what STORE TABLE - print its definition without names and times, and its items
what()
{
	itemctl_of "$1" describe "$2" | jq -cS 'del(.TableName, .TableArn, .TableId, .CreationDateTime, .LatestStreamArn, .LatestStreamLabel,
		.BillingModeSummary.LastUpdateToPayPerRequestDateTime) | del(.. | .IndexArn?)'
	itemctl_of "$1" scan "$2"
	itemctl_of "$1" scan "$2" --index ByKind
}
want=$(what "$S" tab | sha256sum)

ok ctl copy tab --to ./new
eq 'copy reports what it did' "${err%% in *}/${err##*; }" $'table tab created\ncopied 60,000 items to ./new/durable'
eq 'a copy to a new store' "$(what new tab | sha256sum)" "$want"
ok itemctl_of new check
ok ctl copy tab --to new/other
eq 'a copy with another name' "$(what new other | sha256sum)" "$want"
ok itemctl_of new copy other --to beside
eq 'a bare name is a table of the same store, and the message says so' "${err%% in *}" $'table beside created\ncopied 60,000 items to table beside of new'
[ ! -e beside ] || fail 'there is a directory "beside"'
gives 2 '--to is the table itself' ctl copy tab --to tab
ok ctl copy tab --to new
eq 'a store with the name of the target is pointed out' "$(head -1 <<<"$err")" "./new is a store; to copy a table of this store: itemctl copy tab --to $S/new"
ok ctl copy tab --to "$S/again"
eq 'a copy in the same store' "$(what "$S" again | sha256sum)" "$want"
ok ctl copy tab --to ./new --jobs 1
eq 'a copy to an existing table' "${err%% in *}" 'copied 60,000 items to ./new'
mkdir empty
ok ctl copy tab --to ./empty
eq 'a copy to an empty directory' "$(what empty tab | sha256sum)" "$want"

# ---- a server at one end
"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >served 2>&1 &
other=$!
url=http://$(address served)
small=$(ctl query tab "it's 5")
printf '%s\n' "$small" >small.jsonl
itemctl_of few -q create-table tab --key PK,SK:N --ttl at
itemctl_of few -q import tab small.jsonl
ok itemctl_of few copy tab --to "$url"
eq 'a copy to a server' "$(itemctl_of "$url" scan tab | sort)" "$(sort small.jsonl)"
ok itemctl_of few copy tab --to "$url/named"
eq 'a copy to a server, with a name' "$(itemctl_of "$url" scan named --count)" "$(wc -l <small.jsonl)"
eq 'with its time to live' "$(itemctl_of "$url" describe named | jq -r .TimeToLiveDescription.AttributeName)" at
export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_ENDPOINT_URL_DYNAMODB=$url
ok itemctl_of few copy tab --to dynamodb:eu-west-1/configured
eq 'a copy to a server named in the settings' "$(printf '%s\n' "$err" | grep -c "to dynamodb:eu-west-1/configured (localhost:${url##*:}) in ")" 1
gives 2 "--to is the table itself: $url and dynamodb:eu-west-1 are the server" itemctl_of "$url" copy named --to dynamodb:eu-west-1
gives 2 '--to is the table itself' itemctl_of "http://localhost:${url##*:}" copy named --to "$url"
ok itemctl_of "$url" copy named --to dynamodb:eu-west-1/beside
eq 'a copy to another table of the server' "$(itemctl_of "$url" scan beside | sort)" "$(sort small.jsonl)"
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_ENDPOINT_URL_DYNAMODB
ok itemctl_of "$url" copy named --to ./back
eq 'a copy from a server' "$(itemctl_of back scan named | sort)" "$(sort small.jsonl)"
# ---- store and table in one word, the target as a word, all tables
all=$(itemctl_of "$url" tables | jq -r .TableName | sort)
for line in "$url whole.db" "$url --to ./whole" "--all -s $url whole2/" "-r ./whole whole3"; do
	ok "$ITEMCTL" copy $line
	to=${line##* }
	eq "copy $line" "$(itemctl_of "$to" tables | jq -r .TableName | sort)" "$all"
done
for line in 'few/tab path/tab' '-s few few/tab --to path/second' '-s few tab path/third' "$url/tab path/far"; do
	ok "$ITEMCTL" copy $line
	to=${line##* }
	eq "copy $line" "$("$ITEMCTL" scan "$to" | sort)" "$(sort small.jsonl)"
	eq 'in the new store' "$(itemctl_of path scan "${to#path/}" --count)" "$(wc -l <small.jsonl)"
done
ok "$ITEMCTL" copy few/tab path/some --where 'attribute_not_exists(PK)'
eq 'a copy of some items' "$(itemctl_of path scan some --count)" 0
gives 0 'copied 0 items' "$ITEMCTL" copy few/tab path/none --query 'attribute_not_exists(PK)'
gives 2 'copy: two targets: here and --to there' itemctl_of few copy tab here --to there
gives 2 'copy needs --to' "$ITEMCTL" copy few
gives 2 '--start does not go with --all' itemctl_of few copy --all ./whole --start '{}'
gives 3 'Table: none not found' "$ITEMCTL" copy few/none path/none
gives 2 'to write a file: itemctl -s few export tab x.csv' "$ITEMCTL" copy few/tab x.csv
kill $other
wait $other

# ---- refused
gives 2 'copy needs --to' ctl copy tab
gives 2 '--to is the table itself' ctl copy tab --to "$S"
gives 2 '--to is the table itself' ctl copy tab --to "$S/tab"
gives 3 'ResourceNotFoundException' ctl copy none --to ./fresh
gone fresh
itemctl_of new -q create-table odd --key PK
gives 2 'the table odd there has another key' ctl copy tab --to new/odd
gives 2 'Not a directory' ctl copy tab --to "$W/served/x"
gives 2 'No such file' ctl copy tab --to "$W/none/deep/tab"
mkdir full && touch full/file
gives 2 'not a store' ctl copy tab --to ./full
gives 2 'ValidationException' ctl copy tab --to ./new --start '{"x":1}'
eq 'no hint how to continue, since nothing has begun' "$(printf '%s\n' "$err" | grep -c copied)" 0
gives 2 '' ctl copy tab --to ./fresh --start '{'
gives 2 'not JSON' ctl copy tab --to ./fresh --start ''
gone fresh
eq 'no hint here, either' "$(printf '%s\n' "$err" | grep -c copied)" 0
gives 70 '' itemctl_of http://127.0.0.1:1 copy tab --to ./fresh

# ---- continuing an incomplete copy
rest()
{
	sed -n "s/.*with --start '\(.*\)' continues\$/\1/p" "$1" | sed "s/'\\\\''/'/g"
}
interruptible "$ITEMCTL" -s "$S" copy tab --to ./part 2>stopped.err &
copy=$!
begun()
{
	[ -e part/FORMAT ] || ! kill -0 $copy
}
wait_until 60 begun
kill -INT $copy 2>/dev/null
wait $copy
case $? in
0) ;; # the copy was faster
130)
	start=$(rest stopped.err)
	if [ -n "$start" ]; then
		ok ctl copy tab --to ./part --start "$start"
	else
		ok ctl copy tab --to ./part
	fi
	;;
*) fail "it ends in another way: $(cat stopped.err)" ;;
esac
eq 'the continued copy is complete' "$(itemctl_of part scan tab --count)" 60000
# A disk that becomes full: the store is then read-only, until the next command opens it.
full()
(
	trap '' XFSZ
	ulimit -f 8000
	ctl copy tab --to ./tight --jobs 2
)
gives 70 'copied ' full
start=$(rest ok.err)
if [ -n "$start" ]; then
	ok ctl copy tab --to ./tight --start "$start"
else
	ok ctl copy tab --to ./tight
fi
n=$(itemctl_of tight scan tab --count)
eq 'the continued copy is complete' "$n" 60000
eq 'and identical' "$(itemctl_of tight scan tab | sha256sum)" "$(ctl scan tab | sha256sum)"
done_testing
