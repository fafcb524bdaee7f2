"""All pairs: letters and matrices by hand, Tukey's test beside all orders, its table and its error by simulation."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sqlrank
from sqlrank.comparison import tukey
from sqlrank.comparison.standings import compact_letters
from tests.pages.stated import assert_stated
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import METRIC, compared, experiments
from tests.support.printed import printed
from tests.support.tables import each
from tests.trials.cells import cells_of

SEARCH = FIXTURES / "search"
HONEST: dict[str, Any] = {"all_pairs": True, "correction": "tukey"}
THREE = (SEARCH / "semantic.parquet", SEARCH / "keyword.parquet", f"again={SEARCH / 'semantic.parquet'}")
REQUEST = ("compare", *THREE, "--qrels", SEARCH / "qrels.parquet", "-m", "ndcg@10", "--all-pairs")


def systems(number: int, queries: int, effect: float, seed: int) -> dict[str, list[float]]:
    """Values of systems, each `effect` better than the one before it, with a part that a query gives all of them."""
    rng = np.random.default_rng(seed)
    shared = rng.gamma(2, 1, queries)
    return {
        f"s{place}": np.maximum(0, shared + 5 + rng.normal(size=queries) + effect * place).tolist()
        for place in range(number)
    }


def test_systems_share_a_letter_unless_they_differ() -> None:
    for different, letters in (
        ("", "a a a a"),
        ("ad", "a ab ab b"),
        ("ac ad bd", "a ab bc c"),
        ("ab ac ad bc bd cd", "a b c d"),
        ("ab cd", "ab cd ac bd"),
    ):
        pairs = [(pair[0], pair[1]) for pair in different.split()]
        assert compact_letters("abcd", pairs) == dict(zip("abcd", letters.split(), strict=True))


def test_letters_tell_any_pairs_apart() -> None:
    rng = np.random.default_rng(5)
    names = [f"s{number}" for number in range(9)]
    for _ in range(50):
        different = {pair for pair in combinations(names, 2) if rng.random() < 0.4}
        letters = compact_letters(names, sorted(different))
        shared = {pair for pair in combinations(names, 2) if set(letters[pair[0]]) & set(letters[pair[1]])}
        assert shared == set(combinations(names, 2)) - different


def test_every_pair_has_the_row_that_it_has_alone_and_one_correction_covers_all() -> None:
    values = systems(4, 40, 0.2, 1)
    with compared({"all_pairs": True, "correction": "bonferroni"}, **values) as every:
        assert [(row["baseline"], row["system"]) for row in every.all_rows] == list(combinations(values, 2))
        assert every.families == {"total": 6}
        for row in every.all_rows:
            assert row["p_adjusted"] == pytest.approx(min(1, 6 * row["p_value"]))
        for one, other in (("s0", "s1"), ("s0", "s3"), ("s2", "s3")):
            with compared({"correction": "none"}, **{name: values[name] for name in (one, other)}) as alone:
                wanted = alone[METRIC]
            found = every.row_of(METRIC, other, one)
            for name in {*wanted} - {"sqlrank_key", "sqlrank_sums", "p_adjusted", "significant"}:
                value = wanted[name]
                assert found[name] == (pytest.approx(value, rel=1e-12) if isinstance(value, float) else value)


def of_all_orders(values: dict[str, list[float]], replicates: int) -> dict[tuple[str, str], float]:
    """Tukey's p values by shuffling the systems of each query."""
    rng = np.random.default_rng(8)
    table = np.array(list(values.values())).T
    ranges = np.empty(replicates)
    for number in range(replicates):
        means = rng.permuted(table, axis=1).mean(axis=0)
        ranges[number] = means.max() - means.min()
    means = dict(zip(values, table.mean(axis=0), strict=True))
    return {
        (one, other): float((ranges >= abs(means[one] - means[other]) - 1e-12).mean())
        for one, other in combinations(values, 2)
    }


@pytest.mark.parametrize(
    ("number", "queries"),
    [(4, 60), *(pytest.param(*case, marks=pytest.mark.needs("random")) for case in ((3, 25), (10, 50)))],
)
def test_p_values_are_those_of_all_orders_of_the_systems(number: int, queries: int) -> None:
    values = systems(number, queries, 0.6 / number, number)
    wanted = of_all_orders(values, 20_000)
    with compared(HONEST, **values) as found:
        for (one, other), p_value in wanted.items():
            assert found.row_of(METRIC, other, one)["p_adjusted"] == pytest.approx(p_value, abs=0.02)


def test_the_least_difference_is_that_of_the_table() -> None:
    # of a two-way layout with normal errors: q / sqrt(n) standard deviations of the residuals
    values = systems(5, 400, 0.0, 11)
    table = np.array(list(values.values()))
    residuals = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    deviation = np.sqrt((residuals**2).sum() / (4 * 399))
    wanted = stats.studentized_range.ppf(0.95, 5, 4 * 399) * deviation / 20
    with compared(HONEST, **values) as found:
        assert found.honest[METRIC] == pytest.approx(wanted, rel=0.03)
        assert f"finds differences from {found.honest[METRIC]:.3g} ({METRIC}) on" in "\n".join(found.remarks())


def test_bundles_of_queries_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    values, found = systems(4, 3000, 0.03, 2), []
    for bundles in (tukey.BUNDLES, 1000):
        monkeypatch.setattr(tukey, "BUNDLES", bundles)
        with compared(HONEST | {"replicates": 2000}, **values) as every:
            found.append({(row["baseline"], row["system"]): row["p_adjusted"] for row in every.all_rows})
    assert found[1] != found[0]
    assert found[1] == pytest.approx(found[0], abs=0.03)


