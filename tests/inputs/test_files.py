"""Files of every format and compression, globs, folders and standard input give the same values."""

from __future__ import annotations

import gzip
from itertools import cycle
from pathlib import Path

import duckdb
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli, run_process
from tests.support.small_data import (
    AP,
    QRELS,
    QRELS_NAMES,
    RR,
    RUN,
    RUN_NAMES,
    TEXTS,
    ap_and_rr,
    assert_right,
    separated,
    trec,
    write_bytes,
    write_csv,
    write_query,
)
from tests.support.tables import each, hold

pytestmark = pytest.mark.usefixtures("run_and_qrels")


# A form is read from what was uncompressed: the compressions by turns.
@each(zip(TEXTS, cycle(["plain", "gzip", "zstd"])))
def test_every_text_form_gives_the_same_values(case: tuple[str, str]) -> None:
    form, compression = case
    suffix, text = TEXTS[form]
    suffix += {"plain": "", "gzip": ".gz", "zstd": ".zst"}[compression]
    write_bytes(f"run{suffix}", text(RUN_NAMES, RUN), compression)
    write_bytes(f"qrels{suffix}", text(QRELS_NAMES, QRELS), compression)
    assert_right(ap_and_rr(f"run{suffix}", "--qrels", f"qrels{suffix}"))


@each(zip(cycle(["plain", "zstd"]), TEXTS))
def test_a_file_without_suffix_is_told_by_its_content(case: tuple[str, str]) -> None:
    compression, form = case
    text = TEXTS[form][1]
    write_bytes("run", text(RUN_NAMES, RUN), compression)
    write_bytes("qrels.txt", text(QRELS_NAMES, QRELS), compression)
    assert_right(ap_and_rr("run", "--qrels", "qrels.txt"))


@each(zip(cycle(["snappy", "zstd", "gzip"]), [".parquet", ".pq", ".PARQUET", "", ".bin"]))
def test_parquet_is_read_whatever_its_name_and_compression(case: tuple[str, str]) -> None:
    compression, suffix = case
    options = f"format parquet, compression {compression}"
    write_query(f"r{suffix}", "select * from 'run.csv'", options)
    write_query(f"q{suffix}", "select * from 'qrels.csv'", options)
    assert_right(ap_and_rr(f"run=r{suffix}", "--qrels", f"q{suffix}"))


@each({"gzip": "gz", "zstd": "zst"}.items())
def test_csv_that_duckdb_compressed_is_read(case: tuple[str, str]) -> None:
    compression, suffix = case
    write_query(f"r.csv.{suffix}", "select * from 'run.csv'", f"format csv, header, compression {compression}")
    assert_right(ap_and_rr(f"run=r.csv.{suffix}", "--qrels", "qrels.csv"))


CSV, TSV = separated(","), separated("\t")
HEAD, TAIL = CSV(RUN_NAMES, RUN[:2]), CSV(RUN_NAMES, RUN[2:])
DAT = {"run.dat": TSV(RUN_NAMES, RUN), "qrels.dat": TSV(QRELS_NAMES, QRELS)}
ONE_RUN: dict[str, tuple[dict[str, str], list[str]]] = {
    "a format that is told": (DAT, ["run.dat", "--qrels", "qrels.dat", "--input-format", "tsv"]),
    "a quoted header": ({"quoted.csv": CSV(['"query_id"', '"doc_id"', '"score"'], RUN)}, ["run=quoted.csv"]),
    "a glob": ({"part-1.csv": HEAD, "part-2.csv": TAIL}, ["run=part-*.csv"]),
    "a recursive glob": ({"parts/a/1.csv": HEAD, "parts/b/c/2.csv": TAIL}, ["run=parts/**/*.csv"]),
    "blank lines before one header": ({"blank-1.csv": f"\n\n{HEAD}", "blank-2.csv": TAIL}, ["run=blank-*.csv"]),
    "columns that are not used": (
        {"more.csv": CSV((*RUN_NAMES, "x", "X", "x_1"), [(*row, 1, 2, 3) for row in RUN])},
        ["run=more.csv"],
    ),
}


@each(ONE_RUN)
def test_files_are_one_run(case: tuple[dict[str, str], list[str]]) -> None:
    files, arguments = case
    for path, text in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    assert_right(ap_and_rr(*arguments, *([] if "--qrels" in arguments else ["--qrels", "qrels.csv"])))


WRONG: list[tuple[int, dict[str, str], list[str], tuple[str, ...]]] = [
    (2, {}, ["run.csv", "--input-format", "excel"], ("excel", "parquet", "csv", "tsv", "json", "trec")),
    (3, {}, ["part-*.csv"], ("part-*.csv",)),
    (3, {"bare-1.csv": HEAD, "bare-2.csv": CSV(RUN[2], RUN[3:])}, ["run=bare-*.csv"], ("bare-2.csv",)),
    (3, {}, ["nothing"], ("nothing: the folder holds no data file",)),
    (3, {}, ["-"], ("standard input is empty",)),
    (2, {}, ["-", "--qrels", "-"], ("once",)),
]


