"""Labels of people who behave as a method takes for granted: their order, and what their intervals cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scipy.stats import kendalltau

from sqlrank.behaviour.estimating import quantile_functions
from sqlrank.behaviour.methods import every_method
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.log import judgments
from tests.behaviour.simulated import EXAMINATION, QUERIES, Shown, logged
from tests.support.tables import hold

KNOWN = {"propensities": {place: float(chance) for place, chance in enumerate(EXAMINATION, 1)}}


def attracts(shown: Shown) -> Any:
    return shown.attraction


def satisfies(shown: Shown) -> Any:
    return shown.attraction * shown.satisfaction


Truth = Callable[[Shown], Any]
RIGHT: list[tuple[str, str, dict[str, Any], Truth]] = [
    ("pbm", "ratio", KNOWN, attracts),
    ("pbm", "ips", KNOWN, attracts),
    ("pbm", "pbm", KNOWN, attracts),
    ("pbm", "pbm", {"min_documents": 0}, attracts),
    ("cascade", "cascade", {}, attracts),
    ("cascade", "dcm", {}, attracts),
    ("dbn", "dbn", {}, satisfies),
    ("sdbn", "sdbn", {}, satisfies),
    ("shuffled", "ctr", {}, attracts),
]
"""How people behave, the method for which that is right, its options, and what its labels are estimates of."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(
    ("people", "method", "options", "truth"), RIGHT, ids=[f"{p}-{m}-{len(o)}" for p, m, o, _ in RIGHT]
)
def test_intervals_cover_the_truth_where_the_model_is_right(
    people: str, method: str, options: dict[str, Any], truth: Truth
) -> None:
    """Two logs of 240 labels: the standard error of 95 % is one, and the bounds are three and more from there."""
    hits = total = 0
    for seed in range(2):
        shown = logged(people, impressions=6000, seed=seed)
        known = truth(shown)
        with judgments(shown.frame(), method=method, **options) as found:
            for row in found.to_dicts():
                value = known[row["query_id"], row["doc_id"]]
                if value == 1:  # which no prior lets a label be
                    continue
                hits, total = hits + (row["low"] <= value <= row["high"]), total + 1

    assert 0.90 <= hits / total <= 0.985


def order(data: Any, truth: Any, **options: Any) -> float:
    """Kendall's tau of labels and truth, inside queries, on average."""
    with judgments(data, min_impressions=0, **options) as found:
        labels: dict[int, dict[int, float]] = {}
        for row in found.to_dicts():
            labels.setdefault(row["query_id"], {})[row["doc_id"]] = row["relevance"]
    taus = [kendalltau([truth[query, doc] for doc in of_query], list(of_query.values())).statistic
            for query, of_query in labels.items()]  # fmt: skip
    return float(sum(taus) / len(taus))


# What the order of 20,000 impressions (seed 7) is worth, of three rankers.
ORDERS: list[tuple[str, dict[str, Any], Truth, float]] = [
    ("pbm", {"method": "ctr", "prior": (1, 1)}, attracts, 0.829),
    ("pbm", {"method": "coec"}, attracts, 0.714),
    ("pbm", {"like": "opensearch"}, attracts, 0.640),
    ("pbm", {"method": "dcm"}, attracts, 0.835),
    ("pbm", {"method": "sdbn"}, attracts, 0.764),
    ("pbm", {"method": "pbm"}, attracts, 0.890),
    ("pbm", {"method": "ips"} | KNOWN, attracts, 0.873),
    ("pbm", KNOWN, attracts, 0.886),
    ("dbn", {"method": "ctr", "prior": (1, 1)}, satisfies, 0.587),
    ("dbn", {"method": "sdbn"}, satisfies, 0.721),
    ("dbn", {"method": "coec"}, attracts, 0.721),
    ("trust", {"method": "pbm"}, attracts, 0.788),
]


@pytest.mark.needs("random")
@pytest.mark.parametrize("people", ["pbm", "dbn", "trust"])
def test_labels_order_documents_as_well_as_another_program_found(people: str) -> None:
    shown = logged(people)
    data = shown.frame()

    def check(case: tuple[dict[str, Any], Truth, float]) -> None:
        options, truth, tau = case
        assert order(data, truth(shown), **options) == pytest.approx(tau, abs=6e-3)

    hold({str(options): (options, truth, tau) for of, options, truth, tau in ORDERS if of == people}, check)


def test_expected_clicks_are_as_many_as_clicks() -> None:
    shown = logged("pbm", impressions=1500)
    with judgments(shown.frame(), method="coec", min_impressions=0) as found:
        rows = found.to_dicts()

    expected = sum(row["clicks"] / row["relevance"] for row in rows if row["clicks"])
    unclicked = [row for row in rows if not row["clicks"]]
    assert expected <= shown.clicks.sum() + 1e-6
    assert unclicked or expected == pytest.approx(shown.clicks.sum())


# Ends of 95 % by scipy.
BETAS = [(1, 1), (0.3, 100), (5, 2), (0.05, 3), (1000, 30), (2.5, 0.5), (3, 1e6), (4e4, 2e5), (1e6, 60)]
GAMMAS = [0.3, 1, 2.5, 40, 900, 5000]


def test_quantiles_are_those_of_scipy() -> None:
    from scipy.stats import beta, gamma, norm

    engine = DuckDBEngine()
    names = quantile_functions(engine)
    z = norm.ppf(0.975)
    for a, b in BETAS:
        sql = f"select {names['quantile_of_beta']}({a}::double, {b}::double, ?, ?)"
        for sign, tail in ((-1, 0.025), (1, 0.975)):
            assert engine.execute(sql, [sign * z, tail])[0][0] == pytest.approx(beta.ppf(tail, a, b), abs=1e-7)
    for shape in GAMMAS:
        sql = f"select {names['quantile_of_gamma']}({shape}::double, ?, ?)"
        for sign, tail in ((-1, 0.025), (1, 0.975)):
            assert engine.execute(sql, [sign * z, tail])[0][0] == pytest.approx(gamma.ppf(tail, shape), rel=1e-6)
    engine.close()


def test_the_prior_of_the_log_is_as_strong_as_its_rates_are_alike() -> None:
    """Rates that are Beta(2, 6) in every query, of three impressions each: a prior of eight in all."""
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(5)
    rates = random.beta(2, 6, 60_000)
    clicks = random.random((60_000, 3)) < rates[:, None]
    shown = pd.DataFrame(
        {
            "impression_id": np.arange(180_000),
            "query_id": 0,
            "doc_id": np.repeat(np.arange(60_000), 3),
            "position": 1,
            "clicked": clicks.ravel().astype(int),
        }
    )
    with judgments(shown, method="ctr", min_impressions=0) as found:
        row = next(row for row in found.to_dicts() if row["clicks"] == 3)

    strength = 3 * (1 - row["relevance"]) / (row["relevance"] - clicks.mean())
    assert strength == pytest.approx(8, rel=0.05)


def test_every_method_says_what_it_takes_for_granted() -> None:
    for name, method in every_method().items():
        assert method.assumes, name
        assert method.title, name
    assert QUERIES == 30
