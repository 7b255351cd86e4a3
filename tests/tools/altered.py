"""altered.py PROGRAM HOST:PORT|SOCKET FILE N - run PROGRAM against an endpoint with one member altered in one of its responses

Each line of FILE is a run: its command, its result (0, or another status), its words as for a shell. "@" is the endpoint,
"<FILE" standard input.  First all runs are made in order with the real endpoint, and its responses are kept; for the command
"vector", whose last word is NAME.request.json, the response is NAME.answer.json. Then each run is repeated for each member of each of
these responses, with the member removed, null, and of each other type. The other responses are unchanged, so that a run changes nothing.

A run fails if it does not end, is killed by a signal, reports a memory error, or gives another status without a message.

  ITEMFS_ALTERED=all     every run; otherwise about N, the same ones each time
  ITEMFS_ALTERED=K/N     every N-th from the K-th on: N such parts are all
  ITEMFS_ALTERED=WORDS   the runs whose failure would be reported with WORDS
"""
import collections
import copy
import http.client
import http.server
import json
import math
import os
import re
import shlex
import shutil
import socket
import socketserver
import subprocess
import sys
import threading

COMPLAINT = re.compile(rb"Sanitizer|runtime error|[Aa]ssert|core dumped")
SENTENCE = re.compile(rb"\w \w")
GUARD_S = 300
STREAMS = "ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"
REMOVED = object()
OTHERS = [REMOVED, None, 7, "x", True, [], {}]


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Endpoint:
    """Forward requests and keep the responses, or replay kept ones: those of each operation in order, then the last one again"""

    def __init__(self, there):
        self.there = there
        self.lock = threading.Lock()
        self.begin(None)

    def begin(self, kept, altered=None):
        self.kept, self.altered = kept, altered
        self.seen = collections.Counter()
        self.taken = collections.defaultdict(list)

    def answer(self, target, body):
        with self.lock:
            n = self.seen[target]
            self.seen[target] += 1
        if self.kept is None:
            answer = self.pass_on(target, body)
            with self.lock:
                self.taken[target].append(answer)
            return answer
        answers = self.kept.get(target)
        if not answers:
            return 400, b'{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"it was not asked before"}'
        if self.altered and self.altered[:2] == (target, n):
            return self.altered[2:]
        return answers[min(n, len(answers) - 1)]

    def pass_on(self, target, body):
        server = Unix(self.there) if "/" in self.there else http.client.HTTPConnection(self.there)
        server.request("POST", "/", body, {"X-Amz-Target": target, "Content-Type": "application/x-amz-json-1.0"})
        answer = server.getresponse()
        result = answer.status, answer.read()
        server.close()
        return result


def handler(endpoint):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def address_string(self):
            return "somebody"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, data = endpoint.answer(self.headers["X-Amz-Target"], body)
            self.send_response(status)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


class UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def listen(there):
    """The endpoint, and its name for PROGRAM: an address, or the store whose socket it has taken over"""
    if "/" not in there:
        endpoint = Endpoint(there)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(endpoint))
        server.daemon_threads = True
        name = f"http://127.0.0.1:{server.server_port}"
    else:
        endpoint = Endpoint(there + ".real")
        os.rename(there, there + ".real")
        server = UnixServer(there, handler(endpoint))
        os.chmod(there, 0o600)
        name = os.path.dirname(there)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return endpoint, name


def places(value, path=()):
    """The paths of all members and elements; of similar elements of a list only the first one"""
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        looks, children = set(), []
        for i, one in enumerate(value):
            look = json.dumps(one, sort_keys=True) if not isinstance(one, dict) else str(sorted(one))
            if look not in looks:
                looks.add(look)
                children.append((i, one))
    else:
        return
    for key, child in children:
        yield path + (key,)
        yield from places(child, path + (key,))


def alter(answer, path, other):
    answer = copy.deepcopy(answer)
    holder = answer
    for key in path[:-1]:
        holder = holder[key]
    if other is REMOVED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = other
    return answer


