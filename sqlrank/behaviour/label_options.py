"""The options of judgments and propensities that are estimated from a log."""

from typing import Annotated, Any, TypedDict

from sqlrank.behaviour.log_options import LogOptions, LogReading
from sqlrank.choices import LABEL_METHODS, PROPENSITY_METHODS
from sqlrank.options.declared import option
from sqlrank.options.kinds import BY_POSITION, NUMBER, TWO_NUMBERS, WHOLE
from sqlrank.options.shared import Alpha, Statement

ENOUGH = 50
"""How many impressions a document has at both positions that it links."""
LINKING = 10
"""How many such documents link two positions."""


class Prior(TypedDict, total=False):
    """What is known before the log."""

    prior: Annotated[
        tuple[float, float] | None,
        option(
            "A,B",
            "Clicks, and impressions without one, added to those of each document",
            TWO_NUMBERS,
            shown="that of the method",
        ),
    ]


class Rounds(TypedDict, total=False):
    """How long is learned."""

    rounds: Annotated[
        int | None, option("N", "Number of EM iterations", WHOLE, shown="until convergence", least=1, carried=False)
    ]


class Labels(Prior, total=False):
    """How labels are estimated."""

    method: Annotated[
        str | None,
        option(
            "WORD",
            "How labels are estimated",
            shown="ratio with {propensities}, else sdbn",
            words=LABEL_METHODS,
            common=True,
        ),
    ]
    propensities: Annotated[
        Any,
        option("FILE", "Examination propensities by position: columns position, propensity", BY_POSITION, common=True),
    ]
    no_click: Annotated[
        str,
        option(
            "WORD",
            "What an impression without clicks says\nexamined: all of it was examined\nskip: nothing",
            default="examined",
            words=("examined", "skip"),
        ),
    ]
    min_impressions: Annotated[
        int, option("N", "Minimum impressions of a pair for it to have a label", WHOLE, 10, least=0, common=True)
    ]
    clip: Annotated[float, option("N", "Largest weight of a click with ips", NUMBER, 10, least=1)]


class LearnedLabels(Rounds, total=False):
    """How labels are learned, or are those of a tool: what statements cannot do."""

    min_documents: Annotated[
        int,
        option(
            "N", "Documents that link two positions, for pbm; 0 asks for none", WHOLE, LINKING, least=0, carried=False
        ),
    ]
    like: Annotated[
        str | None,
        option("TOOL", "The labels of a tool, to the last digit", words=("opensearch",), carried=False),
    ]
    max_rank: Annotated[int, option("N", "How far down {like} looks", WHOLE, 20, least=1, carried=False)]


class JudgmentOptions(Labels, LearnedLabels, Alpha, LogOptions, total=False):
    """The options of `sqlrank.log.judgments`."""


class LabelSteps(Statement, total=False):
    """What the statement of judgments makes."""

    step: Annotated[
        str,
        option(
            "WORD",
            "What it makes\n"
            "all: judgments of a log\n"
            "cells: counts by day, for a log that grows\n"
            "labels: judgments of such counts",
            default="all",
            words=("all", "cells", "labels"),
        ),
    ]
    day: Annotated[str | None, option("COLUMN", "Column of the days, for {step} cells")]


class JudgmentStatement(Labels, Alpha, LabelSteps, LogReading, total=False):
    """The options of `sqlrank.log.judgments_sql`."""


class Examined(Prior, Rounds, total=False):
    """How propensities are estimated."""

    method: Annotated[
        str,
        option(
            "WORD",
            "How propensities are estimated\n"
            "pbm: position-based model, fitted by EM\n"
            "allpairs: from documents that several rankers showed at different positions\n"
            "swap: from positions that were randomly exchanged with the first",
            default="pbm",
            words=PROPENSITY_METHODS,
            common=True,
        ),
    ]
    min_impressions: Annotated[
        int, option("N", "Impressions of a document at both positions that it links", WHOLE, ENOUGH, least=1)
    ]
    min_documents: Annotated[
        int, option("N", "Documents that link two positions; 0 asks for none", WHOLE, LINKING, least=0)
    ]


class PropensityOptions(Examined, Alpha, LogOptions, total=False):
    """The options of `sqlrank.log.propensities`."""
