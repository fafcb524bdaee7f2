"""How different two rankings are: worked rows, the definitions written out, scipy, and what is told and refused."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import meta
from pyarrow import parquet
from scipy import stats

import sqlrank
from sqlrank.comparison.similarity.likeness import Likeness, likeness
from sqlrank.conventions import JUDGED_TIES, TIES, Conventions
from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError
from sqlrank.metrics.catalogue import DEFAULT_LIKENESS, HELP, catalogue, likeness_catalogue
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.output.formats import write_per_query
from sqlrank.output.similarity import write_likeness
from sqlrank.output.tables import Destination
from sqlrank.statement.columns import PAIR_COLUMNS
from sqlrank.statement.templates import environment
from tests.reference import similarity as reference
from tests.support.cases import arrow
from tests.support.cli_helper import FIXTURES, completed, run_cli
from tests.support.examples import examples
from tests.whole.test_worked_rows import rows as worked_rows

WORKED = FIXTURES / "likeness"
SEARCH = FIXTURES / "search"
Run = dict[str, dict[str, float]]

OLD: Run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 1.0}}
NEW: Run = {"q1": {"b": 4.0, "a": 3.0, "d": 2.0, "e": 1.0}, "q3": {"x": 1.0}}
ASKED = (
    "overlap@1 overlap@4 jaccard@3 rbo rbo(p=0.95) rbo(p=0.3)@2 rbo@5 kendall_tau rank_change average_overlap"
    " average_overlap@4 rbo_min rbo_min(p=0.3)@2 rbo_res rbo_res(p=0.95)@5"
).split()


def compare(baseline: Any, system: Any, metrics: Any = None, **options: Any) -> Likeness:
    """Two systems, `old` and `new`."""
    return likeness(metrics=metrics, systems={"old": baseline, "new": system}, **options)


def values(result: Likeness) -> dict[str, dict[str, float | None]]:
    """The per-query values of the only system by query and metric."""
    return result.to_dict()


def scores(text: str) -> dict[str, float]:
    """A ranking such as `a b=c d` as scores: those of equal documents are equal."""
    return {doc: -float(place) for place, group in enumerate(text.split()) for doc in group.split("=")}


ROWS = worked_rows(WORKED)


@pytest.fixture(scope="module")
def of_rows() -> dict[str, dict[str, float | None]]:
    """Every metric of every row, whose number is the query."""
    old, new = (
        {str(number): found for number, row in enumerate(ROWS) if (found := scores(row[name]))}
        for name in ("baseline", "system")
    )
    with compare(old, new, dict.fromkeys(row["metric"] for row in ROWS)) as result:
        return values(result)


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda number: "-".join([*ROWS[number].values()][:3]))
def test_the_value_is_the_one_worked_out(number: int, of_rows: dict[str, dict[str, float | None]]) -> None:
    row = ROWS[number]
    wanted = pytest.approx(float(row["expected"]), abs=1e-12) if row["expected"] else None

    assert of_rows[str(number)][row["metric"]] == wanted
    assert row["why"]


def test_every_metric_of_two_rankings_has_a_file_of_its_own_rows_and_a_definition() -> None:
    names = set(likeness_catalogue())
    assert {path.stem for path in WORKED.glob("*.csv")} == set(reference.METRICS) == names
    assert all(row["metric"].startswith(row["file"]) for row in ROWS)
    assert {text.partition("@")[0] for text in DEFAULT_LIKENESS} < names


def random_run(rng: random.Random, queries: int, documents: int, spread: int) -> Run:
    """Rankings of different lengths with many equal scores; some queries have none."""
    run: Run = {}
    for number in range(queries):
        docs = rng.sample([f"d{doc}" for doc in range(documents)], rng.randint(0, documents))
        if docs:
            run[f"q{number}"] = {doc: float(rng.randint(-spread, spread)) for doc in docs}
    return {"filler": {"same": 1.0}} | run


def expected(baseline: Run, system: Run, text: str) -> dict[str, float | None]:
    """The values of a metric by query, as the definitions give them."""
    (measure,) = parse_measures(text, Language(pairs=True))
    arguments: dict[str, Any] = dict(measure.values) | ({} if measure.k is None else {"k": measure.k})
    found = {}
    for query in {*baseline, *system}:
        found[query] = reference.METRICS[measure.metric.name](
            baseline.get(query, {}), system.get(query, {}), **arguments
        )
    return found


def assert_expected(baseline: Run, system: Run, metrics: list[str], **options: Any) -> None:
    """Every metric is what its definition gives, in every query."""
    with compare(baseline, system, metrics, **options) as result:
        found, asked = values(result), [measure.text for measure in result.measures]
    assert set(found) == {*baseline, *system}
    for text in asked:
        for query, wanted in expected(baseline, system, text).items():
            assert found[query][text] == (None if wanted is None else pytest.approx(wanted, rel=1e-12, abs=1e-12)), text


@examples(4)
@given(st.randoms(use_true_random=False), st.integers(1, 14), st.sampled_from([0, 1, 3, 1000]))
def test_every_metric_is_what_its_definition_gives(rng: random.Random, documents: int, spread: int) -> None:
    assert_expected(random_run(rng, 25, documents, spread), random_run(rng, 25, documents, spread), ASKED)


def test_long_rankings_are_what_the_definitions_give() -> None:
    rng = random.Random(5)
    assert_expected(random_run(rng, 3, 300, 40), random_run(rng, 3, 300, 9), ASKED)


def test_very_long_rankings_fit_in_little_memory(tmp_path: Path) -> None:
    size = 100_003
    old, new = ({f"{doc}": float(doc * factor % size) for doc in range(size)} for factor in (17, 23))
    for name, run in (("old", old), ("new", new)):
        rows = pa.table({"query_id": ["q"] * size, "doc_id": list(run), "score": list(run.values())})
        parquet.write_table(rows, tmp_path / f"{name}.parquet")
    paths = [str(tmp_path / f"{name}.parquet") for name in ("old", "new")]
    with likeness(paths, memory_limit="300MB") as result:
        found = values(result)["q"]

    tau = stats.kendalltau(list(old.values()), list(new.values())).statistic
    assert found["kendall_tau"] == pytest.approx(float(tau), abs=1e-12)
    assert found["rbo"] == pytest.approx(reference.rbo(old, new, 600), abs=1e-12)


@pytest.mark.parametrize("metrics", [["overlap@1,4", "jaccard@3"], ["rbo@5", "rbo(p=0.99)@2"], ["kendall_tau"]])
def test_metrics_that_look_at_less_are_what_the_definitions_give(metrics: list[str]) -> None:
    rng = random.Random(6)
    assert_expected(random_run(rng, 30, 9, 3), random_run(rng, 30, 9, 3), metrics)


def test_the_average_overlap_is_that_of_the_example_of_the_paper() -> None:
    old, new = ({"q": scores(" ".join(text))} for text in ("abcdefg", "zcavwxy"))
    with compare(old, new, "average_overlap@1,2,3,4,5,6,7") as result:
        found = [result[f"average_overlap@{depth}"] for depth in range(1, 8)]
    assert found == pytest.approx([0, 0, 0.222, 0.292, 0.313, 0.317, 0.312], abs=0.0006)


def test_the_extrapolated_overlap_lies_between_its_bounds() -> None:
    rng = random.Random(8)
    with compare(random_run(rng, 60, 9, 5), random_run(rng, 60, 9, 5), ["rbo", "rbo_min", "rbo_res"]) as result:
        for row in values(result).values():
            low, value, width = row["rbo_min"], row["rbo"], row["rbo_res"]
            assert low is not None
            assert value is not None
            assert width is not None
            assert low - 1e-12 <= value <= low + width + 1e-12


def test_tau_is_that_of_scipy() -> None:
    rng = random.Random(7)
    baseline, system = random_run(rng, 60, 30, 4), random_run(rng, 60, 30, 12)
    with compare(baseline, system, "kendall_tau") as result:
        found = values(result)

    for query in {*baseline, *system}:
        both = sorted({*baseline.get(query, {})} & {*system.get(query, {})})
        left, right = [baseline[query][doc] for doc in both], [system[query][doc] for doc in both]
        alike = len({*left}) < 2 or len({*right}) < 2
        wanted = None if alike else float(stats.kendalltau(left, right, variant="b").statistic)
        assert found[query]["kendall_tau"] == (None if wanted is None else pytest.approx(wanted, abs=1e-12))


@examples(2)
@given(st.randoms(use_true_random=False))
def test_it_does_not_matter_which_ranking_is_the_baseline(rng: random.Random) -> None:
    one, other = random_run(rng, 15, 9, 3), random_run(rng, 15, 9, 3)
    with compare(one, other, ASKED) as forth, compare(other, one, ASKED) as back:
        found = values(back)
        for query, row in values(forth).items():
            assert row == {
                text: None if value is None else pytest.approx(value) for text, value in found[query].items()
            }


def test_a_ranking_is_wholly_like_itself() -> None:
    run = random_run(random.Random(2), 20, 12, 1000)
    with compare(run, run) as result:
        found = values(result)
        assert result["rbo"] == pytest.approx(1, abs=1e-12)
    assert {(row["kendall_tau"], row["rank_change"]) for row in found.values()} <= {(1.0, 0.0), (None, 0.0)}
    assert all(row["rbo"] == pytest.approx(1, abs=1e-12) for row in found.values())


@pytest.mark.parametrize("seed", range(3))
def test_values_are_within_their_range(seed: int) -> None:
    rng = random.Random(seed)
    with compare(random_run(rng, 60, 8, 2), random_run(rng, 60, 8, 2), ASKED) as result:
        for row in values(result).values():
            for measure in result.measures:
                low, high = measure.metric.range or (0, math.inf)
                value = row[measure.text]
                assert value is None or low <= value <= high + 1e-12


TIED: Run = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
ORDERED: Run = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}


@pytest.mark.parametrize(
    ("options", "moved"),
    [({}, 0), ({"ties": "doc-asc"}, 4 / 3), ({"ties": "input"}, 4 / 3), ({"order": "asc"}, 4 / 3), ({"depth": 1}, 0)],
)
def test_rankings_are_formed_as_they_are_where_they_are_judged(options: dict[str, Any], moved: float) -> None:
    with compare(TIED, ORDERED, "rank_change", **options) as result:
        assert result["rank_change"] == pytest.approx(moved)


def test_ranks_break_ties_and_order_where_there_is_no_score() -> None:
    columns = ("query_id", "doc_id", "score", "rank")
    tied = arrow([("q", "a", 1.0, 1), ("q", "b", 1.0, 2), ("q", "c", 1.0, 3)], *columns)
    other = arrow([("q", "a", 1.0, 3), ("q", "b", 2.0, 2), ("q", "c", 3.0, 1)], *columns)
    with compare(tied, other, "rank_change", ties="rank") as result:
        assert result["rank_change"] == pytest.approx(4 / 3)
    ranks = ("query_id", "doc_id", "rank")
    with compare(tied.select(ranks), other.select(ranks), ["rank_change", "kendall_tau"]) as result:
        assert result["rank_change"] == pytest.approx(4 / 3)
        assert result["kendall_tau"] == -1


def test_scores_that_are_equal_as_floats_are_ties() -> None:
    near: Run = {"q": {"a": 1 + 1e-12, "b": 1.0}}
    with compare(near, near, ["kendall_tau"]) as result:
        assert result["kendall_tau"] == 1
    with compare(near, near, ["kendall_tau"], score_type="float") as result:
        assert result["kendall_tau"] is None


def test_the_depth_cuts_before_anything_is_compared() -> None:
    run: Run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    other: Run = {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}
    with compare(run, other, ["jaccard@10", "rbo", "kendall_tau"], depth=2) as result:
        assert result["jaccard@10"] == pytest.approx(1 / 3)
        assert result["rbo"] == pytest.approx(0.55)
        assert result["kendall_tau"] is None


@pytest.mark.parametrize(("policy", "place"), [("best", 1), ("first", 2)])
@pytest.mark.parametrize("ties", ["doc-desc", "input"])
def test_of_copies_the_one_that_is_asked_for_counts(policy: str, place: int, ties: str) -> None:
    rows = [("q", "a", 1.0), ("q", "b", 2.0), ("q", "a", 3.0)]
    twice = arrow(rows, "query_id", "doc_id", "score")
    alone: Run = {"q": {"a": 1.0}}
    with compare(alone, twice, ["rank_change", "jaccard@5"], duplicates=policy, ties=ties) as result:
        assert (result["rank_change"], result["jaccard@5"]) == (place - 1, 0.5)
    with pytest.raises(DataError, match=r"more than once.*duplicates='best'"):
        compare(alone, twice)


def test_a_query_without_results_on_one_side_counts_as_nothing_in_common() -> None:
    with compare(OLD, NEW) as result:
        found = values(result)
        nothing = {"overlap@10": 0, "jaccard@10": 0, "rbo": 0, "kendall_tau": None, "rank_change": None}
        assert found["q2"] == found["q3"] == nothing
        assert result["overlap@10"] == pytest.approx(0.2 / 3)
        assert "new: 3 queries, 1 without results in new, 1 without results in old" in result.remarks()
        sizes = dict(result.rows.project("metric, queries").fetchall())
        assert sizes == {"overlap@10": 3, "jaccard@10": 3, "rbo": 3, "kendall_tau": 1, "rank_change": 1}


def test_rows_have_the_mean_and_its_interval() -> None:
    rng = random.Random(3)
    with compare(random_run(rng, 40, 6, 3), random_run(rng, 40, 6, 3)) as result:
        rows = result.rows.fetchall()
        names = result.rows.columns
        found = values(result)
    assert names == ["system", "baseline", "metric", "value", "queries", "stderr", "ci_low", "ci_high"]
    for row in (dict(zip(names, row, strict=True)) for row in rows):
        listed = [value for each in found.values() if (value := each[row["metric"]]) is not None]
        mean, error = sum(listed) / len(listed), float(stats.sem(listed))
        low, high = stats.t.interval(0.95, len(listed) - 1, loc=mean, scale=error)
        assert (row["system"], row["baseline"], row["queries"]) == ("new", "old", len(listed))
        assert row["value"] == pytest.approx(mean, rel=1e-12)
        assert (row["stderr"], row["ci_low"], row["ci_high"]) == (
            pytest.approx(error, rel=1e-9),
            pytest.approx(low, abs=1e-9),
            pytest.approx(high, abs=1e-9),
        )


EXPORT = [("a", "q", "x", 2.0), ("a", "q", "y", 1.0), ("b", "q", "y", 2.0), ("c", "q", "x", 1.0), ("c", "p", "z", 1.0)]
SYSTEMS = arrow(EXPORT, "system", "query_id", "doc_id", "score")


def test_several_systems_of_an_export_are_compared_with_the_one_that_is_named() -> None:
    with likeness(SYSTEMS, ["overlap@2", "rank_change"], baseline="a") as result:
        assert (result.baseline, result.systems) == ("a", ["b", "c"])
        assert result.value("overlap@2", "b") == 0.5
        assert result.value("overlap@2", "c") == 0.25
        assert [row[:3] for row in result.per_query.fetchall()] == [("b", "a", "q"), ("c", "a", "p"), ("c", "a", "q")]


def test_systems_may_be_numbers() -> None:
    rows = pa.table({"system": [1, 1, 2], "query_id": [7, 7, 7], "doc_id": [1, 2, 2], "score": [2, 1, 1]})
    with likeness(rows, ["overlap@1", "rank_change"], baseline="1") as result:
        assert (result.systems, result["overlap@1"], result["rank_change"]) == (["2"], 0, 1)
    apart = pa.table({"system": [1, 2], "query_id": [7, 7], "doc_id": [1, 2], "score": [2, 1]})
    with likeness(apart, ["overlap@1"], baseline="1") as result:
        assert result["overlap@1"] == 0
        assert any("in query '7', 2 has '2', 1 has '1'" in note for note in result.notes)


def test_an_export_of_several_systems_needs_a_baseline() -> None:
    with pytest.raises(UsageError, match=r"several systems: name one with baseline= \(one of a, b, c\)"):
        likeness(SYSTEMS)
    with pytest.raises(UsageError, match=r"baseline='A2': there is no such system.*\(one of a, b, c\)"):
        likeness(SYSTEMS, baseline="A2")


def test_the_first_run_is_the_baseline_whatever_names_it() -> None:
    first, *others = (SYSTEMS.filter([row[0] in names for row in EXPORT]) for names in ("a", "bc"))
    with likeness([first, *others], "overlap@1") as result:
        assert (result.baseline, result.systems) == ("a", ["b", "c"])
    with pytest.raises(UsageError, match="name one with baseline="):
        likeness([*others, first], "overlap@1")
    with likeness([str(SEARCH / "semantic.csv"), f"other={SEARCH / 'keyword.csv'}"], "overlap@1") as result:
        assert (result.baseline, result.systems) == ("semantic", ["other"])
    with likeness([str(SEARCH / "semantic.csv"), str(SEARCH / "keyword.csv")], baseline="keyword") as result:
        assert (result.baseline, result.systems) == ("keyword", ["semantic"])


@pytest.mark.parametrize("runs", [OLD, [OLD], [SYSTEMS.filter([row[0] == "a" for row in EXPORT])]])
def test_one_system_cannot_be_compared(runs: Any) -> None:
    with pytest.raises(UsageError, match="second run to compare with"):
        likeness(runs)


def test_rows_without_a_system_and_systems_without_rows_are_refused() -> None:
    unnamed = arrow([*EXPORT, (None, "q", "x", 1.0)], "system", "query_id", "doc_id", "score")
    with pytest.raises(DataError, match="1 row has no system"):
        likeness(unnamed, baseline="a")
    with pytest.raises(DataError, match="new: the system has no rows"):
        compare(OLD, {"q1": {"zz": 0.0}}, where="score > 0")


NEEDS = {
    "rel": 2,
    "empty": "skip",
    "unjudged": "remove",
    "judgments": "max",
    "relevance_map": {"a": 1},
    "query_set": "shared",
    "like": "ranx",
    "metrics_dir": ".",
    "items": "items.csv",
}


@pytest.mark.parametrize(
    ("name", "value"), [*NEEDS.items(), *(("ties", ties) for ties in ("best", "average", "error"))]
)
def test_options_that_need_judgments_are_refused(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=rf"{name}=.*needs judgments.*qrels="):
        compare(OLD, NEW, **{name: value})


def test_every_order_of_ties_needs_judgments_or_does_not() -> None:
    (ties,) = (item.metadata["choices"] for item in fields(Conventions) if item.name == "ties")
    assert {*TIES, *JUDGED_TIES} == {*ties}


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UsageError, match="there is no option 'dept'; did you mean depth"):
        compare(OLD, NEW, dept=3)
    with pytest.raises(UsageError, match="ties='sideways' is not known"):
        compare(OLD, NEW, ties="sideways")


@pytest.mark.parametrize("text", ["ndcg@10", "map", "ndcg_cut_10", "P_5", "recall_100", "overlap@10,ap"])
def test_metrics_that_need_judgments_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="needs judgments; give them with qrels="):
        compare(OLD, NEW, text)


@pytest.mark.parametrize("text", ["overlap@10", "rbo(p=0.5)", "jaccard_5", "kendall_tau"])
def test_an_evaluation_says_which_command_compares(text: str) -> None:
    with pytest.raises(UsageError, match="sqlrank compare"):
        sqlrank.evaluate(OLD, {"q1": {"a": 1}}, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("overlapp@3", "did you mean overlap"),
        ("overlap", "overlap needs a cutoff, for example overlap@10"),
        ("kendall_tau@3", "takes no cutoff"),
        ("rbo(p=1)", "p must be between 0 and 1"),
        ("rbo(q=1)", "rbo has no parameter 'q'"),
        ("overlap@0", "whole number"),
        ([], "no metric was asked for; for example overlap@10"),
    ],
)
def test_texts_that_ask_for_nothing_are_refused(text: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        compare(OLD, NEW, text)


@pytest.mark.parametrize("text", ["overlap@5", "jaccard@3", "rbo", "rbo(p=0.95)@100", "kendall_tau", "rank_change"])
def test_canonical_texts_parse_back(text: str) -> None:
    assert [measure.text for measure in parse_measures(text, Language(pairs=True))] == [text]


def test_cutoffs_of_one_name_stand_together() -> None:
    with compare(OLD, NEW, "overlap@1,3") as result:
        assert [measure.text for measure in result.measures] == ["overlap@1", "overlap@3"]
        assert result.per_query.columns == ["system", "baseline", "query_id", "overlap_at_1", "overlap_at_3"]


QUERIES = arrow([("q1", "de", 3.0), ("q2", "de", 1.0), ("q3", "fr", 0.0)], "query_id", "country", "weight")


def test_segments_and_weights_come_from_a_table_of_queries() -> None:
    with compare(OLD, NEW, ["overlap@4", "rank_change"], queries=QUERIES, by="country", weight="weight") as result:
        rows = result.rows.project("country, is_total, metric, value, queries").fetchall()
        assert result.per_query.columns[:4] == ["system", "baseline", "query_id", "country"]
        assert result.value("overlap@4", country="de") == pytest.approx(0.5 * 3 / 4)
    assert rows == [
        ("de", False, "overlap@4", pytest.approx(0.375), 2),
        ("de", False, "rank_change", pytest.approx(1), 1),
        ("fr", False, "overlap@4", None, 0),
        ("fr", False, "rank_change", None, 0),
        (None, True, "overlap@4", pytest.approx(0.375), 2),
        (None, True, "rank_change", pytest.approx(1), 1),
    ]


def test_segments_and_weights_may_be_columns_of_the_runs() -> None:
    columns = ("query_id", "doc_id", "score", "it's", "weight")
    old = arrow([("q", "a", 1.0, "x", 2.0), ("p", "b", 1.0, None, 1.0)], *columns)
    new = arrow([("q", "a", 1.0, "x", 2.0), ("r", "b", 1.0, "y", 1.0)], *columns)
    with compare(old, new, "overlap@1", by="it's", weight="weight") as result:
        assert result.rows.project('"it\'s", value').fetchall() == [("(none)", 0), ("x", 1), ("y", 0), (None, 0.5)]
    other = arrow([("q", "a", 1.0, "z", 2.0)], *columns)
    with pytest.raises(DataError, match="query 'q' has 'x' and 'z'"):
        compare(old, other, by="it's")


@pytest.mark.parametrize("name", ["place", "shared", "overlap_at_10", "baseline", "weight_from_place_p0p9"])
def test_a_segment_named_as_a_column_of_the_statement_is_refused(name: str) -> None:
    run = arrow([("q", "a", 1.0, "x")], "query_id", "doc_id", "score", name)
    with pytest.raises(UsageError, match="rename"):
        compare(run, run, by=name)


BAD = ("query_id", "doc_id", "score")


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ([("q1", None, 1.0)], "no query_id or no doc_id"),
        ([("q1", "a", None)], "scores are null"),
        ([("q1", "a", math.inf)], "scores are null, not numbers, or infinite"),
        ([("q1", "a", 1.0), ("q1", "a", 2.0)], "document 'a' of query 'q1' in the run new appears 2 times"),
        ([("q01", "a", 1.0)], r"without leading zeros: 'q01' in new is 'q1' in old"),
        ([("other", "a", 1.0)], r"no query has results in both new and old: new has 'other', old has 'q1'.*quoted"),
        ([("q1", "a0", 1.0), ("q2", "x0", 1.0)], r"without the suffix '0': 'a0' of query 'q1' in new is 'a' in old"),
    ],
)
def test_bad_input_is_refused_with_what_where_and_what_to_do(new: list[Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        compare(OLD, arrow(new, *BAD))


def test_parts_of_one_run_are_not_compared(tmp_path: Path) -> None:
    for part in (1, 2):
        queries = [f"q{part}{number}" for number in range(30)] + ["q"]
        lines = "".join(f"{query},d,1\n" for query in queries)
        (tmp_path / f"part-{part}.csv").write_text(f"query_id,doc_id,score\n{lines}", encoding="utf-8")
    paths = [str(tmp_path / f"part-{part}.csv") for part in (1, 2)]
    with pytest.raises(DataError, match="both have results for 1 of 61 queries: if the files are parts"):
        likeness(paths)
    with likeness([f"old={paths[0]}", f"new={paths[1]}"], "overlap@1") as result:
        assert result["overlap@1"] == pytest.approx(1 / 61)
    with likeness(paths, "overlap@1", checks=False) as result:
        assert result.notes == [
            "part-1 and part-2 both have results for 1 of 61 queries, and the rankings of the others have nothing in"
            " common",
            "the inputs were not checked (checks=False)",
        ]


def test_a_weight_that_is_missing_or_negative_is_refused() -> None:
    for weights in ([("q1", 1.0), ("q2", 1.0)], [("q1", 1.0), ("q2", -1.0), ("q3", 1.0)]):
        queries = arrow(weights, "query_id", "weight")
        with pytest.raises(DataError, match="1 query has no weight or a negative one in the column weight"):
            compare(OLD, NEW, queries=queries, weight="weight")


def test_a_segment_that_only_one_run_has_is_refused() -> None:
    plain, country = arrow([("q", "a", 1.0)], *BAD), arrow([("q", "a", 1.0, "de")], *BAD, "country")
    for old, new in ((plain, country), (country, plain)):
        with pytest.raises(DataError, match="no column 'country'"):
            compare(old, new, by="country")


def test_files_without_rows_are_refused() -> None:
    with pytest.raises(DataError, match="the run: there are no rows after where="):
        likeness(SYSTEMS, baseline="a", where="score > 9")


def test_the_same_rows_as_csv_parquet_and_trec_give_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    printed = set()
    for suffix in ("csv", "parquet", "trec"):
        with likeness([str(SEARCH / f"{name}.{suffix}") for name in ("keyword", "semantic")], ASKED) as result:
            write_likeness(result, Destination("json"))
            write_per_query(result, "csv", None)
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1


def test_the_documentation_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with likeness([str(SEARCH / f"{name}.parquet") for name in ("keyword", "semantic")]) as result:
        write_likeness(result, Destination("table"))
    text = (FIXTURES.parent / "docs" / "explanation" / "likeness.md").read_text(encoding="utf-8")
    assert f"<!-- likeness -->\n```text\n{capsys.readouterr().out}```\n<!-- /likeness -->" in text


def test_documents_below_the_cutoff_are_no_reason_to_refuse() -> None:
    old: Run = {"q": {"a": 2.0, "b": 1.0}}
    new: Run = {"q": {"c": 2.0, "a": 1.0}}
    with compare(old, new, "overlap@1") as result:
        assert result["overlap@1"] == 0


def test_labels_of_an_export_are_ignored_and_that_is_said() -> None:
    run = arrow([("q", "a", 1.0, 1.0)], "query_id", "doc_id", "score", "relevance")
    with compare(run, run) as result:
        assert any("the column relevance is ignored" in note for note in result.notes)


def test_a_condition_filters_both_runs_and_is_said() -> None:
    with compare(OLD, NEW, "jaccard@5", where="doc_id <> 'e'") as result:
        assert values(result)["q1"]["jaccard@5"] == 0.5
        assert "only rows where doc_id <> 'e'" in result.remarks()


def test_a_connection_that_is_passed_is_left_as_it_was() -> None:
    with duckdb.connect() as connection:
        before = connection.execute("show all tables").fetchall()
        with compare(OLD, NEW, connection=connection) as result:
            assert result["overlap@10"] is not None
        assert connection.execute("show all tables").fetchall() == before


def test_frames_of_spark_are_refused() -> None:
    frame = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe"})()
    with pytest.raises(UsageError, match="compared in DuckDB"):
        compare(frame, frame)


def test_the_statement_runs_in_a_bare_duckdb() -> None:
    paths = [str(SEARCH / f"{name}.csv") for name in ("keyword", "semantic")]
    with likeness(paths, ASKED, by="country", queries=str(SEARCH / "queries.csv")) as result:
        wanted = result.per_query.order("query_id").project("* exclude (baseline)").fetchall()
        statements = [*result.sources, result.sql]
    with duckdb.connect() as connection:
        for statement in statements[:-1]:
            connection.execute(statement)
        assert connection.sql(statements[-1]).order("query_id").fetchall() == wanted


@pytest.mark.parametrize("options", [{}, {"duplicates": "best", "ties": "rank"}, {"depth": 5, "score_type": "float"}])
def test_the_statement_looks_written_by_hand(options: dict[str, Any]) -> None:
    rows = arrow([("q", "a", 1.0, 1.0)], "query_id", "doc_id", "score", "rank")
    with compare(rows, rows, ASKED, **options) as result:
        text = result.sql
    assert "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    steps = text.partition("\nwith\n")[2]
    assert all(part.startswith(("--", "select")) for part in steps.strip().split("\n\n") if part[:1] != " ")


@pytest.mark.parametrize("threads", [1, 2])
def test_parts_of_the_queries_give_the_same_bytes(
    threads: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(11)
    runs = {"old": random_run(rng, 50, 9, 3), "b": random_run(rng, 50, 9, 3), "c": {"filler": {"same": 1.0}}}
    printed = set()
    for parts in (1, 7):
        monkeypatch.setattr(DuckDBEngine, "parts", lambda _, rows, parts=parts: parts)
        with likeness(metrics=ASKED, systems=runs, threads=threads) as result:
            write_per_query(result, "csv", None)
            write_likeness(result, Destination("json"))
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1


HOSTILE = "a|b&c\\d_\x1b[1m {{ x }}\n'\"%"
HOSTILE_RUNS: Mapping[str, Run] = {HOSTILE: {HOSTILE: {HOSTILE: 1.0, "x": 0.5}}, "new": {HOSTILE: {HOSTILE: 1.0}}}


@pytest.mark.parametrize("kind", ["table", "csv", "tsv", "json", "jsonl", "markdown", "latex"])
def test_hostile_names_come_out_as_they_are_or_escaped(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    queries = arrow([(HOSTILE, "s{{|"), (None, "t")][:1], "query_id", HOSTILE)
    with likeness(systems=HOSTILE_RUNS, baseline=HOSTILE, queries=queries, by=HOSTILE) as result:
        write_likeness(result, Destination(kind))
        text = capsys.readouterr().out
        write_per_query(result, "csv", None)
        listed = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
    assert listed[0]["baseline"] == listed[0]["query_id"] == HOSTILE
    if kind in ("csv", "tsv"):
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if kind == "tsv" else ","))
        assert {row["baseline"] for row in rows} == {HOSTILE}
        assert {row[HOSTILE] for row in rows} == {"s{{|", ""}
    elif kind == "json":
        document = json.loads(text)
        assert document["baseline"] == document["rows"][0]["baseline"] == HOSTILE
    elif kind == "jsonl":
        assert {json.loads(line)["baseline"] for line in text.splitlines()} == {HOSTILE}
    else:
        assert "\x1b" not in text
        escaped = {"markdown": r"s{{\|", "latex": r"s\{\{|", "table": "s{{|"}
        assert escaped[kind] in text


def test_the_table_is_printed_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    with compare(OLD, NEW, ["overlap@4", "rbo", "kendall_tau"]) as result:
        write_likeness(result, Destination("table", digits=2))
    assert capsys.readouterr().out == (
        "system  queries         overlap@4               rbo  kendall_tau\n"
        "new         1-3  0.17 +0.72 -0.17  0.21 +0.79 -0.21        -1.00\n"
        "\n"
        "compared with old, without judgments\n"
        "ties=doc-desc, order=desc, score-type=double, duplicates=error, collapse=none\n"
        "new: 3 queries, 1 without results in new, 1 without results in old\n"
        "± half-width of the 95 % confidence interval of the mean (Student's t), + and - where its ends are not equally"
        " far\n"
    )


def test_the_document_says_how_it_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    with compare(OLD, NEW, "overlap@4", depth=7) as result:
        write_likeness(result, Destination("json"))
    document = json.loads(capsys.readouterr().out)
    assert document["baseline"] == "old"
    assert document["queries"] == {"new": {"queries": 3, "missing": 1, "missing_in_baseline": 1}}
    assert document["conventions"]["depth"] == 7
    assert "rel" not in document["conventions"]
    assert [row["metric"] for row in document["rows"]] == ["overlap@4"]


def test_parquet_is_written_and_trec_is_not(tmp_path: Path) -> None:
    path = str(tmp_path / "rows.parquet")
    with compare(OLD, NEW) as result:
        write_likeness(result, Destination("parquet", path))
        assert duckdb.read_parquet(path).fetchall() == result.rows.fetchall()
        write_per_query(result, "parquet", path)
        assert duckdb.read_parquet(path).fetchall() == result.per_query.fetchall()
        with pytest.raises(UsageError, match="--format trec"):
            write_likeness(result, Destination("trec"))


@pytest.mark.parametrize("name", list(likeness_catalogue()))
def test_an_entry_is_complete_and_has_a_page(name: str) -> None:
    metric = likeness_catalogue()[name]
    used = meta.find_undeclared_variables(environment(DUCKDB).parse(metric.sql))
    page = completed("metrics", name)

    assert used & set(PAIR_COLUMNS) == set(metric.reads)
    assert used - set(PAIR_COLUMNS) <= {"k"} | set(metric.parameters)
    assert set(metric.parameters) <= set(HELP) | set(metric.help)
    assert (metric.grain, metric.summary) == ("pair", "mean")
    assert name not in catalogue()
    for text in (metric.title, metric.formula, metric.citation, f"SQL of {name}"):
        assert text in page.out


def test_the_catalogue_lists_them_in_a_section_of_their_own() -> None:
    judged, _, pairs = run_cli("metrics").out.partition("\nBetween two rankings, without judgments:\n")
    assert [line.split("[")[0].split("@")[0].split(" ")[0] for line in pairs.splitlines()] == list(likeness_catalogue())
    assert "kendall_tau" not in judged
