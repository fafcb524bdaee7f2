"""What is to be said of a metric besides its formula: parameters, range, tools and the rest, for every kind of page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import NamedTuple

from sqlrank.conventions import Conventions
from sqlrank.metrics.catalogue import HELP, NUMBER
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import ITEM, Measure, Metric, Value
from sqlrank.metrics.tools import Claim, Preset, presets
from sqlrank.spelling import as_option, plain
from sqlrank.statement.column_checks import without_average
from sqlrank.statement.columns import EMPTY_TEXTS, inputs_behind, reads_of

SUMMARIES = {
    "mean": "mean over queries",
    "sum": "sum over queries",
    "none": "none: it is a text",
    "whole": "one value for all queries of a system",
}

NEEDS = {
    "items": "--items FILE with doc_id, or --history FILE",
    "category": "--items FILE with doc_id and category",
    "length": "--items FILE with doc_id and length: words for tbg, characters for u_measure",
    "vector": "--items FILE with doc_id and vector, a list of numbers",
    "history": "--history FILE with query_id (or user_id) and doc_id",
    "baseline": "--baseline-run FILE, a run",
    "subtopic": "judgments with a column subtopic",
    "item_weight": "where documents weigh, judgments with a column item_weight",
}

PLACES = {"query": 5, "pair": 5, "system": 3}
"""The cutoff of a metric that is asked for without one, by its grain: the length of its example."""


class Parameter(NamedTuple):
    """A parameter of a metric."""

    name: str
    default: str
    """Its default; `required` or `optional` where there is none."""
    text: str
    """What it does."""
    words: str
    """The words that it takes, where the text does not say them."""


class ToolLine(NamedTuple):
    """A tool that has the metric, or something of its name."""

    tool: str
    """The tool with what it calls the metric."""
    asked: str
    """How to ask for what it computes; empty where the tool has it as it is."""
    refused: str
    """Why sqlrank does not follow it, in place of how to ask."""


def usage(metric: Metric) -> str:
    """How the metric is written: its name, with `@k` where it takes a cutoff."""
    return metric.name + {"none": "", "optional": "[@k]", "required": "@k"}[metric.cutoff]


def written(name: str, parameters: Mapping[str, Value]) -> str:
    """A metric with parameters, as it is asked for."""
    inside = ", ".join(f"{key}={plain(value)}" for key, value in parameters.items())
    return name + (f"({inside})" if inside else "")


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


def parameters(metric: Metric) -> list[Parameter]:
    """The parameters, the cutoff first."""
    found = []
    if metric.cutoff != "none":
        found.append(Parameter("@k", f"{metric.whole}" if metric.whole else metric.cutoff, HELP["k"], ""))
    for name, default in metric.parameters.items():
        words = ", ".join("a number" if word == NUMBER else word for word in metric.choices.get(name, ()))
        text = metric.help.get(name) or HELP[name]
        first = "required" if name in metric.required else plain(default)
        found.append(Parameter(name, first, text, words if name in metric.help else ""))
    return found


def tools(metric: Metric) -> list[ToolLine]:
    """In which tools the definition holds, with which parameters and conventions, and in which it does not."""
    found = []
    for preset in presets().values():
        for claim in preset.claims.get(metric.name, ()):
            found.append(ToolLine(f"{preset.title} {claim.name}", meaning(metric, preset, claim), ""))
        if metric.name in preset.refused:
            how = "" if metric.name in preset.claims else "differs: "
            found.append(ToolLine(preset.title, "", f"{how}{preset.refusal(metric.name, as_option)}"))
    return [*found, *(ToolLine(tool, "", "") for tool in metric.agrees)]


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


def facts(metric: Metric) -> dict[str, list[str]]:
    """What else is to be said of a metric, by heading."""
    low_high = "no bound" if metric.range is None else f"{plain(metric.range[0])} to {plain(metric.range[1])}"
    empty = " or ".join(EMPTY_TEXTS[name] for name in metric.empty) or "never"
    aliases = [
        name + (f" = {written(metric.name, preset)}" if preset else "") for name, preset in metric.aliases.items()
    ]
    read = reads_of(metric, metric.parameters)
    weighed = ["item_weight"] if ITEM in metric.choices.get("weight", ()) else []
    inputs = dict.fromkeys([*metric.inputs, *(given for name in read for given in inputs_behind(name)), *weighed])
    pair = metric.grain == "pair"
    instead = without_average(metric, spell=as_option)
    known = {
        "Range": [low_high],
        "Empty when": [] if pair else [empty],
        "Better": ["lower"] if metric.better == "lower" else [],
        "Undefined": [metric.undefined] if metric.undefined else [],
        "Needs": [NEEDS[name] for name in inputs if name in NEEDS],
        "Ties": [] if pair else ["--ties average has a closed form" if metric.linear else instead],
        "Summary": [SUMMARIES[metric.summary]],
        "Aliases": [", ".join(aliases) or "none"],
    }
    return {name: lines for name, lines in known.items() if lines}
