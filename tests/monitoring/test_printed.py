"""The statement of charts that is printed, run elsewhere over stored values: the same chart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.choices import CHART_METHODS
from sqlrank.dialects import DIALECTS
from tests.support.cli_helper import completed, error_of
from tests.support.sessions import ClickHouseSession, DataFusionSession, PostgresSession, SparkSession, SqliteSession

COLUMNS = ("system", "query_id", "as_of", "country", "dcg_at_1")
FIRST = date(2026, 1, 1)


class BareDuckDB:
    """A DuckDB that sqlrank has not touched."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()

    def load(self, name: str, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> None:
        """Make a table."""
        given = pa.table(
            {column: list(values) for column, values in zip(columns, zip(*rows, strict=True), strict=True)}
        )
        self.connection.register(name, given)

    def query(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows of a statement."""
        found = self.connection.sql(statement)
        return found.columns, found.fetchall()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def store(place: Path) -> None:
    """Store the values of 45 days, the last ten of which are worse in one country."""
    random = np.random.default_rng(2)
    for day in range(45):
        run, qrels, country = {}, {}, {}
        for query in range(30):
            name = f"d{day}q{query}"
            value = 0.5 + random.normal(0, 0.1) - (0.2 if day >= 35 and query % 2 else 0.0)
            run[name], qrels[name], country[name] = {"d": 1.0}, {"d": round(value, 6)}, "us" if query % 2 else "de"
        queries = pa.table({"query_id": list(country), "country": list(country.values())})
        with sqlrank.evaluate(run, qrels, "dcg@1", by="country", queries=queries) as result:
            result.store(str(place), as_of=str(FIRST + timedelta(days=day)))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    store(folder)
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


@pytest.mark.turns(7)
@pytest.mark.parametrize("method", CHART_METHODS)
@pytest.mark.parametrize(
    ("dialect", "session_of"),
    [
        ("duckdb", BareDuckDB),
        ("sqlite", SqliteSession),
        ("postgres", PostgresSession),
        ("clickhouse", ClickHouseSession),
        ("datafusion", DataFusionSession),
        ("spark", SparkSession),
    ],
)
def test_other_engines_give_the_chart_that_monitor_gives(
    method: str, dialect: str, session_of: Any, place: Path, rows: list[tuple[Any, ...]]
) -> None:
    with sqlrank.monitor(str(place), metrics="dcg@1", by="country", method=method) as watched:
        wanted = by_chart(watched.rows.columns, watched.rows.fetchall())
    text = sqlrank.monitor_sql("stored_values", "dcg@1", by="country", method=method, charts=3, dialect=dialect)
    session = session_of()
    session.load("stored_values", rows, COLUMNS)
    found = by_chart(*session.query(text))
    session.close()
    assert found.keys() == wanted.keys()
    assert len(found) == 3 * 45
    for key, values in wanted.items():
        assert [value is None for value in found[key]] == [value is None for value in values], key
        numbers, expected = ([value for value in row if value is not None] for row in (found[key], values))
        assert numbers == pytest.approx(expected, rel=1e-6, abs=1e-9), key
        assert numbers[0] == pytest.approx(values[0], rel=1e-9), key
    assert any(values[-1] for values in wanted.values())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_the_statement(dialect: str) -> None:
    text = completed("sql", "stored.values", "--monitor", "-m", "ndcg@10,p@5", "--dialect", dialect).out
    assert "ndcg_at_10" in text
    assert "stored" in text


def test_options_that_are_of_rankings_are_refused() -> None:
    assert "--charts N is missing" in error_of(2, "sql", "s", "--monitor", "-m", "p@5", "--by", "country")
    assert "leave out --qrels" in error_of(2, "sql", "s", "--monitor", "-m", "p@5", "--qrels", "q")
    assert "leave out --summary" in error_of(2, "sql", "s", "--monitor", "-m", "p@5", "--summary")
    assert "is for --monitor" in error_of(2, "sql", "s", "-m", "p@5", "--day", "ds")
    assert "column weight" in error_of(2, "sql", "s", "--monitor", "-m", "p@5", "--weight", "traffic")
    assert "one chart or more" in error_of(2, "sql", "s", "--monitor", "-m", "p@5", "--charts", "0")


def test_a_hostile_column_of_days_is_a_column() -> None:
    text = sqlrank.monitor_sql("s", "p@5", day='da"y')
    assert '"da""y"' in text
