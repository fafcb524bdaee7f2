"""Margins: not worse, equivalent, and the gate; by hand, beside statsmodels, and by simulation."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

import sqlrank
from sqlrank.comparison.margins import p_values
from sqlrank.statistics.signs import of_shares
from tests.comparison.test_power import FIRST, SECOND
from tests.pages.stated import assert_stated
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import METRIC, compared, row
from tests.support.tables import each

TRIALS = 2000
SEARCH = FIXTURES / "search"
REQUEST = ("compare", SEARCH / "semantic.parquet", SEARCH / "keyword.parquet", "--qrels", SEARCH / "qrels.parquet")
"""A candidate whose ndcg@10 is 0.0566 lower, with a standard error of 0.0134."""


@each([0.1, 0.5, 1.0, 3.0])
def test_p_values_are_those_of_two_one_sided_t_tests(margin: float) -> None:
    found = row({"margins": {METRIC: margin}}, a=FIRST, b=SECOND)
    equivalent, (_, below, _), _ = DescrStatsW(np.subtract(SECOND, FIRST)).ttost_mean(-margin, margin)
    assert found["margin"] == margin
    assert (found["p_not_worse"], found["p_equivalent"]) == pytest.approx((below, equivalent), rel=1e-10)


def test_a_margin_of_the_end_of_the_interval_has_half_of_alpha_and_one_query_shows_nothing() -> None:
    found = row({"alpha": 0.1, "test": "t"}, a=SECOND, b=FIRST)
    assert found["ci_low"] < 0
    at_end = row({"alpha": 0.1, "margins": {METRIC: -found["ci_low"]}}, a=SECOND, b=FIRST)
    assert at_end["p_not_worse"] == pytest.approx(0.05, rel=1e-9)
    found = row({"margins": {METRIC: 5}}, a=[1], b=[1])
    assert (found["p_not_worse"], found["p_equivalent"]) == (None, None)


def test_values_of_0_and_1_are_tested_by_their_own_interval() -> None:
    first, second = [1, 0, 1, 1, 0, 1, 0, 1] * 4, [1, 1, 1, 0, 0, 1, 1, 1] * 4
    with compared({"margins": {"success@1": 0.05}, "alpha": 0.1, "test": "t"}, a=first, b=second) as comparison:
        found = comparison["success@1"]
    low, _ = of_shares(found["wins"] / 32, found["losses"] / 32, 32).ends(0.1)
    assert found["ci_low"] == pytest.approx(low, rel=1e-12)
    centre, spread = p_values_at(found["wins"] / 32, found["losses"] / 32, 32)
    assert found["p_not_worse"] == pytest.approx(stats.t.sf((centre + 0.05) / spread, 31), rel=1e-9)


def p_values_at(won: float, lost: float, number: int) -> tuple[float, float]:
    """The middle of Bonett and Price's interval, and its standard error."""
    more, fewer = (won * number + 1) / (number + 2), (lost * number + 1) / (number + 2)
    return more - fewer, math.sqrt((more + fewer - (more - fewer) ** 2) / (number + 2))


def test_a_share_is_one_of_the_value_of_the_baseline_and_a_margin_of_a_count_one_of_its_sum() -> None:
    with compared({"margins": {METRIC: "10%", "num_rel_ret": 6}}, a=FIRST, b=SECOND) as comparison:
        found = comparison[METRIC]
        assert comparison["num_rel_ret"]["margin"] == 6
    absolute = row({"margins": {METRIC: found["baseline_value"] / 10}}, a=FIRST, b=SECOND)
    assert found["margin"] == pytest.approx(absolute["margin"], rel=1e-12)
    assert found["p_not_worse"] == pytest.approx(absolute["p_not_worse"], rel=1e-9)


