"""Statements of votes on the engines that are here: the votes of the command."""

from __future__ import annotations

from typing import Any

from sqlrank.log import interleave_sql
from tests.interleaving.test_statements import CASES, check, shown, told
from tests.support.engines import on_engines, session

COLUMNS = (
    *("impression_id", "query_id", "doc_id", "position", "clicked", "team", "user_id"),
    *("rank_a", "rank_b", "cart", "device"),
)


def plain(value: Any) -> str | int | None:
    """A value of a frame as a text, a whole number, or nothing."""
    if isinstance(value, str) or value is None:
        return value
    return None if value != value else int(value)


@on_engines("case", range(len(CASES)))
def test_an_engine_gives_the_votes_of_the_command(engine: str, case: int) -> None:
    options, same = CASES[case]
    data = shown()
    texts = data[list(COLUMNS)].astype(dict.fromkeys(COLUMNS[:3], str))
    texts["user_id"] = [None if user != user else f"u{user:.0f}" for user in data["user_id"]]
    rows = [tuple(map(plain, row)) for row in texts.itertuples(index=False)]
    opened = session(engine, shown=(rows, COLUMNS))
    names, found = opened.query(interleave_sql("shown", dialect=engine, **options))

    columns = [name.lower() for name in names]
    check([dict(zip(columns, row, strict=True)) for row in found], told(same, data))
