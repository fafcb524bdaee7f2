"""Slow, readable definitions of the metrics that ask which subtopics of a query a ranking covers.

A metric sees one query: its retrieved documents in rank order and the relevances by document and subtopic. A document
covers the subtopics for which it is judged at least `rel`. A metric is None when no document covers any.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

Subtopics: TypeAlias = Mapping[str, Mapping[str, float]]
Covered: TypeAlias = dict[str, list[str]]
Weight: TypeAlias = Callable[[int], float]


def covered(judgments: Subtopics, rel: float) -> Covered:
    """The subtopics that each document covers, of those that cover any."""
    found = {doc: [topic for topic, value in pairs.items() if value >= rel] for doc, pairs in judgments.items()}
    return {doc: topics for doc, topics in found.items() if topics}


def subtopics(topics: Covered) -> list[str]:
    """Every subtopic that some document covers."""
    return sorted({topic for found in topics.values() for topic in found})


def novelty(topics: list[str], seen: Mapping[str, int], alpha: float) -> float:
    """What a document adds: each subtopic counts 1 - alpha times as much for every document above that covers it."""
    return math.fsum((1 - alpha) ** seen.get(topic, 0) for topic in topics)


def gains(docs: list[str], topics: Covered, alpha: float) -> list[float]:
    """What each document adds to those above it (Clarke et al. 2008)."""
    seen: Counter[str] = Counter()
    found = []
    for doc in docs:
        found.append(novelty(topics.get(doc, []), seen, alpha))
        seen.update(topics.get(doc, []))
    return found


def ideal_docs(topics: Covered, alpha: float) -> list[str]:
    """The covering documents, each place having the one that adds most; of equal ones the larger id in UTF-8 bytes."""
    seen: Counter[str] = Counter()
    left, docs = set(topics), []
    while left:
        doc = max(left, key=lambda name: (novelty(topics[name], seen, alpha), name.encode()))
        docs.append(doc)
        left.remove(doc)
        seen.update(topics[doc])
    return docs


def weighted(values: list[float], weight: Weight) -> float:
    """Sum of values in rank order, each times the weight of its rank."""
    return math.fsum(value * weight(rank) for rank, value in enumerate(values, start=1))


def over_bound(docs: list[str], judgments: Subtopics, k: int, alpha: float, rel: float, weight: Weight) -> float | None:
    """Over what k documents would add that each cover every subtopic."""
    topics = covered(judgments, rel)
    if not topics:
        return None
    bound = weighted([(1 - alpha) ** place for place in range(k)], weight)
    return weighted(gains(docs, topics, alpha)[:k], weight) / (len(subtopics(topics)) * bound)


def over_ideal(
    docs: list[str], judgments: Subtopics, k: int | None, alpha: float, rel: float, weight: Weight
) -> float | None:
    """Over what the ideal ranking adds in as many places."""
    topics = covered(judgments, rel)
    if not topics:
        return None
    best = gains(ideal_docs(topics, alpha), topics, alpha)
    return weighted(gains(docs, topics, alpha)[:k], weight) / weighted(best[:k], weight)


def log_discount(rank: int) -> float:
    """Weight of a rank in DCG."""
    return 1 / math.log2(rank + 1)


def reciprocal(rank: int) -> float:
    """Weight of a rank in ERR."""
    return 1 / rank


def alpha_dcg(docs: list[str], judgments: Subtopics, k: int, *, alpha: float = 0.5, rel: float = 1.0) -> float | None:
    """Discounted novelty over that of k documents that each cover every subtopic (ndeval's alpha-DCG)."""
    return over_bound(docs, judgments, k, alpha, rel, log_discount)


def alpha_ndcg(docs: list[str], judgments: Subtopics, k: int, *, alpha: float = 0.5, rel: float = 1.0) -> float | None:
    """Discounted novelty over that of the ideal ranking (Clarke et al. 2008)."""
    return over_ideal(docs, judgments, k, alpha, rel, log_discount)


def err_ia(docs: list[str], judgments: Subtopics, k: int, *, alpha: float = 0.5, rel: float = 1.0) -> float | None:
    """Novelty over rank, over that of k documents that each cover every subtopic (Chapelle et al. 2009, as ndeval)."""
    return over_bound(docs, judgments, k, alpha, rel, reciprocal)


def nerr_ia(docs: list[str], judgments: Subtopics, k: int, *, alpha: float = 0.5, rel: float = 1.0) -> float | None:
    """Novelty over rank, over that of the ideal ranking (ndeval's nERR-IA)."""
    return over_ideal(docs, judgments, k, alpha, rel, reciprocal)


def nrbp(
    docs: list[str], judgments: Subtopics, *, alpha: float = 0.5, beta: float = 0.5, rel: float = 1.0
) -> float | None:
    """Novelty of a user who goes on with probability beta, over that of endless perfection (Clarke et al. 2009)."""
    topics = covered(judgments, rel)
    if not topics:
        return None
    found = weighted(gains(docs, topics, alpha), lambda rank: beta ** (rank - 1))
    return found * (1 - (1 - alpha) * beta) / len(subtopics(topics))


def nnrbp(
    docs: list[str], judgments: Subtopics, *, alpha: float = 0.5, beta: float = 0.5, rel: float = 1.0
) -> float | None:
    """NRBP over that of the ideal ranking of all covering documents (ndeval's nNRBP)."""
    return over_ideal(docs, judgments, None, alpha, rel, lambda rank: beta ** (rank - 1))


def ap_ia(docs: list[str], judgments: Subtopics, *, rel: float = 1.0) -> float | None:
    """Mean over the subtopics of AP for that subtopic (Agrawal et al. 2009)."""
    topics = covered(judgments, rel)
    if not topics:
        return None
    values = []
    for topic in subtopics(topics):
        relevant = {doc for doc, found in topics.items() if topic in found}
        places = [place for place, doc in enumerate(docs, start=1) if doc in relevant]
        values.append(math.fsum(hits / place for hits, place in enumerate(places, start=1)) / len(relevant))
    return math.fsum(values) / len(values)


def p_ia(docs: list[str], judgments: Subtopics, k: int, *, rel: float = 1.0, norm: str = "k") -> float | None:
    """Mean over the subtopics of the precision at k for that subtopic (Agrawal et al. 2009).

    Args:
        norm: "k" divides by k, "returned" by the number of documents there is in the top k.
    """
    topics = covered(judgments, rel)
    if not topics:
        return None
    divisor = {"k": k, "returned": len(docs[:k])}[norm]
    return sum(len(topics.get(doc, [])) for doc in docs[:k]) / (divisor * len(subtopics(topics))) if divisor else 0.0


def subtopic_recall(docs: list[str], judgments: Subtopics, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Share of the subtopics that the top k covers (Zhai, Cohen & Lafferty 2003)."""
    topics = covered(judgments, rel)
    if not topics:
        return None
    found = {topic for doc in docs[:k] for topic in topics.get(doc, [])}
    return len(found) / len(subtopics(topics))


METRICS: dict[str, Callable[..., float | None]] = {
    metric.__name__: metric
    for metric in (alpha_dcg, alpha_ndcg, ap_ia, err_ia, nerr_ia, nnrbp, nrbp, p_ia, subtopic_recall)
}
