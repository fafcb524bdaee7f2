"""Every ranking with what each document adds: the same sums as one query explained, under every convention."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.evaluation.result import Result
from tests.evaluation.test_explained_difference import (
    HISTORY,
    ITEMS,
    JUDGED,
    OTHER,
    QRELS,
    ROUNDS,
    RUN,
    SUBTOPICS,
    A,
    B,
)
from tests.support.cases import Case, arrow
from tests.support.tables import hold

EVERYTHING = 10**6


def assert_sums(result: Result) -> None:
    """What the documents of every ranking add is its value, and the rankings are whole."""
    explored = result.explored(result.measures, result.systems, EVERYTHING)
    chosen, systems = explored.choose(EVERYTHING), result.systems
    sums: dict[tuple[int, str], list[float]] = {}
    for number, _, _, *columns in explored.places():
        for place, system in enumerate(systems):
            if columns[3 * place] is not None:
                sums.setdefault((number, system), []).append(columns[3 * place + 2])
    found = result.to_dict() if len(systems) > 1 else {systems[0]: result.to_dict()}
    lines = explored.values()
    explored.close()
    assert {(chosen[number][0], system) for number, system, *_ in lines} == {
        (query, system) for system, queries in found.items() for query in queries
    }
    for number, system, retrieved, _, value in lines:
        parts = sums.get((number, system), [])
        assert len(parts) == retrieved
        if value is not None and not (result.conventions.empty == "one" and value == 1 and not any(parts)):
            assert math.fsum(parts) == pytest.approx(value, rel=1e-7, abs=1e-7)


@pytest.mark.needs("random")
@pytest.mark.parametrize("systems", [{"A": RUN, "B": OTHER}, {"A": RUN}], ids=["two", "one"])
@pytest.mark.parametrize("offset", range(8))
def test_every_ranking_adds_up_to_its_value(offset: int, systems: Mapping[str, Any]) -> None:
    def add_up(asked: tuple[Case, dict[str, Any]]) -> None:
        with sqlrank.evaluate(systems=systems, qrels=JUDGED, metrics=asked[0].text, **asked[1]) as result:
            assert_sums(result)

    rounds = [
        (case, conventions)
        for case, conventions in ROUNDS[offset + 8 * (len(systems) - 1) :: 16]
        if conventions.get("ties") != "average" or sqlrank.METRICS[case.metric].linear
    ]
    hold({f"{case.text} {conventions}": (case, conventions) for case, conventions in rounds}, add_up)


@pytest.mark.parametrize("systems", [{"A": A, "B": B}, {"A": A}], ids=["two", "one"])
@pytest.mark.parametrize(
    "metric",
    "alpha_ndcg@3 nerr_ia@3 nnrbp ap_ia subtopic_recall@3 novelty@3 popularity@3 tbg u_measure(text=900) ild@3"
    " serendipity@3 pooled_p@3".split(),
)
def test_metrics_of_other_inputs_add_up_too(metric: str, systems: Mapping[str, Any]) -> None:
    history, name = arrow([*HISTORY, ("q", "d1"), ("q", "d7")], "query_id", "doc_id"), metric.partition("@")[0]
    subtopics = name in ("alpha_ndcg", "nerr_ia", "nnrbp", "ap_ia", "subtopic_recall")
    qrels = arrow(SUBTOPICS, "query_id", "doc_id", "subtopic", "relevance") if subtopics else QRELS
    given: dict[str, Any] = {} if subtopics else {"items": ITEMS, "history": history}
    with sqlrank.evaluate(systems=systems, qrels=qrels, metrics=metric, **given) as result:
        assert_sums(result)


@pytest.mark.parametrize("conventions", [{}, {"unjudged": "remove"}, {"depth": 1}, {"judgments": "max"}])
@pytest.mark.parametrize("several", [False, True])
def test_labelled_exports_add_up_too(several: bool, conventions: dict[str, Any]) -> None:
    columns: dict[str, list[Any]] = {
        "query_id": ["q", "q", "q", "r", "r", "q", "q", "r"],
        "doc_id": ["a", "b", "c", "a", "d", "b", "d", "d"],
        "score": [3, 2, 1, 2, 1, 2, 1, 1],
        "relevance": [1, 0, None, 2, 1, 0, 3, 1],
    }
    table = pa.table(columns | {"system": ["x"] * 5 + ["y"] * 3})
    rows = table if several else table.drop_columns(["system"]).slice(0, 5)
    with sqlrank.evaluate(rows, None, "ndcg", **conventions) as result:
        assert len(result.systems) == 1 + several
        assert_sums(result)
