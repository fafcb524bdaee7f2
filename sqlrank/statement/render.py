"""The statements: per query, of whole systems, of judged documents by place, and the explanation of one ranking."""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import plain, spelt
from sqlrank.statement.column_plan import ColumnPlan, counted
from sqlrank.statement.column_texts import ColumnText, column_texts, expression, weight_expression
from sqlrank.statement.columns import DEFAULTS, check_vectors, inputs_of, physical
from sqlrank.statement.form_variables import context_of
from sqlrank.statement.forms import form_of
from sqlrank.statement.gains import discount_value, gain_value
from sqlrank.statement.relations import Relations
from sqlrank.statement.stacks import stacked
from sqlrank.statement.statement_facts import Facts, measures_by_place
from sqlrank.statement.summaries import means
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.version import __version__

HEADER_WIDTH = 147
"""How many characters of a line a comment takes, besides the sign before it."""
SHORT = 100
"""Up to how many characters an expression stands in one line."""
WHOLE: Mapping[str, int] = MappingProxyType({"part": 0, "parts": 1})
"""All queries, as one part."""


def statement(
    dialect: Dialect,
    inputs: Relations,
    plan: ColumnPlan,
    conventions: Conventions,
    assumptions: list[str] | None = None,
    ranking: Mapping[str, Any] = MappingProxyType({}),
    command: str | None = None,
    named: bool = True,
    summary: bool = False,
) -> str:
    """The statement that gives one row per query, or with `summary` one per segment and metric.

    `assumptions` head it and the `command` that prints it, `ranking` describes tables of ranks, and `named` says
    whether a column names the one system.
    """
    if conventions.score_type == "float" and dialect.single is None:
        raise UsageError(f"{dialect.title} has no 32-bit floats; leave out {spelt('score_type', 'float')}")
    check_vectors(plan.measures, dialect)
    check_apart(inputs, {*plan.wanted, *(measure.column for measure in plan.measures)})
    known = {name: ranking[name] for name in ("rankings", "parts") if name in ranking}
    facts = Facts(dialect, inputs, plan, ranked="names" in ranking, **known)
    form = form_of(facts)
    context = context_of(facts, form, named=named) | dict(ranking)
    columns = column_texts(plan, dialect, context)
    context |= {
        "columns": list(columns.values()),
        **measures_context(plan, dialect, columns),
        "header": header_of(plan.measures, conventions, assumptions, command),
        "summed": False,
    }
    context |= stacked(form, plan, dialect, context, columns.values())
    context |= means(dialect, plan.measures, inputs, conventions, named or inputs.several) if summary else {}
    return render("evaluate.sql", dialect, **context)


def check_apart(inputs: Relations, taken: Container[str]) -> None:
    """Raise UsageError if a segment, or a column that is kept, has the name of a column of the statement."""
    named = [(spelt("by", segment.alias), segment.alias) for segment in inputs.segments]
    named += [(spelt("cluster", inputs.cluster.alias), inputs.cluster.alias)] if inputs.cluster is not None else []
    named += [(f"the column {column.name}", column.name) for column in inputs.id_columns]
    named += [(spelt("keep", column), column) for kept in inputs.kept for column in kept.columns]
    named += (
        [(spelt("incremental", inputs.partition.column), inputs.partition.column)]
        if inputs.partition is not None
        else []
    )
    for said, name in named:
        if name.lower() in taken:
            raise UsageError(f"{said}: the statement has a column of that name; rename yours first")


def overall(
    dialect: Dialect,
    inputs: Relations,
    measures: Sequence[Measure],
    conventions: Conventions,
    assumptions: list[str] | None = None,
    command: str | None = None,
) -> str:
    """The statement that gives one row per system, segment and metric of grain `system`."""
    plan = ColumnPlan((), conventions, diagnostics=False)
    needs = inputs_of(measures)
    wanted = Facts(dialect, inputs, plan, reads_relevance="relevance" in needs)
    scope = [
        "system",
        *(segment.alias for segment in inputs.segments),
        *(["is_total"] if inputs.segments else []),
    ]
    variables = {
        "scope": sql_text(", ".join(dialect.ident(name) for name in scope)),
        "direction": inputs.direction,
    }
    context = context_of(wanted, form_of(wanted), doc=True, score="score" in needs) | variables | {"columns": []}
    context |= {
        "segments": inputs.segments,
        "needs_score": "score" in needs,
        "scopes": [False, True] if inputs.segments else [True],
        "measures": [
            {"text": measure.text, "lines": expression(measure, dialect, {}, variables)} for measure in measures
        ],
        "header": header_of(measures, conventions, assumptions, command),
    }
    return render("overall.sql", dialect, **context)


