"""The statement is the product: a dozen of them are held as files, worth reading."""

from __future__ import annotations

import re
import shlex
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlrank
from tests.statements import GOLDEN, REQUESTS, TWINS, below_command, golden, statement
from tests.support.cli_helper import completed
from tests.support.tables import hold


@pytest.mark.parametrize("name", REQUESTS)
def test_the_statement_is_the_golden_one(name: str) -> None:
    held = (GOLDEN / f"{name}.sql").read_text(encoding="utf-8")
    assert golden(name) == held, "if it is meant: python -m tests.statements, and read the difference"
    assert below_command(name) == below_command(TWINS.get(name, name))


def test_every_golden_file_belongs_to_a_request() -> None:
    assert {path.stem for path in GOLDEN.glob("*.sql")} == set(REQUESTS)


@pytest.mark.parametrize("name", REQUESTS)
def test_the_statement_reads_as_if_written_by_hand(name: str) -> None:
    text = statement(name)
    assert "\n\n\n" not in text
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)
    assert not re.search(r"select \*|::|\bqualify\b|(?<!list\(rank\) )filter \(where", text)
    assert text.endswith("\n")


@pytest.mark.parametrize("name", [name for name, (*_, options) in REQUESTS.items() if "dialect" not in options])
def test_the_statement_runs_in_a_bare_session(name: str) -> None:
    with duckdb.connect() as connection:
        for setup in (
            "create schema ranker",
            "create schema exports",
            "create table ranker.results as "
            "select *, [{'id': 'd'}] as hits, [1] as scores, 'd | e' as doc_texts "
            "from (values ('a', 'q', 'd', 1.0, 'de', 1, 'us', 2, 'u', 3, 'i', 's')) as t"
            "(variant, query_id, doc_id, score, market, rank, country, ds, user_id, date, item_id, shop)",
            "create table clicks as select 'u' as query_id, 'd' as doc_id",
            "create table goods as select 'd' as doc_id, 'x' as category",
            "create table judgments as select *, 2 as relevance "
            "from (values ('q', 'd', 'u', 3, 'i', 's')) "
            "as t(query_id, doc_id, uid, date, item_id, shop)",
            "create table exports.shown as select *, 2 as relevance from (values ('q', 'd', 1.0, 'q', 's', 1, 'de')) "
            "as t(query_id, doc_id, score, query, session, place, country)",
            "create table queries as select 'q' as query_id, 'de' as country, 5 as traffic",
        ):
            connection.execute(setup).fetchall()
        rows = connection.execute(statement(name)).fetchall()
        assert len(rows) == 0 if name == "findings" else len(rows) >= 1


def test_columns_nobody_asked_for_are_not_computed() -> None:
    text = sqlrank.sql("ranker.results", "judgments", ["p@10"])
    assert "discount" not in text
    assert "ideal_gain" not in text
    assert "precision_at_hit" not in text
    assert "hits" not in text


def test_a_shared_column_stands_once() -> None:
    text = sqlrank.sql("ranker.results", "judgments", ["ap", "ap@10", "ap@20", "yaap"])
    assert "over (" not in text.replace("row_number() over (", "")
    text = sqlrank.sql("ranker.results", "judgments", ["ap", "ap@10", "ap@20", "yaap"], dialect="postgres")
    assert text.count(") as hits") == 1
    text = sqlrank.sql("ranker.results", "judgments", ["ndcg@10", "ndcg@10", "ideal_dcg@10", "ndcg@5"])
    assert text.count("as best_dcg_at_10") == 1
    assert text.count("max(struct_pack(score := ") == 1
    assert "row_number()" not in text
    assert text.count("max(relevance, 10)") == 1
    assert text.count("list_sum(gains") == 2


@pytest.mark.parametrize(("metrics", "lines"), [(["ndcg@10"], 45), (["ndcg@10", "ap"], 70)])
def test_a_simple_request_has_a_short_statement(metrics: list[str], lines: int) -> None:
    text = sqlrank.sql("runs", "qrels", metrics)
    assert len(text.splitlines()) <= lines
    assert not re.search(r"\bnull as\b|\b0 as\b|' as \w+", text)
    assert not re.search(r"cast\(\w+\(", text)


