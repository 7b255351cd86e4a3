"""namespace.py MOUNT ALL DOC [--print] - every claim of the tables in fs/NAMESPACE.md, tried on a mount

MOUNT shows the table "tab" (PK, SK, index gsi of G, H), ALL the whole store.  The head of a table names its columns.  The first
cell of a row names a probe below; the first word of each other cell is the result of the probe: ok, an errno, or "-" where
there is nothing to try.  --print writes the tables as they should be.
"""
import concurrent.futures, ctypes, ctypes.util, errno, fcntl, mmap, os, re, select, stat, struct, sys, termios

MOUNT, ALL, DOC = sys.argv[1:4]
P = MOUNT + "/p"
libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
numbers = iter(range(1, 1 << 30))


def libc_call(name, *args):
    r = getattr(libc, name)(*args)
    if r < 0:
        raise OSError(ctypes.get_errno(), name)
    return r


def put(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


# ---- probed objects: each function creates a new object of its kind and returns its path


def item():
    return put(f"{P}/i{next(numbers)}.json", '{"v":1}')


def scratch():
    return put(f"{P}/s{next(numbers)}", "some text")


def generated():
    return P + "/.jsonl"


def partition():
    path = f"{MOUNT}/d{next(numbers)}"
    os.mkdir(path)
    put(path + "/a.json", '{"v":1}')
    return path


def view_file():
    return MOUNT + "/.index/gsi/x/1::p::viewed.json"


def view_directory():
    return MOUNT + "/.index/gsi/x"


KINDS = {"item": item, "scratch file": scratch, "generated file": generated, "partition": partition, "file of a view": view_file,
         "directory of a view": view_directory}


def view_name():
    return f"{view_directory()}/1::p::n{next(numbers)}.json"


class Fd:
    def __init__(self, path, flags=os.O_RDONLY, mode=0o666):
        self.fd = os.open(path, flags, mode)

    def __enter__(self):
        return self.fd

    def __exit__(self, *_):
        os.close(self.fd)


def opens(flags):
    def probe(path):
        with Fd(path, flags):
            pass
    return probe


def on(flags, use):
    """Open, call @use with the descriptor, close; an error of close() counts, too"""
    def probe(path):
        with Fd(path, flags) as fd:
            return use(fd)
    return probe


def alone(probe):
    """In a new thread: the calling one has just opened many files, and may still map an item"""
    def apart(path):
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            return thread.submit(probe, path).result()
    return apart


def wants(r, expected):
    if r != expected:
        raise AssertionError(f"{r!r} instead of {expected!r}")


def copy_range(fd):
    with Fd(scratch(), os.O_RDWR) as to:
        os.copy_file_range(fd, to, 3)


def sends(fd):
    with Fd(scratch(), os.O_RDWR) as to:
        os.sendfile(to, fd, 0, 3)


def maps(flags, prot, change=False):
    def use(fd):
        libc.mmap.restype = ctypes.c_void_p
        at = libc.mmap(None, ctypes.c_size_t(1), prot, flags, fd, ctypes.c_long(0))
        if at == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "mmap")
        if change:
            ctypes.memset(at, ctypes.string_at(at, 1)[0], 1)
        libc_call("munmap", ctypes.c_void_p(at), ctypes.c_size_t(1))
    return use


def allocates(mode):
    return lambda fd: libc_call("fallocate", fd, mode, ctypes.c_long(0), ctypes.c_long(10))


def locks(command):
    return lambda fd: fcntl.fcntl(fd, command, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 1, 0))


def flags_of(fd):
    fcntl.ioctl(fd, 0x80086601, bytearray(8))


def polls(fd):
    p = select.poll()
    p.register(fd, select.POLLIN | select.POLLOUT)
    wants(p.poll(1000) != [], True)


def watches(path):
    fd = libc_call("inotify_init1", 0)
    try:
        libc_call("inotify_add_watch", fd, path.encode(), 0xFFF)
    finally:
        os.close(fd)


def executes(path):
    pid = os.fork()
    if pid == 0:
        try:
            os.execv(path, [path])
        except OSError as e:
            os._exit(e.errno)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    raise OSError(status, "execve")


