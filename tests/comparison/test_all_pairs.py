"""All pairs: letters and matrices by hand, one correction for all, and gates about the baseline."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

import sqlrank
from sqlrank.comparison.standings import compact_letters
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import METRIC, compared
from tests.support.printed import printed

SEARCH = FIXTURES / "search"
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


def test_every_format_has_the_pairs_and_the_systems_with_their_letters() -> None:
    with sqlrank.compare(list(THREE), SEARCH / "qrels.parquet", "ndcg@10", all_pairs=True) as comparison:
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


def test_the_word_for_a_test_that_went_names_the_one_in_its_place() -> None:
    said = "--correction tukey supposed that all systems vary alike; max-t, in its place, does not"
    assert said in error_of(2, *REQUEST, "--correction", "tukey")
    assert run_cli(*REQUEST, "--correction", "max-t", "--quiet").code == 0
