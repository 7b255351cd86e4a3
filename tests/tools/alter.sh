#!/bin/bash
# alter: indexes are added to a table with items, and dropped; the command waits for each.
. "$(dirname "$0")/lib.sh"
begin

ctl -q create-table orders --key PK,SK:N || exit 1
for ((n = 0; n < 600; n++)); do
	printf '{"PK":"p%d","SK":%d,"Status":"S%d"}\n' $((n % 9)) $n $((n % 4))
done | ctl -q import orders - || exit 1
ctl put orders '{"PK":"odd","SK":1,"Status":7}' '{"PK":"odd","SK":2,"Status":""}' '{"PK":"odd","SK":3}'

ok ctl alter orders --add-gsi 'ByStatus=Status,SK/KEYS_ONLY' --add-gsi 'Inverted=SK,PK'
eq 'each index is reported' "$(grep ^index <<<"$err")" $'index ByStatus added\nindex Inverted added'
eq 'an index key without a type has the type in the table' "$(ctl tables | jq -c .Indexes)" \
	'["ByStatus=Status:S,SK:N/KEYS_ONLY","Inverted=SK:N,PK:S"]'
eq 'the new indexes are complete' "$(ctl describe orders | jq -c '[.TableStatus]+[.GlobalSecondaryIndexes[]|.IndexStatus,.ItemCount]')" \
	'["ACTIVE","ACTIVE",600,"ACTIVE",603]'
eq 'and can be queried' "$(ctl query orders S3 --index ByStatus --limit 2)" \
	$'{"PK":"p3","SK":3,"Status":"S3"}\n{"PK":"p7","SK":7,"Status":"S3"}'
ok ctl check

# ---- another key with the same index name
ok ctl -q alter orders --add-gsi 'ByStatus=PK' --drop-gsi ByStatus --drop-gsi Inverted
eq 'indexes are dropped before others are added' "$(ctl tables | jq -c .Indexes)" '["ByStatus=PK:S"]'
eq 'with --quiet nothing is printed' "$err" ''
eq 'the new index has none of the old entries' "$(ctl query orders odd --index ByStatus --count)" 3
ok ctl check

# ---- time to live
ok ctl alter orders --ttl expires
eq 'the time to live is reported' "$err" 'time to live expires'
eq 'the time to live is set' "$(ctl describe orders | jq -c .TimeToLiveDescription.AttributeName)" '"expires"'
ok ctl alter orders --ttl expires
eq 'setting it again is not a failure' "$err" 'time to live is expires already'
gives 2 $'current AttributeName is expires\nitemctl alter orders --ttl off && itemctl alter orders --ttl "it\'s"' ctl alter orders --ttl "it's"
ok ctl alter orders --no-ttl
eq 'disabling it is reported' "$err" 'time to live off'
eq 'the time to live is off' "$(ctl describe orders | jq -c .TimeToLiveDescription.AttributeName)" null
ok ctl alter orders --ttl off
eq 'disabling it again is not a failure' "$err" 'time to live is off already'

# ---- stream
ok ctl alter orders --stream new_image
eq 'the stream is reported' "$err" 'stream new_image'
eq 'the stream is on' "$(ctl describe orders | jq -r .StreamSpecification.StreamViewType)" NEW_IMAGE
gives 2 'already has an enabled stream' ctl alter orders --stream KEYS_ONLY
ok ctl -q alter orders --stream off
eq 'with -q nothing is printed' "$err" ''
eq 'the stream is off' "$(ctl describe orders | jq -c .StreamSpecification)" null
gives 2 'needs KEYS_ONLY' ctl alter orders --stream ALL

