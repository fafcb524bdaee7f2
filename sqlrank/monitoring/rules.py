"""The rules of control charts: what their statements read, and how often each alarms when nothing has changed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlrank.errors import UsageError, counted
from sqlrank.monitoring.false_alarms import simulated
from sqlrank.spelling import spelt
from sqlrank.statement.templates import comment
from sqlrank.statistics.student import quantile

RATES = (0.25, 0.5, 1.0, 2.0)
"""The changes, in standard deviations, that the e-process is made for, each with the same weight."""
DAYS_PER_ALARM = 1000
"""The limit of the e-process for one chart: the mean number of days to a false alarm, where the baseline is known."""
BEYOND = 0.1
"""The chance that the mean of any chart is beyond the end of its interval, against which the e-process is held."""
SMOOTHING = 0.2
"""The weight of the last day in an exponentially weighted mean."""
OLDEST = 200
"""After how many days a value weighs nothing there: less than the last digit of the mean."""
SIGMAS = 3.0
SIMULATED_ALPHA = 0.05
"""The alpha of the confidence sequences whose false alarms were simulated."""
SLACK = 0.5
"""What a CUSUM takes off of each distance."""
LARGEST_SUM = 5.0
"""The limit of a CUSUM."""
SOONEST = 14
"""The day on which the confidence sequence is narrowest."""
FEWEST_WEEKDAYS = 4
"""How many of each weekday a baseline has where weekdays are looked at."""
WEEKLY = 2.3263478740408408
"""The standard normal deviate of F beyond which weekdays differ: they do so by chance once in a hundred times."""
RELATED = 0.2
"""The correlation of a day with the one before from which on it is told."""
MORE_RELATED = 0.5
"""How many standard errors, of 1 / sqrt(days) each, a correlation is taken to be larger than it was found."""
MOST_RELATED = 0.97
"""The largest correlation that is allowed for: sigma is multiplied by 8."""
CUT = 3.5
"""The largest distance of one day in what is added up over days (the Shewhart chart is of single days)."""
ONE_DAY = 9.0
"""The distance beyond which one day alone alarms, of one chart: rare in a year, even where days have heavy tails."""
EVER = 12.0
"""The same with a confidence sequence, whose alpha holds for all days: rare in 2,000."""
FEWEST = 3
"""The queries that a day has at least for that: a metric near its end has both of two at the other one by chance."""
HEAVY = 5
"""The degrees of freedom of the tails it allows for: n charts have as many such days beyond the n^(1/5)-fold."""

WEEKS = "week=date_trunc('week', DAY)"
NAMES = {
    "e": "Shiryaev-Roberts e-process",
    "cs": "confidence sequence of the mean since the baseline",
    "shewhart": "Shewhart chart",
    "ewma": "exponentially weighted mean (EWMA)",
    "cusum": "cumulative sum (CUSUM)",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and which way a metric must not go."""

    method: str = "e"
    direction: str = "down"
    alpha: float = 0.05
    """The chance that a confidence sequence ever leaves out the true mean."""

    @property
    def sides(self) -> list[tuple[str, int]]:
        """What is watched for, with the sign of a change that way."""
        known = {"down": -1, "up": 1}
        return list(known.items()) if self.direction == "both" else [(self.direction, known[self.direction])]

    def limit(self, charts: int) -> float:
        """What a statistic, or its distance in standard deviations, is held against."""
        limits = {"e": float(DAYS_PER_ALARM * charts), "cusum": LARGEST_SUM}
        return limits.get(self.method, SIGMAS)

    def one_day(self, charts: int) -> float | None:
        """The distance of a single day beyond which a chart of so many alarms; None where days are single anyway."""
        most = {"shewhart": None, "cs": EVER}.get(self.method, ONE_DAY)
        return None if most is None else float(most * charts ** (1 / HEAVY))

    def context(self, charts: int) -> dict[str, Any]:
        """What the statement of this many charts reads."""
        level = self.alpha / charts / 2
        rho = (-2 * math.log(level) + math.log(1 - 2 * math.log(level))) / SOONEST
        rule = {
            "method": self.method,
            "title": comment(NAMES[self.method]),
            "limit": self.limit(charts),
            "rates": RATES,
            "reference": quantile(1 - level if self.method == "cs" else 1 - 2 * BEYOND / charts),
            "slack": SLACK,
            "rate": SMOOTHING,
            "log_kept": math.log(1 - SMOOTHING),
            "oldest": OLDEST,
            "squared_rho": rho,
            "level": level,
            "fewest_weekdays": FEWEST_WEEKDAYS,
            "weekly": WEEKLY,
            "more_related": MORE_RELATED,
            "most_related": MOST_RELATED,
            "cut": CUT,
            "one_day": self.one_day(charts),
            "fewest": FEWEST,
        }
        return {"rule": rule, "sides": self.sides}

    def in_words(self, charts: int, days: int, correlation: float, watched: int) -> Iterator[str]:
        """Yield the lines that say what the rule is, and how often it alarms when nothing has changed.

        Args:
            charts: how many charts share the limit.
            days: how many days the shortest baseline has.
            correlation: that of a day with the one before, the largest of all baselines.
            watched: how many days after the baseline have been watched.
        """
        most = self.one_day(charts)
        alone = "" if most is None else f"; one day alone alarms beyond {most:.1f} sigma"
        yield f"{NAMES[self.method]}: {self.alarm_in_words(charts)}{alone}"
        if self.method == "cs":
            these = "this chart" if charts == 1 else f"these {charts:,} charts together"
            yield (
                f"alpha {100 * self.alpha:g} % for {these}, however long one watches, if days vary and are"
                " correlated as those of the baseline"
            )
            if self.alpha != SIMULATED_ALPHA:
                return
        found = simulated(self.method, days, correlation, charts, watched)
        unknown = f"the rate is unknown for days with a correlation of {correlation:.2f}; chart weeks instead, with"
        weeks = f" {spelt('day', WEEKS)}"
        yield f"false alarms: {found or unknown + weeks}"

    def alarm_in_words(self, charts: int) -> str:
        """When there is an alarm."""
        match self.method:
            case "e":
                together = "" if charts == 1 else ", which holds for all charts together"
                each = "" if charts == 1 else f" ({DAYS_PER_ALARM:,} for each of {counted(charts, 'chart')})"
                return (
                    f"an alarm where the evidence reaches {self.limit(charts):,.0f}{each}, against the near end of the"
                    f" one-sided {100 - 100 * BEYOND:g} % interval of the baseline's mean{together}"
                )
            case "cs":
                return f"an alarm where it leaves out the baseline's mean and its interval, alpha {self.alpha:g}"
            case "shewhart":
                return "an alarm where one day is 3 sigma (of the moving range) from the baseline's mean"
            case "ewma":
                return "an alarm where it (lambda 0.2) is 3 of its own sigma from the baseline's mean"
        return "an alarm where the distances, less half a sigma each, add up to 5 sigma"


def parse_baseline(text: str | None) -> tuple[str, str] | None:
    """The first and the last day of `A..B`; UsageError for what is none."""
    from sqlrank.options.values import day

    if text is None:
        return None
    first, dots, last = (part.strip() for part in text.partition(".."))
    try:
        begins, ends = day(first), day(last)
    except ValueError:
        dots = ""
    if not dots:
        raise UsageError(f"{spelt('baseline_days', text)}: write two days such as 2026-01-01..2026-01-28")
    if ends < begins:
        raise UsageError(f"{spelt('baseline_days', text)}: it ends before it begins")
    return begins.isoformat(), ends.isoformat()
