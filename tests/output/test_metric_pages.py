"""The page of a metric: a formula that can be read, and an example that is worked out by hand elsewhere."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.language import Language
from sqlrank.metrics.measure import Measure, Metric
from sqlrank.reference import metric_example
from sqlrank.reference.example_inputs import MISSED, RANKING
from sqlrank.reference.metric_example import Example, example_of
from sqlrank.reference.metric_facts import find
from sqlrank.reference.metric_pages import metric_page, readable, search_page
from tests.output.test_metric_reference import METRICS, sections
from tests.support.cli_helper import FIXTURES, completed, error_of
from tests.support.tables import each, hold

SHOWN = " ".join("-" if relevance is None else str(relevance) for relevance in RANKING)
WORKED = [
    row
    for path in sorted((FIXTURES / "worked").glob("*.csv"))
    for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    if row["ranking"] == SHOWN and row["missed"] == str(MISSED)
]


@each({row["metric"]: row for row in WORKED})
def test_the_example_has_the_value_that_was_worked_out(row: dict[str, str]) -> None:
    page = completed("metrics", row["metric"]).out
    assert f"    {row['metric']} = {float(row['expected']):.4f}\n" in page


def test_the_metrics_that_most_people_ask_for_are_worked_out() -> None:
    assert {row["metric"] for row in WORKED} >= {"ndcg@10", "ap@10", "rr@10", "p@10", "recall@10", "dcg@10"}


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


def test_the_example_of_a_text_shows_it() -> None:
    assert "    relstring@5 = 032-1\n" in metric_page("relstring")


SUMS = ("ap", "rbp", "inst", "alpha_ndcg", "novelty", "rr")
"""Metrics whose value is the sum of what the documents of their example add."""


WORKED_OUT = sorted({*BY_HAND, *SUMS, "ndcg", "p", "relstring"})


@pytest.mark.parametrize(
    "names",
    [WORKED_OUT, pytest.param(sorted(set(METRICS) - set(WORKED_OUT)), marks=pytest.mark.needs("random"))],
    ids=["worked out", "others"],
)
def test_a_metric_has_a_page_with_an_example_which_its_section_of_the_reference_has_too(names: list[str]) -> None:
    def check(metric: Metric) -> None:
        made: list[Example | None] = []

        def recorded(measure: Measure) -> Example | None:
            made.append(example_of(measure))
            return made[-1]

        with patch.object(metric_example, "example_of", recorded):
            page = metric_page(metric.name)
        (found,) = made
        assert found is not None
        name, _, value = found.value.partition(" = ")

        assert page.startswith(metric.name)
        assert metric.title in page.splitlines()[0]
        assert all(text in page for text in (metric.formula, metric.citation, *metric.parameters, "SQL of"))
        assert find(metric.name, Language(texts=True, pairs=metric.grain == "pair"))[1].text == name
        assert all(len(row) == len(found.names) for row in found.rows)
        assert len(found.rows) == (5 if metric.grain != "system" or metric.name == "auc" else 3)
        assert metric.name not in BY_HAND or value == f"{BY_HAND[metric.name]:.4f}"
        if metric.name in SUMS:
            place = found.names.index("contribution")
            assert sum(float(row[place]) for row in found.rows) == pytest.approx(float(value), abs=3e-4)
        section = sections()[metric.name]
        block = section.partition("```text\n")[2].partition("\n```")[0].split("\n\n")
        assert [[line.strip() for line in part.splitlines()] for part in block] == [
            [line.strip() for line in part.splitlines()] for part in example_in(page)
        ]
        assert ("In other tools" in section) is ("\nTools  " in page)

    hold({name: METRICS[name] for name in names}, check)


def example_in(page: str) -> list[str]:
    """The table and the value of the example of a page."""
    return page.partition("Example: ")[2].split("\n\n")[1:3]


def test_a_page_is_asked_for_by_the_name_or_another_name_of_a_metric() -> None:
    for metric in catalogue().values():
        assert all(find(name, Language(texts=True))[0] is metric for name in (metric.name, *metric.aliases))
    assert completed("metrics", "map").out == completed("metrics", "ap").out == metric_page("ap") + "\n"


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


SEARCHED = {
    "hit rate": "success@k",
    "命中率": "success@k",
    "mean average precision": "ap[@k]",
    "recip_rank": "rr[@k]",
    "kendall": "kendall_tau",
}


def test_words_are_searched_in_titles_of_both_languages_and_in_names_of_tools() -> None:
    for words, found in SEARCHED.items():
        assert f"{found} " in f"{search_page(words)} ", words
    assert completed("metrics", "hit rate").out == f"{search_page('hit rate')}\n"
    assert search_page("xyz abc") is search_page(" ") is None
    assert "did you mean ndcg?" in error_of(2, "metrics", "ndgc")
