"""Slow, readable definitions of the metrics of scores: AUC and its kin.

A metric sees the scores of the returned documents and their relevances, None being unjudged, in any order. It returns
UNDEFINED where it has nothing to compare, whatever is chosen for queries with nothing to find.
"""

import math
from itertools import permutations, product

from tests.reference.shared import UNDEFINED, Judged, Ranking, count_relevant, is_relevant, is_unjudged

Scores = list[float]


def won(better: float, worse: float) -> float:
    """Whether the better one has the higher score: 1, 0, or one half when both have the same."""
    return 0.5 if better == worse else float(better > worse)


def gauc(
    scores: Scores, relevances: Ranking, *, rel: float = 1.0, weight: str = "none", pairless: str = "undefined"
) -> float:
    """Share of pairs of a relevant and another document with the relevant one scored higher (Zhu et al. 2017).

    Args:
        weight: how queries become one value; that of a query is the same.
        pairless: the value of a query that has documents, and no such pair.
    """
    rows = list(zip(scores, relevances, strict=True))
    relevant = [score for score, value in rows if is_relevant(value, rel)]
    others = [score for score, value in rows if not is_relevant(value, rel)]
    pairs = [won(better, worse) for better, worse in product(relevant, others)]
    return share_of(pairs, bool(rows), pairless)


def share_of(pairs: list[float], returned: bool, pairless: str) -> float:
    """The share of pairs in order, or what stands for it where there is none: 0 where nothing was returned."""
    if pairs:
        return math.fsum(pairs) / len(pairs)
    instead = {"undefined": UNDEFINED, "zero": 0.0, "half": 0.5, "one": 1.0}[pairless]
    return instead if returned or pairless == "undefined" else 0.0


def mean_gauc(queries: list[tuple[Scores, Ranking]], *, rel: float = 1.0, weight: str = "none") -> float:
    """Mean of the defined values of gauc.

    Args:
        weight: what a query counts: "none" 1, "rows" the documents returned, "positives" the relevant ones of them.
    """
    values = []
    for scores, relevances in queries:
        count = {"none": 1, "rows": len(scores), "positives": count_relevant(relevances, rel)}[weight]
        values.append((gauc(scores, relevances, rel=rel), count))
    kept = [(value, count) for value, count in values if not math.isnan(value)]
    return math.fsum(value * count for value, count in kept) / sum(count for _, count in kept) if kept else UNDEFINED


def auc(queries: list[tuple[Scores, Ranking]], *, rel: float = 1.0) -> float:
    """As gauc, over pairs of rows of all queries together."""
    scores = [score for scores, _ in queries for score in scores]
    relevances = [value for _, relevances in queries for value in relevances]
    return gauc(scores, relevances, rel=rel)


def pairwise_accuracy(scores: Scores, relevances: Ranking, *, pairless: str = "undefined") -> float:
    """Share of pairs of judged documents of different relevance with the more relevant scored higher.

    A negative judgment is none.
    """
    judged = [(value, score) for score, value in zip(scores, relevances, strict=True) if not is_unjudged(value)]
    pairs = [
        won(better, worse)
        for (high, better), (low, worse) in permutations(judged, 2)
        if high is not None and low is not None and high > low
    ]
    return share_of(pairs, bool(scores), pairless)


def grouped_ap(scores: Scores, relevances: Ranking, judged: Judged, *, rel: float = 1.0) -> float | None:
    """AP of the returned list where documents of equal score are one step, in no order (scikit-learn).

    None when no judged document is relevant; 0 when none of them was returned.
    """
    if count_relevant(judged, rel) == 0:
        return None
    total = count_relevant(relevances, rel)
    terms = []
    for score in sorted(set(scores), reverse=True):
        step = [value for other, value in zip(scores, relevances, strict=True) if other == score]
        so_far = [value for other, value in zip(scores, relevances, strict=True) if other >= score]
        hits = count_relevant(step, rel)
        if hits:
            terms.append(hits / total * count_relevant(so_far, rel) / len(so_far))
    return math.fsum(terms)
