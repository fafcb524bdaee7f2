"""Files as other tools write them: MS MARCO, lines without names, and sheets of Excel."""

from __future__ import annotations

import datetime
import gzip
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.components import package
from tests.support.tables import hold

# Passages 5 and 6 are relevant, at ranks 2 and 1: rr 1/2 and 1.
MARCO_QRELS = "1185869\t0\t5\t1\n1185868\t0\t6\t1\n"
MARCO_RUN = "1185869\t4\t1\n1185869\t5\t2\n1185868\t6\t1\n1185868\t7\t2\n"


@pytest.fixture
def marco(tmp_path: Path) -> list[str]:
    """A run and judgments as MS MARCO has them."""
    (tmp_path / "qrels.dev.tsv").write_text(MARCO_QRELS)
    (tmp_path / "run.tsv").write_text(MARCO_RUN)
    return [str(tmp_path / "run.tsv"), "--qrels", str(tmp_path / "qrels.dev.tsv")]


def test_ms_marco_is_read_as_it_is_and_ranks_that_count_in_the_first_lines_only_are_refused(marco: list[str]) -> None:
    done = run_cli("eval", *marco, "-m", "rr@10", "--format", "csv", "--per-query", "-")
    assert [row["rr_at_10"] for row in done.table] == ["1", "0.5"]
    assert "run.tsv: its first line holds no names; the columns are read as query_id, doc_id, rank" in done.err
    assert "qrels.dev.tsv: read as TREC qrels, which its lines are" in done.err
    path = Path(f"{marco[0]}.gz")
    path.write_bytes(gzip.compress(MARCO_RUN.encode()))
    assert completed("eval", path, *marco[1:], "-m", "rr@10", "--format", "csv").table[0]["value"] == "0.75"
    Path(marco[0]).write_text(f"{MARCO_RUN}9\t7\t0.5\n9\t8\t0.25\n")
    said = error_of(3, "eval", *marco)
    assert "not in the query '9' (0.25 to 0.5 in 2 rows)" in said
    assert "--column score=3" in said
    assert completed("eval", *marco, "--column", "score=#3", "-m", "rr").code == 0


def test_scores_without_names_are_scores_and_columns_are_named_by_their_place(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("q,a,0.5\nq,b,0.25\nr,a,1\n")
    (tmp_path / "qrels.csv").write_text("q,b,1\nr,a,1\n")
    with sqlrank.evaluate(tmp_path / "run.csv", tmp_path / "qrels.csv", "rr") as result:
        assert result["rr"] == 0.75
        assert f"{tmp_path}/run.csv: its first line holds no names" in result.notes[0]
    (tmp_path / "run.csv").write_text("u,2026-01-01,x,a,0.5\nu,2026-01-02,x,b,0.5\n")
    (tmp_path / "qrels.csv").write_text("u,2026-01-01,a,1\nu,2026-01-02,c,1\n")
    columns = {"query_id": "#1,#2", "run.doc_id": "#4", "run.score": "#5", "qrels.doc_id": "#3"}
    columns["qrels.relevance"] = "#4"
    paths = tmp_path / "run.csv", tmp_path / "qrels.csv"
    with sqlrank.evaluate(*paths, "rr", columns=columns, header=False) as result:
        assert sorted(row["rr"] for row in result.to_dicts(per_query=True)) == [0, 1]


@pytest.mark.parametrize("first", ["query_id,doc_id,2024", "qid,item,1", "passage,rank,7"])
def test_a_line_with_a_name_that_is_known_holds_names(first: str, tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text(f"{first}\nq,a,0.5\n")
    (tmp_path / "qrels.csv").write_text("q,a,1\n")
    assert "has no column for" in error_of(3, "eval", tmp_path / "run.csv", "--qrels", tmp_path / "qrels.csv")


SHEET: list[list[Any]] = [
    ["query_id", "rater", "verdict"],
    [1, "ann", "好"],
    [2, "ann", "差"],
    [3, "bob", "good"],
    [datetime.date(2026, 1, 2), "bob", "good"],
    [7.5, "a,\"b\"\nc", "same"],
]  # fmt: skip


def write_excel(path: Path, *sheets: tuple[str, list[list[Any]]]) -> Path:
    book = package("openpyxl", "test").Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_verdicts_are_read_from_excel(tmp_path: Path) -> None:
    package("python_calamine", "excel")
    path = write_excel(tmp_path / "verdicts.xlsx", ("empty", []), ("july", [[], *SHEET[:3], [], *SHEET[3:]]))
    with sqlrank.gsb(path) as result:
        assert (result.total["good"], result.total["same"], result.total["bad"]) == (3, 1, 1)
        assert result.notes == []


def test_cells_are_the_texts_that_stand_in_them(tmp_path: Path) -> None:
    package("python_calamine", "excel")
    labels: list[list[Any]] = [["query_id", "doc_id", "score", "relevance"], [1, "d", 0.1, True], ["é", 3.0, 2, False]]
    path = write_excel(tmp_path / "run.xlsx", ("first", labels), ("second", SHEET))
    with sqlrank.evaluate(path, metrics=["rr", "num_rel"]) as result:
        assert result.to_dict() == {"1": {"rr": 1.0, "num_rel": 1.0}, "é": {"rr": 0.0, "num_rel": 0.0}}
        assert f"{path}: read from the sheet 'first', the first of 2" in result.notes


def test_what_is_no_excel_is_refused(tmp_path: Path) -> None:
    package("python_calamine", "excel")
    path = tmp_path / "verdicts.xlsx"
    path.write_text("query_id,verdict\nq,good\n")
    assert "verdicts.xlsx: cannot be read as Excel" in error_of(3, "gsb", path)
    write_excel(path, ("empty", []))
    assert "no sheet of it holds anything" in error_of(3, "gsb", path)
    write_excel(path, ("run", [["query_id", "doc_id", "score", "relevance"], ["q", "d", 1, 1]]))
    assert "export CSV" in error_of(2, "eval", path, "--show-sql")


def test_a_first_column_without_a_name_is_an_index_and_left_out(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        mark, head = case
        run, qrels = tmp_path / "run.csv", tmp_path / "qrels.csv"
        rows = [[head, "query_id", "doc_id", "score"], ["0", "q1", "d1", "2"], ["1", "q1", "d2", "1"]]
        run.write_text("".join(f"{mark.join(row)}\n" for row in rows))
        qrels.write_text(f"{head},query_id,doc_id,relevance\n0,q1,d2,1\n")
        done = completed("eval", run, "--qrels", qrels, "-m", "rr", "--format", "csv")
        assert done.table[0]["value"] == "0.5"
        for path in (run, qrels):
            assert f"note: {path}: its first column has no name, as an index has none, and is left out" in done.err
        run.write_text(run.read_text() + mark.join(["2", "q1", "d1", "0"]))
        assert "the copies differ in" not in error_of(3, "eval", run, "--qrels", qrels, "-m", "rr")
        said = error_of(3, "eval", run, "--qrels", qrels, "--column", "run.score=x")
        assert "it has query_id, doc_id, score)" in said

    hold(product([",", "\t", ";"], ["", '""']), check)