def header_of(
    measures: Sequence[Measure],
    conventions: Conventions,
    assumptions: list[str] | None = None,
    command: str | None = None,
) -> list[Markup]:
    """The lines of the comment above a statement: the command in one, so that it can be taken from there."""
    metrics = ", ".join(measure.text for measure in measures)
    header = [] if command else [f"sqlrank {__version__}: {metrics}"]
    leveled = not measures or any("rel" in measure.metric.parameters for measure in measures)
    header += [f"with {conventions.of_statement(leveled)}", *(assumptions or [])]
    lines = [line for text in header for line in textwrap.wrap(text, HEADER_WIDTH, break_on_hyphens=False)]
    return [comment(line) for line in ([f"sqlrank {__version__}: {command}"] if command else []) + lines]


def explanation(
    dialect: Dialect,
    inputs: Relations,
    measures: Iterable[Measure],
    conventions: Conventions,
    query: str,
    system: str,
    rows: int,
) -> str:
    """The statement that shows a ranking next to the best; gain and discount are the first measure's that has them."""
    plan = ColumnPlan((), conventions, diagnostics=False)
    of_gains = [measure for measure in measures if "gain" in dict(measure.values)]
    values = next((dict(measure.values) for measure in of_gains if not measure.weighs_items), None)
    if values is None and of_gains:
        raise UsageError(
            f"{of_gains[0].text}: no weights of documents are shown place by place; ask for {of_gains[0].metric.name}"
        )
    values = values or {}
    settled = {name: values.get(name, DEFAULTS[name]) for name in ("gain", "discount", "ideal")}
    title = ", ".join(f"{name}={plain(value)}" for name, value in settled.items())
    facts = Facts(dialect, inputs, plan)
    context = context_of(facts, form_of(facts), doc=True, score=True) | settled
    context |= {
        "columns": [],
        "gain": gain_value(settled["gain"]),
        "discount": discount_value(settled["discount"]),
        "title": comment(title),
        "query": query,
        "shown_system": system,
        "rows": rows,
    }
    return render("explain.sql", dialect, **context)


def measures_context(plan: ColumnPlan, dialect: Dialect, columns: Mapping[str, ColumnText]) -> dict[str, Any]:
    """The measures as variables of the steps: those that are summed up by place before, and all of them."""
    before = measures_by_place(plan)
    summed = {measure.column: summed_before(measure, dialect) for measure in before}
    made = [measure_context(measure, plan.conventions, dialect, columns) for measure in plan.measures]
    return {
        "measures_by_place": with_last([each for each in made if each["column"] in summed]),
        "measures": with_last([summed.get(each["column"], each) for each in made]),
    }


def with_last(measures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same, the last of which is marked."""
    return [each | {"last": each is measures[-1]} for each in measures]


def measure_context(
    measure: Measure, conventions: Conventions, dialect: Dialect, columns: Mapping[str, ColumnText]
) -> dict[str, Any]:
    """What the values of a measure are made of."""
    lines, values = expression(measure, dialect, columns), dict(measure.values)
    own = measure.metric.folder is not None
    return {
        "column": measure.column,
        "lines": folded(lines),
        "empty": [columns[physical(name, values)] for name in counted(measure, conventions)],
        "bare": measure.metric.undefined is not None or not (own or any("nullif(" in line for line in lines)),
        "nothing": "" if measure.summary == "none" else 0,
        "weight": measure.weight_column,
        "weighed": weight_expression(measure, dialect, columns) if measure.weight_column else [],
    }


def summed_before(measure: Measure, dialect: Dialect) -> dict[str, Any]:
    """The same of one whose value is there already."""
    lines = [sql_text(f"max({dialect.ident(measure.column)})")]
    return {"column": measure.column, "lines": lines, "empty": [], "bare": True, "nothing": 0, "weight": None}


def folded(lines: list[Markup]) -> list[Markup]:
    """The lines of an expression, as one where that is short."""
    whole = Markup(" ").join(line.strip() for line in lines)
    return [whole] if len(whole) <= SHORT and not any("--" in line for line in lines) else lines


def places_statement(
    dialect: Dialect,
    inputs: Relations,
    conventions: Conventions,
    limit: int | None = None,
    part: Mapping[str, int] = WHOLE,
) -> str:
    """A row for each document of each ranking: system, query_id, doc_id, rank, and relevance, null without a judgment.

    Args:
        dialect: the engine.
        inputs: runs and judgments.
        conventions: how a ranking is formed; the queries are those that are averaged.
        limit: the last rank; None for all.
        part: which part of the queries, of how many.
    """
    if conventions.grade_of_unjudged is not None:
        conventions = replace(conventions, unjudged="nonrelevant")
    plan = ColumnPlan((), conventions, diagnostics=False)
    facts = Facts(dialect, inputs, plan, parts=part["parts"])
    context = context_of(facts, form_of(facts), doc=True) | dict(part) | {"columns": [], "limit": limit}
    context["of_queries"] = inputs.weighted or conventions.query_set != "run"
    return render("places.sql", dialect, **context)
