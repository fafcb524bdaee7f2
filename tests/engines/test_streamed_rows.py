"""Rows that are written as text are fetched some at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

import sqlrank
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult, StreamedRows
from sqlrank.output.formats import write_relation

LATE = "select i, case when i = 600000 then error('too late') end as text from range(700000) as t (i)"
SOON = LATE.replace("600000", "30000")


def test_rows_are_there_before_the_statement_has_ended() -> None:
    engine = DuckDBEngine(threads=1)
    rows = OpenResult(engine).streamed(engine.relation(LATE))
    assert isinstance(rows, StreamedRows)
    assert rows.columns == ["i", "text"]
    found = rows.iter_rows()
    assert next(found) == (0, None)
    with pytest.raises(sqlrank.SqlrankError, match="too late"):
        list(found)
    engine.close()


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_file_whose_rows_end_early_is_not_there(kind: str, tmp_path: Path) -> None:
    engine = DuckDBEngine()
    result, path = OpenResult(engine), tmp_path / f"rows.{kind}"
    with pytest.raises(sqlrank.SqlrankError, match="too late"):
        write_relation(result, engine.relation(SOON), kind, str(path), {}, dict)
    assert list(tmp_path.iterdir()) == []
    result.close()


def test_every_row_comes_once_and_in_order() -> None:
    engine = DuckDBEngine()
    rows = OpenResult(engine).streamed(engine.relation("select i from range(25000) as t (i) order by i desc"))
    assert [row[0] for row in rows.iter_rows()] == list(range(24999, -1, -1))
    engine.close()
