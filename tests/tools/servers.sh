#!/bin/bash
# status, wait, stop, reset of running servers; a server is identified by its command line.
own_network=yes
. "$(dirname "$0")/lib.sh"

# The loopback interface of a new network is down.
python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))' || fail 'the loopback interface stays down'

# ---- a server by its command line
"$ITEMCTL" serve --port 8003 --seed "$W/tab.jsonl" >log.8003 2>&1 & # the file does not exist
wait $!
eq 'a server that cannot start ends' $? 2
"$ITEMCTL" serve --in-memory --port 8003 --port-file "$W/p 8003" >log.8003 2>&1 &
server=$!
ok wait_until 10 test -s 'p 8003'
eq 'the file has the port' "$(cat 'p 8003')" 8003
eq 'exactly one process has the command line' "$(pgrep -f "^itemctl serve --in-memory --port 8003 --port-file '$W/p 8003':")" $server
dir=$(tr '\0' '\n' <"/proc/$server/cmdline" | sed -n 2p)
ok test -d "$dir"
ok pkill -f "itemctl serve --in-memory --port 8003 --port-file '$W/p 8003'"
wait $server
eq 'the server ends with status 0' $? 0
server=
ok wait_until 10 test ! -e "$dir"

# ---- no servers
gives 1 'no server is running; to start one: itemctl serve' "$ITEMCTL" status
gives 70 'no server listens there; to start one: itemctl serve --port 8003' "$ITEMCTL" status 8003
gives 2 'itemctl: no server is running' "$ITEMCTL" stop
gives 2 'itemctl: no server is running' "$ITEMCTL" stop 8003
gives 1 'nothing answers at http://127.0.0.1:8003 after 0 s' "$ITEMCTL" wait 8003 --timeout 0
gives 2 'wait needs a port or a URL, not ./db: itemctl wait 8000' "$ITEMCTL" wait ./db
gives 2 '--port must be 1 to 65535' "$ITEMCTL" stop --port 70000
gives 2 'stop: give only one of -s, --port and a word' "$ITEMCTL" stop 8003 --port 8004
gives 2 'stop changes no store' "$ITEMCTL" stop --dry-run

# ---- several servers, named by a port, a URL and a store; options of Java are ignored
"$ITEMCTL" serve -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -inMemory -sharedDb -port 8004 >log.8004 2>&1 &
"$ITEMCTL" wait --port 8004 || fail 'wait fails for a running server'
"$ITEMCTL" -s kept serve --background --port 8005 >/dev/null
"$ITEMCTL" -Xmx1g -jar /opt/DynamoDBLocal.jar -inMemory -port 8006 >log.8006 2>&1 &
for named in 8006 :8006 localhost:8006 http://localhost:8006 '--port 8006' '-s 8006' '--endpoint-url http://127.0.0.1:8006'; do
	ok "$ITEMCTL" wait $named
	eq "status $named" "$("$ITEMCTL" status $named | jq -r .Url)" http://127.0.0.1:8006
done
AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8006 ok "$ITEMCTL" wait --timeout 0
eq 'status of all servers' "$("$ITEMCTL" status | jq -r .Url | sort)" $'http://127.0.0.1:8004\nhttp://127.0.0.1:8005\nhttp://127.0.0.1:8006'
eq 'the variables of one server' "$(AWS_REGION=r "$ITEMCTL" env --port 8005)" \
	"$(printf 'export %s=http://127.0.0.1:8005\n' AWS_ENDPOINT_URL_DYNAMODB AWS_ENDPOINT_URL_DYNAMODB_STREAMS ITEMFS_STORE)"'
export AWS_ACCESS_KEY_ID="${AWS_ACCESS_KEY_ID:-local}"
export AWS_SECRET_ACCESS_KEY="${AWS_SECRET_ACCESS_KEY:-local}"
export AWS_REGION="${AWS_REGION:-us-east-1}"
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}"'
eq 'a shell can evaluate them' "$(eval "$("$ITEMCTL" env kept)" && "$ITEMCTL" status --env | tail -n 5 && echo $ITEMFS_STORE $AWS_REGION | cut -d' ' -f1 | tail -n 1)" "$("$ITEMCTL" env kept | tail -n 5)"$'\nhttp://127.0.0.1:8005'
gives 2 'more than one server is running: itemctl status --env 8004, itemctl status --env 8005, itemctl status --env 8006' "$ITEMCTL" env
eq 'the store of one server' "$("$ITEMCTL" status kept | jq -r '.Store, .Url')" "$W/kept"$'\nhttp://127.0.0.1:8005'
other=$("$ITEMCTL" status 8006 --format json | jq -r .Process)
halt "$other"
ITEMFS_TIMING=health=10 gives 70 'the server on port 8006 does not answer (process ' "$ITEMCTL" status 8006
eq 'a list of servers contacts none' "$("$ITEMCTL" status | grep -c :8006)" 1
kill -CONT "$other"
"$ITEMCTL" stop >none 2>&1
eq 'stop without a name lists the servers' "$? $(tr ',:' '\n' <none | grep -c '^ itemctl stop 800[456]$')" '2 3'
gives 2 'no server is running at http://127.0.0.1:8003: there is nothing to stop' "$ITEMCTL" stop 8003
ok "$ITEMCTL" -s 8005 backup by-port
ok "$ITEMCTL" -s again restore by-port
gives 0 'the server on port 8005 has stopped' "$ITEMCTL" stop ./kept
gives 1 "no server is running for ./kept; to start one: itemctl serve" "$ITEMCTL" status ./kept
gives 0 'the server on port 8006 has stopped' "$ITEMCTL" stop --port 8006
eq 'the other server still runs' "$(ITEMFS_STORE=http://localhost:8004 "$ITEMCTL" status | jq -r .Url)" http://127.0.0.1:8004

# ---- reset
export ITEMFS_STORE=http://localhost:8004
for t in one two; do
	ok "$ITEMCTL" create-table $t$t --key PK --gsi by-Name=Name
	ok "$ITEMCTL" put $t$t '{"PK":"a","Name":"x"}' '{"PK":"b"}'
done
gives 2 'itemctl: reset empties all tables. To confirm: itemctl reset --yes' "$ITEMCTL" reset
gives 3 'not found' "$ITEMCTL" reset oneone none
eq 'without a confirmation nothing is deleted' "$("$ITEMCTL" tables | jq -c .Items)" $'2\n2'
ok "$ITEMCTL" reset oneone
eq 'reset reports the deleted items' "$err" $'table oneone:\n2 items deleted'
eq 'one table is emptied' "$("$ITEMCTL" tables | jq -c .Items)" $'0\n2'
ok "$ITEMCTL" flushall --yes
eq 'all tables are emptied' "$("$ITEMCTL" tables | jq -c '[.Items, (.Indexes | length)]')" $'[0,1]\n[0,1]'
ok "$ITEMCTL" alter twotwo --throttle on # through the directory of its store
eq 'a setting that the protocol does not have' "$("$ITEMCTL" -s "$("$ITEMCTL" status | jq -r .Store)" describe twotwo --format table | grep -c '^throttle *on$')" 1
gives 0 'the server on port 8004 has stopped' "$ITEMCTL" stop
wait

# ---- a store as an operand of backup
ok "$ITEMCTL" -s kept create-table music --key PK
ok "$ITEMCTL" backup ./kept two
ok test -f two/BACKUP
ok "$ITEMCTL" serve --from two -- true
done_testing
