"""Ten interleaved lists and their credits as other programs give them, and whole experiments worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scipy.stats import t

from sqlrank.choices import DESIGNS
from sqlrank.interleaving.designs import every_design
from sqlrank.log import interleave

LISTS = {"q1": ("a|b|c|d", "b|d|a|c"), "q2": ("p|q|r|s", "q|s|p|r")}
LOG = """
i1,u1,q1,a|b|c|d,A|B|A|B,1
i2,u1,q1,b|a|c|d,B|A|A|B,2
i3,u2,q1,a|b|d|c,A|B|B|A,1|4
i4,u2,q2,p|q|r|s,A|B|A|B,
i5,u3,q2,q|p|s|r,B|A|B|A,1|3
i6,u3,q2,p|q|r|s,A|B|A|B,1|2
i7,u4,q1,a|b|c|d,A|B|A|B,3
i8,u4,q2,p|q|s|r,A|B|B|A,2
i9,u5,q1,b|a|d|c,B|A|B|A,2|4
i10,u5,q2,q|p|r|s,B|A|A|B,
"""
# mpkato/interleaving, commit 7907f7d; probabilistic scores divided by their sum over all assignments.
TEAM_DRAFT = [(1, 0), (1, 0), (2, 0), (0, 0), (0, 2), (1, 1), (1, 0), (0, 1), (2, 0), (0, 0)]
BALANCED = [(1, 0), (1, 0), (2, 1), (0, 0), (1, 2), (1, 1), (1, 0), (0, 1), (2, 1), (0, 0)]
WINS_A = [0.964286, 0.820044, 0.482143, 0, 0.027806, 0.429322, 0.863568, 0.445222, 0.410022, 0]
WINS_B = [0.035714, 0.179956, 0.017857, 0, 0.666438, 0.019813, 0.136432, 0.554778, 0.089978, 0]
EXPECTED = [0.928571, 0.640087, 0.928571, 0, -1.277263, 0.819016, 0.727136, -0.109555, 0.640087, 0]
# Of the same lists by hand: whether a side has a click, and whose the first and the last click is.
ANY = [(1, 0), (1, 0), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (0, 1), (1, 0), (0, 0)]
FIRST = [(1, 0), (1, 0), (1, 0), (0, 0), (0, 1), (1, 0), (1, 0), (0, 1), (1, 0), (0, 0)]
LAST = [(1, 0), (1, 0), (1, 0), (0, 0), (0, 1), (0, 1), (1, 0), (0, 1), (1, 0), (0, 0)]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("interleaved") / "lists.csv"
    rows = [line.split(",") for line in LOG.strip().splitlines()]
    lines = [",".join([*row, *LISTS[row[2]]]) for row in rows]
    path.write_text("\n".join(["impression,user,query,shown,team,clicks,ranking_a,ranking_b", *lines]) + "\n")
    return path


def credits_of(log: Path, **options: Any) -> list[tuple[float, float]]:
    """The credits of both rankers, impression by impression."""
    with interleave(log, separator="|", **options) as found:
        names = found.credits.columns
        rows = [dict(zip(names, row, strict=True)) for row in found.credits.fetchall()]
    return [(row["credit_1"], row["credit_2"]) for row in sorted(rows, key=lambda row: int(row["impression_id"][1:]))]


CREDITS = [
    ("team-draft", "count", TEAM_DRAFT),
    ("balanced", "count", BALANCED),
    ("probabilistic", "win", list(zip(WINS_A, WINS_B, strict=True))),
    ("team-draft", "any", ANY),
    ("team-draft", "first", FIRST),
    ("team-draft", "last", LAST),
    ("team-draft", "click=2.5", [(2.5 * a, 2.5 * b) for a, b in TEAM_DRAFT]),
    ("balanced", "click=0.5", [(a / 2, b / 2) for a, b in BALANCED]),
]


@pytest.mark.parametrize(("design", "credit", "worked"), CREDITS)
def test_clicks_are_credited_as_worked_out(
    design: str, credit: str, worked: list[tuple[float, float]], log: Path
) -> None:
    for found, pair in zip(credits_of(log, design=design, credit=credit), worked, strict=True):
        assert found == pytest.approx(pair, abs=1e-6)


def test_a_click_on_a_probabilistic_list_is_shared_by_its_chances(log: Path) -> None:
    found = [a - b for a, b in credits_of(log, design="probabilistic")]

    assert found == pytest.approx(EXPECTED, abs=1e-6)


def test_votes_of_users_are_tested_exactly(log: Path) -> None:
    with interleave(log, separator="|") as found:
        (row,) = found.to_dicts()

    assert (row["unit"], row["wins_a"], row["wins_b"], row["ties"], row["without_clicks"]) == ("user", 3, 1, 1, 0)
    assert row["delta_ab"] == pytest.approx(0.2)
    assert row["p_value"] == pytest.approx(0.625)


def test_votes_of_impressions_are_clustered_by_user(log: Path) -> None:
    with interleave(log, separator="|", unit="impression") as found:
        (row,) = found.to_dicts()

    assert (row["wins_a"], row["wins_b"], row["ties"], row["without_clicks"]) == (5, 2, 1, 2)
    # Half of the mean sign .375 and of its jackknife .357817; t has 3.571429 degrees of freedom. The votes spread as
    # (7 / 8 - .375^2) 8 / 7 / .357817^2 = 6.5595 independent ones.
    assert row["delta_ab"] == pytest.approx(0.1875)
    assert row["stderr"] == pytest.approx(0.357817 / 2, abs=1e-6)
    number = (7 / 8 - 0.375**2) * 8 / 7 / 0.357817**2
    centre = 0.375 * number / (number + 2)
    spread = ((7 / 8 * number + 2) / (number + 2) - centre**2) / (number + 2)
    low, high = centre + t.ppf([0.025, 0.975], 3.571429) * spread**0.5
    assert row["ci_low"] == pytest.approx(low / 2, abs=1e-5)
    assert row["ci_high"] == pytest.approx(min(high / 2, 0.5), abs=1e-5)


def test_impressions_that_stand_for_themselves_are_tested_exactly(log: Path) -> None:
    text = log.read_text().replace("user,", "visitor,", 1).replace("visitor", "who", 1)
    log.with_name("nobody.csv").write_text(text)
    with interleave(log.with_name("nobody.csv"), separator="|") as found:
        (row,) = found.to_dicts()

    # 5 and 2 of 8, and a vote for each: 3 of 10, which spread as 9 / 10 - .3^2.
    assert row["unit"] == "impression"
    assert row["p_value"] == pytest.approx(0.453125)
    low, high = 0.3 + t.ppf([0.025, 0.975], 7) * (0.81 / 10) ** 0.5
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((low / 2, high / 2), abs=1e-9)


def test_exchanging_the_rankers_changes_the_sign_alone(log: Path) -> None:
    with interleave(log, separator="|", unit="impression", baseline="B") as one:
        (a,) = one.to_dicts()
    with interleave(log, separator="|", unit="impression", baseline="A") as other:
        (b,) = other.to_dicts()

    assert (b["a"], b["wins_a"], b["wins_b"]) == ("B", a["wins_b"], a["wins_a"])
    assert (b["delta_ab"], b["ci_low"], b["ci_high"]) == (-a["delta_ab"], -a["ci_high"], -a["ci_low"])
    assert b["p_value"] == a["p_value"]


def test_designs_are_those_of_the_command_line() -> None:
    assert sorted(DESIGNS) == sorted(name.replace("_", "-") for name in every_design())
