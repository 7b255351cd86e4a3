#!/bin/bash
# Responses, of an endpoint and of the process that has opened a store, that lack one member, or have it as null or
# with another type: no command crashes, hangs or fails without a message. ITEMFS_ALTERED=all tries every member of
# every response.
. "$(dirname "$0")/lib.sh"

if [ ! -x "$(command -v python3)" ]; then
	echo 'skipped: needs python3'
	exit 77
fi

in=$W/in
mkdir "$in" "$W/empty"
for i in 1 2 3; do
	printf '{"PK":"p","SK":"%s","G":%s,"v":{"a":[1,"x"]},"t":1}\n' $i $i
done >"$in/items"
printf '{"PK":"p","SK":"1"}\n{"PK":"p","SK":"2"}\n' >"$in/keys"
printf 'put tab {"PK":"p","SK":"9"}\ndelete tab p 8\n' >"$in/writes"
printf 'get tab p 1\nget tab p 2\n' >"$in/gets"
printf 'pattern all\n    scan tab\n' >"$in/patterns"
printf 'v hash\n' >"$in/rules"
echo 0123456789abcdef >"$in/key"
printf 'describe tab\nSELECT * FROM tab\n' >"$in/lines"

# At least one run of each command, in this order: its name, its result, its arguments.
cat >"$in/runs" <<END
create-table 0 create-table new --key PK,SK --gsi ByG=G:N --lsi Two=v:N --ttl t --stream NEW_IMAGE
create-table 0 create-table new --key PK,SK --if-not-exists
alter 0 alter new --ttl off --stream off
alter 0 alter new --drop-gsi ByG
drop 0 drop new --yes
tables 0 tables
tables 0 tables --format table
describe 0 describe tab
describe 0 describe tab --format table
stats 0 stats
stats 0 stats tab --format table
put 0 put tab '{"PK":"p","SK":"4"}'
put 0 put tab '{"PK":"p","SK":"4"}' --return old --capacity --stats
get 0 get tab p 1
get 1 get tab none 1
update 0 update tab p 1 'SET x = 1' --return old
update 0 update tab - 'SET x = 1' <$in/keys
edit 0 edit tab p 1
delete 0 delete tab p 4 --return old
delete 0 delete tab - <$in/keys
import 0 import tab $in/items --jobs 1
transact 0 transact $in/writes
transact 0 transact $in/gets
size 0 size tab p 1
query 0 query tab p
query 0 query tab p --reverse --limit 2 --format table
query 0 query tab 1 --index ByG --capacity
query 0 query tab none
scan 0 scan tab --stats
scan 0 scan tab --segments 2 --format csv
scan 0 scan tab --rate 1000
sql 0 sql 'SELECT * FROM tab'
sql 0 sql "UPDATE tab SET x = 2 WHERE PK = 'p' AND SK = '1'"
sql 0 sql --explain 'SELECT * FROM tab'
run 0 run $in/patterns all
tail 0 tail tab --once --from start
tail 0 tail tab --once
cost 0 cost scan tab
cost 0 cost query tab p
cost 0 cost put tab '{"PK":"p","SK":"5"}'
dry-run 0 --dry-run put tab '{"PK":"p","SK":"5"}'
dry-run 0 --dry-run update tab p 1 'SET x = 3'
shapes 0 shapes tab
shapes 0 shapes tab --index ByG --format jsonl
draw 0 draw tab
draw 0 draw tab --format html
shards 0 shards assign tab --attr s --shards 2 --overwrite
call 0 call ListTables
shell 0 shell <$in/lines
import 0 import new $in/items --key PK,SK --jobs 1
reset 0 reset new --yes
drop 0 drop new --yes
export 0 export tab
export 0 export tab out --split-by PK
export 0 export tab dir --to dynamodb-export
copy 0 copy tab --to ./copied
copy 0 copy tab --to @/again
diff 0 diff tab @/again
drop 0 drop again --yes
mask 0 mask tab --check $in/rules --mask-key $in/key
END
# Runs against the process that has opened the store: also what an endpoint does not have.
cat "$in/runs" - >"$in/near" <<END
shards 0 shards heat tab
why 0 why
check 0 check
sweep 0 sweep
sweep 0 sweep tab
compact 0 compact
backup 0 backup kept
END
for request in "$SOURCE"/tests/vectors/wire/*.request.json; do
	operation=${request##*/}
	operation=${operation%%.*}
	# The response of an endpoint is parsed where its capacity is requested, and passed on unchanged elsewhere.
	echo "vector 0 --capacity call $operation $request" >>"$in/runs"
	echo "vector 0 call $operation $request" >>"$in/near"
done

ctl -q create-table tab --key PK,SK --gsi ByG=G:N --lsi Two=two:N --ttl t --stream NEW_AND_OLD_IMAGES
ctl -q import tab "$in/items"
begin_server --listen 127.0.0.1:0
http=$(address log)
export EDITOR=true
export ITEMFS_PATIENCE=0 # no retries for ten minutes

# altered FILE ENDPOINT N
altered()
{
	checks=$((checks + 1))
	(cd "$W/empty" && python3 "$SOURCE/tests/tools/altered.py" "$ITEMCTL" "$2" "$1" "$3") >>altered.out || fail "$(grep -v '^asks' altered.out)"
}

altered "$in/runs" "${http#http://}" 1000
altered "$in/near" "$S/socket" 1000
grep 'altered answers$' altered.out

# A new command needs a run above, unless it makes no requests. Those of ls, cat, tree and find are made by itemfs.
for command in $("$ITEMCTL" help | sed -n '/^Help$/q; s/^  \([a-z][a-z-]*\) .*/\1/p'); do
	case $command in ls | cat | tree | find | serve | restore | status | wait | stop) continue ;; esac
	grep -qx "asks $command" altered.out || fail "$command is not run"
done
eq 'responses of each operation are altered' "$(grep -cx 'asks vector' altered.out)" "$(cat "$in/runs" "$in/near" | grep -c '^vector ')"
done_testing
