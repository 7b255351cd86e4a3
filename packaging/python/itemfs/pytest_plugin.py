"""pytest_plugin - the fixtures itemfs_options, itemfs_server and itemfs_db."""

from __future__ import annotations

from typing import Any, Dict, Iterator

import pytest

from ._server import Database, serve

# They would give an SDK other keys or another endpoint.
_MISLEADING = ("AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")


@pytest.fixture(scope="session")
def itemfs_options() -> Dict[str, Any]:
    """The arguments of itemfs.serve(); a project overrides this fixture to begin with tables and items."""
    return {}


@pytest.fixture(scope="session")
def itemfs_server(itemfs_options: Dict[str, Any]) -> Iterator[Database]:  # pylint: disable=redefined-outer-name
    """A server for this session; each worker of pytest-xdist has its own."""
    with serve(**itemfs_options) as server:
        yield server


@pytest.fixture
def itemfs_db(itemfs_server: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:  # pylint: disable=redefined-outer-name
    """The server as it started, for one test; its variables are in the environment meanwhile."""
    for name in _MISLEADING:
        monkeypatch.delenv(name, raising=False)
    for name, value in itemfs_server.env.items():
        monkeypatch.setenv(name, value)
    yield itemfs_server
    itemfs_server.reset()
