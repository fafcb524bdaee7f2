"""Every metric of a ranking has hand-checked rows in fixtures/worked: a ranking, what it missed, the value, and why."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import sqlrank
from sqlrank.conventions import Conventions
from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.language import parse_measures
from sqlrank.metrics.measure import Measure, Metric
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import inputs_of
from tests.support.cli_helper import FIXTURES
from tests.support.lacking import none_lacks

FOLDER = FIXTURES / "worked"
ELSEWHERE = {"gauc", "grouped_ap", "pairwise_accuracy", "relstring"}
"""Metrics that need judgments alone, and have scores, groups or texts in their worked examples: test_score_pairs."""


def rows(folder: Path = FOLDER) -> list[dict[str, str]]:
    """The rows of all files of a folder, with the name of the file."""
    found = []
    for path in sorted(folder.glob("*.csv")):
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
    across = ColumnPlan(parse_measures(row["metric"]), Conventions(), False).across_queries
    return across or ":" in row["metric"] or "max=" in row["metric"]


ALONE = [row for row in rows() if is_alone(row)]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", ALONE, ids=lambda row: f"{row['metric']}-{row['ranking']}")
def test_the_value_of_a_ranking_alone_is_the_one_worked_out(row: dict[str, str]) -> None:
    assert_values([row])


@pytest.mark.slow
def test_the_values_of_rankings_together_are_those_worked_out() -> None:
    together = [row for row in rows() if row not in ALONE]
    assert len(together) > 100
    assert_values(together)


def assert_values(found: list[dict[str, str]]) -> None:
    """Evaluate the metrics of some rows together, each ranking being a query, and compare the value of each row."""
    run, qrels = ({f"q{number}": ranked(row)[side] for number, row in enumerate(found)} for side in (0, 1))
    with sqlrank.evaluate(run, qrels, list(dict.fromkeys(row["metric"] for row in found))) as result:
        values = result.to_dict()
    for number, row in enumerate(found):
        (measure,) = parse_measures(row["metric"])
        assert values[f"q{number}"][measure.text] == pytest.approx(float(row["expected"]), abs=1e-9), row
        assert row["why"]


def test_every_metric_of_a_ranking_has_a_file_of_its_own_rows() -> None:
    written = {path.stem for path in FOLDER.glob("*.csv")}
    none_lacks(
        {name for name, metric in catalogue().items() if needs_judgments_alone(metric)} - written - ELSEWHERE,
        "sql/metrics/{}.sql has no worked rows: write fixtures/worked/{}.csv, a ranking and its value in each row",
    )
    none_lacks(written - set(catalogue()), "fixtures/worked/{}.csv has the rows of no metric: write sql/metrics/{}.sql")
    assert all(row["metric"].startswith(row["file"]) for row in rows())


def needs_judgments_alone(metric: Metric) -> bool:
    """Whether a ranking and the judgments of its documents decide the value."""
    return metric.grain == "query" and not inputs_of([Measure(metric, tuple(metric.parameters.items()), None)])
