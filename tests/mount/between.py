"""between PORT_FILE TARGET_PORT DIR - a server's door where something may happen just before a request comes in

Writes its own port to PORT_FILE.  A request whose operation is the name of a file in DIR waits until the shell
command in it has run; when that fails, the request is answered as a throttled table does.
"""
import http.client
import http.server
import os
import subprocess
import sys

THROTTLED = b'{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"Too much"}'


class Door(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def forward(self, body):
        there = http.client.HTTPConnection("127.0.0.1", int(sys.argv[2]))
        names = ("X-Amz-Target", "Content-Type", "Authorization", "X-Amz-Date")
        there.request("POST", "/", body, {k: self.headers[k] for k in names if k in self.headers})
        answer = there.getresponse()
        return answer.status, answer.read()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        command = os.path.join(sys.argv[3], self.headers["X-Amz-Target"].split(".")[-1])
        if os.path.exists(command) and subprocess.run(["bash", command], check=False).returncode != 0:
            status, data = 400, THROTTLED
        else:
            status, data = self.forward(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


door = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Door)
door.daemon_threads = True
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(door.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
door.serve_forever()
