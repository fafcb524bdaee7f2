"""Every ranking with what each document adds: the same sums as one query explained, under every convention."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure
from tests.evaluation import test_explained_difference as worked
from tests.evaluation.test_explained_difference import CONVENTIONS, OTHER_INPUTS, QRELS, ROUNDS, A, B
from tests.support.cases import texts
from tests.support.tables import hold

EVERYTHING = 10**6


def assert_sums(result: Result, measure: Measure) -> None:
    """What the documents of every ranking add is its value, and the rankings are whole."""
    explored = result.explored([measure], result.systems, EVERYTHING)
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
@pytest.mark.parametrize("number", range(len(CONVENTIONS)))
@pytest.mark.parametrize("systems", [("A", "B"), ("A",)], ids=["two", "one"])
def test_every_ranking_adds_up_to_its_value(systems: Sequence[str], number: int) -> None:
    conventions, runs = CONVENTIONS[number], {"A": worked.RUN, "B": worked.OTHER}
    asked = [
        case
        for place, (case, told, _) in enumerate(ROUNDS)
        if told is conventions and place // 8 % 2 == len(systems) - 1
    ]
    if conventions.get("ties") == "average":
        asked = [case for case in asked if sqlrank.METRICS[case.metric].linear]
    metrics = list(dict.fromkeys(texts(asked)))
    with sqlrank.evaluate(
        systems={name: runs[name] for name in systems}, qrels=worked.JUDGED, metrics=metrics, **conventions
    ) as result:
        hold({measure.text: measure for measure in result.measures}, lambda measure: assert_sums(result, measure))


@pytest.mark.parametrize("systems", [{"A": A, "B": B}, {"A": A}], ids=["two", "one"])
@pytest.mark.parametrize("kind", OTHER_INPUTS)
def test_metrics_of_other_inputs_add_up_too(kind: str, systems: Mapping[str, Any]) -> None:
    metrics, given = OTHER_INPUTS[kind]
    with sqlrank.evaluate(**{"systems": systems, "qrels": QRELS, "metrics": metrics.split()} | given) as result:
        hold({measure.text: measure for measure in result.measures}, lambda measure: assert_sums(result, measure))


def test_labelled_exports_add_up_too() -> None:
    columns: dict[str, list[Any]] = {
        "query_id": ["q", "q", "q", "r", "r", "q", "q", "r"],
        "doc_id": ["a", "b", "c", "a", "d", "b", "d", "d"],
        "score": [3, 2, 1, 2, 1, 2, 1, 1],
        "relevance": [1, 0, None, 2, 1, 0, 3, 1],
    }
    two = pa.table(columns | {"system": ["x"] * 5 + ["y"] * 3})
    one = two.drop_columns(["system"]).slice(0, 5)

    def check(case: tuple[int, dict[str, Any]]) -> None:
        systems, conventions = case
        with sqlrank.evaluate(two if systems == 2 else one, None, "ndcg", **conventions) as result:
            assert len(result.systems) == systems
            assert_sums(result, result.measures[0])

    hold(
        [
            (1, {}),
            (1, {"unjudged": "remove"}),
            (2, {"unjudged": "remove"}),
            (2, {"depth": 1}),
            (2, {"judgments": "max"}),
        ],
        check,
    )
