"""Whether two sets of judgments put the systems in one order: Kendall's tau b, with an interval by pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlrank.comparison.interval import estimates_of
from sqlrank.statistics.corrections import holm
from sqlrank.statistics.estimate import least_sure

FEWEST = 10
"""The least number of queries of which there is an interval."""
SETS = ("people", "model")
"""The sets of judgments, as the columns of the statement have them."""


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
    pairs: int
    """Pairs of systems."""
    alike: int | None
    """Those that both sets tell apart, and order alike; None without an interval."""
    opposite: int | None
    """Those that both sets tell apart, and order in opposite ways."""


def tau_b(differences: Iterable[tuple[float, float]]) -> float | None:
    """Kendall's tau b of the differences of all pairs under both sets; None where all of one are 0."""
    signs = [(sign(one), sign(other)) for one, other in differences]
    agreed = sum(left * right for left, right in signs)
    apart = math.sqrt(sum(left != 0 for left, _ in signs) * sum(right != 0 for _, right in signs))
    return agreed / apart if apart else None


def sign(value: float) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def orders(rows: Iterable[Mapping[str, Any]], alpha: float, spans: Mapping[str, float | None]) -> list[Order]:
    """The agreement of each metric, of the rows of sql/judgment_sets/orders.sql and the spans of the metrics."""
    return [
        order_of(metric, list(pairs), alpha, spans.get(metric))
        for metric, pairs in groupby(rows, lambda row: row["metric"])
    ]


def order_of(metric: str, pairs: Sequence[Mapping[str, Any]], alpha: float, span: float | None) -> Order:
    """The agreement of one metric.

    A pair of systems is told apart where both sets show its sign; Holm's procedure leaves a chance of alpha that any
    sign is wrong. The ends are the tau of all others ordered in opposite ways, and of all ordered alike.
    """
    queries, number = pairs[0]["queries"], len(pairs)
    products = [sign(pair["people_difference"]) * sign(pair["model_difference"]) for pair in pairs]
    tau = tau_b((pair["people_difference"], pair["model_difference"]) for pair in pairs)
    if queries < FEWEST or tau is None:
        return Order(metric, queries, tau, None, None, number, None, None)
    told = [p_value <= alpha for p_value in holm([sign_p_value(pair, span) for pair in pairs])]
    sure = [product for product, known in zip(products, told, strict=True) if known]
    alike, opposite = sure.count(1), sure.count(-1)
    low, high = ((2 * alike - number) / number, (number - 2 * opposite) / number)
    return Order(metric, queries, tau, low, high, number, alike, opposite)


def sign_p_value(pair: Mapping[str, Any], span: float | None) -> float:
    """How likely chance makes the signs of a pair under both sets as sure: the larger one-sided p value of the two."""
    if not pair["unlike"] and pair["people_changed"]:
        return 0.0  # one difference in every query: whatever its sign, both sets have it
    return max(one_sided_p_value(pair, name, span) for name in SETS)


def one_sided_p_value(pair: Mapping[str, Any], name: str, span: float | None) -> float:
    """The p value of the sign of a difference under one set, as that of a comparison by t; 1 where there is none."""
    queries, difference = pair["queries"], pair[f"{name}_difference"]
    counts = {"units": queries, "effective": queries, "changed": pair[f"{name}_changed"]}
    sizes = {"stderr": pair[f"{name}_stderr"], "largest": pair[f"{name}_largest"], "span": span}
    row = {"difference": difference, "apart": 0.0, "is_binary": False, **counts, **sizes}
    p_value = least_sure(estimates_of(row), sign(difference)) if difference else None
    return 1.0 if p_value is None else p_value
