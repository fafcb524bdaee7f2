"""The reference of metrics for the documentation: docs/reference/metrics.md, and a shorter page in Chinese."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from sqlrank.metrics.catalogue import DEFAULT_LIKENESS, catalogue, likeness_catalogue
from sqlrank.metrics.language import Language
from sqlrank.metrics.measure import Metric
from sqlrank.reference.metric_example import example_of
from sqlrank.reference.metric_facts import facts, find, parameters, tools, usage

MOST_USED = ("ndcg", "dcg", "ap", "rr", "p", "recall", "f", "success", "auc", "gauc", "err", "rbp")
"""The metrics whose formulas stand on the Chinese page."""

OPTION = re.compile(r"--[a-z-]+( FILE| average| worst| best)?")
"""An option of the command line, with its value."""
NOTHING = (["none"], ["never"])
"""Facts that only a reader who asks wants to be told."""


@cache
def texts() -> dict[str, Any]:
    """The families, the signs and the formulas that metrics share."""
    return tomllib.loads(Path(__file__).with_name("reference.toml").read_text(encoding="utf-8"))


def families() -> list[tuple[dict[str, str], list[Metric]]]:
    """Each family with its metrics, the most common ones first."""
    metrics = sorted([*catalogue().values(), *likeness_catalogue().values()], key=place_of)
    return [(family, [one for one in metrics if one.family == family["key"]]) for family in texts()["families"]]


def place_of(metric: Metric) -> tuple[int, int, str]:
    """What metrics are ordered by: the most used ones, those of the catalogue's beginning, then by name and number."""
    used = MOST_USED.index(metric.name) if metric.name in MOST_USED else len(MOST_USED)
    common = [text.partition("@")[0] for text in DEFAULT_LIKENESS]
    first = common.index(metric.name) if metric.name in common else len(common)
    return used, first, re.sub(r"\d+", lambda number: number[0].zfill(3), metric.name)


def reference_page() -> str:
    """The metric reference as Markdown."""
    words, shared = texts()["en"], texts()["formulas"]
    parts = [*paragraph(words["introduction"]), *(contents_line(family, metrics) for family, metrics in families()), ""]
    parts += paragraph(words["notation"])
    parts += table(["sign", "what it is"], ([sign["sign"], sign["text"]] for sign in texts()["signs"]))
    for name in ("gain", "discount", "grade"):
        parts += ["", *paragraph(words[name]), *fence("math", shared[name])]
    for family, metrics in families():
        parts += ["", f"## {family['title']}", "", family["about"]]
        for metric in metrics:
            parts += section(metric)
    return "\n".join(parts) + "\n"


def chinese_page(spoken: Mapping[str, str]) -> str:
    """The families in Chinese, as Markdown: titles of all metrics, formulas of the most used ones, and all parameters.

    Args:
        spoken: what a parameter does in Chinese, by what it does in English.
    """
    words, shared = texts()["zh"], texts()["formulas"]
    parts = [*paragraph(words["introduction"]), *paragraph(words["notation"])]
    signs = ([sign.get("sign_zh", sign["sign"]), sign["zh"]] for sign in texts()["signs"] if sign["zh"])
    parts += table(["符号", "含义"], signs)
    for name in ("gain", "discount"):
        parts += ["", *paragraph(words[name]), *fence("math", shared[name])]
    for family, metrics in families():
        rows = ([chinese_usage(metric), metric.title_zh or metric.title] for metric in metrics)
        parts += ["", f"## {family['title_zh']}", "", family["about_zh"], "", *table(["指标", "名称"], rows)]
        for metric in metrics:
            if metric.name in MOST_USED:
                parts += ["", f"### {metric.name}", "", f"{metric.title_zh}。", *formulas(metric)]
    return "\n".join([*parts, "", *paragraph(words["parameters"]), *chinese_parameters(spoken)]) + "\n"


