"""Trials of pools: how many judgments it takes until two systems are told apart as by all of them.

Simulated rankings of two systems whose relevance is known. All pairs of a pool are judged, in the order of the pool and
in two others; after each judgment it is seen which system is better, and whether the bounds decide it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sqlrank
from tests.judging.pooling.simulated import GRADES, LENGTH, SETTINGS, Data, Setting, simulated, tables

EXPERIMENTS = 400
BUDGETS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
"""The shares of the pairs after which it is looked who is better."""
ORDERS = ("pool", "depth", "random")
METRICS = (("p@10", 10), ("dcg@10", 10), ("ndcg@10", 10), ("ap", LENGTH))
"""The metrics, and how deep their pools are."""

Pair = tuple[str, int]


def experiment_of(query: str) -> int:
    """The experiment that a query belongs to."""
    return int(query[1:].partition("q")[0])


@cache
def pooled(setting: Setting, metric: str, depth: int, experiments: int) -> dict[int, list[tuple[Pair, int]]]:
    """The pairs of each experiment in the order of the pool, each with its best rank."""
    with sqlrank.pool(systems=tables(simulated(setting, experiments)), metric=metric, depth=depth) as pool:
        rows = pool.to_dicts()
    found: dict[int, list[tuple[Pair, int]]] = {number: [] for number in range(experiments)}
    for row in rows:
        pair = row["query_id"], int(row["doc_id"][1:])
        found[experiment_of(row["query_id"])].append((pair, row["best_rank"]))
    return found


def shuffled(pair: Pair, order: str) -> str:
    """What puts pairs in an order of chance."""
    return hashlib.md5(f"{order} {pair}".encode(), usedforsecurity=False).hexdigest()


def in_order(pairs: Iterable[tuple[Pair, int]], order: str) -> list[Pair]:
    """The pairs of an experiment as they are judged: by the pool, by depth (the first of every ranking, then the
    second ...), or by chance."""
    if order == "depth":
        pairs = sorted(pairs, key=lambda each: (each[1], shuffled(each[0], order)))
    elif order == "random":
        pairs = sorted(pairs, key=lambda each: shuffled(each[0], order))
    return [pair for pair, _ in pairs]


@dataclass
class Judged:
    """What is judged of one query: the gains of relevant documents, and those at the places of each system."""

    gains: list[float] = field(default_factory=list)
    found: dict[str, list[tuple[int, float]]] = field(default_factory=lambda: {"a": [], "b": []})


def discounted(gains: Iterable[tuple[int, float]]) -> float:
    """The discounted gain of the first ten places, from 0."""
    return sum(gain / math.log2(place + 2) for place, gain in gains if place < 10)


def precisions(places: Iterable[int]) -> float:
    """The sum of the precisions at these places, from 0."""
    return sum(number / (place + 1) for number, place in enumerate(sorted(places), 1))


VALUES: dict[str, Callable[[Judged, str], float]] = {
    "p@10": lambda judged, system: sum(place < 10 for place, _ in judged.found[system]) / 10,
    "dcg@10": lambda judged, system: discounted(judged.found[system]),
    "ndcg@10": lambda judged, system: (
        discounted(judged.found[system]) / discounted(enumerate(sorted(judged.gains, reverse=True)))
    ),
    "ap": lambda judged, system: precisions(place for place, _ in judged.found[system]) / len(judged.gains),
}
"""The value of a query, of which something relevant is judged."""


def differences(data: Data, metric: str, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """The sum over the queries of a less b, after each judgment."""
    judged: dict[str, Judged] = {}
    values: dict[str, float] = {}
    total, found = 0.0, np.empty(len(pairs))
    for number, (query, doc) in enumerate(pairs):
        gain = float(data.relevance[query][doc])
        if gain > 0:
            known = judged.setdefault(query, Judged())
            known.gains.append(gain)
            for system, docs in known.found.items():
                if (place := data.places[system][query].get(doc)) is not None:
                    docs.append((place, gain))
            value = VALUES[metric](known, "a") - VALUES[metric](known, "b")
            total += value - values.get(query, 0.0)
            values[query] = value
        found[number] = total
    return found


WORTH: dict[str, tuple[Callable[[float], float], Callable[[int], float]]] = {
    "p@10": (lambda gain: float(gain > 0), lambda place: 0.1 if place < 10 else 0.0),
    "dcg@10": (lambda gain: gain, lambda place: discounted([(place, 1.0)])),
}
"""What a document is worth by its gain, and by its place, of the metrics that have bounds."""


def ends(data: Data, metric: str, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """The least and the largest sum over the queries of a less b, before the first judgment and after each."""
    worth, weight = WORTH[metric]
    found = np.zeros((len(pairs) + 1, 2))
    for number, (query, doc) in enumerate(pairs, 1):
        places = [data.places[system][query].get(doc, LENGTH) for system in ("a", "b")]
        apart = weight(places[0]) - weight(places[1])
        open_ends = worth(GRADES[-1]) * np.array([min(apart, 0.0), max(apart, 0.0)])
        found[0] += open_ends
        found[number] = worth(float(data.relevance[query][doc])) * apart - open_ends
    return np.cumsum(found, axis=0)


def decided(values: NDArray[np.float64]) -> float | None:
    """The share of the judgments after which the bounds have one sign; None where the systems are even."""
    signed = np.flatnonzero((values[:, 0] > 1e-9) | (values[:, 1] < -1e-9))
    return float(signed[0] / (len(values) - 1)) if len(signed) else None


def settled(values: NDArray[np.float64]) -> float | None:
    """The share of the judgments after which the sign is, and stays, that of all of them; None where they are even."""
    signs = np.sign(np.where(np.abs(values) < 1e-9, 0, values))
    if signs[-1] == 0:
        return None
    wrong = np.flatnonzero(signs != signs[-1])
    return float((wrong[-1] + 2 if len(wrong) else 1) / len(signs))


class Outcome(NamedTuple):
    """How one order of judging does."""

    order: str
    pairs: float
    """The pairs of an experiment."""
    right: list[float]
    """The share of experiments with the right answer for good after each of `BUDGETS`."""
    mean: float
    """The share of the pairs that it takes, on average."""
    median: float
    bounds: tuple[float, float] | None
    """The median and the mean share of the pairs after which the bounds decide; None where the metric has none."""


def outcomes(setting: Setting, metric: str, depth: int, experiments: int = EXPERIMENTS) -> dict[str, Outcome]:
    """How each order does."""
    data, pairs = simulated(setting, experiments), pooled(setting, metric, depth, experiments)
    found = {}
    for order in ORDERS:
        judged = [in_order(known, order) for known in pairs.values()]
        shares = known_of(settled(differences(data, metric, each)) for each in judged)
        right = [float(np.mean(shares <= budget)) for budget in BUDGETS]
        size = float(np.mean([len(known) for known in pairs.values()]))
        sure = known_of(decided(ends(data, metric, each)) for each in judged) if metric in WORTH else None
        bounds = None if sure is None else (float(np.median(sure)), float(np.mean(sure)))
        found[order] = Outcome(order, size, right, float(np.mean(shares)), float(np.median(shares)), bounds)
    return found


def known_of(shares: Iterable[float | None]) -> NDArray[np.float64]:
    """The shares of the experiments in which the systems are not even."""
    return np.array([share for share in shares if share is not None])


def rows() -> list[str]:
    """The table of docs/explanation/pooling.md."""
    names = {"pool": "`sqlrank pool`", "depth": "depth by depth", "random": "random"}
    heads = [f"{budget:.0%}".replace("%", " %") for budget in BUDGETS]
    heads += ["in hindsight, median", "mean", "by bounds, median", "mean"]
    lines = [f"| systems | metric | pairs | order | {' | '.join(heads)} |"]
    lines.append("| :-- | :-- | --: | :-- |" + " --: |" * len(heads))
    for setting in SETTINGS:
        for metric, depth in METRICS:
            for order, found in outcomes(setting, metric, depth).items():
                first = [setting.words, metric, f"{found.pairs:.0f}"] if order == "pool" else ["", "", ""]
                right = [f"{100 * share:.0f}" for share in found.right]
                needed = [f"{100 * share:.1f}" for share in (found.median, found.mean, *(found.bounds or ()))]
                cells = [*first, names[order], *right, *needed, *([] if found.bounds else ["none", "none"])]
                lines.append(f"| {' | '.join(cells)} |")
    return lines
