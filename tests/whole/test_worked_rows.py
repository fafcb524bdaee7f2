"""Every metric of a ranking has hand-checked rows in fixtures/worked: a ranking, what it missed, the value, and why."""

from __future__ import annotations

import csv

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.support.cli_helper import FIXTURES

FOLDER = FIXTURES / "worked"


def rows() -> list[dict[str, str]]:
    """The rows of all files, with the name of the file."""
    found = []
    for path in sorted(FOLDER.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found += [row | {"file": path.stem} for row in csv.DictReader(file)]
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['metric']}-{row['ranking']}")
def test_the_value_is_the_one_worked_out(row: dict[str, str]) -> None:
    ranking, missed = row["ranking"].split(), row["missed"].split()
    run = {f"d{number}": -float(number) for number in range(len(ranking))}
    judged = {f"d{number}": float(text) for number, text in enumerate(ranking) if text != "-"}
    judged |= {f"missed{number}": float(text) for number, text in enumerate(missed)}
    with sqlrank.evaluate({"q": run}, {"q": judged}, row["metric"]) as result:
        assert result[row["metric"]] == pytest.approx(float(row["expected"]), abs=1e-9)
    assert row["why"]


def test_every_metric_of_a_ranking_has_a_file_of_its_own_rows() -> None:
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(reference.METRICS) - {"relstring"}
    assert all(row["metric"].startswith(row["file"]) for row in rows())
