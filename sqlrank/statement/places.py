"""The statement that gives the documents of each ranking with their judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.form_variables import context_of
from sqlrank.statement.forms import form_of
from sqlrank.statement.relations import Relations
from sqlrank.statement.statement_facts import Facts
from sqlrank.statement.templates import render

WHOLE: Mapping[str, int] = MappingProxyType({"part": 0, "parts": 1})


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