def alterations(kept):
    """The possible alterations of responses: (operation, which, status, body, description)"""
    for target, answers in kept.items():
        looks = set()
        for n, (status, body) in enumerate(answers):
            try:
                answer = json.loads(body)
            except ValueError:
                continue
            paths = list(places(answer))
            look = status, str([path for path in paths])
            if look in looks:
                continue
            looks.add(look)
            for path in paths:
                for other in OTHERS:
                    about = f"{target.split('.')[1]} {n}: {'.'.join(map(str, path))} " + (
                        "removed" if other is REMOVED else json.dumps(other))
                    yield target, n, status, json.dumps(alter(answer, path, other)).encode(), about


def vector(path):
    """Keep the response to NAME.request.json"""
    operation = os.path.basename(path).split(".")[0]
    group = "DynamoDBStreams" if operation in STREAMS else "DynamoDB"
    with open(path.replace(".request.", ".answer."), "rb") as f:
        return {f"{group}_20120810.{operation}": [(200, f.read())]}


class Run:
    def __init__(self, line):
        self.name, status, *self.words = shlex.split(line)
        self.status = int(status)
        self.input = next((word[1:] for word in self.words if word.startswith("<")), "/dev/null")
        self.words = [word for word in self.words if not word.startswith("<")]
        self.kept = vector(self.words[-1]) if self.name == "vector" else None


def clear():
    for name in os.listdir("."):
        shutil.rmtree(name) if os.path.isdir(name) and not os.path.islink(name) else os.unlink(name)


def execute(program, name, run):
    """(status, standard error); None: it does not end"""
    words = [word.replace("@", name) if word.startswith("@") else word for word in run.words]
    with open(run.input, "rb") as given:
        try:
            done = subprocess.run([program, "-s", name, *words], stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=GUARD_S)
        except subprocess.TimeoutExpired:
            return None, b""
    clear()
    return done.returncode, done.stderr


def choose(everything, n, asked):
    if asked == "all":
        return everything
    if asked and re.fullmatch(r"\d+/\d+", asked):
        first, step = map(int, asked.split("/"))
        return everything[first - 1::step]
    if asked:
        return [one for one in everything if asked in one[-1]]
    step = max(1, len(everything) // n)
    while math.gcd(step, len(OTHERS)) > 1:
        step += 1
    return everything[::step]


def main():
    program, there, lines, about_so_many = sys.argv[1:5]
    endpoint, name = listen(there)
    with open(lines) as f:
        runs = [Run(line) for line in f if line.strip() and not line.startswith("#")]
    failures = 0
    work = []
    for run in runs:
        endpoint.begin(run.kept)
        status, err = execute(program, name, run)
        if run.kept:
            run.status = status
        elif status != run.status:
            print(f"FAILED: {run.name} {run.words}: gives {status}, not {run.status}: {err.decode(errors='replace')}")
            failures += 1
        run.asked = sum(endpoint.seen.values())
        run.kept = run.kept or dict(endpoint.taken)
        work.append([(run, *rest) for rest in alterations(run.kept)])
    everything = [one for part in work for one in part]
    tried = choose(everything, int(about_so_many), os.environ.get("ITEMFS_ALTERED"))
    for run, target, n, status, body, about in tried:
        endpoint.begin(run.kept, (target, n, status, body))
        code, err = execute(program, name, run)
        why = ("does not end" if code is None else f"gives {code}" if code < 0 or code >= 124 else "complains" if COMPLAINT.search(err)
               else "says nothing" if code not in (0, run.status) and not SENTENCE.search(err) else None)
        if why:
            print(f"FAILED: {run.name} {run.words}: {about}: {why}: {err.decode(errors='replace')[:4000]}", flush=True)
            failures += 1
    print(f"{len(tried)} of {len(everything)} altered answers")
    for run in runs:
        if run.asked:
            print(f"asks {run.name}")
    sys.exit(failures > 0)


main()
