"""connections.py PORT IDLE WORKING HALF-OPEN [kept] - run many clients of a server; print the number of responses of each kind.

kept: at the end each idle client sends another request.
"""
import socket
import sys
import threading

PORT, IDLE, WORKING, HALF_OPEN = (int(arg) for arg in sys.argv[1:5])
KEPT = sys.argv[5:] == ["kept"]
ROUNDS = 20
REQUEST = (
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
    b"X-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Length: 2\r\n\r\n{}"
)


def connect():
    return socket.create_connection(("127.0.0.1", PORT), 240)


def ask(client):
    """True when the request is answered 200 and the connection stays open."""
    client.sendall(REQUEST)
    answer = b""
    while b"\r\n\r\n" not in answer or not answer.endswith(b"}"):
        piece = client.recv(65536)
        if not piece:
            return False
        answer += piece
    return answer.startswith(b"HTTP/1.1 200 ") and b"Connection: close" not in answer


def work(good):
    client = connect()
    for _ in range(ROUNDS):
        good.append(ask(client))


idle = []
answered = 0
for _ in range(IDLE):
    idle.append(connect())
    answered += ask(idle[-1])
print("idle", answered)
good = []
threads = [threading.Thread(target=work, args=(good,)) for _ in range(WORKING)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("working", sum(good))
half_open = [connect() for _ in range(HALF_OPEN)]
for client in half_open:
    client.sendall(REQUEST[:40])
print("new", int(ask(connect())))
if KEPT:
    print("still", sum(ask(client) for client in idle))
