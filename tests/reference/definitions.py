"""Slow, readable definitions of every metric, to check the SQL against.

A metric sees one query: the relevances of its retrieved documents in rank order and the relevances of all its
judged documents. It returns None when it is empty for the query, that is when there is nothing to find, and
UNDEFINED when it says nothing of it, whatever an empty query counts. All are numbers but for relstring, a text.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.reference import cwl, elsewhere, ntcir, trec
from tests.reference.shared import (
    Gain,
    Judged,
    Ranking,
    best_gains,
    count_relevant,
    discounted_sum,
    gain_of,
    is_relevant,
    is_unjudged,
    refuse_cutoff,
    required_cutoff,
)
from tests.reference.shared import resolve as resolve


def f_measure(precision: float, recall: float, beta: float) -> float:
    """Weighted harmonic mean of precision and recall, beta being squared (van Rijsbergen 1979)."""
    if precision == 0 and recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def dcg(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", discount: str = "log2"
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
        ideal: "judged" orders all judged documents best, "uncut" too without a cut at k, "retrieved" the whole
            retrieved list, "full" has k documents of `top_gain`.
        top_gain: largest gain in the whole judgment set, for ideal="full".
    """
    if ideal in ("judged", "uncut"):
        gains = best_gains(judged, gain)
    elif ideal == "retrieved":
        gains = best_gains(ranking, gain)
    elif ideal == "full":
        if top_gain is None:
            raise ValueError("ideal='full' needs top_gain")
        gains = [top_gain] * required_cutoff(k)
    else:
        raise ValueError(f"unknown ideal: {ideal}")
    return discounted_sum(gains if ideal == "uncut" else gains[:k], discount)


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


def ap(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    norm: str = "relevant",
    mean: str = "arithmetic",
) -> float | None:
    """Sum of the precisions at the hits in the top k, over the norm (Buckley & Voorhees 2000).

    Args:
        norm: "relevant" divides by all relevant documents R, "retrieved" by the hits in the top k, "min" by
            min(R, k), "returned" by the smallest of R, k and the documents returned, "k" by k.
        mean: how queries become one value; that of a query is the same.
    """
    total = count_relevant(judged, rel)
    if norm == "k":
        k = required_cutoff(k)
    if total == 0:
        return None
    hits = 0
    precisions = []
    for place, value in enumerate(ranking[:k], start=1):
        if is_relevant(value, rel):
            hits += 1
            precisions.append(hits / place)
    smaller = total if k is None else min(total, k)
    returned = min(smaller, len(ranking))
    divisor = {"relevant": total, "retrieved": hits, "min": smaller, "returned": returned, "k": k or 0}[norm]
    return math.fsum(precisions) / divisor if hits else 0.0


def p(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, norm: str = "k") -> float | None:
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
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, norm: str = "relevant"
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


