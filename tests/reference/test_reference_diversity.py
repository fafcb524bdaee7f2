"""The diversity metrics against pyndeval."""

import random
from typing import Any, NamedTuple

import pyndeval
import pytest

from tests.reference import diversity

pytestmark = pytest.mark.slow


class Query(NamedTuple):
    """A ranking, judgments by document and subtopic, and the parameters to ask for."""

    docs: list[str]
    judgments: dict[str, dict[str, int]]
    k: int
    alpha: float
    beta: float
    rel: int


def random_queries() -> list[Query]:
    """Rankings with documents not judged, subtopics that no document covers and many documents that add the same."""
    rng = random.Random(20240915)
    queries = []
    for _ in range(600):
        names = [f"{rng.choice('aBé9文')}{number}" for number in range(rng.choice([3, 8, 40]))]
        topics = [f"topic {number}" for number in range(rng.choice([1, 2, 5]))]
        judgments = {
            doc: {topic: rng.choice([-1, 0, 1, 2]) for topic in topics if rng.random() < 0.6}
            for doc in rng.sample(names, rng.randint(1, len(names)))
        }
        docs = [*rng.sample(names, rng.randint(1, len(names))), "unknown", "strange"]
        rng.shuffle(docs)
        alpha, beta = rng.choice([0.0, 0.25, 0.5, 0.8, 1.0]), rng.choice([0.1, 0.5, 0.9])
        queries.append(Query(docs, judgments, rng.choice([2, 3, 5, 20]), alpha, beta, rng.choice([1, 2])))
    return queries


QUERIES = random_queries()
MEASURES: list[tuple[str, str, tuple[str, ...]]] = [
    ("alpha-DCG", "alpha_dcg", ("k", "alpha", "rel")),
    ("alpha-nDCG", "alpha_ndcg", ("k", "alpha", "rel")),
    ("ERR-IA", "err_ia", ("k", "alpha", "rel")),
    ("nERR-IA", "nerr_ia", ("k", "alpha", "rel")),
    ("P-IA", "p_ia", ("k", "rel")),
    ("strec", "subtopic_recall", ("k", "rel")),
    ("NRBP", "nrbp", ("alpha", "beta", "rel")),
    ("nNRBP", "nnrbp", ("alpha", "beta", "rel")),
    ("MAP-IA", "ap_ia", ("rel",)),
]


def peer_value(query: Query, measure: str) -> Any:
    """What pyndeval gives for it."""
    rows = [("q", topic, doc, value) for doc, found in query.judgments.items() for topic, value in found.items()]
    evaluator = pyndeval.RelevanceEvaluator(
        rows, [measure], relevance_level=query.rel, alpha=query.alpha, beta=query.beta
    )
    run = [("q", doc, float(len(query.docs) - place)) for place, doc in enumerate(query.docs)]
    return evaluator.evaluate(run)["q"][measure]


@pytest.mark.parametrize(("measure", "metric", "names"), MEASURES)
def test_metric_agrees_with_pyndeval(measure: str, metric: str, names: tuple[str, ...]) -> None:
    compared = []
    for query in QUERIES:
        parameters = {name: getattr(query, name) for name in names}
        ours = diversity.METRICS[metric](query.docs, query.judgments, **parameters)
        if ours is not None:
            theirs = peer_value(query, f"{measure}@{query.k}" if "k" in names else measure)
            assert ours == pytest.approx(theirs, abs=1e-12), query
            compared.append(ours)
    assert len(compared) > 450
    assert len(set(compared)) > 5


@pytest.mark.parametrize(
    ("measure", "metric"), [("alpha-nDCG@1", "alpha_ndcg"), ("nERR-IA@1", "nerr_ia"), ("P-IA@1", "p_ia")]
)
def test_first_document_agrees_with_pyndeval(measure: str, metric: str) -> None:
    query = Query(["a", "b"], {"a": {"1": 1, "2": 1}, "b": {"1": 1, "3": 1, "4": 1}}, 1, 0.5, 0.5, 1)

    assert diversity.METRICS[metric](query.docs, query.judgments, 1) == peer_value(query, measure)


@pytest.mark.parametrize(("measure", "metric"), [("alpha-DCG@1", "alpha_dcg"), ("ERR-IA@1", "err_ia")])
def test_first_document_is_divided_by_the_subtopics_which_pyndeval_forgets(measure: str, metric: str) -> None:
    query = Query(["a", "b"], {"a": {"1": 1, "2": 1}, "b": {"3": 1, "4": 1}}, 1, 0.5, 0.5, 1)

    assert peer_value(query, measure) == 2
    assert diversity.METRICS[metric](query.docs, query.judgments, 1) == 2 / 4


SEEN_TWICE = {
    "a": {"1": 1, "2": 1},
    "b": {"1": 1},
    "c": {"2": 1},
    "d": {"1": 0},
    "e": {"3": 1},
}


@pytest.mark.parametrize(
    ("metric", "parameters", "expected"),
    [
        ("alpha_ndcg", {"k": 1}, 1 / 2),
        ("alpha_ndcg", {"k": 3}, 0.6074427874648953),
        ("alpha_ndcg", {"k": 5}, 0.6347442334897557),
        ("alpha_ndcg", {"k": 5, "alpha": 0}, 0.6824663776358926),
        ("alpha_ndcg", {"k": 5, "alpha": 1}, 0.5701406500739015),
        ("alpha_dcg", {"k": 3}, 0.40496185830993014),
        ("err_ia", {"k": 5}, 0.39334341906202724),
        ("err_ia", {"k": 20}, 0.3907299314335837),
        ("nerr_ia", {"k": 5}, 0.582089552238806),
        ("nrbp", {}, (1 + 3 / 2 / 4 + 1 / 2 / 8) * (1 - 1 / 4) / 3),
        ("nnrbp", {}, 0.5348837209302325),
        ("ap_ia", {}, ((1 + 2 / 3) / 2 + (1 / 3 + 2 / 4) / 2 + 0) / 3),
        ("p_ia", {"k": 5}, (2 + 2 + 0) / 5 / 3),
        ("subtopic_recall", {"k": 1}, 1 / 3),
        ("subtopic_recall", {"k": 5}, 2 / 3),
        ("subtopic_recall", {"k": 5, "rel": 0}, 2 / 3),
    ],
)
def test_metric_has_its_worked_value(metric: str, parameters: dict[str, Any], expected: float) -> None:
    value = diversity.METRICS[metric](["b", "x", "a", "c", "d"], SEEN_TWICE, **parameters)

    assert value == pytest.approx(expected, rel=1e-12)


def test_of_documents_that_add_the_same_the_larger_id_is_ideal() -> None:
    judgments = {"a": {"1": 1, "2": 1}, "é": {"1": 1, "3": 1}, "z": {"2": 1, "3": 1}}

    assert diversity.ideal_docs(diversity.covered(judgments, 1), 0.5) == ["é", "z", "a"]


@pytest.mark.parametrize("metric", sorted(diversity.METRICS))
def test_query_without_a_covered_subtopic_is_empty_and_a_missed_one_is_zero(metric: str) -> None:
    parameters = {"k": 5} if metric not in {"ap_ia", "nnrbp", "nrbp"} else {}

    assert diversity.METRICS[metric](["a"], {"a": {"1": 0}}, **parameters) is None
    assert diversity.METRICS[metric]([], {"a": {"1": 1}}, **parameters) == 0
