"""_server - start, reset and stop a server."""

from __future__ import annotations

import decimal
import json
import os
import subprocess
import tempfile
from types import TracebackType
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Type, Union

Path = Union[str, "os.PathLike[str]"]
Items = Mapping[str, Sequence[Mapping[str, Any]]]
# What follows --seed: a path, or the content of a file and the end of its name.
Part = Tuple[Optional[str], str]


class Error(RuntimeError):
    """The server does not start; the message is that of itemctl."""


def program(name: str) -> str:
    """Return the path of "itemctl" or "itemfs", for subprocess."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)


def _json(value: Any) -> str:
    def number(other: Any) -> Any:
        if isinstance(other, decimal.Decimal) and other.is_finite():
            plain = int(other) if other == other.to_integral_value() else float(other)
            if decimal.Decimal(str(plain)) == other:
                return plain
        raise TypeError(
            f"serve: {other!r} is not JSON; write the whole item as DynamoDB's JSON, "
            'such as {"id": {"S": "a"}, "tags": {"SS": ["x"]}}'
        )

    return json.dumps(value, default=number)


def _parts(seed: Any, tables: Any) -> List[Part]:
    """Return the seed; definitions come first."""
    parts: List[Part] = []
    for name, value in (("tables", tables), ("seed", seed)):
        for one in [value] if isinstance(value, (str, os.PathLike, Mapping)) else value:
            if isinstance(one, (str, os.PathLike)):
                parts.append((None, os.path.abspath(one)))
            elif not isinstance(one, Mapping):
                raise TypeError(f"serve: {name} must have paths or dicts, not {one!r}")
            elif name == "tables":
                parts.append((_json(one), ".json"))
            else:
                for table, rows in one.items():
                    parts.append(("".join(_json(row) + "\n" for row in rows), f".jsonl={table}"))
    return parts


def _run(*words: str) -> str:
    try:
        done = subprocess.run(
            [program("itemctl"), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace", check=False,
        )
    except FileNotFoundError as error:  # also if there is no loader for the program
        raise Error(f"{program('itemctl')} cannot run here: itemfs needs Linux with glibc, not musl as in Alpine") from error
    if done.returncode != 0:
        raise Error(done.stderr.strip().partition("\nusage: ")[0] or f"itemctl {words[0]} ended with {done.returncode}")
    return done.stdout


class Database:
    """A running server.  As a context manager, it stops at the end of the block."""

    #: The port on 127.0.0.1
    port: int
    #: Such as http://127.0.0.1:40111, for endpoint_url of boto3
    endpoint: str
    #: The variables that SDKs and the AWS command line read: endpoint, keys and region
    env: Mapping[str, str]

    def __init__(self, parts: List[Part], port: int) -> None:
        self._parts = parts
        self.port = self._start(port)
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.env = {
            "AWS_ENDPOINT_URL_DYNAMODB": self.endpoint,
            "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.endpoint,
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
        }

    def _start(self, port: int) -> int:
        words = ["serve", "--quiet", "--temp", "--print-port", "--ends-with", str(os.getpid()), "--port", str(port)]
        with tempfile.TemporaryDirectory(prefix="itemfs-") as folder:
            for i, (content, word) in enumerate(self._parts):
                if content is not None:
                    word = os.path.join(folder, f"{i}{word}")
                    with open(word.partition("=")[0], "w", encoding="utf-8") as file:
                        file.write(content)
                words += ["--seed", word]
            return int(_run(*words))

    def reset(self) -> None:
        """Restore the tables and items with which the server started; the endpoint stays."""
        self.stop()
        self._start(self.port)

    def stop(self) -> None:
        """Stop the server.  Without this, it ends with this process."""
        try:
            _run("stop", str(self.port))
        except Error as error:
            if "nothing to stop" not in str(error):  # it has ended before
                raise

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()


def serve(
    seed: Union[Path, Items, Sequence[Union[Path, Items]]] = (),
    tables: Union[Path, Mapping[str, Any], Sequence[Union[Path, Mapping[str, Any]]]] = (),
    port: int = 0,
) -> Database:
    """Start a server with a store in memory, and wait until it answers.

    seed:   files and folders as for "itemctl serve --seed", or lists of items by the name of their table
    tables: definitions of tables: files as for "itemctl create-table --from", or inputs of CreateTable
    port:   on 127.0.0.1; 0 is any free port
    """
    return Database(_parts(seed, tables), port)
