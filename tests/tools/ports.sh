#!/bin/bash
# serve without an address: port 8000 or the next free one, and the output can be pasted.
own_network=yes
. "$(dirname "$0")/lib.sh"

# The loopback interface of a new network is down.
python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))' || fail 'the loopback interface stays down' # SIOCSIFFLAGS, up and running

for n in 1 2 3; do
	"$ITEMCTL" serve >first.$n 2>&1 &
	servers[n]=$!
	ok wait_until 10 grep -q '^# A store in memory' first.$n
done
eq 'each server has the next port' "$(cat first.? | sed -n 's/^listening on //p' | tr '\n' ' ')" '127.0.0.1:8000 127.0.0.1:8001 127.0.0.1:8002 '
eq 'and reports that the first is taken' "$(grep -cx '# Port 8000 is taken: this is the next free one.' first.?)" $'first.1:0\nfirst.2:1\nfirst.3:1'
eval "$(grep -v '^listening on ' first.1)"
eq 'the pasted lines name the server' "$AWS_ENDPOINT_URL_DYNAMODB" http://127.0.0.1:8000
ok "$ITEMCTL" -s "dynamodb:$AWS_REGION" create-table pasted --key PK
eq 'itemctl uses the pasted variables' "$("$ITEMCTL" tables | jq -r .TableName)" pasted
eq 'and has access' "$("$ITEMCTL" -s "$AWS_ENDPOINT_URL_DYNAMODB" tables --format csv | tail -n 1 | cut -d, -f1)" pasted
kill "${servers[@]}"
wait "${servers[@]}"

# ---- twenty at once, where other programs have the first port and one in the middle
python3 -c 'import signal, socket
held = [socket.create_server(("127.0.0.1", port)) for port in (8000, 8007)]
print("held", flush=True)
signal.pause()' >held &
occupier=$!
ok wait_until 10 grep -q held held
servers=()
for n in {1..20}; do
	if ((n % 2)); then
		"$ITEMCTL" serve >many.$n 2>&1 &
	else
		"$ITEMCTL" -s new.$n serve >many.$n 2>&1 &
	fi
	servers+=($!)
done
for n in {1..20}; do
	ok wait_until 30 grep -q '^# Port 8000 is taken' many.$n
done
eq 'each server has its own port' "$(cat many.* | sed -n 's/^listening on 127.0.0.1://p' | sort -n | tr '\n' ' ')" \
	'8001 8002 8003 8004 8005 8006 8008 8009 8010 8011 8012 8013 8014 8015 8016 8017 8018 8019 8020 8021 '
for n in {1..20}; do
	eq "server $n answers" "$(curl -s "http://$(address many.$n)/")" "healthy: $(address many.$n)"
done
kill "${servers[@]}"
wait "${servers[@]}"

# ---- a port that is taken, one without a server, and one of another server
eval "$("$ITEMCTL" -s kept serve --background --port 8100)"
unset ITEMFS_STORE AWS_ENDPOINT_URL_DYNAMODB
ok "$ITEMCTL" -s kept create-table music --key Artist,Song:N
taken='cannot listen on 127.0.0.1:8100: Address already in use; a free port: '
for line in 'serve --port 8100' 'serve -port 8100 -inMemory' 'serve 127.0.0.1:8100' '-s other serve --listen :8100' 'serve --background --port 8100'; do
	gives 70 "itemctl: $taken" "$ITEMCTL" $line
	eq "$line: with another port" "$(sed -n '1s/.*port: //p' <<<"$err")" "itemctl ${line/8100/8101}"
done
ok "$ITEMCTL" -s 8100 alter music --throttle on
eq 'the store of the server' "$("$ITEMCTL" -s kept describe music --format table | grep -c '^throttle *on$')" 1
none='no server listens there; to start one: itemctl serve --port 8099; a server listens on port 8100: '
gives 70 "$none"'itemctl -s http://127.0.0.1:8100 tables' "$ITEMCTL" -s http://localhost:8099 tables
gives 70 "$none"'itemctl -s http://127.0.0.1:8100 tables' "$ITEMCTL" -s 8099 tables
gives 70 "$none"'itemctl scan music --endpoint-url http://127.0.0.1:8100' "$ITEMCTL" scan music --endpoint-url http://localhost:8099
gives 70 "$none"'export ITEMFS_STORE=http://127.0.0.1:8100' env ITEMFS_STORE=http://localhost:8099 "$ITEMCTL" tables
eq 'only a port' "$("$ITEMCTL" -s 8100 tables | jq -r .TableName)" music
mkdir 8099
gives 2 '8099 is not a store' "$ITEMCTL" -s 8099 tables
other='the server there does not seem to speak DynamoDB'"'"'s protocol; to start one: itemctl serve; a server listens on port 8100: itemctl -s http://127.0.0.1:8100 tables'
for answer in '200 <html>' '301 ' '400 {}' '403 no' '404 no' '405 ' '501 '; do
	python3 - "$answer" >other.port <<'END' &
import http.server, sys
class Other(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        status, _, text = sys.argv[1].partition(" ")
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(int(status))
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())
    def log_message(self, *words):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Other)
print(server.server_port, flush=True)
server.serve_forever()
END
	other_server=$!
	ok wait_until 10 test -s other.port
	ok grep -qxF "$other" <("$ITEMCTL" -s "$(cat other.port)" tables 2>&1)
	kill "$other_server"
	rm other.port
done
kill "$ITEMFS_SERVER_PID" "$occupier"
done_testing
