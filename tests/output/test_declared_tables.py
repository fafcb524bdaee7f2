"""Tables of declared columns: how values of each kind read, and which column goes first without room."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import sqlrank
from sqlrank.columns import TYPES, Field, Kind, spare_names, stored_types
from sqlrank.output.declared_tables import declared_table
from sqlrank.output.tables import Row, Rows
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
    Field("verdict", Kind.VERDICT, "what it says"),
)
FOUND: Row = {
    **{"system": "b", "n": 1200, "delta": -0.25, "ci_low": -0.5, "ci_high": -0.125, "p": 1e-9, "change": -1e-9},
    **{"share": 0.1234, "ess": 12.34, "verdict": "worse", "device": "phone", "is_total": False},
}
NOTHING: Row = dict.fromkeys(FOUND) | {"system": "c", "verdict": "unknown", "is_total": True}


def tone(row: Row) -> str:
    return "loss" if row["verdict"] == "worse" else ""


def table(**how: tuple[str, ...]) -> Table:
    return declared_table(FIELDS, Rows([FOUND, NOTHING]), 2, tone, "90 %", **how)


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
        "verdict": ["worse", "unknown"],
    }


def test_the_tone_is_that_of_the_row_and_has_a_sign() -> None:
    cells = {column.name: column.cells for column in table().columns}
    assert [(cell.tone, cell.sign) for cell in cells["delta"]] == [("loss", "▼"), ("", "●")]
    assert [cell.tone for cell in cells["verdict"]] == ["loss", ""]


def test_segments_come_first_and_columns_without_room_go_in_their_order() -> None:
    segmented = table(by=("device",), without=("share",))
    assert [column.title for column in segmented.columns][:2] == ["device", "system"]
    assert [cell.text for cell in segmented.columns[0].cells] == ["phone", "(all)"]
    assert "share" not in [column.name for column in segmented.columns]
    assert segmented.spare == spare_names(FIELDS) == ["p", "n"]


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
        assert sorted(places) == list(range(1, len(places) + 1)), place
        if any(field.kind is Kind.ESTIMATE for field in fields):
            assert {"ci_low", "ci_high"} <= set(names), place
