"""The columns of a row that compares two systems, or two arms of an experiment.

The pieces serve both: `{units}` stands for what is averaged over, queries or users, and `{side}` for what the candidate
is called.
"""

from __future__ import annotations

from sqlrank.columns import SEGMENTS, Field, Kind, filled

PAIR = (
    Field("system", Kind.TEXT, "the {side}", title="{system}", spare=10),
    Field("baseline", Kind.TEXT, "what it is compared with"),
    *SEGMENTS,
)
METRIC = Field("metric", Kind.TEXT, "the metric as its text")
VALUES = (
    Field(
        "baseline_value",
        Kind.NUMBER,
        "the mean of the baseline over the {units} that are compared",
        title="{baseline}",
        nullable=True,
        spare=11,
    ),
    Field("value", Kind.NUMBER, "the mean of the {side} over them", title="{value}", nullable=True, spare=12),
    Field("difference", Kind.DIFFERENCE, "value - baseline_value", nullable=True),
    Field(
        "relative_difference",
        Kind.CHANGE,
        "difference / abs(baseline_value); null where that is 0",
        title="relative",
        nullable=True,
        spare=5,
    ),
    Field(
        "ci_low",
        Kind.NUMBER,
        "lower end of the interval of the difference, of confidence 1 - alpha",
        nullable=True,
        shown=False,
        spare=14,
    ),
    Field("ci_high", Kind.NUMBER, "its upper end", nullable=True, shown=False),
    Field("p_value", Kind.PROBABILITY, "p value of the test", title="p", nullable=True, spare=4),
    Field(
        "p_adjusted",
        Kind.PROBABILITY,
        "p value after the correction within its family",
        title="adjusted p",
        nullable=True,
        spare=13,
    ),
    Field(
        "significant",
        Kind.FLAG,
        "whether p_adjusted is at most alpha and 0 is not in the interval; null without a p value, and where the"
        " verdict is withheld",
        nullable=True,
    ),
    Field(
        "effect_size",
        Kind.EFFECT,
        "difference over the standard deviation: of the differences of pairs, else of the values of both sides",
        title="effect",
        nullable=True,
        spare=3,
    ),
    Field("hedges_g", Kind.EFFECT, "Hedges' g: the effect size without the bias of few {units}", nullable=True),
    Field("hedges_low", Kind.EFFECT, "lower end of its interval", nullable=True),
    Field("hedges_high", Kind.EFFECT, "its upper end", nullable=True),
)
"""Both means, their difference, and what the test says of it."""
VOTES = (
    Field(
        "wins",
        Kind.COUNT,
        "queries of both sides for which the candidate is better",
        title="wins/ties/losses",
        nullable=True,
        spare=2,
    ),
    Field("ties", Kind.COUNT, "queries for which both are the same", nullable=True),
    Field("losses", Kind.COUNT, "queries for which the candidate is worse", nullable=True),
    Field(
        "delta_gsb",
        Kind.SIGNED,
        "(wins - losses) / queries, weighted where there is a weight",
        nullable=True,
        spare=1,
    ),
)
"""For how many queries each side is better."""
UNITS = Field("{units}", Kind.COUNT, "how many {units} the mean of the {side} is of", title="{units}", spare=9)
BASELINE_UNITS = Field(
    "baseline_{units}", Kind.COUNT, "how many {units} the mean of the baseline is of", title="baseline {units}", spare=8
)
PLANS = (
    Field(
        "detectable_difference",
        Kind.NUMBER,
        "the smallest difference that this number of {units} detects with power 0.8",
        nullable=True,
    ),
    Field(
        "{units}_needed",
        Kind.COUNT,
        "{units} needed to detect the observed difference with that power; null without an interval",
        nullable=True,
    ),
    Field("test", Kind.TEXT, "the test", nullable=True),
)
"""The detectable difference, and the number of units that the observed difference needs."""
RANGES = (
    Field(
        "detectable_low",
        Kind.NUMBER,
        "detectable_difference by the lower end of the interval of the standard deviation",
        nullable=True,
    ),
    Field("detectable_high", Kind.NUMBER, "the same by its upper end; null where there is no limit", nullable=True),
    Field(
        "{units}_needed_low",
        Kind.COUNT,
        "{units}_needed by the far end of the interval of the difference",
        nullable=True,
    ),
    Field("{units}_needed_high", Kind.COUNT, "the same by its near end; null where there is no limit", nullable=True),
)
"""The ends of both, which stand last: readers by number know the columns of 0.2 by their place."""
MARGINS = (
    Field("margin", Kind.NUMBER, "with margins: how much worse the {side} may be", nullable=True, when="margin"),
    Field("p_not_worse", Kind.PROBABILITY, "p value of: worse by the margin or more", nullable=True, when="margin"),
    Field("p_equivalent", Kind.PROBABILITY, "p value of: apart by the margin or more", nullable=True, when="margin"),
)
UNPAIRED = (
    Field(
        "baseline_queries",
        Kind.COUNT,
        "with --unpaired: how many queries the mean of the baseline is of",
        title="baseline queries",
        spare=8,
        when="unpaired",
    ),
    Field("shared_queries", Kind.COUNT, "with --unpaired: how many queries both sides have", when="unpaired"),
)
BOUNDS = (
    Field(
        "bound_low",
        Kind.NUMBER,
        "with --bounds: the least difference over all judgments that are missing",
        nullable=True,
        when="bounds",
    ),
    Field("bound_high", Kind.NUMBER, "with --bounds: the largest one", nullable=True, when="bounds"),
    Field(
        "sign_survives",
        Kind.FLAG,
        "with --bounds: whether both have the sign of the difference",
        nullable=True,
        when="bounds",
    ),
)
LABELS = Field(
    "label_stderr",
    Kind.NUMBER,
    "of judgments with intervals: the standard error that the labels give the difference; null where they change how"
    " queries count",
    nullable=True,
    when="labels",
)
CLICKS = (
    Field("favoured", Kind.TEXT, "of judgments from clicks: the system that they favour", nullable=True, when="clicks"),
    Field(
        "verdict",
        Kind.VERDICT,
        "of judgments from clicks: better, worse, undecided, or withheld where they are no evidence for the system that"
        " the difference is in favour of",
        nullable=True,
        when="clicks",
    ),
)
ROWS = filled(
    (*PAIR, METRIC, *VALUES, *VOTES, UNITS, *PLANS, *UNPAIRED, *MARGINS, *BOUNDS, LABELS, *RANGES, *CLICKS),
    side="candidate",
    units="queries",
)
"""A row for each candidate, segment and metric, or for each pair of systems."""
TABLE = tuple(
    "system baseline * metric baseline_queries queries baseline_value value difference ci_low relative_difference"
    " p_value p_adjusted effect_size wins delta_gsb verdict".split()
)
"""The columns that people see, in their order."""

