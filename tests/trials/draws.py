"""Trials of intervals by labels from clicks, which are drawn anew: by impressions of a document and by rankings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

import sqlrank
from sqlrank.statistics.student import NORMAL
from tests.trials.experiments import FEWER, Array, Trial, column, head, outcome, row

SIZES = (3, 10, 30, 100)
"""How many impressions each document has."""
QUERIES, DOCUMENTS, PLACES = 25, 8, 5
METRICS = ("dcg@5", "ndcg@5")
RANKINGS: dict[str, float | None] = {
    "random order": np.inf,
    "sorted by the labels": None,
    "sorted by the truth, noise of sd 0.6": 0.6,
    "sorted by the truth, noise of sd 0.2": 0.2,
}
"""How far a ranking is off the truth; None where it knows the labels alone."""
ALIKE = 0.6
"""The same of a baseline, and of a candidate that is no better."""
CANDIDATES = {"sorted by the truth, noise of sd 0.6 and 0.4": 0.4, "sorted by the truth, noise of sd 0.6 and 0.2": 0.2}
"""The same of candidates that are better."""
DIFFERENCE = "difference, `randomization`"
TRIED = [
    *(("mean", ranking, metric) for ranking in RANKINGS for metric in METRICS),
    *((DIFFERENCE, ranking, metric) for ranking in CANDIDATES for metric in METRICS),
]
ALL = 200_000
"""How many queries tell the true mean."""


def drawn(rng: np.random.Generator, queries: int, shown: int) -> tuple[Array, Array]:
    """The true label of each document of each query, evenly from 0 to 1, and its clicks."""
    true = rng.random((queries, DOCUMENTS))
    return true, rng.binomial(shown, true).astype(float)


def scores(rng: np.random.Generator, true: Array, clicks: Array, noise: float | None) -> Array:
    """The scores of a ranking so far off the truth."""
    if noise is None:
        return clicks + 0.5 * rng.random(true.shape)
    return rng.random(true.shape) if np.isinf(noise) else true + rng.normal(0, noise, true.shape)


@cache
def truth(metric: str, noise: float | None, shown: int) -> float:
    """The mean of a metric by true labels."""
    rng = np.random.default_rng(1)
    true, clicks = drawn(rng, ALL, shown)
    order = np.argsort(-scores(rng, true, clicks, noise), axis=1)
    discounts = 1 / np.log2(np.arange(2, PLACES + 2))
    found, ideal = (
        labels[:, :PLACES] @ discounts for labels in (np.take_along_axis(true, order, 1), -np.sort(-true, axis=1))
    )
    return float((found if metric == METRICS[0] else found / ideal).mean())


@cache
def trials(shown: int, experiments: int) -> dict[tuple[str, ...], Trial]:
    """What became of the experiments with so many impressions of a document, by the words of a row."""
    rng = np.random.default_rng(shown)
    true, clicks = drawn(rng, experiments * QUERIES, shown)
    ids = [f"e{number:04}q{place:02}" for number in range(experiments) for place in range(QUERIES)]
    judged = {"query_id": np.repeat(ids, DOCUMENTS), "doc_id": np.tile(np.arange(DOCUMENTS).astype(str), len(ids))}

    def run(noise: float | None) -> pa.Table:
        return pa.table(judged | {"score": scores(rng, true, clicks, noise).ravel()})

    rate = ((1 + clicks) / (2 + shown)).ravel()
    half = NORMAL * np.sqrt(rate * (1 - rate) / (3 + shown))
    asked: dict[str, Any] = {
        "qrels": pa.table(judged | {"relevance": rate, "low": rate - half, "high": rate + half}),
        "queries": pa.table({"query_id": ids, "experiment": [name[:5] for name in ids]}),
        "metrics": METRICS,
        "by": "experiment",
        "checks": False,
    }
    found: dict[tuple[str, ...], Trial] = {}
    with sqlrank.evaluate(systems={words: run(noise) for words, noise in RANKINGS.items()}, **asked) as result:
        for words, noise in RANKINGS.items():
            for metric in METRICS:
                rows = of_rows(result.rows, words, metric)
                found["mean", words, metric] = outcome(rows, truth(metric, noise, shown))
    systems = {"baseline": run(ALIKE), "alike": run(ALIKE)} | {words: run(noise) for words, noise in CANDIDATES.items()}
    with sqlrank.compare(systems=systems, correction="none", **asked) as comparison:
        for metric in METRICS:
            alike = of_rows(comparison.rows, "alike", metric)
            errors = float((column(alike, "p_value", 1.0) <= 0.05).mean())
            for words, noise in CANDIDATES.items():
                gained = truth(metric, noise, shown) - truth(metric, ALIKE, shown)
                better = outcome(of_rows(comparison.rows, words, metric), gained)
                found[DIFFERENCE, words, metric] = replace(better, errors=errors)
    return found


def of_rows(rows: Any, system: str, metric: str) -> dict[str, Any]:
    """The rows of the experiments of a system and a metric."""
    kept = rows.filter(f"not is_total and system = '{system}' and metric = '{metric}'")
    found: dict[str, Any] = kept.fetchnumpy()
    return found


def trial(words: tuple[str, ...], shown: int, experiments: int = FEWER) -> Trial:
    """What became of the experiments of one cell."""
    return trials(shown, experiments)[words]


def of_draws() -> Iterator[str]:
    """The table of labels from clicks."""
    yield from head(["of", "ranking", "metric"], SIZES, "impressions")
    for words in TRIED:
        yield row(words, [trial(words, shown) for shown in SIZES])
