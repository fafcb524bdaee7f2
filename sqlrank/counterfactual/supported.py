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
    return counted_support(each.source, measure.estimator, measure.system, each.sums.impressions)


def counted_support(source: Empirical, estimator: Estimator, system: str, impressions: int) -> Support:
    """The share of the traffic of its places that the log has shown enough of."""
    found = of_system(source.support(estimator), system)[0]
    at_most = None if estimator.cutoff else found["possible"] / impressions
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
    raw, kept = (sum(row[f"{name}_{number}"] for row in positions) for name in ("raw", "w"))
    rows = sum(row[f"clipped_{number}"] for row in positions) / sum(row["places"] for row in positions)
    return {"rows": rows, "mass": (raw - kept) / raw if raw else 0.0}
