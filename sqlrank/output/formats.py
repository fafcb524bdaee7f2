"""Writing results in every format."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

import duckdb

from sqlrank.choices import FORMATS, PAGES, PICTURES, TIDY
from sqlrank.engines.open_result import OpenResult
from sqlrank.engines.protocol import Rows
from sqlrank.errors import DataError, ResourceError, UsageError
from sqlrank.process.output_files import Target, target_of
from sqlrank.process.remote import path_of
from sqlrank.process.streams import standard_output
from sqlrank.version import __version__

SIGNIFICANT = 12
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".md": "markdown",
    ".tex": "latex",
    ".txt": "table",
}
ELSEWHERE = (
    dict.fromkeys(PAGES, "reports are written by -o of eval, compare, gsb, monitor, agreement and log commands")
    | dict.fromkeys(PICTURES, "charts are written by -o of eval, compare and gsb, with --chart NAME")
    | dict.fromkeys((".xlsx", ".xls", ".ods"), "no spreadsheets are written, and each program for them opens .csv")
)
"""What is not written here, by suffix, and where else it is."""


def format_of(path: str | None, asked: str | None, default: str) -> str:
    """The format asked for, or that of the file's suffix; UsageError if unknown, or Parquet for the terminal."""
    suffix = Path(path_of(path)).suffix.lower() if path else ""
    if asked is None and suffix in ELSEWHERE:
        raise UsageError(f"{path}: {ELSEWHERE[suffix]}; here -o takes {', '.join(SUFFIXES)}")
    found = asked or SUFFIXES.get(suffix) or default
    if found not in FORMATS:
        raise UsageError(f"--format {found} is not known (one of {', '.join(FORMATS)})")
    if found == "parquet" and path is None:
        raise UsageError("Parquet is not written to standard output; name a file with -o")
    return found


def write_relation(
    result: OpenResult,
    rows: duckdb.DuckDBPyRelation | Rows,
    kind: str,
    file: Target | str | None,
    metadata: dict[str, str] | None = None,
    document: Callable[[], dict[str, Any]] | None = None,
) -> None:
    """Write rows, which the connection of a result reads: as JSON beside what `document` gives, or as they are."""
    if kind == "parquet" and file is not None and isinstance(rows, duckdb.DuckDBPyRelation):
        write_parquet(result, rows, file, metadata or {})
    elif kind == "json" and document is not None:
        write_text(file, lambda text: write_with_rows(result.streamed(rows), document(), text))
    else:
        write_text(file, lambda text: write_rows(result.streamed(rows), kind, text))


def check_tidy(kind: str) -> str:
    """A format of per-query rows; UsageError if it has no place for them."""
    if kind not in TIDY:
        raise UsageError(f"--per-query takes {', '.join(TIDY)}, not {kind}")
    return kind


def write_text(target: Target | str | None, write: Callable[[TextIO], object], for_people: bool = False) -> None:
    """Call a writer on standard output, which is UTF-8 unless it is `for_people`, or on a file that appears whole."""
    if target is None:
        with standard_output(for_people) as stream:
            write(stream)
        return
    with target_of(target).whole() as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        write(file)


def write_parquet(
    result: OpenResult, rows: duckdb.DuckDBPyRelation, target: Target | str, metadata: dict[str, str]
) -> None:
    """Let rows be copied to a file, with what they mean in its metadata."""
    target = target_of(target)
    with target.whole() as temporary:
        try:
            result.copy(rows.sql_query(), temporary, metadata)
        except DataError as error:
            text = str(error).replace(temporary, target.path)
            raise ResourceError(f"{target.path}: cannot be written: {text}") from error


def write_rows(relation: Rows, kind: str, file: TextIO) -> None:
    """The rows of a relation as CSV, TSV, JSON lines or a JSON list."""
    names = relation.columns
    if kind in ("csv", "tsv"):
        write_delimited(chain([names], relation.iter_rows()), "\t" if kind == "tsv" else ",", file)
        return
    lines = (json.dumps(row, ensure_ascii=False, default=str) for row in dicts(relation))
    if kind == "jsonl":
        file.writelines(f"{line}\n" for line in lines)
    else:
        write_list(lines, file, "", "  ")
        file.write("\n")


def write_delimited(rows: Iterable[Sequence[Any]], delimiter: str, file: TextIO) -> None:
    """Rows with quotes where a value needs them; a lone carriage return does, and Python's writer does not see it."""
    sparing = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoting = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = [cell_text(value) for value in row]
        (quoting if any("\r" in cell for cell in cells if isinstance(cell, str)) else sparing).writerow(cells)


def dicts(relation: Rows) -> Iterator[dict[str, Any]]:
    """Rows as dictionaries, numbers with the digits that are the same in every run."""
    names = relation.columns
    return (same_digits(dict(zip(names, row, strict=True))) for row in relation.iter_rows())


def same_digits(row: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, numbers with the digits that are the same in every run."""
    return {name: float(cell_text(value)) if isinstance(value, float) else value for name, value in row.items()}


def cell_text(value: Any) -> Any:
    """A value as text files hold it: numbers with at most 12 significant digits, booleans in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.{SIGNIFICANT}g}" if isinstance(value, float) else value


def write_with_rows(rows: Rows, rest: dict[str, Any], file: TextIO) -> None:
    """A JSON document of the version, the rows, and the rest."""
    head = json.dumps({"sqlrank": __version__, "rows": []}, indent=2)
    file.write(head.removesuffix("[]\n}"))
    write_list(map(indented, dicts(rows)), file, "  ", "    ")
    file.write(json.dumps(rest, ensure_ascii=False, indent=2, default=str).replace("{\n", ",\n", 1) + "\n")


def indented(row: dict[str, Any]) -> str:
    """A row as JSON, a line for each value: where it is told to indent, json writes in Python, in thrice the time."""
    lines = json.dumps(row, ensure_ascii=False, separators=(",\n  ", ": "), default=str)[1:-1]
    return f"{{\n  {lines}\n}}"


def write_list(texts: Iterable[str], file: TextIO, outer: str, inner: str) -> None:
    """Texts of JSON values as a list, one after the other, so that none waits for the last."""
    file.write("[")
    for number, text in enumerate(texts):
        file.write((",\n" if number else "\n") + inner + text.replace("\n", f"\n{inner}"))
    file.write(f"\n{outer}]")
