"""The forms in which people have rankings and judgments: files made of the same data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.export_data import Column, Data, Row, as_delimited, as_parquet, long

LABELLED, RUN, QRELS, POSITIVES = "labelled export", "run", "judgments", "positives"
QUERIES, UNKNOWN = "queries", "unknown"


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of export.

    Attributes:
        files: what makes the files of it, in the order in which they are looked at.
        kinds: what each is.
        worth: the relevance of a grade; None where the files have no labels.
        drawn: how the data are drawn, besides their seed.
        options: what is told of the files.
        says: why there is no command; empty where there is one.
        given: what is looked at, where that is not the files.
    """

    files: Callable[[Data], dict[str, bytes]]
    kinds: tuple[str, ...] = (LABELLED,)
    worth: Callable[[int], float] | None = float
    drawn: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    says: str = ""
    given: tuple[str, ...] = ()


QUERY: dict[str, Column] = {"query_id": lambda row: row.query}
DOC: dict[str, Column] = {"doc_id": lambda row: row.doc}
IDS = QUERY | DOC
SCORE: dict[str, Column] = {"score": lambda row: row.score}
LABEL: dict[str, Column] = {"relevance": lambda row: row.grade}


def binary(grade: int) -> float:
    """The relevance of a grade that became yes or no."""
    return float(grade > 0)


def labelled(form: str = "csv", label: Mapping[str, Column] = LABEL, **more: Any) -> Export:
    """A labelled export with a row for each place; `ids`, `order` and `others` are its other columns."""
    columns = {**more.pop("ids", IDS), **more.pop("order", SCORE), **label, **more.pop("others", {})}
    return Export(lambda data: {f"export.{form}": long(form, columns, data.rows)}, **more)


def beside(
    run: Callable[[Data], bytes], qrels: Callable[[Data], bytes], names: str = "run.csv qrels.csv", **more: Any
) -> Export:
    """A run and judgments, which hold documents that were not ranked."""
    first, second = names.split()
    more["drawn"] = {"shown": False, "partly": True} | more.get("drawn", {})
    return Export(lambda data: {first: run(data), second: qrels(data)}, more.pop("kinds", (RUN, QRELS)), **more)


def run_as(
    form: str = "csv", ids: Mapping[str, Column] = IDS, order: Mapping[str, Column] = SCORE, **others: Any
) -> Any:
    """What writes the run in a format."""
    return lambda data: long(form, {**ids, **order, **others}, data.rows)


def qrels_as(
    form: str = "csv", ids: Mapping[str, Column] = IDS, label: Mapping[str, Column] = LABEL, **others: Any
) -> Any:
    """What writes the judgments in a format."""
    return lambda data: long(form, {**ids, **label, **others}, data.judged)


def called(*names: str) -> dict[str, Column]:
    """The ids under other names."""
    return {names[0]: IDS["query_id"], names[1]: IDS["doc_id"]}


def lists(data: Data, *columns: Column) -> list[list[Any]]:
    """A row for each ranking: the query, and lists of values of its places."""
    return [
        [query, *([column(row) for row in rows] for column in columns)] for (_, query), rows in data.ordered.items()
    ]


def in_lists(
    names: Sequence[str], *columns: Column, write: Callable[[list[Any]], Any] = list
) -> Callable[[Data], list[dict[str, Any]]]:
    """What makes records with a list for each of some columns, written as `write` says."""
    return lambda data: [
        dict(zip(names, [query, *map(write, values)], strict=True)) for query, *values in lists(data, *columns)
    ]


def lines(found: Iterable[Any]) -> bytes:
    """Records as lines of JSON."""
    return "".join(f"{json.dumps(one)}\n" for one in found).encode()


def table(found: Sequence[Mapping[str, Any]], form: str) -> bytes:
    """Records as a file with a separator, or Parquet."""
    names, rows = list(found[0]), [list(one.values()) for one in found]
    return as_parquet(names, rows) if form == "parquet" else as_delimited(names, rows, "\t" if form == "tsv" else ",")


DOCS: Column = lambda row: row.doc  # noqa: E731
SCORES: Column = lambda row: row.score  # noqa: E731
GRADES: Column = lambda row: row.grade  # noqa: E731
GRADE_WORDS = "ICSE"
WORDS: dict[str, Column] = {"label": lambda row: GRADE_WORDS[row.grade or 0]}
MAP = ("--relevance-map", "I=0,C=1,S=2,E=3")
PLACED: dict[str, Column] = {"position": lambda row: row.place}
LISTED = ("query_id", "doc_ids", "relevances")


def structs(data: Data, name: str, *fields: str) -> list[dict[str, Any]]:
    """A record for each ranking, with a list of structs."""
    values: dict[str, Column] = {"doc_id": DOCS, "score": SCORES, "relevance": GRADES}
    return [
        {"query_id": query, name: [{one: values[one](row) for one in fields} for row in rows]}
        for (_, query), rows in data.ordered.items()
    ]


