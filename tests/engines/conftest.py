"""The session of an engine that a test names, open for as long as its file runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.engines import OPEN
from tests.support.sessions import SESSIONS


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    """The name of the dialect, with its session open."""
    name = str(request.param)
    if name not in OPEN:
        OPEN[name] = SESSIONS[name]()
    return name


@pytest.fixture(scope="module", autouse=True)
def closed_sessions() -> Iterator[None]:
    """Close what the tests opened."""
    yield
    while OPEN:
        OPEN.popitem()[1].close()
