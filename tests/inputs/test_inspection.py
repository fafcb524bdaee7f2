"""A look at inputs says what they are, and which command evaluates them; and that command does."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pandas
import pytest

import sqlrank
from tests import exports
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.tables import hold

SEARCH = FIXTURES / "search"
RUN, QRELS, TABLE = SEARCH / "keyword.parquet", SEARCH / "qrels.parquet", SEARCH / "queries.parquet"


def profile(*inputs: Any, **options: Any) -> Any:
    return sqlrank.inspect(*inputs, **options).profiles[0]


def test_counts_are_those_of_the_rows() -> None:
    rows, judged = pandas.read_parquet(RUN), pandas.read_parquet(QRELS)
    found = sqlrank.inspect(RUN, QRELS, TABLE)
    run, qrels, queries = found.profiles
    assert (run.kind, qrels.kind, queries.kind) == ("run", "judgments", "queries")
    assert (run.rows, run.queries, run.documents) == (len(rows), rows.query_id.nunique(), rows.doc_id.nunique())
    assert run.score_range == (rows.score.min(), rows.score.max())
    lengths = rows.groupby("query_id").size()
    assert (run.fewest, run.most) == (lengths.min(), lengths.max())
    tied = rows.groupby("query_id").score.apply(lambda scores: scores.nunique() < len(scores)).sum()
    assert (run.tied, run.sampled) == (tied, run.queries)
    assert (qrels.judged, qrels.positive, qrels.largest_relevance) == (len(judged), (judged.relevance > 0).sum(), 4)
    assert [(segment.name, segment.values) for segment in queries.segments] == [("country", 4), ("device", 3)]
    overlap = found.overlaps[0]
    both = set(rows.query_id) & set(judged.query_id)
    assert (overlap.shared, overlap.of_run, overlap.of_judgments) == (len(both), run.queries, qrels.queries)
    joined = rows.merge(judged, how="left", on=["query_id", "doc_id"])
    assert overlap.judged_share == pytest.approx(joined.relevance.notna().mean())
    first = joined.sort_values("score", ascending=False, kind="stable").groupby("query_id").head(10)
    assert overlap.judged_first == pytest.approx(first.relevance.notna().mean(), abs=0.02)


def test_what_inputs_are_beside_each_other(tmp_path: Path) -> None:
    files = {
        "run.csv": "query_id,doc_id,score\nq,a,2\nq,b,1\nr,a,2\nr,c,1\n",
        "qrels.csv": "query_id,doc_id,relevance\nq,a,1\nr,c,0\n",
        "two.csv": "system,query_id,doc_id,score\ns,q,a,2\ns,q,b,1\nt,q,a,1\nt,r,c,2\n",
        "labelled.jsonl": '{"query_id":"q","doc_ids":["a","b"],"relevance":[1,0]}\n'
        '{"query_id":"r","doc_ids":["a","c"],"relevance":[0,1]}\n',
        "tags.jsonl": '{"query_id":"q","tags":["x","y"],"market":"de"}\n{"query_id":"r","tags":["x"],"market":"fr"}\n',
        "asked.csv": "query_id,user_query,query,market\nq,red shoe,{1},de\nr,hat,{2},fr\n",
        "grades.csv": "query_id,doc_id,how it fits\nq,a,exact\nq,b,irrelevant\nr,c,exact\nr,a,irrelevant\n",
        "pairs.csv": "query_id,doc_id,day,price\nq,a,1,1.5\nr,c,2,2.5\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def check(case: tuple[str, list[str], str | None]) -> None:
        given, lines, command = case
        found = sqlrank.inspect(*(tmp_path / name for name in given.split()))
        text = str(found).replace(f"{tmp_path}/", "")
        assert [line for line in lines if line not in text] == []
        assert (found.command or "").replace(f"{tmp_path}/", "") == (f"sqlrank {command}" if command else "")

    grade = "the column how it fits may hold the label of each pair (exact, irrelevant): name it with"
    cases: dict[str, tuple[str, list[str], str | None]] = {
        "two systems in one file": (
            "two.csv qrels.csv",
            ["4 rows, 2 queries, 3 documents", "documents per ranking: 1 to 2, 1.3 on average"],
            "eval two.csv --qrels qrels.csv",
        ),
        "rankings with labels are judgments of a run": (
            "run.csv labelled.jsonl",
            [
                "labelled.jsonl: rankings with their judgments",
                "queries: 2 in both",
                "documents per query: 2 to 2, 2.0",
            ],
            "eval run.csv --qrels labelled.jsonl",
        ),
        "a list that belongs to queries": (
            "run.csv qrels.csv tags.jsonl",
            ["tags.jsonl: a table of queries, JSON, 2 rows, 2 queries", "not read     tags, market"],
            "eval run.csv --qrels qrels.csv --queries tags.jsonl --by market",
        ),
        "queries as UBI has them": (
            "run.csv qrels.csv asked.csv",
            ["not read     user_query, query, market", "segment: --by market"],
            "eval run.csv --qrels qrels.csv --queries asked.csv --by market",
        ),
        "a list alone": ("tags.jsonl", ["tags.jsonl: rankings, JSON, 3 rows"], None),
        "pairs with grades under another name": ("run.csv grades.csv", [grade], None),
        "pairs": ("run.csv pairs.csv", ["a query and a document, CSV, 2 rows"], "eval run.csv --positives pairs.csv"),
    }
    hold(cases, check)
    named: dict[str, Any] = {"columns": {"relevance": "how it fits"}, "relevance_map": {"exact": 1, "irrelevant": 0}}
    assert sqlrank.inspect(tmp_path / "run.csv", tmp_path / "grades.csv", **named).command is not None


def test_the_command_evaluates_the_export(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(case: tuple[list[str], str]) -> None:
        files, said = case
        monkeypatch.chdir(exports.FOLDER)
        lines = completed("inspect", *files).out
        assert said in lines
        words = shlex.split(lines.strip().splitlines()[-1])
        assert words[0] == "sqlrank"
        assert run_cli(*words[1:]).code == 0

    cases = [
        (["days.csv", "--column", "query_id=user_id,date"], "rankings with their judgments"),
        (["events.csv", "--session", "session_key"], "rankings with their judgments"),
        (["lists.jsonl"], "a row holds lists"),
        (["lists.csv", "--separator", "|"], "a row holds lists"),
        (["recommended.parquet", "purchases.parquet"], "pairs of a query and a document"),
        (["run.tsv", "qrels.dev.tsv"], "judgments, TREC"),
        (["delta", "qrels_excel.csv"], "a table of Delta"),
        (["verdicts.xlsx"], "side-by-side verdicts, an Excel file"),
    ]
    hold(cases, check)


def test_several_runs_are_compared_with_a_segment_of_the_queries() -> None:
    found = sqlrank.inspect(str(RUN), str(SEARCH / "semantic.parquet"), str(QRELS), str(TABLE))
    assert found.command is not None
    words = shlex.split(found.command)
    assert words[1] == "compare"
    assert words[-2:] == ["--by", "country"]
    assert run_cli(*words[1:]).code == 0


def test_copies_are_advised_on(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("user_id,date,item_id,score,clicked\nu,1,a,2,1\nu,2,a,3,0\nu,1,b,1,0\n")
    found = sqlrank.inspect(str(path))
    assert "the copies differ in date" in found.profiles[0].notes[0]
    assert found.command is not None
    assert found.command.endswith("--column query_id=user_id,date")
    path.write_text("model,query_id,doc_id,score,relevance\nx,q,a,2,1\ny,q,a,3,1\n")
    assert profile(str(path)).systems == ("x", "y")
    assert profile(str(path)).copies == 0


def test_frames_and_json(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [1.0], "other": ["x"]})
    found = sqlrank.inspect(frame, qrels={"q": {"d": 1}})
    assert [each.kind for each in found.profiles] == ["run", "judgments"]
    assert "q | q" in str(found)
    content = json.loads(completed("inspect", RUN, "--format", "json").out)
    assert content["sqlrank"] == sqlrank.__version__
    assert content["profiles"][0]["rows"] == 5301
    assert content == {"sqlrank": sqlrank.__version__} | json.loads(json.dumps(sqlrank.inspect(RUN).to_dict()))


def test_a_group_is_asked_about_where_no_column_is_the_query(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    said = "group_id may be the query: --column query_id=group_id"
    path.write_text("group_id,doc_id,score,label\n1,a,2,1\n1,b,3,0\n")
    assert f"{path}: {said}" in completed("inspect", path).out
    assert f"has no column for the query_id; {said} (it has group_id, doc_id" in error_of(3, "eval", path, "-m", "rr")
    told = ("--column", "query_id=group_id")
    assert f"sqlrank eval {path} {' '.join(told)}" in completed("inspect", path, *told).out
    path.write_text("doc_id,category,group_id\n1,a,2\n")  # a catalogue has groups too
    assert said not in completed("inspect", path).out
    path.write_text("query_id,doc_id,score,group_id\n1,a,2,1\n")
    assert said not in completed("inspect", path).out


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n")
    out = completed("inspect", path).out
    assert "no column is a query or a document by its name" in out
    assert "sqlrank eval" not in out
    path.write_text("query_id,doc_id,score\nq,\x1b[31m,1\n,d,2\n")
    out = completed("inspect", path).out
    assert "\x1b" not in out
    assert "1 row without query or document" in out
    with pytest.raises(sqlrank.UsageError, match="inspect has no option 'where'"):
        sqlrank.inspect(RUN, where="score > 1")  # type: ignore[call-arg]
    assert "no such file" in error_of(3, "inspect", tmp_path / "b.csv")
    assert "FILE is missing" in error_of(2, "inspect")
