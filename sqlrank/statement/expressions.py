"""The SQL of one measure: its template rendered with its parameters and columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import Any

from jinja2 import meta
from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure, Metric
from sqlrank.statement.column_texts import ColumnText
from sqlrank.statement.columns import physical
from sqlrank.statement.gains import discount_value
from sqlrank.statement.lines import lines_of
from sqlrank.statement.templates import own_environment, render, render_over


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
