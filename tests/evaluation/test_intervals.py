"""Standard errors and confidence intervals, against scipy and against the formulas written out."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sqlrank
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statistics.student import critical_value
from tests.support.cases import Table, arrow
from tests.support.tables import each, hold

ASKED = ["ndcg@10", "ap", "dcg", "num_ret"]
BOUNDS = {"ndcg@10": (0.0, 1.0), "ap": (0.0, 1.0), "dcg": (-math.inf, math.inf)}


@pytest.mark.parametrize(("confidence", "tolerance"), [(0.95, 1e-12), (0.9, 1e-11), (0.99, 1e-11)])
def test_critical_value_is_the_quantile_of_students_t(confidence: float, tolerance: float) -> None:
    degrees = [*range(1, 2001), 5_000, 10_000, 123_456, 10**6, 10**9, 10**12]

    theirs = stats.t.ppf((1 + confidence) / 2, degrees)

    ours = [critical_value(number, confidence) for number in degrees]
    assert ours == [pytest.approx(value, rel=tolerance, abs=0) for value in theirs]


@each(
    [
        (1, 0.95, math.tan(0.475 * math.pi)),
        (2, 0.95, 0.95 / math.sqrt(2 * 0.975 * 0.025)),
        (10**15, 0.95, 1.959963984540054),
        (0.01, 1 - 1e-6, math.inf),
    ]
)
def test_critical_value_is_that_of_the_closed_form(case: tuple[float, float, float]) -> None:
    degrees, confidence, value = case
    assert critical_value(degrees, confidence) == pytest.approx(value, rel=1e-13, abs=0)


def small_data(queries: int) -> tuple[Table, Table]:
    """Queries with five documents each, of which every seventh has nothing relevant."""
    rng = random.Random(queries)
    run = {f"q{number}": {f"d{doc}": rng.random() for doc in range(5)} for number in range(queries)}
    qrels = {
        query: {doc: 0.0 if number % 7 == 6 else float(rng.randint(0, 3)) for doc in docs}
        for number, (query, docs) in enumerate(run.items())
    }
    return run, qrels


def rows_by_metric(result: sqlrank.Result) -> dict[str, dict[str, Any]]:
    """The rows of the summary by metric."""
    relation = result.rows
    named = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    return {row["metric"]: row for row in named}


def column(result: sqlrank.Result, metric: str) -> Any:
    """The values of one metric that are not null."""
    return np.array([found[metric] for found in result.to_dict().values() if found[metric] is not None])


@pytest.mark.parametrize(("queries", "empty"), [(2, "skip"), (3, "zero"), (30, "skip"), (700, "zero")])
def test_interval_is_that_of_the_mean(queries: int, empty: str) -> None:
    result = sqlrank.evaluate(*small_data(queries), ASKED, empty=empty)

    rows = rows_by_metric(result)
    for metric in ("ndcg@10", "ap", "dcg"):
        values, row = column(result, metric), rows[metric]
        assert row["queries"] == len(values)
        assert len(set(values)) > 1
        low, high = stats.t.interval(0.95, len(values) - 1, loc=values.mean(), scale=stats.sem(values))
        assert row["value"] == pytest.approx(values.mean(), rel=1e-12)
        assert row["stderr"] == pytest.approx(stats.sem(values), rel=1e-12)
        least, most = BOUNDS[metric]
        assert row["ci_low"] == pytest.approx(max(least, low), rel=1e-12, abs=1e-12)
        assert row["ci_high"] == pytest.approx(min(most, high), rel=1e-12)


def test_equal_values_have_no_interval_as_they_do_not_show_how_much_they_vary() -> None:
    run = {f"q{number}": {"a": 2.0, "b": 1.0, "c": 0.5} for number in range(9)}

    result = sqlrank.evaluate(run, {query: {"c": 1} for query in run}, "rr")

    row = rows_by_metric(result)["rr"]
    assert (row["value"], row["queries"]) == (pytest.approx(1 / 3, rel=1e-15), 9)
    assert row["stderr"] == pytest.approx(0, abs=1e-15)
    assert (row["ci_low"], row["ci_high"]) == (None, None)
    assert result.remarks()[-1].endswith("; none where all values are alike")


@pytest.mark.parametrize("weighted", [False, True])
def test_one_query_has_a_value_and_no_interval(weighted: bool) -> None:
    weights = arrow([("q0", 2.5)], "query_id", "weight")
    options: dict[str, Any] = {"queries": weights, "weight": "weight"} if weighted else {}

    row = rows_by_metric(sqlrank.evaluate(*small_data(1), ["ap"], **options))["ap"]

    assert row["queries"] == 1
    assert row["value"] > 0
    assert (row["stderr"], row["ci_low"], row["ci_high"]) == (None, None, None)


def test_skipped_queries_are_not_in_the_interval() -> None:
    rows = rows_by_metric(sqlrank.evaluate(*small_data(30), ["ap", "dcg"], empty="skip"))
    assert (rows["ap"]["queries"], rows["dcg"]["queries"]) == (26, 30)

    run = {"a": {"d": 1.0}, "b": {"d": 1.0}}
    for relevance, value, queries in ((1, 1.0, 1), (0, None, 0)):
        qrels = {"a": {"d": relevance}, "b": {"d": 0}}
        row = rows_by_metric(sqlrank.evaluate(run, qrels, ["ap"], empty="skip"))["ap"]
        assert (row["value"], row["queries"], row["stderr"], row["ci_low"]) == (value, queries, None, None)


@pytest.mark.parametrize("weighted", [False, True])
def test_counts_are_sums_without_an_interval(weighted: bool) -> None:
    run, qrels = small_data(30)
    weights = arrow([(query, 0.5) for query in run], "query_id", "weight")
    options: dict[str, Any] = {"queries": weights, "weight": "weight"} if weighted else {}

    rows = rows_by_metric(sqlrank.evaluate(run, qrels, ["num_ret", "num_q", "num_rel", "num_rel_ret"], **options))

    relevant = sum(value >= 1 for judgments in qrels.values() for value in judgments.values())
    totals = {"num_ret": 150, "num_q": 30, "num_rel": relevant, "num_rel_ret": relevant}
    assert {metric: row["value"] for metric, row in rows.items()} == totals
    assert {(row["stderr"], row["ci_low"], row["ci_high"]) for row in rows.values()} == {(None, None, None)}
    assert {row["queries"] for row in rows.values()} == {30}


@pytest.mark.parametrize(("queries", "empty"), [(2, "zero"), (30, "zero"), (30, "skip"), (200, "skip")])
def test_weighted_mean_has_the_standard_error_of_the_jackknife(queries: int, empty: str) -> None:
    run, qrels = small_data(queries)
    rng = random.Random(3)
    weights = {query: rng.choice([0.25, 1.0, 3.0, 10.5]) for query in run}
    if queries > 2:
        weights["q1"] = 0.0
    table = arrow(list(weights.items()), "query_id", "weight")

    result = sqlrank.evaluate(run, qrels, ASKED, empty=empty, queries=table, weight="weight")

    rows, found = rows_by_metric(result), result.to_dict()
    for metric in ("ndcg@10", "ap", "dcg"):
        kept = [query for query in run if found[query][metric] is not None and weights[query] > 0]
        values = np.array([found[query][metric] for query in kept])
        weight = np.array([weights[query] for query in kept])
        mean, number = float(np.average(values, weights=weight)), len(kept)
        left_out = [float(np.average(np.delete(values, at), weights=np.delete(weight, at))) for at in range(number)]
        stderr = math.sqrt((number - 1) / number * float(np.sum((np.array(left_out) - mean) ** 2)))
        reach = stats.t.ppf(0.975, weight.sum() ** 2 / (weight**2).sum() - 1) * stderr
        row, (least, most) = rows[metric], BOUNDS[metric]
        assert (row["value"], row["queries"]) == (pytest.approx(mean, rel=1e-12), number)
        assert row["stderr"] == pytest.approx(stderr, rel=1e-12)
        assert row["ci_low"] == pytest.approx(max(least, mean - reach), rel=1e-12, abs=1e-12)
        assert row["ci_high"] == pytest.approx(min(most, mean + reach), rel=1e-12)


def test_equal_weights_change_neither_mean_nor_standard_error() -> None:
    run, qrels = small_data(30)
    table = arrow([(query, 7.0) for query in run], "query_id", "weight")

    weighted = rows_by_metric(sqlrank.evaluate(run, qrels, ASKED, queries=table, weight="weight"))

    for metric, row in rows_by_metric(sqlrank.evaluate(run, qrels, ASKED)).items():
        for name in ("value", "stderr", "ci_low", "ci_high"):
            assert weighted[metric][name] == (None if row[name] is None else pytest.approx(row[name], rel=1e-12))


def test_segments_have_intervals_of_their_own() -> None:
    run, qrels = small_data(40)
    segments = {query: "ab"[number % 2] for number, query in enumerate(run)}
    table = arrow(list(segments.items()), "query_id", "half")

    result = sqlrank.evaluate(run, qrels, "ap", queries=table, by="half")

    found = {query: values["ap"] for query, values in result.to_dict().items()}
    relation = result.rows.project("half, is_total, value, queries, stderr, ci_high")
    for half, is_total, value, queries, stderr, high in relation.fetchall():
        values = np.array([found[query] for query in found if is_total or segments[query] == half])
        assert (value, queries) == (pytest.approx(values.mean(), rel=1e-12), len(values))
        assert stderr == pytest.approx(stats.sem(values), rel=1e-12)
        assert high == pytest.approx(values.mean() + stats.t.ppf(0.975, queries - 1) * stats.sem(values), rel=1e-12)
    assert [row[0] for row in relation.fetchall()] == ["a", "b", None]


def of_values(values: list[float], weights: list[float] | None = None, **options: Any) -> tuple[dict[str, Any], Any]:
    """The row of a metric that has these values, and the result: `rr` where they are 0 or 1, else `dcg@1`."""
    metric = "rr" if set(values) <= {0.0, 1.0} else "dcg@1"
    run = {f"q{number:03}": {"a": 1.0} for number in range(len(values))}
    qrels = {query: {"a": value, "z": 1.0} for query, value in zip(run, values, strict=True)}
    if weights is not None:
        options |= {"queries": arrow(list(zip(run, weights, strict=True)), "query_id", "weight"), "weight": "weight"}
    result = sqlrank.evaluate(run, qrels, metric, **options)
    return rows_by_metric(result)[metric], result


def test_a_query_of_weight_0_is_left_out() -> None:
    values, weights = [0.2, 0.9, 0.4, 3.0, 7.0], [1.0, 2.0, 1.0, 0.0, 0.0]
    (row, _), (without, _) = of_values(values, weights), of_values(values[:3], weights[:3])

    numbers = [name for name, value in without.items() if isinstance(value, float)]
    assert [row[name] for name in numbers] == pytest.approx([without[name] for name in numbers], rel=1e-12)
    assert (len(numbers), row["queries"]) == (4, 3)


@pytest.mark.parametrize(
    ("values", "units"),
    [
        ([0.2, 0.9, 0.4, 1.4, 0.7], [1e-300, 1e-150, 1e-11, 1e20, 1e150, 1e300]),
        ([1.0, 0.0, 1.0, 1.0, 0.0], [1e-300, 1e300]),
    ],
)
def test_nothing_depends_on_the_unit_of_weights(values: list[float], units: list[float]) -> None:
    weights = [1.0, 2.5, 0.0, 3.0, 0.5]
    expected, _ = of_values(values, weights)

    def check(unit: float) -> None:
        row, _ = of_values(values, [unit * weight for weight in weights])
        for name in ("value", "queries", "stderr", "ci_low", "ci_high"):
            assert row[name] == pytest.approx(expected[name], rel=1e-12)

    hold(units, check)


@each([[1.0, 0.0, 0.0], [1.0, 1e-20, 1e-20]])
def test_one_query_with_all_of_the_weight_has_no_interval(weights: list[float]) -> None:
    row, result = of_values([0.2, 0.9, 0.4], weights)

    assert (row["value"], row["ci_low"], row["ci_high"]) == (pytest.approx(0.2), None, None)
    said = "1 mean has no interval, as one query has nearly all of the weight"
    assert (said in result.notes) is (weights[1] > 0)


def test_weights_of_0_alone_have_no_mean() -> None:
    row, _ = of_values([0.2, 0.9], [0.0, 0.0])
    assert (row["value"], row["queries"], row["stderr"], row["ci_low"]) == (None, 0, None, None)


def wilson(share: float, number: float) -> tuple[float, float]:
    """Wilson's interval, as the roots of its quadratic equation."""
    z = stats.norm.ppf(0.975)
    low, high = sorted(np.roots([1 + z * z / number, -2 * share - z * z / number, share**2]).real)
    return low, high


