"""The columns of systems that are compared under several sets of judgments."""

from __future__ import annotations

from sqlrank.columns import Field, Kind, filled, picked
from sqlrank.comparison.columns import METRIC, PAIR, UNITS, VALUES

ESTIMATES = "baseline_value value difference ci_low ci_high p_value p_adjusted significant".split()
ROWS = filled(
    (
        *PAIR,
        METRIC,
        Field("judgments", Kind.TEXT, "the set, or `NAME corrected` for a set that is corrected by the first one"),
        *picked(VALUES, ESTIMATES),
        Field(
            "verdict",
            Kind.VERDICT,
            "better, worse or undecided by adjusted p values; null without one, and where it is withheld",
            nullable=True,
        ),
        Field(
            "beside",
            Kind.TEXT,
            "how the verdict compares with that of the first set: agrees, turned, undecided here or decided here alone",
            nullable=True,
        ),
        UNITS,
        Field(
            "worth",
            Kind.NUMBER,
            "of a corrected set: the equivalent number of queries judged by the first set alone",
            nullable=True,
            spare=7,
        ),
    ),
    side="candidate",
    units="queries",
)
"""A row for each pair, segment, metric and set."""
TABLE = tuple(
    "system baseline * metric judgments queries baseline_value value difference ci_low p_value p_adjusted verdict"
    " beside worth".split()
)
"""The columns that people see, in their order."""
