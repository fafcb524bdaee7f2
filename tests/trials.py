"""Trials of intervals and tests: how often an interval covers the truth, and how often a test finds what is not there.

Each experiment is a segment of one evaluation or comparison, so that what is tried is the product itself. Run as a
module to write the tables of the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import sqlrank
from tests.pages.parts import write_parts
from tests.support.trials_gsb import SETTINGS, check, trials

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]

QUERIES = (3, 10, 30, 100, 300)
MOST = 60_000
"""How many queries the experiments of one setting have together, where these are more than `FEWEST`."""
FEWEST, EXPERIMENTS = 1_000, 2_000
REPLICATES = 500
GRADED, SHARE = "dcg@1", "p@1"
"""A metric whose value is the relevance of the first document, and one that is 0 or 1."""

WEIGHTS: dict[str, Draw] = {
    "equal": lambda rng, size: np.ones(size),
    "a quarter of them 0": lambda rng, size: (np.arange(size[1]) % 4 < 3) * np.ones(size),
    "log-normal, sigma 1": lambda rng, size: rng.lognormal(0, 1, size),
    "log-normal, sigma 1.5": lambda rng, size: rng.lognormal(0, 1.5, size),
    "Pareto, alpha 1.5": lambda rng, size: 1 + rng.pareto(1.5, size),
}


@dataclass(frozen=True, slots=True)
class Values:
    """What a metric gives."""

    words: str
    draw: Draw
    mean: float
    metric: str = GRADED
    weights: tuple[str, ...] = tuple(WEIGHTS)
    fewest: int = 3
    """From how many queries on it is tried."""


def of_0_and_1(share: float) -> Draw:
    """Values that are 1 so often."""
    return lambda rng, size: (rng.random(size) < share).astype(float)


LIMIT = Values("mostly near 0: beta(0.2, 1.8)", lambda rng, size: rng.beta(0.2, 1.8, size), 0.1)
"""What no interval holds for with few queries or under weights: the table of it is there to say so."""
MEANS = (
    Values("even, as ndcg: beta(2, 2)", lambda rng, size: rng.beta(2, 2, size), 0.5),
    Values("skewed, as ap: beta(1, 3)", lambda rng, size: rng.beta(1, 3, size), 0.25),
    Values("skewed, without bound, as dcg: gamma(3)", lambda rng, size: rng.gamma(3, 1, size), 3.0),
    replace(LIMIT, weights=("equal",), fewest=10),
    Values("0 or 1, 0.65 of them 1", of_0_and_1(0.65), 0.65, SHARE),
    Values("0 or 1, 0.9 of them 1", of_0_and_1(0.9), 0.9, SHARE),
)


def skewed(rng: np.random.Generator, size: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Values that hang together, of which a third are the same on both sides; the last are larger by `SHIFT`."""
    common, tied = rng.gamma(2, 1, size) + 1, rng.random(size) < 1 / 3
    first, second, third = (common + np.where(tied, 0, rng.exponential(1, size)) for _ in range(3))
    return first, second, third + np.where(tied, 0, 1.5 * SHIFT)


