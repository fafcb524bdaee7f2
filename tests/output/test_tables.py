"""A kind of result declares its table once: terminal, Markdown, LaTeX, pages and notebooks draw it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest

from sqlrank.errors import UsageError
from sqlrank.output.formats import write_with_rows
from sqlrank.output.tables import Rows
from sqlrank.output.writing import Destination, Shown, write_shown, writing_of
from sqlrank.pages.html import Page, Section, fragment_html, page_html
from sqlrank.pages.tables import Cell, Table, column
from sqlrank.pages.terminal_tables import PLAIN, Screen, write_table
from tests.support.reports import parsed, tables_of

DELAYS: list[dict[str, Any]] = [
    {"is_total": False, "interval": "de", "delay": 12.5, "ci_low": 12.0, "ci_high": 13.0, "queries": 80},
    {"is_total": False, "interval": "a|b", "delay": 20.0, "ci_low": 18.0, "ci_high": 22.0, "queries": 7},
    {"is_total": True, "interval": None, "delay": 13.0, "ci_low": None, "ci_high": None, "queries": 87},
]
"""A segment that is called as a column is."""


def delay_table(delays: list[dict[str, Any]]) -> Table:
    """A new kind of result: how long queries take."""
    rows = Rows(delays)
    return Table(
        [
            *rows.segments(["interval"]),
            rows.numbers("queries"),
            rows.numbers("delay", delay, "ms", marks=1),
            rows.numbers(
                "interval", lambda row: "-" if row["ci_low"] is None else f"{row['ci_low']} to {row['ci_high']}"
            ),
            rows.drawn("delay"),
        ],
        caption="Delays",
        spare=("queries", "interval"),
    )


def delay(row: Any) -> Cell:
    """A delay, marked where it is long."""
    slow = row["delay"] > 15
    return Cell(f"{row['delay']:.1f}", "loss" if slow else "", sign="▼" if slow else "", mark="*" if slow else "")


def drawn(kind: str, screen: Screen = PLAIN) -> str:
    """The table in a format, with a remark."""
    file = io.StringIO()
    write_shown(Shown([delay_table(DELAYS)], ["* slow"]), Destination(kind, screen=screen), file)
    return file.getvalue()


def test_a_new_kind_of_result_is_drawn_on_a_terminal() -> None:
    assert drawn("table").splitlines() == [
        "interval  queries    ms        interval",
        "de             80  12.5    12.0 to 13.0",
        "a|b             7  20.0 *  18.0 to 22.0",
        "(all)          87  13.0               -",
        "",
        "* slow",
    ]
    lines = drawn("table", Screen(60, color=True, plot=True, unicode=False)).splitlines()
    assert lines[0] == "interval    ms        interval  drawn"
    assert lines[2].startswith("a|b       \x1b[31m20.0 *\x1b[0m  18.0 to 22.0   :")
    assert lines[4] == "no room for: queries; --format csv has every column"


def test_a_column_that_is_left_out_is_not_the_segment_of_its_name() -> None:
    assert drawn("table", Screen(20)).splitlines()[:3] == ["interval    ms", "de        12.5", "a|b       20.0 *"]


def test_a_new_kind_of_result_is_drawn_in_markdown_and_latex() -> None:
    assert drawn("markdown").splitlines() == [
        "| interval | queries | ms | interval |",
        "| :-- | --: | --: | --: |",
        "| de | 80 | 12.5 | 12.0 to 13.0 |",
        "| a\\|b | 7 | 20.0 \\* | 18.0 to 22.0 |",
        "| (all) | 87 | 13.0 | - |",
        "",
        "\\* slow  ",
    ]
    lines = drawn("latex").splitlines()
    assert lines[:2] == ["% * slow", r"\begin{tabular}{lrrr}"]
    assert r"a|b & 7 & 20.0 * & 18.0 to 22.0 \\" in lines


def test_a_new_kind_of_result_is_drawn_on_a_page_and_in_a_notebook() -> None:
    table = delay_table(DELAYS)
    page = page_html(Page("Delays", "en", "", [Section("delays", "Delays", [table])], "Contents", "Skip", "Numbers"))
    rows = tables_of(parsed(page))["Delays"]
    assert rows[1] == {"interval": "18.0 to 22.0", "queries": "7", "ms": "▼ 20.0 *", "drawn": ""}
    assert page.count('class="value"') == 2
    assert '<td class="loss">' in page
    assert "</span> 20.0 *</td>" in fragment_html([table.only("by interval", "delay")])


def test_a_table_without_rows_has_its_header() -> None:
    file = io.StringIO()
    write_table(delay_table([]), file, Screen(80))
    assert file.getvalue() == "interval  queries  ms    interval\n"


def test_the_heads_of_a_turned_table_stand_to_the_left() -> None:
    table = Table([column("system", ["keyword"]), column("ap", ["0.4"], number=True)]).turned()
    assert [(each.title, each.number) for each in table.columns] == [("system", False), ("keyword", True)]


class OneRow:
    """A relation of one row."""

    def __init__(self) -> None:
        self.columns = ["system"]

    def iter_rows(self) -> Iterator[tuple[str]]:
        """The row."""
        yield ("搜索",)


def test_texts_of_other_scripts_stand_in_a_document_as_they_are() -> None:
    file = io.StringIO()
    write_with_rows(OneRow(), {"notes": ["查询 q1"]}, file)
    assert '"system": "搜索"' in file.getvalue()
    assert '"查询 q1"' in file.getvalue()


def test_what_is_no_result_has_no_tables() -> None:
    with pytest.raises(UsageError, match="there are no tables of a OneRow"):
        writing_of(OneRow)
