"""Many experiments as one evaluation or comparison, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]

SIZES = (10, 20, 50, 100, 300)
"""How many queries there are, in the columns of the tables."""
EXPERIMENTS, FEWER = 2_000, 1_000
"""How many experiments each cell has, and those of the last column: the error of a coverage of 95 % is 0.5, and 0.7."""
REPLICATES = 500
GRADED, SHARE, IN_RANGE = "dcg@1", "p@1", "ndcg@1"
"""A metric whose value is the relevance of the first document, one that is 0 or 1, and one between 0 and 1: the
relevance of the first document, where one that is not found has relevance 1."""

WEIGHTS: dict[str, Draw] = {
    "equal": lambda rng, size: np.ones(size),
    "a quarter of them 0": lambda rng, size: (np.arange(size[1]) % 4 < 3) * np.ones(size),
    "log-normal, sigma 1": lambda rng, size: rng.lognormal(0, 1, size),
    "log-normal, sigma 1.5": lambda rng, size: rng.lognormal(0, 1.5, size),
    "Pareto, alpha 1.5": lambda rng, size: 1 + rng.pareto(1.5, size),
    "one query has half of the weight": lambda rng, size: (
        np.where(np.arange(size[1]), 1.0, size[1] - 1.0) * np.ones(size)
    ),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What many experiments of one setting gave."""

    coverage: float
    """The share of the intervals that hold the truth."""
    withheld: float
    """The share of the experiments that have no interval."""
    errors: float | None = None
    """How often p is at most 0.05 without a difference; None where nothing is tested."""

    def __str__(self) -> str:
        shown = "withheld" if self.withheld > 0.95 else f"{100 * self.coverage:.1f}"
        return shown if self.errors is None else f"{shown} / {100 * self.errors:.1f}"


def number_of(queries: int) -> int:
    """How many experiments a cell has."""
    return FEWER if queries == SIZES[-1] else EXPERIMENTS


def table_of(runs: Mapping[str, Array], weights: Array, metric: str, clusters: Array | None = None) -> dict[str, Any]:
    """What `evaluate` and `compare` take: runs, judgments, and a table of queries with experiment, weight and cluster.

    Args:
        runs: the values of each system, by experiment and query; a run of no system is what is judged and not found.
        weights: of the queries; where all are 1 there is no weight.
        metric: whose value is that of the first document.
        clusters: the number of the cluster of each query of an experiment; None where queries are not related.
    """
    experiments, queries = weights.shape
    ids = [f"e{number:04}q{place:04}" for number in range(experiments) for place in range(queries)]
    documents = {system: pa.repeat(system, len(ids)) for system in runs}
    judged = [documents[system] for system in runs]
    relevance = np.concatenate([values.ravel() for values in runs.values()])
    columns = {"query_id": pa.array(ids)}
    experiment = np.repeat([f"e{number:04}" for number in range(experiments)], queries)
    more: dict[str, Any] = {"experiment": experiment, "weight": weights.ravel()}
    if clusters is not None:
        more["topic"] = [f"e{number:04}t{cluster:03}" for number in range(experiments) for cluster in clusters]
    asked = {
        "systems": {
            system: pa.table(columns | {"doc_id": documents[system], "score": pa.repeat(1.0, len(ids))})
            for system in runs
            if system
        },
        "qrels": pa.table(
            {"query_id": pa.array(ids * len(runs)), "doc_id": pa.concat_arrays(judged), "relevance": relevance}
        ),
        "queries": pa.table(columns | more),
        "metrics": metric,
        "by": "experiment",
        "checks": False,
    }
    asked |= {} if (weights == 1).all() else {"weight": "weight"}
    return asked | ({} if clusters is None else {"cluster": "topic"})


def column(found: dict[str, Any], name: str, null: float) -> Array:
    """A column of the rows of experiments."""
    return np.asarray(np.ma.filled(np.ma.asarray(found[name], float), null))


def outcome(found: dict[str, Any], truth: float) -> Trial:
    """Coverage and what is withheld, of the rows of experiments."""
    low, high = column(found, "ci_low", np.nan), column(found, "ci_high", np.nan)
    known = ~np.isnan(low)
    covered = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return Trial(float(covered[known].mean()) if known.any() else 0.0, float(1 - known.mean()))


def row(words: Sequence[str], cells: Sequence[object | None]) -> str:
    """A row of a table."""
    return f"| {' | '.join([*words, *('' if cell is None else str(cell) for cell in cells)])} |"


def head(words: Sequence[str], sizes: Sequence[int] = SIZES, of: str = "queries") -> list[str]:
    """The first two lines of a table."""
    columns = [*words, *(f"{size} {of}" for size in sizes)]
    return [f"| {' | '.join(columns)} |", f"|{' :-- |' * len(words)}{' --: |' * len(sizes)}"]
