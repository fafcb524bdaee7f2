"""The options of off-policy evaluation."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from sqlrank.behaviour.options import LogOptions, LogReading
from sqlrank.choices import VALUE_ESTIMATORS, VALUE_INTERVALS
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import BY_POSITION, INPUT, NUMBER, ROLES, TEXTS, WHOLE
from sqlrank.options.shared import Alpha, Statement


class RunColumns(TypedDict, total=False):
    """The columns of rankings."""

    run_columns: Annotated[
        Mapping[str, str] | None,
        option(
            "ROLE=NAME",
            "Column of RUN for query_id, doc_id, score, rank, system; or of a policy; repeatable",
            ROLES,
            flags="--run-column",
            common=True,
        ),
    ]


class Supported(TypedDict, total=False):
    """What a value needs."""

    propensities: Annotated[
        Any,
        option(
            "FILE",
            "Examination propensities by position, for pbm and gains: columns position, propensity",
            BY_POSITION,
            shown="estimated from LOG",
            common=True,
        ),
    ]
    min_impressions: Annotated[
        int,
        option(
            "N",
            "Minimum impressions of a document at a position for it to count as supported",
            WHOLE,
            5,
            least=1,
        ),
    ]
    min_support: Annotated[
        float,
        option(
            "P",
            "Minimum supported share of the positions of RUN, weighted by reward",
            NUMBER,
            0.8,
            least=0,
            most=1,
        ),
    ]


class Estimates(TypedDict, total=False):
    """How values are estimated, and what is refused."""

    estimators: Annotated[
        str | Sequence[str] | None,
        option(
            "NAME",
            f"Estimator: {', '.join(VALUE_ESTIMATORS)}, or gains from clicks, ips_dcg@K and snips_dcg@K; repeatable",
            TEXTS,
            shown="item-position, and pbm with {propensities}",
            flags="--estimator",
            common=True,
        ),
    ]
    expected: Annotated[
        Any,
        option(
            "FILE",
            "Reward model for dr: columns doc_id and reward, and query_id and position where they matter",
            INPUT,
            shown="estimated from LOG",
        ),
    ]
    clip: Annotated[
        float | None,
        option(
            "N",
            "Cap for importance weights; switch-dr leaves out those above it, and dr-os shrinks weights by it",
            NUMBER,
            shown="none",
            above=0,
        ),
    ]
    anyway: Annotated[bool, flag("Print values that the log does not support, with a note on each")]
    interval: Annotated[
        str,
        option(
            "WORD",
            "Interval over independent units: users, else sessions, else impressions\n"
            "delta: delta method\n"
            "bootstrap: percentiles, with propensities of each replicate\n"
            "student: a lower bound in place of an interval\n"
            "bernstein: the same, for few impressions\n"
            "hoeffding: the same, for few impressions",
            default="delta",
            words=VALUE_INTERVALS,
            common=True,
        ),
    ]
    replicates: Annotated[int, option("N", "Replicates of the bootstrap", WHOLE, 1000, least=1)]
    seed: Annotated[int, option("N", "Seed of their random numbers", WHOLE, 0)]


class ValueOptions(RunColumns, Estimates, Supported, Alpha, LogOptions, total=False):
    """The options of `sqlrank.log.value`."""


class OneEstimator(Statement, total=False):
    """The statement of one estimator."""

    estimator: Annotated[str, option("NAME", "Estimator: item-position or pbm", default="item-position")]


class ValueStatement(RunColumns, Supported, OneEstimator, LogReading, total=False):
    """The options of `sqlrank.log.value_sql`."""
