"""Tables of declared columns: how values of each kind read, and which column goes first without room."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb

import sqlrank
from sqlrank.columns import SEGMENTS, TYPES, Field, Kind, asked_for, filled, names_of, picked, spare_names, stored_types
from sqlrank.output.tables import Reading, Row, Rows, declared_table, relation_table
from sqlrank.pages.tables import Table

FIELDS = (
    Field("system", Kind.TEXT, "a system"),
    Field("n", Kind.COUNT, "units", title="units", nullable=True, spare=2),
    Field("delta", Kind.ESTIMATE, "an estimate", nullable=True),
    Field("ci_low", Kind.NUMBER, "its lower end", nullable=True, shown=False),
    Field("ci_high", Kind.NUMBER, "its upper end", nullable=True, shown=False),
    Field("p", Kind.PROBABILITY, "a p value", nullable=True, spare=1),
    Field("change", Kind.NUMBER, "a number", nullable=True),
    Field("share", Kind.SHARE, "a share", nullable=True),
    Field("ess", Kind.EFFECTIVE, "an effective number", nullable=True),
    Field("signed", Kind.SIGNED, "a number with a sign", title="less {other}", nullable=True),
    Field("relative", Kind.CHANGE, "a share with a sign", nullable=True),
    Field("effect", Kind.EFFECT, "an effect size", nullable=True),
    Field("slope", Kind.SLOPE, "a small change", nullable=True),
    Field("sure", Kind.FLAG, "whether it is sure", nullable=True),
    Field("verdict", Kind.VERDICT, "what it says"),
)
FOUND: dict[str, Any] = {
    **{"system": "b", "n": 1200, "delta": -0.25, "ci_low": -0.5, "ci_high": -0.125, "p": 1e-9, "change": -1e-9},
    **{"signed": 0.5, "relative": 0.1234, "effect": 0.5, "slope": 1.25e-5, "sure": True},
    **{"share": 0.1234, "ess": 12.34, "verdict": "worse", "device": "phone", "is_total": False},
}
NOTHING: dict[str, Any] = dict.fromkeys(FOUND) | {"system": "c", "verdict": "unknown", "is_total": True}


def tone(row: Row) -> str:
    return "loss" if row["verdict"] == "worse" else ""


READING = Reading(2, tone=tone, confidence="90 %", headings={"other": "{a}"})


def table(**how: Any) -> Table:
    return declared_table(FIELDS, Rows([FOUND, NOTHING]), READING, **how)


def test_values_read_as_their_kind_says() -> None:
    columns = {column.title: [cell.text for cell in column.cells] for column in table().columns}
    assert columns == {
        "system": ["b", "c"],
        "units": ["1,200", "-"],
        "delta": ["-0.25", "-"],
        "90 % interval": ["-0.50 to -0.12", "-"],
        "drawn": ["", ""],
        "p": ["<0.01", "-"],
        "change": ["0.00", "-"],
        "share": ["12.3 %", "-"],
        "ess": ["12.3", "-"],
        "less {a}": ["+0.50", "-"],
        "relative": ["+12.3 %", "-"],
        "effect": ["+0.50", "-"],
        "slope": ["+1.25e-05", "-"],
        "sure": ["True", "-"],
        "verdict": ["worse", "unknown"],
    }


def test_the_tone_is_that_of_the_row_and_has_a_sign() -> None:
    cells = {column.name: column.cells for column in table().columns}
    assert [(cell.tone, cell.sign) for cell in cells["delta"]] == [("loss", "▼"), ("", "●")]
    assert [cell.tone for cell in cells["verdict"]] == ["loss", ""]


def test_columns_without_room_go_in_their_order() -> None:
    found = table(without=("share",))
    assert "share" not in [column.name for column in found.columns]
    assert found.spare == spare_names(FIELDS) == ["p", "n"]


def test_a_difference_has_its_sign_its_stars_and_the_decimals_of_its_row() -> None:
    fields = (Field("metric", Kind.TEXT, "a metric"), Field("delta", Kind.DIFFERENCE, "a difference", nullable=True))
    rows = Rows([FOUND | {"metric": "bad"}, NOTHING | {"metric": "ap"}])
    reading = Reading(4, places=lambda row: 0 if row["metric"] == "bad" else 4, tone=tone, stars=lambda _: "*")
    columns = {column.name: column for column in declared_table(fields, rows, reading).columns}
    assert [(cell.text, cell.tone, cell.sign, cell.mark) for cell in columns["delta"].cells] == [
        ("-0", "loss", "▼", "*"),
        ("-", "", "", "*"),
    ]
    assert [cell.text for cell in columns["interval"].cells] == ["-0 to -0", "-"]
    assert columns["delta"].marks == 3
    plain = {column.name: column for column in declared_table(fields, rows, READING).columns}
    assert plain["delta"].marks == 0


def test_where_rows_have_no_tone_and_no_stars_there_is_no_sign_and_no_room_for_stars() -> None:
    fields = (Field("delta", Kind.DIFFERENCE, "a difference", nullable=True), *FIELDS[3:5])
    (delta, *_) = declared_table(fields, Rows([FOUND]), Reading(2)).columns
    assert [(cell.text, cell.sign, cell.mark) for cell in delta.cells] == [("-0.25", "", "")]
    assert delta.marks == 0


def test_what_is_said_stands_in_place_of_a_value_and_a_name_is_cut_where_there_is_no_room() -> None:
    said = {"verdict": lambda row: f"it is {row['verdict']}", "n": lambda row: f"{row['n']} of many"}
    reading = replace(READING, said=said, names=("share",))
    columns = {column.name: column for column in declared_table(FIELDS, Rows([FOUND]), reading).columns}
    assert [cell.text for cell in columns["verdict"].cells] == ["it is worse"]
    assert [cell.text for cell in columns["n"].cells] == ["1200 of many"]
    assert (columns["verdict"].number, columns["n"].number) == (False, True)
    assert [name for name, column in columns.items() if column.named] == ["share"]


def test_segments_stand_where_they_are_declared_and_the_interval_goes_where_its_lower_end_does() -> None:
    ends = [Field(name, Kind.NUMBER, "an end", shown=False, spare=3) for name in ("ci_low",)]
    fields = (FIELDS[0], *SEGMENTS, *FIELDS[1:3], *ends)
    made = declared_table(fields, Rows([FOUND, NOTHING]), READING, by=["device"], kept=["n"])
    assert [column.title for column in made.columns][:3] == ["system", "device", "units"]
    assert [cell.text for cell in made.columns[1].cells] == ["phone", "(all)"]
    assert made.spare == ["interval"]


def test_rows_of_a_statement_have_texts_to_the_left_and_no_column_that_is_not_shown() -> None:
    relation: Any = duckdb.sql(
        "select 'a' as doc_id, 1200 as n, 0.125::double as p, 0.125::double as score, null as change, 'b' as system"
    )
    fields = (*FIELDS[1:], Field("score", Kind.GIVEN, "a score"), replace(FIELDS[0], shown=False))
    made = relation_table(relation, 2, fields)
    assert [(column.name, column.number, column.cells[0].text) for column in made.columns] == [
        *[("doc_id", False, "a"), ("n", True, "1200"), ("p", True, "0.12")],
        *[("score", True, "0.125"), ("change", True, "-")],
    ]
    assert made.spare == ["p", "n"]


def test_columns_are_there_for_what_was_asked_for() -> None:
    fields = (*SEGMENTS, Field("{unit}s", Kind.COUNT, "{unit}s", when="margin"), FIELDS[0])
    assert [field.name for field in asked_for(fields)] == ["system"]
    assert stored_types(asked_for(fields, by=["day", "is"])) == {
        **{"day": "varchar", "is": "varchar", "is_total": "boolean", "system": "varchar"}
    }
    assert names_of(fields) == ["is_total", "{unit}s", "system"]
    found = filled(asked_for(fields, ["margin"]), unit="user")
    assert [(field.name, field.meaning) for field in found] == [("users", "users"), ("system", "a system")]
    assert [field.name for field in picked(FIELDS, ["p", "none", "system"])] == ["p", "system"]


def test_a_declaration_gives_the_types_that_are_stored_and_the_line_of_the_reference() -> None:
    assert set(TYPES) == set(Kind)
    assert stored_types(FIELDS[:3]) == {"system": "varchar", "n": "bigint", "delta": "double"}
    assert [field.described for field in FIELDS[:2]] == ["string: a system", "integer?: units"]


def declared() -> Iterator[tuple[str, tuple[Field, ...]]]:
    """All declared columns of the project."""
    for module in pkgutil.walk_packages(sqlrank.__path__, "sqlrank."):
        if module.name.endswith(".columns") and module.name != "sqlrank.columns":
            for name, fields in vars(importlib.import_module(module.name)).items():
                if name.isupper() and isinstance(fields, tuple) and all(isinstance(each, Field) for each in fields):
                    yield f"{module.name}:{name}", fields


def test_each_column_is_declared_once_and_each_estimate_has_its_ends() -> None:
    found = dict(declared())
    assert "sqlrank.interleaving.columns:ROWS" in found
    for place, fields in found.items():
        names = [field.name for field in fields]
        assert len(names) == len(set(names)), place
        places = [field.spare for field in fields if field.spare]
        assert len(places) == len(set(places)), place
        if any(field.kind in (Kind.ESTIMATE, Kind.DIFFERENCE) for field in fields):
            assert {"ci_low", "ci_high"} <= set(names), place
