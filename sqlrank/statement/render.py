"""The statements: per query, of whole systems, and the explanation of one ranking."""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions, plain
from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_plan import ColumnPlan, counted, gain_value, shallowest
from sqlrank.statement.column_texts import ColumnText, column_texts
from sqlrank.statement.columns import DEFAULTS, inputs_of, physical
from sqlrank.statement.expressions import expression
from sqlrank.statement.relations import Relations
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.version import __version__

HEADER_WIDTH = 147
"""How many characters of a line a comment takes, besides the sign before it."""


def statement(
    dialect: Dialect,
    inputs: Relations,
    plan: ColumnPlan,
    conventions: Conventions,
    assumptions: list[str] | None = None,
    ranking: Mapping[str, Any] = MappingProxyType({}),
    command: str | None = None,
    named: bool = True,
) -> str:
    """The statement that gives one row per query.

    `assumptions` head it and the `command` that prints it, `ranking` describes tables of ranks, and `named` says
    whether a column names the one system.
    """
    if conventions.score_type == "float" and dialect.single is None:
        raise UsageError(f"{dialect.title} has no 32-bit floats; leave out --score-type float")
    check_apart(inputs, {*plan.wanted, *(measure.column for measure in plan.measures)})
    needed = plan.context
    context = inputs.context() | needed | conventions.to_dict() | policies(dialect, inputs, plan, named=named)
    context |= dict(ranking)
    columns = column_texts(plan, dialect, context)
    context |= {
        "limit": row_limit(needed["deepest"], conventions, plan.diagnostics),
        "columns": list(columns.values()),
        "measures": measure_context(plan, dialect, columns),
        "header": header_of(plan.measures, conventions, assumptions, command),
    }
    return render("evaluate.sql", dialect, **context)


def check_apart(inputs: Relations, taken: Container[str]) -> None:
    """Raise UsageError if a segment, or a column that is kept, has the name of a column of the statement."""
    named = [("--by", segment.alias) for segment in inputs.segments]
    named += [("--cluster", inputs.cluster.alias)] if inputs.cluster is not None else []
    named += [("the column", column.name) for column in inputs.id_columns]
    named += [("--keep", column) for kept in inputs.kept for column in kept.columns]
    named += [("--incremental", inputs.partition.column)] if inputs.partition is not None else []
    for option, name in named:
        if name.lower() in taken:
            raise UsageError(f"{option} {name}: the statement has a column of that name; rename yours first")


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
    policy = policies(dialect, inputs, plan, judged="relevance" in needs)
    scope = [
        "system",
        *(segment.alias for segment in inputs.segments),
        *(["is_total"] if inputs.segments else []),
    ]
    variables = {
        "scope": sql_text(", ".join(dialect.ident(name) for name in scope)),
        "direction": inputs.direction,
    }
    context = inputs.context() | plan.context | conventions.to_dict() | policy | variables | {"columns": []}
    context |= {
        "segments": inputs.segments,
        "needs_doc": True,
        "needs_score": "score" in needs,
        "scopes": [False, True] if inputs.segments else [True],
        "measures": [
            {"text": measure.text, "lines": expression(measure, dialect, {}, variables)} for measure in measures
        ],
        "header": header_of(measures, conventions, assumptions, command),
    }
    return render("overall.sql", dialect, **context)


def header_of(
    measures: Iterable[Measure],
    conventions: Conventions,
    assumptions: list[str] | None = None,
    command: str | None = None,
) -> list[Markup]:
    """The lines of the comment above a statement: the command in one, so that it can be taken from there."""
    metrics = ", ".join(measure.text for measure in measures)
    header = [] if command else [f"sqlrank {__version__}: {metrics}"]
    header += [f"with {conventions.describe()}", *(assumptions or [])]
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
    """The statement that shows one ranking beside the best; gain and discount are the first measure's that has them."""
    plan = ColumnPlan((), conventions, diagnostics=False)
    values = next((dict(measure.values) for measure in measures if "gain" in dict(measure.values)), {})
    settled = {name: values.get(name, DEFAULTS[name]) for name in ("gain", "discount", "ideal")}
    title = ", ".join(f"{name}={plain(value)}" for name, value in settled.items())
    context = inputs.context() | plan.context | conventions.to_dict() | policies(dialect, inputs, plan) | settled
    context |= {
        "columns": [],
        "needs_doc": True,
        "needs_score": True,
        "gain": gain_value(settled["gain"]),
        "title": comment(title),
        "query": query,
        "shown_system": system,
        "rows": rows,
    }
    return render("explain.sql", dialect, **context)


