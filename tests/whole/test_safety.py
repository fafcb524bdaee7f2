"""Hostile names, values, conditions and targets: nothing reaches the SQL, a terminal or a file that should not."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import subprocess
import sys
import unicodedata
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS, DUCKDB, visible
from sqlrank.pages.text_tables import markdown_text
from sqlrank.statement.templates import environment
from tests.support.cli_helper import Outcome, command, completed, error_of, run_cli
from tests.support.cli_helper import environment as process_environment
from tests.support.hostile import MORE_NAMES, NAMES, VALUES, controls, write_csv, write_parquet
from tests.support.tables import each, hold

RUN_NAMES = ("query_id", "doc_id", "score")
QRELS_NAMES = ("query_id", "doc_id", "relevance")
RUN = [("q1", "d1", 2), ("q1", "d2", 1), ("q2", "d1", 1)]
QRELS = [("q1", "d2", 1), ("q2", "d1", 1)]

UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def rows_of(sql: str) -> list[Any]:
    """The rows of a query."""
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


BOTH = ("run.csv", "--qrels", "qrels.csv")


@pytest.fixture(autouse=True)
def _beside_a_run_and_judgments() -> None:
    write_csv("run.csv", RUN_NAMES, RUN)
    write_csv("qrels.csv", QRELS_NAMES, QRELS)


def rr_of(*arguments: object) -> list[dict[str, str]]:
    """The rows of the reciprocal rank, for arguments that are right."""
    return completed("eval", *arguments, "-m", "rr", "--format", "csv").table


def test_every_column_may_have_any_name() -> None:
    """Each role has each name once: eight other names at a time."""
    run = [("q1", "d1", 2, 0, "a", "de"), ("q1", "d2", 1, 1, "a", "de"), ("q2", "d1", 1, 1, "a", "fr")]
    roles = (*RUN_NAMES, "relevance", "system", "country")

    def check(first: int) -> None:
        names = [NAMES[(first + place) % len(NAMES)] for place in range(len(roles) + 2)]
        called = dict(zip(roles, names, strict=False))
        country, weight, device = names[-3:]
        write_parquet("export.parquet", [called[role] for role in roles], run)
        write_parquet("queries.parquet", ("query_id", weight, device), [("q1", 3, "x"), ("q2", 1, "y")])
        told = [word for role in roles[:-1] for word in ("--column", f"{role}={called[role]}")]
        described = ("--queries", "queries.parquet", "--weight", weight, "--by", country, "--by", device)
        table = rr_of("export.parquet", *told, *described)

        found = {(row[country], row[device]): row["value"] for row in table}
        assert {row["system"] for row in table} == {"a"}
        assert found == {("de", "x"): "0.5", ("fr", "y"): "1", ("", ""): "0.625"}

    hold({name: number for number, name in enumerate(NAMES)}, check)


@each([name for name in NAMES if "\n" not in name and "\r" not in name])
def test_a_csv_header_may_hold_any_name(name: str) -> None:
    write_csv("run.csv", (name, "doc_id", "score"), RUN)
    assert rr_of(*BOTH, "--column", f"run.query_id={name}")[0]["value"] == "0.75"


@each(product(NAMES, [(".csv", ".parquet"), ("", ".csv")]))
def test_a_file_may_have_any_name(case: tuple[str, tuple[str, str]]) -> None:
    """Each name stands once for each kind of file, of the run or of the judgments: a kind is read as any file is."""

    name, suffixes = case
    files = (f"{name}{suffixes[0]}", f"{name}.qrels{suffixes[1]}")
    for file, names, rows in zip(files, (RUN_NAMES, QRELS_NAMES), (RUN, QRELS), strict=True):
        (write_parquet if file.endswith(".parquet") else write_csv)(file, names, rows)
    table = completed("eval", "--qrels", files[1], "-m", "rr", "--", files[0]).out.split("\n\n")[0]
    assert "\r" not in table
    assert len(table.splitlines()) == 2
    assert " 0.7500" in table


@each(NAMES)
def test_a_statement_for_hostile_relations_and_columns_runs(name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    with duckdb.connect() as connection:
        connection.execute(
            f"create schema {quoted}; create table {quoted}.{quoted} ({quoted} text, doc_id text, score int)"
        )
        connection.execute(f"insert into {quoted}.{quoted} values ('q1', 'd1', 2), ('q1', 'd2', 1)")
        connection.execute("create table judged as select 'q1' as query_id, 'd2' as doc_id, 1 as relevance")
        text = sqlrank.sql(f"{quoted}.{quoted}", "judged", "rr", columns={"run.query_id": name})
        assert connection.execute(text).fetchall()[0][-1] == 0.5


def hostile_export() -> str:
    """A labelled export with every hostile value as query, document, system and segment."""
    rows = [(value, value, value, value, 1, 1) for value in VALUES]
    return write_parquet("export.parquet", ("system", "query_id", "country", "doc_id", "score", "relevance"), rows)


def of_hostile(form: str, *more: object) -> Outcome:
    """The evaluation of that export in a format."""
    return completed("eval", hostile_export(), "-m", "rr", "--query-set", "run", "--format", form, *more)


def test_hostile_ids_are_themselves_in_the_python_interface() -> None:
    with sqlrank.evaluate(hostile_export(), metrics="rr", by="country", query_set="run") as result:
        assert sorted(result.systems) == sorted(VALUES)
        assert {query for found in result.to_dict().values() for query in found} == set(VALUES)


@each(product(["csv", "tsv"], ["summary", "per-query"]))
def test_csv_and_tsv_with_hostile_values_are_read_back_as_they_were(case: tuple[str, str]) -> None:
    form, option = case
    arguments = ["--per-query", "-"] if option == "per-query" else []
    outcome = of_hostile(form, "--by", "country", *arguments)

    assert controls(outcome.err) == []
    rows = list(csv.DictReader(io.StringIO(outcome.out, newline=""), delimiter="\t" if form == "tsv" else ","))
    assert {row["system"] for row in rows} == set(VALUES)
    assert {row["country"] for row in rows} - {""} == set(VALUES)
    if option == "per-query":
        assert {row["query_id"] for row in rows} == set(VALUES)


@each(["json", "jsonl", "parquet"])
def test_json_and_parquet_with_hostile_values_are_read_back_as_they_were(form: str) -> None:
    targets = ["--per-query", f"queries.{form}", "-o", f"rows.{form}"]
    assert of_hostile(form, "--by", "country", *targets).out == ""
    if form == "parquet":
        systems = rows_of("select distinct system from 'rows.parquet'")
        queries = rows_of("select distinct query_id from 'queries.parquet'")
        assert {row[0] for row in systems} == {row[0] for row in queries} == set(VALUES)
        return
    text = Path(f"queries.{form}").read_text(encoding="utf-8")
    rows = json.loads(text) if form == "json" else [json.loads(line) for line in text.split("\n") if line]
    assert {row["query_id"] for row in rows} == set(VALUES)


@each(["table", "markdown", "latex"])
def test_formats_for_people_show_no_raw_control_character(form: str) -> None:
    outcome = of_hostile(form, "--by", "country")

    assert controls(outcome.out + outcome.err) == []
    assert "\\x1b[31mred" in outcome.out.replace("\\textbackslash{}", "\\").replace("\\\\", "\\").replace("\\[", "[")


def test_each_line_of_a_table_is_one_row() -> None:
    outcome = of_hostile("table")
    assert len(outcome.out.split("\n\n")[0].splitlines()) == 1 + len(VALUES)


def test_markdown_escapes_what_would_be_markup() -> None:
    outcome = of_hostile("markdown")
    table = outcome.out.split("\n\n")[0].splitlines()

    assert len(table) == 2 + len(VALUES)
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table} == {4}
    assert "<script>" not in outcome.out
    assert "a\\|b" in outcome.out
    assert "a&amp;b" in outcome.out
    assert "\\_italic\\_ \\*bold\\* \\`code\\` \\[link\\](x)" in outcome.out


def test_latex_escapes_what_would_be_a_command() -> None:
    outcome = of_hostile("latex")
    body = outcome.out.split("\\midrule")[1].split("\\bottomrule")[0]

    assert len([line for line in body.splitlines() if line]) == len(VALUES)
    assert all(line.endswith(r" \\") for line in body.splitlines() if line)
    assert "\\textbackslash{}input\\{/etc/passwd\\}" in body
    assert "a\\&b" in body
    assert "50 \\%" in body
    assert "under\\_score" in body
    assert "\\$math\\$ \\#1 \\textasciitilde{} \\textasciicircum{}" in body


@each(VALUES)
def test_an_error_about_a_hostile_row_is_one_clean_line(value: str) -> None:
    write_parquet("run.parquet", RUN_NAMES, [(value, value, 1.0), (value, value, 2.0)])
    said = error_of(3, "eval", "run.parquet", "--qrels", "qrels.csv")

    assert said.count("\n") == 1
    assert controls(said) == []


@each(
    [
        ["eval", "run\x1b[31m.csv", "--qrels", "qrels.csv"],
        ["eval", "run.csv", "--qrels", "q\x1b[31m.csv"],
        ["eval", "run.csv", "--qrels", "qrels.csv", "-m", "nd\x1b[31mcg"],
        ["eval", "run.csv", "--qrels", "qrels.csv", "--by", "x\x1b[31m"],
        ["eval", "run.csv", "--qrels", "qrels.csv", "--column", "query_id=x\x1b[31m"],
        ["eval", "run.csv", "--qrels", "qrels.csv", "--where", "x\x1b[31m"],
        ["eval", "run.csv", "--qrels", "qrels.csv", "--ties", "x\x1b[31m"],
        ["sql", "x\x1b[31m"],
    ]
)
def test_an_error_about_a_hostile_argument_is_one_clean_line(arguments: list[str]) -> None:
    outcome = run_cli(*arguments)

    assert outcome.code in (2, 3)
    assert outcome.err.count("\n") == 1
    assert "\x1b" not in outcome.err


def test_an_error_about_a_hostile_line_of_a_file_is_clean() -> None:
    Path("run.trec").write_text("q1 Q0 d1 1 \x1b[31m\n")
    Path("run.csv").write_text("query_id,doc_id,score\n\x1b[31m,d1\n")
    for name in ("run.trec", "run.csv"):
        assert "\x1b" not in error_of(3, "eval", name, "--qrels", "qrels.csv")


@each(
    [
        "1=1); drop table x; --",
        "1=1; select 1",
        "1=1, 2=2",
        "",
        "--",
        "select 1",
        "1=1) or (1=1",
        "x order by 1",
    ]
)
def test_a_condition_that_is_not_one_expression_is_refused(where: str) -> None:
    assert "is not one SQL expression" in error_of(2, "eval", *BOTH, "--where", where)


@each(["nothing = 1", "copy", "1 as x", "score + ", "sum(score) > 1", "no_such_function(score)"])
def test_an_error_of_a_condition_says_that_it_is_about_where(where: str) -> None:
    assert "--where" in error_of(2, "eval", *BOTH, "--where", where)


@each(["1=1 -- ", "1=1 /* x */", "(1=1)", "doc_id <> 'x' -- ) or 1=0", "true\n--"])
def test_a_comment_in_a_condition_is_harmless(where: str) -> None:
    assert rr_of(*BOTH, "--where", where)[0]["value"] == "0.75"


READERS = [
    "doc_id in (select column0 from read_csv('/etc/passwd', delim = ':', header = false))",
    "length((select content from read_text('/etc/passwd'))) > 0",
    "error((select content from read_text('secret.txt')))",
    "doc_id = (select max(secret) from 'secret.csv')",
    "doc_id in (select secret from read_csv('secret*.csv'))",
    "doc_id in (select secret from read_csv('./secret.csv'))",
    "error((select string_agg(file, ' ') from glob('/etc/*')))",
    "doc_id in (select content::varchar from read_blob('secret.txt'))",
]


def test_a_condition_cannot_read_another_file() -> None:
    Path("secret.txt").write_text("TOPSECRET")
    write_csv("secret.csv", ["secret"], [["TOPSECRET"]])
    write_parquet("run.parquet", RUN_NAMES, RUN)
    write_parquet("export.parquet", (*RUN_NAMES, "relevance"), [(*row, 1) for row in RUN])
    Path("run.jsonl").write_text('{"query_id": "q1", "doc_id": "d2", "score": 1}\n')
    with duckdb.connect("log.duckdb") as connection:
        connection.execute("create table \"table\" as from 'run.csv'; create table qrels as from 'qrels.csv'")

    def check(case: tuple[str, str]) -> None:
        run, where = case
        name, *more = run.split()
        arguments = [name, *BOTH[1:], *more]
        if name == "export.parquet":
            arguments = [name]
        elif name == "table":
            arguments = [name, "--qrels", "qrels", "--database", "log.duckdb"]
        said = error_of(2, "eval", *arguments, "--where", where)

        assert not any(word in said for word in ("root:", "TOPSECRET", "/etc/hosts", "/etc/shells"))

    hold(
        product(["run.csv", "run.parquet", "export.parquet", "run.csv --ties input", "table", "run.jsonl"], READERS),
        check,
    )


def test_a_condition_cannot_read_through_the_statement_of_show_sql() -> None:
    Path("secret.txt").write_text("TOPSECRET")
    where = "error((select content from read_text('secret.txt')))"
    outcome = run_cli("eval", *BOTH, "--where", where, "--show-sql")

    assert "TOPSECRET" not in outcome.out + outcome.err


def test_a_condition_may_be_used_with_every_output() -> None:
    targets = ["-o", "summary.parquet", "--per-query", "queries.parquet"]
    outcome = completed("eval", "run.csv", "--qrels", "qrels.csv", "--where", "doc_id <> 'x'", "-m", "rr", *targets)

    assert outcome.out == ""
    assert rows_of("select value from 'summary.parquet'") == [(0.75,)]
    assert rows_of("select count(*) from 'queries.parquet'") == [(2,)]


def refused(arguments: Sequence[object], target: str, word: str, code: int = 2) -> None:
    """The command is refused and the target is as it was."""
    before = Path(target).read_bytes() if os.path.isfile(target) else os.lstat(target).st_mode
    assert word in error_of(code, "eval", *arguments)
    assert (Path(target).read_bytes() if os.path.isfile(target) else os.lstat(target).st_mode) == before
    assert [path.name for path in Path().iterdir() if ".part" in path.name] == []


def test_an_input_is_never_written_onto() -> None:
    Path("sub").mkdir()
    Path("link.csv").symlink_to("run.csv")
    os.link("run.csv", "hard.csv")

    def check(case: tuple[str, str]) -> None:
        option, target = case
        word = "will not be overwritten" if target != "hard.csv" else "hard.csv"
        if target == "hard.csv":
            # Another name of the same file: replacing the name leaves the input as it is.
            assert run_cli("eval", *BOTH, option, target).code in (0, 2)
            assert Path("run.csv").read_text().startswith("query_id,doc_id,score")
        else:
            refused([*BOTH, option, target], target, word)

    hold(
        product(["-o", "--per-query"], ["run.csv", "./run.csv", "sub/../run.csv", "qrels.csv", "link.csv", "hard.csv"]),
        check,
    )


@each(
    [
        ["part-*.csv", "--qrels", "qrels.csv"],
        ["x=part-*.csv", "--qrels", "qrels.csv"],
        ["run.csv", "--qrels", "part-*.csv"],
        ["run.csv", "--qrels", "qrels.csv", "--queries", "part-1.csv", "--by", "x"],
        ["run.csv", "--qrels", "qrels.csv", "--database", "part-1.csv"],
        [".", "--qrels", "qrels.csv"],
    ]
)
def test_an_input_of_a_glob_a_folder_or_an_option_is_never_written_onto(inputs: list[str]) -> None:
    write_csv("part-1.csv", RUN_NAMES, RUN)

    refused([*inputs, "-o", "part-1.csv"], "part-1.csv", "part-1.csv")


def test_a_new_file_that_the_next_run_would_read_as_input_is_refused() -> None:
    write_csv("part-1.csv", RUN_NAMES, RUN)
    for target in ("part-2.csv", "./part-2.csv"):
        error_of(2, "eval", "part-*.csv", "--qrels", "qrels.csv", "-o", target)

        assert not Path("part-2.csv").exists()


@pytest.mark.parametrize("option", ["-o", "--per-query"])
def test_a_device_a_pipe_a_folder_and_a_link_are_never_replaced(option: str) -> None:
    os.mkfifo("pipe.csv")
    Path("folder.csv").mkdir()
    Path("other.csv").write_text("precious")
    Path("link.csv").symlink_to("other.csv")
    Path("dangling.csv").symlink_to("nowhere.csv")
    for target in ("pipe.csv", "folder.csv", "link.csv", "dangling.csv", "/dev/null"):
        refused([*BOTH, option, target], target, "not a regular file")
    assert Path("other.csv").read_text() == "precious"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert not Path("nowhere.csv").exists()


def test_one_file_is_never_written_twice() -> None:
    Path("sub").mkdir()

    def check(second: str) -> None:
        assert "twice" in error_of(2, "eval", *BOTH, "-o", "out.csv", "--per-query", second)
        assert not Path("out.csv").exists()

    hold(["out.csv", "./out.csv", "sub/../out.csv"], check)


@each(
    product(
        ["nowhere/out.csv", "file.txt/out.csv", "/proc/out.csv", "/proc/out.parquet", "x" * 300 + ".csv"],
        ["-o", "--per-query"],
    )
)
def test_a_target_that_cannot_be_written_is_exit_5(case: tuple[str, str]) -> None:
    target, option = case
    Path("file.txt").touch()
    outcome = run_cli("eval", *BOTH, option, target)

    assert (outcome.code, outcome.err.count("sqlrank: error: ")) == (5, 1)
    assert target[:20] in outcome.err


def test_a_folder_without_permission_is_exit_5() -> None:
    Path("closed").mkdir(mode=0o500)
    # Root may write anywhere but in /proc.
    target = "/proc/sys/out.csv" if os.geteuid() == 0 else "closed/out.csv"
    error_of(5, "eval", *BOTH, "-o", target)


@each([("csv", 0o022, 0o644), ("parquet", 0o077, 0o600), ("json", 0o002, 0o664), ("txt", 0o022, 0o644)])
def test_the_permissions_of_a_file_follow_the_umask(case: tuple[str, int, int]) -> None:
    suffix, mask, mode = case
    before = os.umask(mask)
    try:
        assert run_cli("eval", *BOTH, "-o", f"out.{suffix}").code == 0
    finally:
        os.umask(before)

    assert stat.S_IMODE(os.stat(f"out.{suffix}").st_mode) == mode


def test_a_file_is_replaced_whole() -> None:
    Path("out.csv").write_text("old " * 1000)
    assert run_cli("eval", *BOTH, "-m", "rr", "-o", "out.csv").code == 0

    assert Path("out.csv").read_text().startswith("system,metric,value")
    assert "old" not in Path("out.csv").read_text()
    assert sorted(path.name for path in Path().iterdir()) == ["out.csv", "qrels.csv", "run.csv"]


@each(product(DIALECTS.values(), ["drop table x", "", 1.5, True, ["x"], {"x": 1}, b"x", object()]))
def test_a_bare_value_that_reaches_a_template_is_an_error(case: tuple[Any, object]) -> None:
    dialect, value = case
    template = environment(dialect).from_string("select {{ value }}")
    with pytest.raises(TypeError, match="reaches SQL without the filter"):
        template.render(value=value)


def test_a_name_that_a_template_does_not_get_is_an_error() -> None:
    import jinja2

    with pytest.raises((jinja2.UndefinedError, TypeError)):
        environment(DUCKDB).from_string("select {{ value }}").render()


@each([*NAMES, *MORE_NAMES, *VALUES, "", "a" * 1000, "\ufffe", "😀"])
def test_a_literal_is_the_value_when_it_is_executed(value: str) -> None:
    text = environment(DUCKDB).from_string("select {{ value | literal }}").render(value=value)

    assert duckdb.execute(text).fetchall() == [(value,)]


@each([*NAMES, *MORE_NAMES, *VALUES, "a" * 1000, "😀", "order", "group", "User"])
def test_an_identifier_is_the_name_when_it_is_executed(value: str) -> None:
    text = environment(DUCKDB).from_string("select 1 as {{ value | ident }}").render(value=value)

    assert duckdb.execute(text).description[0][0] == value


@each(["nul\x00", float("nan"), float("inf"), object(), b"x"])
def test_what_cannot_be_a_literal_is_refused(value: object) -> None:
    with pytest.raises(sqlrank.UsageError, match="cannot be written as a value"):
        DUCKDB.literal(value)


@pytest.mark.parametrize("name", ["", "nul\x00"])
def test_what_cannot_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(sqlrank.UsageError, match="cannot be the name"):
        DUCKDB.ident(name)


@each(
    product(
        [
            "a; drop table b",
            "a b",
            "(select 1)",
            "{{ x }}{{ y }}",
            "{{ x }} as y",
            "a.{{ x }}",
            "{{ x {{ y }} }}",
            "{{ x {# y #} }}",
            "{{ x\n}}",
            "{{}}",
            "{% set x = 1 %}",
            "a--",
            "a/**/",
            'a"b',
            '"a',
            '""',
            "a..b",
            ".a",
            "a.",
            "'a'",
            "read_csv('x')",
            "a, b",
            "a\nb",
            "a\x00",
            "",
            " ",
            "1a",
            "$a",
            "a as b",
        ],
        ["run", "qrels", "queries"],
    )
)
def test_a_relation_that_is_no_dotted_name_is_refused(case: tuple[str, str]) -> None:
    relation, place = case
    texts = {"run": "r", "qrels": "j", "queries": "q"} | {place: relation}
    with pytest.raises(sqlrank.UsageError, match="is not the name of a relation"):
        sqlrank.sql(texts["run"], texts["qrels"], "rr", queries=texts["queries"], by="queries.country")


def test_a_refused_relation_prints_no_statement() -> None:
    assert "is not the name of a relation" in error_of(2, "sql", "a; drop table b", "--qrels", "j")


@each(["1=1); drop table x; --", "1=1; select 1", "1=1) or (1=1"])
def test_a_statement_is_not_made_with_a_hostile_condition(where: str) -> None:
    error_of(2, "sql", "r", "--qrels", "j", "--where", where)


def comment_lines(text: str) -> list[str]:
    """The lines of a statement before its first word."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line and not line.startswith("--"))
    return lines[:first]


