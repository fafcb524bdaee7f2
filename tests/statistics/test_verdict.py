"""Verdicts: by hand, and beside the intervals and the p values of random differences, of one side and of two."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sqlrank.statistics.estimate import NONE, Ends, Estimate, agreeing, least_sure, outer_ends
from sqlrank.statistics.verdict import BETTER, DIFFERS, UNDECIDED, WORSE, is_significant, verdict_of

ALPHA = 0.05


@pytest.mark.parametrize(
    ("p_adjusted", "ends", "found"),
    [
        (0.01, (0.1, 0.3), True),
        (0.01, (-0.3, -0.1), True),
        (0.05, (0.0, 0.3), True),
        (0.01, (-0.01, 0.3), False),
        (0.06, (0.1, 0.3), False),
        (0.06, NONE, False),
        (0.01, NONE, None),
        (None, (0.1, 0.3), None),
    ],
)
def test_a_difference_is_found_where_test_and_interval_find_it(
    p_adjusted: float | None, ends: Ends, found: bool | None
) -> None:
    assert is_significant(p_adjusted, ends, ALPHA) is found


def test_a_verdict_is_by_what_is_for_the_better() -> None:
    said = {(significant, gain): verdict_of(significant, gain) for significant in (True, False) for gain in (1, -1, 0)}
    assert [said[True, gain] for gain in (1, -1, 0)] == [BETTER, WORSE, DIFFERS]
    assert {said[False, gain] for gain in (1, -1, 0)} == {UNDECIDED}
    assert verdict_of(None, 1) is None


def estimates(draw: random.Random) -> list[Estimate]:
    """What an interval may be made of: one estimate, or two of which the less sure counts."""
    value = draw.choice([0.0, draw.gauss(0, 1), draw.gauss(0, 3), draw.gauss(0, 1e-9)])
    return [
        Estimate(
            value + draw.choice([0.0, draw.gauss(0, 0.1)]),
            draw.choice([None, draw.expovariate(2) or None]) if draw.random() < 0.1 else draw.uniform(0.01, 0.5),
            draw.choice([0.5, 1, 3, 30, float("inf")]),
            draw.choice([0.0, draw.uniform(-1, 1)]),
        )
        for _ in range(draw.choice([1, 1, 2]))
    ]


def row_of(draw: random.Random, side: int) -> tuple[Any, ...]:
    """The difference of a row, its interval, p value and verdict, as questions make them of their estimates."""
    found = estimates(draw)
    level = ALPHA if not side else 2 * ALPHA
    ends, p_value = outer_ends(found, level), least_sure(found, side)
    difference = next((each.value for each in found if each.stderr), found[0].value)
    if draw.random() < 0.3 and p_value is not None:
        # p values that are drawn or exact stand beside ends of another kind
        p_value = min(1.0, p_value * draw.uniform(0.2, 5))
        ends = agreeing(ends, difference, p_value <= ALPHA, side)
    adjusted = None if p_value is None else min(1.0, p_value * draw.choice([1, 1, 2, 20]))
    return difference, ends, p_value, adjusted, verdict_of(is_significant(adjusted, ends, ALPHA), difference)


def test_no_verdict_contradicts_its_interval_or_its_p_value() -> None:
    draw, seen = random.Random(1), Counter[tuple[int, str | None]]()
    for number in range(12_000):
        side = (0, 1, -1)[number % 3]
        difference, (low, high), p_value, adjusted, verdict = row_of(draw, side)
        seen[side, verdict] += 1
        if verdict in (BETTER, WORSE):
            assert adjusted is not None
            assert p_value <= adjusted <= ALPHA
            assert low is not None
            assert high is not None
            assert (low >= 0) if difference > 0 else (high <= 0)
            assert side * difference >= 0
        if verdict is UNDECIDED:
            assert adjusted > ALPHA or low < 0 < high
    possible = [(0, BETTER), (0, WORSE), (1, BETTER), (-1, WORSE), *((side, UNDECIDED) for side in (0, 1, -1))]
    assert all(seen[which] > 100 for which in possible), seen
