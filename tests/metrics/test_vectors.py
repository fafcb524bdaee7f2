"""Metrics of the vectors of documents, against the plain definitions and by hand, and vectors that are refused."""

from __future__ import annotations

import math
import random
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS
from tests.reference import definitions as reference
from tests.reference import vectors
from tests.support.cases import Table, Values, arrow, assert_same, grid, queries_of, rows_of, texts
from tests.support.cli_helper import error_of, run_cli
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv

RNG = random.Random(31)
DOCS = [f"d{number}" for number in range(14)] + ["é", "it's"]
USERS = [f"u{number}" for number in range(24)]
VECTORS = {doc: [RNG.uniform(-1, 1) for _ in range(5)] for doc in DOCS}
RUN: Table = {user: {doc: RNG.randint(0, 3) / 4 for doc in RNG.sample(DOCS, RNG.randint(1, 9))} for user in USERS[:20]}
QRELS: Table = {user: {doc: RNG.choice([-1.0, 0.0, 1.0, 2.0]) for doc in RNG.sample(DOCS, 9)} for user in USERS[2:]}
HISTORY = [(user, RNG.choice([*DOCS, "sold out"])) for user in USERS[:22] for _ in range(4)]
CASES = [*grid("ild", [1, 2, 5, 40]), *grid("serendipity", [1, 5, 40], rel=[None, 2])]
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "doc-asc", "depth": 3},
    {"query_set": "run", "order": "asc"},
    {"unjudged": "remove", "query_set": "shared"},
]


def items(vectors_by_doc: dict[str, Any]) -> pa.Table:
    """The catalogue."""
    return pa.table({"doc_id": list(vectors_by_doc), "vector": list(vectors_by_doc.values())})


INPUTS: dict[str, Any] = {"items": items(VECTORS), "history": arrow(HISTORY, "query_id", "doc_id")}


def expected(**conventions: Any) -> Values:
    """Values by query and text."""
    values: Values = {}
    for query in queries_of(RUN, QRELS, conventions.pop("query_set", "judged")):
        judged = QRELS.get(query, {})
        docs = reference.ranked_docs(RUN.get(query, {}), judged, **conventions)
        known = {doc for user, doc in HISTORY if user == query and doc in VECTORS}
        more = {"ild": (), "serendipity": (known, judged)}
        values[query] = {
            case.text: reference.resolve(
                getattr(vectors, case.metric)(docs, case.k, VECTORS, *more[case.metric], **case.arguments), 0.0
            )
            for case in CASES
        }
    return values


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_values_of_each_query_agree(conventions: dict[str, Any]) -> None:
    with sqlrank.evaluate(RUN, QRELS, texts(CASES), **INPUTS, **conventions) as result:
        assert_same(result.to_dict(), expected(**conventions), texts(CASES))


def test_every_parameter_is_among_the_cases() -> None:
    for metric in ("ild", "serendipity"):
        given = {name for case in CASES if case.metric == metric for name in case.parameters}
        assert given == set(sqlrank.METRICS[metric].parameters)


def test_systems_together_segments_and_labelled_exports_have_the_values_of_their_queries() -> None:
    wanted = expected(query_set="run")
    with sqlrank.evaluate(
        qrels=QRELS, metrics=texts(CASES), systems={"a": RUN, "b": RUN}, query_set="run", **INPUTS
    ) as result:
        assert_same(result.to_dict()["b"], wanted, texts(CASES))
    export = arrow([(*row, QRELS.get(row[0], {}).get(row[1]), "x") for row in rows_of(RUN)],
                   "query_id", "doc_id", "score", "relevance", "market")  # fmt: skip
    with sqlrank.evaluate(export, None, texts(CASES), query_set="run", by="market", **INPUTS) as result:
        assert_same(result.to_dict(), wanted, texts(CASES))


SHOWN: Table = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
WORTH: Table = {"q": {"a": 1.0, "b": 0.0, "c": 2.0}}
PLANE = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [1.0, 1.0], "k": [-3.0, 0.0], "l": [0.0, 1.0]}
KNOWN = arrow([("q", "k"), ("q", "l"), ("q", "l"), ("r", "a")], "query_id", "doc_id")
HALF = math.sqrt(0.5)


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("ild@2", 1),
        ("ild@3", (1 + 2 * (1 - HALF)) / 3),
        # a is 2 from k and 1 from l, c is 1 + HALF and 1 - HALF from them; b is not relevant
        ("serendipity@1", 1.5),
        ("serendipity@2", 0.75),
        ("serendipity@3", (1.5 + 1) / 3),
        ("serendipity(rel=2)@3", 1 / 3),
    ],
)
def test_the_value_is_the_one_worked_out(metric: str, value: float) -> None:
    with sqlrank.evaluate(SHOWN, WORTH, metric, items=items(PLANE), history=KNOWN) as result:
        assert result[result.measures[0].text] == pytest.approx(value, rel=1e-12)


