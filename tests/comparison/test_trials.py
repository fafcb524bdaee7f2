"""Intervals cover the truth as often as they say, and tests find nothing where there is nothing to find."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.pages.parts import part
from tests.pages.stated import assert_stated, stated
from tests.trials import arms, differences, means, pairs, plans, sequences, verdicts
from tests.trials.__main__ import TABLES
from tests.trials.cells import ERRORS, LEAST, MOST, cells_of, in_words
from tests.trials.differences import DRAWN, LOSING, TESTS_TRIED, TIED, difference_trial, mostly_tied, tied_trial
from tests.trials.experiments import SIZES, WEIGHTS
from tests.trials.means import LIMIT, MEANS, OF_CLUSTERS, mean_trial
from tests.trials.picture import PICTURE

PAGE = "explanation/trials.md"
REPEATED = 20
"""Up to how many queries the tables are repeated: what 50 to 300 take is spent where the tables are written."""
FEW = 200
"""The experiments of a setting by default: 3 standard errors of its coverage are 4.6 of 100."""
SLACK = 0.046
KNOWN = ("skewed, a third tied", "few values, as p@10", "0 or 1, half of them the same")
"""The values for which tests hold with few queries too."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(
    ("place", "weights", "queries"),
    [
        (0, "a quarter of them 0", 20),
        (1, "log-normal, sigma 1.5", 30),
        (2, "Pareto, alpha 1.5", 10),
        (3, "one query has half of the weight", 20),
        (4, "equal", 20),
        (5, "log-normal, sigma 1", 30),
        (6, "equal", 10),
        (7, "equal", 10),
    ],
)
def test_intervals_of_means_cover_them(place: int, weights: str, queries: int) -> None:
    assert mean_trial(MEANS[place], weights, queries, FEW).coverage >= 0.9 - SLACK


@pytest.mark.parametrize(
    ("queries", "sentence"),
    [(100, "100 queries are on average worth # of equal weight,"), (300, "and 300 are worth #.")],
)
def test_the_documentation_states_what_weighted_queries_are_worth(queries: int, sentence: str) -> None:
    weight = WEIGHTS["log-normal, sigma 1.5"](np.random.default_rng(1), (4_000, queries))
    effective = weight.sum(axis=1) ** 2 / (weight**2).sum(axis=1)
    assert_stated(effective.mean(), PAGE, sentence)


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("data", KNOWN)
@pytest.mark.parametrize(
    ("test", "weights"),
    [
        ("randomization", "log-normal, sigma 1"),
        ("t", "Pareto, alpha 1.5"),
        ("bootstrap", "a quarter of them 0"),
        ("wilcoxon", "equal"),
        ("sign", "equal"),
    ],
)
def test_intervals_of_differences_cover_them_and_tests_find_no_other(test: str, data: str, weights: str) -> None:
    trial = difference_trial(test, data, weights, 20, FEW)
    assert trial.coverage >= 0.9 - SLACK
    assert trial.errors is not None
    assert trial.errors <= 0.05 + SLACK


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("test", DRAWN)
@pytest.mark.parametrize("tied", TIED[1:])
@pytest.mark.parametrize("words", LOSING)
def test_intervals_and_margins_hold_where_most_queries_tie(words: str, tied: float, test: str) -> None:
    trial = tied_trial(test, words, tied, 50, FEW)
    assert trial.coverage >= 0.92 - SLACK
    assert trial.errors is not None
    assert trial.errors <= 0.09 + SLACK


def test_the_documentation_states_what_students_interval_covers_where_most_queries_tie() -> None:
    first, second = mostly_tied(np.random.default_rng(1), (20_000, 50), 0.9, 1.0)
    found = second - first
    half = stats.t.ppf(0.975, 49) * found.std(axis=1, ddof=1) / 50**0.5
    known = half > 0
    covered = (abs(found.mean(axis=1) + 0.025) <= half)[known].mean()
    sentence = "interval of 50 queries of which 90 % tie covers # %"
    assert_stated(100 * covered, "explanation/intervals.md", sentence)


def test_the_documentation_states_the_worst_of_the_table_of_ties() -> None:
    cells = list(cells_of("ties"))
    coverages, errors = ([getattr(cell, name) for cell in cells] for name in ("coverage", "second"))
    least, most, worst = stated(PAGE, "Coverage is # to # % and the loss is called none in at most # %")
    assert len(cells) == len(LOSING) * len(TIED) * len(SIZES)
    assert (math.floor(min(coverages)), max(coverages), max(errors)) == (float(least), float(most), float(worst))


def test_the_cells_that_are_not_as_they_should_be_are_in_words() -> None:
    assert part("trials in words").splitlines() == in_words()
    low = [cell for cell in cells_of("differences") if cell.coverage is not None and cell.coverage < LEAST]
    for cell in low:
        said = rf"{re.escape('; '.join(cell.words))}: .*{cell.coverage:g} \({cell.size}\)"
        assert re.search(said, part("trials in words"))
    assert LEAST < 95 < MOST
    assert ERRORS > 5


def figures_of(table: str, *words: str, second: bool = True) -> dict[int, float | None]:
    """The figures of a row by size: those after the slash, or the first ones."""
    found = {cell.size: cell.second if second else cell.coverage for cell in cells_of(table) if cell.words == words}
    assert found, words
    return found


