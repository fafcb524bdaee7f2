"""The page of metrics that are watched: charts with their alarms and notes, the worst first, and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import vl_convert

import sqlrank
from sqlrank.choices import CHART_METHODS
from sqlrank.reports.figures import figure
from tests.support.cli_helper import FIXTURES, error_of, run_cli

LOG = str(FIXTURES / "shop" / "log.parquet")
ALARMS = ("--day", "day", "-m", "ndcg@5", "--rule", "cusum")
"""The drop of its last week is too young for the default method."""
HOSTILE = "<script>alert(1)</script>"


def test_the_page_has_the_alarms_the_charts_and_why(tmp_path: Path) -> None:
    page = tmp_path / "watch.html"
    asked = (*ALARMS, "--by", "country", "-o", page, "--note", f"2026-11-09={HOSTILE}")
    assert run_cli("monitor", LOG, *asked).code == 4
    text = page.read_text(encoding="utf-8")
    assert "ndcg@5 in country=us is in alarm since 2026-11-12" in text
    assert text.index("ndcg@5 in country=us, day by day") < text.index("ndcg@5 in country=de, day by day")
    assert "us: itself" in text
    assert "&lt;script&gt;alert(1)" in text
    assert HOSTILE not in text


def test_a_chart_has_every_day_with_its_state() -> None:
    with sqlrank.monitor(LOG, metrics="ndcg@5", day="day", by="country", rule="cusum") as watched:
        chart = watched.plot.control(notes=[("2026-11-09", "shipped"), ("2030-01-01", "later")])
        rows = chart.specification["data"]["values"]
        states = [row["side"] for row in rows]
        assert (len(rows), states.count("baseline"), states.count("alarm")) == (42, 28, 4)
        assert all(row["low"] < row["high"] for row in rows)
        assert "later" not in json.dumps(chart.specification)
        assert chart.svg().startswith("<svg")


def test_the_report_of_quiet_days_says_so_in_both_languages(tmp_path: Path) -> None:
    with sqlrank.monitor(LOG, metrics="ndcg@5", day="day", where="day < date '2026-11-05'") as watched:
        for language, said in (("en", "No chart is in alarm"), ("zh", "没有报警")):
            watched.report(tmp_path / "quiet.html", lang=language)
            assert said in (tmp_path / "quiet.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", CHART_METHODS)
def test_a_chart_has_its_rule_with_the_limit(method: str) -> None:
    with sqlrank.monitor(LOG, metrics="ndcg@5", day="day", by="country", rule=method) as watched:
        (us,) = (chart for chart in watched.charts if chart["country"] == "us")
        chart = watched.plot.control(us)
        rows = chart.specification["data"]["values"]
        asked = watched.rows.filter("country = 'us' and not is_baseline").order("day")
        wanted = asked.select("statistic", '"limit"').fetchall()
        found = [(row["statistic"], row["limit"]) for row in rows if row["side"] != "baseline"]
        assert found == [pytest.approx(row, rel=1e-6) for row in wanted]
        assert [row["side"] for row in rows if row["limit"] is None] == ["baseline"] * 28
        zoomed = figure(chart, interactive=True).specification
        assert '"views": ["values", "rule"]' in (zoomed or "")
        assert vl_convert.vegalite_to_svg(json.loads(zoomed or "")).startswith("<svg")


@pytest.mark.parametrize("note", ["2026-11-09", "yesterday=shipped", "2026-11-09=", "20261109=shipped", "=shipped"])
def test_a_note_is_a_day_and_a_text(note: str, tmp_path: Path) -> None:
    asked = ("--day", "day", "-m", "ndcg@5", "-o", tmp_path / "x.html", "--note", note)
    assert "write DAY=TEXT" in error_of(2, "monitor", LOG, *asked)
    assert "--note is for a report" in error_of(
        2, "monitor", LOG, "--day", "day", "-m", "ndcg@5", "--note", "2026-11-09=x"
    )


def test_without_the_extra_or_a_chart_nothing_is_said_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(specification: object, **_: object) -> str:
        raise ValueError("no room for an axis")

    asked = ("--day", "day", "-m", "ndcg@5", "-o", tmp_path / "x.html")
    monkeypatch.setattr("vl_convert.vegalite_to_svg", fail)
    unable = run_cli("monitor", LOG, *asked)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    without = run_cli("monitor", LOG, *asked)
    assert "no room for an axis" in unable.err
    assert "pip install 'sqlrank[report]'" in without.err
    assert [(outcome.code, outcome.out) for outcome in (unable, without)] == [(5, ""), (2, "")]
    assert not list(tmp_path.iterdir())


def test_markdown_is_a_message_with_the_alarms(tmp_path: Path) -> None:
    run_cli("monitor", LOG, *ALARMS, "--by", "country", "-o", tmp_path / "watch.md")
    text = (tmp_path / "watch.md").read_text(encoding="utf-8")
    assert text.startswith("| country | metric |")
    assert "\nndcg@5 in country=us is in alarm since 2026-11-12" in text
