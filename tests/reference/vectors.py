"""Slow, readable definitions of the metrics that compare documents by their vectors.

They see the documents of every query in rank order, of which the top k are shown, and the vector of each document.
UNDEFINED: there is nothing to compare.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from tests.reference.shared import UNDEFINED, is_relevant

Vectors: TypeAlias = Mapping[str, Sequence[float]]


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """1 - the cosine of the angle between two vectors."""
    product = math.fsum(left * right for left, right in zip(one, other, strict=True))
    return 1 - product / (math.hypot(*one) * math.hypot(*other))


def mean(values: Iterable[float]) -> float:
    """The mean, UNDEFINED of nothing."""
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else UNDEFINED


def ild(docs: Sequence[str], k: int, vectors: Vectors) -> float:
    """Mean distance over the pairs of documents shown (Smyth & McClave 2001)."""
    return mean(distance(vectors[one], vectors[other]) for one, other in combinations(docs[:k], 2))


def serendipity(
    docs: Sequence[str],
    k: int,
    vectors: Vectors,
    known: Collection[str],
    judged: Mapping[str, float],
    *,
    rel: float = 1.0,
) -> float:
    """Mean over the documents shown of the mean distance to those known, 0 where not relevant (Zhang et al. 2012)."""
    if not known:
        return UNDEFINED
    return mean(
        is_relevant(judged.get(doc), rel) * mean(distance(vectors[doc], vectors[other]) for other in known)
        for doc in docs[:k]
    )
