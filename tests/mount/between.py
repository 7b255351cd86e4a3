"""between PORT_FILE TARGET_PORT DIR - a proxy of a server that can run a command just before it forwards a request

Writes its own port to PORT_FILE.  A request whose operation is the name of a file in DIR waits until the shell command in it
has run.  If that fails, the response is the error that the command prints, or that of a throttled table.  After "lost" the
request is carried out nevertheless, and a number is the status of a response without a body.
"""
import http.client
import http.server
import os
import subprocess
import sys

THROTTLED = "ProvisionedThroughputExceededException"


def refusal(name):
    """status and body of the service's response"""
    if name.isdigit():
        return int(name), b""
    body = '{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"Too much"}' % name
    return 500 if name == "InternalServerError" else 400, body.encode()

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
        ran = subprocess.run(["bash", command], check=False, stdout=subprocess.PIPE, text=True) if os.path.exists(command) else None
        if ran and ran.returncode != 0:
            words = ran.stdout.split()
            if words and words[0] == "lost":
                self.forward(body)
            status, data = refusal(words[-1] if words else THROTTLED)
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
