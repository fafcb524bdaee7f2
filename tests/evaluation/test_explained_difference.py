"""Two rankings of one query side by side: what each document adds, by hand and beside the values of the evaluation."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.evaluation.explanation import ExplainedDifference
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure
from sqlrank.output.writing import write_per_query
from tests.support.cases import BROAD, CASES, Case, Table, arrow, random_data
from tests.support.lacking import none_lacks
from tests.support.tables import each, hold

Rows = list[dict[str, Any]]

SECOND, THIRD, FOURTH = 0.630929753571457, 0.5, 0.430676558073393
"""1 / log2(rank + 1)."""
A = {"q": {"d4": 9.0, "d1": 8.0, "dX": 7.0, "d3": 6.0}, "r": {"d1": 1.0}}
B = {"q": {"d1": 0.9, "d2": 0.8, "d4": 0.7, "dX": 0.6, "d9": 0.5}}
QRELS = {"q": {"d1": 3, "d2": 2, "d3": 1, "d4": 0, "d6": 2}, "r": {"d1": 1}}
BEST = 3 + 2 * SECOND + 2 * THIRD + FOURTH


SYSTEMS: dict[str, Table] = {"A": A, "B": B}


def explained(metrics: Any, query: str = "q", rows: int = 10, **asked: Any) -> ExplainedDifference:
    """The difference between two rankings; its rows stay readable."""
    result = sqlrank.evaluate(**{"systems": SYSTEMS, "qrels": QRELS, "metrics": metrics} | asked)
    return result.explain(query, rows=rows, systems=("A", "B"))


def differences(explanation: ExplainedDifference) -> dict[str | None, float]:
    """What each document adds to the difference; None: all others."""
    return {row["doc_id"]: row["difference"] for row in explanation.to_dicts()}


def test_the_rows_are_those_worked_out_by_hand() -> None:
    explanation = explained("ndcg")

    rows = explanation.to_dicts()
    places = [(row["baseline_rank"], row["rank"], row["moved"], row["doc_id"], row["relevance"]) for row in rows]
    assert places == [
        (1, 3, "down", "d4", 0),
        (2, 1, "up", "d1", 3),
        (None, 2, "new", "d2", 2),
        (3, 4, "down", "dX", None),
        (4, None, "gone", "d3", 1),
        (None, 5, "new", "d9", None),
    ]
    parts = {row["doc_id"]: (row["baseline_contribution"] * BEST, row["contribution"] * BEST) for row in rows}
    wanted = {"d1": (3 * SECOND, 3), "d2": (0, 2 * SECOND), "d3": (FOURTH, 0), "d4": (0, 0), "dX": (0, 0), "d9": (0, 0)}
    assert parts == {doc: pytest.approx(pair, abs=1e-12) for doc, pair in wanted.items()}
    assert [(row["baseline_score"], row["score"], row["gain"], row["documents"]) for row in rows[1:3]] == [
        (8, 0.9, 3, 1),
        (None, 0.8, 2, 1),
    ]
    assert explanation.metric == "ndcg"
    assert explanation.values["ndcg"].difference == pytest.approx((3 - 3 * SECOND + 2 * SECOND - FOURTH) / BEST)


@each(
    {
        "dcg@3": {"d1": 3 - 3 * SECOND, "d2": 2 * SECOND},
        "p@3": {"d2": 1 / 3},
        "recall@4": {"d2": 1 / 4, "d3": -1 / 4},
        "rbp(p=0.5, grade=binary)": {"d1": 0.25, "d2": 0.25, "d3": -0.0625},
        "hits": {"d2": 1, "d3": -1},
        "ap": {"d1": (1 - 1 / 2) / 4, "d2": 1 / 4, "d3": -2 / 4 / 4},
        "rr": {"d1": 1 / 2},
        "success@2": {},
        "err(max=3)@2": {"d1": 7 / 8 - 7 / 16, "d2": 1 / 8 * 3 / 8 / 2},
    }.items()
)
def test_each_document_adds_what_it_adds_in_the_one_less_what_it_adds_in_the_other(case: tuple[str, Any]) -> None:
    metric, wanted = case
    found = differences(explained(metric))
    assert found == pytest.approx(dict.fromkeys(("d4", "d1", "d2", "dX", "d3", "d9"), 0.0) | wanted, abs=1e-12)


def test_the_first_relevant_document_has_all_of_a_reciprocal_rank() -> None:
    systems = {"A": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "B": {"q": {"c": 3.0, "a": 2.0, "b": 1.0}}}
    rows = explained("rr", systems=systems, qrels={"q": {"b": 1, "c": 1}}).to_dicts()

    parts = {row["doc_id"]: (row["baseline_contribution"], row["contribution"]) for row in rows}
    assert parts == {"a": (0, 0), "b": (0.5, 0), "c": (0, 1)}


def test_all_that_is_not_shown_is_one_row() -> None:
    *shown, others = explained("ndcg", rows=1).to_dicts()

    assert [row["doc_id"] for row in shown] == ["d4", "d1"]
    assert (others["doc_id"], others["documents"], others["moved"], others["rank"]) == (None, 4, None, None)
    assert others["difference"] == pytest.approx((2 * SECOND - FOURTH) / BEST, abs=1e-12)


def test_what_moved_is_summed_up() -> None:
    explanation = explained("p@3")

    assert {row["moved"]: row["documents"] for row in explanation.moves} == {"new": 2, "up": 1, "down": 2, "gone": 1}
    assert [row["difference"] for row in explanation.moves] == [pytest.approx(1 / 3), 0, 0, 0]
    assert explanation.remarks() == ["p@3 by move: 2 new (+0.3333), 1 moved up (0), 2 moved down (0), 1 gone (0)"]


def test_what_stands_where_it_stood_has_not_moved() -> None:
    systems = {"A": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "B": {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}}
    rows = explained("rr", systems=systems, qrels={"q": {"a": 1}}).to_dicts()
    assert {row["doc_id"]: row["moved"] for row in rows} == {"a": "same", "b": "down", "c": "up"}


def test_a_query_that_one_system_misses_counts_as_0_there_and_one_that_both_miss_has_no_rows() -> None:
    explanation = explained("ap", "r")
    assert differences(explanation) == {"d1": -1}
    assert explanation.values["ap"] == (1, 0)
    assert explanation.remarks()[-1] == "B has no results for the query"
    with pytest.raises(sqlrank.DataError, match="the query 'r' of B was not evaluated"):
        explained("ap", "r", query_set="run")

    explanation = explained("ap", "s", qrels=QRELS | {"s": {"d1": 1}})
    assert explanation.remarks() == ["neither system has results for the query"]


@each(
    [
        ("accuracy, p@3, dcg", "q", "p@3", "the parts are those of p@3: accuracy is not split by document"),
        ("arp, ap", "r", "ap", "the parts are those of ap: arp has no value there for both systems"),
    ]
)
def test_the_parts_are_those_of_the_first_metric_that_has_any(case: tuple[str, str, str, str]) -> None:
    metrics, query, metric, note = case
    explanation = explained(metrics, query)
    assert (explanation.metric, explanation.notes) == (metric, [note])
    assert list(explanation.values) == metrics.split(", ")
    assert query == "q" or explanation.values["arp"] == (1, None)


def test_without_parts_the_rankings_are_shown_and_a_note_says_why() -> None:
    explanation = explained(["accuracy", "num_q"])

    assert explanation.metric is None
    assert {row["difference"] for row in explanation.to_dicts()} == {None}
    assert explanation.notes == [
        "no parts are shown: accuracy, num_q is not split by document; add a metric that is split by document,"
        " such as metrics='ndcg@10'"
    ]
    assert explanation.remarks() == ["moves: 2 new, 1 moved up, 2 moved down, 1 gone"]


def test_a_relation_reads_its_own_rows_whatever_is_explained_after_it() -> None:
    with sqlrank.evaluate(systems=SYSTEMS, qrels=QRELS, metrics="ap") as result:
        first = result.explain("q", systems=("A", "B"))
        second = result.explain("r", systems=("B", "A"))
        assert (len(first.to_dicts()), len(second.to_dicts())) == (6, 1)


def moved(run: Table, qrels: Table, rng: random.Random) -> Table:
    """Another ranking of the documents of a run and those that were judged; one query has none."""
    found: Table = {}
    for query, scores in list(run.items())[1:]:
        docs = sorted({*scores, *qrels.get(query, {})})
        found[query] = {
            doc: rng.choice([1, -1]) * rng.randint(0, 6) / 8 for doc in rng.sample(docs, len(docs) // 2 + 1)
        }
    return found


RUN, JUDGED = random_data(5, queries=9)
OTHER = moved(RUN, JUDGED, random.Random(5))
CONVENTIONS: list[dict[str, Any]] = [
    {},
    *({"ties": ties} for ties in ("average", "best", "worst")),
    *({"depth": 3}, {"unjudged": "remove"}, {"unjudged": "remove", "depth": 2}, {"empty": "one"}, {"empty": "skip"}),
    *({"query_set": "run"}, {"query_set": "shared"}, {"order": "asc", "ties": "doc-asc"}),
]
OF_PARTS = [case for case in BROAD if sqlrank.METRICS[case.metric].parts is not None]
ROUNDS = [
    (case, CONVENTIONS[(number + shift) % len(CONVENTIONS)], third)
    for third, shift in enumerate((0, 5, 9))
    for number, case in enumerate(OF_PARTS)
]
"""Every metric with three of the conventions, so that each of these meets a quarter of the metrics.

