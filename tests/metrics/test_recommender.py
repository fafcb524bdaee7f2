"""Metrics of what is shown, beside a catalogue, a history and a baseline, against the plain definitions."""

from __future__ import annotations

import math
import random
from math import isnan
from typing import Any

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.reference import recommender
from tests.support.cases import (
    Case,
    Table,
    Values,
    about,
    arrow,
    assert_same,
    grid,
    queries_of,
    rows_of,
    summary_of,
    texts,
)
from tests.support.cli_helper import error_of
from tests.support.small_data import write_csv

CUTOFFS = [1, 3, 50]
CASES = [
    *grid("popularity", CUTOFFS, norm=[None, "share"], missing=[None, "omit"]),
    *grid("novelty", CUTOFFS, missing=[None, "omit"]),
    *grid("tail_share", CUTOFFS, tail=[None, 0.5, 0.01, 1, 5]),
    *grid("surprisal", CUTOFFS, norm=[None, "k"]),
    *grid("unexpectedness", CUTOFFS),
    *grid("diversity", CUTOFFS, kind=[None, "distinct"], missing=[None, "omit"]),
]
WHOLE = [
    *grid("coverage", CUTOFFS),
    *grid("gini", CUTOFFS, over=[None, "shown"]),
    *grid("exposure_gini", CUTOFFS, discount=[None, "none", "letor"], over=[None, "shown"]),
    *grid("entropy", CUTOFFS, log=[None, "ln"], norm=[None, "shown"]),
    *grid("personalization", CUTOFFS),
]
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "doc-asc", "depth": 2},
    {"ties": "input", "query_set": "run"},
    {"order": "asc", "query_set": "shared"},
    {"unjudged": "remove"},
    {"unjudged": "remove", "depth": 4, "query_set": "run", "ties": "worst"},
]


def shop(seed: int) -> tuple[Table, Table, Table, dict[str, str], list[tuple[str, str]]]:
    """A run, judgments, a baseline, categories and a history, each with documents and users the others lack."""
    rng = random.Random(seed)
    docs = [f"d{number}" for number in range(24)] + ["é", "文", "it's"]
    users = [f"u{number}" for number in range(40)]

    def results(share: float) -> Table:
        kept = [user for user in users if rng.random() < share]
        return {user: {doc: rng.randint(0, 5) / 8 for doc in rng.sample(docs, rng.randint(1, 9))} for user in kept}

    judged = {user: {doc: rng.choice([-1.0, 0.0, 1.0, 2.0]) for doc in rng.sample(docs, 6)} for user in users[3:]}
    items = {doc: rng.choice(["shoe", "hat", "É"]) for doc in [*docs[4:], "never shown"]}
    history = [(rng.choice([*users, "another"]), rng.choice([*docs[2:], "sold out"])) for _ in range(150)]
    return results(0.8), judged, results(0.7), items, [*history, *history[:20]]


RUN, QRELS, BASELINE, ITEMS, HISTORY = shop(3)
INPUTS: dict[str, Any] = {
    "items": arrow([*ITEMS.items(), ("bare", None)], "doc_id", "category"),
    "history": arrow(HISTORY, "query_id", "doc_id"),
    "baseline_run": BASELINE,
}


def shown(run: Table, **conventions: Any) -> dict[str, list[str]]:
    """The documents of each evaluated query."""
    queries = queries_of(run, QRELS, conventions.pop("query_set", "judged"))
    return {query: reference.ranked_docs(run.get(query, {}), QRELS.get(query, {}), **conventions) for query in queries}


def expected(run: Table, **conventions: Any) -> Values:
    """Values by query and text."""
    results = shown(run, **conventions)
    order = {name: value for name, value in conventions.items() if name == "order"}
    baseline = {query: reference.ranked_docs(scores, {}, **order) for query, scores in BASELINE.items()}
    given: dict[str, Any] = {"unexpectedness": baseline, "diversity": ITEMS}
    columns = {}
    for case in CASES:
        other = given.get(case.metric, HISTORY)
        columns[case.text] = getattr(recommender, case.metric)(results, case.k, other, **case.arguments)
    found = {query: {text: values[query] for text, values in columns.items()} for query in results}
    return {query: {text: None if isnan(v) else v for text, v in values.items()} for query, values in found.items()}


