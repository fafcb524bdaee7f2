"""The statements that find the pairs to judge, and what their judgments could change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.judging.pooling.pool_request import Asked
from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_texts import ColumnText, columns_alone, expression
from sqlrank.statement.columns import RETRIEVED
from sqlrank.statement.templates import comment, render, sql_text

ONE, TWO = sql_text("1"), sql_text("2")


def pairs_statement(dialect: Dialect, places: Markup, asked: Asked, systems: int, weighted: bool) -> str:
    """The statement that gives the pairs without judgment, of a table of places, with what each could change."""
    measure = asked.measure
    context = {"places": places, "depth": asked.depth, "systems": systems, "weighted": weighted}
    context |= {"metric": comment(measure.text), "k": measure.k, "lines": None, "rel": None}
    if measure.effect == "places":
        context["lines"] = expression(measure, dialect, of_one_document(measure, dialect))
    else:
        context["rel"] = measure["rel"]
    return render("pooling/pairs.sql", dialect, **context)


def possible_statement(dialect: Dialect, places: Markup, asked: Asked, weighted: bool, top: float) -> str:
    """The statement of what a table of places has of the metric and could have, of each system and of each pair.

    Documents without a judgment are taken to be as relevant as `top`.
    """
    context = {"places": places, "weighted": weighted, "top": top, "metric": comment(asked.measure.text)}
    return render("pooling/possible.sql", dialect, **context, lines=of_relevance(asked.measure, dialect))


def worth_statement(dialect: Dialect, measure: Measure, top: float) -> str:
    """The statement of what a document of a relevance adds to a measure in the first place."""
    return render("pooling/worth.sql", dialect, top=top, lines=of_relevance(measure, dialect))


def of_relevance(measure: Measure, dialect: Dialect) -> list[Markup]:
    """What documents of a rank and a relevance add to a measure, before division by what there is to find."""
    columns = columns_alone(measure, dialect)
    alone = {name: each if each.rows == (RETRIEVED,) else replace(each, total=ONE) for name, each in columns.items()}
    return expression(measure, dialect, alone)


def is_divided(measure: Measure, dialect: Dialect) -> bool:
    """Whether a value depends on what there is to find, which the weights of places leave out."""
    if measure.effect == "pairs":
        return True
    of_one, of_two = (expression(measure, dialect, of_one_document(measure, dialect, total)) for total in (ONE, TWO))
    return of_one != of_two


def of_one_document(measure: Measure, dialect: Dialect, total: Markup = ONE) -> dict[str, ColumnText]:
    """The columns of a measure in a row that is a document of gain 1 at a place, the only relevant one of its query.

    The value of a metric that is a sum over places is what such a document adds to it, whatever the others are. What
    there is to find in the query is `total`.
    """
    always: dict[str, Any] = {"found": sql_text(""), "when": sql_text("true")}
    found = {}
    for name, column in columns_alone(measure, dialect).items():
        if column.rows == (RETRIEVED,):
            found[name] = replace(column, value=ONE, rank=ONE, place=ONE, **always)
        else:
            found[name] = replace(column, total=total)
    return found
