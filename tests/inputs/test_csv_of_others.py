"""CSV as spreadsheets and other programs write it: lines above the names, mixed ends of lines, names that mislead."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import write_query
from tests.support.tables import each, hold

QRELS = {"q1": {"d2": 1}, "q2": {"d1": 1}}
RUN = "query_id,doc_id,score\nq1,d1,3\nq1,d2,2\nq2,d1,5\n"
RIGHT = {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}
EXCEL, CRLF = RUN.replace(",", ";"), RUN.replace("\n", "\r\n")
LONG = RUN + "".join(f"q1,x{number},1\n" for number in range(20_000))
"""More than is looked at from its beginning."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def values(path: str, **options: Any) -> dict[str, dict[str, float]]:
    """The values of a run by query."""
    with sqlrank.evaluate(path, QRELS, "rr", **options) as result:
        return dict(result.to_dict())


BEGINNINGS = {
    "sep=": f"sep=;\n{EXCEL}",
    "sep= as Excel saves it": "\ufeffSEP=;\r\n" + EXCEL.replace("\n", "\r\n"),
    "sep= in quotes": f'"sep=;"\n{EXCEL}',
    "sep= of a tab": "sep=\t\n" + RUN.replace(",", "\t"),
    "sep= of a mark that is never looked for": "sep=^\n" + RUN.replace(",", "^"),
    "sep= over another mark in the names": "sep=;\nquery_id;doc_id;score;a,b\nq1;d1;3;\nq1;d2;2;\nq2;d1;5;\n",
    "sep= and a blank line": f"sep=;\n\n{EXCEL}",
    "a comment": f"# exported 2026-01-01\n{RUN}",
    "comments with marks and quotes": f'# by "me, of 2 rows\n\n# a;b,c\n{RUN}',
    "a comment with as many fields": f"# exported, by me, on Monday\n{RUN}",
    "a comment below sep=": f"sep=;\n# exported\n{EXCEL}",
    "a comment above names that were told": "# exported\nq;d;s\nq1;d1;3\nq1;d2;2\nq2;d1;5\n",
    "a comment above rows": "# exported\nq1,d1,3\nq1,d2,2\nq2,d1,5\n",
    "names that begin with #": "#qid,doc_id,score\nq1,d1,3\nq1,d2,2\nq2,d1,5\n",
    "a comment above such names": "# exported\n#qid,doc_id,score\nq1,d1,3\nq1,d2,2\nq2,d1,5\n",
    "names that nobody knows": "#q,d,s\nq1,d1,3\nq1,d2,2\nq2,d1,5\n",
}
TOLD = {
    "a comment above names that were told": {"query_id": "q", "doc_id": "d", "score": "s"},
    "names that begin with #": {"query_id": "#qid"},
    "a comment above such names": {"query_id": "#qid"},
    "names that nobody knows": {"query_id": "#q", "doc_id": "d", "score": "s"},
}


def test_lines_above_the_names_are_no_rows() -> None:
    def check(name: str) -> None:
        Path("run.csv").write_text(BEGINNINGS[name], newline="")
        assert values("run.csv", columns=TOLD.get(name, {})) == RIGHT

    hold(BEGINNINGS.keys(), check)


def test_comments_are_counted_and_rows_without_names_may_begin_with_a_mark() -> None:
    Path("run.csv").write_text(f"# exported\n# by me\n{RUN}")
    with sqlrank.evaluate("run.csv", QRELS, "rr") as result:
        assert any("5 rows read, 2 left out: 2 comments" in note for note in result.notes)
    Path("run.csv").write_text("# exported\n#1,d1,3\n#1,d2,2\n")
    with sqlrank.evaluate("run.csv", {"#1": {"d2": 1}}, "rr", header=False) as result:
        assert result["rr"] == 0.5


def test_a_wrong_value_below_such_lines_is_shown_with_its_line() -> None:
    Path("run.csv").write_text(f"sep=;\n# exported\n{EXCEL.replace(';5', ';x')}")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d2,1\n")
    assert "run.csv, line 6: 1 of 3 scores" in error_of(3, "eval", "run.csv", "--qrels", "qrels.csv")


