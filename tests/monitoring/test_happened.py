"""What happened where a chart is in alarm: the mix, the judgments, documents that nobody judged, or results."""

from __future__ import annotations

import copy
import datetime
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from sqlrank.monitoring.happened import Happened
from tests.monitoring.stored import store_days
from tests.support.cli_helper import run_cli
from tests.support.tables import hold

FIRST = datetime.date(2026, 1, 1)
LEVELS = 21
"""Each query has so many judged documents, of relevance 0 to 1."""


class Shop:
    """A shop whose queries have a level by country, and the days of its log."""

    def __init__(self, queries: int, pool: int) -> None:
        self.rng, self.queries = np.random.default_rng(5), queries
        self.pool = [f"{country}{number}" for country in ("de", "us") for number in range(pool)]
        self.countries = pa.table({"query_id": self.pool, "country": [name[:2] for name in self.pool]})
        self.size = pool

    def judgments(self, factor: float = 1.0) -> pa.Table:
        """The relevance of every document; a factor makes other judgments of them."""
        levels = np.arange(LEVELS) / (LEVELS - 1)
        return pa.table(
            {
                "query_id": np.repeat(self.pool, LEVELS),
                "doc_id": [f"r{level}" for level in range(LEVELS)] * len(self.pool),
                "relevance": np.tile(levels * factor, len(self.pool)),
            }
        )

    def day(self, german: float, lost: float = 0.0, unjudged: float = 0.0) -> pa.Table:
        """What was returned on a day: a share of German queries, worse results in the US, documents that are new."""
        number = self.rng.binomial(self.queries, german)
        found = [
            *self.rng.choice(self.size, number, replace=False),
            *(self.size + self.rng.choice(self.size, self.queries - number, replace=False)),
        ]
        common = self.rng.normal(0, 0.01)
        values = [0.45 + common if place < self.size else 0.65 + common - lost for place in found]
        levels = np.clip(np.rint((self.rng.normal(values, 0.2)) * (LEVELS - 1)), 0, LEVELS - 1).astype(int)
        new = self.rng.random(len(found)) < unjudged
        documents = [f"new{at}" if is_new else f"r{at}" for at, is_new in zip(levels, new, strict=True)]
        return pa.table({"query_id": [self.pool[at] for at in found], "doc_id": documents, "score": [1.0] * len(found)})

    def store(self, place: Path, runs: Mapping[int, pa.Table], qrels: pa.Table, **more: Any) -> None:
        """Store the values of days."""
        options: dict[str, Any] = {"by": "country", "queries": self.countries, "query_set": "shared", "checks": False}
        store_days(place, {day(number): run for number, run in runs.items()}, "dcg@1", qrels=qrels, **options, **more)


def alarms(place: Path, baseline: str | None = None) -> dict[str | None, Happened]:
    """What happened on the charts in alarm, by country."""
    with sqlrank.monitor(str(place), metrics="dcg@1", by="country", baseline_days=baseline) as watched:
        found = zip(watched.alarms, watched.happened, strict=True)
        return {chart["country"]: happened for chart, happened in found}


def day(number: int) -> str:
    """A day as a text."""
    return str(FIRST + datetime.timedelta(days=number))


BASELINE = f"{day(0)}..{day(19)}"
"""The days before the change, which comes on the day 20."""
TOLD: dict[str, tuple[dict[str, float], float, str]] = {
    "mix": ({"german": 0.75}, 1.0, "the mix of country changed"),
    "judgments": ({"german": 0.4}, 0.8, f"the judgments were renewed on {day(20)}"),
    "unjudged": ({"german": 0.4, "unjudged": 0.3}, 1.0, "documents are new, not worse"),
    "change": ({"german": 0.4, "lost": 0.15}, 1.0, "the results in country=us make"),
}
"""What changes, how much the judgments do, and what is said, by kind."""


def test_an_alarm_says_what_happened(tmp_path: Path) -> None:
    usual = Shop(queries=300, pool=400)
    usual.store(tmp_path / "usual", {number: usual.day(0.4) for number in range(20)}, usual.judgments())

    def check(kind: str) -> None:
        changed, factor, said = TOLD[kind]
        shop, place = copy.deepcopy(usual), tmp_path / kind
        shutil.copytree(tmp_path / "usual", place)
        shop.store(place, {number: shop.day(**changed) for number in range(20, 26)}, shop.judgments(factor))
        found = alarms(place, BASELINE)[None]
        assert found.kind == kind, found
        assert said in found.said
        if kind == "change":  # the command says what Python does
            outcome = run_cli("monitor", place, "-m", "dcg@1", "--by", "country", "--baseline-days", BASELINE)
            assert outcome.code == 4
            assert said in outcome.err

    hold({kind: kind for kind in TOLD}, check)


