"""The options of the command line, each written once and shared by the commands that take it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Annotated, Any

import typer

from sqlrank.choices import ENGINES, FORMATS, INPUT_FORMATS, TOOLS
from sqlrank.conventions import Conventions
from sqlrank.dialects import DIALECTS
from sqlrank.errors import UsageError, nearest


def convention(name: str, *spellings: str) -> Any:
    """A convention as an option, with the help, choices and default that `Conventions` declares."""
    field = next(field for field in fields(Conventions) if field.name == name)
    choices = field.metadata["choices"]
    text = field.metadata["help"]
    if choices:
        text += ": " + "; ".join(f"{word} ({meaning})" for word, meaning in choices.items())
    default = (
        ""
        if field.default is None
        else f" [default: {field.default:g}]"
        if name == "rel"
        else f" [default: {field.default}]"
    )
    return typer.Option(
        *(spellings or (f"--{name.replace('_', '-')}",)),
        help=text + default,
        metavar="WORD" if choices else "N",
        show_default=False,
        autocompletion=lambda: list(choices or ()),
    )


Runs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="The rankings: a file, quoted glob, folder, URL, or - for stdin, with query_id, doc_id and score or rank; "
        "name=path names the system. With a relevance column it needs no --qrels, nor where no metric looks at "
        "judgments.",
        show_default=False,
    ),
]
Relation = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The relation of the rankings, as schema.table, or one {{ ... }} for dbt.",
        show_default=False,
    ),
]
Qrels = Annotated[
    str | None,
    typer.Option("--qrels", help="The judgments: query_id, doc_id and relevance.", show_default=False),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        help="A metric, such as ndcg@10, 'ap(rel=2)@100' or p@5,10; repeatable. See: sqlrank metrics. "
        "[default: ndcg@10, ap, rr, p@10, recall@100]",
        show_default=False,
    ),
]

Column = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="ROLE=NAME",
        help="Which column is query_id, doc_id, score, rank, relevance or system; run.ROLE=NAME and qrels.ROLE=NAME "
        "where they differ; repeatable.",
        show_default=False,
    ),
]
RelevanceMap = Annotated[
    str | None,
    typer.Option(
        "--relevance-map",
        metavar="LABEL=N,...",
        help="What text labels are worth: E=3,S=2,C=1,I=0.",
        show_default=False,
    ),
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--input-format",
        help=f"One of {', '.join(INPUT_FORMATS)}, where the suffix does not tell.",
        show_default=False,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="How text files are encoded, such as utf-16, latin-1 or gbk. [default: utf-8]",
        show_default=False,
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        help="CSV without names: query_id, doc_id, score (qrels: relevance); --column ROLE=3 for another position.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="FILE",
        help="A DuckDB file, opened read-only, whose tables RUN and QRELS are.",
        show_default=False,
    ),
]
Where = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="SQL",
        help="Only rows of the run (and judgments, on a labelled export) where this holds.",
        show_default=False,
    ),
]
NAMED = (
    "It is a column of --queries if that is given and has it, else of the run, else of the judgments; run.NAME,"
    " qrels.NAME and queries.NAME say which."
)
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        help=f"A row per value of this column, besides the total; repeatable. {NAMED}",
        show_default=False,
    ),
]
Queries = Annotated[
    str | None,
    typer.Option(
        "--queries",
        metavar="FILE",
        help="A table with one row per query, for --by and --weight.",
        show_default=False,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(
        "--weight", metavar="COLUMN", help=f"The weight of each query in the means. {NAMED}", show_default=False
    ),
]

Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="TOOL",
        help=f"Mean what another tool means: {', '.join(TOOLS)}. Single options win over it.",
        show_default=False,
        autocompletion=lambda: list(TOOLS),
    ),
]
MetricsDir = Annotated[
    str | None,
    typer.Option("--metrics-dir", metavar="DIR", help="A folder with metrics of your own.", show_default=False),
]
Items = Annotated[
    str | None,
    typer.Option(
        "--items", metavar="FILE", help="The catalogue: doc_id, and category for diversity.", show_default=False
    ),
]
History = Annotated[
    str | None,
    typer.Option(
        "--history", metavar="FILE", help="The past: query_id (or user) and doc_id, for novelty.", show_default=False
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="A run to compare with, for unexpectedness.", show_default=False),
]

Rel = Annotated[str | None, convention("rel")]
Ties = Annotated[str | None, convention("ties")]
Order = Annotated[str | None, convention("order")]
ScoreType = Annotated[str | None, convention("score_type")]
Depth = Annotated[int | None, convention("depth")]
QuerySet = Annotated[str | None, convention("query_set")]
Empty = Annotated[str | None, convention("empty")]
Unjudged = Annotated[str | None, convention("unjudged")]
Duplicates = Annotated[str | None, convention("duplicates")]
Judgments = Annotated[str | None, convention("judgments")]

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"One of {', '.join(FORMATS)}. [default: that of the suffix of -o, else table]",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to a file, whole or not at all.", show_default=False),
]
PerQuery = Annotated[
    str | None,
    typer.Option(
        "--per-query",
        metavar="FILE",
        help="Also write a row per query; - for stdout instead of the summary.",
        show_default=False,
    ),
]
Digits = Annotated[int, typer.Option("--digits", min=0, max=12, help="Decimals of table, markdown and latex.")]
ShowSql = Annotated[bool, typer.Option("--show-sql", help="Print the statement, runnable in a bare DuckDB, and stop.")]
FailUnder = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-under",
        metavar="METRIC=VALUE",
        help="Exit 4 if any system is below this in total; repeatable.",
        show_default=False,
    ),
]
Junit = Annotated[
    str | None,
    typer.Option(
        "--junit", metavar="FILE", help="Also write the outcome of every gate as JUnit XML.", show_default=False
    ),
]
Alpha = Annotated[
    str | None,
    typer.Option(
        "--alpha",
        metavar="P",
        help="What counts as significant, and what an interval leaves out. [default: 0.05, for 95 %]",
        show_default=False,
    ),
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine", metavar="WORD", help="What evaluates, of duckdb, spark. [default: duckdb]", show_default=False
    ),
]
Spark = Annotated[
    str | None,
    typer.Option(
        "--spark",
        metavar="ADDRESS",
        help="Which Spark evaluates: local[*], spark://host:7077 or sc://host:15002. [default: local[*]]",
        show_default=False,
    ),
]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="Threads of DuckDB.", show_default=False)]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Memory of DuckDB, such as 500MB; more is spilled.",
        show_default=False,
    ),
]
TempDir = Annotated[
    str | None, typer.Option("--temp-dir", metavar="DIR", help="Where DuckDB spills.", show_default=False)
]
SqlTimeLimit = Annotated[
    str | None,
    typer.Option(
        "--sql-time-limit",
        metavar="SECONDS",
        help="Stop a statement with SQL of yours, --where or a metric of --metrics-dir. [default: 600]",
        show_default=False,
    ),
]
NoChecks = Annotated[
    bool, typer.Option("--no-checks", help="Do not look for bad rows: the input was checked upstream.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No notes and no progress on stderr.")]
DialectName = Annotated[str, typer.Option("--dialect", help=f"The engine that will run it: {', '.join(DIALECTS)}.")]
Summary = Annotated[bool, typer.Option("--summary", help="A row per metric instead of one per query.")]


PASSED = frozenset(
    "like metrics_dir items history baseline by weight queries where relevance_map input_format encoding database "
    "rel ties order score_type depth query_set empty unjudged duplicates judgments "
    "threads memory_limit temp_dir sql_time_limit".split()
)
"""The options whose values go to the Python interface under their own names."""


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a command that were given, in the names of the Python interface."""
    found = {name: value for name, value in options.items() if name in PASSED and value not in (None, [])}
    if "rel" in found:
        found["rel"] = number(found["rel"], "--rel")
    if "sql_time_limit" in found:
        found["sql_time_limit"] = number(found["sql_time_limit"], "--sql-time-limit")
    if options.get("column"):
        found["columns"] = once((pair(text, "--column", "ROLE=NAME") for text in options["column"]), "--column")
    if options.get("engine") or options.get("spark"):
        found["engine"] = engine_of(options.get("engine"), options.get("spark"))
    if options.get("no_header"):
        found["header"] = False
    if "relevance_map" in found:
        pairs = (pair(text, "--relevance-map", "LABEL=N,...") for text in found["relevance_map"].split(","))
        labels = once(((label.strip(), value) for label, value in pairs), "--relevance-map")
        found["relevance_map"] = {label: number(value, "--relevance-map") for label, value in labels.items()}
    return found


def engine_of(engine: str | None, spark: str | None) -> str:
    """The engine, or the address of a Spark."""
    if engine not in (None, *ENGINES):
        raise UsageError(
            f"--engine {engine} is not known{nearest(engine, list(ENGINES))} (one of {', '.join(ENGINES)})"
        )
    if spark is not None and engine == "duckdb":
        raise UsageError(f"--spark {spark} is for --engine spark")
    return spark or str(engine)


def pair(text: str, option: str, form: str) -> tuple[str, str]:
    """A name and a value, split at the first equals sign."""
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise UsageError(f"{option} {text}: write {form}")
    return name, value


def once(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """Names and values as a dictionary.

    Raises:
        UsageError: a name is given two values.
    """
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise UsageError(f"{option}: {name} is given twice, as {found[name]} and as {value}; give it once")
        found[name] = value
    return found


def number(text: str, option: str) -> float:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise UsageError(f"{option}: {text!r} is not a number")
    return value
