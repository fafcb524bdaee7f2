"""The metrics of arms by hand, and the comparison of their units against scipy."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from scipy import stats

from sqlrank.errors import DataError, UsageError
from sqlrank.experiments.metrics import arm_metrics
from sqlrank.log import arms
from tests.experiments.drawn import log_of, of_units, rows_of
from tests.support.tables import hold

# Two users of A, two of B. Of each impression: documents shown, and the positions clicked.
WORKED = rows_of(
    ("a1", "ann", "A", "2026-10-01 08:00", 4, [2]),
    ("a2", "ann", "A", "2026-10-02 08:00", 2, []),
    ("a3", "abe", "A", "2026-10-02 09:00", 4, [1, 3]),
    ("b1", "bea", "B", "2026-10-01 10:00", 4, [1]),
    ("b2", "bob", "B", "2026-10-01 11:00", 5, [3, 4]),
    ("b3", "bob", "B", "2026-10-03 12:00", 4, []),
    ("b4", "bob", "B", "2026-10-03 13:00", 4, [2]),
)
BY_HAND = {
    # Ann: (1/4 + 0) / 2 = .125, Abe: 2/4; Bea: 1/4, Bob: (2/5 + 0 + 1/4) / 3 = .216667.
    "ctr": ((0.125 + 0.5) / 2, (0.25 + 0.65 / 3) / 2),
    "clicks": ((0.5 + 2) / 2, (1 + 1) / 2),
    "success": ((0.5 + 1) / 2, (1 + 2 / 3) / 2),
    "abandonment": (0.25, 1 / 6),
    # Ann: (1/2 + 0) / 2, Abe: 1; Bea: 1, Bob: (1/3 + 0 + 1/2) / 3.
    "rr_click": ((0.25 + 1) / 2, (1 + 5 / 18) / 2),
    "click_at_1": ((0 + 1) / 2, (1 + 0) / 2),
    # Ann: 2, Abe: 1; Bea: 1, Bob: (3 + 2) / 2; a click at position p came after 10 p seconds.
    "first_click": (1.5, 1.75),
    "time_to_click": (15.0, 17.5),
    "impressions": (1.5, 2.0),
}


@pytest.fixture(scope="module")
def worked() -> dict[str, dict[str, Any]]:
    with arms(WORKED, list(BY_HAND), baseline="A") as found:
        return {row["metric"]: row for row in found.all_rows}


@pytest.mark.parametrize(("metric", "values"), BY_HAND.items())
def test_metrics_are_those_worked_out_by_hand(
    metric: str, values: tuple[float, float], worked: dict[str, dict[str, Any]]
) -> None:
    row = worked[metric]

    assert (row["baseline_value"], row["value"]) == pytest.approx(values, abs=1e-12)
    assert row["difference"] == pytest.approx(values[1] - values[0], abs=1e-12)
    assert (row["queries"], row["baseline_queries"]) == (2, 2)


def test_every_metric_is_worked_out() -> None:
    assert set(BY_HAND) == set(arm_metrics())


def test_a_purchase_is_the_click_where_it_is_the_signal_but_of_abandonment() -> None:
    bought = WORKED.assign(purchase=(WORKED["impression_id"].isin(["a1", "b4"]) & (WORKED["clicked"] == 1)).astype(int))

    with arms(bought, "success,rr_click,abandonment", baseline="A", signal="purchase") as found:
        values = {row["metric"]: (row["baseline_value"], row["value"]) for row in found.all_rows}

    assert values["success"] == pytest.approx((0.25, 1 / 6))
    assert values["rr_click"] == pytest.approx((0.125, 1 / 12))
    assert values["abandonment"] == pytest.approx(BY_HAND["abandonment"])


def test_metrics_that_are_compared_unless_named_are_those_that_the_log_tells() -> None:
    with arms(WORKED, baseline="A") as found:
        assert [metric.text for metric in found.metrics] == ["ctr", "success", "rr_click", "time_to_click"]
    with arms(WORKED.drop(columns="click_time"), baseline="A") as found:
        assert [metric.text for metric in found.metrics] == ["ctr", "success", "rr_click"]
    with pytest.raises(DataError, match=r"does not tell time_to_click: it has no column of click_time; name it with"):
        arms(WORKED.drop(columns="click_time"), "time_to_click", baseline="A")


def test_times_that_cannot_be_are_said_and_many_are_refused() -> None:
    log = log_of(150)
    happened = log["clicked"] == 1
    log["click_time"] = (log["time"] + pd.Timedelta(seconds=5)).where(happened)
    first = log[happened].groupby("impression_id").head(1).index
    log.loc[first[:4], "click_time"] = log.loc[first[:4], "time"] - pd.Timedelta(seconds=3)
    with arms(log, "time_to_click", baseline="A") as found:
        assert any(line.startswith("4 impressions with a click were clicked before") for line in found.remarks())
        assert found["time_to_click"]["value"] == pytest.approx(5)
    with pytest.raises(DataError, match=r"with a click without its time \(\d+ %"):
        arms(log.assign(click_time=log["click_time"].where(log["impression_id"] % 2 == 0)), baseline="A")
    with pytest.raises(DataError, match="time holds days and no times of lists"):
        arms(log.assign(time=log["time"].dt.normalize()), baseline="A")


@pytest.mark.parametrize("word", ["two-sided", "greater", "less"])
def test_units_are_compared_by_the_test_of_welch(word: str) -> None:
    log = log_of(120, effect=0.08)
    theirs = of_units(log)
    with arms(log, ["ctr", "success", "rr_click", "abandonment", "first_click", "impressions"], baseline="A",
              alternative=word, correction="none") as found:  # fmt: skip
        for row in found.all_rows:
            one, other = (theirs.loc[theirs["arm"] == arm, row["metric"]].dropna() for arm in "AB")
            turned = {"greater": "less", "less": "greater"} if row["better"] == "lower" else {}
            test = stats.ttest_ind(other, one, equal_var=False, alternative=turned.get(word, word))
            confidence = 0.95 if word == "two-sided" else 0.9
            interval = stats.ttest_ind(other, one, equal_var=False).confidence_interval(confidence)

            assert row["p_value"] == pytest.approx(test.pvalue, rel=1e-9)
            assert row["value"] == pytest.approx(other.mean(), rel=1e-12)
            assert (row["queries"], row["baseline_queries"]) == (len(other), len(one))
            assert (row["ci_low"], row["ci_high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_a_metric_of_which_less_is_better_gets_better_where_it_falls() -> None:
    with arms(log_of(300, effect=0.3), "success,abandonment,impressions", baseline="A") as found:
        verdicts = {row["metric"]: row["verdict"] for row in found.all_rows}

    assert verdicts == {"success": "better", "abandonment": "better", "impressions": "undecided"}


def test_margins_of_which_less_is_better_are_of_a_rise() -> None:
    asked = {"success": 0.05, "abandonment": 0.05}
    with arms(log_of(150, effect=-0.05), list(asked), baseline="A", margins=asked) as found:
        one, other = found["success"], found["abandonment"]
        assert 0.2 < one["p_not_worse"] < 0.999
        for name in ("p_not_worse", "p_equivalent"):
            assert other[name] == pytest.approx(one[name], rel=1e-9)


def test_rows_are_called_by_units() -> None:
    with arms(WORKED, "ctr", baseline="A") as found:
        (row,) = found.to_dicts()

    assert (row["units"], row["baseline_units"], row["better"], row["test"]) == (2, 2, "higher", "t")
    assert not {"queries", "wins", "ties", "losses", "delta_gsb", "shared_queries"} & set(row)


def test_values_of_units_are_there_for_other_tests_and_notebooks() -> None:
    log = log_of(60, before=3)
    theirs = of_units(log).reset_index().sort_values("unit")
    with arms(log, "ctr,clicks", baseline="A", by="device") as found:
        rows = found.per_unit
        assert rows.columns == ["unit", "system", "device", "ctr", "clicks"]
        assert [row[3] for row in rows.fetchall()] == pytest.approx(list(theirs["ctr"]), rel=1e-12)
        assert "<td>ctr</td>" in found._repr_html_() or ">ctr<" in found._repr_html_()
    with arms(log, "ctr", baseline="A", before="2026-10-01") as found:
        by_arm = found.per_unit.aggregate("system, avg(ctr)").order("system").fetchall()
        assert by_arm[1][1] == pytest.approx(found["ctr"]["value"], rel=1e-12)


def test_units_are_users_else_sessions_else_impressions() -> None:
    sessions = WORKED.rename(columns={"user_id": "session_id"})
    for log, noun in ((WORKED, "user"), (sessions, "session"), (sessions.drop(columns="session_id"), "impression")):
        with arms(log, "ctr", baseline="A") as found:
            assert found.units.noun == noun
            assert found["ctr"]["queries"] == (4 if noun == "impression" else 2)


def test_three_arms_are_compared_with_the_baseline_or_each_with_each() -> None:
    log = log_of(150, shares=(0.4, 0.3, 0.3))
    with arms(log, "ctr", baseline="B") as found:
        assert [(row["baseline"], row["system"]) for row in found.all_rows] == [("B", "A"), ("B", "C")]
    with arms(log, "ctr", all_pairs=True) as found:
        assert [(row["baseline"], row["system"]) for row in found.all_rows] == [("A", "B"), ("A", "C"), ("B", "C")]


REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({}, UsageError, r"which arm is the baseline\? baseline=NAME, of A, B"),
    ({"baseline": "C"}, UsageError, "no such arm"),
    ({"baseline": "A", "metrics": "crt"}, UsageError, r"no metric 'crt' of a log.*ctr"),
    ({"baseline": "A", "signal": "best"}, UsageError, "a grade and no event"),
    ({"baseline": "A", "test": "wilcoxon"}, UsageError, "for pairs of values"),
    ({"baseline": "A", "unit": "device"}, UsageError, "unit='device' is not known"),
    ({"baseline": "A", "unit": "session"}, DataError, "no column of session_id"),
    ({"baseline": "A", "shares": {"A": 0.5, "B": 0.6}}, UsageError, "sum to 1.1"),
    ({"baseline": "A", "shares": {"A": 0.5, "C": 0.5}}, DataError, "no user is in the arm 'C'"),
    ({"baseline": "A", "shares": {"A": 1.0}}, DataError, "says nothing of the arm 'B'"),
    ({"baseline": "A", "margins": {"impressions": 0.1}}, UsageError, "neither more nor less of it is better"),
    (
        {"baseline": "A", "sequential": True, "test": "bootstrap"},
        UsageError,
        "is a confidence sequence: leave out test=",
    ),
    ({"baseline": "A", "by": "metric"}, UsageError, "the output has a column of that name"),
    ({"baseline": "A", "by": "CTR"}, UsageError, "by='CTR': the output has a column of that name"),
    ({"baseline": "A", "by": "nothing"}, DataError, "no column 'nothing'"),
    ({"baseline": "A", "before": "2026-09-01"}, DataError, "no impression is from before 2026-09-01"),
    ({"baseline": "A", "before": "2026-11-01"}, DataError, "no impression is from 2026-11-01 on"),
]


def test_what_cannot_be_compared_is_refused() -> None:
    def check(case: tuple[dict[str, Any], type[Exception], str]) -> None:
        options, kind, said = case
        with pytest.raises(kind, match=said):
            arms(WORKED, **options)

    hold(REFUSED, check)


def test_one_arm_or_none_is_refused() -> None:
    with pytest.raises(DataError, match="names one arm, 'A'; a test needs two"):
        arms(WORKED[WORKED["arm"] == "A"], baseline="A")
    with pytest.raises(DataError, match=r"no column that says which arm.*--column arm=NAME|columns={'arm': 'NAME'}"):
        arms(WORKED.drop(columns="arm"), baseline="A")
    with pytest.raises(DataError, match="nothing was clicked"):
        arms(WORKED.assign(clicked=0), baseline="A")


def test_a_unit_in_two_arms_is_left_out_and_many_are_refused() -> None:
    log = log_of(100)
    moved = log["impression_id"] == log.loc[log["user_id"].duplicated(), "impression_id"].max()
    user = log.loc[moved, "user_id"].iloc[0]
    log.loc[moved, "arm"] = "A" if log.loc[moved, "arm"].iloc[0] == "B" else "B"
    with arms(log, "ctr", baseline="A") as found:
        said = " ".join(found.remarks())
        assert f"1 user of 100 was in several arms, such as '{user}' in 'A' and 'B'" in said
        assert found["ctr"]["queries"] + found["ctr"]["baseline_queries"] == 99
    log["arm"] = ["AB"[number % 2] for number in log["impression_id"]]
    with pytest.raises(DataError, match=r"users of 100 were in several arms.*unit='session' or unit='impression'"):
        arms(log, "ctr", baseline="A")
    with arms(log, "ctr", baseline="A", unit="impression") as found:
        assert found["ctr"]["queries"] + found["ctr"]["baseline_queries"] == log["impression_id"].nunique()


def test_impressions_of_users_who_were_randomized_are_no_units() -> None:
    with pytest.raises(DataError, match=r"the randomization unit is the user, and impressions of one user are not"):
        arms(log_of(100), "ctr", baseline="A", unit="impression")


def test_impressions_without_a_user_or_an_arm_are_left_out() -> None:
    log = log_of(200)
    log["user_id"] = log["user_id"].astype(object)
    log.loc[log["impression_id"] < 5, "user_id"] = None
    log.loc[log["impression_id"].between(5, 9), "arm"] = None
    with arms(log, "ctr", baseline="A") as found:
        said = " ".join(found.remarks())
    assert "5 impressions have no user" in said
    assert "5 impressions have no arm" in said
    assert "--before" not in said
    log.loc[log["impression_id"] % 3 == 0, "user_id"] = None
    with pytest.raises(DataError, match=r"have no user \(\d+ %; up to 5.0 % are left out\)"):
        arms(log, "ctr", baseline="A")


def test_what_came_before_the_arms_is_named() -> None:
    with arms(log_of(100, before=5), "ctr", baseline="A") as found:
        assert any("all are from before 2026-10-01, and before='2026-10-01'" in line for line in found.remarks())


def test_segments_have_rows_and_a_unit_in_several_is_of_neither() -> None:
    log = log_of(150, effect=0.1)
    log["page_kind"] = ["x" if number % 40 else "y" for number in range(len(log))]
    with arms(log, "ctr", baseline="A", by="device") as found:
        rows = found.to_dicts()
        theirs = of_units(log[log["device"] == "phone"])
        phone = next(row for row in rows if row["device"] == "phone")
        assert phone["value"] == pytest.approx(theirs.loc[theirs["arm"] == "B", "ctr"].mean(), rel=1e-12)
        assert [row["device"] for row in rows] == ["desk", "phone", None]
        assert rows[-1]["is_total"] is True
    with arms(log, "ctr", baseline="A", by=["page_kind"]) as found:
        assert {row["page_kind"] for row in found.to_dicts()} >= {"(several)", "x"}


def test_an_arm_without_clicks_or_in_no_segment_of_the_other_has_no_difference() -> None:
    silent = WORKED.assign(clicked=WORKED["clicked"].where(WORKED["arm"] == "A", 0))
    for options in ({}, {"sequential": True}, {"test": "randomization"}, {"test": "bootstrap"}):
        with arms(silent, "first_click,ctr", baseline="A", by="arm", **options) as found:
            row = found["first_click"]
            assert (row["difference"], row["p_value"], row["verdict"], row["queries"]) == (None, None, None, 0)
            assert {row["arm"] for row in found.to_dicts()} == {"A", "B", None}
            assert "first_click" in repr(found)


def test_one_sided_tests_say_what_they_look_for() -> None:
    with arms(WORKED, "abandonment,impressions", baseline="A", alternative="less") as found:
        assert "impressions: neither direction is better; the one-sided p is for a smaller value" in found.remarks()
        assert "p: Welch's t test, one-sided: the candidate is worse" in found.remarks()


def test_lists_and_names_that_are_hostile_are_read_as_they_are() -> None:
    strange = "B' \"--; drop table x"
    log = log_of(80).assign(arm=lambda data: data["arm"].where(data["arm"] == "A", strange))
    log = log.rename(columns={"user_id": 'u"ser;', "arm": "a'rm", "device": "de\"vice'"})
    with arms(log, "ctr", baseline="A", by="de\"vice'", columns={"user_id": 'u"ser;', "arm": "a'rm"}) as found:
        assert found.systems == ["A", strange]
        assert found.rows.columns[2] == "de\"vice'"


def test_the_same_users_in_a_frame_of_lists_give_the_same() -> None:
    log = log_of(60)
    listed = (
        log.groupby("impression_id")
        .agg(
            query_id=("query_id", "first"),
            user_id=("user_id", "first"),
            arm=("arm", "first"),
            shown=("doc_id", lambda ids: [str(one) for one in ids]),
            clicks=("clicked", list),
        )
        .reset_index()
    )
    with arms(log, "ctr", baseline="A") as one, arms(listed, "ctr", baseline="A") as other:
        assert one["ctr"]["difference"] == pytest.approx(other["ctr"]["difference"], rel=1e-12)


def test_events_tell_arms_and_times_of_clicks() -> None:
    rows = []
    for row in WORKED.to_dict("records"):
        known = {"query_id": row["impression_id"], "user_query": "q", "object_id": row["doc_id"], "arm": row["arm"]}
        known |= {"client_id": row["user_id"], "position": row["position"]}
        rows.append(known | {"action_name": "impression", "timestamp": row["time"].isoformat()})
        if row["clicked"]:
            rows.append(known | {"action_name": "click", "timestamp": row["click_time"].isoformat()})
    with arms(pd.DataFrame(rows), "time_to_click,ctr", baseline="A") as found:
        assert found["time_to_click"]["value"] == pytest.approx(17.5)
        assert found["ctr"]["baseline_value"] == pytest.approx(BY_HAND["ctr"][0])
