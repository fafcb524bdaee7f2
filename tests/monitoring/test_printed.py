"""The statement of charts that is printed, run elsewhere over stored values: the same chart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.choices import CHART_METHODS
from sqlrank.dialects import DIALECTS
from tests.monitoring.stored import store_days
from tests.support.cli_helper import completed, error_of
from tests.support.sessions import ClickHouseSession, DataFusionSession, PostgresSession, SparkSession, SqliteSession
from tests.support.tables import hold

COLUMNS = ("system", "query_id", "as_of", "country", "dcg_at_1")
FIRST = date(2026, 1, 1)


class BareDuckDB:
    """A DuckDB that sqlrank has not touched."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.close = self.connection.close

    def load(self, name: str, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> None:
        """Make a table."""
        lists = [list(values) for values in zip(*rows, strict=True)]
        self.connection.register(name, pa.table(dict(zip(columns, lists, strict=True))))

    def query(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows of a statement."""
        found = self.connection.sql(statement)
        return found.columns, found.fetchall()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 45 days, the last ten of which are worse in one country."""
    folder, random = tmp_path_factory.mktemp("store"), np.random.default_rng(2)
    runs: dict[str, Any] = {}
    qrels: dict[str, dict[str, float]] = {}
    for day in range(45):
        names = [f"d{day}q{query}" for query in range(30)]
        runs[str(FIRST + timedelta(days=day))] = {name: {"d": 1.0} for name in names}
        for query, name in enumerate(names):
            value = 0.5 + random.normal(0, 0.1) - (0.2 if day >= 35 and query % 2 else 0.0)
            qrels[name] = {"d": round(value, 6)}
    queries = pa.table({"query_id": list(qrels), "country": ["de", "us"] * (len(qrels) // 2)})
    store_days(folder, runs, "dcg@1", qrels=qrels, by="country", queries=queries, query_set="shared")
    return folder


@pytest.fixture(scope="module")
def rows(place: Path) -> list[tuple[Any, ...]]:
    found = duckdb.sql(f"select system, query_id, as_of::varchar, country, dcg_at_1 from '{place}/*/*.parquet'")
    return list(found.fetchall()) if found is not None else []


def by_chart(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Value, statistic, limit and alarm of each day, by country and day."""
    found = {}
    for row in rows:
        values = dict(zip(names, row, strict=True))
        key = (values["country"] or "(all)", str(values["day"])[:10])
        found[key] = (values["value"], values["statistic"], values["limit"], bool(values["alarm"]))
    return found


@pytest.fixture(scope="module")
def wanted(place: Path) -> dict[str, dict[tuple[str, str], tuple[Any, ...]]]:
    """What `monitor` gives, by method."""
    found = {}
    for method in CHART_METHODS:
        with sqlrank.monitor(str(place), metrics="dcg@1", by="country", rule=method) as watched:
            found[method] = by_chart(watched.rows.columns, watched.rows.fetchall())
    return found


ENGINES = pytest.mark.parametrize(
    ("dialect", "session_of"),
    [
        ("duckdb", BareDuckDB),
        ("sqlite", SqliteSession),
        pytest.param("postgres", PostgresSession, marks=pytest.mark.needs("postgres")),
        pytest.param("clickhouse", ClickHouseSession, marks=pytest.mark.needs("engines")),
        pytest.param("datafusion", DataFusionSession, marks=pytest.mark.needs("engines")),
        pytest.param("spark", SparkSession, marks=pytest.mark.needs("spark")),
    ],
)


def young(days: int, name: str, since: int = 0) -> list[tuple[Any, ...]]:
    """The values of two queries on so many days of a segment."""
    return [
        ("s", f"q{query}", str(FIRST + timedelta(days=since + day)), name, (day * 7 + query) % 5 / 10)
        for day in range(days)
        for query in range(2)
    ]


NEW_SEGMENT = [*young(43, "old"), *young(2, "new", 41)]
EVERY_AGE = [row for days in range(1, 16) for row in young(days, f"{days:02}")] + NEW_SEGMENT
"""Segments of each number of days to 15, and one that begins after weeks of another."""
YOUNG = {"a day": young(1, "one"), "every age": EVERY_AGE}


@ENGINES
def test_a_chart_runs_from_its_first_day_on(dialect: str, session_of: Any) -> None:
    session, found = session_of(), YOUNG if dialect != "spark" else {"every age": EVERY_AGE}
    if dialect in ("sqlite", "postgres"):
        found = found | {"nothing": []}

    def check(case: tuple[str, str, str | None]) -> None:
        name, method, baseline = case
        session.load("stored_values", found[name], COLUMNS)
        text = sqlrank.monitor_sql(
            "stored_values", "dcg@1", by="country", rule=method, charts=3, dialect=dialect, baseline_days=baseline
        )
        days = {row[2:4] for row in found[name]} | {row[2] for row in found[name]}
        assert len(session.query(text)[1]) == len(days)

    until = f"{FIRST}..{FIRST + timedelta(days=41)}"
    methods = CHART_METHODS if dialect != "spark" else ("e", "cs")
    hold(list(product(found, methods, (None, until) if dialect != "spark" else (None,))), check)
    session.close()


@ENGINES
def test_other_engines_give_the_chart_that_monitor_gives(
    dialect: str, session_of: Any, wanted: dict[str, dict[tuple[str, str], Any]], rows: list[tuple[Any, ...]]
) -> None:
    session = session_of()
    session.load("stored_values", rows, COLUMNS)

    def check(method: str) -> None:
        text = sqlrank.monitor_sql("stored_values", "dcg@1", by="country", rule=method, charts=3, dialect=dialect)
        found = by_chart(*session.query(text))
        assert found.keys() == wanted[method].keys()
        assert len(found) == 3 * 45
        for key, values in wanted[method].items():
            assert [value is None for value in found[key]] == [value is None for value in values], key
            numbers, expected = ([value for value in row if value is not None] for row in (found[key], values))
            assert numbers == pytest.approx(expected, rel=1e-6, abs=1e-9), key
            assert numbers[0] == pytest.approx(values[0], rel=1e-9), key
        assert any(values[-1] for values in wanted[method].values())

    hold(CHART_METHODS, check)
    session.close()


def test_every_dialect_has_the_statement() -> None:
    def check(dialect: str) -> None:
        text = completed("sql", "stored.values", "--monitor", "-m", "ndcg@10,p@5", "--dialect", dialect).out
        assert "ndcg_at_10" in text
        assert "stored" in text

    hold(list(DIALECTS), check)


def test_options_that_are_of_rankings_are_refused() -> None:
    wrong = {
        "--charts N is missing": ("--monitor", "--by", "country"),
        "leave out --qrels": ("--monitor", "--qrels", "q"),
        "leave out --summary": ("--monitor", "--summary"),
        "leave out --column\n": ("--monitor", "--column", "query_id=q"),
        "--day is for --monitor": ("--day", "ds"),
        "--baseline-days is for --monitor": ("--baseline-days", "2026-01-01..2026-01-28"),
        "--ids nativ is not known": ("--monitor", "--ids", "nativ"),
        "leave out --ids\n": ("--monitor", "--ids", "native"),
        "column weight": ("--monitor", "--weight", "traffic"),
        "one chart or more": ("--monitor", "--charts", "0"),
    }
    for said, options in wrong.items():
        assert said in error_of(2, "sql", "s", "-m", "p@5", *options)


def test_a_hostile_column_of_days_is_a_column() -> None:
    text = sqlrank.monitor_sql("s", "p@5", day='da"y')
    assert '"da""y"' in text
