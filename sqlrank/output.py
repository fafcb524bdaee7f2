"""Writing results: the formats, and files that are whole or not there."""

from __future__ import annotations

import csv
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from duckdb import DuckDBPyRelation

from sqlrank.dialects import CONTROL
from sqlrank.errors import ResourceError, UsageError
from sqlrank.names import FORMATS, TIDY
from sqlrank.results import Result
from sqlrank.version import __version__

DIGITS = 4
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


def format_of(path: str | None, asked: str | None, default: str) -> str:
    """The format asked for, or that of the file's suffix.

    Raises:
        UsageError: it is not known, or Parquet is to go to the terminal.
    """
    found = asked or (SUFFIXES.get(Path(path).suffix.lower()) if path else None) or default
    if found not in FORMATS:
        raise UsageError(f"--format {found} is not known (one of {', '.join(FORMATS)})")
    if found == "parquet" and path is None:
        raise UsageError("Parquet is not written to standard output; name a file with -o")
    return found


def check_targets(targets: Iterable[str | None], inputs: Iterable[str]) -> None:
    """Refuse outputs that would harm: an input, one file twice, a device, or a folder that is not there.

    Raises:
        UsageError: the file must not be written.
        ResourceError: it cannot be.
    """
    read = {os.path.realpath(path) for path in inputs}
    seen: set[str] = set()
    for target in filter(None, targets):
        real = os.path.realpath(target)
        if real in read:
            raise UsageError(f"{target} is an input and will not be overwritten")
        if real in seen:
            raise UsageError(f"{target} would be written twice")
        seen.add(real)
        if os.path.lexists(target) and not stat.S_ISREG(os.lstat(target).st_mode):
            raise UsageError(f"{target} is not a regular file; only a file can be replaced whole")
        if not os.path.isdir(os.path.dirname(real)):
            raise ResourceError(f"{target}: the folder {os.path.dirname(real)} is not there")


def temporary_path(path: str) -> str:
    """Where a file is written before it takes its place."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(folder, f".{name}.{os.getpid()}.part")


@contextmanager
def whole_file(path: str) -> Iterator[str]:
    """A temporary file beside the target, which takes its place once the block has ended well.

    Raises:
        ResourceError: the file cannot be written.
    """
    temporary = temporary_path(path)
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise ResourceError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def write_summary(result: Result, kind: str, path: str | None, digits: int = DIGITS) -> None:
    """Write the summary.

    Args:
        result: what was evaluated.
        kind: one of `FORMATS`.
        path: a file, or None for standard output.
        digits: decimals of the wide formats.
    """
    if kind == "parquet" and path is not None:
        write_parquet(result, result.rows.sql_query(), path)
    elif kind in WIDE:
        write_text(path, lambda file: WIDE[kind](result, file, digits))
    elif kind == "json":
        write_text(path, lambda file: write_document(result, file))
    else:
        write_text(path, lambda file: write_rows(result.rows, kind, file))


def write_per_query(result: Result, kind: str, path: str | None) -> None:
    """Write the per-query rows in a tidy format; arguments as in `write_summary`."""
    if kind not in TIDY:
        raise UsageError(f"--per-query takes {', '.join(TIDY)}, not {kind}")
    if kind == "parquet" and path is not None:
        write_parquet(result, result.per_query.sql_query(), path)
    else:
        write_text(path, lambda file: write_rows(result.per_query, kind, file))


def write_text(path: str | None, write: Callable[[TextIO], None]) -> None:
    """Call a writer on standard output or on a file that appears whole."""
    if path is None:
        write(sys.stdout)
        sys.stdout.flush()
        return
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        write(file)


def write_parquet(result: Result, sql: str, path: str) -> None:
    """Write rows as Parquet, with the version and the conventions in its metadata."""
    metadata = {"sqlrank": __version__, "conventions": json.dumps(result.conventions.shown())}
    with whole_file(path) as temporary:
        result.copy(sql, temporary, metadata)


def write_rows(relation: DuckDBPyRelation, kind: str, file: TextIO) -> None:
    """The rows of a relation as CSV, TSV, JSON lines or a JSON list."""
    names = relation.columns
    if kind in ("csv", "tsv"):
        writer = csv.writer(file, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
        writer.writerow(names)
        writer.writerows([cell_text(value) for value in row] for row in relation.fetchall())
        return
    lines = (json.dumps(row, ensure_ascii=False) for row in dicts(relation))
    if kind == "jsonl":
        file.writelines(f"{line}\n" for line in lines)
    else:
        file.write("[\n  " + ",\n  ".join(lines) + "\n]\n")


def dicts(relation: DuckDBPyRelation) -> Iterator[dict[str, Any]]:
    """Rows as dictionaries, numbers with the digits that are the same in every run."""
    names = relation.columns
    for row in relation.fetchall():
        yield {
            name: float(cell_text(value)) if isinstance(value, float) else value
            for name, value in zip(names, row, strict=True)
        }


def cell_text(value: Any) -> Any:
    """A value as text files hold it: numbers with at most 12 significant digits, booleans in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.{SIGNIFICANT}g}" if isinstance(value, float) else value


