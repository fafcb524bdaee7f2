"""Labels that have an interval: by hand, beside closed forms, and as often right as they say."""

from __future__ import annotations

import json
import math
import random
from itertools import product
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.dialects import DUCKDB
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.result import Result
from sqlrank.statement.templates import render, sql_text
from tests.support.cli_helper import completed, error_of
from tests.support.tables import each

Z = 1.959963984540054
SHOES = dict(zip("abcd", (2, 2, 2, 1), strict=True))
"""Clicks of four documents that were shown six times each."""
RUN = {"shoes": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
OTHER = {"shoes": {"b": 4.0, "c": 3.0, "a": 2.0, "d": 1.0}}


def beta(clicks: int, shown: int) -> tuple[float, float]:
    """The mean and the standard deviation of a click rate, of a Beta distribution."""
    a, b = 1 + clicks, 1 + shown - clicks
    return a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)


def label(query: str, doc: str, clicks: int, shown: int) -> dict[str, Any]:
    """A judgment from clicks."""
    mean, sd = beta(clicks, shown)
    return {"query_id": query, "doc_id": doc, "relevance": mean, "low": mean - Z * sd, "high": mean + Z * sd}


def shoes() -> pa.Table:
    """The judgments of the four documents."""
    return pa.Table.from_pylist([label("shoes", doc, clicks, 6) for doc, clicks in SHOES.items()])


def total(result: Result, metric: str, system: str | None = None) -> dict[str, Any]:
    """The row of a metric over all queries."""
    rows = [row for row in result.to_dicts() if row["metric"] == metric and row.get("is_total", True)]
    return next(row for row in rows if system in (None, row["system"]))


def many(queries: int, documents: int, seed: int, low: bool = True) -> tuple[pa.Table, pa.Table]:
    """Rankings, and judgments from ten impressions of each document."""
    rng = random.Random(seed)
    pairs = [(f"q{query}", f"d{doc}") for query in range(queries) for doc in range(documents)]
    run = [{"query_id": query, "doc_id": doc, "score": rng.random()} for query, doc in pairs]
    judged = [label(query, doc, rng.randint(0, 5), 10) for query, doc in pairs]
    if not low:
        judged = [row | {"low": row["relevance"], "high": row["relevance"]} for row in judged]
    return pa.Table.from_pylist(run), pa.Table.from_pylist(judged)


def exact(judged: pa.Table) -> pa.Table:
    """Judgments without their intervals."""
    return judged.select(["query_id", "doc_id", "relevance"])


def test_a_sum_of_labels_has_the_error_of_the_closed_form() -> None:
    with sqlrank.evaluate(RUN, shoes(), ["dcg", "dcg@2", "dcg(discount=none)"]) as result:
        found = {row["metric"]: row for row in result.to_dicts()}
    assert found["dcg"]["value"] == pytest.approx(0.906768, abs=1e-6)
    assert found["dcg"]["label_stderr"] == pytest.approx(0.216293, abs=1e-6)
    sd = beta(2, 6)[1]
    assert found["dcg@2"]["label_stderr"] == pytest.approx(sd * math.hypot(1, math.log(2) / math.log(3)))
    assert found["dcg(discount=none)"]["label_stderr"] == pytest.approx(math.hypot(sd, sd, sd, beta(1, 6)[1]))


def test_a_ranking_that_sorts_by_its_labels_is_not_as_good_as_they_say() -> None:
    with sqlrank.evaluate(RUN, shoes(), ["ndcg"], label_draws=10_000) as result:
        row, remarks = total(result, "ndcg"), "\n".join(result.remarks())
    # The mean over exact draws is .916, its standard deviation .074; 10,000 draws leave .0007, the approximation .001.
    assert (row["value"], row["label_stderr"]) == (1.0, pytest.approx(0.074, abs=0.002))
    assert "ndcg is 1.0000 with the labels as they are, 0.91" in remarks
    mean = float(remarks.partition("as they are, ")[2].partition(" on average")[0])
    assert mean == pytest.approx(0.916, abs=0.003)


