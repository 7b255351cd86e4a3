"""keysmith.py [ipv6 | CERTIFICATE] - on one port: STS, container credentials, instance metadata, and tables named after the key of the request

The files of its folder control it: "expired" names keys whose token has expired, "answer" is a way to return
bad keys (huge, text, ended, status), "ends" is the lifetime of keys in seconds, "clock" how far its clock is ahead.
Keys are numbered: KEY1, KEY2 ...; "asked" gets a line for each request.
"""
import datetime
import email.utils
import http.server
import json
import socket
import ssl
import sys
import threading
import time
import urllib.parse

count = 0


def told(name, otherwise=""):
    try:
        with open(name) as file:
            return file.read().strip() or otherwise
    except FileNotFoundError:
        return otherwise


def new_key():
    global count
    count += 1
    seconds = -60 if told("answer") == "ended" else float(told("ends", "3600"))
    ends = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return f"KEY{count}", ends.strftime("%Y-%m-%dT%H:%M:%SZ")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate(time.time() + float(told("clock", "0")), usegmt=True)

    def say(self, status, text):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def note(self, text):
        with open("asked", "a") as file:
            file.write(text + "\n")

    def hand_out(self, as_xml):
        answer = told("answer")
        key, ends = new_key()
        names = ("AccessKeyId", "SecretAccessKey", "SessionToken" if as_xml else "Token", "Expiration")
        values = dict(zip(names, (key, "hidden/secret", "hidden-token", ends)))
        text = "".join(f"<{n}>{v}</{n}>" for n, v in values.items()) if as_xml else json.dumps(values)
        if answer == "huge":
            text = "hidden" * 100000
        elif answer == "text":
            text = "hidden text"
        self.say(403 if answer == "status" else 200, text)

    def do_PUT(self):
        self.note("PUT " + self.path)
        self.say(200 if "X-aws-ec2-metadata-token-ttl-seconds" in self.headers else 400, "imds-token")

    def do_GET(self):
        self.note(f"GET {self.path} {self.headers.get('Authorization', '-')}")
        if self.path.startswith("/latest/"):
            if self.headers.get("X-aws-ec2-metadata-token") != "imds-token":
                return self.say(401, "")
            if self.path.endswith("/"):
                return self.say(200, "my-role\n")
        self.hand_out(False)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "X-Amz-Target" not in self.headers:
            form = urllib.parse.parse_qs(body)
            self.note(" ".join(["POST"] + [form[n][0] for n in ("Action", "RoleArn", "RoleSessionName", "WebIdentityToken")]))
            return self.hand_out(True)
        signed = self.headers.get("Authorization", "Credential=nobody/")
        key = signed.split("Credential=")[1].split("/")[0]
        now = time.time() + float(told("clock", "0"))
        stamp = self.headers.get("X-Amz-Date", "20000101T000000Z")
        then = datetime.datetime.strptime(stamp + "+0000", "%Y%m%dT%H%M%SZ%z").timestamp()
        error = None
        if key in told("expired").split():
            error = ("ExpiredTokenException", "The security token included in the request is expired")
        elif key != "nobody" and abs(now - then) > 900:
            error = ("InvalidSignatureException", f"Signature expired: {stamp} is now earlier than it may be")
        if error:
            return self.say(400, json.dumps({"__type": "com.amazon.coral.service#" + error[0], "message": error[1]}))
        self.say(200, json.dumps({"TableNames": [key]}))

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignore clients that disconnect early."""


ipv6 = sys.argv[1:] == ["ipv6"]
if ipv6:
    Server.address_family = socket.AF_INET6
server = Server(("::1" if ipv6 else "127.0.0.1", 0), Handler)
if len(sys.argv) > 1 and not ipv6:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1])
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"listening on {'[::1]' if ipv6 else '127.0.0.1'}:{server.server_port}", flush=True)
sys.stdin.read()