def test_one_document_has_no_diversity_and_a_user_without_history_no_serendipity() -> None:
    with sqlrank.evaluate(SHOWN, WORTH, ["ild@1", "serendipity@3"], items=items(PLANE),
                          history=arrow([("r", "a")], "query_id", "doc_id")) as result:  # fmt: skip
        assert [result[measure.text] for measure in result.measures] == [None, None]


def test_diversity_by_vectors_needs_no_judgments() -> None:
    with sqlrank.evaluate(SHOWN, None, "ild@2", items=items(PLANE)) as result:
        assert result["ild@2"] == pytest.approx(1)
    with pytest.raises(sqlrank.SqlrankError, match="judgments"):
        sqlrank.evaluate(SHOWN, None, "serendipity@2", items=items(PLANE), history=KNOWN)


def test_vectors_may_be_written_in_text_or_have_a_fixed_length_in_32_bits() -> None:
    run = write_csv("run.csv", RUN_NAMES, rows_of(SHOWN))
    qrels = write_csv("qrels.csv", QRELS_NAMES, rows_of(WORTH))
    path = write_csv("items.csv", ("doc_id", "embedding"), [(doc, f'"{vector}"') for doc, vector in PLANE.items()])
    outcome = run_cli("eval", run, "--qrels", qrels, "--items", path, "-m", "ild@3", "--format", "csv")
    assert float(outcome.table[0]["value"]) == pytest.approx((1 + 2 * (1 - HALF)) / 3)
    assert "vector is read from the column embedding" in outcome.err
    fixed = pa.table({"doc_id": list(PLANE), "vector": pa.array(list(PLANE.values()), pa.list_(pa.float32(), 2))})
    with sqlrank.evaluate(SHOWN, WORTH, "ild@3", items=fixed) as result:
        assert result["ild@3"] == pytest.approx((1 + 2 * (1 - HALF)) / 3)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"c": None}, "1 document returned has no vector, such as 'c' of query 'q'"),
        ({"c": [0.0, 0.0]}, "1 of 5 vectors is not a list of finite numbers of which one is not 0, such as"),
        ({"c": [1.0, math.nan]}, "1 of 5 vectors is not a list"),
        ({"c": [1.0, None]}, "1 of 5 vectors is not a list"),
        ({"c": []}, "1 of 5 vectors is not a list"),
        ({"c": [1.0, 2.0, 3.0]}, "vectors have from 2 to 3 numbers"),
    ],
)
def test_vectors_that_are_missing_or_wrong_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(sqlrank.DataError, match=said):
        sqlrank.evaluate(SHOWN, WORTH, "ild@3", items=items(PLANE | changed))


def test_a_document_that_nobody_returned_may_have_no_vector() -> None:
    with sqlrank.evaluate(SHOWN, WORTH, "ild@2", items=items(PLANE | {"k": None})) as result:
        assert result["ild@2"] == pytest.approx(1)


def test_text_that_is_no_vector_is_refused_with_its_row() -> None:
    run = write_csv("run.csv", RUN_NAMES, rows_of(SHOWN))
    qrels = write_csv("qrels.csv", QRELS_NAMES, rows_of(WORTH))
    path = write_csv("items.csv", ("doc_id", "vector"), [("a", "[1]"), ("b", "north"), ("c", "[2]")])
    said = error_of(3, "eval", run, "--qrels", qrels, "--items", path, "-m", "ild@3")
    assert "items.csv, line 3: 1 of 3 vectors is not a list of finite numbers" in said


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "duckdb"])
def test_an_engine_without_cosine_distances_refuses_by_name(dialect: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=r"ild@10, serendipity@3: .* has no cosine distance of two lists"):
        sqlrank.sql("runs", "judged", ["ild@10", "serendipity@3"], dialect=dialect, items="goods", history="clicks")


def test_the_printed_statement_gives_the_same_values() -> None:
    import duckdb

    with duckdb.connect() as session, sqlrank.evaluate(RUN, QRELS, texts(CASES), **INPUTS) as result:
        session.register("found", arrow(rows_of(RUN), "query_id", "doc_id", "score"))
        session.register("marked", arrow(rows_of(QRELS), "query_id", "doc_id", "relevance"))
        for name, table in INPUTS.items():
            session.register(f"given_{name}", table)
        statement = sqlrank.sql("found", "marked", texts(CASES), items="given_items", history="given_history")
        rows = session.sql(statement).fetchall()
        wanted = {query: list(row.values()) for query, row in result.to_dict().items()}
        assert {
            query: [None if v is None else pytest.approx(v, abs=1e-12) for v in row] for query, *row in rows
        } == wanted
