"""The options of every call that evaluates rankings: how inputs are read, and what numbers mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any, TypedDict

from sqlrank.choices import INPUT_FORMATS, LABEL_DRAWS, TOOLS
from sqlrank.conventions import NUMBER as ANY_NUMBER
from sqlrank.conventions import Conventions
from sqlrank.options.declared import Option, flag, option
from sqlrank.options.kinds import (
    CONDITIONS,
    INPUT,
    INPUTS,
    LABELS,
    LEVEL,
    NUMBER,
    PATH,
    ROLES,
    TEXT,
    TEXTS,
    WHOLE,
    WORD,
    WORD_OR_NUMBER,
    Kind,
)
from sqlrank.options.shared import Separated, Session, TextFiles, TimeLimit
from sqlrank.spelling import plain


def convention(name: str, metavar: str, kind: Kind = WORD, without: Sequence[str] = ()) -> Option:
    """A convention as an option, with the meaning, choices but `without` and default that `Conventions` declares."""
    field = next(field for field in fields(Conventions) if field.name == name)
    title, every = field.metadata["help"], field.metadata["choices"] or {}
    choices = {word: text for word, text in every.items() if word not in without}
    lines = [title[:1].upper() + title[1:], *(f"{word}: {text}" for word, text in choices.items())]
    meaning = re.sub(r"--(\w+)", r"{\1}", "\n".join(lines))
    shown = field.metadata["unset"] if field.default is None else plain(field.default)
    words = tuple(word for word in choices if word != ANY_NUMBER)
    return option(metavar, meaning, kind, ..., shown=shown, words=words, open=bool(without) or ANY_NUMBER in choices)


class PairInputs(TypedDict, total=False):
    """What stands in place of judgments, or next to rankings."""

    positives: Annotated[
        Any,
        option(
            "FILE",
            "In place of {qrels}: query_id and doc_id, such as purchases; every row is relevance 1; repeatable",
            INPUTS,
            ...,
        ),
    ]


class Scores(TypedDict, total=False):
    """Scores next to the documents."""

    scores: Annotated[
        Any,
        option(
            "FILE",
            "Scores of the lines of a RUN in LETOR (svmlight), one a line, as RankLib, XGBoost and LightGBM give them; "
            "repeatable, NAME=FILE names the system",
            INPUTS,
            ...,
            in_python="Scores of the lines of a run in LETOR (svmlight): a file with one a line, a list or an array of "
            "numbers, or several of these by the name of their system",
        ),
    ]


class Columns(TypedDict, total=False):
    """Which rows and columns are read."""

    columns: Annotated[
        Mapping[str, str | Sequence[str]],
        option(
            "ROLE=NAME",
            "Column for query_id, doc_id, score, rank, relevance, system, subtopic or item_weight; run.ROLE=NAME or "
            "qrels.ROLE=NAME for one input; query_id=NAME,NAME for an id of several columns; NAME[] and NAME[].FIELD "
            "for lists; doc_id=(row) and rank=(row) for the order of rows; repeatable",
            ROLES,
            ...,
            flags="--column",
            complete="roles",
            common=True,
        ),
    ]
    session: Annotated[
        str | None,
        option("COLUMN", "Column that is part of the query, where one query was seen in several sessions", TEXT, ...),
    ]
    where: Annotated[
        str | Sequence[str] | Mapping[str, str] | None,
        option(
            "SQL",
            "Keep only rows meeting this condition, of the run and of a labelled export's judgments; qrels:SQL for "
            "judgments of their own (positives:SQL), run:SQL for the rankings alone; repeatable",
            CONDITIONS,
            ...,
        ),
    ]


class RelevanceMap(TypedDict, total=False):
    """What text labels are worth."""

    relevance_map: Annotated[
        Mapping[str, float | None],
        option(
            "LABEL=N,...",
            "Relevance of text labels, such as E=3,S=2,C=1,I=0; LABEL= for unjudged",
            LABELS,
            ...,
            in_python="Relevance of text labels",
        ),
    ]


class Files(RelevanceMap, TextFiles, Separated, total=False):
    """How the files of rankings and judgments are read."""

    input_format: Annotated[
        str | None, option("FORMAT", "Input format, if the suffix does not tell", TEXT, ..., words=INPUT_FORMATS)
    ]
    header: Annotated[
        bool,
        flag(
            "CSV has no header: query_id, doc_id, score (qrels: relevance), or as {columns} ROLE=3",
            in_python="Whether CSV files begin with the names of their columns",
            given=False,
            default=...,
            flags="--no-header",
        ),
    ]
    database: Annotated[
        str | None,
        option(
            "FILE|URL",
            "DuckDB file, ducklake:FILE, md:NAME or postgresql:// URL, opened read-only, with RUN and QRELS as tables",
            PATH,
            ...,
        ),
    ]


class Items(TypedDict, total=False):
    """Inputs of metrics beyond accuracy."""

    items: Annotated[
        Any,
        option("FILE", "Item catalogue: doc_id, category for diversity, length for tbg, vector for ild", INPUT, ...),
    ]
    history: Annotated[Any, option("FILE", "Past interactions: query_id (or user) and doc_id, for novelty", INPUT, ...)]


class Reference(TypedDict, total=False):
    """The run that unexpectedness is measured against."""

    baseline_run: Annotated[Any, option("FILE", "Run of a baseline system, for unexpectedness", INPUT, ...)]


class FromBehaviour(TypedDict, total=False):
    """Where judgments come from, of those that come from clicks."""

    judged_by: Annotated[
        str | Sequence[str] | None,
        option(
            "NAME",
            "System whose clicked results the judgments come from, where their file does not say it; repeatable",
            TEXTS,
            ...,
        ),
    ]
    same_days: Annotated[bool, flag("Judgments may come from clicks of the days that are evaluated", default=...)]


class IntervalLabels(TypedDict, total=False):
    """What is made of judgments that have an interval."""

    exact_labels: Annotated[
        bool,
        flag(
            "Ignore the low and high columns (the 95 % interval of each label) of the judgments",
            default=...,
            flags="--labels-as-exact",
        ),
    ]
    label_draws: Annotated[
        int,
        option(
            "N", "Number of label samples, where judgments have intervals", WHOLE, ..., shown=f"{LABEL_DRAWS}", least=1
        ),
    ]


class SegmentColumns(TypedDict, total=False):
    """Segments, and weights of queries."""

    by: Annotated[
        str | Sequence[str],
        option(
            "COLUMN",
            "Segment by this column: one row for each value, as well as the total; repeatable. Looked up in {queries}, "
            "the run and the judgments, in this order; queries.NAME, run.NAME or qrels.NAME picks one; NAME=SQL "
            "computes one, such as week=date_trunc('week', day)",
            TEXTS,
            ...,
            complete="columns",
            common=True,
        ),
    ]
    weight: Annotated[
        str | None,
        option(
            "COLUMN",
            "Column with the weight of each query in the means, looked up as for {by}, or SQL such as ln(1 + traffic)",
            TEXT,
            ...,
            complete="columns",
        ),
    ]


class Segments(SegmentColumns, total=False):
    """The same, where a table of queries has them."""

    queries: Annotated[
        Any, option("FILE", "Table with one row per query, for {by} and {weight}", INPUT, ..., common=True)
    ]


class Clusters(TypedDict, total=False):
    """Clusters of queries."""

    cluster: Annotated[
        str | None,
        option(
            "COLUMN",
            "Column that groups related queries, such as variants of a topic, looked up as for {by}; standard errors "
            "are clustered by it",
            TEXT,
            ...,
            complete="columns",
        ),
    ]


class OwnMetrics(TypedDict, total=False):
    """Metrics that the user defines."""

    metrics_dir: Annotated[str | None, option("DIR", "Directory with metrics of your own", PATH, ...)]


class Definitions(OwnMetrics, total=False):
    """Whose definitions metrics follow."""

    like: Annotated[
        str | None,
        option(
            "TOOL",
            "Use the definitions of another tool; single options override them",
            TEXT,
            ...,
            words=TOOLS,
            common=True,
        ),
    ]


class RankingConventions(TypedDict, total=False):
    """How a ranking is formed."""

    ties: Annotated[str, convention("ties", "WORD")]
    order: Annotated[str, convention("order", "WORD")]
    score_type: Annotated[str, convention("score_type", "WORD")]
    duplicates: Annotated[str, convention("duplicates", "WORD")]
    collapse: Annotated[str, convention("collapse", "WORD")]


class Depth(TypedDict, total=False):
    """How deep rankings are."""

    depth: Annotated[int | None, convention("depth", "N", WHOLE)]


class JudgmentConventions(TypedDict, total=False):
    """What judgments mean, and which queries count."""

    rel: Annotated[float, convention("rel", "N", NUMBER)]
    top_relevance: Annotated[float | None, convention("top_relevance", "N", LEVEL)]
    query_set: Annotated[str, convention("query_set", "WORD")]
    empty: Annotated[str, convention("empty", "WORD")]
    unjudged: Annotated[str | float, convention("unjudged", "WORD|N", WORD_OR_NUMBER)]
    judgments: Annotated[str, convention("judgments", "WORD")]


class ConventionOptions(JudgmentConventions, RankingConventions, Depth, total=False):
    """Conventions, all of which can be given by `like` too."""


class ReadInputs(Scores, Columns, Files, FromBehaviour, IntervalLabels, TimeLimit, total=False):
    """How rankings and judgments are read."""


class BaseOptions(Definitions, ConventionOptions, Segments, PairInputs, Items, ReadInputs, total=False):
    """The options of every call that evaluates rankings."""


class Options(BaseOptions, Clusters, Reference, total=False):
    """Every option of an evaluation in addition to its inputs and metrics; see `Conventions` and `Reading`."""


class Checks(TypedDict, total=False):
    """Whether rows are checked."""

    checks: Annotated[
        bool,
        flag(
            "Skip the checks for invalid rows, for inputs checked upstream",
            in_python="Whether to check the rows of the inputs",
            given=False,
            default=True,
            flags="--no-checks",
        ),
    ]


class Judged(TypedDict, total=False):
    """What is shown of unjudged documents."""

    judged: Annotated[bool, flag("Also show judged@k, the share of judged documents, for each cutoff of the metrics")]
    bounds: Annotated[
        bool,
        flag(
            "Also show lower and upper bounds over all possible missing judgments, for metrics that judgments only "
            "raise"
        ),
    ]


class Engine(TypedDict, total=False):
    """What runs an evaluation."""

    engine: Annotated[
        Any,
        option(
            "",
            "`duckdb`; `spark`, an address of Spark such as `local[4]`, `spark://host:7077` or `sc://host:15002`, or a "
            "session of Spark; None for DuckDB, or Spark where an input is a data frame of it",
            INPUT,
        ),
    ]


class EvaluateOptions(Options, Checks, Judged, Session, Engine, total=False):
    """The options of `sqlrank.evaluate`."""

    texts: Annotated[bool, flag("Metrics that are texts (relstring) may be asked for")]