def test_draws_say_as_much_as_the_closed_form_of_a_sum() -> None:
    # exp2 of a narrow label is nearly linear in it, with the slope 2^x ln 2; averaged ties are not written as a sum.
    run, judged = many(40, 12, 3)
    narrow = [row | {"low": row["relevance"] - 0.01, "high": row["relevance"] + 0.01} for row in judged.to_pylist()]
    with sqlrank.evaluate(run, pa.Table.from_pylist(narrow), ["dcg(gain=exp2)@5"], label_draws=400) as result:
        drawn = total(result, "dcg(gain=exp2)@5")["label_stderr"]
    sd, relevance = 0.01 / Z, {(row["query_id"], row["doc_id"]): row["relevance"] for row in narrow}
    best: dict[str, list[tuple[float, str]]] = {}
    for row in run.to_pylist():
        best.setdefault(row["query_id"], []).append((-row["score"], row["doc_id"]))
    variance = sum(
        (sd * math.log(2) * 2 ** relevance[query, doc] * math.log(2) / math.log(place + 1)) ** 2
        for query, docs in best.items()
        for place, (_, doc) in enumerate(sorted(docs)[:5], 1)
    )
    # 40 queries of 400 draws know a standard deviation to 1 %.
    assert drawn == pytest.approx(math.sqrt(variance) / 40, rel=0.03)
    with sqlrank.evaluate(run, judged, ["dcg@5"], label_draws=400, ties="average") as result:
        drawn = total(result, "dcg@5")["label_stderr"]
    with sqlrank.evaluate(run, judged, ["dcg@5"]) as result:
        assert drawn == pytest.approx(total(result, "dcg@5")["label_stderr"], rel=0.03)


def sampled(rows: list[tuple[float, float]], top: float | None, draws: int) -> list[tuple[float, float, float, float]]:
    """The mean, the standard deviation and the extremes of what is drawn of labels with a mean and a deviation."""
    columns = ("query_id", "doc_id", "relevance", "low", "high")
    labels = [("q", f"d{place:03}", mean, mean - Z * sd, mean + Z * sd) for place, (mean, sd) in enumerate(rows)]
    judged = pa.table(dict(zip(columns, map(list, zip(*labels, strict=True)), strict=True)))
    connection = duckdb.connect()
    connection.register("judged", judged)
    connection.execute("create table queries as select 'q' as query_id, cast(0 as bigint) as number")
    from sqlrank.statement.relations import Relation

    source = Relation(relation=sql_text("judged"), low="low", high="high")
    given = {"judged": source, "queries": sql_text("queries"), "subtopics": False, "loosest": 0.01, "width": 2 * Z}
    connection.execute(f"create table labels as {render('labels/labels.sql', DUCKDB, **given, top=top)}")
    span = {"labels": sql_text("labels"), "subtopics": False, "seed": 1, "draws": draws, "first": 0, "last": draws}
    connection.execute(f"create table drawn as {render('labels/drawn.sql', DUCKDB, **span)}")
    found = connection.execute(
        "select avg(relevance), stddev_samp(relevance), min(relevance), max(relevance) from drawn group by doc_id"
        " order by doc_id"
    )
    return found.fetchall()


def test_drawn_labels_have_the_mean_and_the_deviation_asked_for() -> None:
    draws, off = 20_000, 0.0
    means, shares = (0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99), (0.01, 0.1, 0.3, 0.6, 0.9)
    # The shares are of the largest standard deviation of such a mean.
    asked = [(mean, share * math.sqrt(mean * (1 - mean))) for mean in means for share in shares]
    for (mean, sd), (found, deviation, least, most) in zip(asked, sampled(asked, 1.0, draws), strict=True):
        assert 0 <= least <= most <= 1
        kurtosis = 3 + 6 / max(mean * (1 - mean) / sd**2 - 1, 0.01) / min(mean, 1 - mean)
        assert_drawn(mean, sd, found, deviation, kurtosis, draws)
        off = max(off, abs(found - mean) / sd)
    assert off < 0.04


def test_drawn_grades_have_the_mean_and_the_deviation_asked_for() -> None:
    draws = 20_000
    asked = [(mean, share * mean) for mean in (0.5, 1.0, 3.0, 50.0) for share in (0.01, 0.1, 0.5, 1.0, 2.0)]
    for (mean, sd), (found, deviation, least, _) in zip(asked, sampled(asked, None, draws), strict=True):
        assert least >= 0
        assert_drawn(mean, sd, found, deviation, 3 + 6 * (sd / mean) ** 2, draws)