Each of the three asks a third of the queries.
"""


def assert_sums(result: Result, measure: Measure, third: int) -> None:
    """The parts of a query whose values differ, in a third of the queries if one is there, sum up to both values.

    With empty=one, a query in which there was nothing to find is worth 1: of two values of 1, the difference is asked.
    """
    result.measures = (measure,)
    before, after = result.to_dict().values()
    both = {query: (before[query][measure.text], after[query][measure.text]) for query in before if query in after}
    known = {query: pair for query, pair in both.items() if None not in pair}
    ones = [query for query, pair in known.items() if result.conventions.empty == "one" and pair == (1, 1)]
    first = [*list(known)[third::3], *known]
    chosen = next((query for query in first if known[query][0] != known[query][1]), None)
    chosen = chosen or next(query for query in first if query not in ones)
    for query in (chosen, *ones[:1]):
        explanation = result.explain(query, rows=3, systems=("A", "B"))
        rows, (values,) = explanation.to_dicts(), explanation.values.values()
        assert tuple(values) == both[query]
        wanted = {"difference": values.difference}
        if query not in ones:
            wanted |= {"baseline_contribution": values.baseline_value, "contribution": values.value}
        found = {column: math.fsum(row[column] for row in rows) for column in wanted}
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def hold_sums(rows: Iterable[tuple[Case, int]], **conventions: Any) -> None:
    """Ask what `assert_sums` asks of each metric, with a third of the queries, of one evaluation."""
    thirds = {
        case.text: third
        for case, third in rows
        if conventions.get("ties") != "average" or sqlrank.METRICS[case.metric].linear
    }
    with sqlrank.evaluate(systems={"A": RUN, "B": OTHER}, qrels=JUDGED, metrics=list(thirds), **conventions) as result:
        asked = zip(result.measures, thirds.values(), strict=True)
        hold(dict(zip(thirds, asked, strict=True)), lambda each: assert_sums(result, *each))


@pytest.mark.needs("random")
@pytest.mark.parametrize("number", range(len(CONVENTIONS)))
def test_the_parts_sum_up_to_the_values_under_every_convention(number: int) -> None:
    rows = [row for place, row in enumerate(ROUNDS) if place // 8 % 2 == 0]
    hold_sums([(case, third) for case, told, third in rows if told is CONVENTIONS[number]], **CONVENTIONS[number])


@pytest.mark.needs("random")
def test_the_parts_sum_up_to_the_values_with_all_parameters() -> None:
    summed = [case for case in CASES if sqlrank.METRICS[case.metric].parts is not None]
    hold_sums((case, number % 3) for number, case in enumerate(summed[::12]))


SUBTOPICS = [("q", doc, subtopic, 1) for doc, subtopic in [("d1", "x"), ("d2", "x"), ("d2", "y"), ("d6", "z")]]
HISTORY = [("u", "d1"), ("u", "d2"), ("v", "d1")]


RETURNED = ["d1", "d2", "d3", "d4", "d7", "d9", "dX"]
ITEMS = pa.table(
    {
        "doc_id": RETURNED,
        "length": [100.0 * number for number in range(1, 8)],
        "vector": [[1.0, number / 7 - 0.5] for number in range(1, 8)],
    }
)
OTHER_INPUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "subtopics": (
        "alpha_ndcg@3 alpha_dcg@3 err_ia@3 nerr_ia@3 nrbp nnrbp ap_ia p_ia@3 subtopic_recall@3",
        {"qrels": arrow(SUBTOPICS, "query_id", "doc_id", "subtopic", "relevance")},
    ),
    "a history": (
        "novelty@3 surprisal@3 surprisal(norm=k)@3 popularity@3 popularity(norm=share)@3 tail_share(tail=0.5)@3",
        {"history": arrow(HISTORY, "query_id", "doc_id")},
    ),
    "items, and weighed queries": (
        "tbg u_measure(text=900) ild@3 serendipity@3 pooled_p@3 pooled_p(norm=min)@3",
        {"items": ITEMS, "history": arrow([("q", "d1"), ("q", "d7")], "query_id", "doc_id")},
    ),
}


@pytest.mark.parametrize("kind", OTHER_INPUTS)
def test_metrics_of_other_inputs_have_parts_too(kind: str) -> None:
    metrics, inputs = OTHER_INPUTS[kind]
    asked: dict[str, Any] = {"systems": SYSTEMS, "qrels": QRELS, "metrics": metrics.split()}
    result = sqlrank.evaluate(**asked | inputs)

    def check(measure: Measure) -> None:
        result.measures = (measure,)
        explanation = result.explain("q", systems=("A", "B"))
        (values,), found = explanation.values.values(), differences(explanation)
        assert values.difference == pytest.approx(math.fsum(found.values()), abs=1e-12)
        assert any(found.values())

    hold({measure.text: measure for measure in result.measures}, check)


NO_SUMS = set(
    "accuracy ap_11pt compat corpus_hole diversity gauc grouped_ap hole ideal_dcg iprec ndcg_rel num_q num_rel num_ret"
    " pairwise_accuracy rbp_resid relstring rndcg set_ap unexpectedness unj utility yaap".split()
)


def test_every_metric_says_once_whether_it_is_a_sum_over_documents() -> None:
    whole = {name for name, metric in sqlrank.METRICS.items() if metric.grain == "query" and metric.parts is None}
    none_lacks(
        whole - NO_SUMS,
        'sql/metrics/{}.sql does not say whether it is a sum over documents: write effect = "places", parts = "sum" or'
        ' parts = "first" in its entry, or add it to NO_SUMS in tests/evaluation/test_explained_difference.py',
    )
    assert whole == NO_SUMS
    assert {sqlrank.METRICS[name].parts for name in ("rr", "success", "set_success")} == {"first"}


OWN = """{#
title = "hits"
params = { rel = 1 }
reads = ["hit"]
summary = "mean"
formula = "hits"
citation = "none"
PARTS
#}
{% from "macros/ranking.sql" import at, total %}
"""


def own(name: str, parts: str, expression: str) -> str:
    """Write a metric of the user, and give its folder back."""
    Path("own").mkdir(exist_ok=True)
    Path(f"own/{name}.sql").write_text(OWN.replace("PARTS", parts) + expression)
    return "own"


def test_a_metric_of_the_user_may_be_a_sum_over_documents() -> None:
    folder = own("mine", 'parts = "sum"', "2 * {{ total(at(hit)) }}")

    assert differences(explained("mine", metrics_dir=folder)) == {"d1": 0, "d2": 2, "d3": -2, "d4": 0, "dX": 0, "d9": 0}


@each(
    [
        (
            'parts = "sum"',
            "power({{ total(at(hit)) }}, 2)",
            "mine is 4, but what its documents add is 2; take parts out",
        ),
        ('parts = "all"', "{{ total(at(hit)) }}", "parts = 'all' is neither 'sum' nor 'first'"),
        ('parts = "sum"\neffect = "places"', "{{ total(at(hit)) }}", "effect = 'places' says already that"),
    ]
)
def test_an_entry_that_is_not_right_is_refused(case: tuple[str, str, str]) -> None:
    parts, expression, said = case
    with pytest.raises(sqlrank.UsageError, match=re.escape(said)):
        explained("mine", metrics_dir=own("mine", parts, expression))


def test_systems_that_are_no_two_are_refused() -> None:
    result = sqlrank.evaluate(systems=SYSTEMS, qrels=QRELS, metrics="ap")

    def check(case: tuple[dict[str, Any], str]) -> None:
        asked, said = case
        with pytest.raises(sqlrank.UsageError, match=said):
            result.explain("q", **asked)

    hold(
        [
            ({"systems": ["A"]}, "two different systems are shown side by side, not A"),
            ({"systems": ["A", "A"]}, "two different systems are shown side by side, not A, A"),
            ({"systems": ["A", "C"]}, "there is no system 'C'"),
            ({"systems": 3}, "systems= takes the names of two systems, not 3"),
            ({"systems": ["A", "B"], "system": "A"}, "name one system, or two with systems="),
            ({"systems": ["A", "B"], "rows": 0}, "at least one row"),
            ({}, r"say which: system='A', or both of systems=\('A', 'B'\)"),
        ],
        check,
    )


def test_a_comparison_explains_a_query_by_its_baseline_and_a_candidate() -> None:
    with sqlrank.compare(systems=SYSTEMS, qrels=QRELS, metrics=["ap"]) as comparison:
        explanation = comparison.explain("q")
        assert (explanation.systems, explanation.metric) == (("A", "B"), "ap")
        assert explanation.values["ap"].difference == pytest.approx(math.fsum(differences(explanation).values()))
    with sqlrank.compare(systems=SYSTEMS | {"C": A}, qrels=QRELS, metrics=["ap"]) as comparison:
        assert comparison.explain("q", "C").systems == ("A", "C")
        with pytest.raises(sqlrank.UsageError, match="there are 2 candidates; say which: system='B'"):
            comparison.explain("q")


def test_stored_rows_have_no_rankings_to_explain() -> None:
    stored = ["a.parquet", "b.parquet"]
    for name, run in zip(stored, SYSTEMS.values(), strict=True):
        with sqlrank.evaluate(systems={name[0]: run}, qrels=QRELS, metrics="ap") as result:
            write_per_query(result, "parquet", name)
    with (
        sqlrank.compare(stored) as comparison,
        pytest.raises(sqlrank.UsageError, match="stored per-query rows have no rankings to explain"),
    ):
        comparison.explain("q")
