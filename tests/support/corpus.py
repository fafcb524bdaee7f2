"""A small run and its judgments in every form, damaged at a place, and what an independent reader makes of that."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from backports import zstd
from openpyxl import Workbook, load_workbook

import sqlrank
from sqlrank.errors import SqlrankError
from tests.support.cli_helper import Outcome, run_cli

Row = tuple[str, str, float]

RUN: list[Row] = [("q1", "a", 3.5), ("q1", "b", 2.25), ("q1", "c", 1.0), ("q2", "a", 0.5), ("q2", "d", 0.25)]
QRELS: list[Row] = [("q1", "b", 1.0), ("q1", "c", 2.0), ("q2", "d", 1.0), ("q2", "e", 1.0)]
SIDES = {"run": (RUN, ("query_id", "doc_id", "score")), "qrels": (QRELS, ("query_id", "doc_id", "relevance"))}
METRICS = ["dcg", "recall@2", "num_ret", "num_rel"]
COMPRESSIONS = ("plain", "gzip", "zstd")
FLIPS = (0x01, 0x02, 0x08, 0x10, 0x20, 0x80, 0xFF)


def as_text(rows: list[Row], names: tuple[str, ...], mark: str) -> bytes:
    """Rows as CSV or TSV."""
    return "".join(f"{mark.join(map(str, row))}\n" for row in [names, *rows]).encode()


def as_json(rows: list[Row], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Rows as records."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def as_trec(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Rows as lines of TREC."""
    run = names[-1] == "score"
    lines = (
        f"{query} Q0 {document} 1 {number} r" if run else f"{query} 0 {document} {number:g}"
        for query, document, number in rows
    )
    return "".join(f"{line}\n" for line in lines).encode()


def as_parquet(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Rows as a Parquet file with statistics, which its writer gives it unless told."""
    sink = io.BytesIO()
    pq.write_table(pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)}), sink)
    return sink.getvalue()


LISTS = {"score": "scores", "relevance": "relevances"}


def in_lists(rows: list[Row], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """A record for each query, with lists of its documents and their numbers."""
    return [
        {"query_id": query, "doc_ids": [row[1] for row in same], LISTS[names[-1]]: [row[2] for row in same]}
        for query, same in ((query, [row for row in rows if row[0] == query]) for query in ("q1", "q2"))
    ]


def as_parquet_lists(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """The same as a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(in_lists(rows, names)), sink)
    return sink.getvalue()


def as_dictionaries(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Rows as pytrec_eval stores them."""
    found: dict[str, dict[str, float]] = {}
    for query, document, number in rows:
        found.setdefault(query, {})[document] = number
    return json.dumps(found).encode()


def as_excel(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Rows as a sheet."""
    sink = io.BytesIO()
    book = Workbook()
    for row in [names, *rows]:
        book.active.append(row)
    book.save(sink)
    return sink.getvalue()


FORMS: dict[str, Callable[[list[Row], tuple[str, ...]], bytes]] = {
    "csv": lambda rows, names: as_text(rows, names, ","),
    "tsv": lambda rows, names: as_text(rows, names, "\t"),
    "json": lambda rows, names: json.dumps(as_json(rows, names)).encode(),
    "jsonl": lambda rows, names: "".join(f"{json.dumps(row)}\n" for row in as_json(rows, names)).encode(),
    "trec": as_trec,
    "parquet": as_parquet,
    "lists.jsonl": lambda rows, names: "".join(f"{json.dumps(row)}\n" for row in in_lists(rows, names)).encode(),
    "lists.parquet": as_parquet_lists,
    "nested.json": as_dictionaries,
    "xlsx": as_excel,
}
BINARY = ("parquet", "lists.parquet", "xlsx")
"""The forms that are compressed by themselves."""


def compressed(data: bytes, kind: str) -> bytes:
    """Bytes as they are, or as one stream with a checksum."""
    if kind == "zstd":
        return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})
    return gzip.compress(data, mtime=0) if kind == "gzip" else data


@dataclass(frozen=True, slots=True)
class Specimen:
    """One of the two inputs in one form."""

    form: str
    compression: str
    side: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.side}.{self.form}" + {"plain": "", "gzip": ".gz", "zstd": ".zst"}[self.compression]

    @property
    def data(self) -> bytes:
        """The file as it should be."""
        return compressed(FORMS[self.form](*SIDES[self.side]), self.compression)

    def damaged(self) -> Iterator[tuple[str, bytes]]:
        """The file cut at every place and with each byte changed in one of several ways, and what was done."""
        data = self.data
        for place in range(len(data)):
            yield f"cut at {place}", data[:place]
        for place in range(len(data)):
            flip = FLIPS[place % len(FLIPS)]
            yield f"byte {place} xor {flip:#x}", data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :]


SPECIMENS = [
    Specimen(form, compression, side)
    for form in FORMS
    for compression in (("plain",) if form in BINARY else COMPRESSIONS)
    for side in SIDES
]