def test_the_header_gives_the_command_that_prints_the_statement_again() -> None:
    options: dict[str, Any] = {"rel": 2, "ties": "worst", "by": ["market", "it's"], "columns": {"doc_id": "url"}}
    text = sqlrank.sql("exports.runs", "qrels", ["ndcg@5,10", "ap(rel=3)"], dialect="postgres", summary=True, **options)
    command = re.search(r"-- sqlrank \S+: (sqlrank .*)", text)
    assert command is not None
    assert completed(*shlex.split(command[1])[1:]).out == text


@pytest.mark.parametrize(
    ("metric", "options", "said"),
    [
        (
            "ndcg@10",
            {},
            "ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant",
        ),
        ("p@5", {"order": "rank"}, "rel=1, order=rank, query-set=judged, empty=zero, unjudged=nonrelevant"),
        ("ndcg@10", {"order": "rank", "duplicates": "best"}, "unjudged=nonrelevant, duplicates=best"),
        ("ndcg@10", {"order": "rank", "judgments": "max"}, "unjudged=nonrelevant, judgments=max"),
    ],
)
def test_the_header_names_the_conventions_that_it_follows(metric: str, options: dict[str, Any], said: str) -> None:
    header = [
        line for line in sqlrank.sql("runs", "qrels", metric, **options).splitlines() if line.startswith("-- with")
    ]
    assert header[0].endswith(said)
    assert not re.search("error|collapse", header[0])
    assert ("rel=" in header[0]) == (metric == "p@5")


@pytest.mark.parametrize("name", [name for name, request in REQUESTS.items() if "dialect" not in request[2]])
def test_every_header_gives_a_command_that_the_command_line_takes(name: str) -> None:
    text = statement(name)
    command = re.search(r"-- sqlrank \S+: (sqlrank .*)", text)
    assert command is not None
    assert completed(*shlex.split(command[1])[1:]).out == text


RECURSIVE = ["alpha_ndcg@3", "alpha_ndcg(alpha=0.3)@2", "nerr_ia@3", "nnrbp"]
"""Metrics below whose recursive step DuckDB takes the types of a union from its first branch: 1.25 becomes 1."""


