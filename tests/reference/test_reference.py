"""The reference functions against worked examples and pytrec_eval."""

import math
import random
from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest
import pytrec_eval

from tests.reference import cwl, trec
from tests.reference import definitions as reference
from tests.reference.shared import Judged, Ranking

pytestmark = pytest.mark.slow

Table = dict[str, dict[str, Any]]

LETTERS: Ranking = [7, 2, 5, 10, 1]
GRADED: Ranking = [3, 2, 3, 0, 1, 2]
GRADED_JUDGED: Judged = [3, 3, 3, 2, 2, 1]
SHIFTED: Ranking = [4, 5, 2, 3, 1]
HALF: Ranking = [1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("metric", "ranking", "judged", "k", "parameters", "expected"),
    [
        ("dcg", LETTERS, LETTERS, 5, {}, 15.455477895111388),
        ("ideal_dcg", LETTERS, LETTERS, 5, {"ideal": "retrieved"}, 18.16471419838153),
        ("ndcg", LETTERS, LETTERS, 5, {"ideal": "retrieved"}, 0.8508516966640997),
        ("dcg", LETTERS, LETTERS, 5, {"gain": "exp2"}, 585.36176097703),
        ("ideal_dcg", LETTERS, LETTERS, 5, {"gain": "exp2", "ideal": "retrieved"}, 1120.3069611850299),
        ("ndcg", LETTERS, LETTERS, 5, {"gain": "exp2", "ideal": "retrieved"}, 0.5225012262334338),
        ("dcg", GRADED, GRADED_JUDGED, 6, {}, 6.861126688593502),
        ("ideal_dcg", GRADED, GRADED_JUDGED, 6, {}, 8.384055178438263),
        ("ndcg", GRADED, GRADED_JUDGED, 6, {}, 0.8183541904922859),
        ("dcg", GRADED, GRADED_JUDGED, 6, {"gain": "exp2"}, 13.848263629272981),
        ("ideal_dcg", GRADED, GRADED_JUDGED, 6, {"gain": "exp2"}, 17.725303558032028),
        ("ndcg", GRADED, GRADED_JUDGED, 6, {"gain": "exp2"}, 0.7812708867825168),
        ("dcg", GRADED, GRADED_JUDGED, 6, {"gain": "exp2", "discount": "letor"}, 16.00774325477722),
        ("ideal_dcg", GRADED, GRADED_JUDGED, 6, {"gain": "exp2", "discount": "letor"}, 21.595390756454925),
        ("ndcg", GRADED, GRADED_JUDGED, 6, {"gain": "exp2", "discount": "letor"}, 0.7412574023460289),
        ("ndcg", GRADED, GRADED_JUDGED, 6, {"ideal": "retrieved"}, 0.9608081943360617),
        ("dcg", SHIFTED, SHIFTED, 5, {"gain": "exp2"}, 39.46041107446347),
        ("ideal_dcg", SHIFTED, SHIFTED, 5, {"gain": "exp2"}, 45.64282878502658),
        ("ndcg", SHIFTED, SHIFTED, 5, {"gain": "exp2"}, 0.8645478846264829),
        ("ndcg", [3, 2, 1, 0], [3, 2, 1, 0], 4, {"gain": "exp2"}, 1.0),
        ("p", HALF, HALF, 3, {}, 0.6666666666666666),
        ("p", HALF, HALF, 5, {}, 0.6),
        ("ap", [0, 1, 0, 1, 0], [1, 1, 1], None, {"norm": "retrieved"}, 0.5),
        ("ap", [1, 0, 1, 0, 1], [1, 1, 1, 1], None, {"norm": "relevant"}, 0.5666666666666667),
    ],
)
def test_metric_has_its_worked_value(
    metric: str, ranking: Ranking, judged: Judged, k: int | None, parameters: dict[str, Any], expected: float
) -> None:
    value = reference.METRICS[metric](ranking, judged, k, **parameters)

    assert value == pytest.approx(expected, rel=1e-14, abs=0)


def test_mean_of_average_precisions_has_its_worked_value() -> None:
    assert reference.mean([0.4, 0.5, 0.6, 0.9]) == pytest.approx(0.6, rel=1e-14)


