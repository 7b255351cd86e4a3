"""faults.py KEY=VALUE... - an endpoint with tables in memory, of one string key "PK", that fails as requested

latency=MS      each response is delayed by MS
units=N         N items are written at once, then N a second; the rest is unprocessed, or throttled
fail=N          every N-th write is refused with 500, and not carried out
lose=N          every N-th write is carried out, and its response is lost
throttle=N      every N-th Scan is throttled
page=N          items per page (default 1000)
broken=N        all writes from the N-th on fail
gather=N        a batch is answered when N requests were in progress at a time
When its input ends, it writes one line to standard error: requests, the most at a time, items per table.
"""
import itertools
import json
import socket
import sys
import threading
import time

words = dict(word.split("=") for word in sys.argv[1:])
number = {name: int(value) for name, value in words.items()}
lock = threading.Lock()
more = threading.Condition(lock)
tables = {"tab": {}, "full": {str(i): {"PK": {"S": str(i)}} for i in range(number.get("items", 0))}}
writes = itertools.count(1)
scans = itertools.count(1)
seen = {"requests": 0, "now": 0, "most": 0}
bucket = {"left": number.get("units", 0), "at": time.monotonic()}


class Failure(Exception):
    def __init__(self, status, name):
        self.status, self.name = status, name


class Lost(Exception):
    pass


def take_unit():
    if "units" not in number:
        return True
    now = time.monotonic()
    bucket["left"] = min(number["units"], bucket["left"] + (now - bucket["at"]) * number["units"])
    bucket["at"] = now
    if bucket["left"] < 1:
        return False
    bucket["left"] -= 1
    return True


def due(name, n):
    return name in number and n % number[name] == 0


def write(actions):
    """Carry out (table, request) pairs; return those that are unprocessed"""
    n = next(writes)
    if due("fail", n) or ("broken" in number and n >= number["broken"]):
        raise Failure(500, "InternalServerError")
    left = []
    with lock:
        for table, action in actions:
            if not take_unit():
                left.append((table, action))
            elif "PutRequest" in action:
                item = action["PutRequest"]["Item"]
                tables[table][item["PK"]["S"]] = item
            else:
                tables[table].pop(action["DeleteRequest"]["Key"]["PK"]["S"], None)
    if due("lose", n):
        raise Lost
    return left


def batch(asked):
    actions = [(table, action) for table, them in asked["RequestItems"].items() for action in them]
    keys = [json.dumps(a.get("PutRequest", {}).get("Item", a.get("DeleteRequest", {}).get("Key"))["PK"]) for _, a in actions]
    if len(set(keys)) < len(keys) or len(keys) > 25:
        raise Failure(400, "ValidationException")
    with lock:
        more.wait_for(lambda: seen["most"] >= number.get("gather", 0))
    left = write(actions)
    if len(left) == len(actions):
        raise Failure(400, "ProvisionedThroughputExceededException")
    answer = {}
    for table, action in left:
        answer.setdefault(table, []).append(action)
    return {"UnprocessedItems": answer}


def update(asked):
    n = next(writes)
    if due("fail", n):
        raise Failure(500, "InternalServerError")
    with lock:
        if not take_unit():
            raise Failure(400, "ThrottlingException")
        item = tables[asked["TableName"]].setdefault(asked["Key"]["PK"]["S"], dict(asked["Key"]))
        item["updates"] = {"N": str(int(item.get("updates", {"N": "0"})["N"]) + 1)}
    return {}


def delete(asked):
    if write([(asked["TableName"], {"DeleteRequest": {"Key": asked["Key"]}})]):
        raise Failure(400, "ThrottlingException")
    return {}


def scan(asked):
    if due("throttle", next(scans)):
        raise Failure(400, "ProvisionedThroughputExceededException")
    with lock:
        keys = sorted(tables[asked["TableName"]])
        start = asked.get("ExclusiveStartKey", {"PK": {"S": ""}})["PK"]["S"]
        keys = [key for key in keys if key > start]
        items = [tables[asked["TableName"]][key] for key in keys[:number.get("page", 1000)]]
    answer = {"Items": items, "Count": len(items), "ScannedCount": len(items)}
    if len(items) < len(keys):
        answer["LastEvaluatedKey"] = {"PK": items[-1]["PK"]}
    return answer


def describe(asked):
    if asked["TableName"] not in tables:
        raise Failure(400, "ResourceNotFoundException")
    return {"Table": {
        "TableName": asked["TableName"],
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    }}


OPERATIONS = {
    "DescribeTable": describe,
    "DescribeTimeToLive": lambda _: {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}},
    "DescribeContinuousBackups": lambda _: {"ContinuousBackupsDescription": {"ContinuousBackupsStatus": "ENABLED"}},
    "ListTables": lambda _: {"TableNames": sorted(tables)},
    "BatchWriteItem": batch,
    "UpdateItem": update,
    "DeleteItem": delete,
    "Scan": scan,
}


def read_request(lines):
    """Name of the operation and its body, or None at the end"""
    target = size = None
    if not lines.readline():
        return None
    while (line := lines.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"x-amz-target":
            target = value.strip().decode().split(".")[1]
        elif name.lower() == b"content-length":
            size = int(value)
    return target, lines.read(size)


def answer(target, body):
    try:
        status, said = 200, OPERATIONS[target](json.loads(body))
    except Failure as failure:
        status, said = failure.status, {"__type": f"com.amazonaws.dynamodb.v20120810#{failure.name}", "message": "so it is told"}
    data = json.dumps(said).encode()
    return b"HTTP/1.1 %d X\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: %d\r\n\r\n%s" % (status, len(data), data)


def serve(conn):
    conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with conn, conn.makefile("rb") as lines:
        while (asked := read_request(lines)) is not None:
            with lock:
                seen["requests"] += 1
                seen["now"] += 1
                seen["most"] = max(seen["most"], seen["now"])
                more.notify_all()
            try:
                time.sleep(number.get("latency", 0) / 1000)
                data = answer(*asked)
            except Lost:
                return
            finally:
                with lock:
                    seen["now"] -= 1
            conn.sendall(data)


def accept(listener):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0), backlog=128)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
print(f"listening on 127.0.0.1:{listener.getsockname()[1]}", flush=True)
sys.stdin.read()
print(f"{seen['requests']} requests, {seen['most']} at a time, {len(tables['tab'])} items", file=sys.stderr, flush=True)
