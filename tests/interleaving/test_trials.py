"""The table of interleaved lists is what the trials give."""

from __future__ import annotations

import pytest

from tests.pages.parts import part
from tests.trials.cells import cells_of
from tests.trials.interleaving import COLUMNS, OF_VOTES, USERS_OF_VOTES, WORLDS, shares, votes_of

SOME = 40
"""How many experiments are tried anew."""


def written(world: tuple[str, str, str]) -> list[float]:
    """The figures of a row of the table."""
    (line,) = [line for line in part("trials interleaving").splitlines() if line.startswith(f"| {' | '.join(world)} |")]
    return [float(cell.removesuffix(" %")) / 100 for cell in line.strip("| ").split(" | ")[len(world) :]]


def test_every_world_is_in_the_table_and_no_vote_of_users_errs_more_than_it_may() -> None:
    assert len(part("trials interleaving").splitlines()) == len(WORLDS) + 2
    for world in WORLDS:
        found = dict(zip(COLUMNS, written(world), strict=True))
        # Three standard errors of 200 experiments above 5 %.
        assert found["error, users"] <= 0.05 + 3 * 0.0155
        assert found["wrong"] == 0


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("world", WORLDS[::4], ids=" ".join)
def test_trials_give_about_what_is_written(world: tuple[str, str, str]) -> None:
    """40 experiments: the bounds are four standard errors, of 8 points where a share is a half."""
    for found, figure in zip(shares(*world, number=SOME), written(world), strict=True):
        assert found == pytest.approx(figure, abs=4 * (max(figure, 0.05) * (1 - min(figure, 0.95)) / SOME) ** 0.5)


def test_few_votes_cover_and_err_as_they_promise_in_every_cell() -> None:
    cells = list(cells_of("votes"))
    assert [cell.words for cell in cells] == [words for words in OF_VOTES for _ in USERS_OF_VOTES]
    for cell in cells:
        # Three standard errors of 400 experiments from 95 and 5 %, and from 6 % where impressions vote.
        assert cell.coverage is not None, cell
        assert cell.coverage >= 91.7, cell
        assert cell.second is not None, cell
        assert cell.second <= (8.3 if cell.words[2] == "user" else 9.6), cell


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("words", OF_VOTES[::6], ids=" ".join)
def test_trials_of_few_votes_give_about_what_is_written(words: tuple[str, str, str, str]) -> None:
    """40 experiments of 50 impressions: the bounds are four standard errors."""
    written = next(cell for cell in cells_of("votes") if cell.words == words)
    found = votes_of(words, written.size, SOME)
    assert written.coverage is not None
    assert written.second is not None
    for share, figure in ((found.coverage, written.coverage / 100), (found.errors, written.second / 100)):
        assert share == pytest.approx(figure, abs=4 * (max(figure, 0.05) * (1 - min(figure, 0.95)) / SOME) ** 0.5)