def expected_whole(case: Case, results: dict[str, list[str]], catalogue: list[str]) -> Any:
    """The value of a metric of a whole system."""
    given = [catalogue] if case.metric in ("coverage", "gini", "exposure_gini") else []
    return about(getattr(recommender, case.metric)(results, case.k, *given, **case.arguments))


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_values_of_each_query_agree(conventions: dict[str, Any]) -> None:
    result = sqlrank.evaluate(RUN, QRELS, texts(CASES), **INPUTS, **conventions)

    wanted = expected(RUN, **conventions)
    assert_same(result.to_dict(), wanted, texts(CASES))
    found = result.rows.project("value, queries").fetchall()
    assert found == [summary_of(wanted, text) for text in texts(CASES)]


@pytest.mark.needs("random")
@pytest.mark.parametrize("conventions", CONVENTIONS[::-1], ids=str)
def test_values_of_whole_systems_agree(conventions: dict[str, Any]) -> None:
    systems = {"one": RUN, "two é": dict(list(shop(4)[0].items())[::2])}

    result = sqlrank.evaluate(
        qrels=QRELS, metrics=[*texts(WHOLE), *texts(CASES), "ap"], systems=systems, **INPUTS, **conventions
    )

    for system, run in systems.items():
        results = shown(run, **conventions)
        for case, measure in zip(WHOLE, result.measures, strict=False):
            value = result.value(measure.text, system=system)
            assert value == expected_whole(case, results, [*ITEMS, "bare"]), case.text
        found = {query: list(values.values())[:-1] for query, values in result.to_dict()[system].items()}
        assert_same(
            {query: dict(zip(texts(CASES), values, strict=True)) for query, values in found.items()},
            expected(run, **conventions),
            texts(CASES),
        )


def test_every_metric_is_among_the_cases_with_every_parameter() -> None:
    cases = [*CASES, *WHOLE]
    assert {case.metric for case in cases} == {name for name in vars(recommender) if name in sqlrank.METRICS}
    for metric in {case.metric for case in cases}:
        given = {name for case in cases if case.metric == metric for name in case.parameters}
        assert given == set(sqlrank.METRICS[metric].parameters)


@pytest.mark.parametrize("several", [False, True])
def test_segments_of_whole_systems_are_those_of_their_queries(several: bool) -> None:
    markets = {query: "de" if number % 3 else "it's" for number, query in enumerate(RUN)}
    columns = ["system", "query_id", "doc_id", "score", "market"]
    half = {query: RUN[query] for query in list(RUN)[::2]}
    systems = {"one": RUN, "two": half} if several else {"one": RUN}
    rows = [(system, *row, markets[row[0]]) for system, run in systems.items() for row in rows_of(run)]

    result = sqlrank.evaluate(arrow(rows, *columns), QRELS, texts(WHOLE), by="market", query_set="run", **INPUTS)

    for system, run in systems.items():
        results = shown(run, query_set="run")
        for market in ("de", "it's", None):
            kept = {query: docs for query, docs in results.items() if market in (None, markets[query])}
            segment = {} if market is None else {"market": market}
            for case, measure in zip(WHOLE, result.measures, strict=True):
                value = result.value(measure.text, system=system, **segment)
                assert value == expected_whole(case, kept, [*ITEMS, "bare"]), (case.text, market)


def test_segments_divide_the_mean_of_queries() -> None:
    markets = {query: "de" if number % 3 else "fr" for number, query in enumerate(QRELS)}
    asked = arrow(markets.items(), "query_id", "market")

    result = sqlrank.evaluate(RUN, QRELS, texts(CASES), queries=asked, by="market", **INPUTS)

    wanted = expected(RUN)
    for market in ("de", "fr"):
        part = {query: values for query, values in wanted.items() if markets[query] == market}
        for measure, text in zip(result.measures, texts(CASES), strict=True):
            assert result.value(measure.text, market=market) == summary_of(part, text)[0]


def test_catalogue_without_items_is_made_of_the_history() -> None:
    cases = [case for case in WHOLE if case.metric in ("coverage", "gini", "exposure_gini")]

    result = sqlrank.evaluate(RUN, QRELS, texts(cases), history=INPUTS["history"])

    catalogue = sorted({doc for _, doc in HISTORY})
    for case, measure in zip(cases, result.measures, strict=True):
        assert result[measure.text] == expected_whole(case, shown(RUN), catalogue)


def test_baseline_of_ranks_is_ordered_by_them() -> None:
    rows = [
        (query, doc, float(rank))
        for query, scores in BASELINE.items()
        for rank, doc in enumerate(reference.ranked_docs(scores, {}), start=1)
    ]

    result = sqlrank.evaluate(
        RUN,
        QRELS,
        "unexpectedness@3",
        baseline_run=arrow(random.Random(1).sample(rows, len(rows)), "query_id", "doc_id", "rank"),
    )

    expected = sqlrank.evaluate(RUN, QRELS, "unexpectedness@3", baseline_run=BASELINE)["unexpectedness@3"]
    assert result["unexpectedness@3"] == pytest.approx(expected, rel=1e-14)


