"""The columns of an interleaving experiment: of its pairs and segments, and of its days."""

from __future__ import annotations

from sqlrank.columns import SEGMENTS, Field, Kind, filled

ROWS = (
    *filled(SEGMENTS, units="votes"),
    Field("a", Kind.TEXT, "a ranker"),
    Field("b", Kind.TEXT, "the ranker that it is compared with"),
    Field("unit", Kind.TEXT, "what votes: impression, session or user", spare=2),
    Field("wins_a", Kind.COUNT, "votes for a"),
    Field("wins_b", Kind.COUNT, "votes for b"),
    Field("ties", Kind.COUNT, "votes of units with a click that gave both the same", spare=6),
    Field("without_clicks", Kind.COUNT, "units without a click, which have no vote", title="without clicks", spare=5),
    Field("delta_ab", Kind.ESTIMATE, "(wins_a + ties / 2) / votes - 1/2; null without a vote", nullable=True),
    Field("stderr", Kind.NUMBER, "its standard error, clustered", nullable=True, shown=False),
    Field(
        "ci_low", Kind.NUMBER, "lower end of its interval; null where the remarks say why", nullable=True, shown=False
    ),
    Field("ci_high", Kind.NUMBER, "its upper end", nullable=True, shown=False),
    Field("p_value", Kind.PROBABILITY, "p value of no preference", title="p", nullable=True, spare=4),
    Field("p_adjusted", Kind.PROBABILITY, "the same, corrected", title="adjusted p", nullable=True, spare=3),
    Field("decision", Kind.VERDICT, "who is preferred, or not enough evidence"),
    Field(
        "units_needed",
        Kind.COUNT,
        "how many units with a click would decide with a power of 0.8; null where it is decided",
        title="units needed",
        nullable=True,
        spare=1,
    ),
)
"""A row for each segment and pair, and for each pair in total."""

DAYS = (
    Field("a", Kind.TEXT, "with times: a ranker"),
    Field("b", Kind.TEXT, "the one that it is compared with"),
    Field("day", Kind.DAY, "a day"),
    Field("wins_a", Kind.COUNT, "votes of the day for a"),
    Field("wins_b", Kind.COUNT, "votes for b"),
    Field("ties", Kind.COUNT, "votes for neither"),
    Field("delta_ab", Kind.NUMBER, "the preference of the day", nullable=True),
    Field("running", Kind.NUMBER, "that of all votes until then", nullable=True),
    Field("running_low", Kind.NUMBER, "lower end of its confidence sequence", nullable=True),
    Field("running_high", Kind.NUMBER, "its upper end", nullable=True),
)
"""A row for each day and pair."""