def assert_drawn(mean: float, sd: float, found: float, deviation: float, kurtosis: float, draws: int) -> None:
    """What was drawn has the mean and the standard deviation, as exactly as so many draws can, or raise."""
    assert abs(found - mean) < 0.003 * sd + 5 * sd / math.sqrt(draws), (mean, sd)
    assert abs(deviation / sd - 1) < 0.005 + 5 * math.sqrt(kurtosis / draws) / 2, (mean, sd)


@each([(0.0, 0.2), (1.0, 0.2), (0.5, 0.0), (0.5, 0.7), (1e-9, 0.3), (0.999999, 0.1)])
def test_labels_without_such_a_distribution_are_drawn_within_the_scale(label: tuple[float, float]) -> None:
    ((mean, deviation, least, most),) = sampled([label], 1.0, 2000)
    assert all(map(math.isfinite, (mean, deviation)))
    assert 0 <= least <= most <= 1
    assert abs(mean - label[0]) < 0.06
    if label[0] in (0.0, 1.0) or label[1] == 0:
        assert (least, most) == (label[0], label[0])


def test_labels_as_exact_one_end_alone_and_intervals_of_no_width_are_as_no_intervals() -> None:
    run, judged = many(12, 8, 5)
    metrics = ["ndcg@5", "dcg@5", "p(rel=0.3)@3"]
    with sqlrank.evaluate(run, exact(judged), metrics) as plain:
        rows, remarks, sources = plain.to_dicts(), plain.remarks(), plain.sources
    with sqlrank.evaluate(run, judged, metrics, exact_labels=True) as result:
        assert (result.to_dicts(), result.sources) == (rows, sources)
    with sqlrank.evaluate(run, many(12, 8, 5, low=False)[1], metrics) as result:
        assert (result.to_dicts(), result.remarks()) == (rows, remarks)
        assert "label_stderr" not in result.rows.columns
    with sqlrank.evaluate(run, judged.drop_columns(["low"]), metrics) as result:
        assert "label_stderr" not in result.rows.columns
        assert "high" not in "".join(result.sources)


def test_the_interval_has_both_parts() -> None:
    run, judged = many(60, 10, 7)
    with sqlrank.evaluate(run, judged, ["dcg@5", "ndcg@5"]) as result:
        found = {row["metric"]: row for row in result.to_dicts()}
        remarks = result.remarks()
    with sqlrank.evaluate(run, exact(judged), ["dcg@5", "ndcg@5"]) as plain:
        alone = {row["metric"]: row for row in plain.to_dicts()}
    centre = float(next(line for line in remarks if "ndcg@5" in line).split("as they are, ")[1].split()[0])
    for metric, row in found.items():
        plain_row = alone[metric]
        assert (row["value"], row["stderr"]) == (plain_row["value"], plain_row["stderr"])
        both = math.hypot((plain_row["ci_high"] - plain_row["ci_low"]) / 2, Z * row["label_stderr"])
        lower = row["value"] if metric == "dcg@5" else centre
        assert row["ci_low"] == pytest.approx(lower - both, abs=1e-4)
        assert row["ci_high"] == pytest.approx(row["value"] + both, abs=1e-4)
    assert centre < found["ndcg@5"]["value"]
    said = next(line for line in remarks if "ndcg@5" in line)
    assert f"{found['ndcg@5']['value']:.4f} with the labels as they are, {centre:.4f} on average over 200 draws" in said
    assert f"{Z * found['ndcg@5']['label_stderr']:.4f} from the labels" in said


def test_segments_and_weights_have_parts_of_their_own() -> None:
    run, judged = many(30, 6, 9)
    queries: list[dict[str, Any]] = [
        {"query_id": f"q{n}", "land": "de" if n % 3 else "us", "traffic": float(n)} for n in range(30)
    ]
    options: Any = {"queries": pa.Table.from_pylist(queries), "by": "land", "weight": "traffic"}
    with sqlrank.evaluate(run, judged, ["dcg@3", "ndcg@3"], **options) as result:
        found = {(row["metric"], row["land"]): row["label_stderr"] for row in result.to_dicts()}
    sums = {"de": 0.0, "us": 0.0}
    for row in queries:
        sums[row["land"]] += row["traffic"]
    for metric in ("dcg@3", "ndcg@3"):
        parts = [found[metric, land] * weight for land, weight in sums.items()]
        assert found[metric, None] == pytest.approx(math.hypot(*parts) / sum(sums.values()))


