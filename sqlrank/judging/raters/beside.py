"""Inputs next to judgments that say where a bias is: the first documents of systems, and a column of queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows, is_spark
from sqlrank.errors import UsageError
from sqlrank.evaluation.ranking_checks import RankingChecks, rows_by_system
from sqlrank.evaluation.request import list_runs, request_of
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.opened_inputs import InputRows, Opened
from sqlrank.inputs.opening import open_inputs
from sqlrank.inputs.reading import Reading, kind_and_name
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import has, require
from sqlrank.inputs.single_table import open_single
from sqlrank.spelling import plain, spelt
from sqlrank.statement.render import places_statement
from sqlrank.statement.templates import render, sql_text

TOP = 10
"""How many of the first documents of a system are looked at, unless told."""
OF_RUNS = ("score", "rank", "system")
"""The roles of columns that judgments have not."""
SHOWN = ("ties", "order", "duplicates")
"""The conventions that decide which documents are the first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Against whom raters are held, and by what the bias is told apart."""

    reference: str | None = None
    by: str | None = None
    """A column of the judgments, or of a table of queries."""
    queries: Any = None
    runs: Any = None
    systems: Mapping[str, Any] | None = None
    top: int = TOP

    def __post_init__(self) -> None:
        if self.top < 1:
            raise UsageError(f"{spelt('top', self.top)} looks at no document; give 1 or more")
        if self.queries is not None and self.by is None:
            raise UsageError(f"{spelt('queries')} is read for {spelt('by')}: name a column of it")

    @property
    def ranked(self) -> bool:
        """Whether there are systems."""
        return self.runs is not None or self.systems is not None

    @property
    def placed(self) -> list[str]:
        """The options that say where a bias sits."""
        return [*([spelt("by")] if self.by is not None else []), *([spelt("runs")] if self.ranked else [])]

    @property
    def given(self) -> list[Any]:
        """The inputs next to the judgments."""
        runs = [data for _, data in list_runs(self.runs, self.systems)] if self.ranked else []
        return [*runs, *([] if self.queries is None else [self.queries])]


@dataclass(frozen=True, slots=True)
class Places:
    """The first documents of the rankings of some systems."""

    relation: Markup
    """A table of system, query_id and doc_id."""
    systems: list[str]
    top: int
    label: str
    conventions: dict[str, str]


@dataclass(slots=True)
class Beside:
    """The inputs next to judgments, as tables: no file is read after them."""

    places: Places | None = None
    segments: Markup | None = None
    """The segment of each query, of a table of queries."""
    column: str | None = None
    """The column of the judgments that is the segment, where no table of queries has it."""
    notes: list[str] = field(default_factory=list)
    rows: dict[str, InputRows] = field(default_factory=dict)


def open_beside(engine: DuckDBEngine, asked: Asked, reading: Reading, writes: Sequence[str]) -> Beside:
    """Read the inputs next to the judgments; the rows of judgments alone meet the condition of the reading."""
    if any(map(is_spark, asked.given)):
        raise UsageError("raters are compared in DuckDB; give files, or data frames of pandas, polars or Arrow")
    reading = replace(reading, where=None, relevance_map={})
    beside = Beside(column=asked.by)
    if asked.by is not None:
        add_segments(engine, beside, asked.by, asked.queries, reading)
    if asked.ranked:
        add_places(engine, beside, asked, reading, writes)
    return beside


def of_judgments(reading: Reading, asked: Asked) -> Reading:
    """The reading without the columns that are told of the inputs next to the judgments."""
    others = {f"{kind}.{role}" for kind in ("run", "queries") for role in ("query_id", "doc_id", *OF_RUNS)}
    others |= set(OF_RUNS)
    known = {name: column for name, column in reading.columns.items() if name not in others or not asked.given}
    return replace(reading, columns=known)


def columns_of(reading: Reading, kind: str, alone: Collection[str] = ()) -> dict[str, str]:
    """The columns told of one input next to the judgments, and of roles that it `alone` has."""
    return {name: column for name, column in reading.columns.items() if name.startswith(f"{kind}.") or name in alone}


def add_segments(engine: DuckDBEngine, beside: Beside, by: str, queries: Any, reading: Reading) -> None:
    """Find the column of the segments in the table of queries, if there is one that has it, and keep it."""
    kind, name = kind_and_name(by)
    if kind == "run":
        raise UsageError(
            f"{spelt('by', by)}: a bias is told apart by a column of the judgments or of {spelt('queries')}"
        )
    if queries is None:
        if kind == "queries":
            raise UsageError(f"{spelt('by', by)}: there is no table of queries; give it with {spelt('queries')}")
        return
    reading = replace(reading, columns=columns_of(reading, "queries"))
    maker, roles = open_single(engine, queries, "queries", reading, "query_id")
    if kind == "qrels" or (kind is None and not has(roles.table, name)):
        beside.notes.append(f"{roles.table.label}: nothing reads it; {name} is looked up in the judgments")
        return
    need(roles, "queries", ("query_id",))
    chosen = {"query_id": roles.names["query_id"], "segment": require(roles.table, name)}
    relation = maker.make("queries_input", [maker.part(roles, chosen)], roles.table.costly)
    opened = Opened(
        labels={"queries": roles.table.label},
        tables={"queries": roles.table},
        runs=[],
        count=partial(count_rows, engine),
    )
    runner = CheckRunner(engine, opened, {"asked": relation}, "queries", compared=False)
    runner.scan("queries", relation, {"documents": False, "queries": True})
    runner.find("queries_duplicates")
    beside.rows["queries"] = InputRows(runner.rows_read["queries"])
    beside.notes += [*roles.table.notes, *filter(None, [roles.notes.get("query_id")]), *runner.notes]
    beside.segments, beside.column = kept(engine, "query_segments", "segments_of_queries", relation=relation), None


def add_places(engine: DuckDBEngine, beside: Beside, asked: Asked, reading: Reading, writes: Sequence[str]) -> None:
    """Keep the first documents of every ranking."""
    reading = replace(reading, columns=columns_of(reading, "run", OF_RUNS))
    request = replace(request_of(["num_ret"], {"query_set": "run"}), reading=reading)
    given = list_runs(asked.runs, asked.systems)
    inputs = open_inputs(engine, given, None, reading, request.conventions, writes=writes, judged=False)
    request = request.under(replace(inputs.conventions, query_set="run"))
    rows = rows_by_system(engine, inputs)
    checks = RankingChecks(engine, inputs, request)
    checks.scan("run")
    checks.rows_of_lists()
    checks.ranks()
    checks.duplicates()
    name, parts = engine.name("first_documents"), engine.parts(lambda: sum(rows.values()))
    for part in range(parts):
        which = {"part": part, "parts": parts}
        shown = places_statement(engine.dialect, inputs.relations, request.conventions, asked.top, which)
        engine.keep(name, shown, doing="ranking", more=part > 0)
    conventions = {each: plain(getattr(request.conventions, each)) for each in SHOWN}
    relation, label = sql_text(engine.dialect.ident(name)), inputs.labels["run"]
    beside.places = Places(relation, list(rows), asked.top, label, conventions)
    beside.rows |= inputs.run_rows()
    beside.notes += [*inputs.notes, *checks.runner.notes]


def kept(engine: DuckDBEngine, base: str, template: str, **context: Any) -> Markup:
    """Keep the rows of a statement as a table."""
    name = engine.name(base)
    engine.keep(name, render(f"raters/{template}.sql", engine.dialect, **context))
    return sql_text(engine.dialect.ident(name))
