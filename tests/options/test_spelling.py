"""How messages spell an option: as the command line does or as Python does, for who asked."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlrank.arguments import KINDS
from sqlrank.cli.application import command_of
from sqlrank.cli.commands import COMMANDS
from sqlrank.cli.handler import exit_code_of
from sqlrank.engines.interrupt import interruptible
from sqlrank.errors import on_the_command_line
from sqlrank.inputs.check_files import every_check
from sqlrank.metrics.tools import presets
from sqlrank.options.declared import options_of
from sqlrank.spelling import COMMANDED, OptionGap, as_argument, as_option, spelt
from tests.options.test_declared import CALLS
from tests.support.cli_helper import ROOT
from tests.support.tables import each

SPELT: list[tuple[tuple[Any, ...], str, str]] = [
    (("min_impressions",), "--min-impressions", "min_impressions="),
    (("rel", 0.5), "--rel 0.5", "rel=0.5"),
    (("rel", 2.0), "--rel 2", "rel=2"),
    (("depth", 3), "--depth 3", "depth=3"),
    (("query_set", "judged"), "--query-set judged", "query_set='judged'"),
    (("columns", {"query_id": "NAME"}), "--column query_id=NAME", "columns={'query_id': 'NAME'}"),
    (("columns", {"doc_id": "(row)"}), "--column 'doc_id=(row)'", "columns={'doc_id': '(row)'}"),
    (("margins", {"ap": "1%", "rr": 0.1}), "--margin ap=1% --margin rr=0.1", "margins={'ap': '1%', 'rr': 0.1}"),
    (("relevance_map", {"E": 3, "I": 0}), "--relevance-map E=3,I=0", "relevance_map={'E': 3, 'I': 0}"),
    (("by", "country"), "--by country", "by='country'"),
    (("qrels",), "--qrels", "qrels="),
    (("temp_dir", "/tmp/x"), "--temp-dir /tmp/x", "temp_dir='/tmp/x'"),
    (("checks", False), "--no-checks", "checks=False"),
    (("replace", True), "--replace-stored", "replace=True"),
    (("replace", "2026-11-03"), "--replace 2026-11-03", "replace='2026-11-03'"),
    (("metrics", "all_trec"), "-m all_trec", "metrics='all_trec'"),
    (("baseline", "NAME"), "--baseline NAME", "baseline=NAME"),
    (("min_impressions", "N"), "--min-impressions N", "min_impressions=N"),
    (("where", "position > 0"), "--where 'position > 0'", "where='position > 0'"),
    (("where", "rater = 'NAME'"), "--where \"rater = 'NAME'\"", "where=\"rater = 'NAME'\""),
    (("where", "a = '$1'"), "--where 'a = '\"'\"'$1'\"'\"''", "where=\"a = '$1'\""),
    (("separator", ""), "--separator ''", "separator=''"),
    (("by", "a\x1bb"), "--by 'a\\x1bb'", "by='a\\x1bb'"),
    (("prior", (1, 10)), "--prior 1,10", "prior=(1, 10)"),
    (("by", ["a", "b"]), "--by a --by b", "by=['a', 'b']"),
    (("as_of", date(2026, 11, 3)), "--as-of 2026-11-03", "as_of='2026-11-03'"),
    (("top_relevance", None), "--top-relevance None", "top_relevance=None"),
]


@each(SPELT)
def test_an_option_is_spelt_for_who_asked(case: tuple[tuple[Any, ...], str, str]) -> None:
    asked, command_line, python = case
    assert spelt(*asked) == python
    with on_the_command_line():
        assert spelt(*asked) == command_line


def test_what_the_command_line_calls_otherwise_is_what_the_records_declare() -> None:
    for _, record in CALLS:
        for name, item in options_of(record).items():
            assert as_option(name) == item.spelt(name) or as_option(name, item.given) == item.spelt(name), name


def test_every_other_spelling_is_an_option_of_a_command() -> None:
    known = {flag for command in map(command_of, COMMANDS) for each in command.params for flag in each.opts}
    assert {text.partition(" ")[0] for text in COMMANDED.values()} <= known


CATALOGUED = [
    ("{option:like}", "--like", "like="),
    ("{option:rel {level}}", "--rel 0.5", "rel=0.5"),
    ("{option:columns query_id=QUERY,{column}}", "--column query_id=QUERY,a", "columns={'query_id': 'QUERY,a'}"),
    ("{option:header False}", "--no-header", "header=False"),
    ("{option:ties number-desc}", "--ties number-desc", "ties='number-desc'"),
    ("{option:depth N}", "--depth N", "depth=N"),
    ("{option:where a > 0}", "--where 'a > 0'", "where='a > 0'"),
]


@each(CATALOGUED)
def test_a_text_of_a_catalogue_names_options_by_placeholders(case: tuple[str, str, str]) -> None:
    text, command_line, python = case
    shown = {"level": "0.5", "column": "a"}
    assert text.format(option=OptionGap(as_option), **shown) == command_line
    assert text.format(option=OptionGap(as_argument), **shown) == python


def test_a_statement_in_another_thread_knows_who_asked() -> None:
    assert interruptible(print, lambda: spelt("threads")) == "threads="
    with on_the_command_line():
        assert interruptible(print, lambda: spelt("threads")) == "--threads"


def test_what_the_engine_raises_is_told_in_options_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise duckdb.OutOfMemoryException("Out of Memory Error: failed to offload data block of size 256.0 KiB.")

    assert exit_code_of(fail) == 5
    assert "name another folder with --temp-dir" in capsys.readouterr().err


NAMED = re.compile(r"(?<![\w-])(?<!sqlrank sql )(?:--[a-z][a-z-]*[a-z]|-m(?= \S))")
LITERAL = (
    "sqlrank/cli/", "sqlrank/reference/", "sqlrank/spelling.py", "sqlrank/export/statement_form.py",
    "sqlrank/export/table_statement.py", "sqlrank/export/dbt_models.py", "sqlrank/inspection/",
    "sqlrank/evaluation/tool_checks.py", "sqlrank/conventions.py", "sqlrank/metrics/catalogue.py",
    "sqlrank/comparison/compared_periods.py",
)  # fmt: skip
"""Where texts are of the command line whoever asked: commands, statements, references."""


def spoken(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module besides its documentation, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.lineno, node.value


def test_messages_name_options_for_who_asked() -> None:
    names = {name for _, record in CALLS for name in options_of(record)} | set(KINDS)
    known = {as_option(name) for name in names} | set(COMMANDED.values()) | {"--qrels"}
    found = []
    for path in sorted((ROOT / "sqlrank").rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        if not where.startswith(LITERAL) and not where.endswith(("options.py", "options/shared.py", "columns.py")):
            found += [f"{where}:{line}: {text}" for line, text in spoken(path) if known & set(NAMED.findall(text))]
    for name, check in every_check().items():
        found += [f"sql/checks: {name}"] * bool(NAMED.search(check.message))
    for name, preset in presets().items():
        found += [f"tools.toml: {name}" for text in preset.refused.values() if NAMED.search(text)]
    assert not found
