"""Reading: one small data set in every form that an input may take gives the same values."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import sqlrank
from tests.cli_helper import Outcome, run_cli, run_process

Row = tuple[Any, ...]

RUN_NAMES = ("query_id", "doc_id", "score")
RUN: list[Row] = [("q1", "d1", 0.9), ("q1", "d2", 0.8), ("q1", "d3", 0.7), ("q2", "d1", 0.6), ("q2", "d4", 0.5)]
QRELS_NAMES = ("query_id", "doc_id", "relevance")
QRELS: list[Row] = [("q1", "d2", 2), ("q1", "d3", 1), ("q1", "d9", 1), ("q2", "d4", 1), ("q3", "d1", 1)]

# ap: q1 (1/2 + 2/3) / 3, q2 1/2, q3 has no results; rr: 1/2, 1/2, 0.
AP, RR = "0.296296296296", "0.333333333333"
EXPECTED = {"ap": (1 / 2 + 2 / 3) / 9 + 1 / 6, "rr": 1 / 3}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def separated(mark: str) -> Callable[[Sequence[str], Sequence[Row]], str]:
    """A writer of text with a header and this mark between the values."""

    def write(names: Sequence[str], rows: Sequence[Row]) -> str:
        return "".join(mark.join(map(str, row)) + "\n" for row in [names, *rows])

    return write


def json_lines(names: Sequence[str], rows: Sequence[Row]) -> str:
    """One object per line."""
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def json_list(names: Sequence[str], rows: Sequence[Row]) -> str:
    """One list of objects, indented."""
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2)


def trec(blank: str, begin: str = "", end: str = "\n") -> Callable[[Sequence[str], Sequence[Row]], str]:
    """A writer of TREC lines with this between the fields."""

    def write(names: Sequence[str], rows: Sequence[Row]) -> str:
        if names[-1] == "score":
            lines: list[Row] = [(query, "Q0", document, 1, score, "run") for query, document, score in rows]
        else:
            lines = [(query, 0, document, relevance) for query, document, relevance in rows]
        return begin + "".join(blank.join(map(str, line)) + end for line in lines)

    return write


TEXTS: dict[str, tuple[str, Callable[[Sequence[str], Sequence[Row]], str]]] = {
    "csv": (".csv", separated(",")),
    "csv with semicolons": (".csv", separated(";")),
    "csv with pipes": (".csv", separated("|")),
    "csv with tabs": (".csv", separated("\t")),
    "csv with a byte order mark": (".csv", lambda names, rows: "\ufeff" + separated(",")(names, rows)),
    "csv with CRLF": (".csv", lambda names, rows: separated(",")(names, rows).replace("\n", "\r\n")),
    "csv without a last line end": (".csv", lambda names, rows: separated(",")(names, rows).rstrip("\n")),
    "tsv": (".tsv", separated("\t")),
    "jsonl": (".jsonl", json_lines),
    "json list": (".json", json_list),
    "trec": (".trec", trec(" ")),
    "trec with tabs": (".trec", trec("\t")),
    "trec with two blanks": (".trec", trec("  ")),
    "trec with mixed blanks": (".trec", trec(" \t ")),
    "trec with blanks at the end": (".trec", trec(" ", end=" \n")),
    "trec with CRLF": (".trec", trec(" ", end="\r\n")),
    "trec with blank lines": (".trec", trec(" ", end="\n\n")),
    "trec with comments": (".trec", trec(" ", begin="# made by hand\n", end="\n# and so on\n")),
}


def write_bytes(path: str, text: str, compression: str) -> None:
    """Write a text plain or compressed."""
    data = text.encode()
    if compression == "gzip":
        Path(path).write_bytes(gzip.compress(data))
    elif compression == "zstd":
        with pyarrow.output_stream(path, compression="zstd") as file:
            file.write(data)
    else:
        Path(path).write_bytes(data)


def write_csv(path: str, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Write a CSV file and give its name back."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(separated(",")(names, rows))
    return path


def write_query(path: str, sql: str, options: str = "format parquet") -> str:
    """Let DuckDB write the rows of a query."""
    with duckdb.connect() as connection:
        connection.execute(f"copy ({sql}) to '{path}' ({options})")
    return path


def write_both() -> tuple[str, str]:
    """The run and the judgments as CSV."""
    return write_csv("run.csv", RUN_NAMES, RUN), write_csv("qrels.csv", QRELS_NAMES, QRELS)


def ap_and_rr(*arguments: str, stdin: bytes | None = None) -> Outcome:
    """Evaluate ap and rr, with CSV output."""
    return run_cli("eval", *arguments, "-m", "ap", "-m", "rr", "--format", "csv", stdin=stdin)


def assert_right(outcome: Outcome, system: str = "run") -> None:
    """The values are those of the data set."""
    assert outcome.code == 0, outcome.err
    assert outcome.values == {(system, "ap"): AP, (system, "rr"): RR}


# ---------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("compression", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("form", TEXTS)
def test_every_text_form_gives_the_same_values(form: str, compression: str) -> None:
    suffix, text = TEXTS[form]
    suffix += {"plain": "", "gzip": ".gz", "zstd": ".zst"}[compression]
    write_bytes(f"run{suffix}", text(RUN_NAMES, RUN), compression)
    write_bytes(f"qrels{suffix}", text(QRELS_NAMES, QRELS), compression)

    assert_right(ap_and_rr(f"run{suffix}", "--qrels", f"qrels{suffix}"))


@pytest.mark.parametrize("compression", ["plain", "zstd"])
@pytest.mark.parametrize("form", TEXTS)
def test_a_file_without_suffix_is_told_by_its_content(form: str, compression: str) -> None:
    text = TEXTS[form][1]
    write_bytes("run", text(RUN_NAMES, RUN), compression)
    write_bytes("qrels.txt", text(QRELS_NAMES, QRELS), compression)

    assert_right(ap_and_rr("run", "--qrels", "qrels.txt"))


@pytest.mark.parametrize("suffix", [".parquet", ".pq", ".PARQUET", "", ".bin"])
@pytest.mark.parametrize("compression", ["snappy", "zstd", "gzip"])
def test_parquet_is_read_whatever_its_name_and_compression(suffix: str, compression: str) -> None:
    run, qrels = write_both()
    options = f"format parquet, compression {compression}"
    write_query(f"r{suffix}", f"select * from '{run}'", options)
    write_query(f"q{suffix}", f"select * from '{qrels}'", options)

    outcome = ap_and_rr(f"run=r{suffix}", "--qrels", f"q{suffix}")

    assert_right(outcome)


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_csv_that_duckdb_compressed_is_read(compression: str) -> None:
    run, qrels = write_both()
    suffix = {"gzip": "gz", "zstd": "zst"}[compression]
    write_query(f"r.csv.{suffix}", f"select * from '{run}'", f"format csv, header, compression {compression}")

    assert_right(ap_and_rr(f"run=r.csv.{suffix}", "--qrels", qrels))


def test_forms_may_be_mixed() -> None:
    write_bytes("run.trec.gz", trec(" ")(RUN_NAMES, RUN), "gzip")
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    write_query("qrels.parquet", "select * from 'qrels.csv'")

    assert_right(ap_and_rr("run.trec.gz", "--qrels", "qrels.parquet"))


def test_the_input_format_may_be_told() -> None:
    Path("run.dat").write_text(separated("\t")(RUN_NAMES, RUN))
    Path("qrels.dat").write_text(separated("\t")(QRELS_NAMES, QRELS))

    assert_right(ap_and_rr("run.dat", "--qrels", "qrels.dat", "--input-format", "tsv"))


def test_an_unknown_input_format_is_a_usage_error_with_the_choices() -> None:
    run, qrels = write_both()
    outcome = ap_and_rr(run, "--qrels", qrels, "--input-format", "excel")

    assert (outcome.code, outcome.out) == (2, "")
    assert all(word in outcome.err for word in ("excel", "parquet", "csv", "tsv", "json", "trec"))


def test_a_quoted_field_may_hold_the_delimiter_a_quote_and_a_line_end() -> None:
    Path("run.csv").write_text('query_id,doc_id,score\n"q,""1""\n",d1,1\nq2,d2,1\n')
    Path("qrels.csv").write_text('query_id,doc_id,relevance\n"q,""1""\n",d1,1\n')
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr") as result:
        assert result.to_dict() == {'q,"1"\n': {"rr": 1.0}}


def test_a_header_may_be_quoted() -> None:
    Path("run.csv").write_text(separated(",")(['"query_id"', '"doc_id"', '"score"'], RUN))
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_blanks_in_trec_ids_are_no_part_of_them_and_more_fields_than_six_are_a_run_id_with_blanks() -> None:
    Path("run.trec").write_text("q1 Q0 d1 1 2.0 my system\nq1 Q0 d2 2 1.0 my system\n")
    Path("qrels.trec").write_text("q1 0 d2 1\n")
    outcome = run_cli("eval", "run.trec", "--qrels", "qrels.trec", "-m", "rr", "--format", "csv")

    assert (outcome.code, outcome.values) == (0, {("run", "rr"): "0.5"})


# ------------------------------------------------------------------------------------- several files, folders


def test_a_glob_is_one_run() -> None:
    write_csv("part-1.csv", RUN_NAMES, RUN[:2])
    write_csv("part-2.csv", RUN_NAMES, RUN[2:])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run=part-*.csv", "--qrels", "qrels.csv"))


def test_a_recursive_glob_is_one_run() -> None:
    write_csv("parts/a/1.csv", RUN_NAMES, RUN[:2])
    write_csv("parts/b/c/2.csv", RUN_NAMES, RUN[2:])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run=parts/**/*.csv", "--qrels", "qrels.csv"))


def test_a_glob_that_matches_nothing_is_an_error_that_names_it() -> None:
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("part-*.csv", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "part-*.csv" in outcome.err


def test_the_columns_of_a_second_file_in_another_order_are_read_right_or_refused() -> None:
    write_csv("part-1.csv", RUN_NAMES, RUN[:2])
    write_csv("part-2.csv", ("doc_id", "query_id", "score"), [(b, a, c) for a, b, c in RUN[2:]])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run=part-*.csv", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.values) in [(3, {}), (0, {("run", "ap"): AP, ("run", "rr"): RR})]


def test_a_second_file_without_header_is_refused() -> None:
    write_csv("part-1.csv", RUN_NAMES, RUN[:2])
    Path("part-2.csv").write_text(separated(",")(RUN[2], RUN[3:]))
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run=part-*.csv", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "part-2.csv" in outcome.err


def test_parquet_files_with_columns_in_another_order_are_one_run() -> None:
    write_csv("1.csv", RUN_NAMES, RUN[:2])
    write_csv("2.csv", RUN_NAMES, RUN[2:])
    write_query("part-1.parquet", "select query_id, doc_id, score from '1.csv'")
    write_query("part-2.parquet", "select score, doc_id, query_id from '2.csv'")
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run=part-*.parquet", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.values) in [(3, {}), (0, {("run", "ap"): AP, ("run", "rr"): RR})]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_folder_of_hive_partitions_is_one_run_with_its_keys_as_columns(form: str) -> None:
    run, qrels = write_both()
    sql = f"select *, case query_id when 'q1' then 'de' else 'fr' end as country from '{run}'"
    write_query("export", sql, f"format {form}, partition_by (country)")
    Path("export/_SUCCESS").touch()
    Path("export/.hidden.csv").write_text("no,data\n")
    outcome = ap_and_rr("export", "--qrels", qrels, "--by", "country")

    assert outcome.code == 0, outcome.err
    assert [(row["country"], row["metric"], row["value"]) for row in outcome.table] == [
        ("(no results)", "ap", "0"),
        ("(no results)", "rr", "0"),
        ("de", "ap", "0.388888888889"),
        ("de", "rr", "0.5"),
        ("fr", "ap", "0.5"),
        ("fr", "rr", "0.5"),
        ("", "ap", AP),
        ("", "rr", RR),
    ]


def test_ids_that_look_like_numbers_stay_text_in_hive_partitions() -> None:
    write_csv("runs/query_id=007/1.csv", ("doc_id", "score"), [("d1", 1)])
    write_csv("runs/query_id=7/1.csv", ("doc_id", "score"), [("d2", 1)])
    write_csv("qrels.csv", QRELS_NAMES, [("007", "d1", 1), ("7", "d1", 1)])
    with sqlrank.evaluate("runs", "qrels.csv", "rr") as result:
        assert result.to_dict() == {"007": {"rr": 1.0}, "7": {"rr": 0.0}}


def test_an_empty_folder_is_an_error_that_says_so() -> None:
    Path("nothing").mkdir()
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("nothing", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "nothing: the folder holds no data file" in outcome.err


@pytest.mark.parametrize(
    "name", ["a[1].csv", "a*.csv", "a?.csv", "a{1,2}.csv", "a[1].parquet", "a'b.csv", "a b.csv", "-run.csv"]
)
def test_a_file_is_read_whatever_is_in_its_name(name: str) -> None:
    wrong = [(query, "wrong", score) for query, _, score in RUN[:1]]
    for path in ("a1.csv", "ab.csv", "a1.parquet", "a2.csv"):
        write_csv("wrong.csv", RUN_NAMES, wrong)
        write_query(
            path, "select * from 'wrong.csv'", "format parquet" if path.endswith("parquet") else "format csv, header"
        )
    write_csv("right.csv", RUN_NAMES, RUN)
    if name.endswith("parquet"):
        write_query("right.parquet", "select * from 'right.csv'")
        Path("right.parquet").rename(name)
    else:
        Path("right.csv").rename(name)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    options = ["--qrels", "qrels.csv", "-m", "ap", "-m", "rr", "--format", "csv"]

    assert_right(run_cli("eval", *options, "--", f"run={name}"))
    alone = run_cli("eval", *options, "--", name)
    assert (alone.code, [row["value"] for row in alone.table]) == (0, [AP, RR])


def test_the_system_of_a_file_is_its_stem_glob_characters_and_all() -> None:
    write_csv("a[1].csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("a[1].csv", "--qrels", "qrels.csv"), system="a[1]")


# ---------------------------------------------------------------------------------------------------- stdin


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "trec"])
def test_the_run_may_come_from_standard_input(form: str) -> None:
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    data = TEXTS[form][1](RUN_NAMES, RUN).encode()

    assert_right(ap_and_rr("-", "--qrels", "qrels.csv", stdin=data))


def test_the_judgments_may_come_from_standard_input() -> None:
    run, qrels = write_both()

    assert_right(ap_and_rr(run, "--qrels", "-", stdin=Path(qrels).read_bytes()))


def test_compressed_parquet_and_named_standard_input_is_read_by_a_process() -> None:
    run, qrels = write_both()
    write_query("run.parquet", f"select * from '{run}'")
    arguments = ["eval", "a=-", "--qrels", qrels, "-m", "ap", "-m", "rr", "--format", "csv"]
    for data in (Path("run.parquet").read_bytes(), gzip.compress(Path(run).read_bytes())):
        outcome = run_process(*arguments, cwd=Path.cwd(), stdin=data)

        assert_right(outcome, system="a")


def test_empty_standard_input_is_an_error() -> None:
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("-", "--qrels", "qrels.csv", stdin=b"")

    assert (outcome.code, outcome.out) == (3, "")
    assert "standard input is empty" in outcome.err


@pytest.mark.parametrize("name", ["bm25.k1=0.9.csv", "bm25.v2.csv.gz", "2024.01.01.tsv"])
def test_the_system_of_a_file_is_its_stem_with_the_dots_that_are_in_it(name: str) -> None:
    mark = "\t" if ".tsv" in name else ","
    write_bytes(name, separated(mark)(RUN_NAMES, RUN), "gzip" if name.endswith(".gz") else "plain")
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    stem = name.removesuffix(".gz").removesuffix(".csv").removesuffix(".tsv")

    assert_right(ap_and_rr(name, "--qrels", "qrels.csv"), system=stem)


def test_standard_input_twice_is_an_error_that_says_so() -> None:
    run, _ = write_both()
    outcome = ap_and_rr("-", "--qrels", "-", stdin=Path(run).read_bytes())

    assert outcome.code in (2, 3)
    assert outcome.out == ""
    assert "twice" in outcome.err or "once" in outcome.err or "one -" in outcome.err


# ---------------------------------------------------------------------------------------------------- systems


def test_several_files_are_several_systems_named_by_their_stems() -> None:
    run, qrels = write_both()
    write_bytes("other.trec.gz", trec(" ")(RUN_NAMES, RUN[:3]), "gzip")
    outcome = ap_and_rr(run, "other.trec.gz", "--qrels", qrels)

    assert outcome.values == {
        ("run", "ap"): AP,
        ("run", "rr"): RR,
        ("other", "ap"): "0.12962962963",
        ("other", "rr"): "0.166666666667",
    }
    assert [row["system"] for row in outcome.table] == ["run", "run", "other", "other"]


def test_a_system_is_named_with_name_equals_path() -> None:
    run, qrels = write_both()

    assert_right(ap_and_rr(f"v2.1-b_x={run}", "--qrels", qrels), system="v2.1-b_x")


def test_a_path_with_an_equals_sign_is_a_path_where_it_exists() -> None:
    write_csv("dt=2024/run.csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("dt=2024/run.csv", "--qrels", "qrels.csv"))


def test_two_files_of_one_stem_must_be_named() -> None:
    write_csv("a/run.csv", RUN_NAMES, RUN)
    write_csv("b/run.csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("a/run.csv", "b/run.csv", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (2, "")
    assert "'run'" in outcome.err
    assert "name=path" in outcome.err
    assert ap_and_rr("a=a/run.csv", "b=b/run.csv", "--qrels", "qrels.csv").code == 0


def test_a_system_column_tells_the_systems_apart() -> None:
    rows = [("b", *row) for row in RUN] + [("a", *row) for row in RUN[:3]]
    write_csv("runs.csv", ("system", *RUN_NAMES), rows)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("runs.csv", "--qrels", "qrels.csv")

    assert outcome.values == {
        ("a", "ap"): "0.12962962963",
        ("a", "rr"): "0.166666666667",
        ("b", "ap"): AP,
        ("b", "rr"): RR,
    }


def test_the_run_id_of_a_trec_file_names_no_system() -> None:
    write_bytes("mine.trec", trec(" ")(RUN_NAMES, RUN), "plain")
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("mine.trec", "--qrels", "qrels.csv"), system="mine")


def test_two_trec_files_with_different_run_ids_inside_are_two_systems() -> None:
    for name in ("a", "b"):
        lines = [f"{query} Q0 {document} 1 {score} id{number}" for number, (query, document, score) in enumerate(RUN)]
        Path(f"{name}.trec").write_text("\n".join(lines) + "\n")
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("a.trec", "b.trec", "--qrels", "qrels.csv")

    assert outcome.values == {("a", "ap"): AP, ("a", "rr"): RR, ("b", "ap"): AP, ("b", "rr"): RR}


@pytest.mark.parametrize("form", ["csv", "jsonl", "trec"])
def test_unquoted_shards_are_refused_in_every_form(form: str) -> None:
    suffix, text = TEXTS[form]
    for query in ("q1", "q2"):
        Path(f"part-{query}{suffix}").write_text(text(RUN_NAMES, [row for row in RUN if row[0] == query]))
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr(f"part-q1{suffix}", f"part-q2{suffix}", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "parts of one run" in outcome.err


# ---------------------------------------------------------------------------------------------------- database


@pytest.fixture
def database() -> str:
    """A DuckDB file with tables and views of the data set, in two schemas."""
    run, qrels = write_both()
    with duckdb.connect("log.duckdb") as connection:
        connection.execute(f"create table results as from '{run}'; create table qrels as from '{qrels}'")
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
    run, qrels = write_both()
    with duckdb.connect("log.duckdb") as connection:
        connection.execute(
            f"create schema lab; create table lab.run as from '{run}'; create table qrels as from '{qrels}'"
        )
    outcome = ap_and_rr("lab.run", "--qrels", "qrels", "--database", "log.duckdb")

    assert {name for name, _ in outcome.values} <= {"lab.run", "run"}


def test_two_tables_of_a_database_are_two_systems(database: str) -> None:
    outcome = ap_and_rr("results", "results_2", "--qrels", "qrels", "--database", database)

    assert {name for name, _ in outcome.values} == {"results", "results_2"}


def test_an_unknown_table_is_an_error_with_the_nearest(database: str) -> None:
    outcome = ap_and_rr("resluts", "--qrels", "qrels", "--database", database)

    assert (outcome.code, outcome.out) == (3, "")
    assert all(word in outcome.err for word in ("log.duckdb", "'resluts'", "did you mean results"))


def test_a_table_name_never_falls_through_to_a_file(database: str) -> None:
    assert Path("run.csv").exists()
    outcome = ap_and_rr("run.csv", "--qrels", "qrels", "--database", database)

    assert (outcome.code, outcome.out) == (3, "")
    assert "there is no table 'run.csv'" in outcome.err


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
    outcome = ap_and_rr("results", "--qrels", "qrels", "--database", name)

    assert (outcome.code, outcome.out) == (3, "")
    assert f"--database {name}" in outcome.err


# ---------------------------------------------------------------------------------------------------- ids


@pytest.mark.parametrize(
    ("ids", "others"),
    [
        ("007", "7"),
        ("1e5", "100000"),
        ("1e5", "100000.0"),
        ("2024-01-01", "20240101"),
        ("1.0", "1"),
        ("TRUE", "true"),
        ("é", "e"),
    ],
)
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "trec"])
def test_an_id_stays_the_text_it_is(form: str, ids: str, others: str) -> None:
    suffix, text = TEXTS[form]
    Path(f"run{suffix}").write_text(text(RUN_NAMES, [(ids, ids, 2), (ids, others, 1), (others, ids, 1)]))
    Path(f"qrels{suffix}").write_text(text(QRELS_NAMES, [(ids, others, 1), (others, ids, 1)]))
    with sqlrank.evaluate(f"run{suffix}", f"qrels{suffix}", "rr") as result:
        assert result.to_dict() == {ids: {"rr": 0.5}, others: {"rr": 1.0}}


def test_a_padded_id_does_not_match_a_bare_number() -> None:
    write_csv("run.csv", RUN_NAMES, [("007", "d1", 1)])
    write_csv("qrels.csv", QRELS_NAMES, [("7", "d1", 1)])
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "'007'" in outcome.err
    assert "'7'" in outcome.err


def test_integers_of_parquet_match_the_same_numbers_as_text() -> None:
    write_query("run.parquet", "select 7 as query_id, 12345678901234 as doc_id, 1 as score")
    write_csv("qrels.csv", QRELS_NAMES, [("7", "12345678901234", 1)])
    outcome = run_cli("eval", "run.parquet", "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")

    assert (outcome.code, outcome.values) == (0, {("run", "rr"): "1"})


def test_whole_numbers_of_json_are_ids_as_written_however_large() -> None:
    Path("run.jsonl").write_text('{"query_id": 7, "doc_id": 123456789012345678901234567890, "score": 1}\n')
    write_csv("qrels.csv", QRELS_NAMES, [("7", "123456789012345678901234567890", 1)])
    outcome = run_cli("eval", "run.jsonl", "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")

    assert (outcome.code, outcome.values) == (0, {("run", "rr"): "1"})


@pytest.mark.parametrize("written", ["1e5", "1.5", "[1]", '{"a": 1}', "true"])
def test_anything_else_as_an_id_in_json_is_an_error(written: str) -> None:
    Path("run.jsonl").write_text(f'{{"query_id": {written}, "doc_id": "d1", "score": 1}}\n')
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run.jsonl", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "run.jsonl" in outcome.err
    assert "query_id" in outcome.err


def test_without_header_the_columns_are_query_document_and_score() -> None:
    Path("run.csv").write_text(separated(",")(RUN[0], RUN[1:]))
    Path("qrels.tsv").write_text(separated("\t")(QRELS[0], QRELS[1:]))

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.tsv", "--no-header"))


def test_without_header_too_few_columns_are_an_error() -> None:
    Path("run.csv").write_text("q1,d1\n")
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv", "--no-header")

    assert (outcome.code, outcome.out) == (3, "")
    assert all(word in outcome.err for word in ("run.csv", "query_id, doc_id, score", "'q1,d1'"))


# ---------------------------------------------------------------------------------------------------- roles


@pytest.mark.parametrize(
    ("run_names", "qrels_names"),
    [
        (("qid", "docno", "sim"), ("topic", "docid", "rel")),
        (("QUERY_ID", "DOC_ID", "SCORE"), ("Query-Id", "Doc Id", "Relevance")),
        (("query-id", "corpus-id", "score"), ("query-id", "corpus-id", "score")),
        (("user_id", "item_id", "prediction"), ("userId", "itemId", "rating")),
        (("user", "sku", "y_score"), ("customer_id", "product_id", "clicked")),
        (("session_id", "url", "similarity"), ("query", "url", "is_relevant")),
        (("search_id", "pid", "pred"), ("impression_id", "passage_id", "label")),
    ],
)
def test_columns_are_found_by_the_names_people_use(run_names: Sequence[str], qrels_names: Sequence[str]) -> None:
    write_csv("run.csv", run_names, RUN)
    write_csv("qrels.csv", qrels_names, QRELS)
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv")

    assert_right(outcome)


def test_the_choice_of_a_column_is_told_unless_its_name_is_the_role() -> None:
    write_csv("run.csv", ("qid", "doc_id", "score"), RUN)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    said = ap_and_rr("run.csv", "--qrels", "qrels.csv").err

    assert "note: run.csv: query_id is read from the column qid" in said
    assert "doc_id is read from" not in said
    assert "qrels.csv" not in said


@pytest.mark.parametrize(
    ("others", "chosen"),
    [(("query", "user_id", "session_id"), "query_id"), (("query", "user_id"), "qid"), (("session_id",), "user_id")],
)
def test_the_stronger_of_two_names_is_taken(others: Sequence[str], chosen: str) -> None:
    names = (chosen, "doc_id", "score", *others)
    write_csv("run.csv", names, [(*row, *("other" for _ in others)) for row in RUN])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_two_names_of_equal_strength_are_an_error_that_shows_how_to_choose() -> None:
    write_csv("run.csv", ("qid", "topic", "doc_id", "score"), [(row[0], *row) for row in RUN])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv")

    assert (outcome.code, outcome.out) == (3, "")
    assert "qid and topic may both be the query_id" in outcome.err
    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--column", "query_id=topic"))


@pytest.mark.parametrize(
    "columns",
    [
        ("run.query_id=who", "run.doc_id=what", "score=how", "qrels.query_id=wer", "qrels.doc_id=was", "relevance=wie"),
        (
            "run.query_id=WHO",
            "run.doc_id=What",
            "run.score=how",
            "qrels.query_id=wer",
            "qrels.doc_id=was",
            "qrels.relevance=wie",
        ),
    ],
)
def test_columns_may_be_told_for_the_run_and_the_judgments_apart(columns: Sequence[str]) -> None:
    write_csv("run.csv", ("who", "what", "how"), RUN)
    write_csv("qrels.csv", ("wer", "was", "wie"), QRELS)
    told = [text for column in columns for text in ("--column", column)]

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", *told))


@pytest.mark.parametrize("text", ["colour=x", "run.colour=x", "files.query_id=x"])
def test_an_unknown_role_is_a_usage_error_with_the_roles(text: str) -> None:
    run, qrels = write_both()
    outcome = ap_and_rr(run, "--qrels", qrels, "--column", text)

    assert (outcome.code, outcome.out) == (2, "")
    assert "the roles are query_id, doc_id, score, rank, relevance, system" in outcome.err


@pytest.mark.parametrize("text", ["query_id", "query_id=", "=x"])
def test_a_column_without_role_or_name_is_a_usage_error(text: str) -> None:
    run, qrels = write_both()
    outcome = ap_and_rr(run, "--qrels", qrels, "--column", text)

    assert (outcome.code, outcome.out) == (2, "")
    assert "ROLE=NAME" in outcome.err


def test_a_run_without_scores_is_ordered_by_its_ranks() -> None:
    ranks = [(query, document, rank) for (query, document, _), rank in zip(RUN, (1, 2, 10, 1, 2), strict=True)]
    write_csv("run.csv", ("query_id", "doc_id", "rank"), ranks)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_a_rank_column_beside_a_score_orders_nothing() -> None:
    write_csv(
        "run.csv", (*RUN_NAMES, "rank"), [(*row, number) for number, row in zip((5, 4, 3, 2, 1), RUN, strict=True)]
    )
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_distances_are_ordered_ascending_when_asked() -> None:
    write_csv(
        "run.csv", ("query_id", "doc_id", "distance"), [(query, document, 1 - score) for query, document, score in RUN]
    )
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--column", "score=distance", "--order", "asc"))


# ---------------------------------------------------------------------------------------------------- labels


def test_text_labels_are_mapped() -> None:
    names = {2: "E", 1: "S"}
    write_csv("run.csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", QRELS_NAMES, [(query, document, names[label]) for query, document, label in QRELS])

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--relevance-map", "E=2,S=1,I=0"))


def test_a_label_that_the_map_lacks_is_an_error_that_shows_it() -> None:
    write_csv("run.csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", QRELS_NAMES, [("q1", "d1", "E"), ("q1", "d2", "S")])
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv", "--relevance-map", "E=2")

    assert (outcome.code, outcome.out) == (3, "")
    assert "qrels.csv, line 3" in outcome.err
    assert "'S'" in outcome.err


@pytest.mark.parametrize(
    ("text", "word"),
    [("E", "LABEL=N"), ("E=x", "'x' is not a number"), ("E=inf", "'inf' is not a number"), ("=1", "LABEL=N")],
)
def test_a_relevance_map_that_is_none_is_a_usage_error(text: str, word: str) -> None:
    run, qrels = write_both()
    outcome = ap_and_rr(run, "--qrels", qrels, "--relevance-map", text)

    assert (outcome.code, outcome.out) == (2, "")
    assert word in outcome.err


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_booleans_are_labels(form: str) -> None:
    run, _ = write_both()
    rows = [(query, document, "true") for query, document, _ in QRELS] + [("q1", "d1", "False")]
    write_csv("labels.csv", ("query_id", "doc_id", "clicked"), rows)
    path = "labels.csv"
    if form != "csv":
        sql = "select query_id, doc_id, clicked::bool as clicked from read_csv('labels.csv', all_varchar = true)"
        path = write_query(f"labels.{form}", sql, {"parquet": "format parquet", "jsonl": "format json"}[form])

    assert_right(ap_and_rr(run, "--qrels", path))


def test_a_null_relevance_is_unjudged() -> None:
    write_csv("export.csv", (*RUN_NAMES, "relevance"), [("q1", "d1", 3, ""), ("q1", "d2", 2, 1), ("q2", "d1", 1, 1)])
    outcome = run_cli("eval", "export.csv", "-m", "rr", "--unjudged", "remove", "--format", "csv")

    assert (outcome.code, outcome.values) == (0, {("export", "rr"): "1"})
    assert run_cli("eval", "export.csv", "-m", "rr", "--format", "csv").values == {("export", "rr"): "0.75"}


def test_a_labelled_export_needs_no_judgments_beside_it() -> None:
    write_csv("export.csv", (*RUN_NAMES, "relevance"), [("q1", "d1", 2, 0), ("q1", "d2", 1, 1), ("q2", "d1", 1, 1)])
    outcome = run_cli("eval", "export.csv", "-m", "rr", "--format", "csv")

    assert (outcome.code, outcome.values) == (0, {("export", "rr"): "0.75"})
    assert "nobody judged what nobody showed" in outcome.err


def test_a_labelled_export_of_several_systems_pools_their_judgments() -> None:
    rows = [
        ("a", "q1", "d1", 2, 1),
        ("a", "q1", "d2", 1, 0),
        ("b", "q1", "d2", 2, 0),
        ("b", "q1", "d3", 1, 1),
        ("b", "q2", "d1", 1, 1),
    ]
    write_csv("export.csv", ("system", *RUN_NAMES, "relevance"), rows)
    outcome = run_cli("eval", "export.csv", "-m", "num_rel", "-m", "ap", "--format", "csv")

    # d1 and d3 of q1 are relevant for both systems; q2 counts 0 for a, which did not show it.
    assert outcome.code == 0, outcome.err
    assert outcome.values == {("a", "num_rel"): "3", ("a", "ap"): "0.25", ("b", "num_rel"): "3", ("b", "ap"): "0.625"}


def test_a_relevance_column_beside_qrels_is_ignored_with_a_note() -> None:
    write_csv("run.csv", (*RUN_NAMES, "relevance"), [(*row, 0) for row in RUN])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv")

    assert_right(outcome)
    assert "run.csv: the column relevance is ignored; the judgments are those of --qrels" in outcome.err


def test_where_filters_run_and_judgments_of_a_labelled_export() -> None:
    rows = [("q1", "d1", 2, 1, "de"), ("q1", "d2", 1, 0, "de"), ("q2", "d1", 1, 0, "fr"), ("q2", "d2", 0, 1, "fr")]
    write_csv("export.csv", (*RUN_NAMES, "relevance", "country"), rows)
    outcome = run_cli("eval", "export.csv", "-m", "rr", "--where", "country = 'de'", "--format", "csv")

    assert (outcome.code, outcome.values) == (0, {("export", "rr"): "1"})
    assert outcome.table[0]["queries"] == "1"


# ---------------------------------------------------------------------------------------------------- segments


SEGMENTS = {"q1": "de", "q2": "fr", "q3": "de"}


def by_country(*arguments: str) -> dict[str, str]:
    """The rr of each country, with the total under an empty name."""
    outcome = run_cli("eval", *arguments, "--by", "country", "-m", "rr", "--format", "csv")
    assert outcome.code == 0, outcome.err
    return {row["country"]: row["value"] for row in outcome.table}


def test_a_segment_of_the_run_calls_missing_queries_no_results() -> None:
    write_csv("run.csv", (*RUN_NAMES, "country"), [(*row, SEGMENTS[row[0]]) for row in RUN])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert by_country("run.csv", "--qrels", "qrels.csv") == {"(no results)": "0", "de": "0.5", "fr": "0.5", "": RR}


def test_a_segment_of_the_judgments_is_that_of_missing_queries_too() -> None:
    write_csv("run.csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", (*QRELS_NAMES, "country"), [(*row, SEGMENTS[row[0]]) for row in QRELS])

    assert by_country("run.csv", "--qrels", "qrels.csv") == {"de": "0.25", "fr": "0.5", "": RR}


def test_a_segment_of_the_table_of_queries_is_that_of_missing_queries_too() -> None:
    run, qrels = write_both()
    write_csv("queries.csv", ("qid", "country"), list(SEGMENTS.items()))

    assert by_country(run, "--qrels", qrels, "--queries", "queries.csv") == {"de": "0.25", "fr": "0.5", "": RR}


def test_the_total_is_told_from_a_null_segment() -> None:
    run, qrels = write_both()
    write_csv("queries.csv", ("qid", "country"), [("q1", "de"), ("q2", ""), ("q3", "de")])
    outcome = run_cli(
        "eval", run, "--qrels", qrels, "--queries", "queries.csv", "--by", "country", "-m", "rr", "--format", "csv"
    )

    assert outcome.code == 0, outcome.err
    totals = [row for row in outcome.table if row["is_total"] == "true"]
    assert [row["value"] for row in totals] == [RR]
    assert sorted((row["value"], row["queries"]) for row in outcome.table if row["is_total"] == "false") == [
        ("0.25", "2"),
        ("0.5", "1"),
    ]


def test_two_segments_make_a_row_for_each_combination() -> None:
    run, qrels = write_both()
    write_csv(
        "queries.csv", ("query_id", "country", "device"), [("q1", "de", "m"), ("q2", "fr", "m"), ("q3", "de", "d")]
    )
    arguments = ["--queries", "queries.csv", "--by", "country", "--by", "device", "-m", "rr", "--format", "csv"]
    outcome = run_cli("eval", run, "--qrels", qrels, *arguments)

    assert [(row["country"], row["device"], row["value"]) for row in outcome.table] == [
        ("de", "d", "0"),
        ("de", "m", "0.5"),
        ("fr", "m", "0.5"),
        ("", "", RR),
    ]


@pytest.mark.parametrize(("text", "word"), [("metric", "rename"), ("system", "rename"), ("query_id", "rename")])
def test_a_segment_with_the_name_of_an_output_column_is_refused(text: str, word: str) -> None:
    run, qrels = write_both()
    outcome = ap_and_rr(run, "--qrels", qrels, "--by", text)

    assert (outcome.code, outcome.out) == (2, "")
    assert word in outcome.err


def test_a_segment_named_twice_is_refused() -> None:
    run, qrels = write_both()
    outcome = ap_and_rr(run, "--qrels", qrels, "--by", "country", "--by", "COUNTRY")

    assert (outcome.code, outcome.out) == (2, "")
    assert "twice" in outcome.err


@pytest.mark.parametrize("place", ["run", "qrels", "queries"])
def test_a_weight_weighs_the_mean_and_leaves_counts_alone(place: str) -> None:
    weights = {"q1": 3, "q2": 1}
    judged = [row for row in QRELS if row[0] in weights]
    rows = {"run": RUN, "qrels": judged}
    names = {"run": RUN_NAMES, "qrels": QRELS_NAMES}
    for kind in ("run", "qrels"):
        weighted = [(*row, weights[row[0]]) for row in rows[kind]]
        write_csv(
            f"{kind}.csv",
            (*names[kind], "traffic") if kind == place else names[kind],
            weighted if kind == place else rows[kind],
        )
    write_csv("queries.csv", ("query_id", "traffic"), list(weights.items()))
    extra = ["--queries", "queries.csv"] if place == "queries" else []
    arguments = ["--weight", "traffic", "-m", "ap", "-m", "num_ret", "--format", "csv"]
    outcome = run_cli("eval", "run.csv", "--qrels", "qrels.csv", *extra, *arguments)

    # ap: (3 * 7/18 + 1 * 1/2) / 4
    assert outcome.code == 0, outcome.err
    assert outcome.values == {("run", "ap"): "0.416666666667", ("run", "num_ret"): "5"}


def test_a_column_called_weight_weighs_nothing_unless_asked() -> None:
    write_csv("run.csv", (*RUN_NAMES, "weight"), [(*row, 99 if row[0] == "q1" else 1) for row in RUN])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


# ---------------------------------------------------------------------------------------------------- Python


def frame(names: Sequence[str], rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Columns by name."""
    return {name: [row[number] for row in rows] for number, name in enumerate(names)}


