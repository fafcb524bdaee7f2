"""Macros for DuckDB sessions: each metric as a table macro over the names of two relations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import DUCKDB, Argument, argument
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.export.relation_names import relations_named
from sqlrank.export.statement import inputs_sql
from sqlrank.inputs.conventions import of_relations
from sqlrank.metrics.catalogue import Metric
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Measure, of_queries
from sqlrank.statement.columns import COLUMNS, PLACE, inputs_of
from sqlrank.statement.render import header_of
from sqlrank.statement.step_names import STEP, new_names, renamed
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.version import __version__

WHOLE_RANKING = 2_147_483_647
"""The cutoff that cuts nothing."""

EXAMPLES = (
    "from ndcg('runs', 'judgments', k := 10);             -- a row for each query",
    "from rank_metrics('runs', 'judgments');              -- the same with a column for each of several metrics",
    "from rank_summary('runs', 'judgments');              -- the mean of each, with its standard error",
    "from ap('search.runs', 'search.judgments', rel := 2) -- relations are named as texts",
)


@dataclass(frozen=True, slots=True)
class Macro:
    """One table macro over a run and judgments."""

    name: str
    title: Markup
    arguments: tuple[dict[str, Any], ...]
    """Name and default of what may be given besides the relations."""
    lines: tuple[Markup, ...]
    """The statement."""


def macros_sql(asked: Request | None, request: Request) -> str:
    """The statements that create the macros: those asked for, or (None) all that need only a run and judgments."""
    reading = request.reading
    preset = request.language.preset
    request = replace(request, conventions=of_relations(request.conventions, preset, request.given, reading.columns))
    for option, given in (("--by", reading.by), ("--weight", reading.weight), ("--queries", reading.queries)):
        if given:
            raise UsageError(f"{option}: a macro gives a row for each query; join yours to it")
    check_inputs(asked.measures if asked else ())
    each = asked.measures if asked else measures_without_inputs(request.language)
    made = {macro.name: macro for macro in (metric_macro(measure, request) for measure in each)}
    together = of_queries(request.measures)
    if together:
        texts = ", ".join(measure.text for measure in together)
        for name, summarised in (("rank_metrics", False), ("rank_summary", True)):
            made[name] = macro_of(name, texts, (), replace(request, measures=together), summarised)
    return render(
        "duckdb/macros.sql",
        DUCKDB,
        version=comment(__version__),
        header=header_of((), request.conventions)[1:],
        examples=[comment(line) for line in EXAMPLES],
        macros=list(made.values()),
    )


def measures_without_inputs(language: Language) -> list[Measure]:
    """A measure of every metric that needs nothing but a run and judgments."""
    found: list[Measure] = []
    for metric in language.metrics.values():
        if metric.summary == "none" or metric.required or set(needed_inputs(metric)) - {"relevance", "score"}:
            continue
        cutoff = "@10" if metric.cutoff == "required" else ""
        found += parse_measures(metric.name + cutoff, language)
    return found


def needed_inputs(metric: Metric) -> list[str]:
    """The inputs and columns that a metric reads besides those of a run and of judgments."""
    columns = (COLUMNS[name].input for name in (*metric.reads, *metric.empty))
    return [*metric.inputs, *filter(None, columns)]


def check_inputs(measures: Sequence[Measure]) -> None:
    """Raise UsageError if a metric reads a relation other than the run and the judgments."""
    needs = set(inputs_of(measures)) - {"relevance", "score", "subtopic"}
    for name in sorted(needs):
        texts = inputs_of(measures)[name]
        raise UsageError(f"{texts}: a macro reads a run and judgments alone; take the statement: sqlrank sql --{name}")


def metric_macro(measure: Measure, request: Request) -> Macro:
    """The macro of one metric, whose cutoff and relevance level are arguments where they can be."""
    open_measure = opened(measure)
    given = [open_measure.k, dict(open_measure.values).get("rel")]
    arguments = tuple({"name": str(each), "value": plain_value(each)} for each in given if isinstance(each, Argument))
    alone = replace(request, measures=(open_measure,))
    return macro_of(open_measure.column, measure.metric.title, arguments, alone, summarised=False)


def hiding_judgments(text: str) -> list[str]:
    """The steps that stand before the judgments are read, which would be read instead if they were called so."""
    before = text[: text.rindex("query_table(qrels)")]
    made = [match[1] for match in re.finditer(STEP, before)]
    return [step for step in (made if "with recursive" in text else made[:-1]) if step != "per_query"]


def opened(measure: Measure) -> Measure:
    """The measure with arguments in place of what can be given later.

    The cutoff of a metric that looks at every place, judged or not, decides how many rows the statement makes: it is
    settled. So is a relevance level that was asked for.
    """
    values = dict(measure.values)
    if values.get("rel") == measure.metric.parameters.get("rel") is not None:
        values["rel"] = argument("rel", float(values["rel"]))
    placed = any(PLACE in COLUMNS[name].rows and name != "discount" for name in measure.metric.reads)
    fixed = placed or measure.metric.cutoff == "none" or values.get("ideal") == "full"
    k = measure.k if fixed else argument("k", measure.k or WHOLE_RANKING)
    return replace(measure, values=tuple(values.items()), k=k)


def plain_value(value: Any) -> float | int:
    """The default of an argument."""
    return int(value) if isinstance(value, int) else float(value)


def macro_of(name: str, title: str, arguments: tuple[dict[str, Any], ...], request: Request, summarised: bool) -> Macro:
    """A macro whose statement reads the relations that are named by its first two arguments."""
    run, qrels = sql_text("query_table(run)"), sql_text("query_table(qrels)")
    inputs = relations_named(DUCKDB, run, qrels, request.reading, request.conventions)
    inputs = replace(inputs, guarded=True, arguments=tuple(argument["name"] for argument in arguments))
    text = inputs_sql(DUCKDB, inputs, request, summarised)
    text = renamed(text, new_names(hiding_judgments(text), ()), DUCKDB)
    return Macro(name, comment(title), arguments, tuple(sql_text(line) for line in text.rstrip().splitlines()))
