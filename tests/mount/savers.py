# savers.py - concurrent saves of one item through one mount by many processes
#
#   python3 savers.py MOUNT PARTITION ROUNDS SAVERS SEED
#
# In each round all processes begin at the same time: some write a valid text, some a text that is not an item, in one
# piece or several, of less than a page or of many. The mount's .stream gives the stored items in order. Prints each
# error: a valid save that failed or was never the item; a bad save that did not fail; a last item that is not that of
# the last close.
import json, os, random, select, sys, time

mount, partition, rounds, savers, seed = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
draw = random.Random(seed)
wrong = []


def text_of(mark, valid, size):
    text = json.dumps({"v": mark, "pad": "x" * size}) + "\n"
    return text if valid else draw.choice([text[:-2], text + "}", "{]" + text[2:]])


def save(path, text, pieces, append, begin, report):
    """One save, in its own process; report when its close began and ended, and its result."""
    os.read(begin, 1)
    error, before, step_of = "", 0, "open"
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | (os.O_APPEND if append else 0), 0o666)
        step_of = "write"
        try:
            step = max(1, -(-len(text) // pieces))
            for at in range(0, len(text), step):
                piece = text[at : at + step].encode()
                if os.write(fd, piece) != len(piece):
                    error = "short write"
                os.sched_yield()
        finally:
            before = time.monotonic_ns()
            os.close(fd)
    except OSError as e:
        error = f"{step_of}: {e.strerror} ({e.errno})"
    os.write(report, (json.dumps([error, before, time.monotonic_ns()]) + "\n").encode())


def start(path, text, pieces, append):
    begin, go = os.pipe()
    result, report = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(go)
        save(path, text, pieces, append, begin, report)
        os._exit(0)
    os.close(begin)
    os.close(report)
    return pid, go, result


class Stream:
    """The items of one name in the order in which they were stored."""

    def __init__(self):
        self.fd = os.open(os.path.join(mount, ".stream"), os.O_RDONLY)
        self.rest = b""

    def until(self, mark):
        seen = []
        while True:
            while b"\n" not in self.rest:
                if not select.select([self.fd], [], [], 60)[0]:
                    return seen + ["nothing for a minute"]
                self.rest += os.read(self.fd, 1 << 20)
            line, self.rest = self.rest.split(b"\n", 1)
            image = json.loads(line).get("NewImage")
            if image is None:
                continue
            if image.get("end") == mark:
                return seen
            seen.append(image.get("v"))


stream = Stream()
for n in range(rounds):
    path = os.path.join(mount, partition, f"item{n % 3}.json")
    if draw.random() < 0.5 and os.path.exists(path):
        os.unlink(path)
    running = []
    for k in range(savers):
        valid = draw.random() < 0.7
        mark = f"{n}.{k}"
        text = text_of(mark, valid, draw.choice([0, 10, 3000, 5000, 20000, 200000]))
        running.append((mark, valid, start(path, text, draw.choice([1, 1, 2, 7]), draw.random() < 0.3)))
    for _, _, (_, go, _) in running:
        os.write(go, b".")
    saved = []
    for mark, valid, (pid, go, result) in running:
        with os.fdopen(result) as report:
            error, before, after = json.loads(report.read())
        os.close(go)
        os.waitpid(pid, 0)
        if valid and error:
            wrong.append(f"round {n}: {mark} is valid and fails: {error}")
        elif not valid and "(74)" not in error:
            wrong.append(f"round {n}: {mark} is no item and is told: {error or 'nothing'}")
        elif valid:
            saved.append((mark, before, after))
    with open(os.path.join(mount, partition, "end.json"), "w") as f:
        f.write(json.dumps({"end": n}))
    seen = stream.until(n)
    for mark, _, _ in saved:
        if mark not in seen:
            wrong.append(f"round {n}: {mark} was saved and never was the item")
    if not saved:
        continue
    last = [s for s in saved if s[0] == seen[-1]] if seen else []
    if not last:
        wrong.append(f"round {n}: the last item is {seen[-1:]}, which nobody saved")
    elif any(s[1] > last[0][2] for s in saved):
        wrong.append(f"round {n}: {last[0][0]} is the item, and others were closed later")
    with open(path) as f:
        shown = json.load(f)["v"]
    if seen and shown != seen[-1]:
        wrong.append(f"round {n}: {shown} is read, {seen[-1]} is stored")
    if len(wrong) > 10:
        break
print("\n".join(wrong))