def write_document(result: Result, file: TextIO) -> None:
    """The summary as one JSON document, with the counts of queries and the conventions."""
    counts = {system: asdict(found) for system, found in result.counts.items()}
    ties = {system: {"queries": found.pop("tied")} for system, found in counts.items()}
    document = {
        "sqlrank": __version__,
        "rows": list(dicts(result.rows)),
        "queries": counts,
        "ties": ties,
        "conventions": result.conventions.shown(),
        "notes": result.notes,
    }
    file.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def wide(result: Result, digits: int) -> tuple[list[str], list[list[str]]]:
    """The summary with a row per system and segment and a column per metric, as text."""
    header = ["system", *result.by, "queries", *(measure.text for measure in result.measures)]
    counted = {measure.text for measure in result.measures if measure.counts}
    lines: dict[tuple[Any, ...], list[str]] = {}
    sizes: dict[tuple[Any, ...], set[int]] = {}
    relation = result.rows
    for values in relation.fetchall():
        row = dict(zip(relation.columns, values, strict=True))
        total = bool(row.get("is_total"))
        key = (row["system"], total, *(row[name] for name in result.by))
        labels = ["(all)" if total else str(row[name]) for name in result.by]
        line = lines.setdefault(key, [row["system"], *labels])
        sizes.setdefault(key, set()).add(row["queries"])
        line.append(cell(row, digits, row["metric"] in counted))
    for key, line in lines.items():
        sizes_here = sorted(sizes[key])
        shown = str(sizes_here[0]) if len(sizes_here) == 1 else f"{sizes_here[0]}-{sizes_here[-1]}"
        line.insert(1 + len(result.by), shown)
    return header, list(lines.values())


def cell(row: dict[str, Any], digits: int, counted: bool) -> str:
    """A value with half the width of its interval."""
    if row["value"] is None:
        return "-"
    if counted:
        return f"{row['value']:.0f}"
    margin = "" if row["stderr"] is None else f" ±{row['ci_high'] - row['value']:.{digits}f}"
    return f"{row['value']:.{digits}f}{margin}"


def remarks(result: Result) -> list[str]:
    """What is printed beside the numbers: conventions, and how many queries were what."""
    lines = [result.conventions.describe()]
    names = {system: f"{system}: " if len(result.counts) > 1 else "" for system in result.counts}
    for system, found in result.counts.items():
        text = f"{names[system]}{found.judged} judged queries, {found.missing} without results"
        text += f", {found.no_relevant} with nothing relevant, {found.tied} that depend on ties"
        lines.append(text + (f"; {found.unjudged} queries were never judged" if found.unjudged else ""))
    if result.labelled:
        lines.append("judgments are the labels of the export: nobody judged what nobody showed")
    weighted = ", weighted" if result.weight else ""
    lines.append(f"± half of the 95 % interval of the mean{weighted} (Student's t)")
    return lines


def visible(text: str) -> str:
    """Text with control characters written out, so that an id cannot steer a terminal."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def wide_table(result: Result, file: TextIO, digits: int) -> None:
    """The summary as a table for people, whatever the width of the terminal."""
    from rich.cells import cell_len

    header, rows = wide(result, digits)
    shown = [[visible(text) for text in line] for line in [header, *rows]]
    widths = [max(cell_len(line[number]) for line in shown) for number in range(len(header))]
    left = 1 + len(result.by)
    for line in shown:
        padded = [
            text + " " * (width - cell_len(text)) if number < left else " " * (width - cell_len(text)) + text
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        file.write("  ".join(padded).rstrip() + "\n")
    file.write("\n" + "".join(f"{visible(line)}\n" for line in remarks(result)))


def wide_markdown(result: Result, file: TextIO, digits: int) -> None:
    """The summary as a Markdown table."""
    header, rows = wide(result, digits)
    left = 1 + len(result.by)
    lines = [header, [":--" if number < left else "--:" for number in range(len(header))], *rows]
    escaped = [[markdown_text(text) for text in line] for line in lines]
    file.write("".join(f"| {' | '.join(line)} |\n" for line in escaped))
    file.write("\n" + "".join(f"{markdown_text(line)}  \n" for line in remarks(result)))


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{mark}" if mark in "\\`*_|[]" else mark for mark in shown)


def wide_latex(result: Result, file: TextIO, digits: int) -> None:
    """The summary as a LaTeX table in the style of booktabs."""
    header, rows = wide(result, digits)
    left = 1 + len(result.by)
    body = [" & ".join(latex_text(text) for text in line) + r" \\" for line in rows]
    lines = [
        *(f"% {visible(line)}" for line in remarks(result)),
        rf"\begin{{tabular}}{{{'l' * left}{'r' * (len(header) - left)}}}",
        r"\toprule",
        " & ".join(latex_text(text) for text in header) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    file.write("\n".join(lines) + "\n")


LATEX = {mark: f"\\{mark}" for mark in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
}


def latex_text(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(LATEX.get(mark, mark) for mark in visible(text))


WIDE: dict[str, Callable[[Result, TextIO, int], None]] = {
    "table": wide_table,
    "markdown": wide_markdown,
    "latex": wide_latex,
}
