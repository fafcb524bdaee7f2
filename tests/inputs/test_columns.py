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
from tests.support.cli_helper import completed, error_of
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


def test_whole_numbers_of_parquet_and_json_are_ids_as_written_however_large() -> None:
    write_query("run.parquet", "select 7 as query_id, 12345678901234 as doc_id, 1 as score")
    Path("run.jsonl").write_text('{"query_id": 7, "doc_id": 123456789012345678901234567890, "score": 1}\n')
    for path, doc in (("run.parquet", "12345678901234"), ("run.jsonl", "123456789012345678901234567890")):
        assert sqlrank.evaluate(path, {"7": {doc: 1}}, "rr")["rr"] == 1


@each(["1e5", "1.5", "[1]", '{"a": 1}', "true"])
def test_anything_else_as_an_id_in_json_is_an_error(written: str) -> None:
    Path("run.jsonl").write_text(f'{{"query_id": {written}, "doc_id": "d1", "score": 1}}\n')
    said = error_of(3, "eval", "run.jsonl", "--qrels", "qrels.csv")
    assert "run.jsonl" in said
    assert "query_id" in said


PAIR = ("query_id", "doc_id")
RANKS = [(query, document, rank) for (query, document, _), rank in zip(RUN, (1, 2, 10, 1, 2), strict=True)]
TURNED = [(*row, number) for number, row in zip((5, 4, 3, 2, 1), RUN, strict=True)]
LABELS = {2: "E", 1: "S"}
TOLD = "run.query_id=who run.doc_id=what score=how qrels.query_id=wer qrels.doc_id=was relevance=wie"
AGAIN = "run.query_id=WHO run.doc_id=What run.score=how qrels.query_id=wer qrels.doc_id=was qrels.relevance=wie"


def of_columns(text: str) -> list[str]:
    """The options that name these columns."""
    return [word for column in text.split() for word in ("--column", column)]


FOUND: list[tuple[Sequence[str], list[Any], Sequence[str], list[Any], list[str]]] = [
    # The names that people use.
    *(
        (run.split(","), RUN, qrels.split(","), QRELS, [])
        for run, qrels in {
            "qid,docno,sim": "topic,docid,rel",
            "QUERY_ID,DOC_ID,SCORE": "Query-Id,Doc Id,Relevance",
            "query-id,corpus-id,score": "query-id,corpus-id,score",
            "user_id,item_id,prediction": "userId,itemId,rating",
            "user,sku,y_score": "customer_id,product_id,clicked",
            "session_id,url,similarity": "query,url,is_relevant",
            "search_id,pid,pred": "impression_id,passage_id,label",
        }.items()
    ),
    # The stronger of two names.
    *(
        ((chosen, "doc_id", "score", *others), [(*row, *others) for row in RUN], QRELS_NAMES, QRELS, [])
        for chosen, others in (
            ("query_id", ("query", "user_id", "session_id")),
            ("qid", ("query", "user_id")),
            ("user_id", ("session_id",)),
            ("user_query", ("query", "session_id")),
        )
    ),
    # Names that are told, for the run and the judgments apart.
    (("who", "what", "how"), RUN, ("wer", "was", "wie"), QRELS, of_columns(TOLD)),
    (("who", "what", "how"), RUN, ("wer", "was", "wie"), QRELS, of_columns(AGAIN)),
    # The order without scores is that of the ranks, which orders nothing beside a score; distances are turned.
    ((*PAIR, "rank"), RANKS, QRELS_NAMES, QRELS, []),
    ((*RUN_NAMES, "rank"), TURNED, QRELS_NAMES, QRELS, []),
    (
        (*PAIR, "distance"),
        [(query, document, 1 - score) for query, document, score in RUN],
        QRELS_NAMES,
        QRELS,
        ["--column", "score=distance", "--order", "asc"],
    ),
    # Labels that are texts.
    (RUN_NAMES, RUN, QRELS_NAMES, [(*row[:2], LABELS[row[2]]) for row in QRELS], ["--relevance-map", "E=2,S=1,I=0"]),
    # No names at all.
    (RUN[0], RUN[1:], QRELS[0], QRELS[1:], ["--no-header"]),
]


@each({f"{case[0]} {case[2]} {case[4]}": case for case in FOUND})
def test_columns_are_found(case: Any) -> None:
    run_names, run, qrels_names, qrels, options = case
    write_csv("run.csv", run_names, run)
    write_csv("qrels.csv", qrels_names, qrels)
    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", *options))


