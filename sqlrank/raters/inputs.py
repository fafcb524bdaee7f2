"""Reading judgments with their raters, and checking their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.needed_roles import need
from sqlrank.inputs.opened import Opened
from sqlrank.inputs.pools import count_unfilled, filled
from sqlrank.inputs.reading import Reading
from sqlrank.raters.opened import open_rated
from sqlrank.statement.templates import render, sql_text

KIND = "judgments"
NEEDED = ("query_id", "doc_id", "rater", "relevance")


@dataclass(slots=True, kw_only=True)
class RatedJudgments(Opened):
    """Judgments with their raters as opened."""

    read: Markup
    """The relation with the values as they are in the file."""
    relation: Markup
    """The same with ids as text and relevances as numbers."""


def open_judgments(engine: DuckDBEngine, data: Any, reading: Reading, writes: Sequence[str] = ()) -> RatedJudgments:
    """Find, describe and open judgments; DataError if a column is missing or may be one of two."""
    maker, roles = open_rated(engine, data, KIND, reading, "relevance", writes)
    table = roles.table
    need(roles, KIND, NEEDED)
    part = maker.part(roles, {role: roles.names[role] for role in NEEDED}, where=reading.where)
    labels = reading.unjudged_labels
    unfilled = count_unfilled(engine, roles, labels)
    part = replace(part, judged=filled(engine, roles, labels)) if unfilled else part
    read = maker.make(f"{KIND}_input", [part], table.costly)
    name = engine.name(KIND)
    sql = render("raters/judgments.sql", engine.dialect, name=name, relation=read)
    engine.make("view", name, sql)
    return RatedJudgments(
        labels={KIND: table.label},
        tables={KIND: table if reading.where is None else None},
        runs=[table],
        count=partial(count_rows, engine),
        sources=[*maker.sources, sql],
        unfilled=unfilled,
        notes=[*table.notes, *(note for role, note in roles.notes.items() if role in NEEDED)],
        where=reading.where,
        filtered=0 if reading.where is None else maker.count_filtered([table], read),
        read=read,
        relation=sql_text(engine.dialect.ident(name)),
    )


def check_rows(engine: DuckDBEngine, judgments: RatedJudgments) -> CheckRunner:
    """Check the rows, and return what ran the checks, with the number of rows."""
    runner = CheckRunner(engine, judgments, {}, KIND, compared=False)
    variables = {"queries": True, "documents": True, "rater": True, "labelled": False, "marked": "doc_id"}
    runner.scan(KIND, judgments.read, variables, also="qrels")
    runner.find("rater_repeats", KIND, relation=judgments.relation, documents=True)
    return runner
