"""The catalogue of metrics at a terminal, and its tables for the documentation."""

from __future__ import annotations

from dataclasses import fields

from sqlrank.comparison.similarity.statement import pair_columns
from sqlrank.conventions import Conventions
from sqlrank.dialects import DUCKDB
from sqlrank.metrics.catalogue import NUMBER, catalogue, likeness_catalogue
from sqlrank.metrics.language import Language
from sqlrank.metrics.measure import Metric
from sqlrank.metrics.tools import presets
from sqlrank.reference.metric_example import example
from sqlrank.reference.metric_facts import Parameter, ToolLine, facts, find, parameters, tools, usage
from sqlrank.spelling import plain
from sqlrank.statement.column_texts import ColumnText, columns_alone, expression
from sqlrank.statement.columns import column_of
from sqlrank.statement.templates import sql_text

OVER = {
    "query": "the observations of one query",
    "system": "the rankings of each system",
    "pair": "the documents that both rankings of one query hold",
}
"""What the expression of a metric is computed over, by the grain of the metric."""

SIGNS = {" <= ": " ≤ ", " >= ": " ≥ ", " * ": " · ", "sum over ": "Σ over "}
"""How a formula is written where every sign can be."""

LIKENESS = "Between two rankings, without judgments"


def catalogue_page(own: str | None = None) -> str:
    """One line per metric."""
    metrics, pairs = catalogue(own).values(), likeness_catalogue().values()
    width = max(len(usage(metric)) for metric in (*metrics, *pairs))
    lines = [f"{usage(metric):<{width}}  {metric.title}" for metric in metrics]
    return "\n".join([*lines, "", f"{LIKENESS}:", *(f"{usage(metric):<{width}}  {metric.title}" for metric in pairs)])


def search_page(words: str, own: str | None = None) -> str | None:
    """One line for each metric that has all the words in its names, titles (English, Chinese) and names elsewhere."""
    wanted = words.lower().split()
    metrics = [*catalogue(own).values(), *likeness_catalogue().values()]
    found = [metric for metric in metrics if all(word in names_of(metric) for word in wanted)]
    width = max((len(usage(metric)) for metric in found), default=0)
    return "\n".join(f"{usage(metric):<{width}}  {metric.title}" for metric in found) if wanted and found else None


def names_of(metric: Metric) -> str:
    """Everything that a metric is called, in lower case."""
    called = (line.tool for line in tools(metric) if not line.refused)
    names = (metric.name, *metric.aliases, *metric.offered_for, metric.title, metric.title_zh, *called)
    return "\n".join(filter(None, names)).lower()


def metric_page(text: str, own: str | None = None, pretty: bool = False) -> str:
    """Everything about one metric, asked for by its name or by a text with parameters.

    `pretty` writes its formula in several lines and with signs that are not ASCII.
    """
    language = Language(own=own, texts=True)
    pairs = Language(pairs=True)
    name = text.partition("@")[0].partition("(")[0].strip().lower()
    metric, measure = find(text, pairs if language.named(name) is None and pairs.named(name) else language)
    formula = readable(metric.formula) if pretty else [metric.formula]
    parts = [f"{usage(metric)}: {metric.title}", "", *(f"  {line}" for line in formula), "", *example(measure)]
    for name, lines in sections(metric).items():
        parts += [f"{name if number == 0 else '':<12}{line}" for number, line in enumerate(lines)]
    parts += ["", f"SQL of {measure.text}, over {OVER[metric.grain]}:", ""]
    names = {"scope": sql_text("system"), "direction": sql_text("desc")} if metric.grain == "system" else {}
    columns: dict[str, ColumnText] = {}
    if metric.grain == "query":
        columns = columns_alone(measure, DUCKDB)
    elif metric.grain == "pair":
        columns = pair_columns(measure, DUCKDB)
    return "\n".join(parts + [f"    {line}" for line in expression(measure, DUCKDB, columns, names)])


def readable(formula: str) -> list[str]:
    """A formula as lines, its definitions below it, with the usual signs."""
    for text, sign in SIGNS.items():
        formula = formula.replace(text, sign)
    head, _, definitions = formula.partition(", where ")
    lines = [*head.split("; "), *filter(None, definitions.split("; "))]
    return [lines[0], *(f"  {line}" for line in lines[1:])]


def sections(metric: Metric) -> dict[str, list[str]]:
    """The sections of the page of a metric, by heading."""
    known = {
        "Parameters": [*map(parameter_line, parameters(metric))] or ["none"],
        **facts(metric),
        "Reads": [f"{name}: {column_of(name).text}" for name in metric.reads],
        "Tools": [*map(tool_line, tools(metric))],
        "Citation": [metric.citation, *([f"doi:{metric.doi}"] if metric.doi else [])],
    }
    return {name: lines for name, lines in known.items() if lines}


def parameter_line(parameter: Parameter) -> str:
    """A parameter: name, default, what it does."""
    name, default, text, words = parameter
    if name == "@k":
        shown = f"{name} ({f'default {default}' if default.isdigit() else default})"
    else:
        shown = f"{name} (required)" if default == "required" else f"{name}={default}"
    return f"{shown}: {text}" + (f" [{words}]" if words else "")


def tool_line(line: ToolLine) -> str:
    """A tool, and how to ask for what it computes or why that is not followed."""
    return ": ".join(filter(None, [line.tool, line.asked or line.refused]))


def choices_of(metric: Metric) -> str:
    """The parameters with their choices, in short."""
    shown = []
    for name, default in metric.parameters.items():
        words = [word for word in metric.choices.get(name, (plain(default),)) if word != NUMBER]
        shown.append(f"`{name}`" if name in metric.required else f"`{name}={'/'.join(words)}`")
    return ", ".join(shown) or "-"


def metrics_table() -> str:
    """The catalogue as a Markdown table, for the README."""
    lines = ["| metric | what it is | parameters |", "| :-- | :-- | :-- |"]
    lines += [f"| `{usage(metric)}` | {metric.title} | {choices_of(metric)} |" for metric in catalogue().values()]
    return "\n".join(lines)


def presets_table() -> str:
    """The tools that `--like` knows as a Markdown table, for the README."""
    lines = ["| `--like` | sets |", "| :-- | :-- |"]
    lines += [f"| `{name}` | {preset.sets} |" for name, preset in presets().items()]
    return "\n".join(lines)


def conventions_table() -> str:
    """The conventions as a Markdown table, for the README."""
    lines = ["| option | what it decides | choices, the default first |", "| :-- | :-- | :-- |"]
    for field in fields(Conventions):
        choices = field.metadata["choices"] or {}
        first = sorted(choices.items(), key=lambda item: item[0] != field.default)
        words = ", ".join(f"`{word}` ({text})" for word, text in first)
        default = field.metadata["unset"] if field.default is None else f"`{plain(field.default)}`"
        lines.append(f"| `--{field.name.replace('_', '-')}` | {field.metadata['help']} | {words or default} |")
    return "\n".join(lines)
