"""How much of what a candidate shows a log has shown, and what clipping takes of its weights.

The share that a log supports counts each place by the impressions that reach it, times the mean reward of its position
in the whole log: a first place that was never shown leaves more open than a last one. The mean is of the position and
not of the query there, as the documents that the log showed for a query may earn nothing where those of the candidate
would. Gains count a rank by the mean gain of a document at that position, discounted.
"""

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
from sqlrank.spelling import spelt

MOST_TAMED = 0.05
"""The largest share of the weights that an estimate with expected rewards may lose and have an interval."""


@dataclass(slots=True)
class Support:
    """How much of what a candidate shows the log has shown."""

    share: float
    """The share of its places, each by the impressions that reach it and what its position earns; see `counted_by`."""
    at_most: float | None = None
    """What is earned at most where it has not, for each impression; None where that is not known."""
    by_position: dict[int, float] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    earned: bool = True
    """Whether any of its positions earned anything; where none did, places count by impressions alone."""

    @property
    def counted_by(self) -> str:
        """What places count by, in words."""
        return "weighted by reward" if self.earned else "weighted by impressions, as their positions earned nothing"


def support_of(each: Estimated, measure: Measure, weights: Weights) -> Support:
    """How much of what a candidate shows the log has shown: counted, or by the weights of logged propensities."""
    if isinstance(each.source, Logged):
        number = measure.terms[0].weighting
        return weighted_support(each.source.positions, number, weights)
    per = each.sums.impressions if measure.per is None else measure.per
    return counted_support(each.source, measure.estimator, measure.system, per)


def weighted_support(positions: Sequence[Mapping[str, Any]], number: int, weights: Weights) -> Support:
    """The mean weight of each position, which is 1 where all is supported, and of all by what the positions earn.

    Args:
        positions: rows of position, places, rewards and `raw_N`, the sum of the weights before they are clipped.
        number: the number of the weights, N.
        weights: the same weights over all places, for positions that earned nothing.
    """
    by_position = {row["position"]: row[f"raw_{number}"] / row["places"] for row in positions}
    rewards = sum(row["rewards"] for row in positions)
    earned = sum(by_position[row["position"]] * row["rewards"] for row in positions)
    share = earned / rewards if rewards else weights.mean or 0.0
    capped = {position: min(1.0, weight) for position, weight in by_position.items()}
    return Support(min(1.0, share), None, capped, earned=rewards > 0)


def counted_support(source: Empirical, estimator: Estimator, system: str, per: float) -> Support:
    """The share of its places that the log has shown enough of; `per` is what a value is divided by."""
    found = of_system(source.support(estimator), system)[0]
    at_most = found["possible"] / per
    by_position = {
        row["position"]: row["supported"]
        for row in of_system(source.support(estimator, "position"), system)
        if row["traffic"]
    }
    lines = []
    if found["unanswered_queries"]:
        said = counted(found["unanswered_queries"], "query", "has", "have", " of the log")
        lines.append(f"{said} no results: they count as unsupported")
    if found["short_queries"]:
        lines.append(
            f"{counted(found['short_queries'], 'query', 'has', 'have')} fewer results than were shown: positions"
            f" without one earn nothing ({spelt('shown_depth', 'N')} compares the first N)"
        )
    return Support(found["supported"], at_most, by_position, lines, bool(found["levels"]))


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
