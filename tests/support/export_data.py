"""Exports of many kinds made of the same rankings and labels, with what a count in plain Python finds in them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl import Workbook

METRICS = ("p@2", "rr", "ndcg@3")
IDS: dict[str, Callable[[str, int], Any]] = {
    "plain": lambda kind, number: f"{kind}{number}",
    "zeros": lambda kind, number: f"{number:05}" if kind == "d" else f"00{number}",
    "numbers": lambda kind, number: 1000 * number + 7 if kind == "d" else number,
    "uuid": lambda kind, number: f"6ba7b81{number}-9dad-11d1-80b4-00c04fd43{ord(kind):03x}",
    "words": lambda kind, number: f"{kind} é,中 no. {number}",
    "urls": lambda kind, number: f"https://shop.example/{kind}/{number}?a=1&b=2",
    "large": lambda kind, number: 9007199254740993 + number,
    "exponents": lambda kind, number: f"{number}e{5 if kind == 'd' else 3}",
}
"""By style, the ids of queries and documents."""


class Row(NamedTuple):
    """A place of a ranking, or a judgment."""

    system: str
    query: Any
    doc: Any
    place: int = 0
    score: float = 0.0
    grade: Any = None
    """A whole number, or None where nobody judged."""


@dataclass(frozen=True, slots=True)
class Data:
    """Rankings and judgments, drawn from a seed.

    Attributes:
        rows: the places of the rankings, in no order, with the grade of each document that was judged.
        judged: the judgments: those of documents that were ranked and, if not `shown`, others.
    """

    rows: list[Row]
    judged: list[Row]

    @property
    def ordered(self) -> dict[tuple[str, Any], list[Row]]:
        """The places of each ranking from the first on."""
        found: dict[tuple[str, Any], list[Row]] = {}
        for row in sorted(self.rows, key=lambda row: row.place):
            found.setdefault((row.system, row.query), []).append(row)
        return dict(sorted(found.items(), key=lambda item: str(item[0])))

    def grades(self) -> dict[Any, dict[Any, int]]:
        """The judged documents of each query."""
        found: dict[Any, dict[Any, int]] = {}
        for row in self.judged:
            found.setdefault(row.query, {})[row.doc] = row.grade or 0
        return found


def drawn(seed: int, style: str = "plain", systems: int = 1, shown: bool = True, partly: bool = False) -> Data:
    """Data of a seed; if `partly`, some documents that were ranked have no judgment.

    Each query has a relevant document and one that is not, and a document of each query was ranked second and is
    relevant, so that no metric is the same for every query.
    """
    random = Random(seed)
    queries = [IDS[style]("q", number) for number in range(1, random.randint(2, 4) + 1)]
    docs = [IDS[style]("d", number) for number in range(1, 8)]
    rows, judged = [], []
    for query in queries:
        grades = {doc: random.choice((0, 0, 1, 2, 3)) for doc in docs}
        lists = {f"s{number}": random.sample(docs, random.randint(2, 5)) for number in range(1, systems + 1)}
        first = lists["s1"]
        grades[first[0]], grades[first[1]] = random.choice((0, 1)), random.choice((2, 3))
        if partly:
            grades.pop(first[-1] if len(first) > 2 else first[0])
        seen = {doc for ranked in lists.values() for doc in ranked}
        others = () if shown else random.sample(sorted(set(docs) - seen, key=str), min(2, len(set(docs) - seen)))
        for system, ranked in lists.items():
            top = random.uniform(5, 9)
            rows += [
                Row(system, query, doc, place, round(top - 0.75 * place, 4), grades.get(doc))
                for place, doc in enumerate(ranked, 1)
            ]
        judged += [Row("", query, doc, grade=grades[doc]) for doc in docs if doc in grades and doc in {*seen, *others}]
    random.shuffle(rows)
    random.shuffle(judged)
    return Data(rows, judged)


Column = Callable[[Row], Any]
Columns = Mapping[str, Column]


def as_delimited(names: Sequence[str], rows: Iterable[Sequence[Any]], mark: str) -> bytes:
    """A file with a separator; a cell of None is empty."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=mark, lineterminator="\n")
    writer.writerows([names, *rows])
    return file.getvalue().encode()