def test_users_of_the_history_may_be_called_so() -> None:
    history = arrow(HISTORY, "user_id", "item_id")

    found = sqlrank.evaluate(RUN, QRELS, "novelty@3", history=history)["novelty@3"]

    assert found == sqlrank.evaluate(RUN, QRELS, "novelty@3", history=INPUTS["history"])["novelty@3"]


@pytest.mark.parametrize(
    ("metric", "option"),
    [
        ("coverage@3", "--items"),
        ("gini@3", "--items"),
        ("exposure_gini@3", "--items"),
        ("diversity@3", "--items"),
        ("popularity@3", "--history"),
        ("tail_share@3", "--history"),
        ("novelty@3", "--history"),
        ("surprisal@3", "--history"),
        ("unexpectedness@3", "--baseline-run"),
    ],
)
def test_missing_input_is_refused_with_the_option_that_gives_it(metric: str, option: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=option.removeprefix("--").replace("-", "_") + "="):
        sqlrank.evaluate(RUN, QRELS, metric)
    run = write_csv("run.csv", ("query_id", "doc_id", "score"), [("q", "a", 1.0)])
    qrels = write_csv("qrels.csv", ("query_id", "doc_id", "relevance"), [("q", "a", 1)])
    assert option in error_of(2, "eval", run, "--qrels", qrels, "-m", metric)


@pytest.mark.parametrize(
    "metric", ["gini(over=shown)@3", "exposure_gini(over=shown)@3", "entropy@3", "personalization@3"]
)
def test_metric_of_what_is_shown_alone_needs_no_other_input(metric: str) -> None:
    assert sqlrank.evaluate(RUN, QRELS, metric)[metric] is not None


@pytest.mark.parametrize(
    ("metric", "run"),
    [
        ("personalization@3", {"u": {"a": 1.0, "b": 0.0}}),
        ("gini(over=shown)@3", {"u": {"a": 1.0}, "v": {"a": 1.0}}),
        ("gini@3", {"u": {"a": 1.0}}),
    ],
)
def test_metric_of_a_system_with_nothing_to_divide_by_has_no_value(metric: str, run: Table) -> None:
    result = sqlrank.evaluate(run, {"u": {"a": 1}}, [metric, "ap"], query_set="run", items=INPUTS["items"])

    assert result[metric] is None
    assert result["ap"] is not None


def test_surprisal_of_a_single_user_is_undefined() -> None:
    result = sqlrank.evaluate(
        {"q": {"a": 1.0}}, {"q": {"a": 1}}, "surprisal@3", history=arrow([("u", "a")], "user", "item")
    )

    assert result["surprisal@3"] is None


def test_metric_of_what_is_shown_needs_no_document_that_was_judged() -> None:
    run, qrels, history = {"u": {"a": 2.0, "b": 1.0}}, {"u": {"z": 1}}, arrow([("v", "a")], "query_id", "doc_id")

    assert sqlrank.evaluate(run, qrels, "popularity@2", history=history)["popularity@2"] == 0.5
    with sqlrank.evaluate(run, qrels, ["popularity@2", "ap"], history=history) as result:
        assert (result["popularity@2"], result["ap"]) == (0.5, 0)
        assert any("no judged document" in note for note in result.notes)


SHOWN = {"u1": "abcd", "u2": "ab", "u3": "ae"}
HAD = arrow([("1", "a"), ("2", "a"), ("3", "a"), ("1", "b"), ("1", "b"), ("4", "c")], "query_id", "doc_id")
OTHER = {"u1": "baxc", "u2": "c", "u4": "a"}
CATEGORIES = arrow([("a", "red"), ("b", "red"), ("c", "blue"), ("d", "red"), ("f", "green")], "doc_id", "category")
COMMON = math.log2(4 / 3)
"""Novelty of the document that three of four users had; that of the others is 2."""


