"""The options of ratings, side-by-side and of several raters, and of pools of judgments."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from sqlrank.choices import CORRECTIONS, TABLE_INPUTS
from sqlrank.evaluation.options import (
    Checks,
    Definitions,
    Items,
    JudgmentConventions,
    PairInputs,
    RankingConventions,
    ReadInputs,
    Reference,
    RelevanceMap,
    Segments,
)
from sqlrank.options.declared import Option, flag, option
from sqlrank.options.kinds import INPUT, PATH, ROLES, TEXTS, WHOLE
from sqlrank.options.shared import Alpha, Session, TextFiles, TimeLimit

if TYPE_CHECKING:
    from sqlrank.inputs.reading import Reading


def header(order: str) -> Option:
    """Whether CSV files name their columns; without, these are in an order."""
    text = f"CSV has no header: {order}"
    says = "CSV files begin with the names of their columns"
    return flag(text, in_python=says, given=False, default=True, flags="--no-header")


def columns(text: str) -> Option:
    """The columns of roles."""
    return option("ROLE=NAME", text, ROLES, flags="--column", complete="roles", common=True)


class RatingFiles(TextFiles, total=False):
    """How ratings are read."""

    where: Annotated[str | None, option("SQL", "Keep only rows that meet this condition")]
    input_format: Annotated[
        str | None, option("FORMAT", "Input format, if the suffix does not tell", words=TABLE_INPUTS, open=True)
    ]
    database: Annotated[
        str | None,
        option(
            "FILE|URL",
            "DuckDB file, ducklake:FILE, md:NAME or postgresql:// URL, opened read-only, with the ratings as a table",
            PATH,
        ),
    ]


class VerdictColumns(TypedDict, total=False):
    """The columns of side-by-side ratings."""

    columns: Annotated[Mapping[str, str] | None, columns("Column for query_id, doc_id, rater or verdict; repeatable")]
    header: Annotated[bool, header("query_id, verdict")]


class GsbSegments(TypedDict, total=False):
    """What is summed up."""

    by: Annotated[
        str | Sequence[str] | None,
        option(
            "COLUMN",
            "Segment by this column: one row for each value, as well as the total; repeatable",
            TEXTS,
            complete="columns",
            common=True,
        ),
    ]
    weight: Annotated[
        str | None,
        option("COLUMN", "Column with the weight of each verdict in delta_gsb", complete="columns", common=True),
    ]


class Deciding(Alpha, total=False):
    """How the decision is made."""

    correction: Annotated[
        str,
        option(
            "WORD",
            "Correction for multiple comparisons, over the segments",
            default=CORRECTIONS[0],
            words=CORRECTIONS,
        ),
    ]
    sequential: Annotated[bool, flag("Always-valid interval and p value, for deciding while people judge", common=True)]


class GsbOptions(GsbSegments, Deciding, VerdictColumns, RatingFiles, TimeLimit, Session, total=False):
    """The options of `sqlrank.gsb`."""


class JudgmentColumns(TypedDict, total=False):
    """The columns of judgments of several raters."""

    columns: Annotated[
        Mapping[str, str] | None,
        columns(
            "Column for query_id, doc_id, relevance or rater; run.ROLE=NAME or queries.query_id=NAME for those of the "
            "other inputs; repeatable"
        ),
    ]
    header: Annotated[bool, header("query_id, doc_id, rater, relevance")]


class Held(TypedDict, total=False):
    """Against whom raters are held, and by what their bias is told apart."""

    reference: Annotated[
        str | None,
        option(
            "NAME",
            "Rater whom the others are compared with: how they confuse grades, and their bias",
            shown="the first of two files of one rater each, else nobody",
            common=True,
        ),
    ]
    by: Annotated[
        str | None,
        option(
            "COLUMN",
            "Show the bias by this column of {queries}, else of the judgments; queries.NAME or qrels.NAME picks one",
            complete="columns",
            common=True,
        ),
    ]
    queries: Annotated[Any, option("FILE", "Table with one row per query, for {by}", INPUT)]
    top: Annotated[
        int, option("N", "How many of the first documents of a ranking are its system's", WHOLE, 10, least=1)
    ]


class AgreementOptions(Held, Alpha, JudgmentColumns, RelevanceMap, RatingFiles, TimeLimit, Session, total=False):
    """The options of `sqlrank.agreement`."""


class Pooling(TypedDict, total=False):
    """Which pairs, in which order."""

    depth: Annotated[
        int | None,
        option("K", "Pool the first K of each ranking", WHOLE, shown="the cutoff of the metric", common=True),
    ]
    budget: Annotated[int | None, option("N", "Only the first N pairs", WHOLE, common=True)]


class PooledRankings(
    Definitions,
    RankingConventions,
    JudgmentConventions,
    Segments,
    PairInputs,
    Items,
    Reference,
    ReadInputs,
    total=False,
):
    """How the rankings of a pool are read, and what counts."""


class PoolOptions(Pooling, PooledRankings, Checks, Session, total=False):
    """The options of `sqlrank.pool`."""


READ = frozenset(
    ("columns", "header", "relevance_map", "weight", *RatingFiles.__annotations__, *TimeLimit.__annotations__)
)
"""The options that say how ratings are read."""


def reading_of(options: Mapping[str, Any]) -> "Reading":
    """How ratings are read; None stands for an option that was not given."""
    from sqlrank.inputs.reading import Reading  # help on the options needs no reader

    return Reading(**{name: value for name, value in options.items() if name in READ and value is not None})
