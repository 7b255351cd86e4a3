"""dead_owner.py - imitate processes that hold a store and a mount of it and cannot end when they are killed

  dead_owner.py owner STORE POINT LEADER [--uid N] [--answer]
      hold the store's lock, listen on its sockets, mount POINT, and have one thread that waits there
      for a response that the process does not send.  LEADER: the first thread "serves" or "waits".
      --answer: tell each process that wants to join that it has joined
  dead_owner.py bystander SOURCE POINT --uid N
      have a mount that was not killed

Both print "stuck" when they are ready, and "aborted" when the connection of the mount is aborted while they live.  Then they end; they also end with their input.
"""
import argparse
import ctypes
import fcntl
import os
import select
import socket
import struct
import sys
import threading

FUSE_INIT = 26
IN_HEADER = struct.Struct("<IIQQIIIHH")  # len opcode unique nodeid uid gid pid extlen padding
OUT_HEADER = struct.Struct("<IiQ")  # len error unique
INIT_OUT_BYTES = 64

libc = ctypes.CDLL(None, use_errno=True)


def mount(source, point, uid):
    device = os.open("/dev/fuse", os.O_RDWR | os.O_NONBLOCK)
    options = f"fd={device},rootmode=40000,user_id={uid},group_id={uid}"
    if libc.mount(source.encode(), point.encode(), b"fuse.itemfs", 0, options.encode()) != 0:
        sys.exit("mount: " + os.strerror(ctypes.get_errno()))
    return device


def next_request(device):
    select.select([device], [], [])
    request = os.read(device, 1 << 21)
    _, opcode, unique, *_ = IN_HEADER.unpack_from(request)
    return opcode, unique


def serve(device):
    """Answer INIT, read one more request, and never answer it."""
    opcode, unique = next_request(device)
    assert opcode == FUSE_INIT
    answer = struct.pack("<IIII", 7, 31, 65536, 0).ljust(INIT_OUT_BYTES, b"\0")
    os.write(device, OUT_HEADER.pack(OUT_HEADER.size + len(answer), 0, unique) + answer)
    next_request(device)
    print("stuck", flush=True)
    tell(device)


def tell(device):
    poll = select.poll()
    poll.register(device, 0)  # only POLLERR
    poll.poll()
    print("aborted", flush=True)
    os._exit(0)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


def use(point):
    try:
        os.stat(point + "/x")
    except OSError:
        pass


def listen(kind, path):
    listener = socket.socket(socket.AF_UNIX, kind)
    listener.bind(path)
    listener.listen()
    return listener


def answer(listener):
    joined = []
    while True:
        joined.append(listener.accept()[0])
        joined[-1].recv(65536)
        joined[-1].send(b"\0")


def begin(function, *args):
    threading.Thread(target=function, args=args, daemon=True).start()


def own(a):
    device = mount(a.source, a.point, a.uid)
    os.setgid(a.uid)
    os.setuid(a.uid)
    os.chdir(a.source)  # socket addresses are short
    lock = open("db/LOCK", "r+")
    fcntl.lockf(lock, fcntl.LOCK_EX)
    listeners = [listen(socket.SOCK_SEQPACKET, "mount"), listen(socket.SOCK_STREAM, "socket")]
    if a.answer:
        begin(answer, listeners[0])
    begin(end_with_input)
    first, second = ((serve, device), (use, a.point))
    if a.leader == "waits":
        first, second = second, first
    begin(*second)
    first[0](*first[1:])


def stand_by(a):
    begin(tell, mount(a.source, a.point, a.uid))
    print("stuck", flush=True)
    end_with_input()


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    for name, function in (("owner", own), ("bystander", stand_by)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        command.add_argument("source")
        command.add_argument("point")
        command.add_argument("--uid", type=int, default=0)
        if name == "owner":
            command.add_argument("leader", choices=("serves", "waits"))
            command.add_argument("--answer", action="store_true")
    a = parser.parse_args()
    a.function(a)


main()
