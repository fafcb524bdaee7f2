"""Simulated rankings of two systems whose relevance is known."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

QUERIES, DOCUMENTS, LENGTH = 30, 60, 30
"""Queries of an experiment, documents of a query that could be found, and how many a ranking has."""
GRADES, SHARES = (1.0, 2.0, 3.0), (0.5, 0.3, 0.2)


class Setting(NamedTuple):
    """How two systems differ."""

    words: str
    own: float
    """The standard deviation of what each system adds to a score of both."""
    gain: float
    """The standard deviation of how much more one of them makes of relevance."""


ALIKE = Setting("a candidate much like its baseline", 0.2, 0.1)
APART = Setting("two systems of their own", 1.0, 0.3)
SETTINGS = (ALIKE, APART)


class Data(NamedTuple):
    """Simulated rankings and their relevance."""

    places: dict[str, dict[str, dict[int, int]]]
    """By system and query, the place of each document, from 0."""
    relevance: dict[str, NDArray[np.float64]]
    """By query, the relevance of each document."""


@cache
def simulated(setting: Setting, experiments: int, seed: int = 1) -> Data:
    """The rankings of two systems: scores are the relevance, a noise of both, and one of each."""
    rng = np.random.default_rng(seed)
    found = Data({"a": {}, "b": {}}, {})
    for experiment in range(experiments):
        gains = {"a": 1.0, "b": 1.0 + rng.normal(0, setting.gain)}
        for number in range(QUERIES):
            query, relevance = f"e{experiment}q{number}", np.zeros(DOCUMENTS)
            relevant = rng.choice(DOCUMENTS, min(1 + rng.poisson(6), DOCUMENTS), replace=False)
            relevance[relevant] = rng.choice(GRADES, len(relevant), p=SHARES)
            both = rng.normal(0, 1, DOCUMENTS)
            for system, gain in gains.items():
                order = np.argsort(-(gain * relevance + both + rng.normal(0, setting.own, DOCUMENTS)))
                found.places[system][query] = {int(doc): place for place, doc in enumerate(order[:LENGTH])}
            found.relevance[query] = relevance
    return found


def tables(data: Data) -> dict[str, pa.Table]:
    """The rankings as sqlrank takes them."""
    found = {}
    for system, queries in data.places.items():
        rows = [(query, f"d{doc}", -float(place)) for query, docs in queries.items() for doc, place in docs.items()]
        found[system] = pa.table(
            dict(zip(("query_id", "doc_id", "score"), map(list, zip(*rows, strict=True)), strict=True))
        )
    return found
