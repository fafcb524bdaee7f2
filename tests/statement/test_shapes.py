"""The statements of simple requests give what the evaluation gives, in each of their shapes.

Those of Spark unite the run and the judgments, rather than join them; DuckDB reads their words too.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlrank
from tests.support.cases import arrow, random_data, rows_of, same
from tests.support.tables import hold

RUN, QRELS = random_data(71)
JUDGED = [(query, document, min(round(rated), 2)) for query, document, rated in rows_of(QRELS)]
RATED = [*JUDGED, *((query, document, 2 - rated % 3) for query, document, rated in JUDGED[::3])]
"""The judgments, a third of them by two raters."""
GAINS = "0:1,0.5:1,1:0,1.5:2,2:3"
"""A gain table in which a relevance of 0 has a gain."""
METRICS = [
    ["ndcg@10", "ap"],
    ["ndcg@3"],
    ["ndcg(gain=exp2)", "rr", "p@5"],
    ["p@10", "recall@5"],
    ["dcg@4", "rbp"],
    ["ap(rel=0)", "ndcg"],
    ["ap@5", f"ndcg(gain={GAINS})@5"],
    ["num_nonrel_judged_ret", "ap"],
]
UNITED: list[dict[str, Any]] = [{}, {"order": "asc"}, {"depth": 3}, {"ties": "doc-asc"}, {"empty": "skip"}, {"rel": 2}]
JOINED: list[dict[str, Any]] = [{"judgments": "max"}, {"judgments": "mean"}]


@pytest.mark.parametrize("options", UNITED + JOINED, ids=str)
def test_a_statement_gives_the_values_of_the_evaluation(options: dict[str, Any]) -> None:
    run = arrow(rows_of(RUN), "query_id", "doc_id", "score")
    qrels = arrow(RATED if options in JOINED else JUDGED, "query_id", "doc_id", "relevance")
    every = list(dict.fromkeys(text for metrics in METRICS for text in metrics))
    with sqlrank.evaluate(run, qrels, every, **options) as result:
        wanted = result.to_dict()
        texts = dict(zip(every, (measure.text for measure in result.measures), strict=True))

    def check(case: tuple[str, list[str]]) -> None:
        dialect, metrics = case
        statement = sqlrank.sql("found", "judged_rows", metrics, dialect=dialect, **options)
        assert ("both_inputs" in statement) == (dialect == "spark" and options in UNITED)
        with duckdb.connect() as connection:
            connection.register("found", run)
            connection.register("judged_rows", qrels)
            rows = connection.sql(statement.replace("`", '"')).fetchall()
        assert {row[0] for row in rows} == wanted.keys()
        expected = {query: [row[texts[metric]] for metric in metrics] for query, row in wanted.items()}
        assert [row for row in rows if not all(map(same, row[1:], expected[row[0]]))] == []

    hold(product(("duckdb", "spark"), METRICS), check)


COLUMNS = "query_id, ndcg_at_10, ap_at_3, recall_at_5"
APART: list[dict[str, Any]] = [
    *({}, {"order": "asc", "ties": "doc-asc"}, {"query_set": "run"}, {"query_set": "shared", "depth": 4}),
    {"by": "run.part"},
]
LABELLED: list[dict[str, Any]] = [{"by": "part"}, {"by": "part", "order": "asc", "ties": "doc-asc"}, {"depth": 4}]


@pytest.mark.parametrize(
    ("labelled", "options"), [*((False, each) for each in APART), *((True, each) for each in LABELLED)], ids=str
)
def test_the_first_documents_are_those_of_a_sort(labelled: bool, options: dict[str, Any]) -> None:
    judged = {(query, document): rated for query, document, rated in JUDGED}
    rows = [(*row, judged.get((row[0], row[1])), f"part {len(row[0]) % 3}") for row in rows_of(RUN)]
    given = pa.table(
        dict(zip(["query_id", "doc_id", "score", "relevance", "part"], zip(*rows, strict=True), strict=True))
    )
    run = given if labelled else given.drop_columns(["relevance"])
    qrels = arrow(JUDGED, "query_id", "doc_id", "relevance")
    metrics = ["ndcg@10", "ap@3", "recall@5"]
    statement = sqlrank.sql("found", None if labelled else "judged_rows", metrics, **options)
    with duckdb.connect() as connection:
        connection.register("found", run)
        connection.register("judged_rows", qrels)
        found = {row[0]: row[1:] for row in connection.sql(statement).project(COLUMNS).fetchall()}
    with sqlrank.evaluate(run, None if labelled else qrels, metrics, **options) as result:
        wanted = {row[0]: row[1:] for row in result.per_query.project(COLUMNS).fetchall()}

    assert "(struct_pack(score := " in statement
    assert "row_number() over (partition by query_id order by score" not in statement
    assert found.keys() == wanted.keys()
    assert [query for query, row in wanted.items() if not all(map(same, found[query], row))] == []


BY_PLACE = ["g", "g(gain=exp2)", "ndcg_rel", "rndcg", "rndcg(discount=ln)", "ndcg_rel(discount=letor3)"]
BESIDE = ["ap", "ap(rel=2)@3", "bpref", "infap", "ndcg", "ndcg(ideal=retrieved)", "judged@5"]


@pytest.mark.parametrize(
    "options", [{}, {"query_set": "run"}, {"query_set": "shared", "empty": "one"}, {"empty": "skip"}], ids=str
)
@pytest.mark.parametrize("names", ["a", "ab"])
def test_metrics_of_sums_by_place_have_the_values_beside_others_that_they_have_alone(
    names: str, options: dict[str, Any]
) -> None:
    turned = [(query, document, -score) for query, document, score in rows_of(RUN)[::2]]
    runs = {"a": rows_of(RUN), "b": turned}
    systems = {name: arrow(runs[name], "query_id", "doc_id", "score") for name in names}
    qrels = arrow(JUDGED, "query_id", "doc_id", "relevance")

    def values(*metrics: str) -> dict[tuple[str, str], Any]:
        with sqlrank.evaluate(systems=systems, qrels=qrels, metrics=metrics, **options) as result:
            assert ("metrics_by_place" in str(result.sql)) == (len(metrics) > len(BESIDE))
            held = result.per_query
            return {
                (f"{row[0]} {row[1]}", name): value
                for row in held.fetchall()
                for name, value in zip(held.columns[2:], row[2:], strict=True)
            }

    together, alone = values(*BESIDE, *BY_PLACE), values(*BESIDE) | values(*BY_PLACE)
    assert together.keys() == alone.keys()
    assert [key for key, value in alone.items() if not same(together[key], value)] == []


def test_precisions_are_summed_over_hits_that_are_counted_anyway() -> None:
    assert "list_sort(list(rank)" in sqlrank.sql("run", "qrels", ["ap", "rr"])
    assert "list_sort(list(rank)" not in sqlrank.sql("run", "qrels", ["ap", "ap@5", "infap"])
