"""User by user against RecTools, RePlay and Microsoft Recommenders, through `like`, on random sets of every kind.

These packages live in environments of their own: `python -m tests.peer_environments` makes them and runs these tests
there. Without them the tests are skipped.
"""

from __future__ import annotations

import math
from typing import Any

import pandas
import pytest

import sqlrank
from tests.support.peers import package
from tests.support.recommender_sets import SETS, K, Sets, make_set

pytestmark = pytest.mark.filterwarnings("ignore")
"""Packages may warn."""

TOLERANCE = 1e-9
NOT_RELEVANT = "judgments are not relevant"


def ours(data: Sets, tool: str, texts: list[str], truth: Any, run: Any = None, **options: Any) -> sqlrank.Result:
    """The result of some metrics as a tool has them."""
    given = data.run if run is None else run
    return sqlrank.evaluate(given, truth, texts, like=tool, **data.others, **options)


def refusal(data: Sets, tool: str, texts: list[str], truth: Any, run: Any = None) -> str:
    """What is said where data is refused."""
    with pytest.raises(sqlrank.DataError) as raised:
        ours(data, tool, texts, truth, run)
    return str(raised.value)


def assert_same_by_user(result: sqlrank.Result, wanted: dict[str, dict[Any, float]]) -> None:
    """Compare values by metric and user, those that a tool leaves out too, and the means."""
    found = result.to_dict()
    for (text, values), measure in zip(wanted.items(), result.measures, strict=True):
        kept = {str(user): float(value) for user, value in values.items() if not math.isnan(value)}
        mine = {user: row[measure.text] for user, row in found.items() if row[measure.text] is not None}
        assert mine == pytest.approx(kept, abs=TOLERANCE), text
        assert result[measure.text] == pytest.approx(sum(kept.values()) / len(kept), abs=TOLERANCE), text


def rectools_metrics(names: Any) -> dict[str, Any]:
    """Accuracy in RecTools by our text."""
    return {
        "p@3": names.Precision(k=K),
        "recall@3": names.Recall(k=K),
        "recall(norm=min)@3": names.Precision(k=K, r_precision=True),
        "success@3": names.HitRate(k=K),
        "f@3": names.F1Beta(k=K),
        "ap@3": names.MAP(k=K),
        "ap(norm=k)@3": names.MAP(k=K, divide_by_k=True),
        "ap@7": names.MAP(k=7),
        "rr@7": names.MRR(k=7),
        "ndcg@3": names.NDCG(k=K),
        "ndcg(ideal=judged)@7": names.NDCG(k=7, divide_by_achievable=True),
    }


@pytest.mark.parametrize("seed", SETS)
def test_rectools_gives_the_same_accuracy(seed: int) -> None:
    metrics = rectools_metrics(package("rectools.metrics"))
    data = make_set(seed)
    if data.zeros:
        assert NOT_RELEVANT in refusal(data, "rectools", list(metrics), data.truth)
        return

    wanted = {text: dict(metric.calc_per_user(data.run, data.truth)) for text, metric in metrics.items()}

    assert_same_by_user(ours(data, "rectools", list(metrics), data.truth), wanted)


@pytest.mark.parametrize("seed", SETS)
def test_rectools_gives_the_same_for_what_is_shown(seed: int) -> None:
    names, distances = package("rectools.metrics"), package("rectools.metrics.distances")
    data = make_set(seed)
    texts = ["popularity@3", "popularity(norm=share)@3", "novelty@3", "diversity@3"]
    if data.begins_below(K):
        assert "out of the mean of" in refusal(data, "rectools", texts, data.truth)
        return
    codes = data.items.set_index("item_id")["category"].map({"x": 0.0, "y": 1.0, "z": 2.0}).to_frame()
    calculator = distances.PairwiseHammingDistanceCalculator(codes)

    wanted = {
        texts[0]: names.AvgRecPopularity(k=K).calc_per_user(data.run, data.history),
        texts[1]: names.AvgRecPopularity(k=K, normalize=True).calc_per_user(data.run, data.history),
        texts[2]: names.MeanInvUserFreq(k=K).calc_per_user(data.run, data.history),
        texts[3]: names.IntraListDiversity(k=K, distance_calculator=calculator).calc_per_user(data.run),
    }

    for truth in (data.truth, None):
        assert_same_by_user(ours(data, "rectools", texts, truth), {text: dict(found) for text, found in wanted.items()})


COLUMNS = {"query_column": "user_id", "item_column": "item_id", "rating_column": "score"}
REPLAY = {
    "p@3": "Precision", "recall@3": "Recall", "success@3": "HitRate", "ap@3": "MAP", "rr@3": "MRR", "ndcg@3": "NDCG",
    "accuracy@3": "RocAuc",
}  # fmt: skip


def frames(seed: int, *given: pandas.DataFrame) -> list[Any]:
    """Data frames of pandas, in every other set those of polars."""
    if seed % 4 < 2:
        return list(given)
    polars = package("polars")
    return [polars.from_pandas(frame) for frame in given]


@pytest.mark.parametrize("seed", SETS)
def test_replay_gives_the_same_accuracy(seed: int) -> None:
    names = package("replay.metrics")
    data = make_set(seed)
    run = data.run.drop(columns="rank")
    if data.zeros:
        assert NOT_RELEVANT in refusal(data, "replay", list(REPLAY), data.truth, run)
        return

    theirs = frames(seed, run, data.truth)
    wanted = {
        text: next(iter(getattr(names, name)(K, mode=names.PerUser(), **COLUMNS)(*theirs).values()))
        for text, name in REPLAY.items()
    }

    assert_same_by_user(ours(data, "replay", list(REPLAY), data.truth, run), wanted)


