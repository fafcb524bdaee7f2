"""The rates of false alarms that are printed: those that were simulated, of the baseline that is nearest."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sqlrank.choices import CHART_METHODS
from sqlrank.monitoring.false_alarms import CHARTS, CORRELATIONS, DAYS, SPANS, simulated, table
from sqlrank.monitoring.rules import Rule
from tests.monitoring.simulation import World, alarms_of
from tests.support.tables import hold


def test_every_baseline_has_a_rate_that_grows_with_the_span() -> None:
    assert set(table()) == set(product(CHART_METHODS, DAYS, CORRELATIONS, CHARTS))
    for rates in table().values():
        assert 0 <= rates[SPANS[0]] <= rates[SPANS[1]] <= 100


def test_the_rates_are_those_of_the_rules() -> None:
    """A few cells again, from other draws than those of the file."""

    def check(cell: tuple[str, int, float, int]) -> None:
        method, days, related, charts = cell
        worlds = [World("", related, days=days, together=each) for each in (0.0, 0.8)[: 1 + (charts > 1)]]
        draws = [alarms_of(world, method, 335, charts=charts, number=300, seed=5) > 0 for world in worlds]
        found, said = max(float(each.mean()) for each in draws), table()[cell][335] / 100
        assert abs(found - said) < 4.5 * np.sqrt(max(said * (1 - said), 0.01) / 300), (found, said)

    cells = [("e", 28, 0.0, 1), ("e", 14, 0.8, 1), ("e", 28, 0.4, 3), ("cs", 28, 0.9, 1), ("cusum", 28, 0.4, 3)]
    hold([*cells, ("ewma", 56, 0.0, 1), ("shewhart", 28, 0.0, 3)], check)


def test_the_nearest_baseline_gives_the_rate() -> None:
    one = simulated("e", 40, 0.33, 5, 20)
    assert one is not None
    assert (one.days, one.correlation, one.span) == (28, 0.4, 335)
    assert one.rate == max(table()["e", 28, 0.4, charts][335] for charts in (3, 10))
    far = simulated("cusum", 400, -0.5, 1000, 5000)
    assert far is not None
    assert (far.days, far.correlation, far.charts, far.span) == (56, 0.0, 30, 1000)
    assert simulated("e", 28, 0.96, 1, 20) is None


def test_a_rate_is_told_in_words_and_one_that_is_not_known_is_withheld() -> None:
    *_, said = Rule("e").in_words(1, 28, 0.0, 100)
    assert said.startswith("false alarms: ")
    assert said.endswith("the 335 days after a baseline like this one (28 days, correlation 0), in our simulation")
    *_, unknown = Rule("e").in_words(1, 28, 0.96, 100)
    assert "the rate is unknown for days with a correlation of 0.96; chart weeks instead" in unknown


@pytest.mark.parametrize("method", ["e", "cs"])
def test_no_baseline_of_four_weeks_exceeds_what_the_pages_say(method: str) -> None:
    rates = [rates[335] for (name, days, _, _), rates in table().items() if name == method and days == 28]
    assert max(rates) <= {"e": 15, "cs": 5}[method]