def as_pairs(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Rows in the shape of pytrec_eval."""
    pairs: dict[str, dict[str, Any]] = {}
    for query, document, value in rows:
        pairs.setdefault(query, {})[document] = value
    return pairs


FORMS: dict[str, Callable[[Sequence[str], Sequence[Row]], Any]] = {
    "pandas": lambda names, rows: pandas.DataFrame(frame(names, rows)),
    "polars": lambda names, rows: polars.DataFrame(frame(names, rows)),
    "polars lazy": lambda names, rows: polars.LazyFrame(frame(names, rows)),
    "arrow table": lambda names, rows: pyarrow.table(frame(names, rows)),
    "arrow reader": lambda names, rows: pyarrow.table(frame(names, rows)).to_reader(max_chunksize=2),
    "dict": lambda names, rows: as_pairs(rows),
    "path": lambda names, rows: Path(write_csv(f"{names[-1]}.csv", names, rows)),
    "text": lambda names, rows: write_csv(f"{names[-1]}.csv", names, rows),
}


@pytest.mark.parametrize("qrels_form", ["pandas", "arrow reader", "dict", "text"])
@pytest.mark.parametrize("run_form", FORMS)
def test_every_form_of_data_gives_the_same_values(run_form: str, qrels_form: str) -> None:
    run, qrels = FORMS[run_form](RUN_NAMES, RUN), FORMS[qrels_form](QRELS_NAMES, QRELS)
    with sqlrank.evaluate(run, qrels, ["ap", "rr"]) as result:
        assert {metric: result[metric] for metric in EXPECTED} == pytest.approx(EXPECTED, rel=1e-14)
        assert result.to_dict()["q1"] == pytest.approx({"ap": 7 / 18, "rr": 0.5}, rel=1e-14)


@pytest.mark.parametrize("form", ["pandas", "polars", "polars lazy", "arrow table", "arrow reader", "dict"])
def test_frames_work_on_a_connection_that_is_passed(form: str) -> None:
    with duckdb.connect() as connection:
        run, qrels = FORMS[form](RUN_NAMES, RUN), FORMS[form](QRELS_NAMES, QRELS)
        with sqlrank.evaluate(run, qrels, ["ap"], connection=connection) as result:
            assert result["ap"] == pytest.approx(EXPECTED["ap"], rel=1e-14)


def test_relations_run_on_their_own_connection() -> None:
    run, qrels = write_both()
    with duckdb.connect() as connection:
        connection.execute(f"create temp table shown as from '{run}'")
        relations = connection.table("shown"), connection.sql(f"from '{qrels}'")
        with sqlrank.evaluate(*relations, ["ap", "rr"]) as result:
            assert result["ap"] == pytest.approx(EXPECTED["ap"], rel=1e-14)
        assert connection.execute("select count(*) from shown").fetchall() == [(5,)]


def test_a_relation_may_stand_beside_a_frame() -> None:
    run, _ = write_both()
    with duckdb.connect() as connection:
        qrels = pandas.DataFrame(frame(QRELS_NAMES, QRELS))
        with sqlrank.evaluate(connection.sql(f"from '{run}'"), qrels, ["ap"]) as result:
            assert result["ap"] == pytest.approx(EXPECTED["ap"], rel=1e-14)


def test_several_systems_are_given_by_name() -> None:
    systems = {"b": as_pairs(RUN), "a": as_pairs(RUN[:3])}
    with sqlrank.evaluate(systems=systems, qrels=as_pairs(QRELS), metrics="rr") as result:
        assert result.systems == ["b", "a"]
        assert result.value("rr", "b") == pytest.approx(1 / 3, rel=1e-14)
        assert result.value("rr", "a") == pytest.approx(1 / 6, rel=1e-14)
        assert set(result.to_dict()) == {"a", "b"}
        with pytest.raises(sqlrank.UsageError, match="2 systems; say which"):
            result["rr"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "give one run"),
        ({"run": "a.csv", "systems": {"a": "b.csv"}}, "give one run"),
        ({"run": []}, "the list of runs is empty"),
        ({"run": ["run.csv", "run.csv"]}, "two systems are called 'run'"),
        ({"run": "run.csv", "colour": 1}, "there is no option 'colour'"),
        ({"run": "run.csv", "tie": "best"}, "did you mean ties"),
        ({"run": "run.csv", "ties": "bset"}, "did you mean best"),
        ({"run": "run.csv", "metrics": "ndgc@10"}, "did you mean ndcg"),
        ({"run": "run.csv", "metrics": []}, "no metric"),
        ({"run": 7}, "cannot be read"),
        ({"run": object()}, "cannot be read"),
    ],
)
def test_a_wrong_call_is_a_usage_error_that_says_why(arguments: dict[str, Any], word: str) -> None:
    write_both()
    with pytest.raises(sqlrank.UsageError, match=word):
        sqlrank.evaluate(**({"qrels": "qrels.csv"} | arguments))


@pytest.mark.parametrize("run", [{"q1": 7}, {"q1": {"d1": "high"}}, {"q1": ["d1"]}, {"q1": {"d1": [1]}}])
def test_a_dictionary_of_another_shape_is_an_error_that_shows_the_shape(run: Any) -> None:
    with pytest.raises(sqlrank.DataError, match=r"query: \{document: number\}"):
        sqlrank.evaluate(run, as_pairs(QRELS), "rr")


@pytest.mark.parametrize("run", [{}, {"q1": {}}, pandas.DataFrame(frame(RUN_NAMES, []))])
def test_no_rows_are_an_error(run: Any) -> None:
    with pytest.raises(sqlrank.DataError, match="there are no rows"):
        sqlrank.evaluate(run, as_pairs(QRELS), "rr")


def objects_of(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Every table and view, temporary ones included, and every setting."""
    tables = connection.execute(
        "select database_name, schema_name, table_name from duckdb_tables() order by all"
    ).fetchall()
    views = connection.execute(
        "select database_name, schema_name, view_name from duckdb_views() order by all"
    ).fetchall()
    settings = connection.execute("select name, value from duckdb_settings() order by all").fetchall()
    return [*tables, *views, *settings]


@pytest.mark.parametrize("form", ["pandas", "arrow reader", "dict", "text", "relation"])
def test_a_passed_connection_is_left_as_it_was(form: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "create table run_input as select 1 as kept; create temp view qrels_input as select 2 as kept"
        )
        run, qrels = write_both()
        before = objects_of(connection)
        if form == "relation":
            given: tuple[Any, Any] = connection.sql(f"from '{run}'"), connection.sql(f"from '{qrels}'")
        else:
            given = FORMS[form](RUN_NAMES, RUN), FORMS[form](QRELS_NAMES, QRELS)
        with sqlrank.evaluate(*given, ["ap"], connection=connection) as result:
            assert result["ap"] == pytest.approx(EXPECTED["ap"], rel=1e-14)

        assert objects_of(connection) == before
        assert connection.execute("select kept from run_input").fetchall() == [(1,)]
        assert connection.execute(f"select count(*) from '{run}'").fetchall() == [(5,)]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_data_can_be_filtered(form: str) -> None:
    run, qrels = FORMS[form](RUN_NAMES, RUN), FORMS[form](QRELS_NAMES, QRELS)
    with sqlrank.evaluate(run, qrels, ["rr"], where="doc_id <> 'd1'") as result:
        assert result["rr"] == pytest.approx(2 / 3, rel=1e-14)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json list", "trec"])
@pytest.mark.parametrize(
    ("where", "rr"), [("doc_id <> 'd1'", "0.666666666667"), ("doc_id = 'd2' or query_id = 'q2'", "0.5")]
)
def test_a_text_is_compared_alike_in_every_form(form: str, where: str, rr: str) -> None:
    suffix, text = TEXTS[form]
    Path(f"run{suffix}").write_text(text(RUN_NAMES, RUN))
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    arguments = ["--where", where, "-m", "rr", "--format", "csv"]
    outcome = run_cli("eval", f"run{suffix}", "--qrels", "qrels.csv", *arguments)

    assert (outcome.code, outcome.values) == (0, {("run", "rr"): rr})


def test_a_passed_connection_is_left_as_it_was_by_an_error() -> None:
    with duckdb.connect() as connection:
        before = objects_of(connection)
        run = pandas.DataFrame(frame(RUN_NAMES, [*RUN, RUN[0]]))
        with pytest.raises(sqlrank.DataError, match=r"stands? more than once"):
            sqlrank.evaluate(run, as_pairs(QRELS), ["ap"], connection=connection)

        assert objects_of(connection) == before


def test_a_database_attached_to_a_passed_connection_is_detached() -> None:
    run, qrels = write_both()
    with duckdb.connect("log.duckdb") as made:
        made.execute(f"create table results as from '{run}'; create table qrels as from '{qrels}'")
    with duckdb.connect() as connection:
        for _ in range(2):
            with sqlrank.evaluate("results", "qrels", ["ap"], connection=connection, database="log.duckdb") as result:
                assert result["ap"] == pytest.approx(EXPECTED["ap"], rel=1e-14)
        assert connection.execute("select database_name from duckdb_databases() where not internal").fetchall() == [
            ("memory",)
        ]


def test_two_results_live_on_one_connection() -> None:
    with duckdb.connect() as connection:
        first = sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), ["ap"], connection=connection)
        second = sqlrank.evaluate(as_pairs(RUN[:3]), as_pairs(QRELS), ["ap"], connection=connection)
        assert first["ap"] == pytest.approx(EXPECTED["ap"], rel=1e-14)
        first.close()
        assert second["ap"] == pytest.approx(7 / 54, rel=1e-14)
        assert len(second.per_query.fetchall()) == 3
        second.close()
        second.close()
        assert connection.execute("select 1").fetchall() == [(1,)]


