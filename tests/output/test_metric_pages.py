"""The page of a metric: a formula that can be read, and an example that is worked out by hand elsewhere."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from sqlrank.metrics.catalogue import catalogue, likeness_catalogue
from sqlrank.metrics.language import Language
from sqlrank.metrics.measure import Metric
from sqlrank.reference.example_inputs import MISSED, RANKING
from sqlrank.reference.metric_example import example_of
from sqlrank.reference.metric_facts import find
from sqlrank.reference.metric_pages import metric_page, readable
from tests.support.cli_helper import FIXTURES, completed

SHOWN = " ".join("-" if relevance is None else str(relevance) for relevance in RANKING)
WORKED = [
    row
    for path in sorted((FIXTURES / "worked").glob("*.csv"))
    for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    if row["ranking"] == SHOWN and row["missed"] == str(MISSED)
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", WORKED, ids=lambda row: row["metric"])
def test_the_example_has_the_value_that_was_worked_out(row: dict[str, str]) -> None:
    page = completed("metrics", row["metric"]).out
    assert f"    {row['metric']} = {float(row['expected']):.4f}\n" in page


def test_the_metrics_that_most_people_ask_for_are_worked_out() -> None:
    assert {row["metric"] for row in WORKED} >= {"ndcg@10", "ap@10", "rr@10", "p@10", "recall@10", "dcg@10"}


@pytest.mark.slow
def test_the_example_shows_each_place() -> None:
    page = metric_page("ndcg")
    rows = [line.split() for line in page.splitlines() if re.match(r"    +\d ", line)]
    assert rows == [
        ["1", "0", "0", "1.0000", "0.0000", "3", "3.0000"],
        ["2", "3", "3", "0.6309", "1.8928", "2", "1.2619"],
        ["3", "2", "2", "0.5000", "1.0000", "2", "1.0000"],
        ["4", "-", "0", "0.4307", "0.0000", "1", "0.4307"],
        ["5", "1", "1", "0.3869", "0.3869", "-", "-"],
    ]
    assert "rank  relevance  hits" in metric_page("ap")


BY_HAND = {
    "alpha_ndcg": 2.874103 / 3.539694,
    "err_ia": 2.516667 / 5.508333,
    "nrbp": 0.1875 * 2.28125,
    "ap_ia": (5 / 6 + 0.7 + 0.25 + 0) / 4,
    "p_ia": 1 / 4,
    "subtopic_recall": 3 / 4,
    "diversity": 9 / 10,
    "novelty": (0 + 1 + 2 + 3 + 3) / 5,
    "surprisal": 1.8 / 3,
    "popularity": (8 + 4 + 2 + 1 + 0) / 5,
    "unexpectedness": 1 - 3 / 5,
    "auc": 4.5 / 6,
    "coverage": 4 / 5,
    "gini": (-2 + 0 + 6 + 12) / (5 * 9),
    "personalization": 1 - (2 + 3 + 2) / 3 / 3,
    "overlap": 4 / 5,
    "jaccard": 4 / 6,
    "kendall_tau": (4 - 2) / 6,
    "rank_change": (1 + 1 + 1 + 2) / 4,
    "rbo": 0.1 / 0.9 * (0.81 + 2 / 3 * 0.729 + 3 / 4 * 0.6561 + 4 / 5 * 0.59049) + 4 / 5 * 0.59049,
}
"""The values of the examples of metrics that need more than a run and judgments."""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", BY_HAND)
def test_the_example_with_other_inputs_has_the_value_that_was_worked_out(name: str) -> None:
    value = [line for line in metric_page(name).splitlines() if line.startswith(f"    {name}") and " = " in line]
    assert [line.partition(" = ")[2] for line in value] == [f"{BY_HAND[name]:.4f}"]


def test_the_example_of_a_text_shows_it() -> None:
    assert "    relstring@5 = 032-1\n" in metric_page("relstring")


@pytest.mark.sampled(24)
@pytest.mark.parametrize("metric", [*catalogue().values(), *likeness_catalogue().values()], ids=lambda one: one.name)
def test_every_metric_has_an_example(metric: Metric) -> None:
    language = Language(texts=True, pairs=metric.grain == "pair")
    _, measure = find(metric.name, language)
    found = example_of(measure)
    assert found is not None
    assert all(len(row) == len(found.names) for row in found.rows)
    assert len(found.rows) == (5 if metric.grain != "system" or metric.name == "auc" else 3)
    assert found.value.startswith(f"{measure.text} = ")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["ap", "rbp", "inst", "alpha_ndcg", "novelty", "rr"])
def test_what_the_documents_of_an_example_add_is_its_value(name: str) -> None:
    found = example_of(find(name, Language())[1])
    assert found is not None
    place = found.names.index("contribution")
    assert sum(float(row[place]) for row in found.rows) == pytest.approx(float(found.value.split(" = ")[1]), abs=3e-4)


def test_a_metric_of_the_user_whose_parts_are_no_parts_has_an_example_all_the_same(tmp_path: Path) -> None:
    entry = 'title = "-"\nparams = {}\nreads = ["hit"]\nsummary = "mean"\nparts = "sum"\nformula = "-"\ncitation = "-"'
    (tmp_path / "mine.sql").write_text("{#\n" + entry + "\n#}\nsum(case when {{ hit.when }} then 1.0 else 0 end) + 1\n")
    page = metric_page("mine", str(tmp_path))
    assert "    mine = 4.0000\n" in page
    assert "contribution" not in page


def test_a_formula_is_written_with_the_usual_signs() -> None:
    formula = "DCG@k / ideal DCG@k, where DCG@k = sum over ranks i <= k of gain(i) * discount(i)"
    assert readable(formula) == ["DCG@k / ideal DCG@k", "  DCG@k = Σ over ranks i ≤ k of gain(i) · discount(i)"]
    assert formula in completed("metrics", "ndcg").out
