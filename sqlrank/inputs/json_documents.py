"""Documents of JSON in which search engines and their tools keep judgments and results: one object, read whole."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.inputs.beginnings import BEGINNINGS
from sqlrank.inputs.column_names import SEARCH_INDEX
from sqlrank.inputs.csv_files import table_of_rows
from sqlrank.inputs.files import Files
from sqlrank.inputs.json_nodes import Node, Row
from sqlrank.inputs.nested_json import DECODER, SPACE, Pairs, Queries, checked, past, shown
from sqlrank.inputs.plain_text import opened
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt

FILTERED = "; ask for the answer whole, or with filter_path=details.*.hits"
METRICS = {
    "precision": "p",
    "recall": "recall",
    "mean_reciprocal_rank": "rr",
    "dcg": "dcg",
    "expected_reciprocal_rank": "err",
}
"""Our names of the metrics of `_rank_eval`."""
JUDGED = ("query_id", "doc_id", "relevance")
RATED = ("query_id", SEARCH_INDEX, "doc_id", "relevance")
ANSWERED = ("query_id", SEARCH_INDEX, "doc_id", "rank", "relevance")


def asked_metric(document: Node) -> str:
    """The metric that a request asks for, as it is asked for here, and how many hits its answer has for that."""
    metric = document.members().get("metric")
    named = {} if metric is None else metric.members()
    if len(named) != 1 or not named.keys() <= METRICS.keys():
        return ""
    (name, found), *_ = named.items()
    options = {key: option.value for key, option in found.members().items()}
    normalized = name == "dcg" and options.get("normalize") is True
    first, most = options.get("k", 10), options.get("maximum_relevance")
    text = f"{'n' * normalized}{METRICS[name]}{f'(max={most})' * (most is not None)}@{first}"
    others: dict[str, Any] = {
        "rel": options.get("relevant_rating_threshold"),
        "unjudged": "remove" if options.get("ignore_unlabeled") is True else options.get("unknown_doc_rating"),
    }
    known = [spelt(*pair) for pair in others.items() if pair[1] is not None]
    asked = " ".join([spelt("metrics", text), *known, spelt("like", "elasticsearch")])
    return f"; its metric is {asked}, of the first {first} hits"


def requests(document: Node) -> Iterator[Row]:
    """The ratings of a request of `_rank_eval`."""
    seen: set[str] = set()
    for request in document.get("requests").elements():
        query = request.get("id").id()
        if query in seen:
            raise DataError(f"{document.file}: the id {shown(query)} appears twice, again in {request.path}")
        seen.add(query)
        for rating in request.get("ratings").elements():
            yield query, index_of(rating), rating.get("_id").id(), rating.get("rating").number()


def index_of(found: Node) -> str:
    """The index of a document, or an empty text where it is not said."""
    index = found.members().get(SEARCH_INDEX)
    return "" if index is None else index.id()


def answers(document: Node) -> Iterator[Row]:
    """The hits of an answer of `_rank_eval`, in their order."""
    failures = document.members().get("failures")
    if failures is not None and (failed := failures.members()):
        raise DataError(
            f"{document.file}: the search of {counted(len(failed), 'request')} failed, such as that of"
            f" {shown(next(iter(failed)))}, and has no hits; correct the request and ask again"
        )
    for query, detail in document.get("details").members().items():
        for place, found in enumerate(detail.get("hits", FILTERED).elements(), 1):
            rating = found.members().get("rating")
            grade = None if rating is None or rating.value is None else rating.number()
            hit = found.get("hit", FILTERED)
            yield query, index_of(hit), hit.get("_id", FILTERED).id(), place, grade


class Document(NamedTuple):
    """A kind of document: its columns, its rows, and what is said of it."""

    columns: tuple[str, ...]
    rows: Callable[[Node], Iterable[Row]]
    said: str
    said_too: Callable[[Node], str] = lambda _: ""
    """What is said of one document, apart from its rows."""


def judgment_list(document: Node) -> Iterator[Row]:
    """The ratings of a judgment list, as it is imported or as its index answers."""
    members = document.members()
    if "judgmentRatings" not in members:
        hits = document.get("hits").get("hits").elements()
        lists = [hit.get("_source") for hit in hits]
        if len(lists) != 1:
            raise DataError(f"{document.file}: holds {len(lists)} judgment lists; ask for one by its id")
        members = lists[0].members()
        if "judgmentRatings" not in members:
            raise DataError(
                f"{document.file}: its judgment list comes without judgmentRatings; ask for them with _source"
            )
    for judged in members["judgmentRatings"].elements():
        query = judged.get("query").id()
        for rating in judged.get("ratings").elements():
            yield query, rating.get("docId").id(), rating.get("rating").number()


def rated(document: Node) -> Iterator[Row]:
    """The ratings of Quepid's JSON, and of that for the Rated Ranking Evaluator: lists of documents by grade."""
    for each in document.get("queries").elements():
        members = each.members()
        if "relevant_documents" not in members:
            query = each.get("query").id()
            yield from ((query, doc, rating.number()) for doc, rating in each.get("ratings").members().items())
            continue
        query = each.get("placeholders").get("$query").id()
        for grade, documents in members["relevant_documents"].members().items():
            if isinstance(documents.value, Pairs):  # of the evaluator itself: a gain by document
                yield query, grade, documents.get("gain").number()
                continue
            number = replace(documents, value=grade).number()
            yield from ((query, doc.id(), number) for doc in documents.elements())


