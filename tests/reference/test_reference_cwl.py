"""ERR, the C/W/L metrics, compat and accuracy against the providers of ir_measures."""

import math
import random
from typing import Any

import ir_measures
import pytest
from ir_measures import BPM, ERR, INSQ, INST, NERR8, NERR9, NERR10, NERR11, RBP, SDCG, Accuracy, Compat

from tests.reference import cwl
from tests.reference import definitions as reference
from tests.reference.shared import Judged, Ranking

pytestmark = pytest.mark.slow

Values = dict[str, dict[str, float]]


def random_queries() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """A run without ties, in rank order, and judgments: negative, missing, unreturned and of every grade to 4."""
    rng = random.Random(20240911)
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for number in range(250):
        query = f"{number + 1}"
        docs = [f"d{place:02}" for place in range(rng.choice([2, 4, 10, 30]))]
        grades = rng.choice([[0, 1], [0, 1, 2, 3, 4], [-2, 0, 0, 0, 2], [-1, 0, 1]])
        qrels[query] = {doc: rng.choice(grades) for doc in rng.sample(docs, rng.randint(1, len(docs)))}
        returned = rng.sample(docs, rng.randint(1, len(docs)))
        run[query] = {doc: float(len(docs) - place) for place, doc in enumerate(returned)}
    qrels["1"]["d00"] = 4
    return run, qrels


RUN, QRELS = random_queries()
JUDGMENTS = [
    ir_measures.Qrel(query, doc, relevance) for query, pairs in QRELS.items() for doc, relevance in pairs.items()
]
SCORED = [ir_measures.ScoredDoc(query, doc, score) for query, pairs in RUN.items() for doc, score in pairs.items()]

CWL: list[tuple[Any, str, int | None, dict[str, Any]]] = [
    (NERR8(max_rel=4) @ 10, "nerr8", 10, {}),
    (NERR8(max_rel=3) @ 3, "nerr8", 3, {"max": 3}),
    (NERR9(max_rel=4) @ 10, "nerr9", 10, {}),
    (NERR9(max_rel=2, min_rel=1) @ 5, "nerr9", 5, {"min": 1, "max": 2}),
    (NERR10(max_rel=4), "nerr10", None, {"max": "data"}),
    (NERR10(max_rel=5, p=0.5), "nerr10", None, {"max": 5, "p": 0.5}),
    (NERR11(max_rel=4), "nerr11", None, {}),
    (NERR11(max_rel=2, T=2.5), "nerr11", None, {"max": 2, "t": 2.5}),
    (INSQ(max_rel=4), "insq", None, {}),
    (INSQ(max_rel=3, min_rel=1, T=2), "insq", None, {"min": 1, "max": 3, "t": 2}),
    (INST(max_rel=4), "inst", None, {}),
    (INST(max_rel=1, T=3), "inst", None, {"max": 1, "t": 3}),
    (INST(max_rel=2, T=0.5), "inst", None, {"max": 2, "t": 0.5}),
    (SDCG(max_rel=4) @ 10, "sdcg", 10, {}),
    (SDCG(max_rel=2, min_rel=1) @ 1, "sdcg", 1, {"min": 1, "max": 2}),
    (BPM(max_rel=4) @ 10, "bpm", 10, {}),
    (BPM(max_rel=2, T=2) @ 5, "bpm", 5, {"max": 2, "t": 2}),
    (BPM(max_rel=4, T=0.25) @ 20, "bpm", 20, {"t": 0.25}),
    (BPM(max_rel=3, min_rel=1, T=0.5) @ 5, "bpm", 5, {"min": 1, "max": 3, "t": 0.5}),
    (BPM(max_rel=1) @ 1, "bpm", 1, {"max": 1}),
]
BINARY_RBP: list[tuple[Any, str, int | None, dict[str, Any]]] = [
    (RBP(rel=1, p=0.8), "rbp", 1000, {"grade": "binary", "p": 0.8}),
    (RBP(rel=2, p=0.5), "rbp", 1000, {"grade": "binary", "p": 0.5, "rel": 2}),
]


@pytest.fixture(scope="module")
def theirs() -> dict[Any, dict[str, float]]:
    """Values of cwl_eval by measure and query."""
    values: dict[Any, dict[str, float]] = {}
    for found in ir_measures.cwl_eval.iter_calc([measure for measure, *_ in CWL + BINARY_RBP], JUDGMENTS, SCORED):
        values.setdefault(found.measure, {})[found.query_id] = found.value
    return values


@pytest.mark.parametrize(("measure", "metric", "k", "parameters"), CWL, ids=lambda value: str(value))
def test_metric_agrees_with_cwl_eval(
    theirs: dict[Any, dict[str, float]], measure: Any, metric: str, k: int | None, parameters: dict[str, Any]
) -> None:
    ours = reference.evaluate(RUN, QRELS, metric, k, **parameters)

    assert ours == pytest.approx(theirs[measure], abs=1e-12)
    assert len(set(ours.values())) > 1


@pytest.mark.parametrize(("measure", "metric", "k", "parameters"), BINARY_RBP)
def test_binary_rbp_agrees_with_cwl_eval(
    theirs: dict[Any, dict[str, float]], measure: Any, metric: str, k: int | None, parameters: dict[str, Any]
) -> None:
    ours = reference.evaluate(RUN, QRELS, metric, k, **parameters)

    whole = 1 - parameters["p"] ** 1000
    assert ours == pytest.approx({query: value * whole for query, value in theirs[measure].items()}, abs=1e-12)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_err_agrees_with_gdeval_to_its_five_decimals(k: int) -> None:
    theirs = {found.query_id: found.value for found in ir_measures.gdeval.iter_calc([ERR @ k], JUDGMENTS, SCORED)}

    ours = reference.evaluate(RUN, QRELS, "err", k, max=4)

    assert ours == pytest.approx(theirs, abs=0.0000051)
    assert ours == reference.evaluate(RUN, QRELS, "err", k)


