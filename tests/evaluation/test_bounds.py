"""Bounds over all judgments that are missing: by hand, and beside all ways in which they could turn out."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.evaluation.bounds import rising
from tests.pages.stated import stated
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.completions import every_completion, values_of
from tests.support.tables import each

ROOT = FIXTURES.parent
SEARCH = FIXTURES / "search"
EVAL = ("eval", SEARCH / "keyword.parquet", "--qrels", SEARCH / "qrels.parquet")
Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, float]]
BOUNDED = (
    "p@3 p(norm=returned)@4 hits@2 num_rel_ret rr rr@2 success@2 set_success set_p dcg@3 dcg(gain=exp2) err@3 sdcg@3"
    " pfound@3 ndcg(ideal=full)@3 rbp(grade=raw) rbp(grade=binary)@3 p(rel=2)@3 dcg(gain=0:0,1:1,2:5)@3 pfound(max=5)"
).split()


def rows(run: Any, qrels: Any, metrics: Any, **options: Any) -> dict[str, dict[str, Any]]:
    """The rows of an evaluation with bounds, by metric."""
    with sqlrank.evaluate(run, qrels, metrics, bounds=True, **options) as result:
        return {row["metric"]: row for row in result.to_dicts() if row.get("is_total", True)}


def test_bounds_are_those_without_further_judgments_and_with_all_relevant() -> None:
    run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 2.0, "e": 1.0}}
    qrels = {"q1": {"b": 1.0, "z": 2.0}, "q2": {"d": 0.0}}
    found = rows(run, qrels, ["p@3", "rr", "dcg@1"])
    # q1: a and c could be relevant, q2: e. So p is (1/3 + 0) / 2 to (3/3 + 1/3) / 2, rr (1/2 + 0) / 2 to (1 + 1/2) / 2
    assert (found["p@3"]["bound_low"], found["p@3"]["bound_high"]) == (pytest.approx(1 / 6), pytest.approx(2 / 3))
    assert (found["rr"]["bound_low"], found["rr"]["bound_high"]) == (0.25, 0.75)
    assert (found["dcg@1"]["bound_low"], found["dcg@1"]["bound_high"]) == (0, 1)  # a of relevance 2, of two queries


def test_a_later_judgment_above_all_so_far_stays_within_the_bounds_of_the_whole_scale() -> None:
    run, metrics = {"q": {"a": 2.0, "b": 1.0}}, ["dcg@2", "err@2", "ndcg(ideal=full)@2"]
    # a of relevance 1 is judged; b could be 3: 1 + 3 / log2(3) = 2.893, and 1/8 + (7/8) (7/8) / 2 = 0.508
    so_far = rows(run, {"q": {"a": 1.0}}, "dcg@2")["dcg@2"]
    assert so_far["bound_high"] == pytest.approx(1.630930, abs=1e-6)
    sentence = "dcg@2 is at most #; judged 3, it is #, which is what `--top-relevance 3` gives"
    assert stated("explanation/comparison.md", sentence) == ["1.63", "2.89"]
    found = rows(run, {"q": {"a": 1.0}}, metrics, top_relevance=3)
    later = rows(run, {"q": {"a": 1.0, "b": 3.0}}, metrics, top_relevance=3)
    assert list(found) == ["dcg@2", "err(max=3)@2", "ndcg(ideal=full)@2"]
    assert found["dcg@2"]["bound_high"] == pytest.approx(2.892789, abs=1e-6)
    assert (found["err(max=3)@2"]["bound_low"], found["err(max=3)@2"]["bound_high"]) == (0.125, 0.5078125)
    # of the ideal 3 + 3 / log2(3), which no judgment changes
    assert found["ndcg(ideal=full)@2"]["bound_low"] == pytest.approx(1 / (3 * 1.6309297535714573))
    for text, row in found.items():
        assert row["bound_low"] <= later[text]["value"] == pytest.approx(row["bound_high"])


def test_bounds_are_weighted_as_the_mean_is_and_leave_clusters_be() -> None:
    run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 2.0, "e": 1.0}}
    qrels = {"q1": {"b": 1.0, "z": 2.0}, "q2": {"d": 0.0}}
    queries = pa.table({"query_id": ["q1", "q2"], "traffic": [3.0, 1.0], "topic": ["s", "t"]})
    found = rows(run, qrels, "p@3", queries=queries, weight="traffic", cluster="topic")["p@3"]
    # three times q1, from 1/3 to 3/3, and once q2, from 0 to 1/3
    assert (found["bound_low"], found["bound_high"]) == (0.25, pytest.approx(5 / 6))


def drawn(seed: int) -> tuple[Run, Qrels]:
    """A run with ties and judgments that lack a few documents."""
    rng = random.Random(seed)
    run = {query: {f"d{number}": float(rng.randint(0, 4)) for number in range(5)} for query in ("q1", "q2")}
    qrels = {query: {f"d{number}": float(rng.randint(0, 2)) for number in range(6)} for query in ("q1", "q2", "q3")}
    for query, number in rng.sample([(query, number) for query in ("q1", "q2") for number in range(5)], 4):
        del qrels[query][f"d{number}"]
    qrels["q3"]["d9"] = 2.0
    return run, qrels


def assert_bounds_are_reached(run: Run, qrels: Qrels, metrics: list[str], **options: Any) -> None:
    """The bounds are the least and the largest value over all ways to judge the rest, or raise."""
    found = rows(run, qrels, metrics, **options)
    values = values_of({"run": run}, every_completion({"run": run}, qrels), metrics, **options)
    for text, row in found.items():
        assert row["bound_low"] == pytest.approx(min(values["run", text]), abs=1e-12), text
        assert row["bound_high"] == pytest.approx(max(values["run", text]), abs=1e-12), text


@each([(0, 2, {}), (1, 1, {"top_relevance": 2})])
def test_no_way_to_judge_the_rest_leaves_the_bounds_and_some_reach_them(case: tuple[int, int, dict[str, Any]]) -> None:
    seed, most, options = case
    run, judged = drawn(seed)
    qrels = {query: {doc: min(grade, most) for doc, grade in docs.items()} for query, docs in judged.items()}
    assert_bounds_are_reached(run, qrels, BOUNDED, **options)


def test_every_metric_that_may_fall_is_refused_and_none_that_is_said_to_rise_falls() -> None:
    texts = [
        text
        for name, metric in sqlrank.METRICS.items()
        if metric.grain == "query" and metric.summary != "none" and not set(metric.reads) & {"novelty", "popularity"}
        for text in [f"{name}@3" if metric.cutoff == "required" else name]
    ]
    rising = [text for text in texts if sqlrank.METRICS[text.partition("@")[0]].rises]
    assert set(rising) > {"p@3", "rr", "dcg", "err@3"}
    for text in ("ndcg@3", "ap", "recall@3", "rbp", "rprec", "bpref", "f@3", "set_p(norm=min)", "dcg(gain=0:1,1:0)@2"):
        with pytest.raises(sqlrank.UsageError, match="may lower"):
            rows(*drawn(0), text)


def test_the_documentation_names_the_metrics_with_bounds() -> None:
    text = (ROOT / "docs" / "explanation" / "comparison.md").read_text(encoding="utf-8")
    (named,) = re.findall(r"a document never lowers: (.*?)\. A ", " ".join(text.split()))
    assert set(re.findall(r"`(.*?)`", named)) == set(rising())


@each(["average", "best", "worst"])
def test_bounds_hold_however_ties_are_ordered(ties: str) -> None:
    assert_bounds_are_reached(*drawn(5), ["p@3", "dcg@2"], ties=ties)


def test_an_export_of_several_systems_has_the_bounds_of_its_tables() -> None:
    with sqlrank.evaluate(SEARCH / "export.parquet", None, ["p@5", "rr"], bounds=True) as result:
        found = {(row["system"], row["metric"]): row for row in result.to_dicts()}
    export = pq.read_table(SEARCH / "export.parquet")
    pairs = export.filter(pc.is_valid(export["relevance"])).select(["query_id", "doc_id", "relevance"])
    labels = pairs.group_by(["query_id", "doc_id", "relevance"]).aggregate([])
    runs = export.select(["system", "query_id", "doc_id", "score"])
    with sqlrank.evaluate(runs, labels, ["p@5", "rr"], bounds=True) as result:
        for row in result.to_dicts():
            other = found[row["system"], row["metric"]]
            assert (row["bound_low"], row["bound_high"]) == (other["bound_low"], other["bound_high"])
            assert row["bound_high"] <= 1


def test_segments_and_weights_are_those_of_the_values() -> None:
    options: dict[str, Any] = {"queries": SEARCH / "queries.parquet", "by": "country", "bounds": True}
    with sqlrank.evaluate(EVAL[1], EVAL[3], ["p@5"], **options) as result:
        made = {row["country"]: row for row in result.to_dicts()}
    sizes = {country: row["queries"] for country, row in made.items() if country is not None}
    mean = sum(made[country]["bound_high"] * size for country, size in sizes.items()) / made[None]["queries"]
    assert made[None]["bound_high"] == pytest.approx(mean, rel=1e-12)


def test_the_evaluator_keeps_bounds_and_shares() -> None:
    run, qrels = drawn(1)
    with sqlrank.Evaluator(qrels, ["p@3"], bounds=True, judged=True) as score:
        found = {row["metric"]: row for row in score(run).to_dicts()}
    assert found["p@3"]["bound_high"] == rows(run, qrels, ["p@3"])["p@3"]["bound_high"]
    assert found["judged@3"]["bound_high"] is None


def test_the_table_shows_them_and_says_what_they_are() -> None:
    shown = completed(*EVAL, "--bounds", "--judged", "-m", "p@10", "-m", "rr@5")
    assert "0.5547 ±0.0241 (to 0.6000)" in shown.out
    assert "(to ...) the value if every unjudged document were as relevant as the largest judgment" in shown.out
    assert "so far, 4; --top-relevance if the scale goes higher" in shown.out
    told = completed(*EVAL, "--bounds", "-m", "p@10", "--top-relevance", "5").out
    assert "as relevant as --top-relevance 5; without" in told
    assert told.splitlines()[3] == "trec_eval's conventions, but top-relevance=5 (--verbose has more)"
    assert shown.out.split()[:6] == ["system", "queries", "p@10", "rr@5", "judged@5", "judged@10"]
    default = completed(*EVAL, "--bounds")
    assert "0.5891 ±0.0220  0.4472 ±0.0203" in default.out


@each(
    {
        "-m ndcg@10 -m p@5": "may lower ndcg@10 as well as raise it",
        "-m p@5 --unjudged remove": "--unjudged remove leaves out",
        "-m p@5 --empty skip": "choose --empty zero",
        "-m p@5 --format trec": "--format trec has no place for --bounds",
        "-m p@5 --show-sql": "--show-sql has no place for --bounds",
        "-m num_q": "may lower num_q",
        "-m p@5 --top-relevance 0": "not a finite number above 0",
        "-m dcg(gain=0:0,1:1,2:3)@5 --top-relevance 3": "no entry for --top-relevance 3",
    }.items()
)
def test_what_has_no_bounds_is_refused(case: tuple[str, str]) -> None:
    options, said = case
    assert said in error_of(2, *EVAL, "--bounds", *options.split())


def test_tidy_formats_have_columns_of_them(tmp_path: Path) -> None:
    outcome = run_cli(*EVAL, "--bounds", "-m", "p@5", "--format", "csv", "--quiet")
    assert outcome.table[0]["bound_low"] == outcome.table[0]["value"]
    assert float(outcome.table[0]["bound_high"]) > float(outcome.table[0]["value"])
