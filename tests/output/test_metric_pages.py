"""The page of a metric: a formula that can be read, and an example that is worked out by hand elsewhere."""

from __future__ import annotations

import csv
import io
import re

import pytest

from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.language import Language
from sqlrank.output.metric_example import MISSED, RANKING
from sqlrank.output.metric_pages import find, metric_page, readable
from sqlrank.statement.columns import inputs_of
from tests.support.cli_helper import FIXTURES, completed

SHOWN = " ".join("-" if relevance is None else str(relevance) for relevance in RANKING)
WORKED = [
    row
    for path in sorted((FIXTURES / "worked").glob("*.csv"))
    for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    if row["ranking"] == SHOWN and row["missed"] == str(MISSED)
]


@pytest.mark.parametrize("row", WORKED, ids=lambda row: row["metric"])
def test_the_example_has_the_value_that_was_worked_out(row: dict[str, str]) -> None:
    page = completed("metrics", row["metric"]).out
    assert f"    {row['metric']} = {float(row['expected']):.4f}\n" in page


def test_the_metrics_that_most_people_ask_for_are_worked_out() -> None:
    assert {row["metric"] for row in WORKED} >= {"ndcg@10", "ap@10", "rr@10", "p@10", "recall@10", "dcg@10"}


def test_the_example_shows_each_place() -> None:
    page = metric_page("ndcg")
    rows = [line.split() for line in page.splitlines() if re.match(r"    +\d ", line)]
    assert rows == [
        ["1", "3", "3", "1.0000", "3.0000"],
        ["2", "0", "0", "0.6309", "0.0000"],
        ["3", "2", "2", "0.5000", "1.0000"],
        ["4", "-", "0", "0.4307", "0.0000"],
        ["5", "1", "1", "0.3869", "0.3869"],
    ]
    assert "rank  relevance  hits" in metric_page("ap")


@pytest.mark.parametrize("name", ["jaccard", "auc", "coverage", "alpha_ndcg", "novelty", "relstring"])
def test_a_metric_that_needs_more_than_one_ranking_has_no_example(name: str) -> None:
    assert "Example:" not in metric_page(name)


def test_every_metric_of_a_run_and_judgments_has_an_example() -> None:
    language = Language(texts=True)
    for metric in catalogue().values():
        _, measure = find(metric.name, language)
        alone = metric.grain == "query" and measure.summary != "none" and not inputs_of([measure])
        assert ("Example:" in metric_page(metric.name)) is alone, metric.name


def test_a_formula_is_written_with_the_usual_signs() -> None:
    formula = "DCG@k / ideal DCG@k, where DCG@k = sum over ranks i <= k of gain(i) * discount(i)"
    assert readable(formula) == ["DCG@k / ideal DCG@k", "  DCG@k = Σ over ranks i ≤ k of gain(i) · discount(i)"]
    assert formula in completed("metrics", "ndcg").out
