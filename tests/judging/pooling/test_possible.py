"""Whether judgments decide between systems: by hand, as `compare --bounds` says, and by trying every way to judge."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.judging.pooling.possible import PossibleDifference
from tests.support.completions import every_completion, values_of

Run = dict[str, dict[str, float]]
SUMS = ["p@3", "dcg@2", "num_rel_ret", "hits@2", "rbp(grade=raw)", "p(rel=2)@3", "dcg(gain=0:0,1:1,2:5)@3"]


def ranking(text: str) -> dict[str, float]:
    """A ranking such as `a b c` as scores."""
    return {doc: -float(place) for place, doc in enumerate(text.split())}


def possible(systems: dict[str, Run], qrels: Run | None, metric: str, **options: Any) -> list[PossibleDifference]:
    """What is possible of each pair of systems."""
    with sqlrank.pool(systems=systems, qrels=qrels, metric=metric, depth=3, **options) as pool:
        return pool.possible


def told(systems: dict[str, Run], qrels: Run | None, metric: str, **options: Any) -> list[str]:
    """What is said of it."""
    with sqlrank.pool(systems=systems, qrels=qrels, metric=metric, depth=3, **options) as pool:
        return pool.of_possible


TWO = {"a": {"q": ranking("x y z")}, "b": {"q": ranking("x z w")}}


def test_what_both_rank_alike_leaves_the_difference_as_it_is() -> None:
    (found,) = possible(TWO, {"q": {"z": 1.0}}, "dcg@3")
    # x is first in both. y is second in a alone, w third in b alone: 0.63 less or 0.5 more; z is 0.63 - 0.5 better in b
    second, third = 0.6309297535714574, 0.5
    wanted = (second - third, second - third - second, second - third + third)
    assert (found.difference, found.bound_low, found.bound_high) == pytest.approx(wanted)
    assert (found.baseline, found.system, found.decided) == ("a", "b", False)


def test_the_scale_decides_how_far_a_judgment_goes() -> None:
    (found,) = possible(TWO, {"q": {"z": 1.0}}, "dcg@3", top_relevance=3)
    assert (found.bound_low, found.bound_high) == pytest.approx((0.130930 - 3 * 0.630930, 0.130930 + 1.5), abs=1e-6)
    with pytest.raises(sqlrank.DataError, match="1 of 1 relevances is above top_relevance=2: document 'z' of query"):
        possible(TWO, {"q": {"z": 3.0}}, "dcg@3", top_relevance=2)


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        # z is in b alone. y, w and x are open at first; x is first in both, and what y could add to a, w could to b
        (
            {"z": 1.0},
            "b less a in p@2: +0.5000 as judged so far, from +0.0000 to +0.5000 however the rest is judged: not",
        ),
        (
            {"z": 1.0, "y": 0.0},
            "+0.5000 as judged so far, from +0.5000 to +0.5000 however the rest is judged: b is better",
        ),
        (
            {"z": 0.0, "y": 1.0},
            "-0.5000 as judged so far, from -0.5000 to -0.5000 however the rest is judged: a is better",
        ),
        ({"z": 1.0, "y": 1.0}, "+0.0000 as judged so far, and the same however the rest is judged"),
    ],
)
def test_the_lines_say_who_is_better_or_how_far_they_are_apart(judged: dict[str, float], said: str) -> None:
    line, of_what = told(TWO, {"q": judged}, "p@2")
    assert said in line
    assert of_what.startswith(
        "over 1 query with results, the rest at most as relevant as the largest judgment so far, 1;"
    )


def test_where_nothing_is_known_nothing_is_said_to_be_decided() -> None:
    assert told(TWO, None, "p@2") == ["nothing was judged so far, so the sign of the difference in p@2 is open"]
    assert (
        "nothing is added to it by documents that are the largest judgment so far, 0;"
        in told(TWO, {"q": {"z": 0.0}}, "p@2")[0]
    )
    assert "not decided" in told(TWO, {"q": {"z": 0.0}}, "p@2", top_relevance=1)[0]
    for metric in ("ndcg@3", "ap", "recall@3"):
        assert "no bounds say when the sign" in told(TWO, {"q": {"z": 1.0}}, metric)[0]
        assert possible(TWO, {"q": {"z": 1.0}}, metric) == []
    assert told({"a": TWO["a"]}, {"q": {"z": 1.0}}, "p@2") == []


def test_of_many_systems_those_are_listed_that_are_nearest_to_a_decision() -> None:
    systems: dict[str, Run] = {name: {"q": ranking(f"{name} z"), "r": ranking(f"u{name}")} for name in "abcdef"}
    first, *rest, more, of_what = told(systems, {"q": {"a": 1.0, "b": 0.0}}, "p@1")
    # a is first, and relevant; b is not; nothing is known of u, so a is at worst as good as any other
    assert first == "the sign of the difference in p@1 is decided for 0 of 15 pairs of systems"
    assert (len(rest), more) == (5, "10 more pairs of systems are not decided")
    assert rest[0].startswith("b less a in p@1: -0.5000 as judged so far, from -1.0000 to +0.0000")
    assert "over 2 queries" in of_what


def drawn(seed: int) -> tuple[dict[str, Run], Run]:
    """Three systems with ties, and judgments of at most 1 that lack some documents."""
    rng = random.Random(seed)

    def run(least: int) -> Run:
        return {
            query: {f"d{doc}": float(rng.randint(0, 3)) for doc in range(least, least + 4)} for query in ("q1", "q2")
        }

    systems = {"c": run(0), "a": run(1), "b": run(2)}
    qrels = {query: {f"d{doc}": float(rng.randint(0, 1)) for doc in range(6)} for query in ("q1", "q2")}
    for query, doc in rng.sample([(query, doc) for query in ("q1", "q2") for doc in range(6)], 5):
        del qrels[query][f"d{doc}"]
    return systems, qrels


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.parametrize("parts", [1, 3])
def test_no_way_to_judge_the_rest_leaves_the_bounds_and_some_reach_them(
    seed: int, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems, qrels = drawn(seed)
    values = values_of(systems, every_completion(systems, qrels), SUMS, top_relevance=2)
    monkeypatch.setattr("sqlrank.engines.duckdb.parts_of_rows", lambda rows, limit: parts)
    for text in SUMS:
        pairs = possible(systems, qrels, text, top_relevance=2)
        assert [(each.baseline, each.system) for each in pairs] == [("c", "a"), ("c", "b"), ("a", "b")]
        for each in pairs:
            ends = zip(values[each.baseline, text], values[each.system, text], strict=True)
            differences = [after - before for before, after in ends]
            assert each.bound_low == pytest.approx(min(differences), abs=1e-12), text
            assert each.bound_high == pytest.approx(max(differences), abs=1e-12), text
            signs = {round(found, 9) > 0 if round(found, 9) else None for found in differences}
            assert each.decided == (len(signs) == 1), text


@pytest.mark.parametrize(
    ("weight", "ties"), [(None, "doc-desc"), ("1 + cast(substr(query_id, 2) as integer)", "doc-asc")]
)
def test_it_is_what_a_comparison_bounds(weight: str | None, ties: str) -> None:
    systems, qrels = drawn(5)
    options: dict[str, Any] = {"ties": ties, "top_relevance": 2, "weight": weight}
    with sqlrank.compare(
        systems=systems, qrels=qrels, metrics=SUMS, bounds=True, all_pairs=True, **options
    ) as compared:
        rows = {(row["metric"], row["baseline"], row["system"]): row for row in compared.all_rows}
    for text in SUMS:
        for each in possible(systems, qrels, text, **options):
            row = rows[text, each.baseline, each.system]
            found = (each.difference, each.bound_low, each.bound_high)
            assert found == pytest.approx((row["difference"], row["bound_low"], row["bound_high"]), abs=1e-12)


def test_labels_of_an_export_decide_as_judgments_do() -> None:
    drawn_systems, qrels = drawn(2)
    systems = dict(sorted(drawn_systems.items()))
    rows = [
        {"system": system, "query_id": query, "doc_id": doc, "score": score, "relevance": qrels[query].get(doc)}
        for system, run in systems.items()
        for query, docs in run.items()
        for doc, score in docs.items()
    ]
    with sqlrank.pool(pa.Table.from_pylist(rows), metric="dcg@3", top_relevance=2) as pool:
        assert pool.possible == possible(systems, qrels, "dcg@3", top_relevance=2)
