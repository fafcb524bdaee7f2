"""`--collapse`: chunks of documents are ranked as documents, by their best, first or summed score."""

from __future__ import annotations

import re
from math import log2
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from tests.support.cases import Table, arrow, rows_of
from tests.support.tables import each

CHUNKS = [
    ("q1", "a", "a1", 3.0),
    ("q1", "a", "a2", 2.5),
    ("q1", "b", "b1", 4.0),
    ("q1", "c", "c1", 1.0),
    ("q1", "c", "c2", 0.5),
    ("q1", "c", "c3", 3.2),
    ("q2", "b", "b1", 1.0),
]
NAMES = ["query_id", "document_id", "chunk_id", "score"]
COLUMNS = {"run.doc_id": "document_id"}
QRELS: Table = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"b": 1}}
IDEAL = 2 + 1 / log2(3)
ORDERS = {"best": "bca", "first": "bac", "sum": "acb"}
"""The documents of query q1: by 4, 3.2 and 3; by 4, 3 and 1; by 5.5, 4.7 and 4."""
NDCG = {
    "best": (2 / log2(3) + 1 / 2) / IDEAL,
    "first": (1 / log2(3) + 1) / IDEAL,
    "sum": (1 + 2 / log2(3)) / IDEAL,
    "turned": (2 + 1 / log2(3)) / IDEAL,
}


def evaluated(rows: list[Any] = CHUNKS, **options: Any) -> sqlrank.Result:
    """The evaluation of rows of chunks."""
    return sqlrank.evaluate(arrow(rows, *NAMES), QRELS, ["ndcg@3", "rr", "num_ret"], columns=COLUMNS, **options)


@each(list(ORDERS))
def test_values_worked_out_by_hand(collapse: str) -> None:
    with evaluated(collapse=collapse) as result:
        assert "".join(doc for _, doc, *_ in result.explain("q1").fetchall()) == ORDERS[collapse]
        values = result.to_dict()
        first = {"ndcg@3": NDCG[collapse], "rr": 1 if collapse == "sum" else 0.5, "num_ret": 3}
        assert values == {"q1": pytest.approx(first), "q2": {"ndcg@3": 1, "rr": 1, "num_ret": 1}}
        assert result.conventions.copies == collapse
    with evaluated(CHUNKS[::-1], collapse=collapse) as turned:
        if collapse == "first":
            assert turned.to_dict()["q1"]["ndcg@3"] == pytest.approx(NDCG["best"])
        else:
            assert turned.to_dict() == values


def test_a_document_of_one_chunk_each_is_what_it_was() -> None:
    single = [row for row in CHUNKS if row[2].endswith("1")]
    with evaluated(single) as plain:
        for collapse in ORDERS:
            with evaluated(single, collapse=collapse) as result:
                assert result.to_dict() == plain.to_dict()


def test_chunks_that_nobody_takes_together_are_named_with_the_way_on() -> None:
    with pytest.raises(DataError, match=r"the copies differ in chunk_id: .*collapse='best'"):
        evaluated()


@each(
    [
        ({"collapse": "sum", "order": "asc"}, "leave out order='asc'"),
        ({"collapse": "best", "duplicates": "best"}, "leave out duplicates='best'"),
        ({"collapse": "sum", "order": "rank", "columns": COLUMNS | {"rank": "score"}}, "order='rank'"),
    ]
)
def test_what_makes_no_sense_together_is_refused(case: tuple[dict[str, Any], str]) -> None:
    options, says = case
    with pytest.raises(UsageError, match=re.escape(says)):
        sqlrank.evaluate(arrow(CHUNKS, *NAMES), QRELS, ["rr"], **{"columns": COLUMNS} | options)


def test_sums_of_scores_that_are_no_number_are_refused() -> None:
    with pytest.raises(DataError, match="score"):
        evaluated([*CHUNKS, ("q2", "b", "b2", float("inf"))], collapse="sum")


def test_runs_that_are_compared_are_collapsed_alike() -> None:
    runs = {"chunks": arrow(CHUNKS, *NAMES), "turned": arrow([(*row[:3], -row[3]) for row in CHUNKS], *NAMES)}
    with sqlrank.compare(systems=runs, qrels=QRELS, metrics="ndcg@3", columns=COLUMNS, collapse="best") as comparison:
        row = comparison["ndcg@3"]
    assert (row["baseline_value"], row["value"]) == pytest.approx(((NDCG["best"] + 1) / 2, 1))


def test_the_statement_gives_the_same_and_its_check_lets_chunks_stand_that_are_taken_together() -> None:
    with duckdb.connect() as connection:
        connection.register("chunks", arrow(CHUNKS, *NAMES))
        connection.register("judged", arrow(rows_of(QRELS), "query_id", "doc_id", "relevance"))
        asked: Any = ("chunks", "judged", ["ndcg@3"])
        for collapse in ("best", "sum"):
            text = sqlrank.sql(*asked, columns=COLUMNS, collapse=collapse)
            assert "in the run and in the judgments" not in text
            assert dict(connection.execute(text).fetchall()) == pytest.approx({"q1": NDCG[collapse], "q2": 1})
        with pytest.raises(UsageError, match="first"):
            sqlrank.sql(*asked, columns=COLUMNS, collapse="first")
        for collapse, found in (("none", ["a document appears twice in one ranking"]), ("sum", [])):
            text = sqlrank.sql(*asked, columns=COLUMNS, collapse=collapse, check=True)
            assert [row[0] for row in connection.execute(text).fetchall()] == found


@pytest.mark.parametrize("labelled", [True, False])
def test_parts_that_are_judged_apart_are_named_with_the_way_on(labelled: bool) -> None:
    labels = [(*row, float(row[2] == "c2")) for row in CHUNKS]
    export = arrow(labels, *NAMES, "relevance")
    judged = None if labelled else export.select(["query_id", "document_id", "chunk_id", "relevance"])
    given = (export, None) if labelled else (arrow(CHUNKS, *NAMES), judged)
    options: dict[str, Any] = {"columns": {"doc_id": "document_id"}, "collapse": "best"}

    with pytest.raises(DataError, match=r"the copies differ in chunk_id: .*, judgments='max' takes the best of each"):
        sqlrank.evaluate(*given, ["rr"], **options)
    with sqlrank.evaluate(*given, ["rr"], **options, judgments="max") as result:
        assert result.to_dict()["q1"]["rr"] == 1 / 2