def test_calls_from_four_threads_do_not_meet() -> None:
    found: dict[int, list[float | None]] = {}

    def work(number: int) -> None:
        values = []
        for _ in range(3):
            with sqlrank.evaluate(as_pairs(RUN[:number]), as_pairs(QRELS), ["rr"], threads=1) as result:
                values.append(result["rr"])
        found[number] = values

    threads = [threading.Thread(target=work, args=(number,)) for number in (2, 3, 4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    expected = {2: 1 / 6, 3: 1 / 6, 4: 1 / 6, 5: 1 / 3}
    assert {number: values[0] for number, values in found.items()} == pytest.approx(expected, rel=1e-14)
    assert all(len(set(values)) == 1 for values in found.values())


@pytest.fixture
def result() -> Iterator[sqlrank.Result]:
    """A result over the data set."""
    with sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), ["ap", "rr"]) as made:
        yield made


def test_the_rows_of_a_query_can_be_read_twice_and_in_every_form(result: sqlrank.Result) -> None:
    relation = result.per_query
    rows = [("run", "q1", 7 / 18, 0.5), ("run", "q2", 0.5, 0.5), ("run", "q3", 0.0, 0.0)]

    assert relation.columns == ["system", "query_id", "ap", "rr"]
    for _ in range(2):
        assert [row[:2] for row in relation.fetchall()] == [row[:2] for row in rows]
        relation = result.per_query
        assert relation.df()["ap"].tolist() == pytest.approx([row[2] for row in rows], rel=1e-14)
        assert relation.pl()["rr"].to_list() == [0.5, 0.5, 0.0]
        assert relation.to_arrow_table().column("query_id").to_pylist() == ["q1", "q2", "q3"]
    relation.to_parquet("per_query.parquet")
    assert polars.read_parquet("per_query.parquet").shape == (3, 4)


