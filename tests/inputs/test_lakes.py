"""Tables of a lake: rows that their log has deleted do not count, whatever the files hold."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import sqlrank
from sqlrank.inputs import lake_tables
from tests.support.cli_helper import FIXTURES, command, completed, environment, error_of
from tests.support.components import package
from tests.support.tables import hold

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


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A table of Delta, and one of Iceberg, which are not changed."""
    folder = tmp_path_factory.mktemp("lakes")
    return delta(folder / "runs"), Path(iceberg(folder / "lake").metadata_location.removeprefix("file://"))


def test_rows_that_were_deleted_do_not_count(lakes: tuple[Path, Path]) -> None:
    table, metadata = lakes
    for run, where in (
        (table, "day = '2026-01-01'"),
        (metadata, "DAY = '2026-01-01'"),
        (metadata.parents[1], "DAY = '2026-01-01'"),
    ):
        with sqlrank.evaluate(run, QRELS, "rr") as result:
            assert result.to_dict() == VALUES
        with sqlrank.evaluate(run, QRELS, "rr", where=where, query_set="shared") as result:
            assert result.to_dict() == {"q1": {"rr": 1.0}}
    with sqlrank.evaluate(table, QRELS, "rr", by="device", query_set="shared") as result:
        assert {row["device"] for row in result.to_dicts()} == {"(none)", None}


def test_the_order_of_rows_is_no_rank_in_a_lake(lakes: tuple[Path, Path]) -> None:
    for run, kind in zip(lakes, ("Delta", "Iceberg"), strict=True):
        with pytest.raises(sqlrank.UsageError, match=f"a table of {kind}, whose rows have no order"):
            sqlrank.evaluate(run, QRELS, "rr", columns={"rank": "(row)"})


def test_judgments_may_be_a_table_of_delta_and_are_read_without_the_condition(tmp_path: Path) -> None:
    deltalake = package("deltalake", "lake")
    rows = [(query, doc, 1, "old") for query, found in QRELS.items() for doc in found]
    names = ("query_id", "doc_id", "relevance", "day")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    deltalake.write_deltalake(tmp_path / "qrels", pyarrow.table(columns), partition_by=["day"])
    with sqlrank.evaluate(frame(), tmp_path / "qrels", "rr", where="day >= '2026'", query_set="judged") as result:
        assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}


@pytest.mark.needs("process")
def test_a_table_is_found_in_a_catalogue(tmp_path: Path) -> None:
    iceberg(tmp_path / "lake")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\n")
    named = {f"PYICEBERG_CATALOG__LAB__{name.upper()}": value for name, value in properties(tmp_path / "lake").items()}
    words = [*command(), "eval", "lab.search.runs", "--qrels", str(tmp_path / "qrels.csv"), "-m", "rr"]
    done = subprocess.run(words, env=environment() | named, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[3:6]) == (0, ["lab.search.runs", "1", "1.0000"]), done.stderr


def test_partitions_are_left_out_where_the_condition_is_about_them(lakes: tuple[Path, Path]) -> None:
    def check(case: tuple[str, int]) -> None:
        where, rows = case
        assert lake_tables.iceberg_rows(str(lakes[1]), where).rows.read_all().num_rows == rows

    pruned = ["day = '2026-01-01'", "day in ('2026-01-01', 'x') and not day < '2026'"]
    whole = ["score > 1", "day = '2026-01-01' or score > 1", "day is distinct from '2026-01-01'", "length(day) = 10"]
    hold([*((where, 2) for where in pruned), *((where, 3) for where in whole)], check)


