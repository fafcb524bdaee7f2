"""Weights of items as TensorFlow Ranking has them: what its tests expect, and its definitions on random sets.

Its metrics take a weight for each item of a list, and give each list a weight in their mean. Expectations are those of
its `metrics_impl_test.py` and `metrics_test.py` that have weights; the definitions are written out again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, log2
from typing import Any

import duckdb
import pytest

import sqlrank
from tests.support.cases import arrow

SETS = range(4)
QUERIES, K = 12, 2
COLUMNS = ("query_id", "doc_id", "score", "relevance", "item_weight")
Rows = list[tuple[str, str, float, float, float]]
Numbers = Sequence[Sequence[float]]
"""One number for each item of each list."""


@dataclass(frozen=True)
class Item:
    """A document of a list, in the order of the scores."""

    label: float
    weight: float

    @property
    def gain(self) -> float:
        """2^label - 1."""
        return 2**self.label - 1

    @property
    def hit(self) -> int:
        """Whether it is relevant."""
        return int(self.label >= 1)


Items = Sequence[Item]
Oracle = Callable[[Items], tuple[float, float | None]]
"""The value of a list, and its weight in the mean: None where it is that of the others on average."""


def over(part: float, whole: float) -> float:
    """A ratio, 0 of nothing."""
    return part / whole if whole else 0.0


def weight_by(items: Items, worth: Callable[[Item], float]) -> float | None:
    """The weight of a list: the mean weight of its items, each by what it is worth."""
    whole = fsum(map(worth, items))
    return fsum(item.weight * worth(item) for item in items) / whole if whole else None


def of_hits(items: Items) -> float | None:
    """The weight of a list by its relevant items."""
    return weight_by(items, lambda item: item.hit)


def of_gains(items: Items) -> float | None:
    """The weight of a list by its gains."""
    return weight_by(items, lambda item: item.gain)


def dcg(items: Items, k: int | None) -> float:
    """Weighted gains, discounted."""
    return fsum(item.weight * item.gain / log2(rank + 1) for rank, item in enumerate(items[:k], 1))


def ndcg(items: Items, k: int | None = None) -> float:
    """The same over that of the best order of weighted gains."""
    best = sorted(items, key=lambda item: item.weight * item.gain, reverse=True)
    return over(dcg(items, k), dcg(best, k))


def ap(items: Items, k: int | None = None) -> float:
    """Precisions at the hits, each weighted, over all weights of relevant items."""
    found = fsum(
        item.weight * item.hit * fsum(each.hit for each in items[:rank]) / rank
        for rank, item in enumerate(items[:k], 1)
    )
    return over(found, fsum(item.weight * item.hit for item in items))


def arp(items: Items) -> tuple[float, float]:
    """The mean rank by weighted labels, whose sum is the weight of the list."""
    whole = fsum(item.weight * item.label for item in items)
    return over(fsum(rank * item.weight * item.label for rank, item in enumerate(items, 1)), whole), whole


def opa(items: Items) -> tuple[float, float]:
    """Pairs in order, each by the weight of the better item, over all; the latter is the weight of the list."""
    pairs = [(place, other) for place in range(len(items)) for other in range(len(items))]
    pairs = [(one, other) for one, other in pairs if items[one].label > items[other].label]
    whole = fsum(items[one].weight for one, _ in pairs)
    return over(fsum(items[one].weight for one, other in pairs if one < other), whole), whole


def bpref(items: Items) -> float:
    """Binary preference, which no weight changes."""
    relevant = sum(item.hit for item in items)
    least, above, value = min(relevant, len(items) - relevant), 0, 0.0
    for item in items:
        if item.hit:
            value += 1 - over(min(above, relevant), least)
        above += 1 - item.hit
    return over(value, relevant)


def share(items: Items, k: int | None = None) -> float:
    """Precision over the items there are."""
    return over(sum(item.hit for item in items[:k]), len(items[:k]))


def first(items: Items, k: int | None = None) -> float:
    """One over the rank of the first hit."""
    return next((1 / rank for rank, item in enumerate(items[:k], 1) if item.hit), 0.0)


def recall(items: Items, k: int | None = None) -> float:
    """Hits over relevant items."""
    return over(sum(item.hit for item in items[:k]), sum(item.hit for item in items))


def dcg_of_list(items: Items, k: int | None = None) -> float:
    """DCG over the weight of the list."""
    return over(dcg(items, k), of_gains(items) or 0)


ORACLES: dict[str, Oracle] = {
    "ndcg(weight=item)": lambda items: (ndcg(items), of_gains(items)),
    f"ndcg(weight=item)@{K}": lambda items: (ndcg(items, K), of_gains(items)),
    f"ndcg(weight=item, ideal=judged)@{K}": lambda items: (ndcg(items, K), of_gains(items)),
    f"dcg(weight=item)@{K}": lambda items: (dcg_of_list(items, K), of_gains(items)),
    "ap(weight=item)": lambda items: (ap(items), of_hits(items)),
    f"ap(weight=item)@{K}": lambda items: (ap(items, K), of_hits(items)),
    f"rr(weight=item)@{K}": lambda items: (first(items, K), of_hits(items)),
    f"success(weight=item)@{K}": lambda items: (float(first(items, K) > 0), of_hits(items)),
    f"p(weight=item)@{K}": lambda items: (share(items, K), of_hits(items)),
    "set_p(weight=item)": lambda items: (share(items), of_hits(items)),
    f"recall(weight=item)@{K}": lambda items: (recall(items, K), of_hits(items)),
    "set_recall(weight=item)": lambda items: (recall(items), of_hits(items)),
    "bpref(weight=item)": lambda items: (bpref(items), of_hits(items)),
    "arp(weight=item)": arp,
}
UNDEFINED = {"arp(weight=item)", "pairwise_accuracy(weight=item)"}
"""Metrics without a value where TensorFlow Ranking has 0, which counts for nothing in its mean."""


def mean_of(lists: list[Items], oracle: Oracle) -> float:
    """The mean over lists: one without anything relevant weighs what the others do on average."""
    found = [oracle(items) for items in lists]
    known = [weight for _, weight in found if weight is not None]
    average = fsum(known) / len(known) if known else 1.0
    weights = [average if weight is None else weight for _, weight in found]
    return over(fsum(value * weight for (value, _), weight in zip(found, weights, strict=True)), fsum(weights))


def make_set(seed: int) -> Rows:
    """A labelled export: lists of one score each, grades, a list with nothing relevant, weights with 0 among them."""
    rng = random.Random(seed)
    found: Rows = []
    for number in range(QUERIES):
        size = rng.randint(1, 12)
        scores = rng.sample(range(1, 99), size)
        grades = [0, -1] if number == 3 else [0, 0, 1, 2, 4, -1]
        for doc, score in enumerate(scores):
            weight = rng.choice([0.0, 0.25, 1.0, 1.0, 3.0, 1e6]) if number != 5 or doc else 2.0
            found.append((f"q{number:02}", f"d{doc}", float(score), float(rng.choice(grades)), weight))
    return found


def lists_of(rows: Rows) -> dict[str, Items]:
    """The lists by query, in order, without what is padding or weighs 0."""
    found: dict[str, list[Item]] = {}
    for query, _, _, label, weight in sorted(rows, key=lambda row: -row[2]):
        if weight > 0:
            found.setdefault(query, []).extend([Item(label, weight)] if label >= 0 else [])
    return dict(found)


def test_values_and_means_are_those_of_the_definitions() -> None:
    compared = 0
    for seed in SETS:
        rows = make_set(seed)
        table, lists = arrow(rows, *COLUMNS), lists_of(rows)
        asked = {**ORACLES, "pairwise_accuracy(weight=item)": opa}
        options: dict[str, Any] = {"where": "item_weight > 0", "like": "tensorflow_ranking"}
        for chosen in (list(ORACLES), ["pairwise_accuracy(weight=item)"]):
            if chosen[0] not in ORACLES:
                options = {"where": "item_weight > 0", "unjudged": "remove"}
            with sqlrank.evaluate(table, None, chosen, **options) as result:
                values, means = result.to_dict(), [result[measure.text] for measure in result.measures]
            assert values.keys() == lists.keys()
            for place, text in enumerate(chosen):
                wanted_mean = mean_of(list(lists.values()), asked[text])
                assert means[place] == pytest.approx(wanted_mean, rel=1e-12, abs=1e-12), (seed, text)
                compared += 1
                for query, items in lists.items():
                    value, weight = asked[text](items)
                    wanted = None if text in UNDEFINED and not weight else pytest.approx(value, rel=1e-12, abs=1e-12)
                    assert list(values[query].values())[place] == wanted, (seed, query, text)
                    compared += 1
    assert compared > len(SETS) * 150


TWO = ([[1, 3, 2], [1, 2, 3]], [[0, 0, 1], [0, 1, 2]], [[1, 2, 3], [4, 5, 6]])
ONE = ([[1, 3, 2]], [[1, 0, 2]])
NONE = ([[1, 3, 2]], [[0, 0, 0]])
CUT = ([[1, 3, 2]], [[1, 1, 0]])
WEIGHTS: list[tuple[str, Numbers, Numbers, Numbers, list[float | None]]] = [
    ("rr", [[1, 3, 2], [1, 2, 3]], [[1, 0, 0], [0, 1, 1]], [[2, 5, 1], [1, 2, 3]], [2, 2.5]),
    ("rr", *NONE, [[2, 5, 1]], [None]),
    ("rr@2", [[3, 2, 1], [1, 3, 2]], [[1, 0, 1], [0, 1, 1]], [[2, 0, 5], [1, 4, 2]], [3.5, 3]),
    ("arp", *TWO, [3, 17]),
    ("set_recall", *CUT, [[3, 9, 2]], [6]),
    ("set_recall", [[1, 3, 2]], [[4, 0, 2]], [[3, 9, 2]], [2.5]),
    ("recall@1", *CUT, [[3, 9, 2]], [6]),
    ("set_recall", *NONE, [[1, 1, 1]], [None]),
    ("set_p", *ONE, [[13, 7, 29]], [21]),
    ("p@1", *CUT, [[3, 7, 15]], [5]),
    ("p@1", *NONE, [[3, 7, 15]], [None]),
    ("ap", *ONE, [[13, 7, 29]], [21]),
    ("ap@1", *CUT, [[3, 7, 15]], [5]),
    ("ap", *NONE, [[3, 7, 15]], [None]),
    ("ndcg", *ONE, [[3, 7, 9]], [(3 + 3 * 9) / 4]),
    ("ndcg", *NONE, [[2, 4, 4]], [None]),
    ("ndcg(gain=0:5,1:6,2:7)", *ONE, [[3, 7, 9]], [(6 * 3 + 5 * 7 + 7 * 9) / 18]),
    ("dcg", *ONE, [[3, 7, 9]], [(3 + 3 * 9) / 4]),
    ("dcg", *NONE, [[2, 4, 4]], [None]),
    ("dcg(gain=0:3,1:4,2:5)", *ONE, [[4, 1, 9]], [(4 * 4 + 3 * 1 + 5 * 9) / 12]),
    ("pairwise_accuracy", *ONE, [[3, 7, 9]], [21]),
    ("pairwise_accuracy", *NONE, [[2, 4, 4]], [0]),
    ("bpref", *ONE, [[13, 7, 29]], [21]),
    ("bpref", *CUT, [[3, 7, 15]], [5]),
    ("bpref", *NONE, [[3, 7, 15]], [None]),
]
"""Metric, scores, labels and weights of lists, and the weights of these lists; null is the mean of the others."""


def weighed(metric: str) -> str:
    """A metric with the weights of items, and the gains of the tool."""
    name, _, rest = metric.partition("@")
    name, _, inside = name.partition("(")
    inside = inside.removesuffix(")") or ("gain=exp2" if name in ("ndcg", "dcg") else "")
    told = ", ".join(filter(None, [inside, "weight=item"]))
    return f"{name}({told})" + (f"@{rest}" if rest else "")


def exported(scores: Numbers, labels: Numbers, weights: Numbers) -> Any:
    """The lists as a labelled export."""
    rows = [
        (f"q{number}", f"d{place}", float(score), float(label), float(weight))
        for number, each in enumerate(zip(scores, labels, weights, strict=True))
        for place, (score, label, weight) in enumerate(zip(*each, strict=True))
    ]
    return arrow([row for row in rows if row[4] > 0], *COLUMNS)


@pytest.mark.parametrize(("metric", "scores", "labels", "weights", "wanted"), WEIGHTS)
def test_weights_of_lists_are_those_of_its_tests(
    metric: str,
    scores: Numbers,
    labels: Numbers,
    weights: Numbers,
    wanted: list[float | None],
) -> None:
    assert list_weights(weighed(metric), exported(scores, labels, weights)) == [
        None if value is None else pytest.approx(value) for value in wanted
    ]


def list_weights(metric: str, labelled: Any, qrels: Any = None) -> list[float | None]:
    """What the queries weigh in the mean, in a statement that is taken away."""
    with duckdb.connect() as session:
        session.register("labelled", labelled)
        session.register("judgments", qrels if qrels is not None else labelled)
        sql = sqlrank.sql("labelled", None if qrels is None else "judgments", [metric])
        session.execute(f"create table found as {sql}")
        names = [row[0] for row in session.execute("select column_name from (describe found)").fetchall()]
        column = next(name for name in names if name.endswith("_per_query"))
        return [row[0] for row in session.execute(f"select {column} from found order by query_id").fetchall()]


def gain(label: float, rank: int, weight: float = 1.0) -> float:
    """What an item adds to DCG."""
    return weight * (2**label - 1) / log2(rank + 1)


SCORES, LABELS, ITEMS = TWO
MEANS: list[tuple[str, Numbers, Numbers, Numbers, float]] = [
    ("rr", *TWO, (3 * 0.5 + 5.5 * 1) / (3 + 5.5)),
    ("arp", *TWO, (3 * 2 + 12 * 1 + 5 * 2) / 20),
    ("arp", SCORES[:1], LABELS[:1], ITEMS[:1], 2),
    ("arp", SCORES[1:], LABELS[1:], ITEMS[1:], (2 * 5 + 1 * 12) / 17),
    ("ndcg@1", SCORES[:1], LABELS[:1], ITEMS[:1], 0),
    ("ndcg", SCORES[:1], LABELS[:1], ITEMS[:1], gain(1, 2, 3) / gain(1, 1, 3)),
    ("ndcg", SCORES, LABELS, [[1, 1, 1], [0, 0, 0]], gain(1, 2) / gain(1, 1)),
    ("dcg", *TWO[:2], [[1, 1, 1], [2, 2, 1]], (gain(1, 2) + gain(2, 1) + gain(1, 2, 2)) / (1 + 5 / 4)),
    ("pairwise_accuracy", *ONE, [[3, 7, 9]], 9 / 21),
    ("ndcg", *NONE, [[2, 4, 4]], 0),
]
"""Metric, scores, labels and weights of lists, and the mean; a list whose weights are all 0 counts for nothing."""


@pytest.mark.parametrize(("metric", "scores", "labels", "weights", "wanted"), MEANS)
def test_means_are_those_of_its_tests(
    metric: str, scores: Numbers, labels: Numbers, weights: Numbers, wanted: float
) -> None:
    with sqlrank.evaluate(exported(scores, labels, weights), None, weighed(metric), checks=wanted > 0) as result:
        assert result[result.measures[0].text] == pytest.approx(wanted, abs=1e-15)


def judged(labels: list[list[int]], weights: list[float]) -> Any:
    """Judgments of one query by subtopic: for each document whether it is relevant to each."""
    rows = [
        ("q", f"d{place}", str(topic), float(label), weight)
        for place, (topics, weight) in enumerate(zip(labels, weights, strict=True))
        for topic, label in enumerate(topics)
    ]
    return arrow(rows, "query_id", "doc_id", "subtopic", "relevance", "item_weight")


OF_SUBTOPICS = [
    ([[0, 1], [0, 0], [1, 1]], [3.0, 7.0, 9.0], 6.0),
    ([[1, 1], [1, 0], [0, 0]], [3.0, 4.0, 5.0], 3.5),
    ([[0, 0], [0, 0], [0, 0]], [3.0, 7.0, 2.0], None),
]


@pytest.mark.parametrize("metric", ["p_ia(weight=item)@1", "alpha_dcg(weight=item)@1", "alpha_dcg(weight=item)@3"])
@pytest.mark.parametrize(("labels", "weights", "wanted"), OF_SUBTOPICS)
def test_weights_of_lists_with_subtopics_are_those_of_its_tests(
    metric: str, labels: list[list[int]], weights: list[float], wanted: float | None
) -> None:
    run = arrow([("q", "d0", 1.0), ("q", "d1", 3.0), ("q", "d2", 2.0)], "query_id", "doc_id", "score")
    assert list_weights(metric, run, judged(labels, weights)) == [wanted]


@pytest.mark.parametrize(("k", "wanted"), [(1, 2 / 2.5), (3, (2 + 3 * 0.5 / log2(3)) / 2.5)])
def test_weighted_alpha_dcg_is_that_of_its_tests_times_its_bound(k: int, wanted: float) -> None:
    qrels = judged([[0, 0], [0, 1], [0, 1]], [1.0, 2.0, 3.0])
    bound = fsum(0.5 ** (rank - 1) / log2(rank + 1) for rank in range(1, k + 1))
    metric = f"alpha_dcg(weight=item)@{k}"
    with sqlrank.evaluate({"q": {"d0": 1.0, "d1": 3.0, "d2": 2.0}}, qrels, metric) as result:
        assert result[metric] == pytest.approx(wanted / bound)
