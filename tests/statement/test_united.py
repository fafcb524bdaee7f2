"""Statements that unite a run and judgments, rather than join them, give what the evaluation gives.

They are Spark's, in words that DuckDB reads too, where a statement takes no time; Spark runs them in tests/engines.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import sqlrank
from tests.support.cases import arrow, random_data, rows_of, same

RUN, QRELS = random_data(71)
RATED = [*rows_of(QRELS), *((query, document, 3 - rated) for query, document, rated in rows_of(QRELS)[::3])]
"""The judgments, a third of them by two raters."""
METRICS = [["ndcg@10", "ap"], ["ndcg@3"], ["ndcg(gain=exp2)", "rr", "p@5"], ["p@10", "recall@5"], ["dcg@4", "rbp"]]
UNITED: list[dict[str, Any]] = [{}, {"order": "asc"}, {"depth": 3}, {"ties": "doc-asc"}, {"empty": "skip"}, {"rel": 2}]
JOINED: list[dict[str, Any]] = [{"judgments": "max"}, {"judgments": "mean"}]


@pytest.mark.parametrize("options", UNITED + JOINED, ids=str)
@pytest.mark.parametrize("metrics", METRICS, ids=", ".join)
def test_united_rows_give_the_values_of_the_evaluation(metrics: list[str], options: dict[str, Any]) -> None:
    run = arrow(rows_of(RUN), "query_id", "doc_id", "score")
    qrels = arrow(RATED if options in JOINED else rows_of(QRELS), "query_id", "doc_id", "relevance")
    statement = sqlrank.sql("found", "judged_rows", metrics, dialect="spark", **options)
    with duckdb.connect() as connection:
        connection.register("found", run)
        connection.register("judged_rows", qrels)
        found = {row[0]: row[1:] for row in connection.sql(statement.replace("`", '"')).fetchall()}
    with sqlrank.evaluate(run, qrels, metrics, **options) as result:
        texts = [measure.text for measure in result.measures]
        wanted = {query: [row[text] for text in texts] for query, row in result.to_dict().items()}

    assert ("both_inputs" in statement) == (options in UNITED)
    assert found.keys() == wanted.keys()
    assert [query for query, row in wanted.items() if not all(map(same, found[query], row))] == []
