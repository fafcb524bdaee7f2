"""What only trec_eval has, against the values it prints."""

import math
from typing import Any

import pytest

from tests.reference import definitions as reference
from tests.reference import trec
from tests.reference.shared import Judged, Ranking

pytestmark = pytest.mark.slow

GRADED: tuple[Ranking, Judged] = ([0, 3, None, 1, 2], [3, 2, 1, 0, 0, 2])
TIED: tuple[Ranking, Judged] = ([0, None, 1, None, 1], [1, 1, 0])
LATE: tuple[Ranking, Judged] = ([None, None, None, 1, 0], [1, 0])
PERFECT: tuple[Ranking, Judged] = ([1, 0], [1, 0])
NEGATIVE: tuple[Ranking, Judged] = ([-1, -2, 2, 0, None, 1], [2, -1, -2, 0, 1])
HOLE: tuple[Ranking, Judged] = ([1, None, 1], [1, 1, 1])
JUDGED: tuple[Ranking, Judged] = ([1, 2, 0, 3], [3, 2, 1, 0])
POOL: tuple[Ranking, Judged] = ([0, -1, 1, None, -1, 1, None], [1, 0, -1, 1, -1, 1])
SHORT: tuple[Ranking, Judged] = ([1, None], [1, 1, 1, 1])
STRANGE: tuple[Ranking, Judged] = ([None, None], [1, 2, 0])
MISSED: tuple[Ranking, Judged] = ([], [1])
HOPELESS: tuple[Ranking, Judged] = ([0, 0], [0, 0])
SECOND: tuple[Ranking, Judged] = ([None, 1], [1])

PRINTED: list[tuple[tuple[Ranking, Judged], dict[str, float], str]] = [
    (
        GRADED,
        {"rbp": 0.1580, "rbp_resid": 0.6715, "unj": 0.1, "yaap": -0.2683, "bing": 0.4077, "g": 0.3435},
        "'03-12'",
    ),
    (TIED, {"rbp": 0.1466, "rbp_resid": 0.7534, "unj": 0.2, "yaap": -0.2683, "bing": 0.4653, "g": 0.4653}, "'0-1-1'"),
    (LATE, {"rbp": 0.0729, "rbp_resid": 0.8615, "unj": 0.3, "yaap": -0.3365, "bing": 0.4307, "g": 0.4307}, "'---10'"),
    (PERFECT, {"rbp": 0.1, "rbp_resid": 0.0, "unj": 0.0, "yaap": 0.6931, "bing": 1.0, "g": 1.0}, "'10'"),
    (
        NEGATIVE,
        {"rbp": 0.1105, "rbp_resid": 0.7871, "unj": 0.3, "yaap": -0.3365, "bing": 0.4434, "g": 0.4623},
        "'..20-1'",
    ),
    (HOLE, {"rbp_resid": 0.8190, "unj": 0.1, "yaap": 0.1335, "bing": 0.5436, "g": 0.5436}, "'1-1'"),
    (JUDGED, {"rbp": 0.1662, "rbp_resid": 0.0, "unj": 0.0, "yaap": 1.0986, "bing": 0.8770, "g": 0.5655}, "'1203'"),
    (POOL, {"rbp": 0.14, "rbp_resid": 0.76, "unj": 0.4, "yaap": -0.6931, "bing": 0.2956, "g": 0.2956}, "'0.1-.1-'"),
    (SHORT, {"rbp": 0.1, "rbp_resid": 0.9, "unj": 0.1, "yaap": -0.6931, "bing": 0.25, "g": 0.25}, "'1-'"),
    (STRANGE, {"rbp": 0.0, "rbp_resid": 1.0, "unj": 0.2, "yaap": -1.0986, "bing": 0.0, "g": 0.0}, "'--'"),
    (MISSED, {"rbp": 0.0, "rbp_resid": 0.0, "unj": 0.0, "yaap": -0.6931, "bing": 0.0, "g": 0.0}, "''"),
    (HOPELESS, {"rbp": 0.0, "rbp_resid": 0.0, "unj": 0.0, "yaap": 0.0, "bing": 0.0, "g": 0.0}, "'00'"),
    (SECOND, {"rbp": 0.09, "rbp_resid": 0.91, "unj": 0.1, "yaap": 0.0, "bing": 0.6309, "g": 0.6309}, "'-1'"),
]
"""A query and what trec_eval 10 prints of it, with unj at 10.

It prints 0.1086 for the rbp of HOLE, 0.6 times 0.1 * (1 + 0.81): it scales gains by bounds that it never sets.
"""
REFERENCE: dict[str, tuple[int | None, dict[str, Any]]] = {"unj": (10, {}), "rbp_resid": (None, {"complete": "zero"})}


