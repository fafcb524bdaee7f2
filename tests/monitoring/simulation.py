"""Simulated control charts: how often they alarm when nothing changed, and how soon when something did.

`python -m tests.monitoring.simulation [TABLE...]` writes the tables of docs/explanation/monitoring.md. Every series is
a segment of one statement, which is that of the project.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from sqlrank.choices import CHART_METHODS
from sqlrank.dialects import DUCKDB
from sqlrank.monitoring.rules import Rule
from sqlrank.statement.templates import render, sql_text
from tests.pages.parts import write_parts

BASELINE, WATCHED, CHANGE, LATER = 28, 335, 30, 60
"""How many days the baseline has, and quiet series after it; after how many a change comes, and for how long."""
SERIES, IN_FAMILIES, AT_ONCE, SEED = 2000, 6000, 500, 20260101
FIRST = date(2026, 1, 5)
WEEK = np.array([0.45, 0.3, 0.15, -0.3, -2.1, -0.3, 1.8])
"""A weekly pattern, in standard deviations of a day."""
Series = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class World:
    """What days are like."""

    title: str
    related: float = 0.0
    """The correlation of a day with the one before."""
    weekly: bool = False
    days: int = BASELINE
    """How many days the baseline has."""

    def series(self, number: int, days: int, random: np.random.Generator) -> Series:
        """So many series of days with a standard deviation of 1."""
        shocks = random.standard_normal((number, days))
        values = shocks.copy()
        for day in range(1, days):
            values[:, day] = self.related * values[:, day - 1] + np.sqrt(1 - self.related**2) * shocks[:, day]
        return values + (WEEK[np.arange(days) % 7] if self.weekly else 0.0)


WORLDS = (
    World("independent days"),
    World("related days: AR(1) of 0.5", 0.5),
    World("related days: AR(1) of 0.3", 0.3),
    World("a weekly pattern", weekly=True),
    World("both: AR(1) of 0.5 and a weekly pattern", 0.5, weekly=True),
    World("independent days, a baseline of 14", days=14),
    World("independent days, a baseline of 56", days=56),
)
DROPS = (1.0, 2.0, 3.0)


def first_alarms(values: Series, method: str, days: int = BASELINE, charts: int = 1) -> NDArray[np.int64]:
    """The first day after the baseline on which each series alarms, from 1; 0 for none."""
    number, length = values.shape
    with duckdb.connect() as connection:
        columns = {
            "series": np.repeat(np.arange(number), length),
            "place": np.tile(np.arange(length), number),
            "value": (0.6 + 0.005 * values).ravel(),
        }
        connection.register("columns_of_series", columns)
        connection.execute(
            f"create table daily as select series, date '{FIRST}' + cast(place as integer) as day, value"
            " from columns_of_series"
        )
        context = {"first": None, "last": None, "days": days} | Rule(method).context(charts)
        chart = render(
            "monitoring/chart.sql",
            DUCKDB,
            daily=sql_text("daily"),
            daily_rows=None,
            keys=["series"],
            carried=[],
            errors=False,
            **context,
        )
        found = connection.execute(
            f"select series, min(date_diff('day', date '{FIRST}', day)) - {days - 1} from ({chart})"
            " where alarm group by series"
        ).fetchall()
    alarms = np.zeros(number, dtype=np.int64)
    for series, day in found:
        alarms[series] = day
    return alarms


def alarms_of(
    world: World, method: str, watched: int, drop: float = 0.0, charts: int = 1, number: int = SERIES
) -> NDArray[np.int64]:
    """The same of a number of series of a world, which fall by so much after `CHANGE` days."""
    random = np.random.default_rng(SEED)
    found = []
    for _ in range(number // AT_ONCE):
        values = world.series(AT_ONCE, world.days + watched, random)
        values[:, world.days + CHANGE :] -= drop
        found.append(first_alarms(values, method, world.days, charts))
    return np.concatenate(found)


def share(part: Any) -> str:
    """A share in percent with its standard error."""
    mean = float(part.mean())
    return f"{100 * mean:.1f} ± {100 * np.sqrt(mean * (1 - mean) / len(part)):.1f}"


def false_alarms() -> Iterator[str]:
    """Yield the table of false alarms."""
    yield "| days | " + " | ".join(CHART_METHODS) + " |"
    yield "| :-- |" + " --: |" * len(CHART_METHODS)
    for world in WORLDS:
        cells = [share(alarms_of(world, method, WATCHED) > 0) for method in CHART_METHODS]
        yield f"| {world.title} | " + " | ".join(cells) + " |"


def delays(world: World) -> Iterator[str]:
    """Yield the table of how many changes are found within 30 days, and after how many days half of them."""
    yield "| drop | " + " | ".join(CHART_METHODS) + " |"
    yield "| --: |" + " --: |" * len(CHART_METHODS)
    for drop in DROPS:
        cells = []
        for method in CHART_METHODS:
            alarms = alarms_of(world, method, CHANGE + LATER, drop)
            after = alarms[~((alarms > 0) & (alarms <= CHANGE))] - CHANGE
            median = float(np.median(np.where(after > 0, after, LATER + 1)))
            shown = f"{median:.0f}" if median <= LATER else f"over {LATER}"
            cells.append(f"{share((after > 0) & (after <= CHANGE))}; {shown}")
        yield f"| {drop:g} sd | " + " | ".join(cells) + " |"


def families() -> Iterator[str]:
    """Yield the table of families of charts that share one rate: how many have a false alarm of any."""
    yield "| charts | of 100 families, with a false alarm | a drop of 2 sd of one: days to half of the alarms |"
    yield "| --: | --: | --: |"
    for charts in (1, 2, 4, 10):
        quiet = alarms_of(WORLDS[0], "e", WATCHED, charts=charts, number=IN_FAMILIES) > 0
        alarms = alarms_of(WORLDS[0], "e", CHANGE + LATER, 2.0, charts)
        after = alarms[~((alarms > 0) & (alarms <= CHANGE))] - CHANGE
        median = float(np.median(np.where(after > 0, after, LATER + 1)))
        yield f"| {charts} | {share(quiet.reshape(-1, charts).any(axis=1))} | {median:.0f} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "false alarms": false_alarms,
    "delays": partial(delays, WORLDS[0]),
    "delays of related days": partial(delays, WORLDS[1]),
    "families": families,
}
"""What makes each table, by name."""


def main(names: Sequence[str]) -> None:
    """Write the tables of these names, or all."""
    for name in names or TABLES:
        write_parts({f"monitoring {name}": list(TABLES[name]())})


if __name__ == "__main__":
    main(sys.argv[1:])
