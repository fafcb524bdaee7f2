"""What to judge next: weights worked out by hand, and by trying every judgment out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.metrics.catalogue import catalogue
from sqlrank.metrics.language import single_measure
from tests.support.examples import examples

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, float]]

SECOND, THIRD, FOURTH = 0.630929753571, 0.5, 0.430676558073
"""1 / log2(rank + 1)."""


def ranking(text: str) -> dict[str, float]:
    """A ranking such as `a b c` as scores."""
    return {doc: -float(place) for place, doc in enumerate(text.split())}


def weights(pool: sqlrank.Pool) -> dict[str, float]:
    """The weight of each document of the one query, in order."""
    return {row["doc_id"]: row["weight"] for row in pool.to_dicts()}


A, B = {"q": ranking("a b c d")}, {"q": ranking("b a e f")}
TWO: Mapping[str, Run] = {"A": A, "B": B}


@pytest.mark.parametrize(
    ("metric", "depth", "wanted"),
    [
        # e and d are in one system alone; a and b change places; c is judged; f is below the depth
        ("ndcg@10", 3, {"e": THIRD, "a": 1 - SECOND, "b": 1 - SECOND}),
        ("dcg", 4, {"e": THIRD, "d": FOURTH, "f": FOURTH, "a": 1 - SECOND, "b": 1 - SECOND}),
        ("p@3", 4, {"e": 1 / 3, "a": 0.0, "b": 0.0, "d": 0.0, "f": 0.0}),
        ("p@1", 2, {"a": 1.0, "b": 1.0}),
        ("rbp(p=0.5)", 3, {"a": 0.25, "b": 0.25, "e": 0.125}),
        ("recall@3", 3, {"e": 1.0, "a": 0.0, "b": 0.0}),
        ("hits", 3, {"e": 1.0, "a": 0.0, "b": 0.0}),
        ("f@3", 3, {"e": 2 / 4, "a": 0.0, "b": 0.0}),
        ("ndcg(discount=none)@3", 3, {"e": 1.0, "a": 0.0, "b": 0.0}),
    ],
)
def test_the_weight_is_the_difference_of_the_weights_of_the_places(
    metric: str, depth: int, wanted: dict[str, float]
) -> None:
    with sqlrank.pool(systems=TWO, qrels={"q": {"c": 1.0}}, metric=metric, depth=depth) as pool:
        found = weights(pool)

    assert found == pytest.approx(wanted, abs=1e-12)
    assert list(found) == list(wanted)


def test_of_three_systems_the_two_that_differ_most_count() -> None:
    systems = {"A": A, "B": B, "C": {"q": ranking("x y b a")}}
    with sqlrank.pool(systems=systems, qrels={"q": {"c": 1.0}}, metric="dcg", depth=2) as pool:
        rows = {row["doc_id"]: (row["weight"], row["systems"], row["best_rank"]) for row in pool.to_dicts()}

    # b: second, first and third place; a: first, second and fourth; x and y in one system alone
    wanted = {"x": (1.0, 1, 1), "y": (SECOND, 1, 2), "a": (1 - FOURTH, 2, 1), "b": (1 - THIRD, 2, 1)}
    assert {doc: row[0] for doc, row in rows.items()} == pytest.approx({doc: row[0] for doc, row in wanted.items()})
    assert {doc: row[1:] for doc, row in rows.items()} == {doc: row[1:] for doc, row in wanted.items()}
    assert list(rows) == list(wanted)


def test_a_place_below_the_depth_counts_down_to_the_cutoff() -> None:
    systems: dict[str, Run] = {"A": {"q": ranking("a x y")}, "B": {"q": ranking("z w a")}}
    with sqlrank.pool(systems=systems, metric="ndcg@3", depth=1) as pool:
        assert weights(pool) == pytest.approx({"z": 1.0, "a": 1 - THIRD})
    with sqlrank.pool(systems=systems, metric="ndcg@2", depth=1) as pool:
        assert weights(pool) == pytest.approx({"a": 1.0, "z": 1.0})
    with sqlrank.pool(systems=systems, metric="dcg", depth=1) as pool:
        assert weights(pool) == pytest.approx({"z": 1.0, "a": 1 - THIRD})


def test_one_system_is_pooled_by_the_weights_of_its_places() -> None:
    with sqlrank.pool(A, {"q": {"b": 0.0}}) as pool:
        assert weights(pool) == pytest.approx({"a": 1.0, "c": THIRD, "d": FOURTH})


def test_average_precision_weighs_pairs() -> None:
    systems: dict[str, Run] = {"A": {"q": ranking("a b c")}, "B": {"q": ranking("c a x")}}
    with sqlrank.pool(systems=systems, qrels={"q": {"a": 1.0}}, metric="ap", depth=3) as pool:
        found = weights(pool)

    # Beside a, b adds (1 + 1) / 2 to A; x adds (1 + 1) / 3 to B; c adds (1 + 1) / 3 to A and 1 + 1/2 (that of a, which
    # stands below it) to B.
    assert found == pytest.approx({"b": 1.0, "c": 5 / 6, "x": 2 / 3})
    assert list(found) == ["b", "c", "x"]


def test_average_precision_ends_at_its_cutoff() -> None:
    systems: dict[str, Run] = {"A": {"q": ranking("a b c")}, "B": {"q": ranking("c a x")}}
    with sqlrank.pool(systems=systems, qrels={"q": {"a": 1.0}}, metric="ap@2", depth=3) as pool:
        found = weights(pool)

    # b: 1 in A. c: only in B, 1 + 1/2. x: below the cutoff.
    assert found == pytest.approx({"c": 3 / 2, "b": 1.0, "x": 0.0})


def random_systems(rng: random.Random, systems: int, queries: int, documents: int) -> dict[str, Run]:
    """Rankings of different lengths, without ties; some queries have none in some systems."""
    found: dict[str, Run] = {}
    for system in range(systems):
        run: Run = {"filler": {"same": 1.0}}
        for query in range(queries):
            docs = rng.sample([f"d{doc}" for doc in range(documents)], rng.randint(0, documents))
            if docs:
                run[f"q{query}"] = {doc: -float(place) for place, doc in enumerate(docs)}
        found[f"s{system}"] = run
    return found


def random_judgments(rng: random.Random, queries: int, documents: int) -> Qrels:
    """Judgments of some documents, of grades from 0 to 2."""
    every = {f"q{query}": [f"d{doc}" for doc in range(documents) if rng.random() < 0.4] for query in range(queries)}
    judged = {query: {doc: float(rng.randint(0, 2)) for doc in docs} for query, docs in every.items() if docs}
    return {"filler": {"same": 0.0}} | judged


def gained(
    systems: Mapping[str, Run], trials: Sequence[tuple[str, Mapping[str, float], str, float]], metric: str
) -> list[float]:
    """The largest change of a difference between two systems that each trial makes.

    A trial is a query, its judgments, and a document with the grade that it has instead of 0. All are evaluated at
    once, each as a query of its own.
    """
    runs: dict[str, Run] = {system: {} for system in systems}
    qrels: Qrels = {}
    for number, (query, judged, doc, grade) in enumerate(trials):
        for kind, changed in (("before", 0.0), ("after", grade)):
            qrels[f"{number} {kind}"] = {**judged, doc: changed}
            for system, run in systems.items():
                runs[system] |= {f"{number} {kind}": run[query]} if query in run else {}
    with sqlrank.evaluate(systems=runs, qrels=qrels, metrics=metric) as result:
        found, text = result.to_dict(), result.measures[0].text
    changes = [
        [found[system][f"{number} after"][text] - found[system][f"{number} before"][text] for system in systems]
        for number in range(len(trials))
    ]
    return [max(each) - min(each) for each in changes]


@pytest.mark.parametrize(
    "metric", ["dcg@4", "dcg(gain=exp2)", "p@3", "hits@5", "rbp(grade=raw)@4", "rbp(p=0.6)", "num_rel_ret"]
)
def test_no_judgment_of_gain_1_changes_a_difference_by_more_than_the_weight(metric: str) -> None:
    rng = random.Random(metric)
    systems, qrels = random_systems(rng, 3, 6, 9), random_judgments(rng, 6, 9)
    if metric.startswith("rbp(p"):  # scaled by the largest relevance of the query, where that is above 1
        qrels = {query: {doc: min(grade, 1.0) for doc, grade in docs.items()} for query, docs in qrels.items()}
    with sqlrank.pool(systems=systems, qrels=qrels, metric=metric, depth=5) as pool:
        rows = pool.to_dicts()
    trials = [(row["query_id"], qrels.get(row["query_id"], {}), row["doc_id"], 1.0) for row in rows]
    assert len(rows) > 10
    assert [row["weight"] for row in rows] == pytest.approx(gained(systems, trials, metric), abs=1e-11)


@pytest.mark.parametrize("metric", ["ap", "ap@4", "ap(rel=2)", "ap(norm=min)@3"])
def test_no_judgment_changes_a_difference_of_average_precision_by_more_than_the_weight(metric: str) -> None:
    rng = random.Random(metric)
    systems, qrels = random_systems(rng, 3, 6, 8), random_judgments(rng, 6, 8)
    measure = single_measure(metric)
    level, cutoff = float(measure["rel"]), measure.k or 100
    sums = f"ap(rel={level:g}, norm=k)@{cutoff}"
    """The sum of the precisions, over a constant."""
    with sqlrank.pool(systems=systems, qrels=qrels, metric=metric, depth=5) as pool:
        rows = pool.to_dicts()
    trials = [(row["query_id"], qrels.get(row["query_id"], {}), row["doc_id"], level) for row in rows]
    changes = [change * cutoff for change in gained(systems, trials, sums)]
    assert len(rows) > 10
    assert [row["weight"] for row in rows] == pytest.approx(changes, abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "plain"),
    [
        ("ndcg@4", "dcg@4"),
        ("ndcg(gain=exp2)", "dcg"),
        ("ndcg(ideal=full)@4", "dcg@4"),
        ("recall@3", "hits@3"),
        ("recall(norm=min)@3", "hits@3"),
        ("set_recall", "hits"),
        ("num_rel_ret", "hits"),
        ("ndcg(gain=0:0,1:1,2:5)@4", "dcg@4"),
        ("hits(rel=2)@3", "hits@3"),
    ],
)
def test_what_a_metric_is_divided_by_does_not_weigh(metric: str, plain: str) -> None:
    rng = random.Random(3)
    systems, qrels = random_systems(rng, 3, 4, 8), random_judgments(rng, 4, 8)
    pools = [sqlrank.pool(systems=systems, qrels=qrels, metric=text, depth=6).to_dicts() for text in (metric, plain)]
    assert pools[0] == pools[1]


def test_every_metric_that_says_what_a_document_adds_is_tried_above() -> None:
    known = {metric.name: metric.effect for metric in catalogue().values() if metric.effect is not None}
    assert known.pop("ap") == "pairs"
    assert set(known.values()) == {"places"}
    assert set(known) == {"dcg", "f", "hits", "ndcg", "num_rel_ret", "p", "rbp", "recall", "set_recall"}


@pytest.mark.parametrize(
    ("metric", "divided"),
    [
        *((text, True) for text in ("ndcg@3", "ndcg(ideal=full)@3", "recall@3", "f@3", "set_recall", "rbp", "ap@3")),
        *((text, False) for text in ("dcg@3", "p@3", "hits@3", "num_rel_ret", "rbp(grade=raw)", "rbp(grade=binary)")),
    ],
)
def test_a_division_is_told_of_metrics_that_divide_by_what_there_is_to_find(metric: str, divided: bool) -> None:
    with sqlrank.pool(systems=TWO, metric=metric, depth=3) as pool:
        assert ("before division by what there is to find" in " ".join(pool.remarks())) is divided


def test_the_reasons_of_weight_0_are_those_that_may_hold() -> None:
    queries = pa.Table.from_pylist([{"query_id": "q", "traffic": 0}])

    def told(**options: Any) -> list[str]:
        with sqlrank.pool(**options) as pool:
            return [line.partition(": ")[2] for line in pool.remarks() if " weight 0: " in line]

    assert told(systems=TWO, metric="p@3") == ["every system has them at the same places"]
    assert told(systems=TWO, metric="p@3", depth=4) == [
        "every system has them at the same places or they are below the cutoff"
    ]
    assert told(runs=A, metric="p@3", depth=4) == ["they are below the cutoff"]
    assert told(runs=A, metric="p@3", weight="traffic", queries=queries) == ["their query has weight 0"]


ORDERED = [
    {},
    {"ties": "doc-asc"},
    {"ties": "rank"},
    {"ties": "input"},
    {"order": "asc"},
    {"order": "rank"},
    {"score_type": "float"},
    {"like": "trec_eval-9"},
]


@pytest.mark.parametrize("options", ORDERED, ids=str)
def test_ranks_are_those_of_an_evaluation(options: dict[str, Any]) -> None:
    rng = random.Random(11)
    rows = []
    for system in ("a", "b"):
        for query in ("q1", "q2", "q3"):
            docs = rng.sample(range(30), 12)
            places = rng.sample(range(1, 40), 12)
            rows += [
                {
                    "system": system,
                    "query_id": query,
                    "doc_id": f"d{doc}",
                    "score": rng.randint(0, 3) + 1e-9 * (doc % 2),
                    "rank": place,
                }
                for doc, place in zip(docs, places, strict=True)
            ]
    run = pa.Table.from_pylist(rows)
    judged = [
        {"query_id": f"q{query}", "doc_id": f"d{doc}", "relevance": float(doc % 3)}
        for query in (1, 2, 3)
        for doc in range(0, 30, 4)
    ]
    qrels = pa.Table.from_pylist(judged)
    with sqlrank.evaluate(run, qrels, ["ndcg@10"], **options) as result:
        ranks: dict[tuple[str, str], dict[str, int]] = {}
        for system in ("a", "b"):
            for query in ("q1", "q2", "q3"):
                for place in result.explain(query, system, 40).fetchall():
                    if place[1] is not None and place[3] is None:
                        ranks.setdefault((query, place[1]), {})[system] = int(place[0])
    wanted = {pair: places for pair, places in ranks.items() if min(places.values()) <= 6}
    with sqlrank.pool(run, qrels, depth=6, **options) as pool:
        found = {(row["query_id"], row["doc_id"]): (row["best_rank"], row["systems"]) for row in pool.to_dicts()}

    assert len(found) > 6
    assert found == {
        pair: (min(places.values()), sum(place <= 6 for place in places.values())) for pair, places in wanted.items()
    }


@examples(8)
@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(1, 9))
def test_the_pool_is_what_stands_first_and_nobody_judged(rng: random.Random, systems: int, depth: int) -> None:
    runs, qrels = random_systems(rng, systems, 5, 9), random_judgments(rng, 5, 9)
    first = {
        (query, doc)
        for run in runs.values()
        for query, docs in run.items()
        for doc in sorted(docs, key=lambda doc: -docs[doc])[:depth]
    }
    judged = {(query, doc) for query, docs in qrels.items() for doc in docs}
    with sqlrank.pool(systems=runs, qrels=qrels, depth=depth) as pool:
        rows = pool.to_dicts()
        counted = pool.counts
    assert {(row["query_id"], row["doc_id"]) for row in rows} == first - judged
    assert len(rows) == len(first - judged)
    assert [row["priority"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["weight"] for row in rows] == sorted((row["weight"] for row in rows), reverse=True)
    for name, run in runs.items():
        shown = [
            (query, doc) for query, docs in run.items() for doc in sorted(docs, key=lambda doc: -docs[doc])[:depth]
        ]
        assert counted[name].documents == len(shown)
        assert counted[name].judged == len(judged.intersection(shown))
        assert counted[name].queries == len(run)


def many() -> dict[str, list[dict[str, Any]]]:
    """Rows of three systems with ties, by system."""
    rng = random.Random(7)
    return {
        system: [
            {"query_id": f"q{query}", "doc_id": f"d{doc}", "score": float(rng.randint(0, 20))}
            for query in range(40)
            for doc in rng.sample(range(60), 25)
        ]
        for system in ("a", "b", "c")
    }


@pytest.mark.parametrize("metric", ["ndcg@10", "ap"], ids=["places", "pairs"])
def test_the_order_depends_on_nothing_but_the_data(metric: str) -> None:
    rng, rows = random.Random(8), many()
    pools = []
    for threads in (1, 2, 4):
        for each in rows.values():
            rng.shuffle(each)
        systems = {name: pa.Table.from_pylist(rows[name]) for name in rng.sample(list(rows), 3)}
        with sqlrank.pool(systems=systems, metric=metric, depth=10, threads=threads) as pool:
            pools.append(pool.rows.fetchall())
    assert pools[0] == pools[1] == pools[2]


def test_parts_of_the_queries_give_the_same_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = {name: pa.Table.from_pylist(rows) for name, rows in many().items()}
    with sqlrank.pool(systems=systems, qrels={"q3": {"d1": 1.0}}) as pool:
        whole, counts = pool.rows.fetchall(), pool.counts
    monkeypatch.setattr("sqlrank.engines.duckdb.parts_of_rows", lambda rows, limit: 3)
    with sqlrank.pool(systems=systems, qrels={"q3": {"d1": 1.0}}) as pool:
        assert pool.rows.fetchall() == whole
        assert pool.counts == counts


def test_a_budget_takes_the_first() -> None:
    systems = {name: pa.Table.from_pylist(rows) for name, rows in many().items()}
    with sqlrank.pool(systems=systems) as pool, sqlrank.pool(systems=systems, budget=17) as few:
        assert few.rows.fetchall() == pool.rows.fetchall()[:17]
        assert few.totals == pool.totals
        assert "order by" in pool.rows.sql_query().lower()
        assert (few.given, pool.given) == (17, pool.totals.pairs)
        assert few.remarks()[0].startswith(f"the first 17 of {pool.totals.pairs:,} pairs of 40 queries to judge")


def test_pairs_that_weigh_the_same_are_of_queries_in_turn() -> None:
    run: Run = {f"q{query}": {f"d{doc}": 1.0 - doc for doc in range(3)} for query in range(20)}
    other: Run = {query: {f"e{doc}": 1.0 - doc for doc in range(3)} for query in run}
    with sqlrank.pool(systems={"a": run, "b": other}, metric="p@3") as pool:
        queries = [row["query_id"] for row in pool.to_dicts()]
    for start in range(0, len(queries), 20):
        assert len(set(queries[start : start + 20])) == 20
    assert queries[:20] != sorted(queries[:20])


def test_weights_of_queries_multiply_those_of_places() -> None:
    run: Run = {"q": ranking("a b"), "r": ranking("a b"), "s": ranking("a")}
    queries = pa.Table.from_pylist(
        [{"query_id": query, "traffic": weight} for query, weight in zip("qrs", (1, 5, 0), strict=True)]
    )
    with sqlrank.pool(run, weight="traffic", queries=queries) as pool:
        found = [(row["query_id"], row["doc_id"], row["weight"]) for row in pool.to_dicts()]
    assert [row[:2] for row in found] == [("r", "a"), ("r", "b"), ("q", "a"), ("q", "b"), ("s", "a")]
    assert [row[2] for row in found] == pytest.approx([5, 5 * SECOND, 1, SECOND, 0], abs=1e-11)
    assert any("multiplied by that of its query (traffic)" in line for line in pool.remarks())


def test_a_query_without_weight_is_an_error() -> None:
    queries = pa.Table.from_pylist([{"query_id": "q", "traffic": 1}])
    with pytest.raises(sqlrank.DataError, match="1 query has no weight or a negative one in the column traffic"):
        sqlrank.pool({"q": ranking("a b"), "r": ranking("a b")}, weight="traffic", queries=queries)


def test_queries_without_judgments_are_pooled_unless_told() -> None:
    run: Run = {"q": ranking("a b"), "r": ranking("a b")}
    with sqlrank.pool(run, {"q": {"a": 1.0}}) as pool:
        assert {row["query_id"] for row in pool.to_dicts()} == {"q", "r"}
        assert "1 of the queries has no judgment so far" in pool.remarks()
    for chosen in ("judged", "shared"):
        with sqlrank.pool(run, {"q": {"a": 1.0}, "absent": {"a": 1.0}}, query_set=chosen) as pool:
            assert [(row["query_id"], row["doc_id"]) for row in pool.to_dicts()] == [("q", "b")]


def test_what_is_not_labelled_in_an_export_is_to_be_judged() -> None:
    rows = [
        {"system": system, "query_id": "q", "doc_id": doc, "score": float(-place), "relevance": label}
        for system, docs in (
            ("old", [("a", 1.0), ("b", None), ("c", 0.0)]),
            ("new", [("a", 1.0), ("d", None), ("b", None)]),
        )
        for place, (doc, label) in enumerate(docs)
    ]
    with sqlrank.pool(pa.Table.from_pylist(rows)) as pool:
        assert weights(pool) == pytest.approx({"d": SECOND, "b": SECOND - THIRD})
        assert pool.counts["old"].judged == 2


def test_copies_are_left_out_as_in_an_evaluation() -> None:
    rows = [{"query_id": "q", "doc_id": doc, "score": score} for doc, score in (("a", 1.0), ("b", 2.0), ("a", 3.0))]
    run = pa.Table.from_pylist(rows)
    with pytest.raises(sqlrank.DataError, match="appears more than once in a ranking"):
        sqlrank.pool(run)
    with sqlrank.pool(run, duplicates="best") as pool:
        assert weights(pool) == pytest.approx({"a": 1.0, "b": SECOND})


def test_a_condition_decides_which_rows_are_pooled() -> None:
    rows = [
        {"query_id": query, "doc_id": doc, "score": float(-place), "market": market}
        for query, market in (("q", "de"), ("r", "fr"))
        for place, doc in enumerate("ab")
    ]
    with sqlrank.pool(pa.Table.from_pylist(rows), {"r": {"a": 1.0}, "q": {"a": 0.0}}, where="market = 'de'") as pool:
        assert [(row["query_id"], row["doc_id"]) for row in pool.to_dicts()] == [("q", "b")]
        assert "only rows where market = 'de'" in pool.remarks()


def test_a_metric_of_the_user_says_in_its_file_that_it_is_a_sum(tmp_path: Path) -> None:
    entry = 'title = "-"\nparams = { k = "cutoff" }\nreads = ["gain", "discount"]\nsummary = "mean"\n'
    entry += 'formula = "-"\ncitation = "-"\n'
    body = '{% from "macros/ranking.sql" import at, total %}\n{{ total(at(gain, k, discount)) }} / 2\n'
    (tmp_path / "half.sql").write_text(f'{{#\n{entry}effect = "places"\n#}}\n{body}')
    (tmp_path / "other.sql").write_text(f"{{#\n{entry}#}}\n{body}")
    with sqlrank.pool(A, metric="half@2", metrics_dir=str(tmp_path)) as pool:
        assert weights(pool) == pytest.approx({"a": 0.5, "b": SECOND / 2})
    with pytest.raises(sqlrank.UsageError, match=r"other@2: what a document adds .* ordered by .*, half$"):
        sqlrank.pool(A, metric="other@2", metrics_dir=str(tmp_path))


def test_a_connection_of_the_caller_is_left_as_it_was() -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("select 'q' as query_id, 'd' || i as doc_id, i as score from range(5) as t (i)")
        with sqlrank.pool(relation) as pool:
            assert pool.rows.fetchall()[0][1] == "d4"
        assert connection.sql("show all tables").fetchall() == []


def test_a_pool_becomes_frames_and_shows_itself_in_notebooks() -> None:
    with sqlrank.pool(systems=TWO) as pool:
        assert pool.systems == ["A", "B"]
        assert pool.to_pandas()["doc_id"].tolist() == pool.to_polars()["doc_id"].to_list()
        assert pool.to_arrow()["relevance"].null_count == 6
        page = pool._repr_html_()
        assert "best_rank" in page
        assert "SIGIR 2006" in page
        assert str(pool).count("\n") > 10
        with pytest.raises(sqlrank.UsageError, match=r"there is no report of Pool: `to_pandas\(\)`"):
            pool.report("pool.html")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"metric": "rr"},
            "rr: what a document adds to it is not a weight of its place; a pool is ordered by ndcg, ap, p",
        ),
        ({"metric": "p(norm=returned)@5"}, "depends on more than its place; choose norm=k"),
        ({"metric": "ndcg(ideal=retrieved)@5"}, "choose ideal=judged or full"),
        ({"metric": "ap(norm=k)@5"}, "choose norm=relevant or min"),
        ({"metric": "map_gm"}, "there is no metric"),
        ({"metric": "p@5,10"}, "a pool is ordered by one metric, not by p@5, p@10"),
        ({"metric": "ap"}, "say how many of the first documents to pool, as in depth=10"),
        ({"depth": 0}, "depth=0 pools nothing; give 1 or more"),
        ({"budget": 0}, "budget=0 asks for nothing"),
        ({"ties": "average"}, "ties='average' gives tied documents no place"),
        ({"ties": "error"}, "ties='error' gives tied documents no place"),
        ({"ties": "best"}, "ties='best' gives tied documents no place before they are judged"),
        ({"ties": "worst"}, "ties='worst' gives tied documents no place"),
        ({"query_set": "judged"}, "query_set='judged' looks at judgments, and there are none"),
        ({"unjudged": "remove"}, "unjudged='remove' leaves out the very documents that a pool lists"),
        ({"by": "country"}, "by= is not for a pool"),
        ({"budgets": 3}, "pool has no option 'budgets'"),
        ({"qrels": []}, "the list of judgments is empty"),
        ({"qrels": [3]}, "a list holds several judgments, each a path"),
    ],
)
def test_what_is_no_pool_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(sqlrank.UsageError) as raised:
        sqlrank.pool(A, **arguments)
    assert said in str(raised.value)


def test_ids_that_match_in_another_form_are_an_error() -> None:
    run: Run = {"7": ranking("a b")}
    with pytest.raises(
        sqlrank.DataError, match=r"ids would match .*; for queries without any judgments yet, leave out qrels="
    ):
        sqlrank.pool(run, {"007": {"a": 1.0}})
    with pytest.raises(sqlrank.DataError, match="no query has both results and judgments"):
        sqlrank.pool(run, {"x": {"a": 1.0}})
    with pytest.raises(sqlrank.DataError, match="ids would match"):
        sqlrank.pool({"q": {"D1": 1.0, "D2": 0.5}}, {"q": {"d1": 1.0}})


def test_documents_that_nobody_judged_before_are_all_pooled() -> None:
    with sqlrank.pool({"q": ranking("a b")}, {"q": {"z": 1.0}}) as pool:
        assert list(weights(pool)) == ["a", "b"]
        assert any("no judged document is in the ranking of its query" in note for note in pool.notes)
