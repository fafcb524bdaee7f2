"""How different two rankings are: worked rows, the definitions written out, scipy, and what is told and refused."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections.abc import Iterator, Mapping
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
from sqlrank.output.writing import Destination, write, write_per_query
from sqlrank.statement.columns import PAIR_COLUMNS
from sqlrank.statement.templates import environment
from tests.reference import similarity as reference
from tests.support.cases import arrow
from tests.support.cli_helper import FIXTURES, completed, run_cli
from tests.support.examples import examples
from tests.support.tables import each, hold
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


SCORED = ("query_id", "doc_id", "score")


def compare(baseline: Any, system: Any, metrics: Any = None, **options: Any) -> Likeness:
    """Two systems, `old` and `new`."""
    return likeness(metrics=metrics, systems={"old": baseline, "new": system}, **options)


def values(result: Likeness) -> dict[str, dict[str, Any]]:
    """The per-query values of the only system by query and metric."""
    return result.to_dict()


def scores(text: str) -> dict[str, float]:
    """A ranking such as `a b=c d` as scores: those of equal documents are equal."""
    return {doc: -float(place) for place, group in enumerate(text.split()) for doc in group.split("=")}


ROWS = {str(number): row for number, row in enumerate(worked_rows(WORKED))}


def test_every_value_is_the_one_worked_out() -> None:
    old, new = (
        {number: found for number, row in ROWS.items() if (found := scores(row[name]))}
        for name in ("baseline", "system")
    )
    with compare(old, new, dict.fromkeys(row["metric"] for row in ROWS.values())) as result:
        by_query = values(result)

    def check(case: tuple[str, dict[str, str]]) -> None:
        number, row = case
        wanted = pytest.approx(float(row["expected"]), abs=1e-12) if row["expected"] else None
        assert by_query[number][row["metric"]] == wanted
        assert row["why"]

    hold({"-".join([number, *row.values()][:4]): (number, row) for number, row in ROWS.items()}, check)


def test_every_metric_of_two_rankings_has_a_file_of_its_own_rows_and_a_definition() -> None:
    names = set(likeness_catalogue())
    assert {path.stem for path in WORKED.glob("*.csv")} == set(reference.METRICS) == names
    assert all(row["metric"].startswith(row["file"]) for row in ROWS.values())
    assert {text.partition("@")[0] for text in DEFAULT_LIKENESS} < names


def random_run(rng: random.Random, queries: int, documents: int, spread: int) -> Run:
    """Rankings of different lengths with many equal scores; some queries have none."""
    run: Run = {}
    for number in range(queries):
        docs = rng.sample([f"d{doc}" for doc in range(documents)], rng.randint(0, documents))
        if docs:
            run[f"q{number}"] = {doc: float(rng.randint(-spread, spread)) for doc in docs}
    return {"filler": {"same": 1.0}} | run


def assert_expected(baseline: Run, system: Run, metrics: list[str]) -> None:
    """Every metric is what its definition gives, in every query."""
    with compare(baseline, system, metrics) as result:
        found = values(result)
    assert set(found) == {*baseline, *system}
    for measure in result.measures:
        arguments: dict[str, Any] = dict(measure.values) | ({} if measure.k is None else {"k": measure.k})
        for query, row in found.items():
            runs = baseline.get(query, {}), system.get(query, {})
            wanted = reference.METRICS[measure.metric.name](*runs, **arguments)
            assert row[measure.text] == (None if wanted is None else pytest.approx(wanted, rel=1e-12, abs=1e-12)), query


@examples(4)
@given(st.randoms(use_true_random=False), st.integers(1, 14), st.sampled_from([0, 1, 3, 1000]))
def test_every_metric_is_what_its_definition_gives(rng: random.Random, documents: int, spread: int) -> None:
    assert_expected(random_run(rng, 25, documents, spread), random_run(rng, 25, documents, spread), ASKED)


FEWER = ["overlap@1,4", "jaccard@3"], ["rbo@5", "rbo(p=0.99)@2"], ["kendall_tau"]


@each([(5, (3, 300, 40), (3, 300, 9), ASKED), *((6, (30, 9, 3), (30, 9, 3), metrics) for metrics in FEWER)])
def test_long_rankings_and_metrics_that_look_at_less_are_what_the_definitions_give(case: Any) -> None:
    seed, one, other, metrics = case
    rng = random.Random(seed)
    assert_expected(random_run(rng, *one), random_run(rng, *other), metrics)


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


def test_the_average_overlap_is_that_of_the_example_of_the_paper() -> None:
    old, new = ({"q": scores(" ".join(text))} for text in ("abcdefg", "zcavwxy"))
    with compare(old, new, "average_overlap@1,2,3,4,5,6,7") as result:
        found = [result[f"average_overlap@{depth}"] for depth in range(1, 8)]
    assert found == pytest.approx([0, 0, 0.222, 0.292, 0.313, 0.317, 0.312], abs=0.0006)


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


def test_a_ranking_is_wholly_like_itself() -> None:
    run = random_run(random.Random(2), 20, 12, 1000)
    with compare(run, run) as result:
        found = values(result)
        assert result["rbo"] == pytest.approx(1, abs=1e-12)
    assert {(row["kendall_tau"], row["rank_change"]) for row in found.values()} <= {(1.0, 0.0), (None, 0.0)}
    assert all(row["rbo"] == pytest.approx(1, abs=1e-12) for row in found.values())


@each(range(3))
def test_values_are_within_their_range_and_bounds_whichever_ranking_is_the_baseline(seed: int) -> None:
    rng = random.Random(seed)
    one, other = random_run(rng, 60, 8, 2), random_run(rng, 60, 8, 2)
    with compare(one, other, ASKED) as forth, compare(other, one, ASKED) as back:
        found, turned = values(forth), values(back)
    for query, row in found.items():
        assert row == {text: None if value is None else pytest.approx(value) for text, value in turned[query].items()}
        assert row["rbo_min"] - 1e-12 <= row["rbo"] <= row["rbo_min"] + row["rbo_res"] + 1e-12
        for measure in forth.measures:
            low, high = measure.metric.range or (0, math.inf)
            value = row[measure.text]
            assert value is None or low <= value <= high + 1e-12


TIED: Run = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
ORDERED: Run = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
NEAR: Run = {"q": {"a": 1 + 1e-12, "b": 1.0}}
ALONE: Run = {"q": {"a": 1.0}}
TWICE = arrow([("q", "a", 1.0), ("q", "b", 2.0), ("q", "a", 3.0)], *SCORED)
FIRST = arrow([("q", "a", 1.0, 1), ("q", "b", 1.0, 2), ("q", "c", 1.0, 3)], *SCORED, "rank")
LAST = arrow([("q", "a", 1.0, 3), ("q", "b", 2.0, 2), ("q", "c", 3.0, 1)], *SCORED, "rank")
DEEP = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}
MOVED = pytest.approx(4 / 3)
FORMED: list[tuple[Any, Any, dict[str, Any], dict[str, Any]]] = [
    (TIED, ORDERED, {}, {"rank_change": 0}),
    (TIED, ORDERED, {"ties": "doc-asc"}, {"rank_change": MOVED}),
    (TIED, ORDERED, {"ties": "input"}, {"rank_change": MOVED}),
    (TIED, ORDERED, {"order": "asc"}, {"rank_change": MOVED}),
    (TIED, ORDERED, {"depth": 1}, {"rank_change": 0}),
    (FIRST, LAST, {"ties": "rank"}, {"rank_change": MOVED}),
    (*(side.drop("score") for side in (FIRST, LAST)), {}, {"rank_change": MOVED, "kendall_tau": -1}),
    (NEAR, NEAR, {}, {"kendall_tau": 1}),
    (NEAR, NEAR, {"score_type": "float"}, {"kendall_tau": None}),
    (*DEEP, {"depth": 2}, {"jaccard@10": pytest.approx(1 / 3), "rbo": pytest.approx(0.55), "kendall_tau": None}),
    *(
        (ALONE, TWICE, {"duplicates": policy, "ties": ties}, {"rank_change": moved, "jaccard@5": 0.5})
        for policy, moved in (("best", 0), ("first", 1))
        for ties in ("doc-desc", "input")
    ),
    # A document below the cutoff is in common all the same.
    ({"q": {"a": 2.0, "b": 1.0}}, {"q": {"c": 2.0, "a": 1.0}}, {}, {"overlap@1": 0}),
]


@each({f"{number}: {options}": case for number, case in enumerate(FORMED) if (options := case[2]) is not None})
def test_rankings_are_formed_as_they_are_where_they_are_judged(case: Any) -> None:
    old, new, options, wanted = case
    with compare(old, new, list(wanted), **options) as result:
        assert {text: result[text] for text in wanted} == wanted


@pytest.fixture(scope="module")
def usual() -> Iterator[Likeness]:
    """Two systems, each without results for a query of the other, compared in the default metrics."""
    with compare(OLD, NEW) as result:
        yield result


def test_a_query_without_results_on_one_side_counts_as_nothing_in_common(usual: Likeness) -> None:
    found = values(usual)
    nothing = {"overlap@10": 0, "jaccard@10": 0, "rbo": 0, "kendall_tau": None, "rank_change": None}
    assert found["q2"] == found["q3"] == nothing
    assert usual["overlap@10"] == pytest.approx(0.2 / 3)
    assert "new: 3 queries, 1 without results in new, 1 without results in old" in usual.remarks()
    sizes = dict(usual.rows.project("metric, queries").fetchall())
    assert sizes == {"overlap@10": 3, "jaccard@10": 3, "rbo": 3, "kendall_tau": 1, "rank_change": 1}


def test_rows_have_the_mean_and_its_interval() -> None:
    rng = random.Random(3)
    with compare(random_run(rng, 40, 6, 3), random_run(rng, 40, 6, 3)) as result:
        rows, names, found = result.rows.fetchall(), result.rows.columns, values(result)
    assert names == ["system", "baseline", "metric", "value", "queries", "stderr", "ci_low", "ci_high"]
    for row in (dict(zip(names, row, strict=True)) for row in rows):
        listed = [value for each in found.values() if (value := each[row["metric"]]) is not None]
        mean, error = sum(listed) / len(listed), float(stats.sem(listed))
        low, high = stats.t.interval(0.95, len(listed) - 1, loc=mean, scale=error)
        assert (row["system"], row["baseline"], row["queries"]) == ("new", "old", len(listed))
        assert (row["value"], row["stderr"]) == (pytest.approx(mean, rel=1e-12), pytest.approx(error, rel=1e-9))
        assert (row["ci_low"], row["ci_high"]) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


EXPORT = [("a", "q", "x", 2.0), ("a", "q", "y", 1.0), ("b", "q", "y", 2.0), ("c", "q", "x", 1.0), ("c", "p", "z", 1.0)]
SYSTEMS = arrow(EXPORT, "system", *SCORED)
BASE, *OTHERS = (SYSTEMS.filter([row[0] in names for row in EXPORT]) for names in ("a", "bc"))


def test_several_systems_of_an_export_are_compared_with_the_one_that_is_named() -> None:
    with likeness(SYSTEMS, ["overlap@2", "rank_change"], baseline="a") as result:
        assert (result.baseline, result.systems) == ("a", ["b", "c"])
        assert result.value("overlap@2", "b") == 0.5
        assert result.value("overlap@2", "c") == 0.25
        assert [row[:3] for row in result.per_query.fetchall()] == [("b", "a", "q"), ("c", "a", "p"), ("c", "a", "q")]
    rows = pa.table({"system": [1, 1, 2], "query_id": [7, 7, 7], "doc_id": [1, 2, 2], "score": [2, 1, 1]})
    with likeness(rows, ["overlap@1", "rank_change"], baseline="1") as result:
        assert (result.systems, result["overlap@1"], result["rank_change"]) == (["2"], 0, 1)
    apart = pa.table({"system": [1, 2], "query_id": [7, 7], "doc_id": [1, 2], "score": [2, 1]})
    with likeness(apart, ["overlap@1"], baseline="1") as result:
        assert result["overlap@1"] == 0
        assert any("in query '7', 2 has '2', 1 has '1'" in note for note in result.notes)


def test_the_first_run_is_the_baseline_whatever_names_it() -> None:
    semantic, keyword = str(SEARCH / "semantic.csv"), str(SEARCH / "keyword.csv")

    def check(case: tuple[list[Any], dict[str, Any], str, list[str]]) -> None:
        runs, options, baseline, systems = case
        with likeness(runs, "overlap@1", **options) as result:
            assert (result.baseline, result.systems) == (baseline, systems)

    cases: dict[str, Any] = {
        "of an export": ([BASE, *OTHERS], {}, "a", ["b", "c"]),
        "of files": ([semantic, f"other={keyword}"], {}, "semantic", ["other"]),
        "another that is named": ([semantic, keyword], {"baseline": "keyword"}, "keyword", ["semantic"]),
    }
    hold(cases, check)


def named(name: str) -> Any:
    """A run with a column of this name."""
    return arrow([("q", "a", 1.0, "x")], *SCORED, name)


def pair(new: Any, old: Any = OLD) -> dict[str, Any]:
    """Two systems to be compared."""
    return {"systems": {"old": old, "new": new}}


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
JUDGED = [*NEEDS.items(), *(("ties", ties) for ties in ("best", "average", "error"))]
SPARK = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe"})()
TEXTS: list[tuple[Any, str]] = [
    *((text, "needs judgments; give them with qrels=") for text in ("ndcg@10", "map", "ndcg_cut_10", "P_5")),
    *((text, "needs judgments; give them with qrels=") for text in ("recall_100", "overlap@10,ap")),
    ("overlapp@3", "did you mean overlap"),
    ("overlap", "overlap needs a cutoff, for example overlap@10"),
    ("kendall_tau@3", "takes no cutoff"),
    ("rbo(p=1)", "p must be between 0 and 1"),
    ("rbo(q=1)", "rbo has no parameter 'q'"),
    ("overlap@0", "whole number"),
    ([], "no metric was asked for; for example overlap@10"),
]
MISUSED: list[tuple[dict[str, Any], str]] = [
    ({"runs": SYSTEMS}, r"several systems: name one with baseline= \(one of a, b, c\)"),
    ({"runs": SYSTEMS, "baseline": "A2"}, r"baseline='A2': there is no such system.*\(one of a, b, c\)"),
    ({"runs": [*OTHERS, BASE]}, "name one with baseline="),
    *(({"runs": runs}, "second run to compare with") for runs in (OLD, [OLD], [BASE])),
    *((pair(NEW) | {name: value}, rf"{name}=.*needs judgments.*qrels=") for name, value in JUDGED),
    (pair(NEW) | {"dept": 3}, "likeness has no option 'dept'; did you mean depth"),
    (pair(NEW) | {"ties": "sideways"}, "ties='sideways' is not known"),
    *((pair(NEW) | {"metrics": text}, said) for text, said in TEXTS),
    *(
        (pair(named(name), named(name)) | {"by": name}, "rename")
        for name in ("place", "shared", "overlap_at_10", "baseline", "weight_from_place_p0p9")
    ),
    (pair(SPARK, SPARK), "compared in DuckDB"),
]


@each({f"{number}: {said}": (options, said) for number, (options, said) in enumerate(MISUSED)})
def test_what_cannot_be_asked_is_refused(case: tuple[dict[str, Any], str]) -> None:
    options, said = case
    with pytest.raises(UsageError, match=said):
        likeness(**options)


def test_every_order_of_ties_needs_judgments_or_does_not() -> None:
    (ties,) = (item.metadata["choices"] for item in fields(Conventions) if item.name == "ties")
    assert {*TIES, *JUDGED_TIES} == {*ties}


@each(["overlap@10", "rbo(p=0.5)", "jaccard_5", "kendall_tau"])
def test_an_evaluation_says_which_command_compares(text: str) -> None:
    with pytest.raises(UsageError, match="sqlrank compare"):
        sqlrank.evaluate(OLD, {"q1": {"a": 1}}, text)


@each(["overlap@5", "jaccard@3", "rbo", "rbo(p=0.95)@100", "kendall_tau", "rank_change"])
def test_canonical_texts_parse_back(text: str) -> None:
    assert [measure.text for measure in parse_measures(text, Language(pairs=True))] == [text]


def test_cutoffs_of_one_name_stand_together() -> None:
    with compare(OLD, NEW, "overlap@1,3") as result:
        assert [measure.text for measure in result.measures] == ["overlap@1", "overlap@3"]
        assert result.per_query.columns == ["system", "baseline", "query_id", "overlap_at_1", "overlap_at_3"]


QUERIES = arrow([("q1", "de", 3.0), ("q2", "de", 1.0), ("q3", "fr", 0.0)], "query_id", "country", "weight")


def test_segments_and_weights_come_from_a_table_of_queries_or_are_columns_of_the_runs() -> None:
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
    columns = (*SCORED, "it's", "weight")
    old = arrow([("q", "a", 1.0, "x", 2.0), ("p", "b", 1.0, None, 1.0)], *columns)
    new = arrow([("q", "a", 1.0, "x", 2.0), ("r", "b", 1.0, "y", 1.0)], *columns)
    with compare(old, new, "overlap@1", by="it's", weight="weight") as result:
        assert result.rows.project('"it\'s", value').fetchall() == [("(none)", 0), ("x", 1), ("y", 0), (None, 0.5)]


PLAIN, COUNTRY = arrow([("q", "a", 1.0)], *SCORED), arrow([("q", "a", 1.0, "de")], *SCORED, "country")
BAD_ROWS: list[tuple[list[Any], str]] = [
    ([("q1", None, 1.0)], "no query_id or no doc_id"),
    ([("q1", "a", None)], "scores is null"),
    ([("q1", "a", math.inf)], "scores is null, not a number, or infinite"),
    ([("q1", "a", 1.0), ("q1", "a", 2.0)], "document 'a' of query 'q1' in the run new appears 2 times"),
    ([("q01", "a", 1.0)], r"without leading zeros: 'q01' in new is 'q1' in old"),
    ([("other", "a", 1.0)], r"no query has results in both new and old: new has 'other', old has 'q1'.*quoted"),
    ([("q1", "a0", 1.0), ("q2", "x0", 1.0)], r"without the suffix '0': 'a0' of query 'q1' in new is 'a' in old"),
]
OTHER = arrow([("q", "a", 1.0, "fr")], *SCORED, "country")
NO_WEIGHT = "1 query has no weight or a negative one in the column weight"
WEIGHTS = [("q1", 1.0), ("q2", 1.0)], [("q1", 1.0), ("q2", -1.0), ("q3", 1.0)]
BAD: list[tuple[dict[str, Any], str]] = [
    *((pair(arrow(rows, *SCORED)), said) for rows, said in BAD_ROWS),
    (pair(TWICE, ALONE), "more than once.*duplicates='best'"),
    ({"runs": arrow([*EXPORT, (None, "q", "x", 1.0)], "system", *SCORED), "baseline": "a"}, "1 row has no system"),
    (pair({"q1": {"zz": 0.0}}) | {"where": "score > 0"}, "new: the system has no rows"),
    ({"runs": SYSTEMS, "baseline": "a", "where": "score > 9"}, "the run: there are no rows after where="),
    *((pair(NEW) | {"queries": arrow(rows, "query_id", "weight"), "weight": "weight"}, NO_WEIGHT) for rows in WEIGHTS),
    (pair(PLAIN, COUNTRY) | {"by": "country"}, "no column 'country'"),
    (pair(COUNTRY, PLAIN) | {"by": "country"}, "no column 'country'"),
    (pair(OTHER, COUNTRY) | {"by": "country"}, "query 'q' has 'de' and 'fr'"),
]


@each({f"{number}: {said}": (options, said) for number, (options, said) in enumerate(BAD)})
def test_bad_input_is_refused_with_what_where_and_what_to_do(case: tuple[dict[str, Any], str]) -> None:
    options, said = case
    with pytest.raises(DataError, match=said):
        likeness(**options)


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


def test_the_same_rows_as_csv_parquet_and_trec_give_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    printed = set()
    for suffix in ("csv", "parquet", "trec"):
        with likeness([str(SEARCH / f"{name}.{suffix}") for name in ("keyword", "semantic")], ASKED) as result:
            write(result, Destination("json"))
            write_per_query(result, "csv", None)
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1


def test_the_documentation_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with likeness([str(SEARCH / f"{name}.parquet") for name in ("keyword", "semantic")]) as result:
        write(result, Destination("table"))
    text = (FIXTURES.parent / "docs" / "explanation" / "likeness.md").read_text(encoding="utf-8")
    assert f"<!-- likeness -->\n```text\n{capsys.readouterr().out}```\n<!-- /likeness -->" in text


def test_labels_are_ignored_and_a_condition_filters_both_runs_and_that_is_said() -> None:
    run = arrow([("q", "a", 1.0, 1.0)], *SCORED, "relevance")
    with compare(run, run) as result:
        assert any("the column relevance is ignored" in note for note in result.notes)
    with compare(OLD, NEW, "jaccard@5", where="doc_id <> 'e'") as result:
        assert values(result)["q1"]["jaccard@5"] == 0.5
        assert "only rows where doc_id <> 'e'" in result.remarks()


def test_a_connection_that_is_passed_is_left_as_it_was() -> None:
    with duckdb.connect() as connection:
        before = connection.execute("show all tables").fetchall()
        with compare(OLD, NEW, connection=connection) as result:
            assert result["overlap@10"] is not None
        assert connection.execute("show all tables").fetchall() == before


def test_the_statement_runs_in_a_bare_duckdb() -> None:
    paths = [str(SEARCH / f"{name}.csv") for name in ("keyword", "semantic")]
    with likeness(paths, ASKED, by="country", queries=str(SEARCH / "queries.csv")) as result:
        wanted = result.per_query.order("query_id").project("* exclude (baseline)").fetchall()
        statements = [*result.sources, result.sql]
    with duckdb.connect() as connection:
        for statement in statements[:-1]:
            connection.execute(statement)
        assert connection.sql(statements[-1]).order("query_id").fetchall() == wanted


@each([{}, {"duplicates": "best", "ties": "rank"}, {"depth": 5, "score_type": "float"}])
def test_the_statement_looks_written_by_hand(options: dict[str, Any]) -> None:
    with compare(FIRST, FIRST, ASKED, **options) as result:
        text = result.sql
    assert "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    steps = text.partition("\nwith\n")[2]
    assert all(part.startswith(("--", "select")) for part in steps.strip().split("\n\n") if part[:1] != " ")


def test_parts_of_the_queries_give_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(11)
    runs = {"old": random_run(rng, 50, 9, 3), "b": random_run(rng, 50, 9, 3), "c": {"filler": {"same": 1.0}}}
    printed = set()
    for parts, threads in ((1, 1), (7, 1), (7, 2)):
        monkeypatch.setattr(DuckDBEngine, "parts", lambda _, rows, parts=parts: parts)
        with likeness(metrics=ASKED, systems=runs, threads=threads) as result:
            write_per_query(result, "csv", None)
            write(result, Destination("json"))
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1


HOSTILE = "a|b&c\\d_\x1b[1m {{ x }}\n'\"%"
HOSTILE_RUNS: Mapping[str, Run] = {HOSTILE: {HOSTILE: {HOSTILE: 1.0, "x": 0.5}}, "new": {HOSTILE: {HOSTILE: 1.0}}}


def test_hostile_names_come_out_as_they_are_or_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    def read(text: str, delimiter: str = ",") -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))

    queries = arrow([(HOSTILE, "s{{|")], "query_id", HOSTILE)
    written = {}
    with likeness(systems=HOSTILE_RUNS, baseline=HOSTILE, queries=queries, by=HOSTILE) as result:
        write_per_query(result, "csv", None)
        (listed,) = read(capsys.readouterr().out)
        for kind in ("table", "csv", "tsv", "json", "jsonl", "markdown", "latex"):
            write(result, Destination(kind))
            written[kind] = capsys.readouterr().out
    assert listed["baseline"] == listed["query_id"] == HOSTILE
    for rows in (read(written["csv"]), read(written["tsv"], "\t")):
        assert {row["baseline"] for row in rows} == {HOSTILE}
        assert {row[HOSTILE] for row in rows} == {"s{{|", ""}
    document = json.loads(written["json"])
    assert document["baseline"] == document["rows"][0]["baseline"] == HOSTILE
    assert {json.loads(line)["baseline"] for line in written["jsonl"].splitlines()} == {HOSTILE}
    for kind, escaped in {"markdown": r"s{{\|", "latex": r"s\{\{|", "table": "s{{|"}.items():
        assert "\x1b" not in written[kind]
        assert escaped in written[kind]


def test_the_table_is_printed_byte_for_byte_and_the_document_says_how_it_was_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with compare(OLD, NEW, ["overlap@4", "rbo", "kendall_tau"]) as result:
        write(result, Destination("table", digits=2))
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
    with compare(OLD, NEW, "overlap@4", depth=7) as result:
        write(result, Destination("json"))
    document = json.loads(capsys.readouterr().out)
    assert document["baseline"] == "old"
    assert document["queries"] == {"new": {"queries": 3, "missing": 1, "missing_in_baseline": 1}}
    assert document["conventions"]["depth"] == 7
    assert "rel" not in document["conventions"]
    assert [row["metric"] for row in document["rows"]] == ["overlap@4"]


def test_parquet_is_written_and_trec_is_not(usual: Likeness, tmp_path: Path) -> None:
    path = str(tmp_path / "rows.parquet")
    write(usual, Destination("parquet", path))
    assert duckdb.read_parquet(path).fetchall() == usual.rows.fetchall()
    write_per_query(usual, "parquet", path)
    assert duckdb.read_parquet(path).fetchall() == usual.per_query.fetchall()
    with pytest.raises(UsageError, match="--format trec"):
        write(usual, Destination("trec"))


@each(list(likeness_catalogue()))
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
