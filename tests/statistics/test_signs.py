"""Signs: by hand, against scipy and statsmodels, and by all that may be drawn, each with its probability."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.signs import Signs, of_clusters, of_shares, too_few

ROOT = Path(__file__).parents[2]


def signs(wins: int, ties: int, losses: int) -> Signs:
    """So many units that each stand for themselves."""
    number = wins + ties + losses
    return Signs(wins / number, losses / number, number, number - 1, (wins, losses))


def test_forty_units_are_counted_by_hand() -> None:
    # 24, 6 and 10, and one won and one lost: (25 - 11) / 42, and the spread sqrt((36 / 42 - (14 / 42)^2) / 42).
    spread = math.sqrt((36 / 42 - 1 / 9) / 42)
    ends = 1 / 3 + stats.t.ppf([0.025, 0.975], 39) * spread
    for test, p_value in (
        ("t", 2 * stats.t.sf(1 / 3 / spread, 39)),
        ("sign", stats.binomtest(24, 34).pvalue),
        ("randomization", stats.binomtest(24, 34).pvalue),
    ):
        assert signs(24, 6, 10).finding(test, 0.05) == pytest.approx((*ends, p_value), rel=1e-9)


def test_eight_units_that_agree_decide_by_every_test() -> None:
    for test in ("t", "sign", "randomization"):
        low, high, p_value = signs(8, 0, 0).finding(test, 0.05)
        assert low > 0
        assert high == 1
        assert p_value < 0.05
    assert signs(8, 0, 0).finding("sign", 0.05).p_value == 2 / 2**8


def test_the_standard_error_is_that_of_statsmodels_for_the_units_and_two_more() -> None:
    from statsmodels.stats.weightstats import DescrStatsW

    values = [1] * 25 + [0] * 6 + [-1] * 11
    estimate = of_shares(24 / 40, 10 / 40, 40)
    assert estimate.value == pytest.approx(np.mean(values), rel=1e-15)
    assert estimate.stderr == pytest.approx(DescrStatsW(values, ddof=0).std / math.sqrt(42), rel=1e-14)


def test_an_interval_leaves_zero_out_exactly_where_p_is_at_most_alpha() -> None:
    for wins, losses, ties in product(range(13), range(13), (0, 2, 30)):
        if wins + losses + ties < 2:
            continue
        for test, alpha in product(("t", "sign", "randomization"), (0.01, 0.05, 0.2)):
            low, high, p_value = signs(wins, ties, losses).finding(test, alpha)
            assert (low > 0 or high < 0) is (p_value <= alpha), (wins, ties, losses, test)
            assert -1 <= low <= (wins - losses) / (wins + losses + ties) <= high <= 1


def rates(number: int, ties: float, normal: bool = False) -> tuple[float, float]:
    """How often nothing is called a difference, and how often intervals cover 0 and a difference of .3, the fewer.

    Every split that may be drawn counts with its probability: nothing is simulated. With `normal` the quantile is that
    of the normal distribution, and the test not exact.
    """
    splits = [
        (wins, number - wins - losses, losses) for wins in range(number + 1) for losses in range(number + 1 - wins)
    ]
    made = [Signs(w / number, b / number, number, math.inf) if normal else signs(w, s, b) for w, s, b in splits]
    found = np.array([each.finding("randomization", 0.05) for each in made])
    truths = 0.0, min(0.3, (1 - ties) / 2)
    chances = [
        stats.multinomial.pmf(splits, number, ((1 - ties + truth) / 2, ties, (1 - ties - truth) / 2))
        for truth in truths
    ]
    covered = [
        each[(found[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= found[:, 1])].sum()
        for truth, each in zip(truths, chances, strict=True)
    ]
    return float(chances[0][found[:, 2] <= 0.05].sum()), float(min(covered))


def test_no_more_than_alpha_err_and_few_intervals_miss_as_the_pages_say() -> None:
    found = [rates(number, ties) for number, ties in product(range(5, 61), (0.0, 0.2, 0.5, 0.9))]
    errors, covered = max(error for error, _ in found), min(each for _, each in found)
    normal, fewest = rates(7, 0.0, normal=True)

    stated = {
        "en": ("at most {:.1f} % of decisions\nerr", "the interval covers at least {:.1f} %"),
        "zh": ("误判最多 {:.1f} %", "区间至少覆盖 {:.1f} %"),
    }
    pages = {"en": ROOT / "docs/explanation/verdicts.md", "zh": ROOT / "docs/zh/explanation/verdicts.md"}
    for language, path in pages.items():
        text = path.read_text()
        assert all(
            each.format(100 * rate) in text for each, rate in zip(stated[language], (errors, covered), strict=True)
        )
        assert f"{100 * normal:.1f} %" in text or f"{100 * normal:.1f} and" in text
        assert f"{100 * fewest:.1f}" in text


def test_units_that_stand_for_themselves_are_as_many_as_they_are() -> None:
    # 5 won, 3 alike, 2 lost: the jackknife's variance of the mean is that of the units over 9.
    variance = (0.7 - 0.09) / 9
    found = of_clusters(0.5, 0.2, variance, 10, 10, 10)
    assert found.number == pytest.approx(10)
    assert (found.degrees, found.split) == (9, (5, 2))


@pytest.mark.parametrize(
    ("variance", "number"), [(0.61 / 29, 30), (0.61 / 29 * 1.5, 20), (0.61 / 29 * 10, 10), (0.0, 30)]
)
def test_units_of_clusters_count_as_many_as_spread_alike(variance: float, number: float) -> None:
    found = of_clusters(0.5, 0.2, variance, 30, 10, 10)
    assert found.number == pytest.approx(number)
    assert (found.degrees, found.split) == (9, None)


def test_units_that_all_agree_count_as_their_clusters() -> None:
    assert of_clusters(1.0, 0.0, 0.0, 30, 10, 10).number == 10


def test_units_of_unlike_weights_have_no_exact_test() -> None:
    found = of_clusters(0.5, 0.2, 0.1, 8.5, 8.5, 10)
    assert (found.number, found.split, found.exact()) == (8.5, None, None)
    assert found.finding("randomization", 0.05) == found.finding("t", 0.05)
    assert found.finding("randomization", 0.05, drawn=0.9).p_value == 0.9


@pytest.mark.parametrize(
    ("count", "effective", "said"),
    [
        (1, 1.0, "one user tells nothing of others"),
        (9, 1.4, "one user has nearly all the weight"),
        (2, 2.0, None),
    ],
)
def test_what_is_too_few_is_said(count: int, effective: float, said: str | None) -> None:
    assert too_few(count, effective, "user") == said
