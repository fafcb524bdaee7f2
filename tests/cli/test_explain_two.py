"""`sqlrank explain QUERY A B`: two rankings of one query side by side."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.tables import each

RUNS = {
    "a": {"q": {"d4": 0.9, "d1": 0.8, "dX": 0.7, "d3": 0.6}, "r": {"d1": 1.0}},
    "b": {"q": {"d1": 0.9, "d2": 0.8, "d4": 0.7, "dX": 0.6, "d9": 0.5}},
}
QRELS = {"q": {"d1": 3, "d2": 2, "d3": 1, "d4": 0, "d6": 2}, "r": {"d1": 1}}
BOTH = ("explain", "q", "a.csv", "b.csv", "--qrels", "qrels.csv")

PRINTED = """q: clear boxes
A is a, B is b: the rank of each document, and what it adds to ndcg@4

A  B  moved   doc_id    title       relevance  A adds  B adds  difference
1  3  down 2  d4                            0       0       0           0
2  1  up 1    d1        A box               3  0.3325  0.5270     +0.1945
-  2  new     d2        Lid, clear          2       0  0.2217     +0.2217
              (3 more)                         0.0757       0     -0.0757

metric         A       B  difference
ndcg@4    0.4082  0.7487     +0.3405
accuracy  0.2500  1.0000     +0.7500

ndcg@4 by move: 2 new (+0.2217), 1 moved up (+0.1945), 2 moved down (0), 1 gone (-0.0757)

