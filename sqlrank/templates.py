"""Rendering: the Jinja environment, in which no raw text can reach the SQL."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    meta,
)
from jinja2.bccache import Bucket
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from sqlrank.catalogue import Metric
from sqlrank.conventions import Conventions, plain
from sqlrank.dialects import Dialect, comment_text
from sqlrank.errors import UsageError
from sqlrank.metrics import Measure
from sqlrank.plan import DEFAULTS, Plan, gain_value, inputs_of, physical
from sqlrank.resources import sql_folder
from sqlrank.version import __version__


def only_sql(value: object) -> object:
    """Refuse text that came neither through a filter nor from a template.

    Raises:
        TypeError: a bare string, or anything else that is not SQL text or a whole number.
    """
    if isinstance(value, Markup) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise TypeError(f"{value!r} reaches SQL without the filter ident or literal")


def marked(quote: Callable[[Any], str]) -> Callable[[Any], Markup]:
    """A quoting function as a filter whose result may reach the SQL."""
    return lambda value: Markup(quote(value))  # noqa: S704 the text is quoted


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in the user's own temporary folder: compiling them is half of a small evaluation."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled; a full disk is no reason to stop."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(dialect: Dialect) -> CompiledTemplates | None:
    """Where the compiled templates of a dialect are kept, or None where there is no safe place."""
    try:
        return CompiledTemplates(pattern=f"sqlrank-{__version__}-{dialect.name}-%s.cache")
    except (OSError, RuntimeError):
        return None


@cache
def environment(dialect: Dialect) -> Environment:
    """The environment of one dialect; with autoescape, markup is what the filters and templates made."""
    return furnished(Environment, FileSystemLoader(sql_folder()), dialect, compiled_templates(dialect))


@cache
def own_environment(dialect: Dialect, folder: str) -> Environment:
    """The environment of the user's own metrics: Jinja's sandbox, with the same rules."""
    loader = ChoiceLoader([FileSystemLoader(folder), FileSystemLoader(sql_folder())])
    return furnished(SandboxedEnvironment, loader, dialect, None)


def furnished(
    kind: type[Environment], loader: BaseLoader, dialect: Dialect, compiled: CompiledTemplates | None
) -> Environment:
    """An environment with the filters and words of a dialect."""
    made = kind(
        loader=loader,
        autoescape=True,
        finalize=only_sql,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=compiled,
    )
    made.filters["ident"] = marked(dialect.ident)
    made.filters["literal"] = marked(dialect.literal)
    names = ("text", "double", "single", "exact_sum", "inline")
    made.globals |= {name: Markup(getattr(dialect, name) or "") for name in names}  # noqa: S704 our own words
    return made


def render(template: str, dialect: Dialect, **context: Any) -> str:
    """The text of a template of sql/ for one engine."""
    return str(environment(dialect).get_template(template).render(**context))


def sql_text(text: str) -> Markup:
    """Text that is SQL already: rendered by a template, or written by the user where SQL is accepted."""
    return Markup(text)  # noqa: S704


def comment(text: str) -> Markup:
    """Text that may stand in a `--` comment."""
    return Markup(comment_text(text))  # noqa: S704 cannot end the comment


def expression(measure: Measure, dialect: Dialect, variables: Mapping[str, Markup] = MappingProxyType({})) -> list[Markup]:
    """The expression of a measure, line by line; its columns are those named for its parameters."""
    values = dict(measure.values)
    columns = {name: physical(name, values) for name in measure.metric.reads}
    context = {"k": measure.k} | values | columns | variables
    if measure.metric.folder is None:
        rendered = render(measure.metric.template, dialect, **context)
    else:
        rendered = render_own(measure.metric, dialect, context)
    return [sql_text(line) for line in rendered.splitlines() if line.strip()]


def render_own(metric: Metric, dialect: Dialect, context: dict[str, Any]) -> str:
    """The expression of a metric of the user.

    Raises:
        UsageError: the template is broken, with file and line.
    """
    path = str(Path(metric.folder or "") / metric.template)
    try:
        made = own_environment(dialect, str(metric.folder))
        undeclared = meta.find_undeclared_variables(made.parse(Path(path).read_text(encoding="utf-8")))
        unknown = sorted(undeclared - {*context, *made.globals})
        if unknown:
            raise UsageError(f"{path}: {unknown[0]} is no parameter, and no column that the entry lists under reads")
        return str(made.get_template(metric.template).render(**context))
    except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
        line = getattr(error, "lineno", None) or line_of(error, path)
        raise UsageError(f"{path}, line {line}: {error}") from error


def line_of(error: BaseException, path: str) -> int:
    """The line of a template that an error comes from: the last frame in it."""
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
    return lines[-1] if lines else 1


def statement(
    dialect: Dialect,
    inputs: dict[str, Any],
    plan: Plan,
    conventions: Conventions,
    assumptions: list[str] | None = None,
) -> str:
    """The statement that gives one row per query.

    Args:
        dialect: the engine it is for.
        inputs: the relations, their columns and the segments, as `open_inputs` describes them.
        plan: what the measures need.
        conventions: how a ranking is formed and what counts.
        assumptions: lines for the header comment, on what nobody has checked of the input.
    """
    if conventions.score_type == "float" and dialect.single is None:
        raise UsageError(f"{dialect.name} has no 32-bit floats; leave out --score-type float")
    taken = {*plan.wanted, *(measure.column for measure in plan.measures)}
    for segment in inputs["segments"]:
        if segment["alias"].lower() in taken:
            raise UsageError(f"--by {segment['alias']}: the statement has a column of that name; rename yours first")
    needed = plan.context()
    context = inputs | needed | conventions.shown() | policies(inputs, plan)
    context |= {
        "limit": row_limit(needed["deepest"], conventions, plan.diagnostics),
        "measures": measure_context(plan, dialect),
        "version": comment(__version__),
        "header": header_of(plan.measures, conventions, assumptions),
    }
    return render("evaluate.sql", dialect, **context)


def overall(
    dialect: Dialect,
    inputs: dict[str, Any],
    measures: Sequence[Measure],
    conventions: Conventions,
    assumptions: list[str] | None = None,
) -> str:
    """The statement that gives one row per system, segment and metric of the whole system.

    Args:
        dialect: the engine it is for.
        inputs: as for `statement`.
        measures: metrics of grain `system`.
        conventions: how a ranking is formed and what counts.
        assumptions: lines for the header comment.
    """
    plan = Plan((), conventions, diagnostics=False)
    needs = inputs_of(measures)
    policy = policies(inputs, plan, judged="relevance" in needs)
    scope = ["system", *(segment["alias"] for segment in inputs["segments"]), *(["is_total"] if inputs["segments"] else [])]
    variables = {
        "scope": sql_text(", ".join(dialect.ident(name) for name in scope)),
        "direction": inputs["direction"],
    }
    context = inputs | plan.context() | conventions.shown() | policy | variables
    context |= {
        "needs_doc": True,
        "needs_score": "score" in needs,
        "scopes": [False, True] if inputs["segments"] else [True],
        "measures": [
            {"text": measure.text, "lines": expression(measure, dialect, variables)} for measure in measures
        ],
        "version": comment(__version__),
        "header": header_of(measures, conventions, assumptions),
    }
    return render("overall.sql", dialect, **context)


def header_of(measures: Iterable[Measure], conventions: Conventions, assumptions: list[str] | None) -> list[Markup]:
    """The lines of the comment above a statement."""
    metrics = ", ".join(measure.text for measure in measures)
    header = [f"metrics: {metrics}", f"conventions: {conventions.describe()}", *(assumptions or [])]
    return [comment(line) for text in header for line in textwrap.wrap(text, 110, break_on_hyphens=False)]


def explanation(
    dialect: Dialect,
    inputs: dict[str, Any],
    measures: Iterable[Measure],
    conventions: Conventions,
    query: str,
    system: str,
    rows: int,
) -> str:
    """The statement that shows one ranking, place by place, beside the best one.

    Args:
        dialect: the engine it is for.
        inputs: as for `statement`.
        measures: the first of them that has a gain says which; else it is linear, with the discount log2.
        conventions: how the ranking is formed.
        query: whose ranking.
        system: of which system.
        rows: how many places.
    """
    plan = Plan((), conventions, diagnostics=False)
    values = next((dict(measure.values) for measure in measures if "gain" in dict(measure.values)), {})
    settled = {name: values.get(name, DEFAULTS[name]) for name in ("gain", "discount", "ideal")}
    title = ", ".join(f"{name}={plain(value)}" for name, value in settled.items())
    context = inputs | plan.context() | conventions.shown() | policies(inputs, plan) | settled
    context |= {
        "needs_doc": True,
        "needs_score": True,
        "gain": gain_value(settled["gain"]),
        "title": comment(title),
        "query": query,
        "shown_system": system,
        "rows": rows,
    }
    return render("explain.sql", dialect, **context)


def summary(
    dialect: Dialect,
    measures: Iterable[Measure],
    inputs: dict[str, Any],
    per_query: Markup,
    text: str | None = None,
) -> str:
    """The statement that gives one row per system, segment and metric.

    Args:
        dialect: the engine it is for.
        measures: the metrics, which are columns of the per-query rows.
        inputs: the segments, and whether there is a weight.
        per_query: the relation of the per-query rows.
        text: the statement that makes them, to stand inside; None where the relation exists.
    """
    described = [
        {"text": measure.text, "column": measure.column, "kind": measure.summary, "rows_weight": measure.weight_column}
        | {"factors": [*(["weight"] if inputs["weighted"] else []), *filter(None, [measure.weight_column])]}
        | {kind: f"{measure.column}_{kind}" for kind in ("value", "queries", "stderr", "weight")}
        for measure in measures
        if measure.summary != "none"
    ]
    lines = None if text is None else [sql_text(line) for line in text.rstrip().splitlines()]
    context = {"measures": described, "per_query": per_query, "statement": lines}
    return render("summary.sql", dialect, **(inputs | context))


def policies(inputs: dict[str, Any], plan: Plan, judged: bool = False) -> dict[str, Any]:
    """What the conventions mean for these inputs: which steps stand in the statement, and what they read."""
    labelled, several, conventions = inputs["labelled"], inputs["several"], plan.conventions
    pooled = conventions.judgments != "error" or (labelled and (several or conventions.duplicates != "error"))
    pooled = pooled or "subtopic" in inputs_of(plan.measures)
    attach = pooled if labelled else conventions.needs_judgments or plan.ranks_all or judged
    return {
        "keys": sql_text("system, query_id" if several else "query_id"),
        "pooled": pooled,
        "attach": attach,
        "candidates": sql_text("candidates" if attach else "run_rows"),
        "carries": attach or labelled,
        "averaged": conventions.ties == "average",
        "ascending": str(inputs["direction"]) == "asc",
        "empty_value": {"zero": 0, "one": 1, "skip": None, "error": None}[conventions.empty],
    }


def row_limit(deepest: int | None, conventions: Conventions, diagnostics: bool) -> int | None:
    """The last rank that matters: one below the largest cutoff where ties across it are counted."""
    limits = [conventions.depth if conventions.unjudged != "remove" else None]
    if deepest is not None:
        limits.append(max(deepest + diagnostics, 1))
    return min((limit for limit in limits if limit is not None), default=None)


def measure_context(plan: Plan, dialect: Dialect) -> list[dict[str, Any]]:
    """What steps/per_query.sql needs of each measure."""
    return [
        {
            "column": measure.column,
            "lines": expression(measure, dialect),
            "empty": [physical(name, dict(measure.values)) for name in measure.metric.empty],
            "undefined": measure.metric.undefined is not None,
            "weight": measure.weight_column,
            "weighed": weighed(measure),
            "last": measure is plan.measures[-1],
        }
        for measure in plan.measures
    ]


def weighed(measure: Measure) -> list[str]:
    """The columns whose sum is the weight of a query in the mean of a metric that brings its own."""
    columns = {"rows": ("group_relevant", "group_others"), "positives": ("group_relevant",)}
    return [physical(name, dict(measure.values)) for name in columns.get(str(dict(measure.values).get("weight")), ())]
