"""A metric as the header of its file says it; a measure, which is one with parameters and cutoff: `ap(rel=2)@100`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlrank.dialects import Argument
from sqlrank.spelling import plain

Value = float | str

ITEM, WITHIN = "item", "within"
"""The words of the parameter `weight` with which documents have weights: with the first their queries have some too.

Other words are of queries alone."""


SIGNS = {"higher": 1, "lower": -1, "neither": 0}
"""What a metric does where a ranking is better, and the sign of a difference that is for the better."""


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """One file of sql/metrics: what it is, what it takes, and the expression that computes it."""

    name: str
    title: str
    title_zh: str | None
    """Its title in Chinese; None for a metric of the user without one, as with the next two."""
    family: str | None
    """Which of the families of sqlrank/reference/reference.toml it is of."""
    latex: str | None
    """Its formulas in LaTeX, with an empty line between two."""
    parameters: Mapping[str, Value]
    """Name and default of every parameter but the cutoff."""
    choices: Mapping[str, tuple[str, ...]]
    """For parameters that take words: the words, the default first."""
    cutoff: str
    """`none`, `optional` or `required`."""
    whole: int | None
    """The cutoff where none is given, of a metric that looks at a fixed number of places."""
    required: tuple[str, ...]
    """Parameters that have no default."""
    bounds: Mapping[str, tuple[float, ...]]
    """Parameters that must be above the first of these numbers, and below the second if there is one."""
    within: Mapping[str, tuple[float, float]]
    """Parameters that must be from the first of these numbers to the second."""
    trailing: str | None
    """The parameter that a number after `@`, `_` or `.` sets in place of the cutoff."""
    squares: Mapping[str, str]
    """Parameters that are the square of one of ours."""
    renames: Mapping[str, Mapping[str, str]]
    """By alias: what parameters of that name mean there."""
    uncut: Mapping[str, str]
    """By alias: the metric that it means without a cutoff."""
    turns: Mapping[str, Mapping[str, str]]
    """By alias: the metric that it means with a parameter, or with one of its words, as in `norm=min`."""
    mistaken: str | None
    """What another tool calls by its name with a cutoff, and what that is called here."""
    reads: tuple[str, ...]
    """The columns of the observations that the expression uses."""
    reads_with: Mapping[str, Mapping[str, tuple[str, ...]]]
    """By column: the words of parameters with which alone it is used."""
    range: tuple[float, float] | None
    """Smallest and largest value, or None where there is no bound."""
    empty: tuple[str, ...]
    """Totals of a query; where one is 0 the query is empty. None: the metric is never empty."""
    vanishes: bool
    """Whether the expression is 0 or null where a query is empty, without a look at the totals."""
    undefined: str | None
    """Where a query has no value, whatever the conventions; None: nowhere."""
    linear: bool
    """Whether its mean over the orders of ties has a closed form: a weighted sum over places, or nothing of order."""
    monotone: bool
    """Whether the best and the worst order of ties bound it."""
    rises: bool
    """Whether a higher relevance of a document that was returned never lowers it."""
    rises_with: Mapping[str, tuple[str, ...]]
    """The values of parameters with which alone it does so."""
    effect: str | None
    """What one more relevant document adds: `places` (a weight of its place), `pairs` (as average precision does, of
    its place and those of other relevant documents), or None where it is neither."""
    effect_with: Mapping[str, tuple[str, ...]]
    """The values of parameters with which alone it is that."""
    summary: str
    """How queries become one value: `mean`, `sum` or `none` (a text)."""
    better: str
    """What it does where a ranking is better: one of `SIGNS`."""
    weighed_with: Mapping[str, tuple[str, ...]]
    """The values of parameters with which alone its documents have weights."""
    weighs: bool
    """Whether it weighs the queries in its mean by itself, whatever its parameters; else a parameter `weight` says so.

    The expression is the weight where `weighing` holds."""
    parts: str | None
    """What of the value is a document's: its part of the `sum` over them, or all of it for the `first` with any.

    A metric with an effect is a sum over documents, whatever its parameters."""
    aliases: Mapping[str, Mapping[str, Value]]
    """Other names, with the parameters that each stands for."""
    offered_for: tuple[str, ...]
    """Names that are not taken for it, and for which it is offered."""
    spellings: Mapping[str, Mapping[str, Mapping[str, Value]]]
    """Parameters of other tools: name, value, and our parameters that say the same."""
    help: Mapping[str, str]
    """What a parameter does, where `HELP` does not say it."""
    formula: str
    in_words: bool
    """Whether the formula says more than the LaTeX."""
    citation: str
    doi: str | None
    agrees: tuple[str, ...]
    """Tools that have it and that `--like` does not know."""
    folder: str | None
    """The folder of the user that holds it; None for a metric of sqlrank."""
    grain: str
    """`query`: a value for each query; `system`: one value over all rankings of a system; `pair`: a value for each
    query of two rankings, without judgments."""
    inputs: tuple[str, ...]
    """Inputs besides run and judgments that it cannot do without, of a metric of grain `system`."""
    spares: Mapping[str, Mapping[str, Value]]
    """By input: the parameters with which it does without."""
    steps: int
    """How many steps its template may take, of a metric of the user."""
    template: str
    """Name of the file below sql/, or in the folder."""
    sql: str
    """The expression as written, without the header."""

    @property
    def formulas(self) -> tuple[str, ...]:
        """The formulas in LaTeX, each alone."""
        return () if self.latex is None else tuple(self.latex.strip().split("\n\n"))


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric with a value for every parameter and the cutoff."""

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
        """The canonical text, which parses back to this measure under the default relevance level."""
        inside = ", ".join(f"{name}={plain(value)}" for name, value in self.changed)
        return self.metric.name + (f"({inside})" if inside else "") + (f"@{self.k!s}" if self.k else "")

    @property
    def summary(self) -> str:
        """How queries become one value: `mean`, `geometric`, `sum` or `none`."""
        return "geometric" if dict(self.values).get("mean") == "geometric" else self.metric.summary

    @property
    def column(self) -> str:
        """The name of the column, such as `ap_rel2_at_100`; different measures have different names."""
        parts = [self.metric.name]
        for name, value in self.changed:
            parts.append(name + ("" if isinstance(value, float) else "_") + column_part(value))
        return "_".join(parts + ([f"at_{self.k}"] if self.k and not isinstance(self.k, Argument) else []))

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that the expression uses with these parameters."""
        return tuple(name for name in self.metric.reads if self.has(self.metric.reads_with.get(name, {})))

    @property
    def weight_column(self) -> str | None:
        """The column with the weight of each query in the mean, of a metric that brings its own."""
        weighs = self.metric.weighs or dict(self.values).get("weight", "none") not in ("none", WITHIN)
        return f"{self.column}_per_query" if weighs else None

    @property
    def weighs_items(self) -> bool:
        """Whether each document has a weight; a query whose own is null then weighs what others do on average."""
        return dict(self.values).get("weight") in (ITEM, WITHIN)

    @property
    def effect(self) -> str | None:
        """What one more relevant document adds with these parameters: `places`, `pairs`, or None."""
        return self.metric.effect if self.has(self.metric.effect_with) else None

    @property
    def rises(self) -> bool:
        """Whether a higher relevance of a document that was returned never lowers it, with these parameters."""
        return self.metric.rises and self.has(self.metric.rises_with)

    def has(self, words: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether each of these parameters has one of its words, of which `number` stands for any number."""
        values = {name: "number" if isinstance(value, float) else value for name, value in self.values}
        return all(values[name] in words[name] for name in words)

    @property
    def counts(self) -> bool:
        """Whether the summary is a count rather than a mean."""
        return self.summary == "sum"


def column_part(value: Value) -> str:
    """A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1."""
    written = {".": "p", "-": "m", "+": "", ":": "x", ",": "_", "/": "_"}
    return re.sub(r"[.\-+:,/]", lambda found: written[found[0]], plain(value))


def ends_with_data(values: Mapping[str, Value]) -> bool:
    """Whether the largest relevance of all judgments ends the scale; a gain table has an end of its own."""
    return values.get("max") == "data" and ":" not in str(values.get("gain"))


def of_queries(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures with a value for each query, or for each query of two rankings."""
    return tuple(measure for measure in measures if measure.metric.grain != "system")


def of_systems(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures with one value for a whole system."""
    return tuple(measure for measure in measures if measure.metric.grain == "system")
