"""The schemas of JSON outputs hold for what the commands write, and know every field of it."""

from __future__ import annotations

import json
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.pages.outputs import outputs, schema
from tests.support.cli_helper import FIXTURES, completed

KEYWORD, SEMANTIC, QRELS, QUERIES = (
    str(FIXTURES / "search" / f"{name}.parquet") for name in ("keyword", "semantic", "qrels", "queries")
)
VERDICTS = str(FIXTURES / "search" / "verdicts.csv")
TUNED = str(FIXTURES / "behaviour" / "shop" / "tuned.parquet")
CLICKS = str(FIXTURES / "behaviour" / "shop" / "log.parquet")
INTERLEAVED = str(FIXTURES / "behaviour" / "shop" / "interleaved.parquet")
SHARES = ["--shares", "neural=0.36,tuned=0.36", "--shares", "bm25=0.28"]
TESTED = str(FIXTURES / "behaviour" / "test" / "log.parquet")
BOTH = [KEYWORD, SEMANTIC, "--qrels", QRELS]
SETS = ["--qrels", "people=people.csv", "--qrels", f"model={QRELS}"]
SEGMENTS = ["--queries", QUERIES, "--by", "country"]
RATED = "query_id,doc_id,rater,relevance\nq,a,ann,1\nq,a,bo,2\nq,b,ann,0\nq,b,bo,0\nr,a,ann,1\nr,a,bo,1\n"
SHOWN = "query_id,doc_id,score\nq,a,1\nr,a,1\n"
DAYS = {
    "query_id": [f"q{query}" for _ in range(30) for query in range(4)],
    "doc_id": ["a"] * 120,
    "score": [1.0] * 120,
    "relevance": [int(query < 1 + day % 3) for day in range(30) for query in range(4)],
    "country": [["de", "fr"][query % 2] for _ in range(30) for query in range(4)],
    "dt": [date(2026, 1, 1) + timedelta(day) for day in range(30) for _ in range(4)],
}


def clicked() -> str:
    """The judgments as labels with intervals."""
    rows = pq.read_table(QRELS, columns=["query_id", "doc_id", "relevance"]).to_pylist()
    means = [(row, 0.1 + 0.25 * row["relevance"]) for row in rows]
    lines = [f"{row['query_id']},{row['doc_id']},{mean},{mean - 0.1},{mean + 0.05}" for row, mean in means]
    return "\n".join(["query_id,doc_id,relevance,low,high", *lines])


def judged_in_part() -> str:
    """The judgments of every other query."""
    rows = pq.read_table(QRELS, columns=["query_id", "doc_id", "relevance"]).to_pylist()
    lines = [",".join(map(str, row.values())) for row in rows if int(row["query_id"][1:]) % 2]
    return "\n".join(["query_id,doc_id,relevance", *lines])


def turned() -> str:
    """A run with all its rankings turned round."""
    rows = pq.read_table(KEYWORD, columns=["query_id", "doc_id", "score"]).to_pylist()
    return "\n".join(["query_id,doc_id,score", *(f"{row['query_id']},{row['doc_id']},{-row['score']}" for row in rows)])