def seeks(path):
    d = libc.opendir
    d.restype = ctypes.c_void_p
    handle = d(path.encode())
    if not handle:
        raise OSError(ctypes.get_errno(), "opendir")
    dirp = ctypes.c_void_p(handle)
    libc.telldir.restype = ctypes.c_long
    libc.readdir.restype = ctypes.c_void_p
    libc.readdir(dirp)
    at = libc.telldir(dirp)
    name = lambda e: ctypes.string_at(e + 19)
    first = name(libc.readdir(dirp))
    libc.seekdir(dirp, ctypes.c_long(at))
    again = name(libc.readdir(dirp))
    libc.closedir(dirp)
    wants(again, first)


def accesses(mode):
    def probe(path):
        libc_call("access", path.encode(), mode)
    return probe


def times(ns, nearest):
    def probe(path):
        os.utime(path, ns=(ns, ns))
        wants(os.stat(path).st_mtime_ns, nearest)
        if ns != nearest:
            return "nearest"
    return probe


def chmods(path):
    os.chmod(path, 0o600)
    if stat.S_IMODE(os.stat(path).st_mode) != 0o600:
        return "ignored"


def chowns(path):
    os.chown(path, os.getuid(), 12 if os.getuid() == 0 else os.getgid())
    if os.getuid() == 0 and os.stat(path).st_gid != 12:
        return "ignored"


def unlinks_open(path):
    with Fd(path) as fd:
        os.unlink(path)
        wants(os.fstat(fd).st_nlink, 0)
        os.pread(fd, 1, 0)


def data(fd):
    wants(os.lseek(fd, 0, os.SEEK_DATA), 0)


def end(fd):
    wants(os.lseek(fd, 0, os.SEEK_END), os.fstat(fd).st_size)


R, W, RW = os.O_RDONLY, os.O_WRONLY, os.O_RDWR
OBJECT = {
    "open O_RDONLY": opens(R),
    "open O_WRONLY": opens(W),
    "open O_RDWR": opens(RW),
    "open O_RDONLY, O_TRUNC": opens(R | os.O_TRUNC),
    "open O_WRONLY, O_TRUNC": opens(W | os.O_TRUNC),
    "open O_WRONLY, O_APPEND": opens(W | os.O_APPEND),
    "open O_CREAT": opens(RW | os.O_CREAT),
    "open O_CREAT, O_EXCL": opens(RW | os.O_CREAT | os.O_EXCL),
    "open O_PATH": opens(os.O_PATH),
    "open O_DIRECTORY": opens(R | os.O_DIRECTORY),
    "open O_DIRECT": opens(R | os.O_DIRECT),
    "open O_SYNC": opens(W | os.O_SYNC),
    "open O_TMPFILE": opens(RW | os.O_TMPFILE),
    "read": on(R, lambda fd: wants(len(os.read(fd, 1)), 1)),
    "pread at 1": on(R, lambda fd: wants(len(os.pread(fd, 1, 1)), 1)),
    "pread beyond the end": on(R, lambda fd: wants(len(os.pread(fd, 1, 1 << 30)), 0)),
    "write of an item": on(RW | os.O_TRUNC, lambda fd: os.write(fd, b'{"v":2}\n')),
    "write of other text": on(RW | os.O_TRUNC, lambda fd: os.write(fd, b"text")),
    "write of half an item": on(RW | os.O_TRUNC, lambda fd: (os.write(fd, b'{"v":'), os.fsync(fd))),
    "pwrite into the text": on(RW, lambda fd: os.pwrite(fd, b" ", 0)),
    "write at the end (O_APPEND)": on(W | os.O_APPEND, lambda fd: os.write(fd, b"x")),
    "truncate to 0": lambda path: os.truncate(path, 0),
    "truncate to 1": lambda path: os.truncate(path, 1),
    "truncate to 8 MiB": lambda path: os.truncate(path, 8 << 20),
    "ftruncate to 0": on(RW, lambda fd: os.ftruncate(fd, 0)),
    "fallocate": on(RW, allocates(0)),
    "fallocate PUNCH_HOLE": on(RW, allocates(3)),
    "copy_file_range from it": on(R, copy_range),
    "sendfile from it": on(R, sends),
    "lseek SEEK_END": on(R, end),
    "lseek SEEK_DATA": on(R, data),
    "mmap MAP_PRIVATE": on(R, maps(mmap.MAP_PRIVATE, mmap.PROT_READ)),
    "mmap MAP_SHARED, read": alone(on(R, maps(mmap.MAP_SHARED, mmap.PROT_READ))),
    "mmap MAP_SHARED, write": on(RW, maps(mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE, True)),
    "fsync": on(R, os.fsync),
    "fdatasync": on(R, os.fdatasync),
    "syncfs": on(R, lambda fd: libc_call("syncfs", fd)),
    "flock LOCK_EX": on(R, lambda fd: fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)),
    "fcntl F_SETLK": on(R, locks(fcntl.F_SETLK)),
    "fcntl F_OFD_SETLK": on(R, locks(37)),
    "poll": on(R, polls),
    "ioctl FIONREAD": on(R, lambda fd: fcntl.ioctl(fd, termios.FIONREAD, bytearray(4))),
    "ioctl FS_IOC_GETFLAGS": on(R, flags_of),
    "ioctl TCGETS": on(R, termios.tcgetattr),
    "stat": os.stat,
    "statfs": os.statvfs,
    "access R_OK": accesses(os.R_OK),
    "access W_OK": accesses(os.W_OK),
    "access X_OK": accesses(os.X_OK),
    "execve": executes,
    "chmod": chmods,
    "chown": chowns,
    "utimensat": times(10**18 + 123456789, 10**18 + 123456789),
    "utimensat of 1969": times(-10**9, 1),
    "utimensat of 2600": times(19880899200 * 10**9, 2**64 - 1),
    "getxattr": lambda path: os.getxattr(path, "user.a"),
    "setxattr": lambda path: os.setxattr(path, "user.a", b"b"),
    "listxattr": os.listxattr,
    "removexattr": lambda path: os.removexattr(path, "user.a"),
    "readlink": os.readlink,
    "readdir": os.listdir,
    "telldir, seekdir": seeks,
    "chdir": lambda path: (os.chdir(path), os.chdir("/")),
    "inotify_add_watch": watches,
    "link": lambda path: os.link(path, f"{P}/l{next(numbers)}.json"),
    "unlink": os.unlink,
    "unlink while open": unlinks_open,
    "rmdir": os.rmdir,
}

