"""The columns of control charts: of their days, and of each chart as of its last one."""

from __future__ import annotations

from sqlrank.columns import SEGMENTS, Field, Kind, filled

OF_CHART = filled(SEGMENTS, units="queries")
ROWS = (
    Field("system", Kind.TEXT, "the system"),
    *OF_CHART,
    Field("metric", Kind.TEXT, "the metric"),
    Field("direction", Kind.TEXT, "down or up: what the chart watches for"),
    Field("day", Kind.DAY, "the day, as 2026-01-31"),
    Field("value", Kind.NUMBER, "the value of the metric on this day"),
    Field("queries", Kind.COUNT, "the number of queries it covers", spare=1),
    Field(
        "expected",
        Kind.NUMBER,
        "expected value: the mean of the baseline, or of its weekday where weekdays differ",
        spare=2,
    ),
    Field(
        "statistic",
        Kind.NUMBER,
        "the statistic of the method after the days so far; null in the baseline, and where that does not vary",
        title="{statistic}",
        nullable=True,
    ),
    Field("limit", Kind.NUMBER, "the limit of the statistic", nullable=True, spare=3),
    Field(
        "day_limit",
        Kind.NUMBER,
        "the value beyond which the day alarms by itself; null in the baseline, on a day of one or two queries, and"
        " with shewhart",
        nullable=True,
        shown=False,
    ),
    Field("alarm", Kind.FLAG, "whether the statistic or the day itself is beyond its limit"),
    Field("is_baseline", Kind.FLAG, "whether the day is of the baseline", shown=False),
)
"""A row for each day of each chart."""

CHARTS = (
    Field("system", Kind.TEXT, "each chart as of its last day: the system"),
    *OF_CHART,
    Field("metric", Kind.TEXT, "the metric"),
    Field("direction", Kind.TEXT, "down or up"),
    Field("baseline_mean", Kind.NUMBER, "the mean of the days of the baseline", title="baseline", spare=7),
    Field(
        "baseline_deviation",
        Kind.NUMBER,
        "their standard deviation, without weekdays where these differ; null where it is 0",
        title="sd",
        nullable=True,
        spare=4,
    ),
    Field("baseline_days", Kind.COUNT, "how many there are", title="days", spare=3),
    Field("baseline_first", Kind.DAY, "the first", shown=False),
    Field("baseline_last", Kind.DAY, "the last", shown=False),
    Field(
        "correlation",
        Kind.NUMBER,
        "correlation of a day with the one before, corrected for its bias, and at least the mean of all charts",
        nullable=True,
        shown=False,
    ),
    Field(
        "inflation",
        Kind.NUMBER,
        "the factor by which the standard deviation is multiplied for that, with an allowance for its error",
        shown=False,
    ),
    Field("weekly", Kind.FLAG, "whether weekdays differ, and their means are subtracted", shown=False),
    Field("fewest_weekdays", Kind.COUNT, "how often the rarest weekday is in the baseline", shown=False),
    Field(
        "usual_low",
        Kind.NUMBER,
        "lower end of the range of 95 of 100 single days",
        title="usual range",
        nullable=True,
        spare=5,
    ),
    Field("usual_high", Kind.NUMBER, "its upper end", nullable=True, shown=False),
    Field("day", Kind.DAY, "the last day", title="last day"),
    Field("value", Kind.NUMBER, "its value"),
    Field("queries", Kind.COUNT, "its queries", shown=False),
    Field("statistic", Kind.NUMBER, "its statistic", title="{statistic}", nullable=True, spare=2),
    Field("limit", Kind.NUMBER, "its limit", nullable=True, spare=1),
    Field(
        "day_limit",
        Kind.NUMBER,
        "the value beyond which the day alarms by itself; null as there",
        nullable=True,
        shown=False,
    ),
    Field("alarm", Kind.FLAG, "whether it alarms"),
    Field("since", Kind.DAY, "first day of the alarm that lasts to the last day", nullable=True, spare=6),
    Field(
        "change",
        Kind.NUMBER,
        "average difference of these days from the baseline",
        nullable=True,
        shown=False,
    ),
    Field("first_alarm", Kind.DAY, "the first day with an alarm", nullable=True, shown=False),
    Field("last_alarm", Kind.DAY, "the last", nullable=True, shown=False),
    Field("alarms", Kind.COUNT, "the number of days with an alarm", shown=False),
    Field("watched", Kind.COUNT, "how many days were watched", shown=False),
)
"""A row for each chart."""
