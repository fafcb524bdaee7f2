"""Segments and weights come from the run, the judgments or a table of queries."""

from __future__ import annotations

import pytest

from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.small_data import (
    QRELS,
    QRELS_NAMES,
    RR,
    RUN,
    RUN_NAMES,
    SEGMENTS,
    ap_and_rr,
    assert_right,
    write_csv,
)

pytestmark = pytest.mark.usefixtures("run_and_qrels")


def by_country(*arguments: str) -> dict[str, str]:
    """The rr of each country, with the total under an empty name."""
    outcome = completed("eval", *arguments, "--by", "country", "-m", "rr", "--format", "csv")
    return {row["country"]: row["value"] for row in outcome.table}


def test_a_segment_of_the_run_calls_missing_queries_no_results() -> None:
    write_csv("run.csv", (*RUN_NAMES, "country"), [(*row, SEGMENTS[row[0]]) for row in RUN])

    assert by_country("run.csv", "--qrels", "qrels.csv") == {"(no results)": "0", "de": "0.5", "fr": "0.5", "": RR}


def test_a_segment_of_the_judgments_or_of_the_table_of_queries_is_that_of_missing_queries_too() -> None:
    write_csv("queries.csv", ("qid", "country"), list(SEGMENTS.items()))
    described = ("--queries", "queries.csv")
    assert by_country("run.csv", "--qrels", "qrels.csv", *described) == {"de": "0.25", "fr": "0.5", "": RR}

    write_csv("qrels.csv", (*QRELS_NAMES, "country"), [(*row, SEGMENTS[row[0]]) for row in QRELS])
    assert by_country("run.csv", "--qrels", "qrels.csv") == {"de": "0.25", "fr": "0.5", "": RR}


def test_the_total_is_told_from_a_null_segment() -> None:
    write_csv("queries.csv", ("qid", "country"), [("q1", "de"), ("q2", ""), ("q3", "de")])
    asked = "run.csv --qrels qrels.csv --queries queries.csv --by country -m rr --format csv"
    outcome = completed("eval", *asked.split())

    totals = [row for row in outcome.table if row["is_total"] == "true"]
    assert [row["value"] for row in totals] == [RR]
    assert sorted((row["value"], row["queries"]) for row in outcome.table if row["is_total"] == "false") == [
        ("0.25", "2"),
        ("0.5", "1"),
    ]


def test_two_segments_make_a_row_for_each_combination() -> None:
    rows = [("q1", "de", "m"), ("q2", "fr", "m"), ("q3", "de", "d")]
    queries = write_csv("queries.csv", ("query_id", "country", "device"), rows)
    arguments = ["--queries", queries, "--by", "country", "--by", "device", "-m", "rr", "--format", "csv"]
    found = run_cli("eval", "run.csv", "--qrels", "qrels.csv", *arguments).table

    wanted = [("de", "d", "0"), ("de", "m", "0.5"), ("fr", "m", "0.5"), ("", "", RR)]
    assert [(row["country"], row["device"], row["value"]) for row in found] == wanted


def test_a_segment_with_the_name_of_an_output_column_or_named_twice_is_refused() -> None:
    asked = ("eval", "run.csv", "--qrels", "qrels.csv", "--by")
    for name in ("metric", "system", "query_id"):
        assert "rename" in error_of(2, *asked, name)
    assert "twice" in error_of(2, *asked, "country", "--by", "COUNTRY")


@pytest.mark.parametrize("place", ["run", "qrels", "queries"])
def test_a_weight_weighs_the_mean_and_leaves_counts_alone(place: str) -> None:
    weights = {"q1": 3, "q2": 1}
    judged = [row for row in QRELS if row[0] in weights]
    for kind, names, rows in (("run", RUN_NAMES, RUN), ("qrels", QRELS_NAMES, judged)):
        if kind == place:
            write_csv(f"{kind}.csv", (*names, "traffic"), [(*row, weights[row[0]]) for row in rows])
        else:
            write_csv(f"{kind}.csv", names, rows)
    write_csv("queries.csv", ("query_id", "traffic"), list(weights.items()))
    extra = ["--queries", "queries.csv"] if place == "queries" else []
    arguments = ["--weight", "traffic", "-m", "ap", "-m", "num_ret", "--format", "csv"]
    outcome = completed("eval", "run.csv", "--qrels", "qrels.csv", *extra, *arguments)

    # ap: (3 * 7/18 + 1 * 1/2) / 4
    assert outcome.values == {("run", "ap"): "0.416666666667", ("run", "num_ret"): "5"}


def test_a_column_called_weight_weighs_nothing_unless_asked() -> None:
    write_csv("run.csv", (*RUN_NAMES, "weight"), [(*row, 99 if row[0] == "q1" else 1) for row in RUN])

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))
