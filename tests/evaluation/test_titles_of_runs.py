"""What a log itself calls its queries and documents, where no table of them is given."""

from __future__ import annotations

from typing import Any

import pytest

import sqlrank

pandas: Any = pytest.importorskip("pandas")

LOG = pandas.DataFrame(
    [
        ("q1", "red shoes", "d1", "Shoe, red", 2.0, 0),
        ("q1", "red shoes", "d2", "Shoe, blue", 1.0, 1),
        ("q2", "<b>hats</b>", "d3", "Hat", 1.0, 1),
    ],
    columns=["query_id", "query_text", "doc_id", "title", "score", "relevance"],
)


def test_a_query_and_its_documents_are_called_as_the_log_calls_them() -> None:
    with sqlrank.evaluate(LOG, metrics="rr") as result:
        explained = result.explain("q1")
        worst = result.worst(1).fetchall()

    assert explained.text == "red shoes"
    assert worst[0][1:3] == ("q1", "red shoes")


def test_one_ranking_has_the_titles_of_its_documents_and_of_the_best_ones() -> None:
    with sqlrank.evaluate(LOG, metrics="rr") as result:
        rows = result.explain("q1").to_dicts()
    assert list(rows[0])[:3] == ["rank", "doc_id", "title"]
    titles = [(row["title"], row["ideal_title"]) for row in rows]
    assert titles == [("Shoe, red", "Shoe, blue"), ("Shoe, blue", None)]
    items = pandas.DataFrame({"doc_id": ["d1"], "name": ["A 'red' shoe"]})
    with sqlrank.evaluate(LOG, metrics="rr", items=items) as result:
        assert [row["title"] for row in result.explain("q1").to_dicts()] == ["A 'red' shoe", None]


def test_the_texts_of_all_runs_are_used() -> None:
    second = LOG.assign(query_text=LOG.query_text.where(LOG.query_id == "q2"))
    halves = {"a": LOG[LOG.query_id == "q1"], "b": second}
    qrels = {"q1": {"d2": 1}, "q2": {"d3": 1}}
    runs = {name: half.drop(columns="relevance") for name, half in halves.items()}
    with sqlrank.evaluate(systems=runs, qrels=qrels, metrics="rr") as result:
        texts = {query: result.explain(query, systems=("a", "b")).text for query in qrels}
        rows = result.explain("q2", systems=("a", "b")).to_dicts()

    assert texts == {"q1": "red shoes", "q2": "<b>hats</b>"}
    assert [(row["doc_id"], row["title"]) for row in rows] == [("d3", "Hat")]


def test_a_table_of_queries_is_asked_instead_where_it_is_given() -> None:
    queries = pandas.DataFrame({"query_id": ["q1", "q2"], "query": ["shoes that are red", None]})
    with sqlrank.evaluate(LOG, metrics="rr", queries=queries) as result:
        assert result.explain("q1").text == "shoes that are red"
        assert result.explain("q2").text is None


def test_the_column_that_is_the_id_is_no_text() -> None:
    run = LOG.rename(columns={"query_text": "query"}).drop(columns="query_id")
    with sqlrank.evaluate(run, metrics="rr") as result:
        assert result.explain("red shoes").text is None
