"""Trials of systems of different queries: their intervals and tests, by how many queries both sides have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

import sqlrank
from tests.trials.experiments import GRADED, REPLICATES, SHARE, Array, Trial, column, head, outcome, row

SIZES = (20, 50, 200, 1_000)
"""How many queries of the baseline there are; the candidate has twice as many where sides differ in size.

Where the baseline has nine times as many, it is how many there are of the candidate.
"""
EXPERIMENTS = {20: 1_000, 50: 1_000, 200: 500, 1_000: 200}
SHIFT = 0.1
"""How much better the second candidate is."""
TIMES, MOST_OF_TIMES = 9, 200
"""How many times as many queries the baseline has of values that are mostly small, and up to how many of the other."""
MOST_QUERIES = 5
"""The most queries of a cluster."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What sides are like."""

    shared: float
    """The share of the queries of the baseline that the candidate has too."""
    twice: bool = False
    """Whether the candidate has twice as many queries, which vary half as much."""
    weighted: bool = False
    clustered: bool = False
    metric: str = GRADED
    mostly: str = ""
    """Where the baseline has `TIMES` as many queries: which values are mostly small."""

    def __str__(self) -> str:
        words = {0.0: "none", 0.5: "half", 0.9: "nine in ten"}[self.shared]
        kinds = ["twice as many, half the spread"] * self.twice + ["log-normal weights"] * self.weighted
        kinds += ["clusters of 1 to 5 queries"] * self.clustered + ["0 or 1"] * (self.metric == SHARE)
        kinds += [f"{self.mostly}, the baseline has {TIMES} times as many"] * bool(self.mostly)
        return f"{words} | {', '.join(kinds) or 'skewed, equal weights'}"


SETTINGS = [
    *(Setting(shared) for shared in (0.0, 0.5, 0.9)),
    Setting(0.0, twice=True),
    Setting(0.5, twice=True),
    *(Setting(shared, weighted=True) for shared in (0.0, 0.5)),
    *(Setting(shared, clustered=True) for shared in (0.0, 0.5)),
    *(Setting(shared, metric=SHARE) for shared in (0.0, 0.5)),
]
MOSTLY: dict[str, Callable[[np.random.Generator, tuple[int, int]], Array]] = {
    "nine in ten 0": lambda rng, size: np.where(rng.random(size) < 0.1, rng.random(size), 0.0),
    "Pareto, exponent 2.5": lambda rng, size: rng.pareto(2.5, size),
}
"""Values of which few are large."""
OF_SMALL_SIDES = [Setting(0.0, mostly=words) for words in MOSTLY]
TESTS = ("randomization", "t", "bootstrap")


def trial(test: str, setting: Setting, queries: int, experiments: int | None = None) -> Trial:
    """The errors where a candidate is no better, and the coverage where it is better by `SHIFT`."""
    number = experiments or EXPERIMENTS[queries]
    found = {}
    for shift in (0.0, SHIFT if setting.metric == GRADED and not setting.mostly else 0.0):
        asked = sides(np.random.default_rng(queries), (number, queries), setting, shift)
        settings: dict[str, Any] = {"test": test, "replicates": REPLICATES, "correction": "none", "checks": False}
        with sqlrank.compare(**asked, paired=False, **settings) as comparison:
            found[shift] = comparison.rows.filter("not is_total").fetchnumpy()
    shift, better = list(found.items())[-1]
    errors = float((column(found[0.0], "p_value", 1.0) <= 0.05).mean())
    return replace(outcome(better, shift), errors=errors)


def sides(rng: np.random.Generator, size: tuple[int, int], setting: Setting, shift: float) -> dict[str, Any]:
    """What `compare` takes: experiments as segments, in which sides share so many of their queries."""
    experiments, queries = size
    baseline, larger = queries * (TIMES if setting.mostly else 1), queries * (2 if setting.twice else 1)
    common = int(setting.shared * queries)
    every = baseline + larger - common
    unit = clusters(rng, (experiments, every)) if setting.clustered else np.tile(np.arange(every), (experiments, 1))
    level = np.take_along_axis(rng.gamma(2, 0.2, (experiments, every)), unit, axis=1)
    number = np.repeat(np.arange(experiments), every)
    name = np.array([f"e{one:04}q{place:04}" for one in range(experiments) for place in range(every)])
    columns: dict[str, Any] = {"query_id": name, "experiment": number.astype(str)}
    asked: dict[str, Any] = {"by": "experiment", "metrics": setting.metric}
    if setting.weighted:
        columns["weight"], asked["weight"] = rng.lognormal(0, 1, experiments * every), "weight"
    if setting.clustered:
        columns["user"] = [f"e{one}u{user}" for one, user in zip(number, unit.ravel(), strict=True)]
        asked["cluster"] = "user"
    runs, judged = {}, []
    for system, place in {"a": slice(0, baseline), "b": slice(baseline - common, every)}.items():
        spread, more = (0.5 if setting.twice else 1.0, shift) if system == "b" else (1.0, 0.0)
        made = MOSTLY[setting.mostly](rng, level.shape) if setting.mostly else None
        values = (values_of(rng, level, setting.metric, spread) if made is None else made)[:, place] + more
        ids = name.reshape(experiments, every)[:, place].ravel()
        rows = {"query_id": ids, "doc_id": pa.repeat(system, len(ids))}
        runs[system] = pa.table(rows | {"score": pa.repeat(1.0, len(ids))})
        judged.append(pa.table(rows | {"relevance": values.ravel()}))
    return asked | {"systems": runs, "qrels": pa.concat_tables(judged), "queries": pa.table(columns)}


def values_of(rng: np.random.Generator, level: Array, metric: str, spread: float) -> Array:
    """Values of a side around 1, or of 0 and 1, made of the level of a query and of what is its own there."""
    if metric == SHARE:
        return (rng.random(level.shape) < 0.3 + 0.4 * (level > 0.4)).astype(float)
    return 1 + spread * (level - 0.4 + rng.exponential(0.2, level.shape) - 0.2)


def clusters(rng: np.random.Generator, size: tuple[int, int]) -> Any:
    """The number of the cluster of each query, of 1 to `MOST_QUERIES` queries that stand beside each other."""
    sizes = rng.integers(1, MOST_QUERIES + 1, size)
    return np.array([np.repeat(np.arange(size[1]), each)[: size[1]] for each in sizes])


def row_of_arms(test: str, setting: Setting) -> str:
    """A row of the table of different queries."""
    most = MOST_OF_TIMES if setting.mostly else SIZES[-1]
    cells = [trial(test, setting, size) if size <= most else None for size in SIZES]
    return row([f"`{test}`", str(setting)], cells)


TRIED = [(test, setting) for test in TESTS for setting in (SETTINGS if test != "bootstrap" else SETTINGS[:5])]
TRIED += [(test, setting) for test in TESTS for setting in OF_SMALL_SIDES]


def of_arms() -> Iterator[str]:
    """The table of different queries."""
    yield from head(["`--test`", "queries of both", "values"], SIZES)
    for tried in TRIED:
        yield row_of_arms(*tried)
