"""The result: the control charts, as rows of days and as of the last one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import DataError
from sqlrank.monitoring.ageing import ageing, unused
from sqlrank.monitoring.daily import check_days, daily_statement
from sqlrank.monitoring.happened import Happened, Happenings
from sqlrank.monitoring.opening import Opened
from sqlrank.monitoring.remarks import (
    Names,
    adaptations,
    ended,
    left_out,
    missing_days,
    past_alarms,
    trending,
    unwatched,
)
from sqlrank.monitoring.watching import FEWEST_DAYS, Watching, baseline_context
from sqlrank.presentation import Charted
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.student import NORMAL

Row = dict[str, Any]


class Monitored(OpenResult, Charted):
    """Control charts of metrics over days.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = "alarms charts happened metrics plot report sql systems"

    metrics: list[str]
    """The metrics that are watched."""
    charts: list[Row]
    """Each chart as of its last day: the baseline, the value, what it is held against, and since when it alarms."""

    def __init__(self, engine: DuckDBEngine, asked: Watching, opened: Opened) -> None:
        super().__init__(engine)
        self.rule, self.by, self.baseline = asked.rule, asked.by, asked.baseline
        self.metrics = [measure.text for measure in opened.measures]
        self.conventions = opened.conventions
        self.notes = [*opened.notes, *check_days(engine, opened.rows), *ageing(engine, opened)]
        self._asked, self._opened, self._unused = asked, opened, list(unused(engine, opened))
        self._daily, self._chart = self._table("daily_values"), self._table("chart")
        engine.keep(engine.name("daily_values"), daily_statement(engine.dialect, opened.rows, opened.measures))
        self._leave_out_the_short()
        engine.keep(engine.name("chart"), self.sql)
        self.charts = self._charts()
        missing = self._render("monitoring/missing.sql", keys=self._keys, chart=self._chart)
        self.notes += missing_days(engine.gather([missing])[0], len(self.charts))
        self.notes += trending(self._baselines(), self._names)
        for tell in (unwatched, ended, past_alarms):
            self.notes += tell(self.charts, self._names)

    @property
    def sql(self) -> str:
        """The statement of the charts, over a relation of daily values."""
        return chart_statement(self._local.dialect, self._asked, self._daily, self._keys, self._number)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each day of each chart.

        The system, the segments and is_total (with segments), metric, direction, day, value, how many queries it is of,
        its expected value, the statistic with its limit, the limit of a single day, whether it alarms, and
        whether the day is of the baseline.
        """
        context = {"by": self.by, "keys": self._keys, "metrics": self.metrics, "chart": self._chart}
        return self._local.relation(self._render("monitoring/rows.sql", **context))

    @property
    def alarms(self) -> list[Row]:
        """The charts that are in alarm on their last day."""
        return [chart for chart in self.charts if chart["alarm"]]

    @property
    def systems(self) -> list[str]:
        """The systems that have charts, in order."""
        return list(dict.fromkeys(chart["system"] for chart in self.charts))

    def remarks(self) -> list[str]:
        """What is printed below the charts: the rule, its false alarms, what the baseline is, and what it showed."""
        days = min((chart["baseline_days"] for chart in self.charts), default=0)
        correlation = max((chart["correlation"] or 0.0 for chart in self.charts), default=0.0)
        watched = max((chart["watched"] for chart in self.charts), default=0)
        named = " to ".join(self.baseline) if self.baseline else "the first 28 days of each chart"
        return [
            *self.rule.in_words(self._number, days, correlation, watched),
            f"baseline: {named}",
            *adaptations(self.charts, self._names),
            *self._opened.remarks,
            *self._unused,
        ]

    @property
    def renewed(self) -> tuple[str, ...]:
        """The days from which on the judgments of a store are others."""
        return self._opened.renewed

    @property
    def segment_columns(self) -> list[str]:
        """The columns of the segments in `happened`, in the order of `by`."""
        return [column for column, _ in self._opened.rows.segments]

    def called(self, chart: Mapping[str, Any]) -> str:
        """What a chart is called: its metric, and what tells it from the others."""
        return self._names(chart)

    @cached_property
    def happened(self) -> list[Happened]:
        """What happened, as far as the rows say, for each of `alarms`: its days since then against the baseline."""
        happenings = Happenings(self._local, self._opened, self.by)
        return [happenings.of(chart) for chart in self.alarms]

    def alarms_in_words(self) -> list[str]:
        """Each chart in alarm, and what happened."""
        words = [self.alarm_in_words(chart) for chart in self.alarms]
        return [f"{one} ({found.said})" if found.said else one for one, found in zip(words, self.happened, strict=True)]

    def alarm_in_words(self, chart: Mapping[str, Any]) -> str:
        """That a chart is in alarm, since when, and where it is."""
        off = f"{abs(chart['change']):.3g} {'below' if chart['change'] < 0 else 'above'} the baseline"
        alone = f"; the last day alone is outside its limit, {chart['day_limit']:.3g}" if is_alone(chart) else ""
        if chart["since"] == chart["day"]:
            return f"{self._names(chart)} is in alarm on {chart['day']}: {off}{alone}"
        average = f"averaging {off} up to {chart['day']}"
        return f"{self._names(chart)} is in alarm since {chart['since']}, {average}{alone}"

    @property
    def _keys(self) -> list[str]:
        return self._opened.rows.keys

    @property
    def _number(self) -> int:
        """How many charts share the rate of false alarms."""
        return len(self._counted) * len(self.rule.sides)

    def _leave_out_the_short(self) -> None:
        """Leave out the series whose baseline would be too short; DataError where every one is."""
        context = {"keys": self._keys, "daily": self._daily, **baseline_context(self.baseline)}
        counts = self._local.gather([self._render("monitoring/counted.sql", **context)])[0]
        self._names = Names(self.by, len({row["system"] for row in counts}) > 1, self.rule.direction == "both")
        self._counted = [row for row in counts if row["days"] >= FEWEST_DAYS]
        short = [row for row in counts if row["days"] < FEWEST_DAYS]
        if not self._counted:
            raise DataError(left_out(short, self._names, self.baseline))
        if short:
            self.notes.append(left_out(short, self._names, self.baseline, others=True))
            kept = self._render("monitoring/kept.sql", fewest=FEWEST_DAYS, **context)
            self._local.keep(self._local.name("kept_values"), kept)
            self._daily = self._table("kept_values")

    def _charts(self) -> list[Row]:
        context = {"keys": self._keys, "metrics": self.metrics, "chart": self._chart, "normal": NORMAL}
        found = self._local.gather([self._render("monitoring/charts.sql", **context)])[0]
        return [with_total(row) for row in found]

    def _baselines(self) -> list[Row]:
        """The days of each baseline."""
        context = {"keys": self._keys, "chart": self._chart, "direction": self.rule.sides[0][0]}
        return self._local.gather([self._render("monitoring/baselines.sql", **context)])[0]

    def _render(self, template: str, **context: Any) -> str:
        return render(template, self._local.dialect, **context)

    def _table(self, base: str) -> Markup:
        return sql_text(self._local.dialect.ident(self._local.name(base)))


def chart_statement(dialect: Dialect, asked: Watching, daily: Markup, keys: list[str], charts: int) -> str:
    """The statement of the control charts of a relation of daily values."""
    context = baseline_context(asked.baseline) | asked.rule.context(charts)
    return render(
        "monitoring/chart.sql",
        dialect,
        daily=daily,
        daily_rows=None,
        keys=keys,
        carried=["queries"],
        errors=True,
        **context,
    )


def is_alone(row: Mapping[str, Any]) -> bool:
    """Whether a day is so far off that it alarms by itself, whatever the statistic is."""
    if row["day_limit"] is None:
        return False
    beyond = row["value"] - row["day_limit"]
    return bool(beyond < 0 if row["direction"] == "down" else beyond > 0)


def with_total(row: Row) -> Row:
    """A chart with `is_total` in place of the column that tells totals and segments apart."""
    found = {("is_total" if name == "of_segment" else name): value for name, value in row.items()}
    return found | {"is_total": not row["of_segment"]} if "of_segment" in row else found
