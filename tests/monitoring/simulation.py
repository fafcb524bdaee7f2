"""Simulated control charts: how often they alarm when nothing changed, and how soon when something did.

`python -m tests.monitoring.simulation [TABLE...]` writes the tables of docs/explanation/monitoring.md, and with `rates
[METHOD...]` the rates that `monitor` prints. The rules are those of mirrored.py, which the statement is held against.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlrank.choices import CHART_METHODS
from sqlrank.monitoring import false_alarms as known
from sqlrank.monitoring.rules import Rule
from tests.monitoring.mirrored import Days, Numbers, alarms
from tests.pages.parts import write_parts

BASELINE, WATCHED, CHANGE, LATER = 28, 335, 30, 60
"""How many days the baseline has, and quiet series after it; after how many a change comes, and for how long."""
FAMILIES, AT_ONCE, SEED = 2000, 1000, 20260101
"""How many families of charts a cell has, how many charts are drawn at once, and what they are drawn from."""
WEEK = np.array([0.45, 0.3, 0.15, -0.3, -2.1, -0.3, 1.8])
"""A weekly pattern, in standard deviations of a day."""
QUERIES = 50
"""How many queries a day has, where days have queries."""


@dataclass(frozen=True, slots=True)
class World:
    """What days are like when nothing changes."""

    title: str
    related: float = 0.0
    """The correlation of a day with the one before."""
    weekly: bool = False
    days: int = BASELINE
    """How many days the baseline has."""
    tails: float = 0.0
    """The degrees of freedom of Student's distribution; 0 for the normal one."""
    hits: float = 0.0
    """The mean of a metric of 0 and 1, of 20 queries a day; 0 for another one."""
    between: float | None = None
    """The standard deviation of days besides that of the mean of their queries, which is 1; None for days alone."""
    spread: float = 1.0
    """By how much queries, or days alone, differ after the baseline, for 1 in it."""
    queries: int = QUERIES
    """How many queries a day has after the baseline."""
    together: float = 0.0
    """The correlation of the charts of a family."""
    falls: float = 0.0
    """By how many standard deviations the days of the baseline fall, and then stay."""

    def series(self, families: int, charts: int, watched: int, random: np.random.Generator) -> Days:
        """Families of charts whose days have a standard deviation of 1."""
        shape = (families, charts, self.days + watched)
        if self.hits:
            values = random.binomial(20, self.hits, shape) / 20
            return Days(values, np.full(shape, 20.0), values * (1 - values) / 19)
        values = self.days_alone(shape, random)
        after = np.arange(shape[-1]) >= self.days
        if self.between is None:
            return Days(values * np.where(after, self.spread, 1.0))
        queries = np.broadcast_to(np.where(after, self.queries, QUERIES).astype(float), shape)
        variances = np.where(after, self.spread, 1.0) ** 2 * QUERIES / queries
        found = self.between * values + np.sqrt(variances) * random.standard_normal(shape)
        drawn = variances * random.chisquare(queries - 1) / (queries - 1)
        return Days(found / np.hypot(self.between, 1), queries, drawn / (self.between**2 + 1))

    def days_alone(self, shape: tuple[int, int, int], random: np.random.Generator) -> Numbers:
        """The same without queries."""
        values = random.standard_normal(shape)
        if self.tails:
            values = random.standard_t(self.tails, shape) / np.sqrt(self.tails / (self.tails - 2))
        if self.together:
            shared = random.standard_normal((shape[0], 1, shape[2]))
            values = np.sqrt(1 - self.together) * values + np.sqrt(self.together) * shared
        for day in range(1, shape[-1]):
            values[..., day] = self.related * values[..., day - 1] + np.sqrt(1 - self.related**2) * values[..., day]
        fall = np.clip(1 - np.arange(shape[-1]) / self.days, 0, 1) * self.falls
        return values + fall + (WEEK[np.arange(shape[-1]) % 7] if self.weekly else 0.0)


INDEPENDENT, RELATED = World("independent days"), World("related days: AR(1) of 0.5", 0.5)
TAILS = World("heavy tails: t of 5 degrees of freedom", tails=5.0)
WORLDS = (
    INDEPENDENT,
    World("related days: AR(1) of 0.3", 0.3),
    RELATED,
    World("related days: AR(1) of 0.9", 0.9),
    World("a weekly pattern", weekly=True),
    World("both: AR(1) of 0.5 and a weekly pattern", 0.5, weekly=True),
    TAILS,
    World("0 or 1 with a mean of 0.98, 20 queries a day", hits=0.98),
    World("50 queries a day, then 12", between=0.0, queries=12),
    World("queries differ half as much again after the baseline", between=0.0, spread=1.5),
    World("the same, with days that vary as much besides", between=1.0, spread=1.5),
    World("days themselves differ half as much again", spread=1.5),
    World("independent days, a baseline of 14", days=14),
    World("independent days, a baseline of 56", days=56),
    World("a baseline that falls by 2 sd, and then stays", falls=2.0),
)
DROPS, OUTAGES = (1.0, 2.0, 3.0, 5.0, 11.0, 20.0), (5.0, 11.0, 20.0, 30.0)


