"""The catalogue of metrics as text and Markdown, generated from the entries and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from sqlrank.conventions import Conventions, plain
from sqlrank.dialects import DUCKDB
from sqlrank.metrics.catalogue import HELP, NUMBER, catalogue, likeness_catalogue
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Measure
from sqlrank.metrics.metric import Metric, Value
from sqlrank.metrics.tools import Claim, Preset, presets
from sqlrank.output.metric_example import example
from sqlrank.similarity.statement import pair_columns
from sqlrank.statement.column_texts import ColumnText, columns_alone
from sqlrank.statement.columns import EMPTY_TEXTS, column_of, without_average
from sqlrank.statement.expressions import expression
from sqlrank.statement.templates import sql_text

SUMMARIES = {
    "mean": "mean over queries",
    "sum": "sum over queries",
    "none": "none: it is a text",
    "whole": "one value for all queries of a system",
}

OVER = {
    "query": "the observations of one query",
    "system": "the rankings of each system",
    "pair": "the documents that both rankings of one query hold",
}
"""What the expression of a metric is computed over, by the grain of the metric."""

SIGNS = {" <= ": " ≤ ", " >= ": " ≥ ", " * ": " · ", "sum over ": "Σ over "}
"""How a formula is written where every sign can be."""

PLACES = {"query": 5, "pair": 5, "system": 3}
"""The cutoff of a metric that is asked for without one, by its grain: the length of its example."""

LIKENESS = "Between two rankings, without judgments"


def catalogue_page(own: str | None = None) -> str:
    """One line per metric."""
    metrics, pairs = catalogue(own).values(), likeness_catalogue().values()
    width = max(len(usage(metric)) for metric in (*metrics, *pairs))
    lines = [f"{usage(metric):<{width}}  {metric.title}" for metric in metrics]
    return "\n".join([*lines, "", f"{LIKENESS}:", *(f"{usage(metric):<{width}}  {metric.title}" for metric in pairs)])


def usage(metric: Metric) -> str:
    """How the metric is written: its name, with `@k` where it takes a cutoff."""
    return metric.name + {"none": "", "optional": "[@k]", "required": "@k"}[metric.cutoff]


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
    for name, lines in facts(metric).items():
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


def facts(metric: Metric) -> dict[str, list[str]]:
    """The sections of the page of a metric, by heading."""
    low_high = "no bound" if metric.range is None else f"{plain(metric.range[0])} to {plain(metric.range[1])}"
    empty = " or ".join(EMPTY_TEXTS[name] for name in metric.empty) or "never"
    aliases = [
        name + (f" = {written(metric.name, preset)}" if preset else "") for name, preset in metric.aliases.items()
    ]
    inputs = dict.fromkeys([*metric.inputs, *(column_of(name).input for name in metric.reads)])
    named = [name for name in inputs if name in ("items", "category", "history", "baseline", "subtopic")]
    pair = metric.grain == "pair"
    known = {
        "Parameters": parameters(metric),
        "Range": [low_high],
        "Empty when": [] if pair else [empty],
        "Undefined": [metric.undefined] if metric.undefined else [],
        "Needs": [NEEDS[name] for name in named],
        "Ties": [] if pair else ["--ties average has a closed form" if metric.linear else without_average(metric)],
        "Summary": [SUMMARIES[metric.summary]],
        "Aliases": [", ".join(aliases) or "none"],
        "Reads": [f"{name}: {column_of(name).text}" for name in metric.reads],
        "Tools": tools(metric),
        "Citation": [metric.citation],
    }
    return {name: lines for name, lines in known.items() if lines}


NEEDS = {
    "items": "--items FILE with doc_id, or --history FILE",
    "category": "--items FILE with doc_id and category",
    "history": "--history FILE with query_id (or user_id) and doc_id",
    "baseline": "--baseline FILE, a run",
    "subtopic": "judgments with a column subtopic",
}


def written(name: str, parameters: Mapping[str, Value]) -> str:
    """A metric with parameters, as it is asked for."""
    inside = ", ".join(f"{key}={plain(value)}" for key, value in parameters.items())
    return name + (f"({inside})" if inside else "")


def tools(metric: Metric) -> list[str]:
    """In which tools the definition holds, with which parameters and conventions, and in which it does not."""
    found = []
    for preset in presets().values():
        for claim in preset.claims.get(metric.name, ()):
            found.append(f"{preset.title} {claim.name}: {meaning(metric, preset, claim)}")
        if metric.name in preset.refused:
            how = "" if metric.name in preset.claims else "differs: "
            found.append(f"{preset.title}: {how}{preset.refused[metric.name]}")
    return found + list(metric.agrees)


def meaning(metric: Metric, preset: Preset, claim: Claim) -> str:
    """How to ask for what a tool means."""
    text = written(metric.name, dict(claim.parameters) | dict(claim.when))
    text += {"any": "", "with": "@k", "without": ""}[claim.cutoffs]
    settled = dict(preset.conventions) | dict(preset.rankings.get(claim.ranking, {}))
    defaults = {field.name: field.default for field in fields(Conventions)}
    changed = [
        f"--{name.replace('_', '-')} {plain(value)}" for name, value in settled.items() if value != defaults[name]
    ]
    return " ".join([text, *changed])


def find(text: str, language: Language) -> tuple[Metric, Measure]:
    """The metric that a text names, and a measure of it that can be rendered."""
    named = language.named(text.strip().lower())
    if named is None:
        measure = parse_measures(text, language)[0]
        return measure.metric, measure
    metric = named[0]
    needed = dict.fromkeys(metric.required, 0.5)
    cutoff = f"@{PLACES[metric.grain]}" if metric.cutoff != "none" and metric.whole is None else ""
    return metric, parse_measures(written(metric.name, needed) + cutoff, language)[0]


def parameters(metric: Metric) -> list[str]:
    """A line for each parameter: name, default, what it does."""
    lines = []
    if metric.cutoff != "none":
        default = f"default {metric.whole}" if metric.whole else metric.cutoff
        lines.append(f"@k ({default}): {HELP['k']}")
    for name, default_value in metric.parameters.items():
        words = ", ".join("a number" if word == NUMBER else word for word in metric.choices.get(name, ()))
        text = metric.help.get(name) or HELP[name]
        shown = f"{name} (required)" if name in metric.required else f"{name}={plain(default_value)}"
        lines.append(f"{shown}: {text}" + (f" [{words}]" if words and name in metric.help else ""))
    return lines or ["none"]


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


def reference_page() -> str:
    """The metric reference as Markdown: docs/metrics.md."""
    parts = [
        "# Metrics",
        "",
        "Written from the entries of `sql/metrics` and `sql/overall` and from the table of tools.",
        "A tool's line says how to ask for what it means; `--like` sets the same together.",
    ]
    for metric in catalogue().values():
        parts += reference_section(metric, "##")
    parts += ["", f"## {LIKENESS}", "", "Written from the entries of `sql/likeness`; `sqlrank compare` takes them."]
    for metric in likeness_catalogue().values():
        parts += reference_section(metric, "###")
    return "\n".join(parts) + "\n"


def reference_section(metric: Metric, level: str) -> list[str]:
    """What the metric reference says of one metric, under a heading of a level."""
    title = f"{metric.title[0].upper()}{metric.title[1:]}."
    parts = ["", f"{level} {usage(metric)}", "", title, "", f"    {metric.formula}", ""]
    for name, lines in facts(metric).items():
        if name != "Reads":
            alone = len(lines) == 1
            parts += [f"- {name}: {lines[0]}"] if alone else [f"- {name}:", *(f"  - {line}" for line in lines)]
    return parts


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
