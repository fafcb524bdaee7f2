"""The command line: formats, files, gates, exit codes, and what goes to stdout and what to stderr."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

import duckdb
import pytest

import sqlrank
from sqlrank import __version__, dialects
from sqlrank.choices import DIALECTS, FORMATS, TIDY
from sqlrank.cli.application import command_of
from sqlrank.cli.commands import COMMANDS, GROUPS, PANELS
from sqlrank.cli.help import EXAMPLES, FEW
from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.language import parse_measures
from sqlrank.output.formats import format_of
from sqlrank.output.writing import write_per_query
from sqlrank.statement.columns import inputs_of
from tests.support.cli_helper import (
    FIXTURES,
    ROOT,
    Outcome,
    command,
    completed,
    environment,
    error_of,
    run_cli,
    run_process,
)
from tests.support.small_data import write_query
from tests.support.tables import each, hold

GOLDEN = ROOT / "tests" / "golden" / "output"

KEYWORD = "query_id,doc_id,score,country\nq1,d1,3,de\nq1,d2,2,de\nq2,d1,3,fr\nq2,d3,1,fr\n"
SEMANTIC = "query_id,doc_id,score,country\nq1,d2,3,de\nq1,d1,2,de\nq2,d3,3,fr\nq2,d1,3,fr\n"
QRELS = "query_id,doc_id,relevance\nq1,d1,1\nq1,d4,2\nq2,d3,1\nq3,d1,1\n"

ONE = ["eval", "keyword.csv", "--qrels", "qrels.csv"]
BOTH = ["eval", "keyword.csv", "semantic.csv", "--qrels", "qrels.csv"]
REQUEST = [*BOTH, "-m", "ndcg@10", "-m", "ap", "-m", "num_ret", "--by", "country"]


@pytest.fixture(autouse=True)
def _in_a_folder_with_the_inputs() -> None:
    for name, text in (("keyword", KEYWORD), ("semantic", SEMANTIC), ("qrels", QRELS)):
        Path(f"{name}.csv").write_text(text)


def golden(name: str) -> str:
    """A text that was looked at, with the version of today."""
    return (GOLDEN / name).read_text(encoding="utf-8").replace("VERSION", __version__)


@cache
def requested(*options: str) -> str:
    """What the request of both systems prints, which is asked once."""
    outcome = run_cli(*REQUEST, *options, "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


@cache
def help_of(*words: str) -> str:
    """A page of help, in the usual width."""
    return run_cli(*words).out


def test_formats_are_written_byte_for_byte() -> None:
    texts = {"table": golden("summary.txt"), "markdown": golden("summary.md"), "latex": golden("summary.tex")}
    texts |= {"csv": golden("summary.csv"), "tsv": golden("summary.csv").replace(",", "\t")}
    assert {form: requested("--format", form) for form in texts} == texts
    assert completed(*ONE, "-m", "ap", "--format", "json", "--quiet").out == golden("summary.json")
    assert completed(*REQUEST, "--per-query", "-").out == golden("per_query.csv")


def test_json_lines_and_the_json_document_hold_the_rows_of_csv() -> None:
    rows = list(csv.DictReader(golden("summary.csv").splitlines()))
    lines = [json.loads(line) for line in requested("--format", "jsonl").splitlines()]
    document = json.loads(requested("--format", "json"))

    assert lines == document["rows"]
    assert list(document) == "sqlrank rows inputs queries ties like conventions timezone plan notes".split()
    assert document["sqlrank"] == __version__
    assert document["queries"]["semantic"] == {"judged": 3, "shared": 2, "missing": 1, "unjudged": 0, "no_relevant": 0}
    assert document["ties"] == {"keyword": {"queries": 0, "documents": 0}, "semantic": {"queries": 1, "documents": 1}}
    assert document["conventions"]["ties"] == "doc-desc"
    for row, line in zip(rows, lines, strict=True):
        assert [row["system"], row["country"] or None, row["metric"], row["is_total"], float(row["value"])] == [
            *(line["system"], line["country"], line["metric"], json.dumps(line["is_total"]), line["value"])
        ]
        assert (float(row["ci_high"]) if row["ci_high"] else None) == line["ci_high"]


def test_parquet_holds_the_rows_of_csv_with_version_and_conventions_in_its_metadata() -> None:
    outcome = completed(*REQUEST, "-o", "out.parquet")
    with duckdb.connect() as connection:
        relation = connection.sql("select * from 'out.parquet'")
        metadata = dict(
            connection.sql("select decode(key), decode(value) from parquet_kv_metadata('out.parquet')").fetchall()
        )
        names, rows = relation.columns, relation.fetchall()

    assert outcome.out == ""
    assert names == golden("summary.csv").splitlines()[0].split(",")
    assert [row[4] for row in rows] == pytest.approx(
        [float(row["value"]) for row in csv.DictReader(golden("summary.csv").splitlines())], rel=1e-11
    )
    assert metadata["sqlrank"] == __version__
    assert json.loads(metadata["conventions"])["query_set"] == "judged"


def test_wide_formats_have_as_many_decimals_as_asked() -> None:
    for digits, value in ((0, "0 +1 -0"), (2, "0.33 +0.67 -0.33"), (10, "0.3333333333 +0.6666666667 -0.3333333333")):
        assert value in run_cli(*ONE, "-m", "ap", "--digits", digits).out
    assert "0.333333333333," in run_cli(*ONE, "-m", "ap", "--digits", 2, "--format", "csv").out


def test_the_suffix_of_a_file_tells_its_format() -> None:
    forms = {"out.csv": "csv", "out.tsv": "tsv", "out.json": "json", "out.jsonl": "jsonl", "out.ndjson": "jsonl"}
    forms |= {"out.md": "markdown", "out.tex": "latex", "out.txt": "table", "OUT.CSV": "csv", "out": "table"}
    assert {name: format_of(name, None, "table") for name in forms} == forms

    for options, written in ((["-o", "OUT.CSV"], "csv"), (["-o", "out.ndjson"], "jsonl")):
        assert completed(*REQUEST, *options).out == ""
        assert Path(options[1]).read_bytes().decode() == requested("--format", written)
    completed(*REQUEST, "-o", "out.txt", "--format", "csv")
    assert Path("out.txt").read_text() == golden("summary.csv")


@each([("out.html", "-o of eval"), ("OUT.HTM", "-o of eval"), ("out.xlsx", ".csv"), ("out.svg", "--chart")])
def test_what_is_written_elsewhere_is_refused_with_where(case: tuple[str, str]) -> None:
    name, instead = case
    assert instead in error_of(2, "explain", "q1", *ONE[1:], "-o", name)
    assert instead in error_of(2, *ONE, "--per-query", name)
    assert not Path(name).exists()
    assert format_of(name, "table", "csv") == "table"


def test_a_hyphen_is_standard_output() -> None:
    assert completed(*REQUEST, "-o", "-", "--format", "csv").out == golden("summary.csv")
    assert "name a file for one" in error_of(2, *REQUEST, "-o", "-", "--per-query", "-")
    assert "name a file" in error_of(2, *REQUEST, "--junit", "-", "--fail-under", "ap=0.1")
    assert not Path("-").exists()


@each(["sqlrank.toml", "pyproject.toml"])
def test_a_file_of_settings_is_never_an_output(name: str) -> None:
    assert f"{name} is read as settings" in error_of(2, *REQUEST, "-o", name, "--format", "csv")
    assert not Path(name).exists()


def test_rows_of_queries_go_to_a_file_beside_the_summary() -> None:
    assert completed(*REQUEST, "--per-query", "queries.parquet").out == golden("summary.txt")
    with sqlrank.evaluate(BOTH[1:3], "qrels.csv", "ndcg@10, ap, num_ret", by="country") as result:
        for form in TIDY:
            if form != "parquet":
                write_per_query(result, form, f"queries.{form}")

    def check(form: str) -> None:
        with duckdb.connect() as connection:
            result = connection.execute(f"from 'queries.{form}'")
            names, rows = [column[0] for column in result.description or ()], result.fetchall()
        stored = ["sqlrank_retrieved"] if form == "parquet" else []
        assert names == ["system", "query_id", "country", "ndcg_at_10", "ap", "num_ret", *stored]
        assert [row[4] for row in rows] == pytest.approx([0.5, 0.5, 0.0, 0.25, 1.0, 0.0], rel=1e-14)

    hold(TIDY, check)


def test_rows_of_queries_on_stdout_leave_the_summary_to_its_file() -> None:
    assert run_cli(*REQUEST, "--per-query", "-", "-o", "summary.csv").out == golden("per_query.csv")
    assert Path("summary.csv").read_text() == golden("summary.csv")


def test_nothing_is_written_if_one_of_two_files_cannot_be() -> None:
    assert "--per-query takes csv, tsv, json, jsonl, parquet" in error_of(2, *REQUEST, "--per-query", "queries.md")
    error_of(5, *REQUEST, "-o", "nowhere/summary.csv", "--per-query", "queries.csv")
    assert not list(Path().glob("queries.*"))


@each(
    {
        ("ap=0.33",): (),
        ("ap=0.333333333333",): (),
        ("ap=0.42",): ("ap of keyword is 0.3333, below 0.42", "ap of semantic is 0.4167, below 0.42"),
        ("ap=0.4",): ("ap of keyword is 0.3333, below 0.4",),
        ("ap=0.1", "num_ret=5"): ("num_ret of keyword is 4, below 5", "num_ret of semantic is 4, below 5"),
        ("ndcg(gain=exp2)@10=0.9",): (
            "ndcg(gain=exp2)@10 of keyword is 0.3021, below 0.9",
            "ndcg(gain=exp2)@10 of semantic is 0.3913, below 0.9",
        ),
        ("ndcg(gain=exp2)@10=0.1",): (),
        ("ap(rel=2)=-1",): (),
        ("P_1=0.9",): ("P_1 of keyword is 0.3333, below 0.9", "P_1 of semantic is 0.3333, below 0.9"),
    }.items()
)
def test_a_gate_is_for_the_total_of_every_system(case: tuple[Sequence[str], Sequence[str]]) -> None:
    gates, failures = case
    assert [outcome.failure for outcome in of_gates().check(gates) if outcome.failure] == [*failures]


@cache
def of_gates() -> sqlrank.Result:
    """The result that is held to gates."""
    metrics = "ndcg@10, ap, num_ret, ndcg(gain=exp2)@10, ap(rel=2), p@1"
    return sqlrank.evaluate(BOTH[1:3], "qrels.csv", metrics, by="country")


def test_all_gates_that_fail_are_one_error() -> None:
    outcome = run_cli(*REQUEST, "--fail-under", "ap=0.42", "--fail-under", "num_ret=4")
    assert outcome.code == 4
    assert outcome.out.startswith("system")
    assert "ap of keyword is 0.3333, below 0.42" in outcome.err
    assert outcome.err.count("sqlrank: error:") == 1
    assert "error" not in completed(*REQUEST, "--fail-under", "ap=0.333333333333").err


def test_a_gate_that_fails_still_writes_the_files() -> None:
    said = error_of(4, *REQUEST, "--fail-under", "ap=1", "-o", "summary.csv", "--quiet")

    assert said.startswith("sqlrank: error: ap of keyword")
    assert Path("summary.csv").read_text() == golden("summary.csv")


def test_a_metric_that_is_only_in_a_gate_is_added() -> None:
    outcome = run_cli(*ONE, "-m", "ap", "--fail-under", "rr=0.1", "--format", "csv")
    assert [metric for _, metric in outcome.values] == ["ap", "rr"]


def test_no_value_fails_a_gate() -> None:
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,0\nq2,d1,0\n")
    with sqlrank.evaluate("keyword.csv", "qrels.csv", "ap", empty="skip") as result:
        assert [outcome.failure for outcome in result.check("ap=0")] == ["ap of keyword has no value, below 0"]


def test_segments_are_held_to_floors_too() -> None:
    Path("countries.csv").write_text("query_id,country\nq1,de\nq2,fr\nq3,fr\n")
    asked = (*ONE, "-m", "ap", "--queries", "countries.csv", "--by", "country", "--fail-under", "ap=0.3")
    values = {row["country"]: float(row["value"]) for row in completed(*asked, "--format", "csv").table}
    low = [country for country, value in values.items() if country and value < 0.3]
    outcome = run_cli(*asked, "--gate-segments")
    assert (outcome.code, len(low)) == (4, 1)
    assert f"ap of keyword in country={low[0]} is {values[low[0]]:.12g}, below 0.3" in outcome.err
    assert "no segments; give --by" in error_of(2, *ONE, "--fail-under", "ap=0.1", "--gate-segments")
    assert "--gate-segments is for gates" in error_of(2, *ONE, "--gate-segments")


@each(["ap", "=0.5", "ap=", "ap=high", "ap=nan", "nope=0.5", "ap@0=0.5", "ap=5%"])
def test_a_gate_that_is_none_is_a_usage_error(text: str) -> None:
    assert text.partition("=")[0] in error_of(2, *ONE, "--fail-under", text)


def test_a_gate_is_for_one_metric() -> None:
    assert "'p@1,5' is 2 metrics; name one, for example p@1" in error_of(2, *ONE, "--fail-under", "p@1,5=0.1")


def make_inputs() -> None:
    """The data set in other forms."""
    with duckdb.connect("log.duckdb") as connection:
        for name in ("keyword", "semantic", "qrels"):
            connection.execute(f"create table {name} as from read_csv('{name}.csv')")
            for suffix, form in (("parquet", "parquet"), ("jsonl", "json"), ("csv.gz", "csv, header")):
                connection.execute(f"copy {name} to '{name}.{suffix}' (format {form})")
    lines = [line.split(",") for line in KEYWORD.splitlines()[1:]]
    Path("keyword.trec").write_text("".join(f"{q} Q0 {d} 1 {s} keyword\n" for q, d, s, _ in lines))
    Path("keyword2.trec").write_text("".join(f"{q}\tQ0  {d} 1 {s} keyword\n" for q, d, s, _ in lines))
    Path("queries.csv").write_text("query_id,device,traffic\nq1,a,1\nq2,b,3\nq3,a,2\n")
    Path("export.csv").write_text("query_id,doc_id,score,relevance\nq1,d1,2,1\nq1,d2,1,0\nq2,d1,1,true\n")


def test_the_statement_shown_runs_in_a_bare_duckdb_and_gives_the_same_values() -> None:
    make_inputs()

    def check(arguments: str) -> None:
        request = ["eval", *arguments.split(), "-m", "ndcg@10", "-m", "ap", "-m", "num_ret"]
        shown = run_cli(*request, "--show-sql")
        expected = run_cli(*request, "--per-query", "-")
        with duckdb.connect() as connection:
            result = connection.execute(shown.out)
            kept = [place for place, column in enumerate(result.description) if "sqlrank_" not in column[0]]
            names = [result.description[place][0] for place in kept]
            rows = sorted((tuple(row[place] for place in kept) for row in result.fetchall()), key=str)

        assert (shown.code, expected.code, shown.err) == (0, 0, "")
        told = list(csv.reader(expected.out.splitlines()))
        assert names == told[0]
        assert [list(map(str, row[:2])) for row in rows] == sorted(row[:2] for row in told[1:])
        for row, other in zip(rows, sorted(told[1:]), strict=True):
            assert list(row[-3:]) == pytest.approx([float(value) for value in other[-3:]], rel=1e-11)

    hold(
        [
            "keyword.csv --qrels qrels.csv",
            "keyword.csv.gz --qrels qrels.parquet",
            "keyword.parquet semantic.csv --qrels qrels.jsonl --by country",
            "keyword.jsonl --qrels qrels.csv --ties input",
            "keyword.trec --qrels qrels.csv",
            "keyword2.trec --qrels qrels.csv --duplicates first",
            "export.csv --unjudged remove",
            "export.csv --where doc_id<>'d2'",
            "keyword.parquet --qrels qrels.csv --where doc_id<>'d2' --query-set shared",
            "keyword.csv --qrels qrels.csv --queries queries.csv --by device --weight traffic",
            "keyword.csv --qrels qrels.csv --relevance-map 1=3,2=5",
            "keyword --qrels qrels --database log.duckdb",
            "*word.csv --qrels qrels.csv",
        ],
        check,
    )


def test_the_statement_shown_names_no_file_that_is_gone() -> None:
    outcome = run_cli("eval", "-", "--qrels", "qrels.csv", "--show-sql", stdin=KEYWORD.encode())
    assert outcome.code in (0, 2)
    if outcome.code == 0:
        with duckdb.connect() as connection:
            assert connection.execute(outcome.out).fetchall()


def test_the_statement_for_relations_runs_where_they_are() -> None:
    make_inputs()
    asked = ("sql", "main.keyword", "--qrels", "qrels", "-m", "ap", "-m", "rr")
    with duckdb.connect("log.duckdb", read_only=True) as connection:
        each, summary = (connection.execute(completed(*asked, *more).out).fetchall() for more in ([], ["--summary"]))
    assert len(each) == 3
    assert sorted(row[1] for row in summary) == pytest.approx([1 / 3, 1 / 2], rel=1e-14)


@each(
    [
        (["-m", "ndgc@10"], ("'ndgc'", "did you mean ndcg")),
        (["-m", "hit@5"], ("'hit'", "did you mean success@5?")),
        (["--like", "lucene"], ("--like lucene is not known (one of",)),
        (["-m", "zzz"], ("'zzz'", "sqlrank metrics")),
        (["-m", "ndcg@0"], ("a cutoff is a whole number, 1 or more",)),
        (["-m", "p"], ("needs a cutoff", "p@10")),
        (["-m", "ap(level=2)"], ("'level'", "rel")),
        (["-m", "ndcg(gain=cubic)"], ("gain=cubic", "linear", "exp2")),
        (["-m", ""], ("no metric",)),
        (["--ties", "bset"], ("--ties bset", "did you mean best", "doc-desc", "worst")),
        (["--query-set", "all"], ("--query-set all", "judged", "shared", "run")),
        (["--empty", "none"], ("--empty none", "zero", "one", "skip", "error")),
        (["--unjudged", "drop"], ("--unjudged drop", "nonrelevant", "remove")),
        (["--duplicates", "last"], ("--duplicates last", "error", "best", "first")),
        (["--judgments", "min"], ("--judgments min", "error", "max", "mean")),
        (["--order", "down"], ("--order down", "desc", "asc")),
        (["--score-type", "half"], ("--score-type half", "double", "float")),
        (["--depth", "0"], ("--depth 0",)),
        (["--format", "excel"], ("--format excel", *FORMATS)),
        (["--format", "parquet"], ("Parquet", "-o")),
        (["--memory-limit", "lots"], ("DuckDB refuses",)),
        (["--rel", "high"], ("--rel", "high")),
        (["--rel", "nan"], ("--rel",)),
        (["--rel", "inf"], ("--rel",)),
        (["--formt", "csv"], ("--formt", "--format")),
        (["--fail-under"], ("--fail-under",)),
        (["-k", "10"], ("a cutoff is part of its metric: -m ndcg@10",)),
        (["--where", ""], ()),
    ]
)
def test_a_wrong_option_is_exit_2_and_says_what_would_be_right(case: tuple[list[str], Sequence[str]]) -> None:
    arguments, fragments = case
    said = error_of(2, *ONE, *arguments)

    assert "Traceback" not in said
    for fragment in fragments:
        assert fragment in said


@each([["evaluate", "x"], ["sql"], ["--nothing"], ["metrics", "nope"], ["sql", "r", "--dialect", "oracle"]])
def test_a_wrong_command_is_exit_2(arguments: list[str]) -> None:
    assert error_of(2, *arguments) != ""


@each(["/nonexistent/folder", "keyword.csv"])
def test_a_folder_to_spill_to_that_is_not_there_is_an_error_that_names_it(folder: str) -> None:
    outcome = run_cli(*ONE, "--temp-dir", folder)

    assert outcome.code in (2, 5)
    assert folder in outcome.err
    assert "Traceback" not in outcome.err


def test_too_little_memory_is_exit_5() -> None:
    columns = "(range % 1000)::varchar as query_id, md5(range::varchar) as doc_id, random() as score, 1 as relevance"
    write_query("big.parquet", f"select {columns} from range(400000)")
    said = error_of(5, "eval", "big.parquet", "-m", "ndcg", "--memory-limit", "1MB", "--threads", "1")

    assert "--memory-limit" in said


def test_notes_are_on_stderr_and_data_on_stdout_and_quiet_leaves_them_out() -> None:
    Path("odd.csv").write_text(KEYWORD.replace("query_id", "qid"))
    asked = ("eval", "odd.csv", "--qrels", "qrels.csv", "-m", "ap", "--format", "csv")
    outcome, quiet = completed(*asked), completed(*asked, "--quiet")

    assert (quiet.out, quiet.err) == (outcome.out, "")
    assert [line.split(",")[0] for line in outcome.out.splitlines()] == ["system", "odd"]
    assert all(line.startswith("sqlrank: note: ") for line in outcome.err.splitlines())
    assert "query_id is read from the column qid" in outcome.err
    assert "query-set=judged" in outcome.err
    assert "1 without results" in outcome.err


def test_quiet_still_tells_errors() -> None:
    said = error_of(3, "eval", "nowhere.csv", "--qrels", "qrels.csv", "--quiet")
    assert said == "sqlrank: error: nowhere.csv: no such file, and no file matches\n"


def test_no_format_colours_what_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    for form in sorted(set(FORMATS) - {"parquet"}):
        assert "\x1b" not in run_cli(*REQUEST, "--format", form).out
    assert run_cli(*REQUEST).out == golden("summary.txt")


@pytest.mark.needs("process")
@each([[*ONE], ["metrics"], ["metrics", "ndcg"], ["sql", "r", "--qrels", "j"], ["-h"]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command(*arguments), env=environment(), **pipes) as process:  # type: ignore[call-overload]
        process.stdout.close()
        said = process.stderr.read().decode()
        code = process.wait()

    assert not [word for word in ("Traceback", "BrokenPipe", "Exception ignored") if word in said]
    assert code in (0, 1, 141)


@pytest.mark.needs("process")
def test_a_pipe_that_is_closed_after_the_first_line_ends_with_exit_0() -> None:
    run, qrels = (FIXTURES / "search" / f"{name}.parquet" for name in ("keyword", "qrels"))
    line = " ".join(command("eval", run, "--qrels", qrels, "--per-query", "-", "--quiet"))
    script = f"set -o pipefail; {line} | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, env=environment(), check=False)

    assert done.stdout.decode().startswith("system,query_id")
    assert (done.returncode, done.stderr.decode()) == (0, "")


SLOW = "levenshtein(lpad(doc_id, 100, 'x'), lpad(query_id, 100, 'y')) >= 0"
"""Some 10 seconds for a million rows, and Ctrl-C is heard between two thousand of them."""


def interrupted(arguments: Sequence[object], sign: str, pause: float = 0.0) -> Outcome:
    """Start the command, press Ctrl-C once a file like this is there, and see how it ends."""
    process = subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        # A shell starts background jobs with Ctrl-C ignored, which the command would inherit.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while not list(Path().glob(sign)) and process.poll() is None:
            time.sleep(0.02)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=20)
    finally:
        process.kill()
        out, err = process.communicate()
    return Outcome(code, out.decode(), err.decode())


@pytest.mark.needs("process")
@pytest.mark.parametrize("run", ["long.csv", "long.parquet"])
def test_ctrl_c_is_exit_130_and_leaves_nothing(run: str) -> None:
    make_inputs()
    rows = "select 'q1' as query_id, 'd' || i as doc_id, i as score from range(3000000) as rows (i)"
    with duckdb.connect() as connection:
        connection.execute(f"copy ({rows}) to '{run}'")
    Path("spill").mkdir()
    Path("out.csv").write_text("as it was")
    before = sorted(path.name for path in Path().iterdir())
    targets = ["--temp-dir", "spill", "-o", "out.csv", "--per-query", "q.csv"]
    outcome = interrupted(["eval", run, "--qrels", "qrels.csv", "--where", SLOW, *targets], "spill/*", pause=0.7)

    assert outcome == Outcome(130, "", "sqlrank: error: interrupted; nothing was written\n")
    assert Path("out.csv").read_text() == "as it was"
    assert sorted(path.name for path in Path().iterdir()) == before
    assert list(Path("spill").iterdir()) == []


@pytest.mark.needs("process")
def test_ctrl_c_while_standard_input_is_read_is_exit_130() -> None:
    Path("spill").mkdir()
    outcome = interrupted(["eval", "-", "--qrels", "qrels.csv", "--temp-dir", "spill"], "spill/*/stream-*")

    assert outcome == Outcome(130, "", "sqlrank: error: interrupted; nothing was written\n")
    assert list(Path("spill").iterdir()) == []


def shuffled(source: str, target: str, seed: int) -> None:
    """The rows of a CSV file in another order."""
    header, *rows = (FIXTURES / "search" / source).read_text(encoding="utf-8").splitlines()
    random.Random(seed).shuffle(rows)
    Path(target).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def all_metrics(every: int) -> list[str]:
    """Options that ask for each n-th metric that needs no more than run and judgments."""
    texts = [
        metric.name + ("(recall=0.5)" if metric.required else "") + ("@10" if metric.cutoff == "required" else "")
        for metric in catalogue().values()
        if metric.summary != "none"
    ]
    asked = [text for text in texts if not set(inputs_of(parse_measures(text))) - {"relevance", "score"}]
    return [word for text in asked[::every] for word in ("-m", text)]


def test_shuffled_rows_and_other_threads_give_the_same_bytes() -> None:
    outputs: set[tuple[int, str, str]] = set()
    for seed, threads in ((1, 1), (2, 2)):
        for name in ("keyword", "semantic", "qrels", "queries"):
            shuffled(f"{name}.csv", f"{name}.csv", seed)
        described = ["--queries", "queries.csv", "--by", "country", "--weight", "traffic"]
        arguments = [*BOTH, *described, *all_metrics(every=5), "--threads", threads]
        summary = completed(*arguments, "--format", "csv", "--per-query", "queries.out.csv")
        outputs.add((summary.code, summary.out, Path("queries.out.csv").read_text()))

    assert len(outputs) == 1
    assert next(iter(outputs))[0] == 0


def test_the_same_rows_as_csv_parquet_and_trec_give_the_same_bytes() -> None:
    outputs = set()
    for suffix in ("csv", "parquet", "trec"):
        run, qrels = (FIXTURES / "search" / f"{name}.{suffix}" for name in ("keyword", "qrels"))
        outcome = run_cli("eval", run, "--qrels", qrels, *all_metrics(every=5), "--format", "json")
        outputs.add((outcome.code, outcome.out.partition('"notes"')[0]))

    assert len(outputs) == 1


def test_the_catalogue_has_a_line_for_every_metric() -> None:
    outcome = run_cli("metrics")

    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.partition("\n\n")[0].splitlines()
    assert [line.split("[")[0].split("@")[0].split(" ")[0] for line in lines] == list(catalogue())
    for metric, line in zip(catalogue().values(), lines, strict=True):
        assert line.endswith(metric.title)


def test_a_page_may_be_asked_for_with_parameters_and_of_an_unknown_metric_the_nearest_is_named() -> None:
    assert "SQL of ndcg(gain=exp2)@5" in completed("metrics", "ndcg(gain=exp2)@5").out
    assert "did you mean ndcg" in error_of(2, "metrics", "ndgc")


@each(["-h", "--help", "eval --help-all", "sql --help-all", "metrics -h", "log -h"])
def test_help_is_plain_text_with_the_exit_codes(asked: str) -> None:
    outcome = run_cli(*asked.split())

    assert (outcome.code, outcome.err) == (0, "")
    assert "Usage:" in outcome.out
    assert "Exit codes:" in outcome.out
    assert not set(outcome.out) & set("╭│╰\x1b")


@each(list(COMMANDS))
def test_help_begins_with_a_line_three_examples_and_about_ten_options(name: str) -> None:
    text, whole, command = help_of(*name.split(), "-h"), help_of(*name.split(), "--help-all"), command_of(name)
    if len(command.params) <= FEW:
        assert text == whole
        return
    assert text == run_cli(*name.split(), "--help").out
    assert f"[OPTIONS]\n\n  {COMMANDS[name][1]}\n\nExamples:\n  sqlrank {name} " in text
    assert 1 <= len(re.findall(rf"^  sqlrank {name} ", text, re.MULTILINE)) <= EXAMPLES
    shown, known = (re.findall(r"^  (?:-\w, )?(--[\w-]+)", page, re.MULTILINE) for page in (text, whole))
    assert shown[-2:] == ["--help", "--help-all"]
    assert 3 <= len(shown) - 2 <= 13
    assert set(shown) < set(known)
    assert text.endswith(f"sqlrank {name} --help-all shows all {len(known)} options, and the exit codes.\n")


@each(list(COMMANDS))
def test_whole_help_has_headings_names_of_values_and_examples_with_options_there_are(name: str) -> None:
    text = help_of(*name.split(), "--help-all")

    assert f"[OPTIONS]\n\n  {COMMANDS[name][1]}\n" in text
    assert "<" not in text
    assert re.search(r"^(Inputs|Output|Metrics):$", text, re.MULTILINE)
    assert "Help:\n  -h, --help" in text
    examples = re.findall(rf"^    sqlrank {name}\b(.*)$", text, re.MULTILINE)
    assert examples
    for option in re.findall(r" (--?\w[\w-]*)", " ".join(examples)):
        assert re.search(rf"^  (-\w, )?{option}\b", text, re.MULTILINE) or f"  {option}, " in text


def test_the_short_help_of_an_option_is_its_first_sentence_with_its_default() -> None:
    text = " ".join(help_of("eval", "-h").split())

    assert "one row for each value, as well as the total; repeatable --fail-under" in text
    assert "Output format: table, csv, tsv, json, jsonl, parquet, markdown, latex, trec [default: by" in text


def test_every_command_stands_under_one_heading() -> None:
    listed = [name for names in PANELS.values() for name in names]

    assert sorted(listed) == sorted({name.split()[0] for name in COMMANDS})
    text = run_cli("--help").out
    for heading, names in PANELS.items():
        block = text.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
        assert tuple(re.findall(r"^  (\w+) ", block, re.MULTILINE)) == names


def test_help_of_eval_names_every_option_with_its_choices() -> None:
    text = " ".join(help_of("eval", "--help-all").split())
    for word in ("--qrels", "--fail-under METRIC=VALUE", "--show-sql", "doc-desc", "judged", "nonrelevant", *FORMATS):
        assert word in text


@pytest.mark.needs("pages")
@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_the_help_run(name: str) -> None:
    copies = {"run": "keyword", "old": "keyword", "new": "semantic", "queries": "queries"}
    copies |= dict.fromkeys(("qrels", "people", "model"), "qrels")
    for copied, source in copies.items():
        for suffix in ("csv", "parquet"):
            shutil.copy(FIXTURES / "search" / f"{source}.{suffix}", f"{copied}.{suffix}")
    shutil.copy(FIXTURES / "search" / "export.parquet", "export.parquet")
    write_query("items.parquet", "select 'sku-100716' as doc_id, 'A box' as title")
    Path("verdicts.csv").write_text("query_id,verdict,user_id,country\nq1,good,a,de\nq2,bad,b,de\nq3,good,a,fr\n")
    judged = [f"q,{doc},{number},{rater}" for doc, number in (("d", 1), ("e", 0)) for rater in ("ann", "bob")]
    Path("judgments.csv").write_text("\n".join(["query_id,doc_id,relevance,assessor", *judged]))
    if name == "monitor":
        write_days()
    if name == "log arms":
        shutil.copy(FIXTURES / "behaviour" / "test" / "log.parquet", "log.parquet")
    elif name.startswith("log "):
        write_log()
    examples = re.findall(rf"^    sqlrank ({name}\b.*)$", run_cli(*name.split(), "--help-all").out, re.MULTILINE)
    for example in examples:
        outcome = run_cli(*shlex.split(example.partition(" >")[0]))
        assert outcome.code in (0, 4 if "--fail" in example or name == "monitor" else 0), (example, outcome.err)
    assert examples


def write_log() -> None:
    """A log of several rankers, and propensities."""
    from tests.behaviour.simulated import EXAMINATION, logged

    logged("pbm", impressions=12_000).frame().to_parquet("log.parquet")
    write_query("log.csv", "from 'log.parquet'", "header")
    shutil.copy(FIXTURES / "behaviour" / "shop" / "interleaved.parquet", "interleaved.parquet")
    lines = [f"{place},{chance}" for place, chance in enumerate(EXAMINATION, 1)]
    Path("propensities.csv").write_text("\n".join(["position,propensity", *lines]))
    for ranker, name in enumerate(("run", "old", "new")):
        rows = (
            f"select query_id, doc_id, -min(position) as score from 'log.parquet' where system = {ranker} group by all"
        )
        write_query(f"{name}.csv", rows, "header")


def write_days() -> None:
    """Six weeks of a shop's log as an export, as per-query rows, and as a store."""
    log = FIXTURES / "shop" / "log.parquet"
    dated = "date '2026-01-01' + cast(day - date '2026-10-05' as integer) as dt"
    write_query("export.parquet", f"select * exclude (day, clicked), clicked as relevance, {dated} from '{log}'")
    completed("eval", "export.parquet", "-m", "ndcg@10", "--by", "dt", "--per-query", "per_query.parquet")
    for day in range(1, 16):
        asked = ("-m", "ndcg@10", "--where", f"dt = '2026-01-{day:02}'", "--store", "results")
        completed("eval", "export.parquet", *asked, "--as-of", f"2026-01-{day:02}")


