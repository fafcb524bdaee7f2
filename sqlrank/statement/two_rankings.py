"""The statements that show what each document adds to a metric: in two rankings of one query, or in every ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.column_texts import ColumnText, column_texts, expression
from sqlrank.statement.columns import DEFAULTS
from sqlrank.statement.form_variables import context_of
from sqlrank.statement.forms import form_of
from sqlrank.statement.gains import gain_value
from sqlrank.statement.relations import Relations
from sqlrank.statement.stacks import stacked
from sqlrank.statement.statement_facts import Facts
from sqlrank.statement.templates import comment, render, sql_text

OVERLAY = "parts"
"""The folder of sql/ whose macros keep apart what a metric sums up."""


def two_rankings(
    dialect: Dialect,
    inputs: Relations,
    measure: Measure | None,
    conventions: Conventions,
    query: str,
    systems: tuple[str, str],
) -> str:
    """The statement that gives a row for each document of two systems; without a measure nobody adds anything.

    Its rows are those of the per-query statement, summed by place: an expression in which a total is a sum over the
    documents of a place, and what it is divided by one over all of them, is what that place adds.
    """
    context = documents_of(dialect, inputs, measure, conventions)
    context |= {"query": query, "before": systems[0], "after": systems[1]}
    return render("explain_two.sql", dialect, **context)


def every_ranking(
    dialect: Dialect, inputs: Relations, measure: Measure | None, conventions: Conventions, system: str
) -> str:
    """The statement that gives a row for each document of every ranking; `system` names the one that no column names.

    Rows: system, query_id, rank, doc_id, score, relevance and contribution, as `two_rankings` has them.
    """
    context = documents_of(dialect, inputs, measure, conventions)
    return render("explorer/documents.sql", dialect, **context, query=None, shown_system=system)


def best_orders(
    dialect: Dialect, inputs: Relations, measures: Sequence[Measure], conventions: Conventions, rows: int
) -> str:
    """The statement that gives the first judgments of every query, by the gain of the first measure that has one."""
    gains = (dict(measure.values).get("gain") for measure in measures)
    gain = next((value for value in gains if value is not None), DEFAULTS["gain"])
    context = documents_of(dialect, inputs, None, conventions)
    return render("explorer/best.sql", dialect, **context | {"gain": gain_value(gain), "query": None, "rows": rows})


def documents_of(
    dialect: Dialect, inputs: Relations, measure: Measure | None, conventions: Conventions
) -> dict[str, Any]:
    """What the documents of rankings add to a measure, as variables of a statement."""
    plan = ColumnPlan(() if measure is None else (measure,), conventions, diagnostics=measure is not None)
    facts = Facts(dialect, inputs, plan)
    form = form_of(facts)
    context = context_of(facts, form, doc=True, score=True)
    columns = column_texts(plan, dialect, context)
    context |= {
        "columns": list(columns.values()),
        "always_held": frozenset(("rank", "place")),
        "lines": [],
        "gain": None,
        "title": None,
        "first_only": False,
    }
    context |= stacked(form, plan, dialect, context, columns.values())
    if measure is not None:
        context |= parts_of(measure, dialect, columns)
    return context


def parts_of(measure: Measure, dialect: Dialect, columns: Mapping[str, ColumnText]) -> dict[str, Any]:
    """What the documents of each place add to a measure, as variables of the statement."""
    over_places = {name: replace(column, total=whole(column)) for name, column in columns.items()}
    gain = dict(measure.values).get("gain")
    return {
        "lines": expression(measure, dialect, over_places, overlay=OVERLAY),
        "first_only": measure.metric.parts == "first",
        "gain": None if gain is None else gain_value(gain),
        "title": comment(measure.text),
    }


def whole(column: ColumnText) -> Any:
    """The total of a query where the rows of each place are summed apart."""
    return sql_text(f"max({column.total}) over ranking")
