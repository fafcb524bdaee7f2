"""Every metric of a ranking has hand-checked rows in fixtures/worked: a ranking, what it missed, the value, and why."""

from __future__ import annotations

import csv
from functools import cache
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
from tests.support.tables import hold

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


ROWS = rows()


def ranked(row: dict[str, str]) -> tuple[dict[str, float], dict[str, float]]:
    """The scores and the judgments of a row."""
    ranking, missed = row["ranking"].split(), row["missed"].split()
    judged = {f"d{number}": float(text) for number, text in enumerate(ranking) if text != "-"}
    judged |= {f"missed{number}": float(text) for number, text in enumerate(missed)}
    return {f"d{number}": -float(number) for number in range(len(ranking))}, judged


def company(row: dict[str, str]) -> tuple[str, ...]:
    """What rows that are evaluated together share: where labels of other queries count, the labels, else nothing."""
    measures = parse_measures(row["metric"])
    if "judged_anywhere" in measures[0].metric.reads:
        return (row["metric"], row["ranking"])
    if ColumnPlan(measures, Conventions(), False).across_queries or ":" in row["metric"] or "max=" in row["metric"]:
        return tuple(sorted({*row["ranking"].split(), *row["missed"].split()}))
    return ()


COMPANIES = [company(row) for row in ROWS]


@cache
def values_of(together: tuple[str, ...]) -> dict[int, float | None]:
    """The values of the rows that are evaluated together, each ranking being a query, by the number of the row."""
    found = {number: ROWS[number] for number, shared in enumerate(COMPANIES) if shared == together}
    run, qrels = ({f"q{number}": ranked(row)[side] for number, row in found.items()} for side in (0, 1))
    with sqlrank.evaluate(run, qrels, list(dict.fromkeys(row["metric"] for row in found.values()))) as result:
        values = result.to_dict()
    return {number: values[f"q{number}"][parse_measures(row["metric"])[0].text] for number, row in found.items()}


@pytest.mark.parametrize("file", sorted({row["file"] for row in ROWS}))
def test_the_values_are_those_worked_out(file: str) -> None:
    def is_worked_out(number: int) -> None:
        row = ROWS[number]
        assert values_of(COMPANIES[number])[number] == pytest.approx(float(row["expected"]), abs=1e-9), row["why"]
        assert row["why"]

    rows_of_file = {
        f"fixtures/worked/{file}.csv: {row['metric']}, {row['ranking']}, {row['missed']}": number
        for number, row in enumerate(ROWS)
        if row["file"] == file
    }
    hold(rows_of_file, is_worked_out)


def test_every_metric_of_a_ranking_has_a_file_of_its_own_rows() -> None:
    written = {path.stem for path in FOLDER.glob("*.csv")}
    none_lacks(
        {name for name, metric in catalogue().items() if needs_judgments_alone(metric)} - written - ELSEWHERE,
        "sql/metrics/{}.sql has no worked rows: write fixtures/worked/{}.csv, a ranking and its value in each row",
    )
    none_lacks(written - set(catalogue()), "fixtures/worked/{}.csv has the rows of no metric: write sql/metrics/{}.sql")
    assert all(row["metric"].startswith(row["file"]) for row in ROWS)


def needs_judgments_alone(metric: Metric) -> bool:
    """Whether a ranking and the judgments of its documents decide the value."""
    return metric.grain == "query" and not inputs_of([Measure(metric, tuple(metric.parameters.items()), None)])
