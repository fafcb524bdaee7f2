"""A model of dbt that holds control charts of the rows of the queries, with a test that fails where one is in alarm."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlrank.errors import UsageError
from sqlrank.export.chart_statement import charts_of_rows
from sqlrank.export.dbt_jinja import DbtRelation, escaped
from sqlrank.export.statement import Settled, with_settings
from sqlrank.export.table_statement import query_columns
from sqlrank.inputs.reading import check_output_names
from sqlrank.metrics.measure import Measure
from sqlrank.monitoring.daily import PerQueryRows
from sqlrank.monitoring.rules import Rule, parse_baseline
from sqlrank.monitoring.watching import TAKEN, refusal
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

DESCRIPTIONS = {
    "of_segment": "1 for the chart of a segment, 0 for that of all queries, where the columns of segments are null.",
    "direction": "What is watched for: down or up.",
    "day": "The day.",
    "value": "The value of the metric on that day.",
    "queries": "How many queries the value covers.",
    "expected": "The value that the baseline predicts for the day.",
    "statistic": "What the rule compares with its limit; null in the baseline.",
    "limit": "The limit.",
    "day_limit": "The value beyond which the day alarms by itself; null in the baseline and for one or two queries.",
    "alarm": "Whether the chart is in alarm on that day.",
    "is_baseline": "Whether the day is of the baseline.",
    "baseline_mean": "The mean of the baseline.",
    "baseline_deviation": "Its standard deviation, without the pattern of weekdays where they differ.",
    "baseline_days": "How many days it has.",
    "correlation": "How a day of the baseline is correlated with the one before, at least the mean of all charts.",
    "inflation": "The factor by which sigma is multiplied for that, with an allowance for its error.",
    "fewest_weekdays": "How many days the rarest weekday of the baseline has.",
    "weekly": "Whether weekdays differ in the baseline, so that each is compared with its own mean.",
}
"""What the columns of charts hold, in their order, but for those that tell charts apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charts:
    """What control charts are asked for, by the names of their options."""

    day: str | None = None
    """The column of the days; None for that of the partitions."""
    rule: str | None = None
    direction: str | None = None
    baseline_days: str | None = None
    charts: int | None = None


def charts_of(name: str, made: Settled, asked: Charts) -> str:
    """The control charts of the rows that the model of a name holds.

    Raises:
        UsageError: the rows have no such day, a metric has no chart, or the number of charts is needed.
    """
    measures = made.request.measures
    for measure in measures:
        if why := refusal(measure):
            raise UsageError(f"--monitor: {why}")
    if made.inputs.several and asked.charts is None:
        raise UsageError(
            f"{spelt('charts', 'N')} is missing: how many metrics, segments and systems share one rate of false alarms"
        )
    relation = DbtRelation("ref", (name,)).expression
    rows = rows_of(made, asked, relation, measures)
    rule, baseline = Rule(asked.rule or "e", asked.direction or "down"), parse_baseline(asked.baseline_days)
    text = charts_of_rows(made.dialect, rows, measures, rule, baseline, asked.charts)
    return escaped(text, [relation])


def rows_of(made: Settled, asked: Charts, relation: str, measures: Iterable[Measure]) -> PerQueryRows:
    """The rows of the queries, and which of their columns is the day; UsageError where there is none of that name."""
    inputs = made.inputs
    day = asked.day or (inputs.partition.column if inputs.partition else None)
    known = [column for column, _, kind in query_columns(inputs, made.form, ()) if kind != "double"]
    others = [column for column in known if column not in ("system", "query_id")]
    if day is None or day not in others:
        named = (
            f"{spelt('day', day)}: the model has no such column"
            if day
            else f"{spelt('day')} is missing: the column of the days"
        )
        have = f"(it has {', '.join(others)})" if others else f"(add one with {spelt('by')} or {spelt('keep')})"
        raise UsageError(f"--monitor: {named} {have}")
    segments = tuple((segment.alias, segment.alias) for segment in inputs.segments if segment.alias != day)
    check_output_names([name for name, _ in segments], TAKEN)
    columns = tuple(measure.column for measure in measures)
    return PerQueryRows(sql_text(relation), relation, day, columns, segments, inputs.weighted)


def alarms_of(name: str, made: Settled, asked: Charts) -> str:
    """The test of the charts of a name: a row for each that is in alarm on its last day."""
    relation = DbtRelation("ref", (f"{name}_charts",)).expression
    keys = rows_of(made, asked, relation, ()).keys
    text = render("monitoring/alarms.sql", made.dialect, charts=sql_text(relation), keys=keys)
    return with_settings(escaped(text, [relation]), made.dialect)


def chart_columns(made: Settled, asked: Charts) -> list[str]:
    """The columns of the charts."""
    return [*rows_of(made, asked, "", ()).keys, *(name for name in DESCRIPTIONS if name != "of_segment")]
