"""Examples that textbooks and tutorials work through, with the arithmetic done right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cases import arrow
from tests.support.cli_helper import completed
from tests.support.tables import each, hold

Judgments = dict[str, int]

LETTERS = [7, 2, 5, 10, 1]
GRADED = [3, 2, 3, 0, 1, 2]
GRADED_LEFT = [3]
"""With this one, which was not found, the best six judged documents are 3, 3, 3, 2, 2, 1."""
SHIFTED = [4, 5, 2, 3, 1]
HALF = [1, 1, 0, 1, 0]


def ranked(found: Sequence[int | None], missed: Sequence[int] = ()) -> tuple[dict[str, float], Judgments]:
    """A ranking whose documents have these relevances, None being unjudged, and the judgments, missed ones too."""
    scores = {f"found {place}": -float(place) for place in range(len(found))}
    judgments = {f"found {place}": relevance for place, relevance in enumerate(found) if relevance is not None}
    return scores, judgments | {f"missed {place}": relevance for place, relevance in enumerate(missed)}


def value_of(scores: dict[str, float], judgments: Judgments, metric: str, **options: Any) -> float | None:
    """The value of one metric for one query."""
    return sqlrank.evaluate({"q": scores}, {"q": judgments}, metric, **options)[metric]


@each(
    [
        (
            LETTERS,
            [],
            {
                "dcg@5": 15.455477895111388,
                "ideal_dcg(ideal=retrieved)@5": 18.16471419838153,
                "ndcg(ideal=retrieved)@5": 0.8508516966640997,
                "dcg(gain=exp2)@5": 585.36176097703,
                "ideal_dcg(gain=exp2, ideal=retrieved)@5": 1120.3069611850299,
                "ndcg(gain=exp2, ideal=retrieved)@5": 0.5225012262334338,
            },
        ),
        (
            GRADED,
            GRADED_LEFT,
            {
                "dcg@6": 6.861126688593502,
                "ideal_dcg@6": 8.384055178438263,
                "ndcg@6": 0.8183541904922859,
                "dcg(gain=exp2)@6": 13.848263629272981,
                "ideal_dcg(gain=exp2)@6": 17.725303558032028,
                "ndcg(gain=exp2)@6": 0.7812708867825168,
                "dcg(gain=exp2, discount=letor)@6": 16.00774325477722,
                "ideal_dcg(gain=exp2, discount=letor)@6": 21.595390756454925,
                "ndcg(gain=exp2, discount=letor)@6": 0.7412574023460289,
                "ndcg(ideal=retrieved)@6": 0.9608081943360617,
            },
        ),
        (
            SHIFTED,
            [],
            {
                "dcg(gain=exp2)@5": 39.46041107446347,
                "ideal_dcg(gain=exp2)@5": 45.64282878502658,
                "ndcg(gain=exp2)@5": 0.8645478846264829,
            },
        ),
        ([3, 2, 1, 0], [], {"ndcg(gain=exp2)@4": 1.0}),
        (HALF, [], {"p@3": 0.6666666666666666, "p@5": 0.6}),
        ([0, 1, 0, 1, 0], [], {"ap(norm=retrieved)": 0.5}),
        ([0, 1, 0, 1, 0], [1, 1], {"ap(norm=retrieved)": 0.5, "ap": 0.25}),
    ]
)
def test_metric_has_its_worked_value(case: tuple[list[int], list[int], dict[str, float]]) -> None:
    found, missed, expected = case
    scores, judgments = ranked(found, missed)
    with sqlrank.evaluate({"q": scores}, {"q": judgments}, list(expected)) as result:
        assert {metric: result[metric] for metric in expected} == pytest.approx(expected, rel=1e-12, abs=0)


def test_labels_beside_the_ranking_give_the_same_worked_value() -> None:
    scores, judgments = ranked(LETTERS)
    rows = [("q", doc, score, judgments[doc]) for doc, score in scores.items()]
    export = arrow(rows, "query_id", "doc_id", "score", "relevance")

    assert sqlrank.evaluate(export, None, "dcg@5")["dcg@5"] == pytest.approx(15.455477895111388, rel=1e-12)


def test_average_precision_counts_the_relevant_document_that_was_never_found() -> None:
    relevant = {"D1": 1, "D2": 1, "D3": 1, "D4": 1}
    scores = {doc: 1 / place for place, doc in enumerate(["D2", "D5", "D3", "D6", "D4"], start=1)}

    assert value_of(scores, relevant, "ap") == pytest.approx(0.5666666666666667, rel=1e-12)
    assert value_of(scores, relevant, "ap(norm=retrieved)") == pytest.approx(0.7555555555555556, rel=1e-12)


def test_mean_average_precision_is_the_mean_over_queries() -> None:
    queries = {
        "0.4": ranked([0, 1, 0, 1, 1], [1]),
        "0.5": ranked([0, 1, 0, 1]),
        "0.6": ranked([1, 1, 1], [1, 1]),
        "0.9": ranked([1, 1, 1, 1, 0, 0, 0, 0, 0, 1]),
    }
    run = {query: scores for query, (scores, _) in queries.items()}
    qrels = {query: judgments for query, (_, judgments) in queries.items()}

    with sqlrank.evaluate(run, qrels, "map") as result:
        assert result.to_dict() == {query: {"ap": pytest.approx(float(query), rel=1e-12)} for query in queries}
        assert result["ap"] == pytest.approx(0.6, rel=1e-12)


NOTHING = ranked([0, None, 0], [0])


@pytest.mark.parametrize(("empty", "expected"), [("zero", 0.0), ("one", 1.0), ("skip", None)])
def test_query_with_nothing_to_find_has_the_value_asked_for(empty: str, expected: float | None) -> None:
    metrics = ["ndcg@10", "ndcg(ideal=retrieved)", "ap", "rr", "p@10", "recall@100"]
    scores, judgments = NOTHING

    with sqlrank.evaluate({"q": scores}, {"q": judgments}, metrics, empty=empty) as result:
        assert {metric: result[metric] for metric in metrics} == dict.fromkeys(metrics, expected)


@each([("zero", 0.25), ("one", 0.75), ("skip", 0.5)])
def test_mean_has_a_query_with_nothing_to_find_as_asked(case: tuple[str, float]) -> None:
    empty, expected = case
    scores, judgments = ranked([0, 1])

    result = sqlrank.evaluate({"a": scores, "b": NOTHING[0]}, {"a": judgments, "b": NOTHING[1]}, "ap", empty=empty)

    assert result["ap"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", ["ndcg@10", "ap"])
def test_query_with_nothing_to_find_is_refused_where_asked(metric: str) -> None:
    with pytest.raises(sqlrank.DataError, match="query 'q'"):
        value_of(*NOTHING, metric, empty="error")


def test_query_that_was_missed_counts_as_zero_whatever_an_empty_one_counts() -> None:
    scores, judgments = ranked([1])

    result = sqlrank.evaluate({"a": scores}, {"a": judgments, "missed": judgments}, "ndcg@10", empty="one")

    assert result.to_dict() == {"a": {"ndcg@10": 1.0}, "missed": {"ndcg@10": 0.0}}


def test_command_line_prints_the_worked_value(tmp_path: Path) -> None:
    def check(case: tuple[list[int], str, str]) -> None:
        found, metric, printed = case
        rows = [f"q,d{place},{-place},{relevance}" for place, relevance in enumerate(found)]
        export = tmp_path / "export.csv"
        export.write_text("\n".join(["query_id,doc_id,score,relevance", *rows]) + "\n", encoding="utf-8")
        outcome = completed("eval", str(export), "-m", metric, "--format", "tsv")

        assert outcome.out.splitlines()[1].split("\t")[:3] == ["export", metric, printed]

    hold(
        [
            ([7, 2, 5, 10, 1], "dcg@5", "15.4554778951"),
            ([7, 2, 5, 10, 1], "ndcg(gain=exp2, ideal=retrieved)@5", "0.522501226233"),
            ([4, 5, 2, 3, 1], "ndcg(gain=exp2)@5", "0.864547884626"),
            ([1, 1, 0, 1, 0], "p@5", "0.6"),
            ([0, 1, 0, 1, 0], "ap(norm=retrieved)", "0.5"),
        ],
        check,
    )
