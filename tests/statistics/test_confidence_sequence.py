"""The confidence sequence of verdicts: its inequality, by hand, its error when one looks after every query."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import sqlrank
from sqlrank.statistics.confidence_sequence import DRAG, RATES, evidence, sequence_of
from sqlrank.statistics.moments import Moments
from tests.pages.stated import stated
from tests.support.cli_helper import run_cli
from tests.support.verdict_data import arrow

TRIALS, LOOKS = 2000, 200


def sums_of(differences: list[float], weights: list[float]) -> Moments:
    """The sums over queries with these differences and weights."""
    pairs = list(zip(differences, weights, strict=True))
    return Moments(
        len(pairs),
        sum(weights),
        sum(weight**2 for weight in weights),
        max(weights),
        sum(differences),
        sum(difference**2 for difference in differences),
        sum(difference * weight for difference, weight in pairs),
    )


def test_the_inequality_holds_from_minus_one_on() -> None:
    for rate, drag in zip(RATES, DRAG, strict=True):
        for residual in np.linspace(-1, 1, 2001):
            assert math.exp(rate * residual - drag * residual**2) <= 1 + rate * residual + 1e-12


def test_the_evidence_is_the_mean_of_the_products() -> None:
    # two queries of three verdicts: +3 and +1, against delta 0.25: residuals 2.25 and 0.25, at least -3.75
    shares = [2.25 / 3.75, 0.25 / 3.75]
    products = [
        math.prod(math.exp(sign * rate * share - drag * share**2) for share in shares)
        for rate, drag in zip(RATES, DRAG, strict=True)
        for sign in (1, -1)
    ]
    found = evidence(sums_of([3, 1], [3, 3]), 0.25)
    assert found == pytest.approx(math.log(sum(products) / len(products)), rel=1e-12)


@pytest.mark.parametrize("number", [1, 10, 100, 1000, 100_000])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 1.0])
def test_the_interval_leaves_out_what_speaks_against_it(number: int, share: float) -> None:
    sums = Moments(number, number, number, 1.0, share * number, max(share, 0.5) * number, share * number)
    low, high, p_value = sequence_of(sums, 0.05)
    assert -1 <= low <= share <= high <= 1
    assert (p_value <= 0.05) == (low > 0 or high < 0)
    for end, outwards in ((low, -1e-6), (high, 1e-6)):
        if abs(end) < 1:
            assert evidence(sums, end) <= -math.log(0.05) + 1e-6
            assert evidence(sums, end + outwards) >= -math.log(0.05) - 1e-6


def test_both_sides_are_alike() -> None:
    low, high, p_value = sequence_of(sums_of([2.0, 1, 0, 3, 1], [3.0] * 5), 0.05)
    turned = sequence_of(sums_of([-2.0, -1, 0, -3, -1], [3.0] * 5), 0.05)
    assert list(turned) == pytest.approx([-high, -low, p_value], rel=1e-9)


def verdicts(path: Path, good: int, same: int, bad: int) -> Path:
    """A file with so many verdicts, each of a query of its own."""
    words = ["good"] * good + ["same"] * same + ["bad"] * bad
    path.write_text("query_id,verdict\n" + "".join(f"q{place},{word}\n" for place, word in enumerate(words)))
    return path


def test_gsb_decides_by_it(tmp_path: Path) -> None:
    file = verdicts(tmp_path / "v.csv", 60, 20, 20)
    wanted = sequence_of(sums_of([1.0] * 60 + [0.0] * 20 + [-1.0] * 20, [1.0] * 100), 0.05)
    with sqlrank.gsb(file, sequential=True) as result:
        assert [result.total[name] for name in ("ci_low", "ci_high", "p_value")] == pytest.approx(wanted, rel=1e-9)
        assert result.decision == "better: ship"
        assert result.total["judgments_needed"] is None
    with sqlrank.gsb(file) as fixed:
        assert fixed.total["ci_low"] > result.total["ci_low"]


def test_several_verdicts_of_a_query_and_their_weights_count_together(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(
        "query_id,verdict,w\nq1,good,2\nq1,good,1\nq2,bad,1\nq2,same,4\nq3,good,3\n", encoding="utf-8"
    )
    wanted = sequence_of(sums_of([3, -1, 3], [3, 5, 3]), 0.05)
    with sqlrank.gsb(tmp_path / "v.csv", weight="w", sequential=True) as result:
        assert [result.total[name] for name in ("ci_low", "ci_high", "p_value")] == pytest.approx(wanted, rel=1e-9)


def test_the_output_says_whether_one_may_look(tmp_path: Path) -> None:
    file = verdicts(tmp_path / "v.csv", 6, 2, 2)
    assert "for a number of judgments fixed beforehand" in run_cli("gsb", file).out
    outcome = run_cli("gsb", file, "--sequential")
    assert "hold whenever one looks" in outcome.out
    assert "fixed beforehand" not in outcome.out
    (tmp_path / "raters.csv").write_text("query_id,rater,verdict\nq1,a,good\nq2,b,good\nq3,a,bad\n", encoding="utf-8")
    rated = run_cli("gsb", tmp_path / "raters.csv", "--sequential").out
    assert "no interval: --sequential takes each query for itself" in rated
    assert "hold whenever one looks" not in rated
    assert "only 2 raters" not in rated
    document = json.loads(run_cli("gsb", file, "--sequential", "--format", "json").out)
    assert document["conventions"]["interval"] == "confidence sequence"


def test_verdicts_of_several_raters_are_not_decided_while_they_come_in(tmp_path: Path) -> None:
    rows = [f"q{number},{'ab'[number % 2]},good" for number in range(200)]
    (tmp_path / "raters.csv").write_text("\n".join(["query_id,rater,verdict", *rows]), encoding="utf-8")
    with sqlrank.gsb(tmp_path / "raters.csv", sequential=True) as result:
        assert [result.total[name] for name in ("ci_low", "ci_high", "p_value")] == [None] * 3
        assert result.decision == "not enough evidence"
    one = run_cli("gsb", tmp_path / "raters.csv", "--sequential", "--where", "rater = 'a'").out
    assert "better: ship" in one
    assert "fixed beforehand" in run_cli("gsb", tmp_path / "raters.csv").out


WIDTHS = [(number, same) for number in (100, 1000, 10_000) for same in ("half", "none")]


@pytest.mark.parametrize(("number", "same"), WIDTHS)
def test_the_documentation_states_the_price_of_looking(number: int, same: str) -> None:
    alike = number // 2 if same == "half" else 0
    verdicts = ["same"] * alike + ["good", "bad"] * ((number - alike) // 2)
    table = arrow([(f"q{place}", verdict) for place, verdict in enumerate(verdicts)], "query_id", "verdict")
    halves = []
    for sequential in (False, True):
        with sqlrank.gsb(table, sequential=sequential) as found:
            (row,) = found.to_dicts()
            halves.append((row["ci_high"] - row["ci_low"]) / 2)
    figures = stated("explanation/verdicts.md", f"| {number:,} | {same} | # | # | # |")
    assert [f"{halves[0]:.3f}", f"{halves[1]:.3f}", f"{halves[1] / halves[0]:.1f}"] == figures


def drawn(kind: str, generator: np.random.Generator) -> tuple[np.ndarray, float, float]:
    """The differences of queries in every trial, the weight of a query, and the true delta."""
    shape = (TRIALS, LOOKS)
    if kind == "fair coin":
        return generator.choice([-1.0, 1.0], shape), 1.0, 0.0
    if kind == "mostly the same":
        return generator.choice([-1.0, 0.0, 1.0], shape, p=[0.05, 0.9, 0.05]), 1.0, 0.0
    if kind == "three raters who agree":
        return 3 * generator.choice([-1.0, 0.0, 1.0], shape, p=[0.3, 0.4, 0.3]), 3.0, 0.0
    return generator.choice([-1.0, 1.0], shape, p=[0.05, 0.95]), 1.0, 0.9


def share_wrong(kind: str) -> float:
    """The share of trials in which the true delta is left out at any look."""
    differences, weight, delta = drawn(kind, np.random.default_rng(4))
    totals, squares = differences.cumsum(axis=1), (differences**2).cumsum(axis=1)
    level, wrong = -math.log(0.05), 0
    for trial in range(TRIALS):
        wrong += any(
            evidence(
                Moments(
                    look + 1,
                    weight * (look + 1),
                    weight**2 * (look + 1),
                    weight,
                    totals[trial, look],
                    squares[trial, look],
                    weight * totals[trial, look],
                ),
                delta,
            )
            >= level
            for look in range(LOOKS)
        )
    return wrong / TRIALS


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("kind", ["fair coin", "mostly the same", "three raters who agree", "nearly all good"])
def test_looking_after_every_query_errs_rarely(kind: str) -> None:
    """2,000 experiments of 200 looks: the standard error of a share of 1 % is 0.2 points."""
    (most,) = stated("explanation/verdicts.md", "the true delta is ever left out in at most # % of")
    assert share_wrong(kind) <= float(most) / 100
