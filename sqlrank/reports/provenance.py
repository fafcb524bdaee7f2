"""What the numbers of a report rest on, and how they are defined."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import duckdb

from sqlrank.conventions import NUMBER, Conventions
from sqlrank.evaluation.result import QueryCounts, Result
from sqlrank.inputs.opened_inputs import InputRows, left_out
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.metrics.measure import Measure
from sqlrank.pages.html import Block, Bullets, Code, Heading, Terms
from sqlrank.pages.tables import Table, column, listed
from sqlrank.pages.words import Words
from sqlrank.spelling import plain as plain_value
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
    columns = [column("system", counts, words("system"))]
    for name, key in COUNTS.items():
        columns.append(column(name, (asdict(found)[name] for found in counts.values()), words(key), number=True))
    return Table(columns, words("queries-table"))


def inputs_table(inputs: Mapping[str, InputRows], words: Words) -> Table:
    """How many rows of each input were read and used, and why the others were not."""
    reasons = (
        words.listed([words.said(left_out(reason, count)) for reason, count in found.left_out.items()]) or "-"
        for found in inputs.values()
    )
    columns = [
        column("input", inputs, words("input")),
        column("rows", (found.rows for found in inputs.values()), words("rows-read"), number=True),
        column("used", (found.used for found in inputs.values()), words("rows-used"), number=True),
        column("left-out", reasons, words("left-out")),
    ]
    return Table(columns, words("inputs-table"))


def definition_blocks(
    measures: Iterable[Measure], conventions: Mapping[str, Any], remarks: Sequence[str], words: Words
) -> list[Block]:
    """The metrics, the conventions, how the numbers were made, and the versions."""
    metrics = [(one.text, [*defined(one, words), one.metric.citation]) for one in measures]
    settled = [(name, settled_as(name, value, words)) for name, value in conventions.items()]
    versions = [("sqlrank", [__version__]), ("DuckDB", [duckdb.__version__]), ("Python", [platform.python_version()])]
    blocks: list[Block] = [Heading(words("method")), Bullets([words.said(remark) for remark in remarks])]
    if metrics:
        blocks += [Heading(words("metric-terms")), Terms(metrics)]
    return [
        *blocks,
        *(Heading(words("convention-terms")), Terms(settled, code=True)),
        *(Heading(words("version-terms")), Terms(versions, code=True)),
    ]


def source_blocks(result: Result | SideBySide, words: Words) -> list[Block]:
    """The fingerprints of the files, where there are any, the statement, and those that read its inputs."""
    names, files = [words("file"), words("bytes"), "SHA-256"], result.fingerprints()
    sources = ";\n\n".join(source.strip() for source in result.sources)
    return [
        *([listed(names, files, numbers=[words("bytes")], caption=words("files-table"))] if files else []),
        *(Code(words("statement"), result.sql), Code(words("sources"), sources)),
    ]


def sentence(text: str) -> str:
    """A text that begins large and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def defined(measure: Measure, words: Words) -> list[str]:
    """What a metric is, as a sentence, and in English its formula in words."""
    metric = measure.metric
    if words.language == "zh" and metric.title_zh is not None:
        return [f"{metric.title_zh}{words('full-stop')}"]
    return [sentence(metric.title), metric.formula]


def settled_as(name: str, value: Any, words: Words) -> list[str]:
    """The value of a convention, and of one of a ranking what it settles, and what the choice means."""
    shown = "-" if value is None else plain_value(value)
    known = {each.name: each.metadata for each in fields(Conventions)}.get(name)
    if known is None:
        return [words.said(shown)]
    choices = known["choices"] or {}
    said = choices.get(str(value), choices.get(NUMBER) if value is not None else known["unset"])
    settled = words.said(known["help"])
    return [shown, settled if said is None else words("said-by", said=settled, amount=words.said(said))]


def note_blocks(notes: Sequence[str], words: Words) -> list[Block]:
    """The notes, where there are any."""
    return [Heading(words("notes")), Bullets([words.said(note) for note in notes])] if notes else []
