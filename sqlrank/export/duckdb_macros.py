"""Macros for DuckDB sessions: each metric as a table macro over the names of two relations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import CONTROL, DUCKDB, Argument, argument, visible
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.export.relation_names import relations_named
from sqlrank.export.statement import inputs_sql
from sqlrank.export.statement_form import Form
from sqlrank.inputs.roles import columns_in
from sqlrank.inputs.settled_conventions import of_relations
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Measure, of_queries
from sqlrank.spelling import spelt
from sqlrank.statement.columns import COLUMNS, OF_ITEMS, PLACE, inputs_behind, inputs_of, reads_of
from sqlrank.statement.lines import lines_of
from sqlrank.statement.relations import Relation, Relations
from sqlrank.statement.renamed_steps import STEP, new_names, renamed
from sqlrank.statement.render import header_of
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.version import __version__

USUAL = ("ndcg", "dcg", "ap", "rr", "p", "recall", "f", "success", "rprec", "bpref", "err", "auc")
"""The metrics that most people ask for."""

WHOLE_RANKING = 2_147_483_647
"""The cutoff that cuts nothing."""

EXAMPLES = (
    "from {}ndcg('runs', 'judgments', k := 10);             -- a row for each query",
    "from {}metrics('runs', 'judgments');                   -- the same with a column for each of several metrics",
    "from {}summary('runs', 'judgments');                   -- the mean of each, with its standard error",
    "from {}ap('search.runs', 'search.judgments', rel := 2) -- relations are named as texts",
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


@dataclass(frozen=True, slots=True)
class Check:
    """The macro that gives the rows of a relation, or an error where one is not what the metrics count on."""

    name: str
    title: str
    """What the rows are."""
    relation: Relation
    """The columns by role, and the condition on the rows."""
    role: str
    """The column that is a number."""
    once: bool
    """Whether a document may appear only once in each group."""
    grouping: tuple[str, ...]
    """The columns of a ranking."""
    more: tuple[str, ...] = ()
    """Other columns that are read."""

    @property
    def heading(self) -> Markup:
        """The title in a comment."""
        return comment(self.title)

    @property
    def number(self) -> str:
        """The column that is a number."""
        return str(getattr(self.relation, self.role))

    @property
    def columns(self) -> list[str]:
        """All columns that are read, each once."""
        return list(dict.fromkeys((*self.grouping, self.relation.doc_id, self.number, *self.more)))


@dataclass(frozen=True, slots=True)
class MacroSet:
    """The macros of one request, under one prefix."""

    request: Request
    prefix: str

    def __post_init__(self) -> None:
        if CONTROL.search(self.prefix):
            raise UsageError(f"{spelt('prefix', visible(self.prefix))}: a name of a macro holds no control character")
        reading = self.request.reading
        for option in ("by", "cluster", "weight", "queries"):
            if getattr(reading, option):
                raise UsageError(f"{spelt(option)}: a macro gives a row for each query; join yours to it")

        several = any(len(columns_in(name.rpartition(".")[2], text)) > 1 for name, text in reading.columns.items())
        for option, asked in (
            (f"{spelt('columns')} with several columns", several),
            (spelt("where", "qrels:"), reading.conditions.qrels is not None),
            (spelt("session"), reading.session is not None),
            (spelt("positives"), reading.positives is not None),
        ):
            if asked:
                raise UsageError(f"{option}: a macro reads relations as they are; make a view of what you mean")

    def text(self, measures: Sequence[Measure]) -> str:
        """The statements that create a macro of each measure, and those of the request together."""
        made = {macro.name: macro for macro in map(self.of_measure, measures)}
        together = of_queries(self.request.measures)
        if together:
            texts = ", ".join(measure.text for measure in together)
            for name, summarised in (("metrics", False), ("summary", True)):
                made[name] = self.macro(name, texts, (), together, summarised)
        everything = (*measures, *together)
        return render(
            "duckdb/macros.sql",
            DUCKDB,
            version=comment(__version__),
            header=header_of((), self.request.conventions)[1:],
            examples=[comment(line.format(self.prefix)) for line in EXAMPLES],
            gain_of=f"{self.prefix}gain",
            discount_of=f"{self.prefix}discount",
            checked=self.checks("subtopic" in inputs_of(everything)),
            macros=list(made.values()),
        )

    def of_measure(self, measure: Measure) -> Macro:
        """The macro of one metric, whose cutoff and relevance level are arguments where they can be."""
        open_measure = opened(measure)
        given = [open_measure.k, dict(open_measure.values).get("rel")]
        arguments = tuple(
            {"name": str(each), "value": plain_value(each)} for each in given if isinstance(each, Argument)
        )
        return self.macro(open_measure.column, measure.metric.title, arguments, (open_measure,), summarised=False)

    def macro(
        self,
        name: str,
        title: str,
        arguments: tuple[dict[str, Any], ...],
        measures: Sequence[Measure],
        summarised: bool,
    ) -> Macro:
        """A macro whose statement reads the relations that are named by its first two arguments."""
        judgments = "subtopics" if "subtopic" in inputs_of(measures) else "judgments"
        passed = "".join(f", {each['name']} := {each['name']}" for each in arguments)
        run, qrels = (DUCKDB.ident(self.checked(kind)) for kind in ("run", judgments))
        inputs = self.inputs(f"{run}(run{passed})", f"{qrels}(qrels{passed})")
        inputs = replace(inputs, run=replace(inputs.run, where=None))
        request, form = replace(self.request, measures=tuple(measures)), Form(summary=summarised)
        text = inputs_sql(DUCKDB, inputs, request, form, named=True)
        text = renamed(text, new_names(hiding_judgments(text, str(inputs.qrels.relation)), ()), DUCKDB)
        lines = tuple(lines_of(text.rstrip(), DUCKDB))
        return Macro(f"{self.prefix}{name}", comment(title), arguments, lines)

    def inputs(self, run: str, qrels: str) -> Relations:
        """The inputs that these two relations are."""
        return relations_named(DUCKDB, sql_text(run), sql_text(qrels), self.request.reading, self.request.conventions)

    def checked(self, kind: str) -> str:
        """The macro that checks the rows of an input."""
        return f"{self.prefix}checked_{kind}"

    def checks(self, subtopics: bool) -> list[Check]:
        """The macros that check the rows between a relation and a metric."""
        inputs, conventions = self.inputs("run", "qrels"), self.request.conventions
        run, qrels = inputs.run, inputs.qrels
        system, order = [run.system] if inputs.several else [], [run.rank] if conventions.ties == "rank" else []
        once, judged_once = conventions.copies == "error", conventions.judgments == "error"
        found = [
            Check(self.checked("run"), "run", run, "score", once, (*system, run.query_id), tuple(order)),
            Check(self.checked("judgments"), "judgments", qrels, "relevance", judged_once, (qrels.query_id,)),
        ]
        if subtopics:
            more = (qrels.subtopic,)
            found.append(
                Check(self.checked("subtopics"), "judgments", qrels, "relevance", False, (qrels.query_id,), more)
            )
        return found


def macros_sql(metrics: Sequence[Measure] | None, request: Request, prefix: str = "rank_", every: bool = False) -> str:
    """The statements that create the macros: those asked for, or (None) the usual ones, or all that can be.

    The measures of the request stand together in one more macro.
    """
    reading, language = request.reading, request.language
    settled = of_relations(request.conventions, language.preset, request.given, reading.columns)
    check_inputs(dict.fromkeys((*(metrics or ()), *request.measures)))
    each = metrics or [
        measure for measure in measures_without_inputs(language) if every or measure.metric.name in USUAL
    ]
    return MacroSet(replace(request, conventions=settled), prefix).text(each)


def measures_without_inputs(language: Language) -> list[Measure]:
    """A measure of every metric that needs nothing but a run and judgments."""
    found: list[Measure] = []
    for metric in language.metrics.values():
        reads = (*reads_of(metric, metric.parameters), *metric.empty)
        needed = {given for name in reads for given in inputs_behind(name)}
        if metric.summary == "none" or metric.required or {*metric.inputs, *needed} - {"relevance", "score"}:
            continue
        cutoff = "@10" if metric.cutoff == "required" else ""
        found += parse_measures(metric.name + cutoff, language)
    return found


def check_inputs(measures: Iterable[Measure]) -> None:
    """Raise UsageError if a metric reads a relation other than the run and the judgments."""
    needs = inputs_of(measures)
    if "item_weight" in needs:
        raise UsageError(f"{needs['item_weight']}: a macro checks no weights of items; take the statement: sqlrank sql")
    for name in sorted({*needs} - {"relevance", "score", "subtopic"}):
        option, why = "items" if name in OF_ITEMS else name, "a macro reads a run and judgments alone"
        raise UsageError(f"{needs[name]}: {why}; take the statement: sqlrank sql --{option}")


def hiding_judgments(text: str, judgments: str) -> list[str]:
    """The steps that stand before the judgments are read, which would be read instead if they were called so."""
    before = text[: text.rindex(judgments)]
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
