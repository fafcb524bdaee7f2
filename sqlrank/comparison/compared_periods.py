"""One export in periods: each is evaluated by itself, with its own judgments where they tell periods apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from sqlrank.comparison.compared_systems import POOLS_DIFFER, Given, Split
from sqlrank.comparison.days_within import cluster_by_day
from sqlrank.comparison.periods import Period, Periods
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import SqlrankError, UsageError, counted
from sqlrank.evaluation.counts import counts_in_words
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.shared_queries import RETRIEVED
from sqlrank.evaluation.stored import Stored
from sqlrank.inputs.conditions import holds
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.opening import judgments_in
from sqlrank.metrics.measure import of_queries
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

OTHER_DAYS = re.compile(r"left out: [\d,]+ by (?:--where|where=)\Z")
"""The note on rows that are of no period, or of another."""


def periods_of(
    engine: DuckDBEngine,
    request: Request,
    periods: Periods,
    given: Sequence[Stored | Given],
    qrels: Any,
    checks: bool,
    writes: Sequence[str],
) -> Split:
    """Split one export, or stored rows, into periods; UsageError where there is not one system."""
    if len(given) != 1:
        raise UsageError(f"{spelt('periods')} splits one export, and here are {len(given)}: give one")
    if request.reading.timezone is not None:
        engine.use_timezone(request.reading.timezone)
    one, split = given[0], Split()
    for period in periods.each:
        try:
            if isinstance(one, Stored):
                split.stored.append(rows_of_period(engine, one, periods, period))
            else:
                evaluate_period(engine, request, periods, period, one, qrels, checks, writes, split)
        except SqlrankError as error:
            raise type(error)(f"period {period.name}: {error}") from error
    cluster_by_day(engine, request, periods, one, split)
    split.notes += pool_note(split.results, [period.name for period in periods.each])
    return split


def rows_of_period(engine: DuckDBEngine, stored: Stored, periods: Periods, period: Period) -> Stored:
    """The stored rows of one period; UsageError where they do not have its column, or are of several systems."""
    known = [*stored.by, *([stored.day] if stored.day else [])]
    if periods.column not in known:
        held = ", ".join(known) or "no column of days or segments"
        raise UsageError(f"{stored.label} was stored without {periods.expression} (it holds {held})")
    condition = periods.condition(period)
    if periods.system is not None and periods.system not in stored.systems:
        raise UsageError(f"{spelt('system', periods.system)}: {stored.label} holds {', '.join(stored.systems)}")
    if len(stored.systems) > 1:
        if periods.system is None:
            raise UsageError(
                f"{stored.label} holds several systems; choose {spelt('system')}: {', '.join(stored.systems)}"
            )
        condition = f"{condition} and {periods.of_system('system')}"
    context = {"relation": stored.reader, "condition": sql_text(condition)}
    rows = render("sources/rows_of_period.sql", engine.dialect, **context).strip()
    return replace(stored, reader=sql_text(rows), systems=(period.name,), system=period.name, label=period.name)


def evaluate_period(
    engine: DuckDBEngine,
    request: Request,
    periods: Periods,
    period: Period,
    given: Given,
    qrels: Any,
    checks: bool,
    writes: Sequence[str],
    split: Split,
) -> None:
    """Evaluate one period on an engine next to the other, and add it to the periods."""
    role = request.reading.judged_role
    judgments = [open_table(engine, one, role, request.reading) for one in judgments_in(qrels)]
    judged = all(holds(table, periods.sql) for table in judgments)
    judged = judged and (bool(judgments) or request.reading.conditions.parts_labels)
    own = periods.request(request, period, judged)
    day = sql_text(periods.sql) if period.kind in (date, datetime) else None
    result = evaluate_request(engine.beside(), own, [given], qrels, checks, writes, day=day)
    split.results.append(result)
    if len(result.systems) > 1:
        names = ", ".join(result.systems)
        raise UsageError(f"the export has several systems; choose {spelt('system')}: {names}")
    split.stored.append(
        Stored(
            label=period.name,
            reader=result.per_query_table,
            systems=(period.name,),
            system=period.name,
            metrics={measure.text: measure.column for measure in of_queries(result.measures)},
            conventions=result.conventions.to_dict(),
            by=(*result.by, *filter(None, [result.cluster])),
            weight=result.weight_column,
            where=result.where,
            judgments=None if judged or result.labelled else result.judgments(),
            retrieved=RETRIEVED,
            said=f"{period.name}: {in_words(result)}",
            behaviours=result.behaviours,
        )
    )
    told = [note for note in result.notes if request.reading.where is not None or not OTHER_DAYS.search(note)]
    split.notes += [f"{period.name}: {note}" for note in told]
    split.notes += days_note(engine, periods, period, given, request)


def in_words(result: Result) -> str:
    """How many queries of a period were what."""
    found = next(iter(result.counts.values()))
    if result.unjudged:
        return f"{counted(found.unjudged, 'query')} with results, without judgments"
    return counts_in_words(found, result.conventions.query_set)


def days_note(engine: DuckDBEngine, periods: Periods, period: Period, given: Given, request: Request) -> list[str]:
    """A note on a period of days of which some have no rows: weekdays are not alike."""
    if period.days is None or period.days < 2:
        return []
    table = open_table(engine, given[1], "run", request.reading)
    context = {"relation": table.reader, "condition": sql_text(periods.condition(period))}
    statement = render("sources/days_of_period.sql", engine.dialect, expression=sql_text(periods.sql), **context)
    found = engine.execute(statement)[0][0]
    if found == period.days:
        return []
    return [f"{period.name} has rows on {found} of its {period.days} days: days of the week may not be alike"]


def pool_note(results: Sequence[Result], names: Sequence[str]) -> list[str]:
    """A note where the shares of judged documents of the periods differ."""
    shares = {}
    for name, result in zip(names, results, strict=False):
        pool = next((measure for measure in result.measures if measure.metric.name == "judged"), None)
        if pool is not None and result.tells_judged:
            shares[name] = result.value(pool.text), pool.k
    known = [share for share, _ in shares.values() if share is not None]
    if len(known) < 2 or max(known) - min(known) < POOLS_DIFFER:
        return []
    listed = ", ".join(f"{name} {100 * share:.1f} %" for name, (share, _) in shares.items() if share is not None)
    depth = next(iter(shares.values()))[1]
    return [
        f"the judged shares of the first {depth} documents differ ({listed}), and unjudged documents count as not"
        " relevant: documents may be new, not worse"
    ]
