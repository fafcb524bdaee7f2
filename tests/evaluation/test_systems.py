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
    write_both,
    write_bytes,
    write_csv,
)

pytestmark = pytest.mark.usefixtures("run_and_qrels")


def test_several_files_are_several_systems_named_by_their_stems() -> None:
    write_bytes("other.trec.gz", trec(" ")(RUN_NAMES, RUN[:3]), "gzip")
    outcome = ap_and_rr("run.csv", "other.trec.gz", "--qrels", "qrels.csv")

    assert outcome.values == {
        ("run", "ap"): AP,
        ("run", "rr"): RR,
        ("other", "ap"): "0.12962962963",
        ("other", "rr"): "0.166666666667",
    }
    assert [row["system"] for row in outcome.table] == ["run", "run", "other", "other"]


def test_a_system_is_named_with_name_equals_path() -> None:

    assert_right(ap_and_rr("v2.1-b_x=run.csv", "--qrels", "qrels.csv"), system="v2.1-b_x")


def test_a_path_with_an_equals_sign_is_a_path_where_it_exists() -> None:
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
    outcome = ap_and_rr("runs.csv", "--qrels", "qrels.csv")

    assert outcome.values == {
        ("a", "ap"): "0.12962962963",
        ("a", "rr"): "0.166666666667",
        ("b", "ap"): AP,
        ("b", "rr"): RR,
    }


def test_the_run_id_of_a_trec_file_names_no_system() -> None:
    write_bytes("mine.trec", trec(" ")(RUN_NAMES, RUN), "plain")

    assert_right(ap_and_rr("mine.trec", "--qrels", "qrels.csv"), system="mine")


def test_two_trec_files_with_different_run_ids_inside_are_two_systems() -> None:
    for name in ("a", "b"):
        lines = [f"{query} Q0 {document} 1 {score} id{number}" for number, (query, document, score) in enumerate(RUN)]
        Path(f"{name}.trec").write_text("\n".join(lines) + "\n")
    outcome = ap_and_rr("a.trec", "b.trec", "--qrels", "qrels.csv")

    assert outcome.values == {("a", "ap"): AP, ("a", "rr"): RR, ("b", "ap"): AP, ("b", "rr"): RR}


@pytest.mark.parametrize("form", ["csv", "jsonl", "trec"])
def test_unquoted_shards_are_refused_in_every_form(form: str) -> None:
    suffix, text = TEXTS[form]
    for query in ("q1", "q2"):
        Path(f"part-{query}{suffix}").write_text(text(RUN_NAMES, [row for row in RUN if row[0] == query]))
    said = error_of(3, "eval", f"part-q1{suffix}", f"part-q2{suffix}", "--qrels", "qrels.csv")

    assert "parts of one run" in said


@pytest.fixture
def database() -> str:
    """A DuckDB file with tables and views of the data set, in two schemas."""
    with duckdb.connect("log.duckdb") as connection:
        connection.execute("create table results as from 'run.csv'; create table qrels as from 'qrels.csv'")
        connection.execute(
            "create view shown as from results; create schema old; create table old.first as from results"
        )
        connection.execute(
            'create table "odd name; --" as from results; create table results_2 as from results limit 3'
        )
    return "log.duckdb"


@pytest.mark.parametrize("table", ["results", "shown", "main.results", "old.first", "first", "odd name; --"])
def test_a_table_or_view_of_a_database_is_read(database: str, table: str) -> None:
    assert_right(ap_and_rr(f"a={table}", "--qrels", "qrels", "--database", database), system="a")


@pytest.mark.parametrize(
    ("table", "system"), [("results", "results"), ("old.first", "old.first"), ("results_2", "results_2")]
)
def test_the_system_of_a_table_is_its_name(database: str, table: str, system: str) -> None:
    outcome = ap_and_rr(table, "--qrels", "qrels", "--database", database)

    assert {name for name, _ in outcome.values} <= {system, system.rpartition(".")[2]}


def test_a_table_called_run_in_a_schema_keeps_its_name() -> None:
    with duckdb.connect("log.duckdb") as connection:
        connection.execute(
            "create schema lab; create table lab.run as from 'run.csv'; create table qrels as from 'qrels.csv'"
        )
    outcome = ap_and_rr("lab.run", "--qrels", "qrels", "--database", "log.duckdb")

    assert {name for name, _ in outcome.values} <= {"lab.run", "run"}


def test_two_tables_of_a_database_are_two_systems(database: str) -> None:
    outcome = ap_and_rr("results", "results_2", "--qrels", "qrels", "--database", database)

    assert {name for name, _ in outcome.values} == {"results", "results_2"}


def test_an_unknown_table_is_an_error_with_the_nearest(database: str) -> None:
    said = error_of(3, "eval", "resluts", "--qrels", "qrels", "--database", database)

    assert all(word in said for word in ("log.duckdb", "'resluts'", "did you mean results"))


def test_a_table_name_never_falls_through_to_a_file(database: str) -> None:
    assert Path("run.csv").exists()
    said = error_of(3, "eval", "run.csv", "--qrels", "qrels", "--database", database)

    assert "there is no table 'run.csv'" in said


def test_a_file_of_the_same_name_does_not_take_the_place_of_a_table(database: str) -> None:
    write_csv("results", RUN_NAMES, RUN[:1])

    assert_right(ap_and_rr("a=results", "--qrels", "qrels", "--database", database), system="a")


def test_a_database_is_left_as_it_was(database: str) -> None:
    before = Path(database).read_bytes()
    ap_and_rr("results", "--qrels", "qrels", "--database", database)

    assert Path(database).read_bytes() == before
    assert sorted(path.name for path in Path().iterdir()) == ["log.duckdb", "qrels.csv", "run.csv"]


@pytest.mark.parametrize("name", ["nowhere.duckdb", "run.csv", "."])
def test_a_database_that_is_none_is_an_error_that_names_it(name: str) -> None:
    write_both()
    assert f"--database {name}" in error_of(3, "eval", "results", "--qrels", "qrels", "--database", name)
