"""Metrics of users who read documents of known lengths, against the plain definitions and by hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.reference import readers
from tests.support.cases import Values, arrow, assert_same, grid, queries_of, random_data, rows_of, texts
from tests.support.cli_helper import error_of, run_cli
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv

RUN, QRELS = random_data(55)
RNG = random.Random(5)
LENGTHS = {
    doc: float(RNG.choice([0, 40, 700, 9000])) for docs in (RUN, QRELS) for found in docs.values() for doc in found
}
ITEMS = arrow(LENGTHS.items(), "doc_id", "length")
CASES = [
    *grid("tbg", [None, 1, 5], half_life=[None, 20], rel=[None, 0.5, 2]),
    *grid("u_measure", [None, 5], gain=[None, "exp2", "linear_from_2"], text=[None, 900], unit=[None, 6]),
]
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "worst", "depth": 3},
    {"query_set": "run", "order": "asc", "ties": "input"},
    {"unjudged": "remove", "query_set": "shared"},
    {"empty": "skip", "depth": 4, "unjudged": "remove"},
]


def expected(**conventions: Any) -> Values:
    """Values by query and text."""
    query_set = conventions.pop("query_set", "judged")
    conventions.pop("empty", None)
    values: Values = {}
    for query in queries_of(RUN, QRELS, query_set):
        judged = QRELS.get(query, {})
        docs = reference.ranked_docs(RUN.get(query, {}), judged, **conventions)
        given = [judged.get(doc) for doc in docs], [LENGTHS[doc] for doc in docs]
        values[query] = {case.text: getattr(readers, case.metric)(*given, case.k, **case.arguments) for case in CASES}
    return values


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_values_of_each_query_agree(conventions: dict[str, Any]) -> None:
    with sqlrank.evaluate(RUN, QRELS, texts(CASES), items=ITEMS, **conventions) as result:
        assert_same(result.to_dict(), expected(**conventions), texts(CASES))


def test_every_parameter_is_among_the_cases() -> None:
    for metric in ("tbg", "u_measure"):
        given = {name for case in CASES if case.metric == metric for name in case.parameters}
        assert given == set(sqlrank.METRICS[metric].parameters)


def test_a_labelled_export_and_several_systems_have_the_same_values() -> None:
    labels = {query: {doc: QRELS.get(query, {}).get(doc) for doc in found} for query, found in RUN.items()}
    rows = [(*row, labels[row[0]][row[1]]) for row in rows_of(RUN)]
    judged = {query: {doc: v for doc, v in found.items() if v is not None} for query, found in labels.items()}
    judged = {query: found for query, found in judged.items() if found}
    export = arrow(rows, "query_id", "doc_id", "score", "relevance")
    with (
        sqlrank.evaluate(export, None, texts(CASES), items=ITEMS) as one,
        sqlrank.evaluate(qrels=judged, metrics=texts(CASES), systems={"a": RUN, "b": RUN}, items=ITEMS) as two,
    ):
        found = {query: {text: row[m.text] for text, m in zip(texts(CASES), two.measures, strict=True)}
                 for query, row in two.to_dict()["b"].items()}  # fmt: skip
        assert_same(one.to_dict(), found, texts(CASES))


SHOWN = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
WORTH = {"q": {"a": 0.0, "b": 1.0, "c": 2.0}}
OF_ABC = arrow([("a", 1000.0), ("b", 500.0), ("c", 100.0)], "doc_id", "length")


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        # 4.4 + 0.39 * (18 + 7.8) = 14.462 seconds before b, and 4.4 + 0.64 * (9 + 7.8) = 15.152 more before c
        ("tbg", 0.4928 * (2 ** (-14.462 / 224) + 2 ** (-29.614 / 224))),
        ("tbg@2", 0.4928 * 2 ** (-14.462 / 224)),
        ("tbg(half_life=14.462, rel=1)@2", 0.2464),
        # at level 2 b is not relevant: 4.4 + 0.39 * (9 + 7.8) = 10.952 seconds
        ("tbg(rel=2)", 0.4928 * 2 ** (-25.414 / 224)),
        # 200 + 200 + 100 characters at the end of b, 200 + 20 more at that of c
        ("u_measure", 1 - 500 / 132000 + 2 * (1 - 720 / 132000)),
        ("u_measure(text=600)", 1 - 500 / 600),
        ("u_measure(gain=exp2, unit=10)@3", 1 - 1400 / 132000 + 3 * (1 - 1800 / 132000)),
    ],
)
def test_the_value_is_the_one_worked_out(metric: str, value: float) -> None:
    with sqlrank.evaluate(SHOWN, WORTH, metric, items=OF_ABC) as result:
        assert result[result.measures[0].text] == pytest.approx(value, rel=1e-12)


def test_lengths_may_be_numbers_in_text() -> None:
    run = write_csv("run.csv", RUN_NAMES, rows_of(SHOWN))
    qrels = write_csv("qrels.csv", QRELS_NAMES, rows_of(WORTH))
    items = write_csv("items.csv", ("doc_id", "doc_length"), [("a", "1000"), ("b", "5e2"), ("c", "100.0")])
    outcome = run_cli("eval", run, "--qrels", qrels, "--items", items, "-m", "tbg", "--format", "csv")
    assert float(outcome.table[0]["value"]) == pytest.approx(0.4928 * (2 ** (-14.462 / 224) + 2 ** (-29.614 / 224)))
    assert "length is read from the column doc_length" in outcome.err


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", "1000"), ("b", "500")], "1 document returned has no length, such as 'c' of query 'q'"),
        ([("a", "1000"), ("b", "500"), ("c", "")], "1 document returned has no length"),
        ([("a", "1000"), ("b", "long"), ("c", "1")], "1 of 3 lengths is not a finite number of 0 or more"),
        ([("a", "1000"), ("b", "-1"), ("c", "1")], "such as that of document 'b': '-1'"),
        ([("a", "1000"), ("b", "1"), ("b", "2"), ("c", "1")], "appears more than once in the catalogue"),
    ],
)
def test_lengths_that_are_missing_or_wrong_are_refused(rows: list[tuple[str, str]], said: str) -> None:
    run = write_csv("run.csv", RUN_NAMES, rows_of(SHOWN))
    qrels = write_csv("qrels.csv", QRELS_NAMES, rows_of(WORTH))
    items = write_csv("items.csv", ("doc_id", "length"), rows)
    assert said in error_of(3, "eval", run, "--qrels", qrels, "--items", items, "-m", "tbg")


def test_items_without_lengths_and_no_items_are_refused() -> None:
    with pytest.raises(sqlrank.UsageError, match="tbg: items= is needed"):
        sqlrank.evaluate(SHOWN, WORTH, "tbg")
    with pytest.raises(sqlrank.DataError, match="length"):
        sqlrank.evaluate(SHOWN, WORTH, "tbg", items=arrow([("a", "x")], "doc_id", "category"))


def test_readers_need_judgments() -> None:
    with pytest.raises(sqlrank.SqlrankError, match="judgments"):
        sqlrank.evaluate(SHOWN, None, "tbg", items=OF_ABC)


def test_what_is_reached_after_hundreds_of_half_lives_adds_nothing() -> None:
    items = arrow([("a", 1e9), ("b", 100.0)], "doc_id", "length")
    with sqlrank.evaluate({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1.0}}, "tbg", items=items) as result:
        assert result["tbg"] == 0