@each([0, 1, 9, 10])
def test_a_metric_of_0_and_1_has_the_interval_of_wilson(hits: int) -> None:
    row, result = of_values([1.0] * hits + [0.0] * (10 - hits))

    assert (row["ci_low"], row["ci_high"]) == pytest.approx(wilson(hits / 10, 10), abs=1e-9)
    assert 0 <= row["ci_low"] <= row["value"] <= row["ci_high"] <= 1
    assert "Wilson's interval where every value is 0 or 1" in result.remarks()[-1]


@each([1, 10, 29])
def test_two_other_values_have_the_outer_ends_of_wilson_and_student(often: int) -> None:
    row, result = of_values([0.5] * often + [0.25] * (30 - often))

    low, high = (0.25 + 0.25 * end for end in wilson(often / 30, 30))
    half = stats.t.ppf(0.975, 29) * row["stderr"]
    ends = min(low, row["value"] - half), max(high, row["value"] + half)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(ends, rel=1e-12)
    said = "the outer ends of Wilson's and Student's where there are two other values" in result.remarks()[-1]
    assert said is (often != 10)  # where one value is rare, Wilson's reaches farther


def test_two_values_by_chance_are_as_uncertain_as_few_queries_are() -> None:
    row, _ = of_values([0.3, 0.7])
    assert row["ci_high"] == pytest.approx(0.5 + stats.t.ppf(0.975, 1) * row["stderr"], rel=1e-9)


