"""The options of the arms of an A/B test."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated

from sqlrank.behaviour.options import LogOptions
from sqlrank.choices import ARM_TESTS, CORRECTIONS, UNITS
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import DAY, SHARES, TEXTS, WHOLE
from sqlrank.options.shared import Alpha, Alternative, Margins, Replicates, SegmentsOfLog

PLANNED, MOST_PLANNED = 1_000, 10_000_000_000
"""The number of units that is planned for unless told, and the most."""


class Experiment(SegmentsOfLog, total=False):
    """How arms are made of a log, and with which each is compared."""

    baseline: Annotated[str | None, option("NAME", "Arm that the others are compared with", common=True)]
    unit: Annotated[
        str | None, option("WORD", "Randomization unit", shown="user, else session, else impression", words=UNITS)
    ]
    shares: Annotated[
        Mapping[str, float] | None,
        option("ARM=SHARE", "Planned share of units of an arm; A=0.5,B=0.5 for several", SHARES, shown="equal"),
    ]
    before: Annotated[
        date | str | None,
        option("DAY", "First day of the test; behaviour before it reduces the variance (CUPED)", DAY, common=True),
    ]


class ArmTest(Alpha, Alternative, Replicates, Margins, total=False):
    """How differences are tested."""

    test: Annotated[str, option("WORD", "Significance test", default=ARM_TESTS[0], words=ARM_TESTS, open=True)]
    correction: Annotated[
        str,
        option(
            "WORD",
            "Correction for multiple comparisons, over the totals and over the segments",
            default=CORRECTIONS[0],
            words=CORRECTIONS,
        ),
    ]
    all_pairs: Annotated[bool, flag("Compare every pair of arms, not only each with the baseline")]
    sequential: Annotated[
        bool, flag("Always-valid intervals and p values, for looking while the test runs", common=True)
    ]
    planned: Annotated[
        int | None,
        option(
            "N",
            "Number of units at which those are narrowest; choose it before looking",
            WHOLE,
            shown=f"{PLANNED}",
            least=1,
            most=MOST_PLANNED,
        ),
    ]


class ArmOptions(Experiment, ArmTest, LogOptions, total=False):
    """The options of `sqlrank.log.arms`."""

    gates: Annotated[Sequence[str], option("", "Metrics that are compared as well as those of `metrics`", TEXTS, ())]