@pytest.mark.parametrize(("query", "printed", "text"), PRINTED)
def test_query_has_the_values_that_trec_eval_prints(
    query: tuple[Ranking, Judged], printed: dict[str, float], text: str
) -> None:
    ours = {}
    for metric in printed:
        k, parameters = REFERENCE.get(metric, (None, {}))
        ours[metric] = reference.METRICS[metric](*query, k, **parameters) or 0.0

    assert ours == pytest.approx(printed, abs=0.00005)
    assert trec.relstring(*query) == text


@pytest.mark.parametrize(
    ("metric", "query", "k", "parameters", "expected"),
    [
        ("rbp", GRADED, None, {"grade": "raw", "p": 0.8}, 0.2 * (0.8 * 3 + 0.8**3 * 1 + 0.8**4 * 2)),
        ("rbp", GRADED, None, {"grade": "binary", "rel": 2, "p": 0.5}, 0.5 * (0.5 + 0.5**4)),
        ("rbp", GRADED, 4, {"grade": "binary", "p": 0.5}, 0.5 * (0.5 + 0.5**3)),
        ("rbp", GRADED, 2, {"p": 0.5}, 0.5 * 0.5),
        ("rbp", ([0.25, 0.5], [0.25, 0.5]), None, {"p": 0.5}, 0.5 * (0.25 + 0.5 * 0.5)),
        ("rbp_resid", GRADED, None, {"p": 0.5}, 0.5**5 + 0.5 * 0.5**2),
        ("rbp_resid", PERFECT, None, {"p": 0.5}, 0.5**2),
        ("rbp_resid", MISSED, None, {"p": 0.5}, 1.0),
        ("rbp_resid", NEGATIVE, None, {"p": 0.5, "complete": "zero"}, 0.5**6 + 0.5 * (1 + 0.5 + 0.5**4)),
        ("unj", NEGATIVE, 5, {}, 3 / 5),
        ("yaap", JUDGED, None, {"rel": 3}, math.log((1 + 1 / 4) / (2 - 1 / 4))),
        ("utility", GRADED, None, {"tp": 2, "fp": -0.5, "fn": -3, "tn": 0.25, "documents": 106}, 6 - 1 - 3 + 25),
        ("utility", MISSED, None, {"fn": -3}, -3.0),
        ("utility", GRADED, None, {"rel": 2}, 2 - 3),
        ("bing", GRADED, None, {"rel": 2}, (1 / math.log2(3) + 1 / math.log2(5)) / 3),
        ("g", GRADED, None, {"gain": {3: 2}}, 2 / math.log2(2 + 2 + 1 - 2) / 2),
        ("iprec", GRADED, None, {"recall": 0.25}, 3 / 5),
        ("iprec", GRADED, None, {"recall": 1.0}, 0.0),
        ("ap_11pt", GRADED, None, {}, 9 * 0.6 / 11),
        ("ap_11pt", GRADED, None, {"rule": "ceil"}, 8 * 0.6 / 11),
        ("infap", POOL, None, {}, 0.2777799999555564),
        ("rprec", GRADED, None, {"mult": 0.1}, 0.0),
        ("rprec", GRADED, None, {"mult": 0.4}, 1 / 2),
        ("set_ap", GRADED, None, {}, 9 / 20),
        ("num_nonrel_judged_ret", GRADED, None, {}, 1.0),
        ("num_nonrel_judged_ret", GRADED, None, {"rel": 2}, 2.0),
    ],
)
def test_parameter_changes_the_value_by_its_definition(
    metric: str, query: tuple[Ranking, Judged], k: int | None, parameters: dict[str, Any], expected: float
) -> None:
    assert reference.METRICS[metric](*query, k, **parameters) == pytest.approx(expected, rel=1e-12)


def test_relstring_has_a_character_for_each_of_the_top_documents() -> None:
    ranking: Ranking = [9, 10, None, -3, 0]

    assert trec.relstring(ranking, []) == "'9>-.0'"
    assert trec.relstring(ranking, [], 2) == "'9>'"
    assert trec.relstring([1] * 11, []) == "'" + "1" * 10 + "'"