def binary(rng: np.random.Generator, size: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Values of 0 and 1 that are the same for half of the queries; the last are larger by `SHIFT`."""
    first, again = rng.random(size) < 0.5, rng.random(size) < 0.5
    second, third = (np.where(again, first, rng.random(size) < 0.5 + more) for more in (0, 2 * SHIFT))
    return first.astype(float), second.astype(float), third.astype(float)


SHIFT = 0.2
"""The true difference where there is one."""
DIFFERENCES: dict[str, tuple[Callable[..., tuple[Array, Array, Array]], str]] = {
    "skewed, a third tied": (skewed, GRADED),
    "0 or 1, half of them the same": (binary, SHARE),
}


IN_RANGE = "ndcg@1"
"""A metric between 0 and 1: the relevance of the first document, where one that is not found has relevance 1."""
SIZES = (20, 50, 100, 300)
"""Numbers of queries of which most tie."""
TIED = (0.5, 0.75, 0.9, 0.97)
"""The shares of queries that tie."""
LOSING = {"all that differ lose": 1.0, "seven of ten that differ lose": 0.7}
"""How many of the queries that differ lose, each beta(1, 3)."""


def mostly_tied(rng: np.random.Generator, size: tuple[int, int], tied: float, losing: float) -> tuple[Array, Array]:
    """Values between 0 and 1 of two systems, and those of the second."""
    moved = np.where(rng.random(size) < losing, -1, 1) * rng.beta(1, 3, size) * (rng.random(size) >= tied)
    first = np.maximum(-moved, 0) + (1 - abs(moved)) * rng.random(size)
    return first, first + moved


@dataclass(frozen=True, slots=True)
class Trial:
    """What many experiments of one setting gave."""

    coverage: float
    """The share of the intervals that hold the truth."""
    effective: float
    """The number of queries of equal weight that the weights come down to, on average."""
    withheld: float
    """The share of the experiments that have no interval."""
    experiments: int
    """How many experiments there were."""
    errors: float | None = None
    """How often p is at most 0.05 without a difference; None where nothing is tested."""

    @property
    def holds(self) -> bool:
        """Whether the numbers say no more than the data do, up to two standard errors of the simulation."""
        least, most = (0.93, 0.98) if self.effective >= 20 else (0.9, 1.0)
        error = 2 * (0.05 * 0.95 / self.experiments) ** 0.5
        covers = self.withheld > 0.95 or least - error <= self.coverage <= most + error
        return covers and (self.errors or 0.0) <= 0.06

    def __str__(self) -> str:
        shown = "withheld" if self.withheld > 0.95 else f"{100 * self.coverage:.1f}"
        return shown if self.errors is None else f"{shown} / {100 * self.errors:.1f}"


def number_of(queries: int, times: int = 1) -> int:
    """How many experiments a setting has."""
    return times * max(FEWEST, min(EXPERIMENTS, MOST // queries))


def table_of(runs: dict[str, Array], weights: Array, metric: str) -> dict[str, Any]:
    """What `evaluate` and `compare` take: runs, judgments, and a table of queries with experiment and weight.

    A run of no system is what is judged and not found.
    """
    experiments, queries = weights.shape
    ids = [f"e{number:04}q{place:03}" for number in range(experiments) for place in range(queries)]
    documents = {system: pa.repeat(system, len(ids)) for system in runs}
    judged = [documents[system] for system in runs]
    relevance = np.concatenate([values.ravel() for values in runs.values()])
    columns = {"query_id": pa.array(ids)}
    experiment = np.repeat([f"e{number:04}" for number in range(experiments)], queries)
    return {
        "systems": {
            system: pa.table(columns | {"doc_id": documents[system], "score": pa.repeat(1.0, len(ids))})
            for system in runs
            if system
        },
        "qrels": pa.table(
            {"query_id": pa.array(ids * len(runs)), "doc_id": pa.concat_arrays(judged), "relevance": relevance}
        ),
        "queries": pa.table(columns | {"experiment": experiment, "weight": weights.ravel()}),
        "metrics": metric,
        "by": "experiment",
        "weight": "weight",
        "checks": False,
    }


def mean_trial(values: Values, weights: str, queries: int, experiments: int | None = None) -> Trial:
    """The interval of a mean."""
    rng = np.random.default_rng(queries)
    size = (experiments or number_of(queries, 3), queries)
    weight = WEIGHTS[weights](rng, size)
    asked = table_of({"run": values.draw(rng, size)}, weight, values.metric)
    with sqlrank.evaluate(**asked) as result:
        found = result.rows.filter("not is_total").fetchnumpy()
    return outcome(found, values.mean, weight)


def column(found: dict[str, Any], name: str, null: float) -> Array:
    """A column of the rows of experiments."""
    return np.asarray(np.ma.filled(np.ma.asarray(found[name], float), null))


def outcome(found: dict[str, Any], truth: float, weight: Array) -> Trial:
    """Coverage and what is withheld, of the rows of experiments."""
    low, high = column(found, "ci_low", np.nan), column(found, "ci_high", np.nan)
    known = ~np.isnan(low)
    covered = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    effective = float((weight.sum(axis=1) ** 2 / (weight**2).sum(axis=1)).mean())
    return Trial(float(covered[known].mean()) if known.any() else 0.0, effective, float(1 - known.mean()), len(known))


def difference_trial(test: str, data: str, weights: str, queries: int, experiments: int | None = None) -> Trial:
    """A test where there is no difference, and the interval that is shown with it where there is one of `SHIFT`."""
    rng = np.random.default_rng(queries)
    size, (draw, metric) = (experiments or number_of(queries), queries), DIFFERENCES[data]
    values = draw(rng, size)
    weight = WEIGHTS[weights](rng, size)
    asked = table_of(dict(zip(("a", "same", "better"), values, strict=True)), weight, metric)
    if weights == "equal":
        del asked["weight"]
    with sqlrank.compare(**asked, test=test, replicates=REPLICATES, correction="none") as comparison:
        rows = comparison.rows.filter("not is_total")
        same, better = (rows.filter(f"system = '{system}'").fetchnumpy() for system in ("same", "better"))
    p_values = column(same, "p_value", 1.0)
    unlike, alike = outcome(better, SHIFT, weight), outcome(same, 0.0, weight)
    coverage = min(unlike.coverage, alike.coverage)
    return Trial(coverage, unlike.effective, unlike.withheld, unlike.experiments, float((p_values <= 0.05).mean()))


def tied_trial(test: str, words: str, tied: float, queries: int, experiments: int | None = None) -> Trial:
    """The interval of a loss of queries of which most tie, and how often a margin of that loss is called not lost."""
    rng = np.random.default_rng(queries)
    size, losing = (experiments or number_of(queries), queries), LOSING[words]
    truth = (1 - tied) * (1 - 2 * losing) * 0.25
    values = dict(zip(("a", "b"), mostly_tied(rng, size, tied, losing), strict=True)) | {"": np.ones(size)}
    asked = table_of(values, np.ones(size), IN_RANGE)
    del asked["weight"]
    questions: dict[str, Any] = {"replicates": REPLICATES, "correction": "none", "margins": {IN_RANGE: -truth}}
    with sqlrank.compare(**asked, test=test, **questions) as comparison:
        found = comparison.rows.filter("not is_total").fetchnumpy()
    errors = float((column(found, "p_not_worse", 1.0) <= 0.05).mean())
    return replace(outcome(found, truth, np.ones(size)), errors=errors)


def row_of_ties(test: str, words: str, tied: float, most: int = 300) -> str:
    """A row of the table of queries that mostly tie, up to so many queries."""
    trials = [tied_trial(test, words, tied, queries) if queries <= most else None for queries in SIZES]
    return row([f"`{test}`", words, f"{100 * tied:g} %"], trials)


def rows_of_ties() -> list[str]:
    """The rows of the table of queries that mostly tie."""
    tests = ("randomization", "t", "bootstrap")
    return [row_of_ties(test, words, tied) for test in tests for words in LOSING for tied in TIED]


TESTS_TRIED = [
    (test, data, weights)
    for test, tried in (
        *((test, tuple(WEIGHTS)) for test in ("randomization", "t", "bootstrap")),
        *((test, ("equal",)) for test in ("wilcoxon", "sign")),
    )
    for data in DIFFERENCES
    for weights in tried
    if weights != "log-normal, sigma 1.5"
]


def trials_of_means(values: Values, weights: str, most: int = 300) -> list[Trial | None]:
    """The cells of a row of the table of means, up to so many queries."""
    return [mean_trial(values, weights, queries) if values.fewest <= queries <= most else None for queries in QUERIES]


def row_of_means(values: Values, weights: str, most: int = 300) -> str:
    """A row of the table of means, up to so many queries."""
    return row([values.words, weights], held(trials_of_means(values, weights, most), values.words, weights))


def row_of_differences(test: str, data: str, weights: str, most: int = 300) -> str:
    """A row of the table of differences, up to so many queries."""
    # What the bootstrap of many queries takes is spent once.
    last = min(most, 100) if test == "bootstrap" and weights != "equal" else most
    tried = [difference_trial(test, data, weights, queries) if queries <= last else None for queries in QUERIES]
    return row([f"`{test}`", data, weights], held(tried, test, data, weights))


def held(trials: Sequence[Trial | None], *words: str) -> Sequence[Trial | None]:
    """The cells of a row.

    Raises:
        AssertionError: a number says more than the data do.
    """
    for queries, trial in zip(QUERIES, trials, strict=True):
        assert trial is None or trial.holds, f"{', '.join(words)}, {queries} queries: {trial}"
    return trials


def row(words: Sequence[str], trials: Sequence[Trial | None]) -> str:
    """A row of a table."""
    return f"| {' | '.join([*words, *('' if trial is None else str(trial) for trial in trials)])} |"


def rows_of_verdicts() -> list[str]:
    """The rows of the table of `gsb`."""
    rows = []
    for setting, found in zip(SETTINGS, trials(4_000, 1), strict=True):
        check(setting, found)
        numbers = " | ".join(f"{100 * found[name]:.1f}" for name in ("coverage", "errors"))
        rows.append(f"| {found['data']} | {found['queries']} | {numbers} |")
    return rows


def tables() -> dict[str, list[str]]:
    """The tables of trials in the documentation, by name."""
    numbers = [f"{queries} queries" for queries in QUERIES]
    lines = "--: |" * len(QUERIES)
    means = [f"| values | weights | {' | '.join(numbers)} |", f"| :-- | :-- | {lines}"]
    limits = [*means, *(row([LIMIT.words, weights], trials_of_means(LIMIT, weights)) for weights in LIMIT.weights)]
    differences = [f"| `--test` | values | weights | {' | '.join(numbers)} |", f"| :-- | :-- | :-- | {lines}"]
    means += [row_of_means(values, weights) for values in MEANS for weights in values.weights]
    verdicts = ["| verdicts | queries | coverage | errors |", "| :-- | --: | --: | --: |", *rows_of_verdicts()]
    differences += [row_of_differences(*tried) for tried in TESTS_TRIED]
    sizes = " | ".join(f"{queries} queries" for queries in SIZES)
    ties = [f"| `--test` | differences | tied | {sizes} |", f"| :-- | :-- | --: | {'--: |' * len(SIZES)}"]
    ties += rows_of_ties()
    return {"means": means, "differences": differences, "limits": limits, "gsb": verdicts, "ties": ties}


if __name__ == "__main__":
    write_parts({f"trials {name}": table for name, table in tables().items()})