def steps_of(text: str) -> dict[str, str]:
    """The steps of a statement by name."""
    step = r"^(?:with (?:recursive )?)?(\w+) as (?:not materialized )?\(\n(.*?)^\)"
    return dict(re.findall(step, text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("metric", RECURSIVE)
@pytest.mark.parametrize("columns", [{}, {"system": "variant"}])
def test_first_branch_of_a_union_below_a_recursive_step_states_its_types(metric: str, columns: dict[str, str]) -> None:
    asked = [metric, "rbp", "ap", "utility", "err@3", "rbp_resid"]
    text = sqlrank.sql("ranker.results", "judgments", asked, columns=columns)
    steps = steps_of(text)
    unions = {name: body for name, body in steps.items() if "union all" in body}
    assert "with recursive" in text
    assert text.count("union all") == sum(body.count("union all") for body in unions.values())
    for name, body in unions.items():
        first, *others = body.split("union all")
        if not re.search(rf"\bfrom {name}\b", body):
            assert not re.findall(r"^\s*(?:\d+|null) as (?!place\b)\w+", first, re.MULTILINE), name
        assert others


@pytest.mark.parametrize("recursive", RECURSIVE)
def test_metric_below_a_recursive_step_has_the_value_it_has_alone(recursive: str) -> None:
    run = {"q": {"a": 4.0, "b": 3.0, "c": 3.0, "d": 1.0}, "p": {"a": 1.0}}
    rows = [("q", "a", 1.25), ("q", "c", 0.75), ("q", "d", 0.3), ("p", "a", 0.25), ("r", "a", 1.5)]
    judged = pa.table({
        "query_id": [row[0] for row in rows],
        "doc_id": [row[1] for row in rows],
        "relevance": [row[2] for row in rows],
        "subtopic": ["1" for _ in rows],
    })  # fmt: skip
    fractional = ["rbp", "err@3", "nerr9@2", "rbp(grade=binary)@2", "ndcg", "g", "utility(fp=-0.25)", "rbp_resid"]
    others = [*fractional, "compat(p=0.5)", "sdcg@2", "p@3"]
    alone = sqlrank.evaluate(run, judged, others)
    for metric in others:
        together = sqlrank.evaluate(run, judged, [metric, recursive])[metric]
        assert together == pytest.approx(alone[metric], rel=1e-14), metric


SESSIONS = {
    "default_null_order": ["nulls_first", "nulls_first_on_asc_last_on_desc"],
    "default_order": ["'desc'"],
    "integer_division": ["true"],
    "ieee_floating_point_ops": ["false"],
    "TimeZone": ["'Asia/Tokyo'"],
    "scalar_subquery_error_on_multiple_rows": ["false"],
    "order_by_non_integer_literal": ["true"],
    "preserve_insertion_order": ["false"],
    "preserve_identifier_case": ["uppercase", "lowercase"],
}
"""The settings of DuckDB that can change what SQL means; others are of memory, files and logs.

Without the optimizer macros stop with an error."""
REFUSED = {"default_order": "'desc'", "integer_division": "true", "default_collation": "nocase"}
"""Those in whose session an evaluation stops: SQL of the caller, or comparisons of ids, mean something else there."""
IN_SESSIONS: dict[str, dict[str, Any]] = {
    "values": {
        "metrics": ["ndcg@5", "ap", "ap@3", "rr", "p@2", "recall@5", "err@5", "bpref", "infap", "gauc", "q_measure"]
    },
    "means": {"metrics": ["ndcg@5", "p@2"], "summary": True, "by": ["market"]},
    "ties": {"metrics": ["p@2", "recall@5"], "ties": "average"},
    "removed": {"metrics": ["ap", "p@2"], "unjudged": "remove"},
    "systems": {"metrics": ["auc", "personalization@5"]},
    "check": {"metrics": ["ndcg@5"], "check": True},
}
ROWS = """
    create table runs as
    select 'ab'[1 + s] as system, 'q' || q as query_id, 'd' || d as doc_id, d * (s + q) % 5 as score,
        if(q % 2 = 0, 'de', null) as market
    from range(2) as a(s), range(5) as b(q), range(7) as c(d);
    create table judged as
    select 'q' || q as query_id, 'd' || d as doc_id, (d * q + 1) % 4 as relevance
    from range(6) as a(q), range(6) as b(d)
"""


def test_no_setting_of_a_session_changes_a_statement() -> None:
    macros = sqlrank.macros(["ndcg@3", "ap", "p@2", "rr"], columns={})
    texts = [sqlrank.sql("runs", "judged", columns={"system": "system"}, **asked) for asked in IN_SESSIONS.values()]
    texts += [f"from rank_{name}('one', 'judged')" for name in ("ndcg", "ap", "p", "rr", "metrics", "summary")]

    def answers(setting: str = "") -> list[Any]:
        with duckdb.connect() as connection:
            connection.execute(f"{ROWS}; create view one as from runs where system = 'a'; {setting}; {macros}")
            found = [connection.execute(text).fetchall() for text in texts]
            numbers = [[[round(x, 9) if isinstance(x, float) else x for x in row] for row in rows] for rows in found]
            return [sorted(map(repr, rows)) for rows in numbers]

    wanted = answers()
    hold(
        [f"set {name} = {value}" for name, values in SESSIONS.items() for value in values],
        lambda setting: equal(answers(setting), wanted),
    )


def equal(found: Any, wanted: Any) -> None:
    """Fail where two things differ."""
    assert found == wanted


@pytest.mark.parametrize("name", REFUSED)
def test_an_evaluation_refuses_a_session_in_which_sql_means_something_else(name: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"{ROWS}; set {name} = {REFUSED[name]}")
        with pytest.raises(sqlrank.UsageError, match=f"has {name} = .*: reset {name} on it"):
            sqlrank.evaluate(connection.table("runs"), connection.table("judged"), "p@2", connection=connection)
