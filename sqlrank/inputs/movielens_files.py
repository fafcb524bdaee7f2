"""Ratings of MovieLens: the user, the movie, the rating and the time of each, without names."""

from __future__ import annotations

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError
from sqlrank.inputs.files import Files
from sqlrank.inputs.headings import Heading
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

COLUMNS = ("query_id", "doc_id", "relevance", "timestamp")


def read_ratings(engine: DuckDBEngine, given: Files) -> Table:
    """Ratings as a table of judgments."""
    headings = [Heading(read, engine.called(read)) for read, _ in given.pairs]
    delimiter = "::" if "::" in headings[0].line else "\t"
    for heading in headings:
        if len(heading.line.split(delimiter)) != len(COLUMNS):
            wanted = delimiter.join(("user", "movie", "rating", "time"))
            raise DataError(f"{heading.label}: the first line is not as {wanted!r}: {heading.line[:100]!r}")
    context = {"header": False, "delimiter": delimiter, "hive": False}

    def reader(place: int) -> Markup:
        groups = [
            {"before": heading.before, "names": COLUMNS, "files": [engine.pattern(pair[place])]}
            for heading, pair in zip(headings, given.pairs, strict=True)
        ]
        return sql_text(render("sources/csv.sql", engine.dialect, **context, groups=groups))

    return Table(
        given.label,
        reader(0),
        dict.fromkeys(COLUMNS, "VARCHAR"),
        tuple(given.paths),
        costly=True,
        text=True,
        first_line=headings[0].before + 1,
        portable=reader(1) if any(read != named for read, named in given.pairs) else None,
        notes=(
            f"{given.label}: read as ratings of MovieLens: user is query_id, movie is doc_id, rating is relevance;"
            f" {spelt('rel')} says from which rating on a movie is relevant",
        ),
    )