def test_files_that_are_none_are_refused() -> None:
    def check(case: tuple[int, dict[str, str], list[str], tuple[str, ...]]) -> None:
        code, files, arguments, words = case
        for path, text in files.items():
            Path(path).write_text(text)
        given = [*arguments, *([] if "--qrels" in arguments else ["--qrels", "qrels.csv"])]
        said = error_of(code, "eval", *given, stdin=b"")
        assert [word for word in words if word not in said] == []

    Path("nothing").mkdir()
    hold({str(case[2]): case for case in WRONG}, check)


def test_a_quoted_field_may_hold_marks_and_a_run_id_of_trec_blanks() -> None:
    Path("run.csv").write_text('query_id,doc_id,score\n"q,""1""\n",d1,1\nq2,d2,1\n')
    Path("qrels.csv").write_text('query_id,doc_id,relevance\n"q,""1""\n",d1,1\n')
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr") as result:
        assert result.to_dict() == {'q,"1"\n': {"rr": 1.0}}
    Path("run.trec").write_text("q1 Q0 d1 1 2.0 my system\nq1 Q0 d2 2 1.0 my system\n")
    Path("qrels.trec").write_text("q1 0 d2 1\n")
    outcome = completed("eval", "run.trec", "--qrels", "qrels.trec", "-m", "rr", "--format", "csv")
    assert outcome.values == {("run", "rr"): "0.5"}


@each(["csv", "parquet"])
def test_the_columns_of_a_second_file_are_read_by_name(form: str) -> None:
    write_csv("part-1.csv", RUN_NAMES, RUN[:2])
    write_csv("part-2.csv", ("score", "doc_id", "query_id"), [(c, b, a) for a, b, c in RUN[2:]])
    for part in ("part-1", "part-2"):
        write_query(f"{part}.parquet", f"from '{part}.csv'")
    assert_right(ap_and_rr(f"run=part-*.{form}", "--qrels", "qrels.csv"))


@each(["csv", "parquet"])
def test_a_folder_of_hive_partitions_is_one_run_with_its_keys_as_columns(form: str) -> None:
    sql = "select *, case query_id when 'q1' then 'de' else 'fr' end as country from 'run.csv'"
    write_query(form, sql, f"format {form}, partition_by (country)")
    Path(form, "_SUCCESS").touch()
    Path(form, ".hidden.csv").write_text("no,data\n")
    outcome = ap_and_rr(form, "--qrels", "qrels.csv", "--by", "country")
    assert outcome.code == 0, outcome.err
    values = {"(no results)": ("0", "0"), "de": ("0.388888888889", "0.5"), "fr": ("0.5", "0.5"), "": (AP, RR)}
    assert [(row["country"], row["metric"], row["value"]) for row in outcome.table] == [
        (country, metric, value)
        for country, both in values.items()
        for metric, value in zip(("ap", "rr"), both, strict=True)
    ]


def test_ids_that_look_like_numbers_stay_text_in_hive_partitions() -> None:
    write_csv("runs/query_id=007/1.csv", ("doc_id", "score"), [("d1", 1)])
    write_csv("runs/query_id=7/1.csv", ("doc_id", "score"), [("d2", 1)])
    write_csv("qrels.csv", QRELS_NAMES, [("007", "d1", 1), ("7", "d1", 1)])
    with sqlrank.evaluate("runs", "qrels.csv", "rr") as result:
        assert result.to_dict() == {"007": {"rr": 1.0}, "7": {"rr": 0.0}}


# A path is read with and without the name of its system, by turns.
@each(
    zip(
        ["a[1].csv", "a*.csv", "a?.csv", "a{1,2}.csv", "a[1].parquet", "a'b.csv", "a b.csv", "-run.csv"],
        cycle(["run=", ""]),
    )
)
def test_a_file_is_read_whatever_is_in_its_name(case: tuple[str, str]) -> None:
    name, system = case
    write_csv("wrong.csv", RUN_NAMES, [(query, "wrong", score) for query, _, score in RUN[:1]])
    for path in ("a1.csv", "ab.csv", "a1.parquet", "a2.csv"):
        form = "format parquet" if path.endswith("parquet") else "format csv, header"
        write_query(path, "select * from 'wrong.csv'", form)
    write_csv("right.csv", RUN_NAMES, RUN)
    write_query("right.parquet", "select * from 'right.csv'")
    Path(f"right{Path(name).suffix}").rename(name)
    options = ["--qrels", "qrels.csv", "-m", "ap", "-m", "rr", "--format", "csv"]
    assert_right(run_cli("eval", *options, "--", f"{system}{name}"), system="run" if system else Path(name).stem)


