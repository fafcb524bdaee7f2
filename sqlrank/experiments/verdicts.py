"""What rows of an experiment say: better, worse or undecided, and nothing where the split was not the one planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.comparison.interval import cut, skewness_of, too_skewed
from sqlrank.comparison.paired import Pair
from sqlrank.comparison.rows import gain_of
from sqlrank.experiments.metrics import ArmMetric
from sqlrank.experiments.split import Split
from sqlrank.statistics.confidence_sequence import mixture, p_value, radius
from sqlrank.statistics.estimate import NONE, Estimate
from sqlrank.statistics.verdict import WITHHELD, verdict_of

ENOUGH_TO_LOOK = 30
"""Units of either arm from which on a confidence sequence says something: its error is that of many units."""
SEQUENCE = "confidence-sequence"

Row = dict[str, Any]


def judge(rows: Sequence[Row], metrics: Mapping[str, ArmMetric], split: Split) -> None:
    """Give every row its verdict, by what its metric has to do to be better: none at a sample ratio mismatch."""
    for row in rows:
        row["better"] = metrics[row["metric"]].better
        if split.is_mismatch or any(row.get(by) in off for by, off in split.off.items()):
            row |= {"significant": None, "verdict": WITHHELD, "p_not_worse": None, "p_equivalent": None}
        else:
            row["verdict"] = verdict_of(row["significant"], gain_of(row))


def look(rows: Sequence[Row], pairs: Sequence[Pair], alpha: float, planned: int) -> None:
    """Give every row the interval and the p value that hold however often one looks."""
    r = mixture(alpha, planned)
    for row in rows:
        sums, sizes = row["sqlrank_sums"], (row["queries"], row["baseline_queries"])
        row["p_value"], row["test"], ends = None, SEQUENCE, NONE
        if min(sizes) >= ENOUGH_TO_LOOK and sums["stderr"] and not too_skewed(sums):
            estimate = Estimate(row["difference"], sums["stderr"], skewness=skewness_of(sums))
            ends = cut(estimate.within(radius(sum(sizes), alpha, r)), pairs[sums["pair"] - 1].measure)
            row["p_value"] = p_value(estimate.distance(), sum(sizes), r)
        row["ci_low"], row["ci_high"] = ends