@each(
    [
        "ndcg\n@10",
        "ndcg@10\n; drop table x",
        "ap(rel=2\n)@5",
        "ndcg(gain=0:0,\n1:1)@10",
        "rr\r",
        "rr\u2028",
        "-- x\nrr",
    ]
)
def test_a_metric_with_a_line_end_cannot_leave_the_header_comment(metric: str) -> None:
    outcome = run_cli("sql", "r", "--qrels", "j", "-m", metric)

    assert outcome.code in (0, 2)
    if outcome.code == 0:
        plain = run_cli("sql", "r", "--qrels", "j", "-m", " ".join(metric.split()).replace(" @", "@"))
        assert len(comment_lines(outcome.out)) == len(comment_lines(plain.out))
        assert "drop table" not in outcome.out


def test_a_system_with_a_line_end_cannot_leave_a_comment_of_the_shown_statement() -> None:
    name = "x\ndrop table y; --"
    write_csv(f"{name}.csv", RUN_NAMES, RUN)
    outcome = completed("eval", f"{name}.csv", "--qrels", "qrels.csv", "-m", "rr", "--show-sql")

    with duckdb.connect() as connection:
        connection.execute("create table y as select 1")
        rows = connection.execute(outcome.out).fetchall()
        assert {row[0] for row in rows} == {name}
        assert connection.execute("select count(*) from y").fetchall() == [(1,)]


