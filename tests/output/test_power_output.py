"""`sqlrank compare --plan`: plans of test sets, as tables and in other formats."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import sqlrank
from sqlrank.output.power import Plan
from sqlrank.output.writing import Destination, write
from sqlrank.reports.charts.choose import chart_of
from tests.support.cli_helper import FIXTURES, completed, error_of
from tests.support.tables import each, hold

SEARCH = FIXTURES / "search"
RUNS = [SEARCH / "keyword.parquet", SEARCH / "semantic.parquet"]
REQUEST = ("compare", "--plan", *RUNS, "--qrels", SEARCH / "qrels.parquet")


@pytest.fixture(scope="module")
def comparison() -> sqlrank.Comparison:
    """The example."""
    return sqlrank.compare(RUNS, SEARCH / "qrels.parquet", ["ndcg@10", "rr", "num_rel_ret"])


def test_the_plan_is_that_of_the_formula(comparison: sqlrank.Comparison) -> None:
    row = comparison["ndcg@10"]
    deviation = row["difference"] / row["effect_size"]
    plan = comparison.power([50, 300, 2000], power=0.9)
    assert plan.columns == (
        "system baseline metric queries detectable_difference detectable_low detectable_high".split()
    )
    found = {number: value for _, _, metric, number, value, *_ in plan.fetchall() if metric == "ndcg@10"}
    for number in (50, 300, 2000):
        quantiles = stats.t.ppf(0.975, number - 1) + stats.t.ppf(0.9, number - 1)
        assert found[number] == pytest.approx(quantiles * deviation / math.sqrt(number), rel=1e-9)


def test_the_number_there_is_stands_in_the_plan_and_a_count_is_planned_as_the_sum_that_it_is(
    comparison: sqlrank.Comparison,
) -> None:
    found = {(metric, number): value for _, _, metric, number, value, *_ in comparison.power().fetchall()}
    assert [number for metric, number in found if metric == "rr"] == [25, 50, 100, 200, 300, 400, 800, 1600]
    for metric, precision in (("rr", 1e-12), ("num_rel_ret", 1e-9)):
        assert found[metric, 300] == pytest.approx(comparison[metric]["detectable_difference"], rel=precision)


def test_the_table_has_a_column_for_each_metric() -> None:
    out = completed(*REQUEST, "-m", "ndcg@10", "-m", "rr", "--sizes", "100,300", "--quiet").out
    assert out.splitlines()[:3] == [
        "system    queries  ndcg@10      rr",
        "semantic      100   0.0655  0.0823",
        "semantic      300   0.0375  0.0472",
    ]
    assert "found with power 0.8 at p <= 0.05 (Student's t, two-sided, not adjusted)" in out
    assert "weighted" not in out


def test_every_format_holds_the_plan(comparison: sqlrank.Comparison, tmp_path: Path) -> None:
    plan = comparison.power([300])

    def check(kind: str) -> None:
        path = tmp_path / f"plan.{kind}"
        write(Plan(comparison, plan, 0.8), Destination(kind, str(path)), of=comparison)
        if kind == "parquet":
            assert pq.read_table(path).to_pylist()[0]["detectable_difference"] == pytest.approx(0.0375, abs=5e-5)
        elif kind == "json":
            assert json.loads(path.read_text())["rows"][0]["queries"] == 300
        else:
            assert "0.0375" in path.read_text()

    hold(["csv", "json", "jsonl", "parquet", "markdown", "latex"], check)
    completed(*REQUEST, "-m", "rr", "--sizes", "300", "-o", "plan.json")
    assert json.loads(Path("plan.json").read_text())["rows"][0]["queries"] == 300


WEIGHTED = ("--weight", "traffic", "--queries", SEARCH / "queries.parquet")


def test_a_plan_of_weighted_queries_is_that_of_the_formula() -> None:
    queries = SEARCH / "queries.parquet"
    with sqlrank.compare(RUNS, SEARCH / "qrels.parquet", "ndcg@10", weight="traffic", queries=queries) as comparison:
        rows = comparison.per_query.project("weight, difference").fetchall()
        found = {number: value for *_, number, value, _, _ in comparison.power([100, 300], power=0.9).fetchall()}
    weights, differences = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    number, whole = len(rows), weights.sum()
    # The standard error of the jackknife, and of how many queries of equal weight these are worth.
    residuals = weights * (differences - (weights * differences).sum() / whole) / (1 - weights / whole)
    error = math.sqrt((number - 1) / number * (residuals**2).sum()) / whole
    effective = whole**2 / (weights**2).sum()
    for size, value in found.items():
        worth = size * effective / number
        quantiles = stats.t.ppf(0.975, worth - 1) + stats.t.ppf(0.9, worth - 1)
        assert value == pytest.approx(quantiles * error * math.sqrt(effective / worth), rel=1e-9)


def test_a_plan_of_three_weighted_queries_by_hand() -> None:
    run = {f"q{number}": {"a": 2.0, "b": 1.0} for number in range(3)}
    better = run | {"q1": {"a": 1.0, "b": 2.0}}
    qrels = {query: {"b": 1} for query in run}
    queries = pa.table({"query_id": list(run), "traffic": [2.0, 1.0, 1.0]})
    with sqlrank.compare(
        systems={"A": run, "B": better}, qrels=qrels, metrics="rr", weight="traffic", queries=queries
    ) as comparison:
        ((*_, number, found, low, high),) = comparison.power([9]).fetchall()
    # Differences 0, 1/2, 0 of weights 2, 1, 1: mean 1/8, residuals 2 (-1/8) / (1/2), (3/8) / (3/4), (-1/8) / (3/4).
    # Squares 1/4 + 1/4 + 1/36 = 19/36, standard error sqrt(2/3 * 19/36) / 4 = 0.1483. The three are worth 16/6, nine
    # of them 8, so that the standard error is sqrt(1/3) of it; t with 7 degrees of freedom: 2.3646 + 0.8960.
    assert number == 9
    # The weighted residuals are -1/4, 3/8 and -1/8, so that the variance has some two degrees of freedom.
    assert 0 < 1.5 * low < found < high / 5
    assert found == pytest.approx((2.364624 + 0.896030) * math.sqrt(2 / 3 * 19 / 36) / 4 * math.sqrt(1 / 3), rel=1e-6)


def test_what_weighted_queries_are_worth_is_said() -> None:
    asked = (*REQUEST, *WEIGHTED, "--sizes", "300", "--quiet")
    outcome = completed(*asked, "-m", "ndcg@10", "-m", "num_rel_ret")
    said = "queries are weighted: 300 are by weight as good as 34 queries of equal weight, and the plan takes 11 % of"
    assert f"{said} every number, as if its queries were weighted like these" in outcome.out
    assert "queries are weighted, which counts have no part in" in completed(*asked, "-m", "num_rel_ret").out
    document = json.loads(completed(*asked, "-m", "ndcg@10", "--format", "json").out)
    assert document["remarks"][-1].startswith("queries are weighted: 300 are")


@pytest.mark.parametrize("weighted", [False, True])
def test_stored_rows_are_enough_and_plan_with_the_weight_that_they_were_stored_with(weighted: bool) -> None:
    asked, stored = (*REQUEST[4:], "-m", "rr", *(WEIGHTED if weighted else ())), []
    for run in RUNS:
        stored.append(f"{run.stem}.parquet")
        completed("eval", run, *asked, "--quiet", "--per-query", stored[-1])
    weight = ("--weight", "traffic") if weighted else ()
    plans = [
        completed("compare", "--plan", *given, "--format", "csv").out for given in ((*stored, *weight), (*RUNS, *asked))
    ]
    assert plans[0] == plans[1]
    if weighted:
        assert "was evaluated with --weight traffic" in error_of(3, "compare", "--plan", *stored)


@each(
    [
        (["--sizes", "1"], "--sizes 1: give 2 or more"),
        (["--sizes", "ten"], "--sizes: 'ten' is not a whole number"),
        (["--power", "0.2"], "--power 0.2 is not between 0.5 and 0.999"),
        (["--format", "trec"], "compare takes"),
        (["--by", "country"], "--plan has no place for --by: leave it out"),
        (["--test", "sign"], "--plan has no place for --test"),
        (["--fail-on-drop", "rr=1"], "--plan has no place for --fail-on-drop"),
        (["--show", "worst=3"], "--plan has no place for --show worst"),
        (["--per-query", "rows.csv"], "--plan has no place for --per-query"),
        (["-o", "plan.svg", "--chart", "power"], "--plan has no place for --chart"),
    ]
)
def test_what_is_no_plan_is_refused(case: tuple[list[str], str]) -> None:
    options, said = case
    assert said in error_of(2, *REQUEST, *options)


def test_the_chart_shows_the_same(comparison: sqlrank.Comparison) -> None:
    chart = comparison.plot.power([100, 300])
    rows = chart.specification["data"]["values"]
    wanted = [row for row in comparison.power([100, 300]).fetchall() if row[2] != "num_rel_ret"]
    assert [(row["metric"], row["queries"]) for row in rows] == [row[2:4] for row in wanted]
    for row, one in zip(rows, wanted, strict=True):
        assert row["value"] == pytest.approx(one[4], rel=1e-9)
    assert chart_of(comparison, "power", "zh").title == "各查询数下可检出的差异"


def test_identical_systems_have_no_plan() -> None:
    with sqlrank.compare(systems={"a": RUNS[0], "b": RUNS[0]}, qrels=SEARCH / "qrels.parquet", metrics="rr") as same:
        assert {value for *_, value, _, _ in same.power().fetchall()} == {None}
        with pytest.raises(sqlrank.UsageError, match="there is nothing to plan by"):
            same.plot.power()


def test_a_plan_stays_what_it_is_when_another_one_is_made(comparison: sqlrank.Comparison) -> None:
    first = comparison.power([50])
    second = comparison.power([100, 200])
    assert {row[3] for row in first.fetchall()} == {50}
    assert {row[3] for row in second.fetchall()} == {100, 200}