def set_success(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """1 if anything returned is relevant, else 0."""
    refuse_cutoff(k)
    return success(ranking, judged, max(len(ranking), 1), rel=rel)


def success(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """1 when the top k has a relevant document, else 0 (Craswell & Hawking 2004)."""
    if count_relevant(judged, rel) == 0:
        return None
    return 1.0 if count_relevant(ranking[:k], rel) else 0.0


def f(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, beta: float = 1.0) -> float | None:
    """F-beta of precision at k, over k, and recall at k (van Rijsbergen 1979)."""
    k = required_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    hits = count_relevant(ranking[:k], rel)
    return f_measure(hits / k, hits / total, beta)


def rprec(
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, mult: float = 1.0
) -> float | None:
    """Precision at R times `mult`, R being the number of relevant documents (Buckley & Voorhees 2000).

    The rank is the product plus 0.9 without its fraction, as in trec_eval; at rank 0 the precision is 0.
    """
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    cut = math.floor(mult * total + 0.9)
    return count_relevant(ranking[:cut], rel) / cut if cut else 0.0


def set_p(
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, norm: str = "returned"
) -> float | None:
    """Share of relevant documents in the whole list (Manning et al. 2008).

    Args:
        norm: "returned" divides by the length of the list, "min" by R when that is smaller.
    """
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    divisor = {"returned": len(ranking), "min": min(len(ranking), total)}[norm]
    return count_relevant(ranking, rel) / divisor if divisor else 0.0


def set_ap(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Precision of the whole list times its recall (trec_eval's set_map)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    hits = count_relevant(ranking, rel)
    return hits**2 / (len(ranking) * total) if ranking else 0.0


def set_recall(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Share of the relevant documents in the whole list (Manning et al. 2008)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    return count_relevant(ranking, rel) / total


def set_f(
    ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0, beta: float = 1.0
) -> float | None:
    """F-beta of the precision and recall of the whole list (van Rijsbergen 1979)."""
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    hits = count_relevant(ranking, rel)
    return f_measure(hits / len(ranking), hits / total, beta) if ranking else 0.0


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


def hits(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float:
    """Number of relevant documents in the top k (ranx)."""
    return float(count_relevant(ranking[:k], rel))


METRICS: dict[str, Callable[..., Any]] = {
    metric.__name__: metric for metric in (
        ap, dcg, f, hits, ideal_dcg, judged, ndcg, num_q, num_rel, num_rel_ret, num_ret, p, recall, rprec, rr, set_ap,
        set_f, set_p, set_recall, set_success, success,
        cwl.accuracy, cwl.bpm, cwl.compat, cwl.err, cwl.nerr, cwl.insq, cwl.inst, cwl.nerr8, cwl.nerr9, cwl.nerr10,
        cwl.nerr11, cwl.sdcg,
        trec.ap_11pt, trec.bing, trec.bpref, trec.g, trec.infap, trec.iprec, trec.ndcg_rel,
        trec.num_nonrel_judged_ret, trec.rbp, trec.rbp_resid, trec.relstring, trec.rndcg, trec.unj, trec.utility,
        trec.yaap,
        ntcir.ncu, ntcir.o_measure, ntcir.p_measure, ntcir.p_plus, ntcir.q_measure,
        elsewhere.ar, elsewhere.arp, elsewhere.hole, elsewhere.pfound, elsewhere.rr_all,
    )
}  # fmt: skip
OF_TOP = {"bpm", "err", "nerr", "insq", "inst", "nerr8", "nerr9", "nerr10", "nerr11", "pfound", "sdcg"}
"""Metrics that compare with the largest relevance of all judgments, unless a number is given for it."""


def with_largest(metric: str, parameters: Mapping[str, Any], relevances: Iterable[float]) -> dict[str, Any]:
    """The parameters, and the largest gain or relevance of all judgments where the metric depends on it."""
    if parameters.get("ideal") == "full":
        gain = parameters.get("gain", "linear")
        return {**parameters, "top_gain": max((gain_of(value, gain) for value in relevances), default=0.0)}
    if metric in OF_TOP:
        return {**parameters, "top": max(relevances, default=0.0)}
    return dict(parameters)


def rank(scores: Mapping[str, float], judgments: Mapping[str, float], **conventions: Any) -> Ranking:
    """Order one query's documents by score and return their relevances; see `ranked_docs`."""
    return [judgments.get(doc) for doc in ranked_docs(scores, judgments, **conventions)]


def ranked_docs(
    scores: Mapping[str, float],
    judgments: Mapping[str, float],
    *,
    ties: str = "doc-desc",
    order: str = "desc",
    depth: int | None = None,
    unjudged: str = "nonrelevant",
) -> list[str]:
    """Order one query's documents by score.

    Args:
        scores: the score of each document.
        judgments: the relevance of each judged document.
        ties: "doc-desc" and "doc-asc" order equal scores by the UTF-8 bytes of the id, "best" and "worst" by
            relevance (unjudged being 0) and then doc-desc, "input" as given.
        order: "desc" when a larger score is better, "asc" when a smaller one is.
        depth: number of documents to keep.
        unjudged: "nonrelevant" keeps unjudged documents, "remove" drops them, and those with a negative judgment,
            after the cut at depth.
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
    docs = docs[:depth]
    return docs if unjudged == "nonrelevant" else [doc for doc in docs if not is_unjudged(judgments.get(doc))]


def mean(values: Iterable[float | None]) -> float:
    """Mean of the values that are not None, NaN when there are none."""
    kept = [value for value in values if value is not None]
    return math.fsum(kept) / len(kept) if kept else math.nan
