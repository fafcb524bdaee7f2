"""Systems named by path, name or column, and tables of a database."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tests.support.cli_helper import error_of
from tests.support.small_data import (
    AP,
    RR,
    RUN,
    RUN_NAMES,
    TEXTS,
    ap_and_rr,
    assert_right,
    trec,
    write_bytes,
    write_csv,
)
from tests.support.tables import each

pytestmark = pytest.mark.usefixtures("run_and_qrels")
FIRST = ("0.12962962963", "0.166666666667")
"""ap and rr of the first three rows."""


def assert_values(*runs: str, **systems: tuple[str, str]) -> None:
    """These systems, in the order of what is given, have these values of ap and rr, or raise."""
    outcome = ap_and_rr(*runs, "--qrels", "qrels.csv")
    assert outcome.values == {
        (system, metric): value
        for system, values in systems.items()
        for metric, value in zip(("ap", "rr"), values, strict=True)
    }
    assert [row["system"] for row in outcome.table] == [system for system in systems for _ in range(2)]


def test_several_files_are_several_systems_named_by_their_stems() -> None:
    write_bytes("other.trec.gz", trec(" ")(RUN_NAMES, RUN[:3]), "gzip")
    assert_values("run.csv", "other.trec.gz", run=(AP, RR), other=FIRST)


def test_a_system_is_named_with_name_equals_path_unless_that_path_exists() -> None:
    assert_right(ap_and_rr("v2.1-b_x=run.csv", "--qrels", "qrels.csv"), system="v2.1-b_x")
    write_csv("dt=2024/run.csv", RUN_NAMES, RUN)
    assert_right(ap_and_rr("dt=2024/run.csv", "--qrels", "qrels.csv"))


def test_two_files_of_one_stem_must_be_named() -> None:
    write_csv("a/run.csv", RUN_NAMES, RUN)
    write_csv("b/run.csv", RUN_NAMES, RUN)
    said = error_of(2, "eval", "a/run.csv", "b/run.csv", "--qrels", "qrels.csv")

    assert "'run'" in said
    assert "name=path" in said
    assert ap_and_rr("a=a/run.csv", "b=b/run.csv", "--qrels", "qrels.csv").code == 0


def test_a_system_column_tells_the_systems_apart() -> None:
    rows = [("b", *row) for row in RUN] + [("a", *row) for row in RUN[:3]]
    write_csv("runs.csv", ("system", *RUN_NAMES), rows)
    assert_values("runs.csv", a=FIRST, b=(AP, RR))


def test_run_ids_of_a_trec_file_name_no_system() -> None:
    write_bytes("mine.trec", trec(" ")(RUN_NAMES, RUN), "plain")
    lines = [f"{query} Q0 {document} 1 {score} id{number}" for number, (query, document, score) in enumerate(RUN)]
    Path("a.trec").write_text("\n".join(lines) + "\n")
    assert_values("mine.trec", "a.trec", mine=(AP, RR), a=(AP, RR))
    assert_right(ap_and_rr("mine.trec", "--qrels", "qrels.csv"), system="mine")


@each(["csv", "jsonl", "trec"])
def test_unquoted_shards_are_refused_in_every_form(form: str) -> None:
    suffix, text = TEXTS[form]
    for query in ("q1", "q2"):
        Path(f"part-{query}{suffix}").write_text(text(RUN_NAMES, [row for row in RUN if row[0] == query]))
    said = error_of(3, "eval", f"part-q1{suffix}", f"part-q2{suffix}", "--qrels", "qrels.csv")
    assert "parts of one run" in said


@pytest.fixture
def database() -> tuple[str, ...]:
    """A DuckDB file with tables and views of the data set, in several schemas, as arguments."""
    with duckdb.connect("log.duckdb") as connection:
        connection.execute(
            """
            create table results as from 'run.csv'; create table qrels as from 'qrels.csv';
            create view shown as from results; create schema old; create table old.first as from results;
            create table "odd name; --" as from results; create table results_2 as from results limit 3;
            create schema lab; create table lab.run as from results
            """
        )
    return ("--qrels", "qrels", "--database", "log.duckdb")


def test_a_table_or_view_of_a_database_is_read(database: tuple[str, ...]) -> None:
    tables = ["results", "shown", "main.results", "old.first", "first", "odd name; --"]
    named = {f"t{number}": table for number, table in enumerate(tables)}
    found = ap_and_rr(*(f"{name}={table}" for name, table in named.items()), *database).values
    assert found == {(name, metric): value for name in named for metric, value in (("ap", AP), ("rr", RR))}


def test_the_system_of_a_table_is_its_name(database: tuple[str, ...]) -> None:
    assert {name for name, _ in ap_and_rr("results", "results_2", *database).values} == {"results", "results_2"}
    for table in ("old.first", "lab.run"):
        names = {name for name, _ in ap_and_rr(table, *database).values}
        assert names <= {table, table.partition(".")[2]}


def test_an_unknown_table_is_an_error_with_the_nearest_and_never_falls_through_to_a_file(
    database: tuple[str, ...],
) -> None:
    said = error_of(3, "eval", "resluts", *database)
    assert all(word in said for word in ("log.duckdb", "'resluts'", "did you mean results"))
    assert Path("run.csv").exists()
    assert "there is no table 'run.csv'" in error_of(3, "eval", "run.csv", *database)


def test_a_database_is_left_as_it_was_and_a_file_of_the_same_name_does_not_take_the_place_of_a_table(
    database: tuple[str, ...],
) -> None:
    write_csv("results", RUN_NAMES, RUN[:1])
    before = Path("log.duckdb").read_bytes()
    assert_right(ap_and_rr("a=results", *database), system="a")

    assert Path("log.duckdb").read_bytes() == before
    assert sorted(path.name for path in Path().iterdir()) == ["log.duckdb", "qrels.csv", "results", "run.csv"]


@each(["nowhere.duckdb", "run.csv", "."])
def test_a_database_that_is_none_is_an_error_that_names_it(name: str) -> None:
    assert f"--database {name}" in error_of(3, "eval", "results", "--qrels", "qrels", "--database", name)
