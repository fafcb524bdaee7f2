"""Metrics of what is shown need no judgments: then the queries are those of the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from tests.metrics.test_recommender import CASES, INPUTS, RUN, WHOLE
from tests.support.cases import arrow, assert_same, rows_of, same, texts
from tests.support.cli_helper import completed, run_cli
from tests.support.small_data import write_csv
from tests.support.tables import each

SHOWN = {"u1": {"1": 2.0, "2": 1.0}, "u2": {"2": 2.0, "9": 1.0}, "u3": {"1": 1.0}}
HISTORY = arrow([("h1", "1"), ("h2", "1"), ("h3", "2")], "query_id", "doc_id")
CATALOGUE = arrow([("1", "a"), ("2", "a"), ("3", "b")], "doc_id", "category")
EVERYTHING = [*texts(WHOLE), *texts(CASES)]
EMPTY_JUDGMENTS = {query: {"nothing that is shown": 1.0} for query in RUN}


def test_means_are_over_the_queries_of_the_run() -> None:
    expected = {
        "popularity@2": (1.5 + 0.5 + 2.0) / 3,
        "coverage@2": 2 / 3,
        "coverage@1": 2 / 3,
        "gini(over=shown)@1": 1 / 3,
        "personalization@1": 2 / 3,
        "diversity@2": (0 + 1 + 0) / 3,
        "num_ret": 5,
    }
    with sqlrank.evaluate(SHOWN, None, [*expected], history=HISTORY, items=CATALOGUE) as result:
        assert {row["metric"]: row["value"] for row in result.to_dicts()} == pytest.approx(expected, abs=1e-12)
        assert result.conventions.query_set == "run"
        assert "3 queries with results, without judgments" in result.remarks()
        assert set(result.inputs) <= {"run", "history", "items"}


@pytest.mark.parametrize("conventions", [{}, {"ties": "doc-asc", "depth": 2, "order": "asc", "duplicates": "best"}])
def test_values_are_those_of_a_query_set_run_with_any_judgments(conventions: dict[str, Any]) -> None:
    alone = sqlrank.evaluate(RUN, None, EVERYTHING, **INPUTS, **conventions)
    judged = sqlrank.evaluate(RUN, EMPTY_JUDGMENTS, EVERYTHING, query_set="run", **INPUTS, **conventions)

    for measure in alone.measures:
        assert same(alone[measure.text], judged[measure.text]), measure.text
    assert_same(alone.to_dict(), judged.to_dict(), list(next(iter(judged.to_dict().values()))))
    assert alone.remarks()[0] == judged.remarks()[0]


def test_systems_segments_and_weights_divide_them() -> None:
    rows = [
        ("one", "u1", "1", 1.0, "de", 1.0), ("one", "u2", "2", 1.0, "fr", 3.0), ("two", "u1", "9", 1.0, "de", 1.0)
    ]  # fmt: skip
    run = arrow(rows, "system", "query_id", "doc_id", "score", "market", "weight")

    asked: dict[str, Any] = {"history": HISTORY, "items": CATALOGUE, "by": "market", "weight": "weight"}
    with sqlrank.evaluate(run, None, ["popularity@1", "coverage@1"], **asked) as result:
        assert result.value("popularity@1", system="one") == (2 * 1 + 1 * 3) / 4
        assert result.value("popularity@1", system="one", market="fr") == 1
        assert result.value("popularity@1", system="two") == 0
        assert result.value("coverage@1", system="one", market="de") == 1 / 3
        assert result.value("coverage@1", system="two") == 0
        assert len(result.per_query.fetchall()) == 3


def test_statement_gives_the_same_rows() -> None:
    with duckdb.connect() as session:
        session.register("shown", arrow(rows_of(SHOWN), "query_id", "doc_id", "score"))
        session.register("history", HISTORY)
        session.register("catalogue", CATALOGUE)
        by_query = sqlrank.sql("shown", None, ["popularity@2", "diversity@2"], history="history", items="catalogue")
        whole = sqlrank.sql("shown", None, "coverage@2", items="catalogue")

        assert sorted(session.sql(by_query).fetchall()) == [("u1", 1.5, 0.0), ("u2", 0.5, 1.0), ("u3", 2.0, 0.0)]
        assert session.sql(whole).fetchall() == [("shown", "coverage@2", 2 / 3, 3, None)]
    assert "judg" not in by_query.replace("unjudged=", "").replace("judgments=error", "").replace("judged or not", "")


@each([{"columns": {"relevance": "clicked"}}, {"query_set": "judged"}])
def test_statement_reads_labels_where_they_are_spoken_of(told: dict[str, Any]) -> None:
    assert "relevance is not null" in sqlrank.sql("export", None, "popularity@2", history="history", **told)


def test_labelled_export_keeps_its_judged_queries() -> None:
    export = arrow([("u1", "1", 1.0, 1), ("u2", "2", 1.0, None)], "query_id", "doc_id", "score", "relevance")

    with sqlrank.evaluate(export, None, "popularity@1", history=HISTORY) as result:
        assert (result["popularity@1"], result.conventions.query_set) == (2, "judged")


def test_long_runs_are_evaluated_in_parts_too() -> None:
    rows = [(f"u{number // 10}", f"d{number % 7}", float(number % 10)) for number in range(120_000)]
    run = arrow(rows, "query_id", "doc_id", "score")
    catalogue = arrow([(f"d{number}", "x") for number in range(14)], "doc_id", "category")

    with sqlrank.evaluate(run, None, "coverage@3", items=catalogue, checks=False) as result:
        assert result["coverage@3"] == 0.5
    with sqlrank.evaluate(run, None, ["diversity@3", "num_ret"], items=catalogue, duplicates="best") as result:
        assert (result["diversity@3"], result["num_ret"]) == (0, 7 * 12_000)


@each([("query_set", "judged"), ("query_set", "shared"), ("ties", "best"), ("unjudged", "remove")])
def test_conventions_of_judgments_are_refused(case: tuple[str, str]) -> None:
    name, value = case
    options: dict[str, Any] = {name: value}
    with pytest.raises(sqlrank.UsageError, match=f"{name}='{value}' looks at judgments"):
        sqlrank.evaluate(SHOWN, None, "popularity@2", history=HISTORY, **options)


def test_metrics_and_explanations_that_need_judgments_are_refused() -> None:
    with pytest.raises(sqlrank.DataError, match=r"judgments with qrels=, needed for ap, ndcg@3$"):
        sqlrank.evaluate(SHOWN, None, ["popularity@2", "ap", "ndcg@3"], history=HISTORY)
    with (
        sqlrank.evaluate(SHOWN, None, "popularity@2", history=HISTORY) as result,
        pytest.raises(sqlrank.UsageError, match="give the judgments"),
    ):
        result.explain("u1")


def test_rows_are_checked_all_the_same() -> None:
    twice = arrow([("u", "a", 1.0), ("u", "a", 2.0)], "query_id", "doc_id", "score")
    with pytest.raises(sqlrank.DataError, match="more than once"):
        sqlrank.evaluate(twice, None, "entropy@2")
    with pytest.raises(sqlrank.DataError, match="nan"):
        sqlrank.evaluate({"u": {"a": float("nan")}}, None, "entropy@2")


def test_command_prints_what_python_gives(tmp_path: Path) -> None:
    run = write_csv("run.csv", ("query_id", "doc_id", "score"), rows_of(SHOWN))
    items = write_csv("items.csv", ("doc_id",), [("1",), ("2",), ("3",)])
    rows = tmp_path / "rows.json"

    metrics = ("-m", "coverage@2", "-m", "entropy@1", "-m", "num_ret")
    outcome = completed("eval", run, *metrics, "--items", items, "--format", "json", "--per-query", rows)

    printed = json.loads(outcome.out)
    assert {row["metric"]: row["value"] for row in printed["rows"]}["coverage@2"] == pytest.approx(2 / 3)
    assert printed["conventions"]["query_set"] == "run"
    assert printed["queries"]["run"]["unjudged"] == 3
    assert [row["num_ret"] for row in json.loads(rows.read_text())] == [2, 2, 1]
    needed = run_cli("eval", run, "-m", "coverage@2", "-m", "ap", "--items", items)
    assert (needed.code, "needed for ap\n" in needed.err) == (3, True)
    shown = run_cli("eval", run, "-m", "entropy@1", "--show-sql")
    assert duckdb.execute(shown.out).fetchall()[0][:2] == ("run", "entropy@1")


def test_what_is_shown_is_compared_without_judgments() -> None:
    runs = {"a": {"u1": {"x": 2.0, "y": 1.0}, "u2": {"x": 1.0}}, "b": {"u1": {"y": 2.0}, "u3": {"y": 1.0}}}
    history = {"h1": {"x": 1.0, "y": 1.0}, "h2": {"x": 1.0}}

    with sqlrank.compare(systems=runs, metrics="popularity@1", history=history) as comparison:
        row = comparison["popularity@1"]
        assert (row["baseline_value"], row["value"], row["queries"]) == (2.0, 1.0, 1)
        assert "2 queries do not count, as not every system has results for them" in comparison.remarks()
