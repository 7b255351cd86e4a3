#!/bin/bash
# itemctl finds the store: in the directory of a mount, from a path in it, by a name in the settings.
. "$(dirname "$0")/lib.sh"

unset ITEMFS_STORE
export XDG_CONFIG_HOME=$W/config
store --key PK,SK
ok ctl put tab '{"PK":"a","SK":"1"}'
mnt m -o table=tab
item='{"PK":"a","SK":"1"}'

# ---- mounts
for path in m m/a m/a/1.json "$W/m/.itemfs"; do
	eq "-s $path" "$("$ITEMCTL" -s "$path" get tab a 1)" "$item"
done
for dir in m m/a; do
	eq "in $dir" "$(cd "$dir" && "$ITEMCTL" get tab a 1)" "$item"
	eq "ITEMFS_STORE=. in $dir" "$(cd "$dir" && ITEMFS_STORE=. "$ITEMCTL" get tab a 1)" "$item"
done
eq 'the only store in the current directory' "$("$ITEMCTL" get tab a 1 2>note)$(cat note)" "${item}store: ./${S##*/}"
refused 'no store: name one with -s STORE' env -C / "$ITEMCTL" tables
refused 'there is no store at' "$ITEMCTL" -s "$W/none" tables
mkdir "$W/with blank"
ok "$ITEMCTL" -s "$W/with blank/other store" create-table other --key PK
mkdir n
ok "$ITEMFS" "$W/with blank/other store" n
eq 'a store with blanks in its name' "$("$ITEMCTL" -s n tables | cut -d'"' -f4)" other
eq '-s takes precedence over the current directory' "$(cd m && "$ITEMCTL" -s "$W/n" tables | cut -d'"' -f4)" other
fusermount3 -u n

# ---- names
mkdir -p config/itemfs
printf '%s\n' "trust = /nothing" '[shop]' "store = $S" '[far]' 'endpoint = http://127.0.0.1:1' '[cloud]' 'region = eu-west-1' '[empty]' 'profile = x' >config/itemfs/config
eq 'a name of the settings' "$("$ITEMCTL" -s shop get tab a 1)" "$item"
eq 'a name in ITEMFS_STORE' "$(ITEMFS_STORE=shop "$ITEMCTL" get tab a 1)" "$item"
refused '127.0.0.1:1: Failed to connect' "$ITEMCTL" -s far tables
export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:1 AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b
refused '127.0.0.1:1: Failed to connect' "$ITEMCTL" -s cloud tables
unset AWS_ENDPOINT_URL_DYNAMODB AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
refused 'itemctl: [empty] of the settings has no store, endpoint or region' "$ITEMCTL" -s empty tables
refused 'there is no store at unknown' "$ITEMCTL" -s unknown tables
mkdir shop
refused 'shop is not a store' "$ITEMCTL" -s shop tables # a directory takes precedence
rmdir shop
chmod 666 config/itemfs/config
refused 'other users can write to' "$ITEMCTL" -s shop tables
done_testing