def test_no_line_of_the_help_is_wider_than_the_terminal_but_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(case: tuple[int, str]) -> None:
        columns, asked = case
        monkeypatch.setenv("COLUMNS", str(columns))
        for line in run_cli(*asked.split()).out.splitlines():
            assert len(line) <= columns or line.strip().startswith("sqlrank "), line

    pages = ("--help", *(f"{name} {flag}" for name in COMMANDS for flag in ("--help", "--help-all")))
    hold(product((80, 100, 120), pages), check)


def test_summaries_of_commands_are_not_cut_off() -> None:
    for group in ("", *GROUPS):
        text = " ".join(run_cli(*group.split(), "--help").out.split())
        below = {
            name.removeprefix(group).strip(): text for name, (_, text) in COMMANDS.items() if name.startswith(group)
        }
        known = {name: text for name, text in below.items() if " " not in name} | ({} if group else GROUPS)
        assert all(f" {name} {summary} " in text for name, summary in known.items())


def test_the_dialects_of_the_help_are_those_there_are() -> None:
    assert tuple(dialects.DIALECTS) == DIALECTS


@each(
    [
        (["eval"], "argument RUN is missing (see sqlrank eval --help)"),
        (["explain", "q1"], "argument RUN is missing (see sqlrank explain --help)"),
        (["gsb"], "argument JUDGMENTS is missing (see sqlrank gsb --help)"),
        (["sql", "a", "b"], "unexpected argument b (see sqlrank sql --help)"),
        (["evla", "x"], "there is no command evla; did you mean eval? (see sqlrank --help)"),
        (["eval", "x", "--threads", "two"], "--threads: 'two' is not a whole number"),
        (["eval", "x", "--threads", "0"], "--threads 0: give 1 or more"),
        (["eval", "x", "--digits", "13"], "--digits 13: give 0 to 12"),
        (["eval", "x", "--column", "score"], "--column score: write ROLE=NAME"),
    ]
)
def test_what_is_wrong_with_arguments_is_said_in_one_line(case: tuple[list[str], str]) -> None:
    arguments, said = case
    assert run_cli(*arguments) == Outcome(2, "", f"sqlrank: error: {said}\n")