def test_of_two_systems_it_is_the_randomization_test() -> None:
    values = systems(2, 60, 0.3, 3)
    with compared({"correction": "none"}, **values) as alone, compared(HONEST, **values) as found:
        assert found[METRIC]["p_adjusted"] == pytest.approx(alone[METRIC]["p_value"], abs=0.01)


def test_threads_and_the_order_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = systems(4, 300, 0.05, 6)
    found = []
    for threads, turned, rows_at_once in ((1, False, 4_000_000), (2, True, 10_000)):
        monkeypatch.setattr(tukey, "ROWS_AT_ONCE", rows_at_once)
        runs, qrels = experiments({name: [column] for name, column in values.items()})
        runs = {name: table.take(list(range(table.num_rows))[:: -1 if turned else 1]) for name, table in runs.items()}
        options = HONEST | {"threads": threads, "replicates": 1000}
        with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **options) as comparison:
            found.append([(row["p_value"], row["p_adjusted"]) for row in comparison.all_rows])
    assert found[0] == found[1]


def test_segments_are_tested_each_by_its_own_queries() -> None:
    values = systems(3, 80, 0.2, 9)
    parted = {name: [column[:40], column[40:]] for name, column in values.items()}
    runs, qrels = experiments(parted)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, by="experiment", **HONEST) as comparison:
        for number in range(2):
            wanted = of_all_orders({name: columns[number] for name, columns in parted.items()}, 20_000)
            for (one, other), p_value in wanted.items():
                row = comparison.row_of(METRIC, other, one, experiment=f"e{number}")
                assert row["p_adjusted"] == pytest.approx(p_value, abs=0.025)


def test_weights_of_one_change_nothing_and_a_weight_of_none_leaves_out() -> None:
    values = systems(3, 60, 0.3, 4)
    few = {name: column[:40] for name, column in values.items()}
    runs, qrels = experiments({name: [column] for name, column in values.items()})
    runs = {name: table.append_column("traffic", [[7.0] * 40 + [0.0] * 20]) for name, table in runs.items()}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, weight="traffic", **HONEST) as weighted:
        found = {(row["baseline"], row["system"]): row["p_adjusted"] for row in weighted.all_rows}
    assert found == pytest.approx(of_all_orders(few, 20_000), abs=0.02)


def test_every_format_has_the_pairs_and_the_systems_with_their_letters() -> None:
    with sqlrank.compare(list(THREE), SEARCH / "qrels.parquet", "ndcg@10", **HONEST) as comparison:
        shown = printed(comparison, "table", "json", "csv", "markdown", "latex")
    names, *ranked, _, head = (line.split() for line in shown["table"].splitlines()[:6])
    assert names == ["system", "ndcg@10"]
    assert [(name, letters) for name, _, letters in ranked] == [("semantic", "a"), ("again", "a"), ("keyword", "b")]
    assert head[:4] == ["system", "baseline", "metric", "queries"]

    document = json.loads(shown["json"])
    pairs = [("semantic", "keyword"), ("semantic", "again"), ("keyword", "again")]
    assert [(row["baseline"], row["system"]) for row in document["rows"]] == pairs
    letters = {"semantic": "a", "again": "a", "keyword": "b"}
    assert {row["system"]: row["letters"] for row in document["standings"]} == letters
    assert len(shown["csv"].splitlines()) == 4
    assert "| semantic | " in shown["markdown"]

    first, second, _ = (line for line in shown["latex"].splitlines() if line.startswith((*letters,)))
    assert first.startswith(r"semantic &  & $+0.0566^{***}$ & $+0.0000$")
    assert second.startswith(r"keyword & $-0.0566^{***}$ &  & $-0.0566^{***}$")


def test_a_gate_is_about_the_baseline() -> None:
    # keyword is 0.0566 below semantic, and nothing is below keyword
    assert run_cli(*REQUEST, "--fail-on-drop", "ndcg@10=0.06", "--quiet").code == 0
    outcome = run_cli(*REQUEST, "--fail-on-drop", "ndcg@10=0.05", "--quiet")
    assert outcome.code == 4
    assert outcome.err.count("ndcg@10 of") == 1


@each(
    [
        (["--correction", "tukey"], "--correction tukey is for --all-pairs"),
        (["--all-pairs", "--correction", "tukey", "--test", "t"], "goes with --test randomization, not t"),
        (["--all-pairs", "--correction", "tuky"], "tukey"),
    ]
)
def test_tukey_goes_with_all_pairs_and_randomization(case: tuple[list[str], str]) -> None:
    options, said = case
    assert said in error_of(2, *REQUEST[:-1], *options)


def test_any_error_among_all_pairs_of_systems_that_vary_alike_is_rare() -> None:
    found = [cell for cell in cells_of("pairs") if cell.words[0] == "`tukey`" and "ten times" not in cell.words[1]]
    assert len(found) == 12
    for cell in found:
        assert cell.coverage is not None
        assert_stated(
            cell.coverage, "explanation/comparison.md", "called different in # to # % of 2,000 experiments each, of"
        )


def test_systems_that_do_not_vary_alike_have_a_note_beside_tukeys_test() -> None:
    rng = np.random.default_rng(4)
    values = {
        name: (2 + rng.normal(0, spread, 40)).tolist()
        for name, spread in zip("abcd", (0.1, 0.1, 0.1, 0.5), strict=True)
    }
    for correction, said in (("tukey", 1), ("holm", 0)):
        with compared({"all_pairs": True, "correction": correction}, **values) as found:
            notes = [note for note in found.notes if "systems vary alike" in note]
        assert len(notes) == said
        assert all("dcg@1: Tukey's test supposes" in note and " d and " in note for note in notes)
