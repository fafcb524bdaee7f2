"""How much of what a candidate shows a log has shown, and what clipping takes of its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.estimators import Estimator
from sqlrank.counterfactual.logged import Logged
from sqlrank.counterfactual.measures import Measure
from sqlrank.counterfactual.unit_sums import Weights
from sqlrank.counterfactual.valuing import Estimated
from sqlrank.errors import counted

MOST_TAMED = 0.05
"""The largest share of the weights that an estimate with expected rewards may lose and have an interval."""


@dataclass(slots=True)
class Support:
    """How much of what a candidate shows the log has shown."""

    share: float
    at_most: float | None = None
    """What is earned at most where it has not, for each impression; None where that is not known."""
    by_position: dict[int, float] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


def support_of(each: Estimated, measure: Measure, weights: Weights) -> Support:
    """How much of what a candidate shows the log has shown: counted, or by the weights of logged propensities."""
    if isinstance(each.source, Logged):
        number = measure.terms[0].weighting
        by_position = {row["position"]: min(1.0, row[f"raw_{number}"] / row["places"]) for row in each.source.positions}
        return Support(min(1.0, weights.mean or 0.0), None, by_position)
    per = each.sums.impressions if measure.per is None else measure.per
    return counted_support(each.source, measure.estimator, measure.system, per)


def counted_support(source: Empirical, estimator: Estimator, system: str, per: float) -> Support:
    """The share of the traffic of its places that the log has shown enough of; `per` is what a value is divided by."""
    found = of_system(source.support(estimator), system)[0]
    at_most = found["possible"] / per
    by_position = {
        row["position"]: row["supported"] / row["traffic"]
        for row in of_system(source.support(estimator, "position"), system)
        if row["traffic"]
    }
    lines = []
    if found["unanswered_queries"]:
        said = counted(found["unanswered_queries"], "query", "has", "have", " of the log")
        lines.append(f"{said} no results, which is no support")
    if found["short_queries"]:
        lines.append(
            f"{counted(found['short_queries'], 'query', 'has', 'have')} fewer results than were shown: places without"
            " one earn nothing (--shown-depth N compares the first N)"
        )
    return Support(found["supported"] / found["traffic"] if found["traffic"] else 0.0, at_most, by_position, lines)


def of_system(rows: Sequence[Mapping[str, Any]], system: str) -> list[Mapping[str, Any]]:
    """The rows of a system."""
    return [row for row in rows if row["system"] == system]


def clipped_of(each: Estimated, measure: Measure) -> dict[str, float]:
    """Which share of the rows is clipped, and of the sum of their weights; nothing where none can be."""
    if not isinstance(each.source, Logged) or each.source.asked.clip is None:
        return {}
    number, positions = measure.terms[0].weighting, each.source.positions
    rows = sum(row[f"clipped_{number}"] for row in positions) / sum(row["places"] for row in positions)
    return {"rows": rows, "mass": lost(each.source, number)}


def lost(source: Logged, weighting: int) -> float:
    """The share of the sum of some weights that is clipped, left out or shrunk away."""
    raw, kept = (sum(row[f"{name}_{weighting}"] for row in source.positions) for name in ("raw", "w"))
    return float((raw - kept) / raw) if raw else 0.0


def is_tamed(each: Estimated, measure: Measure) -> bool:
    """Whether weights no longer correct the rewards that are expected, whose own error no interval has."""
    source = each.source
    if not isinstance(source, Logged) or source.asked.clip is None:
        return False
    return any(term.expects and lost(source, term.weighting) > MOST_TAMED for term in measure.terms)
