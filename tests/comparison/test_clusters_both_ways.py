"""Texts that are asked on several days, of which days differ: both count whole, and errors are clustered both ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import sqlrank
from sqlrank.comparison.arms import crossed
from tests.support.cli_helper import completed

PERIODS = "dt=2026-11-02..2026-11-08,2026-11-09..2026-11-15"
METRIC = "dcg@1"
OF_BOTH = {"query_id": "text,dt"}


def export(spread: float = 0.2, texts: int = 40, seed: int = 1) -> pd.DataFrame:
    """25 of some texts on each of 14 days, whose means have this standard deviation; a text is worth more or less."""
    random = np.random.default_rng(seed)
    days = np.repeat(np.arange(14), 25)
    asked = np.concatenate([random.choice(texts, 25, replace=False) for _ in range(14)])
    worth = random.normal(0, 0.1, (2, texts))[days // 7, asked] + random.normal(0, spread, 14)[days]
    return pd.DataFrame(
        {
            "dt": [f"2026-11-{2 + day:02}" for day in days],
            "text": [f"text {number}" for number in asked],
            "doc_id": "d",
            "score": 1.0,
            "relevance": 2 + worth + random.normal(0, 0.1, len(days)),
        }
    )


def row_of(data: pd.DataFrame, **options: Any) -> dict[str, Any]:
    """The row of the total."""
    known = {"periods": PERIODS, "columns": OF_BOTH, "test": "t", **options}
    with sqlrank.compare(data, metrics=METRIC, **known) as found:
        return found[METRIC]


def variance(data: pd.DataFrame, cluster: Any) -> float:
    """That of the difference of the weeks by leaving out each cluster, by another program."""
    side = (data["dt"] >= "2026-11-09").to_numpy()
    moved = np.zeros(len(cluster.unique()))
    places = pd.factorize(cluster)[0]
    for week, sign in ((side, 1), (~side, -1)):
        values, of = data["relevance"].to_numpy()[week], places[week]
        number, total = len(np.unique(of)), np.bincount(of, minlength=len(moved))
        sums = np.bincount(of, values - values.mean(), len(moved))
        moved += sign * sums / (len(values) - total) * ((number - 1) / number) ** 0.5
    return float((moved**2).sum())


@pytest.mark.parametrize("spread", [0.15, 0.3])
def test_the_variance_is_that_of_texts_and_of_days_less_that_of_both(spread: float) -> None:
    data = export(spread)
    texts, days, both = (variance(data, each) for each in (data["text"], data["dt"], data["text"] + data["dt"]))
    wanted = max(texts + days - both, texts, days)
    assert wanted > max(texts, days)
    row = row_of(data, cluster="text")
    assert row["sqlrank_sums"]["stderr"] == pytest.approx(wanted**0.5, rel=1e-9)
    weeks = data.groupby(data["dt"] >= "2026-11-09")["relevance"].mean()
    assert row["difference"] == pytest.approx(weeks[True] - weeks[False], rel=1e-9)


def test_the_interval_is_no_narrower_than_by_days_or_by_texts() -> None:
    data = export()
    both = row_of(data, cluster="text")
    for other in (row_of(data), row_of(export(), cluster="query_id")):
        assert both["ci_low"] < other["ci_low"]
        assert both["ci_high"] > other["ci_high"]


def test_every_test_takes_both_ways_and_agrees_with_its_interval() -> None:
    for seed in range(5):
        data = export(seed=seed)
        least = row_of(data, cluster="text")["p_value"]
        for test in ("randomization", "bootstrap"):
            row = row_of(data, cluster="text", test=test)
            assert row["p_value"] >= least
            beyond = row["ci_low"] is not None and (row["ci_low"] > 0 or row["ci_high"] < 0)
            assert bool(row["significant"]) == beyond


def test_texts_whose_days_are_alike_count_by_themselves() -> None:
    data = export(spread=0.0)
    with sqlrank.compare(data, metrics=METRIC, periods=PERIODS, columns=OF_BOTH, cluster="text", test="t") as found:
        assert not [note for note in found.notes if "from day to day" in note]
        assert found[METRIC]["sqlrank_sums"]["stderr"] ** 2 == pytest.approx(variance(data, data["text"]), rel=1e-9)


def test_segments_have_their_own_variance_both_ways() -> None:
    data = export()
    data["half"] = ["even" if int(text.split()[1]) % 2 == 0 else "odd" for text in data["text"]]
    with sqlrank.compare(
        data, metrics=METRIC, periods=PERIODS, columns=OF_BOTH, cluster="text", test="t", by="half"
    ) as found:
        rows = {row["half"]: row for row in found.to_dicts() if not row["is_total"]}
        ends = {half: (row["ci_low"], row["ci_high"]) for half, row in rows.items()}
    for half, part in data.groupby("half"):
        alone = row_of(part, cluster="text")
        assert ends[half] == pytest.approx((alone["ci_low"], alone["ci_high"]), rel=1e-9)


def test_parts_of_segments_and_of_queries_are_as_wide_as_both_ways_make_them() -> None:
    data = export()
    data["half"] = ["even" if int(text.split()[1]) % 2 == 0 else "odd" for text in data["text"]]
    widths = {}
    for cluster in ("text", None, "query_id"):
        with sqlrank.compare(
            data, metrics=METRIC, periods=PERIODS, columns=OF_BOTH, cluster=cluster, test="t", by="half"
        ) as found:
            names = found.parts.columns
            parts = [dict(zip(names, row, strict=True)) for row in found.parts.fetchall()]
        within = [part for part in parts if part["kind"] == "segments" and part["part"] == "within"]
        widths[cluster] = within[0]["ci_high"] - within[0]["ci_low"]
    assert widths["text"] > max(widths[None], widths["query_id"])


def test_a_side_of_one_day_has_no_interval() -> None:
    data = export()
    periods = "dt=2026-11-02..2026-11-08,2026-11-09"
    with sqlrank.compare(data, metrics=METRIC, periods=periods, columns=OF_BOTH, cluster="text") as found:
        row = found[METRIC]
        assert (row["p_value"], row["ci_low"], row["significant"]) == (None, None, None)
        assert "1 difference has no interval, as one cluster (text or dt) has nearly all" in " ".join(found.notes)


def test_units_without_a_standard_error_either_way_have_none() -> None:
    alone = {"stderr": None, "effective": 1.0, "linear_error": 0.0, "units": 1}
    some = {"stderr": 0.5, "effective": 9.0, "linear_error": 0.5, "units": 9}
    assert crossed(some, alone, some)["stderr"] is None
    assert crossed(some, some | {"effective": 4.0}, some)["effective"] == 4.0


def store_of(folder: Any, spread: float, queries: int = 40) -> tuple[str, Any]:
    """A store of the same queries on 14 days, whose means have this standard deviation, and the values."""
    random, store = np.random.default_rng(3), str(folder / "store")
    worth = 2 + random.normal(0, 0.1, (queries, 1)) + random.normal(0, spread, 14)
    values = worth + random.normal(0, 0.1, (queries, 14))
    for day in range(14):
        run = {f"q{query}": {"d": 1.0} for query in range(queries)}
        qrels = {f"q{query}": {"d": float(values[query, day])} for query in range(queries)}
        with sqlrank.evaluate(run, qrels, METRIC) as result:
            result.store(store, as_of=f"2026-11-{2 + day:02}")
    return store, values


def test_days_of_a_store_that_differ_count_whole_beside_queries_that_come_again(tmp_path: Any) -> None:
    store, values = store_of(tmp_path, 0.05)
    days, both = (
        sum(week.var(ddof=1) / week.size for week in np.split(each, 2, axis=-1))
        for each in (values.mean(axis=0), values)
    )
    moved = values[:, 7:].mean(axis=1) - values[:, :7].mean(axis=1)
    wanted = days + moved.var(ddof=1) / len(moved) - both
    options: dict[str, Any] = {"metrics": METRIC, "periods": PERIODS.replace("dt", "as_of")}
    for test in ("t", "randomization"):
        with sqlrank.compare(store, test=test, **options) as found:
            row, notes, remarks = found[METRIC], found.notes, "\n".join(found.remarks())
            names, rows = found.parts.columns, found.parts.fetchall()
        assert row["sqlrank_sums"]["stderr"] ** 2 == pytest.approx(max(wanted, days), rel=1e-9)
        assert any(
            "clustered by as_of as well as by query; cluster='query_id' takes queries one by one" in x for x in notes
        )
        assert "cluster-robust both ways, by query and by as_of" in remarks
        parts = dict(zip(names, zip(*rows, strict=True), strict=True))
        assert parts["contribution"][0] == pytest.approx(row["difference"], rel=1e-9)
        assert set(parts["ci_low"]) == set(parts["ci_high"]) == {None}
    with sqlrank.compare(store, test="t", cluster="query_id", **options) as found:
        assert found[METRIC]["sqlrank_sums"]["stderr"] ** 2 == pytest.approx(moved.var(ddof=1) / len(moved), rel=1e-9)
        assert not [note for note in found.notes if "from day to day" in note]


def test_days_of_a_store_are_told_apart_without_what_queries_are_worth(tmp_path: Any) -> None:
    from scipy import stats

    store, values = store_of(tmp_path, 0.03)
    between = within = 0.0
    for week in np.split(values, 2, axis=1):
        off = week - week.mean(axis=1, keepdims=True)
        between += len(off) * (off.mean(axis=0) ** 2).sum()
        within += ((off - off.mean(axis=0)) ** 2).sum()
    free = 2 * (values.shape[0] - 1) * 6
    chance = stats.chi2.sf(between / within * free, 12)
    with sqlrank.compare(store, metrics=METRIC, periods=PERIODS.replace("dt", "as_of")) as found:
        assert any(f"(p {'<0.0001' if chance < 5e-5 else f'{chance:.4f}'})" in note for note in found.notes)


def test_the_command_says_both_ways_and_types_the_way_back(tmp_path: Any) -> None:
    export().to_csv(tmp_path / "log.csv", index=False)
    asked = ("compare", tmp_path / "log.csv", "--periods", PERIODS, "-m", METRIC, "--column", "query_id=text,dt")
    both = completed(*asked, "--cluster", "text")
    assert "clustered by dt as well as by text; --cluster query_id takes queries one by one" in both.err
    assert "40 clusters of queries (--cluster text)" in both.out
    assert "cluster-robust both ways, by text and by dt" in both.out
    whole = completed(*asked)
    assert "so whole days are taken; --cluster query_id" in whole.err
    assert "clusters" not in completed(*asked, "--cluster", "query_id").out
