"""Statements of judgments on the engines that are here: the labels of the command."""

from __future__ import annotations

from typing import Any

from sqlrank.log import judgments_sql
from tests.behaviour.simulated import EXAMINATION, logged
from tests.behaviour.test_statements import CLOSED, asked, check, of_command
from tests.support.engines import on_engines, session

COLUMNS = ("impression_id", "query_id", "doc_id", "position", "clicked")


def shown() -> Any:
    """A log whose ids are texts."""
    data = logged("pbm", impressions=600).frame()[list(COLUMNS)]
    return data.astype(dict.fromkeys(COLUMNS[:3], str))


@on_engines("method", CLOSED)
def test_an_engine_gives_the_labels_of_the_command(engine: str, method: str) -> None:
    data, places = shown(), [(place, float(chance)) for place, chance in enumerate(EXAMINATION, 1)]
    rows = [tuple(row) for row in data.itertuples(index=False)]
    opened = session(engine, shown=(rows, COLUMNS), propensities=(places, ("position", "propensity")))
    names, found = opened.query(judgments_sql("shown", method=method, dialect=engine, **asked(method)))

    columns, counts = [name.lower() for name in names], ("impressions", "clicks")
    labels = [dict(zip(columns, row, strict=True)) for row in found]
    check([row | {name: float(row[name]) for name in counts} for row in labels], of_command(data, method))