# ---- settings that only itemfs has
ok ctl create-table units PK --gsi ByA=A
ok ctl alter units --rcu 5 --wcu 10 --throttle on
eq 'units are set' "$err" $'throttle on\nread units 5, write units 10'
eq 'and those of its index' "$(ctl describe units | jq -c '[., .GlobalSecondaryIndexes[0] | .ProvisionedThroughput | .ReadCapacityUnits, .WriteCapacityUnits]')" '[5,10,5,10]'
ok ctl alter units --write-units 7
eq 'an unnamed limit stays' "$(ctl describe units | jq -c '.ProvisionedThroughput | [.ReadCapacityUnits, .WriteCapacityUnits]')" '[5,7]'
gives 2 '' ctl alter units --read-units 0
ok ctl drop units --yes
settings() { ctl describe "$1" --format table | tr -s ' ' | grep -E 'throttle|limit'; }
ok ctl alter orders --throttle on --collection-limit 3k
units='itemctl alter orders --read-units 1 --write-units 1'
eq 'the settings are reported' "$err" $'throttle on\norders is on demand: at most 3000 read and 1000 write units per second of one partition. After a burst of 300 units: '"$units"$'\ncollection limit 3k'
eq 'the settings are set' "$(settings orders)" $'throttle on\ncollection limit 3000'
ok ctl alter orders --throttle off
eq 'they can be disabled one by one' "$(settings orders)" 'collection limit 3000'
ok ctl alter orders --collection-limit off
eq 'and all of them' "$(settings orders)" ''
gives 2 'needs on or off' ctl alter orders --throttle yes
gives 2 'needs a number of bytes or off' ctl alter orders --collection-limit much

# ---- an interruption: the progress of the index is reported, and the store goes on
if [ -n "${SERVED-}" ]; then
	ctl -q create-table many --key PK
	state() { ctl describe many | jq -r '.GlobalSecondaryIndexes[]? | select(.IndexName == "Late").IndexStatus'; }
	begun() { [ -n "$(state)" ]; }
	active() { [ "$(state)" = ACTIVE ]; }
	settled() { [ "$(ctl describe many | jq -r .TableStatus)" = ACTIVE ]; }
	said='itemctl: interrupted after [0-9,]+ items; the store continues with index Late while it is open \(mounted, served\)'
	# If the store is too fast for the signal, repeat with more items.
	for ((items = 30000; items < 1000000; items *= 3)); do
		seq $items | sed 's/.*/{"PK":"&","G":"g"}/' | ctl -q import many
		interruptible "$ITEMCTL" -s "$S" alter many --add-gsi Late=G --add-gsi Later=G 2>stopped.err &
		alter=$!
		wait_until 20 begun || fail 'the index is not begun'
		kill -INT $alter 2>/dev/null
		wait $alter
		status=$?
		! grep -qxE "$said" stopped.err || break
		wait_until 60 settled
		ctl -q alter many $(ctl describe many | jq -r '.GlobalSecondaryIndexes[] | "--drop-gsi " + .IndexName')
	done
	eq 'it ends by the signal' $status 130
	grep -qxE "$said" stopped.err || fail "it says: $(cat stopped.err)"
	wait_until 60 active || fail 'the store does not continue'
	eq 'the store completes this index only' "$(ctl query many g --index Late --count) $(ctl tables | jq -c 'select(.TableName == "many").Indexes')" \
		"$items "'["Late=G:S"]'
	ctl -q drop many --yes
fi

# ---- refusals
gives 2 'needs --add-gsi, --drop-gsi, --ttl, --stream, --throttle, --read-units, --write-units or --collection-limit' ctl alter orders
gives 2 'already exists' ctl alter orders --add-gsi ByStatus=Status
gives 2 'two types' ctl alter orders --add-gsi Other=SK:S
gives 2 'NAME=KEY' ctl alter orders --add-gsi Other
gives 3 'ResourceNotFoundException: Requested resource not found: the table has no index Other' ctl alter orders --drop-gsi Other
gives 3 'ResourceNotFoundException' ctl alter nobody --drop-gsi Other

