"""What `print(result)` shows: the tables of the terminal, at its width, with every value that decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.cells import cell_len

import sqlrank
from tests.support.cli_helper import completed
from tests.support.reports import KEYWORD, QRELS, QUERIES, SEMANTIC, VERDICTS
from tests.support.results import MAKERS, RUNS, result_of
from tests.support.results import QRELS as JUDGED

SEGMENTS: dict[str, Any] = {"queries": str(QUERIES), "by": "country"}
RELATION = "┌─"
"""How a relation of DuckDB begins, which hides columns."""


@pytest.fixture(autouse=True)
def columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty columns, whatever terminal the tests are run on."""
    monkeypatch.setenv("COLUMNS", "80")


def printed(result: Any, monkeypatch: pytest.MonkeyPatch, *widths: int) -> Iterator[tuple[int, str]]:
    """What a terminal of each width shows."""
    for width in widths:
        monkeypatch.setenv("COLUMNS", str(width))
        yield width, repr(result)


@pytest.mark.parametrize("name", [name for name in MAKERS if "Inspection" not in name])
def test_no_line_is_wider_than_the_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for width, text in printed(result_of(name), monkeypatch, 30, 80, 120):
        assert RELATION not in text
        assert max(map(cell_len, text.splitlines())) <= width


def test_every_metric_has_its_value_at_any_width(monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlrank.evaluate([str(KEYWORD), str(SEMANTIC)], str(QRELS), ["ndcg@10", "ap"], **SEGMENTS) as result:
        for width, text in printed(result, monkeypatch, 20, 40, 60, 80, 200):
            assert [row for row in result.to_dicts() if f"{row['value']:.4f}" not in text] == [], width
            assert all(name in text for name in ("ndcg@10", "ap", "keyword", "semantic", "gb")), width


def test_every_difference_has_its_interval_at_any_width(monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlrank.compare([str(KEYWORD), str(SEMANTIC)], str(QRELS), ["ndcg@10", "rr"]) as comparison:
        for width, text in printed(comparison, monkeypatch, 20, 30, 45, 80, 200):
            numbers = [row[name] for row in comparison.to_dicts() for name in ("difference", "ci_low")]
            assert [number for number in numbers if f"{number:+.4f}" not in text] == [], width


def test_the_tables_are_those_of_the_commands() -> None:
    asked = ["-m", "ndcg@10", "-m", "ap", "--quiet"]
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10", "ap"]) as result:
        assert first_table(repr(result)) == first_table(completed("eval", KEYWORD, "--qrels", QRELS, *asked).out)
    with sqlrank.gsb(str(VERDICTS)) as verdicts:
        heads = repr(verdicts).splitlines()[0].split()
    assert set(heads) <= set(completed("gsb", VERDICTS).out.splitlines()[0].split())


def test_a_lone_system_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "35")
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"], **SEGMENTS) as result:
        assert "keyword" in repr(result).splitlines()[0] + repr(result).splitlines()[1]


def first_table(text: str) -> list[str]:
    """The lines before the first one that is empty."""
    return text.partition("\n\n")[0].splitlines()


def test_columns_without_room_are_in_the_rows() -> None:
    with sqlrank.compare(systems=RUNS, qrels=JUDGED, metrics="ndcg@5") as comparison:
        assert "; .rows has every column" in " ".join(repr(comparison).split())


def test_many_rows_are_shown_by_their_beginning_and_their_end() -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), "rr", queries=str(QUERIES), by="one=query_id") as result:
        lines = first_table(repr(result))
    assert len(lines) == 62  # a head, 50 rows, what is left out, 10 rows
    assert re.split(r"\s{2,}", lines[51]) == ["… 241 more", "…", "…", "…"]
    assert lines[-1].split()[1] == "(all)"


def test_remarks_and_notes_stand_below_the_tables() -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), "rr") as result:
        said = " ".join(repr(result).split())
    assert "trec_eval's conventions (.remarks() has more)" in said
    assert "5,301 rows read, 40 left out" in said
