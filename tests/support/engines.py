"""Which of the engines a test runs in, and the sessions that are open."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from tests.support.sessions import SESSIONS, Session

OPEN: dict[str, Session] = {}
"""The open sessions by the name of their dialect."""

SLOW = {"clickhouse": 4, "duckdb": 4, "snowflake": 6, "spark": 6}
"""Engines that take seconds for a statement, or are tried elsewhere, and which part of the cases is enough for them."""


def on_engines(names: str, *choices: Iterable[Any], every: bool = False) -> pytest.MarkDecorator:
    """Combinations of these choices on each engine, which is started once and in one process of the tests."""
    cases = [
        pytest.param(engine, *case, id="-".join(map(str, [engine, *case])))
        for number, case in enumerate(product(*choices))
        for engine in SESSIONS
        if every or number % SLOW.get(engine, 1) == 0
    ]
    return pytest.mark.parametrize(("engine", *names.split()), cases, indirect=["engine"])


def session(engine: str, **tables: tuple[list[Any], tuple[str, ...]]) -> Session:
    """The session of an engine with these tables, each given as its rows and the names of its columns."""
    for name, (rows, columns) in tables.items():
        OPEN[engine].load(name, rows, columns)
    return OPEN[engine]
