"""asked.py MEANWHILE COMMAND... - run a command on its own terminal; when it asks, run MEANWHILE in a shell, then type y

$ASKING is the command's process id for MEANWHILE.

Prints the output on the terminal; ends as the command does.
"""
import os
import pty
import subprocess
import sys

pid, terminal = pty.fork()
if pid == 0:
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    finally:
        os._exit(127)
shown = b""
try:
    while more := os.read(terminal, 65536):
        asked = b"[y/N] " in shown
        shown += more
        if not asked and b"[y/N] " in shown:
            environment = os.environ | {"ASKING": str(pid)}
            subprocess.run(["sh", "-c", sys.argv[1]], check=True, env=environment, stdin=subprocess.DEVNULL)
            os.write(terminal, b"y\n")
except OSError:
    pass  # no process has the terminal any more
sys.stdout.write(shown.decode())
sys.stdout.flush()
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(status if status >= 0 else 128 - status)
