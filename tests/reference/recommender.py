"""Slow, readable definitions of the metrics that look at what is shown, whether or not it is judged.

They see the documents of every query in rank order, of which the top k are shown, and by metric a catalogue, the rows
of what users did before (query and document) or the documents of another system. Those of a system have one value, the
others one for each query, which is 0 where nothing is shown. UNDEFINED: there is nothing to divide by.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TypeAlias

from tests.reference.shared import DISCOUNTS, UNDEFINED

Results: TypeAlias = Mapping[str, list[str]]
History: TypeAlias = Iterable[tuple[str, str]]
Values: TypeAlias = dict[str, float]


def mean_over_shown(results: Results, k: int, worth: Mapping[str, float], other: float | None) -> Values:
    """Mean worth of the documents shown, `other` being that of documents that have none; None leaves those out."""
    values = {}
    for query, docs in results.items():
        found = [worth.get(doc, other) for doc in docs[:k]]
        kept = [each for each in found if each is not None]
        values[query] = math.fsum(kept) / len(kept) if kept else UNDEFINED if found else 0.0
    return values


def times_shown(results: Results, k: int) -> Counter[str]:
    """How many queries each document is shown for."""
    return Counter(doc for docs in results.values() for doc in docs[:k])


def coverage(results: Results, k: int, catalogue: Iterable[str]) -> float:
    """Share of the catalogue that is shown for some query (Ge, Delgado-Battenfeld & Jannach 2010)."""
    known = set(catalogue)
    return len(known & set(times_shown(results, k))) / len(known) if known else UNDEFINED


def gini(results: Results, k: int, catalogue: Iterable[str] = (), *, over: str = "catalogue") -> float:
    """How unequally often documents are shown: 0 all as often, 1 one alone.

    Args:
        over: "catalogue" counts the documents of the catalogue, those never shown too (RecBole), "shown" those shown,
            with one less in the divisor (evidently).
    """
    counts = times_shown(results, k)
    if over == "catalogue":
        shown = sorted(counts[doc] for doc in set(catalogue))
        divisor = len(shown) * sum(shown)
    elif over == "shown":
        shown = sorted(counts.values())
        divisor = (len(shown) - 1) * sum(shown)
    else:
        raise ValueError(f"unknown over: {over}")
    terms = [(2 * place - len(shown) - 1) * count for place, count in enumerate(shown, start=1)]
    return sum(terms) / divisor if divisor > 0 else UNDEFINED


def exposure_gini(
    results: Results, k: int, catalogue: Iterable[str] = (), *, discount: str = "log2", over: str = "catalogue"
) -> float:
    """How unequally documents are seen, a place counting its discount: 0 all as much, 1 one alone.

    Args:
        over: "catalogue" counts the documents of the catalogue, those never shown too, "shown" those shown.
    """
    seen: Counter[str] = Counter()
    for docs in results.values():
        for rank, doc in enumerate(docs[:k], start=1):
            seen[doc] += DISCOUNTS[discount](rank)  # type: ignore[assignment]
    exposures = sorted(seen[doc] for doc in (set(catalogue) if over == "catalogue" else set(seen)))
    total = len(exposures) * math.fsum(exposures)
    terms = [(2 * place - len(exposures) - 1) * share for place, share in enumerate(exposures, start=1)]
    return math.fsum(terms) / total if total > 0 else UNDEFINED


def entropy(results: Results, k: int, *, log: str = "log2", norm: str = "none") -> float:
    """Entropy of the share that each document has of all that is shown (Shannon 1948).

    Args:
        norm: "shown" divides by the number of different documents shown (RecBole).
    """
    counts = times_shown(results, k)
    if not counts:
        return UNDEFINED
    logarithm = {"log2": math.log2, "ln": math.log}[log]
    shares = [count / counts.total() for count in counts.values()]
    divisor = {"none": 1, "shown": len(counts)}[norm]
    return math.fsum(-share * logarithm(share) for share in shares) / divisor


def personalization(results: Results, k: int) -> float:
    """One less the mean over pairs of queries with results of the documents in common, over k (evidently)."""
    shown = [set(docs[:k]) for docs in results.values() if docs]
    common = [len(one & other) / k for one, other in combinations(shown, 2)]
    return 1 - math.fsum(common) / len(common) if common else UNDEFINED


def popularity(results: Results, k: int, history: History, *, norm: str = "count", missing: str = "zero") -> Values:
    """Mean over the documents shown of their rows in the history (Yin et al. 2012).

    Args:
        norm: "count", or "share" of all rows.
        missing: a document that the history lacks counts 0 ("zero"), or is left out ("omit").
    """
    rows = Counter(doc for _, doc in history)
    divisor = {"count": 1, "share": rows.total()}[norm]
    other = {"zero": 0.0, "omit": None}[missing]
    return mean_over_shown(results, k, {doc: count / divisor for doc, count in rows.items()}, other)


def tail_share(results: Results, k: int, history: History, *, tail: float = 0.1) -> Values:
    """Share of the documents shown that are of the tail of the history (RecBole).

    Args:
        tail: above 1 the most rows that a document of the tail has, else the share of the documents that are the tail,
            at least one, the least popular first and then by their bytes.
    """
    rows = Counter(doc for _, doc in history)
    rarest = sorted(rows, key=lambda doc: (rows[doc], doc.encode()))
    share = rarest[: max(1, math.floor(tail * len(rows) + 1e-9))]
    rare = {doc for doc in rows if rows[doc] <= tail} if tail > 1 else set(share)
    return mean_over_shown(results, k, dict.fromkeys(rare, 1.0), 0.0)


def users_of(history: History) -> tuple[Counter[str], int]:
    """How many queries had each document, and how many there are."""
    pairs = set(history)
    return Counter(doc for _, doc in pairs), len({query for query, _ in pairs})


def novelty(results: Results, k: int, history: History, *, missing: str = "known") -> Values:
    """Mean over the documents shown of -log2 of the share of users that had them, at least one (Zhou et al. 2010).

    Args:
        missing: a document that the history lacks is known to one user ("known"), or left out ("omit").
    """
    users, total = users_of(history)
    worth = {doc: -math.log2(count / total) for doc, count in users.items()}
    return mean_over_shown(results, k, worth, {"known": -math.log2(1 / total), "omit": None}[missing])


def surprisal(results: Results, k: int, history: History, *, norm: str = "shown") -> Values:
    """Novelty over the largest that it can be, log2 of the number of users (Vargas & Castells 2011).

    Args:
        norm: "shown" has the mean over the documents shown, "k" their sum over k (RePlay).
    """
    rows = list(history)
    _, total = users_of(rows)
    if norm not in {"shown", "k"}:
        raise ValueError(f"unknown norm: {norm}")
    if total == 1:
        return dict.fromkeys(results, UNDEFINED)
    means = novelty(results, k, rows)
    share = {query: len(docs[:k]) / k if norm == "k" else 1.0 for query, docs in results.items()}
    return {query: means[query] * share[query] / math.log2(total) for query in results}


def unexpectedness(results: Results, k: int, baseline: Results) -> Values:
    """One less the documents in common with those another system shows, over k (RePlay).

    It is 0 where the other system shows nothing.
    """
    return {
        query: 1 - len(set(docs[:k]) & set(baseline[query][:k])) / k if docs and baseline.get(query) else 0.0
        for query, docs in results.items()
    }


def diversity(
    results: Results, k: int, items: Mapping[str, str], *, kind: str = "pairs", missing: str = "own"
) -> Values:
    """How much the categories of the documents shown differ.

    Args:
        missing: "own" has a document without category be of one of its own, "omit" leaves it out: UNDEFINED where no
            pair of two is left (RecTools).
        kind: "pairs" is the share of pairs of different category, 0 below two documents (RecTools), "distinct" the
            number of categories over k (RePlay).
    """
    values = {}
    for query, docs in results.items():
        kept = [doc for doc in docs[:k] if missing == "own" or doc in items]
        categories = [items.get(doc, (doc,)) for doc in kept]
        pairs = [one != other for one, other in combinations(categories, 2)]
        if kind == "pairs" and len(docs[:k]) < 2:
            values[query] = 0.0
        elif kind == "pairs":
            values[query] = sum(pairs) / len(pairs) if pairs else UNDEFINED
        elif kind == "distinct":
            values[query] = len(set(categories)) / k
        else:
            raise ValueError(f"unknown kind: {kind}")
    return values
