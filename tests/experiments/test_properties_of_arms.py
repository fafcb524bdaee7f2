"""What holds of any test: arms exchanged, arms alike, rows in another order, and errors at their level."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sqlrank.comparison.interval import TOO_SKEWED
from sqlrank.log import arms
from sqlrank.statistics.confidence_sequence import mixture, radius
from tests.experiments.drawn import FIRST_DAY, log_of, of_units
from tests.pages.stated import assert_stated, stated
from tests.support.together import in_one_log

METRICS = "ctr,success,rr_click,abandonment,first_click"


def test_exchanging_the_arms_changes_the_sign_alone() -> None:
    log = log_of(100, effect=0.1, before=4)
    for options in ({"before": "2026-10-01"}, {"sequential": True}):
        with arms(log, "ctr", baseline="A", **options) as one, arms(log, "ctr", baseline="B", **options) as other:
            for here, there in zip(one.all_rows, other.all_rows, strict=True):
                assert here["difference"] == pytest.approx(-there["difference"], rel=1e-12)
                assert here["p_value"] == pytest.approx(there["p_value"], rel=1e-9)
                assert here["ci_low"] == pytest.approx(-there["ci_high"], rel=1e-9)


@pytest.mark.parametrize("test", ["t", "randomization", "bootstrap"])
def test_arms_that_are_alike_do_not_differ(test: str) -> None:
    one = log_of(60, shares=(1.0,))
    twin = one.assign(
        arm="B", user_id="twin " + one["user_id"], impression_id=one["impression_id"] + len(one), query_id=0
    )
    with arms(pd.concat([one, twin]), METRICS, baseline="A", test=test, replicates=200) as found:
        for row in found.all_rows:
            assert row["difference"] == 0
            assert row["p_value"] == pytest.approx(1, abs=0.12)
            assert row["verdict"] == "undecided"
        assert not any(note.startswith("abandonment is ") for note in found.notes)


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 4, "memory_limit": "400MB"}])
def test_the_order_of_rows_and_threads_change_nothing(options: dict[str, Any]) -> None:
    log = log_of(100, effect=0.1, before=3)
    shuffled = log.sample(frac=1, random_state=3)
    asked: dict[str, Any] = {"baseline": "A", "before": "2026-10-01", "by": "device", "metrics": "ctr,rr_click"}
    with arms(log, **asked) as one, arms(shuffled, **asked, **options) as other:
        for here, there in zip(one.to_dicts(), other.to_dicts(), strict=True):
            for name, value in here.items():
                same = pytest.approx(value, rel=1e-9, abs=1e-12) if isinstance(value, float) else value
                assert there[name] == same, name
        assert one.split.rows == other.split.rows


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_other_tests_agree_with_that_of_welch(test: str) -> None:
    log = log_of(250, effect=0.06)
    with arms(log, "ctr", baseline="A", test=test) as one, arms(log, "ctr", baseline="A") as other:
        assert one["ctr"]["p_value"] == pytest.approx(other["ctr"]["p_value"], rel=0.5, abs=0.002)
        assert one["ctr"]["ci_low"] == pytest.approx(other["ctr"]["ci_low"], abs=0.004)


def test_a_confidence_sequence_has_the_radius_of_the_reference() -> None:
    assert (mixture(0.05, 30), mixture(0.05, 1000)) == pytest.approx((0.514333, 0.089085), abs=1e-6)
    assert 0.1 * radius(100, 0.05, mixture(0.05, 30)) == pytest.approx(0.310736, abs=1e-6)
    log = log_of(150, effect=0.2)
    with arms(log, "ctr", baseline="A", sequential=True, planned=150) as one, arms(log, "ctr", baseline="A") as other:
        row, error = one["ctr"], other["ctr"]["sqlrank_sums"]["stderr"]
    r, units = mixture(0.05, 150), row["queries"] + row["baseline_queries"]
    assert row["ci_high"] - row["difference"] == pytest.approx(error * radius(units, 0.05, r), rel=1e-9)
    # At its p value as alpha, with the same r, the interval ends at 0.
    assert error * radius(units, row["p_value"], r) == pytest.approx(abs(row["difference"]), rel=1e-6)
    assert (row["test"], row["p_value"] < 0.05) == ("confidence-sequence", not row["ci_low"] <= 0 <= row["ci_high"])


def test_a_sequence_of_few_units_says_nothing() -> None:
    with arms(log_of(40, effect=0.5), "ctr", baseline="A", sequential=True) as found:
        row = found["ctr"]
    assert (row["ci_low"], row["p_value"], row["verdict"]) == (None, None, None)


def test_the_difference_of_days_and_their_trend_are_those_of_clusters() -> None:
    log = log_of(80, days=5)
    log["clicked"] |= (log["arm"] == "B") & (log["position"] == 1) & (log["time"] < FIRST_DAY + pd.Timedelta(days=1))
    log["clicked"] = log["clicked"].astype(int)
    slopes, days = {}, {}
    log["day"] = (log["time"] - FIRST_DAY).dt.days
    daily = pd.concat([of_units(part).assign(day=day) for day, part in log.groupby("day")])
    for arm, rows in daily.groupby("arm"):
        x, y = rows["day"] - rows["day"].mean(), rows["ctr"] - rows["ctr"].mean()
        slope = (x * y).sum() / (x * x).sum()
        scores = (x * (y - slope * x)).groupby(rows.index).sum()
        size = len(scores)
        slopes[arm] = slope, (scores**2).sum() / (x * x).sum() ** 2 * size / (size - 1), size
        days[arm] = rows.groupby("day")["ctr"].mean()
    change = slopes["B"][0] - slopes["A"][0]
    error = math.sqrt(slopes["A"][1] + slopes["B"][1])
    with arms(log, "ctr", baseline="A") as found:
        (trend,) = found.trends.fetchall()
        by_day = [row[8] for row in found.days.fetchall()]
        notes = " ".join(found.notes)

    assert trend[3:] == pytest.approx(
        (change, error, 2 * stats.t.sf(abs(change) / error, min(slopes["A"][2], slopes["B"][2]) - 1)), rel=1e-9
    )
    assert by_day == pytest.approx(list(days["B"] - days["A"]), rel=1e-9)
    assert "novelty may wear off" in notes


def test_abandonment_that_differs_is_said_beside_clicks() -> None:
    for metric, effect, is_said in (("ctr", 0.4, True), ("impressions", 0.4, False)):
        with arms(log_of(300, effect=effect), metric, baseline="A") as found:
            assert any(note.startswith("abandonment is ") for note in found.notes) is is_said


@pytest.mark.needs("simulation")
def test_users_hold_their_level_where_impressions_of_heavy_users_do_not() -> None:
    """160 tests of nothing at 5 %: 8 are expected, and 1 to 15 are within 2.7 standard deviations of 2.8.

    A test of impressions, by Welch's t over all of them, finds far more, as those of one user are alike.
    """
    log = in_one_log(log_of(60, seed=seed, days=3, spread=3.0) for seed in range(160))
    with arms(log, "ctr", baseline="A", by="trial", correction="none") as found:
        users = [row["p_value"] for row in found.all_rows if not row["is_total"]]
    impressions = 0
    for _, trial in log.groupby("trial"):
        clicks = trial.groupby("impression_id").agg(arm=("arm", "first"), ctr=("clicked", "mean"))
        one, other = (clicks.loc[clicks["arm"] == arm, "ctr"] for arm in "AB")
        impressions += stats.ttest_ind(one, other, equal_var=False).pvalue < 0.05
    assert len(users) == 160
    assert 1 <= sum(chance < 0.05 for chance in users) <= 15
    assert impressions > 24


@pytest.mark.needs("simulation")
def test_looking_often_errs_with_a_test_and_not_with_a_sequence() -> None:
    """1,000 experiments of 51 looks: the standard error of 5 % is 0.7 points.

    The interval of each look, by its formula, over differences of two arms whose units come one after the other.
    """
    random = np.random.default_rng(5)
    r, looks, tries = mixture(0.05, 1000), range(100, 3001, 58), 1000
    crossed = tested = 0
    for _ in range(tries):
        values = random.beta(0.4, 1.2, (2, 1500))
        ends = [look // 2 for look in looks]
        means = [values[:, :end].mean(axis=1) for end in ends]
        errors = [math.sqrt((values[:, :end].var(axis=1, ddof=1) / end).sum()) for end in ends]
        far = [abs(one - other) for one, other in means]
        crossed += any(d > e * radius(2 * end, 0.05, r) for d, e, end in zip(far, errors, ends, strict=True))
        tested += any(d > 1.96 * e for d, e in zip(far, errors, strict=True))
    assert crossed / tries < 0.05
    assert tested / tries > 0.2


def test_the_pages_state_what_looking_every_day_costs_and_when_a_sequence_begins() -> None:
    days = np.random.default_rng(1).normal(size=(20_000, 14)).cumsum(axis=1) / np.sqrt(np.arange(1, 15))
    share = 100 * (abs(days) > 1.96).any(axis=1).mean()
    assert_stated(share, "recipes/ab-test-on-a-log.md", "at a p value of 5 % errs in # of 100 tests")
    assert_stated(share, "zh/recipes/ab-test-on-a-log.md", "100 次测试中有 # 次会看错")
    skewness = (1 - 0.04) / math.sqrt(0.02 * 0.98) * (0.9 - 0.1) / math.sqrt(0.9 * 0.1)
    for page, sentence in (("", "2 % of successes at about # users"), ("zh/", "大约要 # 个用户")):
        (begin,) = stated(f"{page}recipes/ab-test-on-a-log.md", sentence)
        assert float(begin) == 50 * math.ceil((skewness / TOO_SKEWED) ** 2 / 50)
