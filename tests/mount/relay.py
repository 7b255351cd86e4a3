"""relay PORT_FILE TARGET_FILE - a fixed address for a server that comes and goes

Writes its own port to PORT_FILE.  Requests are forwarded to the port that TARGET_FILE names at that moment.  When it names
another one, existing connections are closed before any more data passes.  "throttled" responds like a throttled table,
"silent" does not respond: the file PORT_FILE.asked then shows that a client waits.
"""
import os
import socket
import sys
import threading

THROTTLED = b'{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"Too much"}'


def target():
    with open(sys.argv[2]) as f:
        return f.read().strip()


def close(*ends):
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def back(there, conn):
    try:
        while data := there.recv(65536):
            conn.sendall(data)
    except OSError:
        pass
    close(there, conn)


def forward(conn, name):
    there = socket.create_connection(("127.0.0.1", int(name)))
    threading.Thread(target=back, args=(there, conn), daemon=True).start()
    try:
        while (data := conn.recv(65536)) and target() == name:
            there.sendall(data)
    finally:
        close(there)


def throttle(conn):
    with conn.makefile("rb") as lines:
        size = 0
        while (line := lines.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        lines.read(size)
    conn.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(THROTTLED), THROTTLED))


def serve(conn):
    try:
        name = target()
        if name == "silent":
            if conn.recv(1):
                open(sys.argv[1] + ".asked", "w").close()
            while conn.recv(65536):
                pass
        elif name == "throttled":
            throttle(conn)
        elif name != "":
            forward(conn, name)
    except OSError:
        pass
    close(conn)
    conn.close()


listener = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(listener.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