def as_parquet(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows]), sink)
    return sink.getvalue()


def as_excel(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A sheet."""
    sink, book = io.BytesIO(), Workbook()
    for row in [names, *rows]:
        book.active.append(list(row))
    book.save(sink)
    return sink.getvalue()


def records(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Rows as objects."""
    return [dict(zip(names, row, strict=True)) for row in rows]


FORMATS: dict[str, Callable[[Sequence[str], list[Sequence[Any]]], bytes]] = {
    "csv": lambda names, rows: as_delimited(names, rows, ","),
    "semicolon.csv": lambda names, rows: as_delimited(names, rows, ";"),
    "tsv": lambda names, rows: as_delimited(names, rows, "\t"),
    "csv.gz": lambda names, rows: gzip.compress(as_delimited(names, rows, ","), mtime=0),
    "bom.csv": lambda names, rows: b"\xef\xbb\xbf" + as_delimited(names, rows, ",").replace(b"\n", b"\r\n"),
    "jsonl": lambda names, rows: "".join(f"{json.dumps(one)}\n" for one in records(names, rows)).encode(),
    "json": lambda names, rows: json.dumps(records(names, rows)).encode(),
    "parquet": as_parquet,
    "xlsx": as_excel,
}


def long(form: str, columns: Columns, rows: Iterable[Row]) -> bytes:
    """A file with a row for each place or judgment."""
    return FORMATS[form](list(columns), [[column(row) for column in columns.values()] for row in rows])


def nested(rows: Iterable[Row], value: Column) -> bytes:
    """Dictionaries of dictionaries."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(str(row.query), {})[str(row.doc)] = value(row)
    return json.dumps(found).encode()


def counts_of(rows: Sequence[Row], worth: Callable[[int], float] | None) -> dict[str, Any]:
    """What the rows of one input hold; `worth` is the relevance of a grade, None where rows have none."""
    sizes: dict[tuple[str, Any], int] = {}
    for row in rows:
        sizes[row.system, row.query] = sizes.get((row.system, row.query), 0) + 1
    labels = [] if worth is None else [worth(row.grade) for row in rows if row.grade is not None]
    return {
        "rows": len(rows),
        "queries": len({row.query for row in rows}),
        "documents": len({row.doc for row in rows}),
        "rankings": len(sizes),
        "fewest": min(sizes.values()),
        "most": max(sizes.values()),
        "judged": len(labels),
        "positive": sum(label > 0 for label in labels),
        "largest_relevance": max(labels, default=None),
    }


def values_of(data: Data, worth: Callable[[int], float]) -> dict[str, dict[str, float]]:
    """By system, P@2, the reciprocal rank and nDCG@3 as trec_eval defines them, over the judged queries."""
    found: dict[str, dict[str, float]] = {}
    judged, ordered = data.grades(), data.ordered
    for system in dict.fromkeys(name for name, _ in ordered):
        each = [
            query_values([row.doc for row in ordered.get((system, query), ())], labels_of(grades, worth))
            for query, grades in judged.items()
        ]
        found[system] = {name: math.fsum(one[name] for one in each) / len(each) for name in METRICS}
    return found


def labels_of(grades: Mapping[Any, int], worth: Callable[[int], float]) -> dict[Any, float]:
    """What the grades of documents are worth."""
    return {doc: worth(grade) for doc, grade in grades.items()}


def query_values(ranked: Sequence[Any], labels: Mapping[Any, float]) -> dict[str, float]:
    """The metrics of one query."""
    gains = [max(labels.get(doc, 0), 0) for doc in ranked]
    first = next((place for place, gain in enumerate(gains, 1) if gain >= 1), None)
    ideal = discounted(sorted(labels.values(), reverse=True))
    return {
        "p@2": sum(gain >= 1 for gain in gains[:2]) / 2,
        "rr": 0.0 if first is None else 1 / first,
        "ndcg@3": discounted(gains) / ideal if ideal else 0.0,
    }


def discounted(gains: Sequence[float]) -> float:
    """The discounted gain of three places."""
    return math.fsum(max(gain, 0) / math.log2(place + 1) for place, gain in enumerate(gains[:3], 1))
