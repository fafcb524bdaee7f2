"""CatBoost, LensKit, RecBole and Evidently on 20 random sets each, through `like`."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np
import pytest

import sqlrank
from tests.support.peers import package

pytestmark = [pytest.mark.filterwarnings("ignore")]
"""Packages may warn."""

SETS = range(20)
"""A difference in one query of a hundred shows in 240 queries nine times in ten."""
SINGLE = 5e-6
"""The tolerance where a package computes in 32 bits."""

Query = list[tuple[str, float, float]]
"""Document, score and label of a list, the best first."""


def make_lists(seed: int, labels: list[float], ties: bool = False, missing: bool = False) -> dict[str, Query]:
    """Lists of 12 queries, one with nothing relevant; with `missing`, relevant documents that were not returned."""
    rng = random.Random(seed)
    lists: dict[str, Query] = {}
    for number in range(12):
        size = rng.randint(1, 12)
        docs = [str(doc) for doc in rng.sample(range(1, 60), size)]
        scores = sorted(rng.sample(range(1, 400), size), reverse=True)
        graded = [0.0] * size if number == 3 else [rng.choice(labels) for _ in docs]
        shown = [float(score // (60 if ties else 1)) for score in scores]
        lists[f"q{number:02}"] = list(zip(docs, shown, graded, strict=True))
    return lists


def sides(lists: dict[str, Query]) -> tuple[Any, Any]:
    """The same as a run and judgments."""
    run = {query: {doc: score for doc, score, _ in rows} for query, rows in lists.items()}
    return run, {query: {doc: label for doc, _, label in rows} for query, rows in lists.items()}


def means(run: Any, qrels: Any, tool: str, texts: list[str], **options: Any) -> list[float | None]:
    """The means of some metrics as a tool has them."""
    with sqlrank.evaluate(run, qrels, texts, like=tool, **options) as result:
        return [result[measure.text] for measure in result.measures]


CATBOOST = {
    "ndcg@3": "NDCG:top=3;type=Base",
    "ndcg": "NDCG:type=Base",
    "ndcg(gain=exp2)@3": "NDCG:top=3;type=Exp",
    "ndcg(discount=reciprocal)@3": "NDCG:top=3;type=Base;denominator=Position",
    "recall@3": "RecallAt:top=3",
    "set_recall": "RecallAt",
}
CATBOOST_ZERO = {
    "dcg@3": "DCG:top=3;type=Base",
    "dcg(gain=exp2)@3": "DCG:top=3;type=Exp",
    "dcg(discount=reciprocal)": "DCG:type=Base;denominator=Position",
    "ap@3": "MAP:top=3",
    "ap": "MAP",
    "p@3": "PrecisionAt:top=3",
    "set_p": "PrecisionAt",
    "rr@3": "MRR:top=3",
    "rr": "MRR",
}


@pytest.mark.parametrize("seed", SETS)
def test_catboost_gives_the_same_means(seed: int) -> None:
    utils = package("catboost.utils")

    def theirs(lists: dict[str, Query], names: dict[str, str]) -> list[float]:
        rows = [(query, score, label) for query, rows in lists.items() for _, score, label in rows]
        groups, scores, labels = zip(*rows, strict=True)
        return [
            utils.eval_metric(list(labels), list(scores), name, group_id=list(groups))[0] for name in names.values()
        ]

    graded, binary = make_lists(seed, [0, 1, 2, 4], ties=True), make_lists(seed, [0, 0, 1], ties=True)
    chances = make_lists(seed, [0, 0.25, 0.5, 1], ties=True)
    for lists, asked in ((graded, CATBOOST), (graded, CATBOOST_ZERO), (binary, {"gauc": "QueryAUC:type=Ranking"})):
        assert means(*sides(lists), "catboost", list(asked)) == pytest.approx(theirs(lists, asked), abs=SINGLE)
    assert means(*sides(chances), "catboost", ["err@3"], rel=0.5) == pytest.approx(
        theirs(chances, {"err": "ERR:top=3"}), abs=SINGLE
    )
    found = {"pfound@3": "PFound:top=3", "pfound": "PFound", "pfound(decay=0.5)": "PFound:decay=0.5"}
    assert means(*sides(chances), "catboost", list(found), rel=0.5) == pytest.approx(theirs(chances, found), abs=SINGLE)


LENSKIT: dict[str, tuple[str, dict[str, Any]]] = {
    "ndcg@3": ("NDCG", {"n": 3}),
    "ndcg": ("NDCG", {}),
    "dcg@3": ("DCG", {"n": 3}),
    "rbp@3": ("RBP", {"n": 3}),
    "rbp": ("RBP", {}),
    "rr@3": ("RecipRank", {"n": 3}),
    "rr": ("RecipRank", {}),
    "success@3": ("Hit", {"n": 3}),
    "recall@3": ("Recall", {"n": 3}),
    "set_recall": ("Recall", {}),
    "p@3": ("Precision", {"n": 3}),
    "set_p": ("Precision", {}),
    "ap@3": ("AveragePrecision", {"n": 3}),
    "ap": ("AveragePrecision", {}),
}
RATED: dict[str, tuple[str, dict[str, Any]]] = {
    "ndcg(gain=linear)@3": ("NDCG", {"n": 3, "gain": "rating"}),
    "ndcg(gain=linear)": ("NDCG", {"gain": "rating"}),
    "dcg(gain=linear)@3": ("DCG", {"n": 3, "gain": "rating"}),
}


@pytest.mark.parametrize("seed", SETS)
def test_lenskit_gives_the_same_values(seed: int) -> None:
    data, metrics = package("lenskit.data"), package("lenskit.metrics.ranking")
    rng = random.Random(seed)
    run, _ = sides(make_lists(seed, [0]))
    qrels = {
        query: {doc: rng.choice([1.0, 3.0, 5.0]) for doc in [*rng.sample(list(docs), rng.randint(1, len(docs))), "900"]}
        for query, docs in run.items()
    }
    with sqlrank.evaluate(run, qrels, [*LENSKIT, *RATED], like="lenskit") as result:
        values = result.to_dict()
    assert values.keys() == run.keys()
    for query, found in values.items():
        shown = data.ItemList(item_ids=[int(doc) for doc in run[query]], ordered=True)
        held = data.ItemList(item_ids=[int(doc) for doc in qrels[query]], rating=list(qrels[query].values()))
        wanted = [
            float(getattr(metrics, name)(**options).measure_list(shown, held))
            for name, options in (*LENSKIT.values(), *RATED.values())
        ]
        assert list(found.values()) == pytest.approx(wanted, abs=1e-9), query


RECBOLE = {"success": "Hit", "rr": "MRR", "ap": "MAP", "recall": "Recall", "ndcg": "NDCG", "p": "Precision"}


@pytest.mark.parametrize("seed", SETS)
def test_recbole_gives_the_same_values(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, kind in (("float", float), ("bool", bool)):
        if not hasattr(np, name):  # NumPy had it when RecBole was written
            monkeypatch.setattr(np, name, kind, raising=False)
    metrics = package("recbole.evaluator.metrics")
    rng, most = random.Random(seed), 6
    users = [f"u{number}" for number in range(12)]
    run = {
        user: {f"i{item}": -float(place) for place, item in enumerate(rng.sample(range(40), most))} for user in users
    }
    qrels = {user: {f"i{item}": 1.0 for item in rng.sample(range(40), rng.randint(1, 12))} for user in users}
    places = np.array([[item in qrels[user] for item in run[user]] for user in users])
    lengths = np.array([len(qrels[user]) for user in users])
    config = {"topk": [most], "metric_decimal_place": 9}
    for metric, name in RECBOLE.items():
        computed: Callable[..., Any] = getattr(metrics, name)(config).metric_info
        theirs = computed(places, lengths) if name in ("MAP", "Recall", "NDCG") else computed(places)
        for k in range(1, most + 1):
            ours = means(run, qrels, "recbole", [f"{metric}@{k}"])
            assert ours == pytest.approx([theirs[:, k - 1].mean()], abs=1e-12), (metric, k)


EVIDENTLY = {"ndcg@5": "NDCGKMetric", "rr@5": "MRRKMetric", "success@5": "HitRateKMetric"}


@pytest.mark.parametrize("seed", SETS)
def test_evidently_gives_the_same_means(seed: int) -> None:
    pandas, folder = package("pandas"), "evidently.legacy.metrics.recsys"
    lists = make_lists(seed, [0, 0, 1])
    run, qrels = sides(lists)
    rows = [
        {"users": user, "target": label, "preds": place}
        for user, found in lists.items()
        for place, (_, _, label) in enumerate(found, 1)
        if any(grade for _, _, grade in found)
    ]
    frame = pandas.DataFrame(rows)
    counted = package(f"{folder}.precision_recall_k").PrecisionRecallCalculation(5)
    table = counted.get_precision_and_recall_dict(frame.copy(), 5)
    assert means(run, qrels, "evidently", ["p@3", "recall@3"]) == pytest.approx(
        [table["precision"][2], table["recall"][2]], abs=1e-12
    )
    wanted = [
        package(f"{folder}.ndcg_k").NDCGKMetric(5).calculate_ndcg(frame.copy(), 5)[5],
        package(f"{folder}.mrr").MRRKMetric(5).get_values(frame.copy(), 5)[5],
        list(package(f"{folder}.hit_rate_k").HitRateKMetric(5).get_values(frame.copy(), 5))[4],
    ]
    assert means(run, qrels, "evidently", list(EVIDENTLY)) == pytest.approx(wanted, abs=1e-12)

    whole = {user: found for user, found in lists.items() if len(found) >= 3}
    frame = frame[frame.users.isin(whole)]
    if len(frame):
        table = counted.get_precision_and_recall_dict(frame.copy(), 3)
        assert means(*sides(whole), "evidently", ["ap@3", "ar@3"]) == pytest.approx(
            [table["map"][2], table["mar"][2]], abs=1e-12
        )


@pytest.mark.parametrize("seed", SETS)
def test_evidently_has_the_same_novelty_and_popularity(seed: int) -> None:
    pandas, folder = package("pandas"), "evidently.legacy.metrics.recsys"
    rng = random.Random(seed)
    run, _ = sides(make_lists(seed, [0]))
    history = sorted({(f"u{rng.randint(1, 9)}", str(rng.randint(1, 45))) for _ in range(90)})
    known = pandas.DataFrame(history, columns=["user_id", "item_id"])
    users, shown = known.user_id.nunique(), known.item_id.value_counts()
    rows = [(query, doc, place) for query, docs in run.items() for place, doc in enumerate(docs, 1)]
    frame = pandas.DataFrame(rows, columns=["user_id", "item_id", "rank"])
    novelty = package(f"{folder}.novelty").NoveltyMetric(5)
    popular = package(f"{folder}.popularity_bias").PopularityBias(5)
    wanted = [
        novelty.get_miuf(frame.copy(), 5, None, "user_id", "item_id", "rank", shown / users)[1],
        popular.get_apr(5, frame.copy(), shown, False, "rank", "user_id", "item_id")[0],
    ]
    found = means(run, None, "evidently", ["novelty@5", "popularity@5"], history=known)
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", SETS)
def test_recbole_has_the_same_gauc_and_popularity(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(np, "float"):
        monkeypatch.setattr(np, "float", float, raising=False)
    metrics, ranked = package("recbole.evaluator.metrics"), package("scipy.stats").rankdata
    lists = make_lists(seed, [0, 0, 1], ties=True)
    rows = [
        (fsum(place for place, (_, _, label) in zip(ranked([-row[1] for row in found]), found, strict=True) if label),
         len(found), sum(label > 0 for _, _, label in found))
        for found in lists.values()
    ]  # fmt: skip
    sums, sizes, positives = (np.array(column) for column in zip(*rows, strict=True))
    gauc = metrics.GAUC({"metric_decimal_place": 9}).metric_info(sums.reshape(-1, 1), sizes, positives)
    assert means(*sides(lists), "recbole", ["gauc"]) == pytest.approx([gauc], abs=1e-12)

    rng = random.Random(seed)
    shown = np.array([rng.sample(range(40), 6) for _ in range(9)])
    counts = {item: rng.randint(1, 30) for item in rng.sample(range(40), 30)}
    popularity = metrics.AveragePopularity({"topk": [6], "metric_decimal_place": 9})
    theirs = popularity.metric_info(popularity.get_pop(shown, counts))[:, 3].mean()
    run = {f"u{user}": {f"i{item}": -float(place) for place, item in enumerate(row)} for user, row in enumerate(shown)}
    frame = package("pandas").DataFrame(
        [(f"v{turn}", f"i{item}") for item, count in counts.items() for turn in range(count)],
        columns=["user_id", "item_id"],
    )
    assert means(run, None, "recbole", ["popularity@4"], history=frame) == pytest.approx([theirs], abs=1e-12)
