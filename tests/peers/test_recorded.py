"""Values that further packages gave for small inputs, metric by metric.

fixtures/golden/further.json holds the inputs and the values as the tools returned them, by query or for all:
pyNTCIREVAL 0.0.3, CatBoost 1.2.10 (eval_metric, in 32 bits), Evidently 0.7.23 (its table of precision and recall),
implicit 0.7.3 (ranking_metrics_at_k), RecBole 1.2.1 (TailPercentage), Microsoft Recommenders 1.2.1 (user_diversity and
user_serendipity) and rbo 0.1.3. The examples of TensorFlow Ranking are those of its documentation and its tests.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.comparison.similarity.likeness import likeness
from sqlrank.metrics.language import Language, single_measure
from tests.support.cases import arrow
from tests.support.cli_helper import FIXTURES

RECORDED: list[dict[str, Any]] = json.loads((FIXTURES / "golden" / "further.json").read_text(encoding="utf-8"))


def evaluated(case: dict[str, Any]) -> Any:
    """Our result for the inputs of a tool."""
    texts = list(case["values"])
    if "baseline" in case:
        return likeness(metrics=texts, systems={"old": case["baseline"], "new": case["run"]})
    history = arrow(case["history"], "query_id", "doc_id") if "history" in case else None
    vectors = case.get("vectors")
    items = None if vectors is None else pa.table({"doc_id": list(vectors), "vector": list(vectors.values())})
    return sqlrank.evaluate(case["run"], case.get("qrels"), texts, history=history, items=items, checks=False)


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["tool"])
def test_every_value_is_that_of_the_tool(case: dict[str, Any]) -> None:
    language = Language(pairs="baseline" in case)
    compared = 0
    with evaluated(case) as result:
        rows = result.to_dict()
        for text, wanted in case["values"].items():
            name = single_measure(text, language).text
            found = {query: row[name] for query, row in rows.items()} if isinstance(wanted, dict) else result[name]
            assert found == pytest.approx(wanted, abs=case["tolerance"]), text
            compared += len(wanted) if isinstance(wanted, dict) else 1
    assert compared > 2


def test_the_relevance_position_is_that_of_tensorflow_ranking() -> None:
    one = {"q": {"a": 3.0, "b": 1.0, "c": 2.0}}
    with sqlrank.evaluate(one, {"q": {"a": 0, "b": 1, "c": 1}}, "arp(weight=gain)") as result:
        assert result["arp(weight=gain)"] == 2.5
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 5.0, "c": 4.0}}
    qrels = {"1": {"a": 0, "b": 1}, "2": {"a": 1, "b": 2, "c": 0}}
    with sqlrank.evaluate(run, qrels, ["arp(weight=gain)", "arp"]) as result:
        assert result["arp(weight=gain)"] == pytest.approx(1.75)
        assert result["arp"] == pytest.approx((2 + 5 / 3) / 2)


def test_binary_preference_over_relevant_documents_is_that_of_tensorflow_ranking() -> None:
    run = {
        "1": {"a": 3.0, "b": 2.0, "c": 1.0},
        "2": {"a": 1.0, "b": 3.0, "c": 2.0},
        "3": {"a": 1.0, "b": 2.0, "c": 3.0},
    }
    qrels = {"1": {"a": 0, "b": 1, "c": 1}, "2": {"a": 0, "b": 0, "c": 1}, "3": {"a": 1, "b": 0, "c": 2}}
    with sqlrank.evaluate(run, qrels, ["bpref", "bpref(norm=relevant)"]) as result:
        found = {query: list(row.values()) for query, row in result.to_dict().items()}
    assert found == {"1": [0, 0.5], "2": [0, 0], "3": [0.5, 0.75]}
