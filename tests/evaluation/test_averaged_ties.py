"""The mean over all orders of ties: against every order tried, and against scikit-learn."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, permutations, product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import sqlrank
from tests.reference import definitions as reference
from tests.support.cases import (
    BROAD,
    CASES,
    Case,
    Table,
    Values,
    arrow,
    assert_same,
    calls_of,
    grid,
    queries_of,
    rows_of,
    same,
    texts,
)
from tests.support.cli_helper import error_of
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv
from tests.support.tables import each

pytestmark = pytest.mark.needs("random")

LINEAR = [case for case in CASES if sqlrank.METRICS[case.metric].linear and (case.metric != "insq" or case.k)]
OTHERS = [case for case in BROAD if not sqlrank.METRICS[case.metric].linear]


def tied_data(seed: int, queries: int = 16) -> tuple[Table, Table]:
    """Short rankings whose ties have at most four documents, with unjudged, negative and missed ones."""
    rng = random.Random(seed)
    run: Table = {}
    qrels: Table = {}
    for number in range(queries):
        scores = [score / 8 for score in rng.sample(range(6), rng.randint(1, 2)) for _ in range(rng.randint(1, 4))]
        docs = [f"d{place}" for place in range(len(scores) + 2)]
        grades: list[float] = rng.choice([[0, 1], [0, 1, 2, 3], [-2, -1, 0, 1, 5], [0, 0.25, 0.5, 1.5], [-1, 0]])
        if number % 10 != 1:
            qrels[f"q{number}"] = {
                doc: float(rng.choice(grades)) for doc in rng.sample(docs, rng.randint(2, len(docs)))
            }
        if number % 10 != 2:
            run[f"q{number}"] = dict(zip(rng.sample(docs, len(scores)), scores, strict=True))
    return run, qrels


RUN, QRELS = tied_data(17)


def orders(scores: dict[str, float], sign: int) -> Iterator[list[str]]:
    """Every order of the documents in which no lower score stands above a higher one."""
    docs = sorted(scores, key=lambda doc: -sign * scores[doc])
    groups = [list(group) for _, group in groupby(docs, key=lambda doc: scores[doc])]
    for chosen in product(*(permutations(group) for group in groups)):
        yield [doc for group in chosen for doc in group]


def mean_over_orders(run: Table, qrels: Table, cases: Iterable[Case], **conventions: Any) -> Values:
    """Values by query and text, each being the mean over all orders."""
    when_empty = {"zero": 0.0, "one": 1.0, "skip": None}[conventions.get("empty", "zero")]
    remove, sign = conventions.get("unjudged") == "remove", -1 if conventions.get("order") == "asc" else 1
    calls = calls_of(cases, qrels)
    values: Values = {}
    for query in queries_of(run, qrels, conventions.get("query_set", "judged")):
        judgments = qrels.get(query, {})
        rankings = Counter(
            tuple(judgments.get(doc) for doc in docs if not remove or judgments.get(doc, -1) >= 0)
            for docs in orders(run.get(query, {}), sign)
        )
        judged = list(judgments.values())
        values[query] = {}
        for text, call in calls.items():
            found = [(call(list(ranking), judged), times) for ranking, times in rankings.items()]
            empty = found[0][0] is None
            mean = None if empty else math.fsum(value * times for value, times in found) / rankings.total()
            values[query][text] = reference.resolve(mean, when_empty)
    return values


@pytest.mark.parametrize(
    "conventions",
    [
        {},
        {"query_set": "shared", "empty": "one"},
        {"unjudged": "remove", "query_set": "run", "order": "asc"},
        {"unjudged": "remove", "empty": "skip"},
    ],
    ids=str,
)
def test_linear_metrics_have_their_mean_over_all_orders(conventions: dict[str, Any]) -> None:
    cases = LINEAR[len(conventions) % 3 :: 3]

    result = sqlrank.evaluate(RUN, QRELS, texts(cases), ties="average", **conventions)

    assert_same(result.to_dict(), mean_over_orders(RUN, QRELS, cases, **conventions), texts(cases))


def test_every_linear_metric_of_a_ranking_is_tried() -> None:
    linear = {name for name, metric in sqlrank.METRICS.items() if metric.linear and name in reference.METRICS}
    assert {case.metric for case in LINEAR} == linear
    assert linear > {"dcg", "ndcg", "p", "recall", "rprec", "f", "judged", "unj", "rbp", "sdcg", "insq", "num_rel_ret"}
    ties = [Counter(scores.values()).values() for scores in RUN.values()]
    assert sum(max(sizes) > 1 for sizes in ties) > 8
    assert max(math.prod(map(math.factorial, sizes)) for sizes in ties) > 500


@pytest.mark.parametrize("conventions", [{}, {"unjudged": "remove", "query_set": "run"}], ids=str)
def test_systems_evaluated_together_have_the_means_they_have_alone(conventions: dict[str, Any]) -> None:
    systems = {"one": RUN, "two é": tied_data(18)[0]}
    cases = LINEAR[::5]

    found = sqlrank.evaluate(qrels=QRELS, metrics=texts(cases), systems=systems, ties="average", **conventions)

    for system, run in systems.items():
        wanted = mean_over_orders(run, QRELS, cases, **conventions)
        assert_same(found.to_dict()[system], wanted, texts(cases))


def test_labelled_export_has_the_mean_over_all_orders() -> None:
    rows = [(*row, QRELS.get(row[0], {}).get(row[1])) for row in rows_of(RUN)]
    labels: Table = {}
    for query, doc, _, relevance in rows:
        if relevance is not None:
            labels.setdefault(query, {})[doc] = relevance
    cases = LINEAR[::5]

    export = arrow(rows, "query_id", "doc_id", "score", "relevance")
    result = sqlrank.evaluate(export, None, texts(cases), ties="average")
    assert_same(result.to_dict(), mean_over_orders(RUN, labels, cases), texts(cases))


def graded_rows(seed: int, queries: int) -> tuple[Table, Table]:
    """Rankings whose documents are all judged, most of them tied."""
    rng = random.Random(seed)
    run: Table = {}
    qrels: Table = {}
    for number in range(queries):
        docs = [f"d{place}" for place in range(rng.randint(2, 25))]
        grades: list[float] = rng.choice([[0, 1], [0, 1, 2, 3], [0, 0.5, 2.25], [0]])
        run[f"q{number}"] = {doc: rng.randint(0, rng.choice([0, 1, 3, 9])) / 4 for doc in docs}
        qrels[f"q{number}"] = {doc: float(rng.choice(grades)) for doc in docs}
    return run, qrels


def test_discounted_gain_is_that_of_sklearn() -> None:
    run, qrels = graded_rows(4, 120)
    cutoffs = [None, 1, 3, 10]
    cases = [*grid("ndcg", cutoffs, ideal=["retrieved"]), *grid("dcg", cutoffs)]

    values = sqlrank.evaluate(run, qrels, texts(cases), ties="average").to_dict()

    for query, scores in run.items():
        truth = np.array([[qrels[query][doc] for doc in scores]])
        given = np.array([list(scores.values())])
        for value, case in zip(values[query].values(), cases, strict=True):
            theirs = (ndcg_score if case.metric == "ndcg" else dcg_score)(truth, given, k=case.k)
            assert same(value, float(theirs)), (case.text, query)


def test_mean_over_the_rows_is_that_of_sklearn() -> None:
    run, qrels = graded_rows(5, 50)
    run = {query: {f"d{place}": scores.get(f"d{place}", -1.0) for place in range(25)} for query, scores in run.items()}
    qrels = {query: {doc: qrels[query].get(doc, 0.0) for doc in docs} for query, docs in run.items()}
    truth = np.array([list(qrels[query].values()) for query in run])

    result = sqlrank.evaluate(run, qrels, "ndcg@5", ties="average")

    theirs = ndcg_score(truth, np.array([list(scores.values()) for scores in run.values()]), k=5)
    assert result["ndcg@5"] == pytest.approx(float(theirs), abs=1e-12)


WITH_BOUNDS = "ap rr@3 success@1 err@3 bpref iprec(recall=0.5) nerr8@3 compat".split()
NO_BOUNDS = (
    "ap(norm=retrieved)@3 ap(rel=0) nerr8(min=-1)@3 accuracy@3 bpm@3 g infap alpha_ndcg@3 diversity@3 ild@3 tbg ncu"
    " coverage@3 unexpectedness@3"
).split()
"""Metrics that one order of ties need not have highest or lowest."""


TOLD = (
    dict.fromkeys((*texts(OTHERS), "personalization@3", "novelty@3", "nrbp", "relstring@3"), "")
    | dict.fromkeys(WITH_BOUNDS, "; ties='worst' and ties='best'")
    | dict.fromkeys(NO_BOUNDS, "; choose an order of ties")
)


@each(TOLD.items())
def test_metric_without_closed_form_is_refused_with_its_bounds_or_what_to_do(case: tuple[str, str]) -> None:
    metric, instead = case
    with pytest.raises(sqlrank.UsageError, match=rf"ties='average': .* has no closed form{instead}"):
        sqlrank.evaluate(RUN, QRELS, ["ndcg", metric], ties="average", texts=True)


def test_metric_without_closed_form_is_refused_at_the_command_line() -> None:
    run = write_csv("run.csv", RUN_NAMES, [("q", "a", 1.0)])
    qrels = write_csv("qrels.csv", QRELS_NAMES, [("q", "a", 1)])

    said = error_of(2, "eval", run, "--qrels", qrels, "-m", "ap", "--ties", "average")
    assert "worst" in said
    assert "best" in said


TIED = {"q": {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.0}}


@each(["nonrelevant", "remove"])
def test_depth_that_cuts_a_tie_is_refused_and_one_beside_it_works(unjudged: str) -> None:
    qrels = {"q": {"a": 0, "b": 1, "c": 0, "d": 1}}
    asked: dict[str, Any] = {"ties": "average", "unjudged": unjudged}

    with pytest.raises(sqlrank.SqlrankError, match="depth="):
        sqlrank.evaluate(TIED, qrels, "p@3", depth=2, **asked)

    for depth, value in ((1, 0.0), (3, 1 / 3), (4, 1 / 3), (9, 1 / 3)):
        result = sqlrank.evaluate(TIED, qrels, "p@3, p@2", depth=depth, **asked)
        assert result["p@3"] == pytest.approx(value, abs=1e-12)
        assert result["p@2"] == (0.25 if depth > 2 else 0.0)


def test_depth_that_cuts_a_tie_of_a_query_that_is_not_evaluated_works() -> None:
    run = {"p": {"a": 1.0, "b": 1.0}, "q": {"a": 2.0, "b": 1.0}}

    assert sqlrank.evaluate(run, {"q": {"a": 1}}, "p@1", ties="average", depth=1)["p@1"] == 1.0
    with pytest.raises(sqlrank.SqlrankError, match="depth="):
        sqlrank.evaluate(run, {"q": {"a": 1}}, "p@1", ties="average", depth=1, query_set="run")


@pytest.mark.parametrize("asked", [["ndcg", "judged"], ["p@1"], ["rbp", "num_rel_ret"]])
@pytest.mark.parametrize("conventions", [{}, {"query_set": "run"}, {"unjudged": "remove"}], ids=str)
def test_as_many_queries_are_said_to_depend_on_ties_as_in_one_order(
    asked: list[str], conventions: dict[str, Any]
) -> None:
    average, one_order = (
        sqlrank.evaluate(RUN, QRELS, asked, ties=ties, **conventions).counts["run"] for ties in ("average", "doc-desc")
    )

    assert average == one_order
    assert average.tied > 2
    assert average.tied_documents >= average.tied
