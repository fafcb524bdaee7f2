"""The catalogue as text, from the entries alone."""

from __future__ import annotations

from dataclasses import fields

from sqlrank.catalogue import HELP, Metric, catalogue
from sqlrank.conventions import Conventions, plain
from sqlrank.dialects import DUCKDB
from sqlrank.metrics import parse_measures
from sqlrank.plan import COLUMNS, EMPTY_TEXTS
from sqlrank.templates import expression


def catalogue_page() -> str:
    """One line per metric."""
    metrics = catalogue().values()
    names = {metric.name: usage(metric) for metric in metrics}
    width = max(len(text) for text in names.values())
    return "\n".join(f"{names[metric.name]:<{width}}  {metric.title}" for metric in metrics)


def usage(metric: Metric) -> str:
    """How the metric is written: its name, with `@k` where it takes a cutoff."""
    return metric.name + {"none": "", "optional": "[@k]", "required": "@k"}[metric.cutoff]


def metric_page(text: str) -> str:
    """Everything about one metric, asked for by its name or by a text with parameters."""
    metric, example = find(text)
    parts = [f"{usage(metric)}: {metric.title}", "", f"  {metric.formula}", ""]
    parts += [
        f"{'Parameters':<12}{line}" if number == 0 else f"{'':<12}{line}"
        for number, line in enumerate(parameters(metric))
    ]
    low_high = "no bound" if metric.range is None else f"{plain(metric.range[0])} to {plain(metric.range[1])}"
    empty = " or ".join(EMPTY_TEXTS[name] for name in metric.empty) or "never"
    aliases = [
        name
        + (f" = {metric.name}({', '.join(f'{key}={plain(value)}' for key, value in preset.items())})" if preset else "")
        for name, preset in metric.aliases.items()
    ]
    parts += [
        f"{'Range':<12}{low_high}",
        f"{'Empty when':<12}{empty}",
        f"{'Summary':<12}{'sum over queries' if metric.summary == 'sum' else 'mean over queries'}",
        f"{'Aliases':<12}{', '.join(aliases) or 'none'}",
        f"{'Reads':<12}" + (f"\n{'':<12}".join(f"{name}: {COLUMNS[name].text}" for name in metric.reads) or "nothing"),
        f"{'Agrees':<12}" + (f"\n{'':<12}".join(metric.agrees) or "-"),
        f"{'Citation':<12}{metric.citation}",
        "",
        f"SQL of {example}, over the observations of one query:",
        "",
    ]
    (measure,) = parse_measures(example)
    return "\n".join(parts + [f"    {line}" for line in expression(measure, DUCKDB)])


def find(text: str) -> tuple[Metric, str]:
    """The metric that a text names, and a text of it that can be rendered."""
    bare = text.strip().lower()
    for metric in catalogue().values():
        if bare in (metric.name, *metric.aliases):
            return metric, metric.name + ("@10" if metric.cutoff != "none" else "")
    measure = parse_measures(text)[0]
    return measure.metric, measure.text


def parameters(metric: Metric) -> list[str]:
    """A line for each parameter: name, default, what it does."""
    lines = [] if metric.cutoff == "none" else [f"@k ({metric.cutoff}): {HELP['k']}"]
    for name, default in metric.parameters.items():
        choices = ", ".join(metric.choices.get(name, ()))
        text = metric.help.get(name) or HELP[name]
        lines.append(f"{name}={plain(default)}: {text}" + (f" [{choices}]" if choices and name in metric.help else ""))
    return lines or ["none"]


def metrics_table() -> str:
    """The catalogue as a Markdown table, for the README."""
    lines = ["| metric | what it is | parameters | agrees with |", "| :-- | :-- | :-- | :-- |"]
    for metric in catalogue().values():
        choices = {name: metric.choices.get(name, (plain(default),)) for name, default in metric.parameters.items()}
        shown = ", ".join(f"`{name}={'/'.join(words)}`" for name, words in choices.items())
        lines.append(f"| `{usage(metric)}` | {metric.title} | {shown or '-'} | {'; '.join(metric.agrees)} |")
    return "\n".join(lines)


def conventions_table() -> str:
    """The conventions as a Markdown table, for the README."""
    lines = ["| option | what it decides | choices, the default first |", "| :-- | :-- | :-- |"]
    for field in fields(Conventions):
        choices = field.metadata["choices"] or {}
        first = sorted(choices.items(), key=lambda item: item[0] != field.default)
        words = ", ".join(f"`{word}` ({text})" for word, text in first)
        default = "all" if field.default is None else f"`{plain(field.default)}`"
        lines.append(f"| `--{field.name.replace('_', '-')}` | {field.metadata['help']} | {words or default} |")
    return "\n".join(lines)
