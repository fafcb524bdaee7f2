"""The options of control charts."""

from typing import Annotated, TypedDict

from sqlrank.choices import CHART_METHODS, DIRECTIONS
from sqlrank.evaluation.options import BaseOptions, Checks, Clusters
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import NUMBER
from sqlrank.options.shared import Session


class Rules(TypedDict, total=False):
    """How charts are watched."""

    rule: Annotated[
        str,
        option(
            "WORD",
            "Rule\n"
            "e: the evidence for a change since any day (Shiryaev-Roberts e-process)\n"
            "cs: the mean since the baseline, with a confidence sequence\n"
            "shewhart: a single day, 3 sigma\n"
            "ewma: an exponentially weighted mean, lambda 0.2\n"
            "cusum: a cumulative sum",
            default="e",
            words=CHART_METHODS,
        ),
    ]
    direction: Annotated[str, option("WORD", "Direction to watch", default="down", words=DIRECTIONS)]
    baseline_days: Annotated[
        str | None, option("A..B", "Days of the baseline", shown="the first 28 of each chart", common=True)
    ]
    alpha: Annotated[
        float,
        option(
            "P",
            "Chance of a false alarm, ever, of all charts together, with {rule} cs",
            NUMBER,
            0.05,
            least=1e-6,
            most=0.5,
        ),
    ]


class Charts(Rules, total=False):
    """What is watched, and how."""

    day: Annotated[
        str | None,
        option(
            "COLUMN",
            "Column of the days, dates or timestamps, looked up as for {by}; NAME=SQL computes one. A store needs none",
            complete="columns",
            common=True,
        ),
    ]
    bounds: Annotated[
        bool,
        flag(
            "Also compute each value as if all unjudged documents were relevant; a drop that missing judgments could "
            "explain is reported as none yet. A store takes it from eval --bounds"
        ),
    ]
    judged_at: Annotated[
        str | None,
        option("COLUMN", "Column of the judgments with the date of each; the output reports the age of those in use"),
    ]


class MonitorOptions(Charts, BaseOptions, Clusters, Checks, Session, total=False):
    """The options of `sqlrank.monitor`."""
