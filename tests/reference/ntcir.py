"""Slow, readable definitions of the metrics that NTCIREVAL has and trec_eval has not, after Sakai.

A document is relevant if it has a gain. The best ranking is of all judged documents that have one.
"""

import math
from collections.abc import Iterator

from tests.reference.shared import Gain, Judged, Ranking, best_gains, gain_of, refuse_cutoff


def blended_ratio(gains: list[float], best: list[float], beta: float) -> float:
    """Relevant documents and beta times their gain, over the rank and beta times the gain of the best ranking."""
    found = sum(gain > 0 for gain in gains) + beta * math.fsum(gains)
    return found / (len(gains) + beta * math.fsum(best[: len(gains)]))


def at_relevant(ranking: Ranking, judged: Judged, gain: Gain, beta: float) -> Iterator[tuple[float, float]]:
    """The gain of each relevant document in rank order, and the blended ratio there."""
    gains = [gain_of(value, gain) for value in ranking]
    best = best_gains(judged, gain)
    for rank, worth in enumerate(gains, start=1):
        if worth > 0:
            yield worth, blended_ratio(gains[:rank], best, beta)


def q_measure(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", beta: float = 1.0
) -> float | None:
    """Blended ratios at the relevant documents of the top k, over min(relevant, k) (Sakai 2007)."""
    relevant = len(best_gains(judged, gain))
    if not relevant:
        return None
    ratios = [ratio for _, ratio in at_relevant(ranking[:k], judged, gain, beta)]
    return math.fsum(ratios) / min(relevant, k or relevant)


def o_measure(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", beta: float = 1.0
) -> float | None:
    """The blended ratio at the first relevant document (Sakai 2006)."""
    refuse_cutoff(k)
    if not best_gains(judged, gain):
        return None
    return next((ratio for _, ratio in at_relevant(ranking, judged, gain, beta)), 0.0)


def preferred(ranking: Ranking, judged: Judged, gain: Gain, beta: float) -> list[float]:
    """The blended ratios at the relevant documents down to the first of the largest gain returned."""
    found = list(at_relevant(ranking, judged, gain, beta))
    worths = [worth for worth, _ in found]
    return [ratio for _, ratio in found[: worths.index(max(worths)) + 1]] if found else []


def p_measure(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", beta: float = 1.0
) -> float | None:
    """The blended ratio at the first document of the largest gain returned (Sakai 2007)."""
    refuse_cutoff(k)
    if not best_gains(judged, gain):
        return None
    return (preferred(ranking, judged, gain, beta) or [0.0])[-1]


def p_plus(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", beta: float = 1.0
) -> float | None:
    """The mean of the blended ratios down to there (Sakai 2007)."""
    refuse_cutoff(k)
    if not best_gains(judged, gain):
        return None
    ratios = preferred(ranking, judged, gain, beta)
    return math.fsum(ratios) / len(ratios) if ratios else 0.0


def ncu(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    stops: str = "graded",
    utility: str = "blended",
    beta: float = 1.0,
    gamma: float = 0.95,
) -> float | None:
    """The mean utility of users who stop at a relevant document, found or not (Sakai & Robertson 2008).

    Args:
        stops: "graded" has them stop in proportion to the gain, "rank" by gamma for each relevant document above.
        utility: "blended" or "precision".
    """
    refuse_cutoff(k)
    best = best_gains(judged, gain)
    if not best:
        return None
    found = list(at_relevant(ranking, judged, gain, {"blended": beta, "precision": 0.0}[utility]))
    kinds = {
        "graded": ([worth for worth, _ in found], math.fsum(best)),
        "rank": ([gamma**above for above in range(len(found))], math.fsum(gamma**above for above in range(len(best)))),
    }
    weights, total = kinds[stops]
    return math.fsum(weight * worth for weight, (_, worth) in zip(weights, found, strict=True)) / total
