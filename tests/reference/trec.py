"""Slow, readable definitions of what only trec_eval has, besides its classics."""

import math
from fractions import Fraction

from tests.reference.shared import (
    Gain,
    Judged,
    Ranking,
    best_gains,
    count_relevant,
    discounted_sum,
    gain_of,
    is_nonrelevant,
    is_relevant,
    is_unjudged,
    refuse_cutoff,
    required_cutoff,
)

EPSILON = 0.00001
"""What trec_eval adds to the judged documents above, so that none of them still gives a share."""


def rndcg(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    discount: str = "log2",
    rel: float = 0.0,
) -> float | None:
    """Mean of nDCG at the last ideal place of each positive gain value (trec_eval's Rndcg).

    The nDCG of the whole list is one term more when the list is at least two longer than the ideal ranking. There is
    nothing to find where nothing is relevant at the level `rel` (-l of trec_eval).
    """
    refuse_cutoff(k)
    best = best_gains(judged, gain)
    if not best or not count_relevant(judged, rel):
        return None
    gains = [gain_of(value, gain) for value in ranking]
    places = [b for b in range(1, len(best) + 1) if b == len(best) or best[b] < best[b - 1]]
    if len(ranking) > len(best) + 1:
        places.append(len(ranking))
    return math.fsum(ndcg_at(gains, best, b, discount) for b in places) / len(places)


def ndcg_rel(
    ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear", discount: str = "log2"
) -> float | None:
    """Mean of the nDCG at each document with a positive gain (trec_eval's ndcg_rel).

    A document that was not returned counts with the DCG of the whole list over the whole ideal.
    """
    refuse_cutoff(k)
    best = best_gains(judged, gain)
    if not best:
        return None
    gains = [gain_of(value, gain) for value in ranking]
    terms = [ndcg_at(gains, best, place, discount) for place, g in enumerate(gains, start=1) if g > 0]
    whole = discounted_sum(gains, discount) / discounted_sum(best, discount)
    terms += [whole] * (len(best) - len(terms))
    return math.fsum(terms) / len(best)


def ndcg_at(gains: list[float], best: list[float], place: int, discount: str) -> float:
    """DCG of the first places over that of the best gains there."""
    return discounted_sum(gains[:place], discount) / discounted_sum(best[:place], discount)


def g(ranking: Ranking, judged: Judged, k: int | None = None, *, gain: Gain = "linear") -> float | None:
    """Gains that count less the further the list is behind the best one, over the sum of gains (trec_eval's G).

    How far: what the best list has cost up to this rank, each rank costing its gain and at least 1, without what
    this list has gained up to this rank.
    """
    refuse_cutoff(k)
    best = best_gains(judged, gain)
    if not best:
        return None
    terms = []
    cost = gained = 0.0
    for place, value in enumerate(ranking):
        cost += max(best[place], 1.0) if place < len(best) else 1.0
        gained += gain_of(value, gain)
        terms.append(gain_of(value, gain) / math.log2(2 + cost - gained))
    return math.fsum(terms) / math.fsum(best)