CASES: list[tuple[str, list[str]]] = [
    ("eval", [KEYWORD, "--qrels", QRELS, *SEGMENTS]),
    (
        "eval",
        [
            KEYWORD,
            "--qrels",
            QRELS,
            "-m",
            "p@5",
            "--bounds",
            "--judged",
            "--weight",
            "traffic",
            "--cluster",
            "device",
            *SEGMENTS,
        ],
    ),
    (
        "eval",
        [
            KEYWORD,
            "--qrels",
            QRELS,
            "-m",
            "ndcg@10",
            "--like",
            "ranx",
            "--where",
            "score > 8",
            "--query-set",
            "shared",
            "--show",
            "worst=2",
        ],
    ),
    (
        "compare",
        [
            *BOTH,
            "-m",
            "p@10",
            "--bounds",
            "--margin",
            "p@10=0.01",
            "--show",
            "movers=2",
            "--show",
            "worst=2",
            "--show",
            "best=1",
            *SEGMENTS,
        ],
    ),
    ("compare", [*BOTH, "-m", "ndcg@10", "--judged-by", "keyword"]),
    ("eval", [KEYWORD, "--qrels", "clicked.csv", "-m", "ndcg@10", "-m", "gauc(rel=0.3, weight=positives)", *SEGMENTS]),
    ("compare", [KEYWORD, SEMANTIC, "--qrels", "clicked.csv", "-m", "ndcg@10", "--label-draws", "20"]),
    ("compare", [*BOTH, "-m", "ndcg@10", "--all-pairs", "--correction", "max-t", "--show", "movers=1"]),
    (
        "compare",
        [
            *BOTH,
            "-m",
            "ndcg@10",
            "--test",
            "t",
            "--alternative",
            "greater",
            "--cluster",
            "country",
            "--queries",
            QUERIES,
        ],
    ),
    ("compare", [*BOTH, "-m", "success@1", "--test", "bootstrap", "--not-worse-than", "success@1=0.5"]),
    ("judgment-sets", [KEYWORD, SEMANTIC, "turned.csv", *SETS, "-m", "ndcg@10", "--cluster", "device", *SEGMENTS]),
    ("judgment-sets", [KEYWORD, SEMANTIC, *SETS, "-m", "ndcg@10", "--test", "bootstrap", "--alternative", "greater"]),
    ("likeness", [KEYWORD, SEMANTIC, *SEGMENTS]),
    ("gsb", [VERDICTS, "--by", "country", "--show", "disputed=2"]),
    ("gsb", [VERDICTS, "--sequential"]),
    ("agreement", ["rated.csv", "--show", "disputed=1"]),
    ("agreement", ["rated.csv", "--reference", "ann", "--run", "shown.csv", "--run", "again=shown.csv"]),
    ("plan", [*BOTH, "-m", "ndcg@10", "--plan"]),
    ("pool", [*BOTH, "--budget", "2"]),
    ("monitor", ["days.parquet", "--day", "dt", "-m", "p@1", "--by", "country", "--direction", "both"]),
    ("explain", ["q0001", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10"]),
    ("explain-two", ["q0001", *BOTH, "-m", "ndcg@10"]),
    ("inspect", [KEYWORD, QRELS, QUERIES]),
    ("log-inspect", [CLICKS]),
    ("log-judgments", [CLICKS, "--exclude-bots", "--method", "ctr"]),
    ("log-judgments", [CLICKS, "--like", "opensearch"]),
    ("log-value", [TUNED, "--log", CLICKS, "--exclude-bots"]),
    ("log-propensities", [CLICKS, "--rounds", "2"]),
    ("log-interleave", [INTERLEAVED, "--by", "device"]),
    ("log-interleave", [INTERLEAVED, "--sequential", "--unit", "impression"]),
    ("log-arms", [TESTED, "--baseline", "A", "--before", "2026-10-19", "--by", "device", "--margin", "ctr=1%"]),
    ("log-arms", [CLICKS, "--unit", "impression", "--all-pairs", "--sequential", "-m", "ctr", *SHARES]),
]


OTHERWISE = {"likeness": "compare", "plan": "compare", "judgment-sets": "compare", "explain-two": "explain"}
"""The commands that are not called like their outputs."""


@cache
def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(schema(outputs()[name], strict=True))


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_what_a_command_writes_is_described(
    name: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rated.csv").write_text(RATED, encoding="utf-8")
    (tmp_path / "shown.csv").write_text(SHOWN, encoding="utf-8")
    for file, text in (("clicked", clicked()), ("people", judged_in_part()), ("turned", turned())):
        (tmp_path / f"{file}.csv").write_text(text, encoding="utf-8")
    pq.write_table(pa.table(DAYS), tmp_path / "days.parquet")
    command = OTHERWISE.get(name, name).replace("log-", "log ").split()

    document = json.loads(completed(*command, *arguments, "--format", "json").out)

    assert [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(document)] == []


def test_every_output_has_a_case() -> None:
    assert {name for name, _ in CASES} == set(outputs())


def test_a_field_that_is_missing_and_one_that_is_unknown_are_found() -> None:
    document = {"sqlrank": "0", "rows": [], "baseline": "b", "conventions": {}, "remarks": [], "new": 1}
    found = " ".join(error.message for error in validator("plan").iter_errors(document))
    assert "'rel' is a required property" in found
    assert "'new' was unexpected" in found
