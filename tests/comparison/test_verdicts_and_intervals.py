"""No p value contradicts the interval beside it, whatever the values and the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sqlrank
from sqlrank.log import arms
from tests.comparison.test_unpaired import Values, tables
from tests.support.comparisons import METRIC

VALUES: dict[str, Callable[[np.random.Generator, int, float], Any]] = {
    "shares": lambda rng, number, gain: (rng.random(number) < 0.1 + gain).astype(float),
    "rare": lambda rng, number, gain: (rng.random(number) < 0.01 + gain).astype(float),
    "two values": lambda rng, number, gain: 0.5 * (rng.random(number) < 0.4 + gain),
    "mostly tied": lambda rng, number, gain: (rng.random(number) < 0.08 + gain) * rng.random(number),
    "spread": lambda rng, number, gain: rng.beta(2, 3, number) + gain,
}
"""Values of so many queries."""
CASES = 60
"""How many pairs of systems there are of each kind, with 3 to 60 queries on a side."""
TESTS = ("t", "randomization", "bootstrap")


def drawn(paired: bool) -> tuple[Values, Values, dict[str, str]]:
    """Values of two systems by query, and the case of each query."""
    rng = np.random.default_rng(7)
    one, other, case_of = dict[str, float](), dict[str, float](), dict[str, str]()
    for kind, values in VALUES.items():
        for number in range(CASES):
            sizes, gain = rng.integers(3, 60, 2), rng.choice([0.0, 0.1, 0.3])
            theirs = values(rng, sizes[0], 0.0), values(rng, sizes[0 if paired else 1], gain)
            for side, found, mark in zip((one, other), theirs, "ss" if paired else "ab", strict=True):
                names = [f"{kind} {number} {mark}{place}" for place in range(len(found))]
                side.update(zip(names, map(float, found), strict=True))
                case_of.update(dict.fromkeys(names, f"{kind} {number}"))
    return one, other, case_of


@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
@pytest.mark.parametrize("test", TESTS)
def test_a_difference_is_significant_exactly_where_its_interval_leaves_zero_out(test: str, paired: bool) -> None:
    one, other, case_of = drawn(paired)
    judgments: dict[str, dict[str, float]] = {}
    for system, values in (("a", one), ("b", other)):
        for query, value in values.items():
            judgments.setdefault(query, {"nothing": 0.0})[system] = value
    systems = {s: {q: {s: 1.0} for q in values} for s, values in (("a", one), ("b", other))}
    options: dict[str, Any] = {"test": test, "correction": "none", "by": "case", **tables(one, other, case=case_of)}
    with sqlrank.compare(systems=systems, qrels=judgments, metrics=METRIC, paired=paired, **options) as found:
        rows = [row for row in found.all_rows if row["p_value"] is not None and row["ci_low"] is not None]
    assert len(rows) > CASES
    wrong = [row for row in rows if (row["ci_low"] > 0 or row["ci_high"] < 0) is not bool(row["significant"])]
    # An end at 0 belongs to a difference that is borne out by neither.
    wrong = [row for row in wrong if row["significant"] or 0 not in (row["ci_low"], row["ci_high"])]
    assert not wrong, [(row["case"], row["p_value"], row["ci_low"], row["ci_high"]) for row in wrong][:5]


def test_few_successes_of_a_small_arm_are_undecided() -> None:
    # 20 of 900 users of A and none of 100 of B: Fisher's p is 0.25.
    users = [("A", number, int(number < 20)) for number in range(900)] + [("B", number, 0) for number in range(100)]
    log = pd.DataFrame(
        {
            "impression_id": [f"{arm}{number}" for arm, number, _ in users],
            "user_id": [f"{arm}{number}" for arm, number, _ in users],
            "arm": [arm for arm, *_ in users],
            "query_id": "q",
            "position": 1,
            "doc_id": "d",
            "clicked": [clicked for *_, clicked in users],
        }
    )
    for test in ("t", "randomization"):
        with arms(log, "success", baseline="A", shares={"A": 0.9, "B": 0.1}, test=test) as found:
            (row,) = found.all_rows
        assert row["ci_low"] < 0 < row["ci_high"]
        assert row["p_value"] > 0.05
        assert row["verdict"] == "undecided"