@each([(0.0, "all 12 queries tie"), (1.0, "all 12 differences are alike")])
def test_differences_that_are_all_alike_are_not_enough_evidence(case: tuple[float, str]) -> None:
    shift, said = case
    first = [value + 1 for value in FIRST]
    with compared({"margins": {METRIC: 0.5}}, a=first, b=[value + shift for value in first]) as comparison:
        found = comparison[METRIC]
        assert (found["p_not_worse"], found["p_equivalent"], found["ci_low"]) == (None, None, None)
        assert f"{METRIC} of b, margin 0.5: not enough evidence: {said}" in comparison.remarks()
        note = "1 difference has no interval, as it is the same for all queries: that is no evidence"
        assert [each for each in comparison.notes if "no interval" in each] == [note]


def test_two_queries_on_which_both_tie_do_not_pass_a_gate(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / f"{name}.csv").write_text("query_id,doc_id,score\nq,a,2\nq,b,1\np,b,2\np,a,1\n")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\np,a,1\n")
    request = ["compare", "old.csv", "new.csv", "--qrels", "qrels.csv", "-m", "ndcg@10", "-m", "success@1"]
    gates = "--not-worse-than", "ndcg@10=0.01", "--not-worse-than", "success@1=0.01"
    failed = run_cli(*request, *gates)
    assert failed.code == 4
    said = "of new is not shown to be less than 0.01 below old"
    assert f"ndcg@10 {said}: not enough evidence: all 2 queries tie" in failed.err
    assert "ask with --fail-on-drop, which needs no evidence; success@1" in failed.err
    assert f"success@1 {said}: p 0.491 is above 0.05" in failed.err
    dropped = [gate.replace("not-worse-than", "fail-on-drop") for gate in gates]
    assert run_cli(*request, *dropped).code == 0


@each([(0.0, 1.0), (0.0, 0.1), (0.2, 0.7)])
def test_two_values_have_the_interval_of_shares_whatever_they_are(values: tuple[float, float]) -> None:
    rng = np.random.default_rng(3)
    first, second = ([values[hit] for hit in rng.integers(0, 2, 40)] for _ in range(2))
    found = row({"margins": {METRIC: 0.05}, "test": "t"}, a=first, b=second)
    wins, losses = (np.mean(np.subtract(second, first) * sign > 0) for sign in (1, -1))
    apart = values[1] - values[0]
    centre, spread = (apart * each for each in p_values_at(float(wins), float(losses), 40))
    shares = centre + stats.t.ppf([0.025, 0.975], 39) * spread
    student = DescrStatsW(np.subtract(second, first)).tconfint_mean() if values != (0.0, 1.0) else shares
    low, high = min(shares[0], student[0]), max(shares[1], student[1])
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((low, high), rel=1e-9)
    assert found["p_not_worse"] >= stats.t.sf((centre + 0.05) / spread, 39) * (1 - 1e-9)


def test_queries_that_mostly_tie_have_two_added_to_them_by_hand() -> None:
    first, second = [1.0] * 20, [1.0] * 16 + [1.5, 1.25, 0.75, 1.5]
    found = row({"margins": {METRIC: 0.1}, "test": "t"}, a=first, b=second)
    # 16 of 20 tie: each of the two weighs ((0.8 - 0.5) / 0.5)^2 = 0.36; the metric has no range, so that they lie
    # at twice the largest difference for 3 of the 4 differences seen: the square is 0.25 + 0.75 * 0.75
    number, size = 20.72, 0.8125
    mean = 1.0 / number
    squares = 0.25 * 2 + 0.0625 * 2 + 0.72 * size - number * mean**2
    spread = math.sqrt(squares / (number - 1) / number)
    half = stats.t.ppf(0.975, number - 1) * spread
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((mean - half, mean + half), rel=1e-9)
    assert found["p_not_worse"] == pytest.approx(stats.t.sf((mean + 0.1) / spread, number - 1), rel=1e-9)


def test_only_rows_with_a_margin_have_one_and_only_then_there_are_columns() -> None:
    asked = [SEARCH / "keyword.parquet", SEARCH / "semantic.parquet"], SEARCH / "qrels.parquet", ["ndcg@10", "ap"]
    with sqlrank.compare(*asked, margins={"map": 0.01}) as comparison:
        names = ["margin", "p_not_worse", "p_equivalent"]
        assert [name for name in comparison.rows.columns if name in names] == names
        assert comparison["ndcg@10"]["margin"] is None
        assert comparison["ap"]["p_not_worse"] < 1e-6
        said = "ap of semantic, margin 0.01: not worse (p <0.0001), not shown to be equivalent (p 1.0000)"
        assert said in " ".join(str(comparison).split())
    with sqlrank.compare(*asked) as comparison:
        assert "margin" not in comparison.rows.columns


