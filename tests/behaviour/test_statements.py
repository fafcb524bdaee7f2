"""Statements to take away: the labels of the command, from the engines that are here."""

from __future__ import annotations

import math
import re
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from sqlrank.behaviour.methods import every_method
from sqlrank.choices import DIALECTS
from sqlrank.errors import UsageError
from sqlrank.log import judgments, judgments_sql
from tests.behaviour.simulated import EXAMINATION, logged
from tests.statement.test_dialects import PARSERS
from tests.support.components import package
from tests.support.sessions import HERE
from tests.support.tables import each, hold

CLOSED = [name for name, method in every_method().items() if method.learns is None and name != "grades"]
TABLE = pd.DataFrame({"position": range(1, len(EXAMINATION) + 1), "propensity": EXAMINATION})


def asked(method: str) -> dict[str, Any]:
    return {"propensities": "propensities"} if every_method()[method].propensities else {}


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    found = logged("pbm", impressions=2000).frame()
    found["day"] = [f"2026-10-{1 + number % 5:02}" for number in found["impression_id"]]
    return found


def of_command(data: pd.DataFrame, method: str) -> dict[Any, tuple[float, ...]]:
    given = {"propensities": TABLE} if asked(method) else {}
    with judgments(data, method=method, **given) as found:
        return {(row["query_id"], row["doc_id"]): values(row) for row in found.to_dicts()}


def values(row: dict[str, Any]) -> tuple[float, ...]:
    return row["relevance"], row["low"], row["high"], row["impressions"], row["clicks"]


def check(rows: list[dict[str, Any]], expected: dict[Any, tuple[float, ...]]) -> None:
    """The labels are the same, and the ends about the same."""
    found = {(row["query_id"], row["doc_id"]): values(row) for row in rows}
    assert found.keys() == expected.keys()
    for pair, (relevance, low, high, *counts) in expected.items():
        assert found[pair][0] == pytest.approx(relevance, abs=1e-9)
        assert found[pair][1:3] == pytest.approx((low, high), abs=0.08 * (high - low))
        assert list(found[pair][3:]) == counts


