"""Differences over all judgments that are missing: by hand, and beside all ways in which they could turn out."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlrank
from tests.support.cli_helper import FIXTURES, completed, error_of
from tests.support.completions import every_completion, values_of
from tests.support.tables import each, hold

SEARCH = FIXTURES / "search"
RUNS = (SEARCH / "keyword.parquet", SEARCH / "semantic.parquet")
Run = dict[str, dict[str, float]]
SUMS = ["p@3", "dcg@2", "num_rel_ret", "rbp(grade=raw)", "ndcg(ideal=full)@3"]
OTHERS = ["rr", "success@1", "err@2", "p(norm=returned)@3"]


def ranking(*documents: str) -> dict[str, float]:
    """Scores that rank documents in this order."""
    return {doc: float(len(documents) - place) for place, doc in enumerate(documents)}


def found(systems: dict[str, Run], qrels: Run, metrics: list[str], **options: Any) -> dict[str, dict[str, Any]]:
    """The rows of the total by metric."""
    with sqlrank.compare(systems=systems, qrels=qrels, metrics=metrics, bounds=True, **options) as comparison:
        return {row["metric"]: row for row in comparison.all_rows if row["is_total"] and row["system"] == "b"}


def test_bounds_of_a_difference_by_hand() -> None:
    def check(case: tuple[str, str, dict[str, float], float, float, float, bool]) -> None:
        one, other, judged, difference, low, high, survives = case
        runs = {"a": {"q": ranking(*one)}, "b": {"q": ranking(*other)}}
        row = found(runs, {"q": judged}, ["p@1", "dcg@3"])["dcg@3"]
        bounds = row["difference"], row["bound_low"], row["bound_high"]
        assert bounds == pytest.approx((difference, low, high))
        assert row["sign_survives"] is survives

    second, third = 0.6309297535714574, 0.5
    moved = second - third
    cases: dict[str, Any] = {
        # x is first in both. y is second in a alone, w third in b alone: 0.63 less or 0.5 more; z is 0.63 - 0.5 better
        "a document that both rank alike": ("xyz", "xzw", {"z": 1.0}, moved, moved - second, moved + third, False),
        "no document could outweigh what was judged": ("uvx", "xvu", {"x": 1.0, "u": 0.0}, 0.5, 0.5, 0.5, True),
    }
    hold(cases, check)


def drawn(seed: int) -> tuple[dict[str, Run], Run]:
    """Three systems with ties, and judgments that lack some documents; the third system has others."""
    rng = random.Random(seed)

    def run(least: int) -> Run:
        documents = [f"d{number}" for number in range(least, least + 4)]
        return {query: {doc: float(rng.randint(0, 3)) for doc in documents} for query in ("q1", "q2")}

    systems = {"a": run(0), "b": run(1), "c": run(9)}
    qrels = {query: {f"d{number}": float(rng.randint(0, 2)) for number in range(5)} for query in ("q1", "q2", "q3")}
    for query, number in rng.sample([(query, number) for query in ("q1", "q2") for number in range(5)], 5):
        del qrels[query][f"d{number}"]
    qrels["q3"]["z"] = 2.0
    return systems, qrels


@each([(2, 2, {}), (4, 2, {}), (7, 2, {}), (4, 1, {"top_relevance": 2})])
def test_no_way_to_judge_the_rest_leaves_the_bounds_and_sums_reach_them(case: tuple[int, int, dict[str, Any]]) -> None:
    seed, most, options = case
    systems, judged = drawn(seed)
    qrels = {query: {doc: min(grade, most) for doc, grade in docs.items()} for query, docs in judged.items()}
    rows = found(systems, qrels, [*SUMS, *OTHERS], **options)
    pair = {name: systems[name] for name in "ab"}
    by_system = values_of(pair, every_completion(pair, qrels), [*SUMS, *OTHERS], **options)
    for text, row in rows.items():
        values = [after - before for before, after in zip(by_system["a", text], by_system["b", text], strict=True)]
        low, high = row["bound_low"], row["bound_high"]
        assert low <= min(values) + 1e-12, text
        assert high >= max(values) - 1e-12, text
        assert text not in SUMS or (low, high) == pytest.approx((min(values), max(values)), abs=1e-12), text


def test_segments_and_weights_have_bounds_of_their_own() -> None:
    options: dict[str, Any] = {"queries": SEARCH / "queries.parquet", "by": "country", "bounds": True}
    with sqlrank.compare(RUNS, SEARCH / "qrels.parquet", ["p@5"], **options) as comparison:
        rows = {row["country"]: row for row in comparison.all_rows}
    total = rows.pop(None)
    with sqlrank.compare(SEARCH / "export.parquet", None, ["p@5"], baseline="keyword", bounds=True) as comparison:
        of_export = comparison["p@5"]
    assert of_export["bound_low"] <= of_export["difference"] <= of_export["bound_high"]
    for end in ("bound_low", "bound_high"):
        mean = sum(row[end] * row["queries"] for row in rows.values()) / total["queries"]
        assert total[end] == pytest.approx(mean, rel=1e-12)


def test_the_remarks_say_whether_the_sign_survives() -> None:
    request = ("compare", *RUNS, "--qrels", SEARCH / "qrels.parquet", "--bounds", "-m", "p@10", "-m", "rr")
    shown = completed(*request).out
    assert "difference in p@10 of semantic between +0.0413 and +0.1033: its sign cannot change" in shown
    assert "(the bounds of each system by itself): its sign may change" in shown
    assert "at most as relevant as the largest judgment so far, 4; --top-relevance if the scale goes higher" in shown
    assert "at most as relevant as --top-relevance 5" in completed(*request, "--top-relevance", "5").out


def test_all_pairs_have_bounds() -> None:
    systems, qrels = drawn(2)
    options: dict[str, Any] = {"bounds": True, "all_pairs": True, "query_set": "judged"}
    with sqlrank.compare(systems=systems, qrels=qrels, metrics=["p@3"], **options) as comparison:
        pairs = {(row["baseline"], row["system"]): row["bound_high"] for row in comparison.all_rows}
    assert len(pairs) == 3
    assert None not in pairs.values()


def test_what_has_no_bounds_is_refused(tmp_path: Any) -> None:
    request = ("compare", *RUNS, "--qrels", SEARCH / "qrels.parquet", "--bounds")
    assert "may lower ndcg@10" in error_of(2, *request, "-m", "ndcg@10")
    assert "choose another order" in error_of(2, *request, "-m", "p@5", "--ties", "average")
    stored = tmp_path / "stored.parquet"
    completed("eval", *RUNS, "--qrels", SEARCH / "qrels.parquet", "-m", "p@5", "--per-query", stored)
    said = error_of(2, "compare", stored, "--baseline", "keyword", "--bounds", "-m", "p@5")
    assert "--bounds needs the runs" in said
    assert "--bounds needs judgments" in error_of(2, "compare", *RUNS, "--bounds")
