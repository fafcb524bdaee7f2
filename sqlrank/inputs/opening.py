"""Opening inputs: found, described and opened before anything is computed."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError
from sqlrank.inputs.builder import Builder
from sqlrank.inputs.column_names import SEARCH_INDEX
from sqlrank.inputs.duckdb_tables import open_input
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.inputs.reading import Reading, Scored, folder_of, named_run, system_of
from sqlrank.inputs.required_roles import Found, System
from sqlrank.inputs.roles import Roles, check_role_names, find_roles, require
from sqlrank.inputs.row_order import check_row_ids, with_row_roles, with_rows
from sqlrank.inputs.table import Table
from sqlrank.inputs.text_lists import with_points, with_text_lists
from sqlrank.spelling import spelt

if TYPE_CHECKING:
    from sqlrank.metrics.tools import Preset


def open_inputs(
    engine: Engine,
    runs: Sequence[tuple[str | None, Any]],
    qrels: Any,
    reading: Reading,
    conventions: Conventions,
    needs: Mapping[str, str] = MappingProxyType({}),
    writes: Sequence[str] = (),
    locked: bool = False,
    judged: bool | None = True,
    given: Collection[str] = (),
    preset: Preset | None = None,
) -> Inputs:
    """Find, describe and open the inputs.

    `needs` is what metrics cannot do without, with these metrics: `subtopic` (a column of the judgments), `items`,
    `category`, `length` and `vector` (columns of those), `history`, `baseline` or `judgments`; or `titles`, for which a
    table of queries is read elsewhere.
    `locked` says that SQL of the user runs besides `reading.where`. `judged` is False for rankings that are compared
    without judgments, None for metrics that need none. `given` are the conventions that were asked for one by one.
    """
    judged_by = judgments_in(qrels)
    apart = not judged_by and judged is not False and reading.conditions.parts_labels
    if reading.scores is not None:
        runs = scored_runs(runs, reading.scores)
    everything = [*parts_of(data for _, data in runs), *judged_by, *reading.others().values()]
    if sum(isinstance(data, str) and data == "-" for data in everything) > 1:
        raise UsageError("standard input can be read only once: give one -")
    sources = []
    if reading.timezone is not None:
        engine.use_timezone(reading.timezone)
    if reading.database is not None and isinstance(engine, DuckDBEngine):
        from sqlrank.inputs.databases import attach

        sources += attach(engine, reading.database)

    def opened_roles(data: Any, kind: str) -> Roles:
        role = {"baseline": "run", "qrels": reading.judged_role}.get(kind, kind)
        filtered = "query_set" in given if judged_by else not apart
        told = kind == "run" and filtered  # else queries that it empties are looked for
        opened = open_input(engine, data, role, reading if told else replace(reading, where=None))
        roles = roles_of(engine, opened, kind, reading)
        if not (roles.composed or roles.positive or reading.computed):
            return roles
        from sqlrank.inputs.prepared_tables import computed_in, prepared

        return prepared(engine, roles, computed_in(engine, roles.table, kind, reading))

    check_role_names(reading.columns)
    if reading.own_sql:
        from sqlrank.inputs.conditions import check_columns, check_computed
        from sqlrank.statement.conditions import check_condition

        for option, text in reading.own_sql:
            check_condition(text, engine.dialect, option)
    if reading.conditions.qrels is not None and not (judged_by or apart):
        raise UsageError(f"{spelt('where', reading.judged_role)}: there are no judgments of their own to filter")
    opened = []
    for number, (name, data) in enumerate(runs):
        roles = opened_roles(data, "run")
        if reading.where is not None and isinstance(engine, DuckDBEngine):
            check_columns(reading.where, roles.table)
        opened.append(System(name, system_of(data, number, not roles.table.files), roles))
    opened = told_apart(opened, [data for _, data in runs])
    beside = {"items", "history", "baseline"} & reading.others().keys()
    check_row_ids(opened, apart=bool(judged_by or beside) or judged is False)
    judgments = [opened_roles(data, "qrels") for data in judged_by]
    if reading.conditions.qrels is not None and isinstance(engine, DuckDBEngine):
        for roles in judgments:
            check_columns(reading.conditions.qrels, roles.table, f"where {reading.judged_role}:")
    if any(SEARCH_INDEX in system.roles.table.columns for system in opened):
        from sqlrank.inputs.search_indices import told_apart_by_index

        opened, judgments = told_apart_by_index(engine, opened, judgments)
    found = {kind: opened_roles(data, kind) for kind, data in reading.others().items()}
    every = [*(system.roles for system in opened), *judgments, *found.values()]
    check_roles_used(reading.columns, every)
    if reading.own_sql:
        check_computed(reading, [roles.table for roles in every])
    if locked or reading.own_sql:
        keep_apart(engine, reading, [*allowed(every_file(every)), *writes])
    if reading.positives is not None:
        from sqlrank.inputs.prepared_tables import check_positive

        for roles in judgments:
            check_positive(engine, roles, reading.relevance_map, reading.conditions.qrels)
    if judged is None:
        judged = bool(judgments) or any("relevance" in {*one.roles.names, *one.roles.unclear} for one in opened)
    if apart and judged:
        judgments = [one.roles for one in opened]
    if preset is not None or reading.positives is not None or not judged:
        from sqlrank.inputs.settled_conventions import settled

        conventions = settled(conventions, preset, reading, given, [one.roles for one in opened], judged)
    ordered = "order" in given
    every_input = Found(opened, found, conventions, needs, judged, judgments, ordered, parted=apart and judged)
    builder = Builder(engine, reading, every_input)
    builder.maker.sources += sources
    return builder.build()


def scored_runs(runs: Sequence[tuple[str | None, Any]], scores: Any) -> list[tuple[str | None, Any]]:
    """The runs with the scores of each: one run with several scores is as many systems."""
    if isinstance(scores, Mapping):
        given: list[tuple[str | None, Any]] = [(str(name), each) for name, each in scores.items()]
    else:
        several = isinstance(scores, list | tuple) and bool(scores) and not isinstance(scores[0], Real)
        every = list(scores) if several else [scores]
        given = [named_run(str(each)) if isinstance(each, str | os.PathLike) else (None, each) for each in every]
    if len(runs) == 1:
        runs = list(runs) * len(given)
    if len(runs) != len(given):
        raise UsageError(
            f"{spelt('scores')}: {len(given)} for {len(runs)} runs; give one for each, or several for one run"
        )
    for _, data in runs:
        if not isinstance(data, str | os.PathLike):
            raise UsageError(f"{spelt('scores')} are of the lines of a LETOR file; name the file")
    return [
        (named or name, Scored(str(data), each, len(given) > 1))
        for (name, data), (named, each) in zip(runs, given, strict=True)
    ]


def told_apart(systems: list[System], runs: Sequence[Any]) -> list[System]:
    """Systems of patterns, called by the folders of their files where these are called alike."""
    names = [system.name for system in systems]
    return [
        replace(system, stem=folder_of(str(data)) or system.stem)
        if names.count(system.name) > 1 and system.given is None and glob.has_magic(str(data))
        else system
        for system, data in zip(systems, runs, strict=True)
    ]


def judgments_in(qrels: Any) -> list[Any]:
    """The tables of judgments: none, one, or those of a list; UsageError for an empty one, or one of rows."""
    if not isinstance(qrels, list | tuple):
        return [] if qrels is None else [qrels]
    if not qrels:
        raise UsageError("the list of judgments is empty")
    for data in qrels:
        if data is None or isinstance(data, list | tuple | bytes | int | float):
            raise UsageError(
                f"a list holds several judgments, each a path, a frame or {{query: {{document: relevance}}}}, not"
                f" {data!r:.60}; for rows, make a data frame of them"
            )
    return list(qrels)


def keep_apart(engine: Engine, reading: Reading, files: Sequence[str]) -> None:
    """Restrict user SQL to the inputs and limit its time; UsageError if the connection hides a function it may call."""
    from sqlrank.inputs.conditions import check_functions
    from sqlrank.statement.conditions import spelt_sql

    if isinstance(engine, DuckDBEngine) and not engine.owned:
        check_functions(engine)
    whose = spelt_sql(*reading.own_sql[0]) if reading.own_sql else "a metric of your own"
    engine.limit = (reading.sql_time_limit, whose)
    engine.lock(files)


def check_roles_used(told: Mapping[str, str], every: Sequence[Roles]) -> None:
    """Raise if a --column role matches no input."""
    for role, column in told.items():
        if not any(role in roles.given for roles in every):
            require(every[0].table, column)
            raise UsageError(f"{spelt('columns', {role: column})}: no input has this role")


def allowed(files: Iterable[str]) -> list[str]:
    """The paths of the inputs as DuckDB compares them: as written, escaped for its globs, and absolute."""
    return [path for file in files for path in (file, glob.escape(file), str(Path(file).resolve()))]


def parts_of(runs: Iterable[Any]) -> Iterator[Any]:
    """The inputs that runs are made of: lines with scores are two."""
    for data in runs:
        yield from (data.lines, data.scores) if isinstance(data, Scored) else (data,)


def every_file(every: Iterable[Roles]) -> Iterator[str]:
    """The files that tables read, with those next to them."""
    return (file for roles in every for file in (*roles.table.files, *roles.table.beside))


def roles_of(engine: Engine, table: Table, kind: str, reading: Reading) -> Roles:
    """The columns of a table by role, after lists and fields inside columns became columns of one value.

    Raises:
        DataError: a column that was told is not there, or there are lists without a way to read them.
    """
    given, table = table, with_text_lists(engine, table, kind, reading)
    if table is not given:
        reading = replace(reading, separator=None)
    table = with_rows(engine, table, kind, reading)
    told = any("." in text or "[]" in text for text in reading.columns.values())
    if not told and reading.separator is None and not table.may_have_lists:
        return as_read(engine, find_roles(table, kind, reading), reading)
    from sqlrank.inputs.lists import roles_within

    return as_read(engine, roles_within(engine, table, kind, reading), reading)


def as_read(engine: Engine, roles: Roles, reading: Reading) -> Roles:
    """The roles of a table whose columns hold what they are read as."""
    return with_points(engine, with_row_roles(engine, roles), reading)
