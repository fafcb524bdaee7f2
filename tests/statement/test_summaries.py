"""The means of a statement are those of the evaluation: values, queries and standard errors, by segment and weight."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import sqlrank

QUERIES = [("q1", "de", 9.0), ("q2", "de", 1.0), ("q3", "de", 2.0), ("q4", "fr", 0.0), ("q5", "fr", 3.0)]
"""The query with the largest weight has one document, and so no pair that an area under the curve could count."""
RUNS = [
    *(("a", "q1", "d1", 3.0), ("a", "q2", "d1", 3.0), ("a", "q2", "d2", 2.0), ("a", "q2", "d3", 1.0)),
    *(("a", "q3", "d1", 1.0), ("a", "q3", "d2", 2.0), ("a", "q4", "d1", 1.0), ("a", "q5", "d1", 1.0)),
    *(("b", "q1", "d2", 1.0), ("b", "q2", "d2", 3.0), ("b", "q3", "d2", 2.0), ("b", "q5", "d2", 2.0)),
    *(("b", "q2", "d1", 1.0), ("b", "q3", "d1", 1.0), ("b", "q5", "d1", 1.0), ("b", "q4", "d1", 1.0)),
]
JUDGED = [
    *(("q1", "d1", 2.0), ("q2", "d1", 1.0), ("q2", "d2", 0.0), ("q3", "d1", 1.0), ("q3", "d2", 0.0)),
    *(("q4", "d1", 1.0), ("q5", "d1", 0.0), ("q5", "d2", 3.0)),
]
METRICS = ["ndcg@2", "ap", "gauc", "gm_map", "num_rel_ret", "gauc(weight=rows)"]


@pytest.mark.parametrize("metrics", [METRICS, ["ndcg@2"], ["num_rel_ret"], ["gauc", "ap"]], ids=",".join)
@pytest.mark.parametrize("by", [[], ["queries.country"]], ids=["whole", "by country"])
@pytest.mark.parametrize("weight", [None, "queries.traffic"], ids=["alike", "weighted"])
@pytest.mark.parametrize("several", [False, True], ids=["one", "several"])
@pytest.mark.parametrize("empty", ["zero", "skip"])
def test_the_means_of_a_statement_are_those_of_the_evaluation(
    metrics: list[str], by: list[str], weight: str | None, several: bool, empty: str
) -> None:
    options: dict[str, Any] = {"by": by, "weight": weight, "empty": empty}
    options |= {"columns": {"system": "system"}} if several else {}
    with duckdb.connect() as connection:
        tables(connection, several)
        queries: dict[str, Any] = {"queries": "queries"} if by or weight else {}
        text = sqlrank.sql(
            "runs", "judged", metrics, summary=True, system=None if several else "a", **options, **queries
        )
        found = keyed(connection.sql(text))
        given = {name: connection.table(name) for name in ("runs", "judged", *queries)}
        asked: dict[str, Any] = {"queries": given["queries"]} if queries else {}
        runs: dict[str, Any] = {"run": given["runs"]} if several else {"systems": {"a": given["runs"]}}
        evaluated = sqlrank.evaluate(qrels=given["judged"], metrics=metrics, **runs, **options, **asked)
        expected = keyed(evaluated.rows)

    assert found.keys() == expected.keys()
    for key, values in expected.items():
        assert found[key] == pytest.approx(values, abs=1e-12), key


@pytest.mark.parametrize("weights", [(1e308, 1e308, 1.0), (1e-310, 2e-310, 1e-320), (1e200, 1e-200, 5.0)], ids=str)
@pytest.mark.parametrize("by", [[], ["queries.country"]], ids=["whole", "by country"])
def test_weights_are_as_large_and_as_small_as_numbers_are(weights: tuple[float, ...], by: list[str]) -> None:
    options: dict[str, Any] = {"weight": "queries.traffic", "by": by}
    with duckdb.connect() as connection:
        tables(connection, several=False)
        for number, weight in enumerate(weights, 1):
            connection.execute("update queries set traffic = ? where query_id = ?", [weight, f"q{number}"])
        text = sqlrank.sql("runs", "judged", ["ndcg@2"], summary=True, system="a", queries="queries", **options)
        found = keyed(connection.sql(text))
        given = [connection.table(name) for name in ("runs", "judged", "queries")]
        evaluated = sqlrank.evaluate(
            systems={"a": given[0]}, qrels=given[1], metrics="ndcg@2", queries=given[2], **options
        )
        expected = keyed(evaluated.rows)

    assert {key: pytest.approx(values, abs=1e-12) for key, values in expected.items()} == found


@pytest.mark.parametrize("weight", [None, "queries.traffic"], ids=["alike", "weighted"])
def test_without_a_query_every_metric_has_a_row_that_says_so(weight: str | None) -> None:
    given: dict[str, Any] = {"queries": "queries", "weight": weight} if weight else {}
    with duckdb.connect() as connection:
        tables(connection, several=False)
        connection.execute("delete from judged")
        text = sqlrank.sql("runs", "judged", METRICS, summary=True, **given)
        found = keyed(connection.sql(text))
    assert len(found) == len(METRICS)
    assert {*found.values()} == {(None, 0, None)}


def tables(connection: duckdb.DuckDBPyConnection, several: bool) -> None:
    """Runs, judgments and queries, with the runs of one system or of both."""
    runs = RUNS if several else [row[1:] for row in RUNS if row[0] == "a"]
    system = "system varchar, " if several else ""
    connection.execute(f"create table runs ({system}query_id varchar, doc_id varchar, score double)")
    connection.execute("create table judged (query_id varchar, doc_id varchar, relevance double)")
    connection.execute("create table queries (query_id varchar, country varchar, traffic double)")
    for name, rows in (("runs", runs), ("judged", JUDGED), ("queries", QUERIES)):
        connection.executemany(f"insert into {name} values ({', '.join('?' * len(rows[0]))})", rows)


def keyed(rows: duckdb.DuckDBPyRelation) -> dict[Any, tuple[float | None, ...]]:
    """Value, queries and standard error of each system, segment and metric."""
    numbers = ["value", "queries", "stderr"]
    names = [name for name in rows.columns if name not in (*numbers, "ci_low", "ci_high")]
    found = rows.select(*names, *numbers).fetchall()
    return {row[: len(names)]: row[len(names) :] for row in found}
