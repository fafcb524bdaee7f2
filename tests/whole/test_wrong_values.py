"""Numbers that users of other tools reported as wrong or surprising, and what they are here.

Each test is named after the thread it comes from. Where the other tool means something else on purpose, its value is
tested too, under the convention or the preset that has it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cases import arrow
from tests.support.cli_helper import run_cli
from tests.support.tables import each

Table = dict[str, dict[str, float]]

TOLERANCE = 1e-12


def value_of(run: Any, qrels: Any, metric: str, **options: Any) -> float | None:
    """The mean of one metric."""
    with sqlrank.evaluate(run, qrels, metric, **options) as result:
        return result[metric]


def single(scores: Mapping[str, float], judgments: Mapping[str, float], metric: str, **options: Any) -> float | None:
    """One metric of one query."""
    return value_of({"q": dict(scores)}, {"q": dict(judgments)}, metric, **options)


def values_of(run: Any, qrels: Any, metrics: Iterable[str], **options: Any) -> dict[str, float | None]:
    """The means of several metrics, by their texts."""
    with sqlrank.evaluate(run, qrels, list(metrics), **options) as result:
        return {metric: result[metric] for metric in metrics}


def exactly(value: Any) -> Any:
    """A value, or values by their names, to the last digits."""
    return pytest.approx(value, rel=TOLERANCE, abs=TOLERANCE)


def in_order(docs: Sequence[object]) -> dict[str, float]:
    """Scores for documents that are given best first."""
    return {str(doc): float(-place) for place, doc in enumerate(docs)}


def relevant(docs: Sequence[object]) -> dict[str, float]:
    """Judgments for documents that are relevant."""
    return {str(doc): 1.0 for doc in docs}


def graded(grades: Sequence[float], scores: Sequence[float] | None = None) -> tuple[dict[str, float], dict[str, float]]:
    """Scores and judgments of documents by place; the scores fall unless they are given."""
    names = [f"d{place:02}" for place in range(len(grades))]
    fallen = [-float(place) for place in range(len(grades))]
    return dict(zip(names, scores or fallen, strict=True)), dict(zip(names, map(float, grades), strict=True))


@each(
    [
        ({"b": 1.0, "a": 1.0}, {}, 1.0),
        ({"b": 1.0, "c": 1.0}, {}, 0.6309297535714575),
        ({"b": 1.0, "c": 1.0}, {"like": "ranx"}, 1.0),
        ({"c": 1.0, "b": 1.0}, {"like": "ranx"}, 0.6309297535714575),
        ({"a": 1.0, "b": 1.0}, {"ties": "input"}, 0.6309297535714575),
    ]
)
def test_trec_eval_issue_22_a_tie_goes_to_the_larger_document_id(
    case: tuple[dict[str, float], dict[str, Any], float],
) -> None:
    scores, options, expected = case
    assert single(scores, {"a": 0, "b": 1, "c": 0}, "ndcg", **options) == exactly(expected)


def test_trec_eval_issue_22_the_rank_column_decides_where_it_is_asked_to() -> None:
    run = arrow([("q", "a", 1.0, 1.0), ("q", "b", 1.0, 2.0)], "query_id", "doc_id", "score", "rank")

    assert value_of(run, {"q": {"b": 1}}, "rr") == 1
    assert value_of(run, {"q": {"b": 1}}, "rr", ties="rank") == 0.5


@each([("doc-desc", 1.0, 1.0), ("best", 1.0, 1.0), ("doc-asc", 1 / 3, 0.5), ("worst", 1 / 3, 0.5)])
def test_pytrec_eval_issue_56_the_same_scores_are_not_a_wrong_value(case: tuple[str, float, float]) -> None:
    ties, ap, ndcg = case
    run = {"q1": {"d1": 1.0, "d2": 1.0, "d3": 1.0}, "q2": {"d3": 1.0, "d2": 1.0}}
    qrels = {"q1": {"d3": 1}, "q2": {"d2": 1, "d3": 1}}

    values = sqlrank.evaluate(run, qrels, ["ap", "ndcg"], ties=ties).to_dict()

    assert values["q1"] == {"ap": exactly(ap), "ndcg": exactly(ndcg)}
    assert values["q2"] == {"ap": 1.0, "ndcg": 1.0}


ISSUE_51 = {
    "1677128#0": 2.921875,
    "5712855#212": 2.921875,
    "4200727#1": 2.890625,
    "3750848#3": 2.875,
    "doc4": 2.875,
    "512030#0": 2.8125,
    "512030#1": 2.8125,
    "5708398#5": 2.8125,
    "6615597#2": 2.796875,
    "512030#6": 2.765625,
}


@each(
    [
        ({}, 0.6509209298071326),
        ({"like": "trec_eval-9"}, 0.6509209298071326),
        ({"ties": "average"}, 0.7506329176709435),
        ({"like": "sklearn"}, 0.7506329176709435),
        ({"ties": "best"}, 0.8772153153380494),
    ]
)
def test_pytrec_eval_issue_51_a_tie_has_three_values(case: tuple[dict[str, Any], float]) -> None:
    options, expected = case
    assert single(ISSUE_51, {"1677128#0": 1, "doc4": 1}, "ndcg@10", **options) == exactly(expected)


@each([({}, 1.0), ({"like": "trec_eval"}, 1.0), ({"score_type": "float"}, 0.5), ({"like": "trec_eval-9"}, 0.5)])
def test_trec_eval_issue_34_scores_of_32_bits_are_tied(case: tuple[dict[str, Any], float]) -> None:
    options, expected = case
    assert single({"a": 0.92226214537, "b": 0.92226214536}, {"a": 1}, "rr", **options) == expected


@each(
    [
        ("iprec@0.6", {}, 1.0),
        ("iprec_at_recall_0.60", {"like": "trec_eval"}, 1.0),
        ("iprec(recall=0.6, rule=ceil)", {}, 2 / 3),
        ("iprec_at_recall_0.60", {"like": "trec_eval-9"}, 2 / 3),
        ("11pt_avg", {"like": "trec_eval"}, (8 * 1 + 3 * 2 / 3) / 11),
        ("11pt_avg", {"like": "trec_eval-9"}, (6 * 1 + 5 * 2 / 3) / 11),
    ]
)
def test_trec_eval_10_reaches_a_recall_with_fewer_hits_than_9(case: tuple[str, dict[str, Any], float]) -> None:
    metric, options, expected = case
    assert single(in_order("abcd"), relevant("ac"), metric, **options) == exactly(expected)


def test_trec_eval_10_and_9_differ_in_27_of_121_interpolated_precisions() -> None:
    found = {number: [f"d{place:02}" for place in range(2 * number)] for number in range(1, 12)}
    run = {f"{number}": in_order(docs) for number, docs in found.items()}
    qrels = {f"{number}": relevant(docs[::2]) for number, docs in found.items()}
    points = [f"iprec_at_recall_{point / 10:.2f}" for point in range(11)]

    ten, nine = (
        [list(values.values()) for values in sqlrank.evaluate(run, qrels, points, like=like).to_dict().values()]
        for like in ("trec_eval", "trec_eval-9")
    )

    pairs = [(a, b) for left, right in zip(ten, nine, strict=True) for a, b in zip(left, right, strict=True)]
    assert len(pairs) == 121
    assert sum(a != b for a, b in pairs) == 27


def test_trec_eval_10_stops_where_a_query_has_no_results_and_names_the_wrong_side(tmp_path: Path) -> None:
    run, qrels = tmp_path / "run.trec", tmp_path / "qrels.trec"
    run.write_text("q1 Q0 a 1 1.0 run\n", encoding="utf-8")
    qrels.write_text("q1 0 a 1\nq2 0 b 1\n", encoding="utf-8")

    outcome = run_cli("eval", run, "--qrels", qrels, "-m", "map", "--like", "trec_eval", "--format", "csv")

    assert (outcome.code, outcome.values["run", "ap"]) == (0, "0.5")
    assert "2 judged queries, 1 without results" in outcome.err


@each(
    [
        ("p@1", {}, 0.0),
        ("p@1", {"unjudged": "remove"}, 1.0),
        ("ndcg", {}, 0.6309297535714575),
        ("ndcg", {"unjudged": "remove"}, 1.0),
        ("unj@1", {}, 1.0),
        ("judged@1", {}, 1.0),
    ]
)
def test_trec_eval_issue_29_a_negative_judgment_is_none(case: tuple[str, dict[str, Any], float]) -> None:
    metric, options, expected = case
    assert single({"D1": 2.0, "D2": 1.0}, {"D1": -1, "D2": 1}, metric, **options) == exactly(expected)


@each(
    [
        ("ndcg", (0.5 + 1.7 / math.log2(3)) / (1.7 + 0.5 / math.log2(3))),
        ("ndcg(gain=0.5:0,1.7:1)", 0.6309297535714575),
        ("num_rel", 1.0),
        ("num_rel(rel=0.5)", 2.0),
    ]
)
def test_trec_eval_issue_49_a_fraction_of_relevance_is_not_cut_off(case: tuple[str, float]) -> None:
    metric, expected = case
    assert single({"b": 2.0, "a": 1.0}, {"a": 1.7, "b": 0.5}, metric) == exactly(expected)


COPIES = {
    "dokimos 110": ("aab", "a", "recall@10", 1.0, 2.0),
    "gbrain 4631, recall": ("aaa", "ab", "recall@3", 0.5, 1.5),
    "gbrain 4631, nDCG": ("aaa", "ab", "ndcg@3", 0.6131471927654584, 1.3065735963827294),
}


@each(dict(zip(COPIES, COPIES.values(), strict=True)))
def test_a_document_that_is_shown_again_counts_once_or_is_refused(case: tuple[str, str, str, float, float]) -> None:
    shown, judged, metric, expected, counted_again = case
    run = arrow([("q", doc, -float(place)) for place, doc in enumerate(shown)], "query_id", "doc_id", "score")
    qrels = {"q": relevant(judged)}

    with pytest.raises(sqlrank.DataError, match=r"document 'a' of query 'q' appears [23] times"):
        value_of(run, qrels, metric)
    for choice in ("best", "first"):
        value = value_of(run, qrels, metric, duplicates=choice)
        assert value == exactly(expected)
        assert value is not None
        assert value < counted_again


@each(["trec_eval", "trec_eval-9", "ir_measures", "ranx"])
def test_pytrec_eval_issue_50_no_tool_makes_copies_pass_unseen(like: str) -> None:
    run = arrow([("q", "a", 2.0), ("q", "a", 1.0)], "query_id", "doc_id", "score")

    with pytest.raises(sqlrank.DataError, match="document 'a' of query 'q' appears 2 times"):
        value_of(run, {"q": {"a": 1}}, "ndcg", like=like)


def test_trectools_issue_52_judgments_that_stand_twice_do_not_move_the_ideal() -> None:
    rows = [("q", "a", 1.0), ("q", "b", 2.0), ("q", "c", 1.0)]
    once, twice = (arrow(given, "query_id", "doc_id", "relevance") for given in (rows, rows * 2))
    run = {"q": {"c": 2.0, "a": 1.0}}

    with pytest.raises(sqlrank.DataError, match="2 judgments"):
        value_of(run, twice, "ndcg")
    assert value_of(run, twice, "ndcg", judgments="max") == value_of(run, once, "ndcg")


@each(
    [
        ({}, 0.5),
        ({"query_set": "shared"}, 1.0),
        ({"like": "trec_eval"}, 0.5),
        ({"like": "ir_measures"}, 0.5),
        ({"like": "ranx"}, 0.5),
    ]
)
def test_ranx_issue_27_a_query_without_results_is_a_failure_unless_it_is_left_out(
    case: tuple[dict[str, Any], float],
) -> None:
    options, expected = case
    assert value_of({"q1": {"a": 1.0}}, {"q1": {"a": 1}, "q2": {"b": 1}}, "map", **options) == expected


@each(
    [
        ("p@2", 0.25, 0.5),
        ("recall@2", 0.25, 0.5),
        ("ap@2", 0.25, 0.5),
        ("ndcg@2", 0.3065735963827292, 0.3065735963827292),
    ]
)
def test_recommenders_leaves_a_user_without_results_out_of_some_metrics(case: tuple[str, float, float]) -> None:
    metric, default, theirs = case
    run, qrels = {"1": in_order([10, 99])}, {"1": relevant([10, 11]), "2": relevant([12])}

    assert value_of(run, qrels, metric) == exactly(default)
    assert value_of(run, qrels, metric, like="recommenders") == exactly(theirs)


def test_recommenders_metrics_over_different_users_are_not_evaluated_together() -> None:
    run, qrels = {"1": in_order([10, 99])}, {"1": relevant([10, 11]), "2": relevant([12])}

    with pytest.raises(sqlrank.UsageError, match="apart"):
        sqlrank.evaluate(run, qrels, ["p@2", "ndcg@2"], like="recommenders")


def test_pytrec_eval_issue_49_a_query_without_judgments_leaves_the_others_alone() -> None:
    run = {"q1": {"d1": 1.0, "d2": 0.5}, "q2": {"d1": 1.0}, "q3": {"d2": 1.0, "d3": 0.5}}
    qrels: Table = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {}, "q3": {"d2": 1, "d3": 1}}
    right = {"q1": {"ap": 0.5, "ndcg": exactly(0.6309297535714575)}, "q3": {"ap": 1.0, "ndcg": 1.0}}

    for _ in range(5):
        with sqlrank.evaluate(run, qrels, ["ap", "ndcg"]) as result:
            assert result.to_dict() == right
            assert result.counts["run"].unjudged == 1
            assert result["ap"] == 0.75


def test_mteb_issue_3030_a_query_without_judgments_has_nothing_to_find_where_it_counts() -> None:
    run = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}

    values = sqlrank.evaluate(run, {"q1": {"d1": 1}}, "ndcg@10", query_set="run").to_dict()

    assert values == {"q1": {"ndcg@10": 1.0}, "q2": {"ndcg@10": 0.0}}


@each(
    [
        ({}, 0.5),
        ({"like": "sklearn"}, 0.5),
        ({"like": "xgboost"}, 1.0),
        ({"like": "lightgbm"}, 1.0),
        ({"like": "torchmetrics"}, 0.5),
        ({"empty": "skip"}, 1.0),
        ({"like": "xgboost", "empty": "zero"}, 0.5),
    ]
)
def test_xgboost_issue_2208_a_list_without_positives_is_worth_what_is_asked(case: tuple[dict[str, Any], float]) -> None:
    options, expected = case
    run = {"none": in_order("abc"), "one": in_order("abc")}
    qrels = {"none": {"a": 0, "b": 0, "c": 0}, "one": {"a": 1, "b": 0, "c": 0}}

    assert value_of(run, qrels, "ndcg@3", **options) == expected


def test_ir_measures_issue_42_a_second_evaluation_has_the_values_of_the_first() -> None:
    run = {"q": in_order("abcdefghij")}
    score = sqlrank.Evaluator({"q": relevant("cfj")}, ["ndcg@10", "ndcg@20"])

    first, second = score(run).to_dict(), score(run).to_dict()

    assert first == second
    assert first["q"]["ndcg@20"] == first["q"]["ndcg@10"] == exactly(0.5374517914100283)


def test_ir_measures_issue_34_judgments_that_were_read_to_the_end_are_not_read_as_none() -> None:
    qrels = arrow([("q", "a", 1.0)], "query_id", "doc_id", "relevance").to_reader()
    score = sqlrank.Evaluator(qrels, "ap")

    assert [score({"q": {"a": 1.0}})["ap"] for _ in range(2)] == [1, 1]
    with pytest.raises(sqlrank.DataError, match="only once"):
        sqlrank.evaluate({"q": {"a": 1.0}}, qrels, "ap")


LABELS = [10, 0, 0, 1, 5]


@each(
    [
        ([0.1, 0.2, 0.3, 4, 70], {"like": "sklearn"}, 0.6956940443813076),
        ([1, 1, 1, 1, 1], {"like": "sklearn"}, 0.6909785334518438),
        ([1, 1, 1, 0.5, 0.5], {"like": "sklearn"}, 0.6998120154499459),
        ([0.1, 0.2, 0.3, 4, 70], {}, 0.6956940443813076),
        ([1, 1, 1, 1, 1], {"ties": "best"}, 1.0),
        ([1, 1, 1, 0.5, 0.5], {"ties": "best"}, 0.918385804775947),
        ([1, 1, 1, 1, 1], {"ties": "worst"}, 0.47763300056935937),
        ([1, 1, 1, 0.5, 0.5], {"ties": "worst"}, 0.5393723939339248),
    ]
)
def test_scholar_issue_360_ties_are_averaged_as_in_scikit_learn(case: tuple[Any, Any, float]) -> None:
    scores, options, expected = case
    assert single(*graded(LABELS, scores), "ndcg", **options) == exactly(expected)


def test_scikit_learn_issue_17639_a_negative_relevance_is_worth_nothing_and_not_396() -> None:
    scores, judgments = graded([-0.89, -0.53, -0.47, 0.39, 0.56], [0.07, 0.31, 0.75, 0.33, 0.27])

    # The last two are the second and the fourth of the ranking.
    expected = (0.39 / math.log2(3) + 0.56 / math.log2(5)) / (0.56 + 0.39 / math.log2(3))
    assert single(scores, judgments, "ndcg") == exactly(expected)


def test_scikit_learn_issue_21335_a_list_of_one_document_has_a_value() -> None:
    assert single({"a": 0.5}, {"a": 1}, "ndcg", like="sklearn") == 1
    assert single({"a": 0.5}, {"a": 0}, "ndcg", like="sklearn") == 0


@pytest.mark.parametrize("options", [{}, {"like": "sklearn"}])
def test_scikit_learn_issue_27726_every_order_of_equal_labels_is_the_best_one(options: dict[str, Any]) -> None:
    assert single(*graded([1, 1, 1]), "ndcg", **options) == 1


FIVE_OF_THREE = {f"good {number}": 3.0 for number in range(5)}


@each(
    [
        (["good 0"], "ndcg@10", 0.33916020527361607),
        (["good 0"], "ndcg(gain=exp2)@10", 0.33916020527361607),
        (["good 0"], "ndcg(ideal=retrieved)@10", 1.0),
        ([f"other {place}" for place in range(5)] + list(FIVE_OF_THREE), "ndcg@10", 0.5409945177788986),
    ]
)
def test_elasticsearch_pull_154362_the_ideal_holds_what_was_not_returned(case: tuple[list[str], str, float]) -> None:
    ranking, metric, expected = case
    assert single(in_order(ranking), FIVE_OF_THREE, metric) == exactly(expected)


@pytest.mark.parametrize(
    ("metric", "options", "expected"),
    [("ndcg@3", {}, 0.4123818817534531), ("ndcg(ideal=retrieved)@3", {"depth": 3}, 1.0)],
)
def test_ranking_metrics_torch_issue_1_the_ideal_is_not_that_of_the_first_k_shown(
    metric: str, options: dict[str, Any], expected: float
) -> None:
    assert single(*graded(LABELS, [0.1, 0.2, 0.3, 4, 70]), metric, **options) == exactly(expected)


@each([(12, 10), (3, 10), (1, 5), (40, 10)])
def test_rre_issue_71_and_spark_ranking_metrics_issue_2_the_best_ranking_is_one(case: tuple[int, int]) -> None:
    documents, cutoff = case
    grades = sorted((place % 4 + 1 for place in range(documents)), reverse=True)

    assert single(*graded(grades), f"ndcg@{cutoff}") == exactly(1)
    assert single(*graded(grades), f"ndcg(gain=exp2)@{cutoff}") == exactly(1)


@pytest.mark.parametrize(("metric", "expected"), [("ndcg@10", 1.0), ("ndcg", 0.6453673484599424)])
def test_quepid_issue_1335_the_ideal_is_cut_where_the_ranking_is(metric: str, expected: float) -> None:
    docs = [f"d{place:02}" for place in range(20)]

    assert single(in_order(docs[:10]), relevant(docs), metric) == exactly(expected)


@each(product([{}, {"like": "torchmetrics"}], ["ndcg@1", "ndcg@2", "recall@1", "recall@2"]))
def test_torchmetrics_issue_1952_the_mean_is_over_queries(case: tuple[dict[str, Any], str]) -> None:
    options, metric = case
    first, first_judged = graded([0, 0, 1], [0.2, 0.3, 0.5])
    second, second_judged = graded([0, 1, 0, 1, 0], [0.1, 0.3, 0.5, 0.2, 0.7])

    value = value_of({"0": first, "1": second}, {"0": first_judged, "1": second_judged}, metric, **options)

    assert value == 0.5


@each([([1, 2], "ndcg", 0.6820523509335344), ([1, 2], "ndcg@2", 0.8180327782272317), ([2, 3, 1], "ndcg@2", 1.0)])
def test_lkpy_issue_309_the_best_items_first_are_one_and_not_more(case: tuple[list[int], str, float]) -> None:
    recommended, metric, expected = case
    assert single(in_order(recommended), {"1": 3, "2": 5, "3": 4}, metric) == exactly(expected)


@pytest.mark.parametrize("like", [None, "ranx"])
def test_ranx_0_3_9_rows_in_any_order_are_the_same_ranking(like: str | None) -> None:
    rows = [("q2", "b", 1.0), ("q1", "a", 1.0), ("q2", "a", 3.0), ("q1", "c", 3.0), ("q2", "c", 2.0), ("q3", "a", 1.0)]
    qrels = {"q1": {"a": 1}, "q2": {"c": 1}, "q4": {"a": 1}}
    metrics = ["map", "mrr", "ndcg"]

    forth, back = (
        sqlrank.evaluate(arrow(given, "query_id", "doc_id", "score"), qrels, metrics, like=like).to_dict()
        for given in (rows, rows[::-1])
    )

    assert forth == back
    assert {query: values["ap"] for query, values in forth.items()} == {"q1": 0.5, "q2": 0.5, "q4": 0.0}


@each(
    [
        ("rbp(p=0.5, grade=raw)", {}, 1.75),
        ("rbp.5", {"like": "ranx"}, 1.75),
        ("rbp(p=0.5, grade=binary)", {}, 0.75),
        ("rbp(p=0.5)", {}, 1.75 / 3),
    ]
)
def test_ranx_0_3_15_grades_count_in_rank_biased_precision_where_they_are_meant_to(
    case: tuple[str, dict[str, Any], float],
) -> None:
    metric, options, expected = case
    assert single(in_order("ab"), {"a": 3, "b": 1}, metric, **options) == exactly(expected)


@each(["p@5", "recall@5", "f@5", "set_p", "set_recall", "set_f", "rprec", "judged@5"])
def test_ranx_0_3_4_a_query_without_results_is_zero(metric: str) -> None:
    values = sqlrank.evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}, "none": {"a": 1}}, metric).to_dict()

    assert list(values["none"].values()) == [0.0]


def test_ranx_issue_2_r_precision_is_defined_where_fewer_were_returned_than_are_relevant() -> None:
    assert single(in_order("ab"), relevant("abcd"), "r-precision", like="ranx") == 0.5


@each(
    [
        ([1, 1, 0], [0.9, 0.9, 0.1], "doc-desc", 1.0, 1.2262943855309167),
        ([1, 1, 0], [0.9, 0.9, 0.1], "average", 1.0, 1.2262943855309167),
        ([1, 1, 0, 0], [0.5, 0.5, 0.5, 0.5], "average", 0.5, 0.7737056144690833),
        ([1, 1, 0, 0], [0.5, 0.5, 0.5, 0.5], "best", 1.0, 0.7737056144690833),
        ([1, 1, 0, 0], [0.5, 0.5, 0.5, 0.5], "worst", 0.0, 0.7737056144690833),
    ]
)
def test_evidently_tied_documents_do_not_share_a_rank(case: tuple[Any, Any, str, float, float]) -> None:
    grades, scores, ties, expected, theirs = case
    value = single(*graded(grades, scores), "ndcg@2", ties=ties)

    assert value == exactly(expected)
    assert value != pytest.approx(theirs, abs=0.1)


REPLAY_RUN = {"1": in_order([3, 7, 10, 11, 2]), "2": in_order([5, 8, 11, 1, 3]), "3": in_order([4, 9, 2])}
REPLAY_TRUTH = {"1": relevant(range(5, 11)), "2": relevant([6, 7, 4, 10, 11]), "3": relevant(range(1, 6))}


@each(
    [
        ("ap@2", 0.09444444444444444, 0.25),
        ("ndcg@2", 1 / 3, 1 / 3),
        ("recall@2", 0.12222222222222222, 0.12222222222222222),
        ("p@2", 1 / 3, 1 / 3),
        ("rr@2", 0.5, 0.5),
    ]
)
def test_replay_divides_average_precision_by_k_where_more_is_relevant(case: tuple[str, float, float]) -> None:
    metric, default, theirs = case
    assert value_of(REPLAY_RUN, REPLAY_TRUTH, metric) == exactly(default)
    assert value_of(REPLAY_RUN, REPLAY_TRUTH, metric, like="replay") == exactly(theirs)


def test_replay_average_precision_is_that_with_the_smaller_of_relevant_and_k() -> None:
    assert value_of(REPLAY_RUN, REPLAY_TRUTH, "ap(norm=min)@2") == exactly(0.25)


@each(
    [
        ("ndcg@3", {}, 1.0),
        ("ndcg@3", {"like": "replay"}, 1.0),
        ("ndcg@3", {"like": "rectools"}, 0.46927872602275644),
        ("ndcg(ideal=full)@3", {}, 0.46927872602275644),
    ]
)
def test_rectools_takes_k_relevant_items_for_granted(case: tuple[str, dict[str, Any], float]) -> None:
    metric, options, expected = case
    assert single(in_order([1, 2]), {"1": 1}, metric, **options) == exactly(expected)


@pytest.mark.parametrize("options", [{}, {"like": "rectools"}])
def test_rectools_average_precision_is_over_all_relevant_items(options: dict[str, Any]) -> None:
    assert single(in_order([3, 2]), relevant([1, 3, 4]), "ap@1", **options) == exactly(1 / 3)


SPARK_RUN = {
    "1": in_order([1, 6, 2, 7, 8, 3, 9, 10, 4, 5]),
    "2": in_order([4, 1, 5, 6, 2, 7, 3, 8, 9, 10]),
    "3": in_order([1, 2, 3, 4, 5]),
}
SPARK_TRUTH = {"1": relevant([1, 2, 3, 4, 5]), "2": relevant([1, 2, 3])}


def test_spark_counts_a_query_without_truth_as_zero() -> None:
    default = {"p@5": 0.4, "ap": 0.5325396825396825, "ndcg@3": 0.5, "recall@15": 1.0}
    theirs = {"p@5": 0.26666666666666666, "ap": 0.35502645502645497, "ndcg@3": 1 / 3, "recall@15": 2 / 3}

    assert values_of(SPARK_RUN, SPARK_TRUTH, default) == exactly(default)
    assert values_of(SPARK_RUN, SPARK_TRUTH, theirs, query_set="run") == exactly(theirs)
    assert values_of(SPARK_RUN, SPARK_TRUTH, theirs, like="spark") == exactly(theirs)


@each(
    [
        ("ap@3", {}, 0.375),
        ("ap(norm=min)@3", {}, 1.0),
        ("ap@3", {"like": "spark"}, 1.0),
        ("ap@3", {"like": "rectools"}, 0.375),
    ]
)
def test_recommenders_issue_1702_average_precision_is_over_all_relevant_or_over_k(
    case: tuple[str, dict[str, Any], float],
) -> None:
    metric, options, expected = case
    assert single(in_order("abc"), relevant("abcdefgh"), metric, **options) == expected


@pytest.mark.parametrize(
    ("scores", "judgments", "expected"),
    [
        ({"dB": 0.7, "dC": 0.5, "dD": 0.4}, {"dA": 3, "dB": 2}, 0.46927872602275644),
        ({"dY": 0.9, "dZ": 0.2}, {"dX": 1, "dY": 2}, 0.7601875334318685),
    ],
)
def test_unitxt_issue_1935_what_was_not_returned_is_not_ranked(
    scores: dict[str, float], judgments: dict[str, float], expected: float
) -> None:
    assert single(scores, judgments, "ndcg") == exactly(expected)


def test_opensearch_issue_191_no_ranking_is_better_than_the_best() -> None:
    grades = [place * 7 % 4 for place in range(40)]
    _, judgments = graded(grades)
    shown = {doc: score for doc, score in graded(sorted(grades, reverse=True))[0].items() if doc < "d25"}
    gains, cutoffs = ["linear", "exp2", "0:0,1:0.01,2:0.1,3:1"], ["", "@1", "@5", "@10", "@100"]
    metrics = [f"ndcg(gain={gain}){cutoff}" for gain, cutoff in product(gains, cutoffs)]

    runs, qrels = {"best": judgments, "worse": shown}, {"best": judgments, "worse": judgments}
    values = sqlrank.evaluate(runs, qrels, metrics).to_dict()

    assert len(values["best"]) == len(metrics)
    assert list(values["best"].values()) == [exactly(1)] * len(metrics)
    assert all(value is not None and 0 <= value <= 1 for value in values["worse"].values())


def test_mteb_pull_5241_the_order_of_the_dictionary_changes_nothing() -> None:
    docs = [f"d{place:02}" for place in range(30)]
    forth, back = dict.fromkeys(docs, 0.5), dict.fromkeys(docs[::-1], 0.5)
    metrics = ["rr", "ap", "ndcg@10", "p@10"]

    values = [sqlrank.evaluate({"q": run}, {"q": relevant(docs[3:9])}, metrics).to_dict() for run in (forth, back)]

    assert values[0] == values[1]


@each(product([math.nan, math.inf, -math.inf], [None, "trec_eval", "ranx"]))
def test_a_score_that_is_no_number_is_refused_and_not_ranked_first_or_last(case: tuple[float, str | None]) -> None:
    score, like = case
    with pytest.raises(sqlrank.DataError, match=r"'a'.*'q'|'q'.*'a'"):
        single({"a": score, "b": 1.0, "c": 0.5}, {"a": 1}, "map", like=like)


def test_a_score_that_is_missing_is_refused() -> None:
    run = arrow([("q", "a", None), ("q", "b", 1.0)], "query_id", "doc_id", "score")

    with pytest.raises(sqlrank.DataError, match="score"):
        value_of(run, {"q": {"a": 1}}, "ap")
