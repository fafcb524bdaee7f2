"""Judgments in several files: of different formats and names, each read as what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 2.0, "y": 1.0}}
FIRST, SECOND = {"q1": {"a": 1.0}}, {"q1": {"b": 0.0}, "q2": {"y": 2.0}}
ALL = {"q1": {"a": 1.0, "b": 0.0}, "q2": {"y": 2.0}}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The run, and the judgments in four formats."""
    found = {name: tmp_path / f"j.{name}" for name in ("csv", "qrels", "parquet", "jsonl")}
    found["run"] = tmp_path / "run.csv"
    found["csv"].write_text("topic,docno,grade\nq1,a,1\n")
    found["qrels"].write_text("q1 0 b 0\nq2 0 y 2\n")
    rows = [{"query_id": "q1", "doc_id": "b", "relevance": 0}, {"query_id": "q2", "doc_id": "y", "relevance": 2}]
    pq.write_table(pa.Table.from_pylist(rows), found["parquet"])
    found["jsonl"].write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found["run"].write_text("query_id,doc_id,score\nq1,a,3\nq1,b,2\nq1,c,1\nq2,x,2\nq2,y,1\n")
    return found


@pytest.mark.parametrize("kind", ["qrels", "parquet", "jsonl"])
def test_judgments_in_two_formats_are_those_of_both(kind: str, files: dict[str, Path]) -> None:
    asked = ("eval", files["run"], "-m", "ndcg@3", "-m", "judged@3", "--format", "csv")
    found = completed(*asked, "--qrels", files["csv"], "--qrels", files[kind])
    with sqlrank.evaluate(RUN, ALL, ["ndcg@3", "judged@3"]) as result:
        for metric in ("ndcg@3", "judged@3"):
            assert float(found.values["run", metric]) == pytest.approx(result[metric], abs=1e-11)


def test_python_takes_a_list(files: dict[str, Path]) -> None:
    with (
        sqlrank.evaluate(RUN, [FIRST, SECOND], ["ndcg@3"]) as several,
        sqlrank.evaluate(RUN, ALL, ["ndcg@3"]) as one,
        sqlrank.Evaluator([FIRST, SECOND], ["ndcg@3"])(RUN) as kept,
        sqlrank.compare([RUN, RUN], [str(files["csv"]), str(files["qrels"])], ["ndcg@3"]) as compared,
    ):
        assert several["ndcg@3"] == one["ndcg@3"] == kept["ndcg@3"]
        assert several.judgments() == one.judgments()
        assert compared["ndcg@3"]["value"] == one["ndcg@3"]
    with sqlrank.evaluate(str(files["run"]), [str(files["csv"]), str(files["qrels"])], ["ndcg@3"]) as result:
        assert [Path(each.name).name for each in result.fingerprints()] == ["run.csv", "j.csv", "j.qrels"]


def test_files_that_are_not_of_one_kind_are_refused_by_name(files: dict[str, Path]) -> None:
    again = ("--qrels", files["qrels"], "--qrels", files["parquet"])
    said = error_of(3, "eval", files["run"], "-m", "p@1", *again)
    assert f"{files['qrels']} and {files['parquet']}: a document is judged more than once" in said
    completed("eval", files["run"], "-m", "p@1", *again, "--judgments", "max")
    files["csv"].write_text("query_id,doc_id\nq1,a\n")
    said = error_of(3, "eval", files["run"], "-m", "p@1", "--qrels", files["qrels"], "--qrels", files["csv"])
    assert f"{files['csv']} has no column for the relevance" in said
    said = error_of(2, "eval", files["run"], "-m", "p@1", "--qrels", "-", "--qrels", "-")
    assert "standard input can be read only once" in said
    given = ("--qrels", files["qrels"], "--qrels", files["csv"], "-o", files["csv"])
    assert "is an input and will not be overwritten" in error_of(2, "eval", files["run"], "-m", "p@1", *given)


def test_a_bad_row_is_told_with_its_file_and_line(files: dict[str, Path]) -> None:
    files["csv"].write_text("query_id,doc_id,relevance\nq1,a,1\nq1,c,good\n")
    for order in (("csv", "qrels"), ("qrels", "csv")):
        judged = [word for kind in order for word in ("--qrels", files[kind])]
        said = error_of(3, "eval", files["run"], "-m", "p@1", *judged)
        assert f"{files['csv']}, line 3: 1 of 4 relevances is not a finite number" in said


def test_settings_name_several(files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sqlrank.toml").write_text(f"qrels = {json.dumps(['j.csv', 'j.qrels'])}\n")
    (row,) = completed("eval", "run.csv", "-m", "judged@3", "--format", "csv").table
    assert row["value"] == "0.583333333333"
