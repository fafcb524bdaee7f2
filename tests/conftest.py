"""What all tests share."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import pytest
from xdist.scheduler import LoadGroupScheduling

from sqlrank.engines import duckdb as engine
from sqlrank.engines import instances
from sqlrank.evaluation import ranking as rank_plans

T = TypeVar("T")

# What is compiled is kept, whatever the environment says: without it each process of the command takes three times as
# long, and each process of tests six seconds more.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ONCE = {
    "tests/engines/test_spark": "spark",
    "tests/peers/test_ranking_packages.py::test_spark": "spark",
    "tests/inputs/test_remote": "remote",
    "tests/export/test_duckdb_macros": "macros",
    "tests/export/test_macro_guards": "macros",
    "tests/comparison/similarity/test_likeness": "likeness",
    "tests/engines/test_postgres": "postgres",
    "tests/reports/test_reports": "reports",
    "tests/reports/test_browser": "browser",
    "tests/reports/test_explorer.py": "browser",
    "tests/reports/test_jupyter": "browser",
    "tests/reports/charts/test_charts": "charts",
    "tests/pages/test_site": "site",
}
"""Tests by how their ids begin, and the group of those that share what takes long to make."""
EACH = (
    "tests/engines/test_engines.py",
    "tests/peers/test_golden.py::test_every_value",
    "tests/peers/test_golden.py::test_the_same",
)
"""Tests whose first parameter is their group: the engine that is started, the tool whose cases are evaluated."""

ALONE = 3
"""Of how many slow tests without cases one is kept where SQLRANK_EACH leaves cases out."""
CASES = 2
"""How many cases of a test run by default."""
WHOLE = ("tests/pages/", "tests/recipes/", "tests/reports/", "tests/whole/test_wrong_values.py")
"""Tests of what a reader sees as it is, and of values that others got wrong: SQLRANK_EACH leaves none of them out."""


class Grouped(LoadGroupScheduling):  # type: ignore[misc]
    """Gives all tests of a group to one process: pytest 9.2 no longer shows xdist the groups that are marked."""

    def _split_scope(self, nodeid: str) -> str:
        for beginning, group in ONCE.items():
            if nodeid.startswith(beginning):
                return group
        first = re.search(r"\[([^-\]]+)", nodeid) if nodeid.startswith(EACH) else None
        return first[1] if first else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Grouped:
    """Spread the tests over the processes."""
    return Grouped(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the slow run what is marked `turns(n)`, and all but each n-th case of what is marked `sampled(n)`.

    Of what SQLRANK_EACH does not leave out, the default run has no more than `CASES` cases of a test, far apart; the
    slow run has the others.
    """
    seen: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("turns"):
            item.add_marker(pytest.mark.slow)
        mark = item.get_closest_marker("sampled")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if seen[test] % mark.args[0]:
            item.add_marker(pytest.mark.slow)
        seen[test] += 1
    left = left_out(items)
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=list(left))
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow") is None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in cases.values():
        apart = -(-len(same) // CASES)
        for item in (item for place, item in enumerate(same) if place % apart):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Look no more for cycles among the thousands of tests that were collected: they stay to the end."""
    gc.collect()
    gc.freeze()


def left_out(items: list[pytest.Item]) -> set[pytest.Item]:
    """About all but one of SQLRANK_EACH slow cases of a test, drawn by their names; one of each test stays.

    Of what is marked `turns(n)` all but one of n, and of slow tests without cases all but one of `ALONE`, whether any
    stays or none. SQLRANK_TURN tells which are drawn: from one number to the next, each has its turn.
    """
    each, turn = (int(os.environ.get(name, least)) for name, least in (("SQLRANK_EACH", "1"), ("SQLRANK_TURN", "0")))
    kept: set[str] = set()
    alone: set[pytest.Item] = set()
    left: dict[str, list[pytest.Item]] = {}
    for item in items:
        turns = item.get_closest_marker("turns")
        if item.get_closest_marker("slow") is None or (turns is None and item.nodeid.startswith(WHOLE)):
            continue
        test, _, parameters = item.nodeid.partition("[")
        place = crc32(item.nodeid.encode()) + turn
        if turns or not parameters:
            alone |= {item} if place % min(each, turns.args[0] if turns else ALONE) else set()
        elif place % each == 0:
            kept.add(test)
        else:
            left.setdefault(test, []).append(item)
    return alone | {item for test, cases in left.items() for item in (cases if test in kept else cases[1:])}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True, scope="session")
def _as_one_process_that_calls_often() -> Iterator[None]:
    """Start no thread for each statement, and open no instance ahead of a command where that of the last one serves.

    Each takes a quarter of a small evaluation. Commands that are interrupted or begin cold are processes of their own.
    """

    def call_here(_: Callable[[], object], call: Callable[[], T]) -> T:
        return call()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "interruptible", call_here)
        patched.setattr(instances, "open_ahead", lambda: None)
        yield


@pytest.fixture
def run_and_qrels() -> None:
    """Put the small data set into the folder of the test, as run.csv and qrels.csv."""
    from tests.support.small_data import write_both

    write_both()


@pytest.fixture
def plans_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small data be ranked by the plans that large data are ranked by."""
    monkeypatch.setattr(rank_plans, "FEW_DOCUMENTS", 0)