def test_mean_leaves_out_skipped_queries() -> None:
    assert reference.mean([0.25, None, 0.75]) == 0.5
    assert math.isnan(reference.mean([None]))


@pytest.mark.parametrize(
    ("metric", "ranking", "judged", "k", "parameters", "expected"),
    [
        ("ap", [1, 0, 1], [1, 1, 1, 1], 2, {"norm": "min"}, 1 / 2),
        ("ap", [1, 0, 1], [1, 1, 1, 1], None, {"norm": "min"}, 5 / 12),
        ("ap", [1, 0, 1], [1, 1, 1], 4, {"norm": "k"}, 5 / 12),
        ("ap", [1, 0, 1], [1, 1, 1], None, {"mean": "geometric"}, 5 / 9),
        ("bpref", [1, 0, 1], [1, 1, 1, 0], None, {"mean": "geometric"}, 1 / 3),
        ("p", [1, 0], [1], 4, {"norm": "returned"}, 1 / 2),
        ("p", [], [1], 4, {"norm": "returned"}, 0),
        ("recall", [1, 0, 1], [1, 1, 1], 2, {"norm": "min"}, 1 / 2),
        ("f", [1, 0, 1, None], [1, 1, 1], 4, {}, 4 / 7),
        ("f", [1, 0, 1, None], [1, 1, 1], 4, {"beta": 2.0}, 5 / 8),
        ("hits", [1, 0, 1, None], [1, 1, 1], 2, {}, 1),
        ("num_q", [], [], None, {}, 1),
        ("set_f", [1, 0], [1], None, {"beta": 2.0}, 5 / 6),
        ("judged", [-1, None, 0], [-1, 0, 2], 4, {}, 2 / 3),
        ("judged", [], [1], 4, {}, 0),
        ("dcg", [0.5, -2, None], [0.5, -2], None, {"discount": "none"}, 0.5),
        ("dcg", [0, 1], [0, 1], None, {"discount": "ln"}, 1 / math.log(3)),
        ("dcg", [2, 1, 3], [2, 1, 3], None, {"gain": {1: 5, 2: 0.5}, "discount": "none"}, 5.5),
        ("ideal_dcg", [], [1, 2], 1, {"gain": {1: 5, 2: 0.5}}, 5),
        ("ideal_dcg", [1, 2, 3], [1, 2, 3], 2, {"ideal": "retrieved", "discount": "none"}, 5),
        ("ndcg", [1], [1], 2, {"ideal": "full", "top_gain": 4.0, "discount": "none"}, 1 / 8),
        ("ndcg", [0], [0, 1], None, {"ideal": "retrieved"}, 0),
    ],
)
def test_parameter_changes_the_value_by_its_definition(
    metric: str, ranking: Ranking, judged: Judged, k: int | None, parameters: dict[str, Any], expected: float
) -> None:
    value = reference.METRICS[metric](ranking, judged, k, **parameters)

    assert value == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("rule", "total", "hits"),
    [
        ("ceil", 1, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("round", 1, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]),
        ("ceil", 4, [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]),
        ("round", 4, [0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4]),
        ("ceil", 5, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        ("round", 5, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        ("ceil", 8, [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8]),
        ("round", 8, [0, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8]),
    ],
)
def test_recall_level_requires_the_hits_of_its_rule(rule: str, total: int, hits: list[int]) -> None:
    assert [trec.required_hits(tenth / 10, total, rule) for tenth in range(11)] == hits


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("doc-desc", [None, 0, 2, 1]),
        ("doc-asc", [1, 2, 0, None]),
        ("best", [2, 1, None, 0]),
        ("worst", [None, 0, 1, 2]),
        ("input", [2, None, 1, 0]),
    ],
)
def test_equal_scores_are_ordered_by_the_tie_rule(ties: str, expected: Ranking) -> None:
    scores = {"a": 1.0, "é": 1.0, "B": 1.0, "b": 1.0}

    assert reference.rank(scores, {"a": 2, "B": 1, "b": 0}, ties=ties) == expected


