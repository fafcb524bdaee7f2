"""Steps ask little, and entries list what their expressions read."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from jinja2 import meta

import sqlrank
from sqlrank.dialects import DUCKDB
from sqlrank.inputs.check_files import every_check as checks
from sqlrank.inputs.check_files import row_checks
from sqlrank.metrics.catalogue import HELP
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Metric
from sqlrank.sql_files import sql_folder
from sqlrank.statement import templates
from sqlrank.statement.columns import COLUMNS, EMPTY_TEXTS
from sqlrank.statement.templates import environment
from tests.reference import definitions as reference
from tests.reference import diversity, lists, readers, recommender, vectors
from tests.support.cli_helper import FIXTURES
from tests.support.lacking import none_lacks
from tests.support.tables import each

SQL = sql_folder()
STEPS = sorted((SQL / "steps").rglob("*.sql"))
FORMS = {"form", "plain", "united", "observed", "by_place"}
"""Names by which a step could ask for the form that it is in; two of them are what it writes."""


WORDS = ("and", "or", "not", "in", "is", "none", "else")


def test_a_step_never_asks_for_the_form_of_its_statement() -> None:
    asked = {path.name: FORMS & {name for text in conditions(path) for name in names_in(text)} for path in STEPS}
    assert {name: words for name, words in asked.items() if words} == {}


def test_the_steps_ask_little() -> None:
    """Where two forms differ they have steps of their own, and what may be left out is listed in Python."""
    asked = [text for path in STEPS for text in conditions(path)]
    assert len(asked) <= 120
    assert len({name.partition(".")[0] for text in asked for name in names_in(text)}) <= 35


def conditions(path: Path) -> list[str]:
    """The conditions of a template."""
    return re.findall(r"\{%[+-]?\s*(?:if|elif)\s+(.*?)[+-]?%\}", path.read_text(encoding="utf-8"))


def names_in(condition: str) -> list[str]:
    """The names in a condition."""
    words = re.findall(r"[A-Za-z_][\w.]*", re.sub(r'"[^"]*"', " ", condition))
    return [word for word in words if word not in WORDS and not word.startswith("loop.")]


HASHED = {
    "macros/steps.sql",
    "behaviour/facts/of_impressions.sql",
    "duckdb/macros.sql",
    "sources/read_whole.sql",
    "sources/suspects.sql",
}
"""Templates that give the same whatever the hash: it deals queries to parts, or tells documents or rows apart."""


def test_chance_is_the_same_on_every_version_of_an_engine() -> None:
    """DuckDB may change `hash` and `random` from one version to the next; MD5 stays."""
    drawing = re.compile(r"\b(?:hash|random|uuid|setseed)\(")
    files = {str(path.relative_to(SQL)): path.read_text(encoding="utf-8") for path in SQL.rglob("*.sql")}
    assert {name for name, text in files.items() if drawing.search(text)} == HASHED


EVERY = each(sqlrank.METRICS)
ORACLES = [reference.METRICS, diversity.METRICS, vars(lists), vars(readers), vars(recommender), vars(vectors)]


@EVERY
def test_an_entry_lists_exactly_what_its_expression_reads(metric: Metric) -> None:
    used = meta.find_undeclared_variables(environment(DUCKDB).parse(metric.sql))
    values = set() if metric.grain == "query" else set(metric.parameters)  # those of rows are told to the columns
    assert used & set(COLUMNS) - values == set(metric.reads)
    words = {"k", "double", "weighing"} if metric.grain == "query" else {"k", "double", "scope", "direction"}
    assert used - set(COLUMNS) <= words | set(metric.parameters)


@EVERY
def test_a_metric_that_weighs_queries_says_so_and_has_the_weight_in_its_file(metric: Metric) -> None:
    used = meta.find_undeclared_variables(environment(DUCKDB).parse(metric.sql))
    assert ("weighing" in used) is (metric.weighs or "weight" in metric.parameters)


@EVERY
def test_an_entry_is_complete(metric: Metric) -> None:
    assert metric.title
    assert metric.formula
    assert metric.citation
    assert metric.summary in ("mean", "sum", "none", "whole")
    assert set(metric.parameters) <= set(HELP) | set(metric.help)
    assert set(metric.help) | set(metric.choices) | set(metric.required) <= set(metric.parameters)
    assert {*metric.bounds, *metric.within} <= set(metric.parameters)
    assert metric.trailing in {None, *metric.parameters, *metric.squares}
    assert set(metric.renames) <= {metric.name, *metric.aliases}
    assert set(metric.empty) <= set(EMPTY_TEXTS)
    assert not metric.empty or metric.range is not None, "an unbounded metric has no value for nothing to find"
    assert not metric.empty or metric.undefined is None, "nothing to find is said in one way"


@EVERY
def test_a_metric_of_a_whole_system_stands_in_its_own_folder_and_groups_by_the_scope(metric: Metric) -> None:
    used = meta.find_undeclared_variables(environment(DUCKDB).parse(metric.sql))
    whole = metric.grain == "system"
    assert whole is (metric.summary == "whole") is (SQL / "overall" / f"{metric.name}.sql").exists()
    assert whole is ("scope" in used)
    assert whole or not metric.inputs
    assert not whole or not metric.reads


def test_every_metric_is_worked_out_by_hand_or_defined_a_second_time() -> None:
    found = Counter(name for oracle in ORACLES for name in oracle if name in sqlrank.METRICS)
    worked = {path.stem for path in (FIXTURES / "worked").glob("*.csv")}
    none_lacks(
        set(sqlrank.METRICS) - set(found) - worked,
        "the metric {} is computed by nothing but its SQL: write fixtures/worked/{}.csv, or where it reads more than"
        " judgments, its definition in tests/reference and its cases in tests/metrics",
    )
    none_lacks([name for name, times in found.items() if times > 1], "tests/reference defines {} twice")


def test_every_column_is_read() -> None:
    read = {name for metric in sqlrank.METRICS.values() for name in (*metric.reads, *metric.empty)}
    read |= {name for column in COLUMNS.values() for name in (*column.needs, *column.needs_with)}
    none_lacks(set(COLUMNS) - read, "sql/columns/{}.sql is read by no metric and needed by no other column")


def test_no_two_metrics_share_a_name() -> None:
    names = [name for metric in sqlrank.METRICS.values() for name in (metric.name, *metric.aliases)]
    assert sorted(names) == sorted(set(names))


@EVERY
def test_every_name_of_a_metric_asks_for_it(metric: Metric) -> None:
    needed = ", ".join(f"{name}=0.5" for name in metric.required)
    tail = (f"({needed})" if needed else "") + ("" if metric.cutoff == "none" else "@3")
    for name in (metric.name, *metric.aliases):
        assert {measure.metric for measure in parse_measures(name + tail, Language(texts=True))} == {metric}


def test_every_check_says_what_and_what_to_do() -> None:
    for check in checks().values():
        assert check.title
        assert re.search(r"\{(findings|copies|found|largest|alone|lowest)[:}]", check.message)
        assert ";" in check.message, "what is wrong; what to do"


def test_conditions_on_rows_ask_the_value_whether_it_is_there_and_a_number() -> None:
    for check in row_checks().values():
        condition = (sql_folder() / check.template).read_text(encoding="utf-8").partition("#}")[2]
        # Whether a document has an id is asked again, of the value, where copies are looked for.
        condition = condition.replace("{{ marked | ident }} is null", "")
        assert not re.search(r"\bis (not )?null\b|'inf'|\babs\(", condition), check.name


KEPT: list[object] = []
"""Environments whose entries in `sys.modules` must not die while Hypothesis reads those."""


def test_compiled_templates_give_the_same_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = ["ndcg@10", "ap", "err@5", "ndcg_rel"]
    text = sqlrank.sql("runs", "qrels", metrics, by=["market"], summary=True)
    templates.compile_templates(str(tmp_path))
    monkeypatch.setattr(templates, "COMPILED", tmp_path)
    made = templates.environment.__wrapped__(DUCKDB)
    KEPT.append(made)
    monkeypatch.setattr(templates, "environment", lambda _: made)

    assert sqlrank.sql("runs", "qrels", metrics, by=["market"], summary=True) == text
    used = made.get_template("evaluate.sql")
    assert used.filename is not None
    assert Path(used.filename).parent == tmp_path


def test_no_statement_stands_in_python() -> None:
    for path in (Path(sqlrank.__file__).parent).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"[\"']\s*(select|with\s+\w+\s+as)\b[^\"']*\bfrom\b", text, re.IGNORECASE), path