def test_a_condition_on_iceberg_means_what_it_means_in_sql(divided: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        where, kept = case
        judged = {"q1": {"b": 1}, "q2": {"b": 1}}
        with sqlrank.evaluate(divided, judged, "num_ret", where=where, by="market", query_set="shared") as result:
            found = {row["market"] for row in result.to_dicts() if row["market"] and row["value"]}
        assert found == set(kept.split())

    cases = [
        ("market like 'a_x'", "abx a_x"),
        ("market like 'a_%'", "abx a_x"),
        ("n > -0.5", "abx a_x"),
        ("n <> 0.5", "abx a_x"),
        ("n not in (0.5)", "abx a_x"),
        ("n < 0.5", "a_x"),
        ("MARKET = 'abx' and score > 0", "abx"),
        ("market = 'abx' or n = 0", "abx a_x"),
        ("not (market = 'abx' and n = 1)", "a_x"),
    ]
    hold(cases, check)


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of Iceberg that is divided by a text and by a number."""
    folder = tmp_path_factory.mktemp("lake")
    rows = {"query_id": ["q1", "q2"], "doc_id": ["b", "b"], "score": [2.0, 1.0], "market": ["a_x", "abx"], "n": [0, 1]}
    with package("pyiceberg.catalog", "lake").load_catalog("lab", **properties(folder)) as catalogue:
        catalogue.create_namespace("search")
        made = catalogue.create_table("search.runs", schema=pyarrow.table(rows).schema)
        with made.update_spec() as spec:
            spec.add_identity("market")
            spec.add_identity("n")
        made.append(pyarrow.table(rows))
        return Path(catalogue.load_table("search.runs").metadata_location.removeprefix("file://")).parents[1]


def test_the_hint_of_a_version_is_its_number_or_the_name_of_its_file_which_may_be_packed(tmp_path: Path) -> None:
    folder = tmp_path / "plain-1" / "metadata"
    folder.mkdir(parents=True)
    for version in (1, 2, 11):
        (folder / f"v{version}.metadata.json").write_text("{}")

    def check(case: tuple[str, str]) -> None:
        hint, read = case
        (folder / "version-hint.text").write_text(hint)
        assert lake_tables.current_metadata(str(folder.parent)) == str(folder / f"v{read}.metadata.json")

    hold({"1": "1", "2": "2", "v1": "1", "v2.metadata.json": "2", "": "11", " \n": "11", "11": "11"}.items(), check)
    (folder / "version-hint.text").write_text("7")
    with pytest.raises(sqlrank.DataError, match=r"which metadata is the current one\? \(none\)"):
        lake_tables.current_metadata(str(folder.parent))
    folder = tmp_path / "runs" / "metadata"
    folder.mkdir(parents=True)
    for name in ("v1.metadata.json", "v2.gz.metadata.json", "00003-5f.gz.metadata.json"):
        (folder / name).write_text("{}")
        assert lake_tables.current_metadata(str(folder.parent)) == str(folder / name)


def test_files_of_a_lake_are_not_read_as_plain_files_nor_through_links(
    lakes: tuple[Path, Path], tmp_path: Path
) -> None:
    for number, table in enumerate((lakes[0], lakes[1].parents[1])):
        file = next(table.rglob("*.parquet"))
        link, folder = tmp_path / f"link-{number}.parquet", tmp_path / f"folder-{number}"
        link.symlink_to(file)
        folder.symlink_to(file.parent)
        for run in (file, file.parent, f"{file.parent}/*.parquet", link, folder, f"{tmp_path}/link-{number}*"):
            assert f"name the table, {table}" in error_of(3, "eval", run, "--qrels", file), run


@pytest.mark.needs("process")
def test_data_files_that_are_not_there_are_told_with_the_table(tmp_path: Path) -> None:
    table, metadata = delta(tmp_path / "runs"), iceberg(tmp_path / "lake").metadata_location.removeprefix("file://")
    for run, folder in ((table, table), (Path(metadata), Path(metadata).parents[1])):
        for file in folder.rglob("*.parquet"):
            file.unlink()
        for asked in (["eval", run], ["eval", run, "--where", "day = '2026-01-01'"]):
            said = error_of(3, *asked, "--qrels", FIXTURES / "search" / "qrels.csv", "-m", "rr")
            assert said.startswith(f"sqlrank: error: {run}: ")
            assert "data file is not there" in said
            assert len(said.splitlines()) == 1
            assert "lake_" not in said
    done = subprocess.run(
        [*command(), "eval", metadata, "--qrels", str(FIXTURES / "search" / "qrels.csv")],
        env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1), done.stderr


def test_a_data_set_of_arrow_is_asked_nothing_that_its_statistics_may_answer_wrongly(tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    rows = RUN | {"price": [0.5, float("nan"), 0.5, 0.5]}
    pyarrow.parquet.write_table(pyarrow.table(rows), tmp_path / "run.parquet")
    for run in (dataset.dataset(tmp_path / "run.parquet"), tmp_path / "run.parquet"):
        with sqlrank.evaluate(run, {"q1": {"b": 1}}, "rr", where="price > 1") as result:
            assert result.to_dict() == {"q1": {"rr": 1.0}}


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


def test_a_statement_of_a_bare_duckdb_has_none_and_without_the_libraries_the_extra_is_named(
    lakes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\n")
    asked = ["eval", lakes[0], "--qrels", tmp_path / "qrels.csv", "-m", "rr"]
    assert "a bare DuckDB cannot read it" in error_of(2, *asked, "--show-sql")
    assert completed(*asked).code == 0
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(sqlrank.UsageError, match=r"pip install 'sqlrank\[lake\]'"):
        sqlrank.evaluate(lakes[0], QRELS, "rr")


def test_a_condition_that_empties_judged_queries_is_an_error_and_leaves_the_baseline_as_it_is(divided: Path) -> None:
    judged = {"q1": {"b": 1}, "q2": {"b": 1}}
    with pytest.raises(sqlrank.UsageError, match="1 of 2 judged queries"):
        sqlrank.evaluate(divided, judged, "rr", where="market = 'abx'")
    with sqlrank.evaluate(divided, judged, "rr", where="market = 'abx'", query_set="judged") as result:
        assert result.to_dict() == {"q1": {"rr": 0.0}, "q2": {"rr": 1.0}}
        assert any("2 rows read, 1 left out: 1 by where=" in note for note in result.notes), result.notes
    run = {"query_id": ["q2"], "doc_id": ["z"], "score": [1.0], "market": ["a_x"]}  # in the baseline, market is abx
    options: dict[str, Any] = {"where": "market = 'a_x'", "baseline_run": divided, "query_set": "shared"}
    with sqlrank.evaluate(pyarrow.table(run), {"q2": {"z": 1}}, "unexpectedness@1", **options) as result:
        assert result["unexpectedness@1"] == 1.0