def test_one_relation_of_rows_can_be_read_again_and_again(result: sqlrank.Result) -> None:
    relation = result.per_query

    assert [len(relation.df()), len(relation.pl()), relation.to_arrow_table().num_rows, len(relation.df())] == [
        3,
        3,
        3,
        3,
    ]


def test_the_summary_is_a_relation_of_tidy_rows(result: sqlrank.Result) -> None:
    assert result.rows.columns == ["system", "metric", "value", "queries", "stderr", "ci_low", "ci_high"]
    assert [(row[0], row[1], row[3]) for row in result.rows.fetchall()] == [("run", "ap", 3), ("run", "rr", 3)]
    assert "query-set=judged" in repr(result)


def test_a_metric_that_was_not_asked_for_is_a_usage_error(result: sqlrank.Result) -> None:
    with pytest.raises(sqlrank.UsageError, match="was not evaluated; the metrics are ap, rr"):
        result["p@10"]


def test_the_value_of_a_segment_is_asked_for_by_its_columns() -> None:
    rows = [(*row, SEGMENTS[row[0]]) for row in RUN]
    run = pandas.DataFrame(frame((*RUN_NAMES, "country"), rows))
    with sqlrank.evaluate(run, as_pairs(QRELS), "rr", by="country") as made:
        assert made.value("rr", country="de") == 0.5
        assert made.value("rr", country="(no results)") == 0.0
        assert made["rr"] == pytest.approx(1 / 3, rel=1e-14)
        with pytest.raises(sqlrank.UsageError, match="the segments are country"):
            made.value("rr", device="mobile")
        with pytest.raises(sqlrank.UsageError, match="there is no row"):
            made.value("rr", country="us")


