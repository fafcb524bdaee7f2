"""Reading judgments with their raters, and checking their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import UsageError
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.opened_inputs import Opened
from sqlrank.inputs.pool_files import only_judged
from sqlrank.inputs.reading import Reading, named_run, system_of
from sqlrank.inputs.relation_maker import Part
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles
from sqlrank.inputs.single_table import lock, open_single
from sqlrank.inputs.table import listed
from sqlrank.statement.templates import render, sql_text

KIND = "judgments"
NEEDED = ("query_id", "doc_id", "rater", "relevance")
RATER_FIRST = "rater".__ne__
"""The order of columns by which the rows of tables with a column of raters and of those of one rater are united."""


@dataclass(slots=True, kw_only=True)
class RatedJudgments(Opened):
    """Judgments with their raters as opened."""

    read: Markup
    """The relation with the values as they are in the file."""
    relation: Markup
    """The same with ids as text and relevances as numbers."""


def open_judgments(engine: DuckDBEngine, data: Any, reading: Reading, writes: Sequence[str] = ()) -> RatedJudgments:
    """Find, describe and open judgments; DataError if a column is missing or may be one of two.

    Of several tables, one without a column of raters is that of one rater, who is called as the table is.
    """
    given_tables = tables_in(data)
    opened = [open_single(engine, one, KIND, reading, "query_id and relevance") for _, one in given_tables]
    maker, several = opened[0][0], len(given_tables) > 1
    tables = [roles.table for _, roles in opened]
    lock(engine, reading, [roles for _, roles in opened], writes)
    parts, unfilled = [], 0
    for number, ((given, one), (_, roles)) in enumerate(zip(given_tables, opened, strict=True)):
        alone = several and (given is not None or not {"rater"} & {*roles.names, *roles.unclear})
        named = [role for role in NEEDED if role != "rater" or not alone]
        need(roles, KIND, named)
        chosen = {role: roles.names[role] for role in sorted(named, key=RATER_FIRST)}
        part = maker.part(roles, chosen, where=reading.where)
        part, blank = only_judged(engine, roles, part, reading.unjudged_labels)
        unfilled += blank
        rater = given or system_of(one, number, not roles.table.files)
        parts.append(replace(part, rater=rater) if alone else part)
    check_raters([part.rater for part in parts if part.rater is not None])
    read = maker.make(f"{KIND}_input", parts, any(table.costly for table in tables))
    name = engine.name(KIND)
    sql = render("raters/judgments.sql", engine.dialect, name=name, relation=read)
    engine.make("view", name, sql)
    return RatedJudgments(
        labels={KIND: " and ".join(dict.fromkeys(table.label for table in tables))},
        tables={KIND: tables[0] if reading.where is None and not several else None},
        runs=tables,
        count=partial(count_rows, engine),
        sources=[*maker.sources, sql],
        unfilled=unfilled,
        notes=[note for _, roles in opened for note in notes_of(roles)] + raters_of(parts),
        where=reading.where,
        filtered=0 if reading.where is None else maker.count_filtered(tables, read) - unfilled,
        read=read,
        relation=sql_text(engine.dialect.ident(name)),
    )


def tables_in(data: Any) -> list[tuple[str | None, Any]]:
    """The tables of judgments, each with the name that was given to its rater; UsageError if there are none."""
    given = list(data) if isinstance(data, list | tuple) else [data]
    if not given:
        raise UsageError("the list of judgments is empty")
    if len(given) == 1:
        return [(None, given[0])]
    return [named_run(one) if isinstance(one, str) else (None, one) for one in given]


def check_raters(names: Sequence[str]) -> None:
    """Raise UsageError if two tables would be of one rater."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two raters are called {twice!r}; name them with name=path")


def notes_of(roles: Roles) -> list[str]:
    """The notes on a table and on the columns that were chosen."""
    return [*roles.table.notes, *(note for role, note in roles.notes.items() if role in NEEDED)]


def raters_of(parts: Sequence[Part]) -> list[str]:
    """A note on tables that are those of one rater each."""
    raters = [part.rater for part in parts if part.rater is not None]
    return [f"the files have no column for the rater; each is one rater: {listed(raters)}"] if raters else []


def check_rows(engine: DuckDBEngine, judgments: RatedJudgments) -> CheckRunner:
    """Check the rows, and return what ran the checks, with the number of rows."""
    runner = CheckRunner(engine, judgments, {}, KIND, compared=False)
    variables = {"queries": True, "documents": True, "rater": True, "labelled": False, "marked": "doc_id"}
    runner.scan(KIND, judgments.read, variables, also="qrels")
    runner.find("rater_repeats", KIND, relation=judgments.relation, documents=True)
    return runner
