"""`(row)` in place of a column: ids for rows that have none, and ranks of rows that stand in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import write_query
from tests.support.tables import each, hold

LABELLED = "qid,label,pred\nq1,0,3\nq1,1,2\nq1,0,1\nq2,1,2\nq2,1,2\n"
IN_ORDER = "qid,docno\nq1,d9\nq1,d1\nq2,d5\nq1,d3\n"
QRELS = {"q1": {"d1": 1, "d3": 1}, "q2": {"d5": 1}}
DOC_ID, RANK = {"doc_id": "(row)"}, {"rank": "(row)"}
ROWS = 400_000


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labelled.csv").write_text(LABELLED)
    Path("ordered.csv").write_text(IN_ORDER)
    for name in ("labelled", "ordered"):
        write_query(f"{name}.parquet", f"from '{name}.csv'")
        write_query(f"{name}.jsonl", f"from '{name}.csv'", "format json")


FORMS: dict[str, Callable[[str], Any]] = {
    "CSV": lambda name: f"{name}.csv",
    "Parquet": lambda name: f"{name}.parquet",
    "JSON lines": lambda name: f"{name}.jsonl",
    "pandas": lambda name: pandas.read_csv(f"{name}.csv"),
    "polars": lambda name: polars.read_csv(f"{name}.csv"),
    "Arrow": lambda name: pyarrow.table(pandas.read_csv(f"{name}.csv")),
    "batches of Arrow": lambda name: pyarrow.table(pandas.read_csv(f"{name}.csv")).to_reader(),
}


@each(FORMS)
def test_rows_without_ids_are_documents_of_their_own(form: Callable[[str], Any]) -> None:
    with sqlrank.evaluate(form("labelled"), metrics="rr,num_ret,p@2", columns=DOC_ID) as result:
        assert result.to_dict() == {
            "q1": {"rr": 0.5, "num_ret": 3.0, "p@2": 0.5},
            "q2": {"rr": 1.0, "num_ret": 2.0, "p@2": 1.0},
        }
        assert any("each row is a document of its own" in note for note in result.notes)


@each(FORMS)
def test_rows_that_stand_in_order_are_ranked_so(form: Callable[[str], Any]) -> None:
    for order in ("desc", "rank"):
        with sqlrank.evaluate(form("ordered"), QRELS, "rr,ap", columns=RANK, order=order) as result:
            assert result.to_dict() == {"q1": {"rr": 0.5, "ap": pytest.approx(7 / 12)}, "q2": {"rr": 1.0, "ap": 1.0}}
            assert any("the order of the rows of a query is the rank" in note for note in result.notes)
            assert not any("rank 1" in note for note in result.notes)


@each(["csv", "parquet"])
def test_a_long_file_keeps_its_order(form: str) -> None:
    options = "format parquet, row_group_size 4096" if form == "parquet" else "format csv, header"
    sql = (
        f"select 'q' || i % 7 as query_id, 'd' || i as doc_id from range({ROWS}) as rows(i) order by hash(i) % 1000, i"
    )
    write_query(f"long.{form}", sql, options)
    third = f"select doc_id from 'long.{form}' where query_id = 'q3' limit 500"
    first, *_ = duckdb.execute(third).fetchall()[499]
    with sqlrank.evaluate(f"long.{form}", {"q3": {first: 1}}, "rr", columns=RANK, threads=2) as result:
        assert result.to_dict() == {"q3": {"rr": 1 / 500}}


def test_files_of_one_input_follow_each_other_by_name() -> None:
    Path("part-1.csv").write_text("qid,docno\nq1,d9\n")
    Path("part-2.csv").write_text("docno,qid\nd1,q1\nd5,q2\n")
    for part in ("part-1", "part-2"):
        write_query(f"{part}.parquet", f"from '{part}.csv'")
    for form in ("csv", "parquet"):
        with sqlrank.evaluate(f"part-*.{form}", QRELS, "rr", columns=RANK) as result:
            assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}


def test_both_may_be_asked_and_ranks_are_of_each_system() -> None:
    Path("both.csv").write_text("qid,label\nq1,0\nq1,1\n")
    with sqlrank.evaluate("both.csv", metrics="rr", columns=DOC_ID | RANK) as result:
        assert result["rr"] == 0.5
    Path("systems.csv").write_text("system,qid,doc\na,q1,d9\na,q1,d1\nb,q1,d1\nb,q1,d9\n")
    with sqlrank.evaluate(
        "systems.csv", {"q1": {"d1": 1}}, "rr", columns={"run.rank": "(row)"}, order="rank"
    ) as result:
        assert result.rows.project("system, value").order("system").fetchall() == [("a", 0.5), ("b", 1.0)]


def test_a_condition_leaves_the_numbers_of_rows_alone() -> None:
    with sqlrank.evaluate("labelled.csv", metrics="rr", columns=DOC_ID, where="run: label = '1'") as result:
        assert result.to_dict() == {"q1": {"rr": 1.0}, "q2": {"rr": 1.0}}


def test_a_column_of_that_name_goes_first() -> None:
    Path("named.csv").write_text("qid,label,pred,(row)\nq1,1,2,a\nq1,0,3,b\n")
    with sqlrank.evaluate("named.csv", {"q1": {"a": 1}}, "rr", columns=DOC_ID) as result:
        assert result["rr"] == 0.5


def test_the_command_takes_it_and_names_it() -> None:
    done = completed("eval", "labelled.csv", "--column", "doc_id=(row)", "-m", "rr", "--format", "csv")
    assert done.table[0]["value"] == "0.75"
    said = error_of(3, "eval", "labelled.csv")
    assert "has no column for the doc_id" in said
    assert "--column 'doc_id=(row)'" in said
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\n")
    said = error_of(3, "eval", "ordered.csv", "--qrels", "qrels.csv")
    assert "in the order of the ranking: --column 'rank=(row)'" in said


def relation() -> Any:
    """A relation of DuckDB."""
    return duckdb.read_csv("labelled.csv")


REFUSED: dict[str, tuple[Callable[[], Any], Mapping[str, Any], str]] = {
    "a relation": (relation, {"columns": DOC_ID}, "a relation of DuckDB, whose rows have no order"),
    "a data set": (
        lambda: pyarrow.dataset.dataset("labelled.parquet"),
        {"columns": DOC_ID},
        "a data set of Arrow, whose rows have no order",
    ),
    "a dictionary": (lambda: {"q1": {"d1": 1.0}}, {"columns": RANK, "qrels": QRELS}, "no table of a row for each"),
    "another role": (lambda: "labelled.csv", {"columns": {"score": "(row)"}}, "may be the doc_id or the rank of a run"),
    "judgments": (
        lambda: "ordered.csv",
        {"qrels": "labelled.csv", "columns": {"qrels.doc_id": "(row)"}},
        "a run alone",
    ),
    "judgments of their own": (
        lambda: "labelled.csv",
        {"qrels": QRELS, "columns": DOC_ID},
        "the rows of a run are documents that no other input has",
    ),
    "several systems": (
        lambda: {"a": "labelled.csv", "b": "labelled.parquet"},
        {"columns": DOC_ID},
        "the same row of two systems is not the same document",
    ),
    "a list in a row": (
        lambda: pandas.DataFrame({"qid": ["q1"], "doc_ids": [["d1", "d2"]]}),
        {"qrels": QRELS, "columns": RANK},
        "the rank is read from lists here, and (row) is not a list",
    ),
}


def refused(run: Any, options: Mapping[str, Any]) -> sqlrank.SqlrankError:
    """The error of an evaluation."""
    with pytest.raises(sqlrank.SqlrankError) as error:
        sqlrank.evaluate(run, metrics="rr", **options)
    return error.value


def test_where_rows_have_no_order_or_no_ids_it_is_refused() -> None:
    def check(case: tuple[Callable[[], Any], Mapping[str, Any], str]) -> None:
        run, options, said = case
        assert said in str(refused(run(), options))

    hold(REFUSED, check)


def test_databases_statements_and_connections_without_order_refuse_it() -> None:
    with duckdb.connect("rows.duckdb") as connection:
        connection.execute("create table labelled as from 'labelled.csv'")
    words = ["--column", "doc_id=(row)"]
    said = error_of(2, "eval", "labelled", "--database", "rows.duckdb", *words)
    assert "labelled in rows.duckdb is a table of a database, whose rows have no order" in said
    assert "the rows of a relation have no order" in error_of(2, "sql", "labelled", *words)
    with duckdb.connect(config={"preserve_insertion_order": False}) as connection:
        given = {"columns": DOC_ID, "connection": connection}
        assert "does not keep the order of rows" in str(refused("labelled.csv", given))
