"""The metrics of an experiment: each is one file of sql/experiments/metrics, an expression over an impression."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markupsafe import Markup

from sqlrank.behaviour.asked import Signal
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.metrics.catalogue import read_metric
from sqlrank.metrics.language import parts_of
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.sql_files import Entries, read_entry, sql_folder
from sqlrank.statement.templates import sql_text

FIRST = ("ctr", "success", "rr_click")
"""The metrics that are compared where none are named."""


@dataclass(frozen=True, slots=True)
class ArmMetric:
    """One file of sql/experiments/metrics: a value of each impression, of which a unit has the mean."""

    measure: Measure
    summed: bool
    """Whether a unit has the sum over its impressions."""

    @property
    def text(self) -> str:
        """Its name."""
        return self.measure.text

    @property
    def better(self) -> str:
        """What it does where an arm is better: `higher`, `lower` or `neither`."""
        return self.measure.metric.better

    @property
    def expression(self) -> Markup:
        """The value of an impression as SQL."""
        return sql_text(self.measure.metric.sql.strip())

    @property
    def clicked_only(self) -> bool:
        """Whether it has no value without a click."""
        return self.measure.metric.undefined is not None


@cache
def arm_metrics() -> Mapping[str, ArmMetric]:
    """The metrics by name, the common ones first."""
    names = sorted((sql_folder() / "experiments" / "metrics").glob("*.sql"))
    names.sort(key=lambda path: FIRST.index(path.stem) if path.stem in FIRST else len(FIRST))
    return Entries(names, read_arm_metric)


def read_arm_metric(path: Path) -> ArmMetric:
    """The metric in one file."""
    entry = read_entry(path)
    return ArmMetric(Measure(read_metric(path), (), None), bool(entry.get("summed")))


def metric_of(text: str) -> ArmMetric:
    """The metric of a name; UsageError if there is none."""
    name = text.strip().lower()
    if name not in arm_metrics():
        known = list(arm_metrics())
        raise UsageError(f"there is no metric {text!r} of a log{nearest(name, known)} (there are {', '.join(known)})")
    return arm_metrics()[name]


def named_metrics(texts: str | Iterable[str] | None) -> list[ArmMetric] | None:
    """The metrics of texts, each once; None where none are named."""
    if texts is None:
        return None
    found = list(dict.fromkeys(metric_of(part) for part in parts_of(texts)))
    if not found:
        raise UsageError(f"no metric was asked for; for example {FIRST[0]}")
    return found


def chosen_metrics(
    named: Sequence[ArmMetric] | None, gated: Sequence[ArmMetric], columns: Collection[str], signal: Signal, label: str
) -> list[ArmMetric]:
    """The metrics that are compared; DataError for one that the log cannot tell.

    Abandonment is among them where something else than a click is taken for one: else it is 1 - success.
    """
    usual = [*FIRST, *(["abandonment"] if signal.kind != "clicked" else [])]
    if lacking("time_to_click", columns) == []:
        usual.append("time_to_click")
    found = list(dict.fromkeys([*(map(metric_of, usual) if named is None else named), *gated]))
    for metric in found:
        if missing := lacking(metric.text, columns):
            ways = " and ".join(spelt("columns", {role: "NAME"}) for role in missing)
            raise DataError(
                f"{label} does not tell {metric.text}: it has no column of {' and '.join(missing)}; name it with"
                f" {ways}, or leave the metric out"
            )
    return found


def lacking(name: str, columns: Collection[str]) -> list[str]:
    """The roles that a metric reads and a log has not."""
    return [role for role in arm_metrics()[name].measure.metric.reads if role not in columns]