def test_depth_cuts_before_unjudged_documents_are_removed() -> None:
    scores = {"a": 1.0, "x": 2.0, "b": 3.0, "c": 4.0}
    judgments = {"a": 1, "b": -1, "c": 3}

    assert reference.rank(scores, judgments, depth=3, unjudged="remove") == [3]
    assert reference.rank(scores, judgments, depth=2, order="asc", unjudged="remove") == [1]


def test_query_set_decides_which_queries_are_evaluated() -> None:
    run = {"both": {"a": 1.0}, "only run": {"a": 1.0}}
    qrels = {"only judged": {"a": 1}, "both": {"a": 1}}

    assert reference.evaluate(run, qrels, "rr") == {"only judged": 0.0, "both": 1.0}
    assert reference.evaluate(run, qrels, "rr", query_set="shared") == {"both": 1.0}
    assert reference.evaluate(run, qrels, "rr", query_set="run") == {"both": 1.0, "only run": 0.0}


@pytest.mark.parametrize(("empty", "expected"), [("zero", 0.0), ("one", 1.0), ("skip", None)])
def test_empty_query_gets_the_value_asked_for(empty: str, expected: float | None) -> None:
    qrels = {"empty": {"a": 0}, "missed": {"a": 1}}

    assert reference.evaluate({}, qrels, "ndcg", empty=empty) == {"empty": expected, "missed": 0.0}


def test_full_ideal_takes_the_top_gain_of_all_queries() -> None:
    run = {"1": {"a": 1.0}}
    qrels = {"1": {"a": 1}, "2": {"a": 3}}

    values = reference.evaluate(run, qrels, "ndcg", 1, gain="exp2", ideal="full", query_set="shared")

    assert values == {"1": pytest.approx(1 / 7)}


def call(metric: str, ranking: Ranking, judged: Judged, **parameters: Any) -> Any:
    """A metric with what it cannot do without."""
    k = 5 if metric in {"bpm", "err", "f", "nerr8", "nerr9", "p", "sdcg", "unj"} else None
    if metric == "iprec":
        parameters["recall"] = 0.0
    return reference.METRICS[metric](ranking, judged, k, **reference.with_largest(metric, parameters, judged))


