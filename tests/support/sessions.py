"""Engines in which an emitted statement is run for real, each with the same three doings: load, query, close."""

from __future__ import annotations

import math
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import duckdb

from sqlrank.dialects import SNOWFLAKE
from tests.support.cases import NUMBERS, arrow
from tests.support.components import package
from tests.support.postgres import server
from tests.support.spark import spark_session

Row = tuple[Any, ...]


class Session(Protocol):
    """A session of an engine."""

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table, in place of one of that name."""

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""

    def view(self, name: str, statement: str) -> None:
        """Make a view, in place of one of that name."""

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""

    def close(self) -> None:
        """End the session."""


def declared(columns: Iterable[str], text: str, number: str) -> str:
    """The columns of a table with their types."""
    return ", ".join(f"{name} {number if name in NUMBERS else text}" for name in columns)


class SqliteSession:
    """SQLite as Python brings it."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table whose texts do not compare by their bytes unless told to."""
        self.connection.execute(f"drop table if exists {name}")
        self.connection.execute(f"create table {name} ({declared(columns, 'text collate nocase', '')})")
        self.connection.executemany(f"insert into {name} values ({', '.join('?' * len(columns))})", rows)

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""
        cursor = self.connection.execute(statement)
        return [column[0] for column in cursor.description], cursor.fetchall()

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.connection.execute(f"drop view if exists {name}")
        self.connection.execute(f"create view {name} as {statement}")

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.connection.execute(statement)

    def close(self) -> None:
        """End the session."""
        self.connection.close()


class DuckDBSession:
    """A DuckDB that sqlrank has not touched."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table."""
        self.connection.register("given", arrow(rows, *columns))
        self.connection.execute(f"create or replace table {name} as from given").fetchall()
        self.connection.unregister("given")

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""
        relation = self.connection.sql(statement)
        return relation.columns, relation.fetchall()

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.connection.execute(f"create or replace view {name} as {statement}").fetchall()

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.connection.execute(statement).fetchall()

    def close(self) -> None:
        """End the session."""
        self.connection.close()


class PostgresSession:
    """A PostgreSQL server whose texts are ordered as in a dictionary of English, and which compiles no statement."""

    def __init__(self) -> None:
        psycopg = package("psycopg", "engines")
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pg-"))
            url = stack.enter_context(server(Path(folder))).url
            self.connection = stack.enter_context(psycopg.connect(url, autocommit=True, options="-c jit=off"))
            self.stack = stack.pop_all()

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table."""
        cursor = self.connection.cursor()
        cursor.execute(f"drop table if exists {name} cascade")
        cursor.execute(f"create table {name} ({declared(columns, 'text', 'double precision')})")
        with cursor.copy(f"copy {name} from stdin") as copy:
            for row in rows:
                copy.write_row(row)

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""
        cursor = self.connection.execute(statement)
        return [column.name for column in cursor.description], cursor.fetchall()

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.connection.execute(f"create or replace view {name} as {statement}")

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.connection.execute(statement)

    def close(self) -> None:
        """End the session and stop the server."""
        self.stack.close()


class ClickHouseSession:
    """ClickHouse inside this process."""

    def __init__(self) -> None:
        sessions = package("chdb.session", "engines")
        self.folder = tempfile.TemporaryDirectory(prefix="chdb-")
        self.session = sessions.Session(self.folder.name)

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table of columns that may be null."""
        import pyarrow.parquet as pq

        path = f"{self.folder.name}/{name}.parquet"
        pq.write_table(arrow(rows, *columns), path)
        self.session.query(f"create or replace view {name} as select * from file('{path}', Parquet)")

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""
        found = self.session.query(statement, "ArrowTable")
        return found.column_names, [tuple(row.values()) for row in found.to_pylist()]

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.session.query(f"create or replace view {name} as {statement}")

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.session.query(statement)

    def close(self) -> None:
        """End the session."""
        self.session.close()
        self.folder.cleanup()


class DataFusionSession:
    """Apache DataFusion."""

    def __init__(self) -> None:
        self.context = package("datafusion", "engines").SessionContext()

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table."""
        self.context.deregister_table(name)
        self.context.register_record_batches(name, [arrow(rows, *columns).to_batches()])

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""
        found = self.context.sql(statement).to_arrow_table()
        return found.column_names, [tuple(row.values()) for row in found.to_pylist()]

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.context.sql(f"create or replace view {name} as {statement}").collect()

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.context.sql(statement).collect()

    def close(self) -> None:
        """Nothing is left open."""


class SparkSession:
    """Apache Spark in local mode."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="spark-")
        self.spark = spark_session()

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a view."""
        import pyarrow.parquet as pq

        path = f"{self.folder.name}/{name}-{len(os.listdir(self.folder.name))}.parquet"
        pq.write_table(arrow(rows, *columns), path)
        self.spark.read.parquet(path).createOrReplaceTempView(name)

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns and rows of a statement."""
        frame = self.spark.sql(statement)
        return frame.columns, [tuple(row) for row in frame.collect()]

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.spark.sql(f"create or replace temporary view {name} as {statement}")

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.spark.sql(statement)

    def close(self) -> None:
        """Remove what was loaded; the session serves other tests."""
        self.folder.cleanup()


def snowflake_value(value: Any) -> str:
    """A value as Snowflake reads it, NaN and infinite numbers too."""
    finite = not isinstance(value, float) or math.isfinite(value)
    return SNOWFLAKE.literal(value) if finite else f"cast('{value}' as double)"


class SnowflakeSession:
    """fakesnow: Snowflake's own connector and SQL, computed by DuckDB."""

    def __init__(self) -> None:
        fakesnow = package("fakesnow", "warehouses")
        self.stack = ExitStack()
        self.stack.enter_context(fakesnow.patch())
        connect = package("snowflake.connector", "warehouses").connect
        self.connection = self.stack.enter_context(connect(database="search", schema="public"))

    def load(self, name: str, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Make a table."""
        cursor = self.connection.cursor()
        cursor.execute(f"create or replace table {name} ({declared(columns, 'varchar', 'double')})")
        values = ",\n".join(f"({', '.join(map(snowflake_value, row))})" for row in rows)
        cursor.execute(f"insert into {name} values {values}")

    def view(self, name: str, statement: str) -> None:
        """Make a view."""
        self.connection.cursor().execute(f"create or replace view {name} as {statement}")

    def query(self, statement: str) -> tuple[list[str], list[Row]]:
        """The columns, whose names Snowflake writes in capitals unless they are quoted, and rows of a statement."""
        cursor = self.connection.cursor().execute(statement)
        names = [column.name for column in cursor.description]
        return [name.lower() if name.isupper() else name for name in names], cursor.fetchall()

    def run(self, statement: str) -> None:
        """Run a statement that gives no rows."""
        self.connection.cursor().execute(statement)

    def close(self) -> None:
        """End the session."""
        self.stack.close()


HERE: dict[str, type[Session]] = {
    "duckdb": DuckDBSession,
    "sqlite": SqliteSession,
    "postgres": PostgresSession,
    "clickhouse": ClickHouseSession,
    "datafusion": DataFusionSession,
    "spark": SparkSession,
}
SESSIONS: dict[str, type[Session]] = {"snowflake": SnowflakeSession} if os.environ.get("SQLRANK_FAKESNOW") else HERE
"""What runs the statements of each dialect that is run; fakesnow lives in an environment of its own."""
