"""Macros in a session of DuckDB give what sqlrank gives, and stay in the file."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import request_of
from sqlrank.export.duckdb_macros import USUAL, MacroSet, measures_without_inputs, opened
from sqlrank.metrics.language import PLAIN, parse_measures
from sqlrank.metrics.measure import Metric
from tests.support.cases import arrow, random_data, rows_of, same
from tests.support.cli_helper import run_cli
from tests.support.tables import hold

RUN, QRELS = random_data(41)
RUN_TABLE = arrow(rows_of(RUN), "query_id", "doc_id", "score")
QRELS_TABLE = arrow(rows_of(QRELS), "query_id", "doc_id", "relevance")
NAMES = [measure.metric.name for measure in measures_without_inputs(PLAIN)]


@pytest.fixture(scope="module")
def session() -> Iterator[duckdb.DuckDBPyConnection]:
    """A session with a run, judgments and the macros, installed twice."""
    with duckdb.connect() as connection:
        connection.register("given_run", RUN_TABLE)
        connection.register("given_qrels", QRELS_TABLE)
        connection.execute("create schema search").fetchall()
        connection.execute("create table search.runs as from given_run").fetchall()
        connection.execute("create table judgments as from given_qrels").fetchall()
        for _ in range(2):
            connection.execute(sqlrank.macros(every=True)).fetchall()
        yield connection


def values(session: duckdb.DuckDBPyConnection, call: str) -> dict[str, Any]:
    """The value of each query that a call gives."""
    relation = session.sql(f"from {call} order by query_id")
    rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    return {row["query_id"]: row[relation.columns[-1]] for row in rows}


def arguments(metric: Metric) -> list[tuple[str, str]]:
    """Calls of a macro, and the metric that each is."""
    (measure,) = (measure for measure in measures_without_inputs(PLAIN) if measure.metric is metric)
    given = opened(measure)
    name = metric.name if str(given.k) in ("k", "None") else given.column
    cut = {"": "" if metric.cutoff != "required" else "@10", ", k := 3": "@3"}
    cutoffs = cut if str(given.k) == "k" else {"": f"@{given.k}" if given.k else ""}
    levels = {"": "", ", rel := 2": "(rel=2)"} if "rel" in metric.parameters else {"": ""}
    return [
        (f"rank_{name}('search.runs', 'judgments'{k}{rel})", f"{metric.name}{level}{cutoff}")
        for k, cutoff in cutoffs.items()
        for rel, level in levels.items()
    ]


QUERY_METRICS = [sqlrank.METRICS[name] for name in NAMES if sqlrank.METRICS[name].grain == "query"]


def test_a_macro_gives_the_values_of_the_evaluation(session: duckdb.DuckDBPyConnection) -> None:
    calls = {call: text for metric in QUERY_METRICS for call, text in arguments(metric)}
    with sqlrank.evaluate(RUN, QRELS, dict.fromkeys(calls.values()).keys()) as result:
        wanted = result.to_dict()

    def check(call: str) -> None:
        found, (measure,) = values(session, call), parse_measures(calls[call])
        assert found.keys() == wanted.keys()
        assert [query for query, row in wanted.items() if not same(found[query], row[measure.text])] == []

    hold(list(calls), check)


def test_a_macro_of_whole_systems_gives_the_value_of_the_evaluation(session: duckdb.DuckDBPyConnection) -> None:
    wanted = sqlrank.evaluate(RUN, QRELS, ["auc(rel=2)", "entropy@3"])
    for call, text in (("auc", "auc(rel=2)"), ("entropy", "entropy@3")):
        given = "rel := 2" if call == "auc" else "k := 3"
        ((value,),) = session.sql(f"select value from rank_{call}('search.runs', 'judgments', {given})").fetchall()
        assert value == pytest.approx(wanted[text], rel=1e-12)


def test_several_metrics_stand_side_by_side_and_have_a_summary(session: duckdb.DuckDBPyConnection) -> None:
    result = sqlrank.evaluate(RUN, QRELS)
    assert session.sql("from rank_metrics('search.runs', 'judgments')").columns == result.per_query.columns
    rows = session.sql("select metric, value, queries, stderr from rank_summary('search.runs', 'judgments')").fetchall()
    theirs = result.rows.select("metric, value, queries, stderr").fetchall()
    assert len(rows) == len(theirs) == 5
    for row, wanted in zip(sorted(rows), sorted(theirs), strict=True):
        assert row[0] == wanted[0]
        assert row[1:] == pytest.approx(wanted[1:], rel=1e-12)


def test_arguments_may_be_parameters_of_a_prepared_statement(session: duckdb.DuckDBPyConnection) -> None:
    sql = "select sum(p) from rank_p('search.runs', 'judgments', k := $k)"
    ((found,),) = session.execute(sql, {"k": 3}).fetchall()
    ((wanted,),) = session.execute("select sum(p) from rank_p('search.runs', 'judgments', k := 3)").fetchall()
    assert found == pytest.approx(wanted, rel=1e-12)


def test_relations_may_be_files_and_common_table_expressions(
    session: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = str(tmp_path / "run.parquet")
    session.table("search.runs").to_parquet(path)
    wanted = [
        pytest.approx(value, rel=1e-12) for value in values(session, "rank_ap('search.runs', 'judgments')").values()
    ]
    assert list(values(session, f"rank_ap('{path}', 'judgments')").values()) == wanted
    common = "with mine as (from search.runs) select ap from rank_ap('mine', 'judgments') order by query_id"
    assert len(session.sql(common).fetchall()) == len(wanted)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("rank_gain(3)", 3),
        ("rank_gain(-1)", 0),
        ("rank_gain(3, gain := 'exp2')", 7),
        ("rank_gain(3, gain := 'binary')", 1),
        ("rank_gain(null)", None),
        ("rank_discount(3)", 0.5),
        ("rank_discount(2, discount := 'letor')", 1),
        ("rank_discount(4, discount := 'letor')", 0.5),
        ("rank_discount(1, discount := 'none')", 1),
        ("rank_discount(1, discount := 'ln')", 1.4426950408889634),
    ],
)
def test_helpers_weigh_one_document(session: duckdb.DuckDBPyConnection, call: str, value: float | None) -> None:
    (row,) = session.sql(f"select {call}").fetchall()
    assert row[0] == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize("call", ["rank_gain(1, gain := 'exp')", "rank_discount(1, discount := 'log')"])
def test_a_helper_refuses_a_word_it_does_not_know(session: duckdb.DuckDBPyConnection, call: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=", not "):
        session.sql(f"select {call}").fetchall()


def test_macros_stay_in_a_file_that_another_process_opens(tmp_path: Path) -> None:
    path = str(tmp_path / "search.duckdb")
    text = run_cli("macros").out
    with duckdb.connect(path) as connection:
        connection.register("given_run", RUN_TABLE)
        connection.register("given_qrels", QRELS_TABLE)
        connection.execute("create table runs as from given_run").fetchall()
        connection.execute("create table judgments as from given_qrels").fetchall()
        for _ in range(2):
            connection.execute(text).fetchall()
    script = (
        "import duckdb, sys\n"
        "with duckdb.connect(sys.argv[1]) as connection:\n"
        "    sql = \"select avg(ndcg) from rank_ndcg('runs', 'judgments', k := 10)\"\n"
        "    print(repr(connection.sql(sql).fetchall()[0][0]))\n"
        "    print(len(connection.sql(\"from rank_metrics('runs', 'judgments')\").fetchall()))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    value, count = done.stdout.split()
    result = sqlrank.evaluate(RUN, QRELS, "ndcg@10")
    assert float(value) == pytest.approx(result["ndcg@10"], rel=1e-12)
    assert int(count) == len(QRELS)


def test_metrics_asked_for_are_the_only_macros_and_keep_their_parameters() -> None:
    text = run_cli("macros", "-m", "ndcg(gain=exp2)@5", "-m", "ap(rel=2)", "-m", "sdcg@7", "--ties", "doc-asc").out
    heads = re.findall(r"create or replace macro (\w+)\((run.*?)\) as table", text)
    assert heads == [
        ("rank_ndcg_gain_exp2", "run, qrels, k := 5"),
        ("rank_ap_rel2", "run, qrels, k := 2147483647"),
        ("rank_sdcg_at_7", "run, qrels"),
        ("rank_metrics", "run, qrels"),
        ("rank_summary", "run, qrels"),
    ]
    assert "ties=doc-asc" in text
    with duckdb.connect() as connection:
        connection.register("runs", RUN_TABLE)
        connection.register("judgments", QRELS_TABLE)
        connection.execute(text).fetchall()
        found = connection.sql("select avg(ndcg_gain_exp2) from rank_ndcg_gain_exp2('runs', 'judgments')").fetchall()
    result = sqlrank.evaluate(RUN, QRELS, "ndcg(gain=exp2)@5", ties="doc-asc")
    assert found[0][0] == pytest.approx(result["ndcg(gain=exp2)@5"], rel=1e-12)


def test_columns_of_other_names_are_told_once() -> None:
    text = sqlrank.macros("p@1", columns={"run.query_id": "it's", "doc_id": "item", "system": "variant"})
    with duckdb.connect() as connection:
        connection.execute("create table r as select 1 as variant, 'q' as \"it's\", 2 as item, 0.5 as score").fetchall()
        connection.execute("create table j as select 'q' as query_id, 2 as item, 1 as relevance").fetchall()
        connection.execute(text).fetchall()
        assert connection.sql("from rank_p('r', 'j')").fetchall() == [("1", "q", 1.0)]


def macros_of(text: str) -> set[str]:
    """The names of the macros of a run and judgments."""
    return set(re.findall(r'create or replace macro "?([^"(]+)"?\(run, qrels', text))


def test_a_dozen_macros_are_made_unless_others_are_asked_for() -> None:
    usual, every = run_cli("macros").out, run_cli("macros", "--all").out
    together = {"rank_metrics", "rank_summary"}
    assert macros_of(usual) == {f"rank_{name}" for name in USUAL} | together
    assert len(usual.encode()) <= 60_000
    assert {name.partition("_at_")[0] for name in macros_of(every)} >= {f"rank_{name}" for name in NAMES} | together


@pytest.mark.parametrize("prefix", ["", "ir_", 'it\'s "so" '])
def test_a_prefix_begins_every_name(prefix: str) -> None:
    text = run_cli("macros", "-m", "ndcg@10", "--prefix", prefix).out
    with duckdb.connect() as connection:
        connection.register("given_run", RUN_TABLE)
        connection.register("given_qrels", QRELS_TABLE)
        connection.execute(text).fetchall()
        quoted = '"' + f"{prefix}ndcg".replace('"', '""') + '"'
        found = connection.sql(f"select avg(ndcg) from {quoted}('given_run', 'given_qrels')").fetchall()
        made = connection.sql("select distinct function_name from duckdb_functions() where not internal").fetchall()
    assert found[0][0] == pytest.approx(sqlrank.evaluate(RUN, QRELS, "ndcg@10")["ndcg@10"], rel=1e-12)
    names = ("ndcg", "metrics", "summary", "gain", "discount", "checked_run", "checked_judgments")
    assert {name for (name,) in made} == {prefix + name for name in names}


def test_a_condition_may_read_a_column_that_no_metric_reads() -> None:
    with duckdb.connect() as connection:
        for name, value in (("r", "0.5::double as score"), ("j", "1 as relevance")):
            connection.execute(f"create table {name} as select 'q' as query_id, 'd' as doc_id, {value}").fetchall()
        connection.execute("create table runs as select *, 'us' as country from r").fetchall()
        elsewhere = "query_id, doc_id, 'nan'::double as score, 'de' as country"
        connection.execute(f"insert into runs select {elsewhere} from r").fetchall()
        connection.execute(sqlrank.macros("p@1", where="country = 'us'")).fetchall()
        assert connection.sql("select p from rank_p('runs', 'j')").fetchall() == [(1.0,)]


@pytest.mark.parametrize(
    ("asked", "options", "message"),
    [
        ("ild@10", {}, "a macro reads a run and judgments alone; take the statement: sqlrank sql --items"),
        ("novelty@10", {}, "a macro reads a run and judgments alone; take the statement: sqlrank sql --history"),
        ("coverage@10", {}, "sqlrank sql --items"),
        ("ap", {"by": "country"}, "by=: a macro gives a row for each query"),
        ("ap", {"weight": "traffic"}, "weight=: a macro gives a row for each query"),
        ("ap", {"ties": "input"}, "ties='input' needs a look at the rows"),
        ("ap", {"encoding": "latin-1"}, "encoding= needs a look at the rows"),
        ("ap", {"header": False}, "header=False needs a look at the rows"),
    ],
)
def test_what_a_macro_cannot_do_is_refused(asked: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        sqlrank.macros(asked, **options)


def test_every_macro_says_what_it_is() -> None:
    request = request_of("ndcg@10", {})
    macro = MacroSet(request, "rank_").of_measure(request.measures[0])
    assert macro.name == "rank_ndcg"
    assert macro.title == sqlrank.METRICS["ndcg"].title
    assert macro.arguments == ({"name": "k", "value": 10},)
