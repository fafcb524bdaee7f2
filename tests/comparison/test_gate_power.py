"""Gates know how often they fail by chance and what they catch: beside numpy's resampling, and in simulations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import sqlrank
from sqlrank.comparison import gate_power
from sqlrank.comparison.gate_power import GatePower, Held, not_worse, percent, point, surely
from tests.comparison.test_clusters import clustered, drawn
from tests.pages.stated import assert_stated
from tests.support.cli_helper import FIXTURES, run_cli
from tests.support.comparisons import METRIC, compared, query_names, sides
from tests.support.tables import each
from tests.trials.experiments import GRADED, table_of

Array = Any
SEARCH = FIXTURES / "search"
ALLOWED = 0.1
ERROR = 4 * 0.5 / 1_000**0.5
"""Four standard errors of a share of a thousand samples, and of one that numpy draws beside it (of many more)."""


def moved(queries: int, seed: int = 1, tied: float = 0.6) -> tuple[Array, Array]:
    """Values of two systems, of which a share are alike."""
    rng = np.random.default_rng(seed)
    first = 2 + rng.random(queries)
    return first, first + np.where(rng.random(queries) < tied, 0, rng.normal(0, 0.5, queries))


def powers(comparison: sqlrank.Comparison, allowed: float = ALLOWED, row: Any = None) -> list[GatePower]:
    """What a drop, one for certain, and a margin do."""
    held = row or comparison.all_rows[-1]
    return comparison.held_to([Held(rule.__name__, held, allowed, rule) for rule in (point, surely, not_worse)])


def resampled(units: Array, weights: Array, samples: int = 20_000) -> tuple[Array, Array]:
    """Means and standard errors of samples of units, each with its sum and weight, around a mean of 0."""
    rng = np.random.default_rng(7)
    number = len(weights)
    mean = units.sum() / weights.sum()
    chosen = rng.integers(number, size=(samples, number))
    sums, weight = units[chosen], weights[chosen]
    means = sums.sum(axis=1) / weight.sum(axis=1)
    residuals = sums - means[:, None] * weight
    errors = np.sqrt((residuals**2).sum(axis=1) * number / (number - 1)) / weight.sum(axis=1)
    return means - mean, errors


def test_a_drop_fails_as_often_as_in_samples_of_its_differences() -> None:
    first, second = moved(60, tied=0.3)
    means, errors = resampled(second - first, np.ones(60))
    critical = stats.t.ppf(0.975, 59), stats.t.ppf(0.95, 59)
    with compared(a=first, b=second) as comparison:
        found = powers(comparison, 0.05)
    for power, ends in zip(found, (means, means + critical[0] * errors, means - critical[1] * errors), strict=True):
        assert power.false_alarms == pytest.approx((ends < -0.05).mean(), abs=ERROR)
        assert power.drop == pytest.approx(max(0, np.quantile(ends, 0.8) + 0.05), abs=0.015)


def test_clusters_are_drawn_whole() -> None:
    _, first, second = case = drawn(30, 4, 1)
    runs, qrels = clustered(*case)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, cluster="topic") as comparison:
        (of_means, *_) = powers(comparison, 0.1)
    sums = (np.array(second) - first).reshape(30, 4).sum(axis=1)
    means, _ = resampled(sums, np.full(30, 4.0))
    assert of_means.false_alarms == pytest.approx((means < -0.1).mean(), abs=ERROR)
    single, _ = resampled(np.array(second) - first, np.ones(120))
    assert abs((single < -0.1).mean() - (means < -0.1).mean()) > ERROR


def test_weights_count() -> None:
    first, second = moved(50, tied=0.3)
    weights = np.random.default_rng(3).lognormal(0, 1, 50)
    runs, qrels = sides(a=first, b=second)
    queries = pa.table({"query_id": query_names(50), "traffic": weights})
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, queries=queries, weight="traffic") as comparison:
        (of_means, *_) = powers(comparison)
    means, _ = resampled(weights * (second - first), weights)
    assert of_means.false_alarms == pytest.approx((means < -ALLOWED).mean(), abs=ERROR)


def test_counts_are_summed_over_queries() -> None:
    rng = np.random.default_rng(2)
    values = {name: list((rng.random(40) < 0.5) * 1.0) for name in "ab"}
    runs, qrels = sides(**values)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics="num_rel_ret,p@1", replicates=100) as comparison:
        count, share = (
            powers(comparison, allowed, comparison[metric])[0] for metric, allowed in (("num_rel_ret", 4), ("p@1", 0.1))
        )
    assert count.false_alarms == share.false_alarms
    assert count.drop == pytest.approx(40 * float(share.drop or 0))


def test_queries_in_bundles_vary_as_single_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = moved(3_000)
    with compared(a=first, b=second) as comparison:
        alone = powers(comparison, 0.005)
        monkeypatch.setattr(gate_power, "BUNDLES", 200)
        bundled = powers(comparison, 0.005)
    for one, other in zip(alone, bundled, strict=True):
        assert one.false_alarms == pytest.approx(other.false_alarms, abs=2 * ERROR)
        assert one.drop == pytest.approx(other.drop, rel=0.15)


def test_where_all_queries_tie_nothing_can_be_told_and_samples_in_which_all_tie_fail_a_margin() -> None:
    with compared(a=[1.0, 1.0, 1.0], b=[1.0, 1.0, 1.0]) as comparison:
        for power in powers(comparison):
            assert power == GatePower(None, None)
            assert str(power) == "its false-alarm rate is unknown"
    with compared(a=[1.0] * 20, b=[0.2] + [1.0] * 19) as comparison:
        of_means, for_certain, margin = powers(comparison, 0.02)
        lines = comparison.remarks()
    assert (margin.false_alarms, margin.drop, for_certain.drop) == (1.0, 0, None)
    assert "detects no drop with power 0.8, however large" in str(for_certain)
    assert of_means.false_alarms == pytest.approx(stats.poisson.sf(1, 1), abs=ERROR)
    assert "(a guess, as only 1 differ)" in lines[-2]


@each([(0.0, "less than 0.1 %"), (0.013, "1.3 %"), (0.236, "24 %"), (1.0, "100 %")])
def test_shares_in_words(case: tuple[float, str]) -> None:
    assert percent(case[0]) == case[1]


def gated(*options: object) -> Any:
    """The example with gates."""
    runs = [SEARCH / "keyword.parquet", SEARCH / "semantic.parquet", "--qrels", SEARCH / "qrels.parquet"]
    return run_cli("compare", *runs, "-m", "ndcg@10", *options)


def test_every_gate_says_it_below_the_table_and_to_ci_systems() -> None:
    gates = ("--fail-on-drop", "ndcg@10=1%", "--not-worse-than", "ndcg@10=0.01")
    outcome = gated(*gates, "--junit", "gates.xml")
    for start, end in (
        ("--fail-on-drop ndcg@10=1%, semantic: false-alarm rate 3", "detects a true drop of 0.01"),
        ("--not-worse-than ndcg@10=0.01, semantic: false-alarm rate", ""),
        ("", "around a mean of 0, seed 0"),
    ):
        assert any(line.startswith(start) and end in line for line in outcome.out.splitlines()), (start, end)
    assert Path("gates.xml").read_text().count("<system-out>false-alarm rate") == 2
    assert gated(*gates).out == outcome.out


def test_gates_of_segments_have_their_numbers_and_say_how_often_any_of_them_fails() -> None:
    by = ("--by", "country", "--queries", SEARCH / "queries.parquet", "--gate-segments", "--quiet")
    request = (*by, "--fail-on-drop", "ndcg@10=1%")
    gates = json.loads(gated(*request, "--format", "json").out)["gates"]
    assert [gate["country"] for gate in gates] == ["de", "fr", "gb", "us", None]
    assert gates[-1]["gate"] == "--fail-on-drop ndcg@10=1%, semantic"
    assert 0.25 < gates[-1]["false_alarms"] < 0.4
    assert 0.015 < gates[-1]["drop"] < gates[0]["drop"]
    assert "with no change, at least one of 5 rows fails in 9" in gated(*request).out


def test_rows_that_tell_nothing_are_not_counted_as_rows_that_hold() -> None:
    first, second = moved(30)
    with compared(a=list(first), b=list(second)) as comparison:
        row = comparison.all_rows[0]
        nothing = row | {"is_total": False, "sqlrank_deviation": None, "sqlrank_key": (1, 1)}
        comparison.held_to([Held("gate", row, ALLOWED, point), Held("gate", nothing, ALLOWED, point)])
        assert any("at least one of the 1 of 2 rows that tell fails in" in line for line in comparison.remarks())


def test_without_a_gate_nothing_is_said() -> None:
    assert "false-alarm rate" not in gated().out
    assert "gates" not in json.loads(gated("--format", "json", "--quiet").out)
    assert "give --fail-under (eval) or --fail-on-drop" in gated("--junit", "gates.xml").err


RATES = {50: 1, 300: 2, 1_000: 3}
SENTENCE = "fails in # % (50 queries), # % (300) and # % (1,000); with `--confidently` in # %, # % and # %"
ALLOWED_SHARE = 0.005


def releases(queries: int, experiments: int) -> Array:
    """The differences of releases that change nothing: two in five queries move, by 0.25."""
    rng = np.random.default_rng(queries)
    return np.where(rng.random((experiments, queries)) < 0.4, rng.normal(0, 0.25, (experiments, queries)), 0)


@pytest.mark.needs("simulation")
def test_the_documentation_states_how_often_gates_fail() -> None:
    """20,000 releases: the bounds are two to three standard errors (0.35 points of 41 %, 0.08 of 1.3 %)."""
    from tests.pages.stated import stated

    figures = [float(figure) for figure in stated("explanation/comparison.md", SENTENCE)]
    for place, queries in enumerate(RATES):
        differences = releases(queries, 20_000)
        means, spread = differences.mean(axis=1), differences.std(axis=1, ddof=1) / queries**0.5
        upper = means + stats.t.ppf(0.975, queries - 1) * spread
        assert 100 * (means < -ALLOWED_SHARE).mean() == pytest.approx(figures[place], abs=1.05)
        assert 100 * (upper < -ALLOWED_SHARE).mean() == pytest.approx(figures[3 + place], abs=0.15)


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("queries", RATES)
def test_a_gate_tells_its_error_from_one_release(queries: int) -> None:
    """40 releases: the standard error of the mean of what they tell is 0.4 points, and the bound 3."""
    differences = releases(queries, 40)
    asked = table_of({"a": np.full(differences.shape, 3.0), "b": 3 + differences}, np.ones(differences.shape), GRADED)
    with sqlrank.compare(**asked, replicates=100) as comparison:
        rows = [row for row in comparison.all_rows if not row["is_total"]]
        # one row at a time, for which a thousand samples are drawn
        powers = [comparison.held_to([Held("point", row, ALLOWED_SHARE, point)])[0] for row in rows]
    told = [power.false_alarms or 0.0 for power in powers]
    assert len(told) == 40
    truth = (releases(queries, 20_000).mean(axis=1) < -ALLOWED_SHARE).mean()
    assert float(np.mean(told)) == pytest.approx(truth, abs=0.03)
    assert_stated(100 * float(np.std(told)), "explanation/comparison.md", "to # to # points (standard deviation;")