def test_neither_order_nor_threads_nor_batches_change_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    run, judged = many(20, 10, 11)
    rng = random.Random(1)

    def found(run: pa.Table, judged: pa.Table, threads: int) -> list[dict[str, Any]]:
        with sqlrank.evaluate(run, judged, ["ndcg@5", "err(max=1)@5"], threads=threads, label_draws=50) as result:
            return result.to_dicts()

    other, relabelled = (
        pa.Table.from_pylist(rng.sample(rows, len(rows))) for rows in (run.to_pylist(), judged.to_pylist())
    )
    expected = found(run, judged, 1)
    monkeypatch.setattr("sqlrank.evaluation.uncertain_labels.ROWS_AT_ONCE", 3000)
    for row, same in zip(expected, found(other, relabelled, 2), strict=True):
        assert {name: value for name, value in row.items() if isinstance(value, float)} == pytest.approx(
            {name: value for name, value in same.items() if isinstance(value, float)}, rel=1e-12
        )


def test_metrics_that_read_no_label_have_no_part_and_a_mean_whose_weights_are_labels_has_no_interval() -> None:
    weighted = "gauc(rel=0.3, weight=positives)"
    with sqlrank.evaluate(*many(20, 10, 11), [weighted, "ndcg@5", "num_ret", "judged@3"]) as result:
        first, *others = result.to_dicts()
        assert "no interval of gauc" in "\n".join(result.remarks())
    assert (first["label_stderr"], first["ci_low"], first["ci_high"]) == (None, None, None)
    found = {row["metric"]: row["label_stderr"] for row in others}
    assert found["ndcg@5"] > 0
    assert (found["num_ret"], found["judged@3"]) == (0, 0)


@each({"dcg(gain=0:0,1:1)@3": "has no entry in the gain", "err@5": "say where with top_relevance="}.items())
def test_what_cannot_be_drawn_is_refused_with_a_way_on(case: tuple[str, str]) -> None:
    metric, said = case
    with pytest.raises((UsageError, DataError)) as raised:
        sqlrank.evaluate(*many(5, 4, 1), [metric], checks=False)
    assert said in str(raised.value)
    assert "exact_labels=True" in str(raised.value)


def changed(**values: Any) -> pa.Table:
    """The judgments of the shoes with other values in the second."""
    rows = shoes().to_pylist()
    rows[1] |= values
    return pa.Table.from_pylist(rows)


@each(
    [
        ({"low": 0.5}, "1 of 4 labels is not within its interval: document 'b' of query 'shoes' has '0.375'"),
        ({"high": 0.3}, "low <= relevance <= high"),
        ({"high": None}, "goes from '0.0587"),
        ({"low": float("nan")}, "without two finite ends"),
    ]
)
def test_an_interval_that_is_none_is_an_error(case: tuple[dict[str, float | None], str]) -> None:
    values, said = case
    with pytest.raises(DataError) as raised:
        sqlrank.evaluate(RUN, changed(**values), ["ndcg"])
    assert said in str(raised.value)
    assert "exact_labels=True" in str(raised.value)


def test_a_label_without_an_interval_is_certain() -> None:
    with sqlrank.evaluate(RUN, changed(low=None, high=None), ["dcg"]) as result:
        row = total(result, "dcg")
    places = [1, math.log(2) / math.log(4), math.log(2) / math.log(5)]
    deviations = [beta(2, 6)[1], beta(2, 6)[1], beta(1, 6)[1]]
    assert row["label_stderr"] == pytest.approx(math.hypot(*map(math.prod, zip(places, deviations, strict=True))))


@pytest.fixture
def files() -> list[str]:
    """Rankings and uncertain labels as files, as arguments."""
    run, judged = many(20, 8, 2)
    pc.write_csv(run, "run.csv")
    pc.write_csv(judged, "qrels.csv")
    pc.write_csv(judged.rename_columns(["query_id", "doc_id", "relevance", "lo", "hi"]), "named.csv")
    return ["run.csv", "--qrels", "qrels.csv"]


