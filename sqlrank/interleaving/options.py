"""The options of interleaved lists."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from sqlrank.behaviour.options import LogOptions, LogReading
from sqlrank.choices import CORRECTIONS, DESIGNS, UNITS, VOTE_TESTS
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import NAMES, NUMBER, WHOLE
from sqlrank.options.shared import Alpha, SegmentsOfLog, Statement


class Votes(SegmentsOfLog, total=False):
    """How votes are made of clicks."""

    credit: Annotated[
        str | None,
        option(
            "WORD",
            "What clicks give a ranker: count, any, first, last, ACTION=WORTH,... such as cart=3,purchase=10, or of "
            "probabilistic lists win, the chance of more than half of the clicks",
            shown="count",
            common=True,
        ),
    ]
    unit: Annotated[str | None, option("WORD", "What votes", shown="user, else session, else impression", words=UNITS)]


class Designs(TypedDict, total=False):
    """How lists were made, and against which ranker the others are held."""

    design: Annotated[
        str,
        option(
            "WORD",
            "How lists were made\n"
            "team-draft: in turn, a coin says who begins each round; needs team, whose pick each document was\n"
            "balanced: in turn, without teams; needs rank_a and rank_b\n"
            "probabilistic: each pick drawn by its rank; needs rank_a, rank_b, length_a and length_b",
            default="team-draft",
            words=DESIGNS,
        ),
    ]
    tau: Annotated[float, option("N", "How fast the probability of a pick falls with its rank", NUMBER, 3, above=0)]
    baseline: Annotated[
        str | None,
        option("NAME", "Ranker that the others are compared with, as b", shown="all pairs", common=True),
    ]


class Tested(Alpha, total=False):
    """How preferences are tested."""

    test: Annotated[
        str | None,
        option(
            "WORD",
            "The test\n"
            "sign: exact, for independent units\n"
            "t: of the mean vote, clustered by user\n"
            "randomization: of all signs, or of those drawn for users, and of t",
            shown="randomization or t",
            words=VOTE_TESTS,
        ),
    ]
    correction: Annotated[
        str,
        option(
            "WORD",
            "Correction for multiple comparisons, over segments, and over pairs",
            default=CORRECTIONS[0],
            words=CORRECTIONS,
        ),
    ]
    sequential: Annotated[
        bool, flag("Always-valid interval and p value, for looking while the experiment runs", common=True)
    ]
    replicates: Annotated[int, option("N", "Replicates of {test} randomization", WHOLE, 10_000, least=1)]
    seed: Annotated[int, option("N", "Seed of these draws", WHOLE, 0, least=0)]


class InterleaveOptions(Votes, Designs, Tested, LogOptions, total=False):
    """The options of `sqlrank.log.interleave`."""


class Teams(Statement, total=False):
    """The statement of two rankers."""

    teams: Annotated[Sequence[str], option("A,B", "The two rankers of the statement", NAMES, ("A", "B"), shown="A,B")]


class VoteStatement(Votes, Alpha, Teams, LogReading, total=False):
    """The options of `sqlrank.log.interleave_sql`."""