ENDS = "explanation/where-methods-end.md"


def test_where_methods_end_is_what_the_tables_say() -> None:
    exponential = ("one-sided: exponential", "equal")
    told = stated(ENDS, "difference in # % of experiments with 10 queries, # % with 50 and # % with 100.")
    told += stated(ENDS, "Wilcoxon's test finds one in #, # and # %, since")
    found = [figures_of("differences", f"`{test}`", *exponential) for test in ("randomization", "wilcoxon")]
    assert [float(figure) for figure in told] == [row[size] for row in found for size in (10, 50, 100)]
    noisy = figures_of("pairs", "`tukey`", "6 systems, one varies ten times as much", second=False)
    told = stated(ENDS, "as the others (# % of experiments with 10 queries, # % with 100)")
    assert [float(figure) for figure in told] == [noisy[10], noisy[100]]
    (most,) = stated(ENDS, "left out at any look up to the 300th in at most # % of experiments")
    assert float(most) == max(cell.coverage for cell in cells_of("looks") if cell.coverage is not None)
    (worst,) = stated(ENDS, "called not worse in at most # % (5 % are promised)")
    assert float(worst) == max(cell.second for cell in cells_of("ties") if cell.second is not None)


def test_the_picture_has_every_panel() -> None:
    drawn = PICTURE.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    for words in ("Coverage of 95 % intervals", "Means, equal weights", "Agreement of 0.9, by items", "90 % tie"):
        assert words in drawn


def test_every_table_of_trials_is_written() -> None:
    for name in TABLES:
        assert part(f"trials {name}").count("\n") > 3, name
    written = part("trials means"), part("trials limits"), part("trials differences")
    for values in MEANS:
        assert written[0].count(f"\n| {values.words} |") == len(values.weights)
    assert written[1].count(f"\n| {LIMIT.words} |") == len(LIMIT.weights)
    for test, data, weights in TESTS_TRIED:
        assert f"\n| `{test}` | {data} | {weights} |" in written[2]


# Of the long tables so many rows are tried again that each test, kind of values and kind of weights is in one:
# `python -m tests.trials` writes them all.
def is_written(name: str, row: str, within: float = 2.0) -> None:
    """A row stands in the document, up to what another version of numpy may draw.

    Args:
        name: the table.
        row: the row, whose last cells may be empty.
        within: how far the figures may lie apart.
    """
    figures = re.compile(r"(?<=\| )[\d.]+(?: / [\d.]+)?(?= \|)")
    words = row[: figures.search(row).start()] if figures.search(row) else row  # type: ignore[union-attr]
    (written,) = [line for line in part(f"trials {name}").splitlines() if line.startswith(words)]
    numbers, shown = (list(map(float, re.findall(r"\d+\.\d", line[len(words) :]))) for line in (row, written))
    assert numbers == pytest.approx(shown[: len(numbers)], abs=within)
    assert numbers


OF_MEANS = [(values, each) for values in (*MEANS, LIMIT) for each in values.weights]
ROWS: list[tuple[str, Callable[..., str], tuple[Any, ...]]] = [
    *(("limits" if case[0] is LIMIT else "means", means.row_of_means, (*case, REPEATED)) for case in OF_MEANS[::7]),
    *(("clusters", means.row_of_clusters, (words, 20)) for words in OF_CLUSTERS),
    *(("clusters", differences.row_of_clustered_differences, (test, 20)) for test in DRAWN),
    *(("differences", differences.row_of_differences, (*case, 20)) for case in (*TESTS_TRIED[::7], TESTS_TRIED[-1])),
    *(("ties", differences.row_of_ties, (DRAWN[0], *case, 20)) for case in list(product(LOSING, TIED))[::4]),
    *(("pairs", pairs.row_of_pairs, (*case, 10)) for case in pairs.TRIED[::6]),
    *(("arms", arms.row_of_arms, (*case, 20)) for case in arms.TRIED[::6]),
    *(("plans", plans.row_of_plans, (words, REPEATED)) for words in plans.KINDS),
    *(("looks", sequences.row_of_looks, (words, REPEATED)) for words in sequences.VERDICTS),
]
WITHIN = {"plans": 2.5, "looks": 0.5}
"""How far figures of a table may lie apart, where that is not 2."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("name", "row_of", "asked"), ROWS)
def test_the_tables_are_what_the_trials_give(name: str, row_of: Callable[..., str], asked: tuple[Any, ...]) -> None:
    is_written(name, row_of(*asked), WITHIN.get(name, 2.0))


@pytest.mark.needs("simulation")
def test_the_table_of_verdicts_is_what_the_trials_give() -> None:
    rows = list(verdicts.of_verdicts())
    written = part("trials gsb").splitlines()
    assert len(rows) == len(written)
    for row, shown in zip(rows[2:], written[2:], strict=True):
        *words, coverage, errors = row.strip("| ").split(" | ")
        *same, seen, found = shown.strip("| ").split(" | ")
        assert words == same
        assert [float(coverage), float(errors)] == pytest.approx([float(seen), float(found)], abs=2)
