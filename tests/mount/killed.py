"""killed.py MOUNT ADDRESS PID SEED - load on the partition "p" through a mount and over HTTP, and kill -9 of the daemon in it

Renames, creations, removals and reads in the mount, puts and deletes at the address.  After a random number of
responses the daemon is killed.  Ends when each request has succeeded or failed.
"""
import errno
import http.client
import itertools
import json
import os
import random
import signal
import sys
import threading
import time

mount, address, pid, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
draw = random.Random(seed)
answered = itertools.count()  # next() is atomic
so_far = 0
over = False
PATIENCE = 60  # seconds without a response


def rename(n):
    a, b = f"{mount}/p/r{n}.json", f"{mount}/p/q{n}.json"
    with open(a, "w") as f:
        f.write('{"v":1}')
    while True:
        os.rename(a, b)
        os.rename(b, a)


def create(n):
    name = f"{mount}/p/c{n}.json"
    while True:
        with open(name, "w") as f:
            f.write('{"v":1}')
        os.unlink(name)


def read(_):
    while True:
        for name in os.listdir(f"{mount}/p"):
            try:
                with open(f"{mount}/p/{name}") as f:
                    f.read()
            except OSError as e:
                if e.errno not in (errno.ENOENT, errno.ESTALE):  # otherwise it was deleted
                    raise


def put(n):
    global so_far
    c = http.client.HTTPConnection(*address.split(":"), timeout=PATIENCE)
    for i in itertools.count():
        key = {"PK": {"S": "p"}, "SK": {"S": f"w{n}{i // 3 % 5}"}}
        if i % 3 == 2:
            op, body = "DeleteItem", {"TableName": "tab", "Key": key}
        else:
            op, body = "PutItem", {"TableName": "tab", "Item": {**key, "v": {"N": str(i)}}}
        c.request("POST", "/", json.dumps(body), {"X-Amz-Target": "DynamoDB_20120810." + op,
                                                  "Content-Type": "application/x-amz-json-1.0"})
        answer = c.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise http.client.HTTPException(f"{op}: {text}")
        so_far = next(answered)


def until_it_is_over(work, n):
    try:
        work(n)
    except (OSError, http.client.HTTPException) as e:
        # A connection that the kernel is ending reports that in several ways.
        if not over:
            print(f"{work.__name__} {n}: {e!r}", file=sys.stderr)
            os._exit(1)


os.makedirs(f"{mount}/p", exist_ok=True)
threads = [threading.Thread(target=until_it_is_over, args=w, daemon=True)
           for w in [(rename, 0), (rename, 1), (create, 0), (read, 0), (put, 0), (put, 1)]]
for t in threads:
    t.start()
enough, begun = draw.randint(20, 150), time.monotonic()
while so_far < enough:
    if time.monotonic() > begun + PATIENCE:
        print(f"{so_far} answers in {PATIENCE} s", file=sys.stderr)
        os._exit(1)
    time.sleep(draw.random() / 500)
over = True
os.kill(pid, signal.SIGKILL)
for t in threads:
    t.join(PATIENCE / 4)
hang = sum(t.is_alive() for t in threads)
if hang:
    print(f"{hang} of {len(threads)} threads hang", file=sys.stderr)
os._exit(1 if hang else 0)
