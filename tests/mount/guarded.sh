#!/bin/bash
# DynamoDB, and endpoints that are not on loopback, are mounted read-only unless an option asks for more.
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
near=$S
export AWS_ENDPOINT_URL_DYNAMODB=$near AWS_ACCESS_KEY_ID=A AWS_SECRET_ACCESS_KEY=B
mkdir m
ln -s "$ITEMFS" mount.itemfs

# said COMMAND - print what it prints on a terminal
said()
{
	script -qec "$*" /dev/null </dev/null | tr -d '\r'
}

# is_ro, is_rw - can the mount m be written?
is_ro()
{
	refused 'Read-only file system' bash -c 'echo "{}" >m/p/new.json'
	refused 'Read-only file system' rm m/p/a.json
	refused 'Read-only file system' mkdir m/q
	eq "$1: items can be read" "$(cat m/p/a.json)" '{"PK":"p","SK":"a","v":1}'
	eq "$1: config.json says so" "$(jq .ro m/.itemfs/config.json)" true
	unmnt m
}
is_rw()
{
	eq "$1: config.json says so" "$(jq .ro m/.itemfs/config.json)" false
	ok write m/p/new.json '{"v":2}'
	ok rm m/p/new.json
	unmnt m
}

S=dynamodb:eu-west-1
mnt m -o table=tab
is_ro 'without a word'
mnt m -o table=tab,rw
is_rw 'with rw'
mnt m -o table=tab,write
is_rw 'with write'
mnt m -o table=tab,write,ro,rw
is_ro 'ro wins'
"$W/mount.itemfs" "$S" "$W/m" -o rw,table=tab
is_ro 'the rw of mount(8)'
"$W/mount.itemfs" "$S" "$W/m" -o rw,write,table=tab
is_rw 'write by mount(8)'

# ---- it is reported on a terminal only

eq 'the message on a terminal' "$(said "exec '$ITEMFS' '$S' '$W/m' -o table=tab" | head -n 1)" "$W/m: this mount is read-only because $S is not on this machine; to allow writes: -o rw"
unmnt m
eq 'the message of mount(8)' "$(said "exec '$W/mount.itemfs' '$S' '$W/m' -o rw,table=tab")" "$W/m: this mount is read-only because $S is not on this machine; to allow writes: -o write"
unmnt m
eq 'no message without a terminal' "$("$ITEMFS" "$S" m -o table=tab 2>&1)" ''
unmnt m
eq 'no message for a writable mount' "$(said "exec '$ITEMFS' '$S' '$W/m' -o table=tab,rw" | grep -c 'read-only')" 0
unmnt m

# ---- the reason names the option

mnt m -o table=tab
why="this mount is read-only because $S is not on this machine; to allow writes: -o rw"
rm -f m/p/a.json 2>/dev/null
eq 'errors has the reason' "$(cut -f 3- m/.itemfs/errors)" "$W/m"$'\tEROFS\t-\t'"$why"
eq 'config.json has the reason' "$(jq -r .ro_why m/.itemfs/config.json)" "$why"
eq 'why of an item' "$(ctl why m/p/a.json | jq -r .Message)" "$why"
eq 'why of a missing item' "$(ctl why m/p/x.json | jq -r .Message | grep -cF "there is no item x.json; $why")" 1
unmnt m

# ---- marks in a settings file take precedence over rw

mkdir -p config/itemfs
file=$W/config/itemfs/config
printf '%s\n' '[prod]' 'region = eu-west-1' 'read-only = yes' >"$file"
why="is read-only: $file:3 ([prod]) marks it, and options cannot override this"
eq 'with rw there is a message' "$("$ITEMFS" "$S" m -o table=tab,rw 2>&1)" "$W/m: $S $why"
is_ro 'rw of one that is marked'
eq 'without rw there is none' "$("$ITEMFS" "$S" m -o table=tab 2>&1)" ''
eq 'errors has the reason' "$(cut -f 4- m/.itemfs/errors)" $'EROFS\t-\t'"$S $why"
eq 'why has the reason' "$(ctl why m/p/a.json | jq -r .Message)" "$S $why"
is_ro 'without a word'
eq 'the message on a terminal' "$(said "exec '$ITEMFS' '$S' '$W/m' -o table=tab" | head -n 1)" "$W/m: $S $why"
unmnt m
printf '%s\n' '[prod]' "endpoint = http://localhost:${near##*:}" 'read-only = yes' >"$file"
"$ITEMFS" "$near" m -o table=tab,rw 2>/dev/null
is_ro 'one on loopback'
rm "$file"

# ---- endpoints on loopback, under any of its names, and stores

for S in "$near" "http://localhost:${near##*:}"; do
	mnt m -o table=tab
	is_rw "$S"
done
S=$W/store
store --key PK,SK
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
mnt m -o table=tab
is_rw 'a store'
printf '%s\n' '[prod]' "store = $S" 'read-only = yes' '[new]' "store = $W/new" 'read-only = yes' >"$file"
"$ITEMFS" "$S" m -o table=tab,rw,listen=127.0.0.1:0 >listening 2>/dev/null
refused "$S is read-only: $file:3 ([prod]) marks it" ctl put tab '{"PK":"p","SK":"b"}'
server=$(address listening)
refused 'marks it, and options' env XDG_CONFIG_HOME=/none "$ITEMCTL" -s "http://$server" put tab '{"PK":"p","SK":"b"}'
refused 'marks it, and options' env XDG_CONFIG_HOME=/none "$ITEMCTL" -s "$S" put tab '{"PK":"p","SK":"b"}'
mkdir n
ok env XDG_CONFIG_HOME=/none "$ITEMFS" "$S" n -o table=tab
refused 'Read-only file system' bash -c 'echo "{}" >n/p/new.json'
eq 'another user who joins gets the file and line of the mark' "$(ctl why n/p/new.json | jq -r .Message | tail -n 1)" "$S is read-only: $file:3 ([prod]) marks it, and options cannot override this"
unmnt n
is_ro 'a store that is marked'
refused "$file:6 ([new]) marks it, and options" "$ITEMFS" "$W/new" m --create
gone new
rm "$file"

done_testing
