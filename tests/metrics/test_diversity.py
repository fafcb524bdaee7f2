"""Metrics of subtopics, query by query, against the plain definitions."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, TypeAlias

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.reference.diversity import METRICS
from tests.support.cases import Case, Table, Values, arrow, assert_same, grid, queries_of, summary_of, texts
from tests.support.cli_helper import run_cli
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv

Judgments: TypeAlias = dict[str, dict[str, dict[str, float]]]

LEVELS = [None, 2]
ALPHAS = [None, 0, 0.3, 1]
CASES = [
    *grid("alpha_ndcg", [1, 3, 20], alpha=ALPHAS, rel=LEVELS),
    *grid("alpha_dcg", [1, 3, 20], alpha=ALPHAS, rel=LEVELS),
    *grid("err_ia", [1, 3, 20], alpha=ALPHAS, rel=LEVELS),
    *grid("nerr_ia", [1, 3, 20], alpha=ALPHAS, rel=LEVELS),
    *grid("nrbp", alpha=ALPHAS, beta=[None, 0.8], rel=LEVELS),
    *grid("nnrbp", alpha=ALPHAS, beta=[None, 0.8], rel=LEVELS),
    *grid("ap_ia", rel=LEVELS),
    *grid("p_ia", [1, 3, 20], rel=LEVELS, norm=[None, "returned"]),
    *grid("subtopic_recall", [1, 3, 20, None], rel=LEVELS),
]
SOME = CASES[::5] + grid("subtopic_recall", [3]) + grid("ap_ia")


def judged_subtopics(seed: int, queries: int = 90) -> tuple[Table, Judgments]:
    """A run with ties, and judgments by subtopic: missed, unjudged and hopeless queries, and negative judgments."""
    rng = random.Random(seed)
    names = ["a", "B", "é", "10", "9", "it's", "文", "zz", "c c"]
    run: Table = {}
    judged: Judgments = {}
    for number in range(queries):
        query = f"q{number}"
        docs = rng.sample(names, rng.randint(2, len(names)))
        if number % 9 != 1:
            grades: list[float] = rng.choice([[0, 1], [0, 1, 2], [-1, 0, 1], [0], [-1, 0.5, 2]])
            judged[query] = {
                doc: {topic: rng.choice(grades) for topic in rng.sample("1234 é", rng.randint(1, 4))}
                for doc in rng.sample(docs, rng.randint(1, len(docs)))
            }
        if number % 9 != 2:
            found = rng.sample(docs, rng.randint(1, len(docs)))
            run[query] = {doc: rng.randint(0, rng.choice([0, 2, 90])) / 8 for doc in found}
    return run, judged


RUN, JUDGED = judged_subtopics(7)


def rows_of(judged: Judgments) -> Any:
    """The judgments as a table, in any order."""
    rows = [
        (query, doc, topic, value)
        for query, docs in judged.items()
        for doc, topics in docs.items()
        for topic, value in topics.items()
    ]
    random.Random(1).shuffle(rows)
    return arrow(rows, "query_id", "doc_id", "subtopic", "relevance")


def expected(run: Table, judged: Judgments, cases: Iterable[Case] = CASES, **conventions: Any) -> Values:
    """Values by query and text; the relevance of a document is its largest for a subtopic."""
    when_empty = {"zero": 0.0, "one": 1.0, "skip": None}[conventions.pop("empty", "zero")]
    values: Values = {}
    for query in queries_of(run, judged, conventions.pop("query_set", "judged")):
        topics = judged.get(query, {})
        relevances = {doc: max(found.values()) for doc, found in topics.items()}
        docs = reference.ranked_docs(run.get(query, {}), relevances, **conventions)
        values[query] = {}
        for case in cases:
            given = (docs, topics, case.k) if case.k else (docs, topics)
            value = METRICS[case.metric](*given, **case.arguments)
            values[query][case.text] = reference.resolve(value, when_empty)
    return values


SEEN_TWICE = arrow(
    [("q", *row) for row in [("a", "1", 1), ("a", "2", 1), ("b", "1", 1), ("c", "2", 1), ("d", "1", 0), ("e", "3", 1)]],
    *("query_id", "doc_id", "subtopic", "relevance"),
)
WORKED = {
    "alpha_ndcg@1": 1 / 2,
    "alpha_ndcg@3": 0.6074427874648953,
    "alpha_ndcg@5": 0.6347442334897557,
    "alpha_ndcg(alpha=0)@5": 0.6824663776358926,
    "alpha_ndcg(alpha=1)@5": 0.5701406500739015,
    "alpha_dcg@3": 0.40496185830993014,
    "err_ia@5": 0.39334341906202724,
    "err_ia@20": 0.3907299314335837,
    "nerr_ia@5": 0.582089552238806,
    "nrbp": (1 + 3 / 2 / 4 + 1 / 2 / 8) * (1 - 1 / 4) / 3,
    "nnrbp": 0.5348837209302325,
    "ap_ia": ((1 + 2 / 3) / 2 + (1 / 3 + 2 / 4) / 2 + 0) / 3,
    "p_ia@5": (2 + 2 + 0) / 5 / 3,
    "subtopic_recall@1": 1 / 3,
    "subtopic_recall@5": 2 / 3,
    "subtopic_recall": 2 / 3,
    "subtopic_recall(rel=0)@5": 2 / 3,
}


def test_metrics_have_their_worked_values() -> None:
    run = {"q": {doc: -float(place) for place, doc in enumerate("bxacd")}}

    assert sqlrank.evaluate(run, SEEN_TWICE, list(WORKED)).to_dict()["q"] == pytest.approx(WORKED, rel=1e-12)


def test_first_document_is_divided_by_the_subtopics_which_pyndeval_forgets() -> None:
    judged = arrow([("q", doc, topic, 1.0) for doc, topic in ("a1", "a2", "b3", "b4")], *SEEN_TWICE.column_names)

    result = sqlrank.evaluate({"q": {"a": 2.0, "b": 1.0}}, judged, ["alpha_dcg@1", "err_ia@1"])

    assert result.to_dict()["q"] == {"alpha_dcg@1": 2 / 4, "err_ia@1": 2 / 4}


@pytest.mark.needs("random")
@pytest.mark.parametrize(
    "conventions",
    [
        {},
        {"ties": "doc-asc"},
        {"ties": "input", "empty": "one"},
        {"depth": 2},
        {"ties": "worst", "depth": 3},
        {"unjudged": "remove"},
        {"unjudged": "remove", "depth": 3, "query_set": "run", "empty": "skip"},
        {"query_set": "shared", "order": "asc"},
    ],
    ids=str,
)
def test_all_metrics_with_all_parameters_agree_in_one_request(conventions: dict[str, Any]) -> None:
    result = sqlrank.evaluate(RUN, rows_of(JUDGED), texts(CASES), **conventions)

    wanted = expected(RUN, JUDGED, **conventions)
    assert_same(result.to_dict(), wanted, texts(CASES))
    found = result.rows.project("value, queries").fetchall()
    assert found == [summary_of(wanted, text) for text in texts(CASES)]


def test_every_metric_is_among_the_cases_with_every_parameter() -> None:
    assert {case.metric for case in CASES} == set(METRICS)
    for metric in METRICS:
        given = {name for case in CASES if case.metric == metric for name in case.parameters}
        of_items = {"weight"}  # test_item_weights
        assert given == set(sqlrank.METRICS[metric].parameters) - of_items


def test_metric_asked_alone_has_the_value_it_has_among_others() -> None:
    together = sqlrank.evaluate(RUN, rows_of(JUDGED), [*texts(SOME), "ap", "sdcg@3", "compat"], judgments="max")

    for metric in [*texts(SOME)[::3], "ap", "sdcg@3", "compat"]:
        alone = sqlrank.evaluate(RUN, rows_of(JUDGED), metric, judgments="max")
        assert alone[metric] == pytest.approx(together[metric], abs=1e-12)


def test_other_metrics_beside_take_the_largest_relevance_of_a_document() -> None:
    cases = [*grid("ap", rel=[None, 2]), *grid("ndcg", [3]), *grid("judged", [3]), *grid("compat")]
    largest = {query: {doc: max(topics.values()) for doc, topics in docs.items()} for query, docs in JUDGED.items()}

    result = sqlrank.evaluate(RUN, rows_of(JUDGED), ["alpha_ndcg@3", *texts(cases)])

    alone = sqlrank.evaluate(RUN, largest, texts(cases))
    found = {query: dict(list(values.items())[1:]) for query, values in result.to_dict().items()}
    assert_same(found, alone.to_dict(), [measure.text for measure in alone.measures])


@pytest.mark.parametrize("conventions", [{}, {"query_set": "run", "unjudged": "remove", "depth": 4}])
def test_systems_evaluated_together_have_the_values_they_have_alone(conventions: dict[str, Any]) -> None:
    other = judged_subtopics(8)[0]
    systems = {"one": RUN, "two é": {query: other[query] for query in list(other)[::2]}}

    found = sqlrank.evaluate(qrels=rows_of(JUDGED), metrics=texts(SOME), systems=systems, **conventions).to_dict()

    for system, run in systems.items():
        assert_same(found[system], expected(run, JUDGED, SOME, **conventions), texts(SOME))


def test_segments_divide_the_mean() -> None:
    markets = {query: "de" if number % 3 else "fr" for number, query in enumerate(JUDGED)}
    asked = arrow(markets.items(), "query_id", "market")

    result = sqlrank.evaluate(RUN, rows_of(JUDGED), texts(SOME), queries=asked, by="market", query_set="shared")

    wanted = expected(RUN, JUDGED, SOME, query_set="shared")
    for market in ("de", "fr"):
        part = {query: values for query, values in wanted.items() if markets[query] == market}
        for measure, text in zip(result.measures, texts(SOME), strict=True):
            assert result.value(measure.text, market=market) == summary_of(part, text)[0]


def test_several_raters_of_one_subtopic_become_one_judgment() -> None:
    rows = [("q", "a", "1", 0.0), ("q", "a", "1", 2.0), ("q", "b", "2", 1.0), ("q", "b", "2", 2.0)]
    qrels = arrow(rows, "query_id", "doc_id", "subtopic", "relevance")

    with pytest.raises(sqlrank.DataError, match="judgments='max'"):
        sqlrank.evaluate({"q": {"a": 1.0}}, qrels, "subtopic_recall@1")

    for judgments, value in (("max", 0.5), ("mean", 0.0)):
        result = sqlrank.evaluate({"q": {"a": 1.0}}, qrels, "subtopic_recall(rel=1.5)@1", judgments=judgments)
        assert result["subtopic_recall(rel=1.5)@1"] == value


@pytest.mark.parametrize(
    ("metric", "name"),
    [("alpha_ndcg@3", "aspect"), ("nrbp", "iteration"), ("ap_ia", "anything"), ("subtopic_recall", "nugget")],
)
def test_subtopic_is_read_from_the_column_that_is_likely_or_told(metric: str, name: str) -> None:
    columns = {"subtopic": name} if name == "anything" else {}
    table = rows_of(JUDGED).rename_columns(["query_id", "doc_id", name, "relevance"])

    found = sqlrank.evaluate(RUN, table, metric, columns=columns)

    assert found[metric] == sqlrank.evaluate(RUN, rows_of(JUDGED), metric)[metric]


def test_second_field_of_trec_judgments_is_the_subtopic() -> None:
    with open("qrels.trec", "w", encoding="utf-8") as file:
        file.writelines(["q 1 a 1\n", "q 2 a 1\n", "q 3 b 1\n", "q 1 b 0\n"])

    assert sqlrank.evaluate({"q": {"a": 1.0}}, "qrels.trec", "subtopic_recall@1")["subtopic_recall@1"] == 2 / 3


def test_judgments_without_subtopic_are_refused_with_what_to_do() -> None:
    with pytest.raises(sqlrank.SqlrankError, match=r"columns=\{'subtopic'"):
        sqlrank.evaluate(RUN, arrow([("q", "a", 1.0)], "query_id", "doc_id", "relevance"), "alpha_ndcg@3")
    with pytest.raises(sqlrank.SqlrankError, match="qrels="):
        sqlrank.evaluate(arrow([("q", "a", 1.0, 1.0)], "query_id", "doc_id", "score", "relevance"), None, "nrbp")
    run = write_csv("run.csv", RUN_NAMES, [("q", "a", 1.0)])
    outcome = run_cli("eval", run, "--qrels", write_csv("qrels.csv", QRELS_NAMES, [("q", "a", 1)]), "-m", "p_ia@3")
    assert outcome.code != 0
    assert "subtopic" in outcome.err
