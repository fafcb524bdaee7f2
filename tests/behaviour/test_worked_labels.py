"""Labels of ten impressions of four documents, worked out by hand or by the packages that are named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sqlrank.behaviour.asked import Counting, signal_of
from sqlrank.behaviour.estimating import Estimate, Estimating
from sqlrank.behaviour.learning import Positions
from sqlrank.behaviour.methods import Prior, every_method
from sqlrank.behaviour.session import looked_at
from sqlrank.choices import LABEL_METHODS
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.inputs.reading import Reading
from sqlrank.log import judgments
from tests.support.cli_helper import FIXTURES
from tests.support.tables import each

LOG = FIXTURES / "behaviour" / "shown_and_clicked.csv"
DOCUMENTS = "abcdxyzw"
EXAMINATION = {1: 1.0, 2: 0.6, 3: 0.4, 4: 0.3}
TELLING = {1: 0.9, 2: 0.6, 3: 0.4, 4: 0.3}
ONE = (1, 1)

# PyClick 0.2 (markovi/PyClick) gives the labels of ctr, cascade, dcm, sdbn and pbm; the ends are scipy's; those of
# OpenSearch are of its Java, which prints three decimals.
LABELS: list[tuple[dict[str, Any], dict[str, str]]] = [
    (
        {"method": "ctr", "prior": ONE},
        {
            "relevance": ".375 .375 .375 .25 .666667 .166667 .333333 .166667",
            "low": ".098988 .098988 .098988 .036693 .283582 .005051 .052745 .005051",
            "high": ".709579 .709579 .709579 .578723 .947255 .521824 .716418 .521824",
        },
    ),
    ({"method": "cascade"}, {"relevance": ".428571 .5 .25 .5 .666667 .25 .333333 .333333"}),
    ({"method": "dcm"}, {"relevance": ".375 .5 .5 .5 .666667 .2 .5 .333333"}),
    ({"method": "dcm", "no_click": "skip"}, {"relevance": ".428571 .6 .6 .666667 .8 .25 .666667 .5"}),
    ({"method": "sdbn"}, {"relevance": ".1875 .25 .375 .333333 .4 .1 .333333 .166667"}),
    (
        {"method": "ips", "propensities": EXAMINATION},
        {"relevance": ".333333 .444444 .694444 .555556 .916667 0 .625 0"},
    ),
    ({"propensities": EXAMINATION}, {"relevance": ".384615 .476190 .8 .526316 .833333 0 .555556 0"}),
    (
        {"method": "coec"},
        {
            "relevance": ".769231 .952381 1.666667 1.428571 1.666667 0 1.111111 0",
            "low": ".093157 .115338 .201841 .036168 .343707 0 .028131 0",
            "high": "2.778726 3.440327 6.020573 7.959491 4.870707 2.837600 6.190715 9.222199",
        },
    ),
    (
        {"method": "coec", "prior": ONE},
        {"relevance": ".833333 .967742 1.363636 1.176471 1.428571 .434783 1.052632 .714286"},
    ),
    ({"like": "opensearch"}, {"relevance": "0.667 0.667 1.111 0.833 1.500 0.000 0.833 0.000"}),
]


def rows_of(**options: Any) -> list[dict[str, Any]]:
    with judgments(LOG, separator="|", min_impressions=0, **options) as found:
        return found.to_dicts()


def of_log(column: str, **options: Any) -> dict[str, float]:
    return {row["doc_id"]: row[column] for row in rows_of(**options)}


@each({str(options): (options, columns) for options, columns in LABELS})
def test_labels_are_those_worked_out(case: tuple[dict[str, Any], dict[str, str]]) -> None:
    options, columns = case
    found = {row["doc_id"]: row for row in rows_of(**options)}
    for column, expected in columns.items():
        told = pytest.approx([float(one) for one in expected.split()], abs=1e-6)
        assert [found[name][column] for name in DOCUMENTS] == told, column


def test_opensearch_has_no_rate_at_the_last_rank_and_looks_no_further() -> None:
    found = of_log("relevance", like="opensearch", max_rank=3)

    assert found == {"a": 0.667, "b": 0.667, "c": 1.333, "d": 0, "x": 1.5, "y": 0, "z": 0.833}


# The position-based model by PyClick; its labels here are told at the first position.
PBM = [
    (50, ".499152 .532902 .625932 .493001 .737704 .245084 .506970 .336425", 0.735880),
    (1, ".541667 .541667 .541667 .458333 .722222 .388889 .5 .388889", 0.638889),
]


@pytest.mark.parametrize(("rounds", "attraction", "first"), PBM)
def test_the_position_based_model_is_learned_as_by_pyclick(rounds: int, attraction: str, first: float) -> None:
    found = of_log("relevance", method="pbm", rounds=rounds, min_documents=0)

    told = [float(one) * first for one in attraction.split()]
    assert [found[name] for name in DOCUMENTS] == pytest.approx(told, abs=2e-6)


def test_the_position_based_model_takes_propensities_that_are_told() -> None:
    found = of_log("relevance", method="pbm", propensities=TELLING, rounds=50)

    told = ".457504 .507348 .635345 .506949 .697950 .233582 .510853 .347994"
    assert [found[name] for name in DOCUMENTS] == pytest.approx([0.9 * float(one) for one in told.split()], abs=2e-6)


# By brute force over what people may have done: see test_network.py.
NETWORK = ".401263 .479300 .555813 .555173 .666667 .217858 .515852 .362492"
SATISFIED = ".412136 .406535 .640063 .5 .447956 .5 .540814 .5"


def test_the_dynamic_network_is_learned_exactly() -> None:
    with judgments(LOG, separator="|", min_impressions=0, method="dbn", rounds=40) as found:
        labels = {row["doc_id"]: row["relevance"] for row in found.to_dicts()}
        lines = found.remarks()

    told = [float(a) * float(s) for a, s in zip(NETWORK.split(), SATISFIED.split(), strict=True)]
    assert [labels[name] for name in DOCUMENTS] == pytest.approx(told, abs=2e-6)
    assert any("log posterior -44.74697" in line for line in lines)
    assert "people go on to the next document with probability 0.7879" in lines


def test_every_method_is_offered() -> None:
    assert sorted(LABEL_METHODS) == sorted(every_method())


@contextmanager
def positions() -> Iterator[Positions]:
    """The position-based model of the log, before it learns."""
    engine, prior = DuckDBEngine(), Prior(1, 1)
    session = looked_at(engine, str(LOG), Reading(separator="|"), Counting(signal_of("click")))
    made = Estimating(engine, session.cells, Estimate(every_method()["pbm"], prior, linking=0))
    tables, _ = made.positions(made.counted())
    model = Positions(engine, tables["counted"], prior)
    model.begin()
    yield model
    engine.close()


# PyClick 0.2 again.
EXAMINED = {50: (0.735880, 0.593673, 0.420061, 0.326161), 1: (0.638889, 0.527778, 0.472222, 0.416667)}
ENDS = {1e-4: (12, 22), 1e-6: (15, 40)}
"""Tolerances, the rounds that learning takes where it skips some, and those that it would take."""


def test_positions_are_examined_as_by_pyclick_and_learning_ends_when_nothing_moves_and_skips_rounds() -> None:
    with positions() as model:
        moved, examined = [], []
        for _ in range(60):
            moved.append(model.learn(1, None).moved)
            examined.append(list(model.propensities().values()))

    assert moved[-1] < 1e-6
    for rounds, expected in EXAMINED.items():
        assert examined[rounds - 1] == pytest.approx(expected, abs=1e-6)
    for tolerance, (rounds, of_all) in ENDS.items():
        with positions() as model:
            assert model.learn(500, tolerance).rounds == rounds
            assert list(model.propensities().values()) == pytest.approx(examined[-1], abs=3 * tolerance)
        assert moved[of_all - 2] >= tolerance > moved[of_all - 1]


def test_a_round_of_the_network_learns_how_likely_people_go_on() -> None:
    with judgments(LOG, separator="|", min_impressions=0, method="dbn", rounds=1) as found:
        assert "people go on to the next document with probability 0.6908" in found.remarks()
