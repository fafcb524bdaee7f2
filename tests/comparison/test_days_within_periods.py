"""Days that differ within periods are told, with the way on; that way is typed."""

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
SENTENCE = "found in # % of comparisons of two weeks, and in # % by who follows the note, which comes in # %; of 1,000"
THOUSAND = "of 1,000 searches in # % and # %."


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
    assert "cluster='dt' takes whole days" in note
    close = export(0.015, seed=4)
    (note,) = notes_of(close)
    assert 0.0001 < float(note.partition("(p ")[2].partition(")")[0]) < 0.05


def test_days_that_are_alike_and_clusters_of_days_leave_nothing_to_say() -> None:
    assert not notes_of(export(0.0))
    data = export(0.05)
    assert not notes_of(data, cluster="dt")
    with sqlrank.compare(data, metrics=METRIC, periods=PERIODS, cluster="dt", test="t") as found:
        row = found[METRIC]
    means = data.groupby("dt")["relevance"].mean()
    assert row["p_value"] == pytest.approx(stats.ttest_ind(means[7:], means[:7], equal_var=False).pvalue, rel=1e-9)


def test_queries_of_several_days_are_of_no_day() -> None:
    data = export(0.05)
    data["query_id"] = [f"q{place % 30}" for place in range(len(data))]
    data["doc_id"] = [f"d{place}" for place in range(len(data))]
    assert not notes_of(data)


def test_a_name_of_a_day_that_is_no_column_is_asked_for() -> None:
    data = export(0.05)
    with sqlrank.compare(data, metrics=METRIC, periods=f"cast(dt as date){PERIODS.removeprefix('dt')}") as found:
        assert any("cluster=, with a column of the day, takes whole days" in note for note in found.notes)


def test_the_command_names_its_option(tmp_path: Any) -> None:
    export(0.05).to_csv(tmp_path / "log.csv", index=False)
    asked = ("compare", tmp_path / "log.csv", "--periods", PERIODS, "-m", METRIC)
    assert "--cluster 'dt' takes whole days" in completed(*asked).err
    assert "differs from day to day" not in completed(*asked, "--cluster", "dt").err


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
        found.append((single, np.where(noted, whole, single), noted))
    shares = [100 * float(np.mean(each)) for each in zip(*found, strict=True)]
    told = stated("explanation/periods.md", SENTENCE if searches == 200 else THOUSAND)
    for share, said in zip(shares, map(float, told), strict=False):
        assert share == pytest.approx(said, abs=3 * (share * (100 - share) / 2_000) ** 0.5 * 2**0.5)
