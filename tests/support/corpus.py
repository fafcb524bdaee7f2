"""A small run and its judgments in every form, damaged at a place, and what an independent reader makes of that."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from backports import zstd
from openpyxl import Workbook, load_workbook

import sqlrank
from sqlrank.errors import SqlrankError
from sqlrank.log import judgments
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


def as_lz4(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Rows as ranx stores a run."""
    import cbor2
    from lz4 import frame

    content = cbor2.dumps(json.loads(as_dictionaries(rows, names)))
    return bytes(frame.compress(frame.compress(content)))


def as_predictions(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Rows as MTEB stores predictions."""
    return b'{"mteb_model_meta": {"model_name": "m"}, "default": {"test": %s}}' % as_dictionaries(rows, names)


def as_requests(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Judgments as a request of `_rank_eval`."""
    found: list[Any] = [
        {"id": query, "request": {}, "ratings": [{"_id": row[1], "rating": row[2]} for row in rows if row[0] == query]}
        for query in ("q1", "q2")
    ]
    return json.dumps({"requests": found, "metric": {"precision": {"k": 2}}}).encode()


def as_answer(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """A run as an answer of it."""
    details = {
        query: {
            "metric_score": 1,
            "hits": [{"hit": {"_id": row[1], "_score": row[2]}} for row in rows if row[0] == query],
        }
        for query in ("q1", "q2")
    }
    return json.dumps({"metric_score": 1, "details": details, "failures": {}}).encode()


def as_judgment_list(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Judgments as OpenSearch imports them."""
    found = [
        {"query": query, "ratings": [{"docId": row[1], "rating": str(row[2])} for row in rows if row[0] == query]}
        for query in ("q1", "q2")
    ]
    return json.dumps({"name": "n", "judgmentRatings": found}).encode()


def as_letor(rows: list[Row], names: tuple[str, ...]) -> bytes:
    """Judgments as lines of LETOR."""
    return "".join(f"{number:g} qid:{query} 1:0.5 #docid = {doc}\n" for query, doc, number in rows).encode()


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
    "lz4": as_lz4,
    "predictions.json": as_predictions,
    "requests.json": as_requests,
    "answer.json": as_answer,
    "list.json": as_judgment_list,
    "letor": as_letor,
    "inter": lambda rows, _: as_text(rows, ("user_id:token", "item_id:token", "rating:float"), "\t"),
    "quepid.csv": lambda rows, _: as_text(rows, ("query", "docid", "rating"), ","),
}
ONE_SIDED = {"lz4": "run", "predictions.json": "run", "answer.json": "run"}
ONE_SIDED |= dict.fromkeys(("requests.json", "list.json", "letor", "inter", "quepid.csv"), "qrels")
"""The forms that hold one of the two inputs."""
BINARY = ("parquet", "lists.parquet", "xlsx", "lz4")
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
        """The file in every damage, and what was done."""
        return damaged(self.data)


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """A file cut at every place and with each byte changed in one of several ways, and what was done."""
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
    if ONE_SIDED.get(form, side) == side
]


def numbered(value: Any) -> float:
    """A number of JSON, or a text of one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    return float(value)


def predicted(found: Any) -> Iterator[Row]:
    """The rows of predictions of MTEB, of which there is one split."""
    ((splits,),) = ([list(one.values()) for name, one in found.items() if name != "mteb_model_meta"],)
    (pairs,) = splits
    if "mteb_model_meta" not in found:
        raise ValueError(found)
    yield from ((query, doc, number) for query, docs in pairs.items() for doc, number in docs.items())


def answered(found: Any) -> Iterator[Row]:
    """The rows of an answer of `_rank_eval`, whose order is their rank."""
    if found["failures"]:
        raise ValueError(found)
    for query, detail in found["details"].items():
        for place, hit in enumerate(detail["hits"]):
            yield query, as_id(hit["hit"]["_id"]), -place


DOCUMENTS: dict[str, Callable[[Any], Iterator[Row]]] = {
    "predictions.json": predicted,
    "answer.json": answered,
    "requests.json": lambda found: (
        (one["id"], as_id(each["_id"]), numbered(each["rating"]))
        for one in found["requests"]
        for each in one["ratings"]
    ),
    "list.json": lambda found: (
        (one["query"], as_id(each["docId"]), numbered(each["rating"]))
        for one in found["judgmentRatings"]
        for each in one["ratings"]
    ),
}
"""The rows of documents of JSON, by the form."""
BLANK, OTHER = r"[ \t\n\f\r]", r"[^ \t\n\f\r#]"
LINE = re.compile(
    rf"(?P<label>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?){BLANK}+qid:(?P<qid>{OTHER}+)(?:{BLANK}+\d+:{OTHER}+)*{BLANK}*"
    rf"(?P<comment>#(?:.*?\bdocid{BLANK}*={BLANK}*(?P<docid>[^ \t\n\f\r]+))?.*)?",
    re.ASCII,
)
"""A line of LETOR."""


def words_of(matches: list[re.Match[str] | None], lines: list[str]) -> list[str]:
    """The first word of each comment, where it names the document, else the numbers of the lines."""
    words = [((found["comment"] or "#") if found else "#")[1:].split() for found in matches]
    pairs = {(found["qid"], *word[:1]) for found, word in zip(matches, words, strict=True) if found}
    if all(words) and (all(len(word) == 1 for word in words) or len(pairs) == len(lines)):
        return [word[0].removesuffix(";") for word in words]
    return [str(number) for number in range(1, len(lines) + 1)]


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
    if form == "lz4":
        import cbor2
        from lz4 import frame

        content = frame.decompress(frame.decompress(data))
        found = cbor2.loads(content)
        if cbor2.dumps(found) != content:
            raise ValueError("a key twice")
        return pairs_of(found, side)
    text = data.decode("utf-8-sig")
    if form in DOCUMENTS:
        return [
            dict(zip(SIDES[side][1], row, strict=True))
            for row in DOCUMENTS[form](json.loads(text, object_pairs_hook=without_doubles))
        ]
    if form == "letor":
        lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
        matches = [LINE.fullmatch(line.strip(" \t\r")) for line in lines]
        if not all(matches):
            raise ValueError("no line of LETOR")
        ids = [found["docid"] for found in matches if found]
        if any(ids) and not all(ids):
            raise ValueError("no docid in every line")
        ids = ids if all(ids) else words_of(matches, lines)
        return [
            {"query_id": found["qid"], "doc_id": doc, "relevance": found["label"]}
            for found, doc in zip(matches, ids, strict=True)
            if found
        ]
    if form in ("inter", "quepid.csv"):
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if form == "inter" else ",", strict=True))
        if rows[0] not in (["user_id:token", "item_id:token", "rating:float"], ["query", "docid", "rating"]):
            raise ValueError(rows[0])
        return [dict(zip(SIDES[side][1], row, strict=True)) for row in rows[1:] if row]
    if form == "lists.jsonl":
        return places_of([json.loads(line) for line in text.splitlines() if line.strip()], side)
    if form == "nested.json":
        return pairs_of(json.loads(text, object_pairs_hook=without_doubles), side)
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


def pairs_of(found: dict[str, dict[str, Any]], side: str) -> list[dict[str, Any]]:
    """The records of dictionaries."""
    return [
        {"query_id": query, "doc_id": document, SIDES[side][1][-1]: number}
        for query, pairs in found.items()
        for document, number in pairs.items()
    ]


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


@cache
def values_of_the_whole() -> dict[str, float] | None:
    """The values of the rows as they should be."""
    return values_of({side: rows for side, (rows, _) in SIDES.items()})


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
    if found == values_of_the_whole():
        return None
    whole = {side: rows for side, (rows, _) in SIDES.items()}
    rows = rows_of(specimen, data)
    expected = None if rows is None else values_of(whole | {specimen.side: rows})
    return None if found == expected else f"{found}, where an independent reader has {expected} of {rows}"


SHOWN: list[Row] = [("q1", "a", 0.0), ("q1", "b", 1.0), ("q1", "c", 2.0), ("q2", "a", 0.0), ("q2", "d", 1.0)]
FLAGS: list[Row] = [("q1", "a", 0.0), ("q1", "b", 1.0), ("q2", "a", 1.0), ("q2", "d", 0.0)]
LOG_FORMS = ("csv", "tsv", "json", "jsonl", "parquet", "lists.jsonl", "lists.parquet", "xlsx")
"""The forms that a log may have."""
AS_LOG = dict.fromkeys(("position", "clicked"), "relevance") | dict.fromkeys(("impression_id", "query_id"), "query_id")
"""What the columns of judgments are in a log: a document is at the place of its relevance, and clicked from 1 on."""


def taken_as_a_log_alone(specimen: Specimen, data: bytes, as_run: bool = True) -> str | None:
    """What a log makes of a file that is refused as a run; None where it is refused as a log too, or is a run.

    Without `as_run`, what a log makes of it in any case.
    """
    path = Path(specimen.name)
    path.write_bytes(data)
    listed = specimen.form.startswith("lists")
    columns = {"score": "relevances" if listed else "relevance"}
    refused = "not asked"
    try:
        if as_run:
            sqlrank.evaluate(str(path), {"q1": {"a": 1}, "q2": {"a": 1}}, "num_ret", columns=columns).close()
            return None
    except SqlrankError as error:
        refused = str(error)
    columns = {"shown": "doc_ids", "clicks": "relevances"} if listed else AS_LOG
    try:
        with judgments(str(path), method="sdbn", min_impressions=0, columns=columns) as found:
            return f"{found.to_dicts()}, and as a run: {refused}"
    except SqlrankError:
        return None