@each(["csv", "tsv", "jsonl", "trec"])
def test_the_run_may_come_from_standard_input(form: str) -> None:
    assert_right(ap_and_rr("-", "--qrels", "qrels.csv", stdin=TEXTS[form][1](RUN_NAMES, RUN).encode()))


def test_forms_may_be_mixed_and_the_judgments_may_come_from_standard_input() -> None:
    assert_right(ap_and_rr("run.csv", "--qrels", "-", stdin=Path("qrels.csv").read_bytes()))
    write_bytes("run.trec.gz", trec(" ")(RUN_NAMES, RUN), "gzip")
    write_query("qrels.parquet", "select * from 'qrels.csv'")
    assert_right(ap_and_rr("run.trec.gz", "--qrels", "qrels.parquet"))


@pytest.mark.needs("process")
def test_compressed_parquet_and_named_standard_input_is_read_by_a_process() -> None:
    write_query("run.parquet", "select * from 'run.csv'")
    arguments = ["eval", "a=-", "--qrels", "qrels.csv", "-m", "ap", "-m", "rr", "--format", "csv"]
    for data in (Path("run.parquet").read_bytes(), gzip.compress(Path("run.csv").read_bytes())):
        outcome = run_process(*arguments, cwd=Path.cwd(), stdin=data)
        assert_right(outcome, system="a")


@each(["a[1].csv", "bm25.k1=0.9.csv", "bm25.v2.csv.gz", "2024.01.01.tsv"])
def test_the_system_of_a_file_is_its_stem_with_the_marks_that_are_in_it(name: str) -> None:
    mark = "\t" if ".tsv" in name else ","
    write_bytes(name, separated(mark)(RUN_NAMES, RUN), "gzip" if name.endswith(".gz") else "plain")
    stem = name.removesuffix(".gz").removesuffix(".csv").removesuffix(".tsv")
    assert_right(ap_and_rr(name, "--qrels", "qrels.csv"), system=stem)


def test_a_path_that_exists_is_that_file_whatever_duckdb_would_make_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(name: str) -> None:
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        if name.endswith(".parquet"):
            write_query("run.parquet", "select * from 'run.csv'")
            Path("run.parquet").rename(name)
        else:
            write_bytes(name, (trec(" ") if name.endswith(".trec") else separated(","))(RUN_NAMES, RUN), "plain")
        system = Path(name).stem
        assert_right(ap_and_rr(name, "--qrels", "qrels.csv"), system)
        assert_right(ap_and_rr(name, "--qrels", "qrels.csv", "--where", "doc_id <> 'z'"), system)

    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for wrong in (home / "run.csv", home / ".csv"):  # which DuckDB reads for ~/run.csv and ~.csv
        wrong.write_text("query_id,doc_id,score\nq1,d9,1\n")
    hold(["~.csv", "~/run.csv", "~root.parquet", "file:/run.csv", "file:run.trec", "s3:/run.csv"], check)
    hold(["./~/run.csv", "./~/run.parquet", ".//./~/run.trec", "a/../~/run.csv", "./~.csv", "./file:run.trec"], check)
    for path in ("./~", "./~/*.csv"):
        Path("~/run.parquet").unlink(missing_ok=True)
        Path("~/run.trec").unlink(missing_ok=True)
        assert_right(ap_and_rr(f"run={path}", "--qrels", "qrels.csv"))


def test_a_database_and_a_temporary_folder_may_begin_with_a_tilde() -> None:
    with duckdb.connect("plain.duckdb") as connection:
        connection.execute("create table run as from 'run.csv'; create table qrels as from 'qrels.csv'")
    Path("plain.duckdb").rename("~.duckdb")
    Path("~t").mkdir()
    assert_right(ap_and_rr("run", "--qrels", "qrels", "--database", "~.duckdb", "--temp-dir", "~t"))
    write_bytes("run.csv.gz", Path("run.csv").read_text(), "gzip")
    assert_right(ap_and_rr("run.csv.gz", "--qrels", "qrels.csv", "--temp-dir", "~t"))


def test_an_output_is_the_file_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(name: str) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        Path(name).parent.mkdir(exist_ok=True)
        before = set(tmp_path.iterdir())
        for option in ("-o", "--per-query"):
            completed("eval", "run.csv", "--qrels", "qrels.csv", "-m", "ap", option, name)
            assert Path(name).stat().st_size > 0
        assert set(tmp_path.iterdir()) - before <= {Path.cwd() / name}

    hold(["~out.parquet", "~.csv", "file:out.parquet", "~/out.parquet"], check)
