"""Comparisons: worked numbers, pairing, segments, the mistakes of other tools, and what is refused."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sqlrank
from sqlrank.comparison.flow import local_engine
from sqlrank.inputs import duckdb_tables
from sqlrank.inputs.formats import read_files
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.comparisons import METRIC, compared, experiments, query_names, row, sides
from tests.support.examples import examples
from tests.support.tables import each, hold

SEARCH = FIXTURES / "search"
KEYWORD, SEMANTIC, QRELS = (str(SEARCH / f"{name}.parquet") for name in ("keyword", "semantic", "qrels"))


def test_a_comparison_of_four_queries_by_hand() -> None:
    found = row({"alpha": 0.1}, a=[1, 2, 3, 2], b=[2, 2, 5, 1])
    # The differences are 1, 0, 2 and -1: mean 1/2, variance (0.25 + 0.25 + 2.25 + 2.25) / 3 = 5/3.
    assert [found[name] for name in ("system", "baseline", "metric")] == ["b", "a", METRIC]
    assert (found["baseline_value"], found["value"], found["difference"]) == (2.0, 2.5, 0.5)
    assert found["relative_difference"] == 0.25
    assert found["effect_size"] == pytest.approx(0.5 / math.sqrt(5 / 3))
    margin = stats.t.ppf(0.95, 3) * math.sqrt(5 / 3 / 4)
    ends = row({"alpha": 0.1, "test": "t"}, a=[1, 2, 3, 2], b=[2, 2, 5, 1])
    assert (ends["ci_low"], ends["ci_high"]) == (pytest.approx(0.5 - margin), pytest.approx(0.5 + margin))
    assert (found["ci_low"], found["ci_high"]) == (None, None)  # of 16 choices of signs 2 are as far as any
    assert (found["wins"], found["ties"], found["losses"], found["delta_gsb"]) == (2, 1, 1, 0.25)
    assert found["queries"] == 4
    # Of the signs of 1, 2 and -1: 2 = 1 + 2 - 1 or farther, by all but 1 - 2 + 1 = 0 and its opposite.
    assert found["p_value"] == 6 / 8


def test_a_baseline_of_0_has_no_relative_difference_and_one_query_no_interval() -> None:
    assert row(a=[0, 0], b=[1, 1])["relative_difference"] is None
    found = row(a=[1], b=[2])
    assert (found["difference"], found["ci_low"], found["effect_size"], found["p_value"]) == (1.0, None, None, 1.0)


@each(["t", "bootstrap"])
def test_one_query_and_a_difference_that_never_varies_are_not_tested_by_their_spread(test: str) -> None:
    found = row({"test": test}, a=[1], b=[2])
    assert (found["p_value"], found["p_adjusted"], found["significant"]) == (None, None, None)
    found = row({"test": test}, a=[0.1, 0.4, 0.2] * 4, b=[0.2, 0.5, 0.3] * 4)
    assert [found[name] for name in ("effect_size", "p_value", "ci_low", "significant")] == [None] * 4


def test_a_count_is_compared_by_its_sum_whatever_the_weights() -> None:
    runs = {
        "a": {"q1": {"d": 1.0}, "q2": {"d": 1.0}},
        "b": {"q1": {"d": 1.0, "e": 2.0}, "q2": {"d": 1.0, "f": 3.0, "g": 1.0}},
    }
    asked: dict[str, Any] = {"systems": runs, "qrels": {"q1": {"d": 1.0}, "q2": {"d": 1.0}}, "metrics": "num_ret"}
    queries = pa.table({"query_id": ["q1", "q2"], "traffic": [1.0, 9.0]})
    with sqlrank.compare(**asked, test="t") as comparison:
        found = comparison["num_ret"]
    assert (found["baseline_value"], found["value"], found["difference"]) == (2, 5, 3)
    assert found["ci_high"] == pytest.approx(3 + 2 * stats.t.ppf(0.975, 1) * 0.5)
    with sqlrank.compare(**asked, test="t", weight="traffic", queries=queries) as comparison:
        assert comparison["num_ret"] == found


def test_a_weighted_comparison_has_the_weighted_means_of_an_evaluation() -> None:
    runs, qrels = sides(a=[1, 2, 3], b=[2, 2, 5])
    names = [{"query_id": name, "traffic": weight} for name, weight in zip(query_names(3), (5, 1, 2), strict=True)]
    options: dict[str, Any] = {"weight": "traffic", "queries": pa.Table.from_pylist(names)}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, test="t", **options) as comparison:
        found = comparison[METRIC]
    with sqlrank.evaluate(systems=runs, qrels=qrels, metrics=METRIC, **options) as result:
        assert found["baseline_value"] == result.value(METRIC, "a") == pytest.approx(13 / 8)
        assert found["value"] == result.value(METRIC, "b")
    # Differences 1, 0, 2 with weights 5, 1, 2: mean 9/8, and 4/3, 9/7, 5/6 without each.
    error = math.sqrt(2 / 3 * ((4 / 3 - 9 / 8) ** 2 + (9 / 7 - 9 / 8) ** 2 + (5 / 6 - 9 / 8) ** 2))
    assert found["ci_high"] - found["difference"] == pytest.approx(stats.t.ppf(0.975, 64 / 30 - 1) * error)


@each(["randomization", "t", "bootstrap"])
def test_a_segment_without_weight_has_no_difference(test: str) -> None:
    runs, qrels = experiments({"a": [[1, 1, 2], [2, 3]], "b": [[2, 1, 1], [1, 1]]})
    names = runs["a"].column("query_id").to_pylist()
    queries = pa.table({"query_id": names, "traffic": [1.0, 2.0, 2.0, 0.0, 0.0]})
    options: dict[str, Any] = {"weight": "traffic", "queries": queries, "by": "experiment", "test": test}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **options) as comparison:
        first, second, total = comparison.all_rows
        assert {second[name] for name in ("value", "difference", "ci_low", "p_value", "effect_size")} == {None}
        assert (second["queries"], second["losses"]) == (0, 0)
        assert first["difference"] == total["difference"] == pytest.approx(-0.2, rel=1e-15)


@each(["sign", "wilcoxon"])
def test_a_test_without_weights_refuses_them(test: str) -> None:
    said = error_of(2, "compare", KEYWORD, SEMANTIC, "--qrels", QRELS, "--weight", "x", "--test", test)
    assert f"--test {test} takes no weights; with --weight choose randomization, t or bootstrap" in said


def test_a_query_without_results_counts_as_0_or_is_left_out_of_all_systems() -> None:
    found = row(a=[1, 1, 1], b=[2, None, 2])
    assert (found["value"], found["queries"], found["losses"]) == (4 / 3, 3, 1)
    with compared({"query_set": "shared"}, a=[1, 1, 1], b=[2, None, 2], c=[3, 3, None]) as comparison:
        assert [row["queries"] for row in comparison.all_rows] == [1, 1]
        assert "2 queries do not count, as not every system has results for them" in comparison.remarks()


@each(
    [
        ("run", [1, 1, 1], [2, None, 2], "b lacks 1 that others have, such as 'q00001'; choose query_set='judged'"),
        ("shared", [1, None], [None, 2], "no query in common"),
    ]
)
def test_systems_with_other_queries_are_refused(case: tuple[str, list[float | None], list[float | None], str]) -> None:
    query_set, first, second, said = case
    with pytest.raises(sqlrank.DataError, match=said):
        compared({"query_set": query_set}, a=first, b=second)


def test_a_query_with_a_value_on_one_side_only_is_no_pair() -> None:
    runs = {
        "a": {"q1": {"d": 1.0, "e": 0.5}, "q2": {"d": 1.0, "e": 2.0}},
        "b": {"q1": {"d": 1.0, "e": 0.5}, "q2": {"d": 1.0}},
    }
    asked: dict[str, Any] = {
        "qrels": {q: {"d": 1.0, "e": 0.0} for q in ("q1", "q2")},
        "metrics": "gauc",
        "empty": "skip",
    }
    with sqlrank.compare(systems=runs, **asked) as comparison:
        assert comparison["gauc"]["queries"] == 1
        said = "gauc of b: 1 query has a value on one side only, and does not count in the difference"
        assert comparison.notes == [said]
    with pytest.raises(sqlrank.DataError, match="gauc of b: no query has a value both there and in a"):
        sqlrank.compare(systems={name: {"q2": run["q2"]} for name, run in runs.items()}, **asked)


def test_the_family_is_every_row_of_the_table() -> None:
    runs, qrels = sides(a=[1, 2, 1, 2], b=[2, 3, 2, 3], c=[2, 2, 2, 3])
    segments = pa.Table.from_pylist([{"query_id": name, "half": str(n % 2)} for n, name in enumerate(query_names(4))])
    options: dict[str, Any] = {"queries": segments, "by": "half", "correction": "bonferroni"}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=[METRIC, "dcg@2"], **options) as comparison:
        assert comparison.families == {"total": 2 * 2, "segments": 2 * 2 * 2}
        for row in comparison.all_rows:
            assert row["p_adjusted"] == min(1.0, (4 if row["is_total"] else 8) * row["p_value"])


def test_a_note_says_which_share_of_the_first_documents_was_judged() -> None:
    with compared({"test": "t"}, a=[1, 1], b=[2, 0]) as comparison:
        assert comparison.notes == []
    twice = {"a": {"d": 2.0, "e": 1.0}, "b": {"x": 2.0, "e": 1.0}}
    runs = {system: {"q1": scores, "q2": scores} for system, scores in twice.items()}
    qrels = {query: {"d": 1.0, "e": 0.0} for query in ("q1", "q2")}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics="ndcg@2") as comparison:
        pool = "the judged shares of the first 2 documents differ (a 100.0 %, b 50.0 %)"
        assert [note for note in comparison.notes if note.startswith(pool)]
    # one of three documents is judged, the same in both
    runs = {"a": {"q1": {"d": 3.0, "e": 2.0, "f": 1.0}}, "b": {"q1": {"e": 3.0, "d": 2.0, "f": 1.0}}}
    with sqlrank.compare(systems=runs, qrels={"q1": {"d": 1.0}}, metrics="ndcg@3") as comparison:
        pool = "less than half of the first 3 documents is judged (a 33.3 %, b 33.3 %), and unjudged documents count"
        assert [note for note in comparison.notes if note.startswith(pool)]


def test_segments_have_their_own_rows_and_the_total_comes_last() -> None:
    values = {"a": [[1, 1, 1], [2, 2]], "b": [[2, 1, 3], [1, 0]]}
    runs, qrels = experiments(values)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, by="experiment") as comparison:
        rows = comparison.rows
        shown = [dict(zip(rows.columns, values, strict=True)) for values in rows.fetchall()]
        assert comparison.row_of(METRIC, experiment="e1")["difference"] == -1.5
        assert comparison[METRIC]["difference"] == 0.0
    assert [(row["experiment"], row["is_total"], row["queries"]) for row in shown] == [
        ("e0", False, 3),
        ("e1", False, 2),
        (None, True, 5),
    ]
    assert shown[0]["p_value"] == 2 / 4


@each(["scope", "pair", "value_1", "segment_1", "query", 'we"ird; --', "{{ x }}"])
def test_a_segment_may_be_called_anything_else(name: str) -> None:
    runs, qrels = experiments({"a": [[1, 1], [2]], "b": [[2, 1], [1]]})
    named = {system: table.rename_columns(["query_id", "doc_id", "score", name]) for system, table in runs.items()}
    with sqlrank.compare(systems=named, qrels=qrels, metrics=METRIC, by=name) as comparison:
        assert [row[name] for row in comparison.all_rows] == ["e0", "e1", None]
        assert name in comparison.movers().columns
        assert name in comparison.per_query.columns


def test_a_query_that_one_system_missed_is_in_the_segment_of_another_and_one_that_all_missed_in_its_own() -> None:
    runs, qrels = experiments({"a": [[1, 1], [2]], "b": [[2, 1], [1]]})
    missed = {system: table.slice(1) for system, table in runs.items()}
    one, none = {"a": runs["a"], "b": missed["b"]}, missed
    with sqlrank.compare(systems=one, qrels=qrels, metrics=METRIC, by="experiment") as comparison:
        assert [row["queries"] for row in comparison.all_rows] == [2, 1, 3]
    with sqlrank.compare(systems=none, qrels=qrels, metrics=METRIC, by="experiment") as comparison:
        assert [row["experiment"] for row in comparison.all_rows] == ["(no results)", "e0", "e1", None]


def test_a_total_that_goes_against_most_of_its_segments_is_pointed_out() -> None:
    said = [f"{METRIC} of b goes up in total and down in 2 of 3 segments"]
    cases = [
        ([[2, 4] * 9, [2, 4] * 9, [0] * 20], [[2, 3, 1, 4] * 9, [2, 3, 1, 4] * 9, [9] * 20], said),
        ([[2], [2], [0]], [[1], [1], [9]], []),  # a query each is no evidence of a direction
        ([[2, 4] * 9, [2, 4] * 9, [0, 9, 0, 1]], [[2, 3, 1, 4] * 9, [2, 3, 1, 4] * 9, [9, 8, 9, 9]], []),
    ]
    for old, new, notes in cases:
        new = [part[: len(beside)] for part, beside in zip(new, old, strict=True)]
        runs, qrels = experiments({"a": old, "b": new})
        with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, by="experiment", test="t") as comparison:
            assert [note for note in comparison.notes if "in total" in note] == notes


@examples(4)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4), min_size=2, max_size=4)
)
def test_pairs_over_one_set_of_queries_cannot_go_one_way_in_every_segment_and_another_in_total(
    values: list[list[tuple[int, int]]],
) -> None:
    runs, qrels = experiments({side: [[pair[at] for pair in part] for part in values] for at, side in enumerate("ab")})
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, by="experiment") as comparison:
        assert not [note for note in comparison.notes if "every segment" in note]


PLAIN, EXPORT = [KEYWORD, SEMANTIC, "--qrels", QRELS], str(SEARCH / "export.parquet")
OF_NONE = "--baseline keywrd: no such system; did you mean keyword? (there are keyword, semantic)"
JUNIT = "--junit reports on gates: give --fail-under (eval) or --fail-on-drop (compare) too"
MISTAKEN: list[tuple[list[str], str]] = [
    ([*PLAIN, "--test", "tukey"], "--test tukey is not known (one of randomization, t, bootstrap, wilcoxon, sign)"),
    ([*PLAIN, "--correction", "bonferoni"], "did you mean bonferroni?"),
    ([*PLAIN, "--alpha", "0"], "--alpha 0: give 0.000001 to 0.5; 0.05 is for intervals of 95 %"),
    ([*PLAIN, "--alpha", "1e-17"], "--alpha 1e-17: give 0.000001 to 0.5"),
    ([*PLAIN, "--replicates", "99"], "--replicates 99: give from 100 to 10,000,000"),
    ([*PLAIN, "--baseline", "keywrd"], OF_NONE),
    ([*PLAIN, "-m", "auc"], "auc is one value for a whole system, and cannot be compared query by query"),
    (
        [*PLAIN, "-m", "gm_map"],
        "ap(mean=geometric) is a geometric mean, whose difference is not a mean over queries: -m ap",
    ),
    ([*PLAIN, "-m", "gauc(weight=rows)"], "weighs the queries of each system in its own way; compare gauc"),
    ([*PLAIN, "-m", "unexpectedness@10"], "unexpectedness@10 has a baseline of its own; sqlrank eval computes it"),
    ([*PLAIN, "--format", "trec"], "compare takes table, csv, tsv, json, jsonl, parquet, markdown, latex, not trec"),
    (
        [*PLAIN, "--show", "movers=3", "--format", "csv"],
        "--show movers has no place in csv; choose table",
    ),
    ([*PLAIN, "--by", "Losses"], "--by Losses: the output has a column of that name; rename the column first"),
    ([*PLAIN, "--confidently"], "--confidently is for --fail-on-drop: give that too"),
    ([*PLAIN, "--junit", "gates.xml"], JUNIT),
    ([*PLAIN, "--fail-on-drop", "ndcg@10"], "--fail-on-drop ndcg@10: write METRIC=VALUE, for example ndcg@10=0.005"),
    (PLAIN[1:], "there is one system, semantic; a comparison needs a baseline and a candidate"),
    ([EXPORT, "-m", "ap"], "which system is the baseline? --baseline NAME, of keyword, semantic"),
]


@each({f"{options} {said}": (options, said) for options, said in MISTAKEN})
def test_what_cannot_be_asked_says_what_can(case: tuple[list[str], str]) -> None:
    options, said = case
    assert said in error_of(2, "compare", *options)


@each([PLAIN, [EXPORT]])
def test_the_baseline_may_be_any_of_the_systems_of_files_and_of_an_export(inputs: list[str]) -> None:
    outcome = completed("compare", *inputs, "-m", "ap", "--baseline", "semantic", "--format", "csv")
    assert [(row["baseline"], row["system"]) for row in outcome.table] == [("semantic", "keyword")]


def test_the_values_are_those_of_an_evaluation() -> None:
    def check(case: tuple[list[str], dict[str, Any], list[str]]) -> None:
        metrics, options, texts = case
        asked = ([KEYWORD, SEMANTIC], QRELS, metrics)
        with sqlrank.compare(*asked, **options) as comparison, sqlrank.evaluate(*asked, **options) as result:
            assert [measure.text for measure in comparison.measures] == texts
            assert [row["metric"] for row in comparison.all_rows] == texts
            for row in comparison.all_rows:
                for name, system in (("baseline_value", "keyword"), ("value", "semantic")):
                    assert row[name] == pytest.approx(result.value(row["metric"], system), abs=1e-12)

    of_lightgbm = ["ndcg(gain=exp2, ideal=retrieved)@10", "ndcg(ideal=retrieved)@10"]
    lightgbm: dict[str, Any] = {"like": "lightgbm", "query_set": "judged", "ties": "doc-desc"}
    cases: dict[str, Any] = {
        "as they are": (["ap", "rr"], {}, ["ap", "rr"]),
        "a parameter that is written wins over a level": (["ap(rel=1)", "ap"], {"rel": 2}, ["ap", "ap(rel=2)"]),
        "a tool is followed": (["ndcg@10", "ndcg(gain=linear)@10"], lightgbm, of_lightgbm),
    }
    hold(cases, check)


def test_a_connection_that_is_passed_is_left_as_it_was() -> None:
    import duckdb

    connection = duckdb.connect()
    for test in ("randomization", "bootstrap"):
        with sqlrank.compare([KEYWORD, SEMANTIC], QRELS, "ap", connection=connection, test=test) as comparison:
            assert comparison["ap"]["queries"] == 300
    assert connection.execute("show all tables").fetchall() == []


def test_systems_are_selected_by_name_and_the_queries_that_moved_most_come_first() -> None:
    with compared(a=[1, 2], b=[2, 3], c=[3, 4]) as comparison:
        with pytest.raises(sqlrank.UsageError, match="there are 2 candidates; say which: system='b'"):
            comparison[METRIC]
        assert comparison.row_of(METRIC, "c")["difference"] == 2.0
        with pytest.raises(sqlrank.UsageError, match="ap was not compared"):
            comparison.row_of("ap")
    with compared(a=[1, 5, 3, 2], b=[2, 1, 3, 4]) as comparison:
        moved = comparison.movers(2)
        assert moved.columns == ["system", "metric", "place", "query_id", "baseline_value", "value", "difference"]
        assert moved.fetchall() == [
            ("b", METRIC, 1, "q00001", 5.0, 1.0, -4.0),
            ("b", METRIC, 2, "q00003", 2.0, 4.0, 2.0),
        ]
        assert len(comparison.movers().fetchall()) == 3
        with pytest.raises(sqlrank.UsageError, match="ask for 1 or more"):
            comparison.movers(0)


def test_a_comparison_shows_itself_in_a_notebook() -> None:
    runs, qrels = experiments({"a": [[1, 1, 2], [2, 3]], "b": [[2, 1, 2], [1, 1]]})
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, by="experiment") as comparison:
        text = repr(comparison)
    assert "(all)" in text
    assert "adjusted p" in text.splitlines()[0]
    assert re.search(r"\b0\.3333\b", text)
    assert not re.search(r"\.\d{5}", text), "four digits are what a person looks at first"
    assert "trec_eval's conventions" in text


def test_too_few_replicates_for_a_correction_and_too_few_queries_for_the_bootstrap_are_pointed_out() -> None:
    rng = random.Random(1)
    systems = {f"s{number}": [rng.random() for _ in range(30)] for number in range(7)}
    with compared({"replicates": 100}, **systems) as comparison:
        said = "with 100 replicates none of 6 p values can be significant after correction; replicates=120 or more"
        assert comparison.notes == [said]
    with compared({"test": "bootstrap"}, a=[1, 2, 3], b=[2, 2, 4]) as comparison:
        said = "the bootstrap's interval of a skewed metric may miss in fewer than 100 queries"
        assert comparison.notes[0].startswith(said)


@each([(100, True), (10_000, False)])
def test_the_bootstrap_has_no_interval_beyond_its_last_replicate(case: tuple[int, bool]) -> None:
    replicates, withheld = case
    rng = random.Random(2)
    systems = {name: [rng.random() for _ in range(100)] for name in "abc"}
    with compared({"test": "bootstrap", "replicates": replicates, "alpha": 0.01}, **systems) as comparison:
        assert [row["ci_low"] is None for row in comparison.all_rows] == [withheld] * 2
        said = "2 differences have no interval, as none of 100 replicates is beyond its ends"
        assert any(note.startswith(said) for note in comparison.notes) is withheld


def test_runs_without_judgments_are_compared_by_how_different_they_are() -> None:
    outcome = completed("compare", KEYWORD, SEMANTIC, "--format", "csv")
    metrics = ["overlap@10", "jaccard@10", "rbo", "kendall_tau", "rank_change"]
    assert [(row["system"], row["baseline"], row["metric"]) for row in outcome.table] == [
        ("semantic", "keyword", metric) for metric in metrics
    ]
    outcome = run_cli("compare", KEYWORD, SEMANTIC, "-m", "overlap@5,10", "--per-query", "-")
    assert list(outcome.table[0]) == ["system", "baseline", "query_id", "overlap_at_5", "overlap_at_10"]
    assert len(outcome.table) == 297
    export = [str(SEARCH / "export.parquet"), "--baseline", "keyword", "--format", "csv"]
    assert [row["metric"] for row in run_cli("compare", *export, "-m", "ap").table] == ["ap"]
    assert len(run_cli("compare", *export).table) == 5
    assert [row["metric"] for row in run_cli("compare", *export, "-m", "rbo").table] == ["rbo"]


@each(
    [
        (["--test", "t"], 2, "--test needs judgments: give them with --qrels, or runs with a relevance column"),
        (["--show", "movers=3"], 2, "--show movers needs judgments"),
        (["--fail-on-drop", "ap=0.1"], 2, "--fail-on-drop needs judgments"),
        (["--rel", "2"], 2, "--rel needs judgments; give them with --qrels"),
        (["-m", "ndcg@10"], 3, "has no column for the relevance"),
        (["-m", "rbo", "--qrels", QRELS], 2, "is about two rankings, without judgments"),
    ]
)
def test_what_needs_judgments_says_so(case: tuple[list[str], int, str]) -> None:
    options, code, said = case
    assert said in error_of(code, "compare", KEYWORD, SEMANTIC, *options)


def test_python_has_a_function_for_either() -> None:
    with sqlrank.likeness([KEYWORD, SEMANTIC], "overlap@10") as result:
        assert result["overlap@10"] == pytest.approx(0.3471, abs=5e-5)
    with pytest.raises(sqlrank.DataError, match="no column for the relevance"):
        sqlrank.compare([KEYWORD, SEMANTIC])


def test_each_input_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def counting(engine: Any, argument: str, *others: Any) -> Any:
        opened[argument] += 1
        return read_files(engine, argument, *others)

    monkeypatch.setattr(duckdb_tables, "read_files", counting)
    for arguments in (PLAIN[:2], PLAIN):
        opened: Counter[str] = Counter()
        assert run_cli("compare", *arguments).code == 0
        assert opened == dict.fromkeys([argument for argument in arguments if argument != "--qrels"], 1)


def test_an_engine_other_than_duckdb_is_refused() -> None:
    with pytest.raises(sqlrank.UsageError, match="comparisons run in DuckDB: collect the data frame"):
        local_engine(object())
