"""Monitoring from the arguments of a call: daily values, and the control chart of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import UsageError
from sqlrank.evaluation.flow import connect
from sqlrank.evaluation.options import BaseOptions, Clusters
from sqlrank.monitoring.ageing import ages
from sqlrank.monitoring.monitored import Monitored
from sqlrank.monitoring.opening import opened
from sqlrank.monitoring.options import MonitorOptions
from sqlrank.monitoring.rules import Rule
from sqlrank.monitoring.watching import watching
from sqlrank.options.shared import part_of, session_of


@public(record=MonitorOptions)
def monitor(
    run: Any = None,
    qrels: Any = None,
    metrics: str | Iterable[str] | None = None,
    **options: Unpack[MonitorOptions],
) -> Monitored:
    """Monitor daily metrics with control charts: is the last day still as expected from a baseline?

    Each metric and segment has a control chart of its daily values. Weekdays that differ, and days that are related to
    the one before, are looked for in the baseline and taken into account.

    Args:
        run: an export with a row for each document shown, with its day; a store of per-query rows, of `eval --store`;
            or a Parquet file of them, of which the day is a segment.
        qrels: the judgments, as `evaluate` takes them; None where the export has a relevance column.
        metrics: texts such as `ndcg@10`; None for the default ones, or those of the stored file.
        **options: conventions and ways of reading, by the names of the command line.

    Returns:
        A row for each day of each chart, each chart as of its last day, and those that are in alarm.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong, or a baseline has fewer than 14 days.
        ResourceError: memory or disk ran out.
    """
    told = part_of(options, BaseOptions, Clusters)
    rule = Rule(options["rule"], options["direction"], options["alpha"])
    asked = watching(metrics, options["day"], rule, options["baseline_days"], told, options["bounds"])
    qrels = asked.request.judgments(qrels)
    inputs = [run, qrels, *asked.request.reading.others().values()]
    if any(map(is_spark, inputs)):
        raise UsageError("charts are made in DuckDB: evaluate on Spark, and monitor the per-query rows that it stored")
    engine = connect(asked.request, inputs, None, "duckdb", **session_of(options))
    assert isinstance(engine, DuckDBEngine)  # noqa: S101 it was asked for
    with closed_on_error(engine):
        found = opened(engine, asked, run, qrels, told, options["checks"], options["writes"])
        judged_at = options["judged_at"]
        if judged_at is not None:
            found.remarks.append(ages(engine, found.shown, qrels, asked.request.reading, judged_at))
        return Monitored(engine, asked, found)
