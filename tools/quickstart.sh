#!/bin/sh
# quickstart.sh - from a fresh machine to a mounted table: packages, build, the order-entry example
#
#   sh tools/quickstart.sh             leaves the mounts up and says how to unmount them
#   sh tools/quickstart.sh --no-keep   unmounts at the end
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh
keep=1
case ${1-} in
'') ;;
--no-keep) keep= ;;
*)
	echo "usage: sh tools/quickstart.sh [--no-keep]" >&2
	exit 2
	;;
esac

demo=build/quickstart
PATH=$PWD/build/tools:$PWD/build/fs:$PATH
export ITEMFS_STORE="$demo/store"

say()
{
	printf '\n# %s\n' "$*"
}

# try COMMAND - print it, then run it; a status other than 0 is shown, but does not end the script
try()
{
	printf '$ %s\n' "$1"
	eval "$1" || printf '(exit status %d)\n' $?
}

unmount()
{
	for mounted in "$demo/gsi1" "$demo/hroe"; do
		if grep -qs " $PWD/$mounted fuse.itemfs " /proc/self/mounts; then
			fusermount3 -u "$mounted" || {
				echo "a shell or program is still in $PWD/$mounted: leave it and try again" >&2
				exit 1
			}
		fi
	done
}

# shellcheck disable=SC2086
need $PACKAGES_BUILD jq
if [ ! -e /dev/fuse ]; then
	echo "there is no /dev/fuse here: nothing can be mounted" >&2
	exit 1
fi
[ -e build/tools/itemctl ] || echo 'building, which takes about half a minute ...' >&2
[ -e build/build.ninja ] || meson setup build -Dtests=false >/dev/null
built=$(ninja -C build --quiet 2>&1) || {
	printf '%s\n' "$built" >&2
	exit 1
}
unmount
rm -rf "$demo"
mkdir -p "$demo/hroe" "$demo/gsi1"
if [ -z "$keep" ]; then
	trap unmount EXIT # whatever ends the script: Ctrl-C, or a reader that closes the pipe
	trap 'exit 1' INT TERM HUP PIPE
fi

say 'A store with the table of the order-entry example: ten entity types, three indexes, 108 items.'
try "itemctl create-table --from tools/examples/order-entry/table.json"
try "itemctl import hroe tools/examples/order-entry/items.jsonl"

say 'The table as a directory tree, next to the same items by their first index.'
try "itemfs $demo/store $demo/hroe -o table=hroe"
try "itemfs $demo/store $demo/gsi1 -o table=hroe,index=GSI1"

say 'A partition key is a directory, a sort key is a file.'
try "ls -U $demo/hroe/HR-EMPLOYEE1"
try "cat '$demo/hroe/HR-EMPLOYEE1/John Smith.json'"

say 'A glob is a query: the job history. A directory of GSI1 is another: everyone who sits in warehouse 1.'
try "cat $demo/hroe/HR-EMPLOYEE1/JH-*.json"
try "cat $demo/gsi1/WAREHOUSE1/*.json | jq -r .EmployeeName"

say 'A redirect replaces an item; the index view shows it at once.'
try "echo '{\"GSI1_SK\":\"B10|F01|A09|R09\",\"EmployeeName\":\"Luca Rossi\"}' > $demo/hroe/HR-EMPLOYEE5/WAREHOUSE1.json"
try "ls -U $demo/gsi1/WAREHOUSE1"

say 'A transaction: all actions or none.'
cat >"$demo/ship.txt" <<'END'
# order 9 is shipped: the status stands in every row of the order
check hroe OE-CUSTOMER4 EMPLOYEE6 if CreditLimit >= 1000
put hroe '{"PK":"OE-ORDER9","SK":"CUSTOMER4","GSI1_SK":"SHIPPED#2018-07-28","SalesRepID":"EMPLOYEE6","OrderTotal":1000,"GSI2_PK":8}'
    if GSI1_SK = "OPEN#2018-07-28"
put hroe '{"PK":"OE-ORDER9","SK":"EMPLOYEE6","GSI1_SK":"SHIPPED#2018-07-28","OrderTotal":1000,"CustomerID":"CUSTOMER4"}'
    if GSI1_SK = "OPEN#2018-07-28"
put hroe '{"PK":"OE-ORDER9","SK":"PRODUCT1","GSI1_SK":"SHIPPED#2018-07-28","OrderQuantity":200,"UnitPrice":5,"GSI2_PK":10}'
    if GSI1_SK = "OPEN#2018-07-28"
END
try "cat $demo/ship.txt"
try "itemctl transact $demo/ship.txt"
try "cat $demo/hroe/OE-ORDER9/*.json"

say 'Once more: the order is no longer open, so the transaction is cancelled and says why.'
try "itemctl transact $demo/ship.txt"

say 'All OPEN orders of August 2018 over the 15 shards of GSI2, merged by date.'
try "itemctl query hroe --index GSI2 --shards 0..14 --between 'OPEN#2018-08-01' 'OPEN#2018-08-31'"

[ -n "$keep" ] || exit 0
cat <<END

# The mounts stay:  $PWD/$demo/hroe  and  $PWD/$demo/gsi1
# Use itemctl on it with:  PATH=$PWD/build/tools:\$PATH ITEMFS_STORE=$PWD/$demo/store
# Unmount with:            fusermount3 -u $PWD/$demo/gsi1; fusermount3 -u $PWD/$demo/hroe
END
