"""Ids stay what they are, columns are found by the names people use, labels become relevances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, product
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow
import pyarrow.parquet
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.small_data import (
    QRELS,
    QRELS_NAMES,
    RUN,
    RUN_NAMES,
    TEXTS,
    ap_and_rr,
    assert_right,
    separated,
    write_csv,
    write_query,
)
from tests.support.tables import each, hold

pytestmark = pytest.mark.usefixtures("run_and_qrels")


def test_an_id_stays_the_text_it_is() -> None:
    def check(case: tuple[tuple[str, str], str]) -> None:
        (ids, others), form = case
        suffix, text = TEXTS[form]
        Path(f"run{suffix}").write_text(text(RUN_NAMES, [(ids, ids, 2), (ids, others, 1), (others, ids, 1)]))
        Path(f"qrels{suffix}").write_text(text(QRELS_NAMES, [(ids, others, 1), (others, ids, 1)]))
        with sqlrank.evaluate(f"run{suffix}", f"qrels{suffix}", "rr") as result:
            assert result.to_dict() == {ids: {"rr": 0.5}, others: {"rr": 1.0}}

    ids = [
        ("007", "7"),
        ("1e5", "100000"),
        ("1e5", "100000.0"),
        ("2024-01-01", "20240101"),
        ("1.0", "1"),
        ("TRUE", "true"),
        ("12:30", "12:30:00"),
        ("12345678901234567890123456789", "12345678901234567890123456788"),
        ("é", "e"),
    ]
    # DuckDB guesses the types of CSV; TSV, JSON and TREC by turns, whose ids nobody guesses.
    hold([*product(ids, ["csv"]), *zip(ids, cycle(["tsv", "jsonl", "trec"]))], check)


def test_a_padded_id_does_not_match_a_bare_number() -> None:
    write_csv("run.csv", RUN_NAMES, [("007", "d1", 1)])
    write_csv("qrels.csv", QRELS_NAMES, [("7", "d1", 1)])
    said = error_of(3, "eval", "run.csv", "--qrels", "qrels.csv")

    assert "'007'" in said
    assert "'7'" in said


def test_integers_of_parquet_match_the_same_numbers_as_text() -> None:
    write_query("run.parquet", "select 7 as query_id, 12345678901234 as doc_id, 1 as score")
    write_csv("qrels.csv", QRELS_NAMES, [("7", "12345678901234", 1)])
    outcome = completed("eval", "run.parquet", "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")

    assert outcome.values == {("run", "rr"): "1"}


def test_whole_numbers_of_json_are_ids_as_written_however_large() -> None:
    Path("run.jsonl").write_text('{"query_id": 7, "doc_id": 123456789012345678901234567890, "score": 1}\n')
    write_csv("qrels.csv", QRELS_NAMES, [("7", "123456789012345678901234567890", 1)])
    outcome = completed("eval", "run.jsonl", "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")

    assert outcome.values == {("run", "rr"): "1"}


@each(["1e5", "1.5", "[1]", '{"a": 1}', "true"])
def test_anything_else_as_an_id_in_json_is_an_error(written: str) -> None:
    Path("run.jsonl").write_text(f'{{"query_id": {written}, "doc_id": "d1", "score": 1}}\n')
    said = error_of(3, "eval", "run.jsonl", "--qrels", "qrels.csv")

    assert "run.jsonl" in said
    assert "query_id" in said


def test_without_header_the_columns_are_query_document_and_score() -> None:
    Path("run.csv").write_text(separated(",")(RUN[0], RUN[1:]))
    Path("qrels.tsv").write_text(separated("\t")(QRELS[0], QRELS[1:]))

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.tsv", "--no-header"))


def test_without_header_too_few_columns_are_an_error() -> None:
    Path("run.csv").write_text("q1,d1\n")
    said = error_of(3, "eval", "run.csv", "--qrels", "qrels.csv", "--no-header")

    assert all(word in said for word in ("run.csv", "query_id, doc_id, score", "'q1,d1'"))


@each(
    [
        (("qid", "docno", "sim"), ("topic", "docid", "rel")),
        (("QUERY_ID", "DOC_ID", "SCORE"), ("Query-Id", "Doc Id", "Relevance")),
        (("query-id", "corpus-id", "score"), ("query-id", "corpus-id", "score")),
        (("user_id", "item_id", "prediction"), ("userId", "itemId", "rating")),
        (("user", "sku", "y_score"), ("customer_id", "product_id", "clicked")),
        (("session_id", "url", "similarity"), ("query", "url", "is_relevant")),
        (("search_id", "pid", "pred"), ("impression_id", "passage_id", "label")),
    ]
)
def test_columns_are_found_by_the_names_people_use(case: tuple[Sequence[str], Sequence[str]]) -> None:
    run_names, qrels_names = case
    write_csv("run.csv", run_names, RUN)
    write_csv("qrels.csv", qrels_names, QRELS)
    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_the_choice_of_a_column_is_told_unless_its_name_is_the_role() -> None:
    write_csv("run.csv", ("qid", "doc_id", "score"), RUN)
    said = ap_and_rr("run.csv", "--qrels", "qrels.csv").err

    assert "note: run.csv: query_id is read from the column qid" in said
    assert "doc_id is read from" not in said
    assert "qrels.csv" not in said


@pytest.mark.parametrize(
    ("others", "chosen"),
    [(("query", "user_id", "session_id"), "query_id"), (("query", "user_id"), "qid"), (("session_id",), "user_id")],
)
def test_the_stronger_of_two_names_is_taken(others: Sequence[str], chosen: str) -> None:
    names = (chosen, "doc_id", "score", *others)
    write_csv("run.csv", names, [(*row, *("other" for _ in others)) for row in RUN])

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_two_names_of_equal_strength_are_an_error_that_shows_how_to_choose() -> None:
    write_csv("run.csv", ("qid", "topic", "doc_id", "score"), [(row[0], *row) for row in RUN])
    assert "qid and topic may both be the query_id" in error_of(3, "eval", "run.csv", "--qrels", "qrels.csv")
    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--column", "query_id=topic"))


@pytest.mark.parametrize(
    "columns",
    [
        ("run.query_id=who", "run.doc_id=what", "score=how", "qrels.query_id=wer", "qrels.doc_id=was", "relevance=wie"),
        (
            "run.query_id=WHO",
            "run.doc_id=What",
            "run.score=how",
            "qrels.query_id=wer",
            "qrels.doc_id=was",
            "qrels.relevance=wie",
        ),
    ],
)
def test_columns_may_be_told_for_the_run_and_the_judgments_apart(columns: Sequence[str]) -> None:
    write_csv("run.csv", ("who", "what", "how"), RUN)
    write_csv("qrels.csv", ("wer", "was", "wie"), QRELS)
    told = [text for column in columns for text in ("--column", column)]

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", *told))


@pytest.mark.parametrize("text", ["colour=x", "run.colour=x", "files.query_id=x"])
def test_an_unknown_role_is_a_usage_error_with_the_roles(text: str) -> None:
    said = error_of(2, "eval", "run.csv", "--qrels", "qrels.csv", "--column", text)

    assert "the roles are query_id, doc_id, score, rank, relevance, system" in said


@pytest.mark.parametrize("text", ["query_id", "query_id=", "=x"])
def test_a_column_without_role_or_name_is_a_usage_error(text: str) -> None:
    assert "ROLE=NAME" in error_of(2, "eval", "run.csv", "--qrels", "qrels.csv", "--column", text)


def test_a_run_without_scores_is_ordered_by_its_ranks() -> None:
    ranks = [(query, document, rank) for (query, document, _), rank in zip(RUN, (1, 2, 10, 1, 2), strict=True)]
    write_csv("run.csv", ("query_id", "doc_id", "rank"), ranks)

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_a_rank_column_beside_a_score_orders_nothing() -> None:
    write_csv(
        "run.csv", (*RUN_NAMES, "rank"), [(*row, number) for number, row in zip((5, 4, 3, 2, 1), RUN, strict=True)]
    )

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv"))


def test_distances_are_ordered_ascending_when_asked() -> None:
    write_csv(
        "run.csv", ("query_id", "doc_id", "distance"), [(query, document, 1 - score) for query, document, score in RUN]
    )

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--column", "score=distance", "--order", "asc"))


def test_text_labels_are_mapped() -> None:
    names = {2: "E", 1: "S"}
    write_csv("qrels.csv", QRELS_NAMES, [(query, document, names[label]) for query, document, label in QRELS])

    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--relevance-map", "E=2,S=1,I=0"))


def test_a_label_that_the_map_lacks_is_an_error_that_shows_it() -> None:
    write_csv("qrels.csv", QRELS_NAMES, [("q1", "d1", "E"), ("q1", "d2", "S")])
    said = error_of(3, "eval", "run.csv", "--qrels", "qrels.csv", "--relevance-map", "E=2")

    assert "qrels.csv, line 3" in said
    assert "'S'" in said


@each([("E", "LABEL=N"), ("E=x", "'x' is not a number"), ("E=inf", "'inf' is not a number"), ("=1", "LABEL=N")])
def test_a_relevance_map_that_is_none_is_a_usage_error(case: tuple[str, str]) -> None:
    text, word = case
    assert word in error_of(2, "eval", "run.csv", "--qrels", "qrels.csv", "--relevance-map", text)


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_booleans_are_labels(form: str) -> None:
    rows = [(query, document, "true") for query, document, _ in QRELS] + [("q1", "d1", "False")]
    write_csv("labels.csv", ("query_id", "doc_id", "clicked"), rows)
    path = "labels.csv"
    if form != "csv":
        sql = "select query_id, doc_id, clicked::bool as clicked from read_csv('labels.csv', all_varchar = true)"
        path = write_query(f"labels.{form}", sql, {"parquet": "format parquet", "jsonl": "format json"}[form])

    assert_right(ap_and_rr("run.csv", "--qrels", path))


def test_a_null_relevance_is_unjudged() -> None:
    write_csv("export.csv", (*RUN_NAMES, "relevance"), [("q1", "d1", 3, ""), ("q1", "d2", 2, 1), ("q2", "d1", 1, 1)])
    outcome = completed("eval", "export.csv", "-m", "rr", "--unjudged", "remove", "--format", "csv")

    assert outcome.values == {("export", "rr"): "1"}
    assert run_cli("eval", "export.csv", "-m", "rr", "--format", "csv").values == {("export", "rr"): "0.75"}


def test_a_labelled_export_needs_no_judgments_beside_it() -> None:
    write_csv("export.csv", (*RUN_NAMES, "relevance"), [("q1", "d1", 2, 0), ("q1", "d2", 1, 1), ("q2", "d1", 1, 1)])
    outcome = completed("eval", "export.csv", "-m", "rr", "--format", "csv")

    assert outcome.values == {("export", "rr"): "0.75"}
    assert "documents that were not shown have none" in outcome.err


def test_a_labelled_export_of_several_systems_pools_their_judgments() -> None:
    rows = [
        ("a", "q1", "d1", 2, 1),
        ("a", "q1", "d2", 1, 0),
        ("b", "q1", "d2", 2, 0),
        ("b", "q1", "d3", 1, 1),
        ("b", "q2", "d1", 1, 1),
    ]
    write_csv("export.csv", ("system", *RUN_NAMES, "relevance"), rows)
    outcome = completed("eval", "export.csv", "-m", "num_rel", "-m", "ap", "--format", "csv")

    # d1 and d3 of q1 are relevant for both systems; q2 counts 0 for a, which did not show it.
    assert outcome.values == {("a", "num_rel"): "3", ("a", "ap"): "0.25", ("b", "num_rel"): "3", ("b", "ap"): "0.625"}


def test_a_relevance_column_beside_qrels_is_ignored_with_a_note() -> None:
    write_csv("run.csv", (*RUN_NAMES, "relevance"), [(*row, 0) for row in RUN])
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv")

    assert_right(outcome)
    assert "run.csv: the column relevance is ignored; the judgments are those of --qrels" in outcome.err


def test_where_filters_run_and_judgments_of_a_labelled_export() -> None:
    rows = [("q1", "d1", 2, 1, "de"), ("q1", "d2", 1, 0, "de"), ("q2", "d1", 1, 0, "fr"), ("q2", "d2", 0, 1, "fr")]
    write_csv("export.csv", (*RUN_NAMES, "relevance", "country"), rows)
    outcome = completed("eval", "export.csv", "-m", "rr", "--where", "country = 'de'", "--format", "csv")

    assert outcome.values == {("export", "rr"): "1"}
    assert outcome.table[0]["queries"] == "1"


def test_swapped_inputs_are_told_from_columns_that_are_called_otherwise(tmp_path: Path) -> None:
    run, qrels = tmp_path / "run.csv", tmp_path / "qrels.csv"
    run.write_text("query_id,doc_id,score\nq,d,1\n", encoding="utf-8")
    qrels.write_text("query_id,doc_id,relevance\nq,d,1\n", encoding="utf-8")

    assert "it looks like judgments: rankings come first" in error_of(3, "eval", qrels, "--qrels", run)


def test_two_columns_of_one_name_are_refused_in_every_form(tmp_path: Path) -> None:
    def check(form: str) -> None:
        names = ["query_id", "doc_id", "score", "score"]
        table = pyarrow.Table.from_arrays([pyarrow.array([value]) for value in ("q", "a", 2.0, 1.0)], names=names)
        pyarrow.parquet.write_table(table, tmp_path / "run.parquet")
        data: Any = {
            "pandas": lambda: pandas.DataFrame([("q", "a", 2.0, 1.0)], columns=names),
            "arrow": lambda: table,
            "reader": table.to_reader,
            "relation": lambda: duckdb.connect().sql(
                "select 'q' as query_id, 'a' as doc_id, 2.0 as score, 1.0 as score"
            ),
            "parquet": lambda: tmp_path / "run.parquet",
        }[form]()
        with pytest.raises(sqlrank.DataError, match="two columns are called 'score'; rename one of them"):
            sqlrank.evaluate(data, {"q": {"a": 1}}, "rr")

    hold(["pandas", "arrow", "reader", "relation", "parquet"], check)
