"""Margins, a number or a share: whether a candidate is not worse than the baseline by more than one, or as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from sqlrank.comparison.interval import estimates_of
from sqlrank.comparison.uncertain_differences import with_labels
from sqlrank.errors import UsageError
from sqlrank.metrics.language import Language, gated_measure
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import least_sure


@dataclass(frozen=True, slots=True)
class Bound:
    """How far a value may be from that of the baseline."""

    size: float
    relative: bool = False
    """Whether that is a share of the baseline's value, which is taken as it is."""

    def __str__(self) -> str:
        return f"{100 * self.size:g} %" if self.relative else f"{self.size:g}"

    @property
    def word(self) -> str:
        """It as an option takes it."""
        return str(self).replace(" ", "")

    def of(self, value: float | None) -> float:
        """How far that is from a value of the baseline."""
        return self.size * abs(value or 0.0) if self.relative else self.size


def read_bound(value: float | str, said: str) -> Bound:
    """A number, or a text such as `0.005` or `1%`; UsageError with the option as it was `said` for any other."""
    percent = isinstance(value, str) and value.strip().endswith("%")
    try:
        size = float(value.strip().removesuffix("%") if isinstance(value, str) else value)
    except ValueError:
        size = float("nan")
    if not isfinite(size):
        raise UsageError(f"{said}: {value} is not a number, nor a share such as 1%")
    return Bound(size / 100 if percent else size, percent)


def read_margin(metric: str, value: float | str) -> Bound:
    """The margin of a metric; UsageError unless it is above 0."""
    bound = read_bound(value, spelt("margins", {metric: value}))
    if not bound.size > 0:
        raise UsageError(
            f"{spelt('margins', {metric: value})}: a margin is above 0, such as {metric}=0.005 or {metric}=1%"
        )
    return bound


def margins_of(asked: Mapping[str, float | str], language: Language) -> dict[str, Bound]:
    """The margins by the text of their metric; UsageError where one metric has two."""
    found: dict[str, Bound] = {}
    for metric, value in asked.items():
        text, bound = gated_measure(metric, "margins", language).text, read_margin(metric, value)
        if found.setdefault(text, bound) != bound:
            raise UsageError(f"{spelt('margins', {metric: value})}: {text} has another margin too, {found[text]}")
    return found


def p_values(row: Mapping[str, Any], margin: float) -> tuple[float | None, float | None]:
    """The p values of not being worse by a margin, and of being equivalent up to it; None where there is no interval.

    The first is one-sided, that the mean difference is -margin or less; the second is the larger of the two one-sided
    ones (D. J. Schuirmann, A comparison of the two one-sided tests procedure and the power approach, Journal of
    Pharmacokinetics and Biopharmaceutics 15, 1987). Both belong to the interval that the t test has.
    """
    estimates = [each for estimate in estimates_of(row) for each in with_labels(estimate, row)]
    if row.get("label_stderr", 0.0) is None:
        return None, None
    worse, better = (least_sure(estimates, side, margin) for side in (1, -1))
    return worse, None if worse is None or better is None else max(worse, better)


def lacking(row: Mapping[str, Any]) -> str:
    """Why a row of a comparison has no p value of its margin."""
    queries = row["queries"]
    if queries > 1 and row["ties"] == queries == row["baseline_queries"]:
        return f"all {queries} queries tie"
    if queries > 1 and row["sqlrank_alike"]:
        return f"all {queries} differences are alike"
    return "one query decides" if queries else "no query counts"


def lacking_evidence(row: Mapping[str, Any]) -> str:
    """What is said of a row that has no p value of its margin."""
    return f"not enough evidence: {lacking(row)}"


def margin_remarks(rows: Sequence[Mapping[str, Any]], bounds: Mapping[str, Bound], alpha: float) -> list[str]:
    """What is shown of every candidate in total, and by which test."""
    lines = []
    for row in [row for row in rows if row["is_total"] and row["margin"] is not None]:
        said = [
            f"{'' if chance <= alpha else 'not shown to be '}{what} (p {shown(chance)})"
            for what, chance in (("not worse", row["p_not_worse"]), ("equivalent", row["p_equivalent"]))
            if chance is not None
        ] or [
            f"no verdict, as the judgments favour {row['favoured']}"
            if row.get("sqlrank_withheld")
            else lacking_evidence(row)
        ]
        bound = bounds[row["metric"]]
        lines.append(f"{row['metric']} of {row['system']}, margin {bound}: {', '.join(said)}")
    if lines:
        lines.append(f"p of margins: one-sided, the larger of both sides for equivalence, at {alpha:g}, not adjusted")
    return lines


def shown(chance: float) -> str:
    """A p value of a remark."""
    return "<0.0001" if chance < 0.00005 else f"{chance:.4f}"
