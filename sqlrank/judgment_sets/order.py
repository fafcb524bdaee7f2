"""Whether two sets of judgments put the systems in one order: Kendall's tau b, with an interval over queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

FEWEST = 10
"""The least number of queries of which there is an interval."""


@dataclass(frozen=True, slots=True)
class Order:
    """How far two sets of judgments agree on the order of the systems."""

    metric: str
    queries: int
    """Those in which every system has a value under both sets."""
    tau: float | None
    """1 for the same order, -1 for the opposite; None where all systems tie under one of them."""
    low: float | None
    high: float | None
    """The ends of its interval; None where there are too few queries."""


def tau_b(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau b of two lists of numbers; None where all of one are equal."""
    signs = [(sign(one[i] - one[j]), sign(other[i] - other[j])) for i, j in combinations(range(len(one)), 2)]
    agreed = sum(left * right for left, right in signs)
    apart = math.sqrt(sum(left != 0 for left, _ in signs) * sum(right != 0 for _, right in signs))
    return agreed / apart if apart else None


def sign(value: float) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def orders(rows: Iterable[Mapping[str, Any]], alpha: float) -> list[Order]:
    """The agreement of each metric, of the rows of sql/judgment_sets/resampled.sql."""
    taus: dict[str, dict[int, float | None]] = {}
    queries: dict[str, int] = {}
    for row in rows:
        taus.setdefault(row["metric"], {})[row["replicate"]] = tau_b(row["people"], row["model"])
        queries[row["metric"]] = row["queries"]
    return [order_of(metric, found, queries[metric], alpha) for metric, found in taus.items()]


def order_of(metric: str, taus: Mapping[int, float | None], queries: int, alpha: float) -> Order:
    """The agreement of one metric; replicate 0 is what was observed."""
    drawn = sorted(tau for number, tau in taus.items() if number and tau is not None)
    if queries < FEWEST or not drawn:
        return Order(metric, queries, taus.get(0), None, None)
    last = len(drawn) - 1
    low, high = drawn[math.floor(alpha / 2 * last)], drawn[math.ceil((1 - alpha / 2) * last)]
    return Order(metric, queries, taus.get(0), low, high)
