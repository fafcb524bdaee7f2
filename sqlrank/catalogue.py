"""The catalogue of metrics: each is one file of sql/metrics, with its entry in the header comment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.resources import HEADER, read_entry, sql_folder

DEFAULT_METRICS = ("ndcg@10", "ap", "rr", "p@10", "recall@100")

WORDS: dict[str, tuple[str, ...]] = {
    "gain": ("linear", "exp2"),
    "discount": ("log2", "ln", "letor", "none"),
    "ideal": ("judged", "retrieved", "full"),
}
"""Choices of the parameters that several metrics share; a gain may also be a table such as 0:0,1:1,2:4."""

HELP = {
    "k": "cutoff: only ranks 1 to k count",
    "rel": "smallest relevance that counts as relevant",
    "gain": "what a relevance is worth: linear (itself), exp2 (2^relevance - 1) or a table such as 0:0,1:1,2:4",
    "discount": "weight of a rank: log2 (1/log2(rank + 1)), ln, letor (1, 1, then 1/log2(rank)) or none",
    "ideal": "the ranking compared with: judged (all judged documents), retrieved (the best order of what was "
    "returned) or full (k documents of the top gain)",
    "beta": "weight of recall against precision",
}

Value = float | str


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """One file of sql/metrics: what it is, what it takes, and the expression that computes it."""

    name: str
    title: str
    parameters: Mapping[str, Value]
    """Name and default of every parameter but the cutoff."""
    choices: Mapping[str, tuple[str, ...]]
    """For parameters that take words: the words, the default first."""
    cutoff: str
    """`none`, `optional` or `required`."""
    reads: tuple[str, ...]
    """The columns of the observations that the expression uses."""
    range: tuple[float, float] | None
    """Smallest and largest value, or None where there is no bound."""
    empty: tuple[str, ...]
    """Totals of a query; where one is 0 the query has nothing to find. None: the metric is never empty."""
    summary: str
    """How queries become one value: `mean` or `sum`."""
    aliases: Mapping[str, Mapping[str, Value]]
    """Other names, with the parameters that each stands for."""
    spellings: Mapping[str, Mapping[str, Mapping[str, Value]]]
    """Parameters of other tools: name, value, and our parameters that say the same."""
    help: Mapping[str, str]
    """What a parameter does, where `HELP` does not say it."""
    formula: str
    citation: str
    agrees: tuple[str, ...]
    """The tools whose definition this is, by default or with the parameters named."""
    template: str
    """Name of the file below sql/."""
    sql: str
    """The expression as written, without the header."""


@cache
def catalogue() -> dict[str, Metric]:
    """Every metric of sql/metrics by name, the most common ones first."""
    metrics = [read_metric(path) for path in sorted((sql_folder() / "metrics").glob("*.sql"))]
    first = [text.partition("@")[0] for text in DEFAULT_METRICS]
    metrics.sort(key=lambda metric: (first.index(metric.name) if metric.name in first else len(first), metric.name))
    return {metric.name: metric for metric in metrics}


def read_metric(path: Path) -> Metric:
    """The metric in one file.

    Raises:
        UsageError: the header is missing or incomplete.
    """
    try:
        entry = read_entry(path)
        given = dict(entry["params"])
        cutoff = {"cutoff": "optional", "cutoff required": "required", None: "none"}[given.pop("k", None)]
        choices = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
        choices |= {name: WORDS[name] for name, value in given.items() if name in WORDS}
        return Metric(
            name=path.stem,
            title=entry["title"],
            parameters={name: default_of(value) for name, value in given.items()},
            choices=choices,
            cutoff=cutoff,
            reads=tuple(entry["reads"]),
            range=tuple(entry["range"]) if "range" in entry else None,
            empty=tuple(entry.get("empty", ())),
            summary=entry["summary"],
            aliases={name: settle(values) for name, values in entry.get("aliases", {}).items()},
            spellings=entry.get("spellings", {}),
            help=entry.get("help", {}),
            formula=entry["formula"],
            citation=entry["citation"],
            agrees=tuple(entry.get("agrees", ())),
            template=f"metrics/{path.name}",
            sql=HEADER.sub("", path.read_text(encoding="utf-8")).rstrip(),
        )
    except (KeyError, ValueError) as error:
        raise UsageError(f"the entry at the head of {path} is not complete: {error}") from error


def default_of(value: Any) -> Value:
    """The default that an entry declares: a number, a word, or the first of a list of words."""
    if isinstance(value, list):
        return str(value[0])
    return value if isinstance(value, str) else float(value)


def settle(values: Mapping[str, Any]) -> dict[str, Value]:
    """Values of an entry in the types that `Measure` compares: numbers as float."""
    return {name: value if isinstance(value, str) else float(value) for name, value in values.items()}
