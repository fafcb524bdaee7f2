"""Runs and judgments as JSON of dictionaries, which other tools store, are read as they would read them."""

from __future__ import annotations

import gzip
import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.inputs import formats, nested_json
from tests.support.cli_helper import Outcome, completed, error_of, run_cli
from tests.support.examples import examples
from tests.support.tables import hold

RUN = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d1": 0.6, "d4": 5}, "q,4": {}}
QRELS = {"q1": {"d2": 2, "d3": 1, "d9": 1}, "q2": {"d4": 1}, "q3": {"d1": 1}}
# rr: 1/2 at d2 of q1, 1 at d4 of q2, and q3 has no results.
RR = "0.5"


def packed(data: Any, suffix: str, indent: int | None) -> bytes:
    """A document as a file holds it."""
    text = json.dumps(data, indent=indent).encode()
    return gzip.compress(text) if suffix.endswith(".gz") else zstd.compress(text) if suffix.endswith(".zst") else text


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A run and judgments."""
    for name, data in (("run", RUN), ("qrels", QRELS)):
        (tmp_path / f"{name}.json").write_bytes(packed(data, ".json", None))
    return [tmp_path / "run.json", tmp_path / "qrels.json"]


def evaluated(run: Path, qrels: Path) -> Outcome:
    """How the reciprocal rank came out."""
    return run_cli("eval", run, "--qrels", qrels, "-m", "rr", "--format", "csv")


def test_dictionaries_are_read_plain_and_packed(tmp_path: Path) -> None:
    def check(case: tuple[str, int | None]) -> None:
        suffix, indent = case
        run, qrels = tmp_path / f"run{suffix}", tmp_path / f"qrels{suffix}"
        run.write_bytes(packed(RUN, suffix, indent))
        qrels.write_bytes(packed(QRELS, suffix, indent))
        done = evaluated(run, qrels)
        assert (done.code, [row["value"] for row in done.table]) == (0, [RR]), done.err

    hold(product([".json", ".json.gz", ".json.zst", "", ".txt", ".jsonl"], [None, 2]), check)


def test_every_command_reads_what_dictionaries_of_python_give(files: list[Path], tmp_path: Path) -> None:
    values = []
    for run, qrels in (files, [RUN, QRELS]):
        with sqlrank.evaluate(run, qrels, ["ndcg", "ap"]) as result:
            values.append(result.to_dict())
    assert values[0] == values[1]
    run, qrels = files
    shown = ["--qrels", qrels, "-m", "rr"]
    assert completed("compare", f"a={run}", f"b={run}", *shown).code == 0
    assert "d2" in completed("explain", "q1", run, *shown).out
    assert completed("eval", run, *shown, "-o", tmp_path / "report.html").code == 0
    looked = completed("inspect", run, qrels).out
    assert f"sqlrank eval {run} --qrels {qrels}" in looked
    assert completed("eval", run, "--positives", qrels, "-m", "rr", "--format", "csv").table[0]["value"] == RR
    assert completed("eval", f"{run.parent}/ru*.json", *shown, "--format", "csv").table[0]["value"] == RR
    assert completed("eval", "-", *shown, "--format", "csv", stdin=run.read_bytes()).table[0]["value"] == RR
    without = completed("eval", run, *shown, "--where", "doc_id <> 'd1'", "--query-set", "judged", "--format", "csv")
    assert without.table[0]["value"] == "0.666666666667"
    assert "JSON of dictionaries" in error_of(2, "eval", run, *shown, "--show-sql")


def test_files_larger_than_a_block_are_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nested_json, "BLOCK", 7)
    monkeypatch.setattr(formats, "WINDOW", 40)
    run = {f"q{number}": {f'd{place}é"\\': place for place in range(number % 5)} for number in range(40)}
    (tmp_path / "run.json").write_text(json.dumps(run, indent=1))
    judged = {query: dict.fromkeys(pairs, 1) for query, pairs in run.items() if pairs}
    with sqlrank.evaluate(tmp_path / "run.json", judged, "num_ret") as result:
        assert {query: found["num_ret"] for query, found in result.to_dict().items()} == {
            query: len(pairs) for query, pairs in run.items() if pairs
        }


def test_what_is_wrong_is_told_with_query_and_document(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        text, said = case
        run, qrels = tmp_path / "run.json", tmp_path / "qrels.csv"
        run.write_text(text)
        qrels.write_text("query_id,doc_id,relevance\nq1,d1,1\n")
        message = error_of(3, "eval", run, "--qrels", qrels, "-m", "rr")
        assert said in message
        assert str(run) in message
        assert ", row" not in message

    cases = [
        ('{"q1": {"d1": 1, "d1": 2}}', "the document 'd1' appears twice in query 'q1'"),
        ('{"q1": {"d1": 1}, "q1": {"d2": 2}}', "the query 'q1' appears twice"),
        ('{"q1": {"d1": {"score": 1}}}', "document 'd1' of query 'q1' has {'score': 1}, which is not a number"),
        ('{"q1": {"d1": [1]}}', "document 'd1' of query 'q1' has [1], which is not a number"),
        ('{"q1": {"d1": "high"}}', "document 'd1' of query 'q1' has 'high'"),
        ('{"q1": {"d1": null}}', "document 'd1' of query 'q1' has null"),
        ('{"q1": {"d1": true}}', "document 'd1' of query 'q1' has 'true'"),
        ('{"q1": {"d1": NaN}}', "document 'd1' of query 'q1' has 'nan'"),
        ('{"q1": {"d1": 1e999}}', "document 'd1' of query 'q1' has 'inf'"),
        ('{"q1": {"d1": 1}, "q2": 7}', "query 'q2': expected its documents and their numbers"),
        ('{"q1": {"d1": 1}, "q2": ["d1"]}', "query 'q2': expected its documents and their numbers"),
        ('{"q1": {"": 1}}', "no query_id or no doc_id"),
        ('{"": {"d1": 1}}', "no query_id or no doc_id"),
        ('{"q1": {"d1": 1}', "cannot be read as JSON: expected }, found the end of the file, which is cut"),
        ('{"q1": {"d1": 1}, ', "cannot be read as JSON"),
        ('{"q1": {"d1": 1}}}', "cannot be read"),
        ('{"q1": {"d1": 1}, {"d": 1}: {"d1": 1}}', "cannot be read"),
        ('{{"d": 1}: {"d1": 1}}', "cannot be read"),
        ('{"q1": {"d1": 1} "q2": {"d1": 1}}', "cannot be read"),
        ('{"q1": {"d1": "\\ud800", "\\ud800": 1}}', "half of a pair of surrogates"),
        ('{"q1": {"d\\u0000": 1}}', "an id holds a NUL character"),
    ]
    hold(cases, check)


@pytest.mark.parametrize(
    "text",
    [
        '{"query_id": "q1", "doc_id": "d1", "score": 2}\n{"query_id": "q1", "doc_id": "d2", "score": 1}\n',
        '{"request": {"id": 1}, "query_id": "q1", "doc_id": "d2", "score": 2}\n',
        '[{"query_id": "q1", "doc_id": "d2", "score": 2}]',
    ],
)
def test_records_stay_records(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text)
    with sqlrank.evaluate(tmp_path / "run.json", {"q1": {"d2": 1}}, "rr") as result:
        assert result["rr"] in (0.5, 1.0)


IDS = st.text(st.characters(codec="utf-8"), max_size=6)
OTHERS: list[Any] = ["x", None, True, [], {}]
NUMBERS: st.SearchStrategy[Any] = st.integers(-(10**20), 10**20) | st.floats() | st.sampled_from(OTHERS)
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, NUMBERS, max_size=4), min_size=1, max_size=4)


@examples(8)
@given(RUNS, st.booleans())
def test_any_dictionary_is_read_as_it_is_or_refused(tmp_path_factory: Any, run: dict[str, Any], plain: bool) -> None:
    path = tmp_path_factory.mktemp("any") / "run.json"
    path.write_text(json.dumps(run, ensure_ascii=plain), encoding="utf-8")
    judged = {query: {document: 1} for query, pairs in run.items() for document in pairs}
    judged.setdefault("q", {"d": 1})
    pairs = [(query, document, number) for query, found in run.items() for document, number in found.items()]
    good = pairs and not any("\x00" in query for query in run) and all(
        query and document and "\x00" not in query + document
        and type(number) in (int, float) and math.isfinite(number)
        for query, document, number in pairs
    )  # fmt: skip
    try:
        with sqlrank.evaluate(path, judged, ["num_ret", "rr"]) as result:
            found = result.to_dict()
    except sqlrank.SqlrankError:
        assert not good
        return
    assert good
    for query, documents in judged.items():
        assert found[query]["num_ret"] == len(run.get(query, {}))
        (wanted,) = documents
        ranked = sorted(run.get(query, {}).items(), key=lambda pair: (float(pair[1]), pair[0].encode()), reverse=True)
        places = [place for place, (document, _) in enumerate(ranked, 1) if document == wanted]
        assert found[query]["rr"] == pytest.approx(1 / places[0] if places else 0)
