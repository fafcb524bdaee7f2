"""The trend of a series: its slope and p value, with and without days that are related."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.trend import Trend, trend


def found(values: object) -> Trend:
    """The trend of values that have one."""
    line = trend(np.asarray(values).tolist())
    assert line is not None
    return line


def test_a_trend_of_unrelated_values_is_that_of_scipy() -> None:
    zigzag = [0.1 * (place % 2) + 0.01 * place + 0.03 * (place % 5 == 2) for place in range(28)]
    line, peer = found(zigzag), stats.linregress(range(28), zigzag)
    assert line.change == pytest.approx(27 * peer.slope, rel=1e-12)
    assert line.p_value == pytest.approx(peer.pvalue, rel=1e-6)


def test_a_worked_trend_of_related_values() -> None:
    values = np.arange(20) / 10 + np.repeat([0.3, -0.3, 0.1, -0.2, 0.1, 0.4, -0.5, 0.2, -0.3, 0.2], 2)
    line, peer = found(values), stats.linregress(range(20), values)
    residuals = values - peer.intercept - peer.slope * np.arange(20)
    related = (20 * float((residuals[1:] * residuals[:-1]).sum() / (residuals**2).sum()) + 2) / 16
    effective = 20 * (1 - related) / (1 + related)
    stderr = peer.stderr * np.sqrt(18 / (effective - 2))
    assert line.p_value == pytest.approx(2 * stats.t.sf(peer.slope / stderr, effective - 2), rel=1e-6)
    assert line.p_value > 2 * peer.pvalue


def test_what_is_too_short_or_does_not_vary_has_none() -> None:
    assert trend([1.0, 2.0, 3.0]) is None
    assert trend([0.1 + 0.2] * 28) is None
    assert found(np.sin(np.arange(28) / 9)).p_value is None  # too related to tell


def test_few_series_without_a_trend_have_one_and_most_falls_are_found() -> None:
    random = np.random.default_rng(12)
    shocks = random.standard_normal((400, 28))
    for day in range(1, 28):
        shocks[:, day] = 0.5 * shocks[:, day - 1] + np.sqrt(0.75) * shocks[:, day]

    def share(values: object) -> float:
        lines = [found(each).p_value for each in np.asarray(values)]
        return float(np.mean([p_value is not None and p_value < 0.05 for p_value in lines]))

    assert share(shocks) < 0.12
    assert share(random.standard_normal((400, 28)) - 3 * np.arange(28) / 27) > 0.9
