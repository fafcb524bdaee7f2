"""The columns of an A/B test: of its rows, of the shares of its arms, and of its days and trends."""

from __future__ import annotations

from sqlrank.columns import Field, Kind, filled
from sqlrank.comparison.columns import BASELINE_UNITS, MARGINS, METRIC, PAIR, PLANS, RANGES, UNITS, VALUES

PLAIN = (
    Field(
        "plain_difference",
        Kind.SIGNED,
        "with --before: the difference of the values as they are; `difference` is of the values adjusted for earlier"
        " behaviour",
        title="plain",
        nullable=True,
        spare=6,
        when="before",
    ),
    Field("plain_ci_low", Kind.NUMBER, "lower end of its interval", nullable=True, when="before"),
    Field("plain_ci_high", Kind.NUMBER, "its upper end", nullable=True, when="before"),
    Field(
        "variance_reduction",
        Kind.SHARE,
        "with --before: by what share the variance of the difference fell",
        title="less variance",
        nullable=True,
        spare=7,
        when="before",
    ),
)
ROWS = filled(
    (
        *PAIR,
        METRIC,
        Field("better", Kind.TEXT, "which values are better: higher, lower or neither"),
        BASELINE_UNITS,
        *VALUES,
        UNITS,
        *PLANS,
        *RANGES,
        *PLAIN,
        *MARGINS,
        Field(
            "verdict",
            Kind.VERDICT,
            "better, worse, undecided, differs (of a metric that is neither), or withheld at a sample ratio mismatch",
            nullable=True,
        ),
    ),
    side="arm",
    units="units",
)
"""A row for each arm, segment and metric, or for each pair of arms."""
TABLE = tuple(
    "system baseline * metric baseline_units units baseline_value value difference ci_low plain_difference"
    " variance_reduction relative_difference p_value p_adjusted effect_size verdict".split()
)
"""The columns that people see, in their order."""

SHARES = (
    Field("by", Kind.TEXT, "first day or a segment; empty for all units"),
    Field("value", Kind.TEXT, "which day, or value"),
    Field("arm", Kind.TEXT, "the arm"),
    Field("units", Kind.COUNT, "its units there"),
    Field("share", Kind.SHARE, "their share"),
    Field("planned_share", Kind.SHARE, "the planned share"),
    Field("p_value", Kind.PROBABILITY, "p value of the shares there", nullable=True),
)
"""A row for each arm, of all units, of those of each first day and of each segment."""

OF_ARMS = (
    Field("system", Kind.TEXT, "the arm", title="arm"),
    Field("baseline", Kind.TEXT, "the arm it is compared with"),
    Field("metric", Kind.TEXT, "the metric"),
)
DAYS = (
    Field("day", Kind.TEXT, "a day of the test"),
    *OF_ARMS,
    Field("baseline_units", Kind.COUNT, "units of the baseline on the day", title="baseline {units}", spare=1),
    Field("units", Kind.COUNT, "units of the arm", title="{units}", spare=2),
    Field("baseline_value", Kind.NUMBER, "their mean", nullable=True, shown=False),
    Field("value", Kind.NUMBER, "that of the arm", nullable=True, shown=False),
    Field("difference", Kind.DIFFERENCE, "value - baseline_value, not adjusted for earlier behaviour", nullable=True),
    Field("ci_low", Kind.NUMBER, "lower end of its interval", nullable=True, shown=False),
    Field("ci_high", Kind.NUMBER, "upper end of it", nullable=True, shown=False),
)
"""A row for each day, arm and metric."""
TRENDS = (
    *OF_ARMS,
    Field(
        "change_per_day", Kind.SLOPE, "by how much the difference changes a day", title="change a day", nullable=True
    ),
    Field("stderr", Kind.NUMBER, "its standard error", nullable=True, shown=False),
    Field("p_value", Kind.PROBABILITY, "p value of no change, not adjusted", title="p", nullable=True),
)
"""A row for each arm and metric."""