PARTS = (
    Field("system", Kind.TEXT, "with --unpaired or --periods: the candidate"),
    Field("baseline", Kind.TEXT, "the system it is compared with"),
    Field("metric", Kind.TEXT, "the metric"),
    Field(
        "kind",
        Kind.TEXT,
        "segments (all of them), segment (one) or queries: the parts of each sum to the difference",
    ),
    Field("part", Kind.TEXT, "within (what they did), mix (what their shares did), gone or new (queries)"),
    Field("*", Kind.SEGMENT, "of a segment: the value of this column", when="by"),
    Field("contribution", Kind.NUMBER, "what the part adds to the difference"),
    Field("ci_low", Kind.NUMBER, "lower end of its interval, of confidence 1 - alpha", nullable=True),
    Field("ci_high", Kind.NUMBER, "upper end of its interval", nullable=True),
    Field(
        "baseline_share",
        Kind.NUMBER,
        "of a segment: its share of the queries of the baseline, by weight",
        nullable=True,
    ),
    Field("share", Kind.NUMBER, "its share of those of the candidate", nullable=True),
    Field("baseline_value", Kind.NUMBER, "of a segment: the mean of the baseline", nullable=True),
    Field("value", Kind.NUMBER, "the mean of the candidate", nullable=True),
    Field("baseline_queries", Kind.COUNT, "how many queries of the baseline", nullable=True),
    Field("queries", Kind.COUNT, "how many queries of the candidate", nullable=True),
)
"""A row for each part of a difference of systems with queries of their own."""
PLANNED = (
    *ROWS[:2],
    METRIC,
    Field("queries", Kind.COUNT, "size of the test set"),
    Field(
        "detectable_difference",
        Kind.NUMBER,
        "the mean difference that it finds with the power asked for",
        nullable=True,
    ),
    *RANGES[:2],
)
"""A row of a plan for each candidate, metric and number of queries."""
