"""What a look at inputs prints, runs: of every fixture, good and bad, and of exports of many kinds."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import exports
from tests.support.cli_helper import FIXTURES, Outcome, completed, run_cli
from tests.support.tables import hold

OWN_WORDS = ("DuckDB", "Original Line", "Conversion Error", "Binder Error", "internal error", "Traceback", "sqlrank_")
"""What is no word of sqlrank, in a message."""


def inspected(*files: str) -> tuple[Outcome | None, str]:
    """How the printed command ends, if one is printed, and what the look says, which is the same in every format."""
    look = run_cli("inspect", *files, "--format", "json")
    said = look.out + look.err
    assert not [word for word in OWN_WORDS if word in said], said
    if look.code:
        assert look.code == 3, look
        return None, said
    document = json.loads(look.out)
    if document["command"] is None:
        reasons = [*document["notes"], *(note for each in document["profiles"] for note in each["notes"])]
        assert reasons, said
        return None, said
    words = shlex.split(document["command"])
    assert words[0] == "sqlrank"
    return run_cli(*words[1:], "--format", "csv"), said


def test_a_look_prints_the_command_that_its_document_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIXTURES / "search")
    for files in SEARCH[1:3]:
        command = json.loads(completed("inspect", *files, "--format", "json").out)["command"]
        assert command in completed("inspect", *files).out


BAD = sorted(path.name for path in (FIXTURES / "bad").iterdir() if path.is_file())


EXPORTS = [("days.csv",), ("events.csv",)]


BESIDE = {name: "qrels.csv" if name.startswith("run") else "run.csv" for name in BAD}
SOME: dict[str, tuple[Path, tuple[str, ...]]] = {
    f"bad: {name}": (FIXTURES / "bad", (name, beside)) for name, beside in BESIDE.items()
}
SOME |= {f"export: {' '.join(words)}": (exports.FOLDER, words) for words in EXPORTS}


@pytest.mark.needs("random")
def test_a_printed_command_for_a_bad_file_or_an_export_runs_or_the_reason_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check(case: tuple[Path, tuple[str, ...]]) -> None:
        folder, files = case
        monkeypatch.chdir(folder)
        done, said = inspected(*files)
        assert done is None or done.code == 0, said

    hold(SOME, check)


SEARCH = [
    ("keyword.parquet",),
    ("keyword.parquet", "qrels.parquet"),
    ("keyword.parquet", "semantic.parquet"),
    ("keyword.parquet", "semantic.parquet", "qrels.parquet", "queries.parquet"),
    ("export.parquet",),
    ("verdicts.csv",),
]


def test_a_printed_command_for_the_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(files: tuple[str, ...]) -> None:
        monkeypatch.chdir(FIXTURES / "search")
        done, said = inspected(*files)
        assert (done is None) is (files == ("keyword.parquet",)), said
        assert done is None or done.code == 0, done

    hold({" ".join(words): words for words in SEARCH}, check)


@dataclass(frozen=True, slots=True)
class Kind:
    """An export as people have it, the values that its command gives, and what the look says where there is none."""

    files: dict[str, str]
    values: tuple[str, ...] = ()
    """The values of ndcg@10, or of what the command prints first, by system."""
    says: str = ""


QRELS = "query_id,doc_id,relevance\nq1,d1,1\nq1,d2,0\nq2,d2,1\nq2,d1,0\n"
PLAIN = "query_id,doc_id,score\nq1,d1,2\nq1,d2,1\nq2,d1,2\nq2,d2,1\n"
DAYS = "user_id,date,item_id,{}\nu1,2026-01-01,a,{}\nu1,2026-01-02,a,{}\nu1,2026-01-02,b,{}\n"
CHUNKS = "query_id,doc_id,chunk_id,score\nq1,d1,1,5\nq1,d2,1,4\nq1,d1,2,3\nq2,d1,1,2\nq2,d2,1,1\n"
COPIES = "query_id,date,doc_id,score,relevance\nq1,2026-01-01,a,2,1\nq1,2026-01-02,a,1,0\nq1,2026-01-02,b,2,1\n"
INDEX = ",query_id,doc_id,score\n0,q1,d1,2\n1,q1,d2,1\n2,q2,d1,2\n3,q2,d2,1\n"
ARM = "query_id,doc_id,score,relevance\n{0}1,d1,2,1\n{0}2,d1,2,0\n"
ALGORITHMS = [f"ALS,{user},1,d1,2\nALS,{user},2,d2,1\n" for user in ("q1", "q2")]
ALGORITHMS += [f"Bias,{user},1,d2,2\nBias,{user},2,d1,1\n" for user in ("q1", "q2")]
HIT = '{{"{}": "d1", "score": 2, "relevance": 0}}'
TREC = "q1 Q0 d1 1 2 x\nq1 Q0 d2 2 1 x\nq2 Q0 d1 1 2 x\nq2 Q0 d2 2 1 x\n"
PAIRS = '{"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 2, "d2": 1}}'
LISTS = (
    '{"query_id": "q1", "docs": ["d1", "d2"], "labels": [0, 1]}\n{"query_id": "q2", "docs": ["d1"], "labels": [1]}\n'
)
KINDS = {
    "rankings and judgments": Kind({"run.csv": PLAIN, "qrels.csv": QRELS}, ("0.75",)),
    "a labelled export": Kind(
        {"export.csv": "query,url,position,clicked\nq1,d1,1,0\nq1,d2,2,1\nq2,d1,1,1\nq2,d2,2,0\n"}, ("0.75",)
    ),
    "chunks of documents": Kind({"chunks.csv": CHUNKS, "qrels.csv": QRELS}, ("0.75",)),
    "several days": Kind({"days.csv": COPIES}, ("1",)),
    "users and days": Kind(
        {"run.csv": DAYS.format("score", 2, 1, 2), "qrels.csv": DAYS.format("relevance", 1, 1, 0)}, ("0.75",)
    ),
    "systems in a column of any name": Kind(
        {
            "all.csv": "".join(["Algorithm,user,rank,item,score\n", *ALGORITHMS]),
            "truth.csv": "user,item,rating\nq1,d1,1\nq2,d2,1\n",
        },
        ("0.75", "0.75"),
    ),
    "an index without a name": Kind({"run.csv": INDEX, "qrels.csv": QRELS}, ("0.75",)),
    "grades in words": Kind(
        {"grades.csv": "query_id,doc_id,score,relevance\nq1,d1,2,good\nq1,d2,1,bad\n"},
        says="relevances are not numbers, such as 'bad': --relevance-map",
    ),
    "decimal commas": Kind(
        {"commas.csv": 'query_id,doc_id,score,relevance\nq1,d1,"2,5",1\nq1,d2,"1,5",0\n'},
        says="scores are not numbers, such as '1,5'; write decimals with a point",
    ),
    "two arms of a test": Kind({f"{arm}.csv": ARM.format(arm) for arm in "ab"}, says="no query in common"),
    "a log with copies": Kind(
        {"log.csv": "query_id,doc_id,score,clicked\nq1,d1,2,1\nq1,d1,2,1\nq1,d2,1,0\n"}, says="more than once"
    ),
    "a table of users": Kind(
        {
            "run.csv": DAYS.format("score", 2, 1, 2) + "u2,2026-01-02,b,2\n",
            "qrels.csv": "user_id,date,item_id,relevance\nu1,2026-01-01,a,1\nu1,2026-01-02,a,1\nu2,2026-01-02,b,1\n",
            "queries.csv": "user_id,plan\nu1,free\nu2,paid\n",
        },
        ("0.75", "1", "0.833333333333"),
    ),
    "dictionaries": Kind({"run.json": PAIRS, "qrels.json": '{"q1": {"d1": 1}, "q2": {"d2": 1}}'}, ("0.75",)),
    "TREC": Kind({"run.trec": TREC, "qrels.trec": "q1 0 d1 1\nq2 0 d2 1\n"}, ("0.75",)),
    "lists in JSON": Kind({"lists.jsonl": LISTS}, ("0.75",)),
    "nested fields by other names": Kind(
        {"hits.jsonl": f'{{"query_id": "q1", "hits": [{HIT.format("id")}]}}\n'}, says="--column doc_id=hits[].id"
    ),
    "nested fields": Kind(
        {
            "hits.jsonl": f'{{"query_id": "q1", "hits": [{HIT.format("doc_id")},'
            ' {"doc_id": "d2", "score": 1, "relevance": 1}]}\n'
        },
        ("0.5",),
    ),
    "a query in two segments": Kind(
        {"run.csv": PLAIN, "qrels.csv": QRELS, "queries.csv": "query_id,country\nq1,de\nq1,fr\nq2,fr\n"}, ("0.75",)
    ),
    "a missing score": Kind({"run.csv": PLAIN.replace("q2,d2,1", "q2,d2,"), "qrels.csv": QRELS}, says="finite"),
    "ids in another form": Kind(
        {"run.csv": PLAIN.replace("q", "Q"), "qrels.csv": QRELS.replace("q1", "q01").replace("q2", "q02")}, says="quer"
    ),
    "click rates": Kind({"export.csv": "query_id,doc_id,score,relevance\nq1,d1,2,0.2\nq1,d2,1,0.9\n"}, says="--rel"),
    "verdicts": Kind({"verdicts.csv": "query_id,verdict\nq1,good\nq2,same\nq3,bad\n"}, ("3",)),
    "two runs with judgments": Kind(
        {"a.csv": PLAIN, "b.csv": PLAIN.replace(",2\n", ",0\n"), "qrels.csv": QRELS}, ("0.75",)
    ),
}


def value_of(row: dict[str, str]) -> str:
    """The value of a row, of metrics or of verdicts."""
    return row.get("value", row.get("total", ""))


def test_a_printed_command_gives_the_right_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(kind: Kind) -> None:
        for file, text in kind.files.items():
            Path(file).write_text(text)
        done, said = inspected(*kind.files)
        assert kind.says in said
        assert (done is None) is (not kind.values), said
        if done is not None:
            assert done.code == 0, done
            found = tuple(value_of(row) for row in done.table if row.get("metric", "rr") == "rr")
            assert found == kind.values, (said, done.out)

    monkeypatch.chdir(tmp_path)
    hold(KINDS, check)
