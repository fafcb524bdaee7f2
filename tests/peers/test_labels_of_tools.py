"""Labels that a tool stops at, or counts otherwise, in some of its metrics: `like` refuses them and says why."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlrank
from sqlrank.metrics.tools import SCALES, presets
from tests.support import tool_definitions, tool_labels
from tests.support.peers import package
from tests.support.tool_labels import ASKED, KINDS, LISTS, REFUSED

RUN = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}


def judged(*labels: float) -> dict[str, dict[str, float]]:
    """The documents of the run with these labels, the best first."""
    return {"q": dict(zip("abc", labels, strict=True))}


def refusal(tool: str, metric: str, *labels: float, **options: Any) -> str:
    """What is said where the labels are refused."""
    with pytest.raises(sqlrank.DataError) as raised:
        sqlrank.evaluate(RUN, judged(*labels), metric, like=tool, **options)
    return str(raised.value)


def value(tool: str, metric: str, *labels: float, **options: Any) -> float | None:
    """The value of a metric as a tool has it."""
    with sqlrank.evaluate(RUN, judged(*labels), metric, like=tool, **options) as result:
        found: float | None = result[result.measures[0].text]
        return found


@pytest.mark.parametrize(
    ("tool", "metric", "labels", "says"),
    [
        ("catboost", "pfound", (2, 1, 0), "not from 0 to 1, such as 2 of document 'a' of query 'q'"),
        ("catboost", "pfound@2", (1, -1, 0), "CatBoost takes any label for a probability: give labels that are from"),
        ("catboost", "err@3", (0.5, -0.5, 1), "not from 0 to 1, such as -0.5 of document 'b'"),
        (
            "xgboost",
            "ap@2",
            (2, 0, 1),
            "not 0 or 1, such as 2 of document 'a' of query 'q'; in ap(norm=min)@2 XGBoost stops",
        ),
        ("xgboost", "p@2", (1, 0.5, 0), "not 0 or 1, such as 0.5 of"),
        ("xgboost", "set_p", (1, -1, 0), "not 0 or 1, such as -1 of"),
        ("xgboost", "ndcg@2", (0.5, 0, 1), "XGBoost stops at others: give labels that are whole numbers from 0 to 31"),
        ("xgboost", "ndcg@2", (32, 0, 1), "such as 32 of"),
        ("xgboost", "ndcg(gain=linear)@2", (-1, 0, 1), "XGBoost adds negative gains: give labels that are 0 or more"),
        (
            "trec_eval",
            "ndcg",
            (0.5, 1.6, 0),
            "document 'a' of query 'q'; it reads grades as whole numbers: round",
        ),
        ("trec_eval-9", "ap", (0, 1.6, 0), "it reads grades as whole numbers"),
        ("ir_measures", "ndcg@2", (0.5, 1.6, 0), "it reads grades as whole numbers"),
        ("ranx", "ndcg", (0.5, 1.6, 0), "it reads grades as whole numbers"),
        ("sklearn", "ndcg", (-1, 1, 2), "not 0 or more, such as -1 of document 'a' of query 'q'; in ndcg"),
        ("sklearn", "dcg", (-1, 1, 2), "scikit-learn adds negative gains"),
        ("sklearn", "gauc", (2, 0, 1), "scikit-learn stops at others: give labels that are 0 or 1, say from which"),
        ("sklearn", "auc", (0.5, 0, 1), "not 0 or 1, such as 0.5"),
        ("lightgbm", "ndcg@2", (31, 0, 1), "not whole numbers from 0 to 30, such as 31"),
        ("lightgbm", "ndcg@2", (0.5, 0, 1), "LightGBM stops at others"),
        ("lightgbm", "ndcg@2", (-1, 0, 1), "such as -1 of"),
        (
            "lightgbm",
            "ap@2",
            (0.7, 0, 1),
            "such as 0.7 of document 'a' of query 'q'; it counts labels above 0.5 as relevant",
        ),
        ("lightgbm", "auc", (0.3, 0, 1), "LightGBM takes every label above 0 for relevant"),
        ("torchmetrics", "ap", (2, 0, 1), "torchmetrics stops at others"),
        ("torchmetrics", "ndcg@2", (-1, 0, 1), "torchmetrics adds negative gains"),
        ("catboost", "ndcg(gain=exp2)@2", (-1, 1, 2), "CatBoost adds negative gains"),
        ("elasticsearch", "dcg@2", (-1, 1, 2), "_rank_eval adds negative gains: give labels that are 0 or more"),
        ("opensearch", "ndcg@2", (-1, 1, 2), "adds negative gains"),
        ("quepid", "dcg(gain=linear, discount=none)@2", (-1, 1, 2), "Quepid adds negative gains"),
        ("ranklib", "p@2", (-1, 1, 2), "RankLib stops at others"),
        ("ranklib", "ndcg@2", (31, 1, 2), "stops at negative labels and overflows above 30"),
        ("evidently", "p@2", (2, 1, 0), "Evidently adds them up: give labels that are 0 or 1"),
        ("evidently", "rr@2", (2, 1, 0), "Evidently takes 1 alone for relevant"),
        ("catboost", "gauc", (1, 2, 0), "CatBoost counts every pair of different labels, as pairwise_accuracy"),
    ],
)
def test_other_labels_are_refused_with_what_the_tool_does(
    tool: str, metric: str, labels: tuple[float, ...], says: str
) -> None:
    assert says in refusal(tool, metric, *labels)


@pytest.mark.parametrize(
    ("tool", "metric", "labels", "expected"),
    [
        ("catboost", "pfound", (0.5, 0, 1), 0.5 + 0.85**2 * 0.5),
        ("catboost", "pfound(max=4)", (2, 0, 4), 0.5 + 0.85**2 * 0.5),
        ("catboost", "gauc", (0, 1, 0), 0.5),
        ("xgboost", "ap", (0, 1, 0), 0.5),
        ("trec_eval", "ndcg", (-1, 1, 2), (0.63092975 + 1) / 2.63092975),
        ("ranx", "ndcg(gain=exp2)", (-1, 1, 2), (0.63092975 + 1.5) / 3.63092975),
        ("ranx", "dcg", (40, 1, 0), 40.63092975),
        ("sklearn", "ndcg", (0.5, 1.6, 0), 0.78805288),
        ("lightgbm", "ndcg@2", (30, 1, 0), 1.0),
        ("xgboost", "p@2", (0, 1, 0), 0.5),
        ("xgboost", "ndcg", (2, 1, 0), 1.0),
        ("xgboost", "ndcg(gain=linear)@1", (0.5, 0, 1), 0.5),
    ],
)
def test_labels_that_it_is_about_are_as_they_were(
    tool: str, metric: str, labels: tuple[float, ...], expected: float
) -> None:
    assert value(tool, metric, *labels) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("tool", "metric", "said"), [("catboost", "pfound", "judgments are from 0 to 1")])
def test_a_statement_says_that_it_takes_them_for_granted(tool: str, metric: str, said: str) -> None:
    statement = sqlrank.sql("runs", "judged", metric, like=tool, ties="doc-desc")

    assert said in " ".join(line.removeprefix("-- ") for line in statement.splitlines())


READ = {tool for tool, (asked, _) in ASKED.items() if asked.__module__ == tool_definitions.__name__}
"""Tools that are no packages."""
BESIDE = {"ir_measures"}
"""Packages that stand beside sqlrank's own tests."""


