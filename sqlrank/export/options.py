"""The options of statements that are handed on, and of macros."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypedDict

from sqlrank.choices import DIALECTS, ID_FORMS
from sqlrank.evaluation import options as e
from sqlrank.monitoring.options import Rules
from sqlrank.options.declared import Option, flag, option, options_of
from sqlrank.options.kinds import PAIR, RELATION, TEXT, TEXTS, WHOLE

RULES = options_of(Rules)


def relation(record: type, name: str) -> Option:
    """An input of an evaluation that is named as a relation here."""
    return replace(options_of(record)[name], metavar="RELATION", kind=TEXT)


class Relations(TypedDict, total=False):
    """Relations besides the rankings and their judgments."""

    positives: Annotated[
        str | None,
        option("RELATION", "In place of {qrels}: query_id and doc_id; every row is relevance 1", RELATION, ...),
    ]
    items: Annotated[str | None, relation(e.Items, "items")]
    history: Annotated[str | None, relation(e.Items, "history")]
    baseline_run: Annotated[str | None, relation(e.Reference, "baseline_run")]
    queries: Annotated[
        str | None, option("RELATION", "Relation with one row per query, for {by} and {weight}", default=...)
    ]


class Spoken(TypedDict, total=False):
    """For which engine a statement is, and of which system."""

    dialect: Annotated[
        str,
        option(
            "NAME", "SQL dialect", default="duckdb", words=DIALECTS, common=True, in_python="Engine that will run it"
        ),
    ]
    system: Annotated[str | None, option("NAME", "Name of the system, for a column system")]


class FormOptions(Spoken, total=False):
    """The form of a statement."""

    ids: Annotated[
        str,
        option(
            "WORD",
            "Compare ids by their texts or as they are, which takes less, and needs one type of each in all relations",
            default="text",
            words=ID_FORMS,
        ),
    ]
    summary: Annotated[bool, flag("One row per metric instead of one per query", common=True)]
    check: Annotated[bool, flag("Instead, one row for each finding of a check of the inputs; none where all is well")]
    keep: Annotated[
        Sequence[str],
        option(
            "COLUMN",
            "Column carried along to the row of each query, such as ds: of the run, or queries.NAME or qrels.NAME; "
            "repeatable",
            TEXTS,
            (),
        ),
    ]
    create: Annotated[
        tuple[str, str] | None, option("table|view NAME", "Make a table or view of the rows", PAIR, common=True)
    ]
    incremental: Annotated[
        str | None,
        option(
            "COLUMN",
            "Add to the table of {create} the first partition of the run, by this column, that it does not hold",
            common=True,
        ),
    ]
    replace: Annotated[
        str | None,
        option("PARTITION", "Delete this partition from the table and add it anew: late rows, changed judgments"),
    ]
    until: Annotated[str | None, option("SQL", "Add only partitions below this value, such as current_date")]


class SqlOptions(
    FormOptions, e.Definitions, e.ConventionOptions, e.SegmentColumns, Relations, e.ReadInputs, e.Clusters, total=False
):
    """The options of `sqlrank.sql`."""


class MacroNames(TypedDict, total=False):
    """Which macros are made, and what they are called."""

    every: Annotated[bool, flag("Every metric that needs only a run and judgments", flags="--all", common=True)]
    prefix: Annotated[str, option("TEXT", "What the name of each macro begins with", default="rank_", common=True)]


class MacroOptions(MacroNames, e.Options, total=False):
    """The options of `sqlrank.macros`."""


class ChartedDays(TypedDict, total=False):
    """The control charts of stored rows."""

    day: Annotated[str, option("COLUMN", "Column of the days", default="as_of")]
    rule: Annotated[
        str, replace(RULES["rule"], meaning="Rule of the charts, as for monitor", in_python=RULES["rule"].meaning)
    ]
    direction: Annotated[str, RULES["direction"]]
    baseline_days: Annotated[str | None, replace(RULES["baseline_days"], common=False)]
    charts: Annotated[
        int | None,
        option(
            "N",
            "How many charts share the rate of false alarms; needed with {by}",
            WHOLE,
            in_python="How many charts share the rate of false alarms; needed with {by}, else as many as metrics",
        ),
    ]


class ChartOptions(ChartedDays, Spoken, total=False):
    """The options of `sqlrank.monitor_sql`."""

    by: Annotated[
        str | Sequence[str] | None, option("COLUMN", "Columns of segments, each value of which has a chart too", TEXTS)
    ]
    weighted: Annotated[bool, flag("Whether the column `weight` weighs queries")]
    alpha: Annotated[float, RULES["alpha"]]
