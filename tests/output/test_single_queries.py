"""The worst and the best queries below a summary: rows worked out by hand, with their texts, in each format."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cases import rows_of
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv
from tests.support.tables import hold

# The reciprocal rank of each query is 1, 1/2 and 0 in `old`, and 1/2, 1 and 1 in `new`; the query d has nothing to
# find. Of its first two documents, p and q are judged and r is not: unj@2 is 0, 1 and 1 in `old`.
OLD = {"a": {"p": 2.0, "q": 1.0}, "b": {"r": 2.0, "p": 1.0}, "c": {"r": 2.0, "q": 1.0}, "d": {"q": 1.0}}
NEW = {"a": {"q": 2.0, "p": 1.0}, "b": {"p": 2.0, "r": 1.0}, "c": {"p": 2.0, "q": 1.0}, "d": {"q": 1.0}}
QRELS = {"a": {"p": 1, "q": 0}, "b": {"p": 1}, "c": {"p": 1, "q": 0}, "d": {"q": 0}}
RUNS = {"old": OLD, "new": NEW}
TEXTS = {"a": "red shoe", "b": "hat", "c": "gloves", "d": "scarf"}
PLACES = "choose table, markdown or json"
CHANGED = ["system", "metric", "place", "query_id", "baseline_value", "value", "difference"]


@pytest.fixture
def files() -> list[str]:
    """The example as files in the folder at hand, as arguments: both runs and the judgments."""
    for name, run in RUNS.items():
        write_csv(f"{name}.csv", RUN_NAMES, rows_of(run))
    write_csv(
        "qrels.csv", QRELS_NAMES, [(q, doc, grade) for q, judged in QRELS.items() for doc, grade in judged.items()]
    )
    write_csv("queries.csv", ("query_id", "query", "early"), [(q, text, q in "ab") for q, text in TEXTS.items()])
    return ["old.csv", "new.csv", "--qrels", "qrels.csv"]


def table_below(text: str, head: str) -> list[str]:
    """The lines of the table whose first line begins with `head`."""
    lines = text.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith(head))
    return lines[first : lines.index("", first)]


def test_the_worst_queries_have_the_lowest_values_and_the_best_the_highest_unless_less_is_better() -> None:
    with sqlrank.evaluate(OLD, QRELS, ["rr", "unj@2"]) as result:
        assert result.worst(2).fetchall() == [("run", "c", 0.0), ("run", "d", 0.0)]
        assert result.best(2).fetchall() == [("run", "a", 1.0), ("run", "b", 0.5)]
        assert result.worst(2, "unj@2").fetchall() == [("run", "b", 0.5), ("run", "c", 0.5)]
        assert result.best(2, "unj@2").fetchall() == [("run", "a", 0.0), ("run", "d", 0.0)]


def test_queries_with_nothing_to_find_come_after_equal_ones() -> None:
    qrels = QRELS | {"c": {"q": 0}, "d": {"p": 1}}
    with sqlrank.evaluate(OLD, qrels, ["rr"]) as result:
        assert [row[1] for row in result.worst(2).fetchall()] == ["d", "c"]


def test_systems_keep_their_order() -> None:
    with sqlrank.evaluate(systems=RUNS, qrels=QRELS, metrics="rr") as result:
        assert [row[:2] for row in result.best(1).fetchall()] == [("old", "a"), ("new", "b")]


def test_the_worst_changes_are_losses_and_the_best_are_gains() -> None:
    with sqlrank.compare(systems=RUNS, qrels=QRELS, metrics=["rr", "unj@2"]) as comparison:
        assert comparison.worst().columns == CHANGED
        assert comparison.worst().fetchall() == [("new", "rr", 1, "a", 1.0, 0.5, -0.5)]
        assert comparison.best(1).fetchall() == [("new", "rr", 1, "c", 0.0, 1.0, 1.0)]
        assert comparison.best(5, "unj@2").fetchall() == [("new", "unj@2", 1, "c", 0.5, 0.0, -0.5)]
        assert comparison.worst(5, "unj@2", system="new").fetchall() == []


def test_a_comparison_without_such_queries_says_so() -> None:
    def check(case: tuple[dict[str, Any], str]) -> None:
        asked, said = case
        with pytest.raises(sqlrank.UsageError, match=re.escape(said)):
            comparison.worst(**asked)

    with sqlrank.compare(systems=RUNS, qrels=QRELS, metrics=["rr"]) as comparison:
        hold(
            [
                ({"n": 0}, "ask for 1 query or more"),
                ({"metric": "ap"}, "ap was not compared"),
                ({"system": "neu"}, "there is no candidate 'neu' (the candidates are new)"),
            ],
            check,
        )


def test_texts_and_segments_stand_beside_the_ids(files: list[str]) -> None:
    asked = ("-m", "rr", "--queries", "queries.csv")
    found = completed("eval", "old.csv", *files[2:], *asked, "--by", "early", "--show", "worst=1")
    assert table_below(found.out, "worst:") == [
        "worst: system  query_id  early  query       rr",
        "old            c         False  gloves  0.0000",
    ]
    found = completed("compare", *files, *asked, "--show", "worst=3", "--show", "best=1")
    assert table_below(found.out, "worst:") == [
        "worst: system  metric  query_id  query        old   value  difference",
        "new            rr      a         red shoe  1.0000  0.5000     -0.5000",
    ]
    assert table_below(found.out, "best:")[1:] == ["new           rr      c         gloves  0.0000  1.0000     +1.0000"]


def test_a_table_that_only_they_read_is_read(files: list[str]) -> None:
    def check(case: tuple[list[str], str]) -> None:
        command, form = case
        asked = [*command, *files[2:], "-m", "rr", "--queries", "queries.csv", "--format", form]
        assert "nothing reads it" in str(completed(*asked))
        assert "nothing reads it" not in str(completed(*asked, "--show", "worst=1"))

    hold([(["eval", "old.csv"], "table"), (["compare", "old.csv", "new.csv"], "json")], check)


def test_a_table_is_no_longer_said_to_be_idle_once_its_texts_are_shown(files: list[str]) -> None:
    with sqlrank.evaluate("old.csv", "qrels.csv", "rr", queries="queries.csv") as result:
        assert any("nothing reads it" in note for note in result.notes)
        assert result.worst(1).columns == ["system", "query_id", "query", "rr"]
        assert not any("nothing reads it" in note for note in result.notes)


def test_a_segment_that_is_called_as_the_texts_are_stays_alone(files: list[str]) -> None:
    asked = ("-m", "rr", "--queries", "queries.csv", "--by", "query")
    found = completed("eval", "old.csv", *files[2:], *asked, "--show", "best=1")
    assert table_below(found.out, "best:")[0].split() == "best: system query_id query rr".split()


def test_markdown_has_the_tables_below_the_summary(files: list[str]) -> None:
    found = completed("eval", "old.csv", *files[2:], "-m", "rr", "--show", "best=1", "--format", "markdown")
    assert "| best: system | query\\_id | rr |\n| :-- | :-- | --: |\n| old | a | 1.0000 |\n" in found.out


def test_json_has_rows_of_each_kind(files: list[str]) -> None:
    asked = ("-m", "rr", "--show", "worst=1", "--show", "best=1", "--queries", "queries.csv", "--format", "json")
    document = json.loads(completed("eval", "old.csv", *files[2:], *asked).out)
    assert document["worst"] == [{"system": "old", "query_id": "c", "query": "gloves", "metric": "rr", "value": 0.0}]
    assert [row["query"] for row in document["best"]] == ["red shoe"]
    document = json.loads(completed("compare", *files, *asked).out)
    assert [(row["query_id"], row["difference"]) for row in document["worst"]] == [("a", -0.5)]
    assert [(row["query_id"], row["difference"]) for row in document["best"]] == [("c", 1.0)]


def test_single_queries_are_refused_where_they_have_no_place(files: list[str]) -> None:
    def check(case: tuple[tuple[tuple[object, ...], str], str]) -> None:
        (arguments, said), command = case
        assert said in error_of(2, command, *files, "-m", "rr", *arguments)
        assert not Path("rows.tex").exists()

    hold(
        product(
            [
                (
                    ("--show", "worst=3", "--format", "csv"),
                    f"worst has no place in csv; {PLACES}, or --per-query",
                ),
                (("--show", "best=3", "-o", "rows.tex"), f"--show best has no place in latex; {PLACES}"),
                (
                    ("--show", "worst=3", "--per-query", "-"),
                    "--show worst is printed below the summary, which --per-query - leaves out",
                ),
                (("--show", "best=0"), "--show best=0: give a number, as in best=5"),
            ],
            ["eval", "compare"],
        ),
        check,
    )


def test_they_need_judgments_of_one_kind(files: list[str]) -> None:
    assert "--show worst needs judgments" in error_of(
        2, "compare", "old.csv", "new.csv", "-m", "rbo", "--show", "worst=1"
    )
    sets = ("--qrels", "one=qrels.csv", "--qrels", "two=qrels.csv")
    assert "--show best is for one set" in error_of(
        2, "compare", "old.csv", "new.csv", *sets, "-m", "rr", "--show", "best=1"
    )


def test_spark_does_not_find_single_queries(files: list[str]) -> None:
    asked = ("-m", "rr", "--engine", "spark", "--show", "worst=1")
    assert "--show finds queries in DuckDB; from Spark: --per-query FOLDER" in error_of(2, "eval", *files, *asked)
