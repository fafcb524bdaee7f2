"""The catalogue of metrics, read from the headers of sql/metrics, and the texts that ask for them.

A metric is one file; a `Measure` is a metric with its parameters and cutoff settled, such as `ap(rel=2)@100`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlrank.conventions import plain
from sqlrank.errors import UsageError, nearest
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

TEXT = re.compile(
    r"(?P<name>[a-z0-9_.-]+?)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<k>[0-9][0-9, ]*))?(?:-l(?P<level>\d+))?\Z"
)
TREC_CUTOFF = re.compile(r"(?P<name>.+?)[._](?P<k>[0-9]+(?:,[0-9]+)*)\Z")
TABLE = re.compile(r"-?[0-9.]+:-?[0-9.]+(,-?[0-9.]+:-?[0-9.]+)*\Z")

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


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric with every parameter and the cutoff settled."""

    metric: Metric
    values: tuple[tuple[str, Value], ...]
    k: int | None

    def __getitem__(self, parameter: str) -> Value:
        return dict(self.values)[parameter]

    @property
    def changed(self) -> list[tuple[str, Value]]:
        """The parameters that differ from the default of the product."""
        return [(name, value) for name, value in self.values if value != self.metric.parameters[name]]

    @property
    def text(self) -> str:
        """The canonical text, which parses back to this measure whatever the conventions of the call."""
        inside = ", ".join(f"{name}={plain(value)}" for name, value in self.changed)
        return self.metric.name + (f"({inside})" if inside else "") + (f"@{self.k}" if self.k else "")

    @property
    def column(self) -> str:
        """The name of the column, such as `ap_rel2_at_100`; different measures have different names."""
        parts = [self.metric.name]
        for name, value in self.changed:
            parts.append(name + ("" if isinstance(value, float) else "_") + column_part(value))
        return "_".join(parts + ([f"at_{self.k}"] if self.k else []))

    @property
    def counts(self) -> bool:
        """Whether the summary is a count rather than a mean."""
        return self.metric.summary == "sum"


def column_part(value: Value) -> str:
    """A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1."""
    return re.sub(r"[.\-+:,]", lambda found: {".": "p", "-": "m", "+": "", ":": "x", ",": "_"}[found[0]], plain(value))


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


def parse_measures(texts: str | Iterable[str], rel: float = 1.0) -> tuple[Measure, ...]:
    """The measures that one text or several ask for, each once, in order of first mention.

    Args:
        texts: such as `"ndcg@5,10"` or `["ap(rel=2)@100", "rr"]`.
        rel: the relevance level of metrics that do not name one.

    Raises:
        UsageError: a name, parameter or cutoff is not known, with the nearest that is.
    """
    measures: dict[Measure, None] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        for single in split_texts(text):
            measures |= dict.fromkeys(parse_measure(single, rel))
    if not measures:
        raise UsageError("no metric was asked for; for example ndcg@10")
    return tuple(measures)


def split_texts(text: str) -> list[str]:
    """Split at the commas outside brackets; a bare number continues the cutoffs before it."""
    parts = [part.strip() for part in re.split(r",(?![^(]*\))", text) if part.strip()]
    joined: list[str] = []
    for part in parts:
        if joined and part.isdigit():
            joined[-1] += f",{part}"
        else:
            joined.append(part)
    return joined


def parse_measure(text: str, rel: float) -> list[Measure]:
    """The measures of one name with its parameters and cutoffs."""
    found = TEXT.match(text.strip().lower())
    if found is None:
        raise UsageError(f"{text!r} is not a metric; write name(parameter=value)@cutoff, for example ap(rel=2)@100")
    metric, preset, cutoffs = find_metric(found["name"], found["k"], text)
    values: dict[str, Value] = dict(metric.parameters)
    if "rel" in values:
        values["rel"] = float(found["level"] or rel)
    elif found["level"]:
        raise UsageError(f"{text!r}: {metric.name} has no relevance level")
    values |= preset
    for name, value in parameter_texts(found["parameters"] or "", text):
        values |= read_parameter(metric, name, value, text)
    settled = tuple(values.items())
    if not cutoffs and metric.cutoff == "required":
        raise UsageError(f"{text!r}: {metric.name} needs a cutoff, for example {metric.name}@10")
    if cutoffs and metric.cutoff == "none":
        raise UsageError(f"{text!r}: {metric.name} looks at the whole ranking and takes no cutoff")
    if not cutoffs and values.get("ideal") == "full":
        raise UsageError(f"{text!r}: ideal=full needs a cutoff, for example {metric.name}(ideal=full)@10")
    return [Measure(metric, settled, k) for k in cutoffs or [None]]


