"""A macro gives no number where the rows or its arguments are not what it counts on: it ends with an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import TypeVar

import duckdb
import pytest

import sqlrank
from sqlrank.evaluation.request import request_of
from sqlrank.export.duckdb_macros import MacroSet, measures_without_inputs
from sqlrank.metrics.language import PLAIN
from sqlrank.statement.renamed_steps import steps_of
from tests.support.tables import hold

T = TypeVar("T")

ROWS = "(values ('q1', 'a', 3.0), ('q1', 'b', 2.0), ('q1', 'c', 1.0), ('q2', 'a', 1.0)) as rows(query_id, doc_id, {0})"
CHANGES = {
    "plain": "from {1}",
    "twice": "from {1} union all from (values ('q1', 'a', 0.5))",
    "nan": "select * replace (case when doc_id = 'b' then 'nan'::double else {0} end as {0}) from {1}",
    "infinite": "select * replace (case when doc_id = 'b' then '-inf'::double else {0} end as {0}) from {1}",
    "without_query": "select * replace (nullif(query_id, 'q2') as query_id) from {1}",
    "without_document": "select * replace (nullif(doc_id, 'b') as doc_id) from {1}",
    "empty": "from {1} where false",
}
REFUSED = {
    "twice": "a document appears more than once in the {} of query q1",
    "without_query": "a query_id of the {} is null",
    "without_document": "a doc_id of the {} is null",
}
NUMBERS = {"nan": "nan", "infinite": "-inf"}
SETTLED = request_of(None, {})
MACROS = {
    macro.name: {argument["name"] for argument in macro.arguments}
    for macro in map(MacroSet(SETTLED, "rank_").of_measure, measures_without_inputs(PLAIN))
} | {"rank_metrics": set(), "rank_summary": set()}


@pytest.fixture(scope="module")
def session() -> Iterator[duckdb.DuckDBPyConnection]:
    """A session with the macros, and with rows of every kind as tables and in Parquet files."""
    with duckdb.connect() as connection:
        for table, number in (("run", "score"), ("qrels", "relevance")):
            for name, change in CHANGES.items():
                select = change.format(number, ROWS.format(number))
                connection.execute(f"create table {table}_{name} as {select}").fetchall()
        connection.execute(sqlrank.macros(every=True)).fetchall()
        yield connection


def refused(session: duckdb.DuckDBPyConnection, call: str, text: str) -> None:
    with pytest.raises(duckdb.Error, match=text):
        session.sql(f"from {call}").fetchall()


RUN_AND_JUDGMENTS = {
    **{(f"run_{change}", "qrels_plain"): text.format("run") for change, text in REFUSED.items()},
    **{("run_plain", f"qrels_{change}"): text.format("judgments") for change, text in REFUSED.items()},
    **{(f"run_{change}", "qrels_plain"): f"the score of query q1 .* b is {value}" for change, value in NUMBERS.items()},
    **{
        ("run_plain", f"qrels_{change}"): f"the relevance of query q1 .* b is {value}"
        for change, value in NUMBERS.items()
    },
    ("qrels_plain", "qrels_plain"): "qrels_plain has no column score",
    ("run_plain", "run_empty"): "run_empty has no column relevance",
}
"""What a macro refuses of its two relations, and what it says."""
SEVERAL = ("rank_ndcg", "rank_metrics", "rank_summary")
"""The macros that are asked every refusal: one of each shape. The checks of all are the same text."""


def by_turns(macros: Iterable[str], rows: Iterable[T], each: int) -> list[tuple[str, T]]:
    """Each macro with some of the rows, so that all rows are asked of many; those of each shape with all rows."""
    known = list(rows)
    return [
        (macro, known[(each * place + more) % len(known)])
        for place, macro in enumerate(macros)
        for more in range(len(known) if macro in SEVERAL else each)
    ]


def test_a_macro_refuses_rows_that_it_cannot_count_on(session: duckdb.DuckDBPyConnection) -> None:
    def check(case: tuple[str, tuple[str, str]]) -> None:
        macro, (run, judgments) = case
        refused(session, f"{macro}('{run}', '{judgments}')", RUN_AND_JUDGMENTS[run, judgments])

    hold(by_turns(MACROS, RUN_AND_JUDGMENTS, 3), check)
    hold(MACROS.keys(), lambda macro: session.sql(f"from {macro}('run_plain', 'qrels_plain')").fetchall())


@pytest.mark.parametrize(
    ("argument", "values", "wanted"),
    [
        ("k", ["0", "-3", "null", "2.5", "'nan'::double", "'inf'::double"], "k must be a whole number from 1 on, not "),
        ("rel", ["null", "'nan'::double", "'-inf'::double"], "rel must be a finite number, not "),
    ],
)
def test_an_argument_is_a_number_that_it_can_be(
    session: duckdb.DuckDBPyConnection, argument: str, values: list[str], wanted: str
) -> None:
    def check(case: tuple[str, tuple[str, str]]) -> None:
        macro, (run, value) = case
        refused(session, f"{macro}('{run}', 'qrels_plain', {argument} := {value})", wanted)

    macros = [name for name, arguments in MACROS.items() if argument in arguments]
    hold(by_turns(macros, product(("run_plain", "run_empty"), values), 2), check)


@pytest.mark.parametrize("names", ["null, 'qrels_plain'", "'run_plain', null", "'nowhere', 'qrels_plain'"])
def test_relations_are_named_and_there(session: duckdb.DuckDBPyConnection, names: str) -> None:
    refused(session, f"rank_ndcg({names})", "NULL|nowhere does not exist")


def test_a_parquet_file_whose_statistics_leave_out_nan_is_refused(
    session: duckdb.DuckDBPyConnection, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = str(tmp_path_factory.mktemp("macros") / "run.parquet")
    session.table("run_nan").to_parquet(path)
    refused(session, f"rank_ndcg('{path}', 'qrels_plain')", "the score of query q1 and document b is nan")


def test_scores_of_single_precision_are_looked_at_too(session: duckdb.DuckDBPyConnection) -> None:
    with duckdb.connect() as connection:
        for name in ("run_nan", "qrels_plain"):
            connection.register(name, session.table(name).to_arrow_table())
        connection.execute(sqlrank.macros("ndcg", score_type="float")).fetchall()
        refused(connection, "rank_ndcg('run_nan', 'qrels_plain')", "the score of query q1 and document b is nan")


def test_copies_that_a_convention_settles_are_not_refused() -> None:
    with duckdb.connect() as connection:
        for table, number in (("run", "score"), ("qrels", "relevance")):
            select = CHANGES["twice"].format(number, ROWS.format(number))
            connection.execute(f"create table {table}_twice as {select}").fetchall()
        connection.execute(sqlrank.macros("ndcg", duplicates="best", judgments="max")).fetchall()
        assert connection.sql("select ndcg from rank_ndcg('run_twice', 'qrels_twice')").fetchall() == [(1.0,), (1.0,)]


@pytest.mark.parametrize("metric", ["ndcg", "alpha_ndcg@3"])
def test_judgments_may_be_called_as_a_step_of_the_macro(metric: str) -> None:
    text = sqlrank.macros(metric)
    (macro,) = re.findall(rf"macro (rank_{metric.partition('@')[0]}\w*)\(run", text)
    with duckdb.connect() as connection:
        connection.execute("create table runs as select 'q' as query_id, 'd' as doc_id, 1.0 as score").fetchall()
        connection.execute(text).fetchall()
        for step in steps_of(text) | {step.removeprefix("sqlrank_") for step in steps_of(text)}:
            if step.startswith("sqlrank_"):
                continue  # names of ours
            judged = "'q' as query_id, 'd' as doc_id, 1 as relevance, 's' as subtopic"
            connection.execute(f"create table {step} as select {judged}").fetchall()
            assert [row[-1] for row in connection.sql(f"from {macro}('runs', '{step}')").fetchall()] == [1.0]
