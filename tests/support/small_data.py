"""One small data set, ways to write it, and its right values."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow

from tests.support.cli_helper import Outcome, run_cli

Row = tuple[Any, ...]

RUN_NAMES = ("query_id", "doc_id", "score")
RUN: list[Row] = [("q1", "d1", 0.9), ("q1", "d2", 0.8), ("q1", "d3", 0.7), ("q2", "d1", 0.6), ("q2", "d4", 0.5)]
QRELS_NAMES = ("query_id", "doc_id", "relevance")
QRELS: list[Row] = [("q1", "d2", 2), ("q1", "d3", 1), ("q1", "d9", 1), ("q2", "d4", 1), ("q3", "d1", 1)]

# ap: q1 (1/2 + 2/3) / 3, q2 1/2, q3 has no results; rr: 1/2, 1/2, 0.
AP, RR = "0.296296296296", "0.333333333333"
SEGMENTS = {"q1": "de", "q2": "fr", "q3": "de"}
EXPECTED = {"ap": (1 / 2 + 2 / 3) / 9 + 1 / 6, "rr": 1 / 3}


def separated(mark: str) -> Callable[[Sequence[str], Sequence[Row]], str]:
    """A writer of text with a header and this mark between the values."""

    def write(names: Sequence[str], rows: Sequence[Row]) -> str:
        return "".join(mark.join(map(str, row)) + "\n" for row in [names, *rows])

    return write


def json_lines(names: Sequence[str], rows: Sequence[Row]) -> str:
    """One object per line."""
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def json_list(names: Sequence[str], rows: Sequence[Row]) -> str:
    """One list of objects, indented."""
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2)


def trec(blank: str, begin: str = "", end: str = "\n") -> Callable[[Sequence[str], Sequence[Row]], str]:
    """A writer of TREC lines with this between the fields."""

    def write(names: Sequence[str], rows: Sequence[Row]) -> str:
        if names[-1] == "score":
            lines: list[Row] = [(query, "Q0", document, 1, score, "run") for query, document, score in rows]
        else:
            lines = [(query, 0, document, relevance) for query, document, relevance in rows]
        return begin + "".join(blank.join(map(str, line)) + end for line in lines)

    return write


TEXTS: dict[str, tuple[str, Callable[[Sequence[str], Sequence[Row]], str]]] = {
    "csv": (".csv", separated(",")),
    "csv with semicolons": (".csv", separated(";")),
    "csv with pipes": (".csv", separated("|")),
    "csv with tabs": (".csv", separated("\t")),
    "csv with a byte order mark": (".csv", lambda names, rows: "\ufeff" + separated(",")(names, rows)),
    "csv with CRLF": (".csv", lambda names, rows: separated(",")(names, rows).replace("\n", "\r\n")),
    "csv without a last line end": (".csv", lambda names, rows: separated(",")(names, rows).rstrip("\n")),
    "tsv": (".tsv", separated("\t")),
    "jsonl": (".jsonl", json_lines),
    "json list": (".json", json_list),
    "trec": (".trec", trec(" ")),
    "trec with tabs": (".trec", trec("\t")),
    "trec with two blanks": (".trec", trec("  ")),
    "trec with mixed blanks": (".trec", trec(" \t ")),
    "trec with blanks at the end": (".trec", trec(" ", end=" \n")),
    "trec with CRLF": (".trec", trec(" ", end="\r\n")),
    "trec with blank lines": (".trec", trec(" ", end="\n\n")),
    "trec with comments": (".trec", trec(" ", begin="# made by hand\n", end="\n# and so on\n")),
}


def write_bytes(path: str, text: str, compression: str) -> None:
    """Write a text plain or compressed."""
    data = text.encode()
    if compression == "gzip":
        Path(path).write_bytes(gzip.compress(data))
    elif compression == "zstd":
        with pyarrow.output_stream(path, compression="zstd") as file:
            file.write(data)
    else:
        Path(path).write_bytes(data)


def write_csv(path: str, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Write a CSV file and give its name back."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(separated(",")(names, rows))
    return path


def write_query(path: str, sql: str, options: str = "format parquet") -> str:
    """Let DuckDB write the rows of a query."""
    with duckdb.connect() as connection:
        connection.execute(f"copy ({sql}) to '{path}' ({options})")
    return path


def write_both() -> tuple[str, str]:
    """The run and the judgments as CSV."""
    return write_csv("run.csv", RUN_NAMES, RUN), write_csv("qrels.csv", QRELS_NAMES, QRELS)


def ap_and_rr(*arguments: str, stdin: bytes | None = None) -> Outcome:
    """Evaluate ap and rr, with CSV output."""
    return run_cli("eval", *arguments, "-m", "ap", "-m", "rr", "--format", "csv", stdin=stdin)


def assert_right(outcome: Outcome, system: str = "run") -> None:
    """The values are those of the data set."""
    assert outcome.code == 0, outcome.err
    assert outcome.values == {(system, "ap"): AP, (system, "rr"): RR}


def frame(names: Sequence[str], rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Columns by name."""
    return {name: [row[number] for row in rows] for number, name in enumerate(names)}


def as_pairs(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Rows in the shape of pytrec_eval."""
    pairs: dict[str, dict[str, Any]] = {}
    for query, document, value in rows:
        pairs.setdefault(query, {})[document] = value
    return pairs


FORMS: dict[str, Callable[[Sequence[str], Sequence[Row]], Any]] = {
    "pandas": lambda names, rows: pandas.DataFrame(frame(names, rows)),
    "polars": lambda names, rows: polars.DataFrame(frame(names, rows)),
    "polars lazy": lambda names, rows: polars.LazyFrame(frame(names, rows)),
    "arrow table": lambda names, rows: pyarrow.table(frame(names, rows)),
    "arrow reader": lambda names, rows: pyarrow.table(frame(names, rows)).to_reader(max_chunksize=2),
    "dict": lambda names, rows: as_pairs(rows),
    "path": lambda names, rows: Path(write_csv(f"{names[-1]}.csv", names, rows)),
    "text": lambda names, rows: write_csv(f"{names[-1]}.csv", names, rows),
}
