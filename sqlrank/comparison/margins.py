"""Margins: whether a candidate is not worse than the baseline by more than one, or as good up to it either way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from sqlrank.comparison.bounds import Bound, read_bound
from sqlrank.comparison.interval import all_alike, centre_of_shares, has_interval
from sqlrank.errors import UsageError
from sqlrank.metrics.language import Language, single_measure
from sqlrank.statistics.student import one_sided


def read_margin(metric: str, value: float | str) -> Bound:
    """The margin of a metric; UsageError unless it is above 0."""
    bound = read_bound(value, f"--margin {metric}={value}")
    if not bound.size > 0:
        raise UsageError(f"--margin {metric}={value}: a margin is above 0, such as {metric}=0.005 or {metric}=1%")
    return bound


def margins_of(asked: Mapping[str, float | str], language: Language) -> dict[str, Bound]:
    """The margins by the text of their metric; UsageError where one metric has two."""
    found: dict[str, Bound] = {}
    for metric, value in asked.items():
        text, bound = single_measure(metric, language).text, read_margin(metric, value)
        if found.setdefault(text, bound) != bound:
            raise UsageError(f"--margin {metric}={value}: {text} has another margin too, {found[text]}")
    return found


def p_values(row: Mapping[str, Any], margin: float) -> tuple[float | None, float | None]:
    """The p values of not being worse by a margin, and of being equivalent up to it; None where one query decides.

    The first is one-sided, that the mean difference is -margin or less; the second is the larger of the two one-sided
    ones (D. J. Schuirmann, A comparison of the two one-sided tests procedure and the power approach, Journal of
    Pharmacokinetics and Biopharmaceutics 15, 1987). Both belong to Student's interval, or to Bonett and Price's where
    all values are 0 and 1.
    """
    if not has_interval(row):
        return None, None
    worse, better = (beyond(row, side, margin) for side in (1, -1))
    return worse, max(worse, better)


def beyond(row: Mapping[str, Any], side: int, margin: float) -> float:
    """The p value of a difference beyond the margin on one side: below it (1), or above (-1)."""
    if row["is_binary"]:
        centre, spread = centre_of_shares(row["won"], row["lost"], row["effective"])
        return NormalDist().cdf(-(side * centre + margin) / spread)
    distance = side * row["difference"] + margin
    if all_alike(row):
        return 0.0 if distance > 0 else 1.0
    return one_sided(distance / row["stderr"], row["effective"] - 1)


def margin_remarks(rows: Sequence[Mapping[str, Any]], bounds: Mapping[str, Bound], alpha: float) -> list[str]:
    """What is shown of every candidate in total, and by which test."""
    lines = []
    for row in [row for row in rows if row["is_total"] and row["margin"] is not None]:
        said = [
            f"{'' if chance is not None and chance <= alpha else 'not shown to be '}{what} (p {shown(chance)})"
            for what, chance in (("not worse", row["p_not_worse"]), ("equivalent", row["p_equivalent"]))
        ]
        bound = bounds[row["metric"]]
        lines.append(f"{row['metric']} of {row['system']}, margin {bound}: {', '.join(said)}")
    if lines:
        lines.append(f"p of margins: one-sided, the larger of both sides for equivalence, at {alpha:g}, not adjusted")
    return lines


def shown(chance: float | None) -> str:
    """A p value of a remark."""
    if chance is None:
        return "-"
    return "<0.0001" if chance < 0.00005 else f"{chance:.4f}"
