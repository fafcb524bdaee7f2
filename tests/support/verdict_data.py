"""Verdicts for tests, as tables and as sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow

from sqlrank.judging.verdicts.decisions import decide
from sqlrank.statistics.delta_gsb import Preference, Sums
from sqlrank.statistics.moments import Moments


def arrow(rows: Iterable[Sequence[Any]], *columns: str) -> Any:
    """An Arrow table of these rows."""
    return pyarrow.table(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))


def sums(good: int, same: int, bad: int) -> Sums:
    """The sums of verdicts of a query each."""
    total = good + same + bad
    delta = (good - bad) / total
    squares = good * (1 - delta) ** 2 + same * delta**2 + bad * (1 + delta) ** 2
    queries = Moments(total, total, total, 1, good - bad, good + bad, good - bad, squares / (total - 1) ** 2)
    return Sums(good, same, bad, total, same, delta, total, 0.0, queries)


def decision_of(found: Preference, alpha: float = 0.05) -> str:
    """What follows, of one question alone."""
    return decide(found, found.p_value, alpha)
