"""`sqlrank explain`: one ranking, place by place, beside the best one possible."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sqlrank
from tests.support.cases import Table, rows_of
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv
from tests.support.tables import each, hold

RUN = {"q": {"d4": 0.9, "d1": 0.8, "dX": 0.7, "d3": 0.6, "d2": 0.5}, "r": {"d1": 1.0}}
QRELS: Table = {"q": {"d1": 3, "d2": 2, "d3": 1, "d4": 0, "d5": -1, "d6": 2}, "r": {"d1": 1}}

PRINTED = """rank  doc_id  score  relevance  gain  discount  contribution  hits  | best  relevance  gain  contribution
   1  d4        0.9          0     0    1.0000        0.0000     0  | d1            3     3        3.0000
   2  d1        0.8          3     3    0.6309        1.8928     1  | d6            2     2        1.2619
   3  dX        0.7          -     0    0.5000        0.0000     1  | d2            2     2        1.0000
   4  d3        0.6          1     1    0.4307        0.4307     2  | d3            1     1        0.4307
   5  d2        0.5          2     2    0.3869        0.7737     3  | -             -     -             -

ndcg@3  0.3597
ap      0.4000

"""
CONVENTIONS = "rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, "


@pytest.fixture
def files() -> tuple[str, ...]:
    """The same data as files, in the folder where the test runs, as arguments."""
    write_csv("run.csv", RUN_NAMES, rows_of(RUN))
    write_csv("qrels.csv", QRELS_NAMES, rows_of(QRELS))
    return ("explain", "q", "run.csv", "--qrels", "qrels.csv")


def test_the_table_is_printed_byte_for_byte(files: tuple[str, ...]) -> None:
    outcome = completed(*files, "-m", "ndcg@3", "-m", "ap")
    assert outcome.err == ""
    assert outcome.out.startswith(PRINTED + CONVENTIONS)


@each(["doc-desc", "average"])
def test_the_contributions_sum_to_the_value(ties: str) -> None:
    tied = {"q": {"d4": 0.9, "d1": 0.9, "dX": 0.7, "d3": 0.5, "d2": 0.5}}

    def check(metric: str) -> None:
        with sqlrank.evaluate(tied, QRELS, metric, ties=ties, query_set="shared") as result:
            explained = result.explain("q", rows=int(metric.partition("@")[2] or 100))
            names, rows = explained.columns, explained.fetchall()
            gained, best = (
                math.fsum(row[names.index(name)] or 0 for row in rows)
                for name in ("contribution", "ideal_contribution")
            )
            assert gained / best == pytest.approx(result.of_query("q", "run")[result.measures[0].text], rel=1e-12)

    metrics = ["ndcg(gain=exp2)@4", "ndcg(ideal=full)@4"]
    hold(metrics + (["ndcg", "ndcg(discount=letor)", "ndcg(ideal=retrieved)@5"] if ties == "average" else []), check)


def test_conventions_hold_for_the_ranking_that_is_shown() -> None:
    with sqlrank.evaluate(RUN, QRELS, "ap", rel=2, unjudged="remove", depth=4) as result:
        shown = result.explain("q").project("rank, doc_id, hits, ideal_doc_id").fetchall()

    assert shown == [(1, "d4", 0, "d1"), (2, "d1", 1, "d6"), (3, "d3", 1, "d2"), (4, None, None, "d3")]


def test_a_labelled_export_and_one_of_several_systems_are_explained() -> None:
    rows = sqlrank.evaluate(systems={"a": RUN, "b": {"q": {"d2": 1.0}}}, qrels=QRELS, metrics="ap")

    assert rows.explain("q", system="b").project("doc_id, relevance").fetchall()[0] == ("d2", 2.0)
    with pytest.raises(sqlrank.UsageError, match="say which"):
        rows.explain("q")


def test_places_alone_are_written_in_the_tidy_formats(files: tuple[str, ...]) -> None:
    table = run_cli(*files, "--rows", "2", "--format", "csv").table
    places = [(row["rank"], row["doc_id"], row["ideal_doc_id"]) for row in table]
    assert places == [("1", "d4", "d1"), ("2", "d1", "d6")]
    completed(*files, "-o", "places.parquet")
    assert Path("places.parquet").exists()
    error_of(2, *files, "--format", "latex")


def test_what_cannot_be_explained_is_an_error(files: tuple[str, ...]) -> None:
    def check(case: tuple[list[str], int, str]) -> None:
        arguments, code, fragment = case
        assert fragment in error_of(code, "explain", *arguments)

    judged = list(files[3:])
    hold(
        [
            (["x", "run.csv", *judged], 3, "the query 'x' of run was not evaluated"),
            (["q", "none.csv", *judged], 3, "none.csv"),
            (["q", "run.csv", *judged, "--rows", "0"], 2, "--rows"),
            (["q", "run.csv", *judged, "--system", "runs"], 2, "did you mean run?"),
            (["q", "run.csv", *judged, "-o", "qrels.csv"], 2, "is an input"),
            (["q'; drop table x; --", "run.csv", *judged], 3, "was not evaluated"),
        ],
        check,
    )


def test_ids_that_look_like_sql_are_shown_as_they_are() -> None:
    hostile = "q' or 1=1 --"
    with sqlrank.evaluate({hostile: {"d": 1.0}}, {hostile: {"d": 1}}, "ap") as result:
        assert result.explain(hostile).project("doc_id").fetchall() == [("d",)]