# 0.0566 + 1.65 * 0.0134 = 0.0786
@each([("0.1", 0), ("0.0788", 0), ("0.0785", 4), ("20%", 0), ("5%", 4)])
def test_the_gate_holds_where_the_loss_is_shown_to_be_smaller(case: tuple[str, int]) -> None:
    bound, code = case
    outcome = run_cli(*REQUEST, "-m", "ndcg@10", "--not-worse-than", f"ndcg@10={bound}", "--quiet")
    assert outcome.code == code, outcome.err
    said = f"ndcg@10 of keyword is not shown to be less than {bound.replace('%', ' %')} below semantic"
    assert (said in outcome.err) == (code == 4)


@each(
    [
        (["--margin", "ndcg@10=0"], "--margin ndcg@10=0: a margin is above 0"),
        (["--margin", "ndcg@10"], "write METRIC=VALUE"),
        (["--margin", "ndcg@10=much"], "much is not a number, nor a share"),
        (["--margin", "ap=0.1", "--not-worse-than", "ap=0.2"], "ap has two margins"),
        (["--margin", "ap=0.1", "--not-worse-than", "map=0.2"], "ap has another margin too, 0.1"),
        (["--margin", "ap=0.1", "--margin", "map=5%"], "ap has another margin too, 0.1"),
        (["--not-worse-than", "ap=-1%"], "a margin is above 0"),
    ]
)
def test_what_is_no_margin_is_refused(case: tuple[list[str], str]) -> None:
    options, said = case
    assert said in error_of(2, *REQUEST, *options)


def test_the_message_in_python_names_the_argument() -> None:
    with pytest.raises(sqlrank.UsageError, match=r"margins=\{'ndcg@10': 0\}: a margin is above 0"):
        row({"margins": {"ndcg@10": 0}}, a=FIRST, b=SECOND)


def drawn(kind: str, number: int) -> np.ndarray[Any, Any]:
    """Differences of so many queries in every trial."""
    rng, shape = np.random.default_rng(number), (TRIALS, number)
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "ndcg":
        return rng.beta(2, 2, shape) * (rng.random(shape) < 0.8) - rng.beta(2, 2, shape)
    return rng.choice([-1.0, 0.0, 1.0], p=[0.25, 0.6, 0.15], size=shape)


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("kind", ["normal", "ndcg", "binary"])
@pytest.mark.parametrize("number", [20, 50, 200])
def test_a_loss_of_the_margin_is_rarely_called_none(kind: str, number: int) -> None:
    """2,000 experiments: the standard error of 5 % is half a point, and the bound of 6.5 % three of them above."""
    margin = {"normal": 0.4, "ndcg": 0.5 - 0.8 * 0.5, "binary": 0.1}[kind]
    values = drawn(kind, number) - (margin if kind == "normal" else 0)
    errors = {"not worse": 0, "equivalent": 0}
    for sample in values:
        described = {
            "stderr": float(sample.std(ddof=1)) / math.sqrt(number),
            "difference": float(sample.mean()),
            "effective": float(number),
            "is_binary": kind == "binary",
            "apart": float(kind == "binary"),
            "units": number,
            "changed": int((sample != 0).sum()),
            "largest": float(abs(sample).max()),
            "span": None if kind == "normal" else 1.0,
            "won": float((sample > 0).mean()),
            "lost": float((sample < 0).mean()),
        }
        worse, equivalent = p_values(described, margin)
        errors["not worse"] += worse is not None and worse <= 0.05
        errors["equivalent"] += equivalent is not None and equivalent <= 0.05
    assert errors["equivalent"] <= errors["not worse"] <= 0.065 * TRIALS
    share = 100 * errors["not worse"] / TRIALS
    assert_stated(share, "explanation/comparison.md", "candidate is called not worse in # to # % of")
