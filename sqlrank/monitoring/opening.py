"""What is monitored, opened: an export that is evaluated once, or per-query rows that an evaluation stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, counted
from sqlrank.evaluation.bounds import bounded
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.judged_share import pool_measure, with_pool
from sqlrank.evaluation.request import Request, list_runs
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.storable import bound_columns
from sqlrank.evaluation.stored import Stored, check_conventions, check_reading, name_in, open_stored, texts_of_all
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.opening import judgments_in
from sqlrank.inputs.reading import bare_name, kind_and_name
from sqlrank.inputs.roles import find_roles, has, require
from sqlrank.inputs.table import Table
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Measure
from sqlrank.monitoring.daily import PerQueryRows
from sqlrank.monitoring.watching import Watching, of_days_as_systems, of_sessions, refusal
from sqlrank.spelling import spelt
from sqlrank.statement.relations import Relation
from sqlrank.statement.templates import render, sql_text

ONE_SYSTEM = "run"
"""What the one system is called where its column holds the days."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A relation with a row for each document shown, and what its columns are."""

    relation: Markup
    query: str | None
    """The column of the queries; None where one is another query on each day."""
    document: str
    day: str
    system: str | None
    """The column of the systems, where that tells charts apart."""


@dataclass(slots=True)
class Opened:
    """Per-query rows, and what is said of them."""

    rows: PerQueryRows
    measures: tuple[Measure, ...]
    conventions: Conventions
    notes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """How the values came about."""
    judged: tuple[Measure, str] | None = None
    """The share of judged documents, and its column, where it is known."""
    shown: Shown | None = None
    """The documents that were shown, of an export."""
    judgments: Relation | None = None
    """The judgments of an export whose queries come again and are held against the same ones every day."""
    renewed: tuple[str, ...] = ()
    """The days from which on the judgments are others."""
    bounds: Mapping[str, str] = field(default_factory=dict)
    """The columns of upper bounds, by the metrics that have them."""


def opened(
    engine: DuckDBEngine,
    asked: Watching,
    run: Any,
    qrels: Any,
    options: dict[str, Any],
    checks: bool,
    writes: Sequence[str],
) -> Opened:
    """Open what is monitored; an export is evaluated."""
    (name, data), *others = list_runs(run, None)
    if others:
        raise UsageError("monitor takes one export; one with a column system has charts of each of its systems")
    stored = open_stored(engine, name, data, asked.request.reading)
    if stored is not None:
        if qrels is not None:
            raise UsageError(f"{stored.label} holds values, not rankings: leave out {spelt('qrels')}")
        return of_stored(asked, stored, options)
    if asked.day is None:
        raise UsageError(
            f"{spelt('day')} is missing: the column of the days, such as {spelt('day', 'dt')}; only a store of days"
            " needs none"
        )
    fitted = fit(engine, asked, asked.day, data, qrels).request
    request = fitted if qrels is None else with_pool(fitted, fitted.measures)
    if asked.bounds:
        request = replace(request, bounded=tuple(bounded(fitted.measures, fitted.conventions, asked.named)))
    result = evaluate_request(engine, request, [(name, data)], qrels, checks, writes, day=asked.day)
    label = str(data) if isinstance(data, str | Path) else "the export"
    day = bare_name(asked.day) if asked.day in request.reading.by else None
    found = of_result(asked, fitted, result, label, day)
    return with_bounds(found, result, request.bounded) if request.bounded else found


def fit(engine: DuckDBEngine, asked: Watching, day: str, run: Any, qrels: Any) -> Watching:
    """What is asked for, such that a query may come again on another day."""
    reading = asked.request.reading
    kind, name = kind_and_name(day)
    if kind not in (None, "run") or not asked.session_free or name in reading.computed:
        return asked
    table = open_table(engine, run, "run", replace(reading, where=None))
    if not has(table, name):
        return asked
    check_no_day_is_empty(engine, table, name, reading.where)
    judged = judgments_in(qrels)
    judgments = [open_table(engine, one, reading.judged_role, replace(reading, where=None)) for one in judged]
    if all(has(one, name) for one in judgments):
        return of_sessions(asked, name)
    if "system" in find_roles(table, "run", reading).names:
        raise UsageError(
            f"{table.label} has a column of systems, and {judgments[0].label} no {name}: monitor one system at a time,"
            " from per-query rows (sqlrank eval --per-query FILE.parquet) or a file of its own"
        )
    return of_days_as_systems(asked, name)


def check_no_day_is_empty(engine: DuckDBEngine, table: Table, name: str, where: str | None) -> None:
    """Raise DataError if rows of an export have no day, unless a condition may leave them out."""
    day = table.aliases.get(require(table, name), require(table, name))
    statement = render("monitoring/dayless.sql", engine.dialect, export=table.reader, day=day)
    found = 0 if where else engine.row(statement)["rows_without"]
    if found:
        raise DataError(
            f"{table.label}: {name} is empty in {counted(found, 'row')}, which belong to no day; leave them out with"
            f" {spelt('where', f'{engine.dialect.ident(name)} is not null')}"
        )


