"""One-sided tests: beside scipy's, and both sides of one."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sqlrank
from sqlrank.statistics.exact_tests import one_sided_split, share_as_far, wilcoxon
from tests.comparison.test_power import FIRST, SECOND
from tests.comparison.together import together
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import row
from tests.support.tables import each

SEARCH = FIXTURES / "search"
REQUEST = ("compare", SEARCH / "keyword.parquet", SEARCH / "semantic.parquet", "--qrels", SEARCH / "qrels.parquet")
ALTERNATIVES = ("greater", "less")


def values(number: int, effect: float) -> tuple[list[float], list[float]]:
    """Values of two systems."""
    rng = np.random.default_rng(number)
    first = 8 + rng.normal(size=number)
    return first.tolist(), (first + effect + rng.normal(size=number)).tolist()


def test_student_is_that_of_scipy() -> None:
    cases = [(FIRST, SECOND), (SECOND, FIRST)]
    for alternative in ALTERNATIVES:
        for (first, second), found in zip(cases, together(cases, test="t", alternative=alternative), strict=True):
            wanted = stats.ttest_rel(second, first, alternative=alternative).pvalue
            assert found["p_value"] == pytest.approx(wanted, rel=1e-10)


def test_an_end_of_the_interval_is_that_of_one_side() -> None:
    cases = [(FIRST, SECOND), (SECOND, FIRST)]
    for alternative, end in (("greater", "low"), ("less", "high")):
        for (first, second), found in zip(cases, together(cases, test="t", alternative=alternative), strict=True):
            wanted = stats.ttest_rel(second, first, alternative=alternative).confidence_interval(0.95)
            assert found[f"ci_{end}"] == pytest.approx(getattr(wanted, end), rel=1e-10)


@each([{"test": test} for test in ("randomization", "t", "bootstrap")] + [{"test": "t", "paired": False}])
def test_an_end_is_beyond_0_where_the_side_that_was_asked_for_is_significant(asked: dict[str, Any]) -> None:
    # effects around the least that 40 queries find
    cases = [values(40, effect) for effect in np.linspace(-0.6, 0.6, 25)]
    for alternative, sign in (("greater", 1), ("less", -1)):
        seen = set()
        for found in together(cases, alternative=alternative, correction="none", replicates=1000, **asked):
            near = found["ci_low"] if sign > 0 else -found["ci_high"]
            assert found["significant"] is (found["p_value"] <= 0.05) is (near >= 0)
            seen.add(found["significant"])
        assert seen == {True, False}


@each(["sign", "wilcoxon"])
def test_a_test_that_is_not_of_the_mean_finds_nothing_that_the_interval_does_not(test: str) -> None:
    # 24 small gains and 6 large losses: most queries gain, and the mean may fall
    gains = [0.1 + place / 1000 for place in range(24)] + [-0.4 - place / 100 for place in range(6)]
    found = row({"test": test}, a=[9.0] * 30, b=[9.0 + gain for gain in gains])
    assert found["ci_low"] < 0 < found["ci_high"]
    assert (found["p_value"] <= 0.05) is (test == "sign")
    assert found["significant"] is False


def test_the_sign_test_is_that_of_scipy() -> None:
    for wins, losses in product([0, 1, 4, 5, 6, 10, 300], [0, 1, 4, 5, 6, 10, 280]):
        wanted = stats.binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1.0
        assert one_sided_split(wins, losses) == pytest.approx(wanted, rel=1e-9), (wins, losses)


def test_wilcoxon_is_that_of_scipy() -> None:
    for number, (side, alternative) in product([5, 30, 80], zip((1, -1), ALTERNATIVES, strict=True)):
        first, second = values(number, 0.2)
        differences = np.subtract(second, first)
        method = "exact" if number <= 50 else "approx"
        wanted = stats.wilcoxon(differences, alternative=alternative, method=method).pvalue
        assert wilcoxon(differences.tolist(), side) == pytest.approx(wanted, rel=1e-9), (number, alternative)


def test_all_signs_are_counted_on_one_side() -> None:
    differences = [5, -2, 4, 7, 0, 3]
    sums = [
        sum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=6)
    ]
    assert share_as_far(differences, 0, 1) == sum(value >= 17 for value in sums) / 64
    assert share_as_far(differences, 0, -1) == sum(value <= 17 for value in sums) / 64
    assert share_as_far([-value for value in differences], 0, -1) == share_as_far(differences, 0, 1)


def test_randomization_and_bootstrap_agree_with_student() -> None:
    cases = [values(300, effect) for effect in (0.25, -0.1)]
    found = {
        (test, alternative): [row["p_value"] for row in together(cases, test=test, alternative=alternative)]
        for test, alternative in product(["t", "randomization", "bootstrap"], ALTERNATIVES)
    }
    for test in ("randomization", "bootstrap"):
        for alternative in ALTERNATIVES:
            assert found[test, alternative] == pytest.approx(found["t", alternative], abs=0.015)
        both = np.add(found[test, "greater"], found[test, "less"])
        assert both.tolist() == pytest.approx([1, 1], abs=0.01)


def test_only_the_side_that_was_asked_for_is_significant() -> None:
    first, second = values(100, 0.8)
    one, turned = together([(first, second), (second, first)], alternative="greater")
    assert (one["significant"], turned["significant"]) == (True, False)
    one, turned = together([(first, second), (second, first)], alternative="less")
    assert (one["significant"], turned["significant"]) == (False, True)


def test_one_side_finds_what_both_find_with_twice_the_alpha() -> None:
    out = run_cli(*REQUEST, "-m", "ndcg@10", "--alternative", "less", "--verbose").out
    assert "power 0.8 at p <= 0.05" in out
    assert "in square brackets its 90 % range" in out
    first, second = values(100, 0.8)
    one = row({"alternative": "greater"}, a=first, b=second)
    both = row({"alpha": 0.1}, a=first, b=second)
    assert one["detectable_difference"] == pytest.approx(both["detectable_difference"], rel=1e-12)


TESTS_OF_PAIRS = ("randomization", "t", "bootstrap", "wilcoxon", "sign")
ASKED = [
    *({"test": test} for test in TESTS_OF_PAIRS),
    {"correction": "max-t"},
    *({"test": test, "paired": False} for test in TESTS_OF_PAIRS[:3]),
]


@each(ASKED)
def test_greater_is_better_where_lower_values_are_better(asked: dict[str, Any]) -> None:
    places = {"a": [2, 3, 3, 2, 4, 3, 2, 3, 3, 2, 4, 2, 3, 2], "b": [1, 2, 1, 1, 3, 2, 1, 1, 3, 2, 2, 1, 2, 1]}
    runs = {
        system: {f"q{query}": {"found": 5.0 - place, **{f"d{other}": 4.5 - other for other in range(4)}}
                 for query, place in enumerate(column)}
        for system, column in places.items()
    }  # fmt: skip
    qrels = {query: {"found": 1} for query in runs["a"]}
    found = {}
    for word in ALTERNATIVES:
        with sqlrank.compare(systems=runs, qrels=qrels, metrics="arp,rr", alternative=word, **asked) as made:
            rows = {each["metric"]: each for each in made.to_dicts()}
            found[word] = [(rows[metric]["p_value"], rows[metric]["significant"]) for metric in ("arp", "rr")]
            remarks = "\n".join(made.remarks())
    assert all(p_value < 0.02 and significant for p_value, significant in found["greater"])
    assert all(p_value > 0.98 and not significant for p_value, significant in found["less"])
    assert "one-sided: the candidate is worse" in remarks


def test_the_output_says_which_side_and_no_other_word_is_taken() -> None:
    out = run_cli(*REQUEST, "-m", "ndcg@10", "--alternative", "greater").out
    assert "p: Fisher's randomization test, one-sided: the candidate is better, 10000 replicates" in out
    assert "--alternative better" in error_of(2, *REQUEST, "--alternative", "better")
    assert "not for --all-pairs" in error_of(2, *REQUEST, "--alternative", "less", "--all-pairs")
