"""What happened where a chart is in alarm: the mix, the judgments, documents that nobody judged, or results."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from sqlrank.monitoring.happened import Happened
from tests.support.cli_helper import run_cli

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

    def store(self, place: Path, number: int, run: pa.Table, qrels: pa.Table, **more: Any) -> None:
        """Store the values of a day."""
        options: dict[str, Any] = {"by": "country", "queries": self.countries, "query_set": "shared", "checks": False}
        with sqlrank.evaluate(run, qrels, "dcg@1", **options, **more) as result:
            result.store(str(place), as_of=str(FIRST + datetime.timedelta(days=number)))


def alarms(place: Path, baseline: str | None = None) -> dict[str | None, Happened]:
    """What happened on the charts in alarm, by country."""
    with sqlrank.monitor(str(place), metrics="dcg@1", by="country", baseline=baseline) as watched:
        found = zip(watched.alarms, watched.happened, strict=True)
        return {chart["country"]: happened for chart, happened in found}


def day(number: int) -> str:
    """A day as a text."""
    return str(FIRST + datetime.timedelta(days=number))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "changed", "factor", "said"),
    [
        ("mix", {"german": 0.75}, 1.0, "the mix of country changed"),
        ("judgments", {"german": 0.4}, 0.8, f"the judgments were renewed on {day(20)}"),
        ("unjudged", {"german": 0.4, "unjudged": 0.3}, 1.0, "documents are new, not worse"),
        ("change", {"german": 0.4, "lost": 0.15}, 1.0, "the results in country=us make"),
    ],
)
def test_an_alarm_says_what_happened(
    kind: str, changed: dict[str, float], factor: float, said: str, tmp_path: Path
) -> None:
    shop = Shop(queries=300, pool=400)
    before, after = shop.judgments(), shop.judgments(factor)
    for number in range(26):
        run = shop.day(**changed) if number >= 20 else shop.day(0.4)
        shop.store(tmp_path, number, run, after if number >= 20 else before)
    found = alarms(tmp_path, f"{day(0)}..{day(19)}")[None]
    assert found.kind == kind, found
    assert said in found.said
    outcome = run_cli("monitor", tmp_path, "-m", "dcg@1", "--by", "country", "--baseline", f"{day(0)}..{day(19)}")
    assert outcome.code == 4
    assert said in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("stored", [True, False], ids=["store", "export"])
@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"unjudged": 0.3}, "unjudged", "no drop before more is judged: dcg@1 would be up to 0.7"),
        ({"unjudged": 0.06, "lost": 0.3}, "change", "the results in country=us make"),
    ],
)
def test_a_drop_is_none_while_what_nobody_judged_may_explain_it(
    changed: dict[str, float], kind: str, said: str, stored: bool, tmp_path: Path
) -> None:
    shop, days = Shop(queries=300, pool=400), []
    for number in range(26):
        found = shop.day(0.4, **changed) if number >= 20 else shop.day(0.4)
        days.append(found.append_column("dt", pa.array([day(number)] * len(found))))
        if stored:
            shop.store(tmp_path, number, found, shop.judgments(), bounds=True)
    asked: dict[str, Any] = {"by": "country", "baseline": f"{day(0)}..{day(19)}"}
    of_export: dict[str, Any] = {"day": "dt", "queries": shop.countries, "query_set": "shared", "bounds": True}
    run, qrels = (tmp_path, None) if stored else (pa.concat_tables(days), shop.judgments())
    with sqlrank.monitor(run, qrels, "dcg@1", **asked, **({} if stored else of_export)) as watched:
        happened = watched.happened[[chart["is_total"] for chart in watched.alarms].index(True)]
    assert happened.kind == kind, happened
    assert said in happened.said


@pytest.mark.slow
def test_judgments_that_age_are_noted_with_their_half_life(tmp_path: Path) -> None:
    shop, judged = Shop(queries=200, pool=300), []
    for number in range(20):
        share = 0.95 * 2 ** (-number / 20)
        judged.append(share)
        shop.store(tmp_path, number, shop.day(0.4, unjudged=1 - share), shop.judgments())
    with sqlrank.monitor(str(tmp_path), metrics="dcg@1") as watched:
        (note,) = [note for note in watched.notes if note.startswith("judged@1:")]
    last, first, half = map(int, re.findall(r"(\d+) (?:%|days?[;,] )", note.replace("the last 7 days", "")))
    assert (last, first) == pytest.approx((100 * np.mean(judged[-7:]), 100 * np.mean(judged[:7])), abs=3)
    assert half == pytest.approx(20, abs=3)


@pytest.mark.slow
@pytest.mark.parametrize("dated", [False, True], ids=["judgments of every day", "of each day"])
def test_an_export_with_judgments_of_its_own_says_that_documents_are_new(dated: bool) -> None:
    shop, days, judged = Shop(queries=300, pool=400), [], []
    for number in range(26):
        found = shop.day(0.4, unjudged=0.3 if number >= 20 else 0.0)
        of_day = pa.array([day(number)] * len(found))
        days.append(found.append_column("dt", of_day))
        labels = shop.judgments()
        judged.append(labels.append_column("dt", pa.array([day(number)] * len(labels))))
    qrels, asked = pa.concat_tables(judged) if dated else shop.judgments(), f"{day(0)}..{day(19)}"
    given: dict[str, Any] = {"day": "run.dt" if dated else "dt", "query_set": "shared", "baseline": asked}
    with sqlrank.monitor(pa.concat_tables(days), qrels, "dcg@1", **given) as watched:
        assert watched.metrics == ["dcg@1"]
        (happened,) = watched.happened
        assert any(note.startswith("judged@1: 7") for note in watched.notes), watched.notes
    assert (happened.kind, "documents are new, not worse" in happened.said) == ("unjudged", True), happened


@pytest.mark.slow
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
    with sqlrank.monitor(run, qrels, "dcg@1", day="dt", baseline=f"{day(0)}..{day(19)}") as watched:
        (chart,), (happened,) = watched.alarms, watched.happened
    assert (str(chart["since"]), happened.kind) == (day(20), "change")
    assert "12 % of the documents had not been shown before, for 0 % in the 6 days before" in happened.said


def test_judgments_of_documents_that_are_not_returned_any_more_are_counted() -> None:
    rows = [(day(number), f"{query}", f"d{query}", 1.0) for number in range(28) for query in range(number % 7, 10)]
    rows += [(day(number), f"{query}", "gone", 0.5) for number in range(21) for query in range(4)]
    rows += [(day(27), "4", "d9", 0.5)]
    qrels: dict[str, dict[str, float]] = {f"{query}": {f"d{query}": 1, "gone": 0} for query in range(10)}
    with sqlrank.monitor(table(rows, "dt", "query_id", "doc_id", "score"), qrels, "dcg@1", day="dt") as watched:
        said = watched.remarks()
    assert "judgments: 50 % of 20 judged documents were not returned on the last 7 days" in said


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


@pytest.mark.slow
def test_bounds_that_a_store_does_not_have_are_refused(tmp_path: Path) -> None:
    shop = Shop(queries=20, pool=20)
    for number in range(14):
        shop.store(tmp_path, number, shop.day(0.4), shop.judgments())
    with pytest.raises(UsageError, match="was stored without bounds="):
        sqlrank.monitor(tmp_path, metrics="dcg@1", bounds=True)
    with pytest.raises(UsageError, match="judged_at= needs judgments of their own"):
        sqlrank.monitor(tmp_path, metrics="dcg@1", judged_at="made_at")


@pytest.mark.slow
def test_ages_that_cannot_be_told_are_refused(tmp_path: Path) -> None:
    rows = [(day(number), "1", "1", 1.0, 1.0) for number in range(28)]
    export = table(rows, "dt", "query_id", "doc_id", "score", "relevance")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance,made_at\n1,1,1,soon\n1,2,0,2026-01-01")
    asked: dict[str, Any] = {"metrics": "dcg@1", "day": "dt"}
    with pytest.raises(UsageError, match="judged_at= needs judgments of their own"):
        sqlrank.monitor(export, **asked, judged_at="made_at")
    run = export.drop_columns(["relevance"])
    with pytest.raises(DataError, match="made_at is no date in 1 row, such as 'soon'"):
        sqlrank.monitor(run, tmp_path / "qrels.csv", **asked, judged_at="made_at")
    with pytest.raises(DataError, match="no column 'made'"):
        sqlrank.monitor(run, tmp_path / "qrels.csv", **asked, judged_at="made")
    dated = table([(*row[:3], row[4]) for row in rows], "dt", "query_id", "doc_id", "relevance")
    with pytest.raises(UsageError, match="each day has judgments of its own"):
        sqlrank.monitor(run, dated, "dcg@1", day="run.dt", judged_at="dt")


def table(rows: list[tuple[Any, ...]], *names: str) -> pa.Table:
    """An Arrow table of rows."""
    return pa.table({name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)})


@pytest.mark.slow
@pytest.mark.parametrize("stored", [True, False], ids=["store", "export"])
@pytest.mark.parametrize("of_positives", [True, False], ids=["positives", "judgments of relevant documents alone"])
def test_judgments_of_relevant_documents_alone_do_not_tell_what_was_judged(
    of_positives: bool, stored: bool, tmp_path: Path
) -> None:
    random, days = np.random.default_rng(3), []
    names = [f"q{number}" for number in range(200)]
    bought = pa.table({"query_id": names, "doc_id": ["good"] * 200, "relevance": [1.0] * 200})
    options: dict[str, Any] = {"positives" if of_positives else "qrels": bought, "metrics": "p@1"}
    for number in range(26):
        found = random.random(200) < (0.7 if number < 20 else 0.4)
        documents, scores = np.where(found, "good", "bad"), [1.0] * 200
        run = pa.table({"query_id": names, "doc_id": documents, "score": scores, "dt": [day(number)] * 200})
        days.append(run)
        if stored:
            with sqlrank.evaluate(run, **options) as result:
                result.store(tmp_path, as_of=day(number))
    of_days: dict[str, Any] = {"metrics": "p@1"} if stored else {"day": "dt", **options}
    every: Any = tmp_path if stored else pa.concat_tables(days)
    with sqlrank.monitor(every, baseline=f"{day(0)}..{day(19)}", **of_days) as watched:
        (happened,) = watched.happened
        assert not [note for note in watched.notes if "judged@1" in note]
    assert happened.kind == "change", happened


@pytest.mark.slow
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


@pytest.mark.turns(7)
def test_a_year_of_a_shop_has_one_drop_and_it_is_found_within_six_days(tmp_path: Path) -> None:
    shop = Shop(queries=2_000, pool=3_000)
    before, after = shop.judgments(), shop.judgments(0.95)
    for number in range(307):
        run = shop.day(0.6 if number >= 200 else 0.4, lost=0.03 if number >= 300 else 0.0)
        shop.store(tmp_path, number, run, after if number >= 250 else before)
        if number == 199:
            assert not alarms(tmp_path)
        if number == 215:
            assert {country: found.kind for country, found in alarms(tmp_path).items()} == {None: "mix"}
        if number == 256:
            found = alarms(tmp_path, f"{day(205)}..{day(232)}")
            assert {each.kind for each in found.values()} == {"judgments"}
        if number == 299:
            assert not alarms(tmp_path, f"{day(252)}..{day(279)}")
    found = alarms(tmp_path, f"{day(252)}..{day(279)}")
    assert {"us"} <= set(found) <= {None, "us"}
    assert found["us"].kind == "change"
    assert found["us"].since - found["us"].before == pytest.approx(-0.03 * 0.95, abs=0.015)
