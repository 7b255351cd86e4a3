"""completion.py SCRIPT [PROGRAM] - for each line of standard input: print the line after TAB in bash, and the offered words

A real bash reads the keys on its own terminal; SCRIPT has the completions.  The output is lines "LINE|OFFERED OFFERED ...".
"""
import os
import pty
import select
import signal
import sys

WAIT_S = 300  # until a test fails
PROMPT = b"type>"

SETUP = r"""PS1='type>' PS2=
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
. '%s'
noted() { _%s "$@"; offered=("${COMPREPLY[@]}"); }
eval "$(complete -p %s | sed 's/-F [^ ]*/-F noted/')"
tell() { printf '%%s|%%s\0' "$READLINE_LINE" "${offered[*]}" >&%d; offered=(); }
bind -x '"\C-x\C-t": tell'
"""


class Bash:
    def __init__(self, script, program):
        self.answers, told = os.pipe()
        os.set_inheritable(told, True)
        with open("bashrc", "w", encoding="utf-8") as rc:
            rc.write(SETUP % (script, program, program, told))
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="dumb", INPUTRC="/dev/null", HISTFILE="")
            os.execvp("bash", ["bash", "--noprofile", "--rcfile", "bashrc", "-i"])
        os.close(told)
        self.text = self.shown = b""
        # Before its prompt bash does not read keys yet: the terminal itself would process them.
        while PROMPT not in self.shown:
            self.drain()

    def type(self, keys):
        data = keys.encode()
        while data:
            self.drain([self.terminal])
            data = data[os.write(self.terminal, data[:512]) :]

    def drain(self, writable=()):
        """Read the output of bash, and its reports."""
        ready, _, _ = select.select([self.terminal, self.answers], writable, [], WAIT_S)
        if self.terminal in ready:
            self.shown = self.shown[-len(PROMPT) :] + os.read(self.terminal, 65536)
        if self.answers in ready:
            self.text += os.read(self.answers, 65536)
        if not ready and not writable:
            sys.exit("bash does not answer")

    def answer(self):
        while b"\0" not in self.text:
            self.drain()
        text, self.text = self.text.split(b"\0", 1)
        return text.decode()


def main():
    bash = Bash(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "itemctl")
    for line in sys.stdin:
        # The key for "tell" is sent after TAB, when everything else is done; the last one clears the line.
        bash.type(line.rstrip("\n") + "\t\x18\x14\x15")
        print(bash.answer(), flush=True)
    os.kill(bash.pid, signal.SIGKILL)
    os.waitpid(bash.pid, 0)


main()
