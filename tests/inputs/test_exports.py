"""Each export of a warehouse is evaluated as it is, and gives what the same rows give as plain tables."""

from __future__ import annotations

import filecmp
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import sqlrank
from tests import exports
from tests.support.cli_helper import completed, run_cli
from tests.support.components import package
from tests.support.tables import hold

METRICS = ("ndcg@5", "ap", "rr")
COLUMNS = {"ndcg_at_5": "ndcg@5", "ap": "ap", "rr": "rr"}
SETTINGS = tomllib.loads((exports.FOLDER / "sqlrank.toml").read_text(encoding="utf-8"))["evaluations"]
EVALUATIONS = [name for name in SETTINGS if name != "verdicts"]


def frame(names: str, rows: list[exports.Row]) -> pyarrow.Table:
    columns = map(list, zip(*rows, strict=True))
    return pyarrow.table(dict(zip(names.split(), columns, strict=True)))


def key(name: str, row: dict[str, str]) -> str:
    """The query of the plain tables that a row is of."""
    if name == "days":
        return f"q{2 * int(row['user_id'].partition(',')[2]) + exports.DAYS.index(row['date']):04}"
    if name == "events":
        return f"q{2 * int(row['query'].partition(' ')[2]) + int(row['session_key'][1:]):04}"
    return f"q{int(row['query_id']):04}" if name == "marco" else row["query_id"]


def plain(name: str) -> dict[str, dict[str, float]]:
    """The values of the plain tables."""
    labelled = name in ("days", "lists", "structs", "texts")
    return values_of("labelled" if labelled else name if name in ("events", "purchases") else "judged")


@cache
def values_of(kind: str) -> dict[str, dict[str, float]]:
    """The values of one kind of tables."""
    run, labels = frame("query_id doc_id score", exports.run()), None
    if kind == "labelled":
        run = frame("query_id doc_id score relevance", exports.labelled())
    elif kind == "events":
        places = {row[:2]: row[2] for row in exports.ranked()}
        rows = [(query, doc, places[query, doc], int(label > 0)) for query, doc, _, label in exports.labelled()]
        run = frame("query_id doc_id rank relevance", rows)
    elif kind == "purchases":
        labels = frame("query_id doc_id relevance", [(*pair, 1) for pair in exports.positives()])
    else:
        labels = frame("query_id doc_id relevance", exports.qrels())
    with sqlrank.evaluate(run, labels, METRICS) as result:
        values: dict[str, Any] = result.to_dict()
        return values


def test_an_export_gives_what_plain_tables_give(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(name: str) -> None:
        if name == "delta":
            package("deltalake", "lake")
        monkeypatch.chdir(exports.FOLDER)
        table = completed("eval", "--config", name, "--per-query", "-").table
        found = {key(name, row): {text: float(row[column]) for column, text in COLUMNS.items()} for row in table}
        assert len(found) == len(table)
        assert found.keys() == plain(name).keys()
        for query, values in plain(name).items():
            assert found[query] == pytest.approx(values, abs=1e-12)

    hold(EVALUATIONS, check)


def test_what_was_assumed_is_said_and_the_sheet_of_verdicts_gives_what_their_csv_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(exports.FOLDER)
    said = {name: run_cli("eval", "--config", name).err for name in ("purchases", "texts", "marco", "nameless")}
    assert "the order of recommended is the rank" in said["purchases"]
    assert "a row holds lists (doc_ids, scores, labels)" in said["texts"]
    assert "the columns are read as query_id, doc_id, rank" in said["marco"]
    assert "the columns are read as score, doc_id, query_id" in said["nameless"]
    package("python_calamine", "excel")
    monkeypatch.chdir(exports.FOLDER)
    sheet = completed("gsb", "--config", "verdicts", "--format", "csv").out
    assert sheet == completed("gsb", exports.SEARCH / "verdicts.csv", "--format", "csv").out


def test_the_files_are_those_that_the_script_writes(tmp_path: Path) -> None:
    package("deltalake", "lake")
    package("openpyxl", "test")
    exports.write(tmp_path)
    texts = [path.name for path in tmp_path.iterdir() if path.suffix in (".csv", ".tsv", ".jsonl")]
    assert len(texts) == 9
    assert filecmp.cmpfiles(exports.FOLDER, tmp_path, texts, shallow=False)[0] == texts
    others = {path.name for path in exports.FOLDER.iterdir()} - {path.name for path in tmp_path.iterdir()}
    assert others == set(exports.BY_HAND) & {path.name for path in exports.FOLDER.iterdir()}