@pytest.mark.parametrize("seed", SETS)
def test_replay_gives_the_same_for_what_is_shown(seed: int) -> None:
    names = package("replay.metrics")
    data = make_set(seed)
    run, history, baseline = frames(seed, data.run.drop(columns="rank"), data.history, data.baseline)
    each = {"mode": names.PerUser(), **COLUMNS}

    wanted = {
        "surprisal@3": next(iter(names.Surprisal(K, **each)(run, history).values())),
        "unexpectedness@3": next(iter(names.Unexpectedness(K, **each)(run, baseline).values())),
    }

    assert_same_by_user(ours(data, "replay", list(wanted), None, data.run.drop(columns="rank")), wanted)


@pytest.mark.parametrize("seed", SETS)
def test_replay_gives_the_same_diversity_and_coverage_where_no_tie_decides(seed: int) -> None:
    names = package("replay.metrics")
    data = make_set(seed)
    shown = data.run[~data.run["user_id"].isin(data.tied_at(K))].drop(columns="rank")
    items = data.items.merge(shown[["item_id"]].drop_duplicates(), how="outer").fillna("w")
    run, history, categories = frames(seed, shown, data.history, shown.merge(items))
    settings = {"query_column": "user_id", "category_column": "category", "rating_column": "score"}

    covered = names.Coverage(K, **COLUMNS)(run, history)
    diverse = names.CategoricalDiversity(K, mode=names.PerUser(), **settings)(categories)

    with sqlrank.evaluate(shown, None, "coverage@3", history=data.history, like="replay") as result:
        assert result["coverage@3"] == pytest.approx(*covered.values())
    with sqlrank.evaluate(shown, None, "diversity@3", items=items, like="replay") as result:
        assert_same_by_user(result, {"diversity@3": next(iter(diverse.values()))})


@pytest.mark.parametrize("seed", SETS)
def test_replay_is_not_followed_where_it_leaves_the_order_of_ties_or_categories_open(seed: int) -> None:
    data = make_set(seed)
    shown = data.run.drop(columns="rank")
    bare = not set(shown["item_id"]) <= set(data.items["item_id"])
    tied = bool(data.tied_at(K))

    for text, refused in (("coverage@3", tied), ("diversity@3", tied or bare)):
        if refused:
            said = refusal(data, "replay", [text], None, shown)
            assert "RePlay leaves open" in said or (text != "coverage@3" and "have no category" in said)
        else:
            assert ours(data, "replay", [text], None, shown).rows.fetchall()


@pytest.mark.parametrize("seed", SETS)
def test_recommenders_gives_the_same(seed: int) -> None:
    names = package("recommenders.evaluation.python_evaluation")
    data = make_set(seed)
    run = data.run.drop(columns="rank")
    predicted = run.rename(columns={"score": "prediction"})
    truth = data.truth.rename(columns={"relevance": "rating"})
    columns = {"col_user": "user_id", "col_item": "item_id", "col_prediction": "prediction"}
    common = ["p@3", "recall@3", "ap@3", "ap(norm=min)@3"]
    if data.zeros:
        assert NOT_RELEVANT in refusal(data, "recommenders", common, data.truth, run)
        return

    top = {"relevancy_method": "top_k", "k": K}
    wanted = [
        names.precision_at_k(truth, predicted, **columns, **top),
        names.recall_at_k(truth, predicted, **columns, **top),
        names.map(truth, predicted, **columns, **top),
        names.map_at_k(truth, predicted, **columns, **top),
    ]

    found = ours(data, "recommenders", common, data.truth, run)
    assert [found[measure.text] for measure in found.measures] == pytest.approx(wanted, abs=TOLERANCE)
    alone = ours(data, "recommenders", ["ndcg@3"], data.truth, run)
    ndcg = names.ndcg_at_k(truth, predicted, col_rating="rating", **columns, **top)
    assert alone[alone.measures[0].text] == pytest.approx(ndcg, abs=TOLERANCE)


@pytest.mark.parametrize("seed", SETS)
def test_recommenders_gives_the_same_entropy_and_area(seed: int) -> None:
    names = package("recommenders.evaluation.python_evaluation")
    data = make_set(seed)
    run = data.run.drop(columns="rank")
    shown = data.first(run)[["user_id", "item_id"]]
    rated = data.truth.assign(relevance=[number % 2 for number in range(len(data.truth))])
    both = rated.merge(run, on=["user_id", "item_id"])["relevance"].nunique() == 2

    pairs = set(zip(shown["user_id"], shown["item_id"], strict=True))
    known = [pair in pairs for pair in zip(data.history["user_id"], data.history["item_id"], strict=True)]
    before = data.history[[not each for each in known]]
    entropy = names.distributional_coverage(before, shown, "user_id", "item_id")
    assert ours(data, "recommenders", ["entropy@3"], None, run)["entropy@3"] == pytest.approx(entropy)
    found = ours(data, "recommenders", ["auc"], rated, run)["auc"]
    if both:
        predicted, truth = run.rename(columns={"score": "prediction"}), rated.rename(columns={"relevance": "rating"})
        assert found == pytest.approx(names.auc(truth, predicted, "user_id", "item_id", "rating", "prediction"))
    else:
        assert found is None
