"""What units did before: against a regression, and where it was influenced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from sqlrank.errors import DataError
from sqlrank.log import arms
from tests.experiments.drawn import FIRST_DAY, log_of, of_units
from tests.support.together import in_one_log

METRICS = ["ctr", "success", "rr_click", "first_click", "impressions"]


def regression(log: pd.DataFrame, metric: str, arms_of: str = "AB") -> tuple[Any, pd.DataFrame]:
    """The analysis of covariance with one slope, of the units with a value; others count with the mean."""
    now, before = (
        of_units(log),
        of_units(log[log["time"] < FIRST_DAY].assign(arm="-"), since=pd.Timestamp("2000-01-01")),
    )
    data = pd.DataFrame({"y": now[metric], "arm": now["arm"], "x": before[metric].reindex(now.index)}).dropna(
        subset="y"
    )
    data["x"] = data["x"].fillna(data["x"].mean())
    dummies = pd.DataFrame({arm: (data["arm"] == arm).astype(float) for arm in arms_of[1:]})
    return sm.OLS(data["y"], sm.add_constant(pd.concat([dummies, data["x"]], axis=1))).fit(), data


def test_the_difference_is_that_of_a_regression_with_one_slope() -> None:
    log = log_of(150, effect=0.05, days=5, before=8)
    with arms(log, METRICS, baseline="A", before="2026-10-01") as found, arms(log, METRICS, baseline="A") as plain:
        said = " ".join(found.adjusted.lines if found.adjusted else [])
        for metric in METRICS:
            row, without = found[metric], plain[metric]
            fitted, data = regression(log, metric)
            adjusted = data["y"] - fitted.params["x"] * (data["x"] - data["x"].mean())
            variance = sum(adjusted[data["arm"] == arm].var() / (data["arm"] == arm).sum() for arm in "AB")

            assert row["difference"] == pytest.approx(fitted.params["B"], rel=1e-9)
            assert f"{metric} {fitted.params['x']:.4g}" in said
            assert row["value"] == pytest.approx(adjusted[data["arm"] == "B"].mean(), rel=1e-9)
            assert row["sqlrank_sums"]["stderr"] == pytest.approx(np.sqrt(variance), rel=1e-9)
            plainly = (without["difference"], without["ci_low"])
            assert (row["plain_difference"], row["plain_ci_low"]) == pytest.approx(plainly)
            assert row["variance_reduction"] == pytest.approx(1 - variance / without["sqlrank_sums"]["stderr"] ** 2)


def test_the_slope_is_pooled_over_all_arms() -> None:
    log = log_of(240, days=5, before=8, shares=(0.4, 0.3, 0.3))
    fitted, _ = regression(log, "ctr", "ABC")
    with arms(log, "ctr", baseline="A", before="2026-10-01") as found:
        for row in found.all_rows:
            assert row["difference"] == pytest.approx(fitted.params[row["system"]], rel=1e-9)


def test_variance_falls_where_people_stay_as_they_are() -> None:
    with arms(log_of(150, days=5, before=5, spread=0.1, often=20), "ctr", baseline="A", before="2026-10-01") as found:
        assert found["ctr"]["variance_reduction"] > 0.2


def test_a_before_in_which_the_arms_were_served_is_refused() -> None:
    log = log_of(300, before=8)
    arm = log.dropna(subset="arm").drop_duplicates("user_id").set_index("user_id")["arm"]
    carried = log.assign(arm=log["user_id"].map(arm))
    with arms(carried, "ctr", baseline="A", before="2026-10-01") as found:
        assert any(note.startswith("rows before 2026-10-01 carry arms (A, B)") for note in found.notes)
    ranked = carried.rename(columns={"arm": "system"})
    with pytest.raises(DataError, match=r"lists before 2026-10-01 were already made by several arms \(A, B\)"):
        arms(ranked, "ctr", baseline="A", before="2026-10-01")
    late = log_of(400, effect=0.4, before=0, days=10)
    with pytest.raises(DataError, match=r"the arms differed before 2026-10-05 already: ctr was 0\.\d+ in A"):
        arms(late, "ctr", baseline="A", before="2026-10-05")


def test_times_that_cannot_be_read_are_left_out_and_many_are_refused() -> None:
    log = log_of(100, before=5).astype({"time": str})
    log.loc[log["impression_id"] < 4, "time"] = "soon"
    with arms(log, "ctr", baseline="A", before="2026-10-01") as found:
        assert any(line.startswith("4 impressions have no time that can be read") for line in found.remarks())
    with pytest.raises(DataError, match=r"have no time that can be read \(100 %"):
        arms(log.assign(time="soon"), "ctr", baseline="A", before="2026-10-01")


def test_nobody_known_from_before_is_refused() -> None:
    log = log_of(100, before=5)
    log.loc[log["time"] < FIRST_DAY, "user_id"] = "x"
    with pytest.raises(DataError, match="no user of the test is known from before 2026-10-01"):
        arms(log, "ctr", baseline="A", before="2026-10-01")
    with pytest.raises(DataError, match="not for impressions"):
        arms(log_of(100, before=5).drop(columns="user_id"), "ctr", baseline="A", before="2026-10-01")
    with pytest.raises(DataError, match="no column of times for before="):
        arms(log.drop(columns="time"), "ctr", baseline="A", before="2026-10-01")


@pytest.mark.needs("simulation")
def test_what_came_before_leaves_the_errors_at_their_level() -> None:
    """160 tests of nothing at 5 %: 8 are expected, and 1 to 15 are within 2.7 standard deviations of 2.8."""
    log = in_one_log(log_of(60, seed=seed, days=3, before=3) for seed in range(160))
    with arms(log, "ctr", baseline="A", before="2026-10-01", by="trial", correction="none") as found:
        chances = [row["p_value"] for row in found.all_rows if not row["is_total"]]
    assert len(chances) == 160
    assert 1 <= sum(chance < 0.05 for chance in chances) <= 15