rel=1, ties=doc-desc, """


@pytest.fixture(autouse=True)
def files() -> None:
    """The runs, the judgments, and what documents and queries are called."""
    for name, run in RUNS.items():
        rows = [f"{query},{doc},{score}" for query, scores in run.items() for doc, score in scores.items()]
        Path(f"{name}.csv").write_text("\n".join(["query_id,doc_id,score", *rows, ""]))
    judged = [f"{query},{doc},{grade}" for query, grades in QRELS.items() for doc, grade in grades.items()]
    Path("qrels.csv").write_text("\n".join(["query_id,doc_id,relevance", *judged, ""]))
    Path("items.csv").write_text('doc_id,title\nd1,A box\nd2,"Lid, clear"\nd7,Never shown\n')
    Path("queries.csv").write_text("query_id,query\nq,clear boxes\nr,other\n")


def test_the_table_is_printed_byte_for_byte() -> None:
    shown = ("-m", "ndcg@4", "-m", "accuracy", "--rows", "2", "--items", "items.csv", "--queries", "queries.csv")
    outcome = completed(*BOTH, *shown)
    assert outcome.err == ""
    assert outcome.out.startswith(PRINTED)


def test_without_titles_there_is_no_column_of_them_and_gains_are_shown_where_they_are_not_the_relevance() -> None:
    header = completed(*BOTH, "-m", "p@3").out.splitlines()[3]
    assert header.split("  ") == ["A", "B", "moved", " doc_id", "relevance", "A adds", "B adds", "difference"]

    lines = completed(*BOTH, "-m", "ndcg(gain=exp2)@4").out.splitlines()
    assert lines[3].split()[4:6] == ["relevance", "gain"]
    assert lines[5].split()[5:7] == ["3", "7"]


def test_the_differences_are_those_of_both_evaluations() -> None:
    evaluated = completed("eval", *BOTH[2:], "-m", "ndcg@4", "--per-query", "-").table
    values = {(row["system"], row["query_id"]): float(row["ndcg_at_4"]) for row in evaluated}
    rows = completed(*BOTH, "-m", "ndcg@4", "--format", "csv", "--rows", "1").table

    assert [row["doc_id"] for row in rows] == ["d4", "d1", ""]
    found = math.fsum(float(row["difference"]) for row in rows)
    assert found == pytest.approx(values["b", "q"] - values["a", "q"], abs=1e-11)


def test_rows_alone_are_written_in_the_tidy_formats() -> None:
    document = json.loads(completed(*BOTH, "--format", "json", "-m", "ndcg@4", "--items", "items.csv").out)
    assert [row["title"] for row in document][:3] == [None, "A box", "Lid, clear"]
    assert completed(*BOTH, "-o", "rows.parquet").code == 0
    assert Path("rows.parquet").exists()
    assert "explain takes table, csv" in error_of(2, *BOTH, "--format", "markdown")


def test_one_or_two_of_several_systems_are_named() -> None:
    several = ("explain", "q", "a.csv", "b.csv", "c=b.csv", "--qrels", "qrels.csv", "-m", "p@3")
    shown = completed(*several, "--system", "c", "--system", "a").out
    assert shown.splitlines()[1] == "A is c, B is a: the rank of each document, and what it adds to p@3"
    said = "explain shows one system or two, and here are 3; say which: --system a, or two: --system a --system b"
    assert said in error_of(2, *several)
    assert "| best" in completed(*BOTH, "--system", "a").out


@each(
    [
        (["--system", "a", "--system", "a"], 2, "two different systems are shown side by side, not a, a"),
        (["--system", "a", "--system", "c"], 2, "there is no system 'c'"),
        (["--rows", "0"], 2, "--rows"),
        (["-o", "items.csv", "--items", "items.csv"], 2, "is an input"),
        (["--items", "nowhere.csv"], 3, "nowhere.csv: no such file"),
    ]
)
def test_what_cannot_be_shown_is_an_error(case: tuple[list[str], int, str]) -> None:
    arguments, code, said = case
    assert said in error_of(code, *BOTH, *arguments)


def test_a_table_that_names_nothing_is_pointed_out() -> None:
    Path("plain.csv").write_text("doc_id,price\nd1,3\n")
    Path("asked.csv").write_text("query_id,country\nq,de\n")
    said = completed(*BOTH, "--items", "plain.csv", "--queries", "asked.csv").err

    assert "--items: no column has the names of the documents; call one title, name, text" in said
    assert "--queries: no column has the names of the queries; call one title, name, text" in said
    assert "nothing reads it" not in said


def test_the_text_of_the_query_stands_above_a_single_ranking_too() -> None:
    shown = completed("explain", "q", "a.csv", "--qrels", "qrels.csv", "--queries", "queries.csv")

    assert (shown.out.splitlines()[0], shown.err) == ("q: clear boxes", "")


def test_what_has_no_parts_is_said_on_standard_error() -> None:
    outcome = completed(*BOTH, "-m", "accuracy")

    assert "no parts are shown: accuracy is not split by document; add a metric that is split by" in outcome.err
    assert " such as -m ndcg@10" in outcome.err
    assert "adds" not in outcome.out
    assert "moves: 2 new, 1 moved up, 2 moved down, 1 gone" in outcome.out


def test_titles_and_ids_that_are_hostile_stay_on_their_line() -> None:
    doc, query = "d'; drop table x --\t", "q\x1b[31m"
    Path("items.jsonl").write_text(json.dumps({"doc_id": doc, "title": "two\nlines\x1b[0m"}))
    runs = {"a": {query: {doc: 1.0}}, "b": {query: {doc: 1.0, "e": 0.5}}}
    for name, run in runs.items():
        lines = [{"query_id": query, "doc_id": one, "score": score} for one, score in run[query].items()]
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    Path("judged.jsonl").write_text(json.dumps({"query_id": query, "doc_id": doc, "relevance": 1}))
    asked = ("--qrels", "judged.jsonl", "-m", "p@1", "--items", "items.jsonl")
    shown = completed("explain", query, "a.jsonl", "b.jsonl", *asked).out

    assert "\x1b" not in shown
    (line,) = [line for line in shown.splitlines() if "drop table" in line]
    assert "two\\nlines" in line


def test_a_notebook_shows_the_tables_of_the_terminal() -> None:
    runs = {name: f"{name}.csv" for name in RUNS}
    with sqlrank.evaluate(systems=runs, qrels="qrels.csv", metrics=["ndcg@4"], queries="queries.csv") as result:
        shown = result.explain("q", systems=("a", "b"))._repr_html_()

    caption = "q: clear boxes. A is a, B is b: the rank of each document, and what it adds to ndcg@4"
    assert f"<caption>{caption}</caption>" in shown
    assert '<td class="text"><bdi>down 2</bdi></td>' in shown
    for number in ("+0.1945", "-0.0757", "+0.3405"):
        assert f"<td>{number}</td>" in shown