def find_metric(name: str, cutoffs: str | None, text: str) -> tuple[Metric, Mapping[str, Value], list[int]]:
    """The metric of a name or alias, what the alias sets, and the cutoffs (trec_eval's `p_10` and `p.5,10` too)."""
    known: dict[str, tuple[Metric, Mapping[str, Value]]] = {}
    for metric in catalogue().values():
        known |= {alias: (metric, preset) for alias, preset in metric.aliases.items()} | {metric.name: (metric, {})}
    trec = TREC_CUTOFF.match(name)
    if name not in known and cutoffs is None and trec and trec["name"] in known:
        name, cutoffs = trec["name"], trec["k"]
    if name not in known:
        raise UsageError(f"there is no metric {name!r} (in {text!r}){nearest(name, list(known))}; see: sqlrank metrics")
    numbers = [int(cutoff) for cutoff in (cutoffs or "").split(",") if cutoff.strip()]
    if 0 in numbers:
        raise UsageError(f"{text!r}: a cutoff is 1 or more")
    return *known[name], numbers


def parameter_texts(inside: str, text: str) -> list[tuple[str, str]]:
    """Names and values between the brackets; the pairs of a gain table hold commas of their own."""
    pairs: list[tuple[str, str]] = []
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = part.partition("=")
        if equals:
            pairs.append((name.strip(), value.strip().strip("'\"")))
        elif pairs and ":" in part:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]},{part}")
        else:
            raise UsageError(f"{text!r}: write parameters as name=value, not {part!r}")
    return pairs


def read_parameter(metric: Metric, name: str, value: str, text: str) -> Mapping[str, Value]:
    """One parameter as the values it sets."""
    if value in metric.spellings.get(name, {}):
        return metric.spellings[name][value]
    if name not in metric.parameters:
        takes = ", ".join(metric.parameters) or "no parameters"
        raise UsageError(
            f"{text!r}: {metric.name} has no parameter {name!r}{nearest(name, list(metric.parameters))} (it takes {takes})"
        )
    if name == "gain" and TABLE.match(value):
        return {name: canonical_table(value, text)}
    if name in metric.choices:
        if value not in metric.choices[name]:
            words = ", ".join(metric.choices[name]) + (" or a table such as 0:0,1:1,2:4" if name == "gain" else "")
            raise UsageError(f"{text!r}: {name}={value} is not known (one of {words})")
        return {name: value}
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf") or (name == "beta" and number <= 0):
        raise UsageError(f"{text!r}: {name} must be a number{' above 0' if name == 'beta' else ''}, not {value!r}")
    return {name: number}


def canonical_table(value: str, text: str) -> str:
    """A gain table in order of relevance, each relevance once.

    Raises:
        UsageError: a relevance stands twice, or a gain is negative.
    """
    try:
        pairs = [(float(left), float(right)) for left, right in (pair.split(":") for pair in value.split(","))]
    except ValueError:
        raise UsageError(f"{text!r}: {value!r} is not a gain table such as 0:0,1:1,2:4") from None
    if len(dict(pairs)) < len(pairs) or any(gain < 0 for _, gain in pairs):
        raise UsageError(f"{text!r}: a gain table names each relevance once, with gains of 0 or more")
    return ",".join(f"{plain(relevance)}:{plain(gain)}" for relevance, gain in sorted(pairs))
