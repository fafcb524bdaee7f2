"""What all tests share."""

from __future__ import annotations

import faulthandler
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from xdist.scheduler import LoadGroupScheduling

from sqlrank.engines import duckdb as engine
from sqlrank.engines import instances
from sqlrank.evaluation import ranking as rank_plans
from tests import ledger
from tests.support import needs

T = TypeVar("T")

SECONDS_TO_END = 180
"""After how many seconds a process whose tests have ended, and which has not, says where it stands, and is ended."""

# What is compiled is kept, whatever the environment says: without it each process of the command takes three times as
# long, and each process of tests six seconds more.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ONCE = {
    "tests/engines/test_spark": "spark",
    "tests/peers/test_ranking_packages.py::test_spark": "spark",
    "tests/peers/test_peer_packages.py::test_ranx": "ranx",
    "tests/peers/test_from_ranx": "ranx",
    "tests/peers/test_tool_files.py::test_a_run_that_ranx": "ranx",
    "tests/peers/test_tool_files.py::test_the_samples": "ranx",
    "tests/statement/test_conventions.py::test_an_evaluation_in_spark": "spark",
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
    "tests/behaviour/test_statements.py::test_a_log_has",
    "tests/counterfactual/test_value_statements.py::test_ties",
    "tests/engines/",
    "tests/monitoring/test_printed.py::test_",
    "tests/peers/test_golden.py::test_every_value",
    "tests/peers/test_golden.py::test_the_same",
)
"""Tests whose first parameter is their group: the engine that is started, the tool whose cases are evaluated."""


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


def pytest_configure(config: pytest.Config) -> None:
    """Give each reason a mark of its own, for `-m`; write down what runs where SQLRANK_LEDGER says so.

    With several processes the one that hears of all of them writes.
    """
    for reason, what in needs.NEEDS.items():
        config.addinivalue_line("markers", f"{reason}: needs {what}")
    folder = os.environ.get(ledger.FOLDER)
    if folder and not hasattr(config, "workerinput"):
        config.pluginmanager.register(ledger.Ledger(folder))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what tests need by their files and fixtures, and refuse a mark `needs` without a reason that is known."""
    for item in items:
        for reason in sorted(needs.reasons(item.nodeid, getattr(item, "fixturenames", []))):
            item.add_marker(pytest.mark.needs(reason))
        for mark in item.iter_markers("needs"):
            if not mark.args or set(mark.args) - set(needs.NEEDS):
                raise pytest.UsageError(f"{item.nodeid}: needs{mark.args}, which is to be of {', '.join(needs.NEEDS)}")
        for reason in {reason for mark in item.iter_markers("needs") for reason in mark.args}:
            item.add_marker(reason)


def pytest_collection_finish() -> None:
    """Look no more for cycles among the thousands of tests that were collected: they stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Let nothing wait for ever for what does not end, such as a thread of an engine, without a word of what it was."""
    faulthandler.dump_traceback_later(SECONDS_TO_END, exit=True)


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
