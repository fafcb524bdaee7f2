"""The metrics of what is shown, on data small enough to work out; the packages named give the same figures."""

import math
from collections.abc import Callable

import pytest

from tests.reference import recommender
from tests.reference.recommender import Values

pytestmark = pytest.mark.slow

RESULTS = {"u1": ["a", "b", "c", "d"], "u2": ["a", "b"], "u3": ["a", "e"], "u4": []}
HISTORY = [("u1", "a"), ("u2", "a"), ("u3", "a"), ("u1", "b"), ("u1", "b"), ("u4", "c")]
BASELINE = {"u1": ["b", "a", "x", "c"], "u2": ["c"], "u4": ["a"]}
ITEMS = {"a": "red", "b": "red", "c": "blue", "d": "red", "f": "green"}
COMMON = math.log2(4 / 3)
"""Novelty of the document that three of four users had; that of the others is 2."""

QUERY_VALUES: list[tuple[str, Callable[[], Values], Values]] = [
    (
        "popularity (RecTools)",
        lambda: recommender.popularity(RESULTS, 3, HISTORY),
        {"u1": (3 + 2 + 1) / 3, "u2": (3 + 2) / 2, "u3": 3 / 2, "u4": 0},
    ),
    (
        "share of popularity (RecTools)",
        lambda: recommender.popularity(RESULTS, 1, HISTORY, norm="share"),
        {"u1": 3 / 6, "u2": 3 / 6, "u3": 3 / 6, "u4": 0},
    ),
    (
        "novelty (RecTools)",
        lambda: recommender.novelty(RESULTS, 3, HISTORY),
        {"u1": (COMMON + 2 + 2) / 3, "u2": (COMMON + 2) / 2, "u3": (COMMON + 2) / 2, "u4": 0},
    ),
    (
        "surprisal (RePlay)",
        lambda: recommender.surprisal(RESULTS, 3, HISTORY, norm="k"),
        {"u1": (COMMON / 2 + 1 + 1) / 3, "u2": (COMMON / 2 + 1) / 3, "u3": (COMMON / 2 + 1) / 3, "u4": 0},
    ),
    (
        "unexpectedness (RePlay)",
        lambda: recommender.unexpectedness(RESULTS, 3, BASELINE),
        {"u1": 1 - 2 / 3, "u2": 1, "u3": 0, "u4": 0},
    ),
    (
        "diversity of pairs (RecTools)",
        lambda: recommender.diversity(RESULTS, 3, ITEMS),
        {"u1": 2 / 3, "u2": 0, "u3": 1, "u4": 0},
    ),
    (
        "diversity of one document",
        lambda: recommender.diversity(RESULTS, 1, ITEMS),
        {"u1": 0, "u2": 0, "u3": 0, "u4": 0},
    ),
    (
        "distinct categories (RePlay)",
        lambda: recommender.diversity(RESULTS, 4, ITEMS, kind="distinct"),
        {"u1": 2 / 4, "u2": 1 / 4, "u3": 2 / 4, "u4": 0},
    ),
]


@pytest.mark.parametrize(("name", "calculate", "expected"), QUERY_VALUES)
def test_each_query_has_its_worked_value(name: str, calculate: Callable[[], Values], expected: Values) -> None:
    assert calculate() == pytest.approx(expected, rel=1e-14), name


SHOWN = {"b": 2 / 7, "a": 3 / 7, "c": 1 / 7, "e": 1 / 7}
SYSTEM_VALUES: list[tuple[str, Callable[[], float], float]] = [
    ("coverage (RePlay)", lambda: recommender.coverage(RESULTS, 3, "abcdef"), 4 / 6),
    ("coverage of what users had", lambda: recommender.coverage(RESULTS, 1, [doc for _, doc in HISTORY]), 1 / 3),
    (
        "inequality (RecBole)",
        lambda: recommender.gini(RESULTS, 3, "abcdef"),
        (-5 * 0 - 3 * 0 - 1 * 1 + 1 * 1 + 3 * 2 + 5 * 3) / (6 * 7),
    ),
    ("inequality without a document of the catalogue", lambda: recommender.gini(RESULTS, 3, "ae"), (3 - 1) / (2 * 4)),
    (
        "inequality of the shown (evidently)",
        lambda: recommender.gini(RESULTS, 3, over="shown"),
        (-3 * 1 - 1 * 1 + 1 * 2 + 3 * 3) / (3 * 7),
    ),
    (
        "entropy (Microsoft recommenders)",
        lambda: recommender.entropy(RESULTS, 3),
        -sum(share * math.log2(share) for share in SHOWN.values()),
    ),
    (
        "entropy over the documents shown (RecBole)",
        lambda: recommender.entropy(RESULTS, 3, log="ln", norm="shown"),
        -sum(share * math.log(share) for share in SHOWN.values()) / 4,
    ),
    ("personalization (evidently)", lambda: recommender.personalization(RESULTS, 2), 1 - (2 + 1 + 1) / 3 / 2),
    ("personalization of short lists", lambda: recommender.personalization(RESULTS, 4), 1 - (2 + 1 + 1) / 3 / 4),
]


@pytest.mark.parametrize(("name", "calculate", "expected"), SYSTEM_VALUES)
def test_system_has_its_worked_value(name: str, calculate: Callable[[], float], expected: float) -> None:
    assert calculate() == pytest.approx(expected, rel=1e-14), name


@pytest.mark.parametrize(
    "calculate",
    [
        lambda: recommender.coverage(RESULTS, 3, []),
        lambda: recommender.gini(RESULTS, 3, "xyz"),
        lambda: recommender.gini(RESULTS, 1, over="shown"),
        lambda: recommender.entropy({"u1": []}, 3),
        lambda: recommender.personalization({"u1": ["a"], "u2": []}, 3),
        lambda: recommender.surprisal({"u1": ["a"]}, 3, [("u1", "a")])["u1"],
    ],
)
def test_system_with_nothing_to_divide_by_is_undefined(calculate: Callable[[], float]) -> None:
    assert math.isnan(calculate())


def test_documents_shown_to_all_alike_are_equal_and_not_personal() -> None:
    same = {"u1": ["a", "b"], "u2": ["b", "a"]}

    assert recommender.gini(same, 2, "ab") == 0
    assert recommender.gini({"u1": ["a"]}, 1, "a") == 0
    assert recommender.entropy(same, 2) == 1
    assert recommender.personalization(same, 2) == 0
