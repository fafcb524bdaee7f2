"""Every metric under every convention, query by query: against the plain definitions, and against pytrec_eval."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import pytrec_eval

import sqlrank
from tests.reference import definitions as reference
from tests.support.cases import (
    BROAD,
    CASES,
    FAMILIES,
    QUERIES,
    SOME,
    Case,
    Table,
    arrow,
    assert_same,
    expected_values,
    grid,
    random_data,
    rows_of,
    same,
    summary_of,
    texts,
)
from tests.support.tables import each

pytestmark = [pytest.mark.needs("random"), pytest.mark.usefixtures("plans_whatever_the_size")]

RUN, QRELS = random_data(20240607)
DEFINED = ("ties", "depth", "unjudged", "query_set", "empty", "order")
"""Conventions that the definitions know."""
LABELLED = ("system", "query_id", "doc_id", "score", "relevance")


def assert_agrees(cases: Sequence[Case], given: Any = (RUN, QRELS), meant: Any = None, **asked: Any) -> sqlrank.Result:
    """What is given has the values that the definitions give the run and the judgments that are meant, or raise."""
    conventions = {name: value for name, value in asked.items() if name in DEFINED}
    (run, qrels), (meant_run, meant_qrels) = given, meant or given
    result = sqlrank.evaluate(run, qrels, texts(cases), **asked)
    assert_same(result.to_dict(), expected_values(meant_run, meant_qrels, cases, **conventions), texts(cases))
    return result


def assert_each_agrees(
    result: sqlrank.Result, runs: dict[str, Table], qrels: Table, cases: Sequence[Case], **conventions: Any
) -> dict[str, Any]:
    """Every system has the values of its run by the definitions, or raise; all values by system."""
    found: dict[str, Any] = result.to_dict()
    assert found.keys() == runs.keys()
    for system, run in runs.items():
        assert_same(found[system], expected_values(run, qrels, cases, **conventions), texts(cases))
    return found


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("family", FAMILIES)
def test_all_metrics_with_all_parameters_agree(family: str, half: int) -> None:
    assert_agrees(FAMILIES[family][half::2])


@pytest.mark.parametrize(
    ("step", "conventions"),
    [(4, {}), (3, {"ties": "best", "depth": 7, "unjudged": "remove", "query_set": "run", "empty": "skip"})],
)
def test_many_metrics_of_all_families_agree_in_one_request(step: int, conventions: dict[str, Any]) -> None:
    assert_agrees(CASES[1::step], **conventions)


@pytest.mark.parametrize("metric", sorted(set(reference.METRICS) & set(sqlrank.METRICS) - {"relstring"}))
def test_every_metric_of_a_ranking_is_among_the_cases_with_every_parameter(metric: str) -> None:
    assert metric in {case.metric for case in CASES}
    assert metric in {case.metric for case in BROAD}
    entry = sqlrank.METRICS[metric]
    words_of_items = {"none", "item", "within"}  # test_item_weights
    of_items = {"weight"} if {"item"} <= set(entry.choices.get("weight", ())) <= words_of_items else set()
    given = [case.parameters for case in CASES if case.metric == metric]
    assert {name for parameters in given for name in parameters} == set(entry.parameters) - of_items
    for name, words in entry.choices.items():
        words = tuple(word for word in words if word not in ("item", "within"))
        tried = {str(parameters.get(name, entry.parameters[name])) for parameters in given}
        assert set(words) - {"number"} <= tried
        assert "number" not in words or tried - set(words)


def test_relevances_of_the_top_agree_a_character_each() -> None:
    cases = grid("relstring", [1, 3, 10, 20, 300])

    values = sqlrank.evaluate(RUN, QRELS, texts(cases), texts=True, unjudged="nonrelevant", depth=8).to_dict()

    wanted = expected_values(RUN, QRELS, cases, depth=8)
    found = {query: {text: f"'{value}'" for text, value in row.items()} for query, row in values.items()}
    assert found == {query: {text: str(value) for text, value in row.items()} for query, row in wanted.items()}


@each([2, 4.5])
def test_relevance_above_the_largest_of_err_is_refused_and_counts_as_it_unchecked(most: float) -> None:
    cases = grid("err", [3], max=[most])
    with pytest.raises(sqlrank.DataError, match="5"):
        sqlrank.evaluate(RUN, QRELS, f"err(max={most})@3")
    assert_agrees(cases, checks=False)


@pytest.mark.parametrize(
    "conventions",
    [
        {"ties": "best"},
        {"ties": "doc-asc"},
        {"ties": "worst"},
        {"ties": "input"},
        {"order": "asc"},
        {"order": "asc", "ties": "worst", "depth": 1},
        {"depth": 4},
        {"depth": 4, "ties": "best"},
        {"query_set": "shared"},
        {"query_set": "run"},
        {"empty": "one"},
        {"empty": "skip"},
        {"empty": "one", "query_set": "run", "depth": 3},
        {"unjudged": "remove"},
        {"unjudged": "remove", "depth": 3},
        {"unjudged": "remove", "depth": 3, "query_set": "run", "ties": "worst"},
        {"unjudged": "remove", "query_set": "shared", "ties": "input", "order": "asc", "empty": "one"},
    ],
    ids=lambda conventions: ",".join(f"{name}={value}" for name, value in conventions.items()),
)
def test_metrics_agree_under_the_conventions(conventions: dict[str, Any]) -> None:
    result = sqlrank.evaluate(RUN, QRELS, texts(BROAD), **conventions)

    wanted = expected_values(RUN, QRELS, BROAD, **conventions)
    assert_same(result.to_dict(), wanted, texts(BROAD))
    kinds = [measure.summary for measure in result.measures]
    assert set(kinds) == {"mean", "geometric", "sum"}
    summaries = [summary_of(wanted, text, kind) for text, kind in zip(texts(BROAD), kinds, strict=True)]
    assert result.rows.project("value, queries").fetchall() == summaries


def test_level_of_the_call_is_that_of_metrics_that_name_none() -> None:
    asked = ["ap", "ap(rel=1)", "p(norm=returned)@5", "rprec", "ndcg@3", "num_rel"]

    values = sqlrank.evaluate(RUN, QRELS, asked, rel=2).to_dict()

    cases = [Case("ap", None, {"rel": 2}), Case("ap"), Case("p", 5, {"norm": "returned", "rel": 2})]
    cases += [Case("rprec", None, {"rel": 2}), Case("ndcg", 3), Case("num_rel", None, {"rel": 2})]
    assert_same(values, expected_values(RUN, QRELS, cases), texts(cases))


def test_value_by_text_is_that_of_the_rows_whatever_the_level_of_the_call() -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 2}}

    result = sqlrank.evaluate(run, qrels, ["rr", "rr(rel=1)"], rel=2)

    assert list(result.to_dict()["q"].values()) == [0.5, 1.0]
    assert [result[measure.text] for measure in result.measures] == [0.5, 1.0]


def test_scores_that_differ_only_beyond_32_bits_are_tied_in_32_bits() -> None:
    rng = random.Random(5)
    fine = {
        query: {doc: score + rng.randint(0, 3) * 1e-9 for doc, score in found.items()} for query, found in RUN.items()
    }
    coarse = {query: {doc: float(np.float32(score)) for doc, score in found.items()} for query, found in fine.items()}

    as_double = assert_agrees(BROAD, (fine, QRELS))
    as_float = assert_agrees(BROAD, (fine, QRELS), meant=(coarse, QRELS), score_type="float")
    assert as_double.to_dict() != as_float.to_dict()


@pytest.mark.parametrize("judgments", ["max", "mean"])
@pytest.mark.parametrize("conventions", [{}, {"ties": "worst", "unjudged": "remove", "query_set": "run"}])
def test_several_raters_become_one_judgment(judgments: str, conventions: dict[str, Any]) -> None:
    rng = random.Random(11)
    grades: dict[tuple[str, str], list[float]] = {
        (query, doc): [rng.choice([-1, 0, 0.5, 1, 2, 3]) for _ in range(rng.choice([1, 1, 2, 4]))]
        for query, doc, _ in rows_of(QRELS)
    }
    rows = [(query, doc, grade) for (query, doc), given in grades.items() for grade in given]
    rng.shuffle(rows)
    pooled: Table = {}
    for (query, doc), given in grades.items():
        pooled.setdefault(query, {})[doc] = max(given) if judgments == "max" else sum(given) / len(given)
    cases = [case for case in SOME if ":" not in case.parameters.get("gain", "")]

    qrels = arrow(rows, "query_id", "doc_id", "relevance")
    assert_agrees(cases, (RUN, qrels), meant=(RUN, pooled), judgments=judgments, **conventions)


def test_mean_of_raters_that_a_gain_table_does_not_name_is_refused() -> None:
    qrels = arrow([("q", "a", 1.0), ("q", "a", 2.0), ("q", "b", 1.0)], "query_id", "doc_id", "relevance")

    with pytest.raises(sqlrank.DataError, match=r"1\.5"):
        sqlrank.evaluate({"q": {"a": 1.0}}, qrels, "ndcg(gain=0:0,1:1,2:4)", judgments="mean")


def copied(run: Table, seed: int) -> list[tuple[str, str, float]]:
    """The rows of a run in any order, some documents standing again with a worse score."""
    rng = random.Random(seed)
    rows = rows_of(run)
    rows += [(query, doc, score - rng.choice([0.125, 1])) for query, doc, score in rng.choices(rows, k=len(rows) // 2)]
    rng.shuffle(rows)
    return rows


@pytest.mark.parametrize(
    "conventions",
    [
        {},
        {"ties": "best"},
        {"ties": "worst", "depth": 4},
        {"query_set": "run", "depth": 2},
        {"unjudged": "remove", "depth": 4},
    ],
)
def test_better_place_of_a_document_that_stands_twice_counts(conventions: dict[str, Any]) -> None:
    run = arrow(copied(RUN, 3), "query_id", "doc_id", "score")
    assert_agrees(SOME, (run, QRELS), meant=(RUN, QRELS), duplicates="best", **conventions)


def test_better_place_is_the_smaller_score_where_smaller_is_better() -> None:
    negated = {query: {doc: -score for doc, score in found.items()} for query, found in RUN.items()}
    run = arrow([(query, doc, -score) for query, doc, score in copied(RUN, 4)], "query_id", "doc_id", "score")
    assert_agrees(SOME, (run, QRELS), meant=(negated, QRELS), duplicates="best", order="asc")


def test_ties_by_rank_stand_beside_first_rows() -> None:
    rows = [("q", "b", 3.0, 1), ("q", "a", 3.0, 2), ("q", "a", 1.0, 3)]
    run = arrow([row[:3] for row in rows], "query_id", "doc_id", "score")
    run = run.append_column("rank", [[row[3] for row in rows]])

    assert sqlrank.evaluate(run, {"q": {"a": 1}}, "rr", ties="rank", duplicates="first")["rr"] == 0.5


@pytest.mark.parametrize("ties", ["doc-desc", "input"])
def test_first_row_of_a_document_that_stands_twice_counts_where_asked(ties: str) -> None:
    rows = copied(RUN, 6)
    first: Table = {}
    for query, doc, score in rows:
        first.setdefault(query, {}).setdefault(doc, score)

    run = arrow(rows, "query_id", "doc_id", "score")
    assert_agrees(SOME, (run, QRELS), meant=(first, QRELS), duplicates="first", ties=ties)


@each(
    [
        ("rank", [("a", 1.0, 3.0), ("b", 1.0, 2.0), ("a", 1.0, 1.0)], 1.0),
        ("rank", [("a", 1.0, 1.0), ("b", 1.0, 2.0), ("a", 1.0, 3.0)], 1.0),
        ("input", [("a", 1.0, 0.0), ("b", 1.0, 0.0), ("a", 1.0, 0.0)], 1.0),
        ("input", [("b", 1.0, 0.0), ("a", 1.0, 0.0), ("a", 1.0, 0.0)], 0.5),
    ]
)
def test_better_place_of_copies_with_equal_scores_is_that_of_the_tie_rule(case: tuple[str, Any, float]) -> None:
    ties, rows, value = case
    run = arrow([("q", *row) for row in rows], "query_id", "doc_id", "score", "rank")

    assert sqlrank.evaluate(run, {"q": {"a": 1}}, "rr", duplicates="best", ties=ties)["rr"] == value


@pytest.mark.parametrize("conventions", [{}, {"unjudged": "remove"}, {"order": "asc", "ties": "doc-asc"}])
def test_rank_column_breaks_ties_where_asked(conventions: dict[str, Any]) -> None:
    rng = random.Random(8)
    shuffled = {query: dict(rng.sample(list(found.items()), len(found))) for query, found in RUN.items()}
    rows = [
        (query, doc, score, float(place))
        for query, found in shuffled.items()
        for place, (doc, score) in enumerate(found.items(), start=1)
    ]
    rng.shuffle(rows)
    run = arrow(rows, "query_id", "doc_id", "score", "rank")

    asked, to = conventions | {"ties": "rank"}, conventions | {"ties": "input"}
    result = sqlrank.evaluate(run, QRELS, texts(SOME), **asked)
    assert_same(result.to_dict(), expected_values(shuffled, QRELS, SOME, **to), texts(SOME))


def test_ranks_order_where_there_are_no_scores() -> None:
    rng = random.Random(9)
    ranks = {
        query: {doc: float(rank) for rank, doc in enumerate(rng.sample(list(found), len(found)), start=1)}
        for query, found in RUN.items()
    }
    run = arrow(rows_of(ranks), "query_id", "doc_id", "rank")

    result = sqlrank.evaluate(run, QRELS, texts(SOME))
    assert_same(result.to_dict(), expected_values(ranks, QRELS, SOME, order="asc"), texts(SOME))


def exported(systems: dict[str, Table], qrels: Table) -> list[tuple[str, str, str, float, float | None]]:
    """A labelled export: every result with its judgment, null where there is none."""
    return [
        (system, query, doc, score, qrels.get(query, {}).get(doc))
        for system, run in systems.items()
        for query, doc, score in rows_of(run)
    ]


def labels_of(rows: list[tuple[str, str, str, float, float | None]]) -> Table:
    """The judgments that stand in an export."""
    qrels: Table = {}
    for _, query, doc, _, relevance in rows:
        if relevance is not None:
            qrels.setdefault(query, {})[doc] = relevance
    return qrels


CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "worst", "depth": 4},
    {"ties": "input", "query_set": "run", "empty": "skip"},
    {"unjudged": "remove", "depth": 3, "query_set": "shared"},
]


@pytest.mark.parametrize("conventions", CONVENTIONS)
def test_labelled_export_holds_its_own_judgments(conventions: dict[str, Any]) -> None:
    rows = exported({"only": RUN}, QRELS)
    export = arrow([row[1:] for row in rows], "query_id", "doc_id", "score", "relevance")
    assert_agrees(SOME, (export, None), meant=(RUN, labels_of(rows)), **conventions)


def several_systems() -> dict[str, Table]:
    """Three systems: one ranks the same documents otherwise, one found less, one is the first."""
    rng = random.Random(12)
    other = {query: {doc: rng.randint(0, 5) / 8 for doc in found} for query, found in RUN.items()}
    weak = {query: {doc: score for doc, score in found.items() if rng.random() < 0.5} for query, found in RUN.items()}
    return {"strong": RUN, "other é": other, "a weak one": {query: found for query, found in weak.items() if found}}


SYSTEMS = several_systems()


@pytest.mark.parametrize("conventions", CONVENTIONS)
def test_systems_evaluated_together_have_the_values_they_have_alone(conventions: dict[str, Any]) -> None:
    result = sqlrank.evaluate(qrels=QRELS, metrics=texts(BROAD), systems=SYSTEMS, **conventions)

    together = assert_each_agrees(result, SYSTEMS, QRELS, BROAD, **conventions)
    assert list(together) == list(SYSTEMS)
    alone = sqlrank.evaluate(SYSTEMS["a weak one"], QRELS, texts(BROAD), **conventions).to_dict()
    assert_same(alone, together["a weak one"], [measure.text for measure in result.measures])


@pytest.mark.parametrize(
    ("duplicates", "conventions"), [*(("error", conventions) for conventions in CONVENTIONS), ("best", CONVENTIONS[1])]
)
def test_systems_of_one_labelled_export_share_its_judgments(duplicates: str, conventions: dict[str, Any]) -> None:
    rows = exported(SYSTEMS, QRELS)
    copies = [(system, query, doc, score - 1, label) for system, query, doc, score, label in rows[::5]]
    export = arrow(rows + (copies if duplicates == "best" else []), *LABELLED)

    result = sqlrank.evaluate(export, None, texts(SOME), duplicates=duplicates, **conventions)
    assert_each_agrees(result, SYSTEMS, labels_of(rows), SOME, **conventions)


def test_label_in_the_rows_of_one_system_holds_for_those_of_the_others() -> None:
    rng = random.Random(14)
    sparse = [(*row[:4], row[4] if rng.random() < 0.5 else None) for row in exported(SYSTEMS, QRELS)]
    assert labels_of(sparse) != labels_of([row for row in sparse if row[0] == "strong"])

    result = sqlrank.evaluate(arrow(sparse, *LABELLED), None, texts(SOME))
    assert_each_agrees(result, SYSTEMS, labels_of(sparse), SOME)


def test_systems_of_a_column_share_separate_judgments() -> None:
    rows = [row[:4] for row in exported(SYSTEMS, QRELS)]
    random.Random(15).shuffle(rows)

    result = sqlrank.evaluate(arrow(rows, *LABELLED[:4]), QRELS, texts(SOME))
    assert_each_agrees(result, SYSTEMS, QRELS, SOME)


def test_system_without_a_single_result_does_not_vanish() -> None:
    with pytest.raises(sqlrank.DataError, match="no rows"):
        sqlrank.evaluate(qrels={"q": {"a": 1}}, metrics="ap", systems={"one": {"q": {"a": 1.0}}, "other": {}})


@each(["ndcg(gain=exp2)", "dcg(gain=exp2)@5"])
def test_gain_beyond_the_largest_number_is_refused(metric: str) -> None:
    with pytest.raises(sqlrank.DataError):
        sqlrank.evaluate({"q": {"a": 1.0}}, {"q": {"a": 1100}}, metric)


def test_default_metrics_agree_with_pytrec_eval() -> None:
    # pytrec_eval takes whole relevances, and is unreliable where every judgment of a query is negative.
    qrels = {query: {doc: int(grade) for doc, grade in pairs.items()} for query, pairs in QRELS.items()}
    qrels = {query: pairs for query, pairs in qrels.items() if max(pairs.values()) >= 0}
    names = {"ndcg@10": "ndcg_cut_10", "ap": "map", "rr": "recip_rank", "p@10": "P_10", "recall@100": "recall_100"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut", "map", "recip_rank", "P", "recall"}).evaluate(RUN)
    assert len(theirs) > QUERIES * 5 / 8

    ours = sqlrank.evaluate(RUN, qrels, query_set="shared").to_dict()

    assert ours.keys() == theirs.keys()
    for query, found in ours.items():
        assert found == {
            name: pytest.approx(theirs[query][theirs_name], abs=1e-9) for name, theirs_name in names.items()
        }


def test_random_data_has_every_awkward_case() -> None:
    shared = [query for query in QRELS if query in RUN]

    assert len(shared) > QUERIES * 5 / 8
    assert any(query not in RUN for query in QRELS)
    assert any(query not in QRELS for query in RUN)
    assert sum(len(set(RUN[query].values())) < len(RUN[query]) for query in shared) > QUERIES * 5 / 24
    assert sum(bool(RUN[query].keys() - QRELS[query].keys()) for query in shared) > QUERIES * 5 / 24
    assert sum(min(QRELS[query].values()) < 0 for query in shared) > QUERIES / 12
    assert sum(max(QRELS[query].values()) <= 0 for query in shared) > QUERIES / 12
    assert sum(any(grade % 1 for grade in QRELS[query].values()) for query in shared) > QUERIES / 12
    assert max(map(len, [*RUN, *(doc for _, doc, _ in rows_of(RUN))])) > 290
    assert not all(doc.isascii() for _, doc, _ in rows_of(RUN))
    assert any(str(score) == "-0.0" for _, _, score in rows_of(RUN))


@each([(0.0, False), (1e-13, False), (1e-9, True)])
def test_comparison_of_values_tells_what_differs(case: tuple[float, bool]) -> None:
    change, differs = case
    assert same(0.5, 0.5 + change) is not differs
    assert same(None, None)
    assert not same(None, 0.0)
    assert [case.text for case in grid("p", [5], rel=[None, 2])] == ["p@5", "p(rel=2)@5"]
    assert reference.rank({"a": 0.0, "b": -0.0}, {"a": 1}) == [None, 1]
