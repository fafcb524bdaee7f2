"""Every metric of a ranking has hand-checked rows in fixtures/worked: a ranking, what it missed, the value, and why."""

from __future__ import annotations

import csv

import pytest

import sqlrank
from sqlrank.conventions import Conventions
from sqlrank.metrics.language import parse_measures
from sqlrank.statement.needs import Plan
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


def ranked(row: dict[str, str]) -> tuple[dict[str, float], dict[str, float]]:
    """The scores and the judgments of a row."""
    ranking, missed = row["ranking"].split(), row["missed"].split()
    judged = {f"d{number}": float(text) for number, text in enumerate(ranking) if text != "-"}
    judged |= {f"missed{number}": float(text) for number, text in enumerate(missed)}
    return {f"d{number}": -float(number) for number in range(len(ranking))}, judged


def is_alone(row: dict[str, str]) -> bool:
    """Whether the relevances of other queries would change or refuse the value of a row."""
    across = Plan(parse_measures(row["metric"]), Conventions(), False).across_queries
    return across or ":" in row["metric"] or "max=" in row["metric"]


@pytest.mark.parametrize("file", sorted({row["file"] for row in rows()}))
def test_the_values_are_those_worked_out(file: str) -> None:
    found = [row for row in rows() if row["file"] == file]
    for together in [[row for row in found if not is_alone(row)], *([row] for row in found if is_alone(row))]:
        if not together:
            continue
        rankings = {f"q{number}": ranked(row) for number, row in enumerate(together)}
        run, qrels = ({query: pair[side] for query, pair in rankings.items()} for side in (0, 1))
        with sqlrank.evaluate(run, qrels, [row["metric"] for row in together]) as result:
            values = result.to_dict()
        for query, row in zip(rankings, together, strict=True):
            (measure,) = parse_measures(row["metric"])
            assert values[query][measure.text] == pytest.approx(float(row["expected"]), abs=1e-9), row
            assert row["why"]


def test_every_metric_of_a_ranking_has_a_file_of_its_own_rows() -> None:
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(reference.METRICS) - {"relstring"}
    assert all(row["metric"].startswith(row["file"]) for row in rows())
