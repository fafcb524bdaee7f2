"""The types of the columns that statements give: values are floating-point numbers, counts whole ones of 64 bits."""

from __future__ import annotations

import sqlite3
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS

RUNS = [("q1", "d1", 2.0, 3), ("q1", "d2", 1.0, 3), ("q2", "d1", 1.0, 1)]
JUDGED = [("q1", "d1", 1), ("q2", "d2", 1)]
METRICS = ["rr", "p@1", "ap", "ndcg@1", "num_ret", "bpref", "set_p", "gauc"]
FORMS: dict[str, dict[str, Any]] = {
    "alone": {},
    "skipped": {"empty": "skip"},
    "systems": {"columns": {"system": "query_id"}},
    "averaged": {"query_set": "run", "duplicates": "best"},
}


@pytest.mark.parametrize("metrics", [METRICS, ["rr"], ["ap", "p@1"], ["set_success", "num_rel"]], ids=",".join)
@pytest.mark.parametrize("options", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("summary", [False, True])
def test_sqlite_gives_floating_point_numbers(summary: bool, options: dict[str, Any], metrics: list[str]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table runs (query_id text, doc_id text, score, traffic)")
    connection.execute("create table judged (query_id text, doc_id text, relevance)")
    connection.executemany("insert into runs values (?, ?, ?, ?)", RUNS)
    connection.executemany("insert into judged values (?, ?, ?)", JUDGED)
    cursor = connection.execute(sqlrank.sql("runs", "judged", metrics, dialect="sqlite", summary=summary, **options))
    names = [column[0] for column in cursor.description]
    values = ["value"] if summary else [name for name in names if name not in ("system", "query_id")]
    rows = [dict(zip(names, row, strict=True)) for row in cursor]
    connection.close()
    assert rows
    assert {type(row[name]) for row in rows for name in values if not name.endswith("_weight")} <= {float, type(None)}
    assert not summary or {type(row["queries"]) for row in rows} == {int}


def test_sqlite_gives_them_of_whole_systems_too() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table runs (query_id text, doc_id text, score)")
    connection.execute("create table goods (doc_id text)")
    connection.executemany("insert into runs values (?, ?, ?)", [row[:3] for row in RUNS])
    connection.executemany("insert into goods values (?)", [("d1",), ("d2",)])
    text = sqlrank.sql("runs", None, ["coverage@5"], dialect="sqlite", items="goods")
    row = connection.execute(text).fetchone()
    connection.close()
    assert repr(row[2]) == "1.0"


@pytest.mark.parametrize("weight", [None, "traffic"])
def test_the_queries_of_a_summary_are_whole_numbers_of_64_bits(weight: str | None) -> None:
    text = sqlrank.sql("runs", "judged", METRICS, summary=True, weight=weight)
    with duckdb.connect() as connection:
        connection.execute(
            "create table runs as from (values ('q1', 'd1', 2.0, 3)) as t(query_id, doc_id, score, traffic)"
        )
        connection.execute("create table judged as select 'q1' as query_id, 'd1' as doc_id, 1 as relevance")
        relation = connection.sql(text)
        kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    assert kinds["queries"] == "BIGINT"
    assert {kinds[name] for name in ("value", "stderr", "ci_low", "ci_high")} == {"DOUBLE"}


@pytest.mark.parametrize("dialect", [name for name, spoken in DIALECTS.items() if spoken.typed])
def test_other_engines_have_no_cast_of_the_values(dialect: str) -> None:
    text = sqlrank.sql("runs", "judged", "rr", dialect=dialect)
    assert "cast(\n" not in text
    assert "cast(max(" not in text