def test_every_preset_has_its_row_in_the_table_of_labels() -> None:
    assert {*ASKED, *LISTS} == set(presets())
    assert set(tool_labels.record()["tools"]) == set(tool_labels.record()["followed"]) == set(ASKED)


@pytest.mark.needs("time")
@pytest.mark.parametrize("tool", ASKED)
def test_labels_of_each_kind_give_what_the_tool_gives_or_are_refused(tool: str) -> None:
    record = tool_labels.record()
    shown = 0.0051 if tool == "opensearch" else 1e-6
    for metric, given in record["tools"][tool].items():
        for kind, theirs in given.items():
            mine = tool_labels.ours(tool, metric, KINDS[kind])
            assert (mine != REFUSED) == (kind in record["followed"][tool][metric]), (metric, kind)
            assert mine in (REFUSED, pytest.approx(theirs, abs=shown)), (metric, kind)


@pytest.mark.parametrize("tool", sorted(READ | BESIDE))
def test_the_record_of_labels_is_what_the_definitions_give(tool: str) -> None:
    assert tool_labels.answers(tool) == tool_labels.record()["tools"][tool]


@pytest.mark.needs("packages")
@pytest.mark.parametrize("tool", sorted(ASKED.keys() - READ - BESIDE))
@pytest.mark.filterwarnings("ignore")
def test_the_record_of_labels_is_what_the_packages_give(tool: str) -> None:
    package({"sklearn": "sklearn", "recommenders": "recommenders.evaluation"}.get(tool, tool))
    for metric, given in tool_labels.record()["tools"][tool].items():
        assert tool_labels.answers(tool)[metric] == pytest.approx(given, abs=1e-6), metric