def policies(
    dialect: Dialect, inputs: Relations, plan: ColumnPlan, judged: bool = False, named: bool = True
) -> dict[str, Any]:
    """Variables that the conventions and the inputs decide: which steps the statement has, and what they read."""
    labelled, several, conventions = inputs.labelled, inputs.several, plan.conventions
    pooled = conventions.judgments != "error" or (labelled and (several or conventions.duplicates != "error"))
    pooled = pooled or "subtopic" in inputs_of(plan.measures)
    attach = pooled if labelled else conventions.needs_judgments or plan.ranks_all or judged
    plain = bool(plan.measures) and not attach and plan.in_one_step and takes_rows_alone(inputs, conventions)
    beside = plain and not labelled
    united = beside and not pooled and dialect.shuffles
    joined = beside and not united and "scored" in plan.steps
    outer = beside and not joined
    names = [dialect.ident(name) for name in ("system", "query_id")[not several :]]
    row_keys = "judged.query_id" if outer else ", ".join(f"ranked.{name}" for name in names)
    return {
        "steps": plan.steps,
        "keys": sql_text(", ".join(names)),
        "row_keys": sql_text(row_keys),
        "query_keys": sql_text(", ".join(f"query_rows.{name}" for name in names)),
        "pooled": pooled,
        "attach": attach,
        "candidates": sql_text("candidates" if attach else "run_rows"),
        "carries": (attach or labelled) and not inputs.without_judgments,
        "averaged": conventions.ties == "average",
        "ascending": str(inputs.direction) == "asc",
        "direction": inputs.direction,
        "ranking": "documents",
        "parts": 1,
        "part": 0,
        "plain": plain,
        "outer": outer,
        "joined": joined,
        "rereads": not pooled and (joined or (outer and not united and bool(plan.ideals()))),
        "united": united,
        "hints": plan.diagnostics and dialect.shuffles,
        "positive_only": plan.positive_only,
        "named": named,
        "empty_value": {"zero": 0, "one": 1, "skip": None, "error": None}[conventions.empty],
    }


def takes_rows_alone(inputs: Relations, conventions: Conventions) -> bool:
    """Whether the rows of a run and of judgments give the values, without a step of the queries or a look at copies."""
    beside = (inputs.several, inputs.carried, inputs.weighted, inputs.without_judgments)
    looking = conventions.depth is not None or conventions.needs_judgments or conventions.ties == "average"
    odd = any(beside) or (inputs.labelled and looking)
    usual = {"query_set": "judged", "duplicates": "error", "score_type": "double"}
    return not odd and all(getattr(conventions, name) == word for name, word in usual.items())


def row_limit(deepest: int | None, conventions: Conventions, diagnostics: bool) -> int | None:
    """The last rank that matters: one below the largest cutoff where ties across it are counted."""
    limits = [conventions.depth if conventions.unjudged != "remove" else None]
    if deepest is not None:
        limits.append(max(deepest + 1 if diagnostics else deepest, 1))
    return shallowest(limits)


def measure_context(plan: ColumnPlan, dialect: Dialect, columns: Mapping[str, ColumnText]) -> list[dict[str, Any]]:
    """Variables of steps/measures.sql for each measure."""
    found = []
    for measure in plan.measures:
        lines, values = expression(measure, dialect, columns), dict(measure.values)
        own = measure.metric.folder is not None
        found.append(
            {
                "column": measure.column,
                "lines": lines,
                "empty": [columns[physical(name, values)] for name in counted(measure, plan.conventions)],
                "bare": measure.metric.undefined is not None or not (own or any("nullif(" in line for line in lines)),
                "nothing": "" if measure.summary == "none" else 0,
                "weight": measure.weight_column,
                "weighed": [columns[name] for name in weighed(measure)],
                "last": measure is plan.measures[-1],
            }
        )
    return found


def weighed(measure: Measure) -> list[str]:
    """The columns whose sum is the weight of a query in the mean of a metric that brings its own."""
    columns = {"rows": ("group_relevant", "group_others"), "positives": ("group_relevant",)}
    return [physical(name, dict(measure.values)) for name in columns.get(str(dict(measure.values).get("weight")), ())]