@each(["\x1b[31mred\x1b[0m", "a\u202eb", "\x07'\\\\", "\u061c"])
def test_a_hostile_system_is_escaped_in_the_shown_statement_which_still_runs(name: str) -> None:
    write_csv(f"{name}.csv", RUN_NAMES, RUN)
    outcome = completed("eval", "--qrels", "qrels.csv", "-m", "rr", "--show-sql", "--", f"{name}.csv")

    assert not set(outcome.out) & set("\x1b\x07\u202e\u061c")
    assert {row[0] for row in rows_of(outcome.out)} == {name}


def test_a_statement_with_a_name_that_steers_a_terminal_is_not_shown() -> None:
    write_parquet("run.parquet", ("query_id", "doc_id", "\x1b[31m"), RUN)
    arguments = ("run.parquet", "--qrels", "qrels.csv", "-m", "rr", "--column", "run.score=\x1b[31m")
    assert "control character \\x1b" in error_of(2, "eval", *arguments, "--show-sql")
    assert run_cli("eval", *arguments).code == 0


def test_what_is_shown_holds_no_character_that_cannot_be_seen() -> None:
    unseen = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in UNSEEN]
    assert [hex(ord(mark)) for mark in unseen if visible(f"a{mark}b").isprintable() is False] == []
    assert visible("Zürich 東京 😀 a b") == "Zürich 東京 😀 a b"


@each(["http://x.y", "https://x", "ftp://x", "www.x.y", "a@b.c", "mailto:a@b.c", "~~x~~", "<x>", "$x$", "a|b"])
def test_markdown_shows_a_value_as_it_is(text: str) -> None:
    from markdown_it import MarkdownIt

    written = markdown_text(text)
    (token,) = [token for token in MarkdownIt("commonmark").parse(written) if token.type == "inline"]
    assert "".join(part.content for part in token.children or []) == text
    assert not re.search(r"(?<!\\)~~|(?<!\\)[|$]|[a-z]:/|www\.[a-z]|\w@\w|<", written)
    assert markdown_text("ndcg@10") == "ndcg@10"


@pytest.mark.needs("process")
def test_a_hostile_process_argument_is_only_data(tmp_path: Path) -> None:
    words = command("eval", "run.csv", "--qrels", "qrels.csv", "-m", "$(touch pwned)", "--by", "`touch pwned`")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, env=process_environment(), check=False)

    assert done.returncode == 2
    assert not Path("pwned").exists()
