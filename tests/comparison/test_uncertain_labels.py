"""Differences by labels that have an interval: by hand, and as often right as they say."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import sqlrank
from sqlrank.comparison.uncertain_differences import with_labels
from sqlrank.errors import UsageError
from sqlrank.output.writing import write_per_query
from sqlrank.statistics.estimate import Estimate
from tests.evaluation.test_uncertain_labels import OTHER, RUN, Z, beta, exact, label, many, shoes
from tests.support.tables import each

LOG2 = [1 / math.log2(place + 1) for place in range(1, 5)]


def twice(seed: int = 4, queries: int = 40) -> tuple[dict[str, pa.Table], pa.Table]:
    """Two systems and the judgments of their documents."""
    one, judged = many(queries, 8, seed)
    other, _ = many(queries, 8, seed + 100)
    return {"one": one, "other": other}, judged


def compared(systems: Any, judged: Any, metrics: Any, **options: Any) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The rows over all queries by metric, and the remarks."""
    with sqlrank.compare(systems=systems, qrels=judged, metrics=metrics, **options) as found:
        return {row["metric"]: row for row in found.all_rows if row["is_total"]}, found.remarks()


def test_what_two_systems_share_cancels() -> None:
    rows, _ = compared({"one": RUN, "two": OTHER}, shoes(), ["dcg"])
    sd = beta(2, 6)[1]
    moved = [LOG2[2] - LOG2[0], LOG2[0] - LOG2[1], LOG2[1] - LOG2[2]]  # of a, b and c; d stays
    assert rows["dcg"]["label_stderr"] == pytest.approx(sd * math.hypot(*moved))
    assert rows["dcg"]["difference"] == pytest.approx(0, abs=1e-12)


def test_a_ranking_is_better_in_as_many_draws_as_its_labels_say() -> None:
    draws = 10_000
    systems = {"one": RUN, "two": {"shoes": {"b": 4.0, "c": 3.0, "a": 2.0, "d": 1.0}}}
    with sqlrank.evaluate(systems=systems, qrels=shoes(), metrics=["dcg"], label_draws=draws) as result:
        found = result.label_spreads([("one",), ("two",)], "chance")
        found.spreads()
        with found.drawn(result.measures, {"first": 0, "last": draws, "draws": draws}) as drawn:
            values = {(system, draw): value for system, draw, *_, value in drawn.per_query.fetchall()}
    better = sum(value > values["one", draw] for (system, draw), value in values.items() if system == "two")
    # Exactly .507935; 10,000 draws leave .005.
    assert better / draws == pytest.approx(0.507935, abs=0.015)


def test_exact_labels_change_nothing_nor_do_others_of_a_system_and_itself() -> None:
    systems, judged = twice()
    rows, _ = compared({"one": systems["one"], "same": systems["one"]}, judged, ["ndcg@5", "dcg@5", "p(rel=0.3)@3"])
    assert [row["label_stderr"] for row in rows.values()] == [0, 0, 0]
    systems, judged = twice()
    ends = pc.cast(judged["relevance"], pa.float64())
    narrow = exact(judged).append_column("low", ends).append_column("high", ends)
    plain = compared(systems, exact(judged), ["ndcg@5"])
    assert compared(systems, narrow, ["ndcg@5"]) == plain
    assert compared(systems, judged, ["ndcg@5"], exact_labels=True) == plain


@each(["randomization", "t", "wilcoxon", "bootstrap"])
def test_the_interval_of_a_difference_has_both_parts(test: str) -> None:
    systems, judged = twice(queries=110)
    metrics = ["dcg@5", "ndcg@5"]
    rows, remarks = compared(systems, judged, metrics, test=test, replicates=2000, label_draws=200)
    plain, _ = compared(systems, exact(judged), metrics, test=test, replicates=2000)
    for metric, row in rows.items():
        alone = plain[metric]
        assert (row["difference"], row["p_value"]) == (alone["difference"], alone["p_value"])
        width, queries = row["ci_high"] - row["ci_low"], alone["ci_high"] - alone["ci_low"]
        moved = abs(row["sqlrank_drawn"] - row["difference"])
        assert (width - moved) / 2 == pytest.approx(math.hypot(queries / 2, Z * row["label_stderr"]), rel=0.01)
    assert sum("from the queries" in line and "from the labels" in line for line in remarks) == 2
    assert any("significant where both find it" in line for line in remarks)


