"""The table of methods and people is what the trials give, and what the page says of them."""

from __future__ import annotations

import pytest

from tests.behaviour.simulated import logged
from tests.pages.blocks import DOCS
from tests.pages.parts import part
from tests.pages.stated import assert_stated
from tests.support.tables import hold
from tests.trials.labels import METHODS, WORLDS, Apart, apart_of, propensities

PAGE = "explanation/judgments-from-clicks.md"
LONG = ("dbn",)
"""Methods that take half a minute for a log; tests/behaviour/test_simulated_labels.py holds them to the truth."""
WITHIN = 0.02
"""How far the figures may lie from those that are written, for what another version of numpy may draw."""


def written(people: str, rankers: str) -> dict[str, str]:
    """The cells of a row of the table, by method."""
    (line,) = [line for line in part("trials labels").splitlines() if line.startswith(f"| {people} | {rankers} |")]
    return dict(zip(METHODS, line.strip("| ").split(" | ")[2:], strict=True))


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("people", "rankers"), WORLDS)
def test_the_table_of_labels_is_what_the_trials_give(people: str, rankers: str) -> None:
    """One log of 20,000 impressions for each row: each figure is to be the written one, to 0.02."""
    cells = written(people, rankers)

    def check(name: str) -> None:
        found, shown = apart_of(people, rankers, name), cells[name]
        if not isinstance(found, Apart):
            assert found == shown
            return
        tau, _, error = shown.partition(" / ")
        assert found.tau == pytest.approx(float(tau), abs=WITHIN)
        assert (error == "-") == (found.error is None)
        assert error == "-" or found.error == pytest.approx(float(error), abs=WITHIN)

    hold([name for name in METHODS if name not in LONG], check)


def test_every_world_is_in_the_table() -> None:
    assert len(part("trials labels").splitlines()) == len(WORLDS) + 2
    for people, rankers in WORLDS:
        assert len(written(people, rankers)) == len(METHODS)


def test_the_chinese_page_has_the_same_figures() -> None:
    page = (DOCS / "zh" / PAGE).read_text(encoding="utf-8")
    lines = [line.strip("| ").split(" | ") for line in page.splitlines()]
    words = {"拒绝": "refused", "无": "none"}
    found = [[words.get(cell, cell) for cell in line[2:]] for line in lines if len(line) == len(METHODS) + 2][2:]
    assert found == [list(written(*world).values()) for world in WORLDS]


@pytest.mark.needs("simulation")
def test_the_page_says_what_people_who_trust_the_top_do_to_propensities() -> None:
    """One log of 20,000 impressions, whose figures the page gives to their last digit."""
    found = propensities(logged("trust").frame())

    assert_stated(found[2], PAGE, "learns # at position 2, where the truth is 0.574")
    assert_stated(found[8], PAGE, "and # at position 8, where it is 0.189")