RUN_TEXT, QRELS_TEXT = separated(",")(RUN_NAMES, RUN), separated(",")(QRELS_NAMES, QRELS)
ROLES = "the roles are query_id, doc_id, score, rank, relevance, system"
REFUSED: list[tuple[int, str, str, list[str], tuple[str, ...]]] = [
    (3, "query_id,doc_id,score\n007,d1,1\n", "query_id,doc_id,relevance\n7,d1,1\n", [], ("'007'", "'7'")),
    (3, "q1,d1\n", QRELS_TEXT, ["--no-header"], ("run.csv", "query_id, doc_id, score", "'q1,d1'")),
    *(
        (2, RUN_TEXT, QRELS_TEXT, ["--column", text], (said,))
        for said, texts in {
            ROLES: ("colour=x", "run.colour=x", "files.query_id=x"),
            "ROLE=NAME": ("query_id", "query_id=", "=x"),
        }.items()
        for text in texts
    ),
    (
        3,
        RUN_TEXT,
        "query_id,doc_id,relevance\nq1,d1,E\nq1,d2,S\n",
        ["--relevance-map", "E=2"],
        ("qrels.csv, line 3", "'S'"),
    ),
    *(
        (2, RUN_TEXT, QRELS_TEXT, ["--relevance-map", text], (said,))
        for text, said in {
            "E": "LABEL=N",
            "E=x": "'x' is not a number",
            "E=inf": "'inf' is not a number",
            "=1": "LABEL=N",
        }.items()
    ),
    (3, QRELS_TEXT, RUN_TEXT, [], ("it looks like judgments: rankings come first",)),
]


@each({f"{options} {said}": (code, run, qrels, options, said) for code, run, qrels, options, said in REFUSED})
def test_columns_and_labels_that_mean_nothing_are_refused(case: Any) -> None:
    code, run, qrels, options, fragments = case
    Path("run.csv").write_text(run)
    Path("qrels.csv").write_text(qrels)
    said = error_of(code, "eval", "run.csv", "--qrels", "qrels.csv", *options)
    assert [fragment for fragment in fragments if fragment not in said] == []


GIVEN_AS_RUN: dict[str, dict[str, str]] = {
    "labels": {"region.csv": "query_id,doc_id,region,score\nq1,d1,eu,1\n", "grades.csv": QRELS_TEXT},
    "labels first": {"grades.csv": QRELS_TEXT, "run.csv": RUN_TEXT},
    "labels by another name": {"run.csv": RUN_TEXT, "how.csv": "query_id,doc_id,how\nq1,d1,2\n"},
    "BEIR": {"run.csv": RUN_TEXT, "test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n"},
    "TREC": {"run.trec": "q1 Q0 d1 1 2 x\n", "qrels.trec": "q1 0 d1 1\n"},
    "JSON": {"run.csv": RUN_TEXT, "grades.jsonl": '{"query_id": "q1", "doc_id": "d1", "rating": 1}\n'},
}
"""By kind, a run and judgments that were given without --qrels."""


@each(GIVEN_AS_RUN)
def test_judgments_that_are_given_as_a_run_are_told_from_runs(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).write_text(text)
    said = error_of(3, "eval", *files, "-m", "rr")
    judgments = next(name for name in files if name.split(".")[0] in ("grades", "how", "test", "qrels"))
    assert f"and {judgments}, which is given as a run too, looks like judgments" in said
    assert "judgments after --qrels" in said
    assert "is it" not in said


def test_a_segment_that_no_input_has_is_looked_for_in_all_of_them() -> None:
    Path("run.csv").write_text(RUN_TEXT)
    Path("qrels.csv").write_text(QRELS_TEXT)
    Path("queries.csv").write_text("query_id,country\nq1,de\n")
    beside = ("--qrels", "qrels.csv", "--queries", "queries.csv", "-m", "rr")
    said = error_of(3, "eval", "run.csv", *beside, "--by", "contry")
    assert "no input has a column 'contry'; did you mean country?" in said
    assert "(queries.csv has query_id, country; run.csv has query_id, doc_id, score; qrels.csv has" in said
    assert "did you mean country?" in error_of(3, "eval", "run.csv", *beside, "--weight", "countri")
    Path("other.csv").write_text("query_id,doc_id,score,country\nq1,d1,1,de\n")
    said = error_of(3, "eval", "run.csv", "other.csv", "--qrels", "qrels.csv", "-m", "rr", "--by", "country")
    assert "run.csv has no column 'country', which other.csv has" in said


def test_the_choice_of_a_column_is_told_or_asked_for() -> None:
    write_csv("run.csv", ("qid", "doc_id", "score"), RUN)
    said = ap_and_rr("run.csv", "--qrels", "qrels.csv").err
    assert "note: run.csv: query_id is read from the column qid" in said
    assert "doc_id is read from" not in said
    assert "qrels.csv" not in said
    write_csv("run.csv", ("qid", "topic", "doc_id", "score"), [(row[0], *row) for row in RUN])
    assert "qid and topic may both be the query_id" in error_of(3, "eval", "run.csv", "--qrels", "qrels.csv")
    assert_right(ap_and_rr("run.csv", "--qrels", "qrels.csv", "--column", "query_id=topic"))
    write_csv("run.csv", LABELLED, [(*row, 0) for row in RUN])
    outcome = ap_and_rr("run.csv", "--qrels", "qrels.csv")
    assert_right(outcome)
    assert "run.csv: the column relevance is ignored; the judgments are those of --qrels" in outcome.err


