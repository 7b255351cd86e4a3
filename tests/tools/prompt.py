"""prompt.py PROGRAM STORE - type into "itemctl shell" on a terminal; end with a message if an expected text does not appear

Each step is keys, and a text that must appear after them; no step waits for a time.
"""
import os
import pty
import re
import select
import sys

WAIT_S = 120  # until a test fails
PROMPT = os.path.basename(sys.argv[2]).encode() + b"> "  # no other output looks like this

STEPS = [
    (b"", b"Ctrl-D to leave"),
    (b"", PROMPT),
    (b"desc\t", b"ribe"),
    (b"mus\t\n", b"partitions"),
    (b"", PROMPT),
    (b"query music Acme --ind\t", b"ex"),  # --index is the only completion
    (b"ByY\t", b"ear"),
    (b"\x03", PROMPT),  # Ctrl-C drops the line
    (b"SELECT Song FROM mus\t\n", b">> "),
    (b"WHERE Artist = 'Acme';\n", b"Blue"),
    (b"", PROMPT),
    (b"\x1b[A", b"SELECT Song FROM music  WHERE Artist = 'Acme';"),  # the whole statement, not its last line
    (b"\n", b"Blue"),
    (b"", PROMPT),
    (b"query music Ac\t", b"me"),  # a partition key
    (b"\n", b"Blue"),
    (b"", PROMPT),
    (b"query music --index ByYear 19\t", b"99"),  # a partition key of an index
    (b"\n", b"Blue"),
    (b"", PROMPT),
    (b"SELECT Song\n", b">> "),
    (b"\x03", PROMPT),  # Ctrl-C drops an incomplete statement
    (b"scan music --project So\t\n", b"Blue"),
    (b"", PROMPT),
    (b"tail music\n", b"tail music"),
    (b"\x03", PROMPT),  # Ctrl-C ends a running command
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
    """Wait for @text; return the output after it. Escape sequences are ignored."""
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