@pytest.mark.parametrize("stored", [True, False], ids=["store", "export"])
def test_a_drop_is_none_while_what_nobody_judged_may_explain_it(stored: bool, tmp_path: Path) -> None:
    def check(case: tuple[dict[str, float], str, str]) -> None:
        changed, kind, said = case
        shop = Shop(queries=300, pool=400)
        days = {number: shop.day(0.4, **(changed if number >= 20 else {})) for number in range(26)}
        asked: dict[str, Any] = {"by": "country", "baseline_days": BASELINE}
        if stored:
            shop.store(tmp_path / kind, days, shop.judgments(), bounds=True)
            watching = sqlrank.monitor(tmp_path / kind, None, "dcg@1", **asked)
        else:
            asked |= {"day": "dt", "queries": shop.countries, "query_set": "shared", "bounds": True}
            watching = sqlrank.monitor(dated(days), shop.judgments(), "dcg@1", **asked)
        with watching as watched:
            happened = watched.happened[[chart["is_total"] for chart in watched.alarms].index(True)]
        assert happened.kind == kind, happened
        assert said in happened.said

    cases: dict[str, tuple[dict[str, float], str, str]] = {
        "all": ({"unjudged": 0.3}, "unjudged", "no drop until more is judged: dcg@1 would be up to 0.69"),
        "not all": ({"unjudged": 0.06, "lost": 0.3}, "change", "the results in country=us make"),
    }
    hold(cases, check)


def dated(days: Mapping[int, pa.Table]) -> pa.Table:
    """The rows of several days, with the day in a column `dt`."""
    return pa.concat_tables(
        [rows.append_column("dt", pa.array([day(number)] * len(rows))) for number, rows in days.items()]
    )


def test_judgments_that_age_are_noted_with_their_half_life(tmp_path: Path) -> None:
    shop, judged = Shop(queries=200, pool=300), [0.95 * 2 ** (-number / 20) for number in range(20)]
    runs = {number: shop.day(0.4, unjudged=1 - share) for number, share in enumerate(judged)}
    shop.store(tmp_path, runs, shop.judgments())
    with sqlrank.monitor(str(tmp_path), metrics="dcg@1") as watched:
        (note,) = [note for note in watched.notes if note.startswith("judged@1:")]
    last, first, half = map(int, re.findall(r"(\d+) (?:%|days?[;,] )", note.replace("the last 7 days", "")))
    assert (last, first) == pytest.approx((100 * np.mean(judged[-7:]), 100 * np.mean(judged[:7])), abs=3)
    assert half == pytest.approx(20, abs=3)
    with pytest.raises(UsageError, match="was stored without bounds="):
        sqlrank.monitor(tmp_path, metrics="dcg@1", bounds=True)
    with pytest.raises(UsageError, match="judged_at= needs judgments of their own"):
        sqlrank.monitor(tmp_path, metrics="dcg@1", judged_at="made_at")


@pytest.mark.parametrize("of_each_day", [False, True], ids=["judgments of every day", "of each day"])
def test_an_export_with_judgments_of_its_own_says_that_documents_are_new(of_each_day: bool) -> None:
    shop = Shop(queries=300, pool=400)
    days = dated({number: shop.day(0.4, unjudged=0.3 if number >= 20 else 0.0) for number in range(26)})
    qrels = dated(dict.fromkeys(range(26), shop.judgments())) if of_each_day else shop.judgments()
    given: dict[str, Any] = {"day": "run.dt" if of_each_day else "dt", "query_set": "shared", "baseline_days": BASELINE}
    with sqlrank.monitor(days, qrels, "dcg@1", **given) as watched:
        assert watched.metrics == ["dcg@1"]
        (happened,) = watched.happened
        assert any(note.startswith("judged@1: 7") for note in watched.notes), watched.notes
    assert (happened.kind, "documents are new, not worse" in happened.said) == ("unjudged", True), happened


