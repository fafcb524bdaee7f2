"""Tools that are no packages of Python, by their definitions written out again, on random sets: through `like`.

Elasticsearch's and OpenSearch's rank evaluation, OpenSearch's workbench, Quepid's scorers, RankLib and TensorFlow
Ranking, each read in its source. A set has short lists, grades, ties, queries without anything relevant and, where the
tool knows them, judged documents that were not returned.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import fsum, log2
from typing import Any

import pytest

import sqlrank

SETS = range(40)
K = 5
Ranked = Sequence[float | None]
"""The grades of what was returned in its order, None where there is none."""
Oracle = Callable[[Ranked, list[float]], float | None]
"""The value of a query, of that and of all its grades; None where it has none."""


def dcg(grades: Ranked, gain: Callable[[float], float] = lambda grade: 2**grade - 1) -> float:
    """Discounted gain, to which a document without a grade adds nothing."""
    return fsum(0 if grade is None else gain(grade) / log2(place + 1) for place, grade in enumerate(grades, 1))


def over(part: float, whole: float) -> float:
    """A ratio, 0 of nothing."""
    return part / whole if whole else 0.0


def best(grades: list[float]) -> list[float]:
    """Grades in their best order."""
    return sorted(grades, reverse=True)


def hits(grades: Ranked) -> int:
    """How many are relevant."""
    return sum(grade is not None and grade >= 1 for grade in grades)


def first(grades: Ranked) -> float:
    """One over the place of the first relevant one."""
    return next((1 / place for place, grade in enumerate(grades, 1) if grade is not None and grade >= 1), 0.0)


def err(grades: Ranked, most: float) -> float:
    """Expected reciprocal rank."""
    value, going = 0.0, 1.0
    for place, grade in enumerate(grades, 1):
        chance = (2 ** (grade or 0) - 1) / 2**most
        value += going * chance / place
        going *= 1 - chance
    return value


def precisions(grades: Ranked) -> float:
    """The sum of the precisions at the relevant ones."""
    return fsum(hits(grades[:place]) / place for place in range(1, len(grades) + 1) if hits(grades[place - 1 : place]))


def elasticsearch_ndcg(found: Ranked, judged: list[float]) -> float:
    """The ideal is cut where the hits end."""
    return over(dcg(found[:K]), dcg([*best(judged)[: len(found[:K])]]))


def mean_rank(found: Ranked) -> float | None:
    """TensorFlow Ranking's average relevance position, of which lists with nothing relevant have none."""
    whole = fsum(grade or 0 for grade in found)
    return fsum(place * (grade or 0) for place, grade in enumerate(found, 1)) / whole if whole else None


def bpref(found: Ranked, judged: list[float], trec: bool = True) -> float:
    """TensorFlow Ranking's, whose lists hold every judged document."""
    relevant, others = hits(list(judged)), len(judged) - hits(list(judged))
    least, above, value = min(relevant, others) if trec else relevant, 0, 0.0
    for grade in found:
        if hits([grade]):
            value += 1 - over(min(above, relevant), least)
        else:
            above += 1
    return over(value, relevant)


ORACLES: dict[str, dict[str, Oracle]] = {
    "elasticsearch": {
        f"dcg@{K}": lambda found, judged: dcg(found[:K]),
        f"ndcg@{K}": elasticsearch_ndcg,
        f"p@{K}": lambda found, judged: over(hits(found[:K]), len(found[:K])),
        f"recall@{K}": lambda found, judged: over(hits(found[:K]), hits(list(judged))),
        f"rr@{K}": lambda found, judged: first(found[:K]),
        f"err(max=4)@{K}": lambda found, judged: err(found[:K], 4),
    },
    "opensearch": {
        f"dcg@{K}": lambda found, judged: dcg(found[:K]),
        f"ndcg@{K}": lambda found, judged: over(dcg(found[:K]), dcg([*best(judged)[:K]])),
    },
    "quepid": {
        f"ndcg@{K}": lambda found, judged: over(dcg(found[:K]), dcg([*best(judged)])),
        f"ndcg(ideal=judged)@{K}": lambda found, judged: over(dcg(found[:K]), dcg([*best(judged)[:K]])),
        f"dcg@{K}": lambda found, judged: dcg(found[:K]),
        f"dcg(gain=linear, discount=none)@{K}": lambda found, judged: fsum(grade or 0 for grade in found[:K]),
        f"p@{K}": lambda found, judged: over(hits(found[:K]), len(found[:K])),
        f"rr@{K}": lambda found, judged: first(found[:K]),
        f"err@{K}": lambda found, judged: err(found[:K], 3),
    },
    "quepid's found": {
        f"ap@{K}": lambda found, judged: precisions(found[:K]) / hits(list(judged)) if hits(list(judged)) else None,
    },
    "ranklib": {
        f"ndcg@{K}": lambda found, judged: over(dcg(found[:K]), dcg([*best(judged)[:K]])),
        "ndcg": lambda found, judged: over(dcg(found), dcg([*best(judged)])),
        f"dcg@{K}": lambda found, judged: dcg(found[:K]),
        "ap": lambda found, judged: over(precisions(found), hits(found)),
        f"p@{K}": lambda found, judged: over(hits(found[:K]), len(found[:K])),
        "set_p": lambda found, judged: over(hits(found), len(found)),
        f"rr@{K}": lambda found, judged: first(found[:K]),
        f"err@{K}": lambda found, judged: err(found[:K], 4),
    },
    "tensorflow_ranking": {
        f"ndcg@{K}": lambda found, judged: over(dcg(found[:K]), dcg([*best(judged)[:K]])),
        f"dcg@{K}": lambda found, judged: dcg(found[:K]),
        f"rr@{K}": lambda found, judged: first(found[:K]),
        f"success@{K}": lambda found, judged: float(hits(found[:K]) > 0),
        f"recall@{K}": lambda found, judged: over(hits(found[:K]), hits(list(judged))),
        f"p@{K}": lambda found, judged: over(hits(found[:K]), len(found[:K])),
        "set_p": lambda found, judged: over(hits(found), len(found)),
        f"ap@{K}": lambda found, judged: over(precisions(found[:K]), hits(list(judged))),
        "bpref": bpref,
        "bpref(norm=relevant)": lambda found, judged: bpref(found, judged, trec=False),
        "arp": lambda found, judged: mean_rank(found),
    },
}
ONE_TABLE, DISTINCT = {"ranklib", "tensorflow_ranking"}, {"tensorflow_ranking"}
TOP = {"quepid": 3, "quepid's found": 3}


