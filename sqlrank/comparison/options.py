"""The options of comparisons."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from sqlrank.choices import COMPARISON_CORRECTIONS, TESTS
from sqlrank.evaluation.options import BaseOptions, Checks, Judged
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import NUMBER, TEXTS, WHOLES
from sqlrank.options.shared import Alpha, Alternative, Margins, Replicates, Session


class Paired(TypedDict, total=False):
    """Whether systems are compared query by query."""

    paired: Annotated[
        bool,
        flag(
            "Compare systems that have queries of their own, as the arms of a test or two weeks: their means, with the "
            "covariance of the queries that both have",
            in_python="Compare systems query by query; without it their means, with the covariance of the queries that "
            "both have, as of the arms of a test or of two weeks",
            given=False,
            default=True,
            flags="--unpaired",
        ),
    ]


class Significance(Alpha, Alternative, Paired, Replicates, Margins, total=False):
    """How differences are tested."""

    test: Annotated[str, option("WORD", "Significance test (wilcoxon needs scipy)", default=TESTS[0], words=TESTS)]
    correction: Annotated[
        str,
        option(
            "WORD",
            "Correction for multiple comparisons, over the totals and over the segments",
            default=COMPARISON_CORRECTIONS[0],
            words=COMPARISON_CORRECTIONS,
            open=True,
        ),
    ]
    cluster: Annotated[
        str | None,
        option(
            "COLUMN",
            "Column whose value related queries share, as variants of a topic: they change signs and are drawn "
            "together; days of {periods} that differ are clusters too, unless it is query_id",
        ),
    ]
    all_pairs: Annotated[
        bool,
        flag(
            "Compare every pair of systems; of {correction}, max-t takes into account that pairs of the same systems "
            "are related"
        ),
    ]
    periods: Annotated[
        str | None,
        option(
            "COLUMN=A..B,C..D",
            "Compare periods of one export, the baseline first: ranges of a column, or of an SQL expression over a "
            "row, that are days, times or numbers, or single values; NAME=A..B names one",
        ),
    ]
    system: Annotated[str | None, option("NAME", "System whose periods are compared, where there are several")]


class Planned(TypedDict, total=False):
    """How many queries are planned for, and how surely."""

    sizes: Annotated[
        Sequence[int] | None,
        option("N,...", "Numbers of queries of {plan}", WHOLES, shown="doubling around the number there is"),
    ]
    power: Annotated[float, option("P", "Chance with which {plan} finds the difference", NUMBER, 0.8)]


class CompareOptions(Significance, BaseOptions, Checks, Judged, Session, total=False):
    """The options of `sqlrank.compare`."""

    gates: Annotated[Sequence[str], option("", "Metrics that are compared as well as those of `metrics`", TEXTS, ())]


class LikenessOptions(BaseOptions, Checks, Session, total=False):
    """The options of `sqlrank.likeness`."""
