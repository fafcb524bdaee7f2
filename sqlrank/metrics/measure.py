"""A measure: a metric with the values of its parameters and its cutoff, such as `ap(rel=2)@100`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlrank.conventions import plain
from sqlrank.dialects import Argument
from sqlrank.metrics.metric import Metric, Value


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
        spare = self.metric.reads_with
        return tuple(name for name in self.metric.reads if spare.get(name, {}).items() <= dict(self.values).items())

    @property
    def weight_column(self) -> str | None:
        """The column with the weight of each query in the mean, of a metric that brings its own."""
        return f"{self.column}_per_query" if dict(self.values).get("weight", "none") != "none" else None

    @property
    def effect(self) -> str | None:
        """What one more relevant document adds with these parameters: `places`, `pairs`, or None."""
        return self.metric.effect if self.has(self.metric.effect_with) else None

    @property
    def rises(self) -> bool:
        """Whether a higher relevance of a document that was returned never lowers it, with these parameters."""
        return self.metric.rises and self.has(self.metric.rises_with)

    def has(self, words: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether each of these parameters has one of its words."""
        values = dict(self.values)
        return all(values[name] in words[name] for name in words)

    @property
    def counts(self) -> bool:
        """Whether the summary is a count rather than a mean."""
        return self.summary == "sum"


def column_part(value: Value) -> str:
    """A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1."""
    written = {".": "p", "-": "m", "+": "", ":": "x", ",": "_", "/": "_"}
    return re.sub(r"[.\-+:,/]", lambda found: written[found[0]], plain(value))


def of_queries(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures with a value for each query, or for each query of two rankings."""
    return tuple(measure for measure in measures if measure.metric.grain != "system")


def of_systems(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures with one value for a whole system."""
    return tuple(measure for measure in measures if measure.metric.grain == "system")
