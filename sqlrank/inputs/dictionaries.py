"""Inputs as dictionaries of Python: `{query: {document: number}}`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate, chain, repeat
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError
from sqlrank.statement.templates import render, sql_text

WORTH_ARROW = 200_000
"""From how many rows of dictionaries on importing pyarrow pays."""


def pairs_in(data: Mapping[Any, Any], role: str) -> Mapping[Any, Any]:
    """A dictionary of dictionaries; that of positives may hold lists or sets of documents."""
    if role != "positives":
        return data
    found = {}
    for query, documents in data.items():
        listed = isinstance(documents, list | tuple | set | frozenset)
        if not isinstance(documents, Mapping) and not (
            listed and all(isinstance(each, str | int) for each in documents)
        ):
            raise DataError(f"the positives must be {{query: [document, ...]}}, not {documents!r:.60} for {query!r}")
        found[query] = dict.fromkeys(documents, 1) if listed else documents
    return found


def load_nested(engine: DuckDBEngine, name: str, data: Mapping[Any, Any], value: str, role: str) -> bool:
    """Load `{query: {document: number}}` into a table; whether no document can stand in a query twice."""
    try:
        pairs = pairs_of(data)
        arrow = pairs.arrow(value)
        columns: list[list[Any]] = [] if arrow is not None else [pairs.each_query(), pairs.documents, pairs.floats()]
    except OverflowError as error:
        raise DataError(f"the {role}: a number is too large for 64 bits: {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise DataError(f"the {role} must be {{query: {{document: number}}}}: {error}") from error
    if arrow is None:
        engine.load(name, {"query_id": "varchar", "doc_id": "varchar", value: "double"}, columns)
        return pairs.distinct
    source = f"{name}_arrow"
    engine.register(source, arrow)
    reader = sql_text(engine.dialect.ident(source))
    engine.keep(name, render("sources/every_row.sql", engine.dialect, relation=reader))
    engine.unregister(source)
    return pairs.distinct


@dataclass(frozen=True)
class Pairs:
    """The queries of a dictionary, how many documents each has, and the documents and numbers of all."""

    queries: list[str]
    lengths: list[int]
    documents: list[str]
    numbers: list[Any]
    distinct: bool
    """Whether every id is a text: others may have equal texts."""

    def each_query(self) -> list[str]:
        """The query of each document."""
        return list(chain.from_iterable(map(repeat, self.queries, self.lengths)))

    def floats(self) -> list[float | None]:
        """The numbers of 64 bits; OverflowError says which document has none."""
        if set(map(type, self.numbers)) <= {float}:
            return self.numbers
        pairs = zip(self.documents, self.numbers, strict=True)
        return [None if number is None else float_of(document, number) for document, number in pairs]

    def arrow(self, value: str) -> Any:
        """A table of Arrow, which DuckDB reads many times as fast; None where importing it takes longer."""
        if "pyarrow" not in sys.modules and (len(self.documents) < WORTH_ARROW or find_spec("pyarrow") is None):
            return None
        import pyarrow

        held = [(query, length) for query, length in zip(self.queries, self.lengths, strict=True) if length]
        ends = pyarrow.array(accumulate(length for _, length in held), pyarrow.int64())
        queries = pyarrow.array([query for query, _ in held], pyarrow.string())
        try:
            numbers = pyarrow.array(self.numbers, pyarrow.float64())
        except (pyarrow.ArrowException, TypeError):
            numbers = pyarrow.array(self.floats(), pyarrow.float64())
        documents = pyarrow.array(self.documents, pyarrow.string())
        columns = [pyarrow.RunEndEncodedArray.from_arrays(ends, queries), documents, numbers]
        return pyarrow.table(columns, ["query_id", "doc_id", value])


def pairs_of(data: Mapping[Any, Any]) -> Pairs:
    """The pairs of a dictionary; without a look at each from Python where all are texts."""
    distinct = all(type(query) is str for query in data)
    queries = list(data) if distinct else [query if type(query) is str else id_text(query) for query in data]
    lengths = [len(pairs) for pairs in data.values()]
    documents: list[Any] = list(chain.from_iterable(data.values()))
    numbers: list[Any] = list(chain.from_iterable(pairs.values() for pairs in data.values()))
    if set(map(type, documents)) - {str}:
        distinct = False
        documents = [each if type(each) is str else id_text(each) for each in documents]
    return Pairs(queries, lengths, documents, numbers, distinct)


def float_of(document: str, number: Any) -> float:
    """A number of 64 bits; OverflowError says which document has none."""
    try:
        return float(number)
    except OverflowError as error:
        raise OverflowError(f"that of {document!r:.40}") from error


def id_text(value: Any) -> str:
    """An id of a dictionary as text; ValueError if it is none."""
    if value is None or value is True or value is False or not value == value:
        raise ValueError(f"{value!r} is not an id")
    if isinstance(value, bytes | bytearray | memoryview):
        raise ValueError(f"the id {value!r:.40} is bytes; decode it, as with .decode()")
    return str(value)
