"""Structured arrays of NumPy are tables; arrays without names of columns are refused."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import sqlrank
from tests.support.tables import each

QRELS = {"q1": {"d2": 1}, "q2": {"d1": 1}}
ROWS = [("q1", "d1", 1.0), ("q1", "d2", 2.0), ("q2", "d1", 0.5)]


def structured(query: str = "U4", document: str = "U4", score: str = "f8") -> Any:
    """A run as a structured array."""
    return numpy.array(ROWS, dtype=[("query_id", query), ("doc_id", document), ("score", score)])


READ = {
    "texts and doubles": structured(),
    "records": structured().view(numpy.recarray),
    "bytes": structured("S4", "S4"),
    "objects": structured("O", "O"),
    "half precision": structured(score="f2"),
    "bytes in the other order": structured(score=">f8"),
    "every other row": numpy.repeat(structured(), 2)[::2],
}


@each(READ)
def test_a_structured_array_is_a_table(array: Any) -> None:
    with sqlrank.evaluate(array, QRELS, "rr") as result:
        assert result.to_dict() == {"q1": {"rr": 1.0}, "q2": {"rr": 1.0}}


def test_fields_of_other_kinds_are_columns_too() -> None:
    kinds = [
        ("query_id", "i4"),
        ("doc_id", ">i8"),
        ("score", "f4"),
        ("day", "M8[D]"),
        ("label", "?"),
        ("Label_1", "u1"),
    ]
    array = numpy.array([(1, 7, 2.0, "2026-11-29", True, 0), (1, 8, 1.0, "2026-11-29", False, 0)], dtype=kinds)
    with sqlrank.evaluate(array, metrics="rr", by="day", columns={"relevance": "label"}) as result:
        assert result.rows.project("value").fetchall()[0] == (1.0,)
        assert result.to_dict() == {"1": {"rr": 1.0}}
    judged = numpy.array([("q1", "d2", 1)], dtype=[("query_id", "U2"), ("doc_id", "U2"), ("relevance", ">i2")])
    assert sqlrank.evaluate(structured(), judged, "rr")["rr"] == 1


REFUSED = {
    "two dimensions": (
        numpy.ones((1000, 3)),
        "the run: an array of NumPy of shape (1000, 3) and type float64 has no names",
    ),
    "one dimension": (numpy.ones(5), "of shape (5,)"),
    "objects": (numpy.array([["q1", "d1", 1.0]], dtype=object), "of shape (1, 3) and type object"),
    "structures in two dimensions": (structured().reshape(1, 3), "of shape (1, 3)"),
    "masked values": (
        numpy.ma.masked_array(structured(), mask=[True, False, False]),
        "a masked array of NumPy cannot be read",
    ),
    "lists in a field": (
        numpy.array([("q1", (1.0, 2.0))], dtype=[("query_id", "U2"), ("scores", "f8", 2)]),
        "the field scores holds float64 of shape (1, 2)",
    ),
}


@each(REFUSED)
def test_other_arrays_are_refused_with_what_to_pass(case: tuple[Any, str]) -> None:
    array, said = case
    with pytest.raises(sqlrank.UsageError) as error:
        sqlrank.evaluate(array, QRELS, "rr")
    assert said in str(error.value)
    with pytest.raises(sqlrank.UsageError, match="the qrels: "):
        sqlrank.evaluate({"q1": {"d1": 1.0}}, array, "rr")