def test_the_interval_of_wilson_takes_the_number_of_queries_that_the_weights_come_down_to() -> None:
    row, _ = of_values([1.0, 0.0, 1.0, 1.0], [1.0, 4.0, 2.0, 2.0])
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(wilson(5 / 9, 81 / 25), rel=1e-12)


def test_a_skewed_mean_has_the_interval_of_hall() -> None:
    values = np.array([0.0] * 10 + [0.1, 5.0])

    row, result = of_values(list(values))

    residuals = values - row["value"]
    skewness = (residuals**3).sum() / (residuals**2).sum() ** 1.5
    assert skewness > 5**-0.5

    def studentized(mean: float) -> float:
        t = (row["value"] - mean) / row["stderr"]
        return float(t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6)

    critical = stats.t.ppf(0.975, 11)
    assert (studentized(row["ci_low"]), studentized(row["ci_high"])) == pytest.approx((critical, -critical), rel=1e-9)
    assert "Hall's interval where the mean is skewed" in result.remarks()[-1]


def test_a_skewed_mean_under_weights_that_differ_has_the_interval_of_student() -> None:
    row, result = of_values([0.0] * 10 + [0.1, 5.0], list(np.linspace(1, 2, 12)))
    assert row["ci_high"] - row["value"] == pytest.approx(row["value"] - row["ci_low"])
    assert "Hall" not in result.remarks()[-1]


def test_no_interval_leaves_the_range_of_its_metric() -> None:
    run = {f"q{number}": {"a": 1.0, "b": 0.5} for number in range(4)}
    qrels = {query: {"ab"[number < 2]: 1} for number, query in enumerate(run)}

    row = rows_by_metric(sqlrank.evaluate(run, qrels, ["rr"]))["rr"]

    assert (row["value"], row["ci_high"]) == (0.75, 1.0)
    assert row["ci_low"] == pytest.approx(0.75 - stats.t.ppf(0.975, 3) * 0.25 / math.sqrt(3))


def test_intervals_that_were_interrupted_are_made_when_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    result = sqlrank.evaluate({"q": {"a": 1.0}, "p": {"a": 1.0, "b": 2.0}}, {"q": {"a": 1}, "p": {"a": 1}}, "rr")

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(DuckDBEngine, "keep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            str(result)

    assert result.rows.project("value, queries").fetchall() == [(0.75, 2)]
