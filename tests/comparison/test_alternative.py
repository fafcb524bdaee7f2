"""One-sided tests: beside scipy's, and both sides of one."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.exact_tests import one_sided_split, share_as_far, wilcoxon
from tests.comparison.test_power import FIRST, SECOND
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import row

SEARCH = FIXTURES / "search"
REQUEST = ("compare", SEARCH / "keyword.parquet", SEARCH / "semantic.parquet", "--qrels", SEARCH / "qrels.parquet")
ALTERNATIVES = ("greater", "less")


def values(number: int, effect: float) -> tuple[list[float], list[float]]:
    """Values of two systems."""
    rng = np.random.default_rng(number)
    first = 8 + rng.normal(size=number)
    return first.tolist(), (first + effect + rng.normal(size=number)).tolist()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("sides", [(FIRST, SECOND), (SECOND, FIRST)])
def test_student_is_that_of_scipy(alternative: Any, sides: Any) -> None:
    found = row({"test": "t", "alternative": alternative}, a=sides[0], b=sides[1])
    wanted = stats.ttest_rel(sides[1], sides[0], alternative=alternative).pvalue
    assert found["p_value"] == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("wins", [0, 1, 4, 5, 6, 10, 300])
@pytest.mark.parametrize("losses", [0, 1, 4, 5, 6, 10, 280])
def test_the_sign_test_is_that_of_scipy(wins: int, losses: int) -> None:
    wanted = stats.binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1.0
    assert one_sided_split(wins, losses) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("number", [5, 30, 80])
def test_wilcoxon_is_that_of_scipy(alternative: Any, number: int) -> None:
    first, second = values(number, 0.2)
    differences = np.subtract(second, first)
    method = "exact" if number <= 50 else "approx"
    wanted = stats.wilcoxon(differences, alternative=alternative, method=method).pvalue
    side = 1 if alternative == "greater" else -1
    assert wilcoxon(differences.tolist(), side) == pytest.approx(wanted, rel=1e-9)


def test_all_signs_are_counted_on_one_side() -> None:
    differences = [5, -2, 4, 7, 0, 3]
    sums = [
        sum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=6)
    ]
    assert share_as_far(differences, 0, 1) == sum(value >= 17 for value in sums) / 64
    assert share_as_far(differences, 0, -1) == sum(value <= 17 for value in sums) / 64
    assert share_as_far([-value for value in differences], 0, -1) == share_as_far(differences, 0, 1)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
@pytest.mark.parametrize("effect", [0.25, -0.1])
def test_randomization_and_bootstrap_agree_with_student(test: str, effect: float) -> None:
    first, second = values(300, effect)
    both = {}
    for alternative in ALTERNATIVES:
        both[alternative] = row({"test": test, "alternative": alternative}, a=first, b=second)["p_value"]
        wanted = row({"test": "t", "alternative": alternative}, a=first, b=second)["p_value"]
        assert both[alternative] == pytest.approx(wanted, abs=0.015)
    assert sum(both.values()) == pytest.approx(1, abs=0.01)


def test_only_the_side_that_was_asked_for_is_significant() -> None:
    first, second = values(100, 0.8)
    assert row({"alternative": "greater"}, a=first, b=second)["significant"]
    assert not row({"alternative": "less"}, a=first, b=second)["significant"]
    assert row({"alternative": "less"}, a=second, b=first)["significant"]


def test_one_side_finds_what_both_find_with_twice_the_alpha() -> None:
    first, second = values(100, 0.8)
    one = row({"alternative": "greater"}, a=first, b=second)
    both = row({"alpha": 0.1}, a=first, b=second)
    assert one["detectable_difference"] == pytest.approx(both["detectable_difference"], rel=1e-12)


def test_the_output_says_which_side() -> None:
    out = run_cli(*REQUEST, "-m", "ndcg@10", "--alternative", "greater").out
    assert "p: Fisher's randomization test, one-sided: the candidate is better, 10000 replicates" in out


def test_what_is_no_alternative_is_refused() -> None:
    assert "--alternative better" in error_of(2, *REQUEST, "--alternative", "better")
    assert "not for --all-pairs" in error_of(2, *REQUEST, "--alternative", "less", "--all-pairs")
