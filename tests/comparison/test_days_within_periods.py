"""Days that differ within periods count whole, which a note says; the way back is typed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sqlrank
from tests.pages.stated import stated
from tests.support.cli_helper import completed

PERIODS = "dt=2026-11-02..2026-11-08,2026-11-09..2026-11-15"
METRIC = "dcg@1"
SENTENCE = (
    "nothing in # % of comparisons of two weeks, and with the days that the test finds, in # % of them, it is # %"
)
THOUSAND = "of 1,000 searches a day # % and # %."


def export(spread: float, queries: int = 30, seed: int = 1) -> pd.DataFrame:
    """An export of 14 days of so many queries, whose means have this standard deviation from day to day."""
    rng = np.random.default_rng(seed)
    values = np.clip(0.5 + rng.normal(0, spread, (14, 1)) + rng.normal(0, 0.1, (14, queries)), 0, 1)
    days = [f"2026-11-{2 + day:02}" for day in range(14)]
    return pd.DataFrame(
        {
            "dt": np.repeat(days, queries),
            "query_id": [f"{day} {query}" for day in days for query in range(queries)],
            "doc_id": "d",
            "score": 1.0,
            "relevance": values.ravel(),
        }
    )


def notes_of(data: pd.DataFrame, **options: Any) -> list[str]:
    """What is said of days within the periods."""
    with sqlrank.compare(data, metrics=METRIC, periods=PERIODS, **options) as found:
        return [note for note in found.notes if "differs from day to day" in note]


def test_days_that_differ_by_more_than_chance_are_told_with_the_p_value_of_chi_square() -> None:
    data = export(0.05)
    means = data.groupby("dt")["relevance"].agg(["mean", "size", "var"])
    within = (means["var"] * (means["size"] - 1)).sum()
    between = sum(
        (week["size"] * (week["mean"] - np.average(week["mean"], weights=week["size"])) ** 2).sum()
        for week in (means.iloc[:7], means.iloc[7:])
    )
    chance = stats.chi2.sf(between / within * (len(data) - 14), 12)
    (note,) = notes_of(data)
    assert f"(p {'<0.0001' if chance < 5e-5 else f'{chance:.4f}'})" in note
    assert "whole days are taken; cluster='query_id' takes queries one by one" in note
    close = export(0.015, seed=4)
    (note,) = notes_of(close)
    assert 0.0001 < float(note.partition("(p ")[2].partition(")")[0]) < 0.05


def row_of(data: pd.DataFrame, **options: Any) -> dict[str, Any]:
    """The row of Welch's t test."""
    with sqlrank.compare(data, metrics=METRIC, test="t", **{"periods": PERIODS, **options}) as found:
        return found[METRIC]


def test_whole_days_are_compared_where_they_differ() -> None:
    data = export(0.05)
    means = data.groupby("dt")["relevance"].mean()
    wanted = stats.ttest_ind(means[7:], means[:7], equal_var=False)
    row = row_of(data)
    assert row["p_value"] == pytest.approx(wanted.pvalue, rel=1e-9)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(wanted.confidence_interval()), rel=1e-9)
    for same in ({"cluster": "dt"}, {"periods": f"cast(dt as date){PERIODS.removeprefix('dt')}"}):
        assert row_of(data, **same)["p_value"] == pytest.approx(row["p_value"], rel=1e-12)
    weeks = np.split(data["relevance"].to_numpy(), 2)
    alone = stats.ttest_ind(weeks[1], weeks[0], equal_var=False).pvalue
    assert row_of(data, cluster="query_id")["p_value"] == pytest.approx(alone, rel=1e-9)


def test_days_that_are_alike_and_clusters_that_are_given_leave_nothing_to_say() -> None:
    assert not notes_of(export(0.0))
    data = export(0.05)
    assert not notes_of(data, cluster="dt")
    assert not notes_of(data, cluster="query_id")


def test_a_period_of_one_day_tells_nothing_of_days() -> None:
    with sqlrank.compare(export(0.05), metrics=METRIC, periods="dt=2026-11-02..2026-11-08,2026-11-09") as found:
        row = found[METRIC]
        notes = found.notes
    assert (row["p_value"], row["ci_low"], row["significant"]) == (None, None, None)
    assert "1 difference has no interval, as one cluster (dt) has nearly all of the weight of a side" in notes


def test_days_that_are_segments_too_are_not_taken_whole() -> None:
    (note,) = notes_of(export(0.05), by="dt")
    assert "as independent, as if other days were like these: without by='dt' whole days are taken" in note


def test_queries_of_several_days_are_of_no_day() -> None:
    data = export(0.05)
    data.loc[data.index[:30], "query_id"] = data["query_id"].to_numpy()[30:60]
    data["doc_id"] = [f"d{place}" for place in range(len(data))]
    (note,) = notes_of(data)
    assert "queries of several days cannot be taken by the day" in note
    data["query_id"] = [f"q{place % 30}" for place in range(len(data))]
    assert not notes_of(data)


def test_the_command_takes_the_way_that_its_note_names(tmp_path: Any) -> None:
    export(0.05).to_csv(tmp_path / "log.csv", index=False)
    asked = ("compare", tmp_path / "log.csv", "--periods", PERIODS, "-m", METRIC)
    whole = completed(*asked)
    assert "so whole days are taken; --cluster query_id takes queries one by one" in whole.err
    assert "14 clusters of queries (--cluster dt) take labels" in whole.out
    alone = completed(*asked, "--cluster", "query_id")
    assert "differs from day to day" not in alone.err
    assert "clusters" not in alone.out


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("searches", [200, 1_000])
def test_the_page_states_what_days_that_differ_do(searches: int) -> None:
    """2,000 experiments: the figures of the page are three standard errors off at most, of up to 1.1 points."""
    rng, found = np.random.default_rng(8), []
    for _ in range(20):
        days = 0.5 + rng.normal(0, 0.025, (100, 14, 1))
        values = days + rng.normal(0, 0.3, (100, 14, searches))
        means, weeks = values.mean(axis=2), values.reshape(100, 2, -1)
        single = stats.ttest_ind(weeks[:, 0], weeks[:, 1], axis=1, equal_var=False).pvalue <= 0.05
        whole = stats.ttest_ind(means[:, :7], means[:, 7:], axis=1, equal_var=False).pvalue <= 0.05
        off = means.reshape(100, 2, 7) - weeks.mean(axis=2, keepdims=True)
        within = ((values - means[:, :, None]) ** 2).sum(axis=(1, 2)) / (14 * searches - 14)
        noted = stats.chi2.sf(searches * (off**2).sum(axis=(1, 2)) / within, 12) <= 0.05
        found.append((single, noted, np.where(noted, whole, single)))
    shares = [100 * float(np.mean(each)) for each in zip(*found, strict=True)]
    told = stated("explanation/periods.md", SENTENCE if searches == 200 else THOUSAND)
    shares = shares if searches == 200 else shares[::2]
    for share, said in zip(shares, map(float, told), strict=False):
        assert share == pytest.approx(said, abs=3 * (share * (100 - share) / 2_000) ** 0.5 * 2**0.5)
