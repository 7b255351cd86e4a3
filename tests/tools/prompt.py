"""prompt.py PROGRAM STORE - types into "itemctl shell" on a terminal; ends with a message where something does not appear

Each step is keys and a text that has to appear behind them; nothing waits for a time.
"""
import os
import pty
import re
import select
import sys

WAIT_S = 120  # until a test has failed
PROMPT = os.path.basename(sys.argv[2]).encode() + b"> "  # nothing else that is printed looks so

STEPS = [
    (b"", b"Ctrl-D to leave"),
    (b"", PROMPT),
    (b"desc\t", b"ribe"),
    (b"mus\t\n", b"partitions"),
    (b"", PROMPT),
    (b"query music Acme --ind\t", b"ex"),  # --index: one option begins so
    (b"ByY\t", b"ear"),
    (b"\x03", PROMPT),  # Ctrl-C drops the line
    (b"SELECT Song FROM mus\t\n", b">> "),
    (b"WHERE Artist = 'Acme';\n", b"Blue"),
    (b"", PROMPT),
    (b"\x1b[A", b"SELECT Song FROM music  WHERE Artist = 'Acme';"),  # the statement, not its last line
    (b"\n", b"Blue"),
    (b"", PROMPT),
    (b"query music Ac\t", b"me"),  # a partition key
    (b"\n", b"Blue"),
    (b"", PROMPT),
    (b"query music --index ByYear 19\t", b"99"),  # and one of an index
    (b"\n", b"Blue"),
    (b"", PROMPT),
    (b"SELECT Song\n", b">> "),
    (b"\x03", PROMPT),  # and what was typed of a statement
    (b"scan music --project So\t\n", b"Blue"),
    (b"", PROMPT),
    (b"tail music\n", b"tail music"),
    (b"\x03", PROMPT),  # Ctrl-C ends what runs
    (b"count music\n", b"1"),
    (b"", PROMPT),
    (b"\x1b[A\n", b"count music"),
    (b"", PROMPT),
    (b"dorp\n", b"did you mean"),
    (b"", PROMPT),
    (b"desc\t", b"ribe"),  # the prompt may be seen before the terminal is ready for Ctrl-D
    (b"\x15\x04", None),
]


def appears(terminal, seen, text):
    """What has come behind @text, once it is there; escape sequences are no text."""
    while True:
        plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", seen)
        if text is not None and text in plain:
            return plain.split(text, 1)[1]
        ready, _, _ = select.select([terminal], [], [], WAIT_S)
        try:
            more = os.read(terminal, 4096) if ready else b""
        except OSError:
            more = b""
        if not more:
            return None if text is None else sys.exit("%r does not appear: %r" % (text, plain))
        seen += more


def main():
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", PAGER="cat")
        os.execv(sys.argv[1], [sys.argv[1], "-s", sys.argv[2], "shell"])
    seen = b""
    for keys, text in STEPS:
        os.write(terminal, keys)
        seen = appears(terminal, seen, text)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main()
