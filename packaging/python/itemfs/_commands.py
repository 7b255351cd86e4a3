"""_commands - the commands itemctl and itemfs."""

import os
import sys

from ._server import program


def _become(name: str) -> None:
    try:
        os.execv(program(name), [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: {program(name)} cannot run here: {error.strerror}")


def itemctl() -> None:
    """Run itemctl."""
    _become("itemctl")


def itemfs() -> None:
    """Run itemfs; "itemfs serve" is "itemctl serve"."""
    _become("itemctl" if sys.argv[1:2] == ["serve"] else "itemfs")
