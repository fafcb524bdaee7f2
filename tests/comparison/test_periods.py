"""Periods of one export: what a text of them means, and that each is evaluated by itself."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats

import sqlrank
from sqlrank.comparison.periods import read_periods
from sqlrank.errors import UsageError
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import each, hold

TWO_WEEKS = "dt=2026-11-02..2026-11-08,2026-11-09..2026-11-15"


def export(folder: Path, days: int = 14) -> str:
    """An export of so many days, five queries a day, in two countries."""
    draw = random.Random(3)
    lines = ["dt,query_id,doc_id,score,relevance,country"]
    for day, query, place in product(range(days), range(5), range(4)):
        relevance = int(draw.random() < (0.5 if day < 7 else 0.3) / (1 + place / 3))
        date = datetime.date(2026, 11, 2) + datetime.timedelta(days=day)
        lines.append(f"{date},q{day}n{query},d{place},{4 - place},{relevance},{'de' if query % 2 else 'fr'}")
    (folder / "log.csv").write_text("\n".join(lines))
    return str(folder / "log.csv")


def test_every_week_is_evaluated_by_itself_whatever_its_column_is_called(tmp_path: Path) -> None:
    log = export(tmp_path)
    with sqlrank.compare(log, metrics="ndcg@3", periods=TWO_WEEKS, by="country") as comparison:
        found, rows = comparison["ndcg@3"], comparison.all_rows
    for value, where in (("baseline_value", "dt <= '2026-11-08'"), ("value", "dt > '2026-11-08'")):
        with sqlrank.evaluate(log, metrics="ndcg@3", where=where) as alone:
            assert found[value] == pytest.approx(alone["ndcg@3"], abs=1e-12)
    assert (found["baseline"], found["system"]) == ("2026-11-02..2026-11-08", "2026-11-09..2026-11-15")
    assert (found["baseline_queries"], found["queries"]) == (35, 35)
    assert [row["country"] for row in rows] == ["de", "fr", None]
    Path(log).write_text(Path(log).read_text().replace("dt,", "select,", 1))
    with sqlrank.compare(log, metrics="p@3", periods=TWO_WEEKS.replace("dt", "select")) as comparison:
        assert comparison["p@3"]["queries"] == 35


def test_periods_are_days_times_numbers_texts_and_expressions(tmp_path: Path) -> None:
    log = export(tmp_path)

    def check(periods: str) -> None:
        asked = ("--periods", periods, "-m", "ndcg@3", "--test", "t", "--format", "csv", "--quiet")
        out = completed("compare", log, *asked).table
        assert [(row["baseline"], row["system"], row["queries"]) for row in out] == [("before", "after", "35")]

    written = [
        "dt=before=2026-11-02..2026-11-08,after=2026-11-09..2026-11-15",
        "cast(dt as date)=before=2026-11-02..2026-11-08,after=2026-11-09..2026-11-15",
        "dt=before=2026-11-02T00:00..2026-11-08T23:59,after=2026-11-09T00:00..2026-11-15T00:00",
        "date_trunc('week', cast(dt as date))=before=2026-11-02,after=2026-11-09",
        "weekofyear(cast(dt as date))=before=45,after=46",
        "case when dt < '2026-11-09' then 'one' else 'two' end=before=one,after=two",
    ]
    hold(written, check)


def test_times_that_have_a_zone_are_split_in_the_zone_that_is_asked_for(tmp_path: Path) -> None:
    queries = {"q1": "2026-11-08 20:00+00", "q2": "2026-11-03 10:00+00", "q3": "2026-11-12 10:00+00"}
    lines = ["seen,query_id,doc_id,score,relevance", *(f"{at},{query},d,1,1" for query, at in queries.items())]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    asked = (tmp_path / "log.csv", "-m", "rr", "--test", "t", "--format", "csv", "--quiet")
    for zone, sizes in (("UTC", ("2", "1")), ("Asia/Shanghai", ("1", "2"))):
        periods = f"cast(cast(seen as timestamptz) as date){TWO_WEEKS.removeprefix('dt')}"
        (row,) = completed("compare", *asked, "--periods", periods, "--timezone", zone).table
        assert (row["baseline_queries"], row["queries"]) == sizes


def test_three_periods_have_one_baseline_or_all_pairs(tmp_path: Path) -> None:
    periods = "dt=a=2026-11-02..2026-11-05,b=2026-11-06..2026-11-09,c=2026-11-10..2026-11-15"
    with sqlrank.compare(export(tmp_path), metrics="p@3", periods=periods, baseline="b", test="t") as comparison:
        assert [(row["baseline"], row["system"]) for row in comparison.all_rows] == [("b", "a"), ("b", "c")]
    with sqlrank.compare(export(tmp_path), metrics="p@3", periods=periods, all_pairs=True, test="t") as comparison:
        assert len(comparison.all_rows) == 3


DAYS = ("2026-01-01", "2026-01-02")
DATED = "dt,query_id,doc_id,relevance\n"


def of_days(folder: Path, queries: Sequence[str], **judgments: str) -> tuple[sqlrank.Comparison, tuple[float, float]]:
    """A comparison of two days, each with its queries, by these files of judgments; and the values of both."""
    rows = [f"{day},{query},d,1\n" for day, found in zip(DAYS, queries, strict=True) for query in found]
    (folder / "run.csv").write_text("".join(["dt,query_id,doc_id,score\n", *rows]))
    files = []
    for name, text in judgments.items():
        (folder / f"{name}.csv").write_text(text)
        files.append(str(folder / f"{name}.csv"))
    given = files if len(files) > 1 else files[0]
    with sqlrank.compare(str(folder / "run.csv"), given, "p@1", periods=f"dt={','.join(DAYS)}") as comparison:
        return comparison, (comparison["p@1"]["baseline_value"], comparison["p@1"]["value"])


def test_judgments_with_the_column_are_those_of_each_period_and_others_serve_all(tmp_path: Path) -> None:
    dated = f"{DATED}2026-01-01,q,d,1\n2026-01-01,r,d,0\n2026-01-02,q,d,0\n2026-01-02,r,d,0\n"
    comparison, values = of_days(tmp_path, ("qr", "qr"), dated=dated)
    assert values == (0.5, 0.0)
    assert any("the same queries" in note for note in comparison.notes)
    assert {part["kind"] for part in comparison.all_parts} == {"queries"}
    undated = "query_id,doc_id,relevance\nq,d,1\nr,d,0\ns,d,1\nt,d,1\nu,d,1\n"
    assert of_days(tmp_path, ("qr", "st"), undated=undated)[1] == (0.5, 1.0)
    one, two = f"{DATED}2026-01-01,q,d,1\n", f"{DATED}2026-01-02,r,d,0\n"
    assert of_days(tmp_path, ("q", "r"), one=one, two=two)[1] == (1.0, 0.0)


def test_days_that_are_missing_are_said_and_conditions_of_ones_own_hold_too(tmp_path: Path) -> None:
    log = export(tmp_path, days=10)
    where = "country = 'de' or country = 'x'"
    with sqlrank.compare(log, metrics="p@3", periods=TWO_WEEKS, where=where) as comparison:
        assert any("2026-11-09..2026-11-15 has rows on 3 of its 7 days" in note for note in comparison.notes)
        assert comparison["p@3"]["queries"] == 6
        assert comparison["p@3"]["baseline_queries"] == 14


def test_the_periods_of_one_system_of_an_export_are_compared(tmp_path: Path) -> None:
    names, *lines = Path(export(tmp_path)).read_text().splitlines()
    evil = 'it\'s "b"'
    quoted = '"' + evil.replace('"', '""') + '"'
    rows = [f"{names},arm", *(f"{line},{arm}" for line in lines for arm in ("a", quoted))]
    (tmp_path / "arms.csv").write_text("\n".join(rows))
    asked: dict[str, Any] = {"metrics": "ndcg@3", "periods": TWO_WEEKS, "columns": {"system": "arm"}}
    with pytest.raises(UsageError, match="the export has several systems; choose system=: a, it's"):
        sqlrank.compare(tmp_path / "arms.csv", **asked)
    with pytest.raises(UsageError, match="it says whose periods= are compared, and there are none"):
        sqlrank.compare(tmp_path / "arms.csv", metrics="ndcg@3", columns={"system": "arm"}, system="b")
    with sqlrank.compare(tmp_path / "log.csv", metrics="ndcg@3", periods=TWO_WEEKS) as alone:
        wanted = alone["ndcg@3"]
    with sqlrank.compare(tmp_path / "arms.csv", system=evil, **asked) as comparison:
        found = comparison["ndcg@3"]
    values = ("value", "baseline_value", "queries", "ci_low", "ci_high")
    assert [found[name] for name in values] == pytest.approx([wanted[name] for name in values], abs=1e-12)


def test_compressed_files_frames_and_relations_are_split_too(tmp_path: Path) -> None:
    log = export(tmp_path)
    table: Any = duckdb.sql(f"from '{log}'")
    duckdb.sql(f"copy (from '{log}') to '{tmp_path}/log.csv.gz'")
    with sqlrank.compare(log, metrics="p@3", periods=TWO_WEEKS) as comparison:
        wanted = comparison["p@3"]
    for given in (f"{tmp_path}/log.csv.gz", table.to_arrow_table(), table.df(), table):
        with sqlrank.compare(given, metrics="p@3", periods=TWO_WEEKS) as comparison:
            for name in ("difference", "ci_low", "p_value"):
                assert comparison["p@3"][name] == pytest.approx(wanted[name], rel=1e-12)


def test_stored_rows_with_the_days_as_segments_are_split(tmp_path: Path) -> None:
    log = export(tmp_path)
    stored = tmp_path / "rows.parquet"
    completed("eval", log, "-m", "ndcg@3", "--by", "dt", "--per-query", stored)
    with sqlrank.compare(str(stored), metrics="ndcg@3", periods=TWO_WEEKS) as comparison:
        found = comparison["ndcg@3"]
    with sqlrank.compare(log, metrics="ndcg@3", periods=TWO_WEEKS) as comparison:
        assert found["p_value"] == comparison["ndcg@3"]["p_value"]
    assert "was stored without day (it holds dt)" in error_of(2, "compare", stored, "--periods", "day=1,2")


@each(
    {
        "dt": "give a column and its ranges",
        "dt=2026-01-01..2026-01-07": "there is one period",
        "dt=2026-01-07..2026-01-01,2026-02-01": "ends before it begins",
        "dt=2026-01-01..2026-01-07,2026-01-07..2026-01-09": "overlap",
        "dt=a=2026-01-01,a=2026-01-02": "two periods are called 'a'",
        "dt=2026-01-01,14": "give all alike",
        "dt=monday..friday,2026-01-02": "not a range of days",
        "(select 1)=1,2": "subquery",
        "dt=,": "not a range",
        "read_csv('x')=1,2": "periods=",
    }.items()
)
def test_a_text_that_names_no_periods_is_refused(case: tuple[str, str]) -> None:
    text, said = case
    with pytest.raises(sqlrank.UsageError, match=said):
        read_periods(text)


def test_what_cannot_be_split_is_refused(tmp_path: Path) -> None:
    log = export(tmp_path)
    assert "one export" in error_of(2, "compare", log, log, "--periods", TWO_WEEKS, "-m", "p@3")
    assert "no column 'day'" in error_of(2, "compare", log, "--periods", "day=1,2", "-m", "p@3")
    message = error_of(3, "compare", log, "--periods", "dt=2026-11-02..2026-11-08,2027-01-01..2027-01-07", "-m", "p@3")
    assert "period 2027-01-01..2027-01-07" in message
    (tmp_path / "log.csv").write_text("dt,query_id,doc_id,score,relevance\n2026-11-02,q,d,1,1\nsoon,r,d,1,1\n")
    outcome = run_cli("compare", tmp_path / "log.csv", "--periods", TWO_WEEKS, "-m", "p@1")
    assert (outcome.code, outcome.out) == (3, "")
    assert "query 'r': a value that cannot be converted" in outcome.err


def test_a_report_of_periods_says_why(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    completed("compare", export(tmp_path), "--periods", TWO_WEEKS, "-m", "ndcg@3", "--by", "country", "-o", page)
    text = page.read_text(encoding="utf-8")
    assert "Why ndcg@3 changed" in text
    assert "mix of country" in text


def by_all_labels(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]]) -> float:
    """The p value over all exchanges of the two sides of each query, whose values of several days stay together."""
    mean = np.concatenate([*before, *after]).mean()
    sums = np.array([[[len(one), np.sum(np.array(one) - mean)] for one in side] for side in (before, after)])

    def t_of(labels: tuple[int, ...]) -> float:
        sides = [np.array([sums[side ^ label, place] for place, label in enumerate(labels)]) for side in (0, 1)]
        (weight, total), (other_weight, other_total) = (side.T for side in sides)
        residual, other = (
            (value - size * value.sum() / size.sum()) / size.sum()
            for size, value in ((weight, total), (other_weight, other_total))
        )
        spread = ((residual - other) ** 2).sum() * len(labels) / (len(labels) - 1)
        return float(abs(other_total.sum() / other_weight.sum() - total.sum() / weight.sum()) / spread**0.5)

    found = [t_of(labels) for labels in product((0, 1), repeat=len(before))]
    return sum(each >= found[0] * (1 - 1e-9) for each in found) / len(found)


def test_labels_of_queries_with_unlike_numbers_of_days_are_exchanged_whole(tmp_path: Path) -> None:
    draw, store = np.random.default_rng(5), str(tmp_path / "store")
    worth, often = draw.normal(2, 0.5, 9), [(3, 3), (1, 3), (3, 1), (1, 1), (2, 3), (3, 2), (1, 2), (3, 3), (1, 3)]
    values = [
        [worth[query] + draw.normal(0, 0.3, days) for query, days in enumerate(side)]
        for side in zip(*often, strict=True)
    ]
    for day in range(6):
        known = {
            f"q{query}": {"d": float(each[day % 3])}
            for query, each in enumerate(values[day // 3])
            if day % 3 < len(each)
        }
        with sqlrank.evaluate({query: {"d": 1.0} for query in known}, known, "dcg@1") as result:
            result.store(store, as_of=f"2026-11-0{day + 1}")
    periods = "as_of=2026-11-01..2026-11-03,2026-11-04..2026-11-06"
    with sqlrank.compare(store, metrics="dcg@1", periods=periods, cluster="query_id") as comparison:
        found = comparison["dcg@1"]
    assert found["test"] == "randomization-exact"
    assert found["p_value"] == pytest.approx(by_all_labels(*values), rel=1e-12)


def test_a_query_that_comes_again_every_day_is_one_unit(tmp_path: Path) -> None:
    draw, store = random.Random(7), str(tmp_path / "store")
    values = [[query / 20 + draw.random() / 10 + day / 100 for query in range(20)] for day in range(6)]
    for day, relevances in enumerate(values, 1):
        run, qrels = (
            {f"q{query}": {"d": value} for query, value in enumerate(row)} for row in ([1.0] * 20, relevances)
        )
        with sqlrank.evaluate(run, qrels, "dcg@1") as result:
            result.store(store, as_of=f"2026-11-0{day}")
    periods = "as_of=2026-11-01..2026-11-03,2026-11-04..2026-11-06"
    with sqlrank.compare(store, metrics="dcg@1", periods=periods, test="t", cluster="query_id") as comparison:
        found, by_query = comparison["dcg@1"], comparison.per_query.fetchall()
    moved = [sum(each[3:]) / 3 - sum(each[:3]) / 3 for each in zip(*values, strict=True)]
    mean = sum(moved) / 20
    error = (sum((each - mean) ** 2 for each in moved) / 19 / 20) ** 0.5
    assert found["difference"] == pytest.approx(mean, abs=1e-12)
    assert found["sqlrank_sums"]["stderr"] == pytest.approx(error, rel=1e-9)
    assert (found["queries"], found["shared_queries"], found["wins"]) == (60, 20, sum(each > 0 for each in moved))
    assert len(by_query) == 20
    assert {one[3]: one[-1] for one in by_query} == {f"q{query}": pytest.approx(moved[query]) for query in range(20)}


def test_arms_of_a_test_are_compared_over_all_days_of_a_store(tmp_path: Path) -> None:
    draw, store = random.Random(8), str(tmp_path / "store")
    values: dict[str, list[float]] = {"old": [], "new": []}
    for day in range(4):
        for system, gain in (("old", 0.0), ("new", 0.1)):
            relevances = {f"{system}{day}{query}": draw.random() + gain for query in range(15)}
            values[system] += relevances.values()
            runs = {system: {query: {"d": 1.0} for query in relevances}}
            judged = {query: {"d": value} for query, value in relevances.items()}
            with sqlrank.evaluate(systems=runs, qrels=judged, metrics="dcg@1") as one:
                one.store(store, as_of=f"2026-11-0{day + 1}")
    with sqlrank.compare(store, metrics="dcg@1", baseline="old", paired=False, test="t") as comparison:
        found = comparison["dcg@1"]
    theirs = stats.ttest_ind(values["new"], values["old"], equal_var=False)
    assert found["p_value"] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert (found["baseline_queries"], found["queries"]) == (60, 60)
