"""Inputs as people give them at first: streams of a shell, patterns, arrays in cells, files of something else."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import pytest

import sqlrank
from tests.support.cli_helper import command, completed, environment, error_of
from tests.support.tables import each

RUN = "query_id,doc_id,score\nq1,d1,3\nq1,d2,2\nq2,d1,5\n"
QRELS = "query_id,doc_id,relevance\nq1,d2,1\nq2,d1,1\n"
JUDGED = {"q1": {"d2": 1}, "q2": {"d1": 1}}
LONG = "x" * 100_000


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text(RUN)
    Path("qrels.csv").write_text(QRELS)


@contextmanager
def piped(**texts: str) -> Iterator[None]:
    """Named pipes, into which a thread each writes once."""
    threads = []
    for name, text in texts.items():
        os.mkfifo(name)
        threads.append(threading.Thread(target=Path(name).write_text, args=(text,), daemon=True))
        threads[-1].start()
    yield
    for thread in threads:
        thread.join(5)


@pytest.mark.parametrize("words", [["eval", "run"], ["compare", "run", "other=more"], ["explain", "q1", "run"]])
def test_named_pipes_are_read_as_streams(words: list[str]) -> None:
    with piped(run=RUN, qrels=QRELS, more=RUN):
        done = completed(*words, "--qrels", "qrels", "-m", "rr")
        assert "0.5" in done.out if words[0] == "explain" else "0.7500" in done.out
        if words[0] != "compare":
            Path("more").read_text()


def test_an_empty_pipe_is_an_error() -> None:
    with piped(run=""):
        assert "run: the stream is empty" in error_of(3, "eval", "run", "--qrels", "qrels.csv", "-m", "rr")


@pytest.mark.needs("process")
def test_process_substitutions_are_read_several_at_once() -> None:
    words = " ".join(map(str, command()))
    line = f"{words} compare <(cat run.csv) b=<(cat run.csv) --qrels <(gzip -c qrels.csv) -m rr --format csv"
    done = subprocess.run(["bash", "-c", line], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [row.split(",")[:2] for row in done.stdout.splitlines()[1:]] == [["b", "run"]]


@pytest.mark.parametrize(
    ("files", "patterns", "systems"),
    [
        (["old/part-0.csv", "old/part-1.csv"], ["old/part-*.csv"], ["part"]),
        (["old/0.csv", "new/0.csv"], ["old/*.csv", "new/*.csv"], ["old", "new"]),
        (["old/0.csv", "new/0.csv"], ["old", "new"], ["old", "new"]),
        (["old/part-0.csv", "new/part-0.csv"], ["old/part-*.csv", "new/part-*.csv"], ["old", "new"]),
        (["runs/bm25-0.csv", "runs/splade-0.csv"], ["runs/bm25*.csv", "runs/splade-?.csv"], ["bm25", "splade"]),
        (["a/day=1/x.csv", "b/day=1/x.csv"], ["a/*/*.csv", "b/*/*.csv"], ["a", "b"]),
        (["shard_1.csv"], ["shard_[0-9].csv"], ["shard"]),
        (["odd[1]*.csv"], ["odd[1]*.csv"], ["odd[1]*"]),
        (["0.csv"], ["?.csv"], ["run"]),
    ],
)
def test_a_pattern_is_called_by_what_its_files_have_in_common_or_by_their_folder(
    files: list[str], patterns: list[str], systems: list[str]
) -> None:
    for number, file in enumerate(files):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        query = f"q{number + 1}" if len(files) > len(patterns) else "q1"
        Path(file).write_text(f"query_id,doc_id,score\n{query},d1,2\n{query},d2,1\n")
    done = completed("eval", *patterns, "--qrels", "qrels.csv", "-m", "rr", "--format", "csv", "--query-set", "shared")
    assert [row["system"] for row in done.table] == systems
    if len(systems) == 2:
        compared = completed("compare", *patterns, "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")
        assert [(row["baseline"], row["system"]) for row in compared.table] == [tuple(systems)]


@pytest.mark.parametrize("cells", [numpy.array(["d1", "d2"]), numpy.array(["d1", "d2"], dtype=object), ["d1", "d2"]])
def test_arrays_of_texts_in_the_cells_of_a_frame_are_lists(cells: Any) -> None:
    frame = pandas.DataFrame({"query_id": ["q1", "q2"], "docs": [cells, None]}, index=[7, 7])
    before = frame.copy()
    with sqlrank.evaluate(frame, JUDGED, "rr") as result:
        assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 0.0}}
    assert type(frame["docs"].iloc[0]) is type(before["docs"].iloc[0])


@pytest.mark.parametrize("form", ["relations", "frames", "paths"])
def test_a_dictionary_of_whole_runs_holds_systems(form: str) -> None:
    connection = duckdb.connect()
    relation = connection.sql("from 'run.csv'")
    run: Any = {"relations": relation, "frames": relation.df(), "paths": "run.csv"}[form]
    with sqlrank.evaluate({"a": run, "b": run}, JUDGED, "rr") as result:
        assert [(row["system"], row["value"]) for row in result.to_dicts()] == [("a", 0.75), ("b", 0.75)]
    score = sqlrank.Evaluator(JUDGED, "rr")
    assert [row["system"] for row in score({"a": run}).to_dicts()] == ["a"]


@each(
    [
        {"q1": {LONG: float("nan")}},
        {LONG: {"d1": 1.0}},
        {"q1": {LONG: 1.0}},
        pandas.DataFrame({"query_id": [LONG] * 2, "doc_id": [LONG] * 2, "score": [1.0, 2.0]}),
        pandas.DataFrame({"query_id": ["q1"], "doc_id": [None], "score": [LONG]}),
        pandas.DataFrame({LONG: ["q1"], "doc_id": ["d1"], "score": [LONG]}),
    ]
)
def test_no_message_shows_the_whole_of_a_long_value(run: Any) -> None:
    try:
        with sqlrank.evaluate(run, JUDGED, "rr") as result:
            said = [*result.notes, *result.remarks()]
    except sqlrank.SqlrankError as error:
        said = [str(error)]
    assert said
    assert max(map(len, said)) < 5000


@pytest.mark.parametrize("name", ["values.csv", "values.parquet", "values.jsonl"])
def test_values_per_query_are_told_as_what_they_are(name: str) -> None:
    asked = ["eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", "-m", "ndcg(gain=exp2)@10"]
    completed(*asked, "--per-query", name)
    said = error_of(3, "eval", name, "--qrels", "qrels.csv", "-m", "rr")
    assert f"{name} holds values of metrics per query (rr, ndcg_gain_exp2_at_10), as --per-query writes them" in said
    assert "sqlrank compare takes" in said
    Path("half.csv").write_text("query_id,rank\nq1,1\n")
    assert "has no column for the doc_id" in error_of(3, "eval", "half.csv", "--qrels", "qrels.csv", "-m", "rr")


def test_agreement_of_several_files_takes_each_for_one_rater() -> None:
    Path("anna.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\nq1,d2,0\nq2,d1,2\n")
    Path("bo.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\nq1,d2,1\nq2,d1,2\n")
    both = "query_id,doc_id,rater,relevance\n" + "".join(
        f"{query},{doc},{rater},{relevance}\n"
        for rater in ("anna", "bo")
        for query, doc, relevance in (line.split(",") for line in Path(f"{rater}.csv").read_text().split("\n")[1:-1])
    )
    Path("both.csv").write_text(both)
    wanted = completed("agreement", "both.csv", "--format", "json", "--show", "disputed=3", "--quiet").out
    for words in (["anna.csv", "bo.csv"], ["anna=anna.csv", "bo=bo.csv", "--where", "relevance <> '9'"]):
        told = completed("agreement", *words, "--format", "json", "--show", "disputed=3")
        assert json.loads(told.out)["rows"] == json.loads(wanted)["rows"]
        assert json.loads(told.out)["disputed"] == json.loads(wanted)["disputed"] != []
        assert "each is one rater: anna, bo" in told.err
    with sqlrank.agreement(["both.csv", pandas.read_csv("anna.csv").assign(rater="cy")]) as result:
        assert {row[0] for row in result.by_rater().fetchall()} == {"anna", "bo", "cy"}
    assert "two raters are called 'anna'" in error_of(2, "agreement", "anna.csv", "anna.csv")
