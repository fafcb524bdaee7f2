"""How often families of charts alarm when nothing changes, by what their baseline is: simulated rates."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("false_alarms.csv")
"""What `python -m tests.monitoring.simulation rates` wrote: of a hundred families, those with an alarm of any chart."""
DAYS, CORRELATIONS, CHARTS = (14, 28, 56), (0.0, 0.2, 0.4, 0.6, 0.8, 0.9), (1, 3, 10, 30)
"""The baselines that were simulated: their days, the correlation of a day with the one before, and how many charts."""
SPANS = (335, 1000)
"""Within how many days after the baseline."""
COLUMNS = ["method", "days", "correlation", "charts", *(f"within_{span}" for span in SPANS)]
BEYOND = 0.95
"""The correlation beyond which nothing was simulated."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """How many of a hundred families of charts had a false alarm, and what they were."""

    rate: float
    days: int
    correlation: float
    charts: int
    span: int

    def __str__(self) -> str:
        """In words."""
        rate = f"{self.rate:.0f}" if self.rate >= 1 else "fewer than 1"
        what = "single charts" if self.charts == 1 else f"families of {self.charts} charts"
        return (
            f"{rate} of 100 {what} had one in the {self.span:,} days after a baseline like this one ({self.days} days,"
            f" correlation {self.correlation:g}), in our simulation"
        )


def simulated(method: str, days: int, correlation: float, charts: int, watched: int) -> Simulated | None:
    """The rate of the baseline that is nearest to one; None where days are more related than any that was simulated.

    Args:
        method: the rule.
        days: how many days the baseline has: the rate is that of one that has no more.
        correlation: that of its days with the one before: the rate is that of the nearest.
        charts: how many charts share the limit: the rate is the larger one of the two nearest families.
        watched: how many days have been watched: the rate is that of a year, or of a longer span.
    """
    if correlation > BEYOND:
        return None
    near = max((each for each in DAYS if each <= days), default=DAYS[0])
    related = min(CORRELATIONS, key=lambda each: abs(each - correlation))
    families = {max(each for each in CHARTS if each <= charts), next((n for n in CHARTS if n >= charts), CHARTS[-1])}
    span = next((each for each in SPANS if each >= watched), SPANS[-1])
    rate, family = max((table()[method, near, related, each][span], each) for each in families)
    return Simulated(rate, near, related, family, span)


def read() -> list[list[str]]:
    """The rows of the file."""
    if not FILE.exists():
        return []
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


@cache
def table() -> dict[tuple[str, int, float, int], dict[int, float]]:
    """The rates by span, of each rule and baseline."""
    return {
        (method, int(days), float(correlation), int(charts)): dict(zip(SPANS, map(float, rates), strict=True))
        for method, days, correlation, charts, *rates in read()
    }
