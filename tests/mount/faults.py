"""faults.py MOUNT [brief] - make system calls in a mount whose endpoint refuses requests; print a line for each call with its errno, 0 for success

A line is "CALL REQUEST ERRNO WORDS": REQUEST is the last FUSE request of the call.  The word after "=" is what the file must
have now, "-" if it must not exist: a reported success guarantees it.  "brief" omits calls that differ little from others.
"""
import ctypes
import errno
import os
import sys

mount = sys.argv[1]
brief = len(sys.argv) > 2
libc = ctypes.CDLL(None, use_errno=True)
failed = False


def said(call, request, code):
    name = {0: "0", errno.EOPNOTSUPP: "EOPNOTSUPP"}.get(code) or errno.errorcode[code]
    print(call, request, name, flush=True)


def do(request, call, *args):
    """The result, or None"""
    global failed
    try:
        result = call(*args)
    except OSError as e:
        failed = True
        said(call.__name__, request, e.errno)
        return None
    said(call.__name__, request, 0)
    return result


def renameat2(old, new, flags):
    if libc.renameat2(-100, old.encode(), -100, new.encode(), flags) != 0:
        raise OSError(ctypes.get_errno(), old)


def effect(path, text):
    """What must be stored if all calls succeeded"""
    global failed
    if not failed:
        print("=", path, text, flush=True)
    failed = False


def write(path, flags, text, sync=False):
    fd = do("OPEN", os.open, path, os.O_WRONLY | flags, 0o666)
    if fd is None:
        return
    do("WRITE", os.write, fd, text.encode())
    if sync:
        do("FSYNC", os.fsync, fd)
    do("FLUSH", os.close, fd)


p = mount + "/p/"
for path in [p + "a.json", p + ".jsonl"] + ([] if brief else [p + ".count", mount + "/.table.json", p + "none.json"]):
    fd = do("OPEN", os.open, path, os.O_RDONLY)
    if fd is not None:
        do("READ", os.read, fd, 100000)
        os.close(fd)
do("READDIR", os.listdir, p)
do("GETATTR", os.stat, p + "a.json")
failed = False
write(p + "a.json", os.O_TRUNC, '{"v":2}')
effect("a", "2")
if not brief:
    write(p + "new.json", os.O_CREAT | os.O_EXCL, '{"v":3}')
    effect("new", "3")
write(p + "synced.json", os.O_CREAT, '{"v":4}', sync=True)
effect("synced", "4")
do("UNLINK", os.unlink, p + "b.json")
effect("b", "-")
do("RENAME", os.rename, p + "c.json", p + "d.json")
effect("d", "1")
if not brief:
    do("RENAME", renameat2, p + "e.json", p + "f.json", 1)
    effect("f", "1")
do("RENAME", renameat2, p + "g.json", p + "h.json", 2)
effect("h", "7")
do("MKDIR", os.mkdir, mount + "/q")
failed = False
do("RENAME", os.rename, mount + "/r", mount + "/s")
effect("s/r", "1")
do("SETATTR", os.truncate, p + "i.json", 0)
failed = False
