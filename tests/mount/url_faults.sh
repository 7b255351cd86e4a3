#!/bin/bash
# An endpoint that refuses one operation, in each way: each request fails with an errno of its row in NAMESPACE 6, and
# after each reported success the change is stored.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=backoff=50 # requests are not retried for long
here python3 || done_testing

between_endpoint

# allowed REQUEST ERRNO - test if the errno is in the request's row, or allowed for all
common=$(sed -n 's/^Each request may fail with \(.*\), because an endpoint/\1/p' "$HERE/../../fs/NAMESPACE.md")
allowed()
{
	local row
	[ "$2" != EAGAIN ] || return 1 # not for these files
	row=$(grep -E "^\| ([A-Z]+, )*$1(, [A-Z]+)* \| E" "$HERE/../../fs/NAMESPACE.md") # LOOKUP, GETATTR and READDIR have none
	[[ " ${row//[^A-Z]/ } ${common//[^A-Z]/ } " = *" $2 "* ]]
}
eq 'the table is read' "$(allowed OPEN EROFS && allowed FSYNC EIO && ! allowed READDIR EROFS && ! allowed READ EAGAIN && echo yes)" yes

tab=tab # the table
# held NAME - print the item that the real endpoint has
held()
{
	local pk=p sk=$1
	case $1 in */*) pk=${1%/*} sk=${1#*/} ;; esac
	"$ITEMCTL" -s "$real" call GetItem '{"TableName":"'$tab'","ConsistentRead":true,"Key":{"PK":{"S":"'"$pk"'"},"SK":{"S":"'"$sk"'"}}}' |
		jq -r '.Item.v.N // "-"'
}

fresh()
{
	local name
	"$ITEMCTL" -s "$real" -q drop $tab --yes 2>/dev/null
	"$ITEMCTL" -s "$real" -q create-table $tab --key PK,SK --stream NEW_IMAGE
	{
		for name in a b c e g i; do echo '{"PK":"p","SK":"'$name'","v":1}'; done
		printf '%s\n' '{"PK":"p","SK":"g","v":7}' '{"PK":"p","SK":"h","v":8}' '{"PK":"r","SK":"r","v":1}'
	} | "$ITEMCTL" -s "$real" -q import $tab
}

# judge WHAT CALLS - check that each call failed with an errno of its row, or did what it reported; adds to total
judge()
{
	local call request code what
	while read -r call request code what; do
		checks=$((checks + 1))
		if [ "$call" = = ]; then
			eq "$1: after success there is $request" "$(held "$request")" "$code"
		elif [ "$code" != 0 ]; then
			total=$((total + 1))
			allowed "$request" "$code" || fail "$1: $call gives $code of $request"
		fi
	done <"$2"
}

# faulty OPERATION ERROR
faulty()
{
	rm -f before/*
	fresh
	mnt m -o table=tab,timeout=0,rw
	echo "echo $2; false" >"before/$1"
	python3 "$HERE/faults.py" m >calls 2>calls.err || fail "$1 $2: $(cat calls.err)"
	judge "$1 $2" calls
	rm "before/$1"
	# A refusal delays nothing: the mount works as before.
	eq "$1 $2: the mount goes on" "$(echo '{"v":9}' >m/p/after.json && sync m/p/after.json && held after)" 9
	unmnt m
}
total=0
for operation in GetItem PutItem UpdateItem DeleteItem Query Scan TransactWriteItems TransactGetItems BatchWriteItem BatchGetItem DescribeTable; do
	faulty $operation UnknownOperationException
	# Each of these requests is retried several times.
	if [ -n "${ITEMFS_FULL-}" ]; then
		for error in ValidationException LimitExceededException TransactionCanceledException ConditionalCheckFailedException; do
			faulty $operation $error
		done
		faulty $operation AccessDeniedException
		faulty $operation ProvisionedThroughputExceededException
		faulty $operation InternalServerError
	fi
done
faulty PutItem AccessDeniedException
faulty Query ConditionalCheckFailedException # no Query gives this error
for operation in GetItem PutItem TransactWriteItems; do
	faulty $operation ProvisionedThroughputExceededException
done
eq 'something was refused' "$((total > 20))" 1

# ---- an endpoint that accepts a request of one operation and never responds: all in parallel, since each call lasts
# for its whole time limit

operations=(GetItem PutItem DeleteItem Query Scan TransactWriteItems) # not DescribeTable: each lookup would wait for it, which takes minutes
mkfifo silence
exec 9<>silence # a reader of it waits until we end
for tab in "${operations[@]}"; do
	fresh
	mkdir "before.$tab"
	python3 "$HERE/between.py" "port.$tab" "${real##*:}" "before.$tab" 2>/dev/null 9>&- &
	helpers="$helpers $!"
	disown
	ok wait_until 10 test -s "port.$tab"
	S=http://127.0.0.1:$(cat "port.$tab")
	mnt "m.$tab" -o "table=$tab,timeout=0,rw,timeout_request=1" 9>&-
	echo 'read -r _ <silence' >"before.$tab/$tab"
done
callers=
for tab in "${operations[@]}"; do
	python3 "$HERE/faults.py" "m.$tab" brief >"calls.$tab" 2>"calls.$tab.err" 9>&- &
	callers="$callers $!"
done
for caller in $callers; do
	wait "$caller" || fail 'the calls ended early'
done
total=0
for tab in "${operations[@]}"; do
	eq "$tab: all calls are made" "$(tail -n 1 "calls.$tab.err")" ''
	judge "$tab, no answer" "calls.$tab"
	rm "before.$tab/$tab"
	# Requests that timed out delay nothing.
	writes() { echo '{"v":9}' >"m.$tab/p/after.json" && sync "m.$tab/p/after.json"; } 2>/dev/null
	ok wait_until 20 writes
	eq "$tab, no answer: it goes on" "$(held after)" 9
	unmnt "m.$tab"
done
eq 'something was not answered' "$((total > 10))" 1
done_testing
