"""zsh.py FUNCTIONS LINE... - print each line as zsh completes it on TAB, with the completions in that folder

A real zsh reads the keys on its own terminal, and writes its line to a pipe.
"""
import os
import pty
import select
import signal
import sys

WAIT_S = 120  # until a test fails
PROMPT = b"type>"

SETUP = r"""PS1='type>' PS2=
unsetopt beep zle_bracketed_paste
fpath=(%s $fpath)
autoload -Uz compinit && compinit -u -D
tell() { zle complete-word; print -rn -- "$BUFFER" >&%d; printf '\0' >&%d; BUFFER= }
zle -N tell
bindkey '^I' tell
"""


def wait_for(fd, found, terminal):
    """Read from @terminal, so that zsh never waits for a reader, until @found is true for the data from @fd."""
    text = {fd: b"", terminal: b""}
    while not found(text[fd]):
        ready, _, _ = select.select(list(text), [], [], WAIT_S)  # each once: they may be equal
        if not ready:
            sys.exit("zsh does not answer: %r" % text[terminal])
        for one in ready:
            text[one] += os.read(one, 4096)
    return text[fd]


def main():
    answers, told = os.pipe()
    os.set_inheritable(told, True)
    with open(".zshrc", "w", encoding="utf-8") as rc:
        rc.write(SETUP % (os.path.abspath(sys.argv[1]), told, told))
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="dumb", HISTFILE="", ZDOTDIR=os.getcwd())
        os.execvp("zsh", ["zsh", "-d", "-i"])
    os.close(told)
    # Before its prompt zsh does not read keys yet: they would be lost.
    wait_for(terminal, lambda text: text.count(PROMPT) > 0, terminal)
    for line in sys.argv[2:]:
        os.write(terminal, line.encode() + b"\t")
        print(wait_for(answers, lambda text: text.endswith(b"\0"), terminal)[:-1].decode())
    os.kill(pid, signal.SIGKILL)


main()
