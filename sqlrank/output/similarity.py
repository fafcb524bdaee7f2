"""Writing comparisons of rankings without judgments, in the formats of an evaluation."""

from __future__ import annotations

from dataclasses import asdict
from typing import TextIO

from sqlrank.choices import FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.stored import metadata_of
from sqlrank.output.files import Target
from sqlrank.output.formats import write_parquet, write_rows, write_text, write_with_rows
from sqlrank.output.tables import DIGITS, WIDE
from sqlrank.similarity.similarity import Likeness


def write_likeness(result: Likeness, kind: str, target: Target | str | None, digits: int = DIGITS) -> None:
    """Write the summary.

    Args:
        result: what was compared.
        kind: one of `FORMATS`, except trec.
        target: a file, or None for standard output.
        digits: decimals of the wide formats.

    Raises:
        UsageError: the format has no place for it.
    """
    if kind == "parquet" and target is not None:
        write_parquet(result.copy, result.rows.sql_query(), target, metadata_of(result, per_query=False))
    elif kind in WIDE:
        write_text(target, lambda file: WIDE[kind](result, file, digits), kind == "table")
    elif kind == "json":
        write_text(target, lambda file: write_likeness_document(result, file))
    elif kind in ("csv", "tsv", "jsonl"):
        write_text(target, lambda file: write_rows(result.rows, kind, file))
    else:
        takes = ", ".join(known for known in FORMATS if known != "trec")
        raise UsageError(f"--format {kind} is not for rankings that are compared; choose one of {takes}")


def write_likeness_document(result: Likeness, file: TextIO) -> None:
    """The summary as one JSON document, with the counts of queries and the conventions."""
    rest = {
        "baseline": result.baseline,
        "inputs": {kind: found.to_dict() for kind, found in result.inputs.items()},
        "queries": {system: asdict(found) for system, found in result.counts.items()},
        "conventions": result.conventions.to_dict(),
        "notes": result.notes + ([] if result.where is None else [f"only rows where {result.where}"]),
    }
    write_with_rows(result.rows, rest, file)