@each(["--formt", "--qrels"])
def test_what_the_parser_says_is_one_line_too(option: str) -> None:
    said = error_of(2, "eval", "x", option)
    assert said.count("\n") == 1
    assert re.match(rf"sqlrank: error: .*{option}", said)


def test_without_arguments_the_help_is_on_stderr() -> None:
    assert error_of(2) == run_cli("--help").out


@pytest.mark.needs("process")
@each(["--version", "-h"])
def test_version_and_help_need_neither_duckdb_nor_jinja(argument: str) -> None:
    script = f"""
import atexit, sys
sys.argv = ["sqlrank", {argument!r}]
from sqlrank.cli import main
atexit.register(lambda: print([name for name in ("duckdb", "jinja2", "pandas", "pyarrow") if name in sys.modules]))
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment(), check=False)

    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert done.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.needs("process")
def test_the_version_is_printed() -> None:
    assert run_process("--version") == Outcome(0, f"sqlrank {__version__}\n", "")


@pytest.mark.needs("process")
def test_the_command_works_from_any_folder_and_with_any_locale(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "search" / "keyword.csv", "ünï.csv")
    asked = ("eval", "ünï.csv", "--qrels", FIXTURES / "search" / "qrels.csv", "-m", "ap", "--format", "csv", "--quiet")
    plain = {name: value for name, value in environment().items() if name not in ("PYTHONIOENCODING", "LC_ALL", "LANG")}
    done = subprocess.run(
        command(*asked), cwd=tmp_path, capture_output=True, env=plain | {"LC_ALL": "C.UTF-8"}, check=False
    )

    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert done.stdout.decode().splitlines()[1].startswith("ünï,ap,0.44718458756,")
    assert os.getcwd() == str(tmp_path)


def test_a_condition_is_printed_beside_the_numbers() -> None:
    asked = (*ONE, "-m", "ap", "--query-set", "shared", "--where", "query_id < 'q2'")
    document = json.loads(run_cli(*asked, "--format", "json").out)

    assert "only rows where query_id < 'q2'" in run_cli(*asked).out
    assert "only rows where query_id < 'q2'" in document["notes"]