@each(["t", "randomization"])
def test_a_gain_that_is_luck_of_the_labels_is_within_the_interval(test: str) -> None:
    systems, judged = twice(queries=110)
    score = {(row["query_id"], row["doc_id"]): row["relevance"] for row in judged.to_pylist()}
    best = [row | {"score": score[row["query_id"], row["doc_id"]]} for row in systems["one"].to_pylist()]
    both = {"one": systems["one"], "best": pa.Table.from_pylist(best)}
    row, plain = (compared(both, labels, ["ndcg@5"], test=test)[0]["ndcg@5"] for labels in (judged, exact(judged)))
    drawn, half = row["sqlrank_drawn"], Z * row["label_stderr"]
    assert drawn < row["difference"] - 0.01
    assert row["ci_low"] == pytest.approx(drawn - math.hypot(plain["difference"] - plain["ci_low"], half))
    assert row["ci_high"] == pytest.approx(row["difference"] + math.hypot(plain["ci_high"] - plain["difference"], half))


def test_a_margin_is_held_to_the_value_and_to_the_draws() -> None:
    row = {"label_stderr": 0.04, "label_shift": -0.02}
    found = with_labels(Estimate(0.1, 0.03, 20), row)
    assert [each.value for each in found] == pytest.approx([0.1, 0.08])
    assert [each.stderr for each in found] == pytest.approx([0.05, 0.05])
    assert [each.degrees for each in found] == [20, 20]
    assert with_labels(Estimate(0.1, 0.03, 20), {}) == [Estimate(0.1, 0.03, 20)]


def better_by(gap: float, sd: float, queries: int = 12) -> tuple[dict[str, pa.Table], pa.Table]:
    """A candidate that is better by about as much in every query, and judgments with a standard deviation."""
    judged = []
    for query in range(queries):
        for doc, mean in (("a", 0.4 + gap + 0.01 * (query % 3)), ("b", 0.4)):
            ends = {"low": mean - Z * sd, "high": mean + Z * sd}
            judged.append({"query_id": f"q{query}", "doc_id": doc, "relevance": mean, **ends})
    runs = {
        name: pa.Table.from_pylist([{"query_id": f"q{query}", "doc_id": doc, "score": 1.0} for query in range(queries)])
        for name, doc in (("one", "b"), ("other", "a"))
    }
    return runs, pa.Table.from_pylist(judged)


def test_a_difference_that_labels_do_not_bear_is_not_significant_nor_within_a_margin() -> None:
    systems, judged = better_by(0.1, 0.15)
    plain, row, sure = (
        compared(systems, labels, ["dcg@1"])[0]["dcg@1"] for labels in (exact(judged), judged, better_by(0.1, 0.02)[1])
    )
    assert (plain["significant"], row["significant"], sure["significant"]) == (True, False, True)
    assert row["p_adjusted"] == plain["p_adjusted"] < 0.05
    assert row["ci_low"] <= 0 < row["ci_high"]
    assert row["queries_needed"] == plain["queries_needed"]
    assert row["queries_needed_high"] is None
    assert sure["queries_needed_high"] is not None
    systems, judged = better_by(0.1, 0.15)
    turned = {"one": systems["other"], "other": systems["one"]}
    plain, _ = compared(turned, exact(judged), ["dcg@1"], margins={"dcg@1": 0.2})
    rows, _ = compared(turned, judged, ["dcg@1"], margins={"dcg@1": 0.2})
    assert plain["dcg@1"]["p_not_worse"] < 0.001 < 0.05 < rows["dcg@1"]["p_not_worse"]


def test_segments_have_parts_of_their_own_by_the_weights_of_their_queries() -> None:
    systems, judged = twice()
    lands = ["de" if n % 4 else "us" for n in range(40)]
    columns = {"query_id": [f"q{n}" for n in range(40)], "land": lands, "traffic": [1.0 + n for n in range(40)]}
    options: dict[str, Any] = {"queries": pa.table(columns), "by": "land", "test": "t"}
    weighed = {land: sum(1.0 + n for n in range(40) if lands[n] == land) for land in ("de", "us")}
    found = {}
    of_weights: dict[str, dict[str, Any]] = {"traffic": {"weight": "traffic"}, "alike": {}}
    for name, more in of_weights.items():
        metrics = ["dcg@5", "num_rel_ret(rel=0.3)"]
        with sqlrank.compare(systems=systems, qrels=judged, metrics=metrics, **options, **more) as comparison:
            for row in comparison.all_rows:
                found[name, row["metric"], row["land"]] = row["label_stderr"]
    for name, metric, weights in (
        ("alike", "dcg@5", {"de": 30 / 40, "us": 10 / 40}),
        ("alike", "num_rel_ret(rel=0.3)", {"de": 1, "us": 1}),
        ("traffic", "dcg@5", {land: weight / sum(weighed.values()) for land, weight in weighed.items()}),
    ):
        both = math.hypot(*(found[name, metric, land] * weight for land, weight in weights.items()))
        assert found[name, metric, None] == pytest.approx(both), (name, metric)


