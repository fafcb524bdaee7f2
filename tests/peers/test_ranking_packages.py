"""The means of XGBoost, torchmetrics and Spark's RankingMetrics on 20 random sets each, through `like`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sqlrank
from tests.support.peers import package

pytestmark = pytest.mark.filterwarnings("ignore")
"""Packages may warn."""

SETS = range(20)
"""A difference in one query of a hundred shows in 240 queries nine times in ten."""
SINGLE = 5e-6
"""The tolerance where a package computes in 32 bits."""

Query = dict[str, tuple[float, float]]
"""Score and label of each document, in the order of the input."""


def make_table(seed: int, grades: list[int], distinct: bool = False) -> dict[str, Query]:
    """One table of queries, some without anything relevant, with scores that tie in 32 bits at most, or not at all."""
    rng = random.Random(seed)
    table: dict[str, Query] = {}
    for number in range(12):
        size = rng.randint(1, 12)
        tied = [rng.randint(1, 4) / 4 + rng.choice([0, 1e-9, 2e-9]) for _ in range(size)]
        scores = [place / 128 for place in rng.sample(range(1, 99), size)] if distinct else tied
        labels = [0] * size if number == 3 else [rng.choice(grades) for _ in range(size)]
        docs = [str(number) for number in rng.sample(range(1, 200), size)]
        table[f"q{number:02}"] = {doc: (s, float(r)) for doc, s, r in zip(docs, scores, labels, strict=True)}
    return table


def sides(table: dict[str, Query]) -> tuple[Any, Any]:
    """The same as a run and judgments."""
    run = {query: {doc: score for doc, (score, _) in docs.items()} for query, docs in table.items()}
    return run, {query: {doc: label for doc, (_, label) in docs.items()} for query, docs in table.items()}


def means(table: dict[str, Query], tool: str, texts: list[str]) -> list[float | None]:
    """The means of some metrics as a tool has them."""
    with sqlrank.evaluate(*sides(table), texts, like=tool) as result:
        return [result[measure.text] for measure in result.measures]


def assert_one_table(table: dict[str, Query], tool: str, text: str) -> None:
    """A judged document that was not returned is refused, and one of a query without results is nothing."""
    run, qrels = sides(table)
    elsewhere = {**qrels, "another": {"z": 1.0}}
    with sqlrank.evaluate(run, qrels, text, like=tool) as one, sqlrank.evaluate(run, elsewhere, text, like=tool) as two:
        assert one[one.measures[0].text] == pytest.approx(two[two.measures[0].text], abs=1e-12)
    qrels["q00"] = {**qrels["q00"], "z": 1.0}
    with pytest.raises(sqlrank.DataError, match="'z' of query 'q00'"):
        sqlrank.evaluate(run, qrels, text, like=tool)


XGBOOST = {"ndcg@3": "ndcg@3", "ndcg": "ndcg"}
XGBOOST_BINARY = {"map@3": "map@3", "map": "map"}
XGBOOST_ZERO = {"p@3": "pre@3", "set_p": "pre"}


@pytest.mark.parametrize("seed", SETS)
def test_xgboost_gives_the_same_means(seed: int) -> None:
    xgboost = package("xgboost")
    for asked, grades in ((XGBOOST, [0, 0, 1, 2, 4]), (XGBOOST_BINARY, [0, 0, 1]), (XGBOOST_ZERO, [0, 0, 1])):
        table = make_table(seed, grades)
        rows = [pair for docs in table.values() for pair in docs.values()]
        labels, scores = np.array([label for _, label in rows]), np.array([score for score, _ in rows])
        matrix = xgboost.DMatrix(np.zeros((len(rows), 1)), labels, base_margin=scores)
        matrix.set_group([len(docs) for docs in table.values()])
        names = list(asked.values())
        settings = {"objective": "rank:ndcg", "eval_metric": names, "lambdarank_pair_method": "topk"}
        text = xgboost.Booster(settings, [matrix]).eval(matrix, "x")
        found = {part.partition("-")[2].rpartition(":")[0]: float(part.rpartition(":")[2]) for part in text.split()[1:]}

        assert means(table, "xgboost", list(asked)) == pytest.approx([found[name] for name in names], abs=SINGLE)
        if asked is XGBOOST_BINARY:
            assert_one_table(table, "xgboost", next(iter(asked)))


TORCHMETRICS: dict[str, tuple[str, dict[str, int]]] = {
    "ap": ("RetrievalMAP", {}),
    "p@3": ("RetrievalPrecision", {"top_k": 3}),
    "set_p": ("RetrievalPrecision", {}),
    "recall@3": ("RetrievalRecall", {"top_k": 3}),
    "set_recall": ("RetrievalRecall", {}),
    "rr": ("RetrievalMRR", {}),
    "success@3": ("RetrievalHitRate", {"top_k": 3}),
    "rprec": ("RetrievalRPrecision", {}),
}


@pytest.mark.parametrize("seed", SETS)
def test_torchmetrics_gives_the_same_means(seed: int) -> None:
    torch, retrieval = package("torch"), package("torchmetrics.retrieval")
    graded, distinct = make_table(seed, [0, 1, 2, 3]), make_table(seed, [0, 0, 1], distinct=True)

    def theirs(table: dict[str, Query], name: str, **options: Any) -> float:
        rows = [(number, *pair) for number, docs in enumerate(table.values()) for pair in docs.values()]
        indexes, scores, labels = (torch.tensor(column) for column in zip(*rows, strict=True))
        return float(getattr(retrieval, name)(**options)(scores.float(), labels.long(), indexes=indexes))

    wanted = [theirs(distinct, name, **options) for name, options in TORCHMETRICS.values()]
    assert means(distinct, "torchmetrics", list(TORCHMETRICS)) == pytest.approx(wanted, abs=SINGLE)
    ndcg = [theirs(graded, "RetrievalNormalizedDCG"), theirs(graded, "RetrievalNormalizedDCG", top_k=3)]
    assert means(graded, "torchmetrics", ["ndcg", "ndcg@3"]) == pytest.approx(ndcg, abs=SINGLE)
    assert_one_table(distinct, "torchmetrics", "recall@3")


SPARK = {"p@3": "precisionAt", "recall@3": "recallAt", "map@3": "meanAveragePrecisionAt", "ndcg@3": "ndcgAt"}


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session of Spark on this machine."""
    made = package("pyspark.sql").SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    started = made.config("spark.driver.bindAddress", "127.0.0.1").config("spark.log.level", "OFF").getOrCreate()
    yield started
    started.stop()


@pytest.mark.parametrize("seed", SETS[:10])
def test_spark_gives_the_same_means(seed: int, session: Any) -> None:
    metrics = package("pyspark.mllib.evaluation").RankingMetrics
    table = make_table(seed, [0, 0, 1], distinct=True)
    run, qrels = sides(table)
    qrels |= {"q01": {**qrels["q01"], "missed": 1.0}, "another": {"z": 1.0}}
    pairs = [
        (sorted(docs, key=docs.__getitem__, reverse=True), [doc for doc, label in qrels[query].items() if label])
        for query, docs in run.items()
    ]
    theirs = metrics(session.sparkContext.parallelize(pairs, 1))

    wanted = [getattr(theirs, name)(3) for name in SPARK.values()] + [theirs.meanAveragePrecision]

    with sqlrank.evaluate(run, qrels, [*SPARK, "map"], like="spark") as result:
        assert [result[measure.text] for measure in result.measures] == pytest.approx(wanted, abs=1e-9)
