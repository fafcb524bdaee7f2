"""The SQL of columns, what each holds in a row of a statement, and of the measures that are made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import Any

from jinja2 import meta
from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure, Metric
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import COLUMNS, CUMULATED, QUERY, RETRIEVED, column_of, physical
from sqlrank.statement.gains import discount_value, gain_value, ideal_rank
from sqlrank.statement.lines import lines_of
from sqlrank.statement.relations import Relation
from sqlrank.statement.templates import own_environment, render, render_over, sql_text

AVERAGED = ("gain", "hit", "miss", "judged", "place_grade")
"""Columns of documents that are means where ties are averaged."""
NOTHING, BY_PLACE = sql_text(""), sql_text("place")
INDENTED = "\n        "
"""What begins a further line of an expression in a step."""
OF_QUERIES = ("judged_queries", "query_subtopics", "query_weights", "query_rows")
"""The steps whose columns the rows of queries hold."""
SOURCES = {"judged_queries": "judged", "query_subtopics": "query_subtopics", "query_weights": "query_weights"}
"""What the step of the queries calls those that it reads."""
UNPADDED = frozenset((RETRIEVED, QUERY, CUMULATED))
"""The kinds of rows whose columns those of other kinds do without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnText:
    """A column as the templates read it."""

    name: str
    column: str = ""
    """Its name without parameters."""
    rows: tuple[str, ...] = ()
    step: str | None = None
    mean: bool = False
    """Whether it is a mean over the documents of one score."""
    listed: bool = False
    """Whether its total is made of a list of ranks."""
    axis: Markup = BY_PLACE
    """What numbers the rows that hold it: `rank` those of documents found, `place` all others."""
    found: Markup = NOTHING
    """The condition that such a row has a number, where there are others among them."""
    when: Markup
    """The condition under which a row holds it."""
    value: Markup
    """What it holds there."""
    rank: Markup
    """The same, where the rank numbers the rows; it differs for a discount."""
    place: Markup
    text: Markup = NOTHING
    """The expression that its step writes."""
    total: Markup = NOTHING
    """Its total over the query."""
    source: Markup = NOTHING
    """Where the step of the queries reads it."""

    @property
    def padded(self) -> bool:
        """Whether it is null in the rows of other kinds."""
        return bool(set(self.rows) - UNPADDED)

    @property
    def queried(self) -> bool:
        """Whether it is of a query, rather than of a row of it."""
        return QUERY in self.rows

    @property
    def retrieved(self) -> bool:
        """Whether the rows of the documents found hold it under its name."""
        return self.step in ("ranked", "scored") or (self.mean and not self.padded)


def column_texts(plan: ColumnPlan, dialect: Dialect, policy: Mapping[str, Any]) -> dict[str, ColumnText]:
    """The columns of a plan by their names, each after those it is computed from."""
    found: dict[str, ColumnText] = {}
    policy = dict(policy) | {"listing": plan.listing}
    for name, (kind, values) in plan.wanted.items():
        needed = {other: found[physical(other, values)] for other in plan.needs_of(kind, values)}
        settled: dict[str, Any] = dict(values) | ({"gain": gain_value(values["gain"])} if "gain" in values else {})
        settled |= {"discount": discount_value(values["discount"])} if "discount" in values else {}
        settled |= {"ideal_rank": ideal_rank(values)} if "ideal" in values and "gain" in values else {}
        file = f"columns/{'' if kind in COLUMNS else 'counts/'}{kind}.sql"
        text = render(file, dialect, **(policy | settled | needed)).strip()
        found[name] = column_text(name, kind, text, dialect, policy)
    return found


def columns_alone(measure: Measure, dialect: Dialect, joined: bool = False) -> dict[str, ColumnText]:
    """The columns of one measure, as in a statement for it alone; `joined` where a step counts the queries first."""
    plan = ColumnPlan((measure,), Conventions(), diagnostics=False)
    plain = plan.in_one_step and not joined
    policy: dict[str, Any] = dict.fromkeys(("keys", "row_keys", "query_keys"), sql_text("query_id"))
    policy |= {"direction": sql_text("desc"), "ascending": False, "averaged": False, "united": False}
    policy |= {"sums_judged": plain, "may_be_unfound": plain, "rows_of_queries": None}
    policy |= {"items": Relation(), "history": Relation()}
    return column_texts(plan, dialect, policy)