def test_the_command_line_reads_the_ends_and_leaves_them_out(files: list[str]) -> None:
    named = ["--column", "low=lo", "--column", "qrels.high=hi"]
    asked = ["eval", "run.csv", "--qrels", "named.csv", "-m", "ndcg@5", "--format", "json"]
    uncertain = json.loads(completed(*asked, *named, "--label-draws", "50").out)["rows"][0]
    assert uncertain["label_stderr"] > 0
    assert json.loads(completed(*asked).out)["rows"][0].keys() == uncertain.keys() - {"label_stderr"}
    plain = json.loads(completed(*asked, *named, "--labels-as-exact").out)["rows"][0]
    assert plain["ci_high"] - plain["ci_low"] < uncertain["ci_high"] - uncertain["ci_low"]
    shown = completed(*asked[:-2], *named)
    assert "on average over 200 draws of them; its interval has" in shown.out
    assert "--label-draws 3: give from 20" in error_of(2, *asked, *named, "--label-draws", "3")
    assert "has not both ends" in error_of(3, *asked, *named[:2])


def test_ids_and_scores_that_are_numbers_are_drawn_for_too() -> None:
    def numbered(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"query_id": int(row["query_id"][1:]), "doc_id": int(row["doc_id"][1:])}

    run, judged = (pa.Table.from_pylist(list(map(numbered, table.to_pylist()))) for table in many(20, 10, 11))
    with sqlrank.evaluate(run, judged, ["ndcg@5"]) as result:
        found = total(result, "ndcg@5")["label_stderr"]
    run, judged = (table.set_column(0, "query_id", table["query_id"].cast(pa.string())) for table in (run, judged))
    with sqlrank.evaluate(run, judged, ["ndcg@5"]) as result:
        assert total(result, "ndcg@5")["label_stderr"] == pytest.approx(found)


def test_what_shows_no_interval_of_a_mean_reads_none_of_a_label(files: list[str]) -> None:
    asked = [*files, "-m", "err@5"]
    assert "--labels-as-exact" in error_of(2, "eval", *asked)
    completed("explain", "q1", *asked)
    assert "low as low" not in completed("eval", *asked, "--show-sql").out


def test_an_evaluator_draws_labels_too() -> None:
    run, judged = many(20, 8, 2)
    with sqlrank.evaluate(run, judged, ["ndcg@5"]) as result, sqlrank.Evaluator(judged, ["ndcg@5"]) as evaluator:
        assert evaluator(run).to_dicts() == result.to_dicts()


def test_parquet_has_the_column_too(files: list[str]) -> None:
    completed("eval", *files, "-m", "ndcg@5", "-o", "out.parquet")
    assert pq.read_table("out.parquet")["label_stderr"][0].as_py() > 0


@pytest.mark.needs("simulation")
def test_intervals_cover_the_truth_of_labels_and_queries() -> None:
    """120 experiments: the standard error of 95 % is 2 points, and the bound of 90 % two and a half below."""
    rng, covered, trials = random.Random(20), {"dcg@5": 0, "ndcg@5": 0}, 120
    shown, documents, queries, many_queries = 10, 8, 25, 4000

    def truths() -> list[float]:
        return [rng.betavariate(1, 1) for _ in range(documents)]

    def dcg(labels: list[float]) -> float:
        return sum(value * math.log(2) / math.log(place + 1) for place, value in enumerate(labels[:5], 1))

    means = {"dcg@5": 0.0, "ndcg@5": 0.0}
    for _ in range(many_queries):
        true = truths()
        means["dcg@5"] += dcg(true) / many_queries
        means["ndcg@5"] += dcg(true) / dcg(sorted(true, reverse=True)) / many_queries
    rows, judged = [], []
    for trial, query in product(range(trials), range(queries)):
        for place, chance in enumerate(truths()):
            name = f"t{trial}q{query}"
            rows.append({"query_id": name, "doc_id": f"d{place}", "score": -float(place), "trial": trial})
            clicks = sum(rng.random() < chance for _ in range(shown))
            judged.append(label(name, f"d{place}", clicks, shown))
    run, qrels = map(pa.Table.from_pylist, (rows, judged))
    with sqlrank.evaluate(run, qrels, list(covered), label_draws=100, by="trial") as result:
        of_trials = [row for row in result.to_dicts() if not row["is_total"]]
    assert len(of_trials) == 2 * trials
    for row in of_trials:
        covered[row["metric"]] += row["ci_low"] <= means[row["metric"]] <= row["ci_high"]
    assert 0.90 <= covered["dcg@5"] / trials <= 0.98, covered
    assert covered["ndcg@5"] / trials >= 0.90, covered
