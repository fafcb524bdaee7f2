"""The options of the command line in their groups; a command names those that it takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlrank.choices import COLORS, ENGINES, FORMATS, RESULT_FORMATS, TIDY
from sqlrank.cli.completion import evaluation_names, metric_names
from sqlrank.cli.groups import Group, argument, flag, option, repeated
from sqlrank.errors import UsageError, not_known
from sqlrank.evaluation import options as e
from sqlrank.options import shared
from sqlrank.options.texts import alone, day, numbers_of, whole


def given(*groups: Group) -> dict[str, Any]:
    """The values that were given, by argument of the Python interface."""
    return {name: value for group in groups for name, value in group.given().items()}


def format_option(formats: Sequence[str]) -> Any:
    """The format of the output."""
    return option("FORMAT", "Output format", shown="by the suffix of -o, else table", words=formats, common=True)


def output_option(how: str) -> Any:
    """The files that are written, and how."""
    text = f"Write to this file, completely or not at all, {how}; - for stdout; repeatable"
    return repeated("FILE", text, flags="--output -o", common=True)


class Runs(Group, heading="Inputs", takes=[e.PairInputs]):
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


class Columns(Group, heading="Inputs", takes=[e.Columns]):
    """Which rows and columns are read."""


class Described(Group, heading="Inputs"):
    """What documents and queries are called."""

    items: str | None = option("FILE", "Table of documents: doc_id and title (or name, text), for people", common=True)
    queries: str | None = option("FILE", "Table of queries: query_id and title (or text), for people")


JUDGED = (e.FromBehaviour, e.IntervalLabels)
"""Where judgments come from, and how sure they are."""


class EvalInputs(Runs, takes=[e.Scores, e.Columns, e.Files, e.Items, e.Reference, *JUDGED, e.Checks]):
    """Inputs of eval."""


class ExplainInputs(Runs, Described, takes=[e.Scores, e.Columns, e.Files, e.Items, e.Reference, e.FromBehaviour]):
    """Inputs of explain."""


class OwnMetrics(Group, heading="Metrics", takes=[e.OwnMetrics]):
    """Metrics that the user defines."""


class Metrics(Group, heading="Metrics", takes=[e.Definitions]):
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


class JudgedMetrics(Metrics, takes=[e.Judged]):
    """The metrics, and what they say of the documents that nobody judged."""


class Segments(Group, heading="Segments and weights", takes=[e.Segments]):
    """Segments, and weights of queries."""


class EvalSegments(Segments, takes=[e.Clusters]):
    """The same, with clusters of queries."""


class ConventionOptions(Group, heading="Conventions", takes=[e.ConventionOptions]):
    """Conventions, all of which can be given by --like too."""


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
    output: list[str] | None = output_option("as its suffix says")
    digits: int = option("N", "Decimals of table, markdown and latex", 4, convert=whole(0, 12))


class Reported(Group, heading="Output"):
    """Output that may be a report."""

    output: list[str] | None = output_option("as its suffix says, .html as a report")


class Verbose(Group, heading="Output"):
    """Whether all remarks are shown."""

    verbose: bool = flag("Show all remarks below the table: conventions, tests, intervals and detectable differences")


class EvalOutput(Reported, Output, Plotted, Verbose):
    """Output of eval."""

    show: dict[str, int] | None = repeated(
        "KIND=N",
        "Also show N queries, of each system; repeatable\n"
        "worst: those with the lowest values of the first metric\n"
        "best: those with the highest values",
        convert=numbers_of("worst", "best"),
        common=True,
    )
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


class RatersOutput(Reported, TableOutput, Plotted):
    """Output of gsb and agreement."""

    show: dict[str, int] | None = repeated(
        "KIND=N",
        "Also show every rater, and N items\ndisputed: those that raters disagree on most",
        convert=numbers_of("disputed"),
        common=True,
    )


class CompareOutput(Reported, TableOutput, Plotted, Verbose):
    """Output of compare."""

    per_query: str | None = option(
        "FILE", "Also write both values of every query; - for stdout, instead of the summary"
    )
    show: dict[str, int] | None = repeated(
        "KIND=N",
        "Also show N queries, of each candidate; repeatable\n"
        "worst: those with the largest losses in the first metric\n"
        "best: those with the largest gains in it\n"
        "movers: those with the largest differences in each metric",
        convert=numbers_of("worst", "best", "movers"),
        common=True,
    )


class LogOutput(Reported, TableOutput):
    """Output of log interleave and log value."""


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


class Alpha(Group, heading="Significance", takes=[shared.Alpha]):
    """The significance level."""


class TimeLimit(Group, heading="Resources", takes=[shared.TimeLimit]):
    """The time limit of SQL that the user wrote."""


class Limits(Group, heading="Resources", takes=[shared.Limits]):
    """What DuckDB may use."""


class Resources(TimeLimit, Limits):
    """What DuckDB may use, and for how long with SQL that the user wrote."""


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


class Project(Group, heading="Settings"):
    """The settings of the project, which are settled before a command runs."""

    config: str | None = option(
        "NAME",
        "Evaluation of sqlrank.toml, or of [tool.sqlrank.evaluations] in pyproject.toml",
        complete=evaluation_names,
    )
    show_config: bool = flag("Show every value with where it comes from, and exit")