@each(["csv", "parquet", "jsonl"])
def test_booleans_are_labels(form: str) -> None:
    rows = [(query, document, "true") for query, document, _ in QRELS] + [("q1", "d1", "False")]
    path = write_csv("labels.csv", ("query_id", "doc_id", "clicked"), rows)
    if form != "csv":
        sql = "select query_id, doc_id, clicked::bool as clicked from read_csv('labels.csv', all_varchar = true)"
        path = write_query(f"labels.{form}", sql, {"parquet": "format parquet", "jsonl": "format json"}[form])
    assert_right(ap_and_rr("run.csv", "--qrels", path))


LABELLED = (*RUN_NAMES, "relevance")
NULL = [("q1", "d1", 3, ""), ("q1", "d2", 2, 1), ("q2", "d1", 1, 1)]
SHOWN = [("q1", "d1", 2, 0), ("q1", "d2", 1, 1), ("q2", "d1", 1, 1)]
COUNTRIES = [("q1", "d1", 2, 1, "de"), ("q1", "d2", 1, 0, "de"), ("q2", "d1", 1, 0, "fr"), ("q2", "d2", 0, 1, "fr")]
OF_SYSTEMS = [("a", "q1", "d1", 2, 1), ("a", "q1", "d2", 1, 0), ("b", "q1", "d2", 2, 0), ("b", "q1", "d3", 1, 1)]
OF_SYSTEMS += [("b", "q2", "d1", 1, 1)]
COUNTRY = (*LABELLED, "country")
EXPORTS: dict[str, tuple[Sequence[str], list[Any], str, str]] = {
    "no relevance is unjudged": (LABELLED, NULL, "rr --unjudged remove", "export rr 1"),
    "and not relevant": (LABELLED, NULL, "rr", "export rr 0.75"),
    "no judgments beside it": (LABELLED, SHOWN, "rr", "export rr 0.75"),
    # d1 and d3 of q1 are relevant for both systems; q2 counts 0 for a, which did not show it.
    "systems pool their judgments": (
        ("system", *LABELLED),
        OF_SYSTEMS,
        "num_rel -m ap",
        "a num_rel 3, a ap 0.25, b num_rel 3, b ap 0.625",
    ),
    "a condition filters run and judgments": (COUNTRY, COUNTRIES, "rr --where country='de'", "export rr 1"),
}


def test_a_labelled_export_has_its_own_judgments() -> None:
    def check(case: tuple[Sequence[str], list[Any], str, str]) -> None:
        names, rows, metrics, values = case
        write_csv("export.csv", names, rows)
        outcome = completed("eval", "export.csv", "-m", *metrics.split(), "--format", "csv")
        assert ", ".join(f"{system} {metric} {value}" for (system, metric), value in outcome.values.items()) == values
        assert ("documents that were not shown have none" in outcome.err) or "unjudged" in metrics
        assert names != COUNTRY or outcome.table[0]["queries"] == "1"

    hold(EXPORTS, check)


def test_two_columns_of_one_name_are_refused_in_every_form(tmp_path: Path) -> None:
    def check(form: str) -> None:
        names = ["query_id", "doc_id", "score", "score"]
        table = pyarrow.Table.from_arrays([pyarrow.array([value]) for value in ("q", "a", 2.0, 1.0)], names=names)
        pyarrow.parquet.write_table(table, tmp_path / "run.parquet")
        sql = "select 'q' as query_id, 'a' as doc_id, 2.0 as score, 1.0 as score"
        data: Any = {
            "pandas": lambda: pandas.DataFrame([("q", "a", 2.0, 1.0)], columns=names),
            "arrow": lambda: table,
            "reader": table.to_reader,
            "relation": lambda: duckdb.connect().sql(sql),
            "parquet": lambda: tmp_path / "run.parquet",
        }[form]()
        with pytest.raises(sqlrank.DataError, match="two columns are called 'score'; rename one of them"):
            sqlrank.evaluate(data, {"q": {"a": 1}}, "rr")

    hold(["pandas", "arrow", "reader", "relation", "parquet"], check)


@each([
    "uid,iid,est", "srch_id,prop_id,score", "query_id,product_uid,preds", "question_id,chunk_id,cosine",
    "visitorid,article_id,score", "search_term,url,score", "query_text,doc_id,slot",
])  # fmt: skip
def test_names_that_tools_and_competitions_give_are_known(header: str) -> None:
    query, document, order = header.split(",")
    values = {query: ["q", "q"], document: ["a", "b"], order: [1, 2]}
    with sqlrank.evaluate(pandas.DataFrame(values), {"q": {"b": 1}}, "rr") as found:
        assert found["rr"] == (0.5 if order == "slot" else 1)