DOCUMENTS = {
    "rank_eval_request": Document(RATED, requests, "id is query_id, _id is doc_id, rating is relevance", asked_metric),
    "rank_eval_answer": Document(
        ANSWERED, answers, "_id is doc_id, the order of the hits is the rank, hits without rating are unjudged"
    ),
    "judgment_list": Document(JUDGED, judgment_list, "query is query_id, docId is doc_id, rating is relevance"),
    "quepid_json": Document(JUDGED, rated, "the text of the query is query_id, its rating is relevance"),
}


def read_document(engine: DuckDBEngine, given: Files) -> Table:
    """Such documents as a table."""
    kind = DOCUMENTS[given.kind]
    left_out = dict.fromkeys(given.paths, 0)
    said: dict[str, None] = {}

    def rows_of(file: str) -> Iterator[Row]:
        document = Node(whole(file, engine.called(file)), engine.called(file))
        said[kind.said_too(document)] = None
        for row in kind.rows(document):
            if row[-1] is None and given.role != "run":
                left_out[file] += 1
            else:
                yield row

    columns = kind.columns if given.role == "run" else tuple(name for name in kind.columns if name != "rank")
    chosen = [place for place, name in enumerate(kind.columns) if name in columns]
    table = table_of_rows(engine, given, columns, lambda file: (tuple(row[i] for i in chosen) for row in rows_of(file)))
    title = BEGINNINGS[given.kind].title
    notes = [f"{given.label}: read as {title}: {kind.said}{''.join(said)}"]
    if unrated := sum(left_out.values()):
        notes.append(f"{given.label}: {counted(unrated, 'hit', 'is', 'are', ' without a rating')} left out")
    foreign = f"{title}; write CSV or Parquet of {', '.join(name for name in columns if name != SEARCH_INDEX)}"
    return replace(table, foreign=foreign, notes=tuple(notes))


def whole(file: str, label: str) -> Any:
    """A document, objects as pairs; DataError if it is no JSON."""
    try:
        with opened(file) as source:
            text = source.read().decode("utf-8-sig")
        found, end = DECODER.raw_decode(text, past(text, 0, SPACE))
    except json.JSONDecodeError as error:
        raise DataError(f"{label}, line {error.lineno}: cannot be read as JSON: {error.msg}; write it again") from None
    except UnicodeDecodeError:
        raise
    except ValueError as error:  # a whole number of too many digits
        raise DataError(f"{label}: cannot be read as JSON: {error}") from None
    except RecursionError:
        raise DataError(f"{label}: a value is nested too deeply") from None
    if rest := text[end:].strip():
        raise DataError(f"{label}: the document has ended, and {shown(rest[:20])} follows it")
    return found


def read_predictions(engine: DuckDBEngine, given: Files) -> Table:
    """Predictions of MTEB, `{subset: {split: {query: {document: score}}}}`, as a table."""
    found: dict[str, tuple[str, str]] = {}

    def rows_of(file: str) -> Iterator[Row]:
        label = engine.called(file)
        with opened(file) as source, io.TextIOWrapper(source, "utf-8-sig", newline="") as text:
            document = Queries(text, label)
            for subset in document.members("key", "keep one"):
                if subset == "mteb_model_meta":
                    document.value()
                    continue
                for split in document.members("split", "keep one"):
                    if file in found:
                        raise DataError(
                            f"{label}: holds predictions of several subsets or splits, {' '.join(found[file])} and"
                            f" {subset} {split}; write each to a file of its own"
                        )
                    found[file] = subset, split
                    for query in document.members("query", "bring its documents together"):
                        yield from checked(document.value(), query, label)
            document.end()

    table = table_of_rows(engine, given, ("query_id", "doc_id", "score"), rows_of)
    which = "".join(f", the subset {subset}, the split {split}" for subset, split in found.values())
    foreign = "predictions of MTEB; write CSV or Parquet of query_id, doc_id and score"
    return replace(
        table,
        canonical=True,
        nested=True,
        foreign=foreign,
        notes=(f"{given.label}: read as predictions of MTEB{which}",),
    )
