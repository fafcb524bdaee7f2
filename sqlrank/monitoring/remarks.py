"""What is said of charts: what their baselines showed, what is missing, and what alarmed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.errors import counted, first_of
from sqlrank.monitoring.rules import FEWEST_WEEKDAYS, RELATED
from sqlrank.monitoring.watching import BASELINE_DAYS, FEWEST_DAYS
from sqlrank.spelling import spelt
from sqlrank.statistics.trend import trend

Chart = Mapping[str, Any]
TRENDING = 0.05
"""The p value below which a baseline has a trend, for all charts together."""
SHOWN = 3
"""How many days are named."""


@dataclass(frozen=True, slots=True)
class Names:
    """What charts are called."""

    by: Sequence[str]
    """The segments."""
    systems: bool = False
    """Whether there are several systems."""
    directions: bool = False
    """Whether both directions are watched."""

    def __call__(self, chart: Chart) -> str:
        """What a chart is called: by its metric, and what tells it from the others."""
        system = f" of {chart['system']}" if self.systems else ""
        segment = self.segment(chart)
        direction = f" ({chart['direction']})" if self.directions and "direction" in chart else ""
        return f"{chart['metric']}{system}{f' in {segment}' if segment else ''}{direction}"

    def segment(self, chart: Chart) -> str:
        """The segment of a chart; nothing for a total."""
        if not self.by or chart.get("is_total", not chart.get("of_segment", 1)):
            return ""
        return ", ".join(f"{name}={'(null)' if chart[name] is None else chart[name]}" for name in self.by)


Named = Callable[[Chart], str]


def left_out(short: Sequence[Chart], name: Named, baseline: tuple[str, str] | None, others: bool = False) -> str:
    """That baselines are too short, and what to do."""
    longest = max(short, key=lambda row: row["days"])
    where = f" from {baseline[0]} to {baseline[1]}" if baseline else ""
    called = name(longest)
    if others:
        return (
            f"{counted(len(short), 'chart')} left out, with fewer than {FEWEST_DAYS} days for a baseline, such as"
            f" {called} with {longest['days']}"
        )
    if baseline:
        way = f"name a longer one ({called} has days from {longest['first_day']} to {longest['last_day']})"
    else:
        way = (
            f"wait until there are more (and {BASELINE_DAYS} are better), or name other days with"
            f" {spelt('baseline_days', 'A..B')}"
        )
    days = counted(longest["days"], "day")
    return f"{called} has {days}{where}, and a baseline needs {FEWEST_DAYS} or more: {way}"


def missing_days(rows: Sequence[Mapping[str, Any]], charts: int) -> Iterator[str]:
    """Yield a note on days without a value: those of every chart, and those of some."""
    every = [str(row["day"]) for row in rows if row["charts"] >= charts]
    some = [str(row["day"]) for row in rows if row["charts"] < charts]
    step = "a chart goes on with the next day that there is"
    if every:
        yield f"{counted(len(every), 'day')} without queries: {first_of(every, SHOWN)}; {step}"
    if some:
        yield f"{counted(len(some), 'day')} without a value on some charts: {first_of(some, SHOWN)}; {step}"


def unwatched(charts: Sequence[Chart], name: Named) -> Iterator[str]:
    """Yield notes on charts that cannot alarm: all of their days are the baseline, or it does not vary."""
    young = [chart for chart in charts if not chart["watched"]]
    if young:
        number = young[0]["baseline_days"]
        yield (
            f"all {number} days of {named(young, name)} are the baseline: nothing is watched yet;"
            f" {spelt('baseline_days', 'A..B')} names fewer"
        )
    flat = [chart for chart in charts if chart["baseline_deviation"] is None]
    if flat:
        yield f"the baseline of {named(flat, name)} does not vary: a change has no scale, and there is no alarm"


def trending(baselines: Sequence[Chart], name: Named) -> Iterator[str]:
    """Yield a note on baselines that rise or fall, of which some would by chance in 5 of 100 calls."""
    found = [(chart, trend(chart["days"])) for chart in baselines]
    steep = [
        (line.p_value, line.change, chart)
        for chart, line in found
        if line is not None and line.p_value is not None and line.p_value < TRENDING / len(found)
    ]
    if steep:
        p_value, change, chart = min(steep, key=lambda each: each[0])
        way = f"{'falls' if change < 0 else 'rises'} by {abs(change):.3g}"
        rest = f", and {counted(len(steep) - 1, 'other')} also have a trend" if len(steep) > 1 else ""
        yield (
            f"the baseline of {name(chart)} {way} from its first day to its last (p {p_value:.2g}){rest}: later days"
            " are compared with its mean, so that they may alarm without a further change, or a change may be missed;"
            f" name days without a trend with {spelt('baseline_days', 'A..B')}"
        )


def ended(charts: Sequence[Chart], name: Named) -> Iterator[str]:
    """Yield a note on charts that end before the last day of all."""
    last = max(chart["day"] for chart in charts)
    early = [chart for chart in charts if chart["day"] < last]
    if early:
        yield f"{named(early, name)} ended on {early[0]['day']}, and has no value since"


def past_alarms(charts: Sequence[Chart], name: Named) -> Iterator[str]:
    """Yield a note for each chart that alarmed before, and not on its last day."""
    for chart in charts:
        if chart["alarms"] and not chart["alarm"]:
            first, last = chart["first_alarm"], chart["last_alarm"]
            span = f"on {first}" if first == last else f"on {counted(chart['alarms'], 'day')}, {first} to {last}"
            yield f"{name(chart)} was in alarm {span}, but is not now"


def named(charts: Sequence[Chart], name: Named) -> str:
    """The first of some charts, and how many there are besides."""
    rest = f" and {counted(len(charts) - 1, 'other chart')}" if len(charts) > 1 else ""
    return name(charts[0]) + rest


def adaptations(charts: Sequence[Chart], name: Named) -> Iterator[str]:
    """Yield what was found in the baselines, and what follows."""
    one_side = [chart for chart in charts if chart["direction"] == charts[0]["direction"]]
    weekly = [chart for chart in one_side if chart["weekly"]]
    if weekly:
        yield f"weekdays differ in the baseline of {named(weekly, name)} (F, p < 0.01): their means are taken off"
    rare = [chart for chart in one_side if chart["fewest_weekdays"] < FEWEST_WEEKDAYS]
    if rare:
        yield (
            f"the baseline of {named(rare, name)} has fewer than {FEWEST_WEEKDAYS} of a weekday, so weekdays were"
            " not looked at"
        )
    related = [chart for chart in one_side if (chart["correlation"] or 0) > RELATED]
    if related:
        most = max(related, key=lambda chart: float(chart["correlation"]))
        yield (
            f"days are related to the one before in the baseline of {named([most, *related[1:]], name)} (r"
            f" {most['correlation']:.2f}, corrected for its bias): sigma is multiplied by {most['inflation']:.2f}"
            + (" there" if len(related) > 1 else "")
        )
