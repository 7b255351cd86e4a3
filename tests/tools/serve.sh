#!/bin/bash
# serve, and that commands are the same while another process owns the store; check and why.
. "$(dirname "$0")/lib.sh"

begin_server --listen none
eq 'without an address it prints its socket' "$(address log)" "$S/socket"
end_server
rm log
begin_server --listen 127.0.0.1:0
url=http://$(address log)
ok ctl create-table tab --key PK
ok ctl put tab '{"PK":"a","x":1}'
eq 'an item over TCP' "$("$ITEMCTL" -s "$url" get tab a)" '{"PK":"a","x":1}'
eq 'a server does not have the number of partitions' "$("$ITEMCTL" -s "$url" describe tab --format table | tr -s ' ' | grep -E 'items|partitions')" 'items 1'
eq 'but a store has' "$(ctl describe tab --format table | tr -s ' ' | grep -E 'items|partitions')" $'items 1\npartitions 1'
ok "$ITEMCTL" -s "$url" put tab '{"PK":"b"}'
eq 'the store directory shows the same' "$(ctl scan tab --count)" 2
seq 1 60 | sed 's/.*/{"PK":"k&"}/' >items
cat items items | ok "$ITEMCTL" -s "$url" import tab
eq 'import to an endpoint works without LoadItems' "$(ctl scan tab --count)" 62
gives 2 '' "$ITEMCTL" -s "$url" check
ok ctl check
eq 'check works while it is served' "$err" '62 items and 0 index entries checked'
ok ctl why
eq 'why without refusals' "$err" 'nothing was refused'
ok ctl why "$W/stor/path"
eq 'why of a missing path' "$(jq -r .Message <<<"$out" | cut -d";" -f1)" "there is no stor in $W: did you mean store?"
end_server
ok ctl scan tab --count
eq 'all items are there after the server has ended' "$out" 62
ok ctl why

gives 2 'needs listen=' ctl serve --listen none --credentials log
gives 2 'needs listen=' ctl serve --listen none --cors '*'
gives 2 '--port and --listen' ctl serve --port 8000 --listen 8000
for port in x localhost 127.0.0.1:1; do
	gives 2 "itemctl: --port needs a whole number, not \"$port\"" ctl serve --port $port
done
gives 2 'itemctl: --port must be 0 to 65535' ctl serve --port 65536
gives 2 'frob is not an IP address' ctl serve --listen frob
gives 2 'is not an origin' ctl serve --listen 127.0.0.1:0 --cors localhost
gives 2 'No such file' ctl serve --listen 127.0.0.1:0 --credentials absent
gives 2 'so it needs credentials' ctl serve --listen 0.0.0.0:0
gives 2 'if all programs in that network may read and change the store: --trust-network' ctl serve --listen 0.0.0.0:0
gives 2 'so it needs credentials' "$ITEMCTL" -s new serve --listen 0.0.0.0:0
gives 2 'is not an origin' "$ITEMCTL" -s new serve --listen 127.0.0.1:0 --cors localhost
gives 2 'No such file' "$ITEMCTL" -s new serve --listen 127.0.0.1:0 --credentials absent
printf '[default]\naws_access_key_id = A\naws_secret_access_key = B\n' >shared
for mode in 644 640 604 622 620; do
	chmod $mode shared
	gives 2 "other users can read the keys in $W/shared (mode 0$mode): chmod 600 $W/shared" "$ITEMCTL" -s new serve --listen 127.0.0.1:0 --credentials shared
done
ok test ! -e new
chmod 600 shared
begin_server --listen 127.0.0.1:0 --credentials shared
eq 'any host name is accepted behind a proxy' "$(curl -s -o answer -w '%{http_code}' -H 'Host: evil.test' "http://$(address log | tail -n 1)/health")" 200
end_server
begin_server --listen 127.0.0.1:0
gives 70 'Address already in use' "$ITEMCTL" -s new serve --listen "$(address log | tail -n 1)"
end_server
ok test ! -e new # a refused server leaves no store
gives 2 'not a directory' "$ITEMCTL" -s log serve
gives 2 'serve needs a store directory, not http://127.0.0.1:1' "$ITEMCTL" -s http://me:secret@127.0.0.1:1 serve
gives 70 '' "$ITEMCTL" -s http://127.0.0.1:1 tables # a port that no other server can have

