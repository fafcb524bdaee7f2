"""What the numbers of a report rest on, and how they are defined."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import duckdb

from sqlrank.conventions import plain as plain_value
from sqlrank.evaluation.fingerprints import Fingerprint
from sqlrank.evaluation.result import QueryCounts
from sqlrank.inputs.row_counts import REASONS, InputRows
from sqlrank.metrics.measure import Measure
from sqlrank.pages.elements import Block, Bullets, Code, Column, Heading, Table, Terms, plain
from sqlrank.pages.words import Words
from sqlrank.version import __version__

COUNTS = {
    "judged": "judged-queries",
    "missing": "missing-queries",
    "unjudged": "unjudged-queries",
    "no_relevant": "irrelevant-queries",
    "tied": "tied-queries",
}
"""The counts of queries that a report shows, with the words of each."""


def counts_table(counts: Mapping[str, QueryCounts], words: Words) -> Table:
    """How many queries of each system were what."""
    columns = [Column(words("system")), *(Column(words(key), number=True) for key in COUNTS.values())]
    rows = [plain([system, *(asdict(found)[name] for name in COUNTS)]) for system, found in counts.items()]
    return Table(words("queries-table"), columns, rows)


def inputs_table(inputs: Mapping[str, InputRows], words: Words) -> Table:
    """How many rows of each input were read and used, and why the others were not."""
    heads = [Column(words("input")), Column(words("rows-read"), number=True), Column(words("rows-used"), number=True)]
    rows = []
    for kind, found in inputs.items():
        reasons = ", ".join(REASONS[reason].format(count) for reason, count in found.left_out.items())
        rows.append(plain([kind, found.rows, found.used, reasons or "-"]))
    return Table(words("inputs-table"), [*heads, Column(words("left-out"))], rows)


def files_table(files: Sequence[Fingerprint], words: Words) -> list[Block]:
    """The fingerprints of the files, where there are any."""
    if not files:
        return []
    columns = [Column(words("file")), Column(words("bytes"), number=True), Column("SHA-256")]
    return [Table(words("files-table"), columns, [plain(file) for file in files])]


def definition_blocks(
    measures: Iterable[Measure], conventions: Mapping[str, Any], remarks: Sequence[str], words: Words
) -> list[Block]:
    """The metrics, the conventions, how the numbers were made, and the versions."""
    metrics = [(one.text, [sentence(one.metric.title), one.metric.formula, one.metric.citation]) for one in measures]
    settled = [(name, ["-" if value is None else plain_value(value)]) for name, value in conventions.items()]
    versions = [("sqlrank", [__version__]), ("DuckDB", [duckdb.__version__]), ("Python", [platform.python_version()])]
    blocks: list[Block] = [Heading(words("method")), Bullets(remarks)]
    if metrics:
        blocks += [Heading(words("metric-terms")), Terms(metrics)]
    return [
        *blocks,
        *(Heading(words("convention-terms")), Terms(settled, code=True)),
        *(Heading(words("version-terms")), Terms(versions, code=True)),
    ]


def statement_blocks(sql: str, sources: Sequence[str], words: Words) -> list[Block]:
    """The statement, and those that read its inputs."""
    return [Code(words("statement"), sql), Code(words("sources"), ";\n\n".join(source.strip() for source in sources))]


def sentence(text: str) -> str:
    """A text that begins large and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def note_blocks(notes: Sequence[str], words: Words) -> list[Block]:
    """The notes, where there are any."""
    return [Heading(words("notes")), Bullets(notes)] if notes else []
