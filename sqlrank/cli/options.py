"""The options of the command line in their groups; a command names those that it takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from datetime import date
from typing import Any

from sqlrank.choices import (
    ALTERNATIVES,
    COLORS,
    COMPARISON_CORRECTIONS,
    CORRECTIONS,
    DIALECTS,
    ENGINES,
    FORMATS,
    ID_FORMS,
    INPUT_FORMATS,
    RESULT_FORMATS,
    TESTS,
    TIDY,
    TOOLS,
)
from sqlrank.cli.completion import column_names, evaluation_names, metric_names, role_columns
from sqlrank.cli.groups import Group, argument, flag, option, repeated
from sqlrank.cli.values import alone, day, labels, margins, number, only, roles, whole
from sqlrank.conventions import NUMBER, Conventions, plain
from sqlrank.errors import UsageError, not_known


def given(*groups: Group) -> dict[str, Any]:
    """The values that were given, by argument of the Python interface."""
    return {name: value for group in groups for name, value in group.given().items()}


def convention(name: str, metavar: str, convert: Any = None, without: Sequence[str] = ()) -> Any:
    """A convention as an option, with the help, choices but `without` and default that `Conventions` declares."""
    field = next(field for field in fields(Conventions) if field.name == name)
    choices = {word: text for word, text in (field.metadata["choices"] or {}).items() if word not in without}
    text = text_of_convention(name, without)
    shown = field.metadata["unset"] if field.default is None else plain(field.default)
    return option(metavar, text, shown=shown, words=[word for word in choices if word != NUMBER], convert=convert)


def text_of_convention(name: str, without: Sequence[str] = ()) -> str:
    """What help says of a convention: what it is, and each of its choices but `without` in a line."""
    field = next(field for field in fields(Conventions) if field.name == name)
    title = field.metadata["help"]
    choices = {word: text for word, text in (field.metadata["choices"] or {}).items() if word not in without}
    return "\n".join([title[:1].upper() + title[1:], *(f"{word}: {meaning}" for word, meaning in choices.items())])


def format_option(formats: Sequence[str]) -> Any:
    """The format of the output."""
    return option("FORMAT", "Output format", shown="by the suffix of -o, else table", words=formats, common=True)


def correction_option(families: str, words: Sequence[str] = CORRECTIONS) -> Any:
    """The correction of p values, over the families named."""
    text = f"Correction for multiple comparisons, over {families}"
    return option("WORD", text, shown=words[0], words=words)


def column_option(text: str) -> Any:
    """The columns of roles; `text` says which roles there are."""
    return repeated(
        "ROLE=NAME", f"{text}; repeatable", convert=roles, complete=role_columns, flags="--column", common=True
    )


def database_option(tables: str) -> Any:
    """The database of the inputs, which has `tables`."""
    return option(
        "FILE|URL", f"DuckDB file, ducklake:FILE, md:NAME or postgresql:// URL, opened read-only, with {tables}"
    )


class Runs(Group, heading="Inputs"):
    """Rankings in files, and their judgments."""

    runs: list[str] = argument(
        "RUN",
        "Rankings: a file, quoted glob, directory, URL, or - for stdin, with query_id, doc_id and score or rank; "
        "name=path names the system. With a relevance column, or metrics that use no judgments, it needs no --qrels.",
        several=True,
    )
    qrels: str | list[str] | None = repeated(
        "QRELS",
        "Judgments: query_id, doc_id and relevance; repeatable",
        convert=alone,
        passed=False,
        common=True,
    )
    positives: str | list[str] | None = repeated(
        "FILE",
        "In place of --qrels: query_id and doc_id, such as purchases; every row is relevance 1; repeatable",
        convert=alone,
    )


class Scores(Group, heading="Inputs"):
    """Scores that stand beside the documents."""

    scores: str | list[str] | None = repeated(
        "FILE",
        "Scores of the lines of a RUN in LETOR (svmlight), one a line, as RankLib, XGBoost and LightGBM give them; "
        "repeatable, NAME=FILE names the system",
        convert=alone,
    )


class Columns(Group, heading="Inputs"):
    """Which rows and columns are read."""

    columns: dict[str, str] | None = column_option(
        "Column for query_id, doc_id, score, rank, relevance, system, subtopic or item_weight; run.ROLE=NAME or "
        "qrels.ROLE=NAME for one input; query_id=NAME,NAME for an id of several columns; NAME[] and NAME[].FIELD for "
        "lists; doc_id=(row) and rank=(row) for the order of rows"
    )
    session: str | None = option(
        "COLUMN", "Column that is part of the query, where one query was seen in several sessions"
    )
    where: list[str] | None = repeated(
        "SQL",
        "Keep only rows meeting this condition, of the run and of a labelled export's judgments; qrels:SQL for "
        "judgments of their own (positives:SQL), run:SQL for the rankings alone; repeatable",
    )


class TextFiles(Group, heading="Inputs"):
    """How files are read."""

    input_format: str | None = option("FORMAT", "Input format, if the suffix does not tell", words=INPUT_FORMATS)
    encoding: str | None = option("NAME", "Encoding of text files, such as utf-16, latin-1 or gbk", shown="utf-8")
    timezone: str | None = option(
        "ZONE", "Where times have a zone: the one in which they are read, such as Europe/Berlin", shown="UTC"
    )


class Separated(Group, heading="Inputs"):
    """How texts of several values are read."""

    separator: str | None = option(
        "TEXT", "A row holds a whole ranking, its documents (and scores) as texts with this between them"
    )


class Files(TextFiles, Separated):
    """How the files of rankings and judgments are read."""

    header: bool | None = flag(
        "CSV has no header: query_id, doc_id, score (qrels: relevance), or as --column ROLE=3",
        given=False,
        default=None,
        flags="--no-header",
    )
    relevance_map: dict[str, float | None] | None = option(
        "LABEL=N,...",
        "Relevance of text labels, such as E=3,S=2,C=1,I=0; LABEL= where one says that nobody judged",
        convert=labels,
    )
    database: str | None = database_option("RUN and QRELS as tables")


class Described(Group, heading="Inputs"):
    """What documents and queries are called."""

    items: str | None = option("FILE", "Table of documents: doc_id and title (or name, text), for people", common=True)
    queries: str | None = option("FILE", "Table of queries: query_id and title (or text), for people")


class Items(Group, heading="Inputs"):
    """Inputs of metrics beyond accuracy."""

    items: str | None = option("FILE", "Item catalogue: doc_id, category for diversity, length for tbg, vector for ild")
    history: str | None = option("FILE", "Past interactions: query_id (or user) and doc_id, for novelty")


class Reference(Group, heading="Inputs"):
    """The run that unexpectedness is measured against."""

    baseline: str | None = option(
        "FILE", "Run of a baseline system, for unexpectedness: a file (that of compare is a NAME)"
    )


class Checks(Group, heading="Inputs"):
    """Whether rows are checked."""

    checks: bool = flag(
        "Skip the checks for invalid rows, for inputs checked upstream", False, True, passed=False, flags="--no-checks"
    )


class FromBehaviour(Group, heading="Inputs"):
    """Where judgments come from, of those that come from clicks."""

    judged_by: list[str] | None = repeated(
        "NAME", "System whose clicked results the judgments come from, where their file does not say it; repeatable"
    )
    same_days: bool | None = flag("Judgments may come from clicks of the days that are evaluated", default=None)


class Labels(Group, heading="Inputs"):
    """What is made of judgments that have an interval."""

    exact_labels: bool | None = flag(
        "Ignore the low and high columns (the 95 % interval of each label) of the judgments",
        given=True,
        default=None,
        flags="--labels-as-exact",
    )
    label_draws: int | None = option(
        "N", "Number of label samples, where judgments have intervals", shown="200", convert=whole(1)
    )


class EvalInputs(Runs, Scores, Columns, Files, Items, Reference, FromBehaviour, Labels, Checks):
    """Inputs of eval."""


class ExplainInputs(Runs, Scores, Columns, Files, Described, Items, Reference, FromBehaviour):
    """Inputs of explain."""


class SqlRelations(Columns, Separated):
    """Relations of another session besides the rankings."""

    qrels: str | None = repeated("QRELS", "Relation that holds the judgments", convert=only, passed=False, common=True)
    positives: str | None = repeated(
        "RELATION", "In place of --qrels: query_id and doc_id; every row is relevance 1", convert=only
    )
    items: str | None = option(
        "RELATION", "Item catalogue: doc_id, category for diversity, length for tbg, vector for ild"
    )
    history: str | None = option("RELATION", "Past interactions: query_id (or user) and doc_id, for novelty")
    baseline: str | None = option("RELATION", "Run of a baseline system, for unexpectedness")


class SqlInputs(SqlRelations):
    """Relations of another session."""

    run: str = argument("RUN", "Relation that holds the rankings, as schema.table, or one {{ ... }} of dbt")


class OwnMetrics(Group, heading="Metrics"):
    """Metrics that the user defines."""

    metrics_dir: str | None = option("DIR", "Directory with metrics of your own")


class Metrics(OwnMetrics):
    """The metrics, and whose definitions they follow."""

    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric, such as ndcg@10, 'ap(rel=2)@100' or p@5,10; repeatable; see sqlrank metrics "
        "[default: ndcg@10, ap, rr, p@10, recall@100]",
        passed=False,
        complete=metric_names,
        flags="--metric -m",
        common=True,
    )
    like: str | None = option(
        "TOOL", "Use the definitions of another tool; single options override them", words=TOOLS, common=True
    )


class JudgedMetrics(Metrics):
    """The metrics, and what they say of the documents that nobody judged."""

    judged: bool = flag("Also show judged@k, the share of judged documents, for each cutoff of the metrics")
    bounds: bool = flag(
        "Also show lower and upper bounds over all possible missing judgments, for metrics that judgments only raise"
    )


class MacroMetrics(Metrics):
    """Metrics that become macros."""

    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric, such as ndcg or 'ap(rel=2)'; repeatable [default: a dozen that most people ask for]",
        passed=False,
        flags="--metric -m",
        common=True,
    )
    every: bool = flag("Every metric that needs only a run and judgments", flags="--all", common=True)
    prefix: str = option("TEXT", "What the name of each macro begins with", "rank_", common=True)


class Segments(Group, heading="Segments and weights"):
    """Segments, and weights of queries."""

    by: list[str] | None = repeated(
        "COLUMN",
        "Segment by this column: one row for each value, besides the total; repeatable. Looked up in --queries, the "
        "run and the judgments, in this order; queries.NAME, run.NAME or qrels.NAME picks one; NAME=SQL computes one, "
        "such as week=date_trunc('week', day)",
        complete=column_names,
        common=True,
    )
    weight: str | None = option(
        "COLUMN",
        "Column with the weight of each query in the means, looked up as for --by, or SQL such as ln(1 + traffic)",
        complete=column_names,
    )
    queries: str | None = option("FILE", "Table with one row per query, for --by and --weight", common=True)


class EvalSegments(Segments):
    """The same, with clusters of queries."""

    cluster: str | None = option(
        "COLUMN",
        "Column that groups related queries, such as variants of a topic, looked up as for --by; standard errors are "
        "clustered by it",
        complete=column_names,
    )


class SqlSegments(Segments):
    """The same for relations of another session."""

    queries: str | None = option("RELATION", "Relation with one row per query, for --by and --weight")


class ConventionOptions(Group, heading="Conventions"):
    """Conventions, all of which can be given by --like too."""

    rel: float | None = convention("rel", "N", number)
    top_relevance: float | None = convention("top_relevance", "N", number)
    ties: str | None = convention("ties", "WORD")
    order: str | None = convention("order", "WORD")
    score_type: str | None = convention("score_type", "WORD")
    depth: int | None = convention("depth", "N", whole())
    query_set: str | None = convention("query_set", "WORD")
    empty: str | None = convention("empty", "WORD")
    unjudged: str | None = convention("unjudged", "WORD|N")
    duplicates: str | None = convention("duplicates", "WORD")
    collapse: str | None = convention("collapse", "WORD")
    judgments: str | list[str] | None = convention("judgments", "WORD")


class Quiet(Group, heading="Output"):
    """Whether anything is said on stderr besides errors."""

    quiet: bool = flag("No notes and no progress on stderr")

    @property
    def progress(self) -> bool:
        """Whether a person sees progress on stderr."""
        return sys.stderr.isatty() and not self.quiet


class Colored(Quiet):
    """Whether significant differences are coloured."""

    color: str = option("WORD", "Colour significant gains and losses", "auto", words=COLORS)


class Plotted(Group, heading="Output"):
    """Whether intervals are drawn."""

    plot: bool = flag("Draw the intervals in the table")


class Output(Colored):
    """Where the results go, and how they look."""

    format: str | None = format_option(FORMATS)
    output: str | None = option(
        "FILE", "Write to this file, completely or not at all", flags="--output -o", common=True
    )
    digits: int = option("N", "Decimals of table, markdown and latex", 4, convert=whole(0, 12))


class Extremes(Group, heading="Output"):
    """Queries that are shown below the summary."""

    worst: int | None = option(
        "N",
        "Also show the N queries with the lowest values of the first metric, of each system (in compare: with the "
        "largest losses, of each candidate)",
        convert=whole(1),
        common=True,
    )
    best: int | None = option(
        "N", "Also show the N with the highest values (in compare: with the largest gains)", convert=whole(1)
    )


class Verbose(Group, heading="Output"):
    """Whether all remarks are shown."""

    verbose: bool = flag("Show all remarks below the table: conventions, tests, intervals and detectable differences")


class EvalOutput(Output, Plotted, Extremes, Verbose):
    """Output of eval."""

    per_query: str | None = option(
        "FILE", "Also write one row per query; - for stdout, instead of the summary", common=True
    )
    store: str | None = option(
        "PLACE",
        "Also add the per-query rows to a store of many days and systems: a folder, a URL of one, or NAME.duckdb",
    )
    as_of: date | None = option("DATE", "Day that the rows of --store stand for, such as 2026-11-10", convert=day)
    replace_stored: bool = flag("Let --store replace rows of the same day and system")
    show_sql: bool = flag("Print the statements that ran, which run in a bare DuckDB too, and exit")


class TableOutput(Output):
    """Output that trec_eval has no format for."""

    format: str | None = format_option(RESULT_FORMATS)


class RatersOutput(TableOutput, Plotted):
    """Output of gsb and agreement."""

    disputed: int | None = option(
        "N",
        "Also show every rater, and the N items that raters disagree on most",
        convert=whole(1),
        common=True,
    )


class CompareOutput(TableOutput, Plotted, Extremes, Verbose):
    """Output of compare."""

    per_query: str | None = option(
        "FILE", "Also write both values of every query; - for stdout, instead of the summary"
    )
    movers: int | None = option(
        "N", "Also show the N queries with the largest differences, for each metric", convert=whole(1)
    )


class ExplainOutput(Output):
    """Output of explain."""

    format: str | None = format_option(("table", *TIDY))
    system: list[str] | None = repeated(
        "NAME",
        "System to explain, if there are several; twice for two side by side, the baseline first",
        common=True,
    )
    rows: int = option("N", "Number of ranks to show", 10, convert=whole(1), common=True)


class Junit(Group, heading="Gates"):
    """A report of gates."""

    gate_segments: bool = flag("The gates hold for every segment too, and not for the total alone")
    junit: str | None = option("FILE", "Also write the outcome of every gate as JUnit XML")


class EvalGates(Junit):
    """Gates of eval."""

    fail_under: list[str] | None = repeated(
        "METRIC=VALUE",
        "Exit with code 4 if the total of any system is below VALUE; repeatable",
        common=True,
    )


class CompareGates(Junit):
    """Gates of compare."""

    fail_on_drop: list[str] | None = repeated(
        "METRIC=VALUE",
        "Exit with code 4 if the total of any candidate is below the baseline's by more than VALUE, or by 1% of it; "
        "repeatable",
        common=True,
    )
    not_worse_than: list[str] | None = repeated(
        "METRIC=VALUE",
        "Exit with code 4 unless every candidate is shown not to be worse than the baseline by VALUE, or by 1% of its "
        "value, at --alpha; repeatable",
        common=True,
    )
    confidently: bool = flag(
        "--fail-on-drop fails only if the whole interval is below -VALUE: fewer false alarms, and it catches less; a "
        "line below the table says how often it fails with no change, and what drop it catches"
    )


class Alpha(Group, heading="Significance"):
    """The significance level."""

    alpha: float | None = option(
        "P", "Significance level; intervals have a confidence of 1 - P", shown="0.05", convert=number
    )


def unpaired_flag() -> Any:
    """The option for systems of different queries."""
    return flag(
        "Compare systems that have queries of their own, as the arms of a test or two weeks: their means, with the "
        "covariance of the queries that both have",
        given=False,
        default=None,
        flags="--unpaired",
    )


def alternative_option() -> Any:
    """What a test of two systems, or of two arms, looks for."""
    return option(
        "WORD",
        "What the test looks for: a difference either way, or a candidate that is better (greater) or worse (less)",
        shown=ALTERNATIVES[0],
        words=ALTERNATIVES,
    )


class Significance(Alpha):
    """How differences are tested."""

    test: str | None = option("WORD", "Significance test (wilcoxon needs scipy)", shown=TESTS[0], words=TESTS)
    correction: str | None = correction_option("the totals and over the segments", COMPARISON_CORRECTIONS)
    alternative: str | None = alternative_option()
    cluster: str | None = option(
        "COLUMN",
        "Column whose value related queries share, as variants of a topic: they change signs and are drawn together; "
        "days of --periods that differ are clusters too, unless it is query_id",
    )
    all_pairs: bool = flag(
        "Compare every pair of systems; of --correction, max-t takes into account that pairs of the same systems are "
        "related"
    )
    paired: bool | None = unpaired_flag()
    periods: str | None = option(
        "COLUMN=A..B,C..D",
        "Compare periods of one export, the baseline first: ranges of a column, or of an SQL expression over a row, "
        "that are days, times or numbers, or single values; NAME=A..B names one",
    )
    system: str | None = option("NAME", "System whose periods are compared, where there are several")
    replicates: int | None = option("N", "Replicates of randomization and bootstrap", shown="10000", convert=whole())
    seed: int | None = option("N", "Seed of their random numbers", shown="0", convert=whole())
    margins: list[str] | None = repeated(
        "METRIC=VALUE",
        "Also test whether candidates are not worse than the baseline, and equivalent to it, up to VALUE or 1%; "
        "repeatable",
        convert=margins,
        flags="--margin",
    )

    def given(self) -> dict[str, Any]:
        """The values that were given; all pairs only where they are asked for."""
        return {name: value for name, value in super().given().items() if name != "all_pairs" or value}


class TimeLimit(Group, heading="Resources"):
    """The time limit of SQL that the user wrote."""

    sql_time_limit: float | None = option(
        "SECONDS", "Time limit of a statement with SQL of yours (--where, --metrics-dir)", shown="600", convert=number
    )


class Resources(TimeLimit):
    """What DuckDB may use."""

    threads: int | None = option("N", "Number of DuckDB threads", convert=whole(1))
    memory_limit: str | None = option(
        "SIZE", "Memory limit of DuckDB, such as 500MB; beyond it, data is spilled to disk"
    )
    temp_dir: str | None = option("DIR", "Directory for spilled data")


class EvalResources(Resources):
    """The engine, and what it may use."""

    name: str | None = option(
        "WORD", "Engine that runs the evaluation", shown="duckdb", words=ENGINES, passed=False, flags="--engine"
    )
    spark: str | None = option(
        "ADDRESS", "Spark to connect to, such as spark://host:7077 or sc://host:15002", shown="local[*]", passed=False
    )

    def given(self) -> dict[str, Any]:
        """The engine, or the address of a Spark, besides the other values."""
        if self.name not in (None, *ENGINES):
            raise not_known("--engine", self.name, ENGINES)
        if self.spark is not None and self.name == "duckdb":
            raise UsageError(f"--spark {self.spark} is for --engine spark")
        engine = self.spark or self.name
        return super().given() | ({"engine": engine} if engine else {})


class Statement(Group, heading="Output"):
    """The form of the statement."""

    dialect: str = option("NAME", "SQL dialect", "duckdb", words=DIALECTS, common=True)
    ids: str = option(
        "WORD",
        "Compare ids by their texts or as they are, which takes less, and needs one type of each in all relations",
        "text",
        words=ID_FORMS,
    )
    summary: bool = flag("One row per metric instead of one per query", common=True)
    check: bool = flag("Instead, one row for each finding of a check of the inputs; none where all is well")
    system: str | None = option("NAME", "Name of the system, for a column system")
    keep: list[str] | None = repeated(
        "COLUMN",
        "Column carried along to the row of each query, such as ds: of the run, or queries.NAME or qrels.NAME; "
        "repeatable",
    )
    create: tuple[str, str] | None = option(
        "table|view NAME", "Make a table or view of the rows", kind=tuple[str, str], common=True
    )
    incremental: str | None = option(
        "COLUMN",
        "Add to the table of --create the first partition of the run, by this column, that it does not hold",
        common=True,
    )
    replace: str | None = option(
        "PARTITION", "Delete this partition from the table and add it anew: late rows, changed judgments"
    )
    until: str | None = option("SQL", "Add only partitions below this value, such as current_date")


class Project(Group, heading="Settings"):
    """The settings of the project, which are settled before a command runs."""

    config: str | None = option(
        "NAME",
        "Evaluation of sqlrank.toml, or of [tool.sqlrank.evaluations] in pyproject.toml",
        complete=evaluation_names,
    )
    show_config: bool = flag("Show every value with where it comes from, and exit")