def test_what_is_not_known_of_the_labels_is_refused(tmp_path: Path) -> None:
    systems, judged = twice()
    apart = {name: table.slice(0 if name == "one" else 80, 200) for name, table in systems.items()}
    with pytest.raises(UsageError, match=r"paired=False.*exact_labels=True"):
        sqlrank.compare(systems=apart, qrels=judged, metrics=["dcg@5"], paired=False)
    stored = str(tmp_path / "one.parquet")
    with sqlrank.evaluate(systems={"stored": systems["one"]}, qrels=judged, metrics=["dcg@5"]) as result:
        write_per_query(result, "parquet", stored)
    with pytest.raises(UsageError, match="give the runs instead"):
        sqlrank.compare(systems={"stored": stored, "other": systems["other"]}, qrels=judged, metrics=["dcg@5"])


def test_the_seed_draws_other_labels() -> None:
    systems, judged = twice()

    def of_seed(seed: int) -> float:
        return float(compared(systems, judged, ["ndcg@5"], seed=seed, test="t")[0]["ndcg@5"]["label_stderr"])

    one, again, other = map(of_seed, (1, 1, 2))
    assert one == again != other
    assert one == pytest.approx(other, rel=0.05)


@pytest.mark.needs("simulation")
def test_intervals_of_differences_cover_the_truth() -> None:
    """Of 200 experiments 95 % are 190, and 180 to 196 within 3.2 and 2 standard errors of 3.1."""
    rng, trials, covered = random.Random(3), 200, {"dcg@3": 0, "ndcg@3": 0}
    shown, documents, queries = 10, 6, 25

    def dcg(labels: list[float]) -> float:
        return sum(value * weight for value, weight in zip(labels[:3], LOG2, strict=False))

    def world() -> tuple[list[float], list[list[int]]]:
        """True labels, and the rankings of two systems that see them through noise."""
        true = [rng.random() for _ in range(documents)]
        return true, [sorted(range(documents), key=lambda doc: -true[doc] + rng.gauss(0, sd)) for sd in (0.6, 0.4)]

    means = dict.fromkeys(covered, 0.0)
    for _ in range(20_000):
        true, (one, other) = world()
        gained = dcg([true[doc] for doc in other]) - dcg([true[doc] for doc in one])
        means["dcg@3"] += gained / 20_000
        means["ndcg@3"] += gained / dcg(sorted(true, reverse=True)) / 20_000
    runs: dict[str, list[dict[str, Any]]] = {"one": [], "other": []}
    judged, trial_of = [], {f"q{number}": f"trial {number // queries}" for number in range(trials * queries)}
    for query in trial_of:
        true, orders = world()
        for ranked, order in zip(runs.values(), orders, strict=True):
            ranked += [{"query_id": query, "doc_id": f"d{doc}", "score": -n} for n, doc in enumerate(order)]
        judged += [
            label(query, f"d{doc}", sum(rng.random() < value for _ in range(shown)), shown)
            for doc, value in enumerate(true)
        ]
    systems: Any = {name: pa.Table.from_pylist(rows) for name, rows in runs.items()}
    table = pa.table({"query_id": list(trial_of), "trial": list(trial_of.values())})
    options: dict[str, Any] = {"queries": table, "by": "trial", "test": "t", "label_draws": 100}
    labels = pa.Table.from_pylist(judged)
    with sqlrank.compare(systems=systems, qrels=labels, metrics=list(covered), **options) as found:
        for row in found.all_rows:
            if not row["is_total"]:
                covered[row["metric"]] += row["ci_low"] <= means[row["metric"]] <= row["ci_high"]
    assert 0.90 <= covered["dcg@3"] / trials <= 0.98, covered
    assert covered["ndcg@3"] / trials >= 0.90, covered