ENDS = {
    "the names end otherwise": RUN.replace("score\n", "score\r\n"),
    "some rows do": RUN.replace("d1,3\n", "d1,3\r\n"),
    "one ends in a carriage return": RUN.replace("d1,3\n", "d1,3\r"),
    "a file put behind another": CRLF + "q3,d1,1\n",
    "a long file put behind another": LONG.replace("\n", "\r\n") + "q3,d1,1\n",
    "a blank line does": "\r\n" + RUN,
    "sep= does": f"sep=;\n{EXCEL}".replace("score\n", "score\r\n").replace("sep=;\n", "sep=;\r\n"),
    "in quotes": 'query_id,doc_id,score\r\nq1,"d1\r\n",3\nq1,d2,2\nq2,d1,5\n',
}


@each(ENDS)
def test_lines_may_end_in_different_ways(text: str) -> None:
    Path("run.csv").write_text(text, newline="")
    found = values("run.csv")
    assert {query: found[query] for query in RIGHT} == RIGHT


def test_a_line_end_in_quotes_stays_and_the_statement_of_such_a_file_is_refused() -> None:
    Path("run.csv").write_text('query_id,doc_id,score\r\nq1,"a\r\nb",3\nq1,c,4\n', newline="")
    with sqlrank.evaluate("run.csv", {"q1": {"a\r\nb": 1}}, "rr") as result:
        assert result["rr"] == 0.5
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,c,1\n")
    said = error_of(2, "eval", "run.csv", "--qrels", "qrels.csv", "--show-sql")
    assert "run.csv: a bare DuckDB cannot read it: a text file whose lines end in different ways" in said


def test_lines_that_differ_in_the_middle_alone_are_refused() -> None:
    Path("run.csv").write_text(f"{LONG}q1,y,1\r\n{LONG[len(RUN) :].replace('x', 'z')}", newline="")
    with pytest.raises(sqlrank.DataError, match=r"run\.csv.*lines end in different ways"):
        values("run.csv")


@each(
    {
        "a column less": ("query_id,doc_id\n", "run-2.csv has no column 'score', which run-1.csv has"),
        "a column more": ("query_id,doc_id,score,x\n", "run-1.csv has no column 'x', which run-2.csv has"),
        "another name": ("query_id,doc_id,points\n", "run-2.csv has no column 'score', which run-1.csv has"),
    }
)
def test_a_file_that_lacks_a_column_of_the_others_is_named(case: tuple[str, str]) -> None:
    header, said = case
    Path("run-1.csv").write_text(RUN)
    Path("run-2.csv").write_text(header)
    with pytest.raises(sqlrank.DataError) as error:
        values("run-*.csv")
    assert said in str(error.value)


def test_a_column_without_a_name_may_stand_elsewhere_in_no_file() -> None:
    Path("run-1.csv").write_text(",query_id,doc_id,score\n0,q1,d1,3\n")
    Path("run-2.csv").write_text(",score,doc_id,query_id\n0,2,d2,q1\n1,5,d1,q2\n")
    assert values("run-*.csv") == RIGHT


@each(
    {
        "Parquet called .csv": ("run.csv", "a Parquet file"),
        "Parquet called .json": ("run.json", "a Parquet file"),
        "CSV called .parquet": ("run.parquet", "CSV"),
        "compressed CSV called .parquet": ("run.pq", "CSV"),
        "compressed CSV called .csv": ("packed.csv", None),
    }
)
def test_a_file_is_read_by_its_first_bytes_where_its_name_misleads(case: tuple[str, str | None]) -> None:
    name, read_as = case
    Path("text.csv").write_text(RUN)
    if read_as == "a Parquet file":
        write_query("text.parquet", "from 'text.csv'")
        Path("text.parquet").rename(name)
    else:
        Path(name).write_bytes(RUN.encode() if name == "run.parquet" else gzip.compress(RUN.encode()))
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d2,1\nq2,d1,1\n")
    done = completed("eval", name, "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")
    assert done.table[0]["value"] == "0.75"
    assert (f"{name}: read as {read_as}, which it is, whatever its name" in done.err) == (read_as is not None)


@each([bytes(range(200)), b"PAR1 but no more", b"PARE but no more"])
def test_a_damaged_file_called_parquet_is_refused(content: bytes) -> None:
    Path("run.parquet").write_bytes(content)
    with pytest.raises(sqlrank.DataError, match=r"run\.parquet: cannot be read"):
        values("run.parquet")
