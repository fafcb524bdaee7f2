"""Slow, readable definitions of metrics of CatBoost, TensorFlow Ranking, BEIR, Evidently and LlamaIndex."""

# ruff: noqa: A002 - min and max are what the parameters are called

import math

from tests.reference.cwl import scaled_gains
from tests.reference.shared import (
    UNDEFINED,
    Gain,
    Judged,
    Ranking,
    count_relevant,
    gain_of,
    is_relevant,
    refuse_cutoff,
    required_cutoff,
)


def pfound(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    decay: float = 0.85,
    min: float = 0.0,
    max: float | str = "data",
    top: float | None = None,
) -> float:
    """Probability that one of the top k satisfies a user who goes on to the next with probability decay (CatBoost)."""
    looks, found = 1.0, 0.0
    for grade in scaled_gains(ranking, len(ranking[:k]), min, max, top):
        found += looks * grade
        looks *= (1 - grade) * decay
    return found


def arp(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", weight: str = "none"
) -> float:
    """Mean rank, each document weighing its gain (TensorFlow Ranking).

    Args:
        weight: how queries become one value; that of a query is the same.
    """
    refuse_cutoff(k)
    gains = [gain_of(value, gain) for value in ranking]
    total = math.fsum(gains)
    return math.fsum(rank * worth for rank, worth in enumerate(gains, start=1)) / total if total else UNDEFINED


def hole(ranking: Ranking, judged: Judged, k: int | None = None) -> float:
    """Documents in the top k without a judgment, over k (BEIR)."""
    k = required_cutoff(k)
    return sum(value is None for value in ranking[:k]) / k


def pooled_p(
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, norm: str = "returned"
) -> float:
    """Hits in the top k over what the query adds to the divisor of all: the documents shown, or min(R, k)."""
    k = required_cutoff(k)
    divisor = {"returned": len(ranking[:k]), "min": min(count_relevant(judged, rel), k)}[norm]
    return count_relevant(ranking[:k], rel) / divisor if divisor else UNDEFINED


def rr_all(
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, norm: str = "retrieved"
) -> float | None:
    """Mean reciprocal rank of the hits in the top k, or of all relevant documents (LlamaIndex)."""
    relevant = count_relevant(judged, rel)
    if not relevant:
        return None
    ranks = [rank for rank, value in enumerate(ranking[:k], start=1) if is_relevant(value, rel)]
    divisor = {"retrieved": len(ranks), "relevant": relevant}[norm]
    return math.fsum(1 / rank for rank in ranks) / divisor if ranks else 0.0


def ar(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Mean over the relevant documents of the recall at each that is in the top k (Evidently)."""
    relevant = count_relevant(judged, rel)
    if not relevant:
        return None
    hits = count_relevant(ranking[:k], rel)
    return math.fsum(place / relevant for place in range(1, hits + 1)) / relevant
