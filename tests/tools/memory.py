"""memory.py PORT CLIENTS STATUS... - clients that request 16 MB and do not read them, others that send 16 MB, and idle ones.

Prints whether a small request is answered meanwhile, and other statuses than STATUS...; "closed": a connection was closed instead,
and a small request may be refused at first.
"""
import collections
import http.client
import json
import resource
import socket
import sys
import threading

PORT, CLIENTS = (int(arg) for arg in sys.argv[1:3])
STATUSES = sys.argv[3:]
TYPE = "application/x-amz-json-1.0"
KEY = {"AttributeName": "k", "KeyType": "HASH"}
TABLE = {
    "TableName": "large",
    "KeySchema": [KEY],
    "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
SMALL = {"TableName": "large", "Key": {"k": {"S": "none"}}}
KEYS = [{"k": {"S": f"k{i}"}} for i in range(40)]


def call(operation, body):
    """Return the status of the response; None: the connection was closed instead."""
    client = http.client.HTTPConnection("127.0.0.1", PORT, timeout=240)
    head = {"Content-Type": TYPE, "X-Amz-Target": "DynamoDB_20120810." + operation}
    try:
        client.request("POST", "/", json.dumps(body), head)
        return client.getresponse().status
    except ConnectionError:
        return None
    finally:
        client.close()


def request(operation, body):
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: {TYPE}\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
    return (head + f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def begin(bytes_):
    """A connection that sends a request and reads only the status of its response."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(240)
    client.connect(("127.0.0.1", PORT))
    try:
        client.sendall(bytes_)
    except ConnectionError:
        pass  # status() fails, too
    return client


def status(client):
    try:
        return client.recv(12).decode().removeprefix("HTTP/1.1 ") or "closed"
    except ConnectionError:
        return "closed"


def idle():
    """Connections that have sent the head of a request and do not send its body; the server may close them."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = min(3000, most - 100) if most != resource.RLIM_INFINITY else 3000
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 100, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    clients = []
    for _ in range(most):
        clients.append(socket.socket())
        try:
            clients[-1].connect(("127.0.0.1", PORT))
            clients[-1].sendall(request("GetItem", b"x" * 100)[:-100])
        except ConnectionError:
            pass
    return clients


def send(bytes_, seen):
    with begin(bytes_) as client:
        seen.append(status(client))


assert call("CreateTable", TABLE) == 200
for key in KEYS:
    assert call("PutItem", {"TableName": "large", "Item": dict(key, v={"S": "x" * 390 * 1024})}) == 200
batch = request("BatchGetItem", json.dumps({"RequestItems": {"large": {"Keys": KEYS}}}).encode())
clients = [begin(batch) for _ in range(CLIENTS)]
seen = [status(client) for client in clients]
small = call("GetItem", SMALL)
while "closed" in STATUSES and small in (503, None):
    small = call("GetItem", SMALL)
print("small", small)
tokens = request("BatchGetItem", b'{"a":[' + b"1," * 7_900_000 + b"1]}")
threads = [threading.Thread(target=send, args=(tokens, seen)) for _ in range(CLIENTS // 10)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
count = collections.Counter(seen)
print("other", set(count) - set(STATUSES))
print("refused", count["503"] > 0)
for client in clients:
    client.close()
held = idle()
print("beside idle clients", call("GetItem", SMALL) in (200, 503, None))
for client in held:
    client.close()
