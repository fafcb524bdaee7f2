"""How likely positions are looked at: where the truth is known, where nothing can be known, and by a coin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.behaviour import identified
from sqlrank.errors import DataError, UsageError
from sqlrank.log import judgments, propensities
from tests.behaviour import simulated
from tests.behaviour.simulated import EXAMINATION, PLACES, logged
from tests.support.cli_helper import run_cli
from tests.support.tables import hold

LEARNED = {
    # 20,000 impressions of three rankers (seed 7), and how many of the seven intervals hold the truth.
    "none": ({}, (1, 0.5812, 0.4152, 0.3161, 0.2759, 0.2506, 0.2031, 0.1681), 6),
    # A prior moves propensities down by about .01, of which the intervals know nothing.
    "prior": ({"prior": (1, 1)}, (1, 0.575, 0.410, 0.311, 0.267, 0.239, 0.192, 0.157), 4),
    "allpairs": ({"method": "allpairs"}, (1, 0.586, 0.417, 0.341, 0.273, 0.263, 0.188, 0.166), 7),
}


@pytest.fixture(scope="module")
def of_three() -> Any:
    return logged("pbm").frame()


def test_learning_that_ended_before_nothing_moved_says_what_it_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identified, "MOST_ROUNDS", 30)
    monkeypatch.setattr(identified, "STARTS_APART", 1)

    with propensities(logged("pbm", impressions=1500).frame(), min_documents=0) as found:
        said = next(line for line in found.remarks() if "rounds" in line)

    assert "still more than 1e-05: rounds=N learns longer" in said


@pytest.mark.needs("random")
@pytest.mark.parametrize(("options", "learned", "holding"), LEARNED.values(), ids=list(LEARNED))
def test_propensities_are_those_that_a_long_search_finds(
    options: dict[str, Any], learned: tuple[float, ...], holding: int, of_three: Any
) -> None:
    with propensities(of_three, **options) as found:
        rows, remarks = found.to_dicts(), found.remarks()

    shifted = "prior 1,1: it makes propensities too steep, which the intervals leave out"
    assert (shifted in remarks) is ("prior" in options)
    assert [row["propensity"] for row in rows] == pytest.approx(learned, abs=1.5e-3)
    assert all(row["low"] <= row["propensity"] <= row["high"] for row in rows)
    covered = [row["low"] <= truth <= row["high"] for row, truth in zip(rows[1:], EXAMINATION[1:], strict=True)]
    assert sum(covered) == holding


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("method", ["pbm", "allpairs"])
def test_intervals_of_propensities_cover_the_truth(method: str) -> None:
    """Two logs of seven positions: a bound of 12 of 14 tells intervals of 95 % from such of 60 %."""
    hits = total = 0
    for seed in range(2):
        data = logged("pbm", impressions=4000, seed=seed).frame()
        with propensities(data, method=method, min_documents=0) as found:
            for row, truth in zip(found.to_dicts()[1:], EXAMINATION[1:], strict=True):
                hits, total = hits + (row["low"] <= truth <= row["high"]), total + 1

    assert hits / total >= 0.85


@pytest.mark.needs("random")
def test_the_first_position_need_not_be_looked_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "EXAMINATION", np.array([0.7, 1, 0.5, 0.35, 0.3, 0.25, 0.2, 0.15]))

    with propensities(logged("pbm", impressions=4000, seed=0).frame(), min_documents=0) as found:
        second = found.to_dicts()[1]

    assert second["propensity"] == pytest.approx(1.4387, abs=1e-3)
    assert second["low"] < 1 / 0.7 < second["high"]


@pytest.mark.needs("random")
def test_a_table_says_which_positions_share_documents(tmp_path: Path) -> None:
    logged("pbm", impressions=3000).frame().to_parquet(tmp_path / "log.parquet")
    with propensities(tmp_path / "log.parquet", method="allpairs", min_impressions=5) as found:
        pairs = {(link["position"], link["other"]): link["pairs"] for link in found.links}
    asked = ("log", "propensities", tmp_path / "log.parquet", "--method", "allpairs", "--min-impressions", 5)
    printed = run_cli(*asked, "--format", "markdown").out
    rows = [line.strip("| ").split("|") for line in printed.split("shared with", 1)[1].splitlines()[2 : PLACES + 1]]

    assert {int(row[0]): [int(cell) for cell in row[1:] if cell.strip()] for row in rows} == {
        place: [pairs[above, place] for above in range(1, place)] for place in range(2, PLACES + 1)
    }
    assert "shared with: how many documents each two positions share" in printed


def test_one_ranker_tells_nothing_and_is_refused() -> None:
    data = logged("pbm", rankers=(0,), impressions=3000).frame()

    for call in (propensities, judgments):
        with pytest.raises(DataError, match=r"position 2 shares no documents with those above it.*several rankers"):
            call(data, method="pbm")


@pytest.mark.needs("random")
def test_one_ranker_is_refused_by_two_starts_too() -> None:
    data = logged("pbm", rankers=(0,)).frame()

    with pytest.raises(DataError, match=r"two places: position \d is looked at 0\.\d+ or 0\.\d+ times"):
        propensities(data, min_documents=0)


@pytest.mark.needs("random")
def test_people_who_click_without_cause_make_propensities_too_steep() -> None:
    with propensities(logged("trust").frame(), prior=(1, 1)) as found:
        learned = [row["propensity"] for row in found.to_dicts()]

    assert learned[:4] == pytest.approx([1, 0.514, 0.328, 0.229], abs=2e-3)
    assert all(value < truth for value, truth in zip(learned[1:], EXAMINATION[1:], strict=True))


def tossed(place: int, impressions: int, random: Any, attraction: float = 0.32) -> pd.DataFrame:
    """Impressions in which a coin exchanged the first position and another, of documents of one attraction."""
    places = np.arange(1, PLACES + 1)
    clicks = random.random((impressions, PLACES)) < attraction * EXAMINATION
    return pd.DataFrame(
        {
            "impression_id": np.repeat([f"{place}-{n}" for n in range(impressions)], PLACES),
            "query_id": "q",
            "doc_id": np.tile([f"d{n}" for n in places], impressions),
            "position": np.tile(places, impressions),
            "clicked": clicks.astype(int).ravel(),
            "swap": place,
        }
    )


def counted(place: int, first: int, other: int, impressions: int) -> pd.DataFrame:
    """The first and another position of so many impressions, with so many clicks at each."""
    rows = []
    for position, clicks in ((1, first), (place, other)):
        for number in range(impressions):
            row = {"impression_id": f"{place}-{number}", "query_id": "q", "doc_id": f"d{position}"}
            rows.append(row | {"position": position, "clicked": int(number < clicks), "swap": place})
    return pd.DataFrame(rows)


def test_a_coin_gives_the_ratio_of_click_rates() -> None:
    with propensities(counted(2, 1255, 749, 4000), method="swap") as found:
        first, second = found.to_dicts()

    assert (first["propensity"], first["low"], first["high"]) == (1, 1, 1)
    ends = second["propensity"], second["low"], second["high"]
    assert ends == pytest.approx((0.5968, 0.5514, 0.6460), abs=1e-4)


@pytest.mark.needs("simulation")
def test_intervals_of_coins_cover_the_truth() -> None:
    """Coins for seven positions in 15 logs: a bound of 93 lies three standard errors below 95 % of 105 intervals."""
    random, hits = np.random.default_rng(11), 0
    for _ in range(15):
        log = pd.concat([tossed(place, 1500, random) for place in range(2, PLACES + 1)])
        with propensities(log, method="swap") as found:
            rows = {row["position"]: row for row in found.to_dicts()}
        hits += sum(rows[place]["low"] <= EXAMINATION[place - 1] <= rows[place]["high"] for place in list(rows)[1:])

    assert 93 <= hits <= 105


def test_a_coin_needs_its_column() -> None:
    data = counted(2, 10, 5, 30)

    with pytest.raises(DataError, match="no column that says which position was exchanged"):
        propensities(data.drop(columns="swap"), method="swap")
    with pytest.raises(DataError, match="no impression has a position in swap: nothing was exchanged"):
        propensities(data.assign(swap=None), method="swap")
    with pytest.raises(DataError, match="nothing was clicked at position 2"):
        propensities(counted(2, 10, 0, 30), method="swap")


def test_propensities_go_into_judgments() -> None:
    data = logged("pbm", impressions=1500).frame()
    table = pd.DataFrame({"position": range(1, PLACES + 1), "propensity": EXAMINATION})

    with (
        judgments(data, propensities=table) as found,
        judgments(data, propensities=dict(enumerate(EXAMINATION, 1))) as _,
    ):
        assert found.method == "ratio"
    scaled = table.assign(propensity=table["propensity"] / 2)
    with judgments(data, propensities=table) as one, judgments(data, propensities=scaled) as other:
        labels = [[row["relevance"] for row in result.to_dicts()] for result in (one, other)]
    assert np.argsort(labels[0]).tolist() == np.argsort(labels[1]).tolist()


WRONG = [
    ({"position": [1, 1], "propensity": [1, 0.5]}, "position 1 has 1.0 and 0.5 in 2 rows"),
    ({"position": [1, 2], "propensity": [1, 0]}, "position 2 has 0.0"),
    ({"position": [1, 2], "propensity": [1, None]}, "position 2 has null"),
    ({"position": [0, 2], "propensity": [1, 0.5]}, "position 0"),
    ({"position": [1, 2], "propensity": [1, 0.5]}, "position 3 has no propensity.*--shown-depth 2|shown_depth=2"),
    ({"place": [1], "chance": [1]}, "no column for the position"),
]


def test_propensities_that_are_none_are_refused() -> None:
    data = logged("pbm", impressions=400).frame()

    def check(case: tuple[Any, str]) -> None:
        table, says = case
        with pytest.raises(DataError, match=says):
            judgments(data, propensities=pd.DataFrame(table))

    hold(WRONG, check)


def test_propensities_in_a_file_are_read_beside_a_condition(tmp_path: Path) -> None:
    log, table = tmp_path / "log.parquet", tmp_path / "propensities.csv"
    logged("pbm", impressions=400).frame().to_parquet(log)
    pd.DataFrame(dict(enumerate(EXAMINATION, 1)).items(), columns=["position", "propensity"]).to_csv(table, index=False)

    for path in (table, str(table)):
        with judgments(log, propensities=path, where="position > 0") as found:
            assert found.to_dicts()


def test_methods_that_need_propensities_say_so() -> None:
    data = logged("pbm", impressions=400).frame()

    with pytest.raises(UsageError, match="sqlrank log propensities"):
        judgments(data, method="ratio")
    with pytest.raises(UsageError, match="does not use them"):
        judgments(data, method="sdbn", propensities={1: 1.0})