@pytest.mark.parametrize("metric", sorted(reference.METRICS))
def test_query_with_nothing_to_find_is_empty_except_for_sums_and_counts(metric: str) -> None:
    unbounded = {"dcg", "ideal_dcg", "judged", "rbp", "rbp_resid", "unj", "utility", "yaap"} | reference.OF_TOP
    counts = {"hits", "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}

    value = call(metric, [0, None, -1], [0, 0, -1])

    assert (value is None) == (metric not in unbounded | counts | {"accuracy", "relstring"})


@pytest.mark.parametrize(
    "metric",
    sorted(set(reference.METRICS) - {"accuracy", "ideal_dcg", "num_q", "num_rel", "rbp_resid", "relstring", "yaap"}),
)
def test_missed_query_has_value_zero(metric: str) -> None:
    assert call(metric, [], [0, 2]) == 0.0


@pytest.mark.parametrize(
    "metric",
    sorted({name for name, metric in reference.METRICS.items() if "rel" in signature(metric).parameters} - {"rbp"}),
)
def test_relevance_of_1_is_relevant_unless_another_is_given(metric: str) -> None:
    assert call(metric, [1, 0], [1, 0]) == call(metric, [1, 0], [1, 0], rel=1.0)
    assert call(metric, [1, 0], [1, 0]) != call(metric, [1, 0], [1, 0], rel=2.0)


@pytest.mark.parametrize("empty", ["zero", "one", "skip"])
def test_undefined_query_has_no_value_whatever_an_empty_one_has(empty: str) -> None:
    run = {"one kind": {"a": 2.0, "b": 1.0}, "both": {"a": 1.0, "b": 2.0}}
    qrels = {"one kind": {"a": 1, "b": 1}, "both": {"a": 1}}

    assert reference.evaluate(run, qrels, "accuracy", empty=empty) == {"one kind": None, "both": 0.0}


def test_largest_relevance_is_that_of_all_queries() -> None:
    run = {"1": {"a": 1.0}}
    qrels = {"1": {"a": 1}, "2": {"a": 2}}

    assert reference.evaluate(run, qrels, "err", 1, query_set="shared") == {"1": 1 / 4}
    assert reference.evaluate(run, qrels, "err", 1, query_set="shared", max=1) == {"1": 1 / 2}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reference.p([1], [1]), "needs k"),
        (lambda: reference.f([1], [1]), "needs k"),
        (lambda: reference.ndcg([1], [1], ideal="full", top_gain=1.0), "needs k"),
        (lambda: reference.ndcg([1], [1], 3, ideal="full"), "needs top_gain"),
        (lambda: reference.set_p([1], [1], 3), "takes no k"),
        (lambda: reference.ap([1], [1], norm="k"), "needs k"),
        (lambda: trec.unj([1], [1]), "needs k"),
        (lambda: trec.utility([1], [1], tn=1.0), "needs documents"),
        (lambda: cwl.err([1], [1], 3), "needs top"),
        (lambda: cwl.sdcg([1], [1], max=2), "needs k"),
    ],
)
def test_wrong_call_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def random_queries() -> tuple[Table, Table]:
    """A run and qrels with tied scores and negative, unjudged, missing and nothing-relevant cases.

    Scores are multiples of 1/8, exact in the 32-bit floats of pytrec_eval. Every query has a judgment that is
    not negative, without which pytrec_eval is unreliable.
    """
    rng = random.Random(20240607)
    alphabet = ["0", "9", "A", "Z", "a", "z", "é", "文", "🙂"]
    run: Table = {}
    qrels: Table = {}
    for number in range(600):
        query = f"q{number}"
        docs = ["".join(rng.choices(alphabet, k=4)) for _ in range(rng.choice([2, 3, 5, 12, 40]))]
        judged = rng.sample(docs, rng.randint(1, len(docs)))
        grades = rng.choice([[0, 1], [0, 1, 2, 3], [-2, -1, 0, 1, 2, 5], [-1, 0], [0], [0, 0, 0, 0, 2]])
        if number % 10 != 1:
            qrels[query] = {doc: rng.choice(grades) for doc in judged}
            qrels[query][judged[0]] = max(qrels[query][judged[0]], 0)
        if number % 10 != 2:
            retrieved = rng.sample(docs, rng.randint(1, len(docs)))
            spread = rng.choice([1, 4, 400])
            run[query] = {doc: rng.randint(-spread, spread) / 8 for doc in retrieved}
    return run, qrels


RUN, QRELS = random_queries()
CUTOFFS = [1, 2, 3, 5, 10, 50]
MULTIPLES = [fifth / 5 for fifth in range(1, 11)]
GRADED_MEASURES: list[tuple[str, str, int | None, dict[str, Any]]] = [
    ("ndcg", "ndcg", None, {}),
    ("Rndcg", "rndcg", None, {}),
    ("ndcg_rel", "ndcg_rel", None, {}),
    ("G", "g", None, {}),
    *((f"ndcg_cut_{k}", "ndcg", k, {}) for k in CUTOFFS),
]
BINARY_MEASURES: list[tuple[str, str, int | None, dict[str, Any]]] = [
    ("map", "ap", None, {}),
    ("recip_rank", "rr", None, {}),
    ("Rprec", "rprec", None, {}),
    ("bpref", "bpref", None, {}),
    ("infAP", "infap", None, {}),
    ("binG", "bing", None, {}),
    ("11pt_avg", "ap_11pt", None, {"rule": "ceil"}),
    ("utility", "utility", None, {}),
    ("num_nonrel_judged_ret", "num_nonrel_judged_ret", None, {}),
    ("set_map", "set_ap", None, {}),
    ("set_relative_P", "set_p", None, {"norm": "min"}),
    ("set_P", "set_p", None, {}),
    ("set_recall", "set_recall", None, {}),
    ("set_F", "set_f", None, {}),
    ("num_rel", "num_rel", None, {}),
    ("num_rel_ret", "num_rel_ret", None, {}),
    *((f"map_cut_{k}", "ap", k, {}) for k in CUTOFFS),
    *((f"P_{k}", "p", k, {}) for k in CUTOFFS),
    *((f"recall_{k}", "recall", k, {}) for k in CUTOFFS),
    *((f"success_{k}", "success", k, {}) for k in CUTOFFS),
    *((f"relative_P_{k}", "recall", k, {"norm": "min"}) for k in CUTOFFS),
    *((f"Rprec_mult_{mult:.2f}", "rprec", None, {"mult": mult}) for mult in MULTIPLES),
    *(
        (f"iprec_at_recall_{tenth / 10:.2f}", "iprec", None, {"recall": tenth / 10, "rule": "ceil"})
        for tenth in range(11)
    ),
]


