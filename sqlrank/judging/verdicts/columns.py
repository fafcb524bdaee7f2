"""The columns of side-by-side verdicts."""

from __future__ import annotations

from sqlrank.columns import SEGMENTS, Field, Kind, filled

ROWS = (
    *filled(SEGMENTS, units="verdicts"),
    Field("good", Kind.COUNT, "how many verdicts are for the candidate, whatever their weights", spare=9),
    Field("same", Kind.COUNT, "verdicts that rate both the same", spare=8),
    Field("bad", Kind.COUNT, "verdicts against the candidate", spare=10),
    Field("total", Kind.COUNT, "all verdicts", spare=7),
    Field("delta_gsb", Kind.ESTIMATE, "(good - bad) / total", nullable=True),
    Field("stderr", Kind.NUMBER, "its standard error", nullable=True, shown=False),
    Field("ci_low", Kind.NUMBER, "lower end of the interval that decides", nullable=True, shown=False),
    Field("ci_high", Kind.NUMBER, "upper end of the interval that decides", nullable=True, shown=False),
    Field(
        "p_value",
        Kind.PROBABILITY,
        "p value of the test of delta_gsb, which belongs to the interval and decides",
        title="p",
        nullable=True,
        spare=5,
    ),
    Field("p_adjusted", Kind.PROBABILITY, "p_value after the correction", title="adjusted p", nullable=True, spare=6),
    Field("p_sign", Kind.PROBABILITY, "p value of the exact sign test", title="p (sign test)", nullable=True, spare=1),
    Field("reading", Kind.TEXT, "the textbook reading of delta_gsb alone; null without it", nullable=True, spare=2),
    Field("decision", Kind.VERDICT, "better: ship, worse: do not ship, or not enough evidence"),
    Field(
        "judgments_needed",
        Kind.COUNT,
        "judgments that would decide with power 0.8",
        title="judgments needed",
        nullable=True,
        spare=4,
    ),
    Field("judgments_needed_low", Kind.COUNT, "by the far end of the interval", nullable=True, shown=False),
    Field(
        "judgments_needed_high",
        Kind.COUNT,
        "by the near end of the interval; null where there is no limit",
        nullable=True,
        shown=False,
    ),
    Field("items", Kind.COUNT, "with raters: items that several of them judged", shown=False, when="raters"),
    Field("conflicting", Kind.COUNT, "of these, with verdicts that differ", shown=False, when="raters"),
    Field("disagreement", Kind.NUMBER, "conflicting / items", nullable=True, spare=3, when="raters"),
)
"""A row for each segment, and for all verdicts."""

COUNTS = ("good", "same", "bad", "total")
"""The columns of how many verdicts there are."""