@pytest.mark.parametrize("apart", [True, False], ids=["judgments apart", "labelled"])
def test_an_alarm_of_an_export_says_that_documents_are_new(apart: bool) -> None:
    random, rows, labels = np.random.default_rng(4), [], []
    for number in range(26):
        for query in range(100):
            new = number >= 20 and query % 4 == 0
            document = f"n{number}d{query}" if new else f"d{query}" if number or query % 2 else f"old{query}"
            relevance = float(random.random() < (0.7 if number < 20 else 0.3))
            rows.append((day(number), f"q{query}n{number}", document, 1.0, relevance, "a"))
            rows.append((day(number), f"q{query}n{number}", "same", 0.0, 0.0, "a"))
            labels += [(*rows[-2][1:3], relevance), (f"q{query}n{number}", "same", 0.0)]
            if not apart:
                rows.append((day(number), f"q{query}n{number}", f"b{number}d{query}", 1.0, float(query % 3 > 0), "b"))
    export = table(rows, "dt", "query_id", "doc_id", "score", "relevance", "system")
    qrels = table(labels, "query_id", "doc_id", "relevance") if apart else None
    run = export.drop_columns(["relevance", "system"]) if apart else export
    asked: dict[str, Any] = {"day": "dt", "baseline_days": BASELINE, "rule": "shewhart"}
    with sqlrank.monitor(run, qrels, "dcg@1", **asked) as watched:
        (chart,), (happened,) = watched.alarms, watched.happened
    assert (str(chart["since"]), happened.kind) == (day(20), "change")
    assert "12 % of the documents had not been shown before, compared with 0 % in the 6 days before" in happened.said


def test_judgments_of_documents_that_are_not_returned_any_more_are_counted() -> None:
    rows = [(day(number), f"{query}", f"d{query}", 1.0) for number in range(28) for query in range(number % 7, 10)]
    rows += [(day(number), f"{query}", "gone", 0.5) for number in range(21) for query in range(4)]
    rows += [(day(27), "4", "d9", 0.5)]
    qrels: dict[str, dict[str, float]] = {f"{query}": {f"d{query}": 1, "gone": 0} for query in range(10)}
    with sqlrank.monitor(table(rows, "dt", "query_id", "doc_id", "score"), qrels, "dcg@1", day="dt") as watched:
        said = watched.remarks()
    assert "judgments: 50 % of 20 judged documents not returned on the last 7 days" in said


@pytest.mark.parametrize("numbers", [False, True], ids=["texts", "numbers in the judgments"])
def test_the_age_of_judgments_is_that_of_the_days_on_which_they_were_used(numbers: bool, tmp_path: Path) -> None:
    rows = [
        (day(number), f"{query}", f"{document}", 1.0)
        for number in range(28)
        for query in range(4)
        for document in (1, 2)
    ]
    judged = [("1", "1", 1, day(-10)), ("1", "2", 0, day(5)), ("2", "1", 1, day(-400)), ("3", "9", 1, day(-1))]
    path = tmp_path / "qrels.csv"
    names = "query_id,doc_id,relevance,made_at"
    kept = judged if numbers else [*judged, ("x", "y", 1, "")]
    path.write_text("\n".join([names, *(",".join(map(str, one)) for one in kept)]))
    run = table(rows, "dt", "query_id", "doc_id", "score")
    asked: dict[str, Any] = {"metrics": "dcg@1", "day": "dt", "judged_at": "made_at"}
    with sqlrank.monitor(run, path, **asked) as watched:
        (said,) = [remark for remark in watched.remarks() if remark.startswith("judgments used")]
    ages = [[(number + 10, max(number - 5, 0), number + 400) for number in days] for days in (range(21, 28), range(7))]
    last, first = (round(float(np.median(each))) for each in ages)
    assert said == (
        f"judgments used on the last 7 days: {last} days old in the median, 33 % older than a year; {first} days on the"
        " first 7"
    )


def test_ages_that_cannot_be_told_are_refused(tmp_path: Path) -> None:
    rows = [(day(number), "1", "1", 1.0, 1.0) for number in range(28)]
    export = table(rows, "dt", "query_id", "doc_id", "score", "relevance")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance,made_at\n1,1,1,soon\n1,2,0,2026-01-01")
    asked: dict[str, Any] = {"metrics": "dcg@1", "day": "dt"}
    with pytest.raises(UsageError, match="judged_at= needs judgments of their own"):
        sqlrank.monitor(export, **asked, judged_at="made_at")
    run = export.drop_columns(["relevance"])
    with pytest.raises(DataError, match="made_at is not a date in 1 row, such as 'soon'"):
        sqlrank.monitor(run, tmp_path / "qrels.csv", **asked, judged_at="made_at")
    with pytest.raises(DataError, match="no column 'made'"):
        sqlrank.monitor(run, tmp_path / "qrels.csv", **asked, judged_at="made")
    dated = table([(*row[:3], row[4]) for row in rows], "dt", "query_id", "doc_id", "relevance")
    with pytest.raises(UsageError, match="each day has judgments of its own"):
        sqlrank.monitor(run, dated, "dcg@1", day="run.dt", judged_at="dt")


