"""hostile.py NAME - an endpoint whose two tables are "sound" and NAME; each has the indexes "Sound" and NAME, and one item

It ends when its standard input does.
"""
import http.server
import json
import sys
import threading

NAME = sys.argv[1]


def index(name):
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
        "IndexStatus": "ACTIVE",
    }


def table(name):
    return {
        "TableName": name,
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        "GlobalSecondaryIndexes": [index("Sound"), index(NAME)],
    }


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {
            "ListTables": lambda: {"TableNames": ["sound", NAME]},
            "DescribeTable": lambda: {"Table": table(asked["TableName"])},
            "Scan": lambda: {"Items": [{"PK": {"S": "a"}}], "Count": 1, "ScannedCount": 1},
            "DescribeTimeToLive": lambda: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
        }[self.headers["X-Amz-Target"].split(".")[1]]()
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"listening on 127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