def test_an_evaluator_scores_run_after_run_against_the_same_judgments() -> None:
    score = sqlrank.Evaluator(as_pairs(QRELS), ["rr"], query_set="shared")
    for rows, expected in ((RUN, 0.5), (RUN[:3], 0.5), (RUN[1:], 0.75)):
        with score(as_pairs(rows)) as made:
            assert made["rr"] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("options", [{"metrics": "ndgc"}, {"metrics": "ap", "ties": "bset"}])
def test_an_evaluator_refuses_a_wrong_request_when_it_is_made(options: dict[str, Any]) -> None:
    with pytest.raises(sqlrank.UsageError, match="did you mean"):
        sqlrank.Evaluator(as_pairs(QRELS), **options)


def test_an_evaluator_does_not_take_used_up_judgments_for_empty_ones() -> None:
    score = sqlrank.Evaluator(FORMS["arrow reader"](QRELS_NAMES, QRELS), ["rr"])
    with score(as_pairs(RUN)) as made:
        assert made["rr"] == pytest.approx(1 / 3, rel=1e-14)
    try:
        again = score(as_pairs(RUN))
    except sqlrank.DataError:
        return
    with again as made:
        assert made["rr"] == pytest.approx(1 / 3, rel=1e-14)


def test_a_closed_result_is_an_error_and_closing_removes_what_was_spilled(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("spill").mkdir()
    made = sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), ["rr"], temp_dir="spill")
    assert made["rr"] == pytest.approx(1 / 3, rel=1e-14)
    made.close()
    made.close()

    assert list(Path("spill").iterdir()) == []
    with pytest.raises((duckdb.Error, sqlrank.SqlrankError)):
        made["rr"]


def test_nothing_is_left_in_the_temporary_folder_by_an_error() -> None:
    Path("spill").mkdir()
    with pytest.raises(sqlrank.DataError):
        sqlrank.evaluate({"q1": {"d1": None}}, as_pairs(QRELS), ["rr"], temp_dir="spill")

    assert list(Path("spill").iterdir()) == []


def test_two_columns_that_may_play_a_role_nobody_needs_are_no_error() -> None:
    names = (*RUN_NAMES, "label", "rating", "position", "pos")
    write_csv("run.csv", names, [(*row, 1, 2, 3, 4) for row in RUN])
    write_csv("qrels.csv", QRELS_NAMES, QRELS)
    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))

    needed = ap_and_rr("run.csv")
    assert (needed.code, needed.out) == (3, "")
    assert "label and rating may both be the relevance; name it with --column relevance=label" in needed.err