# ---- names that are created: each column is a path that does not exist

NAMES = {
    "item's name": lambda: f"{P}/n{next(numbers)}.json",
    "scratch name": lambda: f"{P}/n{next(numbers)}",
    "no key's spelling": lambda: P + "/%zz.json",
    "over 255 bytes": lambda: P + "/" + "n" * 300 + ".json",
    "a query's name": lambda: P + "/.json",
    "in a table": lambda: f"{MOUNT}/n{next(numbers)}",
    "beside tables": lambda: f"{ALL}/n{next(numbers)}",
    "in a view": lambda: view_name(),
    "below a query": lambda: f"{P}/.reverse/n{next(numbers)}.json",
    "in .itemfs": lambda: f"{MOUNT}/.itemfs/n{next(numbers)}",
}
MAKE = {
    "open O_CREAT": opens(RW | os.O_CREAT),
    "open O_CREAT, O_EXCL": opens(RW | os.O_CREAT | os.O_EXCL),
    "mkdir": os.mkdir,
    "mknod S_IFREG": lambda path: os.mknod(path, stat.S_IFREG | 0o600),
    "mknod S_IFIFO": os.mkfifo,
    "symlink": lambda path: os.symlink("target", path),
    "link": lambda path: os.link(item(), path),
    "unlink": os.unlink,
    "rmdir": os.rmdir,
    "stat": os.stat,
}

# ---- renames: each row creates both ends


def new(directory, suffix):
    return f"{directory}/n{next(numbers)}{suffix}"


def empty_partition():
    path = new(MOUNT, "")
    os.mkdir(path)
    return path


def bad_scratch():
    return put(new(P, ""), "{bad")


def good_scratch():
    return put(new(P, ""), '{"v":3}')