def in_order(results: dict[str, str]) -> Table:
    """Documents of a letter each as a run."""
    return {query: {doc: -float(place) for place, doc in enumerate(docs)} for query, docs in results.items()}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("popularity@3", [(3 + 2 + 1) / 3, (3 + 2) / 2, 3 / 2, 0]),
        ("popularity(norm=share)@1", [3 / 6, 3 / 6, 3 / 6, 0]),
        ("tail_share@3", [1 / 3, 0, 0, 0]),
        ("tail_share(tail=0.67)@3", [2 / 3, 1 / 2, 0, 0]),
        ("tail_share(tail=2)@2", [1 / 2, 1 / 2, 0, 0]),
        ("novelty@3", [(COMMON + 2 + 2) / 3, (COMMON + 2) / 2, (COMMON + 2) / 2, 0]),
        ("surprisal(norm=k)@3", [(COMMON / 2 + 1 + 1) / 3, (COMMON / 2 + 1) / 3, (COMMON / 2 + 1) / 3, 0]),
        ("unexpectedness@3", [1 - 2 / 3, 1, 0, 0]),
        ("diversity@3", [2 / 3, 0, 1, 0]),
        ("diversity@1", [0, 0, 0, 0]),
        ("diversity(kind=distinct)@4", [2 / 4, 1 / 4, 2 / 4, 0]),
    ],
)
def test_each_query_has_its_worked_value(metric: str, expected: list[float]) -> None:
    judged = {f"u{number}": {"a": 1} for number in (1, 2, 3, 4)}
    given: dict[str, Any] = {"history": HAD, "items": CATEGORIES, "baseline_run": in_order(OTHER)}

    values = sqlrank.evaluate(in_order(SHOWN), judged, metric, **given).to_dict()

    assert [values[query][metric] for query in judged] == pytest.approx(expected, rel=1e-14)


SHARES = (3 / 7, 2 / 7, 1 / 7, 1 / 7)


@pytest.mark.parametrize(
    ("metric", "shown", "catalogue", "expected"),
    [
        ("coverage@3", SHOWN, "abcdef", 4 / 6),
        ("coverage@1", SHOWN, "abc", 1 / 3),
        ("gini@3", SHOWN, "abcdef", (-5 * 0 - 3 * 0 - 1 * 1 + 1 * 1 + 3 * 2 + 5 * 3) / (6 * 7)),
        ("gini@3", SHOWN, "ae", (3 - 1) / (2 * 4)),
        ("gini(over=shown)@3", SHOWN, "a", (-3 * 1 - 1 * 1 + 1 * 2 + 3 * 3) / (3 * 7)),
        ("exposure_gini(discount=none)@3", SHOWN, "abcdef", (-5 * 0 - 3 * 0 - 1 * 1 + 1 * 1 + 3 * 2 + 5 * 3) / (6 * 7)),
        ("exposure_gini@3", {"u": "abd"}, "abc", (-2 * 0 + 0 + 2 * 1) / (3 * (1 + 1 / math.log2(3)))),
        ("exposure_gini(over=shown)@2", {"u": "ab", "v": "ba"}, "a", 0),
        (
            "exposure_gini(discount=letor, over=shown)@3",
            {"u": "abc"},
            "a",
            (-2 / math.log2(3) + 2) / (3 * (2 + 1 / math.log2(3))),
        ),
        ("entropy@3", SHOWN, "a", -sum(share * math.log2(share) for share in SHARES)),
        ("entropy(log=ln, norm=shown)@3", SHOWN, "a", -sum(share * math.log(share) for share in SHARES) / 4),
        ("personalization@2", SHOWN, "a", 1 - (2 + 1 + 1) / 3 / 2),
        ("personalization@4", SHOWN, "a", 1 - (2 + 1 + 1) / 3 / 4),
        ("gini@2", {"u": "ab", "v": "ba"}, "ab", 0),
        ("entropy@2", {"u": "ab", "v": "ba"}, "ab", 1),
        ("personalization@2", {"u": "ab", "v": "ba"}, "ab", 0),
        ("gini@1", {"u": "a"}, "a", 0),
    ],
)
def test_system_has_its_worked_value(metric: str, shown: dict[str, str], catalogue: str, expected: float) -> None:
    items = arrow([(doc,) for doc in catalogue], "doc_id")

    result = sqlrank.evaluate(in_order(shown), {query: {"a": 1} for query in shown}, metric, items=items)

    assert result[metric] == pytest.approx(expected, rel=1e-14)


def test_what_one_of_two_users_knows_surprises_by_one_bit() -> None:
    history = arrow([("u", "other"), ("v", "d")], "query_id", "doc_id")
    with sqlrank.evaluate({"u": {"d": 1.0}}, {"u": {"d": 1.0}}, "surprisal@1", history=history) as result:
        assert result["surprisal@1"] == 1, "-log2(1/2) = 1, over the largest there can be, log2(2) = 1"
