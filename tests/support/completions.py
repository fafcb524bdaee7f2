"""Every way in which the documents that nobody judged could be judged, evaluated at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pyarrow as pa

import sqlrank

LEVELS = (0.0, 1.0, 2.0)
Rows = Mapping[str, Mapping[str, float]]


def every_completion(systems: Mapping[str, Rows], qrels: Rows) -> list[dict[str, dict[str, float]]]:
    """The judgments with each choice of a relevance for every document returned without one, of a judged query."""
    shown = {(query, doc) for run in systems.values() for query, docs in run.items() if query in qrels for doc in docs}
    lacking = sorted((query, doc) for query, doc in shown if doc not in qrels[query])
    found = []
    for levels in product(LEVELS, repeat=len(lacking)):
        more = {query: dict(judged) for query, judged in qrels.items()}
        for (query, doc), level in zip(lacking, levels, strict=True):
            more[query][doc] = level
        found.append(more)
    return found


def values_of(
    systems: Mapping[str, Rows], every: Sequence[Rows], metrics: Sequence[str], **options: Any
) -> dict[tuple[str, str], list[float]]:
    """The value of each system and metric under each of some judgments, in their order.

    They are segments of one evaluation, each with queries of its own.
    """
    named = [(f"{number:04}", qrels) for number, qrels in enumerate(every)]
    runs = {
        system: {f"{name} {query}": docs for name, _ in named for query, docs in run.items()}
        for system, run in systems.items()
    }
    judged = {f"{name} {query}": docs for name, qrels in named for query, docs in qrels.items()}
    queries = pa.table({"query_id": list(judged), "completion": [query.partition(" ")[0] for query in judged]})
    found: dict[tuple[str, str], list[float]] = {}
    with sqlrank.evaluate(
        systems=runs, qrels=judged, metrics=list(metrics), queries=queries, by="completion", checks=False, **options
    ) as result:
        for row in result.to_dicts():
            if not row["is_total"]:
                found.setdefault((row["system"], row["metric"]), []).append(row["value"])
    return found
