"""Slow, readable definitions of ERR, the C/W/L metrics, RBO's and the share of pairs in order.

A C/W/L metric (Moffat, Bailey, Scholer & Thomas 2017) is the gain of the places a user sees, each weighted by how
likely it is seen, over the sum of those weights. Places below the list have no gain but are seen all the same.
"""

# ruff: noqa: A002 - min and max are what the parameters are called

import builtins
import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from tests.reference.shared import (
    UNDEFINED,
    Gain,
    Judged,
    Ranking,
    gain_of,
    is_relevant,
    refuse_cutoff,
    required_cutoff,
)

PLACES = 1000
"""How far a user goes who has no cutoff, as in cwl_eval."""


def top_relevance(max: float | str, top: float | None) -> float:
    """The relevance that is worth everything: a number, or with "data" the largest of all judgments."""
    if max != "data":
        return float(max)
    if top is None:
        raise ValueError("max='data' needs top")
    return top


def chances(relevances: Ranking, judged: Judged, gain: Gain, max: float | str, top: float | None) -> list[float]:
    """The probability that each relevance satisfies: its gain over 1 + the largest gain, or the gain (max="none")."""
    gains = [gain_of(value, gain) for value in relevances]
    if max == "none":
        return gains
    if max == "query":
        largest = builtins.max((gain_of(value, gain) for value in judged), default=0.0)
    elif isinstance(gain, dict):
        largest = builtins.max(gain.values())
    else:
        best = top_relevance(max, top)
        largest = gain_of(best, gain)
        gains = [gain_of(sorted([0.0, value or 0.0, best])[1], gain) for value in relevances]
    return [each / (1 + largest) for each in gains]


def reciprocal_of(found: list[float]) -> float:
    """Expected reciprocal rank at which a user stops whom the documents satisfy with these probabilities."""
    going = 1.0
    terms = []
    for place, satisfied in enumerate(found, start=1):
        terms.append(going * satisfied / place)
        going *= 1 - satisfied
    return math.fsum(terms)


def err(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "exp2",
    max: float | str = "data",
    top: float | None = None,
) -> float:
    """Expected reciprocal rank at which a user stops, satisfied with (2**relevance - 1) / 2**max (Chapelle 2009).

    Args:
        gain: what a relevance is worth, of which the probability is made.
        max: relevance that satisfies most, a larger one satisfying as much; "data" is the largest of all judgments,
            "query" that of the query, "none" takes the gain for the probability.
        top: the largest relevance of all judgments of all queries, for max="data".
    """
    return reciprocal_of(chances(ranking[: required_cutoff(k)], judged, gain, max, top))


def nerr(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "exp2",
    max: float | str = "data",
    top: float | None = None,
) -> float | None:
    """ERR over that of the judgments in their best order (Sakai & Song 2011)."""
    k = required_cutoff(k)
    ideal = sorted(chances(list(judged), judged, gain, max, top), reverse=True)
    if not any(ideal):
        return None
    return reciprocal_of(chances(ranking[:k], judged, gain, max, top)) / reciprocal_of(ideal[:k])


def worths(ranking: Ranking, k: int, min: float, best: float) -> list[float]:
    """Relevances above `min` of places 1 to k, at most that of `best`."""
    relevances = [min if value is None else value for value in ranking[:k]]
    return [sorted([min, value, best])[1] - min for value in relevances] + [0.0] * (k - len(relevances))


def scaled_gains(ranking: Ranking, k: int, min: float, max: float | str, top: float | None) -> list[float]:
    """Gains of places 1 to k, relevance `min` being 0 and `max` being 1; all 0 where no relevance can be above."""
    best = top_relevance(max, top)
    return [worth / (best - min) if best > min else 0.0 for worth in worths(ranking, k, min, best)]


