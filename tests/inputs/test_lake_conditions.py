"""A condition keeps of a table of a lake the rows that it keeps of the same rows in plain Parquet."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.inputs import lake_tables
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading
from tests.support.components import package
from tests.support.lake_rows import condition, rows
from tests.support.tables import hold

DIVIDED_BY = ("word", "n", "day", "flag", "big")
Kept = Callable[[str], list[int]]


def connected() -> duckdb.DuckDBPyConnection:
    """A connection whose zone is that of all others here."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("set timezone = 'UTC'")
    return connection


def ids(connection: duckdb.DuckDBPyConnection, relation: str, where: str) -> list[int]:
    """The rows of a relation that meet a condition, by their number."""
    return [row[0] for row in connection.execute(f"select id from {relation} where ({where}) order by id").fetchall()]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """What a condition keeps of the rows as Parquet."""
    path = tmp_path_factory.mktemp("plain") / "rows.parquet"
    pyarrow.parquet.write_table(rows(), path)
    with connected() as connection:
        connection.read_parquet(str(path)).create_view("rows")
        yield lambda where: ids(connection, "rows", where)


@pytest.fixture(scope="module")
def of_delta(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """What it keeps of a table of Delta, divided by a column into files of few rows."""
    deltalake = package("deltalake", "lake")
    folder = tmp_path_factory.mktemp("delta")
    deltalake.write_deltalake(folder, rows(), partition_by=["word"])
    engine = DuckDBEngine(threads=1)
    engine.connection.execute("set timezone = 'UTC'")
    reader = str(open_table(engine, str(folder), "run", Reading(where="n = 1")).reader)
    yield lambda where: ids(engine.connection, reader, where)
    engine.close()


@pytest.fixture(scope="module")
def of_iceberg(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """What it keeps of tables of Iceberg, each divided by one column of another type."""
    catalogues = package("pyiceberg.catalog", "lake")
    folder = tmp_path_factory.mktemp("iceberg")
    known = {"type": "sql", "uri": f"sqlite:///{folder}/catalogue.db", "warehouse": f"file://{folder}"}
    with catalogues.load_catalog("lab", **known) as catalogue, pytest.MonkeyPatch.context() as patch:
        catalogue.create_namespace("lab")
        tables = [divided(catalogue, name) for name in DIVIDED_BY]
        patch.setattr(lake_tables, "iceberg_table", lambda argument: tables[int(argument)])
        with connected() as connection:
            yield OfIceberg(connection, tables).kept


def divided(catalogue: Any, name: str) -> Any:
    """The rows in a table that is divided by a column."""
    table = catalogue.create_table(f"lab.by_{name}", schema=rows().schema)
    with table.update_spec() as spec:
        spec.add_identity(name)
    table.append(rows())
    return table


class OfIceberg:
    """What conditions keep of tables of Iceberg, each of which is read once for all that it is asked."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, tables: list[Any]) -> None:
        self.connection, self.tables = connection, tables
        self.read: dict[str, str] = {}

    def kept(self, where: str) -> list[int]:
        """The rows that a condition keeps, which are the same of all tables."""
        found = [ids(self.connection, self.relation(number, where), where) for number in range(len(self.tables))]
        assert all(each == found[0] for each in found), where
        return found[0]

    def relation(self, number: int, where: str) -> str:
        """What one table gives for a condition."""
        key = f"{number} {lake_tables.condition_of(self.tables[number], where)}"
        if key not in self.read:
            self.read[key] = name = f"read_{len(self.read)}"
            given = lake_tables.iceberg_rows(str(number), where).rows.read_all()
            self.connection.register("given", given)
            self.connection.execute(f"create table {name} as from given")
        return self.read[key]


def test_an_order_beside_an_alternative_is_compared_with_no_null(of_iceberg: Kept, plain: Kept) -> None:
    def check(where: str) -> None:
        assert of_iceberg(where) == plain(where)

    hold(
        ["word <= 'a' or n = 1", "not (n > 0 and word = 'a')", "day < '2026-02-01' or flag", "n >= 1 or n is null"],
        check,
    )


@pytest.mark.needs("random")
@pytest.mark.parametrize(("lake", "number"), [("of_delta", 200), ("of_iceberg", 2000)])
def test_conditions_on_a_lake_keep_what_they_keep_of_parquet(
    lake: str, number: int, plain: Kept, request: pytest.FixtureRequest
) -> None:
    # Conditions on Delta are DuckDB's own to meet; for Iceberg ours says which files hold rows.
    kept, chance, tried = request.getfixturevalue(lake), random.Random(38), 0
    while tried < number:
        where = condition(chance)
        try:
            wanted = plain(where)
        except duckdb.Error:  # DuckDB itself cannot evaluate it
            continue
        tried += 1
        assert kept(where) == wanted, where
