"""What a person sees of votes: the command, files, gates, and the chart, whatever rankers are called."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest

from sqlrank.log import interleave
from tests.interleaving.drafted import drafted
from tests.reports.charts.test_charts import data
from tests.support.cli_helper import completed, run_cli

SHOP = str(Path(__file__).parents[2] / "fixtures" / "behaviour" / "shop" / "interleaved.parquet")


def test_the_shop_prefers_its_new_ranker() -> None:
    found = completed("log", "interleave", SHOP)

    assert "B is preferred" in found.out
    assert "or of the exact sign test of users, whichever is larger" in found.out


def test_files_hold_the_rows_and_where_they_come_from(tmp_path: Path) -> None:
    for name in ("votes.parquet", "votes.csv", "votes.json", "votes.md", "votes.tex"):
        completed("log", "interleave", SHOP, "--by", "device", "-o", str(tmp_path / name))
    with interleave(SHOP, by="device") as found:
        rows = found.to_dicts()
    stored = duckdb.read_parquet(str(tmp_path / "votes.parquet"))
    kept = duckdb.execute(f"from parquet_kv_metadata('{tmp_path / 'votes.parquet'}')").fetchall()
    metadata = {key.decode(): value.decode() for _, key, value in kept}

    found_rows = [dict(zip(stored.columns, row, strict=True)) for row in stored.fetchall()]
    assert found_rows == [pytest.approx(row) for row in rows]
    assert json.loads(metadata["behaviour"])["design"] == "team draft"
    document = json.loads((tmp_path / "votes.json").read_text())
    assert [row["wins_a"] for row in document["rows"]] == [row["wins_a"] for row in rows]
    assert len(document["days"]) == 14
    assert "trec" in run_cli("log", "interleave", SHOP, "--format", "trec").err


GATES = [
    (["--baseline", "A", "--not-worse-than", "0.02"], 0, ""),
    (["--baseline", "B", "--not-worse-than", "0.02"], 4, "A against B is not shown to be less than 0.02 worse"),
    (["--baseline", "B", "--fail-on-drop", "0.3"], 0, ""),
    (["--baseline", "B", "--fail-on-drop", "0.1"], 4, "A against B has delta_ab -0.14"),
    (["--fail-on-drop", "0.1"], 2, "give --baseline NAME"),
    (["--junit", "gates.xml"], 2, "--junit reports on gates"),
]


@pytest.mark.parametrize(("options", "code", "says"), GATES)
def test_gates_end_with_their_code(options: list[str], code: int, says: str) -> None:
    found = run_cli("log", "interleave", SHOP, *options)

    assert found.code == code
    assert says in found.err


def test_names_of_rankers_cannot_steer_a_page_or_a_statement() -> None:
    hostile = {"A": 'it\'s <b>"A"</b>\x1b[31m', "B": "'); drop table x; --"}
    frame = drafted(users=60)
    with interleave(frame.assign(team=frame["team"].map(hostile)), baseline=hostile["A"]) as found:
        (row,) = found.to_dicts()
        page = found._repr_html_()
    with interleave(frame, baseline="A") as plain:
        (told,) = plain.to_dicts()

    assert (row["a"], row["wins_a"], row["p_value"]) == (hostile["B"], told["wins_a"], told["p_value"])
    assert "<b>" not in page


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_preference_is_drawn_day_by_day(language: str) -> None:
    from sqlrank.reports.charts.log_plots import InterleavedPlots

    with interleave(SHOP) as found:
        chart = InterleavedPlots(found, language).preferences()
        rows = data(chart)

    assert len(rows) == 14
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)
    assert ElementTree.fromstring(chart.svg()).tag.endswith("svg")


def test_a_log_of_interleaved_lists_is_known_as_one() -> None:
    assert completed("log", "inspect", SHOP).out.rstrip().endswith(f"sqlrank log interleave {SHOP}")
