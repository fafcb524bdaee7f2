"""A statement that compares whole numbers as they are gives, in each engine, what it gives with their texts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import sqlrank
from tests.engines.test_engines import near
from tests.evaluation.test_native_ids import QRELS, QUERIES, RUN
from tests.support.engines import on_engines, session

Row = tuple[Any, ...]


def texts(rows: Iterable[Row]) -> list[Row]:
    """Rows with the whole numbers of ids as texts; other numbers are of other types, or stand last."""
    return [(*(str(value) if isinstance(value, int) else value for value in row[:-1]), row[-1]) for row in rows]


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Rows by what tells them apart."""
    return sorted(map(tuple, rows), key=lambda row: [repr(value) for value in row if not isinstance(value, float)])


TABLES = {
    "texts_of_runs": (texts(RUN), ("system", "query_id", "doc_id", "score", "rank", "country")),
    "texts_of_run": (
        texts(row[1:] for row in RUN if row[0] == "a"),
        ("query_id", "doc_id", "score", "rank", "country"),
    ),
    "texts_of_qrels": (texts(QRELS), ("query_id", "doc_id", "relevance")),
    "texts_of_queries": (texts(QUERIES), ("query_id", "kind", "weight")),
}
WHOLE = {"clickhouse": "Int64"}
"""What engines call whole numbers of 64 bits, where that is not bigint."""
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("run", {"metrics": "ndcg@3"}),
    ("run", {"metrics": "ap", "ties": "doc-asc"}),
    ("run", {"metrics": "ndcg@3, ap, rr", "summary": True, "by": "run.country"}),
    ("runs", {"metrics": "ndcg@3, ap", "columns": {"system": "system"}, "query_set": "run", "unjudged": "remove"}),
    ("run", {"metrics": "ap, p@2", "queries": "queries", "by": "kind", "weight": "queries.weight", "summary": True}),
    ("run", {"metrics": "bpref, ndcg(gain=exp2)", "ties": "worst", "keep": "country", "duplicates": "best"}),
]


@on_engines("form", FORMS, every=True)
def test_values_are_those_of_texts(engine: str, form: tuple[str, dict[str, Any]]) -> None:
    run, options = form
    here, kind = session(engine, **TABLES), WHOLE.get(engine, "bigint")
    for name, (_, columns) in TABLES.items():
        read = [f"cast({column} as {kind}) as {column}" if column.endswith("_id") else column for column in columns]
        here.view(name.removeprefix("texts_of_"), f"select {', '.join(read)} from {name}")

    by_text, native = (sqlrank.sql(run, "qrels", dialect=engine, ids=ids, **options) for ids in ("text", "native"))

    assert native != by_text
    names, rows = here.query(native)
    wanted_names, wanted = here.query(by_text)
    assert names == wanted_names
    assert len(rows) == len(wanted)
    pairs = zip(chain(*in_order(rows)), chain(*in_order(wanted)), strict=True)
    assert [pair for pair in pairs if not near(*pair)] == []