def alarms_of(
    world: World,
    method: str,
    watched: int,
    drop: float = 0.0,
    charts: int = 1,
    number: int = FAMILIES,
    within: Sequence[int] = (),
    seed: int = SEED,
    lasting: int = LATER,
) -> NDArray[np.int64]:
    """The first day on which any chart of each family alarms, from 1; 0 for none. The first chart may fall for a while.

    With `within`, whether one does within so many days: families by spans.
    """
    random = np.random.default_rng(seed)
    found = []
    for _ in range(-(-number // max(1, AT_ONCE // charts))):
        days = world.series(min(number, max(1, AT_ONCE // charts)), charts, watched, random)
        days.values[:, 0, world.days + CHANGE : world.days + CHANGE + lasting] -= drop
        every = alarms(days, world.days, Rule(method), charts, world.weekly)
        any_chart = every[:, 0] if drop else every.any(1)
        found.append(np.where(any_chart.any(-1), any_chart.argmax(-1) + 1, 0))
    first = np.concatenate(found)[:number]
    return np.stack([(first > 0) & (first <= span) for span in within], -1) if within else first


def share(part: Any) -> str:
    """A share in percent with its standard error."""
    mean = float(part.mean())
    return f"{100 * mean:.1f} ± {100 * np.sqrt(mean * (1 - mean) / len(part)):.1f}"


def delay(first: NDArray[np.int64]) -> tuple[NDArray[np.int64], str]:
    """After how many days changes are found, and the median in words, of the series that were quiet before."""
    after = first[~((first > 0) & (first <= CHANGE))] - CHANGE
    median = float(np.median(np.where(after > 0, after, LATER + 1)))
    return after, f"{median:.0f}" if median <= LATER else f"over {LATER}"


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
            after, median = delay(alarms_of(world, method, CHANGE + LATER, drop))
            cells.append(f"{share((after > 0) & (after <= CHANGE))}; {median}")
        yield f"| {drop:g} sd | " + " | ".join(cells) + " |"


def outages() -> Iterator[str]:
    """Yield the table of drops of one day: how many alarm on it, of the series that were quiet before."""
    yield "| days | drop | " + " | ".join(CHART_METHODS) + " |"
    yield "| :-- | --: |" + " --: |" * len(CHART_METHODS)
    for world, charts in ((INDEPENDENT, 1), (World("related days: AR(1) of 0.3", 0.3), 1), (INDEPENDENT, 5)):
        for drop in OUTAGES:
            cells = []
            for method in CHART_METHODS:
                first = alarms_of(world, method, CHANGE + 1, drop, charts, FAMILIES, lasting=1)
                cells.append(share(first[(first == 0) | (first > CHANGE)] > 0))
            title = world.title if charts == 1 else f"{world.title}, one of {charts} charts"
            yield f"| {title} | {drop:g} sd | " + " | ".join(cells) + " |"


def families() -> Iterator[str]:
    """Yield the table of families of charts that share one rate: how many have a false alarm of any."""
    worlds = (INDEPENDENT, World("", together=0.8), World("", 0.3), RELATED)
    yield "| charts | independent | charts correlated by 0.8 | AR(1) of 0.3 | AR(1) of 0.5 | a drop of 2 sd of one |"
    yield "| --: | --: | --: | --: | --: | --: |"
    for charts in (1, 4, 10, 20):
        cells = [share(alarms_of(world, "e", WATCHED, charts=charts) > 0) for world in worlds]
        _, median = delay(alarms_of(INDEPENDENT, "e", CHANGE + LATER, 2.0, charts, 500))
        yield f"| {charts} | " + " | ".join(cells) + f" | {median} |"


def years() -> Iterator[str]:
    """Yield the table of false alarms of the confidence sequence in 2,000 days."""
    yield "| days | cs |"
    yield "| :-- | --: |"
    for world in (INDEPENDENT, RELATED, World("related days: AR(1) of 0.9", 0.9), TAILS):
        yield f"| {world.title} | {share(alarms_of(world, 'cs', 2000) > 0)} |"


def rates(methods: Sequence[str]) -> None:
    """Write the rates that are printed: the larger one of independent charts and of charts correlated by 0.8."""
    kept = [row for row in known.read() if row[0] not in methods]
    for method in methods:
        for days in known.DAYS:
            for related in known.CORRELATIONS:
                for charts in known.CHARTS:
                    number = FAMILIES if charts < 10 else FAMILIES // 2 if charts < 30 else FAMILIES // 5
                    worlds = [
                        World("", related, days=days, together=each) for each in ((0.0, 0.8) if charts > 1 else (0.0,))
                    ]
                    cells = [
                        alarms_of(
                            world, method, known.SPANS[-1], charts=charts, number=number, within=known.SPANS
                        ).mean(0)
                        for world in worlds
                    ]
                    found = [f"{100 * rate:.1f}" for rate in np.max(cells, axis=0)]
                    kept.append([method, f"{days}", f"{related:g}", f"{charts}", *found])
            print(method, days, flush=True)  # noqa: T201 it takes minutes
    with known.FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([known.COLUMNS, *kept])


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "false alarms": false_alarms,
    "delays": partial(delays, INDEPENDENT),
    "delays of related days": partial(delays, RELATED),
    "outages": outages,
    "families": families,
    "years": years,
}
"""What makes each table, by name."""


def main(names: Sequence[str]) -> None:
    """Write the tables of these names, or all; or the rates."""
    if names and names[0] == "rates":
        return rates(names[1:] or CHART_METHODS)
    for name in names or TABLES:
        write_parts({f"monitoring {name}": list(TABLES[name]())})
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
