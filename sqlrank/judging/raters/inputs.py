"""Reading judgments with their raters, and checking their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.opened_inputs import Opened
from sqlrank.inputs.pool_files import only_judged
from sqlrank.inputs.reading import Reading, kind_and_name, named_run, system_of
from sqlrank.inputs.relation_maker import Part, RelationMaker
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles, has, require
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
    raters: list[str]
    """The raters of whole tables, in their order."""
    segments: Markup | None
    """The rows of query_id, doc_id and segment, where a column of judgments is that."""


def open_judgments(
    engine: DuckDBEngine, data: Any, reading: Reading, writes: Sequence[str] = (), by: str | None = None
) -> RatedJudgments:
    """Find, describe and open judgments; DataError if a column is missing or may be one of two.

    Each of several tables without a column of raters is one rater, who is called as the table is. `by` is the column
    of segments, which some of the tables have.
    """
    given_tables = tables_in(data)
    opened = [open_single(engine, one, KIND, reading, "query_id and relevance") for _, one in given_tables]
    maker, several = opened[0][0], len(given_tables) > 1
    tables = [roles.table for _, roles in opened]
    lock(engine, reading, [roles for _, roles in opened], writes)
    parts, unfilled = [], 0
    for number, ((given, one), (_, roles)) in enumerate(zip(given_tables, opened, strict=True)):
        alone = several and (given is not None or not {"rater"} & {*roles.names, *roles.unclear})
        rater = (given or system_of(one, number, not roles.table.files)) if alone else None
        part, blank = part_of(maker, roles, rater)
        parts.append(part)
        unfilled += blank
    check_raters([part.rater for part in parts if part.rater is not None])
    read = maker.make(f"{KIND}_input", parts, any(table.costly for table in tables))
    segments = None if by is None else segments_of(maker, [roles for _, roles in opened], by)
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
        raters=[part.rater for part in parts if part.rater is not None],
        segments=segments,
    )


def part_of(maker: RelationMaker, roles: Roles, rater: str | None) -> tuple[Part, int]:
    """A table of judgments, all of one rater unless a column names them, and how many of its rows are unjudged."""
    named = [role for role in NEEDED if role != "rater" or rater is None]
    need(roles, KIND, named)
    chosen = {role: roles.names[role] for role in sorted(named, key=RATER_FIRST)}
    part = maker.part(roles, chosen, where=maker.reading.where)
    part, unfilled = only_judged(maker.engine, roles, part, maker.reading.unjudged_labels)
    return replace(part, rater=rater), unfilled


def segments_of(maker: RelationMaker, tables: Sequence[Roles], by: str) -> Markup:
    """The rows of the tables of judgments that have a column, with that as their segment; DataError if none has it."""
    name = by if any(has(roles.table, by) for roles in tables) else kind_and_name(by)[1]
    holding = [roles for roles in tables if has(roles.table, name)] or tables[:1]
    parts = []
    for roles in holding:
        chosen = {role: roles.names[role] for role in ("query_id", "doc_id")}
        chosen["segment"] = require(roles.table, name)
        part = maker.part(roles, chosen, where=maker.reading.where)
        parts.append(only_judged(maker.engine, roles, part, maker.reading.unjudged_labels)[0])
    return maker.make(f"{KIND}_segments", parts, any(roles.table.costly for roles in holding))


def check_segments(engine: DuckDBEngine, judgments: RatedJudgments, segments: Markup, by: str) -> None:
    """Raise DataError if the judgments of a pair are of two segments."""
    found = engine.gather([render("raters/segments_differ.sql", engine.dialect, relation=segments)])[0]
    for row in found:
        raise DataError(
            f"{judgments.labels[KIND]}: the judgments of a pair have more than one {by} (cases: {row['findings']}):"
            f" those of document {row['doc_id']!r} of query {row['query_id']!r} have {row['segment']!r} and"
            f" {row['another']!r}; a pair is of one segment"
        )


def tables_in(data: Any) -> list[tuple[str | None, Any]]:
    """The tables of judgments, each with the name that was given to its rater; UsageError if there are none."""
    if isinstance(data, Mapping | list | tuple) and not data:
        raise UsageError("there are no judgments: the list or dictionary of them is empty")
    if isinstance(data, Mapping):
        return [(str(name), one) for name, one in data.items()]
    given = list(data) if isinstance(data, list | tuple) else [data]
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
