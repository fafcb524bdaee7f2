"""Intervals cover the truth as often as they say, and tests find nothing where there is nothing to find."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sqlrank.log
from tests.pages.parts import part
from tests.pages.stated import assert_stated, stated
from tests.support.tables import each, hold
from tests.trials import drawn_logs, draws, few, value
from tests.trials.__main__ import TABLES
from tests.trials.cells import ERRORS, LEAST, MOST, cells_of, in_words
from tests.trials.differences import DRAWN, LOSING, TESTS_TRIED, TIED, difference_trial, mostly_tied, tied_trial
from tests.trials.experiments import SIZES, WEIGHTS
from tests.trials.means import LIMIT, MEANS
from tests.trials.picture import PICTURE

PAGE = "explanation/trials.md"
KNOWN = ("skewed, a third tied", "few values, as p@10", "0 or 1, half of them the same")
"""The values for which tests hold with few queries too."""


@each([("means", 89, 0), ("differences", 93, 6.5), ("ties", 93, 9), ("arms", 93, 7)])
def test_intervals_cover_and_tests_err_as_they_promise_in_every_cell(bounds: tuple[str, float, float]) -> None:
    table, least, most = bounds
    cells = [cell for cell in cells_of(table) if table != "differences" or cell.words[1] in KNOWN]
    assert len(cells) >= 50
    for cell in cells:
        assert cell.coverage is None or cell.coverage >= least, cell
        assert (cell.second is None) == (table == "means")
        assert cell.second is None or cell.second <= most, cell


@pytest.mark.parametrize(
    ("queries", "sentence"),
    [(100, "100 queries are on average worth # of equal weight,"), (300, "and 300 are worth #.")],
)
def test_the_documentation_states_what_weighted_queries_are_worth(queries: int, sentence: str) -> None:
    weight = WEIGHTS["log-normal, sigma 1.5"](np.random.default_rng(1), (4_000, queries))
    effective = weight.sum(axis=1) ** 2 / (weight**2).sum(axis=1)
    assert_stated(effective.mean(), PAGE, sentence)


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


def test_intervals_by_labels_from_clicks_hold_where_a_ranking_knows_no_more_and_the_page_says_where_not() -> None:
    noisy, sharp = (figures_of("draws", "mean", words, "dcg@5", second=False) for words in list(draws.RANKINGS)[2:])
    page = "explanation/intervals.md"
    told = stated(page, "# of 100 cases where the ranking saw the true labels with noise of sd 0.6,")
    told += stated(page, "and in # with noise of 0.2; with 10 impressions in # and # (")
    told += stated(page, "held the gain in # of 100 cases with 3 impressions, and in # with 10.")
    gain = figures_of("draws", draws.DIFFERENCE, list(draws.CANDIDATES)[-1], "dcg@5", second=False)
    found = [noisy[3], sharp[3], noisy[10], sharp[10], gain[3], gain[10]]
    assert [float(figure) for figure in told] == [figure and round(figure) for figure in found]
    known = {*list(draws.RANKINGS)[:2], next(iter(draws.CANDIDATES))}
    right = [cell for cell in cells_of("draws") if cell.words[1] in known]
    assert len(right) == 6 * len(draws.SIZES)
    assert all(cell.coverage is not None and cell.coverage >= 93 and (cell.second or 0) <= 6.5 for cell in right)


ENDS = "explanation/where-methods-end.md"


def test_where_methods_end_is_what_the_tables_say() -> None:
    exponential = ("one-sided: exponential", "equal")
    told = stated(ENDS, "difference in # % of experiments with 10 queries, # % with 50 and # % with 100.")
    told += stated(ENDS, "Wilcoxon's test finds one in #, # and # %, since")
    found = [figures_of("differences", f"`{test}`", *exponential) for test in ("randomization", "wilcoxon")]
    assert [float(figure) for figure in told] == [row[size] for row in found for size in (10, 50, 100)]
    (often,) = stated("explanation/comparison.md", "pairs were called different in at most # % of 2,000 experiments")
    assert float(often) == max(cell.coverage for cell in cells_of("pairs") if cell.coverage is not None)
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


FEW, SLACK = 200, 0.046
"""Experiments of a setting, and three standard errors of a coverage of 95 %."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("data", KNOWN)
def test_the_bootstrap_holds_where_a_quarter_of_the_weights_are_0(data: str) -> None:
    """200 experiments: the bounds are three standard errors, of 4.6 points, from 90 and 5 %."""
    trial = difference_trial("bootstrap", data, "a quarter of them 0", 20, FEW)
    assert trial.coverage >= 0.9 - SLACK
    assert trial.errors is not None
    assert trial.errors <= 0.05 + SLACK


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("test", DRAWN[1:])
@pytest.mark.parametrize("tied", TIED[1:])
@pytest.mark.parametrize("words", LOSING)
def test_intervals_and_margins_of_other_tests_hold_where_most_queries_tie(words: str, tied: float, test: str) -> None:
    """200 experiments: the bounds are three standard errors, of 4.6 points, from 92 and 9 %."""
    trial = tied_trial(test, words, tied, 50, FEW)
    assert trial.coverage >= 0.92 - SLACK
    assert trial.errors is not None
    assert trial.errors <= 0.09 + SLACK


def test_an_experiment_among_many_is_valued_as_a_log_of_its_own() -> None:
    people, users = value.PEOPLE[0], 40
    asked: dict[str, Any] = {"estimators": ["sn-item-position", "list", "sn-dr"], "anyway": True}
    log, candidates = drawn_logs.drawn(people, users, 2, 1)
    with sqlrank.log.value(candidates, log, **asked) as by_itself:
        rows = {(row["estimator"], row["system"]): row for row in by_itself.to_dicts()}
    log, candidates = drawn_logs.drawn(people, users, 0, 4)
    with sqlrank.log.value(candidates, log, **asked) as together:
        (each_of,) = together._estimated
        sums = value.of_experiment(each_of.sums, 2)
        for measure in each_of.measures:
            if measure.other is None:
                row, estimate = rows[measure.estimator.name, measure.system], sums.estimate(measure)
                assert estimate.value == pytest.approx(row["value"], rel=1e-12)
                assert estimate.ends(0.05) == pytest.approx((row["ci_low"], row["ci_high"]), rel=1e-9)
                assert sums.weights(measure).ess == pytest.approx(row["ess"], rel=1e-12)


@each(list(few.CASES))
def test_a_table_is_the_one_that_was_written_with_its_record(table: str) -> None:
    assert few.recorded()[few.PAGES][table] == few.digest(table), f"python -m tests.trials {table}"


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("table", few.CASES)
def test_a_hundred_experiments_of_a_cell_give_what_they_gave_when_its_table_was_written(table: str) -> None:
    """Of 100 experiments a cell, 1 may fall to the other side of a bound with another version of numpy; 2 are seen."""
    known = few.recorded()[table]
    assert list(known) == list(few.CASES[table])

    def check(words: str) -> None:
        found, shown = few.figures(few.CASES[table][words]()), known[words]
        assert found == pytest.approx([float(figure) for figure in shown.split(" / ")], abs=1.01), few.written(found)

    hold(list(known), check)
