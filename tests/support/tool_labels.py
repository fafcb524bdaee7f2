"""What other tools make of labels of every kind: one ranking of three documents, asked of the tools themselves.

    python -m tests.support.tool_labels TOOL ...

asks some tools that the environment has, and records what they and sqlrank give in fixtures/golden/labels.json. Tools
that are no packages of Python are asked by their definitions.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import Any

import sqlrank
from tests.support.cli_helper import FIXTURES
from tests.support.peers import package
from tests.support.tool_definitions import (
    Label,
    Labels,
    elasticsearch,
    opensearch,
    quepid,
    ranklib,
    tensorflow_ranking,
    trec_eval,
)

KINDS: dict[str, tuple[Label, ...]] = {
    "0 and 1": (0, 1, 1),
    "0 to 2": (0, 1, 2),
    "1 to 5": (1, 5, 3),
    "fractions": (0.5, 1.6, 0),
    "negative": (-1, 1, 2),
    "large": (40, 1, 0),
    "texts": ("low", "high", "low"),
    "missing": (None, 1, 0),
}
"""The labels of documents a, b and c, which stand in this order in the ranking."""
RECORD = FIXTURES / "golden" / "labels.json"
"""What the tools give, and what sqlrank follows."""
REFUSED = "refused"
RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}
DOCS = ("a", "b", "c")
Asked = Callable[[str, Labels], float]


def ir_measures(name: str, labels: Labels) -> float:
    """ir_measures."""
    tool = package("ir_measures")
    asked = tool.parse_measure(name)
    return float(tool.calc_aggregate([asked], {"1": dict(zip(DOCS, labels, strict=True))}, RUN)[asked])


def ranx(name: str, labels: Labels) -> float:
    """ranx."""
    tool = package("ranx")
    return float(tool.evaluate(tool.Qrels({"1": dict(zip(DOCS, labels, strict=True))}), tool.Run(RUN), name))


def sklearn(name: str, labels: Labels) -> float:
    """scikit-learn, for one query."""
    called = getattr(package("sklearn.metrics"), name)
    rows = ([labels], [[3.0, 2.0, 1.0]]) if "dcg" in name else (labels, [3.0, 2.0, 1.0])
    return float(called(*rows))


def lightgbm(name: str, labels: Labels) -> float:
    """LightGBM, of one group whose scores are the initial ones."""
    tool, numpy = package("lightgbm"), package("numpy")
    quiet = {"min_data_in_bin": 1, "min_data_in_leaf": 1, "feature_pre_filter": False, "verbose": -1}
    kept = tool.Dataset(
        numpy.arange(3.0)[:, None], list(labels), group=[3], init_score=numpy.array([3.0, 2.0, 1.0]), params=quiet
    )
    metric, _, place = name.partition("@")
    objective = "lambdarank" if metric == "ndcg" else "regression"
    shape = {"objective": objective, "metric": [metric], "eval_at": [int(place)], "verbose": -1}
    return float(tool.Booster(shape, kept).eval_train()[0][2])


def xgboost(name: str, labels: Labels) -> float:
    """XGBoost, of one group whose scores are the margin."""
    tool, numpy = package("xgboost"), package("numpy")
    matrix = tool.DMatrix(numpy.zeros((3, 1)), list(labels), base_margin=numpy.array([3.0, 2.0, 1.0]))
    matrix.set_group([3])
    booster = tool.Booster({"objective": "reg:squarederror", "eval_metric": [name]}, [matrix])
    return float(booster.eval(matrix, "x").split(f"x-{name}:")[1])


def torchmetrics(name: str, labels: Labels) -> float:
    """torchmetrics, whose labels are floating-point only for gains."""
    torch, retrieval = package("torch"), package("torchmetrics.retrieval")
    metric, _, place = name.partition("@")
    found = getattr(retrieval, metric)(**({"top_k": int(place)} if place else {}))
    return float(found(torch.tensor([3.0, 2.0, 1.0]), torch.tensor(list(labels)), indexes=torch.tensor([0, 0, 0])))


def catboost(name: str, labels: Labels) -> float:
    """CatBoost."""
    return float(package("catboost.utils").eval_metric(list(labels), [3.0, 2.0, 1.0], name, group_id=[0, 0, 0])[0])


def frames(labels: Labels) -> tuple[Any, Any]:
    """A run and judgments as recommenders take them."""
    pandas = package("pandas")
    run = {"user_id": [1, 1, 1], "item_id": [1, 2, 3], "score": [3.0, 2.0, 1.0], "rank": [1, 2, 3]}
    return pandas.DataFrame(run), pandas.DataFrame({"user_id": 1, "item_id": [1, 2, 3], "rating": list(labels)})


def rectools(name: str, labels: Labels) -> float:
    """RecTools."""
    metric, _, place = name.partition("@")
    run, truth = frames(labels)
    return float(getattr(package("rectools.metrics"), metric)(k=int(place)).calc(run, truth))


def replay(name: str, labels: Labels) -> float:
    """RePlay."""
    metric, _, place = name.partition("@")
    run, truth = frames(labels)
    columns = {"query_column": "user_id", "item_column": "item_id", "rating_column": "score"}
    called = getattr(package("replay.metrics"), metric)(int(place), **columns)
    return float(next(iter(called(run, truth.rename(columns={"rating": "score"})).values())))


def recommenders(name: str, labels: Labels) -> float:
    """Microsoft Recommenders."""
    metric, _, place = name.partition("@")
    run, truth = frames(labels)
    called = getattr(package("recommenders.evaluation.python_evaluation"), metric)
    columns = {"col_user": "user_id", "col_item": "item_id", "col_prediction": "score"}
    return float(called(truth, run.drop(columns="rank"), k=int(place), relevancy_method="top_k", **columns))


def lenskit(name: str, labels: Labels) -> float:
    """LensKit."""
    data, metrics = package("lenskit.data"), package("lenskit.metrics.ranking")
    metric, _, place = name.partition("@")
    shown = data.ItemList(item_ids=[1, 2, 3], ordered=True)
    held = data.ItemList(item_ids=[1, 2, 3], rating=list(labels))
    rated = {"gain": "rating"} if metric.startswith("rated ") else {}
    return float(getattr(metrics, metric.removeprefix("rated "))(n=int(place), **rated).measure_list(shown, held))


def evidently(name: str, labels: Labels) -> float:
    """Evidently."""
    pandas, folder = package("pandas"), "evidently.legacy.metrics.recsys"
    frame = pandas.DataFrame({"users": "q", "target": list(labels), "preds": [1, 2, 3]})
    if name == "ndcg":
        return float(package(f"{folder}.ndcg_k").NDCGKMetric(2).calculate_ndcg(frame, 2)[2])
    if name == "rr":
        return float(package(f"{folder}.mrr").MRRKMetric(2).get_values(frame, 2)[2])
    table = package(f"{folder}.precision_recall_k").PrecisionRecallCalculation(2)
    return float(table.get_precision_and_recall_dict(frame, 2)["precision"][1])


def answer(asked: Asked, name: str, labels: Labels) -> float | str:
    """What a tool gives: a number, NaN as its text, or that it stops."""
    try:
        found = asked(name, labels)
    except Exception:  # whatever a tool raises is that it stops
        return "stops"
    return "NaN" if math.isnan(found) else found


ASKED: dict[str, tuple[Asked, dict[str, str]]] = {
    "trec_eval": (trec_eval, {"ndcg": "ndcg", "p@2": "P_2"}),
    "trec_eval-9": (trec_eval, {"ndcg": "ndcg", "p@2": "P_2"}),
    "ir_measures": (ir_measures, {"ndcg@2": "nDCG@2", "p@2": "P@2"}),
    "ranx": (ranx, {"ndcg@2": "ndcg@2", "dcg@2": "dcg@2", "p@2": "precision@2"}),
    "sklearn": (sklearn, {"ndcg": "ndcg_score", "dcg": "dcg_score", "gauc": "roc_auc_score"}),
    "lightgbm": (lightgbm, {"ndcg@2": "ndcg@2", "ap@2": "map@2"}),
    "xgboost": (xgboost, {"ndcg@2": "ndcg@2", "ap@2": "map@2", "p@2": "pre@2"}),
    "torchmetrics": (
        torchmetrics,
        {"ndcg@2": "RetrievalNormalizedDCG@2", "p@2": "RetrievalPrecision@2", "rr": "RetrievalMRR"},
    ),
    "rectools": (rectools, {"ndcg@2": "NDCG@2", "p@2": "Precision@2"}),
    "replay": (replay, {"ndcg@2": "NDCG@2", "p@2": "Precision@2"}),
    "recommenders": (recommenders, {"ndcg@2": "ndcg_at_k@2", "p@2": "precision_at_k@2"}),
    "catboost": (catboost, {"ndcg@2": "NDCG:top=2;type=Base", "ap@2": "MAP:top=2", "err@2": "ERR:top=2"}),
    "lenskit": (lenskit, {"ndcg@2": "NDCG@2", "ndcg(gain=linear)@2": "rated NDCG@2", "p@2": "Precision@2"}),
    "evidently": (evidently, {"ndcg@2": "ndcg", "p@2": "precision", "rr@2": "rr"}),
    "elasticsearch": (elasticsearch, {"dcg@2": "dcg", "ndcg@2": "ndcg", "p@2": "p", "err(max=4)@2": "err"}),
    "opensearch": (opensearch, {"dcg@2": "dcg", "ndcg@2": "ndcg"}),
    "quepid": (quepid, {"ndcg@2": "ndcg", "dcg@2": "dcg", "p@2": "p", "err@2": "err"}),
    "ranklib": (ranklib, {"ndcg@2": "ndcg", "p@2": "p", "err@2": "err"}),
    "tensorflow_ranking": (tensorflow_ranking, {"ndcg@2": "ndcg", "p@2": "p", "rr": "rr"}),
}
"""By tool: how it is asked, and what it calls each of our metrics."""
LISTS = ("recbole", "spark")
"""Tools that are given which documents are relevant, and no labels."""


def answers(tool: str) -> dict[str, dict[str, float | str]]:
    """What a tool gives, by metric and kind of label."""
    asked, names = ASKED[tool]
    return {
        metric: {kind: answer(asked, name, labels) for kind, labels in KINDS.items()} for metric, name in names.items()
    }


def ours(tool: str, metric: str, labels: Labels) -> float | str | None:
    """What sqlrank gives like a tool, or that it refuses."""
    try:
        with sqlrank.evaluate(RUN, {"1": dict(zip(DOCS, labels, strict=True))}, metric, like=tool) as result:
            return result[result.measures[0].text]
    except sqlrank.DataError:
        return REFUSED


def followed(tool: str) -> dict[str, list[str]]:
    """The kinds of labels that are not refused, by metric."""
    return {
        metric: [kind for kind, labels in KINDS.items() if ours(tool, metric, labels) != REFUSED]
        for metric in ASKED[tool][1]
    }


def record() -> dict[str, Any]:
    """What was recorded: `tools`, by tool, metric and kind, and `followed`, by tool and metric."""
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    known = record()
    known["tools"] |= {tool: answers(tool) for tool in sys.argv[1:]}
    known["followed"] |= {tool: followed(tool) for tool in sys.argv[1:]}
    kept = {part: {tool: found[tool] for tool in ASKED if tool in found} for part, found in known.items()}
    RECORD.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