def relevant(data: Data) -> list[Row]:
    """The judgments that say yes."""
    return [row for row in data.judged if row.grade]


def wanted(form: str, query: str, *names: str) -> Export:
    """Rows with the ids that were retrieved and those that should have been, under names in their order."""

    def rows(data: Data) -> list[dict[str, Any]]:
        right: dict[Any, list[Any]] = {}
        for row in relevant(data):
            right.setdefault(row.query, []).append(row.doc)
        of_right = {"reference_context_ids", "relevant", "ground_truth"}
        return [
            {query: one, **{name: right[one] if name in of_right else docs for name in names}, "response": "yes"}
            for one, docs in lists(data, DOCS)
        ]

    return Export(
        lambda data: {f"rows.{form}": lines(rows(data)) if form == "jsonl" else table(rows(data), form)}, (RUN,), binary
    )


def letor(data: Data) -> bytes:
    """Judgments as lines of LETOR."""
    return "".join(f"{row.grade} qid:{row.query} 1:0.5 2:0.25 #docid = {row.doc}\n" for row in data.judged).encode()


def requests(data: Data) -> bytes:
    """Judgments as a request of `_rank_eval`."""
    found = [
        {"id": query, "request": {}, "ratings": [{"_id": doc, "rating": grade} for doc, grade in grades.items()]}
        for query, grades in data.grades().items()
    ]
    return json.dumps({"requests": found, "metric": {"precision": {"k": 2}}}).encode()


def answer(data: Data) -> bytes:
    """A run as the answer of `_rank_eval`."""
    details = {
        query: {
            "metric_score": 1,
            "hits": [{"hit": {"_id": row.doc, "_score": row.score}, "rating": row.grade} for row in rows],
        }
        for (_, query), rows in data.ordered.items()
    }
    return json.dumps({"metric_score": 1, "details": details, "failures": {}}).encode()


def judgment_list(data: Data) -> bytes:
    """Judgments as OpenSearch imports them."""
    found = [
        {"query": query, "ratings": [{"docId": doc, "rating": str(grade)} for doc, grade in grades.items()]}
        for query, grades in data.grades().items()
    ]
    return json.dumps({"name": "n", "judgmentRatings": found}).encode()


def rated(data: Data) -> bytes:
    """Judgments as Quepid exports ratings for RRE."""
    found: list[Any] = []
    for query, grades in data.grades().items():
        by_grade: dict[str, list[Any]] = {}
        for doc, grade in grades.items():
            by_grade.setdefault(str(grade), []).append(doc)
        found.append({"placeholders": {"$query": query}, "relevant_documents": by_grade})
    return json.dumps({"id_field": "id", "index": "Case", "template": "t.json", "queries": found}).encode()


def movielens(data: Data) -> bytes:
    """Ratings as MovieLens has them."""
    return "".join(f"{row.query}::{row.doc}::{row.grade}::978300760\n" for row in data.judged).encode()


def in_folders(data: Data, form: str) -> dict[str, bytes]:
    """A labelled export in a folder for each day, a query on one of them."""
    columns, found = {**IDS, **SCORE, **LABEL}, {}
    for number, query in enumerate(dict.fromkeys(row.query for row in data.rows), 1):
        rows = [row for row in data.rows if row.query == query]
        found[f"log/ds=2026-01-0{number}/part.{form}"] = long(form, columns, rows)
    return found


def of_systems(data: Data, names: str) -> dict[str, bytes]:
    """A file for each system, and the judgments."""
    files = {
        f"{system}.csv": long("csv", IDS | SCORE, [row for row in data.rows if row.system == system])
        for system in sorted({row.system for row in data.rows})
    }
    return files | {names: qrels_as()(data)}


def countries(data: Data) -> bytes:
    """A table of queries."""
    found = [[row, f"c{number % 2}"] for number, row in enumerate(dict.fromkeys(row.query for row in data.rows))]
    return as_delimited(["query_id", "country"], found, ",")


def nameless(columns: Sequence[Column], rows: Sequence[Row], mark: str = "\t") -> bytes:
    """Rows without names, the whole ranking of a query after another."""
    ordered = sorted(rows, key=lambda row: (str(row.query), row.place))
    return "".join(mark.join(str(column(row)) for column in columns) + "\n" for row in ordered).encode()


def trec(data: Data) -> bytes:
    """A run of TREC."""
    return "".join(f"{row.query} Q0 {row.doc} {row.place} {row.score} tag\n" for row in data.rows).encode()


def trec_qrels(data: Data) -> bytes:
    """Judgments of TREC."""
    return "".join(f"{row.query} 0 {row.doc} {row.grade}\n" for row in data.judged).encode()
