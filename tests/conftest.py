"""What all tests share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from sqlrank.engines import duckdb as engine
from sqlrank.evaluation import ranking as rank_plans

T = TypeVar("T")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the slow run all but each n-th case of a test that is marked `sampled(n)`."""
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if seen[test] % mark.args[0]:
            item.add_marker(pytest.mark.slow)
        seen[test] += 1


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _statements_in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no thread for each statement, which takes a quarter of a small evaluation; commands that are
    interrupted are processes of their own.
    """

    def call_here(_: Callable[[], object], call: Callable[[], T]) -> T:
        return call()

    monkeypatch.setattr(engine, "interruptible", call_here)


@pytest.fixture
def plans_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small data be ranked by the plans that large data are ranked by."""
    monkeypatch.setattr(rank_plans, "FEW_DOCUMENTS", 0)