@pytest.fixture(scope="module")
def pytrec_values() -> dict[int, dict[str, dict[str, float]]]:
    """Values of pytrec_eval by relevance level, query and measure."""
    cutoffs = ",".join(map(str, CUTOFFS))
    recalls = ",".join(f"{tenth / 10:.2f}" for tenth in range(11))
    multiples = ",".join(f"{mult:.2f}" for mult in MULTIPLES)
    measures = {measure for measure, *_ in GRADED_MEASURES + BINARY_MEASURES} & pytrec_eval.supported_measures
    measures |= {"num_ret", f"iprec_at_recall.{recalls}", f"Rprec_mult.{multiples}"}
    measures |= {f"{name}.{cutoffs}" for name in ("map_cut", "P", "recall", "relative_P", "success", "ndcg_cut")}
    return {
        level: pytrec_eval.RelevanceEvaluator(QRELS, measures, relevance_level=level).evaluate(RUN) for level in (1, 2)
    }


def assert_same(ours: dict[str, float | None], theirs: dict[str, dict[str, float]], measure: str) -> None:
    """Compare every query, naming the ones that differ."""
    assert ours == {query: pytest.approx(values[measure], abs=1e-12) for query, values in theirs.items()}


@pytest.mark.parametrize(("measure", "metric", "k", "parameters"), GRADED_MEASURES)
def test_graded_metric_agrees_with_pytrec_eval(
    pytrec_values: dict[int, dict[str, dict[str, float]]],
    measure: str,
    metric: str,
    k: int | None,
    parameters: dict[str, Any],
) -> None:
    ours = reference.evaluate(RUN, QRELS, metric, k, query_set="shared", **parameters)

    assert_same(ours, pytrec_values[1], measure)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("measure", "metric", "k", "parameters"), BINARY_MEASURES)
def test_binary_metric_agrees_with_pytrec_eval(
    pytrec_values: dict[int, dict[str, dict[str, float]]],
    measure: str,
    metric: str,
    k: int | None,
    parameters: dict[str, Any],
    level: int,
) -> None:
    ours = reference.evaluate(RUN, QRELS, metric, k, query_set="shared", rel=level, **parameters)

    assert_same(ours, pytrec_values[level], measure)


def test_number_retrieved_agrees_with_pytrec_eval(
    pytrec_values: dict[int, dict[str, dict[str, float]]],
) -> None:
    ours = reference.evaluate(RUN, QRELS, "num_ret", query_set="shared")

    assert_same(ours, pytrec_values[1], "num_ret")


@pytest.mark.parametrize(("measure", "metric"), [("map", "ap"), ("ndcg", "ndcg"), ("bpref", "bpref")])
def test_removal_of_unjudged_documents_agrees_with_pytrec_eval(measure: str, metric: str) -> None:
    qrels = {query: values for query, values in QRELS.items() if min(values.values()) >= 0}
    run = {query: RUN[query] for query in qrels if qrels[query].keys() & RUN.get(query, {}).keys()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {measure}, judged_docs_only_flag=True)

    ours = reference.evaluate(run, qrels, metric, query_set="shared", unjudged="remove")

    assert_same(ours, evaluator.evaluate(run), measure)


def test_random_queries_have_every_awkward_case() -> None:
    shared = [query for query in QRELS if query in RUN]

    assert len(shared) > 400
    assert any(query not in RUN for query in QRELS)
    assert any(query not in QRELS for query in RUN)
    assert sum(len(set(RUN[query].values())) < len(RUN[query]) for query in shared) > 100
    assert sum(bool(RUN[query].keys() - QRELS[query].keys()) for query in shared) > 100
    assert sum(min(QRELS[query].values()) < 0 for query in shared) > 50
    assert sum(max(QRELS[query].values()) <= 0 for query in shared) > 50
