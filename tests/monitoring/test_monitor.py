"""`sqlrank monitor` and `sqlrank.monitor`: daily values of exports and per-query rows, charts, notes and exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.choices import CHART_METHODS
from sqlrank.errors import UsageError
from sqlrank.monitoring.false_alarms import simulated
from sqlrank.monitoring.rules import CUT
from sqlrank.sql_files import sql_folder
from tests.monitoring.gold import BASELINE, DAYS, FIRST, GOLD, SPAN, WATCHED
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.hostile import NAMES
from tests.support.tables import hold

QUERIES = 1000
VALUES = [*BASELINE, *WATCHED]
Rows = dict[str, list[Any]]


def export(values: Iterable[float], first: date = FIRST, without: Iterable[int] = ()) -> Rows:
    """An export of a thousand queries a day with one document each, of which a share is relevant: p@1 is that share."""
    left_out = set(without)
    days = [(number, round(value * QUERIES)) for number, value in enumerate(values) if number not in left_out]
    return {
        "query_id": [f"q{query}" for _ in days for query in range(QUERIES)],
        "doc_id": ["d"] * (len(days) * QUERIES),
        "score": [1.0] * (len(days) * QUERIES),
        "relevance": [int(query < relevant) for _, relevant in days for query in range(QUERIES)],
        "dt": [first + timedelta(number) for number, _ in days for _ in range(QUERIES)],
    }


def written(path: Path, rows: Rows) -> Path:
    pq.write_table(pa.table(rows), path)
    return path


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("gold") / "export.parquet", export(VALUES))


def watched(rows: Iterable[dict[str, Any]], column: str) -> list[float]:
    return [float(row[column]) for row in rows if row["is_baseline"] == "false"]


SEEN, WIDTHS = GOLD.seen(CUT, QUERIES), GOLD.widths(QUERIES)[14:]
COLUMNS: dict[str, tuple[list[float], list[float] | None]] = {
    "e": (SEEN.evidence(GOLD.end), [1000.0] * 14),
    "cs": (SEEN.running_means(), GOLD.sequence_limits(0.025)),
    "shewhart": (WATCHED, [GOLD.mean - 3 * GOLD.moving_deviation * width for width in WIDTHS]),
    "ewma": (SEEN.ewma(), GOLD.ewma_limits(error=True)),
    "cusum": (SEEN.cusum(), [5.0] * 14),
}


@pytest.mark.parametrize("method", CHART_METHODS)
def test_the_command_gives_the_worked_numbers(gold: Path, method: str) -> None:
    asked = ["--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--rule", method, "--format", "csv"]
    table = run_cli("monitor", gold, *asked).table
    statistics, limits = COLUMNS[method]
    assert [row["day"] for row in table] == [str(day) for day in DAYS]
    assert [float(row["value"]) for row in table] == pytest.approx(VALUES, abs=1e-12)
    assert watched(table, "statistic") == pytest.approx(statistics, rel=1e-3 if method == "e" else 1e-9, abs=1e-9)
    assert watched(table, "limit") == pytest.approx(limits, abs=3e-6 if method == "cs" else 1e-9)
    assert [row["statistic"] for row in table[:14]] == [""] * 14


def test_the_table_shows_the_chart_as_of_its_last_day_and_the_exit_code_says_that_it_alarms(gold: Path) -> None:
    outcome = run_cli("monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN)
    head, row, *_ = outcome.out.splitlines()
    assert head.split() == "metric baseline sd days usual range last day value evidence limit alarm since".split()
    assert row.split()[:4] == ["p@1", "0.6094", "0.0051", "14"]
    assert row.split()[-2:] == ["alarm", "2026-01-24"]
    assert outcome.code == 4
    said = "p@1 is in alarm since 2026-01-24, averaging 0.0158 below the baseline up to 2026-01-28"
    assert said in outcome.err
    assert "1,000, against the near end" in outcome.out
    assert f"false alarms: {simulated('e', 14, 0.0, 1, 14)}" in outcome.out


def test_an_alarm_of_an_earlier_day_is_a_note(tmp_path: Path) -> None:
    values = [*BASELINE, *BASELINE[:3], 0.5, *BASELINE[3:8]]
    path = written(tmp_path / "export.parquet", export(values))
    outcome = completed("monitor", path, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--rule", "shewhart")
    assert "p@1 was in alarm on 2026-01-18, but is not now" in outcome.err


def test_an_alarm_is_since_the_last_quiet_day(tmp_path: Path) -> None:
    path = written(tmp_path / "export.parquet", export([*BASELINE, 0.5, 0.609, 0.5, 0.52]))
    asked: dict[str, Any] = {"metrics": "p@1", "day": "dt", "baseline_days": SPAN, "rule": "shewhart"}
    with sqlrank.monitor(str(path), **asked) as result:
        (chart,) = result.alarms
        assert (chart["first_alarm"], chart["since"], chart["alarms"]) == (date(2026, 1, 15), date(2026, 1, 17), 3)
        assert chart["change"] == pytest.approx(0.51 - GOLD.mean, abs=1e-12)


def test_the_charts_of_all_calls_are_those_of_python(gold: Path) -> None:
    with sqlrank.monitor(str(gold), metrics="p@1", day="dt", baseline_days=SPAN) as result:
        assert [chart["metric"] for chart in result.alarms] == ["p@1"]
        (chart,) = result.charts
        assert chart["since"] == date(2026, 1, 24)
        assert chart["baseline_mean"] == pytest.approx(GOLD.mean, abs=1e-12)
        assert len(result.rows.fetchall()) == 28
        assert result.rows.columns[:4] == ["system", "metric", "direction", "day"]
        assert "dense_rank" in result.sql
        assert "p@1" in result._repr_html_()


def test_stored_per_query_rows_have_the_same_charts(gold: Path, tmp_path: Path) -> None:
    stored = tmp_path / "per_query.parquet"
    completed(
        "eval", gold, "-m", "p@1", "--by", "dt", "--session", "dt", "--per-query", stored, "-o", tmp_path / "s.csv"
    )
    asked = ["--day", "dt", "--baseline-days", SPAN, "--format", "csv"]
    fresh = run_cli("monitor", gold, "-m", "p@1", *asked).table
    again = run_cli("monitor", stored, *asked).table
    assert [{**row, "system": ""} for row in fresh] == [{**row, "system": ""} for row in again]
    assert "is evaluated" not in error_of(3, "monitor", stored, "--day", "country")
    assert "leave out --qrels" in error_of(2, "monitor", stored, "--qrels", gold, "--day", "dt")


def test_a_store_knows_its_days(gold: Path, tmp_path: Path) -> None:
    store, table = tmp_path / "results", pq.read_table(gold)
    for day in DAYS[:15]:
        of_day = table.filter(pc.equal(table["dt"], day)).drop_columns(["dt"])
        with sqlrank.evaluate(of_day, metrics=["p@1"]) as result:
            result.store(store, as_of=str(day))
    asked = ["--baseline-days", SPAN, "--format", "csv"]
    fresh = run_cli("monitor", gold, "-m", "p@1", "--day", "dt", *asked).table[:15]
    found = completed("monitor", store, "-m", "p@1", *asked).table
    assert [{**row, "system": ""} for row in found] == [{**row, "system": ""} for row in fresh]


def test_judgments_without_days_are_those_of_every_day(tmp_path: Path) -> None:
    rows = export(VALUES)
    shown = {**rows, "doc_id": [f"d{relevance}" for relevance in rows.pop("relevance")]}
    run = written(tmp_path / "run.parquet", shown)
    ids = sorted(set(rows["query_id"]))
    qrels = written(
        tmp_path / "qrels.parquet", {"query_id": ids, "doc_id": ["d1"] * len(ids), "relevance": [1] * len(ids)}
    )
    asked = ["--qrels", qrels, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--format", "csv"]
    table = run_cli("monitor", run, *asked).table
    assert [float(row["value"]) for row in table] == pytest.approx(VALUES, abs=1e-12)


def test_a_weighted_mean_is_that_of_each_day(tmp_path: Path) -> None:
    rows = export([0.5] * 20)
    rows["traffic"] = [3.0 if relevance else 1.0 for relevance in rows["relevance"]]
    path = written(tmp_path / "export.parquet", rows)
    asked = ["--day", "dt", "-m", "p@1", "-m", "num_rel_ret", "--weight", "traffic", "--format", "csv"]
    table = completed("monitor", path, *asked).table
    assert {(row["metric"], float(row["value"])) for row in table} == {("p@1", 0.75), ("num_rel_ret", 500.0)}


def test_fewer_than_fourteen_days_are_refused_with_what_to_do(tmp_path: Path, gold: Path) -> None:
    path = written(tmp_path / "export.parquet", export(VALUES[:9]))
    said = error_of(3, "monitor", path, "--day", "dt", "-m", "p@1")
    assert "p@1 has 9 days, and a baseline needs 14 or more: wait until there are more" in said
    said = error_of(3, "monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", "2026-01-01..2026-01-10")
    assert "p@1 has 10 days from 2026-01-01 to 2026-01-10" in said
    assert "(p@1 has days from 2026-01-01 to 2026-01-28)" in said
    said = error_of(2, "monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", "20260101..20260128")
    assert "write two days such as 2026-01-01..2026-01-28" in said


def test_a_baseline_of_all_days_watches_nothing_and_says_so(tmp_path: Path, gold: Path) -> None:
    outcome = completed("monitor", gold, "--day", "dt", "-m", "p@1")
    assert "all 28 days of p@1 are the baseline: nothing is watched yet" in outcome.err


def test_missing_days_are_said_and_days_out_of_order_do_not_matter(tmp_path: Path) -> None:
    rows = export(VALUES, without=[3, 20])
    path = written(tmp_path / "export.parquet", rows)
    turned = written(tmp_path / "turned.parquet", {name: column[::-1] for name, column in rows.items()})
    asked = ["--day", "dt", "-m", "p@1", "--baseline-days", "2026-01-01..2026-01-15", "--format", "csv"]
    outcome = run_cli("monitor", path, *asked)
    assert "2 days without queries: 2026-01-04, 2026-01-21; a chart goes on with the next day" in outcome.err
    values = [value for number, value in enumerate(VALUES) if number not in (3, 20)]
    assert [float(row["value"]) for row in outcome.table] == pytest.approx(values, abs=1e-12)
    numbers = [{**row, "system": ""} for row in run_cli("monitor", turned, *asked).table]
    assert numbers == [{**row, "system": ""} for row in outcome.table]


def test_two_metrics_share_the_rate(gold: Path) -> None:
    asked = ["--day", "dt", "-m", "p@1", "-m", "rr", "--baseline-days", SPAN]
    outcome = run_cli("monitor", gold, *asked)
    assert "reaches 2,000 (1,000 for each of 2 charts)" in outcome.out
    assert "a baseline like this one (14 days, correlation 0), in our simulation" in outcome.out
    assert {row["limit"] for row in run_cli("monitor", gold, *asked, "--format", "csv").table} == {"", "2000"}
    both = run_cli("monitor", gold, *asked, "--direction", "both", "--format", "csv")
    assert {row["limit"] for row in both.table} == {"", "4000"}
    assert "(1,000 for each of 4 charts)" in both.err


def test_segments_have_charts_beside_the_total(tmp_path: Path) -> None:
    rows = export(VALUES)
    rows["country"] = [["de", "fr"][int(query[1:]) % 2] for query in rows["query_id"]]
    path = written(tmp_path / "export.parquet", rows)
    asked = ["--day", "dt", "-m", "p@1", "--by", "country", "--baseline-days", SPAN]
    table = run_cli("monitor", path, *asked, "--format", "csv").table
    assert {(row["country"], row["is_total"]) for row in table} == {("", "true"), ("de", "false"), ("fr", "false")}
    total = [row for row in table if row["is_total"] == "true"]
    assert [float(row["value"]) for row in total] == pytest.approx(VALUES, abs=1e-12)
    document = json.loads(run_cli("monitor", path, *asked, "--format", "json").out)
    assert [(chart["country"], chart["is_total"]) for chart in document["charts"]] == [
        (None, True),
        ("de", False),
        ("fr", False),
    ]


def test_a_segment_without_a_baseline_is_left_out_and_said(tmp_path: Path) -> None:
    rows = export(VALUES)
    rows["country"] = [
        "new" if day > DAYS[20] and query < "q2" else "de"
        for day, query in zip(rows["dt"], rows["query_id"], strict=True)
    ]
    path = written(tmp_path / "export.parquet", rows)
    outcome = run_cli("monitor", path, "--day", "dt", "-m", "p@1", "--by", "country", "--baseline-days", SPAN)
    assert "1 chart left out, with fewer than 14 days for a baseline, such as p@1 in country=new with 0" in outcome.err


def test_a_timestamp_is_its_day_and_what_is_none_is_refused(tmp_path: Path) -> None:
    rows = export(VALUES)
    texts = {**rows, "dt": [f"{day} 23:59:59" for day in rows["dt"]]}
    path = written(tmp_path / "texts.parquet", texts)
    table = run_cli("monitor", path, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--format", "csv").table
    assert [row["day"] for row in table] == [str(day) for day in DAYS]
    bad = written(tmp_path / "bad.parquet", {**rows, "dt": [f"day {day}" for day in rows["dt"]]})
    said = error_of(3, "monitor", bad, "--day", "dt", "-m", "p@1")
    assert "bad.parquet: dt is not a date in 28,000 rows of queries, such as 'day 2026-01-01'" in said


def test_names_of_columns_end_no_statement(tmp_path: Path) -> None:
    rows = export(VALUES[:16])
    days = rows.pop("dt")
    for name in NAMES:
        rows[name] = days
        rows[f"{name} too"] = [["'", '"; drop table x; --'][int(query[1:]) % 2] for query in rows["query_id"]]
    path = str(written(tmp_path / "export.parquet", rows))

    def check(name: str) -> None:
        asked: dict[str, Any] = {"day": name, "by": [f"{name} too"], "baseline_days": SPAN, "rule": "ewma"}
        with sqlrank.monitor(path, metrics="p@1", **asked) as result:
            assert len(result.charts) == 3
            assert len(result.rows.fetchall()) == 48

    hold({repr(name): name for name in NAMES}, check)


COLUMNS_MADE = {
    name
    for statement in ("daily", "chart", "charts")
    for name in re.findall(r"\bas ([a-z_]+)", (sql_folder() / "monitoring" / f"{statement}.sql").read_text("utf-8"))
}
"""What the statements call their columns."""


def test_a_segment_is_called_as_no_column_of_the_statements_or_is_refused() -> None:
    days = [FIRST + timedelta(day) for day in range(16) for _ in range(4)]
    rows: Rows = {"dt": days, "query_id": [f"q{number}" for number in range(64)], "doc_id": ["d"] * 64}
    rows |= {"rank": [1] * 64, "relevance": [number % 3 % 2 for number in range(64)], "w": [1, 2, 1, 3] * 16}
    asked: dict[str, Any] = {"day": "dt", "baseline_days": f"{FIRST}..{days[-5]}", "weight": "w", "threads": 1}

    def check(name: str) -> None:
        table = pa.table({**rows, name: ["de", "us"] * 32})
        try:
            with sqlrank.monitor(table, metrics="p@1", by=name, **asked) as result:
                assert [chart[name] for chart in result.charts] == [None, "de", "us"]
                assert len(result.rows.fetchall()) == 48
        except UsageError as error:
            if "the output has a column of that name" not in str(error):
                raise

    hold({name: name for name in sorted(COLUMNS_MADE)}, check)


WRONG: list[tuple[list[str], str]] = [
    (["-m", "p@1"], "--day is missing"),
    (["--day", "dt", "-m", "p@1", "--baseline-days", "2026"], "--baseline-days 2026: write two days such as"),
    (["--day", "dt", "-m", "p@1", "--baseline-days", "2026-02-01..2026-01-01"], "it ends before it begins"),
    (["--day", "dt", "-m", "gm_map"], "is not a mean over queries"),
    (["--day", "dt", "-m", "auc"], "one value of a whole system"),
    (["--day", "dt", "-m", "p@1", "--strict", "--rule", "ewma"], "--strict is --rule cs"),
    (["--day", "dt", "-m", "p@1", "--rule", "x"], "--rule x is not known"),
    (["--day", "dt", "-m", "p@1", "--direction", "left"], "--direction left is not known"),
    (["--day", "dt", "-m", "p@1", "--by", "metric"], "the output has a column of that name"),
    (["--day", "dt", "-m", "p@1", "--by", "since"], "the output has a column of that name"),
    (["--day", "dt", "-m", "p@1", "--format", "trec"], "trec"),
]


def test_what_cannot_be_meant_is_refused(gold: Path) -> None:
    for asked, said in WRONG:
        assert said in error_of(2, "monitor", gold, *asked)


def test_rows_without_a_day_are_refused_with_what_leaves_them_out(tmp_path: Path) -> None:
    rows = export(VALUES)
    rows["dt"][:3] = [None] * 3
    path = written(tmp_path / "export.parquet", rows)
    asked = ["--day", "dt", "-m", "p@1", "--baseline-days", SPAN]
    said = error_of(3, "monitor", path, *asked)
    assert "dt is empty in 3 rows, which belong to no day; leave them out with --where 'dt is not null'" in said
    left = run_cli("monitor", path, *asked, "--where", "dt is not null", "--format", "csv").table
    assert left[0]["queries"] == "997"


def test_queries_without_a_day_are_on_no_chart_and_are_counted(tmp_path: Path) -> None:
    rows = export(VALUES)
    ids = [f"{day} {query}" for day, query in zip(rows["dt"], rows["query_id"], strict=True)]
    days = [None if number < 3 else day for number, day in enumerate(rows.pop("dt"))]
    path = written(tmp_path / "export.parquet", {**rows, "query_id": ids})
    queries = written(tmp_path / "queries.parquet", {"query_id": ids, "dt": days})
    asked = ["--queries", queries, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--format", "csv"]
    outcome = run_cli("monitor", path, *asked)
    assert "3 queries of 28,000 have no dt: on no chart" in outcome.err
    assert [row["queries"] for row in outcome.table[:2]] == ["997", "1000"]
    none = written(tmp_path / "none.parquet", {"query_id": ids, "dt": pa.array([None] * len(ids), pa.date32())})
    said = error_of(3, "monitor", path, "--queries", none, "--day", "dt", "-m", "p@1")
    assert "dt is empty in every row of queries" in said


def test_judgments_that_have_the_day_too_make_queries_without_results_zeros(tmp_path: Path) -> None:
    rows = export(VALUES)
    judged = {name: rows[name] for name in ("query_id", "doc_id", "relevance", "dt")}
    judged["relevance"] = [1] * len(judged["dt"])
    shown = [number for number, relevance in enumerate(rows["relevance"]) if relevance]
    run = {name: [rows[name][number] for number in shown] for name in ("query_id", "doc_id", "score", "dt")}
    paths = [written(tmp_path / "run.parquet", run), "--qrels", written(tmp_path / "qrels.parquet", judged)]
    table = run_cli("monitor", *paths, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--format", "csv").table
    assert [float(row["value"]) for row in table] == pytest.approx(VALUES, abs=1e-12)
    assert {row["queries"] for row in table} == {"1000"}


def test_python_takes_frames_and_one_run(gold: Path) -> None:
    frame = pq.read_table(gold)
    with sqlrank.monitor(frame, metrics="p@1", day="dt", baseline_days=SPAN) as result:
        assert [str(chart["since"]) for chart in result.alarms] == ["2026-01-24"]
    with pytest.raises(sqlrank.UsageError, match="monitor takes one export"):
        sqlrank.monitor([frame, frame], metrics="p@1", day="dt")
    with pytest.raises(sqlrank.UsageError, match="baseline_days=2026: write two days"):
        sqlrank.monitor(frame, metrics="p@1", day="dt", baseline_days="2026")


def test_strict_is_the_confidence_sequence(gold: Path) -> None:
    outcome = run_cli("monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--strict")
    assert "alpha 5 % for this chart, however long one watches, if days vary" in outcome.out
    assert "had one in the 335 days" in outcome.out
    other = run_cli("monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--strict", "--alpha", "0.1")
    assert "had one in the 335 days" not in other.out


def test_every_format_is_written(gold: Path, tmp_path: Path) -> None:
    def check(kind: str) -> None:
        asked = ["--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--format", kind, "-o", tmp_path / kind]
        assert run_cli("monitor", gold, *asked).code == 4
        assert (tmp_path / kind).stat().st_size > 0

    hold(["json", "jsonl", "parquet", "markdown", "latex"], check)
    assert pq.read_table(tmp_path / "parquet").schema.field("day").type == pa.date32()


def test_all_days_are_shown_where_they_are_asked_for(gold: Path) -> None:
    out = run_cli("monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--all-days").out
    assert out.count("baseline\n") == 14
    assert "2026-01-28" in out


def test_several_systems_have_charts_of_their_own(tmp_path: Path) -> None:
    rows = export(VALUES)
    twice: Callable[[list[Any]], list[Any]] = lambda column: [*column, *column]  # noqa: E731
    both = {name: twice(column) for name, column in rows.items()}
    both["system"] = [name for name in ("old", "new") for _ in rows["dt"]]
    path = written(tmp_path / "export.parquet", both)
    with sqlrank.monitor(str(path), metrics="p@1", day="dt", baseline_days=SPAN) as result:
        assert result.systems == ["new", "old"]
        assert [chart["limit"] for chart in result.charts] == [2000.0, 2000.0]


def test_a_baseline_with_a_trend_is_told_with_what_to_do(gold: Path, tmp_path: Path) -> None:
    falling = [value - 0.001 * number for number, value in enumerate(BASELINE)]
    path = written(tmp_path / "export.parquet", export([*falling, *BASELINE]))
    said = run_cli("monitor", path, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN).err
    assert "the baseline of p@1 falls by 0.0" in said
    assert "name days without a trend with --baseline-days A..B" in said
    assert "from its first day" not in run_cli("monitor", gold, "--day", "dt", "-m", "p@1", "--baseline-days", SPAN).err
