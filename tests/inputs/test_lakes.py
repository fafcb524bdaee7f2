"""Tables of a lake: rows that their log has deleted do not count, whatever the files hold."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import sqlrank
from sqlrank.inputs import lake_tables
from tests.support.cli_helper import command, completed, environment, error_of
from tests.support.components import package

RUN: dict[str, list[Any]] = {
    "query_id": ["q1", "q1", "q1", "q2"],
    "doc_id": ["a", "b", "c", "a"],
    "score": [3.0, 2.0, 1.0, 1.0],
}
DAYS = ["2026-01-01", "2026-01-01", "2026-01-01", "2026-01-02"]
QRELS = {"q1": {"b": 1}, "q2": {"a": 1}}
# Without the document a, b is the first of q1.
VALUES = {"q1": {"rr": 1.0}, "q2": {"rr": 1.0}}


def frame(**more: list[Any]) -> pyarrow.Table:
    return pyarrow.table(RUN | {"day": DAYS} | more)


def delta(folder: Path) -> Path:
    """A Delta table of which a row was deleted and whose columns changed."""
    deltalake = package("deltalake", "lake")
    deltalake.write_deltalake(folder, frame(), partition_by=["day"])
    later = {name: values[:1] for name, values in RUN.items()} | {"query_id": ["q9"]}
    table = pyarrow.table(later | {"day": ["2026-01-03"], "device": ["phone"]})
    deltalake.write_deltalake(folder, table, mode="append", schema_mode="merge")
    deltalake.DeltaTable(folder).delete("query_id = 'q1' and doc_id = 'a'")
    return folder


def properties(folder: Path) -> dict[str, str]:
    """What a catalogue of Iceberg in a folder is."""
    return {"type": "sql", "uri": f"sqlite:///{folder}/catalogue.db", "warehouse": f"file://{folder}"}


def iceberg(folder: Path) -> Any:
    """The same in Iceberg."""
    catalogues = package("pyiceberg.catalog", "lake")
    from pyiceberg.types import StringType

    folder.mkdir()
    with catalogues.load_catalog("lab", **properties(folder)) as catalogue:
        catalogue.create_namespace("search")
        made = catalogue.create_table("search.runs", schema=frame().schema)
        with made.update_spec() as spec:
            spec.add_identity("day")
        made.append(frame())
        with made.update_schema() as schema:
            schema.add_column("device", StringType())
        made.delete("query_id == 'q1' and doc_id == 'a'")
        return catalogue.load_table("search.runs")


def test_rows_that_delta_deleted_do_not_count(tmp_path: Path) -> None:
    table = delta(tmp_path / "runs")
    with sqlrank.evaluate(table, QRELS, "rr") as result:
        assert result.to_dict() == VALUES
    with sqlrank.evaluate(table, QRELS, "rr", where="day = '2026-01-01'", query_set="shared") as result:
        assert result.to_dict() == {"q1": {"rr": 1.0}}
    with sqlrank.evaluate(table, QRELS, "rr", by="device", query_set="shared") as result:
        assert {row["device"] for row in result.to_dicts()} == {"(none)", None}


def test_judgments_may_be_a_table_of_delta_and_are_read_without_the_condition(tmp_path: Path) -> None:
    deltalake = package("deltalake", "lake")
    rows = [(query, doc, 1, "old") for query, found in QRELS.items() for doc in found]
    names = ("query_id", "doc_id", "relevance", "day")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    deltalake.write_deltalake(tmp_path / "qrels", pyarrow.table(columns), partition_by=["day"])
    with sqlrank.evaluate(frame(), tmp_path / "qrels", "rr", where="day >= '2026'", query_set="judged") as result:
        assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}


def test_rows_that_iceberg_deleted_do_not_count(tmp_path: Path) -> None:
    metadata = iceberg(tmp_path / "lake").metadata_location.removeprefix("file://")
    for run in (metadata, Path(metadata).parents[1]):
        with sqlrank.evaluate(run, QRELS, "rr") as result:
            assert result.to_dict() == VALUES
        with sqlrank.evaluate(run, QRELS, "rr", where="DAY = '2026-01-01'", query_set="shared") as result:
            assert result.to_dict() == {"q1": {"rr": 1.0}}


def test_a_table_is_found_in_a_catalogue(tmp_path: Path) -> None:
    iceberg(tmp_path / "lake")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\n")
    named = {f"PYICEBERG_CATALOG__LAB__{name.upper()}": value for name, value in properties(tmp_path / "lake").items()}
    words = [*command(), "eval", "lab.search.runs", "--qrels", str(tmp_path / "qrels.csv"), "-m", "rr"]
    done = subprocess.run(words, env=environment() | named, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[3:6]) == (0, ["lab.search.runs", "1", "1.0000"]), done.stderr


@pytest.mark.parametrize(
    ("where", "pruned"),
    [
        ("day = '2026-01-01'", True),
        ("day in ('2026-01-01', 'x') and not day < '2026'", True),
        ("score > 1", False),
        ("day = '2026-01-01' or score > 1", False),
        ("day is distinct from '2026-01-01'", False),
        ("length(day) = 10", False),
    ],
)
def test_partitions_are_left_out_where_the_condition_is_about_them(where: str, pruned: bool, tmp_path: Path) -> None:
    table = iceberg(tmp_path / "lake")
    assert lake_tables.on_partitions(table, where) == pruned
    rows = lake_tables.iceberg_rows(table.metadata_location, where).read_all().num_rows
    assert rows == (2 if pruned else 3)


def test_files_of_a_lake_are_not_read_as_plain_files(tmp_path: Path) -> None:
    tables = [delta(tmp_path / "runs"), Path(iceberg(tmp_path / "lake").location().removeprefix("file://"))]
    for table in tables:
        file = next(table.rglob("*.parquet"))
        for run in (file, file.parent, f"{file.parent}/*.parquet"):
            assert f"name the table, {table}" in error_of(3, "eval", run, "--qrels", file)


def test_a_lake_that_is_broken_is_told(tmp_path: Path) -> None:
    table = delta(tmp_path / "runs")
    next(iter(sorted(table.glob("_delta_log/*.json")))).write_text("{")
    assert "cannot be read as Delta" in error_of(3, "eval", table, "--qrels", table)
    metadata = Path(iceberg(tmp_path / "lake").metadata_location.removeprefix("file://"))
    folder = metadata.parents[1]
    shutil.copy(metadata, metadata.with_name(f"{metadata.name.partition('-')[0]}-other.metadata.json"))
    assert "which metadata is the current one?" in error_of(3, "eval", folder, "--qrels", folder)
    metadata.write_text("{}")
    assert "cannot be read as Iceberg" in error_of(3, "eval", metadata, "--qrels", metadata)


def test_without_the_libraries_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = delta(tmp_path / "runs")
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(sqlrank.UsageError, match=r"pip install 'sqlrank\[lake\]'"):
        sqlrank.evaluate(table, QRELS, "rr")


def test_a_statement_of_a_bare_duckdb_has_none(tmp_path: Path) -> None:
    table = delta(tmp_path / "runs")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\n")
    asked = ["eval", table, "--qrels", tmp_path / "qrels.csv", "-m", "rr"]
    assert "a bare DuckDB cannot read it" in error_of(2, *asked, "--show-sql")
    assert completed(*asked).code == 0
