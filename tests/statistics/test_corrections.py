"""Corrections of p values: by hand, and against statsmodels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrank.choices import CORRECTIONS as WORDS
from sqlrank.statistics.corrections import CORRECTIONS, correct
from tests.support.examples import examples

THEIRS = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh"}
CHANCES = st.floats(0, 1, allow_nan=False) | st.sampled_from([0.0, 0.01, 0.01, 0.05, 1.0])


@pytest.mark.parametrize(
    ("correction", "adjusted"),
    [
        ("holm", [0.03, 0.06, 0.06, 0.02]),
        ("bonferroni", [0.04, 0.12, 0.16, 0.02]),
        ("bh", [0.02, 0.04, 0.04, 0.02]),
        ("none", [0.01, 0.03, 0.04, 0.005]),
    ],
)
def test_four_p_values_are_adjusted_together(correction: str, adjusted: list[float]) -> None:
    assert correct([0.01, 0.03, 0.04, 0.005], correction) == pytest.approx(adjusted)


@pytest.mark.needs("random")
@examples(60)
@given(st.sampled_from(sorted(THEIRS)), st.lists(CHANCES, min_size=1, max_size=12))
def test_corrections_are_those_of_statsmodels(correction: str, values: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")  # which takes seconds
    theirs = multitest.multipletests(values, method=THEIRS[correction])[1]
    assert correct(values, correction) == pytest.approx(list(theirs), abs=1e-12)


def test_a_missing_p_value_stays_missing_and_does_not_count() -> None:
    assert correct([None, 0.02, None, 0.04], "bonferroni") == [None, 0.04, None, 0.08]


def test_the_words_of_the_command_line_are_the_corrections_there_are() -> None:
    assert tuple(CORRECTIONS) == WORDS