def rows_of_duckdb(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    result = connection.execute(sql)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


@pytest.mark.parametrize("method", CLOSED)
def test_duckdb_gives_the_labels_of_the_command(method: str, data: pd.DataFrame) -> None:
    with duckdb.connect() as connection:
        connection.register("shown", data)
        connection.register("propensities", TABLE)
        rows = rows_of_duckdb(connection, judgments_sql("shown", method=method, **asked(method)))

    check(rows, of_command(data, method))


@pytest.mark.parametrize("method", ["sdbn", "ctr", "ratio"])
def test_cells_of_days_give_the_labels_of_the_log(method: str, data: pd.DataFrame) -> None:
    with duckdb.connect() as connection:
        connection.register("shown", data)
        connection.register("propensities", TABLE)
        cells = judgments_sql("shown", method=method, step="cells", day="day", **asked(method))
        connection.execute(f"create table cells as {cells}")
        days = connection.execute("select count(distinct day) from cells").fetchall()[0][0]
        rows = rows_of_duckdb(connection, judgments_sql("cells", method=method, step="labels", **asked(method)))

    assert days == 5
    check(rows, of_command(data, method))


SHOWN = ("impression_id", "query_id", "doc_id", "position", "clicked")
YOUNG = {
    "nothing": [],
    "one row": [("i", "q", "d", 1.0, 0.0)],
    "one click": [("i", "q", "d", 1.0, 1.0)],
    "no clicks": [("i", "q", f"d{place}", float(place), 0.0) for place in range(1, 4)],
    "all clicked": [(f"i{number}", "q", f"d{number}", 1.0, 1.0) for number in range(3)],
    "one list": [("i", "q", "d", 1.0, 0.0), ("i", "q", "e", 2.0, 1.0)],
}
ELSEWHERE = [
    "duckdb",
    "sqlite",
    *(pytest.param(name, marks=pytest.mark.needs("engines")) for name in ("clickhouse", "datafusion")),
    *(pytest.param(name, marks=pytest.mark.needs(name)) for name in ("postgres", "spark")),
]


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_a_log_has_judgments_from_its_first_row_on_and_clicks_may_be_booleans(dialect: str) -> None:
    session = HERE[dialect]()
    session.load("propensities", [(1.0, 1.0), (2.0, 0.5)], ("position", "propensity"))
    logs = {name: rows for name, rows in YOUNG.items() if rows or dialect in ("duckdb", "sqlite", "postgres")}
    methods = CLOSED if dialect != "spark" else ["sdbn", "ctr"]
    logs = logs if dialect != "spark" else {"one list": YOUNG["one list"]}

    def found(method: str, prior: tuple[float, float] | None) -> list[Any]:
        given = {"min_impressions": 0, "prior": prior, "dialect": dialect} | asked(method)
        names, rows = session.query(judgments_sql("shown", method=method, **given))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def check(case: tuple[str, str, tuple[float, float] | None]) -> None:
        name, method, prior = case
        session.load("given", logs[name], SHOWN)
        session.view("shown", f"select {', '.join(SHOWN[:4])}, clicked = 1 as clicked from given")
        for row in found(method, prior):
            clicked = sum(each[4] for each in logs[name] if each[2] == row["doc_id"])
            assert row["clicks"] == clicked
            assert all(cell is None or math.isfinite(cell) for cell in (row["relevance"], row["low"], row["high"]))

    without = ("ips",)
    hold([(name, method, None) for name, method in product(logs, methods)], check)
    hold([(name, method, (0, 0)) for name, method in product(logs, methods) if method not in without], check)
    session.close()


def test_options_reach_the_statement(data: pd.DataFrame) -> None:
    changed = data.rename(columns={"query_id": "q", "clicked": "hit"})
    changed["position"] -= 1
    changed["seen"], changed["bot"] = (changed["position"] < 6).astype(int), 0
    columns = {"query_id": "q", "clicked": "hit", "seen": "seen", "is_bot": "bot"}
    with duckdb.connect() as connection:
        connection.register("shown", changed)
        sql = judgments_sql("shown", columns=columns, position_base=0, exclude_bots=True, shown_depth=5)
        rows = rows_of_duckdb(connection, sql)
    with judgments(data[data["position"] <= 5]) as found:
        expected = {(row["query_id"], row["doc_id"]): values(row) for row in found.to_dicts()}

    check(rows, expected)


def test_every_dialect_parses() -> None:
    sqlglot = package("sqlglot", "test")

    def check(case: tuple[str, str]) -> None:
        method, dialect = case
        sql = judgments_sql("shop.log", method=method, dialect=dialect, columns={"query_id": 'a "b'}, **asked(method))
        assert sqlglot.parse_one(re.sub(r"\nsettings .*\n\Z", "\n", sql), read=PARSERS[dialect]) is not None

    hold([(method, dialect) for method in CLOSED for dialect in DIALECTS], check)


WRONG = [
    ({"method": "pbm"}, "learns round by round"),
    ({"method": "dbn"}, "learns round by round"),
    ({"step": "cells"}, "name its column with"),
    ({"day": "ds"}, "is for"),
    ({"signal": "dwell>=30", "page_size": 10}, "name the column of the pages"),
    ({"exclude_bots": True}, "name the column that says it"),
    ({"encoding": "latin-1"}, "leave out encoding='latin-1'"),
    ({"timezone": "UTC"}, "leave out timezone='UTC'"),
    ({"separator": "|"}, "leave out separator='|'"),
]


@each(WRONG)
def test_what_no_statement_can_say_is_refused(case: tuple[Any, str]) -> None:
    options, says = case
    with pytest.raises(UsageError, match=says):
        judgments_sql("shown", **options)


def test_a_model_of_dbt_reads_the_last_day_that_it_holds_and_what_came_since() -> None:
    sql = judgments_sql("{{ ref('log') }}", step="cells", day="ds", dialect="postgres")

    assert sql.startswith('{{ config(\n    materialized="incremental",\n    incremental_strategy="delete+insert",')
    assert 'unique_key=["ds", "query_id", "doc_id", "position"],\n) }}\n-- sqlrank' in sql
    assert "from {{ ref('log') }}\n{% if is_incremental() %}" in sql
    assert "where ds >= (select max(ds) from {{ this }})" in sql


def test_the_columns_of_a_file_and_a_condition_reach_the_statement(data: pd.DataFrame, tmp_path: Path) -> None:
    other = {"impression_id": "serp_id", "query_id": "query", "doc_id": "docid", "position": "pos", "clicked": "click"}
    path = str(tmp_path / "shop.parquet")
    data.assign(is_ad=data["position"].eq(2).astype(int)).rename(columns=other).to_parquet(path)
    sql = judgments_sql(path, where="pos <= 5", min_impressions=0)
    with duckdb.connect() as connection:
        rows = rows_of_duckdb(connection, sql)
    with judgments(path, where="pos <= 5", min_impressions=0) as found:
        check(rows, {(row["query_id"], row["doc_id"]): values(row) for row in found.to_dicts()})

    assert "from shop" in judgments_sql(path, dialect="spark")
    lists = pd.DataFrame([{"query_id": "q", "shown": ["a", "b"], "clicks": ["b"]}])
    lists.to_parquet(tmp_path / "lists.parquet")
    with pytest.raises(UsageError, match="holds lists"):
        judgments_sql(str(tmp_path / "lists.parquet"))
    with pytest.raises(UsageError, match="a condition on a log"):
        judgments_sql("cells", where="day > 1", step="labels")


def test_a_propensity_of_0_gives_no_label_and_no_error() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "create table shown as select 'i' impression_id, 'q' query_id, 'd' doc_id, 1 position, 1 clicked"
        )
        connection.execute("create table propensities as select 1 as position, 0.0 as propensity")
        rows = rows_of_duckdb(connection, judgments_sql("shown", method="ratio", min_impressions=0, **asked("ratio")))
    assert [row["relevance"] for row in rows] == [None]