def chinese_parameters(spoken: Mapping[str, str]) -> list[str]:
    """A table of all parameters: what each does, in which metrics."""
    found: dict[tuple[str, str], list[str]] = {}
    for metric in (metric for _, metrics in families() for metric in metrics):
        for one in parameters(metric):
            found.setdefault((one.name, spoken[one.text]), []).append(metric.name)
    rows = ([f"`{name}`", text, some_of(metrics)] for (name, text), metrics in sorted(found.items()))
    return table(["参数", "作用", "指标"], rows)


def some_of(metrics: Sequence[str], most: int = 6) -> str:
    """The first metrics by name, and how many there are."""
    more = f" 等 {len(metrics)} 个" if len(metrics) > most else ""
    return "、".join(f"`{name}`" for name in metrics[:most]) + more


def chinese_usage(metric: Metric) -> str:
    """How the metric is written, as a link where its formula stands below."""
    shown = f"`{usage(metric)}`"
    return f"[{shown}](#{metric.name})" if metric.name in MOST_USED else shown


def contents_line(family: dict[str, str], metrics: Iterable[Metric]) -> str:
    """A family and its metrics, as links to their headings."""
    links = ", ".join(f"[{metric.name}](#{metric.name})" for metric in metrics)
    return f"- [{family['title']}](#{family['title'].lower().replace(' ', '-')}): {links}"


def section(metric: Metric) -> list[str]:
    """What the reference says of one metric."""
    parts = ["", f"### {metric.name}", "", f"`{usage(metric)}`: {metric.title}.", *formulas(metric)]
    if metric.in_words or not metric.latex:
        parts += ["", f"In words: {metric.formula}."]
    found = example_of(find(metric.name, Language(texts=True, pairs=metric.grain == "pair"))[1])
    if found is not None:
        parts += ["", f"Example: {found.said}.", "", *fence("text", "\n".join([*found.table, "", found.value]))]
    rows = [[f"`{one.name}`", default_of(one.default), with_words(one.text, one.words)] for one in parameters(metric)]
    if rows:
        parts += ["", *table(["parameter", "default", "what it does"], rows)]
    parts += [
        "",
        *chain.from_iterable(fact(name, lines) for name, lines in facts(metric).items() if lines not in NOTHING),
    ]
    cited = f" [doi:{metric.doi}](https://doi.org/{metric.doi})" if metric.doi else ""
    return [*parts, f"- Citation: {metric.citation}.{cited}", *tools_of(metric)]


def formulas(metric: Metric) -> list[str]:
    """The formulas in LaTeX, each in a block of its own."""
    return [line for formula in metric.formulas for line in ("", *fence("math", formula))]


def tools_of(metric: Metric) -> list[str]:
    """In which tools the metric is, in a part that opens when asked to."""
    rows = [[one.tool, f"`{one.asked}`" if one.asked else one.refused or "the same"] for one in tools(metric)]
    if not rows:
        return []
    summary = "<summary>In other tools</summary>"
    return ["", '<details markdown="1">', summary, "", *table(["tool", "ask for"], rows), "", "</details>"]


def default_of(word: str) -> str:
    """The default of a parameter; `required` and `optional` are none."""
    return word if word in ("required", "optional") else f"`{word}`"


def with_words(text: str, words: str) -> str:
    """What a parameter does, with the words that it takes."""
    return f"{text} ({words})" if words else text


def fact(name: str, lines: Sequence[str]) -> list[str]:
    """A fact, or several of one kind, as items of a list."""
    lines = [OPTION.sub(r"`\g<0>`", line) for line in lines]
    return [f"- {name}: {lines[0]}"] if len(lines) == 1 else [f"- {name}:", *(f"    - {line}" for line in lines)]


def paragraph(text: str) -> list[str]:
    """A text, with an empty line below it."""
    return [text.strip("\n"), ""]


def fence(language: str, text: str) -> list[str]:
    """A fenced block."""
    return [f"```{language}", text.strip("\n"), "```"]


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of Markdown."""
    lines = [list(names), [":--"] * len(names), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
