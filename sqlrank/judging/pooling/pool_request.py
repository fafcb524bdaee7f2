"""What a pool is asked for: one metric whose change is known beforehand, a depth, and how inputs are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.conventions import JUDGED_TIES, TIES
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import AS_THEY_ARE, Request, request_of
from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt

DEFAULT = "ndcg@10"
"""The metric whose comparison is to be changed, unless told."""
REFUSED = {
    "by": "pairs are in one order, whatever their segment",
    "empty": "no value is computed",
    "history": "pairs are ordered by a metric of relevance",
    "baseline": "pairs are ordered by a metric of relevance",
}
"""The options of an evaluation that a pool has not, and why."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for."""

    request: Request
    depth: int
    """How many of the first documents of each ranking are pooled."""
    budget: int | None
    """How many pairs there are at most."""

    @property
    def measure(self) -> Measure:
        """The metric whose comparison is to be changed."""
        return self.request.measures[0]

    @property
    def limit(self) -> int | None:
        """The last rank that matters; None for all."""
        return None if self.measure.k is None else max(self.depth, self.measure.k)


def asked_for(metric: str | None, depth: int | None, budget: int | None, options: Mapping[str, Any]) -> Asked:
    """The request of a pool; UsageError for a metric or an option that it has no use for."""
    for name, reason in REFUSED.items():
        if options.get(name) is not None:
            raise UsageError(f"{spelt(name)} is not for a pool: {reason}; leave it out")
    request = request_of([DEFAULT if metric is None else metric], AS_THEY_ARE | dict(options))
    if len(request.measures) > 1:
        texts = ", ".join(measure.text for measure in request.measures)
        raise UsageError(f"a pool is ordered by one metric, not by {texts}; name one, for example {DEFAULT}")
    (measure,) = request.measures
    check_effect(measure, request)
    conventions = request.conventions
    if conventions.ties in JUDGED_TIES:
        raise UsageError(
            f"{spelt('ties', conventions.ties)} gives tied documents no place before they are judged; choose"
            f" {', '.join(TIES)}"
        )
    if conventions.unjudged != "nonrelevant":
        does = "leaves out" if conventions.unjudged == "remove" else "makes up"
        raise UsageError(
            f"{spelt('unjudged', conventions.unjudged)} {does} the very documents that a pool lists; leave it out"
        )
    if "query_set" not in request.given:
        conventions = replace(conventions, query_set="run")
    return Asked(request.under(conventions), depth_of(depth, measure), checked_budget(budget))


def check_effect(measure: Measure, request: Request) -> None:
    """Raise UsageError if nobody knows before a document is judged what that would change."""
    if measure.effect is not None:
        return
    known = ", ".join(metric.name for metric in catalogue(request.language.own).values() if metric.effect is not None)
    if measure.metric.effect is not None:
        needed = [f"{name}={' or '.join(words)}" for name, words in measure.metric.effect_with.items()]
        raise UsageError(
            f"{measure.text}: what a document adds to it depends on more than its place; choose {', '.join(needed)}"
        )
    raise UsageError(
        f"{measure.text}: what a document adds to it is not a weight of its place; a pool is ordered by {known}"
    )


def depth_of(depth: int | None, measure: Measure) -> int:
    """How deep rankings are pooled: down to the cutoff, unless told; UsageError if there is neither."""
    if depth is None and measure.k is None:
        raise UsageError(
            f"{measure.text} has no cutoff: say how many of the first documents to pool, as in {spelt('depth', 10)}"
        )
    found = measure.k if depth is None else depth
    if found is None or found < 1:
        raise UsageError(f"{spelt('depth', found)} pools nothing; give 1 or more")
    return found


def checked_budget(budget: int | None) -> int | None:
    """How many pairs are asked for; UsageError if that is none."""
    if budget is not None and budget < 1:
        raise UsageError(f"{spelt('budget', budget)} asks for nothing; give 1 or more")
    return budget
