"""Floors: the least values that metrics must reach, which the command line and Python hold results to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from sqlrank.arguments import public
from sqlrank.errors import Outcome, UsageError
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.metrics.language import gated_measure
from sqlrank.spelling import spelt

Asked = str | Iterable[str] | Mapping[str, float | str]
"""Gates: `ndcg@10=0.4`, several of them, or values by metric."""
OF_FLOORS = "fail_under"


@dataclass(frozen=True, slots=True)
class Floor:
    """A metric, and the least value that it must reach."""

    metric: str
    least: float


class CheckedResult(MetricResult):
    """A result that is held to gates."""

    @public()
    def check(
        self, fail_under: str | Iterable[str] | Mapping[str, float | str], *, segments: bool = False
    ) -> list[Outcome]:
        """What comes of gates, as `sqlrank eval --fail-under` holds them; nothing is raised where one fails.

        Args:
            fail_under: the least values that metrics of this evaluation must reach: `"ndcg@10=0.4"`, a list of such
                texts, or `{"ndcg@10": 0.4}`.
            segments: whether segments are held to them too, and not the total alone.

        Returns:
            An outcome for each gate and system: its `name`, whether it `holds`, and `failure`, which says why not.

        Raises:
            UsageError: a gate cannot be meant, its metric was not evaluated, or there are no segments.
        """
        if segments and not self.by:
            raise UsageError(f"{spelt('segments', True)}: there are no segments; give {spelt('by', 'COLUMN')}")
        floors = read_floors(fail_under, lambda metric, option: gated_measure(metric, option, self.language))
        return against_floors(self, floors, segments)


def pairs(asked: Asked | None, option: str, example: str) -> list[tuple[str, float | str]]:
    """The metric and the value of each gate, split at the last equals sign; UsageError shows the example."""
    if isinstance(asked, Mapping):
        return list(asked.items())
    found: list[tuple[str, float | str]] = []
    for text in [asked] if isinstance(asked, str) else asked or ():
        metric, equals, value = text.rpartition("=")
        if not equals or not metric:
            raise UsageError(f"{spelt(option, text)}: write METRIC=VALUE, for example {example}")
        found.append((metric, value))
    return found


def read_floors(asked: Asked | None, check: Callable[[str, str], object]) -> tuple[Floor, ...]:
    """The floors that are asked for; `check` takes a metric and the option, and raises for one without a floor."""
    floors = []
    for metric, value in pairs(asked, OF_FLOORS, "ndcg@10=0.42"):
        check(metric, OF_FLOORS)
        try:
            least = float(value)
        except ValueError:
            least = float("nan")
        if not isfinite(least):
            raise UsageError(f"{spelt(OF_FLOORS, f'{metric}={value}')}: {value!r} is not a number")
        floors.append(Floor(metric, least))
    return tuple(floors)


def against_floors(result: MetricResult, floors: Sequence[Floor], segments: bool) -> list[Outcome]:
    """The value of every system against the least that each metric must reach; no value is a failure."""
    found = held_rows(result.to_dicts(), result.by, segments) if floors else []
    outcomes = []
    for floor in floors:
        text = result.text_of(floor.metric)
        for row in [row for row in found if row["metric"] == text]:
            what = f"{floor.metric} of {where(row, result.by)}"
            shown = "has no value" if row["value"] is None else f"is {digits_apart(row['value'], floor.least)}"
            failed = row["value"] is None or not row["value"] >= floor.least
            failure = f"{what} {shown}, below {floor.least:g}" if failed else None
            outcomes.append(Outcome(f"{what} is at least {floor.least:g}", failure))
    return outcomes


def held_rows(rows: Sequence[Mapping[str, Any]], by: Sequence[str], segments: bool) -> list[Mapping[str, Any]]:
    """The rows that are held to gates: those of the total, and with `segments` all."""
    return [row for row in rows if segments or not by or row["is_total"]]


def where(row: Mapping[str, Any], by: Sequence[str]) -> str:
    """The system of a row, and its segment if it is of one."""
    if not by or row["is_total"]:
        return str(row["system"])
    return f"{row['system']} in {', '.join(f'{name}={row[name]}' for name in by)}"


def digits_apart(value: float, bound: float) -> str:
    """A value with four digits, or as many as distinguish it from the bound that it is compared with."""
    texts = (f"{value:.{digits}g}" for digits in range(4, 13))
    return next((text for text in texts if float(text) != bound), f"{value:.12g}")
