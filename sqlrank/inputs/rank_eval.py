"""Requests of `_rank_eval` of Elasticsearch and OpenSearch, which hold judgments, and answers, which hold results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlrank.errors import DataError, counted
from sqlrank.inputs.column_names import SEARCH_INDEX
from sqlrank.inputs.json_nodes import Node, Row
from sqlrank.inputs.nested_json import shown
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
