"""What the reference definitions share: relevances, gains, discounts, and the two ways to have no value."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

Ranking: TypeAlias = list[float | None]
Judged: TypeAlias = list[float]
Gain: TypeAlias = str | Mapping[float, float]

UNDEFINED = math.nan
"""Value of a query for which a metric says nothing, whatever is chosen for queries with nothing to find."""

DISCOUNTS: dict[str, Callable[[int], float]] = {
    "log2": lambda rank: 1 / math.log2(rank + 1),
    "ln": lambda rank: 1 / math.log(rank + 1),
    "letor": lambda rank: 1.0 if rank <= 2 else 1 / math.log2(rank),
    "log10": lambda rank: 1 / math.log10(rank + 1),
    "letor3": lambda rank: 1.0 if rank <= 3 else 1 / math.log(rank, 3),
    "reciprocal": lambda rank: 1 / rank,
    "1:1,2:0.6,3:0.5,4:0.5": lambda rank: [1, 0.6, 0.5, 0.5][rank - 1] if rank <= 4 else 0.0,
    "none": lambda rank: 1.0,
}


def is_relevant(value: float | None, rel: float) -> bool:
    """Tell whether a document is judged at least `rel`."""
    return value is not None and value >= rel


def count_relevant(values: Iterable[float | None], rel: float) -> int:
    """Count the documents judged at least `rel`."""
    return sum(is_relevant(value, rel) for value in values)


def gain_of(value: float | None, gain: Gain) -> float:
    """Gain of one relevance: linear, exp2 (2**rel - 1, Burges et al. 2005), binary (1) or looked up in a table."""
    if value is None:
        return 0.0
    if not isinstance(gain, str):
        return gain.get(value, 0.0)
    gain, _, least = gain.partition("_from_")
    if least and value < float(least):
        return 0.0
    if gain == "linear":
        return max(value, 0.0)
    if gain == "exp2":
        return float(2.0**value - 1) if value > 0 else 0.0
    if gain == "binary":
        return float(value > 0)
    raise ValueError(f"unknown gain: {gain}")


def best_gains(values: Iterable[float | None], gain: Gain) -> list[float]:
    """Positive gains in the best order; a document without one has no place in an ideal ranking."""
    return sorted((g for g in (gain_of(value, gain) for value in values) if g > 0), reverse=True)


def discounted_sum(gains: Iterable[float], discount: str) -> float:
    """Sum of gains in rank order, each weighted by the discount of its rank."""
    weight = DISCOUNTS[discount]
    return math.fsum(g * weight(rank) for rank, g in enumerate(gains, start=1))


def required_cutoff(k: int | None) -> int:
    """Return k, or complain that it is missing."""
    if k is None:
        raise ValueError("this metric needs k")
    return k


def refuse_cutoff(k: int | None) -> None:
    """Complain about a k given to a metric of the whole list."""
    if k is not None:
        raise ValueError("this metric takes no k")


def resolve(value: Any, when_empty: float | None) -> Any:
    """The value that counts: an empty query gets `when_empty`, an undefined one None, whatever `when_empty` is."""
    if value is None:
        return when_empty
    return None if isinstance(value, float) and math.isnan(value) else value


def is_nonrelevant(value: float | None, rel: float) -> bool:
    """Tell whether a document is judged below `rel`; a negative judgment is none."""
    return value is not None and 0 <= value < rel


def is_unjudged(value: float | None) -> bool:
    """Tell whether a document has no judgment; a negative judgment is none."""
    return value is None or value < 0
