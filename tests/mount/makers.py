# makers.py - concurrent creations of one file with texts that are not items, so that the file is deleted and created again
#
#   python3 makers.py PATH MAKERS TIMES
#
# Prints each error: an open that fails, a text that is not refused. Then prints how many times the file was created.
import os, sys

path, makers, times = sys.argv[1], *map(int, sys.argv[2:4])


def make():
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    except OSError as e:
        return f"open: {e.strerror} ({e.errno})"
    try:
        os.write(fd, b"{]\n")
        wrong = "what is no item is written"
    except OSError as e:
        wrong = "" if e.errno == 74 else f"write: {e.strerror} ({e.errno})"
    try:
        os.close(fd)
    except OSError:
        pass
    return wrong


def make_all():
    for _ in range(times):
        wrong = make()
        if wrong:
            print(wrong, flush=True)


begin, go = os.pipe()
for _ in range(makers):
    if os.fork() == 0:
        os.close(go)
        os.read(begin, 1)
        try:
            make_all()
            os._exit(0)
        finally:
            os._exit(1)
os.close(go)  # all processes begin
ended = [os.wait()[1] for _ in range(makers)].count(0)
print(ended * times, "made")
