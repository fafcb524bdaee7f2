"""Query by query against ranx, LightGBM, XGBoost and torchmetrics, through `like`.

These packages are the extra `peers`. Without them the tests are skipped.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import sqlrank
from tests.support.peers import package

pytestmark = pytest.mark.filterwarnings("ignore")
"""Packages may warn."""

QUERIES = 150
TOLERANCE = 1e-9
SINGLE = 5e-6
"""The tolerance where a package computes in 32 bits."""


def export(seed: int, grades: list[int], most: int, levels: int, least: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    """Labels and scores of each query, in the order of the input, with as many different scores as `levels`."""
    rng = random.Random(seed)
    found = []
    for _ in range(QUERIES):
        size = rng.randint(least, most)
        labels = [rng.choice(grades) for _ in range(size)]
        scores = [rng.randint(1, levels) / 8 for _ in range(size)]
        found.append((np.array(labels, dtype=float), np.array(scores)))
    return found


def tables(data: list[tuple[np.ndarray, np.ndarray]]) -> tuple[Any, Any]:
    """The same as a run and judgments."""
    run = {
        f"q{number:04}": {f"d{place:03}": float(score) for place, score in enumerate(scores)}
        for number, (_, scores) in enumerate(data)
    }
    qrels = {
        f"q{number:04}": {f"d{place:03}": float(label) for place, label in enumerate(labels)}
        for number, (labels, _) in enumerate(data)
    }
    return run, qrels


def ours(data: list[tuple[np.ndarray, np.ndarray]], tool: str, asked: list[str], **options: Any) -> np.ndarray:
    """Values by query and metric."""
    with sqlrank.evaluate(*tables(data), asked, like=tool, checks=False, **options) as result:
        return np.array([list(values.values()) for _, values in sorted(result.to_dict().items())], dtype=float)


RANX = """
hits hits@3 hit_rate@3 precision precision@5 set_recall recall@5 f1 f1@5 r-precision mrr mrr@3 map map@5 map@5-l2
dcg dcg@3 dcg_burges@4 ndcg ndcg@5 ndcg_burges@5 rbp.80
""".split()
"""Measures that both spell alike, but for set_recall, which is recall there."""


def test_ranx_gives_the_same() -> None:
    ranx = package("ranx")
    data = export(1, [0, 1, 2, 3], 15, 6)
    run, qrels = tables(data)
    whole = {query: {doc: int(grade) for doc, grade in grades.items()} for query, grades in qrels.items()}
    theirs = ranx.Run(run)
    ranx.evaluate(ranx.Qrels(whole), theirs, [name.removeprefix("set_") for name in RANX], make_comparable=True)

    found = ours(data, "ranx", RANX)
    for column, name in enumerate(RANX):
        wanted = [value for _, value in sorted(theirs.scores[name.removeprefix("set_")].items())]
        np.testing.assert_allclose(found[:, column], wanted, atol=TOLERANCE, err_msg=name)


def test_lightgbm_gives_the_same() -> None:
    lightgbm = package("lightgbm")
    data = export(2, [0, 0, 1, 2, 4], 20, 6)
    wanted = np.array([lightgbm_values(lightgbm, labels, scores) for labels, scores in data])

    found = np.column_stack([ours(data, "lightgbm", ["ndcg@1,3,10"]), ours(data, "lightgbm", ["map@3,10"])])
    np.testing.assert_allclose(found, wanted, atol=TOLERANCE)


def lightgbm_values(lightgbm: Any, labels: np.ndarray, scores: np.ndarray) -> list[float]:
    """ndcg at 1, 3 and 10, then map at 3 and 10, of one group whose scores are the initial ones."""
    shape = {"objective": "lambdarank", "metric": ["ndcg", "map"], "eval_at": [1, 3, 10], "verbose": -1}
    kept = lightgbm.Dataset(
        np.arange(len(labels), dtype=float)[:, None], labels, group=[len(labels)], init_score=scores,
        params={"min_data_in_bin": 1, "min_data_in_leaf": 1, "feature_pre_filter": False, "verbose": -1},
    )  # fmt: skip
    booster = lightgbm.Booster(shape, kept)
    found = {name: value for _, name, value, _ in booster.eval_train()}
    return [found["ndcg@1"], found["ndcg@3"], found["ndcg@10"], found["map@3"], found["map@10"]]


def test_lightgbm_takes_the_area_over_all_rows() -> None:
    lightgbm = package("lightgbm")
    data = export(3, [0, 1], 20, 6)
    labels, scores = (np.concatenate(parts) for parts in zip(*data, strict=True))
    kept = lightgbm.Dataset(
        np.zeros((len(labels), 1)), labels, init_score=scores, params={"verbose": -1, "feature_pre_filter": False}
    )
    booster = lightgbm.Booster({"objective": "binary", "metric": "auc", "verbose": -1}, kept)
    (wanted,) = (value for _, _, value, _ in booster.eval_train())

    with sqlrank.evaluate(*tables(data), "auc", like="lightgbm", checks=False) as result:
        assert result["auc"] == pytest.approx(wanted, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("grades", "asked", "names"),
    [
        ([0, 0, 1, 2, 4], ["ndcg@1,3,10", "ndcg"], ["ndcg@1", "ndcg@3", "ndcg@10", "ndcg"]),
        ([0, 0, 1], ["map@3,10", "map"], ["map@3", "map@10", "map"]),
        ([0, 0, 1], ["p@1,3,10"], ["pre@1", "pre@3", "pre@10"]),
    ],
)
def test_xgboost_gives_the_same(grades: list[int], asked: list[str], names: list[str]) -> None:
    xgboost = package("xgboost")
    data = export(4, grades, 20, 6)
    wanted = np.array([xgboost_values(xgboost, labels, scores, names) for labels, scores in data])

    np.testing.assert_allclose(ours(data, "xgboost", asked), wanted, atol=SINGLE)


def xgboost_values(xgboost: Any, labels: np.ndarray, scores: np.ndarray, names: list[str]) -> list[float]:
    """Metrics of one group whose scores are the base margin."""
    matrix = xgboost.DMatrix(np.zeros((len(labels), 1)), labels, base_margin=scores)
    matrix.set_group([len(labels)])
    settings = {"objective": "rank:ndcg", "eval_metric": names, "lambdarank_pair_method": "topk"}
    text = xgboost.Booster(settings, [matrix]).eval(matrix, "x")
    found = {part.partition("-")[2].rpartition(":")[0]: float(part.rpartition(":")[2]) for part in text.split()[1:]}
    return [found[name] for name in names]


TORCHMETRICS = {
    "ap": "RetrievalMAP", "p@3": "RetrievalPrecision", "recall@3": "RetrievalRecall", "rr": "RetrievalMRR",
    "success@3": "RetrievalHitRate", "rprec": "RetrievalRPrecision",
}  # fmt: skip


def test_torchmetrics_gives_the_same_for_scores_without_ties() -> None:
    package("torchmetrics")
    data = [
        (labels, np.array(random.Random(number).sample(range(1, 99), len(labels))) / 128)
        for number, (labels, _) in enumerate(export(5, [0, 0, 1], 20, 6))
    ]

    found = ours(data, "torchmetrics", list(TORCHMETRICS))
    for column, (asked, name) in enumerate(TORCHMETRICS.items()):
        top = {"top_k": int(asked.partition("@")[2])} if "@" in asked else {}
        np.testing.assert_allclose(found[:, column], torchmetrics_values(name, data, **top), atol=SINGLE, err_msg=name)


def test_torchmetrics_averages_ties_in_ndcg() -> None:
    package("torchmetrics")
    data = export(6, [0, 1, 2, 3], 20, 4, least=2)

    found = ours(data, "torchmetrics", ["ndcg", "ndcg@3"])
    for column, top in enumerate([{}, {"top_k": 3}]):
        wanted = torchmetrics_values("RetrievalNormalizedDCG", data, **top)
        np.testing.assert_allclose(found[:, column], wanted, atol=SINGLE)


def torchmetrics_values(name: str, data: list[tuple[np.ndarray, np.ndarray]], **top: int) -> list[float]:
    """One metric of every query."""
    torch, retrieval = package("torch"), package("torchmetrics.retrieval")
    return [
        float(
            getattr(retrieval, name)(**top)(
                torch.tensor(scores, dtype=torch.float32),
                torch.tensor(labels.astype(int)),
                indexes=torch.zeros(len(labels), dtype=torch.long),
            )
        )
        for labels, scores in data
    ]
