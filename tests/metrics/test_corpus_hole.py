"""Documents that nobody judged for any query, as BEIR's code counts them."""

from __future__ import annotations

from typing import Any

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.support.cases import Table, arrow, queries_of, random_data, rows_of

RUN, QRELS = random_data(12, alphabet=["a", "b", "c"])
TEXTS = ["corpus_hole@1", "corpus_hole@4", "corpus_hole@50"]
JUDGED = {doc for found in QRELS.values() for doc in found}


def expected(run: Table, **conventions: Any) -> dict[str, dict[str, float]]:
    """Values by query and text."""
    found = {}
    for query in queries_of(run, QRELS, conventions.pop("query_set", "judged")):
        docs = reference.ranked_docs(run.get(query, {}), QRELS.get(query, {}), **conventions)
        found[query] = {
            text: sum(doc not in JUDGED for doc in docs[:k]) / k for text, k in zip(TEXTS, (1, 4, 50), strict=True)
        }
    return found


@pytest.mark.parametrize(
    "conventions", [{}, {"query_set": "run", "ties": "worst"}, {"depth": 3, "order": "asc"}], ids=str
)
def test_a_judgment_for_any_query_fills_a_hole(conventions: dict[str, Any]) -> None:
    wanted = expected(RUN, **conventions)
    assert any(row["corpus_hole@4"] > 0 for row in wanted.values())
    with sqlrank.evaluate(RUN, QRELS, TEXTS, **conventions) as result:
        assert result.to_dict() == {query: pytest.approx(row) for query, row in wanted.items()}
    with sqlrank.evaluate(qrels=QRELS, metrics=[*TEXTS, "hole@4"], systems={"a": RUN, "b": RUN}, **conventions) as two:
        for query, row in two.to_dict()["b"].items():
            assert list(row.values())[:3] == pytest.approx(list(wanted[query].values()))
            assert row["hole@4"] >= row["corpus_hole@4"]


def test_it_differs_from_hole_where_a_document_was_judged_for_another_query() -> None:
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"b": 2.0, "z": 1.0}}
    with sqlrank.evaluate(run, {"1": {"a": 1}, "2": {"b": 0}}, ["hole@2", "corpus_hole@2"]) as result:
        assert result.to_dict() == {
            "1": {"hole@2": 0.5, "corpus_hole@2": 0},
            "2": {"hole@2": 0.5, "corpus_hole@2": 0.5},
        }


def test_the_judgments_of_all_queries_are_read_where_memory_divides_them() -> None:
    rows = arrow(rows_of(RUN), "query_id", "doc_id", "score")
    judged = arrow(rows_of(QRELS), "query_id", "doc_id", "relevance")
    with sqlrank.evaluate(rows, judged, TEXTS, memory_limit="60MB", threads=1) as result:
        assert result.to_dict() == {query: pytest.approx(row) for query, row in expected(RUN).items()}


def test_ties_that_are_averaged_are_refused() -> None:
    with pytest.raises(sqlrank.UsageError, match="corpus_hole@4 has no closed form; choose an order of ties"):
        sqlrank.evaluate(RUN, QRELS, "corpus_hole@4", ties="average")