def make_set(seed: int, tool: str) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Runs and judgments of 12 queries."""
    rng = random.Random(seed)
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for number in range(12):
        query, size = f"q{number:02}", rng.randint(1, 12)
        docs = [f"d{place}" for place in rng.sample(range(100), size)]
        top = TOP.get(tool, 4)
        grades = [0] if number == 3 else list(range(top + 1))
        scores = sorted(rng.sample(range(1, 99), size), reverse=True)
        if tool not in DISTINCT:  # the order of the input settles ties
            scores = [score // 8 for score in scores]
        run[query] = dict(zip(docs, map(float, scores), strict=True))
        qrels[query] = {doc: rng.choice(grades) for doc in docs if tool in ONE_TABLE or rng.random() < 0.7}
        if tool not in ONE_TABLE:
            missed = rng.randint(0, 2) if tool == "elasticsearch" and size >= K else rng.randint(0, 3)
            extra = 0 if tool == "elasticsearch" and size < K else missed
            qrels[query] |= {f"m{place}": rng.choice(grades) for place in range(extra)} or {"m0": 0}
    return run, qrels


@pytest.mark.parametrize("tool", ORACLES)
def test_values_are_those_of_the_tool(tool: str) -> None:
    compared = 0
    for seed in SETS:
        run, qrels = make_set(seed, tool)
        asked = ORACLES[tool]
        with sqlrank.evaluate(run, qrels, list(asked), like=tool.partition("'")[0]) as result:
            values = result.to_dict()
        assert values.keys() == run.keys()
        for query, found in values.items():
            graded: Ranked = [qrels[query].get(doc) for doc in run[query]]
            wanted = [oracle(graded, list(qrels[query].values())) for oracle in asked.values()]
            for name, value, other in zip(asked, found.values(), wanted, strict=True):
                assert value == (None if other is None else pytest.approx(other, abs=1e-12)), (seed, query, name)
                compared += 1
    assert compared == len(SETS) * 12 * len(ORACLES[tool])


def test_unknown_documents_of_elasticsearch_are_graded() -> None:
    run, qrels = make_set(7, "elasticsearch")
    with sqlrank.evaluate(run, qrels, [f"dcg@{K}", f"err(max=4)@{K}"], like="elasticsearch", unjudged=1) as result:
        for query, values in result.to_dict().items():
            graded: Ranked = [float(qrels[query].get(doc, 1)) for doc in run[query]][:K]
            assert list(values.values()) == pytest.approx([dcg(graded), err(graded, 4)], abs=1e-12)


@pytest.mark.parametrize(
    ("tool", "qrels", "metric", "says"),
    [
        ("elasticsearch", {"q": {"a": 1.5}}, "dcg@5", "reads grades as whole numbers"),
        ("ranklib", {"q": {"a": 1.5}}, "ndcg@5", "reads grades as whole numbers"),
        ("quepid", {"q": {"a": 0.5, "b": 1}}, "p@5", "above 0 as relevant, and here from 1 on"),
        ("catboost", {"q": {"a": 0.7}, "r": {"b": 1}}, "p@5", "above 0.5 as relevant"),
        (
            "elasticsearch",
            {"q": {"a": 1, "b": 2, "c": 1}},
            "ndcg@5",
            r"shorter than the cutoff of ndcg\(gain=exp2\)@5, and than what is relevant",
        ),
        ("evidently", {"q": {"a": 1}}, "ap@5", "shorter than the cutoff of ap@5, such as"),
        ("tensorflow_ranking", {"q": {"a": 1, "b": 2}}, "recall@5", "b of query q|'b' of query 'q'"),
    ],
)
def test_data_that_a_tool_reads_otherwise_is_refused(tool: str, qrels: Any, metric: str, says: str) -> None:
    with pytest.raises(sqlrank.DataError, match=says):
        sqlrank.evaluate({"q": {"a": 2.0}}, qrels, [metric], like=tool)
