"""Metrics whose documents have weights, worked out by hand, and where weights of items are refused by name."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

import sqlrank
from sqlrank.engines.duckdb import DuckDBEngine
from tests.support.cases import arrow

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

JUDGED = ("query_id", "doc_id", "relevance", "item_weight")
RUN = {"q": {"a": 5.0, "b": 4.0, "u": 3.0, "c": 2.0, "d": 1.0}}
ROWS = [("q", "a", 1.0, 3.0), ("q", "b", 0.0, 7.0), ("q", "c", 2.0, 9.0), ("q", "d", -1.0, 5.0), ("q", "m", 1.0, 2.0)]
"""Weights of judged documents at ranks 1, 2, 4 and 5 and of one that was missed; nobody judged the one at rank 3."""
IDEAL = 18 + 3 / log2(3) + 2 / 2
WORKED = {
    # gains 1 and 2 at ranks 1 and 4 times their weights, over 18, 3 and 2 in the best order
    "ndcg(weight=item)": (3 + 18 / log2(5)) / IDEAL,
    "ndcg(weight=item)@1": 3 / 18,
    "ndcg(weight=item)@2": 3 / (18 + 3 / log2(3)),
    "ndcg(ideal=retrieved, weight=item)": (3 + 18 / log2(5)) / (18 + 3 / log2(3)),
    "ndcg(ideal=uncut, weight=item)@1": 3 / IDEAL,
    "ndcg(gain=exp2, weight=item)": (3 + 27 / log2(5)) / (27 + 3 / log2(3) + 2 / 2),
    "ndcg(gain=binary, weight=item)": (3 + 9 / log2(5)) / (9 + 3 / log2(3) + 2 / 2),
    "ndcg(gain=0:0,1:5,2:1, weight=item)": (15 + 9 / log2(5)) / (15 + 10 / log2(3) + 9 / 2),
    "ndcg(discount=none, weight=item)": 21 / 23,
    # the mean weight of the gains 1, 2 and 1 is (3 + 18 + 2) / 4
    "dcg(weight=item)": (3 + 18 / log2(5)) / (23 / 4),
    "dcg(weight=item)@1": 3 / (23 / 4),
    # precisions 1 and 2/4 at the hits, over the weights 3, 9 and 2
    "ap(weight=item)": (3 * 1 + 9 * 2 / 4) / 14,
    "ap(weight=item)@3": 3 / 14,
    "ap(rel=2, weight=item)": 1 / 4,
    "arp(weight=item)": (1 * 3 + 4 * 18) / 21,
    # of the pairs a-b (3), c-a (9) and c-b (9), a-b alone is in order; below 0 nothing was judged
    "pairwise_accuracy(weight=item)": 3 / 21,
    "rr(weight=item)": 1.0,
    "success(weight=item)@1": 1.0,
    "p(weight=item)@4": 2 / 4,
    "recall(weight=item)@4": 2 / 3,
    "set_p(weight=item)": 2 / 5,
    "set_recall(weight=item)": 2 / 3,
    "bpref(weight=item)": 1 / 3,
}


@pytest.mark.parametrize("word", ["item", "within"])
def test_values_with_weights_of_documents_are_those_worked_out(word: str) -> None:
    wanted = {
        text.replace("weight=item", f"weight={word}"): value
        for text, value in WORKED.items()
        if word in sqlrank.METRICS[text.partition("(")[0]].choices["weight"]
    }
    with sqlrank.evaluate(RUN, arrow(ROWS, *JUDGED), list(wanted)) as result:
        assert result.to_dict()["q"] == {text: pytest.approx(value, rel=1e-12) for text, value in wanted.items()}


ALONE = {
    "ndcg(weight=item)": 1 / log2(3),
    "dcg(weight=item)": 1 / log2(3),
    "ap(weight=item)": 1 / 2,
    "arp(weight=item)": 2.0,
    "recall(weight=item)@2": 1.0,
    "p(weight=item)@2": 1 / 2,
}
"""One relevant document at rank 2, with a weight of 1: every divisor is 1."""


def test_one_document_of_weight_one_has_the_value_without_weights() -> None:
    judged = arrow([("q", "a", 1.0, 1.0)], *JUDGED)
    with sqlrank.evaluate({"q": {"u": 2.0, "a": 1.0}}, judged, list(ALONE)) as result:
        assert result.to_dict()["q"] == {text: pytest.approx(value, rel=1e-12) for text, value in ALONE.items()}


@pytest.mark.parametrize("weights", [(2.0, 3.0), (1.0, 1.0)])
def test_subtopics_of_documents_that_weigh_are_over_the_mean_weight(weights: tuple[float, float]) -> None:
    a, b = weights
    rows = [("q", "a", "x", 1.0, a), ("q", "b", "x", 1.0, b), ("q", "b", "y", 1.0, b)]
    judged = arrow(rows, "query_id", "doc_id", "subtopic", "relevance", "item_weight")
    # b shows x, seen once before, and y, which is new: gains a, and b * (1/2 + 1), over the mean weight and the bound
    gained, bound = a + b * 1.5 / log2(3), 2 * (1 + 0.5 / log2(3))
    with sqlrank.evaluate({"q": {"a": 2.0, "b": 1.0}}, judged, "alpha_dcg(weight=item)@2") as result:
        assert result["alpha_dcg(weight=item)@2"] == pytest.approx(gained / ((a + b) / 2) / bound, rel=1e-12)


def test_equal_weights_change_nothing_but_ties_of_the_ideal() -> None:
    texts = ["ndcg@3", "ap", "arp", "pairwise_accuracy", "bpref", "p@2"]
    weighed = ["ndcg(weight=item)@3", *(f"{text}(weight=item)" for text in texts[1:5]), "p(weight=item)@2"]
    qrels = arrow([(*row[:3], 2.5) for row in ROWS], *JUDGED)
    with sqlrank.evaluate(RUN, qrels, [*texts, *weighed]) as result:
        values = list(result.to_dict()["q"].values())
    assert values[: len(texts)] == pytest.approx(values[len(texts) :])


def test_pairs_of_tied_documents_count_every_weight() -> None:
    run = {"q": {"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0, "e": 1.0}}
    rows = [
        ("q", "a", 1.0, 3.0),
        ("q", "b", 1.0, 5.0),
        ("q", "c", 0.0, 7.0),
        ("q", "d", 0.0, 1.0),
        ("q", "e", 2.0, 4.0),
    ]
    with sqlrank.evaluate(run, arrow(rows, *JUDGED), "pairwise_accuracy(weight=item)") as result:
        # a and b tie with c and beat d; e ties with d and loses to a, b and c
        assert result["pairwise_accuracy(weight=item)"] == pytest.approx((8 / 2 + 8 + 4 / 2) / (8 + 8 + 4 * 4))


THREE = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}, "q3": {"a": 2.0, "b": 1.0}}
OF_THREE = [
    *(("q1", "a", 1.0, 6.0), ("q1", "b", 0.0, 1.0)),
    *(("q2", "a", 0.0, 50.0), ("q2", "b", 1.0, 2.0)),
    *(("q3", "a", 0.0, 90.0), ("q3", "b", 0.0, 90.0)),
]
"""Reciprocal ranks 1, 1/2 and 0 of queries that weigh 6, 2 and, with nothing relevant, (6 + 2) / 2."""


def test_a_query_without_anything_relevant_weighs_what_others_do_on_average() -> None:
    with sqlrank.evaluate(THREE, arrow(OF_THREE, *JUDGED), "rr(weight=item)") as result:
        assert result["rr(weight=item)"] == pytest.approx((6 * 1 + 2 / 2) / (6 + 2 + 4))
        assert result.rows.fetchall()[0][3] == 3


def test_the_average_is_that_of_the_queries_of_a_segment() -> None:
    lands = arrow([("q1", "de"), ("q2", "fr"), ("q3", "fr")], "query_id", "land")
    options: dict[str, Any] = {"queries": lands, "by": "land"}
    with sqlrank.evaluate(THREE, arrow(OF_THREE, *JUDGED), "rr(weight=item)", **options) as result:
        found = {row[1]: row[4] for row in result.rows.fetchall()}
    assert found == pytest.approx({"de": 1, "fr": (2 / 2) / (2 + 2), None: (6 * 1 + 2 / 2) / (6 + 2 + 4)})


def test_queries_that_nobody_judged_weigh_nothing_and_count_in_no_average() -> None:
    run = {**THREE, "q4": {"a": 1.0}}
    with sqlrank.evaluate(run, arrow(OF_THREE, *JUDGED), "rr(weight=item)", query_set="run") as result:
        assert result["rr(weight=item)"] == pytest.approx((6 * 1 + 2 / 2) / (6 + 2 + 4))


def test_weights_of_queries_and_of_documents_multiply() -> None:
    asked = arrow([("q1", 1.0), ("q2", 3.0), ("q3", 2.0)], "query_id", "traffic")
    options: dict[str, Any] = {"queries": asked, "weight": "traffic"}
    with sqlrank.evaluate(THREE, arrow(OF_THREE, *JUDGED), "rr(weight=item)", **options) as result:
        assert result["rr(weight=item)"] == pytest.approx((6 * 1 * 1 + 2 * 3 / 2) / (6 * 1 + 2 * 3 + 4 * 2))


def test_within_counts_every_query_alike_and_is_what_systems_are_compared_by() -> None:
    qrels, turned = arrow(OF_THREE, *JUDGED), {query: {"a": 1.0, "b": 2.0} for query in THREE}
    with sqlrank.evaluate(THREE, qrels, "ap(weight=within)") as result:
        assert result["ap(weight=within)"] == pytest.approx((1 + 1 / 2) / 3)
    options: dict[str, Any] = {"baseline": "one", "qrels": qrels}
    systems = {"one": THREE, "other": turned}
    with sqlrank.compare(systems=systems, metrics="ap(weight=within)", **options) as compared:
        assert compared.rows.project("difference").fetchall() == [(pytest.approx(0.0),)]
    with pytest.raises(sqlrank.UsageError, match=r"compare ap\(weight=within\)"):
        sqlrank.compare(systems=systems, metrics="ap(weight=item)", **options)
    with pytest.raises(sqlrank.UsageError, match="compare rr"):
        sqlrank.compare(systems=systems, metrics="rr(weight=item)", **options)


def test_weights_are_read_by_a_name_that_is_told_and_from_labels() -> None:
    rows = [("q", "a", 2.0, 1.0, 3.0), ("q", "b", 1.0, 1.0, 9.0), ("q", "c", 0.5, None, None)]
    named = arrow(rows, "query_id", "doc_id", "score", "relevance", "importance")
    with sqlrank.evaluate(named, None, "ndcg(weight=item)", columns={"item_weight": "importance"}) as result:
        assert result["ndcg(weight=item)"] == pytest.approx((3 + 9 / log2(3)) / (9 + 3 / log2(3)))


def test_a_weight_of_another_rater_or_system_counts_once() -> None:
    rated = arrow([*ROWS, ("q", "a", 0.0, 3.0), ("q", "m", 3.0, 2.0)], *JUDGED)
    with sqlrank.evaluate(RUN, rated, "ndcg(weight=item)", judgments="max") as result:
        wanted = (3 + 18 / log2(5)) / (18 + 6 / log2(3) + 3 / 2)
        assert result["ndcg(weight=item)"] == pytest.approx(wanted)
    labelled = [
        (system, *row) for system in ("x", "y") for row in [("q", "a", 2.0, 1.0, 4.0), ("q", "b", 1.0, 1.0, 1.0)]
    ]
    export = arrow(labelled, "system", "query_id", "doc_id", "score", "relevance", "item_weight")
    with sqlrank.evaluate(export, None, "ap(weight=item)") as result:
        assert [row[2] for row in result.rows.fetchall()] == [1, 1]


@pytest.mark.parametrize("labelled", [True, False])
def test_parts_of_the_queries_give_what_all_together_give(monkeypatch: pytest.MonkeyPatch, labelled: bool) -> None:
    scores = {(query, doc): score for query, found in THREE.items() for doc, score in found.items()}
    export = [(query, doc, scores[query, doc], label, weight) for query, doc, label, weight in OF_THREE]
    table = arrow(export, "query_id", "doc_id", "score", "relevance", "item_weight")
    run, qrels = (table, None) if labelled else (THREE, arrow(OF_THREE, *JUDGED))
    metrics = ["ndcg(weight=item)@1", "ap(weight=item)", "pairwise_accuracy(weight=item)", "rr(weight=item)"]
    whole = sqlrank.evaluate(run, qrels, metrics).rows.fetchall()
    monkeypatch.setattr(DuckDBEngine, "parts", lambda *_: 3)
    with sqlrank.evaluate(run, qrels, metrics) as result:
        assert [row[:3] for row in result.rows.fetchall()] == [(*row[:2], pytest.approx(row[2])) for row in whole]


def test_a_statement_says_what_it_counts_on_of_weights() -> None:
    said = "-- assumes: every judgment has an item_weight above 0, the same in all rows of a document"
    assert said in sqlrank.sql("run", "judged", ["ap(weight=within)", "ap"]).splitlines()
    assert said not in sqlrank.sql("run", "judged", ["ap"]).splitlines()


def test_rankings_are_shown_beside_metrics_whose_documents_weigh() -> None:
    with sqlrank.evaluate(RUN, arrow(ROWS, *JUDGED), "ndcg(weight=item)") as result:
        shown = result.shown_rankings(["q"])
        assert [row["doc_id"] for row in shown.ranking("q", result.systems[0], 5)] == ["a", "b", "u", "c", "d"]
        shown.close()


def test_contributions_of_documents_that_weigh_add_up() -> None:
    systems = {"one": RUN, "other": {"q": {"c": 2.0, "a": 1.0}}}
    for metric in ("ndcg(weight=item)", "dcg(weight=item)@2", "ap(weight=item)", "arp(weight=item)"):
        with sqlrank.evaluate(systems=systems, qrels=arrow(ROWS, *JUDGED), metrics=metric) as result:
            rows = result.explain("q", systems=("one", "other")).to_dicts()
            value = result.of_query("q", "other")[metric]
        assert sum(row["contribution"] for row in rows) == pytest.approx(value)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("ndcg(weight=item)", {"ties": "average"}, "weighs each document where it stands; choose an order of ties"),
    ("ndcg(weight=within)", {"unjudged": 0.5}, "needs a weight of each document"),
    ("ndcg(weight=item, ideal=full)@3", {}, "leave out ideal=full"),
    ("ap(weight=item, norm=min)@3", {}, "documents weigh where norm is relevant; leave out norm=min"),
    ("ndcg(weight=gain)", {}, "none, item, within"),
    ("rr(weight=within)", {}, "none, item"),
]


@pytest.mark.parametrize(("metric", "options", "says"), REFUSED)
def test_what_has_no_weighted_value_is_refused_by_name(metric: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=says):
        sqlrank.evaluate(RUN, arrow(ROWS, *JUDGED), metric, **options)


def test_what_knows_no_weights_of_items_refuses_them_by_name() -> None:
    qrels = arrow(ROWS, *JUDGED)
    with pytest.raises(sqlrank.UsageError, match="a macro checks no weights of items"):
        sqlrank.macros(["ap(weight=item)"])
    with pytest.raises(sqlrank.UsageError, match=r"ndcg\(weight=item\)@3: .*weight=none"):
        sqlrank.pool(RUN, qrels, "ndcg(weight=item)@3")
    with pytest.raises(sqlrank.UsageError, match="no weights of documents are shown place by place"):
        sqlrank.evaluate(RUN, qrels, "dcg(weight=item)").explain("q")
    ends = arrow([(*row, row[2] - 0.5, row[2] + 0.5) for row in ROWS], *JUDGED, "low", "high")
    with pytest.raises(sqlrank.UsageError, match="labels that are drawn have no item_weight"):
        sqlrank.evaluate(RUN, ends, "ndcg(weight=within)")


def test_one_table_holds_no_judged_document_that_would_weigh_a_query_without_being_returned() -> None:
    for metric in ("rr(weight=item)", "ndcg(weight=item)", "p(weight=item)@2"):
        with pytest.raises(sqlrank.DataError, match="1 judged document was not returned, such as 'm'"):
            sqlrank.evaluate(RUN, arrow(ROWS, *JUDGED), metric, like="tensorflow_ranking")


def test_judgments_without_weights_are_refused_with_the_name_of_the_column() -> None:
    for run, qrels in ((RUN, {"q": {"a": 1.0}}), (arrow([("q", "a", 1.0, 1.0)], "q", "doc_id", "score", "rel"), None)):
        columns = {} if qrels is not None else {"query_id": "q"}
        with pytest.raises(sqlrank.DataError, match="no column for the item_weight"):
            sqlrank.evaluate(run, qrels, "ap(weight=item)", columns=columns)
