"""What grows with the data stays in the engine: systems, segments and queries are never all held in Python."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.output.writing import Destination, write_per_query
from sqlrank.output.writing import write as write_result

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

SEGMENTS = 100_000
LARGEST = 8_000_000
"""Bytes of Python at most, where one list of the rows takes several times as many."""


def export(folder: Path, segments: int) -> str:
    """A labelled export in which every query is a segment of its own."""
    path = str(folder / f"{segments}.parquet")
    with duckdb.connect() as connection:
        connection.execute(
            f"""
            copy (
                select 'q' || i as query_id, 'd' || i as doc_id, 1.0 as score, i % 2 as relevance, 's' || i as segment
                from range({segments}) as numbers (i)
            ) to '{path}'
            """
        )
    return path


def write(path: str, kind: str, folder: Path) -> None:
    """Evaluate, look at one value, and write the summary and the per-query rows."""
    with sqlrank.evaluate(path, metrics="ndcg@10", by="segment") as result:
        assert result["ndcg@10"] == pytest.approx(0.5)
        write_result(result, Destination(kind, str(folder / "summary")))
        write_per_query(result, "csv", str(folder / "per_query"))


@pytest.mark.needs("process")
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_many_segments_are_not_held_in_python(kind: str, tmp_path: Path) -> None:
    path = export(tmp_path, SEGMENTS)
    write(export(tmp_path, 2), kind, tmp_path)  # modules and templates are not of the data
    tracemalloc.start()
    try:
        write(path, kind, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < LARGEST
    finally:
        tracemalloc.stop()
    assert (tmp_path / "summary").read_text(encoding="utf-8").count("ndcg@10") == SEGMENTS + 1
    assert len((tmp_path / "per_query").read_text(encoding="utf-8").splitlines()) == SEGMENTS + 1


def test_a_thousand_systems_are_evaluated_together(tmp_path: Path) -> None:
    path = str(tmp_path / "export.parquet")
    with duckdb.connect() as connection:
        connection.execute(
            f"""
            copy (
                select 's' || s as system, 'q' || q as query_id, 'd' || d as doc_id,
                    cast(hash(s, q, d) % 1000 as double) as score, d % 2 as relevance
                from range(1000) as systems (s), range(10) as queries (q), range(5) as documents (d)
            ) to '{path}'
            """
        )

    with sqlrank.evaluate(path, metrics="ndcg@3") as result:
        rows: list[Any] = result.rows.fetchall()

    assert len(rows) == len(result.counts) == 1000
    assert len({row[2] for row in rows}) > 100
