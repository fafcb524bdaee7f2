"""A look at exports of many kinds counts what plain Python counts, and its command gives its values."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import sqlrank
from tests import tool_samples
from tests.inputs.test_files_of_tools import JUDGMENTS, RUNS
from tests.support import corpus
from tests.support import export_forms as f
from tests.support.cli_helper import completed
from tests.support.components import package
from tests.support.export_data import METRICS, Data, Row, counts_of, drawn, values_of
from tests.support.export_forms import LABELLED, POSITIVES, QRELS, QUERIES, RUN, UNKNOWN, Export
from tests.support.export_kinds import EXPORTS
from tests.support.tables import hold

OF_LABELS = ("judged", "positive", "largest_relevance")
ONCE = {name: export for number, (name, export) in enumerate(EXPORTS.items()) if number % 20 == 0}
OTHERS = {name: export for name, export in EXPORTS.items() if name not in ONCE}


def counts(kind: str, data: Data, export: Export, label: str) -> dict[str, Any]:
    """What a look is to say of one file."""
    rows = data.rows
    if kind == RUN and export.kinds.count(RUN) > 1:
        rows = [row for row in rows if row.system == label.partition(".")[0]]
    if kind in (RUN, LABELLED):
        return counts_of(rows, export.worth if kind == LABELLED else None)
    judged = f.relevant(data) if kind == POSITIVES else data.judged
    return counts_of(judged, None if kind == POSITIVES else export.worth)


def check_counts(found: dict[str, Any], data: Data, export: Export, files: Iterable[str]) -> None:
    """Hold what a look counts in each file, and of both sides together, against the data."""
    assert [each["kind"] for each in found["profiles"]] == list(export.kinds), found
    for file, kind, each in zip(files, export.kinds, found["profiles"], strict=True):
        expected = {} if kind in (QUERIES, UNKNOWN) else counts(kind, data, export, file)
        if "--relevance-map" in export.says:
            expected = {name: number for name, number in expected.items() if name not in OF_LABELS}
        assert {name: each[name] for name in expected} == pytest.approx(expected), (file, each)
    pairs = {(row.query, row.doc) for row in (f.relevant(data) if POSITIVES in export.kinds else data.judged)}
    judged = {query for query, _ in pairs}
    for overlap in found["overlaps"]:
        rows = [row for row in data.rows if export.kinds.count(RUN) < 2 or overlap["run"].startswith(row.system)]
        ranked = {row.query for row in rows}
        shown = (overlap["shared"], overlap["of_run"], overlap["of_judgments"])
        assert shown == (len(ranked & judged), len(ranked), len(judged))
        share = sum((row.query, row.doc) in pairs for row in rows) / len(rows)
        assert overlap["judged_share"] == pytest.approx(share), overlap


def check_values(command: str, data: Data, export: Export) -> None:
    """Hold what a command prints against the values of plain Python."""
    words = shlex.split(command)
    assert words[0] == "sqlrank"
    done = completed(*words[1:], *(word for metric in METRICS for word in ("-m", metric)), "--format", "csv")
    expected = values_of(data, export.worth or float)
    values: dict[str, dict[str, float]] = {}
    for row in done.table:
        if row.get("is_total", "true") == "true":
            values.setdefault(row["system"], {})[row["metric"]] = float(row["value"])
    if words[1] == "compare":
        expected.pop("s1")
    if len(expected) == 1:
        values = {next(iter(expected)): one for one in values.values()}
    assert values == {system: pytest.approx(one) for system, one in expected.items()}, command


@pytest.mark.parametrize(
    "exports", [ONCE, pytest.param(OTHERS, marks=pytest.mark.needs("random"))], ids=["once", "all"]
)
def test_a_look_counts_what_is_there_and_its_command_gives_the_number(
    exports: dict[str, Export], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(named: tuple[str, Export]) -> None:
        name, export = named
        data = drawn(crc32(name.encode()), **export.drawn)
        folder = tmp_path / str(crc32(name.encode()))
        folder.mkdir()
        monkeypatch.chdir(folder)
        files = export.files(data)
        for file, content in files.items():
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_bytes(content)
        given = export.given or tuple(files)
        found = json.loads(completed("inspect", *given, *export.options, "--format", "json").out)
        check_counts(found, data, export, given)
        said = [*found["notes"], *(note for each in found["profiles"] for note in each["notes"])]
        assert (found["command"] is None) is bool(export.says), said
        assert export.says in "\n".join(said)
        if found["command"] is not None:
            check_values(found["command"], data, export)

    hold({name: (name, export) for name, export in exports.items()}, check)


def as_rows(pairs: Iterable[tuple[str, str, float]], judged: bool) -> list[Row]:
    """Rows of a run or of judgments."""
    return [Row("", query, doc, score=number, grade=number if judged else None) for query, doc, number in pairs]


def flat(found: Mapping[str, Mapping[str, float]]) -> list[tuple[str, str, float]]:
    """The rows of dictionaries."""
    return [(query, doc, number) for query, docs in found.items() for doc, number in docs.items()]


SAMPLES = {name: (RUN, flat(tool_samples.RUN)) for name in RUNS}
SAMPLES |= {name: (QRELS, flat(tool_samples.QRELS)) for name in JUDGMENTS}


def check_sides(profiles: Sequence[Any], sides: Sequence[tuple[str, list[tuple[str, str, float]]]]) -> None:
    """Hold the counts of a run and of judgments against their rows."""
    for each, (kind, pairs) in zip(profiles, sides, strict=True):
        expected = counts_of(as_rows(pairs, kind == QRELS), float if kind == QRELS else None)
        if kind == RUN:  # answers of search engines may have ratings too
            expected = {name: number for name, number in expected.items() if name not in OF_LABELS}
        assert {name: getattr(each, name) for name in expected} == pytest.approx(expected), each


@pytest.mark.needs("random")
def test_files_of_tools_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(case: tuple[str, tuple[str, list[tuple[str, str, float]]]]) -> None:
        name, side = case
        check_sides(sqlrank.inspect(name).profiles, [side])

    monkeypatch.chdir(tool_samples.FOLDER)
    package("lz4", "ranx")
    hold({name: (name, side) for name, side in SAMPLES.items()}, check)


@pytest.mark.needs("random")
def test_files_of_the_corpus_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(specimen: corpus.Specimen) -> None:
        Path(specimen.name).write_bytes(specimen.data)
        found = sqlrank.inspect(specimen.name)
        check_sides(found.profiles, [(RUN if specimen.side == "run" else QRELS, corpus.SIDES[specimen.side][0])])

    monkeypatch.chdir(tmp_path)
    hold({specimen.name: specimen for specimen in corpus.SPECIMENS}, check)