def of_gains(places: int | None) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Let a metric of gains be one of a ranking; it needs k unless it has this many places without."""

    def of_ranking(metric: Callable[..., float]) -> Callable[..., float]:
        @wraps(metric)
        def value(
            ranking: Ranking,
            judged: Judged,
            k: int | None = None,
            *,
            min: float = 0.0,
            max: float | str = "data",
            top: float | None = None,
            **parameters: Any,
        ) -> float:
            return metric(scaled_gains(ranking, required_cutoff(k or places), min, max, top), **parameters)

        return value

    return of_ranking


def expected_gain(gains: list[float], views: list[float]) -> float:
    """Gain per document seen."""
    return math.fsum(view * gain for view, gain in zip(views, gains, strict=True)) / math.fsum(views)


def unsatisfied(gains: list[float]) -> list[float]:
    """Probability that no place above has satisfied, its gain being the probability that it does."""
    seen = [1.0]
    for gain in gains[:-1]:
        seen.append(seen[-1] * (1 - gain))
    return seen


def patience(places: int, t: float) -> list[float]:
    """Probability of seeing a place for a user who wants t documents (INSQ; Moffat, Scholer & Thomas 2012)."""
    return [(2 * t / (place - 1 + 2 * t)) ** 2 for place in range(1, places + 1)]


@of_gains(None)
def nerr8(gains: list[float]) -> float:
    """A user who stops where satisfied (Azzopardi, Mackenzie & Moffat 2021, equation 8)."""
    return expected_gain(gains, unsatisfied(gains))


@of_gains(None)
def nerr9(gains: list[float]) -> float:
    """As nerr8, a place being seen one over its rank less (Azzopardi, Mackenzie & Moffat 2021, equation 9)."""
    return expected_gain(gains, [view / place for place, view in enumerate(unsatisfied(gains), start=1)])


@of_gains(PLACES)
def nerr10(gains: list[float], *, p: float = 0.9) -> float:
    """As nerr8, going on with probability p (Azzopardi, Mackenzie & Moffat 2021, equation 10)."""
    return expected_gain(gains, [view * p**place for place, view in enumerate(unsatisfied(gains))])


@of_gains(PLACES)
def nerr11(gains: list[float], *, t: float = 1.0) -> float:
    """As nerr8, with the patience of INSQ (Azzopardi, Mackenzie & Moffat 2021, equation 11)."""
    views = [left * seen for left, seen in zip(patience(len(gains), t), unsatisfied(gains), strict=True)]
    return expected_gain(gains, views)


@of_gains(PLACES)
def insq(gains: list[float], *, t: float = 1.0) -> float:
    """A user who wants t documents and loses patience (Moffat, Scholer & Thomas 2012)."""
    return expected_gain(gains, patience(len(gains), t))


@of_gains(PLACES)
def inst(gains: list[float], *, t: float = 1.0) -> float:
    """As insq, patience depending on what is still wanted (Moffat, Bailey, Scholer & Thomas 2015)."""
    views = [1.0]
    wanted = t
    for place, gain in enumerate(gains[:-1], start=1):
        wanted -= gain
        views.append(views[-1] * ((place + t + wanted - 1) / (place + t + wanted)) ** 2)
    return expected_gain(gains, views)


@of_gains(None)
def sdcg(gains: list[float]) -> float:
    """DCG over that of k documents of the top gain (Moffat, Bailey, Scholer & Thomas 2017)."""
    return expected_gain(gains, [1 / math.log2(place + 1) for place in range(1, len(gains) + 1)])


def bpm(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    t: float = 1.0,
    min: float = 0.0,
    max: float | str = "data",
    top: float | None = None,
) -> float:
    """Mean gain up to the place where a total gain of t is reached, at most k (Zhang et al. 2017).

    Relevances are added before they are scaled, and a billionth may be missing, so that ten tenths are one.
    """
    k = required_cutoff(k)
    gains = scaled_gains(ranking, k, min, max, top)
    best = top_relevance(max, top)
    found = worths(ranking, k, min, best)
    last = next((m for m in range(1, k) if math.fsum(found[:m]) >= (t - 1e-9) * (best - min)), k)
    return math.fsum(gains[:last]) / last


def accuracy(
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, pairless: str = "undefined"
) -> float:
    """Share of pairs of a relevant and another document of the top k with the relevant one above (ir_measures).

    Args:
        pairless: what it is where the top k has only one of the kinds, whether or not there is something to find:
            UNDEFINED, or with "bounds" 1 for relevant ones and 0 for none (RePlay).
    """
    above = 0
    in_order = []
    for value in reversed(ranking[:k]):
        if is_relevant(value, rel):
            in_order.append(above)
        else:
            above += 1
    pairs = len(in_order) * above
    if not pairs and pairless == "bounds":
        return 1.0 if in_order else 0.0
    return sum(in_order) / pairs if pairs else UNDEFINED


def compat(
    ranking: Ranking, judged: Judged, k: int | None = None, *, p: float = 0.95, normalize: str = "yes"
) -> float | None:
    """Rank-biased overlap of the ranking and the best one made of the same judgments (Clarke et al. 2021).

    The best ranking has the documents of positive relevance, the larger first and equal ones as they were returned,
    those not returned last.

    Args:
        normalize: "yes" divides by the overlap of the best ranking with itself.
    """
    refuse_cutoff(k)
    missed = list(judged)
    for value in ranking:
        if value is not None:
            missed.remove(value)
    pool = [(value or 0.0, place) for place, value in enumerate([*ranking, *missed])]
    ideal = [place for value, place in sorted(pool, key=lambda pair: (-pair[0], pair[1])) if value > 0]
    if not ideal:
        return None
    returned = list(range(len(ranking)))
    depth = max(len(returned), len(ideal))
    best = {"yes": overlap(ideal, ideal, p, depth), "no": 1.0}[normalize]
    return overlap(returned, ideal, p, depth) / best


def overlap(one: list[int], other: list[int], p: float, depth: int) -> float:
    """Mean share in common of the first 1, 2, ... depth of two rankings, each weighted p times the one before."""
    shares = [len({*one[:d]} & {*other[:d]}) / d for d in range(1, depth + 1)]
    weights = [p**d for d in range(depth)]
    return math.fsum(share * weight for share, weight in zip(shares, weights, strict=True)) / math.fsum(weights)
