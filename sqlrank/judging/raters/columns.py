"""The columns of what raters agree on: of the measures, and of raters held against a reference."""

from __future__ import annotations

from sqlrank.columns import Field, Kind

ROWS = (
    Field("measure", Kind.TEXT, "krippendorff-ordinal, -nominal, -interval, fleiss or cohen"),
    Field("value", Kind.ESTIMATE, "the agreement; 1 is perfect, 0 is that of chance", nullable=True),
    Field("ci_low", Kind.NUMBER, "lower end of its interval, over queries", nullable=True, shown=False),
    Field("ci_high", Kind.NUMBER, "upper end of its interval", nullable=True, shown=False),
    Field("pairs", Kind.COUNT, "the number of pairs of query and document", spare=2),
    Field("raters", Kind.COUNT, "the number of raters", spare=1),
)
"""A row for each measure."""

CONFUSION = (
    Field("rater", Kind.TEXT, "another rater"),
    Field("reference_grade", Kind.NUMBER, "a grade of the reference"),
    Field("grade", Kind.NUMBER, "a grade of the rater"),
    Field("pairs", Kind.COUNT, "pairs with these grades"),
    Field("share", Kind.SHARE, "of the pairs to which the reference gave this grade"),
)
"""A row for each rater, grade of the reference and grade of the rater."""

BIAS = (
    Field("rater", Kind.TEXT, "another rater"),
    Field(
        "part",
        Kind.TEXT,
        "total, grade, segment, system, system difference (to the first one), or at equal grades (the same among"
        " documents of one grade)",
        title="bias to {reference}",
    ),
    Field(
        "value",
        Kind.TEXT,
        "the grade of the reference, the segment or the system; null in total, and for no segment",
        nullable=True,
    ),
    Field("pairs", Kind.COUNT, "pairs that both judged", spare=2),
    Field("queries", Kind.COUNT, "their queries", spare=1),
    Field("bias", Kind.DIFFERENCE, "the mean of the rater's grade less that of the reference"),
    Field("ci_low", Kind.NUMBER, "lower end of its interval, over queries", nullable=True, shown=False),
    Field("ci_high", Kind.NUMBER, "upper end of its interval", nullable=True, shown=False),
)
"""A row for each rater in total, and for each part of a rater's bias."""