def bing(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """Sum over hits of 1 / log2(2 + documents above that are not relevant), over R (trec_eval's binG).

    Unjudged documents above count like those judged nonrelevant.
    """
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    above = 0
    terms = []
    for value in ranking:
        if is_relevant(value, rel):
            terms.append(1 / math.log2(2 + above))
        else:
            above += 1
    return math.fsum(terms) / total


def bpref(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    norm: str = "min",
    mean: str = "arithmetic",
) -> float | None:
    """Mean over the relevant of one less the share of nonrelevant ranked above (Buckley & Voorhees 2004).

    Args:
        norm: shares are of the judged nonrelevant, at most R of them ("min", trec_eval), of R ("relevant") or of R + 10
            ("relevant10"), and no more are counted; a negative judgment is none.
        mean: how queries become one value; that of a query is the same.
    """
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    nonrelevant = sum(is_nonrelevant(value, rel) for value in judged)
    most = total + 10 if norm == "relevant10" else total
    divisor = min(nonrelevant, total) if norm == "min" else most
    above = 0
    terms = []
    for value in ranking:
        if is_relevant(value, rel):
            terms.append(1 - min(above, most) / divisor if above else 1.0)
        elif is_nonrelevant(value, rel):
            above += 1
    return math.fsum(terms) / total


def infap(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float | None:
    """AP with the precision at each hit inferred from those judged above it (Yilmaz & Aslam 2006).

    A negative judgment marks a document of the pool that was not sampled for judging.
    """
    refuse_cutoff(k)
    total = count_relevant(judged, rel)
    if total == 0:
        return None
    relevant = nonrelevant = unsampled = 0
    terms = []
    for above, value in enumerate(ranking):
        if is_relevant(value, rel):
            terms.append(inferred_precision(above, relevant, nonrelevant, unsampled))
            relevant += 1
        elif is_nonrelevant(value, rel):
            nonrelevant += 1
        elif value is not None:
            unsampled += 1
    return math.fsum(terms) / total


def inferred_precision(above: int, relevant: int, nonrelevant: int, unsampled: int) -> float:
    """Expected precision at a hit, of the documents above it and those of them in each part of the pool."""
    if above == 0:
        return 1.0
    in_pool = (relevant + nonrelevant + unsampled) / above
    share = (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
    return 1 / (above + 1) + above / (above + 1) * in_pool * share


def required_hits(recall: float, total: int, rule: str) -> int:
    """Hits that reach a recall: "round" as trec_eval 10, half away from 0, "ceil" as trec_eval 9, or "exact"."""
    exact = recall * total
    if rule == "round":
        whole = math.floor(exact)
        return whole + 1 if exact - whole >= 0.5 else whole
    if rule == "ceil":
        return math.trunc(exact + 0.9)
    if rule == "exact":
        return math.ceil(Fraction(str(recall)) * total)
    raise ValueError(f"unknown rule: {rule}")


def iprec(
    ranking: Ranking, judged: Judged, k: int | None = None, *, recall: float, rel: float = 1.0, rule: str = "round"
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


def ap_11pt(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    rel: float = 1.0,
    rule: str = "round",
    recalls: str = "0/0.1/0.2/0.3/0.4/0.5/0.6/0.7/0.8/0.9/1",
) -> float | None:
    """Mean of the interpolated precision at some recalls: 0, 0.1, ... 1 (Manning et al. 2008)."""
    wanted = [float(recall) for recall in recalls.split("/")]
    values = [iprec(ranking, judged, k, recall=recall, rel=rel, rule=rule) for recall in wanted]
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(wanted) if known else None


def utility(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    tp: float = 1.0,
    fp: float = -1.0,
    fn: float = 0.0,
    tn: float = 0.0,
    documents: float = 0.0,
    rel: float = 1.0,
) -> float:
    """Worth of the hits, of the other documents returned, of the misses and of all others (Hull 1998).

    Args:
        documents: number of documents in the collection.
    """
    refuse_cutoff(k)
    if tn and not documents:
        raise ValueError("tn needs documents")
    hits, total = count_relevant(ranking, rel), count_relevant(judged, rel)
    others = documents - (len(ranking) + total - hits) if documents else 0
    return math.fsum([tp * hits, fp * (len(ranking) - hits), fn * (total - hits), tn * others])


def num_nonrel_judged_ret(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float:
    """Number of retrieved documents judged nonrelevant; a negative judgment is none (trec_eval)."""
    refuse_cutoff(k)
    return float(sum(is_nonrelevant(value, rel) for value in ranking))


def rbp(
    ranking: Ranking,
    judged: Judged,
    k: int | None = None,
    *,
    p: float = 0.9,
    grade: str = "scaled",
    rel: float = 1.0,
    gain: Gain = "linear",
) -> float:
    """Gain per document of a user who goes on with probability p (Moffat & Zobel 2008).

    Args:
        grade: "scaled" has gains over the largest one of the query, or over 1 if that is more, "raw" as they
            are, "binary" 1 for those of at least `rel`.
    """
    if grade not in {"scaled", "raw", "binary"}:
        raise ValueError(f"unknown grade: {grade}")
    largest = max([1.0, *(gain_of(value, gain) for value in judged)]) if grade == "scaled" else 1.0
    terms = []
    for place, value in enumerate(ranking[:k]):
        worth = float(is_relevant(value, rel)) if grade == "binary" else gain_of(value, gain) / largest
        terms.append((1 - p) * worth * p**place)
    return math.fsum(terms)


def rbp_resid(
    ranking: Ranking, judged: Judged, k: int | None = None, *, p: float = 0.9, complete: str = "tail"
) -> float:
    """What the unjudged documents and those below the list could add to RBP (Moffat & Zobel 2008).

    Args:
        complete: value of a list with every document judged: "tail", that of those below it, or "zero", as
            trec_eval has it.
    """
    refuse_cutoff(k)
    places = [place for place, value in enumerate(ranking) if is_unjudged(value)]
    if complete not in {"tail", "zero"}:
        raise ValueError(f"unknown complete: {complete}")
    if complete == "zero" and not places:
        return 0.0
    return math.fsum([p ** len(ranking), *((1 - p) * p**place for place in places)])


def unj(ranking: Ranking, judged: Judged, k: int | None = None) -> float:
    """Documents without a judgment in the top k, over k; a negative judgment is none (trec_eval 10)."""
    k = required_cutoff(k)
    return sum(is_unjudged(value) for value in ranking[:k]) / k


def yaap(ranking: Ranking, judged: Judged, k: int | None = None, *, rel: float = 1.0) -> float:
    """Logarithm of (1 + S) / (1 + R - S), S being the sum of the precisions at the hits (Robertson 2006)."""
    refuse_cutoff(k)
    hits = 0
    precisions = []
    for place, value in enumerate(ranking, start=1):
        if is_relevant(value, rel):
            hits += 1
            precisions.append(hits / place)
    found = math.fsum(precisions)
    return math.log((1 + found) / (1 + count_relevant(judged, rel) - found))


def relstring(ranking: Ranking, judged: Judged, k: int | None = None) -> str:
    """Relevances of the top k, 10 by default, a character each, as trec_eval prints them.

    `-` is for an unjudged document, `.` for a negative judgment and `>` for a relevance above 9.
    """
    return "'" + "".join(character(value) for value in ranking[: 10 if k is None else k]) + "'"


def character(value: float | None) -> str:
    """One relevance of a relstring."""
    if value is None:
        return "-"
    if value < 0:
        return "."
    return ">" if value >= 10 else str(int(value))
