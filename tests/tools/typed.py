"""typed.py TEXT COMMAND... - run a command on a terminal of its own, on which TEXT and Ctrl-D are typed

Prints what the terminal shows; ends as the command does, or with 128 and its signal, as a shell tells it.
script(1) does likewise, but waits seconds where its input ends.
"""
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    finally:
        os._exit(127)
os.write(terminal, sys.argv[1].encode() + b"\x04")
try:
    while shown := os.read(terminal, 65536):
        sys.stdout.buffer.write(shown)
except OSError:
    pass  # nobody has the terminal any more
sys.stdout.flush()
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(status if status >= 0 else 128 - status)
