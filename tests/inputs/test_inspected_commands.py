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


@pytest.mark.needs("random")
def test_a_printed_command_for_a_bad_file_runs_or_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(name: str) -> None:
        monkeypatch.chdir(FIXTURES / "bad")
        beside = "qrels.csv" if name.startswith("run") else "run.csv"

        done, said = inspected(name, beside)
        assert done is None or done.code == 0, said

    hold(BAD, check)


EXPORTS = [
    ("days.csv",),
    ("events.csv",),
    ("lists.jsonl",),
    ("recommended.parquet", "purchases.parquet"),
    ("run.tsv", "qrels.dev.tsv"),
    ("delta", "qrels_excel.csv"),
    ("verdicts.xlsx",),
]


@pytest.mark.needs("random")
def test_a_printed_command_for_an_export_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(files: tuple[str, ...]) -> None:
        monkeypatch.chdir(exports.FOLDER)

        done, said = inspected(*files)
        assert done is None or done.code == 0, said

    hold({" ".join(words): words for words in EXPORTS}, check)


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
    metric: str = "rr"


QRELS = "query_id,doc_id,relevance\nq1,d1,1\nq1,d2,0\nq2,d2,1\nq2,d1,0\n"
PLAIN = "query_id,doc_id,score\nq1,d1,2\nq1,d2,1\nq2,d1,2\nq2,d2,1\n"
KINDS = {
    "rankings and judgments": Kind({"run.csv": PLAIN, "qrels.csv": QRELS}, ("0.75",)),
    "a labelled export": Kind(
        {"export.csv": "query,url,position,clicked\nq1,d1,1,0\nq1,d2,2,1\nq2,d1,1,1\nq2,d2,2,0\n"}, ("0.75",)
    ),
    "chunks of documents": Kind(
        {
            "chunks.csv": "query_id,doc_id,chunk_id,score\nq1,d1,1,5\nq1,d2,1,4\nq1,d1,2,3\nq2,d1,1,2\nq2,d2,1,1\n",
            "qrels.csv": QRELS,
        },
        ("0.75",),
    ),
    "several days": Kind(
        {
            "days.csv": "query_id,date,doc_id,score,relevance\nq1,2026-01-01,a,2,1\n"
            "q1,2026-01-02,a,1,0\nq1,2026-01-02,b,2,1\n"
        },
        ("1",),
    ),
    "users and days": Kind(
        {
            "run.csv": "user_id,date,item_id,score\nu1,2026-01-01,a,2\nu1,2026-01-02,a,1\nu1,2026-01-02,b,2\n",
            "qrels.csv": "user_id,date,item_id,relevance\nu1,2026-01-01,a,1\nu1,2026-01-02,a,1\nu1,2026-01-02,b,0\n",
        },
        ("0.75",),
    ),
    "systems in a column of any name": Kind(
        {
            "all.csv": "Algorithm,user,rank,item,score\n"
            + "".join(
                f"{name},{user},{place},{item},{3 - place}\n"
                for name, items in (("ALS", ("d1", "d2")), ("Bias", ("d2", "d1")))
                for user in ("q1", "q2")
                for place, item in enumerate(items, 1)
            ),
            "truth.csv": "user,item,rating\nq1,d1,1\nq2,d2,1\n",
        },
        ("0.75", "0.75"),
    ),
    "an index without a name": Kind(
        {"run.csv": ",query_id,doc_id,score\n0,q1,d1,2\n1,q1,d2,1\n2,q2,d1,2\n3,q2,d2,1\n", "qrels.csv": QRELS},
        ("0.75",),
    ),
    "grades in words": Kind(
        {"grades.csv": "query_id,doc_id,score,relevance\nq1,d1,2,good\nq1,d2,1,bad\n"},
        says="relevances are no numbers, such as 'bad': --relevance-map",
    ),
    "decimal commas": Kind(
        {"commas.csv": "query_id;doc_id;score;relevance\nq1;d1;2,5;1\nq1;d2;1,5;0\n"},
        says="scores are no numbers, such as '1,5'; write decimals with a point",
    ),
    "two arms of a test": Kind(
        {
            "a.csv": "query_id,doc_id,score,relevance\na1,d1,2,1\na2,d1,2,0\n",
            "b.csv": "query_id,doc_id,score,relevance\nb1,d1,2,1\nb2,d1,2,0\n",
        },
        says="no query in common",
    ),
    "a log with copies": Kind(
        {"log.csv": "query_id,doc_id,score,clicked\nq1,d1,2,1\nq1,d1,2,1\nq1,d2,1,0\n"}, says="more than once"
    ),
    "a table of users": Kind(
        {
            "run.csv": "user_id,date,item_id,score\nu1,2026-01-01,a,2\n"
            "u1,2026-01-02,a,1\nu1,2026-01-02,b,2\nu2,2026-01-02,b,2\n",
            "qrels.csv": "user_id,date,item_id,relevance\nu1,2026-01-01,a,1\nu1,2026-01-02,a,1\nu2,2026-01-02,b,1\n",
            "queries.csv": "user_id,plan\nu1,free\nu2,paid\n",
        },
        ("0.75", "1", "0.833333333333"),
    ),
    "dictionaries": Kind(
        {
            "run.json": '{"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 2, "d2": 1}}',
            "qrels.json": '{"q1": {"d1": 1}, "q2": {"d2": 1}}',
        },
        ("0.75",),
    ),
    "TREC": Kind(
        {
            "run.trec": "q1 Q0 d1 1 2 x\nq1 Q0 d2 2 1 x\nq2 Q0 d1 1 2 x\nq2 Q0 d2 2 1 x\n",
            "qrels.trec": "q1 0 d1 1\nq2 0 d2 1\n",
        },
        ("0.75",),
    ),
    "lists in JSON": Kind(
        {
            "lists.jsonl": '{"query_id": "q1", "docs": ["d1", "d2"], "labels": [0, 1]}\n'
            '{"query_id": "q2", "docs": ["d1"], "labels": [1]}\n'
        },
        ("0.75",),
    ),
    "nested fields by other names": Kind(
        {"hits.jsonl": '{"query_id": "q1", "hits": [{"id": "d1", "score": 2, "relevance": 0}]}\n'},
        says="--column doc_id=hits[].id",
    ),
    "nested fields": Kind(
        {
            "hits.jsonl": '{"query_id": "q1", "hits": [{"doc_id": "d1", "score": 2, '
            '"relevance": 0}, {"doc_id": "d2", "score": 1, "relevance": 1}]}\n'
        },
        ("0.5",),
    ),
    "a query in two segments": Kind(
        {
            "run.csv": PLAIN,
            "qrels.csv": QRELS,
            "queries.csv": "query_id,country\nq1,de\nq1,fr\nq2,fr\n",
        },
        ("0.75",),
    ),
    "a missing score": Kind({"run.csv": PLAIN.replace("q2,d2,1", "q2,d2,"), "qrels.csv": QRELS}, says="finite"),
    "ids in another form": Kind(
        {"run.csv": PLAIN.replace("q", "Q"), "qrels.csv": QRELS.replace("q1", "q01").replace("q2", "q02")},
        says="quer",
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
    def check(name: str) -> None:
        monkeypatch.chdir(tmp_path)
        kind = KINDS[name]
        for file, text in kind.files.items():
            Path(file).write_text(text)

        done, said = inspected(*kind.files)
        assert kind.says in said
        assert (done is None) is (not kind.values), said
        if done is not None:
            assert done.code == 0, done
            assert tuple(value_of(row) for row in done.table if row.get("metric", "rr") == "rr") == kind.values, (
                said,
                done.out,
            )

    hold(list(KINDS), check)