# ---- incomplete addresses
for listen in '--port 0' '-p 0' '--listen 0' '--listen :0' '--listen localhost:0' '--listen 127.0.0.1:0'; do
	begin_server $listen
	url=http://$(address log | tail -n 1)
	eq "$listen" "$("$ITEMCTL" -s "$url" scan tab --count)" 62
	case $url in http://127.0.0.1:* | http://localhost:*) ;; *) fail "$listen is $url" ;; esac
	end_server
done

# ---- accepted host names
# status NAME - the status of a request with that host name
status()
{
	curl -s -o answer -w '%{http_code}' -H "Host: $1" "http://$(address log | tail -n 1)/health"
}
begin_server --listen 127.0.0.1:0
eq 'an unknown host name' "$(status db:8000)" 400
ok grep -q -- 'option --host NAME (itemfs: -o host=NAME) allows another name' answer
end_server
begin_server --host db --host api.test --listen 127.0.0.1:0
eq 'additional host names' "$(status db:8000) $(status api.test) $(status localhost) $(status evil.test)" '200 200 200 400'
end_server
# ---- a trusted network
begin_server --listen 0.0.0.0:0 --trust-network
eq 'any host name in a trusted network' "$(status dynamodb:8000) $(curl -s -H 'Host: dynamodb:8000' -H 'X-Amz-Target: DynamoDB_20120810.ListTables' -H 'Content-Type: application/x-amz-json-1.0' -d {} "http://127.0.0.1:$(address log | tail -n 1 | sed 's/.*://')/")" '200 {"TableNames":["tab"]}'
eq 'but not for a web page' "$(curl -s -o answer -w '%{http_code}' -H 'Host: evil.test' -H 'Origin: http://evil.test' -H 'X-Amz-Target: DynamoDB_20120810.ListTables' -H 'Content-Type: application/x-amz-json-1.0' -d {} "http://127.0.0.1:$(address log | tail -n 1 | sed 's/.*://')/")" 400
end_server
gives 2 'trust_network needs listen=' ctl serve --listen none --trust-network
gives 2 'itemctl: --host x:y does not go with --listen none, which has no address' ctl serve --listen none --host x --host y
gives 2 'x/y is not the name of a host' ctl serve --listen 127.0.0.1:0 --host x/y
gives 2 '--host db:8000: give the name without a port' ctl serve --listen 127.0.0.1:0 --host db:8000
gives 2 'give only one of --listen 127.0.0.1:0 and --host 127.0.0.2' ctl serve --listen 127.0.0.1:0 --host 127.0.0.2

# ---- a temporary store, removed at the end, however the server ends
begin_temp()
{
	rm -f temp.log
	"$ITEMCTL" serve --temp --listen 127.0.0.1:0 >temp.log 2>&1 &
	temp=$!
	url=http://$(address temp.log)
	dir=$(tr '\0' '\n' <"/proc/$temp/cmdline" | sed -n 2p)
	ok "$ITEMCTL" -s "$url" create-table tab --key PK
	ok "$ITEMCTL" -s "$url" put tab '{"PK":"a"}'
}

