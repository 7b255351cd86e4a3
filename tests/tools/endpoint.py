"""endpoint.py - a server of DynamoDB's protocol on loopback with made-up responses"""
import http.client
import http.server
import json
import sys
import threading


# Operations that many servers do not support, unless a test defines them.
UNKNOWN = ["DescribeContinuousBackups"]


class Failure(Exception):
    """An error of DynamoDB: its name, and members besides the message"""

    def __init__(self, name, **more):
        super().__init__(name)
        self.more = more


def handler(operations):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # a response in one piece, without waiting for an acknowledgement

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status = 200
            try:
                name = self.headers["X-Amz-Target"].split(".")[1]
                answer = (unknown if name in UNKNOWN and name not in operations else operations[name])(asked)
            except Failure as failure:
                status, answer = 400, {"__type": f"com.amazonaws.dynamodb.v20120810#{failure}", "message": "it is gone"} | failure.more
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # otherwise a client that is not accepted at once retries seconds later


def unknown(_):
    raise Failure("UnknownOperationException")


def pass_on(there, name, asked):
    """The response of the server at HOST:PORT"""
    server = http.client.HTTPConnection(there)
    server.request("POST", "/", json.dumps(asked), {
        "X-Amz-Target": f"DynamoDB_20120810.{name}", "Content-Type": "application/x-amz-json-1.0"})
    answer = server.getresponse()
    body = json.loads(answer.read() or "{}")  # the response to TagResource is empty
    server.close()
    if answer.status != 200:
        raise Failure(body.pop("__type").split("#")[1], **body)
    return body


def serve(operations):
    """Print the address, and respond with operations[NAME](request) until standard input ends"""
    server = Server(("127.0.0.1", 0), handler(operations))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening on 127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()
