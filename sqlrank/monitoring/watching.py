"""What is watched: which days are the baseline, and by which rule the others are held against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.columns import names_of
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import AS_THEY_ARE, Request, request_of
from sqlrank.inputs.reading import bare_name, check_output_names
from sqlrank.metrics.measure import Measure
from sqlrank.monitoring.columns import CHARTS, ROWS
from sqlrank.monitoring.rules import Rule, parse_baseline

BASELINE_DAYS = 28
"""How many days a baseline has, unless it is named."""
FEWEST_DAYS = 14
"""How many it has at least."""
TAKEN = {
    *names_of((*ROWS, *CHARTS)),
    *("of_segment", "weight", "query_id", "chart", "place", "weekday", "last_quiet", "number_of_queries", "variance"),
    *("weights", "squared_weights", "products", "total", "squares", "mean", "squared_error"),
}
"""Columns of the output and of the statements, which no segment may be called."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What one call asks for."""

    request: Request
    rule: Rule
    day: str | None
    """The column of the days, as it was named; None for that of a store."""
    baseline: tuple[str, str] | None = None
    """The first and the last day of the baseline; None for the first ones of each chart."""
    named: bool = False
    """Whether metrics were named."""
    bounds: bool = False
    """Whether upper bounds are asked for."""
    session_free: bool = True
    """Whether no option says what else the id of a query is made of."""

    @property
    def by(self) -> tuple[str, ...]:
        """The segments."""
        return tuple(bare_name(name) for name in self.request.reading.by if name != self.day)


def baseline_context(baseline: tuple[str, str] | None) -> dict[str, Any]:
    """Which days are the baseline, for a statement."""
    first, last = baseline or (None, None)
    return {"first": first, "last": last, "days": BASELINE_DAYS}


def watching(
    metrics: Any, day: str | None, rule: Rule, baseline: str | None, options: Mapping[str, Any], bounds: bool = False
) -> Watching:
    """What is asked for; UsageError where it cannot be carried out as written."""
    given = options.get("by") or ()
    by = (given,) if isinstance(given, str) else tuple(given)
    request = request_of(metrics, AS_THEY_ARE | dict(options) | {"by": by if day is None else (day, *by)})
    name, segments = (None, request.reading.by) if day is None else (request.reading.by[0], request.reading.by[1:])
    check_output_names(map(bare_name, segments), TAKEN)
    for measure in request.measures:
        if why := refusal(measure):
            raise UsageError(why)
    composed = any(
        role.rpartition(".")[2] == "query_id" and "," in text for role, text in request.reading.columns.items()
    )
    free = request.reading.session is None and not composed
    return Watching(request, rule, name, parse_baseline(baseline), metrics is not None, bounds, free)


def refusal(measure: Measure) -> str | None:
    """Why a metric has no chart; None where it has one."""
    if measure.metric.grain != "query":
        return f"{measure.text} is one value of a whole system: a day has none"
    if measure.summary not in ("mean", "sum"):
        return f"{measure.text} is not a mean over queries: there is no chart of it"
    if measure.weight_column is not None:
        instead = "choose a metric that does not" if measure.metric.weighs else "leave out its weight"
        return f"{measure.text} weighs queries by itself: there is no chart of it; {instead}"
    return None


def of_sessions(asked: Watching, day: str) -> Watching:
    """The same where a query is another one on each day."""
    reading = replace(asked.request.reading, session=day)
    return replace(asked, request=replace(asked.request, reading=reading))


def of_days_as_systems(asked: Watching, day: str) -> Watching:
    """The same where each day is a system of its own, which is held against the same judgments."""
    request, reading = asked.request, asked.request.reading
    columns = {**reading.columns, "system": day}
    by = tuple(name for name in reading.by if name != asked.day)
    conventions = request.conventions
    if "query_set" not in request.given:
        conventions = replace(conventions, query_set="shared")
    reading = replace(reading, columns=columns, by=by)
    return replace(asked, request=replace(request, reading=reading, conventions=conventions))