ENDS = {
    "item, to a new item's name": lambda: (item(), new(P, ".json")),
    "item, over an item": lambda: (item(), item()),
    "item, to a name in another partition": lambda: (item(), new(partition(), ".json")),
    "item, to a new scratch name": lambda: (item(), new(P, "")),
    "item, over a scratch file": lambda: (item(), scratch()),
    "item, over a partition": lambda: (item(), empty_partition()),
    "item, to a name that is no key's spelling": lambda: (item(), P + "/%zz.json"),
    "item, to a query's name": lambda: (item(), P + "/.json"),
    "item, to another table": lambda: (put(f"{ALL}/tab/p/t{next(numbers)}.json", "{}"), new(ALL + "/other/q", ".json")),
    "item, into a view": lambda: (item(), view_name()),
    "file of a view, to an item's name": lambda: (view_file(), new(P, ".json")),
    "file of a view, within it": lambda: (view_file(), view_name()),
    "generated file": lambda: (generated(), new(P, ".json")),
    "scratch file, to a new scratch name": lambda: (scratch(), new(P, "")),
    "scratch file, over a scratch file": lambda: (scratch(), scratch()),
    "scratch file with an item's text, to a new item's name": lambda: (good_scratch(), new(P, ".json")),
    "scratch file with an item's text, over an item": lambda: (good_scratch(), item()),
    "scratch file with other text, to a new item's name": lambda: (bad_scratch(), new(P, ".json")),
    "scratch file with other text, over an item": lambda: (bad_scratch(), item()),
    "partition, to a new name": lambda: (partition(), new(MOUNT, "")),
    "partition, over an empty partition": lambda: (partition(), empty_partition()),
    "partition, over a partition with items": lambda: (partition(), partition()),
    "partition, over an item": lambda: (partition(), item()),
    "partition, below itself": lambda: (lambda d: (d, d + "/x"))(partition()),
    "table": lambda: (ALL + "/other", new(ALL, "")),
    "what is not there": lambda: (new(P, ".json"), item()),
}
ROOT_ONLY = {"chown"}  # refused to other users by the kernel itself
FLAGS = {"rename": 0, "RENAME_NOREPLACE": 1, "RENAME_EXCHANGE": 2, "RENAME_WHITEOUT": 4}


def rename(ends, flags):
    one, other = ends()
    libc_call("renameat2", -100, one.encode(), -100, other.encode(), flags)


# ---- the tables

TABLES = {
    "call": (KINDS, OBJECT, lambda probe, make: probe(make())),
    "to make": (NAMES, MAKE, lambda probe, make: probe(make())),
    "ends": (FLAGS, ENDS, lambda ends, flags: rename(ends, flags)),
}


def outcome(run, row, column):
    try:
        said = run(row, column)
        return said if isinstance(said, str) else "ok"
    except (OSError, termios.error) as e:
        return "EOPNOTSUPP" if e.args[0] == errno.EOPNOTSUPP else errno.errorcode.get(e.args[0], str(e))
    except AssertionError as e:
        return f"wrong, {e}"


def tables(text):
    """(head, rows) of each table whose first column is known; all cells are text"""
    rows = [[c.strip() for c in line.strip("|\n ").split("|")] for line in text if line.startswith("|")]
    found = {}
    name = None
    for row in rows:
        if row[0] in TABLES:
            name, found[row[0]] = row[0], (row[1:], [])
        elif name and not set(row[0]) <= set("- "):
            found[name][1].append(row)
    return found


def show():
    for name, (columns, probes, run) in TABLES.items():
        print("|", " | ".join([name, *columns]), "|\n" + "|---" * (len(columns) + 1) + "|")
        for label, row in probes.items():
            print("|", " | ".join([label] + [outcome(run, row, column) for column in columns.values()]), "|")
        print()


def compare():
    bad = n = 0
    found = tables(open(DOC))
    for name, (columns, probes, run) in TABLES.items():
        head, rows = found.get(name, ([], []))
        if head != list(columns) or [row[0] for row in rows] != list(probes):
            print(f"FAILED: table {name}: other rows or columns than the probes: "
                  f"{set(head) ^ set(columns)} {set(row[0] for row in rows) ^ set(probes)}")
            bad += 1
            continue
        for label, *cells in rows:
            for column, cell in zip(head, cells if os.getuid() == 0 or label not in ROOT_ONLY else []):
                want = re.split(r"[ ,;:]", cell)[0]
                n += 1
                got = outcome(run, probes[label], columns[column]) if want != "-" else want
                if got != want:
                    print(f"FAILED: {label} / {column}: {got}, documented: {cell}")
                    bad += 1
    print(f"{n} claims, {bad} wrong")
    return 1 if bad else 0


if "--print" in sys.argv:
    show()
else:
    sys.exit(compare())