def of_result(asked: Watching, fitted: Request, result: Result, label: str, day: str | None) -> Opened:
    """The per-query rows of an evaluation; without a day in them, its systems are the days."""
    measures = fitted.measures
    rows = PerQueryRows(
        result.per_query_table,
        label,
        day or "system",
        tuple(measure.column for measure in measures),
        tuple((name, name) for name in asked.by),
        result.weight,
        ONE_SYSTEM if day is None else None,
    )
    notes = [note for note in result.notes if note not in result.of_means]
    remarks = [result.conventions.describe(), *result.own_sql]
    if day is None and result.conventions.query_set == "shared":
        remarks.append(
            f"the queries of a day are those with results on it ({spelt('query_set', 'judged')}: all that were judged)"
        )
    shares = {measure.text: measure.column for measure in result.measures}
    judged = judged_in(pool_measure(measures), shares) if result.tells_judged else None
    standing = result.relations.qrels if day is None else None
    return Opened(rows, measures, result.conventions, notes, remarks, judged, shown_in(result, fitted, day), standing)


def shown_in(result: Result, fitted: Request, day: str | None) -> Shown | None:
    """The documents shown; without a column of days the systems are days. None where the rows have no such column."""
    run = result.relations.run
    days = [place.name for place in run.extra if place.alias == day] if day else [run.system]
    if run.relation is None or run.where is not None or not days:
        return None
    query = run.query_id if fitted.reading.session is None else None
    return Shown(run.relation, query, run.doc_id, days[0], run.system if day and result.by_column else None)


def with_bounds(opened: Opened, result: Result, measures: Sequence[Measure]) -> Opened:
    """The same with the upper bounds of some measures next to their values."""
    columns = bound_columns(measures)
    context = {"per_query": result.per_query_table, "upper": result.upper_table, "columns": columns}
    relation = sql_text(render("monitoring/bounded.sql", DUCKDB, **context).strip())
    remark = f"upper bounds: every document without a judgment is as relevant as {result.top}"
    rows, remarks = replace(opened.rows, relation=relation), [*opened.remarks, remark]
    bounds = {measure.text: columns[measure.column] for measure in measures}
    return replace(opened, rows=rows, remarks=remarks, bounds=bounds)


def of_stored(asked: Watching, stored: Stored, options: dict[str, Any]) -> Opened:
    """The per-query rows of a file, or of a store, which knows its days.

    Raises:
        DataError: it lacks the day, a segment or a metric, or was made otherwise.
    """
    request = asked.request
    conventions = Conventions(**stored.conventions)
    told = {name: value for name, value in request.conventions.to_dict().items() if name in options}
    check_conventions([stored], told, "this chart")
    day = stored.day if asked.day in (None, stored.day) else asked.day
    if day is None:
        raise UsageError(
            f"{spelt('day')} is missing: the segment of {stored.label} that is the day ({', '.join(stored.by)})"
        )
    segments = tuple(name for name in request.reading.by if name != asked.day)
    by = segments if day == stored.day else (day, *segments)
    weight, where = request.reading.weight or stored.weight, request.reading.where or stored.where
    check_reading([stored], replace(request.reading, by=by, weight=weight, where=where))
    measures = request.measures
    if asked.named:
        texts_of_all([stored], [measure.text for measure in measures])
    else:
        every = parse_measures(list(stored.metrics), Language(own=request.language.own))
        measures = tuple(measure for measure in every if measure.text != stored.pool and refusal(measure) is None)
    rows = PerQueryRows(
        stored.reader,
        stored.label,
        day if day == stored.day else name_in(stored, day),
        tuple(stored.metrics[measure.text] for measure in measures),
        tuple((name_in(stored, name), bare_name(name)) for name in segments),
        stored.weight is not None,
        stored.system,
    )
    weighted = [] if stored.weight is None else [f"queries are weighted by {stored.weight}"]
    remarks = [
        conventions.describe(),
        f"{stored.label}: stored per-query rows of {', '.join(stored.systems)}",
        *weighted,
    ]
    pool = None if stored.pool is None else parse_measures(stored.pool)[0]
    judged = judged_in(pool, stored.metrics) if stored.tells_judged else None
    if asked.bounds and not stored.bounds:
        raise UsageError(f"{stored.label} was stored without {spelt('bounds')}: give it to sqlrank eval --store")
    known: dict[str, Any] = {"judged": judged, "renewed": stored.renewed, "bounds": stored.bounds}
    return Opened(rows, measures, conventions, list(stored.notes), remarks, **known)


def judged_in(pool: Measure | None, columns: Mapping[str, str]) -> tuple[Measure, str] | None:
    """The share of documents that were judged, and its column, where one of these has it."""
    return (pool, columns[pool.text]) if pool is not None and pool.text in columns else None
