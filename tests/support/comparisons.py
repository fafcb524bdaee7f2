"""Systems whose per-query values are as a test wants them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

import sqlrank

METRIC = "dcg@1"
"""Its value is the relevance of the first document, whatever that is."""


def sides(
    **values: Sequence[float | None],
) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, float]]]:
    """Runs by system, and judgments, with these values of `METRIC`, 0 or more; None: no results."""
    names = query_names(max(map(len, values.values())))
    runs = {
        system: {query: {system: 1.0} for query, value in zip(names, column, strict=True) if value is not None}
        for system, column in values.items()
    }
    qrels: dict[str, dict[str, float]] = {query: {"nothing": 0.0} for query in names}
    for system, column in values.items():
        for query, value in zip(names, column, strict=True):
            if value is not None:
                qrels[query][system] = value
    return runs, qrels


def query_names(number: int) -> list[str]:
    """The ids of the queries."""
    return [f"q{place:05}" for place in range(number)]


def compared(options: Mapping[str, Any] | None = None, **values: Sequence[float | None]) -> sqlrank.Comparison:
    """The comparison of systems with these values, the first the baseline."""
    runs, qrels = sides(**values)
    return sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **(options or {}))


def row(options: Mapping[str, Any] | None = None, **values: Sequence[float | None]) -> dict[str, Any]:
    """The only row of such a comparison."""
    with compared(options, **values) as comparison:
        return comparison[METRIC]


def experiments(values: Mapping[str, Sequence[Sequence[float]]], own: bool = False) -> tuple[dict[str, Any], Any]:
    """Runs by system, and judgments, with a segment `experiment`; the values are by experiment and query.

    Systems have the same queries, or with `own` each its own.
    """
    runs: dict[str, Any] = {}
    ids: list[str] = []
    documents: list[str] = []
    relevances: list[float] = []
    for system, of_experiments in values.items():
        flat = [
            (f"{system * own}e{number}q{place}", f"e{number}")
            for number, row in enumerate(of_experiments)
            for place in range(len(row))
        ]
        queries = [query for query, _ in flat]
        columns = {"query_id": queries, "doc_id": [system] * len(flat), "score": [1.0] * len(flat)}
        runs[system] = pa.table(columns | {"experiment": [experiment for _, experiment in flat]})
        ids += queries
        documents += [system] * len(flat)
        relevances += [float(value) for row in of_experiments for value in row]
    return runs, pa.table({"query_id": ids, "doc_id": documents, "relevance": relevances})


def drawn(queries: int, seed: int = 1, shift: float = 0.3) -> tuple[list[float], list[float]]:
    """Values of two systems that hang together, with some ties."""
    rng = random.Random(seed)
    first = [float(rng.randint(0, 6)) + rng.choice([0, 0.25]) for _ in range(queries)]
    second = [max(0.0, value + rng.choice([0, rng.gauss(shift, 1), rng.gauss(shift, 1)])) for value in first]
    return first, second


def differences(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """What the second has more than the first."""
    return [after - before for before, after in zip(first, second, strict=True)]


def md5_bits(text: str, half: str) -> int:
    """Sixty bits of an MD5, as the templates for DuckDB take them."""
    number = int.from_bytes(hashlib.md5(text.encode()).digest(), "little")
    return number >> 68 if half == "upper" else number & (1 << 60) - 1