def test_every_scale_of_a_preset_is_one_that_messages_say() -> None:
    claims = [claim for preset in presets().values() for forms in preset.claims.values() for claim in forms]
    assert {claim.labels for claim in claims} - {""} <= set(SCALES)
    assert all(bool(claim.labels) == bool(claim.otherwise) for claim in claims)


@pytest.mark.needs("packages")
def test_catboost_counts_labels_beyond_probabilities_by_the_same_formula() -> None:
    utils = package("catboost.utils")

    def theirs(name: str, *labels: float) -> float:
        return float(utils.eval_metric(list(labels), [3.0, 2.0, 1.0], name, group_id=[0, 0, 0])[0])

    assert theirs("PFound", 2, 1, 0) == pytest.approx(2 + 0.85 * (1 - 2), abs=1e-6)
    assert theirs("ERR:top=3", 0.5, -0.5, 1) == pytest.approx(0.5 - 0.5 * 0.5 / 2 + 0.5 * 1.5 / 3, abs=1e-6)


@pytest.mark.needs("packages")
@pytest.mark.parametrize("seed", range(20))
def test_the_query_auc_of_catboost_is_the_pairwise_accuracy_that_its_refusal_names(seed: int) -> None:
    utils, rng = package("catboost.utils"), random.Random(seed)
    run = {f"q{number}": {f"d{doc}": float(rng.randint(1, 5)) for doc in range(1, 7)} for number in range(4)}
    labels = {query: {doc: rng.choice([0, 1, 2, 3]) for doc in docs} for query, docs in run.items()}
    rows = [(query, run[query][doc], label) for query, docs in labels.items() for doc, label in docs.items()]
    groups, scores, graded = map(list, zip(*rows, strict=True))

    theirs = utils.eval_metric(graded, scores, "QueryAUC:type=Ranking", group_id=groups)[0]

    with sqlrank.evaluate(run, labels, "pairwise_accuracy(pairless=zero)") as result:
        assert result["pairwise_accuracy(pairless=zero)"] == pytest.approx(theirs, abs=1e-6)


@pytest.mark.needs("packages")
@pytest.mark.parametrize(
    ("name", "labels", "stops"),
    [
        ("map", (2, 0, 1), "binary labels"),
        ("pre@2", (1, 0.5, 0), "binary labels"),
        ("pre", (1, -1, 0), "binary labels"),
        ("ndcg@2", (0.5, 0, 1), "either 0 or positive integer"),
        ("ndcg@2", (32, 0, 1), "equal to 31"),
        ("map", (0, 1, 0), None),
        ("ndcg", (31, 1, 0), None),
    ],
)
def test_xgboost_stops_where_its_preset_does(name: str, labels: tuple[float, ...], stops: str | None) -> None:
    xgboost = package("xgboost")
    data = xgboost.DMatrix([[3.0], [2.0], [1.0]], label=list(labels))
    data.set_group([3])
    options = {"objective": "reg:squarederror", "base_score": 0.5, "eval_metric": name}

    if stops is None:
        assert name in xgboost.train(options, data, 1).eval(data)
    else:
        with pytest.raises(xgboost.core.XGBoostError, match=stops):
            xgboost.train(options, data, 1).eval(data)