def column_text(name: str, kind: str, text: str, dialect: Dialect, policy: Mapping[str, Any]) -> ColumnText:
    """One column, of the text of its file."""
    column, named = column_of(kind), dialect.ident(name)
    when, _, value = text.removeprefix("when ").partition("\nthen ") if text.startswith("when ") else ("", "", text)
    mean = policy["averaged"] and kind in AVERAGED
    in_place = not (column.step or mean) and bool(text)
    axis = "rank" if column.rows == (RETRIEVED,) else "place"
    shown = value if in_place else named
    by_rank, by_place = shown.split("\n") if kind == "discount" else (shown, shown)
    guarded = when and in_place and (policy["may_be_unfound"] or axis == "place")
    summed = (policy["sums_judged"] and column.step == "judged_queries") or (
        policy["united"] and column.step == "ideal"
    )
    table = policy["rows_of_queries"] if column.step in OF_QUERIES else None
    known = named if table is None else f"{dialect.ident(table)}.{named}"
    return ColumnText(
        name=name,
        column=kind,
        rows=column.rows,
        step=column.step,
        mean=mean,
        listed=policy["listing"] and bool(column.unless_listed),
        axis=sql_text(axis),
        found=sql_text(f"{axis} is not null" if guarded else ""),
        when=sql_text(when if when and in_place else f"{shown} is not null"),
        value=sql_text(shown),
        rank=sql_text(by_rank),
        place=sql_text(by_place),
        text=sql_text((f"case when {when} then {value} else 0 end" if when else value).replace("\n", INDENTED)),
        total=sql_text(text if summed else f"max({known})"),
        source=sql_text(SOURCES.get(column.step or "", "")),
    )


def expression(
    measure: Measure,
    dialect: Dialect,
    columns: Mapping[str, ColumnText] = MappingProxyType({}),
    variables: Mapping[str, Markup] = MappingProxyType({}),
    overlay: str | None = None,
    weighing: bool = False,
) -> list[Markup]:
    """The expression of a measure, line by line, or with `weighing` that of the weight of a query in its mean.

    `columns` are those of the statement by their names there; the `overlay` is a folder as `render_over` takes it.
    """
    values = dict(measure.values)
    read = {name: columns[physical(name, values | {"k": measure.k or 0})] for name in measure.reads}
    context: dict[str, Any] = {"k": measure.k, "weighing": weighing} | values | read | dict(variables)
    if "discount" in values and "discount" not in read:
        context["discount"] = discount_value(values["discount"])
    if "recalls" in values and measure.metric.folder is None:
        context["recalls"] = [float(recall) for recall in str(values["recalls"]).split("/")]
    if measure.metric.folder is None:
        draw = render if overlay is None else partial(render_over, overlay)
        rendered = draw(measure.metric.template, dialect, **context)
    else:
        rendered = render_own(measure.metric, dialect, context, overlay)
        if "--" in rendered:  # a comment would hide what follows on its line
            rendered = f"(\n{rendered}\n)"
    return [line for line in lines_of(rendered, dialect) if line.strip()]


def weight_expression(measure: Measure, dialect: Dialect, columns: Mapping[str, ColumnText]) -> list[Markup]:
    """The weight of a query in the mean of a measure that brings its own, line by line."""
    return expression(measure, dialect, columns, weighing=True)


def render_own(metric: Metric, dialect: Dialect, context: dict[str, Any], overlay: str | None = None) -> str:
    """The expression of a metric of the user; UsageError with file and line if the template is broken."""
    path = str(Path(metric.folder or "") / metric.template)
    try:
        made = own_environment(dialect, str(metric.folder), metric.steps, overlay)
        undeclared = meta.find_undeclared_variables(made.parse(Path(path).read_text(encoding="utf-8")))
        unknown = sorted(undeclared - {*context, *made.globals})
        if unknown:
            raise UsageError(
                f"{path}: {unknown[0]} is neither a parameter nor a column that the entry lists under reads"
            )
        text = str(made.get_template(metric.template).render(**context))
    except UsageError:
        raise
    except RecursionError as error:
        raise UsageError(f"{path}: it calls itself too often") from error
    except Exception as error:  # whatever a template of the user does wrong is theirs
        line = getattr(error, "lineno", None) or line_of(error, path)
        raise UsageError(f"{path}, line {line}: {error}") from error
    from sqlrank.statement.conditions import check_own

    try:
        check_own(text, dialect)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return text


def line_of(error: BaseException, path: str) -> int:
    """The line of a template that an error comes from: the last frame in it."""
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
    return lines[-1] if lines else 1
