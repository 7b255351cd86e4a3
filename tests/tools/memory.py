"""memory.py PORT CLIENTS - clients that request 16 MB and do not read them, and others that send 16 MB.

Prints whether a small request is answered meanwhile, and other statuses than 200 and 503.
"""
import collections
import http.client
import json
import socket
import sys
import threading

PORT, CLIENTS = (int(arg) for arg in sys.argv[1:3])
TYPE = "application/x-amz-json-1.0"
KEY = {"AttributeName": "k", "KeyType": "HASH"}
TABLE = {
    "TableName": "large",
    "KeySchema": [KEY],
    "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
KEYS = [{"k": {"S": f"k{i}"}} for i in range(40)]


def call(operation, body):
    client = http.client.HTTPConnection("127.0.0.1", PORT, timeout=240)
    client.request("POST", "/", json.dumps(body), {"Content-Type": TYPE, "X-Amz-Target": "DynamoDB_20120810." + operation})
    status = client.getresponse().status
    client.close()
    return status


def request(operation, body):
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: {TYPE}\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
    return (head + f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def begin(bytes_):
    """A connection that has sent a request and reads only the status of its response."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(240)
    client.connect(("127.0.0.1", PORT))
    client.sendall(bytes_)
    return client


def send(bytes_, seen):
    with begin(bytes_) as client:
        seen.append(client.recv(12).decode())


assert call("CreateTable", TABLE) == 200
for key in KEYS:
    assert call("PutItem", {"TableName": "large", "Item": dict(key, v={"S": "x" * 390 * 1024})}) == 200
batch = request("BatchGetItem", json.dumps({"RequestItems": {"large": {"Keys": KEYS}}}).encode())
clients = [begin(batch) for _ in range(CLIENTS)]
seen = [client.recv(12).decode() for client in clients]
print("small", call("GetItem", {"TableName": "large", "Key": {"k": {"S": "none"}}}))
tokens = request("BatchGetItem", b'{"a":[' + b"1," * 7_900_000 + b"1]}")
threads = [threading.Thread(target=send, args=(tokens, seen)) for _ in range(CLIENTS // 10)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
count = collections.Counter(seen)
print("other", {status for status in count if status not in ("HTTP/1.1 200", "HTTP/1.1 400", "HTTP/1.1 503")})
print("refused", count["HTTP/1.1 503"] > 0)
for client in clients:
    client.close()