def rows_of(specimen: Specimen, data: bytes) -> list[Row] | None:
    """The rows as a reader of Python's, or pyarrow, has them; None where it refuses them."""
    names = SIDES[specimen.side][1]
    try:
        records = records_of(specimen.form, uncompressed(data, specimen.compression), specimen.side)
        return [(as_id(row[names[0]]), as_id(row[names[1]]), float(row[names[2]])) for row in records]
    except Exception:  # whatever the reader raises
        return None


def as_id(value: Any) -> str:
    """An id as text."""
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError(value)
    return str(value)


def uncompressed(data: bytes, compression: str) -> bytes:
    """The content of a compressed file."""
    return {"gzip": gzip.decompress, "zstd": zstd.decompress}.get(compression, bytes)(data)


def records_of(form: str, data: bytes, side: str) -> list[dict[str, Any]]:
    """The records of a plain file."""
    if form == "parquet":
        return pq.read_table(io.BytesIO(data)).to_pylist()  # type: ignore[no-any-return]
    if form == "lists.parquet":
        return places_of(pq.read_table(io.BytesIO(data)).to_pylist(), side)
    if form == "xlsx":
        head, *rows = load_workbook(io.BytesIO(data), read_only=True).active.iter_rows(values_only=True)
        return [dict(zip(map(str, head), row, strict=True)) for row in rows]
    text = data.decode("utf-8-sig")
    if form == "lists.jsonl":
        return places_of([json.loads(line) for line in text.splitlines() if line.strip()], side)
    if form == "nested.json":
        found = json.loads(text, object_pairs_hook=without_doubles)
        return [
            {"query_id": query, "doc_id": document, SIDES[side][1][-1]: number}
            for query, pairs in found.items()
            for document, number in pairs.items()
        ]
    if form in ("csv", "tsv"):
        return list(
            csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if form == "tsv" else ",", strict=True)
        )
    if form == "json" and text.lstrip().startswith("["):
        return json.loads(text)  # type: ignore[no-any-return]
    if form in ("json", "jsonl"):
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    fields = [line.split() for line in text.split("\n") if line.strip() and not line.startswith("#")]
    names, least = (
        (("query_id", "_", "doc_id", "_", "score"), 6)
        if side == "run"
        else (("query_id", "_", "doc_id", "relevance"), 4)
    )
    if any(len(row) < least for row in fields):
        raise ValueError("too few fields")
    return [dict(zip(names, row, strict=False)) for row in fields]


def places_of(records: list[dict[str, Any]], side: str) -> list[dict[str, Any]]:
    """The places of lists; the order is the rank where a run has no scores."""
    names = SIDES[side][1]
    found = []
    for record in records:
        documents = record["doc_ids"] or []
        number = LISTS[names[-1]]
        ordered = side == "run" and not any(number in each for each in records)
        numbers = [-place for place in range(len(documents))] if ordered else record[number] or []
        for document, value in zip(documents, numbers, strict=True):
            if not document or not isinstance(documents, list):
                raise ValueError(document)
            found.append({"query_id": record["query_id"], "doc_id": document, names[-1]: value})
    return found


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError(pairs)
    return dict(pairs)


def digits(value: float) -> float:
    """A value with the digits that text formats show."""
    return float(f"{value:.10g}")


def values_of(rows: dict[str, list[Row]]) -> dict[str, float] | None:
    """The values that rows have, by way of tables in memory; None where they are refused."""
    tables = {
        side: pa.table({name: [row[place] for row in rows[side]] for place, name in enumerate(names)})
        for side, (_, names) in SIDES.items()
    }
    try:
        with sqlrank.evaluate(tables["run"], tables["qrels"], METRICS) as result:
            return {text: digits(value) for text in METRICS if (value := result[text]) is not None}
    except SqlrankError:
        return None


def evaluated(specimen: Specimen, data: bytes) -> Outcome:
    """The command on a damaged file, the other input as it should be."""
    other = Specimen("csv", "plain", next(side for side in SIDES if side != specimen.side))
    for one, content in ((specimen, data), (other, other.data)):
        Path(one.name).write_bytes(content)
    run, qrels = (specimen, other) if specimen.side == "run" else (other, specimen)
    metrics = [word for text in METRICS for word in ("-m", text)]
    return run_cli("eval", run.name, "--qrels", qrels.name, *metrics, "--format", "csv")


def verdict(specimen: Specimen, data: bytes) -> str | None:
    """What is wrong with how a damaged file was taken; None where nothing is."""
    outcome = evaluated(specimen, data)
    if outcome.code == 3:
        return None if specimen.name in outcome.err and not outcome.out else f"the file is not named: {outcome.err}"
    if outcome.code != 0:
        return f"exit {outcome.code}: {outcome.err}"
    found = {row["metric"]: digits(float(row["value"])) for row in outcome.table}
    whole = {side: rows for side, (rows, _) in SIDES.items()}
    if found == values_of(whole):
        return None
    rows = rows_of(specimen, data)
    expected = None if rows is None else values_of(whole | {specimen.side: rows})
    return None if found == expected else f"{found}, where an independent reader has {expected} of {rows}"
