"""Monitoring from the arguments of a call: daily values, and the control chart of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import duckdb

from sqlrank.arguments import TEXT, public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import UsageError
from sqlrank.evaluation.flow import connect
from sqlrank.monitoring.judged_at import ages
from sqlrank.monitoring.monitored import Monitored
from sqlrank.monitoring.opening import opened
from sqlrank.monitoring.rules import Rule
from sqlrank.monitoring.watching import watching


@public(baseline=TEXT)
def monitor(
    run: Any = None,
    qrels: Any = None,
    metrics: str | Iterable[str] | None = None,
    *,
    day: str | None = None,
    method: str = "e",
    direction: str = "down",
    baseline: str | None = None,
    alpha: float = 0.05,
    bounds: bool = False,
    judged_at: str | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    checks: bool = True,
    progress: bool = False,
    writes: Sequence[str] = (),
    **options: Any,
) -> Monitored:
    """Watch metrics over days: is the last one still what the days of a baseline let expect?

    Each metric and segment has a control chart of its daily values. Weekdays that differ, and days that are related to
    the one before, are looked for in the baseline and taken into account.

    Args:
        run: an export with a row for each document shown, with its day; a store of per-query rows, of `eval --store`;
            or a Parquet file of them, of which the day is a segment.
        qrels: the judgments, as `evaluate` takes them; None where the export has a relevance column.
        metrics: texts such as `ndcg@10`; None for the default ones, or those of the stored file.
        day: the column of the days, dates or timestamps, named as those of `by`; None for the days of a store.
        method: `e` (Shiryaev-Roberts e-process), `cs` (confidence sequence of the mean since the baseline), `shewhart`,
            `ewma` or `cusum`.
        direction: what is watched for: `down`, `up` or `both`.
        baseline: the first and the last day of the baseline, such as `2026-01-01..2026-01-28`; None for the first 28
            days of each chart.
        alpha: the chance of a false alarm, ever, of all charts together, with `cs`.
        bounds: whether to evaluate, too, how high each value could be were the documents that nobody judged relevant; a
            store knows it from `eval --bounds`. A drop that this leaves open is said to be none before they are judged.
        judged_at: a column of the judgments of an export that says when each was made, of which it is then said how old
            those in use are.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        checks: whether to look for what is wrong with the rows of the inputs.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.
        **options: conventions and ways of reading, by the names of the command line.

    Returns:
        A row for each day of each chart, each chart as of its last day, and those that are in alarm.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong, or a baseline has fewer than 14 days.
        ResourceError: memory or disk ran out.
    """
    asked = watching(metrics, day, Rule(method, direction, alpha), baseline, options, bounds)
    qrels = asked.request.judgments(qrels)
    inputs = [run, qrels, *asked.request.reading.others().values()]
    if any(map(is_spark, inputs)):
        raise UsageError("charts are made in DuckDB: evaluate on Spark, and monitor the per-query rows that it stored")
    settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
    engine = connect(asked.request, inputs, None, "duckdb", connection, progress, **settings)
    assert isinstance(engine, DuckDBEngine)  # noqa: S101 it was asked for
    with closed_on_error(engine):
        found = opened(engine, asked, run, qrels, options, checks, writes)
        if judged_at is not None:
            found.remarks.append(ages(engine, found.shown, qrels, asked.request.reading, judged_at))
        return Monitored(engine, asked, found)
