"""Bounds of metrics over every way in which the documents without a judgment could be judged.

They are there where a higher relevance of a document that was returned never lowers a metric. The smallest value is
then the one without further judgments, where those documents count as not relevant; the largest is that with all of
them at the top of the scale: `top_relevance`, or else the largest relevance of the judgments so far, beyond which the
bounds do not hold. What no system returned changes no such metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import plain, spelt
from sqlrank.statement.gains import gain_value
from sqlrank.statement.relations import Relation, Relations
from sqlrank.statement.templates import render, sql_text

BOUNDED = (
    "(to ...) the value if every unjudged document were as relevant as {top}; without further judgments it is the value"
    " shown, and it is between the two however the rest is judged"
)
"""What the bounds next to a value are."""


def bounded(measures: Sequence[Measure], conventions: Conventions, named: bool) -> list[Measure]:
    """The measures that have bounds; UsageError for one that was `named` and has none, or where none has.

    Raises:
        UsageError: a convention lets judgments change more than the values of documents.
    """
    check_conventions(conventions)
    found = [measure for measure in measures if has_bounds(measure)]
    others = [measure for measure in measures if measure not in found]
    if others and (named or not found):
        texts = ", ".join(measure.text for measure in others)
        raise UsageError(
            f"{spelt('bounds')}: a further relevant document may lower {texts} as well as raise it; metrics with bounds"
            f" are {', '.join(rising())}"
        )
    return found


def rising() -> Iterator[str]:
    """The metrics that a higher relevance never lowers, with the parameters that this takes."""
    for metric in catalogue().values():
        if metric.rises:
            needed = ", ".join(
                f"{name}={words[0]}"
                for name, words in metric.rises_with.items()
                if metric.parameters[name] not in words
            )
            default = all(metric.parameters[name] in words for name, words in metric.rises_with.items())
            yield metric.name if default else f"{metric.name}({needed})"


def has_bounds(measure: Measure) -> bool:
    """Whether a higher relevance never lowers a measure: not a gain either, where that is a table."""
    worths = [worth for _, worth in sorted(gain_value(dict(measure.values).get("gain", "linear"))["pairs"])]
    return measure.rises and worths == sorted(worths)


def check_top(measures: Sequence[Measure], conventions: Conventions) -> None:
    """Raise UsageError if a gain table does not say what a document at the top of the scale is worth."""
    top = conventions.top_relevance
    for measure in measures if top is not None else ():
        pairs = dict(gain_value(dict(measure.values).get("gain", "linear"))["pairs"])
        if pairs and top not in pairs:
            raise UsageError(f"{measure.text}: its gain has no entry for {spelt('top_relevance', top)}; add one")


def check_conventions(conventions: Conventions) -> None:
    """Raise UsageError for a convention under which judgments change more than the values of documents."""
    if conventions.unjudged != "nonrelevant":
        does = "leaves out" if conventions.unjudged == "remove" else "settles"
        raise UsageError(
            f"{spelt('bounds')}: {spelt('unjudged', conventions.unjudged)} {does} unjudged documents; leave out one"
            " of them"
        )
    if conventions.empty != "zero":
        raise UsageError(
            f"{spelt('bounds')}: with {spelt('empty', conventions.empty)} a first relevant document changes what a"
            f" query counts for; choose {spelt('empty', 'zero')}"
        )


def top_of(engine: DuckDBEngine, inputs: Inputs, conventions: Conventions) -> float | None:
    """How relevant bounds take a document without a judgment to be at most; None where nothing says it."""
    if conventions.top_relevance is not None or inputs.relations.without_judgments:
        return conventions.top_relevance
    found = engine.execute(render("bounds/top.sql", engine.dialect, judged=inputs.relations.judged))[0][0]
    return None if found is None else float(found)


def top_in_words(conventions: Conventions, top: float | None) -> str:
    """The same in words, and what to do if that is too little."""
    if conventions.top_relevance is not None:
        return spelt("top_relevance", conventions.top_relevance)
    return f"the largest judgment so far, {plain(top)}; {spelt('top_relevance')} if the scale goes higher"


def completed(
    engine: DuckDBEngine,
    inputs: Inputs,
    conventions: Conventions,
    base: str,
    returned: Relation | None = None,
    systems: Sequence[str] = (),
) -> Inputs:
    """The inputs of an evaluation in which documents without a judgment are relevant, without segments and weights.

    Args:
        engine: where the judgments are kept.
        inputs: those of the evaluation.
        conventions: those of the evaluation.
        base: what the judgments are called, of all that are kept at once.
        returned: the documents that become relevant; None for all of the run.
        systems: the systems that are evaluated, of several; none for all.
    """
    relations, name = inputs.relations, engine.name(base)
    context = {
        "judgments": relations.run if relations.labelled else relations.qrels,
        "returned": returned or relations.run,
        "distinct": relations.labelled,
        "of_judged": conventions.query_set != "run",
        "top_relevance": conventions.top_relevance,
    }
    engine.keep(name, render("bounds/completed.sql", engine.dialect, **context), doing="completing")
    judgments, run = Relation(relation=sql_text(engine.dialect.ident(name))), relations.run
    if systems:
        view = engine.name(f"{base}_run")
        chosen = {"name": view, "relation": run.relation, "system": run.system, "systems": systems}
        engine.make("view", view, render("bounds/of_systems.sql", engine.dialect, **chosen))
        run = replace(run, relation=sql_text(engine.dialect.ident(view)))
    alone: dict[str, Any] = {"queries": Relation(), "labelled": False, "segments": (), "cluster": None, "weight": None}
    made = replace(relations, run=run, qrels=judgments, **alone)
    return replace(inputs, relations=made, systems=[name for name in inputs.systems if not systems or name in systems])


def upper(
    engine: DuckDBEngine, relations: Relations, per_query: Markup, completed_rows: Markup, measures: Sequence[Measure]
) -> str:
    """The statement of the per-query rows with the values of an evaluation of completed judgments."""
    context = relations.context() | {"per_query": per_query, "completed": completed_rows}
    columns = [{"column": measure.column} for measure in measures]
    return render("bounds/upper.sql", engine.dialect, **context, measures=columns)