def table(rows: list[tuple[Any, ...]], *names: str) -> pa.Table:
    """An Arrow table of rows."""
    return pa.table({name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)})


@pytest.mark.parametrize("stored", [True, False], ids=["store", "export"])
@pytest.mark.parametrize("judgments", ["positives", "qrels"], ids=["positives", "relevant documents alone"])
def test_judgments_of_relevant_documents_alone_do_not_tell_what_was_judged(
    judgments: str, stored: bool, tmp_path: Path
) -> None:
    random, days = np.random.default_rng(3), {}
    names = [f"q{number}" for number in range(200)]
    bought = pa.table({"query_id": names, "doc_id": ["good"] * 200, "relevance": [1.0] * 200})
    for number in range(26):
        documents = np.where(random.random(200) < (0.7 if number < 20 else 0.4), "good", "bad")
        days[number] = pa.table({"query_id": names, "doc_id": documents, "score": [1.0] * 200})
    options: dict[str, Any] = {judgments: bought, "metrics": "p@1"}
    if stored:
        store_days(tmp_path, {day(number): run for number, run in days.items()}, **options)
    given: Any = {"run": tmp_path, "metrics": "p@1"} if stored else {"run": dated(days), "day": "dt", **options}
    with sqlrank.monitor(baseline_days=BASELINE, **given) as watched:
        (happened,) = watched.happened
        assert not [note for note in watched.notes if "judged@1" in note]
    assert happened.kind == "change", happened


def test_the_share_that_was_judged_is_weighted_as_the_metrics_are() -> None:
    rows = [(f"q{number}", f"2026-01-{of_day:02}") for of_day in range(1, 29) for number in range(2)]
    names = {name: list(values) for name, values in zip(("query_id", "dt"), zip(*rows, strict=True), strict=True)}
    run = pa.table(names | {"doc_id": [f"d{number % 2}" for number in range(len(rows))], "score": [1.0] * len(rows)})
    qrels = {"q0": {"d0": 1, "bad": 0}, "q1": {"other": 1}}
    queries = pa.table({"query_id": ["q0", "q1"], "traffic": [1.0, 3.0]})
    shares = []
    for weight in (None, "traffic"):
        with sqlrank.monitor(run, qrels, "dcg@1", day="dt", weight=weight, queries=queries) as watched:
            shares += [note.partition(" of the last")[0] for note in watched.notes if note.startswith("judged@1")]
    assert shares == ["judged@1: 50 %", "judged@1 by weight: 25 %"]


@pytest.mark.needs("simulation")
def test_a_year_of_a_shop_has_one_drop_and_it_is_found_within_six_days(tmp_path: Path) -> None:
    """One year of 307 days, in which labels and traffic change and one country loses 3 % for seven days."""
    shop = Shop(queries=2_000, pool=3_000)

    def live(first: int, last: int, german: float, factor: float = 1.0, lost: float = 0.0) -> None:
        runs = {number: shop.day(german, lost=lost) for number in range(first, last + 1)}
        shop.store(tmp_path, runs, shop.judgments(factor))

    live(0, 199, 0.4)
    assert not alarms(tmp_path)
    live(200, 215, 0.6)
    assert {country: found.kind for country, found in alarms(tmp_path).items()} == {None: "mix"}
    live(216, 249, 0.6)
    live(250, 256, 0.6, 0.95)
    assert {each.kind for each in alarms(tmp_path, f"{day(205)}..{day(232)}").values()} == {"judgments"}
    live(257, 299, 0.6, 0.95)
    assert not alarms(tmp_path, f"{day(252)}..{day(279)}")
    live(300, 306, 0.6, 0.95, lost=0.03)
    found = alarms(tmp_path, f"{day(252)}..{day(279)}")
    assert {"us"} <= set(found) <= {None, "us"}
    assert found["us"].kind == "change"
    assert found["us"].since - found["us"].before == pytest.approx(-0.03 * 0.95, abs=0.015)