begin_temp
eq 'it is in memory-backed storage' "$(stat -f -c %T "$dir" 2>&1)" "$(stat -f -c %T /dev/shm)"
kill -TERM "$temp"
wait "$temp"
eq 'it ends as its server does' "$?" 0
ok wait_until 10 test ! -e "$dir" # another process removes it
begin_temp
ok test -d "$dir"
kill -TERM $(cat "/proc/$temp/task/$temp/children")
kill -KILL "$temp"
wait "$temp" 2>/dev/null
ok wait_until 10 test ! -e "$dir" # another process removes it
eq 'with a store, a copy of it is served' "$(ctl serve --temp --port 0 -- sh -c '"$1" put tab "{\"PK\":\"copy\"}" && "$1" get tab copy' sh "$ITEMCTL" 2>/dev/null; ctl get tab copy 2>/dev/null)" '{"PK":"copy"}'
begin_temp_beside() { ITEMFS_STORE=$S begin_temp; }
begin_temp_beside
eq 'the store of the environment is not used' "$("$ITEMCTL" -s "$url" tables | jq -r .TableName)" tab
kill -TERM "$temp"
wait "$temp"
gives 2 'not an IP address' "$ITEMCTL" serve --temp --listen nowhere
# ---- other ways to give the address
for word in 0 :0 localhost:0; do
	begin_server $word
	url=$(address log | tail -n 1)
	eq "serve $word" "$("$ITEMCTL" -s "$url" tables | jq -r .TableName)" tab
	end_server
done
begin_server --host 127.0.0.1 -port 0 -cors '*' -sharedDb -delayTransientStatuses
for path in '' health _localstack/health; do
	eq "GET /$path" "$(curl -s "http://$(address log | tail -n 1)/$path")" "healthy: $(address log | tail -n 1)"
done
end_server
gives 2 'give only one of --port, --listen and 8001' "$ITEMCTL" serve 8001 --port 8002
gives 2 'serve: too many words, from "b" on' "$ITEMCTL" serve 8001 b
gives 2 'give only one of' ctl serve "$S"
ok "$ITEMCTL" serve fresh -- "$ITEMCTL" create-table kept --key Id
eq 'a missing store is created' "$err" $'creating a new store: fresh\ntable kept created'
eq 'and is kept' "$("$ITEMCTL" -q -s fresh tables | jq -r .TableName)" kept
gives 2 'did you mean: itemctl serve ./fresh -- true' "$ITEMCTL" serve frsh -- true
gives 2 'there is no store at true: itemctl serve -s true creates one; to run a program with a server: itemctl serve -- true' "$ITEMCTL" serve true
gives 2 'there is no store at list: itemctl serve -s list creates one' "$ITEMCTL" serve list
ok test ! -e true -a ! -e list
eq 'a program may use the other variable of the endpoint' "$("$ITEMCTL" serve -- sh -c '[ "$AWS_ENDPOINT_URL" = "$AWS_ENDPOINT_URL_DYNAMODB" ] && echo same')" same
eq 'the words of the program are not changed' "$("$ITEMCTL" serve -- echo -table)" -table
eq 'a variable that is set already is kept for other services' "$(AWS_ENDPOINT_URL=http://s3 "$ITEMCTL" serve -- sh -c 'echo $AWS_ENDPOINT_URL')" http://s3
gives 2 'log is a file, not a store. To serve its tables or items: itemctl serve --port 0 --seed log -- true' "$ITEMCTL" serve --port 0 log -- true
ok "$ITEMCTL" serve --port 0 -Xmx1g -jar DynamoDBLocal.jar -sharedDb -- true
eq 'after -- they belong to a program' "$("$ITEMCTL" serve --port 0 -- echo -jar DynamoDBLocal.jar)" '-jar DynamoDBLocal.jar'
mkdir programs # programs that may not be installed
for program in npm java; do
	ln -s "$(type -P true)" programs/$program # not the shell's own
done
here=program-$$
ln -s "$(type -P true)" "$here"
for path in ":$PATH" "$PATH:" "/nowhere::$PATH"; do # an empty entry is the working directory
	gives 2 "itemctl: put a program and its options after --: itemctl serve -- $here --coverage" env PATH="$path" "$ITEMCTL" serve "$here" --coverage
done
PATH=$W/programs:$PATH
gives 2 "to run a program with a server: itemctl serve --port 0 -- npm run 'a b'" "$ITEMCTL" serve --port 0 npm run 'a b'
gives 2 'itemctl: put a program and its options after --: itemctl serve -- npm test --coverage' "$ITEMCTL" serve npm test --coverage
gives 2 'itemctl: put a program and its options after --: itemctl run --port 0 -- npm test --coverage' "$ITEMCTL" run --port 0 npm test --coverage
gives 2 'itemctl: put a program and its options after --: itemctl run --port 0 -- npm' "$ITEMCTL" run --port 0 npm
for line in 'run --port 0' 'exec -inMemory' 'with --host there' 'test -s ./beside-it' 'run beside-it'; do
	gives 3 '' "$ITEMCTL" $line -- sh -c 'test -n "$AWS_ENDPOINT_URL_DYNAMODB" && exit 3'
done
gives 2 'itemctl -q serve --host 0.0.0.0 --port 0 --credentials keys -- true' "$ITEMCTL" -q serve --host 0.0.0.0 --port 0 -- true
gives 2 'itemctl serve -dbPath new --host 0.0.0.0 --credentials keys' "$ITEMCTL" serve -dbPath new --host 0.0.0.0
gives 2 'to use another key: itemctl -s ./db import TABLE FILE --key id:N' "$ITEMCTL" serve --seed log --key id:N
gives 2 'the table of a file of items: --seed FILE=music' "$ITEMCTL" serve --seed log --table music
gives 2 'there is no command "restart": itemctl stop && itemctl serve --background' "$ITEMCTL" restart
gives 2 'http://127.0.0.1:8000' "$ITEMCTL" serve --ssl
begin_server -sharedDB -port 0
ok test ! -e haredDB
end_server
eq 'options of DynamoDB Local' "$("$ITEMCTL" serve -inMemory -dbPath "$S" -port 0 -- echo x 2>/dev/null)" x
mkdir full
touch full/notes
gives 2 'full is not a store: it has other files and no FORMAT of itemfs. To create a store in it: itemctl -s full/db serve' "$ITEMCTL" serve -dbPath full -port 0
eq 'nothing is created in a directory with files' "$(ls full)" notes
gives 2 "itemctl -s $S serve --host 0.0.0.0 --port 0 --credentials keys" ctl serve --host 0.0.0.0 --port 0
eval "$(printf '%s\n' "$err" | grep '^(umask')"
begin_server --host 0.0.0.0 --port 0 --credentials keys
eq 'the suggested line creates a file of keys' "$(stat -c %a keys) $(wc -l <keys)" '600 3'
end_server
(umask 077; echo '[default]' >nobody)
gives 2 'write three lines, [default], aws_access_key_id = NAME and aws_secret_access_key = SECRET' ctl serve --listen 127.0.0.1:0 --credentials nobody
gives 2 'to run a program with a server: itemctl serve -- sh -c '\''npm test'\''' "$ITEMCTL" serve --exec 'npm test'
gives 2 'to run a program with a server: itemctl serve -- sh -c true' "$ITEMCTL" serve --run=true
gives 2 'stop a server with Ctrl-C, or: itemctl stop' "$ITEMCTL" serve --stop
gives 2 'to list the running servers: itemctl status' "$ITEMCTL" serve --status
for how in test run exec with; do
	gives 7 '' "$ITEMCTL" $how -- python3 -c 'exit(7)'
done
gives 2 'itemctl serve -- make check' "$ITEMCTL" test make check
gives 2 'unknown option --exec' ctl scan tab --exec x

# ---- twenty at once, whatever ports are taken
servers=()
for n in {1..20}; do
	"$ITEMCTL" serve --temp >many.$n 2>&1 &
	servers+=($!)
done
for n in {1..20}; do
	ok wait_until 30 grep -q '^# A store in memory' many.$n
done
eq 'each server has its own port' "$(sed -n 's/^listening on //p' many.* | sort -u | wc -l)" 20
kill "${servers[@]}"
wait "${servers[@]}"

# ---- a server for one program
beside()
{
	"$ITEMCTL" serve "$@" 2>&1
}
eq 'it has the endpoint in its environment' "$(beside -- sh -c '"$0" -q tables --format csv; "$0" create-table tab --key PK; "$0" tables | jq -r .TableName' "$ITEMCTL")" $'table tab created\ntab'
eq 'a server of another store' "$(beside "$S" -- "$ITEMCTL" tables | jq -r .TableName)" tab
eq 'the exit status of the program' "$(beside -- sh -c 'exit 7'; echo $?)" 7
eq 'a signal that ends the program' "$(beside -- sh -c 'kill -KILL $$'; echo $?)" 137
eq 'a program that does not exist' "$(beside -- "$W/absent"; echo $?)" "itemctl: $W/absent: No such file or directory"$'\n'127
eq 'a line for a shell' "$(beside -- 'exit 3; true' | tail -n 1)" "to run a command line of a shell: itemctl serve -- sh -c 'exit 3; true'"
eq 'the suggested line works' "$(beside -- sh -c 'exit 3; true'; echo $?)" 3
eq 'options before the command' "$("$ITEMCTL" -p 0 -inMemory serve -- echo x) $("$ITEMCTL" serve -p0 -- echo y) $("$ITEMCTL" -s "$S" --limit 1 --count scan tab)" 'x y 1'
eq 'an option that no command has' "$("$ITEMCTL" --nope 5 scan tab 2>&1 | head -n 1)" 'itemctl: unknown option --nope'
for line in 'java -Xmx1g -Djava.library.path=./lib -jar DynamoDBLocal.jar' 'serve java -jar DynamoDBLocal.jar' dynalite; do
	eq "$line" "$("$ITEMCTL" $line -sharedDb -inMemory -port 0 --createTableMs 0 -- echo x 2>&1)" x
done

# ---- a server for one program, and signals while it or the program is started
# left_to PROCESS - let go of the processes; does this one, which itemctl has started, end?
left_to()
{
	ok test "$1" != "$held"
	let_go
	wait "$held" 2>/dev/null
	held=
	ok wait_until 10 is_gone "$1"
	kill -KILL "$1" 2>/dev/null
}
if can_trace; then
	at_end 'kill -KILL ${held-} 2>/dev/null; clean_up'
	hold '' prctl "$ITEMCTL" serve --port 0 -- true
	child=$(awk '/prctl\(/ { print $1; exit }' trace)
	kill -KILL "$held"
	left_to "$child"

	printf '#!/bin/sh\nexec sleep infinity\n' >program
	chmod +x program
	hold "$W/program" execve "$ITEMCTL" serve --port 0 -- "$W/program"
	child=$(awk '/execve\(/ { print $1; exit }' trace)
	kill -TERM "$held"
	left_to "$child"
fi

# ---- the environment of an SDK
variables()
{
	"$ITEMCTL" "$@" serve ${credentials-} -- sh -c 'env | grep ^AWS_ | sort' | sed 's,=http://127.0.0.1:[0-9]*$,=URL,'
}
clean=(env -u AWS_CA_BUNDLE -u AWS_CONFIG_FILE -u AWS_SHARED_CREDENTIALS_FILE -u AWS_EC2_METADATA_DISABLED AWS_PROFILE=none AWS_SESSION_TOKEN=x AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true)
urls=$'AWS_ENDPOINT_URL=URL\nAWS_ENDPOINT_URL_DYNAMODB=URL\nAWS_ENDPOINT_URL_DYNAMODB_STREAMS=URL'
ITEMCTL_OWN=$ITEMCTL
given()
{
	"${clean[@]}" "$ITEMCTL_OWN" "$@"
}
ITEMCTL=given
eq 'all variables that an SDK needs, and none that lead elsewhere' "$(variables)" $'AWS_ACCESS_KEY_ID=local\nAWS_DEFAULT_REGION=us-east-1\n'"$urls"$'\nAWS_REGION=us-east-1\nAWS_SECRET_ACCESS_KEY=local'
eq 'a region by option' "$(variables --region eu-west-1 | grep REGION)" $'AWS_DEFAULT_REGION=eu-west-1\nAWS_REGION=eu-west-1'
eq 'or from the environment' "$(AWS_DEFAULT_REGION=eu-west-2 variables | grep REGION)" $'AWS_DEFAULT_REGION=eu-west-2\nAWS_REGION=eu-west-2'
eq 'an invalid region is not printed' "$(AWS_REGION='$(id)' variables | grep '^AWS_REGION')" AWS_REGION=us-east-1
printf '[bob]\naws_access_key_id = A\naws_secret_access_key = B\n' >"it's keys"
chmod 600 "it's keys"
eq 'keys of a file' "$(AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=y given serve --credentials "it's keys" -- sh -c 'env | grep ^AWS_ | sort; "$0" tables 2>&1' "$ITEMCTL_OWN" | sed 's,=http://127.0.0.1:[0-9]*$,=URL,')" \
	$'AWS_DEFAULT_REGION=us-east-1\n'"$urls"$'\nAWS_PROFILE=bob\nAWS_REGION=us-east-1\nAWS_SHARED_CREDENTIALS_FILE='"$W/it's keys"$'\nthe store has no tables; to create one: itemctl create-table NAME --key PK,SK'
eq 'the pasted lines set the variables' "$(AWS_PROFILE=x; eval "$(given serve --background --port 0)"; [ "$AWS_ENDPOINT_URL_DYNAMODB_STREAMS" = "$AWS_ENDPOINT_URL_DYNAMODB" ] && echo "${AWS_PROFILE-none}"; kill "$ITEMFS_SERVER_PID")" none
ITEMCTL=$ITEMCTL_OWN
begin_server -q --port 0
eq 'the log has only the address' "$(sed -n '$s/:.*//p' log)" 'listening on 127.0.0.1'
end_server
eq 'a server that cannot start' "$(beside --credentials absent -- true; echo $?)" $'itemfs: credentials absent: No such file or directory\n2'
dir=$(beside -- sh -c 'tr "\0" "\n" </proc/$(pgrep -P $PPID itemfs)/cmdline | sed -n 2p')
ok wait_until 10 test ! -e "$dir"
ok test -n "$dir"

# ---- words after -- are not changed, whatever they mean to itemctl
echo '{"id":{"S":"a"}}' >key.json
cat >words <<'END'
--select COUNT
--select=COUNT
--key file://key.json
--key=file://key.json
--item file://key.json
--key {"id":{"S":"a"}}
--key-condition-expression id=:a
--table-name tab
--statement file://key.json
--cli-input-json file://key.json
--output text --query Count
--dbPath=. -sharedDb -inMemory -port 0
--endpoint-url http://localhost:1 --region eu-west-1 --profile p
--help --version -h -q -s db
-- --temp --seed nothing
aws dynamodb scan --select COUNT
itemctl -s x get tab a --project b
java -jar DynamoDBLocal.jar
cost explain help SHOW TABLES count ls
SELECT * FROM "tab"
END
while read -r -a words; do
	for verb in serve start 'serve --temp' '--quiet serve'; do
		eq "$verb -- ${words[*]}" "$("$ITEMCTL" $verb -- printf '%s|' "${words[@]}" 2>&1)" "$(printf '%s|' "${words[@]}")"
	done
done <words
eq 'nor are an empty word, and one with a line break' "$("$ITEMCTL" serve -- printf '%s|' '' $'a\nb' 'it'"'"'s' 2>&1)" $'|a\nb|it\'s|'
gives 2 "itemctl serve --port 0 -- java -jar app.jar" "$ITEMCTL" serve --port 0 java -jar app.jar
gives 2 "did you mean: itemctl -s $S serve --port 0 -- itemctl scan tab" ctl serve --prt 0 -- itemctl scan tab
gives 2 "did you mean: itemctl -s $S serve --port 0 -- sh -c 'itemctl scan tab'" ctl serve --prt 0 -- sh -c 'itemctl scan tab'

# ---- suggestions for refused requests
first=$S
S=$W/advised
ok "$ITEMCTL" -s "$S" create-table Orders --key CustomerId,OrderDate
rm -f log
begin_server --listen 127.0.0.1:0
# refused OPERATION BODY - print the message of the response
refused()
{
	curl -s "http://$(address log)" -H "X-Amz-Target: DynamoDB_20120810.$1" -H 'Content-Type: application/x-amz-json-1.0' -d "$2" |
		sed 's/.*"message":"//; s/"}$//'
}
eq 'a misspelt table' "$(refused Scan '{"TableName":"orders"}')" 'Requested resource not found'
eq 'the same table again' "$(refused Scan '{"TableName":"orders"}')" 'Requested resource not found'
eq 'a table without a similar one' "$(refused Scan '{"TableName":"Zebra"}')" 'Requested resource not found'
eq 'DescribeTable of a missing table' "$(refused DescribeTable '{"TableName":"Yak"}')" 'Requested resource not found: Table: Yak not found'
eq 'a misspelt key' "$(refused GetItem '{"TableName":"Orders","Key":{"CustomerId":{"S":"c"}}}')" 'The provided key element does not match the schema'
eq 'a reserved word' "$(refused Scan '{"TableName":"Orders","FilterExpression":"attribute_exists(Status)"}')" \
	'Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: Status'
for target in DynamoDB_20120810.PutItme ItemFS_1.Sync; do
	eq "the operation $target" "$(curl -s "http://$(address log)" -H "X-Amz-Target: $target" -H 'Content-Type: application/x-amz-json-1.0' -d '{}')" \
		'{"__type":"com.amazon.coral.service#UnknownOperationException"}'
done
end_server
eq 'the log has each suggestion once' "$(sed -n 's/.*Z itemfs: hint: //p' log)" 'table orders not found; did you mean Orders?
table Zebra not found; there are: Orders
the key of Orders is CustomerId (S) and OrderDate (S): "Key":{"CustomerId":{"S":"c"},"OrderDate":{"S":"VALUE"}}
Status is a reserved word: "FilterExpression":"attribute_exists(#Status)", "ExpressionAttributeNames":{"#Status":"Status"}
X-Amz-Target: DynamoDB_20120810.PutItme does not name an operation; did you mean DynamoDB_20120810.PutItem?
X-Amz-Target: ItemFS_1.Sync does not name an operation; one is DynamoDB_20120810.ListTables'
S=$first

# ---- a server in the background
eval "$("$ITEMCTL" serve --background --port 0)"
eq 'the shell has the variables of the server' "$("$ITEMCTL" create-table tab --key PK 2>&1) $ITEMFS_STORE" "table tab created $AWS_ENDPOINT_URL_DYNAMODB"
eq 'a second server at the same time' "$("$ITEMCTL" serve --temp --port 0 -- true; echo $?)" 0
gives 70 "itemctl: cannot listen on ${ITEMFS_STORE#http://}: Address already in use; a free port: itemctl -s new serve --listen 127.0.0.1:" "$ITEMCTL" -s new serve --listen "${ITEMFS_STORE#http://}"
ok test ! -e new
kill "$ITEMFS_SERVER_PID"
ok wait_until 10 is_gone "$ITEMFS_SERVER_PID"
unset ITEMFS_STORE ITEMFS_SERVER_PID AWS_ENDPOINT_URL_DYNAMODB AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION AWS_DEFAULT_REGION
gives 2 'credentials absent' "$ITEMCTL" serve --background --credentials absent
eq 'an endpoint in the environment is not served' "$(ITEMFS_STORE=http://127.0.0.1:1 "$ITEMCTL" serve -- "$ITEMCTL" tables; echo $?)" 0
read_to_end=$(timeout 250 "$ITEMCTL" serve --temp --listen nowhere 2>&1)
eq 'no process keeps the output open' "$?" 2

# ---- the port in a variable; also for docker's pair of ports
port=$("$ITEMCTL" serve --in-memory --port 0 --print-port)
ok "$ITEMCTL" -s "$port" tables
ok "$ITEMCTL" stop "$port"
"$ITEMCTL" serve -d --port 0 >bg.out 2>bg.err
port=$(sed -n 's/^export ITEMFS_SERVER_PORT=//p' bg.out)
eq 'how to get only the port' "$(cat bg.err)" "port $port; to set a variable: PORT=\$(itemctl serve -d --port 0 --print-port)"
ok "$ITEMCTL" stop "$port"
eq 'the port of the host from a pair of ports' "$("$ITEMCTL" serve -p "$port:8000" --rm --name ddb --print-port)" "$port"
ok "$ITEMCTL" stop "$port"

# ---- a store that is created, and one that was not named
mkdir -p names/shop && cd names
"$ITEMCTL" -s shop create-table tab PK 2>/dev/null
port=$("$ITEMCTL" serve --print-port --port 0 2>empty.err)
eq 'a hint at the only store in the current directory' "$(head -n 1 empty.err)" 'no store was named, so an empty one is served; did you mean: itemctl -s ./shop serve --print-port --port 0'
ok "$ITEMCTL" stop "$port"
gives 2 'did you mean: itemctl serve ./shop --port 0' "$ITEMCTL" serve ./shpo --port 0
gives 2 'there is no store at new; for an empty store in memory: itemctl serve --temp --port 0' "$ITEMCTL" serve new --temp --port 0
gives 0 'creating a new store: a.db' "$ITEMCTL" serve a.db --background --port 0
ok "$ITEMCTL" stop ./a.db
ok test -e a.db/FORMAT
gives 2 'itemctl alter users --throttle on' "$ITEMCTL" serve shop --throttle users
gives 2 'itemctl alter TABLE --throttle on' "$ITEMCTL" serve shop --throttle on
cd ..

done_testing
