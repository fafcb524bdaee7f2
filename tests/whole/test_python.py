"""Frames, relations, dictionaries and connections in Python give the values of files."""

from __future__ import annotations

import pickle
import re
import threading
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pytest

import sqlrank
import sqlrank.log
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import (
    EXPECTED,
    FORMS,
    QRELS,
    QRELS_NAMES,
    RUN,
    RUN_NAMES,
    SEGMENTS,
    TEXTS,
    ap_and_rr,
    as_pairs,
    assert_right,
    frame,
    write_both,
    write_csv,
)
from tests.support.tables import each, hold


@each(zip(FORMS, cycle(["pandas", "arrow reader", "dict", "text"])))
def test_every_form_of_data_gives_the_same_values(case: tuple[str, str]) -> None:
    """The forms of judgments by turns: each input is read on its own."""

    run_form, qrels_form = case
    run, qrels = FORMS[run_form](RUN_NAMES, RUN), FORMS[qrels_form](QRELS_NAMES, QRELS)
    with sqlrank.evaluate(run, qrels, ["ap", "rr"]) as result:
        assert {metric: result[metric] for metric in EXPECTED} == pytest.approx(EXPECTED, rel=1e-14)
        assert result.to_dict()["q1"] == pytest.approx({"ap": 7 / 18, "rr": 0.5}, rel=1e-14)


@each(["pandas", "polars", "polars lazy", "arrow table", "arrow reader", "dict"])
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


@each(
    [
        ({}, "give one run"),
        ({"run": "a.csv", "systems": {"a": "b.csv"}}, "give one run"),
        ({"run": []}, "the list of runs is empty"),
        ({"run": ["run.csv", "run.csv"]}, "two systems are called 'run'"),
        ({"run": "run.csv", "colour": 1}, "evaluate has no option 'colour'"),
        ({"run": "run.csv", "tie": "best"}, "did you mean ties"),
        ({"run": "run.csv", "ties": "bset"}, "did you mean best"),
        ({"run": "run.csv", "metrics": "ndgc@10"}, "did you mean ndcg"),
        ({"run": "run.csv", "metrics": []}, "no metric"),
        ({"run": 7}, "cannot be read"),
        ({"run": object()}, "cannot be read"),
    ]
)
def test_a_wrong_call_is_a_usage_error_that_says_why(case: tuple[Any, str]) -> None:
    arguments, word = case
    write_both()
    with pytest.raises(sqlrank.UsageError, match=word):
        sqlrank.evaluate(**({"qrels": "qrels.csv"} | arguments))


PAIRS = {"q1": {"d1": 1}}


@each(
    [
        (sqlrank.evaluate, [PAIRS, PAIRS], "sysems", "no option 'sysems'; did you mean systems?"),
        (sqlrank.evaluate, [PAIRS, PAIRS], "thread", "no option 'thread'; did you mean threads?"),
        (sqlrank.compare, [PAIRS, PAIRS], "coumns", "no option 'coumns'; did you mean columns?"),
        (sqlrank.sql, ["a", "b"], "dialct", "no option 'dialct'; did you mean dialect?"),
        (sqlrank.inspect, ["run.csv"], "qrel", "no option 'qrel'; did you mean qrels?"),
        (sqlrank.log.judgments, ["log.csv"], "metod", "no option 'metod'; did you mean method?"),
        (sqlrank.Evaluator, [PAIRS, ["rr"]], "thread", "no option 'thread'; did you mean threads?"),
        (sqlrank.Evaluator, [PAIRS, ["rr"]], "tie", "no option 'tie'; did you mean ties?"),
    ]
)
def test_an_option_that_there_is_not_is_told_with_the_nearest_argument(case: Any) -> None:
    call, inputs, option, said = case
    with pytest.raises(sqlrank.UsageError, match=re.escape(said)) as raised:
        call(*inputs, **{option: "x"})
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@each([{"q1": 7}, {"q1": {"d1": "high"}}, {"q1": ["d1"]}, {"q1": {"d1": [1]}}])
def test_a_dictionary_of_another_shape_is_an_error_that_shows_the_shape(run: Any) -> None:
    with pytest.raises(sqlrank.DataError, match=r"query: \{document: number\}"):
        sqlrank.evaluate(run, as_pairs(QRELS), "rr")


@each([{}, {"q1": {}}, pandas.DataFrame(frame(RUN_NAMES, []))])
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


@each(["pandas", "arrow reader", "dict", "text", "relation"])
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


@each(list(FORMS))
def test_every_form_of_data_can_be_filtered(form: str) -> None:
    run, qrels = FORMS[form](RUN_NAMES, RUN), FORMS[form](QRELS_NAMES, QRELS)
    with sqlrank.evaluate(run, qrels, ["rr"], where="doc_id <> 'd1'") as result:
        assert result["rr"] == pytest.approx(2 / 3, rel=1e-14)


def test_a_text_is_compared_alike_in_every_form() -> None:
    write_csv("qrels.csv", QRELS_NAMES, QRELS)

    def check(form: str) -> None:
        suffix, text = TEXTS[form]
        Path(f"run{suffix}").write_text(text(RUN_NAMES, RUN))
        for where, rr in (("doc_id <> 'd1'", "0.666666666667"), ("doc_id = 'd2' or query_id = 'q2'", "0.5")):
            asked = ("--qrels", "qrels.csv", "--where", where, "-m", "rr", "--format", "csv")
            assert completed("eval", f"run{suffix}", *asked).values == {("run", "rr"): rr}

    hold(["csv", "tsv", "jsonl", "json list", "trec"], check)


def test_a_passed_connection_is_left_as_it_was_by_an_error() -> None:
    with duckdb.connect() as connection:
        before = objects_of(connection)
        run = pandas.DataFrame(frame(RUN_NAMES, [*RUN, RUN[0]]))
        with pytest.raises(sqlrank.DataError, match=r"appears more than once"):
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
    assert "trec_eval's conventions (.remarks() has more)" in repr(result)
    assert any("query-set=judged" in line for line in result.remarks())


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

    said = error_of(3, "eval", "run.csv")
    assert "label and rating may both be the relevance; name it with --column relevance=label" in said


def test_what_is_printed_holds_the_metrics_and_the_documents() -> None:
    example = Path(__file__).resolve().parents[2] / "fixtures" / "search"
    with sqlrank.evaluate(
        str(example / "keyword.parquet"),
        str(example / "qrels.parquet"),
        ["rr", "ndcg@10"],
        queries=str(example / "queries.parquet"),
        by=["country", "device"],
    ) as result:
        for name in ("metric", "value", "country", "device"):
            assert name in repr(result).splitlines()[0].split()
        explained = result.explain("q0003")
        assert " doc_id " in repr(explained)
        assert " contribution " in repr(explained)
        assert "value" in dir(result)
        assert len([name for name in dir(result) if name[0] != "_"]) <= 40


def test_the_worst_queries_are_those_with_the_smallest_values() -> None:
    run = {f"q{number}": {"a": 1.0, "b": float(number)} for number in range(4)}
    qrels = {query: {"b": 1} for query in run}
    with sqlrank.evaluate(systems={"x": run, "y": run}, qrels=qrels, metrics=["rr", "auc"]) as result:
        assert result.worst(1).fetchall() == [("x", "q0", 0.5), ("y", "q0", 0.5)]
        assert result.worst(2, "rr", system="y").columns == ["system", "query_id", "rr"]
        for wrong in ({"n": 0}, {"metric": "auc"}, {"system": "z"}, {"metric": "ap"}):
            with pytest.raises(sqlrank.UsageError):
                result.worst(**wrong)
