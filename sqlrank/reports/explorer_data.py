"""The data of the page on which every query is found: columns of numbers, and the documents by their numbers."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from sqlrank.evaluation.explored import Explored, Line
from sqlrank.pages.html import shown

MOST_QUERIES = 20_000
"""How many queries a page holds, at most."""
MOST_BYTES = 15_000_000
"""How large the data of a page are, at most: fewer queries are drawn where they would be larger."""
ROOM = 0.9
"""Which share of that size the queries that are drawn anew are expected to take."""

Columns = dict[str, Any]


def packed_data(explored: Explored, by: Sequence[str], facts: Columns) -> tuple[str, int]:
    """The data of as many queries as fit, compressed, as text; and how many these are.

    Args:
        explored: the queries.
        by: the names of the segments.
        facts: what the page has to know besides.
    """
    most = MOST_QUERIES
    while True:
        data = columns_of(explored, by, most)
        held = len(data["queries"]["ids"])
        packed = pack(data | facts)
        if len(packed) <= MOST_BYTES or held <= 1:
            return packed, held
        most = max(1, int(held * ROOM * MOST_BYTES / len(packed)))


def pack(data: Columns) -> str:
    """Data as JSON, compressed, in letters that end no element of a page."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode())).decode("ascii")


def columns_of(explored: Explored, by: Sequence[str], most: int) -> Columns:
    """The queries with their values and their places."""
    chosen = explored.choose(most)
    number, systems = len(chosen), explored.systems
    ids, *segments = ([*column] for column in zip(*chosen, strict=True))
    places, best = explored.places(), explored.best_order() if best_is_known(explored) else []
    documents = Documents(row[1] for row in (*places, *best))
    titles = explored.titles("items", ["places", *(["best"] if best else [])], "doc_id")
    return {
        "systems": [shown(system) for system in systems],
        "segments": [segment(name, values) for name, values in zip(by, segments, strict=True)],
        "queries": queries(ids, explored.titles("queries", ["queries"], "id")),
        **values_of(explored.values(), systems, number, len(explored.measures)),
        "documents": {
            "ids": [shown(one) for one in documents.numbers],
            "titles": [shown(titles[one]) if titles.get(one, one) != one else None for one in documents.numbers],
        },
        "places": places_of(places, documents, number, systems, explored.added is not None),
        "best": starts_of(best, documents, number) if best else None,
    }


def best_is_known(explored: Explored) -> bool:
    """Whether the ranking of one system stands next to the best order of what was judged."""
    return len(explored.systems) == 1 and not explored.relations.without_judgments


class Documents:
    """The number of each document, in the order in which they are first met."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.numbers = {one: place for place, one in enumerate(dict.fromkeys(ids))}

    def of(self, rows: Sequence[Line]) -> list[int]:
        """The documents of some places."""
        return [self.numbers[row[1]] for row in rows]


def queries(ids: Sequence[str], texts: dict[str, str]) -> Columns:
    """What queries are called: ids and texts as they are shown, and the ids themselves where these are others."""
    seen = [shown(one) for one in ids]
    return {
        "ids": seen,
        "keys": {place: one for place, one in enumerate(ids) if seen[place] != one},
        "texts": [shown(texts[one]) if texts.get(one, one) != one else None for one in ids] if texts else None,
    }


def segment(name: str, values: Sequence[str]) -> Columns:
    """The values of a segment in order, and which of them each query has."""
    known = sorted(set(values))
    places = {value: place for place, value in enumerate(known)}
    return {
        "name": shown(name),
        "values": [shown(value) for value in known],
        "of": [places[value] for value in values],
    }


def values_of(rows: Iterable[Line], systems: Sequence[str], number: int, metrics: int) -> Columns:
    """The values by system, metric and query; and how many documents there are, and how many are unjudged."""
    values: list[list[list[float | None]]] = [[[None] * number for _ in range(metrics)] for _ in systems]
    retrieved, unjudged = ([[0] * number for _ in systems] for _ in range(2))
    places = {system: place for place, system in enumerate(systems)}
    for query, system, found, unknown, *measured in rows:
        place = places.get(system)
        if place is None:
            continue
        retrieved[place][query], unjudged[place][query] = found, unknown
        for metric, value in enumerate(measured):
            values[place][metric][query] = value
    return {"values": values, "retrieved": retrieved, "unjudged": unjudged}


def places_of(rows: Sequence[Line], documents: Documents, number: int, systems: Sequence[str], parts: bool) -> Columns:
    """The places: where those of each query start, and what they hold for each system."""
    columns = list(zip(*rows, strict=True)) or [()] * (3 + 3 * len(systems))
    of_systems = {name: columns[3 + place :: 3] for place, name in enumerate(("rank", "score", "part"))}
    if not parts:
        del of_systems["part"]
    return starts_of(rows, documents, number) | of_systems


def starts_of(rows: Sequence[Line], documents: Documents, number: int) -> Columns:
    """The documents and relevances of some places, and where those of each query start."""
    counts = [0] * number
    for row in rows:
        counts[row[0]] += 1
    return {
        "starts": [0, *accumulate(counts)],
        "document": documents.of(rows),
        "relevance": [row[2] for row in rows],
    }
