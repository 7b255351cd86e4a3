"""typed.py TEXT COMMAND... - run a command on its own terminal, on which TEXT and Ctrl-D are typed

Prints the output on the terminal. Ends as the command does, or with 128 plus its signal, like a shell.
script(1) does the same, but waits for seconds when its input ends.
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
    pass  # no process has the terminal any more
sys.stdout.flush()
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(status if status >= 0 else 128 - status)
