"""Trials of judgments from clicks: how far the labels of each method are from the truth, by people and by rankers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sqlrank import log
from sqlrank.errors import DataError
from tests.behaviour.simulated import EXAMINATION, Shown, logged
from tests.trials.experiments import Array, row

PEOPLE = {
    "look by position": "pbm",
    "look from the top to the first click": "cascade",
    "look from the top until satisfied": "dbn",
    "look by position, trust the top": "trust",
}
"""The words of the table, and the model of people."""
RANKERS: dict[str, tuple[tuple[int, ...], float]] = {
    "three": ((0, 1, 2), 0.25),
    "one, good": ((0,), 0.1),
    "one, poor": ((0,), 1.0),
}
"""Which rankers answer, and how far they are off the truth."""
WORLDS = [(people, rankers) for people in PEOPLE for rankers in RANKERS]
METHODS: dict[str, dict[str, Any]] = {
    **{name: {"method": name} for name in ("ctr", "coec", "cascade", "dcm", "sdbn", "dbn", "pbm")},
    "ratio, learned": {"method": "ratio", "propensities": "learned"},
    "ratio, known": {"method": "ratio", "propensities": "known"},
    "ips, known": {"method": "ips", "propensities": "known"},
}
"""The columns of the table, and what is asked for."""
UNBOUNDED = ("coec",)
"""Methods whose labels are on no scale of rates."""


@dataclass(frozen=True, slots=True)
class Apart:
    """How far labels are from the truth."""

    tau: float
    """The mean of Kendall's tau inside queries."""
    error: float | None
    """The mean of how far a label is off; None for labels on another scale."""

    def __str__(self) -> str:
        return f"{self.tau:.2f} / {'-' if self.error is None else f'{self.error:.2f}'}"


def apart_of(people: str, rankers: str, name: str) -> Apart | str:
    """The labels of a method in a world beside the truth, or why there are none."""
    chosen, noise = RANKERS[rankers]
    world = logged(PEOPLE[people], chosen, noise=noise)
    frame = world.frame()
    asked = dict(METHODS[name])
    told = asked.pop("propensities", None)
    if told == "known" and PEOPLE[people] not in ("pbm", "trust"):
        return "none"
    try:
        if told is not None:
            asked["propensities"] = propensities(frame) if told == "learned" else known()
        with log.judgments(frame, **asked) as found:
            labels = {(row["query_id"], row["doc_id"]): row["relevance"] for row in found.to_dicts()}
    except DataError:
        return "refused"
    return beside(labels, truth_of(world, PEOPLE[people]), name in UNBOUNDED)


def known() -> dict[int, float]:
    """How likely each position is looked at, in truth."""
    return {place: float(value) for place, value in enumerate(EXAMINATION, 1)}


def propensities(frame: Any) -> dict[int, float]:
    """The same as the log tells it; DataError where it does not."""
    with log.propensities(frame) as found:
        return {row["position"]: row["propensity"] for row in found.to_dicts()}


def truth_of(world: Shown, model: str) -> Array:
    """What the labels should be: attraction, and where people stop once they are satisfied, times satisfaction."""
    found: Array = world.attraction * world.satisfaction if model == "dbn" else world.attraction
    return found


def beside(labels: Mapping[tuple[int, int], float], truth: Array, unbounded: bool) -> Apart:
    """Labels beside the truth."""
    taus, of_queries = [], {query for query, _ in labels}
    for query in sorted(of_queries):
        documents = [document for document in range(truth.shape[1]) if (query, document) in labels]
        signs = [
            np.sign(labels[query, one] - labels[query, other]) * np.sign(truth[query, one] - truth[query, other])
            for one, other in combinations(documents, 2)
        ]
        taus.append(float(np.mean(signs)))
    errors = [abs(label - truth[pair]) for pair, label in labels.items()]
    return Apart(float(np.mean(taus)), None if unbounded else float(np.mean(errors)))


def row_of_labels(people: str, rankers: str, names: list[str] | None = None) -> str:
    """A row of the table: all methods, or some of them."""
    return row([people, rankers], [apart_of(people, rankers, name) for name in names or METHODS])


def of_labels() -> Iterator[str]:
    """The table of labels."""
    yield f"| people | rankers | {' | '.join(f'`{name}`' if ',' not in name else name for name in METHODS)} |"
    yield f"| :-- | :-- |{' --: |' * len(METHODS)}"
    for people, rankers in WORLDS:
        yield row_of_labels(people, rankers)