@pytest.mark.parametrize(
    ("measure", "parameters"),
    [
        (Compat, {}),
        (Compat(p=0.8), {"p": 0.8}),
        (Compat(p=0.9, normalize=False), {"p": 0.9, "normalize": "no"}),
    ],
)
def test_compat_agrees_with_ir_measures(measure: Any, parameters: dict[str, Any]) -> None:
    theirs = {found.query_id: found.value for found in ir_measures.compat.iter_calc([measure], JUDGMENTS, SCORED)}

    ours = reference.evaluate(RUN, QRELS, "compat", **parameters)

    assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(("k", "rel"), [(None, 1), (None, 2), (3, 1), (10, 3)])
def test_accuracy_agrees_with_ir_measures_where_the_top_has_both_kinds(k: int | None, rel: int) -> None:
    ours = {query: cwl.accuracy(*relevances(query), k, rel=rel) for query in RUN}
    defined = {query: value for query, value in ours.items() if not math.isnan(value)}
    measure = Accuracy(rel=rel) if k is None else Accuracy(rel=rel) @ k
    scored = [row for row in SCORED if row.query_id in defined]

    theirs = {found.query_id: found.value for found in ir_measures.accuracy.iter_calc([measure], JUDGMENTS, scored)}

    assert defined == pytest.approx(theirs, abs=1e-12)
    assert 20 < len(defined) < len(RUN)


def relevances(query: str) -> tuple[Ranking, Judged]:
    """Relevances of the documents in rank order, and of the judged."""
    return [QRELS[query].get(doc) for doc in RUN[query]], list(QRELS[query].values())


@pytest.mark.parametrize(
    ("ranking", "k", "expected"),
    [
        ([1, 0], None, 1),
        ([0, None, 1, 1], None, 0),
        ([1, 0, 2, None], None, 3 / 4),
        ([1, 0, 1, 0], 3, 1 / 2),
        ([1, 1], None, None),
        ([0, None], None, None),
        ([1, 0], 1, None),
        ([], None, None),
    ],
)
def test_accuracy_needs_a_document_of_each_kind(ranking: Ranking, k: int | None, expected: float | None) -> None:
    value = cwl.accuracy(ranking, [1, 1], k)

    assert math.isnan(value) if expected is None else value == expected


@pytest.mark.parametrize(
    ("metric", "ranking", "judged", "k", "parameters", "expected"),
    [
        ("err", [2, 0, 1], [2, 1], 3, {"max": 2}, 3 / 4 + 1 / 4 * (1 / 4) / 3),
        ("err", [1, 1], [1, 1], 1, {"max": 1}, 1 / 2),
        ("err", [-1, 1], [-1, 1], 2, {"max": 1}, 1 / 4),
        ("err", [3, 1], [3, 1], 2, {"max": 1}, 1 / 2 + 1 / 2 * 1 / 2 / 2),
        ("nerr8", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 1 / 2) / (1 + 1 / 2)),
        ("nerr9", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 1 / 4) / (1 + 1 / 4)),
        ("nerr10", [1, 2], [1, 2], 2, {"max": 2, "p": 0.5}, (1 / 2 + 1 / 4) / (1 + 1 / 4)),
        ("nerr11", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 4 / 9 / 2) / (1 + 4 / 9 / 2)),
        ("insq", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 4 / 9) / (1 + 4 / 9)),
        ("inst", [1, 0, 1], [1, 1], 3, {"max": 1}, (1 + 1 / 9) / (1 + 1 / 4 + 1 / 9)),
        ("sdcg", [0, 2], [2], 2, {"max": 2}, (1 / math.log2(3)) / (1 + 1 / math.log2(3))),
        ("bpm", [0, 1, 1], [1, 1], 3, {"max": 2}, 1 / 3),
        ("bpm", [0, 2, 1], [2, 1], 3, {"max": 2}, 1 / 2),
        ("bpm", [1] * 10 + [10], [1] * 10 + [10], 11, {"max": 10}, 1 / 10),
        ("sdcg", [5, 1], [5, 1], 2, {"min": 1, "max": 3}, 1 / (1 + 1 / math.log2(3))),
        ("compat", [0, 1], [1, 0], None, {"p": 0.5}, (1 / 2 / 2) / (1 + 1 / 2 / 2)),
    ],
)
def test_metric_has_its_worked_value(
    metric: str, ranking: Ranking, judged: Judged, k: int | None, parameters: dict[str, Any], expected: float
) -> None:
    value = reference.METRICS[metric](ranking, judged, k, **parameters)

    assert value == pytest.approx(expected, rel=1e-14)


def test_there_is_no_gain_where_the_largest_relevance_is_the_smallest() -> None:
    assert cwl.sdcg([0, 0], [0, 0], 3, max="data", top=0) == 0
    assert cwl.bpm([2, 1], [2, 1], 3, min=2, max="data", top=2) == 0
    assert cwl.err([0], [0], 3, max="data", top=0) == 0


def test_best_ranking_of_compat_has_documents_not_returned_last() -> None:
    assert cwl.compat([None, 1], [1, 1], p=0.5, normalize="no") == pytest.approx((0 + 1 / 2 * 1 / 2) / (1 + 1 / 2))
    assert cwl.compat([1, 2], [1, 2], p=0.5, normalize="no") == pytest.approx((0 + 1 / 2) / (1 + 1 / 2))