# ---- with a mistake in one option, none of the others takes effect
gives 2 'a projection must be ALL' ctl alter orders --drop-gsi ByStatus --add-gsi 'ByStatus=Status/FOO'
gives 2 'NAME=KEY' ctl alter orders --drop-gsi ByStatus --add-gsi bad
gives 2 'two types' ctl alter orders --drop-gsi ByStatus --add-gsi 'Other=PK:N'
gives 2 'two types' ctl alter orders --drop-gsi ByStatus --add-gsi 'One=New:N' --add-gsi 'Two=New:S'
gives 2 'already exists' ctl alter orders --drop-gsi ByStatus --add-gsi One=New --add-gsi One=SK
gives 2 'at least 3 characters' ctl alter orders --drop-gsi ByStatus --add-gsi 'AB=New'
gives 2 'have the same name' ctl alter orders --drop-gsi ByStatus --add-gsi 'One=New,New'
gives 3 'ResourceNotFoundException' ctl alter orders --drop-gsi ByStatus --drop-gsi Nope
gives 3 'ResourceNotFoundException' ctl alter orders --drop-gsi ByStatus --drop-gsi ByStatus
gives 2 'needs KEYS_ONLY' ctl alter orders --ttl expires --throttle on --stream BAD
gives 2 'AttributeName must be non empty' ctl alter orders --throttle on --ttl ''
gives 2 'needs a number of bytes' ctl alter orders --ttl expires --drop-gsi ByStatus --collection-limit much
eq 'no setting is changed' "$(settings orders)" ''
eq 'no time to live is set' "$(ctl describe orders | jq -c .TimeToLiveDescription.AttributeName)" null
ctl -q create-table local --key PK,SK --lsi ByDate=Date --gsi Other=Date
gives 2 'not a GlobalSecondaryIndex' ctl alter local --drop-gsi Other --drop-gsi ByDate
eq 'a local index cannot be dropped' "$(ctl describe local | jq -c '[.GlobalSecondaryIndexes[].IndexName]')" '["Other"]'
ctl -q drop local --yes
eq 'the table is unchanged' "$(ctl tables | jq -c .Indexes)" '["ByStatus=PK:S"]'

# ---- items that have the index key with another type
ok ctl create-table types --key PK
ok ctl put types '{"PK":"a","x":"1"}' '{"PK":"b","x":2}' '{"PK":"c"}'
ok ctl alter types --add-gsi 'ByX=x:N'
eq 'missing items are reported' "$err" $'index ByX added\n1 of the 3 items is not in index ByX: x is of type S there, not N; to fix it: itemctl alter types --drop-gsi ByX --add-gsi ByX=x:S'

# ---- a server, whose protocol has no such settings
end_server
begin_server --port 0
url=http://$(address log | tail -n 1)
none="$url does not support --throttle and --collection-limit, which DynamoDB's protocol lacks"
served() { itemctl_of "$url" "$@"; }
gives 2 "$none. The directory of a store does, also while it is served: itemctl alter types --throttle on" served alter types --throttle on --dry-run
line=${err##*: itemctl }
gives 2 'itemctl alter types --throttle off --collection-limit 5k' served alter types --throttle off --collection-limit 5k --stream NEW_IMAGE --dry-run
eq 'none of the changes is made' "$(ctl describe types --format json | jq -c .StreamSpecification)" null
gives 2 "itemctl create-table limits --key PK,SK --gsi All=x:N/ALL --lsi ByD=d --ttl e --throttle --collection-limit 5000" \
	served create-table limits --key PK,SK --gsi All=x:N/ALL --lsi ByD=d --ttl e --throttle --collection-limit 5k
gives 3 '' served describe limits # no table without the settings
eval "ok ctl $line"
eq 'the suggested command works' "$(settings types)" 'throttle on'
ok served alter types --throttle off --collection-limit 5k --stream NEW_IMAGE
eq 'with the store directory, if the server runs here' "$(settings types)" 'collection limit 5000'
ok ctl create-table plain --key PK --throttle
ok ctl copy plain --to "$url/copied"
eq 'a copy reports settings that it does not copy' "$(grep "does not support" <<<"$err")" \
	"$none. The directory of a store does, also while it is served: itemctl alter copied --throttle on"
done_testing
