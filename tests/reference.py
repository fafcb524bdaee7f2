"""Slow, readable definitions of every metric, to check the SQL against.

A metric sees one query: the relevances of its retrieved documents in rank order and the relevances of all its
judged documents. It returns None when it is empty for the query, that is when there is nothing to find.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

Ranking: TypeAlias = list[float | None]
Judged: TypeAlias = list[float]
Gain: TypeAlias = str | Mapping[float, float]

DISCOUNTS: dict[str, Callable[[int], float]] = {
    "log2": lambda rank: 1 / math.log2(rank + 1),
    "ln": lambda rank: 1 / math.log(rank + 1),
    "letor": lambda rank: 1.0 if rank <= 2 else 1 / math.log2(rank),
    "none": lambda rank: 1.0,
}


def is_relevant(value: float | None, rel: float) -> bool:
    """Tell whether a document is judged at least `rel`."""
    return value is not None and value >= rel


def count_relevant(values: Iterable[float | None], rel: float) -> int:
    """Count the documents judged at least `rel`."""
    return sum(is_relevant(value, rel) for value in values)


def gain_of(value: float | None, gain: Gain) -> float:
    """Gain of one relevance: linear, exp2 (2**rel - 1, Burges et al. 2005) or looked up in a table."""
    if value is None:
        return 0.0
    if not isinstance(gain, str):
        return gain.get(value, 0.0)
    if gain == "linear":
        return max(value, 0.0)
    if gain == "exp2":
        return float(2.0**value - 1) if value > 0 else 0.0
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


def f_measure(precision: float, recall: float, beta: float) -> float:
    """Weighted harmonic mean of precision and recall, beta being squared (van Rijsbergen 1979)."""
    if precision == 0 and recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def dcg(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    discount: str = "log2",
) -> float:
    """Sum of the discounted gains of the top k (Järvelin & Kekäläinen 2002)."""
    return discounted_sum((gain_of(value, gain) for value in ranking[:k]), discount)


def ideal_dcg(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    discount: str = "log2",
    ideal: str = "judged",
    top_gain: float | None = None,
) -> float:
    """DCG of the top k of an ideal ranking (Järvelin & Kekäläinen 2002).

    Args:
        ideal: "judged" orders all judged documents best, "retrieved" the whole retrieved list, "full" has k
            documents of `top_gain`.
        top_gain: largest gain in the whole judgment set, for ideal="full".
    """
    if ideal == "judged":
        gains = best_gains(judged, gain)
    elif ideal == "retrieved":
        gains = best_gains(ranking, gain)
    elif ideal == "full":
        if top_gain is None:
            raise ValueError("ideal='full' needs top_gain")
        gains = [top_gain] * required_cutoff(k)
    else:
        raise ValueError(f"unknown ideal: {ideal}")
    return discounted_sum(gains[:k], discount)


def ndcg(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    discount: str = "log2",
    ideal: str = "judged",
    top_gain: float | None = None,
) -> float | None:
    """DCG over ideal DCG, both at k (Järvelin & Kekäläinen 2002)."""
    best = ideal_dcg(ranking, judged, k, gain=gain, discount=discount, ideal=ideal, top_gain=top_gain)
    if not best_gains(judged, gain):
        return None
    return dcg(ranking, judged, k, gain=gain, discount=discount) / best if best > 0 else 0.0


def rndcg(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    discount: str = "log2",
) -> float | None:
    """Mean of nDCG at the last ideal place of each positive gain value (trec_eval's Rndcg).

    The nDCG of the whole list is one term more when the list is at least two longer than the ideal ranking.
    """
    refuse_cutoff(k)
    best = best_gains(judged, gain)
    if not best:
        return None
    places = [b for b in range(1, len(best) + 1) if b == len(best) or best[b] < best[b - 1]]
    if len(ranking) > len(best) + 1:
        places.append(len(ranking))
    terms = [dcg(ranking, judged, b, gain=gain, discount=discount) / discounted_sum(best[:b], discount) for b in places]
    return math.fsum(terms) / len(terms)


def ap(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    norm: str = "relevant",
) -> float | None:
    """Sum of the precisions at the hits in the top k, over the norm (Buckley & Voorhees 2000).

    Args:
        norm: "relevant" divides by all relevant documents R, "retrieved" by the hits in the top k, "min" by
            min(R, k).
    """
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    hits = 0
    precisions = []
    for place, value in enumerate(ranking[:k], start=1):
        if is_relevant(value, rel):
            hits += 1
            precisions.append(hits / place)
    divisor = {"relevant": total, "retrieved": hits, "min": total if k is None else min(total, k)}[norm]
    return math.fsum(precisions) / divisor if hits else 0.0


def p(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    norm: str = "k",
) -> float | None:
    """Share of relevant documents in the top k (Manning et al. 2008).

    Args:
        norm: "k" divides by k even when fewer are retrieved, "returned" by the number there is in the top k.
    """
    k = required_cutoff(k)
    if count_relevant(judged, rel) == 0:
        return None
    divisor = {"k": k, "returned": len(ranking[:k])}[norm]
    return count_relevant(ranking[:k], rel) / divisor if divisor else 0.0


def recall(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    norm: str = "relevant",
) -> float | None:
    """Share of the relevant documents found in the top k (Manning et al. 2008).

    Args:
        norm: "relevant" divides by all relevant documents R, "min" by min(R, k) (Thakur et al. 2021).
    """
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    divisor = {"relevant": total, "min": total if k is None else min(total, k)}[norm]
    return count_relevant(ranking[:k], rel) / divisor


def rr(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """One over the rank of the first relevant document, 0 when the top k has none (Voorhees 1999)."""
    if count_relevant(judged, rel) == 0:
        return None
    for place, value in enumerate(ranking[:k], start=1):
        if is_relevant(value, rel):
            return 1 / place
    return 0.0


def success(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """1 when the top k has a relevant document, else 0 (Craswell & Hawking 2004)."""
    if count_relevant(judged, rel) == 0:
        return None
    return 1.0 if count_relevant(ranking[:k], rel) else 0.0


def f(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    beta: float = 1.0,
) -> float | None:
    """F-beta of precision at k, over k, and recall at k (van Rijsbergen 1979)."""
    k = required_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    hits = count_relevant(ranking[:k], rel)
    return f_measure(hits / k, hits / total, beta)


def rprec(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Precision at R, R being the number of relevant documents (Buckley & Voorhees 2000)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    return count_relevant(ranking[:total], rel) / total


def set_p(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Share of relevant documents in the whole list (Manning et al. 2008)."""
    refuse_cutoff(k)
    if count_relevant(judged, rel) == 0:
        return None
    return count_relevant(ranking, rel) / len(ranking) if ranking else 0.0


def set_recall(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Share of the relevant documents in the whole list (Manning et al. 2008)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    return count_relevant(ranking, rel) / total


def set_f(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    beta: float = 1.0,
) -> float | None:
    """F-beta of the precision and recall of the whole list (van Rijsbergen 1979)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    hits = count_relevant(ranking, rel)
    return f_measure(hits / len(ranking), hits / total, beta) if ranking else 0.0


def bpref(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Mean over the relevant of one less the share of nonrelevant ranked above (Buckley & Voorhees 2004).

    Shares are of the judged nonrelevant, at most R of them, as in trec_eval; a negative judgment is none.
    """
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    nonrelevant = sum(0 <= value < rel for value in judged)
    above = 0
    terms = []
    for value in ranking:
        if is_relevant(value, rel):
            terms.append(1 - min(above, total) / min(nonrelevant, total) if above else 1.0)
        elif value is not None and value >= 0:
            above += 1
    return math.fsum(terms) / total


def required_hits(recall: float, total: int, rule: str) -> int:
    """Hits that reach a recall: "round" as trec_eval 10, half away from zero, "ceil" as trec_eval 9."""
    exact = recall * total
    if rule == "round":
        whole = math.floor(exact)
        return whole + 1 if exact - whole >= 0.5 else whole
    if rule == "ceil":
        return math.trunc(exact + 0.9)
    raise ValueError(f"unknown rule: {rule}")


def iprec(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    recall: float,
    rel: float = 1.0,
    rule: str = "round",
) -> float | None:
    """Best precision at or after the rank that reaches a recall (Manning et al. 2008)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    places = [place for place, value in enumerate(ranking, start=1) if is_relevant(value, rel)]
    precisions = [hits / place for hits, place in enumerate(places, start=1)]
    # Precision only peaks at hits, so recall 0 asks for the same places as the first hit.
    first = max(required_hits(recall, total, rule), 1)
    return max(precisions[first - 1 :], default=0.0)


def judged(ranking: Ranking, judged: Judged, k: int | None = None) -> float:
    """Share of documents with a judgment, of whatever relevance, in the top k there is (ir_measures)."""
    top = ranking[:k]
    return sum(value is not None for value in top) / len(top) if top else 0.0


def num_q(ranking: Ranking, judged: Judged, k: int | None = None) -> float:
    """1 for each query (trec_eval)."""
    refuse_cutoff(k)
    return 1.0


def num_ret(ranking: Ranking, judged: Judged, k: int | None = None) -> float:
    """Number of retrieved documents (trec_eval)."""
    refuse_cutoff(k)
    return float(len(ranking))


def num_rel(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float:
    """Number of relevant documents (trec_eval)."""
    refuse_cutoff(k)
    return float(count_relevant(judged, rel))


def num_rel_ret(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float:
    """Number of relevant documents retrieved (trec_eval)."""
    refuse_cutoff(k)
    return float(count_relevant(ranking, rel))


METRICS: dict[str, Callable[..., float | None]] = {
    "ap": ap,
    "bpref": bpref,
    "dcg": dcg,
    "f": f,
    "ideal_dcg": ideal_dcg,
    "iprec": iprec,
    "judged": judged,
    "ndcg": ndcg,
    "num_q": num_q,
    "num_rel": num_rel,
    "num_rel_ret": num_rel_ret,
    "num_ret": num_ret,
    "p": p,
    "recall": recall,
    "rndcg": rndcg,
    "rprec": rprec,
    "rr": rr,
    "set_f": set_f,
    "set_p": set_p,
    "set_recall": set_recall,
    "success": success,
}


def rank(
    scores: Mapping[str, float],
    judgments: Mapping[str, float],
    *,
    ties: str = "doc-desc",
    order: str = "desc",
    depth: int | None = None,
    unjudged: str = "nonrelevant",
) -> Ranking:
    """Order one query's documents by score and return their relevances.

    Args:
        ties: "doc-desc" and "doc-asc" order equal scores by the UTF-8 bytes of the id, "best" and "worst" by
            relevance (unjudged being 0) and then doc-desc, "input" as given.
        order: "desc" when a larger score is better, "asc" when a smaller one is.
        depth: number of documents to keep.
        unjudged: "nonrelevant" keeps unjudged documents, "remove" drops them after the cut at depth.
    """
    if ties not in {"doc-desc", "doc-asc", "best", "worst", "input"}:
        raise ValueError(f"unknown ties: {ties}")
    if order not in {"desc", "asc"}:
        raise ValueError(f"unknown order: {order}")
    if unjudged not in {"nonrelevant", "remove"}:
        raise ValueError(f"unknown unjudged: {unjudged}")
    docs = list(scores)
    # Sorts are stable, reversed ones too, so each sort breaks the ties of the next.
    if ties != "input":
        docs.sort(key=str.encode, reverse=ties != "doc-asc")
    if ties in {"best", "worst"}:
        docs.sort(key=lambda doc: judgments.get(doc, 0.0), reverse=ties == "best")
    docs.sort(key=lambda doc: scores[doc], reverse=order == "desc")
    ranking: Ranking = [judgments.get(doc) for doc in docs[:depth]]
    return ranking if unjudged == "nonrelevant" else [value for value in ranking if value is not None]


def evaluate(
    run: Mapping[str, Mapping[str, float]],
    qrels: Mapping[str, Mapping[str, float]],
    metric: str,
    k: int | None = None,
    *,
    query_set: str = "judged",
    empty: str = "zero",
    ties: str = "doc-desc",
    order: str = "desc",
    depth: int | None = None,
    unjudged: str = "nonrelevant",
    **parameters: Any,
) -> dict[str, float | None]:
    """Evaluate one metric for every query.

    Args:
        run: scores by query and document.
        qrels: relevances by query and document.
        query_set: "judged" takes the queries of the qrels, "run" those of the run, "shared" those of both.
        empty: value of a query with nothing to find: "zero", "one", or "skip" for None.
        parameters: parameters of the metric.
    """
    queries = {
        "judged": list(qrels),
        "run": list(run),
        "shared": [query for query in qrels if query in run],
    }[query_set]
    value_when_empty = {"zero": 0.0, "one": 1.0, "skip": None}[empty]
    if parameters.get("ideal") == "full":
        gain = parameters.get("gain", "linear")
        gains = [gain_of(value, gain) for judgments in qrels.values() for value in judgments.values()]
        parameters["top_gain"] = max(gains, default=0.0)
    values = {}
    for query in queries:
        judgments = qrels.get(query, {})
        ranking = rank(run.get(query, {}), judgments, ties=ties, order=order, depth=depth, unjudged=unjudged)
        value = METRICS[metric](ranking, list(judgments.values()), k, **parameters)
        values[query] = value_when_empty if value is None else value
    return values


def mean(values: Iterable[float | None]) -> float:
    """Mean of the values that are not None, NaN when there are none."""
    kept = [value for value in values if value is not None]
    return math.fsum(kept) / len(kept) if kept else math.nan
