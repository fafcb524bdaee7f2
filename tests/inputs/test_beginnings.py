"""What tells formats apart: no sample of one is known as another, and every format that can be named can be read."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

import sqlrank
from sqlrank.choices import INPUT_FORMATS
from sqlrank.errors import DataError
from sqlrank.inputs.beginnings import BEGINNINGS, Start, told_by_beginning
from sqlrank.inputs.files import FORMATS
from sqlrank.inputs.formats import WINDOW
from tests.support.cli_helper import FIXTURES
from tests.support.tables import each
from tests.tool_samples import FOLDER

EXPECTED = {
    "beir.qrels.tsv": set(),
    "index.run.csv": set(),
    "letor.txt": {"letor"},
    "letor.lightgbm.scores": set(),
    "movielens.ratings.dat": {"movielens"},
    "movielens.u.data": {"movielens"},
    "mteb_predictions.json": {"mteb", "dictionaries"},
    "opensearch.answer.json": {"judgment_list"},
    "opensearch.judgments.json": {"judgment_list"},
    "quepid.basic.csv": {"quepid"},
    "quepid.detailed.csv": {"quepid"},
    "quepid.json": {"quepid_json"},
    "quepid.ltr.txt": {"letor"},
    "quepid.rre.json": {"quepid_json"},
    "quepid.snapshot.csv": {"quepid"},
    "rank_eval.answer.json": {"rank_eval_answer"},
    "rank_eval.request.json": {"rank_eval_request"},
    "ranx.qrels.json": {"dictionaries"},
    "ranx.qrels.trec": {"trec"},
    "recbole.inter": {"recbole"},
    "svmlight.txt": {"letor"},
}
"""The formats that know the beginning of each sample as judgments."""


def start_of(path: Path, role: str) -> Start:
    """How a sample begins."""
    text = path.read_text(encoding="utf-8", errors="replace")[:WINDOW]
    line = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    return Start("" if path.suffix == ".json" else line, role, text if path.suffix == ".json" else "")


@each(list(EXPECTED))
def test_a_sample_is_known_by_its_own_format_alone(name: str) -> None:
    start = start_of(FOLDER / name, "qrels")
    assert {kind for kind, each in BEGINNINGS.items() if each.known(start)} == EXPECTED[name]


@each(
    product(
        sorted((FIXTURES / "search").glob("*.csv")) + sorted((FIXTURES / "bad").glob("*.csv")),
        ["run", "qrels", "queries"],
    )
)
def test_plain_files_are_known_by_none(case: tuple[Path, str]) -> None:
    path, role = case
    assert told_by_beginning(start_of(path, role), "csv", str(path)) == "csv"


def test_every_format_that_can_be_named_or_told_can_be_read() -> None:
    assert set(INPUT_FORMATS) <= set(FORMATS)
    assert set(BEGINNINGS) <= set(INPUT_FORMATS)


def test_json_that_may_be_two_things_is_refused_with_options_that_settle_it() -> None:
    requests = [{"id": "q", "ratings": [{"_id": "d", "rating": 1}]}]
    both = {"requests": requests, "queries": [{"query": "q", "ratings": {"e": 1}}]}
    Path("both.json").write_text(json.dumps(both), encoding="utf-8")
    run = {"q": {"d": 2.0, "e": 1.0}}
    with pytest.raises(DataError, match="a request of _rank_eval or ratings of Quepid") as raised:
        sqlrank.evaluate(run, "both.json", "rr")
    formats = re.findall(r"input_format=\W?(\w+)", str(raised.value))
    found = {kind: sqlrank.evaluate(run, "both.json", "rr", input_format=kind)["rr"] for kind in formats}
    assert found == {"rank_eval_request": 1, "quepid_json": 1 / 2}
