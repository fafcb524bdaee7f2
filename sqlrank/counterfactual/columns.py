"""The columns of values of rankings: of the values, of their differences, and of what the log supports."""

from __future__ import annotations

from sqlrank.columns import Field, Kind

ROWS = (
    Field("system", Kind.TEXT, "the ranking or policy"),
    Field("estimator", Kind.TEXT, "how it was estimated"),
    Field("model", Kind.TEXT, "the user model it assumes", spare=5),
    Field(
        "value",
        Kind.NUMBER,
        "what it would have earned for each impression, over the supported positions; null where the log does not"
        " support it",
        nullable=True,
    ),
    Field("ci_low", Kind.NUMBER, "lower end of the 95 % interval; null where all units add the same", nullable=True),
    Field("ci_high", Kind.NUMBER, "its upper end; null for a lower bound", nullable=True),
    Field(
        "at_most",
        Kind.NUMBER,
        "the upper bound, if the rest were as good as the best document there; null where propensities are logged",
        nullable=True,
        spare=4,
    ),
    Field(
        "supported",
        Kind.SHARE,
        "the share of its positions that the log supports: each counts by the impressions that reach it, times the mean"
        " reward of its position in the log (for gains: the discounted gain)",
    ),
    Field("ess", Kind.EFFECTIVE, "effective number of impressions under its weights"),
    Field("largest_weight", Kind.SHARE, "the largest share of one impression", shown=False),
    Field(
        "mean_weight",
        Kind.NUMBER,
        "mean weight of a document shown; null where it need not be 1",
        nullable=True,
        shown=False,
    ),
    Field("clipped", Kind.SHARE, "with --clip: the share of rows whose weight is clipped", nullable=True, shown=False),
    Field("clipped_mass", Kind.SHARE, "with --clip: the share of all weights that this takes", nullable=True, spare=1),
    Field("impressions", Kind.COUNT, "impressions of the log that count", spare=3),
    Field("units", Kind.COUNT, "users, else sessions, else impressions: what is independent", spare=2),
)
"""A row for each candidate and estimator."""

DIFFERENCES = (
    Field("system", Kind.TEXT, "a ranking or policy"),
    Field("other", Kind.TEXT, "what is taken off: logged for what was shown, or the first ranking", title="less"),
    Field("estimator", Kind.TEXT, "how both are estimated"),
    Field(
        "difference",
        Kind.NUMBER,
        "the difference, over the positions where the log supports both; of gains and by logged propensities over all,"
        " as the line below the table says",
    ),
    Field("ci_low", Kind.NUMBER, "lower end of its 95 % interval", nullable=True),
    Field("ci_high", Kind.NUMBER, "its upper end", nullable=True),
    Field(
        "p_value",
        Kind.PROBABILITY,
        "two-sided p value; null where units do not differ, or 0 lies between the bounds",
        nullable=True,
        spare=3,
    ),
    Field(
        "bound_low",
        Kind.NUMBER,
        "the least difference over all positions, if what the log does not support were worth nothing; null where it"
        " supports enough of all",
        nullable=True,
        spare=2,
    ),
    Field(
        "bound_high",
        Kind.NUMBER,
        "the largest one, if what it does not support were as good as the best document there",
        nullable=True,
        spare=1,
    ),
)
"""A row for each two candidates of which the difference is known."""

BOUNDS = ("bound_low", "bound_high")
"""The columns of a difference that say something only where the log leaves some places open."""

SUPPORT = (
    Field("system", Kind.TEXT, "a ranking or policy"),
    Field("estimator", Kind.TEXT, "an estimator"),
    Field("position", Kind.COUNT, "the position, from 1"),
    Field("supported", Kind.SHARE, "the share of what it would show there that the log supports"),
)
"""A row for each candidate, estimator and position."""
