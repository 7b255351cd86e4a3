"""DynamoDB servers in memory, for tests."""

from ._server import Database, Error, program, serve

__all__ = ["Database", "Error", "program", "serve"]
__version__ = "VERSION"
